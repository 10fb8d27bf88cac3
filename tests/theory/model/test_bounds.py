"""Bounds as exact expressions: what is printed is what was proved, and a changed constant is noticed."""

import pytest
import sympy as sp

from theory.kernel import statement
from theory.kernel.argument import proof
from theory.kernel.goal import Goal, Rel, at_least, positive
from theory.kernel.items import below
from theory.kernel.named import forget_values, valued
from theory.kernel.prove import prove, proved
from theory.ledger import load
from theory.model import bound_formulas as bounds
from theory.model.arms import s, s0
from theory.model.play import WORDS, K, N, a
from theory.model.regret_bounds import FORMULAS, Bound

# Named bounds: the definition that is printed beside a statement is the value that was proved about.

SIZES = {K: at_least(1, integer=True), N: at_least(2, integer=True), s0: positive(), s: positive(), a: positive()}
sigma, sigma0 = sp.symbols("sigma sigma_0", positive=True)
OURS = {sp.Symbol("K"): K, sp.Symbol("n"): N, sp.Symbol("a"): a, sigma: sp.sqrt(s), sigma0: sp.sqrt(s0)}


@pytest.mark.parametrize("name", FORMULAS)
def test_the_printed_definition_is_the_value(name):
    letter, formula = (valued(side).xreplace(OURS) for side in Bound(name, *FORMULAS[name].letters).definition)
    assert proved(Goal(Rel(letter, "=", formula), SIZES, name=name))
    assert not proved(Goal(Rel(letter, "=", 2 * formula), SIZES, name=name))


def test_arguments_are_printed_where_they_are_not_the_readers_own():
    at = K, N, s0, s
    goal = Goal(Rel(Bound("ell", *at, a), "<=", Bound("ell", *at, 4 * a)), SIZES, letters=WORDS)
    assert r"\ell \le \ell\vert_{a=4 a}" in statement.latex(goal)
    assert "ell <= ell[a = 4*a]" in statement.text(goal)
    assert r"\ell = \sqrt{\beta} \tilde\ell" in statement.latex(goal)


def test_other_names_and_numbers_of_arguments_are_refused():
    with pytest.raises(ValueError, match="must be one of"):
        Bound("T", K, s0, s)
    with pytest.raises(TypeError, match="3 needed"):
        Bound("C", K, s0)


def test_a_wrong_value_cannot_be_attached_to_a_name():
    at = K, N, s0, s, a
    wrong = Goal(Rel(Bound("T_1", *at), "=", 3 * sp.sqrt(N) * Bound("C", K, s0, s)), SIZES, name="wrong")
    assert proof(wrong).check().verdict == "open"


# A changed constant in a stated bound is noticed by the claim that states it.

THREE_HALVES = sp.Rational(3, 2)
STATED = {
    "sec:discussion/known-mu0": ("root_term",),
    "ours/logarithmic/round": ("deviation_factor",),
    "them-R-Bayes-SubR/repaired/prior-route/chance": ("failure_by_prior",),
    "them-R-Bayes-SubR/repaired/range-route/chance": ("failure_by_range",),
    "them-R-Bayes-SubR/repaired/inflation": ("inflation",),
}


@pytest.fixture
def fresh_values():
    """Values of named quantities are remembered: not those of a changed formula, and not before it is changed."""
    forget_values()
    yield
    forget_values()


@pytest.mark.usefixtures("fresh_values")
@pytest.mark.parametrize("factor", [1 / THREE_HALVES, THREE_HALVES])
@pytest.mark.parametrize(("claim", "term"), [(c, t) for c, terms in STATED.items() for t in terms])
def test_a_changed_constant_is_noticed(claim, term, factor, monkeypatch):
    stated = getattr(bounds, term)
    monkeypatch.setattr(bounds, term, lambda *at, **more: factor * stated(*at, **more))
    argument = load()[claim].build()
    assert not all(evidence.ok for evidence in checked(argument))


def checked(argument):
    """The argument's own checks one by one, without its mutants, which do not matter here."""
    for part in (part for item in argument.items for part in (item, *below(item))):
        yield from prove(part) if isinstance(part, Goal) else part.evidence()
