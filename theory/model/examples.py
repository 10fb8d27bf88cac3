"""Small examples with finitely many outcomes, and numbers that are computed by listing these.

`Listed("...")` is one of `NUMBERS`: a statement prints what it is, the engines see its value, and a counterexample
shows the counts, variances, laws and rules from which it was computed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import product
from typing import Any

import sympy as sp

from theory.kernel.goal import Goal, Rel
from theory.kernel.named import Fixed, Named, Said
from theory.model.arms import DOMAIN, LETTERS, Wo, n, s, s0
from theory.model.small_play import Set

Law = Mapping[int, Fraction]
Rule = Callable[[tuple[int, ...]], int]  # the arm of a pull, 0 or 1, from the rewards so far
FAIR: Law = {-1: Fraction(1, 2), 1: Fraction(1, 2)}
SKEWED: Law = {-1: Fraction(2, 3), 2: Fraction(1, 3)}
ZERO = Fraction(0)


def variance(law: Law) -> Fraction:
    """Of a law with mean 0."""
    return sum((p * x * x for x, p in law.items()), ZERO)


def words(law: Law) -> str:
    """+1 or -1, fair; or each value with its chance."""
    values = sorted(law, reverse=True)
    if len(set(law.values())) == 1:
        return f"{' or '.join(f'{x:+d}' for x in values)}, fair"
    return ", ".join(f"{x} with chance {law[x]}" for x in sorted(law))


# Three pulls of two arms whose means are +1 or -1: one of each, then one of the arm that a rule picks.


@dataclass(frozen=True)
class ThirdPull:
    """The mean squared error of arm 1's prediction, given that the counts turn out to be 1 and 2."""

    rule: Rule
    said: str
    known: bool  # whether the prediction uses mu_0 = 0
    counts: tuple[int, int] = (1, 2)

    def plays(self) -> Iterator[tuple[tuple[int, int], list[Fraction], int]]:
        """(counts, sample means, mu_1) of every equally likely play."""
        for offsets, noise in product(product(FAIR, repeat=2), product(FAIR, repeat=3)):
            rewards = [[offsets[0] + noise[0]], [offsets[1] + noise[1]]]
            third = self.rule((rewards[0][0], rewards[1][0]))
            rewards[third].append(offsets[third] + noise[2])
            yield (len(rewards[0]), len(rewards[1])), [Fraction(sum(r), len(r)) for r in rewards], offsets[0]

    def value(self) -> Fraction:
        squares, weights = [], [c / (c + variance(FAIR) / variance(FAIR)) for c in map(Fraction, self.counts)]
        for realised, means, mu in self.plays():
            if realised == self.counts:
                blend = sum((w * x for w, x in zip(weights, means, strict=True)), ZERO) / sum(weights)
                centre = ZERO if self.known else blend
                squares.append((centre + weights[0] * (means[0] - centre) - mu) ** 2)
        return sum(squares, ZERO) / len(squares)

    @property
    def data(self) -> dict[str, Any]:
        return {**design(self.counts), "third pull": Said(self.said)}


def design(counts: tuple[int, ...]) -> dict[str, Any]:
    """Counts, variances and laws where arm means and noise are +1 or -1."""
    spread = str(variance(FAIR))
    return {
        "K": str(len(counts)),
        "n": [str(c) for c in counts],
        "sigma_sq": spread,
        "sigma0_sq": spread,
        "laws": Said(f"offsets and noise {words(FAIR)}"),
    }


def at_design(counts: tuple[int, ...]) -> dict[sp.Symbol, sp.Expr]:
    """Where the formulas of the paper are taken for such a design: arm 1, with these other arms if there are any."""
    one = sp.Integer(1)
    others = {Wo: sp.Add(*(sp.Rational(c, c + 1) for c in counts[1:]))} if len(counts) > 1 else {}
    return {n: sp.Integer(counts[0]), s: one, s0: one, **others}


# Four pulls of two arms: 1, 2, 1, then arm 1 again if its two rewards differ, else arm 2. Arm means cancel.
FOUR_PULLS = {
    "K": "2",
    "sigma_sq": str(variance(SKEWED)),
    "noise": Said(words(SKEWED)),
    "play": Said("arms 1, 2, 1, then arm 1 if its rewards differ, else arm 2"),
}


