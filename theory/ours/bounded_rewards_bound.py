"""Bounds on the Bayes regret of ReUCB* with rewards in [0, 1] (`reucb.bounds.bounded`).

Definitions of the play and its layers: `theory.model.bounded_play`. A pull of arm k with N rewards is good for layer i
if their sum is at least d_{i,N}(X_{i,k}), what a good pull needs by ours/bounded/good-pull.
"""

import sympy as sp

from theory.kernel.argument import Argument, proof
from theory.kernel.claim import claim
from theory.kernel.goal import Goal, Letter, Rel, Var, at_least, positive, real
from theory.kernel.rules import (
    Applied,
    Cases,
    Exchange,
    Expectation,
    Follows,
    Instance,
    Monotone,
    Otherwise,
    SplitSum,
    SumOver,
    Union,
    applied,
    chain,
    follows,
    instance,
    specialised,
    uses,
)
from theory.kernel.terms import Event, Mean, linear
from theory.model.bounded_lines import ABOVE, BELOW, Line, M
from theory.model.bounded_play import (
    ALIKE,
    ARMS,
    BEST_INDEX,
    BEST_MEAN,
    COST,
    COUNTS,
    HIGHEST,
    INDEX_N,
    LAYER,
    LAYERS,
    LONG,
    NOW,
    PLAY,
    ROUNDS,
    WORDS,
    K,
    L,
    N,
    c,
    cost,
    crossed,
    drawn,
    enough,
    highest,
    i,
    index_n,
    k,
    layer_cost,
    length,
    m,
    mean,
    mu,
    muhat,
    n,
    needed,
    o,
    piece,
    rewards,
    shortfall,
    t,
    tau,
    x,
    y,
    z,
)
from theory.model.counts import h, hit, j
from theory.model.functions import quantity
from theory.model.play import COUNT, LATER, a, count
from theory.model.play import N as ROUNDS_OF_PLAY
from theory.ours.bounded_rewards_cells import READ as CELL_WORDS
from theory.ours.bounded_rewards_layers import COVER, WITHIN
from theory.ours.bounded_rewards_pulls import LOW, OTHER
from theory.ours.root_series import linked
from theory.ours.round_robin import mean_in_turn

xi = sp.Symbol("xi")
PULL = hit(t, k, N, o)
COUNTED = {hit(t, k, j, o): PLAY[PULL], count(k, t, o): COUNT}  # as ours/pulls names its count
SHORT = Event(needed(i, N, ABOVE.beyond, y) - rewards(k, N, o), 1)  # the rewards are below what a good pull needs
BAD = Event(z - highest(t, o), 1)


def choice() -> Applied:
    """The highest index is that of the pulled arm, at most its index with log n."""
    x, y_, u, v = sp.symbols("x y u v")
    own = Rel(PULL, ">", 0)
    rounds = Goal(NOW, {t: PLAY[t], n: PLAY[n], K: PLAY[K]}, (LATER, NOW), "a round up to n")
    above = {x: Var(sp.Integer(1), strict=True), a: positive()}
    wider = Monotone(rounds, sp.sqrt(a * sp.log(x)), x, above, name="the width rises")
    free = {**dict.fromkeys((x, y_, u, v), real()), N: at_least(0)}
    scaled = Goal(Rel(u + x * N, "<=", u + y_ * N), free, (Rel(x, "<=", y_),), "times tau")
    low, high = wider.concludes.rel.stated
    at = {x: low, y_: high, u: muhat(k, t, o), N: tau(k, t, o)}
    order = applied(scaled, at, wider, domain=PLAY, given=(LATER, NOW), name="two indices")
    lemma = Goal(Rel(x, "<=", y_), free, (Rel(x, "=", u), Rel(u, "<=", v), Rel(y_, "=", v)), "by their formulas")
    left, right = order.concludes.rel.stated
    at = {x: highest(t, o), y_: index_n(t, k, o), u: left, v: right}
    return applied(lemma, at, HIGHEST, order, INDEX_N, domain=PLAY, given=(own, LATER, NOW), name="the pulled arm")


