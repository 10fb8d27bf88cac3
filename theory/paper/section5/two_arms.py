"""Section 5.2 (`sec:proof`): the second term for two arms, exactly, and what it is in round 2, where one arm has no
reward yet: Eqs. regret-decom-upper-term2 and regret-decom-upper-term22 at n = 2.

In round 2 of two arms the estimates are both the one reward: the errors are its noise e, and e + delta_1 - delta_2.
"""

import sympy as sp

from theory.kernel.argument import Argument, Item, Refutation, proof, refuted
from theory.kernel.claim import claim
from theory.kernel.goal import Goal, Point, Rel, Var, at_least, positive, real
from theory.kernel.region import Region, exactly
from theory.kernel.rules import IntegralOf, Restated, applied, instance, restated, uses
from theory.kernel.terms import Mean
from theory.model.arms import LETTERS, Wo, n, s, s0, tau_sq, w
from theory.model.normal import Tail, phi, upper
from theory.model.play import COUNT, LATER, K, a, k, t, tau, width
from theory.model.round_errors import CHOSEN, GIVEN, ROUND, X, d, e, fail_R, slope
from theory.ours.error_laws import L, correlation, h, within_both, x
from theory.paper.section5.union import CENTRED

u = sp.Symbol("u")
AT_TWO = {s: positive(), s0: positive()}


@claim(
    "sec:proof/tail-union/two-arms",
    by="us",
    kind="identity",
    cites=("ours/conditioning", "ours/correlation"),
)
def two_arms() -> Argument:
    """Both intervals end sqrt(a log t) = L deviations out. Integrate over the other arm's error x up to L; given it the
    pulled arm's is N(r x, q^2), q^2 = 1 - r^2, in units of tau_I, and what it has below L is r x Phi(z) - q phi(z), z =
    (L - r x)/q. Times phi(x) this has the antiderivative -r phi(x) Phi(z) - phi(L) Phi(y), y = (x - r L)/q. What lies
    within both intervals has the opposite mean of what does not."""
    two, own = Rel(K, "=", 2), tau(CHOSEN, t, d)
    p, q, m, w_ = sp.symbols("p q m w")
    area = instance(both_within(), {h: slope}, ROUND, (LATER,), name="within both intervals")
    value, integral = area.concludes.rel.stated  # minus the integral
    law = uses("ours/conditioning/two-arms", item="the error of the pulled arm within both intervals")
    equal = Goal(Rel(p * q, "=", m * q), dict.fromkeys((p, q, m), real()), (Rel(p, "=", m),), "times a factor")
    scaled = applied(equal, {p: value, m: integral, q: own}, area, domain=ROUND, given=(LATER,), name="times tau")
    centred = instance(CENTRED, {k: CHOSEN}, ROUND, (LATER,), name="the pulled arm")
    outside, mean = Mean(X(CHOSEN, t, d, e) * fail_R, e), Mean(X(CHOSEN, t, d, e), e)
    parts = Rel(m - p, "=", -w_), Rel(m, "=", 0), Rel(q, "=", w_)
    opposite = Goal(Rel(p, "=", q), dict.fromkeys((p, q, m, w_), real()), parts, "opposite means")
    at = {p: outside, q: own * value, m: mean, w_: own * integral}
    premises = law, centred, area, scaled
    found = applied(opposite, at, *premises, domain=ROUND, given=(LATER, two), name="beyond some interval")
    r, root = correlation(slope), sp.sqrt(1 + slope**2) - slope
    printed = Rel(outside, "=", own * value)
    same_root = Goal(
        Rel((1 - r) / (1 + r), "=", root**2), {t: COUNT, d: real(), slope: positive()}, name="in terms of r"
    )
    return proof(restated(found, printed, "two arms"), same_root, letters=GIVEN)


