"""Recorded runs are those of today's code, and are read only if their digest is the recorded one."""

import hashlib
import io
import json

import numpy as np
import pytest

from tests.theory.experiments.movielens_files import full_size_copy
from theory.experiments import record
from theory.experiments.evidence import FILE, recorded
from theory.experiments.movielens.play import LABELS
from theory.experiments.settings import SETTINGS

# The evidence is what today's code gives: some recorded runs are played again and compared to the last bit kept.

SOME = ("gaussian-a/ReUCB", "gaussian-b/TS", "gaussian-c/ReUCB (anova)", "bernoulli-20/TS", "bernoulli-100/ReUCB*",
        "misspecified-a/TSm2", "misspecified-b/TSm", "misspecified-c/TS (Beta)", "ucb-family/ReUCB∞",
        "ucb-family/Bayes-UCB", "ucb-family/KL-UCB", "gaussian-a/UCB1")  # fmt: skip


@pytest.mark.parametrize("name", SOME)
@pytest.mark.parametrize(("first", "count"), [(0, 2), (4_997, 1)])
def test_recorded_runs_are_played_again_exactly(name, first, count):
    data = recorded()
    assert (data.about["seed"], data.about["horizon"]) == (record.SEED, record.HORIZON)
    kept = data.numbers[name][:, first : first + count]
    assert kept.dtype == np.float32
    np.testing.assert_array_equal(record.regrets(name, data.about["cells"][name], first, count), kept)


def test_runs_on_a_copy_of_movielens_are_recorded_without_its_data(tmp_path):
    arrays, about = record.real_movielens(full_size_copy(tmp_path), runs=2)
    assert about["files"].keys() == {"ratings.dat", "users.dat"}
    assert {array.shape for name, array in arrays.items() if name.startswith("real/curve/")} == {(2, record.CURVE)}
    for label in LABELS:
        np.testing.assert_allclose(arrays[f"real/{label}"].mean(), arrays[f"real/curve/{label}"][0, -1], rtol=1e-6)
    again, _ = record.real_movielens(tmp_path, runs=2)
    assert all(np.array_equal(array, again[name]) for name, array in arrays.items())


@pytest.mark.parametrize("policy", record.RETURNING)
def test_first_arms_are_followed_again_exactly(policy):
    data = recorded()
    cell = data.about["cells"][f"misspecified-a/{policy}"]
    np.testing.assert_array_equal(record.returns(cell, runs=50), data.numbers[f"again/{policy}"][:, :50])


def test_the_evidence_is_of_todays_settings_and_whole():
    data = recorded()
    assert data.about["cells"] == json.loads(json.dumps(record.cells()))
    movies = {name for label in LABELS for name in (f"real/{label}", f"real/curve/{label}")} | {"real/rounds"}
    timed = (*record.cells(), *(f"{x}/ReTS" for x in SETTINGS), *(f"movielens/{label}" for label in LABELS))
    assert set(data.numbers) == {*record.pieces(), *movies, *(f"seconds/{name}" for name in timed)}
    rows = {name: 2 if name in record.HALF else 1 for name in record.cells()}
    assert {name: data.numbers[name].shape for name in rows} == {x: (r, data.about["runs"]) for x, r in rows.items()}
    assert all(np.isfinite(values).all() for values in data.numbers.values())
    assert FILE.stat().st_size < 1_400_000


def test_writing_gives_the_same_bytes_for_the_same_numbers(tmp_path):
    numbers = {"x/y": np.arange(6, dtype=np.float32).reshape(2, 3)}
    for name in ("one.npz", "two.npz"):
        record.write(tmp_path / name, numbers, None)
    assert (tmp_path / "one.npz").read_bytes() == (tmp_path / "two.npz").read_bytes()
    assert sorted(p.name for p in tmp_path.iterdir()) == ["one.json", "one.npz", "two.json", "two.npz"]
    about = json.loads((tmp_path / "one.json").read_text(encoding="utf-8"))
    assert recorded(tmp_path / "one.npz").about == about


def test_an_interrupted_recording_resumes(tmp_path):
    """A finished piece is read from the folder, another program computes it again."""

    def refuse():
        raise AssertionError("played again")

    first = record.computed(tmp_path, "this program", "a piece", lambda: np.arange(3))
    np.testing.assert_array_equal(record.computed(tmp_path, "this program", "a piece", refuse), first)
    with pytest.raises(AssertionError, match="played again"):
        record.computed(tmp_path, "another program", "a piece", refuse)


# Recorded runs are read without pickle, and only if their digest is the recorded one.


def write(folder, arrays, sha256=None):
    buffer = io.BytesIO()
    np.savez(buffer, **arrays)
    path = folder / "runs.npz"
    path.write_bytes(buffer.getvalue())
    about = {"sha256": sha256 or hashlib.sha256(buffer.getvalue()).hexdigest()}
    path.with_suffix(".json").write_text(json.dumps(about))
    return path


def test_columns_by_name(tmp_path):
    data = recorded(write(tmp_path, {
        "s/p": np.array([[1, 2], [3, 4]], dtype=np.float32), "seconds/s/p": np.array([0.5]),
        "again/p": np.array([[1, -1, 0], [4, 5, 6]], dtype=np.int16)}))  # fmt: skip
    assert data.half("s/p").tolist() == [1, 2]
    assert data.final("s/p").tolist() == [3, 4]
    assert data.seconds("s/p").tolist() == [0.5]
    assert data.again("p").tolist() == [1, 0]
    assert data.distinct("p").tolist() == [4, 5, 6]


def test_other_numbers_than_those_vouched_for_are_refused(tmp_path):
    with pytest.raises(ValueError, match=r"SHA-256 is .* record both again"):
        recorded(write(tmp_path, {"s/p": np.zeros((2, 2))}, sha256="0" * 64))


def test_no_pickle(tmp_path):
    path = write(tmp_path, {"s/p": np.array([{"a": 1}], dtype=object)})
    with pytest.raises(ValueError, match="allow_pickle"):
        recorded(path)
