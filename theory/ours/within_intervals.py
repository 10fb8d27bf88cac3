"""The errors of the pulled arm and of another one within both of their intervals, given the reward differences.

Where the error of arm k is x <= c_k, that of arm i is r x and a normal rest of variance q (ours/conditioning/pair), so
that its mean below c_i is known. Times the density of x it has an antiderivative. c is sqrt(a log t) times tau.
"""

from __future__ import annotations

from dataclasses import replace

import sympy as sp

from theory.kernel.argument import Argument, Item, proof
from theory.kernel.claim import claim
from theory.kernel.goal import Goal, Letter, Rel, positive, real
from theory.kernel.rules import (
    Applied,
    Combined,
    Expectation,
    Instance,
    IntegralOf,
    Rescaled,
    Restated,
    Restricted,
    Substitution,
    applied,
    congruent,
    instance,
    restated,
    uses,
)
from theory.kernel.rules.compose import conclusion
from theory.kernel.terms import Event, Mean
from theory.model import round_errors as errors
from theory.model.arms import LETTERS, Wo, n, s, s0, tau_sq, w, weight
from theory.model.error_law import AT_PAIR, PAIR, RATIO, REUCB, given_error, n_i, xi, z
from theory.model.normal import Density, Tail, phi, upper
from theory.model.play import LATER, K, another, i, k, o, others, t, tau, width
from theory.model.play import m as m_
from theory.model.round_errors import CHOSEN, X, d, e
from theory.ours.classical.normal import BELOW, ROOT, equal, h, u
from theory.ours.classical.normal import v as NORMAL_V
from theory.ours.levels import ARM as LEVELS
from theory.ours.levels import same_sum
from theory.ours.normal_errors import given_choices, root
from theory.ours.two_errors import GIVEN, HIGH, SIZES, R, distinct, rest
from theory.ours.two_errors import REST as VARIANCE

AREA = "ours/conditioning/two-arms/area"
DEVIATION = "ours/conditioning/two-arms/deviation"
VALUE = "ours/conditioning/two-arms/value"
NAME = "below both"
x, y, b, g, r, v, q, p, c, L = sp.symbols("x y b g r v q p c L")
SPREAD = sp.sqrt(REUCB.variance.xreplace(REUCB.at))  # tau_k
REST = sp.sqrt(rest().variance)  # sqrt(q)
ODDS = R * SPREAD / REST  # of the correlation rho of both errors: rho/sqrt(1 - rho^2)


def below(deviation: sp.Expr, at: sp.Expr, more: sp.Expr) -> sp.Expr:
    """E[(Y + more) 1{Y <= -at}] for Y normal with mean 0."""
    return more * upper(at / deviation) - deviation * phi(at / deviation)


def both(deviation: sp.Expr, slope: sp.Expr, own: sp.Expr, other: sp.Expr, error: sp.Expr) -> sp.Expr:
    """The mean of Y + slope x where it is at most `own`, if x = error is at most `other`."""
    return Event(other - error, 0) * below(deviation, slope * error - own, slope * error)


def times(item: Item, factor: sp.Expr, known: Item, name: str) -> Applied:
    """a = factor c, from a = factor b and b = c."""
    left, (old, number) = conclusion(item).rel.stated[0], conclusion(known).rel.stated
    lemma = Goal(
        Rel(x, "=", u * v), dict.fromkeys((x, u, v, y), real()), (Rel(x, "=", u * y), Rel(y, "=", v)), "a known number"
    )
    domain = conclusion(item).domain
    return applied(lemma, {x: left, u: factor, y: old, v: number}, item, known, domain=domain, name=name)


def in_units() -> Applied:
    """The integral of both(p, r, L p sqrt(1 + h^2), L c, z) exp(-z^2/(2 c^2)) over z, r = p h/c: by z = c y."""
    line = dict.fromkeys((p, h, c, L), positive())
    plane = {**line, y: real()}
    last = sp.sqrt(1 + h**2)
    inside = below(sp.S.One, h * y - L * last, h * y) * sp.exp(-(y**2) / 2)
    primitive = -h * sp.exp(-(y**2) / 2) * upper(h * y - L * last) - last * sp.exp(-(L**2) / 2) * upper(
        h * L - y * last
    )
    slope = Goal(Rel(sp.Derivative(primitive, y), "=", inside), plane, name="antiderivative")
    cut = Restricted(inside, y, L, -sp.oo, sp.oo, line, above=False, strict=False, name="up to L")
    area = IntegralOf(inside, primitive, y, -sp.oo, L, plane, (sp.S.Zero, None), NAME, slope=slope)
    value = -(h + last) * sp.exp(-(L**2) / 2) * upper(L * (h - last))
    number = Goal(Rel(conclusion(area).rel.stated[1], "=", value), line, name="the same number")
    known = equal(cut, area, number, domain=line, name=NAME)
    f = both(p, p * h / c, L * p * last, L * c, z) * sp.exp(-(z**2) / (2 * c**2))
    (event,) = f.atoms(Event)
    units = Rescaled(L - y, c, plane, name="in units of c")
    there = (f / event).xreplace({z: c * y})
    same = Goal(Rel(there, "=", p * inside), plane, name="in units of c")
    facts = Rel(u, "=", v), Rel(x, "=", p * r)
    product = Goal(Rel(u * x, "=", p * (v * r)), dict.fromkeys((p, u, v, x, r), real()), facts, "both factors")
    before, after = conclusion(units).rel.stated
    at = {u: before, v: after, x: there, r: inside}
    pointwise = applied(product, at, units, same, domain=plane, name="in units of c")
    moved = Substitution(f, z, (sp.S.Zero, c), p, after * inside, y, pointwise, known, line, name=NAME)
    return times(moved, p * c, known, NAME)


