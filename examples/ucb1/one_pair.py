"""How likely a wrong choice is at counts that are fixed in advance."""

import sympy as sp
from ucb1_play import (
    ARM,
    COUNT,
    EXTRA,
    PAPER,
    ROUND,
    SEEN,
    D,
    X,
    Y,
    ell,
    gap,
    i,
    k,
    log_t,
    narrow,
    r,
    s,
    t,
    w,
    wide,
    width,
    wrong,
    x,
    y,
)

from theory.kernel.argument import Proof, proof
from theory.kernel.claim import claim
from theory.kernel.goal import Rel
from theory.kernel.rules import Expectation, follows, instance, uses
from theory.kernel.terms import Mean


@claim("ucb1/one-pair", **PAPER, kind="inequality")
def one_pair() -> Proof:
    """For counts s and ell + k that are fixed in advance, arm i has the larger index in round t with probability at
    most 2 t^(-4)."""
    late = ell + k
    domain = {**ARM, s: COUNT, k: EXTRA, t: ROUND}
    at = {wide: width(late), r: late, log_t: sp.log(t), D: gap}
    seen = instance(uses("ucb1/wide-enough"), at, domain, SEEN, "the gap is seen")
    at = {x: X(s, w), y: Y(late, i, w), wide: width(late), narrow: width(s), D: gap}
    choice = instance(uses("ucb1/wrong-choice"), at, domain, (*SEEN, Rel(2 * width(late), "<=", gap)), "a wrong choice")
    first = uses("ucb1/tails", item="best arm")
    second = uses("ucb1/tails", {r: late}, item="arm i", domain=domain)
    chance = Rel(Mean(wrong(s, late), w), "<=", 2 / t**4)
    parts = seen, Expectation(choice, (w,)), first, second
    return proof(follows(chance, *parts, domain=domain, given=SEEN, name="one pair of counts"))