def four_pulls() -> Iterator[tuple[Fraction, list[list[int]]]]:
    """(probability, noise of the pulls of each arm) of every outcome."""
    for e in product(SKEWED, repeat=4):
        arms = [[e[0], e[2]], [e[1]]]
        arms[0 if e[0] != e[2] else 1].append(e[3])
        yield SKEWED[e[0]] * SKEWED[e[1]] * SKEWED[e[2]] * SKEWED[e[3]], arms


def estimate_of_noise() -> Fraction:
    """The average of Eq. variance1 over all outcomes; N - K = 2."""
    total = ZERO
    for chance, arms in four_pulls():
        centres = [Fraction(sum(a), len(a)) for a in arms]
        total += chance * sum(((x - m) ** 2 for a, m in zip(arms, centres, strict=True) for x in a), ZERO) / 2
    return total


# One arm, pulled again only after a reward of -1.
AGAIN = {"mu_k": "0", "rewards": Said(words(FAIR)), "play": Said("a second pull only after -1")}


def pulled_again() -> Iterator[tuple[Fraction, tuple[int, ...]]]:
    """(probability, rewards) of every outcome."""
    yield FAIR[1], (1,)
    yield from ((FAIR[-1] * p, (-1, x)) for x, p in FAIR.items())


def mean_of_sample_mean() -> Fraction:
    return sum((p * Fraction(sum(r), len(r)) for p, r in pulled_again()), ZERO)


# A fixed design with counts 2 and 1, predicted with estimated variances, or with the known ones.
UNEQUAL = (2, 1)


def plug_in(estimated: bool = True) -> tuple[Fraction, Fraction]:
    """Averages over all outcomes of arm 1's squared error and of its tau^2; estimates as printed (n_* = 4/3)."""
    error = width = ZERO
    for first, second, *noise in product(FAIR, repeat=5):
        rewards = (first + noise[0], first + noise[1], second + noise[2])
        means = (Fraction(rewards[0] + rewards[1], 2), Fraction(rewards[2]))
        overall = Fraction(sum(rewards), 3)
        within, between = variance(FAIR), variance(FAIR)
        if estimated:
            within = (rewards[0] - means[0]) ** 2 + (rewards[1] - means[0]) ** 2
            between = (2 * (means[0] - overall) ** 2 + (means[1] - overall) ** 2) * Fraction(3, 4)
        prediction, tau = _predicted(means, within, between)
        error, width = error + (prediction - first) ** 2, width + tau
    return error / 32, width / 32


def _predicted(means: tuple[Fraction, Fraction], within: Fraction, between: Fraction) -> tuple[Fraction, Fraction]:
    """Prediction and tau^2 of arm 1 with these two variances."""
    if within == between == 0:  # all rewards are equal: any weights give their common value, and width 0
        return means[0], ZERO
    direct = [between + within / c for c in UNEQUAL]  # variances of the sample means
    common_variance = 1 / sum((1 / d for d in direct), ZERO) if all(direct) else ZERO
    common = common_variance * sum((m / d for m, d in zip(means, direct, strict=True)), ZERO)
    weight = between / direct[0]
    tau = (1 - weight) * between + (1 - weight) ** 2 * common_variance
    return (1 - weight) * common + weight * means[0], tau


# One pull of one arm, mu_0 = 0 known.


def error_given(reward: int) -> Fraction:
    """E[(w r - mu)^2 | r], w = 1/2."""
    squares = [(Fraction(reward, 2) - d) ** 2 for d, e in product(FAIR, repeat=2) if d + e == reward]
    return sum(squares, ZERO) / len(squares)


def error_on_average() -> Fraction:
    rewards = [d + e for d, e in product(FAIR, repeat=2)]
    return sum(map(error_given, rewards), ZERO) / len(rewards)


@dataclass(frozen=True)
class Number:
    """How a number is printed, as LaTeX and as text; how it is computed; and from what."""

    tex: str
    text: str
    compute: Callable[[], Fraction]
    data: Mapping[str, Any] = field(default_factory=dict)


def _third_pull(of: str, name: str, pull: ThirdPull) -> Number:
    given = ",".join(f"n_{k}={c}" for k, c in enumerate(pull.counts, 1))
    tex = rf"\mathbb{{E}}\left[({of}_1-\mu_1)^2\mid {given}\right]"
    return Number(tex, f"E[({name}_1 - mu_1)^2 | {given.replace(',', ', ')}]", pull.value, pull.data)


