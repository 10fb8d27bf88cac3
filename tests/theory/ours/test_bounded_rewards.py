"""The claims about rewards in [0, 1]: mutants of their statements are rejected by the same proofs."""

from dataclasses import replace

import pytest
import sympy as sp

from theory.kernel.argument import Proof
from theory.kernel.goal import Goal, Rel
from theory.kernel.prove import proved
from theory.kernel.rules import follows
from theory.kernel.terms import Event, Mean
from theory.ledger import load
from theory.model import bounded_lines as model
from theory.model import bounded_play as play
from theory.ours import bounded_rewards as arms
from theory.ours import bounded_rewards_bound as bound
from theory.ours import bounded_rewards_cells as cells
from theory.ours import bounded_rewards_lines as lines
from theory.ours.classical.processes import g


@pytest.fixture(autouse=True, scope="module")
def _every_claim():
    """Steps use claims of other modules by name."""
    load()


GOOD, U = sp.symbols("w u")  # of the lemma that adds up good pulls and bad rounds


def accepted(item):
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
    assert accepted(goal)
    left, right = goal.rel.stated
    assert not accepted(goal.with_rel(Rel(left, ">=", right + more), "more is needed"))


@pytest.mark.parametrize("less", [arms.r * arms.x / (1 + arms.v), arms.C * arms.p, arms.N])
def test_the_boundary_of_a_bad_round_cannot_be_lowered(less):
    goal = pulled(arms.bad_round)
    left, right = goal.rel.stated
    assert not accepted(goal.with_rel(Rel(left, "<", right - less), "a lower boundary"))


def test_the_line_is_needed():
    goal = pulled(arms.good_pull)
    assert not accepted(replace(goal, given=goal.given[:-1]))


def test_a_layer_costs_more_than_the_good_pulls_of_fewer_arms_or_half_of_its_bad_rounds():
    priced = bound.one_layer().parts[0]
    charged = priced.parts[1]
    chances = play.crossed(bound.i, bound.t, lines.BELOW.level(bound.c), bound.y)
    assert accepted(priced)
    assert accepted(charged)
    price = {x: charged.at[x] for x in (GOOD, bound.xi, U)}
    for wrong in ({bound.K: bound.K - 1}, {bound.L: bound.L / 2}, {chances: chances / 2}, {bound.LENGTH: 0}):
        lower = {x: value.xreplace(wrong) for x, value in price.items()}
        assert lower != price
        assert not accepted(replace(charged, at={**charged.at, **lower})), wrong


def test_the_regret_needs_the_first_rounds():
    argument = bound.theorem()
    assert isinstance(argument, Proof)
    whole = argument.items[0]
    left, right = whole.rel.stated
    without = follows(Rel(left, "<=", right - bound.FIRST), *whole.parts, domain=whole.domain, given=whole.given)
    assert not accepted(without)


def test_noise_crosses_its_line_with_the_exponent_that_is_stated():
    tail = lines.noise_tail()
    left, right = tail.rel.stated
    assert accepted(tail)
    assert not accepted(replace(tail, rel=Rel(left, "<=", right**2)))


LINES = pytest.mark.parametrize("line", [model.ABOVE, model.BELOW], ids=lambda line: line.kind)


@LINES
def test_the_line_needs_the_mean_of_every_envelope(line):
    whole = lines.crossing(line, model.weight(line.outside, play.o), "line")
    assert accepted(whole)
    for wrong in ({lines.v: whole.at[lines.v] - 1}, {lines.w: whole.at[lines.w] + 1}, {lines.u: whole.at[lines.u] / 2}):
        assert not accepted(replace(whole, at={**whole.at, **wrong}))


@LINES
def test_a_past_that_looks_ahead_gives_no_supermartingale(line):
    """Definitions about the next round accept only what the rounds before it decide."""
    own = model.weight(line.outside, play.o)
    assert line.next_reward(own, Event(1 - line.product(g), 0), g)
    for looks in (line.product(g + 1), line.beyond):
        with pytest.raises(ValueError, match="must be decided by the first"):
            line.next_reward(own, Event(1 - looks, 0), g)


