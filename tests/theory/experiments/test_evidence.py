"""Recorded runs are read without pickle, and only if their digest is the recorded one."""

import hashlib
import io
import json

import numpy as np
import pytest

from theory.experiments.evidence import recorded


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
