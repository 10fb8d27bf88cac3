"""The statements of a goal in Coq: its sides are defined, its derivatives, and its relation. No proofs here.

One goal gives up to three kinds of statements, in this order:
    defined    no denominator vanishes, logarithms and roots have arguments of the right sign
    slope      each derivative in the goal is the expression that stands for it in the relation
    relation   the relation itself, its derivatives carried out
A rule that gives a sign from a derivative (`Rises`) is a relation that applies the lemmas of its premises.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import sympy as sp

from theory.coq.syntax import NoCoq, bounds, by_name, expression, hypothesis, name_of, relation
from theory.kernel.derivative import derivative
from theory.kernel.goal import Goal, Rel
from theory.kernel.named import valued
from theory.kernel.rules import Rises
from theory.kernel.subexpressions import atoms
from theory.kernel.terms import OPAQUE


@dataclass(frozen=True)
class Slope:
    """d(function)/dx = value at `point`; the function has been differentiated before if it is itself a derivative."""

    function: sp.Expr
    x: sp.Symbol
    point: sp.Expr

    @property
    def value(self) -> sp.Expr:
        return derivative(self.function, self.x).xreplace({self.x: self.point})

    def __str__(self) -> str:
        body = f"fun {name_of(self.x)} : R => {expression(self.function)}"
        return f"is_derive ({body}) {expression(self.point)} {expression(self.value)}"


@dataclass(frozen=True)
class Statement:
    """One Coq statement of a goal: its name, its kind, and the conclusions that it joins by `and`."""

    name: str
    kind: str
    goal: Goal
    parts: tuple[str, ...]
    facts: tuple[Rel | Slope | Rises, ...]  # what the parts say, for the proof
    premises: tuple[str, ...] = ()  # lemmas that the proof applies

    @property
    def text(self) -> str:
        """The closed statement: variables, bounds, hypotheses, conclusion."""
        symbols = variables(self.goal)
        quantifier = f"forall {' '.join(map(name_of, symbols))} : R,\n  " if symbols else ""
        premises = "".join(f"{text} ->\n  " for _, text in hypotheses(self.goal))
        return quantifier + premises + " /\\ ".join(self.parts)


def variables(goal: Goal) -> list[sp.Symbol]:
    """The variables of a goal, by name. One that occurs only in a differentiated function may be any real number."""
    used = goal.symbols.union(*(q.free_symbols for q in goal.squares))
    for slope in slopes(goal):
        used |= slope.function.free_symbols - {slope.x} | slope.point.free_symbols
    return by_name(used)


def hypotheses(goal: Goal) -> list[tuple[str, str]]:
    """The named hypotheses of a goal: bounds of its variables, then what is given."""
    given = [(f"H{i}", hypothesis(h)) for i, h in enumerate(goal.by_rules.given, 1)]
    return [*bounds(variables(goal), goal.domain), *given]


def statements(name: str, goal: Goal) -> list[Statement]:
    """The Coq statements of a goal, in the order in which they are proved."""
    if any(side.has(*OPAQUE) for rel in (goal.rel, *goal.given) for side in rel.stated):
        raise NoCoq("sums, means, integrals and limits are not exported")
    variables(goal)  # two of one name are refused here
    found = []
    needed = tuple(dict.fromkeys(conditions(goal)))
    if needed:
        found.append(Statement(f"{name}_defined", "defined", goal, tuple(map(_condition, needed)), needed))
    for i, slope in enumerate(slopes(goal), 1):
        found.append(Statement(f"{name}_slope{i}", "slope", goal, (str(slope),), (slope,)))
    rel = goal.by_rules.rel
    found.append(Statement(name, "relation", goal, (relation(rel.left, rel.op, rel.right),), (rel,)))
    return found


def rises(name: str, rule: Rises, premises: list[str]) -> Statement:
    """The conclusion of the rule that a function with a nonnegative start and slope is nonnegative."""
    if rule.order != 1 or rule.strict:
        raise NoCoq("a sign from a higher derivative")
    rel = rule.concludes.rel
    return Statement(name, "rises", rule.concludes, (relation(rel.left, rel.op, rel.right),), (rule,), tuple(premises))


def computed(name: str, found: Rel | Sequence[Rel]) -> Statement:
    """The relations between numbers that an exact computation gave."""
    rels = tuple(dict.fromkeys([found] if isinstance(found, Rel) else found))
    if not all(isinstance(r, Rel) for r in rels) or any(r.symbols for r in rels):
        raise NoCoq("a computation that gives no relations between numbers")
    parts = tuple(relation(r.left, r.op, r.right) for r in rels)
    return Statement(name, "numbers", Goal(rels[0]), parts, rels)


def slopes(goal: Goal) -> list[Slope]:
    """Every derivative in the goal; one of order two is two steps."""
    found: list[Slope] = []
    for side in (valued(side) for rel in (goal.rel, *goal.given) for side in rel.stated):
        derivatives = atoms(side, sp.Derivative)
        placed = {d: sub for sub in side.atoms(sp.Subs) for d in sub.expr.atoms(sp.Derivative)} if derivatives else {}
        for d in sorted(derivatives, key=str):
            if d.expr.has(sp.Derivative):
                raise NoCoq(f"a derivative of a derivative: {d}")
            function = d.expr
            for i, x in enumerate(d.variables):
                point = x
                if d in placed and i == len(d.variables) - 1:
                    point = dict(zip(placed[d].variables, placed[d].point, strict=True)).get(x, x)
                found.append(Slope(function, x, point))
                function = derivative(function, x)
    return list(dict.fromkeys(found))


def conditions(goal: Goal) -> Iterator[Rel]:
    """What must hold for both sides, the hypotheses and the derivatives to be defined; the innermost first."""
    ours = goal.by_rules
    sides = [side for rel in (*ours.given, ours.rel) for side in (rel.left, rel.right)]
    sides += [slope.function.xreplace({slope.x: slope.point}) for slope in slopes(goal)]
    for side in sides:
        for e in sp.postorder_traversal(side):
            if e.is_Pow and e.exp.is_number and e.exp.is_negative and not e.base.is_number:
                yield Rel(e.base, "=", 0)  # read as: not equal to 0
            if e.is_Pow and not e.base.is_number and not e.exp.is_Integer:
                yield Rel(e.base, ">=" if e.exp.is_Rational and e.exp.q == 2 else ">", 0)
            if isinstance(e, sp.log) and not e.args[0].is_number:
                yield Rel(e.args[0], ">", 0)


def _condition(rel: Rel) -> str:
    if rel.op == "=":
        return f"{expression(rel.left)} <> 0"
    return f"0 {'<' if rel.op == '>' else '<='} {expression(rel.left)}"
