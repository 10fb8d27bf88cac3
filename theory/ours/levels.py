"""The widths of two arms of one round, g(n_I) tau_k <= g(1) tau_I, and the errors of the others below their levels.

The weights of all arms add up to the same sum, whichever arm is taken first. An arm with more pulls has the smaller
width; for one with fewer pulls the contribution of the other arms is at least as large.
"""

from __future__ import annotations

import sympy as sp

from theory.kernel.argument import Argument, Item, proof
from theory.kernel.claim import claim
from theory.kernel.goal import Goal, Letter, Rel, Var, at_least, positive, real
from theory.kernel.rules import (
    Applied,
    Cases,
    Expectation,
    Follows,
    Instance,
    Monotone,
    applied,
    follows,
    instance,
    replaced,
    uses,
)
from theory.kernel.rules.compose import conclusion
from theory.kernel.terms import Mean
from theory.model import bound_formulas as bounds
from theory.model import round_errors as errors
from theory.model import round_kinds as kinds
from theory.model.arms import J, Wo, n, s, s0, tau_sq, weight
from theory.model.counts import NOW, PULLS, SPREAD, WIDEST, alpha, g, j
from theory.model.error_law import REUCB
from theory.model.normal import Density, Excess, Tail
from theory.model.play import (
    ANOTHER,
    COUNT,
    LATER,
    OTHER_ARMS,
    PULLED,
    PULLED_IS_AN_ARM,
    WIDTH,
    WORDS,
    K,
    a,
    another,
    count,
    i,
    k,
    o,
    others,
    t,
    tau,
)
from theory.model.play import N as ROUNDS
from theory.model.round_errors import CHOSEN, d, e
from theory.ours.classical.normal import ABOVE, BELOW, equal
from theory.ours.normal_errors import Side
from theory.ours.other_arms import split_off
from theory.ours.play_widths import range_of_others
from theory.ours.root_series import order_of_roots

x, y, u, v, p, q, r, N, m, A, h = sp.symbols("x y u v p q r N m A h")
S_ = sp.Symbol("s")  # of ours/psi
LAW = "ours/conditioning/law"
ONE = sp.Integer(1)
ARM = {**PULLS, k: COUNT, others(k, t, o): at_least(0)}  # a sum of weights: play_widths.range_of_others
AN_OTHER = Rel(k, "<=", K - 1)
OTHER = another(k, PULLED, o)  # the k-th other arm than the pulled one
OWN, ITS = count(PULLED, t, o), count(OTHER, t, o)  # their pulls
GIVEN = (LATER, AN_OTHER)
OTHER_NUMBER = Letter(k, "number of another arm than the pulled one, 1, ..., K - 1")


def is_an_arm() -> Follows:
    """The other arm is one of K."""
    known = instance(ANOTHER, {i: k, k: PULLED}, ARM, name="another arm")
    return follows(Rel(OTHER, "<=", K), known, domain=ARM, given=GIVEN, name="one of K")


def all_weights(arm: sp.Expr, one_of_K: Item) -> Applied:
    """The weight of an arm and those of the others are the weights of all arms."""
    split = split_off(weight(count(k, t, o)), arm, ARM)
    rest = instance(OTHER_ARMS, {k: arm}, ARM, (LATER,), name="the others")
    total, own = split.concludes.rel.stated[0], weight(count(arm, t, o))
    known = Rel(u, "=", p + q), Rel(v, "=", q)
    lemma = Goal(Rel(p + v, "=", u), dict.fromkeys((p, q, u, v), real()), known, "with their sum")
    at = {u: total, p: own, q: rest.concludes.rel.stated[1], v: others(arm, t, o)}
    return applied(lemma, at, one_of_K, split, rest, domain=ARM, given=GIVEN, name="all weights")


def same_sum() -> Applied:
    """Both arms see the same sum of weights."""
    sums = all_weights(PULLED, PULLED_IS_AN_ARM), all_weights(OTHER, is_an_arm())
    known = Rel(p, "=", u), Rel(q, "=", u)
    lemma = Goal(Rel(p, "=", q), dict.fromkeys((p, q, u), real()), known, "both are it")
    (left, total), (right, _) = (item.concludes.rel.stated for item in sums)
    return applied(lemma, {p: left, q: right, u: total}, *sums, domain=ARM, given=GIVEN, name="the same sum")


