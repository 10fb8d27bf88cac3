"""The normal tail and the gaps between arms against `reucb.bounds.normal`."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import sympy as sp
from flint import arb
from hypothesis import strategies as st

from reucb.bounds.normal import density, excess, gap_density, upper_tail
from tests.agreement.arms import DYADIC
from tests.agreement.registry import Code, against_code, agree, exactly, hold, holds, value
from tests.theory.harness.search import built
from theory.kernel.items import below
from theory.kernel.rules import IntegralOf
from theory.model import normal as gaussian

POINTS = st.integers(1, 32).map(lambda i: Fraction(i, 8))  # up to 4, where Psi = phi (1 - s M) cancels by 20 at most


def normal(code: Code, at: Fraction | float) -> tuple[arb, arb, arb]:
    """phi, Q and Psi by the code."""
    x = np.array(float(at))
    return code.bound(density(x)), code.bound(upper_tail(x)), code.bound(excess(x))


@against_code("ours/psi", "ours/mills", "ours/psi/shifted")
def excess_of_a_normal(data: st.DataObject, code: Code) -> None:
    s, x = data.draw(POINTS, "s"), data.draw(POINTS, "x")
    p, q, psi = normal(code, s)
    exact = [
        value(f(gaussian.sp.Rational(s.numerator, s.denominator)))
        for f in (gaussian.phi, gaussian.upper, gaussian.excess)
    ]
    named = {"s": s, "z": s, "x": x, "p": exact[0], "q": exact[1], "v": exact[2]}
    hold(
        "ours/psi",
        named,
        {"p": p, "q": q},
        left={"from s": psi, "below phi": psi},
        right={"from s": psi, "first derivative": -q, "second derivative": p},
    )
    holds((exactly(s) + psi) * q, "<=", p)  # ours/psi/shifted
    density_at_x, beyond_x, _ = normal(code, x)
    holds(beyond_x, "<=", density_at_x / exactly(x))  # ours/mills


@against_code(
    "ours/psi/round",
    "sec:proof/tail-integral",
    "sec:proof/tail-union/repaired",
    "sec:proof/third-term/display/repaired",
    "ours/logarithmic/upper-side",
    "confidence-C",
    "sec:proof/delta",
    "them-R-Bayes-SubR/delta-power/repaired",
    "them-R-Bayes-SubR/third-term/repaired",
)
def tails_of_a_round(data: st.DataObject, code: Code) -> None:
    """At the width of round t, with a log t a square up to rounding of the double that the code is given."""
    t, x = data.draw(st.integers(2, 20), "t"), data.draw(POINTS, "x")
    a = 2 + exactly(data.draw(DYADIC, "a")) / 4
    width = (a * arb(t).log()).sqrt()
    nearest = float(width.mid())
    p, q, _ = normal(code, nearest)
    wide = arb(1, 1e-14 * (1 + nearest**2))  # what half an ulp of the width does to phi and Q
    named = {"a": a, "t": t, "L": arb(t).log(), "v": a}
    hold("ours/psi/round", named, left={"density": p * wide}, right={"slope in t": -a * q * wide / (2 * t * width)})
    norm = (2 * arb.pi()).sqrt()
    holds(q * wide, "<=", p * wide * norm)  # them-R-Bayes-SubR/delta-power/repaired: P(Z > s) <= exp(-s^2/2)
    holds(q * wide, "<=", 1 / arb(t).sqrt())  # them-R-Bayes-SubR/third-term/repaired, the term of round t
    hold("confidence-C", named, left={"radicands": -2 * (p * wide * norm).log()})
    for power in (1, 2):
        holds(p * wide * norm, "<=", arb(t) ** (-arb(power) / 2))  # sec:proof/delta
    v = 1 + data.draw(POINTS, "root of the variance")
    tail = built("sec:proof/tail-integral").conclusions[0].rel.right
    agree(exactly(v) * p * wide, value(tail, {"v": v**2, "a": a, "t": t}))  # and the tails given the differences
    level, tail, _ = normal(code, x)
    agree(exactly(v) * tail + level, integral("ours/logarithmic/upper-side", x=x, c=v))


def integral(claim: str, **at: Fraction) -> sp.Expr:
    """The value that a claim gives to its integral, at a point."""
    items = built(claim).items
    found = next(part for item in items for part in (item, *below(item)) if isinstance(part, IntegralOf))
    values = {sp.Symbol(x): sp.Rational(v.numerator, v.denominator) for x, v in at.items()}
    return found.concludes.rel.right.subs(values)


@against_code("ours/logarithmic/gaps")
def density_of_gaps(data: st.DataObject, code: Code) -> None:
    y, z, arms = data.draw(POINTS, "y"), data.draw(POINTS, "z"), data.draw(st.integers(1, 9), "arms")
    (p, q, _), (away, _, _) = normal(code, y), normal(code, y - z)
    hold(
        "ours/logarithmic/gaps",
        {"y": y, "z": z, "K": arms},
        left={"completed square": p * away},
        right={"Phi^K": arms * p * (1 - q) ** (arms - 1)},
    )
    two, many = (code.bound(gap_density(np.array([float(z)]), k)[0]) for k in (2.0, arms + 1.0))
    agree(two, (-(exactly(z) ** 2) / 4).exp() / arb.pi().sqrt())  # the difference of two normals, doubled
    holds(many, "<=", (arms + 1) * arms * (-(exactly(z) ** 2) / 4).exp() / (4 * arb.pi()).sqrt())
