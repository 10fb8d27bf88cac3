"""Theorem 5 repaired: the orders in n that follow from its bound."""

import sympy as sp

from theory.kernel.analysis import antiderivative
from theory.kernel.argument import Argument, proof
from theory.kernel.claim import claim
from theory.kernel.goal import Goal, Rel, Var, at_least, positive, real
from theory.kernel.rules import Expectation, Follows, Limit, Monotone, SplitSum, SumOver, follows, instance, uses
from theory.kernel.terms import Mean
from theory.model import stacks
from theory.model.arms import s0
from theory.model.counts import SPREAD, spread
from theory.model.intervals import c
from theory.model.play import LATER, PULLED, K, N, a, o, t, tau
from theory.model.stacks import STACKS, WORDS
from theory.model.sums import N as rounds_of_sum
from theory.ours.theorem2 import BAD, LOSS
from theory.ours.theorem2_bound import BY_PRIOR, BY_RANGE, COST, FAILURE, REGRET
from theory.ours.theorem2_deviations import ONE

x, y, z, u, v, k = sp.symbols("x y z u v k")


LARGEST = 2 * K * (1 + sp.log(N) * spread(N) / 4) * sp.exp((1 + 1 / s0) / 2)  # C
PRODUCTS = Goal(
    Rel(u * v, "<=", y * z),
    {u: at_least(0), v: at_least(0), y: at_least(0), z: at_least(0)},
    (Rel(u, "<=", y), Rel(v, "<=", z)),
    "both factors",
)


def pieces_rise() -> Follows:
    """1 + log(t) sqrt(a log t)/4 is largest at t = n."""
    before_end = Rel(t, "<=", N)
    given = (LATER, before_end)
    order = Goal(before_end, STACKS, given, "t <= n")
    logs = Monotone(order, sp.log(x), x, {x: positive()}, name="logarithms")
    roots = Monotone(order, sp.sqrt(a * sp.log(x)), x, {x: Var(ONE, strict=True), a: positive()}, name="roots")
    ends = SPREAD, instance(SPREAD, {t: N}, STACKS, (Rel(N, ">", K),), name="at t = n")
    wider = follows(Rel(spread(t), "<=", spread(N)), *ends, roots, domain=STACKS, given=given, name="widths")
    positive_log = Goal(Rel(sp.log(t), ">=", 0), STACKS, (LATER,), "log t >= 0")
    at = {u: sp.log(t), y: sp.log(N), v: spread(t), z: spread(N)}
    facts = (logs.concludes.rel, wider.rel, positive_log.rel, Rel(sp.log(N), ">=", 0))
    both = instance(PRODUCTS, at, STACKS, facts, name="both factors")
    total = Rel(1 + sp.log(t) * spread(t) / 4, "<=", 1 + sp.log(N) * spread(N) / 4)
    return follows(total, logs, wider, positive_log, both, domain=STACKS, given=given, name="pieces")


