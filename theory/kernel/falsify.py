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
        return {**self.point.shown, "left": str(self.left), "right": str(self.right)}


def violates(goal: Goal, point: Point) -> Counterexample | None:
    """The counterexample at this point, if the hypotheses hold there and the relation surely fails."""
    if not all(point.values[s] in goal.domain[s] for s in goal.symbols):
        return None
    if not all(decide(h.at(point.values)) for h in goal.given):
        return None
    at = goal.rel.at(point.values)
    left, right = (x if x.is_Rational else min(x, sp.simplify(x), key=sp.count_ops) for x in (at.left, at.right))
    if not (left.is_finite and right.is_finite):
        return None
    return Counterexample(point, left, right) if decide(at) is False else None


def falsify(goal: Goal, limit: int = LIMIT) -> Counterexample | None:
    """The first, and so smallest, counterexample among the goal's points."""
    for point in admissible(goal, limit):
        if holds_at(goal.rel, point.values) is False:
            found = violates(goal, point)
            if found is not None:
                return found
    return None
