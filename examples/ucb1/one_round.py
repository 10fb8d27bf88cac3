"""How likely an arm is pulled again in one round."""

import sympy as sp
from ucb1_play import ARM, COUNT, EXTRA, PAPER, PLAY, ROUND, SEEN, A, B, M, S, again, ell, i, k, s, t, w, wrong
from ucb1_rule import BEST_COUNT, CHOICE, OWN_COUNT

from theory.kernel.argument import Proof, proof
from theory.kernel.claim import claim
from theory.kernel.goal import Rel, real
from theory.kernel.rules import Among, Expectation, SumOver, applied, chain, follows, uses
from theory.kernel.terms import Mean


@claim("ucb1/some-pair", **PAPER, kind="inequality")
def some_pair() -> Proof:
    """The counts S of the best arm and ell + M of arm i among t pulls are among 1, ..., t and ell, ..., ell + t - 1: a
    wrong choice is wrong for some pair of counts that are fixed in advance."""
    domain = {i: COUNT, ell: COUNT, w: real(), t: ROUND, S: COUNT, M: EXTRA}
    first = Among(wrong(s, ell + M), s, S, sp.Integer(1), t, domain, name="the best arm's count")
    second = Among(wrong(s, ell + k), k, M, sp.Integer(0), t - 1, {**domain, s: COUNT}, name="arm i's count")
    room = (Rel(M, ">=", 0), Rel(M, "<=", t - 1))
    summed = SumOver(second, s, sp.Integer(1), t, domain, given=room, name="over the best arm's counts")
    return proof(chain(first, summed, name="both counts"))


@claim("ucb1/one-round", **PAPER, kind="inequality")
def one_round() -> Proof:
    """Arm i is pulled in round t + 1 after ell pulls or more with probability at most 2/t^2: there are t times t pairs
    of counts, and UCB1 pulls the arm only if its index is no smaller than that of the best arm."""
    pairs = sp.Sum(sp.Sum(wrong(s, ell + k), (k, 0, t - 1)), (s, 1, t))
    domain = {**ARM, **PLAY, t: ROUND}
    counts = {S: A(t, i, w), M: B(t, i, w)}
    pair = applied(uses("ucb1/some-pair"), counts, BEST_COUNT, OWN_COUNT, domain=domain, name="some pair")
    chosen = follows(Rel(again(t + 1), "<=", pairs), pair, CHOICE, domain=domain, name="pulled again")
    fixed = {**ARM, s: COUNT, t: ROUND}
    over_k = SumOver(uses("ucb1/one-pair"), k, sp.Integer(0), t - 1, fixed, given=SEEN, name="over k")
    over_s = SumOver(over_k, s, sp.Integer(1), t, {**ARM, t: ROUND}, given=SEEN, name="over s")
    chance = Rel(Mean(again(t + 1), w), "<=", 2 / t**2)
    parts = Expectation(chosen, (w,)), over_s
    return proof(follows(chance, *parts, domain=domain, given=SEEN, name="one round"))
