"""The model behind ReUCB's index: variances, GLS mean, and the one rule for what the data cannot estimate.

The start (the paper leaves it open)
------------------------------------
1. While no arm was pulled twice, the noise variance is taken to be 0: every weight is 1, every width 0, the index is
   the mean. The round after one pull of each arm takes the highest mean, which is right for any variances (all weights
   are equal then). One arm, and rewards that never vary, need no special case.
2. An estimate of sigma0^2 is not taken below sigma^2/N, the variance of the mean of all N rewards. At 0 all indices
   would be equal and the lowest arm would always be pulled.

Measured by benchmarks/start_rule.py: mean regret at 10^4 rounds, 200 runs (standard errors 1 to 8 %, ties 5 to 16 %):

  rule 1 (moments)          N(1, .04)   N(1, 1)   U[1, 2]   Bernoulli K = 20    50    100
    counts as 0                   230       160       200                186   327    503
    two pulls each first          236       261       209                180   320    496
    greedy to K replicates        227       160       210                182   324    497
    all variance is noise,
      up to 10 replicates         230       161       203                189   326    501
  rule 2 (anova)
    ties to the lowest           1382       160       352               1011   912    805
    the printed estimate          241       162       196                186   278    342
    floor sigma^2/N               286       163       198                181   275    238
    floor K sigma^2/N             248       160       192                178   285    385
    fewest pulls                  240       160       200                177   294    351

Rule 1: no alternative is better overall; two pulls each cost 1.6 times as much where sigma0 > sigma. Rule 2: the
floor has the lowest sum over the settings; it is worse on N(1, .04) and best where arms are many.
"""

from __future__ import annotations

from typing import Any

from reucb._engine.arm_groups import weighting
from reucb._engine.codes import (
    ALL_HI,
    ALL_LO,
    ANOVA,
    CENTER,
    COUNT,
    CROSS,
    FIT_MU0,
    FIT_SIGMA0_SQ,
    FIT_SIGMA_SQ,
    FIT_TAU_W,
    FIT_W,
    METHOD,
    MORE,
    MU0,
    PULLED,
    REML,
    ROUNDS,
    SHRINK,
    SIGMA0_SQ,
    SIGMA_SQ,
    SIZE,
    SLOTS,
    SPREAD,
    SUM_HI,
    SUM_LO,
    TOTAL_HI,
    TOTAL_LO,
    WAIT,
    WAITING,
    WEIGHT,
    WITHIN_HI,
    WITHIN_LO,
)
from reucb._engine.jit import by_family, by_use, inlined
from reucb._engine.likelihood import likelihood_variances
from reucb._engine.state import BY_LIKELIHOOD, BY_SQUARES, ESTIMATED, KNOWN
from reucb._engine.sums import larger


def _from_squares(state: Any) -> tuple[float, float]:
    """Eq. variance1 and Eq. variance2, or Henderson's method 1; a known variance is left unchanged."""
    floats, params = state.floats, state.params
    sigma_sq, sigma0_sq = params[SIGMA_SQ], params[SIGMA0_SQ]
    within = floats[WITHIN_HI] + floats[WITHIN_LO]
    pulled, rounds = state.ints[PULLED], state.ints[ROUNDS]
    if sigma_sq < 0.0:
        sigma_sq = within / (rounds - pulled) if rounds > pulled else 0.0
    if sigma0_sq < 0.0:
        between = (floats[ALL_HI] - floats[WITHIN_HI]) + (floats[ALL_LO] - floats[WITHIN_LO])
        if state.codes[METHOD] == ANOVA:
            between -= (pulled - 1) * sigma_sq
        sigma0_sq = between * (rounds / floats[CROSS]) if floats[CROSS] > 0.0 and between > 0.0 else 0.0
    return sigma0_sq, sigma_sq


def _by_likelihood(state: Any) -> tuple[float, float]:
    """Maximum likelihood, or restricted maximum likelihood, started near the last estimate."""
    floats, pulled, rounds = state.floats, state.ints[PULLED], state.ints[ROUNDS]
    within = floats[WITHIN_HI] + floats[WITHIN_LO]
    if not within > 0.0 or pulled < 2:  # no arm paid two different rewards, or one arm
        return 0.0, within / max(rounds - pulled, 1)
    restricted = state.codes[METHOD] == REML
    mean, unit = (floats[TOTAL_HI] + floats[TOTAL_LO]) / rounds, max(floats[ALL_HI] + floats[ALL_LO], within)
    trace, freedom = (floats[CROSS] / rounds, rounds - 1.0) if restricted else (float(rounds), float(rounds))
    hint = floats[FIT_SIGMA0_SQ] / floats[FIT_SIGMA_SQ] if floats[FIT_SIGMA_SQ] > 0.0 else 0.0
    n = state.ints[SLOTS]
    return likelihood_variances(state.slots, n, mean, unit, within, trace, freedom, restricted, hint)


# (sigma0^2, sigma^2) as estimated from the rewards so far.
variances = by_family(
    {
        **dict.fromkeys(BY_SQUARES, _from_squares),
        **dict.fromkeys(BY_LIKELIHOOD, _by_likelihood),
    }
)


