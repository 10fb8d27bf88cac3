"""Slow, direct versions of the bounds and of ReUCB*, with which the tests compare the fast ones."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass
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


# ReUCB* round by round, with all quantities in the lemmas of the counting bound. Prior variance 1, mu0 = 0.


@dataclass(frozen=True)
class PathSetting:
    n_arms: int
    horizon: int
    rho: float
    a: float

    def bonus(self, t: float) -> float:
        return math.sqrt(self.a * math.log(t))

    @property
    def top(self) -> float:
        """C = s_n sigma."""
        return self.bonus(self.horizon) * math.sqrt(self.rho)

    @property
    def v0(self) -> float:
        return (self.n_arms - 2) / (1 + self.rho)


@dataclass(frozen=True)
class Round:
    """The state before round t, one row per run, and the arm pulled."""

    t: int
    mu: np.ndarray
    counts: np.ndarray
    means: np.ndarray
    estimate: np.ndarray
    tau: np.ndarray
    arm: np.ndarray

    def of(self, values: np.ndarray, arm: np.ndarray) -> np.ndarray:
        return values[np.arange(len(arm)), arm]

    @property
    def best(self) -> np.ndarray:
        return self.mu.argmax(axis=1)

    @property
    def gap(self) -> np.ndarray:
        return self.mu.max(axis=1) - self.of(self.mu, self.arm)

    def kinds(self, last_bonus: float) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """star, good, bad."""
        star = self.arm == self.best
        reach = last_bonus * self.of(self.tau, self.arm) + self.of(self.estimate - self.mu, self.arm)
        good = ~star & (self.gap <= reach)
        return star, good, ~star & ~good


def rounds(s: PathSetting, runs: int, seed: int) -> Iterator[Round]:
    """Rounds K + 1 to n of independent runs."""
    rng = np.random.default_rng(seed)
    mu, rows, sigma = rng.normal(size=(runs, s.n_arms)), np.arange(runs), math.sqrt(s.rho)
    counts, sums = np.ones(mu.shape), mu + sigma * rng.normal(size=mu.shape)
    for t in range(s.n_arms + 1, s.horizon + 1):
        estimate, tau = errors_and_widths(counts, sums, 1.0, s.rho)
        arm = (estimate + s.bonus(t) * tau).argmax(axis=1)
        yield Round(t, mu, counts.copy(), sums / counts, estimate, tau, arm)
        counts[rows, arm] += 1
        sums[rows, arm] += mu[rows, arm] + sigma * rng.normal(size=runs)
