"""Theorem 2 repaired: the printed bound holds for every n >= 2, by the conditioning instead of the printed posterior.

G = log(1+mn)/log(1+m) with m = sigma_0^2/sigma^2; beta = 1 + sigma^2/(K sigma_0^2).
"""

from functools import cache

import sympy as sp

from theory.kernel.argument import Argument, proof, step
from theory.kernel.claim import claim
from theory.kernel.goal import Goal, Letter, Rel, Var, at_least, positive, real
from theory.kernel.rules import (
    Applied,
    Cases,
    Monotone,
    NextInteger,
    Restated,
    SumOver,
    applied,
    follows,
    instance,
    restated,
    uses,
)
from theory.kernel.terms import Mean
from theory.model import bound_formulas as bounds
from theory.model.arms import HORIZON, s, s0
from theory.model.counts import ELL, PULLS, RATIO, WIDEST, G, ell, g, j, spread
from theory.model.play import COUNT, PULLED, K, N, a, count, o, t, tau
from theory.model.play import k as arm
from theory.model.play import width as WIDTH
from theory.model.regret import E_K, R_N, WORDS
from theory.model.regret_bounds import Bound
from theory.ours.counting import AFTER, ONE
from theory.ours.equal_shares import BETA, MORE, PRICE, ROOT_SUM, SHARES
from theory.ours.root_series import linked, order_of_roots
from theory.ours.sharp import (
    FIRST,
    IN_TURN_WIDTHS,
    LAST_WIDTH,
    PRODUCT,
    PSI,
    TAILS,
    equal_tails,
    equal_widths,
    shortfall,
)

x, y, z, u, v, p, q, r, h = sp.symbols("x y z u v p q r h")
ratio, LEVEL_OF = sp.symbols("G s")
WIDE = {**PULLS, a: at_least(1)}  # a >= 1
SEVERAL = {**WIDE, N: at_least(2, integer=True)}
ROOT = sp.sqrt(N * K * G(N))  # sqrt(n K G)
SIZES = (K, N, s0, s, a)
LEVEL = sp.sqrt(a * BETA * sp.log(N))  # sqrt(A)


def lead(ratio: sp.Expr, price: sp.Expr = BETA) -> sp.Expr:
    """The leading term of the printed bound, with this ratio of logarithms; price 1 for an agent that knows mu_0."""
    return 2 * sp.sqrt(a * ratio * price * s0 * K * N * sp.log(N))


def level(price: sp.Expr) -> sp.Expr:
    """sqrt(A), A = a beta log n."""
    return sp.sqrt(a * price * sp.log(N))


@claim("them-R-Bayes/repaired/logarithms", by="us", kind="step")
def ratio_at_least_one() -> Argument:
    """1 + mn >= 1 + m, and the logarithm keeps the order: the ratio G of the logarithms is at least 1."""
    m, n = sp.symbols("m n")
    free = {m: positive(), n: at_least(1)}
    arguments = Goal(Rel(1 + m, "<=", 1 + m * n), free, name="arguments")
    logs = Monotone(arguments, sp.log(x), x, {x: positive()}, name="logarithms")
    above = Monotone(Goal(Rel(1, "<=", 1 + m), free, name="1 + m"), sp.log(x), x, {x: positive()}, name="log(1+m) >= 0")
    return proof(logs, step(above), letters={m: Letter(m, "any number; sigma_0^2/sigma^2 in the theorem"), n: HORIZON})


@claim("them-R-Bayes/repaired/widths", by="us", kind="step")
def widths() -> Argument:
    """Every play meets at most the widths of arms pulled in turn; with the last logarithm for all of them, ours/equal-
    shares bounds their sum: the telescoped sum without the first pull of each arm, then Cauchy-Schwarz."""
    after, given = (AFTER,), (MORE,)
    pulled = instance(uses("ours/width/play"), {arm: PULLED}, PULLS, after, name="width of the pulled arm")
    at = {x: spread(t), y: tau(PULLED, t, o), z: g(count(PULLED, t, o))}
    one = applied(PRODUCT, at, pulled, domain=PULLS, given=after, name="times the factor")
    met = SumOver(one, t, K + 1, N, PULLS, given=given, name="all rounds")
    at = {x: LAST_WIDTH, y: SHARES, z: PRICE * ROOT_SUM}
    scaled = applied(PRODUCT, at, uses("ours/equal-shares"), domain=PULLS, given=given, name="times the last factor")
    parts = met, uses("ours/widest-last", item="a rising factor"), equal_widths(), scaled
    return proof(linked(*parts, domain=PULLS, given=given, name="widths"), letters=WORDS)


