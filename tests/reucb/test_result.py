"""A result is exact statistics of the runs, and its file is exact or refused."""

import errno
import io
import json
import statistics

import numpy as np
import pytest

import reucb
from reucb import files
from reucb.result import Result, summarise

ROUNDS = np.array([1, 5, 9])


def example(runs=7):
    curves = np.random.default_rng(3).gamma(2.0, size=(runs, 3)).cumsum(axis=1)
    return curves, summarise(ROUNDS, curves, curves[:, -1], {"horizon": 9, "seed": 2**70}, {"reucb": "0"})


def test_statistics_match_exact_sums():
    curves, result = example()
    for column in range(3):
        values = curves[:, column].tolist()
        # a mean of 7 numbers by naive summation is off by a few units in the last place
        assert result.mean[column] == pytest.approx(statistics.fmean(values), rel=1e-14)
        assert result.stderr[column] == pytest.approx(statistics.stdev(values) / 7**0.5, rel=1e-13)
        cuts = statistics.quantiles(values, n=20, method="inclusive")
        assert result.quantiles[:, column] == pytest.approx([cuts[i] for i in (0, 4, 9, 14, 18)], rel=1e-13)
    assert result.final.tolist() == curves[:, -1].tolist()


def test_one_run_has_no_standard_error():
    curves, result = example(runs=1)
    assert np.isnan(result.stderr).all()
    assert result.mean.tolist() == curves[0].tolist()


def test_a_result_cannot_be_changed():
    _, result = example()
    with pytest.raises(ValueError, match="read-only"):
        result.mean[0] = 0.0
    with pytest.raises(AttributeError):
        result.mean = result.stderr


@pytest.mark.parametrize("runs", [1, 7])
def test_save_and_load_are_exact(tmp_path, runs):
    _, result = example(runs)
    result.save(tmp_path / "result")
    again = reucb.Result.load(tmp_path / "result")
    assert again.digest() == result.digest()
    assert again.settings == result.settings
    assert again.versions == result.versions
    assert [path.name for path in tmp_path.iterdir()] == ["result"]


def test_the_digest_tells_the_last_bit_apart():
    _, result = example()
    nudged = np.nextafter(result.final, np.inf)
    fields = {name: getattr(result, name) for name in Result.ARRAYS} | {"final": nudged}
    assert Result(**fields, settings=result.settings, versions={}).digest() != result.digest()


def test_damage_is_refused_or_harmless(tmp_path):
    """Every truncation is refused; a flipped bit is refused or touches nothing that is read."""
    _, result = example()
    result.save(tmp_path / "whole.npz")
    whole = (tmp_path / "whole.npz").read_bytes()
    path = tmp_path / "damaged.npz"
    for length in range(0, len(whole), 37):
        path.write_bytes(whole[:length])
        with pytest.raises(ValueError, match="not a valid reucb result"):
            Result.load(path)
    refused = 0
    for place in range(0, len(whole), 11):
        path.write_bytes(whole[:place] + bytes([whole[place] ^ 16]) + whole[place + 1 :])
        try:
            assert Result.load(path).digest() == result.digest()
        except ValueError:
            refused += 1
    assert refused > len(whole) // 11 // 2


def npz(**arrays):
    stream = io.BytesIO()
    np.savez(stream, **arrays)
    return stream.getvalue()


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"hello",
        npz(x=np.arange(3)),
        npz(about=np.array([{}], dtype=object)),
        npz(
            about=np.frombuffer(json.dumps({"format": "reucb-result-99"}).encode(), np.uint8),
            **dict.fromkeys(Result.ARRAYS, np.zeros(1)),
        ),
    ],
)
def test_other_files_are_refused(tmp_path, content):
    (tmp_path / "other").write_bytes(content)
    with pytest.raises(ValueError, match="other is not a valid reucb result"):
        Result.load(tmp_path / "other")


def test_a_missing_file_is_said_to_be_missing(tmp_path):
    with pytest.raises(FileNotFoundError):
        Result.load(tmp_path / "nothing")


@pytest.mark.parametrize("path", [1, True, None, b"result.npz"])
def test_a_number_is_no_path(path):
    """`open` takes an integer for a file descriptor, and closes it: 1 is the standard output."""
    with pytest.raises(TypeError, match=r"path = .*: must be the path of a file"):
        Result.load(path)
    with pytest.raises(TypeError, match=r"path = .*: must be the path of a file"):
        example()[1].save(path)


def test_an_interrupted_save_leaves_the_old_file(tmp_path, monkeypatch):
    _, result = example()
    (tmp_path / "kept").write_text("old")

    def full(*_):
        raise OSError(errno.ENOSPC, "no space left")

    monkeypatch.setattr(files.os, "fsync", full)
    with pytest.raises(OSError, match=r"no space left.*/kept"):
        result.save(tmp_path / "kept")
    assert [path.name for path in tmp_path.iterdir()] == ["kept"]
    assert (tmp_path / "kept").read_text() == "old"
