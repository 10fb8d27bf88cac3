"""Steps about one round against an agent that plays it, and plays small enough for exact averages."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

import numpy as np
import sympy as sp
from flint import arb
from hypothesis import strategies as st

import reucb
from tests.agreement import Disagreement
from tests.agreement.arms import DYADIC
from tests.agreement.registry import Code, against_code, agree, exactly, hold, holds, value
from theory.model.laws import UCB1Width
from theory.model.regret_bounds import Bound
from theory.model.small_play import outcomes

# Steps about one round against an agent that plays it: indices, widths, counts, and the arm that is pulled.

UNIT = st.integers(1, 16).map(lambda i: Fraction(i, 16))


@dataclass(frozen=True)
class Round:
    """One round t > K: exact and computed, of the pulled arm and of another one that may be the best."""

    t: int
    a: Fraction
    counts: list[int]
    pulled: int
    other: int
    estimates: tuple[list[arb], list[arb]]
    widths: tuple[list[arb], list[arb]]

    def index(self, arm: int) -> tuple[arb, arb]:
        return self.estimates[0][arm] + self.widths[0][arm], self.estimates[1][arm] + self.widths[1][arm]


def played(data: st.DataObject, code: Code) -> Round:
    """Rewards in [0, 1], ReUCB with known variances; what it computes before some round after the K-th."""
    arms, a = data.draw(st.integers(2, 4), "arms"), data.draw(DYADIC, "a")
    spread, noise = data.draw(DYADIC, "spread"), data.draw(DYADIC, "noise")
    rewards = data.draw(st.lists(UNIT, min_size=arms, max_size=arms + 6), "rewards")
    agent = reucb.ReUCB(a=float(a), sigma0_sq=float(spread), sigma_sq=float(noise)).start(n_arms=arms, seed=0)
    seen: list[list[Fraction]] = [[] for _ in range(arms)]
    for reward in rewards:
        arm = int(agent.select())
        agent.update(arm, float(reward))
        seen[arm].append(reward)
    counts = [len(x) for x in seen]
    means = [sum(x, Fraction(0)) / len(x) for x in seen]
    weights = [c * spread / (c * spread + noise) for c in counts]
    centre = sum(w * m for w, m in zip(weights, means, strict=True)) / sum(weights)
    t = len(rewards) + 1
    exact = [exactly((1 - w) * centre + w * m) for w, m in zip(weights, means, strict=True)]
    errors = [(1 - w) * spread + (1 - w) ** 2 * spread / sum(weights) for w in weights]
    widths = [(exactly(a * e) * arb(t).log()).sqrt() for e in errors]
    fit, index = agent.fit(), agent.indices()
    found = [code.beside(x, 1.0) for x in fit.mu]
    shown = [code.beside(u - m, 1.0 + abs(u)) for u, m in zip(index, fit.mu, strict=True)]
    pulled = int(agent.select())
    if agent.counts.tolist() != counts or agent.rounds != t - 1:
        raise AssertionError("the agent counts otherwise")
    other = (pulled + 1) % arms
    return Round(t, a, counts, pulled, other, (exact, found), (widths, shown))


def beyond(error: arb, width: arb) -> arb:
    """The error, if it is above the width, and 0 otherwise."""
    return error if error > width else arb(0)


@against_code(
    "regret-decom/repaired",
    "regret-decom-upper/repaired",
    "sec:algorithm/ties",
    "ours/round",
)
def the_pulled_arm_has_the_highest_index(data: st.DataObject, code: Code) -> None:
    at = played(data, code)
    U, top = at.index(at.pulled), at.index(at.other)
    holds(U[1], ">=", top[1])
    best, mine = exactly(data.draw(UNIT, "best")), exactly(data.draw(UNIT, "mine"))
    for i in (0, 1):
        agree(at.estimates[1][(at.pulled, at.other)[i]], at.estimates[0][(at.pulled, at.other)[i]])
        agree(at.widths[1][(at.pulled, at.other)[i]], at.widths[0][(at.pulled, at.other)[i]])
    named = {
        "best": best,
        "pulled": mine,
        "mine": mine,
        "U_best": top[0],
        "U_pulled": U[0],
        "top": top[0],
        "upper": U[0],
    }
    hold("sec:algorithm/ties", named, {"U_best": top[1], "U_pulled": U[1], "top": top[1], "upper": U[1]})
    holds(best - mine, "<=", (U[1] - mine) + (best - top[1]))  # regret-decom/repaired, one round of ours/round
    over = beyond(at.estimates[1][at.pulled] - mine, at.widths[1][at.pulled])
    short = beyond(best - at.estimates[1][at.other], at.widths[1][at.other])
    holds(best - mine, "<=", 2 * at.widths[1][at.pulled] + over + short)  # one round of regret-decom-upper/repaired


@against_code(
    "regret-decom/events",
    "sec:proof/tail-union/own-event",
    "ours/optimism",
    "decom1-result2",
    "decom1-result2/range/repaired",
    "decom1-result2/left",
    "them-R-Bayes-SubR/repaired/round",
    "them-R-Bayes-SubR/support/repaired",
)
def errors_and_widths(data: st.DataObject, code: Code) -> None:
    at = played(data, code)
    mine = exactly(data.draw(UNIT, "mean of the pulled arm") * Fraction(9, 10) + Fraction(1, 100))  # not an estimate
    estimate, width = (pair[0][at.pulled] for pair in (at.estimates, at.widths))
    computed, wide = (pair[1][at.pulled] for pair in (at.estimates, at.widths))
    over, short = beyond(computed - mine, wide), beyond(mine - computed, wide)
    holds(computed + wide - mine, "<=", 2 * wide + over)  # regret-decom/events, sec:proof/tail-union/own-event
    holds(mine - computed - wide, "<=", short)
    root = (exactly(at.a) * arb(at.t).log()).sqrt()
    agree(wide / root, width / root)  # the tau of ours/optimism
    holds(over, "<=", arb(1 if over > 0 else 0))  # decom1-result2: the error on an event is at most its indicator
    holds(short, "<=", arb(1 if short > 0 else 0))  # decom1-result2/left
    hold("decom1-result2/range/repaired", {"x": estimate, "y": mine}, {"x": computed})
    holds(computed, "<=", arb(1) + 1e-15)  # them-R-Bayes-SubR/support/repaired: rewards in [0, 1]
    holds(computed, ">=", arb(-1e-15))
    best, pulled = at.index(at.other)[1] - wide / 8, computed - wide / 2  # means inside both intervals
    holds(best - pulled, "<=", 2 * wide)  # them-R-Bayes-SubR/repaired/round


@against_code("ours/logarithmic/good-round", "ours/logarithmic/upper-side", "ours/logarithmic/lower-side")
def three_kinds_of_rounds(data: st.DataObject, code: Code) -> None:
    """The arm means are put where the round is of the kind in question; the agent's choice does not see them."""
    at = played(data, code)
    s = (exactly(at.a) * arb(at.t).log()).sqrt()
    tau, found = (side[at.pulled] / s for side in at.widths)
    U, X = at.index(at.other), exactly(data.draw(UNIT, "error of the pulled arm")) / 4
    mine = at.estimates[0][at.pulled] - X
    round_ = {"pulled": mine, "U_best": U[0], "X": X, "s": s, "tau": tau, "x": X / tau + 1, "pos": X + s * tau}
    computed = {"U_best": U[1], "tau": found, "X": at.estimates[1][at.pulled] - mine}
    seen = {**round_, "best": U[0] - tau / 8}
    hold("ours/logarithmic/good-round", seen, computed)
    above = computed["X"] + s * found  # U_I - mu_I
    holds(seen["best"] - mine, "<=", above)  # ours/logarithmic/upper-side: the best arm's index is not below its mean
    best = U[0] + tau / 8
    holds(best - mine, "<=", (best - U[1]) + above)  # ours/logarithmic/lower-side: it is


