"""What may be stated about past rounds, about the first rewards and about the number of pulls."""

from __future__ import annotations

import pytest
import sympy as sp

from theory.kernel.goal import Goal, Rel, real
from theory.kernel.rules import Definition, equals
from theory.kernel.sanity import assumptions
from theory.kernel.terms import Event, Mean
from theory.model import late_noise, lockout_laws, pull_sums, raised_mean, reward_sums, stacks
from theory.model import stopping as stop
from theory.model.follow_up import rearranged, u, x
from theory.model.functions import quantity
from theory.model.past_rounds import require_past
from theory.model.play import K, count, k, o, t
from theory.model.round_errors import ARM, CHOSEN, X, d, e
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


OPERATORS = {
    "the index of a product, free": seen(g) * Event(M(h, o), 0),
    "a bare outcome": Event(o, 0),
    "a sum over rounds": Event(sp.Sum(M(g, o), (g, 0, 9)), 0),
    "a sum inside a product": sp.Product(Event(sp.Sum(M(h, o), (h, 0, g + 3)), 0), (h, 0, g)),
    "a product over two indices": sp.Product(Event(M(h, o), 0), (h, 0, g), (k, 0, g)),
    "a product whose index is the round": sp.Product(Event(M(g, o), 0), (g, 0, g)),
    "a product from a later round on": sp.Product(Event(M(h, o), 0), (h, g, g + 2)),
    "a mean": Event(Mean(M(g, o), o) - M(g, o), 0),
}


@pytest.mark.parametrize("past", OPERATORS.values(), ids=list(OPERATORS))
def test_operators_do_not_hide_later_rounds(past):
    with pytest.raises(ValueError, match="must be decided by the first"):
        require_past(past, M, g)


def test_factors_of_the_next_noise_are_numbers():
    noise, now = stacks.noise(k, g + 1, o), stacks.noise(k, g, o)
    assert stacks.next_noise(Event(1 - now, 0), stacks.lam, g, sp.S.One).laws
    for of_noise, number in ((noise, sp.S.One), (stacks.lam, noise), (stacks.lam, o)):
        with pytest.raises(ValueError, match="outcome"):
            stacks.next_noise(sp.S.One, of_noise, g, number)
    later = lockout_laws.later(k, g + 1, o)
    assert lockout_laws.fresh_sign(sp.S.One, lockout_laws.eta, g, sp.S.One).laws
    for slope, number in ((later, sp.S.One), (lockout_laws.eta, later)):
        with pytest.raises(ValueError, match="outcome"):
            lockout_laws.fresh_sign(sp.S.One, slope, g, number)


def test_the_noise_of_a_round_is_multiplied_by_what_is_known_and_has_a_mean():
    t, values = pull_sums.t, [f(pull_sums.t, o) for f in (pull_sums.pull, pull_sums.noise, pull_sums.squares)]
    pull, noise, squares = values
    for past in (pull, pull**2 * noise, pull * squares, noise**2):
        assert pull_sums.drawn_later(past, 2).laws
    for past in (o, sp.Sum(pull, (t, 1, 9)), t * noise, sp.exp(noise), 1 / pull):
        with pytest.raises(ValueError, match="known before the reward"):
            pull_sums.drawn_later(past, 1)
    for past in (noise**3, noise * squares, squares**2):  # only the variance of the noise is known
        with pytest.raises(ValueError, match="need not exist"):
            pull_sums.drawn_later(past, 1)


def test_ranges_of_a_model_are_not_changed():
    """The mean of rewards in [0, 1] is one of these numbers; arms are counted from 1 on, rounds from 0 on."""
    for pulls in (k, o, stacks.s, g + 1):
        with pytest.raises(ValueError, match="rounds="):
            stacks.next_noise(sp.S.One, stacks.lam, pulls, sp.S.Zero)
    with pytest.raises(ValueError, match="rounds="):
        lockout_laws.fresh_sign(sp.S.One, lockout_laws.eta, lockout_laws.r, sp.S.Zero)
    with pytest.raises(ValueError, match="rounds="):
        reward_sums.drawn(sp.S.One, reward_sums.mu, {})
    law = reward_sums.drawn(sp.S.One, g, {g: reward_sums.ROUND, reward_sums.mu: real()})
    assert law.gives.domain[reward_sums.mu] == reward_sums.INSIDE


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
        stop.decision(k, j, stop.seen(k, j + 1, w, z), stop.REST),  # one reward more
        stop.decision(k, j, stop.seen(k + 1, j, w, z), stop.REST),  # of another arm
        stop.decision(k, j, stop.SEEN + w, stop.REST),
        stop.decision(k, j, stop.SEEN, stop.rest(k + 1, w, z)),
        stop.mu(k, w, z),
    ],
)
def test_a_rule_that_looks_ahead_is_refused(rule: sp.Expr) -> None:
    with pytest.raises(ValueError, match="first j rewards decide"):
        stop.least_cost(stop.decided_by(rule))


