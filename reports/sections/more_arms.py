"""What to do with more arms than rounds? Each arm once, an index or a draw for unpulled arms, or a subset."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import scipy.stats

import reucb
from reports.core import plotting
from reports.core.jobs import Options, Outcome, Section, Settings, Tools, Unit
from reports.core.panel import HoverPoint, Panel, Table
from reports.core.plotting import INK, PALETTE, number
from reports.sections.common.experiments import BUDGETS
from reucb import bounds

TITLE = "More arms than rounds"
SIGMA0, SIGMA = 0.2, 0.5
SIZES = ((1_000, 1_000), (10_000, 1_000), (10_000, 10_000), (100_000, 10_000), (50, 10_000))  # (arms, rounds)
STRATEGIES = {
    "each": ("every arm once first (the paper)", PALETTE["grey"]),
    "index": ("unpulled arms compete by their index", PALETTE["blue"]),
    "subset": ("a subset chosen in advance", PALETTE["green"]),
    "ReTS": ("Thompson sampling in the same model (ReTS)", PALETTE["brown"]),
}
MOST_DRAWS = 10_000_000  # in a run: Thompson sampling draws every arm in every round


def units(options: Options) -> list[Unit]:
    runs = BUDGETS[options.budget].method_runs
    return [
        Unit(run, {"n_arms": k, "horizon": n, "strategy": name, "runs": runs, "seed": options.seed})
        for k, n in SIZES
        for name in STRATEGIES
        if name != "ReTS" or k * n <= MOST_DRAWS
    ]


def run(settings: Settings, tools: Tools) -> Outcome:
    """Regret against the best of all arms; arms that are not in the subset cost n sigma0 (e_K - e_m)."""
    k, n = settings["n_arms"], settings["horizon"]
    known: dict[str, Any] = {"sigma0_sq": SIGMA0**2, "sigma_sq": SIGMA**2}
    size, missed = k, 0.0
    if settings["strategy"] == "subset":
        size = reucb.subset_size(n_arms=k, horizon=n, **known)
        missed = n * SIGMA0 * (float(bounds.expected_max(k)) - float(bounds.expected_max(size)))
    more: dict[str, Any] = {"first": "index"} if settings["strategy"] == "index" else {}
    policy = reucb.ReTS(**known) if settings["strategy"] == "ReTS" else reucb.ReUCB(a=1.0, **known, **more)
    bandit = reucb.Bandit(size, scipy.stats.norm(1.0, SIGMA0), reucb.Gaussian(SIGMA))
    result = reucb.simulate(
        bandit, policy, horizon=n, runs=settings["runs"], seed=settings["seed"], record=[n], executor=tools.executor,
        progress=False,
    )  # fmt: skip
    play = float(np.asarray(bounds.trivial(n_arms=k, horizon=n, sigma0_sq=SIGMA0**2)))
    return {"mean": result.mean[-1] + missed, "stderr": result.stderr[-1], "arms played": size, "random": play}


def analyse(options: Options, outcomes: Sequence[Outcome]) -> list[Panel]:
    rows = [
        {"K": u.settings["n_arms"], "n": u.settings["horizon"], "strategy": u.settings["strategy"],
         "arms played": o["arms played"], "regret": o["mean"], "stderr": o["stderr"], "random play": o["random"],
         "regret / random play": o["mean"] / o["random"]}
        for u, o in zip(units(options), outcomes, strict=True)
    ]  # fmt: skip
    svg, points = _draw(rows)
    first = {row["strategy"]: row["regret"] for row in rows if (row["K"], row["n"]) == SIZES[0]}
    sampled = f" ReTS: {number(first.pop('ReTS'))}." if "ReTS" in first else ""
    regrets = "; ".join(f"{number(first[name])} ({STRATEGIES[name][0]})" for name in first)
    return [
        Panel(
            id="more-arms",
            title=TITLE,
            finding=(
                f"For K = n = {SIZES[0][0]:,} the regret of random play is {number(rows[0]['random play'])}. "
                f"ReUCB*: {regrets}.{sampled}"
            ),
            svg=svg,
            points=tuple(points),
            table=Table.of(rows),
            data=rows,
            notes=(
                f"{BUDGETS[options.budget].method_runs} runs each, means N(1, {SIGMA0}²), σ = {SIGMA}, a = 1, known "
                "variances. With n <= K and every arm pulled once first, ReUCB* is random play.",
                "The size of the subset is `reucb.subset_size`; the cost of ignoring the other arms, n σ₀ (e_K - "
                "e_m), is included.",
                f"ReTS draws every arm in every round: shown where K n is at most {MOST_DRAWS:,}.",
            ),
            reproduce=options.command("more-arms"),
        )
    ]


def _draw(rows: Sequence[Mapping[str, Any]]) -> tuple[str, list[HoverPoint]]:
    names = tuple(STRATEGIES)
    height = 0.8 / len(names)
    with plotting.figure(8.2, 1.6 + 0.72 * len(SIZES)) as fig:
        axes = fig.subplots()
        places = []
        for y, size in enumerate(SIZES):
            for j, name in enumerate(names):
                row = next((r for r in rows if (r["K"], r["n"]) == size and r["strategy"] == name), None)
                if row is None:
                    continue
                at = y - 0.4 + height * (j + 0.5)
                share = row["regret / random play"]
                half = 1.96 * row["stderr"] / row["random play"]
                axes.barh(at, share, height=0.9 * height, color=STRATEGIES[name][1], alpha=0.85, lw=0, xerr=half,
                          ecolor=INK)  # fmt: skip
                text = number(row["regret"])
                axes.annotate(
                    text, (share + half, at), xytext=(6, 0), textcoords="offset points", va="center", fontsize=9
                )
                places.append((share, at, f"{STRATEGIES[name][0]}: {text}, {share:.0%} of random play"))
        axes.axvline(1, color=INK, lw=1)
        axes.set(ylim=(len(SIZES) - 0.5, -0.5), xlim=(0, 1.25), xlabel="regret / random play")
        axes.set_yticks(range(len(SIZES)), [f"K = {k:,}, n = {n:,}" for k, n in SIZES])
        axes.tick_params(axis="y", length=0)
        for name in names:
            axes.barh(0, 0, color=STRATEGIES[name][1], alpha=0.85, label=STRATEGIES[name][0])
        fig.legend(loc="outside upper left", ncols=1)
        points = plotting.points(axes, [x for x, _, _ in places], [y for _, y, _ in places], [t for *_, t in places])
        return plotting.to_svg(fig, "more-arms", TITLE), points


SECTIONS = (Section("more-arms", "More arms than rounds", "experiments", units, analyse),)
