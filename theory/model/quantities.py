"""Quantities of the model by their letters (w_k, W, tau_k^2, ...) and sums over all arms, kept as written.

`w_k * s / n` with the symbol of Eq. w-def would be multiplied out by SymPy; with the quantity `W_K` it stays, and its
definition is printed beside the statement. Like the moments in `statistics` a quantity has the parameters of the model
as arguments.
"""

from __future__ import annotations

from typing import Any

import sympy as sp
from sympy.printing.precedence import PRECEDENCE

from theory.kernel.named import Fixed, Named, valued, written
from theory.model.arms import J, No, Qo, W, Wo, all_w, n, rho, s, s0, tau_sq, tau_tilde_sq, w, w_k
from theory.model.at_values import at_values
from theory.model.moments import W2o, simplest, sum_over, v, w_i

mu0, mu_value = sp.symbols("mu_0 mu_k")  # mu_value: the number mu_k on which an expectation is conditional
lam = sp.Symbol("lam")  # the variance of a prior of mu_0
PARAMETERS = (n, J, s, s0, Wo, No, Qo, W2o, w_i, mu0, mu_value, lam)
SUMS = {0: J, 1: Wo, 2: W2o, -1: J + No / rho, -2: J + 2 * No / rho + Qo / rho**2}  # 1/(1 - w_i) = 1 + n_i/rho
FORMULAS = {
    "w_k": (w_k, w),
    "W": (all_w, W),
    "tau_sq": (sp.Symbol("tau_k", positive=True) ** 2, tau_sq),
    "tau_tilde_sq": (sp.Symbol("tautilde_k", positive=True) ** 2, tau_tilde_sq),
    "N": (sp.Symbol("N"), n + No),
    "n_star": (sp.Symbol("n_*"), n + No - (n**2 + Qo) / (n + No)),
    "v_lam": (sp.Symbol("v_lambda"), 1 / (1 / lam + W / s0)),
}
s1, Xo = sp.symbols("s1 Xo")  # with a noise variance for each arm: that of arm k, and the sum of the other arms' w_i^h
OWN_NOISE = {s: s1, Wo: Xo}  # whatever is known of an arm only through its weight holds at these parameters too
H_LETTERS = {
    w_k: sp.Symbol("w_k^h"),
    all_w: sp.Symbol("W^h"),
    sp.Symbol("tau_k", positive=True) ** 2: sp.Symbol("tau_h;k", positive=True) ** 2,
}


class OfModel(Named):
    """A named quantity whose last argument has the values of the parameters, in the order of `PARAMETERS`."""

    @property
    def at(self) -> dict[sp.Symbol, sp.Expr]:
        return dict(zip(PARAMETERS, self.args[-1], strict=True))

    @property
    def others(self) -> sp.Tuple:
        """Parameters that have another value than the symbol of the model, with that value."""
        return sp.Tuple(*(sp.Tuple(p, written(x)) for p, x in self.at.items() if p != x))

    @property
    def own_noise(self) -> bool:
        """Whether it is that of arms with a noise variance each."""
        return {p: x for p, x in self.at.items() if p != x} == OWN_NOISE

    def _sympystr(self, printer: Any) -> str:
        return str(printer._print(self.written))

    def _latex(self, printer: Any) -> str:
        return str(printer._print(self.written))


class Quantity(OfModel):
    """A quantity of `FORMULAS`."""

    defined_in_letters = False

    def __new__(cls, name: str | sp.Symbol, at: sp.Tuple | None = None) -> Quantity:
        if str(name) not in FORMULAS:
            raise ValueError(f"name={str(name)!r}: must be one of {', '.join(FORMULAS)}")
        found: Quantity = sp.Expr.__new__(cls, Fixed(str(name)), sp.Tuple(*PARAMETERS) if at is None else at)
        return found

    @property
    def bound(self) -> set[sp.Symbol]:
        return {self.args[0]}

    @property
    def value(self) -> sp.Expr:
        return FORMULAS[self.args[0].name][1].xreplace(self.at)

    @property
    def definition(self) -> tuple[sp.Expr, sp.Expr]:
        letter, formula = FORMULAS[self.args[0].name]
        if self.own_noise and letter in H_LETTERS:
            return H_LETTERS[letter], formula.xreplace(OWN_NOISE)
        return letter, formula

    @property
    def written(self) -> sp.Expr:
        letter = FORMULAS[self.args[0].name][0]
        if self.own_noise and letter in H_LETTERS:
            return H_LETTERS[letter]
        return at_values(letter, *self.at.items())


W_K, W_ALL, TAU_SQ, TAU_TILDE_SQ, N_ALL, N_STAR, V_LAM = map(Quantity, FORMULAS)
W_H, W_H_ALL, TAU_H_SQ = (q.xreplace(OWN_NOISE) for q in (W_K, W_ALL, TAU_SQ))
count_i, weight_i = Fixed("n_i"), Fixed("w_i")  # of the arm i over which `ArmSum` runs


SEEN_FROM_I = {n: count_i, No: n + No - count_i, Qo: n**2 + Qo - count_i**2, Wo: W - weight_i}


class ArmSum(OfModel):
    """The sum over all arms i of an expression in `count_i` and `weight_i`: a polynomial of degree at most 2 in one."""

    def __new__(cls, term: sp.Expr, at: sp.Tuple | None = None) -> ArmSum:
        found: ArmSum = sp.Expr.__new__(cls, sp.sympify(term), sp.Tuple(*PARAMETERS) if at is None else at)
        return found

    @property
    def bound(self) -> set[sp.Symbol]:
        return {count_i, weight_i}

    @property
    def value(self) -> sp.Expr:
        sums = {m: x.xreplace(self.at) for m, x in SUMS.items()}
        other = _put(valued(self.args[0]), {count_i: rho.xreplace(self.at) * v / (1 - v), weight_i: v})
        return simplest(self._own + sum_over(other, v, sums))

    @property
    def parts(self) -> tuple[sp.Expr, ...]:
        return (self._own,)

    @property
    def _own(self) -> sp.Expr:
        return _put(valued(self.args[0]), {count_i: self.at[n], weight_i: w.xreplace(self.at)})

    @property
    def written(self) -> sp.Expr:
        return at_values(PrintedSum(written(self.args[0])), *self.at.items())


class PrintedSum(sp.Expr):  # type: ignore[misc]
    """How a sum over arms is printed."""

    is_commutative = True
    precedence = PRECEDENCE["Mul"]

    def _latex(self, printer: Any) -> str:
        return rf"\sum_{{i}} {printer.parenthesize(self.args[0], PRECEDENCE['Mul'], strict=True)}"

    def _sympystr(self, printer: Any) -> str:
        return f"sum_i({printer._print(self.args[0])})"


def _put(term: sp.Expr, values: dict[Fixed, sp.Expr]) -> sp.Expr:
    """The term of one arm: the only place where what stands for an arm is replaced."""
    if term in values:
        return values[term]
    return term.func(*(_put(e, values) for e in term.args)) if term.args else term
