"""Appendix F at the rounds of ReUCB: the claims stand as recorded, and the mean of a sample mean is what is said."""

import math

import numpy as np


def test_a_followed_up_reward_is_too_low_on_average() -> None:
    """sec:mu0Dist/law: E r-bar_1 - mu_0 = -1/(4 sqrt(2 pi)) at unit variances, 10^6 plays; a false alarm beyond five
    standard errors has a chance of 6e-7, and the test sees a bias off by one part in twenty."""
    rng = np.random.default_rng(20)
    offsets, noise = rng.standard_normal((10**6, 2)), rng.standard_normal((10**6, 3))
    first, second = offsets[:, 0] + noise[:, 0], offsets[:, 1] + noise[:, 1]
    again = offsets[:, 0] + noise[:, 2]
    mean = np.where(first > second, (first + again) / 2, first)
    assert abs(mean.mean() + 1 / (4 * math.sqrt(2 * math.pi))) < 5 * mean.std() / 1e3
