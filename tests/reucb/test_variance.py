"""variance_components against statsmodels, DerSimonian-Laird, lme4's published fits, and exact expectations."""

from __future__ import annotations

import dataclasses
import itertools
import warnings
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

import reucb
from tests.reucb.oracles import relative_error
from tests.reucb.strategies import fewer, magnitudes, problems, reward_lists, statistics

METHODS = ("moments", "anova", "ml", "reml")

# Davies (1947), yield of dyestuff in six batches; Box and Tiao (1973), simulated, no variance between batches.
DYESTUFF = [
    [1545, 1440, 1440, 1520, 1580],
    [1540, 1555, 1490, 1560, 1495],
    [1595, 1550, 1605, 1510, 1560],
    [1445, 1440, 1595, 1465, 1545],
    [1595, 1630, 1515, 1635, 1625],
    [1520, 1455, 1450, 1480, 1445],
]
DYESTUFF2 = [
    [7.298, 3.846, 2.434, 9.566, 7.990],
    [5.220, 6.556, 0.608, 11.788, -0.892],
    [0.110, 10.386, 13.434, 5.510, 8.166],
    [2.212, 4.852, 7.092, 9.288, 4.980],
    [0.282, 9.014, 4.458, 9.446, 7.198],
    [1.722, 4.782, 8.106, 0.758, 3.758],
]


@pytest.mark.parametrize(
    ("data", "method", "sigma0_sq", "sigma_sq", "deviance"),
    [
        # lme4 (Bates, "lme4: Mixed-effects modeling with R", ch. 1):
        # lmer(Yield ~ 1 + (1 | Batch), Dyestuff / Dyestuff2)
        (DYESTUFF, "reml", 1764.05, 2451.25, 319.6543),
        (DYESTUFF, "ml", 1388.33, 2451.25, 327.3271),
        (DYESTUFF2, "reml", 0.0, 13.81, 161.8283),
        (DYESTUFF2, "ml", 0.0, 13.346, 162.8730),
    ],
)
def test_golden_numbers_of_lme4(data, method, sigma0_sq, sigma_sq, deviance):
    found = reucb.variance_components(*statistics(data), method=method)
    assert found.sigma0_sq == pytest.approx(sigma0_sq, rel=3e-6)  # published to 6 digits
    assert found.sigma_sq == pytest.approx(sigma_sq, rel=4e-4)  # to 4
    assert -2 * found.loglik == pytest.approx(deviance, abs=5.1e-5)


def test_balanced_reml_is_anova_when_positive():
    quadratic = reucb.variance_components(*statistics(DYESTUFF), method="anova")
    restricted = reucb.variance_components(*statistics(DYESTUFF), method="reml")
    assert restricted.sigma0_sq == pytest.approx(quadratic.sigma0_sq, rel=1e-12)
    assert restricted.sigma_sq == pytest.approx(quadratic.sigma_sq, rel=1e-12)


def unbalanced(seed: int, sigma0: float) -> list[list[float]]:
    rng = np.random.default_rng(seed)
    return [list(3 + sigma0 * rng.standard_normal() + rng.standard_normal(n)) for n in (1, 2, 5, 9, 14, 3, 7)]


