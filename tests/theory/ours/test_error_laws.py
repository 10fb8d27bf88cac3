"""The laws of the errors given the reward differences, on simulated plays of ReUCB with known variances.

The plays are computed here, by code that knows neither the ledger nor `reucb`. Each comparison is with five standard
errors (false alarm 6e-7 each, below 1e-4 for the file). With 60,000 plays an error of 0.011 in a chance would be found;
that of tilde-tau in place of tau is, in a test of its own.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

import numpy as np
import pytest
import sympy as sp
from numpy.typing import NDArray

from theory.kernel.classical import COEFFICIENT
from theory.kernel.named import valued
from theory.kernel.sources import conclusions
from theory.kernel.terms import Event
from theory.ledger import load
from theory.model import joint_errors
from theory.model.arms import s, s0
from theory.model.error_law import REUCB, c, xi
from theory.model.play import K, count, i, k, others, t, tau
from theory.model.play import a as width_factor
from theory.model.round_errors import d

Array = NDArray[np.float64]
PLAYS, ARMS, LAST, S0, NOISE, WIDTH = 60_000, 3, 9, 0.7, 1.1, 0.8
ALL = np.arange(PLAYS)


@dataclass(frozen=True)
class Played:
    """Before the round after the last: errors and widths of all arms, weights, and the arm that is pulled next."""

    errors: Array
    widths: Array
    weights: Array
    pulled: NDArray[np.int64]


def indices(sums: Array, counts: Array, weights: Array, rounds: int) -> tuple[Array, Array, Array]:
    """Estimates, widths and indices by Eqs. blup and MSE."""
    means = np.divide(sums, counts, out=np.zeros_like(sums), where=counts > 0)
    total = weights.sum(1, keepdims=True)
    centre = (weights * means).sum(1, keepdims=True) / total
    estimates = (1 - weights) * centre + weights * means
    widths = np.sqrt(S0 * (1 - weights) + (1 - weights) ** 2 * S0 / total)
    return estimates, widths, estimates + np.sqrt(WIDTH * np.log(rounds)) * widths


@cache
def played(by_index: bool) -> Played:
    """Rounds 1 to LAST; mu_0 = 5. With `by_index` only the first round is blind."""
    rng = np.random.default_rng(11 + by_index)
    mu = 5 + np.sqrt(S0) * rng.standard_normal((PLAYS, ARMS))
    sums, counts = np.zeros((PLAYS, ARMS)), np.zeros((PLAYS, ARMS))
    for rounds in range(1, LAST + 2):
        weights = counts * S0 / (counts * S0 + NOISE)
        blind = rounds == 1 if by_index else rounds <= ARMS
        if not blind:
            estimates, widths, index = indices(sums, counts, weights, rounds)
        chosen = np.full(PLAYS, rounds - 1) if blind else index.argmax(1)
        if rounds <= LAST:
            sums[ALL, chosen] += mu[ALL, chosen] + np.sqrt(NOISE) * rng.standard_normal(PLAYS)
            counts[ALL, chosen] += 1
    return Played(estimates - mu, widths, weights, chosen)


@pytest.fixture(scope="module", params=[False, True], ids=["each", "index"])
def play(request: pytest.FixtureRequest) -> Played:
    return played(request.param)


def near_zero(sample: Array) -> bool:
    return bool(abs(sample.mean()) <= 5 * sample.std() / np.sqrt(len(sample)))


def stated(item: str, level: float, width: Array) -> Array:
    """The right side of the law in the ledger at c = level, for these values of tau."""
    load()
    (goal,) = (g for g in conclusions("ours/conditioning/law") if g.name == item)
    tau = sp.Symbol("tau")
    right = valued(goal.rel.stated[1]).xreplace({REUCB.width(k, t, d): tau, c: sp.Float(level)})
    return np.broadcast_to(sp.lambdify(tau, right.evalf(), ["scipy", "numpy"])(width), width.shape)


def error_of(play: Played, arm: str) -> tuple[Array, Array]:
    """Errors and widths of the pulled arm, the next one, and the first."""
    chosen = {"pulled": play.pulled, "next": (play.pulled + 1) % ARMS, "first": np.zeros(PLAYS, int)}[arm]
    return play.errors[ALL, chosen], play.widths[ALL, chosen]


@pytest.mark.parametrize("level", [-1.0, 0.3, 1.2])
@pytest.mark.parametrize("arm", ["pulled", "next", "first"])
def test_law_of_an_error(play: Played, arm: str, level: float) -> None:
    """Chances and means above c tau and below -c tau, and the first two moments."""
    error, width = error_of(play, arm)
    assert near_zero(error - stated("first moment", level, width))
    assert near_zero(error**2 - stated("second moment", level, width))
    for side, sign in (("above", 1), ("below", -1)):
        far = sign * error > level * width
        assert near_zero(far - stated(f"chance {side}", level, width))
        assert near_zero(sign * error * far - stated(f"mean {side}", level, width))


def test_another_width_is_not_right(play: Played) -> None:
    """Without the error of r-bar_0 the widths are tilde-tau, too small."""
    error, width = error_of(play, "first")
    assert not near_zero((error > 1.2 * np.sqrt(S0 * (1 - play.weights[:, 0]))) - stated("chance above", 1.2, width))


def test_two_errors() -> None:
    """ours/conditioning/pair: given X_k the mean of X_I is r X_k, r = (1 - w_I)/(1 + weights of the others than k)."""
    play = played(by_index=False)
    other = (play.pulled + 1) % ARMS
    (x, _), (y, tau) = error_of(play, "pulled"), error_of(play, "next")
    ratio = (1 - play.weights[ALL, play.pulled]) / (1 + play.weights.sum(1) - play.weights[ALL, other])
    for level in (-0.5, 0.5):
        far = y > level * tau
        assert near_zero((x - ratio * y) * far)
        assert not near_zero((x - 2 * ratio * y) * far)


def test_errors_of_all_arms() -> None:
    """ours/conditioning/joint: the moment generating function of all errors, as the ledger states it."""
    play = played(by_index=False)
    load()
    (goal,) = conclusions("ours/conditioning/joint")
    arms = [sp.Symbol(f"w_{arm}") for arm in range(ARMS)]
    total = sp.Symbol("W")
    for coefficients in ((0.5, -0.3, 0.8), (-0.7, -0.7, 0.1)):
        right = goal.rel.stated[1].subs({K: ARMS, s0: sp.Float(S0)}).doit()
        values = {COEFFICIENT(m): sp.Float(x) for m, x in enumerate(coefficients, 1)}
        values |= {joint_errors.share(m, t, d): x for m, x in enumerate(arms, 1)}
        values |= {event: sp.Integer(int(event.args[0] == 0)) for event in right.atoms(Event)}
        right = right.subs({**values, joint_errors.total: total})
        value = sp.lambdify((*arms, total), right, "numpy")(*play.weights.T, play.weights.sum(1))
        sample = np.exp(play.errors @ np.array(coefficients))
        assert near_zero(sample - value)
        assert not near_zero(sample - value**1.1)


def test_mean_given_the_other_error() -> None:
    """ours/conditioning/pair/mean: of (X_I + s tau_I)^+ given X_k = xi, as the ledger states it."""
    play = played(by_index=False)
    (x, own), (xi_, _) = error_of(play, "pulled"), error_of(play, "next")
    load()
    mean, _ = conclusions("ours/conditioning/pair/mean")
    w_i, w_k = play.weights[ALL, play.pulled], play.weights[ALL, (play.pulled + 1) % ARMS]
    pulls, rest, tau_i = sp.symbols("pulls rest tau_i")
    right = valued(mean.rel.stated[1]).xreplace({count(i, t, d): pulls, others(k, t, d): rest, tau(i, t, d): tau_i})
    right = right.subs({s0: S0, s: NOISE, t: LAST + 1, width_factor: WIDTH})
    value = sp.lambdify((xi, pulls, rest, tau_i), right.evalf(), ["scipy", "numpy"])
    level = np.sqrt(WIDTH * np.log(LAST + 1))
    given = value(xi_, NOISE * w_i / (S0 * (1 - w_i)), play.weights.sum(1) - w_k, own)
    for weight in (1.0, xi_, xi_ > 0):
        assert near_zero((np.maximum(x + level * own, 0) - given) * weight)
    assert not near_zero((np.maximum(x + level * own, 0) - value(0 * xi_, 1, play.weights.sum(1), own)) * xi_)


def test_high_and_low(play: Played) -> None:
    """ours/conditioning/opposite: E[(X_I + s tau_I)^+ 1{X_k < -s tau_k}] <= (s + Psi(s)) Q(s) E tau_I."""
    (x, own), (y, tau) = error_of(play, "pulled"), error_of(play, "next")
    s = np.sqrt(WIDTH * np.log(LAST + 1))
    chance, mean = (stated(f"{what} above", float(s), np.ones(1))[0] for what in ("chance", "mean"))
    both = np.maximum(x + s * own, 0) * (y < -s * tau) - (s + mean - s * chance) * chance * own
    assert both.mean() <= 5 * both.std() / np.sqrt(PLAYS)
    larger = np.maximum(x + s * own, 0) * (y > s * tau) - (s + mean - s * chance) * chance * own
    assert larger.mean() > 5 * larger.std() / np.sqrt(PLAYS)  # the errors are positively correlated
