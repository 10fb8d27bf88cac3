"""Functions of a model belong to the module that makes them."""

import pytest
import sympy as sp

from theory.kernel.argument import proof
from theory.kernel.goal import Goal, Rel, at_least, real
from theory.kernel.rules import follows
from theory.model import bounded_play, follow_up, lockout, play, stacks, stopping
from theory.model.functions import quantity

x, o = sp.symbols("x o")


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
