"""The regret of UCB1: Auer, Cesa-Bianchi and Fischer (2002), Finite-time analysis of the multiarmed bandit problem,
Machine Learning 47, Theorem 1, step by step. Hoeffding's inequality is the only result that is cited.

    python -m theory --claims examples/ucb1
"""

import sympy as sp
from ucb1_play import ARM, PAPER, PLAY, ROUND, D, K, L, N, again, c, ell, gap, i, r, t, u, w
from ucb1_rule import ENOUGH, FIRST, LETTERS, ROUNDED

from theory.kernel.argument import Proof, proof
from theory.kernel.claim import claim
from theory.kernel.goal import Goal, Rel, at_least, positive
from theory.kernel.rules import Expectation, Monotone, SplitSum, SumOver, applied, follows, uses
from theory.kernel.terms import Mean


@claim("ucb1/pulls", **PAPER, kind="bound")
def expected_pulls() -> Proof:
    """The pulls of arm i are the first ell <= 8 log(n)/D^2 + 1 and the later ones (ucb1/count), each of which has the
    probability in ucb1/one-round. In the first two rounds no arm is pulled again."""
    T = sp.Sum(u(t, i, w), (t, 1, N))
    domain = {**ARM, **PLAY, N: ROUND}
    split = SplitSum(again(t), t, sp.Integer(1), sp.Integer(2), N, {**domain, N: ROUND}, name="the first two rounds")
    later = Rel(T, "<=", ell + sp.Sum(again(t), (t, 3, N)))
    counted = follows(later, uses("ucb1/count", {r: N}, domain=domain), split, *FIRST, domain=domain, name="counted")
    within, late_round = (Rel(t, "<=", N),), {t: at_least(3, integer=True), N: ROUND}
    earlier = Goal(Rel(t - 1, "<=", N), late_round, within, "no later round")
    logs = Monotone(earlier, sp.log(c), c, {c: positive()}, name="log(t - 1) <= log N")
    at = {L: sp.log(N), t: t - 1}  # round t is after t - 1 pulls
    late = applied(
        uses("ucb1/one-round"), at, logs, ENOUGH, domain={**domain, **late_round}, given=within, name="chance"
    )
    chances = SumOver(late, t, sp.Integer(3), N, domain, name="chances")
    parts = Expectation(counted, (w,)), chances, uses("ucb1/rounds")
    few = follows(Rel(Mean(T, w), "<=", ell + 2), *parts, domain=domain, name="few pulls")
    cost = Rel(gap * Mean(T, w), "<=", 8 * sp.log(N) / gap + 3 * gap)
    return proof(follows(cost, few, ROUNDED, domain=domain, name="what one arm costs"))


@claim("ucb1", **PAPER, kind="bound")
def theorem() -> Proof:
    """The costs of the arms, summed; pi^2/3 is more than 2."""
    one = uses("ucb1/pulls")
    domain = {**{z: v for z, v in {**ARM, **PLAY}.items() if z != i}, N: ROUND, K: ROUND}
    total = SumOver(one, i, sp.Integer(1), K - 1, domain, name="all arms")
    positive_gap = Goal(Rel(D, ">=", 0), {D: positive()}, name="a gap")
    gaps = SumOver(positive_gap, i, sp.Integer(1), K - 1, domain, family={D: gap}, name="gaps")
    T = sp.Sum(u(t, i, w), (t, 1, N))
    regret, harmonic, spread = (sp.Sum(f, (i, 1, K - 1)) for f in (gap * Mean(T, w), 1 / gap, gap))
    bound = Rel(regret, "<=", 8 * sp.log(N) * harmonic + (1 + sp.pi**2 / 3) * spread)
    return proof(follows(bound, total, gaps, domain=domain, name="Theorem 1"), letters=LETTERS)
