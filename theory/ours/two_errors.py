"""The errors of two arms given the reward differences: X_i = r X_k and an independent normal rest, r >= 0.

The density of both errors and of mu_0 is exp of three squares. It gives the mean of what the error of arm i does given
that of arm k, and so that the two are never high and low together more often than if they were independent.
"""

from __future__ import annotations

from functools import cache

import sympy as sp

from theory.kernel.argument import Argument, Item, proof
from theory.kernel.claim import claim
from theory.kernel.goal import Goal, Letter, Rel, Var, at_least, positive, real
from theory.kernel.rules import (
    Applied,
    Cases,
    Combined,
    Definition,
    Expectation,
    Follows,
    Monotone,
    Otherwise,
    Union,
    applied,
    follows,
    instance,
    uses,
)
from theory.kernel.rules.compose import conclusion
from theory.kernel.terms import Event, Mean
from theory.model import deviations
from theory.model import round_errors as errors
from theory.model.arms import LETTERS, Wo, n, s, s0, tau_sq, w, weight
from theory.model.conditional_laws import m, rbar_0, rbar_k
from theory.model.error_law import (
    AT_PAIR,
    PAIR,
    PAIR_DENSITY,
    RATIO,
    REUCB,
    TWO,
    given_error,
    log_pair,
    n_i,
    rbar_i,
    xi,
    z,
)
from theory.model.normal import Density, Excess, Tail
from theory.model.play import (
    ANOTHER,
    COUNT,
    LATER,
    PULLED,
    PULLED_IS_AN_ARM,
    WORDS,
    K,
    another,
    i,
    k,
    o,
    t,
    tau,
    width,
)
from theory.model.play import m as m_
from theory.model.round_errors import CHOSEN, X, d, e
from theory.ours.classical.normal import ABOVE, BELOW, CENTRED, ROOT, NormalDensity, b, equal, h, u
from theory.ours.classical.normal import v as NORMAL_V
from theory.ours.normal_errors import Side, in_play
from theory.ours.other_arms import at_equal_arms
from theory.ours.posteriors import integrated

LAW = "ours/conditioning/law"
DENSITY = "ours/conditioning/pair/density"
MEAN = "ours/conditioning/pair/mean"
x, y, eta = sp.symbols("x y eta")
SIZES: dict[sp.Symbol, Var] = {
    **{n: at_least(1), n_i: at_least(1), Wo: at_least(0), s: positive(), s0: positive()},
    **dict.fromkeys((rbar_k, rbar_i, rbar_0, z, xi, b), real()),
}
GIVEN = (LATER, TWO)
REST = s0 * (1 - weight(n_i)) * (1 + (1 - weight(n_i)) / (1 + Wo))  # variance of the rest


def three_squares() -> Applied:
    """The density of two errors, mu_0 integrated out, is a multiple of exp(-xi^2/(2 tau_k^2)) exp(-z^2/(2 q))."""
    w_i = weight(n_i)
    size = 2 - w_i + Wo
    estimates = [(1 - weight(c)) * rbar_0 + weight(c) * mean for c, mean in ((n, rbar_k), (n_i, rbar_i))]
    others = (w + Wo) * rbar_0 - w * rbar_k - w_i * rbar_i
    middle = (estimates[0] - xi + estimates[1] - z - RATIO * xi + others) / size
    own = -(xi**2) / (2 * tau_sq) - z**2 / (2 * REST)
    other = -((b - middle) ** 2) / (2 * s0 / size)
    square = Goal(Rel(log_pair().xreplace({m: b}), "=", own + other), SIZES, name="three squares")
    line = {a: r for a, r in SIZES.items() if a != b}
    return integrated(square, own, other, (middle, s0 / size), line)


