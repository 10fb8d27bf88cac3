"""Section 5.1 (`sec:discussion`): the theorem for an agent that knows mu_0, beta replaced by 1."""

import sympy as sp

from theory.kernel.argument import Argument, proof
from theory.kernel.claim import claim
from theory.kernel.goal import Goal, Rel, Var, at_least, positive, real
from theory.kernel.rules import (
    Among,
    Applied,
    Cases,
    Expectation,
    Follows,
    Monotone,
    NextInteger,
    SplitSum,
    SumOver,
    Use,
    applied,
    congruent,
    follows,
    instance,
    restated,
    uses,
)
from theory.kernel.terms import Mean
from theory.model import bound_formulas as bounds
from theory.model import known_play as known
from theory.model.arms import n, s, s0, tau_tilde_sq
from theory.model.counts import NOW, G
from theory.model.known_play import CHOSEN, KNOWN, LETTERS, LOSS, REGRET, deviation, pulls, short
from theory.model.normal import Excess
from theory.model.play import (
    BEST,
    BEST_IS_AN_ARM,
    CENTRED_EFFECT,
    COUNT,
    EFFECT,
    K,
    N,
    Z,
    a,
    k,
    m,
    mu,
    mu0,
    o,
    t,
    width,
)
from theory.model.regret_bounds import Bound
from theory.ours.bad_rounds import times
from theory.ours.counting import AFTER, EXTRA, ONE
from theory.ours.equal_shares import MORE, ROOT_SUM
from theory.ours.positive_parts import at_most_part, no_negative_part
from theory.ours.pulls_in_order import at_most_all, nothing_before
from theory.ours.root_series import linked, order_of_roots
from theory.ours.sharp import FIRST, LAST_WIDTH, PRODUCT
from theory.ours.theorem_gaussian import (
    ROOT,
    SIZES,
    SPREAD_AT_ONE,
    blind_pulls,
    first_pulls_fit,
    lead,
    level,
    most,
    named_ratio,
    ratio_by_formula,
)
from theory.paper.section5.first_term import precision, telescoped

x, y, z, u, v, p, q, r, h, c = sp.symbols("x y z u v p q r h c")
PSI = Excess(width)
ONE_PRICE = sp.Integer(1)
WIDE = {**KNOWN, a: at_least(1)}
MET = deviation(CHOSEN, t, o)


def conditional(item: str) -> Use:
    """What the law of mu_k given the history says: N(tilde-mu_k, tilde-tau_k^2), mu_0 being known."""
    return uses("ours/conditioning/known-mu0", item=item)


def later_round() -> Applied:
    """E(mu_* - mu_I) <= sqrt(a log t) E tilde-tau_I + Psi times the sum of E tilde-tau_k, as in ours/round."""
    given = (AFTER,)
    arm = {**KNOWN, k: COUNT}
    part = no_negative_part(known.POSITIVE_PART, arm)
    among = Among(short(k, t, o), k, m, ONE, K, {**KNOWN, m: COUNT}, part, "one of them", given)
    best = instance(among, {m: BEST}, KNOWN, (*given, Rel(BEST, "<=", K)), name="the best arm is one of them")
    below = instance(at_most_part(known.POSITIVE_PART, arm), {k: BEST}, KNOWN, given, name="shortfall of the best arm")
    total = sp.Sum(short(k, t, o), (k, 1, K))
    lemma = Goal(
        Rel(x - y, "<=", z + (v - y)),
        dict.fromkeys((x, y, z, u, v, p), real()),
        (Rel(u, "<=", v), Rel(x - u, "<=", p), Rel(p, "<=", z)),
        "one round",
    )
    at = {
        x: mu(BEST, o),
        y: mu(CHOSEN, o),
        z: total,
        u: known.index(BEST),
        v: known.index(CHOSEN),
        p: short(BEST, t, o),
    }
    one = applied(lemma, at, BEST_IS_AN_ARM, known.CHOICE, below, best, domain=KNOWN, given=given, name="one round")
    shorts = SumOver(conditional("mean of a positive part"), k, ONE, K, KNOWN, given=given, name="all arms")
    final = Goal(
        Rel(x, "<=", p + q),
        dict.fromkeys((x, y, z, u, p, q), real()),
        (Rel(x, "<=", y + (z + q)), Rel(y, "=", p), Rel(z, "=", 0)),
        "in expectation",
    )
    at = {x: Mean(LOSS, o), y: sp.Sum(Mean(short(k, t, o), o), (k, 1, K)), q: width * Mean(MET, o)}
    at |= {z: Mean(known.estimate(CHOSEN, t, o) - mu(CHOSEN, o), o)}
    at |= {p: PSI * sp.Sum(Mean(deviation(k, t, o), o), (k, 1, K))}
    parts = Expectation(one, (o,)), shorts, conditional("mean of the pulled arm's error")
    return applied(final, at, *parts, domain=KNOWN, given=given, name="a later round")


