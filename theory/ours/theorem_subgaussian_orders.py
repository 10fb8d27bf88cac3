"""Theorem 5 repaired: the orders in n that follow from its bound."""

import sympy as sp

from theory.kernel.argument import Argument, Item, proof
from theory.kernel.claim import claim
from theory.kernel.goal import Goal, Rel, Var, at_least, positive, real
from theory.kernel.rules import (
    Applied,
    Expectation,
    Follows,
    Monotone,
    SplitSum,
    SumOver,
    Use,
    applied,
    follows,
    instance,
    uses,
)
from theory.kernel.rules.compose import conclusion
from theory.kernel.terms import Mean
from theory.model import stacks
from theory.model.arms import s0
from theory.model.counts import SPREAD, spread
from theory.model.intervals import c
from theory.model.play import LATER, PULLED, K, N, a, o, t, tau
from theory.model.stacks import STACKS, WORDS
from theory.model.sums import N as rounds_of_sum
from theory.ours.root_series import linked
from theory.ours.theorem_subgaussian import BAD, LOSS, loss_at_most_one
from theory.ours.theorem_subgaussian_bound import BY_PRIOR, BY_RANGE, COST, FAILURE, REGRET
from theory.ours.theorem_subgaussian_deviations import ONE

x, y, z, u, v, k = sp.symbols("x y z u v k")


LONGER = Rel(N, ">", K)
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


def failures(power: sp.Expr, least: sp.Expr, domain: dict[sp.Expr, Var], pieces: Follows) -> SumOver:
    """The failures add up to C times the sum of t^(-least/2), for a >= least."""
    before_end, wide = Rel(t, "<=", N), Rel(a, ">=", least)
    given = (LATER, before_end, wide)
    log_ = Goal(Rel(sp.log(t), ">=", 0), domain, (LATER,), "log t >= 0")
    product = Goal(
        Rel(x * z, ">=", y * z), {x: real(), y: real(), z: at_least(0)}, (Rel(x, ">=", y),), "times log(t)/2"
    )
    at = {x: a, y: least, z: sp.log(t) / 2}
    scaled = instance(product, at, domain, (wide, LATER), name="times log(t)/2")
    lower = Rel((1 + 1 / s0 - a * sp.log(t)) / 2, "<=", (1 + 1 / s0) / 2 - least * sp.log(t) / 2)
    exponents = follows(lower, log_, scaled, domain=domain, given=(LATER, wide), name="exponents")
    powers = Monotone(exponents, sp.exp(x), x, {x: real()}, name="powers")
    at = {
        u: pieces.rel.stated[0],
        y: pieces.rel.stated[1],
        v: powers.concludes.rel.stated[0],
        z: powers.concludes.rel.stated[1],
    }
    room = Rel(pieces.rel.stated[0], ">=", 0), Rel(pieces.rel.stated[1], ">=", 0)
    both = instance(PRODUCTS, at, domain, (pieces.rel, powers.concludes.rel, *room), name="both factors")
    above = [follows(rel, log_, pieces, domain=domain, given=given, name="not negative") for rel in room]
    smallest = instance(
        stacks.AMONG_THREE, {u: ONE, v: BY_PRIOR, z: BY_RANGE}, domain, (LATER,), name="at most the last"
    )
    one = Rel(FAILURE, "<=", LARGEST * power)
    term = follows(one, smallest, powers, pieces, *above, both, domain=domain, given=given, name="one round")
    return SumOver(term, t, K + 1, N, domain, given=(LONGER, wide), name="all rounds")


def in_total(rounds: SumOver, power: sp.Expr, most: Item, end: sp.Expr, name: str) -> Applied:
    """The failures add up to C times `end`, if `most` says so of the powers."""
    total, domain = sp.Sum(power, (t, K + 1, N)), dict(rounds.domain)
    front = Goal(Rel(LARGEST, ">=", 0), STACKS, (LONGER,), "C >= 0")
    scaled = Goal(Rel(x * z, "<=", y * z), {x: real(), y: real(), z: at_least(0)}, (Rel(x, "<=", y),), "times C")
    below = Rel(total, "<=", end)
    last = instance(scaled, {x: total, y: end, z: LARGEST}, domain, (below, front.rel, LONGER), name="times C")
    return linked(rounds, last, domain=domain, given=rounds.given, name=name, known=(most, front))