def squares(pulls: sp.Expr) -> Applied:
    """g(j)^2 = sigma^2/(j + alpha)."""
    widest = instance(WIDEST, {j: pulls}, ARM, name="g at this count")
    equal = Goal(Rel(x**2, "=", u**2), {x: real(), u: real()}, (Rel(x, "=", u),), "squares")
    return applied(equal, {x: g(pulls), u: bounds.g(pulls, K, s0, s)}, widest, domain=ARM, name="its square")


def range_at(arm: sp.Expr) -> tuple[Instance, Instance, Instance]:
    """The range of the weights of the other arms than this one."""
    low, high, some = (instance(item, {k: arm}, ARM, (LATER,), name=item.name) for item in range_of_others())
    return low, high, some


def width_at(arm: sp.Expr) -> Applied:
    """Eq. MSE for this arm."""
    return applied(WIDTH, {k: arm}, domain=ARM, given=(LATER,), name="Eq. MSE")


MORE = Rel(ITS, ">=", OWN)


def more_pulls() -> Applied:
    """tau_k <= tau_I if arm k has at least as many pulls, and g(n_I) <= g(1)."""
    given = (*GIVEN, MORE)
    sizes = {N: at_least(1), m: at_least(1), A: positive(), s: positive(), s0: positive()}

    def square_of(pulls: sp.Expr) -> sp.Expr:
        return tau_sq.xreplace({n: pulls, Wo: A - weight(pulls)})

    narrower = Goal(Rel(square_of(m), "<=", square_of(N)), sizes, (Rel(m, ">=", N),), "more pulls, less width")
    total = weight(ITS) + others(OTHER, t, o)
    order = applied(narrower, {N: OWN, m: ITS, A: total}, domain=ARM, given=given, name="less width")
    own = width_at(PULLED)
    rel = Rel(tau(PULLED, t, o) ** 2, "=", square_of(OWN).xreplace({A: total}))
    moved = replaced(own, same_sum(), rel, ARM, GIVEN, "Eq. MSE with the same sum")
    smaller = Goal(Rel(s / (N + r), "<=", s / (1 + r)), {N: at_least(1), r: at_least(0), s: positive()}, name="g falls")
    falls = instance(smaller, {N: OWN, r: alpha}, ARM, name="g falls")
    facts = Rel(x, "=", u), Rel(y, "=", v), Rel(u, "<=", v)
    lemma = Goal(Rel(x, "<=", y), dict.fromkeys((x, y, u, v), real()), facts, "in order")
    at = {x: tau(OTHER, t, o) ** 2, y: tau(PULLED, t, o) ** 2, u: square_of(ITS).xreplace({A: total}), v: rel.right}
    widths = applied(lemma, at, width_at(OTHER), moved, order, domain=ARM, given=given, name="less width")
    at = {x: at[x], y: at[y], p: s / (OWN + alpha), q: s / (1 + alpha)}
    return applied(BOTH, at, widths, falls, domain=ARM, given=given, name="squared widths")


BOTH = Goal(
    Rel(p * x, "<=", q * y),
    {x: real(), y: at_least(0), p: at_least(0), q: real()},
    (Rel(x, "<=", y), Rel(p, "<=", q)),
    "both factors",
)


def borrowed(others_: sp.Expr) -> sp.Expr:
    """rho v/(1+v): the contribution of the other arms, as a number of rewards."""
    return s * others_ / (s0 * (1 + others_))


def borrows(arm: sp.Expr) -> Applied:
    """tau^2 = sigma^2/(n + rt)."""
    pulls, rest = count(arm, t, o), others(arm, t, o)
    form = uses("ours/leave-one-out", {n: pulls, Wo: rest, J: K - 1}, item="width", domain=ARM)
    lemma = Goal(Rel(x, "=", v), dict.fromkeys((x, u, v), real()), (Rel(x, "=", u), Rel(u, "=", v)), "in other words")
    at = {x: tau(arm, t, o) ** 2, u: width_at(arm).concludes.rel.stated[1], v: s / (pulls + borrowed(rest))}
    return applied(
        lemma, at, width_at(arm), *range_at(arm)[:2], form, domain=ARM, given=(LATER,), name="borrowed rewards"
    )


