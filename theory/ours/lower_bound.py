"""The lower bound for every algorithm (`reucb.bounds.lower`): regret arm by arm, and a relaxed stopping problem.

N_k is the number of pulls of arm k in n rounds, x_k = Y_k - mu_k with Y_k the best of the other means, and D_k is the
lead of Y_k over the second best of them. h is any function with 0 <= h(x) <= x.
"""

import sympy as sp

from theory.kernel.argument import Argument, proof, step
from theory.kernel.claim import claim
from theory.kernel.goal import Goal, Rel, at_least, real
from theory.kernel.rules import (
    Exchange,
    Expectation,
    Follows,
    Picked,
    SumOver,
    applied,
    equals,
    follows,
    specialised,
    uses,
)
from theory.kernel.rules.compose import conclusion
from theory.kernel.terms import Mean
from theory.model import stopping as stop
from theory.model.play import K, N, k, t
from theory.model.stopping import AN_ARM, ARM, POLICY, WORDS, o, w, z
from theory.ours.classical import processes
from theory.ours.two_best_arms import owed, rest

ONE = sp.Integer(1)
x = sp.Symbol("x")
GAP, PULLS, KEPT, STAR = (f(k, w, z) for f in (stop.gap, stop.pulls, stop.kept, stop.star))


@claim("ours/lower/one-arm", by="us", kind="identity")
def one_arm() -> Argument:
    """A round has the price h(mu_* - max of the other means). Of the gap of an arm that is not the best, what the price
    leaves stays with the arm; the price itself is charged to the best arm."""
    x, y, n = sp.symbols("x y n")
    parts, arm = rest(), (AN_ARM,)
    left, right = conclusion(parts).rel.stated
    times = Goal(Rel(x * n, "=", y * n), dict.fromkeys((x, y, n), real()), (Rel(x, "=", y),), "times")
    both = applied(times, {x: left, y: right, n: PULLS}, parts, domain=ARM, given=arm, name="both parts, times N_k")
    total = Rel(GAP * PULLS, "=", KEPT * PULLS + (1 - STAR) * stop.margin * PULLS)
    return proof(follows(total, both, domain=ARM, given=arm, name="cost of one arm"), letters=WORDS)


def one_best() -> Follows:
    """One arm is the best."""
    arms = SumOver(stop.STAR, k, ONE, K, POLICY, name="all arms")
    picked = Picked(ONE, k, stop.BEST, ONE, K, POLICY, name="one of K arms")
    parts = stop.BEST_IS_AN_ARM, arms, picked
    return follows(Rel(sp.Sum(STAR, (k, 1, K)), "=", 1), *parts, domain=POLICY, name="one arm is the best")


def all_rounds() -> Follows:
    """Every round pulls one arm."""
    arms, pulled = SumOver(stop.PULLS, k, ONE, K, POLICY, name="all arms"), stop.chosen(t, w, z)
    order = Exchange(equals(pulled, k), (t, ONE, N), (k, ONE, K), POLICY, "rounds first")
    rounds = {**POLICY, t: stop.WHOLE}
    picked = Picked(ONE, k, pulled, ONE, K, rounds, name="one of K arms")
    each = applied(picked, {}, stop.PULLED_IS_AN_ARM, domain=rounds, name="one arm is pulled")
    every = SumOver(each, t, ONE, N, POLICY, name="every round")
    total = Rel(sp.Sum(PULLS, (k, 1, K)), "=", N)
    return follows(total, arms, order, every, domain=POLICY, name="every round pulls one arm")


@claim("ours/lower/all-arms", by="us", kind="inequality")
def all_arms() -> Argument:
    """Summed over the arms: the pulls of all arms but the best add up to n - N_*, and the price of each is charged to
    the best arm."""
    arms = SumOver(uses("ours/lower/one-arm"), k, ONE, K, POLICY, name="all arms")
    x, y, n = sp.symbols("x y n")
    times = Goal(Rel(x * n, "=", y * n), dict.fromkeys((x, y, n), real()), (Rel(x, "=", y),), "times")
    charge, arm = owed(), (AN_ARM,)
    left, right = conclusion(charge).rel.stated
    at = {x: left, y: right, n: N - PULLS}
    best = applied(times, at, charge, domain=ARM, given=arm, name="what an arm owes, times n - N_k")
    charged = SumOver(best, k, ONE, K, POLICY, name="what the best arm owes")
    totals = []
    for known, factor in ((all_rounds(), stop.margin), (one_best(), N * stop.margin)):
        rel = known.rel
        at = {x: rel.stated[0], y: rel.stated[1], n: factor}
        totals.append(applied(times, at, known, domain=POLICY, name="times the price"))
    lost = sp.Sum(GAP * PULLS, (k, 1, K))
    cost = sp.Sum(stop.cost(k), (k, 1, K))
    found = follows(Rel(lost, "=", cost), arms, charged, *totals, domain=POLICY, name="arm by arm")
    return proof(found, letters=WORDS)


