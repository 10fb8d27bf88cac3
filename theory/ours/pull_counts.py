"""How often arms are pulled: every round pulls one arm, and no arm is pulled twice at the same count."""

from functools import cache

import sympy as sp

from theory.kernel.argument import Argument, proof
from theory.kernel.claim import claim
from theory.kernel.goal import Goal, Letter, Rel, at_least, real
from theory.kernel.rules import (
    Among,
    Applied,
    Cases,
    Exchange,
    Follows,
    Indicates,
    Induction,
    NextInteger,
    Picked,
    SumOver,
    Telescoping,
    Union,
    applied,
    equals,
    follows,
    instance,
)
from theory.kernel.terms import Event
from theory.model.counts import (
    COUNTED,
    HIT,
    LONG,
    MET,
    NOT_ALL_PULLS,
    NOW,
    ONE_EACH,
    PULLED_NOW,
    PULLS,
    counts,
    h,
    hit,
    j,
    met,
)
from theory.model.play import (
    COUNT,
    LATER,
    PULLED,
    PULLED_IS_AN_ARM,
    WORDS,
    K,
    N,
    count,
    k,
    o,
    t,
)
from theory.model.pull_order import CHOICES, TOTAL, total
from theory.model.pull_order import WORDS as ORDER_WORDS
from theory.ours.other_arms import FACTOR, UNIT, at_equal_arms, c
from theory.ours.pulls_in_order import at_most_all

m, i, x, y, z = sp.symbols("m i x y z")
ONE = sp.Integer(1)
ARM = {**PULLS, k: COUNT}
PAIR = {**ARM, j: COUNT}
AN_ARM = Rel(k, "<=", K)
PAIR_HIT = hit(t, k, j, o)
H = h(k, j)
LETTERS = {
    **WORDS,
    count(k, t, o): Letter(count(k, t, o), "rewards of arm k before round t, by any rule that chooses arms"),
}


@cache
def one_arm_a_round() -> Applied:
    """The indicators of the K arms add up to 1."""
    picked = Picked(ONE, k, PULLED, ONE, K, PULLS, name="one of K arms")
    return applied(picked, {}, PULLED_IS_AN_ARM, domain=PULLS, name="one arm is pulled")


def all_pulls() -> Applied:
    """Before round t all arms together have t - 1 rewards, by induction from round K + 1 on."""
    later = {**PULLS, m: at_least(0, integer=True)}
    at = K + 1 + m
    grows = instance(COUNTED, {t: at}, {**later, k: COUNT}, (AN_ARM,), name="a pull is counted")
    arms = SumOver(grows, k, ONE, K, later, name="all arms")
    one = instance(one_arm_a_round(), {t: at}, later, name="one arm is pulled")
    before, after = (sp.Sum(count(k, round_, o), (k, 1, K)) for round_ in (at, at + 1))
    step = follows(Rel(after, "=", before + 1), arms, one, domain=later, name="one round")
    start = SumOver(ONE_EACH, k, ONE, K, PULLS, name="after K rounds")
    rel = Rel(before, "=", K + m)
    every = Induction(rel, m, sp.Integer(0), later, name="rounds after the K-th", lemmas=(step,), first=(start,))
    whole = NextInteger(t, K, PULLS, name="t >= K + 1")
    return applied(every, {m: t - K - 1}, whole, domain=PULLS, given=(LATER,), name="every round pulls one arm")


def not_all_pulls(total: Applied) -> Follows:
    """No arm has more than t - K rewards: each of the others has one."""
    spare = Goal(Rel(count(i, t, o) - 1, ">=", 0), {**PULLS, i: COUNT}, name="at least one reward each")
    among = Among(count(i, t, o) - 1, i, k, ONE, K, ARM, spare, "one of the arms")
    rel = Rel(count(k, t, o), "<=", t - K)
    return follows(rel, among, total, domain=ARM, given=(LATER, AN_ARM), name="the other arms have a pull each")


@claim("ours/pulls/all", by="us", kind="identity")
def pulls_of_all_arms() -> Argument:
    """Every round pulls one arm, and each of the first K rounds another one."""
    total = all_pulls()
    return proof(total, not_all_pulls(total), letters=LETTERS)