def own_width(pulled: sp.Expr) -> sp.Expr:
    """tilde-tau^2 after so many pulls."""
    return tau_tilde_sq.xreplace({n: pulled})


def same_width() -> Follows:
    """The square of the width of the pulled arm is tilde-tau^2 after its earlier pulls."""
    given, here = (AFTER,), Rel(CHOSEN, "<=", K)
    own = instance(known.WIDTH, {k: CHOSEN}, KNOWN, given, name="width of the pulled arm")
    counted = instance(known.OWN_COUNT, {k: CHOSEN}, KNOWN, (AFTER, here), name="pulls of the pulled arm")
    same = Rel(pulls(CHOSEN, t, o), "=", known.before)
    parts = known.CHOICES.one_of_K, counted, known.CHOICES.before
    count = follows(same, *parts, domain=KNOWN, given=given, name="the count of the pulled arm")
    by_count = congruent(own_width(x), x, count, KNOWN, given, name="by its count")
    printed = Goal(
        Rel(own_width(x), "=", precision(x)), {x: at_least(0), s: positive(), s0: positive()}, name="printed form"
    )
    shown = instance(printed, {x: known.before}, KNOWN, name="printed form")
    return follows(
        Rel(MET**2, "=", precision(known.before)), own, by_count, shown, domain=KNOWN, given=given, name="width"
    )


def squares() -> Applied:
    """Of every play: the squares of the widths met after round K add up to at most K sigma_0^2 (G - 1): over all rounds
    to at most K sigma_0^2 G, and each of the first K rounds has sigma_0^2."""
    given, early = (MORE,), (Rel(t, "<=", K),)
    term = precision(known.before)
    whole = telescoped(known.CHOICES, at_most_all(known.CHOICES))
    zero = nothing_before(known.CHOICES, known.IN_TURN)
    none = congruent(precision(x), x, zero, KNOWN, early, name="no pull before")
    first = SumOver(none, t, ONE, K, KNOWN, name="the first K rounds")
    split = SplitSum(term, t, ONE, K, N, KNOWN, given, "the first K rounds and the others")
    later = SumOver(same_width(), t, K + 1, N, KNOWN, given=given, name="later rounds")
    formula = ratio_by_formula(KNOWN)
    rest = Goal(
        Rel(x, "<=", q * c * (z - 1)),
        dict.fromkeys((x, y, p, q, c, z, v), real()),
        (Rel(p, "<=", q * c * v), Rel(p, "=", y + x), Rel(y, "=", q * c), Rel(z, "=", v)),
        "what is left",
    )
    met = sp.Sum(MET**2, (t, K + 1, N))
    at = {x: met, p: sp.Sum(term, (t, 1, N)), y: sp.Sum(term, (t, 1, K)), q: K, c: s0, z: G(N)}
    at |= {v: formula.concludes.rel.right}
    parts = whole, later, split, first, formula
    return applied(rest, at, *parts, domain=KNOWN, given=given, name="squares of the widths met")


