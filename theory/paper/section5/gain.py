"""Section 5.1 (`sec:discussion`): the bound of Theorem them-R-Bayes against that of an agent without the common mean.

The agent takes the arms for independent N(0, sigma_q^2 + sigma_0^2); its bound is that of a known mean with this
variance. Our tail is (K + rho) sqrt(8 n sigma_0^2 sigma^2/(pi (sigma_0^2 + sigma^2))), which grows like sigma^2/sigma_0
as sigma_0 falls; the proof of the repaired theorem gives it with sqrt(beta) in place of beta, and then it does not.
"""

import sympy as sp

from theory.kernel.argument import Argument, proof, refuted
from theory.kernel.claim import claim
from theory.kernel.goal import Goal, Point, Rel, at_least, positive
from theory.model import bound_formulas as bounds
from theory.model.arms import s, s0

k, N, sq, L, x, m, C = sp.symbols("K horizon sigma_q_sq L x m C")
SIZES = {k: at_least(1, integer=True), s: positive(), s0: positive(), sq: positive()}
price, wide = 1 + s / (k * s0), sq + s0
tail_factor = 1 + s / (k * (s0 + s))  # 1 + 1/(K (1 + sigma_0^2/sigma^2))


def both(
    arms: int, rounds: int, spread: sp.Expr, noise: int, common: sp.Expr | int
) -> tuple[tuple[sp.Expr, sp.Expr], ...]:
    """(leading, tail) of Theorem them-R-Bayes (1) and of the agent without the common mean, a = 1."""
    size = sp.Integer(arms), sp.Integer(rounds)
    rest = sp.Integer(noise), sp.Integer(1), 1
    return bounds.theorem1(*size, spread, *rest), bounds.known_mean(*size, spread + common, *rest)


@claim(
    "sec:discussion/lower-whenever",
    by="paper",
    line=315,
    kind="prose",
    severity="argument",
    cause="ratio-of-logarithms",
    says=r"\beta\sigma_0^2\le\sigma_q^2+\sigma_0^2\ \Rightarrow\ \text{our leading term}\le\log n\cdot"
    r"\text{the agent's}",
    cites=("them-R-Bayes", "sec:discussion/rival-posterior"),
)
def printed_comparison() -> Argument:
    """Leading terms compared, up to a logarithm of n. For small sigma_0^2/sigma^2 the ratio log(1 + n x)/log(1 + x) is
    close to n, and no logarithmic factor: with x = 10^-6 and n = 10^6 it is 693147, that of the agent 121."""
    ours, theirs = both(10, 10**6, sp.Rational(1, 10**6), 1, sp.Rational(1, 10))
    shown = {"K": "10", "horizon": "10^6", "sigma_sq": "1", "sigma0_sq": "10^-6", "sigma_q_sq": "1/10", "a": "1"}
    return refuted(
        Goal(Rel(ours[0], "<=", sp.log(10**6) * theirs[0]), name="leading terms"),
        at=Point({}, shown),
        fails_when="sigma_0^2/sigma^2 is small against 1/n and n is large; for sigma_0 >= sigma it holds (the repair)",
    )