def fewer_pulls() -> Applied:
    """Arm k has at most as many pulls, and the contribution of the other arms is at least as large: (1 + alpha)(n_I +
    rt_I) <= (n_I + alpha)(n_k + rt_k)."""
    given = (*GIVEN, MORE.negation)
    sizes = {N: at_least(1), m: at_least(1), s: positive(), s0: positive()}
    lighter = Goal(Rel(weight(m), "<=", weight(N)), sizes, (Rel(m, "<=", N),), "fewer pulls, less weight")
    less = applied(lighter, {N: OWN, m: ITS}, domain=ARM, given=given, name="less weight")
    rest, its = others(PULLED, t, o), others(OTHER, t, o)
    known = Rel(p + x, "=", q + y), Rel(q, "<=", p)
    lemma = Goal(Rel(x, "<=", y), dict.fromkeys((p, q, x, y), real()), known, "more from the others")
    at = {p: weight(OWN), x: rest, q: weight(ITS), y: its}
    more = applied(lemma, at, same_sum(), less, domain=ARM, given=given, name="more from the others")
    free = {x: at_least(0), y: at_least(0), s: positive(), s0: positive()}
    rises = Goal(Rel(borrowed(x), "<=", borrowed(y)), free, (Rel(x, "<=", y),), "borrowed rewards rise")
    rent = applied(rises, {x: rest, y: its}, more, domain=ARM, given=given, name="more borrowed rewards")
    floor = uses("ours/leave-one-out/range", {n: OWN, Wo: rest, J: K - 1}, item="at least alpha", domain=ARM)
    numbers = {N: at_least(1), m: at_least(1), r: at_least(0), x: at_least(0), y: at_least(0)}
    facts = Rel(x, "<=", y), Rel(r, "<=", x)
    ratio = Goal(Rel((1 + r) * (N + x), "<=", (N + r) * (m + y)), numbers, facts, "the ratio of the squared widths")
    at = {N: OWN, m: ITS, r: alpha, x: borrowed(rest), y: borrowed(its)}
    order = applied(
        ratio, at, rent, *range_at(PULLED)[:2], floor, domain=ARM, given=given, name="squared widths, inverted"
    )
    free = {**dict.fromkeys((s, p, q, u, v), positive())}
    inverted = Goal(Rel(s / u * (s / p), "<=", s / v * (s / q)), free, (Rel(v * q, "<=", u * p),), "inverted")
    at = {u: OWN + alpha, p: ITS + borrowed(its), v: 1 + alpha, q: OWN + borrowed(rest)}
    squares_ = applied(inverted, at, order, domain=ARM, given=given, name="squared widths")
    equations = Rel(u * p, "<=", v * q), Rel(x, "=", p), Rel(y, "=", q)
    lemma = Goal(Rel(u * x, "<=", v * y), dict.fromkeys((u, v, p, q, x, y), real()), equations, "in other words")
    at = {u: s / (OWN + alpha), v: s / (1 + alpha), p: s / (ITS + borrowed(its)), q: s / (OWN + borrowed(rest))}
    at |= {x: tau(OTHER, t, o) ** 2, y: tau(PULLED, t, o) ** 2}
    parts = squares_, borrows(OTHER), borrows(PULLED)
    return applied(lemma, at, *parts, domain=ARM, given=given, name="squared widths")


def wide(arm: sp.Expr) -> Applied:
    """tau > 0."""
    root = sp.sqrt(s / (count(arm, t, o) + borrowed(others(arm, t, o))))
    at = {x: root, y: tau(arm, t, o)}
    below = applied(order_of_roots(x), at, borrows(arm), domain=ARM, given=(LATER,), name="the root")
    above = Goal(Rel(y, ">", 0), {x: positive(), y: real()}, (Rel(x, "<=", y),), "above a positive number")
    return applied(above, at, below, domain=ARM, given=(LATER,), name="a width is positive")


def ratio() -> Applied:
    """g(n_I) tau_k <= g(1) tau_I."""
    either = Cases(MORE, more_pulls(), fewer_pulls(), "squared widths")
    facts = Rel(u * x**2, "<=", v * y**2), Rel(p**2, "=", u), Rel(q**2, "=", v)
    numbers = dict.fromkeys((u, v, x, y, p, q), real())
    lemma = Goal(Rel((p * x) ** 2, "<=", (q * y) ** 2), numbers, facts, "squares of products")
    own, its = tau(PULLED, t, o), tau(OTHER, t, o)
    at = {u: s / (OWN + alpha), v: s / (1 + alpha), p: g(OWN), q: g(ONE), x: its, y: own}
    order = applied(lemma, at, either, squares(OWN), squares(ONE), domain=ARM, given=GIVEN, name="squares")
    parts = wide(PULLED), order
    return applied(order_of_roots(), {x: g(OWN) * its, y: g(ONE) * own}, *parts, domain=ARM, given=GIVEN, name="widths")


