"""Bandits: priors of three kinds, what each refuses, descriptions that distinguish bandits, draws equal to scipy's."""

from __future__ import annotations

import json
import math
import pickle

import numpy as np
import pytest
import scipy.stats

from reucb import Bandit, Bernoulli, ClippedGaussian, Gaussian
from reucb.bandit import _METHODS


def rng(seed: int = 0) -> np.random.Generator:
    return np.random.default_rng(seed)


BANDITS = {
    "normal": lambda: Bandit(3, scipy.stats.norm(1, 0.2), Gaussian(0.5)),
    "keywords": lambda: Bandit(3, scipy.stats.norm(loc=1, scale=0.2), Gaussian(0.5)),
    "uniform": lambda: Bandit(3, scipy.stats.uniform(0.2, 0.3), Bernoulli()),
    "beta": lambda: Bandit(3, scipy.stats.beta(1, 9), Bernoulli()),
    "discrete": lambda: Bandit(3, scipy.stats.bernoulli(0.5), Gaussian(1)),
    "per arm": lambda: Bandit(3, scipy.stats.norm([0.0, 5.0, 9.0], 0.1), Gaussian(1)),
    "clipped": lambda: Bandit(3, scipy.stats.norm(0.3, 0.1), ClippedGaussian(0.2)),
    "histogram": lambda: Bandit(3, scipy.stats.rv_histogram(np.histogram([1, 2, 2, 3], bins=3)), Gaussian(1)),
    "other histogram": lambda: Bandit(3, scipy.stats.rv_histogram(np.histogram([1, 2, 3, 3], bins=3)), Gaussian(1)),
    "vector": lambda: Bandit(3, [0.1, 0.5, 0.2], Bernoulli()),
    "matrix": lambda: Bandit(3, np.arange(12.0).reshape(4, 3), Gaussian((1, 2, 3))),
    "large matrix": lambda: Bandit(3, np.arange(300.0).reshape(100, 3), Gaussian(1)),
}


@pytest.mark.parametrize("name", BANDITS)
def test_draws_are_latent_means_and_depend_on_the_generator_alone(name):
    bandit = BANDITS[name]()
    first = bandit.draw(rng(5))
    assert first.shape == (3,)
    assert first.dtype == np.float64
    np.testing.assert_array_equal(first, bandit.draw(rng(5)))
    np.testing.assert_array_equal(bandit.true_means(first), bandit.rewards.mean(first))


@pytest.mark.parametrize("name", BANDITS)
def test_equal_hashable_picklable_describable(name):
    bandit, twin = BANDITS[name](), BANDITS[name]()
    copy = pickle.loads(pickle.dumps(bandit))
    assert bandit == twin == copy
    assert hash(bandit) == hash(twin) == hash(copy)
    np.testing.assert_array_equal(copy.draw(rng(1)), bandit.draw(rng(1)))
    assert json.loads(json.dumps(bandit.describe(), allow_nan=False)) == bandit.describe()


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("normal", "Bandit(n_arms=3, prior=norm(1, 0.2), rewards=Gaussian(sigma=0.5))"),
        ("keywords", "Bandit(n_arms=3, prior=norm(loc=1, scale=0.2), rewards=Gaussian(sigma=0.5))"),
        ("vector", "Bandit(n_arms=3, prior=vector, rewards=Bernoulli())"),
        ("matrix", "Bandit(n_arms=3, prior=matrix of 4 instances, rewards=Gaussian(sigma=(1.0, 2.0, 3.0)))"),
    ],
)
def test_shows_itself(name, text):
    assert repr(BANDITS[name]()) == text


def test_different_bandits_have_different_descriptions():
    descriptions = {json.dumps(make().describe(), sort_keys=True) for make in BANDITS.values()}
    assert len(descriptions) == len(BANDITS)
    assert BANDITS["normal"]() != BANDITS["beta"]()
    assert BANDITS["normal"]() != "a bandit"


def test_a_beta_prior_is_drawn_as_scipy_draws_it():
    law = scipy.stats.beta(2, 3)
    np.testing.assert_array_equal(Bandit(50, law, Bernoulli()).draw(rng(2)), law.rvs(size=50, random_state=rng(2)))


def test_a_vector_is_every_run_and_a_copy():
    bandit = Bandit(2, [0.1, 0.5], Bernoulli())
    drawn = bandit.draw(rng())
    drawn[0] = 9.0
    np.testing.assert_array_equal(bandit.draw(rng(1)), [0.1, 0.5])
    with pytest.raises(ValueError, match="read-only"):
        bandit.prior[0] = 1.0


def test_the_callers_array_is_neither_kept_nor_frozen():
    means = np.array([0.1, 0.5])
    bandit = Bandit(2, means, Bernoulli())
    means[0] = 0.9
    assert bandit.draw(rng())[0] == 0.1


def test_rows_of_a_matrix_are_equally_likely():
    """4000 draws of 4 rows: counts within 5 standard deviations (false alarm < 3e-6); a row left out shows at once."""
    bandit = BANDITS["matrix"]()
    generator = rng(7)
    first = np.array([bandit.draw(generator)[0] for _ in range(4000)])
    counts = np.array([(first == value).sum() for value in (0.0, 3.0, 6.0, 9.0)])
    assert counts.sum() == 4000
    assert (np.abs(counts - 1000) < 5 * math.sqrt(4000 * 3 / 16)).all()


