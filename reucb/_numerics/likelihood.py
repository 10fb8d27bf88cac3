"""Maximum likelihood of the one-way Gaussian random-effect model, by its profile over one number.

With the ratio lam = sigma0^2 / sigma^2 and h_k = n_k / (1 + lam n_k), mu0 and sigma^2 have closed forms, and minus
twice the log-likelihood is, up to a constant,

    f(lam) = M log Q(lam) + sum_k log(1 + lam n_k) + [log sum_k h_k],
    Q(lam) = SSW + sum_k h_k (r-bar_k - mu(lam))^2,

M = N for ml; M = N - 1 with the bracket for reml. f varies slowly in log lam (it is made of logs of rational
functions with their poles at lam < 0), so a scan finds the valleys, and bisection of f' the floor of each.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from reucb._numerics.arrays import FloatArray

_PER_DECADE = 8
_BISECTIONS = 70  # a bracket of an eighth of a decade shrinks below one unit in the last place


class _Data(NamedTuple):
    """Rows of problems: counts, centred means (rows, K), sums of squares within arms (rows,)."""

    n: FloatArray
    centred: FloatArray
    within: FloatArray
    restricted: bool

    def row(self, index: NDArray[np.intp]) -> _Data:
        return _Data(self.n[index], self.centred[index], self.within[index], self.restricted)

    @property
    def freedom(self) -> FloatArray:
        return np.asarray(self.n.sum(-1) - self.restricted)


class _Point(NamedTuple):
    """The profile at one lam per row: its value, its slope, and Q."""

    value: FloatArray
    slope: FloatArray
    residual: FloatArray


def maximise(
    n: FloatArray, centred: FloatArray, within: FloatArray, *, restricted: bool
) -> tuple[FloatArray, FloatArray, FloatArray]:
    """(sigma0^2, sigma^2, log-likelihood) at the global maximum, for each batch."""
    shape, arms = n.shape[:-1], n.shape[-1]
    data = _Data(n.reshape(-1, arms), centred.reshape(-1, arms), within.reshape(-1), restricted)
    constant = data.within == 0  # the likelihood grows without bound as sigma^2 -> 0
    safe = data._replace(within=np.where(constant, 1.0, data.within))
    ratio = _best_ratio(safe)
    point = _profile(safe, ratio)
    noise = point.residual / safe.freedom
    between = ratio * noise
    loglik = -0.5 * (point.value + safe.freedom * (1 + np.log(2 * np.pi / safe.freedom)))
    between = np.where(constant, _noiseless(data), between)
    results = (between, np.where(constant, 0.0, noise), np.where(constant, np.inf, loglik))
    return results[0].reshape(shape), results[1].reshape(shape), results[2].reshape(shape)


def _profile(data: _Data, ratio: FloatArray) -> _Point:
    """f and f' at one ratio per row; mu(lam) maximises, so it does not contribute to the slope."""
    growth = ratio[:, None] * data.n
    h = data.n / (1 + growth)
    total = h.sum(-1)
    deviation = data.centred - ((h * data.centred).sum(-1) / total)[:, None]
    residual = data.within + (h * deviation**2).sum(-1)
    value = data.freedom * np.log(residual) + np.log1p(growth).sum(-1)
    slope = -data.freedom * ((h * deviation) ** 2).sum(-1) / residual + total
    if data.restricted:
        value = value + np.log(total)
        slope = slope - (h * h).sum(-1) / total
    return _Point(value, slope, residual)


def _grid(data: _Data) -> FloatArray:
    """Ratios (points, rows): 0, then evenly in the log from where f is still linear to where it must rise.

    Above: 1/(lam + 1) <= h_k <= 1/lam gives f' > 0 for lam > 4 (M K range^2 / SSW + 1). Below: f' changes by a
    part in a thousand only while lam max n < 1e-3.
    """
    arms = (data.n > 0).sum(-1)
    reach = np.ptp(np.where(data.n > 0, data.centred, 0.0), axis=-1)
    with np.errstate(over="ignore"):
        top = np.minimum(4 * (data.freedom * arms * reach**2 / data.within + 1), 1e290)
    bottom = 1e-3 / data.n.max(-1)
    decades = float(np.log10(top / bottom).max())
    steps = np.linspace(0, 1, int(np.ceil(_PER_DECADE * decades)) + 1)[:, None]
    return np.concatenate([np.zeros((1, len(arms))), np.exp(np.log(bottom) * (1 - steps) + np.log(top) * steps)])


def _best_ratio(data: _Data) -> FloatArray:
    """The ratio at the lowest point of f: the boundary 0, or the floor of one of the valleys the scan found."""
    grid = _grid(data)
    falling = np.stack([_profile(data, ratio).slope < 0 for ratio in grid])
    step, row = np.nonzero(falling[:-1] & ~falling[1:])
    floor = _bisect(data.row(row), grid[step, row], grid[step + 1, row])
    best, lowest = np.zeros(len(data.within)), _profile(data, np.zeros(len(data.within))).value
    for index in _ranks(row):
        rows = row[index]
        value = _profile(data.row(rows), floor[index]).value
        better = value < lowest[rows]
        best[rows[better]], lowest[rows[better]] = floor[index][better], value[better]
    return best


def _ranks(row: NDArray[np.intp]) -> list[NDArray[np.intp]]:
    """Indices of the first valley of each row, of the second, ...: within each list no row stands twice."""
    order = np.argsort(row, kind="stable")
    ranked = row[order]
    rank = np.arange(len(row)) - np.searchsorted(ranked, ranked)
    return [order[rank == r] for r in range(int(rank.max(initial=-1)) + 1)]


def _bisect(data: _Data, low: FloatArray, high: FloatArray) -> FloatArray:
    """Where f' turns from falling to rising; in the middle of the log where the bracket spans more than a factor."""
    for _ in range(_BISECTIONS):
        middle = np.where(high > 4 * low, np.sqrt(np.maximum(low, high * 1e-8) * high), (low + high) / 2)
        falls = _profile(data, middle).slope < 0
        low, high = np.where(falls, middle, low), np.where(falls, high, middle)
    return np.asarray((low + high) / 2)


def _noiseless(data: _Data) -> FloatArray:
    """sigma0^2 when sigma^2 = 0: the arm means are the arms, each counting once."""
    pulled = data.n > 0
    arms = pulled.sum(-1)
    mean = (data.centred * pulled).sum(-1) / arms
    squares = (np.where(pulled, data.centred - mean[:, None], 0.0) ** 2).sum(-1)
    return np.asarray(squares / (arms - data.restricted))
