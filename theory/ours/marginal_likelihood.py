"""The likelihood of mu_0 from the rewards of arms whose means are averaged: what `conditional_laws.OTHERS` is.

Given mu_0 the arms are independent. The rewards of one of them, its mean integrated out, have a density that is a
multiple of exp(-w_i (rbar_i - mu_0)^2/(2 sigma_0^2)); the exponents of the other arms add up.
"""

from __future__ import annotations

import sympy as sp

from theory.kernel.argument import Argument, proof
from theory.kernel.claim import claim
from theory.kernel.goal import Goal, Letter, Rel, Var, at_least, positive, real
from theory.kernel.rules import Applied, SumOver
from theory.model.arms import LETTERS, J, n, s, s0, tau_tilde_sq, w
from theory.model.conditional_laws import ARM, m, rbar_k
from theory.model.conditional_laws import x as mean
from theory.model.quantities import mu0
from theory.ours.classical.normal import b
from theory.ours.posteriors import integrated

i = sp.Symbol("i")
weight, average = sp.Function("w"), sp.Function("rbar")


def one_arm() -> Applied:
    """The rewards of one arm given mu_0, its mean integrated out."""
    free: dict[sp.Symbol, Var] = {n: at_least(0), s: positive(), s0: positive(), rbar_k: real(), mu0: real()}
    own, middle = -w * (rbar_k - mu0) ** 2 / (2 * s0), (1 - w) * mu0 + w * rbar_k
    other = -((b - middle) ** 2) / (2 * tau_tilde_sq)
    joint = ARM.xreplace({mean: b, m: mu0})
    square = Goal(Rel(joint, "=", own + other), {**free, b: real()}, name="two squares")
    return integrated(square, own, other, (middle, tau_tilde_sq), free)


@claim("ours/marginal-likelihood", by="us", kind="identity", cites=("r0-estimator",))
def marginal() -> Argument:
    """Complete the square in the mean of an arm. The exponents of the other arms add up to a parabola in mu_0: its
    coefficients are the sum of their weights and that of their weighted averages, which is W r-bar_0 - w_k r-bar_k by
    Eq. r0-estimator."""
    v, r = sp.symbols("v r")
    arms = {J: at_least(0, integer=True), mu0: real(), weight(i): positive(), average(i): real()}
    rel = Rel(v * (r - mu0) ** 2, "=", v * mu0**2 - 2 * mu0 * v * r + v * r**2)
    term = Goal(rel, {v: positive(), r: real(), mu0: real()}, name="one of the other arms", letters=LETTERS)
    sums = SumOver(term, i, sp.Integer(1), J, arms, {v: weight(i), r: average(i)}, name="all other arms")
    words = {
        **LETTERS,
        mu0: Letter(sp.Symbol("mu_0"), "common mean"),
        rbar_k: Letter(sp.Symbol("rbar_k"), "average of the rewards of arm k"),
    }
    return proof(one_arm(), sums, letters=words)
