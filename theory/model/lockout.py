"""A lock-out: an arm H that is better than all others had bad first rewards, and ReUCB does not pull it again.

The play is that of `theory.model.stacks`. The bad rewards are the first s of arm H; A_H is the event that H is better
than every other arm by D at least, and that every average of another arm, in every round K < t <= n, is above the
average of these s rewards by d at least.
"""

from __future__ import annotations

from typing import Any

import sympy as sp

from theory.kernel.goal import Goal, Letter, Rel, Var, at_least, positive
from theory.kernel.named import Named
from theory.kernel.rules import Definition, equals
from theory.kernel.terms import Event
from theory.model import regret, stacks
from theory.model.arms import s, s0, weight
from theory.model.functions import quantity
from theory.model.intervals import U
from theory.model.play import BEST, COUNT, LATER, PULLED, K, N, another, count, i, mu, o, t
from theory.model.stacks import STACKS, noise

H, S, d, D = sp.symbols("H S d D")
UNIT = Var(sp.Integer(0), integer=True, high=sp.Integer(1))
CHOSEN = equals(PULLED, H)  # 1 if round t pulls arm H
TOP = quantity("L", "L_{{{}}}")(t, H, o)  # the other arm than H with the largest average before round t
rank = quantity("rank", "l_{{{}}}")(t, H, o)  # its number among the others
worst, when = (quantity(name, rf"\mathrm{{{{{name}}}}}_{{{{{{}}}}}}")(H, N, o) for name in ("worst", "when"))
least = quantity(
    "least",
    r"\min_{{i\ne {0},\,K<t\le {1}}}\bar r_{{i,t}}",
    meaning="H n: the least average of another arm than H before a round K < t <= n",
)
rival = quantity("rival", r"\max_{{i\ne {0}}}\mu_i")(H, o)
second = quantity("second", "i_{{{0}}}")(H, o)  # the number of the other arm than H with the largest mean
bad = quantity("bad", r"\mathbf{{1}}\{{A_{{{0}}}\}}")  # of arm H, s, d, D, n
LOSS = mu(BEST, o) - mu(PULLED, o)


class Average(Named):
    """rbar_{k,t}: the average reward of an arm before round t."""

    of_outcome = 1

    @property
    def value(self) -> sp.Expr:
        arm, round_, outcome = self.args
        pulls = count(arm, round_, outcome)
        return mu(arm, outcome) + noise(arm, pulls, outcome) / pulls

    @property
    def definition(self) -> tuple[sp.Expr, sp.Expr]:
        first = Average(sp.Symbol("k"), t, o)
        return first, first.value

    def _latex(self, printer: Any, exp: str | None = None) -> str:
        base = rf"\bar r_{{{','.join(map(printer._print, self.args[:2]))}}}"
        return base if exp is None else rf"{base}^{{{exp}}}"

    def _sympystr(self, printer: Any) -> str:
        return f"rbar({', '.join(map(printer._print, self.args[:2]))})"


class FirstAverage(Average):
    """The average of the first s rewards of an arm: its arguments are the arm, s and the outcome."""

    @property
    def value(self) -> sp.Expr:
        arm, rewards, outcome = self.args
        return mu(arm, outcome) + noise(arm, rewards, outcome) / rewards

    @property
    def definition(self) -> tuple[sp.Expr, sp.Expr]:
        return self, self.value

    def _latex(self, printer: Any, exp: str | None = None) -> str:
        arm, rewards = map(printer._print, self.args[:2])
        base = rf"\bar r_{{{arm}}}^{{({rewards})}}"
        return base if exp is None else rf"({base})^{{{exp}}}"

    def _sympystr(self, printer: Any) -> str:
        return f"first_rbar({', '.join(map(printer._print, self.args[:2]))})"


class Weight(Named):
    """w_s: the weight of an arm with s rewards; its arguments are s, sigma_0^2 and sigma^2."""

    @property
    def value(self) -> sp.Expr:
        rewards, spread, variance = self.args
        return weight(rewards).xreplace({s0: spread, s: variance})

    @property
    def definition(self) -> tuple[sp.Expr, sp.Expr]:
        return self, self.value

    def _latex(self, printer: Any, exp: str | None = None) -> str:
        base = f"w_{{{printer._print(self.args[0])}}}"
        return base if exp is None else rf"{base}^{{{exp}}}"

    def _sympystr(self, printer: Any) -> str:
        return f"w_{printer._print(self.args[0])}"


