"""Classical theorems that proofs cite: stated once, with a reference, and the hypotheses that each use must check.

A use is `cited(THEOREM, hypotheses=(one item for each hypothesis,), gives=Goal(...))`, with the parameters `at` of a
theorem that has a form. Hypotheses that belong to the model (independence, a Gaussian law, adaptedness) are part of
what the model says and are named in `says`; those listed in `hypotheses` are relations that are proved where the
theorem is used.
"""

from __future__ import annotations

from collections.abc import Callable

import sympy as sp

from theory.kernel.goal import Rel
from theory.kernel.rules.cited import Form, Theorem
from theory.kernel.terms import Event, Mean, substitute


def _hoeffding(
    average: sp.Expr, mean: sp.Expr, count: sp.Expr, deviation: sp.Expr, outcome: sp.Symbol, above: bool
) -> Form:
    """The chance that an average of `count` values is off by a deviation or more, above or below its mean."""
    beyond = average - mean - deviation if above else mean - deviation - average
    tail = Rel(Mean(Event(beyond, sp.Integer(0)), outcome), "<=", sp.exp(-2 * count * deviation**2))
    return Form((Rel(Mean(average, outcome), "=", mean),), tail)


def _reflection(
    highest: Callable[..., sp.Expr], level: sp.Expr, slope: sp.Expr, outcome: sp.Symbol, time: sp.Expr | None = None
) -> Form:
    """The chance that a Brownian motion B reaches a line that starts above it: ever, if it rises, or in a time.

    `highest` is the supremum of B_u - slope u, over all u >= 0 or up to a time: a function of slope, time and outcome.
    """
    ahead = Rel(level, ">", 0)
    if time is None:
        reached = Event(highest(slope, outcome) - level, sp.Integer(0))
        return Form((ahead, Rel(slope, ">", 0)), Rel(Mean(reached, outcome), "=", sp.exp(-2 * level * slope)))
    reached = Event(highest(slope, time, outcome) - level, sp.Integer(0))
    at_end, reflected = (sp.erfc((level + way * slope * time) / sp.sqrt(2 * time)) / 2 for way in (1, -1))
    chance = at_end + sp.exp(-2 * slope * level) * reflected
    return Form((ahead, Rel(time, ">", 0)), Rel(Mean(reached, outcome), "=", chance))


def _normal_sum(
    f: sp.Expr,
    x: sp.Symbol,
    factors: tuple[sp.Expr, sp.Expr],
    factor: sp.Expr,
    normals: tuple[sp.Symbol, sp.Symbol],
    numbers: tuple[sp.Symbol, sp.Symbol],
) -> Form:
    """f(a X + b Y) has the mean of f(c X) if a^2 + b^2 = c^2 and E exp(u X + v Y) = exp((u^2 + v^2)/2), all u, v."""
    (a, b), (first, second), (u, v) = factors, normals, numbers
    if first == second or u == v or any(sp.sympify(e).has(*normals) for e in (f, a, b, factor)):
        raise TypeError(f"{f}, {a}, {b} and {factor} must not depend on {first} and {second}, which are two")
    moments = Rel(Mean(sp.exp(u * first + v * second), first, second), "=", sp.exp((u**2 + v**2) / 2))
    both, one = substitute(f, {x: a * first + b * second}), substitute(f, {x: factor * first})
    gives = Rel(Mean(both, first, second), "=", Mean(one, first))
    return Form((Rel(a**2 + b**2, "=", factor**2), moments), gives, (u, v))


PITT = Theorem(
    "Pitt's theorem",
    r"X\ \text{Gaussian},\ \mathrm{Cov}(X_i,X_j)\ge0\ \text{for all}\ i,j:\quad "
    r"E[f(X)g(X)]\ge E f(X)\,E g(X)\ \text{for rising}\ f,g",
    "Pitt 1982, Positively correlated normal variables are associated, Annals of Probability 10",
    ("every covariance is nonnegative",),
)
GAUSSIAN_CONDITIONING = Theorem(
    "conditioning of jointly Gaussian vectors",
    r"X\mid Y\sim N(E X+\Sigma_{XY}\Sigma_{YY}^{-1}(Y-E Y),\ \Sigma_{XX}-\Sigma_{XY}\Sigma_{YY}^{-1}\Sigma_{YX})",
    "Eaton, Multivariate Statistics, Proposition 3.13",
    ("the stated mean and variance solve the normal equations",),
)
HOEFFDING = Theorem(
    "Hoeffding's inequality",
    r"X_1,\dots,X_n\in[0,1]\ \text{independent with mean}\ \mu:\quad P(\bar X\ge\mu+c)\le e^{-2nc^2}",
    "Hoeffding 1963, Probability inequalities for sums of bounded random variables, JASA 58, Theorem 1",
    ("the mean of the average",),
    _hoeffding,
)
NORMAL_SUM = Theorem(
    "the sum of independent normals is normal",
    r"X,Y\ \text{independent}\ N(0,1),\ a^2+b^2=c^2:\quad aX+bY\ \text{has the law of}\ cX",
    "Feller, An Introduction to Probability Theory and Its Applications II, Section II.4",
    ("a^2 + b^2 = c^2", "the moment generating function of independent standard normals"),
    _normal_sum,
)
REFLECTION = Theorem(
    "the reflection principle with drift",
    r"P\left(\max_{s\le t}(B_s-\mu s)\ge c\right)=Q\left(\frac{c+\mu t}{\sqrt t}\right)"
    r"+e^{-2\mu c}Q\left(\frac{c-\mu t}{\sqrt t}\right)\ (c>0,\,t>0),\quad "
    r"P\left(\sup_s(B_s-\mu s)\ge c\right)=e^{-2\mu c}\ (c>0,\,\mu>0)",
    "Karatzas, Shreve, Brownian Motion and Stochastic Calculus, Section 3.5.C",
    ("the line starts above the motion", "it rises, or the time is positive"),
    _reflection,
)
LAI = Theorem(
    "Lai's asymptotic lower bound",
    r"r\mid\mu_k\sim N(\mu_k,\sigma^2),\ \mu_k\ \text{with densities}:\quad \liminf_{n\to\infty}\frac{R_n}{(\log n)^2}"
    r"\ge\frac{\sigma^2}2\sum_kp_k,\quad p_k\ \text{the density at}\ 0\ \text{of}\ \mu_k-\max_{i\ne k}\mu_i",
    "Lai 1987, Adaptive treatment allocation and the multi-armed bandit problem, Annals of Statistics 15, 1091-1114 "
    "(its asymptotic lower bound on the Bayes risk; number of the theorem not verified)",
    ("the sum of the p_k",),
)
