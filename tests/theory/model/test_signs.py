"""Fair signs, on all outcomes of four signs; functions of different signs are independent, and no others."""

from fractions import Fraction
from itertools import product
from math import comb

import pytest
import sympy as sp
from sympy.core.function import AppliedUndef

from theory.kernel.goal import Goal, Rel
from theory.kernel.rules import equals
from theory.kernel.terms import Event, Mean
from theory.model import fair_signs, own_noise
from theory.model.arm_signs import NEXT, NOISES, high, independent, minus, spread, stays
from theory.model.arms import n
from theory.model.fair_signs import FAIR_SIGNS, Signs, c, h, i, j, m, x
from theory.model.lockout import H, S
from theory.model.play import mu, o
from theory.model.quantities import s1
from theory.ours.lockout_case import chance_of_sum
from theory.ours.sums_of_signs import (
    both_ways,
    first_centre,
    mean_over_sign,
    neighbours,
    next_centre,
    next_value,
    one_sign_more,
    one_value,
    same_law,
    y,
)

NUMBER = 4
OUTCOMES = list(product((1, -1), repeat=NUMBER))
BOTH = pytest.mark.parametrize("signs", [FAIR_SIGNS, NOISES], ids=["any", "noises of an arm"])
EVENTS = [Event(x - y, 0), equals(x, y), Event(x - 1, 1)]


def value(expr: sp.Expr, at: dict[sp.Symbol, Fraction], outcome: tuple[int, ...] = ()) -> Fraction:
    """An expression in numbers and signs; its means are averages over all outcomes."""
    if isinstance(expr, Mean):
        return sum((value(expr.args[0], at, w) for w in OUTCOMES), Fraction(0)) / len(OUTCOMES)
    if isinstance(expr, sp.Sum):
        body, (index, low, high) = expr.args
        ends = int(value(low, at, outcome)), int(value(high, at, outcome))
        return sum((value(body, {**at, index: Fraction(n)}, outcome) for n in range(ends[0], ends[1] + 1)), Fraction(0))
    if isinstance(expr, Event):
        number = value(expr.args[0], at, outcome)
        return Fraction(number > 0 if expr.args[1] == 1 else number >= 0)
    if isinstance(expr, AppliedUndef):
        name, numbers = expr.func.__name__, [int(value(e, at, outcome)) for e in expr.args if e != o]
        return Fraction(QUANTITIES[name](outcome, *numbers))
    if isinstance(expr, sp.Symbol):
        return at[expr]
    if isinstance(expr, sp.Rational):
        return Fraction(int(expr.p), int(expr.q))
    parts = [value(e, at, outcome) for e in expr.args]
    if expr.is_Pow:
        return parts[0] ** int(parts[1])
    return sum(parts, Fraction(0)) if expr.is_Add else sp.prod(parts)


def chance(number: int, test) -> Fraction:
    return Fraction(sum(test(sum(w[:number])) for w in OUTCOMES), len(OUTCOMES))


QUANTITIES = {
    "sign": lambda w, n: w[n - 1],
    "sum of signs": lambda w, n: sum(w[:n]),
    "eps": lambda w, _, n: w[n - 1],
    "minus": lambda w, _, n: -sum(w[:n]),
    "below": lambda _, n, least: chance(n, lambda total: total >= least),
    "p": lambda _, half, at: chance(2 * half, lambda total: total == 2 * at),
}
NOISES_OF_ARM = 3  # rewards of an arm whose noises are fair signs, of variance 1
QUANTITIES |= {
    "noise of a reward": lambda w, n: w[n - 1],
    "noise of a reward of": lambda w, _, n: w[n - 1],
    "noise": lambda w: Fraction(sum(w[:NOISES_OF_ARM]), NOISES_OF_ARM),
    "noise of": lambda w, _: Fraction(sum(w[:NOISES_OF_ARM]), NOISES_OF_ARM),
    "n": lambda _w, _i: NOISES_OF_ARM,
    "sigma_sq": lambda _w, _i: 1,
}
RANGES = {m: range(NUMBER - 1), i: range(1, NUMBER + 1), c: (-1, 1), y: range(-3, 4), h: range(2), j: range(-1, 2)}


def holds(goal: Goal, rel: Rel | None = None) -> list[bool]:
    """Whether a relation holds, at all numbers in its domain that are small enough."""
    rel = rel or goal.rel
    names = sorted((rel.symbols | goal.symbols) - {o, sp.Symbol("k")}, key=str)
    found = []
    for numbers in product(*(RANGES[z] for z in names)):
        at = dict(zip(names, map(Fraction, numbers), strict=True))
        if all(sp.Integer(n) in goal.domain[z] for z, n in zip(names, numbers, strict=True)):
            left, right = (value(side, at | {sp.Symbol("k"): Fraction(1)}) for side in rel.stated)
            found.append(left == right if rel.op == "=" else left <= right)
    return found


