"""`python -m reports.tools.bound_table`: compute the table of bounds that the explorer of the page interpolates.

About half an hour on one core. Finished entries are kept in out/bound_table.json, so an interrupted run resumes. The
error between the nodes is measured at random places (seeded).
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import numpy as np

from reports.core import atomic_files, bound_table
from reports.core.store import digest, modules_used, source_digest

KEPT = Path("out/bound_table.json")
CHECKS = 40


def sources(name: str) -> str:
    """Digest of the program that computes a bound: its module and those of `reucb.bounds` that it uses."""
    used = modules_used(f"reucb.bounds.{name}") - {"reucb.bounds"}
    return digest("".join(source_digest(module) for module in sorted(used) if module.startswith("reucb.bounds.")))


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
        atomic_files.write(self.path, json.dumps(self.values).encode())


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


def main() -> int:
    kept = Kept(KEPT)
    found: dict[str, Any] = {name: compute(name, kept) for name in ("lower", "counting")}
    kept.save()
    about: dict[str, Any] = {"axes": bound_table.AXES, "sources": kept.versions, **found}
    atomic_files.write(bound_table.FILE, json.dumps(about, indent=0).encode() + b"\n")
    for name, record in found.items():
        print(f"{name}: {len(record['values'])} nodes, {bound_table.error(record)}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