@claim("them-R-Bayes/repaired/am-gm", by="us", kind="step")
def am_gm() -> Argument:
    """(n-K)(G-1) <= (sqrt(nG) - sqrt(K))^2, which is n + KG >= 2 sqrt(n K G)."""
    sizes, given = {N: positive(), K: positive(), ratio: Var(sp.Integer(1), strict=True)}, (Rel(N, ">", K),)
    root = sp.sqrt(N * K * ratio)
    product = Goal(Rel(4 * N * K * ratio, "<=", (ratio * K + N) ** 2), sizes, name="a square", squares=(ratio * K - N,))
    mean = applied(
        order_of_roots(), {x: 2 * root, y: ratio * K + N}, product, domain=sizes, name="2 sqrt(nKG) <= n + KG"
    )
    whole = Goal(Rel(K**2, "<=", N * K * ratio), sizes, given, "K^2 <= nKG")
    least = applied(order_of_roots(), {x: K, y: root}, whole, domain=sizes, given=given, name="K <= sqrt(nKG)")
    squares = Goal(
        Rel(K * (ratio - 1) * (N - K), "<=", (z - K) ** 2),
        {**sizes, z: positive()},
        (Rel(2 * z, "<=", ratio * K + N), Rel(z**2, "=", N * K * ratio)),
        "the difference is K (n + KG - 2 sqrt(nKG))",
    )
    below = applied(squares, {z: root}, mean, domain=sizes, given=given, name="squares")
    at = {x: sp.sqrt(K * (ratio - 1)) * sp.sqrt(N - K), y: root - K}
    general = applied(order_of_roots(above=x), at, least, below, domain=sizes, given=given, name="any G > 1")
    here = applied(general, {ratio: G(N)}, uses("ours/equal-shares/ratio"), domain=PULLS, given=(MORE,), name="n > K")
    return proof(here, letters=WORDS)


def first_pulls_fit(price: sp.Expr) -> Applied:
    """K e_K + sqrt(A) (sqrt(nKG) - K) <= 2 sqrt(A n K G), A = a price log n."""
    given = (MORE,)
    largest = sp.sqrt(2 * sp.log(K + 1))
    arms = Goal(Rel(K + 1, "<=", N), {K: at_least(1), N: at_least(1)}, given, "K + 1 <= n")
    logs = Monotone(arms, sp.log(x), x, {x: positive()}, name="logarithms")
    factors = Goal(
        Rel(2 * y, "<=", 4 * (p * q * z)),
        {y: real(), z: at_least(0), p: at_least(1), q: at_least(1)},
        (Rel(y, "<=", z),),
        "a, beta >= 1",
    )
    at = {y: sp.log(K + 1), z: sp.log(N), p: a, q: price}
    squares = applied(factors, at, logs, domain=WIDE, given=given, name="squares")
    below = applied(order_of_roots(), {x: largest, y: 2 * level(price)}, squares, domain=WIDE, given=given, name="e_K")
    whole = Goal(
        Rel(K**2, "<=", N * K * ratio), {N: positive(), K: positive(), ratio: at_least(1)}, given, "K^2 <= nKG"
    )
    fewer = instance(whole, {ratio: G(N)}, PULLS, given, name="K^2 <= nKG")
    least = applied(order_of_roots(), {x: K, y: ROOT}, fewer, domain=PULLS, given=given, name="K <= sqrt(nKG)")
    slack = Goal(
        Rel(x * y + h * (z - x), "<=", 2 * h * z),
        {x: at_least(0), y: real(), z: real(), h: at_least(0), r: real()},
        (Rel(y, "<=", r), Rel(r, "<=", 2 * h), Rel(x, "<=", z)),
        "the slack",
    )
    at = {x: K, y: E_K, z: ROOT, h: level(price), r: largest}
    parts = uses("ours/e_K/steps", item="K >= 1"), below, least
    return applied(slack, at, *parts, domain=WIDE, given=given, name="first pulls")


@claim("them-R-Bayes/repaired/first-pulls", by="us", kind="step")
def first_pulls() -> Argument:
    """What the first pulls cost fits into the slack: e_K <= sqrt(2 log(K+1)) <= 2 sqrt(A), and sqrt(nKG) >= K."""
    return proof(first_pulls_fit(BETA), letters=WORDS)


