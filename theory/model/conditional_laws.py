"""Laws given everything seen, in the Gaussian model with a prior on mu_0: logarithms of densities and what they give.

The rewards of the other arms enter the density of mu_0 through sum of w_i and sum of w_i rbar_i over them, the second
of which is W rbar_0 - w_k rbar_k. Logarithms of densities are up to terms without mu_k and mu_0. A law is stated by
its moment generating function, E e^{c X} for every c.
"""

from __future__ import annotations

import sympy as sp

from theory.kernel.goal import Goal, Letter, Rel, Var, real
from theory.kernel.integrable import require_mean
from theory.kernel.rules import Definition
from theory.kernel.sources import fix
from theory.kernel.terms import Mean, bound
from theory.model.arms import W, Wo, n, s, s0, w
from theory.model.functions import Random
from theory.model.quantities import W_K, lam

x, m, c = sp.symbols("x m c")  # mu_k and mu_0 given what was seen; any number
rbar_k, rbar_0 = sp.symbols("rbar_k rbar_0")
DATA: dict[sp.Symbol, Var] = {rbar_k: real(), rbar_0: real()}
LETTERS = {
    lam: Letter(sp.Symbol("lambda"), "variance of the prior of mu_0"),
    c: Letter(c, "any number"),
}
ARM = -((x - m) ** 2) / (2 * s0) - n * (rbar_k - x) ** 2 / (2 * s)  # prior of mu_k, rewards of arm k
# rewards of the other arms, their means integrated out: claim ours/marginal-likelihood
OTHERS = -(Wo * m**2 - 2 * m * (W * rbar_0 - w * rbar_k)) / (2 * s0)
MU_HAT = (1 - W_K) * rbar_0 + W_K * rbar_k


def given_seen(value: sp.Symbol, density: sp.Expr, given: tuple[Rel, ...]) -> Random:
    """mu_k or mu_0, called x or m, given what was seen: the random quantity that has a multiple of this density.

    Its law depends on everything that density and hypotheses contain.

    Raises
    ------
    ValueError
        If the density is no exponential, or integral of one, and so may be negative.
    """
    if not isinstance(density.function if isinstance(density, sp.Integral) else density, sp.exp):
        raise ValueError(f"density={density}: it must be an exponential or an integral of one")
    fix(*(density.free_symbols - {value}).union(*(h.symbols for h in given)), scope=__name__)
    return Random(value.name, __name__, density)


def seen(value: sp.Symbol, prior: str) -> dict[sp.Symbol, Letter]:
    """The printed description of a quantity given all observations."""
    letter, of = (r"\mu_{k\mid H_t}", "mu_k") if value.name == x.name else (r"\mu_{0\mid H_t}", "mu_0")
    return {value: Letter(sp.Symbol(letter), f"{of} given all pulls and rewards so far, Gaussian laws, {prior}")}


def bayes(moment: sp.Expr, value: Random, variable: sp.Symbol, like: Goal, prior: str) -> Definition:
    """The law of a quantity given what was seen: its density is a multiple of prior times likelihood.

    `moment` is a function of `value`, integrated over `variable`. Of the likelihood the factors of the policy's choices
    are left out, which do not contain the quantity (claim ours/adaptive-likelihood). `like` has domain and letters.

    Raises
    ------
    ValueError
        If the law or the moment contains the variable, or if the moment may not exist.
    """
    require_mean(moment, (value,), (value,))
    if variable in bound(value.law) | value.law.free_symbols | moment.free_symbols:
        raise ValueError(f"{variable}: another variable of integration is needed")
    density = value.law.xreplace({sp.Symbol(value.name): variable})
    inside = moment.xreplace({value: variable}) * density
    whole, part = (sp.Integral(e, (variable, -sp.oo, sp.oo)) for e in (density, inside))
    words = {**like.letters, **LETTERS, **seen(value, prior)}
    rel = Rel(Mean(moment, value) * whole, "=", part)
    of = "the density given what was seen is a multiple of prior times likelihood"
    return Definition(of, Goal(rel, like.domain, like.given, of, letters=words, short=like.short))
