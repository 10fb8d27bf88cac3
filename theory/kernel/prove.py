"""Putting the engines to a goal: two must agree, whatever it is."""

from __future__ import annotations

from collections.abc import Iterator

from theory.kernel.engines import (
    Evidence,
    certificate_inequality,
    flint_identity,
    normal_form_identity,
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
    """One engine after the other, the quick one first. It differentiates by our rules, the second one by SymPy's."""
    name, ours = goal.name or str(goal), goal.by_rules
    if goal.rel.op != "=":
        yield timed("certificate", f"{name}: nonnegative expansion, re-checked", lambda: certificate_inequality(ours))
        yield timed("z3", f"{name}: negation unsatisfiable", lambda: (z3_inequality(goal, z3_ms), None))
        return
    try:
        yield timed("flint", f"{name}: polynomial arithmetic", lambda: (flint_identity(ours), None))
        yield timed("sympy", f"{name}: normal form", lambda: (sympy_identity(goal), None))
    except NotRational:
        yield timed(
            "flint",
            f"{name}: rational functions of exp, log, erfc and roots",
            lambda: (normal_form_identity(ours), None),
        )
        yield timed("sympy", f"{name}: simplified", lambda: (sympy_identity(goal), None))
        yield timed(
            "arb",
            f"{name}: enclosures of the difference hold 0 at points (a check, not a proof)",
            lambda: (agrees_everywhere_tried(goal), None),
        )
