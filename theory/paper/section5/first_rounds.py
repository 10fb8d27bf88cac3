"""Section 5.2 (`sec:proof`): the first K rounds, in which no argmax is taken, and Eq. regret-decom in them.

Before round t <= K the arms 1, ..., t-1 were pulled once and arm t is next. An arm without rewards has the estimate
r-bar_0 and the width of tau^2 = sigma_0^2 (1 + 1/W), so that two such arms have the same index.
"""

from collections.abc import Callable
from functools import partial

import sympy as sp

from theory.kernel.analysis import antiderivative
from theory.kernel.argument import Argument, Computation, Item, Refutation, gap, refuted
from theory.kernel.claim import claim
from theory.kernel.goal import Goal, Point, Rel, at_least, positive, real
from theory.kernel.region import Region, exactly
from theory.model.arms import LETTERS, Wo, n, s, s0, tau_sq
from theory.model.normal import phi, upper
from theory.model.quadrature import best_of

a, t, x = sp.symbols("a t x")
K, e, wide, narrow, root = sp.symbols("K e_K tau_unpulled tau_pulled root")
FIFTH = sp.Rational(29, 25)  # e_5 = 1.16296...


@claim(
    "regret-decom",
    by="paper",
    kind="step",
    severity="argument",
    cause="unpulled-arms",
    says=r"\text{every}\ t:\quad E[\mu_*-\mu_{I_t}]\le E[\mu_*-U_{*,t}]+E[U_{I_t,t}-\mu_{I_t}],\ \text{that is}\ "
    r"E\,U_{*,t}\le E\,U_{I_t,t}",
    cites=("confidence-C", "alg:arm-ucb"),
)
def printed_decomposition() -> Argument:
    """The argmax gives U_* <= U_{I_t} for t > K only; the first K rounds follow the order of the arms. An arm without
    rewards has no printed index; with n_k = 0 in the formulas, as where the proof telescopes from 0, it has the
    estimate r-bar_0 and tau^2 = sigma_0^2 (1 + 1/W). The best arm, if pulled before, leads the pulled
    ones by sigma_0 e_K K (t-2)/((K-1)(t-1)) on average, its estimate by w times that, and its width is smaller. Five
    arms, t = 5, sigma_0 = 1, sigma^2 = 1/2, a = 1: the lead counts more."""
    return before_the_argmax(refuted)


def best_leads(arms: sp.Expr, rounds: sp.Expr, largest: sp.Expr) -> sp.Expr:
    """E[mu-hat_* - mu-hat_I, best arm pulled before] in a round t <= K: w e_K sigma_0 (t-2)/(K-1)."""
    return sp.sqrt(s0) * s0 / (s0 + s) * largest * (rounds - 2) / (arms - 1)


def fresh_sq(rounds: sp.Expr) -> sp.Expr:
    """tau^2 of an unpulled arm, t - 1 arms pulled once: sigma_0^2 (1 + 1/W)."""
    return s0 + (s0 + s) / (rounds - 1)


def pulled_sq(rounds: sp.Expr) -> sp.Expr:
    """tau^2 of an arm pulled once, with t - 2 others: sigma_0^2 (1 - w)(1 + (1 - w)/W)."""
    return s0 * s / (s0 + s) * (1 + s / (s0 * (rounds - 1)))


def before_the_argmax(verdict: Callable[..., Refutation]) -> Refutation:
    """E U_* <= E U_I in round t <= K: what the best arm's estimate leads by against what the fresh arm's width is more;
    both with the chance (t-1)/K that the best arm was pulled, as else the two indices are the same number."""
    five, one = sp.Integer(5), sp.Integer(1)
    wider = (sp.sqrt(fresh_sq(five)) - sp.sqrt(pulled_sq(five))) * sp.sqrt(sp.log(5))
    printed = Goal(
        Rel(best_leads(five, five, FIFTH), "<=", sp.Rational(4, 5) * wider),
        {s: positive(), s0: positive()},
        name="K = t = 5, a = 1: lead of the best arm, with 29/25 for e_5 = 1.162..., against wider interval",
        letters=LETTERS,
    )
    return verdict(
        printed,
        region=first_rounds(),
        at=Point(
            {s: one / 2, s0: one},
            {"K": "5", "n": ["1", "1", "1", "1", "0"], "t": "5", "sigma_sq": "1/2", "sigma0_sq": "1", "a": "1"},
        ),
        fails_when="rounds 2 <= t <= K with (t-2)/(K-1) w sigma_0 e_K > (t-1)/K (tau of an unpulled arm - "
        "tau of one pulled once) sqrt(a log t), w = 1/(1+rho); at t = 1 nothing is defined",
        also=(
            *lead(),
            Computation(
                "arb",
                "e_5 >= 29/25, by enclosed integration of 20 phi^2 Phi^3",
                lambda arms, least: Rel(best_of(arms), ">=", least),
                (5, FIFTH),
                {"constant: e_5 >= 30/25": (5, sp.Rational(6, 5)), "constant: e_4 >= 29/25": (4, FIFTH)},
            ),
        ),
    )


