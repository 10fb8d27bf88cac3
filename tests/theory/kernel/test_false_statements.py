"""False statements that an author could write by mistake: none of them is proved, each for the reason named here."""

import pytest
import sympy as sp

from theory.kernel.argument import Computation, Words, gap, proof, refuted
from theory.kernel.goal import Goal, Point, Rel, Var, at_least, positive, real
from theory.kernel.prove import proved
from theory.kernel.region import exactly
from theory.kernel.rules import Cases, Expectation, Rises, Union, follows
from theory.kernel.sanity import objections
from theory.kernel.terms import Mean
from theory.model.examples import Listed

x, y, D, E, L = sp.symbols("x y D E L")
HALF = sp.Rational(1, 2)
p = sp.Symbol("p", positive=True)
SOUND = Goal(Rel(x, "<", x + y), {x: positive(), y: positive()}, name="sound")
ANY = {x: real()}

FALSE = {
    "a relation the wrong way round": Goal(Rel(x / (x + y), ">=", 1), {x: positive(), y: positive()}),
    "a symbol that assumes to be positive": Goal(Rel(sp.Abs(p), "<=", p + sp.Rational(1, 2)), {p: real()}),
    "a root that SymPy has taken": Goal(Rel(sp.sqrt(p**2), "=", p), {p: real()}),
    "an integer symbol on the reals": Goal(
        Rel(sp.floor(sp.Symbol("k", integer=True)), "=", sp.Symbol("k", integer=True)),
        {sp.Symbol("k", integer=True): real()},
    ),
    "two symbols of one name": Goal(Rel(p, "=", sp.Symbol("p")), {p: positive(), sp.Symbol("p"): real()}),
    "an empty domain": Goal(Rel(x + 1, "<", 0), {x: Var(sp.Integer(2), high=sp.Integer(1))}),
    "hypotheses that exclude each other": Goal(Rel(x, "<", 0), {x: positive()}, (Rel(x, "<=", 0),)),
    "an equation that divides by zero": Goal(Rel((x**2 - 1) / (x - 1), "=", x + 1), ANY),
    "the slope of what is not defined": Goal(Rel(sp.Derivative(sp.log(-x), x), "=", 1 / x), {x: positive()}),
    "a logarithm of negative numbers": Goal(Rel(sp.log(x * y), "=", sp.log(x) + sp.log(y)), {x: real(), y: real()}),
    "a root of negative numbers": Goal(Rel(sp.sqrt(x) * sp.sqrt(y), "=", sp.sqrt(x * y)), {x: real(), y: real()}),
    "a floating-point number": Goal(Rel(0.1 * x + 0.2 * x, "<=", 0.3 * x), {x: at_least(0)}),
}


@pytest.mark.parametrize("goal", FALSE.values(), ids=FALSE)
def test_a_false_goal_is_open_alone_and_beside_a_sound_one(goal):
    for items in ((goal,), (SOUND, goal)):
        found = proof(*items).check()
        assert found.verdict == "open"
        assert found.problem
        assert found.level is None


def test_the_sound_neighbours_are_proved():
    for goal in (
        SOUND,
        Goal(Rel(sp.Abs(p), "<=", p + sp.Rational(1, 2)), {p: positive()}),
        Goal(Rel((x**2 - 1) / (x - 1), "=", x + 1), {x: Var(sp.Integer(1), strict=True)}),
        Goal(Rel(sp.log(x * y), "=", sp.log(x) + sp.log(y)), {x: positive(), y: positive()}),
    ):
        found = proof(goal).check()
        assert (found.verdict, found.level, found.assumes) == ("proved", "engines", ())


