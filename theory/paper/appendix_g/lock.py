"""Appendix G (`sec:extensions`): an arm whose first rewards were bad is not pulled again, round by round.

H is the arm, L the other arm with the largest average; w and g are their weights, A and B their averages, e is the
common mean, W the sum of all weights.
"""

from functools import cache

import sympy as sp

from theory.kernel.argument import Argument, Item, proof
from theory.kernel.claim import claim
from theory.kernel.goal import Goal, Rel, Var, at_least, positive, real
from theory.kernel.rules import (
    Applied,
    Cases,
    Follows,
    Induction,
    Instance,
    Monotone,
    NextInteger,
    Replaced,
    SumOver,
    applied,
    congruent,
    follows,
    instance,
    replaced,
    uses,
)
from theory.kernel.rules.compose import conclusion
from theory.model import lockout, stacks
from theory.model.arms import s, s0
from theory.model.counts import COUNTED, ONE_EACH, j
from theory.model.intervals import U
from theory.model.lockout import (
    AN_ARM,
    CHOSEN,
    EACH,
    FIRST,
    LEAST,
    LOCKED,
    LONG,
    NOW,
    OTHER,
    TOP,
    WORDS,
    Average,
    H,
    S,
    average,
    d,
    w_S,
)
from theory.model.play import (
    ANOTHER,
    COUNT,
    LATER,
    PULLED,
    PULLED_IS_AN_ARM,
    K,
    N,
    a,
    another,
    count,
    i,
    k,
    muhat,
    o,
    t,
    tau,
    width,
)
from theory.model.stacks import before, common, shrinkage, tilde, weights
from theory.ours.bad_rounds import times
from theory.ours.other_arms import at_equal_arms, split_off
from theory.ours.root_series import order_of_roots

ONE = sp.Integer(1)
share = Var(sp.Integer(0), strict=True, high=ONE)
w, g, W, e, A, B, x, y, z, p, q, u, v = sp.symbols("w g W e A B x y z p q u v")
NUMBERS = {w: share, g: share, W: positive(), **dict.fromkeys((e, A, B, x, y, z, u, v), real())}
PULLS = count(H, t, o)
MET = Rel(PULLS, "=", S)  # arm H has its s rewards
APART = Rel(LEAST, ">=", FIRST + d)  # every average of the others is d above their average
NARROW = Rel((d * w_S) ** 2 * S, ">", a * s * sp.log(N))  # the interval of H is too narrow to reach them
LOCK = (AN_ARM, APART, NARROW)
HERE = (LATER, NOW, AN_ARM, APART, MET)
SIMPLY = (LATER, AN_ARM)
WEIGHT_H, WEIGHT_L = shrinkage(H, t, o), shrinkage(TOP, t, o)
ARM = {**LOCKED, k: COUNT}
AVERAGES = "them-R-Bayes-SubR/lock-out/averages"
INDEX = "them-R-Bayes-SubR/lock-out/index"
SIMPLE = Goal(MET, LOCKED, (MET,), "n_H = s")


def met(item: Item, rel: Rel, name: str) -> Replaced:
    """A relation of arm H in a round in which it has its s rewards."""
    return replaced(item, SIMPLE, rel, LOCKED, (*SIMPLY, MET), name)


def least_of_top() -> Follows:
    """The least of all averages of the others is at most that of L, which is one of them."""
    given = (LATER, NOW)
    among = (*given, Rel(lockout.rank, "<=", K - 1))
    one = instance(lockout.BELOW, {i: lockout.rank}, LOCKED, among, name="one of the others")
    same = congruent(Average(x, t, o), x, lockout.L_IS_OTHER, LOCKED, (LATER,), name="the average of L")
    parts = lockout.RANK_IS_OTHER, one, same
    return follows(Rel(LEAST, "<=", average(TOP)), *parts, domain=LOCKED, given=given, name="L is one of the others")


def top_is_an_arm() -> Follows:
    """L is one of the K arms."""
    place = instance(ANOTHER, {i: lockout.rank, k: H}, LOCKED, name="the number of L")
    parts = lockout.L_IS_OTHER, lockout.RANK_IS_OTHER, place
    return follows(Rel(TOP, "<=", K), *parts, domain=LOCKED, given=(LATER,), name="L is one of K arms")


