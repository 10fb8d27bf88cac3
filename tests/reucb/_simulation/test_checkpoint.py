"""A checkpoint counts complete chunks only, and rejects damaged files and those of other simulations."""

import errno
import hashlib
import json
import re
import struct

import numpy as np
import pytest

from reucb._simulation import checkpoint
from reucb._simulation.checkpoint import MAGIC, Checkpoint

SETTINGS = {"horizon": 10, "policy": {"name": "UCB1", "sigma_sq": 0.25}, "rounds": list(range(100))}
ROWS = np.random.default_rng(0).normal(size=(10, 3))


def opened(path, settings=SETTINGS, chunk=4):
    return Checkpoint(path, settings, runs=10, width=3, chunk=chunk)


def filled(path, *firsts):
    with opened(path) as kept:
        for first in firsts:
            kept.store(first, ROWS[first : first + 4])
    return path.read_bytes()


def contents(path):
    with opened(path) as kept:
        return {first: rows.tolist() for first, rows in kept.done()}


def test_chunks_are_read_back_bit_for_bit_in_any_order(tmp_path):
    filled(tmp_path / "c", 8, 0)
    assert contents(tmp_path / "c") == {0: ROWS[:4].tolist(), 8: ROWS[8:].tolist()}
    filled(tmp_path / "c", 4)
    assert sorted(contents(tmp_path / "c")) == [0, 4, 8]


def test_the_file_keeps_its_own_chunks(tmp_path):
    filled(tmp_path / "c", 4)
    with opened(tmp_path / "c", chunk=7) as kept:
        assert kept.chunks == [(0, 4), (4, 4), (8, 2)]


def test_rows_that_are_no_chunk_are_refused(tmp_path):
    with opened(tmp_path / "c") as kept, pytest.raises(ValueError, match=r"runs 2\.\.5 are not a chunk"):
        kept.store(2, ROWS[2:6])
    assert contents(tmp_path / "c") == {}


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"horizon": 11}, "horizon is 10 there and 11 here"),
        ({"policy": {"name": "UCB1", "sigma_sq": 0.5}}, "policy.sigma_sq is 0.25 there and 0.5 here"),
        ({"policy": {"name": "KLUCB"}}, "policy.name"),
        ({"rounds": list(range(99))}, "rounds"),
        ({"extra": 1}, "extra is null there and 1 here"),
    ],
)
def test_other_settings_are_refused_by_name_and_the_file_is_unchanged(tmp_path, change, words):
    before = filled(tmp_path / "c", 0)
    with pytest.raises(ValueError, match="another simulation: " + re.escape(words)):
        opened(tmp_path / "c", {**SETTINGS, **change})
    assert (tmp_path / "c").read_bytes() == before


def test_every_truncation_is_reported(tmp_path):
    whole = filled(tmp_path / "c", 0, 4, 8)
    for length in range(len(whole)):
        (tmp_path / "c").write_bytes(whole[:length])
        with pytest.raises(ValueError, match=r"damaged|not a reucb checkpoint"):
            opened(tmp_path / "c")
    (tmp_path / "c").write_bytes(whole + b"\0")
    with pytest.raises(ValueError, match="damaged"):
        opened(tmp_path / "c")


def test_every_flipped_byte_is_reported(tmp_path):
    whole = filled(tmp_path / "c", 0, 4, 8)
    for place in range(len(whole)):
        (tmp_path / "c").write_bytes(whole[:place] + bytes([whole[place] ^ 1]) + whole[place + 1 :])
        with pytest.raises(ValueError, match=r"damaged|not a reucb checkpoint"):
            contents(tmp_path / "c")


def test_a_kill_before_the_checksum_leaves_the_chunk_undone(tmp_path):
    """The bytes of a store cut off at any point: the chunk does not count, the others do."""
    before, after = filled(tmp_path / "c", 0), filled(tmp_path / "c", 4)
    changed = [place for place in range(len(before)) if before[place] != after[place]]
    rows = [place for place in changed if place >= len(before) - 10 * 3 * 8]  # written first
    assert rows
    for cut in range(len(rows) + 1):
        torn = bytearray(before)
        for place in rows[:cut]:
            torn[place] = after[place]
        (tmp_path / "c").write_bytes(torn)
        assert list(contents(tmp_path / "c")) == [0]


@pytest.mark.parametrize("content", [b"", b"reucb", b"something else entirely"])
def test_a_foreign_file_is_refused_and_kept(tmp_path, content):
    (tmp_path / "c").write_bytes(content)
    with pytest.raises(ValueError, match="not a reucb checkpoint"):
        opened(tmp_path / "c")
    assert (tmp_path / "c").read_bytes() == content


def test_a_missing_folder_is_reported(tmp_path):
    with pytest.raises(FileNotFoundError, match=r"cannot write 'c': no such folder: '.*/no'"):
        opened(tmp_path / "no" / "c")


def test_a_dangling_link_is_refused_and_kept(tmp_path):
    (tmp_path / "c").symlink_to(tmp_path / "nothing")
    with pytest.raises(ValueError, match="symbolic link to a file that does not exist"):
        opened(tmp_path / "c")
    assert (tmp_path / "c").is_symlink()
    assert not (tmp_path / "nothing").exists()


@pytest.mark.parametrize("header", [[], {}, {"settings": 1, "chunk": 1}, {"settings": {}, "chunk": 0}, {"chunk": 4}])
def test_a_forged_header_with_a_right_checksum_is_damaged(tmp_path, header):
    text = json.dumps(header).encode()
    start = MAGIC + struct.pack("<Q", len(text)) + text
    (tmp_path / "c").write_bytes(start + hashlib.sha256(start).digest())
    with pytest.raises(ValueError, match="damaged: its header is not one that this package writes"):
        opened(tmp_path / "c")


def test_of_two_settings_on_one_new_path_only_one_is_accepted(tmp_path, monkeypatch):
    """Another process creates the file between the check and the creation."""
    create = checkpoint._create

    def slow(path, header):
        monkeypatch.setattr(checkpoint, "_create", create)
        filled(path, 0)
        create(path, header)

    monkeypatch.setattr(checkpoint, "_create", slow)
    with pytest.raises(ValueError, match="another simulation: horizon is 10 there and 11 here"):
        opened(tmp_path / "c", {**SETTINGS, "horizon": 11})
    assert contents(tmp_path / "c") == {0: ROWS[:4].tolist()}


def test_a_full_disk_names_the_file(tmp_path):
    class Full:
        def seek(self, place):
            pass

        def write(self, data):
            raise OSError(errno.ENOSPC, "No space left on device")

    with opened(tmp_path / "c") as kept:
        whole, kept._file = kept._file, Full()
        with pytest.raises(OSError, match=r"No space left on device: '.*/c'"):
            kept.store(0, ROWS[:4])
        kept._file = whole
