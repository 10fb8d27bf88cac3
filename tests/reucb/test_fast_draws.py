"""Priors drawn without scipy give scipy's bits."""

from __future__ import annotations

import numpy as np
import pytest
import scipy.stats

from reucb import Bandit, Gaussian
from reucb._simulation import prior


def rng(seed):
    return np.random.default_rng(seed)


@pytest.mark.parametrize(
    ("law", "short"),
    [
        (scipy.stats.norm(1, 0.2), True),
        (scipy.stats.norm(scale=3), True),
        (scipy.stats.norm(np.arange(50.0), 0.2), False),
        (scipy.stats.uniform(0.2, 0.3), True),
        (scipy.stats.uniform(), True),
        (scipy.stats.beta(2, 3), True),
        (scipy.stats.beta(2, b=3, scale=0.1), True),
        (scipy.stats.beta(0.2, 0.3, 1, 2), True),
        (scipy.stats.gamma(2), False),
    ],
)
def test_a_distribution_is_drawn_as_scipy_draws_it(law, short):
    """To the bit, whether scipy draws or NumPy does without it; the generator then stands alike."""
    bandit, ours, scipys = Bandit(50, law, Gaussian(1)), rng(2), rng(2)
    for _ in range(20):
        np.testing.assert_array_equal(bandit.draw(ours), law.rvs(size=50, random_state=scipys))
    assert ours.bit_generator.state == scipys.bit_generator.state
    assert (bandit._source._fast_draw is not None) == short


def test_a_short_way_that_gives_other_bits_is_not_taken(monkeypatch):
    monkeypatch.setitem(prior._WAYS, "norm", ("random",))
    assert Bandit(3, scipy.stats.norm(1, 2), Gaussian(1))._source._fast_draw is None
