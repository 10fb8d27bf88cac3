"""Where an expression is defined: denominators that do not vanish, logarithms and roots of what is positive.

Each condition is decided on the whole domain, from the hypotheses: plainly, by a certificate, or by the signs of atoms
(exp > 0, 0 < erfc < 2). What cannot be decided counts as undefined.
"""

from __future__ import annotations

from collections.abc import Iterator

import sympy as sp

from theory.kernel.atoms import OutOfReach
from theory.kernel.certificate import Frame, certify
from theory.kernel.derivative import by_rules
from theory.kernel.exact import sign
from theory.kernel.goal import Goal, Rel, free_symbols
from theory.kernel.named import Named, valued
from theory.kernel.normal_form import NormalForm
from theory.kernel.polynomial import NotRational

# what a subexpression must be
NONZERO, POSITIVE, NONNEGATIVE = "may vanish in a denominator", "may not be positive", "may be negative under a root"


def undefined(goal: Goal) -> list[str]:
    """The conditions under which both sides and all hypotheses are defined, and that could not be shown."""
    wanted: dict[tuple[sp.Expr, str], None] = {}
    for rel in (goal.rel, *goal.given):
        for side in (*rel.stated, rel.left, rel.right):
            wanted.update(dict.fromkeys(_conditions(side, inside_derivative=False)))
    unmet = [condition for condition in wanted if not met(*condition, goal)]
    return [f"{base} {what}" for base, what in sorted(unmet, key=str)]


def _conditions(expr: sp.Expr, inside_derivative: bool) -> Iterator[tuple[sp.Expr, str]]:
    if isinstance(expr, Named):
        for part in expr.parts:
            yield from _conditions(part, inside_derivative)
        return
    inner = inside_derivative or isinstance(expr, (sp.Derivative, sp.Subs))
    if expr.is_Pow:
        base, exponent = expr.args
        if not base.is_number or base.is_zero or base.is_negative:
            if exponent.is_Integer:
                if exponent < 0:
                    yield base, NONZERO
            elif exponent.is_Rational and exponent > 0 and not inner:
                yield base, NONNEGATIVE
            else:
                yield base, POSITIVE
    elif isinstance(expr, sp.log) and not (expr.args[0].is_number and expr.args[0].is_positive):
        yield expr.args[0], POSITIVE
    at = dict(zip(expr.variables, expr.point, strict=True)) if isinstance(expr, sp.Subs) else {}
    for e in expr.args[:1] if at else expr.args:
        if isinstance(e, sp.Expr):
            yield from ((base.xreplace(at), what) for base, what in _conditions(e, inner))


def met(base: sp.Expr, what: str, goal: Goal) -> bool:
    """Whether the condition holds at every point of the goal's domain that meets its hypotheses."""
    base = by_rules(valued(base))
    if isinstance(base, sp.log) and what == NONZERO:  # log u = 0 only at u = 1
        base = base.args[0] - 1
    if not free_symbols(base):
        found = sign(base)
        return found is not None and {NONZERO: found != 0, POSITIVE: found > 0, NONNEGATIVE: found >= 0}[what]
    if not free_symbols(base) <= set(goal.domain):
        return False
    ops = {NONZERO: (">", "<"), POSITIVE: (">",), NONNEGATIVE: (">=",)}[what]
    return any(_signed(Goal(Rel(base, op, 0), goal.domain, goal.given, squares=goal.squares)) for op in ops)


def _signed(goal: Goal) -> bool:
    """A sign on the domain, without and then with the hypotheses."""
    free = Goal(goal.rel, goal.domain)
    try:
        frame = Frame.of(free)
        num, den = frame.fraction(goal.rel.left)
        if goal.rel.op == "<":
            num = -num
        if frame.surely_positive(den) and frame.surely_positive(num):
            return True
    except NotRational:
        return _signed_atoms(goal)
    try:
        return certify(goal) is not None
    except NotRational:  # a hypothesis is out of reach
        return certify(free) is not None


def _signed_atoms(goal: Goal) -> bool:
    """The sign of a rational function of exp, log, erfc and roots."""
    try:
        form = NormalForm(goal)
        value = form.of(goal.rel.left)
        num = -value.num if goal.rel.op == "<" else value.num
        if goal.rel.op == ">=" and value.is_zero:
            return True
        return any(form.atoms.positive(way * num) and form.atoms.positive(way * value.den) for way in (1, -1))
    except OutOfReach:
        return False