def lead() -> Applied:
    """rbar_H + d <= rbar_L: L is one of the others."""
    further = Goal(Rel(x + y, "<=", z), NUMBERS, (Rel(u, ">=", x + y), Rel(u, "<=", z)), "further up")
    at = {x: FIRST, y: d, z: average(TOP), u: LEAST}
    return applied(further, at, least_of_top(), domain=LOCKED, given=(LATER, NOW, APART), name="rbar_H + d <= rbar_L")


def weighted(order: Item, name: str, *given: Rel) -> SumOver:
    """An order of averages, times the weight of the arm, summed over the other arms."""
    rel = conclusion(order).rel
    product = Goal(Rel(w * x, rel.op, w * y), NUMBERS, (Rel(x, rel.op, y),), "times a weight")
    at = {w: shrinkage(another(i, H, o), t, o), x: rel.stated[0], y: rel.stated[1]}
    one = applied(product, at, order, domain=EACH, given=(*given, OTHER), name=name)
    return SumOver(one, i, ONE, K - 1, LOCKED, given=given, name=name)


@claim("them-R-Bayes-SubR/lock-out/averages", by="us", kind="step")
def common_mean() -> Argument:
    """The common mean averages the arms by their weights; no arm has an average above that of L or below that of H, as
    all others are d above H. The widths are those of Eq. MSE."""
    others = sp.Sum(shrinkage(another(i, H, o), t, o), (i, 1, K - 1))
    sums = sp.Sum(shrinkage(another(i, H, o), t, o) * average(another(i, H, o)), (i, 1, K - 1))
    nonnegative = Goal(Rel(0, "<=", w), {w: share}, name="a weight")
    one = instance(nonnegative, {w: shrinkage(another(i, H, o), t, o)}, EACH, name="a weight")
    rest = SumOver(one, i, ONE, K - 1, LOCKED, name="weights of the others")
    whole = split_off(shrinkage(k, t, o), H, LOCKED)
    total = follows(
        Rel(weights, "=", WEIGHT_H + others), stacks.ALL_WEIGHTS, whole, domain=LOCKED, given=SIMPLY, name="weights"
    )
    parts = split_off(shrinkage(k, t, o) * average(k), H, LOCKED)
    mixed = follows(
        Rel(weights * common, "=", WEIGHT_H * average(H) + sums),
        stacks.COMMON,
        parts,
        domain=LOCKED,
        given=SIMPLY,
        name="the common mean",
    )
    mean = met(mixed, Rel(weights * common, "=", WEIGHT_H * FIRST + sums), "the common mean at n_H = s")
    above = weighted(lockout.LARGEST, "none above L", LATER)
    further = Goal(Rel(x, "<=", z), NUMBERS, (Rel(u, ">=", x + y), Rel(u, "<=", z), Rel(y, ">=", 0)), "not below H")
    at = {x: FIRST, y: d, z: average(another(i, H, o)), u: LEAST}
    higher = applied(further, at, lockout.BELOW, domain=EACH, given=(LATER, NOW, APART, OTHER), name="not below H")
    below = weighted(higher, "none below H", LATER, NOW, APART)
    equations = Rel(W, "=", w + u), Rel(W * e, "=", w * A + v)
    at = {W: weights, w: WEIGHT_H, u: others, e: common, A: FIRST, B: average(TOP), v: sums}
    up = Goal(
        Rel(W * e, "<=", W * B), NUMBERS, (*equations, Rel(w * A, "<=", w * B), Rel(v, "<=", B * u)), "at most rbar_L"
    )
    down = Goal(Rel(W * A, "<=", W * e), NUMBERS, (*equations, Rel(v, ">=", A * u)), "at least rbar_H")
    order = Goal(Rel(x, "<=", z), NUMBERS, (Rel(x + y, "<=", z), Rel(y, ">=", 0)), "rbar_H <= rbar_L")
    known = lead()
    ahead = applied(
        order,
        {x: FIRST, y: d, z: average(TOP)},
        known,
        domain=LOCKED,
        given=(LATER, NOW, APART),
        name="rbar_H <= rbar_L",
    )
    product = Goal(Rel(w * x, "<=", w * y), NUMBERS, (Rel(x, "<=", y),), "times a weight")
    at_H = {w: WEIGHT_H, x: FIRST, y: average(TOP)}
    scaled = applied(product, at_H, ahead, domain=LOCKED, given=(LATER, NOW, APART), name="times w_H")
    upper = applied(up, at, total, mean, scaled, above, domain=LOCKED, given=HERE, name="W rbar_0 <= W rbar_L")
    lower = applied(down, at, total, mean, below, domain=LOCKED, given=HERE, name="W rbar_H <= W rbar_0")
    quotient = Goal(Rel(x / W, "<=", y / W), NUMBERS, (Rel(x, "<=", y),), "divided by W")
    sides = (
        ({x: weights * common, y: weights * average(TOP)}, upper),
        ({x: weights * FIRST, y: weights * common}, lower),
    )
    between = [
        applied(quotient, {**at_, W: weights}, part, domain=LOCKED, given=HERE, name=name)
        for name, (at_, part) in zip(("rbar_0 <= rbar_L", "rbar_H <= rbar_0"), sides, strict=True)
    ]
    share_ = Goal(Rel(w, "<=", W), NUMBERS, (*equations[:1], Rel(0, "<=", u)), "one of the weights")
    part = applied(share_, at, total, rest, domain=LOCKED, given=SIMPLY, name="w_H <= W")
    return proof(known, *between, part, width_by_weights(), letters=WORDS)