def failures(power: sp.Expr, least: int, sums: str, end: sp.Expr, pieces: Follows) -> Follows:
    """The failures add up to C times the sum of t^(-1/2) or 1/t."""
    before_end, wide = Rel(t, "<=", N), Rel(a, ">=", least)
    given = (LATER, before_end, wide)
    log_ = Goal(Rel(sp.log(t), ">=", 0), STACKS, (LATER,), "log t >= 0")
    product = Goal(
        Rel(x * z, ">=", y * z), {x: real(), y: real(), z: at_least(0)}, (Rel(x, ">=", y),), "times log(t)/2"
    )
    at = {x: a, y: sp.Integer(least), z: sp.log(t) / 2}
    scaled = instance(product, at, STACKS, (wide, LATER), name="times log(t)/2")
    lower = Rel((1 + 1 / s0 - a * sp.log(t)) / 2, "<=", (1 + 1 / s0) / 2 - least * sp.log(t) / 2)
    exponents = follows(lower, log_, scaled, domain=STACKS, given=(LATER, wide), name="exponents")
    powers = Monotone(exponents, sp.exp(x), x, {x: real()}, name="powers")
    at = {
        u: pieces.rel.stated[0],
        y: pieces.rel.stated[1],
        v: powers.concludes.rel.stated[0],
        z: powers.concludes.rel.stated[1],
    }
    room = Rel(pieces.rel.stated[0], ">=", 0), Rel(pieces.rel.stated[1], ">=", 0)
    both = instance(PRODUCTS, at, STACKS, (pieces.rel, powers.concludes.rel, *room), name="both factors")
    above = [follows(rel, log_, pieces, domain=STACKS, given=given, name="not negative") for rel in room]
    smallest = instance(
        stacks.AMONG_THREE, {u: ONE, v: BY_PRIOR, z: BY_RANGE}, STACKS, (LATER,), name="at most the last"
    )
    one = Rel(FAILURE, "<=", LARGEST * power)
    term = follows(one, smallest, powers, pieces, *above, both, domain=STACKS, given=given, name="one round")
    long = Rel(N, ">", K)
    rounds = SumOver(term, t, K + 1, N, STACKS, given=(long, wide), name="all rounds")
    total = sp.Sum(power, (t, K + 1, N))
    known = uses(f"sec:proof/{sums}/after-K", {rounds_of_sum: N}, domain=STACKS)
    one_arm = Goal(Rel(1, "<=", K), {K: STACKS[K]}, name="K >= 1")
    log_k = Monotone(one_arm, sp.log(x), x, {x: positive()}, name="log K >= 0")
    most = follows(Rel(total, "<=", end), known, log_k, domain=STACKS, given=(long,), name="sum over rounds")
    front = Goal(Rel(LARGEST, ">=", 0), STACKS, (long,), "C >= 0")
    scaled_ = Goal(Rel(x * z, "<=", y * z), {x: real(), y: real(), z: at_least(0)}, (Rel(x, "<=", y),), "times C")
    last = instance(scaled_, {x: total, y: end, z: LARGEST}, STACKS, (most.rel, front.rel, long), name="times C")
    bound = Rel(sp.Sum(FAILURE, (t, K + 1, N)), "<=", LARGEST * end)
    return follows(bound, rounds, most, front, last, domain=STACKS, given=(long, wide), name=f"a >= {least}")


@claim(
    "them-R-Bayes-SubR/part-2/repaired",
    by="us",
    kind="bound",
    uses=("sec:proof/harmonic/after-K", "sec:proof/sum-root/after-K"),
    cites=("them-R-Bayes-SubR/repaired",),
    repairs="them-R-Bayes-SubR/part-2",
)
def part_two() -> Argument:
    """Compare exponents: -a/2 <= -1 for a >= 2 and <= -1/2 for a >= 1, as in Theorem 2, with no m; the number of
    pieces is largest at t = n; then the two sums over rounds."""
    pieces = pieces_rise()
    return proof(
        failures(1 / sp.sqrt(t), 1, "sum-root", 2 * sp.sqrt(N), pieces),
        failures(1 / t, 2, "harmonic", 1 + sp.log(N), pieces),
        letters=WORDS,
    )


@claim(
    "them-R-Bayes-SubR/long-horizons/repaired",
    by="us",
    kind="bound",
    uses=(
        "them-R-Bayes-SubR/repaired/round",
        "them-R-Bayes-SubR/repaired/round/mean",
        "them-R-Bayes-SubR/part-2/repaired",
        "them-R-Bayes-SubR/leading/repaired",
    ),
    repairs="them-R-Bayes-SubR/long-horizons",
)
def long_horizons() -> Argument:
    """The printed form with a larger last term, for every rho and every a >= 1 instead of a >= m: on the good event a
    round costs 2c, the widths add up as in them-R-Bayes-SubR/leading/repaired, the failures as in part (2). The order
    sqrt(n), up to logarithms, so holds for every a >= 1, and for no a < 1 (them-R-Bayes-SubR/lock-out/rate)."""
    long, wide = Rel(N, ">", K), Rel(a, ">=", 1)
    widths = uses("them-R-Bayes-SubR/leading/repaired")
    free = {**widths.concludes.domain, **STACKS}
    known = SPREAD.concludes.rel
    product = Goal(Rel(x * y, "=", z * y), {x: real(), y: real(), z: real()}, (Rel(x, "=", z),), "times tau")
    at = {x: known.stated[0], z: known.stated[1], y: tau(PULLED, t, o)}
    scaled = instance(product, at, STACKS, (known, LATER), name="times tau")
    cost = uses("them-R-Bayes-SubR/repaired/round", item="any round")
    bound = Rel(LOSS, "<=", 2 * c(PULLED) + BAD)
    point = follows(bound, cost, SPREAD, scaled, domain=STACKS, given=(LATER,), name="one round")
    chance = uses("them-R-Bayes-SubR/repaired/round/mean", item="failure")
    mean = Rel(COST, "<=", 2 * Mean(c(PULLED), o) + FAILURE)
    one = follows(mean, Expectation(point, (o,)), chance, domain=STACKS, given=(LATER,), name="one round in the mean")
    later = SumOver(one, t, K + 1, N, STACKS, given=(long,), name="later rounds")
    unit = Expectation(Goal(Rel(LOSS, "<=", 1), STACKS, name="means in [0, 1]"), (o,))
    first = SumOver(unit, t, ONE, K, STACKS, name="the first K rounds")
    split = SplitSum(COST, t, ONE, K, N, STACKS, (long,), "the first K rounds and the others")
    fails = uses("them-R-Bayes-SubR/part-2/repaired", item="a >= 1")
    total = K + 2 * widths.concludes.rel.stated[1] + fails.concludes.rel.stated[1]
    parts = split, first, later, Expectation(widths, (o,)), fails
    stated = follows(Rel(REGRET, "<=", total), *parts, domain=free, given=(long, wide), name="long horizons")
    return proof(stated, letters={**widths.concludes.letters, **WORDS})


