"""blup against Henderson's equations, dense conditional expectations, its limits, and its invariances."""

from __future__ import annotations

import dataclasses
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

import reucb
from tests.reucb.oracles import henderson, henderson_50, relative_error, solve
from tests.reucb.strategies import BlupArguments, fewer, magnitudes, problems

# The guaranteed accuracy. Measured: 6e-16 at worst, relative to each exact number itself.
TOLERANCE = 1e-12
NAMES = ("weights", "mu", "mse")


def fit(problem: BlupArguments) -> reucb.estimation.Fit:
    return reucb.blup(problem.counts, problem.means, **problem.fit_arguments())


def assert_solves_henderson(problem: BlupArguments, exact: dict) -> None:
    found = fit(problem)
    assert relative_error(found.mu0, exact["mu0"]) <= TOLERANCE
    for name in NAMES:
        for k, value in enumerate(exact[name]):
            assert relative_error(getattr(found, name)[k], value) <= TOLERANCE, (name, k, problem)


@given(problems())
def test_henderson_in_fifty_digits(problem):
    exact = henderson_50(*problem)
    # 50 digits say nothing of a sum that cancels to less than 1e-30 of its terms; fractions below do.
    assume(all(abs(m) > 1e-30 for m in [exact["mu0"], *exact["mu"]]))
    assert_solves_henderson(problem, exact)


@given(problems(arms=(1, 4)))
def test_henderson_in_exact_fractions_whatever_cancels(problem):
    exact = henderson(*problem)
    assume(all(m == 0 or abs(m) > Fraction(1, 10**18) for m in [exact["mu0"], *exact["mu"]]))
    assert_solves_henderson(problem, exact)


@pytest.mark.parametrize(("centre", "spread"), [(1e6, 1e-3), (-1e6, 1e-3), (0.0, 1e150), (0.0, 1e-150), (1e150, 1e140)])
@fewer
@given(data=st.data())
def test_henderson_at_hard_scales(data, centre, spread):
    problem = data.draw(problems(centre=centre, spread=spread, arms=(1, 4), counts_to=4 if spread < 1e-100 else 9))
    exact = henderson(*problem)
    assume(all(abs(m) > spread * 1e-15 for m in [exact["mu0"], *exact["mu"]]))
    assert_solves_henderson(problem, exact)


def test_the_oracle_notices_a_subtracted_weight():
    """A negative control: 1 - w by subtraction fails the tolerance that blup passes."""
    counts, sigma0_sq, sigma_sq = 10**9, 1e8, 1.0
    weight = counts * sigma0_sq / (counts * sigma0_sq + sigma_sq)
    exact = henderson([counts, 1], [0.0, 1.0], sigma0_sq, [sigma_sq] * 2)["mse"][0]
    good = reucb.blup([counts, 1], [0.0, 1.0], sigma0_sq=sigma0_sq, sigma_sq=sigma_sq).mse[0]
    assert relative_error(good, exact) <= TOLERANCE < relative_error((1 - weight) * sigma0_sq, exact)


@fewer
@given(problems(arms=(1, 5), counts_to=2))
def test_is_the_conditional_expectation_under_a_vague_centre(problem):
    """mu | data in the joint Gaussian with mu0 ~ N(0, huge): dense linear algebra, no shrinkage formula."""
    pulled = problem.counts > 0
    size = len(problem.counts)
    s0, scale = problem.sigma0_sq, max(problem.sigma0_sq, problem.noise.max())
    # The centre by the null-space route: contrasts of the data do not depend on mu0, so no huge variance is needed.
    data_cov = s0 * np.eye(pulled.sum()) + np.diag(problem.noise[pulled] / problem.counts[pulled])
    cross = s0 * np.eye(size)[:, pulled]
    ones = np.ones(pulled.sum())
    solved = np.linalg.solve(data_cov / scale, np.column_stack([problem.means[pulled], ones])) / scale
    information = ones @ solved[:, 1]
    centre = ones @ solved[:, 0] / information
    expected = centre + cross @ (solved[:, 0] - centre * solved[:, 1])
    lever = 1 - cross @ solved[:, 1]
    variance = s0 - np.einsum("ij,ji->i", cross, np.linalg.solve(data_cov, cross.T)) + lever**2 / information
    found = fit(problem)
    # Plain float64 with cancellation: errors relative to the inputs, times the condition (<= 1e10 here).
    np.testing.assert_allclose(found.mu, expected, rtol=0, atol=1e-11 * np.abs(problem.means[pulled]).max() + 1e-300)
    np.testing.assert_allclose(found.mse, variance, rtol=1e-9, atol=1e-12 * s0)


