"""The index rules: which slot has the highest index now. Ties go to the lowest arm."""

from __future__ import annotations

from math import log, sqrt
from typing import Any

from reucb._engine.codes import (
    ALPHA,
    BAYES_BERNOULLI,
    BETA,
    COUNT,
    FIT_MU0,
    FIT_SIGMA0_SQ,
    FIT_SIGMA_SQ,
    FIT_W,
    INDEX,
    KL_BERNOULLI,
    LAST,
    LINEAR,
    LOGLOG,
    MU0,
    MULTIPLIER,
    PULLED,
    QUANTILE,
    ROUNDS,
    RULE,
    SCALE,
    SHRINK,
    SLOTS,
    SPREAD,
    TOP,
    UNPULLED,
    WEIGHT,
)
from reucb._engine.fit import fit
from reucb._engine.jit import inlined
from reucb._engine.special import bernoulli_kl, beta_tail, beta_upper, kl_upper, upper_normal


@inlined
def exploration(state: Any) -> float:
    """log t + c log log t for the round t about to be played, log log t counted as 0 before t = 3."""
    t = float(state.ints[ROUNDS] + 1)
    rate = log(t)
    c = state.params[LOGLOG]
    if c != 0.0 and t >= 3.0:
        rate += c * log(rate)
    return float(max(rate, 0.0))


@inlined
def tail(state: Any) -> float:
    """1/(t SCALE): what the quantile of Bayes-UCB leaves above it, at most one half."""
    return float(min(0.5, 1.0 / (float(state.ints[ROUNDS] + 1) * state.params[SCALE])))


@inlined
def multiplier(state: Any) -> float:
    """s_t, the number of widths an index adds."""
    if state.codes[MULTIPLIER] == QUANTILE:
        return upper_normal(tail(state))
    return sqrt(state.params[SCALE] * exploration(state))


@inlined
def linear_indices(state: Any) -> None:
    """mu0 + w (mean - mu0) + s_t sd for every slot."""
    slots, mu0, s = state.slots, state.params[MU0], multiplier(state)
    top, weight, spread, index = slots[TOP], slots[WEIGHT], slots[SPREAD], slots[INDEX]
    for i in range(state.ints[SLOTS]):
        index[i] = mu0 + weight[i] * (top[i] - mu0) + s * spread[i]


@inlined
def blup_indices(state: Any) -> None:
    """mu-hat + s_t tau for every slot (Eq. blup, Eq. MSE), as deviations from the centre."""
    fit(state)
    slots, floats, s = state.slots, state.floats, multiplier(state)
    top, weight, shrink, spread, index = slots[TOP], slots[WEIGHT], slots[SHRINK], slots[SPREAD], slots[INDEX]
    sigma0_sq, sigma_sq, mu0 = floats[FIT_SIGMA0_SQ], floats[FIT_SIGMA_SQ], floats[FIT_MU0]
    largest = max(sigma0_sq, sigma_sq)
    v0 = sigma0_sq / largest if sigma_sq > 0.0 else 1.0
    of_mu0 = largest / floats[FIT_W]
    for i in range(state.ints[SLOTS]):
        tau_sq = spread[i] + shrink[i] * shrink[i] * of_mu0
        index[i] = mu0 + v0 * weight[i] * (top[i] - mu0) + s * sqrt(tau_sq)


@inlined
def highest(state: Any) -> int:
    """The slot with the highest value in the index row, ties to the lowest arm."""
    index, arms = state.slots[INDEX], state.arms
    best = 0
    value = index[0]
    for i in range(1, state.ints[SLOTS]):
        if index[i] >= value and (index[i] > value or arms[i] < arms[best]):
            best = i
            value = index[i]
    return best


@inlined
def kl_slot(state: Any) -> int:
    """The best slot by Bernoulli KL-UCB; a root is solved for only where one divergence cannot rule the slot out."""
    slots, rate = state.slots, exploration(state)
    top, count, index = slots[TOP], slots[COUNT], slots[INDEX]
    for i in range(state.ints[SLOTS]):
        index[i] = min(1.0, top[i] + sqrt(0.5 * rate / count[i]))  # Pinsker's bound on the index
    best = highest(state)
    value = kl_upper(top[best], rate / count[best])
    for i in range(state.ints[SLOTS]):
        if i == best or index[i] < value or bernoulli_kl(top[i], max(top[i], value)) > rate / count[i]:
            continue
        other = kl_upper(top[i], rate / count[i])
        if other > value or (other == value and state.arms[i] < state.arms[best]):
            best, value = i, other
    return best


@inlined
def beta_slot(state: Any) -> int:
    """The best slot by Bernoulli Bayes-UCB.

    The quantile rises with t, so its value at a later level bounds it until that round: WEIGHT holds the bound, SHRINK
    the last round it serves (0: none). Only a slot whose bound reaches the best quantile so far is looked at.
    """
    slots, p = state.slots, tail(state)
    t = float(state.ints[ROUNDS] + 1)
    top, count, bound, until, index = slots[TOP], slots[COUNT], slots[WEIGHT], slots[SHRINK], slots[INDEX]
    alpha, beta = state.params[ALPHA], state.params[BETA]
    for i in range(state.ints[SLOTS]):
        if t > until[i]:
            wins = round(top[i] * count[i])
            bound[i] = beta_upper(alpha + wins, beta + (count[i] - wins), p / 1.5) * (1.0 + 1e-12)
            until[i] = 1.5 * t if p < 0.5 else t
        index[i] = bound[i]
    best = highest(state)
    wins = round(top[best] * count[best])
    value = beta_upper(alpha + wins, beta + (count[best] - wins), p)
    for i in range(state.ints[SLOTS]):
        if i == best or index[i] < value:
            continue
        wins = round(top[i] * count[i])
        if beta_tail(alpha + wins, beta + (count[i] - wins), value) < p * (1.0 - 1e-12):
            continue
        other = beta_upper(alpha + wins, beta + (count[i] - wins), p)
        if other > value or (other == value and state.arms[i] < state.arms[best]):
            best, value = i, other
    return best


@inlined
def select(state: Any) -> int:
    """The arm to pull: the lowest one never pulled, else the one with the highest index."""
    ints = state.ints
    if ints[PULLED] < state.counts.size:
        arm = ints[UNPULLED]
        while state.counts[arm] > 0:
            arm += 1
        ints[UNPULLED] = arm
        return int(arm)
    rule = state.codes[RULE]
    if rule == KL_BERNOULLI:
        slot = kl_slot(state)
    elif rule == BAYES_BERNOULLI:
        slot = beta_slot(state)
    else:
        if rule == LINEAR:
            linear_indices(state)
        else:
            blup_indices(state)
        slot = highest(state)
    ints[LAST] = slot
    return int(state.arms[slot])
