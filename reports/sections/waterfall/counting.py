"""The terms of the counting bound beside the same quantities in simulation.

The proof divides the rounds after the first K into pulls of the best arm, good rounds (the gap of the pulled arm is at
most its error plus s_n tau) and bad rounds. The bound charges good rounds by `gaps` and bad rounds by `rounds`, and
pays `prices` once per count so that bad rounds cost less.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from reports.core import plotting
from reports.core.jobs import Options, Outcome, Settings
from reports.core.panel import Panel, Point, Table
from reports.core.plotting import INK, PALETTE, number

TERMS = {
    "initial": ("first K rounds", "first"),
    "gaps": ("good rounds (gaps)", "good"),
    "prices": ("prices", None),
    "rounds": ("bad rounds", "bad"),
}


def spent(gap: np.ndarray, error: np.ndarray, width: np.ndarray, start: np.ndarray, n_arms: int) -> dict[str, Any]:
    """Mean regret of the first K, the good and the bad rounds, with its standard error over runs.

    gap, error (mu-hat - mu of the pulled arm) and width (s_t tau) are runs x rounds after the first K.
    """
    t = np.arange(n_arms + 1, n_arms + 1 + gap.shape[1])
    horizon = n_arms + gap.shape[1]
    good = gap <= width * np.sqrt(np.log(horizon) / np.log(t)) + error
    parts = {"first": start, "good": (gap * good).sum(axis=1), "bad": (gap * ~good).sum(axis=1)}
    runs = len(start)
    return {name: {"mean": part.mean(), "sum_sq": float((part**2).sum()), "runs": runs} for name, part in parts.items()}


def joined(blocks: Sequence[Mapping[str, Any]]) -> dict[str, dict[str, float]]:
    """Mean and standard error over blocks of runs."""
    found = {}
    for name in blocks[0]:
        runs = sum(block[name]["runs"] for block in blocks)
        mean = sum(block[name]["mean"] * block[name]["runs"] for block in blocks) / runs
        variance = (sum(block[name]["sum_sq"] for block in blocks) - runs * mean**2) / (runs - 1)
        found[name] = {"mean": float(mean), "stderr": float(max(variance, 0.0) ** 0.5 / runs**0.5)}
    return found


def panel(options: Options, settings: Settings, outcome: Outcome) -> Panel:
    """Both sides of every term as bars."""
    terms, measured = outcome["counting"], outcome["spent"]
    rows = [_row(name, terms[name], measured.get(TERMS[name][1] or "")) for name in TERMS]
    regret = sum(part["mean"] for part in measured.values())
    where = f"K = {settings['n_arms']}, n = {settings['horizon']:,}, a = {settings['a']:g}"
    title = f"The counting bound, term by term: {where}"
    svg, points = _draw("bounds-waterfall-counting", title, rows)
    widest = max((row for row in rows if row["simulation"]), key=lambda row: row["bound"] - row["simulation"])
    return Panel(
        id="bounds-waterfall-counting",
        title=title,
        finding=(
            f"The bound is {number(terms['total'])}, the regret {number(regret)}. The largest difference is in the "
            f"{widest['term']}: {number(widest['bound'])} are charged, {number(widest['simulation'])} are spent."
        ),
        svg=svg,
        points=tuple(points),
        table=Table.of(rows),
        data={"settings": settings, "terms": terms, "spent": measured},
        notes=(
            f"{settings['runs']} runs of ReUCB*, σ₀² = {settings['sigma0_sq']:g}, σ² = {settings['sigma_sq']:g}.",
            "A round after the first K is good if the gap of the pulled arm is at most its error plus s_n tau, and bad "
            "otherwise; a pull of the best arm costs nothing. Prices are paid by the proof only.",
        ),
        reproduce=options.command("bounds-waterfall"),
    )


def _row(name: str, charged: float, measured: Mapping[str, float] | None) -> dict[str, Any]:
    spent = None if measured is None else measured["mean"]
    error = None if measured is None else measured["stderr"]
    factor = charged / spent if spent else None
    return {"term": TERMS[name][0], "bound": charged, "simulation": spent, "stderr": error, "factor": factor}


def _draw(name: str, title: str, rows: Sequence[Mapping[str, Any]]) -> tuple[str, list[Point]]:
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