def test_vague_limit_of_a_proper_prior():
    """As the variance of a proper normal prior on mu0 grows, its exact posterior comes to the fit, as 1 / variance."""
    counts, means, s0, s = [3, 1, 0], [1, 2, 0], Fraction(1, 2), Fraction(2)
    found = reucb.blup(counts, means, sigma0_sq=float(s0), sigma_sq=float(s))
    gaps = []
    for vague in (10**2, 10**4, 10**6):
        prior = [[vague + (s0 if i == j else 0) for j in range(3)] for i in range(3)]
        data = [[prior[i][j] + (s / counts[i] if i == j else 0) for j in range(2)] for i in range(2)]
        solved = solve(data, [[means[i], *prior[i]] for i in range(2)])
        posterior = [sum(prior[k][i] * solved[i][0] for i in range(2)) for k in range(3)]
        variance = [prior[k][k] - sum(prior[k][i] * solved[i][k + 1] for i in range(2)) for k in range(3)]
        gaps.append(max(abs(float(x) - y) for x, y in zip(posterior + variance, [*found.mu, *found.mse], strict=True)))
    assert gaps[0] > 90 * gaps[1] > 90**2 * gaps[2]
    assert gaps[2] < 1e-5


@fewer
@given(problems(), st.floats(-4, 4), magnitudes(-3, 3))
def test_shift_and_scale_equivariance(problem, shift, scale):
    before = fit(problem)
    moved = reucb.blup(problem.counts, problem.means + shift, **problem.fit_arguments())
    size = np.abs(problem.means).max() + abs(shift)
    np.testing.assert_allclose(moved.mu, before.mu + shift, rtol=0, atol=1e-14 * size)
    np.testing.assert_array_equal(moved.mse, before.mse)
    np.testing.assert_array_equal(moved.weights, before.weights)
    scaled = reucb.blup(
        problem.counts, problem.means * scale, sigma0_sq=problem.sigma0_sq * scale**2, sigma_sq=problem.noise * scale**2
    )
    np.testing.assert_allclose(scaled.mu, before.mu * scale, rtol=0, atol=1e-13 * scale * np.abs(problem.means).max())
    np.testing.assert_allclose(scaled.mse, before.mse * scale**2, rtol=1e-13)


@fewer
@given(problems(), st.integers(-400, 400))
def test_a_power_of_two_changes_no_bit(problem, power):
    before = fit(problem)
    after = reucb.blup(
        problem.counts,
        np.ldexp(problem.means, power),
        sigma0_sq=np.ldexp(problem.sigma0_sq, 2 * power),
        sigma_sq=np.ldexp(problem.noise, 2 * power),
    )
    np.testing.assert_array_equal(after.mu, np.ldexp(before.mu, power))
    np.testing.assert_array_equal(after.mse, np.ldexp(before.mse, 2 * power))


@fewer
@given(problems(arms=(2, 6)), st.randoms(use_true_random=False))
def test_permutation_equivariance(problem, random):
    order = list(range(len(problem.counts)))
    random.shuffle(order)
    before = fit(problem)
    after = reucb.blup(
        problem.counts[order], problem.means[order], sigma0_sq=problem.sigma0_sq, sigma_sq=problem.noise[order]
    )
    np.testing.assert_array_equal(after.weights, before.weights[order])
    size = np.abs(problem.means).max()
    np.testing.assert_allclose(after.mu, before.mu[order], rtol=0, atol=1e-15 * size)
    np.testing.assert_allclose(after.mse, before.mse[order], rtol=1e-15)


