"""Rewards in [0, 1] (`reucb.bounds.bounded`): lines that the weighted means of several arms do not cross, whatever the
sampling (claim ours/bounded/line), by optimal stopping values of single arms.

An arm with sum S_j of its first j rewards has Z_j = e (S_j - c j)/(j + rho) = w(j) e (rbar_j - c), e = 1 or -1. Its
envelope is V_j = max(exp(lambda Z_j), E[V_{j+1} | S_j]); G = E V_1. Definitions: `theory.model.bounded_lines`.
"""

import sympy as sp

from theory.kernel.argument import Argument, proof
from theory.kernel.claim import claim
from theory.kernel.goal import Goal, Letter, Rel, Var, at_least, positive, real
from theory.kernel.rules import (
    Applied,
    Dominated,
    Expectation,
    Follows,
    IntegralOf,
    MeanOfIntegral,
    Monotone,
    Restricted,
    SumOver,
    Union,
    applied,
    follows,
    instance,
    uses,
)
from theory.kernel.rules.compose import Domain, conclusion
from theory.kernel.terms import Event, Mean
from theory.model import late_noise as late
from theory.model.bounded_lines import ABOVE, BELOW, ROUND, Line, fresh, lam, weight
from theory.model.bounded_play import WORDS as PLAY_WORDS
from theory.model.bounded_play import n, o
from theory.model.late_noise import LATE, J, Y, r, x
from theory.model.reward_sums import N, mu
from theory.ours.bad_rounds import times
from theory.ours.classical.bounded_sums import BernoulliMoments
from theory.ours.classical.processes import Supermartingale, g, nonnegative

d, m, p, q, t, u, v, w = sp.symbols("d m p q t u v w")
h, lam_ = late.log_moment, sp.Symbol("lambda")
SHARE = Var(sp.Integer(0), high=sp.Integer(1))
READ = {**late.WORDS, lam: ABOVE.words[lam]}


@claim("ours/bounded/line", by="us", kind="inequality")
def line() -> Argument:
    """Which arm is pulled depends on the past, on the arm outside the line and on random numbers for ties, so
    that the next reward of an arm has its law given its own past. Hence the product of the envelopes, which bounds
    exp(lambda times the sum of Z), is a supermartingale given the arm outside, and Ville's inequality bounds its
    largest value."""
    kinds = ((ABOVE, "line above"), (BELOW, "line below"))
    items = [crossing(kind, weight(kind.outside, o), name) for kind, name in kinds]
    return proof(*items, letters={**PLAY_WORDS, **ABOVE.words, **BELOW.words})


def crossing(line: Line, own: sp.Expr, name: str) -> Applied:
    """E[own 1{X > x}] <= E[own] exp(log of the first envelopes - lambda x), for what the arm outside decides."""
    free = {**line.domain, **{y: real() for y in own.free_symbols if y not in line.domain}}
    given = line.given
    mass = Mean(own, o) * sp.exp(line.logs(lam))
    known = Rel(p, "=", q * u), Rel(u, "=", v)
    worth = Goal(Rel(p, "=", q * v), dict.fromkeys((p, q, u, v), real()), known, "a product of means")
    apart = conclusion(line.apart(own)).rel.stated
    at = {p: apart[0], q: Mean(own, o), u: conclusion(line.first).rel.stated[0], v: sp.exp(line.logs(lam))}
    begins = applied(worth, at, line.apart(own), line.first, domain=free, given=given, name="mean at the start")
    process = Supermartingale(line.product(m), m, begins, lambda past: one_pull(line, own, past, free), mass, own)
    tail = process.exceeds(lam * x, line.crest, line.within_play, n, free, given)
    small = Rel(line.product(line.crest), "<=", lam * x)
    logs = SumOver(line.envelope, *line.arms, free, name="logarithms")
    total = conclusion(logs).rel.stated[1]
    divide = Goal(Rel(p, "<=", q / v), {p: real(), q: real(), v: positive()}, (Rel(v * p, "<=", q),), "divided")
    scaled = follows(Rel(lam * total, "<=", lam * x), line.together, domain=free, given=(small,), name="times lambda")
    divided = applied(divide, {p: total, q: lam * x, v: lam}, scaled, domain=free, given=(small,), name="envelopes")
    parts = line.largest, logs, divided
    below = follows(Rel(line.beyond, "<=", x), *parts, domain=free, given=(small,), name="below the line")
    crosses = Union(below, (small,), "crossing the line")
    product = Goal(Rel(v * p, "<=", v * q), {p: real(), q: real(), v: at_least(0)}, (Rel(p, "<=", q),), "times own")
    sides = dict(zip((p, q), conclusion(crosses).rel.stated, strict=True))
    weighted = applied(product, {**sides, v: own}, crosses, domain=free, name="crossing the line, weighted")
    chances = Expectation(weighted, (o,))
    order = Rel(p, "<=", q), Rel(q, "<=", u * sp.exp(v) * sp.exp(-w))
    numbers = dict.fromkeys((p, q, u, v, w), real())
    lemma = Goal(Rel(p, "<=", u * sp.exp(v - w)), numbers, order, "in turn")
    ends = dict(zip((p, q), conclusion(chances).rel.stated, strict=True))
    at = {**ends, u: Mean(own, o), v: line.logs(lam), w: lam * x}
    return applied(lemma, at, chances, tail, domain=free, given=given, name=name)


