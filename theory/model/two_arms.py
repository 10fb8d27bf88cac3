"""Two arms pulled a few times: moments that counterexamples compare, by their names, as functions of the variances."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product
from typing import Any, ClassVar

import sympy as sp

from theory.kernel.goal import Letter
from theory.kernel.named import Named
from theory.model.arms import LETTERS, s, s0
from theory.model.at_values import at_values
from theory.model.random_mean import SIGMA_Q, sq
from theory.model.small_play import Set

noise_1, noise_2 = sp.symbols("sigma_1_sq sigma_2_sq")
NOISES = {
    x: Letter(sp.Symbol(f"sigma_{arm}", positive=True) ** 2, f"variance of the rewards of arm {arm}")
    for arm, x in enumerate((noise_1, noise_2), 1)
}
SHARED = {s: LETTERS[s], s0: LETTERS[s0], sq: SIGMA_Q}


class OfTwoArms(Named):
    """A quantity of two arms: how many rewards, or which one, and the values of its parameters."""

    parameters: ClassVar[tuple[sp.Symbol, ...]] = ()
    example: ClassVar[str] = "two arms, one pull of each"
    numbers: ClassVar[tuple[int, ...]] = (1, 2)

    def __new__(cls, number: int | sp.Integer, *at: sp.Expr) -> OfTwoArms:
        if number not in cls.numbers:
            raise ValueError(f"number={number}: must be one of {', '.join(map(str, cls.numbers))}")
        found: OfTwoArms = sp.Expr.__new__(cls, sp.Integer(number), *(at or cls.parameters))
        return found

    @property
    def parts(self) -> tuple[sp.Expr, ...]:
        return tuple(self.args[1:])

    @property
    def definition(self) -> tuple[sp.Expr, sp.Expr]:
        return Set(r"\text{example}", "example"), Set(rf"\text{{{self.example}}}", self.example)

    def name(self) -> Set:
        raise NotImplementedError

    @property
    def written(self) -> sp.Expr:
        return at_values(self.name(), *zip(self.parameters, self.args[1:], strict=True))

    def _sympystr(self, printer: Any) -> str:
        return str(printer._print(self.written))

    def _latex(self, printer: Any) -> str:
        return str(printer._print(self.written))


class VarianceGiven(OfTwoArms):
    """The variance of mu_1 given the reward of arm 1, or those of both arms, where mu_0 has the variance sigma_q^2."""

    parameters = (sq, s0, s)

    def name(self) -> Set:
        seen = self.args[0]
        return Set(
            rf"\mathrm{{Var}}\left(\mu_1\mid {','.join(rf'r_{i}' for i in range(1, seen + 1))}\right)",
            f"Var(mu_1 | {', '.join(f'r_{i}' for i in range(1, seen + 1))})",
        )

    @property
    def value(self) -> sp.Expr:
        """That of mu_1, less what the rewards explain: c^T S^-1 c, c and S their covariances with it and each other."""
        seen, common, spread, noise = self.args
        together = sp.Matrix(2, 2, lambda i, j: common + (spread + noise if i == j else 0))[:seen, :seen]
        with_mean = sp.Matrix([common + spread, common])[:seen, :]
        explained = (with_mean.T * together.adjugate() * with_mean)[0] / together.det()
        return common + spread - explained


class ErrorWithReward(OfTwoArms):
    """The covariance of the error of arm 1 with the reward of an arm, the weights computed with one noise variance."""

    parameters = (noise_1, noise_2, s, s0)

    def name(self) -> Set:
        return Set(
            rf"\mathrm{{Cov}}\left(\hat\mu_1-\mu_1,r_{self.args[0]}\right)", f"Cov(mu-hat_1 - mu_1, r_{self.args[0]})"
        )

    @property
    def value(self) -> sp.Expr:
        """mu-hat_1 = w r_1 + (1-w) (r_1 + r_2)/2, and the rewards of two arms are independent."""
        arm, own, other, noise, spread = self.args
        weight = spread / (spread + noise)
        if arm == 1:
            return weight * (spread + own) - spread + (1 - weight) * (spread + own) / 2
        return (1 - weight) * (spread + other) / 2


class ErrorAfterOneAndZero(OfTwoArms):
    """The error of an arm after the rewards 1 and 0, which are the means."""

    parameters = (s, s0)
    example = "two arms, one pull of each, rewards 1 and 0 equal to the means"

    def name(self) -> Set:
        arm = self.args[0]
        return Set(rf"(\hat\mu_{arm}-\mu_{arm})", f"(mu-hat_{arm} - mu_{arm})")

    @property
    def value(self) -> sp.Expr:
        arm, noise, spread = self.args
        weight, reward = spread / (spread + noise), 2 - arm
        return weight * reward + (1 - weight) / 2 - reward


class AfterThreePulls(OfTwoArms):
    """Means before round 4 of ReUCB on two arms whose rewards are their means: of the error of arm 1, of r0-bar - mu_0.

    The means are 0 or 1, fair. With equal counts the arm of the larger reward is pulled, whatever the variances are.
    """

    parameters = (s, s0)
    example = "two arms, means 0 or 1 (fair), rewards equal to the means, before round 4, ties to the lower arm"

    def name(self) -> Set:
        tex, text = ((r"\hat\mu_{1,4}-\mu_1", "mu-hat_1 - mu_1"), (r"\bar r_{0,4}-\mu_0", "rbar_0 - mu_0"))[
            self.args[0] - 1
        ]
        return Set(rf"\mathbb{{E}}\left[{tex}\right]", f"E[{text}]")

    @property
    def value(self) -> sp.Expr:
        which, noise, spread = self.args
        found, ratio = sp.S.Zero, noise / spread
        for first, second in product((0, 1), repeat=2):
            third = 0 if first >= second else 1
            counts = [sp.Integer(1 + (third == i)) for i in (0, 1)]
            weights = [c / (c + ratio) for c in counts]
            centre = (weights[0] * first + weights[1] * second) / sum(weights)
            error = weights[0] * first + (1 - weights[0]) * centre - first
            found += sp.Rational(1, 4) * (error if which == 1 else centre - sp.Rational(1, 2))
        return found


class OwnNoise(OfTwoArms):
    """With a noise variance for each arm: the error of arm 1's printed prediction, and what the two displays say."""

    parameters = (noise_1, noise_2)
    example = "two arms, one pull of each, arm means of variance 1"
    numbers = (1, 2, 3)

    def name(self) -> Set:
        error = (r"\mathbb{E}\left[(\hat\mu_1^h-\mu_1)^2\right]", "E[(mu-hat_1^h - mu_1)^2]")
        displays = (
            (rf"\tau_{{h;1}}^2\ \text{{({x} display)}}", f"tau_h1^2 ({x} display)") for x in ("first", "second")
        )
        return Set(*(error, *displays)[self.args[0] - 1])

    @property
    def value(self) -> sp.Expr:
        which, *noise = self.args
        return errors_with_own_noise([1 / (1 + e) for e in noise], noise)[which - 1]


def errors_with_own_noise(weights: Sequence[sp.Expr], noise: Sequence[sp.Expr | int]) -> tuple[sp.Expr, ...]:
    """(error of arm 1's prediction with r0-bar as printed, first display, second display), at sigma_0^2 = 1, where
    n_i (1 - w_i) = w_i sigma_i^2 and Var(r-bar_i) = 1/w_i."""
    shares = [w_ * e for w_, e in zip(weights, noise, strict=True)]
    lean = 1 - weights[0]
    on = [lean * share / sum(shares) for share in shares]  # coefficients of the sample means in mu-hat_1
    on[0] += weights[0]
    error_ = 1 - 2 * on[0] + sum(x_**2 / w_ for x_, w_ in zip(on, weights, strict=True))
    return error_, lean + lean**2 * noise[0] / sum(shares), lean + lean**2 / sum(weights)
