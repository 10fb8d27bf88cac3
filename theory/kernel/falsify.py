"""Exact counterexamples, the smallest first, each re-checked by evaluating both sides."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import sympy as sp

from theory.kernel.exact import decide, holds_at
from theory.kernel.goal import Goal, Point
from theory.kernel.sampling import admissible

LIMIT = 6000


@dataclass(frozen=True)
class Counterexample:
    """A point where the relation fails, with the exact values of its two sides."""

    point: Point
    left: sp.Expr
    right: sp.Expr

    def shown(self) -> dict[str, Any]:
        """What a reader sees: the point, and both sides in the shorter of two exact forms."""
        sides = {"left": self.left, "right": self.right}
        at = self.point.shown
        if at is None:
            at = {s.name: str(x) for s, x in self.point.values.items()}
        return {**at, **{side: str(_shorter(x)) for side, x in sides.items()}}


def _shorter(value: sp.Expr) -> sp.Expr:
    return value if value.is_Rational else min(value, sp.simplify(value), key=sp.count_ops)


def violates(goal: Goal, point: Point) -> Counterexample | None:
    """The counterexample at this point, if the hypotheses hold there and the relation surely fails."""
    if not all(point.values[s] in goal.domain[s] for s in goal.symbols):
        return None
    if not all(decide(h.at(point.values)) for h in goal.given):
        return None
    at = goal.rel.at(point.values)
    if not (at.left.is_finite and at.right.is_finite):
        return None
    return Counterexample(point, at.left, at.right) if decide(at) is False else None


def falsify(goal: Goal, limit: int = LIMIT) -> Counterexample | None:
    """The first, and so smallest, counterexample among the goal's points."""
    for point in admissible(goal, limit):
        if holds_at(goal.rel, point.values) is False:
            found = violates(goal, point)
            if found is not None:
                return found
    return None
