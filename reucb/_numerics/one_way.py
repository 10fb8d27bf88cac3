"""The one-way Gaussian random-effect model: maximum likelihood of its two variances, and their uncertainty.

Likelihood
----------
f(lam) and its derivatives are those of `reucb._numerics.likelihood`, here for rows of vectors at once. f varies slowly
in log(lam + 1/max n), so a scan brackets its local minima, and Newton's method within a bracket finds each of them.

Uncertainty
-----------
An interval of an arm mean that takes estimated variances for the truth is too short: at an estimate of 0 it is that of
one common mean. Here the variances have weights proportional to the restricted likelihood, with respect to d sigma0^2
and d log sigma^2. For lam = sigma0^2/sigma^2 they are evaluated at nodes; given lam, sigma^2 is Q over a chi-square
variable, so that an arm mean has a t distribution about its BLUP. An interval ends at quantiles of the mixture.

With two or three arms these weights would all lie at infinity; there they are with respect to d of the shrinkage
s/(s + lam), s = 1/mean count. The degrees of freedom are N - 3, and N - 2 with two arms, so that the limit without
pooling is no shorter than the interval of an arm's own mean. Alternatives were compared by coverage: docs/intervals.md.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy import special

from reucb._numerics import FloatArray
from reucb._numerics.likelihood import Profile, deviance, falls, newton_terms

_PER_DECADE = 8
_CONVERGED = 1e-9  # a Newton step of this relative size leaves an error of about its square
_ROUNDING = 2.0**-52
_NODES = 64
_FLAT_FROM = 4  # arms
_STEPS = 70  # far more than Newton's method takes; enough for bisection alone


class OneWay(NamedTuple):
    """Rows of problems: n_k and centred means (rows, K), SSW (rows,) or None where phi = 1, and whether reml."""

    n: FloatArray
    centred: FloatArray
    within: FloatArray | None
    restricted: bool

    def row(self, index: NDArray[np.intp]) -> OneWay:
        """Some of the rows."""
        return self._replace(
            n=self.n[index],
            centred=self.centred[index],
            within=None if self.within is None else self.within[index],
        )

    @property
    def arms(self) -> NDArray[np.intp]:
        """Number of pulled arms."""
        return np.asarray((self.n > 0).sum(-1))

    @property
    def freedom(self) -> FloatArray:
        """M."""
        return np.asarray((self.arms if self.within is None else self.n.sum(-1)) - self.restricted, dtype=np.float64)

    @property
    def scored(self) -> FloatArray | float:
        """M as f' has it: f' = A - B where phi = 1, as with M = Q = 1."""
        return 1.0 if self.within is None else self.freedom


def others(values: FloatArray) -> FloatArray:
    """The sum of all other entries of the row, by sums from both ends: total minus own would cancel."""
    before, after = np.cumsum(values, -1), np.cumsum(values[..., ::-1], -1)[..., ::-1]
    result = np.zeros_like(values)
    result[..., 1:] += before[..., :-1]
    result[..., :-1] += after[..., 1:]
    return result


def projected_trace(h: FloatArray, left: FloatArray, right: FloatArray) -> FloatArray:
    """tr(P L P R) for P = diag(h) - h h'/sum h and diagonal L, R, without cancellation."""
    total = h.sum(-1, keepdims=True)
    own, share = h * others(h) / total, h * h / total
    return np.asarray((own * own * left * right + share * left * others(share * right)).sum(-1))


def reduced(data: OneWay, ratio: FloatArray) -> tuple[FloatArray, FloatArray]:
    """h_k, and the means about mu(lam), at one ratio per row."""
    h = data.n / (1 + ratio[:, None] * data.n)
    mu = (h * data.centred).sum(-1) / h.sum(-1)
    return h, data.centred - mu[:, None]


