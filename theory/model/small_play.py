"""ReUCB itself on a bandit small enough to list all outcomes: two arms, three rounds, exact averages.

mu_1 and mu_2 are +1 or -1, fair, so that mu_0 = 0 and sigma_0^2 = 1. The noise of a reward is `high` with chance p and
else the negative number that gives it mean 0. ReUCB knows sigma_0^2 and sigma^2. After one pull of each arm the widths
are equal, so that round 3 pulls the arm of the larger reward, the first one if they are equal: whatever a > 0 is.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from itertools import product
from typing import Any

import sympy as sp

from theory.kernel.named import Fixed, Named

MEANS = {
    "error": r"\hat\mu_{1,4}-\mu_1",
    "excess": r"(\hat\mu_{1,4}-\mu_1)^2-\tau_{1,4}^2",
    "estimate": r"\hat\sigma^2_4",
    "noise": r"\varepsilon_{k,j}^2",
}
Outcome = tuple[Fraction, tuple[int, ...], list[list[Fraction]]]


def outcomes(high: Fraction, chance: Fraction) -> Iterator[Outcome]:
    """Chance, arm means and rewards of each arm, of every play."""
    law = {high: chance, -high * chance / (1 - chance): 1 - chance}
    for means, noise in product(product((-1, 1), repeat=2), product(law, repeat=3)):
        weight = Fraction(1, 4) * law[noise[0]] * law[noise[1]] * law[noise[2]]
        rewards = [[means[0] + noise[0]], [means[1] + noise[1]]]
        third = int(rewards[1] > rewards[0])
        rewards[third].append(means[third] + noise[2])
        yield weight, means, rewards


def prediction(rewards: list[list[Fraction]], variance: Fraction) -> tuple[Fraction, Fraction]:
    """mu-hat_1 and tau_1^2 at sigma_0^2 = 1."""
    weights = [len(r) / (len(r) + variance) for r in rewards]
    averages = [sum(r, Fraction(0)) / len(r) for r in rewards]
    total = sum(weights, Fraction(0))
    centre = sum((w * r for w, r in zip(weights, averages, strict=True)), Fraction(0)) / total
    rest = 1 - weights[0]
    return rest * centre + weights[0] * averages[0], rest + rest**2 / total


def average(what: str, high: Fraction, chance: Fraction) -> Fraction:
    """One of `MEANS` over all outcomes."""
    total, variance = Fraction(0), high**2 * chance / (1 - chance)
    for weight, means, rewards in outcomes(high, chance):
        predicted, squared_width = prediction(rewards, variance)
        error = predicted - means[0]
        squares = ((x - sum(r, Fraction(0)) / len(r)) ** 2 for r in rewards for x in r)
        within = sum(squares, Fraction(0))  # Eq. variance1, N - K = 1
        found: dict[str, Fraction] = {
            "error": error,
            "excess": error**2 - squared_width,
            "estimate": within,
            "noise": variance,
        }
        total += weight * found[what]
    return total


class PlayMean(Named):
    """The mean of one of `MEANS` before round 4, for noise that is `high` with this chance."""

    def __new__(cls, what: str | sp.Symbol, high: Any, chance: Any) -> PlayMean:
        if str(what) not in MEANS:
            raise ValueError(f"what={str(what)!r}: must be one of {', '.join(MEANS)}")
        if not 0 < sp.Rational(chance) < 1:
            raise ValueError(f"chance={chance}: must be between 0 and 1")
        found: PlayMean = sp.Expr.__new__(cls, Fixed(str(what)), sp.Rational(high), sp.Rational(chance))
        return found

    @property
    def bound(self) -> set[sp.Symbol]:
        return {self.args[0]}

    @property
    def value(self) -> sp.Expr:
        what, *law = self.args
        found = average(what.name, *(Fraction(int(x.p), int(x.q)) for x in law))
        return sp.Rational(found.numerator, found.denominator)

    @property
    def definition(self) -> tuple[sp.Expr, sp.Expr]:
        _, high, chance = self.args
        low = -high * chance / (1 - chance)
        law = rf"{high}\ \text{{with probability}}\ {chance},\ \text{{else}}\ {low}"
        return Set(r"\varepsilon_{k,j}"), Set(rf"{law},\ K=2,\ \mu_k=\pm1\ \text{{fair}}")

    def _latex(self, printer: Any, exp: str | None = None) -> str:
        base = rf"\mathbb{{E}}\left[{MEANS[self.args[0].name]}\right]"
        return base if exp is None else rf"{base}^{{{exp}}}"

    def _sympystr(self, printer: Any) -> str:
        return f"E[{self.args[0].name} before round 4]"


class Set(sp.Expr):  # type: ignore[misc]
    """LaTeX that is printed as written; in plain text too, unless this is given separately."""

    is_commutative = True

    def __new__(cls, tex: str | sp.Symbol, text: str | sp.Symbol | None = None) -> Set:
        found: Set = sp.Expr.__new__(cls, Fixed(str(tex)), Fixed(str(tex if text is None else text)))
        return found

    @property
    def free_symbols(self) -> set[sp.Symbol]:
        return set()

    def _latex(self, printer: Any) -> str:
        return str(self.args[0].name)

    def _sympystr(self, printer: Any) -> str:
        return str(self.args[1].name)