SECOND = "arm 2"
KNOWN, ESTIMATED = (r"\tilde\mu", "mu-tilde"), (r"\hat\mu", "mu-hat")
NUMBERS: dict[str, Number] = {
    "known mean, fixed": _third_pull(*KNOWN, ThirdPull(lambda r: 1, SECOND, known=True)),
    "known mean, adaptive": _third_pull(
        *KNOWN, ThirdPull(lambda r: int(r[0] == 0), "arm 2 if the first reward of arm 1 is 0, else arm 1", known=True)
    ),
    "fixed": _third_pull(*ESTIMATED, ThirdPull(lambda r: 1, SECOND, known=False)),
    "adaptive": _third_pull(
        *ESTIMATED,
        ThirdPull(
            lambda r: int(r[0] + r[1] == 0), "arm 2 if the first two rewards add up to 0, else arm 1", known=False
        ),
    ),
    "estimate of the noise": Number(
        r"\mathbb{E}\left[\hat\sigma^2\right]", "E[sigma-hat^2]", estimate_of_noise, FOUR_PULLS
    ),
    "noise": Number(r"\mathbb{E}\left[\varepsilon_{k,j}^2\right]", "E[eps_kj^2]", lambda: variance(SKEWED), FOUR_PULLS),
    "sample mean": Number(r"\mathbb{E}\left[\bar r_k\mid\mu_k\right]", "E[rbar_k | mu_k]", mean_of_sample_mean, AGAIN),
    "plug-in error": Number(
        r"\mathbb{E}\left[(\hat\mu_1(\hat\sigma,\hat\sigma_0)-\mu_1)^2\right]",
        "E[(mu-hat_1(estimated variances) - mu_1)^2]",
        lambda: plug_in()[0],
        design(UNEQUAL),
    ),
    "plug-in width": Number(
        r"\mathbb{E}\left[\hat\tau_1^2\right]", "E[tau-hat_1^2]", lambda: plug_in()[1], design(UNEQUAL)
    ),
    "error with the known variances": Number(
        r"\mathbb{E}\left[(\hat\mu_1-\mu_1)^2\right]",
        "E[(mu-hat_1 - mu_1)^2]",
        lambda: plug_in(estimated=False)[0],
        design(UNEQUAL),
    ),
    "error given the reward": Number(
        r"\mathbb{E}\left[(\tilde\mu_1-\mu_1)^2\mid r_{1,1}=\mu_0\right]",
        "E[(mu-tilde_1 - mu_1)^2 | r_11 = mu_0]",
        lambda: error_given(0),
        {**design((1,)), "reward": Said("equal to the mean of the arm means")},
    ),
    "error on average": Number(
        r"\mathbb{E}\left[(\tilde\mu_1-\mu_1)^2\right]", "E[(mu-tilde_1 - mu_1)^2]", error_on_average, design((1,))
    ),
}


class Listed(Named):
    """A number of `NUMBERS`."""

    def __new__(cls, name: str | sp.Symbol) -> Listed:
        if str(name) not in NUMBERS:
            raise ValueError(f"name={str(name)!r}: must be one of {', '.join(NUMBERS)}")
        found: Listed = sp.Expr.__new__(cls, Fixed(str(name)))
        return found

    @property
    def number(self) -> Number:
        return NUMBERS[self.args[0].name]

    @property
    def bound(self) -> set[sp.Symbol]:
        return {self.args[0]}

    @property
    def value(self) -> sp.Expr:
        found = self.number.compute()
        return sp.Rational(found.numerator, found.denominator)

    @property
    def data(self) -> dict[str, Any]:
        return dict(self.number.data)

    @property
    def definition(self) -> tuple[sp.Expr, sp.Expr] | None:
        """Laws and rules of the example, in words, beside the statement."""
        said = [f"{name}: {text}" for name, text in self.number.data.items() if isinstance(text, Said)]
        return Set(r"\text{example}", "example"), Set(rf"\text{{{'; '.join(said)}}}", "; ".join(said))

    def _latex(self, printer: Any, exp: str | None = None) -> str:
        return self.number.tex if exp is None else rf"\left({self.number.tex}\right)^{{{exp}}}"

    def _sympystr(self, printer: Any) -> str:
        return self.number.text


def of_example(left: sp.Expr, right: sp.Expr, name: str = "") -> Goal:
    """An equation between numbers, printed in the letters of the paper."""
    return Goal(Rel(left, "=", right), DOMAIN, name=name, letters=LETTERS)
