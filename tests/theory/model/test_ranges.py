"""Ranges that the domains of a play state: each follows from what the quantity is defined to be.

A domain says that a weight is in (0, 1), a count at least 1, a sum of weights positive. Here these ranges are derived
from the definitions, in domains from which they were taken out.
"""

import importlib
import pkgutil
from collections.abc import Callable, Mapping
from dataclasses import replace

import pytest
import sympy as sp
from sympy.core.function import AppliedUndef, UndefinedFunction

import theory.model
from theory.kernel.argument import Item, proof
from theory.kernel.goal import Goal, Rel, Var, at_least, positive, real
from theory.kernel.rules import (
    Among,
    Definition,
    Expectation,
    Indicates,
    Induction,
    IntegralOf,
    NextInteger,
    Rescaled,
    Restricted,
    Rises,
    SplitSum,
    SumOver,
    applied,
    congruent,
    equals,
    follows,
    instance,
)
from theory.kernel.terms import Event, Mean
from theory.ledger import load
from theory.model import (
    bounded_play,
    counts,
    follow_up,
    good_pulls,
    joint_errors,
    play,
    pull_order,
    pull_sums,
    rival_walk,
    round_errors,
    stacks,
)
from theory.model.any_choices import u as round_
from theory.model.arms import s, s0, weight
from theory.model.counts import G, ell, j
from theory.model.normal import phi, upper
from theory.model.play import COUNT, LATER, PULLED, K, N, another, count, i, k, o, others, t
from theory.model.round_errors import d, e
from theory.model.round_kinds import Lam
from theory.model.stacks import shrinkage, weights
from theory.model.standard_normals import by_density, z1
from theory.ours.remaining_arms import all_masks

x, y, z, n, p = sp.symbols("x y z n p")
ZERO, ONE = sp.Integer(0), sp.Integer(1)
WEIGHTS = {n: COUNT, s: positive(), s0: positive()}
AN_ARM = Rel(k, "<=", K)
CHANCE = rival_walk.chance(k, j, t, d, e)


@pytest.fixture(autouse=True)
def _claims() -> None:
    load()  # claims that the proofs use


def without(domain: dict, *quantities: sp.Expr) -> dict:
    """A domain that says nothing of these quantities."""
    functions = {q.func for q in quantities}
    return {a: var for a, var in domain.items() if a.is_Symbol or a.func not in functions}


def loose(defined: Definition, *quantities: sp.Expr) -> Definition:
    """A definition that supposes nothing of these quantities."""
    return Definition(defined.of, replace(defined.gives, domain=without(defined.gives.domain, *quantities)))


def weight_of_an_arm(rel: Callable[[sp.Expr], Rel]) -> Item:
    domain, own = without({**stacks.ARM}, shrinkage(k, t, o), weights), shrinkage(k, t, o)
    plain = Goal(rel(weight(n)), WEIGHTS, name="a weight")
    at = instance(plain, {n: count(k, t, o)}, domain, name="a weight in round t")
    defined = loose(stacks.WEIGHT, own, weights)
    return follows(rel(own), defined, at, domain=domain, given=(LATER,), name="a weight")


def all_weights() -> Item:
    domain = without({**stacks.ARM, i: COUNT}, shrinkage(k, t, o), weights)
    least = weight_of_an_arm(lambda w: Rel(w, ">=", s0 / (s0 + s)))
    one = instance(least, {k: i}, domain, (LATER,), name="a weight")
    rest = {a: var for a, var in domain.items() if a not in (i, k)}
    total = SumOver(one, i, ONE, K, rest, given=(LATER,), name="all weights")
    defined = loose(stacks.ALL_WEIGHTS, shrinkage(k, t, o), weights)
    return follows(Rel(weights, ">", 0), total, defined, domain=rest, given=(LATER,), name="all weights")


def weight_given_differences(rel: Callable[[sp.Expr], Rel]) -> Item:
    own = joint_errors.share(k, t, d)
    domain = without({**joint_errors.JOINT, k: COUNT}, own, joint_errors.total)
    at = instance(Goal(rel(weight(n)), WEIGHTS, name="a weight"), {n: count(k, t, d)}, domain, name="in round t")
    defined = loose(joint_errors.WEIGHT, own, joint_errors.total)
    return follows(rel(own), defined, at, domain=domain, given=(LATER,), name="a weight")


