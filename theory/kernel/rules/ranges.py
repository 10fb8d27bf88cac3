"""Ranges that a step assumes must be stated by what it concludes, where they matter there."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cached_property
from typing import Any

import sympy as sp
from sympy.core.function import AppliedUndef

from theory.kernel import sources
from theory.kernel.defined import bound_by, within
from theory.kernel.goal import Goal, Var, at_least
from theory.kernel.items import Item, concludes
from theory.kernel.named import valued
from theory.kernel.rules.compose import merged
from theory.kernel.terms import averaged_in, depends, stated


def lost(
    parts: tuple[Item, ...],
    here: Goal,
    domain: Mapping[sp.Expr, Var] | None = None,
    at: Mapping[Any, Any] | None = None,
) -> Iterator[str]:
    """Ranges that premises, or the `domain` of a rule, assume and a conclusion does not state; `at` replaces symbols.

    They matter for what is averaged, for symbols that stand for something, for parameters of a model, and for functions
    about which a model or the literature says something, unless it is that they are in this range. Of any other
    function there is one in its range.
    """
    premises = tuple(goal for goal in map(concludes, parts) if goal is not None)
    sides = [valued(side) for g in premises for r in (g.rel, *g.given) for side in r.stated]
    random = frozenset().union(*map(averaged_in, sides))
    shown = [*(side for r in (here.rel, *here.given) for side in r.stated), *here.where.values()]
    own = {value.func: value for side in shown for value in valued(side).atoms(AppliedUndef)}
    meant, known = sources.meaning(*premises), _Stipulated(parts)
    ranges_of_all = merged((*premises, Goal(here.rel, {**here.domain, **(domain or {})}, here.given)))
    everywhere = Goal(here.rel, ranges_of_all, here.given)
    for x, var in ranges_of_all.items():
        if var == Var() or x in here.symbols or x in (at or {}):
            continue
        if x.is_Symbol:
            ranges = {g.domain[x] for g in premises if x in g.symbols}
            named = x in meant and not _surely_in(meant[x], var, everywhere)
            hidden = bool(ranges - {var}) and any(depends(side, x) for side in shown)
            different = hidden and not any(known.within(q.func, x, var) for q in own.values() if depends(q, x))
            if ranges and (x in random or named or different):
                yield f"a premise assumes that {x} is {var}, and the conclusion does not state this"
        elif x.func not in own and not stated(x, var) and any(side.has(x.func) for side in sides):
            stays = sources.range_of(x, here.domain).within(var) and known.within(x.func, x, var)
            if known.of(x.func) and not stays:
                yield f"a premise assumes that {x} is {var}, and the conclusion does not state this"


class _Stipulated:
    """What definitions and cited theorems behind premises say of functions."""

    def __init__(self, parts: tuple[Item, ...]) -> None:
        self._parts = parts

    @cached_property
    def _goals(self) -> dict[Any, list[Goal]]:
        from theory.kernel.rules.functions import stipulated  # which imports all rules

        found: dict[Any, list[Goal]] = {}
        for goal in {id(g): g for part in self._parts for g in stipulated(part)}.values():
            sides = (valued(side) for r in (goal.rel, *goal.given) for side in r.stated)
            for function in {value.func for side in sides for value in side.atoms(AppliedUndef)}:
                found.setdefault(function, []).append(goal)
        return found

    def of(self, function: Any) -> list[Goal]:
        return self._goals.get(function, [])

    def within(self, function: Any, x: sp.Expr, var: Var) -> bool:
        """Whether all that is said of a function is said of an x in this range."""
        goals = self.of(function)
        return bool(goals) and all(sources.range_of(x, goal.domain).within(var) for goal in goals)


def _surely_in(value: sp.Expr, var: Var, here: Goal) -> bool:
    """Whether what a symbol stands for is in this range: a sum of numbers >= 0 is one."""
    value = sp.sympify(value)
    if sources.inside(value, var, here):
        return True
    if not isinstance(value, sp.Sum) or not at_least(0).within(var):
        return False
    return sources.inside(value.function, at_least(0), within(bound_by(value), here))
