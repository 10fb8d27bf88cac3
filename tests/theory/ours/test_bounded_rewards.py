"""The claims about rewards in [0, 1]: mutants of their statements are rejected by the same proofs."""

from dataclasses import replace

import pytest

from theory.kernel.argument import Proof
from theory.kernel.goal import Goal, Rel
from theory.kernel.prove import proved
from theory.kernel.rules import follows
from theory.kernel.terms import Event
from theory.model import bounded_play as play
from theory.ours import bounded_rewards as arms
from theory.ours import bounded_rewards_bound as bound
from theory.ours import bounded_rewards_lines as lines
from theory.ours.classical.processes import g


def settles(item):
    """The evidence of one item, for a goal with a short limit for the search."""
    return proved(item, 1000) if isinstance(item, Goal) else all(e.ok for e in item.evidence())


def pulled(build) -> Goal:
    """The goal from which a lemma about one index comes, with the root as a symbol."""
    argument = build()
    assert isinstance(argument, Proof)
    return argument.items[0].item


@pytest.mark.parametrize(
    "more",
    [
        arms.r * arms.q * (arms.y - arms.c) / (1 + arms.v),  # the best arm left out
        arms.r * arms.x / (1 + arms.v),  # no room beyond the line
        arms.C * arms.p / 2,  # half of the width
        arms.N,
    ],
)
def test_what_a_good_pull_needs_cannot_be_raised(more):
    goal = pulled(arms.good_pull)
    assert settles(goal)
    left, right = goal.rel.stated
    assert not settles(goal.with_rel(Rel(left, ">=", right + more), "more is needed"))


@pytest.mark.parametrize("less", [arms.r * arms.x / (1 + arms.v), arms.C * arms.p, arms.N])
def test_the_boundary_of_a_bad_round_cannot_be_lowered(less):
    goal = pulled(arms.bad_round)
    left, right = goal.rel.stated
    assert not settles(goal.with_rel(Rel(left, "<", right - less), "a lower boundary"))


def test_the_line_is_needed():
    goal = pulled(arms.good_pull)
    assert not settles(replace(goal, given=goal.given[:-1]))


def test_a_layer_costs_more_than_the_good_pulls_of_fewer_arms_or_half_of_its_bad_rounds():
    layer = bound.one_layer()
    priced = layer.parts[0]
    total, price = priced.concludes.rel.stated
    assert settles(priced)
    for wrong in ({bound.K: bound.K - 1}, {bound.L: bound.L / 2}, {bound.CROSSED: bound.CROSSED / 2}):
        false = Rel(total, "<=", price.xreplace(wrong))
        assert not settles(follows(false, *priced.parts, domain=bound.AVERAGED, given=(bound.LONG,), name="false")), (
            wrong
        )


def test_the_regret_needs_the_first_rounds():
    argument = bound.theorem()
    assert isinstance(argument, Proof)
    whole = argument.items[0]
    left, right = whole.rel.stated
    without = follows(Rel(left, "<=", right - bound.FIRST), *whole.parts, domain=whole.domain, given=whole.given)
    assert not settles(without)


def test_noise_crosses_its_line_with_the_exponent_that_is_stated():
    tail = lines.noise_tail()
    left, right = tail.rel.stated
    assert settles(tail)
    assert not settles(replace(tail, rel=Rel(left, "<=", right**2)))


def test_the_line_needs_the_mean_of_every_envelope():
    (whole,) = lines.line().items
    left, right = whole.rel.stated
    assert settles(whole)
    assert not settles(replace(whole, rel=Rel(left, "<=", right / 2)))


@pytest.mark.parametrize("looks", [play.product(g + 1, play.o), play.beyond(play.o)])
def test_a_past_that_looks_ahead_gives_no_supermartingale(looks):
    """Definitions about the next round accept only what the rounds before it decide."""
    assert play.one_pull(Event(1 - play.product(g, play.o), 0), g)
    with pytest.raises(ValueError, match="must be decided by the first"):
        play.one_pull(Event(1 - looks, 0), g)


def test_a_past_may_not_be_negative():
    with pytest.raises(ValueError, match="product of exponentials and indicators"):
        play.one_pull(Event(1 - play.product(g, play.o), 0) - 1, g)
