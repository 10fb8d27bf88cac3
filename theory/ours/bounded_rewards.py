"""Rewards in [0, 1] (`reucb.bounds.bounded`): what an index above or below a threshold z says of one arm's own rewards.

Arm k has N pulls with sum S. v is the sum of the weights w_i of the other arms, A that of w_i times their averages, so
that mu-hat_k = (S + rho A/(1+v))/(N + rho v/(1+v)); C is sigma sqrt(a log t), so that C/sqrt(N + rho v/(1+v)) is the
width. A line is a level c and a number x: the other arms' weighted distances from c add up to at most x.
"""

from dataclasses import replace

import sympy as sp

from theory.kernel.argument import Argument, proof
from theory.kernel.claim import claim
from theory.kernel.goal import Goal, Letter, Rel, Var, at_least, positive, real
from theory.kernel.rules import Among, Instance, SumOver, follows, instance
from theory.model.arms import LETTERS, PROXIES, W, Wo, arm_goal, n, rho, w
from theory.model.arms import J as others

N, S, A, v, x, y, z, c, C, p, r, s = sp.symbols("N S A v x y z c C p rho s")
q = sp.Symbol("w_*")  # weight of the best arm
K, w1, low, high, th = sp.symbols("K w_1 s_1 s_2 theta")
UNIT = Var(sp.Integer(0), strict=True, high=sp.Integer(1))
SHARE = Var(sp.Integer(0), high=sp.Integer(1))
MEANING = {
    N: "number of pulls of the arm",
    S: "sum of its rewards",
    A: "sum of w_i times the average reward over the other arms",
    v: "sum of the weights w_i of the other arms",
    C: "sigma sqrt(a log t); t = n in good rounds",
    r: "sigma^2/sigma_0^2",
    q: "weight of the best arm",
    y: "mean of the best arm",
    z: "threshold of indices",
    c: "level of the line",
    x: "how far the other arms may be beyond the line",
}
READ = {symbol: Letter(symbol, meaning) for symbol, meaning in MEANING.items()}
ARM = {N: at_least(1, integer=True), S: real(), A: real(), v: at_least(0), z: real(), C: at_least(0), r: positive()}
BORROWED = r * v / (1 + v)
ROOT = sp.sqrt(N + BORROWED)


def index(root: sp.Expr) -> sp.Expr:
    """mu-hat_k plus its width, root = sqrt(N + rho v/(1+v))."""
    return (S + r * A / (1 + v)) / root**2 + C / root


@claim("ours/bounded/index", by="us", kind="identity", cites=("ours/leave-one-out",))
def prediction() -> Argument:
    """The prediction in terms of the sum of the arm's own rewards: both sides are rational."""
    total, weighted, at = sp.symbols("S A z")
    predicted = w * total / n + (1 - w) * (w * total / n + weighted) / W
    scale = n + rho * Wo / (1 + Wo)
    goal = arm_goal(
        scale * (predicted - at),
        "=",
        total - n * at + rho * (weighted - at * Wo) / (1 + Wo),
        extra={total: real(), weighted: real(), at: real()},
        name="distance of the prediction from z",
    )
    shown = {sp.Symbol("muhat_k"): predicted, **goal.short}
    letters = {**LETTERS, **PROXIES, **{a: READ[a] for a in (total, weighted, at)}}
    return proof(replace(goal, short=shown, letters=letters))


def explicit(goal: Goal) -> Instance:
    """The goal with the root p written out; its first hypothesis, p^2 = N + rho v/(1+v), is then met."""
    free = {symbol: var for symbol, var in goal.domain.items() if symbol != p}
    given = tuple(Rel(h.left.subs(p, ROOT), h.op, h.right.subs(p, ROOT)) for h in goal.given[1:])
    return instance(goal, {p: ROOT}, free, given, goal.name)


@claim("ours/bounded/good-pull", by="us", kind="inequality", cites=("ours/bounded/index",))
def good_pull() -> Argument:
    """Multiply the index by N + rho v/(1+v). The other arms' part is A - z v, at most x + w_* (y - c) +
    (c - z) v by the line, in which the best arm is compared with its own mean y."""
    free = {**ARM, p: positive(), q: UNIT, x: real(), y: real(), c: real()}
    root = Rel(p**2, "=", N + BORROWED)
    line = Rel(A - c * (v - q) - y * q, "<=", x)
    need = N * z - C * p - r * ((x + q * (y - c)) / (1 + v) + (c - z) * v / (1 + v))
    goal = Goal(Rel(S, ">=", need), free, (root, Rel(index(p), ">=", z), line), "a good pull")
    return proof(explicit(goal), letters=READ)


@claim("ours/bounded/bad-round", by="us", kind="inequality", cites=("ours/bounded/index",))
def bad_round() -> Argument:
    """As ours/bounded/good-pull for an index below z, where the line bounds the other arms from below."""
    free = {**ARM, p: positive(), x: real(), c: real()}
    root = Rel(p**2, "=", N + BORROWED)
    line = Rel(A - c * v, ">=", -x)
    boundary = N * z - C * p + r * ((z - c) * v / (1 + v) + x / (1 + v))
    goal = Goal(Rel(S, "<", boundary), free, (root, Rel(index(p), "<", z), line), "a bad round")
    return proof(explicit(goal), letters=READ)