@against_code("sec:setting/counts", "alg:arm-ucb/each-arm-once", "sec:algorithm/bonus")
def counts_and_rounds(data: st.DataObject, code: Code) -> None:
    at = played(data, code)
    arms, n = len(at.counts), at.counts[at.pulled]
    found = code(n)
    agree(found + 1, n + 1)  # the count up to the round is one more than that before it
    hold("alg:arm-ucb/each-arm-once", {"n": n, "No": sum(at.counts) - n, "J": arms - 1}, {"n": found})
    width, exact = (side[at.pulled] for side in (at.widths[1], at.widths[0]))
    agree((width / exact) ** 2 * arb(at.t).log(), arb(at.t).log())
    holds(width, ">=", arb(0))


@against_code("fig:Gaussian-Others/caption", "sec:experiments/ucb1", "sec:algorithm/reduces-to-ucb1")
def ucb1(data: st.DataObject, code: Code) -> None:
    counts = data.draw(st.lists(st.integers(1, 9), min_size=2, max_size=4), "counts")
    noise, a = data.draw(DYADIC, "noise"), data.draw(DYADIC, "a")
    arms = np.repeat(np.arange(len(counts)), counts)
    log_t = arb(sum(counts) + 1).log()
    squares = []
    for policy in (reucb.UCB1(sigma_sq=float(noise)), reucb.ReUCBInf(sigma_sq=float(noise), a=float(a))):
        agent = policy.start(n_arms=len(counts), seed=0)
        agent.update(arms, np.zeros(len(arms)))
        squares.append(code.bound(agent.indices()[0]) ** 2)
    named = {"s": noise, "n": counts[0], "a": a, "h": a, "log_t": log_t}
    hold("fig:Gaussian-Others/caption", named, left={"a = 8": squares[0] / log_t, "a below": squares[1] / log_t})
    width = UCB1Width(sp.Rational(noise.numerator, noise.denominator), sum(counts) + 1, counts[0])
    agree(squares[0], value(width.value**2))
    hold("sec:algorithm/reduces-to-ucb1", {**named, "s0": 1}, only="nor with", right={"nor with": squares[0] / log_t})


