"""What a goal states, printed: domain of every symbol, hypotheses, conclusion. LaTeX, plain text and JSON.

A statement is never typed: it is printed from the goal that the engines see. Hypotheses that the claim makes its own
are printed as "if ..."; a hypothesis that is the statement of another claim is not repeated, but its source is listed.
Letters come with the goal (`Goal.letters`, provided by the model): an expression in a reader's symbols, as sigma^2 for
`s` or K - 1 for `J`, and what it means. A symbol without one is printed by its name.
"""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator
from dataclasses import replace
from functools import lru_cache
from typing import Any

import sympy as sp
from sympy.core.function import AppliedUndef
from sympy.printing.latex import LatexPrinter
from sympy.printing.precedence import PRECEDENCE

from theory.kernel.goal import Goal, Rel, Var, at_least, free_symbols
from theory.kernel.named import Named, Remembering, spelled, valued, written
from theory.kernel.terms import OPERATORS, Event, Mean, binds, bound, indices, stated

_TEX = {"=": "=", "<=": r"\le", "<": "<", ">=": r"\ge", ">": ">"}


def text(goal: Goal) -> str:
    """The whole statement as one line of plain text."""
    shown = reader(goal)
    domain, given = domain_text(goal), "; ".join(map(shown.relation, goal.hypotheses))
    where = ", ".join(f"{left} = {right}" for left, right in shown.where(latex=False))
    parts = [f"for {domain}: " if domain else "", f"if {given}: " if given else "", shown.relation(goal.rel)]
    return "".join(parts) + (f", where {where}" if where else "")


def domain_text(goal: Goal) -> str:
    """The range of every symbol of the statement."""
    shown = reader(goal)
    return ", ".join(f"{shown.text(y)} {var}" for y, var in map(shown.unshifted, _domain(goal).items()))


def latex(*goals: Goal, without: Container[str] = ()) -> str:
    """The whole statement of one or several goals as LaTeX, to be set in mathematics mode.

    Goals with the same domain and hypotheses are printed together; definitions stand once, at the end. Ranges and
    definitions in `without` are left out, for a text that says them elsewhere.
    """
    conclusions: dict[str, list[str]] = {}
    where: dict[str, None] = {}
    for goal in goals:
        shown = reader(goal)
        domain = ",\\ ".join(r for r in ranges(goal).values() if r not in without)
        given = ",\\ ".join(map(shown.relation_latex, goal.hypotheses))
        frame = ":\\quad ".join(p for p in (domain, rf"\text{{if}}\ {given}" if given else "") if p)
        _continued(conclusions.setdefault(frame, []), *shown.sides_latex(goal.rel))
        where.update(dict.fromkeys(d for d in definitions(goal) if d not in without))
    groups = [
        (f"{frame}:\\quad " if frame else "") + ";\\ ".join(dict.fromkeys(found))
        for frame, found in conclusions.items()
    ]
    return ";\\qquad ".join(groups) + (rf",\quad {','.join(where)}" if where else "")


def ranges(goal: Goal) -> dict[str, str]:
    """The range of every symbol of a statement, as LaTeX, by its letter."""
    shown = reader(goal)
    letters = ((shown.latex(y), var) for y, var in map(shown.unshifted, _domain(goal).items()))
    return {letter: _var(letter, var) for letter, var in letters}


def definitions(goal: Goal) -> list[str]:
    """Definitions that are printed beside a statement, as LaTeX."""
    shown = reader(goal)
    for rel in (*goal.hypotheses, goal.rel):  # what is used is known once it was printed
        shown.relation_latex(rel)
    return [f"{left} = {right}" for left, right in shown.where(latex=True)]


def _continued(found: list[str], left: str, op: str, right: str) -> None:
    """Add a relation: after one that ends in `= left` as its continuation, a = b = c."""
    if found and found[-1].endswith(f" = {left}"):
        found[-1] += f" {op} {right}"
    else:
        found.append(f"{left} {op} {right}")


def legend(goals: Iterable[Goal], plain: bool = False) -> dict[str, str]:
    """What the letters of some statements mean, by their LaTeX, or as plain text prints them.

    A function of a model that no goal explains has the meaning that its model gives it.
    """
    goals = tuple(goals)
    found = {letter: meaning for goal in goals for letter, meaning in _explained(goal, plain).items()}
    for goal in goals:
        found = {**_meanings(goal, plain), **found}
    return {letter: meaning for letter, meaning in found.items() if meaning}


