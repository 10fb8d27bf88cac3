"""Maximum likelihood (ml) and restricted maximum likelihood (reml) of both variances, over the slots.

With lam = sigma0^2/sigma^2 and h = n/(1 + lam n), minus twice the log-likelihood is, up to a constant,

    f(lam) = M log Q + sum_k log(1 + lam n_k) + [log sum_k h_k],  Q = SSW + sum_k h_k (mean_k - mu(lam))^2,

M = N for ml, M = N - 1 with the bracket for reml. A scan of f' in the log of lam finds the valleys, a secant within
its bracket their floors, and f the lowest. Nothing is kept from round to round: the estimate depends on the data alone.
"""

from __future__ import annotations

from math import exp, log, log1p
from typing import Any

from reucb._engine.codes import (
    COUNT,
    METHOD,
    PULLED,
    REML,
    ROUNDS,
    SHRINK,
    SIZE,
    SLOTS,
    SPREAD,
    SQ_HI,
    SQ_LO,
    SUM_HI,
    SUM_LO,
    WITHIN_HI,
    WITHIN_LO,
)
from reucb._engine.jit import compiled, inlined

PER_DECADE = 4.0


@inlined
def summarise(slots: Any, n: int) -> tuple[float, float]:
    """Each slot's mean of means (SHRINK row) and squares about it (SPREAD row); all squares, the largest count."""
    total, size, largest = 0.0, 0.0, 0.0
    for i in range(n):
        total += slots[SUM_HI, i] + slots[SUM_LO, i]
        size += slots[SIZE, i]
        largest = max(largest, slots[COUNT, i])
    squares = 0.0
    for i in range(n):
        own = (slots[SUM_HI, i] + slots[SUM_LO, i]) / slots[SIZE, i]
        rest = (slots[SQ_HI, i] - own * own * slots[SIZE, i]) + slots[SQ_LO, i]
        slots[SHRINK, i] = own
        slots[SPREAD, i] = max(rest, 0.0) if slots[SIZE, i] > 1.0 else 0.0
        squares += slots[SPREAD, i] + slots[SIZE, i] * (own - total / size) ** 2
    return squares, largest


@compiled
def slope(
    slots: Any, n: int, within: float, freedom: float, restricted: bool, ratio: float
) -> tuple[float, float, float]:
    """(f', f, Q) at one ratio."""
    total, mean, logs = 0.0, 0.0, 0.0
    for i in range(n):
        h = slots[SIZE, i] * slots[COUNT, i] / (1.0 + ratio * slots[COUNT, i])
        total += h
        mean += h * slots[SHRINK, i]
        logs += slots[SIZE, i] * log1p(ratio * slots[COUNT, i])
    mean /= total
    residual, steep, squared = within, 0.0, 0.0
    for i in range(n):
        h = slots[COUNT, i] / (1.0 + ratio * slots[COUNT, i])
        square = slots[SPREAD, i] + slots[SIZE, i] * (slots[SHRINK, i] - mean) ** 2
        residual += h * square
        steep += h * (h * square)
        squared += slots[SIZE, i] * h * h
    derivative = total - freedom * (steep / residual)
    value = freedom * log(residual) + logs
    if restricted:
        derivative -= squared / total
        value += log(total)
    return derivative, value, residual


@compiled
def floor_between(
    slots: Any, n: int, within: float, freedom: float, restricted: bool, low: float, high: float
) -> float:
    """Where f' turns from negative (low) to positive (high): regula falsi, with the idle end's value halved."""
    at_low = slope(slots, n, within, freedom, restricted, low)[0]
    at_high = slope(slots, n, within, freedom, restricted, high)[0]
    side = 0
    for _ in range(100):
        middle = (low * at_high - high * at_low) / (at_high - at_low)
        if not low < middle < high or high - low <= 1e-14 * high:
            middle = 0.5 * (low + high)
            if high - low <= 1e-14 * high:
                break
        at = slope(slots, n, within, freedom, restricted, middle)[0]
        if at == 0.0:
            return middle
        if at < 0.0:
            low, at_low = middle, at
            if side == -1:
                at_high *= 0.5
            side = -1
        else:
            high, at_high = middle, at
            if side == 1:
                at_low *= 0.5
            side = 1
    return 0.5 * (low + high)


@inlined
def likelihood_variances(state: Any) -> tuple[float, float]:
    """(sigma0^2, sigma^2) at the global maximum; (0, 0) if no arm ever paid two different rewards, or with one arm."""
    slots, n = state.slots, state.ints[SLOTS]
    within = state.floats[WITHIN_HI] + state.floats[WITHIN_LO]
    pulled = float(state.ints[PULLED])
    if not within > 0.0 or pulled < 2.0:
        return 0.0, within / max(state.ints[ROUNDS] - pulled, 1.0)
    restricted = state.codes[METHOD] == REML
    freedom = float(state.ints[ROUNDS]) - (1.0 if restricted else 0.0)
    squares, largest = summarise(slots, n)
    bottom, top = 1e-3 / largest, min(4.0 * (2.0 * freedom * pulled * (squares / within) + 1.0), 1e290)
    steps = int(PER_DECADE * log(top / bottom) / log(10.0)) + 1
    low = 0.0
    at_low, lowest, residual = slope(slots, n, within, freedom, restricted, 0.0)
    best = 0.0
    for i in range(steps + 1):
        high = bottom * exp(log(top / bottom) * i / steps)
        at_high = slope(slots, n, within, freedom, restricted, high)[0]
        if at_low < 0.0 <= at_high:
            ratio = floor_between(slots, n, within, freedom, restricted, low, high)
            _, value, rest = slope(slots, n, within, freedom, restricted, ratio)
            if value < lowest:
                best, lowest, residual = ratio, value, rest
        low, at_low = high, at_high
    return best * (residual / freedom), residual / freedom
