"""Two arms: ReUCB with known variances is never worse than random play, for any horizon; more arms are open."""

from functools import cache

import sympy as sp

from theory.kernel.argument import Argument, proof
from theory.kernel.claim import claim
from theory.kernel.goal import Goal, Rel, at_least, positive, real
from theory.kernel.items import Item
from theory.kernel.rules import (
    Applied,
    Cases,
    Exchange,
    Expectation,
    Follows,
    Induction,
    Instance,
    NextInteger,
    Picked,
    SplitSum,
    SumOver,
    Telescoping,
    Union,
    applied,
    follows,
    instance,
    uses,
)
from theory.kernel.rules.compose import Domain, conclusion
from theory.kernel.terms import Mean
from theory.kernel.undecided import undecided
from theory.model.arms import s0, weight
from theory.model.play import (
    BEST,
    CENTRED_EFFECT,
    COUNT,
    EFFECT,
    PLAY,
    PULLED,
    PULLED_IS_AN_ARM,
    N,
    Z,
    k,
    mu,
    mu0,
    o,
    t,
)
from theory.model.play import WORDS as PLAY_WORDS
from theory.model.raised_mean import (
    AS_PLAYED,
    AT_COUNTS,
    CENTRE,
    CHOICE,
    COUNTED,
    COUPLED,
    GROWS,
    MISSED,
    ONE_EACH,
    ONE_OF_TWO,
    PLAYED,
    RAISED,
    TWO,
    WORDS,
    average,
    bonus_lead,
    by_outcome,
    e,
    lead,
    miss,
    noise,
    other,
    other_count,
    own_count,
    prediction_lead,
    tie,
    x,
    y,
)
from theory.model.regret import E_K, R_N
from theory.ours.round_robin import mean_in_turn

first, second, r1, r2, f, g, p, q, d, u, v = sp.symbols("w_1 w_2 r_1 r_2 f g p q d u v")


@claim("ours/random-play/two-arms/monotone", by="us", kind="inequality")
def fewer_pulls_of_the_other_arm() -> Argument:
    """Fix the mean of one arm and all noise and raise the mean of the other, arm k. At equal counts the widths are
    equal, and the lead of the prediction of arm k is a positive multiple of rbar_k - rbar_i, so that it is no smaller:
    whenever arm k was pulled it still is. Counts that differ do so by a pull at least. By induction over the rounds the
    other arm is never pulled more often."""
    return proof(no_more_pulls(), letters=WORDS)


def equal_sides(shift: sp.Expr) -> Goal:
    """f + shift <= g + shift if f = p, g = q and p <= q."""
    given = Rel(p, "<=", q), Rel(f, "=", p), Rel(g, "=", q)
    return Goal(
        Rel(f + shift, "<=", g + shift),
        dict.fromkeys((f, g, p, q, *shift.free_symbols), real()),
        given,
        "in other words",
    )


def larger_lead() -> Instance:
    """At equal counts a larger mean of arm k makes its lead no smaller."""
    weights = {**dict.fromkeys((first, second), positive()), **dict.fromkeys((r1, r2, f, g, d), real())}
    multiple = Goal(
        Rel(prediction_lead(first, second, r1, r2), "=", 2 * first * second / (first + second) * (r1 - r2)),
        weights,
        name="lead of the prediction",
    )
    raised = (Rel(f, "<=", g),)
    leads = [prediction_lead(first, second, mean + r1, r2) for mean in (f, g)]
    multiples = [instance(multiple, {r1: mean + r1}, weights, name=f"at {mean}") for mean in (f, g)]
    product = Goal(
        Rel(p * u, "<=", p * v), {p: positive(), u: real(), v: real()}, (Rel(u, "<=", v),), "a positive multiple"
    )
    at = {p: 2 * first * second / (first + second), u: f + r1 - r2, v: g + r1 - r2}
    scaled = instance(product, at, weights, raised)
    at = dict(zip((f, g), leads, strict=True)) | dict(zip((p, q), scaled.concludes.rel.stated, strict=True))
    same = equal_sides(d)
    lemma = applied(same, at, scaled, *multiples, domain=weights, given=raised, name="a larger mean, a larger lead")
    at = {
        **{first: weight(own_count), second: weight(other_count), f: x, g: y, d: bonus_lead()},
        **{r1: noise(k, own_count, e), r2: average(k, other_count, e)},
    }
    return instance(lemma, at, COUNTED, (RAISED,), name="lead at equal counts")