def test_a_hypothesis_is_part_of_the_statement():
    """The tail of a false theorem: it follows from a hypothesis that nobody proved, and the statement says so."""
    wanted = Goal(
        Rel(D * E, "<=", L / (100 * D)), dict.fromkeys((D, E, L), positive()), (Rel(E, "<=", L / (100 * D**2)),)
    )
    found = proof(wanted).check()
    assert r"\text{if}\ E \le \frac{L}{100 D^{2}}" in found.statement
    assert found.items[0]["given"] == ["E <= L/(100*D^2)  [hypothesis]"]
    by_hand = found.stated_by_hand()
    assert (by_hand.verdict, by_hand.level) == ("proved", "argued")
    assert "typed by hand" in by_hand.assumes[0]


def test_signs_from_a_derivative_need_a_range_without_gaps():
    """(x-1)(x-4) is negative at 3; its slope is positive where x >= 5/2, its value where x >= 4."""
    with pytest.raises(ValueError, match="must not contain x"):
        Rises((x - 1) * (x - 4), x, sp.Rational(0), ANY, "f", given=(Rel(x, ">=", sp.Rational(5, 2)),))
    assert proof(Rises((x - 1) * (x - 4), x, sp.Rational(5, 2), ANY, "f")).check().verdict == "open"


def test_computations_must_be_able_to_fail():
    always = Computation("exact", "always", lambda _: Rel(1, "=", 1), (1,), {"a": (2,), "b": (3,), "c": (4,)})
    assert proof(always).check().verdict == "open"
    floats = Computation("exact", "floats", lambda v: Rel(sp.Float(v), "<=", 1), (0.5,), {"a": (2.0,), "b": (3.0,)})
    assert proof(SOUND, floats).check().verdict == "open"
    truths = Computation("exact", "truths", lambda v: v, (True,), {"a": (False,)})
    with pytest.raises(TypeError):
        proof(SOUND, truths).check()
    sound = Computation("exact", "squares", lambda v: Rel(sp.Integer(v) ** 2, "=", 4), (2,), {"a": (3,), "b": (4,)})
    assert proof(SOUND, sound).check().verdict == "proved"
    assert proof(SOUND, Computation("exact", "none", lambda v: Rel(v, "=", 4), (4,), {})).check().verdict == "open"


def test_what_a_refutation_adds_is_checked_as_a_proof_is():
    false = Goal(Rel(x, "<=", 1), {x: positive()})
    assert refuted(false).check().verdict == "refuted"
    assert refuted(false, also=(FALSE["an empty domain"],)).check().verdict == "open"
    assert refuted(false, also=(FALSE["an equation that divides by zero"],)).check().verdict == "open"


def test_a_gap_is_an_inference_that_breaks():
    false = Goal(Rel(x, "<=", 1), {x: positive()})
    assert gap(false).check().verdict == "open"
    assert gap(false, premises=(Rel(x, "<=", 4),)).check().verdict == "gap"
    assert gap(false, premises=(Rel(x, "<=", 0),)).check().verdict == "open"
    assert gap(Goal(Rel(x, "<=", 1), {x: positive()}, (Rel(x, "<=", 3),))).check().verdict == "gap"


@pytest.mark.parametrize(
    "premise",
    [
        Rel(x, "=", x),
        Rel(HALF, "=", HALF),
        Rel(sp.sqrt(2), "<=", 2),
        Rel(y**2, ">=", 0),
        Goal(Rel(y**2 + 1, ">=", 2 * y), {y: real()}, squares=(y - 1,), name="of something else"),
    ],
    ids=["identical", "numbers", "irrational numbers", "another symbol", "an item about another symbol"],
)
def test_a_premise_of_a_gap_has_a_symbol_of_its_conclusion(premise):
    """Any false conclusion would be a gap with 1/2 = 1/2 as its premise."""
    false = Goal(Rel(x, "<=", 1), {x: positive(), y: real()})
    found = gap(false, premises=(premise,), at=Point({x: sp.Integer(2), y: sp.Integer(1)})).check()
    assert "has no premises about what it concludes" in found.problem
    beside = gap(false, premises=(premise, Rel(x, "<=", 3)), at=Point({x: sp.Integer(2), y: sp.Integer(1)})).check()
    assert beside.ok or "holds on the whole domain" in beside.problem