def widths() -> Applied:
    """Of every play: the widths met after round K, with their factors, are at most sigma_0 sqrt(a log n) (sqrt(nKG) -
    K)."""
    given, met = (MORE,), sp.Sum(MET, (t, K + 1, N))
    own = Goal(Rel(2 * x, "<=", x**2 / h + h), {x: real(), h: positive()}, name="a square", squares=(x - h,))
    one = instance(own, {x: MET}, {**KNOWN, h: positive()}, name="one pull")
    total = SumOver(one, t, K + 1, N, {**KNOWN, h: positive()}, given=given, name="all pulls")
    above, ratio = uses("ours/equal-shares/ratio"), (Rel(G(N), ">", 1),)
    first, second = sp.sqrt(s0) * sp.sqrt(K * (G(N) - 1)), sp.sqrt(EXTRA)
    best = instance(total, {h: first / second}, KNOWN, (*given, *ratio), name="at the best h")
    roots = {p: positive(), q: positive(), y: real(), z: real()}
    small = Goal(Rel(y * q / p, "<=", p * q), roots, (Rel(y, "<=", p**2),), "squares over h")
    number = Goal(Rel(z * p / q, "=", p * q), roots, (Rel(z, "=", q**2),), "rounds times h")
    squares_ = sp.Sum(MET**2, (t, K + 1, N))
    at = {p: first, q: second, y: squares_, z: EXTRA}
    sums = squares()
    halves = [
        applied(lemma, at, sums, domain=KNOWN, given=(*given, *ratio), name=lemma.name) for lemma in (small, number)
    ]
    both = Goal(
        Rel(x, "<=", r),
        dict.fromkeys((x, u, v, r), real()),
        (Rel(2 * x, "<=", u + v), Rel(u, "<=", r), Rel(v, "=", r)),
        "both halves",
    )
    at = {x: met, u: squares_ * second / first, v: EXTRA * first / second, r: first * second}
    shares = applied(both, at, above, best, *halves, domain=KNOWN, given=given, name="Cauchy-Schwarz")
    at = {x: sp.sqrt(s0), y: ROOT_SUM, z: ROOT - K}
    mean = applied(PRODUCT, at, uses("them-R-Bayes/repaired/am-gm"), domain=KNOWN, given=given, name="times sigma_0")
    below = linked(shares, mean, domain=KNOWN, given=given, name="widths met")
    rounds = Goal(NOW, {t: COUNT, N: COUNT, K: COUNT}, (AFTER, NOW), "a round up to n")
    rises = Monotone(rounds, sp.sqrt(a * sp.log(x)), x, {x: Var(ONE, strict=True), a: positive()}, name="factor rises")
    at = {x: MET, y: width, z: LAST_WIDTH}
    factor = applied(PRODUCT, at, rises, domain=KNOWN, given=(AFTER, NOW), name="with the last factor")
    factors = SumOver(factor, t, K + 1, N, KNOWN, given=given, name="all factors as the last one")
    at = {x: LAST_WIDTH, y: met, z: sp.sqrt(s0) * (ROOT - K)}
    scaled = applied(PRODUCT, at, below, domain=KNOWN, given=given, name="times the last factor")
    left = sp.Sum(width * MET, (t, K + 1, N))
    return linked(factors, scaled, domain=KNOWN, given=given, name="widths", left=left)


def tails() -> Applied:
    """Psi times the mean widths of all arms, summed over the rounds: at most half of the last term."""
    given, arm = (MORE,), {**KNOWN, k: COUNT}
    fewer = Goal(
        Rel(own_width(x), "<=", s0 * s / (s0 + s)),
        {x: at_least(1), s: positive(), s0: positive()},
        name="one pull or more",
    )
    once = instance(fewer, {x: pulls(k, t, o)}, arm, (AFTER,), name="one pull or more")
    square = linked(known.WIDTH, once, domain=arm, given=(AFTER,), name="squares")
    at = {x: deviation(k, t, o), y: SPREAD_AT_ONE}
    narrow = applied(order_of_roots(), at, square, domain=arm, given=(AFTER,), name="after one pull")
    arms = Expectation(SumOver(narrow, k, ONE, K, KNOWN, given=(AFTER,), name="all arms"), (o,))
    psi = instance(uses("ours/psi", item="positive"), {sp.Symbol("s"): width}, KNOWN, (AFTER,), name="Psi > 0")
    sums = sp.Sum(Mean(deviation(k, t, o), o), (k, 1, K))
    at = {x: PSI, y: sums, z: K * SPREAD_AT_ONE}
    one = applied(PRODUCT, at, psi, arms, domain=KNOWN, given=(AFTER,), name="times Psi")
    rounds = SumOver(one, t, K + 1, N, KNOWN, given=given, name="all rounds")
    psis = uses("ours/psi/sum", item="a >= 1")
    at = {x: K * SPREAD_AT_ONE, y: psis.concludes.rel.stated[0], z: most(1)}
    scaled = applied(PRODUCT, at, psis, domain=WIDE, given=given, name="times the widths")
    sizes = {K: positive(), N: at_least(2), s: positive(), s0: positive()}
    half = Goal(Rel(K * SPREAD_AT_ONE * most(1), "=", last_term() / 2), sizes, name="half of the last term")
    left = sp.Sum(PSI * sums, (t, K + 1, N))
    return linked(rounds, scaled, half, domain=WIDE, given=given, name="tails", left=left)