def no_more_misses() -> Applied:
    """At equal counts arm k is pulled whenever it was: an event with a larger lead, whichever way ties go."""
    larger = larger_lead()
    at = {u: lead(x), v: lead(y)}
    events = []
    for op in (">=", ">"):
        order = Goal(Rel(v, op, 0), {u: real(), v: real()}, (Rel(u, op, 0), Rel(u, "<=", v)), "order")
        before = Rel(lead(x), op, 0)
        implied = applied(order, at, larger, domain=COUNTED, given=(before, RAISED), name=f"still {op} 0")
        events.append(Union(implied, (before,), "pulled whenever it was"))
    ties = Goal(
        Rel(f * p + g * q, "<=", f * u + g * v),
        {f: at_least(0), g: at_least(0), **dict.fromkeys((u, v, p, q), real())},
        (Rel(p, "<=", u), Rel(q, "<=", v)),
        "whichever way ties go",
    )
    (low, high), (low_, high_) = (conclusion(item).rel.stated for item in events)
    at = {f: 1 - tie(k, t, e), g: tie(k, t, e), p: low, u: high, q: low_, v: high_}
    either = applied(ties, at, *events, domain=COUNTED, given=(RAISED,), name="whichever way ties go")
    counts = *AT_COUNTS, with_raised_mean(AT_COUNTS[0])
    raised = instance(CHOICE, {x: y}, COUNTED, (counts[2], counts[1]), name="the choice, mean raised")
    at = {f: miss(k, t, y, e), g: miss(k, t, x, e)} | dict(zip((p, q), either.concludes.rel.stated, strict=True))
    parts = either, raised, CHOICE
    return applied(
        equal_sides(sp.Integer(0)), at, *parts, domain=COUNTED, given=(RAISED, *counts), name="a round at these counts"
    )


def with_raised_mean(rel: Rel) -> Rel:
    """The relation with the larger mean."""
    left, right = rel.stated
    return Rel(left.xreplace({x: y}), rel.op, right.xreplace({x: y}))


def both_pulled() -> Induction:
    """Arm k has a reward too: the other arm has at most t - 2 of the t - 1 pulls."""
    kept = Rel(other(k, t, x, e), "<=", t - 2)
    return Induction(kept, t, sp.Integer(3), COUPLED, name="arm k has a reward too", lemmas=(GROWS,), first=(ONE_EACH,))


def same_counts() -> Applied:
    """The round at equal counts, whatever they are."""
    alike = Rel(other(k, t, y, e), "=", other(k, t, x, e))
    at = {other_count: other(k, t, x, e), own_count: t - 1 - other(k, t, x, e)}
    return applied(
        no_more_misses(), at, both_pulled(), domain=COUPLED, given=(RAISED, alike), name="a round at equal counts"
    )


def no_more_pulls() -> Induction:
    """If mu_k rises, the other arm is pulled no more often, in any number of rounds."""
    low, high = other(k, t, y, e), other(k, t, x, e)
    kept, apart = Rel(low, "<=", high), Rel(low + 1, "<=", high)
    rel = Rel(miss(k, t, y, e) - miss(k, t, x, e), "<=", high - low)
    differ = Goal(rel, COUPLED, (RAISED, kept, apart), "counts that differ do so by a pull at least")
    together = (RAISED, kept, apart.negation)
    less = NextInteger(low + 1, high, COUPLED, name="less than one pull apart")
    alike = follows(Rel(low, "=", high), less, domain=COUPLED, given=together, name="equal counts")
    equal = follows(rel, alike, same_counts(), domain=COUPLED, given=together, name="less than one pull apart: a round")
    lemma = Cases(apart, differ, equal, "one round keeps the order")
    start, grows = (instance(d, {x: y}, COUPLED, name=f"{d.of}, mean raised") for d in (ONE_EACH, GROWS))
    name, facts = "no more pulls of the other arm", (GROWS, grows, lemma)
    return Induction(kept, t, sp.Integer(3), COUPLED, (RAISED,), name, lemmas=facts, first=(ONE_EACH, start))


