"""Quantities written by name: all that a value depends on is printed; arguments out of range are refused."""

import importlib
import pkgutil
from collections.abc import Iterator
from itertools import product
from typing import Any

import pytest
import sympy as sp

import theory.model
from theory.kernel import statement
from theory.kernel.argument import Item, proof
from theory.kernel.goal import Goal, Rel, Var, at_least, positive, real
from theory.kernel.named import Fixed, Named, valued
from theory.kernel.reader import reader
from theory.kernel.rules import follows, instance
from theory.kernel.terms import Mean, bound, substitute
from theory.model import (
    conditional_laws,
    examples,
    index_play,
    intervals,
    known_play,
    laws,
    lockout,
    lockout_laws,
    matrices,
    normal,
    play,
    posterior,
    quantities,
    raised_mean,
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
from theory.model.arms import arm_goal, n, s
from theory.model.laws import MU, BernoulliVariance, BetaThirdMoment, ChanceOfZero, UniformMean, Variation
from theory.model.play import BEST, PULLED, K, N, fresh, k, o, t
from theory.model.regret import E_K, LargestEffect
from theory.model.statistics import Cov, E, Variance, mu_hat, mu_i, mu_k, of_arm_i, r_ij, r_kj, r_kl, rbar_k

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
    shown = reader(goal)
    return [shown.latex(q), shown.text(q), *statement.definitions(goal)]


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


FIRST, THIRD, TWO = sp.Integer(1), sp.Integer(3), (Rel(K, "=", 2),)
m, d = sp.symbols("m d")


@pytest.mark.parametrize(
    "moment", [Cov(mu_hat, r_ij), E((mu_k - mu_i) ** 2), E(rbar_k, given=mu_k)], ids=["two arms", "a square", "given"]
)
def test_only_moments_of_arm_k_alone_are_moved_to_arm_i(moment):
    """Two arms, or an arm and the condition, would be printed as one: sum_i E[(mu_i - mu_i)^2] = 2 K sigma_0^2."""
    with pytest.raises(ValueError, match="must be of arm k alone"):
        of_arm_i(moment)


def test_moments_of_arm_k_are_moved_to_arm_i():
    assert of_arm_i(E((r_kj - rbar_k) ** 2)) != E((r_kj - rbar_k) ** 2)


def test_two_rewards_of_an_arm_are_there_from_two_pulls_on():
    """At n_k = 1 the variance below would be -sigma^2/2."""
    relation = Variance(rbar_k - (r_kj + r_kl) / 2), "=", s / 2 - s / n
    two_or_more = {n: at_least(2, integer=True)}
    assert verdict(arm_goal(*relation, extra=two_or_more)) == "proved"
    assert verdict(arm_goal(*relation)) == "open"


def test_the_largest_effect_is_that_of_all_arms():
    """Its value does not depend on the first argument: e_1 = e_2 would be proved."""
    assert E_K.value.has(o)
    with pytest.raises(ValueError, match="number of arms is 1"):
        _ = LargestEffect(sp.Integer(1), o).value


def test_a_standard_deviation_is_positive():
    """Only its square is printed: with d = -1 the chance of N(1, 1) below 0 would exceed 1/2."""
    with pytest.raises(ValueError, match="standard deviation is -1"):
        _ = ChanceOfZero(sp.Integer(1), sp.Integer(-1)).value
    same = Rel(ChanceOfZero(m, d), "=", sp.erfc(m / d / sp.sqrt(2)) / 2)
    assert proof(Goal(same, {m: real(), d: positive()})).check().verdict == "proved"
    assert proof(Goal(same, {m: real(), d: real()})).check().verdict == "open"


def test_a_variance_of_a_bernoulli_reward_is_that_of_a_probability():
    """At p = 2 it would be -2."""
    with pytest.raises(ValueError, match="probability is 2"):
        _ = BernoulliVariance(sp.Integer(2)).value
    below = Rel(BernoulliVariance(m), "<=", sp.Rational(1, 4))
    chance = Var(sp.Integer(0), high=sp.Integer(1))
    assert verdict(Goal(below, {m: chance}, squares=(m - sp.Rational(1, 2),))) == "proved"
    assert verdict(Goal(below, {m: real()}, squares=(m - sp.Rational(1, 2),))) == "open"


def test_parameters_of_a_beta_law_are_positive():
    """With p = -1/2 and q = 2 it would be -32/189; the mean of this "law" is -1/3."""
    with pytest.raises(ValueError, match="parameters are -1/2 and 2"):
        _ = BetaThirdMoment(sp.Rational(-1, 2), 2).value
    third = 2 * m * d * (d - m) / ((m + d) ** 3 * (m + d + 1) * (m + d + 2))
    same = Rel(BetaThirdMoment(m, d), "=", third)
    assert verdict(Goal(same, {m: positive(), d: positive()})) == "proved"
    assert verdict(Goal(same, {m: real(), d: real()}, (Rel(m + d, ">", 0),))) == "open"


def test_a_coefficient_of_variation_is_that_of_a_positive_mean():
    """The deviation over the mean -1 would be negative."""
    with pytest.raises(ValueError, match="mean is -1"):
        _ = Variation(-1, 1).value
    same = Rel(Variation(m, d**2), "=", d / m)
    assert verdict(Goal(same, {m: positive(), d: positive()})) == "proved"
    assert verdict(Goal(same, {m: real(), d: positive()}, (Rel(m**2, ">", 0),))) == "open"


def test_the_variable_of_integration_is_no_argument():
    """The mean of mu + x for mu ~ U[0, 1] would be 1, for every x."""
    x = sp.Symbol("x")
    with pytest.raises(ValueError, match="its value binds symbols of its arguments"):
        valued(UniformMean(MU + x, 0, 1))
    assert valued(UniformMean(MU + m, 0, 1)).doit() == m + sp.Rational(1, 2)


def test_the_law_of_a_quantity_given_what_was_seen_is_the_one_it_was_made_with():
    """Its mean would be any number if another density could be put, and sqrt(pi)/2 = 0 follow from x exp(-x^2)."""
    x, u = conditional_laws.x, sp.Symbol("u")
    drawn = conditional_laws.given_seen(x, sp.exp(-(x**2) / 2), ())
    like = Goal(Rel(m, "=", m), dict.fromkeys((drawn, u, m), real()))
    law = conditional_laws.bayes(drawn, drawn, u, like, "").gives.rel
    whole, part = (sp.Integral(f * sp.exp(-(u**2) / 2), (u, -sp.oo, sp.oo)) for f in (1, u))
    assert law == Rel(Mean(drawn, drawn) * whole, "=", part)
    with pytest.raises(ValueError, match="must be an exponential"):
        conditional_laws.given_seen(x, x * sp.exp(-(x**2)), ())
    with pytest.raises(ValueError, match="may have no mean"):
        conditional_laws.bayes(sp.exp(drawn**2), drawn, u, like, "")


def verdict(item: Item) -> str:
    return proof(item).check().verdict


def test_the_rival_is_that_of_an_arm():
    """At K = 2 all arms are other ones than an arm 3; its rival would be the first of them: mu_2 <= mu_1."""
    best, rivals = play.mu(sp.Integer(2), o), {arm: lockout.rival.xreplace({lockout.H: arm}) for arm in (FIRST, THIRD)}
    for arm, expected in ((FIRST, "proved"), (THIRD, "open")):
        below = instance(lockout.RIVAL, {lockout.H: arm, lockout.i: sp.Integer(2)}, lockout.EACH, TWO)
        assert verdict(follows(Rel(best, "<=", rivals[arm]), below, domain=lockout.EACH, given=TWO)) == expected


def test_a_reward_has_the_mean_of_an_arm_that_is_chosen_before_it():
    """Not of the arm of the next round, whose choice depends on the reward."""
    for arm, expected in ((BEST, "proved"), (PULLED, "proved"), (PULLED.xreplace({t: t + 1}), "open")):
        means = Mean(play.reward(arm, t, o, fresh), fresh, o), Mean(play.mu(arm, o), o)
        assert verdict(follows(Rel(means[0], "=", means[1]), *play.NO_BIAS, domain=play.DRAWN)) == expected


def test_a_third_of_two_arms_is_not_pulled():
    """It would be behind in every round for every mean."""
    domain, miss = {**raised_mean.COUPLED, **raised_mean.PLAYED}, raised_mean.AS_PLAYED.gives.rel.right
    for arm, expected in ((FIRST, "proved"), (THIRD, "open")):
        rel = Rel(raised_mean.MISSED.xreplace({k: arm}), "<=", miss.xreplace({k: arm}))
        played = instance(raised_mean.AS_PLAYED, {k: arm}, domain, TWO)
        assert verdict(follows(rel, played, domain=domain, given=TWO)) == expected
