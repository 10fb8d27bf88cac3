"""Section 5: Theorem 2, the steps of its proof, and its discussion."""

from fractions import Fraction
from functools import cache
from math import erfc, log, log2, pi, sqrt

import numpy as np
import pytest
import sympy as sp
from flint import acb, arb
from hypothesis import assume, given
from hypothesis import strategies as st

from reucb.bounds import (
    expected_max,
    known_mu0_terms,
    no_structure_terms,
    theorem1,
    theorem1_repaired,
    theorem1_terms,
    trivial,
)
from tests.hypothesis_examples import examples
from tests.theory.harness.exactly import VARIANCES, agree, exact
from tests.theory.harness.families import Family, Sides, number
from tests.theory.harness.plays import LAWS, RARE, SIGN, Law, fitted, outcomes, variance
from tests.theory.harness.values import enclose, precision
from theory.model import bound_formulas as bounds
from theory.paper.section5 import first_rounds as first
from theory.paper.section5 import third_term as third
from theory.paper.section5 import two_arms as two


@examples(40)
@given(st.integers(1, 500), st.integers(1, 10**6), VARIANCES, VARIANCES, st.sampled_from([1, 2]), st.integers(0, 8))
def test_the_statement_is_what_reucb_computes(arms, rounds, spread, noise, part, more):
    a = part + Fraction(more, 2)
    found = theorem1_terms(
        n_arms=arms, horizon=rounds, sigma0_sq=float(spread), sigma_sq=float(noise), a=float(a), part=part
    )
    leading, tail = bounds.theorem1(sp.Integer(arms), sp.Integer(rounds), exact(spread), exact(noise), exact(a), part)
    assert agree(found["leading"], leading) if rounds > 1 else found["leading"] == 0
    assert agree(found["tail"], tail)


@pytest.mark.parametrize(("part", "spread"), [(1, 33), (2, 9)])
def test_the_counterexample_at_one_round_and_its_neighbour(part, spread, ledger):
    shown = ledger["them-R-Bayes" if part == 1 else "them-R-Bayes/part-2"].finding.counterexample
    assert shown == {
        "K": "2",
        "horizon": "1",
        "sigma_sq": "1",
        "sigma0_sq": str(spread),
        **{k: shown[k] for k in ("left", "right")},
    }
    setting = {"n_arms": 2, "horizon": 1, "sigma_sq": 1.0, "a": float(part), "part": part}
    assert theorem1(sigma0_sq=spread, **setting) < trivial(n_arms=2, horizon=1, sigma0_sq=spread)
    assert theorem1(sigma0_sq=spread - 1, **setting) > trivial(n_arms=2, horizon=1, sigma0_sq=spread - 1)


@examples(60)
@given(VARIANCES, st.sampled_from([(1, 8), (2, 2)]))
def test_the_region_of_failure_at_two_arms(rho, case):
    part, constant = case
    fails = constant * rho * (2 + rho) ** 2 < 1 + rho
    bound = theorem1(n_arms=2, horizon=1, sigma0_sq=1.0, sigma_sq=float(rho), a=float(part), part=part)
    assert (bound < 1 / sqrt(sp.pi)) == fails


@pytest.mark.parametrize("arms", [2, 3, 10, 1000])
def test_every_number_of_arms_fails_at_one_round(arms):
    assert theorem1(n_arms=arms, horizon=1, sigma0_sq=1.0, sigma_sq=1 / (9 * arms**2), a=1.0) < expected_max(arms)


@examples(60)
@given(st.integers(1, 400), st.integers(2, 2000), VARIANCES, VARIANCES)
def test_from_two_rounds_on_it_is_above_the_round_robin(arms, rounds, spread, noise):
    bound = theorem1_repaired(n_arms=arms, horizon=rounds, sigma0_sq=float(spread), sigma_sq=float(noise), a=1.0)
    first = min(arms, rounds)
    assert trivial(n_arms=arms, horizon=first, sigma0_sq=float(spread)) <= bound


@pytest.mark.parametrize(("arms", "rounds", "noise"), [(5, 5, 0.5), (4, 3, 2.0), (12, 12, 0.25)])
def test_the_index_of_the_best_arm_against_simulation(arms, rounds, noise):
    """E(U_* - U_I) in round t <= K, played out with sigma_0 = a = 1 and mu_0 = 3. Seeded; a false alarm beyond 5
    standard errors has probability 6e-7, and a lead that is off by a hundredth of sigma_0 is some 6 of them away."""
    rng, runs, pulled = np.random.default_rng(rounds), 400_000, rounds - 1
    means = 3 + rng.standard_normal((runs, arms))
    rewards = means[:, :pulled] + sqrt(noise) * rng.standard_normal((runs, pulled))
    common = rewards.mean(axis=1, keepdims=True)
    at = {first.s: noise, first.s0: 1}
    wide, narrow = (sqrt(f(rounds).subs(at) * log(rounds)) for f in (first.fresh_sq, first.pulled_sq))
    index = np.repeat(common + wide, arms, axis=1)
    index[:, :pulled] = common + (rewards - common) / (1 + noise) + narrow
    surplus = np.take_along_axis(index, means.argmax(axis=1)[:, None], axis=1)[:, 0] - index[:, rounds - 1]
    lead = float(first.best_leads(arms, rounds, expected_max(arms)).subs(at))
    exact = lead - pulled / arms * (wide - narrow)
    assert abs(surplus.mean() - exact) < 5 * surplus.std() / sqrt(runs)
    assert (exact > 0) == (arms > 4)


