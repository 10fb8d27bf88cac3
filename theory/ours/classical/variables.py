"""Random variables: Chernoff's bound. X(o) is any function of the outcome o."""

import sympy as sp

from theory.kernel.analysis import exp_tangent
from theory.kernel.argument import Argument, proof
from theory.kernel.claim import claim
from theory.kernel.goal import Goal, Letter, Rel, Var, at_least, positive, real
from theory.kernel.rules import Expectation, Follows, Indicates, applied, follows, instance
from theory.kernel.terms import Event, Mean
from theory.model.functions import quantity
from theory.ours.bad_rounds import times

o, x, v, lam, d, p, q, z = sp.symbols("o x v lambda d p q z")
X = quantity("X", "X")(o)
VARIABLE: dict[sp.Expr, Var] = {o: real(), x: real(), lam: at_least(0)}
WORDS = {
    X: Letter(X, "any random variable"),
    x: Letter(x, "any number"),
    lam: Letter(lam, "any number >= 0"),
    v: Letter(v, "a variance proxy of X"),
}
UNIT = Var(sp.Integer(0), high=sp.Integer(1))


def markov(strict: bool = True) -> Follows:
    """e^{l x} P(X > x) <= E e^{l X}, or of X >= x: an indicator is at most exp(l (X - x))."""
    happened, far = Event(X - x, int(strict)), lam * (X - x)
    numbers = {p: UNIT, z: positive(), d: real()}
    facts = Rel(z - 1 - d, ">=", 0), Rel(p * d, ">=", 0)
    lemma = Goal(Rel(p, "<=", z), numbers, facts, "an indicator below an exponential")
    says = Indicates(X - x, VARIABLE, part=True, strict=strict, name="X above x")
    scaled = times(says.concludes.rel, lam, VARIABLE, "times lambda", True)
    sign = follows(Rel(happened * far, ">=", 0), says, scaled, domain=VARIABLE, name="sign of the exponent")
    tangent = instance(exp_tangent(z), {z: far}, VARIABLE, name="tangent of exp")
    below = applied(lemma, {p: happened, z: sp.exp(far), d: far}, tangent, sign, domain=VARIABLE)
    product = times(below.concludes.rel, sp.exp(lam * x), VARIABLE, "times e^{l x}", True)
    wanted = Rel(happened * sp.exp(lam * x), "<=", sp.exp(lam * X))
    pointwise = follows(wanted, below, product, domain=VARIABLE, name="every outcome")
    mean = Expectation(pointwise, (o,))
    chance = Mean(happened, o) * sp.exp(lam * x)
    name = "Markov's inequality" + ("" if strict else ", at least")
    return follows(Rel(chance, "<=", Mean(sp.exp(lam * X), o)), mean, domain=VARIABLE, name=name)


@claim("ours/classical/chernoff", by="us", kind="inequality")
def chernoff() -> Argument:
    """Chernoff's bound: Markov's inequality for e^{l X}, at l = x/v if v is a variance proxy of X."""
    sizes = {x: positive(), v: positive(), o: real()}
    proxy = Rel(Mean(sp.exp(x / v * X), o), "<=", sp.exp(x**2 / (2 * v)))
    at = instance(markov(), {lam: x / v}, sizes, name="lambda = x/v")
    numbers = {p: real(), q: real(), d: real()}
    facts = Rel(p * sp.exp(2 * d), "<=", q), Rel(q, "<=", sp.exp(d))
    lemma = Goal(Rel(p, "<=", sp.exp(-d)), numbers, facts, "divided")
    chance = Mean(Event(X - x, 1), o)
    values = {p: chance, q: Mean(sp.exp(x / v * X), o), d: x**2 / (2 * v)}
    tail = applied(lemma, values, at, domain=sizes, given=(proxy,), name="Chernoff's bound")
    return proof(markov(), markov(strict=False), tail, letters=WORDS)
