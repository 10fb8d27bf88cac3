"""Known sampling variances, standard errors and intervals of the components, against metafor's published output."""

from __future__ import annotations

import numpy as np
import pytest
import scipy.stats
from hypothesis import given
from hypothesis import strategies as st

import reucb
from tests.reucb.strategies import fewer, magnitudes, statistics
from tests.reucb.test_estimation import bcg
from tests.reucb.test_variance import DYESTUFF, DYESTUFF2

SCHOOLS = [28, 8, -3, 7, -1, 1, 18, 12], np.array([15, 10, 16, 11, 9, 11, 10, 18]) ** 2  # Rubin (1981)


@pytest.mark.parametrize(
    ("method", "tau_sq", "error", "loglik"),
    [
        # metafor, dat.bcg: rma(yi, vi, method="DL" / "ML" / "REML"). Its REML adds log(K)/2 to the log-likelihood.
        ("anova", 0.3088, 0.2299, None),
        ("ml", 0.2800, 0.1443, -12.6651),
        ("reml", 0.3132, 0.1664, -12.2024 - np.log(13) / 2),
    ],
)
def test_bcg_vaccine_trials(method, tau_sq, error, loglik):
    effects, variances = bcg()
    found = reucb.variance_components(means=effects, variances=variances, method=method)
    assert found.sigma_sq is None
    assert found.sigma0_sq == pytest.approx(tau_sq, abs=5.1e-5)
    assert found.stderr.sigma0_sq == pytest.approx(error, abs=5.1e-5)
    assert found.stderr.sigma_sq is None
    if loglik is None:
        assert found.loglik is None
    else:
        assert found.loglik == pytest.approx(loglik, abs=5.1e-5)
    interval = found.interval(0.95)
    assert interval.sigma_sq is None
    # metafor, confint(rma(yi, vi, data=dat.bcg)): tau^2 0.1197 to 1.1115 (Q-profile)
    assert interval.sigma0_sq == pytest.approx((0.1197, 1.1115), abs=5.1e-5)


def test_eight_schools():
    """All estimates are 0 (Gelman et al., Bayesian Data Analysis, ch. 5); DerSimonian-Laird is negative before."""
    for method in ("anova", "ml", "reml"):
        found = reucb.variance_components(means=SCHOOLS[0], variances=SCHOOLS[1], method=method)
        assert found.sigma0_sq == 0
        assert found.interval().sigma0_sq[0] == 0
    weights = 1 / SCHOOLS[1]
    q = (weights * (SCHOOLS[0] - np.average(SCHOOLS[0], weights=weights)) ** 2).sum()
    printed = (q - 7) / (weights.sum() - (weights**2).sum() / weights.sum())
    anova = reucb.variance_components(means=SCHOOLS[0], variances=SCHOOLS[1])
    assert anova.untruncated == pytest.approx(printed, rel=1e-12)


@pytest.mark.parametrize("seed", range(4))
def test_q_profile_by_root_finding(seed):
    rng = np.random.default_rng(seed)
    means, variances = rng.normal(0, 2, 6), rng.uniform(0.2, 3, 6)

    def q(tau_sq):
        w = 1 / (tau_sq + variances)
        return (w * (means - np.average(means, weights=w)) ** 2).sum()

    low, high = reucb.variance_components(means=means, variances=variances).interval(0.9).sigma0_sq
    for bound, tail in ((low, 0.95), (high, 0.05)):
        if bound > 0:
            assert q(bound) == pytest.approx(scipy.stats.chi2.ppf(tail, 5), rel=1e-9)
        else:
            assert q(0) <= scipy.stats.chi2.ppf(tail, 5)


@pytest.mark.parametrize("method", ["ml", "reml"])
def test_known_variances_are_the_limit_of_many_rewards(method):
    """Counts c n_k with sigma^2 near c determine sigma^2 ever better; the estimate tends to that of v_k = 1/n_k."""
    counts, means = np.array([2, 5, 3, 9]), np.array([0.3, -1.0, 2.0, 0.8])
    exact = reucb.variance_components(means=means, variances=1 / counts, method=method)
    scale = 10**8
    large = counts * scale
    many = reucb.variance_components(large, means, scale * (large - 1.0), method=method)
    assert many.sigma0_sq == pytest.approx(exact.sigma0_sq, rel=1e-6)
    assert many.stderr.sigma0_sq == pytest.approx(exact.stderr.sigma0_sq, rel=1e-6)
    assert many.interval().sigma0_sq == pytest.approx(exact.interval().sigma0_sq, rel=1e-6)


