"""How far from optimal is ReUCB*? Its regret between the lower bound for every algorithm and the best upper bounds."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from reports.core import plotting
from reports.core.jobs import Options, Outcome, Section, Unit
from reports.core.panel import HoverPoint, Panel, Table
from reports.core.plotting import INK, PALETTE, number
from reports.sections.common import bound_cells, bound_tests
from reports.sections.common.bounds_budget import BUDGETS

TITLE = "How far from optimal ReUCB* is, and how far the bounds are from it"
# (K, n, sigma/sigma0, a): settings of the paper, few and many arms, little and much noise
SETTINGS = (
    (50, 10_000, 2.5, 1.0),
    (50, 10_000, 2.5, 2.0),
    (50, 10_000, 0.5, 1.0),
    (50, 1_000, 2.5, 1.0),
    (2, 1_000, 1.0, 1.0),
    (3, 500, 0.1, 1.0),
    (10, 1_000, 0.5, 1.0),
    (10, 10_000, 2.5, 1.0),
    (200, 1_000, 0.5, 2.0),
)
MARKS = {"lower": ("|", PALETTE["brown"]), "counting": ("D", PALETTE["green"]), "sharp": ("s", PALETTE["blue"]),
         "theorem1": ("o", PALETTE["red"]), "ReTS*": ("x", PALETTE["teal"])}  # fmt: skip
POLICIES = ("ReUCB*", "ReTS*")


def units(options: Options) -> list[Unit]:
    runs = BUDGETS[options.budget].optimality_runs
    return [
        Unit(bound_cells.run, {
            "law": "gaussian", "policy": policy, "horizons": [n], "slow": [n] if policy == "ReUCB*" else [],
            "runs": runs, "seed": options.seed,
            "model": {"n_arms": k, "sigma0_sq": 1.0, "sigma_sq": noise**2, "a": a},
        })
        for policy in POLICIES for k, n, noise, a in SETTINGS
    ]  # fmt: skip


def analyse(options: Options, outcomes: Sequence[Outcome]) -> list[Panel]:
    known, sampled = outcomes[: len(SETTINGS)], outcomes[len(SETTINGS) :]
    rows = [_row(*found) for found in zip(SETTINGS, known, sampled, strict=True)]
    tests = bound_tests.family([unit.settings for unit in units(options)][: len(known)], known)
    svg, points = _draw(rows)
    far = [row["regret / lower"] for row in rows]
    near = [row["counting / regret"] for row in rows]
    return [
        Panel(
            id="bounds-optimality",
            title=TITLE,
            finding=(
                f"Over {len(rows)} settings the regret of ReUCB* is {min(far):.2f} to {max(far):.2f} times the lower "
                f"bound for every algorithm; the counting bound is {min(near):.2f} to {max(near):.2f} times the regret."
            ),
            svg=svg,
            points=tuple(points),
            table=Table.of(rows),
            data=[{"settings": unit.settings, **o} for unit, o in zip(units(options), outcomes, strict=True)],
            notes=(
                f"{BUDGETS[options.budget].optimality_runs} runs each, σ₀ = 1. The true distance from the optimum is "
                "smaller than regret / lower: the lower bound is not attained.",
                "ReTS*: Thompson sampling in the same model, both variances known.",
            ),
            reproduce=options.command("bounds-optimality"),
            alerts=bound_tests.alerts(tests),
        )
    ]


def _row(setting: tuple[int, int, float, float], outcome: Outcome, sampled: Outcome) -> dict[str, Any]:
    k, n, noise, a = setting
    at = {name: values[0] for name, values in outcome["bounds"].items()}
    regret = outcome["mean"][0]
    return {
        "K": k, "n": n, "σ/σ₀": noise, "a": a, "lower": at["lower"], "regret": regret, "stderr": outcome["stderr"][0],
        "ReTS*": sampled["mean"][0],
        "counting": at["counting"], "sharp": at["sharp"], "printed": at["theorem1"], "random": outcome["random"][0],
        "regret / lower": regret / at["lower"], "counting / regret": at["counting"] / regret,
    }  # fmt: skip


def _draw(rows: Sequence[Mapping[str, Any]]) -> tuple[str, list[HoverPoint]]:
    keys = {"lower": "lower", "counting": "counting", "sharp": "sharp", "theorem1": "printed", "ReTS*": "ReTS*"}
    with plotting.figure(8.2, 1.4 + 0.34 * len(rows)) as fig:
        axes = fig.subplots()
        axes.set(xscale="log", ylim=(len(rows) - 0.4, -0.6), xlabel="divided by the regret of ReUCB*")
        axes.axvline(1, color=INK, lw=1.2)
        for y, row in enumerate(rows):
            low, high = row["lower"] / row["regret"], row["counting"] / row["regret"]
            axes.plot([low, high], [y, y], color=PALETTE["grey"], lw=7, alpha=0.3, solid_capstyle="butt")
        drawn = []
        for bound, (marker, colour) in MARKS.items():
            known = [(row[keys[bound]] / row["regret"], y, row) for y, row in enumerate(rows) if row[keys[bound]]]
            text = bound_cells.TITLES.get(bound, "regret of ReTS*")
            size = {"ms": 13, "mew": 2.4} if marker == "|" else {"ms": 6}
            axes.plot([x for x, _, _ in known], [y for _, y, _ in known], marker, color=colour, label=text, **size)
            labels = [f"{text}: {number(r[keys[bound]])}, {x:.2f} times the regret {number(r['regret'])}"
                      for x, _, r in known]  # fmt: skip
            drawn.append(([x for x, _, _ in known], [y for _, y, _ in known], labels))
        axes.set_yticks(range(len(rows)), [f"K = {r['K']}, n = {r['n']:,}, σ/σ₀ = {r['σ/σ₀']:g}, a = {r['a']:g}"
                                           for r in rows])  # fmt: skip
        axes.tick_params(axis="y", length=0)
        axes.spines["left"].set_visible(False)
        plotting.decimal_ticks(axes.xaxis)
        fig.legend(loc="outside upper right", ncols=2)
        points = [point for x, y, labels in drawn for point in plotting.points(axes, x, y, labels)]
        return plotting.to_svg(fig, "bounds-optimality", TITLE), points


SECTIONS = (Section("bounds-optimality", "How far from optimal", "bounds", units, analyse),)
