"""The bound of order log^2 n: rounds whose gap the widths can hide, and rounds with a large error.

B = sqrt(a log n) + sqrt(b log n). A pull of arm k at count j is near if its gap is at most B g(j); each such pair is
met at most once. Other rounds have a large error of the pulled arm or a low index of the best one.
"""

import sympy as sp

from theory.kernel.argument import Argument, Item, proof
from theory.kernel.claim import claim
from theory.kernel.goal import Goal, Letter, Rel, Var, at_least, positive, real
from theory.kernel.rules import (
    Applied,
    Expectation,
    Follows,
    Monotone,
    SplitSum,
    SumOver,
    Union,
    Whether,
    applied,
    follows,
    instance,
    restated,
    uses,
)
from theory.kernel.terms import Event, Mean
from theory.model import bound_formulas as bounds
from theory.model.arms import s0
from theory.model.counts import (
    DEVIATION,
    NOW,
    PULLS,
    SECOND,
    SPREAD,
    b,
    counts,
    deviation,
    g,
    j,
    second,
    spread,
)
from theory.model.deviations import ERROR, OTHER, OTHERS, OWN, ROUNDS, SECOND_WIDTH, UP, low
from theory.model.normal import Density, Excess
from theory.model.play import (
    BEST,
    COUNT,
    EFFECT,
    LARGEST,
    PULLED,
    PULLED_IS_AN_ARM,
    K,
    N,
    Z,
    a,
    count,
    i,
    index,
    k,
    mu,
    mu0,
    o,
    t,
    tau,
    width,
)
from theory.model.regret import LOSS, R_N, WORDS
from theory.ours.arm_count_pairs import ARMS, dual, eta, positive_part
from theory.ours.bad_rounds import UNIT
from theory.ours.counting import AFTER, EXTRA, ONE, falls
from theory.ours.equal_shares import MORE
from theory.ours.large_errors import cost
from theory.ours.pull_counts import of_pull
from theory.ours.root_series import linked
from theory.ours.sharp import FIRST, PRODUCT
from theory.ours.subtracted_regret import FACTORS

x, y, z, u, v, p, q, r, c, d, h = sp.symbols("x y z u v p q r c d h")
B = spread(N) + second(N)
MET = g(count(PULLED, t, o))
FAR = Event(LOSS - B * MET, 1)  # the gap of the pulled arm is more than the widths can hide
NEAR = (mu(BEST, o) - mu(k, o)) * (1 - Event(mu(BEST, o) - mu(k, o) - B * g(j), 1))  # of arm k at count j
BEST_LOW = low(BEST)
PRICED = {**ROUNDS, eta: at_least(0)}
LETTERS = {
    **WORDS,
    eta: Letter(eta, "price of a pull: any number"),
}


def last_width(of: sp.Expr, named: sp.Expr, known: Item) -> Applied:
    """sqrt(a log t) <= sqrt(a log n) by its name, for K < t <= n; or with b."""
    rounds = Goal(NOW, {t: COUNT, N: COUNT, K: COUNT}, (AFTER, NOW), "a round up to n")
    above = {x: Var(ONE, strict=True), of: positive()}
    rises = Monotone(rounds, sp.sqrt(of * sp.log(x)), x, above, name="the width rises")
    turned = Goal(Rel(x, "<=", y), dict.fromkeys((x, y, z), real()), (Rel(x, "<=", z), Rel(y, "=", z)), "by its name")
    at = {x: sp.sqrt(of * sp.log(t)), y: named, z: sp.sqrt(of * sp.log(N))}
    return applied(turned, at, rises, known, domain=ROUNDS, given=(AFTER, NOW), name="at most the last width")


def near() -> Applied:
    """If the best arm's index is not below its mean and the pulled arm's error is small, the gap is at most B g."""
    small = (Rel(mu(BEST, o), "<=", index(BEST)), Rel(ERROR, "<=", second(t) * OWN))
    given = (AFTER, NOW, *small)
    lemma = Goal(
        Rel(x, "<=", (p + q) * z),
        {**dict.fromkeys((x, u, v, r, c, z, h), real()), **dict.fromkeys((y, p, q), at_least(0))},
        (
            Rel(x, "<=", (u - h) + (v + r * y)),
            Rel(u, "<=", h),
            Rel(v, "<=", c * y),
            Rel(y * r, "<=", y * p),
            Rel(y * c, "<=", y * q),
            Rel(y, "<=", z),
        ),
        "near",
    )
    last = instance(SPREAD, {t: N}, ROUNDS, (Rel(N, ">", K),), name="the last width")
    last_second = instance(SECOND, {t: N}, ROUNDS, (Rel(N, ">", K),), name="the last width")
    widths = last_width(a, spread(N), last), last_width(b, second(N), last_second)
    own = instance(SECOND, {}, ROUNDS, (AFTER,), name="the second width")
    seconds = Goal(Rel(x, "<=", y), dict.fromkeys((x, y, z), real()), (Rel(x, "=", z), Rel(z, "<=", y)), "by its name")
    at = {x: second(t), y: second(N), z: SECOND_WIDTH}
    second_ = applied(seconds, at, own, widths[1], domain=ROUNDS, given=(AFTER, NOW), name="the second width")
    at = {x: OWN, y: width, z: spread(N)}
    first = applied(PRODUCT, at, widths[0], domain=ROUNDS, given=(AFTER, NOW), name="times tau")
    at = {x: OWN, y: second(t), z: second(N)}
    other = applied(PRODUCT, at, second_, domain=ROUNDS, given=(AFTER, NOW), name="times tau")
    wide = instance(uses("ours/width/play"), {k: PULLED}, ROUNDS, (AFTER,), name="width of the pulled arm")
    at = {x: LOSS, u: mu(BEST, o), h: index(BEST), v: ERROR, r: width, y: OWN, c: second(t)}
    at |= {p: spread(N), q: second(N), z: MET}
    return applied(lemma, at, cost(), first, other, wide, domain=ROUNDS, given=given, name="a near round")


