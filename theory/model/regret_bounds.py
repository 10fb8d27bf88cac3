"""Bounds by name, with their arguments: ell(K, n, sigma_0^2, sigma^2, a), T_1, B_1, ... of Theorem them-R-Bayes, and
the leading term ell_2 of Theorem them-R-Bayes-SubR.

A tilde is for an agent that knows mu_0. The values are the expressions of `bound_formulas`; each is defined beside a
statement in the letters of the paper.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import sympy as sp

from theory.kernel.goal import Var, at_least, positive
from theory.kernel.named import Fixed, Named
from theory.model import bound_formulas as bounds
from theory.model.arms import s, s0
from theory.model.play import COUNT, K, N, a

_K, _n, _a = sp.symbols("K n a")
_sigma, _sigma0 = sp.symbols("sigma sigma_0", positive=True)
SIZES = (_K, _n, _sigma0**2, _sigma**2, _a)  # the arguments, as readers write them
VARIANCES = (_K, _sigma0**2, _sigma**2)


@dataclass(frozen=True)
class Formula:
    """A function of numbers: how it is printed, its value, its arguments as readers write them, and its definition
    in terms of other quantities (its value, if there is none)."""

    latex: str
    value: Callable[..., sp.Expr]
    letters: tuple[sp.Expr, ...] = SIZES
    defined: Callable[[], sp.Expr] | None = None


class Bound(Named):
    """A quantity of `FORMULAS` at its arguments."""

    def __new__(cls, name: str | sp.Symbol, *at: Any) -> Bound:
        if str(name) not in FORMULAS:
            raise ValueError(f"name={str(name)!r}: must be one of {', '.join(FORMULAS)}")
        if len(at) != len(FORMULAS[str(name)].letters):
            raise TypeError(f"{name}: {len(at)} arguments, {len(FORMULAS[str(name)].letters)} needed")
        found: Bound = sp.Expr.__new__(cls, Fixed(str(name)), *map(sp.sympify, at))
        return found

    @property
    def formula(self) -> Formula:
        return FORMULAS[self.args[0].name]

    @property
    def bound(self) -> set[sp.Symbol]:
        return {self.args[0]}

    @property
    def value(self) -> sp.Expr:
        return self.formula.value(*self.args[1:])

    @property
    def definition(self) -> tuple[sp.Expr, sp.Expr]:
        letter = Bound(self.args[0], *self.formula.letters)
        return letter, letter.value if self.formula.defined is None else self.formula.defined()

    def _others(self, printer: Any, join: str) -> list[str]:
        """Arguments that are not those of a reader's own letters, with these."""
        pairs = zip(self.formula.letters, self.args[1:], strict=True)
        return [join.join(map(printer._print, pair)) for pair in pairs if pair[0] != pair[1]]

    def _latex(self, printer: Any) -> str:
        at = ",".join(self._others(printer, "="))
        return rf"{self.formula.latex}\vert_{{{at}}}" if at else self.formula.latex

    def _sympystr(self, printer: Any) -> str:
        at = ", ".join(self._others(printer, " = "))
        return f"{self.args[0].name}[{at}]" if at else str(self.args[0].name)


Terms = Callable[..., tuple[sp.Expr, sp.Expr]]


def _term(which: Terms, part: int, place: int) -> Callable[..., sp.Expr]:
    """The leading term (place 0) or the last one (1) of a bound."""
    return lambda *at: which(*at, part)[place]


def _total(which: Terms, part: int) -> Callable[..., sp.Expr]:
    return lambda *at: sp.Add(*which(*at, part))


def _at(name: str) -> sp.Expr:
    return Bound(name, *FORMULAS[name].letters)


FORMULAS = {
    "G": Formula("G", lambda n, odds: bounds.log_ratio(odds, n), (_n, _sigma0**2 / _sigma**2)),
    "beta": Formula(r"\beta", bounds.learning_price, VARIANCES),
    "gamma": Formula(r"\gamma", lambda s0, s: s0 / sp.log(1 + s0 / s), VARIANCES[1:]),
    "C": Formula("C", bounds.tail_unit, VARIANCES),
    "ell": Formula(
        r"\ell",
        _term(bounds.theorem1, 1, 0),
        defined=lambda: sp.sqrt(_at("beta")) * _at("ell~"),
    ),
    "ell~": Formula(
        r"\tilde\ell",
        bounds.root_term,
        defined=lambda: 2 * sp.sqrt(_a * _at("G") * _sigma0**2 * _K * _n * sp.log(_n)),
    ),
    "ell_2": Formula(
        r"\ell_2",
        _term(bounds.theorem2, 1, 0),
        defined=lambda: _at("beta") * _at("ell~"),
    ),
    "T_1": Formula("T_1", _term(bounds.theorem1, 1, 1), defined=lambda: 2 * sp.sqrt(_n) * _at("C")),
    "T_2": Formula("T_2", _term(bounds.theorem1, 2, 1), defined=lambda: (1 + sp.log(_n)) * _at("C")),
    "T~_1": Formula(r"\tilde T_1", _term(bounds.known_mean, 1, 1), defined=lambda: _at("T_1") / _at("beta")),
    "B_1": Formula("B_1", _total(bounds.theorem1, 1), defined=lambda: _at("ell") + _at("T_1")),
    "B_2": Formula("B_2", _total(bounds.theorem1, 2), defined=lambda: _at("ell") + _at("T_2")),
    "B~_1": Formula(r"\tilde B_1", _total(bounds.known_mean, 1), defined=lambda: _at("ell~") + _at("T~_1")),
}
# at the parameters of the model: K arms, n rounds, both variances, width a
G, BETA, C = Bound("G", N, s0 / s), Bound("beta", K, s0, s), Bound("C", K, s0, s)
ELL, ELL_KNOWN, T_1, T_2, T_1_KNOWN, B_1, B_2, B_1_KNOWN = (
    Bound(name, K, N, s0, s, a) for name in ("ell", "ell~", "T_1", "T_2", "T~_1", "B_1", "B_2", "B~_1")
)
PARAMETERS: dict[sp.Expr, Var] = {
    **{K: COUNT, N: at_least(2, integer=True)},
    **{s0: positive(), s: positive(), a: positive()},
}