@claim(AREA, by="us", kind="identity")
def area() -> Argument:
    """In units of the deviation c of X the integrand is h y Phi(z) - phi(z) times exp(-y^2/2), z = L sqrt(1 + h^2) -
    h y, which has the antiderivative -h exp(-y^2/2) Phi(z) - sqrt(1 + h^2) exp(-L^2/2) Phi(y sqrt(1 + h^2) - h L)."""
    letters = {
        p: Letter(p, "deviation of a normal variable Y"),
        c: Letter(c, "deviation of a normal variable X"),
        h: Letter(h, "odds of the correlation of X and Y + p h X/c, which has the deviation p sqrt(1 + h^2)"),
        L: Letter(L, "where both are cut, in units of their deviations"),
    }
    return proof(in_units(), letters=letters)


def given_one() -> tuple[Item, Applied]:
    """The mean of X_i 1{X_i <= c_i} 1{X_k <= c_k} given X_k = xi."""
    event, law = Event(width * tau(k, t, d) - xi, 0), rest()
    f, at = event * Event(-z - h, 0) * (z + g), {h: R * xi - HIGH, g: R * xi}
    tower, bayes = given_error(f, u, NAME, at)
    parts = tuple(law.plain(BELOW[power, False]) for power in (1, 0))
    sum_ = Combined(parts, (-event, event * g), {**PAIR, h: real(), g: real()}, GIVEN, NAME)
    share = instance(law.area_of(f, sum_, NAME, True), at, PAIR, GIVEN, name=NAME)
    inner = law.quotient(share, bayes, NAME)
    mean, chance = (BELOW[power, False].value.xreplace({NORMAL_V: y}) for power in (1, 0))
    divided = (b * g * chance - b * mean) / (ROOT * sp.sqrt(y))
    numbers = {y: positive(), **dict.fromkeys((b, h, g), real())}
    tidy = Goal(Rel(divided, "=", b * below(sp.sqrt(y), h, g)), numbers, name="divided")
    same = instance(tidy, {y: law.variance, b: event, **at}, PAIR, GIVEN, name="divided")
    return tower, equal(inner, same, domain=PAIR, given=GIVEN, name=NAME)


def in_distribution() -> Instance:
    """The mean of `both` at the error of arm k, whose density is known; L is any number."""
    last = sp.sqrt(1 + h**2)
    of = both(p, p * h / SPREAD, L * p * last, L * SPREAD, z)
    numbers = {**PAIR, **dict.fromkeys((p, h, L), positive())}
    bayes = REUCB.among(numbers).bayes(of, u)
    law = replace(given_choices(REUCB), domain=numbers, given=GIVEN)
    known = uses(AREA, {c: SPREAD}, domain=numbers)
    mean = law.quotient(law.area_of(of, known, NAME), bayes, NAME)
    value = -(Density(L) * Tail(L * (p * h - p * last) / p) * (p * h + p * last))
    same = Goal(Rel(conclusion(mean).rel.stated[1], "=", value), numbers, GIVEN, "the same number")
    found = equal(mean, same, domain=numbers, given=GIVEN, name=NAME)
    return instance(found, {p: REST, h: ODDS, L: width}, PAIR, GIVEN, name=NAME)


OTHER = another(k, CHOSEN, d)  # the k-th other arm than the pulled one
PLACE = {i: CHOSEN, k: OTHER}
SLOPE, ITS_REST = R.xreplace(PLACE), REST.xreplace(PLACE)
OWN = (REST * sp.sqrt(1 + ODDS**2)).xreplace(PLACE)  # tau of the pulled arm
ROUND = {**REUCB.domain, **{f: range_ for f, range_ in LEVELS.items() if not f.has(o)}}
HERE = (LATER, Rel(k, "<=", K - 1))


def turned(item: Item, name: str) -> Applied:
    left, right = conclusion(item).rel.stated
    lemma = Goal(Rel(y, "=", x), {x: real(), y: real()}, (Rel(x, "=", y),), "the other way round")
    return applied(lemma, {x: left, y: right}, item, domain=ROUND, given=HERE, name=name)


