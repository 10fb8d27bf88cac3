"""Association: functions that rise with every error of a round have a nonnegative covariance, given the reward
differences. Pitt's theorem, whose hypotheses are proved here: the errors are jointly normal (ours/conditioning/joint),
their covariances are nonnegative, and both functions rise.
"""

from __future__ import annotations

from collections.abc import Mapping

import sympy as sp

from theory.kernel.argument import Argument, Item, proof
from theory.kernel.claim import claim
from theory.kernel.classical import PITT, SHIFT, raised
from theory.kernel.goal import Goal, Rel, Var, at_least, positive, real
from theory.kernel.rules import (
    Applied,
    Cited,
    Expectation,
    Follows,
    Indicates,
    Induction,
    Instance,
    Otherwise,
    Restated,
    SumOver,
    Union,
    applied,
    cited,
    congruent,
    equals,
    follows,
    instance,
    restated,
    uses,
)
from theory.kernel.rules.compose import conclusion
from theory.kernel.rules.sums import unrolled
from theory.kernel.terms import Event, Mean
from theory.model import round_errors as errors
from theory.model import round_kinds as kinds
from theory.model.arms import s0
from theory.model.counts import NOW
from theory.model.joint_errors import COVARIANCE, JOINT, j, share, total
from theory.model.play import ANOTHER, COUNT, LATER, PULLED_IS_AN_ARM, K, another, i, k, o, t, tau, width
from theory.model.round_errors import CHOSEN, X, d, e, fail_R, out

m, p, q, r, f, g, x, y, z = sp.symbols("m p q r f g x y z")
BIT = Var(sp.Integer(0), integer=True, high=sp.Integer(1))
ONE = sp.Integer(1)
UNIT = Var(sp.Integer(0), high=ONE)
ERROR = X(i, t, d, e)
Domain = Mapping[sp.Expr, Var]
RAISED = {SHIFT(i): at_least(0)}


def higher(expr: sp.Expr) -> sp.Expr:
    """The same with every error raised."""
    return raised(expr, ERROR)


def raises(arm: sp.Expr, more: sp.Expr, domain: Domain, given: tuple[Rel, ...]) -> Applied:
    """X + c <= X + h + c of an arm."""
    lemma = Goal(Rel(x + z, "<=", x + y + z), {x: real(), y: at_least(0), z: real()}, name="raised")
    at = {x: X(arm, t, d, e), y: SHIFT(arm), z: more}
    return applied(lemma, at, domain={**domain, **RAISED}, given=given, name="an error and a number")


def event_rises(order: Item, strict: bool, domain: Domain, given: tuple[Rel, ...], name: str) -> Follows:
    """1{a >= 0} <= 1{b >= 0} from a <= b; of a > 0 and b > 0 if strict."""
    op, (low, high) = ">" if strict else ">=", conclusion(order).rel.stated
    lemma = Goal(Rel(y, op, 0), {x: real(), y: real()}, (Rel(x, op, 0), Rel(x, "<=", y)), "the larger one, too")
    case = Rel(low, op, 0)
    implied = applied(lemma, {x: low, y: high}, order, domain=domain, given=(*given, case), name="the larger one, too")
    sides = [Otherwise(-a if strict else a, domain, given=given) for a in (low, high)]
    rel = Rel(Event(low, int(strict)), "<=", Event(high, int(strict)))
    return follows(rel, Union(implied, (case,)), *sides, domain=domain, given=given, name=name)


def pitt(low: sp.Expr, high: sp.Expr, rises: tuple[Item, Item], facts: tuple[Item, ...], like: Goal) -> Cited:
    """E[f g] >= E f E g for two functions of the errors; `like` has domain, hypotheses, name and letters."""
    at = {"f": low, "g": high, "family": ERROR, "indices": (i, j), "last": K, "outcome": e, "covariance": COVARIANCE}
    rel = Rel(Mean(low * high, e), ">=", Mean(low, e) * Mean(high, e))
    gives = Goal(rel, {**JOINT, **like.domain}, like.given, like.name, letters=like.letters)
    needed = uses("ours/conditioning/joint"), nonnegative(), *rises
    return cited(PITT, hypotheses=(*needed, *facts), gives=gives, name=like.name, at=at)


