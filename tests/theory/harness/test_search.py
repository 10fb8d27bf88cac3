"""The search finds planted falsehoods, lets truths pass, and evaluates as other libraries do."""

from __future__ import annotations

from fractions import Fraction

import pytest
import sympy as sp
from flint import arb

from tests.theory.harness.search import EXAMPLES, refound, rooted, searched
from tests.theory.harness.values import compare, enclose, holds, precision
from theory.kernel.analysis import rises_from
from theory.kernel.goal import Goal, Rel, at_least, positive, real
from theory.model.arms import Wo, arm_goal, n, s, s0, tau_sq, w
from theory.model.normal import phi, upper

x, a, t, K = sp.symbols("x a t K")

mills = upper(x) * x / phi(x)
PLANTED = [
    Goal(Rel(sp.log(1 + x), ">=", 2 * x / (1 + x)), {x: at_least(0)}, name="twice too much, near 0"),
    Goal(Rel(sp.log(1 + x), ">", 0), {x: at_least(0)}, name="strict, fails at the corner only"),
    Goal(Rel(sp.log(1 + x), "<", 10), {x: at_least(0)}, name="fails far out only"),
    Goal(
        Rel(sp.log(1 + x * t) / sp.log(1 + x), "<=", 9 * t / 10),
        {x: positive(), t: at_least(2, integer=True)},
        name="a ratio of logarithms, fails for tiny x",
    ),
    Goal(Rel(sp.sqrt(x), "<=", x / 100 + 24), {x: positive()}, name="fails between 1600 and 3600 only"),
    Goal(Rel(mills, "<=", sp.Rational(9, 10)), {x: positive()}, name="Mills' ratio, too small by a tenth"),
    Goal(Rel(mills, ">=", 1), {x: positive()}, name="Mills' ratio, wrong direction"),
    Goal(Rel(sp.exp(-a * sp.log(t) / 2), "=", t ** (-a / 3)), {a: positive(), t: at_least(1)}, name="wrong exponent"),
    Goal(Rel(sp.exp(sp.log(t) / 3), "=", t ** sp.Rational(3333333333, 10**10)), {t: at_least(1)}, name="by 1e-10"),
    Goal(
        Rel((1 - upper(x)) ** K, ">=", 1 - K * upper(x) + sp.Rational(1, 10)),
        {x: real(), K: at_least(1, integer=True)},
        name="Bernoulli's inequality and a tenth",
    ),
    arm_goal(w, "<=", sp.Rational(99_999, 100_000), name="rational, fails far out only"),
    arm_goal(tau_sq, "<=", s * s0 / (n * s0 + s) * (1 + s / s0 / 2), name="rational, fails for one arm"),
    arm_goal(w + Wo, "<=", 1000, name="rational, fails for many arms"),
    Goal(
        Rel(K, "<=", a + sp.Rational(11, 10)),
        {K: real(), a: positive(), t: positive()},
        (Rel(K * t, "=", a * t + 2 * t), Rel(t, "<=", 1)),
        name="a hypothesis solved for a symbol",
    ),
    Goal(
        Rel(t, "<=", a + x - sp.Rational(1, 100)),
        {t: positive(), a: positive(), x: positive()},
        (Rel(t**2, "=", a**2 + x**2), Rel(a, "<=", x)),
        name="a hypothesis about a square, fails far out only",
    ),
    rises_from(x / 2 - sp.log(1 + x), x, sp.Integer(0), {x: at_least(0)}, "log(1+x) <= x/2")[0].concludes,
]


@pytest.mark.parametrize("goal", PLANTED, ids=lambda g: g.name)
def test_a_planted_falsehood_is_found(goal):
    found, _ = searched(goal, EXAMPLES)
    assert found is not None
    assert holds(rooted(goal).rel, found) is False


def test_a_truth_is_not_found_to_fail():
    true = Goal(Rel(sp.log(1 + x), "<=", x), {x: at_least(0)})
    assert searched(true, EXAMPLES)[0] is None
    with pytest.raises(pytest.fail.Exception, match="DID NOT RAISE"):
        refound(true)


@pytest.mark.parametrize(
    "expr",
    [
        sp.log(3) / sp.pi,
        sp.erfc(sp.sqrt(2)) ** sp.Rational(3, 2),
        sp.exp(-sp.E),
        sp.Max(sp.sqrt(5), 2, sp.pi),
        sp.Abs(sp.log(sp.Rational(1, 7))),
        sp.Integer(2) ** sp.sqrt(3),
    ],
)
def test_balls_hold_the_numbers_that_another_library_gives(expr):
    with precision(200):
        assert abs(enclose(expr, {}) - arb(str(sp.N(expr, 40)))) < 1e-38


def test_a_slope_is_that_of_the_formula():
    f = sp.exp(-(x**2)) * sp.sqrt(1 + x) / sp.log(2 + x) ** 2
    at = {"x": Fraction(3, 7)}
    assert compare(sp.Derivative(f, x), sp.diff(f, x), at) == (0, False)
    assert compare(sp.Derivative(f, x), sp.diff(f, x) + sp.Rational(1, 10**30), at)[0] == -1
