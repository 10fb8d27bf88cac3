"""Arguments that an agent accepts and refuses, and what it shows. One agent shared by threads loses nothing."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import reucb
from reucb.policies import KLUCB, UCB1, BayesUCB, BernoulliTS, Policy, ReUCB
from tests.reucb.policies.catalogue import BERNOULLI, POLICIES, per_arm
from tests.reucb.policies.reference import INDEX, History


def trained(policy: Policy, n_arms: int, rounds: int, seed: int = 0) -> tuple[Any, History]:
    """An agent after random rewards of random arms, every arm at least once, and its history."""
    rng = np.random.default_rng(seed)
    arms = np.concatenate([np.arange(n_arms), rng.integers(0, n_arms, rounds - n_arms)])
    rewards = rng.integers(0, 2, rounds).astype(float) if policy.binary else rng.normal(0.5, 0.5, rounds)
    agent, history = policy.start(n_arms, seed=1), History(n_arms)
    agent.update(arms, rewards)
    for arm, reward in zip(arms.tolist(), rewards.tolist(), strict=True):
        history.add(arm, reward)
    return agent, history


INDEXED = {name: policy for name, policy in POLICIES.items() if "TS" not in name}


@pytest.mark.parametrize("n_arms", [4, 25])
@pytest.mark.parametrize("policy", INDEXED.values(), ids=INDEXED)
def test_index_values(policy: Policy, n_arms: int) -> None:
    """To 1e-10: SciPy's quantiles and roots, and UCB1 by its formula."""
    agent, history = trained(policy, n_arms, 120)
    np.testing.assert_allclose(agent.indices(), INDEX[type(policy)](policy, history), rtol=1e-10, atol=1e-10)


def test_ucb1_by_its_formula() -> None:
    agent = UCB1(sigma_sq=0.25).start(2)
    agent.update([0, 1, 1], [1.0, 0.0, 0.5])
    np.testing.assert_allclose(agent.indices(), [1 + (2 * np.log(4)) ** 0.5, 0.25 + np.log(4) ** 0.5], rtol=1e-15)


@pytest.mark.parametrize(
    "policy",
    [
        ReUCB(),
        ReUCB(sigma0_sq=0.04, sigma_sq=0.25),
        ReUCB(mu0=0.2),
        per_arm(25),
        ReUCB(mu0=0.2, sigma0_sq=0.04, sigma_sq=0.25),
        ReUCB(method="reml"),
    ],
)
def test_fit_is_the_blup(policy: ReUCB) -> None:
    agent, history = trained(policy, 25, 200)
    fit = agent.fit()
    expected = reucb.blup(history.counts, history.means, sigma0_sq=fit.sigma0_sq, sigma_sq=fit.sigma_sq, mu0=policy.mu0)
    for name in ("weights", "mu0", "mu", "mse"):
        np.testing.assert_allclose(getattr(fit, name), getattr(expected, name), rtol=1e-11)


def test_fit_with_arms_never_pulled() -> None:
    agent = ReUCB(sigma0_sq=1.0, sigma_sq=1.0).start(3)
    agent.update([0, 0], [1.0, 3.0])
    fit, expected = agent.fit(), reucb.blup([2, 0, 0], [2.0, 0, 0], sigma0_sq=1.0, sigma_sq=1.0)
    np.testing.assert_allclose(fit.mu, expected.mu)
    np.testing.assert_allclose(fit.mse, expected.mse)
    with pytest.raises(TypeError, match="only ReUCB and ReTS do"):
        UCB1(0.25).start(2).fit()


