"""What a reader is shown of a counterexample: every value that was used, derived from the point.

A value is shown by its letter, or follows from what is shown: by the letter itself (K - 1), by an expression of the
point (`Point.where`), or by a rule of a model (`derives`), each evaluated exactly. What no value of the relation
follows from is typed by the author, and is called so.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import sympy as sp

from theory.kernel.exact import sign
from theory.kernel.goal import Goal, Point
from theory.kernel.named import Named, Said
from theory.kernel.region import read

SIDES = ("left", "right")  # entries of a counterexample beside those of its point
Shown = Mapping[str, Any]
Derivation = Callable[[Shown], Mapping[sp.Symbol, sp.Expr]]
DERIVATIONS: list[Derivation] = []  # of a model: its symbols as expressions in the names of what is shown
DERIVED: set[sp.Symbol] = set()  # symbols of a model that have such values only: sums over arms that are counted


def derives(*only: sp.Symbol) -> Callable[[Derivation], Derivation]:
    """Enter how the values of a model's symbols follow from what is shown of a point; `only` have no other values."""

    def enter(rule: Derivation) -> Derivation:
        DERIVATIONS.append(rule)
        DERIVED.update(only)
        return rule

    return enter


def number(text: Any) -> sp.Expr | None:
    """The exact number that is shown as this; None if it is none."""
    try:
        found = sp.sympify(str(text).replace("^", "**"))
    except (sp.SympifyError, TypeError, ValueError, AttributeError, SyntaxError):
        return None
    exact = isinstance(found, sp.Expr) and found.is_number and found.is_real and not found.has(sp.Float)
    return found if exact else None