@inlined
def gls_mean(state: Any) -> None:
    """Write mu0 (Eq. r0-estimator, as a deviation from the centre) and 1/Var from the slots into state.floats."""
    slots, floats = state.slots, state.floats
    weight, size, sums, low = slots[WEIGHT], slots[SIZE], slots[SUM_HI], slots[SUM_LO]
    g0, g1, s0, s1 = 0.0, 0.0, 0.0, 0.0
    n = state.ints[SLOTS]
    for i in range(0, n - 1, 2):  # two chains of additions side by side
        g0 += size[i] * weight[i]
        s0 += weight[i] * (sums[i] + low[i])
        g1 += size[i + 1] * weight[i + 1]
        s1 += weight[i + 1] * (sums[i + 1] + low[i + 1])
    if n % 2:
        g0 += size[n - 1] * weight[n - 1]
        s0 += weight[n - 1] * (sums[n - 1] + low[n - 1])
    floats[FIT_W] = g0 + g1
    floats[FIT_MU0] = (s0 + s1) / (g0 + g1) if g0 + g1 > 0.0 else 0.0


@inlined
def locate(state: Any) -> None:
    """Write mu0 and its precision, known or by GLS, into state.floats."""
    floats, mu0 = state.floats, state.params[MU0]
    if mu0 == mu0:  # known: no uncertainty
        floats[FIT_MU0] = mu0 - floats[CENTER]
        floats[FIT_W] = float("inf")
    else:
        gls_mean(state)
    floats[FIT_TAU_W] = floats[FIT_W]


@inlined
def add_pending(state: Any) -> None:
    """Let pending pulls count in the precision of mu0 that widths use, as if their rewards equalled the predictions."""
    more = 0.0
    for i in range(state.ints[SLOTS]):
        more += state.slots[SIZE, i] * state.slots[MORE, i]
    state.floats[FIT_TAU_W] = state.floats[FIT_W] + more


def _with_pending(state: Any, v0: float, v: float) -> None:
    """Estimated variances, in the unit of v0 and v: slots with pending pulls get the widths of both."""
    if state.ints[WAITING] > 0:
        slots = state.slots
        for i in range(state.ints[SLOTS]):
            if slots[WAIT, i] > 0.0:
                total, slots[SHRINK, i] = weighting(slots[COUNT, i] + slots[WAIT, i], v0, v)
                slots[SPREAD, i] = state.floats[FIT_SIGMA0_SQ] * slots[SHRINK, i]
                slots[MORE, i] = total - slots[WEIGHT, i]
        add_pending(state)


def _clear_unpulled(state: Any) -> None:
    slots = state.slots
    for i in range(state.ints[SLOTS]):
        if slots[COUNT, i] == 0.0:
            slots[WEIGHT, i] = slots[SHRINK, i] = slots[SPREAD, i] = 0.0


def _known_with_pending(state: Any) -> None:
    if state.ints[WAITING] > 0:
        add_pending(state)


def _none_pending(state: Any, *units: float) -> None:
    pass


# Without noise, the weight 0/0 of arms that have pending pulls only is 0.
clear_unpulled = by_use(_clear_unpulled, _none_pending)

# Lets pending pulls count in the widths, where there are any; with estimated and with known variances.
count_pending = by_use(_with_pending, _none_pending)
count_pending_known = by_use(_known_with_pending, _none_pending)


def _known(state: Any) -> None:
    """With known variances a slot has its weights already."""
    floats, params = state.floats, state.params
    floats[FIT_SIGMA0_SQ], floats[FIT_SIGMA_SQ] = params[SIGMA0_SQ], params[SIGMA_SQ]
    locate(state)
    count_pending_known(state)


def _estimated(state: Any) -> None:
    """Variances first, then the weights of every slot."""
    slots, floats = state.slots, state.floats
    sigma0_sq, sigma_sq = variances(state)
    if state.params[SIGMA0_SQ] < 0.0:
        sigma0_sq = larger(sigma0_sq, sigma_sq / larger(float(state.ints[ROUNDS]), 1.0))
    largest = larger(sigma0_sq, sigma_sq)
    v0, v = 1.0, 0.0
    if sigma_sq > 0.0:
        v0, v = sigma0_sq / largest, sigma_sq / largest
    count, weight, shrink, spread = slots[COUNT], slots[WEIGHT], slots[SHRINK], slots[SPREAD]
    for i in range(state.ints[SLOTS]):
        weight[i], shrink[i] = weighting(count[i], v0, v)
        spread[i] = sigma0_sq * shrink[i]
    if v == 0.0:
        clear_unpulled(state)
    floats[FIT_SIGMA0_SQ] = sigma0_sq
    floats[FIT_SIGMA_SQ] = sigma_sq
    locate(state)
    count_pending(state, v0, v)


# Brings the fit in state.floats (mu0, its precision, both variances) and the weights of the slots up to date.
fit = by_family(
    {
        **dict.fromkeys(KNOWN, _known),
        **dict.fromkeys(ESTIMATED, _estimated),
    }
)
