"""Rewards in [0, 1]: ours/bounded/good-pull and ours/bounded/bad-round at the counts and weights of a play.

The index of an arm is that of Eq. blup and Eq. MSE; the weights of the other arms lie between what their counts allow.
"""

from functools import cache

import sympy as sp

from theory.kernel.argument import Argument, Item, proof
from theory.kernel.claim import claim
from theory.kernel.goal import Goal, Rel, Var, at_least, positive, real
from theory.kernel.rules import (
    Among,
    Applied,
    Follows,
    Indicates,
    Instance,
    Specialised,
    SplitSum,
    SumOver,
    applied,
    equals,
    follows,
    instance,
    specialised,
    uses,
)
from theory.kernel.rules.compose import conclusion
from theory.model import bounded_pulls as pull
from theory.model.arms import s
from theory.model.bounded_play import (
    INDEX_N,
    NOW,
    K,
    N,
    i,
    index_best,
    index_n,
    k,
    muhat,
    needed,
    o,
    rewards,
    shortfall,
    t,
    tau,
    y,
    z,
)
from theory.model.bounded_play import x as far
from theory.model.bounded_pulls import BEST_WEIGHT, FIRST, OWN, PULLS, WORDS, averages, rho, share, weights
from theory.model.counts import HIT, hit
from theory.model.counts import j as counted
from theory.model.play import LATER, PULLED, count
from theory.ours import bounded_rewards as lemma
from theory.ours.other_arms import f, single
from theory.ours.pull_counts import ONE
from theory.ours.root_series import linked, order_of_roots

b, c, g, h, m, p, q, u, v, x = sp.symbols("b c g h m p q u v x")
UNIT = Var(sp.Integer(0), high=sp.Integer(1))
MADE = Rel(OWN, ">", 0)
PAIR = {c: at_least(1), v: at_least(0), rho: positive()}
ONE_WEIGHT = {x: at_least(1), rho: positive()}
AT_LEAST = Goal(Rel(FIRST, "<=", share(x)), ONE_WEIGHT, name="at least the weight of one reward")
AT_MOST = Goal(Rel(share(x), "<=", 1), ONE_WEIGHT, name="at most 1")
HIGH = Rel(index_n(t, k, o), ">=", z)
OTHER = Rel(k, "<=", K - 1)  # another arm than the best one, arm K


def at_count() -> Specialised:
    """A pull of arm k at count N: the arm has N rewards."""
    made = instance(HIT, {counted: N}, {**PULLS, hit(t, k, counted, o): PULLS[OWN]}, (LATER,), name="a pull at a count")
    pulls, given = count(k, t, o), (MADE, LATER)
    now, same = equals(PULLED, k), equals(pulls, N)
    says = Indicates(-((pulls - N) ** 2), PULLS, part=True, name="at this count")
    numbers = {x: real(), p: UNIT, q: UNIT, u: real()}
    happens = Goal(Rel(q, ">", 0), numbers, (Rel(u, ">", 0), Rel(u, "=", p * q)), "both events")
    at = {p: now, q: same, u: OWN}
    event = applied(happens, at, made, domain=PULLS, given=given, name="at this count")
    near = Goal(Rel(x / q, "<", 1), {x: real(), q: positive()}, (Rel(x, "<=", 0),), "no distance")
    at = {q: same, x: same * (pulls - N) ** 2}
    close = applied(near, at, event, says, domain=PULLS, given=given, name="no distance")
    theorem = uses("ours/same-arm", item="any quantity")
    any_ = {**PULLS, f(i): real()}
    equal = applied(theorem, {k: pulls, m: N, K: pulls + N}, close, domain=any_, given=given, name="the same count")
    return specialised(equal, {f(counted): counted}, PULLS, given, "the count of a pull")