def loss_is_positive() -> Follows:
    """mu_* >= mu_I."""
    some = {**ROUNDS, mu0: real()}
    effects = [instance(EFFECT, {k: which}, some, name="effect") for which in (BEST, PULLED)]
    largest = instance(LARGEST, {k: PULLED}, ROUNDS, (Rel(PULLED, "<=", K),), name="the largest effect")
    at = {x: sp.sqrt(s0), y: Z(PULLED, o), z: Z(BEST, o)}
    scaled = applied(PRODUCT, at, PULLED_IS_AN_ARM, largest, domain=ROUNDS, name="times sigma_0")
    return follows(Rel(LOSS, ">=", 0), scaled, *effects, domain=some, name="a gap")


@claim("ours/logarithmic/far-round", by="us", kind="step")
def far_round() -> Argument:
    """In a far round either the best arm's index is below its mean, or it is not and the pulled arm's error is large:
    else its gap were at most (sqrt(a log t) + sqrt(b log t)) tau, by ours/logarithmic/good-round, so at most B g."""
    given = (AFTER, NOW)
    some = near()
    union = Union(some, some.given[2:], "a far round")
    exclusive = Goal(
        Rel(x, "<=", y + (1 - y) * z),
        {x: UNIT, y: UNIT, z: UNIT},
        (Rel(x, "<=", y + z), Rel(y**2, "=", y)),
        "one or the other",
    )
    at = {x: FAR, y: BEST_LOW, z: UP}
    parts = union, Whether(BEST_LOW, ROUNDS)
    either = applied(exclusive, at, *parts, domain=ROUNDS, given=given, name="one or the other")
    at = {x: LOSS, y: FAR, z: BEST_LOW + (1 - BEST_LOW) * UP}
    lost = applied(PRODUCT, at, loss_is_positive(), either, domain=ROUNDS, given=given, name="cost of a far round")
    return proof(lost, letters=LETTERS)


@claim("ours/logarithmic/round", by="us", kind="inequality")
def round_() -> Argument:
    """A round is near, or the best arm's index is low, or the pulled arm's error is large."""
    given = (AFTER, NOW)
    far = Expectation(uses("ours/logarithmic/far-round"), (o,))
    arm = {**ROUNDS, i: COUNT}
    other = instance(uses("ours/width/play"), {k: OTHER}, arm, (AFTER,), name="width of another arm")
    narrower = falls({j: ONE, k: count(OTHER, t, o)}, arm, AFTER)
    most = linked(other, narrower, domain=arm, given=(AFTER,), name="at most after one pull")
    widths = Expectation(SumOver(most, i, ONE, K - 1, ROUNDS, given=(AFTER,), name="the other arms"), (o,))
    others = sp.Sum(Mean(tau(OTHER, t, o), o), OTHERS)
    psi = instance(uses("ours/psi", item="positive"), {sp.Symbol("s"): width}, ROUNDS, (AFTER,), name="Psi > 0")
    at = {x: Excess(width), y: others, z: (K - 1) * g(ONE)}
    tails = applied(PRODUCT, at, psi, widths, domain=ROUNDS, given=(AFTER,), name="times Psi")
    sizes = {K: COUNT, t: at_least(2), a: positive(), b: positive()}
    factors = (K - 1) * Density(width) + (1 + width / SECOND_WIDTH) * Density(SECOND_WIDTH)
    same = Goal(Rel(factors, "=", bounds.deviation_factor(t, K, a, b)), sizes, name="both densities")
    known = instance(same, {}, ROUNDS, (AFTER,), name="both densities")
    turned = Goal(
        Rel(x * z, "=", y * z), dict.fromkeys((x, y, z, u), real()), (Rel(x, "=", u), Rel(y, "=", u)), "by its name"
    )
    own = Mean(OWN, o)
    at = {x: factors, y: deviation(t), z: own, u: bounds.deviation_factor(t, K, a, b)}
    named = applied(turned, at, known, DEVIATION, domain=ROUNDS, given=(AFTER,), name="the factor of the deviations")
    pulled = Expectation(instance(uses("ours/width/play"), {k: PULLED}, ROUNDS, (AFTER,), name="its width"), (o,))
    at = {x: deviation(t), y: own, z: Mean(MET, o)}
    wide = applied(PRODUCT, at, pulled, domain=ROUNDS, given=(AFTER,), name="times its factor")
    total = Goal(
        Rel(x, "<=", y + p + q),
        dict.fromkeys((x, y, z, u, v, r, c, d, p, q), real()),
        (
            Rel(x - y, "<=", u + v),
            Rel(u, "<=", r + c),
            Rel(v, "<=", z),
            Rel(c, "<=", p),
            Rel(r + z, "=", d),
            Rel(d, "<=", q),
        ),
        "all kinds of rounds",
    )
    at = {x: Mean(LOSS, o), y: Mean(LOSS * (1 - FAR), o), u: Mean(LOSS * BEST_LOW, o)}
    at |= {v: Mean((1 - BEST_LOW) * UP * LOSS, o), r: (K - 1) * Density(width) * own, c: Excess(width) * others}
    at |= {z: (1 + width / SECOND_WIDTH) * Density(SECOND_WIDTH) * own, p: Excess(width) * ((K - 1) * g(ONE))}
    at |= {d: deviation(t) * own, q: deviation(t) * Mean(MET, o)}
    sides = uses("ours/logarithmic/lower-side"), uses("ours/logarithmic/upper-side", item="upper side")
    bound = applied(total, at, far, *sides, tails, named, wide, domain=ROUNDS, given=given, name="a round")
    return proof(bound, letters=LETTERS)


