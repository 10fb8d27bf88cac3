"""Laws given everything seen, in the Gaussian model: prior times likelihood is a square in the exponent.

A policy's choices are factors of the likelihood without mu_k and mu_0 (ours/adaptive-likelihood), so that the counts
may depend on the rewards.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import sympy as sp

from theory.kernel.argument import Item
from theory.kernel.goal import Goal, Rel, Var, positive, real
from theory.kernel.rules import Applied, Monotone, Substitution, applied, instance, uses
from theory.kernel.rules.compose import conclusion
from theory.model.arms import W, Wo, arm_goal, s0, w
from theory.model.conditional_laws import ARM, DATA, MU_HAT, OTHERS, bayes, c, given_seen, m, rbar_0, rbar_k, x
from theory.model.functions import Random
from theory.model.quantities import TAU_SQ, TAU_TILDE_SQ, V_LAM, W_ALL, W_K, lam, mu0
from theory.ours.classical import normal
from theory.ours.classical.normal import EXPONENTIAL, Moment, NormalDensity, b, u, y, z

p, q, r, k = sp.symbols("p q r k")


def exponential(square: Item) -> Monotone:
    """e^a = e^b from a = b."""
    return Monotone(square, sp.exp(q), q, {q: real()}, name="density")


def law(value: Random, density: NormalDensity, like: Goal, name: str, prior: str, moment: Moment) -> Applied:
    """A moment of a quantity given what was seen; `moment` is a function of z, the mean and the variance."""
    of = moment.of.xreplace({z: value, normal.m: density.mean, normal.v: density.variance})
    return density.mean_of(moment, bayes(of, value, u, like, prior), name)


def one_square(
    value: sp.Symbol,
    log_density: sp.Expr,
    mean: sp.Expr,
    variance: sp.Expr,
    extra: Mapping[sp.Symbol, Var],
    name: str,
    prior: str,
    moment: Moment = EXPONENTIAL,
) -> Applied:
    """The law N(mean, variance) of a quantity whose log-density is a parabola."""
    log = log_density.xreplace({value: z})
    height = log - log.xreplace({z: mean})
    square = arm_goal(
        height, "=", -((z - mean) ** 2) / (2 * variance), extra={**extra, z: real()}, name="completed square"
    )
    drawn = given_seen(value, sp.exp(height).xreplace({z: value}), square.given)
    domain = {a: r for a, r in square.domain.items() if a != z} | {c: real(), drawn: real()}
    like = Goal(Rel(c, "=", c), {**domain, u: real()}, square.given, letters=square.letters, short=square.short)
    found = NormalDensity(sp.exp(height), mean, variance, sp.S.One, exponential(square), domain, square.given)
    return law(drawn, found, like, name, prior, moment)


def posterior_given_mu0(name: str, moment: Moment = EXPONENTIAL) -> Applied:
    """mu_k given mu_0 and all rewards: N(mu-tilde_k, tilde-tau_k^2)."""
    mean = (1 - W_K) * mu0 + W_K * rbar_k
    extra = {rbar_k: real(), mu0: real()}
    return one_square(x, ARM.subs(m, mu0), mean, TAU_TILDE_SQ, extra, name, "mu_0 given", moment)


def posterior_of_mu0(name: str) -> Applied:
    """mu_0 given all rewards, mu_0 ~ N(0, lambda), each mu_k integrated out: precisions add."""
    density = -(m**2) / (2 * lam) - W_K * (rbar_k - m) ** 2 / (2 * s0) + OTHERS
    mean = V_LAM * W_ALL / s0 * rbar_0
    extra = {**DATA, lam: positive()}
    return one_square(m, density, mean, V_LAM, extra, name, "mu_0 ~ N(0, lambda)")


def flat_posterior(
    name: str,
    at: Mapping[sp.Symbol, sp.Expr] | None = None,
    extra: Mapping[sp.Symbol, Var] | None = None,
    result: tuple[sp.Expr, sp.Expr] = (MU_HAT, TAU_SQ),
    state: Callable[..., Goal] = arm_goal,
    **how: Any,
) -> Applied:
    """mu_k given all rewards under a flat prior on mu_0: N(mu-hat_k, tau_k^2), or `result` where that is the same.

    The joint density of mu_k and mu_0 is that of mu_k times that of mu_0 given mu_k, of variance sigma_0^2/(1 + sum of
    the other arms' weights), which integrates to a number without mu_k. `at` and `extra` are other parameters and
    their ranges, `state` makes the goal.
    """
    here = {x: z, m: b, **(at or {})}
    mean, variance = (e.xreplace(dict(at or {})) for e in result)
    joint = (ARM + OTHERS).xreplace(here)
    centre = ((x + W * rbar_0 - w * rbar_k) / (1 + Wo)).xreplace(here)  # of mu_0, given mu_k = z
    spread = (s0 / (1 + Wo)).xreplace(here)
    top = joint.subs({z: mean, b: rbar_0}, simultaneous=True)
    own, other = -((z - mean) ** 2) / (2 * variance), -((b - centre) ** 2) / (2 * spread)
    ranges = {**DATA, z: real(), b: real(), **(extra or {})}
    square = state(joint - top, "=", own + other, extra=ranges, name="two squares", **how)
    density = sp.Integral(sp.exp(joint - top).xreplace({z: x, b: m}), (m, -sp.oo, sp.oo))
    drawn = given_seen(x, density, square.given)
    domain = {a: r for a, r in square.domain.items() if a not in (b, z)} | {c: real(), drawn: real()}
    inner = integrated(square, own, other, (centre, spread), {**domain, z: real()})
    f, size = conclusion(inner).rel.stated
    like = Goal(Rel(c, "=", c), {**domain, u: real()}, square.given, letters=square.letters, short=square.short)
    found = NormalDensity(f, mean, variance, size / sp.exp(own), inner, domain, square.given)
    return law(drawn, found, like, name, "mu_0 flat", EXPONENTIAL)


def integrated(
    square: Goal, own: sp.Expr, other: sp.Expr, rest: tuple[sp.Expr, sp.Expr], line: Mapping[sp.Symbol, Var]
) -> Applied:
    """The joint density of mu_k = z and mu_0 = b, integrated over mu_0, of mean and variance `rest` given mu_k."""
    split = Goal(Rel(sp.exp(q + p), "=", sp.exp(q) * sp.exp(p)), {q: real(), p: real()}, name="exponential of a sum")
    plane, given, stay = {**line, b: real()}, square.given, (sp.S.Zero, sp.S.One)
    factors = instance(split, {q: own, p: other}, plane, given, name="two factors")
    density = instance(exponential(square), {b: y}, {**line, y: real()}, given, name="joint density")
    f, together = density.concludes.rel.stated
    area = uses("ours/classical/normal", {normal.m: rest[0], normal.v: rest[1]}, item="area, b", domain=line)
    known, number = conclusion(area).rel.stated
    parts = Substitution(together, y, stay, sp.exp(own), sp.exp(other), b, factors, area, line, given, "two factors")
    both = parts.concludes.rel.stated[0]
    facts = Rel(x, "=", q * p), Rel(p, "=", k)
    lemma = Goal(Rel(x, "=", q * k), dict.fromkeys((q, p, k, x), real()), facts, "a known integral")
    at = {x: both, q: sp.exp(own), p: known, k: number}
    whole = applied(lemma, at, parts, area, domain=line, given=given, name="two factors")
    squares = Substitution(
        f.xreplace({y: m}), m, stay, sp.S.One, together, y, density, whole, line, given, "two squares"
    )
    facts = Rel(r, "=", x), Rel(x, "=", k)
    lemma = Goal(Rel(r, "=", k), dict.fromkeys((r, k, x), real()), facts, "known integrals")
    at = {r: squares.concludes.rel.stated[0], x: both, k: sp.exp(own) * number}
    return applied(lemma, at, squares, whole, domain=line, given=given, name="density of mu_k")
