"""Sums over rounds: 1/t and 1/sqrt(t), telescoped against log t and 2 sqrt(t)."""

from __future__ import annotations

import sympy as sp

from theory.kernel.goal import Goal, Rel, at_least, positive
from theory.kernel.rules import Follows, Instance, Rises, SplitSum, Telescoping, follows, instance

t, K, N = sp.symbols("t K n")
x, p, q = sp.symbols("x p q")
SIZES = {K: at_least(1, integer=True), N: at_least(1, integer=True)}
LATER = {t: at_least(2)}


def harmonic_after() -> Telescoping:
    """The sum of 1/t over t = K+1, ..., n is at most log n - log K: 1/t <= log t - log(t-1), by log(1+x) >= x/(1+x)."""
    rises = Rises(sp.log(1 + x) - x / (1 + x), x, sp.Integer(0), {x: at_least(0)}, "log(1+x) >= x/(1+x)")
    at = instance(rises, {x: 1 / (t - 1)}, LATER, name="at x = 1/(t-1)")
    term = follows(Rel(1 / t, "<=", sp.log(t) - sp.log(t - 1)), at, domain=LATER, name="one round")
    return _telescoped(term, sp.log(t - 1), "harmonic sum after K")


def roots_after() -> Telescoping:
    """The sum of 1/sqrt(t) over t = K+1, ..., n is at most 2 sqrt(n) - 2 sqrt(K): with the roots p of t and q of t - 1,
    2p (p - q) - 1 = (p - q)^2."""
    free, squares = {p: positive(), q: positive()}, Rel(p**2 - q**2, ">=", 1)
    roots = Goal(Rel(1 / p, "<=", 2 * p - 2 * q), free, (squares,), "one round", squares=(p - q,))
    term = instance(roots, {p: sp.sqrt(t), q: sp.sqrt(t - 1)}, LATER, name="one round")
    return _telescoped(term, 2 * sp.sqrt(t - 1), "sum of roots after K")


def _telescoped(term: Follows | Instance, total: sp.Expr, name: str) -> Telescoping:
    return Telescoping(term, total, t, K + 1, N, SIZES, (Rel(K, "<=", N),), name)


def from_the_first(after: Telescoping, term: sp.Expr, bound: sp.Expr, name: str) -> Follows:
    """The whole sum, t = 1, ..., n: its first term, and the others by the sum after K = 1."""
    domain = {N: at_least(1, integer=True)}
    others = instance(after, {K: 1}, domain, name="after the first round")
    split = SplitSum(term, t, sp.Integer(1), sp.Integer(1), N, domain, name="the first round")
    return follows(Rel(sp.Sum(term, (t, 1, N)), "<=", bound), split, others, domain=domain, name=name)


__all__ = ["K", "N", "from_the_first", "harmonic_after", "roots_after", "t"]
