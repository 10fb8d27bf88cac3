"""The printed statement leaves nothing out and has one reading; goals whose proof would be worthless are refused."""

import pytest
import sympy as sp

from theory.kernel import statement
from theory.kernel.argument import Words, proof, step
from theory.kernel.goal import Goal, Letter, Rel, Var, at_least, positive, real
from theory.kernel.mutate import few_mutants, variants, without_a_hypothesis
from theory.kernel.prove import proved
from theory.kernel.reader import reader
from theory.kernel.rules import chain, equals
from theory.kernel.sanity import objections
from theory.kernel.sources import whole
from theory.kernel.terms import Event
from theory.model.arms import J, Wo, arm_goal, beta, n, s, tau_sq, tau_tilde_sq, w_k
from theory.model.functions import quantity
from theory.model.quantities import W_K

# The printed statement: nothing of the goal is left out, and no mutant is printed as the goal is.

x, y, z = sp.symbols("x y z")
GOALS = [
    Goal(Rel(x / (x + y), "<", 1), {x: positive(), y: positive()}),
    Goal(Rel(x, "<=", z), dict.fromkeys((x, y, z), real()), (Rel(x, "<=", y), Rel(y, "<=", z))),
    Goal(Rel(sp.Derivative(sp.log(x), x), "=", 1 / x), {x: positive()}),
    Goal(Rel(x, "<=", 1), {x: Var(sp.Integer(0), high=sp.Integer(1))}),
    arm_goal(tau_sq, "<=", tau_tilde_sq * beta),
    arm_goal(tau_sq, "<", s / n, extra={J: at_least(1, integer=True)}),
]


@pytest.mark.parametrize("goal", GOALS, ids=str)
@pytest.mark.parametrize("printed", [statement.text, statement.latex])
def test_no_variant_is_printed_as_the_goal_is(goal, printed):
    others = [*variants(goal), *(wider for wider, _ in without_a_hypothesis(goal))]
    assert len(others) >= 4
    for v in others:
        same = (v.rel, v.domain, v.hypotheses) == (goal.rel, goal.domain, goal.hypotheses)
        assert same or printed(v) != printed(goal)


def test_domain_hypotheses_and_conclusion_are_all_there():
    goal = Goal(
        Rel(x, "<=", z),
        {x: at_least(1, integer=True), y: real(), z: Var(sp.Integer(0), high=sp.Integer(9))},
        (Rel(x, "<=", y), Rel(y, "<=", z)),
    )
    assert statement.text(goal) == "for x an integer >= 1, y real, z real >= 0, <= 9: if x <= y; y <= z: x <= z"
    assert statement.latex(goal) == (
        r"1 \le x,\ x\in\mathbb{Z},\ y\in\mathbb{R},\ 0 \le z \le 9:\quad \text{if}\ x \le y,\ y \le z:\quad x \le z"
    )


def test_letters_of_the_model_and_abbreviations_with_their_definitions():
    goal = arm_goal(tau_sq, "<=", tau_tilde_sq * beta)
    printed = statement.latex(goal)
    assert r"\tau_{k}^{2} \le \tilde{\tau}_{k}^{2} \left(1 + \frac{\sigma^{2}}{K \sigma_{0}^{2}}\right)" in printed
    assert r"w_{k} = \frac{n_{k} \sigma_{0}^{2}}{n_{k} \sigma_{0}^{2} + \sigma^{2}}" in printed
    assert statement.legend([goal])[r"\sigma_{0}^{2}"] == "variance of the arm means"
    assert Wo in goal.symbols


def test_the_indicator_of_an_equation_is_printed_as_one():
    shown = {equals(x, y): "x = y", equals(x, y + 1): "x = y + 1", Event(-(x**2) + y, 0): "-x^2 + y >= 0"}
    shown |= {Event(-(x**2), 1): "-x^2 > 0", equals(x, sp.Integer(0)): "x = 0"}
    for event, text in shown.items():
        goal = Goal(Rel(event, "<=", z), dict.fromkeys((x, y, z), real()))
        assert f"1{{{text}}} <= z" in statement.text(goal)
    goal = Goal(Rel(equals(x, y), "<=", z), dict.fromkeys((x, y, z), real()))
    assert r"\mathbf{1}\left\{x = y\right\} \le z" in statement.latex(goal)


