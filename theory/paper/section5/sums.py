"""Section 5.2 (`sec:proof`): the two sums over rounds, sharp, and over the rounds after the first K."""

import sympy as sp

from theory.kernel.analysis import rises_from
from theory.kernel.argument import Argument, proof
from theory.kernel.claim import claim
from theory.kernel.classical import MONOTONE_LIMIT
from theory.kernel.goal import Goal, Rel, at_least
from theory.kernel.rules import cited
from theory.model.sums import harmonic_after, roots_after

x, t = sp.symbols("x t")


@claim(
    "sec:proof/harmonic/sharp",
    by="us",
    kind="inequality",
    says=r"\sum_{t=1}^nt^{-1}\le\log n+\gamma+\frac1{2n},\ \gamma=0.577\ldots:\ \text{the difference falls to}\ 0",
    uses=("sec:proof/harmonic",),
)
def harmonic_sharp() -> Argument:
    """H_n - log n - 1/(2n) rises in n, by x/2 + x/(2(1+x)) - log(1+x) at x = 1/n, which is 0 at 0 and has the slope
    x^2/(2(1+x)^2); and it tends to Euler's constant."""
    step = x / 2 + x / (2 * (1 + x)) - sp.log(1 + x)
    one_more = 1 / (t + 1) - 1 / (2 * (t + 1)) + 1 / (2 * t)
    rises = rises_from(step, x, sp.Integer(0), {x: at_least(0)}, "x/2 + x/(2(1+x)) - log(1+x)")
    return proof(
        Goal(
            Rel(one_more, "=", (x / 2 + x / (2 * (1 + x))).subs(x, 1 / t)),
            {t: at_least(1)},
            name="one more round, at x = 1/t",
        ),
        cited(MONOTONE_LIMIT, hypotheses=rises, name="H_n - log n - 1/(2n), whose limit is by definition gamma"),
    )


@claim("sec:proof/harmonic/after-K", by="us", kind="inequality", cites=("sec:proof/harmonic",))
def harmonic_after_first() -> Argument:
    """The rounds that the repaired proof sums over: 1/t <= log(t/(t-1)), added up from t = K + 1."""
    return proof(harmonic_after())


@claim("sec:proof/sum-root/after-K", by="us", kind="inequality", cites=("sec:proof/sum-root",))
def roots_after_first() -> Argument:
    """Each term 1/sqrt(t) is at most 2 (sqrt(t) - sqrt(t-1)); the sum telescopes."""
    return proof(roots_after())