def both_within() -> Restated:
    """The mean of the pulled arm's error within both intervals, in units of its tau."""
    root = sp.sqrt(1 + h**2)
    r, z, y, term = correlation(h), L * root - h * x, x * root - h * L, within_both()
    primitive = -r * phi(x) * (1 - upper(z)) - phi(L) * (1 - upper(y))
    slope_ = Goal(Rel(sp.Derivative(primitive, x), "=", term), dict.fromkeys((x, L, h), real()), name="antiderivative")
    free, name = {x: real(), L: positive(), h: positive()}, "within both intervals"
    area = IntegralOf(term, primitive, x, -sp.oo, L, free, (sp.S.Zero, None), name, slope=slope_)
    rounds = {h: positive(), a: positive(), t: Var(sp.Integer(1), strict=True)}
    here = instance(area, {L: width}, rounds, name=name)
    value = (1 + r) * t ** (-a / 2) / sp.sqrt(2 * sp.pi) * (1 - Tail(width * (root - h)))
    return restated(here, Rel(value, "=", -here.concludes.rel.stated[0]), name)


OWN = sp.sqrt(s + 2 * s0)  # tau of the arm without rewards; the other's is sigma, and their correlation sigma/OWN


def round_two(part: int) -> sp.Expr:
    """E[(mu-hat_2 - mu_2) 1{some interval fails}] in round 2 of two arms, a = part: the identity above."""
    root = sp.sqrt(part * sp.log(2))
    return (sp.sqrt(s) + OWN) * phi(root) * (1 - upper(root * (OWN - sp.sqrt(s)) / sp.sqrt(2 * s0)))


def right_side(part: int) -> sp.Expr:
    """Eq. regret-decom-upper-term2 or -term22 at K = n = 2."""
    price, spread = 1 + s / (2 * s0), s / (1 + s / s0)
    last = sp.sqrt(4 * spread / sp.pi) if part == 1 else (1 + sp.log(2)) * sp.sqrt(spread / (2 * sp.pi))
    return 2 * price * last


def in_round_two(part: int, spread: int, more: sp.Expr = sp.S.Zero, also: tuple[Item, ...] = ()) -> Refutation:
    """Round 2 alone against the whole right side at n = 2: sigma = 1, and the smallest whole sigma_0^2 that fails.
    `more` is what the third term has beyond the second."""
    values = {s: sp.Integer(1), s0: sp.Integer(spread)}
    which, added = ("third", " + sqrt(2) sigma_0 Q(sqrt(a log 2))") if more else ("second", "")
    return refuted(
        Goal(
            Rel(round_two(part) + more, "<=", right_side(part)),
            AT_TWO,
            name=f"K = n = 2, a = {part}: the {which} term in round 2",
            letters=LETTERS,
        ),
        at=Point(
            values,
            {
                "K": "2",
                "horizon": "2",
                "t": "2",
                "n": ["1", "0"],
                "sigma_sq": "1",
                "sigma0_sq": str(spread),
                "a": str(part),
            },
        ),
        region=two_rounds(part, more),
        also=(*the_errors(), *also),
        fails_when=f"K = n = 2: iff (sigma + T) Phi(sqrt(a log 2) (T - sigma)/(sqrt 2 sigma_0)) 2^(-a/2){added} > F "
        "(2 + rho) sigma/sqrt(1 + rho), T^2 = sigma^2 + 2 sigma_0^2, F = "
        f"{'2 sqrt 2' if part == 1 else '1 + log 2'}, a = {part}; for K = 2 and every n >= 2 when sigma_0 "
        "is large enough: the left side grows with it, the right side does not",
    )


