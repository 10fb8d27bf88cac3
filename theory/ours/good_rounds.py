"""Good rounds of the counting bound: the average of the pulled arm is close to the best mean (ours/good-pull in play).

A good round says that the best mean is at most the index of the pulled arm with the factor s_n. In terms of averages
this bounds how far that of the pulled arm is below the best mean, whatever the other arms are: they are summed up by V
and R of `theory.model.good_pulls`, and R by its supremum S.
"""

from functools import cache

import sympy as sp

from theory.kernel.argument import Argument, proof
from theory.kernel.claim import claim
from theory.kernel.goal import Goal, Rel, Var, at_least, positive, real
from theory.kernel.rules import (
    Applied,
    Cases,
    Follows,
    Instance,
    NextInteger,
    Otherwise,
    Union,
    Whether,
    applied,
    follows,
    instance,
    specialised,
    uses,
)
from theory.kernel.terms import Event
from theory.model import good_pulls as pull
from theory.model import round_kinds as kinds
from theory.model.counts import OF_PULL, h, j
from theory.model.good_pulls import (
    BEST_WEIGHT,
    FIRST,
    HIGHEST,
    LEAST,
    PULL,
    REST,
    SLOPE,
    UNITS,
    bracket,
    rho,
    root,
    share,
    weights,
)
from theory.model.play import COUNT, LATER, K, count, k, o, t, tau
from theory.model.round_errors import BEST, CHOSEN, d, e
from theory.model.round_kinds import LAST_WIDTH, NEAR, PRICE, PULLS_BEST, Lam, best, close, gap, good, loss
from theory.ours import good_pull as lemma
from theory.ours.kinds_of_rounds import IN_PLAY, arms
from theory.ours.other_arms import among_the_others
from theory.ours.root_series import order_of_roots

a, b, c, p, q, r, u, v, x, y, z = sp.symbols("a b c p q r u v x y z")
UNIT = Var(sp.Integer(0), high=sp.Integer(1))
SHARE = Var(sp.Integer(0), strict=True, high=sp.Integer(1))
ARM = {**PULL, k: COUNT}
APART, NEARBY = Rel(PULLS_BEST, "=", 0), Rel(NEAR, ">=", 0)
ONE_WEIGHT = {x: at_least(1), rho: positive()}
AT_LEAST = Goal(Rel(share(x) - FIRST, ">=", 0), ONE_WEIGHT, name="at least the weight of one reward")
AT_MOST = Goal(Rel(1 - share(x), ">=", 0), ONE_WEIGHT, name="at most 1")

COUNT_, AVERAGE, WIDTH = count(CHOSEN, t, d), pull.OWN_AVERAGE, tau(CHOSEN, t, d)
PLAYED = (*IN_PLAY, UNITS)
GIVEN = (*PLAYED, NEARBY)
COUNTED = {c: at_least(1), v: at_least(0), rho: positive()}


def borrowed(count_: sp.Expr, others: sp.Expr) -> sp.Expr:
    """N + rt."""
    return count_ + rho * others / (1 + others)


LAG, BRACKET = pull.lag(CHOSEN, COUNT_), bracket(REST, best, HIGHEST)
REACH = pull.reach(COUNT_, best, HIGHEST)
WITHIN, PULLED_CLOSE = Event(REACH - LAG, 0), close.xreplace({k: CHOSEN, j: COUNT_})
DRIFT_AT = {lemma.S: HIGHEST, lemma.zeta: pull.zeta, lemma.y: best, lemma.v: REST, lemma.v0: LEAST}
BORROWED = borrowed(COUNT_, weights)
ROOT, REACHED = sp.sqrt(BORROWED), root(REST, COUNT_)
TIMES_0 = Goal(Rel(x * y, "=", 0), {x: real(), y: real()}, (Rel(x, "=", 0),), "times 0")