def test_what_is_refuted_is_about_something():
    """1 = 1/2 says nothing of the example from which the numbers were computed."""
    numbers = Goal(Rel(sp.Integer(1), "=", HALF))
    premise = Goal(Rel(x, "<=", x + 1), {x: real()}, name="any")
    found = gap(numbers, premises=(premise,), at=Point({})).check()
    assert any("compares numbers that were put in" in e.check for e in found.evidence if not e.ok)
    assert "compares numbers that were put in" in refuted(numbers, at=Point({})).check().problem
    listed = Goal(Rel(Listed("plug-in error"), "=", Listed("plug-in width")))
    premise = Rel(Listed("error with the known variances"), "<", HALF)
    assert gap(listed, premises=(premise,), at=Point({})).check().verdict == "gap"


AT_TWO = Point({x: sp.Integer(2)})
SQUARE = Goal(Rel(x**2 + 1, ">=", 2 * x), {x: real()}, squares=(x - 1,), name="a square")


@pytest.mark.parametrize(
    ("premise", "why"),
    [
        (Rel(x, ">=", 0), "is the range of its symbol"),
        (Goal(Rel(x, ">=", 0), {x: positive()}, name="positive"), "is the range of its symbol"),
        (Rel((x + 1) ** 2, "=", x**2 + 2 * x + 1), "holds on the whole domain"),
        (Rel(x**2 + x, ">", -1), "holds on the whole domain"),
    ],
    ids=["a range", "a range as an item", "an identity", "true on the domain"],
)
def test_a_premise_that_supposes_nothing_makes_no_gap(premise, why):
    """Beside it every false conclusion was a gap."""
    false = Goal(Rel(x, "<=", 1), {x: positive()})
    found = gap(false, premises=(premise, Rel(x, "<=", 3))).check()
    assert found.verdict == "open"
    assert why in found.problem
    assert gap(false, premises=(SQUARE, Rel(x, "<=", 3))).check().verdict == "gap"


@pytest.mark.parametrize("always", [Rel(x, ">=", 0), Rel(x**2 + x, ">", 0)], ids=["a range", "true on the domain"])
def test_a_hypothesis_that_supposes_nothing_makes_no_gap(always):
    assert gap(Goal(Rel(x, "<=", 1), {x: positive()}, (always,))).check().verdict == "open"
    assert gap(Goal(Rel(x, "<=", 1), {x: real()}, (always,))).check().verdict == "gap"


@pytest.mark.parametrize(
    ("premise", "domain"),
    [
        (Rel(x, "<=", x**2), {x: at_least(0, integer=True)}),
        (Rel(sp.sin(x), "<=", 1), {x: positive()}),
        (Rel(x**2 + x, ">", -1), {x: real()}),
    ],
    ids=["true of integers", "true of a sine", "a square"],
)
def test_a_premise_excludes_a_point_that_is_found(premise, domain):
    """Engines do not prove these, as integers are any numbers to them; they are true all the same."""
    assert "no point is found" in gap(Goal(Rel(x, "<=", 1), domain, (premise,))).check().problem


@pytest.mark.parametrize("op", ["<=", "="])
def test_nothing_is_inferred_from_a_premise_that_denies_the_conclusion(op):
    """Any false conclusion would be a gap with its negation as a premise."""
    false = Goal(Rel(x, op, 1), {x: positive()})
    for denial in (Rel(x, ">", 1), Rel(x, ">=", 2), Rel(x, "=", 2)):
        assert "says that the conclusion fails" in str(gap(false, premises=(denial,), at=AT_TWO).check().problem)
    assert gap(false, premises=(Rel(x, ">", HALF),), at=AT_TWO).check().verdict == "gap"


def test_numbers_of_an_example_are_no_premises_that_deny_the_conclusion():
    error, width = Listed("plug-in error"), Listed("plug-in width")
    found = gap(Goal(Rel(error, "=", width)), premises=(Rel(error, ">", width),), at=Point({})).check()
    assert "says that the conclusion fails" in found.problem
    assert gap(Goal(Rel(error, "=", width)), premises=(Rel(error, ">", 0),), at=Point({})).check().verdict == "gap"


