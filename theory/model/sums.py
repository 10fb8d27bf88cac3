"""Sums over rounds: 1/t and 1/sqrt(t), telescoped against log t and 2 sqrt(t); the square of a sum."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import sympy as sp

from theory.kernel.goal import Goal, Rel, Var, at_least, positive, real
from theory.kernel.named import Named
from theory.kernel.rules import (
    Applied,
    Follows,
    Instance,
    Rises,
    SplitSum,
    SumOver,
    Telescoping,
    applied,
    follows,
    instance,
)
from theory.model.arms import ARMS_LETTER, HORIZON, ROUND_LETTERS

t, K, N, m = sp.symbols("t K n m")
x, p, q = sp.symbols("x p q")
SIZES = {K: at_least(1, integer=True), N: at_least(1, integer=True)}
LATER = {t: at_least(2)}
LETTERS = {**ARMS_LETTER, N: HORIZON, t: ROUND_LETTERS[t]}


class Euler(Named):
    """Euler's constant, the limit of the harmonic sums less the logarithm."""

    @property
    def value(self) -> sp.Expr:
        return sp.Limit(sp.Sum(1 / t, (t, 1, m)) - sp.log(m), m, sp.oo, "-")

    @property
    def definition(self) -> tuple[sp.Expr, sp.Expr]:
        return self, self.value

    def _latex(self, printer: Any) -> str:
        return r"\gamma"

    def _sympystr(self, printer: Any) -> str:
        return "gamma"


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


def square_of_sum(
    term: sp.Expr,
    low: sp.Expr,
    high: sp.Expr,
    domain: Mapping[sp.Expr, Var],
    *given: Rel,
    name: str,
    each: tuple[Rel, ...] = (),
) -> Applied:
    """(sum of y_t)^2 <= (high - low + 1) sum of y_t^2: the squares (y_t - c)^2, summed, at the mean c of all y_t.

    `domain` and `given` must imply low <= high; `each` holds for every t in that range.
    """
    y, c, S, Q, L = sp.symbols("y c S Q L")
    square = Goal(Rel(2 * c * y, "<=", y**2 + c**2), {y: real(), c: real()}, name="a square", squares=(y - c,))
    inside = {**domain, t: at_least(1, integer=True), c: real()}
    one = instance(square, {y: term}, inside, each, name="one round")
    every = SumOver(one, t, low, high, {**domain, c: real()}, given=given, name="all rounds")
    rounds, total, squares = high - low + 1, sp.Sum(term, (t, low, high)), sp.Sum(term**2, (t, low, high))
    mean = instance(every, {c: total / rounds}, domain, given, name="at the mean")
    best = Rel(2 * S**2 / L, "<=", Q + S**2 / L)
    last = Goal(Rel(S**2, "<=", L * Q), {S: real(), Q: real(), L: positive()}, (best,), "times the number of rounds")
    return applied(last, {S: total, Q: squares, L: rounds}, mean, domain=domain, given=given, name=name)


__all__ = ["Euler", "K", "N", "from_the_first", "harmonic_after", "m", "roots_after", "square_of_sum", "t", "x"]
