"""Laws, their integrals and moments against SciPy, reucb and linear algebra; choices of arms on drawn means."""

from itertools import combinations

import numpy as np
import pytest
import sympy as sp
from flint import acb
from hypothesis import given
from hypothesis import strategies as st
from scipy import integrate, stats

from reucb.bounds import expected_max
from theory.kernel import statement
from theory.kernel.argument import proof
from theory.kernel.exact import enclose
from theory.kernel.goal import Goal, Rel, Var, positive, real
from theory.kernel.terms import Mean
from theory.model.arms import V0, J, W, Wo, arm_point, s, s0, tau_sq, w
from theory.model.chosen_arms import ALL_ARMS, EFFECTS, SOME, K, S, largest, o, top
from theory.model.chosen_arms import best_of as best_of_choice
from theory.model.chosen_arms import m as size
from theory.model.laws import MU, BernoulliVariance, BetaMean, BetaVariance, ChanceOfZero, ClippedMean, UCB1Width
from theory.model.matrices import Span
from theory.model.moments import Calculus, Form, sum_over, v
from theory.model.play import BEST
from theory.model.quadrature import best_of, enclosed, integral

# Laws by name: values against SciPy, what is printed, and wrong values that cannot be attached to a name.

m, d, p = sp.symbols("m d p")


@pytest.mark.parametrize(("mean", "deviation"), [(0.3, 0.2), (-0.5, 1.0), (0.9, 0.05)])
def test_clipped_rewards(mean, deviation):
    law = stats.norm(mean, deviation)
    inner, _ = integrate.quad(lambda x: x * law.pdf(x), 0, 1, points=[min(max(mean, 0), 1)])
    at = sp.Rational(str(mean)), sp.Rational(str(deviation))
    assert float(ClippedMean(*at).value.evalf()) == pytest.approx(inner + law.sf(1), abs=1e-9)
    assert float(ChanceOfZero(*at).value) == pytest.approx(law.cdf(0), abs=1e-12)


def test_the_width_of_ucb1():
    assert UCB1Width(sp.Rational(1, 4), sp.Integer(9), sp.Integer(2)).value == sp.sqrt(sp.log(9))


def test_what_is_printed():
    beta = Goal(Rel(BetaMean(MU * (1 - MU), 1, 9), "=", sp.Rational(9, 110)))
    assert statement.latex(beta).startswith(r"\mathbb{E}_{\mu\sim\mathrm{Beta}(1,9)}")
    clipped = Goal(Rel(ClippedMean(m, d), ">", 0), {m: real(), d: positive()})
    assert r"\min(\max(\mathcal{N}(m,d^{2}),0),1)" in statement.latex(clipped)


@pytest.mark.parametrize(
    "wrong",
    [
        Rel(BetaVariance(9, 1), "=", sp.Rational(9, 1000)),
        Rel(BetaMean(MU, 6, 14), "=", sp.Rational(7, 10)),
        Rel(BernoulliVariance(p), "<=", sp.Rational(1, 5)),
    ],
    ids=str,
)
def test_a_wrong_value_cannot_be_attached_to_a_name(wrong):
    unit = {p: Var(sp.Integer(0), high=sp.Integer(1))} if wrong.symbols else {}
    assert proof(Goal(wrong, unit, name="wrong")).check().verdict == "open"


x = sp.Symbol("x")


@pytest.mark.parametrize("arms", [2, 3, 5, 20])
def test_the_best_of_many_is_what_reucb_computes(arms):
    value = sp.Rational(expected_max(arms))
    assert value - sp.Rational(1, 10**6) < best_of(arms) < value + sp.Rational(1, 10**6)


def test_integrals_hold_the_truth_and_little_else():
    found = integral(x**2 * sp.exp(-x) + sp.erfc(x), x, sp.Integer(0), sp.Integer(1))
    assert found.overlaps(enclose(2 - 5 * sp.exp(-1) + sp.erfc(1) + (1 - sp.exp(-1)) / sp.sqrt(sp.pi)))
    assert found.rad() < 1e-15