def test_a_premise_holds_in_the_range_of_its_symbols():
    """If x + y <= 1/2 and y > 0, x <= 1: it was a gap at x = 2, y = -3/2."""
    premise, at = Rel(x + y, "<=", HALF), Point({x: sp.Integer(2), y: sp.Rational(-3, 2)})
    narrow, wide = (Goal(Rel(x, "<=", 1), {x: positive(), y: var}) for var in (positive(), real()))
    assert "premise x + y <= 1/2" in gap(narrow, premises=(premise,), at=at).check().problem
    assert gap(wide, premises=(premise,), at=at).check().verdict == "gap"
    unknown = Goal(Rel(x, "<=", 1), {x: positive()})
    assert gap(unknown, premises=(premise,), at=at).check().verdict == "open"


def test_a_fact_is_about_values_of_the_conclusion():
    """What holds for x <= -1 is no reason for anything about x > 0."""
    false = Goal(Rel(x, "<=", 1), {x: positive()})
    elsewhere, end = (Goal(Rel(x**2, ">=", -x), {x: Var(high=sp.Integer(m))}, name="far") for m in (-1, 0))
    for fact in (elsewhere, end):
        found = gap(false, premises=(fact, Rel(x, "<=", 3))).check()
        assert any("none of the conclusion's values" in e.check for e in found.evidence)
    above = Goal(Rel(x**2, ">=", x), {x: at_least(1)}, name="from 1 on")
    assert gap(false, premises=(above,)).check().verdict == "gap"


def test_what_a_defect_assumes_is_listed():
    """A step in words in its region or its premises was listed nowhere."""
    false = Goal(Rel(x, "<=", 1), {x: positive()})
    words = Words("and so on")
    region = exactly(false, Rel(x, ">", 1)).with_items(words)
    for found in (refuted(false, also=(words,)), refuted(false, region=region), gap(false, premises=(SQUARE, words))):
        assert found.check().assumes == found.check().assumes_itself == ("in words: and so on",)
    assert refuted(false, also=(SQUARE,)).check().assumes == ()


def test_a_fact_is_shown_with_its_domain():
    found = gap(Goal(Rel(x, "<=", 1), {x: positive()}), premises=(SQUARE, Rel(x, "<=", 3))).check()
    assert found.premises == ("x <= 3", "for x real: x^2 + 1 >= 2*x [a fact, proved]")


def test_the_region_of_an_equation_is_asked_for_in_another_way():
    found = refuted(Goal(Rel(x, "=", 1), {x: positive()}), fails_iff=Rel(x, ">", 1)).check()
    assert found.verdict == "open"
    assert "unequal" in found.problem


def test_a_region_of_another_relation_is_said_to_be_one():
    """It may be of the same relation squared, or of another one altogether: a reader must look at its items."""
    false = Goal(Rel(x, "<=", 1), {x: positive()})
    own = refuted(false, fails_iff=Rel(x, ">", 1)).check()
    other = refuted(false, region=exactly(Goal(Rel(x, "<=", 2), {x: positive()}), Rel(x, ">", 2))).check()
    narrower = refuted(false, region=exactly(Goal(Rel(x, "<=", 1), {x: at_least(1)}), Rel(x, ">", 1))).check()
    assert [found.region["of_printed"] for found in (own, other, narrower)] == [True, False, False]


def test_a_counterexample_shows_the_point_that_was_used():
    false = Goal(Rel(x, "<=", 1), {x: positive()})
    assert refuted(false, at=Point({x: sp.Integer(2)}, {"x": "2"})).check().verdict == "refuted"
    assert refuted(false, at=Point({x: sp.Integer(2)}, {"x": "1/2"})).check().verdict == "open"


