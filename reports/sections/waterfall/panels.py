"""What each proof step costs, as pictures: the factor of every step, and the terms of the counting bound."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from reports.core import plotting
from reports.core.jobs import Options, Outcome, Settings, Unit
from reports.core.panel import HoverPoint, Panel, Table
from reports.core.plotting import INK, PALETTE, number
from reports.sections.common.bounds_budget import BUDGETS
from reports.sections.waterfall import proof_steps
from reucb import bounds

CHAINS = {"printed": ("printed proof", PALETTE["red"]), "sharp": ("sharp (ours)", PALETTE["blue"])}
ROUNDING = 1e-9  # relative to the level: sums of up to 10^5 terms
TERMS = {
    "initial": ("first K rounds", "first"),
    "gaps": ("good rounds (gaps)", "good"),
    "prices": ("prices", None),
    "rounds": ("bad rounds", "bad"),
}


def units(options: Options) -> list[Unit]:
    chosen = BUDGETS[options.budget].waterfall
    return [Unit(proof_steps.run, {**case, "runs": chosen.runs, "seed": options.seed}) for case in chosen.cases]


def analyse(options: Options, outcomes: Sequence[Outcome]) -> list[Panel]:
    """A panel for each case; the first one, the example of the curves, has the section's own name."""
    pairs = list(zip(units(options), outcomes, strict=True))
    panels: list[Panel] = []
    for unit, outcome in pairs:
        name = f"bounds-waterfall-{unit.settings['n_arms']}" if panels else "bounds-waterfall"
        panels.append(_panel(options, name, unit.settings, outcome))
    return [_counting_panel(options, pairs[0][0].settings, pairs[0][1]), *panels]


def records(outcome: Outcome) -> list[dict[str, Any]]:
    """One row per step: the level reached, the factor it costs, and whether it holds on every path."""
    rows = []
    for chain in CHAINS:
        last: float | None = None
        for level in outcome[chain]:
            factor = None if last is None else level["mean"] / last
            kind = "expectation" if level["step"] in proof_steps.IN_EXPECTATION else "every path"
            rows.append({"proof": chain, "step": level["step"], "level": level["mean"], "stderr": level["stderr"],
                         "factor": factor, "holds": None if last is None else kind,
                         "least_slack": level["least_slack"]})  # fmt: skip
            last = level["mean"]
    return rows


def broken(rows: Sequence[Mapping[str, Any]]) -> list[Mapping[str, Any]]:
    """Steps that should hold on every path and failed on one, beyond rounding."""
    return [
        row
        for row in rows
        if row["holds"] == "every path" and row["least_slack"] < -ROUNDING * row["level"]
    ]  # fmt: skip


def _panel(options: Options, name: str, settings: Settings, outcome: Outcome) -> Panel:
    rows = records(outcome)
    title = f"What each proof step costs: K = {settings['n_arms']}, n = {settings['horizon']:,}, a = {settings['a']:g}"
    random = bounds.trivial(**{key: settings[key] for key in ("n_arms", "horizon", "sigma0_sq")})
    svg, points = _draw(name, title, rows, float(np.asarray(random)))
    worst = {chain: max((r for r in rows if r["proof"] == chain and r["factor"]), key=lambda r: r["factor"])
             for chain in CHAINS}  # fmt: skip
    ends = {chain: [r["level"] for r in rows if r["proof"] == chain] for chain in CHAINS}
    total = {chain: levels[-1] / levels[0] for chain, levels in ends.items()}
    command = options.command("bounds-waterfall")
    return Panel(
        id=name,
        title=title,
        finding=(
            f"From regret to bound the printed proof loses a factor {total['printed']:.0f}, most of it in "
            f"“{worst['printed']['step']}” (× {worst['printed']['factor']:.1f}); the sharp one loses "
            f"{total['sharp']:.1f}, most in “{worst['sharp']['step']}” (× {worst['sharp']['factor']:.1f})."
        ),
        svg=svg,
        points=tuple(points),
        table=Table.of(rows),
        data={"settings": settings, "steps": rows, "random": random},
        notes=(
            f"{settings['runs']} runs of ReUCB*, σ₀² = {settings['sigma0_sq']:g}, σ² = {settings['sigma_sq']:g}. "
            "Each level "
            "is what the proof has after the step, averaged over the runs.",
            "Steps marked “expectation” hold on average, the others on every path (least_slack >= 0). In the printed "
            "proof the closed form of the right tail is a gap: its claim holds here on average.",
            "The index and the events are defined only after the round robin, whose regret is added until “first K "
            "rounds”.",
        ),
        reproduce=command,
        alerts=tuple(f"{r['proof']}: “{r['step']}” fails on a path; reproduce: {command}" for r in broken(rows)),
    )


