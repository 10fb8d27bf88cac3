"""Mutants of a goal: another sign, constant or direction, a dropped hypothesis.

A variant counts only if an exact counterexample shows that it is false; the engines must then fail to prove it. As the
statement is printed from the goal, and no variant prints as the goal does (a test), these are mutants of the statement.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import islice

import sympy as sp

from theory.kernel.falsify import falsify
from theory.kernel.goal import FLIPPED, Goal, Rel, Var, once
from theory.kernel.polynomial import is_rational
from theory.kernel.prove import proved
from theory.kernel.sampling import Points

FALSIFY_LIMIT = 400
DROPPED_LIMIT = 60  # most dropped hypotheses leave the goal true; a false one shows early
LATE_LIMIT = 6000
Z3_MS = 1500
DROPPED = 2
ENOUGH = 3
FEWEST = 2  # that every goal needs, also a step


@dataclass(frozen=True)
class Mutant:
    """A false variant of a goal, and whether it was rejected: no engine proves it."""

    name: str
    killed: bool


def variants(goal: Goal) -> Iterator[Goal]:
    (left, right), op = goal.rel.stated, goal.rel.op
    if op == "=":
        if right != 0:
            yield goal.with_rel(Rel(left, "=", -right), "sign: right side negated")
            yield goal.with_rel(Rel(left, "=", 2 * right), "constant: right side doubled")
        yield goal.with_rel(Rel(left, "=", right + 1), "constant: 1 added")
        yield goal.with_rel(Rel(left, "<", right), "direction: strictly less")
    else:
        tight = sp.Rational(1, 2) if op in ("<=", "<") else sp.Integer(2)
        yield goal.with_rel(Rel(left, FLIPPED[op].replace("=", ""), right), "direction: reversed")
        if right != 0:
            yield goal.with_rel(Rel(left, op, tight * right), f"constant: right side times {tight}")
            yield goal.with_rel(Rel(left / tight, op, right), f"constant: left side times {1 / tight}")
        sides = (left, -right) if op in ("<=", "<") else (-left, right)
        yield goal.with_rel(Rel(sides[0], op, sides[1]), "sign: one side negated")
        yield goal.with_rel(Rel(left, op, right + (-1 if op in ("<=", "<") else 1)), "constant: shifted by 1")
        if op in ("<=", ">="):
            yield goal.with_rel(Rel(left, op[0], right), "direction: made strict")


def without_a_hypothesis(goal: Goal) -> Iterator[tuple[Goal, Points]]:
    """The goal without one of its hypotheses, and points where that one does not hold: nowhere else can it fail."""
    yield from ((wider, Points(wider)) for wider in goal.wider)
    if goal.points is not None:  # its points meet the hypotheses by construction
        return
    for i, h in enumerate(goal.given):
        others = goal.given[:i], goal.given[i + 1 :]
        variant = replace(goal, given=(*others[0], *others[1]), name=f"hypothesis dropped: {h}")
        opposite = () if h.op == "=" or h.every else (h.negation,)
        yield variant, Points(replace(goal, given=(*others[0], *opposite, *others[1])))
    if not goal.given and goal.rel.op == "=" and is_rational(goal.rel.left) and is_rational(goal.rel.right):
        return  # an equation of rational functions has no bounds to drop
    for s, v in goal.domain.items():
        if s in goal.symbols and v.low is not None:
            wider = Var(None, integer=v.integer) if v.low == 0 else Var(sp.Integer(0), strict=True)
            name = f"hypothesis dropped: {s} bounded below by {v.low}"
            below = replace(wider, high=v.low)
            variant = replace(goal, domain={**goal.domain, s: wider}, name=name)
            yield variant, Points(replace(goal, domain={**goal.domain, s: below}))


@once
def mutants(goal: Goal) -> list[Mutant]:
    """Mutants put to the same engines: up to `DROPPED` with a hypothesis dropped, `ENOUGH` others."""
    points = Points(goal)
    dropped = _false(without_a_hypothesis(goal), DROPPED_LIMIT, DROPPED)
    others = _false(((v, points) for v in variants(goal)), FALSIFY_LIMIT, ENOUGH)
    if len(dropped) + len(others) < FEWEST:  # false ones may show late
        others = _false(((v, points) for v in variants(goal)), LATE_LIMIT, ENOUGH)
    return _put(*dropped, *others)


@once
def few_mutants(goal: Goal) -> list[Mutant]:
    """Mutants of a step of a proof: `FEWEST`, which show that it is not vacuous. It may suppose more than it needs."""
    points = Points(goal)
    others = _false(((v, points) for v in variants(goal)), FALSIFY_LIMIT, FEWEST)
    return _put(*others) if len(others) == FEWEST else mutants(goal)


def _put(*variants: Goal) -> list[Mutant]:
    """False variants, put to the engines."""
    return [Mutant(v.name, killed=not proved(v, Z3_MS)) for v in variants]


def _false(candidates: Iterator[tuple[Goal, Points]], limit: int, most: int) -> list[Goal]:
    """The first candidates that an exact counterexample, one of their points, shows to be false."""
    return list(islice((v for v, points in candidates if falsify(v, limit, points) is not None), most))
