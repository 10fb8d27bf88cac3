"""The widths of two arms of one round, g(n_I) tau_k <= g(1) tau_I, and the errors of the others below their levels.

The weights of all arms add up to the same sum, whichever arm is taken first. An arm with more pulls has the smaller
width; one with fewer pulls borrows at least as much from the others.
"""

from __future__ import annotations

import sympy as sp

from theory.kernel.argument import Argument, Item, proof
from theory.kernel.claim import claim
from theory.kernel.goal import Goal, Rel, at_least, positive, real
from theory.kernel.rules import Applied, Cases, Follows, Instance, applied, follows, instance, replaced, uses
from theory.model import bound_formulas as bounds
from theory.model.arms import J, Wo, n, s, s0, tau_sq, weight
from theory.model.counts import PULLS, WIDEST, alpha, g, j
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
    another,
    count,
    i,
    k,
    o,
    others,
    t,
    tau,
)
from theory.ours.other_arms import split_off
from theory.ours.play_widths import range_of_others
from theory.ours.root_series import order_of_roots

x, y, u, v, p, q, r, N, m, A = sp.symbols("x y u v p q r N m A")
ONE = sp.Integer(1)
ARM = {**PULLS, k: COUNT, others(k, t, o): at_least(0)}  # a sum of weights: play_widths.range_of_others
AN_OTHER = Rel(k, "<=", K - 1)
OTHER = another(k, PULLED, o)  # the k-th other arm than the pulled one
OWN, ITS = count(PULLED, t, o), count(OTHER, t, o)  # their pulls
GIVEN = (LATER, AN_OTHER)


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
    """rho v/(1+v): what an arm borrows from the others."""
    return s * others_ / (s0 * (1 + others_))


def borrows(arm: sp.Expr) -> Applied:
    """tau^2 = sigma^2/(n + rt)."""
    pulls, rest = count(arm, t, o), others(arm, t, o)
    form = uses("ours/leave-one-out", {n: pulls, Wo: rest, J: K - 1}, item="width", domain=ARM)
    lemma = Goal(Rel(x, "=", v), dict.fromkeys((x, u, v), real()), (Rel(x, "=", u), Rel(u, "=", v)), "in other words")
    at = {x: tau(arm, t, o) ** 2, u: width_at(arm).concludes.rel.stated[1], v: s / (pulls + borrowed(rest))}
    return applied(lemma, at, width_at(arm), *range_at(arm)[:2], form, domain=ARM, given=(LATER,), name="borrowed rewards")


def fewer_pulls() -> Applied:
    """Arm k has at most as many pulls: it borrows at least as much, (1 + alpha)(n_I + rt_I) <= (n_I + alpha)(n_k + rt_k)."""
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
    order = applied(ratio, at, rent, *range_at(PULLED)[:2], floor, domain=ARM, given=given, name="squared widths, inverted")
    free = {**dict.fromkeys((s, p, q, u, v), positive())}
    inverted = Goal(Rel(s / u * (s / p), "<=", s / v * (s / q)), free, (Rel(v * q, "<=", u * p),), "inverted")
    at = {u: OWN + alpha, p: ITS + borrowed(its), v: 1 + alpha, q: OWN + borrowed(rest)}
    squares_ = applied(inverted, at, order, domain=ARM, given=given, name="squared widths")
    facts = Rel(u * p, "<=", v * q), Rel(x, "=", p), Rel(y, "=", q)
    lemma = Goal(Rel(u * x, "<=", v * y), dict.fromkeys((u, v, p, q, x, y), real()), facts, "in other words")
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
    uses=("ours/leave-one-out", "ours/leave-one-out/range", "ours/other-arms", "w-def/bounds/repaired"),
    cites=("ours/width-ratio",),
)
def ratio_in_play() -> Argument:
    """All arms see the same sum of weights. An arm with at least as many pulls as the pulled one has no larger width;
    one with fewer borrows at least as much from the others, rt_k >= rt_I >= alpha."""
    return proof(ratio(), letters=WORDS)
