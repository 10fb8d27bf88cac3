"""The bound for rewards of any law on [0, 1] with the given means (`reucb.bounds.bounded(rewards="any")`).

The bound of claim ours/bounded contains the chances that sums of rewards reach what a good pull needs, or fall below a
boundary, and envelopes. Here they are bounded without knowing the law.
"""

import sympy as sp

from theory.kernel.argument import Argument, proof
from theory.kernel.claim import claim
from theory.kernel.goal import Goal, Letter, Rel, at_least, positive, real
from theory.kernel.rules import (
    Among,
    Applied,
    Expectation,
    Follows,
    Jensen,
    Monotone,
    SumOver,
    Union,
    applied,
    follows,
    instance,
    specialised,
    uses,
)
from theory.kernel.terms import Event, Mean
from theory.model import reward_sums as sums
from theory.model.functions import quantity
from theory.model.reward_sums import INSIDE, SUMS, WORDS, E, N, S, boundary, j, least, mu, o, shortfall, start, theta
from theory.ours.classical import variables
from theory.ours.classical.bounded_sums import BernoulliMoments
from theory.ours.classical.processes import Supermartingale, nonnegative

q, x, lam, Z, slope, h = sp.symbols("q x lambda Z c h")
p, u, v = sp.symbols("p u v")
J = quantity("J", "J")(o)
COUNT = at_least(1, integer=True)
ENTROPY = q * (sp.log(q) - sp.log(mu)) + (1 - q) * (sp.log(1 - q) - sp.log(1 - mu))  # kl(q, mu)
READ = {
    **WORDS,
    q: Letter(q, "average that is needed"),
    J: Letter(J, "the epoch in which this is most"),
    lam: Letter(lam, "any positive number"),
    Z: Letter(Z, "Z with a Bernoulli variable for every reward, given the rewards"),
}
FIXED = {y: var for y, var in SUMS.items() if y != N}


@claim("ours/classical/hoeffding", by="us", kind="inequality")
def hoeffding() -> Argument:
    """Hoeffding's bound with relative entropy, for rewards in [0, 1] that have the mean mu given the earlier ones:
    exp is below its chord, so that each reward has at most the moments of a Bernoulli variable."""
    return proof(enough(), letters=READ)


def enough() -> Applied:
    """A sum of N rewards reaches N q: Markov's inequality for exp(c S_N), at e^c = q (1-mu)/((1-q) mu), which is how
    the code evaluates it."""
    free = {**FIXED, slope: at_least(0), h: real()}
    known = Rel(sp.exp(h), "=", 1 - mu + mu * sp.exp(slope))
    moments = BernoulliMoments(slope, h, known, (), free, (known,))
    counts = {**free, N: at_least(0, integer=True)}
    any_variable = uses("ours/classical/chernoff", item="Markov's inequality, at least")
    at_N = {variables.X: S(N, o)}
    level = {**counts, variables.x: real(), variables.lam: at_least(0)}
    markov = specialised(any_variable, at_N, level, name="of the sum")
    here = {**counts, q: INSIDE}
    at = instance(markov, {variables.lam: slope, variables.x: N * q}, here, name="at N q")
    small = instance(moments.bounded(), {N: N}, here, (known,), name="moments")
    mean, shifted = Mean(sp.exp(slope * S(N, o)), o), Mean(sp.exp(moments.process), o)
    chance = Mean(Event(S(N, o) - N * q, 0), o)
    numbers = {p: real(), u: real(), v: real(), x: real(), lam: real()}
    facts = Rel(p * sp.exp(lam), "<=", u), Rel(v, "<=", 1), Rel(v, "=", sp.exp(-x) * u)
    lemma = Goal(Rel(p, "<=", sp.exp(x - lam)), numbers, facts, "divided")
    apart = Goal(Rel(sp.exp(moments.process), "=", sp.exp(-N * h) * sp.exp(slope * S(N, o))), here, name="apart")
    values = {p: chance, u: mean, v: shifted, x: N * h, lam: slope * N * q}
    parts = at, small, Expectation(apart, (o,))
    bound = applied(lemma, values, *parts, domain=here, given=(known,), name="any c")
    best = {slope: sp.log(q) + sp.log(1 - mu) - sp.log(1 - q) - sp.log(mu), h: sp.log(1 - mu) - sp.log(1 - q)}
    sizes = {**FIXED, N: at_least(0, integer=True), q: INSIDE}
    given = (Rel(mu, "<", q), Rel(q, "<", 1))
    order = Goal(Rel(mu, "<=", q), sizes, given, "mu is below q"), Goal(Rel(1 - q, "<=", 1 - mu), sizes, given, "1 - q")
    logs = (Monotone(item, sp.log(x), x, {x: positive()}, name="logarithms") for item in order)
    there = applied(bound, best, *logs, domain=sizes, given=given, name="at the best c")
    power = there.concludes.rel.stated[1]
    exponent = Goal(Rel(power.args[0], "=", -N * ENTROPY), sizes, given, "exponent at the best c")
    same = Monotone(exponent, sp.exp(x), x, {x: real()}, name="the bound")
    order_ = Rel(p, "<=", u), Rel(u, "=", v)
    last = Goal(Rel(p, "<=", v), dict.fromkeys((p, u, v), real()), order_, "enough rewards")
    at_best = {p: chance, u: power, v: sp.exp(-N * ENTROPY)}
    return applied(last, at_best, there, same, domain=sizes, given=given, name="enough rewards")


