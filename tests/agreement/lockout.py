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


def estimates(counts: list[int], averages: list[Fraction]) -> tuple[Fraction, list[Fraction], list[Fraction]]:
    """Common mean, estimates and squared widths at sigma = 1."""
    weights = [c / (c + RHO) for c in counts]
    total = sum(weights)
    common = sum((w * r for w, r in zip(weights, averages, strict=True)), Fraction(0)) / total
    shrunk = [w * r + (1 - w) * common for w, r in zip(weights, averages, strict=True)]
    return common, shrunk, [(1 - w) / RHO * (1 + (1 - w) / total) for w in weights]


@against_code("them-R-Bayes-SubR/lock-out/averages")
def common_mean_and_widths(data: st.DataObject, code: Code) -> None:
    """The common mean is between the average of H and the largest; the widths by weights."""
    counts = data.draw(st.lists(st.integers(1, 40), min_size=2, max_size=4), "counts")
    averages = [Fraction(0), *(data.draw(EIGHTHS, "average") for _ in counts[1:])]
    fit = reucb.blup(counts, [float(r) for r in averages], sigma0_sq=float(1 / RHO), sigma_sq=1.0)
    common, _, widths = estimates(counts, averages)
    agree(code(fit.mu0), common)
    holds(code(fit.mu0), "<=", exactly(max(averages)))
    holds(code(fit.mu0), ">=", exactly(averages[0]))
    for computed, width in zip(fit.mse, widths, strict=True):
        agree(code(computed), width)


@against_code("them-R-Bayes-SubR/lock-out/index")
def indices_of_a_locked_arm(data: st.DataObject, code: Code) -> None:
    """Six rewards D - 1 of arm 0 and some rewards 0 of arm 1: the index of arm 1 is above."""
    agent, others = agent_of_two(), data.draw(st.integers(1, 60), "others")
    for arm in [0] * BAD + [1] * others:
        agent.update(arm, 0.0 if arm else -float(DEPTH))
    log = arb(BAD + others + 1).log()
    _, shrunk, widths = estimates([BAD, others], [-DEPTH, Fraction(0)])
    low, high = (code(x, RUNNING) for x in agent.indices())
    for computed, estimate, width in zip((low, high), shrunk, widths, strict=True):
        agree(computed, exactly(estimate) + (exactly(A * width) * log).sqrt())
    holds(high, ">", low)


@against_code("them-R-Bayes-SubR/lock-out", "them-R-Bayes-SubR/lock-out/cost", "them-R-Bayes-SubR/lock-out/regret")
def an_agent_that_locks_the_best_arm_out(data: st.DataObject, code: Code) -> None:
    """After six noises -1 only +1 would follow; it is left alone, and every other round costs D."""
    agent, rounds = agent_of_two(), data.draw(st.integers(30, 60), "rounds")
    chosen = []
    for _ in range(rounds):
        chosen.append(agent.select())
        agent.update(chosen[-1], 0.0 if chosen[-1] else float(ADVANTAGE) + (-1.0 if agent.counts[0] < BAD else 1.0))
    agree(code(agent.counts[0]), chosen.count(0))
    holds(code(agent.counts[0]), "<=", arb(BAD))
    holds(exactly(ADVANTAGE) * code(agent.counts[1]), ">=", exactly(ADVANTAGE * (rounds - BAD)))


@against_code("them-R-Bayes-SubR/lock-out/rate")
def weight_of_the_locked_arm(data: st.DataObject, code: Code) -> None:
    q, j, rho = data.draw(st.integers(2, 40), "q"), data.draw(st.integers(1, 40), "j"), data.draw(DYADIC, "rho")
    fit = reucb.blup([2 * q * j], [0.0], sigma0_sq=1.0, sigma_sq=float(min(rho, Fraction(2))))
    weight = code(fit.weights[0])
    agree(weight, 2 * q * j / (2 * q * j + min(rho, Fraction(2))))
    holds(weight, ">=", exactly(1 - Fraction(1, q)))


@against_code("them-R-Bayes-SubR/lock-out/rate/printed")
def printed_bound_by_logarithms(data: st.DataObject, code: Code) -> None:
    """The printed bound of part (1), and the same with log n + log(1 + 1/rho) for log(1 + n/rho)."""
    at = settings(data)
    arms, rounds, spread, noise, a = exact(at)
    terms = at.terms(code, "theorem2")
    agree(terms["leading"], value(stated.theorem2(arms, rounds, spread, noise, a, 1)[0]))
    ratio = 1 + arb(at.rounds).log() / (1 + exactly(at.spread / at.noise)).log()
    root = (exactly(a * spread * arms * rounds) * arb(at.rounds).log() * ratio).sqrt()
    holds(terms["leading"], "<=", 2 * value(stated.learning_price(arms, spread, noise)) * root)


@against_code(
    "them-R-Bayes-SubR/long-horizons/repaired",
    "them-R-Bayes-SubR/long-horizons/above-one",
    "them-R-Bayes-SubR/long-horizons/above-one/failures",
    "sec:extensions/same-order/regret/repaired",
)
def orders_in_n(data: st.DataObject, code: Code) -> None:
    at = settings(data)
    arms, rounds, spread, noise, a = exact(at)
    found = {name: code.bound(term) for name, term in bounds.theorem2_repaired_terms(**at.keywords).items()}
    leading, root, pieces = at.terms(code)["leading"], arb(at.rounds).sqrt(), value(stated.pieces(rounds, a))
    tail = 4 * at.arms * pieces * ((1 + 1 / exactly(at.spread)) / 2).exp() * root
    agree(found["total"], value(stated.theorem2_repaired(arms, rounds, spread, noise, a)))
    holds(found["total"], "<=", at.arms + leading + tail)
    b = min(at.a, Fraction(3, 2))  # above-one: n^(1-b/2)/(1-b/2) for sqrt(n), and beta for its root
    power = (exactly(1 - b / 2) * arb(at.rounds).log()).exp() / exactly(1 - b / 2)
    holds(found["total"], "<=", at.arms + leading + tail / (2 * root) * power)
    holds(leading, "<=", at.terms(code, "theorem2")["leading"])
    factor = pieces * ((1 + 1 / exactly(at.spread)) / 2).exp() / value(stated.tail_unit(sp.Integer(1), spread, noise))
    printed = at.terms(code)["tail"]  # sec:extensions/same-order/regret/repaired: against T_1
    holds(found["total"], "<=", leading + 5 * (1 + exactly(at.noise / at.spread)) * factor * printed / 2)
    holds(tail, ">=", 2 * factor * printed)
