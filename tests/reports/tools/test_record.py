"""The evidence is what today's code gives: some recorded runs are played again and compared to the last bit kept."""

import json

import numpy as np
import pytest

from reports.core.jobs import Tools
from reports.core.store import json_value
from reports.sections.movielens import experiment
from reports.tools import record
from reucb.engine import run_block
from reucb.policies import policy_from
from theory.experiments.evidence import recorded

SOME = ("gaussian-a/ReUCB", "gaussian-b/TS", "gaussian-c/ReUCB (anova)", "bernoulli-20/TS", "bernoulli-100/ReUCB*",
        "misspecified-a/TSm2", "misspecified-b/TSm", "misspecified-c/TS (Beta)", "ucb-family/ReUCB∞",
        "ucb-family/Bayes-UCB", "ucb-family/KL-UCB", "gaussian-a/UCB1")  # fmt: skip


@pytest.mark.parametrize("name", SOME)
@pytest.mark.parametrize(("first", "count"), [(0, 2), (4_997, 1)])
def test_recorded_runs_are_played_again_exactly(name, first, count):
    data = recorded()
    cell, horizon = data.about["cells"][name], data.about["horizon"]
    bandit = record.SETTINGS[cell["setting"]].bandit
    marks = np.array([horizon // 2, horizon])
    found = run_block(bandit, policy_from(cell["policy"]), horizon, marks, data.about["seed"], first, count)
    kept = data.numbers[name][:, first : first + count]
    assert kept.dtype == np.float32
    np.testing.assert_array_equal(record.column(name, {"half": found[:, 0], "final": found[:, 1]}), kept)


def test_the_stand_in_is_played_again_exactly():
    data = recorded()
    for unit in experiment.stand_in_units(data.about["seed"], data.about["horizon"], data.about["movielens"]["runs"]):
        short = {**unit.settings, "runs": 2}
        # the rows are drawn together, so fewer runs are the first of them
        outcome = experiment.play(short, Tools())
        name = f"movielens/{unit.settings['label']}"
        np.testing.assert_array_equal(record.column(name, outcome), data.numbers[name][:, :2])


@pytest.mark.parametrize("policy", record.AGAIN)
def test_first_arms_are_followed_again_exactly(policy):
    data = recorded()
    cell = data.about["cells"][f"misspecified-a/{policy}"]
    outcome = record.again({**cell, "runs": 50, "seed": data.about["seed"], "horizon": data.about["horizon"]})
    name = f"again/{policy}"
    np.testing.assert_array_equal(record.column(name, outcome), data.numbers[name][:, :50])


def test_the_evidence_is_of_todays_settings_and_whole():
    data = recorded()
    assert data.about["cells"] == json_value(record.cells())
    wanted = {*record.units(), *(f"seconds/{name}" for name in (*record.cells(), "movielens/ReUCB", "movielens/TS"))}
    assert wanted <= set(data.numbers)
    rows = {name: 2 if name in record.HALF else 1 for name in record.cells()}
    assert {name: data.numbers[name].shape for name in rows} == {x: (r, data.about["runs"]) for x, r in rows.items()}
    assert all(np.isfinite(values).all() for values in data.numbers.values())
    assert record.EVIDENCE.stat().st_size < 1_000_000


def test_writing_gives_the_same_bytes_for_the_same_numbers(tmp_path):
    numbers = {"x/y": np.arange(6, dtype=np.float32).reshape(2, 3)}
    for name in ("one.npz", "two.npz"):
        record.write(tmp_path / name, numbers)
    assert (tmp_path / "one.npz").read_bytes() == (tmp_path / "two.npz").read_bytes()
    assert sorted(p.name for p in tmp_path.iterdir()) == ["one.json", "one.npz", "two.json", "two.npz"]
    about = json.loads((tmp_path / "one.json").read_text(encoding="utf-8"))
    assert recorded(tmp_path / "one.npz").about == about


def test_a_stopped_recording_goes_on(tmp_path, monkeypatch):
    """Finished pieces are not played again: the second time every function is out of order."""

    def refuse(settings, tools=None):
        raise AssertionError("played again")

    name = "gaussian-a/UCB1"
    unit = record.Unit(record.regrets, {**record.cells()[name], "horizon": 60, "runs": 3, "seed": 1})
    store = record.Store(tmp_path)
    first = record.column(name, store.compute(unit, Tools()))
    monkeypatch.setattr(record, "run_block", refuse)
    np.testing.assert_array_equal(record.column(name, store.compute(unit, Tools())), first)
