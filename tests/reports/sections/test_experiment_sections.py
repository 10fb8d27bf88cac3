"""Every section on experiments and on speed: complete, deterministic panels that agree with the numbers."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from xml.etree import ElementTree

import numpy as np
import pytest

import reucb
from reports.core import make
from reports.core.cli import main
from reports.core.jobs import Options, Tools
from reports.core.store import canonical, json_value
from reports.sections import more_arms, run_times, speed
from reports.sections.common import experiments
from reports.sections.common.experiments import BUDGETS, COLOURS
from reports.sections.paper_panels import finding
from reports.sections.variance_estimators import comparison, early_estimates
from reucb.engine import PRIOR, REWARDS, stream
from tests.theory.experiments.movielens_files import full_size_copy, write_1m
from theory.experiments.evidence import recorded
from theory.experiments.settings import SETTINGS

pytestmark = pytest.mark.xdist_group("experiments")  # one process: every section is computed once
SMALL = replace(BUDGETS["quick"], horizon=400, runs=4, movielens_runs=3, method_runs=3, estimator_runs=3,
                early_horizon=300)  # fmt: skip

SECTIONS = make.choose(make.sections(), ["experiments"])


class FewerRuns:
    """The first of the recorded runs: estimates are made again for each of them."""

    def __init__(self):
        self.about = {**recorded().about, "runs": 150}

    def final(self, name):
        return recorded().final(name)[: self.about["runs"]]


@pytest.fixture(scope="module")
def made():
    """Every section with its outcomes and panels, computed once."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setitem(experiments.BUDGETS, "quick", SMALL)
        patch.setattr(early_estimates, "recorded", FewerRuns)
        patch.setattr(more_arms, "SIZES", ((30, 30), (200, 30), (20, 80)))
        found = {}
        for section in SECTIONS:
            outcomes = [json_value(unit.run(unit.settings, Tools(executor=1))) for unit in section.units(Options())]
            found[section.name] = section, outcomes, section.analyse(Options(), outcomes)
        yield found


@pytest.mark.parametrize("name", [section.name for section in SECTIONS])
def test_panels_are_whole(made, name):
    section, outcomes, panels = made[name]
    again = section.analyse(Options(), outcomes)
    assert [canonical(p.data) + p.svg for p in again] == [canonical(p.data) + p.svg for p in panels]
    for panel in panels:
        assert re.search(r"\d", panel.finding)
        assert panel.notes
        assert "python -m reports" in panel.reproduce
        assert panel.table.rows
        if panel.svg:
            _, _, width, height = map(float, ElementTree.fromstring(panel.svg).attrib["viewBox"].split())
            assert panel.points
            assert all(0 <= p.x <= width and 0 <= p.y <= height for p in panel.points)


def test_recorded_runs_on_movielens_are_called_so(made):
    (panel,) = made["movielens"][2]
    assert "ml-100k" in panel.title
    assert "recorded" in panel.title


BESIDE = ("movielens", "variance-methods", "variance-many-arms", "more-arms", "wrong-spread", "run-times", *SETTINGS)


@pytest.mark.parametrize("name", BESIDE)
def test_rets_is_shown_beside_reucb(made, name):
    """In the picture and in the table."""
    panel = next(p for _, _, panels in made.values() for p in panels if p.id == name)
    assert any("ReTS" in point.label for point in panel.points)
    assert any("ReTS" in str(row) for row in panel.table.rows)


def test_every_policy_has_a_colour_and_within_a_panel_its_own():
    for setting in SETTINGS.values():
        used = [COLOURS[label] for label in setting.policies]
        assert len(set(used)) == len(used), setting.name


def test_the_order_is_stated_only_where_it_is_significant():
    rng = np.random.default_rng(0)
    base = rng.normal(100, 10, 200)
    outcomes = {name: {"final": values, "mean": [values.mean()]} for name, values in
                {"near": base + rng.normal(0.1, 5, 200), "far": base * 2, "first": base}.items()}  # fmt: skip
    assert re.fullmatch(r"Final regret: (near|first) [\d.]+ ≈ (near|first) [\d.]+ < far [\d.]+\.", finding(outcomes))


def test_the_reference_is_compared_with_itself_exactly():
    question = experiments.Question(
        "q", "gaussian-a", {"x": reucb.UCB1(sigma_sq=1.0), "y": reucb.UCB1(sigma_sq=2.0)}, "y"
    )
    x, y = experiments.rows([question], [{"final": [2.0, 4.0, 3.0]}, {"final": [1.0, 2.0, 1.5]}])
    assert (x.against.ratio, y.against.ratio, y.against.low, y.against.high) == (pytest.approx(2.0), 1.0, 1.0, 1.0)
    assert y.record("question", "choice")["regret"] == 1.5


