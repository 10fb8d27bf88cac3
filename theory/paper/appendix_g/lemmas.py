"""Appendix G: Lemmas sec:tau*, sec:tau2 and lemma:tauTotau, which compare tau with the proxy tau* (symbols:
model/width_ratio.py)."""

from collections.abc import Iterator

import sympy as sp

from theory.kernel.argument import Argument, proof, refuted, step
from theory.kernel.claim import claim
from theory.kernel.goal import Goal, Letter, Point, Rel, Var, at_least, positive
from theory.kernel.region import exactly
from theory.model.arms import (
    DOMAIN,
    LETTERS,
    PROXIES,
    WEIGHTS,
    J,
    K,
    W,
    Wo,
    all_w,
    arm_points,
    n,
    proxy_goal,
    rho,
    s,
    s0,
    tau_sq,
    tau_tilde_sq,
    w,
    w_k,
)
from theory.model.quantities import W_K, ArmSum, count_i, weight_i
from theory.model.width_ratio import LETTERS as RATIO
from theory.model.width_ratio import (
    RATIO_LETTERS,
    ROOTS,
    claimed_ratio,
    one_pull,
    one_pull_each,
    proxy_below,
    q,
    r,
    ratio,
    star_sq,
    u,
    with_star,
)


@claim(
    "tau_SG",
    by="paper",
    kind="identity",
    cites=("wto1w/repaired", "MSE"),
)
def proxy() -> Argument:
    """The two printed forms differ by a root of a square; taking the first root out leaves sqrt(u), u = (1 - w_k)/W,
    because the sum of (1 - w_i) n_i is rho W."""
    total = ArmSum((1 - weight_i) * count_i)
    first, second = sp.sqrt(W_K / n), (1 - W_K) / sp.sqrt(total)
    return proof(with_star(proxy_goal(s * (first + second) ** 2, "=", star_sq, name="both forms")))


@claim(
    "tau_SG-ineq",
    by="paper",
    kind="inequality",
    cites=("sec:tau*",),
)
def proxy_bound() -> Argument:
    """The lemma below, quoted in the proof: u <= rho/K once every arm was pulled, and squares keep the order of
    roots."""
    return proof(proxy_below(rho / K, "proxy"), letters=PROXIES)


@claim(
    "sec:tau*",
    by="paper",
    kind="inequality",
    cites=(
        "tau_SG",
        "w-def/bounds/repaired",
        "sec:tau*/second-line",
        "sec:tau*/third-line",
        "sec:tau*/fourth-line",
        "sec:tau*/fifth-line",
        "sec:tau*/sixth-line",
    ),
)
def proxy_lemma() -> Argument:
    """Right, once every arm was pulled (a hypothesis that is not printed): each of its five steps holds."""
    return proof(
        step(proxy_goal(s * (1 - w) ** 2 / (rho * W), "=", (1 - w) ** 2 * s0 / W, name="second line")),
        step(proxy_goal(1 / W, "<=", (s0 + s) / (K * s0), name="third line: every w_i >= s0/(s0+s)")),
        step(proxy_goal((1 - w) ** 2 * (s0 + s), "=", (1 - w) * w * s / (n * s0) * (s0 + s), name="fourth line")),
        step(proxy_goal((1 - w) * (s0 + s), "<=", s, name="fifth line")),
        proxy_below(rho / K, "lemma"),
    )


@claim(
    "sec:tau2",
    by="paper",
    kind="inequality",
    severity="result",
    cause="reversed-inequality",
    says=r"\tau_k^2\ge\frac{\sigma_0^2\sigma^2}{n_k\sigma_0^2+\sigma^2}\left(1+\frac{1}{K(1+\rho)}\right)",
    cites=("MSE", "sec:tau2/first-line", "sec:tau2/first-inequality", "sec:tau2/last-inequality", "sec:tau2/last-line"),
)
def printed_lower_bound() -> Argument:
    """As an arm is pulled more often, the ratio of its tau^2 to tilde-tau^2 tends to 1, so no fixed factor above 1 is a
    lower bound of it."""
    printed = proxy_goal(tau_sq, ">=", tau_tilde_sq * (1 + s0 / (K * (s0 + s))))
    return refuted(
        printed,
        region=exactly(printed, Rel(K * (1 - w_k) * (s0 + s), "<", s0 * all_w), let=WEIGHTS),
        fails_when="(1-w_k)/W < 1/(K(1+rho)); for K = 1: n_k > rho (1 + rho); for every K as n_k grows",
    )


