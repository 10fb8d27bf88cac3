"""Nothing escapes the search: every proved relation is looked at, every defect is found again, and planted falsehoods
are found."""

from __future__ import annotations

from fractions import Fraction
from importlib import import_module
from importlib.util import find_spec

import pytest
import sympy as sp
from flint import arb

from tests.theory.search import DEFECTS, IN_FAMILIES, Violation, built, proved_goals, refound, searched
from tests.theory.values import compare, enclose, holds, precision
from theory.gaussian import phi, upper
from theory.kernel.analysis import on_interval, rises_from
from theory.kernel.argument import Custom, Proof, Refutation
from theory.kernel.goal import Goal, Rel, at_least, positive, real
from theory.ledger import load, recorded
from theory.vocabulary import Wo, arm_goal, n, s, s0, tau_sq, w

x, a, t, K = sp.symbols("x a t K")

# Computations that are no relation at points of a domain; what is searched instead stands beside them.
NO_RELATION = {
    "sec:setting/counts": "numbering along all short plays: true or false, nothing to compare",
    "alg:arm-ucb/each-arm-once/repaired": "all continuations of the initial rounds, listed",
    "sec:introduction/adaptive-weights": "two weights differ; that they rise is searched",
    "notation/M": "ranks of two tables",
    "sec:discussion/sublinear": "limits",
    "sec:discussion/price-order": "a limit; the bound on beta is searched",
    "them-R-Bayes-SubR/m/limit": "limits; both ends are searched",
    "them-R-Bayes-SubR/lock-out/rate": "a limit; the steps before it are searched",
    "them-R-Bayes-SubR/long-horizons/above-one": "a limit; the steps before it are searched",
    "sec:proof/tail-integral": "an improper integral; its antiderivative is searched",
    "sec:analysis/round-robin": "an improper integral; its antiderivative is searched",
    "sec:experiments/prior-of-mu0/repaired": "a variance in the calculus of effects: one symbol",
    "ours/sharp": "sums of up to eight rounds, term by term; floats: test_sharp",
    "ours/widest-last": "sums of up to eight rounds, term by term; floats: test_sharp, test_logarithmic",
    "them-R-Bayes-SubR/repaired": "sums of a few rounds, term by term; floats: test_theorem2",
}


def mirror(module: str) -> str:
    package, name = module.rsplit(".", 1)
    return f"tests.theory.beyond.test_{name}" if package.endswith("beyond") else f"tests.theory.test_{name}"


EXACT = [c for c in load().values() if isinstance(built(c.id), Proof | Refutation)]
MODULES = sorted({c.module for c in EXACT})
FACING = {module: import_module(mirror(module)) for module in MODULES if find_spec(mirror(module))}


def covered(test: str) -> list[str]:
    """The claims that a test of this name covers, over the tests of all modules: what it is parametrised with."""
    marks = (mark for tests in FACING.values() for mark in getattr(getattr(tests, test, None), "pytestmark", ()))
    return [name for mark in marks for name in mark.args[1]]


def test_every_module_of_claims_is_faced_by_tests():
    assert list(FACING) == MODULES


def test_only_sentences_about_results_are_left_to_statistics():
    rest = {c.id for c in load().values()} - {c.id for c in EXACT}
    assert rest == {c.id for c in load().values() if c.kind == "statistical"}


def test_every_proved_relation_is_searched():
    names = covered("test_no_violation")
    assert len(names) == len(set(names))
    assert set(load()) >= IN_FAMILIES
    for c in EXACT:
        argument = built(c.id)
        items = argument.items if isinstance(argument, Proof) else argument.also
        relations = [i for i in items if isinstance(i, Goal) or (isinstance(i, Custom) and i.shows is not None)]
        assert len(relations) <= len(list(proved_goals(argument)))
        assert c.id in names or not relations, f"{c.id}: not searched"
        if isinstance(argument, Proof):
            others = [i for i in items if isinstance(i, Custom) and i.shows is None]
            excused = c.id in IN_FAMILIES or c.id in NO_RELATION
            assert not others or excused, f"{c.id}: shows nothing that can be searched"
            assert c.id in names or c.id in NO_RELATION, f"{c.id}: proved, and nothing of it is searched"


def test_every_defect_is_found_again():
    wanted = sorted(c.id for c in EXACT if recorded().get(c.id) in DEFECTS)
    assert sorted(covered("test_counterexample")) == wanted


def test_what_is_excused_exists():
    unsearched = {
        c.id
        for c in EXACT
        if isinstance(built(c.id), Proof) and any(isinstance(i, Custom) and i.shows is None for i in built(c.id).items)
    }
    assert set(NO_RELATION) <= unsearched


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
    on_interval(x - sp.log(1 + x), x, sp.Integer(0), sp.Integer(1), "0 at 0").shows,
    rises_from(x / 2 - sp.log(1 + x), x, sp.Integer(0), {x: at_least(0)}, "log(1+x) <= x/2")[0].shows,
]


@pytest.mark.parametrize("goal", PLANTED, ids=lambda g: g.name)
def test_a_planted_falsehood_is_found(goal):
    found, _ = searched(goal, 12)
    assert found is not None
    assert holds(goal.rel, found) is False


def test_a_truth_is_not_found_to_fail():
    true = Goal(Rel(sp.log(1 + x), "<=", x), {x: at_least(0)})
    assert searched(true, 12)[0] is None
    with pytest.raises(pytest.fail.Exception, match="DID NOT RAISE"):
        refound(true)
    assert issubclass(Violation, AssertionError)


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
