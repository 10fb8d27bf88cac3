"""Quantities that are written by name: what their values depend on must be printed, or different things look alike."""

import importlib
import pkgutil
from collections.abc import Iterator
from itertools import product
from typing import Any

import pytest
import sympy as sp

import theory.model
from theory.kernel import statement
from theory.kernel.goal import Goal, Rel, real
from theory.kernel.named import Fixed, Named, valued
from theory.kernel.terms import bound, substitute
from theory.model import (
    examples,
    index_play,
    intervals,
    known_play,
    laws,
    lockout,
    lockout_laws,
    matrices,
    normal,
    posterior,
    quantities,
    random_mean,
    regret,
    regret_bounds,
    small_play,
    squared_deviations,
    statistics,
    sums,
    two_arms,
    width_ratio,
)
from theory.model.arms import n, s
from theory.model.laws import MU
from theory.model.play import N, k, o, t

x, y, z, c, b = sp.symbols("x y z c b")
EXAMPLES: tuple[Named, ...] = (
    *map(examples.Listed, examples.NUMBERS),
    index_play.REGRET,
    known_play.REGRET,
    intervals.c(k),
    intervals.U(k),
    laws.BetaMean(MU * (z - MU), 2, 3),
    laws.UniformMean(MU * y, z, c),
    laws.BetaVariance(2, 3),
    laws.BetaThirdMoment(2, 3),
    laws.BernoulliVariance(x),
    laws.Variation(x, y),
    laws.ClippedMean(z, y),
    laws.ChanceOfZero(x, y),
    laws.UCB1Width(x, t, n),
    lockout.Average(k, t, o),
    lockout.FirstAverage(k, n, o),
    lockout.w_S,
    lockout_laws.Fair(x**2 * y, x),
    lockout_laws.LowMean(lockout.D, s),
    lockout_laws.Halves(x),
    matrices.Entry(x, y, z, c, n, 1),
    matrices.Entry(x, y, z, c, n, 0),
    matrices.Quadratic(x, y, matrices.SQUARED_NORM, z),
    normal.Density(x),
    normal.Tail(x),
    normal.Excess(x),
    posterior.LogPosterior(posterior.mean, posterior.mu0),
    quantities.W_K,
    quantities.W_H,
    quantities.TAU_SQ,
    quantities.V_LAM,
    quantities.ArmSum(quantities.count_i * (1 - quantities.weight_i)),
    random_mean.ArmMean(k, o),
    regret.R_N,
    regret.E_K,
    regret.ScaledRegret(N, c, b, o),
    *(regret_bounds.Bound(name, *formula.letters) for name, formula in regret_bounds.FORMULAS.items()),
    small_play.PlayMean("error", 3, sp.Rational(1, 10)),
    squared_deviations.SquaresVariance("arms"),
    squared_deviations.SquaresVariance("rewards"),
    statistics.E((statistics.mu_hat - statistics.mu_k) ** 2),
    statistics.E(statistics.rbar_k, given=statistics.mu_k),
    statistics.Cov(statistics.mu_hat, statistics.r_ij),
    statistics.Variance(statistics.rbar),
    sums.Euler(),
    *(two_arms.VarianceGiven(seen, x, y, z) for seen in (1, 2)),
    *(two_arms.ErrorWithReward(arm) for arm in (1, 2)),
    *(two_arms.ErrorAfterOneAndZero(arm) for arm in (1, 2)),
    *(two_arms.AfterThreePulls(which) for which in (1, 2)),
    *(two_arms.OwnNoise(which) for which in (1, 2, 3)),
    width_ratio.M(x, y),
)
LETTERS = sp.symbols("i j k m n o p q t u x y z K N")
NEW = sp.Symbol("new")
REFUSED = ValueError, TypeError, sp.PolynomialError
OTHERS = tuple(map(sp.sympify, (1, 2, sp.Rational(1, 2), sp.Symbol("another"))))


def kinds(kind: type[Named] = Named) -> Iterator[type[Named]]:
    """The classes of named quantities of the model of which no class is made."""
    for below in kind.__subclasses__():
        yield from kinds(below)
        if not below.__subclasses__() and below.__module__.startswith("theory.model."):
            yield below


def shown(q: Named) -> list[str]:
    """How it is printed, with the formula beside it; its value must exist."""
    goal = Goal(Rel(q, "=", 7), dict.fromkeys(valued(q).free_symbols, real()))
    reader = statement.reader(goal)
    return [reader.latex(q), reader.text(q), *statement.definitions(goal)]


def others(q: Named) -> Iterator[tuple[Any, ...]]:
    """The arguments with another number or symbol for a symbol, or in a place, but for the outcome."""
    places = q.args[: len(q.args) - getattr(q, "of_outcome", 0)]
    symbols = valued(q).free_symbols - set(q.args[len(places) :])
    for other in OTHERS:
        yield from ([x_.xreplace({symbol: other}) for x_ in q.args] for symbol in sorted(symbols, key=str))
        for place, argument in enumerate(places):
            if not isinstance(argument, sp.Tuple | Fixed):
                yield *q.args[:place], other, *q.args[place + 1 :]


def test_there_is_an_example_of_each_kind():
    for module in pkgutil.iter_modules(theory.model.__path__):
        importlib.import_module(f"theory.model.{module.name}")
    assert {type(q) for q in EXAMPLES} >= set(kinds())


def test_numbers_of_examples_are_printed_differently():
    """An error with estimated variances was printed like the one with known variances."""
    printed = [tuple(shown(examples.Listed(name))) for name in examples.NUMBERS]
    assert len(set(printed)) == len(printed)


@pytest.mark.parametrize("q", EXAMPLES, ids=str)
def test_what_the_value_depends_on_is_printed(q):
    """Otherwise the argument is refused: R^{c,b}_n = 2 R_n was a true statement about c = 2 that did not show it."""
    printed, value = shown(q), valued(q)
    for at in others(q):
        try:
            other = q.func(*at)
            alike = shown(other) == printed
        except REFUSED:
            continue
        assert not alike or valued(other) == value, other


@pytest.mark.parametrize("q", EXAMPLES, ids=str)
def test_no_operator_of_the_value_binds_a_symbol_of_an_argument(q):
    """The mean of mu + x would be that of 2 mu if x is the variable of integration: such an argument is refused."""
    places = q.args[: len(q.args) - getattr(q, "of_outcome", 0)]
    variables = q.free_symbols - set(q.args[len(places) :])
    names = bound(valued(q)).union(LETTERS) - q.free_symbols - q.bound
    for symbol, name in product(sorted(variables, key=str), sorted(names, key=str)):
        try:
            value = valued(q.xreplace({symbol: name}))
        except ValueError:
            continue
        assert substitute(value, {name: NEW}) == valued(q.xreplace({symbol: NEW})), (symbol, name)
