"""Appendix D, continued: where more arms or more pulls make the estimates of the variances consistent."""

from fractions import Fraction
from itertools import product

import sympy as sp

from theory.kernel.argument import Argument, Computation, exactly_equal, proof
from theory.kernel.claim import claim
from theory.kernel.goal import Goal, Letter, Rel, at_least, positive
from theory.kernel.rules import SumOver, instance
from theory.model.arms import LETTERS, J, K, No, Qo, n, s, s0
from theory.model.quantities import N_STAR
from theory.model.squared_deviations import SquaresVariance, kappa
from theory.paper.appendix_d.variances import DOMAIN, expectation_between_arms, noise_estimate

c, M = sp.symbols("c M")


@claim(
    "sec:estimation-3/consistent-in-arms",
    by="us",
    kind="limit",
    cites=("variance2/bias",),
)
def bias_of_many_arms() -> Argument:
    """Our remark, as methods of moments are named among the consistent ones: more arms do not remove the bias of the
    printed estimate, more pulls of every arm do. The repaired estimate has none."""
    x, count = sp.Symbol("x"), at_least(1, integer=True)
    equal = {n: c, No: J * c, Qo: J * c**2}
    # other counts n_i >= M: No >= J M, and No^2 - Qo = sum of n_i (No - n_i) >= No (J-1) M
    domain = {**DOMAIN, M: count, J: count}
    facts = (Rel(n, ">=", M), Rel(No, ">=", J * M), Rel(Qo, "<=", No**2 - (J - 1) * M * No))
    positives = {x: positive(), s: positive(), M: count, J: count}
    inverse = Goal(Rel(J * s / x, "<=", s / M), positives, (Rel(J * M, "<=", x),), "inverses")
    bias = J * s / N_STAR
    return proof(
        Goal(Rel(bias.xreplace(equal), "=", s / c), {**domain, c: count}, name="bias at equal counts, for every K"),
        instance(inverse, {x: N_STAR}, domain, facts, name="bias with at least M pulls each"),
        letters={
            **LETTERS,
            c: Letter(c, "the number of pulls of every arm"),
            M: Letter(M, "a number of pulls that every arm has"),
        },
    )


@claim(
    "sec:estimation-3/distribution-free",
    by="paper",
    line=663,
    kind="prose",
    cites=("variance1", "variance2/expectation"),
)
def moments_alone() -> Argument:
    """Both are quadratic in the rewards, so two moments settle their means, whatever the laws: the expectations of Eqs.
    variance1 and variance2 are computed from covariances alone, for all counts. And seen in an example: two arms pulled
    twice and once, offsets and noise of variance 1 from two different laws, have the means 1 and n_* + 1 = 7/3."""
    coin, spread_out, wide = ((-1, 1), (1, 1)), ((-2, 1), (0, 6), (2, 1)), ((-2, 1), (2, 1))  # (value, weight)

    def means(*laws: tuple[tuple[tuple[int, int], ...], ...]) -> list[Rel]:
        stated = Fraction(1), Fraction(7, 3)
        return [exactly_equal(x, y) for law in laws for x, y in zip(_means(*law), stated, strict=True)]

    example = Computation(
        "exact",
        "an example: all four pairs of laws, by enumeration",
        means,
        tuple((a, b) for a in (coin, spread_out) for b in (coin, spread_out)),
        {"constant: noise of variance 4": ((coin, wide),), "constant: offsets of variance 4": ((wide, coin),)},
    )
    return proof(*noise_estimate().items, *expectation_between_arms().items, example)


def _means(offsets: tuple[tuple[int, int], ...], noise: tuple[tuple[int, int], ...]) -> tuple[Fraction, Fraction]:
    """(E of Eq. variance1, E of the sum of n_k u_k^2) for two arms pulled twice and once."""
    total, within, between = 0, Fraction(0), Fraction(0)
    for (d1, p1), (d2, p2) in product(offsets, repeat=2):
        for (e1, q1), (e2, q2), (e3, q3) in product(noise, repeat=3):
            chance = p1 * p2 * q1 * q2 * q3
            first, second, third = d1 + e1, d1 + e2, d2 + e3
            overall, mean = Fraction(first + second + third, 3), Fraction(first + second, 2)
            total += chance
            within += chance * Fraction((first - second) ** 2, 2)
            between += chance * (2 * (mean - overall) ** 2 + (third - overall) ** 2)
    return within / total, between / total


@claim(
    "sec:estimation-3/consistent-in-pulls",
    by="us",
    kind="limit",
    cites=("variance2/repaired",),
)
def spread_needs_many_arms() -> Argument:
    """Our remark on consistency: with all arm means known, their sample variance is all that pulls can reveal of
    sigma_0^2. Its variance falls like 1/K; with two arms and offsets +-sigma_0 it is sigma_0^4 for any pulls."""
    domain = {J: at_least(1, integer=True), s0: positive(), kappa: positive()}
    variance = SquaresVariance("arms") / J**2
    two = {J: sp.Integer(1), kappa: s0**2}
    return proof(
        Goal(Rel(variance, "=", (kappa - s0**2) / K + 2 * s0**2 / (K * J)), domain, name="variance"),
        Goal(Rel(variance.xreplace(two), "=", s0**2), domain, name="two arms, offsets +-sigma_0"),
        letters={**LETTERS, kappa: Letter(kappa, "fourth moment of the offsets of the arm means")},
    )


@claim(
    "sec:estimation-3/noise-consistent",
    by="us",
    kind="limit",
    cites=("variance1",),
)
def noise_is_consistent() -> Argument:
    """The arms' sums of squares are independent, so their variances add, and each is at most (n_k - 1) kappa, as kappa
    is at least sigma^4; an arm pulled once adds nothing. Divided by (N - K)^2 this is the variance of the estimate: at
    most kappa/(N - K), so that more pulls of any arms make it consistent."""
    i, counts, twice = sp.Symbol("i"), sp.Function("n"), at_least(2, integer=True)
    wide, squares = Rel(kappa, ">=", s**2), SquaresVariance("rewards")
    positives = {s: positive(), kappa: positive()}
    one = Goal(Rel(squares, "<=", (n - 1) * kappa), {n: twice, **positives}, (wide,), "one arm's squares")
    sizes = {J: at_least(0, integer=True), **positives, counts(i): twice}
    every = SumOver(one, i, sp.Integer(1), J + 1, sizes, family={n: counts(i)}, given=(wide,), name="all arms")
    return proof(
        every,
        Goal(Rel(squares.xreplace({n: sp.Integer(1)}), "=", 0), positives, name="an arm pulled once adds nothing"),
        letters={**LETTERS, kappa: Letter(kappa, "fourth moment of the noise of a reward")},
    )
