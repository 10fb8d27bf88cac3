"""The normal law from its density: whose density is a multiple of exp(-(x - m)^2/(2 v)) has mean m and variance v, and
beyond a number b the chance and mean that follow from it."""

from dataclasses import dataclass
from itertools import pairwise

import sympy as sp

from theory.kernel.argument import Argument, Item, proof
from theory.kernel.claim import claim
from theory.kernel.goal import Goal, Letter, Rel, Var, positive, real
from theory.kernel.rules import Applied, IntegralOf, Restricted, Substitution, Use, applied, uses
from theory.kernel.rules.compose import Domain, conclusion
from theory.kernel.terms import Event
from theory.model.normal import upper

z, b, y, u, c, m, v, p, q, r, k, h = sp.symbols("z b y u c mu v p q r k h")
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

    claim = "ours/classical/normal"


@dataclass(frozen=True)
class Beyond:
    """1{z > h} z^power for a normal law of mean 0, or with `sign` -1 the same of -z; `strict` false: >= for >."""

    sign: int
    power: int
    strict: bool

    claim = "ours/classical/normal/beyond"

    @property
    def name(self) -> str:
        what, side = ("mean" if self.power else "chance"), ("above" if self.sign > 0 else "below")
        return f"{what} {side}" + ("" if self.strict else ", or equal")

    @property
    def of(self) -> sp.Expr:
        return Event(self.sign * z - h, int(self.strict)) * (self.sign * z) ** self.power

    @property
    def value(self) -> sp.Expr:
        """Its integral times the density, over all z."""
        return v * sp.exp(-(h**2) / (2 * v)) if self.power else ROOT * sp.sqrt(v) * upper(h / sp.sqrt(v))


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
    moved = Substitution(f, variable, *place, moment.g, y, pointwise, standard, PARAMETERS, name=name)
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


def equal(*parts: Item, domain: Domain, given: tuple[Rel, ...] = (), name: str = "") -> Applied:
    """a = d from a = b, b = c and c = d, whatever expressions these are."""
    sides = [conclusion(part).rel.stated for part in parts]
    places = sp.symbols(f"x0:{len(parts) + 1}")
    links = tuple(Rel(x, "=", y) for x, y in pairwise(places))
    lemma = Goal(Rel(places[0], "=", places[-1]), dict.fromkeys(places, real()), links, "equations in a row")
    at = dict(zip(places, (sides[0][0], *(right for _, right in sides)), strict=True))
    return applied(lemma, at, *parts, domain=domain, given=given, name=name)


def half_line(moment: Beyond) -> Item:
    """The integral of such a moment times the density over z: the indicator cuts the range, then an antiderivative."""
    line, density, root = {h: real(), v: positive()}, DENSITY.xreplace({m: sp.S.Zero}), ROOT * sp.sqrt(v)
    above, sign, power = moment.sign > 0, moment.sign, moment.power
    inside = (sign * z) ** power * density
    whole = sign**power * (-v * density if power else -root * upper(z / sp.sqrt(v)))
    cut = Restricted(inside, z, sign * h, -sp.oo, sp.oo, line, above, moment.strict, name=moment.name)
    ends, limits = ((h, sp.oo), (None, sp.S.Zero)) if above else ((-sp.oo, -h), (sp.S.Zero if power else -root, None))
    part = IntegralOf(inside, whole, z, *ends, {**line, z: real()}, limits, f"{moment.name}: half-line")
    same = Goal(Rel(part.concludes.rel.stated[1], "=", moment.value), line, name="the same number")
    return equal(cut, part, same, domain=line, name=moment.name)


ABOVE, BELOW = (
    {(power, strict): Beyond(sign, power, strict) for power in (0, 1) for strict in (True, False)} for sign in (1, -1)
)


