"""Counting pulls: how much width any sequence of pulls can meet, whatever the choices were.

A round t > K pulls an arm that was pulled n_{I_t,t} >= 1 times before; its width is at most g of that count. Among any
rounds each count is met at most K times, once by every arm.
"""

from collections.abc import Mapping

import sympy as sp

from theory.kernel.argument import Argument, proof
from theory.kernel.claim import claim
from theory.kernel.goal import Goal, Letter, Rel, Var, at_least, positive, real
from theory.kernel.rules import (
    Exchange,
    Follows,
    Instance,
    Monotone,
    Reindex,
    SplitSum,
    SumOver,
    follows,
    instance,
    uses,
)
from theory.kernel.sources import moved
from theory.model import bound_formulas as bounds
from theory.model.arms import s, s0
from theory.model.counts import (
    ALL_PULLS,
    EACH_ARM_ONCE,
    NOT_ALL_PULLS,
    NOW,
    ONE_COUNT,
    PULLS,
    WIDEST,
    alpha,
    g,
    j,
    met,
)
from theory.model.play import COUNT, LATER, PULLED, WORDS, K, N, count, k, o, t
from theory.ours.pull_counts import AN_ARM, meets

x, y, z, p, q, d, u, v, al = sp.symbols("x y z p q d u v al")
i, m, M = sp.symbols("i m M")
ONE, WHOLE = sp.Integer(1), at_least(0, integer=True)
EXTRA = N - K  # rounds after the first K
SHORT, INSIDE = Rel(m, "<=", EXTRA), Rel(M, "<=", EXTRA)
AFTER = Rel(t, ">=", K + 1)
MET = g(count(PULLED, t, o))  # the largest width that the arm pulled in round t may have
HIT = met(t, j, o)
HIGH = g(M + 1)
Domain = Mapping[sp.Expr, Var]


@claim("ours/width/shape", by="us", kind="inequality")
def shape() -> Argument:
    """g(j) = sigma/sqrt(j + alpha), and the root rises."""
    pair, ordered = {**PULLS, j: COUNT, k: COUNT}, Rel(j, "<=", k)

    def root(pulls: sp.Expr, learned: sp.Expr = alpha) -> sp.Expr:
        return sp.sqrt(s / (pulls + learned))

    order = Goal(Rel(y, "<=", z), {y: at_least(1), z: at_least(1)}, (Rel(y, "<=", z),), "more pulls")
    slope = Monotone(order, -root(x, al), x, {x: at_least(1), s: positive(), al: at_least(0)}, name="minus g rises")
    rises = instance(slope, {y: j, z: k, al: alpha}, pair, (ordered,), name="at both counts")
    parts = instance(WIDEST, {}, pair), instance(WIDEST, {j: k}, pair), rises
    equal = (Rel(y, "=", u), Rel(z, "=", v), Rel(-u, "<=", -v))
    renamed = Goal(Rel(z, "<=", y), dict.fromkeys((y, z, u, v), real()), equal, "in terms of g")
    at = {y: g(j), z: g(k), u: root(j), v: root(k)}
    last = instance(renamed, at, pair, tuple(part.concludes.rel for part in parts), name="in terms of g")
    falling = follows(Rel(g(k), "<=", g(j)), *parts, last, domain=pair, given=(ordered,), name="g falls")
    return proof(falling, letters={k: Letter(k, "number of pulls, as j"), j: Letter(j, "number of pulls")})


def falls(at: Mapping[sp.Symbol, sp.Expr], domain: Domain, *given: Rel) -> Instance:
    """ours/width/shape at other counts."""
    return instance(uses("ours/width/shape"), at, domain, given, name="g falls")


