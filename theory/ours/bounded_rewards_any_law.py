"""Theorem C: the bound for rewards of any law on [0, 1] with the given means (`reucb.bounds.bounded(rewards="any")`).

Theorem B (ours/bounded) speaks of chances that sums of rewards reach what a good pull needs, or fall below a boundary,
and of envelopes. Here they are bounded without knowing the law.
"""

import sympy as sp

from theory.kernel.argument import Argument, proof, step
from theory.kernel.claim import claim
from theory.kernel.classical import HOEFFDING_RELATIVE_ENTROPY, VILLE
from theory.kernel.goal import Goal, Letter, Rel, Var, at_least, positive, real
from theory.kernel.rules import Among, Chord, Cited, Expectation, Follows, Jensen, SumOver, cited, follows, instance
from theory.kernel.terms import Event, Mean
from theory.model.play import quantity

mu, q, N, o, x, j, E, lam, Z, y = sp.symbols("mu q N omega x j E lambda Z theta")
S, D, J = quantity("S", "S_{{{}}}")(N, o), quantity("D", "D_{{{}}}"), quantity("J", "J")(o)
b, th, least, start = sp.Function("b")(N), sp.Function("theta")(j), sp.Function("m")(j), sp.Function("e")
INSIDE = Var(sp.Integer(0), strict=True, high=sp.Integer(1))
UNIT = Var(sp.Integer(0), high=sp.Integer(1))
COUNT = at_least(1, integer=True)
ENTROPY = q * (sp.log(q) - sp.log(mu)) + (1 - q) * (sp.log(1 - q) - sp.log(1 - mu))  # kl(q, mu)
READ = {
    mu: Letter(mu, "mean of the rewards"),
    N: Letter(N, "number of rewards"),
    S: Letter(S, "sum of the first N rewards"),
    q: Letter(q, "average that is needed"),
    E: Letter(E, "number of epochs, intervals of counts"),
    start(j): Letter(start(j), "first count of epoch j"),
    th: Letter(th, "any positive number, one for each epoch"),
    b: Letter(b, "boundary"),
    D(j, o): Letter(D(j, o), "the most by which S_N is below b_N in epoch j"),
    J: Letter(J, "the epoch in which this is most"),
    lam: Letter(lam, "any positive number"),
    Z: Letter(Z, "Z with a Bernoulli variable for every reward, given the rewards"),
}


def enough() -> tuple[Goal | Cited, ...]:
    """A sum of N rewards reaches N q: Hoeffding's bound, and the exponent at e^theta = q (1-mu)/((1-q) mu), which is
    how the code evaluates it."""
    free = {mu: INSIDE, q: INSIDE, N: COUNT, o: real()}
    given = (Rel(mu, "<", q), Rel(q, "<", 1))
    tail = cited(
        HOEFFDING_RELATIVE_ENTROPY,
        gives=Goal(Rel(Mean(Event(S - N * q, 0), o), "<=", sp.exp(-N * ENTROPY)), free, given, "enough rewards"),
        name="the average of N rewards",
    )
    odds = q * (1 - mu) / ((1 - q) * mu)
    moment = Goal(Rel(1 - mu + mu * odds, "=", (1 - mu) / (1 - q)), free, given, "1 - mu + mu e^theta")
    log_odds = sp.log(q) + sp.log(1 - mu) - sp.log(1 - q) - sp.log(mu)
    best = N * (sp.log(1 - mu) - sp.log(1 - q) - q * log_odds)
    exponent = Goal(Rel(best, "=", -N * ENTROPY), free, given, "exponent at the best theta")
    return moment, exponent, tail


def one_epoch() -> Cited:
    """exp(-theta S_N - N h), h = log(1 - mu + mu e^-theta), is a supermartingale: exp is convex. A sum below b_N puts
    its exponent above -theta b_N - N h."""
    chord = Expectation(
        Chord(sp.exp(-y * x), x, {x: UNIT, y: positive()}, "exp below its chord"), (x,), name="one reward"
    )
    free = {o: real(), j: COUNT, mu: INSIDE, th: positive(), least: real(), b: real(), start(j): COUNT}
    exponent = -th * b - N * sp.log(1 - mu + mu * sp.exp(-th))
    given = (Rel(least, "<=", exponent).for_every(N, start(j), start(j + 1) - 1),)
    return cited(
        VILLE,
        hypotheses=(chord,),
        gives=Goal(Rel(Mean(Event(D(j, o), 1), o), "<=", sp.exp(-least)), free, given, "one epoch"),
        name="exp(-theta S_N - N h) within an epoch",
    )


def crossing() -> Follows:
    """A crossing is one in some epoch; the epochs are added up."""
    one = one_epoch()
    fixed = {a: v for a, v in one.gives.domain.items() if a != j} if one.gives else {}
    sizes = {**fixed, E: COUNT, J: COUNT}
    given = tuple(h.for_every(j, 1, E) for h in one.gives.given) if one.gives else ()
    total = SumOver(one, j, sp.Integer(1), E, {**fixed, E: COUNT}, given=given, name="all epochs")
    first = sp.Symbol("first")
    among = Among(Event(D(j, o), 1), j, first, sp.Integer(1), E, {o: real(), E: COUNT, first: COUNT}, name="an epoch")
    room = (Rel(J, ">=", 1), Rel(J, "<=", E))
    some = instance(among, {first: J}, sizes, room, "some epoch")
    rel = Rel(Mean(Event(D(J, o), 1), o), "<=", sp.Sum(sp.exp(-least), (j, 1, E)))
    return follows(rel, Expectation(some, (o,)), total, domain=sizes, given=(*room, *given), name="crossing")


@claim("ours/bounded/any-law", by="us", kind="bound", uses=("ours/bounded",))
def any_law() -> Argument:
    """Theorem C. Nothing in ours/bounded uses the law of the rewards but the chances P and p, bounded here by
    Hoeffding's and, epoch by epoch, by Ville's inequality, and the envelopes. For these replace every reward r by a
    Bernoulli variable of mean r: Z is linear in the rewards, so given them it is the mean of its value with the
    Bernoulli variables, and exp is convex. One who stops may see both and know mu: his future Bernoulli variables have
    mean mu, so that the envelope is at most that of Bernoulli rewards of known mean, averaged over mu."""
    moment, exponent, tail = enough()
    convex = Jensen(sp.exp(lam * x), x, Z, {x: real(), lam: positive()}, name="Bernoulli variables")
    return proof(step(moment), step(exponent), tail, crossing(), convex, letters=READ)