FAR = 20  # deviations


@cache
def largest_error(n: int, other: int) -> Sides:
    """E[max(Y, Z) 1{Y > c or Z > d}] for the errors of two arms with equal estimates before round n + other + 1, and
    the display, variances 1. By complement: E max(Y, Z) is known, and the part inside both widths is an integral over
    Z; below -FAR deviations of Z it is at most (dev Y + dev Z) sqrt(P(Z < -FAR dev Z)), by Cauchy-Schwarz."""
    (v, cov), (_, u) = fitted((n, other), (0, 0), [Fraction(1)], Fraction(1)).errors
    rounds, slope, rest = arb(n + other + 1), number(cov / u), number(v - cov**2 / u).sqrt()
    dev_y, dev_z = number(v).sqrt(), number(u).sqrt()
    c, d = dev_y * rounds.log().sqrt(), dev_z * rounds.log().sqrt()

    def density(x: acb) -> acb:
        return (-x * x / 2).exp() / acb(2 * arb.pi()).sqrt()

    def below(x: acb) -> acb:
        return (-x / acb(2).sqrt()).erfc() / 2

    def kept(z: acb, _: bool) -> acb:
        """Density of Z at z times E[max(Y, z) 1{Y <= c} | Z = z], for z <= c."""
        low, high = (z - slope * z) / rest, (c - slope * z) / rest
        mean = z * below(low) + slope * z * (below(high) - below(low)) + rest * (density(low) - density(high))
        return mean * density(z / dev_z) / dev_z

    main = acb.integral(kept, acb(-FAR * dev_z), acb(d)).real
    cut = (dev_y + dev_z) * below(acb(-FAR)).real.sqrt()
    best = number(v + u - 2 * cov).sqrt() / (2 * arb.pi()).sqrt()
    return best - main + (-cut).union(cut), (dev_y + dev_z) / (2 * arb.pi() * rounds).sqrt()


def display(n: int, other: int) -> Sides | None:
    with precision(64):
        return largest_error(n, other) if n <= other else None  # then c >= d, as the integrand supposes


UNEVEN = Family(((1, 2, 3), (*range(1, 31), 50, 99)), display, (1, 10))
FAMILIES = {"sec:proof/third-term/display": UNEVEN}


@examples(25)
@given(st.integers(1, 12), st.sampled_from([*range(1, 40), 100, 1000]))
def test_twice_the_widest_is_enough(n, more):
    """sec:proof/third-term/display/repaired: K times the widest tau in place of the sum, for K = 2."""
    with precision(64):
        left, right = largest_error(n, n + more)
        tau = [number(v).sqrt() for v in fitted((n, n + more), (0, 0), [Fraction(1)], Fraction(1)).mse]
        assert left <= right * 2 * tau[0] / (tau[0] + tau[1])


def test_the_closed_form_against_simulation():
    """Seeded. A false alarm beyond 5 standard errors has probability 6e-7; an error of 1 % would be some 9 of them."""
    at = {third.N: 10}
    covariance = np.array([[third.VAR[0], third.COV], [third.COV, third.VAR[1]]], dtype=object)
    covariance = np.vectorize(lambda x: float(x.subs(at)))(covariance)
    errors = np.random.default_rng(11).multivariate_normal([0.0, 0.0], covariance, size=2_000_000)
    failing = (errors > sqrt(log(12)) * np.sqrt(np.diag(covariance))).any(axis=1)
    values = errors.max(axis=1) * failing
    exact = float(third.best_arms_error().subs(at))
    assert abs(values.mean() - exact) < 5 * values.std() / sqrt(len(values))


@pytest.mark.parametrize("more", [1, 5, 9, 10, 30, 1000])
def test_the_closed_form_against_quadrature(more):
    with precision(64):
        assert largest_error(1, more)[0].overlaps(enclose(third.best_arms_error(), {"N": Fraction(more)}))