def index_of(arm: sp.Expr, pulls: sp.Expr, radius: sp.Expr, known: tuple[Item, ...], given: tuple[Rel, ...]) -> Applied:
    """mu-hat + radius tau in terms of the sum S of the arm's own rewards, its number N of them, and V, A of the others:
    (S + rho A/(1+V))/(N + rho V/(1+V)) + radius sigma/sqrt(N + rho V/(1+V)). `known`: the arm has N rewards."""
    own, borrowed = share(c), c + rho * v / (1 + v)
    at = {k: arm, N: pulls}
    predicted = applied(pull.PREDICTION, at, *known, domain=PULLS, given=given, name="prediction")
    squared = applied(pull.WIDTH, at, *known, domain=PULLS, given=given, name="width")
    sums = (c * u + rho * x / (1 + v)) / borrowed
    form = Goal(
        Rel(own * u + (1 - own) * (own * u + x) / (own + v), "=", sums),
        {**PAIR, u: real(), x: real()},
        name="prediction",
    )
    others, total = weights(arm, t, o), rewards(arm, pulls, o)
    at = {c: pulls, v: others, u: total / pulls, x: averages(arm, t, o)}
    prediction = instance(form, at, PULLS, name="prediction")
    ratio = Goal(
        Rel(s / rho * (1 - own + (1 - own) ** 2 / (own + v)), "=", s / borrowed), {**PAIR, s: positive()}, name="width"
    )
    width = instance(ratio, {c: pulls, v: others}, PULLS, name="width")
    ROOT = pull.root(pulls, others)
    square = Goal(
        Rel(x**2 * q, "=", u),
        {x: real(), q: positive(), u: real(), p: real()},
        (Rel(x**2, "=", p), Rel(p, "=", u / q)),
        "square of the width",
    )
    at = {x: tau(arm, t, o), q: ROOT**2, u: s, p: width.concludes.rel.stated[0]}
    squares = applied(square, at, squared, width, domain=PULLS, given=given, name="square of the width")
    product = tau(arm, t, o) * ROOT
    ends = {x: product, sp.Symbol("y"): sp.sqrt(s)}
    less = applied(order_of_roots(), ends, squares, domain=PULLS, given=given, name="width times root, at most")
    ends = {sp.Symbol("y"): product, x: sp.sqrt(s)}
    more = applied(order_of_roots(x), ends, squares, domain=PULLS, given=given, name="width times root, at least")
    both = follows(Rel(product, "=", sp.sqrt(s)), less, more, domain=PULLS, given=given, name="width times root")
    numbers = {**dict.fromkeys((m, b, h, g, u, p), real()), q: positive()}
    over = Goal(Rel(h, "=", u / q), numbers, (Rel(h * q, "=", u),), "width")
    at = {h: tau(arm, t, o), q: ROOT, u: sp.sqrt(s)}
    deviation = applied(over, at, both, domain=PULLS, given=given, name="width")
    put = Goal(
        Rel(m + b * h, "=", g / q**2 + b * u / q),
        numbers,
        (Rel(m, "=", p), Rel(p, "=", g / q**2), Rel(h, "=", u / q)),
        "index",
    )
    at = {m: muhat(arm, t, o), b: radius, h: tau(arm, t, o), u: sp.sqrt(s), q: ROOT}
    at |= {p: prediction.concludes.rel.stated[0], g: total + rho * averages(arm, t, o) / (1 + others)}
    return applied(put, at, predicted, prediction, deviation, domain=PULLS, given=given, name="index")


def index_of_pull() -> Applied:
    return index_of(k, N, pull.LAST_RADIUS, (at_count(),), (MADE, LATER))


def weight_range() -> tuple[Follows, Follows]:
    """Each of the K - 2 arms that are neither pulled nor best has a weight between that of one reward and 1."""
    arm = {**PULLS, pull.j: at_least(1, integer=True)}
    each = {x: count(pull.unlike(pull.j, k, o), t, o)}
    given = (LATER, OTHER)
    low, high = (
        SumOver(instance(bound, each, arm, name="a weight"), pull.j, ONE, K - 2, PULLS, name="weights")
        for bound in (AT_LEAST, AT_MOST)
    )
    best = instance(AT_MOST, {x: count(K, t, o)}, PULLS, name="the weight of the best arm")
    rel = Rel(BEST_WEIGHT + (K - 2) * FIRST, "<=", weights(k, t, o))
    least = follows(rel, pull.OTHERS, low, domain=PULLS, given=given, name="least weight of the others")
    rel = Rel(weights(k, t, o), "<=", K - 1)
    return least, follows(rel, pull.OTHERS, high, best, domain=PULLS, given=given, name="most weight of the others")


