"""Predictions of `reucb.blup` and of agents: mu_0 known or estimated, unequal noise, late rewards, arms without any."""

from __future__ import annotations

from fractions import Fraction

import sympy as sp
from flint import arb
from hypothesis import strategies as st

import reucb
from tests.agreement.arms import DYADIC
from tests.agreement.play import UNIT
from tests.agreement.registry import RUNNING, Code, against_code, agree, exactly, hold, holds, value
from theory.model.normal import MIXTURE

COUNTS = st.lists(st.integers(1, 12), min_size=2, max_size=4)
MEANS = st.lists(DYADIC, min_size=4, max_size=4)


def weight(count: int, noise: Fraction, spread: Fraction) -> Fraction:
    return count * spread / (count * spread + noise)


@against_code(
    "mse-a",
    "sec:estimation-1/linear-unbiased",
    "mu-estimator",
    "mu-estimator/bias",
    "sec:mu0Dist/given-the-mean",
    "sec:r0-estimator/sherman-morrison-1",
)
def known_mean(data: st.DataObject, code: Code) -> None:
    n, r = data.draw(st.integers(1, 12), "n"), data.draw(DYADIC, "r")
    mu0 = r + data.draw(DYADIC, "mu0 - r")
    s0, s = data.draw(DYADIC, "spread"), data.draw(DYADIC, "noise")
    fit = reucb.blup([n], [float(r)], sigma0_sq=float(s0), sigma_sq=float(s), mu0=float(mu0))
    w, found, scale = weight(n, s, s0), code(fit.weights[0]), float(abs(r) + abs(mu0))
    prediction, error = code.beside(fit.mu[0], scale), code(fit.mse[0])
    hold("mse-a", {"n": n, "s": s, "s0": s0, "c": w}, {"c": found}, left={"risk": error})
    hold("sec:estimation-1/linear-unbiased", {"y": w, "x": mu0 + r, "mu_0": mu0}, {"y": found})
    at = {"n": n, "s": s, "s0": s0, "r": r, "rbar_k": r, "mu0": mu0, "mu_0": mu0, "m": mu0}
    hold("mu-estimator", at, left={"": prediction})
    # the prediction's bias if the arm's mean is what its rewards average to
    hold("mu-estimator/bias", {**at, "mu_k": r}, left={"bias": (prediction, -exactly(r))})
    x = r + mu0
    square = -((prediction - exactly(x)) ** 2) / (2 * error)
    hold("sec:mu0Dist/given-the-mean", {**at, "z": x}, right={"completed square": square})
    # sigma^2 I + sigma_0^2 11^T times its inverse, off the diagonal; 1/(1/sigma_0^2 + n/sigma^2) is the error
    product = (exactly(s0 / s), -exactly(n * s0 / s**2) * error, -error / exactly(s))
    hold("sec:r0-estimator/sherman-morrison-1", at, only="the product off", left={"the product off": product})


@against_code("sec:mu0Dist/mixture", "r0-estimator", "blup", "sec:mu0Dist")
def estimated_mean(data: st.DataObject, code: Code) -> None:
    counts, means = data.draw(COUNTS, "counts"), data.draw(MEANS, "means")
    s0, s, u = data.draw(DYADIC, "spread"), data.draw(DYADIC, "noise"), data.draw(DYADIC, "u") / 8
    means = means[: len(counts)]
    fit = reucb.blup(counts, [float(m) for m in means], sigma0_sq=float(s0), sigma_sq=float(s))
    weights = [weight(c, s, s0) for c in counts]
    centre = sum(w * m for w, m in zip(weights, means, strict=True)) / sum(weights)
    agree(code(fit.mu0), centre)
    for w, m, mu in zip(weights, means, fit.mu, strict=True):
        agree(code(mu), (1 - w) * centre + w * m)
    w = weights[0]  # mu_k is (1 - w) mu_0 + w r-bar with variance tilde-tau^2, and mu_0 normal around r0-bar
    law = {"a": 1 - w, "b": w * means[0], "mu": centre, "v_X": s0 / sum(weights), "v": (1 - w) * s0, "u": u}
    exponent = value(sp.log(MIXTURE.rel.right), law)
    agree(exactly(u**2) * code(fit.mse[0]) / 2 + exactly(u) * code(fit.mu[0]), exponent)


@against_code(
    "sec:discussion/arm-dependent-noise/repaired",
    "sec:discussion/arm-dependent-noise/bound",
    "sec:varying/repaired",
    "sec:varying/upper-variance-error",
)
def unequal_noise(data: st.DataObject, code: Code) -> None:
    counts, noise, s0 = data.draw(COUNTS, "counts"), data.draw(MEANS, "noise"), data.draw(DYADIC, "spread")
    noise = noise[: len(counts)]
    zero, largest = [0.0] * len(counts), max(noise)
    own = reucb.blup(counts, zero, sigma0_sq=float(s0), sigma_sq=[float(x) for x in noise])
    common = reucb.blup(counts, zero, sigma0_sq=float(s0), sigma_sq=float(largest))
    z, *others = (weight(c, e, s0) for c, e in zip(counts, noise, strict=True))
    y, *lower = (weight(c, largest, s0) for c in counts)
    for fit, w, rest in ((own, z, sum(others)), (common, y, sum(lower))):  # both sides of the repaired claim
        agree(code(fit.mse[0]), s0 * (1 - w) + s0 * (1 - w) ** 2 / (w + rest))
    holds(code(own.mse[0]), "<=", code(common.mse[0]))
    beta = 1 + largest / (len(counts) * s0)
    holds(code(own.mse[0]), "<=", exactly(s0 * largest / (counts[0] * s0 + largest) * beta))
    # a predictor for the largest noise, used at the arms' own: its error is below the one that the code claims
    total = y + sum(lower)
    q = y + (1 - y) * y / total
    rest = sum(((1 - y) * w / total) ** 2 * (s0 + e / c) for w, c, e in zip(lower, counts[1:], noise[1:], strict=True))
    holds(exactly((1 - q) ** 2 * s0 + q**2 * noise[0] / counts[0] + rest), "<=", code(common.mse[0]))


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