def height(data: OneWay, ratio: FloatArray) -> tuple[FloatArray, FloatArray]:
    """f, and Q (S where phi = 1), at one ratio per row."""
    h, deviation = reduced(data, ratio)
    residual = (h * deviation**2).sum(-1)
    fit = residual
    if data.within is not None:
        residual = data.within + residual
        fit = data.freedom * np.log(residual)
    growth = np.log1p(ratio[:, None] * data.n).sum(-1)
    return np.asarray(deviance(fit, growth, np.log(h.sum(-1)), data.restricted)), residual


def profile(data: OneWay, ratio: FloatArray, *, curved: bool) -> tuple[Profile, FloatArray, FloatArray | float]:
    """The derivatives of f at one ratio per row, in a unit of the ratio in which max h = 1; that unit; and -Q'.

    `curved`: T and C too. Differences are taken before squares and products, so nothing cancels, and nothing overflows.
    """
    h, deviation = reduced(data, ratio)
    unit = h.max(-1)
    g = h / unit[:, None]
    total = g.sum(-1)
    pull = g * deviation * np.sqrt(unit)[:, None]  # P y
    b = (pull**2).sum(-1)
    a = (g * others(g)).sum(-1) / total if data.restricted else total
    t = c = np.zeros_like(a)
    if curved:
        c = (g * (pull - ((g * pull).sum(-1) / total)[:, None]) ** 2).sum(-1)
        one = np.ones_like(g)
        t = projected_trace(g, one, one) if data.restricted else (g * g).sum(-1)
    if data.within is None:
        return Profile(ratio, a, t, b, c, 1.0), unit, 0.0
    return Profile(ratio, a, t, b, c, data.within + (h * deviation**2).sum(-1)), unit, b


def maximise(data: OneWay) -> tuple[FloatArray, FloatArray, FloatArray]:
    """(lam phi, phi, log-likelihood) at the global maximum, for each row."""
    if data.within is None:
        ratio = best_ratio(data)
        value = height(data, ratio)[0] - np.log(np.where(data.n > 0, data.n, 1.0)).sum(-1)
        return ratio, np.ones_like(ratio), -0.5 * (value + data.freedom * np.log(2 * np.pi))
    constant = data.within == 0  # the likelihood grows without bound as sigma^2 -> 0
    safe = data._replace(within=np.where(constant, 1.0, data.within))
    ratio = best_ratio(safe)
    value, residual = height(safe, ratio)
    noise = residual / safe.freedom
    loglik = -0.5 * (value + safe.freedom * (1 + np.log(2 * np.pi / safe.freedom)))
    between = np.where(constant, noiseless(data), ratio * noise)
    return between, np.where(constant, 0.0, noise), np.where(constant, np.inf, loglik)


def _squares(data: OneWay) -> FloatArray:
    """The sum of squares of the arm means about their plain mean."""
    pulled = data.n > 0
    mean = (data.centred * pulled).sum(-1) / data.arms
    return np.asarray((np.where(pulled, data.centred - mean[:, None], 0.0) ** 2).sum(-1))


def _top(data: OneWay) -> FloatArray:
    """A ratio from which f rises: sum_k (h_k d_k)^2 <= squares / lam^2, and A >= (K - 1) / (lam + 1/min n)."""
    squares, phi = _squares(data), 1.0 if data.within is None else data.within / data.freedom
    with np.errstate(over="ignore"):
        top = squares / ((data.arms - 1) * phi) + 1 / np.where(data.n > 0, data.n, np.inf).min(-1)
    return np.asarray(np.minimum(top, 1e290))


def _grid(data: OneWay) -> FloatArray:
    """Ratios (points, rows) from 0 to where f rises, evenly in the log of lam + 1/max n."""
    shift = 1 / data.n.max(-1)
    reach = np.log1p(_top(data) / shift)
    steps = np.linspace(0, 1, int(np.ceil(_PER_DECADE * float(reach.max()) / np.log(10))) + 2)[:, None]
    return np.asarray(shift * np.expm1(reach * steps))


