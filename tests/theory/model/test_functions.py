"""Functions of a model: they belong to a module, depend on its parameters, and have the ranges that it states."""

import pickle
import sys

import pytest
import sympy as sp

from theory.kernel.argument import proof
from theory.kernel.goal import Goal, Rel, at_least, positive, real
from theory.kernel.rules import Induction, Limit, Picked, SumOver, Telescoping, follows, instance, uses
from theory.kernel.sources import conclusions
from theory.ledger import load
from theory.model import (
    bounded_lines,
    bounded_play,
    bounded_pulls,
    counts,
    follow_up,
    good_pulls,
    late_noise,
    lockout,
    lockout_laws,
    normal,
    own_noise,
    play,
    raised_mean,
    random_mean,
    reward_sums,
    rival_walk,
    round_kinds,
    stacks,
    stopping,
    subgaussian,
)
from theory.model.arms import s, s0
from theory.model.functions import Random, _stated, quantity

x, o, g = sp.symbols("x o g")


def made_in(module: str, name: str, tex: str) -> sp.Function:
    """The function that a module of this name makes."""
    scope = {"__name__": module, "quantity": quantity}
    exec(f"f = quantity({name!r}, {tex!r})", scope)
    return scope["f"]


def test_one_name_in_two_modules_is_two_functions():
    first, second = (made_in(module, "S", "S_{{{}}}") for module in ("one", "two"))
    assert first != second
    assert first(x, o) != second(x, o)
    assert first(x, o) == made_in("one", "S", "S_{{{}}}")(x, o)
    assert first(x, o) != sp.Function("S")(x, o)


def test_one_name_in_a_module_is_one_function():
    made_in("three", "S", "S_{{{}}}")
    with pytest.raises(ValueError, match="name='S' is that of another function of three"):
        made_in("three", "S", "T_{{{}}}")


def test_what_is_known_of_one_is_not_known_of_the_other():
    """Both are printed alike; a range of the first does not give one of the second."""
    first, second = (made_in(module, "S", "S_{{{}}}") for module in ("one", "two"))
    domain = {x: real(), o: real(), first(x, o): at_least(0)}
    known = Goal(Rel(first(x, o), ">=", 0), domain, name="by its range")
    assert proof(known).check().verdict == "proved"
    wrong = follows(Rel(second(x, o), ">=", 0), known, domain=domain, name="of the other")
    assert proof(wrong).check().verdict == "open"


@pytest.mark.parametrize(
    ("first", "second"),
    [
        (bounded_play.mu, play.mu),
        (stopping.mu, play.mu),
        (bounded_play.rewards, stacks.noise),
        (follow_up.weights.func, stacks.weights.func),
        (bounded_play.L.func, lockout.TOP.func),
    ],
)
def test_models_share_no_function_by_name(first, second):
    """Each pair has one name; the means of rewards in [0, 1], for instance, are not those of the Gaussian model."""
    assert first.__name__ == second.__name__
    assert first != second


PARAMETERS = {s: 4 * s, s0: s0 / 100, play.K: play.K + 1, play.a: 4 * play.a}


@pytest.mark.parametrize("x", PARAMETERS, ids=str)
def test_a_theorem_is_not_used_at_other_values_of_a_parameter(x):
    """The regret does not show the parameters of the model; its bound does, and falls with sigma_0."""
    load()
    for item in (uses("them-R-Bayes/repaired"), counts.WIDEST, play.CHOICE):
        statement = item.concludes
        if x in statement.symbols:
            other = instance(item, {x: PARAMETERS[x]}, statement.domain, statement.given)
            assert f"{x} is a parameter of the model" in str(proof(other).check().problem)


@pytest.mark.parametrize(
    ("defined", "x"),
    [
        (lockout_laws.MEAN, lockout_laws.x),
        (lockout_laws.MEAN, lockout_laws.th),
        (bounded_play.BEST_MEAN, bounded_play.y),
        (random_mean.SPREAD_OF_COMMON, random_mean.sq),
        (good_pulls.FALLING, good_pulls.zeta),
        (good_pulls.WEIGHTS, good_pulls.rho),
        (good_pulls.FALLING, play.N),
        (rival_walk.LUCKY_WITHIN, play.N),
        (rival_walk.ATTAINED, play.N),
        (rival_walk.NEEDED, rival_walk.zeta),
        (rival_walk.CHANCE, rival_walk.zeta),
        (rival_walk.DEVIATION, rival_walk.rho),
        (bounded_pulls.OTHERS, bounded_pulls.rho),
        (bounded_lines.ABOVE.within_play, bounded_lines.n),
        (round_kinds.GOOD, play.N),
        (stopping.PULLS, play.N),
        (stopping.NOT_LATER, play.N),
        (subgaussian.PROXY, subgaussian.v),
        (subgaussian.ERROR_LAW, subgaussian.n),
        (own_noise.NOISE.averaged, own_noise.n),
        (lockout_laws.EXACT_MEAN, lockout_laws.v),
        (lockout_laws.PEAK_IN_PLAY, play.N),
        (reward_sums.drawn(sp.exp(x * reward_sums.S(g, o)), g, {x: real(), g: at_least(0)}), reward_sums.mu),
        (late_noise.LARGEST, late_noise.J),
        (normal.NORMAL, normal.spread),
        (normal.NORMAL_GIVEN, normal.noise),
        (raised_mean.CENTRE, play.mu0),
    ],
    ids=lambda value: getattr(value, "of", str(value)).replace(" ", "-"),
)
def test_a_definition_is_not_used_at_two_values_of_a_parameter(defined, x):
    """mu_k = x + ... at x and at y would prove that any two numbers are equal; T <= n at n = 1 that T is at most 1."""
    statement, y = defined.concludes, sp.Symbol("another")
    domain = {**statement.domain, y: statement.domain[x]}
    given = tuple(Rel(h.stated[0].xreplace({x: y}), h.op, h.stated[1].xreplace({x: y})) for h in statement.given)
    found = proof(instance(defined, {x: y}, domain, given)).check()
    assert f"{x} is a parameter of the model" in str(found.problem)


