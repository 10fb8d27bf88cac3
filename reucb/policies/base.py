"""What every policy is: a frozen, hashable description that starts agents and can be written down as JSON."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import TYPE_CHECKING, Any

from reucb._numerics import validation

if TYPE_CHECKING:
    from reucb.policies.agent import Agent
    from reucb.policies.rule import Rule


@dataclass(frozen=True)
class Policy(ABC):
    """A frozen description; `start` gives its live state, the agent."""

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
        """The rule as the engine reads it."""

    def start(self, n_arms: int, seed: int | None = None) -> Agent:
        """An agent that has seen nothing yet. The seed feeds the policy's own draws, if it makes any."""
        from reucb.policies.agent import Agent

        n_arms = validation.integer("n_arms", n_arms, 1, 2**31 - 1)
        if seed is not None:
            seed = validation.integer("seed", seed, 0)
        return Agent.begin(self, n_arms, seed)

    def resume(self, state: Mapping[str, Any]) -> Agent:
        """The agent whose `state()` this is; it goes on exactly where that one was."""
        from reucb.policies.saved_state import load

        return load(self, state)

    def describe(self) -> dict[str, Any]:
        """Plain JSON: the class and its parameters; `policy_from` gives the policy back."""
        values = {f.name: getattr(self, f.name) for f in fields(self)}
        return {
            "policy": type(self).__name__,
            **{name: list(v) if isinstance(v, tuple) else v for name, v in values.items()},
        }