def good_pull() -> Applied:
    """The rewards of an arm that is pulled with an index of at least z are at least what a good pull needs."""
    given = (MADE, LATER, NOW, OTHER, HIGH)
    own = index_of_pull()
    form = own.concludes.rel.stated[1]
    order = (Rel(x, ">=", u), Rel(x, "=", p), Rel(p, "=", q))
    equal = Goal(Rel(q, ">=", u), dict.fromkeys((x, u, p, q), real()), order, "the index in rewards")
    at = {x: index_n(t, k, o), u: z, p: own.concludes.rel.stated[0], q: form}
    index = applied(equal, at, INDEX_N, own, domain=PULLS, given=given, name="the index in rewards")
    at = {lemma.N: N, lemma.S: rewards(k, N, o), lemma.A: averages(k, t, o), lemma.v: weights(k, t, o), lemma.z: z}
    at |= {lemma.C: pull.LAST_RADIUS * sp.sqrt(s), lemma.r: rho, lemma.q: BEST_WEIGHT, lemma.y: y}
    at |= {lemma.c: pull.level, lemma.x: pull.beyond}
    theorem = uses("ours/bounded/good-pull")
    enough = applied(theorem, at, index, pull.LINE, domain=PULLS, given=given, name="enough rewards")
    ranges = weight_range()
    own_weight = instance(AT_LEAST, {x: count(K, t, o)}, PULLS, name="the weight of the best arm")
    at = {pull.v: weights(k, t, o), pull.w: BEST_WEIGHT, far: pull.beyond}
    parts = *ranges, own_weight
    least = applied(pull.NEEDED, at, *parts, domain=PULLS, given=(LATER, OTHER), name="what is needed")
    between = (Rel(x, ">=", u), Rel(p, "<=", u))
    last = Goal(Rel(x, ">=", p), dict.fromkeys((x, u, p), real()), between, "at least what is needed")
    least_value = pull.need(weights(k, t, o), BEST_WEIGHT, pull.beyond)
    at = {x: rewards(k, N, o), u: least_value, p: needed(i, N, pull.beyond, y)}
    return applied(last, at, enough, least, domain=PULLS, given=given, name="a good pull has what it needs")


@claim("ours/bounded/round/good-pull", by="us", kind="inequality")
def good_pulls() -> Argument:
    """ours/bounded/good-pull at the count, the weights and the averages of the play. The line bounds the other arms,
    and d is the least value for weights in their range."""
    return proof(good_pull(), letters=WORDS)


OF_BEST = count(K, t, o)
REST = t - 1 - OF_BEST  # pulls of the other arms before round t
SPARE = REST - (K - 2)  # the most that one of them has
ARMS = (k, ONE, K - 1)
FEW = Rel(OF_BEST, "<=", t - K)
BEST_SUM = sp.Sum(share(count(k, t, o)), ARMS)
BEST_WEIGHTS = weights(K, t, o)


@cache
def pulls_of_others() -> Follows:
    """The other arms than the best one have the t - 1 pulls that it does not have."""
    total = uses("ours/pulls/all", item="every round pulls one arm")
    whole = SplitSum(count(k, t, o), k, ONE, K - 1, K, PULLS, name="the other arms and the best")
    term = instance(single(), {k: K}, {**PULLS, f(i): real()}, name="a sum of one term")
    last = specialised(term, {f(counted): count(counted, t, o)}, PULLS, (), "the best arm")
    rel = Rel(sp.Sum(count(k, t, o), ARMS), "=", REST)
    return follows(rel, total, whole, last, domain=PULLS, given=(LATER,), name="pulls of the other arms")


def pulls_of_best() -> Instance:
    """Each of the other arms has a pull, so that the best arm has t - K at most."""
    theorem = uses("ours/pulls/all", item="the other arms have a pull each")
    return instance(theorem, {k: K}, PULLS, (LATER,), name="pulls of the best arm")


def most_weight() -> Applied:
    """By the tangent at their average c."""
    free, average = {**PULLS, c: positive()}, Rel((K - 1) * c, "=", REST)
    one = instance(lemma.TANGENT, {lemma.count: count(k, t, o), lemma.r: rho}, free, name="tangent")
    total = SumOver(one, *ARMS, free, name="tangents")
    sums = Goal(
        Rel(x, "<=", u * p / (p + rho)),
        {x: real(), q: real(), u: positive(), p: positive(), rho: positive()},
        (Rel(x, "<=", u * p / (p + rho) + rho * (q - u * p) / (p + rho) ** 2), Rel(q, "=", u * p)),
        "tangents",
    )
    at = {x: BEST_SUM, u: K - 1, p: c, q: sp.Sum(count(k, t, o), ARMS)}
    parts = total, pulls_of_others()
    most = applied(sums, at, *parts, domain=free, given=(LATER, average), name="most weight")
    return applied(most, {c: REST / (K - 1)}, domain=PULLS, given=(LATER, FEW), name="most weight")


