"""Theorem 2 with a smaller last term: sqrt(beta) in place of beta, and half of it."""

import sympy as sp

from theory.kernel.argument import Argument, proof
from theory.kernel.claim import claim
from theory.kernel.goal import Goal, Rel, at_least, real
from theory.kernel.rules import Applied, Cases, NextInteger, applied, follows, instance, restated, uses
from theory.model import bound_formulas as bounds
from theory.model.arms import s, s0
from theory.model.counts import PULLS, WIDEST, G, g, j
from theory.model.play import K, N, a
from theory.model.regret import R_N, WORDS
from theory.model.regret_bounds import BETA as NAMED_BETA
from theory.model.regret_bounds import ELL, T_1
from theory.ours.counting import ONE
from theory.ours.equal_shares import BETA, MORE
from theory.ours.root_series import linked, order_of_roots
from theory.ours.sharp import FIRST, IN_TURN_WIDTHS, TAILS, equal_tails
from theory.ours.theorem_gaussian import SEVERAL, SPREAD_AT_ONE, WIDE, lead, most, named_ratio, tail

x, y, z, u, v = sp.symbols("x y z u v")
ROOT = sp.sqrt(BETA)
LAST = tail(1) / (2 * ROOT)


def tails() -> Applied:
    """K g(1) times the sum of Psi, with g(1)^2 = beta sigma^2/(1+rho) as it is."""
    given = (MORE,)
    equal = Goal(Rel(x**2, "=", u**2), {x: real(), u: real()}, (Rel(x, "=", u),), "squares")
    square = applied(equal, {x: g(ONE), u: bounds.g(ONE, K, s0, s)}, instance(WIDEST, {j: ONE}, PULLS), domain=PULLS)
    squares = follows(Rel(g(ONE) ** 2, "<=", (ROOT * SPREAD_AT_ONE) ** 2), square, domain=PULLS, name="g(1)^2")
    at = {x: g(ONE), y: ROOT * SPREAD_AT_ONE}
    one = applied(order_of_roots(), at, squares, domain=PULLS, name="after one pull")
    product = Goal(
        Rel(x * y * z, "<=", x * u * v),
        {z: real(), u: real(), **dict.fromkeys((x, y, v), at_least(0))},
        (Rel(y, "<=", u), Rel(z, "<=", v)),
        "widths times tails",
    )
    sums = uses("ours/psi/sum", item="a >= 1")
    at = {x: K, y: g(ONE), z: sums.concludes.rel.stated[0], u: ROOT * SPREAD_AT_ONE, v: most(1)}
    below = applied(product, at, one, sums, domain=WIDE, given=given, name="K arms")
    half = Goal(Rel(K * ROOT * SPREAD_AT_ONE * most(1), "=", LAST), SEVERAL, name="half of the printed term")
    return linked(equal_tails(), below, half, domain=WIDE, given=given, name="tails", left=TAILS)


def many_rounds() -> Applied:
    """n > K: first pulls and widths below the leading term, and the tails."""
    whole = Goal(
        Rel(x + y + z, "<=", u + v),
        dict.fromkeys((x, y, z, u, v), real()),
        (Rel(x + y, "<=", u), Rel(z, "<=", v)),
        "leading and last term",
    )
    at = {x: K * FIRST, y: IN_TURN_WIDTHS, z: TAILS, u: lead(G(N)), v: LAST}
    parts = uses("ours/sharp/leading"), tails()
    return applied(whole, at, *parts, domain=WIDE, given=(MORE,), name="n > K")


@claim("ours/root-price", by="us", kind="bound")
def root_price() -> Argument:
    """The proof of Theorem 2 repaired gives its last term with sqrt(beta) in place of beta, and half of that: after one
    pull the width is sqrt(beta sigma^2/(1+rho)), and there is one tail instead of two."""
    short = Rel(N, "<=", K)
    more = Goal(Rel(x, "<=", u + v), {x: real(), u: real(), v: at_least(0)}, (Rel(x, "<=", u),), "and the last term")
    blind = uses("them-R-Bayes/repaired/short-horizons", item="regret")
    few = applied(more, {x: R_N, u: lead(G(N)), v: LAST}, blind, domain=SEVERAL, given=(short,), name="n <= K")
    known = (NextInteger(N, K, SEVERAL),)
    rounds = uses("ours/sharp", item="n >= K")
    many = linked(rounds, many_rounds(), domain=SEVERAL, given=(short.negation,), name="n > K", known=known)
    either = Cases(short, few, many, "any number of rounds")
    named = Goal(
        Rel(x, "<=", z + v), dict.fromkeys((x, u, v, z), real()), (Rel(x, "<=", u + v), Rel(u, "=", z)), "by name"
    )
    at = {x: R_N, u: lead(G(N)), v: LAST, z: ELL}
    whole = applied(named, at, either, named_ratio(), domain=SEVERAL, name="leading and last term")
    stated = Rel(R_N, "<=", ELL + T_1 / (2 * sp.sqrt(NAMED_BETA)))
    return proof(restated(whole, stated, "smaller last term"), letters={**WORDS, a: WORDS[a]})