@claim(
    "sec:discussion/lower-whenever/repaired",
    by="us",
    kind="prose",
    says=r"\beta\sigma_0^2\le\sigma_q^2+\sigma_0^2,\ n\ge2,\ a\ge1:\quad R_n\le\sqrt{1+\frac{\log n}"
    r"{\log(1+\sigma_0^2/\sigma^2)}}\,\ell+\sqrt{1+\frac1{K(1+\sigma_0^2/\sigma^2)}}\,\theta,\quad\ell,\theta\ "
    r"\text{leading term and tail of the agent}",
    uses=("them-R-Bayes/repaired", "them-R-Bayes/repaired/tail", "sec:discussion/rival-posterior/repaired"),
    repairs="sec:discussion/lower-whenever",
)
def comparison() -> Argument:
    """Leading terms: 1 + mn <= (1 + m) n bounds our logarithms, and the agent's ratio is at least 1; for sigma_0 >=
    sigma the factor is a logarithm of n. Tails: the repaired proof gives ours with sqrt(beta), and then, with x =
    sigma_0^2/sigma^2 and y = 1/K, the squares are as (x+y)/(1+x) to (x+y)/(1+x+y) or more. No logarithm is needed, and
    the factor is at most sqrt 2."""
    big, ell, theirs, ours = sp.symbols("big ell theirs ours")
    free = {
        m: positive(),
        N: at_least(1),
        big: positive(),
        ell: positive(),
        L: at_least(0),
        theirs: positive(),
        ours: positive(),
        x: at_least(1),
    }
    enough = (Rel(price * s0, "<=", wide),)
    return proof(
        Goal(Rel(1 + m * N, "<=", (1 + m) * N), free, name="1 + mn <= (1 + m) n"),
        Goal(
            Rel(ours * big / ell, "<=", theirs * x * (1 + L / ell)),
            free,
            (Rel(big, "<=", ell + L), Rel(ours, "<=", theirs)),
            "logarithms: big <= ell + log n; x >= 1 the agent's ratio",
        ),
        Goal(Rel(1 + m, "<=", 1 + m * N), free, name="each ratio of logarithms is at least 1"),
        Goal(
            Rel(price * s0 * s / (s0 + s), "<=", tail_factor * wide * s / (wide + s)),
            SIZES,
            enough,
            "tails, squared, divided by 8 n K^2/pi",
        ),
        Goal(Rel(tail_factor, "<=", 2), SIZES, name="the factor of the tail, squared"),
        Goal(
            Rel(price * s0 * s / (s0 + s), "<=", price**2 * s0 * s / (s0 + s)),
            SIZES,
            name="sqrt(beta) in place of beta",
        ),
    )


@claim(
    "sec:discussion/improves",
    by="paper",
    line=567,
    kind="prose",
    severity="argument",
    cause="condition-left-out",
    says=r"\text{the bound improves on that of not using the structure}:\ \beta\sigma_0^2\le\sigma_q^2+\sigma_0^2",
    cites=("sec:discussion/lower-whenever",),
)
def printed_improvement() -> Argument:
    """Said without a condition. Already without the logarithms it takes K >= sigma^2/sigma_q^2: one common mean has to
    be learned from K arms, and with few arms, much noise and a nearly known mean that costs more than it brings."""
    one = sp.Integer(1)
    return refuted(
        Goal(Rel(price * s0, "<=", wide), SIZES, name="squared leading terms, without their logarithms"),
        at=Point(
            {k: 2 * one, s: 4 * one, s0: one, sq: one}, {"K": "2", "sigma_sq": "4", "sigma0_sq": "1", "sigma_q_sq": "1"}
        ),
        fails_iff=Rel(k * sq, "<", s),
        fails_when="K < sigma^2/sigma_q^2; with the logarithms also when "
        "sigma_0/sigma is small (sec:discussion/lower-whenever)",
    )


@claim(
    "sec:discussion/improves/repaired",
    by="us",
    kind="prose",
    says=r"K\ge\sigma^2/\sigma_q^2,\ \sigma_0\ge\sigma,\ n\ge2,\ a\ge1:\quad R_n\le\sqrt{1+\log_2n}\cdot"
    r"\text{bound of the agent}",
    uses=("sec:discussion/lower-whenever/repaired", "sec:discussion/guaranteed"),
    repairs="sec:discussion/improves",
)
def improvement() -> Argument:
    """With enough arms, and up to a logarithm: log(1 + sigma_0^2/sigma^2) is at least log 2, and the factor of the tail
    is at most sqrt(3/2)."""
    ell, two, theirs = sp.symbols("ell two theirs")  # log(1 + m), log 2, the agent's squared term
    free = dict.fromkeys((L, ell, two, theirs), positive())
    return proof(
        Goal(Rel(price * s0, "<=", wide), SIZES, (Rel(k * sq, ">=", s),), "enough arms"),
        Goal(
            Rel((1 + L / ell) * theirs, "<=", (1 + L / two) * theirs),
            free,
            (Rel(ell, ">=", two),),
            "the factor of sec:discussion/lower-whenever/repaired",
        ),
        Goal(Rel(1 + m, ">=", 2), {m: at_least(1)}, name="1 + sigma_0^2/sigma^2 >= 2"),
        Goal(Rel(tail_factor, "<=", sp.Rational(3, 2)), SIZES, (Rel(s0, ">=", s),), "factor of the tail, squared"),
        Goal(Rel(sp.Rational(3, 2), "<=", 1 + L / two), free, (Rel(L, ">=", two),), "at most 1 + log_2 n for n >= 2"),
    )