@claim("ours/bounded/good-pull/weight-of-best", by="us", kind="inequality", cites=("ours/bounded/good-pull",))
def weight_of_best() -> Argument:
    """What a good pull needs depends on s = 1/(1+v) and on the weight of the best arm. The latter is between w_1 and 1,
    and at most v - (K-2) w_1, as the K - 2 other arms weigh at least w_1 each."""
    up, part = y - c, (x + q * (y - c)) * s + (c - z) * (1 - s)
    free = {s: UNIT, q: UNIT, w1: UNIT, x: real(), y: real(), z: real(), c: real(), K: at_least(2, integer=True)}
    idle = 1 + (K - 2) * w1
    line = (c - z) + (x + up - (c - z)) * s
    shared = (y - z) + (x - idle * up - (c - z)) * s
    few = (c - z) + (x + w1 * up - (c - z)) * s
    above, below = Rel(y, ">=", c), Rel(y, "<", c)
    return proof(
        Goal(Rel(part, "<=", line), free, (above,), "weight 1"),
        Goal(Rel(part, "<=", shared), free, (above, Rel(q, "<=", 1 / s - idle)), "what the others leave"),
        Goal(Rel(part, "<=", few), free, (below, Rel(w1, "<=", q)), "weight w_1"),
        letters={**READ, **SIZES},
    )


SIZES = {
    s: Letter(s, "1/(1+v), v the sum of the weights of the other arms"),
    w1: Letter(w1, "1/(1+rho), the weight of an arm pulled once"),
    K: Letter(K, "number of arms"),
}


@claim("ours/bounded/bad-round/ends", by="us", kind="inequality", cites=("ours/bounded/bad-round",))
def ends() -> Argument:
    """The boundary is convex in s = 1/(1+v), as a root of a linear function is concave: with p_1, p_2 the roots at both
    ends of the range of s, the root in between is at least the chord, because its square is at least that of the chord.
    So the boundary is at most the larger of its values at the ends."""
    first, second, b = sp.symbols("p_1 p_2 b")
    free = {th: SHARE, p: positive(), first: positive(), second: positive()}
    chord, middle = (1 - th) * first + th * second, (1 - th) * low + th * high
    mean = Rel(p**2, "=", (1 - th) * first**2 + th * second**2)
    m, f, g, e = sp.symbols("m f g e")
    sizes = {p: positive(), m: at_least(0), f: at_least(0), g: at_least(0), e: real()}
    squared = Rel(p**2, "=", m**2 + f * g * e**2)
    root = Goal(Rel(p, "=", m + f * g * e**2 / (p + m)), sizes, (squared,), "difference of roots")
    larger = follows(Rel(p, ">=", m), root, domain=sizes, given=(squared,), name="larger square, larger root")
    at = {m: chord, f: th, g: 1 - th, e: first - second}
    split = Goal(Rel(p**2, "=", chord**2 + th * (1 - th) * at[e] ** 2), free, (mean,), "square of the chord")
    part = instance(larger, at, free, (split.rel,), "root above chord")
    above = follows(Rel(p, ">=", chord), split, part, domain=free, given=(mean,), name="root above chord")
    more = {**free, N: at_least(1, integer=True), r: positive(), C: positive(), low: SHARE, high: SHARE, b: real()}
    more |= {z: real(), c: real(), x: real()}

    def boundary(root: sp.Expr, at: sp.Expr) -> sp.Expr:
        return N * z - C * root + r * ((z - c) * (1 - at) + x * at)

    places = ((first, low), (second, high), (p, middle))
    roots = tuple(Rel(root**2, "=", N + r * (1 - at)) for root, at in places)
    most = tuple(Rel(boundary(root, at), "<=", b) for root, at in places[:2])
    goal = follows(
        Rel(boundary(p, middle), "<=", b), above, domain=more, given=(*roots, *most), name="between the ends"
    )
    return proof(goal, letters={**READ, b: Letter(b, "the larger of the values at both ends")})


count, M = sp.symbols("n M")
_ONE = {count: at_least(1, integer=True), c: positive(), r: positive(), M: at_least(1, integer=True)}
TANGENT = Goal(
    Rel(count / (count + r), "<=", c / (c + r) + r * (count - c) / (c + r) ** 2),
    _ONE,
    name="tangent",
    squares=(count - c,),
)
CHORD = Goal(
    Rel(count / (count + r), ">=", 1 / (1 + r) + r * (count - 1) / ((1 + r) * (M + r))),
    _ONE,
    (Rel(count, "<=", M),),
    "chord",
)


