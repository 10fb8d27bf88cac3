"""Classical theorems that proofs cite: stated once, with a reference, and the hypotheses that each use must check.

A use is `cited(THEOREM, hypotheses=(one item for each hypothesis,), gives=Goal(...), at=parameters)`; what is checked
and given must be what the form of the theorem says of these parameters. Hypotheses that belong to the model
(independence, a Gaussian law, adaptedness) are part of what the model says and are named in `says`; those listed in
`hypotheses` are relations that are proved where the theorem is used.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import sympy as sp
from sympy.core.function import AppliedUndef

from theory.kernel.goal import Rel, at_least, real
from theory.kernel.integrable import require_mean
from theory.kernel.named import valued
from theory.kernel.rules.cited import INDEX, Form, Need, Objects, Theorem
from theory.kernel.terms import OPERATORS, Event, Mean, bound, depends, substitute

COEFFICIENT = sp.Function("c")  # of each variable in a linear combination: any numbers
SHIFT = sp.Function("h")  # by which each variable is raised: any numbers >= 0
# of slope, time and outcome, where the outcome is a path of B
SUPREMUM = Objects("the supremum of B_u - slope u up to a time, for a Brownian motion B with B_0 = 0")
VALUE = sp.Dummy("x")  # the value of an arm mean, in a density that a model declares
RATE = Objects("the lower limit of R_n/(log n)^2 for arm means with one density and normal rewards")


def _object(value: sp.Expr, *of: sp.Expr) -> None:
    """Refuse what is no value of a function with these arguments: an object that a theorem is about depends on them.

    What the function is its model says. Whatever else could be put here may be known to be something else.
    """
    if not isinstance(value, AppliedUndef) or any(value.args.count(x) != 1 for x in of):
        raise ValueError(f"{value}: must be a value of a function of {', '.join(map(str, of))}")


def _fixed(outcome: sp.Symbol, *values: sp.Expr) -> None:
    for value in map(sp.sympify, values):
        if value.has(outcome) or depends(value, outcome):
            raise ValueError(f"{value}: must not depend on {outcome}")


def _hoeffding(
    average: sp.Expr,
    mean: sp.Expr,
    count: sp.Expr,
    deviation: sp.Expr,
    outcome: sp.Symbol,
    above: bool,
    value: sp.Expr,
    index: sp.Symbol,
) -> Form:
    """The chance that an average of `count` values is off by a deviation or more, above or below its mean.

    `value` is one of them, a function of its index. That they are independent is that their moment generating function
    is a product, for all coefficients c(i).
    """
    _object(average, count, outcome)
    _object(value, index, outcome)
    if any(sp.sympify(q).has(index) for q in (average, mean, count, deviation)):
        raise ValueError(f"{index}: must be the index of one value only")
    others = (x for x in (*average.args, *value.args) if x != outcome)
    _fixed(outcome, mean, count, deviation, *others)
    beyond = average - mean - deviation if above else mean - deviation - average
    tail = Rel(Mean(Event(beyond, sp.Integer(0)), outcome), "<=", sp.exp(-2 * count * deviation**2))
    ranges = (sp.sympify(count), INDEX), (sp.sympify(deviation), at_least(0))
    one, all_, among = COEFFICIENT(index) * value, (index, sp.S.One, count), (Rel(index, "<=", count),)
    product = sp.Product(Mean(sp.exp(one), outcome), all_)
    needs = (
        Need(Rel(Mean(average, outcome), "=", mean)),
        Need(Rel(count * average, "=", sp.Sum(value, all_))),
        *(Need(rel, {index: INDEX}, among) for rel in (Rel(value, ">=", 0), Rel(value, "<=", 1))),
        Need(Rel(Mean(sp.exp(sp.Sum(one, all_)), outcome), "=", product), {COEFFICIENT(index): real()}),
    )
    return Form(needs, tail, (outcome, average, value), ranges=ranges)


def _reflection(
    highest: Callable[..., sp.Expr], level: sp.Expr, slope: sp.Expr, time: sp.Expr, outcome: sp.Symbol
) -> Form:
    """The chance that a Brownian motion B reaches a line that starts above it, in a time.

    `highest` is the supremum of B_u - slope u up to a time: a function of slope, time and outcome that its model
    declares, `SUPREMUM`.
    """
    peak = highest(slope, time, outcome)
    found = SUPREMUM.find(peak)
    _fixed(outcome, level, slope, time)
    if found.about != {"slope": slope, "time": time, "outcome": outcome}:
        raise ValueError(f"{peak}: must be a function of {slope}, {time} and {outcome}")
    at_end, reflected = (sp.erfc((level + way * slope * time) / sp.sqrt(2 * time)) / 2 for way in (1, -1))
    chance = at_end + sp.exp(-2 * slope * level) * reflected
    needs = Need(Rel(level, ">", 0)), Need(Rel(time, ">", 0))
    rel = Rel(Mean(Event(peak - level, sp.Integer(0)), outcome), "=", chance)
    return Form(needs, rel, (outcome,), declared=(found,))


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
    require_mean(f, (x,), (x,))
    moments = Rel(Mean(sp.exp(u * first + v * second), first, second), "=", sp.exp((u**2 + v**2) / 2))
    both, one = substitute(f, {x: a * first + b * second}), substitute(f, {x: factor * first})
    gives = Rel(Mean(both, first, second), "=", Mean(one, first))
    squares = Rel(a**2 + b**2, "=", factor**2)
    return Form((Need(squares), Need(moments, {u: real(), v: real()})), gives, normals)


def _lai(rate: sp.Expr, noise: sp.Expr, density: sp.Expr, distribution: sp.Expr, arms: sp.Expr, x: sp.Symbol) -> Form:
    """For arm means that are independent with one density, in x: the sum of p_k is K (K - 1) times the integral of
    density^2 distribution^(K - 2). The model declares of which play a function is the rate, `RATE`."""
    found = RATE.find(rate)
    if any(q.has(VALUE) for q in (rate, density)) or rate.has(x):
        raise ValueError(f"{density}: must be a function of {x}, of which {rate} is none")
    of_play = {"noise": noise, "arms": arms, "density": density.xreplace({x: VALUE})}
    if found.about != of_play:
        raise ValueError(f"{rate}: is declared for {dict(found.about)}")
    needs = (
        Need(Rel(sp.Derivative(distribution, x), "=", density), {x: real()}),
        Need(Rel(density, ">=", 0), {x: real()}),
        Need(Rel(sp.Limit(distribution, x, sp.oo, "-"), "=", 1)),
        Need(Rel(sp.Limit(distribution.xreplace({x: -x}), x, sp.oo, "-"), "=", 0)),
    )
    total = arms * (arms - 1) * sp.Integral(density**2 * distribution ** (arms - 2), (x, -sp.oo, sp.oo))
    ranges = (arms, at_least(2, integer=True)), (noise, at_least(0))
    return Form(needs, Rel(rate, ">=", noise * total / 2), ranges=ranges, declared=(found,))


def raised(f: sp.Expr, family: sp.Expr) -> sp.Expr:
    """f with h(i) added to every variable X(i) of a family."""

    def one_of_them(q: sp.Expr) -> bool:
        return isinstance(q, AppliedUndef) and q.func == family.func

    return f.replace(one_of_them, lambda q: q + SHIFT(q.args[0]))


def _of_family(f: sp.Expr, family: sp.Expr, last: sp.Expr, outcome: sp.Symbol) -> None:
    """Refuse a function of anything random but the variables X(i, ...) of a family, all with the same arguments but i,
    or one of which a shift of the variables does not say how it changes."""
    rest = family.args[1:]
    if any(not isinstance(q, sp.Expr) and type(q) is not sp.Tuple for q in sp.preorder_traversal(f)):
        raise ValueError(f"{f}: is no expression made of functions, sums and products")
    values = [q for q in f.atoms(AppliedUndef) if q.func == family.func]
    if any(q.args[1:] != rest or q.args[0].has(outcome) or depends(q.args[0], outcome) for q in values):
        raise ValueError(f"{f}: every {family.func} must be a value of {family}, with an index that is not random")
    if bound(f) & {outcome}.union(*(x.free_symbols for x in (*rest, last))):
        raise ValueError(f"{f}: {family} and {last} would be others inside an operator")
    others = f.xreplace(dict.fromkeys(values, sp.S.One))
    if others.has(outcome) or depends(others, outcome):
        raise ValueError(f"{f} depends on {outcome} by more than {family}")
    operators = f.atoms(*OPERATORS)
    limits = [end for q in operators for limit in getattr(q, "limits", ()) for end in limit[1:]]
    if any(not isinstance(q, (sp.Sum, sp.Product)) for q in operators) or any(end.has(family.func) for end in limits):
        raise ValueError(f"{f}: only sums and products with fixed ends may contain a variable")


def _associated(
    f: sp.Expr,
    g: sp.Expr,
    family: sp.Expr,
    indices: tuple[sp.Symbol, sp.Symbol],
    last: sp.Expr,
    outcome: sp.Symbol,
    covariance: sp.Expr,
) -> Form:
    """Rising functions f and g of normal variables X(i, ...), i = 1, ..., last, with mean 0 and these covariances of
    X(i) and X(j), which are functions of the `indices` i and j.

    That they are jointly normal is their moment generating function, for all coefficients c(i). That f rises is that
    it does not fall if numbers h(i) >= 0 are added to the variables.
    """
    f, g, covariance, last = (valued(sp.sympify(q)) for q in (f, g, covariance, last))
    if not isinstance(family, AppliedUndef):
        raise ValueError(f"{family}: must be a value of a function")
    (i, j), rest = indices, family.args[1:]
    if family.args[0] != i or i == j or any(q.has(i, j) for q in (*rest, last)) or rest.count(outcome) != 1:
        raise ValueError(f"{family}: must be a function of its index {i} and of {outcome}, with another index {j}")
    if any(q.has(outcome) for q in rest if q != outcome) or any(
        q.has(outcome, family.func) for q in (covariance, last)
    ):
        raise ValueError(f"{covariance}, {last}: must not depend on {outcome}, and {family} only by its argument")
    if depends(covariance, outcome) or {i, j, outcome} & bound(covariance):
        raise ValueError(f"{covariance}: a function of {i} and {j} that is not random is needed")
    if any(q.has(COEFFICIENT, SHIFT) for q in (f, g, family, covariance, last)):
        raise ValueError(f"{COEFFICIENT} and {SHIFT} are any numbers, and belong to the theorem")
    for q in (f, g):
        _of_family(q, family, last, outcome)
        require_mean(q, {value for value in q.atoms(AppliedUndef) if value.func == family.func}, (outcome,))
    first, second = ((x, sp.S.One, last) for x in indices)
    combined = sp.Sum(COEFFICIENT(i) * family, first)
    variance = sp.Sum(sp.Sum(COEFFICIENT(i) * COEFFICIENT(j) * covariance, second), first)
    normal = Rel(Mean(sp.exp(combined), outcome), "=", sp.exp(variance / 2))
    arms = Rel(i, "<=", last), Rel(j, "<=", last)
    needs = (
        Need(normal, {COEFFICIENT(i): real()}),
        Need(Rel(covariance, ">=", 0), {i: INDEX, j: INDEX}, arms),
        *(Need(Rel(raised(q, family), ">=", q), {SHIFT(i): at_least(0)}) for q in (f, g)),
    )
    gives = Rel(Mean(f * g, outcome), ">=", Mean(f, outcome) * Mean(g, outcome))
    return Form(needs, gives, (outcome, family), family.func, last)


def _not_associated(**at: Any) -> dict[str, Mapping[str, Any]]:
    """Uses of the theorem about falling functions and other covariances."""
    return {
        "direction: f falls": {**at, "f": -at["f"]},
        "direction: g falls": {**at, "g": -at["g"]},
        "sign: covariances negated": {**at, "covariance": -at["covariance"]},
        "range: one variable more": {**at, "last": at["last"] + 1},
        "range: one variable less": {**at, "last": at["last"] - 1},
    }


PITT = Theorem(
    "Pitt's theorem",
    r"X\ \text{Gaussian},\ \mathrm{Cov}(X_i,X_j)\ge0\ \text{for all}\ i,j:\quad "
    r"E[f(X)g(X)]\ge E f(X)\,E g(X)\ \text{for rising}\ f,g\ \text{for which these means exist}",
    "Pitt 1982, Positively correlated normal variables are associated, Annals of Probability 10",
    ("the moment generating function", "every covariance is nonnegative", "f rises", "g rises"),
    _associated,
    _not_associated,
)
HOEFFDING = Theorem(
    "Hoeffding's inequality",
    r"X_1,\dots,X_n\in[0,1]\ \text{independent with mean}\ \mu,\ c\ge0:\quad "
    r"P(\bar X\ge\mu+c)\le e^{-2nc^2}",
    "Hoeffding 1963, Probability inequalities for sums of bounded random variables, JASA 58, Theorem 1",
    (
        "the mean of the average",
        "what is averaged",
        "every value is nonnegative",
        "every value is at most 1",
        "independence: the moment generating function of the values",
    ),
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
    r"+e^{-2\mu c}Q\left(\frac{c-\mu t}{\sqrt t}\right)\ (c>0,\,t>0)",
    "Karatzas, Shreve, Brownian Motion and Stochastic Calculus, Section 3.5.C",
    ("the line starts above the motion", "the time is positive"),
    _reflection,
)
LAI = Theorem(
    "Lai's asymptotic lower bound",
    r"r\mid\mu_k\sim N(\mu_k,\sigma^2),\ \mu_k\ \text{independent with a density}:\quad "
    r"\liminf_{n\to\infty}\frac{R_n}{(\log n)^2}"
    r"\ge\frac{\sigma^2}2\sum_kp_k,\quad p_k\ \text{the density at}\ 0\ \text{of}\ \mu_k-\max_{i\ne k}\mu_i",
    "Lai 1987, Adaptive treatment allocation and the multi-armed bandit problem, Annals of Statistics 15, 1091-1114 "
    "(its asymptotic lower bound on the Bayes risk; number of the theorem not verified)",
    (
        "the slope of the distribution function of a mean",
        "the density is nonnegative",
        "the limit of the distribution function at infinity",
        "its limit at minus infinity",
    ),
    _lai,
)
