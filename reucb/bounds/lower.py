"""A lower bound on the Bayes regret of every algorithm, also of one that knows mu0 (claim ours/lower)."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.polynomial.legendre import leggauss

from reucb._numerics import FloatArray
from reucb._numerics.validation import integer
from reucb.bounds._args import Value, float_or_array, setting
from reucb.bounds.normal import expected_max
from reucb.bounds.stopping import StoppingMesh, simulate_dual, solve

SLACK = 1 - 1e-8  # covers the rounding errors of the evaluation
COARSE, FINE, DUAL = StoppingMesh(0.1, 0.1, 6), StoppingMesh(), StoppingMesh(0.04, 0.08)
SPAN = (1e-3, 8.0)  # range of h0 that is searched, in units of sigma0
GOLDEN = (math.sqrt(5) - 1) / 2


def leads(h0: float, cells: int) -> FloatArray:
    """Upper ends of the cells of the lead of Y over the second best, the last of which has no end: denser near 0."""
    return h0 * (np.arange(1, cells + 1) / cells) ** 1.3


def average_over_best(
    x: FloatArray, values: FloatArray, n_arms: float, low: float = 0.0, high: float = math.inf
) -> float:
    """E f(-Y) 1{low <= Y - Y' < high}, f linear between the nodes x and zero outside.

    Y and Y' are the best and the second best of K - 1 standard normals; Y' is minus infinity for K = 2.
    """
    from scipy.special import log_ndtr

    nodes, weights = leggauss(8)
    share, half = (nodes + 1) / 2, np.diff(x)[:, None] / 2
    y = -(x[:-1, None] + 2 * half * share)
    chance = np.exp((n_arms - 2) * log_ndtr(y - low) - y * y / 2)
    if high < math.inf:
        chance -= np.exp((n_arms - 2) * log_ndtr(y - high) - y * y / 2)
    law = (n_arms - 1) / math.sqrt(2 * math.pi) * chance
    return float(((values[:-1, None] * (1 - share) + values[1:, None] * share) * law * half * weights).sum())


def average_over_leads(x: FloatArray, values: FloatArray, n_arms: float, d: FloatArray) -> float:
    """E f(-Y) with one f, a row of values, for every cell of the lead of Y."""
    ends = [0.0, *d[:-1].tolist(), math.inf]
    return sum(average_over_best(x, row, n_arms, *cell) for row, cell in zip(values, pairwise(ends), strict=True))


@lru_cache(maxsize=65536)
def bound_at_h0(n_arms: float, horizon: float, sigma: float, h0: float, mesh: StoppingMesh) -> float:
    """K E W_0(-Y) from below for one h0, in units of sigma0."""
    d = leads(h0, mesh.cells if n_arms > 2 else 1)
    return n_arms * average_over_leads(*_before_data(horizon, sigma, h0, len(d), mesh), n_arms, d)


@lru_cache(maxsize=128)
def _before_data(
    horizon: float, sigma: float, h0: float, cells: int, mesh: StoppingMesh
) -> tuple[FloatArray, FloatArray]:
    """Nodes and values of stage 0, which do not depend on the number of arms: a search over it solves once."""
    *_, (_, grid, values) = solve(horizon, sigma, h0, leads(h0, cells), mesh)
    nodes = grid.nodes
    for array in (nodes, values):
        array.flags.writeable = False
    return nodes, values


def reduced_noise(horizon: float, sigma: float) -> float:
    """A noise that is not larger: below it the regret is smaller, as noise can be added to any reward.

    At most 20 sqrt(n), where all rewards together carry little information about an arm, and zero for less than 1e-12.
    """
    return 0.0 if sigma < 1e-12 else min(sigma, 20 * math.sqrt(horizon))


@lru_cache(maxsize=65536)
def best_h0(n_arms: float, horizon: float, sigma: float) -> float:
    """The best h0 on a coarse mesh, by golden section in its logarithm. Every h0 gives a bound."""
    low, high = map(math.log, SPAN)

    def value(log_h0: float) -> float:
        return bound_at_h0(n_arms, horizon, sigma, math.exp(log_h0), COARSE)

    left, right = high - GOLDEN * (high - low), low + GOLDEN * (high - low)
    at_left, at_right = value(left), value(right)
    for _ in range(10):
        if at_left >= at_right:
            high, right, at_right = right, left, at_left
            left = high - GOLDEN * (high - low)
            at_left = value(left)
        else:
            low, left, at_left = left, right, at_right
            right = low + GOLDEN * (high - low)
            at_right = value(right)
    return math.exp(left if at_left >= at_right else right)


@lru_cache(maxsize=65536)
def lower_core(n_arms: float, horizon: float, sigma: float) -> float:
    """The bound in units of sigma0; at least e_K, the cost of the first pull, which is made without data."""
    if n_arms == 1:
        return 0.0
    noise = reduced_noise(horizon, sigma)
    value = bound_at_h0(n_arms, horizon, noise, best_h0(n_arms, horizon, noise), FINE)
    return max(value, float(expected_max(n_arms))) * SLACK


@dataclass(frozen=True)
class Certificate:
    """A statistical check of `lower` that involves no grid error.

    Attributes
    ----------
    bound : float
        The value of `lower`.
    dual : float
        Mean of the martingale dual over simulated paths: its expectation is below the regret of every algorithm.
    stderr : float
        Its standard error.
    interval : tuple of float
        dual - 3 stderr and dual + 3 stderr.
    h0 : float
        The parameter h0 of `lower`, in units of the rewards.

    Examples
    --------
    >>> import reucb
    >>> setting = dict(n_arms=3, horizon=20, sigma0_sq=1.0, sigma_sq=1.0)
    >>> found = reucb.bounds.lower(**setting, certificate=True, paths=200)
    >>> found.bound <= found.interval[1]
    True
    """

    bound: float
    dual: float
    stderr: float
    interval: tuple[float, float]
    h0: float


def certify(n_arms: float, horizon: float, sigma: float, unit: float, paths: int, seed: int) -> Certificate:
    """The certificate of one setting."""
    if n_arms == 1:
        return Certificate(0.0, 0.0, 0.0, (0.0, 0.0), 0.0)
    noise = reduced_noise(horizon, sigma)
    h0 = best_h0(n_arms, horizon, noise)
    d = leads(h0, DUAL.cells if n_arms > 2 else 1)
    solution = list(solve(horizon, noise, h0, d, DUAL))[::-1]
    dual, control = simulate_dual(solution, horizon, noise, h0, d, n_arms, paths, seed)
    exact = average_over_leads(solution[0][1].nodes, solution[0][2], n_arms, d)
    slope = float(np.cov(dual, control)[0, 1] / max(control.var(ddof=1), 1e-300))
    adjusted = dual - slope * (control - exact)
    scale = unit * n_arms
    mean, error = scale * float(adjusted.mean()), scale * float(adjusted.std(ddof=1)) / math.sqrt(paths)
    bound = unit * lower_core(n_arms, horizon, sigma)
    return Certificate(bound, mean, error, (mean - 3 * error, mean + 3 * error), unit * h0)


def lower(
    *,
    n_arms: Any,
    horizon: Any,
    sigma0_sq: Any,
    sigma_sq: Any,
    certificate: bool = False,
    paths: int = 4000,
    seed: int = 0,
) -> Value | Certificate:
    """A proved lower bound on the Bayes regret of every algorithm, also of one that knows mu0.

    Claim ours/lower of the ledger. Gaussian model. For every h0 > 0, in units of sigma0,

        R_n >= K E inf_tau E[ (x - min(D, h0))^+ tau + min(-x, h0)^+ (n - tau) | Y, D ],   x = Y - mu,

    Y the best of K - 1 standard normals, D its lead over the second best of them (infinite for K = 2), mu ~ N(0, 1)
    independent of both, tau over the stopping times up to n of the rewards of an arm with mean mu and noise variance
    rho = sigma^2/sigma0^2. h0 is chosen by search; the value is at least sigma0 e_K, the cost of the first pull.

    Parameters
    ----------
    n_arms, horizon, sigma0_sq, sigma_sq : array_like
        K, n and the variances of effects and noise; they broadcast.
    certificate : bool
        Return a `Certificate` (scalar arguments only): the bound and the martingale dual with its standard error.
    paths, seed : int
        Number of simulated paths of the certificate, and their seed.

    Returns
    -------
    float, ndarray or Certificate
        The bound. Below a second for each setting not evaluated before; it does not grow with K, and with n like log n.

    Raises
    ------
    ValueError, TypeError
        If an argument is out of range or not a number.

    Notes
    -----
    With Delta_k = mu_* - mu_k and N_k the pulls of arm k, R_n = sum_k E[Delta_k N_k], and sum_k N_k = n. Let L be the
    smaller of h0 and the distance of the two best means. Then R_n = sum_k E[(Delta_k - L) N_k] + n E L. The best arm
    contributes L (n - N_*), every other arm Delta_k - L >= 0 for each pull. Let the decisions about arm k depend on all
    other means and rewards too; then N_k is a stopping time of the rewards of arm k, and only Y_k, the best of the
    other means, and its lead D_k over the second best of them matter.

    The number returned is a lower bound of the right side, not an approximation: `stopping` finds a function that is
    linear between the nodes of a grid at every stage and satisfies W <= min((n - i) H, G + E W_next) everywhere, with
    bounds on the second derivatives of both sides; E W_next and E_Y are exact for such functions. Outside the grid it
    is zero. The cost of a pull falls in D; D is taken at the upper end of its cell. Blocks of rewards are revealed
    together, and noise above 20 sqrt(n) sigma0 is reduced to that: both can only help an algorithm. A factor 1 - 1e-8
    covers rounding.

    Examples
    --------
    >>> import reucb
    >>> setting = dict(n_arms=50, horizon=10_000, sigma0_sq=0.04, sigma_sq=0.25)
    >>> round(reucb.bounds.lower(**setting), 1)
    128.0
    """
    s = setting(n_arms, horizon, sigma0_sq, sigma_sq, 1.0)
    unit = np.sqrt(s.sigma0_sq)
    with np.errstate(over="ignore", under="ignore"):
        ratio = np.sqrt(s.sigma_sq) / unit
    if certificate:
        if s.n_arms.ndim:
            raise ValueError(f"n_arms and the other arguments have shape {s.n_arms.shape}: a certificate needs scalars")
        paths, seed = integer("paths", paths, 2), integer("seed", seed, 0)
        return certify(float(s.n_arms), float(s.horizon), float(ratio), float(unit), paths, seed)
    points = np.broadcast(s.n_arms, s.horizon, ratio)
    values = np.array([lower_core(*map(float, point)) for point in points]).reshape(points.shape)
    return float_or_array(np.asarray(values * unit))
