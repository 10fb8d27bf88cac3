"""Functions of a model: quantities that depend on the outcome of a play, and functions of numbers.

Two functions with one name are the same function only if one module makes both: what a module says of its S must not
hold of another module's S. SymPy compares the keyword arguments of a function besides its name, so that the module is
one of them.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping
from functools import lru_cache
from typing import Any

import sympy as sp
from sympy.core.function import AppliedUndef, UndefinedFunction

from theory.kernel.goal import Var
from theory.kernel.rules import Definition

_MADE: dict[tuple[str, str], object] = {}  # how a function of a module is printed


def made(name: str, printed: object, attributes: dict[str, Any], depth: int = 2, meaning: str = "") -> Any:
    """A function of the module `depth` calls up from here: 2, if that module calls the caller.

    `meaning` is for the legend: "k t: width of arm k in round t" names the printed arguments first.
    """
    module = sys._getframe(depth).f_globals["__name__"]
    if _MADE.setdefault((module, name), printed) != printed:
        raise ValueError(f"name={name!r} is that of another function of {module}, {_MADE[module, name]}")
    letters, _, text = meaning.partition(": ") if ": " in meaning else ("", "", meaning)
    said = {"meaning": (sp.symbols(letters.split()), text)} if meaning else {}
    return UndefinedFunction(
        name, __dict__={**attributes, **said, "of_model": True, "ranges": classmethod(_ranges)}, of=module
    )


def _ranges(function: UndefinedFunction) -> frozenset[Var]:
    """The ranges that domains of models state for a function; a statement prints any other one."""
    return _stated(len(sys.modules)).get(function, frozenset())


@lru_cache(maxsize=1)
def _stated(modules: int) -> dict[UndefinedFunction, frozenset[Var]]:
    """By function, from the domains of the modules beside this one; `modules`, their number, changes with imports."""
    found: dict[UndefinedFunction, frozenset[Var]] = {}
    for domain in (x for x in _beside() if isinstance(x, Mapping)):
        for term, var in domain.items():
            if isinstance(term, AppliedUndef) and isinstance(var, Var):
                found[term.func] = found.get(term.func, frozenset()) | {var}
    return found


def _beside() -> Iterator[Any]:
    """What the modules beside this one contain."""
    beside = [module for name, module in list(sys.modules.items()) if name.startswith(__package__ + ".")]
    return (x for module in beside for x in list(vars(module).values()))


def _terms() -> Iterator[AppliedUndef]:
    """Values of functions there: those that stand alone, in domains, and in definitions."""
    for x in _beside():
        if isinstance(x, Definition):
            sides = (side for rel in (x.gives.rel, *x.gives.given) for side in rel.stated)
            yield from (term for side in sides for term in side.atoms(AppliedUndef))
        yield from (term for term in (x if isinstance(x, Mapping) else (x,)) if isinstance(term, AppliedUndef))


def places_of(function: UndefinedFunction, symbol: sp.Symbol) -> frozenset[int]:
    """The places of a function's arguments at which the domains of models have this symbol, such as a round t."""
    return _places(len(sys.modules)).get((function, symbol), frozenset())


@lru_cache(maxsize=1)
def _places(modules: int) -> dict[tuple[UndefinedFunction, sp.Symbol], frozenset[int]]:
    found: dict[tuple[UndefinedFunction, sp.Symbol], frozenset[int]] = {}
    for term in _terms():
        for place, x in enumerate(term.args):
            if x.is_Symbol:
                found[term.func, x] = found.get((term.func, x), frozenset()) | {place}
    return found


def quantity(name: str, tex: str, parts: int = 1, depth: int = 1, meaning: str = "") -> Any:
    """A function of some indices and of the outcome, its last arguments; `tex` has places for the printed indices.

    It belongs to the module `depth` calls up.
    """

    def of(self: AppliedUndef, printer: Any) -> str:
        """The outcome, where it is no plain symbol."""
        return "".join(printer._print(x) for x in self.args[-parts:] if hasattr(x.func, "is_outcome"))

    def latex(self: AppliedUndef, printer: Any, exp: str | None = None) -> str:
        base = tex.format(*map(printer._print, self.args[:-parts]))
        return (base if exp is None else rf"{base}^{{{exp}}}") + of(self, printer)

    def text(self: AppliedUndef, printer: Any) -> str:
        indices = ", ".join(map(printer._print, self.args[:-parts]))
        return (f"{name}({indices})" if indices else name) + of(self, printer)

    attributes = {"_latex": latex, "_sympystr": text, "of_outcome": parts}
    return made(name, (tex, parts), attributes, depth + 1, meaning)


def of_arm(name: str, tex: str, meaning: str = "") -> Any:
    """A quantity of the whole outcome: its last two arguments are not printed."""
    return quantity(name, tex, 2, depth=2, meaning=meaning)


def number_of(name: str, meaning: str = "") -> Any:
    """A function of several numbers, which are not printed."""

    def latex(self: AppliedUndef, printer: Any, exp: str | None = None) -> str:
        index = "" if self.args[0].is_Symbol else f"_{{{printer._print(self.args[0])}}}"
        return f"{name}{index}" if exp is None else f"{name}{index}^{{{exp}}}"

    def text(self: AppliedUndef, printer: Any) -> str:
        return name if self.args[0].is_Symbol else f"{name}({printer._print(self.args[0].args[0])})"

    return made(name, "numbers", {"_latex": latex, "_sympystr": text, "of_outcome": 1}, meaning=meaning)


def function(name: str, tex: str, meaning: str = "") -> Any:
    """A function of numbers that stands for a formula; `tex` has places for its arguments."""

    def latex(self: AppliedUndef, printer: Any, exp: str | None = None) -> str:
        base = tex.format(*map(printer._print, self.args))
        return base if exp is None else rf"{base}^{{{exp}}}"

    return made(name, tex, {"_latex": latex}, meaning=meaning)


def outcome(name: str) -> Any:
    """An outcome by a round and parts that are distinguished there: quantities of it print the parts."""

    def printed(self: AppliedUndef, printer: Any) -> str:
        return f"({', '.join(map(printer._print, self.args[1:]))})"

    return made(name, "parts", {"_latex": printed, "_sympystr": printed, "is_outcome": True})


class Random(sp.Symbol):  # type: ignore[misc]
    """A random quantity of a model, over which a mean is taken: it has a law, which no other symbol of its name has.

    `of` is the module whose laws are about it; two quantities of one module and name are distinguished by `law`.
    """

    __slots__ = ("law", "of")

    def __new__(cls, name: str, of: str, law: sp.Expr = sp.S.Zero) -> Random:
        found: Random = sp.Symbol.__xnew__(cls, name)
        found.of, found.law = of, law
        return found

    @classmethod
    def class_key(cls) -> tuple[int, int, str]:
        return 2, 0, "Symbol"  # sorted, and so printed, as other symbols

    def __getnewargs_ex__(self) -> tuple[tuple[Any, ...], dict[str, Any]]:
        return (self.name, self.of, self.law), {}

    def _hashable_content(self) -> tuple[Any, ...]:
        return (*super()._hashable_content(), self.of, self.law)


def random(names: str) -> Any:
    """Random quantities of the calling module, by their names as `sp.symbols` takes them."""
    module = sys._getframe(1).f_globals["__name__"]
    found = [Random(name, module) for name in names.split()]
    return found[0] if len(found) == 1 else tuple(found)
