"""Appendix G: the constant m of Theorem them-R-Bayes-SubR: limits, range, size (see model/width_ratio.py)."""

from dataclasses import replace

import sympy as sp

from theory.kernel.analysis import number
from theory.kernel.argument import Argument, proof, refuted, step
from theory.kernel.claim import claim
from theory.kernel.goal import Goal, Letter, Point, Rel, Var, positive
from theory.kernel.rules import Limit
from theory.model.arms import K
from theory.model.width_ratio import LETTERS, M_SHORT, ROOTS, M, m, q


@claim(
    "them-R-Bayes-SubR/m/limit",
    by="paper",
    line=833,
    kind="limit",
    cites=("them-R-Bayes-SubR",),
)
def limit_of_m() -> Argument:
    """Both together, or K alone, take m to 1: its numerator and denominator both tend to 1."""
    rh, k = sp.symbols("rho K")
    free = {rh: positive(), k: positive()}
    known = Goal(Rel(m, "<", (1 + q) ** 2), ROOTS, name="above: (1 + sqrt(rho/K))^2", short=M_SHORT)
    return proof(
        known,
        Goal(Rel(m, ">=", K / (K + 1)), ROOTS, name="below: K/(K+1)", short=M_SHORT),
        Limit((1 + sp.sqrt(rh / k)) ** 2, k, sp.Integer(1), free, "the upper end tends to 1 as K grows"),
        Limit(1 - 1 / (k + 1), k, sp.Integer(1), free, "so does the lower end K/(K+1)"),
        letters={**LETTERS, rh: Letter(rh, "sigma^2/sigma_0^2")},
    )


@claim(
    "them-R-Bayes-SubR/m/range",
    by="us",
    kind="inequality",
    cites=("them-R-Bayes-SubR/m/limit",),
)
def range_of_m() -> Argument:
    """At a fixed number of arms the limit as sigma_0^2/sigma^2 grows is the lower end, below 1; it is as K grows too
    that m tends to 1. So m is below 1 for a strip of small rho at every K, just where Lemma lemma:tauTotau cannot
    hold."""
    inside = Rel(K * (1 + K * q**2) * (2 * q + q**2), "<", 1)
    goals = (
        Goal(Rel(m, ">", K / (K + 1)), ROOTS, name="lower end"),
        Goal(Rel(m, "<", (1 + q) ** 2), ROOTS, name="upper end"),
        Goal(Rel(m, "<", 1), ROOTS, (inside,), "below 1 inside the strip"),
        Goal(Rel(m, ">=", 1), ROOTS, (inside.negation,), "not below 1 outside"),
    )
    return proof(
        step(Goal(Rel(m.subs(q, 0), "=", K / (K + 1)), ROOTS, name="limit at fixed K: m at q = 0")),
        *(replace(goal, short=M_SHORT) for goal in goals),
        letters=LETTERS,
    )


BERNOULLI_RHO = sp.Rational(1, 4) / (sp.Rational(3, 10) ** 2 / 12)  # noise 1/4, means uniform on [0.2, 0.5]


@claim(
    "them-R-Bayes-SubR/m/small",
    by="paper",
    line=833,
    kind="number",
    severity="argument",
    cause="m-above-a",
    says=r"m\ \text{is typically small, so that}\ a\ge m\ \text{in the experiments, which use}\ a=1:\quad m\le1\ "
    r"\text{for}\ \mu_k\sim U[.2,.5],\ \sigma^2=1/4,\ K=20",
    cites=("them-R-Bayes-SubR",),
)
def typically_small() -> Argument:
    """Theorem them-R-Bayes-SubR requires a >= m. In the paper's own Bernoulli experiments m is 5.2, 3.3 and 2.5, above
    the a = 1 they run with, so that the theorem covers none of them."""
    shown = {"K": "20", "sigma_sq": "1/4", "sigma0_sq": "3/400", "a": "1"}
    return refuted(
        Goal(Rel(M(sp.Integer(20), BERNOULLI_RHO), "<=", 1), name="m at K = 20"),
        at=Point({}, shown),
        fails_when="K = 20, 50 and 100 with these variances",
    )


@claim(
    "them-R-Bayes-SubR/m/small/repaired",
    by="us",
    kind="number",
    repairs="them-R-Bayes-SubR/m/small",
)
def small_in_the_experiments() -> Argument:
    """In the Bernoulli experiments rho = 100/3; m falls towards 1 as K grows."""
    found = []
    for arms, low in ((20, sp.Rational(52, 10)), (50, sp.Rational(32, 10)), (100, sp.Rational(24, 10))):
        value = M(sp.Integer(arms), BERNOULLI_RHO)
        for op, end, other in ((">", low, low + 1), ("<", low + sp.Rational(1, 10), low - 1)):
            wrong = (f"constant: {other} at K = {arms}", Rel(value, op, other))
            found.append(number(f"m at K = {arms} {op} {end}", Rel(value, op, end), wrong, engine="arb"))
    return proof(*found)


@claim(
    "them-R-Bayes-SubR/m/size",
    by="us",
    kind="inequality",
    cites=("sec:tau_star/repaired",),
)
def size_of_m() -> Argument:
    """m is of order 1 + rho/K. And it is not needed: in a fixed design the BLUP error itself is sub-Gaussian with
    proxy tau^2 (claim sec:tau_star/repaired), so that 1 can stand in its place."""
    to_one = {**ROOTS, q: Var(sp.Integer(0), strict=True, high=sp.Integer(1))}
    return proof(
        Goal(Rel(m, "<", (1 + q) ** 2), ROOTS, name="upper bound", short=M_SHORT),
        Goal(Rel(m, "<=", 4), to_one, name="K >= rho", short=M_SHORT),
        letters=LETTERS,
    )
