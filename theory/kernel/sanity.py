"""What a goal needs before its proof means anything.

A domain and hypotheses that some point meets, sides that are defined everywhere on it, symbols that assume no more
than their domain says, exact numbers only, and content.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import lru_cache

import sympy as sp
from sympy.core.function import AppliedUndef

from theory.kernel import sources
from theory.kernel.defined import undefined, undefined_inside
from theory.kernel.engines import Evidence, Outcome
from theory.kernel.goal import Goal, Rel, Var, at_least, once
from theory.kernel.named import spelled, valued
from theory.kernel.sampling import admissible
from theory.kernel.subexpressions import Head, atoms, head, heads
from theory.kernel.terms import OPERATORS, Event, binds, constant_terms, stated, transparent

POINTS = 4000
ANY = Var()
Convention = Callable[[Goal], Iterator[str]]
CONVENTIONS: list[Convention] = []  # of a model: why a relation between its quantities would be read as another one


def convention(check: Convention) -> Convention:
    """Enter what a model does not allow to be stated together."""
    CONVENTIONS.append(check)
    return check


@once
def objections(goal: Goal) -> list[Evidence]:
    """Why a proof of this goal would be worthless; empty for a sound goal."""
    return [Evidence("sanity", f"{goal.name or goal}: {why}", Outcome.UNKNOWN) for why in _reasons(goal)]


def assumptions(goal: Goal) -> list[Evidence]:
    """Objections to the symbols and numbers in which a goal is written."""
    return [Evidence("sanity", f"{goal.name or goal}: {why}", Outcome.UNKNOWN) for why in _hidden(goal)]


@once
def _hidden(goal: Goal) -> list[str]:
    return list(_more_than_stated(goal))


def _more_than_stated(goal: Goal) -> Iterator[str]:
    for x in sorted((x for x, var in goal.domain.items() if x.is_Symbol and not _implied(x, var)), key=spelled):
        yield f"the symbol {x} assumes more than its domain: {goal.domain[x]}"
    names = [x.name for x in goal.symbols]
    for name in sorted({n for n in names if names.count(n) > 1}):
        yield f"two symbols are named {name}"
    sides = [side for r in (goal.rel, *goal.given) for side in r.stated]
    if any(side.has(sp.I, sp.zoo, sp.nan) for side in sides):
        yield "a number that is not real"
    bound = dict(pair for side in sides for pair in _bound(side))
    for x in sorted((x for x, var in bound.items() if x not in goal.domain and not _implied(x, var)), key=spelled):
        yield f"the symbol {x} assumes more than that it is {bound[x]}"
    if any(side.has(sp.Float) for side in sides):
        yield "a floating-point number; only exact numbers are allowed"
    values = frozenset().union(*(atoms(side, AppliedUndef) for side in sides))
    for function in sorted({x.func for x in values if _assumes(x)}, key=str):
        yield f"the function {function} assumes more than its range"
    functions = frozenset().union(*map(heads, sides))
    yield from _of_any_number(values, goal)
    for x in goal.domain:  # that of an expression would be supposed, and not be printed
        if not (x.is_Symbol or isinstance(x, AppliedUndef)):
            yield f"{x} has a range, and is neither a symbol nor a value of a function"
    for x in goal.domain:  # a range is that of all values of the function, and is read so
        if not isinstance(x, AppliedUndef) or head(x) not in functions or goal.domain[x] == ANY:
            continue
        if not (_of_any(x) or stated(x, goal.domain[x])):
            yield f"the range of {x} is no range of all values of {x.func}"
    for check in CONVENTIONS:
        yield from check(goal)


def _of_any_number(values: frozenset[sp.Expr], goal: Goal) -> Iterator[str]:
    """Functions with different numbers of arguments, which are different ones: f(x) > 0 says nothing of f(x, y)."""
    number: dict[Head, int] = {}
    ranged = (x for x in goal.domain if isinstance(x, AppliedUndef))
    for value in (*values, *ranged):
        if number.setdefault(head(value), len(value.args)) != len(value.args):
            yield f"the function {value.func} has different numbers of arguments"


@lru_cache(maxsize=65536)
def _bound(side: sp.Expr) -> tuple[tuple[sp.Symbol, Var], ...]:
    """Symbols that operators bind, and what is known of them: an index of a sum is an integer."""
    found = ((x, isinstance(f, (sp.Sum, sp.Product))) for f in valued(side).atoms(*OPERATORS) for x in binds(f))
    return tuple((x, Var(integer=whole)) for x, whole in sorted(found, key=lambda pair: (spelled(pair[0]), -pair[1])))


@lru_cache(maxsize=4096)
def _assumes(value: sp.Expr) -> bool:
    """Whether a function has assumptions in SymPy: that it is positive, or an integer."""
    return any(getattr(value, f"is_{fact}") is not None for fact in ("complex", "extended_real", "finite", "zero"))


@lru_cache(maxsize=4096)
def _of_any(value: sp.Expr) -> bool:
    """Whether the arguments are any: distinct symbols."""
    return all(x.is_Symbol for x in value.args) and len(set(value.args)) == len(value.args)


def _reasons(goal: Goal) -> Iterator[str]:
    yield from _hidden(goal)
    yield from sources.captured_inside(goal)
    yield from _unlimited(goal)
    seen = transparent(goal)
    if not _inhabited(seen):
        yield "no point of the domain meets the hypotheses"
    yield from undefined(seen)
    yield from undefined_inside(goal)


def _inhabited(goal: Goal) -> bool:
    """Whether some point of the domain is found that meets the hypotheses.

    They restrict only symbols that occur in them: each other symbol needs a point of its own range.
    """
    if any(next(admissible(goal, POINTS, solve), None) is not None for solve in (True, False)):
        return True
    others = goal.symbols.difference(*(h.symbols for h in goal.given))
    if not goal.given or not others:
        return False
    alone = (Goal(Rel(x, "<=", x), {x: goal.domain[x]}) for x in others)
    return all(map(_inhabited, alone)) and _inhabited(Goal(goal.given[0], goal.domain, goal.given))


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


def _unlimited(goal: Goal) -> Iterator[str]:
    """Sums of equal terms, which count as their number, whose ends may be no integers or in the wrong order."""
    for side in dict.fromkeys(valued(side) for r in (goal.rel, *goal.given) for side in r.stated):
        for total in sorted(atoms(side, sp.Sum, sp.Product), key=spelled):
            if any(end.has(sp.oo, -sp.oo) for _, *ends in total.limits for end in ends):
                yield f"{total} has no last term: whether it exists is not known"
        if side.has(sp.Sum):
            yield from _badly_limited(side, goal)


def _badly_limited(expr: sp.Expr, here: Goal) -> Iterator[str]:
    if isinstance(expr, sp.Sum):
        for m, (i, low, high) in reversed(list(enumerate(expr.limits))):  # the outermost first: others may end at it
            inside = sp.Sum(expr.function, *expr.limits[:m]) if m else expr.function
            if constant_terms(inside, i):
                if not all(sources.whole(end, here) for end in (low, high)):
                    yield f"the ends of {expr} are not known to be integers"
                    return
                if not _nonnegative(high - low + 1, here):
                    yield f"{expr} may have a negative number of terms"
                    return
            domain = {**here.domain, i: Var(integer=True)}
            within = (r for r in (Rel(i, ">=", low), Rel(i, "<=", high)) if r.symbols <= set(domain))
            here = Goal(here.rel, domain, (*here.given, *within))
        yield from _badly_limited(expr.function, here)
        return
    for e in expr.args:
        if isinstance(e, sp.Expr) and e.has(sp.Sum):
            yield from _badly_limited(e, here)


def _nonnegative(length: sp.Expr, here: Goal) -> bool:
    """On the domain, a sum of indicators being a number of times."""
    times = [total for total in atoms(length, sp.Sum) if isinstance(total.function, Event)]
    names = {total: sp.Dummy(f"how_often_{m}") for m, total in enumerate(sorted(times, key=spelled))}
    domain = {**here.domain, **dict.fromkeys(names.values(), at_least(0, integer=True))}
    return sources.inside(length.xreplace(names), at_least(0), Goal(here.rel, domain, here.given))