def test_clipped_rewards_have_another_mean_than_mu():
    bandit = BANDITS["clipped"]()
    latent = bandit.draw(rng())
    assert np.abs(bandit.true_means(latent) - latent).max() > 1e-4


def test_mass_outside_by_rounding_alone_is_left_to_the_draw():
    law = scipy.stats.uniform(0.1, np.nextafter(0.9, 1))  # loc + scale = 1 + 2e-16
    assert Bandit(2, law, Bernoulli()).draw(rng()).max() <= 1


class Cheat:
    """A law whose distribution function is that of a probability and whose draws are not."""

    def rvs(self, size, random_state):
        return np.full(size, 1.5)

    def mean(self):
        return 0.5

    def var(self):
        return 0.1

    def cdf(self, x):
        return 0.0

    def sf(self, x):
        return 0.0

    def ppf(self, q):
        return np.asarray(q)


def test_every_draw_is_checked():
    with pytest.raises(ValueError, match=r"mu\[0\] = 1.5: must be finite real numbers from 0 to 1"):
        Bandit(2, Cheat(), Bernoulli()).draw(rng())


@pytest.mark.parametrize(
    ("arms", "prior", "rewards", "error", "message"),
    [
        (0, [1.0], Gaussian(1), ValueError, r"n_arms = 0: must be an integer from 1 to"),
        (2.0, [1.0, 2.0], Gaussian(1), TypeError, r"n_arms = 2.0: must be an integer from 1 to"),
        (2, [1.0, 2.0, 3.0], Gaussian(1), ValueError, r"prior has shape \(3,\): must be \(2,\) or \(instances, 2\)"),
        (2, np.zeros((0, 2)), Gaussian(1), ValueError, r"prior has shape \(0, 2\): must be"),
        (2, [1.0, math.nan], Gaussian(1), ValueError, r"prior\[1\] = nan: must be finite real numbers"),
        (2, [True, False], Gaussian(1), TypeError, r"prior = \[True, False\]: must be finite real numbers"),
        (2, "ab", Gaussian(1), TypeError, r"prior = 'ab': must be a frozen scipy.stats distribution, a vector"),
        (2, None, Gaussian(1), TypeError, r"prior = None: must be a frozen scipy.stats distribution"),
        (2, 0.5, Gaussian(1), TypeError, r"prior = 0.5: must be a frozen scipy.stats distribution"),
        (2, [0.5, 1.5], Bernoulli(), ValueError, r"prior holds means .*: mu\[1\] = 1.5: must be .* from 0 to 1"),
        (2, scipy.stats.norm(0.5, 0.2), Bernoulli(), ValueError, r"prior puts mass 0.0124 outside \[0, 1\]"),
        (2, scipy.stats.cauchy(), Gaussian(1), ValueError, r"prior has mean nan: must be finite"),
        (2, scipy.stats.pareto(0.5), Gaussian(1), ValueError, r"prior has mean inf: must be finite"),
        (2, scipy.stats.pareto(1.5), Gaussian(1), ValueError, r"prior has variance inf: must be finite"),
        (2, scipy.stats.norm([0, 1, 2], 1), Gaussian(1), ValueError, r"prior has a mean of shape \(3,\): must be one"),
        (
            2,
            scipy.stats.norm,
            Gaussian(1),
            TypeError,
            r"prior = .*: must be frozen, that is, called with its parameters",
        ),
        (2, scipy.stats.beta, Gaussian(1), TypeError, r"prior = .*: must be frozen"),
        (2, scipy.stats.multivariate_normal([0, 1]), Gaussian(1), TypeError, r"must be a frozen one-dimensional"),
        (2, [1.0, 2.0], "Gaussian", TypeError, r"rewards = 'Gaussian': must be Gaussian\(sigma\), Bernoulli\(\)"),
        (
            2,
            [1.0, 2.0],
            Gaussian((1, 2, 3)),
            ValueError,
            r"sigma has 3 entries: must be one number, or one per arm \(2\)",
        ),
    ],
)
def test_bad_input_names_argument_value_and_what_is_allowed(arms, prior, rewards, error, message):
    with pytest.raises(error, match=message):
        Bandit(arms, prior, rewards)


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
    """To the bit, whether scipy draws or NumPy does without it; the generator is left in the same state."""
    bandit, ours, scipys = Bandit(50, law, Gaussian(1)), rng(2), rng(2)
    for _ in range(20):
        np.testing.assert_array_equal(bandit.draw(ours), law.rvs(size=50, random_state=scipys))
    assert ours.bit_generator.state == scipys.bit_generator.state
    assert (bandit._source._fast_draw is not None) == short


def test_a_fast_draw_that_gives_other_bits_is_not_used(monkeypatch):
    monkeypatch.setitem(_METHODS, "norm", ("random",))
    assert Bandit(3, scipy.stats.norm(1, 2), Gaussian(1))._source._fast_draw is None
