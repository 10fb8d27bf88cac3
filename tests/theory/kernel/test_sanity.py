"""Goals whose proof would be worthless are turned down, whatever the engines say of them."""

import sympy as sp

from theory.kernel.argument import Words, proof
from theory.kernel.goal import Goal, Rel, at_least, positive
from theory.kernel.prove import proved
from theory.kernel.sanity import objections
from theory.kernel.sources import whole
from theory.model.arms import J, arm_goal, beta, n, s, tau_sq, tau_tilde_sq

x, y = sp.symbols("x y")
SOUND = Goal(Rel(x, "<", x + y), {x: positive(), y: positive()})


def test_hypotheses_that_no_point_meets():
    vacuous = Goal(Rel(x, "<", 0), {x: positive()}, given=(Rel(x, "<=", 0),))
    assert proved(vacuous)  # both engines prove anything from inconsistent hypotheses
    assert objections(vacuous)
    assert not proof(SOUND, vacuous).check().ok


def test_a_denominator_that_may_vanish():
    assert objections(Goal(Rel((x**2 + x) / x, ">", 0), {x: at_least(0)}))
    assert not objections(Goal(Rel((x**2 + x) / x, ">", 0), {x: positive()}))
    assert not objections(Goal(Rel(1 / (y - x), ">", 0), {x: positive(), y: positive()}, given=(Rel(x, "<", y),)))


def test_definitions_and_words_alone_prove_nothing():
    same = Goal(Rel(x + 1, "=", 1 + x), {x: positive()})
    assert not proof(Words("P = NP"), same).check().ok
    assert proof(Words("and so on"), same, SOUND).check().ok


def test_sound_goals_meet_no_objection():
    assert not objections(SOUND)
    assert not objections(arm_goal(tau_sq, "<=", tau_tilde_sq * beta))


def test_dropped_hypotheses_are_among_the_mutants():
    names = [m.name for m in proof(arm_goal(tau_sq, "<=", tau_tilde_sq * beta)).check().mutants]
    assert "hypothesis dropped: every arm was pulled" in names
    strict = arm_goal(tau_sq, "<", s / n, extra={J: at_least(1, integer=True)})
    assert "hypothesis dropped: J >= 1" in [m.name for m in proof(strict).check().mutants]


def test_integers_are_sums_of_integers_between_integers():
    i, f = sp.Symbol("i"), sp.Function("f")
    domain = {x: at_least(1, integer=True), i: at_least(1, integer=True), f(i): at_least(0, integer=True)}
    here = Goal(Rel(x, ">=", 1), domain)
    total = sp.Sum(f(i), (i, 1, x))
    assert all(whole(e, here) for e in (total, x - 2 * total, sp.Sum(total, (i, 1, x))))
    # the last one has an index that is bound and free: its terms cancel, the sum does not
    assert not any(whole(e, here) for e in (sp.Sum(f(i) / 2, (i, 1, x)), sp.Sum(f(i), (i, 1, x / 2)), total / f(i)))