# Plays small enough for exact averages, and the bounds for few rounds, against agents and `reucb.bounds`.

HIGH, CHANCE, NOISE = Fraction(3), Fraction(1, 4), 3.0
ERROR, EXCESS, ESTIMATE = Fraction(3, 104), Fraction(-27, 208), Fraction(15, 4)  # as the two claims state them


@against_code("sec:derivation-mse/adaptive/reucb", "variance1/adaptive/reucb")
def plays_of_reucb(data: st.DataObject, code: Code) -> None:
    """All 32 outcomes, the arm of round 3 chosen by an agent (the first one where both indices are equal)."""
    a = data.draw(DYADIC, "a")
    policy = reucb.ReUCB(a=float(a), sigma0_sq=1.0, sigma_sq=NOISE)
    error, excess, estimate = arb(0), arb(0), arb(0)
    for chance, means, rewards in outcomes(HIGH, CHANCE):
        agent = policy.start(n_arms=2, seed=0)
        agent.update([0, 1], [float(rewards[0][0]), float(rewards[1][0])])
        third = int(len(rewards[1]) == 2)
        first, second = agent.indices()
        if (first < second) != bool(third):
            raise AssertionError("the agent pulls the other arm")
        agent.update(third, float(rewards[third][1]))
        fit = agent.fit()
        weight, miss = exactly(chance), code.beside(fit.mu[0], 3.0) - means[0]
        error += weight * miss
        excess += weight * (miss**2 - code(fit.mse[0]))
        estimate += weight * code.beside(float(agent.sq_devs.sum()), 9.0)
    for found, exact in ((error, ERROR), (excess, EXCESS), (estimate, ESTIMATE)):
        agree(found, exact, narrow=1e-6)