def test_what_is_refuted_needs_a_counterexample():
    found = refuted(SOUND).check()
    assert found.verdict == "open"
    assert "none was found" in found.problem
    assert "none was found" in refuted(Goal(Rel(Mean(x**2, x), "<", 1), ANY)).check().problem
    assert "this point is none" in refuted(SOUND, at=Point({x: sp.Integer(-1), y: sp.Integer(1)})).check().problem


def test_no_second_engine_proves_what_is_false_on_its_domain():
    false = FALSE["a logarithm of negative numbers"]
    assert not proved(false)
    assert not proved(Goal(Rel(sp.sqrt(x**2), "=", x), ANY))


def test_every_goal_needs_false_neighbours_of_its_own():
    """Three mutants of one goal do not make up for a goal whose own mutants are true."""
    vague = Goal(Rel(x, ">=", -(10**9)), {x: positive()}, name="vague")  # true and weak: so are most of its mutants
    found = proof(SOUND, vague).check()
    assert len(found.mutants) >= 4
    assert found.verdict == "open"
    assert [e.check for e in found.evidence if not e.ok] == ["vague: 1 mutants were found, 2 are needed"]
    assert proof(SOUND).check().verdict == "proved"


def test_words_are_listed_among_the_assumptions():
    found = proof(SOUND, Words("and so on")).check()
    assert (found.verdict, found.level, found.assumes) == ("proved", "argued", ("in words: and so on",))
    assert proof(Words("P = NP")).check().verdict == "open"


def test_objections_name_the_item():
    assert "may vanish" in objections(FALSE["an equation that divides by zero"])[0].check
    assert "assumes more" in objections(FALSE["a symbol that assumes to be positive"])[0].check
    assert "no point" in objections(FALSE["an empty domain"])[0].check


def test_hypotheses_about_a_few_of_many_symbols_are_met():
    """Too many symbols to meet k < K < t by trying points of all: the others are independent of these three."""
    many = dict.fromkeys(sp.symbols("z1:13"), real())
    t, K, k = sp.symbols("t K k")
    rounds = dict.fromkeys((t, K, k), at_least(1, integer=True))
    given = Rel(t, ">", K), Rel(k, "<=", K - 1)
    total = sp.Add(*(z**2 for z in many))
    assert not objections(Goal(Rel(total + t, ">", k), {**many, **rounds}, given))
    empty = {**many, **rounds, x: Var(sp.Integer(2), high=sp.Integer(1))}
    assert "no point" in objections(Goal(Rel(total + t + x, ">", k), empty, given))[0].check
    never = (*given, Rel(k, ">", t))
    assert "no point" in objections(Goal(Rel(total + t, ">", k), {**many, **rounds}, never))[0].check


def test_what_was_averaged_is_no_case():
    """If X >= 1 then E X >= 1; if E X is 0 this says 1 <= 0 wherever X >= 1, which is no reason for X < 1."""
    X, y = sp.symbols("X y")
    free, sure = {X: real(), y: real()}, Rel(X, ">=", 1)
    mean = Expectation(Goal(Rel(X + y**2, ">=", 1), free, (sure,), "at least 1", squares=(y,)), (X,))
    assert proof(mean).check().verdict == "proved"
    centred = follows(Rel(y**2, ">=", 1), mean, domain=free, given=(sure, Rel(Mean(X, X), "=", 0)), name="E X = 0")
    assert "X was averaged; a hypothesis contains it" in str(proof(centred).check().problem)
    assert proof(Union(centred, (sure,), "X < 1")).check().verdict == "open"
    assert any("averaged" in e.check for e in Cases(sure, centred, centred, "either").evidence())


def test_a_claim_that_is_not_proved_says_which_item_fails_and_where():
    x, y = sp.symbols("x y")
    domain = {x: positive(), y: positive()}
    right = Goal(Rel(x * y, "<=", x * y + x), domain, name="one more")
    wrong = Goal(Rel(x * y, "<=", x + y), domain, name="product")
    found = proof(right, wrong).check()
    assert found.verdict == "open"
    assert found.problem == "exact says refuted: product: fails at x = 2, y = 3, left = 6, right = 5"
