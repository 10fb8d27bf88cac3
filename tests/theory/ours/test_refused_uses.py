"""Pitt's theorem, and that reward differences decide the choices, are refused where they do not apply."""

from __future__ import annotations

from dataclasses import replace

import pytest
import sympy as sp

from theory.kernel.argument import proof
from theory.kernel.goal import Goal, Rel
from theory.kernel.rules import Definition, cited
from theory.kernel.terms import Event
from theory.ledger import load
from theory.model import known_play
from theory.model import round_kinds as kinds
from theory.model.joint_errors import COVARIANCE
from theory.model.play import LATER, K, k, t
from theory.model.reward_level import BOTH, KNOWN, LEVEL, REUCB, Rewards, T
from theory.model.round_errors import BEST, CHOSEN, ROUND, X, d, e, fail_R, out
from theory.ours import association
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


OWN = X(CHOSEN, t, d, e)


def refused(low: sp.Expr, high: sp.Expr, **other: object) -> str:
    """Why the theorem is not used so, with all that is proved of the pulled arm's error and of failing intervals."""
    rises = association.raises(CHOSEN, sp.S.Zero, ROUND, (LATER,)), association.beyond_first()
    like = Goal(LATER, ROUND, (LATER,), "errors and failures")
    law = association.pitt(low, high, rises, (association.pulled(ROUND),), like)
    law = cited(law.theorem, hypotheses=law.checked, gives=law.gives, at={**law.at, **other}, name="changed")
    return proof(law).check().problem or ""


def test_the_use_itself() -> None:
    assert refused(OWN, association.BEYOND_FIRST) == ""


@pytest.mark.parametrize(
    ("low", "high"),
    [
        (-OWN, association.BEYOND_FIRST),
        (OWN, -association.BEYOND_FIRST),
        (association.BEYOND_FIRST, OWN),
        (OWN, 1 - Event(association.HIGH - 1, 0)),
        (X(BEST, t, d, e), association.BEYOND_FIRST),
        (X(K + 1, t, d, e), association.BEYOND_FIRST),
        (X(CHOSEN, t + 1, d, e), association.BEYOND_FIRST),
        (OWN, sp.Sum(out(k), (k, 1, K + 1)) - Event(association.HIGH - 1, 0)),
        (OWN, association.HIGH - fail_R),
        (OWN, kinds.none),
        (kinds.rest, association.BEYOND_FIRST),
    ],
)
def test_other_functions_are_refused(low: sp.Expr, high: sp.Expr) -> None:
    """Falling ones, exchanged ones, errors of the best arm, which is random, of no arm or of another round, and
    functions of the outcome whose dependence on the errors is not shown."""
    assert refused(low, high) != ""


def test_other_laws_are_refused() -> None:
    changed = (
        {"covariance": -COVARIANCE},
        {"covariance": COVARIANCE / 2},
        {"covariance": sp.S.One},
        {"last": K - 1},
        {"last": K + 1},
        {"outcome": d},
    )
    for other in changed:
        assert refused(OWN, association.BEYOND_FIRST, **other) != ""


def test_the_claim_assumes_the_theorem_only() -> None:
    found = association.association().check()
    assert found.verdict == "proved"
    assert found.assumes_itself == (str(association.PITT),)
    for item in association.association().conclusions:
        reverse = Goal(Rel(item.rel.right, item.rel.op, item.rel.left), item.domain, item.given, "reversed")
        assert proof(reverse).check().verdict == "open"
