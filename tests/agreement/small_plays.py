"""Plays small enough for exact averages, and the bounds for few rounds, against agents and `reucb.bounds`."""

from __future__ import annotations

from fractions import Fraction

import sympy as sp
from flint import arb
from hypothesis import strategies as st

import reucb
from tests.agreement.arms import DYADIC
from tests.agreement.registry import Code, against_code, agree, exactly, holds, value
from theory.model.regret_bounds import Bound
from theory.model.small_play import outcomes

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
