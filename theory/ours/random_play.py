"""Is ReUCB with known variances ever worse than random play, whose regret is n sigma_0 e_K? Not for n <= 2K."""

from functools import cache

import sympy as sp

from theory.kernel.argument import Argument, proof
from theory.kernel.claim import claim
from theory.kernel.goal import Goal, Rel, at_least, positive, real
from theory.kernel.rules import (
    Applied,
    Cases,
    Expectation,
    Follows,
    Indicates,
    Monotone,
    NextInteger,
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
from theory.model.arms import n, s, s0
from theory.model.counts import ALL_PULLS
from theory.model.follow_up import (
    BY_DIFFERENCES,
    BY_REWARDS,
    FEWEST,
    HIGHEST,
    IN_RANGE,
    J_IS_AN_ARM,
    LARGEST_OF_FEWEST,
    LETTERS,
    NORMAL,
    ONE_REWARD,
    ORDERED,
    SCALE,
    SHORT_PLAY,
    SIZES,
    SMALLER,
    STANDARDISED,
    WEIGHT,
    WIDTH,
    J,
    V,
    Y,
    first,
    order,
    rearranged,
    rest,
    smaller,
    u,
    weights,
)
from theory.model.play import BEST, COUNT, EFFECT, PULLED, K, N, count, k, mu, mu0, muhat, o, t, tau, width
from theory.model.regret import E_K, LOSS, R_N
from theory.ours.classical.normal import CENTRED
from theory.ours.conditioning import LAW
from theory.ours.normal_errors import centred, unbiased

x, y, p, q, h, A, B, b, c, f, m, d, z = sp.symbols("x y p q h A B b c f m d z")
ROUND = {v: r for v, r in SIZES.items() if v not in (k, u)}


@cache
def one_reward_each() -> Follows:
    """J has one reward: K times its count is at most t - 1 < 2K."""
    fewest = SumOver(FEWEST, k, sp.Integer(1), K, ROUND, given=SHORT_PLAY, name="K times the least count")
    pulls = Rel(K * count(J, t, o), "<", 2 * K)
    below = follows(pulls, fewest, ALL_PULLS, domain=ROUND, given=SHORT_PLAY, name="fewer than 2K pulls")
    divided = Goal(Rel(A / x, "<", B), {A: real(), B: real(), x: positive()}, (Rel(A, "<", B * x),), "divided by K")
    at = {A: K * count(J, t, o), B: sp.Integer(2), x: K}
    less = applied(divided, at, below, domain=ROUND, given=SHORT_PLAY, name="less than two rewards")
    whole = NextInteger(sp.Integer(2), count(J, t, o), ROUND, name="at most one")
    rel = Rel(count(J, t, o), "=", 1)
    return follows(rel, less, whole, domain=ROUND, given=SHORT_PLAY, name="J has one reward")


TOO_SMALL = Event(mu0 + SCALE * Y - first(J, o), 1)
AN_ARM = {**ROUND, k: COUNT}


def another_arm() -> Cases:
    """If the reward of J is below the (t-K)-th largest, so is that of every arm with one reward."""
    rel = Rel(TOO_SMALL, "<=", smaller(k) + count(k, t, o) - 1)
    given = (*SHORT_PLAY, IN_RANGE)
    again = Rel(count(k, t, o), ">=", 2)
    several = Goal(rel, AN_ARM, (*given, again), "an arm with a second reward")
    once = NextInteger(sp.Integer(2), count(k, t, o), AN_ARM, name="an arm without")
    alike = follows(
        Rel(count(k, t, o), "=", count(J, t, o)),
        once,
        one_reward_each(),
        domain=AN_ARM,
        given=(*given, again.negation),
        name="as few rewards as J",
    )
    above = Rel(V(k, o), ">=", Y)
    product = Goal(
        Rel(f, ">=", m + c * y),
        {**dict.fromkeys((x, y, m, f, z), real()), c: positive()},
        (Rel(x, ">=", y), Rel(z, "=", m + c * x), Rel(z, "<=", f)),
        "a larger first reward",
    )
    at = {x: V(k, o), y: Y, m: mu0, c: SCALE, z: first(k, o), f: first(J, o)}
    facts = STANDARDISED, alike, LARGEST_OF_FEWEST
    larger = applied(
        product, at, *facts, domain=AN_ARM, given=(above, *given, again.negation), name="J has a larger first reward"
    )
    either = Union(larger, (above,), "one reward")
    single = follows(rel, either, domain=AN_ARM, given=(*given, again.negation), name="an arm with one reward")
    return Cases(again, several, single, "every arm")


def few_smaller() -> Follows:
    """At most K - (t-K) of the K numbers are smaller than the (t-K)-th largest: only those after it in their order."""
    place, name = {**ROUND, u: COUNT}, "smaller numbers"
    event = SMALLER.xreplace({x: order(u, o)})
    before = (Rel(u, ">", K), Rel(u, "<=", 2 * K), Rel(u, "<=", t), Rel(t, "<=", 2 * K))
    ordered = instance(ORDERED, {t: u, u: t}, place, before, name="not before it")
    first = SumOver(Union(ordered, (), "not smaller"), u, K + 1, t, ROUND, given=SHORT_PLAY, name="those before it")
    last = SumOver(Goal(Rel(event, "<=", 1), place, name="one"), u, t + 1, 2 * K, ROUND, given=SHORT_PLAY, name="after")
    split = SplitSum(event, u, K + 1, t, 2 * K, ROUND, SHORT_PLAY, name)
    rel = Rel(sp.Sum(smaller(k), (k, 1, K)), "<=", 2 * K - t)
    return follows(rel, rearranged(SMALLER), split, first, last, domain=ROUND, given=SHORT_PLAY, name=name)


def large_reward() -> Follows:
    """The first reward of J is at least the (t-K)-th largest: at most t - K - 1 arms have a second reward."""
    arms = SumOver(another_arm(), k, sp.Integer(1), K, ROUND, given=SHORT_PLAY, name="all arms")
    most = Rel(K * TOO_SMALL, "<=", K - 1)
    all_ = follows(most, arms, few_smaller(), ALL_PULLS, domain=ROUND, given=SHORT_PLAY, name="fewer than K arms")
    times = Goal(
        Rel(x * p, "<=", x * q), {x: at_least(0), p: real(), q: real()}, (Rel(p, "<=", q),), "times an indicator"
    )
    at = {x: TOO_SMALL, p: K * TOO_SMALL, q: K - 1}
    scaled = applied(times, at, all_, domain=ROUND, given=SHORT_PLAY, name="times the indicator")
    product = Goal(Rel(d * x, "=", d * y), dict.fromkeys((d, x, y), real()), (Rel(x, "=", y),), "times a number")
    either = applied(
        product,
        {d: K, x: TOO_SMALL**2, y: TOO_SMALL},
        Whether(TOO_SMALL, ROUND),
        domain=ROUND,
        given=SHORT_PLAY,
        name="K times its square",
    )
    none = follows(Rel(TOO_SMALL, "<=", 0), scaled, either, domain=ROUND, given=SHORT_PLAY, name="it is not too small")
    zero = follows(Rel(TOO_SMALL, "=", 0), none, domain=ROUND, given=SHORT_PLAY, name="it never is")
    d_ = TOO_SMALL.args[0]
    says = Indicates(d_, ROUND, strict=True, name="unless it is too small")
    at = {d: d_, x: TOO_SMALL, y: sp.S.Zero}
    nothing = applied(product, at, zero, domain=ROUND, given=SHORT_PLAY, name="times how small it is")
    says_so = Goal(Rel(d, "<=", 0), {d: real(), x: real()}, (Rel((1 - x) * d, "<=", 0), Rel(d * x, "=", 0)), "so")
    rel = Rel(mu0 + SCALE * Y, "<=", first(J, o))
    settled = applied(says_so, {d: d_, x: TOO_SMALL}, says, nothing, domain=ROUND, given=SHORT_PLAY, name="so")
    return follows(rel, settled, domain=ROUND, given=SHORT_PLAY, name="the first reward of J is large")


def smaller_width() -> Applied:
    """tau of the pulled arm is at most that of J, whose weight is the least."""
    by_count = Goal(
        Rel(s / (n * s0 + s), "<=", s / (s0 + s)), {n: COUNT, s: positive(), s0: positive()}, name="more pulls"
    )
    at_pulled = instance(by_count, {n: count(PULLED, t, o)}, ROUND, SHORT_PLAY, name="the pulled arm")
    weight_ = instance(WEIGHT, {k: PULLED}, ROUND, SHORT_PLAY, name="weight of the pulled arm")
    of_J = instance(WEIGHT, {k: J}, ROUND, SHORT_PLAY, name="weight of J")
    inserted = Goal(
        Rel(x, "=", s / (s0 + s)),
        {x: real(), y: COUNT, s: positive(), s0: positive()},
        (Rel(x, "=", s / (y * s0 + s)), Rel(y, "=", 1)),
        "at one reward",
    )
    at = {x: rest(J, t, o), y: count(J, t, o)}
    single = applied(inserted, at, of_J, one_reward_each(), domain=ROUND, given=SHORT_PLAY, name="weight of J")
    above = follows(
        Rel(rest(PULLED, t, o), "<=", rest(J, t, o)),
        single,
        weight_,
        at_pulled,
        domain=ROUND,
        given=SHORT_PLAY,
        name="J has the least weight",
    )
    free = dict.fromkeys((x, y, s0, A), positive())
    lemma = Goal(Rel(squared(x, A), "<=", squared(y, A)), free, (Rel(x, "<=", y),), "more weight, less width")
    at = {x: rest(PULLED, t, o), y: rest(J, t, o), A: weights}
    squares = applied(lemma, at, above, domain=ROUND, given=SHORT_PLAY, name="squared widths")
    roots = Monotone(squares, sp.sqrt(x), x, {x: positive()}, name="widths")
    arms = {"the pulled arm": PULLED, "J": J}
    widths = [instance(WIDTH, {k: arm}, ROUND, SHORT_PLAY, name=f"width of {name}") for name, arm in arms.items()]
    reals = dict.fromkeys((p, q, x, y), real())
    both = Goal(Rel(p, "<=", q), reals, (Rel(p, "=", x), Rel(q, "=", y), Rel(x, "<=", y)), "in other words")
    at = {p: tau(PULLED, t, o), q: tau(J, t, o)} | dict(
        zip((x, y), (i.concludes.rel.stated[1] for i in widths), strict=True)
    )
    return applied(both, at, *widths, roots, domain=ROUND, given=SHORT_PLAY, name="the pulled arm is no wider than J")


def squared(rest_: sp.Expr, total: sp.Expr) -> sp.Expr:
    """tau^2 in 1 - w_k and the sum of all weights."""
    return s0 * rest_ + s0 * rest_**2 / total


def higher_prediction() -> Follows:
    """So the pulled arm has the higher prediction, as it has the higher index."""
    numbers = {**dict.fromkeys((p, q, h), at_least(0))}
    lemma = Goal(Rel(h * p, "<=", h * q), numbers, (Rel(p, "<=", q),), "a smaller width, a smaller bonus")
    at = {h: width, p: tau(PULLED, t, o), q: tau(J, t, o)}
    bonus = applied(lemma, at, smaller_width(), domain=ROUND, given=SHORT_PLAY, name="bonus")
    rel = Rel(muhat(J, t, o), "<=", muhat(PULLED, t, o))
    highest = applied(HIGHEST, {k: J}, J_IS_AN_ARM, domain=ROUND, given=SHORT_PLAY, name="no higher index")
    return follows(rel, highest, bonus, domain=ROUND, given=SHORT_PLAY, name="the higher prediction")


def mean_of_the_pulled() -> Applied:
    """E mu_I is at least that of J, which has one reward, not below the (t-K)-th largest."""
    of_J = unbiased(BY_DIFFERENCES, uses(LAW, item=CENTRED.name), J, "the error of J")
    of_pulled = uses("ours/conditioning", item="mean of the pulled arm's error")
    higher = Expectation(higher_prediction(), (o,))
    large = Expectation(large_reward(), (o,))
    lemma = Goal(
        Rel(x, ">=", m + b * c * y),
        {**dict.fromkeys((x, y, m, f, z), real()), b: positive(), c: positive()},
        (Rel(m + c * y, "<=", f), Rel(z, "=", m + b * (f - m)), Rel(z, "<=", x)),
        "what a large reward says of its arm",
    )
    chosen = follows(
        Rel(Mean(mu(J, o), o), "<=", Mean(mu(PULLED, o), o)),
        higher,
        of_J,
        of_pulled,
        domain=ROUND,
        given=SHORT_PLAY,
        name="the pulled arm is at least as good as J on average",
    )
    at = {
        **{x: Mean(mu(PULLED, o), o), z: Mean(mu(J, o), o), f: Mean(first(J, o), o), y: Mean(Y, o)},
        **{m: mu0, b: s0 / (s0 + s), c: SCALE},
    }
    parts = large, one_reward(), chosen
    return applied(lemma, at, *parts, domain=ROUND, given=SHORT_PLAY, name="mean of the pulled arm")


def one_reward() -> Follows:
    """Given all rewards the mean of an arm with one reward is mu-tilde at n_k = 1."""
    predicted = applied(
        ONE_REWARD, {k: J}, one_reward_each(), domain=ROUND, given=SHORT_PLAY, name="the prediction of J by its reward"
    )
    no_error = unbiased(BY_REWARDS, centred(BY_REWARDS), J, "mu-tilde of J")
    mean = mu0 + s0 / (s0 + s) * (Mean(first(J, o), o) - mu0)
    parts = Expectation(predicted, (o,)), no_error
    return follows(Rel(Mean(mu(J, o), o), "=", mean), *parts, domain=ROUND, given=SHORT_PLAY, name="J has one reward")


def one_round() -> Follows:
    """Cost of a round: that of a pull without information, less the gain that the reward of J predicts."""
    best = Expectation(instance(EFFECT, {k: BEST}, ROUND, SHORT_PLAY, name="the best arm"), (o,))
    rel = Rel(Mean(LOSS, o), "<=", sp.sqrt(s0) * E_K - s0 / SCALE * Mean(Y, o))
    return follows(rel, best, mean_of_the_pulled(), domain=ROUND, given=SHORT_PLAY, name="one round")


LONG = (Rel(K, "<", N), Rel(N, "<=", 2 * K))
TOTAL = {**{v: r for v, r in ROUND.items() if v != t}, N: COUNT}


def largest_sum() -> Applied:
    """The n - K largest of K centred variables have a mean that is not negative."""
    numbers = {**dict.fromkeys((A, z), real()), m: positive(), d: at_least(0)}
    sums = Rel(A, ">=", m * z), Rel(-A, "<=", d * z)
    lemma = Goal(Rel((d + m) * A, ">=", 0), numbers, sums, "the least of the largest cancels")
    divided = Goal(Rel(A / x, ">=", 0), {A: real(), x: positive()}, (Rel(A, ">=", 0),), "divided by K")
    last = Mean(order(N, o), o)
    mean = Expectation(ORDERED, (o,))
    head_ = instance(mean, {u: N}, {**ROUND, N: COUNT}, (*LONG, *SHORT_PLAY, Rel(t, "<=", N)), name="up to n - K")
    head = SumOver(head_, t, K + 1, N, TOTAL, given=LONG, name="the n - K largest")
    tail_ = instance(
        mean, {t: N}, {**TOTAL, u: COUNT}, (*LONG, Rel(u, ">", N), Rel(u, "<=", 2 * K)), name="beyond n - K"
    )
    tail = SumOver(tail_, u, N + 1, 2 * K, TOTAL, given=LONG, name="the others")
    split = SplitSum(Mean(order(u, o), o), u, K + 1, N, 2 * K, TOTAL, LONG, "all")
    first_, other = sp.Sum(Mean(order(u, o), o), (u, K + 1, N)), sp.Sum(Mean(order(u, o), o), (u, N + 1, 2 * K))
    effects = SumOver(NORMAL, k, sp.Integer(1), K, TOTAL, name="all first rewards")
    same = Expectation(rearranged(x), (o,), name="in another order")
    zero = follows(Rel(first_ + other, "=", 0), split, same, effects, domain=TOTAL, given=LONG, name="all are centred")
    rest_ = Rel(-first_, "<=", (2 * K - N) * last)
    minus = follows(rest_, tail, zero, domain=TOTAL, given=LONG, name="the largest from below")
    at = {A: first_, z: last, m: N - K, d: 2 * K - N}
    weighed = applied(lemma, at, head, minus, domain=TOTAL, given=LONG, name="K times their sum")
    return applied(
        divided, {A: K * first_, x: K}, weighed, domain=TOTAL, given=LONG, name="the largest are not negative"
    )


@claim("ours/random-play/round", by="us", kind="inequality")
def follow_up_round() -> Argument:
    """In round K + i, i <= K, at most i - 1 arms have a second reward. Let J be the best of the others by its reward,
    which is at least the i-th largest. The pulled arm has the higher index and no larger width, so the higher
    prediction; given the reward differences predictions are right on average. And an arm with one reward r has the
    mean mu_0 + (r - mu_0)/(1 + rho) on average."""
    return proof(one_round(), letters=LETTERS)


@claim("ours/random-play/few-rounds", by="us", kind="bound")
def few_rounds() -> Argument:
    """For K < n <= 2K: n sigma_0 e_K is the regret of random play, and what is subtracted is the mean of the n - K
    largest of K centred variables, which is not negative (`reucb.bounds.few_rounds`). For n <= K ReUCB pulls
    every arm at most once, without regard to rewards, and has the regret of random play."""
    sizes = {**TOTAL, t: COUNT}
    later = SumOver(uses("ours/random-play/round"), t, K + 1, N, TOTAL, given=LONG, name="rounds after the K-th")
    split = SplitSum(Mean(LOSS, o), t, sp.Integer(1), K, N, TOTAL, LONG, "the first K rounds and the others")
    first_ = instance(
        uses("sec:analysis/round-robin", item="the first rounds"), {N: K}, TOTAL, name="the first K rounds"
    )
    gain = sp.Sum(Mean(Y, o), (t, K + 1, N))
    played = N * sp.sqrt(s0) * E_K
    exact = Rel(R_N, "<=", played - s0 / SCALE * gain)
    regret = follows(exact, split, first_, later, domain=sizes, given=LONG, name="regret")
    product = Goal(Rel(x * y, ">=", 0), {x: positive(), y: real()}, (Rel(y, ">=", 0),), "a gain")
    gained = applied(product, {x: s0 / SCALE, y: gain}, largest_sum(), domain=TOTAL, given=LONG, name="what is gained")
    less = Goal(
        Rel(x, "<=", y), dict.fromkeys((x, y, z), real()), (Rel(x, "<=", y - z), Rel(z, ">=", 0)), "less a gain"
    )
    at = {x: R_N, y: played, z: s0 / SCALE * gain}
    below = applied(less, at, regret, gained, domain=TOTAL, given=LONG, name="no worse than random play")
    return proof(regret, restated(below, Rel(R_N, "<=", played), "no worse than random play"), letters=LETTERS)
