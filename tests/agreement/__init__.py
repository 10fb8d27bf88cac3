"""Proved formulas with the numbers of `reucb` put into them: evaluated in balls and compared with the exact values.

A goal of the ledger is a relation between expressions. `Reading` says what its symbols are in a concrete problem, and
which expressions the code computes there. `compare` replaces these expressions by the code's numbers, as Arb balls of
the guaranteed accuracy, and checks three things: each side still encloses its exact value, the relation is not
violated, and the balls are narrow, without which the first two checks would be weak.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from fractions import Fraction

import sympy as sp
from flint import arb, ctx, fmpq

from tests.theory.harness.search import ROUNDING
from theory.kernel.exact import enclose
from theory.kernel.goal import Goal, Rel

BITS = 160  # of exact values: their own balls must be negligible compared with those of doubles
NARROW = 1e-11  # the radius of a side, relative to its terms: a hundredth of what the controls bend the code by


class Disagreement(AssertionError):
    """The code and a proved formula contradict each other."""


def ball(value: float, relative: float = ROUNDING) -> arb:
    """The ball of a double: itself plus or minus the accuracy of the code."""
    return arb(float(value), abs(float(value)) * relative)


def rational(value: Fraction | int) -> arb:
    """An exact number, to far more than the digits of a double."""
    return arb(fmpq(Fraction(value).numerator, Fraction(value).denominator))


@dataclass
class Reading:
    """What the symbols are in one concrete problem. `code`: those among them that the code computes."""

    exact: dict[sp.Symbol, arb]
    code: dict[sp.Symbol, arb] = field(default_factory=dict)


@dataclass(frozen=True)
class Computed:
    """An expression that the code computes, the symbol that takes its place, and how the code gets its number there.

    None: not a number that the code can be asked for at this problem.
    """

    expr: sp.Expr
    symbol: sp.Symbol
    value: Callable[[Reading], arb | None]


# ---------------------------------------------------------------------------------------------------------------------
# expressions that the code computes, found inside larger ones


def powers(expr: sp.Expr) -> dict[sp.Expr, sp.Expr]:
    """A product as bases with exponents."""
    return dict(f.as_base_exp() for f in sp.Mul.make_args(expr))


def replaced(expr: sp.Expr, target: sp.Expr, new: sp.Symbol) -> sp.Expr:
    """`expr` with `target` taken out wherever it is a node, a part of a sum, or a power in a product."""
    if expr == target:
        return new
    if not expr.args:
        return expr
    if expr.is_Add and target.is_Add:
        found = _in_sum(expr, target, new)
        if found is not None:
            return found
    if (expr.is_Mul or expr.is_Pow) and (target.is_Mul or target.is_Pow):
        found = _in_product(expr, target, new)
        if found is not None:
            return found
    return expr.func(*(replaced(arg, target, new) for arg in expr.args))


def _in_sum(expr: sp.Expr, target: sp.Expr, new: sp.Symbol) -> sp.Expr | None:
    """factor * target inside a sum, whatever the factor."""
    terms, parts = set(expr.args), target.args
    for term in expr.args:
        factor = term / parts[0]
        wanted = {factor * part for part in parts}
        if wanted <= terms:
            rest = sp.Add(*(terms - wanted))
            return replaced(factor, target, new) * new + replaced(rest, target, new)
    return None


def _in_product(expr: sp.Expr, target: sp.Expr, new: sp.Symbol) -> sp.Expr | None:
    """The largest power of target inside a product or a power."""
    have, want = powers(expr), powers(target)
    ratios = [have.get(base, sp.S.Zero) / exponent for base, exponent in want.items()]
    if not all(r.is_Rational for r in ratios) or (min(ratios) < 0) != (max(ratios) < 0):
        return None
    power = int(min(ratios, key=abs))
    if power == 0:
        return None
    rest = sp.Mul(*(base ** (exponent - power * want.get(base, sp.S.Zero)) for base, exponent in have.items()))
    return new**power * replaced(rest, target, new)


@dataclass(frozen=True)
class Prepared:
    """A goal whose sides name the code's numbers by symbols."""

    goal: Goal
    left: sp.Expr
    right: sp.Expr
    used: tuple[Computed, ...]

    @property
    def names(self) -> frozenset[sp.Symbol]:
        return frozenset(c.symbol for c in self.used)


