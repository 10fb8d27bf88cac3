"""Named bounds: the definition that is printed beside a statement is the value that was proved about."""

import pytest
import sympy as sp

from theory.kernel import statement
from theory.kernel.argument import proof
from theory.kernel.goal import Goal, Rel, at_least, positive
from theory.kernel.named import valued
from theory.kernel.prove import proved
from theory.model.arms import s, s0
from theory.model.play import WORDS, K, N, a
from theory.model.regret_bounds import FORMULAS, Bound

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
