"""Appendix E, continued: the width tau_h of unequal noise against tau at the largest noise."""

import sympy as sp

from theory.kernel.argument import Argument, Computation, Step, proof, refuted, step
from theory.kernel.claim import claim
from theory.kernel.goal import Goal, Letter, Point, Rel, Var, at_least, positive
from theory.kernel.region import exactly
from theory.kernel.rules import Follows, SumOver, follows, instance
from theory.model.arms import J, Wo, n, s, s0, tau_sq, weight
from theory.model.own_noise import BELOW, BOTH, DOMAIN, FAMILY, LETTERS, OTHERS, OWN, counts, i, wh
from theory.model.quantities import TAU_H_SQ, TAU_SQ, Xo, s1
from theory.paper.appendix_e.largest_noise import printed_error
from theory.paper.appendix_e.noise import h

x = sp.Symbol("x")
n1, n2, e1, e2 = sp.symbols("n_1 n_2 sigma_1_sq sigma_2_sq")


@claim(
    "sec:varying/tau-h",
    by="paper",
    line=691,
    kind="inequality",
    severity="argument",
    cause="unequal-noise",
    says=r"\tau_{h;k}^2\le\tau_k^2 \text{ at } \sigma^2=\max_i\sigma_i^2, \text{ with } \tau_{h;k}^2=w_k^h"
    r"\frac{\sigma_k^2}{n_k}+\frac{(1-w_k^h)^2\sigma_k^2}{\sum_in_i(1-w_i^h)} \text{ as it is defined}",
    cites=("sec:varying/first-display", "sec:varying/monotone"),
)
def printed_width() -> Argument:
    """Argued from the second display; for tau_h as it is defined, by the first, it is false for an arm of the largest
    noise as soon as another arm has less. Nor is the error of the printed prediction below tau^2: with noise 1 and
    1/3, one pull each, it is 41/54 against 3/4."""
    w1, w2, w2h = (c * s0 / (c * s0 + e) for c, e in ((n1, e1), (n2, e1), (n2, e2)))  # e1 is the largest noise
    shared = (1 - w1) ** 2 * s0
    printed = Goal(
        Rel((1 - w1) * s0 + shared * e1 / (w1 * e1 + w2h * e2), "<=", (1 - w1) * s0 + shared / (w1 + w2)),
        {n1: at_least(1, integer=True), n2: at_least(1, integer=True), e1: positive(), e2: positive(), s0: positive()},
        (Rel(e2, "<=", e1),),
        "arm 1 of two, of the larger noise",
        letters={
            s0: LETTERS[s0],
            n1: Letter(n1, "number of pulls of arm 1"),
            n2: Letter(n2, "number of pulls of arm 2"),
            e1: Letter(sp.Symbol("sigma_1", positive=True) ** 2, "variance of the rewards of arm 1"),
            e2: Letter(sp.Symbol("sigma_2", positive=True) ** 2, "variance of the rewards of arm 2"),
        },
    )
    one = sp.Integer(1)
    return refuted(
        printed,
        region=exactly(printed, Rel(e2, "<", e1)),
        at=Point(
            {n1: one, n2: one, e1: one, e2: one / 2, s0: one},
            {"K": "2", "n": ["1", "1"], "sigma_k_sq": ["1", "1/2"], "sigma0_sq": "1"},
            {e1: sp.Symbol("sigma_k_sq_1"), e2: sp.Symbol("sigma_k_sq_2")},
        ),
        fails_when="two arms, k that of the larger noise: iff the noises differ; K arms: sum_i w_i sigma^2 "
        "> sum_i w_i^h sigma_i^2, each term of which rises with the noise",
        also=(
            Goal(
                Rel(n1 * s0 * e1 / (n1 * s0 + e1), "<", n1 * s0 * (e1 + h) / (n1 * s0 + e1 + h)),
                {n1: positive(), s0: positive(), e1: positive(), h: positive()},
                name="w_i^h sigma_i^2 rises with sigma_i^2",
            ),
            Computation(
                "exact",
                "error of the printed prediction, noise 1 and 1/3, is 41/54",
                lambda noise: Rel(printed_error((1, 1), (1, noise))[0], "=", sp.Rational(41, 54)),
                (sp.Rational(1, 3),),
                {"constant: equal noise": (sp.Integer(1),), "constant: noise 1/2": (sp.Rational(1, 2),)},
            ),
        ),
    )


@claim(
    "sec:varying/tau-h/repaired",
    by="us",
    kind="inequality",
    cites=("sec:varying/second-display", "sec:varying/monotone"),
    repairs="sec:varying/tau-h",
)
def below_the_upper_variance() -> Argument:
    """For the second display, which is the error with the GLS mean: every weight is at least the one computed with
    the largest noise, and tau_k^2 falls in each weight."""
    return proof(*narrower(), letters=LETTERS)


def narrower() -> tuple[Step, Follows]:
    """tau_h;k^2 <= tau_k^2: the other arms' weights, then the own weight and their sum."""
    term = Goal(
        Rel(weight(n), "<=", weight(n).subs(s, e2)),
        {n: DOMAIN[n], s: positive(), s0: positive(), e2: positive()},
        (Rel(e2, "<=", s),),
        "less noise, larger weight",
    )
    sums = {
        Wo: sp.Sum(weight(counts(i)), OTHERS),
        Xo: sp.Sum(weight(counts(i)).xreplace({s: OWN}), OTHERS),
    }
    sizes = {**{x_: DOMAIN[x_] for x_ in (J, s0, Xo)}, **FAMILY, s: positive(), Wo: at_least(0)}
    others = SumOver(
        term,
        *OTHERS,
        sizes,
        family={n: counts(i), e2: OWN},
        where=sums,
        given=BELOW[1:],
        name="the other arms' weights",
    )
    tau_of = s0 * (1 - x) + (1 - x) ** 2 * s0 / (x + Wo)  # as a function of the own weight x and the others' sum
    weights = {s0: positive(), Wo: at_least(0), x: Var(sp.Integer(0), strict=True, high=sp.Integer(1)), h: at_least(0)}
    more = Goal(Rel(tau_of.subs(Wo, Wo + h), "<=", tau_of), weights, name="more weight of others", squares=(1 - x,))
    domain = {**sizes, n: DOMAIN[n], s1: positive()}
    first = instance(
        more, {x: wh, h: Xo - Wo}, domain, (Rel(Wo, "<=", Xo),), name="the other arms' weights lower the width"
    )
    second = Goal(
        Rel(tau_of.subs(x, wh), "<=", tau_sq),
        domain,
        BELOW[:1],
        "so does the own weight",
        squares=(s - s1,),
        short=BOTH,
    )
    rel = Rel(TAU_H_SQ, "<=", TAU_SQ)
    parts = others, first, second
    return step(term), follows(rel, *parts, domain=domain, given=BELOW, name="below the width of the largest noise")
