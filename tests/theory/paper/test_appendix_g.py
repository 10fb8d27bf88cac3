"""Appendix G: Theorem 5, its constant m, lemmas, proxies and priors, and the steps of its proof."""

from fractions import Fraction
from functools import partial
from itertools import product
from math import comb, factorial, isclose, sqrt

import numpy as np
import pytest
import sympy as sp
from flint import arb
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from reucb import blup
from reucb.bounds import m_constant, theorem2_derived_terms, theorem2_terms
from tests.hypothesis_examples import examples
from tests.theory.harness.exactly import VARIANCES, agree, exact
from tests.theory.harness.families import Family, Sides, number
from tests.theory.harness.plays import fitted
from theory.model import bound_formulas as bounds
from theory.model.width_ratio import J, m, q


@examples(40)
@given(st.integers(1, 500), VARIANCES, VARIANCES)
def test_the_constant_is_what_reucb_computes(arms, spread, noise):
    found = m_constant(n_arms=arms, sigma0_sq=float(spread), sigma_sq=float(noise))
    assert agree(found, bounds.m_constant(sp.Integer(arms), exact(spread), exact(noise)))
    assert agree(found, m.subs({J: arms - 1, q: sp.sqrt(exact(noise) / (arms * exact(spread)))}))
    assert arms / (arms + 1) * (1 - 1e-15) <= found < (1 + (float(noise / spread) / arms) ** 0.5) ** 2


def m_against_a(arms: int) -> Sides:
    """m of the Bernoulli experiments, rho = 100/3, and their a = 1."""
    rho = arb(100) / 3
    return (1 + (rho / arms).sqrt()) ** 2 / (1 + 1 / (arms * (1 + rho))), Fraction(1)


FAMILIES = {"them-R-Bayes-SubR/m/small": Family(((20, 50, 100),), m_against_a, (20,))}


COUNTS = st.lists(st.integers(1, 20), min_size=1, max_size=5)
VARIANCE = st.builds(Fraction, st.integers(1, 9), st.integers(1, 9))


def tau(counts: list[int], spread: Fraction, noise: Fraction) -> tuple[Fraction, Fraction, Fraction]:
    """tau^2 of the first arm, tilde-tau^2 and u, straight from Eq. MSE."""
    w = [c * spread / (c * spread + noise) for c in counts]
    own = w[0] * noise / counts[0]
    return (
        own + (1 - w[0]) ** 2 * noise / sum(c * (1 - v) for c, v in zip(counts, w, strict=True)),
        own,
        (1 - w[0]) / sum(w),
    )


@examples(100)
@given(COUNTS, VARIANCE, VARIANCE)
def test_lemma_tau2_fails_exactly_in_its_region(counts, spread, noise):
    full, own, u = tau(counts, spread, noise)
    arms, rho = len(counts), noise / spread
    assert (full < own * (1 + 1 / (arms * (1 + rho)))) == (u < 1 / (arms * (1 + rho)))
    found = blup(np.array(counts), np.zeros(arms), sigma0_sq=float(spread), sigma_sq=float(noise)).mse[0]
    assert isclose(found, full, rel_tol=1e-12)


@examples(100)
@given(COUNTS, VARIANCE, VARIANCE)
def test_the_repaired_ratio(counts, spread, noise):
    full, own, u = tau(counts, spread, noise)
    star, q = float(own) * (1 + sqrt(u)) ** 2, sqrt(noise / spread / len(counts))
    assert float(full) / star >= 0.5 * (1 - 1e-12)
    if q <= 1:
        assert float(full) / star >= (1 + q * q) / (1 + q) ** 2 * (1 - 1e-12)
    assert star <= float(own) * (1 + q) ** 2 * (1 + 1e-12)


@examples(50)
@given(st.integers(1, 6), VARIANCE)
def test_lemma_tautotau_at_one_pull_each(arms, rho):
    full, own, u = tau([1] * arms, Fraction(1), rho)
    assert u == rho / arms
    ratio, printed = 1 + u, 1 + 1 / (arms * (1 + rho))  # over the common denominator (1 + sqrt(rho/K))^2
    assert (ratio < printed) == (rho * (1 + rho) < 1)
    assert full == own * ratio


def third_moment(p: int, q: int) -> Sides:
    """E(X - EX)^3 of Beta(p, q) from its raw moments as ratios of factorials, against 0."""
    raw = [
        Fraction(factorial(p + k - 1) * factorial(p + q - 1), factorial(p - 1) * factorial(p + q + k - 1))
        for k in range(4)
    ]
    return sum((comb(3, k) * raw[k] * (-raw[1]) ** (3 - k) for k in range(4)), Fraction(0)), Fraction(0)


BETA = Family((range(1, 13), range(1, 13)), third_moment, (1, 9))
FAMILIES |= {"sec:extensions/beta-prior": BETA}


def test_the_third_moment_of_the_beta_prior(ledger):
    """SciPy's skewness times the cubed deviation is the exact number of the ledger."""
    law = stats.beta(1, 9)
    shown = ledger["sec:extensions/beta-prior"].finding.counterexample
    assert float(law.stats("s")) * law.std() ** 3 == pytest.approx(float(Fraction(shown["left"])), rel=1e-12)
    assert float(law.var()) == pytest.approx(float(Fraction(shown["sigma0_sq"])), rel=1e-12)