@cache
def rest_range() -> tuple[Applied, Applied]:
    """v_0 <= v <= K - 2: each of the other arms has a weight between w_1 and 1, and the best arm is one of them."""
    own = count(k, t, d)

    def others(sign: Goal) -> Instance:
        term = instance(sign, {x: own}, ARM, name=sign.name)
        among = among_the_others(term.concludes.rel.stated[0], BEST, CHOSEN, (term, *arms()), PULL)
        return instance(among, {o: d}, PULL, name="one of the others")

    numbers = dict.fromkeys((b, p, q, y, z, c), real())
    low = Goal(
        Rel((b - 2) * q, "<=", y - p),
        numbers,
        (Rel(p - q - c, "<=", z), Rel(c, "=", 0), Rel(y - (b - 1) * q, "=", z)),
        "at least",
    )
    high = Goal(
        Rel(y - p, "<=", b - 2), numbers, (Rel(1 - p - c, "<=", z), Rel(c, "=", 0), Rel(b - 1 - y, "=", z)), "at most"
    )
    at, given = {b: K, p: BEST_WEIGHT, q: FIRST, y: weights}, (LATER, APART)
    found = []
    for bound, sign, own_part in ((low, AT_LEAST, BEST_WEIGHT - FIRST), (high, AT_MOST, 1 - BEST_WEIGHT)):
        one, nothing = others(sign), instance(TIMES_0, {x: PULLS_BEST, y: own_part}, PULL, (APART,), name="apart")
        sums = {**at, z: one.concludes.rel.stated[1], c: PULLS_BEST * own_part}
        parts = nothing, one, pull.WEIGHTS
        found.append(applied(bound, sums, *parts, domain=PULL, given=given, name=f"v, {bound.name}"))
    return found[0], found[1]


def index_of_good_round() -> Follows:
    """The best mean is at most the index of the pulled arm, with the factor s_n."""
    error = instance(kinds.ERROR, {k: CHOSEN}, PULL, (LATER,), name="error")
    rel = Rel(best, "<=", LAST_WIDTH * WIDTH + kinds.estimate(CHOSEN, t, d, e))
    return follows(rel, kinds.LOSS, error, domain=PULL, given=(*IN_PLAY, NEARBY), name="a good round")


def width_times_root() -> Applied:
    """tau sqrt(N + rt) <= sigma, with equality: tau^2 = rho/(N + rt) (ours/leave-one-out)."""
    own = share(c)
    form = Goal(Rel(1 - own + (1 - own) ** 2 / (own + v), "=", rho / borrowed(c, v)), COUNTED, name="width")
    same = instance(form, {c: COUNT_, v: weights}, PULL, name="width")
    square = Goal(
        Rel(x**2 * y, "<=", z),
        {x: real(), y: positive(), z: real(), p: real()},
        (Rel(x**2, "=", p), Rel(p, "=", z / y)),
        "square of the width",
    )
    at = {x: WIDTH, y: BORROWED, z: rho, p: same.concludes.rel.stated[0]}
    squares = applied(square, at, pull.WIDTH, same, domain=PULL, given=(LATER, UNITS), name="square of the width")
    at = {x: WIDTH * ROOT, y: sp.sqrt(rho)}
    return applied(order_of_roots(), at, squares, domain=PULL, given=(LATER, UNITS), name="width times root")


@cache
def lag_by_others() -> Applied:
    """N (mu_* - average) <= C sqrt(N + rt) + rho (R - V mu_*)/(1 + V), rt = rho V/(1 + V)."""
    own, total = share(c), c * u + rho * z / (1 + v)
    form = Goal(
        Rel(own * u + (1 - own) * (own * u + z) / (own + v), "=", total / borrowed(c, v)),
        {**COUNTED, u: real(), z: real()},
        name="prediction",
    )
    at = {c: COUNT_, v: weights, u: AVERAGE, z: pull.averages}
    same = instance(form, at, PULL, name="prediction")
    sums, predicted = total.xreplace(at), same.concludes.rel.stated[0]
    put = Goal(
        Rel(x, "<=", y + a), dict.fromkeys((a, b, x, y), real()), (Rel(x, "<=", y + b), Rel(b, "=", a)), "put in"
    )
    names = {x: best, y: LAST_WIDTH * WIDTH, a: predicted, b: kinds.estimate(CHOSEN, t, d, e)}
    parts = index_of_good_round(), pull.PREDICTION
    index = applied(put, names, *parts, domain=PULL, given=GIVEN, name="the index in averages")
    scaled = Goal(
        Rel(x * y, "<=", p * x + q),
        {x: positive(), **dict.fromkeys((y, p, q, z), real())},
        (Rel(y, "<=", p + z), Rel(z, "=", q / x)),
        "times N + rt",
    )
    names = {x: BORROWED, y: best, p: LAST_WIDTH * WIDTH, q: sums, z: predicted}
    times = applied(scaled, names, index, same, domain=PULL, given=GIVEN, name="times N + rt")
    twice = Goal(
        Rel(x * p**2, "<=", q * p), {x: real(), q: real(), p: at_least(0)}, (Rel(x * p, "<=", q),), "times the root"
    )
    at = {x: WIDTH, p: ROOT, q: sp.sqrt(rho)}
    rooted = applied(twice, at, width_times_root(), domain=PULL, given=(LATER, UNITS), name="times the root")
    wider = Goal(
        Rel(y, "<=", b * a + z),
        {**dict.fromkeys((y, x, z, a), real()), b: at_least(0)},
        (Rel(y, "<=", b * x + z), Rel(x, "<=", a)),
        "width",
    )
    at = {y: BORROWED * best, b: LAST_WIDTH, x: WIDTH * BORROWED, a: sp.sqrt(rho) * ROOT, z: sums}
    whole = applied(wider, at, times, rooted, domain=PULL, given=GIVEN, name="N + rt times the best mean")
    lag = Goal(
        Rel(c * (y - u), "<=", p + rho * (z - v * y) / (1 + v)),
        {**dict.fromkeys((c, y, u, p, z), real()), rho: positive(), v: at_least(0)},
        (Rel(borrowed(c, v) * y, "<=", p + total),),
        "the average",
    )
    at = {c: COUNT_, y: best, u: AVERAGE, p: SLOPE * ROOT, z: pull.averages, v: weights}
    return applied(lag, at, whole, domain=PULL, given=GIVEN, name="the average of the pulled arm")


