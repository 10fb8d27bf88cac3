"""Run times of every algorithm as recorded with the evidence, so that a report does not depend on when it is made."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from reports.core import plotting
from reports.core.jobs import Options, Outcome, Section, Unit
from reports.core.panel import Cell, HoverPoint, Panel, Table
from reports.core.plotting import PALETTE
from reports.sections.common.experiments import COLOURS
from theory.experiments.evidence import recorded

PAPER = {"ReUCB": 1.27, "UCB1": 1.16, "TS": 3.19}  # seconds per run on gaussian-a, in R
TITLE = "Run time per run, compared with the paper"
REPRODUCE = "python -m theory.experiments.record --only-times; python -m reports --only run-times"
NOTES = (
    "recorded by `python -m theory.experiments.record`: CPU time of one thread, policies taking turns; never measured "
    "while a report is made",
    "the paper: 1.27 s (ReUCB), 1.16 s (UCB1), 3.19 s (TS) per run with means N(1, 0.04), K = 50, 10,000 rounds, in R",
)


def milliseconds(setting: str, policy: str) -> float | None:
    """The median recorded run time, in thousandths of a second."""
    name = f"seconds/{setting}/{policy}"
    numbers = recorded().numbers
    return round(1e3 * float(np.median(numbers[name])), 3) if name in numbers else None


def units(options: Options) -> list[Unit]:
    return []


def analyse(options: Options, outcomes: Sequence[Outcome]) -> list[Panel]:
    names = [name.removeprefix("seconds/").split("/", 1) for name in recorded().numbers if name.startswith("seconds/")]
    table: list[dict[str, Cell]] = []
    for setting, policy in names:
        ours, base = milliseconds(setting, policy), milliseconds(setting, "ReUCB")
        table.append({"setting": setting, "policy": policy, "ms per run": ours,
                      "relative to ReUCB": round(ours / base, 3) if ours and base else None})  # fmt: skip
    svg, points = draw()
    return [Panel("run-times", TITLE, finding(), svg, tuple(points), Table.of(table), data=table, notes=NOTES,
                  reproduce=REPRODUCE)]  # fmt: skip


def ratios() -> dict[str, dict[str, float]]:
    """Run time over that of UCB1 on gaussian-a: the paper's and ours."""
    here = {
        label: float(np.median(recorded().seconds(f"gaussian-a/{label}")))
        for label in ("ReUCB", "ReUCB*", "ReTS", "TS", "UCB1")
    }
    return {"the paper (R)": {label: seconds / PAPER["UCB1"] for label, seconds in PAPER.items()},
            "here (compiled)": {label: seconds / here["UCB1"] for label, seconds in here.items()}}  # fmt: skip


def finding() -> str:
    paper, here = ratios().values()
    return (
        f"ReUCB takes {here['ReUCB']:.2f} times the time of UCB1 here ({paper['ReUCB']:.2f} in the paper) and "
        f"{here['ReUCB'] / here['TS']:.2f} times that of Thompson sampling ({paper['ReUCB'] / paper['TS']:.2f} in the "
        f"paper); a run takes {milliseconds('gaussian-a', 'ReUCB'):.1f} ms here, 1,270 ms in the paper."
    )


def draw() -> tuple[str, list[HoverPoint]]:
    """Bars relative to UCB1, the paper's above ours."""
    found = ratios()
    places = [(where, label, value) for where, values in found.items() for label, value in values.items()]
    with plotting.figure(7.6, 3.8) as fig:
        axes = fig.subplots()
        heights = [len(places) - i - 0.6 * (where == "here (compiled)") for i, (where, _, _) in enumerate(places)]
        for y, (where, label, value) in zip(heights, places, strict=True):
            axes.barh(
                y, value, height=0.7, color=PALETTE[COLOURS[label]], alpha=0.9 if where != "the paper (R)" else 0.45
            )
            axes.annotate(
                f"{value:.2f}", (value, y), xytext=(4, 0), textcoords="offset points", va="center", fontsize=9
            )
        axes.axvline(1, color=plotting.INK, linewidth=0.8, linestyle=":")
        axes.set(xlabel="time per run / time of UCB1", xlim=(0, 1.12 * max(value for *_, value in places)))
        axes.set_yticks(heights, [f"{label}, {where}" for where, label, _ in places])
        axes.tick_params(axis="y", length=0)
        text = [f"{label}, {where}: {value:.2f} times UCB1" for where, label, value in places]
        points = plotting.points(axes, [value for *_, value in places], heights, text)
        return plotting.to_svg(fig, "run-times", TITLE), points


SECTIONS = (Section("run-times", "Run times", "experiments", units, analyse),)
