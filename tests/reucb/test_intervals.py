"""Intervals of arm means: exact for known variances, with measured coverage for estimated ones."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest
import scipy.stats
from scipy import integrate

import reucb
from benchmarks.interval_coverage import coverage
from reucb._numerics.one_way import mixture_quantile, ratio_nodes
from tests.reucb.strategies import statistics
from tests.reucb.test_known_variances import SCHOOLS
from tests.reucb.test_variance import DYESTUFF, DYESTUFF2


def test_known_variances_give_the_normal_interval():
    fit = reucb.blup([3, 1, 0], [1.0, 2.0, np.nan], sigma0_sq=0.5, sigma_sq=2.0)
    lower, upper = fit.interval(0.9)
    np.testing.assert_allclose(lower, fit.mu - 1.6448536269514722 * np.sqrt(fit.mse), rtol=1e-12)
    np.testing.assert_allclose(upper, fit.mu + 1.6448536269514722 * np.sqrt(fit.mse), rtol=1e-12)
    with pytest.raises(ValueError, match="read-only"):
        lower[0] = 1.0


def test_components_stand_for_both_variances():
    counts, means, squares = statistics(DYESTUFF)
    components = reucb.variance_components(counts, means, squares, method="reml")
    fit = reucb.blup(counts, means, components=components)
    same = reucb.blup(counts, means, sigma0_sq=components.sigma0_sq, sigma_sq=components.sigma_sq)
    for name in ("weights", "mu0", "mu", "mse"):
        np.testing.assert_array_equal(getattr(fit, name), getattr(same, name))
    wide, narrow = fit.interval(), same.interval()
    assert (wide[1] - wide[0] > 1.02 * (narrow[1] - narrow[0])).all()


def test_known_sampling_variances_are_those_of_the_means():
    components = reucb.variance_components(means=SCHOOLS[0], variances=SCHOOLS[1], method="reml")
    one = reucb.blup(np.ones(8), SCHOOLS[0], components=components)
    many = reucb.blup(np.full(8, 7), SCHOOLS[0], components=components)
    pooled = np.average(SCHOOLS[0], weights=1 / SCHOOLS[1])
    np.testing.assert_allclose(one.mu, pooled, rtol=1e-13)  # sigma0^2 is estimated as 0
    np.testing.assert_allclose(many.mse, one.mse, rtol=1e-13)


def posterior_by_quadrature(effects, variances, arm, x):
    """P(mu_arm <= x) under flat mu0 and sigma0^2, by adaptive quadrature over sigma0^2."""
    effects, variances = np.asarray(effects, float), np.asarray(variances, float)

    def parts(tau_sq):
        v = tau_sq + variances
        mu = (effects / v).sum() / (1 / v).sum()
        weight = np.exp(-0.5 * (((effects - mu) ** 2 / v).sum() + np.log(v).sum() + np.log((1 / v).sum())) + 20)
        shrink = variances[arm] / v[arm]
        mean = shrink * mu + (1 - shrink) * effects[arm]
        return weight, mean, np.sqrt(shrink * tau_sq + shrink**2 / (1 / v).sum())

    def weighted(tau_sq, what):
        weight, mean, sd = parts(tau_sq)
        return weight * (scipy.stats.norm.cdf(x, mean, sd) if what else 1.0)

    ends = (0, 100, 1000, 1e5)
    totals = [
        sum(integrate.quad(weighted, a, b, args=(what,), epsabs=0)[0] for a, b in pairwise(ends)) for what in (0, 1)
    ]
    return totals[1] / totals[0]


@pytest.mark.parametrize("arm", [0, 2, 6])
def test_the_ends_are_quantiles_of_the_mixture(arm):
    """64 nodes give the tails of the integral over sigma0^2 to a few parts in a thousand of a probability."""
    components = reucb.variance_components(means=SCHOOLS[0], variances=SCHOOLS[1], method="reml")
    lower, upper = reucb.blup(np.ones(8), SCHOOLS[0], components=components).interval(0.95)
    assert posterior_by_quadrature(*SCHOOLS, arm, lower[arm]) == pytest.approx(0.025, abs=5e-4)
    assert posterior_by_quadrature(*SCHOOLS, arm, upper[arm]) == pytest.approx(0.975, abs=5e-4)


@pytest.mark.parametrize("data", [DYESTUFF, DYESTUFF2])
def test_the_mixture_over_both_variances(data):
    """Sums over a fine grid, the restricted likelihood written out, flat in sigma0^2 and log sigma^2."""
    counts, means, squares = statistics(data)
    components = reucb.variance_components(counts, means, squares, method="reml")
    lower, upper = reucb.blup(counts, means, components=components).interval(0.9)
    unit = float(components.sigma_sq)
    between = unit * np.concatenate([np.linspace(0.01, 10, 500) ** 2 / 25, np.geomspace(4.02, 1e5, 400)])[:, None]
    noise = unit * np.geomspace(0.2, 6, 300)
    spread = between + noise / 5
    contrast = ((means - means.mean()) ** 2).sum()
    log_weight = -0.5 * (contrast / spread + 5 * np.log(spread) + squares.sum() / noise + 24 * np.log(noise))
    weight = np.exp(log_weight - log_weight.max()) * np.gradient(between[:, 0])[:, None]
    shrink = noise / 5 / spread
    for arm in (0, 4):
        centre = shrink * means.mean() + (1 - shrink) * means[arm]
        sd = np.sqrt(shrink * between + shrink**2 * spread / 6)
        for end, probability in ((lower, 0.05), (upper, 0.95)):
            below = (weight * scipy.stats.norm.cdf(end[arm], centre, sd)).sum() / weight.sum()
            assert below == pytest.approx(probability, abs=2e-3)


def test_mixture_quantiles():
    """One node: the t and the normal quantile. Two nodes far apart: halves of the probability at each."""
    one, zero = np.ones((1, 1)), np.zeros((1, 1))
    found = mixture_quantile(one, zero + 3, one * 2, np.array([5.0]), 0.9)
    assert found == pytest.approx(3 + 2 * scipy.stats.t.ppf(0.9, 5), rel=1e-10)
    found = mixture_quantile(one, zero, one, np.array([np.inf]), 0.9)
    assert found == pytest.approx(scipy.stats.norm.ppf(0.9), rel=1e-10)
    halves = mixture_quantile(np.full((2, 1), 0.5), np.array([[0.0], [1e3]]), np.ones((2, 1)), np.array([np.inf]), 0.2)
    assert halves == pytest.approx(scipy.stats.norm.ppf(0.4), rel=1e-8)


def test_nodes_sum_to_one_and_reach_the_boundary():
    found = reucb.variance_components(*statistics(DYESTUFF2), method="reml")
    nodes = ratio_nodes(found._statistics.data)
    assert nodes.weights.sum() == pytest.approx(1.0, rel=1e-12)
    assert nodes.ratio.min() < 0.2 / 5  # a part of 1/n
    assert (np.diff(nodes.ratio[:, 0]) > 0).all()


@pytest.mark.parametrize("data", [DYESTUFF, DYESTUFF2])
def test_equivariance_batches_and_levels(data):
    counts, means, squares = statistics(data)

    def interval(scale, shift, level=0.95):
        components = reucb.variance_components(counts, means * scale + shift, squares * scale**2, method="reml")
        return np.array(reucb.blup(counts, means * scale + shift, components=components).interval(level))

    plain = interval(1.0, 0.0)
    np.testing.assert_allclose(interval(8.0, 0.0), 8 * plain, rtol=1e-9)
    np.testing.assert_allclose(interval(1.0, 64.0), plain + 64, rtol=1e-7)
    inner = interval(1.0, 0.0, 0.5)
    assert (plain[0] < inner[0]).all()
    assert (inner[0] < inner[1]).all()
    assert (inner[1] < plain[1]).all()
    rows = reucb.variance_components([counts] * 2, [means, means[::-1]], [squares, squares[::-1]], method="reml")
    batch = np.array(reucb.blup([counts] * 2, [means, means[::-1]], components=rows).interval())
    np.testing.assert_allclose(batch[:, 0], plain, rtol=1e-9)
    np.testing.assert_allclose(batch[:, 1], plain[:, ::-1], rtol=1e-7)


def test_an_unpulled_arm_has_a_finite_interval():
    counts, means, squares = statistics([*DYESTUFF, []])
    components = reucb.variance_components(counts, means, squares, method="reml")
    lower, upper = reucb.blup(counts, means, components=components).interval()
    assert np.isfinite([lower, upper]).all()
    assert (upper - lower)[-1] > 1.5 * (upper - lower)[:-1].max()


def test_rewards_that_never_vary():
    """Arm means are known; a new arm lies within t with K - 1 degrees of freedom of their mean."""
    counts, means = [2, 2, 2, 0], [1.0, 2.0, 4.0, np.nan]
    components = reucb.variance_components(counts, means, [0.0] * 4, method="reml")
    lower, upper = reucb.blup(counts, means, components=components).interval(0.9)
    np.testing.assert_array_equal(lower[:3], means[:3])
    np.testing.assert_array_equal(upper[:3], means[:3])
    half = scipy.stats.t.ppf(0.95, 2) * np.std(means[:3], ddof=1) * np.sqrt(4 / 3)
    assert (lower[3], upper[3]) == pytest.approx((np.mean(means[:3]) - half, np.mean(means[:3]) + half), rel=1e-12)


@pytest.mark.parametrize(
    ("n_arms", "ratio", "pattern", "runs"),
    [(4, 0.5, (5,), 250), (4, 1.0, (1, 2, 3, 14), 250), (8, 0.5, (1, 2, 3, 14), 250), (18, 0.2, (1, 2, 3, 14), 100)],
)
def test_coverage(n_arms, ratio, pattern, runs):
    """At least .90 of 95 % intervals cover in 100 or 250 data sets; those that take estimates for the truth cover less.

    The standard error of the share is .0105 at most (of data sets, as arms of one set go together). True coverages are
    .94 or more (docs/intervals.md), so a false alarm has probability 7e-5; a true coverage of .87 would be detected
    with probability .99. The coverage of the plain interval is .86 or less.
    """
    found = coverage(np.resize(pattern, n_arms), ratio, runs, seed=7)
    assert found.stderr <= 0.0105
    assert found.full >= 0.90, found
    assert found.plain < found.full - 0.03, found


BAD = [
    ({"components": 3}, TypeError, r"components = 3: must be a result of variance_components"),
    ({"sigma0_sq": 1.0}, ValueError, r"sigma0_sq is given together with components"),
    ({"sigma_sq": 1.0}, ValueError, r"sigma_sq is given together with components"),
    ({"components": None}, TypeError, r"sigma0_sq is missing: must be given, or components"),
    ({"components": None, "sigma0_sq": 1.0}, TypeError, r"sigma_sq is missing: must be given, or components"),
]


@pytest.mark.parametrize(("change", "error", "message"), BAD)
def test_bad_input_names_argument_value_and_what_is_allowed(change, error, message):
    counts, means, squares = statistics(DYESTUFF)
    arguments = {"components": reucb.variance_components(counts, means, squares), **change}
    with pytest.raises(error, match=message):
        reucb.blup(counts, means, **arguments)


def test_known_variances_need_as_many_arms():
    components = reucb.variance_components(means=SCHOOLS[0], variances=SCHOOLS[1])
    with pytest.raises(ValueError, match=r"counts has shape \(3,\): must have 8 arms"):
        reucb.blup([1, 1, 1], [0.0, 1.0, 2.0], components=components)


@pytest.mark.parametrize("level", [0.0, 1.0, np.inf, "a"])
def test_levels_lie_between_0_and_1(level):
    fit = reucb.blup([1, 2], [0.0, 1.0], sigma0_sq=1.0, sigma_sq=1.0)
    with pytest.raises((ValueError, TypeError), match=r"level = .*: must be a number between 0 and 1"):
        fit.interval(level)


def test_components_made_by_hand_have_no_data():
    """They hold two variances, from which `blup` predicts; what needs the data says so."""
    made = reucb.VarianceComponents(np.float64(0.5), np.float64(1.0), "reml", np.float64(0.5))
    fit = reucb.blup([3, 4], [0.1, 0.9], components=made)
    assert np.array_equal(fit.mu, reucb.blup([3, 4], [0.1, 0.9], sigma0_sq=0.5, sigma_sq=1.0).mu)
    for ask in (lambda: made.stderr, made.interval, fit.interval):
        with pytest.raises(ValueError, match="variance_components"):
            ask()