@fewer
@given(problems(), st.sampled_from([0.0, 1.0, 1e6, 1e150]))
def test_mu_hat_lies_between_the_centre_and_the_arm_mean(problem, centre):
    found = reucb.blup(problem.counts, problem.means + centre, **problem.fit_arguments())
    for n, mean, mu in zip(problem.counts, problem.means + centre, found.mu, strict=True):
        low, high = sorted([mean, float(found.mu0)]) if n else [float(found.mu0)] * 2
        assert low <= mu <= high


@fewer
@given(problems(arms=(2, 5), unpulled=False), st.integers(0, 4), magnitudes(0.5, 3))
def test_monotone_in_counts_and_variances(problem, which, factor):
    k = which % len(problem.counts)
    before = fit(problem)
    more = problem.counts.copy()
    more[k] = np.ceil(more[k] * factor)
    after = fit(problem._replace(counts=more))
    slack = 1 + 1e-14  # equality up to rounding is allowed, a wrong direction is not
    assert after.weights[k] >= before.weights[k]
    assert (after.mse <= before.mse * slack).all()
    wider = fit(problem._replace(sigma0_sq=problem.sigma0_sq * factor))
    assert (wider.weights >= before.weights).all()
    assert (wider.mse * slack >= before.mse).all()
    louder = fit(problem._replace(noise=problem.noise * factor))
    assert (louder.weights <= before.weights).all()
    assert (louder.mse * slack >= before.mse).all()


@fewer
@given(problems(arms=(2, 6), unpulled=False), st.floats(-3, 3))
def test_known_below_unknown_below_the_sample_mean(problem, mu0):
    """Eq. MSE-term1 < Eq. MSE < sigma^2 / n (Prop. compare-tauANDmab, K >= 2); strictly where floats can show it."""
    known = reucb.blup(problem.counts, problem.means, mu0=mu0, **problem.fit_arguments())
    unknown = fit(problem)
    raw = problem.noise / problem.counts
    assert (known.mse <= unknown.mse).all()
    assert (unknown.mse <= raw * (1 + 1e-15)).all()
    visible = 1 - unknown.weights > 1e-6
    assert (known.mse < unknown.mse)[visible].all()
    clear = visible & (len(raw) * unknown.weights.max() * 1e6 > 1) & (unknown.weights > 1e-6)
    others = np.array([np.delete(unknown.weights, k).sum() for k in range(len(raw))])
    assert (unknown.mse < raw)[clear & (others > 1e-6 * unknown.weights)].all()


@fewer
@given(st.lists(st.tuples(st.integers(0, 3), st.integers(-8, 8)), min_size=1, max_size=30), magnitudes(-3, 3))
def test_split_or_merged_data_give_the_same_fit(log, ratio):
    """Statistics pooled from two halves of a log are the statistics of the log; so is the fit."""

    def summary(part):
        rewards = [[r for arm, r in part if arm == k] for k in range(4)]
        return (np.array([len(r) for r in rewards]), np.array([sum(r, 0.0) for r in rewards]))

    counts, sums = summary(log)
    (left, left_sums), (right, right_sums) = summary(log[::2]), summary(log[1::2])
    divide = np.maximum(counts, 1)
    # Halves pooled as weighted means, the whole as sums over counts: the same numbers up to rounding.
    left_mean, right_mean = left_sums / np.maximum(left, 1), right_sums / np.maximum(right, 1)
    pooled = left_mean + (right_mean - left_mean) * (right / divide)
    whole = reucb.blup(counts, sums / divide, sigma0_sq=ratio, sigma_sq=1.0)
    merged = reucb.blup(left + right, pooled, sigma0_sq=ratio, sigma_sq=1.0)
    np.testing.assert_allclose(merged.mu, whole.mu, rtol=0, atol=1e-14 * 8)
    np.testing.assert_array_equal(merged.mse, whole.mse)
    # One arm's pulls as many exact sub-arms of noise sigma^2 / n: an arm is its sufficient statistic.
    alone = reucb.blup(np.minimum(counts, 1), sums / divide, sigma0_sq=ratio, sigma_sq=1.0 / divide)
    np.testing.assert_allclose(alone.mu, whole.mu, rtol=0, atol=1e-14 * 8)
    np.testing.assert_allclose(alone.mse, whole.mse, rtol=1e-14)