@claim(
    "ours/width-ratio/play",
    by="us",
    kind="inequality",
    cites=("ours/width-ratio",),
)
def ratio_in_play() -> Argument:
    """All arms see the same sum of weights. An arm with at least as many pulls as the pulled one has no larger width;
    one with fewer borrows at least as much from the others, rt_k >= rt_I >= alpha."""
    return proof(ratio(), letters={**WORDS, k: OTHER_NUMBER})


# Errors of the other arms below their levels -b tau_k, b tau_k = s_t tau_k + (s_n - s_t) tau_I, given the differences.
AGENT = REUCB.among({**kinds.ALL, h: real()}, NOW)
ROUND, ITS_WIDTH, OWN_WIDTH = AGENT.domain, tau(kinds.OTHER, t, d), tau(CHOSEN, t, d)
NEXT = Rel(k, "<=", K - 1)
HERE = (LATER, NOW, NEXT)
LEVEL = Rel(h * ITS_WIDTH, "=", kinds.WIDTH * ITS_WIDTH + (kinds.LAST_WIDTH - kinds.WIDTH) * OWN_WIDTH)
THETA = kinds.THETA.xreplace({j: kinds.pulls})
STEP = THETA - kinds.WIDTH  # (s_n - s_t) g(n_I)/g(1)


def lifted() -> Applied:
    """E(X_I + s_t tau_I)^+ <= g(n_I) (s_t + Psi(s_t))."""
    given, S = (LATER, NOW), kinds.WIDTH
    mean = Side(AGENT, LAW, ABOVE, -S, CHOSEN, strict=False).excess(-S)
    value = Goal(
        Rel(mean.concludes.rel.stated[1], "=", OWN_WIDTH * (S + Excess(S))), ROUND, given, name="s_t + Psi(s_t)"
    )
    total = equal(Expectation(kinds.REST, (e,)), mean, value, domain=ROUND, given=given, name="mean of a positive part")
    bound = instance(uses("ours/width/play"), {k: CHOSEN, o: d}, ROUND, given, name="width of the pulled arm")
    above = instance(uses("ours/psi", item="positive"), {S_: S}, ROUND, given, name="Psi > 0")
    facts = Rel(x, "=", y * u), Rel(y, "<=", p), Rel(v, "=", u), Rel(u, ">=", 0)
    lemma = Goal(Rel(x, "<=", p * v), dict.fromkeys((x, y, u, v, p), real()), facts, "a larger width")
    sign = follows(Rel(S + Excess(S), ">=", 0), above, domain=ROUND, given=given, name="not negative")
    at = {x: Mean(kinds.rest, e), y: OWN_WIDTH, u: S + Excess(S), v: kinds.lift(t), p: g(kinds.pulls)}
    parts = total, bound, kinds.LIFT, sign
    return applied(lemma, at, *parts, domain=ROUND, given=given, name="the error of the pulled arm")


def factors_in_order() -> Applied:
    """s_t <= s_n."""
    given = (LATER, NOW)
    now = Goal(Rel(t, "<=", ROUNDS), ROUND, given, "up to round n")
    late = {x: Var(ONE, strict=True), a: positive()}
    rises = Monotone(now, sp.sqrt(a * sp.log(x)), x, late, name="the factor rises")
    ends = factor(t), factor(ROUNDS)
    sides = [item.concludes.rel.stated for item in ends]
    facts = Rel(p, "=", x), Rel(q, "=", y), Rel(x, "<=", y)
    lemma = Goal(Rel(p, "<=", q), dict.fromkeys((p, q, x, y), real()), facts, "in order")
    at = {p: sides[0][0], x: sides[0][1], q: sides[1][0], y: sides[1][1]}
    return applied(lemma, at, *ends, rises, domain=ROUND, given=given, name="s_t <= s_n")


def factor(rounds: sp.Expr) -> Applied:
    """s_t = sqrt(a log t)."""
    return applied(SPREAD, {t: rounds}, domain=ROUND, given=(LATER, NOW), name="the factor of a width")