@BOTH
def test_the_definitions_hold_on_all_outcomes(signs: Signs):
    with_mean = [signs.fair, *map(signs.independent, EVENTS)]
    assert all(len(found := holds(item.concludes)) > 1 and all(found) for item in with_mean)
    for item in (signs.sums, signs.two_values):
        rel = item.concludes.rel
        assert all(holds(item.concludes, Rel(Mean((rel.left - rel.right) ** 2, o), "=", 0)))
    assert all(all(holds(item.concludes)) for item in (fair_signs.AT_LEAST, fair_signs.VALUE))


@BOTH
@pytest.mark.parametrize("f", EVENTS)
def test_a_sign_and_the_sum_with_it_are_not_independent(signs: Signs, f: sp.Expr):
    goal = signs.independent(f).concludes
    moved = {signs.total(m): signs.total(m + 1)}
    left, right = (side.xreplace(moved) for side in goal.rel.stated)
    assert not all(holds(goal, Rel(left, "=", right)))


@BOTH
def test_what_is_derived_holds_on_all_outcomes(signs: Signs):
    derived = [same_law(signs), mean_over_sign(signs, x**3 + x**2, {})]
    derived += [one_sign_more(signs, f) for f in EVENTS]
    assert all(len(found := holds(item.concludes)) > 1 and all(found) for item in derived)


@pytest.mark.parametrize("lemma", [neighbours, both_ways, next_value, next_centre, first_centre, one_value])
def test_chances_of_sums_on_all_outcomes(lemma):
    goal = lemma().concludes
    found = holds(goal)
    assert found
    assert all(found)
    left, right = goal.rel.stated
    assert not all(holds(goal, Rel(left + 1, goal.rel.op, right)))


@BOTH
def test_a_function_of_more_than_the_sum_is_refused(signs: Signs):
    for f in (Event(x - signs.sign(m), 0), equals(x, c), Event(x - m, 0), Event(signs.total(m), 0)):
        with pytest.raises(ValueError, match="f="):
            signs.independent(f)
    with pytest.raises(ValueError, match="bound"):
        signs.independent(sp.Sum(x, (x, 1, 3)))


@pytest.mark.parametrize(("signs", "least"), [(1, 1), (6, 2), (7, -3), (40, 12)])
def test_a_chance_counted_sign_by_sign_is_a_sum_of_binomials(signs: int, least: int):
    ways = sum(comb(signs, ups) for ups in range(signs + 1) if 2 * ups - signs >= least)
    assert chance_of_sum(signs, least) == sp.Rational(ways, 2**signs)


@pytest.mark.parametrize("noises", [own_noise.NOISE, own_noise.NOISE_OF], ids=["arm k", "another arm"])
def test_fair_signs_are_noises_of_variance_1(noises: own_noise.Noises):
    at = {n: Fraction(NOISES_OF_ARM), s1: Fraction(1), i: Fraction(1), m: Fraction(2)}
    for item in (*noises.moments, noises.independent):
        left, right = item.concludes.rel.stated
        assert value(left, at) == value(right, at)
    left, right = noises.averaged.concludes.rel.stated
    assert value(Mean((left - right) ** 2, o), at) == 0
    assert value(Mean(noises.average**2, o), at) == Fraction(1, NOISES_OF_ARM)


ONE = sp.Integer(1)
IS_HIGH, LOW_NOISE = equals(high(H, o), ONE), Event(minus(H, S, o), 0)


def test_functions_of_different_signs_are_independent():
    rel = independent((IS_HIGH, LOW_NOISE), (equals(high(NEXT, o), -ONE), stays(NEXT, o)))
    assert rel.op == "="
    assert rel.right.has(sp.Product)


@pytest.mark.parametrize(
    ("own", "others"),
    [
        ((IS_HIGH, equals(high(H, o), -ONE)), ()),  # the same sign twice
        ((LOW_NOISE, stays(H, o)), ()),  # both decided by the noises of H
        ((), (stays(NEXT, o), Event(minus(NEXT, S, o), 0))),
        ((equals(high(H, o), spread(H, o)),), ()),  # two kinds of signs in one factor
        ((equals(high(NEXT, o), ONE),), ()),  # another arm than H
        ((), (stays(H, o),)),  # the same arm in every factor
        ((Event(mu(H, o), 0),), ()),  # no function of signs of one kind
        ((sp.Integer(2),), ()),
    ],
)
def test_other_functions_are_refused(own, others):
    with pytest.raises(ValueError, match="factor"):
        independent(own, others)
