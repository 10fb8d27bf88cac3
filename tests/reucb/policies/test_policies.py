"""A policy is a frozen description: equal by value, hashable, checked, and JSON there and back."""

from __future__ import annotations

import dataclasses
import json
from typing import Any

import pytest

from reucb.policies import KLUCB, UCB1, BayesUCB, BernoulliTS, GaussianTS, Policy, ReUCB, ReUCBInf, policy_from
from tests.reucb.policies.catalogue import POLICIES, per_arm


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
