"""Exact decisions about closed expressions, and provers that prove what is true and nothing else."""

import os
import subprocess
import sys

import pytest
import sympy as sp
from sympy.core.cache import SYMPY_CACHE_SIZE
from sympy.external.gmpy import GROUND_TYPES

from theory.kernel.analysis import rises_from
from theory.kernel.argument import proof
from theory.kernel.engines import Outcome, certificate_inequality, sympy_identity, z3_inequality
from theory.kernel.exact import decide, sign
from theory.kernel.falsify import falsify
from theory.kernel.goal import Goal, Rel, Var, at_least, positive, real
from theory.kernel.prove import prove, proved
from theory.model.arms import J, arm_goal, beta, n, s, s0, tau_sq, tau_tilde_sq, w

# Exact decisions about closed expressions.

x, y, z = sp.symbols("x y z")


@pytest.mark.parametrize(
    ("expr", "expected"),
    [
        (sp.Rational(-1, 3), -1),
        (sp.Integer(0), 0),
        (sp.sqrt(2) - sp.Rational(141421356237, 10**11), 1),
        (sp.pi - sp.Rational(355, 113), -1),
        (sp.exp(1) - sp.Rational(271828, 100000), 1),
        (sp.sqrt(8) - 2 * sp.sqrt(2), 0),
        (sp.log(8) - 3 * sp.log(2), 0),
    ],
)
def test_sign(expr, expected):
    assert sign(expr) == expected


def test_close_numbers_are_separated_or_left_open():
    assert decide(Rel(sp.exp(sp.pi * sp.sqrt(163)), "<", 640320**3 + 744)) is True


def test_items_built_from_a_derivative_prove_log_bounds_and_refuse_their_neighbours():
    good = proof(
        *rises_from(x - sp.log(1 + x), x, sp.Integer(0), {}, "log(1+x) <= x"),
    ).check()
    assert good.ok
    assert len(good.mutants) >= 3
    bad = proof(*rises_from(x / 2 - sp.log(1 + x), x, sp.Integer(0), {}, "log(1+x) <= x/2")).check()
    assert not bad.ok


# The provers prove what is true and nothing else: the false goals here are close neighbours of true ones.

POSITIVE = {x: positive(), y: positive(), z: positive()}
NONNEGATIVE = {x: at_least(0), y: at_least(0), z: at_least(0)}

TRUE = [
    Goal(Rel(x / (x + y), "<", 1), POSITIVE),
    Goal(Rel((x + y) ** 2, ">=", 4 * x * y), {x: real(), y: real()}, squares=(x - y,)),
    Goal(Rel(x, "<=", z), NONNEGATIVE, given=(Rel(x, "<=", y), Rel(y, "<=", z))),
    Goal(Rel(x * y, "<=", z**2), NONNEGATIVE, given=(Rel(x, "<=", z), Rel(y, "<=", z))),
    Goal(Rel(1 / x, "<=", 1), {x: at_least(1)}),
    arm_goal(tau_sq, "<=", tau_tilde_sq * beta),
    arm_goal(tau_sq, "<", s / n, extra={J: at_least(1, integer=True)}),
]
FALSE = [
    Goal(Rel(x / (x + y), "<", 1), NONNEGATIVE | {x: positive()}),  # y = 0 makes it an equality
    Goal(Rel((x + y) ** 2, ">", 4 * x * y), {x: real(), y: real()}, squares=(x - y,)),
    Goal(Rel(x, "<", z), NONNEGATIVE, given=(Rel(x, "<=", y), Rel(y, "<=", z))),
    Goal(Rel(x * y, "<=", z**2), {x: real(), y: real(), z: real()}, given=(Rel(x, "<=", z), Rel(y, "<=", z))),
    Goal(Rel(1 / x, "<=", 1), POSITIVE),
    Goal(Rel(1 / x, ">", 0), {x: Var(sp.Integer(-1))}),
    Goal(Rel(x**2, ">=", x), POSITIVE),
    arm_goal(tau_sq, "<", tau_tilde_sq * beta),  # equality when every arm was pulled once
    arm_goal(tau_sq, "<", s / n),  # equality for a single arm
    arm_goal(s0 / s, "<=", w),
]


@pytest.mark.parametrize("goal", TRUE, ids=str)
def test_true_goals_are_proved_by_both_engines(goal):
    assert [e.outcome for e in prove(goal)] == [Outcome.PROVED, Outcome.PROVED]
    assert falsify(goal, 300) is None


@pytest.mark.parametrize("goal", FALSE, ids=str)
def test_no_engine_proves_a_false_goal(goal):
    assert falsify(goal) is not None
    assert all(e.outcome is not Outcome.PROVED for e in prove(goal))


