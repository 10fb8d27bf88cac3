"""Checks of single claims against the code that computes them, entered by the claims' ids.

A check draws a problem from Hypothesis' `data` and asks the code through `code(...)`, which turns a double into the
ball of its guaranteed accuracy; a control changes all these numbers, and the check must then fail.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cache

import sympy as sp
from flint import arb, ctx
from hypothesis import strategies as st

from tests.agreement import BITS, NARROW, Disagreement, Prepared, Reading, ball, compare, rational, violated
from tests.theory.harness.exactly import RELATIVE
from tests.theory.harness.search import ROUNDING, built
from theory.kernel.claim import Claim
from theory.kernel.exact import enclose
from theory.kernel.goal import Goal, Rel
from theory.kernel.items import below
from theory.kernel.terms import transparent
from theory.ledger import load

Number = arb | Fraction | int
Side = arb | tuple[arb, ...]  # a number of the code, or the terms of a sum of such
SUMMED = RELATIVE  # the accuracy of a bound: a dozen elementary functions, or a sum of some terms
RUNNING = 4 * ROUNDING  # running means, averages over some hundred outcomes


@dataclass(frozen=True)
class Code:
    """Numbers of the code as balls; `bend` is the factor of a control."""

    bend: float = 1.0

    def __call__(self, value: float, relative: float = ROUNDING) -> arb:
        return ball(float(value) * self.bend, relative)

    def beside(self, value: float, scale: float) -> arb:
        """A number that is a sum of larger ones."""
        return arb(float(value) * self.bend, RUNNING * scale)

    def bound(self, value: float) -> arb:
        return self(value, SUMMED)


Check = Callable[[st.DataObject, Code], None]
CHECKS: dict[str, tuple[Check, tuple[str, ...]]] = {}


def against_code(*claims: str) -> Callable[[Check], Check]:
    """Enter a check under the claims whose formulas it compares with the code."""

    def enter(check: Check) -> Check:
        name = f"{check.__module__.rsplit('.', 1)[-1]}.{check.__name__}"
        CHECKS[name] = (check, claims)
        return check

    return enter


def registered() -> dict[str, str]:
    """The check of a claim."""
    return {claim: name for name, (_, claims) in CHECKS.items() for claim in claims}


@cache
def claims() -> dict[str, Claim]:
    """The ledger's claims, read once."""
    return load()


@cache
def goals(claim: str) -> tuple[Goal, ...]:
    """The relations that a proved claim depends on, derivatives carried out."""
    items = built(claim).items
    parts = (part for item in items for part in (item, *below(item)))
    plain = {id(part): part for part in parts if isinstance(part, Goal) and transparent(part) is part}
    found = plain.values()  # goals are not hashable
    return tuple(g.with_rel(Rel(_carried_out(g.rel.left), g.rel.op, _carried_out(g.rel.right)), g.name) for g in found)


def _carried_out(side: sp.Expr) -> sp.Expr:
    return side.replace(sp.Derivative, lambda *parts: sp.diff(*parts)) if side.has(sp.Derivative) else side


def exactly(value: Number) -> arb:
    return value if isinstance(value, arb) else rational(value)


def hold(
    claim: str,
    exact: Mapping[str, Number],
    code: Mapping[str, arb] | None = None,
    *,
    left: Mapping[str, Side] | None = None,
    right: Mapping[str, Side] | None = None,
    only: str = "",
) -> None:
    """Every goal of the claim whose symbols are all given, with the code's numbers for symbols or for whole sides.

    `left` and `right` go by the beginning of a goal's name, the longest that fits. At least one goal must have come to
    something.
    """
    outcomes = []
    for goal in goals(claim):
        if goal.name.startswith(only) and _inside(goal, exact):
            reading = Reading(
                {x: exactly(exact[x.name]) for x in goal.symbols},
                {x: code[x.name] for x in goal.symbols if code and x.name in code},
            )
            sides = [
                _side(goal, name, side, given, reading)
                for name, side, given in (("left", goal.rel.left, left), ("right", goal.rel.right, right))
            ]
            outcomes.append((goal.name, compare(Prepared(goal, sides[0], sides[1], ()), reading)))
    if not any(outcome.counted for _, outcome in outcomes):
        raise ValueError(f"{claim}: the check says nothing: {outcomes}")


def _side(goal: Goal, name: str, side: sp.Expr, given: Mapping[str, Side] | None, reading: Reading) -> sp.Expr:
    """A side of a goal, or symbols for what the code says of it."""
    found = [start for start in given or {} if goal.name.startswith(start)]
    if not given or not found:
        return side
    terms = given[max(found, key=len)]
    terms = (terms,) if isinstance(terms, arb) else terms
    symbols = {sp.Symbol(f"code.{name}{i}"): term for i, term in enumerate(terms)}
    reading.code.update(symbols)
    return sp.Add(*symbols)


def _inside(goal: Goal, exact: Mapping[str, Number]) -> bool:
    """Whether every symbol has a value, in its domain."""
    for x in goal.symbols:
        if x.name not in exact:
            return False
        low, high = goal.domain[x].low, goal.domain[x].high
        number = exactly(exact[x.name])
        if (low is not None and number < enclose(low)) or (high is not None and number > enclose(high)):
            return False
    return True


def value(expr: sp.Expr, at: Mapping[str, Number] | None = None) -> arb:
    """An exact expression as a number."""
    saved, ctx.prec = ctx.prec, BITS
    try:
        return enclose(sp.sympify(expr), {x: exactly((at or {})[x.name]) for x in sp.sympify(expr).free_symbols})
    finally:
        ctx.prec = saved


def agree(computed: arb, exact: Number | sp.Expr, narrow: float = NARROW) -> None:
    """The code's number is the exact one, and says so narrowly."""
    truth = value(exact) if isinstance(exact, sp.Basic) else exactly(exact)
    if not computed.overlaps(truth):
        raise Disagreement(f"the code says {computed}, exactly it is {truth}")
    if not computed.rad() <= narrow * abs(computed) and not truth.contains(0):
        raise ValueError(f"{computed} is too wide to say anything")


def holds(first: arb, op: str, second: arb) -> None:
    """An inequality between numbers of the code, unless their balls leave it open."""
    if violated(op, first - second):
        raise Disagreement(f"{first} {op} {second} is false")