@claim("ours/bounded/round", by="us", kind="step", cites=("ours/bounded/good-or-bad",))
def one_round() -> Argument:
    """A pull without the rewards that a good pull needs has an index with log n below the threshold, and then so have
    all arms: the round is bad."""
    own, some = Rel(PULL, ">", 0), Rel(PULL, "<=", 0)
    index = Rel(index_n(t, k, o), ">=", z)
    enough = Union(uses("ours/bounded/round/good-pull"), (index,), "not enough rewards")
    least = Goal(
        Rel(index_n(t, k, o), ">=", z),
        PLAY,
        (Rel(highest(t, o), ">=", z), Rel(highest(t, o), "<=", index_n(t, k, o))),
        "the highest index",
    )
    lower = Union(least, least.given[:1], "an index below z")
    claimed, given = Rel(PULL * SHORT, "<=", PULL * BAD), (own, LATER, NOW, OTHER)
    chosen = follows(claimed, choice(), lower, enough, domain=PLAY, given=given, name="the arm is pulled")
    other = Goal(claimed, PLAY, (some,), "the arm is not pulled")
    return proof(Cases(own, chosen, other, "a pull that is not good is made in a bad round"), letters=WORDS)


def without(*symbols: sp.Symbol) -> dict[sp.Expr, Var]:
    """The play, without the ranges of some indices."""
    return {x: var for x, var in PLAY.items() if x not in symbols}


def once() -> Instance:
    """An arm is pulled with N rewards in one round at most."""
    theorem = uses("ours/pulls/once", item="each pair at most once")
    given = (LONG, Rel(k, "<=", K))
    return instance(theorem, {ROUNDS_OF_PLAY: n, j: N}, {**without(t), **COUNTED}, given, name="each pair once")


def one_arm() -> Follows:
    """A round pulls one of the K arms with one count, so one of K - 1 of them at most."""
    given, round_ = (LATER, NOW), without(N, k)
    theorem = uses("ours/pulls/one", item="one arm at one count")
    all_ = instance(theorem, {ROUNDS_OF_PLAY: n}, {**round_, **COUNTED}, given, name="one arm at one count")
    split = SplitSum(sp.Sum(PULL, COUNTS), k, sp.Integer(1), K - 1, K, round_, name="the other arms and the best")
    chance = instance(Goal(Rel(xi, ">=", 0), {xi: at_least(0)}, name="an indicator"), {xi: PULL}, PLAY)
    counts = SumOver(chance, *COUNTS, without(N), given=given, name="over counts")
    last = SumOver(counts, k, K, K, round_, given=given, name="the best arm")
    total = Rel(sp.Sum(sp.Sum(PULL, COUNTS), ARMS), "<=", 1)
    return follows(total, all_, split, last, domain=round_, given=given, name="one arm is pulled")


PART = length(i, k, o)
GOOD_PULLS = sp.Sum(sp.Sum(PART * (1 - SHORT), COUNTS), ARMS)


@claim("ours/bounded/layer", by="us", kind="inequality")
def layer() -> Argument:
    """One layer: a pull is good or made in a bad round. Each pair of an arm and a count is pulled once at most, and one
    arm is pulled in a round; so the costs of the layer add up to at most the lengths of all pairs that would be good,
    and its whole length for every bad round."""
    term = follows(
        Rel(PULL * PART, "<=", PULL * PART * (1 - SHORT) + L * PULL * BAD),
        uses("ours/bounded/round"),
        WITHIN,
        domain=PLAY,
        given=(LATER, NOW, OTHER),
        name="one pull",
    )
    given = (LATER, NOW)
    counts = SumOver(term, *COUNTS, without(N), given=(*given, OTHER), name="over counts")
    arms = SumOver(counts, *ARMS, without(N, k), given=given, name="over arms")
    good = sp.Sum(sp.Sum(PULL * PART * (1 - SHORT), COUNTS), ARMS)
    one = follows(
        Rel(layer_cost(i, t, o), "<=", good + L * BAD),
        LAYER,
        arms,
        one_arm(),
        domain=without(N, k),
        given=given,
        name="one round",
    )
    rounds = SumOver(one, *ROUNDS, without(N, k, t), given=(LONG,), name="over rounds")
    total = Rel(sp.Sum(layer_cost(i, t, o), ROUNDS), "<=", GOOD_PULLS + L * sp.Sum(BAD, ROUNDS))
    return proof(
        follows(total, rounds, all_pairs(), domain=without(N, k, t), given=(LONG,), name="one layer"), letters=WORDS
    )