def width_by_weights() -> Follows:
    """tau^2 = sigma_0^2 (1 - w)(1 + (1 - w)/W) of an arm before round t."""
    weight_ = shrinkage(k, t, o)
    alone = instance(stacks.TILDE, {j: before(k)}, ARM, name="its width alone")
    scaled = times(stacks.WEIGHT.concludes.rel, s0, ARM, "times sigma_0^2")
    bound = s0 * (1 - weight_) * (1 + (1 - weight_) / weights)
    parts = stacks.WEIGHT, alone, stacks.MSE, scaled
    return follows(Rel(tau(k, t, o) ** 2, "=", bound), *parts, domain=ARM, given=(LATER,), name="tau^2 in a round")


@cache
def squared_width(arm: sp.Expr) -> Instance:
    """The same of one of the two arms."""
    return instance(uses(AVERAGES, item="tau^2 in a round"), {k: arm}, LOCKED, (LATER,), name="tau^2 by weights")


def positive_width() -> Applied:
    """tau_L > 0: it is at least the width of L alone."""
    alone = tilde(before(TOP))
    mse = instance(stacks.MSE, {k: TOP}, LOCKED, (LATER,), name="its width")
    rest = Goal(
        Rel(x, "<=", x + (1 - z) ** 2 * s0 / W),
        {x: real(), z: real(), W: positive(), s0: positive()},
        name="the rest is not negative",
        squares=(1 - z,),
    )
    more = instance(rest, {x: alone**2, z: WEIGHT_L, W: weights}, LOCKED, (LATER,), name="the rest is not negative")
    at_most = Goal(Rel(x, "<=", y), NUMBERS, (Rel(y, "=", z), Rel(x, "<=", z)), "squares")
    at = {x: alone**2, y: tau(TOP, t, o) ** 2, z: more.concludes.rel.stated[1]}
    squares = applied(at_most, at, mse, more, domain=LOCKED, given=(LATER,), name="squares")
    roots = applied(order_of_roots(x), at_roots(alone, tau(TOP, t, o)), squares, domain=LOCKED, given=(LATER,))
    above = Goal(Rel(y, ">", 0), {x: positive(), y: real()}, (Rel(x, "<=", y),), "above a positive number")
    return applied(above, at_roots(alone, tau(TOP, t, o)), roots, domain=LOCKED, given=(LATER,), name="tau_L > 0")


def at_roots(first: sp.Expr, second: sp.Expr) -> dict[sp.Symbol, sp.Expr]:
    """Arguments of `order_of_roots`."""
    return {sp.Symbol("x"): first, sp.Symbol("y"): second}