@pytest.mark.parametrize("method", ["ml", "reml"])
@pytest.mark.parametrize(("seed", "sigma0"), [(1, 1.0), (2, 2.0), (3, 0.7)])
def test_statsmodels_mixed_model(method, seed, sigma0):
    """MixedLM with one random intercept is the same model; its optimiser stops near 1e-6."""
    from statsmodels.regression.mixed_linear_model import MixedLM

    rewards = unbalanced(seed, sigma0)
    outcome = np.concatenate(rewards)
    groups = np.repeat(np.arange(len(rewards)), [len(r) for r in rewards])
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # its remarks on convergence; agreement is what is asked here
        theirs = MixedLM(outcome, np.ones((len(outcome), 1)), groups).fit(reml=method == "reml", gtol=1e-10)
    ours = reucb.variance_components(*statistics(rewards), method=method)
    assert ours.sigma0_sq == pytest.approx(theirs.cov_re.item(), rel=1e-4)
    assert ours.sigma_sq == pytest.approx(theirs.scale, rel=1e-4)
    assert ours.loglik >= theirs.llf - 1e-9  # never a worse maximum
    assert ours.loglik == pytest.approx(theirs.llf, abs=1e-6)
    fit = reucb.blup(*statistics(rewards)[:2], sigma0_sq=ours.sigma0_sq, sigma_sq=ours.sigma_sq)
    effects = [theirs.random_effects[k].item() for k in range(len(rewards))]
    np.testing.assert_allclose(fit.mu - fit.mu0, effects, rtol=0, atol=1e-4)
    assert fit.mu0 == pytest.approx(theirs.fe_params.item(), abs=1e-5)


@pytest.mark.parametrize("seed", range(5))
def test_der_simonian_laird(seed):
    """anova is their moment estimator with the sampling variances sigma^2 / n_k (statsmodels combine_effects)."""
    from statsmodels.stats.meta_analysis import combine_effects

    counts, means, squares = statistics(unbalanced(seed, 1.0))
    ours = reucb.variance_components(counts, means, squares, method="anova")
    theirs = combine_effects(means, ours.sigma_sq / counts, method_re="dl")
    assert theirs.tau2 > 0  # so that neither side is truncated
    assert ours.sigma0_sq == pytest.approx(theirs.tau2, rel=1e-12)
    fit = reucb.blup(counts, means, sigma0_sq=ours.sigma0_sq, sigma_sq=ours.sigma_sq)
    assert fit.mu0 == pytest.approx(theirs.mean_effect_re, rel=1e-12)


def exact_expectation(counts: list[int], sigma0: int, sigma: int, method: str) -> float:
    """E of sigma0_sq before truncation when effects and noise are fair signs times sigma0 and sigma.

    The estimators are quadratic forms, so only second moments matter; here the average over all signs is finite.
    """
    draws = list(itertools.product((-1, 1), repeat=len(counts) + sum(counts)))
    rewards = (
        [
            [sigma0 * effect + sigma * e for e in noise]
            for effect, noise in zip(
                signs, np.split(np.array(signs[len(counts) :]), np.cumsum(counts)[:-1]), strict=False
            )
        ]
        for signs in draws
    )
    parts = zip(*map(statistics, rewards), strict=True)
    return float(reucb.variance_components(*map(np.stack, parts), method=method).untruncated.mean())


def test_anova_is_unbiased_before_truncation_and_moments_is_not():
    counts, sigma0, sigma = [1, 2, 3], 1, 2
    assert exact_expectation(counts, sigma0, sigma, "anova") == pytest.approx(sigma0**2, rel=1e-13)
    printed = sigma0**2 + (len(counts) - 1) * sigma**2 / (6 - 14 / 6)
    assert exact_expectation(counts, sigma0, sigma, "moments") == pytest.approx(printed, rel=1e-13)
    assert printed > 3 * sigma0**2


def test_as_printed():
    """Eq. variance1 and Eq. variance2, worked example: counts (1, 2, 3), means (0, 3, 1)."""
    found = reucb.variance_components([1, 2, 3], [0.0, 3.0, 1.0], [0.0, 2.0, 4.0], method="moments")
    grand = (0 + 6 + 3) / 6
    assert found.sigma_sq == pytest.approx(6 / 3, rel=1e-15)
    assert found.sigma0_sq == pytest.approx(
        (grand**2 + 2 * (3 - grand) ** 2 + 3 * (1 - grand) ** 2) / (6 - 14 / 6), rel=1e-14
    )


# --- maximum likelihood finds the maximum