def all_pairs() -> Follows:
    """Good pulls of all rounds, arm by arm and count by count."""
    made, given = PULL * PART * (1 - SHORT), (LONG, Rel(k, "<=", K))
    pair = follows(
        Rel(PART * (1 - SHORT) * sp.Sum(PULL, ROUNDS), "<=", PART * (1 - SHORT)),
        once(),
        domain=without(t),
        given=given,
        name="one pair",
    )
    counts = SumOver(pair, *COUNTS, without(t, N), given=given, name="pairs over counts")
    swapped = Exchange(made, ROUNDS, COUNTS, without(t, N), "rounds and counts")
    arm = follows(
        Rel(sp.Sum(sp.Sum(made, COUNTS), ROUNDS), "<=", sp.Sum(PART * (1 - SHORT), COUNTS)),
        swapped,
        counts,
        domain=without(t, N),
        given=given,
        name="one arm",
    )
    arms = SumOver(arm, *ARMS, without(t, N, k), given=(LONG,), name="pairs over arms")
    again = Exchange(sp.Sum(made, COUNTS), ROUNDS, ARMS, without(t, N, k), "rounds and arms")
    total = Rel(sp.Sum(sp.Sum(sp.Sum(made, COUNTS), ARMS), ROUNDS), "<=", GOOD_PULLS)
    return follows(total, again, arms, domain=without(t, N, k), given=(LONG,), name="each pair once")


@claim("ours/bounded/layer/capped", by="us", kind="inequality")
def capped() -> Argument:
    """No round costs more in a layer than its length."""
    term = follows(Rel(PULL * PART, "<=", L * PULL), WITHIN, domain=PLAY, name="one pull")
    counts = SumOver(term, *COUNTS, without(N), given=(LONG,), name="over counts")
    arms = SumOver(counts, *ARMS, without(N, k), given=(LONG,), name="over arms")
    rel, given = Rel(layer_cost(i, t, o), "<=", L), (LATER, NOW)
    one = follows(rel, LAYER, arms, one_arm(), domain=without(N, k), given=given, name="one round")
    return proof(SumOver(one, *ROUNDS, without(N, k, t), given=(LONG,), name="all rounds"), letters=WORDS)


SHARE, CHARGE = quantity("share", r"\theta_{{{}}}")(i, y), quantity("C", "C_{{{}}}")(i, y)
ALL = {
    **{**WORDS, **CELL_WORDS},
    SHARE: Letter(SHARE, "any share, 1 to count every round in layer i"),
    CHARGE: Letter(CHARGE, "what layer i is charged with"),
}
UNIT = Var(sp.Integer(0), high=sp.Integer(1))
MESH: dict[sp.Expr, Var] = {M: at_least(1, integer=True), mean: real(), piece(i, mean, y): at_least(0)}
CELLS = (c, sp.Integer(1), M)


def by_cells(line: Line, values: sp.Expr, rest: sp.Expr) -> sp.Expr:
    """The mean of values(x) where x has the law of X by cells at their upper ends; `rest` beyond the last level."""
    mass = line.tail(c - 1) - line.tail(c)
    return sp.Sum(mass * values.xreplace({x: line.level(c)}), CELLS) + line.tail(M) * rest


LENGTH = Mean(piece(i, mean, y), mean)
REACHING = by_cells(ABOVE, Mean(piece(i, mean, y) * enough(i, N, mean, x, y), mean), LENGTH)
CROSSING = by_cells(BELOW, crossed(i, t, x, y), sp.S.One)


@claim("ours/bounded/bad-rounds", by="us", kind="inequality")
def bad_rounds() -> Argument:
    """In a bad round the best arm's index is below z, so its rewards are below the boundary, for the number of them
    that it has, which is one of 1, ..., t - K."""
    free, given, below = without(N, k), (LATER, NOW), Rel(highest(t, o), "<", z)
    best = follows(LOW, BEST_INDEX, domain=free, given=(below,), name="the index of the best arm")
    theorem = uses("ours/bounded/round/bad-round")
    short = applied(theorem, {}, best, domain=free, given=(*given, below), name="a shortfall")
    either = Union(short, (below,), "a shortfall")
    most = shortfall(i, t, BELOW.beyond, o)
    otherwise = [Otherwise(d, free, "it is or it is not") for d in (highest(t, o) - z, -most)]
    rel = Rel(BAD, "<=", Event(most, 1))
    pointwise = follows(rel, either, *otherwise, domain=free, given=given, name="a shortfall in a bad round")
    law = uses("ours/bounded/other-arms", item="boundary")
    averaged = Expectation(pointwise, (o,))
    return proof(chain(averaged, law, domain={**free, **MESH}, given=given, name="bad rounds"), letters=ALL)


def expected(expr: sp.Expr) -> sp.Expr:
    """The mean over the best mean and the rest of the outcome."""
    return linear(Mean(expr, o, y))


FIRST = K * (expected(y) - expected(drawn))


