"""A saved agent continues bit for bit; any other state is refused with the reason."""

from __future__ import annotations

import copy
import json
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from reucb.policies import UCB1, Policy, ReUCB
from reucb.policies.start import _LISTS, _digest
from tests.reucb.policies.catalogue import BERNOULLI, POLICIES


@pytest.mark.parametrize("n_arms", [1, 4, 30])
@pytest.mark.parametrize("policy", POLICIES.values(), ids=POLICIES)
def test_continues_bit_for_bit(policy: Policy, n_arms: int) -> None:
    """Through JSON text, at three moments, with pending pulls; afterwards the states are equal as well."""
    rng = np.random.default_rng(n_arms)
    agent = policy.start(n_arms, seed=5)
    twin = policy.start(n_arms, seed=5)
    for t in range(120):
        arm, other, reward = agent.select(), twin.select(), rng.random()
        assert arm == other
        agent.update(arm, reward)
        twin.update(arm, reward)
        if t % 10 == 3:
            assert agent.select(size=2).tolist() == twin.select(size=2).tolist()
        if t in (0, 40, 90):
            twin = policy.resume(json.loads(json.dumps(twin.state(), allow_nan=False)))
    assert agent.state() == twin.state()


def example() -> dict[str, Any]:
    agent = ReUCB().start(20)
    for arm in range(20):
        agent.update(arm, 0.1 * arm)
        agent.update(arm % 7, 0.3 * arm)
    agent.select(size=3)
    agent.retire([19])
    return agent.state()


def signed(state: dict[str, Any]) -> dict[str, Any]:
    """The state with a digest computed again, so that only checks of the contents can reject it."""
    head = {key: state[key] for key in ("format", "version", "policy", "n_arms", "rng")}
    return {**state, "digest": _digest(head, {name: np.array(state[name]) for name in _LISTS})}


def _at(*path: Any) -> Callable[[dict[str, Any], Any], None]:
    def put(state: dict[str, Any], value: Any) -> None:
        place: Any = state
        for key in path[:-1]:
            place = place[key]
        place[path[-1]] = value

    return put


def _nested() -> Any:
    value: Any = 0
    for _ in range(100_000):
        value = [value]
    return value


BROKEN = {
    "format": (_at("format"), "something else", "format"),
    "version": (_at("version"), 3, "version = 3; this package reads version 2"),
    "version of reucb 0.1": (_at("version"), 1, "states saved by reucb 0.1 cannot be read"),
    "another policy": (_at("policy"), {"policy": "UCB1", "sigma_sq": 1.0}, "UCB1"),
    "fewer arms": (_at("n_arms"), 3, "counts has 20 entries: must have 3"),
    "too many arms": (_at("n_arms"), 2**31, "n_arms = 2147483648"),
    "negative count": (_at("counts", 0), -1, "altered"),
    "float count": (_at("counts", 0), 1.5, "counts holds float"),
    "boolean count": (_at("counts", 0), True, "counts holds bool"),
    "other count": (_at("counts", 0), 900, "altered"),
    "count of 2^63": (_at("counts", 0), 2**63, "counts holds a number beyond int64"),
    "count of 10^400": (_at("counts", 0), 10**400, "counts holds a number beyond int64"),
    "total of 10^400": (_at("totals", 0), 10**400, "totals holds a number beyond float64"),
    "nested count": (_at("counts", 0), _nested(), "counts holds list"),
    "nested policy": (_at("policy"), _nested(), "it belongs to <list>"),
    "nested digest": (_at("digest"), _nested(), "altered"),
    "nested rng": (_at("rng"), _nested(), "rng is not a PCG64 state"),
    "nested n_arms": (_at("n_arms"), _nested(), "n_arms = <list>"),
    "total not a number": (_at("totals", 2), float("nan"), "totals must hold finite numbers"),
    "total a string": (_at("totals", 2), "1", "totals holds str"),
    "total of 1e308": (_at("totals", 2), 1e308, "altered"),
    "sum of 1e308": (_at("sums", 2), 1e308, "altered"),
    "sums too short": (_at("sums"), [0.0], "sums has 1 entries: must have 8"),
    "groups gone": (_at("groups"), [], "altered"),
    "group's sum": (_at("groups", 2), 1e6, "altered"),
    "retired": (_at("retired", 0), 3, "altered"),
    "rng of another kind": (_at("rng"), {"bit_generator": "MT19937"}, "rng is not a PCG64 state"),
    "rng a number": (_at("rng"), 5, "rng is not a PCG64 state"),
    "rng word": (_at("rng", "state", "state"), 0.5, "rng: state = 0.5"),
    "rng increment": (_at("rng", "state", "inc"), 2, "rng: inc must be odd"),
    "rng word too large": (_at("rng", "uinteger"), 2**32, "rng: uinteger"),
    "digest": (_at("digest"), "0" * 64, "altered"),
    "foreign part": (_at("x"), 1, "unknown keys 'x'"),
}