def step_below() -> Applied:
    """theta - s_t <= b - s_t: (s_n - s_t) g(n_I)/g(1) tau_k <= (s_n - s_t) tau_I = (b - s_t) tau_k."""
    widths = instance(uses("ours/width-ratio/play"), {o: d}, ROUND, HERE, name="widths")
    free = {**dict.fromkeys((x, y, u), real()), v: positive(), p: at_least(0)}
    scaled = Goal(Rel(p * u / v * x, "<=", p * y), free, (Rel(u * x, "<=", v * y),), "times s_n - s_t")
    gap = kinds.LAST_WIDTH - kinds.WIDTH
    given = (*HERE, LEVEL, Rel(ITS_WIDTH, ">", 0))
    at = {x: ITS_WIDTH, y: OWN_WIDTH, u: g(kinds.pulls), v: g(ONE), p: gap}
    parts = factors_in_order(), widths
    order = applied(scaled, at, *parts, domain=ROUND, given=given, name="times s_n - s_t")
    divide = Goal(Rel(p, "<=", v / q), {p: real(), v: real(), q: positive()}, (Rel(p * q, "<=", v),), "divided by tau")
    at = {p: STEP, v: (h - kinds.WIDTH) * ITS_WIDTH, q: ITS_WIDTH}
    known = Rel(at[p] * at[q], "<=", at[v])
    below = follows(known, order, domain=ROUND, given=given, name="(b - s_t) tau_k")
    return applied(divide, at, below, domain=ROUND, given=given, name="theta <= b")


LOW = (*HERE, LEVEL, Rel(ITS_WIDTH, ">", 0))


def falling(f: sp.Expr, name: str) -> Applied:
    """f(b) <= f(theta) for an expression f in x that falls from s_t on; s is s_t."""
    order = Goal(Rel(x, "<=", y), {x: at_least(0), y: at_least(0)}, (Rel(x, "<=", y),), "in order")
    slope = Monotone(order, -f.xreplace({x: S_ + p}), p, {p: at_least(0), S_: at_least(0)}, name=name)
    at = {x: STEP, y: h - kinds.WIDTH}
    steps = step_sign(), step_below()
    between = Goal(Rel(y, ">=", 0), {x: real(), y: real()}, (Rel(x, ">=", 0), Rel(x, "<=", y)), "in between")
    above = applied(between, at, *steps, domain=ROUND, given=LOW, name="b >= s_t")
    return applied(slope, {**at, S_: kinds.WIDTH}, *steps, above, domain=ROUND, given=LOW, name=name)


def step_sign() -> Applied:
    """theta >= s_t."""
    low = Goal(Rel(p * u / v, ">=", 0), {p: at_least(0), u: at_least(0), v: positive()}, name="a step")
    at = {p: kinds.LAST_WIDTH - kinds.WIDTH, u: g(kinds.pulls), v: g(ONE)}
    return applied(low, at, factors_in_order(), domain=ROUND, given=(LATER, NOW), name="theta >= s_t")


def at_level(found: Item, definition: Item, sign: int) -> Applied:
    """The mean of what `definition` defines, from `found`, which says it of b tau_k, or of its negative."""
    left, right = conclusion(found).rel.stated
    before, after = sign * LEVEL.left, sp.expand_mul(sign * LEVEL.right)
    body = left.args[0].xreplace({before: after})
    same = Goal(Rel(before, "=", after), ROUND, LOW, "the level")
    moved = replaced(found, same, Rel(Mean(body, e), "=", right), ROUND, LOW, "at the level")
    return equal(Expectation(definition, (e,)), moved, domain=ROUND, given=LOW, name="at the level")


def without_level(item: Applied) -> Applied:
    """The same for b = (s_t tau_k + (s_n - s_t) tau_I)/tau_k, as tau_k > 0."""
    return applied(item, {h: B}, domain=ROUND, given=WIDE, name=item.concludes.name)


def positive_width() -> Instance:
    return instance(wide(OTHER), {o: d}, ROUND, HERE, name="a width is positive")


WIDE = (*HERE, Rel(ITS_WIDTH, ">", 0))
B = LEVEL.right / ITS_WIDTH


