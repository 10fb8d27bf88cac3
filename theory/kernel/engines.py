"""The engines. Each says proved, refuted or unknown; unknown is never a pass."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

import sympy as sp
import z3

from theory.kernel.certificate import certify
from theory.kernel.goal import Goal, Rel, Var
from theory.kernel.named import spelled
from theory.kernel.normal_form import agree
from theory.kernel.polynomial import NotRational, Ring


class Outcome(StrEnum):
    PROVED = "proved"
    REFUTED = "refuted"
    UNKNOWN = "unknown"


@dataclass(frozen=True)
class Evidence:
    """One engine's word on one goal."""

    engine: str
    check: str
    outcome: Outcome
    seconds: float = 0.0
    certificate: str | None = None

    @property
    def ok(self) -> bool:
        return self.outcome is Outcome.PROVED

    def as_json(self) -> dict[str, Any]:
        certificate = {"certificate": self.certificate} if self.certificate else {}
        return {
            "engine": self.engine,
            "check": self.check,
            "outcome": str(self.outcome),
            "seconds": round(self.seconds, 3),
            **certificate,
        }


def timed(engine: str, check: str, work: Callable[[], tuple[Outcome, str | None]]) -> Evidence:
    start = time.perf_counter()
    outcome, certificate = work()
    return Evidence(engine, check, outcome, time.perf_counter() - start, certificate)


def flint_identity(goal: Goal) -> Outcome:
    """left = right as rational functions, by FLINT's polynomial arithmetic."""
    ring = Ring.of(goal.symbols)
    (p, q), (u, v) = ring.quotient(goal.rel.left), ring.quotient(goal.rel.right)
    return Outcome.PROVED if p * v == u * q else Outcome.REFUTED


def normal_form_identity(goal: Goal) -> Outcome:
    """left = right as rational functions of atoms (exp, log, erfc, roots), by FLINT; it may only prove."""
    return Outcome.PROVED if agree(goal) else Outcome.UNKNOWN


def sympy_identity(goal: Goal) -> Outcome:
    """left = right in SymPy's field of fractions; for transcendental sides by its simplifier, which may only prove.

    The simplifier sees symbols that assume what their domain says, x = low + y with y >= 0, and nothing is forced.
    """
    difference = goal.rel.left - goal.rel.right
    symbols = sorted(difference.free_symbols, key=spelled)
    if difference.is_Rational:
        return Outcome.PROVED if difference == 0 else Outcome.REFUTED
    if symbols and difference.is_rational_function(*symbols):
        try:
            normal = sp.QQ.frac_field(*symbols).from_sympy(difference)
        except ValueError:  # a coefficient is not rational, such as sqrt(2): left to the simplifier
            pass
        else:
            return Outcome.PROVED if normal == 0 else Outcome.REFUTED
    shifted = difference.xreplace({x: _shifted(x, goal.domain[x]) for x in symbols})
    expanded = sp.expand_log(sp.powdenest(shifted))
    return Outcome.PROVED if expanded == 0 or sp.simplify(expanded) == 0 else Outcome.UNKNOWN


def _shifted(x: sp.Symbol, var: Var) -> sp.Expr:
    """The symbol as its lower bound plus a symbol of known sign."""
    if var.low is None:
        return sp.Symbol(x.name, real=True)
    sign = {"positive": True} if var.strict else {"nonnegative": True}
    return var.low + sp.Symbol(x.name, **sign)


def certificate_inequality(goal: Goal) -> tuple[Outcome, str | None]:
    try:
        certificate = certify(goal)
    except NotRational:
        return Outcome.UNKNOWN, None
    return (Outcome.UNKNOWN, None) if certificate is None else (Outcome.PROVED, str(certificate))


def z3_inequality(goal: Goal, milliseconds: int) -> Outcome:
    """The negation has no model in Z3's nonlinear real arithmetic (integers relaxed to reals)."""
    names = {s: z3.Real(s.name) for s in goal.symbols}
    solver = z3.SolverFor("QF_NRA")
    solver.set("timeout", milliseconds)
    for s, x in names.items():
        v = goal.domain[s]
        if v.low is not None:
            low = z3.Q(int(v.low.p), int(v.low.q))
            solver.add(x > low if v.strict else x >= low)
        if v.high is not None:
            solver.add(x <= z3.Q(int(v.high.p), int(v.high.q)))
    try:
        for h in goal.given:
            solver.add(_z3_rel(h, names, solver))
        solver.add(_z3_rel(goal.rel.negation, names, solver))
    except NotRational:
        return Outcome.UNKNOWN
    answer = solver.check()
    if answer == z3.unsat:
        return Outcome.PROVED
    return Outcome.REFUTED if answer == z3.sat else Outcome.UNKNOWN


def _z3_rel(rel: Rel, names: dict[sp.Symbol, z3.ArithRef], solver: z3.Solver) -> z3.BoolRef:
    difference = rel.left - rel.right
    symbols = sorted(difference.free_symbols, key=spelled)
    if not difference.is_rational_function(*symbols):
        raise NotRational(str(rel))
    if symbols:
        reduced = sp.QQ.frac_field(*symbols).from_sympy(difference)
        num, den = reduced.numer.as_expr(), reduced.denom.as_expr()
    else:
        num, den = sp.fraction(difference)
    n, d = _z3_poly(num, names), _z3_poly(den, names)
    if den.is_Rational:
        n, d = n / d, z3.RealVal(1)
    else:
        solver.add(d != 0)
    zero = z3.RealVal(0)
    return {"=": n == zero, "<=": n * d <= zero, "<": n * d < zero, ">=": n * d >= zero, ">": n * d > zero}[rel.op]


def _z3_poly(expr: sp.Expr, names: dict[sp.Symbol, z3.ArithRef]) -> z3.ArithRef:
    if expr.is_Rational:
        return z3.Q(int(expr.p), int(expr.q))
    if expr.is_Symbol:
        return names[expr]
    if expr.is_Add:
        return z3.Sum([_z3_poly(e, names) for e in expr.args])
    if expr.is_Mul:
        return z3.Product([_z3_poly(e, names) for e in expr.args])
    if expr.is_Pow and expr.exp.is_Integer and expr.exp >= 0:
        base = _z3_poly(expr.base, names)
        return z3.Product([base] * int(expr.exp)) if expr.exp else z3.RealVal(1)
    raise NotRational(str(expr))