def mean_error(chance: Fraction, noise: Fraction, common: bool = False) -> Sides:
    """E(mu-hat_1 - mu_1), or E(r0-bar - mu_0), after three pulls: two arms whose means are 1 with this chance, else 0,
    rewards without noise, sigma_0^2 = 1/4; after one pull each the widths are equal, so that the larger estimate is
    pulled. A third arm without pulls is predicted by the common mean."""
    total, quarter = Fraction(0), Fraction(1, 4)
    for means in product((0, 1), repeat=2):
        estimates = fitted((1, 1), means, [noise], quarter).mu
        counts = (2, 1) if estimates[0] >= estimates[1] else (1, 2)
        p = (chance if means[0] else 1 - chance) * (chance if means[1] else 1 - chance)
        fit = fitted((*counts, 0), (*means, 0), [noise], quarter)
        total += p * (fit.mu[2] - chance if common else fit.mu[0] - means[0])
    return total, Fraction(0)


HALF, QUARTER = Fraction(1, 2), Fraction(1, 4)
CHOICES = (HALF, Fraction(1, 3), Fraction(2, 3)), (Fraction(1), HALF, QUARTER)
FAMILIES |= {
    "sec:tau_star": Family(CHOICES, mean_error, (HALF, QUARTER)),
    "sec:tau_star/common-mean": Family(CHOICES, partial(mean_error, common=True), (HALF, QUARTER)),
}


def test_the_mean_error_under_adaptive_play_by_reucb_itself(ledger):
    """Two arms with fair-coin means and noise-free rewards: every outcome of three rounds, estimated by reucb.blup."""
    total = 0.0
    for means in product((0.0, 1.0), repeat=2):
        third = int(means[0] < means[1])
        counts = np.array([1, 1]) + np.eye(2, dtype=int)[third]
        total += (blup(counts, np.array(means), sigma0_sq=0.25, sigma_sq=0.25).mu[0] - means[0]) / 4
    shown = ledger["sec:tau_star"].finding.counterexample
    assert abs(total - float(Fraction(shown["left"]))) < 1e-15


def pulled_error(first: int, second: int, size: Fraction, a: Fraction) -> Sides | None:
    """Error of the arm pulled at t = 3 if an interval fails: two arms pulled once, rewards equal to the means, both
    variances of this size, a >= m."""
    fit, means = fitted((1, 1), (first, second), [size], size), (first, second)
    errors = [found - mean for found, mean in zip(fit.mu, means, strict=True)]
    widths = [(number(a * v) * arb(3).log()).sqrt() for v in fit.mse]
    m = (1 + (arb(1) / 2).sqrt()) ** 2 / (1 + arb(1) / 4)  # rho = 1, K = 2
    fails = any(number(e) > c for e, c in zip(errors, widths, strict=True))
    if not (fails and number(a) >= m):
        return None
    return errors[0 if fit.mu[0] >= fit.mu[1] else 1], Fraction(0)


SIZES = tuple(Fraction(1, x) for x in (1, 2, 4, 8, 16, 32, 64))
RANGE = Family(
    ((1, 0), (0, 1), SIZES, (Fraction(5, 2), Fraction(3))), pulled_error, (1, 0, Fraction(1, 64), Fraction(5, 2))
)
FAMILIES |= {"decom1-result2/range": RANGE}


def fails(pulls: int, a: Fraction) -> Fraction:
    """P(the interval of a single arm fails before round t = pulls + 1), noise +-sigma: S^2 > a n log t, counted."""
    level = number(a * pulls) * arb(pulls + 1).log()
    beyond = [ups for ups in range(pulls + 1) if 2 * ups > pulls and number(Fraction((2 * ups - pulls) ** 2)) > level]
    return Fraction(sum(comb(pulls, ups) for ups in beyond), 2**pulls)


@pytest.mark.parametrize(
    ("pulls", "a", "root"),
    [
        (1, Fraction(4, 3), Fraction(1, 8)),
        (1000, Fraction(13, 25), Fraction(1, 100)),
        (5000, Fraction(13, 25), Fraction(1, 100)),
    ],
)
def test_the_power_of_delta_counted(pulls, a, root):
    """One arm, so nothing is adaptive: more intervals fail than delta^(1/m) = t^(-a/(2m)) allows, at few and at many
    pulls; not more than t^(-a/2), the repaired power."""
    m = (1 + root) ** 2 / (1 + 1 / (1 + root**2))
    assert a >= m
    chance, log = number(fails(pulls, a)), arb(pulls + 1).log()
    assert chance > (-number(a / (2 * m)) * log).exp()
    assert chance <= (-number(a / 2) * log).exp()


@examples(40)
@given(st.integers(1, 500), st.integers(2, 10**6), VARIANCES, VARIANCES, st.sampled_from([1, 2]), st.integers(1, 8))
def test_the_statement_is_what_reucb_computes(arms, rounds, spread, noise, part, width):
    setting = {
        "n_arms": arms,
        "horizon": rounds,
        "sigma0_sq": float(spread),
        "sigma_sq": float(noise),
        "a": width / 2,
        "part": part,
    }
    leading, tail = bounds.theorem2(
        sp.Integer(arms), sp.Integer(rounds), exact(spread), exact(noise), exact(Fraction(width, 2)), part
    )
    printed, derived = theorem2_terms(**setting, strict=False), theorem2_derived_terms(**setting, strict=False)
    assert agree(printed["leading"], leading)
    assert agree(printed["tail"], tail)
    ends = 4 * arms * sp.sqrt(rounds) if part == 1 else 4 * arms * (1 + sp.log(rounds))
    assert agree(derived["leading"], leading)
    assert agree(derived["tail"], ends)


def test_the_counterexample_played():
    """Two fair-coin arms without noise: the first pull costs E max - E mu = 3/4 - 1/2, more than the bound at n =
    1."""
    setting = {"n_arms": 2, "horizon": 1, "sigma0_sq": 0.25, "sigma_sq": 1 / 200, "a": 1.0}
    assert theorem2_terms(**setting, part=1)["total"] < 0.25