@LINES
def test_a_past_may_not_be_negative(line):
    with pytest.raises(ValueError, match="product of exponentials and indicators"):
        line.next_reward(model.weight(line.outside, play.o), Event(1 - line.product(g), 0) - 1, g)


SUM = play.rewards(play.K, play.N, play.o)


@LINES
@pytest.mark.parametrize(
    "own",
    [
        model.ABOVE.beyond,
        model.BELOW.product(g),
        play.rewards(play.k + 1, play.N, play.o),
        play.rewards(play.k, play.shortfall(play.i, play.t, 0, play.o), play.o),
        play.shortfall(play.i, play.t, model.BELOW.beyond, play.o),
        play.cost(play.t, play.o),
    ],
)
def test_other_arms_are_not_independent_of_themselves(line, own):
    """What stands outside of a mean over the arms on a line may depend on the arm outside only."""
    assert line.apart(Event(play.rewards(line.outside, play.N, play.o) - 1, 0))
    with pytest.raises(ValueError, match="is not decided by the mean and the rewards of arm"):
        line.apart(Event(own, 0))
    with pytest.raises(ValueError, match="is not decided by the mean and the rewards of arm"):
        line.next_reward(Event(own, 0), Event(1 - line.product(g), 0), g)


@LINES
def test_nor_is_a_sum_over_arms(line):
    arm, one = line.outside, play.rewards(line.outside, play.N, play.o)
    for own in (Event(sp.Sum(one, (arm, 1, 3)), 0), Event(play.o, 0), Event(Mean(one, play.o) - one, 0)):
        with pytest.raises(ValueError, match=r"bound|outcome"):
            line.apart(own)


def test_rewards_of_the_best_arm_are_not_outside_a_line_with_it():
    assert model.BELOW.apart(Event(SUM, 0))
    assert model.BELOW.apart(Event(play.shortfall(play.i, play.t, 0, play.o), 1))
    for own in (SUM, play.shortfall(play.i, play.t, 0, play.o)):
        with pytest.raises(ValueError, match="is not decided by the mean and the rewards of arm k"):
            model.ABOVE.apart(Event(own, 0))


@LINES
def test_what_is_outside_a_line_may_not_be_negative(line):
    own = model.weight(line.outside, play.o)
    for wrong in (-own, own - 1, play.rewards(line.outside, play.N, play.o)):
        with pytest.raises(ValueError, match="product of events, lengths and weights"):
            line.apart(wrong)


CELLS = pytest.mark.parametrize("build", [cells.good_pulls, cells.boundary])


@CELLS
def test_cells_are_charged_at_their_upper_ends(build):
    """With their lower ends, without what is beyond the last level, or without a tail, the sum is too small."""
    found = build()
    whole = found.bound("whole")
    left, right = whole.rel.stated
    line, M = found.line, cells.M
    assert accepted(whole)
    lower = right.replace(lambda e: e == line.level(cells.c), lambda _: line.level(cells.c - 1))
    for wrong in (lower, right - line.tail(M) * found.b, right / 2, right.xreplace({line.tail(cells.c): 0})):
        assert wrong != right
        assert not accepted(replace(whole, rel=Rel(left, "<=", wrong)))


@CELLS
def test_an_event_must_rise_with_the_level(build):
    """With the opposite event the steps for one level are refused: it does not happen the sooner the larger X is."""
    found = build()
    assert accepted(found.one_level())
    falls = replace(found, at=found.no, no=found.at)
    assert not accepted(falls.one_level())
    assert not accepted(falls._reached())


def test_levels_must_rise():
    order = cells.needs_less()
    assert accepted(order)
    assert not accepted(replace(order, given=()))
    assert not accepted(replace(cells.boundary_rises(), given=(cells.LATER,)))
