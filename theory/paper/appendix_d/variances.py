"""Appendix D (`sec:estimation-3`): estimates of the two variances.

N is the number of all rewards, Q the sum of squared counts, so n_* = N - Q/N. Seen from arm k: N = n + No and
Q = n^2 + Qo. Of the other arms No >= J and J Qo >= No^2 (Cauchy-Schwarz), No <= Qo <= No^2 are known; where a relation
needs them they are its hypotheses.
"""

from collections.abc import Iterator
from dataclasses import replace

import sympy as sp

from theory.kernel.argument import Argument, Proof, misprint, proof, refuted, step
from theory.kernel.claim import claim
from theory.kernel.goal import Goal, Letter, Point, Rel, at_least, positive
from theory.kernel.region import TypedRegion, unequal
from theory.model.arms import LETTERS, J, K, No, Qo, arm_goal, arm_point, arm_points, n, s, s0
from theory.model.quantities import N_ALL, N_STAR, ArmSum, count_i
from theory.model.statistics import E, of_arm_i, r_kj, rbar, rbar_k

c = sp.Symbol("c")
N, Q = n + No, n**2 + Qo
n_star = N - Q / N
overall = s0 * Q / N**2 + s / N  # variance of the mean of all rewards
between_expected = s0 * n_star + J * s  # the same, see `variance2/expectation`
DOMAIN = {
    n: at_least(1, integer=True),
    J: at_least(0, integer=True),
    No: at_least(0, integer=True),
    Qo: at_least(0, integer=True),
    s: positive(),
    s0: positive(),
}
FACTS = (Rel(J, "<=", No), Rel(No, "<=", Qo), Rel(No**2, "<=", J * Qo), Rel(Qo, "<=", No**2))


def bandits() -> Iterator[Point]:
    """The usual small bandits, with the sum of squared counts of the other arms."""
    for point in arm_points(None, 1)():
        others = [sp.Integer(x) for x in (point.shown or {})["n"][1:]]
        yield Point({**point.values, Qo: sum((x**2 for x in others), sp.S.Zero)}, point.shown)


def goal(
    left: sp.Expr, op: str, right: sp.Expr, name: str = "", given: tuple[Rel, ...] = (), facts: tuple[Rel, ...] = FACTS
) -> Goal:
    return Goal(Rel(left, op, right), DOMAIN, (*facts, *given), name, points=bandits, letters=LETTERS)


def identity(left: sp.Expr, right: sp.Expr, name: str, given: tuple[Rel, ...] = ()) -> Goal:
    """An equation that needs nothing of the sums over the other arms."""
    return goal(left, "=", right, name, given, facts=())


WITHIN = ArmSum(count_i * of_arm_i(E((r_kj - rbar_k) ** 2)))  # mean of the sum of squares of Eq. variance1
BETWEEN = ArmSum(count_i * of_arm_i(E((rbar_k - rbar) ** 2)))  # and of that of Eq. variance2
COUNT = at_least(1, integer=True)
MORE = (Rel(N, ">", K),)  # more pulls than arms
TWO = (Rel(No, ">", 0),)  # another arm has been pulled


@claim(
    "variance1",
    by="paper",
    kind="statement",
    cites=("payoff-R",),
)
def noise_estimate() -> Proof:
    """The rewards of an arm about their average have the mean square (n_k - 1) sigma^2/n_k; the sum over the rewards of
    all arms is divided by N - K."""
    return proof(
        arm_goal(n * E((r_kj - rbar_k) ** 2), "=", (n - 1) * s, name="one arm's part"),
        identity(WITHIN, (N_ALL - K) * s, "all arms"),
        identity(WITHIN / (N_ALL - K), s, "unbiased", MORE),
    )


@claim(
    "variance1/defined",
    by="paper",
    line=666,
    kind="definition",
    severity="edge",
    cause="undefined-estimates",
    says=r"\sum_k(n_k-1)>0 \text{ for } n_k\ge 1",
    cites=("alg:arm-ucb",),
)
def noise_estimate_defined() -> Argument:
    """After the initial rounds every count is 1 and the estimate is 0/0, just when the algorithm first needs
    it."""
    return refuted(
        goal(N - K, ">", 0), fails_iff=Rel(N, "<=", K), fails_when="every arm has been pulled exactly once: round K + 1"
    )


@claim(
    "variance1/defined/repaired",
    by="us",
    kind="definition",
    repairs="variance1/defined",
)
def noise_estimate_defined_later() -> Argument:
    """One more pull, of any arm, is enough; the algorithm needs some rule for that one pull."""
    return proof(
        identity(ArmSum(count_i - 1), N_ALL - K, name="the divisor"),
        goal(N_ALL - K, ">", 0, given=(Rel(N_ALL, ">=", K + 1),), name="more pulls than arms", facts=()),
    )


@claim(
    "variance2/expectation",
    by="us",
    kind="identity",
    cites=("payoff-M1", "payoff-R"),
)
def expectation_between_arms() -> Proof:
    """The sum is that of n_k (r-bar_k - mu_0)^2 minus N times the squared error of the overall mean."""
    return proof(
        identity(BETWEEN, N_STAR * s0 + J * s, "all arms"),
        identity(N_STAR, (2 * n * No + No**2 - Qo) / N_ALL, "n_* without cancellation"),
    )