@claim(
    "them-R-Bayes-SubR/long-horizons/above-one",
    by="us",
    kind="bound",
    says=r"\text{for all}\ n\ge n_0(K,\sigma_0^2,\sigma^2,a):\ \text{the printed part (1) holds if}\ a\ge m\ "
    r"\text{and}\ a>1,\ \text{the printed part (2) always},\ \text{as}\ a\ge2m>1",
    uses=("them-R-Bayes-SubR/repaired", "them-R-Bayes-SubR/leading/repaired", "them-R-Bayes-SubR/m/range"),
)
def above_one() -> Argument:
    """For a > 1 the failures cost a power of n below 1/2, times logarithms. What the repaired theorem saves is more:
    sqrt(beta) stands in its leading term in the place of beta > 1, and part (1) has a last term of order sqrt(n). With
    claim them-R-Bayes-SubR/lock-out/rate: at long horizons part (1) is true for a > 1 and false for a < 1; how
    long they must be depends on exp(1/(2 sigma_0^2))."""
    b, ell, X, extra, tail, r, gain = sp.symbols("b ell X extra tail r gain")  # b = min(a, 3/2), r = sqrt(beta)
    free = {
        **dict.fromkeys((X, extra, tail), at_least(0)),
        r: at_least(1),
        ell: at_least(0),
        a: positive(),
        b: Var(sp.Integer(1), strict=True, high=sp.Rational(3, 2)),
        k: at_least(1, integer=True),
        x: positive(),
    }
    return proof(
        Goal(Rel(-a * ell / 2, "<=", -b * ell / 2), free, (Rel(b, "<=", a),), "t^(-a/2) <= t^(-b/2)"),
        antiderivative(
            x ** (1 - b / 2) / (1 - b / 2),
            x ** (-b / 2),
            x,
            {x: positive(), b: free[b]},
            "the falling t^(-b/2) adds up to at most n^(1-b/2)/(1-b/2)",
        ),
        Limit(
            ell ** sp.Rational(3, 2) * sp.exp(-gain * ell),
            ell,
            sp.Integer(0),
            {ell: positive(), gain: positive()},
            "n^(1-b/2) (log n)^(3/2) is small beside sqrt(n): ell = log n, gain = (b-1)/2",
        ),
        Limit(sp.exp(-ell / 2), ell, sp.Integer(0), {ell: positive()}, "K is small beside sqrt(n)"),
        Goal(
            Rel(2 * r * X + extra, "<=", 2 * r**2 * X + tail),
            free,
            (Rel(extra, "<=", tail),),
            "part (1): the rest is below its last term",
        ),
        Goal(
            Rel(2 * r * X + extra, "<=", 2 * r**2 * X + tail),
            free,
            (Rel(extra, "<=", 2 * (r**2 - r) * X),),
            "part (2): the rest is below what is saved",
        ),
        Goal(Rel(2 * k / (k + 1), ">=", 1), free, name="2m > 2K/(K+1) >= 1"),
    )
