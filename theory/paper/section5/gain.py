"""Section 5.1 (`sec:discussion`): the bound of Theorem them-R-Bayes against that of an agent without the common mean.

The agent takes the arms for independent N(0, sigma_q^2 + sigma_0^2); its bound is that of a known mean with this
variance. Our tail is (K + rho) sqrt(8 n sigma_0^2 sigma^2/(pi (sigma_0^2 + sigma^2))), which grows like sigma^2/sigma_0
as sigma_0 falls; the proof of the repaired theorem gives it with sqrt(beta) in place of beta, and then it does not.
"""

import sympy as sp

from theory.kernel.argument import Computation, Item, proof, refuted
from theory.kernel.claim import claim
from theory.kernel.goal import Goal, Point, Rel, at_least, positive
from theory.kernel.region import Region, exactly
from theory.model import bound_formulas as bounds
from theory.model.arms import s, s0

HERE = "Section 5.1"
k, N, sq, L, x, m, C = sp.symbols("K horizon sigma_q_sq L x m C")
SIZES = {k: at_least(1, integer=True), s: positive(), s0: positive(), sq: positive()}
price, wide = 1 + s / (k * s0), sq + s0
tail_factor = 1 + s / (k * (s0 + s))  # 1 + 1/(K (1 + sigma_0^2/sigma^2))


def both(arms: int, rounds: int, spread: sp.Expr, noise: int, common: int) -> tuple[tuple[sp.Expr, sp.Expr], ...]:
    """(leading, tail) of Theorem them-R-Bayes (1) and of the agent without the common mean, a = 1."""
    size = sp.Integer(arms), sp.Integer(rounds)
    rest = sp.Integer(noise), sp.Integer(1), 1
    return bounds.theorem1(*size, spread, *rest), bounds.known_mean(*size, spread + common, *rest)


@claim(
    "sec:discussion/lower-whenever",
    where=f"{HERE}, fourth paragraph",
    kind="prose",
    depends_on=("them-R-Bayes", "sec:discussion/rival-posterior"),
    says=r"\beta\sigma_0^2\le\sigma_q^2+\sigma_0^2\ \Rightarrow\ \text{our bound}\le C\cdot\text{the agent's},\ C\ "
    r"\text{of logarithmic size in}\ n",
)
def printed_comparison():
    """The bound has a tail, which the comparison of the leading terms leaves out. Two arms and two rounds, where every
    logarithm is a constant, sigma = sigma_q = a = 1: as sigma_0 falls our tail grows beyond every multiple of the
    agent's bound, which stays below 11. At sigma_0^2 = 1/100 ours is more than three times the agent's."""
    (lead, tail), theirs = both(2, 2, s0, 1, 1)
    one = sp.Integer(1)
    return refuted(
        Goal(
            Rel(lead + tail, "<=", C * sum(theirs)),
            {s0: positive(), C: at_least(1)},
            name="K = n = 2, sigma = sigma_q = a = 1: bounds",
        ),
        at=Point(
            {s0: one / 100, C: 3 * one},
            {"K": "2", "horizon": "2", "sigma_sq": "1", "sigma0_sq": "1/100", "sigma_q_sq": "1", "a": "1", "C": "3"},
        ),
        region=two_rounds(),
        fails_when="K = n = 2, sigma = sigma_q = a = 1: for every C >= 1 when sigma_0^2 <= 1/(24 C^2); by the leading "
        "terms alone when our ratio of logarithms, up to n for small sigma_0/sigma, exceeds what is allowed",
        also=every_multiple(),
    )