def last_term() -> sp.Expr:
    """The last term of the bound, beta replaced by 1."""
    return bounds.known_mean(*SIZES, 1)[1]


@claim("sec:discussion/known-mu0/round", by="us", kind="step")
def round_of_the_agent() -> Argument:
    """As for ReUCB, with tilde-mu and tilde-tau: given the history mu_k is N(tilde-mu_k, tilde-tau_k^2), mu_0 fixed."""
    return proof(later_round(), letters=LETTERS)


@claim("sec:discussion/known-mu0/widths", by="us", kind="step")
def widths_of_the_agent() -> Argument:
    """tilde-tau^2 = sigma_0^2/(1 + m n_k) telescopes over the pulls of every arm; then Cauchy-Schwarz."""
    return proof(widths(), letters=LETTERS)


@claim("sec:discussion/known-mu0/tails", by="us", kind="step")
def tails_of_the_agent() -> Argument:
    """tilde-tau^2 is at most sigma^2/(1+rho) after a pull, and the sum of Psi is known."""
    return proof(tails(), letters=LETTERS)


def first_rounds() -> Follows:
    """What one of the first K rounds costs: sigma_0 e_K."""
    early, some = (Rel(t, "<=", K),), {**KNOWN, mu0: real()}
    effects = [instance(EFFECT, {k: which}, some, name="effect") for which in (BEST, t)]
    centred = instance(CENTRED_EFFECT, {k: t}, KNOWN, name="mean of an effect")
    apart = Rel(LOSS, "=", sp.sqrt(s0) * Z(BEST, o) - sp.sqrt(s0) * Z(t, o))
    in_turn = congruent(mu(x, o), x, known.IN_TURN, KNOWN, early, name="the first K rounds pull each arm once")
    pointwise = follows(apart, in_turn, *effects, domain=some, given=early, name="two effects")
    nothing = times(centred.concludes.rel, sp.sqrt(s0), KNOWN, "times sigma_0")
    parts = Expectation(pointwise, (o,)), centred, nothing
    return follows(Rel(Mean(LOSS, o), "=", FIRST), *parts, domain=KNOWN, given=early, name="one of the first rounds")


