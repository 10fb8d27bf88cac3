"""Wald's identities for sums over pulls whose number may depend on the rewards."""

import sympy as sp

from theory.kernel.argument import Argument, Item, proof
from theory.kernel.claim import claim
from theory.kernel.goal import Rel
from theory.kernel.rules import Expectation, Induction, follows
from theory.kernel.terms import Mean
from theory.model.arms import s
from theory.model.pull_sums import (
    FIRST,
    NEXT,
    PLAYED,
    PULLED,
    WORDS,
    drawn_later,
    fresh,
    noise,
    o,
    pull,
    pulls,
    squares,
    t,
)
from theory.ours.bad_rounds import times

SUM, PULL, NOISE = noise(t, o), pull(t, o), fresh(t, o)


def mean(item: Item) -> Expectation:
    return Expectation(item, (o,))


def every_round(of: sp.Expr, value: sp.Expr, grows: Item, starts: Item, name: str) -> Induction:
    """E of = value, both in t, by the mean of one round more and before round 1."""
    pulled = (mean(NEXT[pulls]),) if value.has(Mean) else ()
    begun = (mean(FIRST[pulls]),) if value.has(Mean) else ()
    rel = Rel(Mean(of, o), "=", value)
    lemmas = (grows, *pulled)
    return Induction(rel, t, sp.Integer(1), PLAYED, name=name, lemmas=lemmas, first=(mean(starts), *begun))


@claim("ours/classical/wald", by="us", kind="identity")
def wald() -> Argument:
    """Round by round: the noise of a round is drawn after its arm was chosen, so that its products with what is known
    before have mean 0, and its square has the mean sigma^2 if the arm is pulled."""
    no_noise = drawn_later(PULL, 1)
    one = follows(
        Rel(Mean(noise(t + 1, o), o), "=", Mean(SUM, o)), mean(NEXT[noise]), no_noise, domain=PLAYED, name="one round"
    )
    variance = s * Mean(pulls(t, o), o)
    after = Rel(noise(t + 1, o) ** 2, "=", SUM**2 + 2 * SUM * PULL * NOISE + PULL**2 * NOISE**2)
    square = follows(after, NEXT[noise], domain=PLAYED, name="the square of the sum")
    once = mean(PULLED)
    scaled = times(once.concludes.rel, s, PLAYED, "times sigma^2")
    parts = mean(square), drawn_later(SUM * PULL, 1), drawn_later(PULL**2, 2), once, scaled
    grown = Rel(Mean(noise(t + 1, o) ** 2, o), "=", Mean(SUM**2, o) + s * Mean(PULL, o))
    cross = follows(grown, *parts, domain=PLAYED, name="no cross term")
    none = follows(Rel(noise(1, o) ** 2, "=", 0), FIRST[noise], domain=PLAYED, name="no square yet")
    added = Rel(Mean(squares(t + 1, o), o), "=", Mean(squares(t, o), o) + s * Mean(PULL, o))
    each = follows(added, mean(NEXT[squares]), drawn_later(PULL, 2), domain=PLAYED, name="one square")
    return proof(
        every_round(SUM, sp.Integer(0), one, FIRST[noise], "sum of noise"),
        every_round(SUM**2, variance, cross, none, "its square"),
        every_round(squares(t, o), variance, each, FIRST[squares], "sum of squared noise"),
        letters=WORDS,
    )
