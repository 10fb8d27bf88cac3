"""Sub-Gaussian means and rewards with fixed counts: the error of the BLUP as a sum over independent arms.

Lambda is the logarithm of the moment generating function of a part of the error at lambda; the noise average of an arm
need only have its proxy given the arm's mean.
"""

from __future__ import annotations

import sympy as sp

from theory.kernel.goal import Goal, Letter, Rel, Var, at_least, positive, real
from theory.kernel.rules import Definition
from theory.kernel.terms import Mean
from theory.model.arms import DOMAIN, LETTERS, SHORT, J, W, Wo, n, s, s0, w
from theory.model.play import quantity

lam, o, i, v = sp.symbols("lambda o i v")
X = quantity("X", "X")(o)
VARIABLE: dict[sp.Expr, Var] = {v: positive(), o: real()}
PROXY = Definition(
    "X is sub-Gaussian with proxy v",
    Goal(
        Rel(Mean(sp.exp(lam * X), o), "<=", sp.exp(lam**2 * v / 2)), {**VARIABLE, lam: real()}, name="X has the proxy v"
    ),
)
error = quantity("error of the BLUP", r"(\hat\mu_k-\mu_k)")(o)
common_error = quantity("error of the common mean", r"(\bar r_0-\mu_0)")(o)
c = sp.Symbol("c")
own = quantity("own part", r"\Lambda_k")(lam)  # of the effect and the noise of arm k in the error of its BLUP
average = quantity("average", r"\Lambda_k({})")  # of c w_k (rbar_k - mu_0), arm k
other = quantity("other average", r"\Lambda_{{{}}}({})")  # of c w_i (rbar_i - mu_0), another arm i
weights = sp.Function("w")
OTHERS = (i, sp.Integer(1), J)
FREE: dict[sp.Expr, Var] = {
    **{x: DOMAIN[x] for x in (n, J, s, s0, Wo)},
    **{lam: real(), o: real(), c: real(), weights(i): at_least(0)},
}
WORDS = {**LETTERS, lam: Letter(lam, "any number")}


def defined(of: str, rel: Rel, index: bool = False, argued: bool = False) -> Definition:
    domain = {**FREE, i: at_least(1, integer=True)} if index else FREE
    return Definition(of, Goal(rel, domain, (), of, letters=WORDS, short=SHORT), argued)


def part(effect: sp.Expr, noise: sp.Expr, count: sp.Expr) -> sp.Expr:
    """lambda^2/2 times the proxy of effect delta_i + noise e-bar_i: proxy sigma_0^2 of delta_i and, given it, that of
    the noise average, sigma^2/n_i (sec:fact/3/sharp)."""
    return lam**2 * (effect**2 * s0 + noise**2 * s / count) / 2


BORROWED = (1 - w) / W
INDEPENDENT = defined(
    "the arms are independent",
    Rel(Mean(sp.exp(lam * error), o), "=", sp.exp(own + sp.Sum(other(i, BORROWED, lam), OTHERS))),
)
ALL_INDEPENDENT = defined(
    "the arms are independent; the common mean averages them",
    Rel(Mean(sp.exp(lam * common_error), o), "=", sp.exp(average(1 / W, lam) + sp.Sum(other(i, 1 / W, lam), OTHERS))),
)
OWN = defined(
    "what the arm adds itself: its effect and its noise",
    Rel(own, "<=", part((1 - w) * (w / W - 1), w + (1 - w) * w / W, n)),
    argued=True,
)
AVERAGE = defined("effect and noise of one arm", Rel(average(c, lam), "<=", part(c * w, c * w, n)), argued=True)
OTHER = defined(
    "effect and noise of another arm, w_i^2 (sigma_0^2 + sigma^2/n_i) = w_i sigma_0^2",
    Rel(other(i, c, lam), "<=", lam**2 * c**2 * s0 * weights(i) / 2),
    index=True,
    argued=True,
)