def density() -> tuple[Item, sp.Expr]:
    """The density of the rest of the error of arm i, given the error of arm k: exp(-z^2/(2 q)) times a factor."""
    line = {**PAIR, z: real()}
    squares = instance(three_squares(), AT_PAIR, line, GIVEN, name="squares")
    form, variance = squares.concludes.rel.stated[1], REST.xreplace(AT_PAIR)
    (power,) = (e for e in form.atoms(sp.exp) if e.has(z))
    split = Goal(
        Rel(x * sp.exp(y + h), "=", x * sp.exp(y) * sp.exp(h)), dict.fromkeys((x, y, h), real()), name="powers"
    )
    at = {x: form.xreplace({power: sp.S.One}), y: power.exp.xreplace({z: sp.S.Zero}), h: -(z**2) / (2 * variance)}
    product = instance(split, at, line, GIVEN, name="two factors")
    factor = at[x] * sp.exp(at[y])
    return equal(PAIR_DENSITY, squares, product, domain=line, given=GIVEN, name="density of the rest"), factor


@cache
def rest() -> NormalDensity:
    """The rest of the error of arm i, given the error of arm k: N(0, q)."""
    shape = uses(DENSITY, domain={**PAIR, z: real()})
    left, right = shape.concludes.rel.stated
    variance = REST.xreplace(AT_PAIR)
    return NormalDensity(left, sp.S.Zero, variance, right / sp.exp(-(z**2) / (2 * variance)), shape, PAIR, GIVEN)


R = RATIO.xreplace(AT_PAIR)  # X_i = r X_k and the rest


def linear_regression() -> Applied:
    """E[X_i 1{X_k > c_k}] = r E[X_k 1{X_k > c_k}]: given X_k the rest has mean 0."""
    out = Event(xi - width * tau(k, t, d), 1)
    tower, bayes = given_error(out * z, u, "the rest, where X_k is large", {})
    known = Combined((rest().plain(CENTRED),), (out,), PAIR, GIVEN, "where X_k is large")
    inner = rest().quotient(rest().area_of(out * z, known, "where X_k is large", True), bayes, "mean of the rest")
    own = X(k, t, d, e)
    nothing = Expectation(instance(inner, {xi: own}, PAIR, GIVEN, name="given X_k"), (e,))
    event = errors.out(k)
    means = Mean(X(i, t, d, e) * event, e), Mean(own * event, e), conclusion(nothing).rel.stated[0]
    facts = Rel(x - h * y, "=", u), Rel(u, "=", 0)
    lemma = Goal(Rel(x, "=", h * y), dict.fromkeys((x, y, u, h), real()), facts, "no rest")
    at = {**dict(zip((x, y, u), means, strict=True)), h: R}
    return applied(lemma, at, tower, nothing, domain=PAIR, given=GIVEN, name="another arm given the error of arm k")


HIGH = width * tau(i, t, d)  # X_i + HIGH is U_i - mu_i
LOW = -width * tau(k, t, d)  # X_k is below it where U_k < mu_k


def regression(v: sp.Expr, at: sp.Expr) -> sp.Expr:
    """E(Y - x)^+ for Y normal with mean 0 and variance v."""
    root = sp.sqrt(v)
    return root * Density(at / root) - at * Tail(at / root)


def falls() -> Item:
    """E(Y - x)^+ falls in x, with slope -P(Y > x)."""
    order = Goal(Rel(x, "<=", y), {x: real(), y: real()}, (Rel(x, "<=", y),), "in order")
    return Monotone(order, -regression(h, z), z, {z: real(), h: positive()}, name="falls")