@claim("ours/logarithmic/near-pulls", by="us", kind="step")
def near_pulls() -> Argument:
    """Of every play: the gaps of its near rounds are a sum over pairs of an arm and a count, each met at most once; a
    price eta per pull is subtracted, as in ours/duality."""
    given = (MORE,)
    one = instance(of_pull(NEAR), {}, PRICED, (AFTER, NOW), name="one pull")
    rounds = SumOver(one, t, K + 1, N, PRICED, given=given, name="all rounds")
    left = sp.Sum(LOSS * (1 - FAR), (t, K + 1, N))
    pathwise = linked(rounds, dual(NEAR, PRICED, given), domain=PRICED, given=given, name="near pulls", left=left)
    return proof(pathwise, letters=LETTERS)


@claim("ours/logarithmic", by="us", kind="bound")
def logarithmic() -> Argument:
    """Every round after the K-th is near, or the pulled arm's error is too large, or the best arm's index too low; add
    up what each costs. By ours/logarithmic/count an arm with gap Delta has at most (B sigma/Delta)^2 - alpha near
    pulls; at the price eta = 0 they cost that many times its gap. The factors q_t fall, so that their widths are
    largest if the arms are pulled in turn."""
    given = (MORE,)
    rounds = SumOver(uses("ours/logarithmic/round"), t, K + 1, N, PRICED, given=given, name="later rounds")
    pulls = Expectation(uses("ours/logarithmic/near-pulls"), (o,))
    widest = Expectation(uses("ours/widest-last", item="a falling factor"), (o,))
    blind = uses("sec:analysis/round-robin", item="one of the first rounds")
    first = SumOver(blind, t, ONE, K, PULLS, name="the first K rounds")
    split = SplitSum(Mean(LOSS, o), t, ONE, K, N, PRICED, given, "the first K rounds and the others")
    lemma = Goal(
        Rel(x, "<=", y + c + r + d),
        dict.fromkeys((x, y, z, u, v, p, r, c, d), real()),
        (Rel(x, "=", u + v), Rel(u, "=", y), Rel(v, "<=", z + r + p), Rel(z, "<=", c), Rel(p, "<=", d)),
        "all rounds",
    )
    tails = (K - 1) * g(ONE) * sp.Sum(Excess(width), (t, K + 1, N))
    in_turn = sp.Sum(deviation(K + i) * g(sp.ceiling(i / K)), (i, 1, EXTRA))
    at = {x: R_N, u: sp.Sum(Mean(LOSS, o), (t, 1, K)), v: sp.Sum(Mean(LOSS, o), (t, K + 1, N)), y: K * FIRST}
    at |= {z: sp.Sum(Mean(LOSS * (1 - FAR), o), (t, K + 1, N)), r: tails, d: in_turn}
    at |= {p: sp.Sum(deviation(t) * Mean(MET, o), (t, K + 1, N))}
    at |= {c: eta * EXTRA + Mean(sp.Sum(positive_part(NEAR), counts, ARMS), o)}
    parts = split, first, rounds, pulls, widest
    return proof(applied(lemma, at, *parts, domain=PRICED, given=given, name="logarithmic"), letters=LETTERS)


@claim("ours/combined", by="us", kind="bound")
def combined() -> Argument:
    """Each is a bound for every value of its parameters lambda, eta and b, none of which the algorithm uses; so the
    least of them is one."""
    sharp = uses("ours/sharp", item="n >= K")
    return proof(
        restated(sharp, sharp.concludes.rel, "sharp"),
        uses("ours/subtracted"),
        uses("ours/logarithmic"),
        letters={**LETTERS, **FACTORS},
    )