@claim("ours/bounded/weights-of-the-others", by="us", kind="inequality")
def weights_of_the_others() -> Argument:
    """K - 1 arms with M + K - 2 pulls in all, at least one each. w(j) = j/(j+rho) is concave: it lies below its tangent
    at their average and, up to M, the most that one of them can have, above its chord from 1 to M."""
    i, k, total = sp.symbols("i k T")
    counts = sp.Function("n")
    at, share = total / others, count / (count + r)
    sizes = {others: at_least(1, integer=True), r: positive(), M: at_least(1, integer=True)}
    whole = {**sizes, total: at_least(1, integer=True), v: real(), counts(i): at_least(1, integer=True)}
    one, tangent, chord = TANGENT.domain, TANGENT, CHORD
    sums = {v: sp.Sum(share.subs(count, counts(i)), (i, 1, others)), total: sp.Sum(counts(i), (i, 1, others))}
    family, every = {count: counts(i)}, Rel(counts(i), "<=", M).for_every(i, 1, others)
    level = instance(tangent, {c: at}, {**one, **sizes, total: whole[total]}, (), "tangent at the average")
    top = SumOver(level, i, sp.Integer(1), others, whole, family, sums, name="tangents")
    bottom = SumOver(chord, i, sp.Integer(1), others, whole, family, sums, (every,), "chords")
    pulls = Rel(total, "=", M + others - 1)
    arm = {**whole, k: at_least(1, integer=True), counts(i): one[count]}
    once = Goal(
        Rel(counts(i) - 1, ">=", 0), {i: at_least(1, integer=True), counts(i): one[count]}, name="at least once"
    )
    among = Among(counts(i) - 1, i, k, sp.Integer(1), others, arm, once)
    room = (Rel(k, ">=", 1), Rel(k, "<=", others), Rel(sums[total], "=", M + others - 1))
    return proof(
        follows(Rel(v, "<=", others * at / (at + r)), top, domain=whole, name="most"),
        follows(
            Rel(v, ">=", (others - 1) / (1 + r) + M / (M + r)), bottom, domain=whole, given=(pulls, every), name="least"
        ),
        follows(Rel(counts(k), "<=", M), among, domain=arm, given=room, name="pulls of one arm"),
        letters={
            **READ,
            others: LETTERS[others],
            counts(i): LETTERS[counts(i)],
            k: LETTERS[k],
            M: Letter(M, "the most pulls of one arm"),
            total: Letter(total, "pulls of these arms together"),
        },
    )


@claim("ours/bounded/blocks", by="us", kind="inequality", cites=("ours/bounded/bad-round/ends",))
def blocks() -> Argument:
    """Rounds t_1, ..., t_2 are bounded together: with the width of the first of them, the least weight of the other
    arms at the first and the most at the last. The boundary rises as the width falls, and weights rise with pulls."""
    small, large, early, root, rest = sp.symbols("j_1 j_2 C_1 p b")
    free = {small: positive(), large: positive(), r: positive(), early: positive(), C: positive(), root: positive()}
    shares = Goal(
        Rel(small / (small + r), "<=", large / (large + r)), free, (Rel(small, "<=", large),), "weights rise with pulls"
    )
    wide = Goal(
        Rel(rest - C * root, "<=", rest - early * root),
        {**free, rest: real()},
        (Rel(early, "<=", C),),
        "the first round has the highest boundary",
    )
    names = {
        root: "sqrt(N + rho v/(1+v))",
        early: "sigma sqrt(a log t) in the first round of a block",
        rest: "the rest of the boundary",
        small: "a number of pulls",
        large: "a larger number of pulls",
    }
    return proof(shares, wide, letters={**READ, **{a: Letter(a, text) for a, text in names.items()}})


@claim("ours/bounded/good-or-bad", by="us", kind="step", cites=("ours/bounded/good-pull", "ours/bounded/bad-round"))
def good_or_bad() -> Argument:
    """Arm k is pulled in round t. If its index with sqrt(a log n) is below z, so are the indices of all arms in this
    round: none is above that of k, and sqrt(a log t) is at most sqrt(a log n)."""
    estimate, tau, other, now, end = sp.symbols("muhat tau U_i s_t s_n")
    free = {estimate: real(), tau: positive(), other: real(), now: at_least(0), end: at_least(0), z: real()}
    pulled, grown = Rel(other, "<=", estimate + now * tau), Rel(now, "<=", end)
    below = Rel(estimate + end * tau, "<", z)
    most = Goal(Rel(other, "<=", estimate + end * tau), free, (pulled, grown), "the index of the pulled arm")
    goal = follows(Rel(other, "<", z), most, domain=free, given=(pulled, grown, below), name="every index is below z")
    names = {
        estimate: Letter(sp.Symbol("muhat_k"), "prediction of the arm that is pulled"),
        tau: Letter(sp.Symbol("tau_k"), "its width"),
        other: Letter(other, "index of any arm in round t"),
        now: Letter(now, "sqrt(a log t)"),
        end: Letter(end, "sqrt(a log n)"),
    }
    return proof(goal, letters=names)
