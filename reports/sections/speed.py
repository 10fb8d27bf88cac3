"""Speed: ratios within one run of the benchmarks, from a recorded measurement or, asked for by name, a new one.

A measurement depends on the machine and the moment, so the page shows the one kept in `recorded/speed.json` (made by
`python -m benchmarks --json reports/recorded/speed.json`) and is the same wherever it is built. `--only speed`
measures again and writes `data/speed.json`; only that report is not reproducible.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from reports.core import plotting
from reports.core.jobs import Options, Outcome, Section, Unit
from reports.core.panel import HoverPoint, Panel, Table
from reports.core.plotting import INK, PALETTE, number

RECORDED = Path(__file__).parents[1] / "recorded" / "speed.json"
PARTS = ("kernels", "arms", "agents", "parallel", "import")
CURVES = {
    "known_ns": ("ReUCB*, simulated", PALETTE["blue"], "-"),
    "estimated_ns": ("ReUCB, simulated", PALETTE["orange"], "-"),
    "known_dense_ns": ("every arm every round", PALETTE["grey"], "--"),
    "known_agent_ns": ("ReUCB*, online agent", PALETTE["green"], ":"),
}


def units(options: Options) -> list[Unit]:
    return []


def record(options: Options) -> dict[str, Any]:
    """The recorded measurement, or a new one when speed was asked for by name."""
    if "speed" not in options.only:
        return dict(json.loads(RECORDED.read_bytes()))
    from benchmarks import __main__ as benchmarks

    parts = {name: list(benchmarks.PARTS[name][1](options.budget == "quick")) for name in PARTS}
    return {"machine": benchmarks.machine(), "quick": options.budget == "quick", **parts}


def analyse(options: Options, outcomes: Sequence[Outcome]) -> list[Panel]:
    found = record(options)
    title = "Time of a round, one core"
    svg, points = _draw("speed", title, found)
    kernels = [row for row in found["kernels"] if row["n_arms"] == 50]
    best = next(row for row in kernels if row["policy"] == "ReUCB*")
    arms = found["arms"]
    return [
        Panel(
            id="speed",
            title=title,
            finding=(
                f"A round of ReUCB* with 50 arms takes {best['numba_ns']:.0f} ns, {_versus_c(best)} and "
                f"{best['numpy_over_numba']:.1f} times faster than NumPy over many runs at once; with "
                f"{arms[-1]['n_arms']:,} arms it takes {arms[-1]['known_ns']:.0f} ns."
            ),
            svg=svg,
            points=tuple(points),
            table=Table.of([{name: row.get(name) for name in COLUMNS} for row in kernels]),
            data=found,
            notes=(
                f"Measured on {found['machine']['processor']}, {found['machine']['cores']} cores, load "
                f"{found['machine']['load']:.1f}" + (", quick." if found["quick"] else "."),
                "Ratios are taken within one run; times in nanoseconds depend on the machine. The page shows a "
                "recorded measurement. python -m reports --only speed measures again; only that report is not "
                "reproducible.",
            ),
            reproduce="python -m reports --only speed",
        )
    ]


COLUMNS = ("policy", "horizon", "runs", "numba_ns", "numpy_ns", "numpy_over_numba", "c_ns", "numba_over_c")


def _versus_c(row: dict[str, Any]) -> str:
    return "no C compiler" if row["numba_over_c"] is None else f"{row['numba_over_c']:.2f} times the time of C"


def _draw(name: str, title: str, found: dict[str, Any]) -> tuple[str, list[HoverPoint]]:
    arms, rows = found["arms"], [row for row in found["kernels"] if row["n_arms"] == 50]
    with plotting.figure(8.6, 3.8) as fig:
        left, right = fig.subplots(1, 2, width_ratios=(1.1, 1))
        left.set(xscale="log", yscale="log", xlabel="arms K", ylabel="nanoseconds per round")
        drawn = []
        for key, (text, colour, line) in CURVES.items():
            known = [(row["n_arms"], row[key]) for row in arms if row.get(key) is not None]
            x, y = [k for k, _ in known], [v for _, v in known]
            left.plot(x, y, line, color=colour, marker="o", ms=4, label=text)
            drawn.append((left, x, y, [f"{text}, K = {k:,}: {number(v)} ns" for k, v in known]))
        left.legend(loc="upper left")
        left.set_ylim(top=left.get_ylim()[1] * 12)
        right.set(xscale="log", xlabel="time / time of reucb", ylim=(len(rows) - 0.5, -0.5))
        right.axvline(1, color=INK, lw=1)
        right.set_yticks(range(len(rows)), [row["policy"] for row in rows])
        right.tick_params(axis="y", length=0)
        for text, colour, ratio in (("C", PALETTE["red"], _c_ratio), ("NumPy", PALETTE["purple"], _numpy_ratio)):
            known = [(ratio(row), y) for y, row in enumerate(rows) if ratio(row) is not None]
            x, y = [value for value, _ in known], [place for _, place in known]
            right.plot(x, y, "o", color=colour, label=text)
            drawn.append((right, x, y, [f"{rows[i]['policy']}: {text} takes {value:.2f} times" for value, i in known]))
        right.legend(loc="lower center", bbox_to_anchor=(0.5, 1.0), ncols=2)
        points = [point for axes, x, y, labels in drawn for point in plotting.points(axes, x, y, labels)]
        return plotting.to_svg(fig, name, title), points


def _c_ratio(row: dict[str, Any]) -> float | None:
    return None if row["numba_over_c"] is None else 1 / row["numba_over_c"]


def _numpy_ratio(row: dict[str, Any]) -> float | None:
    return None if row["numpy_over_numba"] is None else float(row["numpy_over_numba"])


SECTIONS = (Section("speed", "Speed", "speed", units, analyse),)
