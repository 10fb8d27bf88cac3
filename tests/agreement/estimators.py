"""The variance estimates against `reucb.variance_components`, averaged over all outcomes of small designs."""

from __future__ import annotations

from fractions import Fraction
from itertools import product

import numpy as np
from flint import arb
from hypothesis import strategies as st

import reucb
from tests.agreement import Disagreement
from tests.agreement.registry import RUNNING, Code, against_code, agree, exactly, hold

DESIGNS = st.sampled_from([(2, 1), (2, 2), (3, 1), (2, 1, 1)])
SIZES = st.integers(3, 8).map(lambda i: Fraction(i, 4))  # deviations; their squares are the variances
LAW = ((-1.0, 2 / 3), (2.0, 1 / 3))  # mean 0, variance 2, fourth moment 6


def outcomes(counts: tuple[int, ...], offset: float, noise: float) -> tuple[np.ndarray, np.ndarray]:
    """Sample means and sums of squares for all signs of offsets and noise, all equally likely."""
    owner = np.repeat(np.arange(len(counts)), counts)
    signs = np.array(list(product((-1.0, 1.0), repeat=len(counts) + owner.size)))
    rewards = offset * signs[:, : len(counts)][:, owner] + noise * signs[:, len(counts) :]
    pick = owner == np.arange(len(counts))[:, None]
    means = rewards @ pick.T / counts
    squares = ((rewards - means[:, owner]) ** 2) @ pick.T
    return means, np.where(np.array(counts) > 1, squares, 0.0)


def named(counts: tuple[int, ...]) -> dict[str, int]:
    return {"n": counts[0], "J": len(counts) - 1, "No": sum(counts[1:]), "Qo": sum(c * c for c in counts[1:])}


@against_code(
    "variance1",
    "variance1/defined/repaired",
    "variance2/expectation",
    "variance2/repaired",
    "variance2/n-star/repaired",
    "variance2/bias",
    "sec:estimation-3/respectively/repaired",
    "sec:estimation-3/consistent-in-arms",
)
def expectations(data: st.DataObject, code: Code) -> None:
    counts = data.draw(DESIGNS, "counts")
    offset, noise = data.draw(SIZES, "offset"), data.draw(SIZES, "noise")
    means, squares = outcomes(counts, float(offset), float(noise))
    every = np.broadcast_to(counts, means.shape)
    moments, anova = (reucb.variance_components(every, means, squares, method) for method in ("moments", "anova"))
    size, arms = sum(counts), len(counts)
    n_star = size - Fraction(sum(c * c for c in counts), size)
    at = {**named(counts), "s": noise**2, "s0": offset**2}
    within, spread = code.bound(np.mean(moments.sigma_sq)), code.bound(np.mean(moments.untruncated))
    agree(within, noise**2)
    alone = (counts[0], *([1] * (arms - 1)))  # only arm k has information on the noise: its part is the whole
    part = code.bound(
        np.mean(
            reucb.variance_components(
                np.broadcast_to(alone, (2 ** (sum(alone) + arms), arms)), *outcomes(alone, float(offset), float(noise))
            ).sigma_sq
        )
    )
    own = part * (counts[0] - 1)
    hold("variance1", {**named(alone), "s": noise**2, "s0": offset**2}, only="one arm", left={"one arm": own})
    hold("sec:estimation-3/respectively/repaired", at, only="Eq. variance1", left={"Eq. variance1": within})
    row = int(np.argmax(squares.sum(-1)))
    divisor = exactly(Fraction(float(squares[row].sum()))) / code.bound(moments.sigma_sq[row])
    hold("variance1", at, only="all arms", left={"all arms": within * exactly(size - arms)})
    hold("variance1", at, only="unbiased", left={"unbiased": within})
    hold("variance1/defined/repaired", at, left={"more pulls": divisor, "the divisor": divisor})
    hold("variance2/expectation", at, only="all arms", left={"all arms": spread * exactly(n_star)})
    between = sum(
        c * (Fraction(m) - sum(k * Fraction(x) for k, x in zip(counts, means[row], strict=True)) / size) ** 2
        for c, m in zip(counts, map(float, means[row]), strict=True)
    )
    if between > Fraction(1, 1000):
        effective = exactly(between) / code.bound(moments.untruncated[row])
        hold("variance2/expectation", at, only="n_*", left={"n_*": effective})
        hold("variance2/n-star/repaired", at, left={"lower bound": effective})
        hold("variance2/bias", at, left={"n_* is": arms * effective})
        hold("sec:estimation-3/consistent-in-arms", {**at, "M": min(counts), "x": n_star}, {"x": effective})
    unbiased = code.beside(np.mean(anova.untruncated), float(offset**2 + noise**2))
    hold("variance2/repaired", at, left={"unbiased": unbiased})
    hold("sec:estimation-3/respectively/repaired", at, only="Eq. variance2", left={"Eq. variance2": unbiased})