def narrow() -> tuple[Item, Item]:
    """w_H = w_s, and sqrt(a log t) tau_H < d w_s: tau_H^2 <= sigma^2/s."""
    given = (*SIMPLY, MET)
    weight_ = instance(stacks.WEIGHT, {k: H}, LOCKED, (LATER,), name="the weight of H")
    same = met(weight_, Rel(WEIGHT_H, "=", w_S), "w_H = w_s")
    share_ = uses(AVERAGES, item="w_H <= W")
    least = replaced(share_, same, Rel(w_S, "<=", weights), LOCKED, given, "w_s <= W")
    bound = s0 * (1 - w_S) * (1 + (1 - w_S) / weights)
    width_ = replaced(squared_width(H), same, Rel(tau(H, t, o) ** 2, "=", bound), LOCKED, given, "tau_H^2")
    sizes = {S: positive(), s: positive(), s0: positive(), u: at_least(0)}
    factor = s0 * (1 - w_S) * (1 + (1 - w_S) / (w_S + u))
    below = Goal(Rel(factor, "<=", s / S), sizes, name="below a sample mean's")
    mean = applied(below, {u: weights - w_S}, least, domain=LOCKED, given=given, name="below a sample mean's")
    square = Goal(Rel(x, "<=", z), {x: real(), y: real(), z: real()}, (Rel(x, "=", y), Rel(y, "<=", z)), "at most")
    at = {x: tau(H, t, o) ** 2, y: bound, z: s / S}
    small = applied(square, at, width_, mean, domain=LOCKED, given=given, name="tau_H^2 <= sigma^2/s")
    logs = Monotone(Goal(NOW, LOCKED, (NOW,), "t <= n"), a * sp.log(x), x, {x: positive(), a: positive()}, name="logs")
    quotient = Goal(Rel(x / S, ">", y / S), {x: real(), y: real(), S: positive()}, (Rel(x, ">", y),), "divided by s")
    at = {x: NARROW.stated[0], y: NARROW.stated[1]}
    needed = instance(quotient, at, LOCKED, (NARROW,), name="divided by s")
    product = Goal(
        Rel(p * q, "<", v**2),
        {p: at_least(0), q: at_least(0), u: at_least(0), v: real(), z: real()},
        (Rel(p, "<=", u), Rel(q, "<=", z), Rel(v**2, ">", u * z)),
        "squares",
    )
    at = {p: a * sp.log(t), q: tau(H, t, o) ** 2, u: a * sp.log(N), v: d * w_S, z: s / S}
    where = (*given, NOW, NARROW)
    squares = applied(product, at, logs, small, needed, domain=LOCKED, given=where, name="squares")
    roots = at_roots(width * tau(H, t, o), d * w_S)
    return same, applied(order_of_roots(strict=True), roots, squares, domain=LOCKED, given=where, name="narrow")