def at_pair() -> tuple[Follows, Follows]:
    """A round that pulls arm k at count j finds it there, and leaves it at count j + 1."""
    given, pulls = (LATER, Rel(PAIR_HIT, ">=", 1)), count(k, t, o)
    met = equals(pulls, j)
    both = follows(Rel(PULLED_NOW * met, ">=", 1), HIT, domain=PAIR, given=given, name="both indicators")
    one = Goal(Rel(x, "=", 1), {x: UNIT, y: UNIT}, (Rel(x * y, ">=", 1),), "an indicator")
    now, there = (
        applied(one, {x: first, y: second}, both, domain=PAIR, given=given, name="an indicator")
        for first, second in ((PULLED_NOW, met), (met, PULLED_NOW))
    )
    equal = at_equal_arms(m, pulls, j, (), PAIR, m, pulls + j)
    times = (
        applied(FACTOR, {c: number, x: met, y: ONE}, there, domain=PAIR, given=given, name="times it")
        for number in (pulls, j)
    )
    difference = follows(Rel(pulls - j, "=", 0), equal, *times, domain=PAIR, given=given, name="at count j")
    rel = Rel(count(k, t + 1, o) - j, "=", 1)
    return difference, follows(rel, COUNTED, now, difference, domain=PAIR, given=(*given, AN_ARM), name="one more")


def pair_once() -> Follows:
    """An arm is pulled at each count at most once: that pull takes its count from j to j + 1, and counts never fall."""

    def beyond(round_: sp.Expr) -> sp.Expr:
        return Event(count(k, round_, o) - j - 1, 0)

    now, then = beyond(t), beyond(t + 1)
    rel, made = Rel(PAIR_HIT, "<=", then - now), Rel(PAIR_HIT, ">=", 1)
    not_yet = Indicates(count(k, t, o) - j - 1, PAIR, part=True, name="not beyond j before the pull")
    after = Indicates(count(k, t + 1, o) - j - 1, PAIR, integer=True, name="beyond j after the pull")
    numbers = dict.fromkeys((x, y, z), real())
    times = Goal(Rel(x * y, "=", x * z), dict.fromkeys((x, y, z), real()), (Rel(y, "=", z),), "times a number")
    same, more = at_pair()
    given, arm = (LATER, made), (LATER, made, AN_ARM)
    at = {x: now, y: count(k, t, o) - j, z: sp.S.Zero}
    same_ = applied(times, at, same, domain=PAIR, given=given, name="at count j, times")
    at = {x: then, y: count(k, t + 1, o) - j, z: ONE}
    behind = applied(times, at, more, domain=PAIR, given=arm, name="one more, times")
    low = follows(Rel(now, "<=", 0), not_yet, same_, domain=PAIR, given=given, name="not beyond before")
    high = follows(Rel(then, ">=", 1), after, more, behind, domain=PAIR, given=arm, name="beyond after")
    pulled = follows(rel, low, high, domain=PAIR, given=arm, name="the pull")
    missed = NextInteger(ONE, PAIR_HIT, PAIR, name="no such pull")
    later = Rel(count(k, t + 1, o), "<", j + 1)
    fewer = Goal(Rel(x, "<", z), numbers, (Rel(y, "<", z), Rel(x, "<=", y)), "counts do not fall")
    at = {x: count(k, t, o), y: count(k, t + 1, o), z: j + 1}
    order = Rel(count(k, t, o), "<=", count(k, t + 1, o))
    no_less = follows(order, COUNTED, domain=PAIR, given=(LATER, AN_ARM), name="no count falls")
    before = (later, LATER, AN_ARM)
    implied = applied(fewer, at, no_less, domain=PAIR, given=before, name="not beyond j later, nor before")
    kept = Union(implied, (later,), "beyond j before, and later")
    other = follows(rel, missed, kept, domain=PAIR, given=(LATER, AN_ARM, made.negation), name="another pull")
    one = Cases(made, pulled, other, "one round")
    rounds = Telescoping(one, now, t, K + 1, N, {**PAIR_ONLY}, (LONG, AN_ARM), "all rounds")
    total = Rel(sp.Sum(PAIR_HIT, (t, K + 1, N)), "<=", 1)
    return follows(total, rounds, domain=PAIR_ONLY, given=(LONG, AN_ARM), name="each pair at most once")


