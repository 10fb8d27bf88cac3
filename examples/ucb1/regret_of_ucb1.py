"""The regret of UCB1: Auer, Cesa-Bianchi and Fischer (2002), Finite-time analysis of the multiarmed bandit problem,
Machine Learning 47, Theorem 1, step by step. Hoeffding's inequality is the only result that is cited.

The best arm has mean `best`, arm i mean best - D(i), i = 1, ..., K - 1; rewards lie in [0, 1]. UCB1 pulls every arm
once and then the arm whose sample mean plus sqrt(2 log(t)/s) is largest, s being its number of pulls. Everything random
is a function of the outcome w: X(s, w) is the mean of the best arm's first s rewards, Y(r, i, w) that of arm i's first
r rewards, u(t, i, w) is 1 if arm i is pulled in round t and 0 otherwise.

    python -m theory --claims examples/ucb1
"""

import sympy as sp

from theory.kernel.argument import Proof, Refutation, proof, refuted
from theory.kernel.claim import claim
from theory.kernel.classical import HOEFFDING
from theory.kernel.goal import Goal, Rel, Var, at_least, positive, real
from theory.kernel.rules import (
    Among,
    Expectation,
    Indicates,
    Induction,
    SplitSum,
    SumOver,
    Telescoping,
    Union,
    chain,
    cited,
    event,
    follows,
    instance,
    uses,
)
from theory.kernel.terms import Event, Mean

WHERE = "Theorem 1"
K, N, t, s, r, i, j, q, w, k, S, M = sp.symbols("K N t s r i j q w k S M")
D, L, log_t, best, x, y, wide, narrow, c = sp.symbols("D L l best x y wide narrow c")
X, Y, u, A, B = map(sp.Function, ("X", "Y", "u", "A", "B"))
gap, ell = sp.Function("D")(i), sp.Function("ell")(i)  # of arm i; ell is 8 log(n)/D^2, rounded up
COUNT, EXTRA, ROUND = at_least(1, integer=True), at_least(0, integer=True), at_least(2, integer=True)
UNIT = Var(sp.Integer(0), integer=True, high=sp.Integer(1))
ARM = {i: COUNT, gap: positive(), ell: COUNT, best: real(), L: positive(), w: real()}
PLAY = {
    u(t, i, w): UNIT,
    A(t, i, w): COUNT,
    B(t, i, w): EXTRA,
}  # the counts in round t: A of the best arm, ell + B of i


def width(count: sp.Expr) -> sp.Expr:
    """The half-width of the confidence interval in round t."""
    return sp.sqrt(2 * sp.log(t) / count)


def wrong(count: sp.Expr, own: sp.Expr) -> sp.Expr:
    """In round t arm i, after `own` pulls, has no smaller index than the best arm after `count` pulls."""
    return event(Rel(Y(own, i, w) + width(own), ">=", X(count, w) + width(count)))


def again(round_: sp.Expr) -> sp.Expr:
    """Arm i is pulled in this round and had ell pulls or more before."""
    return u(round_, i, w) * Event(sp.Sum(u(q, i, w), (q, 1, round_ - 1)) - ell, 0)


SEEN = (Rel(sp.log(t), "<=", L), Rel(ell, ">=", 8 * L / gap**2))
RULE = (  # UCB1's choice in round t
    Rel(A(t, i, w), "<=", t),
    Rel(B(t, i, w), "<=", t - 1),
    Rel(again(t), "<=", wrong(A(t, i, w), ell + B(t, i, w))),
)


@claim("ucb1/decomposition", kind="identity", where=WHERE)
def decomposition() -> Proof:
    """The regret N best - sum of (best - D_i) T_i over all arms is the sum of D_i T_i, as the pulls T_i add up to N."""
    T = sp.Function("T")(i)
    total, earned, lost = (sp.Sum(f, (i, 1, K)) for f in (T, (best - gap) * T, gap * T))
    domain = {K: COUNT, N: COUNT, best: real()}
    return proof(Goal(Rel(N * best - earned, "=", lost), domain, (Rel(total, "=", N),), "regret"))


@claim("ucb1/wide-enough", kind="inequality", where=WHERE)
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


