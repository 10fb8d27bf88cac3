"""Widths with a factor that rises or falls with the round: the widest pulls count where the factor is largest.

x(i) is the width met in the i-th of the rounds considered, y(i) = g(ceil(i/K)) that of K arms pulled in turn. Every
partial sum of x is at most that of y (ours/jensen), so by summation by parts the same holds with falling factors.
"""

import sympy as sp

from theory.kernel.argument import Argument, Item, proof
from theory.kernel.claim import claim
from theory.kernel.goal import Goal, Rel, at_least, positive, real
from theory.kernel.rules import (
    Blocks,
    Cases,
    Follows,
    Induction,
    Monotone,
    Quotient,
    Reindex,
    SumOver,
    follows,
    instance,
    uses,
)
from theory.model import bound_formulas as bounds
from theory.model.counts import DEVIATION, LONG, NO_SPREAD, PULLS, SPREAD, b, deviation, g, j, spread
from theory.model.play import COUNT, LATER, WORDS, K, N, a, t
from theory.ours.counting import EXTRA, MET, ONE, SHORT, WHOLE, M, i, m
from theory.ours.root_series import order_of_roots

x, y, z, d, u, v = sp.symbols("x y z d u v")
IN_TURN = g(sp.ceiling(i / K))
q = sp.Symbol("q")
POSITIVE = positive()


def spread_rises() -> Cases:
    """sqrt(a log t) rises with the round; before round K + 1 the factor counts as 0."""
    early = Rel(t, "<=", K)
    start = follows(
        Rel(spread(t), "<=", spread(t + 1)), NO_SPREAD, domain=PULLS, given=(early,), name="from round K on"
    )
    following = Goal(Rel(t, "<=", t + 1), {t: at_least(1)}, name="the next round")
    logs = Monotone(following, a * sp.log(x), x, {x: positive(), a: positive()}, name="logarithms")
    equal = Goal(Rel(x**2, "=", u**2), {x: real(), u: real()}, (Rel(x, "=", u),), "squares")
    known = [instance(SPREAD, {t: r}, PULLS, (LATER,), name="factor of a round") for r in (t, t + 1)]
    at = [{x: part.concludes.rel.left, u: part.concludes.rel.right} for part in known]
    squares = [instance(equal, at_, PULLS, (LATER, part.concludes.rel)) for at_, part in zip(at, known, strict=True)]
    above = follows(Rel(spread(t + 1), ">", 0), known[1], domain=PULLS, given=(LATER,), name="positive")
    larger = Rel(spread(t) ** 2, "<=", spread(t + 1) ** 2)
    parts = *known, *squares, logs
    both = follows(larger, *parts, domain=PULLS, given=(LATER,), name="the squares rise")
    at_ = {x: spread(t), y: spread(t + 1)}
    roots = instance(order_of_roots(), at_, PULLS, (above.rel, larger), name="roots keep the order")
    later = follows(start.rel, above, both, roots, domain=PULLS, given=(LATER,), name="after round K")
    return Cases(LATER, later, start, "sqrt(a log t) rises")


def deviation_falls() -> Follows:
    """q_t falls with the round: so does every power t^(-c), c > 0."""
    values = {x: positive(), K: COUNT, a: positive(), b: positive()}
    following = Goal(Rel(t, "<=", t + 1), {t: at_least(1)}, name="the next round")
    slope = Monotone(following, -bounds.deviation_factor(x, K, a, b), x, values, name="minus q rises")
    at = {x: deviation(t + 1), y: deviation(t)}
    known = [instance(DEVIATION, {t: r}, PULLS, name="factor of a round") for r in (t, t + 1)]
    u_, v_ = (part.concludes.rel.right for part in known)
    equal = (Rel(y, "=", u), Rel(x, "=", v), Rel(-u, "<=", -v))
    renamed = Goal(Rel(x, "<=", y), dict.fromkeys((x, y, u, v), real()), equal, "in terms of q")
    given = (*(part.concludes.rel for part in known), slope.concludes.rel)
    last = instance(renamed, {**at, u: u_, v: v_}, PULLS, given, name="in terms of q")
    return follows(Rel(deviation(t + 1), "<=", deviation(t)), *known, slope, last, domain=PULLS, name="q_t falls")