@claim("ours/lower/blocks", by="us", kind="inequality")
def blocks() -> Argument:
    """Revealing a block of b rewards before the decision can only reduce the optimal cost, and stopping inside it at r
    costs r G + (m - r) H, linear in r: one of the two ends costs no more. So blocks still give a lower bound."""
    r, m, b, G, H = sp.symbols("r m b G H")
    free = {r: at_least(0), m: at_least(0), b: at_least(0), G: at_least(0), H: at_least(0)}
    inside = (Rel(r, "<=", b),)
    cost = r * G + (m - r) * H
    return proof(
        Goal(Rel(cost, ">=", m * H), free, (*inside, Rel(G, ">=", H)), "G >= H: stop at once"),
        Goal(Rel(cost, ">=", b * G + (m - b) * H), free, (*inside, Rel(G, "<=", H)), "G <= H: take the whole block"),
    )


@claim("ours/lower/leads", by="us", kind="inequality")
def leads() -> Argument:
    """With h(x) = min(x, h0) a pull costs (x - min(D, h0))^+, less for a larger lead D: the upper end of a cell gives a
    lower bound."""
    x, e, D = sp.symbols("x e D")
    free = {x: real(), e: at_least(0), D: at_least(0)}
    inside = (Rel(D, "<=", e),)
    return proof(
        Goal(Rel(x - D, ">=", x - e), free, inside, "x above both"),
        Goal(Rel(x - D, ">=", 0), free, (*inside, Rel(D, "<=", x), Rel(x, "<=", e)), "x between them"),
    )


@claim("ours/lower/dual", by="us", kind="inequality")
def dual() -> Argument:
    """For any martingale M with M_0 = 0 and any stopping time tau, E Z_tau = E (Z_tau - M_tau) is at least the mean of
    the smallest Z_l - M_l: a bound that needs no exact solution of the stopping problem. The increments of M are
    values W_l less their means given what was seen before."""
    process = {processes.M(x, o): stop.M_l(x, o), processes.TIME: stop.TIME}
    free = {**stop.MARTINGALE, processes.n: at_least(0, integer=True)}
    any_time = (Rel(stop.TIME, "<=", processes.n),)
    theorem = specialised(uses("ours/classical/stopping"), process, free, any_time, "this martingale")
    steps = applied(theorem, {processes.n: N}, stop.NOT_LATER, domain=stop.MARTINGALE, name="the stopped martingale")
    nothing = SumOver(stop.FAIR, stop.stage, sp.Integer(0), N - 1, stop.MARTINGALE, name="no gain in any stage")
    start = Expectation(stop.AT_ZERO, (o,))
    smallest = Expectation(stop.SMALLEST, (o,))
    found = Rel(Mean(stop.Z_l(stop.TIME, o), o), ">=", Mean(stop.DUAL, o))
    parts = smallest, steps, nothing, start
    return proof(follows(found, *parts, domain=stop.MARTINGALE, name="duality"), letters=stop.DUAL_WORDS)


@claim("ours/lower", by="us", kind="bound")
def lower() -> Argument:
    """For every policy, also one that knows mu_0. Given all other means and rewards and the policy's own
    random numbers z, whether arm k is pulled at most j times is decided by its own first j rewards: N_k is a stopping
    time, and its mean cost is at least V(Y_k, D_k). Averaged over z this holds for the policy; all arms are alike.
    `reucb.bounds.lower` bounds V from below by ours/lower/blocks, ours/lower/leads and ours/lower/dual."""
    value = stop.value(stop.top(stop.v), stop.ahead(stop.v))
    mean, arm = Mean(value, stop.v), (AN_ARM,)
    rel, law = Rel(mean, "<=", Mean(stop.cost(k), w, z)), stop.same_law(value)
    alike = follows(rel, stop.least_cost(stop.NOT_AHEAD), law, domain=ARM, given=arm, name="alike")
    each = SumOver(alike, k, ONE, K, POLICY, name="all arms")
    paths = Expectation(uses("ours/lower/all-arms"), (w, z))
    regret = sp.Sum(Mean(GAP * PULLS, w, z), (k, 1, K))
    bound = Rel(regret, ">=", K * mean)
    total = follows(bound, paths, each, domain=POLICY, name="regret of a policy")
    return proof(step(stop.NOT_AHEAD), total, letters=WORDS)