def above_level() -> Applied:
    """P(X_k >= -b tau_k) = 1 - Q(b) >= 1 - Q(theta)."""
    chance = instance(Side(AGENT, LAW, ABOVE, -h, kinds.OTHER, strict=False).law(0), {}, ROUND, LOW, name="chance")
    other = Goal(Rel(Tail(-h), "=", 1 - Tail(h)), {h: real()}, name="the opposite chance")
    mean = equal(at_level(chance, kinds.ABOVE, 1), other, domain=ROUND, given=LOW, name="above")
    miss = instance(kinds.MISS, {j: kinds.pulls}, ROUND, (LATER, NOW), name="Q at theta")
    facts = Rel(x, "=", 1 - u), Rel(-v, "<=", -u), Rel(p, "=", v)
    lemma = Goal(Rel(x, ">=", 1 - p), dict.fromkeys((x, u, v, p), real()), facts, "at most Q at theta")
    at = {x: Mean(kinds.above(k, t, d, e), e), u: Tail(B), v: Tail(THETA), p: kinds.miss(t, kinds.pulls)}
    parts = positive_width(), without_level(mean), without_level(falling(Tail(x), "Q falls")), miss
    return applied(lemma, at, *parts, domain=ROUND, given=HERE, name="an error above its level")


def beyond_level() -> Applied:
    """E[(-X_k - s_t tau_k) 1{X_k < -b tau_k}] = tau_k (phi - s_t Q)(b) <= g(1) (phi - s_t Q)(theta)."""
    S = kinds.WIDTH
    size = instance(Side(AGENT, LAW, BELOW, h, kinds.OTHER).excess(S), {}, ROUND, LOW, name="size")
    mean = without_level(at_level(size, kinds.BEYOND, -1))
    order = without_level(falling(Density(x) - S_ * Tail(x), "phi - s Q falls"))
    tail = instance(kinds.TAIL, {j: kinds.pulls}, ROUND, (LATER, NOW), name="phi - s Q at theta")
    own = instance(uses("ours/width/play"), {k: kinds.OTHER, o: d}, ROUND, (LATER, NOW), name="width of another arm")
    first = instance(
        uses("ours/width/shape"), {j: ONE, k: count(kinds.OTHER, t, d)}, ROUND, (LATER, NOW), name="g falls"
    )
    excess = instance(uses("ours/psi", item="positive"), {S_: THETA}, ROUND, (LATER, NOW), name="Psi > 0")
    free = {x: at_least(0), y: real(), p: real(), u: at_least(0)}
    positive_ = Goal(Rel(p - y * u, ">=", 0), free, (Rel(p - (y + x) * u, ">", 0),), "not negative at theta")
    sign = applied(
        positive_,
        {p: Density(THETA), y: S, x: STEP, u: Tail(THETA)},
        step_sign(),
        excess,
        domain=ROUND,
        given=(LATER, NOW),
        name="not negative",
    )
    width = follows(Rel(ITS_WIDTH, "<=", g(ONE)), own, first, domain=ROUND, given=(LATER, NOW), name="at most g(1)")
    here, there = Density(B) - S * Tail(B), Density(THETA) - S * Tail(THETA)
    flipped = Goal(Rel(x, "<=", y), {x: real(), y: real()}, (Rel(-y, "<=", -x),), "the other way round")
    less = applied(flipped, {x: here, y: there}, order, domain=ROUND, given=WIDE, name="less than at theta")
    at = {x: here, y: there, p: ITS_WIDTH, q: g(ONE)}
    product = applied(BOTH, at, sign, less, width, domain=ROUND, given=WIDE, name="both factors")
    facts = Rel(x, "=", u), Rel(u, "<=", p * q), Rel(r, "=", q)
    lemma = Goal(Rel(x, "<=", p * r), dict.fromkeys((x, u, p, q, r), real()), facts, "in other words")
    at = {x: Mean(kinds.beyond(k, t, d, e), e), u: ITS_WIDTH * here, p: g(ONE), q: there, r: kinds.tail(t, kinds.pulls)}
    parts = positive_width(), mean, product, tail
    return applied(lemma, at, *parts, domain=ROUND, given=HERE, name="an error beyond its level")


@claim("ours/conditioning/levels", by="us", kind="statement")
def levels() -> Argument:
    """For the counting bound: the chance and the size of errors below their levels. With b tau_k = s_t tau_k + (s_n -
    s_t) tau_I, b >= theta_t(n_I) by ours/width-ratio/play, and Q and phi - s_t Q fall from s_t on."""
    return proof(above_level(), lifted(), beyond_level(), letters={**kinds.WORDS, **errors.GIVEN, k: OTHER_NUMBER})