def every_multiple() -> tuple[Item, ...]:
    """K = n = 2, sigma = sigma_q = a = 1, sigma_0^2 <= 1/(24 C^2): our tail alone is above C times 67/10 + 19/5, and
    the agent's two terms are below these, p = 1 + sigma_0^2 <= 2."""
    p, G, log, circle = sp.symbols("p G log circle")  # G = log(1 + 2p)/log(1 + p), log 2, pi
    free = {p: at_least(1), G: at_least(1), log: positive(), circle: at_least(3), s0: positive(), C: at_least(1)}

    def constants(low: sp.Expr, high: sp.Expr, most: sp.Expr) -> tuple[Rel, ...]:
        return Rel(sp.pi, ">=", low), Rel(sp.pi, "<=", high), Rel(sp.log(2), "<=", most)

    small, large, tenths = sp.Integer(3), sp.Rational(16, 5), sp.Rational(7, 10)
    return (
        Computation(
            "arb",
            "3 <= pi <= 16/5 and log 2 <= 7/10",
            constants,
            (small, large, tenths),
            {
                "constant: pi >= 16/5": (large, large, tenths),
                "constant: log 2 <= 1/2": (small, large, sp.Rational(1, 2)),
            },
        ),
        Goal(Rel(1 + 2 * p, "<=", (1 + p) ** 2), free, name="G <= 2"),
        Goal(
            Rel(16 * G * p * log, "<=", sp.Rational(67, 10) ** 2),
            free,
            (Rel(G, "<=", 2), Rel(p, "<=", 2), Rel(log, "<=", tenths)),
            "the agent's leading term, squared",
        ),
        Goal(
            Rel(64 * p / (circle * (1 + p)), "<=", sp.Rational(19, 5) ** 2),
            free,
            (Rel(p, "<=", 2),),
            "the agent's tail, squared",
        ),
        Goal(
            Rel((2 + 1 / s0) ** 2 * 16 * s0 / (circle * (1 + s0)), ">=", 5 / s0),
            free,
            (Rel(circle, "<=", large),),
            "our tail, squared",
        ),
        Goal(
            Rel(5 / s0, ">", (sp.Rational(21, 2) * C) ** 2),
            free,
            (Rel(24 * C**2 * s0, "<=", 1),),
            "more than C times 67/10 + 19/5, squared",
        ),
    )


def two_rounds() -> Region:
    """Where our bound exceeds C times the agent's, K = n = 2, sigma = sigma_q = a = 1; the four terms as symbols."""
    lead, tail, theirs, their_tail = terms = sp.symbols("lead tail theirs their_tail")
    free = {**dict.fromkeys(terms, positive()), C: at_least(1)}
    (ours, our_tail), (rival, rival_tail) = both(2, 2, s0, 1, 1)
    return exactly(
        Goal(Rel(lead + tail, "<=", C * (theirs + their_tail)), free),
        Rel(tail, ">", C * (theirs + their_tail) - lead),
        {lead: ours, tail: our_tail, theirs: rival, their_tail: rival_tail},
    )


@claim(
    "sec:discussion/lower-whenever/repaired",
    where=f"{HERE}, fourth paragraph",
    kind="prose",
    repairs="sec:discussion/lower-whenever",
    depends_on=("them-R-Bayes/repaired", "them-R-Bayes/repaired/tail", "sec:discussion/rival-posterior/repaired"),
    says=r"\beta\sigma_0^2\le\sigma_q^2+\sigma_0^2,\ n\ge2,\ a\ge1:\quad R_n\le\sqrt{1+\frac{\log n}"
    r"{\log(1+\sigma_0^2/\sigma^2)}}\,\ell+\sqrt{1+\frac1{K(1+\sigma_0^2/\sigma^2)}}\,\theta,\quad\ell,\theta\ "
    r"\text{leading term and tail of the agent}",
)
def comparison():
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
    where="Section 8, and the abstract",
    kind="prose",
    depends_on=("sec:discussion/lower-whenever",),
    says=r"\text{the bound improves on that of not using the structure}:\ \beta\sigma_0^2\le\sigma_q^2+\sigma_0^2",
)
def printed_improvement():
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
    where="Section 8, and the abstract",
    kind="prose",
    repairs="sec:discussion/improves",
    depends_on=("sec:discussion/lower-whenever/repaired", "sec:discussion/guaranteed"),
    says=r"K\ge\sigma^2/\sigma_q^2,\ \sigma_0\ge\sigma,\ n\ge2,\ a\ge1:\quad R_n\le\sqrt{1+\log_2n}\cdot"
    r"\text{bound of the agent}",
)
def improvement():
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
