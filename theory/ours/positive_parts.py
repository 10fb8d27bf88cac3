"""Positive parts: x^+ = 1{x >= 0} x is at least x, and not negative."""

from collections.abc import Mapping

import sympy as sp

from theory.kernel.goal import Rel, Var
from theory.kernel.rules import Definition, Follows, Indicates, follows
from theory.kernel.terms import Event

Domain = Mapping[sp.Expr, Var]


def _sides(part: Definition) -> tuple[sp.Expr, sp.Expr]:
    """(P, x) of the definition P = 1{x >= 0} x."""
    left, right = part.concludes.rel.stated
    (event,) = right.atoms(Event)
    return left, event.args[0]


def at_most_part(part: Definition, domain: Domain) -> Follows:
    """A number is at most its positive part."""
    left, number = _sides(part)
    says, given = Indicates(number, domain, name="if it is negative"), part.concludes.given
    return follows(Rel(number, "<=", left), part, says, domain=domain, given=given, name="at most its positive part")


def no_negative_part(part: Definition, domain: Domain) -> Follows:
    """A positive part is not negative."""
    left, number = _sides(part)
    says, given = Indicates(number, domain, part=True, name="if it is positive"), part.concludes.given
    return follows(Rel(left, ">=", 0), part, says, domain=domain, given=given, name="a positive part")
