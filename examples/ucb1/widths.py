"""Confidence intervals: when the gap is seen, and what a wrong choice implies."""

from ucb1_play import COUNT, PAPER, D, L, best, log_t, narrow, r, wide, x, y

from theory.kernel.argument import Proof, Refutation, proof, refuted
from theory.kernel.claim import claim
from theory.kernel.goal import Goal, Rel, positive, real
from theory.kernel.rules import Union


@claim("ucb1/wide-enough", **PAPER, kind="inequality")
def wide_enough() -> Proof:
    """From 8 log(n)/D^2 pulls on, twice the width is at most the gap; l = log t <= log n = L."""
    domain = {wide: positive(), D: positive(), r: COUNT, log_t: positive(), L: positive()}
    given = (Rel(wide**2, "=", 2 * log_t / r), Rel(log_t, "<=", L), Rel(r, ">=", 8 * L / D**2))
    return proof(Goal(Rel(2 * wide, "<=", D), domain, given, "the gap is seen"))


@claim("ucb1/wide-enough/half", kind="inequality", where="a false statement, for the example")
def half_is_enough() -> Refutation:
    """Half as many pulls, 4 log(n)/D^2, do not suffice."""
    domain = {wide: positive(), D: positive(), r: COUNT, L: positive()}
    given = (Rel(wide**2, "=", 2 * L / r), Rel(r, ">=", 4 * L / D**2))
    return refuted(Goal(Rel(2 * wide, "<=", D), domain, given, "the gap is seen"))


@claim("ucb1/wrong-choice", **PAPER, kind="inequality")
def wrong_choice() -> Proof:
    """If both confidence intervals hold and twice the width is at most the gap, the best arm has the larger index. So a
    wrong choice is covered by the failures of the two intervals."""
    domain = {x: real(), y: real(), best: real(), wide: positive(), narrow: positive(), D: positive()}
    low, high = Rel(x, ">", best - narrow), Rel(y, "<", best - D + wide)
    right = Goal(Rel(x + narrow, ">", y + wide), domain, (low, high, Rel(2 * wide, "<=", D)), "the right choice")
    return proof(Union(right, (low, high), "a wrong choice"))
