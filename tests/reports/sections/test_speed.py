"""The section on speed: the recorded measurement, and a new one when it is asked for by name."""

from __future__ import annotations

import json

import pytest

from reports.core.jobs import Options
from reports.sections import speed


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