BAD = {
    "arm too high": ((3, 0.5), ValueError, "arm = 3: must be an integer from 0 to 2"),
    "arm negative": ((-1, 0.5), ValueError, "arm = -1"),
    "arm a float": ((1.0, 0.5), TypeError, "arm = 1.0"),
    "arm a boolean": ((True, 0.5), TypeError, "arm = True"),
    "arm a string": (("0", 0.5), TypeError, "arm = '0'"),
    "nan": ((0, float("nan")), ValueError, "reward = nan"),
    "inf": ((0, float("-inf")), ValueError, "reward = -inf"),
    "reward a string": ((0, "0.5"), TypeError, "reward = '0.5'"),
    "lengths": (([0, 1], [0.5]), ValueError, "must be equal"),
    "array and number": (([0, 1], 0.5), ValueError, "reward"),
    "matrix": (([[0]], [[0.5]]), ValueError, "1 dimension"),
    "batch arm": (([0, 3], [0.5, 0.5]), ValueError, r"arm\[1\] = 3.0: must be whole numbers from 0 to 2"),
    "batch fraction": (([0, 0.5], [0.5, 0.5]), ValueError, r"arm\[1\]"),
    "batch nan": (([0, 1], [0.5, float("nan")]), ValueError, r"reward\[1\]"),
    "batch of booleans": (([True, False], [0.5, 0.5]), TypeError, "arm"),
}
OUTSIDE = {"above": 1.0000001, "below": -0.1}


@pytest.mark.parametrize(("arguments", "error", "message"), BAD.values(), ids=BAD)
def test_refused_and_unchanged(arguments: tuple[Any, Any], error: type[Exception], message: str) -> None:
    agent = BernoulliTS().start(3, seed=0)
    agent.update([0, 1, 2], [0.0, 0.5, 1.0])
    before = agent.state()
    with pytest.raises(error, match=message):
        agent.update(*arguments)
    assert agent.state() == before


@pytest.mark.parametrize("reward", OUTSIDE.values(), ids=OUTSIDE)
@pytest.mark.parametrize("policy", BERNOULLI.values(), ids=BERNOULLI)
def test_rewards_outside_the_support(policy: Policy, reward: float) -> None:
    agent = policy.start(3, seed=0)
    before = agent.state()
    for arguments in ((0, reward), ([0, 1], [0.5, reward])):
        with pytest.raises(ValueError, match="must be a reward from 0 to 1"):
            agent.update(*arguments)
    assert agent.state() == before


@pytest.mark.parametrize("policy", POLICIES.values(), ids=POLICIES)
def test_a_batch_is_its_rewards_one_by_one(policy: Policy) -> None:
    rng = np.random.default_rng(2)
    arms, rewards = rng.integers(0, 20, 90), rng.random(90)
    one, batch = policy.start(20, seed=3), policy.start(20, seed=3)
    for arm, reward in zip(arms, rewards, strict=True):
        one.update(arm, reward)
    batch.update(arms, rewards)
    batch.update([], [])
    assert one.state() == batch.state()


@pytest.mark.parametrize("policy", [UCB1(0.25), ReUCB(), BayesUCB(), KLUCB()])
def test_arms_never_pulled_come_first(policy: Policy) -> None:
    agent = policy.start(4)
    agent.update([2, 2, 0], [1.0, 1.0, 1.0])
    assert agent.select() == 1
    agent.update(1, 0.0)
    assert agent.select() == 3
    assert np.isinf(agent.indices()[3])
    assert agent.rounds == 4


@pytest.mark.parametrize(
    "policy",
    [
        ReUCB(),
        ReUCB(method="anova"),
        ReUCB(method="ml"),
        ReUCB(method="reml"),
        ReUCB(sigma0_sq=1.0, sigma_sq=1.0),
        ReUCB(sigma0_sq=0.0, sigma_sq=1.0),
        ReUCB(sigma0_sq=1.0, sigma_sq=0.0),
        ReUCB(sigma0_sq=1e-290, sigma_sq=1e8),
    ],
)
@pytest.mark.parametrize("rewards", [[0.0], [1.0, 0.0], [1e145, -1e145], [1e6, 1e6 + 1e-3], [1e-300], [1e145]])
@pytest.mark.parametrize("n_arms", [1, 3, 20])
def test_finite_at_the_edges(policy: ReUCB, rewards: list[float], n_arms: int) -> None:
    """All equal, two values, huge, nearly equal, tiny; one arm; no replicate: an index is a finite number."""
    agent = policy.start(n_arms)
    for t in range(3 * n_arms + 4):
        arm = agent.select()
        assert 0 <= arm < n_arms
        if t >= n_arms:
            assert np.isfinite(agent.indices()).all()
            assert np.isfinite(agent.fit().mse).all()
        agent.update(arm, rewards[t % len(rewards)])