def _explained(goal: Goal, plain: bool) -> dict[str, str]:
    """What the goal says of its letters."""
    shown = reader(goal)
    printed = shown.text if plain else shown.latex
    found = {printed(x): goal.letters[x].meaning for x in _domain(goal) if x in shown.letters}
    functions = {f.func for f in _printed_values(goal)}
    quantities = {x: letter for x, letter in goal.letters.items() if not x.is_Symbol and x.func in functions}
    ranged = {x: shown.unshifted((x, complete(goal).domain.get(x, Var())))[0] for x in quantities}  # as beside it
    return {**found, **{printed(ranged[x]): letter.meaning for x, letter in quantities.items()}}


def _meanings(goal: Goal, plain: bool) -> dict[str, str]:
    """What functions mean in their model, where the goal does not say it, at the letters that the model names."""
    printed = reader(goal).text if plain else reader(goal).latex
    known, found = {x.func for x in goal.letters if not x.is_Symbol}, {}
    for f in sorted(_printed_values(goal), key=spelled):
        if f.func not in known and hasattr(f.func, "meaning"):
            known.add(f.func)
            letters, text = f.func.meaning
            found[printed(f.func(*letters, *f.args[len(letters) :]))] = text
    return found


def _printed_values(goal: Goal) -> frozenset[sp.Expr]:
    """Values of functions, and named quantities, in the statement and in the definitions that are printed beside it."""
    found: frozenset[sp.Expr] | None = goal.__dict__.get("_printed_values")
    if found is None:
        seen = [side for r in (goal.rel, *goal.hypotheses) for side in r.stated]
        seen += [*complete(goal).where.values(), *(value for _, value in _formulas(goal))]
        for e in seen:  # which grows: a definition may use further ones
            seen += [formula for _, formula in _definitions(e) if formula not in seen]
        found = goal.__dict__["_printed_values"] = frozenset().union(*map(_values, seen))
    return found


def alike(goal: Goal) -> list[str]:
    """What different things of a statement are printed alike, so that it would be read as another one."""
    shown = reader(goal)
    sides = [side for r in (goal.rel, *goal.hypotheses) for side in r.stated]
    values = [sp.sympify(value) for value in goal.where.values()]
    things = goal.symbols.union(
        *map(free_symbols, values),
        *(bound(valued(side)) for side in (*sides, *values)),
        *(_outermost(side) for side in sides),
    )
    means = frozenset().union(*(_means(valued(side)) for side in sides))
    random = frozenset().union(*(m.args[1:] for m in means))
    hidden = [
        f"{spelled(m)} does not show over what it averages"
        for m in sorted(means, key=spelled)
        if (seen := {x for x in _visible(m.args[0]) if x not in goal.letters or not goal.letters[x].meaning})
        and (seen & (random - set(m.args[1:])) or not m.args[0].has(*m.args[1:]))
    ]
    hidden += [
        f"{spelled(inner)} does not show that it is a mean given what is averaged outside"
        for m in sorted(means, key=spelled)
        for inner in sorted(m.args[0].atoms(Mean), key=spelled)
        if _visible(inner.args[0]) and not set(m.args[1:]) <= set(inner.args[1:])
    ]
    hidden += [f"{spelled(m)} in a hypothesis is a mean given what is averaged" for m in _conditional_hypotheses(goal)]
    things |= {sp.pi, *means}
    hidden += [
        f"{x} is printed as {letter}, which is not negative, and may be"
        for x, letter in shown.letters.items()
        if x in goal.symbols and _of_real(letter).is_nonnegative and not goal.domain[x].within(at_least(0))
    ]
    hidden += [
        f"{x} is printed as {letter}, which is not positive, and may be"
        for x, letter in shown.letters.items()
        if x in goal.symbols and _of_real(letter).is_nonpositive and not goal.domain[x].within(Var(high=sp.Integer(0)))
    ]
    meant: dict[sp.Expr, sp.Expr] = {}
    hidden += [
        f"{spelled(letter)} is both {spelled(meant[letter])} and {spelled(formula)}"
        for letter, formula in (pair for side in sides for pair in _definitions(side))
        if meant.setdefault(letter, formula) != formula
    ]
    formulas = {letter: formula for side in sides for letter, formula in _definitions(side)}
    hidden += [
        f"{spelled(letter)} is both {spelled(formulas[letter])} and {spelled(value)}"
        for letter, value in (*shown.abbreviations(sides), *goal.where.items())
        if letter in formulas and not shown.alike(formulas[letter], value)
    ]
    hidden += [f"{', '.join(map(str, symbols))} share letters: they are more than these" for symbols in _sharing(goal)]
    shown_symbols = [*_domain(goal), *sorted(frozenset().union(*map(indices, sides)), key=spelled)]
    for printed, base, kinds in ((shown.latex, "e", (sp.E, sp.exp)), (shown.text, "E", (sp.E,))):  # exp(x) is e^x
        if any(valued(side).has(*kinds) for side in sides):
            hidden += [f"{x} is printed as the base of exponentials is" for x in shown_symbols if printed(x) == base]
    found: dict[str, sp.Expr] = {}
    return hidden + [
        f"{spelled(x)} is printed as something else is: {printed}"
        for x in sorted(things, key=spelled)
        for printed in dict.fromkeys((shown.latex(x), shown.text(x)))
        if found.setdefault(printed, x) != x
    ]