def widest(factor: sp.Expr, at: sp.Expr, falls: Item, name: str) -> Follows:
    """Summation by parts over the rounds t = at, i = 1, 2, ...: factors f(i) that fall, ordered partial sums."""
    f, met = factor.xreplace({t: at}), MET.xreplace({t: at})
    behind = IN_TURN - met  # how much less the i-th round meets
    rounds, counted = {**PULLS, m: WHOLE}, {**PULLS, i: COUNT}

    def lead(upto: sp.Expr) -> sp.Expr:
        return sp.Sum(behind.xreplace({i: q}), (q, 1, upto))

    def moved_on(expr: sp.Expr) -> sp.Expr:
        return expr.xreplace({i: i + 1})

    drop = f - moved_on(f)
    by_parts = Rel(
        sp.Sum(f * behind, (i, 1, m)), "=", f.xreplace({i: m + 1}) * lead(m) + sp.Sum(drop * lead(i), (i, 1, m))
    )
    parts = Induction(by_parts, m, sp.Integer(0), PULLS, name="summation by parts")
    ahead = follows(
        Rel(lead(m), ">=", 0), in_turn(at), domain=rounds, given=(SHORT,), name="never ahead of play in turn"
    )
    product = Goal(Rel(u * v, ">=", 0), {u: at_least(0), v: at_least(0)}, name="a product")
    short = Rel(i, "<=", EXTRA)
    here = instance(ahead, {m: i}, counted, (short,), name="up to round i")
    times = instance(product, {u: drop, v: lead(i)}, counted, (Rel(drop, ">=", 0), Rel(lead(i), ">=", 0)))
    term = follows(Rel(drop * lead(i), ">=", 0), falls, here, times, domain=counted, given=(short,), name="one step")
    steps = SumOver(term, i, ONE, EXTRA, PULLS, given=(LONG,), name="all steps")
    whole = instance(parts, {m: EXTRA}, PULLS, (LONG,), name="all rounds")
    end = f.xreplace({i: EXTRA + 1})
    at_end = instance(ahead, {m: EXTRA}, PULLS, (LONG,), name="up to the end")
    last = instance(product, {u: end, v: lead(EXTRA)}, PULLS, (Rel(lead(EXTRA), ">=", 0),), name="the last factor")
    back = Reindex(factor * MET, t, K + 1, N, i, at, PULLS)
    total = Rel(sp.Sum(factor * MET, (t, K + 1, N)), "<=", sp.Sum(f * IN_TURN, (i, 1, EXTRA)))
    return follows(total, back, whole, steps, at_end, last, domain=PULLS, given=(LONG,), name=name)


def in_turn(at: sp.Expr) -> Quotient:
    """ours/jensen at M = floor(m/K): m rounds meet at most what arms pulled in turn meet."""
    here = {**PULLS, m: WHOLE, M: WHOLE}
    blocks = Blocks(g(j), j, i, K, m, M, here, "arms pulled in turn")
    item = "the last m rounds" if at.coeff(i) == -1 else "the first m rounds after round K"
    met = sp.Sum(MET.xreplace({t: at}), (i, 1, m))
    given = (*blocks.concludes.given, SHORT)
    bound = Rel(met, "<=", sp.Sum(IN_TURN, (i, 1, m)))
    share = follows(bound, uses("ours/jensen", item=item), blocks, domain=here, given=given, name=item)
    return Quotient(share, K, m, M, item)


@claim("ours/widest-last", by="us", kind="inequality")
def widest_last() -> Argument:
    """Summation by parts: any m rounds in a row after the K-th meet at most what K arms pulled in turn meet
    (ours/jensen). The last m count for the rising sqrt(a log t), the first m for a falling factor q_t."""
    counted = {**PULLS, i: COUNT}
    backwards = instance(spread_rises(), {t: N - i}, counted, (Rel(i, "<=", EXTRA),), name="the factor falls")
    rising = widest(spread(t), N + 1 - i, backwards, "a rising factor")
    onwards = instance(deviation_falls(), {t: K + i}, counted, name="the factor falls")
    return proof(rising, widest(deviation(t), K + i, onwards, "a falling factor"), letters=WORDS)
