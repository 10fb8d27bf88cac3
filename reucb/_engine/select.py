"""The index rules: which arm has the highest index now. Ties go to the lowest arm.

Before an arm has a reward
--------------------------
1. An arm never pulled (no reward, no pending pull) comes first, the lowest one; with BY_INDEX it competes with the
   index of its prior instead and wins ties, so that it is chosen even if all other arms paid the same.
2. An arm whose first pull is pending has the index of its prior, where the policy has one. Without a prior (UCB1,
   ReUCBInf, KL-UCB), and while no reward at all is known, such arms are chosen only if no other arm can be: the one
   with fewest pending pulls first.
"""

from __future__ import annotations

from math import log, sqrt
from typing import Any

from reucb._engine.codes import (
    ALPHA,
    BETA,
    BY_INDEX,
    COUNT,
    FIT_MU0,
    FIT_SIGMA0_SQ,
    FIT_SIGMA_SQ,
    FIT_TAU_W,
    GROUPED,
    INDEX,
    LAST,
    LOGLOG,
    MU0,
    MULTIPLIER,
    OUT,
    PREV,
    PULLED,
    QUANTILE,
    ROUNDS,
    SCALE,
    SHRINK,
    SIGMA0_SQ,
    SLOTS,
    SPREAD,
    TOP,
    UNPULLED,
    WAIT,
    WAITING,
    WEIGHT,
)
from reucb._engine.fit import fit
from reucb._engine.jit import by_family, by_use, inlined
from reucb._engine.special import (
    bernoulli_kl,
    beta_tail,
    beta_upper,
    exploration_rate,
    kl_upper,
    quantile_tail,
    upper_normal,
)
from reucb._engine.state import BERNOULLI_INDEX, REUCB, BayesBernoulli, KlBernoulli, Linear
from reucb._engine.sums import larger

INF = float("inf")


@inlined
def coming(state: Any) -> float:
    """The round t about to be played; a pending pull is a round played."""
    return float(state.ints[ROUNDS] + state.ints[WAITING] + 1)


_rate = inlined(exploration_rate)
_tail = inlined(quantile_tail)


@inlined
def exploration(state: Any) -> float:
    """The exploration rate of the round t about to be played."""
    return _rate(coming(state), state.params[LOGLOG])


@inlined
def tail(state: Any) -> float:
    """What the quantile of Bayes-UCB leaves above it in the round about to be played."""
    return _tail(coming(state), state.params[SCALE])


def _any_multiplier(state: Any) -> float:
    if state.codes[MULTIPLIER] == QUANTILE:
        return upper_normal(tail(state))
    return sqrt(state.params[SCALE] * exploration(state))


def _root_log(state: Any) -> float:
    return sqrt(state.params[SCALE] * log(coming(state)))


# s_t, the number of widths an index adds.
multiplier = by_family({Linear: _any_multiplier, **dict.fromkeys(REUCB, _root_log)})


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
    largest = larger(sigma0_sq, sigma_sq)
    v0 = sigma0_sq / largest if sigma_sq > 0.0 else 1.0
    of_mu0 = largest / floats[FIT_TAU_W]
    for i in range(state.ints[SLOTS]):
        tau_sq = spread[i] + shrink[i] * shrink[i] * of_mu0
        index[i] = mu0 + v0 * weight[i] * (top[i] - mu0) + s * sqrt(tau_sq)


@inlined
def highest(state: Any) -> int:
    """The slot with the highest value in the index row, ties to the lowest arm; -1 if no arm has a value."""
    index, arms = state.slots[INDEX], state.arms
    best = -1
    value = -INF
    for i in range(state.ints[SLOTS]):
        if index[i] >= value and arms[i] >= 0 and (index[i] > value or (best >= 0 and arms[i] < arms[best])):
            best = i
            value = index[i]
    return best


def _kl_slot(state: Any) -> int:
    """The best slot by Bernoulli KL-UCB; a root is solved for only where one divergence cannot rule the slot out."""
    slots, rate = state.slots, exploration(state)
    top, count, wait, index = slots[TOP], slots[COUNT], slots[WAIT], slots[INDEX]
    for i in range(state.ints[SLOTS]):
        index[i] = -INF
        if count[i] > 0.0:
            index[i] = min(1.0, top[i] + sqrt(0.5 * rate / (count[i] + wait[i])))  # Pinsker's bound on the index
    best = highest(state)
    if best < 0:
        return best
    value = kl_upper(top[best], rate / (count[best] + wait[best]))
    for i in range(state.ints[SLOTS]):
        if i == best or state.arms[i] < 0 or index[i] < value:
            continue
        level = rate / (count[i] + wait[i])
        if bernoulli_kl(top[i], max(top[i], value)) > level:
            continue
        other = kl_upper(top[i], level)
        if other > value or (other == value and state.arms[i] < state.arms[best]):
            best, value = i, other
    return best


@inlined
def posterior_shapes(state: Any, slot: int) -> tuple[float, float]:
    """The beta posterior of the arms of a slot; pending pulls narrow it and do not change its mean."""
    count, wait = state.slots[COUNT, slot], state.slots[WAIT, slot]
    wins = round(state.slots[TOP, slot] * count)
    a, b = state.params[ALPHA] + wins, state.params[BETA] + (count - wins)
    if wait > 0.0:
        more = wait / (a + b)
        return a + a * more, b + b * more
    return a, b