def all_weights_given_differences() -> Item:
    own, total = joint_errors.share(k, t, d), joint_errors.total
    rest = without(joint_errors.JOINT, own, total)
    rest = {a: var for a, var in rest.items() if a not in (i, k)}
    least = weight_given_differences(lambda w: Rel(w, ">=", s0 / (s0 + s)))
    one = instance(least, {k: i}, {**rest, i: COUNT}, (LATER,), name="a weight")
    summed = SumOver(one, i, ONE, K, rest, given=(LATER,), name="all weights")
    defined = loose(joint_errors.TOTAL, own, total)
    return follows(Rel(total, ">", 0), summed, defined, domain=rest, given=(LATER,), name="all weights")


def weights_in_follow_up() -> Item:
    shares = follow_up.rest(k, t, o), follow_up.weights
    domain = without({**follow_up.SIZES}, *shares)
    least = Goal(Rel(1 - s / (n * s0 + s), ">=", s0 / (s0 + s)), WEIGHTS, name="a weight")
    at = instance(least, {n: count(k, t, o)}, domain, name="a weight in round t")
    share = Rel(1 - shares[0], ">=", s0 / (s0 + s))
    one = follows(share, loose(follow_up.WEIGHT, *shares), at, domain=domain, given=(LATER,), name="a weight")
    rest = {a: var for a, var in domain.items() if a != k}
    total = SumOver(one, k, ONE, K, rest, given=(LATER,), name="all weights")
    defined = loose(follow_up.ALL_WEIGHTS, *shares)
    return follows(Rel(shares[1], ">", 0), total, defined, domain=rest, given=(LATER,), name="all weights")


def weights_in_good_pulls() -> Item:
    left_out, rho = good_pulls.weights, good_pulls.rho
    domain = without(good_pulls.FREE, left_out)
    low = Goal(Rel(n / (n + rho), ">=", 0), {n: COUNT, rho: positive()}, name="a weight")
    pulls = count(another(i, good_pulls.CHOSEN, good_pulls.d), t, good_pulls.d)
    one = instance(low, {n: pulls}, domain, name="a weight in round t")
    rest = {a: var for a, var in domain.items() if a != i}
    total = SumOver(one, i, ONE, K - 1, rest, name="the other arms")
    defined = loose(good_pulls.WEIGHTS, left_out)
    return follows(Rel(left_out, ">=", 0), total, defined, domain=rest, given=(LATER,), name="the other arms")


def weights_of_the_others() -> Item:
    domain = {**play.ARM, i: COUNT}
    low = Goal(Rel(weight(n), ">=", 0), WEIGHTS, name="a weight")
    one = instance(low, {n: count(another(i, k, o), t, o)}, domain, name="a weight in round t")
    rest = {a: var for a, var in domain.items() if a != i}
    total = SumOver(one, i, ONE, K - 1, rest, name="the other arms")
    return follows(Rel(others(k, t, o), ">=", 0), total, play.OTHER_ARMS, domain=rest, given=(LATER,), name="others")


def one_reward_each() -> Item:
    """Arm k is pulled in round k, so before a round t > K it has a reward."""
    domain, given = without(play.ARM, count(k, t, o)), (LATER, AN_ARM)
    pull = equals(PULLED.xreplace({t: round_}), k)
    one_of = Among(pull, round_, n, ONE, t - 1, {**domain, n: COUNT}, name="one of the rounds")
    early = NextInteger(t, K, domain, "round K was before")
    here = applied(one_of, {n: k}, early, domain=domain, given=given, name="round k")
    turn = instance(loose(play.IN_TURN, count(k, t, o)), {t: k}, domain, (AN_ARM,), name="round k pulls arm k")
    met = congruent(equals(x, k), x, turn, domain, (AN_ARM,), name="it does")
    sure = follows(Rel(Event(ZERO, 0), "=", 1), Indicates(ZERO, {}, integer=True), domain={}, name="0 >= 0")
    own = loose(pull_order.OWN_COUNT, count(k, t, o))
    return follows(Rel(count(k, t, o), ">=", 1), here, met, sure, own, domain=domain, given=given, name="one reward")


