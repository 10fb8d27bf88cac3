"""Putting the engines to a goal: two must agree, whatever it is."""

from __future__ import annotations

from theory.kernel.engines import (
    Evidence,
    Outcome,
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
    name = goal.name or str(goal)
    if goal.rel.op == "=":
        return [
            timed("sympy", f"{name}: normal form", lambda: (sympy_identity(goal), None)),
            timed(*_second_identity(goal, name)),
        ]
    return [
        timed("certificate", f"{name}: nonnegative expansion, re-checked", lambda: certificate_inequality(goal)),
        timed("z3", f"{name}: negation unsatisfiable", lambda: (z3_inequality(goal, z3_ms), None)),
    ]


def _second_identity(goal: Goal, name: str):  # type: ignore[no-untyped-def]
    try:
        outcome = flint_identity(goal)
    except NotRational:
        return "arb", f"{name}: enclosures of the difference hold 0", lambda: (agrees_everywhere_tried(goal), None)
    return "flint", f"{name}: polynomial arithmetic", lambda: (outcome, None)


def proved(goal: Goal, z3_ms: int = Z3_MS) -> bool:
    return all(e.outcome is Outcome.PROVED for e in prove(goal, z3_ms))
