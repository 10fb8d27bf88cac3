"""Section 5.2 (`sec:proof`): the two sums over rounds, sharp, and over the rounds after the first K."""

import sympy as sp

from theory.kernel.analysis import rises_from
from theory.kernel.argument import Argument, proof
from theory.kernel.claim import claim
from theory.kernel.classical import MONOTONE_LIMIT
from theory.kernel.goal import Goal, Rel, at_least, positive
from theory.kernel.rules import cited

x, d, t = sp.symbols("x d t")


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


@claim(
    "sec:proof/harmonic/after-K",
    by="us",
    kind="inequality",
    says=r"\sum_{t=K+1}^nt^{-1}\le\log(n/K)",
    uses=("sec:proof/harmonic",),
)
def harmonic_after() -> Argument:
    """The rounds that the repaired proof sums over: 1/(t+1) <= log((t+1)/t), added up from t = K."""
    return proof(
        *rises_from(sp.log(1 + x) - x / (1 + x), x, sp.Integer(0), {x: at_least(0)}, "log(1+x) - x/(1+x)"),
        Goal(Rel((x / (1 + x)).subs(x, 1 / t), "=", 1 / (t + 1)), {t: at_least(1)}, name="at x = 1/t"),
        Goal(Rel(sp.log(1 + 1 / t), "=", sp.log(t + 1) - sp.log(t)), {t: at_least(1)}, name="telescopes"),
    )


@claim(
    "sec:proof/sum-root/after-K",
    by="us",
    kind="inequality",
    says=r"\sum_{t=K+1}^nt^{-1/2}\le2(\sqrt n-\sqrt K)",
    cites=("sec:proof/sum-root",),
)
def roots_after() -> Argument:
    """Each term 1/sqrt(t+1) is at most 2 (sqrt(t+1) - sqrt(t)). Roots whose squares differ by 1 are (1/d -+ d)/2."""
    low, high = (1 / d - d) / 2, (1 / d + d) / 2
    return proof(
        Goal(Rel(high**2 - low**2, "=", 1), {d: positive()}, name="sqrt(t) and sqrt(t+1)"),
        Goal(Rel(1 / high, "<=", 2 * (high - low)), {d: positive()}, name="one term"),
    )
