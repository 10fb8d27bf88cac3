"""Rewards in [0, 1] (`reucb.bounds.bounded`): lines that the weighted means of several arms do not cross, whatever the
sampling (Lemma 1), by optimal stopping values of single arms.

An arm with sum S_j of its first j rewards has Z_j = e (S_j - c j)/(j + rho) = w(j) e (rbar_j - c), e = 1 or -1. Its
envelope is V_j = max(exp(lambda Z_j), E[V_{j+1} | S_j]); G = E V_1.
"""

import sympy as sp

from theory.kernel.argument import Argument, proof, step
from theory.kernel.claim import claim
from theory.kernel.classical import TAIL_FORMULA, VILLE
from theory.kernel.goal import Goal, Letter, Rel, Var, at_least, positive, real
from theory.kernel.rules import Cited, Expectation, IntegralOf, SumOver, Union, cited, follows
from theory.kernel.terms import Event, Mean
from theory.model.bounded_play import (
    ENVELOPE,
    LARGEST,
    LAYERS,
    LINE_WORDS,
    PRODUCT,
    beyond,
    envelopes,
    i,
    lam,
    m,
    o,
    start,
)
from theory.model.play import quantity

x, r, J, d = sp.symbols("x rho J d")
SHARE = Var(sp.Integer(0), high=sp.Integer(1))
Y = quantity("Y", "Y")(o)
READ = {
    lam: LINE_WORDS[lam],
    r: Letter(r, "sigma^2/sigma_0^2"),
    J: Letter(J, "pulls of one arm that are followed one by one"),
    Y: Letter(Y, "the largest of 0 and e (noise of the pulls J+1, ..., j)/(j + rho), over all j > J"),
}


def one_step() -> Goal:
    """One pull: the envelope of the pulled arm changes, and its mean is at most what it was."""
    P, now, up, down, p = sp.symbols("P V_now V_up V_down p")
    free = {P: positive(), now: positive(), up: positive(), down: positive(), p: SHARE}
    stopped = Rel(now, ">=", p * up + (1 - p) * down)
    ratio = P * (p * up + (1 - p) * down) / (P * now)
    return Goal(Rel(ratio, "<=", 1), free, (stopped,), "one pull, with P the product of the envelopes of the others")


@claim("ours/bounded/line", by="us", kind="inequality")
def line() -> Argument:
    """Lemma 1. Which arm is pulled depends on the past, on the arms outside the line and on random numbers for ties, so
    that the next reward of an arm has its law given its own past. Hence the product of the envelopes, which bounds
    exp(lambda times the sum of Z), is a supermartingale, and Ville's inequality bounds its largest value."""
    free = {o: real(), x: real(), lam: positive(), m: at_least(1, integer=True)}
    mean = sp.Product(Mean(start(i, o), o), LAYERS) * sp.exp(-lam * x)
    tail = cited(
        VILLE,
        hypotheses=(one_step(),),
        gives=Goal(Rel(Mean(Event(envelopes(o) - x, 1), o), "<=", mean), free, name="envelopes"),
        name="the product of the envelopes of the arms on the line, divided by its mean",
    )
    logs = SumOver(ENVELOPE, *LAYERS, free, name="logarithms")
    least = follows(Rel(beyond(o), "<=", envelopes(o)), LARGEST, logs, PRODUCT, domain=free, name="below envelopes")
    small = Rel(envelopes(o), "<=", x)
    below = follows(Rel(beyond(o), "<=", x), least, domain=free, given=(small,), name="below the line")
    crosses = Expectation(Union(below, (small,), "crossing the line"), (o,))
    chance = Rel(Mean(Event(beyond(o) - x, 1), o), "<=", mean)
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


def noise_tail() -> Cited:
    """P(Y > x) <= exp(-8 x^2 (J + rho)): the noise after J crosses the line x (J + rho + l), l more pulls."""
    moment, theta = sp.symbols("moment theta")
    step_ = Goal(
        Rel(moment * sp.exp(-(theta**2) / 8), "<=", 1),
        {moment: positive(), theta: positive()},
        (Rel(moment, "<=", sp.exp(theta**2 / 8)),),
        "one reward in [0, 1]: E exp(theta (r - mu)) <= exp(theta^2/8)",
    )
    free = {o: real(), x: positive(), J: at_least(0), r: positive()}
    return cited(
        VILLE,
        hypotheses=(step_,),
        gives=Goal(Rel(Mean(Event(Y - x, 1), o), "<=", sp.exp(-8 * x**2 * (J + r))), free, name="noise"),
        name="exp(theta noise - theta^2 l/8) at theta = 8 x",
    )


def beyond_the_line() -> Goal:
    """At theta = 8 x a crossing of the line x (J + rho + l) puts the exponent above 8 x^2 (J + rho)."""
    more, noise = sp.symbols("l noise")
    free = {x: positive(), more: at_least(0), noise: real(), J: at_least(0), r: positive()}
    exponent = 8 * x * noise - (8 * x) ** 2 * more / 8
    crossed = Rel(noise, ">", x * (J + r + more))
    return Goal(Rel(exponent, ">", 8 * x**2 * (J + r)), free, (crossed,), "exponent beyond the line")


@claim("ours/bounded/envelope/factor", by="us", kind="inequality", uses=("sec:extensions/beta-prior/repaired",))
def factor() -> Argument:
    """Rewards in [0, 1] have proxy 1/4, so that exp(theta noise - theta^2 l/8) is a supermartingale; its crossings
    bound the tail of Y, the tail the mean of exp(lambda Y). The noise after J is independent of the first J rewards,
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
    return proof(step(beyond_the_line()), bound, closed, letters=READ)
