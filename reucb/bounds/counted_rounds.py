"""The rounds that the counting bound counts: bad rounds, in which the best arm is underestimated, and good pulls.

A pull is charged a price that covers the bad rounds (claims ours/counting/bad-rounds and ours/counting/prices). The
good pulls cost E[((Y - mu) + Lam) 1{mu < Y} 1{rbar_N >= Y - d}], evaluated for many thresholds d from above: Y is
fixed, mu ~ N(0, v), and rbar_N = mu + noise has noise variance lam^2 = sigma^2/N. Given rbar_N = r the gap Y - mu is
normal with standard deviation t; with z = (E[mu | r] - Y)/t its cost is t Psi(z) + Lam Q(z). This is replaced by a
function that is linear between the nodes of a grid of z and nowhere smaller: Psi is convex, so its chords are above it;
the chords of Q are raised by an eighth of the squared step times the largest |Q''|. What remains is the integral of a
piecewise linear function against a normal density.

How far a good pull can reach is claim ours/good-pull (prior variance 1, mu0 = 0). A round is good if the pulled arm k,
pulled N times before and not the best one, has mu_* <= mu-hat_k + s_n tau_k. Then N (mu_* - rbar_k) <= f_N(mu_*, S),
where S bounds what the other arms contribute to the estimate of mu0. The law of S is that of claim
ours/counting/reflection.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np

from reucb._numerics import FloatArray
from reucb.bounds.normal import density, excess, excess_of_any_sign, graded_scores, upper_tail
from reucb.bounds.sharp import bonus, weight

SHARE = 1.2  # a pull is charged this share of the excess of beta over its last value
STEP, EDGE = 0.25, 8.0  # grid of z
NARROW = 0.02  # below this width, in standard deviations of r, an integral uses chords of the density
FINE_CELLS = 1500  # cells of B(v0) + E; any number gives a bound
ROUGH_CELLS = 200  # cells used to choose where the cells of S end
FAR = 13.0  # range of B(v0) + E in standard deviations


@dataclass(frozen=True)
class Blocks:
    """Consecutive blocks [first, last] of whole numbers."""

    first: FloatArray
    last: FloatArray

    @property
    def size(self) -> FloatArray:
        return self.last - self.first + 1


def blocks(low: float, high: float, exact: int, ratio: float) -> Blocks:
    """[low, high] cut into blocks: the first `exact` numbers one by one, then blocks longer by `ratio` each."""
    near = np.arange(low, min(low + exact, high + 1))
    edge = near[-1] + 1
    if edge > high:
        return Blocks(near, near)
    number = math.ceil(math.log((high + 1) / edge) / ratio) + 1
    far = np.unique(np.ceil(np.geomspace(edge, high + 1, number)))
    far[0], far[-1] = edge, high + 1
    first = np.concatenate([near, far[:-1]])
    return Blocks(first, np.concatenate([near, far[1:] - 1]))


@dataclass(frozen=True)
class BadRounds:
    """P(bad) and the cost of a bad round, as functions of the count N of the pulled arm.

    Claim ours/counting/bad-rounds. Prior variance 1, noise variance `sigma`^2, g(N) = sigma/sqrt(N + alpha).
    """

    n_arms: float
    sigma: float
    alpha: float
    a: float
    horizon: float

    def width(self, count: FloatArray) -> FloatArray:
        """g(N), which no tau of an arm with N pulls exceeds."""
        return np.asarray(self.sigma / np.sqrt(count + self.alpha))

    def bonus(self, t: FloatArray) -> FloatArray:
        """s_t = sqrt(a log t)."""
        return bonus(self.a, t)

    def chance_and_cost(self, count: Blocks, rounds: Blocks) -> tuple[FloatArray, FloatArray]:
        """p_t(N) and beta_t(N) from above on every block of rounds (rows) and of counts (columns)."""
        low, high = self.bonus(rounds.first)[:, None], self.bonus(rounds.last)[:, None]
        last = self.bonus(np.array(self.horizon))
        first_width = self.width(np.array(1.0))
        theta = low + np.maximum(last - low, 0.0) * self.width(count.last) / first_width
        tail = upper_tail(theta)
        chance = -np.expm1((self.n_arms - 1) * np.log1p(-tail))
        rivals = (self.n_arms - 1) * first_width * np.maximum(density(theta) - low * tail, 0.0)
        with np.errstate(invalid="ignore", over="ignore"):
            own = np.where(chance > 0, self.width(count.first) * (high + excess(low)) * chance, 0.0)
        return chance, own + rivals


def charge(bad: BadRounds, count: Blocks) -> FloatArray:
    """Lam(N), constant on blocks: 1.2 (max_{N' >= N} beta_n(N') - beta_n(n - K))^+. Any Lam >= 0 gives a bound."""
    last = Blocks(np.array([bad.horizon]), np.array([bad.horizon]))
    _, cost = bad.chance_and_cost(Blocks(count.first, count.first), last)
    highest = np.maximum.accumulate(cost[0, ::-1])[::-1]
    return np.asarray(SHARE * np.maximum(highest - cost[0, -1], 0.0))


def uncovered_cost(bad: BadRounds, count: Blocks, prices: FloatArray, rounds: Blocks) -> float:
    """sum_{t=K+1}^n max_{1 <= N <= t - K} [beta_t(N) - (1 - p_t(N)) Lam(N)], from above."""
    chance, cost = bad.chance_and_cost(count, rounds)
    left = cost - (1 - chance) * prices
    reached = count.first <= rounds.last[:, None] - bad.n_arms
    return float(rounds.size @ np.where(reached, left, -np.inf).max(axis=1))


def least_prices(bad: BadRounds, count: Blocks, weight: FloatArray, rounds: Blocks) -> FloatArray | None:
    """Lam >= 0 on the blocks that minimises sum_N weight(N) Lam(N) + sum_t max_N [beta_t(N) - (1 - p_t(N)) Lam(N)].

    The maxima are variables u_t of a linear programme with one constraint for each t and N <= t - K. None where the
    solver fails; every Lam >= 0 gives a bound, so nothing has to be proved about the one returned.
    """
    from scipy.optimize import linprog
    from scipy.sparse import coo_array

    chance, cost = bad.chance_and_cost(count, rounds)
    t, n = np.nonzero(count.first <= rounds.last[:, None] - bad.n_arms)
    number, size = len(t), len(count.first)
    rows, ones = np.arange(number), np.ones(number)
    entries = np.concatenate([chance[t, n] - 1, -ones])
    columns = np.concatenate([n, size + t])
    matrix = coo_array((entries, (np.tile(rows, 2), columns)), shape=(number, size + len(cost)))
    unit = float(cost.max())
    if not (np.isfinite(unit) and unit > 0 and np.isfinite(weight).all()):
        return None
    limits = [(0, None)] * size + [(None, None)] * len(cost)
    objective = np.concatenate([weight, rounds.size])
    objective /= objective.max()
    solver: Any = linprog  # its stubs do not know sparse matrices
    found = solver(objective, A_ub=matrix.tocsr(), b_ub=-cost[t, n] / unit, bounds=limits, method="highs")
    return np.asarray(np.maximum(found.x[:size], 0.0) * unit) if found.success else None


_Z = np.arange(-EDGE, EDGE + STEP / 2, STEP)


def _tables() -> tuple[FloatArray, FloatArray]:
    """Psi and the raised Q at the nodes."""
    bend = np.abs(_Z) * density(_Z)
    bend = np.where(np.abs(np.abs(_Z) - 1) <= STEP, float(density(np.array(1.0))), bend)  # |z| phi(z) peaks at 1
    cell = np.maximum(bend[1:], bend[:-1])
    around = np.maximum(np.append(cell, cell[-1]), np.append(cell[0], cell))
    return excess_of_any_sign(_Z), upper_tail(_Z) + STEP**2 / 8 * around


_GAIN, _CHANCE = _tables()


def linear_mass(
    left: FloatArray, width: FloatArray, beyond: tuple[FloatArray, FloatArray], ends: tuple[FloatArray, FloatArray]
) -> FloatArray:
    """int phi(u) T(u) du over [left, left + width], from above, T >= 0 linear with the given values at the ends.

    `beyond` are Q(left) and Q(left + width). Where the width is small the closed form would cancel; there phi is at
    most its chord plus width^2/8 max |phi''|, and |phi''| <= (1 + u^2) phi.
    """
    right = left + width
    start, stop = density(left), density(right)
    mass = np.maximum(beyond[0] - beyond[1], 0.0)
    moment = np.maximum(start - stop - left * mass, 0.0)
    with np.errstate(divide="ignore", invalid="ignore"):
        slope = np.where(width > NARROW, (ends[1] - ends[0]) / width, 0.0)
    closed = ends[0] * mass + slope * moment
    chord = ends[0] * (2 * start + stop) + ends[1] * (start + 2 * stop)
    far = np.minimum(np.maximum(np.abs(left), np.abs(right)), 1e3)  # phi is zero far before
    narrow = np.minimum(width, NARROW)
    bent = 0.063 * narrow**2 * (1 + far * far) * np.maximum(start, stop) * (ends[0] + ends[1])
    return np.asarray(np.where(width > NARROW, closed, narrow * (chord / 6 + bent)))


class Thresholds:
    """The cost as a function of d, for rows of (count, Y).

    Parameters
    ----------
    y, variance : arrays
        Y and v of every row.
    noise : array
        lam, the standard deviation of the noise of rbar_N.
    price : array
        Lam.
    """

    def __init__(self, y: FloatArray, variance: FloatArray, noise: FloatArray, price: FloatArray) -> None:
        total = np.sqrt(variance + noise**2)
        self.y, self.total, self.price = y, total, price
        self.spread = noise * np.sqrt(variance) / total  # t
        self.scale = noise / np.sqrt(variance)  # du/dz
        self.pull = noise / (np.sqrt(variance) * total)  # z = -(pull Y + push d)
        self.push = np.sqrt(variance) / (total * noise)
        self.values = self.spread[:, None] * _GAIN + price[:, None] * _CHANCE
        nodes = (y * total / variance)[:, None] + self.scale[:, None] * _Z
        self.beyond = upper_tail(nodes)
        cells = linear_mass(
            nodes[:, :-1],
            np.broadcast_to(self.scale[:, None] * STEP, nodes[:, 1:].shape),
            (self.beyond[:, :-1], self.beyond[:, 1:]),
            (self.values[:, :-1], self.values[:, 1:]),
        )
        last = self.beyond[:, -1:] * self.values[:, -1:]
        self.sums = np.concatenate([np.cumsum(cells[:, ::-1], axis=1)[:, ::-1], np.zeros_like(last)], axis=1) + last

    def cost(self, d: FloatArray) -> FloatArray:
        """The expectation at thresholds d, of shape (rows, thresholds)."""
        y, spread, price = self.y[:, None], self.spread[:, None], self.price[:, None]
        z = np.minimum(-((self.pull * self.y)[:, None] + self.push[:, None] * d), EDGE)
        node = np.clip(np.ceil((z + EDGE) / STEP), 0, len(_Z) - 1).astype(np.intp)  # the next one
        ahead = _Z[node] - z
        after = np.take_along_axis(self.values, node, axis=1)
        before = np.take_along_axis(self.values, np.maximum(node - 1, 0), axis=1)
        far = spread * (_GAIN[0] + ahead) + price * _CHANCE[0]
        here = np.where(node > 0, after + (before - after) * (ahead / STEP), far)
        left = (y - d) / self.total[:, None]
        beyond = np.take_along_axis(self.beyond, node, axis=1)
        part = linear_mass(left, self.scale[:, None] * ahead, (upper_tail(left), beyond), (here, after))
        return np.asarray(np.take_along_axis(self.sums, node, axis=1) + part)


def merged_counts(
    d: FloatArray, y: FloatArray, variance: FloatArray, noise: FloatArray, price: FloatArray, longer: FloatArray
) -> FloatArray:
    """What a block [N1, N2] of counts adds when the noise is taken at N1 only; longer = sqrt(N2/N1) - 1.

    Where x = Y - mu < d, P(rbar_N >= Y - d) = Q(-u sqrt(N/N1)), u = (d - x)/lam, exceeds Q(-u) by at most
    longer u phi(u), and int_0^oo u phi(u) du = phi(0); the other factors on (0, d) are at most their maxima. Where
    x > d, N1 is the worst count.
    """
    y, deviation = y[:, None], np.sqrt(variance)[:, None]
    nearest = np.clip(0.0, y - np.maximum(d, 0.0), y)  # to 0 in the interval of mu
    top = density(nearest / deviation) / deviation
    factor = (longer * noise)[:, None] / math.sqrt(2 * math.pi)
    return np.where(d > 0, factor * (d + price[:, None]) * top, 0.0)


def start_survival(x: FloatArray, v0: float) -> FloatArray:
    """P(B(v0) + E > x), exactly: B(v0) ~ N(0, v0) and P(E > e) = exp(-2 e^2), independent.

    It is P(B > x) + E[exp(-2 (x - B)^2) 1{B < x}], and the second part is a Gaussian integral.
    """
    from scipy.special import ndtr

    spread = 1 + 4 * v0
    bend = ndtr(x / math.sqrt(v0 * spread)) * np.exp(-2 * x * x / spread) / math.sqrt(spread)
    return np.asarray(np.minimum(ndtr(-x / math.sqrt(v0)) + bend, 1.0))


def crossing_chance(c: FloatArray, slope: FloatArray, length: float) -> FloatArray:
    """P(B(u) > c + slope u for some u <= length), B a Brownian motion: reflection principle and Girsanov."""
    from scipy.special import log_ndtr, ndtr

    root = math.sqrt(length)
    with np.errstate(over="ignore", invalid="ignore"):
        over = ndtr(-(c / root + slope * root)) + np.exp(-2 * slope * c + log_ndtr(slope * root - c / root))
    return np.where(c > 0, np.minimum(over, 1.0), 1.0)


def supremum_survival(s: FloatArray, n_arms: float, rho: float, zeta: float, number: int = FINE_CELLS) -> FloatArray:
    """P(S > s) from above, S = sup_{v0 <= v <= K-2} (B(v) + E - zeta (v - v0))/(2 + v), v0 = (K - 2)/(1 + rho).

    Given T = B(v0) + E = x, the rest of the path has to cross the line from s (2 + v0) - x with slope s + zeta. That
    probability rises in x: on each cell of T the upper end is taken. Two arms: S = E/2, exactly.
    """
    if n_arms == 2:
        return np.where(s > 0, np.exp(-8 * s * np.abs(s)), 1.0)
    v0 = max((n_arms - 2) * weight(1, rho), 1e-280)
    length = max((n_arms - 2) * weight(rho, 1), 1e-280)
    edges = np.linspace(-FAR * math.sqrt(v0), FAR * math.sqrt(v0 + 0.25), number + 1)
    beyond = start_survival(edges, v0)
    mass = np.concatenate([[1 - beyond[0]], -np.diff(beyond)])
    over = crossing_chance(s[:, None] * (2 + v0) - edges, s[:, None] + zeta, length)
    return np.asarray(np.minimum(over @ np.maximum(mass, 0.0) + beyond[-1], 1.0))


def supremum_cells(n_arms: float, rho: float, zeta: float, number: int) -> tuple[FloatArray, FloatArray]:
    """Upper ends of cells of S and an upper bound of their law: probabilities after the mass beyond the last end.

    Returned are `ends` (rising) and `mass`, one longer: mass[i] is what `supremum_survival` puts between ends[i - 1]
    and ends[i], mass[-1] what it puts beyond the last end.
    """
    v0 = (n_arms - 2) * weight(1, rho)
    widest = min(max(1.5, v0), n_arms - 2)  # where (B(v) + E)/(2 + v) is most spread
    rough = np.linspace(-6 * math.sqrt(v0) / (2 + v0) - zeta, 14 * math.sqrt(widest + 0.25) / (2 + widest), 120)
    tail = supremum_survival(rough, n_arms, rho, zeta, ROUGH_CELLS)
    ends = np.unique(np.interp(graded_scores(number), *_normal_scores(rough, tail)))
    over = supremum_survival(ends, n_arms, rho, zeta)
    over = np.minimum.accumulate(over)
    return ends, np.concatenate([[1 - over[0]], -np.diff(over), [over[-1]]])


def _normal_scores(points: FloatArray, tail: FloatArray) -> tuple[FloatArray, FloatArray]:
    """The z with Q(z) = tail at each point, strictly rising, and the points."""
    from scipy.special import ndtri

    score = -ndtri(np.clip(tail, 1e-36, 1 - 1e-12))
    keep = np.concatenate([[True], np.diff(np.maximum.accumulate(score)) > 1e-9])
    return score[keep], points[keep]


class Reach(Protocol):
    """f_N(y, S), its maximum over blocks of counts, and the law of S."""

    @property
    def n_arms(self) -> float: ...

    @property
    def sigma(self) -> float: ...

    def longest(self, count: Blocks, y: FloatArray, s: FloatArray) -> FloatArray:
        """max of f_N(y, S)/N over each block of counts, from above; shape (blocks, y, s). It falls in y, rises in S."""

    def supremum(self, number: int) -> tuple[FloatArray, FloatArray]:
        """Upper ends of about `number` cells of S and their law, as `supremum_cells` returns them."""


def falling(count: FloatArray, top: float, shift: FloatArray | float, least: FloatArray) -> FloatArray:
    """Whether (C sqrt(N + c) + k)/N falls from N on, for every k >= least and c >= shift.

    It does iff -k <= C (N/2 + c)/sqrt(N + c), and the right side rises in N and in c.
    """
    return np.asarray(-least <= top * (count / 2 + shift) / np.sqrt(count + shift))


@dataclass(frozen=True)
class LearnedMean:
    """mu0 estimated: at least the f of claim ours/counting, for any zeta >= 0; top is C = sqrt(a log n) sigma."""

    n_arms: float
    sigma: float
    top: float
    zeta: float

    @property
    def c0(self) -> float:
        """2 + v0, v0 = (K - 2)/(1 + rho): the least weight of the other arms once all were pulled."""
        return float(2 + (self.n_arms - 2) * weight(1, self.sigma**2))

    def f(self, count: FloatArray, y: FloatArray, s: FloatArray) -> FloatArray:
        """f_N(y, S): two branches, by the sign of the bracket zeta + S - y + max(D/K, D/c0), D = 2 y - zeta c0."""
        rho, c0 = self.sigma**2, self.c0
        slope, base = 2 * y - self.zeta * c0, self.zeta + s - y
        bracket = base + np.maximum(slope / self.n_arms, slope / c0)
        k2 = c0 / (c0 - 1 + weight(1, rho))
        outer = self.widest(count) + k2 * rho * bracket
        return np.where(bracket > 0, outer, rho * base + self.inner(count, slope))

    def widest(self, count: FloatArray) -> FloatArray:
        """C sqrt(N + rho (K - 1)/K)."""
        return np.asarray(self.top * np.sqrt(count + self.sigma**2 * (self.n_arms - 1) / self.n_arms))

    def inner(self, count: FloatArray, slope: FloatArray) -> FloatArray:
        """max_{1/K <= x <= 1/c0} C sqrt(N + rho (1 - x)) + rho x D: concave in x, the maximiser in closed form."""
        rho = self.sigma**2
        with np.errstate(divide="ignore", over="ignore", invalid="ignore"):
            best = 1 + (count - (self.top / (2 * slope)) ** 2) / rho
        best = np.where(slope > 0, np.nan_to_num(best, nan=0.0), 0.0)
        x = np.clip(best, 1 / self.n_arms, 1 / self.c0)
        return np.asarray(self.top * np.sqrt(count + rho * (1 - x)) + rho * x * slope)

    def longest(self, count: Blocks, y: FloatArray, s: FloatArray) -> FloatArray:
        """At the smallest count where f_N/N falls; elsewhere both parts of f are bounded apart."""
        rho, c0 = self.sigma**2, self.c0
        y, first, last = y[:, None], count.first[:, None, None], count.last[:, None, None]
        slope, base = 2 * y - self.zeta * c0, self.zeta + s - y
        most, least = (base + pick(slope / self.n_arms, slope / c0) for pick in (np.maximum, np.minimum))
        falls = (most > 0) | (first == last) | falling(first, self.top, rho * (1 - 1 / c0), rho * least)
        return np.where(falls, self.f(first, y, s) / first, self.widest(first) / first + rho * most / last)

    def supremum(self, number: int) -> tuple[FloatArray, FloatArray]:
        return supremum_cells(self.n_arms, self.sigma**2, self.zeta, number)


@dataclass(frozen=True)
class KnownMean:
    """mu0 known: f_N(y) = C sqrt(N + rho) - rho y, as mu-hat_k = N rbar_k/(N + rho); there is no S."""

    n_arms: float
    sigma: float
    top: float

    def longest(self, count: Blocks, y: FloatArray, s: FloatArray) -> FloatArray:
        """At the smallest count where f_N/N falls; elsewhere both parts of f are bounded apart."""
        rho = self.sigma**2
        first, last = count.first[:, None, None], count.last[:, None, None]
        add = -rho * (y[:, None] + 0 * s)
        widest = self.top * np.sqrt(first + rho)
        falls = (add > 0) | (first == last) | falling(first, self.top, rho, add)
        return np.where(falls, (widest + add) / first, widest / first + add / last)

    def supremum(self, number: int) -> tuple[FloatArray, FloatArray]:
        return np.zeros(1), np.array([1.0, 0.0])