def first_rounds() -> Region:
    """Where it fails, for every K and t <= K: (t-2)/(K-1) w e_K sigma_0 > (t-1)/K (tau_unpulled - tau_pulled) times
    sqrt(a log t)."""
    free = {**dict.fromkeys((s, s0, e, root, wide, narrow), positive()), K: at_least(2), t: at_least(2)}
    spread = sp.Symbol("sigma_0")
    base = Goal(
        Rel(spread * s0 / (s0 + s) * e * (t - 2) / (K - 1), "<=", (t - 1) / K * (wide - narrow) * root),
        {**free, spread: positive()},
        (Rel(t, "<=", K),),
    )
    meaning = {
        root: sp.sqrt(a * sp.log(t)),
        wide: sp.sqrt(fresh_sq(t)),
        narrow: sp.sqrt(pulled_sq(t)),
        spread: sp.sqrt(s0),
    }
    return exactly(
        base, Rel(K * (t - 2) * e * spread * s0, ">", (K - 1) * (t - 1) * (s0 + s) * (wide - narrow) * root), meaning
    )


def lead() -> tuple[Item, ...]:
    """What the best arm leads by, from E mu_* = sigma_0 e_K (mu_0 = 0) and exchangeable arms; and the two widths."""
    other, pulled = sp.symbols("other pulled")  # mean of an arm that is not best; P = t - 1
    free = {e: positive(), K: at_least(2), pulled: at_least(1), **dict.fromkeys((s, s0, x), positive())}
    mean, below = (e + (pulled - 1) * other) / pulled, 1 - upper(x)
    counts = {n: sp.Integer(1), Wo: (pulled - 1) * s0 / (s0 + s)}
    return (
        Goal(
            Rel((e + (K - 1) * other).subs(other, -e / (K - 1)), "=", 0),
            free,
            name="the K means add up to 0 on average, so an arm that is not best has -e_K/(K-1)",
        ),
        Goal(
            Rel(pulled / K * (e - mean.subs(other, -e / (K - 1))), "=", e * (pulled - 1) / (K - 1)),
            free,
            name="lead over the average of the P pulled arms, one of them best, with chance P/K",
        ),
        Goal(Rel(tau_sq.subs(counts), "=", pulled_sq(pulled + 1)), free, name="tau^2 of an arm pulled once"),
        Goal(
            Rel(tau_sq.subs({n: 0, Wo: pulled * s0 / (s0 + s)}), "=", fresh_sq(pulled + 1)),
            free,
            name="tau^2 of an unpulled arm",
        ),
        antiderivative(
            -5 * phi(x) * below**4,
            5 * x * phi(x) * below**4 - 20 * phi(x) ** 2 * below**3,
            x,
            {x: real()},
            "the mean of the largest of 5, 5 x phi Phi^4, integrates as 20 phi^2 Phi^3",
        ),
    )


@claim(
    "regret-decom-upper",
    by="paper",
    kind="step",
    severity="argument",
    cause="unpulled-arms",
    says=r"\sum_{t=1}^nE[\mu_*-\mu_{I_t}]\le2E\sum_{t=1}^nc_{I_t,t}+\text{two tails, over rounds}\ 1,\dots,n",
    cites=("regret-decom", "regret-decom/events"),
)
def printed_sum() -> Argument:
    """The sum of the displays before it: right for the rounds t > K, without ground for t <= K, where Eq. regret-decom
    is false (the failing step is shown: round 5 of five arms)."""
    arms, sizes = sp.Integer(5), {s: positive(), s0: positive()}
    wider = Goal(Rel(pulled_sq(arms), "<=", fresh_sq(arms)), sizes, name="the fresh arm has the wider interval")
    return before_the_argmax(partial(gap, premises=(wider,)))