@fewer
@given(st.lists(problems(arms=(3, 3)), min_size=1, max_size=4))
def test_a_batch_is_its_rows(rows):
    batch = reucb.blup(
        [p.counts for p in rows],
        [p.means for p in rows],
        sigma0_sq=[p.sigma0_sq for p in rows],
        sigma_sq=[p.noise for p in rows],
    )
    assert batch.mu.shape == (len(rows), 3)
    assert batch.mu0.shape == (len(rows),)
    for i, problem in enumerate(rows):
        single = fit(problem)
        for name in ("weights", "mu0", "mu", "mse"):
            np.testing.assert_array_equal(getattr(batch, name)[i], getattr(single, name))


def test_leading_axes_broadcast():
    counts, means = np.array([4, 2]), np.arange(12.0).reshape(3, 2, 2)
    found = reucb.blup(counts, means, sigma0_sq=[[1.0], [2.0], [3.0]], sigma_sq=[0.5, 1.5], mu0=[[0.0, 1.0]] * 3)
    assert found.mu.shape == (3, 2, 2)
    one = reucb.blup(counts, means[2, 1], sigma0_sq=3.0, sigma_sq=[0.5, 1.5], mu0=1.0)
    np.testing.assert_array_equal(found.mu[2, 1], one.mu)


# --- limits, as the docstring states them


def test_no_variance_between_arms():
    found = reucb.blup([1, 3, 0], [4.0, 0.0, np.nan], sigma0_sq=0, sigma_sq=2.0)
    assert found.mu0 == 1.0
    np.testing.assert_array_equal(found.mu, [1.0] * 3)
    np.testing.assert_array_equal(found.weights, [0.0] * 3)
    np.testing.assert_array_equal(found.mse, [0.5] * 3)


def test_no_noise():
    found = reucb.blup([1, 9, 0], [4.0, 0.0, np.inf], sigma0_sq=2.0, sigma_sq=0)
    np.testing.assert_array_equal(found.weights, [1.0, 1.0, 0.0])
    np.testing.assert_array_equal(found.mu, [4.0, 0.0, 2.0])
    np.testing.assert_array_equal(found.mse, [0.0, 0.0, 3.0])


def test_no_noise_in_one_arm_only():
    found = reucb.blup([1, 1], [4.0, 0.0], sigma0_sq=1.0, sigma_sq=[0.0, 1.0])
    assert found.mu0 == pytest.approx(8 / 3, rel=1e-15)  # weights 1 and 1/2
    assert found.mse[0] == 0
    shared = reucb.blup([1, 1], [4.0, 0.0], sigma0_sq=0.0, sigma_sq=[0.0, 1.0])
    np.testing.assert_array_equal(shared.mu, [4.0, 4.0])  # the exact arm determines mu0 for all arms
    np.testing.assert_array_equal(shared.mse, [0.0, 0.0])


def test_no_variance_at_all():
    found = reucb.blup([2, 0, 5], [4.0, np.nan, 4.0], sigma0_sq=0, sigma_sq=0)
    np.testing.assert_array_equal(found.mu, [4.0] * 3)
    np.testing.assert_array_equal(found.mse, [0.0] * 3)
    assert reucb.blup([2, 5], [4.0, 4.0], sigma0_sq=0, sigma_sq=0, mu0=4.0).mu0 == 4.0


@pytest.mark.parametrize("sigma0_sq", [0.0, 1e-300, 1.0, 1e300])
def test_one_arm(sigma0_sq):
    found = reucb.blup([4], [7.0], sigma0_sq=sigma0_sq, sigma_sq=2.0)
    assert found.mu0 == found.mu[0] == 7.0
    assert found.mse[0] == pytest.approx(0.5, rel=1e-15)


def test_unpulled_arms_have_the_prior_of_the_centre():
    found = reucb.blup([0, 4, 4], [np.nan, 1.0, 3.0], sigma0_sq=1.0, sigma_sq=4.0)
    assert found.mu[0] == found.mu0 == 2.0
    assert found.mse[0] == 1.0 + 1.0  # sigma0^2 + V0, V0 = 1 / (1/2 + 1/2)
    known = reucb.blup([0, 0], [0, 0], sigma0_sq=1.5, sigma_sq=4.0, mu0=9.0)
    np.testing.assert_array_equal(known.mu, [9.0, 9.0])
    np.testing.assert_array_equal(known.mse, [1.5, 1.5])