def given_other(event: sp.Expr, name: str) -> tuple[Definition, Applied]:
    """The mean of (X_i + s tau_i)^+ times an event of X_k, given X_k = xi."""
    from_, law = -R * xi - HIGH, rest()
    f = event * Event(z - h, 0) * (z - h)
    tower, bayes = given_error(f, u, name, {h: from_})
    parts = tuple(law.plain(ABOVE[power, False]) for power in (1, 0))
    both = Combined(parts, (event, -event * h), {**PAIR, h: real()}, GIVEN, "a positive part")
    area = instance(law.area_of(f, both, name, True), {h: from_}, PAIR, GIVEN, name="a positive part")
    inner = law.quotient(area, bayes, name)
    value, chance = (moment.value.xreplace({NORMAL_V: y}) for moment in (ABOVE[1, False], ABOVE[0, False]))
    free = {y: positive(), b: real(), h: real()}
    tidy = Goal(
        Rel((b * value - b * h * chance) / (ROOT * sp.sqrt(y)), "=", b * regression(y, h)), free, name="divided"
    )
    same = instance(tidy, {y: law.variance, b: event, h: from_}, PAIR, GIVEN, name="divided")
    return tower, equal(inner, same, domain=PAIR, given=GIVEN, name=name)


AT = {xi: Letter(xi, "value of the error X_k")}
WHERE = {sp.S.One: "high", Event(LOW - xi, 1): "high, if X_k is low"}
P = Tail(width)
UNIT = Var(sp.Integer(0), high=sp.Integer(1))


def rises(means: Item) -> Applied:
    """The mean of (X_i + s tau_i)^+ given X_k rises in X_k, as r >= 0: from xi to eta."""
    r, g, p, q = sp.symbols("r g p q")
    pair, given = {**PAIR, eta: real()}, (*GIVEN, Rel(xi, "<=", eta))
    numbers = {**dict.fromkeys((x, y, g), real()), r: at_least(0)}
    lines = Goal(Rel(-r * y - g, "<=", -r * x - g), numbers, (Rel(x, "<=", y),), "in order")
    order = applied(lines, {r: R, g: HIGH, x: xi, y: eta}, domain=pair, given=given, name="in order")
    ends = {x: order.concludes.rel.stated[0], y: order.concludes.rel.stated[1], h: rest().variance}
    curve = applied(falls(), ends, order, domain=pair, given=given, name="along the regression")
    at_ends = [instance(means, {xi: end}, pair, GIVEN, name="given X_k") for end in (xi, eta)]
    (p_, p_value), (q_, q_value) = (item.concludes.rel.stated for item in at_ends)
    facts = Rel(p, "=", x), Rel(q, "=", y), Rel(-y, "<=", -x)
    lemma = Goal(Rel(p, "<=", q), dict.fromkeys((p, q, x, y), real()), facts, "in other words")
    at = {p: p_, q: q_, x: p_value, y: q_value}
    return applied(lemma, at, *at_ends, curve, domain=pair, given=given, name="rises")


def opposed(means: Item) -> Cases:
    """(M(X_k) - M(c)) (1{X_k < c} - P) <= 0, M the mean of (X_i + s tau_i)^+ given X_k: M rises, the event falls."""
    p, q, f, g = sp.symbols("p q f g")
    below = Rel(LOW - xi, ">", 0)
    event, inner = Event(LOW - xi, 1), conclusion(means).rel.stated[0]
    edge = inner.xreplace({xi: LOW})
    numbers = {**dict.fromkeys((p, q, f), real()), g: UNIT}
    product = Rel((p - q) * (f - g), "<=", 0)
    values = {p: inner, q: edge, f: event, g: P}
    found = []
    for happens, case in ((True, below), (False, below.negation)):
        given = (*GIVEN, case)
        side = Goal(Rel(xi, "<" if happens else ">=", LOW), PAIR, given, "this case")
        now = Union(side, (), "the opposite does not happen")
        other = Otherwise(xi - LOW, PAIR, "or the opposite", GIVEN)
        size = Rel(event, ">=", 1) if happens else Rel(event, "<=", 0)
        sure = follows(size, now, other, domain=PAIR, given=given, name="whether X_k is low")
        ends = {xi: xi, eta: LOW} if happens else {xi: LOW, eta: xi}
        order = applied(rises(means), ends, domain=PAIR, given=given, name="M rises")
        facts = (Rel(p, "<=", q), Rel(f, ">=", 1)) if happens else (Rel(q, "<=", p), Rel(f, "<=", 0))
        lemma = Goal(product, {**numbers, f: UNIT}, facts, "opposite signs")
        found.append(applied(lemma, values, order, sure, domain=PAIR, given=given, name="opposite signs"))
    return Cases(below, found[0], found[1], "opposite signs")