def blind_pulls(price: sp.Expr) -> Applied:
    """n sigma_0 e_K is at most the leading term, 2 <= n <= K."""
    rounds, given = {**SEVERAL, K: at_least(2, integer=True)}, (Rel(N, "<=", K),)
    largest, twice = sp.sqrt(2 * sp.log(K)), 2 * level(price) * ROOT
    factors = Goal(
        Rel(2 * x**2 * y, "<=", 4 * (p * q * z) * (x * u * r)),
        {y: real(), **dict.fromkeys((x, u, z), at_least(0)), **dict.fromkeys((p, q, r), at_least(1))},
        (Rel(x * y, "<=", 2 * u * z),),
        "a, G, beta >= 1",
    )
    at = {x: N, y: sp.log(K), u: K, z: sp.log(N), p: a, q: price, r: G(N)}
    squares = applied(
        factors, at, uses("ours/e_K/steps", item="few rounds"), domain=rounds, given=given, name="squares"
    )
    roots = applied(order_of_roots(), {x: N * largest, y: twice}, squares, domain=rounds, given=given, name="roots")
    scaled = Goal(
        Rel(x * (h * y), "<=", h * z),
        {x: positive(), y: real(), z: real(), h: at_least(0), r: real()},
        (Rel(y, "<=", r), Rel(x * r, "<=", z)),
        "times sigma_0",
    )
    at = {x: N, h: sp.sqrt(s0), y: E_K, z: twice, r: largest}
    parts = uses("ours/e_K/steps", item="K >= 2"), roots
    blind = applied(scaled, at, *parts, domain=rounds, given=given, name="n blind pulls")
    sizes = {**dict.fromkeys((K, s, s0, a, ratio), positive()), N: at_least(2)}
    one_root = Goal(
        Rel(sp.sqrt(s0) * (2 * level(price) * sp.sqrt(N * K * ratio)), "=", lead(ratio, price)), sizes, name="one root"
    )
    printed_ = instance(one_root, {ratio: G(N)}, rounds, given, name="one root")
    return linked(blind, printed_, domain=rounds, given=given, name="few rounds", left=N * FIRST)


@claim("them-R-Bayes/repaired/short-horizons", by="us", kind="step")
def short_horizons() -> Argument:
    """Squared and divided by sigma_0^2: n^2 e_K^2 <= n^2 2 log K <= 4 n K log n, and the factors a, G and beta are at
    least 1."""
    below_ = blind_pulls(BETA)
    cost = uses("sec:analysis/round-robin", item="the first rounds")
    regret = linked(cost, below_, domain=below_.domain, given=below_.given, name="regret")
    return proof(below_, regret, letters=WORDS)


SPREAD_AT_ONE = sp.sqrt(s0 * s / (s0 + s))  # sqrt(sigma^2/(1+rho))


def tail(part: int) -> sp.Expr:
    """The last term of the printed bound."""
    return bounds.gaussian_tail(K, N, s0, s, part)


def power_of_round(part: int) -> Applied:
    """Psi(sqrt(a log t)) <= t^(-part/2)/sqrt(2 pi) for a >= part."""
    wide, after, norm = {**PULLS, a: at_least(part)}, (AFTER,), 1 / sp.sqrt(2 * sp.pi)
    below = instance(uses("ours/psi", item="below phi"), {LEVEL_OF: WIDTH}, wide, after, name="Psi <= phi")
    density = instance(uses("ours/psi/round", item="density at the width"), {}, wide, after, name="phi at the width")
    larger = Goal(Rel(part, "<=", a), {a: at_least(part), t: at_least(2)}, name="the exponent")
    powers = Monotone(larger, -norm * t ** (-x / 2), x, {x: positive(), t: at_least(2)}, name="the power falls")
    turned = Goal(Rel(x, "<=", y), {x: real(), y: real()}, (Rel(-y, "<=", -x),), "turned")
    at = {x: norm * t ** (-a / 2), y: norm * t ** sp.Rational(-part, 2)}
    smaller = applied(turned, at, powers, domain=wide, given=after, name="the power of the round")
    return linked(below, density, smaller, domain=wide, given=after, name="one round")


def most(part: int) -> sp.Expr:
    """What bounds the sum of Psi over rounds: 2 sqrt(n)/sqrt(2 pi) for a >= 1, (1 + log n)/sqrt(2 pi) for a >= 2."""
    return (2 * sp.sqrt(N) if part == 1 else 1 + sp.log(N)) / sp.sqrt(2 * sp.pi)


