"""Laws given everything seen, in the Gaussian model with a prior on mu_0: logarithms of densities and what they give.

The rewards of the other arms enter the density of mu_0 through sum of w_i and sum of w_i rbar_i over them, the second
of which is W rbar_0 - w_k rbar_k. Logarithms of densities are up to terms without mu_k and mu_0. A law is stated by
its moment generating function, E e^{c X} for every c.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import sympy as sp

from theory.kernel.classical import GAUSSIAN_CONDITIONING
from theory.kernel.goal import Goal, Letter, Rel, Var, positive, real
from theory.kernel.rules import cited
from theory.kernel.rules.cited import Cited
from theory.kernel.terms import Mean
from theory.model.arms import W, Wo, arm_goal, n, s, s0, w
from theory.model.quantities import TAU_SQ, TAU_TILDE_SQ, V_LAM, W_ALL, W_K, lam, mu0

x, m, c = sp.symbols("x m c")  # mu_k and mu_0 given what was seen; any number
rbar_k, rbar_0 = sp.symbols("rbar_k rbar_0")
DATA: dict[sp.Symbol, Var] = {rbar_k: real(), rbar_0: real()}
SEEN = "the policy's choices, given the rewards seen, are a factor without mu_k and mu_0"
LETTERS = {
    lam: Letter(sp.Symbol("lambda"), "variance of the prior of mu_0"),
    c: Letter(c, "any number"),
}
ARM = -((x - m) ** 2) / (2 * s0) - n * (rbar_k - x) ** 2 / (2 * s)  # prior of mu_k, rewards of arm k
OTHERS = -(Wo * m**2 - 2 * m * (W * rbar_0 - w * rbar_k)) / (2 * s0)  # rewards of the other arms, their means averaged
MU_HAT = (1 - W_K) * rbar_0 + W_K * rbar_k


def generating(value: sp.Symbol, mean: sp.Expr, variance: sp.Expr) -> Rel:
    """The moment generating function of N(mean, variance)."""
    return Rel(Mean(sp.exp(c * value), value), "=", sp.exp(c * mean + c**2 * variance / 2))


def normal(value: sp.Symbol, mean: sp.Expr, variance: sp.Expr, square: Goal, name: str, prior: str) -> Cited:
    """The law N(mean, variance) of a quantity given what was seen; `square` shows the logarithm of its density."""
    letter, of = (r"\mu_{k\mid H_t}", "mu_k") if value == x else (r"\mu_{0\mid H_t}", "mu_0")
    seen = Letter(sp.Symbol(letter), f"{of} given all pulls and rewards so far, Gaussian laws, {prior}")
    words = {**square.letters, **LETTERS, value: seen}
    domain = {**square.domain, c: real()}
    gives = Goal(generating(value, mean, variance), domain, square.given, name, letters=words, short=square.short)
    return cited(GAUSSIAN_CONDITIONING, hypotheses=(square,), gives=gives, name=SEEN)


def flat_posterior(
    name: str,
    at: Mapping[sp.Symbol, sp.Expr] | None = None,
    extra: Mapping[sp.Symbol, Var] | None = None,
    law: tuple[sp.Expr, sp.Expr] = (MU_HAT, TAU_SQ),
    state: Callable[..., Goal] = arm_goal,
    **how: Any,
) -> Cited:
    """mu_k given all rewards under a flat prior on mu_0: N(mu-hat_k, tau_k^2), or `law` where that is the same.

    The joint density of mu_k and mu_0 is that of mu_k times that of mu_0 given mu_k, of variance sigma_0^2/(1 + sum of
    the other arms' weights), which integrates to a number without mu_k. `at` and `extra` are other parameters and
    their ranges, `state` makes the goal.
    """
    here = dict(at or {})
    mean, variance = (e.xreplace(here) for e in law)
    joint = (ARM + OTHERS).xreplace(here)
    centre = ((x + W * rbar_0 - w * rbar_k) / (1 + Wo)).xreplace(here)  # of mu_0, given mu_k
    top = joint.subs({x: mean, m: rbar_0}, simultaneous=True)
    parts = -((x - mean) ** 2) / (2 * variance) - ((1 + Wo) / (2 * s0)).xreplace(here) * (m - centre) ** 2
    ranges = {**DATA, x: real(), m: real(), **(extra or {})}
    square = state(joint - top, "=", parts, extra=ranges, name="two squares", **how)
    return normal(x, mean, variance, square, name, "mu_0 flat")


def posterior_given_mu0(name: str) -> Cited:
    """mu_k given mu_0 and all rewards: N(mu-tilde_k, tilde-tau_k^2)."""
    mean = (1 - W_K) * mu0 + W_K * rbar_k
    slope = sp.Derivative(ARM.subs(m, mu0), x)
    extra = {rbar_k: real(), mu0: real(), x: real()}
    square = arm_goal(slope, "=", -(x - mean) / TAU_TILDE_SQ, extra=extra, name="completed square")
    return normal(x, mean, TAU_TILDE_SQ, square, name, "mu_0 given")


def posterior_of_mu0(name: str) -> Cited:
    """mu_0 given all rewards, mu_0 ~ N(0, lambda), each mu_k integrated out: precisions add."""
    density = -(m**2) / (2 * lam) - W_K * (rbar_k - m) ** 2 / (2 * s0) + OTHERS
    mean = V_LAM * W_ALL / s0 * rbar_0
    extra = {**DATA, m: real(), lam: positive()}
    square = arm_goal(sp.Derivative(density, m), "=", -(m - mean) / V_LAM, extra=extra, name="completed square")
    return normal(m, mean, V_LAM, square, name, "mu_0 ~ N(0, lambda)")
