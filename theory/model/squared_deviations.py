"""The variance of a sum of squared deviations from the average, for independent summands with a fourth moment."""

from __future__ import annotations

from typing import Any

import sympy as sp
from sympy.core.function import AppliedUndef

from theory.kernel.named import Fixed, Named
from theory.model.arms import J, n, s, s0
from theory.model.at_values import at_values

kappa, COUNT = sp.Symbol("kappa"), sp.Function("n")  # pulls of an arm
OF = {  # how the sum is printed; number, variance of its summands; their fourth moment is kappa
    "arms": (r"\sum_{{k}}(\mu_k-\bar\mu)^2", J + 1, s0),
    "rewards": (r"\sum_{{j}}(r_{{{0},j}}-\bar r_{0})^2", n, s),
}


def centred_square(size: sp.Expr, variance: sp.Expr, fourth: sp.Expr) -> sp.Expr:
    """E(sum of (x_i - x-bar)^2)^2 for `size` i.i.d. centred x_i with this variance and fourth moment.

    The sum is A - T^2/size, A the sum of squares and T the sum; E A^2, E A T^2 and E T^4 count equal pairs of indices.
    """
    pairs = size * fourth + size * (size - 1) * variance**2  # E A^2, and E A T^2 as well
    fourth_of_sum = size * fourth + 3 * size * (size - 1) * variance**2
    return pairs - 2 * pairs / size + fourth_of_sum / size**2


class SquaresVariance(Named):
    """Variance of the sum of squared deviations of all arm means (`arms`) or of the rewards of arm k (`rewards`)."""

    def __new__(cls, of: str | sp.Symbol, *at: Any) -> SquaresVariance:
        if str(of) not in OF:
            raise ValueError(f"of={str(of)!r}: must be one of {', '.join(OF)}")
        found: SquaresVariance = sp.Expr.__new__(cls, Fixed(str(of)), *(at or (*OF[str(of)][1:], kappa)))
        return found

    @property
    def bound(self) -> set[sp.Symbol]:
        return {self.args[0]}

    @property
    def value(self) -> sp.Expr:
        _, size, variance, fourth = self.args
        return centred_square(size, variance, fourth) - ((size - 1) * variance) ** 2

    @property
    def parts(self) -> tuple[sp.Expr, ...]:
        return (1 / self.args[1],)

    @property
    def written(self) -> sp.Expr:
        """By the arm whose count is the number of summands; another number stands beside it."""
        of, size, variance, fourth = self.args
        of_arm = of.name == "rewards" and isinstance(size, AppliedUndef) and size.func == COUNT
        plain = of_arm or size == OF[of.name][1]
        printed = Printed(of, size.args[0] if of_arm else sp.Symbol("k"), *(() if plain else (size,)))
        return at_values(printed, (OF[of.name][2], variance), (kappa, fourth))


class Printed(sp.Expr):  # type: ignore[misc]
    """How such a variance is printed."""

    is_commutative = True

    def _latex(self, printer: Any) -> str:
        of, arm, *size = self.args
        at = f"_{{{'K' if of.name == 'arms' else 'n_k'}={printer._print(size[0])}}}" if size else ""
        return rf"\operatorname{{Var}}{at}\left({OF[of.name][0].format(arm)}\right)"

    def _sympystr(self, printer: Any) -> str:
        of, arm, *size = self.args
        return f"Var(sum of squares of {of}, {', '.join(map(printer._print, (arm, *size)))})"
