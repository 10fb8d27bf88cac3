"""How likely a confidence interval fails."""

import sympy as sp
from ucb1_play import ARM, COUNT, PAPER, ROUND, X, Y, averages, best, c, gap, i, q, r, s, t, w, width
from ucb1_rewards import P, R, rewards

from theory.kernel.argument import Proof, proof
from theory.kernel.claim import claim
from theory.kernel.classical import HOEFFDING
from theory.kernel.goal import Goal, Rel, positive
from theory.kernel.rules import cited, instance
from theory.kernel.terms import Event, Mean


@claim("ucb1/tails", **PAPER, kind="inequality")
def tails() -> Proof:
    """Hoeffding's inequality at the width of round t: exp(-2 s (2 log(t)/s)) = t^(-4)."""
    domain = {**ARM, s: COUNT, r: COUNT, t: ROUND}
    arms = (
        ("best arm", X(s, w), best, s, False, P(q, w)),
        ("arm i", Y(r, i, w), best - gap, r, True, R(q, i, w)),
    )
    found = []
    for law, (name, average, mean, count, above, one) in zip(averages(), arms, strict=True):
        failure = Event(average - (mean + c) if above else mean - c - average, 0)
        tail = Goal(Rel(Mean(failure, w), "<=", sp.exp(-2 * count * c**2)), {**domain, c: positive()}, name=name)
        at = {"average": average, "mean": mean, "count": count, "deviation": c, "outcome": w, "above": above}
        at |= {"value": one, "index": q}
        known = cited(HOEFFDING, hypotheses=(law, *rewards(average, count, one)), gives=tail, name=name, at=at)
        found.append(instance(known, {c: width(count)}, domain, name=name))
    return proof(*found)
