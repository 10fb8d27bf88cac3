import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from reucb import blup
from tests.hypothesis_examples import examples

COUNTS = st.lists(st.integers(1, 12), min_size=1, max_size=5)
VARIANCE = st.floats(0.05, 20)


def errors(counts: np.ndarray, spread: float, noise: float) -> tuple[np.ndarray, np.ndarray]:
    """Covariances of the errors mu-hat_k - mu_k of reucb.blup: with a single reward of each arm, and with each
    other."""
    arms = len(counts)
    weights = np.column_stack([blup(counts, unit, sigma0_sq=spread, sigma_sq=noise).mu for unit in np.eye(arms)])
    # of the arms' mean rewards; a single reward covaries with its own mean alike
    average = np.diag(spread + noise / counts)
    single = weights @ average - spread * np.eye(arms)
    both = weights @ average @ weights.T - spread * (weights + weights.T) + spread * np.eye(arms)
    return single, both


@examples(60)
@given(COUNTS, VARIANCE, VARIANCE)
def test_an_error_covaries_alike_with_every_reward(counts, spread, noise):
    n = np.array(counts)
    single, both = errors(n, spread, noise)
    w = n * spread / (n * spread + noise)
    scale = spread + noise
    assert np.allclose(single, ((1 - w) * spread / w.sum())[:, None], atol=1e-10 * scale, rtol=1e-9)
    off = np.outer(1 - w, 1 - w) * spread / w.sum()
    expected = off + np.diag((1 - w) * spread)
    assert np.allclose(both, expected, atol=1e-10 * scale, rtol=1e-9)


@examples(60)
@given(COUNTS, VARIANCE, VARIANCE, st.floats(-100, 100), st.integers(0, 2**32 - 1))
def test_a_shift_of_all_rewards_shifts_all_estimates(counts, spread, noise, shift, seed):
    n, means = np.array(counts), np.random.default_rng(seed).normal(size=len(counts))
    before = blup(n, means, sigma0_sq=spread, sigma_sq=noise)
    after = blup(n, means + shift, sigma0_sq=spread, sigma_sq=noise)
    assert np.allclose(after.mu - shift, before.mu, atol=1e-11 * (1 + abs(shift)))
    assert np.array_equal(after.mse, before.mse)
