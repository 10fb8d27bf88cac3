"""What an object of a model depends on without showing it, in a relation that is taken without proof.

A relation holds for every value of its symbols. If it contains an object, a value of a function or a mean, that is
another one at another value of a symbol, this symbol must be an argument of the object, or a parameter of its model
that has one value only (`theory.kernel.terms.fix`); otherwise the object would have two values.
"""

from __future__ import annotations

from collections.abc import Iterator

import sympy as sp
from sympy.core.function import AppliedUndef

from theory.kernel.goal import Goal, Rel
from theory.kernel.named import spelled, valued
from theory.kernel.terms import FIXED, Mean, depends, linear, maximal, variables


def unshown(goal: Goal, every: tuple[sp.Symbol, ...] = ()) -> Iterator[str]:
    """Why a relation cannot be taken as it is; it holds of the same object for every value of the symbols `every`."""
    for term, x in hidden(goal, every):
        way = "make it an argument, fix it, or say that the relation holds for every value of it"
        yield f"{spelled(term)} depends on {x} without showing it: {way}"


def hidden(goal: Goal, every: tuple[sp.Symbol, ...] = ()) -> list[tuple[sp.Expr, sp.Symbol]]:
    """Objects of which a relation speaks, and what each depends on that is neither an argument nor a parameter of it.

    A side that is a value of a function or a mean is such an object; if there is no such side, one of the values and
    means in the relation is, and it is taken to be the one for which fewest is found. An object depends on the symbols
    of the relation but `every`, and on the parameters of the functions on the other side.
    """
    sides = [linear(valued(side)) for side in goal.rel.stated]
    heads = [head for head in map(_head, sides) if head is not None]
    inside = [term for side in sides for term in maximal(side)]
    objects = heads or [term for term in inside if isinstance(term, AppliedUndef | Mean)] or inside
    symbols = set().union(*map(_variables, (goal.rel, *goal.given))) - set(every)
    inherited = {x for x in FIXED if any(depends(side, x) for side in sides)} - set(every)
    found = []
    for term in objects:
        wanted = symbols | inherited if heads and _of_a_model(term) else symbols
        found.append([(term, x) for x in sorted(wanted, key=spelled) if not _shows(term, x)])
    return [pair for pairs in found for pair in pairs] if heads else min(found, key=len, default=[])


def _of_a_model(term: sp.Expr) -> bool:
    """Whether all functions of a term are made by a model; a function of no model is any function."""
    return all(hasattr(q.func, "of") for q in term.atoms(AppliedUndef))


def _head(side: sp.Expr) -> sp.Expr | None:
    """The value of a function, or the mean, of which a side is a number times a power, an exponential or the like."""
    while not isinstance(side, AppliedUndef | Mean):
        factors = [f for f in sp.Mul.make_args(side) if not f.is_number]
        if len(factors) == 1 and factors[0] != side:
            side = factors[0]
        elif side.is_Pow and side.exp.is_number:
            side = side.base
        elif isinstance(side, sp.Function) and len(side.args) == 1:
            side = side.args[0]
        else:
            return None
    return side


def _shows(term: sp.Expr, x: sp.Symbol) -> bool:
    return x in variables(term) or depends(term, x)


def _variables(rel: Rel) -> frozenset[sp.Symbol]:
    terms = (*rel.stated, *(sp.sympify(end) for _, *ends in rel.every for end in ends))
    return frozenset().union(*(variables(valued(term)) for term in terms)) - {i for i, *_ in rel.every}