def one_pull(line: Line, own: sp.Expr, past: sp.Expr, free: Domain) -> Follows:
    """E[own past V_{g+1}] <= E[own past V_g]: the past chose the arm, whose envelope does not grow in the mean."""
    domain = {**free, g: ROUND, fresh: real()}
    value, mean = sp.exp(line.product(g)), Mean(line.factor(g), fresh)
    numbers = {**dict.fromkeys((p, q, v), at_least(0)), u: real()}
    lemma = Goal(Rel(v * p * q * u, "<=", v * p * q), numbers, (Rel(u, "<=", 1),), "times what is not negative")
    parts = nonnegative(past, {a: r for a, r in domain.items() if a != g}), line.one_more(g)
    falls = applied(lemma, {v: own, p: past, q: value, u: mean}, *parts, domain=domain, name="given the past")
    rel = Rel(Mean(own * past * sp.exp(line.product(g + 1)), o), "<=", Mean(own * past * value, o))
    both = line.next_reward(own, past, g), Expectation(falls, (o,))
    return follows(rel, *both, domain=domain, name="one pull")


@claim("ours/bounded/envelope/posterior-mean", by="us", kind="identity")
def posterior_mean() -> Argument:
    """The posterior mean p after j - 1 rewards is the mean of that after j: p_1 if the next reward is a success, which
    has probability p, and else p_0. Solved for p, it gives the recursion from later to earlier means."""
    before, rest, failure = sp.symbols("p e p_0")
    free = {before: SHARE, rest: Var(sp.Integer(0), strict=True, high=sp.Integer(1)), failure: SHARE}
    mean = Rel(before, "=", before * (1 - rest) + (1 - before) * failure)
    names = {
        before: Letter(before, "E[mu | S] after j - 1 rewards with sum S"),
        rest: Letter(1 - sp.Symbol("p_1"), "p_1 is E[mu | S + 1] after j rewards"),
        failure: Letter(failure, "E[mu | S] after j rewards"),
    }
    goal = Goal(Rel(before, "=", failure / (rest + failure)), free, (mean,), "one reward less")
    return proof(goal, letters=names)


@claim("ours/bounded/envelope/later", by="us", kind="inequality")
def later() -> Argument:
    """After J pulls: Z_j is a weighted mean of Z_J and e (mu - c), plus noise over j + rho. So it is at most the larger
    of the two plus that noise."""
    Z, far, noise, top, more = sp.symbols("Z D noise M l")  # j = J + l
    free = {Z: real(), far: real(), noise: real(), top: real(), more: at_least(1), J: at_least(0), r: positive()}
    now = (Z * (J + r) + more * far + noise) / (J + more + r)
    below = (Rel(Z, "<=", top), Rel(far, "<=", top))
    names = {
        Z: "Z_J",
        far: "e (mu - c)",
        noise: "e times the sum of reward less mu over the pulls J+1, ..., J+l",
        top: "the larger of Z_J and e (mu - c)",
        more: "number of pulls after the first J",
    }
    goal = Goal(Rel(now, "<=", top + noise / (J + more + r)), free, below, "after J + l pulls")
    return proof(goal, letters={**READ, **{a: Letter(a, text) for a, text in names.items()}})


