"""Stored results are used; damaged ones and those of another version of a program are computed again."""

from __future__ import annotations

import json
import math
import os
from pathlib import Path

import numpy as np
import pytest

from reports.core import make, store
from reports.core.jobs import Outcome, Settings, Tools, Unit
from reports.core.store import Store, canonical, json_value, key

CALLS: list[Settings] = []


def squares(settings: Settings, tools: Tools) -> Outcome:
    CALLS.append(settings)
    return {"x": np.arange(settings["n"]) ** 2, "third": 1 / 3, "none": None}


def broken(settings: Settings, tools: Tools) -> Outcome:
    return {"x": math.nan}


@pytest.fixture(autouse=True)
def _no_calls() -> None:
    CALLS.clear()


def test_result_is_computed_once_and_reads_back_exactly(tmp_path: Path) -> None:
    unit, kept = Unit(squares, {"n": 4}), Store(tmp_path)
    first = kept.compute(unit, Tools())
    assert first == {"x": [0, 1, 4, 9], "third": 1 / 3, "none": None}
    assert Store(tmp_path).compute(unit, Tools()) == first
    assert len(CALLS) == 1


@pytest.mark.parametrize("damage", [b"", b"{", b"[]", b'{"result": 1}', None], ids=repr)
def test_damaged_result_is_computed_again(tmp_path: Path, damage: bytes | None) -> None:
    unit, kept = Unit(squares, {"n": 3}), Store(tmp_path)
    whole = kept.compute(unit, Tools())
    bytes_before = kept.path(unit).read_bytes()
    kept.path(unit).write_bytes(bytes_before.replace(b"[0,1,4]", b"[0,1,5]") if damage is None else damage)
    assert kept.compute(unit, Tools()) == whole
    assert len(CALLS) == 2
    assert kept.path(unit).read_bytes() == bytes_before


def test_key_follows_settings_function_versions_and_sources(monkeypatch: pytest.MonkeyPatch) -> None:
    unit = Unit(squares, {"n": 3, "seed": 0})
    seen = {key(unit), key(Unit(broken, unit.settings)), key(Unit(squares, {"n": 3, "seed": 1}))}
    assert key(Unit(squares, {"seed": 0, "n": 3})) in seen
    monkeypatch.setattr(store, "versions", lambda: {"numpy": "0"})
    seen.add(key(unit))
    monkeypatch.setattr(store, "source_digest", lambda module: "changed")
    assert len(seen | {key(unit)}) == 5


def test_key_covers_the_modules_a_unit_uses() -> None:
    assert "reports.core.panel" in store.modules_used(make.__name__)
    assert "reports.core.store" in store.modules_used(make.__name__)


def test_refused_result_leaves_nothing(tmp_path: Path) -> None:
    kept = Store(tmp_path)
    with pytest.raises(ValueError, match="finite"):
        kept.compute(Unit(broken, {}), Tools())
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("value", [math.inf, -math.inf, [math.nan], {"a": np.array([1.0, np.inf])}], ids=repr)
def test_json_value_refuses_what_json_cannot_represent(value: object) -> None:
    with pytest.raises(ValueError, match="finite"):
        json_value(value)


def test_json_value_refuses_other_types_by_name() -> None:
    with pytest.raises(TypeError, match="complex"):
        json_value({"z": 1j})


def test_canonical_text_is_read_back_bit_for_bit() -> None:
    values = np.random.default_rng(0).standard_normal(200) * 10.0 ** np.arange(-100, 100)
    assert np.array_equal(json.loads(canonical(values)), values)


def test_write_failing_half_way_leaves_the_old_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "page"
    store.write_file(path, b"old")

    def full(handle: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(OSError, match="No space"):
        store.write_file(path, b"new")
    assert [file.read_bytes() for file in tmp_path.iterdir()] == [b"old"]


def test_sweep_removes_only_what_dead_processes_left(tmp_path: Path) -> None:
    dead = os.fork()
    if dead == 0:
        os._exit(0)
    os.waitpid(dead, 0)
    for name in (f".a.json.{dead}-00ff.tmp", f".b.json.{os.getpid()}-00ff.tmp", ".c.tmp", "d.json"):
        (tmp_path / name).write_bytes(b"")
    store.remove_leftovers(tmp_path)
    assert sorted(path.name.strip(".")[0] for path in tmp_path.iterdir()) == ["b", "c", "d"]


def test_write_survives_a_sweep_from_another_machine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    replace, swept = os.replace, []

    def sweep_once(source: Path, target: Path) -> None:
        if not swept:
            swept.append(source)
            Path(source).unlink()
        replace(source, target)

    monkeypatch.setattr(os, "replace", sweep_once)
    store.write_file(tmp_path / "page", b"new")
    assert [file.read_bytes() for file in tmp_path.iterdir()] == [b"new"]


def test_write_into_no_folder_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError):
        store.write_file(tmp_path / "missing" / "page", b"new")
