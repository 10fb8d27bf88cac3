"""The least of all the bounds proved here: over their free parameters, and over the number of arms that are played."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np

from reucb._numerics import FloatArray
from reucb.bounds._args import Terms, Value, float_or_array, pointwise, setting
from reucb.bounds.counting import LARGEST_RATIO, ScaledSetting, coarse_bound, counting, counting_core
from reucb.bounds.logarithmic import NAMES as GAP_NAMES
from reucb.bounds.logarithmic import gap_cost, logarithmic_core, tails
from reucb.bounds.lower import COARSE as ROUGH
from reucb.bounds.lower import bound_at_h0, reduced_noise
from reucb.bounds.normal import average_over_gaps, expected_max
from reucb.bounds.sharp import NAMES as SHARP_NAMES
from reucb.bounds.sharp import learned_pulls, ratio, sharp_core
from reucb.bounds.small_problems import few_rounds_core, few_rounds_proved

SHARES = (0.125, 0.25, 0.5, 1.0)  # of the regret subtracted from both sides (lam)
SIDES = (0.25, 0.5, 0.75, 1.0, 1.5)  # widths of the upper side (b)
PRICES = np.array([0.0, *2.0 ** np.arange(-7, 1.5, 0.5)])  # of a pull, in units of the width at equal shares (eta)
FIRST, NEXT = 16, 8  # sizes tried over all of 1..K, then between the neighbours of the best
RATIOS = 1e-100, 1e100  # of sigma/sigma0 in the search: its square stays a float, and sizes no longer depend on it


def subtracted(
    n_arms: float, horizon: float, sigma0_sq: float, sigma_sq: float, a: float, lam: float, price: FloatArray
) -> FloatArray:
    """E sum_k sum_{s=1}^{n-K} ((1 + lam) C g(s) - lam Delta_k - price)^+ + price (n - K), from above; C^2 = a log n.

    E Delta_t <= E c_t + T_t gives E Delta_t <= (1 + lam)(E c_t + T_t) - lam E Delta_t for every lam >= 0. The sum over
    s is at most h(D), D = lam Delta + price, by g(s) <= int_{s-1/2}^{s+1/2} g and the best number of pulls: with
    w = (1 + lam) C sigma, e = 1/2 + alpha, N = n - K, it is 2 w (sqrt(N + e) - sqrt(e)) - N D where D <= w/sqrt(N + e),
    else ((w - D sqrt(e))^+)^2/D. The best arm has Delta = 0 and adds h(price), which is why this is not logarithmic.
    """
    rounds, edge = horizon - n_arms, 0.5 + learned_pulls(n_arms, sigma0_sq, sigma_sq)
    width, sigma0 = (1 + lam) * math.sqrt(a) * math.sqrt(math.log(horizon)) * math.sqrt(sigma_sq), math.sqrt(sigma0_sq)
    full, last = width / math.sqrt(rounds + edge), width / math.sqrt(edge)

    def value(worth: FloatArray) -> FloatArray:
        every = rounds * (2 * width / (math.sqrt(rounds + edge) + math.sqrt(edge)) - worth)
        some = np.maximum(width - worth * math.sqrt(edge), 0.0)
        some = some * (some / np.maximum(worth, full))
        return np.where(worth <= full, every, some)

    with np.errstate(over="ignore"):  # a kink too large for a float is beyond every gap
        kinks = (np.array([full, last]) - price[..., None]).ravel() / (lam * sigma0)
    arms = average_over_gaps(lambda z: value(lam * sigma0 * z + price[..., None]), kinks, n_arms)
    return np.asarray(arms + value(price) + price * rounds)


@lru_cache(maxsize=65536)
def combined_core(n_arms: float, horizon: float, sigma0_sq: float, sigma_sq: float, a: float) -> tuple[float, ...]:
    """(initial, everything else) of the least bound at one point."""
    first, rest = without_counting(n_arms, horizon, sigma0_sq, sigma_sq, a)
    unit = math.sqrt(sigma0_sq)
    counted = unit * sum(counting_core(n_arms, horizon, ratio(math.sqrt(sigma_sq), unit), a, 0.0, 1.0)) - first
    found = [rest, counted]
    if few_rounds_proved(n_arms, horizon):
        found.append(few_rounds_core(n_arms, horizon, sigma0_sq, sigma_sq) - first)
    return first, max(min(found), 0.0) if rest else rest


@lru_cache(maxsize=65536)
def without_counting(n_arms: float, horizon: float, sigma0_sq: float, sigma_sq: float, a: float) -> tuple[float, float]:
    """(initial, everything else) of the least of the bounds that sum widths or gaps."""
    point = (n_arms, horizon, sigma0_sq, sigma_sq, a)
    first, *rest = sharp_core(*point)
    if horizon <= n_arms or n_arms == 1:
        return first, 0.0
    tail = rest[-1]
    alpha = learned_pulls(n_arms, sigma0_sq, sigma_sq)
    unit = math.sqrt(a) * math.sqrt(math.log(horizon)) * math.sqrt(sigma_sq) / math.sqrt(horizon / n_arms + alpha)
    found = [sum(rest), sum(logarithmic_core(*point, 1.0)[1:])]
    found += [subtracted(*point, lam, unit * PRICES).min() + (1 + lam) * tail for lam in SHARES]
    found += [gap_cost(*point, b, unit * PRICES).min() + sum(tails(*point, b)) for b in SIDES]
    return first, float(min(found))


def combined_terms(*, n_arms: Any, horizon: Any, sigma0_sq: Any, sigma_sq: Any, a: Any) -> Terms:
    """The terms of `combined`: `initial` (the first K rounds), `rest` and their sum.

    Parameters
    ----------
    n_arms, horizon, sigma0_sq, sigma_sq, a : array_like
        Number of arms K, number of rounds n, variance of the arm means, noise variance, and constant of the index. They
        broadcast.

    Returns
    -------
    dict
        `initial`, `rest`, `total`: floats, or arrays of the broadcast shape.

    Raises
    ------
    ValueError, TypeError
        If an argument is out of range or not a number.

    Examples
    --------
    >>> import reucb
    >>> terms = reucb.bounds.combined_terms(n_arms=5, horizon=10, sigma0_sq=1.0, sigma_sq=1.0, a=1.0)
    >>> {name: round(value, 2) for name, value in terms.items()}
    {'initial': 5.81, 'rest': 5.81, 'total': 11.63}
    """
    s = setting(n_arms, horizon, sigma0_sq, sigma_sq, a)
    point = (s.n_arms, s.horizon, s.sigma0_sq, s.sigma_sq, s.a)
    terms = pointwise(combined_core, ("initial", "rest"), *point)
    others = [pointwise(sharp_core, SHARP_NAMES, *point), pointwise(logarithmic_core, GAP_NAMES, *point, np.ones(()))]
    arguments = {"n_arms": n_arms, "horizon": horizon, "sigma0_sq": sigma0_sq, "sigma_sq": sigma_sq, "a": a}
    others += [{"total": counting(**arguments, optimise=optimise)} for optimise in (False, True)]
    # the same numbers added in another order may be larger in the last bit
    terms["total"] = float_or_array(np.min(np.array([found["total"] for found in (terms, *others)]), axis=0))
    return terms


def combined(*, n_arms: Any, horizon: Any, sigma0_sq: Any, sigma_sq: Any, a: Any) -> Value:
    """The least of all upper bounds proved here for ReUCB* in the Gaussian model, for every a > 0.

    `counting`, `sharp`, `logarithmic`, `few_rounds` where it is proved, and two families of bounds that hold for all
    values of their parameters and are searched on a fixed grid: `logarithmic` in its b and a price eta of a pull
    (`gap_cost`), and the bound with a share lam of the regret subtracted (`subtracted`), whose member lam = 0 at the
    best eta is `sharp` with log n for log t. For K > 2 and n > 2 K random play (`trivial`) is not among them: that
    ReUCB* is never worse is open.

    Parameters
    ----------
    n_arms, horizon, sigma0_sq, sigma_sq, a : array_like
        Number of arms K, number of rounds n, variance of the arm means, noise variance, and constant of the index. They
        broadcast.

    Returns
    -------
    float or ndarray
        The bound; a float if every argument is a number.

    Raises
    ------
    ValueError, TypeError
        If an argument is out of range or not a number.

    Examples
    --------
    >>> import reucb
    >>> round(reucb.bounds.combined(n_arms=50, horizon=10_000, sigma0_sq=0.04, sigma_sq=0.25, a=1.0))
    499
    """
    return combined_terms(n_arms=n_arms, horizon=horizon, sigma0_sq=sigma0_sq, sigma_sq=sigma_sq, a=a)["total"]


@dataclass(frozen=True)
class Subset:
    """What `subset` returns.

    Attributes
    ----------
    n_arms : int
        Number of arms to play.
    bound : float
        A proved bound on the Bayes regret of playing that many arms, measured against the best of all K arms.

    Examples
    --------
    >>> import reucb
    >>> found = reucb.bounds.subset(n_arms=3, horizon=3, sigma0_sq=1.0, sigma_sq=1.0, a=1.0)
    >>> found.n_arms, round(found.bound, 3)
    (1, 2.539)
    """

    n_arms: int
    bound: float


def missed(n_arms: float, horizon: float, size: float) -> float:
    """n (e_K - e_m): what not playing the other arms costs, in units of sigma0."""
    return horizon * float(expected_max(n_arms) - expected_max(size))


@lru_cache(maxsize=4096)
def rough_upper(n_arms: float, horizon: float, sigma: float, a: float) -> float:
    """`combined` with `counting` on a coarse mesh, in units of sigma0."""
    first, rest = without_counting(n_arms, horizon, 1.0, sigma**2, a)
    if rest == 0:
        return first
    problem = ScaledSetting(n_arms, horizon, sigma, a, False)
    if max(sigma, math.sqrt(a), problem.top) > LARGEST_RATIO:  # `counting` is the range of the arms there
        return first + min(rest, 2 * (horizon - n_arms) * float(expected_max(n_arms)))
    return first + min(rest, coarse_bound(problem)[0])


def estimate(n_arms: float, horizon: float, sigma: float, a: float) -> float:
    """A guess at the regret of ReUCB*, in units of sigma0, from the cost of one pull of each arm and from bounds.

    The root of the sum of squares of that cost and of the geometric mean of a lower and an upper bound, the upper one
    being at most random play. It was 0 to 45 per cent above simulated regret in 20 settings, K = 4 to 1644.
    """
    best = float(expected_max(n_arms))
    if horizon <= n_arms or n_arms == 1:
        return min(n_arms, horizon) * best
    noise = reduced_noise(horizon, sigma)
    below = max(bound_at_h0(n_arms, horizon, noise, h0, ROUGH) for h0 in (0.1, 0.3, 0.8))
    above = min(rough_upper(n_arms, horizon, sigma, a), horizon * best)
    return math.hypot(math.sqrt(max(below, best) * above), n_arms * best)


def best_size(n_arms: float, cost: Callable[[float], float]) -> float:
    """The m in 1..K of least cost among 16 in geometric steps and 8 between the neighbours of the best of them."""
    first = np.unique(np.round(np.geomspace(1, n_arms, FIRST))).tolist()
    costs = [cost(m) for m in first]
    i = int(np.argmin(costs))
    low, high = first[max(i - 1, 0)], first[min(i + 1, len(first) - 1)]
    more = np.unique(np.round(np.geomspace(low, high, NEXT + 2))).tolist()
    return float(min([*first, *more], key=lambda m: costs[first.index(m)] if m in first else cost(m)))


def _scalars(
    n_arms: Any, horizon: Any, sigma0_sq: Any, sigma_sq: Any, a: Any
) -> tuple[float, float, float, float, float]:
    """The arguments as numbers, checked."""
    s = setting(n_arms, horizon, sigma0_sq, sigma_sq, a)
    if s.a.ndim:
        raise ValueError(f"arguments of shape {s.a.shape}: must be single numbers")
    return float(s.n_arms), float(s.horizon), float(s.sigma0_sq), float(s.sigma_sq), float(s.a)


def _noise(sigma0_sq: float, sigma_sq: float) -> float:
    """sigma/sigma0 as the search uses it."""
    low, high = RATIOS
    return min(max(ratio(math.sqrt(sigma_sq), math.sqrt(sigma0_sq)), low), high)


def subset(*, n_arms: Any, horizon: Any, sigma0_sq: Any, sigma_sq: Any, a: Any) -> Subset:
    """The number m of arms for which the proved bound on the regret is least, and that bound.

    ReUCB* that plays m arms chosen in advance and ignores the others has, against the best of all K arms,
    R_n = n sigma0 (e_K - e_m) + R_n^(m) exactly; the bound is `combined` for m arms plus the first term.

    Parameters
    ----------
    n_arms, horizon, sigma0_sq, sigma_sq, a : float
        K, n, the variances of effects and noise, and the width of the policy.

    Returns
    -------
    Subset
        `.n_arms` to play and `.bound`, never above `combined`. The search is over 24 sizes, so another may be
        slightly better; the bound holds for the size returned. `subset_size` is the size to play in practice: bounds
        are looser for many arms, so this one is cautious.

    Raises
    ------
    ValueError, TypeError
        If an argument is out of range or not a number.

    Examples
    --------
    >>> import reucb
    >>> best = reucb.bounds.subset(n_arms=1000, horizon=1000, sigma0_sq=1.0, sigma_sq=0.25, a=1.0)
    >>> best.n_arms, round(best.bound)
    (74, 1175)
    """
    arms, rounds, prior, noise, width = _scalars(n_arms, horizon, sigma0_sq, sigma_sq, a)
    size = best_size(arms, lambda m: missed(arms, rounds, m) + rough_upper(m, rounds, _noise(prior, noise), width))

    def bound(m: float) -> float:
        return math.sqrt(prior) * missed(arms, rounds, m) + sum(combined_core(m, rounds, prior, noise, width))

    best = min((size, arms), key=bound)
    return Subset(int(best), bound(best))


def subset_size(*, n_arms: Any, horizon: Any, sigma0_sq: Any, sigma_sq: Any, a: Any = 1.0) -> int:
    """How many of K arms to play, chosen in advance, when there are many arms for the number of rounds.

    The m that minimises n sigma0 (e_K - e_m), what is lost by ignoring the other arms, plus an estimate of the regret
    of ReUCB* on m arms (`bounds.combined.estimate`, not a bound; the minimum is flat). `bounds.subset` minimises a
    proved bound instead and is more cautious.

    Parameters
    ----------
    n_arms, horizon, sigma0_sq, sigma_sq, a : float
        K, n, the variances of effects and noise, and the width of the policy.

    Returns
    -------
    int
        From 1 to K; K where every arm is worth playing.

    Raises
    ------
    ValueError, TypeError
        If an argument is out of range or not a number.

    Examples
    --------
    >>> import reucb
    >>> reucb.subset_size(n_arms=1000, horizon=1000, sigma0_sq=1.0, sigma_sq=0.25)
    95
    """
    arms, rounds, prior, noise, width = _scalars(n_arms, horizon, sigma0_sq, sigma_sq, a)
    sigma = _noise(prior, noise)
    return int(best_size(arms, lambda m: missed(arms, rounds, m) + estimate(m, rounds, sigma, width)))