def test_the_other_means_are_averaged_and_nothing_else() -> None:
    assert stop.same_law(stop.top(stop.v)).laws
    for f in (stop.top(stop.v) * stop.top(stop.others(k, w, z)), w, sp.Sum(stop.top(stop.v), (k, 1, 2))):
        with pytest.raises(ValueError, match=r"must"):
            stop.same_law(f)


def test_the_best_of_the_other_means_is_that_of_one_outcome() -> None:
    """One Y_k for every mean of arm k, and this of every arm k: with two arms E mu_1 = mu_1 would follow."""
    assert stop.best_other(k).has(w, z)
    made = [x for x in vars(stop).values() if isinstance(x, Definition)]
    assert made
    assert not any({w, z} & set(x.every) for x in made)


def test_another_number_of_pulls_is_refused() -> None:
    with pytest.raises(ValueError, match="first j rewards decide"):
        stop.least_cost(stop.PULLS)


# The order statistics of the first rewards.


@pytest.mark.parametrize("place", [u, k])
def test_a_sum_over_numbers_in_another_order_does_not_know_their_places(place: sp.Symbol) -> None:
    with pytest.raises(ValueError, match="depends on the place"):
        rearranged(x * place)


@pytest.mark.parametrize("f", [Mean(x, o) ** 2, sp.Sum(x, (x, 1, 3))])
def test_nor_their_means(f: sp.Expr) -> None:
    """The sum of the squared means of the order statistics is positive, that of the numbers is 0."""
    with pytest.raises(ValueError, match="bound"):
        rearranged(f)


def test_the_law_of_a_raised_mean_is_that_of_a_function_of_it() -> None:
    missed = raised_mean.miss(k, raised_mean.t, raised_mean.x, raised_mean.e)
    assert raised_mean.by_outcome(raised_mean.x * missed).laws
    for f in (sp.Sum(missed, (k, 1, 2)), Mean(missed, raised_mean.x)):
        with pytest.raises(ValueError, match="bound"):
            raised_mean.by_outcome(f)
    for f in (sp.exp(raised_mean.x**2), 1 / raised_mean.x):
        with pytest.raises(ValueError, match="no mean"):
            raised_mean.by_outcome(f)


ERROR, LATER_ERROR = X(k, t, d, e), X(k, t + 1, d, e)
NEXT = equals(CHOSEN.xreplace({t: t + 1}), k)  # 1 if arm k is pulled in the next round


def objections(left, right=0):
    return [found.check for found in assumptions(Goal(Rel(left, "=", right), ARM, name="of two rounds"))]


@pytest.mark.parametrize(
    "left",
    [NEXT * Mean(ERROR, e), Mean(NEXT * ERROR, e), Mean(ERROR + LATER_ERROR, e), Mean(ERROR, e) * count(k, K + 1, d)],
)
def test_a_mean_given_the_past_of_one_round_says_nothing_of_another(left):
    """For K = 2, sigma = sigma_0 and t = 3 the mean of the error, if the arm is pulled next, is -0.038 and not 0."""
    (found,) = objections(left)
    assert "a mean given the differences before one round" in found


@pytest.mark.parametrize(
    "left", [equals(CHOSEN, k) * Mean(ERROR, e), Mean(NEXT * ERROR, d, e), Mean(LATER_ERROR, e), NEXT * ERROR]
)
def test_quantities_of_one_round_and_means_over_all_are_allowed(left):
    assert objections(left) == []