def nonnegative() -> Instance:
    """Of two arms i and j: sigma_0^2 (1 - w_i) (1{i = j} + (1 - w_j)/W) >= 0."""
    free = {s0: positive(), x: UNIT, y: UNIT, f: BIT, z: positive()}
    lemma = Goal(Rel(s0 * (1 - x) * (f + (1 - y) / z), ">=", 0), free, name="a covariance")
    at = {x: share(i, t, d), y: share(j, t, d), z: total, f: equals(i, j)}
    return instance(lemma, at, {**JOINT, i: COUNT, j: COUNT}, name="a covariance")


def pulled(domain: Domain) -> Instance:
    return instance(PULLED_IS_AN_ARM, {o: d}, domain, name="the pulled arm is one of K")


HIGH = sp.Sum(out(k), (k, 1, K))  # how many errors are above their widths
BEYOND_FIRST = HIGH - Event(HIGH - 1, 0)


def beyond_first() -> Applied:
    """How many errors are above their widths, beyond the first, rises."""
    domain, given, name = {**errors.ROUND, **RAISED}, (LATER,), "failures beyond the first"
    own = raises(k, -width * tau(k, t, d), errors.ARM, given)
    one = event_rises(own, True, {**errors.ARM, **RAISED}, given, "one error above its width")
    more = SumOver(one, k, ONE, K, domain, given=given, name="no fewer")
    event = Goal(Rel(x, ">=", 0), {x: BIT}, name="an event")
    some = SumOver(event, k, ONE, K, domain, {x: out(k)}, given=given, name="a number of events")
    up = higher(HIGH)
    now, then = Event(HIGH - 1, 0), Event(up - 1, 0)
    least = Goal(Rel(q - g, ">=", 0), {q: at_least(0), g: UNIT}, (Rel(g * (q - 1), ">=", 0),), "at least the first")
    first = applied(
        least, {q: up, g: then}, some, more, Indicates(up - 1, domain, part=True), domain=domain, given=given
    )
    none = Rel(f * (1 + z - g - y), "<=", 0)
    lemma = Goal(Rel(y + g, ">=", f), {y: at_least(0), z: at_least(0), g: at_least(0), f: UNIT}, (none,), name)
    at = {y: up - HIGH, z: up - then, g: 1 - then, f: 1 - now}
    parts = more, first, Indicates(HIGH - 1, domain, integer=True)
    return applied(lemma, at, *parts, domain=domain, given=given, name=name)


def failing() -> Follows:
    """The pulled arm's error and the intervals that fail beyond the first."""
    own, given, name = X(CHOSEN, t, d, e), (LATER,), "failing intervals"
    rises = raises(CHOSEN, sp.S.Zero, errors.ROUND, given), beyond_first()
    like = Goal(LATER, errors.ROUND, given, "errors and failures", letters=errors.GIVEN)
    law = pitt(own, BEYOND_FIRST, rises, (pulled(errors.ROUND),), like)
    means = []
    for factor in (ONE, own):
        same = congruent(factor * (HIGH - x), x, errors.SOME_HIGH, errors.ROUND, given, name="whether some fail")
        means.append(Expectation(same, (e,)))
    failures = HIGH - fail_R
    rel = Rel(Mean(own * failures, e), ">=", Mean(own, e) * Mean(failures, e))
    return follows(rel, law, *means, domain=errors.ROUND, given=given, name=name)


GIVEN = (LATER, NOW)
ROUND = kinds.ROUNDS
SOME = {**ROUND, m: at_least(0, integer=True)}
FEW = Rel(m + 1, "<=", K - 1)


def above(arm: sp.Expr) -> sp.Expr:
    """1 if the error of the arm-th other arm than the pulled one is not below its level."""
    return Event(kinds.level(another(arm, CHOSEN, d)), 0)


def all_above(arms: sp.Expr) -> sp.Expr:
    """1 if this holds of the first so many other arms."""
    return Event(-sp.Sum(1 - above(k), (k, 1, arms)), 0)


def one_above(arm: sp.Expr, domain: Domain, given: tuple[Rel, ...]) -> Follows:
    other = another(arm, CHOSEN, d)
    more = kinds.level(other) - X(other, t, d, e)
    return event_rises(
        raises(other, more, domain, given), False, {**domain, **RAISED}, given, "one error above its level"
    )


def all_rises(arms: sp.Expr, domain: Domain) -> Follows:
    """That all these errors are above their levels rises: how many are below falls."""
    lines = {**domain, **RAISED}
    one = one_above(k, {**domain, k: COUNT}, GIVEN)
    low = sp.Sum(1 - above(k), (k, 1, arms))
    fewer = SumOver(one, k, ONE, arms, lines, given=GIVEN, name="no fewer above")
    order = follows(Rel(-low, "<=", higher(-low)), fewer, domain=lines, given=GIVEN, name="no more below")
    return event_rises(order, False, lines, GIVEN, "all above")


