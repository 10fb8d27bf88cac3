"""Printed statements that would be misread: letters that are alike, means that do not show over what they are."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import lru_cache

import sympy as sp
from sympy.core.function import AppliedUndef

from theory.kernel.goal import Goal, Var, at_least, free_symbols
from theory.kernel.named import Named, spelled, valued
from theory.kernel.reader import named_formulas, reader, shown_domain
from theory.kernel.statement import definitions, explained
from theory.kernel.terms import OPERATORS, Mean, binds, bound, indices


def alike(goal: Goal) -> list[str]:
    """What different things of a statement are printed alike, so that it would be read as another one."""
    sharing = (f"{', '.join(map(str, symbols))} share letters: they are more than these" for symbols in _sharing(goal))
    return [*_means_misread(goal), *_signs_misread(goal), *_defined_twice(goal), *sharing, *_same_print(goal)]


def _sides(goal: Goal) -> list[sp.Expr]:
    """Both sides of all relations of a statement."""
    return [side for r in (goal.rel, *goal.hypotheses) for side in r.stated]


def _all_means(goal: Goal) -> list[sp.Expr]:
    """The means of a statement, but not those inside others."""
    return sorted(frozenset().union(*(_means(valued(side)) for side in _sides(goal))), key=spelled)


def _means_misread(goal: Goal) -> Iterator[str]:
    means = _all_means(goal)
    random = frozenset().union(*(m.args[1:] for m in means))
    for m in means:
        seen = {x for x in _visible(m.args[0]) if x not in goal.letters or not goal.letters[x].meaning}
        if seen and (seen & (random - set(m.args[1:])) or not m.args[0].has(*m.args[1:])):
            yield f"{spelled(m)} does not show over what it averages"
    for m in means:
        for inner in sorted(m.args[0].atoms(Mean), key=spelled):
            if _visible(inner.args[0]) and not set(m.args[1:]) <= set(inner.args[1:]):
                yield f"{spelled(inner)} does not show that it is a mean given what is averaged outside"
    for m in _conditional_hypotheses(goal):
        yield f"{spelled(m)} in a hypothesis is a mean given what is averaged"


def _signs_misread(goal: Goal) -> Iterator[str]:
    """Letters that look as if they had a sign, such as a square, of symbols that need not have it."""
    letters = [(x, letter) for x, letter in reader(goal).letters.items() if x in goal.symbols]
    for x, letter in letters:
        if _of_real(letter).is_nonnegative and not goal.domain[x].within(at_least(0)):
            yield f"{x} is printed as {letter}, which is not negative, and may be"
    for x, letter in letters:
        if _of_real(letter).is_nonpositive and not goal.domain[x].within(Var(high=sp.Integer(0))):
            yield f"{x} is printed as {letter}, which is not positive, and may be"


def _defined_twice(goal: Goal) -> Iterator[str]:
    sides, shown = _sides(goal), reader(goal)
    pairs = [pair for side in sides for pair in named_formulas(side)]
    meant: dict[sp.Expr, sp.Expr] = {}
    for letter, formula in pairs:
        if meant.setdefault(letter, formula) != formula:
            yield f"{spelled(letter)} is both {spelled(meant[letter])} and {spelled(formula)}"
    known = dict(pairs)
    for letter, value in (*shown.abbreviations(sides), *goal.where.items()):
        if letter in known and not shown.alike(known[letter], value):
            yield f"{spelled(letter)} is both {spelled(known[letter])} and {spelled(value)}"


def _same_print(goal: Goal) -> Iterator[str]:
    """Different things with the same print, and symbols that are printed as the base of exponentials is."""
    sides, shown = _sides(goal), reader(goal)
    letters = [*shown_domain(goal), *sorted(frozenset().union(*map(indices, sides)), key=spelled)]
    for printed, base, kinds in ((shown.latex, "e", (sp.E, sp.exp)), (shown.text, "E", (sp.E,))):  # exp(x) is e^x
        if any(valued(side).has(*kinds) for side in sides):
            yield from (f"{x} is printed as the base of exponentials is" for x in letters if printed(x) == base)
    values = [sp.sympify(value) for value in goal.where.values()]
    things = goal.symbols.union(
        *map(free_symbols, values),
        *(bound(valued(side)) for side in (*sides, *values)),
        *(_outermost(side) for side in sides),
        (sp.pi, *_all_means(goal)),
    )
    found: dict[str, sp.Expr] = {}
    for x in sorted(things, key=spelled):
        for text in dict.fromkeys((shown.latex(x), shown.text(x))):
            if found.setdefault(text, x) != x:
                yield f"{spelled(x)} is printed as something else is: {text}"


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
    for x in sorted((x for x in goal.symbols | defining if x in shown_domain(goal)), key=spelled):
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


@lru_cache(maxsize=16384)
def _outermost(expr: sp.Expr) -> frozenset[sp.Expr]:
    """Values of functions, and named quantities, that are not arguments of others."""
    if isinstance(expr, AppliedUndef | Named):
        return frozenset({expr})
    return frozenset().union(*(_outermost(e) for e in expr.args))


def two_meanings(goals: Iterable[Goal]) -> list[str]:
    """Letters that goals, printed as one statement, define differently."""
    known: dict[str, str] = {}
    goals = tuple(goals)
    told: dict[str, str] = {}
    for letter, meaning in (pair for goal in goals for pair in explained(goal, plain=False).items() if pair[1]):
        if told.setdefault(letter, meaning) != meaning:
            return [f"{letter} is both {meaning!r} and {told[letter]!r}"]
    pairs = (d.partition(" = ") for goal in goals for d in definitions(goal))
    return [
        f"{letter} is both {right} and {known[letter]}"
        for letter, _, right in pairs
        if known.setdefault(letter, right) != right
    ]