def _beta_slot(state: Any) -> int:
    """The best slot by Bernoulli Bayes-UCB.

    The quantile rises with t, so its value at a later level bounds it until that round: WEIGHT holds the bound, SHRINK
    the last round for which it holds (0: none). A slot is evaluated only if its bound reaches the best quantile so far.
    """
    slots, p = state.slots, tail(state)
    t = coming(state)
    bound, until, index = slots[WEIGHT], slots[SHRINK], slots[INDEX]
    for i in range(state.ints[SLOTS]):
        if t > until[i]:
            a, b = posterior_shapes(state, i)
            bound[i] = beta_upper(a, b, p / 1.5) * (1.0 + 1e-12)
            until[i] = 1.5 * t if p < 0.5 else t
        index[i] = bound[i]
    best = highest(state)
    if best < 0:
        return best
    best_a, best_b = posterior_shapes(state, best)
    value = beta_upper(best_a, best_b, p)
    for i in range(state.ints[SLOTS]):
        if i == best or state.arms[i] < 0 or index[i] < value:
            continue
        a, b = posterior_shapes(state, i)
        # The tail at a rounded quantile near 1 is off by more than 1e-12; the same posterior has the same quantile.
        if (a != best_a or b != best_b) and beta_tail(a, b, value) < p * (1.0 - 1e-12):
            continue
        other = beta_upper(a, b, p)
        if other > value or (other == value and state.arms[i] < state.arms[best]):
            best, value, best_a, best_b = i, other, a, b
    return best


def _linear_slot(state: Any) -> int:
    linear_indices(state)
    return highest(state)


def _blup_slot(state: Any) -> int:
    if state.ints[ROUNDS] == 0:
        return -1
    blup_indices(state)
    return highest(state)


# The slot whose top arm has the highest index; -1 if no arm that may be chosen has one.
best_slot = by_family(
    {
        Linear: _linear_slot,
        **dict.fromkeys(REUCB, _blup_slot),
        KlBernoulli: _kl_slot,
        BayesBernoulli: _beta_slot,
    }
)


def _linear_prior(state: Any) -> float:
    return float(state.params[MU0] + multiplier(state) * sqrt(state.params[SIGMA0_SQ]))


def _blup_prior(state: Any) -> float:
    floats = state.floats
    sigma0_sq = floats[FIT_SIGMA0_SQ]
    of_mu0 = larger(sigma0_sq, floats[FIT_SIGMA_SQ]) / floats[FIT_TAU_W]
    return float(floats[FIT_MU0] + multiplier(state) * sqrt(sigma0_sq + of_mu0))


def _no_prior(state: Any) -> float:
    return INF


# The index of an arm never pulled, comparable with those of `best_slot`: mu0-hat + s_t sqrt(sigma0^2 + Var(mu0-hat)).
prior_index = by_family(
    {
        Linear: _linear_prior,
        **dict.fromkeys(REUCB, _blup_prior),
        **dict.fromkeys(BERNOULLI_INDEX, _no_prior),
    }
)


@inlined
def is_fresh(state: Any, arm: int) -> bool:
    """Whether the arm has neither reward nor pending pull and may be chosen."""
    if state.counts[arm] + state.pending[arm] > 0:
        return False
    return bool((state.nodes[arm, PREV] if state.codes[GROUPED] else state.arms[arm]) != OUT)


def _lowest_fresh(state: Any) -> int:
    arm, n_arms = state.ints[UNPULLED], state.counts.size
    if arm >= n_arms:
        return -1
    while arm < n_arms and not is_fresh(state, arm):
        arm += 1
    state.ints[UNPULLED] = arm
    return arm if arm < n_arms else -1


def _next_arm(state: Any) -> int:
    """In a simulation arms are pulled for the first time in their order, wherever an unpulled one is asked for."""
    arm = state.ints[PULLED]
    return arm if arm < state.counts.size else -1


# The lowest arm without reward and pending pull that may be chosen; -1 if there is none.
lowest_unpulled = by_use(_lowest_fresh, _next_arm)


def _fewest_pending(state: Any) -> int:
    best, least, slots = -1, 0.0, state.slots
    for i in range(state.ints[SLOTS]):
        arm = state.arms[i]
        if arm >= 0 and (best < 0 or slots[WAIT, i] < least or (slots[WAIT, i] == least and arm < best)):
            best, least = arm, slots[WAIT, i]
    return best


def _no_arm(state: Any) -> int:
    return -1


# The lowest of the arms with fewest pending pulls among those that may be chosen; -1 if there is none.
fewest_pending = by_use(_fewest_pending, _no_arm)


@inlined
def decide(state: Any, unpulled: int) -> int:
    """The arm to pull, where `unpulled` is the first of those never pulled (-1: none); -1 if no arm may be chosen."""
    ints = state.ints
    if unpulled >= 0 and (not state.codes[BY_INDEX] or ints[ROUNDS] == 0):
        return unpulled
    slot = best_slot(state)
    if unpulled >= 0 and (slot < 0 or prior_index(state) >= state.slots[INDEX, slot]):
        return unpulled
    if slot < 0:
        arm: int = fewest_pending(state)
        return arm
    ints[LAST] = slot
    arm = state.arms[slot]
    return arm


def select(state: Any, own: Any) -> int:
    """The arm to pull by an index rule; `own`, the policy's stream, is not used."""
    return decide(state, lowest_unpulled(state))