def average(arm: sp.Expr) -> sp.Expr:
    """Average reward of an arm before round t."""
    return Average(arm, t, o)


w_S = Weight(S, s0, s)
FIRST, LEAST, A_H = FirstAverage(H, S, o), least(H, N, o), bad(H, S, d, D, N, o)
LOCKED: dict[sp.Expr, Var] = {
    **STACKS,
    **{H: COUNT, S: COUNT, K: at_least(2, integer=True), d: positive(), D: positive()},
    **dict.fromkeys((t, N), at_least(3, integer=True)),  # rounds after the K-th
    **{TOP: COUNT, rank: COUNT, worst: COUNT, second: COUNT, when: at_least(3, integer=True), A_H: UNIT},
}
EACH = {**LOCKED, i: COUNT}
AN_ARM, NOW, LONG, OTHER = Rel(H, "<=", K), Rel(t, "<=", N), Rel(N, ">", K), Rel(i, "<=", K - 1)
WORDS = {
    **stacks.WORDS,
    H: Letter(H, "an arm"),
    S: Letter(sp.Symbol("s"), "number of bad rewards: the first ones of arm H"),
    d: Letter(d, "by how much the average of the bad rewards is below every average of another arm"),
    D: Letter(D, "by how much arm H is better than every other arm"),
    TOP: Letter(TOP, "the other arm with the largest average before round t"),
    count(H, t, o): Letter(count(H, t, o), "pulls of arm H before round t"),
    A_H: Letter(
        A_H, "1 if mu_H >= mu_i + D for every other arm i, and the average of s rewards is d below the others'"
    ),
    regret.R_N: Letter(regret.R_N, "Bayes regret of n rounds of ReUCB with known proxies"),
}


def _defined(of: str, rel: Rel, *given: Rel) -> Definition:
    return Definition(of, Goal(rel, EACH, given, of, letters=WORDS))


L_IS_OTHER = _defined("L is one of the others", Rel(TOP, "=", another(rank, H, o)), LATER)
RANK_IS_OTHER = _defined("L is one of K - 1 others", Rel(rank, "<=", K - 1), LATER)
LARGEST = _defined(
    "L has the largest average of the others", Rel(average(another(i, H, o)), "<=", average(TOP)), LATER, OTHER
)
BELOW = _defined("the least of the averages", Rel(LEAST, "<=", average(another(i, H, o))), LATER, NOW, OTHER).for_every(
    i, t
)
IS_ONE = _defined("the least average is one of them", Rel(LEAST, "=", Average(another(worst, H, o), when, o)), LONG)
WORST_IS_OTHER = _defined("an average of another arm", Rel(worst, "<=", K - 1), LONG)
WHEN_NOW = _defined("an average in one of the n rounds", Rel(when, "<=", N), LONG)
WHEN_LATER = _defined("an average in a later round", Rel(when, ">", K), LONG)
CHOICE = _defined("no index is above that of the pulled arm", Rel(U(i), "<=", U(PULLED)), LATER, Rel(i, "<=", K))
BEST_MEAN = _defined("the best arm has the largest mean", Rel(mu(i, o), "<=", mu(BEST, o)), Rel(i, "<=", K)).for_every(
    i
)
RIVAL = _defined(
    "the largest mean of the others", Rel(mu(i, o), "<=", rival), AN_ARM, Rel(i, "<=", K), Rel((i - H) ** 2, ">=", 1)
).for_every(i, H)
RIVAL_IS_ONE = _defined("the largest mean is one of them", Rel(rival, "=", mu(another(second, H, o), o)))
SECOND_IS_OTHER = _defined("it is that of another arm", Rel(second, "<=", K - 1))
AHEAD, BELOW_OTHERS = mu(H, o) - rival - D, LEAST - FIRST - d
EVENT = _defined(
    "A_H: arm H is better than the others by D, and its first average is d below all averages of the others",
    Rel(A_H, "=", Event(AHEAD, 0) * Event(BELOW_OTHERS, 0)),
)