@dataclass(frozen=True)
class Display:
    """What is shown of a point at which a relation was evaluated, and what of it was used."""

    goal: Goal
    point: Point
    premises: tuple[sp.Symbol, ...] = ()  # symbols of the premises of an inference, evaluated at the point too

    @cached_property
    def entries(self) -> dict[str, Any]:
        """All entries: of the point, of examples that the relation names, and values that do not follow from these."""
        return {**self._given, **self._words, **{name: text for name, text in self._added if name not in self._given}}

    @property
    def typed(self) -> tuple[str, ...]:
        """Entries that nothing in the relation was compared with: words, and numbers of which it has no letter."""
        used = set().union(self._examples, self._implied, *(names for _, names in self._found.values()))
        return tuple(x for x in (*self._given, *self._words) if x not in used)

    def problems(self) -> Iterator[str]:
        """Why a reader could not redo the counterexample from what is shown, or would redo another one."""
        for name, text in self._given.items():
            if None in map(number, text if isinstance(text, (list, tuple)) else [text]):
                yield f"{name} = {text} is shown, which is no exact number: words are entered as such"
        for name in self._words:
            if name in self._given:
                yield f"{name} is shown twice"
        for name, texts in _together((*self._data, self.point.shown or {}, self.point.words)).items():
            if len(texts) > 1 and name in self._examples:
                yield f"{name} is both {texts[0]} and {texts[1]}: one is that of an example"
        for x, claimed in self._claims:
            if self._agrees(x, claimed) is False:
                yield f"{x} = {self._value(claimed)} by what is shown, {self.point.values[x]} was used"
        for x in sorted(DERIVED.intersection(self._used), key=str):
            if not any(x in rule(self._given) for rule in DERIVATIONS):
                yield f"{x} = {self.point.values[x]} was used, which must follow from what is shown of the arms"
        for name, value in self._implied.items():
            if value != self._numbers[name][0]:
                yield f"{name} = {value} by what is shown, {self._given[name]} is shown too"
        for x, (names, _) in self._found.items():
            clash = [name for name in names if name in self._given or name in self._words]
            if clash:
                yield f"{x} = {self.point.values[x]} was used, and {clash[0]} is shown as something else"
        added = [name for name, _ in self._added]
        yield from (f"two values are shown as {name}" for name in dict.fromkeys(added) if added.count(name) > 1)
        for x, how in self.point.where.items():
            if x not in self._used:
                yield f"{x} is said to be {how}, and is not used"
            elif self._value(how) is None:
                yield f"{x} is said to be {how}, of which not all is shown"
        yield from (f"{name} is shown, as a side of the relation is" for name in SIDES if name in self.entries)

    @cached_property
    def _data(self) -> list[Mapping[str, Any]]:
        """What the examples consist of whose numbers the relation names."""
        sides = (side for r in (self.goal.rel, *self.goal.given) for side in r.stated)
        return [q.data for q in sorted({q for side in sides for q in side.atoms(Named)}, key=str)]

    @cached_property
    def _examples(self) -> dict[str, Any]:
        return {name: texts[0] for name, texts in _together(self._data).items()}

    @cached_property
    def _given(self) -> dict[str, Any]:
        data = {name: text for name, text in self._examples.items() if not isinstance(text, Said)}
        return {**data, **(self.point.shown or {})}

    @cached_property
    def _words(self) -> dict[str, str]:
        said = {name: str(text) for name, text in self._examples.items() if isinstance(text, Said)}
        return {**said, **self.point.words}

    @cached_property
    def _numbers(self) -> dict[str, tuple[sp.Expr, str]]:
        """Numbers by name, each with the entry that shows it; of a list `n` they are n_1, n_2, ..."""
        found = {}
        for name, text in self._given.items():
            many = isinstance(text, (list, tuple))
            for i, one in enumerate(text if many else [text], 1):
                value = number(one)
                if value is not None:
                    found[f"{name}_{i}" if many else name] = value, name
        return found

    @cached_property
    def _used(self) -> list[sp.Symbol]:
        """Symbols whose values were used, also in what others stand for."""
        where = (sp.sympify(value).free_symbols for value in self.goal.where.values())
        symbols = {*self.goal.symbols, *self.premises}.union(*where)
        return sorted((x for x in symbols if x in self.point.values), key=lambda x: str(x.name))

    def _letters(self, x: sp.Symbol) -> Iterator[sp.Expr]:
        """How readers write a symbol: an expression in names of entries."""
        known = read(x, self.goal)
        if known is not None:
            yield known
        if x in self.goal.letters:
            yield self.goal.letters[x].shown
        yield x

    @cached_property
    def _claims(self) -> list[tuple[sp.Symbol, sp.Expr]]:
        """Symbols that were used and what the entries say that they are, wherever they say it."""
        found = [(x, self.point.where[x]) for x in self._used if x in self.point.where]
        found += [(x, letter) for x in self._used for letter in self._letters(x)]
        for rule in DERIVATIONS:
            found += [(x, e) for x, e in rule(self._given).items() if x in self._used]
        return found

    @cached_property
    def _implied(self) -> dict[str, sp.Expr]:
        """Entries that follow from others by a rule of a model, as the number of arms does from their counts."""
        said = ((x.name, e) for rule in DERIVATIONS for x, e in rule(self._given).items() if x.name in self._numbers)
        return {name: value for name, e in said if (value := self._value(e)) is not None}

    @cached_property
    def _found(self) -> dict[sp.Symbol, tuple[list[str], set[str]]]:
        """For every symbol used: names under which it is to be added, if any, and the entries from which it follows."""
        found: dict[sp.Symbol, tuple[list[str], set[str]]] = {}
        for x in self._used:
            said = [e for y, e in self._claims if y == x and self._agrees(x, e)]
            entries = {self._numbers[y.name][1] for e in said[:1] for y in e.free_symbols}
            plain = any(_entry(e) and e.free_symbols for e in said)
            found[x] = ([] if plain else [self._name(x)[0]], entries)
        return found

    @cached_property
    def _added(self) -> list[tuple[str, str]]:
        """Values that were used and are no entry of the point; where the point says how they follow, with this."""
        found = []
        for x, (names, _) in self._found.items():
            how = self.point.where.get(x)
            name, by = self._name(x)
            value = str(self.point.values[x] - by)
            found += [(name, f"{how} = {value}" if how is not None and how.free_symbols else value) for _ in names]
        return found

    def _name(self, x: sp.Symbol) -> tuple[str, sp.Expr]:
        """The entry that is to show a symbol, and by how much its letter is less: K for K - 1."""
        letter = next(self._letters(x))
        by, rest = letter.as_coeff_Add()
        if rest.is_Symbol:
            return str(rest.name), by
        base, power = letter.as_base_exp()
        return (f"{base.name}_sq" if base.is_Symbol and power == 2 else str(letter)), sp.S.Zero

    def _value(self, expr: sp.Expr) -> sp.Expr | None:
        """The value of an expression in names of entries; None if it has others."""
        at = {y: self._numbers[y.name][0] for y in expr.free_symbols if y.name in self._numbers}
        return expr.xreplace(at) if len(at) == len(expr.free_symbols) else None

    def _agrees(self, x: sp.Symbol, claimed: sp.Expr) -> bool | None:
        """Whether a symbol has the value of an expression in names of entries; None if this has none."""
        value = self._value(claimed)
        return None if value is None else value == self.point.values[x] or sign(value - self.point.values[x]) == 0


def _together(entries: Iterable[Mapping[str, Any]]) -> dict[str, list[Any]]:
    """The different texts under each name."""
    found: dict[str, list[Any]] = {}
    for name, text in ((name, text) for some in entries for name, text in some.items()):
        known = found.setdefault(name, [])
        known += [] if text in known else [text]
    return found


def _entry(expr: sp.Expr) -> bool:
    """Whether it is an entry itself, or one that is moved by a number: n_1, K - 1."""
    return bool(expr.as_coeff_Add()[1].is_Symbol)


def symbols_of(relations: Iterable[Any]) -> tuple[sp.Symbol, ...]:
    return tuple(sorted(set().union(*(r.symbols for r in relations)), key=lambda x: str(x.name)))