def indices() -> Cases:
    """U_L > U_H in a round in which H has its s rewards."""
    above, below = (uses(AVERAGES, item=item) for item in ("rbar_0 <= rbar_L", "rbar_H <= rbar_0"))
    ahead, wider = uses(AVERAGES, item="rbar_H + d <= rbar_L"), Rel(WEIGHT_H, "<=", WEIGHT_L)
    at_H = instance(stacks.ESTIMATE, {k: H}, LOCKED, (LATER,), name="the estimate of H")
    at_L = instance(stacks.ESTIMATE, {k: TOP}, LOCKED, (LATER,), name="the estimate of L")
    rel = Rel(muhat(H, t, o), "=", WEIGHT_H * FIRST + (1 - WEIGHT_H) * common)
    estimates = met(at_H, rel, "the estimate of H at n_H = s"), at_L
    at = {x: muhat(H, t, o), y: muhat(TOP, t, o), w: WEIGHT_H, g: WEIGHT_L, e: common, A: FIRST, B: average(TOP)}
    free, first, second = {**NUMBERS, d: positive()}, w * A + (1 - w) * e, g * B + (1 - g) * e
    formulas = Rel(x, "=", first), Rel(y, "=", second)
    apart = Goal(
        Rel(x + w * d, "<=", y),
        free,
        (*formulas, Rel(w, "<=", g), Rel(e, "<=", B), Rel(A + d, "<=", B)),
        "w_L >= w_H: at least d w_H apart",
    )
    given = (*HERE, wider)
    far = applied(apart, at, *estimates, above, ahead, domain=LOCKED, given=given, name="the estimates are apart")
    same, small = narrow()
    far_ = replaced(far, same, Rel(muhat(H, t, o) + w_S * d, "<=", muhat(TOP, t, o)), LOCKED, given, "by d w_s")
    bounds_ = {**dict.fromkeys((x, y, z, p, v), real()), q: at_least(0)}
    higher = Goal(Rel(x, "<", y), bounds_, (Rel(x - p + v, "<=", y - q), Rel(p, "<", v)), "U_H < U_L")
    at_ = {x: U(H), y: U(TOP), p: width * tau(H, t, o), q: width * tau(TOP, t, o), v: w_S * d}
    where = (*HERE, NARROW)
    one = applied(higher, at_, far_, small, domain=LOCKED, given=(*where, wider), name="w_H <= w_L")
    behind = Goal(Rel(first, "<", second), free, (Rel(g, "<", w), Rel(A, "<=", e), Rel(A + d, "<=", B)), "w_L < w_H")
    less = (*HERE, wider.negation)
    order = applied(behind, at, below, ahead, domain=LOCKED, given=less, name="w_L < w_H: the larger estimate")
    sizes = {**NUMBERS, s0: positive()}

    def factor(share_: sp.Expr) -> sp.Expr:
        return s0 * (1 - share_) * (1 + (1 - share_) / W)

    wide = Goal(Rel(factor(w), "<=", factor(g)), sizes, (Rel(g, "<", w),), "the less pulled arm is wider")
    falls = instance(wide, {**at, W: weights}, LOCKED, (LATER, wider.negation), name="the less pulled arm is wider")
    numbers = dict.fromkeys((x, y, u, v), real())
    joined = Goal(Rel(x, "<=", y), numbers, (Rel(x, "=", u), Rel(y, "=", v), Rel(u, "<=", v)), "squared widths")
    squares_ = falls.concludes.rel.stated
    at_w = {x: tau(H, t, o) ** 2, y: tau(TOP, t, o) ** 2, u: squares_[0], v: squares_[1]}
    both = applied(
        joined, at_w, squared_width(H), squared_width(TOP), falls, domain=LOCKED, given=(LATER, wider.negation)
    )
    roots = applied(
        order_of_roots(),
        at_roots(tau(H, t, o), tau(TOP, t, o)),
        positive_width(),
        both,
        domain=LOCKED,
        given=(LATER, wider.negation),
        name="tau_H <= tau_L",
    )
    product = Goal(Rel(z * p, "<=", z * q), {p: real(), q: real(), z: at_least(0)}, (Rel(p, "<=", q),), "times a width")
    at_s = {z: width, p: tau(H, t, o), q: tau(TOP, t, o)}
    scaled = applied(product, at_s, roots, domain=LOCKED, given=(LATER, wider.negation), name="c_H <= c_L")
    sum_ = Goal(
        Rel(x, "<", y),
        dict.fromkeys((x, y, u, v, p, q), real()),
        (Rel(x - p, "=", u), Rel(y - q, "=", v), Rel(u, "<", v), Rel(p, "<=", q)),
        "U_H < U_L",
    )
    at_s = {x: U(H), y: U(TOP), u: first.xreplace(at), v: second.xreplace(at)}
    at_s |= {p: width * tau(H, t, o), q: width * tau(TOP, t, o)}
    two = applied(sum_, at_s, *estimates, order, scaled, domain=LOCKED, given=less, name="w_L < w_H")
    return Cases(wider, one, two, "index")


@claim(
    INDEX,
    by="us",
    kind="step",
    cites=("them-R-Bayes-SubR/lock-out/estimates", "them-R-Bayes-SubR/lock-out/widths"),
)
def index_of_the_locked_arm() -> Argument:
    """If w_L >= w_H the estimates are at least d w_H apart and H's width is below that. If w_L < w_H the estimate and
    the width of L are both the larger."""
    return proof(indices(), letters=WORDS)


