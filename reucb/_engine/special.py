"""Functions of which indices are made: exploration rate, upper normal quantile, Bernoulli KL root, beta tail and its
inverse.

The engine compiles the exploration rate and the tail into its callers; `Agent.indices` calls the Python functions.
"""

from __future__ import annotations

from math import erfc, exp, lgamma, log, log1p, pi, sqrt

from reucb._engine.jit import compiled


def exploration_rate(t: float, c: float) -> float:
    """log t + c log log t in round t, at least 0; log log t counts as 0 before t = 3."""
    found = log(t)
    if c != 0.0 and t >= 3.0:
        found += c * log(found)
    return found if found > 0.0 else 0.0


def quantile_tail(t: float, scale: float) -> float:
    """1/(t scale), at most one half: the posterior probability above the quantile of Bayes-UCB in round t."""
    return min(0.5, 1.0 / (t * scale))


@compiled
def upper_normal(tail: float) -> float:
    """The z with P(N(0, 1) > z) = tail, 0 < tail <= 1/2.

    A rational start (Hastings' form, error below 5e-4) and two Halley steps, each of which triples the digits.
    """
    x = sqrt(-2.0 * log(tail))
    z = x - (2.515517 + x * (0.802853 + x * 0.010328)) / (1.0 + x * (1.432788 + x * (0.189269 + x * 0.001308)))
    for _ in range(2):
        density = exp(-0.5 * z * z) / sqrt(2.0 * pi)
        step = (0.5 * erfc(z / sqrt(2.0)) - tail) / density
        z += step / (1.0 - 0.5 * z * step)
    return z


@compiled
def bernoulli_kl(p: float, q: float) -> float:
    """KL(Bernoulli(p) || Bernoulli(q)), with 0 log 0 = 0; infinite where q excludes what p allows."""
    value = 0.0
    if p > 0.0:
        if q <= 0.0:
            return float("inf")
        value += p * log(p / q)
    if p < 1.0:
        if q >= 1.0:
            return float("inf")
        value += (1.0 - p) * log((1.0 - p) / (1.0 - q))
    return max(value, 0.0)


@compiled
def kl_upper(p: float, level: float) -> float:
    """The largest q with KL(p, q) <= level, by Newton from the right: KL is convex in q and rises on [p, 1)."""
    if p >= 1.0 or level <= 0.0:
        return p
    if p <= 0.0:
        return 1.0 - exp(-level)
    # two upper bounds: Pinsker, and dropping -p log q >= 0
    entropy = -p * log(p) - (1.0 - p) * log1p(-p)
    q = min(p + sqrt(0.5 * level), 1.0 - exp(-(level + entropy) / (1.0 - p)))
    if q >= 1.0:
        return 1.0  # the root is closer to 1 than float64 can represent
    for _ in range(60):
        slope = (q - p) / (q * (1.0 - q))
        step = (bernoulli_kl(p, q) - level) / slope
        if not step > 1e-16 * q:
            break
        q = max(q - step, p)
    return q


@compiled
def _beta_fraction(a: float, b: float, x: float) -> float:
    """The continued fraction of the incomplete beta function (modified Lentz); for x < (a + 1)/(a + b + 2)."""
    tiny = 1e-300
    c, d = 1.0, 1.0 - (a + b) * x / (a + 1.0)
    d = 1.0 / (d if abs(d) > tiny else tiny)
    value = d
    for m in range(1, 100_000):
        even = m * (b - m) * x / ((a + 2 * m - 1.0) * (a + 2 * m))
        d = 1.0 + even * d
        c = 1.0 + even / c
        d = 1.0 / (d if abs(d) > tiny else tiny)
        c = c if abs(c) > tiny else tiny
        value *= d * c
        odd = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1.0))
        d = 1.0 + odd * d
        c = 1.0 + odd / c
        d = 1.0 / (d if abs(d) > tiny else tiny)
        c = c if abs(c) > tiny else tiny
        value *= d * c
        if abs(d * c - 1.0) < 1e-15:
            break
    return value


@compiled
def beta_tail(a: float, b: float, x: float) -> float:
    """P(Beta(a, b) > x)."""
    if x <= 0.0:
        return 1.0
    if x >= 1.0:
        return 0.0
    front = exp(lgamma(a + b) - lgamma(a) - lgamma(b) + a * log(x) + b * log1p(-x))
    if x < (a + 1.0) / (a + b + 2.0):
        return 1.0 - front * _beta_fraction(a, b, x) / a
    return front * _beta_fraction(b, a, 1.0 - x) / b


@compiled
def beta_upper(a: float, b: float, tail: float) -> float:
    """The x with P(Beta(a, b) > x) = tail: Newton on the logarithm of the tail inside a shrinking bracket."""
    if tail >= 1.0:
        return 0.0
    low, high = 0.0, 1.0
    mean = a / (a + b)
    x = mean + upper_normal(min(tail, 0.5)) * sqrt(mean * (1.0 - mean) / (a + b + 1.0))
    norm = lgamma(a + b) - lgamma(a) - lgamma(b)
    for _ in range(200):
        if not low < x < high:
            x = 0.5 * (low + high)
        value = beta_tail(a, b, x)
        if value > tail:
            low = x
        else:
            high = x
        density = exp(norm + (a - 1.0) * log(x) + (b - 1.0) * log1p(-x)) if 0.0 < x < 1.0 else 0.0
        step = value * log(value / tail) / density if value > 0.0 and density > 0.0 else 1.0
        if abs(step) < 1e-14 * x or high - low < 1e-15 * high:
            break
        x += step
    return min(max(x, 0.0), 1.0)
