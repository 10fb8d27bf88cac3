"""Appendix D, continued: the estimates when pulls depend on rewards, by exact enumeration of small plays."""

from collections.abc import Callable
from fractions import Fraction
from typing import Any

import sympy as sp

from theory.kernel.argument import Argument, Computation, exactly_equal, proof, refuted
from theory.kernel.claim import claim
from theory.kernel.goal import Goal, Letter, Point, Rel, at_least, positive, real
from theory.kernel.region import Region, unequal
from theory.kernel.rules import uses
from theory.model.arms import s
from theory.model.examples import SKEWED, Listed, estimate_of_noise, four_pulls, of_example, pulled_again, variance
from theory.model.pull_sums import WORDS


@claim(
    "variance1/adaptive",
    by="paper",
    line=664,
    kind="statement",
    severity="argument",
    cause="adaptive-counts",
    says=r"E\hat\sigma^2=\sigma^2 \text{ whatever chose the pulls}",
    cites=("variance1",),
)
def noise_estimate_under_adaptive_pulls() -> Argument:
    """Unbiased is proved for counts fixed in advance. In a play of four rounds where the last pull depends on
    the rewards the average of the estimate, over all outcomes, is another number."""
    return refuted(
        of_example(Listed("estimate of the noise"), Listed("noise"), name="average over all outcomes"),
        at=Point({}),
        region=squared_errors(),
        fails_when="sum_k E n_k (rbar_k - mu_k)^2 differs from K sigma^2, which it is for fixed counts; "
        "needs pulls that depend on the rewards, as a bandit algorithm's do",
    )


def squared_errors() -> Region:
    """E sigma-hat^2 = (N sigma^2 - S)/(N - K), S the sum of E n_k (rbar_k - mu_k)^2: squares about the true means have
    mean N sigma^2 (variance1/adaptive/repaired), and going over to the sample means takes off S."""
    K, more, S = sp.symbols("K more S")  # N = K + more
    mean = Goal(
        Rel(((K + more) * s - S) / more, "=", s),
        {K: at_least(1), more: positive(), S: at_least(0), s: positive()},
        name="mean of the estimate from N > K pulls of K arms",
        letters={S: Letter(S, "sum_k E n_k (rbar_k - mu_k)^2")},
    )
    found = unequal(mean, S - K * s)
    here = Computation(
        "exact",
        "the formula at the play: S from its outcomes, N = 4, K = 2",
        lambda errors: exactly_equal((4 * NOISE - errors) / 2, estimate_of_noise()),
        (_errors(),),
        {"constant: K sigma^2 for S": (2 * NOISE,)},
    )
    return found.with_items(here)


def _errors() -> Fraction:
    """The average of sum_k n_k (rbar_k - mu_k)^2 over all outcomes of the play."""
    return sum(
        (chance * sum(Fraction(sum(a) ** 2, len(a)) for a in arms) for chance, arms in four_pulls()), Fraction(0)
    )


@claim(
    "variance1/adaptive/repaired",
    by="us",
    kind="statement",
    repairs="variance1/adaptive",
)
def wald() -> Argument:
    """Around the true mean instead of the sample mean, Wald's identity keeps the sum of squares unbiased for
    every policy; the sample mean is what adaptive pulls distort."""
    return proof(
        Computation(
            "exact",
            "each arm of the same play, by enumeration",
            lambda *pairs: [exactly_equal(_squares(arm), f * NOISE * _pulls(of)) for arm, of, f in pairs],
            ((0, 0, 1), (1, 1, 1)),
            {
                "constant: the other arm's count": ((0, 1, 1), (1, 0, 1)),
                "constant: twice the pulls": ((0, 0, 2),),
                "sign": ((0, 0, -1),),
            },
        ),
        uses("ours/classical/wald", item="sum of squared noise"),
        letters=WORDS,
    )


NOISE = variance(SKEWED)


def _squares(arm: int) -> Fraction:
    """The average sum of one arm's squared noise."""
    return sum((chance * sum(x * x for x in arms[arm]) for chance, arms in four_pulls()), Fraction(0))


def _pulls(arm: int) -> Fraction:
    """The average count of one arm."""
    return sum((chance * len(arms[arm]) for chance, arms in four_pulls()), Fraction(0))


@claim(
    "sec:estimation-3/sample-mean",
    by="paper",
    line=783,
    kind="statement",
    severity="argument",
    cause="adaptive-counts",
    says=r"E[\bar r_{k,t}\mid\mu_k]=\mu_k \text{ whatever chose the pulls}",
    cites=("payoff-R",),
)
def sample_mean_under_adaptive_pulls() -> Argument:
    """An arm that is pulled again only after a bad reward has a sample mean that is too high on average."""
    return refuted(
        of_example(Listed("sample mean"), 0, name="average of the sample mean"),
        at=Point({}),
        region=covariance_with_the_count(),
        fails_when="Cov(n_k, rbar_k) != 0, given mu_k: the bias is -Cov(n_k, rbar_k)/E n_k",
    )


def covariance_with_the_count() -> Region:
    """Wald: E n (rbar - mu) = 0 for every policy, so Cov(n, rbar) = E n mu - E n E rbar = -E n (E rbar - mu)."""
    mean, mu, pulls = sp.symbols("mean mu pulls")
    covariance = sp.Symbol("Cov(n_k, rbar_k)")
    printed = Goal(Rel(mean, "=", mu), {mean: real(), mu: real(), pulls: positive()}, name="mean of the sample mean")
    return unequal(printed, covariance, let={covariance: pulls * mu - pulls * mean})


@claim(
    "sec:estimation-3/sample-mean/repaired",
    by="us",
    kind="statement",
    repairs="sec:estimation-3/sample-mean",
)
def wald_for_the_sum() -> Argument:
    """The sum of an arm's noise is a martingale along its pulls, so sums stay centred even where means do
    not."""

    def average(of: Callable[[tuple[int, ...]], Any]) -> Fraction:
        return sum((p * of(r) for p, r in pulled_again()), Fraction(0))

    return proof(
        Computation(
            "exact",
            "the same play: the sum is centred",
            lambda statistic: exactly_equal(average(statistic), 0),
            (sum,),
            {"constant: the mean instead of the sum": (lambda r: Fraction(sum(r), len(r)),)},
        ),
        Computation(
            "exact",
            "the same play: its square",
            lambda variance: exactly_equal(average(lambda r: sum(r) ** 2), average(variance)),
            (len,),
            {"constant: the square of the count": (lambda r: len(r) ** 2,), "sign": (lambda r: -len(r),)},
        ),
        uses("ours/classical/wald", item="sum of noise"),
        uses("ours/classical/wald", item="its square"),
        letters=WORDS,
    )