def ratio_of_logarithms() -> Item:
    free = {x: at_least(0), p: positive()}
    rises = Rises(sp.log(1 + p * (1 + x)) - sp.log(1 + p), x, ZERO, free, "logarithms rise")
    domain = without({**counts.PULLS, N: COUNT}, G(N))
    here = instance(rises, {x: N - 1, p: s0 / s}, domain, name="n rounds")
    defined = [instance(loose(counts.ELL, G(N)), {j: number}, domain) for number in (ONE, N)]
    numbers = {**dict.fromkeys((n, t, y, z), real()), p: positive()}
    known = (Rel(p, "=", n), Rel(t, "=", y), Rel(y - n, ">=", 0), Rel(z, "=", t / p))
    least = Goal(Rel(z, ">=", 1), numbers, known, "a ratio")
    at = {p: ell(ONE), t: ell(N), n: sp.log(1 + s0 / s), y: sp.log(1 + N * s0 / s), z: G(N)}
    return applied(least, at, *defined, here, loose(counts.RATIO, G(N)), domain=domain, name="G >= 1")


def a_logarithm() -> Item:
    domain = without({**counts.PULLS, j: COUNT}, ell(j), G(N))
    rises = Rises(sp.log(1 + x), x, ZERO, {x: positive()}, "log(1 + x)", strict=True)
    here = instance(rises, {x: j * s0 / s}, domain, name="a logarithm")
    return follows(Rel(ell(j), ">", 0), here, loose(counts.ELL, ell(j), G(N)), domain=domain, name="ell > 0")


def squares_of_noise() -> Item:
    domain, left_out = without(pull_sums.PLAYED, pull_sums.squares(t, o)), pull_sums.squares(t, o)
    first, next_ = (loose(made[pull_sums.squares], left_out) for made in (pull_sums.FIRST, pull_sums.NEXT))
    more = Goal(Rel(z * x**2, ">=", 0), {x: real(), z: at_least(0)}, name="a square", squares=(x,))
    added = instance(more, {z: pull_sums.pull(t, o), x: pull_sums.fresh(t, o)}, domain, name="a square")
    rest = {a: var for a, var in domain.items() if a != t}
    return Induction(Rel(left_out, ">=", 0), t, ONE, rest, lemmas=(next_, added), first=(first,), name="squares")


def a_product_of_indicators(rel: Callable[[sp.Expr], Rel]) -> Item:
    """Whether a remaining arm is pulled: 1 if it is neither arm k nor its rival."""
    left_out = rival_walk.move
    domain, unit = without(rival_walk.WALK, left_out), dict.fromkeys((x, y), rival_walk.UNIT)
    both = Goal(rel((1 - x) * (1 - y)), unit, name="both indicators")
    at = {x: equals(k, rival_walk.CHOSEN), y: equals(rival_walk.RIVAL, rival_walk.CHOSEN)}
    here = instance(both, at, domain, name="both indicators")
    return follows(rel(left_out), here, loose(rival_walk.MOVES, left_out), domain=domain, given=(LATER,), name="moves")


def gap_and_price() -> Item:
    left_out, gap = rival_walk.worth, rival_walk.TOP - rival_walk.OWN
    domain = without(rival_walk.WALK, left_out)
    price = Goal(Rel(x * y, ">=", 0), {x: at_least(0), y: rival_walk.UNIT}, name="the price, if it is paid")
    paid = instance(price, {x: Lam(j), y: Event(gap, 0)}, domain, name="the price, if it is paid")
    parts = Indicates(gap, domain, part=True), paid, loose(rival_walk.WORTH, left_out)
    return follows(Rel(left_out, ">=", 0), *parts, domain=domain, name="gap and price")


def a_chance(rel: Callable[[sp.Expr], Rel]) -> Item:
    left_out = CHANCE
    domain, happens = without(rival_walk.WALK, left_out), rival_walk.NOW_REACHED
    mean = Expectation(Goal(rel(happens), domain, name="an indicator"), (rival_walk.o,))
    parts = mean, loose(rival_walk.CHANCE, left_out)
    return follows(rel(left_out), *parts, domain=domain, given=(LATER,), name="a chance")