def minus_two_loglik(data, sigma0_sq, sigma_sq, restricted):
    """-2 log-likelihood of all rewards, from their statistics; variances may be arrays of one shape."""
    counts, means, squares = (x[data[0] > 0] for x in data)
    sigma_sq = np.asarray(sigma_sq)
    v = np.asarray(sigma0_sq)[..., None] + sigma_sq[..., None] / counts
    mu = (means / v).sum(-1, keepdims=True) / (1 / v).sum(-1, keepdims=True)
    size = counts.sum()
    value = (
        ((means - mu) ** 2 / v).sum(-1)
        + np.log(v).sum(-1)
        + squares.sum() / sigma_sq
        + (size - len(counts)) * np.log(sigma_sq)
        + np.log(counts).sum()
        + size * np.log(2 * np.pi)
    )
    if restricted:
        value += np.log((1 / v).sum(-1)) - np.log(2 * np.pi)
    return value


@pytest.mark.parametrize("restricted", [False, True])
@fewer
@given(rewards=reward_lists())
def test_no_point_of_a_fine_grid_is_more_likely(restricted, rewards):
    data = statistics(rewards)
    assume(data[2].sum() > 0)
    found = reucb.variance_components(*data, method="reml" if restricted else "ml")
    reached = minus_two_loglik(data, found.sigma0_sq, found.sigma_sq, restricted)
    assert -2 * found.loglik == pytest.approx(reached, abs=1e-9)
    noise = found.sigma_sq * np.geomspace(1 / 4, 4, 9)[:, None]
    between = noise * np.concatenate([[0.0], np.geomspace(1e-4, 1e4, 161)])
    assert reached <= minus_two_loglik(data, between, np.broadcast_to(noise, between.shape), restricted).min() + 1e-9


# Unbalanced data whose likelihood has two maxima, the higher one inside, or at sigma0_sq = 0.
TWO_PEAKS = [
    (
        [12, 1, 1, 1790, 4477, 267, 827],
        [-2.0295, -4.5118, -2.8575, 0.0004, -0.0099, -0.0034, -0.0345],
        [25.764, 0.0, 0.0, 4190.158, 10483.593, 623.02, 1934.64],
    ),
    (
        [3, 21, 546, 230, 445, 65],
        [1.9148, -0.018, -0.0005, 0.0085, -0.0995, 0.1689],
        [1.237, 12.365, 336.956, 141.583, 274.511, 39.569],
    ),
    ([9, 449, 2, 324], [-1.3082, 0.0225, -2.8398, 0.0128], [17.724, 992.55, 2.216, 715.61]),
]


@pytest.mark.parametrize("data", TWO_PEAKS)
def test_the_higher_of_two_maxima(data):
    data = tuple(map(np.array, data))
    found = reucb.variance_components(*data, method="reml")
    ratio = np.concatenate([[0.0], np.geomspace(1e-7, 1e3, 4001)])
    counts, means, squares = data
    h = counts / (1 + ratio[:, None] * counts)
    mu = (h * means).sum(-1) / h.sum(-1)
    noise = (squares.sum() + (h * (means - mu[:, None]) ** 2).sum(-1)) / (counts.sum() - 1)
    height = minus_two_loglik(data, ratio * noise, noise, restricted=True)
    peaks = (np.diff(height, prepend=np.inf) < 0) & (np.diff(height, append=np.inf) > 0)
    assert peaks.sum() == 2
    assert np.ptp(height[peaks]) > 1e-3  # taking the other one would show
    assert height.min() - 1e-3 < -2 * found.loglik <= height.min() + 1e-9
    assert found.sigma0_sq / found.sigma_sq == pytest.approx(ratio[height.argmin()], rel=1e-2)


def test_the_boundary_is_found_when_the_slope_points_to_it():
    """Arm means closer than noise alone would have them: sigma0_sq = 0 exactly, sigma_sq pools everything."""
    counts, means, squares = statistics([[0, 2, 0, 2], [2, 0, 2, 0], [1, 1, 3, -1]])
    for method, freedom in (("ml", 12), ("reml", 11)):
        found = reucb.variance_components(counts, means, squares, method=method)
        assert found.sigma0_sq == 0.0
        assert found.sigma_sq == pytest.approx(squares.sum() / freedom, rel=1e-15)