PAIR_ONLY = {v: r for v, r in PAIR.items() if v != t}


@cache
def count_of_arm() -> Follows:
    """Before a round t <= n no arm has more than n - K rewards."""
    rel = Rel(count(k, t, o), "<=", N - K)
    return follows(rel, NOT_ALL_PULLS, domain=ARM, given=(LATER, NOW, AN_ARM), name="at most n - K before round n")


@cache
def count_of_pulled() -> Follows:
    """Nor has the pulled arm."""
    pulled = instance(NOT_ALL_PULLS, {k: PULLED}, PULLS, (LATER, Rel(PULLED, "<=", K)), name="the pulled arm")
    rel = Rel(count(PULLED, t, o), "<=", N - K)
    return follows(rel, PULLED_IS_AN_ARM, pulled, domain=PULLS, given=(LATER, NOW), name="its count")


def by_arm(f: sp.Expr) -> Applied:
    """The count of arm k is one of 1, ..., n - K: the sum over these of what is met at it, times the indicator."""
    here, given = {**ARM, H: real()}, (LATER, NOW, AN_ARM)
    picked = Picked(f, j, count(k, t, o), *counts[1:], here, name="one of the counts")
    at_count = applied(picked, {}, count_of_arm(), domain=here, given=given, name="at its count")
    left, right = at_count.concludes.rel.stated
    times = Goal(Rel(x * y, "=", x * z), dict.fromkeys((x, y, z), real()), (Rel(y, "=", z),), "times a number")
    return applied(
        times, {x: PULLED_NOW, y: left, z: right}, at_count, domain=here, given=given, name="if it is pulled"
    )


@cache
def of_arm(f: sp.Expr) -> Follows:
    """A quantity f(k, j) of an arm and its count, if round t pulls this arm: one count is met."""
    given, here = (LATER, NOW), {**ARM, H: real()}
    times = Goal(Rel(x * z, "=", y * z), dict.fromkeys((x, y, z), real()), (Rel(x, "=", y),), "times a number")
    left, right = HIT.concludes.rel.stated
    pair = applied(times, {x: left, y: right, z: f}, HIT, domain={**here, j: COUNT}, given=(LATER,), name="one pair")
    pairs = SumOver(pair, j, *counts[1:], here, given=given, name="all counts")
    own = by_arm(f)
    rel = Rel(pairs.concludes.rel.stated[0], "=", own.concludes.rel.stated[1])
    return follows(rel, pairs, own, domain=here, given=(*given, AN_ARM), name="what an arm meets")


@cache
def of_pull(f: sp.Expr) -> Follows:
    """A quantity f(k, j) of an arm and its count, at the arm pulled in round t: one pair is met."""
    given, domain = (LATER, NOW), {**PULLS, H: real()}
    arms = SumOver(of_arm(f), k, ONE, K, domain, given=given, name="all arms")
    picked = Picked(f.xreplace({j: count(k, t, o)}), k, PULLED, ONE, K, domain, name="the pulled arm")
    at_pull = applied(picked, {}, PULLED_IS_AN_ARM, domain=domain, name="at the pulled arm")
    total = Rel(at_pull.concludes.rel.stated[1], "=", sp.Sum(PAIR_HIT * f, counts, (k, 1, K)))
    return follows(total, arms, at_pull, domain=domain, given=given, name="a round pulls one arm at one count")


def met_by_arms() -> Follows:
    """met is the sum of hit over all arms."""
    counted = {**PULLS, j: COUNT}
    pairs = SumOver(HIT, k, ONE, K, counted, given=(LATER,), name="all arms")
    own = equals(count(k, t, o), j)
    picked = Picked(own, k, PULLED, ONE, K, counted, name="the pulled arm")
    at_pull = applied(picked, {}, PULLED_IS_AN_ARM, domain=counted, name="at the pulled arm")
    rel = Rel(met(t, j, o), "=", sp.Sum(PAIR_HIT, (k, 1, K)))
    return follows(rel, pairs, at_pull, MET, domain=counted, given=(LATER,), name="the pulled arm is one of them")


