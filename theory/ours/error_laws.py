"""Laws of the errors of a round given the reward differences, as the proofs use them: they are jointly normal with mean
0, variances tau^2 and nonnegative covariances (ours/conditioning/law, ours/correlation). The law of two arms within
both of their intervals is cited here; for association see `theory.ours.association`.
"""

from collections.abc import Mapping

import sympy as sp

from theory.kernel.argument import Argument, Item, proof, step
from theory.kernel.claim import claim
from theory.kernel.classical import GAUSSIAN_CONDITIONING
from theory.kernel.goal import Goal, Rel, at_least, positive, real
from theory.kernel.rules import (
    Applied,
    Expectation,
    IntegralOf,
    Rescaled,
    applied,
    cited,
    congruent,
    instance,
    replaced,
    uses,
)
from theory.kernel.terms import Event, Mean
from theory.model import known_play
from theory.model import round_errors as errors
from theory.model.arms import V0, W, Wo, arm_goal, n, s, s0, tau_sq, w, weight
from theory.model.error_law import KNOWN, RATIO, REUCB, n_i
from theory.model.moments import w_i
from theory.model.normal import Density, phi, upper
from theory.model.play import COUNT, LATER, K, k, t, tau, width
from theory.model.round_errors import CHOSEN, X, d, e, fail_R, given, out, slope
from theory.ours.classical.normal import ABOVE, BELOW, CENTRED, SQUARED, Beyond
from theory.ours.normal_errors import Side, root, shortfall, unbiased
from theory.ours.two_errors import REST

x, y, h, L = sp.symbols("x y h L")
LAW = "ours/conditioning/law"
TAIL = sp.Integral(x * phi(x), (x, width, sp.oo))  # E[Z 1{Z > sqrt(a log t)}], Z standard normal


def beyond_width(side: Mapping[tuple[int, bool], Beyond]) -> Side:
    """The error of arm k, or its negative, above sqrt(a log t) tau."""
    return Side(REUCB, LAW, side, width)


def by_integral(mean: sp.Expr, factor: sp.Expr, known: Item, name: str) -> Applied:
    """mean = factor TAIL, as `known` proves mean = factor phi(sqrt(a log t))."""
    u, v, q, r, low = sp.symbols("u v q r low")
    line, free = {x: real(), low: real()}, dict.fromkeys((u, v, q, r), real())
    area = IntegralOf(x * phi(x), -phi(x), x, low, sp.oo, line, (None, sp.S.Zero), "tail of a standard normal")
    here = instance(area, {low: width}, errors.ARM, (LATER,), name="from sqrt(a log t) on")
    lemma = Goal(Rel(u, "=", v * r), free, (Rel(u, "=", v * q), Rel(r, "=", q)), "the tail by its integral")
    at = {u: mean, v: factor, q: here.concludes.rel.stated[1], r: TAIL}
    return applied(lemma, at, known, here, domain=errors.ARM, given=(LATER,), name=name)


def standardised() -> Applied:
    """E[Z 1{Z > sqrt(a log t)}] = phi(sqrt(a log t)), from tau Z = -X and tau > 0."""
    error, own, Z = X(k, t, d, e), tau(k, t, d), errors.Z(k, t, d, e)
    side, given_ = beyond_width(BELOW), (LATER,)
    p, q, r, v = sp.symbols("p q r v")
    above = Goal(Rel(p, ">", 0), {p: real(), q: positive()}, (Rel(q, "=", p),), "a root is positive")
    spread = root(REUCB).concludes.rel.stated[0]
    wide = applied(above, {p: own, q: spread}, root(REUCB), domain=errors.ARM, given=given_, name="tau > 0")
    moved = congruent(-r * Event(-r - width * own, 1), r, errors.SCALED, errors.ARM, given_, name="in units of tau")
    positive_width = (*given_, wide.concludes.rel)
    sign = Rescaled(Z - width, own, errors.ARM, True, positive_width, "in units of tau")
    rel = Rel(moved.concludes.rel.stated[0], "=", own * errors.beyond(k))
    both = replaced(moved, sign, rel, errors.ARM, positive_width, "every outcome")
    divided = Goal(
        Rel(y, "=", r / v),
        {v: positive(), y: real(), p: real(), r: real()},
        (Rel(p, "=", v * y), Rel(p, "=", r)),
        "divided by tau",
    )
    at = {p: Mean(-error * side.event, e), v: own, y: Mean(errors.beyond(k), e), r: own * Density(width)}
    parts = wide, Expectation(both, (e,)), side.law(1)
    return applied(divided, at, *parts, domain=errors.ARM, given=given_, name="in units of tau")