def _of_real(letter: sp.Expr) -> sp.Expr:
    """A letter whose symbols are real numbers, and more where they say so."""
    return letter.xreplace({y: sp.Symbol(y.name, real=True) for y in letter.free_symbols if y.is_real is None})


def _sharing(goal: Goal) -> Iterator[list[sp.Symbol]]:
    """Symbols with fewer letters than they are, such as K and K - 1: they would be read as parts of one quantity.

    K - 1 and rho/K are any two numbers, as K and rho are.
    """
    shown = reader(goal)
    groups: list[tuple[list[sp.Symbol], set[str]]] = []
    defining = frozenset().union(*(free_symbols(sp.sympify(value)) for value in goal.where.values()))
    for x in sorted((x for x in goal.symbols | defining if x in _domain(goal)), key=spelled):
        names = {y.name for y in shown.letters.get(x, x).free_symbols}
        near = [group for group in groups if group[1] & names]
        groups = [group for group in groups if not group[1] & names]
        groups.append(([*(y for ys, _ in near for y in ys), x], names.union(*(ns for _, ns in near))))
    yield from (symbols for symbols, names in groups if len(names) < len(symbols))


def _conditional_hypotheses(goal: Goal) -> list[sp.Expr]:
    """Means in hypotheses, of what no letter explains, that are means given what is averaged together with it.

    If E[X] = c for every value of Y, E[X Y] = c E[Y]; of the mean of X over all outcomes this is false. Where no mean
    is one of both X and Y, they may be taken to be independent.
    """
    supposed = frozenset().union(*(_means(valued(side)) for h in goal.hypotheses for side in h.stated))
    all_means = supposed.union(*(_means(valued(side)) for side in goal.rel.stated))
    explained = {x.func if isinstance(x, AppliedUndef) else x for x, letter in goal.letters.items() if letter.meaning}
    return [
        m
        for m in sorted(supposed, key=spelled)
        if any(set(m.args[1:]) & set(q.args[1:]) and not set(q.args[1:]) <= set(m.args[1:]) for q in all_means)
        and not any(x in explained or x.func in explained for x in _spoken(m.args[0]))
    ]


def _spoken(expr: sp.Expr) -> frozenset[sp.Expr]:
    """Symbols and values of functions."""
    return frozenset(expr.atoms(sp.Symbol, AppliedUndef))


def _visible(expr: sp.Expr) -> frozenset[sp.Symbol]:
    """Symbols outside functions, where a reader takes them for numbers or random quantities."""
    if isinstance(expr, AppliedUndef | Named):
        return frozenset()
    if expr.is_Symbol:
        return frozenset({expr})
    inside = frozenset().union(*(_visible(e) for e in expr.args))
    return inside - binds(expr) if isinstance(expr, OPERATORS) else inside


def _means(expr: sp.Expr) -> frozenset[sp.Expr]:
    """Means that are not inside another one; those are conditional."""
    if isinstance(expr, Mean):
        return frozenset({expr})
    return frozenset().union(*(_means(e) for e in expr.args))


def two_meanings(goals: Iterable[Goal]) -> list[str]:
    """Letters that goals, printed as one statement, define differently."""
    known: dict[str, str] = {}
    goals = tuple(goals)
    told: dict[str, str] = {}
    for letter, meaning in (pair for goal in goals for pair in _explained(goal, plain=False).items() if pair[1]):
        if told.setdefault(letter, meaning) != meaning:
            return [f"{letter} is both {meaning!r} and {told[letter]!r}"]
    pairs = (d.partition(" = ") for goal in goals for d in definitions(goal))
    return [
        f"{letter} is both {right} and {known[letter]}"
        for letter, _, right in pairs
        if known.setdefault(letter, right) != right
    ]