@fewer
@given(problems(arms=(2, 4)), st.sampled_from(["sigma0_sq", "noise"]))
def test_the_limits_are_limits(problem, which):
    """A variance of 1e-30 of the other gives what 0 gives, to that order."""
    zero = fit(problem._replace(**{which: 0.0 * getattr(problem, which)}))
    tiny = fit(problem._replace(**{which: 1e-40 * getattr(problem, which)}))
    np.testing.assert_allclose(tiny.mu, zero.mu, rtol=0, atol=1e-15 * np.abs(problem.means).max())
    np.testing.assert_allclose(tiny.mse, zero.mse, rtol=1e-15, atol=1e-30 * max(problem.sigma0_sq, *problem.noise))


@pytest.mark.parametrize("noise", [[0.0, 1e300], [1e-300, 1e300], [1e-200, 0.0]])
def test_variances_six_hundred_decades_apart(noise):
    found = reucb.blup([3, 10**9], [1.0, 2.0], sigma0_sq=1e-250, sigma_sq=noise)
    for array in (found.weights, found.mu, found.mse):
        assert np.isfinite(array).all()
    assert found.weights[0] == pytest.approx(1.0 if noise[0] < 1e-250 else 3e-50, rel=1e-12)


# --- golden numbers


def test_bcg_vaccine_trials():
    """Random-effects meta-analysis of 13 trials: counts 1, per-arm noise = sampling variances.

    Data: Colditz et al. (1994), log risk ratios. Source of the numbers: metafor's documentation of `rma(yi, vi,
    data=dat.bcg)`, REML: tau^2 = 0.3132, estimate -0.7145, standard error 0.1798.
    """
    effects, variances = bcg()
    found = reucb.blup([1] * 13 + [0], [*effects, np.nan], sigma0_sq=0.3132, sigma_sq=[*variances, 1.0])
    assert found.mu0 == pytest.approx(-0.7145, abs=5e-5)
    assert np.sqrt(found.mse[13] - 0.3132) == pytest.approx(0.1798, abs=5e-5)


def bcg() -> tuple[np.ndarray, np.ndarray]:
    """Log risk ratios and their sampling variances."""
    table = np.array(
        [
            [4, 119, 11, 128],
            [6, 300, 29, 274],
            [3, 228, 11, 209],
            [62, 13536, 248, 12619],
            [33, 5036, 47, 5761],
            [180, 1361, 372, 1079],
            [8, 2537, 10, 619],
            [505, 87886, 499, 87892],
            [29, 7470, 45, 7232],
            [17, 1699, 65, 1600],
            [186, 50448, 141, 27197],
            [5, 2493, 3, 2338],
            [27, 16886, 29, 17825],
        ]
    )
    treated, control = table[:, :2].sum(1), table[:, 2:].sum(1)
    effects = np.log(table[:, 0] / treated) - np.log(table[:, 2] / control)
    return effects, 1 / table[:, 0] - 1 / treated + 1 / table[:, 2] - 1 / control


def test_varying_noise_is_generalised_least_squares_not_the_first_display():
    """Sec. sec:varying prints sigma_k^2 / sum n(1-w) for the second term; GLS gives sigma0^2 / sum w."""
    counts, noise, s0 = np.array([1, 2]), np.array([1.0, 4.0]), 1.0
    found = reucb.blup(counts, [0.0, 0.0], sigma0_sq=s0, sigma_sq=noise)
    exact = [float(x) for x in henderson(counts, [0.0, 0.0], s0, noise)["mse"]]
    w = s0 / (s0 + noise / counts)
    printed = w * noise / counts + (1 - w) ** 2 * noise / (counts * (1 - w)).sum()
    np.testing.assert_allclose(found.mse, exact, rtol=1e-15)
    assert np.abs(printed / exact - 1).max() > 0.05


# --- the result, and bad input


