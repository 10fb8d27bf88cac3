"""The sweep over a, K and sigma0/sigma: every cell against every bound, with one error probability for all."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from reports.core.jobs import Options, Outcome, Unit
from reports.core.panel import Panel, Table
from reports.sections.common import bound_cells, bound_tests
from reports.sections.common.bound_tests import BoundTest
from reports.sections.common.bounded_bandits import LAWS
from reports.sections.common.bounds_budget import BUDGETS, ERROR
from reports.sections.sweep import pictures
from reports.sections.sweep.pictures import SHOWN


def units(options: Options) -> list[Unit]:
    sweep = BUDGETS[options.budget].sweep
    return [
        Unit(bound_cells.run, cell)
        for make in (bound_cells.gaussian, bound_cells.bounded)
        for cell in make(sweep, options.seed)
    ]


def analyse(options: Options, outcomes: Sequence[Outcome]) -> list[Panel]:
    tests = bound_tests.family([unit.settings for unit in units(options)], outcomes)
    return [_verdict_panel(options, tests), _ratio_panel(options, tests), _bounded_panel(options, tests)]


def record(test: BoundTest) -> dict[str, Any]:
    """One row of the table of tests."""
    model = {name: test.settings["model"][name] for name in ("n_arms", "sigma0_sq", "sigma_sq", "a")}
    numbers = {"regret": test.mean, "stderr": test.stderr, "bound": test.value, "ratio": test.ratio}
    verdict = "rejected" if test.rejected else "not rejected"
    about = {"law": test.settings["law"], "policy": test.settings["policy"], **model, "rounds": test.horizon}
    kind = {"covered": test.covered or test.bound == "exact", "vacuous": test.vacuous, "verdict": verdict}
    return about | {"against": test.bound} | numbers | {"random": test.random} | kind


def _verdict_panel(options: Options, tests: Sequence[BoundTest]) -> Panel:
    rejected = [test for test in tests if test.rejected]
    wrong = [test for test in tests if test.contradiction]
    proved = [test for test in tests if test.covered]
    later = [test for test in proved if test.horizon > test.settings["model"]["n_arms"]]
    closest = min((test for test in later if test.upper), key=lambda test: test.ratio)
    below = max((test for test in later if not test.upper), key=lambda test: test.ratio)
    rows = [record(test) for test in tests]
    last = max(test.horizon for test in tests)
    title = "Is the regret between its bounds? Every setting, every bound, every horizon"
    svg, points = pictures.draw_ranges("bounds-sweep", title, tests)
    return Panel(
        id="bounds-sweep",
        title=title,
        svg=svg,
        points=tuple(points),
        finding=(
            f"{len(tests):,} tests with one error probability of {ERROR:g} in total: {len(rejected)} rejected, of "
            f"which {len(wrong)} contradict something proved. The closest upper bound is {closest.ratio:.2f} times the "
            f"regret ({bound_cells.TITLES[closest.bound]}, n = {closest.horizon:,}), the closest lower bound "
            f"{below.ratio:.2f} times."
        ),
        table=Table.of([row for row in rows if row["rounds"] == last]),
        data={"tests": rows},
        notes=(
            "H0: Bayes regret <= upper bound (>= lower bound). Rejected when (mean - bound) / stderr exceeds the 1 - "
            "error/M quantile of Student's t, M the number of tests (Bonferroni), with the opposite sign for a lower "
            "bound. The bounds counting, least of ours and lower are tested at the last horizon.",
            "In the first K rounds the regret is compared from both sides with its exact value n E(max - mean).",
            "covered: the theorem applies to this policy (upper bounds: ReUCB*; lower bound: every policy), law and "
            "horizon. The printed bound for rewards in [0, 1] and the estimated variances of ReUCB are not covered by "
            "a valid proof; a rejection there is a finding.",
            "The table shows the last horizon; the data file has all.",
        ),
        reproduce=options.command("bounds-sweep"),
        alerts=bound_tests.alerts(tests),
    )


def _ratio_panel(options: Options, tests: Sequence[BoundTest]) -> Panel:
    sweep = BUDGETS[options.budget].sweep
    spread = 0.4
    chosen = [
        test
        for test in tests
        if test.settings["law"] == "gaussian" and test.settings["policy"] == "ReUCB*" and test.bound in SHOWN
        and test.horizon == sweep.horizon and np.isclose(test.settings["model"]["sigma0_sq"], spread**2)
    ]  # fmt: skip
    at = {(t.bound, t.settings["model"]["a"], t.settings["model"]["n_arms"]): t for t in chosen}
    title = f"Bound divided by regret: σ₀/σ = {spread:g}, n = {sweep.horizon:,}"
    svg, points = pictures.draw_heat_maps(title, sweep.a, sweep.n_arms, at)
    best = {bound: [t.ratio for t in chosen if t.bound == bound] for bound in SHOWN}
    empty = sum(t.vacuous for t in chosen if t.bound == "theorem1")
    return Panel(
        id="bounds-ratio",
        title=title,
        finding=(
            f"The printed bound is {min(best['theorem1']):.0f} to {max(best['theorem1']):.0f} times the regret and "
            f"vacuous in {empty} of {len(best['theorem1'])} cells; the best bound proved here "
            f"{min(best['combined']):.1f} to "
            f"{max(best['combined']):.0f} times."
        ),
        svg=svg,
        points=tuple(points),
        table=Table.of([record(test) for test in chosen]),
        data=[record(test) for test in chosen],
        notes=("* marks a vacuous bound (above random play). The printed bound needs a >= 1.",),
        reproduce=options.command("bounds-sweep"),
    )


def _bounded_panel(options: Options, tests: Sequence[BoundTest]) -> Panel:
    table = pictures.bounded_rows(tests)
    chosen = [test for _, row in table for test in row]
    title = f"Rewards in [0, 1]: K = {chosen[0].settings['model']['n_arms']}, n = {chosen[0].horizon:,}"
    svg, points = pictures.draw_bounded("bounds-bounded", title, table)
    repaired = [test for test in chosen if test.bound == "theorem2_repaired"]
    silent = sum(all(test.bound != "theorem2" for test in row) for _, row in table)
    return Panel(
        id="bounds-bounded",
        title=title,
        finding=(
            f"The printed bound for rewards in [0, 1] does not apply in {silent} of {len(table)} rows (a < m, as in "
            f"the paper's experiments); the repaired theorem is {min(t.ratio for t in repaired):.0f} to "
            f"{max(t.ratio for t in repaired):.0f} times the regret and vacuous in "
            f"{sum(t.vacuous for t in repaired)} of {len(repaired)} rows."
        ),
        svg=svg,
        points=tuple(points),
        table=Table.of([record(test) for test in chosen]),
        data=[record(test) for test in chosen],
        notes=tuple(
            f"{law.title}: σ₀² = {law.sigma0_sq:.4g}, σ² = {law.sigma_sq:.4g}; {law.why}." for law in LAWS.values()
        ),
        reproduce=options.command("bounds-sweep"),
    )
