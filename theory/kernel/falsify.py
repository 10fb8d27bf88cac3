"""Exact counterexamples, the smallest first, each re-checked by evaluating both sides."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import sympy as sp

from theory.kernel.defined import defined_at
from theory.kernel.exact import decide, fails_at
from theory.kernel.goal import Goal, Point
from theory.kernel.region import READER
from theory.kernel.sampling import Points

LIMIT = 6000
Shown = Mapping[str, Any]
Derivation = Callable[[Shown], Mapping[sp.Symbol, sp.Expr]]
DERIVATIONS: list[Derivation] = []  # of a model: the values of its symbols, from what a reader is shown


def derives(rule: Derivation) -> Derivation:
    """Enter how the values of a model's symbols follow from what is shown of a point."""
    DERIVATIONS.append(rule)
    return rule


def contradictions(point: Point) -> Iterator[str]:
    """Where what is shown of a point is not the point at which the relation was evaluated."""
    shown = point.shown or {}
    names = {str(READER.get(x.name, x)): value for x, value in point.values.items()}
    for name, text in shown.items():
        of_arms = isinstance(text, (list, tuple))  # one for each
        if name in names and not of_arms and str(text).split(" ")[0] != str(names[name]):
            yield f"{name} = {text} is shown, {names[name]} was used"
    for rule in DERIVATIONS:
        for x, value in rule(shown).items():
            if x in point.values and point.values[x] != value:
                yield f"{x} = {value} by what is shown, {point.values[x]} was used"


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
    if any(h.every for h in goal.given):
        return None  # what holds for every index is not decided at a point
    if not all(s in point.values and point.values[s] in goal.domain[s] for s in goal.symbols):
        return None
    if not all(decide(h.at(point.values)) for h in goal.given):
        return None
    at = goal.rel.at(point.values)
    if not (at.left.is_finite and at.right.is_finite):
        return None
    if decide(at) is not False or not all(defined_at(r, point.values) for r in (goal.rel, *goal.given)):
        return None
    return Counterexample(point, at.left, at.right)


def falsify(goal: Goal, limit: int = LIMIT, points: Points | None = None) -> Counterexample | None:
    """The first, and so smallest, counterexample among the goal's points, or those of a goal with its hypotheses."""
    if any(h.every for h in goal.given):
        return None
    for point in (points or Points(goal)).among(limit):
        if fails_at(goal.rel, point):
            found = violates(goal, point)
            if found is not None:
                return found
    return None
