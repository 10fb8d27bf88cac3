"""Rewards in [0, 1] (`reucb.bounds.bounded`): lines that the weighted means of several arms do not cross, whatever the
sampling (Lemma 1), by optimal stopping values of single arms.

An arm with sum S_j of its first j rewards has Z_j = e (S_j - c j)/(j + rho) = w(j) e (rbar_j - c), e = 1 or -1. Its
envelope is V_j = max(exp(lambda Z_j), E[V_{j+1} | S_j]); G = E V_1.
"""

import sympy as sp

from theory.kernel.argument import Argument, proof
from theory.kernel.claim import claim
from theory.kernel.classical import TAIL_FORMULA
from theory.kernel.goal import Goal, Letter, Rel, Var, at_least, positive, real
from theory.kernel.rules import (
    Expectation,
    Follows,
    IntegralOf,
    Monotone,
    SumOver,
    Union,
    applied,
    cited,
    follows,
    instance,
    uses,
)
from theory.kernel.terms import Event, Mean
from theory.model import late_noise as late
from theory.model.bounded_play import (
    ENVELOPE,
    INDEPENDENT,
    LARGEST,
    LAYERS,
    LINE,
    LINE_WORDS,
    PRODUCT,
    WITHIN_PLAY,
    beyond,
    crest,
    i,
    lam,
    log_envelope,
    n,
    o,
    one_pull,
    product,
    start,
    t,
)
from theory.model.late_noise import LATE, J, Y, r, x
from theory.model.reward_sums import N, mu
from theory.ours.bad_rounds import times
from theory.ours.classical.bounded_sums import BernoulliMoments
from theory.ours.classical.processes import Supermartingale, g, nonnegative

d, lam_ = sp.symbols("d lambda")
h = late.log_moment
SHARE = Var(sp.Integer(0), high=sp.Integer(1))
READ = {**late.WORDS, lam: LINE_WORDS[lam]}


@claim("ours/bounded/line", by="us", kind="inequality")
def line() -> Argument:
    """Lemma 1. Which arm is pulled depends on the past, on the arms outside the line and on random numbers for ties, so
    that the next reward of an arm has its law given its own past. Hence the product of the envelopes, which bounds
    exp(lambda times the sum of Z), is a supermartingale, and Ville's inequality bounds its largest value."""
    free = {**{y: v for y, v in LINE.items() if y != i}, x: real()}
    mean = sp.Product(Mean(start(i, o), o), LAYERS)
    process = Supermartingale(product(t, o), t, INDEPENDENT, lambda past: one_pull(past, g), mean)
    tail = process.exceeds(lam * x, crest, WITHIN_PLAY, n, free)
    small = Rel(product(crest, o), "<=", lam * x)
    logs = SumOver(ENVELOPE, *LAYERS, free, name="logarithms")
    total = sp.Sum(log_envelope(i, o), LAYERS)
    p, q, r = sp.symbols("p q r")
    divide = Goal(Rel(p, "<=", q / r), {p: real(), q: real(), r: positive()}, (Rel(r * p, "<=", q),), "divided")
    scaled = follows(Rel(lam * total, "<=", lam * x), PRODUCT, domain=free, given=(small,), name="times lambda")
    divided = applied(divide, {p: total, q: lam * x, r: lam}, scaled, domain=free, given=(small,), name="envelopes")
    parts = LARGEST, logs, divided
    below = follows(Rel(beyond(o), "<=", x), *parts, domain=free, given=(small,), name="below the line")
    crosses = Expectation(Union(below, (small,), "crossing the line"), (o,))
    chance = Rel(Mean(Event(beyond(o) - x, 1), o), "<=", mean * sp.exp(-lam * x))
    return proof(follows(chance, crosses, tail, domain=free, name="line"), letters=LINE_WORDS)


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


@claim("ours/bounded/envelope/factor", by="us", kind="inequality", uses=("sec:extensions/bernoulli",))
def factor() -> Argument:
    """Rewards in [0, 1] have at most the moments of a coin, which has proxy 1/4, so that exp(theta noise - theta^2 l/8)
    is at most a supermartingale; its crossings bound the tail of Y, the tail the mean of exp(lambda Y). An arm of mean
    0 or 1 has no noise, and Y = 0. The noise after J is independent of the first J rewards,
    given mu, so that this factor comes out of E exp(lambda (max(Z_J, e (mu - c)) + Y))."""
    free = {lam: positive(), d: positive(), J: at_least(0), r: positive(), o: real()}
    spread, b = Rel(d**2, "=", 2 * (J + r)), 2 * d
    integrand = lam * sp.exp(lam * x - b**2 * x**2)
    mean = Mean(sp.exp(lam * Y), o)
    at = {lam: positive(), x: at_least(0)}
    bound = cited(
        TAIL_FORMULA,
        hypotheses=(
            noise_tail(),
            Goal(Rel(sp.Derivative(sp.exp(lam * x), x), ">=", 0), at, name="exp(lambda x) rises"),
        ),
        gives=Goal(Rel(mean, "<=", 1 + sp.Integral(integrand, (x, 0, sp.oo))), free, (spread,), "mean from the tail"),
        name="h(x) = exp(lambda x)",
    )
    scale = lam * sp.sqrt(sp.pi) / (2 * b) * sp.exp(lam**2 / (4 * b**2))
    closed = IntegralOf(
        integrand,
        -scale * sp.erfc(b * (x - lam / (2 * b**2))),
        x,
        sp.Integer(0),
        sp.oo,
        {lam: positive(), d: positive(), x: real()},
        (None, sp.S.Zero),
        "the integral",
    )
    return proof(bound, closed, letters=READ)