def log_moment() -> Follows:
    """h <= theta mu + theta^2/8 at theta = 8 x: a coin has the proxy 1/4."""
    coin = instance(uses("sec:extensions/bernoulli", item="moment at lambda"), {lam_: 8 * x}, LATE, name="a coin")
    proxy = 8 * x * mu + 8 * x**2
    powers = follows(Rel(sp.exp(h), "<=", sp.exp(proxy)), late.MOMENT, coin, domain=LATE, name="moments")
    logs = Monotone(powers, sp.log(d), d, {d: positive()}, name="logarithms")
    return follows(Rel(h, "<=", proxy), logs, domain=LATE, name="logarithms")


def noise_tail() -> Follows:
    """P(Y > x) <= exp(-8 x^2 (J + rho)): exp(theta S_l - l h), h = log(1 - mu + mu e^theta), is a supermartingale, and
    h <= theta mu + theta^2/8. At theta = 8 x a crossing of the line x (J + rho + l) puts its exponent above 8 x^2 (J +
    rho)."""
    theta, level, T = 8 * x, 8 * J * x**2 + 8 * r * x**2, late.time
    moments = BernoulliMoments(theta, h, late.MOMENT.concludes.rel, (late.MOMENT,), LATE)
    walk = Supermartingale(
        moments.process, N, moments.begins(), lambda past: moments.falls(past, nonnegative(past, LATE))
    )
    line_ = walk.exceeds(level, T, late.IN_PLAY, n, LATE)
    small = Rel(walk.at(T), "<=", level)
    p, q = sp.symbols("p q")
    length, bound = J + r + T, log_moment()
    pulls = times(bound.concludes.rel, T, LATE, "times l", True)
    numbers = {p: real(), q: positive(), d: real()}
    divide = Goal(Rel(p, "<=", d / q), numbers, (Rel(q * p, "<=", d),), "divided")
    parts = bound, pulls, late.LARGEST, times(late.LARGEST.concludes.rel, x, LATE, "times x")
    sides = Rel(x * length * Y, "<=", x * length * x)
    scaled = follows(sides, *parts, domain=LATE, given=(small,), name="times x (J + rho + l)")
    at = {p: Y, q: x * length, d: x * length * x}
    below = applied(divide, at, scaled, domain=LATE, given=(small,), name="below the line")
    crossed = Expectation(Union(below, (small,), "crossing the line"), (o,))
    chance = Rel(Mean(Event(Y - x, 1), o), "<=", sp.exp(-level))
    return follows(chance, crossed, line_, domain=LATE, name="noise")


@claim("ours/bounded/envelope/factor", by="us", kind="inequality")
def factor() -> Argument:
    """Rewards in [0, 1] have at most the moments of a coin, which has proxy 1/4, so that exp(theta noise - theta^2 l/8)
    is at most a supermartingale; its crossings bound the tail of Y. An arm of mean 0 or 1 has no noise, and Y = 0.
    exp(lambda Y) is 1 plus the integral of lambda exp(lambda x) over the x below Y, so that its mean is 1 plus the
    integral of lambda exp(lambda x) P(Y > x). The noise after J is independent of the first J rewards, given mu, so
    that this factor comes out of E exp(lambda (max(Z_J, e (mu - c)) + Y))."""
    closed = integral()
    return proof(mean_from_tail(closed), closed, letters=READ)


b = 2 * d  # b^2 is 8 (J + rho)
SPREAD = Rel(d**2, "=", 2 * (J + r))
SCALE = lam * sp.exp(lam * x)
INTEGRAND = lam * sp.exp(lam * x - b**2 * x**2)
NOISE: dict[sp.Expr, Var] = {**{y: v for y, v in LATE.items() if y not in (x, n)}, lam: positive()}