def other_arm(domain: Domain) -> Follows:
    """The k-th other arm is one of K, for k < K."""
    arms = {**domain, k: COUNT}
    known = instance(ANOTHER, {o: d, k: CHOSEN, i: k}, arms, name="another arm")
    rel, given = Rel(another(k, CHOSEN, d), "<=", K), (Rel(k, "<=", K - 1),)
    return follows(rel, known, domain=arms, given=given, name="another arm is one of K")


def one_more() -> Applied:
    """If the first m errors and the next one are above their levels, the first m + 1 are."""
    event = Goal(Rel(1 - x, ">=", 0), {x: BIT}, name="an event")
    low, own = sp.Sum(1 - above(k), (k, 1, m)), above(m + 1)
    some = SumOver(event, k, ONE, m, SOME, {x: above(k)}, given=GIVEN, name="a number of events")
    before, after = all_above(m), unrolled(all_above(m + 1), m, sp.S.Zero)
    facts = Rel((1 - g) * (p - q), "<=", 0), Rel(-f * q, ">=", 0)
    bits = {f: UNIT, g: UNIT, p: UNIT, q: at_least(0)}
    lemma = Goal(Rel(f * p * (1 - g), "<=", 0), bits, facts, "one more")
    says = Indicates(after.args[0], SOME, integer=True), Indicates(before.args[0], SOME, part=True)
    at = {f: before, g: after, p: own, q: low}
    product = applied(lemma, at, some, *says, domain=SOME, given=GIVEN, name="one more")
    either = Goal(Rel(x, "<=", g), {x: UNIT, g: UNIT}, (Rel(x * (1 - g), "<=", 0),), "one more")
    return applied(either, {x: before * own, g: after}, product, domain=SOME, given=GIVEN, name="one more arm")


def chances() -> Instance:
    """The chance that all errors are above their levels is at least the product of the chances."""
    given = (*GIVEN, FEW)
    before, own = all_above(m), above(m + 1)
    like = Goal(LATER, SOME, given, "one more arm", letters=kinds.WORDS)
    which = other_arm(SOME), instance(other_arm(SOME), {k: m + 1}, SOME, given), pulled(SOME)
    rises = all_rises(m, SOME), one_above(m + 1, SOME, GIVEN)
    law = pitt(before, own, rises, which, like)
    here = instance(kinds.ABOVE, {k: m + 1}, SOME, GIVEN, name="one more arm")
    chance = sp.Product(Mean(kinds.above(k, t, d, e), e), (k, 1, m))
    rel = Rel(Mean(before, e), ">=", chance)
    numbers = {**dict.fromkeys((p, q, r, f, y), real()), x: at_least(0)}
    facts = Rel(p, ">=", q), Rel(q, ">=", r * x), Rel(r, ">=", f)
    step = Goal(Rel(p, ">=", f * x), numbers, facts, "one more chance")
    event = instance(Goal(Rel(x, ">=", 0), {x: BIT}, name="an event"), {x: own}, SOME, GIVEN, name="an event")
    after = unrolled(all_above(m + 1), m, sp.S.Zero)
    at = {p: Mean(after, e), q: Mean(before * own, e), r: Mean(before, e), f: chance, x: Mean(own, e)}
    parts = Expectation(one_more(), (e,)), law, Expectation(event, (e,))
    last = applied(step, at, *parts, domain=SOME, given=(*given, rel), name="one more chance")
    factor = Goal(Rel(x * y, "=", x * z), dict.fromkeys((x, y, z), real()), (Rel(y, "=", z),), "times a factor")
    at = {x: chance, y: Mean(kinds.above(m + 1, t, d, e), e), z: Mean(own, e)}
    same = applied(factor, at, Expectation(here, (e,)), domain=SOME, given=given, name="the same chance")
    sure = follows(Rel(Event(sp.S.Zero, 0), "=", 1), Indicates(sp.S.Zero, {}, integer=True), domain={}, name="0 >= 0")
    name = "a product of chances"
    product = Induction(rel, m, sp.S.Zero, ROUND, GIVEN, name, lemmas=(last, same), first=(sure,), until=K - 1)
    return instance(product, {m: K - 1}, ROUND, GIVEN, name="all other arms")


