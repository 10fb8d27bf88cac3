from fractions import Fraction
from itertools import product

import numpy as np

from reucb import blup
from tests.theory.search import facing

test_verdict, test_no_violation, test_counterexample = facing("theory.paper.g_proxy")


def test_the_mean_error_under_adaptive_play_by_reucb_itself(ledger):
    """Two arms with fair-coin means and noise-free rewards: every outcome of three rounds, estimated by reucb.blup."""
    total = 0.0
    for means in product((0.0, 1.0), repeat=2):
        third = int(means[0] < means[1])
        counts = np.array([1, 1]) + np.eye(2, dtype=int)[third]
        total += (blup(counts, np.array(means), sigma0_sq=0.25, sigma_sq=0.25).mu[0] - means[0]) / 4
    shown = ledger["sec:tau_star"].finding.counterexample
    assert abs(total - float(Fraction(shown["left"]))) < 1e-15
