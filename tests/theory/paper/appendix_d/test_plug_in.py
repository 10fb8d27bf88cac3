"""Appendix D with estimated weights: the ledger's design again, with the core's own estimators."""

from fractions import Fraction
from itertools import product

import numpy as np
import pytest

import reucb
from tests.theory.harness.families import Family, Sides
from tests.theory.harness.plays import LAWS, SIGN, Law, fitted, outcomes
from theory.paper.appendix_d import plug_in as d_plug_in


def plug_in(offsets: Law, noise: Law, counts: tuple[int, ...]) -> Sides:
    """Mean squared error of arm 1's prediction with the printed estimates as variances, and the mean of its tau^2."""
    error = width = Fraction(0)
    size, owner = sum(counts), [k for k, c in enumerate(counts) for _ in range(c)]
    for p, drawn in outcomes(*[offsets] * len(counts), *[noise] * size):
        rewards = [drawn[k] + e for k, e in zip(owner, drawn[len(counts) :], strict=True)]
        arms = [[r for r, k in zip(rewards, owner, strict=True) if k == arm] for arm in range(len(counts))]
        means, overall = [Fraction(sum(a), len(a)) for a in arms], Fraction(sum(rewards), size)
        within = sum((Fraction(r) - means[k]) ** 2 for r, k in zip(rewards, owner, strict=True))
        between = sum(c * (m - overall) ** 2 for c, m in zip(counts, means, strict=True))
        s, s0 = within / (size - len(counts)), between / (size - Fraction(sum(c * c for c in counts), size))
        if s and s0:
            fit = fitted(counts, means, [s], s0)
            found, tau = fit.mu[0], fit.mse[0]
        else:  # limits: without noise the sample mean, without spread the mean of all rewards
            found, tau = (overall, s / size) if s else (means[0], Fraction(0))
        error, width = error + p * (found - drawn[0]) ** 2, width + p * tau
    return error, width


PLUG_IN = Family((LAWS[:3], LAWS[:3], ((2, 1), (1, 2), (2, 2))), plug_in, (SIGN, SIGN, (2, 1)))
FAMILIES = {"sec:estimation-3/plug-in": PLUG_IN}


def test_plug_in_with_the_core() -> None:
    """sec:estimation-3/plug-in: the same design through variance_components and blup, as ReUCB uses them."""
    errors, widths = [], []
    for first, second, *noise in product((-1.0, 1.0), repeat=5):
        rewards = np.array([first + noise[0], first + noise[1], second + noise[2]])
        means = np.array([rewards[:2].mean(), rewards[2]])
        vc = reucb.variance_components([2, 1], means, [float(np.var(rewards[:2]) * 2), 0.0], method="moments")
        fit = reucb.blup([2, 1], means, sigma0_sq=vc.sigma0_sq, sigma_sq=vc.sigma_sq)
        errors.append((fit.mu[0] - first) ** 2)
        widths.append(fit.mse[0])
    error, width = d_plug_in._plug_in()
    assert np.mean(errors) == pytest.approx(float(error), rel=1e-12)
    assert np.mean(widths) == pytest.approx(float(width), rel=1e-12)
