"""Appendix G (`sec:extensions`): what the event A_H of a lock-out says, and when it happens."""

from collections.abc import Mapping

import sympy as sp

from theory.kernel.argument import Item
from theory.kernel.goal import Goal, Rel, Var, real
from theory.kernel.rules import Follows, Indicates, Otherwise, Union, applied, follows, instance
from theory.kernel.terms import Event
from theory.model import lockout
from theory.model.lockout import A_H, AHEAD, BELOW_OTHERS, LOCKED, D, d
from theory.ours.bad_rounds import times

u, v = sp.symbols("u v")
UNIT = Var(sp.Integer(0), high=sp.Integer(1))
Domain = Mapping[sp.Expr, Var]


def _on_event(distance: sp.Expr, other: sp.Expr, name: str) -> Follows:
    """1{A_H} times one of its two distances is not negative."""
    says = Indicates(distance, LOCKED, part=True, name=name)
    both = Goal(Rel(u * v, ">=", 0), {u: real(), v: UNIT}, (Rel(u, ">=", 0),), "if both happen")
    at = {u: Event(distance, 0) * distance, v: Event(other, 0)}
    part = applied(both, at, says, domain=LOCKED, name="if both happen")
    event = lockout.EVENT, times(lockout.EVENT.concludes.rel, distance, LOCKED, "on A_H")
    return follows(Rel(A_H * distance, ">=", 0), *event, part, domain=LOCKED, name=name)


def better() -> Follows:
    """On A_H arm H is better than the others by D."""
    return _on_event(AHEAD, BELOW_OTHERS, "on A_H arm H is better than the others by D")


def far_below() -> Follows:
    """On A_H the first average of H is d below all averages of the others."""
    return _on_event(BELOW_OTHERS, AHEAD, "on A_H its first average is d below the others'")


def happened(ahead: Item, far: Item, sizes: tuple[sp.Expr, sp.Expr], domain: Domain, given: tuple[Rel, ...]) -> Follows:
    """A_H happens for sizes (d, D), if H is ahead by D and the first average is d below the others'."""
    at = dict(zip((d, D), sizes, strict=True))
    met = []
    for item, distance in ((ahead, AHEAD.xreplace(at)), (far, BELOW_OTHERS.xreplace(at))):
        parts = Union(item, (), "not missed"), Otherwise(distance, domain, "it happens or not")
        met.append(follows(Rel(Event(distance, 0), "=", 1), *parts, domain=domain, given=given, name="it happens"))
    first, second = met
    event = instance(lockout.EVENT, at, domain, name="what A_H is")
    both = times(first.concludes.rel, second.concludes.rel.stated[0], dict(domain), "both happen")
    rel = Rel(event.concludes.rel.stated[0], "=", 1)
    return follows(rel, event, first, second, both, domain=domain, given=given, name="A_H happens")
