"""`python -m reports.tools.record_bounds WHAT`: evaluate the bounds that take too long while a report is made.

table    the table of `counting` and `lower` that the bound explorer interpolates, with its error at random places
         between the nodes (seeded); about half an hour on one core
bounded  `reucb.bounds.bounded` at the settings that the report shows; up to a minute each

Finished values are kept (in out/bound_table.json and in the record itself), so an interrupted run resumes.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from reports.core import bound_table
from reports.core.store import digest, modules_used, source_digest, write_file
from reports.sections import bounded_rewards
from reucb import bounds

KEPT = Path("out/bound_table.json")
CHECKS = 40


def sources(name: str) -> str:
    """Digest of the program that computes a bound: its module and those with formulas that it uses."""
    used = modules_used(f"reucb.bounds.{name}") - {"reucb.bounds"}
    formulas = "reucb.bounds.", "reucb._numerics."
    return digest("".join(source_digest(module) for module in sorted(used) if module.startswith(formulas)))


def check_places(name: str) -> list[dict[str, float]]:
    """Random places between the nodes, uniform in the logarithms."""
    rng = np.random.default_rng(7)
    axes = {axis: np.log([known[0], known[-1]]) for axis, known in bound_table.AXES[name].items()}
    found = []
    for _ in range(CHECKS):
        place = {axis: float(np.exp(rng.uniform(low, high))) for axis, (low, high) in axes.items()}
        place["arms"] = float(round(place["arms"]))
        place["rounds"] = max(round(place["arms"] * place["rounds"]), place["arms"]) / place["arms"]
        found.append(place)
    return found


class Kept:
    """Values computed so far, by the version of the bound and the place."""

    def __init__(self, path: Path) -> None:
        self.path, self.versions = path, {name: sources(name) for name in bound_table.AXES}
        self.values: dict[str, float] = json.loads(path.read_text(encoding="utf-8")) if path.exists() else {}
        self._fresh = 0

    def get(self, name: str, place: dict[str, float]) -> float:
        key = f"{self.versions[name]} {json.dumps(place, sort_keys=True)}"
        if key not in self.values:
            self.values[key] = bound_table.evaluate(name, place)
            self._fresh += 1
            if self._fresh % 25 == 0:
                self.save()
        return self.values[key]

    def save(self) -> None:
        self.path.parent.mkdir(parents=True, exist_ok=True)
        write_file(self.path, json.dumps(self.values).encode())


def compute(name: str, kept: Kept) -> dict[str, Any]:
    """Values at the nodes and the relative errors between them."""
    values = [round(kept.get(name, place), 6) for place in bound_table.nodes(name)]
    errors = []
    for place in check_places(name):
        found = bound_table.interpolate(name, place, values)
        assert found is not None  # between the nodes
        errors.append(abs(float(np.expm1(found - kept.get(name, place)))))
    return {
        "values": values,
        "median_error": float(np.median(errors)),
        "usual_error": float(np.quantile(errors, 0.9)),
        "largest_error": max(errors),
    }


def record_table() -> None:
    """The table of `counting` and `lower`."""
    kept = Kept(KEPT)
    found: dict[str, Any] = {name: compute(name, kept) for name in ("lower", "counting")}
    kept.save()
    about: dict[str, Any] = {"axes": bound_table.AXES, "sources": kept.versions, **found}
    write_file(bound_table.FILE, json.dumps(about, indent=0).encode() + b"\n")
    for name, record in found.items():
        print(f"{name}: {len(record['values'])} nodes, {bound_table.error(record)}")


def record_bounded(fresh: bool) -> None:
    """The values of `bounded` that are missing, or all of them."""
    values = {} if fresh else dict(bounded_rewards.recorded())
    for case in bounded_rewards.CASES:
        name = bounded_rewards.key(*case)
        if name not in values:
            prior, setting = bounded_rewards.PRIORS[case[0]], bounded_rewards.model(*case)
            values[name] = float(bounds.bounded(prior, **setting, rewards="bernoulli"))
            text = json.dumps({"values": values}, indent=1, ensure_ascii=False)
            write_file(bounded_rewards.FILE, text.encode() + b"\n")
            print(f"{name}: {values[name]:.0f}")


def main(argv: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(
        prog="python -m reports.tools.record_bounds",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("what", choices=("table", "bounded"), help="which record to make")
    parser.add_argument("--fresh", action="store_true", help="bounded: ignore the values recorded before")
    asked = parser.parse_args(argv)
    if asked.what == "table":
        record_table()
    else:
        record_bounded(asked.fresh)
    return 0


if __name__ == "__main__":
    sys.exit(main())