@cache
def not_negative() -> Follows:
    """v >= 0."""
    return follows(Rel(REST, ">=", 0), rest_range()[0], domain=PULL, given=(LATER, APART), name="v >= 0")


@cache
def lag_by_drift() -> Applied:
    """The other arms by their supremum: N (mu_* - average) <= C sqrt(N + rt) + rho (2 + v) bracket/(1 + v + w_l)."""
    given = (*GIVEN, APART)
    range_ = not_negative()
    drift = applied(
        uses("ours/good-pull/drift"), DRIFT_AT, range_, domain=PULL, given=(LATER, APART), name="drift by the bracket"
    )
    by_supremum = Goal(
        Rel(z - (c + a) * y, "<=", b),
        dict.fromkeys((a, b, c, u, y, z), real()),
        (Rel(z - a * y, "<=", u), Rel(u - c * y, "=", b)),
        "drift",
    )
    at = {z: pull.averages, c: REST, a: BEST_WEIGHT, y: best, b: (2 + REST) * BRACKET}
    supremum = uses("ours/counting/good-pulls/supremum")
    at |= {u: supremum.concludes.rel.stated[1]}
    parts = supremum, range_, drift
    less = applied(by_supremum, at, *parts, domain=PULL, given=(*IN_PLAY, APART), name="by the supremum")
    quotient = Goal(
        Rel(x, "<=", p + rho * y / z),
        {**dict.fromkeys((x, p, y, u), real()), rho: positive(), z: positive()},
        (Rel(x, "<=", p + rho * u / z), Rel(u, "<=", y)),
        "over 1 + V",
    )
    at = {x: LAG, p: SLOPE * ROOT, u: less.concludes.rel.stated[0], y: (2 + REST) * BRACKET, z: 1 + weights}
    return applied(quotient, at, lag_by_others(), less, domain=PULL, given=given, name="by the drift")


def roots_in_order() -> Applied:
    """rt <= rho (1 - 1/(2 + v)), so that sqrt(N + rt) is at most the root in f."""
    known = uses("ours/good-pull/borrowed")
    at = {lemma.r: rho, lemma.v: REST, lemma.w_l: BEST_WEIGHT}
    less = applied(known, at, not_negative(), domain=PULL, given=(LATER, APART), name="what the others lend")
    rel = Rel(BORROWED, "<=", REACHED**2)
    squares = follows(rel, less, domain=PULL, given=(LATER, APART), name="squares of the roots")
    parts = not_negative(), squares
    return applied(
        order_of_roots(), {x: ROOT, y: REACHED}, *parts, domain=PULL, given=(LATER, APART), name="roots in order"
    )


