"""The engines. Each says proved, refuted or unknown; unknown is never a pass."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache, partial
from typing import Any

import sympy as sp
import z3

from theory.kernel.certificate import certify
from theory.kernel.goal import Goal, Rel, Var
from theory.kernel.named import spelled
from theory.kernel.normal_form import agree
from theory.kernel.polynomial import NotRational, Ring

# It decides nearly every goal. Where it does not, Z3's own choice for this logic is asked, which is slow to set up.
_NLSAT = z3.Tactic("qfnra-nlsat")
NLSAT_MS = 500


class Outcome(StrEnum):
    PROVED = "proved"
    TAKEN = "taken"  # a definition of a model or a cited theorem: checked for its form, not for its truth
    REFUTED = "refuted"
    UNKNOWN = "unknown"


@dataclass(frozen=True)
class Evidence:
    """The result of one engine for one goal."""

    engine: str
    check: str
    outcome: Outcome
    seconds: float = 0.0
    certificate: str | None = None

    @property
    def ok(self) -> bool:
        return self.outcome in (Outcome.PROVED, Outcome.TAKEN)

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
    if expanded == 0 or _cancels(expanded) or _cancels(_roots_in_lowest_terms(expanded)):
        return Outcome.PROVED
    return Outcome.PROVED if sp.simplify(expanded) == 0 else Outcome.UNKNOWN  # which may take seconds to give up


def _cancels(expr: sp.Expr) -> bool:
    """Whether all terms over a common denominator cancel: quick, and enough for most identities."""
    return bool(sp.expand(sp.numer(sp.together(expr))) == 0)


def _roots_in_lowest_terms(expr: sp.Expr) -> sp.Expr:
    """The expression with its radicands, where they are rational functions, as quotients without common factors."""
    roots = (p for p in expr.atoms(sp.Pow) if not p.exp.is_Integer and p.base.is_rational_function())
    return expr.xreplace({p: sp.cancel(p.base) ** p.exp for p in roots})


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
    names = {_smt_name(s): goal.domain[s] for s in sorted(goal.symbols, key=spelled)}
    if len(names) < len(goal.symbols):
        return Outcome.UNKNOWN  # two symbols of one name
    try:
        lines = [line for rel in (*goal.given, goal.rel.negation) for line in _smt_asserted(rel)]
    except NotRational:
        return Outcome.UNKNOWN
    ranges = (line for x, var in names.items() for line in _smt_range(x, var))
    return _unsatisfiable("\n".join((*ranges, *lines)), milliseconds)  # SMT-LIB: much faster than term by term


@lru_cache(maxsize=16384)  # many steps differ in nothing that Z3 sees
def _unsatisfiable(text: str, milliseconds: int) -> Outcome:
    """Whether assertions have no model: proved, or refuted if they have one."""
    for made, limit in ((_NLSAT.solver, min(NLSAT_MS, milliseconds)), (partial(z3.SolverFor, "QF_NRA"), milliseconds)):
        solver = made()
        solver.set("timeout", limit)
        solver.from_string(text)
        answer = solver.check()
        if answer != z3.unknown:
            return Outcome.PROVED if answer == z3.unsat else Outcome.REFUTED
    return Outcome.UNKNOWN


def _smt_name(x: sp.Symbol) -> str:
    return f"|{x.name.replace('|', '!').replace(chr(92), '/')}|"  # neither bar nor backslash may be inside


def _smt_range(x: str, var: Var) -> Iterator[str]:
    yield f"(declare-const {x} Real)"
    if var.low is not None:
        yield f"(assert ({'>' if var.strict else '>='} {x} {_smt_number(var.low.p, var.low.q)}))"
    if var.high is not None:
        yield f"(assert (<= {x} {_smt_number(var.high.p, var.high.q)}))"


@lru_cache(maxsize=65536)  # goals share hypotheses, and a goal does with its mutants
def _smt_asserted(rel: Rel) -> tuple[str, ...]:
    """The relation between its sides over a common denominator, which is not 0."""
    difference = rel.left - rel.right
    symbols = sorted(difference.free_symbols, key=spelled)
    if not difference.is_rational_function(*symbols) or not (symbols or difference.is_Rational):
        raise NotRational(str(rel))
    if not symbols:
        return (f"(assert ({rel.op} {_smt_number(difference.p, difference.q)} 0))",)
    letters = [_smt_name(x) for x in symbols]
    if difference.is_polynomial(*symbols):
        _, cleared = sp.QQ.poly_ring(*symbols).from_sympy(difference).clear_denoms()
        return (f"(assert ({rel.op} {_smt_polynomial(cleared, letters)} 0))",)
    reduced = sp.QQ.frac_field(*symbols).from_sympy(difference)
    numerator = _smt_polynomial(reduced.numer, letters)
    if reduced.denom.is_ground:
        sign = numerator if reduced.denom.LC > 0 else f"(- {numerator})"
        return (f"(assert ({rel.op} {sign} 0))",)
    denominator = _smt_polynomial(reduced.denom, letters)
    sign = numerator if rel.op == "=" else f"(* {numerator} {denominator})"
    return f"(assert (not (= {denominator} 0)))", f"(assert ({rel.op} {sign} 0))"


def _smt_polynomial(poly: Any, letters: Sequence[str]) -> str:
    """A polynomial of SymPy's as a sum of products."""
    terms = []
    for powers, c in poly.terms():
        factors = [x for x, power in zip(letters, powers, strict=True) for _ in range(power)]
        number = _smt_number(int(c.numerator), int(c.denominator))
        terms.append(f"(* {number} {' '.join(factors)})" if factors else number)
    return f"(+ 0 {' '.join(terms)})"


def _smt_number(p: int, q: int) -> str:
    """The rational number p/q in SMT-LIB's notation."""
    text = f"(/ {abs(p)} {q})" if q != 1 else str(abs(p))
    return f"(- {text})" if p < 0 else text
