"""What may be said of past rounds, of the first rewards and of the number of pulls."""

import pytest
import sympy as sp

from theory.kernel.terms import Event
from theory.model import late_noise, pull_sums, reward_sums, stacks
from theory.model import stopping as stop
from theory.model.follow_up import rearranged, u, x
from theory.model.functions import quantity
from theory.model.past_rounds import require_past
from theory.model.play import k, o
from theory.model.stopping import j, w, z

# Definitions about the next round accept only a past that the rounds before it decide.

g, h = sp.symbols("g h")
M = quantity("M", "M_{{{}}}")


def seen(last):
    """A product of indicators up to a round."""
    return sp.Product(Event(1 - M(h, o), 0), (h, 0, last))


def test_what_the_first_rounds_decide_is_accepted():
    for past in (sp.S.One, Event(M(g, o), 1), seen(g), seen(g) * sp.exp(M(g, o) - g)):
        require_past(past, M, g)


@pytest.mark.parametrize(
    "past",
    [seen(g + 1), Event(M(g + 1, o), 0), sp.exp(M(g, o)) - 1, -seen(g), quantity("T", "T")(o), Event(M(k, g, o), 0)],
)
def test_what_looks_ahead_or_may_be_negative_is_refused(past):
    with pytest.raises(ValueError, match="must be"):
        require_past(past, M, g)


def test_definitions_check_their_past():
    later = Event(1 - stacks.noise(k, g + 1, o), 0)
    with pytest.raises(ValueError, match="decided by the first"):
        stacks.next_noise(later, stacks.lam, g, sp.S.Zero)
    with pytest.raises(ValueError, match="decided by the first"):
        reward_sums.drawn(sp.exp(reward_sums.S(g + 1, o)), g, {})
    with pytest.raises(ValueError, match="decided by the first"):
        reward_sums.drawn(Event(late_noise.Y, 0), g, {})
    with pytest.raises(ValueError, match="known before the reward"):
        pull_sums.drawn_later(pull_sums.fresh(pull_sums.t, o), 1)


# The number of pulls of an arm is a stopping time of its rewards: what decides it may not look ahead.


def test_the_first_rewards_decide() -> None:
    least = stop.least_cost(stop.NOT_AHEAD)
    assert least.gives.rel.op == "<="


@pytest.mark.parametrize(
    "rule",
    [
        stop.decision(k, j, stop.seen(k, j + 1, w), z),  # one reward more
        stop.decision(k, j, stop.seen(k + 1, j, w), z),  # of another arm, as a function of w
        stop.decision(k, j, stop.seen(k, j, w) + w, z),
        stop.mu(k, w, z),
    ],
)
def test_a_rule_that_looks_ahead_is_refused(rule: sp.Expr) -> None:
    with pytest.raises(ValueError, match="first j rewards decide"):
        stop.least_cost(stop.decided_by(rule))


def test_another_number_of_pulls_is_refused() -> None:
    with pytest.raises(ValueError, match="first j rewards decide"):
        stop.least_cost(stop.PULLS)


# The order statistics of the first rewards.


@pytest.mark.parametrize("place", [u, k])
def test_a_sum_over_numbers_in_another_order_does_not_know_their_places(place: sp.Symbol) -> None:
    with pytest.raises(ValueError, match="depends on the place"):
        rearranged(x * place)