@against_code(
    "ours/conditioning/choices",
    "ours/conditioning/choices/known-mu0",
    "ours/conditioning/choices/fewest-rewards",
    "ours/by-index/choices",
)
def same_choices_at_another_level(data: st.DataObject, code: Code) -> None:
    """Two plays whose rewards differ by one number: the same arms, counts and widths, and so the same arm J with the
    fewest rewards. With mu_0 known the rewards are the same, the seeds are not."""
    arms, seed = data.draw(st.integers(2, 5), "arms"), data.draw(st.integers(0, 2**20), "seed")
    how = data.draw(st.sampled_from([{}, {"first": "index"}, {"mu0": 0.5}]), "agent")
    level = 0.0 if "mu0" in how else float(data.draw(DYADIC, "level"))
    policy = reucb.ReUCB(a=1.5, sigma0_sq=float(data.draw(DYADIC, "spread")), sigma_sq=0.75, **how)
    rewards = np.random.default_rng(seed).normal(size=12)  # ties, which rounding could break, have probability 0
    first, second = policy.start(n_arms=arms, seed=0), policy.start(n_arms=arms, seed=1)
    pulled: list[list[int]] = [[], []]
    for reward in rewards:
        for agent, more, own in zip((first, second), (0.0, level), pulled, strict=True):
            own.append(int(agent.select()))
            agent.update(own[-1], reward + more)
    if pulled[0] != pulled[1]:
        raise Disagreement(f"{pulled[0]} and {pulled[1]} differ")
    fewest = [min(range(arms), key=lambda k, a=a: (a.counts[k], -a.means[k])) for a in (first, second)]
    if len(set(fewest)) > 1:
        raise Disagreement(f"the arms with the fewest rewards are {fewest}")
    for own, other in zip(first.fit().mse, second.fit().mse, strict=True):
        agree(code(other), Fraction(own), narrow=1)


@against_code("sec:bernoulli bandits/beta")
def price_of_learning(data: st.DataObject, code: Code) -> None:
    """beta is 1/w after K pulls."""
    arms, beta = data.draw(st.sampled_from([(20, Fraction(8, 3)), (50, Fraction(5, 3)), (100, Fraction(4, 3))]), "arms")
    fit = reucb.blup([arms], [0.0], sigma0_sq=0.3**2 / 12, sigma_sq=0.25)
    agree(1 / code(fit.weights[0], 1e-13), beta)


@against_code("ours/printed/figure-1a")
def bound_of_figure_1a(data: st.DataObject, code: Code) -> None:
    """The numbers of the claim are those of the code: theorem1 against random play."""
    rounds = data.draw(st.sampled_from([10**4]), "n")
    setting = {"n_arms": 50, "horizon": rounds, "sigma0_sq": 0.04}
    exact = Bound("B_1", 50, rounds, sp.Rational(1, 25), sp.Rational(1, 4), 1).value
    agree(code.bound(reucb.bounds.theorem1(**setting, sigma_sq=0.25, a=1.0)), exact)
    holds(code(reucb.bounds.trivial(**setting)), "<=", arb(5595))


@against_code("ours/random-play/round", "ours/random-play/few-rounds", "ours/random-play/two-arms")
def few_rounds(data: st.DataObject, code: Code) -> None:
    """Two arms, of which the larger of two normals has mean 1/sqrt(pi): rounds 3 and 4, and every later one."""
    s0, s, later = data.draw(DYADIC, "spread"), data.draw(DYADIC, "noise"), data.draw(st.integers(4, 40), "n")
    setting = {"n_arms": 2, "sigma0_sq": float(s0), "sigma_sq": float(s)}
    spread, total = exactly(s0).sqrt(), exactly(s0 + s).sqrt()
    largest = value(1 / sp.sqrt(sp.pi))
    gain = exactly(s0) / total * largest
    agree(code(reucb.bounds.few_rounds(horizon=3, **setting), 1e-8), 3 * spread * largest - gain, narrow=1e-6)
    slack = exactly(1 + Fraction(1, 10**9))  # by which the code is above, for its quadrature
    agree(code(reucb.bounds.few_rounds(horizon=later, **setting), 1e-12), slack * later * spread * largest)
    play = reucb.bounds.trivial(n_arms=5, horizon=8, sigma0_sq=float(s0))
    below = reucb.bounds.few_rounds(n_arms=5, horizon=8, sigma0_sq=float(s0), sigma_sq=float(s))
    holds(code(below, 1e-8), "<=", arb(play, play * 1e-8))