TIMES = Goal(Rel(x * u, "=", y * u), dict.fromkeys((x, y, u), real()), (Rel(x, "=", y),), "times a number")


def high_and_low() -> Applied:
    """E[(X_i + s tau_i)^+ 1{X_k < -s tau_k}] <= Q(s) E(X_i + s tau_i)^+."""
    event, own = Event(LOW - xi, 1), X(k, t, d, e)
    plain, both = (given_other(f, name)[0] for f, name in WHERE.items())
    alone, joint = (uses(MEAN, item=name, domain=PAIR) for name in WHERE.values())
    here = {xi: own}
    M = conclusion(alone).rel.stated[0].xreplace(here)
    p, q, r, f, g, a, b_, c_ = sp.symbols("p q r f g a b c")
    lemma = Goal(
        Rel(q, "=", f * p), dict.fromkeys((p, q, f, r), real()), (Rel(p, "=", r), Rel(q, "=", f * r)), "product"
    )
    at = {p: conclusion(alone).rel.stated[0], q: conclusion(joint).rel.stated[0], f: event}
    at |= {r: conclusion(alone).rel.stated[1]}
    product = applied(lemma, at, alone, joint, domain=PAIR, given=GIVEN, name="M times the event")
    means = [
        Expectation(instance(item, here, PAIR, GIVEN, name="given X_k"), (e,)) for item in (product, opposed(alone))
    ]
    chance = Side(REUCB, LAW, BELOW, width).law(0)
    edge = conclusion(alone).rel.stated[0].xreplace({xi: LOW})
    low = event.xreplace(here)
    towers = [item.concludes.rel.stated for item in (both, plain)]
    same = equal(both, means[0], domain=PAIR, given=GIVEN, name="the event inside")
    products = [
        applied(TIMES, {x: left, y: right, u: factor}, item, domain=PAIR, given=GIVEN, name="times a number")
        for item, (left, right), factor in ((chance, conclusion(chance).rel.stated, edge), (plain, towers[1], P))
    ]
    facts = Rel(a, "=", r), Rel(r - g * q - f * c_ + f * g, "<=", 0), Rel(c_ * f, "=", g * f), Rel(b_ * g, "=", q * g)
    free = dict.fromkeys((a, b_, q, r, f, g, c_), real())
    total = Goal(Rel(a, "<=", g * b_), free, facts, "no more than if independent")
    at = {a: towers[0][0], b_: towers[1][0], q: Mean(M, e), r: Mean(low * M, e), f: edge, g: P, c_: Mean(low, e)}
    parts = same, means[1], *products
    return applied(total, at, *parts, domain=PAIR, given=GIVEN, name="high and low")


def bounded() -> Applied:
    """E[(X_i + s tau_i)^+ 1{X_k < -s tau_k}] <= (s + Psi(s)) Q(s) tau_i."""
    joint, own = high_and_low(), tau(i, t, d)
    agent = REUCB.among(PAIR)
    mean = Side(agent, LAW, ABOVE, -width, i, strict=False).excess(-width)
    value, size = mean.concludes.rel.stated[1], width + Excess(width)
    here = instance(mean, {}, PAIR, GIVEN, name="the error of arm i")
    other = Goal(Rel(value, "=", own * size), PAIR, GIVEN, "s + Psi(s)")
    total = equal(here, other, domain=PAIR, given=GIVEN, name="the error of arm i")
    left, right = total.concludes.rel.stated
    scaled = applied(TIMES, {x: left, y: right, u: P}, total, domain=PAIR, given=GIVEN, name="times Q")
    a, q = sp.symbols("a q")
    facts = Rel(a, "<=", x), Rel(x, "=", y)
    lemma = Goal(Rel(a, "<=", q), dict.fromkeys((a, x, y, q), real()), (*facts, Rel(y, "=", q)), "in a row")
    at = {a: joint.concludes.rel.stated[0], x: left * P, y: right * P, q: size * P * own}
    same = Goal(Rel(at[y], "=", at[q]), PAIR, GIVEN, "the same number")
    parts = joint, scaled, same
    return applied(lemma, at, *parts, domain=PAIR, given=GIVEN, name="one arm is high, another low")


