"""Confidence intervals of a round t > K: errors, widths, and the events that all intervals hold.

The error of arm k is X = mu-hat - mu. fail_R is 1 if some error is above its width c = sqrt(a log t) tau, and 0 if none
is; fail_L likewise for -X.
"""

from __future__ import annotations

from typing import Any

import sympy as sp

from theory.kernel.goal import Letter, Rel, Var
from theory.kernel.named import Named
from theory.model.at_values import at_values
from theory.model.functions import quantity
from theory.model.play import ARM, COUNT, LATER, PLAY, WORDS, K, a, defined, index, k, mu, muhat, o, t, tau, width

UNIT = Var(sp.Integer(0), integer=True, high=sp.Integer(1))
fail_R = quantity("fail_R", r"\mathbf{{1}}\{{\bar E_{{R;{0}}}\}}")(t, a, o)
fail_L = quantity("fail_L", r"\mathbf{{1}}\{{\bar E_{{L;{0}}}\}}")(t, a, o)
ROUND = {**PLAY, fail_R: UNIT, fail_L: UNIT}
ARMS = Rel(k, "<=", K)
EVENTS = {
    **WORDS,
    fail_R: Letter(fail_R, "1 if the estimate of some arm is above its mean by more than sqrt(a log t) tau, else 0"),
    fail_L: Letter(fail_L, "1 if the estimate of some arm is below its mean by more than sqrt(a log t) tau, else 0"),
}


class OfRound(Named):
    """A quantity of an arm in a round; its arguments are the arm, the round, a and the outcome."""

    of_outcome = 1
    letter = ""

    @staticmethod
    def formula(arm: sp.Expr) -> sp.Expr:
        """What it is, for an arm in round t."""
        raise NotImplementedError

    @property
    def value(self) -> sp.Expr:
        arm, *at = self.args
        here = self.formula(sp.Symbol("arm")).xreplace(dict(zip((t, a, o), at, strict=True)))
        return here.xreplace({sp.Symbol("arm"): arm})

    @property
    def definition(self) -> tuple[sp.Expr, sp.Expr]:
        return self.func(k, t, a, o), self.formula(k)

    @property
    def written(self) -> sp.Expr:
        return at_values(self, (a, self.args[2]))

    def _latex(self, printer: Any, exp: str | None = None) -> str:
        base = rf"{self.letter}_{{{','.join(map(printer._print, self.args[:2]))}}}"
        return base if exp is None else rf"{base}^{{{exp}}}"

    def _sympystr(self, printer: Any) -> str:
        return f"{self.letter}({', '.join(map(printer._print, self.args[:2]))})"


class Width(OfRound):
    """c_{k,t}, the width of a confidence interval."""

    letter = "c"

    @staticmethod
    def formula(arm: sp.Expr) -> sp.Expr:
        return width * tau(arm, t, o)


class UpperBound(OfRound):
    """U_{k,t}, the upper confidence bound by which arms are chosen."""

    letter = "U"

    @staticmethod
    def formula(arm: sp.Expr) -> sp.Expr:
        return index(arm)


def error(arm: sp.Expr) -> sp.Expr:
    """X_{k,t} = mu-hat_{k,t} - mu_k."""
    return muhat(arm, t, o) - mu(arm, o)


def c(arm: sp.Expr) -> sp.Expr:
    return Width(arm, t, a, o)


def U(arm: sp.Expr) -> sp.Expr:
    return UpperBound(arm, t, a, o)


HOLDS_R = defined(
    "if all intervals hold, no error is above its width",
    Rel((1 - fail_R) * (error(k) - c(k)), "<=", 0),
    LATER,
    ARMS,
    more={**ROUND, **ARM},
)
HOLDS_L = defined(
    "if all intervals hold, no mean is above its estimate by more than the width",
    Rel((1 - fail_L) * (-error(k) - c(k)), "<=", 0),
    LATER,
    ARMS,
    more={**ROUND, **ARM},
)

# A play cut at round t: H is the history before it, the rest is everything else.
H, rest = sp.symbols("H rest")
best_mean, pulled_mean = (
    quantity("mu_best", r"\mu_*", 2, meaning="mean of the best arm")(H, rest),
    quantity("mu_I", r"\mu_{{I_{{{}}}}}", 2, meaning="t: mean of the arm pulled in round t")(t, H, rest),
)
best_index = quantity("U_best", r"U_{{*,{}}}", 2, meaning="t: index of the best arm in round t")(t, H, rest)
CUT = {t: COUNT, H: Var(), rest: Var()}
