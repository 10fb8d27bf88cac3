"""Putting the engines to a goal: two must agree, whatever it is."""

from __future__ import annotations

from collections.abc import Iterator

from theory.kernel.engines import (
    Evidence,
    certificate_inequality,
    flint_identity,
    sympy_identity,
    timed,
    z3_inequality,
)
from theory.kernel.goal import Goal
from theory.kernel.polynomial import NotRational
from theory.kernel.sampling import agrees_everywhere_tried

Z3_MS = 8000


def prove(goal: Goal, z3_ms: int = Z3_MS) -> list[Evidence]:
    """Evidence of two independent engines. The goal is proved when every item is `proved`."""
    return list(_asked(goal, z3_ms))


def proved(goal: Goal, z3_ms: int = Z3_MS) -> bool:
    """Whether both engines prove it; the first that does not settles the matter."""
    return all(e.ok for e in _asked(goal, z3_ms))


def _asked(goal: Goal, z3_ms: int) -> Iterator[Evidence]:
    """One engine after the other, the quick one first."""
    name = goal.name or str(goal)
    if goal.rel.op == "=":
        try:
            yield timed("flint", f"{name}: polynomial arithmetic", lambda: (flint_identity(goal), None))
        except NotRational:
            yield timed("arb", f"{name}: enclosures of the difference hold 0 at points (a check, not a proof)",
                        lambda: (agrees_everywhere_tried(goal), None))
        yield timed("sympy", f"{name}: normal form", lambda: (sympy_identity(goal), None))
    else:
        yield timed("certificate", f"{name}: nonnegative expansion, re-checked", lambda: certificate_inequality(goal))
        yield timed("z3", f"{name}: negation unsatisfiable", lambda: (z3_inequality(goal, z3_ms), None))
