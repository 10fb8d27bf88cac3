"""Rounds as they occur in practice: arms without rewards, and pulls whose rewards are late."""

from __future__ import annotations

from fractions import Fraction

from flint import arb
from hypothesis import strategies as st

import reucb
from tests.agreement.arms import DYADIC
from tests.agreement.play import UNIT
from tests.agreement.predictions import COUNTS, MEANS, weight
from tests.agreement.registry import RUNNING, Code, against_code, agree, exactly, holds

# Pending pulls and ratios of widths, computed by `reucb.blup`.


@against_code("ours/pending")
def pending(data: st.DataObject, code: Code) -> None:
    """Entering the prediction as a reward leaves every prediction as it was."""
    counts, means = data.draw(COUNTS, "counts"), data.draw(MEANS, "means")
    s0, s = data.draw(DYADIC, "spread"), data.draw(DYADIC, "noise")
    means = means[: len(counts)]
    weights = [weight(c, s, s0) for c in counts]
    centre = sum(w * m for w, m in zip(weights, means, strict=True)) / sum(weights)
    predicted = centre + weights[0] * (means[0] - centre)
    entered = (counts[0] * means[0] + predicted) / (counts[0] + 1)
    averages = [float(entered), *(float(m) for m in means[1:])]
    fit = reucb.blup([counts[0] + 1, *counts[1:]], averages, sigma0_sq=float(s0), sigma_sq=float(s))
    for w, m, mu in zip(weights, means, fit.mu, strict=True):
        agree(code(mu, RUNNING), centre + w * (m - centre))
    agree(code(fit.weights[0]), weight(counts[0] + 1, s, s0))


@against_code("ours/width-ratio", "ours/width-ratio/play")
def width_ratio(data: st.DataObject, code: Code) -> None:
    """tau_I/tau_k >= g(n_I)/g(1) for all pairs of arms: squared, mse_I/mse_k >= (1 + alpha)/(N + alpha)."""
    counts, s0, s = data.draw(COUNTS, "counts"), data.draw(DYADIC, "spread"), data.draw(DYADIC, "noise")
    fit = reucb.blup(counts, [0.0] * len(counts), sigma0_sq=float(s0), sigma_sq=float(s))
    rho = s / s0
    alpha = (len(counts) - 1) * rho / (len(counts) + rho)
    for count, mine in zip(counts, fit.mse, strict=True):
        for other in fit.mse:
            assert not code(mine) * exactly(count + alpha) < code(other) * exactly(1 + alpha)
    agree(code(fit.weights[0]), weight(counts[0], s, s0))


# A round of ReUCB(first="index"), where arms may have no reward: indices, widths and the arm that is pulled.


@against_code("ours/by-index/round", "ours/by-index/width", "ours/by-index")
def before_every_arm_was_pulled(data: st.DataObject, code: Code) -> None:
    """Estimates and widths at counts that may be 0; the pulled arm has the highest index; no width is above WIDEST."""
    arms, a = data.draw(st.integers(2, 5), "arms"), data.draw(DYADIC, "a")
    spread, noise = data.draw(DYADIC, "spread"), data.draw(DYADIC, "noise")
    rewards = data.draw(st.lists(UNIT, min_size=1, max_size=arms + 2), "rewards")
    policy = reucb.ReUCB(a=float(a), sigma0_sq=float(spread), sigma_sq=float(noise), first="index")
    agent = policy.start(n_arms=arms, seed=0)
    seen: list[list[Fraction]] = [[] for _ in range(arms)]
    for reward in rewards:
        arm = int(agent.select())
        agent.update(arm, float(reward))
        seen[arm].append(reward)
    if not seen[0]:
        raise AssertionError("round 1 pulls the first arm")
    weights = [len(x) * spread / (len(x) * spread + noise) for x in seen]
    means = [sum(x, Fraction(0)) / max(len(x), 1) for x in seen]
    centre = sum((w * m for w, m in zip(weights, means, strict=True)), Fraction(0)) / sum(weights)
    fit, index, t = agent.fit(), agent.indices(), len(rewards) + 1
    for w, m, mu, mse, u in zip(weights, means, fit.mu, fit.mse, index, strict=True):
        error = (1 - w) * spread + (1 - w) ** 2 * spread / sum(weights)
        estimate = (1 - w) * centre + w * m
        agree(code.beside(mu, 1.0), estimate)
        agree(code(mse), error)
        agree(code.beside(u, 1.0 + abs(u)), exactly(estimate) + (exactly(a * error) * arb(t).log()).sqrt())
        holds(code(mse), "<=", exactly(2 * spread + noise))
    if index[int(agent.select())] < max(index):
        raise AssertionError("another arm has a higher index")
