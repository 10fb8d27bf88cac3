"""Appendices B and D at counts that ReUCB itself chose: exact averages over all outcomes of a small bandit."""

import sympy as sp

from theory.kernel.argument import Argument, proof
from theory.kernel.claim import claim
from theory.kernel.goal import Goal, Rel
from theory.model.small_play import PlayMean

HIGH, CHANCE = sp.Integer(3), sp.Rational(1, 4)  # noise 3 or -1, of variance 3


def mean(what: str, value: sp.Expr | int, name: str) -> Goal:
    return Goal(Rel(PlayMean(what, HIGH, CHANCE), "=", value), name=name)


@claim(
    "sec:derivation-mse/adaptive/reucb",
    by="us",
    kind="number",
    cites=("sec:derivation-mse/adaptive", "blup"),
)
def prediction_of_reucb() -> Argument:
    """Not only some policy: before round 4 of ReUCB with known variances, laws not Gaussian, the prediction of arm 1 is
    biased and its mean squared error is not the mean of tau^2. Round 3 follows up the larger of two rewards, whose
    mean depends on more than two moments of skewed noise."""
    return proof(
        mean("error", sp.Rational(3, 104), "mean error"),
        mean("excess", sp.Rational(-27, 208), "squared error against tau^2"),
    )


@claim(
    "variance1/adaptive/reucb",
    by="us",
    kind="number",
    cites=("variance1/adaptive", "variance1"),
)
def noise_estimate_of_reucb() -> Argument:
    """The same play: the arm that is pulled twice is the one whose first reward was high, and the estimate of the noise
    variance is too large by a quarter."""
    return proof(
        mean("estimate", sp.Rational(15, 4), "mean of the estimate"),
        mean("noise", 3, "what it estimates"),
    )