def test_a_letter_that_would_clash_is_not_used():
    K = sp.Symbol("K")
    goal = Goal(Rel(J, "<=", K), {J: at_least(0), K: at_least(0)}, letters={J: Letter(K - 1)})
    assert statement.text(goal) == "for J real >= 0, K real >= 0: J <= K"


def test_conclusions_that_share_their_domain_are_printed_together():
    found = proof(GOALS[0], Goal(Rel(y / (x + y), "<", 1), {x: positive(), y: positive()})).check()
    assert found.statement == r"0 < x,\ 0 < y:\quad \frac{x}{x + y} < 1;\ \frac{y}{x + y} < 1"


# Goals whose proof would be worthless are refused, even if the engines prove them.

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


def test_a_step_has_fewer_mutants_and_may_suppose_more_than_it_needs():
    positive_x = {x: positive()}
    goal = Goal(Rel(x, "<", x**2), positive_x, (Rel(x, ">", 1),), "a square")
    stated = [m.name for m in proof(goal).check().mutants]
    after = chain(goal, Goal(Rel(x**2, "<", x**2 + 1), positive_x, name="more"), name="both")
    found = proof(after).check()
    assert found.verdict == "proved"
    assert all(m.killed for m in found.mutants)
    assert len(stated) == 4
    assert "hypothesis dropped: x > 1" in stated
    assert len(few_mutants(goal)) == 2
    assert not any(m.name.startswith("hypothesis dropped") for m in few_mutants(goal))


def test_a_step_without_two_false_variants_is_rejected():
    vague = Goal(Rel(x, ">=", -(10**9)), {x: positive()}, name="vague")  # true and weak: so are most of its mutants
    found = proof(step(vague), SOUND).check()
    assert found.verdict == "open"
    assert "vague: 1 mutants were found, 2 are needed" in found.problem


def test_integers_are_sums_of_integers_between_integers():
    i, f = sp.Symbol("i"), sp.Function("f")
    domain = {x: at_least(1, integer=True), i: at_least(1, integer=True), f(i): at_least(0, integer=True)}
    here = Goal(Rel(x, ">=", 1), domain)
    total = sp.Sum(f(i), (i, 1, x))
    assert all(whole(e, here) for e in (total, x - 2 * total, sp.Sum(total, (i, 1, x))))
    # the last one has an index that is bound and free: its terms cancel, the sum does not
    assert not any(whole(e, here) for e in (sp.Sum(f(i) / 2, (i, 1, x)), sp.Sum(f(i), (i, 1, x / 2)), total / f(i)))


def test_a_derivative_at_a_point_is_printed_with_its_own_variable():
    for x in sp.symbols("x z"):  # SymPy calls the two equal
        slope = sp.Subs(sp.Derivative(sp.exp(-x), x), x, 0)
        assert statement.text(Goal(Rel(slope, "<", 0))) == f"Subs(Derivative(exp(-{x}), {x}), {x}, 0) < 0"


i, j, k, K, N, o, p = sp.symbols("i j k K N o p")
f = sp.Function("f")
R, COUNT = real(), at_least(1, integer=True)
UNIT, ABOVE = Var(sp.Integer(0), high=sp.Integer(1)), Var(sp.Integer(2), high=sp.Integer(3))
other, dummy = sp.Symbol("i", integer=True), sp.Dummy("i")
X = quantity("X", "X_{{{}}}")

