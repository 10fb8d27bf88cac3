"""Appendix G: the constant m of Theorem them-R-Bayes-SubR: limits, range, size (see model/width_ratio.py)."""

import sympy as sp

from theory.kernel.analysis import number
from theory.kernel.argument import proof
from theory.kernel.claim import claim
from theory.kernel.goal import Goal, Rel, Var, positive
from theory.kernel.rules import Limit
from theory.model import bound_formulas as bounds
from theory.model.arms import K
from theory.model.width_ratio import ROOTS, m, q

HERE = "Appendix, Section sec:extensions"


@claim(
    "them-R-Bayes-SubR/m/limit",
    where=f"{HERE}, end",
    kind="limit",
    depends_on=("them-R-Bayes-SubR",),
    says=r"m\to1\ \text{as}\ K\to\infty\ \text{and}\ \sigma_0^2/\sigma^2\to\infty",
)
def limit_of_m():
    """Both together, or K alone, take m to 1: its numerator and denominator both tend to 1."""
    rh, k = sp.symbols("rh k")
    free = {rh: positive(), k: positive()}
    return proof(
        Goal(Rel(m, "<", (1 + q) ** 2), ROOTS, name="above: (1 + sqrt(rho/K))^2"),
        Goal(Rel(m, ">=", K / (K + 1)), ROOTS, name="below: K/(K+1)"),
        Limit((1 + sp.sqrt(rh / k)) ** 2, k, sp.Integer(1), free, "the upper end tends to 1 as K grows"),
        Limit(1 - 1 / (k + 1), k, sp.Integer(1), free, "so does the lower end K/(K+1)"),
    )


@claim(
    "them-R-Bayes-SubR/m/range",
    where=f"{HERE}, end",
    kind="inequality",
    depends_on=("them-R-Bayes-SubR/m/limit",),
    says=r"K/(K+1)<m<(1+\sqrt{\rho/K})^2,\ \text{and}\ m<1\iff K(1+\rho)(2q+q^2)<1,\ q=\sqrt{\rho/K}",
)
def range_of_m():
    """At a fixed number of arms the limit as sigma_0^2/sigma^2 grows is the lower end, below 1; it is as K grows too
    that m tends to 1. So m is below 1 for a strip of small rho at every K, just where Lemma lemma:tauTotau cannot
    hold."""
    inside = Rel(K * (1 + K * q**2) * (2 * q + q**2), "<", 1)
    return proof(
        Goal(Rel(m.subs(q, 0), "=", K / (K + 1)), ROOTS, name="limit at fixed K: m at q = 0"),
        Goal(Rel(m, ">", K / (K + 1)), ROOTS, name="lower end"),
        Goal(Rel(m, "<", (1 + q) ** 2), ROOTS, name="upper end"),
        Goal(Rel(m, "<", 1), ROOTS, (inside,), "below 1 inside the strip"),
        Goal(Rel(m, ">=", 1), ROOTS, (inside.negation,), "not below 1 outside"),
    )


@claim(
    "them-R-Bayes-SubR/m/small",
    where=f"{HERE}, end",
    kind="number",
    depends_on=("them-R-Bayes-SubR",),
    says=r"\mu_k\sim U[.2,.5],\ \sigma^2=1/4:\quad m=5.2,\ 3.3,\ 2.5\ \text{for}\ K=20,50,100,\ \text{above the}"
    r"\ a=1\ \text{of the experiments}",
)
def typically_small():
    """m is called typically small. In the paper's own Bernoulli experiments rho = 100/3, and m is a small number but
    above the a = 1 they run with: the theorem, which asks for a >= m, covers none of them."""
    k = sp.Symbol("K")
    rh = sp.Rational(1, 4) / (sp.Rational(3, 10) ** 2 / 12)
    value = bounds.m_constant(k, sp.Integer(1), rh)
    return proof(
        *(
            number(
                f"m at K = {arms} is between {low} and {low} + 1/10, so above 1",
                between(value.subs(k, arms), low),
                (f"constant: 1 less at K = {arms}", between(value.subs(k, arms), low - 1)),
                engine="arb",
            )
            for arms, low in ((20, sp.Rational(52, 10)), (50, sp.Rational(32, 10)), (100, sp.Rational(24, 10)))
        )
    )


def between(value: sp.Expr, low: sp.Rational) -> Rel:
    """low <= value <= low + 1/10."""
    half = sp.Rational(1, 20)
    return Rel(sp.Abs(value - low - half), "<=", half)


@claim(
    "them-R-Bayes-SubR/m/size",
    where=f"{HERE}, end",
    kind="inequality",
    depends_on=("sec:tau_star/repaired",),
    says=r"m<(1+\sqrt{\rho/K})^2;\ m\le4\ \text{when}\ K\ge\rho;\ \text{in a fixed design}\ m=1\ \text{serves for "
    r"every}\ K,\rho",
)
def size_of_m():
    """m is of order 1 + rho/K. And it is not needed: in a fixed design the BLUP error itself is sub-Gaussian with
    proxy tau^2 (claim sec:tau_star/repaired), so that 1 can stand in its place."""
    return proof(
        Goal(Rel(m, "<", (1 + q) ** 2), ROOTS, name="upper bound"),
        Goal(Rel(m, "<=", 4), {**ROOTS, q: Var(sp.Integer(0), strict=True, high=sp.Integer(1))}, name="K >= rho"),
    )
