"""Arguments of the model's quantities that would give a false statement, or print it as another one."""

import pytest
import sympy as sp

from theory.kernel.argument import proof
from theory.kernel.goal import Goal, Rel, positive, real
from theory.model.laws import ChanceOfZero
from theory.model.play import o
from theory.model.regret import E_K, LargestEffect
from theory.model.statistics import Cov, E, mu_hat, mu_i, mu_k, of_arm_i, r_ij, r_kj, rbar_k

m, d = sp.symbols("m d")


@pytest.mark.parametrize(
    "moment", [Cov(mu_hat, r_ij), E((mu_k - mu_i) ** 2), E(rbar_k, given=mu_k)], ids=["two arms", "a square", "given"]
)
def test_only_moments_of_arm_k_alone_are_moved_to_arm_i(moment):
    """Two arms, or an arm and the condition, would be printed as one: sum_i E[(mu_i - mu_i)^2] = 2 K sigma_0^2."""
    with pytest.raises(ValueError, match="must be of arm k alone"):
        of_arm_i(moment)


def test_moments_of_arm_k_are_moved_to_arm_i():
    assert of_arm_i(E((r_kj - rbar_k) ** 2)) != E((r_kj - rbar_k) ** 2)


def test_the_largest_effect_is_that_of_all_arms():
    """Its value does not depend on the first argument: e_1 = e_2 would be proved."""
    assert E_K.value.has(o)
    with pytest.raises(ValueError, match="number of arms is 1"):
        _ = LargestEffect(sp.Integer(1), o).value


def test_a_standard_deviation_is_positive():
    """Only its square is printed: with d = -1 the chance of N(1, 1) below 0 would exceed 1/2."""
    with pytest.raises(ValueError, match="standard deviation is -1"):
        _ = ChanceOfZero(sp.Integer(1), sp.Integer(-1)).value
    same = Rel(ChanceOfZero(m, d), "=", sp.erfc(m / d / sp.sqrt(2)) / 2)
    assert proof(Goal(same, {m: real(), d: positive()})).check().verdict == "proved"
    assert proof(Goal(same, {m: real(), d: real()})).check().verdict == "open"
