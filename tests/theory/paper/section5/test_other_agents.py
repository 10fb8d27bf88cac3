from fractions import Fraction

import sympy as sp
from hypothesis import given
from hypothesis import strategies as st

from reucb.bounds import known_mu0_terms, no_structure_terms, theorem1, theorem1_terms
from tests.hypothesis_examples import examples
from tests.theory.harness.exactly import VARIANCES, agree, exact
from tests.theory.harness.families import Family, Sides
from tests.theory.harness.plays import LAWS, RARE, SIGN, Law, fitted, outcomes, variance
from theory.model import bound_formulas as bounds


def rival_posterior(n: int, other: int, noise: Fraction, spread: Fraction, common: Fraction) -> Sides:
    """Variance of mu_1 given the rewards of both arms, by inverting the precision matrix of (mu_0, mu_1), mu_2
    integrated out; and that of an agent who takes the arms for independent."""
    mean = 1 / common + 1 / spread + 1 / (spread + noise / other)
    exact = mean / (mean * (1 / spread + n / noise) - 1 / spread**2)
    return exact, 1 / (1 / (common + spread) + n / noise)


def posterior_error(first: int, second: int) -> Sides:
    """Mean error of arm 1 given two rewards that are the means, variances 1/4."""
    quarter = Fraction(1, 4)
    return fitted((1, 1), (first, second), [quarter], quarter).mu[0] - first, Fraction(0)


def covariances(first: Law, second: Law) -> Sides:
    """Covariances of arm 1's error with the two rewards, one pull each, computed with the larger noise for both."""
    noise = [max(variance(first), variance(second))]
    with_own = with_other = Fraction(0)
    for p, (mu, other, e, f) in outcomes(SIGN, SIGN, first, second):
        error = fitted((1, 1), (mu + e, other + f), noise, Fraction(1)).mu[0] - mu
        with_own, with_other = with_own + p * error * (mu + e), with_other + p * error * (other + f)
    return with_own, with_other


SIZES = tuple(map(Fraction, (1, 2, 3, "1/2")))
FAMILIES = {
    "sec:discussion/rival-posterior": Family(
        ((1, 2, 3), (1, 2, 3), SIZES, SIZES, SIZES), rival_posterior, (1, 1, Fraction(1), Fraction(1), Fraction(1))
    ),
    "sec:discussion/posteriors": Family(((0, 1), (0, 1)), posterior_error, (1, 0)),
    "sec:discussion/arm-dependent-noise/contrasts": Family((LAWS, LAWS), covariances, (RARE, SIGN)),
}
SETTINGS = (st.integers(1, 300), st.integers(2, 10**5), VARIANCES, VARIANCES)


@examples(30)
@given(*SETTINGS)
def test_the_price_of_learning_lies_between_root_beta_and_beta(arms, rounds, spread, noise):
    setting = {"n_arms": arms, "horizon": rounds, "sigma0_sq": float(spread), "sigma_sq": float(noise), "a": 1.0}
    price = float(bounds.learning_price(sp.Integer(arms), exact(spread), exact(noise)))
    ours, known = theorem1_terms(**setting), known_mu0_terms(**setting)
    assert abs(ours["leading"] / known["leading"] / price**0.5 - 1) < 1e-12
    assert abs(ours["tail"] / known["tail"] / price - 1) < 1e-12
    assert price**0.5 * (1 - 1e-12) <= ours["total"] / known["total"] <= price * (1 + 1e-12)


@examples(30)
@given(*SETTINGS, VARIANCES)
def test_the_rival_without_structure(arms, rounds, spread, noise, wider):
    found = no_structure_terms(
        n_arms=arms, horizon=rounds, sigma0_sq=float(spread), sigma_sq=float(noise), a=1.0, sigma_q_sq=float(wider)
    )
    assert agree(
        found["leading"],
        bounds.root_term(sp.Integer(arms), sp.Integer(rounds), exact(spread + wider), exact(noise), sp.Integer(1)),
    )


@examples(30)
@given(*SETTINGS, st.sampled_from([1, 2]))
def test_the_bound_with_a_known_mean(arms, rounds, spread, noise, part):
    found = known_mu0_terms(
        n_arms=arms, horizon=rounds, sigma0_sq=float(spread), sigma_sq=float(noise), a=float(part), part=part
    )
    leading, tail = bounds.known_mean(
        sp.Integer(arms), sp.Integer(rounds), exact(spread), exact(noise), sp.Integer(part), part
    )
    assert agree(found["leading"], leading)
    assert agree(found["tail"], tail)


def test_lower_whenever_fails_in_floats_too():
    setting = {"n_arms": 2, "horizon": 10**4, "sigma0_sq": 1e-4, "sigma_sq": 1.0, "a": 1.0}
    ours, theirs = theorem1_terms(**setting)["leading"], no_structure_terms(**setting, sigma_q_sq=1.0)["leading"]
    assert ours**2 > 25 * (1 + 9.21) * theirs**2
    assert theorem1(**setting) > ours