def by_bracket() -> Cases:
    """ours/good-pull in terms of the bracket b = drift/(2 + v): y is at least what either sign of it allows."""
    C, r_, v_, w_l, v0, w1 = lemma.C, lemma.r, lemma.v, lemma.w_l, lemma.v0, lemma.w1
    free = {r_: positive(), C: at_least(0), v_: at_least(0), w_l: SHARE, b: real(), y: real()}
    free |= {lemma.p: positive(), lemma.q: positive(), v0: at_least(0), w1: SHARE}
    roots, least = Rel(lemma.p, "<=", lemma.q), (Rel(w1, "<=", w_l), Rel(v0, "<=", v_))
    bound = C * lemma.p + r_ * (2 + v_) * b / (1 + v_ + w_l)
    less = Goal(Rel(x, "<=", z), dict.fromkeys((x, y, z), real()), (Rel(x, "<=", y), Rel(y, "<=", z)), "at most f")

    def one_sign(sign: int, item: str, slope: sp.Expr, *ranges: Rel) -> Applied:
        here = Rel(b, "<=" if sign < 0 else ">", 0)
        most = Rel(C * lemma.q + r_ * slope * b, "<=", y)
        size = Goal(Rel(sign * (2 + v_) * b, ">=", 0), {v_: at_least(0), b: real()}, (here,), "size of the drift")
        at = {lemma.A: sign * (2 + v_) * b, sp.Symbol("G"): bound}
        given = (roots, *ranges, here)
        found = applied(uses("ours/good-pull", item=item), at, size, domain=free, given=given, name=item)
        at = {x: bound, y: most.left, z: y}
        return applied(less, at, found, domain=free, given=(*given, most), name="at most f")

    falling = one_sign(-1, "nonpositive drift -A", sp.Integer(1))
    rising = one_sign(1, "positive drift A", (2 + v0) / (1 + v0 + w1), *least)
    return Cases(Rel(b, "<=", 0), falling, rising, "at most f")


@cache
def below_reach() -> Applied:
    """The average of the pulled arm is close to the best mean."""
    positive_, low, high, drift, roots = (uses("ours/counting/good-pulls/drift", item=item) for item in DRIFT_ITEMS)
    at = {pull.v: REST, j: COUNT_, pull.y: best, pull.S: HIGHEST}
    most = [
        applied(allowed, at, positive_, low, high, domain=PULL, given=(LATER, APART), name=allowed.of)
        for allowed in (pull.FALLING, pull.RISING)
    ]
    at = {lemma.r: rho, lemma.v: REST, lemma.w_l: BEST_WEIGHT, lemma.C: SLOPE, b: BRACKET, y: REACH}
    at |= {lemma.p: ROOT, lemma.q: REACHED, lemma.v0: LEAST, lemma.w1: FIRST}
    least = instance(AT_LEAST, {x: count(BEST, t, d)}, PULL, name="weight of the best arm")
    parts = positive_, low, roots, least, *most
    below = applied(by_bracket(), at, *parts, domain=PULL, given=(LATER, APART), name="at most f")
    linked = Goal(Rel(x, "<=", z), dict.fromkeys((x, y, z), real()), (Rel(x, "<=", y), Rel(y, "<=", z)), "at most f")
    at = {x: LAG, y: below.concludes.rel.stated[0], z: REACH}
    return applied(linked, at, drift, below, domain=PULL, given=(*GIVEN, APART), name="the average is close")


DRIFT_ITEMS = ("v >= 0", "v, at least", "v, at most", "by the drift", "roots in order")


@claim("ours/counting/good-pulls/drift", by="us", kind="inequality")
def drift_of_a_good_pull() -> Argument:
    """A good round says that the best mean is at most the index of the pulled arm with the factor s_n. With ours/
    leave-one-out this is a bound of N (mu_* - average) by the root of N + rt and the drift of the other arms, which the
    supremum S bounds. The weights of the other arms are between w_1 and 1, and the best arm is one of them."""
    return proof(not_negative(), *rest_range(), lag_by_drift(), roots_in_order(), letters=pull.LETTERS)


def near_is_close() -> Follows:
    """A pull of another arm than the best one with a small gap has an average close to the best mean."""
    either = Union(below_reach(), (NEARBY,), "a far average needs a large gap")
    otherwise = [Otherwise(value, PULL, "it is or it is not") for value in (NEAR, REACH - LAG)]
    rel = Rel(Event(NEAR, 0), "<=", WITHIN)
    return follows(rel, either, *otherwise, domain=PULL, given=(*PLAYED, APART), name="a small gap, a close average")