def test_early_estimates_are_those_the_policy_acts_on():
    """The replayed estimate at the last round is the one inside an agent that is fed the same arms and rewards."""
    name, horizon = "gaussian-a", 120
    for method in early_estimates.METHODS:
        asked = {"setting": name, "method": method, "horizon": horizon, "seed": 3}
        (replayed,) = early_estimates.estimates(asked, 2, np.array([horizon]))
        bandit = SETTINGS[name].bandit
        agent = reucb.ReUCB(a=1.0, method=method).start(bandit.n_arms)
        mu, noise = bandit.draw(stream(3, 2, PRIOR)), stream(3, 2, REWARDS)
        for _ in range(horizon):
            arm = agent.select()
            agent.update(arm, float(mu[arm] + 0.5 * noise.standard_normal()))
        fit = agent.fit()
        floor = fit.sigma_sq / horizon
        assert max(replayed, floor) == pytest.approx(fit.sigma0_sq, rel=1e-9)


def test_runs_are_split_by_their_early_estimate(made):
    """Both parts together are all these runs, and their mean is the recorded one."""
    (panel,) = made["zero-estimates"][2]
    for name, zero, other in zip(("gaussian-a", "gaussian-c"), panel.data[::2], panel.data[1::2], strict=True):
        final = FewerRuns().final(f"{name}/ReUCB (anova)")
        assert zero["runs"] + other["runs"] == len(final)
        total = sum(row["runs"] * row["mean regret"] for row in (zero, other))
        assert total / len(final) == pytest.approx(final.mean(), abs=0.1)


def test_run_times_are_the_recorded_ones():
    kept = recorded().seconds("gaussian-a/ReUCB")
    assert run_times.milliseconds("gaussian-a", "ReUCB") == round(1e3 * float(np.median(kept)), 3)
    assert run_times.milliseconds("gaussian-a", "nobody") is None
    assert run_times.ratios()["the paper (R)"]["TS"] == pytest.approx(2.75)


def test_estimators_are_compared_in_every_setting_that_estimates():
    assert len(comparison.QUESTIONS) == len({q.title for q in comparison.QUESTIONS}) == 8


def test_the_command_names_the_line_and_leaves_the_page(tmp_path, capsys):
    folder = write_1m(tmp_path, ["1::x::5::9"], ["1::F::25::7::1"])
    out = tmp_path / "out"
    out.mkdir()
    (out / "index.html").write_text("the last page")
    assert main(["--only", "movielens", "--movielens", str(folder), "--out", str(out)]) == 1
    assert (
        "ratings.dat:1: movie 'x': must be a whole number of at most 18 digits; the last page is unchanged"
        in capsys.readouterr().err
    )
    assert (out / "index.html").read_text() == "the last page"


def test_kept_results_do_not_name_the_folder(tmp_path, monkeypatch):
    """Two copies of the same data in different folders share their results; the path is in no file."""
    monkeypatch.setitem(experiments.BUDGETS, "quick", replace(BUDGETS["quick"], horizon=200, movielens_runs=2))
    out = tmp_path / "out"
    kept = []
    for name in ("here", "there"):
        (tmp_path / name).mkdir()
        folder = full_size_copy(tmp_path / name)
        assert main(["--only", "movielens", "--movielens", str(folder), "--out", str(out)]) == 0
        kept.append({path.name for path in (out / "data" / "units").iterdir()})
    assert kept[0] == kept[1]
    assert not [path for path in out.rglob("*.json") if str(tmp_path).encode() in path.read_bytes()]


def test_panel_shows_the_recorded_numbers() -> None:
    (panel,) = speed.analyse(Options(), [])
    recorded = json.loads(speed.RECORDED.read_bytes())
    row = next(row for row in recorded["kernels"] if row["policy"] == "ReUCB*")
    assert f"{row['numba_ns']:.0f} ns" in panel.finding
    assert panel.data == recorded
    assert len(panel.table.rows) == sum(row["n_arms"] == 50 for row in recorded["kernels"])


def test_asked_for_by_name_it_measures(monkeypatch: pytest.MonkeyPatch) -> None:
    from benchmarks import __main__ as benchmarks

    recorded = json.loads(speed.RECORDED.read_bytes())
    asked = []

    def measured(name: str) -> object:
        return "title", lambda quick: asked.append((name, quick)) or recorded[name]

    monkeypatch.setattr(benchmarks, "PARTS", {name: measured(name) for name in speed.PARTS})
    (panel,) = speed.analyse(Options(only=("speed",)), [])
    assert asked == [(name, True) for name in speed.PARTS]
    assert panel.data["kernels"] == recorded["kernels"]
