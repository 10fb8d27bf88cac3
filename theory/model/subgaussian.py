"""Sub-Gaussian means and rewards with fixed counts: the error of the BLUP as a sum over independent arms.

The outcome has two parts: the effects z of all arms, then their noise w. Lambda is the logarithm of the moment
generating function of the part of an arm in a sum, at lambda; the noise average of an arm need only have its proxy
given the effects.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

import sympy as sp

from theory.kernel.goal import Goal, Letter, Rel, Var, positive, real
from theory.kernel.rules import Definition
from theory.kernel.sources import fix
from theory.kernel.terms import Mean
from theory.model.arms import DOMAIN, LETTERS, SHORT, J, Wo, n, s, s0, weight
from theory.model.effects import common_mean_error, prediction_error
from theory.model.functions import of_arm, quantity

lam, o, i, v = sp.symbols("lambda o i v")
X = quantity("X", "X", meaning="a random variable")(o)
VARIABLE: dict[sp.Expr, Var] = {v: positive(), o: real()}
PROXY = Definition(
    "X is sub-Gaussian with proxy v",
    Goal(
        Rel(Mean(sp.exp(lam * X), o), "<=", sp.exp(lam**2 * v / 2)), {**VARIABLE, lam: real()}, name="X has the proxy v"
    ),
)
error = quantity("error of the BLUP", r"(\hat\mu_k-\mu_k)", meaning="mu-hat_k - mu_k")(o)
common_error = quantity("error of the common mean", r"(\bar r_0-\mu_0)", meaning="rbar_0 - mu_0")(o)
c, p, q = sp.symbols("c p q")
drawn, effects = sp.symbols("w z")  # noise and effects of all arms
effect, noise = quantity("effect", r"\delta_k")(effects), of_arm("noise", r"\bar\varepsilon_k")(drawn, effects)
effect_i = quantity("effect of", r"\delta_{{{}}}")(i, effects)
noise_i = of_arm("noise of", r"\bar\varepsilon_{{{}}}")(i, drawn, effects)
own = quantity("own part", r"\Lambda_k({},{})")  # of p delta_k + q eps-bar_k
other = quantity("part", r"\Lambda_{{{}}}({})")  # of c w_i (delta_i + eps-bar_i), another arm i
counts = sp.Function("n")
fix(v, scope=X.func)
fix(n, J, Wo, scope=(error.func, common_error.func))
fix(n, scope=(noise.func, own))
w_i = weight(counts(i))
OTHERS = (i, sp.Integer(1), J)
FREE: dict[sp.Expr, Var] = {
    **{x: DOMAIN[x] for x in (n, J, s, s0, Wo)},
    **dict.fromkeys((lam, o, c, p, q, drawn, effects), real()),
    counts(i): DOMAIN[n],
}
EACH = {**FREE, i: DOMAIN[n]}
WORDS = {**LETTERS, lam: Letter(lam, "any number")}


def defined(of: str, rel: Rel, index: bool = False) -> Definition:
    return Definition(of, Goal(rel, EACH if index else FREE, (), of, letters=WORDS, short=SHORT))


def moment(x: sp.Expr, *over: sp.Expr) -> sp.Expr:
    """The moment generating function at lambda, over the whole outcome or these parts of it."""
    return Mean(sp.exp(lam * x), *(over or (drawn, effects)))


REST = sp.Sum(w_i * (effect_i + noise_i), OTHERS)
COMMON_ERROR, ERROR = (error_(effect, noise, REST) for error_ in (common_mean_error, prediction_error))
ERROR_LAW = defined("the error of the BLUP, of effects and noise", Rel(moment(error, o), "=", moment(ERROR)))
COMMON_LAW = defined(
    "the error of the common mean, of effects and noise", Rel(moment(common_error, o), "=", moment(COMMON_ERROR))
)
INDEPENDENT = defined(
    "the arms are independent: the logarithms of the moment generating functions of their parts add up",
    Rel(moment(p * effect + q * noise + c * REST), "=", sp.exp(own(p, q, lam) + sp.Sum(other(i, c, lam), OTHERS))),
)


def of_one_arm(first: sp.Expr, second: sp.Expr) -> sp.Expr:
    """The moment generating function of the sum of two quantities of an arm."""
    return Mean(sp.exp(lam * first) * sp.exp(lam * second), drawn, effects)


OWN = defined("the part of arm k", Rel(sp.exp(own(p, q, lam)), "=", of_one_arm(p * effect, q * noise)))
OTHER = defined(
    "the part of another arm",
    Rel(sp.exp(other(i, c, lam)), "=", of_one_arm(c * w_i * effect_i, c * w_i * noise_i)),
    index=True,
)


def _proxy(of: str, x: sp.Expr, over: sp.Expr, v: sp.Expr, index: bool = False) -> Definition:
    """x is sub-Gaussian with proxy v, over this part of the outcome: the effects, or the noise given the effects."""
    return defined(of, Rel(moment(x, over), "<=", sp.exp(lam**2 * v / 2)), index)


class Arm(NamedTuple):
    """The effect of an arm and the average of its noise, with their proxies."""

    effect: sp.Expr
    noise: sp.Expr
    count: sp.Expr
    effect_proxy: Definition
    noise_proxy: Definition
    domain: Mapping[sp.Expr, Var]


ARM_K = Arm(
    effect,
    noise,
    n,
    _proxy("the effect of arm k has the proxy sigma_0^2", effect, effects, s0),
    _proxy("given the effects the noise average of arm k has the proxy sigma^2/n_k", noise, drawn, s / n),
    FREE,
)
ARM_I = Arm(
    effect_i,
    noise_i,
    counts(i),
    _proxy("the effect of another arm has the proxy sigma_0^2", effect_i, effects, s0, index=True),
    _proxy("given the effects the noise average of another arm", noise_i, drawn, s / counts(i), index=True),
    EACH,
)
