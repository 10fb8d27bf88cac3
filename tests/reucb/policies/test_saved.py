"""A saved agent goes on bit by bit; a state that does not fit is refused and says why."""

from __future__ import annotations

import copy
import json
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from reucb.policies import UCB1, Policy, ReUCB
from tests.reucb.policies.catalogue import BERNOULLI, POLICIES


@pytest.mark.parametrize("n_arms", [1, 4, 30])
@pytest.mark.parametrize("policy", POLICIES.values(), ids=POLICIES)
def test_goes_on_to_the_bit(policy: Policy, n_arms: int) -> None:
    """Through JSON text, at three moments; afterwards the states are equal as well."""
    rng = np.random.default_rng(n_arms)
    agent = policy.start(n_arms, seed=5)
    twin = policy.start(n_arms, seed=5)
    for t in range(120):
        arm, other, reward = agent.select(), twin.select(), rng.random()
        assert arm == other
        agent.update(arm, reward)
        twin.update(arm, reward)
        if t in (0, 40, 90):
            twin = policy.resume(json.loads(json.dumps(twin.state(), allow_nan=False)))
    assert agent.state() == twin.state()


def _at(*path: Any) -> Callable[[dict[str, Any], Any], None]:
    def put(state: dict[str, Any], value: Any) -> None:
        place: Any = state
        for key in path[:-1]:
            place = place[key]
        place[path[-1]] = value

    return put


BROKEN = {
    "format": (_at("format"), "something else", "format"),
    "version": (_at("version"), 2, "version"),
    "another policy": (_at("policy"), {"policy": "UCB1", "sigma_sq": 1.0}, "UCB1"),
    "fewer arms": (_at("n_arms"), 3, "counts"),
    "negative count": (_at("counts", 0), -1, "negative"),
    "float count": (_at("counts", 0), 1.5, "counts"),
    "boolean count": (_at("counts", 0), True, "counts"),
    "other count": (_at("counts", 0), 900, "groups and counts disagree"),
    "total not a number": (_at("totals", 2), [float("nan"), 0.0], "totals"),
    "total a string": (_at("totals", 2), ["1", 0.0], "totals"),
    "total without pulls": (_at("totals", 2), [1e300, 0.0], "total"),
    "sums too short": (_at("sums"), [0.0], "sums"),
    "groups gone": (_at("groups"), [], "groups"),
    "group's sum": (_at("groups", 0, 1), 1e6, "sum of group"),
    "rng": (_at("rng"), {"bit_generator": "MT19937"}, "rng"),
    "rng of another kind": (_at("rng"), 5, "rng"),
}


@pytest.mark.parametrize(("put", "value", "message"), BROKEN.values(), ids=BROKEN)
def test_refused(put: Callable[..., None], value: Any, message: str) -> None:
    agent = ReUCB().start(20)
    for arm in range(20):
        agent.update(arm, 0.1 * arm)
        agent.update(arm % 7, 0.3 * arm)
    state = agent.state()
    broken = copy.deepcopy(state)
    put(broken, value)
    with pytest.raises(ValueError, match=message):
        ReUCB().resume(broken)
    assert ReUCB().resume(state).state() == state


@pytest.mark.parametrize("missing", ["format", "counts", "totals", "rng"])
def test_incomplete(missing: str) -> None:
    state = UCB1(0.25).start(3).state()
    del state[missing]
    with pytest.raises(ValueError, match=missing):
        UCB1(0.25).resume(state)


@pytest.mark.parametrize("state", [None, [], "state", 3])
def test_not_a_state(state: Any) -> None:
    with pytest.raises(ValueError, match="not a dict"):
        UCB1(0.25).resume(state)


@pytest.mark.parametrize("policy", BERNOULLI.values(), ids=BERNOULLI)
def test_bernoulli_totals_are_wins(policy: Policy) -> None:
    agent = policy.start(3)
    agent.update([0, 1, 1], [1.0, 0.0, 1.0])
    state = agent.state()
    state["totals"][1] = [0.5, 0.0]
    with pytest.raises(ValueError, match="wins"):
        policy.resume(state)
