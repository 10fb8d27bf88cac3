"""The online agent: a thin object around the compiled steps of a round."""

from __future__ import annotations

import threading
from math import isfinite
from typing import TYPE_CHECKING, Any, overload

import numpy as np
from numpy.typing import ArrayLike

from reucb._engine import codes as c
from reucb._engine.agent_calls import REPLACED, calls, replace_slots
from reucb._engine.state import State, with_room
from reucb._engine.streams import put_words, words_of
from reucb._numerics import BoolArray, FloatArray, IntArray, validation
from reucb.policies import batches
from reucb.policies.base import Policy, reward_range

if TYPE_CHECKING:
    from reucb.policies.inspection import AgentFit


class Agent:
    """The live state of a policy: `select` an arm, `update` with its reward, `state` to save it.

    Agents are made by `policy.start` and `policy.resume`. An agent may be shared by threads: every call is atomic.

    Attributes
    ----------
    policy : Policy
        The policy that made the agent.
    n_arms, rounds : int
        Number of arms, and number of rewards so far.
    counts, means, sq_devs, pending : ndarray
        Per arm: rewards, their mean, the sum of their squared deviations from it, and pulls without a reward yet.
    retired : ndarray of bool
        Which arms are never chosen again.

    Examples
    --------
    >>> import reucb
    >>> agent = reucb.ReUCB().start(n_arms=3)
    >>> for reward in (0.2, 0.9, 0.4, 1.1):
    ...     agent.update(agent.select(), reward)
    >>> agent.counts, agent.select()
    (array([1, 2, 1]), 1)
    >>> agent
    <Agent of ReUCB(): 3 arms, 4 rewards>
    """

    __slots__ = (
        "_binary",
        "_call_select",
        "_call_update",
        "_high",
        "_lock",
        "_low",
        "_own",
        "_retired",
        "_rng",
        "_sampling",
        "_state",
        "policy",
    )

    def __init__(
        self, policy: Policy, state: State, rng: np.random.Generator, retired: BoolArray | None = None
    ) -> None:
        self.policy = policy
        self._state = state
        self._rng = rng
        self._retired = retired
        self._lock = threading.Lock()  # of what replaces the arrays; a single call keeps the GIL
        self._sampling = bool(state.codes[c.RULE] >= c.TS_GAUSSIAN)
        self._binary = policy.binary
        self._call_select, self._call_update = calls(state)
        self._own: Any = rng if self._binary else words_of(rng)
        self._low, self._high = reward_range(policy)

    @property
    def n_arms(self) -> int:
        """Number of arms, retired ones included."""
        return self._state.counts.size

    @property
    def rounds(self) -> int:
        """Rewards seen so far; the next round is t = rounds + 1, plus the number of pending pulls."""
        return int(self._state.ints[c.ROUNDS])

    @property
    def counts(self) -> IntArray:
        """Rewards of each arm (a copy)."""
        return self._state.counts.copy()

    @property
    def means(self) -> FloatArray:
        """Mean reward of each arm, 0 where there is none (a copy)."""
        return self._state.means.copy()

    @property
    def sq_devs(self) -> FloatArray:
        """Sum of squared deviations of each arm's rewards from their mean, as in `variance_components` (a copy)."""
        return self._state.totals[:, c.SQUARES].copy()

    @property
    def pending(self) -> IntArray:
        """Pulls of each arm that `select(size=...)` gave out and that have no reward yet (a copy)."""
        return self._state.pending.copy()

    @property
    def retired(self) -> BoolArray:
        """Which arms are retired (a copy)."""
        return np.zeros(self.n_arms, dtype=bool) if self._retired is None else self._retired.copy()

    @overload
    def select(self, size: None = None, among: ArrayLike | None = None, *, distinct: bool = False) -> int: ...

    @overload
    def select(self, size: int, among: ArrayLike | None = None, *, distinct: bool = False) -> IntArray: ...

    def select(
        self, size: int | None = None, among: ArrayLike | None = None, *, distinct: bool = False
    ) -> int | IntArray:
        """Choose the arm to pull next, or a batch of pulls.

        Without `size` nothing changes except, for Thompson sampling, the random stream: an index policy returns the
        same arm until `update` is called. Where rewards arrive late, select pulls with `size`: these are pending until
        `update` or `forget`, and the next call counts them.

        A pending pull narrows the width of its arm as a reward would and leaves its estimated mean unchanged, as if the
        predicted mean had been its reward. Estimates of variances use rewards only. Thompson sampling
        draws anew for every pull, from the posterior given the rewards.

        Parameters
        ----------
        size : int, optional
            Number of pulls, all pending from now on.
        among : array_like, optional
            Arms to choose from: a boolean mask of length `n_arms`, or indices of arms. Retired arms are never chosen.
        distinct : bool, optional
            Whether the pulls of a batch are of different arms.

        Returns
        -------
        int or ndarray of int64
            An arm, or `size` arms in the order in which they were chosen.

        Raises
        ------
        ValueError
            If there is no arm to choose, fewer arms than distinct pulls, or an argument is out of range.

        Examples
        --------
        >>> import reucb
        >>> agent = reucb.ReUCB(sigma0_sq=0.04, sigma_sq=0.25).start(n_arms=4)
        >>> agent.select(), agent.select()
        (0, 0)
        >>> agent.select(size=3)
        array([0, 1, 2])
        >>> agent.update([2, 0], [0.3, 0.7])
        >>> agent.pending, agent.select(among=[1, 2])
        (array([0, 1, 0, 0]), 1)
        """
        if size is not None or among is not None or (self._sampling and self._retired is not None):
            return batches.choose(self, size, among, distinct)
        arm = self._call_select(self._state, self._own) if self._sampling else self._call_select(self._state)
        return arm if arm >= 0 else self._no_arm(arm)

    def _no_arm(self, arm: int) -> int:
        """Retry after the arrays were replaced; raise ValueError if every arm is retired."""
        while arm == REPLACED:
            with self._lock:  # the thread that replaces them holds it
                pass
            arm = self._call_select(self._state, *((self._own,) if self._sampling else ()))
        if arm < 0:
            raise ValueError("no arm to choose: every arm is retired")
        return arm

    def update(self, arm: Any, reward: Any) -> None:
        """Record a reward of any arm, or a batch of rewards in order.

        A reward answers one pending pull of its arm, if there is one; pulls may be answered in any order.

        Parameters
        ----------
        arm : int or array_like of int
            The arm that paid, or one arm per reward.
        reward : float or array_like of float
            The reward; booleans count as 0 and 1. Policies for Bernoulli rewards take numbers from 0 to 1.

        Raises
        ------
        ValueError, TypeError
            If an arm or a reward is not allowed; the agent is then unchanged.

        Examples
        --------
        >>> import reucb
        >>> agent = reucb.UCB1(sigma_sq=0.25).start(n_arms=2)
        >>> agent.update(0, True)
        >>> agent.update([1, 1], [0.5, 0.25])
        >>> agent.means
        array([1.   , 0.375])
        """
        if type(arm) is int and type(reward) is float and isfinite(reward):
            if not 0 <= arm < self._state.counts.size or not self._low <= reward <= self._high:
                batches.checked_pull(self, arm, reward)  # says what is wrong
            self._enter(arm, reward)
        elif validation.dimensions(arm) or validation.dimensions(reward):
            batches.enter(self, arm, reward)
        else:
            self._enter(*batches.checked_pull(self, arm, reward))

    def _enter(self, arm: int, reward: float) -> None:
        """One valid reward."""
        if self._binary and 0.0 < reward < 1.0:
            reward = 1.0 if self._rng.random() < reward else 0.0
        while not self._call_update(self._state, arm, reward):
            self._grow()

    def _grow(self) -> None:
        """Double the number of slots; threads with the old arrays find these marked as replaced and retry."""
        with self._lock:
            state = self._state
            room = state.arms.size
            if state.codes[c.GROUPED] and state.ints[c.SLOTS] == room < state.counts.size:
                larger = with_room(state, min(2 * room, state.counts.size))
                if replace_slots(State(*state), State(*larger)):
                    self._state = larger

    def forget(self, arms: ArrayLike | None = None) -> None:
        """Drop pending pulls whose reward will not arrive.

        Parameters
        ----------
        arms : int or array_like of int, optional
            One entry per pull; all pending pulls if left out.

        Raises
        ------
        ValueError
            If an arm has fewer pending pulls; nothing is then dropped.

        Examples
        --------
        >>> import reucb
        >>> agent = reucb.UCB1(sigma_sq=0.25).start(n_arms=3)
        >>> batch = agent.select(size=3)
        >>> agent.forget([0, 2])
        >>> agent.pending, agent.select()
        (array([0, 1, 0]), 0)
        """
        batches.forget(self, arms)

    def add_arms(self, n: int) -> IntArray:
        """Add arms that have never been pulled.

        Parameters
        ----------
        n : int
            How many.

        Returns
        -------
        ndarray of int64
            Their indices.

        Raises
        ------
        ValueError
            If n is not positive, or the policy has a noise variance for each arm.

        Examples
        --------
        >>> import reucb
        >>> agent = reucb.ReUCB().start(n_arms=2)
        >>> agent.update([0, 1], [0.5, 0.7])
        >>> agent.add_arms(2), agent.n_arms, agent.select()
        (array([2, 3]), 4, 2)
        """
        return batches.add_arms(self, n)

    def retire(self, arms: ArrayLike) -> None:
        """Never choose these arms again; their rewards, including later ones, are still used by the model.

        Parameters
        ----------
        arms : int or array_like of int
            The arms.

        Raises
        ------
        ValueError, TypeError
            If an entry is not an arm; no arm is then retired.

        Examples
        --------
        >>> import reucb
        >>> agent = reucb.ReUCB().start(n_arms=3)
        >>> agent.retire([0, 1])
        >>> agent.select()
        2
        """
        batches.retire(self, arms)

    def stream(self) -> np.random.Generator:
        """The random stream of the agent in its current state.

        Returns
        -------
        numpy.random.Generator
            The generator itself, not a copy.
        """
        if not self._binary:
            put_words(self._rng, self._own)
        return self._rng

    def indices(self) -> FloatArray:
        """The index of each arm in the coming round, pending pulls counted (a fresh array).

        Returns
        -------
        ndarray of float64
            inf for an arm that was never pulled, if the policy first pulls each arm once.

        Raises
        ------
        TypeError
            If the policy has no indices: Thompson sampling.

        Examples
        --------
        >>> import reucb
        >>> agent = reucb.UCB1(sigma_sq=0.25).start(n_arms=2)
        >>> agent.update([0, 1, 1], [1.0, 0.0, 0.5])
        >>> agent.indices().round(3)
        array([2.665, 1.427])
        """
        from reucb.policies.inspection import indices
        from reucb.policies.thompson import BernoulliTS, GaussianTS, ReTS

        if isinstance(self.policy, (GaussianTS, BernoulliTS, ReTS)):
            raise TypeError(f"policy = {self.policy!r} has no indices: it draws every arm from its posterior")
        return indices(self._state)

    def state(self) -> dict[str, Any]:
        """The complete state in plain JSON types, bit-for-bit exact.

        Returns
        -------
        dict
            Argument for `policy.resume`; it includes a digest by which altered numbers are detected.

        Examples
        --------
        >>> import json, reucb
        >>> policy = reucb.ReUCB()
        >>> agent = policy.start(n_arms=2)
        >>> agent.update([0, 1], [0.5, 0.7])
        >>> twin = policy.resume(json.loads(json.dumps(agent.state())))
        >>> twin.means
        array([0.5, 0.7])
        """
        from reucb.policies.start import save

        return save(self)

    def fit(self) -> AgentFit:
        """The model given the rewards so far, for ReUCB and ReTS.

        Returns
        -------
        AgentFit
            mu0, both variances, and per arm weights, predicted means and their mean squared errors.

        Raises
        ------
        TypeError
            If the policy fits no model.

        Examples
        --------
        >>> import reucb
        >>> agent = reucb.ReUCB(sigma0_sq=1.0, sigma_sq=1.0).start(n_arms=2)
        >>> agent.update([0, 1], [0.0, 1.0])
        >>> agent.fit().mu
        array([0.25, 0.75])
        """
        from reucb.policies.inspection import model
        from reucb.policies.reucb import ReUCB
        from reucb.policies.thompson import ReTS

        if not isinstance(self.policy, (ReUCB, ReTS)):
            raise TypeError(f"policy = {self.policy!r} fits no model: only ReUCB and ReTS do")
        return model(self._state)

    def __repr__(self) -> str:
        waiting = int(self._state.ints[c.WAITING])
        more = f", {waiting} pending" if waiting else ""
        return f"<Agent of {self.policy!r}: {self.n_arms} arms, {self.rounds} rewards{more}>"

    def __reduce__(self) -> Any:
        from reucb.policies.start import load

        return load, (self.policy, self.state())