def square_of_deviation() -> Item:
    left_out = rival_walk.dev
    domain = without(rival_walk.WALK, left_out)
    share = Goal(Rel(p / (n + p), ">", 0), {p: positive(), n: COUNT}, name="a share of the variance")
    here = instance(share, {p: rival_walk.rho, n: rival_walk.PULLS}, domain, name="a share of the variance")
    parts = here, loose(rival_walk.DEVIATION, left_out)
    return follows(Rel(left_out**2, ">", 0), *parts, domain=domain, given=(LATER,), name="a deviation")


def below_a_number() -> Item:
    """P(z_1 <= x) = 1 - Q(x) > 0."""
    free = {x: real(), z1: real()}
    line = {**free, y: real()}
    density = by_density(Event(x - z1, 0), z1, y, free)
    cut = Restricted(phi(y), y, x, -sp.oo, sp.oo, free, above=False, strict=False, name="up to x")
    part = IntegralOf(phi(y), -upper(y), y, -sp.oo, x, line, (-ONE, None), "the area up to x")
    some = Goal(Rel(1 - upper(x), ">", 0), free, name="1 - Q > 0")
    return follows(Rel(Mean(Event(x - z1, 0), z1), ">", 0), density, cut, part, some, domain=free, name="a chance")


def kept(left_out: sp.Expr, defined: Definition, scale: sp.Expr, *given: Rel) -> Item:
    """P(c - scale z_1 >= 0) > 0, where scale > 0."""
    domain = without(rival_walk.WALK, left_out)
    (event,) = defined.gives.rel.right.args[0].atoms(Event)
    bar = (event.args[0] + scale * z1) / scale
    units = Expectation(Rescaled(bar - z1, scale, domain, name="in units of the deviation"), (z1,))
    some = instance(below_a_number(), {x: bar}, domain, given, name="a chance")
    parts = units, some, loose(defined, left_out)
    return follows(Rel(left_out, ">", 0), *parts, domain=domain, given=given, name="a chance")


def arms_to_come() -> Item:
    """K - 2 arms are remaining ones, and those up to arm m are not to come."""
    left_out, m = rival_walk.ahead(k, rival_walk.m, d, e), rival_walk.m
    domain = without(rival_walk.WALK, left_out)
    rest, mask = {a: var for a, var in domain.items() if a != m}, rival_walk.mask
    to_come = Induction(
        Rel(left_out, "=", K - 2 - sp.Sum(mask(i), (i, 1, m))),
        *(m, ZERO, rest, (AN_ARM,)),
        lemmas=(loose(rival_walk.NEXT_AHEAD, left_out),),
        first=(loose(rival_walk.ALL_AHEAD, left_out),),
        until=K,
        name="to come",
    )
    bits = Goal(Rel((1 - x) * (1 - y), ">=", 0), dict.fromkeys((x, y), rival_walk.UNIT), name="an arm")
    one = instance(bits, {x: equals(k, i), y: equals(rival_walk.RIVAL, i)}, {**domain, i: COUNT}, name="an arm")
    within = Rel(m, "<=", K)
    later = SumOver(one, i, m + 1, K, domain, given=(within,), name="later arms")
    split = SplitSum(mask(i), i, ONE, m, K, domain, (within,), "up to arm m, and later")
    given = (AN_ARM, within)
    parts = to_come, later, split, all_masks()
    return follows(Rel(left_out, ">=", 0), *parts, domain=domain, given=given, name="arms to come")


def length_of_a_layer() -> Item:
    left_out = bounded_play.L
    domain = without(bounded_play.PLAY, left_out)
    parts = loose(bounded_play.EDGES, left_out), loose(bounded_play.LENGTH, left_out)
    return follows(Rel(left_out, ">=", 0), *parts, domain=domain, name="a length")


def whether_a_count_is_met() -> Item:
    left_out = counts.met(t, j, o)
    domain = without({**counts.PULLS, j: COUNT}, left_out)
    return follows(Rel(left_out, ">=", 0), loose(counts.MET, left_out), domain=domain, given=(LATER,), name="met")