@claim(
    "sec:tau2/first-inequality",
    by="paper",
    line=894,
    kind="step",
    cites=("MSE",),
)
def lower_first_steps() -> Argument:
    """W <= K, and (1 - w) sigma_0^2 = w sigma^2/n: both lines before the last inequality hold."""
    return proof(
        proxy_goal(tau_sq, ">=", tau_tilde_sq + (1 - w) ** 2 * s0 / K, name="W <= K"),
        proxy_goal((1 - w) ** 2 * s0 / K, "=", (1 - w) * w * s / (n * K), name="exchange"),
    )


@claim(
    "sec:tau2/last-inequality",
    by="paper",
    line=896,
    kind="step",
    severity="argument",
    cause="reversed-inequality",
    says=r"1-w_k\ge\sigma_0^2/(\sigma_0^2+\sigma^2)",
    cites=("w-def",),
)
def printed_weight_step() -> Argument:
    """The inequality of the upper bound's proof is reversed: 1 - w_k falls to 0 as the arm is pulled."""
    return refuted(
        proxy_goal(1 - w, ">=", s0 / (s0 + s)),
        fails_iff=Rel(n * s0**2, ">", s**2),
        fails_when="n_k sigma_0^4 > sigma^4",
    )


@claim(
    "sec:tau2/last-inequality/repaired",
    by="us",
    kind="step",
    cites=("w-def",),
    repairs="sec:tau2/last-inequality",
)
def weight_step() -> Argument:
    """What n_k >= 1 does give is an upper bound; from below 1 - w_k is positive and no more."""
    return proof(
        proxy_goal(1 - w, "<=", s / (s0 + s)),
        proxy_goal(1 - w, ">", 0),
        proxy_goal((1 - w).subs(n, 1), "=", s / (s0 + s), name="equality at one pull"),
    )


@claim(
    "sec:tau2/repaired",
    by="us",
    kind="inequality",
    cites=("MSE",),
    repairs="sec:tau2",
)
def lower_bound() -> Argument:
    """W <= K is all that is known of the other arms, and it is used once."""
    return proof(proxy_goal(tau_sq, ">=", tau_tilde_sq * (1 + (1 - w) / K)))


@claim(
    "sec:tau2/sharp",
    by="us",
    kind="inequality",
    cites=("MSE",),
)
def sharp_lower_bound() -> Argument:
    """The other arms' weights are below 1 each and reach it together as all their counts grow, where this is an
    equality: what is missing is at most (1 - w_k) tilde-tau^2 times K - 1 less their sum."""
    bound = tau_tilde_sq * (1 + (1 - w) / (w + J))
    return proof(
        proxy_goal(tau_sq, ">=", bound, name="bound"),
        proxy_goal(tau_sq - bound, "=", tau_tilde_sq * (1 - w) * (J - Wo) / (W * (w + J)), name="what is missing"),
        step(proxy_goal(1 - w, "<", rho / n, name="each weight tends to 1 with its count, so J - Wo to 0")),
        step(proxy_goal(bound, ">=", tau_tilde_sq * (1 + (1 - w) / K), name="above the repaired one")),
    )


@claim(
    "lemma:tauTotau",
    by="paper",
    kind="inequality",
    severity="result",
    cause="reversed-inequality",
    says=r"\frac{\tau_k^2}{\tau_k^{*2}}\ge\frac1m=\frac{1+1/(K(1+\rho))}{(1+\sqrt{\rho/K})^2}",
    cites=("sec:tau2", "sec:tau*"),
)
def printed_ratio() -> Argument:
    """With every arm pulled once u = rho/K, the right side's denominator is attained, and the false lower bound is
    left: the claim then reads rho >= 1/(1+rho)."""
    printed = Goal(
        Rel(ratio.subs(r, q), ">=", claimed_ratio),
        ROOTS,
        name="every arm pulled once: u = rho/K = q^2",
        points=one_pull_each,
        letters=RATIO,
    )
    return refuted(
        printed,
        at=one_pull(1, sp.Rational(1, 2)),
        region=exactly(printed, Rel(K * q**2 * (1 + K * q**2), "<", 1)),
        fails_when="(1+u)/(1+sqrt u)^2 < 1/m with u = (1-w_k)/W; at one pull each iff rho (1+rho) < 1; "
        "always when m <= 1",
        also=(
            Goal(Rel(ratio, "<", 1), ROOTS, name="the ratio is below 1, so the lemma fails whenever m <= 1"),
            Goal(
                Rel((s / (s0 + s)) / (K * s0 / (s0 + s)), "=", rho / K),
                {s: positive(), s0: positive(), J: at_least(0, integer=True)},
                name="u at one pull each",
                letters=PROXIES,
            ),
        ),
    )


