"""Integrals: in another variable over the real line, over a part of the range, their sums, below another one, and their
means."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property

import sympy as sp

from theory.kernel import sources
from theory.kernel.defined import undefined
from theory.kernel.engines import Evidence
from theory.kernel.goal import Goal, Rel, Var, positive, real
from theory.kernel.items import Element, Item
from theory.kernel.mutate import Mutant
from theory.kernel.prove import proved
from theory.kernel.rules.compose import Domain, conclusion, verdict
from theory.kernel.sanity import objections
from theory.kernel.terms import Event, Mean, linear, substitute, transparent


@dataclass(frozen=True)
class Substitution(Element):
    """With x = h + k z, k > 0: the integral of f over all x is C k times that of g over all z, if f(h + k z) = C g(z).

    `pointwise` proves this equation for every real z, or one that is it when multiplied by `times`. h, k and C may
    depend on neither variable. `value` proves that the integral of g is a number, so that both integrals exist.
    """

    f: sp.Expr
    x: sp.Symbol
    at: tuple[sp.Expr, sp.Expr]  # h, k
    factor: sp.Expr  # C
    g: sp.Expr
    z: sp.Symbol
    pointwise: Item
    value: Item
    domain: Domain
    given: tuple[Rel, ...] = ()
    name: str = ""
    times: sp.Expr = sp.S.One

    @property
    def premises(self) -> tuple[Item, ...]:
        return (self.pointwise, self.value)

    @cached_property
    def concludes(self) -> Goal:
        before, after = (sp.Integral(e, (y, -sp.oo, sp.oo)) for e, y in ((self.f, self.x), (self.g, self.z)))
        source = conclusion(self.pointwise)
        rel = Rel(before, "=", self.factor * self.at[1] * after)
        name = self.name or "another variable"
        return Goal(rel, self.domain, self.given, name, letters=source.letters, short=source.short)

    def evidence(self) -> list[Evidence]:
        what = f"{self.concludes.name}: {self.x} = {self.at[0] + self.at[1] * self.z}"
        return [verdict("substitution", what, self._problems()), *objections(self.concludes)]

    def _problems(self) -> Iterator[str]:
        here, (h, k) = self.concludes, self.at
        for e in (h, k, self.factor):
            if e.free_symbols & {self.x, self.z}:
                yield f"{e} depends on a variable of integration"
        if self.f.has(self.z) or self.g.has(self.x) or {self.x, self.z} & here.symbols:
            yield f"{self.x} and {self.z} must be used for one integral each"
        if not sources.inside(k, positive(), here):
            yield f"{k} is not known to be positive"
        inner = replace(here, domain={**here.domain, self.z: real()})
        wanted = Rel(substitute(self.f, {self.x: h + k * self.z}), "=", self.factor * self.g)
        proved = conclusion(self.pointwise)
        left, right = proved.rel.stated
        if proved.rel.op != "=" or not sources.same(Rel(self.times * left, "=", self.times * right), wanted, inner):
            yield f"{proved.rel}, times {self.times}, is not {wanted}"
        yield from undefined(transparent(inner.with_rel(Rel(self.times, "<=", self.times), "the factor")))
        if self.z in proved.domain and proved.domain[self.z] != Var():
            yield f"{self.z} must be any real number"
        yield from sources.unmet(proved, {}, inner)
        yield from self._no_value()

    def _no_value(self) -> Iterator[str]:
        """Why it is not known that the integral of g exists."""
        known = conclusion(self.value)
        whole, number = known.rel.stated
        after = sp.Integral(self.g, (self.z, -sp.oo, sp.oo))
        if isinstance(whole, sp.Integral) and len(whole.limits) == 1:
            whole = whole.xreplace({whole.limits[0][0]: self.z})
        if known.rel.op != "=" or whole != after:
            yield f"{known.rel} does not say what {after} is"
        if number.has(sp.Integral, sp.oo, -sp.oo, sp.zoo, sp.nan):
            yield f"{number} is no number"
        yield from sources.unmet(known, {}, self.concludes)

    def mutants(self) -> list[Mutant]:
        h, k = self.at
        wrong = {
            "constant: factor doubled": replace(self, factor=2 * self.factor),
            "direction: k negative": replace(self, at=(h, -k)),
            "constant: shifted by 1": replace(self, at=(h + 1, k)),
        }
        return [Mutant(name, killed=next(other._problems(), None) is not None) for name, other in wrong.items()]


@dataclass(frozen=True)
class Restricted(Element):
    """An indicator inside an integral cuts its range: the integral of 1{x > c} g(x) from low to high is that of g from
    c on; with `above` false, that of 1{c > x} g(x) is the integral of g up to c. `strict` false: x >= c, or c >= x.

    c lies between the ends, does not depend on x, and may be any expression; an end may be infinite.
    """

    g: sp.Expr
    x: sp.Symbol
    c: sp.Expr
    low: sp.Expr
    high: sp.Expr
    domain: Domain
    above: bool = True
    strict: bool = True
    given: tuple[Rel, ...] = ()
    name: str = ""

    def __post_init__(self) -> None:
        if self.x in set().union(*(sp.sympify(e).free_symbols for e in (self.c, self.low, self.high))):
            raise ValueError(f"c={self.c}: the place of the cut and the ends must not depend on {self.x}")

    @cached_property
    def concludes(self) -> Goal:
        inside = Event((self.x - self.c) if self.above else (self.c - self.x), int(self.strict))
        part = (self.c, self.high) if self.above else (self.low, self.c)
        whole = sp.Integral(inside * self.g, (self.x, self.low, self.high))
        rel = Rel(whole, "=", sp.Integral(self.g, (self.x, *part)))
        return Goal(rel, self.domain, self.given, self.name or "a part of the range")

    def evidence(self) -> list[Evidence]:
        what = f"{self.concludes.name}: {self.x} {'above' if self.above else 'below'} {self.c}"
        return [verdict("integral", what, self._problems()), *objections(self.concludes)]

    def _problems(self) -> Iterator[str]:
        here = self.concludes
        cut = sp.sympify(self.c)
        if cut.has(sp.oo, -sp.oo, sp.zoo, sp.nan, sp.I):
            yield f"{cut} is no real number"
        yield from undefined(transparent(here.with_rel(Rel(cut, "<=", cut), "the cut")))
        for end, order, free in ((self.low, "<=", -sp.oo), (self.high, ">=", sp.oo)):
            if end != free and (end.is_infinite or not proved(here.with_rel(Rel(end, order, self.c), "the end"), 1500)):
                yield f"{end} {order} {self.c} is not known"

    def mutants(self) -> list[Mutant]:
        wrong = {
            "range: begins after c": replace(self, low=self.c + 1),
            "range: ends before c": replace(self, high=self.c - 1),
        }
        return [Mutant(name, killed=next(other._problems(), None) is not None) for name, other in wrong.items()]


@dataclass(frozen=True)
class Combined(Element):
    """A sum of multiples of integrals whose values are known: c_1 f_1 + c_2 f_2 + ... has the integral c_1 v_1 + ...

    `parts` prove the equations integral of f_i = v_i, all over the same range; no c_i may depend on the variable. The
    sum is multiplied out (`sp.expand_mul`, not inside functions).
    """

    parts: tuple[Item, ...]
    factors: tuple[sp.Expr, ...]
    domain: Domain
    given: tuple[Rel, ...] = ()
    name: str = ""

    @property
    def premises(self) -> tuple[Item, ...]:
        return self.parts

    @cached_property
    def concludes(self) -> Goal:
        known = [conclusion(part) for part in self.parts]
        integrals, values = zip(*(goal.rel.stated for goal in known), strict=True)
        if any(not isinstance(i, sp.Integral) or len(i.limits) != 1 for i in integrals):
            raise ValueError(f"{integrals}: integrals over one variable are needed")
        x, *ends = integrals[0].limits[0]
        functions = [substitute(i.function, {i.limits[0][0]: x}) for i in integrals]
        whole, value = (
            sp.Add(*(c * e for c, e in zip(self.factors, terms, strict=True))) for terms in (functions, values)
        )
        rel = Rel(sp.Integral(sp.expand_mul(whole, deep=False), (x, *ends)), "=", value)
        return Goal(rel, self.domain, self.given, self.name or "a sum of integrals", letters=known[0].letters)

    def evidence(self) -> list[Evidence]:
        return [verdict("integral", self.concludes.name, self._problems()), *objections(self.concludes)]

    def _problems(self) -> Iterator[str]:
        known = [conclusion(part) for part in self.parts]
        first, *others = (goal.rel.stated[0].limits[0] for goal in known)
        if any(tuple(limits)[1:] != tuple(first)[1:] for limits in others):
            yield "the integrals have different ranges"
        variables = {first[0], *(limits[0] for limits in others)}
        for e in (*self.factors, *(side for goal in known for side in goal.rel.stated)):
            if sp.sympify(e).free_symbols & variables:
                yield f"{e} depends on a variable of integration"
            if e.has(sp.oo, -sp.oo, sp.zoo, sp.nan) and not isinstance(e, sp.Integral):
                yield f"{e} is no number"
        for goal in known:
            if goal.rel.op != "=":
                yield f"{goal.rel} does not say what the integral is"
            yield from sources.unmet(goal, {}, self.concludes)

    def mutants(self) -> list[Mutant]:
        x = conclusion(self.parts[0]).rel.stated[0].limits[0][0]
        wide = {**self.domain, x: real()}
        wrong = replace(self, factors=(*self.factors[1:], x), domain=wide)
        return [Mutant("a factor that depends on the variable", killed=next(wrong._problems(), None) is not None)]


@dataclass(frozen=True)
class Dominated(Element):
    """The integral of f is at most that of g, if 0 <= f <= g; `whole` proves the value of the latter.

    `nonnegative` proves f >= 0 and `below` proves f <= g, for every x strictly between the ends.
    """

    f: sp.Expr
    x: sp.Symbol
    nonnegative: Item
    below: Item
    whole: Item
    domain: Domain
    given: tuple[Rel, ...] = ()
    name: str = ""

    @property
    def premises(self) -> tuple[Item, ...]:
        return (self.nonnegative, self.below, self.whole)

    @property
    def _integral(self) -> sp.Integral:
        found = conclusion(self.whole).rel.stated[0]
        if not isinstance(found, sp.Integral) or len(found.limits) != 1 or len(found.limits[0]) != 3:
            raise ValueError(f"{found} is not an integral over one variable with two ends")
        return found

    @cached_property
    def concludes(self) -> Goal:
        source = conclusion(self.whole)
        _, low, high = self._integral.limits[0]
        rel = Rel(sp.Integral(self.f, (self.x, low, high)), "<=", source.rel.stated[1])
        name = self.name or "dominated"
        return Goal(rel, self.domain, self.given, name, letters=source.letters, short=source.short)

    def evidence(self) -> list[Evidence]:
        return [verdict("integral", self.concludes.name, self._problems()), *objections(self.concludes)]

    def _problems(self) -> Iterator[str]:
        here, source = self.concludes, conclusion(self.whole)
        y, low, high = self._integral.limits[0]
        if source.rel.op != "=":
            yield f"{source.rel} does not say what the integral is"
        if self.x in here.symbols or (y != self.x and self._integral.function.has(self.x)):
            yield f"{self.x} is used elsewhere"
        yield from unordered(low, high, here)
        inner = between(self.x, low, high, here)
        g = self._integral.function.xreplace({y: self.x})
        for item, wanted in ((self.nonnegative, Rel(self.f, ">=", 0)), (self.below, Rel(self.f, "<=", g))):
            if not sources.same(conclusion(item).rel, wanted, inner):
                yield f"{conclusion(item).rel} is not {wanted}"
            yield from sources.unmet(conclusion(item), {}, inner)
        yield from sources.unmet(source, {}, here)

    def mutants(self) -> list[Mutant]:
        wrong = {
            "integrand: doubled": replace(self, f=2 * self.f),
            "premises exchanged": replace(self, nonnegative=self.below, below=self.nonnegative),
        }
        return [Mutant(name, killed=next(other._problems(), None) is not None) for name, other in wrong.items()]


def between(x: sp.Symbol, low: sp.Expr, high: sp.Expr, here: Goal) -> Goal:
    """What is known of an x strictly between the ends of an integral; the ends themselves do not matter to it."""
    least, most = (end if end.is_Rational else None for end in (low, high))
    inside = [Rel(x, op, end) for op, end in ((">", low), ("<", high)) if end not in (-sp.oo, sp.oo)]
    range_ = Var(least, strict=least is not None, high=most)
    return replace(here, domain={**here.domain, x: range_}, given=(*here.given, *inside))


def unordered(low: sp.Expr, high: sp.Expr, here: Goal) -> Iterator[str]:
    """From a larger to a smaller end an integral changes its sign, and no x is in between."""
    if low in (-sp.oo, sp.oo) or high in (-sp.oo, sp.oo):
        if low == sp.oo or high == -sp.oo:
            yield f"{low} <= {high} is not true"
    elif not proved(here.with_rel(Rel(low, "<=", high), "order of the ends"), 1500):
        yield f"{low} <= {high} is not known"


@dataclass(frozen=True)
class MeanOfIntegral(Element):
    """Tonelli's theorem: the mean of the integral of f over x is the integral of the mean of f, if f >= 0.

    `nonnegative` proves f >= 0 for every x strictly between the ends and all values of the random quantities `over`,
    of which the ends may not depend. Means and integrals are finite by convention.
    """

    f: sp.Expr
    x: sp.Symbol
    low: sp.Expr
    high: sp.Expr
    over: tuple[sp.Symbol, ...]
    nonnegative: Item
    domain: Domain
    given: tuple[Rel, ...] = ()
    name: str = ""

    @property
    def premises(self) -> tuple[Item, ...]:
        return (self.nonnegative,)

    @cached_property
    def concludes(self) -> Goal:
        limits = (self.x, self.low, self.high)
        mean = Mean(sp.Integral(self.f, limits), *self.over)
        rel = Rel(mean, "=", sp.Integral(linear(Mean(self.f, *self.over)), limits))
        letters = conclusion(self.nonnegative).letters
        return Goal(rel, self.domain, self.given, self.name or "the mean of an integral", letters=letters)

    def evidence(self) -> list[Evidence]:
        return [verdict("integral", self.concludes.name, self._problems()), *objections(self.concludes)]

    def _problems(self) -> Iterator[str]:
        here, found = self.concludes, conclusion(self.nonnegative)
        low, high = map(sp.sympify, (self.low, self.high))
        if self.x in here.symbols or self.x in self.over:
            yield f"{self.x} is used elsewhere"
        for end in (low, high):
            if end.has(*self.over):
                yield f"the end {end} is random"
        yield from unordered(low, high, here)
        inner, wanted = between(self.x, low, high, here), Rel(self.f, ">=", 0)
        if not sources.same(found.rel, wanted, inner):
            yield f"{found.rel} is not {wanted}"
        yield from sources.unmet(found, {}, inner)

    def mutants(self) -> list[Mutant]:
        wrong = {
            "sign: negative": replace(self, f=-self.f),
            "range: ends exchanged": replace(self, low=self.high, high=self.low),
            "range: a random end": replace(self, high=self.over[0]),
        }
        return [Mutant(name, killed=next(other._problems(), None) is not None) for name, other in wrong.items()]