def least_weight() -> Applied:
    """By the chord from one pull to the most that an arm can have."""
    given, arm = (LATER, FEW), {**PULLS, m: at_least(1, integer=True)}
    once = Goal(Rel(count(k, t, o) - 1, ">=", 0), PULLS, name="at least once")
    among = Among(count(k, t, o) - 1, k, m, ONE, K - 1, arm, once)
    an_arm = (LATER, Rel(m, "<=", K - 1))
    rel = Rel(count(m, t, o), "<=", SPARE)
    at_most = follows(rel, among, pulls_of_others(), domain=arm, given=an_arm, name="pulls of one arm")
    own = instance(at_most, {m: k}, PULLS, (LATER, OTHER), name="pulls of one arm")
    at = {lemma.count: count(k, t, o), lemma.M: SPARE, lemma.r: rho}
    one = applied(lemma.CHORD, at, own, domain=PULLS, given=(*given, OTHER), name="chord")
    total = SumOver(one, *ARMS, PULLS, given=given, name="chords")
    sums = Goal(
        Rel(x, ">=", u / (u + rho) + (v - 1) / (1 + rho)),
        {x: real(), q: real(), u: at_least(1), v: at_least(1), rho: positive()},
        (Rel(x, ">=", v / (1 + rho) + rho * (q - v) / ((1 + rho) * (u + rho))), Rel(q, "=", u + v - 1)),
        "chords",
    )
    at = {x: BEST_SUM, u: SPARE, v: K - 1, q: sp.Sum(count(k, t, o), ARMS)}
    return applied(sums, at, total, pulls_of_others(), domain=PULLS, given=given, name="least weight")


LOW = Rel(index_best(t, o), "<", z)


def bad_round() -> Applied:
    """In a round in which the index of the best arm is below z the sum of its rewards is below the boundary."""
    given = (LATER, NOW, FEW, LOW)
    own = index_of(K, OF_BEST, pull.RADIUS, (), (LATER,))
    order = (Rel(x, "<", u), Rel(x, "=", p), Rel(p, "=", q))
    equal = Goal(Rel(q, "<", u), dict.fromkeys((x, u, p, q), real()), order, "the index in rewards")
    at = {x: index_best(t, o), u: z, p: own.concludes.rel.stated[0], q: own.concludes.rel.stated[1]}
    index = applied(equal, at, pull.INDEX_BEST, own, domain=PULLS, given=given, name="the index in rewards")
    at = {lemma.N: OF_BEST, lemma.S: rewards(K, OF_BEST, o), lemma.A: averages(K, t, o), lemma.v: BEST_WEIGHTS}
    at |= {
        lemma.z: z,
        lemma.C: pull.RADIUS * sp.sqrt(s),
        lemma.r: rho,
        lemma.c: pull.level_of_round,
        lemma.x: pull.below,
    }
    theorem = uses("ours/bounded/bad-round")
    less = applied(theorem, at, index, pull.LINE_OF_BEST, domain=PULLS, given=given, name="few rewards")
    known = (LATER, FEW)
    ranges = [
        linked(*parts, domain=PULLS, given=known, name="weights of the others")
        for parts in ((turned(least_weight()), turned(pull.OTHERS_OF_BEST)), (pull.OTHERS_OF_BEST, most_weight()))
    ]
    at = {pull.j: OF_BEST, pull.v: BEST_WEIGHTS, far: pull.below}
    most = applied(pull.SHORTFALL, at, *ranges, domain=PULLS, given=known, name="the shortfall")
    last = Goal(
        Rel(x, ">", 0), dict.fromkeys((x, u, p), real()), (Rel(u, "<", p), Rel(p - u, "<=", x)), "below the boundary"
    )
    at = {x: shortfall(i, t, pull.below, o), u: rewards(K, OF_BEST, o)}
    at |= {p: pull.boundary(OF_BEST, BEST_WEIGHTS, pull.below)}
    return applied(last, at, less, most, domain=PULLS, given=given, name="below the boundary")


def turned(item: Item) -> Applied:
    """b <= a from a >= b, or from a = b."""
    goal = conclusion(item)
    left, right = goal.rel.stated
    lemma_ = Goal(Rel(p, "<=", q), {p: real(), q: real()}, (Rel(q, goal.rel.op, p),), "the other way round")
    return applied(lemma_, {q: left, p: right}, item, domain=PULLS, given=goal.given, name="the other way round")


@claim("ours/bounded/round/bad-round", by="us", kind="inequality")
def bad_rounds() -> Argument:
    """ours/bounded/bad-round at the count, the weights and the averages of the play: the other arms have the pulls that
    the best one does not have, which bounds their weights as in ours/bounded/weights-of-the-others."""
    found = applied(bad_round(), {}, pulls_of_best(), domain=PULLS, given=(LATER, NOW, LOW), name="a bad round")
    return proof(found, letters=WORDS)