def what_a_weight_leaves() -> Item:
    left_out = follow_up.rest(k, t, o)
    domain = without(follow_up.SIZES, left_out)
    some = Goal(Rel(s / (n * s0 + s), ">", 0), WEIGHTS, name="1 - w")
    here = instance(some, {n: count(k, t, o)}, domain, name="1 - w in round t")
    defined = loose(follow_up.WEIGHT, left_out)
    return follows(Rel(left_out, ">", 0), here, defined, domain=domain, given=(LATER,), name="1 - w")


def widest_interval() -> Item:
    left_out = round_errors.widest
    domain = without(round_errors.ARM, left_out)
    defined = loose(round_errors.ONE_OF_THEM, left_out)
    return follows(Rel(left_out, ">=", 0), defined, domain=domain, given=(LATER,), name="the widest interval")


RANGES: dict[str, tuple[Callable[[], Item], sp.Expr, dict, Var]] = {
    "a weight is positive": (
        lambda: weight_of_an_arm(lambda w: Rel(w, ">", 0)), shrinkage(k, t, o), stacks.STACKS, positive(),
    ),
    "a weight is at most 1": (
        lambda: weight_of_an_arm(lambda w: Rel(w, "<=", 1)), shrinkage(k, t, o), stacks.STACKS, Var(high=ONE),
    ),
    "a weight given the differences is positive": (
        lambda: weight_given_differences(lambda w: Rel(w, ">", 0)),
        joint_errors.share(k, t, d), joint_errors.JOINT, positive(),
    ),
    "a weight given the differences is at most 1": (
        lambda: weight_given_differences(lambda w: Rel(w, "<=", 1)),
        joint_errors.share(k, t, d), joint_errors.JOINT, Var(high=ONE),
    ),
    "the sum of all weights given the differences": (
        all_weights_given_differences, joint_errors.total, joint_errors.JOINT, positive(),
    ),
    "the sum of all weights is positive": (all_weights, weights, stacks.STACKS, positive()),
    "the sum of the other weights": (weights_of_the_others, others(k, t, o), play.PLAY, at_least(0)),
    "the sum of all weights in follow-up rounds": (
        weights_in_follow_up, follow_up.weights, follow_up.SIZES, positive(),
    ),
    "the sum of the other weights in good pulls": (
        weights_in_good_pulls, good_pulls.weights, good_pulls.PULL, at_least(0),
    ),
    "every arm has a reward": (one_reward_each, count(k, t, o), play.PLAY, at_least(1)),
    "G is at least 1": (ratio_of_logarithms, G(N), counts.PULLS, at_least(1)),
    "ell is positive": (a_logarithm, ell(j), counts.PULLS, positive()),
    "whether a remaining arm is pulled is at least 0": (
        lambda: a_product_of_indicators(lambda bit: Rel(bit, ">=", 0)),
        rival_walk.move, rival_walk.WALK, at_least(0),
    ),
    "whether a remaining arm is pulled is at most 1": (
        lambda: a_product_of_indicators(lambda bit: Rel(bit, "<=", 1)),
        rival_walk.move, rival_walk.WALK, Var(high=ONE),
    ),
    "gap and price": (gap_and_price, rival_walk.worth, rival_walk.WALK, at_least(0)),
    "a chance is at least 0": (
        lambda: a_chance(lambda mean: Rel(mean, ">=", 0)), CHANCE, rival_walk.WALK, at_least(0),
    ),
    "a chance is at most 1": (
        lambda: a_chance(lambda mean: Rel(mean, "<=", 1)), CHANCE, rival_walk.WALK, Var(high=ONE),
    ),
    "the square of a deviation": (square_of_deviation, rival_walk.dev**2, {}, positive()),
    "the chance that a mean is kept": (
        lambda: kept(rival_walk.kept, rival_walk.KEPT, rival_walk.dev, LATER),
        rival_walk.kept, rival_walk.WALK, positive(),
    ),
    "the chance that a first mean is kept": (
        lambda: kept(rival_walk.kept_first, rival_walk.KEPT_FIRST, ONE),
        rival_walk.kept_first, rival_walk.WALK, positive(),
    ),
    "the remaining arms to come": (
        arms_to_come, rival_walk.ahead(k, rival_walk.m, d, e), rival_walk.WALK, at_least(0),
    ),
    "the length of a layer": (length_of_a_layer, bounded_play.L, bounded_play.PLAY, at_least(0)),
    "whether a count is met": (whether_a_count_is_met, counts.met(t, j, o), counts.PULLS, at_least(0)),
    "what a weight leaves": (what_a_weight_leaves, follow_up.rest(k, t, o), follow_up.SIZES, positive()),
    "the widest interval": (widest_interval, round_errors.widest, round_errors.ARM, at_least(0)),
    "a sum of squares": (squares_of_noise, pull_sums.squares(t, o), pull_sums.PLAYED, at_least(0)),
}  # fmt: skip


