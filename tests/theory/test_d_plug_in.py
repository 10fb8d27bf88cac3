"""Appendix D with estimated weights: the ledger's design again, with the core's own estimators."""

from itertools import product

import numpy as np
import pytest

import reucb
from tests.theory.search import facing
from theory.paper import d_plug_in

test_verdict, test_no_violation, test_counterexample = facing("theory.paper.d_plug_in")


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