def _draw(name: str, title: str, rows: Sequence[Mapping[str, Any]], random: float) -> tuple[str, list[HoverPoint]]:
    points: list[HoverPoint] = []
    counts = [sum(row["proof"] == chain for row in rows) for chain in CHAINS]
    with plotting.figure(8.2, 1.3 + 0.3 * len(rows)) as fig:
        both = fig.subplots(2, 1, sharex=True, height_ratios=counts)
        for axes, (chain, (heading, colour)) in zip(both, CHAINS.items(), strict=True):
            mine = [row for row in rows if row["proof"] == chain]
            axes.set(xscale="log", ylim=(len(mine) - 0.4, -0.6))
            axes.set_title(heading, loc="left")
            axes.set_yticks(range(len(mine)), [row["step"] for row in mine])
            axes.tick_params(axis="y", length=0)
            axes.spines["left"].set_visible(False)
            axes.axvline(random, ls="--", color=PALETTE["grey"], lw=1.2, alpha=0.6, zorder=0)
            _bars(axes, mine, colour)
        low = mine[0]["level"]
        both[1].set_xlim(low * 0.55, max(row["level"] for row in rows) * 2.2)
        both[1].set_xlabel("Bayes regret")
        both[0].annotate("random play", (random, -0.6), xytext=(4, 2), textcoords="offset points", fontsize=9)
        for axes, chain in zip(both, CHAINS, strict=True):
            mine = [row for row in rows if row["proof"] == chain]
            labels = [f"{row['step']}: {number(row['level'])}" for row in mine]
            points += plotting.points(axes, [row["level"] for row in mine], list(range(len(mine))), labels)
        return plotting.to_svg(fig, name, title), points


BEHIND = {"facecolor": plotting.PAPER, "edgecolor": "none", "pad": 0.8}  # of a label that may cross a line


def _bars(axes: Any, rows: Sequence[Mapping[str, Any]], colour: str) -> None:
    """A bar from the level before to the level after, joined by thin lines; the first row is the regret itself."""
    last = rows[0]["level"]
    axes.plot(last, 0, "o", color=colour, ms=6)
    axes.annotate(number(last), (last, 0), xytext=(8, 0), textcoords="offset points", va="center", fontsize=9)
    for y, row in enumerate(rows[1:], start=1):
        left, right = sorted((last, row["level"]))
        axes.plot([last, last], [y - 1, y], color=PALETTE["grey"], lw=0.8)
        axes.barh(y, right - left, left=left, height=0.62, color=colour, alpha=0.85, lw=0)
        text = f"× {row['factor']:.2f}" if row["factor"] < 10 else f"× {row['factor']:.0f}"
        if y == len(rows) - 1:
            text += f"  →  {number(row['level'])}"
        axes.annotate(
            text, (right, y), xytext=(6, 0), textcoords="offset points", va="center", fontsize=9, bbox=BEHIND
        )  # fmt: skip
        last = row["level"]


def _counting_panel(options: Options, settings: Settings, outcome: Outcome) -> Panel:
    """Both sides of every term as bars."""
    terms, measured = outcome["counting"], outcome["spent"]
    rows = [_term_row(name, terms[name], measured.get(TERMS[name][1] or "")) for name in TERMS]
    regret = sum(part["mean"] for part in measured.values())
    where = f"K = {settings['n_arms']}, n = {settings['horizon']:,}, a = {settings['a']:g}"
    title = f"The counting bound, term by term: {where}"
    svg, points = _draw_terms("bounds-waterfall-counting", title, rows)
    widest = max((row for row in rows if row["simulation"]), key=lambda row: row["bound"] - row["simulation"])
    return Panel(
        id="bounds-waterfall-counting",
        title=title,
        finding=(
            f"The bound is {number(terms['total'])}, the regret {number(regret)}. The largest difference is in the "
            f"{widest['term']}: {number(widest['bound'])} in the bound, "
            f"{number(widest['simulation'])} in the simulation."
        ),
        svg=svg,
        points=tuple(points),
        table=Table.of(rows),
        data={"settings": settings, "terms": terms, "spent": measured},
        notes=(
            f"{settings['runs']} runs of ReUCB*, σ₀² = {settings['sigma0_sq']:g}, σ² = {settings['sigma_sq']:g}.",
            "A round after the first K is good if the gap of the pulled arm is at most its error plus s_n tau, and bad "
            "otherwise; a pull of the best arm costs nothing. Prices occur only in the proof.",
        ),
        reproduce=options.command("bounds-waterfall"),
    )


def _term_row(name: str, charged: float, measured: Mapping[str, float] | None) -> dict[str, Any]:
    spent = None if measured is None else measured["mean"]
    error = None if measured is None else measured["stderr"]
    factor = charged / spent if spent else None
    return {"term": TERMS[name][0], "bound": charged, "simulation": spent, "stderr": error, "factor": factor}


def _draw_terms(name: str, title: str, rows: Sequence[Mapping[str, Any]]) -> tuple[str, list[HoverPoint]]:
    with plotting.figure(8.2, 3.2) as fig:
        axes = fig.subplots()
        places, values, labels = [], [], []
        for y, row in enumerate(rows):
            for shift, key, colour in ((-0.19, "bound", PALETTE["green"]), (0.19, "simulation", INK)):
                value = row[key]
                if value is None:
                    continue
                axes.barh(y + shift, value, height=0.34, color=colour, alpha=0.85, lw=0)
                axes.annotate(number(value), (value, y + shift), xytext=(5, 0), textcoords="offset points", va="center",
                              fontsize=9)  # fmt: skip
                places.append(y + shift)
                values.append(value)
                labels.append(f"{row['term']}, {key}: {number(value)}")
        axes.set(xlabel="Bayes regret", ylim=(len(rows) - 0.5, -0.5), xlim=(0, 1.12 * max(values)))
        axes.set_yticks(range(len(rows)), [row["term"] for row in rows])
        axes.tick_params(axis="y", length=0)
        for text, colour in (("charged by the bound", PALETTE["green"]), ("spent in simulation", INK)):
            axes.barh(0, 0, color=colour, alpha=0.85, label=text)
        fig.legend(loc="outside upper right", ncols=2)
        points = plotting.points(axes, values, places, labels)
        return plotting.to_svg(fig, name, title), points
