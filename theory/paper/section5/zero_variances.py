"""Section 5 (`sec:analysis`): Theorem them-R-Bayes where a variance is 0, and in the limit."""

import sympy as sp

from theory.kernel.analysis import rises_from
from theory.kernel.argument import Argument, gap, proof
from theory.kernel.claim import claim
from theory.kernel.goal import Goal, Point, Rel, at_least, positive
from theory.model.arms import s, s0

k, N, x, big, ell, L, m = sp.symbols("K horizon x big ell L m")
tail_sq = (k + s / s0) ** 2 * s0 * s / (s0 + s)  # up to 8n/pi
SIZES = {k: at_least(1, integer=True), s: positive(), s0: positive()}


@claim(
    "them-R-Bayes/zero-variances",
    by="paper",
    line=289,
    kind="definition",
    severity="edge",
    cause="zero-variance",
    says=r"\sigma^2,\sigma_0^2\ge0:\ \text{the divisors}\ \sigma_0^2,\ \sigma^2\ \text{of the bound are positive}",
    cites=("them-R-Bayes",),
)
def printed_without_a_hypothesis() -> Argument:
    """Two hypotheses are missing: with arms that are all alike sigma^2/sigma_0^2 is not defined, and without noise
    sigma_0^2/sigma^2 is not."""
    inference = Goal(Rel(s * s0, ">", 0), {s: at_least(0), s0: at_least(0)}, name="product of the divisors")
    zero = sp.Integer(0)
    return gap(
        inference,
        premises=(Rel(s, ">=", 0), Rel(s0, ">=", 0)),
        fails_iff=Rel(s * s0, "<=", 0),
        fails_when="sigma^2 = 0 or sigma_0^2 = 0",
        at=Point({s: zero, s0: sp.Integer(1)}, {"sigma_sq": "0", "sigma0_sq": "1"}),
    )


@claim(
    "them-R-Bayes/zero-variances/repaired",
    by="us",
    kind="limit",
    says=r"\sigma\to0:\ \text{tail}\to0,\ 1\le G\le1+\frac{\log n}{\log(1+\sigma_0^2/\sigma^2)}\to1;"
    r"\quad\sigma_0\to0:\ \text{tail}\ge\frac{\sigma^2}{\sigma_0}\sqrt{8n/\pi}\to\infty\ "
    r"\text{while}\ R_n\to0",
    uses=("them-R-Bayes/repaired", "sec:analysis/round-robin"),
    repairs="them-R-Bayes/zero-variances",
)
def limits_of_the_bound() -> Argument:
    """Without noise the bound has the limit 2 sqrt(a sigma_0^2 K n log n). With arms that are ever more alike the tail
    grows without bound; the regret vanishes, being at most n times the spread of K arm means."""
    return proof(
        Goal(Rel(s * s0, ">", 0), {s: positive(), s0: positive()}, name="the printed divisors, for variances above 0"),
        Goal(Rel(tail_sq, "<=", k**2 * s * (s0 + s) / s0), SIZES, name="tail, squared: vanishes with the noise"),
        Goal(Rel(1 + m * N, "<=", (1 + m) * N), {m: positive(), N: at_least(1)}, name="1 + mn <= (1 + m) n"),
        Goal(
            Rel(big / ell, "<=", 1 + L / ell),
            {big: positive(), ell: positive(), L: at_least(0)},
            (Rel(big, "<=", ell + L),),
            "ratio of logarithms: big = log(1+mn), ell = log(1+m), L = log n",
        ),
        *rises_from(sp.log(1 + x) - x / (1 + x), x, sp.Integer(0), {x: at_least(0)}, "log(1+m) >= m/(1+m)"),
        Goal(Rel(tail_sq, ">=", s**2 / s0), SIZES, name="tail, squared: grows as the spread vanishes"),
    )
