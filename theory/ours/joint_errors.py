"""The errors of all arms given the reward differences: jointly normal, with nonnegative covariances.

Given mu_0 the arms are independent, and prior times likelihood of each is exp of a square in its error. The product
over the arms is exp of a square in mu_0, so that the moment generating function is the quotient of two Gaussian
integrals.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache

import sympy as sp

from theory.kernel.argument import Argument, Item, proof
from theory.kernel.claim import claim
from theory.kernel.classical import COEFFICIENT
from theory.kernel.goal import Goal, Rel, Var, at_least, positive, real
from theory.kernel.rules import (
    Applied,
    Follows,
    Induction,
    Instance,
    Picked,
    Substitution,
    SumOver,
    applied,
    congruent,
    follows,
    instance,
    specialised,
    uses,
)
from theory.kernel.rules.compose import conclusion
from theory.model import joint_errors as model
from theory.model.arms import n, s, s0, tau_tilde_sq, weight
from theory.model.conditional_laws import ARM, m, rbar_0, rbar_k
from theory.model.conditional_laws import x as mean_
from theory.model.joint_errors import (
    ARMS,
    BAYES,
    COMBINED,
    COMMON,
    COVARIANCE,
    JOINT,
    OTHERS,
    TOTAL,
    WEIGHT,
    average,
    centre,
    j,
    share,
    total,
)
from theory.model.play import COUNT, LATER, K, count, i, k, t
from theory.model.round_errors import d
from theory.ours.classical import normal
from theory.ours.classical.normal import ROOT, b, equal
from theory.ours.posteriors import exponential

c, p, q, r, x, y, z, u, v, w = sp.symbols("c p q r x y z u v w")
f, g = sp.Function("f"), sp.Function("g")
GIVEN = (LATER,)
ONE = sp.Integer(1)
Domain = Mapping[sp.Expr, Var]
AT = {n: count(i, t, d), rbar_k: average(i, t, d), rbar_0: centre(t, d)}


def exponent(coefficient: sp.Expr, own: sp.Expr) -> sp.Expr:
    """Logarithm of the integral of exp(c z) times prior and likelihood over the error z of an arm of weight `own`,
    given mu_0 = b, up to a number."""
    height = coefficient * (1 - own) * (rbar_0 - b) + coefficient**2 * s0 * (1 - own) / 2
    return height - own * (rbar_k**2 - 2 * rbar_k * b + b**2) / (2 * s0)


def area(
    inside: sp.Expr, variable: sp.Symbol, law: tuple[sp.Expr, sp.Expr], form: Item, domain: Domain, name: str
) -> Applied:
    """The integral of f over a variable, where `form` proves f(b) = C exp(-(b - mean)^2/(2 variance)); `law` are mean
    and variance."""
    known = uses("ours/classical/normal", {normal.m: law[0], normal.v: law[1]}, item="area, b", domain=domain)
    whole, number = conclusion(known).rel.stated
    factor = conclusion(form).rel.stated[1] / whole.function
    stay, given = (sp.S.Zero, sp.S.One), conclusion(form).given
    moved = Substitution(inside, variable, stay, factor, whole.function, b, form, known, domain, given, name)
    numbers = dict.fromkeys((p, q, r, y), real())
    lemma = Goal(Rel(p, "=", q * y), numbers, (Rel(p, "=", q * r), Rel(r, "=", y)), "a known integral")
    at = {p: moved.concludes.rel.stated[0], q: factor, r: whole, y: number}
    return applied(lemma, at, moved, known, domain=domain, given=moved.given, name=name)


def split(square: Item, first: sp.Expr, second: sp.Expr, domain: Domain, given: tuple[Rel, ...] = ()) -> Applied:
    """e^f = e^a e^b from f = a + b."""
    lemma = Goal(Rel(sp.exp(q + p), "=", sp.exp(q) * sp.exp(p)), {q: real(), p: real()}, name="exponential of a sum")
    factors = instance(lemma, {q: first, p: second}, domain, given, name="two factors")
    return equal(exponential(square), factors, domain=domain, given=given, name="two factors")


@cache
def one_arm() -> Applied:
    """The integral over the error of an arm, given mu_0 = m."""
    own, variance = weight(n), tau_tilde_sq
    line = {**dict.fromkeys((rbar_k, rbar_0, m, c), real()), n: COUNT, s: positive(), s0: positive()}
    log = c * z + ARM.xreplace({mean_: (1 - own) * rbar_0 + own * rbar_k - z})
    middle = (1 - own) * (rbar_0 - m) + c * variance
    high, low = exponent(c, own).xreplace({b: m}), -((b - middle) ** 2) / (2 * variance)
    square = Goal(Rel(log.xreplace({z: b}), "=", high + low), {**line, b: real()}, name="a square")
    form = split(square, high, low, square.domain)
    return area(sp.exp(log), z, (middle, variance), form, line, "one arm")


LINE: Domain = {**JOINT, b: real()}
SIZE = ROOT * sp.sqrt(tau_tilde_sq.xreplace(AT))


def height(coefficient: sp.Expr) -> sp.Expr:
    """Of arm i, given mu_0 = b."""
    return exponent(coefficient, share(i, t, d)).xreplace(AT)


def in_play(coefficient: sp.Expr) -> Applied:
    """The integral over the error of arm i in round t."""
    arms = {**LINE, i: COUNT}
    found = instance(one_arm(), {**AT, c: coefficient, m: b}, arms, GIVEN, name="one arm")
    value = SIZE * sp.exp(exponent(coefficient, w).xreplace(AT))
    own = instance(WEIGHT, {k: i}, arms, GIVEN, name="the weight of an arm")
    same = congruent(value, w, own, arms, GIVEN, name="by its weight")
    lemma = Goal(Rel(x, "=", z), dict.fromkeys((x, y, z), real()), (Rel(x, "=", y), Rel(z, "=", y)), "by its weight")
    (left, right), by_weight = found.concludes.rel.stated, same.concludes.rel.stated[0]
    return applied(lemma, {x: left, y: right, z: by_weight}, found, same, domain=arms, given=GIVEN, name="one arm")


def powers() -> Instance:
    """A product of multiples of exponentials, for any functions f and g of the arm."""
    free = {f(i): real(), g(i): real()}
    first, name = (i, 1, p), "a product of exponentials"
    together = sp.Product(f(i), first) * sp.exp(sp.Sum(g(i), first))
    found = Induction(Rel(sp.Product(f(i) * sp.exp(g(i)), first), "=", together), p, sp.S.Zero, free, name=name)
    return instance(found, {p: K}, {**free, K: COUNT}, name=name)


def all_arms(coefficient: sp.Expr) -> Applied:
    """The product of the integrals over the errors of all arms, given mu_0 = b."""
    one = in_play(coefficient)
    before, after = one.concludes.rel.stated
    so_far = Rel(sp.Product(before, (i, 1, p)), "=", sp.Product(after, (i, 1, p)))
    arms, last = {**LINE, p: at_least(0, integer=True)}, {i: p + 1}
    facts = Rel(x, "=", y), Rel(u, "=", v)
    lemma = Goal(Rel(x * u, "=", y * v), dict.fromkeys((x, y, u, v), real()), facts, "one more arm")
    at = {**dict(zip((x, y), so_far.stated, strict=True)), u: before.xreplace(last), v: after.xreplace(last)}
    here = instance(one, last, arms, GIVEN, name="one more arm")
    more = applied(lemma, at, here, domain=arms, given=(*GIVEN, so_far), name="one more arm")
    product = Induction(so_far, p, sp.S.Zero, LINE, GIVEN, "the first arms", lemmas=(more,))
    every = instance(product, {p: K}, LINE, GIVEN, name="all arms")
    known = specialised(powers(), {f(i): SIZE, g(i): height(coefficient)}, LINE, GIVEN, "exponentials")
    return equal(every, known, domain=LINE, given=GIVEN, name="all arms")


def sums(coefficient: sp.Expr) -> tuple[sp.Expr, sp.Expr]:
    """The sums of c (1 - w) and of c^2 sigma_0^2 (1 - w) over all arms."""
    rest = 1 - share(i, t, d)
    if coefficient == 0:
        return sp.S.Zero, sp.S.Zero
    return sp.Sum(coefficient * rest, ARMS), sp.Sum(coefficient**2 * s0 * rest, ARMS)


def variance(coefficient: sp.Expr) -> sp.Expr:
    """Of the sum of c_i X_i."""
    common, own = sums(coefficient)
    return own + s0 * common**2 / total


SQUARES = sp.Sum(share(i, t, d) * average(i, t, d) ** 2, ARMS)


def square(coefficient: sp.Expr) -> tuple[Applied, sp.Expr, tuple[sp.Expr, sp.Expr]]:
    """The exponent of all arms is a square in mu_0 = b; the item, what it is besides, mean and variance of mu_0."""
    common, own = sums(coefficient)
    numbers = {**dict.fromkeys((b, p, q, r, u, x, y, z), real()), v: positive(), s0: positive()}
    plain = (y - z / 2 - p / 2) / s0 + (r - b) * u + q / 2
    mean, spread, top = r - s0 * u / v, s0 / v, (v * r**2 - p) / (2 * s0) + (q + s0 * u**2 / v) / 2
    final = top - (b - mean) ** 2 / (2 * spread)
    facts = Rel(x, "=", plain), Rel(y, "=", b * v * r), Rel(z, "=", b**2 * v)
    lemma = Goal(Rel(x, "=", final), numbers, facts, "a square in mu_0")
    weights, rewards = TOTAL.concludes.rel.stated[1], COMMON.concludes.rel.stated[1]
    at = {x: sp.Sum(height(coefficient), ARMS), u: common, q: own, r: centre(t, d), v: total, p: SQUARES}
    at |= {y: b * rewards, z: b**2 * weights}
    taken_apart = Goal(Rel(at[x], "=", plain.xreplace(at)), LINE, GIVEN, "a sum of squares")
    factor = Goal(Rel(x * z, "=", x * y), dict.fromkeys((x, y, z), real()), (Rel(y, "=", z),), "times a factor")
    parts = []
    for by, item in ((b, COMMON), (b**2, TOTAL)):
        left, right = item.concludes.rel.stated
        parts.append(applied(factor, {x: by, y: left, z: right}, item, domain=LINE, given=GIVEN, name="times a factor"))
    found = applied(lemma, at, taken_apart, *parts, domain=LINE, given=GIVEN, name="a square in mu_0")
    return found, top.xreplace(at), (mean.xreplace(at), spread.xreplace(at))


def whole(coefficient: sp.Expr) -> Applied:
    """The integral over the errors of all arms and over mu_0."""
    found, top, law = square(coefficient)
    low = conclusion(found).rel.stated[1] - top
    arms = all_arms(coefficient)
    left = arms.concludes.rel.stated[0]
    two = split(found, top, low, LINE, GIVEN)
    facts = Rel(x, "=", y * z), Rel(z, "=", u * v)
    lemma = Goal(Rel(x, "=", y * u * v), dict.fromkeys((x, y, z, u, v), real()), facts, "all factors")
    at = {x: left, y: sp.Product(SIZE, ARMS), z: two.concludes.rel.stated[0], u: sp.exp(top), v: sp.exp(low)}
    form = applied(lemma, at, arms, two, domain=LINE, given=GIVEN, name="all factors")
    return area(left.xreplace({b: m}), m, law, form, JOINT, "all arms and mu_0")


def size() -> Instance:
    """The number that all integrals have in common is positive."""
    one = Goal(Rel(ROOT * sp.sqrt(tau_tilde_sq), ">", 0), {n: COUNT, s: positive(), s0: positive()}, name="a root")
    arms = {**JOINT, p: at_least(0, integer=True)}
    here = instance(one, {n: count(p + 1, t, d)}, arms, GIVEN, name="one more root")
    so_far = Rel(sp.Product(SIZE, (i, 1, p)), ">", 0)
    lemma = Goal(Rel(x * y, ">", 0), {x: positive(), y: positive()}, name="one more root")
    at = {x: so_far.stated[0], y: SIZE.xreplace({i: p + 1})}
    more = applied(lemma, at, here, domain=arms, given=(*GIVEN, so_far), name="one more root")
    product = Induction(so_far, p, sp.S.Zero, JOINT, GIVEN, "a product of roots", lemmas=(more,))
    return instance(product, {p: K}, JOINT, GIVEN, name="all roots")


def generating() -> Applied:
    """E exp(sum of c_i X_i) = exp(variance/2)."""
    plain, tilted = whole(sp.S.Zero), whole(COEFFICIENT(i))
    (below, number), (above, product) = (item.concludes.rel.stated for item in (plain, tilted))
    numbers = dict.fromkeys((p, x, y, r, u), real())
    facts = Rel(p * x, "=", r), Rel(x, "=", u), Rel(r, "=", y)
    lemma = Goal(Rel(p * u, "=", y), numbers, facts, "times the density")
    at = {p: COMBINED, x: below, r: above, u: number, y: product}
    times = applied(lemma, at, BAYES, plain, tilted, domain=JOINT, given=GIVEN, name="times the density")
    divided = Goal(Rel(p, "=", y / q), {p: real(), y: real(), q: positive()}, (Rel(p * q, "=", y),), "divided")
    values = {p: COMBINED, q: number, y: product}
    return applied(divided, values, size(), times, domain=JOINT, given=GIVEN, name="generating function")


def double_sum() -> Follows:
    """The variance as a sum of covariances."""
    own = COEFFICIENT(i) * COEFFICIENT(j) * s0 * (1 - share(i, t, d))
    arms = {**JOINT, i: COUNT}
    picked = Picked(own, j, i, ONE, K, arms, "the same arm")
    each = SumOver(picked, i, ONE, K, JOINT, given=GIVEN, name="the same arm")
    form = sp.Sum(sp.Sum(COEFFICIENT(i) * COEFFICIENT(j) * COVARIANCE, OTHERS), ARMS)
    return follows(Rel(form, "=", variance(COEFFICIENT(i))), each, domain=JOINT, given=GIVEN, name="covariances")


@claim("ours/conditioning/joint", by="us", kind="statement", cites=("ours/conditioning/law", "ours/correlation"))
def joint() -> Argument:
    """Given mu_0 the arms are independent, and prior times likelihood of each is exp of a square in its error and of
    one in mu_0. With the sum of the c_i times the errors in the exponent these are the same squares elsewhere, and the
    quotient of the two integrals is exp of half a sum of covariances: the errors are jointly normal with mean 0."""
    covariances, half = double_sum(), Goal(Rel(x / 2, "=", y / 2), {x: real(), y: real()}, (Rel(y, "=", x),), "a half")
    form, value = covariances.rel.stated
    at = {x: value, y: form}
    halves = applied(half, at, covariances, domain=JOINT, given=GIVEN, name="half of it")
    same = congruent(sp.exp(z), z, halves, JOINT, GIVEN, name="by covariances")
    found = equal(generating(), same, domain=JOINT, given=GIVEN, name="generating function of all errors")
    return proof(found, letters=model.WORDS)
