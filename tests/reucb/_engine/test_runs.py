"""Blocks of runs, their lanes, and groups of arms."""

from __future__ import annotations

from typing import Any

import numba
import numpy as np
import pytest
import scipy.stats
from hypothesis import given
from hypothesis import strategies as st

from reucb._engine import codes as c
from reucb._engine.agent_calls import absorb, absorb_many, choose, replace_slots
from reucb._engine.runs import play_run, run_block
from reucb._engine.state import State, new_state, with_room
from reucb._engine.sums import power_sums
from reucb.bandit import Bandit
from reucb.policies import Policy, ReUCB
from reucb.policies.inspection import indices
from reucb.rewards import Bernoulli, ClippedGaussian, Gaussian
from tests.hypothesis_examples import examples
from tests.reucb.policies.catalogue import BERNOULLI, POLICIES

# Blocks of runs: edges, independence of the blocking, and what is refused.

SOME = {name: POLICIES[name] for name in ("ReUCB", "ReUCB*", "UCB1", "BernoulliTS", "KLUCB Bernoulli")}
COIN = Bandit(20, scipy.stats.uniform(0.2, 0.3), Bernoulli())


def marks(*rounds: int) -> np.ndarray:
    return np.array(rounds, dtype=np.int64)


@pytest.mark.parametrize("policy", SOME.values(), ids=SOME)
def test_a_run_depends_on_seed_and_number_alone(policy: Policy) -> None:
    whole = run_block(COIN, policy, 90, marks(1, 50, 90), 7, 0, 6)
    parts = [run_block(COIN, policy, 90, marks(1, 50, 90), 7, first, 2) for first in (4, 0, 2)]
    assert np.array_equal(whole, np.concatenate([parts[1], parts[2], parts[0]]))
    assert len(np.unique(whole[:, -1])) == 6
    assert (np.diff(whole) >= 0).all()


@pytest.mark.parametrize("policy", SOME.values(), ids=SOME)
@pytest.mark.parametrize(("n_arms", "horizon"), [(20, 5), (20, 20), (20, 21), (1, 30), (2, 1)])
def test_short_horizons_and_one_arm(policy: Policy, n_arms: int, horizon: int) -> None:
    bandit = Bandit(n_arms, scipy.stats.uniform(0.2, 0.3), Bernoulli())
    out = run_block(bandit, policy, horizon, marks(horizon), 0, 0, 3)
    assert out.shape == (3, 1)
    assert (out >= 0).all()
    assert n_arms > 1 or (out == 0).all()


def test_no_runs_and_no_marks() -> None:
    assert run_block(COIN, ReUCB(), 10, marks(10), 0, 0, 0).shape == (0, 1)
    assert run_block(COIN, ReUCB(), 10, marks(), 0, 0, 2).shape == (2, 0)


def test_regret_of_the_first_round_robin() -> None:
    """Each arm once in order: the regret is a partial sum of gaps."""
    mu = np.linspace(0, 1, 20)
    out = run_block(Bandit(20, mu, Gaussian(1.0)), ReUCB(), 20, marks(1, 7, 20), 0, 0, 1)
    np.testing.assert_allclose(out[0], np.cumsum(1 - mu)[[0, 6, 19]], rtol=1e-14)


def test_regret_counts_the_true_mean_of_a_clipped_law() -> None:
    mu = np.array([0.5, 3.0])
    law = ClippedGaussian(0.2)
    out = run_block(Bandit(2, mu, law), ReUCB(), 1, marks(1), 0, 0, 1)
    assert out[0, 0] == pytest.approx(law.mean(mu)[1] - law.mean(mu)[0])
    assert out[0, 0] < 0.6


@pytest.mark.parametrize("policy", BERNOULLI.values(), ids=BERNOULLI)
def test_rewards_a_policy_cannot_take(policy: Policy) -> None:
    with pytest.raises(ValueError, match=r"needs rewards in \[0, 1\]"):
        run_block(Bandit(3, np.full(3, 0.5), Gaussian(0.1)), policy, 5, marks(5), 0, 0, 1)


@pytest.mark.parametrize(
    "policy", [ReUCB(), ReUCB(method="anova"), ReUCB(method="reml"), ReUCB(sigma0_sq=1e290, sigma_sq=1e290)]
)
def test_rewards_of_any_size(policy: ReUCB) -> None:
    """Rewards near 1e144 give the choices of rewards near 1: the rule is equivariant (the factor is a power of 2)."""
    factor = 2.0**480
    mu = np.random.default_rng(0).normal(1, 0.2, 30)
    small = policy if policy.sigma0_sq is None else ReUCB(sigma0_sq=1e290 / factor**2, sigma_sq=1e290 / factor**2)
    left = run_block(Bandit(30, mu, Gaussian(0.5)), small, 400, marks(100, 400), 0, 0, 2)
    right = run_block(Bandit(30, mu * factor, Gaussian(0.5 * factor)), policy, 400, marks(100, 400), 0, 0, 2)
    np.testing.assert_allclose(right / factor, left, rtol=1e-12)


@pytest.mark.parametrize("policy", POLICIES.values(), ids=POLICIES)
def test_a_run_leaves_nothing_to_the_next(policy: Policy) -> None:
    """The runs of a block share one state: each is what it is alone."""
    block = run_block(COIN, policy, 60, marks(30, 60), 1, 3, 3)
    alone = np.zeros((3, 2))
    for i in range(3):
        play_run(COIN, policy, 60, marks(30, 60), 1, 3 + i, alone[i], np.zeros(0, dtype=np.int64))
    assert np.array_equal(block, alone)


# The sums in vector lanes against NumPy, term by term in the order of the slots.


@numba.njit(error_model="numpy")
def both(count: Any, size: Any, own: Any, spread: Any, ratio: float, other: float, centre: float) -> Any:
    """The intrinsic, called from compiled code."""
    return power_sums(count, size, own, spread, count.size, ratio, other, centre)


@pytest.mark.parametrize("slots", [0, 1, 2, 7, 16])
def test_sums_in_order(slots: int) -> None:
    """Each lane adds in the order of the slots, so the result is bit-for-bit NumPy's running sum."""
    rng = np.random.default_rng(slots)
    count, size = rng.integers(0, 9, slots).astype(float), rng.integers(1, 5, slots).astype(float)
    own, spread = rng.normal(size=slots), rng.random(slots)
    ratios, centre = (0.37, 0.0), 0.2
    for ratio, found in zip(ratios, both(count, size, own, spread, *ratios, centre), strict=True):
        h, e = count / (1.0 + ratio * count), own - centre
        first = [size * h, size * h * e, spread * h + size * h * e * e]
        terms = [*first, *(term * h for term in first), *(term * h * h for term in first)]
        assert list(found) == [float(np.cumsum(term)[-1]) if slots else 0.0 for term in terms]


# Groups of equal counts choose as the plain scan does, whatever the history; ties included.

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


def test_equal_posteriors_of_bayes_ucb_are_a_tie() -> None:
    """Near 1 the tail at a rounded quantile is not the level; the older of two equal bounds was passed over."""
    grouped, dense = pair(POLICIES["BayesUCB Bernoulli(1/2, 1/2)"], 9)
    for arm, reward in [*((k, float(k % 2)) for k in range(9)), (1, 1.0), (3, 1.0)]:
        assert choose(grouped) == choose(dense)
        for state in (grouped, dense):
            absorb(state, arm, reward)
    assert (choose(grouped), choose(dense)) == (1, 1)


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
