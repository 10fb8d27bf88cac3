"""The expressions of a goal as its readers see them: in their letters, as LaTeX and as plain text.

Letters come with the goal (`Goal.letters`, provided by the model): an expression in a reader's symbols, as sigma^2 for
`s` or K - 1 for `J`, and what it means. A symbol without one is printed by its name.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from functools import lru_cache

import sympy as sp
from sympy.core.function import AppliedUndef
from sympy.printing.latex import LatexPrinter
from sympy.printing.precedence import PRECEDENCE

from theory.kernel.goal import Goal, Rel, Var
from theory.kernel.named import Named, Remembering, spelled, valued, written
from theory.kernel.subexpressions import atoms
from theory.kernel.terms import Event, Mean, indices, stated

_TEX = {"=": "=", "<=": r"\le", "<": "<", ">=": r"\ge", ">": ">"}


def reader(goal: Goal) -> Reader:
    """The reader of a goal, made once."""
    found: Reader | None = goal.__dict__.get("_reader")
    if found is None:
        found = goal.__dict__["_reader"] = Reader(complete(goal))
    return found


def complete(goal: Goal) -> Goal:
    """The goal as it is printed: with what its symbols stand for in the claims behind its hypotheses.

    These hypotheses are not repeated, and hold for nothing else: without the definitions another statement is printed.
    """
    from theory.kernel.sources import defining  # which proves

    found: Goal | None = goal.__dict__.get("_complete")
    if found is None:
        meant, ranged = defining(goal)
        found = replace(goal, where={**meant, **goal.where}, domain={**ranged, **goal.domain}) if meant else goal
        goal.__dict__["_complete"] = found
    return found


class _Latex(LatexPrinter):  # type: ignore[misc]
    """LaTeX in which a quantity with index i, the value n(i) of a function, is printed n_i."""

    def _print_Function(self, expr: sp.Expr, exp: str | None = None) -> str:
        name = expr.func.__name__
        if not isinstance(expr, AppliedUndef) or "_" in name:
            return str(super()._print_Function(expr, exp))
        letter = rf"\mathrm{{{name}}}" if _a_word(name) else self._print(sp.Symbol(name))
        indexed = f"{letter}_{{{','.join(map(self._print, expr.args))}}}"
        return indexed if exp is None else f"{indexed}^{{{exp}}}"


class _Text(Remembering):
    """Plain text with E[X], 1{X >= 0}, 1{X = Y}, sum_{i=1..K} f and x^2."""

    def _print_Mean(self, expr: Mean) -> str:
        return f"E[{self._print(expr.args[0])}]"

    def _print_Event(self, expr: Event) -> str:
        left, op, right = expr.shown
        return f"1{{{self._print(left)} {op} {self._print(right)}}}"

    def _print_Sum(self, expr: sp.Sum) -> str:
        outer_first = reversed(expr.limits)  # an inner sum may end at an outer index
        ranges = "".join(f"sum_{{{i}={self._print(low)}..{self._print(high)}}} " for i, low, high in outer_first)
        return ranges + str(self.parenthesize(expr.function, PRECEDENCE["Mul"]))

    def parenthesize(self, item: sp.Expr, level: int, strict: bool = False) -> str:
        """A power of a sum is not the sum of the powers, nor is one of a name in words that of its last word."""
        text = str(super().parenthesize(item, level, strict))
        words = isinstance(item, AppliedUndef) and bool(set(" ^") & set(text.partition("(")[0]))
        inside = (isinstance(item, sp.Sum) or words) and level >= PRECEDENCE["Pow"]
        return f"({self._print(item)})" if inside else text

    def doprint(self, expr: sp.Expr) -> str:
        return str(super().doprint(expr)).replace("**", "^")


_TEXT = _Text()


@lru_cache(maxsize=16384)  # the steps of a proof have many expressions in common
def _in_latex(expr: sp.Expr, names: frozenset[tuple[sp.Symbol, str]]) -> str:
    return str(_Latex({"symbol_names": dict(names)}).doprint(expr))


class Reader:
    """Expressions of one goal in the letters of its readers."""

    def __init__(self, goal: Goal) -> None:
        own = {x for x in goal.domain if x not in goal.letters} & goal.symbols
        sides = [side for r in (goal.rel, *goal.given) for side in r.stated]
        slopes = set().union(*map(_variables, sides))
        values = (formula for side in sides for _, formula in named_formulas(side, in_letters=False))
        defining = set().union(*(value.free_symbols for value in (*goal.where.values(), *values)))
        new = {
            x: letter.shown
            for x, letter in goal.letters.items()
            if (x in goal.domain or x in defining) and (letter.shown == x or (x.is_Symbol and x not in slopes))
        }
        clash = {x for x, shown in new.items() if shown.free_symbols & (own - {x})}
        halves = {x for x, shown in new.items() if not shown.as_coeff_Add()[0].is_Integer}  # an integer would be none
        clash |= {x for x in halves if goal.domain.get(x, Var()).integer}
        self.letters = {x: shown for x, shown in new.items() if x not in clash}
        self._letters = tuple(self.letters.items())
        words = {x for shown in (*self.letters.values(), *own) for x in shown.free_symbols if _a_word(x.name)}
        self._names = {x: rf"\mathrm{{{x.name}}}" for x in words}

        self._goal = goal
        taken = {y.name for x in goal.symbols for y in self.letters.get(x, x).free_symbols}
        free = ((name, value) for name, value in goal.short.items() if not {y.name for y in name.free_symbols} & taken)
        self._short = tuple(free)
        self._used: dict[sp.Expr, sp.Expr] = {}  # abbreviations met so far
        self._printed: dict[tuple[str, sp.Expr], str] = {}

    def latex(self, expr: sp.Expr) -> str:
        if ("latex", expr) not in self._printed:
            self._printed["latex", expr] = self._latex(self._folded(expr))
        return self._printed["latex", expr]

    def text(self, expr: sp.Expr) -> str:
        if ("text", expr) not in self._printed:
            self._printed["text", expr] = self._text(self._folded(expr))
        return self._printed["text", expr]

    def _latex(self, expr: sp.Expr) -> str:
        # derivatives at a point are equal to SymPy whatever their variable is: not from a cache
        printed = _in_latex.__wrapped__ if expr.has(sp.Subs) else _in_latex
        return printed(self._in_letters(expr), frozenset(self._names.items()))

    def _text(self, expr: sp.Expr) -> str:
        return (_Text() if expr.has(sp.Subs) else _TEXT).doprint(self._in_letters(expr))

    def _in_letters(self, expr: sp.Expr) -> sp.Expr:
        return (_in_letters.__wrapped__ if expr.has(sp.Subs) else _in_letters)(expr, self._letters)

    def where(self, latex: bool) -> Iterator[tuple[str, str]]:
        """Definitions of the symbols and abbreviations that were printed."""
        printed = self._latex if latex else self._text
        for name, value in self._goal.where.items():
            yield printed(name), printed(self._folded(value))
        for term, value in formulas(self._goal):
            yield printed(term), printed(value)
        values: dict[sp.Expr, sp.Expr] = {}
        while pending := [name for name in self._used if name not in values]:  # a definition may use further ones
            values |= {name: self._folded(self._used[name], but=name) for name in pending}
        order = {name: place for place, (name, _) in enumerate(self._short)}  # whatever was printed first
        for name in sorted(values, key=lambda name: (order.get(name, len(order)), spelled(name))):
            yield printed(name), printed(values[name])

    def _folded(self, expr: sp.Expr, but: sp.Expr | None = None) -> sp.Expr:
        """The expression as it is printed: abbreviations (all but one of them, in its own definition) and names."""
        expr = sp.sympify(expr)
        folded = _folded.__wrapped__ if expr.has(sp.Subs) else _folded  # see `_latex`
        found, used = folded(expr, self._short, but)
        self._used.update(used)
        return found

    def abbreviations(self, sides: Iterable[sp.Expr]) -> list[tuple[sp.Expr, sp.Expr]]:
        """The abbreviations with which expressions are printed."""
        used = {pair for side in sides for pair in _folded.__wrapped__(side, self._short, None)[1]}
        return [pair for pair in self._short if pair in used]

    def alike(self, formula: sp.Expr, value: sp.Expr) -> bool:
        """Whether a formula, which may be in letters, is a value."""
        one, other = (self._in_letters(valued(sp.sympify(e))) for e in (formula, value))
        return bool(one == other or sp.simplify(one - other) == 0)

    def unshifted(self, ranged: tuple[sp.Symbol, Var]) -> tuple[sp.Expr, Var]:
        """A symbol with its range; K with the range of K - 1 moved by one, if it is shown as K - 1."""
        x, var = ranged
        if not x.is_Symbol:  # the range of all values, also of those that the ranges of variables leave out
            cut = {a for a in x.args if self._goal.domain.get(a, Var()) != Var() and a in self._goal.symbols}
            sides = (side for r in (self._goal.rel, *self._goal.given) for side in r.stated)
            if not any(value.func == x.func and value != x for side in sides for value in values_in(side)):
                return x, var
            return x.xreplace(dict.fromkeys(cut, sp.Symbol("any"))), var
        by, letter = self.letters.get(x, x).as_coeff_Add()
        if not (letter.is_Symbol and by.is_Rational and by):
            return x, var
        low, high = (None if end is None else end - by for end in (var.low, var.high))
        return letter, replace(var, low=low, high=high)

    def relation(self, rel: Rel) -> str:
        left, right = map(self.text, rel.stated)
        ranges = [f" for every {i} from {self.text(low)} to {self.text(high)}" for i, low, high in rel.every]
        return f"{left} {rel.op} {right}{''.join(ranges)}"

    def relation_latex(self, rel: Rel) -> str:
        return " ".join(self.sides_latex(rel))

    def sides_latex(self, rel: Rel) -> tuple[str, str, str]:
        """Left side, operator and right side, the right one with the range of its index if it has one."""
        left, right = map(self.latex, rel.stated)
        ranges = [rf"\ ({self.latex(low)} \le {i} \le {self.latex(high)})" for i, low, high in rel.every]
        return left, _TEX[rel.op], f"{right}{''.join(ranges)}"


Short = tuple[tuple[sp.Expr, sp.Expr], ...]


@lru_cache(maxsize=16384)
def _in_letters(expr: sp.Expr, letters: Short) -> sp.Expr:
    return expr.xreplace(dict(letters))


@lru_cache(maxsize=16384)  # the steps of a proof have hypotheses in common
def _folded(expr: sp.Expr, short: Short, but: sp.Expr | None) -> tuple[sp.Expr, Short]:
    """The expression with abbreviations and names, and those that are used in it, each with what it stands for."""
    used = []
    for name, value in short:
        shorter = expr if name == but or expr.has(*name.free_symbols) else _replaced(expr, value, name)
        if shorter != expr:
            used.append((name, value))
            expr = shorter
    used += [(letter, formula) for letter, formula in named_formulas(expr) if letter != but]
    return written(expr), tuple(used)


def _variables(expr: sp.Expr) -> set[sp.Symbol]:
    """Symbols with respect to which the expression has derivatives: they cannot be shown as another expression."""
    return {x for d in atoms(expr, sp.Derivative, sp.Subs) for x in d.variables}


def named_formulas(expr: sp.Expr, in_letters: bool = True) -> list[tuple[sp.Expr, sp.Expr]]:
    """Letters and formulas of the named quantities, in the order of their names; all, or those in symbols only."""
    found = (q for q in sorted(atoms(expr, Named), key=spelled) if in_letters or not q.defined_in_letters)
    return [q.definition for q in found if q.definition is not None]


def _replaced(expr: sp.Expr, value: sp.Expr, name: sp.Expr) -> sp.Expr:
    """The expression with `name` for `value` where it stands as a term, a factor, or among other terms or factors."""
    if expr == value:
        return name
    if not expr.args or isinstance(expr, (sp.Derivative, sp.Subs)):
        return expr
    if isinstance(expr, Event):  # whether it is strict is not a number that has names
        return expr.func(_replaced(expr.args[0], value, name), expr.args[1])
    if expr.func is value.func and (expr.is_Add or expr.is_Mul) and set(value.args) <= set(expr.args):
        rest = [e for e in expr.args if e not in value.args]
        return expr.func(name, *(_replaced(e, value, name) for e in rest))
    parts = tuple(_replaced(e, value, name) if isinstance(e, sp.Expr) else e for e in expr.args)
    return expr if parts == expr.args else expr.func(*parts)


def shown_domain(goal: Goal) -> dict[sp.Symbol, Var]:
    """The symbols that occur in the statement, in the order of their names; found once for a goal."""
    found: dict[sp.Symbol, Var] | None = goal.__dict__.get("_occurring")
    if found is None:
        found = goal.__dict__["_occurring"] = _occurring(complete(goal))
    return found


def _occurring(goal: Goal) -> dict[sp.Symbol, Var]:
    sides = [side for r in (goal.rel, *goal.hypotheses) for side in r.stated] + list(goal.where.values())
    used = set(goal.symbols).union(*(_symbols_shown(side) for side in sides))
    values = {f for side in sides for f in values_in(side)}
    functions = {f.func for f in values if isinstance(f, AppliedUndef)}
    known = (x for x in goal.domain if not x.is_Symbol and x.func in functions)
    families = {x for x in known if not _by_definition(x, goal.domain[x])}
    inside = set().union(*map(indices, sides), *({i for i, *_ in h.every} for h in goal.hypotheses))
    hidden = inside - goal.symbols  # a symbol may be an index in one term and a variable in another
    left_out = {x for f in values for x in f.args[len(f.args) - named(f) :]}
    hidden |= {x for x in left_out if not any(_shown(side, x) for side in sides)}
    return {x: goal.domain[x] for x in sorted(used | families, key=spelled) if x in goal.domain and x not in hidden}


@lru_cache(maxsize=16384)
def _symbols_shown(expr: sp.Expr) -> frozenset[sp.Symbol]:
    return frozenset(written(expr).free_symbols)


@lru_cache(maxsize=16384)
def values_in(expr: sp.Expr) -> frozenset[sp.Expr]:
    """Values of functions, and named quantities."""
    return frozenset(expr.atoms(AppliedUndef, Named))


def named(term: sp.Expr) -> int:
    """How many of the last arguments of a term, the outcome, are not printed: 0 if it is not a quantity of a model."""
    return int(getattr(term.func, "of_outcome", 0))


def _by_definition(term: sp.Expr, var: Var) -> bool:
    """Whether a value has its range because of what its model defines it to be: it is then no part of a statement.

    A range that a claim supposes, where a model states none, is printed.
    """
    if not named(term) and not hasattr(term.func, "formula"):
        return False
    return var == Var() or not hasattr(term.func, "ranges") or stated(term, var)


def _formula(term: sp.Expr) -> tuple[sp.Expr, sp.Expr] | None:
    """A term and the formula for which it stands, in a reader's letters; None if it is printed as that formula."""
    found: tuple[sp.Expr, sp.Expr] | None = getattr(term.func, "formula", None)
    return found


def formulas(goal: Goal) -> list[tuple[sp.Expr, sp.Expr]]:
    """Functions that stand for formulas and are not printed as such, in the order of their names."""
    sides = [side for r in (goal.rel, *goal.hypotheses) for side in r.stated]
    terms = {_formula(f) for side in sides for f in values_in(side) if isinstance(f, AppliedUndef)} - {None}
    return sorted((term for term in terms if term is not None), key=str)


def _shown(expr: sp.Expr, x: sp.Symbol) -> bool:
    """Whether a symbol is printed with an expression."""
    parts = expr.args[: -named(expr)] if named(expr) else expr.args[:1] if isinstance(expr, Mean) else expr.args
    return expr == x or any(_shown(e, x) for e in parts)


@lru_cache(maxsize=4096)
def _a_word(name: str) -> bool:
    """A name that LaTeX would set as a product of letters: `big`, but neither `alpha`, `s0` nor `U_best`."""
    return name.isalpha() and len(name) > 1 and sp.latex(sp.Symbol(name)) == name
