"""Section 5.2 (`sec:proof`): the sum of the widths, from the steps of the first term."""

import sympy as sp

from theory.kernel.argument import Argument, proof
from theory.kernel.claim import claim
from theory.kernel.goal import Goal, Rel, Var, at_least, positive, real
from theory.kernel.rules import Applied, Follows, SplitSum, SumOver, applied, follows, instance, uses
from theory.model import bound_formulas as bounds
from theory.model.arms import J, n, s, s0
from theory.model.counts import PULLS, WIDEST, g
from theory.model.counts import j as pulls_of
from theory.model.intervals import c
from theory.model.play import COUNT, LATER, PULLED, PULLED_IS_AN_ARM, WORDS, K, N, a, count, k, o, t, tau
from theory.model.pull_order import BEFORE, OWN_COUNT, SIZES, before
from theory.model.pull_order import WORDS as PULL_WORDS
from theory.model.regret_bounds import Bound
from theory.model.sums import square_of_sum
from theory.ours.root_series import linked, order_of_roots
from theory.ours.sharp import PRODUCT
from theory.paper.section5.first_term import GAMMA, precision

x, y, z, m = sp.symbols("x y z m")
BETA = Bound("beta", K, s0, s)
LONG = Rel(N, ">", K)
PLAYED = {**PULLS, **SIZES, a: positive(), t: COUNT}
PRODUCTS = Goal(
    Rel(x * y, "<=", m * z),
    {x: at_least(0), y: real(), z: at_least(0), m: real()},
    (Rel(y, "<=", z), Rel(x, "<=", m)),
    "both factors",
)
LOGS = K * GAMMA * sp.log(1 + s0 * N / s)
PRICE = a * sp.log(N) * BETA


@claim(
    "regret-decom-upper1/repaired",
    by="us",
    kind="step",
    cites=("sec:proof/cauchy-schwarz",),
    repairs="regret-decom-upper1",
)
def first_term() -> Argument:
    """Put the steps together: Cauchy-Schwarz, then gamma and the telescoped sum; only rounds after the first K."""
    given = (LONG,)
    widths = sp.Sum(c(PULLED), (t, K + 1, N))
    squares = square_of_sum(c(PULLED), K + 1, N, PLAYED, LONG, name="square of the sum", each=(LATER,))
    each = SumOver(square_of_width(), t, K + 1, N, PLAYED, given=given, name="squares of the widths")
    at = {x: PRICE, y: sp.Sum(precision(before), (t, K + 1, N)), z: LOGS}
    scaled = applied(PRODUCT, at, later_pulls(), domain=PLAYED, given=given, name="telescoped")
    summed = linked(each, scaled, domain=PLAYED, given=given, name="squares of the widths")
    at = {x: N - K, m: N, y: sp.Sum(c(PULLED) ** 2, (t, K + 1, N)), z: PRICE * LOGS}
    every = applied(PRODUCTS, at, summed, domain=PLAYED, given=given, name="n rounds")
    radicand = a * Bound("G", N, s0 / s) * BETA * s0 * K * N * sp.log(N)
    sizes = {N: Var(sp.Integer(1), strict=True), **dict.fromkeys((K, s, s0, a), positive())}
    same = Goal(Rel(N * (PRICE * LOGS), "=", radicand), sizes, name="radicand")
    printed = instance(same, {}, PLAYED, given, name="radicand")
    square = linked(squares, every, printed, domain=PLAYED, given=given, name="square of the sum")
    one = instance(Goal(Rel(x, ">=", 0), {x: at_least(0)}, name="a width"), {x: c(PULLED)}, PLAYED, (LATER,))
    sign = SumOver(one, t, K + 1, N, PLAYED, given=given, name="nonnegative")
    at = {x: widths, y: sp.sqrt(radicand)}
    root = applied(order_of_roots(), at, sign, square, domain=PLAYED, given=given, name="first term")
    return proof(root, letters={**PULL_WORDS, **WORDS})


def square_of_width() -> Applied:
    """c_{I_t,t}^2 <= a log n beta/(1/sigma_0^2 + n_{I_t,t}/sigma^2)."""
    late, pulls, own = (LATER,), count(PULLED, t, o), tau(PULLED, t, o)
    width = instance(uses("ours/width/play"), {k: PULLED}, PLAYED, late, name="width of the pulled arm")
    order = Goal(Rel(x**2, "<=", y**2), {x: at_least(0), y: real()}, (Rel(x, "<=", y),), "squares")
    equal = Goal(Rel(x**2, "=", y**2), {x: real(), y: real()}, (Rel(x, "=", y),), "squares")
    below = applied(order, {x: own, y: g(pulls)}, width, domain=PLAYED, given=late, name="tau^2 <= g^2")
    widest = instance(WIDEST, {pulls_of: pulls}, PLAYED, name="g")
    square = applied(equal, {x: g(pulls), y: bounds.g(pulls, K, s0, s)}, widest, domain=PLAYED, name="g^2")
    lemma = uses("ours/width", {n: pulls, J: K - 1}, item="below Lemma sec:tau", domain=PLAYED)
    at_count = Rel(lemma.concludes.rel.stated[1].xreplace({pulls: x}), "=", BETA * precision(y))
    free = {x: positive(), y: positive(), K: at_least(1), s: positive(), s0: positive()}
    counts = Goal(at_count, free, (Rel(x, "=", y),), "in terms of the count")
    renamed = applied(
        counts, {x: pulls, y: before}, same_count(), domain=PLAYED, given=late, name="in terms of the count"
    )
    small = linked(below, square, lemma, renamed, domain=PLAYED, given=late, name="Lemma sec:tau")
    inside = (LATER, Rel(t, "<=", N))
    logs = instance(uses("sec:proof/log-n"), {}, PLAYED, inside, name="log t <= log n")
    times = Goal(
        Rel(m * x * y**2, "<=", m * z * n),
        {m: positive(), x: at_least(0), y: real(), z: real(), n: real()},
        (Rel(x, "<=", z), Rel(y**2, "<=", n)),
        "a log t tau^2",
    )
    at = {m: a, x: sp.log(t), y: own, z: sp.log(N), n: BETA * precision(before)}
    return applied(times, at, logs, small, domain=PLAYED, given=inside, name="square of a width")


def same_count() -> Follows:
    """The count of the pulled arm."""
    own = instance(OWN_COUNT, {k: PULLED}, PLAYED, (LATER, Rel(PULLED, "<=", K)), name="pulls of the pulled arm")
    rel = Rel(count(PULLED, t, o), "=", before)
    return follows(
        rel, PULLED_IS_AN_ARM, own, BEFORE, domain=PLAYED, given=(LATER,), name="the count of the pulled arm"
    )


def later_pulls() -> Follows:
    """The telescoped sum over all rounds covers those after the K-th."""
    term, given = precision(before), (LONG,)
    one = Goal(Rel(precision(x), ">=", 0), {x: at_least(0), s: positive(), s0: positive()}, name="a term")
    early = SumOver(instance(one, {x: before}, PLAYED), t, sp.Integer(1), K, PLAYED, name="the first K rounds")
    split = SplitSum(term, t, sp.Integer(1), K, N, PLAYED, given, "the first K rounds and the others")
    whole = uses("sec:proof/telescoping")
    bound = Rel(sp.Sum(term, (t, K + 1, N)), "<=", LOGS)
    return follows(bound, split, early, whole, domain=PLAYED, given=given, name="later pulls")