def the_errors() -> tuple[Item, ...]:
    """The two taus and the correlation of round 2, from the formulas for any counts."""
    other = s0 / (s0 + s)  # weight of the arm pulled once
    fresh, pulled = {n: 0, Wo: other}, {n: 1, Wo: sp.Integer(0)}
    return (
        Goal(Rel(tau_sq.subs(fresh), "=", s + 2 * s0), AT_TWO, name="tau^2 of the unpulled arm"),
        Goal(Rel(tau_sq.subs(pulled), "=", s), AT_TWO, name="tau^2 of the other"),
        Goal(
            Rel((1 - other) * (1 - w.subs(n, 0)) * s0 / other, "=", s),
            AT_TWO,
            name="covariance (1-w_1)(1-w_2) sigma_0^2/W, so r = sigma/T",
        ),
        Goal(
            Rel((x**2 - L**2) * (1 - L / x) / (1 + L / x), "=", (x - L) ** 2),
            {x: positive(), L: positive()},
            name="(1-r)/(1+r) = (T-sigma)^2/(2 sigma_0^2), x = T, L = sigma",
        ),
    )


def two_rounds(part: int, more: sp.Expr) -> Region:
    """Where it fails for K = n = 2, times sqrt(2 pi): roots, Phi and the constants as symbols."""
    sigma, own, below, level, factor, root, extra = sp.symbols("sigma T below level factor root extra")
    free = {**AT_TWO, **dict.fromkeys((sigma, own, below, level, factor, root), positive()), extra: at_least(0)}
    base = Goal(
        Rel((sigma + own) * level * below + extra, "<=", 2 * (1 + s / (2 * s0)) * factor * sigma * s0 / root), free
    )
    width = sp.sqrt(part * sp.log(2))
    meaning = {
        sigma: sp.sqrt(s),
        own: OWN,
        root: sp.sqrt(s0 * (s0 + s)),
        level: sp.Integer(2) ** sp.Rational(-part, 2),
        below: 1 - upper(width * (OWN - sp.sqrt(s)) / sp.sqrt(2 * s0)),
        extra: sp.sqrt(2 * sp.pi) * more,
        factor: 2 * sp.sqrt(2) if part == 1 else 1 + sp.log(2),
    }
    where = Rel(((sigma + own) * below * level + extra) * root, ">", factor * (2 * s0 + s) * sigma)
    return exactly(base, where, meaning)


@claim(
    "regret-decom-upper-term2",
    by="paper",
    kind="step",
    severity="argument",
    cause="unpulled-arms",
    says=r"a\ge1:\quad\sum_{t=1}^nE[(\hat\mu_{I_t}-\mu_{I_t})1\{\bar E_{R;t}\}]\le\frac1{\sqrt{2\pi}}"
    r"\sum_{t=1}^nt^{-1/2}\beta K\sqrt{\frac{\sigma^2}{1+\rho}}"
    r"\le\frac{\beta K}{\sqrt\pi}\sqrt{\frac{2n\sigma^2}{1+\rho}}",
    cites=(
        "sec:proof/tail-union",
        "sec:proof/tail-integral",
        "sec:proof/delta",
        "sec:proof/sum-root",
        "sec:proof/tau-at-one-pull",
    ),
)
def second_term() -> Argument:
    """The bound on tau needs every arm pulled. Two arms and two rounds: in round 2 the pulled arm has no reward yet,
    and its tail, of the order of sigma_0, is known exactly; the right side stays bounded as sigma_0 grows. (Round 1,
    where nothing is defined, is left out.)"""
    return in_round_two(1, 44)


@claim(
    "regret-decom-upper-term22",
    by="paper",
    kind="step",
    severity="argument",
    cause="unpulled-arms",
    says=r"a\ge2:\quad\sum_{t=1}^nE[(\hat\mu_{I_t}-\mu_{I_t})1\{\bar E_{R;t}\}]\le"
    r"\frac{\beta K(1+\log n)}{\sqrt{2\pi}}\sqrt{\frac{\sigma^2}{1+\rho}}",
    cites=(
        "sec:proof/tail-union",
        "sec:proof/tail-integral",
        "sec:proof/delta",
        "sec:proof/harmonic",
        "sec:proof/tau-at-one-pull",
    ),
)
def second_term_log() -> Argument:
    """False in the same way: round 2 of two arms, sigma_0 large."""
    return in_round_two(2, 25)