def prepare(goal: Goal, computed: tuple[Computed, ...]) -> Prepared:
    """The goal with what the code computes replaced, in the order given: the largest first."""
    return refined(Prepared(goal, goal.rel.left, goal.rel.right, ()), computed)


def refined(ready: Prepared, computed: tuple[Computed, ...]) -> Prepared:
    """More of a goal replaced."""
    left, right = ready.left, ready.right
    for c in computed:
        left, right = replaced(left, c.expr, c.symbol), replaced(right, c.expr, c.symbol)
    present = left.free_symbols | right.free_symbols
    return Prepared(ready.goal, left, right, tuple(c for c in (*ready.used, *computed) if c.symbol in present))


# ---------------------------------------------------------------------------------------------------------------------
# the comparison


@dataclass(frozen=True)
class Outcome:
    """What one comparison came to."""

    counted: bool  # the code's numbers were in it and every ball was narrow
    why: str = ""


def compare(prepared: Prepared, reading: Reading) -> Outcome:
    """Hold the goal against the code at one problem; Disagreement where they contradict each other."""
    saved, ctx.prec = ctx.prec, BITS
    try:
        return _compare(prepared, reading)
    finally:
        ctx.prec = saved


def _compare(prepared: Prepared, reading: Reading) -> Outcome:
    goal, exact = prepared.goal, dict(reading.exact)
    if not all(_holds(h, exact) for h in goal.given):
        return Outcome(False, "a hypothesis does not hold here")
    numbers, hits = {**exact, **reading.code}, set(reading.code)
    for c in prepared.used:
        value = c.value(reading)
        if value is None:
            numbers[c.symbol] = enclose(c.expr, exact)  # not a number the code can be asked for here
        else:
            numbers[c.symbol] = value
            hits.add(c.symbol)
    present = prepared.left.free_symbols | prepared.right.free_symbols
    if not hits & present:
        return Outcome(False, "none of the code's numbers is in it")
    sides = []
    narrow = True
    for shown, original in ((prepared.left, goal.rel.left), (prepared.right, goal.rel.right)):
        value, scale = _terms(shown, numbers)
        truth = enclose(original, exact)
        if not value.overlaps(truth):
            raise Disagreement(_message(goal, f"{original} is {truth}, by the code's numbers {value}", reading))
        narrow = narrow and bool(value.rad() <= NARROW * scale) if hits & shown.free_symbols else narrow
        sides.append(value)
    if violated(goal.rel.op, sides[0] - sides[1]):
        raise Disagreement(_message(goal, f"left {sides[0]}, right {sides[1]}", reading))
    return Outcome(narrow, "" if narrow else "the balls are too wide to say anything")


def _holds(rel: Rel, exact: Mapping[sp.Symbol, arb]) -> bool:
    return not violated(rel.op, enclose(rel.left, dict(exact)) - enclose(rel.right, dict(exact)))


def violated(op: str, difference: arb) -> bool:
    """Whether `difference op 0` is certainly false."""
    return bool(
        {
            "=": not difference.contains(0),
            "<=": difference > 0,
            "<": difference >= 0,
            ">=": difference < 0,
            ">": difference <= 0,
        }[op]
    )


def _terms(expr: sp.Expr, numbers: Mapping[sp.Symbol, arb]) -> tuple[arb, arb]:
    """The value of a sum, and how large its terms are."""
    terms = [enclose(t, dict(numbers)) for t in sp.Add.make_args(expr)]
    return sum(terms, arb(0)), sum((t.abs_upper() for t in terms), arb(0))


def _message(goal: Goal, what: str, reading: Reading) -> str:
    at = ", ".join(f"{x} = {v.str(10)}" for x, v in sorted(reading.exact.items(), key=str))
    return f"{goal.name or goal.rel}: {what} at {at}"
