"""The lock-out of Appendix G against an agent that suffers it, and the orders in n against `reucb.bounds`."""

from __future__ import annotations

from fractions import Fraction

import sympy as sp
from flint import arb
from hypothesis import strategies as st

import reucb
from reucb import bounds
from tests.agreement.arms import DYADIC
from tests.agreement.registry import RUNNING, Code, against_code, agree, exactly, hold, holds, value
from tests.agreement.theorems import settings
from tests.agreement.widths import exact
from theory.model import bound_formulas as stated

EIGHTHS = st.integers(1, 16).map(lambda i: Fraction(i, 8))


@against_code("them-R-Bayes-SubR/lock-out/estimates")
def averages_below_those_of_the_others(data: st.DataObject, code: Code) -> None:
    """Arm 0 has the average 0, all others a larger one; arm L the largest."""
    spread, noise = data.draw(DYADIC, "spread"), data.draw(DYADIC, "noise")
    others = data.draw(st.lists(st.tuples(st.integers(1, 40), EIGHTHS), min_size=1, max_size=4), "others")
    counts = [data.draw(st.integers(1, 40), "count"), *(count for count, _ in others)]
    means = [Fraction(0), *(mean for _, mean in others)]
    fit = reucb.blup(counts, [float(x) for x in means], sigma0_sq=float(spread), sigma_sq=float(noise))
    top = max(range(1, len(means)), key=lambda i: means[i])
    weights = [c * spread / (c * spread + noise) for c in counts]
    rest = [i for i in range(1, len(means)) if i != top]
    named = {
        "h": weights[0],
        "g": weights[top],
        "y": means[top],
        "R": sum((weights[i] for i in rest), Fraction(0)),
        "Z": sum((weights[i] * means[i] for i in rest), Fraction(0)),
        "d": min(means[1:]),
    }
    lead = code(fit.mu[top]), -code(fit.mu[0])
    hold("them-R-Bayes-SubR/lock-out/estimates", named, left={"difference": lead, "w_L": lead})


A, RHO, BAD, ADVANTAGE = Fraction(5, 8), Fraction(1, 64), 6, Fraction(1, 8)  # sigma = 1; D = 1/8
DEPTH = 1 - ADVANTAGE


def agent_of_two() -> reucb.policies.agent.Agent:
    return reucb.ReUCB(a=float(A), sigma_sq=1.0, sigma0_sq=float(1 / RHO)).start(n_arms=2)


@against_code("them-R-Bayes-SubR/lock-out")
def indices_of_a_locked_arm(data: st.DataObject, code: Code) -> None:
    """Six rewards D - 1 of arm 0 and some rewards 0 of arm 1: the index of arm 1 is above."""
    agent, others = agent_of_two(), data.draw(st.integers(1, 60), "others")
    for arm in [0] * BAD + [1] * others:
        agent.update(arm, 0.0 if arm else -float(DEPTH))
    weights, log = [Fraction(c) / (c + RHO) for c in (BAD, others)], arb(BAD + others + 1).log()
    total = sum(weights)
    width = [(exactly(A * (1 - w) / RHO * (1 + (1 - w) / total)) * log).sqrt() for w in weights]
    named = {
        "e": DEPTH * weights[0] * (1 + (weights[1] - weights[0]) / total),
        "C": width[1],
        "c": width[0],
        "x": DEPTH * weights[0],
        "h": weights[0],
        "d": DEPTH,
        "a": A,
        "s": 1,
        "S": BAD,
        "L": log,
        "ell": log,
        "y": exactly(A / BAD) * log,
    }
    high, low = (code(x, RUNNING) for x in agent.indices()[::-1])
    hold("them-R-Bayes-SubR/lock-out", named, left={"w_L": (high, -low)})
    holds(high, ">", low)


@against_code("them-R-Bayes-SubR/lock-out/regret")
def an_agent_that_locks_the_best_arm_out(data: st.DataObject, code: Code) -> None:
    """After six noises -1 only +1 would follow; it is left alone."""
    agent, rounds = agent_of_two(), data.draw(st.integers(30, 60), "rounds")
    for _ in range(rounds):
        arm = agent.select()
        agent.update(arm, 0.0 if arm else float(ADVANTAGE) + (-1.0 if agent.counts[0] < BAD else 1.0))
    pulls = int(agent.counts[0])
    hold(
        "them-R-Bayes-SubR/lock-out/regret",
        {"P": Fraction(1, 2 ** (BAD + 1)), "N": rounds, "c": pulls, "D": ADVANTAGE, "S": BAD, "other": 0},
        {"c": code(pulls)},
        only="H is pulled",
    )


@against_code("them-R-Bayes-SubR/lock-out/rate")
def weight_of_the_locked_arm(data: st.DataObject, code: Code) -> None:
    q, j, rho = data.draw(st.integers(2, 40), "q"), data.draw(st.integers(1, 40), "j"), data.draw(DYADIC, "rho")
    fit = reucb.blup([2 * q * j], [0.0], sigma0_sq=1.0, sigma_sq=float(min(rho, Fraction(2))))
    hold(
        "them-R-Bayes-SubR/lock-out/rate",
        {"q": q, "j": j, "rh": min(rho, Fraction(2))},
        left={"w_H": code(fit.weights[0])},
        only="w_H",
    )


@against_code(
    "them-R-Bayes-SubR/long-horizons/repaired",
    "them-R-Bayes-SubR/long-horizons/above-one",
    "sec:extensions/same-order/regret/repaired",
)
def orders_in_n(data: st.DataObject, code: Code) -> None:
    at = settings(data)
    arms, rounds, spread, noise, a = exact(at)
    found = {name: code.bound(term) for name, term in bounds.theorem2_repaired_terms(**at.keywords).items()}
    leading, root, pieces = at.terms(code)["leading"], arb(at.rounds).sqrt(), value(stated.pieces(rounds, a))
    tail = 4 * at.arms * pieces * ((1 + 1 / exactly(at.spread)) / 2).exp() * root
    lead = value(stated.theorem1(arms, rounds, spread, noise, a, 1)[0]) / 2
    agree(found["total"], value(stated.theorem2_repaired(arms, rounds, spread, noise, a)))
    holds(found["total"], "<=", at.arms + leading + tail)
    saved = {"r": at.numbers["beta"].sqrt(), "X": lead / at.numbers["beta"].sqrt(), "extra": 0, "tail": 0}
    hold(
        "them-R-Bayes-SubR/long-horizons/above-one",
        saved,
        left={"part": leading},
        right={"part": at.terms(code, "theorem2")["leading"]},
    )
    factor = pieces * ((1 + 1 / exactly(at.spread)) / 2).exp() / value(stated.tail_unit(sp.Integer(1), spread, noise))
    printed = at.terms(code)["tail"]  # sec:extensions/same-order/regret/repaired: against T_1
    holds(found["total"], "<=", leading + 5 * (1 + exactly(at.noise / at.spread)) * factor * printed / 2)
    holds(tail, ">=", 2 * factor * printed)