def test_unknown_is_never_a_pass():
    goal = Goal(Rel(sp.log(1 + x), "<=", x), POSITIVE)  # true, but out of reach of both polynomial engines
    assert certificate_inequality(goal)[0] is Outcome.UNKNOWN
    assert z3_inequality(goal, 1000) is Outcome.UNKNOWN
    assert not proved(goal)


def test_identities():
    assert proved(Goal(Rel((x + y) ** 2, "=", x**2 + 2 * x * y + y**2), POSITIVE))
    assert not proved(Goal(Rel((x + y) ** 2, "=", x**2 + x * y + y**2), POSITIVE))
    assert proved(Goal(Rel(sp.exp(-sp.log(x) * y / 2), "=", x ** (-y / 2)), POSITIVE))
    assert not proved(Goal(Rel(sp.exp(-sp.log(x) * y / 2), "=", x ** (-y / 3)), POSITIVE))


def test_two_engines_prove_a_transcendental_identity_and_a_third_checks_it():
    true = Goal(Rel(sp.log(x * y), "=", sp.log(x) + sp.log(y)), POSITIVE)
    assert [e.engine for e in prove(true) if e.outcome is Outcome.PROVED] == ["flint", "sympy", "arb"]
    beyond = Goal(Rel(sp.atan(x) + sp.atan(1 / x), "=", sp.atan(y) + sp.atan(1 / y)), POSITIVE)  # true, but no rule
    assert prove(beyond)[0].outcome is Outcome.UNKNOWN
    assert not proved(beyond)


def test_a_goal_needs_a_domain_for_every_symbol():
    with pytest.raises(ValueError, match="no domain for y"):
        Goal(Rel(x, "<=", y), {x: positive()})


def test_a_hypothesis_between_numbers_is_used():
    """log 2 is no rational coefficient, and a relation between closed numbers may be a hypothesis."""
    x, half = sp.Symbol("x"), sp.Rational(1, 2)
    known = (Rel(sp.log(2), "<=", sp.log(x)), Rel(sp.log(2), ">", half))
    assert proved(Goal(Rel(sp.log(x), ">", half), {x: at_least(2)}, known))
    assert not proved(Goal(Rel(sp.log(x), ">", 1), {x: at_least(2)}, known))


def test_irrational_coefficients():
    free = {x: positive()}
    for factor in (sp.sqrt(2), sp.E, sp.pi, sp.log(2)):
        true = Goal(Rel((x + factor) * (x - factor), "=", x**2 - factor**2), free)
        assert sympy_identity(true) is Outcome.PROVED
        assert sympy_identity(Goal(Rel(factor * x, "=", 2 * x), free)) is not Outcome.PROVED
    assert all(e.ok for e in prove(Goal(Rel(sp.sqrt(2) * x * sp.sqrt(2), "=", x + x), free)))


def test_roots_of_the_same_rational_function_are_equal():
    """The simplifier alone takes seconds over such roots, and gives up."""
    k, t = sp.symbols("k t")
    free = {x: positive(), y: positive(), z: at_least(1), k: at_least(1), t: at_least(0)}
    v, w = x / (x + z * y), x / (x + k * y)
    mean = k * y / (x + k * y) + t
    nested = y * (1 + v / (t + 1)) * v + (y * w + y * w**2 / mean) * v**2 / (t + 1) ** 2
    same = y * (1 - z * y / (x + z * y)) + y * v**2 / mean
    assert proved(Goal(Rel(sp.sqrt(nested), "=", sp.sqrt(same)), free))
    assert not proved(Goal(Rel(sp.sqrt(nested), "=", sp.sqrt(same + v)), free))
    assert not proved(Goal(Rel(sp.sqrt(nested), "=", -sp.sqrt(same)), free))


def test_the_engines_for_identities_share_no_arithmetic():
    """SymPy takes FLINT's numbers where python-flint is installed, unless it is told not to before it is imported."""
    code = "import theory.kernel.engines, sympy.external.gmpy as numbers; print(numbers.GROUND_TYPES)"
    environment = {name: value for name, value in os.environ.items() if name != "SYMPY_GROUND_TYPES"}
    found = subprocess.run([sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=True)
    assert found.stdout.strip() == "python"
    assert GROUND_TYPES == "python"  # in the tests, too


def test_the_cache_of_sympy_is_not_limited_in_the_tests():
    """As in `theory`: SymPy reads the limit when it is first imported, which may be before that."""
    assert SYMPY_CACHE_SIZE is None