def integral() -> IntegralOf:
    """The integral of lambda exp(lambda x - b^2 x^2), by completing the square."""
    scale = lam * sp.sqrt(sp.pi) / (2 * b) * sp.exp(lam**2 / (4 * b**2))
    free = {lam: positive(), d: positive(), x: real()}
    known = -scale * sp.erfc(b * (x - lam / (2 * b**2)))
    return IntegralOf(INTEGRAND, known, x, sp.S.Zero, sp.oo, free, (None, sp.S.Zero), "the integral")


def layers() -> Follows:
    """exp(lambda Y) is 1 plus the integral of its slope up to Y, or of its slope where x is below Y."""
    cut = Restricted(SCALE, x, Y, sp.S.Zero, sp.oo, NOISE, above=False, name="x below Y")
    slopes = IntegralOf(SCALE, sp.exp(lam * x), x, sp.S.Zero, Y, {**NOISE, x: real()}, name="up to Y")
    whole = conclusion(cut).rel.stated[0]
    return follows(Rel(sp.exp(lam * Y), "=", 1 + whole), cut, slopes, domain=NOISE, name="exp(lambda Y) by layers")


def mean_from_tail(whole: IntegralOf) -> Applied:
    """E exp(lambda Y) = 1 + int lambda exp(lambda x) P(Y > x) dx, and the bound of the tail inside the integral."""
    reached, inside = Event(Y - x, 1), {**NOISE, x: positive()}
    positive_ = Goal(Rel(SCALE * reached, ">=", 0), inside, name="a slope")
    swapped = MeanOfIntegral(SCALE * reached, x, sp.S.Zero, sp.oo, (o,), positive_, NOISE, name="mean of the integral")
    averaged = Expectation(layers(), (o,))
    given, free = (SPREAD,), {**NOISE, d: positive()}
    least = Expectation(positive_, (o,))
    small = Dominated(SCALE * Mean(reached, o), x, least, tail_with_slope(), whole, free, given, "the tail")
    numbers = dict.fromkeys((p, q, u, v, w), real())
    known = Rel(p, "=", q + 1), Rel(q, "=", u), Rel(u, "<=", v), Rel(w, "=", v)
    lemma = Goal(Rel(p, "<=", 1 + w), numbers, known, "in turn")
    parts = averaged, swapped, small, whole
    sides = [conclusion(item).rel.stated for item in parts]
    at = {p: sides[0][0], q: sides[1][0], u: sides[1][1], v: sides[3][1], w: sides[3][0]}
    return applied(lemma, at, *parts, domain=free, given=given, name="mean from the tail")


def tail_with_slope() -> Applied:
    """lambda exp(lambda x) P(Y > x) <= lambda exp(lambda x - b^2 x^2)."""
    free = {**LATE, lam: positive(), d: positive()}
    exponent = Goal(Rel(-8 * J * x**2 - 8 * r * x**2, "=", -(b**2) * x**2), free, (SPREAD,), "the exponent")
    same = Monotone(exponent, sp.exp(q), q, {q: real()}, name="the bound of the tail")
    bound = sp.exp(-(b**2) * x**2)
    together = Goal(Rel(SCALE * bound, "=", INTEGRAND), {x: positive(), lam: positive(), d: positive()}, name="in one")
    known = Rel(p, "<=", q), Rel(q, "=", u), Rel(v * u, "=", w)
    numbers = {**dict.fromkeys((p, q, u, w), real()), v: at_least(0)}
    order = Goal(Rel(p, "<=", u), numbers, known[:2], "in turn")
    scaled = Goal(Rel(v * p, "<=", v * u), numbers, (order.rel,), "times the slope")
    lemma = follows(Rel(v * p, "<=", w), order, scaled, domain=numbers, given=known, name="times the slope")
    at = {p: Mean(Event(Y - x, 1), o), q: conclusion(same).rel.stated[0], u: bound, v: SCALE, w: INTEGRAND}
    parts = noise_tail(), same, together
    return applied(lemma, at, *parts, domain=free, given=(SPREAD,), name="the tail and the slope")