def written_out() -> Follows:
    """A_t in terms of the errors."""
    terms = SumOver(kinds.ABOVE, k, ONE, K - 1, ROUND, given=GIVEN, name="how many are below")
    low = sp.Sum(1 - above(k), kinds.OTHERS)
    number = follows(Rel(kinds.LOW, "=", low), terms, domain=ROUND, given=GIVEN, name="how many are below")
    same = congruent(Event(-x, 0), x, number, ROUND, GIVEN, name="whether any is")
    return follows(Rel(kinds.none, "=", all_above(K - 1)), kinds.NO_ERROR, same, domain=ROUND, given=GIVEN, name="A_t")


def no_error() -> Follows:
    rel = Rel(Mean(kinds.none, e), ">=", sp.Product(Mean(kinds.above(k, t, d, e), e), kinds.OTHERS))
    parts = Expectation(written_out(), (e,)), chances()
    return follows(rel, *parts, domain=ROUND, given=GIVEN, name="no error")


def part_rises() -> Applied:
    """x^+ <= y^+ for x <= y: of what the pulled arm's index is above its mean."""
    low, domain = kinds.RISE, {**ROUND, **RAISED}
    high = higher(low)
    bounds = {p: at_least(0), q: at_least(0), r: at_least(0), f: UNIT}
    lemma = Goal(Rel(f * (p - q - r), "<=", p), bounds, name="a positive part rises")
    now, then = Event(low, 0), Event(high, 0)
    at = {p: then * high, q: (then - 1) * high, r: SHIFT(CHOSEN), f: now}
    says = Indicates(high, domain, part=True), Indicates(high, domain)
    return applied(lemma, at, *says, domain=domain, given=(LATER,), name="a positive part rises")


def lost() -> Restated:
    """The pulled arm's positive part, and that no other error is below its level."""
    part, none, name = Event(kinds.RISE, 0) * kinds.RISE, all_above(K - 1), "the pulled arm in bad rounds"
    like = Goal(LATER, ROUND, GIVEN, "the pulled arm, no error", letters=kinds.WORDS)
    law = pitt(part, none, (part_rises(), all_rises(K - 1, ROUND)), (other_arm(ROUND), pulled(ROUND)), like)
    defined = kinds.REST, written_out()
    both = Goal(Rel(x * y, "=", p * q), dict.fromkeys((x, y, p, q), real()), (Rel(x, "=", p), Rel(y, "=", q)), "both")
    at = {x: kinds.rest, y: kinds.none, p: part, q: none}
    product = applied(both, at, *defined, domain=ROUND, given=GIVEN, name="both")
    means = [Expectation(item, (e,)) for item in (*defined, product)]
    at = {x: Mean(kinds.rest, e), y: Mean(kinds.none, e), p: Mean(part, e), q: Mean(none, e)}
    equal = applied(both, at, *means[:2], domain=ROUND, given=GIVEN, name="both means")
    facts = Rel(r, ">=", p * q), Rel(x * y, "=", p * q), Rel(z, "=", r)
    lemma = Goal(Rel(x - z, "<=", x * (1 - y)), dict.fromkeys((x, y, z, p, q, r), real()), facts, name)
    at |= {z: Mean(kinds.rest * kinds.none, e), r: Mean(part * none, e)}
    found = applied(lemma, at, law, equal, means[2], domain=ROUND, given=GIVEN, name=name)
    rel = Rel(Mean(kinds.rest * (1 - kinds.none), e), "<=", Mean(kinds.rest, e) * (1 - Mean(kinds.none, e)))
    return restated(found, rel, name)


CITES = ("ours/conditioning", "ours/correlation")


@claim("ours/association", by="us", kind="inequality", cites=CITES)
def association() -> Argument:
    """Given the reward differences the errors are jointly normal with nonnegative covariances, so that two functions of
    them that rise with every error have a nonnegative covariance: the pulled arm's error and the number of intervals
    that fail beyond the first."""
    return proof(failing(), letters=errors.GIVEN)


@claim("ours/association/levels", by="us", kind="inequality", cites=CITES)
def no_error_below() -> Argument:
    """The events that errors are above their levels rise with every error: one arm after the other, the chance of all
    is at least the product of the chances."""
    return proof(no_error(), letters={**kinds.WORDS, **errors.GIVEN})


@claim("ours/association/pulled-arm", by="us", kind="inequality", cites=CITES)
def pulled_arm() -> Argument:
    """The positive part of the pulled arm's index above its mean, and that no other error is below its level, rise with
    every error."""
    return proof(lost(), letters={**kinds.WORDS, **errors.GIVEN})