def best_ratio(data: OneWay) -> FloatArray:
    """The ratio at the global minimum of f: the boundary 0, or one of the local minima that the scan brackets."""
    grid = _grid(data)
    falling = np.stack([falls(data.scored, profile(data, ratio, curved=False)[0]) for ratio in grid])
    step, row = np.nonzero(falling[:-1] & ~falling[1:])
    floor = _root(data.row(row), grid[step, row], grid[step + 1, row])
    best, lowest = np.zeros(len(data.n)), height(data, np.zeros(len(data.n)))[0]
    for index in _ranks(row):
        rows = row[index]
        value = height(data.row(rows), floor[index])[0]
        better = value < lowest[rows]
        best[rows[better]], lowest[rows[better]] = floor[index][better], value[better]
    return best


def _ranks(row: NDArray[np.intp]) -> list[NDArray[np.intp]]:
    """Indices of the first minimum of each row, of the second, ...: no list contains a row twice."""
    order = np.argsort(row, kind="stable")
    ranked = row[order]
    rank = np.arange(len(row)) - np.searchsorted(ranked, ranked)
    return [order[rank == r] for r in range(int(rank.max(initial=-1)) + 1)]


def _root(data: OneWay, low: FloatArray, high: FloatArray) -> FloatArray:
    """Where f' turns from falling to rising: Newton's method within a bracket.

    A step out of the bracket, or one that is not half the step before, is replaced by the middle of the bracket: in the
    log where it spans more than a factor.
    """
    found, rows = np.empty_like(low), np.arange(len(low))
    ratio, past = (low + high) / 2, high - low
    for _ in range(_STEPS):
        at, unit, loss = profile(data, ratio, curved=True)
        falling = falls(data.scored, at)
        low, high = np.where(falling, ratio, low), np.where(falling, high, ratio)
        excess, steep = newton_terms(data.scored, at, loss)
        move = np.where(steep > 0, excess / np.where(steep > 0, steep, 1.0) / unit, np.inf)
        following = ratio + move
        halves = (low <= following) & (following <= high) & (np.abs(move) <= past / 2)
        middle = np.where(high > 4 * low, np.sqrt(np.maximum(low, high * 1e-8) * high), (low + high) / 2)
        following = np.where(halves, following, middle)
        past, ratio = np.abs(following - ratio), following
        found[rows] = ratio
        near = np.where(halves, _CONVERGED, _ROUNDING)
        rest = np.flatnonzero(past > near * (ratio + 1 / data.n.max(-1)))
        if not len(rest):
            break
        if len(rest) < len(rows):
            data, rows = data.row(rest), rows[rest]
            low, high, ratio, past = low[rest], high[rest], ratio[rest], past[rest]
    return found


def noiseless(data: OneWay) -> FloatArray:
    """sigma0^2 when sigma^2 = 0: the arm means are the arms, each counting once."""
    return _squares(data) / (data.arms - data.restricted)


