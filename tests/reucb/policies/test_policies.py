"""A policy is a frozen description; ReTS draws from the joint posterior."""

from __future__ import annotations

import dataclasses
import json
from typing import Any

import numpy as np
import pytest
import scipy.stats

from reucb.policies import KLUCB, UCB1, BayesUCB, BernoulliTS, GaussianTS, Policy, ReTS, ReUCB, ReUCBInf, policy_from
from tests.reucb.policies.catalogue import POLICIES, per_arm

# A policy is a frozen description: equal by value, hashable, checked, and JSON there and back.


@pytest.mark.parametrize("policy", [*POLICIES.values(), per_arm(5)], ids=[*POLICIES, "per arm"])
def test_description(policy: Policy) -> None:
    twin = policy_from(json.loads(json.dumps(policy.describe())))
    assert twin == policy
    assert hash(twin) == hash(policy)
    assert len({twin, policy, UCB1(123.0)}) == 2
    with pytest.raises(dataclasses.FrozenInstanceError):
        policy.extra = 1


def test_arrays_become_tuples() -> None:
    import numpy as np

    assert ReUCB(sigma0_sq=1, sigma_sq=np.array([1, 2])) == ReUCB(sigma0_sq=1.0, sigma_sq=(1.0, 2.0))


BAD: dict[str, tuple[Any, type[Exception], str]] = {
    "a zero": (lambda: ReUCB(a=0), ValueError, "a = 0: must be a number from 1e-300 to 1e\\+300"),
    "a negative": (lambda: ReUCBInf(sigma_sq=1, a=-1.0), ValueError, "a = -1.0"),
    "a nan": (lambda: ReUCB(a=float("nan")), ValueError, "a = nan"),
    "a boolean": (lambda: ReUCB(a=True), TypeError, "a = True"),
    "negative variance": (lambda: ReUCB(sigma0_sq=-0.1, sigma_sq=1), ValueError, "sigma0_sq = -0.1"),
    "negative noise": (lambda: UCB1(sigma_sq=-1), ValueError, "sigma_sq = -1"),
    "one negative of many": (lambda: ReUCB(sigma0_sq=1, sigma_sq=(1, -1)), ValueError, r"sigma_sq\[1\]"),
    "both zero": (lambda: ReUCB(sigma0_sq=0, sigma_sq=0), ValueError, "at least one must be > 0"),
    "method": (lambda: ReUCB(method="mle"), ValueError, "method = 'mle': must be one of 'moments'"),
    "reml with one": (lambda: ReUCB(sigma_sq=1, method="reml"), ValueError, "estimates both variances"),
    "per arm alone": (lambda: ReUCB(sigma_sq=(1, 2)), ValueError, "sigma0_sq = None: must be given"),
    "per arm length": (lambda: ReUCB(sigma0_sq=1, sigma_sq=(1, 2)).start(3), ValueError, r"one per arm \(3\)"),
    "prior": (
        lambda: GaussianTS(mu0=0, sigma0_sq=0, sigma_sq=1),
        ValueError,
        "sigma0_sq = 0: must be a number from 1e-290 to 1e\\+290",
    ),
    "beta prior": (lambda: BernoulliTS(alpha=0), ValueError, "alpha = 0"),
    "half Gaussian": (lambda: BayesUCB(mu0=1.0), ValueError, "give all of the first three"),
    "both posteriors": (lambda: BayesUCB(mu0=1.0, sigma0_sq=1, sigma_sq=1, alpha=1), ValueError, "alpha = 1"),
    "horizon": (lambda: BayesUCB(c=5), ValueError, "horizon = None"),
    "rate": (lambda: KLUCB(c=-1), ValueError, "c = -1"),
    "no arms": (lambda: UCB1(1).start(0), ValueError, "n_arms = 0: must be an integer"),
    "arms a float": (lambda: UCB1(1).start(2.0), TypeError, "n_arms = 2.0"),
    "seed": (lambda: UCB1(1).start(2, seed=-1), ValueError, "seed = -1"),
    "description": (lambda: policy_from({"policy": "Nope"}), ValueError, "policy = 'Nope'"),
    "not a description": (lambda: policy_from({}), ValueError, "policy.describe"),
    "parameter": (lambda: policy_from({"policy": "UCB1", "sigma": 1}), ValueError, "no parameter 'sigma'"),
}