def sum_of_tails(part: int) -> Applied:
    """The sum of Psi over the rounds after the K-th."""
    wide, given, norm = {**PULLS, a: at_least(part)}, (MORE,), 1 / sp.sqrt(2 * sp.pi)
    rounds = SumOver(power_of_round(part), t, K + 1, N, wide, given=given, name="all rounds")
    source = "sec:proof/sum-root/after-K" if part == 1 else "sec:proof/harmonic/after-K"
    known = uses(source, {sp.Symbol("n"): N}, domain={N: COUNT})
    arms = Goal(Rel(1, "<=", K), {K: at_least(1)}, name="one arm or more")
    no_less = Monotone(arms, sp.log(x), x, {x: positive()}, name="log K >= 0")
    bound = Rel(known.concludes.rel.stated[0], "<=", most(part) / norm)
    closed = follows(bound, known, no_less, domain=wide, given=given, name="closed form")
    at = {x: norm, y: bound.left, z: bound.right}
    scaled = applied(PRODUCT, at, closed, domain=wide, given=given, name="over sqrt(2 pi)")
    return linked(rounds, scaled, domain=wide, given=given, name=f"a >= {part}")


@claim("ours/psi/sum", by="us", kind="inequality")
def sums_of_tails() -> Argument:
    """Psi <= phi = t^(-a/2)/sqrt(2 pi), a power of the round that is summed in closed form."""
    return proof(sum_of_tails(1), sum_of_tails(2), letters=WORDS)


@cache
def after_one_pull() -> Applied:
    """g(1) <= beta sqrt(sigma^2/(1+rho)): g(1)^2 is beta sigma^2/(1+rho), and beta >= 1."""
    equal = Goal(Rel(x**2, "=", u**2), {x: real(), u: real()}, (Rel(x, "=", u),), "squares")
    widest = instance(WIDEST, {j: ONE}, PULLS)
    square = applied(equal, {x: g(ONE), u: bounds.g(ONE, K, s0, s)}, widest, domain=PULLS, name="g(1)^2")
    squares = follows(Rel(g(ONE) ** 2, "<=", (BETA * SPREAD_AT_ONE) ** 2), square, domain=PULLS, name="beta <= beta^2")
    at = {x: g(ONE), y: BETA * SPREAD_AT_ONE}
    return applied(order_of_roots(), at, squares, domain=PULLS, name="after one pull")


def half_of_the_tail(part: int) -> Applied:
    """K g(1) times the sum of Psi: at most half of the printed last term, as g(1) <= beta sqrt(sigma^2/(1+rho))."""
    wide, given = {**PULLS, a: at_least(part)}, (MORE,)
    product = Goal(
        Rel(x * y * z, "<=", x * u * v),
        {z: real(), u: real(), **dict.fromkeys((x, y, v), at_least(0))},
        (Rel(y, "<=", u), Rel(z, "<=", v)),
        "widths times tails",
    )
    tails = uses("ours/psi/sum", item=f"a >= {part}")
    at = {x: K, y: g(ONE), z: tails.concludes.rel.stated[0], u: BETA * SPREAD_AT_ONE, v: most(part)}
    below = applied(product, at, after_one_pull(), tails, domain=wide, given=given, name="K arms")
    sizes = {K: positive(), N: at_least(2), s: positive(), s0: positive()}
    half = Goal(Rel(K * BETA * SPREAD_AT_ONE * most(part), "=", tail(part) / 2), sizes, name="half of the printed term")
    return linked(equal_tails(), below, half, domain=wide, given=given, name=f"part ({part})", left=TAILS)


@claim("them-R-Bayes/repaired/tail", by="us", kind="step")
def tails() -> Argument:
    """One tail instead of two, and sqrt(beta) instead of beta: at most half of the printed last term, in both parts.
    The first two say it of any play, the others of the worst one."""
    worst = [half_of_the_tail(part) for part in (1, 2)]
    met = SumOver(shortfall(), t, K + 1, N, PULLS, given=(MORE,), name="all rounds")
    played = sp.Sum(PSI * sp.Sum(Mean(tau(arm, t, o), o), (arm, 1, K)), (t, K + 1, N))
    plays = [
        linked(met, bound, domain=bound.domain, given=(MORE,), name=f"any play, {bound.name}", left=played)
        for bound in worst
    ]
    return proof(*plays, *worst, letters=WORDS)


