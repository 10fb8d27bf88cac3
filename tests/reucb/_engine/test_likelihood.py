"""The compiled ml and reml, and moments and anova from running sums, against the estimators of `reucb.variance`."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from reucb.policies import ReUCB
from reucb.variance import METHODS, variance_components
from tests.hypothesis_examples import examples
from tests.reucb.test_variance import TWO_PEAKS


@pytest.mark.parametrize("method", METHODS)
@examples(30)
@given(
    n_arms=st.sampled_from([2, 3, 9, 30]),
    spread=st.floats(-3, 3),
    offset=st.sampled_from([0.0, 1e6]),
    seed=st.integers(0, 2**32 - 1),
)
def test_variances_of_an_agent(method: str, n_arms: int, spread: float, offset: float, seed: int) -> None:
    """Deviations from a reward near 1e6 carry an error of 1e-10, hence the tolerance."""
    rng = np.random.default_rng(seed)
    arms = rng.permutation(np.repeat(np.arange(n_arms), rng.integers(1, 7, n_arms) + (np.arange(n_arms) == 0)))
    rewards = offset + rng.normal(0, 10.0**spread, n_arms)[arms] + rng.normal(size=arms.size)
    agent = ReUCB(method=method).start(n_arms)
    agent.update(arms, rewards)
    own = [rewards[arms == k] for k in range(n_arms)]
    expected = variance_components(
        [len(r) for r in own],
        [r.mean() for r in own],
        [((r - r.mean()) ** 2).sum() if len(r) > 1 else 0.0 for r in own],
        method=method,
    )
    fit = agent.fit()
    tolerance = 1e-7 if offset else 1e-9
    assert fit.sigma_sq == pytest.approx(expected.sigma_sq, rel=tolerance)
    assert fit.sigma0_sq == pytest.approx(
        max(expected.sigma0_sq, expected.sigma_sq / arms.size), rel=tolerance, abs=tolerance * expected.sigma_sq
    )


def rewards_with(count: int, mean: float, sq_dev: float) -> np.ndarray:
    """Rewards of this mean and this sum of squared deviations."""
    shape = np.linspace(-1, 1, count) if count > 1 else np.zeros(1)
    return mean + shape * np.sqrt(sq_dev / max((shape**2).sum(), 1e-300))


@pytest.mark.parametrize("method", ["ml", "reml"])
@pytest.mark.parametrize("data", TWO_PEAKS)
def test_the_higher_of_two_maxima(method: str, data: tuple[list[int], list[float], list[float]]) -> None:
    """Every arm's rewards at once, so that the estimate has to jump from one valley to the other."""
    agent = ReUCB(method=method).start(len(data[0]))
    for arm, (count, mean, sq_dev) in enumerate(zip(*data, strict=True)):
        agent.update(np.full(count, arm), rewards_with(count, mean, sq_dev))
        agent.fit()
    expected = variance_components(*data, method=method)
    fit = agent.fit()
    assert fit.sigma_sq == pytest.approx(expected.sigma_sq, rel=1e-9)
    floor = expected.sigma_sq / sum(data[0])
    assert fit.sigma0_sq == pytest.approx(max(expected.sigma0_sq, floor), rel=1e-8)


@pytest.mark.parametrize("method", ["ml", "reml"])
@examples(60)
@given(
    powers=st.lists(st.floats(0, 3.5), min_size=2, max_size=7),
    outliers=st.floats(0, 2),
    seed=st.integers(0, 2**32 - 1),
)
def test_counts_over_decades(method: str, powers: list[float], outliers: float, seed: int) -> None:
    """Arms with few pulls lie far out, which is what makes several valleys."""
    rng = np.random.default_rng(seed)
    counts = np.floor(10.0 ** np.array(powers)).astype(int)
    counts[0] += 1
    means = rng.normal(size=counts.size) * counts**-0.5 * 10.0 ** (outliers * rng.random(counts.size))
    squares = np.where(counts > 1, (counts - 1) * rng.uniform(0.5, 2), 0.0)
    agent = ReUCB(method=method).start(counts.size)
    for arm, numbers in enumerate(zip(counts, means, squares, strict=True)):
        agent.update(np.full(counts[arm], arm), rewards_with(*numbers))
    fit, expected = agent.fit(), variance_components(counts, means, squares, method=method)
    assert fit.sigma_sq == pytest.approx(expected.sigma_sq, rel=1e-8)
    floor = expected.sigma_sq / counts.sum()
    assert fit.sigma0_sq == pytest.approx(max(expected.sigma0_sq, floor), rel=1e-7, abs=1e-9 * expected.sigma_sq)


@pytest.mark.parametrize("method", ["ml", "reml"])
@pytest.mark.parametrize("n_arms", [5, 40])
def test_the_estimate_depends_on_the_data_alone(method: str, n_arms: int) -> None:
    """An agent that selects in every round and one that selects once are bit-for-bit equal."""
    rng = np.random.default_rng(n_arms)
    means, policy = rng.normal(1, 0.3, n_arms), ReUCB(method=method)
    asked, silent = policy.start(n_arms), policy.start(n_arms)
    for i in range(400):
        arm = asked.select()
        reward = float(means[arm] + rng.normal())
        asked.update(arm, reward)
        silent.update(arm, reward)
        if i % 40 == 0:
            resumed = policy.resume(silent.state())
            fits = [agent.fit() for agent in (asked, resumed)]
            assert fits[0].sigma0_sq == fits[1].sigma0_sq
            assert fits[0].sigma_sq == fits[1].sigma_sq