ALIKE = {
    "two symbols, one of them an index": Goal(
        Rel(sp.Sum(other, (i, 1, N)), "=", N * other), {N: COUNT, other: Var(integer=True)}
    ),
    "a dummy": Goal(
        Rel(sp.Sum(f(dummy) * i, (dummy, 1, N)), "=", i * sp.Sum(f(dummy), (dummy, 1, N))), {N: COUNT, i: R}
    ),
    "two letters": Goal(Rel(x, "<", y), {x: UNIT, y: ABOVE}, letters={x: Letter(z), y: Letter(z)}),
    "a letter that is an index": Goal(
        Rel(sp.Sum(N * f(i), (i, 1, 3)), "=", N * sp.Sum(f(i), (i, 1, 3))), {N: R}, letters={N: Letter(i)}
    ),
    "a letter and a quantity": arm_goal(W_K, "<", w_k, extra={w_k: ABOVE}, name="a weight"),
    "two outcomes": Goal(Rel(X(k, o) ** 2 + X(k, p) ** 2, ">=", 2 * X(k, o) * X(k, p)), dict.fromkeys((k, o, p), R)),
    "indices": Goal(Rel(sp.Symbol("x1"), "<", sp.Symbol("x_1")), {sp.Symbol("x1"): UNIT, sp.Symbol("x_1"): ABOVE}),
}


@pytest.mark.parametrize("goal", ALIKE.values(), ids=ALIKE)
def test_different_things_are_not_printed_alike(goal):
    """Each is true, and would be read as what is false or says nothing: sum_{i=1}^N i = N i, z < z."""
    found = proof(goal).check()
    assert found.verdict == "open"
    assert "is printed as something else is" in str([e.check for e in found.evidence if not e.ok])


def test_an_abbreviation_is_not_a_symbol_of_the_statement():
    """x < y + 1, not x < x."""
    goal = Goal(Rel(x, "<", y + 1), {x: Var(sp.Integer(0), high=sp.Rational(1, 2)), y: at_least(0)}, short={x: y + 1})
    assert statement.latex(goal).endswith("x < y + 1")
    assert statement.text(goal).endswith("x < y + 1")


def test_an_upper_end_at_zero_moves_with_the_letter():
    goal = Goal(Rel(x, "<", 1), {x: Var(sp.Integer(-3), high=sp.Integer(0))}, letters={x: Letter(K - 1)})
    assert statement.latex(goal).startswith(r"-2 \le K \le 1")


def test_the_range_of_a_variable_is_printed_though_it_is_also_an_index():
    total = sp.Sum(f(k), (k, 1, 3))
    goal = Goal(Rel(total + k, ">=", total + 5), {k: at_least(5)}, name="a range")
    assert statement.latex(goal).startswith(r"5 \le k")


def test_an_outer_sum_is_printed_first():
    total = sp.Sum(f(i, j), (j, 1, i), (i, 1, N))
    assert statement.text(Goal(Rel(total, "<=", N), {N: COUNT})).endswith("sum_{i=1..N} sum_{j=1..i} f(i, j) <= N")


def test_a_power_of_a_quantity_named_in_words_is_printed():
    """It was printed as "error of a mean^2"."""
    o = sp.Symbol("o")
    error, plain = quantity("error of a mean", "e")(o), quantity("tau", r"\tau")(o)
    goal = Goal(Rel(error**2, "<=", plain**2), {o: real()})
    assert reader(goal).relation(goal.rel) == "(error of a mean)^2 <= tau^2"


def test_a_power_of_an_indicator_is_printed():
    assert statement.latex(Goal(Rel(Event(x, 0) ** 2, "<=", y), {x: R, y: R})).endswith(r"\right\}^{2} \le y")


def test_a_letter_has_one_meaning_in_a_statement():
    goals = [
        Goal(Rel(K, "<=", x), {K: R, x: R}, (Rel(K, "<=", x),), str(m), where={K: sp.Sum(f(i), (i, 1, m))})
        for m in (2, 3)
    ]
    assert proof(goals[0]).check().verdict == "proved"
    assert "K is both" in str(proof(*goals).check().problem)
