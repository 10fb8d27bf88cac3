"""The base class of policies: frozen, hashable descriptions that start agents and can be written as JSON."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import MISSING, dataclass, fields
from typing import TYPE_CHECKING, Any

from numpy.typing import ArrayLike

from reucb._engine.codes import Rule
from reucb._numerics import validation

if TYPE_CHECKING:
    from reucb.policies.agent import Agent


def check_variances(sigma0_sq: float | None, sigma_sq: object, method: str) -> None:
    """Reject variances with which `method` cannot be used, or with which all indices would be equal."""
    if method in ("ml", "reml") and (sigma0_sq is None) != (sigma_sq is None):
        raise ValueError(
            f"method = {method!r} estimates both variances: give both of sigma0_sq = {sigma0_sq!r} and "
            f"sigma_sq = {sigma_sq!r}, or neither, or use 'moments' or 'anova'"
        )
    least = min(sigma_sq) if isinstance(sigma_sq, tuple) else sigma_sq
    if sigma0_sq == 0 and least == 0:
        raise ValueError(f"sigma0_sq = 0 and sigma_sq = {sigma_sq!r}: at least one must be > 0")


def reward_range(policy: Policy) -> tuple[float, float]:
    """The smallest and the largest reward that agents of the policy accept."""
    return (0.0, 1.0) if policy.binary else (-validation.LARGEST_REWARD, validation.LARGEST_REWARD)


@dataclass(frozen=True, repr=False)
class Policy(ABC):
    """Base class of all policies: a frozen, hashable description from which `start` makes agents.

    Examples
    --------
    >>> import reucb
    >>> policy = reucb.ReUCB(a=2.0)
    >>> isinstance(policy, reucb.Policy), policy == reucb.ReUCB(a=2.0)
    (True, True)
    """

    @property
    def binary(self) -> bool:
        """Whether rewards are taken as 0 or 1, those strictly between by randomised rounding."""
        return False

    @property
    def random(self) -> bool:
        """Whether the policy draws from its own stream."""
        return self.binary

    @abstractmethod
    def rule(self, n_arms: int) -> Rule:
        """The rule as the engine reads it; every policy defines it.

        Parameters
        ----------
        n_arms : int
            Number of arms.

        Returns
        -------
        Rule
            Codes and numbers for the compiled code.

        Raises
        ------
        ValueError
            If a parameter of the policy has one value per arm, and not `n_arms` of them.
        """

    def start(
        self,
        n_arms: int | None = None,
        seed: int | None = None,
        *,
        counts: ArrayLike | None = None,
        means: ArrayLike | None = None,
        sq_devs: ArrayLike | None = None,
    ) -> Agent:
        """Start an agent, without rewards or from aggregates of earlier rewards.

        Parameters
        ----------
        n_arms : int, optional
            Number of arms; may be left out with `counts`.
        seed : int, optional
            Seed of the policy's own draws, if it makes any.
        counts, means, sq_devs : array_like, optional
            Rewards per arm, their means, and the sums of their squared deviations from these means. The last may be
            left out where no variance is estimated, and is not needed for rewards 0 and 1. Means of arms without
            rewards are ignored.

        Returns
        -------
        Agent
            The live state of the policy.

        Raises
        ------
        ValueError, TypeError
            If an argument is not allowed.

        Examples
        --------
        >>> import reucb
        >>> agent = reucb.ReUCB().start(counts=[3, 2, 0], means=[0.5, 0.8, 0.0], sq_devs=[0.1, 0.02, 0.0])
        >>> agent
        <Agent of ReUCB(): 3 arms, 5 rewards>
        """
        from reucb.policies.batches import MOST_ARMS
        from reucb.policies.start import new_agent, warm_agent

        if seed is not None:
            seed = validation.integer("seed", seed, 0)
        if n_arms is not None or counts is None:
            n_arms = validation.integer("n_arms", n_arms, 1, MOST_ARMS)
        if counts is not None:
            return warm_agent(self, counts, means, sq_devs, n_arms, seed)
        for name, value in (("means", means), ("sq_devs", sq_devs)):
            if value is not None:
                raise ValueError(f"{name} is given without counts: give counts too, or neither")
        assert n_arms is not None
        return new_agent(self, n_arms, seed)

    def resume(self, state: Mapping[str, Any]) -> Agent:
        """Resume an agent from its `state()`, bit-for-bit.

        Parameters
        ----------
        state : dict
            The result of `Agent.state`, possibly after a round trip through JSON.

        Returns
        -------
        Agent
            Its later choices are bit-for-bit those of the saved agent.

        Raises
        ------
        ValueError
            If it is not such a state, belongs to another policy, or was altered.

        Examples
        --------
        >>> import reucb
        >>> policy = reucb.UCB1(sigma_sq=0.25)
        >>> agent = policy.start(n_arms=2)
        >>> agent.update(0, 0.5)
        >>> policy.resume(agent.state()).select()
        1
        """
        from reucb.policies.start import load

        return load(self, state)

    def __repr__(self) -> str:
        shown = [
            f"{f.name}={validation.shown(getattr(self, f.name))}"
            for f in fields(self)
            if f.default is MISSING or getattr(self, f.name) != f.default
        ]
        return f"{type(self).__name__}({', '.join(shown)})"

    def describe(self) -> dict[str, Any]:
        """The class and its parameters; `reucb.policies.policy_from` makes the policy from them again.

        Returns
        -------
        dict
            Plain JSON types.

        Examples
        --------
        >>> import reucb
        >>> reucb.UCB1(sigma_sq=0.25).describe()
        {'policy': 'UCB1', 'sigma_sq': 0.25}
        """
        values = {f.name: getattr(self, f.name) for f in fields(self)}
        return {
            "policy": type(self).__name__,
            **{name: list(v) if isinstance(v, tuple) else v for name, v in values.items()},
        }
