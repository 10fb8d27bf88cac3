"""Looking for violations at exact points of a goal's domain, evaluated apart from the kernel.

A proved relation is tried at points drawn from wide lists; a counterexample is found again and shrunk by Hypothesis.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Mapping
from dataclasses import replace
from fractions import Fraction
from functools import cache
from random import Random
from typing import Any

import pytest
import sympy as sp
from hypothesis import HealthCheck, Phase, assume, given, settings, target

from tests.theory.harness.draws import BANDITS, FRACTIONS, Drawn, arms, contains, drawn, sampled, seen_from, shape
from tests.theory.harness.exactly import ROUNDING, near
from tests.theory.harness.values import Values, compare, evaluate, holds, is_rational, surplus
from theory.kernel.argument import Argument, Item, Proof, Refutation
from theory.kernel.claim import REGISTRY
from theory.kernel.goal import Goal, Point, Rel
from theory.kernel.items import below, concludes
from theory.kernel.terms import transparent
from theory.ledger import load

__all__ = ["BANDITS", "FRACTIONS", "ROUNDING", "Values", "arms", "evaluate", "near", "seen_from"]

DEFECTS = ("refuted", "gap", "misprint")
SMALL = 12  # a counterexample a reader can check has no larger numerator or denominator,
SMALLEST = 200  # or, with roots and logarithms, not much larger ones than it needs (them-R-Bayes-SubR: 1/164)
QUIET = [HealthCheck.too_slow, HealthCheck.filter_too_much, HealthCheck.data_too_large]
EXAMPLES, IDENTITY_EXAMPLES = 24, 8  # points at which an inequality and an identity are tried
TRIES = 40  # points drawn for every one that meets the hypotheses, at most
ENOUGH = 6  # points without which a search says nothing
HUNT = 3000
DEEPER = settings.get_profile("default").max_examples
_searched: set[Hashable] = set()  # relations without a violation


class Violation(AssertionError):
    """A point of the domain where the relation fails."""


def inside(goal: Goal, at: Values) -> bool:
    """Whether the point lies in the domain and surely satisfies the hypotheses."""
    return all(contains(goal.domain[x], at[x.name]) for x in goal.symbols) and all(
        holds(h, at) is True for h in goal.given
    )


def violated(goal: Goal, at: Values) -> bool:
    return inside(goal, at) and holds(goal.rel, at) is False


def rooted(goal: Goal) -> Goal:
    """The goal with e for x where a hypothesis says x = e, no rational expression, or sqrt(e) for x where it says
    x^2 = e and x >= 0: few drawn points would meet the hypothesis."""
    for h in goal.given:
        x, value = _determined(h)
        if x is not None and (goal.domain[x].low == 0 or h.left == x) and not value.has(x):
            at, others = {x: value}, tuple(other for other in goal.given if other is not h)
            rel, *given = (Rel(r.left.xreplace(at), r.op, r.right.xreplace(at)) for r in (goal.rel, *others))
            var = goal.domain[x]
            ends = [Rel(h.right, ">" if var.strict else ">=", var.low)] if var.low is not None else []
            ends += [Rel(h.right, "<=", var.high)] if var.high is not None else []
            return rooted(replace(goal, rel=rel, given=(*given, *ends)))
    return goal


def _determined(h: Rel) -> tuple[sp.Symbol | None, sp.Expr]:
    """The symbol that a hypothesis determines, and its value."""
    if h.op == "=" and h.left.is_Pow and h.left.exp == 2 and h.left.base.is_Symbol:
        return h.left.base, sp.sqrt(h.right)
    return (h.left if h.op == "=" and h.left.is_Symbol and not is_rational(h.right) else None), h.right


def searched(goal: Goal, examples: int) -> tuple[Values | None, int]:
    """A violation, if one is found among drawn points and each of them moved far out, and how many points were met."""
    goal = rooted(goal)
    what, random = shape(goal), Random(0) if settings.default.derandomize else Random()
    wanted = examples * settings.default.max_examples // DEEPER
    usable = met = 0
    for _ in range(TRIES * wanted):
        found = sampled(what, random)
        here = found.values()
        if here is None or not inside(goal, here) or (decided := holds(goal.rel, here)) is None:
            continue
        if decided is False:
            return here, met
        met += 1
        for at in found.pushed(goal) if goal.rel.op != "=" else ():
            if inside(goal, at):
                met += 1
                if holds(goal.rel, at) is False:
                    return at, met
        usable += 1
        if usable == wanted:
            break
    return None, met


def never_violated(goal: Goal) -> None:
    """No point of the domain is found where the relation fails, and enough points were tried to say so.

    Proofs share many steps; each relation is searched once.
    """
    relation = goal.rel, frozenset(goal.given), frozenset((x, goal.domain[x]) for x in goal.symbols)
    if relation in _searched:
        return
    if goal.symbols:
        found, met = searched(goal, IDENTITY_EXAMPLES if goal.rel.op == "=" else EXAMPLES)
        assert found is None, f"{goal.name or goal.rel} fails at {found}"
        assert met >= ENOUGH, f"{goal.name or goal.rel}: only {met} points met its hypotheses"
    else:
        assert holds(goal.rel, {}) is True, f"{goal.name or goal.rel} does not hold"
    _searched.add(relation)


def refound(goal: Goal) -> Values:
    """A violation of a printed relation, found from its domain alone and shrunk."""
    last: Values = {}

    @settings(
        max_examples=HUNT,
        suppress_health_check=QUIET,
        database=None,
        deadline=None,
        derandomize=True,
        print_blob=False,
        report_multiple_bugs=False,
        phases=(Phase.generate, Phase.target, Phase.shrink),
    )
    @given(drawn(goal))
    def hunt(found: Drawn) -> None:
        nonlocal last
        at = found.values()
        assume(at is not None and inside(goal, at))
        if goal.rel.op != "=":
            target(surplus(goal.rel, at))
        if holds(goal.rel, at) is False:
            last = at
            raise Violation

    with pytest.raises(Violation):
        hunt()
    return last


def proved_goals(argument: Argument) -> Iterator[Goal]:
    """Every relation that the ledger proves in this argument: items, what they show together, regions of failure."""
    items: tuple[Item, ...] = ()
    if isinstance(argument, Proof):
        items = argument.items
    elif isinstance(argument, Refutation):
        region = getattr(argument, "region", None)
        items = (*argument.also, *(() if region is None else region.items))
        if argument.fails_iff is not None:
            base, where = argument.printed, argument.fails_iff
            yield replace(base, given=(*base.given, where), rel=base.rel.negation, name="fails inside the region")
            yield replace(base, given=(*base.given, where.negation), name="holds outside the region")
    for item in items:
        for part in (item, *below(item)):
            goal = concludes(part)
            if goal is not None and has_points(goal):
                yield goal


def has_points(goal: Goal) -> bool:
    """Whether the relation can be evaluated at a point: sums and means, which rules take apart, cannot."""
    return transparent(goal) is goal and not goal.where


@cache
def built(name: str) -> Argument:
    """The argument of a claim, the one that claims using it have; the modules of claims are imported once."""
    return (REGISTRY.get(name) or load()[name]).argument


def as_recorded(shown: Mapping[str, Any], at: Point | None) -> Values:
    """The point that a ledger entry shows: the one its argument names, or read back from what is shown."""
    if at is not None:
        return {x.name: Fraction(str(v)) for x, v in at.values.items()}
    numbers = {k: Fraction(v) for k, v in shown.items() if isinstance(v, str) and k not in ("left", "right")}
    numbers |= {x: numbers[k] for k, x in (("sigma_sq", "s"), ("sigma0_sq", "s0")) if k in numbers}
    if "n" in shown and isinstance(shown["n"], list):
        noise = [Fraction(x) for x in shown.get("sigma_k_sq", [shown.get("sigma_sq", "1")])]
        numbers |= arms([int(c) for c in shown["n"]], noise, Fraction(shown["sigma0_sq"]))
    return numbers


def small(goal: Goal, at: Values, apart: frozenset[sp.Symbol] = frozenset()) -> bool:
    """Whether a reader can check the point. `apart` are symbols whose values follow from those of others."""
    used = [at[x.name] for x in goal.symbols if x not in apart]
    limit = SMALL if rational(goal) else SMALLEST
    return all(abs(x.numerator) <= limit and x.denominator <= limit for x in used)


def determined(goal: Goal) -> frozenset[sp.Symbol]:
    """The symbols x whose value a hypothesis x = e states in terms of others."""
    return frozenset(h.left for h in goal.given if h.op == "=" and h.left.is_Symbol and not h.right.has(h.left))


def rational(goal: Goal) -> bool:
    return is_rational(goal.rel.left) and is_rational(goal.rel.right)


def shown_sides(goal: Goal, at: Values, shown: Mapping[str, Any]) -> bool:
    """Whether the two numbers printed by the ledger are the two sides at its point."""
    return all(
        compare(side, sp.sympify(shown[name]), at)[0] == 0
        for name, side in (("left", goal.rel.left), ("right", goal.rel.right))
    )