@pytest.mark.parametrize("data", [DYESTUFF, DYESTUFF2])
def test_the_noise_interval_is_the_exact_one(data):
    counts, means, squares = statistics(data)
    low, high = reucb.variance_components(counts, means, squares).interval(0.9).sigma_sq
    assert (low, high) == pytest.approx(tuple(squares.sum() / scipy.stats.chi2.ppf([0.95, 0.05], 24)), rel=1e-12)


def test_balanced_interval_without_variance_between_is_the_f_test():
    """The lower limit is 0 exactly where the F test of equal arms does not reject."""
    rng = np.random.default_rng(5)
    rewards = rng.normal(size=(300, 4, 3)) + 0.9 * rng.normal(size=(300, 4, 1))
    means = rewards.mean(-1)
    squares = ((rewards - means[..., None]) ** 2).sum(-1)
    low, _ = reucb.variance_components(np.full(means.shape, 3), means, squares).interval(0.9).sigma0_sq
    p = np.array([scipy.stats.f_oneway(*row).pvalue for row in rewards])
    np.testing.assert_array_equal(low == 0, p >= 0.05)
    assert 30 < (low == 0).sum() < 270


def test_information_by_differences():
    """Observed and expected information agree for equal counts at an interior maximum of ml."""
    counts, means, squares = statistics(DYESTUFF)
    found = reucb.variance_components(counts, means, squares, method="ml")

    def deviance(s0, s):
        v = s0 + s / 5
        return 6 * np.log(v) + ((means - means.mean()) ** 2).sum() / v + squares.sum() / s + 24 * np.log(s)

    point, step = np.array([found.sigma0_sq, found.sigma_sq]), np.array([20.0, 20.0])
    hessian = np.empty((2, 2))
    for i in range(2):
        for j in range(2):
            e, d = np.eye(2)[i] * step, np.eye(2)[j] * step
            corners = [deviance(*(point + a * e + b * d)) * a * b for a in (1, -1) for b in (1, -1)]
            hessian[i, j] = sum(corners) / (4 * step[i] * step[j])
    errors = np.sqrt(np.diag(2 * np.linalg.inv(hessian)))
    assert found.stderr == pytest.approx(tuple(errors), rel=1e-3)


COVERAGE_RUNS = 4000


@pytest.mark.parametrize("sigma0", [0.0, 0.5, 2.0])
def test_coverage_of_the_component_intervals(sigma0):
    """4000 data sets of six arms with 2 to 6 rewards: between .935 and .965 of 95 % intervals must cover.

    The standard error is .0034, so exact coverage leaves these limits with probability 1.4e-5 in one of six trials; a
    true coverage of .92 or .98 would be detected with probability .999. At sigma0 = 0 the interval covers if its lower
    limit is 0, which happens with probability .975.
    """
    rng = np.random.default_rng(int(10 * sigma0))
    counts = np.array([2, 2, 3, 4, 5, 6])
    means = sigma0 * rng.normal(size=(COVERAGE_RUNS, 6)) + rng.normal(size=(COVERAGE_RUNS, 6)) / np.sqrt(counts)
    squares = rng.chisquare(counts - 1, size=(COVERAGE_RUNS, 6))
    found = reucb.variance_components(np.broadcast_to(counts, means.shape), means, squares).interval(0.95)
    expected = {"sigma0_sq": 0.975 if sigma0 == 0 else 0.95, "sigma_sq": 0.95}
    for name, truth in (("sigma0_sq", sigma0**2), ("sigma_sq", 1.0)):
        low, high = getattr(found, name)
        cover = ((low <= truth) & (truth <= high)).mean()
        assert abs(cover - expected[name]) <= 0.015, (name, cover)