ONE, TWO_ARMS, THIRD = map(sp.Integer, (1, 2, 3))
BOTH = {**PLAY, **PLAYED, **COUPLED}  # both arms, rounds from the third on
BY_ARM = {v_: r for v_, r in BOTH.items() if v_ != t}
TOTAL = {v_: r for v_, r in BY_ARM.items() if v_ != k}


@cache
def counted_pulls() -> Follows:
    """Pulls of the other arm in all n rounds: one and the rounds that miss arm k."""
    missed_ = follows(
        Rel(miss(k, t, x, e), "=", other(k, t + 1, x, e) - other(k, t, x, e)), GROWS, domain=BOTH, name="one round"
    )
    rounds = Telescoping(missed_, other(k, t, x, e), t, THIRD, N, BY_ARM, name="all rounds")
    rel = Rel(sp.Sum(miss(k, t, x, e), (t, 3, N)), "=", other(k, N + 1, x, e) - 1)
    return follows(rel, rounds, ONE_EACH, domain=BY_ARM, name="pulls of the other arm")


def summed(item: Item, of_round: Item, f: sp.Expr, rel: Rel, *more: Item, name: str) -> Follows:
    """A relation from one about an arm and one about a round, each summed up; f is what both sums have in common."""
    arms = SumOver(item, k, ONE, TWO_ARMS, TOTAL, given=(TWO,), name=f"{name}: both arms")
    rounds = SumOver(of_round, t, THIRD, N, TOTAL, given=(TWO,), name=f"{name}: all rounds")
    order = Exchange(f, (t, THIRD, N), (k, ONE, TWO_ARMS), TOTAL, name=f"{name}: either order")
    return follows(rel, arms, rounds, order, *more, domain=TOTAL, given=(TWO,), name=name)


def picked(f: sp.Expr, name: str) -> Applied:
    """The sum of 1{I_t = k} f(k) over both arms is f(I_t)."""
    free = {**TOTAL, t: BOTH[t]}
    one = Picked(f, k, PULLED, ONE, TWO_ARMS, free, name)
    two = follows(Rel(PULLED, "<=", TWO_ARMS), PULLED_IS_AN_ARM, domain=free, given=(TWO,), name="one of two arms")
    return applied(one, {}, two, domain=free, given=(TWO,), name=name)


def one_missed() -> Follows:
    """Each round misses one of the two arms."""
    free, rel = {**TOTAL, t: BOTH[t]}, Rel(sp.Sum(MISSED, (k, 1, 2)), "=", 1)
    return follows(rel, picked(ONE, "one arm is pulled"), domain=free, given=(TWO,), name="one arm is missed")


def all_pulls() -> Follows:
    """Each round pulls one of the two arms: the pulls of both add up to n."""
    f = Mean(miss(k, t, x, e), x, e)
    same = follows(
        Rel(Mean(MISSED, o), "=", f),
        *(Expectation(AS_PLAYED, (o,)), by_outcome(miss(k, t, x, e))),
        domain=BOTH,
        given=(TWO, ONE_OF_TWO),
        name="misses of one arm",
    )
    by_arm = SumOver(same, k, ONE, TWO_ARMS, {**TOTAL, t: BOTH[t]}, given=(TWO,), name="misses of both arms")
    one = follows(
        Rel(sp.Sum(f, (k, 1, 2)), "=", 1),
        Expectation(one_missed(), (o,)),
        by_arm,
        domain={**TOTAL, t: BOTH[t]},
        given=(TWO,),
        name="one round misses one arm",
    )
    rel = Rel(sp.Sum(Mean(other(k, N + 1, x, e), x, e), (k, 1, 2)), "=", N)
    return summed(Expectation(counted_pulls(), (x, e)), one, f, rel, name="all pulls")


