"""The noise of the rival in the counting bound: E_k, the largest w times average noise, is below E with P(E >= x) =
exp(-2 x^2), given arm k, all means and a Brownian motion.

S_m is the sum of the first m noises. E_k >= x says that S_m >= x (m + rho) for some m; then the martingale exp(2 x
S_m/rho - 2 m x^2/rho - 2 x^2), which has the mean exp(-2 x^2), is at least 1. Ville's inequality bounds this. x is the
luck that is needed, which arm k, Y_k and the Brownian motion decide.
"""

import sympy as sp

from theory.kernel.analysis import exp_tangent
from theory.kernel.argument import Argument, proof
from theory.kernel.claim import claim
from theory.kernel.goal import Goal, Rel, at_least, positive, real
from theory.kernel.rules import (
    Applied,
    Cases,
    Expectation,
    Follows,
    Otherwise,
    SumOver,
    Union,
    applied,
    congruent,
    follows,
    instance,
    specialised,
    uses,
)
from theory.kernel.terms import Event, Mean
from theory.model import rival_walk as model
from theory.model.good_pulls import rho
from theory.model.play import N, k
from theory.model.rival_walk import WALK, WORDS, E, h, hurdle, luck, lucky, m, noise, worth
from theory.model.round_errors import d, e
from theory.ours.classical import processes as ville

b, f, p, q, r, u, x, y = sp.symbols("b f p q r u x y")
ONE, ZERO = sp.Integer(1), sp.S.Zero
SCALE = 2 * hurdle / rho
GATE = Event(hurdle, 1)
AHEAD = Rel(hurdle, ">", 0)
MET = Event(luck - hurdle, 0)


def exponent(count: sp.Expr) -> sp.Expr:
    """The logarithm of the martingale."""
    return SCALE * noise(k, count, d, e) - 2 * count * hurdle**2 / rho - 2 * hurdle**2


PAST = sp.Product(Event(1 - sp.exp(exponent(h)), 1), (h, 0, m))


def martingale() -> Follows:
    """E[B past e^{X_{m+1}}] = E[B past e^{X_m}]."""
    number = -2 * (m + 1) * hurdle**2 / rho - 2 * hurdle**2
    law = model.next_noise(GATE, PAST, SCALE, number)
    means = [Mean(worth * GATE * PAST * sp.exp(exponent(count)), d, e) for count in (m + 1, m)]
    return follows(Rel(means[0], "=", means[1]), law, domain=WALK, name="one reward more")


def reached() -> Cases:
    """1{x > 0} 1{E_k >= x} <= 1{x > 0} 1{e^{X_J} >= 1}, J the count at which E_k is attained."""
    high, given = Rel(luck - hurdle, ">=", 0), (AHEAD,)
    value = exponent(lucky)
    sign = Goal(
        Rel(2 * x / rho * q - 2 * u * x**2 / rho - 2 * x**2, ">=", 0),
        {x: positive(), rho: positive(), u: at_least(0), q: real(), y: real(), p: real()},
        (Rel(y * (u + rho), "=", q), Rel(y - x, ">=", 0)),
        "the exponent is not negative",
    )
    at = {x: hurdle, q: noise(k, lucky, d, e), u: lucky, y: luck}
    positive_ = applied(sign, at, model.LUCKY, domain=WALK, given=(AHEAD, high), name="the exponent")
    tangent = instance(exp_tangent(x), {x: value}, WALK, name="tangent of exp")
    over = sp.exp(value) - 1
    grown = Goal(Rel(0, "<=", y - 1), {x: real(), y: real()}, (Rel(x, ">=", 0), Rel(y - 1 - x, ">=", 0)), "at least 1")
    at = {x: value, y: sp.exp(value)}
    large = applied(grown, at, positive_, tangent, domain=WALK, given=(AHEAD, high), name="at least 1")
    union = Union(large, (high,), "if it is below 1")
    both = [Otherwise(number, WALK, "either way") for number in (over, high.left)]
    order = follows(
        Rel(MET, "<=", Event(over, 0)), union, *both, domain=WALK, given=given, name="the martingale is at least 1"
    )
    product = Goal(Rel(p * x, "<=", p * y), {p: at_least(0), x: real(), y: real()}, (Rel(x, "<=", y),), "times")
    none = Goal(Rel(p * x, "<=", p * y), dict.fromkeys((p, x, y), real()), (Rel(p, "=", 0),), "nothing")
    at = {p: GATE, x: MET, y: Event(over, 0)}
    there = applied(product, at, order, domain=WALK, given=given, name="if x > 0")
    otherwise = applied(none, at, no_gate(), domain=WALK, given=(AHEAD.negation,), name="if x <= 0")
    return Cases(AHEAD, there, otherwise, "if x > 0")


def no_gate() -> Follows:
    """1{x > 0} = 0 for x <= 0."""
    here = (AHEAD.negation,)
    low = Goal(Rel(0, ">=", hurdle), WALK, here, "x <= 0")
    never = Union(low, (), "it is not positive")
    return follows(Rel(GATE, "=", 0), never, domain=WALK, given=here, name="x <= 0")


def one_gate() -> Follows:
    """1{x > 0} = 1 for x > 0."""
    here = (AHEAD,)
    high = Goal(Rel(0, "<", hurdle), WALK, here, "x > 0")
    never = Union(high, (), "it is not below 0")
    rel = Rel(GATE, "=", 1)
    return follows(rel, never, Otherwise(-hurdle, WALK, "either way"), domain=WALK, given=here, name="x > 0")