def good_is_close() -> Cases:
    """In a good round the average of the pulled arm is close to the best mean."""
    near, made = Event(NEAR, 0), Rel(PULLS_BEST, ">=", 1)
    pulls_best = follows(Rel(1 - PULLS_BEST, "=", 0), domain=PULL, given=(made,), name="the best arm is pulled")
    at = {x: 1 - PULLS_BEST, y: near}
    nothing = applied(TIMES_0, at, pulls_best, domain=PULL, given=(made,), name="no other arm")
    zero = follows(Rel(good, "=", 0), kinds.GOOD, nothing, domain=PULL, given=(*IN_PLAY, made), name="a star round")
    product = Goal(Rel(x, "=", x * y), {x: real(), y: real()}, (Rel(x, "=", 0),), "nothing")
    at = {x: good, y: PULLED_CLOSE}
    star_ = applied(product, at, zero, domain=PULL, given=(*IN_PLAY, made), name="a star round is not good")
    given = (*PLAYED, made.negation)
    none = NextInteger(sp.Integer(1), PULLS_BEST, PULL, name="another arm")
    apart = follows(APART, none, domain=PULL, given=(made.negation,), name="another arm is pulled")
    own = instance(pull.CLOSE, {k: CHOSEN, j: COUNT_}, PULL, name="close")
    zeros = [
        applied(TIMES_0, {x: PULLS_BEST, y: value}, apart, domain=PULL, given=(made.negation,), name="not the best arm")
        for value in (near, WITHIN)
    ]
    same = [
        follows(Rel(left, "=", right), *parts, domain=PULL, given=given, name="another arm")
        for left, right, parts in ((good, near, (kinds.GOOD, zeros[0])), (PULLED_CLOSE, WITHIN, (own, zeros[1])))
    ]
    both = Goal(
        Rel(x, "=", x * y), {x: UNIT, y: UNIT}, (Rel(x, "<=", y), Rel(y**2, "=", y)), "one event within another"
    )
    parts = apart, near_is_close(), Whether(WITHIN, PULL)
    inside = applied(both, {x: near, y: WITHIN}, *parts, domain=PULL, given=given, name="one event within another")
    numbers = dict.fromkeys((a, b, x, y), real())
    put = Goal(Rel(a * b, "=", x * y), numbers, (Rel(a, "=", x), Rel(b, "=", y)), "products")
    at = {a: good, b: PULLED_CLOSE, x: near, y: WITHIN}
    products = applied(put, at, *same, domain=PULL, given=given, name="both events")
    rel = Rel(good, "=", good * PULLED_CLOSE)
    other = follows(rel, same[0], inside, products, domain=PULL, given=given, name="another arm")
    return Cases(made, star_, other, "a good pull is close")


@claim("ours/counting/good-pulls", by="us", kind="inequality")
def good_pulls() -> Argument:
    """ours/good-pull with the counts and averages of the play; f is at least what it allows."""
    return proof(below_reach(), good_is_close(), letters=pull.LETTERS)


def good_pairs() -> Applied:
    """A good round pulls one arm at one count: it costs its gap and its price, and it is close to the best mean."""
    value = (gap + Lam(j)) * close
    met = instance(OF_PULL, {o: d}, {**PULL, h(k, j): real()}, IN_PLAY, name="what a round meets")
    pair = specialised(met, {h(k, j): value}, PULL, IN_PLAY, "gap and price")
    own = instance(kinds.GAP, {k: CHOSEN}, PULL, name="the gap of the pulled arm")
    cost, total = own.concludes.rel.stated[0], pair.concludes.rel.stated[1]
    lost = follows(Rel(loss, "=", cost), kinds.LOSS, own, domain=PULL, name="what is lost")
    numbers = dict.fromkeys((a, b, c, v, x, y, z), real())
    put = Goal(Rel((x + y) * b, "=", v), numbers, (Rel(x, "=", a), Rel((a + y) * b, "=", v)), "gap and price")
    at = {x: loss, y: PRICE, z: good, a: cost, b: PULLED_CLOSE, v: total, c: loss + PRICE}
    met_ = applied(put, at, lost, pair, domain=PULL, given=IN_PLAY, name="what it costs, if it is close")
    times = Goal(Rel(z * c, "=", z * b * c), numbers, (Rel(z, "=", z * b),), "times the cost")
    near = uses("ours/counting/good-pulls", item="a good pull is close")
    cost_ = applied(times, at, near, domain=PULL, given=PLAYED, name="a good round is close")
    product = Goal(Rel(z * c, "=", z * v), numbers, (Rel(z * c, "=", z * b * c), Rel(b * c, "=", v)), "if it is good")
    name = "one arm at one count in a good round"
    return applied(product, at, cost_, met_, domain=PULL, given=PLAYED, name=name)
