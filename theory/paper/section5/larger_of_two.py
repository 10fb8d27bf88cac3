"""e_2, the mean of the larger of two independent standard normals: that of the positive part of their difference."""

from itertools import pairwise

import sympy as sp

from theory.kernel.goal import Goal, Rel, Var, real
from theory.kernel.rules import (
    Applied,
    Cases,
    Expectation,
    Follows,
    Indicates,
    IntegralOf,
    Substitution,
    Union,
    applied,
    follows,
    instance,
)
from theory.kernel.terms import Event
from theory.model.normal import excess, phi, upper
from theory.model.play import (
    BEST,
    BEST_IS_AN_ARM,
    CENTRED_EFFECT,
    FIRST_ARM,
    LARGEST,
    PLAY,
    SECOND_ARM,
    TWO_EFFECTS,
    K,
    Z,
    k,
    o,
    x,
    y,
)
from theory.model.regret import E_K
from theory.ours.other_arms import at_same_arm, j

z, u, e = sp.symbols("z u e")
TWO = Rel(K, "=", 2)
FIRST, SECOND, LARGER = (Z(arm, o) for arm in (FIRST_ARM, SECOND_ARM, BEST))
AHEAD = SECOND - FIRST
POSITIVE = Event(AHEAD, 1)
IS_FIRST = Rel((BEST - FIRST_ARM) ** 2, "<", 1)
UNIT = Var(sp.Integer(0), high=sp.Integer(1))


def effect_of_best(arm: sp.Expr, *parts: Applied | Follows, given: tuple[Rel, ...]) -> Applied:
    """The effect of the best arm is that of this arm, if it is the best."""
    near = Rel((BEST - arm) ** 2, "<", 1)
    same = at_same_arm(Z(j, o), BEST, arm, PLAY, (Rel(BEST, "<=", K), Rel(arm, "<=", K), near))
    return applied(same, {}, BEST_IS_AN_ARM, *parts, domain=PLAY, given=given, name="effect of the best arm")


def larger() -> Cases:
    """Z_* = Z_1 + (Z_2 - Z_1)^+ for two arms."""
    rel = Rel(LARGER, "=", FIRST + AHEAD * POSITIVE)
    most = [instance(LARGEST, {k: arm}, PLAY, (TWO,), name="the largest effect") for arm in (FIRST_ARM, SECOND_ARM)]
    given = (TWO, IS_FIRST)
    one = effect_of_best(FIRST_ARM, given=given)
    behind = follows(Rel(AHEAD, "<=", 0), one, most[1], domain=PLAY, given=given, name="behind")
    none = Union(behind, (), "not ahead")
    zero = follows(Rel(POSITIVE, "=", 0), none, domain=PLAY, given=given, name="not ahead")
    times = Goal(Rel(z * x, "=", 0), {x: real(), z: real()}, (Rel(x, "=", 0),), "times 0")
    nothing = applied(times, {x: POSITIVE, z: AHEAD}, zero, domain=PLAY, given=given, name="no positive part")
    first = follows(rel, one, nothing, domain=PLAY, given=given, name="arm 1 is the best")
    given = (TWO, IS_FIRST.negation)
    whole = Goal(
        Rel((x - 2) ** 2, "<", 1),
        {x: Var(sp.Integer(1), high=sp.Integer(2))},
        (Rel((x - 1) ** 2, ">=", 1),),
        "the other arm",
    )
    second_arm = applied(whole, {x: BEST}, BEST_IS_AN_ARM, domain=PLAY, given=given, name="the other arm")
    other = effect_of_best(SECOND_ARM, second_arm, given=given)
    ahead = follows(Rel(AHEAD, ">=", 0), other, most[0], domain=PLAY, given=given, name="ahead")
    says = Indicates(AHEAD, PLAY, strict=True, name="not ahead")
    lemma = Goal(
        Rel(x, "=", x * e), {x: real(), e: UNIT}, (Rel((1 - e) * x, "<=", 0), Rel(x, ">=", 0)), "a positive part"
    )
    part = applied(lemma, {x: AHEAD, e: POSITIVE}, says, ahead, domain=PLAY, given=given, name="a positive part")
    second = follows(rel, other, part, domain=PLAY, given=given, name="arm 2 is the best")
    return Cases(IS_FIRST, first, second, "the larger of two effects")


def positive_part() -> Applied:
    """E(Z_2 - Z_1)^+ = 1/sqrt(pi)."""
    line = {z: real(), y: real()}
    first = IntegralOf(y * phi(y), -phi(y), y, z, sp.oo, line, (None, sp.S.Zero), "mean beyond x")
    chance = IntegralOf(phi(y), -upper(y), y, z, sp.oo, line, (None, sp.S.Zero), "chance beyond x")
    inner = [sp.Integral(f, (y, z, sp.oo)) for f in (y * phi(y), phi(y))]
    values = sp.symbols("p q v w")
    lemma = Goal(
        Rel((values[0] - z * values[1]) * u, "=", (values[2] - z * values[3]) * u),
        dict.fromkeys((*values, z, u), real()),
        (Rel(values[0], "=", values[2]), Rel(values[1], "=", values[3])),
        "both integrals",
    )
    at = dict(zip(values, (*inner, phi(z), upper(z)), strict=True)) | {u: phi(z)}
    pointwise = applied(lemma, at, first, chance, domain={z: real()}, name="given the first effect")
    f = TWO_EFFECTS.concludes.rel.stated[1].args[0]
    primitive, ends = phi(z) * upper(z) - sp.erfc(z) / (2 * sp.sqrt(sp.pi)), (-1 / sp.sqrt(sp.pi), sp.S.Zero)
    area = IntegralOf(excess(z) * phi(z), primitive, z, -sp.oo, sp.oo, {z: real()}, ends, "mean over the first effect")
    stay = (sp.S.Zero, sp.S.One), sp.S.One
    moved = Substitution(f, x, *stay, excess(z) * phi(z), z, pointwise, area, {}, name="inner mean")
    chain = tuple(Rel(left, "=", right) for left, right in pairwise(values))
    equal = Goal(Rel(values[0], "=", values[-1]), dict.fromkeys(values, real()), chain, "one after the other")
    sides = [item.concludes.rel.stated for item in (TWO_EFFECTS, moved, area)]
    at = dict(zip(values, (sides[0][0], *(right for _, right in sides)), strict=True))
    parts = TWO_EFFECTS, moved, area
    return applied(equal, at, *parts, domain=PLAY, given=(TWO,), name="mean of the positive part")


def larger_of_two() -> Applied:
    """e_2 = 1/sqrt(pi)."""
    mean, centred = Expectation(larger(), (o,)), instance(CENTRED_EFFECT, {k: FIRST_ARM}, PLAY, name="effect of arm 1")
    part = positive_part()
    total = Goal(
        Rel(x, "=", e), dict.fromkeys((x, y, z, e), real()), (Rel(x, "=", y + z), Rel(y, "=", 0), Rel(z, "=", e)), "sum"
    )
    (left, right), first = part.concludes.rel.stated, centred.concludes.rel.stated[0]
    at = {x: E_K, y: first, z: left, e: right}
    return applied(total, at, mean, centred, part, domain=PLAY, given=(TWO,), name="e_2")