def test_a_random_quantity_is_told_from_others_by_its_law():
    """The mean of an arm given its rewards, and given mu_0 too, are printed alike and have two laws."""
    first, second = (Random("x", "theory.model.conditional_laws", density) for density in (sp.exp(-(o**2)), sp.exp(-o)))
    assert first != second
    assert first != sp.Symbol("x")
    assert str(first) == str(second) == "x"
    assert pickle.loads(pickle.dumps(first)) == first == Random(first.name, first.of, first.law)
    load()
    names = ("sec:mu0Dist", "sec:mu0Dist/given-the-mean", "sec:mu0Dist/no-reward/repaired")
    drawn = {x for name in names for goal in conclusions(name) for x in goal.rel.left.atoms(Random)}
    assert len(drawn) == 3  # the law of an arm with rewards is stated twice


def test_a_law_given_what_was_seen_is_not_used_at_other_rewards():
    load()
    law = uses("sec:mu0Dist")
    statement = law.concludes
    for parameter in (s, s0, *(x for x in statement.symbols if str(x) in ("n", "rbar_k", "rbar_0"))):
        other = instance(law, {parameter: parameter + 1}, statement.domain, statement.given)
        assert f"{parameter} is a parameter of the model" in str(proof(other).check().problem)


@pytest.mark.parametrize(
    ("quantity_", "range_", "shown"),
    [
        (play.mu(play.k, play.o), positive(), r"0 < \mu_{k}"),
        (play.PULLED, at_least(5, integer=True), r"5 \le I_{t}"),
        (counts.g(counts.j), at_least(1), r"1 \le g(j)"),
    ],
    ids=["an arm mean", "the pulled arm", "a width"],
)
def test_a_range_that_the_model_does_not_state_is_printed(quantity_, range_, shown):
    """What a quantity is by definition is no part of a statement; what a claim supposes of it is."""
    domain = {**play.ARM, counts.j: play.COUNT, quantity_: range_}
    found = proof(Goal(Rel(quantity_ + 1, ">=", range_.low), domain, name="by its range")).check()
    assert shown in found.statement.split(r"\quad")[0]


def test_a_range_that_the_model_states_is_not_printed():
    width = play.tau(play.k, play.t, play.o)
    found = proof(Goal(Rel(width + 1, ">=", 0), play.ARM, name="a width")).check()
    assert found.verdict == "proved"
    assert r"0 \le \tau" not in found.statement


ROUNDS_PLAYED = stopping.NOT_LATER.concludes
STAGE = ROUNDS_PLAYED.rel.stated[0]


def test_what_depends_on_a_parameter_is_no_constant():
    """The stage at which a play stops depends on its number N of rounds, and is printed without it."""
    N, M = play.N, sp.Symbol("M")
    slope = Goal(Rel(sp.Derivative(STAGE + N, N), "=", 1), {**ROUNDS_PLAYED.domain, N: positive()}, name="a slope")
    assert proof(slope).check().verdict == "open"
    limit = Limit(STAGE / N, N, sp.Integer(0), {N: positive(), o: positive()})
    assert "N is a parameter of the model" in str(proof(limit).check().problem)
    total = SumOver(stopping.NOT_LATER, N, sp.Integer(1), M, {**ROUNDS_PLAYED.domain, M: at_least(1, integer=True)})
    assert total.concludes.rel.stated[0] == sp.Sum(STAGE, (N, 1, M))
    one = Goal(Rel(sp.Integer(1), "<=", 1 + N - N), {N: at_least(1)}, name="a term")
    telescoping = Telescoping(one, STAGE + N, N, sp.Integer(1), M, {M: at_least(1, integer=True), o: real()})
    picked = Picked(
        STAGE, N, M, sp.Integer(1), x, {M: at_least(1, integer=True), x: at_least(1, integer=True), o: real()}
    )
    for item in (telescoping, picked):
        assert "N is a parameter of the model" in str(proof(item).check().problem)
    steps = Induction(Rel(STAGE, "<=", STAGE + N), N, sp.Integer(0), ROUNDS_PLAYED.domain)
    assert "N is a parameter of the model" in str(proof(steps).check().problem)


@pytest.mark.xdist_group("ledger")  # every claim is built there
def test_the_models_state_one_range_of_a_function():
    """A range that a model states is not printed; a second, smaller one would be supposed unseen."""
    claims = load()
    for claim in claims.values():
        claim.argument  # imports all models  # noqa: B018
    assert {f: found for f, found in _stated(len(sys.modules)).items() if len(found) > 1} == {}


def test_no_two_modules_define_one_quantity_with_parameters_that_are_not_the_same():
    """Widths in rho would contradict those in sigma^2 and sigma_0^2: those of bounded rewards are other functions."""
    assert play.tau != bounded_play.tau
    assert play.muhat != bounded_play.muhat
    assert {bounded_pulls.WIDTH.world, bounded_pulls.PREDICTION.world} == {bounded_pulls.BOUNDED}