@pytest.mark.parametrize("method", ["ml", "reml"])
@pytest.mark.parametrize("size", [1e-9, 1e-6, 1e-3, 1.0, 1e3, 1e9, 1e60])
def test_interior_maxima_over_many_decades(method, size):
    """Equal counts have a closed form: sigma0^2 = spread of means - sigma^2 / n, wherever the ratio lies."""
    n, noise = 10**6, 1.0
    centred = np.array([-1.0, 0.0, 1.0])
    target = size / n  # sigma0^2 wanted
    divisor = 3 if method == "ml" else 2
    means = centred * np.sqrt((target + noise / n) * divisor / 2)
    squares = np.full(3, noise * (n - 1))
    found = reucb.variance_components([n] * 3, means, squares, method=method)
    assert found.sigma_sq == pytest.approx(noise, rel=1e-12)
    # The difference from sigma^2 / n cancels for small ratios: rounding of the means themselves limits it.
    assert found.sigma0_sq == pytest.approx(target, rel=1e-11 + 1e-14 / size)


def test_rewards_that_never_vary_within_an_arm():
    counts, means, squares = np.array([2, 3, 4]), np.array([1.0, 2.0, 6.0]), np.zeros(3)
    for method, divisor in (("ml", 3), ("reml", 2)):
        found = reucb.variance_components(counts, means, squares, method=method)
        assert found.sigma_sq == 0
        assert found.sigma0_sq == pytest.approx(14 / divisor, rel=1e-15)
        assert found.loglik == np.inf
    for method in METHODS:
        same = reucb.variance_components(counts, [5.0] * 3, squares, method=method)
        assert (same.sigma0_sq, same.sigma_sq) == (0.0, 0.0)


# --- invariances


@pytest.mark.parametrize("method", METHODS)
@fewer
@given(rewards=reward_lists(), power=st.integers(-480, 480), shift=st.integers(-1000, 1000))
def test_scale_shift_and_order(method, rewards, power, shift):
    data = statistics(rewards)
    counts, means, squares = data
    before = reucb.variance_components(*data, method=method)
    scaled = reucb.variance_components(counts, np.ldexp(means, power), np.ldexp(squares, 2 * power), method=method)
    assert scaled.sigma0_sq == np.ldexp(before.sigma0_sq, 2 * power)
    assert scaled.sigma_sq == np.ldexp(before.sigma_sq, 2 * power)
    moved = reucb.variance_components(counts, means + shift, squares, method=method)
    size = max(float(before.sigma_sq), float(before.sigma0_sq))
    # Rounding of the shifted means, up to 1e3, moves squared differences by 1e-12; bisection follows that.
    assert moved.sigma0_sq == pytest.approx(before.sigma0_sq, rel=1e-7, abs=1e-7 * size)
    back = reucb.variance_components(counts[::-1], means[::-1], squares[::-1], method=method)
    assert back.sigma0_sq == pytest.approx(before.sigma0_sq, rel=1e-7, abs=1e-7 * size)


@pytest.mark.parametrize("method", METHODS)
def test_large_common_mean_and_extreme_rewards(method):
    plain = reucb.variance_components(*statistics(DYESTUFF), method=method)
    counts, means, squares = statistics(DYESTUFF)
    offset = 2.0**20  # 1e6; means are fifths, kept apart from rounding by using their exact multiples
    shifted = reucb.variance_components(counts, means * 5 * 2**-20 + offset, squares * 25 * 2**-40, method=method)
    assert shifted.sigma0_sq == pytest.approx(plain.sigma0_sq * 25 * 2**-40, rel=1e-9)
    for scale in (1e147, 1e-150):
        extreme = reucb.variance_components(counts, means * scale, squares * scale * scale, method=method)
        assert extreme.sigma0_sq == pytest.approx(plain.sigma0_sq * scale * scale, rel=1e-12)
        assert extreme.sigma_sq == pytest.approx(plain.sigma_sq * scale * scale, rel=1e-12)