def one_epoch() -> Follows:
    """exp(-theta S_N - N h), h = log(1 - mu + mu e^-theta), is a supermartingale. A sum below b_N puts its exponent
    above -theta b_N - N h."""
    moments = BernoulliMoments(-theta(j), sums.log_moment(j), sums.MOMENT.concludes.rel, (sums.MOMENT,), FIXED)

    def falls(past: sp.Expr) -> Follows:
        return moments.falls(past, nonnegative(past, FIXED))

    process = Supermartingale(moments.process, N, moments.begins(), falls)
    time = sums.time(j, o)
    line = process.exceeds(least(j), time, sums.LATEST, start(j + 1) - 1, FIXED)
    small = Rel(process.at(time), "<=", least(j))
    apart = boundary(time) - S(time, o)
    lemma = Goal(
        Rel(v * (p - x), "<=", 0),
        {v: positive(), p: real(), x: real(), lam: real(), q: real()},
        (Rel(q, "<=", -v * p - lam), Rel(-v * x - lam, "<=", q)),
        "in units of theta",
    )
    values = {v: theta(j), p: boundary(time), x: S(time, o), q: least(j), lam: time * sums.log_moment(j)}
    inside = tuple(item.concludes.rel for item in (sums.EARLIEST, sums.LATEST))
    exponent = instance(sums.LEAST, {N: time}, FIXED, inside, name="the least exponent")
    parts = sums.EARLIEST, sums.LATEST, exponent
    scaled = applied(lemma, values, *parts, domain=FIXED, given=(small,))
    numbers = {u: real(), v: positive(), p: real()}
    divide = Goal(Rel(u, "<=", p / v), numbers, (Rel(v * u, "<=", p),), "divided by theta")
    divided = applied(divide, {u: apart, v: theta(j), p: 0}, scaled, domain=FIXED, given=(small,))
    no_more = Rel(shortfall(j, o), "<=", 0)
    above = follows(no_more, divided, sums.CREST, domain=FIXED, given=(small,), name="not below the boundary")
    crossed = Expectation(Union(above, (small,), "below the boundary"), (o,))
    chance = Rel(Mean(Event(shortfall(j, o), 1), o), "<=", sp.exp(-least(j)))
    return follows(chance, crossed, line, domain=FIXED, name="one epoch")


def crossing() -> Follows:
    """A crossing is one in some epoch; the epochs are added up."""
    rest = {y: var for y, var in FIXED.items() if y != j}
    sizes = {**rest, E: COUNT, J: COUNT}
    total = SumOver(one_epoch(), j, sp.Integer(1), E, {**rest, E: COUNT}, name="all epochs")
    first = sp.Symbol("first")
    event = Event(shortfall(j, o), 1)
    among = Among(event, j, first, sp.Integer(1), E, {o: real(), E: COUNT, first: COUNT}, name="an epoch")
    room = (Rel(J, ">=", 1), Rel(J, "<=", E))
    some = instance(among, {first: J}, sizes, room, "some epoch")
    rel = Rel(Mean(Event(shortfall(J, o), 1), o), "<=", sp.Sum(sp.exp(-least(j)), (j, 1, E)))
    return follows(rel, Expectation(some, (o,)), total, domain=sizes, given=room, name="crossing")


@claim("ours/bounded/any-law", by="us", kind="bound", cites=("ours/bounded",))
def any_law() -> Argument:
    """Nothing in ours/bounded uses the law of the rewards except the chances P and p, bounded here by Markov's and,
    epoch by epoch, by Ville's inequality, and the envelopes. For these replace every reward r by a Bernoulli variable
    of mean r: Z is linear in the rewards, so given them it is the mean of its value with the Bernoulli variables, and
    exp is convex. Let the stopping rule depend on both and on mu; future Bernoulli variables then have mean mu, so that
    the envelope is at most that of Bernoulli rewards of known mean, averaged over mu."""
    convex = Jensen(sp.exp(lam * x), x, Z, {x: real(), lam: positive()}, name="Bernoulli variables")
    tail = uses("ours/classical/hoeffding", item="enough rewards")
    return proof(tail, crossing(), convex, letters=READ)