@claim("ucb1/wrong-choice", kind="inequality", where=WHERE)
def wrong_choice() -> Proof:
    """If both confidence intervals hold and twice the width is at most the gap, the best arm has the larger index. So a
    wrong choice is covered by the failures of the two intervals."""
    domain = {x: real(), y: real(), best: real(), wide: positive(), narrow: positive(), D: positive()}
    low, high = Rel(x, ">", best - narrow), Rel(y, "<", best - D + wide)
    right = Goal(Rel(x + narrow, ">", y + wide), domain, (low, high, Rel(2 * wide, "<=", D)), "the right choice")
    return proof(Union(right, (low, high), "a wrong choice"))


@claim("ucb1/tails", kind="inequality", where=WHERE)
def tails() -> Proof:
    """Hoeffding's inequality at the width of round t: exp(-2 s (2 log(t)/s)) = t^(-4)."""
    domain = {**ARM, s: COUNT, r: COUNT, t: ROUND}
    below, above = Event(best - c - X(s, w), 0), Event(Y(r, i, w) - (best - gap + c), 0)
    found = []
    for name, failure, count in (("best arm", below, s), ("arm i", above, r)):
        tail = Goal(Rel(Mean(failure, w), "<=", sp.exp(-2 * count * c**2)), {**domain, c: positive()}, name=name)
        found.append(instance(cited(HOEFFDING, gives=tail, name=name), {c: width(count)}, domain, name=name))
    return proof(*found)


@claim("ucb1/one-pair", kind="inequality", where=WHERE)
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


@claim("ucb1/some-pair", kind="inequality", where=WHERE)
def some_pair() -> Proof:
    """The counts S of the best arm and ell + M of arm i in round t are among 1, ..., t and ell, ..., ell + t - 1: a
    wrong choice is wrong for some pair of counts that are fixed in advance."""
    domain = {i: COUNT, ell: COUNT, w: real(), t: ROUND, S: COUNT, M: EXTRA}
    first = Among(wrong(s, ell + M), s, S, sp.Integer(1), t, domain, name="the best arm's count")
    second = Among(wrong(s, ell + k), k, M, sp.Integer(0), t - 1, {**domain, s: COUNT}, name="arm i's count")
    room = (Rel(M, ">=", 0), Rel(M, "<=", t - 1))
    summed = SumOver(second, s, sp.Integer(1), t, domain, given=room, name="over the best arm's counts")
    return proof(chain(first, summed, name="both counts"))


@claim("ucb1/one-round", kind="inequality", where=WHERE)
def one_round() -> Proof:
    """Arm i is pulled in round t after ell pulls or more with probability at most 2/t^2: there are t times t pairs of
    counts, and UCB1 pulls the arm only if its index is no smaller than that of the best arm."""
    pairs = sp.Sum(sp.Sum(wrong(s, ell + k), (k, 0, t - 1)), (s, 1, t))
    domain = {**ARM, **PLAY, t: ROUND}
    pair = instance(uses("ucb1/some-pair"), {S: A(t, i, w), M: B(t, i, w)}, domain, RULE[:2], "some pair")
    chosen = follows(Rel(again(t), "<=", pairs), pair, domain=domain, given=RULE, name="pulled again")
    fixed = {**ARM, s: COUNT, t: ROUND}
    over_k = SumOver(uses("ucb1/one-pair"), k, sp.Integer(0), t - 1, fixed, given=SEEN, name="over k")
    over_s = SumOver(over_k, s, sp.Integer(1), t, {**ARM, t: ROUND}, given=SEEN, name="over s")
    chance = Rel(Mean(again(t), w), "<=", 2 / t**2)
    parts = Expectation(chosen, (w,)), over_s
    return proof(follows(chance, *parts, domain=domain, given=(*RULE, *SEEN), name="one round"))


@claim("ucb1/rounds", kind="inequality", where=WHERE)
def rounds() -> Proof:
    """2/t^2 adds up to at most 1 from round 3 on: it telescopes against 2/(t-1) - 2/t."""
    term = Goal(Rel(2 / t**2, "<=", 2 / (t - 1) - 2 / t), {t: at_least(3)}, name="one round")
    total = Telescoping(term, -2 / (t - 1), t, sp.Integer(3), N, {N: ROUND}, name="all rounds")
    return proof(follows(Rel(sp.Sum(2 / t**2, (t, 3, N)), "<=", 1), total, name="at most 1"))


