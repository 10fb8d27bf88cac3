"""Pulls as pairs of an arm and a count: each pair is met in at most one round after the first K.

h(k, j) is any quantity of the pull of arm k at count j. The sum over the rounds of what was met is a sum over pairs.
"""

from collections.abc import Mapping

import sympy as sp

from theory.kernel.argument import Argument, proof
from theory.kernel.claim import claim
from theory.kernel.goal import Goal, Letter, Rel, Var, at_least, real
from theory.kernel.rules import Exchange, Follows, Indicates, SumOver, applied, follows
from theory.kernel.terms import Event
from theory.model.counts import LONG, ONE_PAIR, PAIR_ONCE, PULLS, counts, hit, j
from theory.model.functions import quantity
from theory.model.play import COUNT, WORDS, K, N, k, o, t
from theory.ours.counting import EXTRA, ONE

c, d, p, e = sp.symbols("c d p e")
eta = sp.Symbol("eta")
ARMS, AN_ARM = (k, ONE, K), Rel(k, "<=", K)
ROUNDS = (t, K + 1, N)
PAIR = hit(t, k, j, o)
MADE = sp.Sum(PAIR, ROUNDS)  # 1 if arm k is pulled at count j, 0 if not
Domain = Mapping[sp.Expr, Var]


def met(h: sp.Expr) -> sp.Expr:
    """The sum over the rounds after the first K of what h is for the arm pulled and its count."""
    return sp.Sum(PAIR * h, counts, ARMS, ROUNDS)


def by_pairs(h: sp.Expr, domain: Domain) -> Follows:
    """The sum over rounds as one over arms and counts."""
    arm = {**domain, k: COUNT}
    outer = Exchange(sp.Sum(PAIR * h, counts), ARMS, ROUNDS, domain, "arms first")
    inner = Exchange(PAIR * h, counts, ROUNDS, arm, "counts first")
    every = SumOver(inner, k, ONE, K, domain, name="counts first, every arm")
    total = Rel(met(h), "=", sp.Sum(h * MADE, counts, ARMS))
    return follows(total, outer, every, domain=domain, name="arm by arm and count by count")


def made_or_not(domain: Domain) -> tuple[SumOver, Follows]:
    """0 <= MADE <= 1."""
    term = Goal(Rel(c, ">=", 0), {c: at_least(0)}, name="not less than never")
    least = SumOver(term, t, K + 1, N, domain, family={c: PAIR}, given=(LONG,), name="made or not")
    return least, follows(Rel(MADE, "<=", 1), PAIR_ONCE, domain=domain, given=(LONG, AN_ARM), name="at most once")


def number_of_rounds(domain: Domain) -> Follows:
    """Every round makes one pull: the pairs that are made are as many as the rounds after the first K."""
    each = SumOver(ONE_PAIR, t, K + 1, N, domain, given=(LONG,), name="one pull in every round")
    total = Rel(sp.Sum(MADE, counts, ARMS), "=", EXTRA)
    return follows(total, each, by_pairs(ONE, domain), domain=domain, given=(LONG,), name="pulls after the first K")


def positive_part(h: sp.Expr) -> sp.Expr:
    """(h - eta)^+."""
    return Event(h - eta, 0) * (h - eta)


def dual(h: sp.Expr, domain: Domain, given: tuple[Rel, ...] = (LONG,)) -> Follows:
    """What the rounds after the first K meet of h is at most the price eta of every pull and all positive parts."""
    pair, arm = {**domain, k: COUNT, j: COUNT}, (*given, AN_ARM)
    part = positive_part(h)
    above = Indicates(h - eta, pair, name="at most its positive part")
    least = Indicates(h - eta, pair, name="a positive part", part=True)
    numbers = {c: at_least(0), d: real(), p: at_least(0)}
    product = Goal(Rel(c * d, "<=", p), numbers, (Rel(c, "<=", 1), Rel(d, "<=", p)), "made or not")
    rest = Goal(Rel(d, "<=", e * d), {d: real(), e: real()}, (Rel((1 - e) * d, "<=", 0),), "what is left")
    over = applied(rest, {d: h - eta, e: Event(h - eta, 0)}, above, domain=pair, given=given, name="at most its part")
    at = {c: MADE, d: h - eta, p: part}
    one = applied(product, at, *made_or_not(pair), least, over, domain=pair, given=arm, name="one pair")
    counted = SumOver(one, j, ONE, EXTRA, {**domain, k: COUNT}, given=arm, name="all counts")
    every = SumOver(counted, k, ONE, K, domain, given=given, name="all arms")
    rounds = number_of_rounds(domain)
    factor = Goal(Rel(d * c, "=", d * p), dict.fromkeys((c, d, p), real()), (Rel(c, "=", p),), "times the price")
    at = {d: eta, c: rounds.rel.left, p: EXTRA}
    priced = applied(factor, at, rounds, domain=domain, given=given, name="the price of all pulls")
    total = Rel(met(h), "<=", eta * EXTRA + sp.Sum(part, counts, ARMS))
    summed = by_pairs(h, domain), priced, every
    return follows(total, *summed, domain=domain, given=given, name="duality")


@claim("ours/duality", by="us", kind="inequality")
def duality() -> Argument:
    """A price eta per pull turns the constraint on the number of pulls into a sum of positive parts: a pull that was
    made costs at most its positive part and the price, and those not made only add."""
    h = quantity("h", "h_{{{}}}({})", meaning="k j: any quantity of an arm and a count")(k, j, o)
    return proof(dual(h, {**PULLS, eta: real(), h: real()}), letters={**WORDS, eta: Letter(eta, "any number")})
