"""Where a printed relation fails: a closed form, and the items that prove that it fails there and nowhere else.

exactly     an inequality fails where another relation holds
unequal     an equation fails where a factor of left - right is not 0, the cofactor being of one sign
everywhere  the relation fails at every point of its domain
Region      any other closed form, with items of its own that prove it
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

import sympy as sp

from theory.kernel.exact import sign
from theory.kernel.goal import FLIPPED, NEGATED, Goal, Rel
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

    def is_of(self, printed: Goal) -> bool:
        """Whether it is where this very relation fails."""
        if self.of is None or (self.of.rel, self.of.given) != (printed.rel, printed.given):
            return False
        return all(self.of.domain[x] == printed.domain[x] for x in printed.symbols)

    def as_json(self, printed: Goal) -> dict[str, Any]:
        return {
            "variables": sorted(self.variables),
            "inequality": self.inequality,
            "everywhere": self.everywhere,
            "negation": self.negation,
            "of_printed": self.is_of(printed),
        }


def readable(expr: sp.Expr, meaning: Meaning | None = None) -> sp.Expr:
    """The expression in the names that readers know; `meaning` opens symbols that stand for expressions."""
    opened = expr.xreplace(dict(meaning or {}))
    return opened.xreplace({x: READER[x.name] for x in opened.free_symbols if x.name in READER})


def named(expressions: Iterable[sp.Expr]) -> tuple[str, ...]:
    return tuple(sorted({x.name for e in expressions for x in e.free_symbols}))


def exactly(base: Goal, where: Rel, meaning: Meaning | None = None, let: Meaning | None = None) -> Region:
    """The inequality fails where `where` holds, and holds where it does not.

    `where` may use names that the goal does not have: `let` says what they are there. `meaning` is for the reader:
    what symbols of the goal, such as roots, stand for.
    """
    inner = where.at(let or {})
    inside = replace(base, given=(*base.given, inner), rel=base.rel.negation, name="fails inside the region")
    outside = replace(base, given=(*base.given, inner.negation), name="holds outside the region")
    left, right = (readable(side, meaning) for side in (where.left, where.right))
    negation = _proportional(inner.left - inner.right, base.rel.left - base.rel.right)
    return Region(f"{left} {where.op} {right}", named((left, right)), (inside, outside), negation=negation, of=base)


def unequal(base: Goal, factor: sp.Expr, meaning: Meaning | None = None, let: Meaning | None = None) -> Region:
    """The equation fails where `factor` is not 0: left - right is the factor times an expression of one sign."""
    inner, difference = factor.xreplace(dict(let or {})), base.rel.left - base.rel.right
    rational = sp.QQ.frac_field(*sorted(difference.free_symbols | inner.free_symbols, key=spelled))
    cofactor = (rational.from_sympy(difference) / rational.from_sympy(inner)).as_expr()
    split = replace(base, rel=Rel(difference, "=", inner * cofactor), name="left - right, factored")
    one_sign = replace(base, rel=Rel(cofactor, _sign_of(cofactor, base), 0), name="the cofactor is never 0")
    shown = readable(factor, meaning)
    same = _proportional(inner, difference)
    return Region(f"{shown} != 0", named((shown,)), (split, one_sign), negation=same, of=base)


def everywhere(base: Goal, by: sp.Expr | None = None, let: Meaning | None = None) -> Region:
    """The relation fails at every point of its domain: its reverse holds. `by`: by how much, if not left - right."""
    difference = base.rel.left - base.rel.right
    op = _sign_of(difference, base) if base.rel.op == "=" else NEGATED[base.rel.op]
    items = [replace(base, rel=Rel(base.rel.left, op, base.rel.right), name="fails at every point")]
    if by is not None:
        items.append(replace(base, rel=Rel(difference, "=", by.xreplace(dict(let or {}))), name="by how much"))
    shown = sp.factor(readable(difference)) if by is None else readable(by)
    if op in ("<", "<="):
        shown, op = -shown, FLIPPED[op]
    return Region(f"{shown} {op} 0", named((shown,)), tuple(items), everywhere=True, of=base)


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