def earned() -> Follows:
    """What all rounds earn: n mu_0 for each arm, less what the pulls of the other arm lose."""
    free, f = {**TOTAL, t: BOTH[t]}, Mean(x * miss(k, t, x, e), x, e)
    product = Goal(Rel(p * q, "=", p * g), dict.fromkeys((p, q, g), real()), (Rel(q, "=", g),), "times a number")
    at = {p: sp.sqrt(s0), q: Mean(Z(k, o), o), g: sp.S.Zero}
    nothing = applied(product, at, CENTRED_EFFECT, domain=BY_ARM, name="times sigma_0")
    rel, effect = Rel(Mean(mu(k, o), o), "=", mu0), Expectation(EFFECT, (o,))
    mean = follows(rel, effect, CENTRED_EFFECT, nothing, domain=BY_ARM, name="mean of an arm")
    means = SumOver(mean, k, ONE, TWO_ARMS, TOTAL, name="means of both arms")
    played, as_coupled = AS_PLAYED.concludes.rel.stated
    at = {p: mu(k, o), q: played, g: as_coupled}
    loss = Expectation(applied(product, at, AS_PLAYED, domain=BOTH, given=(TWO, ONE_OF_TWO), name="times mu_k"), (o,))
    rel = Rel(Mean(mu(k, o) * MISSED, o), "=", f)
    law, given = by_outcome(x * miss(k, t, x, e)), (TWO, ONE_OF_TWO)
    same = follows(rel, loss, law, domain=BOTH, given=given, name="losses of one arm")
    losses = SumOver(same, k, ONE, TWO_ARMS, free, given=(TWO,), name="losses of both arms")
    rel = Rel(Mean(mu(PULLED, o), o), "=", 2 * mu0 - sp.Sum(f, (k, 1, 2)))
    pulled = Expectation(picked(mu(k, o), "the mean of the pulled arm"), (o,))
    one = follows(rel, pulled, means, losses, domain=free, given=(TWO,), name="one round")
    counted = counted_pulls()
    left, right = counted.rel.stated
    weighed = Expectation(
        applied(product, {p: x, q: left, g: right}, counted, domain=BY_ARM, name="times mu_k"), (x, e)
    )
    by_arm = follows(
        Rel(sp.Sum(f, (t, 3, N)), "=", Mean(x * other(k, N + 1, x, e), x, e) - mu0),
        *(weighed, by_outcome(x), mean),
        domain=BY_ARM,
        name="losses by one arm",
    )
    turn = mean_in_turn({**TOTAL, t: COUNT})
    blind = [Expectation(instance(turn, {t: sp.Integer(i)}, TOTAL, (TWO,), name=f"round {i}"), (o,)) for i in (1, 2)]
    own = [instance(mean, {k: sp.Integer(i)}, TOTAL, name=f"mean of arm {i}") for i in (1, 2)]
    split = SplitSum(Mean(mu(PULLED, o), o), t, ONE, TWO_ARMS, N, TOTAL, name="two rounds and the others")
    total = Rel(
        sp.Sum(Mean(mu(PULLED, o), o), (t, 1, N)),
        "=",
        sp.Sum(N * mu0 - Mean(x * other(k, N + 1, x, e), x, e), (k, 1, 2)),
    )
    return summed(by_arm, one, f, total, split, *blind, *own, name="what all rounds earn")


def opposite_ways(arms: Domain) -> Cases:
    """(mu_k - mu_0) (N(mu_k) - N(mu_0)) <= 0 for the pulls N of the other arm after n rounds: they fall in mu_k."""
    falls, last, name = uses("ours/random-play/two-arms/monotone"), {t: N + 1}, "after n rounds"
    pulls, at_mean = (other(k, N + 1, mean, e) for mean in (x, mu0))
    numbers = dict.fromkeys((x, mu0, f, g), real())

    def where(case: Rel, order: Rel, ends: dict[sp.Symbol, sp.Expr]) -> Applied:
        fewer = instance(falls, {**last, **ends}, arms, (case,), name=name)
        sign = Goal(Rel((x - mu0) * (f - g), "<=", 0), numbers, (case, order), "one rises, one falls")
        return applied(sign, {f: pulls, g: at_mean}, fewer, domain=arms, given=(case,), name=f"where {case}")

    low = where(Rel(x, "<=", mu0), Rel(g, "<=", f), {y: mu0})
    high = where(Rel(x, ">", mu0), Rel(f, "<=", g), {x: mu0, y: x})
    return Cases(Rel(x, "<=", mu0), low, high, name="mean and pulls move in opposite ways")