def no_higher_index() -> Applied:
    """1{I_t = H} (U_L - U_H) <= 0: H is pulled only if the index of L is not above its own."""
    highest = applied(lockout.CHOICE, {i: TOP}, top_is_an_arm(), domain=LOCKED, given=(LATER,), name="not above")
    equal = at_equal_arms(U(k), PULLED, H, (), LOCKED)
    own = applied(equal, {}, PULLED_IS_AN_ARM, domain=LOCKED, given=(AN_ARM,), name="the index of H")
    unit = Var(sp.Integer(0), high=ONE)
    lemma = Goal(
        Rel(x * (y - z), "<=", 0),
        {**dict.fromkeys((y, z, u), real()), x: unit},
        (Rel(x * u, "=", x * z), Rel(y, "<=", u)),
        "pulled only if highest",
    )
    at = {x: CHOSEN, y: U(TOP), z: U(H), u: U(PULLED)}
    return applied(lemma, at, own, highest, domain=LOCKED, given=(LATER, AN_ARM), name=lemma.name)


def one_round() -> Cases:
    """n_{H,t+1} <= s if n_{H,t} <= s: with s rewards H is not pulled, and with fewer it gets one more at most."""
    before_, full = Rel(PULLS, "<=", S), Rel(PULLS, ">=", S)
    given = (LATER, NOW, *LOCK, before_)
    met_ = Goal(MET, LOCKED, (before_, full), "n_H = s")
    quotient = Goal(Rel(x / y, "<=", 0), {x: real(), y: positive()}, (Rel(x, "<=", 0),), "divided by U_L - U_H")
    gap = U(TOP) - U(H)
    passed = applied(
        quotient,
        {x: CHOSEN * gap, y: gap},
        met_,
        uses(INDEX),
        no_higher_index(),
        domain=LOCKED,
        given=(*given, full),
        name="H is not pulled",
    )
    counted = Goal(
        Rel(x, "<=", z),
        {x: real(), y: real(), z: real(), u: real()},
        (Rel(x, "=", y + u), Rel(y, "<=", z), Rel(u, "<=", 0)),
        "no pull",
    )
    at = {x: count(H, t + 1, o), y: PULLS, z: S, u: CHOSEN}
    pull = instance(COUNTED, {k: H}, LOCKED, (LATER, AN_ARM), name="a pull is counted")
    where = applied(counted, at, pull, passed, domain=LOCKED, given=(*given, full), name="no pull")
    next_ = NextInteger(S, PULLS, LOCKED, "fewer than s")
    unit = Var(sp.Integer(0), high=ONE)
    one_more = Goal(
        Rel(x, "<=", z), {x: real(), y: real(), z: real(), u: unit}, (Rel(x, "=", y + u), Rel(z, ">=", y + 1)), "a pull"
    )
    fewer = (*given, full.negation)
    elsewhere = applied(one_more, at, pull, next_, domain=LOCKED, given=fewer, name="one pull at most")
    return Cases(full, where, elsewhere, "one round more")


def all_rounds() -> Instance:
    """n_{H,n+1} <= s: induction over the rounds after the K-th."""
    m = sp.Symbol("m")
    later = {**LOCKED, m: at_least(0, integer=True)}
    rel, until = Rel(count(H, K + 1 + m, o), "<=", S), N - K
    step_ = instance(one_round(), {t: K + 1 + m}, later, (*LOCK, rel, Rel(m + 1, "<=", until)), name="one round more")
    first = instance(ONE_EACH, {k: H}, LOCKED, (AN_ARM,), name="one pull in the first K rounds")
    rounds = Induction(rel, m, sp.Integer(0), LOCKED, LOCK, "all rounds", (), (step_,), (first,), until)
    return instance(rounds, {m: N - K}, LOCKED, (*LOCK, LONG), name="never again")


@claim(
    "them-R-Bayes-SubR/lock-out",
    by="us",
    kind="step",
    cites=("alg:arm-ucb/repaired",),
)
def lock() -> Argument:
    """Rounds 1, ..., K pull every arm once. Then, round by round, H has at most s pulls: with s it is not pulled, as
    the index of L is the larger, and with fewer it gets one more at most. The inequality is strict, so ties do not
    matter; counts, averages and the number of the other arms are arbitrary."""
    return proof(all_rounds(), letters=WORDS)
