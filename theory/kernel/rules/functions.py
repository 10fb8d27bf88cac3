"""A theorem about every function, at particular ones: a process that is any becomes the one that is studied. And a
function of equal arguments, that has equal values."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cached_property

import sympy as sp
from sympy.core.function import AppliedUndef, UndefinedFunction

from theory.kernel import sources
from theory.kernel.defined import occurrences, undefined_value, within
from theory.kernel.engines import Evidence
from theory.kernel.goal import Goal, Rel, Var
from theory.kernel.items import Element, Item, below, used
from theory.kernel.mutate import Mutant
from theory.kernel.rules.cited import Cited
from theory.kernel.rules.compose import Domain, conclusion, verdict
from theory.kernel.rules.definition import Definition
from theory.kernel.sanity import objections
from theory.kernel.terms import bound, conditional, substitute


def stipulated(item: Item) -> Iterator[Goal]:
    """Relations in a proof that come from a model or from the literature, also in the proofs of claims that it uses."""
    seen: set[str] = set()
    waiting: list[tuple[Item, ...]] = [(item,)]
    while waiting:
        items = waiting.pop()
        for part in (*below(*items), *items):
            if isinstance(part, Definition | Cited) and part.concludes is not None:
                yield part.concludes
        new = [name for name in used(*items) if name not in seen]
        seen.update(new)
        waiting += [sources.proof_of(name).items for name in new]


@dataclass(frozen=True)
class Specialised(Element):
    """A relation that holds for every function M of a range, with an expression for M: `functions` is {M(t, o): expr}.

    The arguments of a key are distinct symbols; the expression must lie in the range of M for all their values. The
    hypotheses about M, with the expression for it, must be among `given` or follow from them. The proof of the relation
    must take nothing about M from a model or from the literature: a definition of M says that M is a particular one.
    """

    item: Item
    functions: Mapping[sp.Expr, sp.Expr]
    domain: Domain
    given: tuple[Rel, ...] = ()
    name: str = ""

    def __post_init__(self) -> None:
        for pattern in self.functions:
            plain = isinstance(pattern, AppliedUndef) and all(x.is_Symbol for x in pattern.args)
            if not plain or len(set(pattern.args)) < len(pattern.args):
                raise ValueError(f"{pattern}: a function of distinct symbols is needed")

    @property
    def premises(self) -> tuple[Item, ...]:
        return (self.item,)

    @cached_property
    def _of(self) -> dict[UndefinedFunction, sp.Expr]:
        return {pattern.func: pattern for pattern in self.functions}

    @cached_property
    def _taken(self) -> frozenset[sp.Symbol]:
        """Symbols that an operator of the relation or of a hypothesis binds, and indices of hypotheses."""
        source = conclusion(self.item)
        quantified = {i for h in source.given for i, *_ in h.every}
        return frozenset(quantified).union(*(bound(side) for r in (source.rel, *source.given) for side in r.stated))

    def _inserted(self, expr: sp.Expr) -> sp.Expr:
        """The expression with every value of a replaced function written out, the innermost first.

        What one side averages or sums over is no variable in the other sides, nor in hypotheses about it.
        """
        taken = self._taken

        def value(*args: sp.Expr, of: sp.Expr) -> sp.Expr:
            body = sp.sympify(self.functions[of])
            outside = body.free_symbols - set(of.args)
            inside = set().union(*(a.free_symbols for a in args)) if args else set()
            if outside & taken or bound(body) & (inside | taken):
                raise ValueError(f"{of} = {body}: a bound symbol of {expr} would change its meaning")
            return body.xreplace(dict(zip(of.args, args, strict=True)))

        for func, pattern in self._of.items():
            if any(sp.sympify(body).has(f) for f in self._of for body in self.functions.values()):
                raise ValueError(f"{pattern}: an expression contains a function that is replaced")
            expr = expr.replace(func, lambda *args, of=pattern: value(*args, of=of))
        return expr

    def _moved(self, rel: Rel) -> Rel:
        left, right = map(self._inserted, rel.stated)
        every = tuple((i, *(self._inserted(sp.sympify(end)) for end in ends)) for i, *ends in rel.every)
        return Rel(left, rel.op, right, every=every)

    @cached_property
    def concludes(self) -> Goal:
        source = conclusion(self.item)
        letters = {x: letter for x, letter in source.letters.items() if x.func not in self._of}
        name = self.name or source.name
        return Goal(self._moved(source.rel), self.domain, self.given, name, letters=letters, short=source.short)

    def evidence(self) -> list[Evidence]:
        what = ", ".join(f"{x} = {value}" for x, value in self.functions.items())
        found = verdict("functions", f"{self.concludes.name} at {what}", self._problems())
        return [found, *objections(self.concludes)]

    def _problems(self) -> Iterator[str]:
        for goal in stipulated(self.item):
            sides = [side for r in (goal.rel, *goal.given) for side in r.stated]
            for func in self._of:
                if any(side.has(func) for side in sides):
                    yield f"{func} is no function of which only the range is known: {goal.name}"
        source, here = conclusion(self.item), self.concludes
        yield from (f"{x} stands for {value}" for x, value in sources.meaning(source).items())
        yield from sources.infinite(source, self.functions, here)
        kept = {x: v for x, v in source.domain.items() if x.func not in self._of}
        rest = Goal(here.rel, {**dict.fromkeys(here.symbols, Var()), **kept}, tuple(map(self._moved, source.given)))
        yield from sources.unmet(rest, {}, here)
        for pattern, value in self.functions.items():
            free = {**here.domain, **dict.fromkeys(pattern.args, Var())}
            known = tuple(h for h in here.given if not h.symbols & set(pattern.args))  # others are not of all values
            anywhere = replace(here, domain=free, given=known)
            for args, around in occurrences(source, pattern.func):
                at = sp.sympify(value).xreplace(dict(zip(pattern.args, map(self._inserted, args), strict=True)))
                yield from undefined_value(at, within(around, here))
            for side in (side for r in (source.rel, *source.given) for side in r.stated):
                if conditional(side, pattern.func, sp.sympify(value)):
                    yield f"{value}: a mean would become conditional in {side}"
            for var in (v for x, v in source.domain.items() if x.func == pattern.func and v != Var()):
                if not sources.inside(sp.sympify(value), var, anywhere):
                    yield f"{pattern} = {value} is not known to be {var}"

    def mutants(self) -> list[Mutant]:
        """A function with values outside the range of M must be refused."""
        found = []
        for pattern, value in self.functions.items():
            ranges = [v for x, v in conclusion(self.item).domain.items() if x.func == pattern.func]
            for low in [v.low for v in ranges if v.low is not None][:1]:
                outside = replace(self, functions={**self.functions, pattern: low - 1 - value**2})
                refused = next(outside._problems(), None) is not None
                found.append(Mutant(f"function: {pattern} below {low}", killed=refused))
        return found


def specialised(
    item: Item, functions: Mapping[sp.Expr, sp.Expr], domain: Domain, given: tuple[Rel, ...] = (), name: str = ""
) -> Specialised:
    """A theorem about any functions, for these."""
    return Specialised(item, {x: sp.sympify(v) for x, v in functions.items()}, domain, given, name)


@dataclass(frozen=True)
class Congruent(Element):
    """f(a) = f(b), where `equality` proves a = b: f is an expression in the symbol x, also with x inside functions.

    No operator in f may bind a symbol of a or b. `given` are hypotheses of the claim's own, which must give those of
    the equality.
    """

    f: sp.Expr
    x: sp.Symbol
    equality: Item
    domain: Domain
    given: tuple[Rel, ...] = ()
    name: str = ""

    @property
    def premises(self) -> tuple[Item, ...]:
        return (self.equality,)

    @cached_property
    def concludes(self) -> Goal:
        source = conclusion(self.equality)
        left, right = (substitute(self.f, {self.x: side}) for side in source.rel.stated)
        found = Goal(Rel(left, "=", right), self.domain, self.given, self.name or "of equals", letters=source.letters)
        return replace(found, where=sources.meaning(source))

    def evidence(self) -> list[Evidence]:
        found = verdict("of equals", self.concludes.name, self._problems())
        return [found, *objections(self.concludes)]

    def _problems(self) -> Iterator[str]:
        source = conclusion(self.equality)
        if source.rel.op != "=" or source.rel.every:
            yield f"{source.rel} is no equation"
        yield from sources.unmet(source, {}, self.concludes)

    def mutants(self) -> list[Mutant]:
        left, right = conclusion(self.equality).rel.stated
        order = replace(conclusion(self.equality), rel=Rel(left, "<=", right))
        refused = next(replace(self, equality=order)._problems(), None) is not None
        return [Mutant("an inequality for the equation", killed=refused)]


def congruent(
    f: sp.Expr, x: sp.Symbol, equality: Item, domain: Domain, given: tuple[Rel, ...] = (), name: str = ""
) -> Congruent:
    """f(a) = f(b) from a = b."""
    return Congruent(sp.sympify(f), x, equality, domain, given, name)
