"""A bound that counts the pulls of each suboptimal arm (claim ours/counting), evaluated with one-sided error."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np

from reucb._numerics import FloatArray
from reucb._numerics.validation import flag
from reucb.bounds._args import Terms, Value, pointwise, setting
from reucb.bounds.counted_rounds import (
    BadRounds,
    Blocks,
    KnownMean,
    LearnedMean,
    Reach,
    Thresholds,
    blocks,
    charge,
    least_prices,
    merged_counts,
    uncovered_cost,
)
from reucb.bounds.normal import BestArm, best_arm, expected_max
from reucb.bounds.sharp import learned_pulls

NAMES = ("initial", "gaps", "prices", "rounds")
ZETAS = (0.3, 0.0)
SLACK = 1 + 1e-8  # covers the rounding errors of the evaluation
LARGEST_RATIO = 1e50  # largest sigma/sigma0 and bonus; beyond it only the range of the arms is used
CHUNK = 30_000  # thresholds evaluated at once


@dataclass(frozen=True)
class CountingMesh:
    """How finely (U) is evaluated; every mesh gives a bound."""

    counts: int = 40  # counts and rounds taken one by one
    ratio: float = 0.02  # relative length of the blocks of counts beyond
    rounds: float = 0.01  # and of the blocks of rounds and counts in the last term
    best: int = 48  # cells of Y, besides its tails
    others: int = 48  # cells of S


COARSE, FINE = CountingMesh(10, 0.2, 0.1, 16, 16), CountingMesh()


@dataclass(frozen=True)
class ScaledSetting:
    """One setting in units of sigma0."""

    n_arms: float
    horizon: float
    sigma: float
    a: float
    mu0_known: bool

    @property
    def bad(self) -> BadRounds:
        """tau_k <= g(n_k) = sigma/sqrt(n_k + alpha); alpha = (K - 1) rho/(K + rho), and rho if mu0 is known."""
        rho = self.sigma**2
        alpha = rho if self.mu0_known else learned_pulls(self.n_arms, 1.0, rho)
        return BadRounds(self.n_arms, self.sigma, alpha, self.a, self.horizon)

    @property
    def top(self) -> float:
        """C = sqrt(a log n) sigma."""
        return math.sqrt(self.a) * math.sqrt(math.log(self.horizon)) * self.sigma

    def counts(self, mesh: CountingMesh) -> Blocks:
        """The blocks of counts 1..n - K."""
        return blocks(1.0, self.horizon - self.n_arms, mesh.counts, mesh.ratio)

    def reaches(self) -> tuple[Reach, ...]:
        """The choices of zeta, each of which gives a bound."""
        if self.mu0_known:
            return (KnownMean(self.n_arms, self.sigma, self.top),)
        return tuple(LearnedMean(self.n_arms, self.sigma, self.top, zeta) for zeta in ZETAS)


def good_pulls(reach: Reach, count: Blocks, prices: FloatArray, best: BestArm, others: int) -> float:
    """K sum_N E[((Y - mu) + Lam(N)) 1{mu < Y} 1{rbar_N >= Y - f_N(Y, S)/N}], from above."""
    return float(good_pulls_by_block(reach, count, prices, best, others).sum())


def good_pulls_by_block(reach: Reach, count: Blocks, prices: FloatArray, best: BestArm, others: int) -> FloatArray:
    """The terms of `good_pulls`, one for each block of counts."""
    ends, law = reach.supremum(others)
    cells, found = len(best.mean), []
    step = max(1, CHUNK // (cells * len(ends)))
    for i in range(0, len(count.first), step):
        part, price = Blocks(count.first[i : i + step], count.last[i : i + step]), prices[i : i + step]
        y, v = np.tile(best.mean, len(price)), np.tile(best.variance, len(price))
        noise, each = np.repeat(reach.sigma / np.sqrt(part.first), cells), np.repeat(price, cells)
        d = reach.longest(part, best.low, ends).reshape(-1, len(ends))
        cost = Thresholds(y, v, noise, each).cost(d)
        cost += merged_counts(d, y, v, noise, each, np.repeat(np.sqrt(part.last / part.first) - 1, cells))
        beyond = law[-1] * (np.maximum(y, 0) + 0.4 * np.sqrt(v) + each)
        rows = (cost @ law[:-1] + beyond) * np.sqrt(v)
        found.append(part.size * (rows.reshape(-1, cells) @ best.mass + best.rest[0] + best.rest[1] * price))
    return reach.n_arms * np.concatenate(found)


@dataclass(frozen=True)
class Counted:
    """The parts of (U) that belong to counts, by blocks: they are linear in the prices.

    K E[(Y - mu) ...] of a block is in `gaps`; K P(...) of a block, which its price multiplies, in `pulls`.
    """

    count: Blocks
    gaps: FloatArray
    pulls: FloatArray

    def cost(self, prices: FloatArray) -> float:
        """Good pulls with their prices, and the prices of the best arm."""
        return float(self.gaps.sum() + (self.pulls + self.count.size) @ prices)


def counted(problem: ScaledSetting, reach: Reach, mesh: CountingMesh) -> Counted:
    """Evaluated at the prices 0 and 1."""
    count, best = problem.counts(mesh), best_arm(problem.n_arms, mesh.best)
    zero = np.zeros(len(count.first))
    free, priced = (good_pulls_by_block(reach, count, zero + price, best, mesh.others) for price in (0.0, 1.0))
    return Counted(count, free, priced - free)


def unpaid_rounds(problem: ScaledSetting, mesh: CountingMesh, prices: FloatArray) -> float:
    """The part of (U) that belongs to rounds, for prices on the blocks of counts of the mesh."""
    ratio = max(mesh.rounds, math.log(problem.horizon) / 1000)
    rounds = blocks(problem.n_arms + 1, problem.horizon, mesh.counts, ratio)
    return uncovered_cost(problem.bad, problem.counts(mesh), prices, rounds)


def coarse_bound(problem: ScaledSetting) -> tuple[float, Reach]:
    """(U) without its first term on the coarse mesh, for the better choice of zeta, and that choice."""
    prices = charge(problem.bad, problem.counts(COARSE))
    found = [(counted(problem, reach, COARSE).cost(prices), reach) for reach in problem.reaches()]
    cost, reach = min(found, key=lambda pair: pair[0])
    return cost + unpaid_rounds(problem, COARSE, prices), reach


def best_prices(problem: ScaledSetting, here: Counted) -> FloatArray:
    """Prices for the blocks of a mesh: the best ones on coarser blocks, interpolated; else those of `charge`."""
    ratio = max(0.1, math.log(problem.horizon) / 100)
    count = blocks(1.0, problem.horizon - problem.n_arms, 6, ratio)
    rounds = blocks(problem.n_arms + 1, problem.horizon, 2, ratio)
    fine, coarse = np.log(here.count.first), np.log(count.first)
    weight = count.size * (1 + np.interp(coarse, fine, here.pulls / here.count.size))
    found = least_prices(problem.bad, count, weight, rounds)
    return charge(problem.bad, here.count) if found is None else np.interp(fine, coarse, found)


@lru_cache(maxsize=65536)
def evaluated(problem: ScaledSetting) -> tuple[tuple[float, float, float], tuple[float, float, float]]:
    """gaps, prices and rounds on the fine mesh, with the prices of `charge` and those of `best_prices`."""
    here = counted(problem, coarse_bound(problem)[1], FINE)

    def terms(prices: FloatArray) -> tuple[float, float, float]:
        gaps = float(here.gaps.sum())
        return gaps, here.cost(prices) - gaps, unpaid_rounds(problem, FINE, prices)

    return terms(charge(problem.bad, here.count)), terms(best_prices(problem, here))


@lru_cache(maxsize=65536)
def counting_core(
    n_arms: float, horizon: float, sigma: float, a: float, mu0_known: float, optimise: float
) -> tuple[float, ...]:
    """The four terms in units of sigma0, for the closed form of the prices or, with `optimise`, the better of two."""
    each = float(expected_max(n_arms)) * SLACK
    if horizon <= n_arms or n_arms == 1:
        return min(n_arms, horizon) * each, 0.0, 0.0, 0.0
    first, range_of_arms = n_arms * each, 2 * (horizon - n_arms) * each
    problem = ScaledSetting(n_arms, horizon, max(sigma, 1e-290), a, bool(mu0_known))
    if max(sigma, math.sqrt(a), problem.top) > LARGEST_RATIO:
        return first, range_of_arms, 0.0, 0.0
    closed, optimal = evaluated(problem)
    gaps, prices, rounds = min(closed, optimal, key=sum) if optimise else closed
    if gaps + prices + rounds >= range_of_arms:
        return first, range_of_arms, 0.0, 0.0
    return first, gaps * SLACK, prices * SLACK, rounds * SLACK


def counting_terms(
    *,
    n_arms: Any,
    horizon: Any,
    sigma0_sq: Any,
    sigma_sq: Any,
    a: Any,
    mu0_known: bool = False,
    optimise: bool = False,
) -> Terms:
    """The bound of `counting` in its terms: `initial`, `gaps`, `prices`, `rounds`, `total`.

    `gaps` are the gaps of good pulls, `prices` all prices of good pulls and of the best arm, `rounds` what the prices
    do not cover of the rounds in which the best arm is underestimated.

    Parameters
    ----------
    n_arms, horizon, sigma0_sq, sigma_sq, a : array_like
        Number of arms K, number of rounds n, variance of the arm means, noise variance, and constant of the index. They
        broadcast.
    mu0_known : bool, optional
        Whether the bound is for the policy that knows mu0.
    optimise : bool, optional
        Whether to try the prices that are best on a coarse mesh too, and use the smaller bound.

    Returns
    -------
    dict
        `initial`, `gaps`, `prices`, `rounds`, `total`: floats, or arrays of the broadcast shape.

    Raises
    ------
    ValueError, TypeError
        If an argument is out of range or not a number.

    Examples
    --------
    >>> import reucb
    >>> terms = reucb.bounds.counting_terms(n_arms=50, horizon=10_000, sigma0_sq=0.04, sigma_sq=0.25, a=1.0)
    >>> [round(terms[name]) for name in ("initial", "gaps", "prices", "rounds")]
    [22, 337, 37, 113]
    """
    s = setting(n_arms, horizon, sigma0_sq, sigma_sq, a)
    unit = np.sqrt(s.sigma0_sq)
    with np.errstate(over="ignore", under="ignore"):
        ratio = np.sqrt(s.sigma_sq) / unit
    flags = np.asarray(float(flag("mu0_known", mu0_known))), np.asarray(float(flag("optimise", optimise)))
    terms = pointwise(counting_core, NAMES, s.n_arms, s.horizon, ratio, s.a, *flags)
    return {name: value * unit if np.ndim(value) else float(value * unit) for name, value in terms.items()}


def counting(
    *,
    n_arms: Any,
    horizon: Any,
    sigma0_sq: Any,
    sigma_sq: Any,
    a: Any,
    mu0_known: bool = False,
    optimise: bool = False,
) -> Value:
    """A bound on the Bayes regret of ReUCB with known variances that counts pulls arm by arm.

    Claim ours/counting of the ledger, for a policy that does not know mu0. The variant for one that does (`mu0_known`)
    has the same argument; it is not in the ledger. Gaussian model, any a > 0, fixed mu0. n <= K: n sigma0 e_K, exactly.
    n > K, in units of sigma0 (sigma0 = 1, sigma^2 = rho), for every Lam >= 0 and zeta >= 0:

        R_n <= K e_K                                                                                `initial`
             + K sum_N E[((Y - mu) + Lam(N)) 1{mu < Y} 1{rbar_N >= Y - f_N(Y, S)/N}]                `gaps`, `prices`
             + sum_N Lam(N)                                                                         `prices`
             + sum_{t=K+1}^n max_{N <= t-K} [beta_t(N) - (1 - p_t(N)) Lam(N)]                       `rounds`

    with N from 1 to n - K, Y the best of K - 1 standard normals, mu ~ N(0, 1), rbar_N | mu ~ N(mu, rho/N), f_N and S as
    in `LearnedMean`, p_t and beta_t as in `BadRounds`. Lam is a closed form and zeta the better of 0.3 and 0.
    The value is never above K e_K + 2 (n - K) e_K, as no round costs more than the range of the arms.

    Parameters
    ----------
    n_arms, horizon, sigma0_sq, sigma_sq, a : array_like
        K, n, the variances of effects and noise, and the width of the policy; they broadcast.
    mu0_known : bool
        The bound for the policy that knows mu0 too; not proved in the ledger.
    optimise : bool
        Also try the prices Lam that are best on a coarse mesh (a linear programme), and return the smaller bound.

    Returns
    -------
    float or ndarray
        The bound. About a second for each setting not evaluated before, whatever K; it grows with log n.

    Raises
    ------
    ValueError, TypeError
        If an argument is out of range or not a number.

    Notes
    -----
    A round after the K-th is good if the pulled arm is not the best and its gap is at most X + s_n tau, X = mu-hat - mu
    its error, and bad if it is neither good nor a pull of the best arm. Given the reward differences the errors are
    normal and positively correlated, which bounds the bad rounds by p_t and beta_t at the count N of the pulled arm. A
    price Lam(N) is added to and subtracted from every round; for the best arm it is counted at most once for each
    N. In a good round the reward mean of the pulled arm is at least Y - f_N(Y, S)/N, and each arm has each count N
    in at most one of its pulls.

    With mu0 known the same proof holds with tau_k^2 = sigma^2/(n_k + rho) exactly: given the whole history the errors
    are independent N(0, tau_k^2), g(N) = sigma/sqrt(N + rho), and a good round means
    N (Y - rbar_N) <= C sqrt(N + rho) - rho Y, C = s_n sigma. No S and no zeta are needed.

    The number returned is an upper bound of the right side, not an approximation. Counts and rounds are taken in blocks
    whose terms are bounded from above (`Reach`, `BadRounds`); cells of S count at their upper ends (`supremum_cells`);
    cells of Y by Hoeffding's lemma (`best_arm`); the inner expectation by chords of convex functions (`good_pulls`). A
    factor 1 + 1e-8 covers rounding.

    Examples
    --------
    >>> import reucb
    >>> setting = dict(n_arms=50, horizon=10_000, sigma0_sq=0.04, sigma_sq=0.25, a=1.0)
    >>> round(reucb.bounds.counting(**setting)), round(reucb.bounds.sharp(**setting))
    (510, 1826)
    >>> round(reucb.bounds.counting(**setting, optimise=True)), round(reucb.bounds.counting(**setting, mu0_known=True))
    (499, 433)
    """
    arguments = {"n_arms": n_arms, "horizon": horizon, "sigma0_sq": sigma0_sq, "sigma_sq": sigma_sq, "a": a}
    return counting_terms(**arguments, mu0_known=mu0_known, optimise=optimise)["total"]
