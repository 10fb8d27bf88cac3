from fractions import Fraction
from functools import partial
from itertools import product

import numpy as np

from reucb import blup
from tests.theory.harness.families import Family, Sides
from tests.theory.harness.plays import fitted


def mean_error(chance: Fraction, noise: Fraction, common: bool = False) -> Sides:
    """E(mu-hat_1 - mu_1), or E(r0-bar - mu_0), after three pulls: two arms whose means are 1 with this chance, else 0,
    rewards without noise, sigma_0^2 = 1/4; after one pull each the widths are equal, so that the larger estimate is
    pulled. A third arm without pulls is predicted by the common mean."""
    total, quarter = Fraction(0), Fraction(1, 4)
    for means in product((0, 1), repeat=2):
        estimates = fitted((1, 1), means, [noise], quarter).mu
        counts = (2, 1) if estimates[0] >= estimates[1] else (1, 2)
        p = (chance if means[0] else 1 - chance) * (chance if means[1] else 1 - chance)
        fit = fitted((*counts, 0), (*means, 0), [noise], quarter)
        total += p * (fit.mu[2] - chance if common else fit.mu[0] - means[0])
    return total, Fraction(0)


HALF, QUARTER = Fraction(1, 2), Fraction(1, 4)
CHOICES = (HALF, Fraction(1, 3), Fraction(2, 3)), (Fraction(1), HALF, QUARTER)
FAMILIES = {
    "sec:tau_star": Family(CHOICES, mean_error, (HALF, QUARTER)),
    "sec:tau_star/common-mean": Family(CHOICES, partial(mean_error, common=True), (HALF, QUARTER)),
}


def test_the_mean_error_under_adaptive_play_by_reucb_itself(ledger):
    """Two arms with fair-coin means and noise-free rewards: every outcome of three rounds, estimated by reucb.blup."""
    total = 0.0
    for means in product((0.0, 1.0), repeat=2):
        third = int(means[0] < means[1])
        counts = np.array([1, 1]) + np.eye(2, dtype=int)[third]
        total += (blup(counts, np.array(means), sigma0_sq=0.25, sigma_sq=0.25).mu[0] - means[0]) / 4
    shown = ledger["sec:tau_star"].finding.counterexample
    assert abs(total - float(Fraction(shown["left"]))) < 1e-15