def associated(arms: Domain) -> Follows:
    """E mu_k N(mu_k) <= mu_0 E N(mu_k) given everything else: N(mu_0) is a number, and mu_k has mean mu_0."""
    pulls, at_mean = (other(k, N + 1, mean, e) for mean in (x, mu0))
    product = Goal(Rel(f * g, "=", f * mu0), dict.fromkeys((f, g, mu0), real()), (Rel(g, "=", mu0),), "times N(mu_0)")
    centred = applied(product, {f: at_mean, g: Mean(x, x)}, CENTRE, domain=arms, name="times N(mu_0)")
    rel = Rel(Mean(x * pulls, x), "<=", mu0 * Mean(pulls, x))
    together = Expectation(opposite_ways(arms), (x,))
    return follows(rel, together, CENTRE, centred, domain=arms, name="given everything else")


@claim("ours/random-play/two-arms", by="us", kind="bound")
def two_arms() -> Argument:
    """The mean of an arm and the pulls of the other one move in opposite directions, so that the mean of their product
    is at most the product of their means, given everything else: E mu_k N_i <= mu_0 E N_i. So the pulled means are at
    least mu_0 on average, and the regret is at most that of random play (`reucb.bounds.few_rounds`)."""
    numbers = dict.fromkeys((mu0, x, y, e), real())
    sizes = {**PLAY, **numbers, N: at_least(2, integer=True), other(k, t, x, e): at_least(1, integer=True)}
    arms = {**sizes, k: COUNT}
    averaged = Expectation(associated(arms), (e,))
    both = SumOver(averaged, k, sp.Integer(1), sp.Integer(2), sizes, name="both arms")
    pulled = all_pulls()
    product_sum, total = conclusion(both).rel.stated[0], pulled.rel.stated[0]
    numbers = {f: real(), g: real(), mu0: real(), N: COUNT}
    times = Goal(Rel(f, "<=", mu0 * N), numbers, (Rel(f, "<=", mu0 * g), Rel(g, "=", N)), "all pulls")
    at = {f: product_sum, g: total}
    bounded = applied(times, at, both, pulled, domain=sizes, given=(TWO,), name="pulls of arms that are not good")
    best = Expectation(instance(EFFECT, {k: BEST}, sizes, name="the best arm"), (o,))
    rounds = SumOver(best, t, sp.Integer(1), N, sizes, name="all rounds")
    rel = Rel(R_N, "<=", N * sp.sqrt(s0) * E_K)
    regret = follows(rel, bounded, earned(), rounds, domain=sizes, given=(TWO,), name="no worse than random play")
    return proof(regret, letters={**PLAY_WORDS, **WORDS})


@claim(
    "ours/random-play",
    by="us",
    kind="bound",
    says=r"K\ge3,\ n>2K,\ \text{ReUCB with known variances}:\quad R_n\le n\sigma_0e_K,\ \text{as for random play}",
    cites=("ours/random-play/few-rounds", "ours/random-play/two-arms"),
)
def any_number_of_arms() -> Argument:
    """Open for K > 2 and n > 2K. No case against it was seen in 210 simulated settings; values near it occur for large
    a only, where ReUCB is a round robin."""
    return undecided(
        "an argument for K > 2 and n > 2K: a pull of one arm delays the others, whose order may change with sqrt(a log "
        "t), and with mu_0 estimated it changes their predictions, so that pulls need not rise with the mean of their "
        "arm; or a setting in which the pulled means are below mu_0 on average"
    )