def information_errors(data: OneWay, between: FloatArray, phi: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Standard errors of (sigma0^2, sigma^2) by the expected information of the (restricted) likelihood.

    Half the matrix of tr(P), tr(P^2), ... in units of phi: rows and columns are the derivatives of the variance of all
    rewards by sigma0^2 and by sigma^2. With phi known the second row does not exist. Where phi is estimated as 0, the
    arm means are the arms, and the first error is that of their variance.
    """
    exact = phi == 0
    unit = np.where(exact, 1.0, phi)
    n, h = data.n, reduced(data, np.where(exact, 0.0, between / unit))[0]
    inverse = np.where(n > 0, 1 / np.where(n > 0, n, 1.0), 0.0)

    def trace(left: FloatArray, right: FloatArray) -> FloatArray:
        return projected_trace(h, left, right) if data.restricted else np.asarray((h * h * left * right).sum(-1))

    # The variance of an arm mean has the derivatives 1 by sigma0^2 and 1/n by sigma^2.
    one = np.ones_like(h)
    if data.within is None:
        return np.sqrt(2 / trace(one, one)), np.zeros_like(phi)
    both = trace(one, one), trace(one, inverse), trace(inverse, inverse) + n.sum(-1) - data.arms
    determinant = both[0] * both[2] - both[1] ** 2
    first = np.where(
        exact, between * np.sqrt(2 / (data.arms - data.restricted)), unit * np.sqrt(2 * both[2] / determinant)
    )
    return first, phi * np.sqrt(2 * both[0] / determinant)


def quadratic_errors(
    data: OneWay, between: FloatArray, phi: FloatArray, effective: FloatArray, *, unbiased: bool
) -> tuple[FloatArray, FloatArray]:
    """Standard errors of the quadratic estimates: their exact variances for Gaussian rewards and fixed counts."""
    n, size = data.n, data.n.sum(-1)
    spread = np.where(n > 0, between[:, None] + phi[:, None] / np.where(n > 0, n, 1.0), 0.0)
    squares = projected_trace(n, spread, spread)  # P = diag(n) - n n'/N is the form of the sum of squares
    noise = np.zeros_like(phi) if data.within is None else 2 * phi**2 / (size - data.arms)
    bias = (data.arms - 1) ** 2 * noise if unbiased else 0.0
    return np.sqrt(2 * squares + bias) / effective, np.sqrt(noise)


def noise_interval(data: OneWay, level: float) -> tuple[FloatArray, FloatArray]:
    """sigma^2 between SSW over quantiles of chi-square with N - K degrees of freedom: exact for Gaussian rewards."""
    assert data.within is not None
    half = (data.n.sum(-1) - data.arms) / 2
    tails = (1 - level) / 2
    low, high = special.gammaincinv(half, 1 - tails), special.gammaincinv(half, tails)
    return data.within / (2 * low), data.within / (2 * high)


def between_interval(data: OneWay, level: float) -> tuple[FloatArray, FloatArray]:
    """sigma0^2 by the Q-profile: the values at which sum_k (r-bar_k - mu)^2 / (sigma0^2 + v_k) is no outlier.

    At the truth the sum over K - 1 has the F distribution with K - 1 and inf degrees of freedom where v_k is known.
    With v_k = s^2/n_k estimated it is close to F with K - 1 and nu, nu = (N - K) / mean of (1 - w_k)^2 (Satterthwaite):
    exact for sigma0^2 = 0, and as sigma0^2 grows.
    """
    arms, tails = data.arms, (1 - level) / 2
    constant = np.zeros(len(arms), dtype=bool)
    if data.within is None:
        phi, rest = np.ones(len(arms)), np.full(len(arms), np.inf)
    else:
        constant = data.within == 0  # the arm means are the arms
        rest = data.n.sum(-1) - arms
        phi = np.where(constant, 1.0, data.within) / rest

    def bound(probability: float) -> FloatArray:
        def above(ratio: FloatArray) -> FloatArray:
            h, deviation = reduced(data, ratio)
            spread = (h * deviation**2).sum(-1)
            shrink = h / np.where(data.n > 0, data.n, 1.0)  # 1 - w_k
            nu = rest / ((shrink**2).sum(-1) / arms)
            freedom = np.asarray(arms - 1, dtype=np.float64)
            return np.asarray(spread - phi * freedom * _f_quantile(freedom, nu, probability), dtype=np.float64)

        exact = noiseless(data) * (arms - data.restricted) / (2 * special.gammaincinv((arms - 1) / 2, probability))
        return np.where(constant, exact, phi * _crossing(data, above))

    return bound(1 - tails), bound(tails)


def _f_quantile(first: FloatArray, second: FloatArray, probability: float) -> FloatArray:
    large = ~(second < 1e8)  # there F is chi-square to eight digits
    finite = special.fdtri(first, np.where(large, 1.0, second), probability)
    return np.asarray(np.where(large, 2 * special.gammaincinv(first / 2, probability) / first, finite))


def _crossing(data: OneWay, above: Callable[[FloatArray], FloatArray]) -> FloatArray:
    """The ratio at which a decreasing function turns negative: 0 if it is nowhere positive."""
    low, high = np.zeros(len(data.n)), 1 / data.n.max(-1)
    for _ in range(2000):
        positive = above(high) > 0
        if not positive.any():
            break
        low, high = np.where(positive, high, low), np.where(positive, 4 * high, high)
    for _ in range(70):
        middle = (low + high) / 2
        positive = above(middle) > 0
        low, high = np.where(positive, middle, low), np.where(positive, high, middle)
    return np.where(above(np.zeros_like(low)) > 0, (low + high) / 2, 0.0)


class Nodes(NamedTuple):
    """Weights that sum to 1, ratios and phi, each (nodes, rows); degrees of freedom (rows,), inf where phi is known."""

    weights: FloatArray
    ratio: FloatArray
    phi: FloatArray
    freedom: FloatArray


def ratio_nodes(data: OneWay) -> Nodes:
    """Nodes for the ratio given the data; rewards must vary within arms.

    They are even in log(lam - best + D), D = sqrt((K - 1) / tr P^2) a typical variance of an arm mean over phi: on that
    scale the standard deviation is near sqrt(2/(K - 1)). They reach 8 of these on both sides, and to where the tail
    lam^((1 - K)/2) has a weight below 1e-4.
    """
    data = data._replace(restricted=True)
    best, arms = best_ratio(data), data.arms
    h, _ = reduced(data, best)
    one = np.ones_like(h)
    scale = np.sqrt((arms - 1) / projected_trace(h, one, one))
    sd = np.sqrt(2 / (arms - 1))
    start, stop = np.log(np.maximum(1 - best / scale, np.exp(-8 * sd))), 8 * sd + 14 / np.maximum(arms / 2 - 1, 0.5)
    edges = best + scale * np.expm1(start + (stop - start) * np.linspace(0, 1, _NODES + 1)[:, None])
    edges = np.maximum(edges, 0.0)
    middle = (edges[1:] + edges[:-1]) / 2
    value, residual = (np.stack(found) for found in zip(*(height(data, ratio) for ratio in middle), strict=True))
    freedom = data.freedom - np.minimum(2, arms - 1)
    if data.within is not None:
        value = value - (data.freedom - freedom) * np.log(residual)
    typical = arms / data.n.sum(-1)
    shrinkage = typical / (typical + edges)
    measure = np.where(arms >= _FLAT_FROM, np.diff(edges, axis=0), -np.diff(shrinkage, axis=0))
    weights = np.exp((value.min(0) - value) / 2) * measure
    weights = weights / weights.sum(0)
    kept = (weights > 1e-12).any(1)
    weights, middle, residual = weights[kept], middle[kept], residual[kept]
    if data.within is None:
        return Nodes(weights, middle, np.ones_like(middle), np.full(len(best), np.inf))
    return Nodes(weights, middle, residual / freedom, freedom)


def mixture_quantile(
    weights: FloatArray, centre: FloatArray, spread: FloatArray, freedom: FloatArray, probability: float
) -> FloatArray:
    """The quantile of a mixture of t distributions, nodes on the first axis: Newton's method within a bracket."""
    large = ~(freedom < 1e8)  # there t is normal to eight digits
    safe = np.where(large, 1.0, freedom)
    peak = np.where(large, 0.0, special.gammaln((safe + 1) / 2) - special.gammaln(safe / 2) - np.log(safe) / 2)
    ends = centre + spread * np.where(large, special.ndtri(probability), special.stdtrit(safe, probability))
    low, high = ends.min(0), ends.max(0)
    x, width = (weights * ends).sum(0), high - low
    for _ in range(_STEPS):
        z = (x - centre) / spread
        excess = (weights * np.where(large, special.ndtr(z), special.stdtr(safe, z))).sum(0) - probability
        height = np.where(
            large, np.exp(-z * z / 2) / np.sqrt(2), np.exp(peak - (safe + 1) / 2 * np.log1p(z * z / safe))
        )
        low, high = np.where(excess < 0, x, low), np.where(excess < 0, high, x)
        with np.errstate(divide="ignore", invalid="ignore"):
            following = x - excess / (weights * height / (np.sqrt(np.pi) * spread)).sum(0)
        inside = (low <= following) & (following <= high)
        past, x = x, np.where(inside, following, (low + high) / 2)
        if (np.abs(x - past) <= 1e-10 * width).all():
            break
    return np.asarray(x)
