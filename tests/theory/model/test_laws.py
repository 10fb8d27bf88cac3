"""Laws by name: values against SciPy, what is printed, and wrong values that cannot be attached to a name."""

import pytest
import sympy as sp
from scipy import integrate, stats

from theory.kernel import statement
from theory.kernel.argument import proof
from theory.kernel.goal import Goal, Rel, Var, positive, real
from theory.model.laws import MU, BernoulliVariance, BetaMean, BetaVariance, ChanceOfZero, ClippedMean, UCB1Width

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
