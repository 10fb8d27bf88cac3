"""Slow, direct versions of the bounds and of ReUCB*, with which the tests compare the fast ones."""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import cache

import mpmath
import numpy as np
from hypothesis import strategies as st

from tests.reucb.strategies import magnitudes

PAPER = {"n_arms": 50, "horizon": 10_000, "sigma0_sq": 0.04, "sigma_sq": 0.25}

settings_drawn = st.fixed_dictionaries(
    {
        "n_arms": st.integers(2, 200),
        "horizon": st.integers(2, 10**6),
        "sigma0_sq": magnitudes(-3, 3),
        "sigma_sq": magnitudes(-3, 3),
        "a": magnitudes(-1, 1),
    }
)


@cache
def best_of(n_arms: int) -> float:
    """e_K by thirty-digit quadrature of y K phi(y) Phi(y)^(K-1)."""
    with mpmath.workdps(30):

        def weighted(y: mpmath.mpf) -> mpmath.mpf:
            return y * n_arms * mpmath.npdf(y) * mpmath.ncdf(y) ** (n_arms - 1)

        return float(mpmath.quad(weighted, [-12, -3, 0, 1, 2, 3, 4, 5, 6, 8, 12]))


def excess_slow(s: float) -> float:
    """Psi(s) in thirty digits."""
    with mpmath.workdps(30):
        x = mpmath.mpf(s)
        return float(mpmath.npdf(x) - x * mpmath.erfc(x / mpmath.sqrt(2)) / 2)


def wide(s: np.ndarray, n_arms: int, sigma0_sq: float, sigma_sq: float) -> np.ndarray:
    """The width after s pulls by W >= K/(1 + rho): sqrt(sigma^2/(s + rho) (1 + rho (1 + rho)/(K (s + rho))))."""
    rho = sigma_sq / sigma0_sq
    return np.sqrt(sigma_sq / (s + rho) * (1 + rho * (1 + rho) / (n_arms * (s + rho))))


def simple_sharp(n_arms: int, horizon: int, sigma0_sq: float, sigma_sq: float, a: float) -> float:
    """K sigma0 e_K + sqrt(a log n) K S((n - K)/K) + K sqrt(beta sigma^2/(1 + rho)) sum_t Psi; `sharp` improves it."""
    from scipy.special import ndtr

    rho, (whole, left) = sigma_sq / sigma0_sq, divmod(horizon - n_arms, n_arms)
    widths = wide(np.arange(1, whole + 2), n_arms, sigma0_sq, sigma_sq)
    s = np.sqrt(a * np.log(np.arange(n_arms + 1, horizon + 1)))
    psi = np.exp(-s * s / 2) / math.sqrt(2 * math.pi) - s * ndtr(-s)
    return float(
        n_arms * math.sqrt(sigma0_sq) * best_of(n_arms)
        + math.sqrt(a * math.log(horizon)) * (n_arms * widths[:whole].sum() + left * widths[whole])
        + n_arms * math.sqrt((1 + rho / n_arms) * sigma_sq / (1 + rho)) * psi.sum()
    )


def errors_and_widths(
    counts: np.ndarray, sums: np.ndarray, sigma0_sq: float, sigma_sq: float
) -> tuple[np.ndarray, np.ndarray]:
    """mu-hat and tau of every arm (last axis), all pulled: Eq. blup and Eq. MSE."""
    rho = sigma_sq / sigma0_sq
    w = counts / (counts + rho)
    total = w.sum(axis=-1, keepdims=True)
    mean = sums / counts
    centre = (w * mean).sum(axis=-1, keepdims=True) / total
    return w * mean + (1 - w) * centre, np.sqrt(sigma_sq / (counts + rho) * (1 + (1 - w) / total))


def play(
    mu: np.ndarray, noise: Callable[[np.ndarray], np.ndarray], horizon: int, sigma0_sq: float, sigma_sq: float, a: float
) -> dict[str, np.ndarray]:
    """ReUCB* on every row of mu: final regret, sum of bonuses, sum of (mu_* - U_*)^+, sum of the pulled arm's error."""
    runs, n_arms = mu.shape
    counts, sums, rows, star = np.zeros(mu.shape), np.zeros(mu.shape), np.arange(runs), mu.argmax(axis=1)
    seen = {name: np.zeros(runs) for name in ("regret", "bonus", "optimism", "error")}
    for t in range(1, horizon + 1):
        arm = np.full(runs, t - 1)
        if t > n_arms:
            estimate, tau = errors_and_widths(counts, sums, sigma0_sq, sigma_sq)
            bonus = math.sqrt(a * math.log(t)) * tau
            arm = (estimate + bonus).argmax(axis=1)
            seen["bonus"] += bonus[rows, arm]
            seen["error"] += (estimate - mu)[rows, arm]
            seen["optimism"] += np.maximum((mu - estimate - bonus)[rows, star], 0)
        counts[rows, arm] += 1
        sums[rows, arm] += noise(mu[rows, arm])
        seen["regret"] += mu[rows, star] - mu[rows, arm]
    return seen
