"""Section 5.1 (`sec:discussion`): the bound of Theorem them-R-Bayes against that of an agent without the common mean.

The agent takes the arms for independent N(0, sigma_q^2 + sigma_0^2); its bound is that of a known mean with this
variance. Our tail is (K + rho) sqrt(8 n sigma_0^2 sigma^2/(pi (sigma_0^2 + sigma^2))), which grows like sigma^2/sigma_0
as sigma_0 falls; the proof of the repaired theorem gives it with sqrt(beta) in place of beta, and then it does not.
"""

import sympy as sp

from theory.kernel.argument import Argument, proof, refuted
from theory.kernel.claim import claim
from theory.kernel.goal import Goal, Point, Rel, positive, real
from theory.kernel.items import Item
from theory.kernel.rules import Monotone, Restated, applied, instance, restated, uses
from theory.model.arms import s, s0
from theory.model.play import K, N, a
from theory.model.random_mean import sq
from theory.model.regret import WORDS
from theory.model.regret_bounds import B_1_KNOWN, BETA, ELL, ELL_KNOWN, T_1, T_1_KNOWN, Bound, G
from theory.ours.root_series import linked
from theory.ours.theorem_gaussian import SEVERAL
from theory.paper.section5.common_mean import LETTERS, SIZES, WIDER, wide
from theory.paper.section5.order import rooted, summed

g, h, m, u, v, x, y, z, ROUNDS = sp.symbols("g h m u v x y z n")
LEAD, TAIL, RATIO = (q.xreplace(WIDER) for q in (ELL_KNOWN, T_1_KNOWN, G))  # of the agent
FACTOR, LOG_FACTOR = 1 + sp.log(N) / sp.log(1 + s0 / s), 1 + sp.log(N) / sp.log(2)
TAIL_FACTOR = 1 + 1 / (K * (1 + s0 / s))
WIDE = {**SEVERAL, sq: positive()}
REGRET_LETTERS = {**LETTERS, **WORDS}
ENOUGH = Rel(BETA * s0, "<=", wide)


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
    arms, rounds, one, spread = sp.Integer(10), sp.Integer(10**6), sp.Integer(1), sp.Rational(1, 10**6)
    own = spread + sp.Rational(1, 10)
    ours, theirs = Bound("ell", arms, rounds, spread, one, one), Bound("ell~", arms, rounds, own, one, one)
    shown = {"K": "10", "horizon": "10^6", "sigma_sq": "1", "sigma0_sq": "10^-6", "sigma_q_sq": "1/10", "a": "1"}
    return refuted(
        Goal(
            Rel(ours, "<=", sp.log(rounds) * theirs),
            given=(Rel(Bound("beta", arms, spread, one) * spread, "<=", own),),
            name="leading terms",
        ),
        at=Point({}, shown),
        fails_when="sigma_0^2/sigma^2 is small against 1/n and n is large; for sigma_0 >= sigma it holds (the repair)",
    )


def few_logarithms() -> Restated:
    """G <= 1 + log(n)/log(1 + m), m = sigma_0^2/sigma^2: 1 + m n <= (1 + m) n."""
    free = {m: positive(), N: SIZES[N]}
    logs = Monotone(
        Goal(Rel(1 + m * N, "<=", (1 + m) * N), free, name="1 + mn"), sp.log(x), x, {x: positive()}, name="logarithms"
    )
    terms = {u: positive(), v: positive(), y: positive()}
    quotient = Goal(Rel(u / v, "<=", 1 + y / v), terms, (Rel(u, "<=", v + y),), "a quotient")
    at = {u: sp.log(1 + m * N), v: sp.log(1 + m), y: sp.log(N)}
    ratio = applied(quotient, at, logs, domain=free, name="ratio of logarithms")
    return restated(instance(ratio, {m: s0 / s}, SIZES), Rel(G, "<=", FACTOR), "ratio of logarithms")


def at_least_one() -> Restated:
    """The agent's ratio of logarithms is at least 1."""
    logs = uses("them-R-Bayes/repaired/logarithms", {m: wide / s, ROUNDS: N}, domain=SIZES)
    terms = {u: positive(), v: positive()}
    quotient = Goal(Rel(1, "<=", u / v), terms, (Rel(v, "<=", u),), "a quotient")
    at = {u: sp.log(1 + N * wide / s), v: sp.log(1 + wide / s)}
    return restated(applied(quotient, at, logs, domain=SIZES), Rel(1, "<=", RATIO), "the agent's ratio of logarithms")


def leading_term() -> Restated:
    """ell <= sqrt(1 + log(n)/log(1 + m)) times the agent's leading term."""
    terms = dict.fromkeys((g, h, u, v, x, y), positive())
    known = (Rel(g, "<=", h), Rel(1, "<=", u), Rel(x, "<=", y))
    product = Goal(Rel(g * x, "<=", h * u * y), terms, known, "factor by factor")
    at = {g: G, h: FACTOR, u: RATIO, x: BETA * s0, y: wide}
    squares = applied(product, at, few_logarithms(), at_least_one(), domain=SIZES, given=(ENOUGH,), name="squares")
    factor, stated = 4 * a * K * N * sp.log(N), Rel(ELL, "<=", sp.sqrt(FACTOR) * LEAD)
    return rooted(squares, factor, stated, "leading terms", SIZES)


