"""Violated assumptions as a picture: coverage, the distribution of the error, and the effect on the regret."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
from scipy.special import ndtr

from reports.core import plotting
from reports.core.jobs import Options, Outcome, Settings, Unit
from reports.core.panel import Panel, Point, Table
from reports.core.plotting import INK, PALETTE
from reports.sections.common.bounds_budget import BUDGETS, ERROR
from reports.sections.coverage import broken_assumptions
from reucb import bounds

ARMS = {
    "fixed": ("a fixed arm", "o", PALETTE["blue"]),
    "chosen": ("the arm about to be pulled", "D", PALETTE["orange"]),
}


def units(options: Options) -> list[Unit]:
    return [
        Unit(broken_assumptions.run, case)
        for case in broken_assumptions.units(BUDGETS[options.budget].coverage, options.seed)
    ]


def analyse(options: Options, outcomes: Sequence[Outcome]) -> list[Panel]:
    settings = [unit.settings for unit in units(options)]
    every = [row for pair in zip(settings, outcomes, strict=True) for row in records(*pair)]
    shares = {row["case"]: row["regret"] / row["random"] for row in every}
    rows = [row | {"share": shares[row["case"]], "share_twin": shares[broken_assumptions.CASES[row["case"]].twin]}
            for row in every if row["case"] not in broken_assumptions.TWINS]  # fmt: skip
    limit = broken_assumptions.critical(settings[0]["runs"], ERROR / (2 * len(rows)))
    rows = [row | {"differs": max(row["distance_fixed"], row["distance_chosen"]) > limit} for row in rows]
    last = [row for row in rows if row["round"] == settings[0]["rounds"][-1]]
    shared = f"K = {settings[0]['n_arms']}, a = {settings[0]['a']:g}, round {last[0]['round']}"
    title = f"Where the theory stops applying: {shared}"
    svg, points = _draw("bounds-coverage", title, last, limit)
    command = options.command("bounds-coverage")
    wrong = [row for row in rows if row["case"] == "exact" and row["differs"]]
    panel = Panel(
        id="bounds-coverage",
        title=title,
        finding=_finding(last),
        svg=svg,
        points=tuple(points),
        table=Table.of(rows),
        data={"rows": rows, "critical_distance": limit,
              "cases": [{"settings": s, "outcome": o} for s, o in zip(settings, outcomes, strict=True)]},
        notes=_notes(settings[0]["runs"], limit, 2 * len(rows)),
        reproduce=command,
        alerts=tuple(f"the error is not N(0, 1) in round {r['round']}; reproduce: {command}" for r in wrong),
    )  # fmt: skip
    return [panel]


def _notes(runs: int, limit: float, comparisons: int) -> tuple[str, ...]:
    return (
        f"{runs:,} runs of ReUCB in each case. Theory: the standardised error is N(0, 1) for a fixed arm and for the "
        "arm "
        "about to be pulled; then mu-hat ± c misses with probability 2 (1 - Φ(√(a log t))).",
        f"A Kolmogorov-Smirnov distance above {limit:.3f} has probability {ERROR:g} over all {comparisons} comparisons "
        "(cases, rounds and arms) together if all errors are N(0, 1).",
        "Regret is given as a share of random play; the twin is the Gaussian bandit with the variances that ReUCB is "
        "given.",
    )


def records(settings: Settings, outcome: Outcome) -> list[dict[str, Any]]:
    """One row per round of a case."""
    case = broken_assumptions.CASES[settings["case"]]
    rows = []
    for seen in outcome["rounds"]:
        nominal = float(2 * ndtr(-np.sqrt(settings["a"] * np.log(seen["round"]))))
        row: dict[str, Any] = {
            "case": settings["case"],
            "what": case.title,
            "round": seen["round"],
            "nominal_miss": nominal,
        }
        for which in ARMS:
            row[f"miss_{which}"] = 1 - seen[f"covered_{which}"]
            row[f"distance_{which}"] = seen[f"distance_{which}"]
        row |= {"miss_any": 1 - seen["covered_all"], "regret": outcome["regret"], "stderr": outcome["stderr"]}
        rows.append(row | {"random": outcome["random"], "sharp": _sharp(settings, case), "runs": settings["runs"]})
    return rows


def _sharp(settings: Settings, case: broken_assumptions.Case) -> float | None:
    """The sharp bound with the variances ReUCB was given, whether or not it applies."""
    if case.sigma0_sq is None:
        return None
    told = {"sigma0_sq": case.sigma0_sq, "sigma_sq": case.sigma_sq}
    return float(
        np.asarray(bounds.sharp(n_arms=settings["n_arms"], horizon=settings["rounds"][-1], a=settings["a"], **told))
    )


def _finding(rows: Sequence[dict[str, Any]]) -> str:
    others = [row for row in rows if row["case"] != "exact"]
    ratios = [row["share"] / row["share_twin"] for row in others]
    over = sum(row["sharp"] is not None and row["regret"] > row["sharp"] for row in rows)
    known = "is not" if rows[0]["differs"] else "is"
    return (
        f"With Gaussian rewards and known variances the error {known} N(0, 1); it is rejected in "
        f"{sum(row['differs'] for row in others)} of {len(others)} other cases, where the share of random play's "
        "regret is "
        f"{min(ratios):.2f} to {max(ratios):.2f} times that of the Gaussian twin and above the sharp bound in {over} "
        "cases."
    )


def _draw(name: str, title: str, rows: Sequence[dict[str, Any]], limit: float) -> tuple[str, list[Point]]:
    with plotting.figure(8.6, 1.5 + 0.3 * len(rows)) as fig:
        miss, law, cost = fig.subplots(1, 3, sharey=True)
        y = list(range(len(rows)))
        drawn = [*_errors(miss, law, rows, y, limit), *_regret(cost, rows, y)]
        miss.set(ylim=(len(rows) - 0.5, -0.5))
        miss.set_yticks(y, [row["what"] for row in rows])
        for axes in (miss, law, cost):
            axes.tick_params(axis="y", length=0)
            axes.spines["left"].set_visible(False)
        fig.legend(loc="outside upper right", ncols=4)
        points = [point for axes, x, labels in drawn for point in plotting.points(axes, x, y, labels)]
        return plotting.to_svg(fig, name, title), points


Drawn = tuple[Any, list[float], list[str]]  # axes, x, labels


def _errors(miss: Any, law: Any, rows: Sequence[dict[str, Any]], y: list[int], limit: float) -> Iterator[Drawn]:
    """How often mu-hat +- c misses, and how far the standardised error is from N(0, 1)."""
    miss.set(xscale="log", xlabel="misses / nominal")
    miss.axvline(1, color=INK, lw=1)
    law.axvspan(0, limit, color=PALETTE["grey"], alpha=0.2, lw=0)
    law.set(xlabel="distance from N(0, 1)\n(shaded: not rejected)")
    for which, (text, marker, colour) in ARMS.items():
        rates = [max(row[f"miss_{which}"], 0.5 / row["runs"]) / row["nominal_miss"] for row in rows]
        far = [row[f"distance_{which}"] for row in rows]
        miss.plot(rates, y, marker, color=colour, ms=6, label=text)
        law.plot(far, y, marker, color=colour, ms=6)
        missed = [f"misses {row[f'miss_{which}']:.2%}, nominal {row['nominal_miss']:.2%}" for row in rows]
        heads = [f"{row['what']}, {text}" for row in rows]
        yield miss, rates, [f"{head}: {tail}" for head, tail in zip(heads, missed, strict=True)]
        yield law, far, [f"{head}: distance {value:.3f}" for head, value in zip(heads, far, strict=True)]
    law.set_xlim(0)


def _regret(cost: Any, rows: Sequence[dict[str, Any]], y: list[int]) -> Iterator[Drawn]:
    """Regret as a share of random play's, beside the Gaussian twin."""
    cost.set(xlabel="regret / random play")
    share, twin = [row["share"] for row in rows], [row["share_twin"] for row in rows]
    half = [1.96 * row["stderr"] / row["random"] for row in rows]
    cost.plot(twin, y, "|", color=INK, ms=13, mew=1.6, label="Gaussian twin")
    cost.errorbar(share, y, xerr=half, fmt="s", color=PALETTE["green"], ms=5, label="regret")
    cost.set_xlim(0, max(share + twin) * 1.15)
    yield cost, share, [f"{row['what']}: {row['share']:.1%}, twin {row['share_twin']:.1%}" for row in rows]
