"""Groups of equal counts choose as the plain scan does, whatever the history; ties included."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from reucb._engine import codes as c
from reucb._engine.agent_calls import absorb, absorb_many, choose
from reucb._engine.arms.state import State, new_state, with_room
from reucb._engine.rebuild import replace_slots
from reucb.policies import Policy
from reucb.policies.inspection import indices
from tests.hypothesis_examples import examples
from tests.reucb.policies.catalogue import POLICIES

RULES = {name: policy for name, policy in POLICIES.items() if "TS" not in name and "index" not in name}
# few values, so that means tie often; 0 and 1 serve the Bernoulli policies
MOVES = st.lists(st.tuples(st.integers(0, 11), st.sampled_from([0.0, 1.0]), st.booleans()), max_size=80)


def pair(policy: Policy, n_arms: int) -> tuple[State, State]:
    rule = policy.rule(n_arms)
    return new_state(rule, n_arms, n_arms, grouped=True), new_state(rule, n_arms, n_arms, grouped=False)


@pytest.mark.parametrize("policy", RULES.values(), ids=RULES)
@examples(25)
@given(n_arms=st.integers(1, 12), moves=MOVES)
def test_same_choices_as_the_dense_rule(policy: Policy, n_arms: int, moves: list[tuple[int, float, bool]]) -> None:
    """Either the same arm, or arms whose indices are the same number up to the rounding of a dozen sums."""
    grouped, dense = pair(policy, n_arms)
    for arm, reward, follow in [*((k, float(k % 2), False) for k in range(n_arms)), *moves]:
        left, right = choose(grouped), choose(dense)
        if left != right:
            index = indices(dense)
            assert abs(index[left] - index[right]) <= 1e-13 * max(1.0, abs(index[right]))
            assert (dense.counts[left], dense.means[left]) != (dense.counts[right], dense.means[right])
        for state in (grouped, dense):
            absorb(state, left if follow else arm % n_arms, reward)
    well_formed(grouped)


def well_formed(state: State) -> None:
    """Each slot shows the size, the top arm and the sums of its group."""
    n_slots = int(state.ints[c.SLOTS])
    counts = state.slots[c.COUNT, :n_slots]
    assert sorted(counts.tolist()) == np.unique(state.counts[state.counts > 0]).tolist()
    for slot, count in enumerate(counts):
        members = np.flatnonzero(state.counts == count)
        top = members[np.argmax(state.means[members])]
        assert (state.arms[slot], state.slots[c.SIZE, slot]) == (top, len(members))
        if state.codes[c.SUMS]:
            total = state.slots[c.SUM_HI, slot] + state.slots[c.SUM_LO, slot]
            assert total == pytest.approx((state.means[members] - state.floats[c.CENTER]).sum(), abs=1e-13)


@given(st.integers(16, 200), st.integers(0, 2**32 - 1))
@examples(20)
def test_room_grows_with_the_distinct_counts(n_arms: int, seed: int) -> None:
    policy = POLICIES["ReUCB*"]
    rng = np.random.default_rng(seed)
    arms, rewards = rng.permutation(np.repeat(np.arange(n_arms), np.arange(n_arms) % 20 + 1)), rng.random(10**4)
    state, done = new_state(policy.rule(n_arms), n_arms, 1), 0
    while (done := absorb_many(state, arms, rewards[: arms.size], done)) < arms.size:
        larger = with_room(state, min(2 * state.arms.size, n_arms))
        assert replace_slots(state, larger)
        assert not replace_slots(state, larger)
        assert not absorb(state, 0, 1.0)
        state = larger
    well_formed(state)


def test_a_value_that_comes_and_goes_leaves_nothing_behind() -> None:
    """The group of count 1 loses its huge member and has the sum of the others again, to the last bit of a double."""
    state, _ = pair(POLICIES["ReUCB*"], 3)
    for arm, reward in [(0, 0.0), (1, 1e16), (2, 1.0), (1, 0.0)]:
        absorb(state, arm, reward)
    slot = int(np.flatnonzero(state.slots[c.COUNT, :2] == 1)[0])
    assert state.slots[c.SUM_HI, slot] + state.slots[c.SUM_LO, slot] == 1.0
