"""Conditions that a rule must not forget: each false statement here follows if one of them is left out."""

import pytest
import sympy as sp

from theory.kernel.argument import Item, proof
from theory.kernel.claim import REGISTRY, claim
from theory.kernel.goal import Goal, Rel, at_least, positive, real
from theory.kernel.rules import Indicates, Induction, Jensen, SumOver, cited, follows, instance
from theory.kernel.rules.cited import Theorem
from theory.kernel.terms import Mean

x, y, z, c, n, i, j, k, N, M, W, X, o = sp.symbols("x y z c n i j k N M W X o")
f, g, h, S = map(sp.Function, "fghS")
R, COUNT, ZERO, ONE = real(), at_least(1, integer=True), sp.Integer(0), sp.Integer(1)


def problem(item: Item) -> str:
    """Why an item is not proved."""
    found = proof(item).check()
    assert found.verdict == "open", found.statement
    return str(found.problem)


def proved(item: Item) -> bool:
    return proof(item).check().verdict == "proved"


# Hypotheses with a source.

BOTH = {x: R, c: R}
BELOW = Rel(x, "<=", c)


@pytest.mark.parametrize(
    "item",
    [
        SumOver(Goal(BELOW, BOTH, (BELOW,), "one"), i, ONE, N, {**BOTH, N: COUNT}, given=(BELOW.by("no such claim"),)),
        Induction(Rel(n * x, "<=", n * c), n, ONE, BOTH, given=(BELOW.by("no such claim"),)),
    ],
    ids=["SumOver", "Induction"],
)
def test_every_rule_checks_the_sources_of_its_hypotheses(item):
    """A hypothesis with a source is not printed."""
    assert "no claim 'no such claim'" in problem(item)


@pytest.fixture
def ledger():
    """Claims that are entered in a test are taken out again."""
    before = dict(REGISTRY)
    yield
    REGISTRY.clear()
    REGISTRY.update(before)


def test_a_claim_behind_a_hypothesis_of_a_rule_is_used(ledger):
    theorem = Theorem("a theorem", r"f \ge 0", "a book")
    step = Goal(Rel(x, "<", x + 1), {x: R}, name="a step")

    @claim("side-conditions/cites", kind="inequality")
    def cites():
        """A theorem."""
        return proof(step, cited(theorem, gives=Goal(Rel(f(x), ">=", 0), {x: R}, name="f")))

    by = Rel(f(x), ">=", 0).by("side-conditions/cites")
    found = proof(follows(Rel(f(x) + x + 1, ">", x), step, domain={x: R}, given=(by,))).check()
    assert (found.verdict, found.level) == ("proved", "argued")
    assert found.uses == ("side-conditions/cites",)
    assert found.assumes == (str(theorem),)


# Ranges, and what symbols assume.

ABOVE_ONE = Goal(Rel(y + 1, ">", 1), {y: positive()}, name="above 1")


@pytest.mark.parametrize("value", [-(x**2), Mean(x, x), sp.Integer(-3)], ids=["a term", "a mean", "a number"])
def test_only_symbols_and_functions_have_ranges(value):
    """1 - x^2 > 1, if -x^2 > 0; this range would not be printed."""
    item = instance(ABOVE_ONE, {y: value}, {x: R, value: positive()})
    assert "neither a symbol nor a value of a function" in problem(item)


def test_the_random_quantity_of_jensen_has_a_range_that_is_printed():
    """1/E[-X^2] <= E[1/(-X^2)] is the wrong way round: -X^2 is not positive."""
    item = Jensen(1 / x, x, -(X**2), {x: positive(), X: R}, over=(X,))
    assert "neither a symbol nor a value of a function" in problem(item)


def test_an_indicator_is_stated_as_goals_are():
    """A real m that SymPy takes for an integer: (1 - 1{m >= 0}) (m + 1) <= 0 fails at m = -1/2."""
    m = sp.Symbol("m", integer=True)
    assert "the symbol m assumes more than its domain" in problem(Indicates(m, {m: R}, integer=True))
    assert proved(Indicates(n, {n: at_least(-2, integer=True)}, integer=True))
    assert "may vanish in a denominator" in problem(Indicates(n + 1 / x, {n: COUNT, x: R}))