def test_what_is_not_entire_is_refused():
    with pytest.raises(TypeError, match="not known to be entire"):
        enclosed(sp.log(x), x, acb(1))


# The calculi with symbolic K and n against dense linear algebra at concrete ones.

ONE = sp.Integer(1)
MEAN = Form(ONE, ONE)
GLS = Form(w / W, w / W, v / W, v / W)
BLUP_ERROR = w * MEAN + (1 - w) * GLS - Form(ONE)
CALCULUS = Calculus(s0, w, {0: J, 1: Wo})
ERROR_VARIANCE, GLS_VARIANCE = CALCULUS.var(BLUP_ERROR), CALCULUS.var(GLS)


@given(st.lists(st.integers(1, 9), min_size=1, max_size=4), st.integers(1, 5), st.integers(1, 5))
def test_second_moments_agree_with_the_dense_covariance_of_all_effects(counts, noise, spread):
    weights = np.array([c * spread / (c * spread + noise) for c in counts])
    gls = weights / weights.sum()
    k = len(counts)
    own = np.eye(k)[0]
    effect = weights[0] * own + (1 - weights[0]) * gls - own  # coefficients of the offsets in the BLUP error
    average = weights[0] * own + (1 - weights[0]) * gls  # and of the noise averages
    dense = spread * effect @ effect + noise * average @ (average / np.array(counts))
    at = arm_point(tuple(counts), noise, spread).values
    assert float(ERROR_VARIANCE.xreplace(at)) == pytest.approx(dense, rel=1e-12)
    assert float(tau_sq.xreplace(at)) == pytest.approx(dense, rel=1e-12)
    assert float(GLS_VARIANCE.xreplace(at)) == pytest.approx(float(V0.xreplace(at)), rel=1e-12)


def test_a_sum_that_is_no_polynomial_is_refused():
    with pytest.raises(ValueError, match="not a polynomial"):
        sum_over(1 / (1 + v), v, {0: J})


@given(*(st.integers(-4, 4) for _ in range(4)), st.integers(1, 5))
def test_the_algebra_of_identity_and_ones(a, b, c, d, size):
    eye, ones = np.eye(size), np.ones((size, size))
    product = Span(*map(sp.Integer, (a, b, size))) @ Span(*map(sp.Integer, (c, d, size)))
    dense = (a * eye + b * ones) @ (c * eye + d * ones)
    assert np.array_equal(dense, float(product.on_identity) * eye + float(product.on_ones) * ones)


def test_noise_variance_of_an_average_is_written_through_its_weight():
    assert sp.simplify(s0 * (1 - w) / w - s / sp.Symbol("n")) == 0


def test_the_definitions_are_those_of_the_best_of_a_choice():
    assert EFFECTS.concludes.rel.stated == (Mean(top, o), largest(size))
    assert EFFECTS.concludes.given == (SOME,)
    assert ALL_ARMS.concludes.rel.stated == (best_of_choice(K, S, o), BEST)


def test_the_law_does_not_say_that_all_choices_are_alike():
    """S alone does not decide the number of its arms: without m among the arguments e_1 = e_2 would follow."""
    assert top.xreplace({size: sp.Integer(1)}) != top.xreplace({size: sp.Integer(2)})


def test_every_choice_of_m_arms_has_the_same_law():
    """The mean of the largest of m of 4 normals, 4 10^5 draws, is e_m. Standard errors are at most 0.0016, so that an
    error of 0.01 has a chance below 10^-8 for all choices together; e_2 - e_1 = 0.56 is 350 of them."""
    draws = np.random.default_rng(0).standard_normal((400_000, 4))
    found = {m: [draws[:, list(c)].max(axis=1).mean() for c in combinations(range(4), m)] for m in (1, 2, 4)}
    assert all(abs(mean - expected_max(m)) < 0.01 for m, means in found.items() for mean in means)