@pytest.mark.parametrize("method", METHODS)
def test_squares_that_would_overflow(method):
    """Counts of 1e9 and rewards near 1e150: sum n u^2 is 1e309, its quotient is not."""
    counts, means, squares = np.array([10**9, 10**9, 3]), np.array([1.0, -1.0, 0.5]), np.array([1e3, 1e3, 1e-6])
    plain = reucb.variance_components(counts, means, squares, method=method)
    large = reucb.variance_components(counts, np.ldexp(means, 500), np.ldexp(squares, 1000), method=method)
    assert large.sigma0_sq == np.ldexp(plain.sigma0_sq, 1000)
    assert large.sigma_sq == np.ldexp(plain.sigma_sq, 1000)
    assert np.isfinite(large.sigma0_sq)


@pytest.mark.parametrize("method", METHODS)
@fewer
@given(st.lists(reward_lists(arms=(3, 3)), min_size=1, max_size=4))
def test_a_batch_is_its_rows_and_unpulled_arms_do_not_count(method, rows):
    parts = [statistics(r) for r in rows]
    batch = reucb.variance_components(*(np.stack(p) for p in zip(*parts, strict=True)), method=method)
    for i, part in enumerate(parts):
        pulled = part[0] > 0
        single = reucb.variance_components(*(x[pulled] for x in part), method=method)
        size = float(single.sigma_sq + single.sigma0_sq)
        assert batch.sigma0_sq[i] == pytest.approx(single.sigma0_sq, rel=1e-7, abs=1e-9 * size)
        assert batch.sigma_sq[i] == pytest.approx(single.sigma_sq, rel=1e-7, abs=1e-9 * size)


@given(reward_lists(), st.integers(1, 3))
def test_moments_exceeds_anova_by_its_bias(rewards, extra):
    counts, means, squares = statistics(rewards)
    printed = reucb.variance_components(counts, means, squares, method="moments")
    unbiased = reucb.variance_components(counts, means, squares, method="anova")
    effective = counts.sum() - (counts.astype(float) ** 2).sum() / counts.sum()
    bias = ((counts > 0).sum() - 1) * unbiased.sigma_sq / effective
    assert printed.sigma0_sq - unbiased.untruncated == pytest.approx(bias, rel=1e-9, abs=1e-12 * printed.sigma0_sq)
    assert unbiased.sigma0_sq == max(unbiased.untruncated, 0.0)


@pytest.mark.parametrize(("centre", "spread"), [(0.0, 1.0), (1e6, 1e-3), (0.0, 1e150)])
@fewer
@given(data=st.data())
def test_quadratic_estimates_in_exact_fractions(data, centre, spread):
    """moments to 1e-12 relative; anova, a difference, to 1e-12 of what it subtracts from."""
    problem = data.draw(problems(arms=(2, 5), centre=centre, spread=spread, counts_to=8))
    assume((problem.counts > 0).sum() >= 2 and problem.counts.max() >= 2 and np.ptp(problem.means) > 1e-5 * spread)
    counts, means = problem.counts, problem.means
    squares = np.where(counts > 1, problem.noise * (1e-8 if spread > 1 else 1) * counts / 4, 0.0)
    n, m = [Fraction(int(c)) for c in counts], [Fraction(float(x)) for x in means]
    size, arms = sum(n), sum(c > 0 for c in n)
    grand = sum(a * b for a, b in zip(n, m, strict=True)) / size
    between = sum(a * (b - grand) ** 2 for a, b in zip(n, m, strict=True))
    effective = size - sum(a * a for a in n) / size
    noise = sum(Fraction(float(x)) for x in squares) / (size - arms)
    assume(between > Fraction(spread) ** 2 / 10**12)
    printed = reucb.variance_components(counts, means, squares, method="moments")
    unbiased = reucb.variance_components(counts, means, squares, method="anova")
    assert relative_error(printed.sigma_sq, noise) <= 1e-12
    assert relative_error(printed.sigma0_sq, between / effective) <= 1e-12
    exact = (between - (arms - 1) * noise) / effective
    limit = Fraction(1, 10**12) * (between + (arms - 1) * noise) / effective
    assert abs(Fraction(float(unbiased.untruncated)) - exact) <= limit