def pulled_or_not() -> Applied:
    """E[X_I 1{X_k > c_k}] = r E[X_k 1{X_k > c_k}] for the pulled arm I, where r = 1 if it is arm k."""
    event, domain = errors.out(k), errors.ARM
    own, pulled = X(k, t, d, e), X(CHOSEN, t, d, e)
    apart, given = Rel((CHOSEN - k) ** 2, ">", 0), (LATER, Rel(k, "<=", K))
    p, q, r, f = sp.symbols("p q r f")
    means = Mean(pulled * event, e), Mean(own * event, e)
    ratio = R.xreplace({i: CHOSEN})
    free, rel = dict.fromkeys((p, q, r, f), real()), Rel((1 - f) * (p - r * q), "=", 0)
    lemma = Goal(rel, free, (Rel(p, "=", r * q),), "another arm")
    at = {p: means[0], q: means[1], r: ratio, f: errors.same}
    law = instance(linear_regression(), {i: CHOSEN}, domain, (*given, apart), name="another arm")
    where = applied(lemma, at, law, domain=domain, given=(*given, apart), name="another arm")
    near = apart.negation
    side = Goal(Rel(-((CHOSEN - k) ** 2), ">=", 0), domain, (*given, near), "the same arm")
    now = Union(side, (), "not another arm")
    sure = follows(
        Rel(errors.same, "=", 1),
        now,
        Otherwise(-((CHOSEN - k) ** 2), domain),
        domain=domain,
        given=(*given, near),
        name="the same arm",
    )
    alone = Goal(rel, free, (Rel(f, "=", 1),), "the same arm")
    elsewhere = applied(alone, at, sure, domain=domain, given=(*given, near), name="the same arm")
    either = Cases(apart, where, elsewhere, "another arm or not")
    chosen = instance(PULLED_IS_AN_ARM, {o: d}, domain, name="the pulled arm is one of K")
    met = at_equal_arms(X(m_, t, d, e) * event, CHOSEN, k, (), domain, m_)
    equal_ = follows(met.rel, chosen, met, domain=domain, given=given, name="at the same arm")
    facts = rel, Rel(f * p, "=", f * q)
    whole = Goal(Rel(p, "=", (f + (1 - f) * r) * q), free, facts, "either arm")
    parts, name = (either, Expectation(equal_, (e,))), "the pulled arm given the error of arm k"
    return applied(whole, at, *parts, domain=domain, given=given, name=name)


@claim(DENSITY, by="us", kind="statement", cites=("ours/conditioning/law",))
def of_the_rest() -> Argument:
    """Prior times likelihood of the means of both arms and of mu_0 is exp of three squares; mu_0 is integrated out."""
    shape, _ = density()
    left = conclusion(shape).rel.stated[0]
    meaning = "density, up to a number, of the error X_k at xi and of the rest X_i - r X_k at z"
    return proof(shape, letters={**errors.GIVEN, **AT, Wo: LETTERS[Wo], left: Letter(left, meaning)})


@claim(
    "ours/conditioning/pair",
    by="us",
    kind="statement",
    cites=("ours/conditioning/law", "ours/classical/normal/beyond"),
)
def pair() -> Argument:
    """By the density of two errors given the reward differences, X_i = r X_k and an independent normal rest, where r =
    Cov(X_i, X_k)/tau_k^2 >= 0."""
    return proof(linear_regression(), pulled_or_not(), letters=errors.GIVEN)