def own_deviation() -> Applied:
    """The deviation of r X_k and the rest is tau, for the pulled arm."""
    product = sp.sqrt(q) * sp.sqrt(1 + (r * sp.sqrt(v) / sp.sqrt(q)) ** 2)
    roots = Goal(Rel(product, "=", sp.sqrt(q + r**2 * v)), {v: positive(), q: positive(), r: real()}, name="one root")
    one = instance(roots, {q: REST**2, v: SPREAD**2, r: R}, PAIR, (LATER,), name="one root")
    sizes = {f: SIZES[f] for f in (n, n_i, Wo, s, s0)}
    whole = tau_sq.xreplace({n: n_i, Wo: w + Wo - weight(n_i)})
    total = Goal(Rel(VARIANCE + RATIO**2 * tau_sq, "=", whole), sizes, name="variance of r X_k and the rest")
    here = instance(total, AT_PAIR, PAIR, (LATER,), name="variance of r X_k and the rest")
    first, second = (instance(found, PLACE, ROUND, HERE, name="two arms") for found in (one, here))
    squares = congruent(sp.sqrt(y), y, second, ROUND, HERE, name="its root")
    weights = instance(same_sum(), {o: d}, ROUND, HERE, name="the same sum of weights")
    (left, right), rest_ = conclusion(weights).rel.stated, others(CHOSEN, t, d)
    lemma = Goal(Rel(x, "=", v - u), dict.fromkeys((x, u, v), real()), (Rel(u + x, "=", v),), "the others")
    same = applied(lemma, {x: rest_, u: left - rest_, v: right}, weights, domain=ROUND, given=HERE, name="the others")
    law = instance(root(REUCB), {k: CHOSEN}, ROUND, HERE, name="the root of the variance is tau")
    spread = conclusion(law).rel.stated[0]
    moved = congruent(spread.xreplace({rest_: y}), y, same, ROUND, HERE, name="the others")
    back = turned(moved, "the others")
    return equal(first, squares, back, law, domain=ROUND, given=HERE, name="tau of the pulled arm")


@claim(DEVIATION, by="us", kind="identity", cites=("ours/conditioning/pair",))
def deviation() -> Argument:
    """All arms see the same sum of weights, so that q + r^2 tau_k^2 = tau_I^2, the variance of r X_k and
    the rest."""
    return proof(own_deviation(), letters={**WORDS, Wo: LETTERS[Wo]})


WORDS = {**errors.GIVEN, k: Letter(k, "number of another arm than I, among the others")}


@claim(VALUE, by="us", kind="identity", cites=("ours/conditioning/pair",))
def value_in_distribution() -> Argument:
    """The error of arm k is normal with mean 0 and variance tau_k^2, so that the integral of ours/conditioning/
    two-arms/area is the mean."""
    return proof(in_distribution(), letters=errors.GIVEN)


def value(own: sp.Expr, other: sp.Expr) -> sp.Expr:
    return -(Density(width) * Tail(width * (SLOPE * other - own) / ITS_REST) * (SLOPE * other + own))


def inside(own: sp.Expr, other: sp.Expr) -> sp.Expr:
    return Mean(both(ITS_REST, SLOPE, width * own, width * other, X(OTHER, t, d, e)), e)


def within_both() -> Restated:
    """E[X_I 1{X_I <= c_I} 1{X_k <= c_k}] for the pulled arm and another one."""
    apart = instance(distinct(), {m_: CHOSEN, i: k}, ROUND, name="another arm")
    swapped = Goal(Rel((x - y) ** 2, ">", 0), {x: real(), y: real()}, (Rel((y - x) ** 2, ">", 0),), "not the same")
    two = applied(swapped, {x: CHOSEN, y: OTHER}, apart, domain=ROUND, given=HERE, name="another arm")
    tower, inner = given_one()
    given = Expectation(instance(inner, {xi: X(k, t, d, e)}, PAIR, GIVEN, name="given X_k"), (e,))
    steps = tower, given, uses(VALUE, domain=PAIR)
    first, second, mean = (applied(item, PLACE, two, domain=ROUND, given=HERE, name=NAME) for item in steps)
    taus = uses(DEVIATION, domain=ROUND), instance(root(REUCB), {k: OTHER}, ROUND, HERE, name="tau of another arm")
    (own_, own), (other_, other) = (conclusion(item).rel.stated for item in taus)
    back = [turned(item, "tau") for item in taus]
    rows = (
        congruent(inside(y, other), y, back[0], ROUND, HERE, name="tau of the pulled arm"),
        congruent(inside(own_, y), y, back[1], ROUND, HERE, name="tau of another arm"),
        mean,
        congruent(value(y, other_), y, taus[0], ROUND, HERE, name="tau of the pulled arm"),
        congruent(value(own, y), y, taus[1], ROUND, HERE, name="tau of another arm"),
    )
    name = "the error of the pulled arm within both intervals"
    found = equal(first, second, *rows, domain=ROUND, given=HERE, name=name)
    return restated(found, Rel(conclusion(found).rel.stated[0], "=", value(own, other)), name)


@claim("ours/conditioning/two-arms", by="us", kind="identity", cites=("ours/conditioning/pair",))
def two_arms() -> Argument:
    """Given X_k = x the error of the pulled arm is N(r x, q), r = Cov/tau_k^2; what it has below c_I is averaged over
    x <= c_k. The result is as if the two were exchanged: both intervals end equally many deviations out."""
    return proof(within_both(), letters=WORDS)