@claim("ours/conditioning/given-differences", by="us", kind="statement")
def given_differences() -> Argument:
    """Given all reward differences, and so all choices, counts and widths, the error of an arm is N(0, tau^2). What the
    proofs use of this law: its mean, its square, and what lies beyond sqrt(a log t) tau."""
    error, side = X(k, t, d, e), beyond_width(ABOVE)
    plain = [
        instance(uses(LAW, item=moment.name), {}, errors.ARM, (LATER,), name=name)
        for moment, name in ((CENTRED, "an error has mean 0"), (SQUARED, "square of an error"))
    ]
    tail = by_integral(Mean(error * out(k), e), tau(k, t, d), side.law(1), "tail of one arm")
    unit = by_integral(Mean(errors.beyond(k), e), sp.S.One, standardised(), "tail of a standard normal")
    return proof(*plain, tail, unit, letters=errors.GIVEN)


def normal_equations() -> Goal:
    """Cov(X_I - r X_k, X_k) = 0 for another arm than k, r = (1 - w_I)/(W + 1 - w_k)."""
    ratio = (1 - w_i) / (W + 1 - w)
    rest = (1 - w_i) * (1 - w) * V0 - ratio * tau_sq
    return arm_goal(rest, "=", 0, extra={w_i: positive()}, name="Cov(X_I - r X_k, X_k)")


def correlation(odds: sp.Expr) -> sp.Expr:
    """r, where odds = r/sqrt(1 - r^2)."""
    return odds / sp.sqrt(1 + odds**2)


def within_both() -> sp.Expr:
    """Density times mean of the pulled arm's error below L, given that the other's is x < L, in units of their taus;
    h = r/sqrt(1 - r^2)."""
    root = sp.sqrt(1 + h**2)
    r, q, z = correlation(h), 1 / root, L * root - h * x
    return phi(x) * (r * x * (1 - upper(z)) - q * phi(z))


@claim("ours/conditioning/two-arms", by="us", kind="statement", uses=("ours/conditioning/pair", "ours/correlation"))
def two_arms() -> Argument:
    """Of two arms the errors are jointly normal given the differences: X_I = r X_k and an independent part, r =
    Cov/tau_k^2."""
    inside = Mean(X(CHOSEN, t, d, e) * (1 - fail_R), e)
    both = sp.Integral(within_both().xreplace({h: slope, L: width}), (x, -sp.oo, width))
    rel, name = Rel(inside, "=", tau(CHOSEN, t, d) * both), "the error of the pulled arm within both intervals"
    gives = given(name, rel, Rel(K, "=", 2))
    law = cited(GAUSSIAN_CONDITIONING, hypotheses=(normal_equations(),), gives=gives, name=name)
    left = tau_sq.xreplace({n: n_i, Wo: w + Wo - weight(n_i)}) - RATIO**2 * tau_sq
    pulled = {n: COUNT, n_i: COUNT, Wo: at_least(0), s: positive(), s0: positive()}
    rest = Goal(Rel(left, "=", REST), pulled, name="variance of the independent part")
    return proof(step(rest), law, letters=errors.GIVEN)


@claim("ours/conditioning/known-mu0", by="us", kind="statement")
def known_mean() -> Argument:
    """Given all rewards mu_k is N(tilde-mu_k, tilde-tau_k^2) for the agent that knows mu_0: the mean over all outcomes
    of the pulled arm's error and of positive parts."""
    source = "ours/conditioning/law/known-mu0"
    below = Side(KNOWN, source, BELOW, width, strict=False)
    found = (
        unbiased(KNOWN, uses(source, item=CENTRED.name), known_play.CHOSEN, "mean of the pulled arm's error"),
        shortfall(below, known_play.POSITIVE_PART, k, "mean of a positive part"),
    )
    return proof(*found, letters=known_play.LETTERS)
