"""Appendix D under adaptive pulls and estimated weights: the ledger's plays again, with the core's own estimators."""

from fractions import Fraction
from itertools import product

import numpy as np
import pytest

import reucb
from tests.theory.search import facing
from theory.ledger import Entry
from theory.paper import d_adaptive

test_verdict, test_no_violation, test_counterexample = facing("theory.paper.d_adaptive")


def test_adaptive_play_with_the_core(ledger: dict[str, Entry]) -> None:
    """variance1/adaptive, the same play through reucb.variance_components."""
    total = 0.0
    for noise in product((-1.0, 2.0), repeat=4):
        arms = [[noise[0], noise[2]], [noise[1]]]
        arms[0 if noise[0] != noise[2] else 1].append(noise[3])
        squares = [float(np.var(a) * len(a)) for a in arms]
        counts, means = [len(a) for a in arms], [float(np.mean(a)) for a in arms]
        estimate = reucb.variance_components(counts, means, squares).sigma_sq
        total += float(estimate) * 2.0 ** noise.count(-1.0) / 81
    shown = ledger["variance1/adaptive"].finding.counterexample
    assert shown is not None
    assert total == pytest.approx(float(Fraction(shown["left"])), rel=1e-12)
    assert d_adaptive._play(estimate=True) == Fraction(shown["left"])


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
    error, width = d_adaptive._plug_in()
    assert np.mean(errors) == pytest.approx(float(error), rel=1e-12)
    assert np.mean(widths) == pytest.approx(float(width), rel=1e-12)