def test_the_result_is_frozen():
    found = reucb.blup([1, 2], [0.0, 1.0], sigma0_sq=1, sigma_sq=1)
    with pytest.raises(dataclasses.FrozenInstanceError):
        found.mu = found.mse
    with pytest.raises(ValueError, match="read-only"):
        found.mu[0] = 3.0


def test_arguments_are_not_changed():
    counts, means = np.array([1.0, 0.0]), np.array([2.0, np.nan])
    reucb.blup(counts, means, sigma0_sq=1, sigma_sq=1)
    np.testing.assert_array_equal(counts, [1.0, 0.0])
    np.testing.assert_array_equal(means, [2.0, np.nan])


BAD = [
    ({"counts": [1, -2]}, ValueError, r"counts\[1\] = -2.0: must be whole numbers from 0"),
    ({"counts": [1, 2.5]}, ValueError, r"counts\[1\] = 2.5: must be whole numbers"),
    ({"counts": [1, np.nan]}, ValueError, r"counts\[1\] = nan: must be whole numbers"),
    ({"counts": [True, False]}, TypeError, r"counts = \[True, False\]: must be whole numbers .* not of type bool"),
    ({"counts": ["1", "2"]}, TypeError, r"counts = \['1', '2'\]: must be whole numbers .* not of type <U1"),
    ({"counts": 3}, ValueError, r"counts has shape \(\): must be \(\.\.\., K\)"),
    ({"counts": []}, ValueError, r"counts has shape \(0,\): must be \(\.\.\., K\) with at least one arm"),
    ({"counts": [0, 0]}, ValueError, r"mu0 = None: must be a number where no arm is pulled"),
    ({"counts": [[1, 1], [0, 0]]}, ValueError, r"no arm is pulled \(counts\[1\] are all 0\)"),
    ({"means": [1.0]}, ValueError, r"means has shape \(1,\): must be \(\.\.\., 2\)"),
    ({"means": [1.0, np.nan]}, ValueError, r"means\[1\] = nan: must be finite where the count is positive"),
    ({"means": [np.inf, 1.0]}, ValueError, r"means\[0\] = inf: must be finite where the count is positive"),
    ({"means": [True, 1.0]}, TypeError, r"means = \[True, 1.0\]: must be real numbers, not booleans"),
    ({"means": [1j, 1.0]}, TypeError, r"means = \[1j, 1.0\]: must be real numbers, not of type complex"),
    ({"means": [[1.0, 2.0]] * 3, "counts": [[1, 1]] * 2}, ValueError, r"means has shape \(3, 2\): must fit counts"),
    ({"sigma0_sq": -1.0}, ValueError, r"sigma0_sq = -1.0: must be finite real numbers >= 0"),
    ({"sigma0_sq": np.inf}, ValueError, r"sigma0_sq = inf: must be finite real numbers >= 0"),
    ({"sigma0_sq": "1"}, TypeError, r"sigma0_sq = '1': must be finite real numbers >= 0"),
    ({"sigma_sq": [1.0, -1.0]}, ValueError, r"sigma_sq\[1\] = -1.0: must be finite real numbers >= 0"),
    ({"sigma_sq": [1.0, 1.0, 1.0]}, ValueError, r"sigma_sq has shape \(3,\): must fit counts of shape \(2,\)"),
    ({"mu0": np.nan}, ValueError, r"mu0 = nan: must be finite real numbers"),
    ({"sigma0_sq": 0, "sigma_sq": 0}, ValueError, r"means\[1\] = 2.0: must be equal .* \(the data conflict\)"),
    ({"sigma0_sq": 0, "sigma_sq": 0, "means": [1, 1], "mu0": 3}, ValueError, r"means\[0\] = 1.0: must be equal to mu0"),
]


@pytest.mark.parametrize(("change", "error", "message"), BAD)
def test_bad_input_names_argument_value_and_what_is_allowed(change, error, message):
    arguments = {"counts": [1, 2], "means": [1.0, 2.0], "sigma0_sq": 1.0, "sigma_sq": 1.0, **change}
    with pytest.raises(error, match=message):
        reucb.blup(arguments.pop("counts"), arguments.pop("means"), **arguments)