def ever() -> Applied:
    """E[B 1{x > 0} 1{E_k >= x}] <= E[B 1{x > 0} e^{-2 x^2}]."""
    free = {**WALK, ville.n: ville.ROUND, ville.c: positive()}
    process = {ville.M(ville.t, ville.o): sp.exp(exponent(ville.t)), ville.TIME: lucky}
    lemma = specialised(
        uses("ours/classical/ville/every-outcome"), process, free, (Rel(lucky, "<=", ville.n),), "this martingale"
    )
    once = applied(lemma, {ville.n: N, ville.c: ONE}, model.LUCKY_WITHIN, domain=WALK, name="every outcome")
    gated = reached()
    product = Goal(
        Rel(p * r, "<=", p * q * y),
        {p: at_least(0), q: at_least(0), x: real(), y: real(), r: real()},
        (Rel(r, "<=", q * x), Rel(x, "<=", y)),
        "weighted",
    )
    left, right = once.concludes.rel.stated
    at = {p: worth, q: GATE, r: GATE * MET, x: left, y: right}
    weighted = Expectation(applied(product, at, gated, once, domain=WALK, name="weighted"), (d, e))
    gains = SumOver(martingale(), m, ZERO, N - 1, WALK, name="all rewards")
    begins = congruent(
        worth * GATE * sp.exp(SCALE * x - 2 * hurdle**2), x, model.NO_NOISE, WALK, name="before the first reward"
    )
    start = Expectation(begins, (d, e))
    total = Goal(
        Rel(p, "<=", q),
        dict.fromkeys((p, q, b, x, y), real()),
        (Rel(p, "<=", b + x - y), Rel(x, "=", y), Rel(b, "=", q)),
        "in turn",
    )
    at = {p: Mean(worth * GATE * MET, d, e), q: Mean(worth * GATE * sp.exp(-2 * hurdle**2), d, e)}
    at |= {b: start.concludes.rel.stated[0], **dict(zip((x, y), gains.concludes.rel.stated, strict=True))}
    return applied(total, at, weighted, gains, start, domain=WALK, name="a needed luck that is positive")


LAW = Mean(Event(E - hurdle, 0), E)


def law_of_luck() -> Cases:
    """P(E >= x) = 1{x > 0} e^{-2 x^2} + 1 - 1{x > 0}."""
    lemma = Goal(
        Rel(x, "=", p * y + 1 - p), dict.fromkeys((p, x, y), real()), (Rel(p, "=", 1), Rel(x, "=", y)), "x > 0"
    )
    other = Goal(
        Rel(x, "=", p * y + 1 - p), dict.fromkeys((p, x, y), real()), (Rel(p, "=", 0), Rel(x, "=", 1)), "x <= 0"
    )
    at = {p: GATE, x: LAW, y: sp.exp(-2 * hurdle**2)}
    above = instance(model.EXPONENTIAL, {model.x: hurdle}, WALK, (AHEAD,), name="the tail of E")
    below = instance(model.POSITIVE, {model.x: hurdle}, WALK, (AHEAD.negation,), name="E is positive")
    first = applied(lemma, at, one_gate(), above, domain=WALK, given=(AHEAD,), name="the tail of E")
    second = applied(other, at, no_gate(), below, domain=WALK, given=(AHEAD.negation,), name="the tail of E")
    return Cases(AHEAD, first, second, "the tail of E")


def below_luck() -> Applied:
    """E[B 1{E_k >= x}] <= E[B 1{E >= x}], given a Brownian motion."""
    split = Goal(
        Rel(p * y, "<=", p * q * y + p - p * q),
        {p: at_least(0), q: model.UNIT, y: model.UNIT},
        name="positive or not",
    )
    each = Expectation(instance(split, {p: worth, q: GATE, y: MET}, WALK, name="positive or not"), (d, e))
    times = Goal(Rel(p * x, "=", p * y), dict.fromkeys((p, x, y), real()), (Rel(x, "=", y),), "times")
    tail = law_of_luck()
    sides = dict(zip((x, y), tail.concludes.rel.stated, strict=True))
    law = Expectation(applied(times, {p: worth, **sides}, tail, domain=WALK, name="weighted"), (d, e))
    total = Goal(
        Rel(p, "<=", q),
        dict.fromkeys((p, q, b, f, x, y), real()),
        (Rel(p, "<=", x + b - f), Rel(x, "<=", y), Rel(q, "=", y + b - f)),
        "in turn",
    )
    luck_ = ever()
    at = {p: Mean(worth * MET, d, e), q: Mean(worth * Event(E - hurdle, 0), d, e, E)}
    at |= {
        b: Mean(worth, d, e),
        f: Mean(worth * GATE, d, e),
        **dict(zip((x, y), luck_.concludes.rel.stated, strict=True)),
    }
    return applied(total, at, each, luck_, law, domain=WALK, name="luck of the rival")


@claim("ours/counting/rival/noise", by="us", kind="inequality")
def rival_noise() -> Argument:
    """exp(2 x S_m/rho - 2 m x^2/rho - 2 x^2) is a martingale in the number m of rewards, given arm k and all means. If
    E_k >= x > 0 it is at least 1 at some m, which has at most the chance exp(-2 x^2) by Ville's inequality."""
    return proof(below_luck(), letters=WORDS)