@claim("ours/pulls/once", by="us", kind="inequality")
def once_at_each_count() -> Argument:
    """The pull of an arm at count j takes its count to j + 1, and counts never fall: no second pull is made at j."""
    once = pair_once()
    counted = {v: r for v, r in PAIR_ONLY.items() if v != k}
    rounds = SumOver(met_by_arms(), t, K + 1, N, counted, given=(LONG,), name="all rounds")
    order = Exchange(PAIR_HIT, (k, ONE, K), (t, K + 1, N), counted, "arms first")
    arms = SumOver(once, k, ONE, K, counted, given=(LONG,), name="all arms")
    total = Rel(sp.Sum(met(t, j, o), (t, K + 1, N)), "<=", K)
    each = follows(total, rounds, order, arms, domain=counted, given=(LONG,), name="each count at most K times")
    return proof(once, each, letters=LETTERS)


def meets(f: sp.Expr, name: str) -> Follows:
    """A quantity f(j) of a count at that of the arm pulled in round t: one count is met."""
    given = (LATER, NOW)
    picked = Picked(f, j, count(PULLED, t, o), *counts[1:], PULLS, name="one of the counts")
    at_count = applied(picked, {}, count_of_pulled(), domain=PULLS, given=given, name="at its count")
    times = Goal(Rel(x * z, "=", y * z), dict.fromkeys((x, y, z), real()), (Rel(x, "=", y),), "times a number")
    left, right = MET.concludes.rel.stated
    one = applied(times, {x: left, y: right, z: f}, MET, domain={**PULLS, j: COUNT}, given=(LATER,), name="one count")
    every = SumOver(one, j, *counts[1:], PULLS, given=given, name="all counts")
    rel = Rel(at_count.concludes.rel.stated[1], "=", sp.Sum(met(t, j, o) * f, counts))
    return follows(rel, at_count, every, domain=PULLS, given=given, name=name)


@claim("ours/pulls/one", by="us", kind="identity")
def one_pull_a_round() -> Argument:
    """A round pulls one arm, which has one count: 1, ..., n - K, as each of the other arms has a reward."""
    names = {"one arm at one count": of_pull(ONE), "one count": meets(ONE, "at its count")}
    turned = (follows(Rel(item.rel.stated[1], "=", 1), item, name=name) for name, item in names.items())
    return proof(*turned, letters=LETTERS)


@claim("ours/pulls/met", by="us", kind="identity")
def met_in_a_round() -> Argument:
    """A sum over arms and counts of what is met in a round has one term: the pulled arm and its count."""
    letters = {**LETTERS, H: Letter(H, "any quantity of an arm and a count")}
    return proof(of_arm(H), of_pull(H), letters=letters)


@claim("ours/pulls/total", by="us", kind="identity")
def total_pulls() -> Argument:
    """An arm is pulled in some of the n rounds, and every round pulls one arm."""
    sizes, pulled = dict(CHOICES.sizes), equals(PULLED, k)
    arms = SumOver(TOTAL, k, ONE, K, sizes, name="all arms")
    order = Exchange(pulled, (t, ONE, N), (k, ONE, K), sizes, "rounds first")
    picked = Picked(ONE, k, PULLED, ONE, K, {**sizes, t: COUNT}, name="one of K arms")
    each = applied(picked, {}, PULLED_IS_AN_ARM, domain={**sizes, t: COUNT}, name="one arm is pulled")
    rounds = SumOver(each, t, ONE, N, sizes, name="every round")
    rel = Rel(sp.Sum(total, (k, 1, K)), "=", N)
    every = follows(rel, arms, order, rounds, domain=sizes, name="of all arms")
    return proof(at_most_all(CHOICES), every, letters=ORDER_WORDS)
