"""Exact counterexamples, the smallest first, each re-checked by evaluating both sides."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import sympy as sp

from theory.kernel.defined import defined_at
from theory.kernel.exact import decide, fails_at
from theory.kernel.goal import Goal, Point, Rel
from theory.kernel.sampling import Points
from theory.kernel.shown import Display, symbols_of
from theory.kernel.terms import Mean

LIMIT = 6000


@dataclass(frozen=True)
class Counterexample:
    """A point where the relation fails, with the exact values of its two sides."""

    goal: Goal
    point: Point
    left: sp.Expr
    right: sp.Expr

    def display(self, premises: Iterable[Rel] = ()) -> Display:
        """What a reader sees of the point, and what is wrong with it."""
        return Display(self.goal, self.point, symbols_of(premises))

    def shown(self, premises: Iterable[Rel] = ()) -> dict[str, Any]:
        """What a reader sees: the point, and both sides in the shorter of two exact forms."""
        sides = {"left": self.left, "right": self.right}
        return {**self.display(premises).entries, **{side: str(_shorter(x)) for side, x in sides.items()}}


def _shorter(value: sp.Expr) -> sp.Expr:
    return value if value.is_Rational else min(value, sp.simplify(value), key=sp.count_ops)


def violates(goal: Goal, point: Point) -> Counterexample | None:
    """The counterexample at this point, if the hypotheses hold there and the relation surely fails."""
    if any(h.every for h in goal.given):
        return None  # what holds for every index is not decided at a point
    if not all(x.is_Symbol for x in point.values):
        return None  # a value of a function: f(x) = f(y) holds where x = y, whatever is put for them
    if not all(s in point.values and point.values[s] in goal.domain[s] for s in goal.symbols):
        return None
    if not all(decide(h.at(point.values)) for h in goal.given):
        return None
    at = goal.rel.at(point.values)
    if not (at.left.is_finite and at.right.is_finite):
        return None
    if decide(at) is not False or not all(defined_at(r, point.values) for r in (goal.rel, *goal.given)):
        return None
    return Counterexample(goal, point, at.left, at.right)


def falsify(goal: Goal, limit: int = LIMIT, points: Points | None = None) -> Counterexample | None:
    """The first, and so smallest, counterexample among the goal's points, or those of a goal with its hypotheses."""
    if any(h.every for h in goal.given) or any(side.has(Mean) for side in (goal.rel.left, goal.rel.right)):
        return None  # no point decides what holds for every index, and none has the value of a mean
    for point in (points or Points(goal)).among(limit):
        if fails_at(goal.rel, point):
            found = violates(goal, point)
            if found is not None:
                return found
    return None
