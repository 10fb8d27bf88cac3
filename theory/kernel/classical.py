"""Classical theorems that proofs cite: stated once, with a reference, and the hypotheses that each use must check.

A use is `cited(THEOREM, hypotheses=(one item for each hypothesis,), gives=Goal(...))`, with the parameters `at` of a
theorem that has a form. Hypotheses that belong to the model (independence, a Gaussian law, adaptedness) are part of
what the model says and are named in `says`; those listed in `hypotheses` are relations that are proved where the
theorem is used.
"""

from __future__ import annotations

import sympy as sp

from theory.kernel.goal import Rel, real
from theory.kernel.rules.cited import Form, Theorem
from theory.kernel.terms import Event, Mean


def _hoeffding(
    average: sp.Expr, mean: sp.Expr, count: sp.Expr, deviation: sp.Expr, outcome: sp.Symbol, above: bool
) -> Form:
    """The chance that an average of `count` values is off by a deviation or more, above or below its mean."""
    beyond = average - mean - deviation if above else mean - deviation - average
    tail = Rel(Mean(Event(beyond, sp.Integer(0)), outcome), "<=", sp.exp(-2 * count * deviation**2))
    return Form((Rel(Mean(average, outcome), "=", mean),), tail)


def _reflection(
    event: sp.Expr, level: sp.Expr, slope: sp.Expr, outcome: sp.Symbol, time: sp.Expr | None = None
) -> Form:
    """The chance that a Brownian motion is ever above a line, or that it stays below it for a time."""
    if time is None:
        return Form((), Rel(Mean(event, outcome), "=", sp.exp(-2 * level * slope)))
    at_end, reflected = (sp.erfc((level + way * slope * time) / sp.sqrt(2 * time)) / 2 for way in (1, -1))
    return Form((), Rel(Mean(event, outcome), "=", 1 - at_end - sp.exp(-2 * slope * level) * reflected))


def _lai(rate: sp.Expr, noise: sp.Expr, density: sp.Expr, distribution: sp.Expr, arms: sp.Expr, x: sp.Symbol) -> Form:
    """For arm means that are independent with one density, in x: the sum of p_k is K (K - 1) times the integral of
    density^2 distribution^(K - 2)."""
    needs = (
        Rel(sp.Derivative(distribution, x), "=", density),
        Rel(sp.Limit(distribution, x, sp.oo, "-"), "=", 1),
        Rel(sp.Limit(distribution.xreplace({x: -x}), x, sp.oo, "-"), "=", 0),
    )
    total = arms * (arms - 1) * sp.Integral(density**2 * distribution ** (arms - 2), (x, -sp.oo, sp.oo))
    return Form(needs, Rel(rate, ">=", noise * total / 2), {x: real()})


PITT = Theorem(
    "Pitt's theorem",
    r"X\ \text{Gaussian},\ \mathrm{Cov}(X_i,X_j)\ge0\ \text{for all}\ i,j:\quad "
    r"E[f(X)g(X)]\ge E f(X)\,E g(X)\ \text{for rising}\ f,g",
    "Pitt 1982, Positively correlated normal variables are associated, Annals of Probability 10",
    ("every covariance is nonnegative",),
)
HOEFFDING = Theorem(
    "Hoeffding's inequality",
    r"X_1,\dots,X_n\in[0,1]\ \text{independent with mean}\ \mu:\quad P(\bar X\ge\mu+c)\le e^{-2nc^2}",
    "Hoeffding 1963, Probability inequalities for sums of bounded random variables, JASA 58, Theorem 1",
    ("the mean of the average",),
    _hoeffding,
)
DUBINS_SCHWARZ = Theorem(
    "the theorem of Dambis, Dubins and Schwarz",
    r"M\ \text{a continuous local martingale}:\quad M_t=B_{\langle M\rangle_t}\ \text{for a Brownian motion}\ B",
    "Revuz, Yor, Continuous Martingales and Brownian Motion, Theorem V.1.6",
    ("the variance of a step is the growth of the clock",),
)
REFLECTION = Theorem(
    "the reflection principle with drift",
    r"P\left(\max_{s\le t}(B_s-\mu s)\ge c\right)=Q\left(\frac{c+\mu t}{\sqrt t}\right)"
    r"+e^{-2\mu c}Q\left(\frac{c-\mu t}{\sqrt t}\right),\quad "
    r"P\left(\sup_s(B_s-\mu s)>c\right)=e^{-2\mu c}\ (\mu>0)",
    "Karatzas, Shreve, Brownian Motion and Stochastic Calculus, Section 3.5.C",
    (),
    _reflection,
)
LAI = Theorem(
    "Lai's asymptotic lower bound",
    r"r\mid\mu_k\sim N(\mu_k,\sigma^2),\ \mu_k\ \text{independent with a density}:\quad "
    r"\liminf_{n\to\infty}\frac{R_n}{(\log n)^2}"
    r"\ge\frac{\sigma^2}2\sum_kp_k,\quad p_k\ \text{the density at}\ 0\ \text{of}\ \mu_k-\max_{i\ne k}\mu_i",
    "Lai 1987, Adaptive treatment allocation and the multi-armed bandit problem, Annals of Statistics 15, 1091-1114 "
    "(its asymptotic lower bound on the Bayes risk; number of the theorem not verified)",
    ("the slope of the distribution function of a mean", "its limit at infinity", "its limit at minus infinity"),
    _lai,
)
