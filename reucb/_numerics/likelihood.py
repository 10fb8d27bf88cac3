"""Maximum likelihood of the one-way Gaussian random-effect model, by its profile over one number.

An arm mean has the variance phi (lam + 1/n_k). From rewards, n_k counts them and phi = sigma^2 is unknown; with
sampling variances v_k known, n_k = 1/v_k, phi = 1 and lam = sigma0^2. With h_k = n_k / (1 + lam n_k), mu0 and phi have
closed forms, and minus twice the log-likelihood is, up to a constant,

    f(lam) = M log Q(lam) + sum_k log(1 + lam n_k) + [log sum_k h_k],    Q(lam) = SSW + sum_k h_k (r-bar_k - mu(lam))^2,

M = N for ml, M = N - 1 with the bracket for reml; Q stands for M log Q where phi = 1. f varies slowly in
log(lam + 1/max n), so a scan brackets its local minima, and bisection of f' finds each of them.

`reucb/_engine/likelihood.py` solves the same problem in compiled code, one round after the other; this module takes
batches, and needs no compiler. A test compares the two.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from reucb._numerics import FloatArray

_PER_DECADE = 8
_BISECTIONS = 70  # a bracket of an eighth of a decade shrinks below one unit in the last place


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


class Profile(NamedTuple):
    """f at one lam per row: its value, its slope, Q (or the sum in it), h_k, mu(lam)."""

    value: FloatArray
    slope: FloatArray
    residual: FloatArray
    h: FloatArray
    mu: FloatArray


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


def profile(data: OneWay, ratio: FloatArray) -> Profile:
    """f and f' at one ratio per row; mu(lam) maximises, so it does not contribute to the slope."""
    growth = ratio[:, None] * data.n
    h = data.n / (1 + growth)
    total = h.sum(-1)
    mu = (h * data.centred).sum(-1) / total
    deviation = data.centred - mu[:, None]
    residual, steep = (h * deviation**2).sum(-1), ((h * deviation) ** 2).sum(-1)
    if data.within is None:
        value, slope = residual, total - steep
    else:
        residual = data.within + residual
        value, slope = data.freedom * np.log(residual), total - data.freedom * steep / residual
    value = value + np.log1p(growth).sum(-1)
    if data.restricted:
        value, slope = value + np.log(total), slope - (h * h).sum(-1) / total
    return Profile(value, slope, residual, h, mu)


def maximise(data: OneWay) -> tuple[FloatArray, FloatArray, FloatArray]:
    """(lam phi, phi, log-likelihood) at the global maximum, for each row."""
    if data.within is None:
        ratio = best_ratio(data)
        value = profile(data, ratio).value - np.log(np.where(data.n > 0, data.n, 1.0)).sum(-1)
        return ratio, np.ones_like(ratio), -0.5 * (value + data.freedom * np.log(2 * np.pi))
    constant = data.within == 0  # the likelihood grows without bound as sigma^2 -> 0
    safe = data._replace(within=np.where(constant, 1.0, data.within))
    ratio = best_ratio(safe)
    point = profile(safe, ratio)
    noise = point.residual / safe.freedom
    loglik = -0.5 * (point.value + safe.freedom * (1 + np.log(2 * np.pi / safe.freedom)))
    between = np.where(constant, noiseless(data), ratio * noise)
    return between, np.where(constant, 0.0, noise), np.where(constant, np.inf, loglik)


def _top(data: OneWay) -> FloatArray:
    """A ratio from which f rises: sum_k (h_k d_k)^2 <= squares / lam^2, and A >= (K - 1) / (lam + 1/min n)."""
    pulled = data.n > 0
    mean = (data.centred * pulled).sum(-1) / data.arms
    squares = (np.where(pulled, data.centred - mean[:, None], 0.0) ** 2).sum(-1)
    phi = 1.0 if data.within is None else data.within / data.freedom
    with np.errstate(over="ignore"):
        top = squares / ((data.arms - 1) * phi) + 1 / np.where(pulled, data.n, np.inf).min(-1)
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
    falling = np.stack([profile(data, ratio).slope < 0 for ratio in grid])
    step, row = np.nonzero(falling[:-1] & ~falling[1:])
    floor = _bisect(data.row(row), grid[step, row], grid[step + 1, row])
    best, lowest = np.zeros(len(data.n)), profile(data, np.zeros(len(data.n))).value
    for index in _ranks(row):
        rows = row[index]
        value = profile(data.row(rows), floor[index]).value
        better = value < lowest[rows]
        best[rows[better]], lowest[rows[better]] = floor[index][better], value[better]
    return best


def _ranks(row: NDArray[np.intp]) -> list[NDArray[np.intp]]:
    """Indices of the first minimum of each row, of the second, ...: no list contains a row twice."""
    order = np.argsort(row, kind="stable")
    ranked = row[order]
    rank = np.arange(len(row)) - np.searchsorted(ranked, ranked)
    return [order[rank == r] for r in range(int(rank.max(initial=-1)) + 1)]


def _bisect(data: OneWay, low: FloatArray, high: FloatArray) -> FloatArray:
    """Where f' turns from falling to rising; in the middle of the log where the bracket spans more than a factor."""
    for _ in range(_BISECTIONS):
        middle = np.where(high > 4 * low, np.sqrt(np.maximum(low, high * 1e-8) * high), (low + high) / 2)
        falls = profile(data, middle).slope < 0
        low, high = np.where(falls, middle, low), np.where(falls, high, middle)
    return np.asarray((low + high) / 2)


def noiseless(data: OneWay) -> FloatArray:
    """sigma0^2 when sigma^2 = 0: the arm means are the arms, each counting once."""
    pulled = data.n > 0
    mean = (data.centred * pulled).sum(-1) / data.arms
    squares = (np.where(pulled, data.centred - mean[:, None], 0.0) ** 2).sum(-1)
    return np.asarray(squares / (data.arms - data.restricted))
