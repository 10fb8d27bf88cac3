"""Every section on bounds at a small size: complete, deterministic panels whose findings agree with the numbers."""

from __future__ import annotations

import copy
import re
from collections.abc import Iterator, Sequence
from xml.etree import ElementTree

import numpy as np
import pytest
from scipy.special import ndtri

from reports.core import make
from reports.core.jobs import Options, Outcome, Section, Tools
from reports.core.panel import Panel
from reports.core.store import canonical, json_value
from reports.sections import coverage, optimality
from reports.sections.common import bounds_budget
from reports.sections.common.bounds_budget import (
    BoundsBudget,
    CoverageBudget,
    CurveBudget,
    SweepBudget,
    TwoArmsBudget,
    WaterfallBudget,
)

pytestmark = pytest.mark.xdist_group("bounds")  # one process: every section is computed once
SMALL = BoundsBudget(
    SweepBudget((0.5, 1.0, 2.0), (2, 5), (0.4,), 80, 20, (3,)),
    CurveBudget(5, 0.2, 0.5, 1.0, (1.0, 2.0), 100, 20, slow=2),
    WaterfallBudget(({"n_arms": 4, "horizon": 60, "sigma0_sq": 0.04, "sigma_sq": 0.25, "a": 1.0, "mu0": 1.0},), 20),
    CoverageBudget(4, 1.0, (10, 40), 300),
    5,
    20,
    TwoArmsBudget((2, 6), 200),
)

SECTIONS = make.choose(make.sections(), ["bounds"])


Made = tuple[Section, list[Outcome], Sequence[Panel]]


@pytest.fixture(scope="module")
def report() -> Iterator[dict[str, Made]]:
    """Every section with its outcomes and panels, computed once."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setitem(bounds_budget.BUDGETS, "quick", SMALL)
        patch.setattr(optimality, "SETTINGS", ((3, 50, 1.0, 1.0), (2, 20, 0.5, 0.5)))
        found = {}
        for section in SECTIONS:
            outcomes = [json_value(unit.run(unit.settings, Tools(executor=1))) for unit in section.units(Options())]
            found[section.name] = (section, outcomes, section.analyse(Options(), outcomes))
        yield found


def text(panel: Panel) -> str:
    return canonical(vars(panel) | {"table": vars(panel.table), "points": [vars(point) for point in panel.points]})


@pytest.mark.parametrize("name", [section.name for section in SECTIONS])
def test_section_gives_whole_panels(report: dict[str, Made], name: str) -> None:
    section, outcomes, panels = report[name]
    assert [text(panel) for panel in section.analyse(Options(), outcomes)] == [text(panel) for panel in panels]
    for panel in panels:
        assert panel.alerts == ()
        assert re.search(r"\d", panel.finding)
        assert panel.reproduce == f"python -m reports --only {name}"
        assert panel.table.rows
        if panel.svg:
            box = ElementTree.fromstring(panel.svg).attrib["viewBox"].split()
            assert all(0 <= point.x <= float(box[2]) and 0 <= point.y <= float(box[3]) for point in panel.points)


@pytest.mark.parametrize("name", ["bounds-curves", "bounds-optimality", "bounds-two-arms", "bounds-bernoulli"])
def test_rets_is_shown_beside_reucb(report: dict[str, Made], name: str) -> None:
    """In the picture and in the table."""
    for panel in report[name][2]:
        assert any("ReTS" in point.label for point in panel.points)
        assert any("ReTS" in column for column in panel.table.columns) or "ReTS" in str(panel.table.rows)


def test_ids_are_unique_over_the_report(report: dict[str, Made]) -> None:
    ids = [panel.id for _, _, panels in report.values() for panel in panels]
    assert len(set(ids)) == len(ids)


def test_exact_case_agrees_with_normality_and_a_wrong_variance_does_not() -> None:
    """K-S at 1e-6, 2000 runs: detects a distance of 0.06; at twice the predicted deviation the error is 0.16 off."""
    case = {"case": "exact", "n_arms": 4, "a": 1.0, "rounds": [10, 40], "runs": 2_000, "seed": 1}
    limit = coverage.critical(2_000, 1e-6)
    for seen in coverage.run(case, Tools())["rounds"]:
        assert max(seen["distance_fixed"], seen["distance_chosen"]) < limit
        assert np.max(np.abs(seen["quantiles_fixed"] - ndtri(coverage.LEVELS))) < 0.5
        doubled = np.sort(2 * np.asarray(seen["quantiles_fixed"]))
        reached = np.asarray([np.mean(doubled <= z) for z in ndtri(coverage.LEVELS)])
        assert np.max(np.abs(reached - coverage.LEVELS)) > limit


def test_alert_when_the_exact_case_is_not_normal(report: dict[str, Made]) -> None:
    outcomes = copy.deepcopy(report["bounds-coverage"][1])
    outcomes[0]["rounds"][0]["distance_fixed"] = 0.5
    (panel,) = coverage.analyse(Options(), outcomes)
    assert panel.alerts == (
        "the error is not N(0, 1) in round 10; reproduce: python -m reports --only bounds-coverage",
    )
