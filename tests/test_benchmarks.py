"""Three independent implementations on one set of random streams: Numba, NumPy over runs, and C."""

import numpy as np
import pytest
import scipy.stats

import reucb
from benchmarks import c_kernel, numpy_baseline
from benchmarks.cases import CASES
from reucb.engine import play_run, run_block

HORIZON, SEED, FIRST, RUNS = 400, 12, 3, 6
EVERY = np.arange(1, HORIZON + 1)

# An index is a sum of a few hundred numbers of size about 1 at most: rounding adds up to far less than this, and two
# indices of different arms differ by far more.
ROUNDING = 1e-11

CLIPPED = reucb.ClippedGaussian(sigma=0.2)
WORK = {case.name: (case.bandit.rewards, case.policy) for case in CASES} | {
    "all known": (reucb.Gaussian(sigma=0.5), reucb.ReUCB(a=1.5, mu0=1.0, sigma0_sq=0.04, sigma_sq=0.25)),
    "anova": (reucb.Gaussian(sigma=0.5), reucb.ReUCB(method="anova")),
    "anova, Bernoulli": (reucb.Bernoulli(), reucb.ReUCB(method="anova")),
    "KL-UCB c=3": (reucb.Bernoulli(), reucb.KLUCB(c=3.0)),
    "Bayes-UCB c=1": (reucb.Bernoulli(), reucb.BayesUCB(c=1.0, horizon=400)),
    "KL-UCB, clipped": (CLIPPED, reucb.KLUCB()),
    "Bernoulli TS, clipped": (CLIPPED, reucb.BernoulliTS(alpha=6.0, beta=14.0)),
    "ReUCB, clipped": (CLIPPED, reucb.ReUCB()),
}


def bandit_of(law, n_arms):
    prior = scipy.stats.uniform(0.2, 0.3) if isinstance(law, reucb.Bernoulli) else scipy.stats.norm(0.4, 0.2)
    return reucb.Bandit(n_arms=n_arms, prior=prior, rewards=law)


def engine_choices(bandit, policy):
    choices = np.zeros((RUNS, HORIZON), dtype=np.int64)
    for run in range(RUNS):
        play_run(bandit, policy, HORIZON, EVERY, SEED, FIRST + run, np.zeros(HORIZON), choices[run])
    return choices.T


def shortfall(bandit, policy, choices):
    return numpy_baseline.run_block(bandit, policy, HORIZON, EVERY, SEED, FIRST, RUNS, follow=choices)


@pytest.mark.parametrize("n_arms", [1, 2, 7, 40])
@pytest.mark.parametrize("name", WORK)
def test_the_engine_pulls_the_arm_that_numpy_ranks_highest(name, n_arms):
    """In every round of every run, in each of which the two see the same rewards."""
    law, policy = WORK[name]
    bandit = bandit_of(law, n_arms)
    assert shortfall(bandit, policy, engine_choices(bandit, policy)).max() <= ROUNDING


@pytest.mark.parametrize("name", ["ReUCB*", "ReUCB", "UCB1", "Gaussian TS", "Bayes-UCB", "KL-UCB", "ReUCB^inf"])
def test_numpy_and_the_engine_give_the_same_regret(name):
    """Rewards with a density make no ties, so the two also agree when each follows its own choices."""
    law, policy = WORK[name]
    work = (bandit_of(law, 40), policy, HORIZON, EVERY, SEED, FIRST, RUNS)
    assert run_block(*work) == pytest.approx(numpy_baseline.run_block(*work), rel=1e-12)  # sums of the same 400 gaps


def test_the_comparison_can_fail():
    """A mutant (a = 1.01 for a = 1) is caught by the ranking and by the regret."""
    bandit, policy, mutant = bandit_of(reucb.Gaussian(sigma=0.5), 40), reucb.ReUCB(a=1.0), reucb.ReUCB(a=1.01)
    assert shortfall(bandit, policy, engine_choices(bandit, mutant)).max() > 1000 * ROUNDING
    work = (HORIZON, EVERY, SEED, FIRST, RUNS)
    assert run_block(bandit, mutant, *work) != pytest.approx(numpy_baseline.run_block(bandit, policy, *work), rel=1e-12)


@pytest.mark.skipif(c_kernel.compiler() is None, reason="no C compiler on this machine")
@pytest.mark.parametrize(
    "name", [name for name, (law, policy) in WORK.items() if c_kernel.supported(policy, 40) and law != CLIPPED]
)
def test_c_and_the_engine_give_the_same_regret(name):
    """The same algorithm, so the same arms, also where there are ties."""
    law, policy = WORK[name]
    work = (bandit_of(law, 40), policy, HORIZON, EVERY, SEED, FIRST, RUNS)
    assert run_block(*work) == pytest.approx(c_kernel.run_block(*work), rel=1e-12)