@against_code("sec:estimation-3/consistent-in-pulls", "variance2/bias", "sec:estimation-3/consistent-in-arms")
def equal_counts(data: st.DataObject, code: Code) -> None:
    arms, pulls = data.draw(st.sampled_from([(2, 2), (2, 3), (3, 2)]), "arms, pulls")
    offset, noise = data.draw(SIZES, "offset"), data.draw(SIZES, "noise")
    counts = (pulls,) * arms
    means, squares = outcomes(counts, float(offset), float(noise))
    raw = reucb.variance_components(np.broadcast_to(counts, means.shape), means, squares, "moments").untruncated
    bias = code(np.mean(raw), RUNNING) - exactly(offset**2)
    at = {"J": arms - 1, "s": noise**2, "c": pulls}
    hold("variance2/bias", at, left={"equal counts": bias})
    hold("sec:estimation-3/consistent-in-arms", at, left={"bias at equal": bias})
    means, squares = outcomes(counts, float(offset), 0.0)  # arm means known: their sample variance
    found = np.asarray(reucb.variance_components(np.broadcast_to(counts, means.shape), means, squares).untruncated)
    second = code(np.mean(found**2), RUNNING) - exactly(offset**4)
    hold(
        "sec:estimation-3/consistent-in-pulls",
        {"J": arms - 1, "s0": offset**2, "kappa": offset**4},
        left={"variance": second, "two arms": second} if arms == 2 else {"variance": second},
    )


@against_code("sec:estimation-3/noise-consistent", "sec:estimation-3/distribution-free", "notation/hats/repaired")
def spread_of_the_noise_estimate(data: st.DataObject, code: Code) -> None:
    size, scale = data.draw(st.integers(2, 5), "pulls"), data.draw(SIZES, "scale")
    draws = np.array(list(product(LAW, repeat=size)))
    values, chances = draws[..., 0] * float(scale), draws[..., 1].prod(-1)
    means = values.mean(-1)
    squares = ((values - means[:, None]) ** 2).sum(-1)
    zero = np.zeros_like(means)
    found = reucb.variance_components(
        np.broadcast_to((size, 1), (len(means), 2)), np.stack([means, zero], -1), np.stack([squares, zero], -1)
    ).sigma_sq * (size - 1)
    # a law that is not symmetric: the estimate's mean is the variance all the same
    agree(code(chances @ found, RUNNING), 2 * scale**2 * (size - 1))
    hold(
        "notation/hats/repaired",
        {"n": size, "s": 2 * scale**2},
        left={"mean of": code(chances @ found, RUNNING) / (size - 1)},
    )
    second = code(chances @ found**2, RUNNING) - exactly(((size - 1) * 2 * scale**2) ** 2)
    hold(
        "sec:estimation-3/noise-consistent",
        {"n": size, "s": 2 * scale**2, "kappa": 6 * scale**4},
        left={"one arm": second},
    )


@against_code("variance1/adaptive/repaired", "sec:estimation-3/sample-mean/repaired")
def sums_under_adaptive_play(data: st.DataObject, code: Code) -> None:
    """All plays of an agent that chooses by its rewards: sums of noise are centred, and their squares add up."""
    a = float(data.draw(SIZES, "a"))
    counts, means, squares, chances = [], [], [], []
    for draws in product(LAW, repeat=4):
        agent = reucb.ReUCB(a=a, sigma0_sq=1.0, sigma_sq=2.0).start(n_arms=2, seed=0)
        seen: list[list[float]] = [[], []]
        for reward, _ in draws:
            arm = agent.select()
            agent.update(arm, reward)
            seen[arm].append(reward)
        counts.append(agent.counts.copy())
        means.append(agent.means.copy())
        squares.append([float(np.var(x)) * len(x) for x in seen])
        chances.append(np.prod([p for _, p in draws]))
    n, mean, chance = np.array(counts), np.array(means), np.array(chances)
    sums = n * mean
    within = reucb.variance_components(n, mean, np.where(n > 1, squares, 0.0)).sigma_sq * (n.sum(-1) - 2)
    agree(code.bound(chance @ (within + (n * mean**2).sum(-1))), 2 * 4)  # squares: sigma^2 for every pull
    for arm in (0, 1):
        centred = code.beside(1.0 + chance @ sums[:, arm], 4.0) - 1
        if not centred.contains(0):
            raise Disagreement(f"the sum of arm {arm} has mean {centred}")
        agree(code.bound(chance @ sums[:, arm] ** 2), arb(2) * code.bound(chance @ n[:, arm]))


@against_code("sec:analysis/map/repaired")
def mode_of_the_posterior(data: st.DataObject, code: Code) -> None:
    """At the code's estimates all slopes of the log density vanish."""
    counts, spread, noise = data.draw(DESIGNS, "counts"), data.draw(SIZES, "spread"), data.draw(SIZES, "noise")
    means = data.draw(st.lists(SIZES, min_size=len(counts), max_size=len(counts)), "means")
    fit = reucb.blup(counts, list(map(float, means)), sigma0_sq=float(spread), sigma_sq=float(noise))
    centre = code(fit.mu0, RUNNING)
    for n, mean, mu in zip(counts, means, fit.mu, strict=True):
        pull = n / noise + 1 / spread  # n (mean - mu)/noise = (mu - centre)/spread
        agree(code(mu, RUNNING) * exactly(pull), exactly(n * mean / noise) + centre / exactly(spread))
    weights = [n * spread / (n * spread + noise) for n in counts]
    agree(centre, sum(w * m for w, m in zip(weights, means, strict=True)) / sum(weights))