def long_horizons() -> Applied:
    """n > K."""
    given = (MORE,)
    lost = sp.Sum(Mean(LOSS, o), (t, K + 1, N))
    later = SumOver(uses("sec:discussion/known-mu0/round"), t, K + 1, N, KNOWN, given=given, name="later rounds")
    first = SumOver(first_rounds(), t, ONE, K, KNOWN, name="the first K rounds")
    split = SplitSum(Mean(LOSS, o), t, ONE, K, N, KNOWN, given, "the first K rounds and the others")
    met = Expectation(uses("sec:discussion/known-mu0/widths"), (o,))
    fit = first_pulls_fit(ONE_PRICE)
    at = {x: sp.sqrt(s0), y: fit.concludes.rel.stated[0], z: fit.concludes.rel.stated[1]}
    scaled = applied(PRODUCT, at, fit, domain=WIDE, given=given, name="times sigma_0")
    sizes = {**dict.fromkeys((K, s, s0, a, c), positive()), N: at_least(2)}
    root = sp.sqrt(s0) * (2 * level(ONE_PRICE) * sp.sqrt(N * K * c))
    one_root = Goal(Rel(root, "=", lead(c, ONE_PRICE)), sizes, name="one root")
    printed = instance(one_root, {c: G(N)}, WIDE, given, name="one root")
    lemma = Goal(
        Rel(x, "<=", p + q),
        {**dict.fromkeys((x, y, z, u, v, r, h, c, p), real()), q: at_least(0)},
        (
            Rel(x, "=", u + v),
            Rel(u, "=", y),
            Rel(v, "<=", z + r),
            Rel(z, "<=", h),
            Rel(r, "<=", q / 2),
            Rel(y + h, "<=", c),
            Rel(c, "=", p),
        ),
        "all rounds",
    )
    at = {x: REGRET, u: sp.Sum(Mean(LOSS, o), (t, 1, K)), v: lost, y: K * FIRST, q: last_term()}
    at |= {z: sp.Sum(width * Mean(MET, o), (t, K + 1, N)), h: sp.sqrt(s0) * LAST_WIDTH * (ROOT - K)}
    at |= {r: sp.Sum(PSI * sp.Sum(Mean(deviation(k, t, o), o), (k, 1, K)), (t, K + 1, N))}
    at |= {c: sp.sqrt(s0) * (2 * level(ONE_PRICE) * ROOT), p: lead(G(N), ONE_PRICE)}
    parts = split, first, later, met, uses("sec:discussion/known-mu0/tails"), scaled, printed
    return applied(lemma, at, *parts, domain=WIDE, given=given, name="n > K")


@claim("sec:discussion/known-mu0/long-horizons", by="us", kind="step")
def many_rounds() -> Argument:
    """First rounds, widths and tails, as for Theorem 2."""
    return proof(long_horizons(), letters=LETTERS)


@claim("sec:discussion/known-mu0", by="paper", line=307, kind="prose")
def known_mean() -> Argument:
    """The steps of the repaired theorem with tilde-mu and tilde-tau: given the history mu_k is N(tilde-mu_k,
    tilde-tau_k^2) for fixed mu_0, tilde-tau^2 is at most sigma^2/(1+rho) after a pull, and beta = 1 all through. (As
    the theorem itself, it needs n >= 2.)"""
    several, few = {**WIDE, N: at_least(2, integer=True)}, (Rel(N, "<=", K),)
    blind = SumOver(first_rounds(), t, ONE, N, KNOWN, given=few, name="n blind pulls")
    below = blind_pulls(ONE_PRICE)
    more = Goal(
        Rel(x, "<=", u + v),
        {**dict.fromkeys((x, y, u), real()), v: at_least(0)},
        (Rel(x, "=", y), Rel(y, "<=", u)),
        "and the last term",
    )
    at = {x: REGRET, y: N * FIRST, u: lead(G(N), ONE_PRICE), v: last_term()}
    short_ = applied(more, at, blind, below, domain=several, given=few, name="n <= K")
    long_ = uses("sec:discussion/known-mu0/long-horizons")
    keep = Goal(Rel(x, "<=", u + v), dict.fromkeys((x, u, v), real()), (Rel(x, "<=", u + v),), "n > K")
    at = {x: REGRET, u: lead(G(N), ONE_PRICE), v: last_term()}
    after = (few[0].negation,)
    many = applied(keep, at, NextInteger(N, K, several), long_, domain=several, given=after, name="n > K")
    either = Cases(few[0], short_, many, "any number of rounds")
    named = Goal(
        Rel(x, "<=", z + v), dict.fromkeys((x, u, v, z), real()), (Rel(x, "<=", u + v), Rel(u, "=", z)), "by name"
    )
    at |= {z: Bound("ell~", *SIZES)}
    whole = applied(named, at, either, named_ratio(ONE_PRICE), domain=several, name="leading and last term")
    return proof(restated(whole, Rel(REGRET, "<=", Bound("B~_1", *SIZES)), "mu_0 known"), letters=LETTERS)