def last_term() -> Restated:
    """Tails, ours with sqrt(beta): with x = sigma_0^2/sigma^2 and y = 1/K the squares are as (x+y)/(1+x) to
    (x+y)/(1+x+y) or more."""
    variances = {x: SIZES[x] for x in (K, s0, s, sq)}
    squares = Goal(
        Rel(BETA * s0 * s / (s0 + s), "<=", TAIL_FACTOR * wide * s / (wide + s)), variances, (ENOUGH,), "tails, squared"
    )
    factor, stated = 2 * N * K**2 / sp.pi, Rel(T_1 / (2 * sp.sqrt(BETA)), "<=", sp.sqrt(TAIL_FACTOR) * TAIL / 2)
    return rooted(squares, factor, stated, "tails", SIZES)


@claim(
    "sec:discussion/lower-whenever/repaired",
    by="us",
    kind="prose",
    cites=("sec:discussion/rival-posterior/repaired",),
    repairs="sec:discussion/lower-whenever",
)
def comparison() -> Argument:
    """Leading terms: 1 + mn <= (1 + m) n bounds our logarithms, and the agent's ratio is at least 1; for sigma_0 >=
    sigma the factor is a logarithm of n. Tails: the repaired proof gives ours with sqrt(beta), and half of it. No
    logarithm is needed, and the factor is at most sqrt 2."""
    bound, ours = sp.sqrt(FACTOR) * LEAD + sp.sqrt(TAIL_FACTOR) * TAIL / 2, ELL + T_1 / (2 * sp.sqrt(BETA))
    both = summed(leading_term(), last_term(), Rel(ours, "<=", bound), "both terms")
    return proof(
        linked(uses("ours/root-price"), both, domain=WIDE, given=(ENOUGH,), name="up to a logarithm"),
        Goal(Rel(TAIL_FACTOR, "<=", 2), {x: SIZES[x] for x in (K, s0, s)}, name="the factor of the tail, squared"),
        letters=REGRET_LETTERS,
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
        Goal(
            Rel((1 + s / (K * s0)) * s0, "<=", wide),
            SIZES,
            name="squared leading terms, without their logarithms",
            letters=LETTERS,
        ),
        at=Point(
            {K: 2 * one, s: 4 * one, s0: one, sq: one}, {"K": "2", "sigma_sq": "4", "sigma0_sq": "1", "sigma_q_sq": "1"}
        ),
        fails_iff=Rel(K * sq, "<", s),
        fails_when="K < sigma^2/sigma_q^2; with the logarithms also when "
        "sigma_0/sigma is small (sec:discussion/lower-whenever)",
    )


@claim(
    "sec:discussion/improves/repaired",
    by="us",
    kind="prose",
    repairs="sec:discussion/improves",
)
def improvement() -> Argument:
    """With enough arms, and up to a logarithm: log(1 + sigma_0^2/sigma^2) is at least log 2, and the factor of the tail
    is at most sqrt(3/2)."""
    arms, spread = Rel(K * sq, ">=", s), Rel(s0, ">=", s)
    given = (arms, spread)
    enough = uses("sec:discussion/guaranteed", item="K large enough")
    both = uses("sec:discussion/lower-whenever/repaired", item="up to a logarithm")
    terms = {**dict.fromkeys((g, h), positive()), **dict.fromkeys((u, x, y, z), real())}
    known = (Rel(z, "<=", x * g + y * h / 2), Rel(x, "<=", u), Rel(y, "<=", u), Rel(u, ">=", 0))
    larger = Goal(Rel(z, "<=", u * (g + h)), terms, known, "the larger factor")
    ours, root = both.concludes.rel.stated[0], sp.sqrt(LOG_FACTOR)
    at = {z: ours, g: LEAD, h: TAIL, x: sp.sqrt(FACTOR), y: sp.sqrt(TAIL_FACTOR), u: root}
    with_enough = applied(both, {}, enough, domain=WIDE, given=(arms,), name="both terms, enough arms")
    parts = *(rooted_factor(item) for item in factors(spread)), with_enough
    bound = applied(larger, at, *parts, domain=WIDE, given=given, name="both terms")
    stated = Rel(ours, "<=", root * B_1_KNOWN.xreplace(WIDER))
    return proof(restated(bound, stated, "up to a logarithm"), letters=REGRET_LETTERS)


def factors(spread: Rel) -> tuple[Item, Item]:
    """Both factors, squared, are at most 1 + log(n)/log(2) if sigma_0 >= sigma and n >= 2."""
    sizes = {x: SIZES[x] for x in (K, N, s0, s)}
    two, terms = sp.log(2), dict.fromkeys((u, v, x, y), positive())
    odds = Goal(Rel(2, "<=", 1 + s0 / s), {s0: sizes[s0], s: sizes[s]}, (spread,), "1 + m >= 2")
    rounds = Goal(Rel(2, "<=", N), {N: sizes[N]}, name="n >= 2")
    log_odds, log_rounds = (Monotone(p, sp.log(x), x, {x: positive()}, name="logarithms") for p in (odds, rounds))
    smaller = Goal(Rel(1 + y / v, "<=", 1 + y / u), terms, (Rel(u, "<=", v),), "a smaller logarithm")
    lead = applied(smaller, {u: two, v: sp.log(1 + s0 / s), y: sp.log(N)}, log_odds, domain=sizes, given=(spread,))
    less = Goal(Rel(TAIL_FACTOR, "<=", sp.Rational(3, 2)), sizes, (spread,), "factor of the tail, squared")
    above = Goal(Rel(x, "<=", 1 + y / u), terms, (Rel(x, "<=", sp.Rational(3, 2)), Rel(u, "<=", y)), "at most 2")
    tail = applied(above, {x: TAIL_FACTOR, y: sp.log(N), u: two}, less, log_rounds, domain=sizes, given=(spread,))
    return lead, tail


def rooted_factor(item: Item) -> Monotone:
    return Monotone(item, sp.sqrt(x), x, {x: positive()}, name="square roots")