@claim("ours/sharp/leading", by="us", kind="inequality")
def leading() -> Argument:
    """The widths of arms pulled in turn are at most sigma_0 sqrt(A) (sqrt(nKG) - K); with the first pulls that is at
    most the printed leading term."""
    given, rest, root = (MORE,), ROOT - K, sp.sqrt(s0)
    mean = uses("them-R-Bayes/repaired/am-gm")
    priced = applied(
        PRODUCT, {x: PRICE, y: ROOT_SUM, z: rest}, mean, domain=PULLS, given=given, name="times sqrt(beta)"
    )
    shares = linked(uses("ours/equal-shares"), priced, domain=PULLS, given=given, name="arms pulled in turn")
    at = {x: LAST_WIDTH, y: SHARES, z: PRICE * rest}
    scaled = applied(PRODUCT, at, shares, domain=PULLS, given=given, name="times the last factor")
    at = {x: root, y: K * E_K + LEVEL * rest, z: 2 * LEVEL * ROOT}
    pulls = uses("them-R-Bayes/repaired/first-pulls")
    first = applied(PRODUCT, at, pulls, domain=WIDE, given=given, name="times sigma_0")
    sizes = {**dict.fromkeys((K, s, s0, a, ratio), positive()), z: real(), N: at_least(2)}
    same = Goal(Rel(LAST_WIDTH * PRICE * z, "=", root * LEVEL * z), sizes, name="the factors of the widths")
    alike = instance(same, {z: rest}, WIDE, given, name="the factors of the widths")
    one_root = Goal(Rel(root * (2 * LEVEL * sp.sqrt(N * K * ratio)), "=", lead(ratio)), sizes, name="one root")
    total = Goal(
        Rel(x + y, "<=", u),
        dict.fromkeys((x, y, z, p, q, u, h), real()),
        (Rel(y, "<=", z), Rel(z, "<=", p), Rel(p, "=", q), Rel(x + q, "<=", h), Rel(h, "=", u)),
        "first pulls and widths",
    )
    at = {x: K * FIRST, y: IN_TURN_WIDTHS, z: LAST_WIDTH * SHARES, p: LAST_WIDTH * PRICE * rest}
    at |= {q: root * LEVEL * rest, h: root * (2 * LEVEL * ROOT), u: lead(G(N))}
    printed = instance(one_root, {ratio: G(N)}, WIDE, given, name="one root")
    parts = equal_widths(), scaled, alike, first, printed
    return proof(applied(total, at, *parts, domain=WIDE, given=given, name="leading term"), letters=WORDS)


def printed(part: int) -> sp.Expr:
    """The bound as printed."""
    return lead(G(N)) + tail(part)


def below(part: int) -> Applied:
    """ours/sharp for n > K: first pulls and widths fit into the leading term, the tails into half of the last."""
    wide, given = {**PULLS, a: at_least(part)}, (MORE,)
    whole = Goal(
        Rel(x + y + z, "<=", u + v),
        {**dict.fromkeys((x, y, z, u), real()), v: at_least(0)},
        (Rel(x + y, "<=", u), Rel(z, "<=", v / 2)),
        "leading and last term",
    )
    at = {x: K * FIRST, y: IN_TURN_WIDTHS, z: TAILS, u: lead(G(N)), v: tail(part)}
    parts = uses("ours/sharp/leading"), uses("them-R-Bayes/repaired/tail", item=f"part ({part})")
    return applied(whole, at, *parts, domain=wide, given=given, name=f"n > K, part ({part})")


@claim("ours/sharp/below-printed", by="us", kind="inequality")
def below_printed() -> Argument:
    """Both sides of ours/sharp against the printed bound: its leading term is above the first pulls and the widths, its
    last term is above twice the tails. Up to n = K ours is the regret itself."""
    return proof(uses("them-R-Bayes/repaired/short-horizons", item="few rounds"), below(1), below(2), letters=WORDS)


def ratio_by_formula(domain: dict[sp.Expr, Var]) -> Applied:
    """G is log(1 + n sigma_0^2/sigma^2)/log(1 + sigma_0^2/sigma^2)."""
    logs = [instance(ELL, {j: c}, domain) for c in (ONE, N)]
    quotient = Goal(
        Rel(z, "=", v / u),
        {**dict.fromkeys((z, p, q), real()), v: positive(), u: positive()},
        (Rel(z, "=", q / p), Rel(p, "=", u), Rel(q, "=", v)),
    )
    at = {z: G(N), q: ell(N), p: ell(ONE), u: sp.log(1 + s0 / s), v: sp.log(1 + N * s0 / s)}
    return applied(quotient, at, RATIO, *logs, domain=domain, name="G")