@claim("ours/classical/normal/beyond", by="us", kind="identity")
def beyond() -> Argument:
    """Integrals over a half-line, for a normal law of mean 0: its chance is Q, and exp(-z^2/(2 v)) is v times the
    negative slope of itself."""
    words = {v: Letter(v, "variance"), h: Letter(h, "any number")}
    return proof(*(half_line(moment) for side in (ABOVE, BELOW) for moment in side.values()), letters=words)


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

    def area(self, moment: Moment | Beyond, name: str, bound: sp.Expr = h) -> Applied:
        """The integral of a moment times this density over u; `bound` is the h of a moment beyond it."""
        known = self.plain(moment, bound)
        return self.area_of(moment.of.xreplace({m: self.mean, v: self.variance, h: bound}), known, name)

    def plain(self, moment: Moment | Beyond, bound: sp.Expr = h) -> Use:
        """The integral of a moment times exp(-(z - mean)^2/(2 variance)) over z."""
        at = {m: self.mean, v: self.variance}
        if isinstance(moment, Beyond):
            if self.mean != 0:
                raise ValueError(f"mean={self.mean}: moments beyond a number are known for the mean 0")
            at = {v: self.variance, h: bound}
        return uses(moment.claim, at, item=moment.name, domain={**self.domain, h: real()})

    def area_of(self, of: sp.Expr, known: Item, name: str, multiplied_out: bool = False) -> Applied:
        """The integral of `of`, a function of z, times this density over u; `known` proves it without the factor. `of`
        may depend on other numbers, such as h."""
        bell = DENSITY.xreplace({m: self.mean, v: self.variance})
        plain, inside = (sp.expand_mul(of * e, deep=False) if multiplied_out else of * e for e in (bell, self.f))
        place = (sp.S.Zero, sp.S.One), self.factor
        numbers = sorted(of.free_symbols - {*self.domain, z}, key=str)
        domain = {**self.domain, **dict.fromkeys(numbers, real())}
        moved = Substitution(
            inside.xreplace({z: u}), u, *place, plain, z, self.form, known, domain, self.given, name, of
        )
        left = conclusion(moved).rel.stated[0]
        old, number = conclusion(known).rel.stated
        free: dict[sp.Symbol, Var] = dict.fromkeys((p, q, r, y), real())
        lemma = Goal(Rel(p, "=", q * y), free, (Rel(p, "=", q * r), Rel(r, "=", y)), "a known integral")
        values = {p: left, q: self.factor, r: old, y: number}
        return applied(lemma, values, moved, known, domain=domain, given=self.given, name=f"{name}: area")

    def mean_of(self, moment: Moment | Beyond, bayes: Item, name: str, bound: sp.Expr = h) -> Applied:
        """The mean of a moment, from `bayes`: this mean times the integral of f is the integral of moment times f."""
        return self.quotient(self.area(moment, name, bound), bayes, name)

    def quotient(self, share: Item, bayes: Item, name: str) -> Applied:
        """A mean, from `bayes`: this mean times the integral of f is another integral, whose value `share` proves."""
        product, part = conclusion(bayes).rel.stated
        whole = self.area(AREA, "the whole density")
        (integral_, size), wanted = whole.concludes.rel.stated, conclusion(share).rel.stated[1]
        mean = product / integral_
        numbers: dict[sp.Symbol, Var] = dict.fromkeys((p, q, r, y, k), real())
        facts = Rel(p * q, "=", r), Rel(q, "=", k), Rel(r, "=", y)
        lemma = Goal(Rel(p * k, "=", y), numbers, facts, "times the whole density")
        values = {p: mean, q: integral_, r: part, y: wanted, k: size}
        times_ = applied(lemma, values, bayes, whole, share, domain=self.domain, given=self.given)
        divided = Goal(Rel(p, "=", y / q), {p: real(), y: real(), q: positive()}, (Rel(p * q, "=", y),), "divided")
        return applied(divided, {p: mean, y: wanted, q: size}, times_, domain=self.domain, given=self.given, name=name)
