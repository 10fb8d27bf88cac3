"""Section 5.2 (`sec:proof`): the second term for two arms, exactly, and what it is in round 2, where one arm has no
reward yet: Eqs. regret-decom-upper-term2 and regret-decom-upper-term22 at n = 2.

In round 2 of two arms the estimates are both the one reward: the errors are its noise e, and e + delta_1 - delta_2.
"""

import sympy as sp

from theory.kernel.argument import Argument, Item, Refutation, proof, refuted
from theory.kernel.claim import claim
from theory.kernel.goal import Goal, Point, Rel, at_least, positive
from theory.kernel.region import Region, exactly
from theory.kernel.rules import follows, instance, uses
from theory.kernel.terms import Mean
from theory.model.arms import LETTERS, Wo, n, s, s0, tau_sq, w
from theory.model.normal import phi, upper
from theory.model.play import LATER, K, k, t
from theory.model.round_errors import CHOSEN, GIVEN, ROUND, X, d, e
from theory.paper.section5.union_bound import CENTRED

x, L = sp.symbols("x L")
AT_TWO = {s: positive(), s0: positive()}


@claim(
    "sec:proof/tail-union/two-arms",
    by="us",
    kind="identity",
    cites=("ours/conditioning", "ours/correlation"),
)
def two_arms() -> Argument:
    """The error of the pulled arm has mean 0, so that what lies beyond some interval has the opposite mean of what lies
    within both. With two arms there is one other arm, and both intervals end sqrt(a log t) deviations out."""
    two, other = Rel(K, "=", 2), {k: sp.S.One}
    given = LATER, two
    law = instance(uses("ours/conditioning/two-arms"), other, ROUND, given, name="within both intervals")
    centred = instance(CENTRED, {k: CHOSEN}, ROUND, given, name="the pulled arm")
    within, value = law.concludes.rel.stated
    error = X(CHOSEN, t, d, e)
    outside = 1 - within.args[0] / error
    rel = Rel(Mean(error * outside, e), "=", -value)
    return proof(follows(rel, law, centred, domain=ROUND, given=given, name="two arms"), letters=GIVEN)


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
