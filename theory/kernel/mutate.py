"""False neighbours of a goal: another sign, constant or direction, a dropped hypothesis.

A variant counts only if an exact counterexample shows that it is false; the engines must then fail to prove it.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

import sympy as sp

from theory.kernel.falsify import falsify
from theory.kernel.goal import FLIPPED, Goal, Rel, Var
from theory.kernel.prove import proved

FALSIFY_LIMIT = 400
Z3_MS = 1500
ENOUGH = 4


@dataclass(frozen=True)
class Mutant:
    """A false variant of a goal, and whether the machinery refused to prove it."""

    name: str
    killed: bool


def variants(goal: Goal) -> Iterator[Goal]:
    left, op, right = goal.rel.left, goal.rel.op, goal.rel.right
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
    for i, h in enumerate(goal.given):
        if goal.points is None:
            yield replace(goal, given=goal.given[:i] + goal.given[i + 1:], name=f"hypothesis dropped: {h}")
    for s, v in goal.domain.items():
        if s in goal.symbols and v.low is not None and goal.points is None:
            wider = Var(None, integer=v.integer) if v.low == 0 else Var(sp.Integer(0), strict=True)
            name = f"hypothesis dropped: {s} bounded below by {v.low}"
            yield replace(goal, domain={**goal.domain, s: wider}, name=name)


def mutants(goal: Goal, extra: tuple[Goal, ...] = (), enough: int = ENOUGH) -> list[Mutant]:
    """Up to `enough` false variants (hand-written ones first), each put to the same engines."""
    found: list[Mutant] = []
    for variant in (*extra, *variants(goal)):
        if len(found) >= max(enough, len(extra)):
            break
        if falsify(variant, FALSIFY_LIMIT) is None:
            continue
        found.append(Mutant(variant.name, killed=not proved(variant, Z3_MS)))
    return found
