"""The online agent: a thin object around the compiled index rule."""

from __future__ import annotations

from math import isfinite
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from reucb._engine import codes as c
from reucb._engine import thompson
from reucb._engine.agent_calls import calls
from reucb._engine.arms import state as engine_state
from reucb._engine.arms.state import State
from reucb._engine.rng.streams import put_words, words_of
from reucb._engine.update import update_many
from reucb._numerics import validation
from reucb.policies.base import Policy

if TYPE_CHECKING:
    from reucb.policies.inspection import AgentFit


class Agent:
    """The live state of a policy: `select` an arm, `update` with its reward, `state` to save it."""

    __slots__ = (
        "_binary",
        "_call_select",
        "_call_update",
        "_high",
        "_low",
        "_rng",
        "_sampling",
        "_state",
        "_words",
        "policy",
    )

    def __init__(self, policy: Policy, state: State, rng: np.random.Generator) -> None:
        self.policy = policy
        self._state = state
        self._rng = rng
        self._sampling = bool(state.codes[c.RULE] >= c.TS_GAUSSIAN)
        self._binary = policy.binary
        self._call_select, self._call_update = calls(state)
        self._words: Any = words_of(rng) if state.codes[c.RULE] == c.TS_GAUSSIAN else None
        self._low, self._high = (0.0, 1.0) if policy.binary else (-validation.LARGEST_REWARD, validation.LARGEST_REWARD)

    @classmethod
    def begin(cls, policy: Policy, n_arms: int, seed: int | None) -> Agent:
        """An agent that has seen nothing."""
        state = engine_state.new_state(policy.rule(n_arms), n_arms, 64)
        agent = cls(policy, state, np.random.default_rng(seed))
        if agent._sampling:
            thompson.begin(state)
        return agent

    @property
    def n_arms(self) -> int:
        """Number of arms."""
        return self._state.counts.size

    @property
    def rounds(self) -> int:
        """Rewards seen so far; the next round is t = rounds + 1."""
        return int(self._state.ints[c.ROUNDS])

    @property
    def counts(self) -> NDArray[np.int64]:
        """Pulls of each arm (a copy)."""
        return self._state.counts.copy()

    @property
    def means(self) -> NDArray[np.float64]:
        """Mean reward of each arm, 0 where there is none (a copy)."""
        return self._state.means.copy()

    def select(self) -> int:
        """The arm to pull next; changes nothing but, for Thompson sampling, the random stream."""
        if self._sampling:
            return self._call_select(self._state, self._rng if self._words is None else self._words)
        return self._call_select(self._state)

    def update(self, arm: Any, reward: Any) -> None:
        """Enter a reward of any arm, or a batch in order: two arrays of equal length, taken whole or not at all."""
        state = self._state
        if type(arm) is int and type(reward) is float and isfinite(reward):
            if not 0 <= arm < state.counts.size or not self._low <= reward <= self._high:
                self._refuse(arm, reward)
            self._enter(arm, reward)
        elif np.ndim(arm) or np.ndim(reward):
            self._batch(arm, reward)
        else:
            self._enter(
                validation.integer("arm", arm, 0, state.counts.size - 1),
                float(self._rewards(validation.real("reward", reward))),
            )

    def _enter(self, arm: int, reward: float) -> None:
        """One valid reward."""
        if self._binary and 0.0 < reward < 1.0:
            reward = 1.0 if self._rng.random() < reward else 0.0
        state = self._state
        if state.ints[c.SLOTS] == state.arms.size < state.counts.size and state.codes[c.GROUPED]:
            self._state = state = engine_state.grown(state)
        self._call_update(state, arm, reward)

    def _batch(self, arms: Any, rewards: Any) -> None:
        """Valid arms and rewards one after the other."""
        rewards = self._rewards(validation.real_array("reward", rewards, ndim=1))
        places = validation.count_array("arm", arms, 0, self.n_arms - 1)
        if places.shape != rewards.shape:
            raise ValueError(f"arm has shape {places.shape} and reward {rewards.shape}: must be equal")
        if self._sampling or self.policy.binary:
            for arm, reward in zip(places.astype(np.int64).tolist(), rewards.tolist(), strict=True):
                self._enter(arm, reward)
            return
        done, order = 0, places.astype(np.int64)
        while (done := update_many(self._state, order, rewards, done)) < order.size:
            self._state = engine_state.grown(self._state)

    def _rewards(self, value: Any) -> Any:
        """The rewards when the policy can take them."""
        array = np.asarray(value, dtype=np.float64)
        validation.refuse("reward", array, (array < self._low) | (array > self._high), self._support())
        return array

    def _support(self) -> str:
        return "a reward from 0 to 1" if self.policy.binary else f"at most {validation.LARGEST_REWARD:g} in size"

    def _refuse(self, arm: int, reward: float) -> None:
        """Say what was wrong with a plain int and a plain float."""
        validation.integer("arm", arm, 0, self.n_arms - 1)
        self._rewards(validation.real("reward", reward))

    def stream(self) -> np.random.Generator:
        """The agent's own random stream, where it is now."""
        if self._words is not None:
            put_words(self._rng, self._words)
        return self._rng

    def indices(self) -> NDArray[np.float64]:
        """The index of each arm in the coming round, inf where the arm is still to be pulled once (a fresh array)."""
        from reucb.policies.inspection import indices

        return indices(self._state)

    def state(self) -> dict[str, Any]:
        """All there is to know, in plain JSON types, exact to the bit; `policy.resume` takes it back."""
        from reucb.policies.saved_state import save

        return save(self)

    def fit(self) -> AgentFit:
        """The model behind the coming round; ReUCB has one, other policies refuse."""
        from reucb.policies.inspection import model
        from reucb.policies.reucb import ReUCB

        if not isinstance(self.policy, ReUCB):
            raise TypeError(f"policy = {self.policy!r} fits no model: only ReUCB does")
        return model(self._state)