def first_rounds() -> Follows:
    """The first K rounds cost K (E mu_* - E mu)."""
    free = without(N, k, i, m, t)
    round_, early = {**free, t: PLAY[t]}, (Rel(t, "<=", K),)
    turn = mean_in_turn(round_, mu)
    one = follows(Rel(cost(t, o), "=", y - mu(t, o)), COST, turn, domain=round_, given=early, name="a first round")
    costs = SumOver(one, t, sp.Integer(1), K, free, name="first rounds")
    total = Rel(sp.Sum(expected(cost(t, o)), (t, 1, K)), "=", FIRST)
    return follows(total, Expectation(costs, (o, y)), ALIKE, domain=free, name="first rounds")


CHARGED = (K - 1) * sp.Sum(REACHING, COUNTS) + L * sp.Sum(CROSSING, ROUNDS)
AVERAGED = {**without(N, k, t), **MESH, SHARE: UNIT, n: Var(sp.Integer(2), strict=True, integer=True)}  # n > K >= 2


def good_pulls() -> Follows:
    """The mean of the lengths of pulls that would be good, of one arm at one count."""
    arm = {**AVERAGED, k: PLAY[k], N: PLAY[N]}
    either = Otherwise(rewards(k, N, o) - needed(i, N, ABOVE.beyond, y), arm, "enough or not")
    enough_ = Event(rewards(k, N, o) - needed(i, N, ABOVE.beyond, y), 0)
    reached = follows(Rel(PART * (1 - SHORT), "=", PART * enough_), either, domain=arm, name="enough")
    law = uses("ours/bounded/other-arms", item="good pulls")
    rel = Rel(Mean(PART * (1 - SHORT), o), "<=", REACHING)
    return follows(rel, Expectation(reached, (o,)), law, domain=arm, given=(OTHER,), name="good pulls of an arm")


def one_layer() -> Applied:
    """The mean cost of one layer, given the best mean: the smaller of two bounds, or anything in between."""
    pulls = SumOver(good_pulls(), *COUNTS, {**AVERAGED, k: PLAY[k]}, given=(LONG, OTHER), name="counts")
    arms = SumOver(pulls, *ARMS, AVERAGED, given=(LONG,), name="good pulls")
    bad = SumOver(uses("ours/bounded/bad-rounds"), *ROUNDS, AVERAGED, given=(LONG,), name="bad rounds")
    layer_ = Expectation(uses("ours/bounded/layer"), (o,))
    cap = Expectation(uses("ours/bounded/layer/capped"), (o,))
    total = sp.Sum(Mean(layer_cost(i, t, o), o), ROUNDS)
    p, q, u, v, w = sp.symbols("p q u v w")
    numbers = dict.fromkeys((p, q, v, w, xi), real())
    parts = Rel(p, "<=", q + u * v), Rel(q, "<=", w), Rel(v, "<=", xi)
    lemma = Goal(Rel(p, "<=", w + u * xi), {**numbers, u: at_least(0)}, parts, "good pulls and bad rounds")
    at = {p: total, q: linear(Mean(GOOD_PULLS, o)), u: L, v: sp.Sum(Mean(BAD, o), ROUNDS)}
    at |= {w: (K - 1) * sp.Sum(REACHING, COUNTS), xi: sp.Sum(CROSSING, ROUNDS)}
    charged = applied(lemma, at, layer_, arms, bad, domain=AVERAGED, given=(LONG,), name="good pulls and bad rounds")
    both = Rel(p, "<=", q), Rel(p, "<=", w)
    lemma = Goal(Rel(p, "<=", u * q + (1 - u) * w), {**numbers, u: UNIT}, both, "either bound")
    at = {p: total, q: (n - K) * L, w: CHARGED, u: SHARE}
    priced = applied(lemma, at, cap, charged, domain=AVERAGED, given=(LONG,), name="either bound")
    enough_ = Goal(ENOUGH_PRICE, AVERAGED, GIVEN)
    return linked(priced, enough_, domain=AVERAGED, given=GIVEN, name="one layer")


PRICE = SHARE * (n - K) * L + (1 - SHARE) * CHARGED
ENOUGH_PRICE = Rel(PRICE, "<=", CHARGE)
GIVEN = (LONG, ENOUGH_PRICE)
EVERY = (LONG, ENOUGH_PRICE.for_every(*LAYERS))
SUMMED = {x: var for x, var in AVERAGED.items() if x != i}