@fewer
@given(magnitudes(-2, 2))
def test_counts_of_a_thousand_million(ratio):
    """n_* = sum n (N - n) / N keeps its digits when one arm has nearly all pulls."""
    counts = np.array([10**9, 2, 1])
    found = reucb.variance_components(counts, [0.0, 1.0, -1.0], [ratio * 1e9, ratio, 0.0], method="moments")
    exact = [Fraction(int(n)) for n in counts]
    size = sum(exact)
    grand = (exact[1] - exact[2]) / size
    effective = size - sum(n * n for n in exact) / size
    between = sum(n * (m - grand) ** 2 for n, m in zip(exact, (0, 1, -1), strict=True))
    assert found.sigma0_sq == pytest.approx(float(between / effective), rel=1e-14)


# --- the result, and bad input


def test_the_result_is_frozen():
    found = reucb.variance_components([2, 2], [0.0, 1.0], [1.0, 1.0])
    assert found.method == "anova"
    assert found.loglik is None
    with pytest.raises(dataclasses.FrozenInstanceError):
        found.sigma_sq = 0.0


BAD = [
    (
        {"counts": [1, 1], "sq_devs": [0, 0]},
        ValueError,
        r"counts = \[1, 1\]: must have an arm pulled twice .*sigma_sq cannot be estimated",
    ),
    ({"counts": [5, 0]}, ValueError, r"counts = \[5, 0\]: must have two pulled arms .*sigma0_sq cannot be estimated"),
    ({"counts": [0, 0]}, ValueError, r"counts = \[0, 0\]: must have two pulled arms"),
    ({"counts": [2, -1]}, ValueError, r"counts\[1\] = -1.0: must be whole numbers"),
    ({"counts": [2, 1.5]}, ValueError, r"counts\[1\] = 1.5: must be whole numbers"),
    ({"counts": [[2, 2]]}, ValueError, r"means has shape \(2,\), counts has \(1, 2\): must be equal"),
    ({"means": [0.0, np.inf]}, ValueError, r"means\[1\] = inf: must be finite where the count is positive"),
    ({"means": ["a", "b"]}, TypeError, r"means = \['a', 'b'\]: must be real numbers"),
    ({"sq_devs": [1.0, -1.0]}, ValueError, r"sq_devs\[1\] = -1.0: must be finite and >= 0"),
    ({"sq_devs": [1.0, np.nan]}, ValueError, r"sq_devs\[1\] = nan: must be finite and >= 0"),
    ({"sq_devs": [1.0]}, ValueError, r"sq_devs has shape \(1,\), counts has \(2,\): must be equal"),
    ({"counts": [2, 1]}, ValueError, r"sq_devs\[1\] = 1.0: must be 0 where the count is 1"),
    ({"sq_devs": [True, False]}, TypeError, r"sq_devs = \[True, False\]: must be real numbers, not of type bool"),
    ({"method": "mle"}, ValueError, r"method = 'mle': must be one of 'moments', 'anova', 'ml', 'reml'"),
    ({"method": None}, TypeError, r"method = None: must be one of 'moments'"),
]


@pytest.mark.parametrize(("change", "error", "message"), BAD)
def test_bad_input_names_argument_value_and_what_is_allowed(change, error, message):
    arguments = {"counts": [2, 2], "means": [0.0, 1.0], "sq_devs": [1.0, 1.0], **change}
    with pytest.raises(error, match=message):
        reucb.variance_components(**arguments)
