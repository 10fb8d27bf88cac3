"""What a goal needs before its proof means anything: hypotheses that can be met, sides that are defined, content."""

from __future__ import annotations

from collections.abc import Iterator

import sympy as sp

from theory.kernel.certificate import Frame, certify
from theory.kernel.engines import Evidence, Outcome
from theory.kernel.goal import Goal, Rel
from theory.kernel.polynomial import NotRational
from theory.kernel.sampling import admissible

POINTS = 4000


def objections(goal: Goal) -> list[Evidence]:
    """Why a proof of this goal would be worthless; empty for a sound goal."""
    return [Evidence("sanity", f"{goal.name or goal}: {why}", Outcome.UNKNOWN) for why in _reasons(goal)]


def _reasons(goal: Goal) -> Iterator[str]:
    if goal.given and next(admissible(goal, POINTS), None) is None:
        yield "no point meets the hypotheses"
    if goal.rel.op != "=":
        for base in sorted(denominators(goal.rel), key=str):
            if not nonzero(base, goal):
                yield f"{base} may vanish in a denominator"


def empty(goal: Goal) -> bool:
    """An equation whose sides are built the same: true by definition, and no proof of anything by itself."""
    left, right = goal.rel.stated
    return goal.rel.op == "=" and left - right == 0


def denominators(rel: Rel) -> set[sp.Expr]:
    """Every expression that is divided by."""
    powers = rel.left.atoms(sp.Pow) | rel.right.atoms(sp.Pow)
    return {p.base for p in powers if p.exp.is_number and p.exp.is_negative and not p.base.is_number}


def nonzero(base: sp.Expr, goal: Goal) -> bool:
    """Whether it is plainly of one sign on the domain, or certified so from the hypotheses."""
    try:
        frame = Frame(Goal(Rel(base, ">", 0), goal.domain))
        num, _ = frame.fraction(base)
        if frame.surely_positive(num) or frame.surely_positive(-num):
            return True
        return any(certify(Goal(Rel(base, op, 0), goal.domain, goal.given, squares=goal.squares)) for op in (">", "<"))
    except NotRational:
        return True  # roots, logarithms: the engines for these evaluate, and refuse what is not finite
