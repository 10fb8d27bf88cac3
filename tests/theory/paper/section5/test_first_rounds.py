from math import log, sqrt

import numpy as np
import pytest

from reucb.bounds import expected_max
from theory.paper.section5 import first_rounds as first


@pytest.mark.parametrize(("arms", "rounds", "noise"), [(5, 5, 0.5), (4, 3, 2.0), (12, 12, 0.25)])
def test_the_index_of_the_best_arm_against_simulation(arms, rounds, noise):
    """E(U_* - U_I) in round t <= K, played out with sigma_0 = a = 1 and mu_0 = 3. Seeded; a false alarm beyond 5
    standard errors has probability 6e-7, and a lead that is off by a hundredth of sigma_0 is some 6 of them away."""
    rng, runs, pulled = np.random.default_rng(rounds), 400_000, rounds - 1
    means = 3 + rng.standard_normal((runs, arms))
    rewards = means[:, :pulled] + sqrt(noise) * rng.standard_normal((runs, pulled))
    common = rewards.mean(axis=1, keepdims=True)
    at = {first.s: noise, first.s0: 1}
    wide, narrow = (sqrt(f(rounds).subs(at) * log(rounds)) for f in (first.fresh_sq, first.pulled_sq))
    index = np.repeat(common + wide, arms, axis=1)
    index[:, :pulled] = common + (rewards - common) / (1 + noise) + narrow
    surplus = np.take_along_axis(index, means.argmax(axis=1)[:, None], axis=1)[:, 0] - index[:, rounds - 1]
    lead = float(first.best_leads(arms, rounds, expected_max(arms)).subs(at))
    exact = lead - pulled / arms * (wide - narrow)
    assert abs(surplus.mean() - exact) < 5 * surplus.std() / sqrt(runs)
    assert (exact > 0) == (arms > 4)
