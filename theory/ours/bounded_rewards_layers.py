"""Rewards in [0, 1]: layers of means. What a pull of arm k costs is at most the parts of all layers above its mean."""

import sympy as sp

from theory.kernel.argument import Argument, proof
from theory.kernel.claim import claim
from theory.kernel.goal import Goal, Rel, Var, real
from theory.kernel.rules import Applied, Follows, Indicates, Telescoping, applied, follows
from theory.kernel.terms import Event
from theory.model import bounded_play as play
from theory.model.bounded_play import LAYERS, PLAY, WORDS, K, L, edge, i, k, length, m, mu, o, y
from theory.model.play import positive_part

p, q, u, v = sp.symbols("p q u v")
BIT = Var(sp.Integer(0), integer=True, high=sp.Integer(1))
FREE = {x: var for x, var in PLAY.items() if x != length(i, k, o)}
UPPER, LOWER = edge(i, y) - mu(k, o), edge(i - 1, y) - mu(k, o)


def parts_in_order() -> Follows:
    """p u - q v >= 0, if p u and q v are the positive parts of u >= v: q v <= q u <= q p u <= p u."""
    numbers = {u: real(), v: real(), p: BIT, q: BIT}
    order, above, below = Rel(v, "<=", u), Rel(p * u, ">=", 0), Rel((1 - p) * u, "<=", 0)
    steps = (
        Goal(Rel(q * v, "<=", q * u), numbers, (order,), "times an event"),
        Goal(Rel(q * u, "<=", q * p * u), numbers, (below,), "at most the positive part"),
        Goal(Rel(q * p * u, "<=", p * u), numbers, (above,), "an event is at most 1"),
    )
    given = order, above, below
    return follows(
        Rel(p * u - q * v, ">=", 0), *steps, domain=numbers, given=given, name="positive parts keep the order"
    )


def of_layer(at: dict[sp.Expr, sp.Expr], name: str) -> Applied:
    """The same for both edges of a layer, less the mean of an arm."""
    edges = follows(Rel(LOWER, "<=", UPPER), play.EDGES, domain=FREE, name="edges less a mean")
    signs = [Indicates(x, FREE, part=part, name="a sign") for part in (True, False) for x in (UPPER, LOWER)]
    return applied(parts_in_order(), at, edges, *signs, domain=FREE, name=name)


REACHED, PASSED = Event(UPPER, 0), Event(LOWER, 0)


def no_less() -> Follows:
    """The part of a layer above a mean is not negative."""
    rel = of_layer({u: UPPER, v: LOWER, p: REACHED, q: PASSED}, "positive parts keep the order")
    return follows(Rel(length(i, k, o), ">=", 0), play.PART, rel, domain=FREE, name="no negative part")


def within() -> Follows:
    """The part of a layer above a mean is no longer than the layer."""
    rel = of_layer({u: -LOWER, v: -UPPER, p: 1 - PASSED, q: 1 - REACHED}, "so do negative parts")
    return follows(Rel(length(i, k, o), "<=", L), play.PART, play.LENGTH, rel, domain=FREE, name="part of a layer")


def cover() -> Follows:
    """The parts of all layers above the mean of an arm add up to at least what it is below mu_*."""
    free = {x: var for x, var in FREE.items() if x != i}
    below = positive_part(edge(i - 1, y) - mu(k, o))
    total = Telescoping(play.PART, below, *LAYERS, free, name="all layers")
    first, last = edge(0, y) - mu(k, o), edge(m, y) - mu(k, o)
    none = Goal(Rel(p * u, "<=", 0), {p: BIT, u: real()}, (Rel(u, "<=", 0),), "no positive part")
    given = (Rel(k, "<=", K),)
    under = follows(Rel(first, "<=", 0), play.LOWEST, domain=free, given=given, name="below the mean")
    start = applied(none, {p: Event(first, 0), u: first}, under, domain=free, given=given, name="the first edge")
    end = Indicates(last, free, name="the last edge")
    rel = Rel(y - mu(k, o), "<=", sp.Sum(length(i, k, o), LAYERS))
    return follows(rel, total, start, end, play.HIGHEST_EDGE, domain=free, given=given, name="all layers")


@claim("ours/bounded/layers", by="us", kind="inequality")
def layers() -> Argument:
    """The part of a layer above the mean of an arm is the difference of two positive parts, so that it is between 0 and
    the length of the layer; all of them together are a telescoping sum."""
    return proof(no_less(), within(), cover(), letters=WORDS)
