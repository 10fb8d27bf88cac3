"""That reward differences decide the choices is refused where it is false."""

from dataclasses import replace

import pytest

from theory.kernel.goal import Rel
from theory.kernel.rules import Definition
from theory.ledger import load
from theory.model import known_play
from theory.model.play import t
from theory.model.reward_level import BOTH, KNOWN, LEVEL, REUCB, Rewards, T
from theory.model.round_errors import d
from theory.ours.choices import play_of_reucb
from theory.ours.same_play import SamePlay


@pytest.fixture(autouse=True)
def _claims() -> None:
    load()  # claims that the proofs use


class LevelWithKnownMean(Rewards):
    """An agent that knows mu_0 does see the level of the rewards."""

    knows_mean = True


class LevelOfTheRound(Rewards):
    """The number that is added differs from round to round."""

    @property
    def same_differences(self) -> Definition:
        rel = Rel(self.reward(t, BOTH), "=", self.reward(t, d) + t * LEVEL)
        return self._defined("another level in every round", rel, Rel(t, "<", T))


class LevelOfTheLastRound(Rewards):
    """The last reward before round T may be any: the choice of round T may be another."""

    @property
    def same_differences(self) -> Definition:
        rel = Rel(self.reward(t, BOTH), "=", self.reward(t, d) + self.level)
        return self._defined("but for the last reward", rel, Rel(t, "<", T - 1))


class AnyOfTheHighest(Rewards):
    """Of the arms with the highest index any may be pulled, so that two plays may differ."""

    @property
    def first(self) -> Definition:
        return self.highest


def changed(kind: type[Rewards], agent: Rewards, **more: object) -> Rewards:
    return kind(**{**{name: getattr(agent, name) for name in Rewards.__dataclass_fields__}, **more})


def test_the_agents_themselves():
    assert play_of_reucb().argument().check().verdict == "proved"


@pytest.mark.parametrize("kind", [LevelOfTheRound, LevelOfTheLastRound, AnyOfTheHighest])
def test_another_agent_is_refused(kind):
    assert play_of_reucb(changed(kind, REUCB)).argument().check().verdict == "open"


def test_an_agent_that_knows_the_mean_is_decided_by_rewards_only():
    same = SamePlay(KNOWN, counted=known_play.OWN_COUNT, square=known_play.WIDTH, in_turn=known_play.IN_TURN)
    assert same.argument().check().verdict == "proved"
    moved = replace(same, agent=changed(LevelWithKnownMean, KNOWN, level=LEVEL))
    assert moved.argument().check().verdict == "open"
