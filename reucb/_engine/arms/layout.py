"""What a slot holds: the weight and width of its count, its top mean, and the sums over its arms."""

from __future__ import annotations

from math import sqrt
from typing import Any

from reucb._engine.arms.state import BERNOULLI_INDEX, BY_LIKELIHOOD, BY_SQUARES, ESTIMATED, KNOWN, RETS, REUCB, Linear
from reucb._engine.codes import (
    CENTER,
    COUNT,
    MORE,
    NONE,
    OUT,
    SHRINK,
    SIGMA0_SQ,
    SIGMA_SQ,
    SPREAD,
    SQ_HI,
    SQ_LO,
    SUM_HI,
    SUM_LO,
    TOP,
    WAIT,
    WEIGHT,
)
from reucb._engine.jit import by_family, inlined
from reucb._engine.sums import add_at, square_error

INF = float("inf")


@inlined
def weighting(n: float, v0: float, v: float) -> tuple[float, float]:
    """g = n/(n v0 + v) and v/(n v0 + v), from variances in any unit: Eq. w-def is w = v0 g, 1 - w the second.

    The one place of the compiled engine where a weight is computed. nan for n = v = 0.
    """
    scale = 1.0 / (n * v0 + v)
    return n * scale, v * scale


@inlined
def shares(n: float, sigma0_sq: float, sigma_sq: float, largest: float) -> tuple[float, float, float]:
    """GLS weight g, w and 1 - w of `weighting`, for v0 = sigma0^2/M and v = sigma^2/M, M the largest variance of all.

    Without subtraction, and without overflow. Right in the limits: sigma0^2 = 0 gives w = 0 and g = n,
    sigma^2 = 0 gives w = 1, sigma0^2 = inf gives w = 1, n = 0 gives g = w = 0.
    """
    if n == 0.0:
        return 0.0, 0.0, 1.0
    if sigma0_sq == INF:
        return 1.0, 1.0, 0.0
    v0 = sigma0_sq / largest
    g, rest = weighting(n, v0, sigma_sq / largest)
    return g, v0 * g, rest


@inlined
def noise_of(state: Any, arm: int) -> float:
    """sigma^2 of the arm."""
    return float(state.noise[arm] if state.noise.size > 1 else state.noise[0])


def _linear_count(state: Any, slot: int, count: int, wait: int, arm: int) -> None:
    slots, prior = state.slots, state.params[SIGMA0_SQ]
    sigma_sq, largest = noise_of(state, arm), max(state.params[SIGMA0_SQ], state.params[SIGMA_SQ])
    _, w, shrink = shares(float(count + wait), prior, sigma_sq, largest)
    slots[COUNT, slot] = count
    slots[WAIT, slot] = wait
    slots[WEIGHT, slot] = w
    slots[SHRINK, slot] = shrink
    slots[SPREAD, slot] = sqrt(w * (sigma_sq / (count + wait)))
    if wait > 0:
        slots[WEIGHT, slot] = shares(float(count), prior, sigma_sq, largest)[1]
        if count == 0 and prior == INF:
            slots[SPREAD, slot] = -INF  # without a prior, an arm without a reward has no index
    elif count == 0:
        slots[SPREAD, slot] = sqrt(prior)


def _blup_count(state: Any, slot: int, count: int, wait: int, arm: int) -> None:
    slots, prior = state.slots, state.params[SIGMA0_SQ]
    sigma_sq, largest = noise_of(state, arm), max(state.params[SIGMA0_SQ], state.params[SIGMA_SQ])
    g, _, shrink = shares(float(count + wait), prior, sigma_sq, largest)
    slots[COUNT, slot] = count
    slots[WAIT, slot] = wait
    slots[WEIGHT, slot] = g
    slots[SHRINK, slot] = shrink
    slots[SPREAD, slot] = prior * shrink
    slots[MORE, slot] = 0.0
    if wait > 0:
        slots[WEIGHT, slot] = shares(float(count), prior, sigma_sq, largest)[0]
        slots[MORE, slot] = g - slots[WEIGHT, slot]


def _plugin_count(state: Any, slot: int, count: int, wait: int, arm: int) -> None:
    state.slots[COUNT, slot] = count
    state.slots[WAIT, slot] = wait
    state.slots[MORE, slot] = 0.0


def _bernoulli_count(state: Any, slot: int, count: int, wait: int, arm: int) -> None:
    state.slots[COUNT, slot] = count
    state.slots[WAIT, slot] = wait
    state.slots[SHRINK, slot] = 0.0  # no bound on the quantile is known yet


# Writes what depends on the counts alone into the slot: weight, shrinkage, width. `arm` is one of the slot.
write_count = by_family(
    {
        Linear: _linear_count,
        **dict.fromkeys(KNOWN, _blup_count),
        **dict.fromkeys(ESTIMATED, _plugin_count),
        **dict.fromkeys(BERNOULLI_INDEX, _bernoulli_count),
    }
)


def _gaussian_top(state: Any, slot: int, arm: int) -> None:
    state.arms[slot] = arm
    state.slots[TOP, slot] = state.means[arm] - state.floats[CENTER]


def _bernoulli_top(state: Any, slot: int, arm: int) -> None:
    state.arms[slot] = arm
    state.slots[TOP, slot] = state.means[arm]
    state.slots[SHRINK, slot] = 0.0


# Makes the arm the one that stands for its slot.
show_top = by_family(
    {
        **dict.fromkeys((Linear, *REUCB, *RETS), _gaussian_top),
        **dict.fromkeys(BERNOULLI_INDEX, _bernoulli_top),
    }
)


def _book_nothing(state: Any, slot: int, arm: int, sign: float) -> None:
    pass


def _book_sum(state: Any, slot: int, arm: int, sign: float) -> None:
    add_at(state.slots, SUM_HI, SUM_LO, slot, sign * (state.means[arm] - state.floats[CENTER]))


def _book_squares(state: Any, slot: int, arm: int, sign: float) -> None:
    deviation = state.means[arm] - state.floats[CENTER]
    add_at(state.slots, SUM_HI, SUM_LO, slot, sign * deviation)
    add_at(state.slots, SQ_HI, SQ_LO, slot, sign * (deviation * deviation))
    state.slots[SQ_LO, slot] += sign * square_error(deviation)


# Adds (sign = 1) or takes away (-1) an arm's mean, and its square, in the sums of the slot.
book = by_family(
    {
        **dict.fromkeys((Linear, *BERNOULLI_INDEX), _book_nothing),
        **dict.fromkeys((*KNOWN, *BY_SQUARES), _book_sum),
        **dict.fromkeys(BY_LIKELIHOOD, _book_squares),
    }
)


@inlined
def clear_sums(state: Any, slot: int) -> None:
    """Empty the sums of the slot."""
    slots = state.slots
    slots[SUM_HI, slot] = 0.0
    slots[SUM_LO, slot] = 0.0
    slots[SQ_HI, slot] = 0.0
    slots[SQ_LO, slot] = 0.0


@inlined
def rewrite(state: Any, arm: int, count: int, wait: int, mean: float) -> None:
    """The dense counterpart of `regroup`: the arm is its own slot."""
    state.means[arm] = mean
    write_count(state, arm, count, wait, arm)
    out = state.arms[arm] == OUT
    show_top(state, arm, arm)
    if out:
        state.arms[arm] = OUT
    elif count + wait == 0:
        state.arms[arm] = NONE
    clear_sums(state, arm)
    if count > 0:
        book(state, arm, arm, 1.0)
