"""The instrumented runs are those of `simulate`, and their estimates those by which the engine chose its arms."""

from __future__ import annotations

import numpy as np
import pytest
import scipy.stats

import reucb
from reports.sections.common.trajectory import Play, latent, rounds

GAUSSIAN = reucb.Bandit(6, scipy.stats.norm(1, 0.5), reucb.Gaussian(0.7))
CLIPPED = reucb.Bandit(6, scipy.stats.norm(0.5, 0.2), reucb.ClippedGaussian(0.3))
BERNOULLI = reucb.Bandit(6, scipy.stats.uniform(0.2, 0.3), reucb.Bernoulli())
KNOWN = {"sigma0_sq": 0.25, "sigma_sq": 0.49}


@pytest.mark.parametrize("bandit", [GAUSSIAN, CLIPPED, BERNOULLI], ids=["gaussian", "clipped", "bernoulli"])
@pytest.mark.parametrize("known", [KNOWN, {}], ids=["ReUCB*", "ReUCB"])
def test_every_choice_has_the_highest_index(bandit: reucb.Bandit, known: dict[str, float]) -> None:
    """Indices from `blup`, choices from the engine: they agree up to rounding, and so do the regrets of `simulate`."""
    play = Play(bandit, 300, 0, 12, 5, 1.5, known.get("sigma0_sq"), known.get("sigma_sq"))
    mu, every = bandit.true_means(latent(play)), np.arange(12)
    regret = (mu.max(axis=1, keepdims=True) - mu).sum(axis=1)
    for now in rounds(play):
        index = now.fit.mu + now.width
        np.testing.assert_allclose(index[every, now.choice], index.max(axis=1), rtol=0, atol=1e-10)
        regret += mu.max(axis=1) - mu[every, now.choice]
    result = reucb.simulate(bandit, reucb.ReUCB(a=1.5, **known), horizon=300, runs=12, seed=5, executor=1)
    np.testing.assert_allclose(regret, result.final, rtol=1e-10)


def test_later_runs_are_the_same_as_in_one_batch() -> None:
    whole = latent(Play(GAUSSIAN, 10, 0, 5, 3, 1.0, 1.0, 1.0))
    assert np.array_equal(latent(Play(GAUSSIAN, 10, 3, 2, 3, 1.0, 1.0, 1.0)), whole[3:])
