"""Appendices A to C: the GLS mean, the error of the prediction, the comparison with the sample mean."""

from fractions import Fraction
from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import reucb
from tests.hypothesis_examples import examples
from tests.theory.harness.families import Family, Sides
from tests.theory.harness.plays import LAWS, RULES, SIGN, SKEW, Law, Rule, fitted, outcomes, variance
from tests.theory.harness.search import BANDITS
from theory.ledger import Entry

# Appendix A: the GLS mean against dense linear algebra on all rewards.


@examples(30)
@given(BANDITS, st.integers(0, 2**32 - 1))
def test_core_solves_the_dense_problem(bandit: tuple[list[int], Fraction, Fraction], seed: int) -> None:
    """The minimiser of the printed loss, by the inverse of the whole covariance matrix."""
    counts, noise, spread = bandit
    owner = np.repeat(np.arange(len(counts)), counts)
    rewards = np.random.default_rng(seed).normal(size=owner.size)
    covariance = float(spread) * (owner[:, None] == owner) + float(noise) * np.eye(owner.size)
    weights = np.linalg.solve(covariance, np.ones(owner.size))
    means = np.bincount(owner, rewards) / counts
    fit = reucb.blup(counts, means, sigma0_sq=float(spread), sigma_sq=float(noise))
    np.testing.assert_allclose(fit.mu0, weights @ rewards / weights.sum(), rtol=1e-9, atol=1e-10)


# Appendix B: the error of the prediction by enumeration of all outcomes, with reucb.blup as the predictor.


def error_given(offsets: Law, noise: Law, rule: Rule, counts: tuple[int, int], known: bool) -> Sides | None:
    """Mean squared error of arm 1's prediction given the counts after three pulls, the third of arm 2 if the rule says
    so; and the formula for fixed counts."""
    laws, centre = ([variance(noise)], variance(offsets)), Fraction(0) if known else None
    total = chance = Fraction(0)
    for p, (mu, other, *e) in outcomes(offsets, offsets, noise, noise, noise):
        first, second = mu + e[0], other + e[1]
        third = rule(first, second)
        if counts != ((1, 2) if third else (2, 1)):
            continue
        means = (
            [Fraction(first), Fraction(second + other + e[2], 2)]
            if third
            else [Fraction(first + mu + e[2], 2), Fraction(second)]
        )
        total += p * (fitted(counts, means, *laws, centre).mu[0] - mu) ** 2
        chance += p
    return None if chance == 0 else (total / chance, fitted(counts, [0, 0], *laws, centre).mse[0])


CHOICES, COUNTS = (LAWS[:3], LAWS[:3], RULES), ((1, 2), (2, 1))
ADAPTIVE = {
    "sec:derivation-mse/adaptive": Family(
        (*CHOICES, COUNTS), lambda *world: error_given(*world, known=False), (SIGN, SIGN, Rule((1, 1), "=", 0), (1, 2))
    ),
    "sec:model estimation/fixed-round": Family(
        (*CHOICES, COUNTS), lambda *world: error_given(*world, known=True), (SIGN, SIGN, Rule((1, 0), "=", 0), (1, 2))
    ),
    "sec:derivation-mse": Family(
        ((SIGN, SKEW), (SIGN, SKEW), (Rule((0, 0), "=", 0), Rule((0, 0), "=", 1)), COUNTS),
        lambda *world: error_given(*world, known=False),
    ),  # the third pull is fixed
}
FAMILIES = ADAPTIVE


def outcome_errors(rule, known: bool) -> dict[tuple[int, int], list[float]]:
    """Squared errors of arm 1's prediction by realised counts, over all plays with +-1 offsets and noise."""
    errors: dict[tuple[int, int], list[float]] = {}
    for offsets, noise in product(product((-1, 1), repeat=2), product((-1, 1), repeat=3)):
        rewards = [[offsets[0] + noise[0]], [offsets[1] + noise[1]]]
        third = rule(rewards[0][0], rewards[1][0])
        rewards[third].append(offsets[third] + noise[2])
        counts = [len(r) for r in rewards]
        means = [sum(r) / len(r) for r in rewards]
        fit = reucb.blup(counts, means, sigma0_sq=1.0, sigma_sq=1.0, mu0=0.0 if known else None)
        errors.setdefault((counts[0], counts[1]), []).append((float(fit.mu[0]) - offsets[0]) ** 2)
    return errors


@pytest.mark.parametrize("arm", [0, 1])
def test_fixed_counts_give_the_formula(arm: int) -> None:
    ((counts, squares),) = outcome_errors(lambda a, b: arm, known=False).items()
    expected = reucb.blup(counts, [0.0, 0.0], sigma0_sq=1.0, sigma_sq=1.0).mse[0]
    assert sum(squares) / len(squares) == pytest.approx(expected, rel=1e-13)


def test_adaptive_counts_do_not(ledger: dict[str, Entry]) -> None:
    """The two counterexamples of the ledger, played with the core's own predictor."""
    for name, rule, known in (
        ("sec:derivation-mse/adaptive", lambda a, b: int(a + b == 0), False),
        ("sec:model estimation/fixed-round", lambda a, b: int(a == 0), True),
    ):
        shown = ledger[name].finding.counterexample
        assert shown is not None
        squares = outcome_errors(rule, known)[(1, 2)]
        assert sum(squares) / len(squares) == pytest.approx(float(Fraction(shown["left"])), rel=1e-13)
        formula = reucb.blup([1, 2], [0.0, 0.0], sigma0_sq=1.0, sigma_sq=1.0, mu0=0.0 if known else None).mse[0]
        assert float(formula) == pytest.approx(float(Fraction(shown["right"])), rel=1e-13)


# Appendix C: the comparison with the sample mean, on the core.


@examples(60)
@given(BANDITS)
def test_gain_over_the_sample_mean(bandit: tuple[list[int], Fraction, Fraction]) -> None:
    """sigma^2/n_k - tau_k^2 = (1-w_k) sigma^2/n_k times the other arms' share of the weights."""
    counts, noise, spread = bandit
    fit = reucb.blup(counts, np.zeros(len(counts)), sigma0_sq=float(spread), sigma_sq=float(noise))
    direct = float(noise) / np.array(counts)
    others = (fit.weights.sum() - fit.weights) / fit.weights.sum()
    gain = (1 - fit.weights) * direct * others
    np.testing.assert_allclose(direct - fit.mse, gain, rtol=1e-9, atol=1e-13 * direct.max())  # the difference cancels
    if len(counts) > 1:
        assert (fit.mse < direct).all()
