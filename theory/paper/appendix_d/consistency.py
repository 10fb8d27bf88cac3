"""Appendix D, continued: where more arms or more pulls make the estimates of the variances consistent."""

from fractions import Fraction
from itertools import product

import sympy as sp

from theory.kernel.argument import Argument, Computation, exactly_equal, proof
from theory.kernel.claim import claim
from theory.kernel.goal import Goal, Rel, at_least, positive
from theory.model.arms import J, K, No, n, s, s0
from theory.paper.appendix_d.variances import DOMAIN, Qo, expectation_between_arms, n_star, noise_estimate

c, M = sp.symbols("c M")


@claim(
    "sec:estimation-3/consistent-in-arms",
    by="us",
    kind="limit",
    says=r"\text{equal counts } c:\ E\hat\sigma_0^2-\sigma_0^2=\sigma^2/c \text{ for every } K;\quad"
    r" n_k\ge M:\ E\hat\sigma_0^2-\sigma_0^2\le\sigma^2/M",
    uses=("variance2/bias",),
)
def bias_of_many_arms() -> Argument:
    """Our remark, as methods of moments are named among the consistent ones: more arms do not remove the bias of the
    printed estimate, more pulls of every arm do. The repaired estimate has none."""
    equal = {n: c, No: J * c, Qo: J * c**2}
    counts = {c: at_least(1, integer=True), J: at_least(1, integer=True), s: positive()}
    # other counts n_i >= M: No >= J M, and No^2 - Qo = sum of n_i (No - n_i) >= No (J-1) M
    domain = {**DOMAIN, M: at_least(1, integer=True), J: at_least(1, integer=True)}
    facts = (Rel(n, ">=", M), Rel(No, ">=", J * M), Rel(Qo, "<=", No**2 - (J - 1) * M * No))
    return proof(
        Goal(Rel((J * s / n_star).subs(equal), "=", s / c), counts, name="bias at equal counts, for every K"),
        Goal(Rel(J * M, "<=", n_star), domain, facts, "n_* is at least (K-1) M", points=None),
    )


@claim(
    "sec:estimation-3/distribution-free",
    by="paper",
    line=663,
    kind="prose",
    says=r"E\hat\sigma^2 \text{ and } E\textstyle\sum_kn_ku_k^2 \text{ depend on the laws through } \sigma_0^2"
    r" \text{ and } \sigma^2 \text{ only}",
    uses=("variance1", "variance2/expectation"),
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


def centred_square(size: sp.Expr, variance: sp.Expr, fourth: sp.Expr) -> sp.Expr:
    """E(sum of (x_i - x-bar)^2)^2 for `size` i.i.d. centred x_i with this variance and fourth moment.

    The sum is A - T^2/size, A the sum of squares and T the sum; E A^2, E A T^2 and E T^4 count equal pairs of indices.
    """
    pairs = size * fourth + size * (size - 1) * variance**2  # E A^2, and E A T^2 as well
    fourth_of_sum = size * fourth + 3 * size * (size - 1) * variance**2
    return pairs - 2 * pairs / size + fourth_of_sum / size**2


@claim(
    "sec:estimation-3/consistent-in-pulls",
    by="us",
    kind="limit",
    says=r"\operatorname{Var}\Big(\frac{1}{K-1}\sum_k(\mu_k-\bar\mu)^2\Big)=\frac{\kappa-\sigma_0^4}{K}"
    r"+\frac{2\sigma_0^4}{K(K-1)},\ \kappa=E\delta^4: \text{ the limit of } \hat\sigma_0^2 "
    r"\text{ as equal counts grow}",
    cites=("variance2/repaired",),
)
def spread_needs_many_arms() -> Argument:
    """Our remark on consistency: with all arm means known, their sample variance is all that pulls can reveal of
    sigma_0^2. Its variance falls like 1/K; with two arms and offsets +-sigma_0 it is sigma_0^4 for any pulls."""
    kappa = sp.Symbol("kappa")
    second = centred_square(K, s0, kappa) / J**2
    domain = {J: at_least(1, integer=True), s0: positive(), kappa: positive()}
    return proof(
        Goal(Rel(second - s0**2, "=", (kappa - s0**2) / K + 2 * s0**2 / (K * J)), domain, name="variance"),
        Goal(Rel((second - s0**2).subs({J: 1, kappa: s0**2}), "=", s0**2), domain, name="two arms, offsets +-sigma_0"),
    )


@claim(
    "sec:estimation-3/noise-consistent",
    by="us",
    kind="limit",
    says=r"\operatorname{Var}(\hat\sigma^2)\le\frac{\kappa}{N-K}\to 0,\quad \kappa=E(r_{k,j}-\mu_k)^4, \text{ fixed "
    r"counts with } N=\sum_kn_k>K",
    uses=("variance1",),
)
def noise_is_consistent() -> Argument:
    """The arms' sums of squares are independent, and each has a variance of at most (n_k - 1) kappa, as kappa is at
    least sigma^4; divided by (N-K)^2 their sum is kappa/(N-K). More pulls of any arms make the estimate consistent."""
    kappa = sp.Symbol("kappa")
    spread_of_one = centred_square(n, s, kappa) - ((n - 1) * s) ** 2
    domain = {n: at_least(2, integer=True), s: positive(), kappa: positive()}
    return proof(
        Goal(
            Rel(spread_of_one, "=", (n - 1) / n * ((n - 1) * (kappa - s**2) + 2 * s**2)),
            domain,
            name="variance of one arm's sum of squares",
        ),
        Goal(Rel(spread_of_one, "<=", (n - 1) * kappa), domain, (Rel(kappa, ">=", s**2),), "its bound"),
        Goal(Rel(spread_of_one.subs(n, 1), "=", 0), domain, name="an arm pulled once adds nothing"),
    )
