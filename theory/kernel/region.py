"""Where a printed relation fails: a closed form, and the items that prove that it fails there and nowhere else.

exactly      an inequality fails where another relation holds
unequal      an equation fails where a factor of left - right is not 0, the cofactor being of one sign
everywhere   the relation fails at every point of its domain
TypedRegion  any other closed form, typed by an author, with items of its own that prove it
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any, ClassVar, Self

import sympy as sp

from theory.kernel.exact import sign
from theory.kernel.goal import FLIPPED, NEGATED, Goal, Letter, Rel, Var, free_symbols, positive
from theory.kernel.named import Named, spelled, valued
from theory.kernel.sampling import admissible

if TYPE_CHECKING:
    from theory.kernel.items import Item

READER: dict[str, sp.Expr] = {}  # what readers call a symbol; a model enters its names with `call`
Meaning = Mapping[sp.Symbol, sp.Expr]


def call(names: Mapping[str, sp.Expr | str]) -> None:
    """Enter what readers call symbols, by the names that these have in goals."""
    READER.update({name: sp.Symbol(shown) if isinstance(shown, str) else shown for name, shown in names.items()})


@dataclass(frozen=True, kw_only=True)
class Region:
    """A closed form in named variables, ready to be drawn, and what proves it, all computed from what is checked."""

    of: Goal  # the relation that fails there and nowhere else
    let: Meaning = field(default_factory=dict)  # what names stand for that the relation does not have
    opened: Meaning = field(default_factory=dict)  # what its symbols stand for, by the author
    more: tuple[Item, ...] = ()  # further items, such as those that lead from the printed relation to this one

    everywhere: ClassVar[bool] = False

    def __post_init__(self) -> None:
        _ = self.where  # a name that has two meanings

    def with_items(self, *more: Item) -> Self:
        return replace(self, more=(*self.more, *more))

    @cached_property
    def proved_by(self) -> tuple[Item, ...]:
        """Items that say together that the relation fails there and nowhere else."""
        raise NotImplementedError

    @property
    def items(self) -> tuple[Item, ...]:
        return (*self.proved_by, *self.more)

    @cached_property
    def shown(self) -> tuple[tuple[sp.Expr, str, sp.Expr], ...]:
        """The relations that hold there, in the names that readers know."""
        raise NotImplementedError

    @property
    def used(self) -> set[sp.Symbol]:
        """Symbols in which it is stated."""
        raise NotImplementedError

    @property
    def negation(self) -> bool:
        """Whether it is nothing but the relation negated, up to a constant factor."""
        return False

    @property
    def inequality(self) -> str:
        return " and ".join(f"{left} {op} {right}" for left, op, right in self.shown)

    @property
    def variables(self) -> tuple[str, ...]:
        return tuple(sorted({x.name for left, _, right in self.shown for e in (left, right) for x in e.free_symbols}))

    @property
    def _meaning(self) -> Meaning:
        """What is shown in place of symbols of the relation."""
        return self.opened

    @cached_property
    def where(self) -> Mapping[str, str]:
        """What names in what is shown stand for that the relation does not have."""
        used = [x for x in sorted(self.used, key=str) if x in self.let]
        found = {str(x.name): str(readable(self.let[x], self.of, self._meaning)) for x in used}
        meant = {name: value for name, value in found.items() if name != value}  # N + 1 may be shown as t itself
        self._refuse_letters_of(self.of, meant)
        for x in used:
            if x in self.of.symbols:
                raise ValueError(f"let: {x.name} is a letter of {self.of.rel} already")
            if readable(x, self.of) != sp.Symbol(x.name):
                raise ValueError(f"let: {x.name} would be shown as {readable(x, self.of)}")
        return meant

    def _refuse_letters_of(self, goal: Goal, names: Iterable[str]) -> None:
        symbols = goal.symbols.union(*(free_symbols(sp.sympify(value)) for value in goal.where.values()))
        letters = [goal.letters[x].shown for x in symbols if x in goal.letters]
        shown = [*letters, *(readable(x, goal, self._meaning) for x in symbols)]
        own = {y.name for expr in shown for y in expr.free_symbols}
        for name in sorted(own.intersection(names)):
            raise ValueError(f"let: {name} is a letter of {goal.rel} already")

    def unclear(self, printed: Goal) -> Iterator[str]:
        """Why what is shown would be read as something else beside the printed relation."""
        try:
            self._refuse_letters_of(printed, self.where)
        except ValueError as why:
            yield str(why)
        for name, value in _defined(printed):
            meant = next((self.let[x] for x in self.used & set(self.let) if x.name == name), value)
            if meant != value and sp.simplify(valued(meant) - value) != 0:
                yield f"let: {name} is {meant}, and {value} in {printed.rel}"
        for x in sorted(printed.symbols & (set(self._meaning) - set(self.opened)), key=spelled):
            yield f"region: {x} is shown as {self._meaning[x]}, and is any number of its range in {printed.rel}"
        read: dict[sp.Symbol, sp.Symbol] = {}  # of a letter, or of one that is moved by a number
        for x in sorted(self.of.symbols - set(self._meaning), key=spelled):
            letters = readable(x, self.of).free_symbols
            if len(letters) == 1 and read.setdefault(letter := next(iter(letters)), x) != x:
                yield f"region: {x} and {read[letter]} are both shown by {letter}"

    def is_of(self, printed: Goal) -> bool:
        """Whether it is where this very relation fails."""
        symbols = self.of.symbols.union(*(free_symbols(value) for value in self.opened.values()))
        if any(readable(x, self.of) != readable(x, printed) for x in printed.symbols & symbols):
            return False
        if self.opened:
            return self._opens(printed)
        if (self.of.rel, self.of.given) != (printed.rel, printed.given):
            return False
        return all(self.of.domain[x] == printed.domain[x] for x in printed.symbols)

    def _opens(self, printed: Goal) -> bool:
        """Whether the relation is the printed one, times a positive number, where symbols have their meanings."""
        from theory.kernel.prove import proved  # which falsifies

        base, at = self.of, dict(self.opened)
        if base.rel.op != printed.rel.op or base.given or printed.given:
            return False
        own = base.symbols - set(at)
        if any(base.domain[x].integer for x in base.symbols & set(at)):
            return False
        if not own <= printed.symbols or any(base.domain[x] != printed.domain[x] for x in own):
            return False
        ours, theirs = (base.rel.left - base.rel.right).xreplace(at), printed.rel.left - printed.rel.right
        if not ours.free_symbols <= printed.symbols:
            return False
        signed = {
            x: sp.Symbol(x.name, positive=True) for x in ours.free_symbols if printed.domain[x].within(positive())
        }
        factor = sp.simplify((ours / theirs).xreplace(signed))  # a guess: the kernel proves that it is one
        if not (factor.is_number and factor.is_positive):
            return False
        ranges = (r for x in base.symbols & set(at) for r in _in_range(at[x], base.domain[x]))
        return all(proved(printed.with_rel(r, "opened")) for r in (Rel(ours, "=", factor * theirs), *ranges))

    def typed(self, printed: Goal) -> bool:
        """Whether what is shown depends on what an author says that symbols stand for."""
        return bool(self.opened) and not self.is_of(printed)

    def as_json(self, printed: Goal) -> dict[str, Any]:
        return {
            "variables": list(self.variables),
            "inequality": self.inequality,
            "everywhere": self.everywhere,
            "negation": self.negation and self.is_of(printed),
            "of_printed": self.is_of(printed),
            "typed": self.typed(printed),
            "where": dict(self.where),
        }


@dataclass(frozen=True)
class TypedRegion:
    """A closed form that an author typed, and items that prove it; it is shown as typed."""

    inequality: str
    variables: tuple[str, ...]
    items: tuple[Item, ...]
    everywhere: bool = False

    def as_json(self, printed: Goal) -> dict[str, Any]:
        about = {"variables": sorted(self.variables), "inequality": self.inequality, "everywhere": self.everywhere}
        return {**about, "negation": False, "of_printed": False, "typed": True, "where": {}}


def readable(expr: sp.Expr, goal: Goal, opened: Meaning | None = None) -> sp.Expr:
    """The expression in the names that readers know: those of a model, else the letters of the goal."""
    expr = expr.xreplace(dict(opened or {}))
    names = {x: name for x in expr.free_symbols if (name := read(x, goal)) is not None}
    return expr.xreplace(names)


def read(x: sp.Symbol, goal: Goal) -> sp.Expr | None:
    """What readers call a symbol, in plain symbols: its name in a model, unless the goal has another letter for it."""
    known = READER.get(x.name)
    letter = lettered(goal.letters[x]) if x in goal.letters else None
    if known is None or letter is None:
        return letter if known is None else known
    alike = known == sp.Symbol(x.name) or str(known).replace("_", "") == str(letter).replace("_", "")
    return known if alike else letter


def lettered(letter: Letter) -> sp.Expr:
    """A letter in plain symbols, the square of sigma_k as sigma_k_sq."""
    squares = {e: sp.Symbol(f"{e.base.name}_sq") for e in letter.shown.atoms(sp.Pow) if e.exp == 2 and e.base.is_Symbol}
    shown = letter.shown.xreplace(squares)
    return shown.xreplace({x: sp.Symbol(x.name) for x in shown.free_symbols})


def _defined(goal: Goal) -> Iterator[tuple[str, sp.Expr]]:
    """Names that a statement defines, in plain symbols, with their values."""
    sides = [side for r in (goal.rel, *goal.given) for side in r.stated]
    named = (q for q in frozenset().union(*(side.atoms(Named) for side in sides)) if q.definition is not None)
    letters = [*((q.definition[0], q) for q in named), *goal.where.items(), *goal.short.items()]
    yield from sorted(((str(lettered(Letter(letter))), valued(value)) for letter, value in letters), key=str)


def _in_range(value: sp.Expr, var: Var) -> Iterator[Rel]:
    """That a value is in the range of a symbol, of real numbers."""
    if var.low is not None:
        yield Rel(value, ">" if var.strict else ">=", var.low)
    if var.high is not None:
        yield Rel(value, "<=", var.high)


@dataclass(frozen=True, kw_only=True)
class Exactly(Region):
    """Where another relation holds."""

    test: Rel
    also: tuple[Rel, ...] = ()
    numbers: Meaning = field(default_factory=dict)

    def __post_init__(self) -> None:
        super().__post_init__()
        for x in self.numbers:
            if x not in self.of.domain or self.of.domain[x].integer:
                raise ValueError(f"numbers: {x} must have a range of real numbers in {self.of.rel}")
        for r in self.also:
            if r.every:
                raise ValueError(f"also: {r} would be shown without its indices")

    @property
    def _meaning(self) -> Meaning:
        return {**self.opened, **self.numbers}

    @property
    def _inner(self) -> Rel:
        return self.test.at(self.let)

    @cached_property
    def proved_by(self) -> tuple[Item, ...]:
        inner, base = self._inner, self.of
        inside = replace(base, given=(*base.given, inner), rel=base.rel.negation, name="fails inside the region")
        outside = replace(base, given=(*base.given, inner.negation), name="holds outside the region")
        ranges = [r for x, value in self.numbers.items() for r in _in_range(value, base.domain[x])]
        about = [h.at(self.numbers) for h in base.given if h.symbols and h.symbols <= set(self.numbers)]
        numbers = (Goal(r, name=f"{r.left} is in its range") for r in ranges)
        supposed = (Goal(r, name=f"{r}, which is supposed") for r in about)
        return (inside, outside, *numbers, *supposed)

    @cached_property
    def shown(self) -> tuple[tuple[sp.Expr, str, sp.Expr], ...]:
        left_op_right = ((r.left, r.op, r.right) for r in (self.test, *self.also))
        return tuple(
            (readable(a, self.of, self._meaning), op, readable(b, self.of, self._meaning)) for a, op, b in left_op_right
        )

    @property
    def used(self) -> set[sp.Symbol]:
        return set(self.test.symbols)

    @property
    def negation(self) -> bool:
        inner, rel = self._inner, self.of.rel
        return _proportional(inner.left - inner.right, rel.left - rel.right)

    def typed(self, printed: Goal) -> bool:
        return super().typed(printed) or not set(self.also) <= set(self.of.given)


@dataclass(frozen=True, kw_only=True)
class Unequal(Region):
    """Where a factor of left - right is not 0."""

    factor: sp.Expr

    @property
    def _inner(self) -> sp.Expr:
        return self.factor.xreplace(dict(self.let))

    @property
    def _difference(self) -> sp.Expr:
        return self.of.rel.left - self.of.rel.right

    @cached_property
    def proved_by(self) -> tuple[Item, ...]:
        inner, difference, base = self._inner, self._difference, self.of
        rational = sp.QQ.frac_field(*sorted(difference.free_symbols | inner.free_symbols, key=spelled))
        cofactor = (rational.from_sympy(difference) / rational.from_sympy(inner)).as_expr()
        split = replace(base, rel=Rel(difference, "=", inner * cofactor), name="left - right, factored")
        one_sign = replace(base, rel=Rel(cofactor, _sign_of(cofactor, base), 0), name="the cofactor is never 0")
        return split, one_sign

    @cached_property
    def shown(self) -> tuple[tuple[sp.Expr, str, sp.Expr], ...]:
        return ((readable(self.factor, self.of), "!=", sp.S.Zero),)

    @property
    def used(self) -> set[sp.Symbol]:
        return set(self.factor.free_symbols)

    @property
    def negation(self) -> bool:
        return _proportional(self._inner, self._difference)


@dataclass(frozen=True, kw_only=True)
class Everywhere(Region):
    """The whole domain: left - right, or `by`, is of one sign."""

    by: sp.Expr | None = None

    everywhere: ClassVar[bool] = True

    @property
    def _difference(self) -> sp.Expr:
        return self.of.rel.left - self.of.rel.right

    @cached_property
    def _op(self) -> str:
        return _sign_of(self._difference, self.of) if self.of.rel.op == "=" else NEGATED[self.of.rel.op]

    @cached_property
    def proved_by(self) -> tuple[Item, ...]:
        base = self.of
        items = [replace(base, rel=Rel(base.rel.left, self._op, base.rel.right), name="fails at every point")]
        if self.by is not None:
            much = Rel(self._difference, "=", self.by.xreplace(dict(self.let)))
            items.append(replace(base, rel=much, name="by how much"))
        return tuple(items)

    @cached_property
    def shown(self) -> tuple[tuple[sp.Expr, str, sp.Expr], ...]:
        much = sp.factor(readable(self._difference, self.of)) if self.by is None else readable(self.by, self.of)
        if self._op in ("<", "<="):
            return ((-much, FLIPPED[self._op], sp.S.Zero),)
        return ((much, self._op, sp.S.Zero),)

    @property
    def used(self) -> set[sp.Symbol]:
        return set() if self.by is None else set(self.by.free_symbols)


def exactly(
    base: Goal,
    where: Rel,
    opened: Meaning | None = None,
    let: Meaning | None = None,
    also: tuple[Rel, ...] = (),
    numbers: Meaning | None = None,
) -> Exactly:
    """The inequality fails where `where` holds, and holds where it does not.

    `where` may use names that the goal does not have: `let` says what they are there. `opened` says what symbols of the
    goal stand for, such as logarithms: they are shown so. What is shown is typed then, unless the goal is the printed
    relation with symbols in their places. `also` are hypotheses of the goal that are shown too. For symbols that may
    have any value in their range, `numbers` are shown: one for pi, say, as a rational relation has no such number.
    """
    return Exactly(of=base, test=where, opened=opened or {}, let=let or {}, also=also, numbers=numbers or {})


def unequal(base: Goal, factor: sp.Expr, let: Meaning | None = None) -> Unequal:
    """The equation fails where `factor` is not 0: left - right is the factor times an expression of one sign."""
    return Unequal(of=base, factor=factor, let=let or {})


def everywhere(base: Goal, by: sp.Expr | None = None, let: Meaning | None = None) -> Everywhere:
    """The relation fails at every point of its domain: its reverse holds. `by`: by how much, if not left - right."""
    return Everywhere(of=base, by=by, let=let or {})


def _proportional(one: sp.Expr, other: sp.Expr) -> bool:
    """Whether two expressions differ by a constant factor only."""
    return bool(one == other or sp.cancel(one / other).is_number) if other != 0 else False


def _sign_of(expr: sp.Expr, base: Goal) -> str:
    """`>` or `<`, as the expression compares with 0 at the first point of the domain where it is not 0."""
    for point in admissible(replace(base, rel=Rel(expr, "=", 0)), 1000):
        found = sign(expr.xreplace(dict(point.values)))
        if found:
            return ">" if found > 0 else "<"
    raise ValueError(f"{expr}: 0 at every point tried")
