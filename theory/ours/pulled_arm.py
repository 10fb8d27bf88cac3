"""The pulled arm of a good round and the supremum S_k: the other arms are its rival, the best arm, and the remaining
ones, whose walk and clock `theory.model.rival_walk` has."""

import sympy as sp

from theory.kernel.argument import Argument, Item, proof
from theory.kernel.claim import claim
from theory.kernel.goal import Goal, Rel, real
from theory.kernel.rules import Applied, Picked, Replaced, applied, equals, follows, instance, replaced
from theory.kernel.rules.compose import conclusion
from theory.model import good_pulls as pull
from theory.model import rival_walk as model
from theory.model.counts import NOW
from theory.model.good_pulls import BEST_WEIGHT, HIGHEST, LEAST, PULL, REST, average, share, zeta
from theory.model.play import COUNT, LATER, PULLED, K, count, i, k, o, t
from theory.model.rival_walk import RIVAL
from theory.model.round_errors import BEST, CHOSEN, d, e
from theory.model.round_kinds import BEST_MEAN, PULLS_BEST, best, mean
from theory.ours.kinds_of_rounds import arms
from theory.ours.other_arms import split_off

b, c, f, p, q, r, u, v, x, y = sp.symbols("b c f p q r u v x y")
APART = Rel(PULLS_BEST, "=", 0)
ROUND = (LATER, APART)
ITS_RIVAL = RIVAL.xreplace({k: CHOSEN})
AVERAGE = share(count(k, t, d)) * average(k, count(k, t, d), d, e)
DOMAIN = {**{x_: v_ for x_, v_ in PULL.items() if x_ != PULLED}, RIVAL: COUNT}


def rival() -> Applied:
    """The rival of the pulled arm is the best arm."""
    return applied(model.RIVAL_IS_BEST, {k: CHOSEN}, *arms(), domain=DOMAIN, given=(APART,), name="the rival")


def remaining(term: sp.Expr, total: Item, others: Item, name: str) -> Applied:
    """A sum over the remaining arms is that over the others without the best arm; the term is an expression in k."""
    here = term.xreplace({k: i})
    own = instance(total, {k: CHOSEN}, DOMAIN, (LATER,), name=name)
    left, right = own.concludes.rel.stated
    known = rival()
    placed = replaced(own, known, Rel(left, "=", right.xreplace({ITS_RIVAL: BEST})), DOMAIN, ROUND, name)
    one = sp.Integer(1)
    chosen = Picked(here, i, CHOSEN, one, K, DOMAIN, "the pulled arm")
    top = Picked(here, i, BEST, one, K, DOMAIN, "the best arm")
    both = Picked(equals(CHOSEN, i) * here, i, BEST, one, K, DOMAIN, "both")
    nothing = Goal(Rel(p * q, "=", 0), {p: real(), q: real()}, (Rel(p, "=", 0),), "times 0")
    at_best = term.xreplace({k: BEST})
    apart = instance(nothing, {p: PULLS_BEST, q: at_best}, DOMAIN, (APART,), name="apart")
    split = instance(split_off(term, CHOSEN, DOMAIN), {o: d}, DOMAIN, (Rel(CHOSEN, "<=", K),), name="the others")
    sums = [conclusion(item).rel.stated for item in (chosen, top, both, split, others)]
    whole = sums[3][0]
    rest = Goal(
        Rel(x, "=", u - v),
        dict.fromkeys((b, c, f, p, q, r, u, v, x, y), real()),
        (
            Rel(y, "=", 0),
            Rel(f, "=", y),
            Rel(q, "=", c),
            Rel(b, "=", v),
            Rel(p, "=", c + r),
            Rel(u, "=", r),
            Rel(x, "=", p - q - b + f),
        ),
        "the remaining arms",
    )
    at = {x: left, p: whole, q: sums[0][0], c: sums[0][1], b: sums[1][0], v: sums[1][1], f: sums[2][0], y: sums[2][1]}
    at |= {u: sums[4][0], r: sums[4][1]}
    parts = *arms(), apart, both, chosen, top, split, others, placed
    return applied(rest, at, *parts, domain=DOMAIN, given=ROUND, name=name)


def highest(clock: Applied, walk: Applied) -> Applied:
    """R - w_* mu_* <= S (2 + v) + zeta (v - v_0)."""
    given = (*ROUND, NOW)
    own = applied(model.SUPREMUM, {k: CHOSEN}, domain=DOMAIN, given=(LATER, NOW), name="the supremum")

    def put(item: Item, equality: Item, name: str) -> Replaced:
        old, new = conclusion(equality).rel.stated
        rel = conclusion(item).rel
        left, right = (side.xreplace({old: new}) for side in rel.stated)
        return replaced(item, equality, Rel(left, rel.op, right), DOMAIN, given, name)

    mean_ = follows(Rel(mean(BEST, d, e), "=", best), BEST_MEAN, domain=DOMAIN, name="the best mean")
    found = put(put(put(own, rival(), "the rival"), mean_, "the best mean"), clock, "the clock")
    lemma = Goal(
        Rel(u - p * q, "<=", y),
        dict.fromkeys((p, q, r, u, x, y), real()),
        (Rel(x + p * (r - q), "<=", y), Rel(x, "=", u - p * r)),
        "the supremum",
    )
    at = {u: pull.averages, p: BEST_WEIGHT, q: best, r: average(BEST, count(BEST, t, d), d, e)}
    at |= {x: walk.concludes.rel.stated[0], y: HIGHEST * (2 + REST) + zeta * (REST - LEAST)}
    return applied(lemma, at, found, walk, domain=DOMAIN, given=given, name="the supremum")


@claim("ours/counting/good-pulls/supremum", by="us", kind="inequality")
def supremum() -> Argument:
    """In a round that pulls another arm than the best one, this is its rival, and the other arms are the best arm and
    the remaining ones; S_k is the largest value over all rounds."""
    clock = remaining(share(count(k, t, d)), model.CLOCK, pull.WEIGHTS, "the clock")
    walk = remaining(AVERAGE, model.WALKED, pull.AVERAGES, "the walk")
    return proof(highest(clock, walk), letters=pull.LETTERS)