def test_the_first_free_choice_is_the_highest_mean() -> None:
    """After one pull each all weights are equal: the choice does not depend on the variances."""
    for policy in (ReUCB(), ReUCB(method="reml"), ReUCB(sigma0_sq=1e-4, sigma_sq=1.0)):
        agent = policy.start(5)
        agent.update(range(5), [0.1, 0.3, 0.9, 0.9, 0.2])
        assert agent.select() == 2


def test_rounding_keeps_the_mean() -> None:
    """2000 rewards of 0.3: the wins are binomial; a false alarm at 5 standard errors has probability 6e-7."""
    agent = BernoulliTS().start(1, seed=0)
    agent.update(np.zeros(2000, dtype=int), np.full(2000, 0.3))
    assert abs(agent.means[0] - 0.3) < 5 * (0.3 * 0.7 / 2000) ** 0.5
    assert agent.state()["totals"][0] == round(agent.means[0] * 2000)


@pytest.mark.parametrize("policy", [reucb.GaussianTS(0.0, 1.0, 1.0), reucb.BernoulliTS(), reucb.ReTS()])
def test_thompson_sampling_has_no_indices(policy: reucb.Policy) -> None:
    agent = policy.start(n_arms=2, seed=0)
    agent.update([0, 1], [1.0, 0.0])
    with pytest.raises(TypeError, match=r"policy = .*TS\(.* has no indices"):
        agent.indices()


SHARED: dict[str, Policy] = {"ReUCB": ReUCB(), "UCB1": UCB1(0.25), "BernoulliTS": BernoulliTS()}


def together(work: Callable[[int], None], threads: int = 4) -> None:
    """Run the work in several threads at once; an error in one of them is raised here."""
    errors: list[BaseException] = []

    def guarded(number: int) -> None:
        try:
            work(number)
        except BaseException as error:  # handed to the test
            errors.append(error)

    running = [threading.Thread(target=guarded, args=(i,)) for i in range(threads)]
    for thread in running:
        thread.start()
    for thread in running:
        thread.join()
    if errors:
        raise errors[0]


@pytest.mark.parametrize("policy", SHARED.values(), ids=SHARED)
def test_updates_and_choices_of_four_threads(policy: Policy) -> None:
    """On 0.1.0 this did not end: kernels released the GIL in the middle of an update."""
    agent, rounds = policy.start(100, seed=0), 3_000

    def work(number: int) -> None:
        rng = np.random.default_rng(number)
        for t in range(rounds):
            agent.update(agent.select() if t % 3 else int(rng.integers(100)), float(rng.integers(0, 2)))
            if t % 500 == 0:
                policy.resume(agent.state())

    together(work)
    assert agent.rounds == agent.counts.sum() == 4 * rounds
    twin = policy.resume(agent.state())
    assert twin.state() == agent.state()


def test_batches_growth_and_new_arms() -> None:
    agent = ReUCB().start(300)

    def work(number: int) -> None:
        rng = np.random.default_rng(number)
        for t in range(150):
            batch = (
                agent.select(size=3, among=np.flatnonzero(rng.random(300) < 0.9), distinct=True)
                if t % 2
                else agent.select(size=3)
            )
            agent.update(batch, rng.normal(size=3))
            agent.update(np.full(t % 7, number), rng.normal(size=t % 7))  # many distinct counts: the slots grow
            if t == 70 + number:
                agent.add_arms(40)

    together(work)
    assert agent.n_arms == 460
    assert agent.rounds == agent.counts.sum() == 4 * (150 * 3 + sum(t % 7 for t in range(150)))
    assert not agent.pending.any()
    assert ReUCB().resume(agent.state()).state() == agent.state()