def one_round() -> Follows:
    """The width met in a round is at most g(M+1), and what g(j) exceeds it by, if the count is j <= M."""
    here = {**PULLS, M: WHOLE}
    above, counted = Rel(j, ">=", M + 1), {**here, j: COUNT}
    product = Goal(Rel(d * z, "<=", q * z), {d: real(), q: real(), z: at_least(0)}, (Rel(d, "<=", q),), "times z >= 0")
    times = instance(product, {d: g(j), q: HIGH, z: HIT}, counted, (Rel(g(j), "<=", HIGH),), name="if the count is j")
    fewer = falls({k: j, j: M + 1}, counted, above)
    late = follows(Rel(g(j) * HIT, "<=", HIGH * HIT), fewer, times, domain=counted, given=(above,), name="j > M")
    later = SumOver(late, j, M + 1, EXTRA, here, given=(INSIDE,), name="counts above M")
    splits = (SplitSum(f, j, ONE, M, EXTRA, here, (INSIDE,), "counts up to M and above") for f in (HIT * g(j), HIT))
    few = sp.Sum(HIT * g(j), (j, 1, M)) - HIGH * sp.Sum(HIT, (j, 1, M))
    parts = meets(g(j), "its width"), ONE_COUNT, *splits, later
    return follows(Rel(MET, "<=", HIGH + few), *parts, domain=here, given=(LATER, NOW, INSIDE), name="one round")


def shared(at: sp.Expr, name: str) -> Follows:
    """m rounds t = at, i = 1, ..., m: their widths are at most those of K arms pulled M times each, and g(M+1)."""
    here = {**PULLS, M: WHOLE, m: WHOLE}
    hit, counted = HIT.xreplace({t: at}), {**here, j: COUNT}
    term = instance(one_round(), {t: at}, {**here, i: COUNT}, (INSIDE, Rel(i, "<=", EXTRA)), name="one of these rounds")
    rounds = SumOver(term, i, ONE, m, here, given=(INSIDE, SHORT), name="m rounds")
    orders = (Exchange(f, (j, ONE, M), (i, ONE, m), here) for f in (hit * g(j), hit * HIGH))
    earlies = SumOver(_one_count(at, counted), j, ONE, M, here, given=(SHORT, INSIDE), name="counts up to M")
    most = K * sp.Sum(g(j), (j, 1, M)) + (m - K * M) * HIGH
    total = Rel(sp.Sum(MET.xreplace({t: at}), (i, 1, m)), "<=", most)
    return follows(total, rounds, *orders, earlies, domain=here, given=(INSIDE, SHORT), name=name)


def _one_count(at: sp.Expr, domain: Domain) -> Follows:
    """A count j <= M is met at most K times, each time with g(j) >= g(M+1)."""
    hit = HIT.xreplace({t: at})
    times = sp.Sum(hit, (i, 1, m))
    term = Goal(Rel(z, ">=", 0), {z: at_least(0)}, name="not less than never")
    others = SumOver(term, i, m + 1, EXTRA, domain, family={z: hit}, given=(SHORT,), name="other rounds")
    split = SplitSum(hit, i, ONE, m, EXTRA, domain, (SHORT,), "these rounds and the others")
    every = Reindex(HIT, t, K + 1, N, i, at, domain)
    at_most = follows(
        Rel(times, "<=", K), EACH_ARM_ONCE, every, split, others, domain=domain, given=(SHORT,), name="at most K times"
    )
    free = dict.fromkeys((d, q, x, y), real())
    product = Goal(Rel((d - q) * x, "<=", (d - q) * y), free, (Rel(q, "<=", d), Rel(x, "<=", y)), "times d - q >= 0")
    given = (Rel(HIGH, "<=", g(j)), Rel(times, "<=", K))
    scaled = instance(product, {d: g(j), q: HIGH, x: times, y: K}, domain, given, name="times g(j) - g(M+1)")
    few = Rel(j, "<=", M)
    parts = at_most, falls({k: M + 1}, domain, few), scaled
    cost = Rel((g(j) - HIGH) * times, "<=", (g(j) - HIGH) * K)
    return follows(cost, *parts, domain=domain, given=(SHORT, few), name="one count up to M")


@claim("ours/jensen", by="us", kind="inequality")
def jensen() -> Argument:
    """Round by round the width is at most g(M+1) and, if the count is j <= M, the rest g(j) - g(M+1); each count is met
    at most K times. For K M <= m <= K (M+1) the right side is what K arms meet that are pulled in turn."""
    last, first = shared(N + 1 - i, "the last m rounds"), shared(K + i, "the first m rounds after round K")
    letters = {**WORDS, m: Letter(m, "number of rounds that are added up"), M: Letter(M, "any count")}
    return proof(last, first, letters=letters)