@claim(MEAN, by="us", kind="statement", cites=("ours/conditioning/pair",))
def given_the_other() -> Argument:
    """Given X_k the error X_i is r X_k and a normal rest: the mean of (X_i + s tau_i)^+ is that of a normal variable
    beyond a number."""
    means = [given_other(f, name)[1] for f, name in WHERE.items()]
    texts = "mean of (X_i + s tau_i)^+ given X_k = xi", "the same times the indicator of xi < -s tau_k"
    named = (conclusion(mean).rel.stated[0] for mean in means)
    letters = {left: Letter(left, text) for left, text in zip(named, texts, strict=True)}
    return proof(*means, letters={**errors.GIVEN, **AT, **letters})


@claim(
    "ours/conditioning/pair/high-and-low",
    by="us",
    kind="inequality",
    cites=("ours/conditioning/pair",),
)
def one_high_one_low() -> Argument:
    """X_i is r X_k and an independent normal rest, r >= 0. So (X_i + s tau_i)^+ has a mean that rises with X_k, and its
    covariance with the event that X_k is low is at most 0."""
    return proof(bounded(), letters=errors.GIVEN)


def distinct() -> Cases:
    """Another arm than m is not m."""
    one = Event(i - m_, 0)
    domain = {**REUCB.domain, i: COUNT, m_: COUNT}
    after = Rel(i, ">=", m_)
    known = instance(ANOTHER, {o: d, k: m_}, domain, name="another arm")
    found = []
    for case in (after, after.negation):
        side = Goal(Rel(i - m_, case.op, 0), domain, (case,), "this case")
        now = Union(side, (), "not the opposite")
        value = Rel(one, "=", 1 if case is after else 0)
        size = follows(value, now, Otherwise(i - m_, domain), domain=domain, given=(case,), name="before m or not")
        gap, op = another(i, m_, d) - m_, ">" if case is after else "<"
        signed = follows(Rel(gap, op, 0), known, size, domain=domain, given=(case,), name="before m or after it")
        square = Goal(Rel(x**2, ">", 0), {x: real()}, (Rel(x, op, 0),), "not the same")
        found.append(applied(square, {x: gap}, signed, domain=domain, given=(case,), name="not the same"))
    return Cases(after, found[0], found[1], "another arm")


def together() -> Follows:
    """Over all outcomes, for the pulled arm and another one."""
    agent = REUCB.among({**deviations.ROUNDS, i: COUNT})
    low = deviations.low(deviations.OTHER)
    number = deviations.REST.concludes.rel.stated[1]
    at = {x: deviations.rest, y: number, u: low}
    pointwise = applied(TIMES, at, deviations.REST, domain=agent.domain, given=agent.given, name="a positive part")
    whole = Expectation(pointwise, (o,))
    pulled, other = PULLED.xreplace({o: d}), deviations.OTHER.xreplace({o: d})
    apart = instance(distinct(), {m_: pulled}, agent.domain, name="another arm")
    pair_ = uses("ours/conditioning/pair/high-and-low")
    law = applied(pair_, {i: pulled, k: other}, apart, domain=agent.domain, given=agent.given, name="two arms")
    value = (width + Excess(width)) * P * deviations.OWN
    mean = in_play(agent, number * low, value, law, name="high and low", op="<=")
    rel = Rel(Mean(deviations.rest * low, o), "<=", (width + Excess(width)) * P * Mean(deviations.OWN, o))
    return follows(rel, whole, mean, domain=agent.domain, given=mean.given, name=deviations.TOGETHER)


@claim("ours/conditioning/opposite", by="us", kind="inequality")
def opposite() -> Argument:
    """The pulled arm is high while another one is low: at most as often as if their errors were independent."""
    return proof(together(), letters=WORDS)