def cost_of_pull() -> Follows:
    """What a round costs, as a sum over arms and counts: one pair is met, and the best arm, arm K, costs nothing."""
    given, round_, lost = (LATER, NOW), without(i, N, k), y - mu(k, o)
    theorem = uses("ours/pulls/met", item="a round pulls one arm at one count")
    counted = {**round_, **COUNTED}
    met = instance(theorem, {ROUNDS_OF_PLAY: n}, {**counted, h(k, j): real()}, given, name="one arm at one count")
    pulled = specialised(met, {h(k, j): lost}, counted, given, "the cost of the pulled arm")
    split = SplitSum(
        sp.Sum(PULL * lost, COUNTS), k, sp.Integer(1), K - 1, K, round_, name="the other arms and the best"
    )
    best, arm = (Rel(k, "=", K),), {**round_, k: PLAY[k], N: PLAY[N]}
    nothing = Goal(Rel(xi * (y - mean), "=", 0), dict.fromkeys((xi, y, mean), real()), (Rel(mean, "=", y),), "no gap")
    none = applied(nothing, {xi: PULL, mean: mu(k, o)}, BEST_MEAN, domain=arm, given=best, name="the best arm")
    counts = SumOver(none, *COUNTS, without(i, N), given=(*given, *best), name="over counts")
    last = SumOver(counts, k, K, K, round_, given=given, name="the best arm costs nothing")
    rel = Rel(cost(t, o), "=", sp.Sum(sp.Sum(PULL * lost, COUNTS), ARMS))
    return follows(rel, COST, pulled, split, last, domain=round_, given=given, name="the cost of a pull")


def in_layers() -> Follows:
    """What a round costs is at most what it costs in all layers, as these cover the means below mu_*."""
    given, one = (LATER, NOW), without(i)
    part, parts = PULL * PART, sp.Sum(PART, LAYERS)
    scaled = Goal(Rel(xi * mean, "<=", xi * y), {xi: at_least(0), mean: real(), y: real()}, (Rel(mean, "<=", y),))
    at = {xi: PULL, mean: y - mu(k, o), y: parts}
    pull = applied(scaled, at, COVER, domain=one, given=(*given, OTHER), name="one pull")
    counts = SumOver(pull, *COUNTS, without(i, N), given=(*given, OTHER), name="over counts")
    arms = SumOver(counts, *ARMS, without(i, N, k), given=given, name="over arms")
    inner = Exchange(part, LAYERS, COUNTS, without(i, N), "layers and counts")
    every = SumOver(inner, *ARMS, without(i, N, k), given=given, name="layers and counts, every arm")
    outer = Exchange(sp.Sum(part, COUNTS), LAYERS, ARMS, without(i, N, k), "layers and arms")
    layers = SumOver(LAYER, *LAYERS, without(i, N, k), given=given, name="all layers")
    rel = Rel(cost(t, o), "<=", sp.Sum(layer_cost(i, t, o), LAYERS))
    steps = cost_of_pull(), arms, every, outer, layers
    return follows(rel, *steps, domain=without(i, N, k), given=given, name="the cost of a round in layers")


def later_rounds() -> Expectation:
    """All layers, given the best mean, and then the mean over it."""
    some = without(N, k, t, i)
    rounds = Expectation(SumOver(in_layers(), *ROUNDS, some, given=(LONG,), name="costs after the first rounds"), (o,))
    swapped = Exchange(Mean(layer_cost(i, t, o), o), ROUNDS, LAYERS, some, "rounds and layers")
    layers = SumOver(one_layer(), *LAYERS, SUMMED, given=EVERY, name="all layers")
    rel = Rel(sp.Sum(Mean(cost(t, o), o), ROUNDS), "<=", sp.Sum(CHARGE, LAYERS))
    return Expectation(follows(rel, rounds, swapped, layers, domain=SUMMED, given=EVERY, name="later rounds"), (y,))


@claim("ours/bounded", by="us", kind="bound")
def theorem() -> Argument:
    """The first K rounds pull each arm once. After them the cost of a round is cut in layers of means, and a
    layer costs what its good pulls and bad rounds do, or its length in every round. Both are bounded by cells of X at
    their upper ends, on any mesh. Thresholds z_i, layers, lines and meshes may depend on the best mean, and for bad
    rounds on the round; every choice gives a bound. With 0/1 rewards P is a binomial tail and p the chance that a walk
    crosses; `reucb.bounds.bounded` evaluates both from above."""
    split = SplitSum(expected(cost(t, o)), t, sp.Integer(1), K, n, SUMMED, EVERY, "the first K rounds")
    regret = Rel(sp.Sum(expected(cost(t, o)), (t, 1, n)), "<=", FIRST + sp.Sum(Mean(CHARGE, y), LAYERS))
    parts = split, first_rounds(), later_rounds()
    return proof(follows(regret, *parts, domain=SUMMED, given=EVERY, name="regret"), letters=ALL)