@pytest.mark.parametrize(("part", "spread"), [(1, 44), (2, 25)])
def test_the_tails_of_round_two_against_simulation(part, spread):
    """One reward of two arms, sigma = 1. Seeded; a false alarm beyond 5 standard errors has probability 6e-7, and the
    union bound, a quarter or a sixth larger, is 80 of them away."""
    rng, runs, at = np.random.default_rng(spread), 1_000_000, {two.s: 1, two.s0: spread}
    noise, offsets = rng.standard_normal(runs), sqrt(spread) * rng.standard_normal((2, runs))
    errors = noise, noise + offsets[0] - offsets[1]
    width = sqrt(part * log(2))
    failing = (errors[0] > width) | (errors[1] > width * float(two.OWN.subs(at)))
    exact = float(two.round_two(part).subs(at))
    more = sqrt(spread / pi) * erfc(width / sqrt(2)) / 2  # what the larger of the two errors has beyond the second
    for values, expected in ((errors[1] * failing, exact), (np.maximum(*errors) * failing, exact + more)):
        assert abs(values.mean() - expected) < 5 * values.std() / sqrt(runs)


@pytest.mark.parametrize("part", [1, 2])
@pytest.mark.parametrize("r", [0.05, 0.5, 0.95])
def test_the_tails_of_round_two_against_quadrature(r, part):
    """By Simpson's rule over 20001 values of the other error: smooth, so exact to many digits. r is the correlation."""
    L, q = sqrt(part * log(2)), sqrt(1 - r * r)

    def below(x):
        return np.vectorize(erfc)(-x / sqrt(2)) / 2

    x = np.linspace(-12, L, 20_001)
    z = (L - r * x) / q
    kept = (r * x * below(z) - q * np.exp(-(z**2) / 2) / sqrt(2 * pi)) * np.exp(-(x**2) / 2) / sqrt(2 * pi)
    step = x[1] - x[0]
    weights = np.ones_like(x)
    weights[1:-1:2], weights[2:-1:2] = 4, 2
    closed = float(two.round_two(part).subs({two.s: r**2, two.s0: (1 - r**2) / 2}))  # the fresh arm has tau = 1
    assert abs(-step / 3 * (kept * weights).sum() - closed) < 1e-10


ROUNDED = 1 + 1e-12


def bounds_of(arms, rounds, spread, noise, common):
    """Our terms and those of the agent without the common mean, a = 1, by the code."""
    setting = {"n_arms": arms, "horizon": rounds, "sigma0_sq": float(spread), "sigma_sq": float(noise), "a": 1.0}
    return theorem1_terms(**setting), no_structure_terms(**setting, sigma_q_sq=float(common))


@examples(60)
@given(st.integers(1, 300), st.integers(2, 10**5), VARIANCES, VARIANCES, VARIANCES)
def test_the_whole_bound_compares(arms, rounds, spread, noise, common):
    assume(arms * common >= noise)
    ours, theirs = bounds_of(arms, rounds, spread, noise, common)
    root_beta = sqrt(1 + noise / (arms * spread))
    tail = ours["tail"] / root_beta  # what the repaired proof gives
    odds = float(spread / noise)
    assert ours["leading"] <= sqrt(1 + log(rounds) / log(1 + odds)) * theirs["leading"] * ROUNDED
    assert tail <= sqrt(1 + 1 / (arms * (1 + odds))) * theirs["tail"] * ROUNDED
    if spread >= noise:
        assert ours["leading"] + tail <= sqrt(1 + log2(rounds)) * theirs["total"] * ROUNDED


def leading_terms(arms: int, power: int, small: int) -> Sides:
    """Our leading term and log n times the agent's: sigma = a = 1, n = 10^power, sigma_0^2 = 10^-small, sigma_q^2 =
    1/K."""
    rounds, spread = arb(10) ** power, arb(10) ** -small

    def leading(variance: arb, price: arb) -> arb:
        ratio = (1 + variance * rounds).log() / (1 + variance).log()
        return 2 * (ratio * price * variance * arms * rounds * rounds.log()).sqrt()

    return leading(spread, 1 + 1 / (arms * spread)), rounds.log() * leading(spread + arb(1) / arms, arb(1))


FAMILIES |= {
    "sec:discussion/lower-whenever": Family(
        ((2, 10, 5, 20), (2, 3, 4, 5, 6, 7), (2, 3, 4, 5, 6, 7)), leading_terms, (10, 6, 6)
    )
}


def test_the_code_has_the_same_leading_terms() -> None:
    ours, theirs = bounds_of(10, 10**6, Fraction(1, 10**6), 1, Fraction(1, 10))
    left, right = leading_terms(10, 6, 6)
    assert ours["leading"] == pytest.approx(float(left), rel=1e-9)
    assert log(10**6) * theirs["leading"] == pytest.approx(float(right), rel=1e-9)
    assert ours["leading"] > 5 * log(10**6) * theirs["leading"]


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
FAMILIES |= {
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