# Ranges of random quantities, but for integers, that are not derived above, and why they are true in every world.
ROOT, CHOSEN, SUM = "the root that is not negative", "any such number", "a sum of such numbers"
CONVENTIONS = {
    **dict.fromkeys(("play.tau", "bounded_play.tau", "index_play.taux", "known_play.tautilde"), ROOT),
    **dict.fromkeys(("stacks.centre", "stacks.swing", "rival_walk.deviation"), ROOT),
    **dict.fromkeys(("bounded_lines.lambda_good", "bounded_lines.lambda_bad", "bounded_lines.weight"), CHOSEN),
    **dict.fromkeys(("bounded_pulls.V", "index_play.W_othersx", "index_play.Wx"), SUM),
    **dict.fromkeys(("bounded_pulls.v_least", "bounded_pulls.v_most"), "above a sum of weights"),
    **dict.fromkeys(("bounded_play.length", "bounded_play.ell"), "a part of a layer"),
    **dict.fromkeys(("histories.choice", "histories.reward density"), "a density"),
    "bounded_pulls.w_least": "a weight",
    "late_noise.Y": "the largest of 0 and other numbers",
    "reward_sums.r": "the module is about rewards in [0, 1] only",
    "round_kinds.above line": "the path starts at 0",
    "stopping.D": "the lead of the larger one of two numbers",
}


def name_of(function: UndefinedFunction) -> str:
    """Its module and its name."""
    return f"{function._kwargs['of'].rpartition('.')[2]}.{function.__name__}"


def test_every_range_of_a_random_quantity_is_derived_or_a_convention() -> None:
    """Not that arm means lie in [0, 1], for instance, which is false of normal ones."""
    modules = [importlib.import_module(f"theory.model.{m.name}") for m in pkgutil.iter_modules(theory.model.__path__)]
    domains = [x_ for module in modules for x_ in vars(module).values() if isinstance(x_, Mapping)]
    stated = {
        name_of(term.func)
        for domain in domains
        for term, var in domain.items()
        if getattr(getattr(term, "func", None), "of_outcome", 0) and isinstance(term, AppliedUndef)
        if isinstance(var, Var) and not var.integer and var != Var()
    }
    derived = {name_of(q.func) for _, q, *_ in RANGES.values() if isinstance(q, AppliedUndef)}
    assert stated - derived == set(CONVENTIONS)


@pytest.mark.parametrize("name", RANGES)
def test_the_range_follows_from_the_definition(name: str) -> None:
    derive, quantity, domain, _ = RANGES[name]
    found = proof(derive()).check()
    assert found.verdict == "proved", found.problem
    assert found.assumes == ()
    stated = replace(domain.get(quantity, Var()), integer=False)
    ends = [var for _, x_, of, var in RANGES.values() if x_ == quantity and of is domain]  # derived one by one
    low = next((var for var in ends if var.low is not None), Var())
    high = next((var.high for var in ends if var.high is not None), None)
    assert replace(low, high=high).within(stated)  # the domain says no more than that


def test_a_range_that_does_not_follow_is_not_derived() -> None:
    assert proof(weight_of_an_arm(lambda w: Rel(w, ">=", sp.Rational(1, 2)))).check().verdict == "open"