@pytest.mark.parametrize(("make", "error", "message"), BAD.values(), ids=BAD)
def test_refused(make: Any, error: type[Exception], message: str) -> None:
    with pytest.raises(error, match=message):
        make()


# Thompson sampling in the random-effect model draws from the joint posterior of mu0 and the arms.

ROUNDS = 20_000
FIVE_ERRORS = 5 * 0.5 / ROUNDS**0.5  # at most: a false alarm has probability below 6e-7 per case


def chance(
    policy: ReTS, mu0_known: bool, counts: list[int], means: list[float], squares: list[float]
) -> tuple[float, ...]:
    """How often arm 0 of two is chosen; its posterior probability to be better; the same if mu0 were known."""
    agent = policy.start(counts=counts, means=means, sq_devs=squares, seed=1)
    fit = agent.fit()
    rest = 1.0 - fit.weights
    own = fit.sigma0_sq * rest.sum()
    both = own + (rest[0] - rest[1]) ** 2 * (0.0 if mu0_known else fit.mu0_mse)
    gap = fit.mu[0] - fit.mu[1]
    seen = float(np.mean([agent.select() == 0 for _ in range(ROUNDS)]))
    return seen, float(scipy.stats.norm.cdf(gap / both**0.5)), float(scipy.stats.norm.cdf(gap / own**0.5))


@pytest.mark.parametrize(
    ("policy", "counts", "squares"),
    [
        (ReTS(sigma0_sq=0.04, sigma_sq=0.25), [40, 0], [0.0, 0.0]),
        (ReTS(sigma0_sq=0.04, sigma_sq=0.25), [40, 1], [0.0, 0.0]),
        (ReTS(mu0=0.9, sigma0_sq=0.04, sigma_sq=0.25), [40, 1], [0.0, 0.0]),
        (ReTS(method="moments"), [6, 2], [1.5, 0.4]),
        (ReTS(method="reml"), [6, 2], [1.5, 0.4]),
    ],
    ids=["arm never pulled", "mu0 unknown", "mu0 known", "moments", "reml"],
)
def test_the_law_of_a_choice(policy: ReTS, counts: list[int], squares: list[float]) -> None:
    """Two arms: the difference of their draws is normal, so the probability of a choice is known.

    A choice with mu0 fixed at its estimate would differ by more than twice the tolerance in the case "mu0 unknown".
    """
    seen, expected, without = chance(policy, policy.mu0 is not None, counts, [1.3, 0.6], squares)
    assert abs(seen - expected) < FIVE_ERRORS
    if policy == ReTS(sigma0_sq=0.04, sigma_sq=0.25) and counts[1] == 1:
        assert abs(without - expected) > 2 * FIVE_ERRORS


def test_every_arm_once_first_where_variances_are_estimated() -> None:
    agent = ReTS().start(4, seed=0)
    for arm in range(4):
        assert agent.select() == arm
        agent.update(arm, 0.1 * arm)
    known = ReTS(sigma0_sq=1.0, sigma_sq=1.0).start(4, seed=0)
    assert known.select() == 0
    known.update(0, 100.0)
    assert {known.select() for _ in range(200)} == {0, 1, 2, 3}  # mu0 is about 100, arms never pulled vary about it


def test_rets_refuses() -> None:
    for arguments, message in (
        ({"sigma_sq": 1.0}, "estimates both variances"),
        ({"sigma0_sq": 0.0, "sigma_sq": 0.0}, "at least one must be > 0"),
        ({"method": "mle"}, "method = 'mle': must be one of"),
        ({"mu0": 1e200}, r"mu0 = 1e\+200: must be a number from"),
    ):
        with pytest.raises(ValueError, match=message):
            ReTS(**arguments)