@lru_cache(maxsize=16384)
def _outermost(expr: sp.Expr) -> frozenset[sp.Expr]:
    """Values of functions, and named quantities, that are not arguments of others."""
    if isinstance(expr, AppliedUndef | Named):
        return frozenset({expr})
    return frozenset().union(*(_outermost(e) for e in expr.args))


def as_json(goal: Goal, engines: Iterable[str], role: str) -> dict[str, Any]:
    """One item of a proof for the ledger; what it states has its LaTeX and what its letters mean, too.

    `symbols` are names in the evidence, which is printed as the engines see it, and how readers write them.
    """
    shown = reader(goal)
    relation = shown.relation(goal.rel)
    given = [shown.relation(h) + (f"  [by {h.source}]" if h.source else "  [hypothesis]") for h in goal.given]
    return {
        "name": goal.name,
        "role": role,
        "relation": relation,
        "domain": domain_text(goal),
        "given": given,
        "where": [f"{left} = {right}" for left, right in shown.where(latex=False)],
        "engines": sorted(set(engines)),
        "symbols": {x.name: letter for x in sorted(goal.symbols, key=spelled) if (letter := shown.text(x)) != x.name},
        **({} if role == "step" else {"latex": latex(goal), "letters": legend((goal,), plain=True)}),
    }


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
        formulas = (formula for side in sides for _, formula in _definitions(side, in_letters=False))
        defining = set().union(*(value.free_symbols for value in (*goal.where.values(), *formulas)))
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
        for term, value in _formulas(self._goal):
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
            if not any(value.func == x.func and value != x for side in sides for value in _values(side)):
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
    used += [(letter, formula) for letter, formula in _definitions(expr) if letter != but]
    return written(expr), tuple(used)


def _variables(expr: sp.Expr) -> set[sp.Symbol]:
    """Symbols with respect to which the expression has derivatives: they cannot be shown as another expression."""
    return {x for d in expr.atoms(sp.Derivative, sp.Subs) for x in d.variables}


def _definitions(expr: sp.Expr, in_letters: bool = True) -> list[tuple[sp.Expr, sp.Expr]]:
    """Letters and formulas of the named quantities, in the order of their names; all, or those in symbols only."""
    found = (q for q in sorted(expr.atoms(Named), key=spelled) if in_letters or not q.defined_in_letters)
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


def _domain(goal: Goal) -> dict[sp.Symbol, Var]:
    """The symbols that occur in the statement, in the order of their names; found once for a goal."""
    found: dict[sp.Symbol, Var] | None = goal.__dict__.get("_occurring")
    if found is None:
        found = goal.__dict__["_occurring"] = _occurring(complete(goal))
    return found


def _occurring(goal: Goal) -> dict[sp.Symbol, Var]:
    sides = [side for r in (goal.rel, *goal.hypotheses) for side in r.stated] + list(goal.where.values())
    used = set(goal.symbols).union(*(_symbols_shown(side) for side in sides))
    values = {f for side in sides for f in _values(side)}
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
def _values(expr: sp.Expr) -> frozenset[sp.Expr]:
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


def _formulas(goal: Goal) -> list[tuple[sp.Expr, sp.Expr]]:
    """Functions that stand for formulas and are not printed as such, in the order of their names."""
    sides = [side for r in (goal.rel, *goal.hypotheses) for side in r.stated]
    terms = {_formula(f) for side in sides for f in _values(side) if isinstance(f, AppliedUndef)} - {None}
    return sorted((term for term in terms if term is not None), key=str)


def _shown(expr: sp.Expr, x: sp.Symbol) -> bool:
    """Whether a symbol is printed with an expression."""
    parts = expr.args[: -named(expr)] if named(expr) else expr.args[:1] if isinstance(expr, Mean) else expr.args
    return expr == x or any(_shown(e, x) for e in parts)


@lru_cache(maxsize=4096)
def _a_word(name: str) -> bool:
    """A name that LaTeX would set as a product of letters: `big`, but neither `alpha`, `s0` nor `U_best`."""
    return name.isalpha() and len(name) > 1 and sp.latex(sp.Symbol(name)) == name


def _var(letter: str, var: Var) -> str:
    kind = r"\in\mathbb{Z}" if var.integer else ""
    if var.low is None and var.high is None:
        return letter + (kind or r"\in\mathbb{R}")
    below = "<" if var.strict else r"\le"
    low = "" if var.low is None else f"{sp.latex(var.low)} {below} "
    high = "" if var.high is None else rf" \le {sp.latex(var.high)}"
    return f"{low}{letter}{high}" + (rf",\ {letter}{kind}" if kind else "")
