"""Laws of the errors of a round given the reward differences, as the proofs use them: they are jointly normal with mean
0, variances tau^2 and nonnegative covariances (ours/conditioning/law, ours/correlation). For association see
`theory.ours.association`, for two arms `theory.ours.within_intervals`.
"""

from collections.abc import Mapping

import sympy as sp

from theory.kernel.argument import Argument, Item, proof
from theory.kernel.claim import claim
from theory.kernel.goal import Goal, Rel, positive, real
from theory.kernel.rules import (
    Applied,
    Expectation,
    IntegralOf,
    Rescaled,
    applied,
    congruent,
    instance,
    replaced,
    uses,
)
from theory.kernel.terms import Event, Mean
from theory.model import known_play
from theory.model import round_errors as errors
from theory.model.error_law import KNOWN, REUCB
from theory.model.normal import Density, phi
from theory.model.play import LATER, k, t, tau, width
from theory.model.round_errors import X, d, e, out
from theory.ours.classical.normal import ABOVE, BELOW, CENTRED, SQUARED, Beyond
from theory.ours.normal_errors import Side, root, shortfall, unbiased

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
