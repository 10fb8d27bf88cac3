"""Widths along a play: after round K every arm has a reward, so tau_{k,t} is at most g of its count."""

import sympy as sp

from theory.kernel.argument import Argument, proof
from theory.kernel.claim import claim
from theory.kernel.goal import Goal, Rel, real
from theory.kernel.rules import Follows, SumOver, applied, follows, instance, restated, uses
from theory.model import bound_formulas as bounds
from theory.model.arms import LETTERS, J, Wo, n, s, s0
from theory.model.counts import PULLS, WIDEST, g, j
from theory.model.play import COUNT, LATER, OTHER_ARMS, WIDTH, WORDS, K, another, count, i, k, o, others, t, tau
from theory.ours.root_series import order_of_roots

x, y, u, v = sp.symbols("x y u v")
ONE = sp.Integer(1)
PULLED_ARM = {**PULLS, k: COUNT}


def range_of_others() -> tuple[Follows, Follows, Follows]:
    """(K-1)/(1+rho) <= v <= K-1 for the weights v of the other arms than k, and v >= 0."""
    rest, one_other = others(k, t, o), {**PULLED_ARM, i: COUNT}
    bounds_of_weights = []
    for item in ("lower", "upper"):
        own = instance(uses("w-def/bounds/repaired", item=item), {n: count(another(i, k, o), t, o)}, one_other)
        bounds_of_weights.append(SumOver(own, i, ONE, K - 1, PULLED_ARM, name=f"all other arms, {item}"))
    known = OTHER_ARMS, *bounds_of_weights
    low = follows(Rel((K - 1) * s0 / (s0 + s), "<=", rest), *known, domain=PULLED_ARM, given=(LATER,), name="at least")
    high = follows(Rel(rest, "<=", K - 1), *known, domain=PULLED_ARM, given=(LATER,), name="at most")
    some = follows(Rel(rest, ">=", 0), low, domain=PULLED_ARM, given=(LATER,), name="not negative")
    return low, high, some


@claim("ours/width/play", by="us", kind="inequality")
def width_in_play() -> Argument:
    """The weights of the other arms add up to at least that of one reward each, by their bounds; then ours/width."""
    pulls, rest = count(k, t, o), others(k, t, o)
    low, high, some = range_of_others()
    at, defined = {n: pulls, Wo: rest, J: K - 1}, (LATER, some.rel)
    lemma = uses("ours/width", item="bound")
    bound = applied(lemma, at, low, high, domain=PULLED_ARM, given=defined, name="ours/width")
    widest = instance(WIDEST, {j: pulls}, PULLED_ARM, name="g at this count")
    equal = Goal(Rel(x**2, "=", u**2), {x: real(), u: real()}, (Rel(x, "=", u),), "squares")
    at = {x: g(pulls), u: bounds.g(pulls, K, s0, s)}
    square_of_g = applied(equal, at, widest, domain=PULLED_ARM, name="its square")
    formula, most = bound.concludes.rel.stated
    square = restated(square_of_g, Rel(g(pulls) ** 2, "=", most), "its square")
    order = Rel(x, "=", u), Rel(u, "<=", v), Rel(y, "=", v)
    through = Goal(Rel(x, "<=", y), dict.fromkeys((x, y, u, v), real()), order, "through the formula")
    at = {x: tau(k, t, o) ** 2, y: g(pulls) ** 2, u: formula, v: most}
    parts = some, WIDTH, bound, square
    squares = applied(through, at, *parts, domain=PULLED_ARM, given=(LATER,), name="squares")
    at = {x: tau(k, t, o), y: g(pulls)}
    return proof(
        applied(order_of_roots(), at, squares, domain=PULLED_ARM, given=(LATER,), name="width of an arm"),
        letters={**WORDS, **{x: LETTERS[x] for x in (n, Wo)}},
    )
