"""What a goal needs before its proof means anything.

A domain and hypotheses that some point meets, sides that are defined everywhere on it, symbols that assume no more
than their domain says, exact numbers only, and content.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache

import sympy as sp

from theory.kernel.defined import undefined
from theory.kernel.engines import Evidence, Outcome
from theory.kernel.goal import Goal, Var, once
from theory.kernel.named import spelled
from theory.kernel.sampling import admissible
from theory.kernel.terms import transparent

POINTS = 4000


@once
def objections(goal: Goal) -> list[Evidence]:
    """Why a proof of this goal would be worthless; empty for a sound goal."""
    return [Evidence("sanity", f"{goal.name or goal}: {why}", Outcome.UNKNOWN) for why in _reasons(goal)]


def assumptions(goal: Goal) -> list[Evidence]:
    """Objections to the symbols and numbers in which a goal is written."""
    return [Evidence("sanity", f"{goal.name or goal}: {why}", Outcome.UNKNOWN) for why in _hidden(goal)]


def _hidden(goal: Goal) -> Iterator[str]:
    for x in sorted(goal.domain, key=spelled):
        if x.is_Symbol and not _implied(x, goal.domain[x]):
            yield f"the symbol {x} assumes more than its domain: {goal.domain[x]}"
    names = [x.name for x in goal.symbols]
    for name in sorted({n for n in names if names.count(n) > 1}):
        yield f"two symbols are named {name}"
    if any(side.has(sp.Float) for r in (goal.rel, *goal.given) for side in r.stated):
        yield "a floating-point number; only exact numbers are allowed"


def _reasons(goal: Goal) -> Iterator[str]:
    yield from _hidden(goal)
    seen = transparent(goal)
    if all(next(admissible(seen, POINTS, solve), None) is None for solve in (True, False)):
        yield "no point of the domain meets the hypotheses"
    yield from undefined(seen)


@lru_cache(maxsize=4096)
def _implied(x: sp.Symbol, var: Var) -> bool:
    """Whether every assumption of the symbol holds on its domain."""
    facts = {"real": True}
    if var.integer:
        facts["integer"] = True
    if var.low is not None and var.low >= 0:
        facts["positive" if var.low > 0 or var.strict else "nonnegative"] = True
    if var.high is not None and var.high <= 0:
        facts["negative" if var.high < 0 else "nonpositive"] = True
    holds = sp.Symbol(x.name, **facts).assumptions0
    return all(holds.get(fact) == value for fact, value in x.assumptions0.items())


def empty(goal: Goal) -> bool:
    """An equation whose sides are built the same: true by definition, and no proof of anything by itself."""
    left, right = goal.rel.stated
    return goal.rel.op == "=" and left - right == 0