@fewer
@given(st.lists(st.tuples(st.floats(-3, 3), magnitudes(-2, 2)), min_size=2, max_size=5), st.integers(-480, 480))
def test_scale_and_batches(rows, power):
    means, variances = map(np.array, zip(*rows, strict=True))
    plain = reucb.variance_components(means=means, variances=variances, method="reml")
    scaled = reucb.variance_components(
        means=np.ldexp([means, means[::-1]], power),
        variances=np.ldexp([variances, variances[::-1]], 2 * power),
        method="reml",
    )
    assert scaled.sigma0_sq.shape == (2,)
    assert scaled.sigma0_sq[0] == np.ldexp(plain.sigma0_sq, 2 * power)
    size = variances.max() + np.ptp(means) ** 2
    np.testing.assert_allclose(np.ldexp(scaled.sigma0_sq, -2 * power), plain.sigma0_sq, rtol=1e-7, atol=1e-9 * size)
    low, high = scaled.interval().sigma0_sq
    assert low.shape == high.shape == (2,)
    assert (low <= high).all()
    assert np.isfinite(high).all()


def test_rewards_that_never_vary():
    found = reucb.variance_components([2, 3, 2], [1.0, 2.0, 4.0], [0.0, 0.0, 0.0], method="reml")
    assert found.stderr.sigma_sq == 0
    assert found.stderr.sigma0_sq == pytest.approx(found.sigma0_sq, rel=1e-12)  # sqrt(2 / (K - 1)) sigma0^2
    interval = found.interval(0.9)
    squares = np.var([1.0, 2.0, 4.0]) * 3
    assert interval.sigma_sq == (0, 0)
    assert interval.sigma0_sq == pytest.approx(tuple(squares / scipy.stats.chi2.ppf([0.95, 0.05], 2)), rel=1e-12)


@pytest.mark.parametrize("method", ["anova", "ml", "reml"])
def test_variances_thirty_decades_apart(method):
    """One arm has nearly all weight: traces that were differences gave 0, and nan for the standard error."""
    means, variances = [-3.7, -0.01, -6.5], [3.5e15, 2.7e-18, 9.1]
    found = reucb.variance_components(means=means, variances=variances, method=method)
    assert found.stderr.sigma0_sq > 0
    assert np.isfinite([found.stderr.sigma0_sq, *found.interval().sigma0_sq]).all()
    assert np.isfinite(reucb.blup([1, 1, 1], means, components=found).interval()).all()


def test_variances_two_hundred_decades_apart():
    """The square of a precision overflowed; the estimate is that of the limit of a mean known exactly."""
    found = [
        reucb.variance_components(means=[0.0, 1.0, 2.0], variances=[1.0, tiny, 0.3], method="reml").sigma0_sq
        for tiny in (1e-30, 1e-200)
    ]
    assert found[0] > 0.1
    assert found[1] == pytest.approx(found[0], rel=1e-12)


BAD = [
    ({"variances": [1.0, 0.0]}, ValueError, r"variances\[1\] = 0.0: must be finite and > 0"),
    ({"variances": [1.0]}, ValueError, r"variances has shape \(1,\), means has \(2,\): must be equal"),
    ({"means": [1.0], "variances": [1.0]}, ValueError, r"with at least 2 arms"),
    ({"means": None}, TypeError, r"means is missing"),
    ({"means": [1.0, np.nan]}, ValueError, r"means\[1\] = nan: must be finite real numbers"),
    ({"counts": [2, 2]}, ValueError, r"counts is given together with variances"),
    ({"sq_devs": [2, 2]}, ValueError, r"sq_devs is given together with variances"),
    ({"method": "moments"}, ValueError, r"method = 'moments': must be one of 'anova', 'ml', 'reml'"),
    ({"variances": None}, TypeError, r"counts is missing: must be given"),
]


@pytest.mark.parametrize(("change", "error", "message"), BAD)
def test_bad_input_names_argument_value_and_what_is_allowed(change, error, message):
    arguments = {"means": [0.0, 1.0], "variances": [1.0, 1.0], **change}
    with pytest.raises(error, match=message):
        reucb.variance_components(**arguments)


@pytest.mark.parametrize("level", [0.0, 1.0, -1, np.nan, "a"])
def test_levels_lie_between_0_and_1(level):
    with pytest.raises((ValueError, TypeError), match=r"level = .*: must be a number between 0 and 1"):
        reucb.variance_components([2, 2], [0.0, 1.0], [1.0, 1.0]).interval(level)
