"""What a slot holds: the weight and width of its count, its top mean, and the sums over its arms."""

from __future__ import annotations

from math import sqrt
from typing import Any

from reucb._engine.codes import (
    BLUP,
    CENTER,
    COUNT,
    LINEAR,
    RULE,
    SHRINK,
    SIGMA0_SQ,
    SIGMA_SQ,
    SPREAD,
    SQ_HI,
    SQ_LO,
    SUM_HI,
    SUM_LO,
    SUMS,
    TOP,
    WEIGHT,
)
from reucb._engine.compensated import add_at, square_error
from reucb._engine.jit import inlined


@inlined
def shares(n: float, sigma0_sq: float, sigma_sq: float, largest: float) -> tuple[float, float, float]:
    """GLS weight g = n/(n v0 + v), w = v0 g and 1 - w = v/(n v0 + v), for v = sigma^2/M, M the largest variance of all.

    Eq. w-def without subtraction, and without overflow. Right in the limits: sigma0^2 = 0 gives w = 0 and g = n,
    sigma^2 = 0 gives w = 1, sigma0^2 = inf gives w = 1.
    """
    if sigma0_sq == float("inf"):
        return 1.0, 1.0, 0.0
    v0, v = sigma0_sq / largest, sigma_sq / largest
    g = n / (n * v0 + v)
    return g, v0 * g, v / (n * v0 + v)


@inlined
def write_count(state: Any, slot: int, count: int, arm: int) -> None:
    """Write what depends on the count alone into the slot: weight, shrinkage, width."""
    slots, params = state.slots, state.params
    slots[COUNT, slot] = count
    rule = state.codes[RULE]
    if rule > BLUP:
        slots[SHRINK, slot] = 0.0  # the Bernoulli rules: no bound on the quantile is known yet
        return
    sigma_sq = state.noise[arm] if state.noise.size > 1 else state.noise[0]
    g, w, shrink = shares(float(count), params[SIGMA0_SQ], sigma_sq, max(params[SIGMA0_SQ], params[SIGMA_SQ]))
    if rule == LINEAR:
        slots[WEIGHT, slot] = w
        slots[SPREAD, slot] = sqrt(w * (sigma_sq / count))
    else:
        slots[WEIGHT, slot] = g
        slots[SPREAD, slot] = params[SIGMA0_SQ] * shrink
    slots[SHRINK, slot] = shrink


@inlined
def show_top(state: Any, slot: int, arm: int) -> None:
    """Make the arm the one that stands for its slot."""
    state.arms[slot] = arm
    state.slots[TOP, slot] = state.means[arm] - state.floats[CENTER]
    if state.codes[RULE] > BLUP:
        state.slots[SHRINK, slot] = 0.0


@inlined
def book(state: Any, slot: int, deviation: float, sign: float) -> None:
    """Add (sign = 1) or take away (-1) one arm's mean, and its square, in the sums of the slot."""
    add_at(state.slots, SUM_HI, SUM_LO, slot, sign * deviation)
    if state.codes[SUMS] == 2:
        add_at(state.slots, SQ_HI, SQ_LO, slot, sign * (deviation * deviation))
        state.slots[SQ_LO, slot] += sign * square_error(deviation)


@inlined
def rewrite(state: Any, arm: int, count: int, mean: float) -> None:
    """The dense counterpart of `regroup`: the arm is its own slot."""
    state.means[arm] = mean
    write_count(state, arm, count + 1, arm)
    show_top(state, arm, arm)
    if state.codes[SUMS]:
        state.slots[SUM_HI, arm] = state.slots[TOP, arm]
    if state.codes[SUMS] == 2:
        state.slots[SQ_HI, arm] = state.slots[TOP, arm] * state.slots[TOP, arm]
        state.slots[SQ_LO, arm] = square_error(state.slots[TOP, arm])