@claim(
    "variance2",
    by="paper",
    kind="statement",
    severity="result",
    cause="noise-not-subtracted",
    says=r"E\hat\sigma_0^2=\sigma_0^2,\quad \hat\sigma_0^2=n_*^{-1}\textstyle\sum_kn_ku_k^2",
    cites=("variance2/expectation",),
)
def printed_spread_estimate() -> Argument:
    """Called unbiased, but the noise of the sample means is not subtracted: it is too large by (K-1)
    sigma^2/n_*."""
    two = (Rel(No, ">", 0),)
    always = (
        goal(between_expected / n_star - s0, "=", J * s / n_star, "bias", two),
        goal(n_star, ">", 0, "its divisor", two),
        goal(J * s, ">", 0, "the rest", (Rel(J, ">=", 1),)),
    )
    return refuted(
        goal(between_expected / n_star, "=", s0, given=two),
        region=TypedRegion("(K - 1)*sigma_sq/n_star > 0", ("K", "n_star", "sigma_sq"), always, everywhere=True),
        fails_when="always, for K >= 2: too large by (K-1) sigma^2/n_*; at K = 1 it is 0/0",
    )


DIFFERENT = (Rel(Qo, "<=", No**2),)


@claim(
    "variance2/repaired",
    by="us",
    kind="statement",
    cites=("variance1", "variance2/expectation"),
    repairs="variance2",
)
def spread_estimate() -> Argument:
    """Taking off (K-1) times the estimate of the noise makes it unbiased for fixed counts; it can then be
    negative, and truncated at 0 it is biased again."""
    return proof(goal((BETWEEN - J * s) / N_STAR, "=", s0, "unbiased", TWO, DIFFERENT))


@claim(
    "variance2/bias",
    by="us",
    kind="inequality",
    cites=("variance2/expectation",),
)
def how_biased() -> Argument:
    """As K n_* is at most (K-1) N, the bias is at least the noise variance over the average count, K sigma^2/N; at
    round K + 1 the estimate is centred at sigma_0^2 + sigma^2."""
    equal, bias = {n: c, No: J * c, Qo: J * c**2}, J * s / N_STAR
    domain, spread = {**DOMAIN, J: COUNT}, (Rel(No**2 / J, "<=", Qo),)
    at_most = goal(K * N_STAR, "<=", J * N_ALL, "n_* is at most (1-1/K) N", facts=spread)
    return proof(
        goal(BETWEEN / N_STAR - s0, "=", bias, "bias", TWO, DIFFERENT),
        replace(at_most, domain=domain, squares=(J * n - No,), points=None),
        Goal(Rel(bias.xreplace(equal), "=", s / c), {**domain, c: COUNT}, name="equal counts"),
        letters={**LETTERS, c: Letter(c, "the number of pulls of every arm")},
    )


@claim(
    "variance2/n-star",
    by="paper",
    line=675,
    kind="definition",
    severity="edge",
    cause="one-arm",
    says=r"n_*>0",
)
def divisor_of_the_spread() -> Argument:
    """With one arm n_* is 0: nothing can show how arms differ, and the estimate is 0/0."""
    return refuted(goal(n_star, ">", 0), fails_iff=Rel(No, "<=", 0), fails_when="K = 1")


@claim(
    "variance2/n-star/repaired",
    by="us",
    kind="definition",
    repairs="variance2/n-star",
)
def divisor_for_two_arms() -> Argument:
    """All products of counts of different arms enter n_* positively; those with arm k alone already make it
    positive."""
    return proof(
        goal(N_STAR, ">", 0, "as printed, for K >= 2", TWO, DIFFERENT),
        goal(N_STAR, ">=", 2 * n * No / N_ALL, "lower bound", facts=DIFFERENT),
        step(goal(2 * n * No / N, ">", 0, "positive", TWO, ())),
    )


@claim(
    "sec:estimation-3/respectively",
    by="paper",
    line=456,
    kind="prose",
    severity="wording",
    cause="symbol",
    says=r"\text{Eq. variance1 estimates } \sigma_0^2 \text{ and Eq. variance2 } \sigma^2 \text{, "
    r"respectively}",
    cites=("variance1", "variance2"),
)
def named_in_the_wrong_order() -> Argument:
    """The experiments name the two estimators in the wrong order: Eq. variance1 has expectation sigma^2."""
    printed = Goal(
        Rel(s, "=", s0), {s: positive(), s0: positive()}, name="expectation of Eq. variance1", letters=LETTERS
    )
    return misprint(
        printed,
        at=arm_point((2,), sp.Integer(1), sp.Integer(2)),
        region=unequal(printed, s - s0),
        fails_when="sigma^2 differs from sigma_0^2",
    )


@claim(
    "sec:estimation-3/respectively/repaired",
    by="us",
    kind="prose",
    repairs="sec:estimation-3/respectively",
)
def named_in_the_right_order() -> Argument:
    """As their own definitions in the appendix say."""
    return proof(
        identity(WITHIN / (N_ALL - K), s, "Eq. variance1", MORE),
        goal((BETWEEN - J * s) / N_STAR, "=", s0, "Eq. variance2, repaired", TWO, DIFFERENT),
    )
