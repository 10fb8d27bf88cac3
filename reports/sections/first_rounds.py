"""The first K rounds, where the regret is known exactly: n sigma0 e_K. Theorem 2 as printed is false at n = 1."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from reports.core import plotting
from reports.core.jobs import Options, Outcome, Section, Settings, Tools, Unit
from reports.core.panel import HoverPoint, Panel, Table
from reports.core.plotting import INK, PALETTE
from reucb import bounds

ARMS = {2: PALETTE["red"], 10: PALETTE["orange"], 100: PALETTE["blue"]}
NOISE = np.geomspace(1e-3, 1e2, 61)  # sigma / sigma0
ROUNDS = (1, 2, 3, 5, 10, 30, 100)


def units(options: Options) -> list[Unit]:
    return [Unit(run, {"n_arms": k, "noise": NOISE.tolist(), "rounds": [n for n in ROUNDS if n <= k]}) for k in ARMS]


def run(settings: Settings, tools: Tools) -> Outcome:
    """Theorem 2 divided by the regret, rounds x noise, in both parts (a = 1, a = 2); sigma0 = 1."""
    n, noise = np.asarray(settings["rounds"])[:, None], np.asarray(settings["noise"])
    regret = bounds.trivial(n_arms=settings["n_arms"], horizon=n, sigma0_sq=1.0)
    model = {"n_arms": settings["n_arms"], "horizon": n, "sigma0_sq": 1.0, "sigma_sq": noise**2}
    return {f"part{a}": bounds.theorem1(**model, a=float(a)) / regret for a in (1, 2)}


def analyse(options: Options, outcomes: Sequence[Outcome]) -> list[Panel]:
    settings = [unit.settings for unit in units(options)]
    rows = [row for pair in zip(settings, outcomes, strict=True) for row in _rows(*pair)]
    first = [row for row in rows if row["rounds"] == 1]
    later = min(row["least_ratio"] for row in rows if row["rounds"] > 1)
    title = "The printed bound in the first round, where the regret is known exactly"
    command = options.command("bounds-first")
    svg, points = _draw("bounds-first", title, outcomes)
    two = next(row for row in first if row["arms"] == 2 and row["part"] == 1)
    return [
        Panel(
            id="bounds-first",
            title=title,
            finding=(
                f"At n = 1 the printed bound is false for little noise: with two arms for σ/σ₀ below "
                f"{two['false_below']:.3f}; from n = 2 to n = K it is at least {later:.2f} times the regret everywhere."
            ),
            svg=svg,
            points=tuple(points),
            table=Table.of(rows),
            data=[{"settings": s, **o} for s, o in zip(settings, outcomes, strict=True)],
            notes=(
                "Formulas only. Round robin: R_n = n σ₀ e_K for n <= K, e_K the expected maximum of K standard "
                "normals.",
                f"Looked at: K = {', '.join(map(str, ARMS))}, σ/σ₀ from {NOISE[0]:g} to {NOISE[-1]:g}, parts (1) and "
                "(2).",
            ),
            reproduce=command,
            alerts=() if later >= 1 else (f"the printed bound fails between n = 2 and K; reproduce: {command}",),
        )
    ]


def _rows(settings: Settings, outcome: Outcome) -> list[dict[str, Any]]:
    """The smallest ratio at each n, and the noise below which the theorem is false."""
    noise, rows = np.asarray(settings["noise"]), []
    for part in (1, 2):
        for n, ratio in zip(settings["rounds"], np.asarray(outcome[f"part{part}"]), strict=True):
            edge = float(np.exp(np.interp(0.0, np.log(ratio), np.log(noise)))) if ratio[0] < 1 <= ratio[-1] else None
            least = float(ratio.min())
            rows.append(
                {"arms": settings["n_arms"], "rounds": n, "part": part, "least_ratio": least, "false_below": edge}
            )
    return rows


def _draw(name: str, title: str, outcomes: Sequence[Outcome]) -> tuple[str, list[HoverPoint]]:
    with plotting.figure(8.2, 3.4) as fig:
        axes = fig.subplots()
        axes.set(xscale="log", yscale="log", xlabel="noise σ / σ₀", ylabel="bound / regret at n = 1")
        axes.set_xlim(NOISE[0], NOISE[-1])
        labels = []
        for (k, colour), outcome in zip(ARMS.items(), outcomes, strict=True):
            for part, line in ((1, "-"), (2, ":")):
                axes.plot(NOISE, outcome[f"part{part}"][0], line, color=colour)
            labels.append((outcome["part1"][0][-1], f"K = {k}", colour))
        low, high = axes.get_ylim()
        axes.axhline(1, color=INK, lw=1)
        axes.axhspan(low, 1, color=PALETTE["red"], alpha=0.1, lw=0)
        axes.set_ylim(low, high)
        axes.text(1.5, 0.05, "false: the bound is below the regret", fontsize=9)
        axes.text(0.02, 0.95, "solid: part (1), dotted: part (2)", transform=axes.transAxes, va="top", fontsize=9)
        plotting.end_labels(axes, NOISE[-1], labels)
        points: list[HoverPoint] = []
        for k, outcome in zip(ARMS, outcomes, strict=True):
            ratio = outcome["part1"][0][::5]
            noise = NOISE[::5].tolist()
            texts = [f"K = {k}, σ/σ₀ = {x:.3g}: bound / regret {r:.3g}" for x, r in zip(noise, ratio, strict=True)]
            points += plotting.points(axes, noise, ratio, texts)
        return plotting.to_svg(fig, name, title), points


SECTIONS = (Section("bounds-first", "The first rounds, exactly", "bounds", units, analyse),)
