"""The normal law from its density: whose density is a multiple of exp(-(x - m)^2/(2 v)) has mean m and variance v."""

from dataclasses import dataclass

import sympy as sp

from theory.kernel.argument import Argument, Item, proof
from theory.kernel.claim import claim
from theory.kernel.goal import Goal, Letter, Rel, Var, positive, real
from theory.kernel.rules import Applied, IntegralOf, Substitution, applied, uses
from theory.kernel.rules.compose import Domain, conclusion
from theory.model.normal import upper

z, b, y, u, c, m, v, p, q, r, k = sp.symbols("z b y u c mu v p q r k")
PARAMETERS: dict[sp.Symbol, Var] = {m: real(), v: positive(), c: real()}
ROOT = sp.sqrt(2 * sp.pi)
BELL = sp.exp(-(y**2) / 2)
DENSITY = sp.exp(-((z - m) ** 2) / (2 * v))


@dataclass(frozen=True)
class Moment:
    """A function of z whose product with the density is factor times g(y) at z = centre + sqrt(v) y."""

    name: str
    of: sp.Expr
    centre: sp.Expr
    factor: sp.Expr
    g: sp.Expr  # a multiple of exp(-y^2/2)
    antiderivative: sp.Expr  # of g
    low: sp.Expr  # its limit at minus infinity; at infinity it is 0


_AREA = -ROOT * upper(y)
AREA = Moment("area", sp.S.One, m, sp.S.One, BELL, _AREA, -ROOT)
EXPONENTIAL = Moment("exponential", sp.exp(c * z), m + c * v, sp.exp(c * m + c**2 * v / 2), BELL, _AREA, -ROOT)
CENTRED = Moment("first moment", z - m, m, sp.sqrt(v), y * BELL, -BELL, sp.S.Zero)
SQUARED = Moment("second moment", (z - m) ** 2, m, v, y**2 * BELL, _AREA - y * BELL, -ROOT)


def integral(moment: Moment, variable: sp.Symbol = z) -> Item:
    """The integral of a moment times the density over z, or another variable, by z = centre + sqrt(v) y."""
    scale = sp.sqrt(v)
    standard = IntegralOf(
        moment.g, moment.antiderivative, y, -sp.oo, sp.oo, {y: real()}, (moment.low, sp.S.Zero), "standard normal"
    )
    there = (moment.of * DENSITY).xreplace({z: moment.centre + scale * y})
    pointwise = Goal(Rel(there, "=", moment.factor * moment.g), {**PARAMETERS, y: real()}, name="at y")
    place = (moment.centre, scale), moment.factor
    name = moment.name if variable == z else f"{moment.name}, {variable}"
    f = (moment.of * DENSITY).xreplace({z: variable})
    moved = Substitution(f, variable, *place, moment.g, y, pointwise, PARAMETERS, name=name)
    left = conclusion(moved).rel.stated[0]
    old, number = conclusion(standard).rel.stated
    numbers: dict[sp.Symbol, Var] = dict.fromkeys((p, q, r, u), real())
    lemma = Goal(Rel(p, "=", q * u), numbers, (Rel(p, "=", q * r), Rel(r, "=", u)), "a known integral")
    at = {p: left, q: moment.factor * scale, r: old, u: number}
    return applied(lemma, at, moved, standard, domain=PARAMETERS, name=name)


@claim("ours/classical/normal", by="us", kind="identity")
def integrals() -> Argument:
    """The integral of exp(-(z - m)^2/(2 v)) and those that give moment generating function, mean and variance of its
    law, by antiderivatives at m = 0, v = 1."""
    words = {m: Letter(m, "mean"), v: Letter(v, "variance"), c: Letter(c, "any number")}
    found = (integral(moment) for moment in (AREA, EXPONENTIAL, CENTRED, SQUARED))
    return proof(*found, integral(AREA, b), letters=words)


@dataclass(frozen=True)
class NormalDensity:
    """A density, up to a factor: `form` proves f(z) = factor exp(-(z - mean)^2/(2 variance)) for every real z."""

    f: sp.Expr  # in z
    mean: sp.Expr
    variance: sp.Expr
    factor: sp.Expr
    form: Item
    domain: Domain
    given: tuple[Rel, ...] = ()

    def area(self, moment: Moment, name: str) -> Applied:
        """The integral of a moment times this density over u."""
        at = {m: self.mean, v: self.variance}
        of, plain = moment.of.xreplace(at), DENSITY.xreplace(at)
        known = uses("ours/classical/normal", at, item=moment.name, domain=self.domain)
        inside = (of * self.f).xreplace({z: u})
        place = (sp.S.Zero, sp.S.One), self.factor
        moved = Substitution(inside, u, *place, of * plain, z, self.form, self.domain, self.given, name, of)
        left = conclusion(moved).rel.stated[0]
        old, number = conclusion(known).rel.stated
        numbers: dict[sp.Symbol, Var] = dict.fromkeys((p, q, r, y), real())
        lemma = Goal(Rel(p, "=", q * y), numbers, (Rel(p, "=", q * r), Rel(r, "=", y)), "a known integral")
        values = {p: left, q: self.factor, r: old, y: number}
        return applied(lemma, values, moved, known, domain=self.domain, given=self.given, name=f"{name}: area")

    def mean_of(self, moment: Moment, bayes: Item, name: str) -> Applied:
        """The mean of a moment, from `bayes`: this mean times the integral of f is the integral of moment times f."""
        product, part = conclusion(bayes).rel.stated
        whole, share = self.area(AREA, "the whole density"), self.area(moment, name)
        (integral_, size), wanted = whole.concludes.rel.stated, share.concludes.rel.stated[1]
        mean = product / integral_
        numbers: dict[sp.Symbol, Var] = dict.fromkeys((p, q, r, y, k), real())
        facts = Rel(p * q, "=", r), Rel(q, "=", k), Rel(r, "=", y)
        lemma = Goal(Rel(p * k, "=", y), numbers, facts, "times the whole density")
        values = {p: mean, q: integral_, r: part, y: wanted, k: size}
        times_ = applied(lemma, values, bayes, whole, share, domain=self.domain, given=self.given)
        divided = Goal(Rel(p, "=", y / q), {p: real(), y: real(), q: positive()}, (Rel(p * q, "=", y),), "divided")
        return applied(divided, {p: mean, y: wanted, q: size}, times_, domain=self.domain, given=self.given, name=name)