def named_ratio(price: sp.Expr = BETA) -> Monotone:
    """The leading term with G by its formula."""
    formula = ratio_by_formula({**SEVERAL, N: at_least(2, integer=True)})
    sizes = {**dict.fromkeys((K, s, s0, x), positive()), N: at_least(2), a: at_least(1)}
    return Monotone(formula, lead(x, price), x, sizes, name="the leading term")


def theorem(part: int) -> Restated:
    """R_n at most as printed, n >= 2."""
    several, short = {**SEVERAL, a: at_least(part)}, Rel(N, "<=", K)
    more = Goal(Rel(x, "<=", u + v), {x: real(), u: real(), v: at_least(0)}, (Rel(x, "<=", u),), "and the last term")
    at = {x: R_N, u: lead(G(N)), v: tail(part)}
    blind = uses("them-R-Bayes/repaired/short-horizons", item="regret")
    few = applied(more, at, blind, domain=several, given=(short,), name="n <= K")
    bound = uses("ours/sharp/below-printed", item=f"n > K, part ({part})")
    rounds = uses("ours/sharp", item="n >= K")
    known = (NextInteger(N, K, several),)
    many = linked(rounds, bound, domain=several, given=(short.negation,), name="n > K", known=known)
    either = Cases(short, few, many, "any number of rounds")
    named = Goal(
        Rel(x, "<=", z + v), dict.fromkeys((x, u, v, z), real()), (Rel(x, "<=", u + v), Rel(u, "=", z)), "by name"
    )
    at = {x: R_N, u: lead(G(N)), v: tail(part), z: Bound("ell", *SIZES)}
    whole = applied(named, at, either, named_ratio(), domain=several, name="leading and last term")
    return restated(whole, Rel(R_N, "<=", Bound(f"B_{part}", *SIZES)), f"Theorem 2, part ({part})")


@claim(
    "them-R-Bayes/repaired",
    by="us",
    kind="bound",
    repairs="them-R-Bayes",
)
def part_one() -> Argument:
    """The printed bound, with the hypothesis n >= 2 it lacks, for every fixed mu_0 and under adaptive sampling: it is
    above ours/sharp. The last term could be halved."""
    return proof(theorem(1), letters=WORDS)


@claim(
    "them-R-Bayes/part-2/repaired",
    by="us",
    kind="bound",
    repairs="them-R-Bayes/part-2",
)
def part_two() -> Argument:
    """The same for the second part."""
    return proof(theorem(2), letters=WORDS)


@claim("ours/vacuous", by="us", kind="inequality")
def vacuous() -> Argument:
    """A bound above n sigma_0 e_K says less than playing at random. Squared and divided by n sigma_0^2 the leading term
    is above it exactly there; for 2 <= n <= K and a >= 1 always, by them-R-Bayes/repaired/short-horizons. (At n = 1 the
    leading term is 0.)"""
    rounds, play = {**PULLS, N: at_least(2, integer=True)}, N * FIRST
    inside = Rel(N * E_K**2, "<=", 4 * a * G(N) * BETA * K * sp.log(N))
    known = uses("ours/e_K/steps", item="e_K >= 0")
    at = {x: N, h: sp.sqrt(s0), y: E_K, z: a * G(N) * BETA * K * sp.log(N)}
    found = []
    for case, name in ((inside, "vacuous inside"), (inside.negation, "not outside")):
        scaled = Goal(
            Rel((x * h * y) ** 2, case.op, 4 * z * (h**2 * x)),
            {x: positive(), h: positive(), y: real(), z: real()},
            (Rel(x * y**2, case.op, 4 * z),),
            "times n sigma_0^2",
        )
        squares = applied(scaled, at, domain=rounds, given=(case,), name="squares")
        sides = (play, lead(G(N))) if case is inside else (lead(G(N)), play)
        order = order_of_roots() if case is inside else order_of_roots(above=x, strict=True)
        ends = dict(zip((x, y), sides, strict=True))
        found.append(applied(order, ends, known, squares, domain=rounds, given=(case,), name=name))
    return proof(*found, uses("them-R-Bayes/repaired/short-horizons", item="few rounds"), letters=WORDS)