@pytest.mark.parametrize(("put", "value", "message"), BROKEN.values(), ids=BROKEN)
def test_refused(put: Callable[..., None], value: Any, message: str) -> None:
    state = example()
    broken = copy.deepcopy(state)
    put(broken, value)
    with pytest.raises(ValueError, match=f"invalid agent state: .*{message}"):
        ReUCB().resume(broken)
    assert ReUCB().resume(state).state() == state


FORGED = {
    "negative count": (_at("counts", 0), -1, "a count is negative"),
    "counts whose sum overflows": (_at("counts"), [2**62] * 20, r"more than 2\*\*53 rewards"),
    "permuted counts": (_at("counts"), list(range(1, 21)), "groups and counts disagree|not a sum of rewards"),
    "total without pulls": (_at("totals", 2), 1e300, "the total of an arm is not a sum of rewards"),
    "groups gone": (_at("groups"), [], "groups and counts disagree"),
    "half a group": (_at("groups"), [1.0], "groups must hold 6 numbers each"),
    "pending of no arm": (_at("pending_arms"), [20, 21, 22], "pending_arms must be arms"),
    "pending nothing": (_at("pending_pulls"), [0, 1, 1], "pending_pulls must be positive"),
    "negative squares": (_at("sq_devs", 0), -1.0, "sq_devs must be >= 0"),
}


@pytest.mark.parametrize(("put", "value", "message"), FORGED.values(), ids=FORGED)
def test_a_forged_digest_does_not_hide_an_impossible_state(put: Callable[..., None], value: Any, message: str) -> None:
    broken = example()
    put(broken, value)
    with pytest.raises(ValueError, match=f"invalid agent state: .*({message})"):
        ReUCB().resume(signed(broken))


def numbers(state: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    """Where the numbers of a state are."""
    if isinstance(state, dict):
        return [place for key, value in state.items() for place in numbers(value, (*path, key))]
    if isinstance(state, list):
        return [place for key, value in enumerate(state) for place in numbers(value, (*path, key))]
    return [path] if isinstance(state, (int, float)) and not isinstance(state, bool) else []


STATES = {
    "dense": lambda: UCB1(0.25).start(counts=[3, 1, 2], means=[0.5, 0.25, 1.0], seed=1).state(),
    "grouped": example,
}
CHANGES: list[Callable[[float], Any]] = [
    lambda x: x + 1,
    lambda x: -x - 1,
    lambda x: x + 0.5,
    lambda x: float(np.nextafter(x, 1e300)),
    lambda x: 2**63,
    lambda x: 1e308,
    lambda x: 10**400,
    lambda x: None,
]


@pytest.mark.parametrize("make", STATES.values(), ids=STATES)
@given(data=st.data())
def test_any_altered_number_is_detected(make: Callable[[], dict[str, Any]], data: st.DataObject) -> None:
    state = make()
    policy = UCB1(0.25) if state["policy"]["policy"] == "UCB1" else ReUCB()
    path = data.draw(st.sampled_from(numbers(state)))
    place: Any = state
    for key in path[:-1]:
        place = place[key]
    old = place[path[-1]]
    place[path[-1]] = data.draw(st.sampled_from(CHANGES))(min(old, 2**1000))
    if place[path[-1]] == old and type(place[path[-1]]) is type(old):
        return
    with pytest.raises(ValueError, match="invalid agent state"):
        policy.resume(state)


def test_many_arms_are_base64_text() -> None:
    """Ten times as fast as lists at 10^6 arms; altered, cut off and foreign text is refused."""
    policy, n_arms = ReUCB(), 6_000
    agent = policy.start(n_arms)
    agent.update(np.arange(n_arms), np.random.default_rng(0).normal(size=n_arms))
    agent.select(size=2)
    state = json.loads(json.dumps(agent.state()))
    assert isinstance(state["totals"], str)
    assert policy.resume(state).state() == agent.state()
    totals = state["totals"]
    for text, message in (
        (totals[:-12] + "A" * 12, "altered"),
        (totals[:-32], "totals has 5997 entries: must have 6000"),
        ("?" + totals[1:], "totals is not base64 text"),
        ("A" * (2**20), "totals has 98304 entries"),
    ):
        with pytest.raises(ValueError, match=f"invalid agent state: .*{message}"):
            policy.resume({**state, "totals": text})


@pytest.mark.parametrize("missing", ["format", "counts", "totals", "rng", "digest"])
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
    state["totals"][1] = 0.5
    with pytest.raises(ValueError, match="wins"):
        policy.resume(signed(state))