@claim(
    "lemma:tauTotau/repaired",
    by="us",
    kind="inequality",
    cites=("tau_SG", "sec:tau*"),
    repairs="lemma:tauTotau",
)
def ratio_bound() -> Argument:
    """(1+u)/(1+sqrt u)^2 falls until u = 1, where it is 1/2, and rises after; and u <= rho/K. Both bounds are
    attained."""
    at_most_one = {**ROOTS, q: Var(sp.Integer(0), strict=True, high=sp.Integer(1))}
    difference = 2 * (q - r) * (1 - q * r) / ((1 + r) ** 2 * (1 + q) ** 2)
    return proof(
        Goal(Rel(ratio, ">=", sp.Rational(1, 2)), ROOTS, name="never below 1/2", squares=(1 - r,)),
        Goal(Rel(ratio, ">=", ratio.subs(r, q)), at_most_one, (Rel(r, "<=", q),), "falls on (0, 1]"),
        step(Goal(Rel(ratio - ratio.subs(r, q), "=", difference), ROOTS, name="difference")),
        proxy_goal(u, "<=", rho / K, name="u <= rho/K"),
        letters=RATIO_LETTERS,
    )


@claim(
    "sec:tau*/unpulled-arm",
    by="paper",
    line=863,
    kind="inequality",
    severity="edge",
    cause="unpulled-arms",
    says=r"\tau_k^{*2}\le\tilde\tau_k^2(1+\sqrt{\rho/K})^2\ \text{while other arms may be unpulled}",
    cites=("tau_SG",),
)
def proxy_with_an_unpulled_arm() -> Argument:
    """Without n_i >= 1 the lemma is false: an unpulled arm counts in K but adds no weight. It reads u <= rho/K, u =
    (1-w_k)/W; two arms pulled once and never have u = rho."""
    reads = any_pulls(u, "<=", rho / K)
    return refuted(
        with_star(any_pulls(star_sq, "<=", tau_tilde_sq * (1 + sp.sqrt(rho / K)) ** 2)),
        region=exactly(reads, Rel((1 - w_k) * K * s0, ">", s * all_w), let=WEIGHTS),
        fails_when="(1-w_k)/W > rho/K, which needs an unpulled arm",
    )


@claim(
    "sec:tau*/unpulled-arm/repaired",
    by="us",
    kind="inequality",
    cites=("sec:tau*",),
    repairs="sec:tau*/unpulled-arm",
)
def proxy_of_the_pulled_arms() -> Argument:
    """Unpulled arms have weight 0 and drop out of every sum, so K becomes the number of pulled arms."""
    return proof(
        proxy_below(rho / K, "pulled arms"), letters={J: Letter(sp.Symbol("P") - 1, "P: number of pulled arms")}
    )


@claim(
    "sec:tau2/unpulled-arm",
    by="us",
    kind="inequality",
    cites=("MSE",),
)
def lower_bound_with_unpulled_arms() -> Argument:
    """The repaired lower bound needs no hypothesis on the other arms: W <= K whatever their counts. With lemma
    lemma:tauTotau's repaired bound 1/2 likewise, as (1+u)/(1+sqrt u)^2 >= 1/2 for every u."""
    return proof(
        any_pulls(tau_sq, ">=", tau_tilde_sq * (1 + (1 - w) / K)),
        Goal(
            Rel(ratio - sp.Rational(1, 2), "=", (1 - r) ** 2 / (2 * (1 + r) ** 2)),
            ROOTS,
            name="lemma:tauTotau: a square above 1/2, every u = r^2",
            letters=RATIO,
        ),
    )


def any_pulls(left: sp.Expr, op: str, right: sp.Expr) -> Goal:
    """A goal about a pulled arm among others that may be unpulled: their weights add up to between 0 and J."""

    def points() -> Iterator[Point]:
        return (p for p in arm_points(None, 0)() if p.values[n] >= 1)

    return Goal(
        Rel(left, op, right),
        DOMAIN,
        (Rel(Wo, "<=", J),),
        "other arms may be unpulled",
        points=points,
        letters={**LETTERS, **PROXIES},
    )
