"""Appendix G (`sec:extensions`): what a lock-out does to Theorem them-R-Bayes-SubR (1)."""

from math import comb

import sympy as sp

from theory.kernel.analysis import number
from theory.kernel.argument import Argument, Computation, gap, proof, refuted
from theory.kernel.claim import claim
from theory.kernel.goal import Goal, Letter, Point, Rel, at_least, positive, real
from theory.kernel.rules import Applied, Monotone, applied, uses
from theory.kernel.rules.compose import Domain
from theory.model import bound_formulas as bounds
from theory.model.arms import s, s0
from theory.model.counts import spread
from theory.model.play import K
from theory.model.play import N as ROUND
from theory.model.regret_bounds import ELL, T_1, Bound
from theory.model.width_ratio import M

x = sp.Symbol("x")


ARMS, ROUNDS, SPREAD, NOISE, WIDTH = map(sp.sympify, (2, 10**60, "1/8", "1/25600", "7/10"))
BAD, SUM, ADVANTAGE = 1200, 344, sp.Rational(1, 160) / 360  # rewards, signs -1 in excess, D; sigma = 1/160
LOST = sp.Integer(89) * 10**30


def lower_bound(rewards: int, excess: int, advantage: sp.Rational) -> sp.Rational:
    """K 2^-K (n - s) D P(S_s <= -z), the probability by counting."""
    low = sum(comb(rewards, ups) for ups in range((rewards - excess) // 2 + 1))
    return ARMS / 2**ARMS * (ROUNDS - rewards) * advantage * sp.Rational(low, 2**rewards)


@claim(
    "them-R-Bayes-SubR/long-horizons",
    by="paper",
    line=774,
    kind="bound",
    severity="result",
    cause="small-a",
    says=r"n>K,\ a\ge m:\quad R_n\le 2\beta\sqrt{aG\sigma_0^2Kn\log n}+(K+\rho)"
    r"\sqrt{8n\sigma_0^2\sigma^2/(\pi(\sigma_0^2+\sigma^2))}",
    cites=("them-R-Bayes-SubR/lock-out/regret",),
)
def long_horizons() -> Argument:
    """Not only the first round is wrong: for a < 1, which the theorem allows wherever m < 1, there are for every b
    between a and 1 problems whose regret grows like n^(1-b/2), faster than the bound. An exact case: two arms, means x
    or x + D, noise +-1/160 of a high arm only (so that the variances are far below the proxies, as subG allows; with
    variances equal to them the same happens later, lock-out/exact-variances); if 344 more of its first 1200 noises
    are negative than positive, it is not pulled again in 10^60 rounds, and this alone costs more than twice the bound,
    and more than the bound with 4 K sqrt(n) that the proof derives. For a > 1 the bound is true from some n on (claim
    them-R-Bayes-SubR/long-horizons/above-one)."""
    derived = bounds.theorem2(ARMS, ROUNDS, SPREAD, NOISE, WIDTH, 1)[0] + 4 * ARMS * sp.sqrt(ROUNDS)
    ratio, sigma = NOISE / SPREAD, sp.Rational(1, 160)
    weight = BAD / (BAD + ratio)
    lock = ((sp.Rational(SUM, BAD) - ADVANTAGE / sigma) * weight) ** 2 * BAD
    return refuted(
        Goal(
            Rel(LOST, "<=", sp.Add(*(Bound(name, ARMS, ROUNDS, SPREAD, NOISE, WIDTH) for name in ("ell_2", "T_1")))),
            given=(Rel(lock, ">", WIDTH * sp.log(ROUNDS)), Rel(WIDTH, ">=", M(ARMS, ratio))),
            name="a lower bound of R_n against the printed bound, K = 2, n = 10^60",
        ),
        at=Point(
            {},
            {
                "K": "2",
                "horizon": "10^60",
                "a": "7/10",
                "sigma_sq": "1/25600",
                "sigma0_sq": "1/8",
            },
            words={
                "mu_k": "x or x + 1/57600, fair",
                "noise": "none at x; 1/160 or -1/160, fair, at x + 1/57600",
                "event": "one arm is high, and of its first 1200 noises at most 428 are positive",
            },
        ),
        fails_when="K >= 2, m <= a < 1, sigma <= 1/2: for all large n (them-R-Bayes-SubR/lock-out/rate)",
        also=(
            Computation(
                "exact",
                "R_n >= K 2^-K (n-s) D P(S_s <= -z) >= 89 10^30, by counting",
                lambda *play: Rel(lower_bound(*play), ">=", LOST),
                (BAD, SUM, ADVANTAGE),
                {
                    "constant: 30 positive noises fewer": (BAD, SUM + 60, ADVANTAGE),
                    "constant: half the advantage": (BAD, SUM, ADVANTAGE / 2),
                },
            ),
            number(
                "the bound that the proof derives is exceeded too",
                Rel(LOST, ">", derived),
                ("constant: twice that bound", Rel(LOST, ">", 2 * derived)),
            ),
            Goal(Rel(4 * SPREAD, ">=", ADVANTAGE**2), name="proxy of the means"),
            Goal(Rel(sigma**2, "=", NOISE), name="proxy of the noise"),
        ),
    )


@claim(
    "sec:extensions/same-order/regret",
    by="paper",
    line=833,
    kind="prose",
    severity="argument",
    cause="small-a",
    says=r"a\ge m:\quad R_n\ \text{has the order}\ \sqrt n,\ \text{up to logarithms, as in Theorem 2}",
    cites=("them-R-Bayes-SubR", "them-R-Bayes-SubR/lock-out/rate"),
)
def same_order_of_regret() -> Argument:
    """The sentence is right about the bounds (claim sec:extensions/same-order). If the regret itself is meant: with
    a < 1 some problem reaches the power 1 - b/2 of n for any b above a. Theorem 2 requires a >= 1."""
    b = sp.Symbol("b")
    return gap(
        Goal(
            Rel(1 - b / 2, "<=", sp.Rational(1, 2)),
            {b: positive()},
            name="power of n that is reached",
            letters={b: Letter(b, "any number above the width a")},
        ),
        premises=(Rel(b, ">", WIDTH),),
        at=Point({b: sp.Rational(4, 5)}, {"K": "2", "a": str(WIDTH), "b": "4/5"}),
        fails_iff=Rel(b, "<", 1),
        fails_when="m <= a < 1: take b between a and 1",
    )


@claim(
    "sec:extensions/same-order/regret/repaired",
    by="us",
    kind="prose",
    repairs="sec:extensions/same-order/regret",
)
def order_of_regret() -> Argument:
    """For a >= 1 the bound of them-R-Bayes-SubR/long-horizons/repaired has the order of Theorem 2 in K and n, up to the
    factor 1 + log(n) sqrt(a log n)/4 in its last term: its leading term is that of Theorem 2, K is at most a quarter
    of its last term, and this is T_1 but for that factor and one that lies between two numbers free of K and n."""
    proved = uses("them-R-Bayes-SubR/long-horizons/repaired")
    free, given = proved.concludes.domain, proved.concludes.given
    total, last = proved.concludes.rel.stated[0], sp.sqrt(ROUND) * PIECES * RISE
    leading = proved.concludes.rel.stated[1] - 4 * K * last - K
    equal = Goal(Rel(leading, "=", ELL), free, given, "the leading term of Theorem 2")
    k, p, e, h, m, r, rho, T = sp.symbols("k p e h m r rho T")
    numbers = {**dict.fromkeys((k, p, e, rho, T), positive()), **dict.fromkeys((h, m, r), real())}
    same, sizes = Rel(T, "=", 2 * p * (k + rho)), (Rel(k, "<=", k * p), Rel(h, "=", m), Rel(r, "<=", 4 * k * p + k + h))
    above = Goal(Rel(r, "<=", m + sp.Rational(5, 2) * T), numbers, (same, *sizes), "K and the last term by T_1")
    below = Goal(
        Rel(4 * k * p, ">=", 2 * T / (1 + rho)), {**numbers, k: at_least(1)}, (same,), "the last term from below"
    )
    scaled = tail_with_factors(free, given)
    at = {k: K, p: last, rho: s / s0, T: scaled.concludes.rel.stated[0], h: leading, m: ELL, r: total}
    parts = scaled, first_rounds(free, given), equal, proved
    return proof(
        applied(above, at, *parts, domain=free, given=given, name="regret"),
        applied(below, at, scaled, domain=free, given=given, name="the last term of its bound, from below"),
        letters=proved.concludes.letters,
    )


PIECES = 1 + spread(ROUND) * sp.log(ROUND) / 4
RISE = sp.exp((1 + 1 / s0) / 2)
ONE_ARM = Bound("C", 1, s0, s)


def tail_with_factors(free: Domain, given: tuple[Rel, ...]) -> Applied:
    """(1 + rho) T_1/C_1 times the factors of the last term is 2 sqrt(n) (K + rho) times these."""
    k, q, p, e, c, rho, T = sp.symbols("k q p e c rho T")
    stated = Rel(T_1, "=", 2 * sp.sqrt(ROUND) * (K + s / s0) * ONE_ARM / (1 + s / s0))
    product = Goal(
        Rel((1 + rho) * e / c * p * T, "=", 2 * (q * p * e) * (k + rho)),
        dict.fromkeys((k, q, p, e, c, rho, T), positive()),
        (Rel(T, "=", 2 * q * (k + rho) * c / (1 + rho)),),
        "with the factors",
    )
    at = {k: K, q: sp.sqrt(ROUND), p: PIECES, e: RISE, c: ONE_ARM, rho: s / s0, T: T_1}
    value = Goal(stated, free, given, "the tail of Theorem 2")
    return applied(product, at, value, domain=free, given=given, name="T_1 and the factors")


def first_rounds(free: Domain, given: tuple[Rel, ...]) -> Applied:
    """K is at most K times the factors of the last term, each of which is at least 1."""
    p, e = sp.symbols("p e")
    exponent = Goal(Rel(0, "<=", (1 + 1 / s0) / 2), free, given, "an exponent")
    power = Monotone(exponent, sp.exp(x), x, {x: at_least(0)}, name="its power")
    root = Monotone(
        Goal(Rel(1, "<=", ROUND), free, given, "n >= 1"), sp.sqrt(x), x, {x: positive()}, name="sqrt(n) >= 1"
    )
    piece = Goal(Rel(1, "<=", PIECES), free, given, "one piece at least")
    above = {p: positive(), e: positive()}
    two = Goal(Rel(1, "<=", p * e), above, (Rel(1, "<=", p), Rel(1, "<=", e)), "two factors")
    at = {p: sp.sqrt(ROUND), e: PIECES}
    both = applied(two, at, root, piece, domain=free, given=given, name="two factors")
    at = {p: sp.sqrt(ROUND) * PIECES, e: RISE}
    three = applied(two, at, both, power, domain=free, given=given, name="three factors")
    times = Goal(Rel(e, "<=", e * p), above, (Rel(1, "<=", p),), "times K")
    at = {e: K, p: sp.sqrt(ROUND) * PIECES * RISE}
    return applied(times, at, three, domain=free, given=given, name="the first K rounds")