def closed_sum(power: sp.Expr, sums: str, end: sp.Expr) -> Follows:
    """The sum of t^(-1/2) or 1/t over the rounds after the K-th."""
    known = uses(f"sec:proof/{sums}/after-K", {rounds_of_sum: N}, domain=STACKS)
    one_arm = Goal(Rel(1, "<=", K), {K: STACKS[K]}, name="K >= 1")
    log_k = Monotone(one_arm, sp.log(x), x, {x: positive()}, name="log K >= 0")
    bound = Rel(sp.Sum(power, (t, K + 1, N)), "<=", end)
    return follows(bound, known, log_k, domain=STACKS, given=(LONGER,), name="sum over rounds")


@claim(
    "them-R-Bayes-SubR/part-2/repaired",
    by="us",
    kind="bound",
    cites=("them-R-Bayes-SubR/repaired",),
    repairs="them-R-Bayes-SubR/part-2",
)
def part_two() -> Argument:
    """Compare exponents: -a/2 <= -1 for a >= 2 and <= -1/2 for a >= 1, as in Theorem 2, with no m; the number of
    pieces is largest at t = n; then the two sums over rounds."""
    pieces = pieces_rise()
    parts = (1, 1 / sp.sqrt(t), "sum-root", 2 * sp.sqrt(N)), (2, 1 / t, "harmonic", 1 + sp.log(N))
    found = (
        in_total(
            failures(power, sp.Integer(least), STACKS, pieces),
            power,
            closed_sum(power, sums, end),
            end,
            f"a >= {least}",
        )
        for least, power, sums, end in parts
    )
    return proof(*found, letters=WORDS)


def widths_of_rounds() -> Use:
    """The widths of all rounds after the K-th."""
    return uses("them-R-Bayes-SubR/leading/repaired")


def regret(fails: Item, wide: Rel, domain: dict[sp.Expr, Var], name: str) -> Applied:
    """K rounds cost 1 at most, and the others twice their width or, with the chance of a failure, 1."""
    widths = widths_of_rounds()
    free = {**widths.concludes.domain, **domain}
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
    later = SumOver(one, t, K + 1, N, STACKS, given=(LONGER,), name="later rounds")
    unit = Expectation(loss_at_most_one(), (o,))
    first = SumOver(unit, t, ONE, K, STACKS, name="the first K rounds")
    split = SplitSum(COST, t, ONE, K, N, STACKS, (LONGER,), "the first K rounds and the others")
    averaged = Expectation(widths, (o,))
    p, q, w, r, m = sp.symbols("p q w r m")
    parts = Rel(x, "=", p + q), Rel(p, "<=", u), Rel(q, "<=", 2 * v + w), Rel(v, "<=", r), Rel(w, "<=", m)
    lemma = Goal(Rel(x, "<=", u + 2 * r + m), dict.fromkeys((x, u, v, p, q, w, r, m), real()), parts, "all parts")
    (v_, r_), (w_, m_) = averaged.concludes.rel.stated, conclusion(fails).rel.stated
    at = {x: REGRET, p: sp.Sum(COST, (t, 1, K)), q: sp.Sum(COST, (t, K + 1, N)), u: K, v: v_, r: r_, w: w_, m: m_}
    return applied(lemma, at, split, first, later, averaged, fails, domain=free, given=(LONGER, wide), name=name)


@claim(
    "them-R-Bayes-SubR/long-horizons/repaired",
    by="us",
    kind="bound",
    repairs="them-R-Bayes-SubR/long-horizons",
)
def long_horizons() -> Argument:
    """The printed form with a larger last term, for every rho and every a >= 1 instead of a >= m: on the good event a
    round costs 2c, the widths add up as in them-R-Bayes-SubR/leading/repaired, the failures as in part (2). The order
    sqrt(n), up to logarithms, so holds for every a >= 1, and for no a < 1 (them-R-Bayes-SubR/lock-out/rate)."""
    stated = regret(uses("them-R-Bayes-SubR/part-2/repaired", item="a >= 1"), Rel(a, ">=", 1), STACKS, "long horizons")
    return proof(stated, letters={**widths_of_rounds().concludes.letters, **WORDS})