def inverse_square() -> Follows:
    """1/g(j)^2 - 1/g(1)^2 is linear in the count."""
    counted, roots = {**PULLS, j: COUNT}, dict.fromkeys((x, y, u, v), positive())
    equal = (Rel(x, "=", u), Rel(y, "=", v))
    same = Goal(Rel(1 / y**2 - 1 / x**2, "=", 1 / v**2 - 1 / u**2), roots, equal, "squares")
    defined = [instance(WIDEST, {j: c}, counted, name="g at a count") for c in (ONE, j)]
    at = {x: g(ONE), y: g(j), u: bounds.g(ONE, K, s0, s), v: bounds.g(j, K, s0, s)}
    squares = instance(same, at, counted, tuple(part.concludes.rel for part in defined), name="squares")
    slope = Rel(1 / g(j) ** 2 - 1 / g(ONE) ** 2, "=", (j - 1) / s)
    return follows(slope, *defined, squares, domain=counted, name="1/g^2 is linear")


@claim("ours/worst-spread", by="us", kind="inequality")
def worst_spread() -> Argument:
    """g is convex, so g(n_k) lies below the chord from g(1) to g(t-K). The chords summed over the arms, with counts
    that add up to t - 1, are the sum for the counts 1, ..., 1, t - K."""
    first, last, own, pulls = g(ONE), g(t - K), g(count(k, t, o)), count(k, t, o)
    given, arm, roots = (AFTER,), {**PULLS, k: COUNT}, dict.fromkeys((x, y, z), positive())
    drop, change = x**2 * y**2 / (x + y), Rel(u, "=", d)  # the slope of the chord is -drop/sigma^2
    ordered = (Rel(y, "<=", z), Rel(z, "<=", x))
    chord = Goal(Rel(z, "<=", x - (1 / z**2 - 1 / x**2) * drop), roots, ordered, "below the chord")
    linear = Goal(
        Rel(z, "<=", x - d * q),
        dict.fromkeys((x, z, d, q, u), real()),
        (Rel(z, "<=", x - u * q), change),
        "the chord is linear in the count",
    )
    ends = Goal(Rel((1 / y**2 - 1 / x**2) * drop, "=", x - y), roots, name="from one end to the other")
    whole = Goal(
        Rel(d * q, "=", p), dict.fromkeys((d, q, u, p), real()), (Rel(u * q, "=", p), change), "the whole chord"
    )

    slope = drop.xreplace({x: first, y: last})
    at = {x: first, y: last, z: own}
    below = instance(chord, at, arm, tuple(moved(h, at) for h in ordered), name="below the chord")
    linear_in_count = inverse_square()
    steps = instance(linear_in_count, {j: pulls}, arm, given, name="steps of 1/g^2")
    at = {x: first, z: own, d: (pulls - 1) / s, q: slope, u: steps.concludes.rel.left}
    line = instance(
        linear, at, arm, (below.concludes.rel, steps.concludes.rel), name="the chord is linear in the count"
    )
    least, most = falls({j: ONE, k: pulls}, arm), falls({j: pulls, k: t - K}, arm, Rel(pulls, "<=", t - K), AFTER)
    parts = steps, NOT_ALL_PULLS, least, most, below, line
    one = follows(line.concludes.rel, *parts, domain=arm, given=(*given, AN_ARM), name="one arm")
    arms = SumOver(one, k, ONE, K, PULLS, given=given, name="all arms")

    all_steps = instance(linear_in_count, {j: t - K}, PULLS, given, name="all steps of 1/g^2")
    both = instance(ends, {x: first, y: last}, PULLS, given, name="from one end to the other")
    at = {d: (t - K - 1) / s, q: slope, u: all_steps.concludes.rel.left, p: first - last}
    length = instance(whole, at, PULLS, (both.concludes.rel, all_steps.concludes.rel), name="the whole chord")
    total = Rel(sp.Sum(own, (k, 1, K)), "<=", (K - 1) * first + last)
    pulled, scaled = ALL_PULLS.concludes.rel, Goal(Rel(q * u, "=", q * d), dict.fromkeys((q, u, d), real()), (change,))
    at = {q: slope / s, u: pulled.left, d: pulled.right}
    drops = instance(scaled, at, PULLS, (pulled,), name="slope times all pulls")
    parts_ = arms, ALL_PULLS, drops, all_steps, both, length
    return proof(follows(total, *parts_, domain=PULLS, given=given, name="widths of all arms"), letters=WORDS)