@claim("ucb1/count", kind="inequality", where=WHERE)
def count() -> Proof:
    """A pull of an arm after its first ell pulls is made when it has ell pulls already; induction over the rounds."""
    T, more = (sp.Sum(f, (t, 1, N)) for f in (u(t, i, w), again(t)))
    domain = {i: COUNT, ell: COUNT, w: real(), u(t, i, w): UNIT}
    a, b = sp.symbols("a b")
    product = Goal(Rel(0, "<=", a * b), {a: at_least(0), b: at_least(0)}, name="no negative terms")
    grown, factors = {**domain, N: EXTRA}, dict(zip((a, b), again(t).args, strict=True))
    if isinstance(factors[a], Event):
        factors = {a: factors[b], b: factors[a]}
    positive_terms = SumOver(product, t, sp.Integer(1), N, grown, family=factors, name="no negative terms")
    before = Indicates(T - ell, grown, integer=True, name="fewer than ell pulls")
    lemmas = positive_terms, before
    return proof(Induction(Rel(T, "<=", ell + more), N, sp.Integer(0), domain, name="pulls", lemmas=lemmas))


@claim("ucb1/pulls", kind="bound", where=WHERE)
def expected_pulls() -> Proof:
    """The pulls of arm i are the first ell <= 8 log(n)/D^2 + 1 and the later ones (ucb1/count), each of which has the
    probability in ucb1/one-round. In the first two rounds no arm is pulled again."""
    T = sp.Sum(u(t, i, w), (t, 1, N))
    domain = {**ARM, **PLAY, N: ROUND}
    each = tuple(h.for_every(t, 3, N) for h in (*RULE, SEEN[0]))
    once = (Rel(again(sp.Integer(1)), "<=", 0), Rel(again(sp.Integer(2)), "<=", 0))
    given = (*each, SEEN[1], Rel(ell, "<=", 8 * L / gap**2 + 1), *once)
    split = SplitSum(again(t), t, sp.Integer(1), sp.Integer(2), N, {**domain, N: ROUND}, name="the first two rounds")
    counted = follows(
        Rel(T, "<=", ell + sp.Sum(again(t), (t, 3, N))),
        uses("ucb1/count"),
        split,
        domain=domain,
        given=once,
        name="counted",
    )
    chances = SumOver(uses("ucb1/one-round"), t, sp.Integer(3), N, domain, given=(*each, SEEN[1]), name="chances")
    parts = Expectation(counted, (w,)), chances, uses("ucb1/rounds")
    few = follows(Rel(Mean(T, w), "<=", ell + 1), *parts, domain=domain, given=given, name="few pulls")
    cost = Rel(gap * Mean(T, w), "<=", 8 * L / gap + 2 * gap)
    return proof(follows(cost, few, domain=domain, given=given, name="what one arm costs"))


@claim("ucb1", kind="bound", where=WHERE)
def theorem() -> Proof:
    """The costs of the arms, summed; pi^2/3 is more than 1."""
    one = uses("ucb1/pulls")
    domain = {**{z: v for z, v in {**ARM, **PLAY}.items() if z != i}, N: ROUND, K: ROUND}
    given = tuple(h.for_every(i, 1, K - 1) if any(side.has(i) for side in h.stated) else h for h in one.concludes.given)
    total = SumOver(one, i, sp.Integer(1), K - 1, domain, given=given, name="all arms")
    gaps = SumOver(
        Goal(Rel(D, ">=", 0), {D: positive()}, name="a gap"),
        i,
        sp.Integer(1),
        K - 1,
        domain,
        family={D: gap},
        name="gaps",
    )
    T = sp.Sum(u(t, i, w), (t, 1, N))
    regret, harmonic, spread = (sp.Sum(f, (i, 1, K - 1)) for f in (gap * Mean(T, w), 1 / gap, gap))
    bound = Rel(regret, "<=", 8 * L * harmonic + (1 + sp.pi**2 / 3) * spread)
    return proof(follows(bound, total, gaps, domain=domain, given=given, name="Theorem 1"))
