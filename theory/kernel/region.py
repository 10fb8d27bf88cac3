"""Where a printed relation fails: a closed form, and the items that prove that it fails there and nowhere else.

exactly     an inequality fails where another relation holds
unequal     an equation fails where a factor of left - right is not 0, the cofactor being of one sign
everywhere  the relation fails at every point of its domain
Region      any other closed form, with items of its own that prove it
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

import sympy as sp

from theory.kernel.exact import sign
from theory.kernel.goal import FLIPPED, NEGATED, Goal, Letter, Rel, Var, positive
from theory.kernel.named import spelled
from theory.kernel.sampling import admissible

if TYPE_CHECKING:
    from theory.kernel.items import Item

READER: dict[str, sp.Expr] = {}  # what readers call a symbol; a model enters its names with `call`
Meaning = Mapping[sp.Symbol, sp.Expr]


def call(names: Mapping[str, sp.Expr | str]) -> None:
    """Enter what readers call symbols, by the names that these have in goals."""
    READER.update({name: sp.Symbol(shown) if isinstance(shown, str) else shown for name, shown in names.items()})


@dataclass(frozen=True)
class Region:
    """A closed form in named variables, ready to be drawn, and what proves it."""

    inequality: str
    variables: tuple[str, ...]
    items: tuple[Item, ...]
    everywhere: bool = field(default=False)
    negation: bool = field(default=False)  # nothing but the printed relation negated, up to a constant factor
    of: Goal | None = None  # the relation that fails there and nowhere else; None if it takes several items to say so
    written: str = ""  # the inequality as the functions below write it, from what is checked
    opened: Meaning = field(default_factory=dict)  # what symbols of `of` stand for in what is shown, by its author
    where: Mapping[str, str] = field(default_factory=dict)  # names in what is shown that the relation does not have

    def is_of(self, printed: Goal) -> bool:
        """Whether it is where this very relation fails."""
        if self.of is None or any(
            readable(x, self.of) != readable(x, printed) for x in printed.symbols & self.of.symbols
        ):
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
        if base is None or base.rel.op != printed.rel.op or base.given or printed.given:
            return False
        own = base.symbols - set(at)
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

    def as_json(self, printed: Goal) -> dict[str, Any]:
        own = self.is_of(printed)
        return {
            "variables": sorted(self.variables),
            "inequality": self.inequality,
            "everywhere": self.everywhere,
            "negation": self.negation,
            "of_printed": own,
            "typed": self.inequality != self.written or (bool(self.opened) and not own),  # by an author
            "where": dict(self.where),
        }


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


def _in_range(value: sp.Expr, var: Var) -> Iterator[Rel]:
    """That a value is in the range of a symbol, of real numbers."""
    if var.low is not None:
        yield Rel(value, ">" if var.strict else ">=", var.low)
    if var.high is not None:
        yield Rel(value, "<=", var.high)


def named(expressions: Iterable[sp.Expr]) -> tuple[str, ...]:
    return tuple(sorted({x.name for e in expressions for x in e.free_symbols}))


def exactly(
    base: Goal, where: Rel, opened: Meaning | None = None, let: Meaning | None = None, also: tuple[Rel, ...] = ()
) -> Region:
    """The inequality fails where `where` holds, and holds where it does not.

    `where` may use names that the goal does not have: `let` says what they are there. `opened` says what symbols of the
    goal stand for, such as logarithms: they are shown so. What is shown is typed then, unless the goal is the printed
    relation with symbols in their places. `also` are hypotheses of the goal that are shown too.
    """
    inner = where.at(let or {})
    inside = replace(base, given=(*base.given, inner), rel=base.rel.negation, name="fails inside the region")
    outside = replace(base, given=(*base.given, inner.negation), name="holds outside the region")
    shown = [[readable(side, base, opened) for side in (r.left, r.right)] for r in (where, *also)]
    written = " and ".join(f"{left} {r.op} {right}" for r, (left, right) in zip((where, *also), shown, strict=True))
    return Region(
        written,
        named(side for sides in shown for side in sides),
        (inside, outside),
        negation=_proportional(inner.left - inner.right, base.rel.left - base.rel.right),
        of=base,
        written=written if set(also) <= set(base.given) else "",
        opened=opened or {},
        where=_meant(base, where.symbols, let),
    )


def unequal(base: Goal, factor: sp.Expr, let: Meaning | None = None) -> Region:
    """The equation fails where `factor` is not 0: left - right is the factor times an expression of one sign."""
    inner, difference = factor.xreplace(dict(let or {})), base.rel.left - base.rel.right
    rational = sp.QQ.frac_field(*sorted(difference.free_symbols | inner.free_symbols, key=spelled))
    cofactor = (rational.from_sympy(difference) / rational.from_sympy(inner)).as_expr()
    split = replace(base, rel=Rel(difference, "=", inner * cofactor), name="left - right, factored")
    one_sign = replace(base, rel=Rel(cofactor, _sign_of(cofactor, base), 0), name="the cofactor is never 0")
    shown = readable(factor, base)
    written = f"{shown} != 0"
    same, meant = _proportional(inner, difference), _meant(base, factor.free_symbols, let)
    items = (split, one_sign)
    return Region(written, named((shown,)), items, negation=same, of=base, written=written, where=meant)


def everywhere(base: Goal, by: sp.Expr | None = None, let: Meaning | None = None) -> Region:
    """The relation fails at every point of its domain: its reverse holds. `by`: by how much, if not left - right."""
    difference = base.rel.left - base.rel.right
    op = _sign_of(difference, base) if base.rel.op == "=" else NEGATED[base.rel.op]
    items = [replace(base, rel=Rel(base.rel.left, op, base.rel.right), name="fails at every point")]
    if by is not None:
        items.append(replace(base, rel=Rel(difference, "=", by.xreplace(dict(let or {}))), name="by how much"))
    shown = sp.factor(readable(difference, base)) if by is None else readable(by, base)
    if op in ("<", "<="):
        shown, op = -shown, FLIPPED[op]
    meant = {} if by is None else _meant(base, by.free_symbols, let)
    written = f"{shown} {op} 0"
    return Region(written, named((shown,)), tuple(items), everywhere=True, of=base, written=written, where=meant)


def _meant(base: Goal, used: Iterable[sp.Symbol], let: Meaning | None) -> dict[str, str]:
    """What names stand for that a region uses and the goal does not have."""
    found = {str(x.name): str(readable((let or {})[x], base)) for x in sorted(used, key=str) if x in (let or {})}
    meant = {name: value for name, value in found.items() if name != value}  # N + 1 may be shown as t itself
    own = {y.name for x in base.symbols for y in readable(x, base).free_symbols}
    for name in sorted(own & set(meant)):
        raise ValueError(f"let: {name} is a letter of {base.rel} already")
    return meant


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
