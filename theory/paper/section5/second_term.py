"""Section 5.2 (`sec:proof`): the second term, that is the pulled arm's tail, and the sums over rounds."""

import sympy as sp

from theory.kernel.argument import Argument, proof
from theory.kernel.claim import claim
from theory.kernel.goal import Goal, Rel, at_least, positive
from theory.kernel.rules import IntegralOf
from theory.model import sums as rounds
from theory.model.arms import arm_goal, beta, rho, s, tau_sq

a, x, d, L, v, delta, N, k = sp.symbols("a x d L v delta N k")


@claim(
    "sec:proof/tail-integral",
    by="paper",
    line=404,
    kind="step",
    says=r"\frac1{\sqrt{2\pi\tau^2}}\int_c^\infty xe^{-x^2/(2\tau^2)}dx=\frac{\tau\delta}{\sqrt{2\pi}},\quad "
    r"c^2=2\tau^2\log(1/\delta)",
    uses=("confidence-C",),
)
def tail_integral() -> Argument:
    """Printed as an inequality, it is an equality: -tau^2 exp(-x^2/(2 tau^2)) is the antiderivative, and the width is
    made so that the exponential at c is delta."""
    free = {x: positive(), v: positive(), delta: positive()}  # v = tau^2
    primitive, c = -v * sp.exp(-(x**2) / (2 * v)), sp.Symbol("c")

    return proof(
        IntegralOf(
            x * sp.exp(-(x**2) / (2 * v)),
            primitive,
            x,
            c,
            sp.oo,
            {**free, c: positive()},
            (None, sp.S.Zero),
            "tail integral",
        ),
        Goal(Rel(sp.exp(-(2 * v * sp.log(1 / delta)) / (2 * v)), "=", delta), free, name="the exponential at c"),
        Goal(
            Rel(v * delta / sp.sqrt(2 * sp.pi * v), "=", sp.sqrt(v) * delta / sp.sqrt(2 * sp.pi)),
            free,
            name="constants",
        ),
    )


@claim(
    "sec:proof/delta",
    by="paper",
    line=412,
    kind="step",
    says=r"\delta_t\le t^{-1/2}\ (a\ge1),\quad\delta_t\le t^{-1}\ (a\ge2)",
)
def delta_bound() -> Argument:
    """Compare exponents, log t >= 0. (The printed reference to Lemma sec:tau belongs to the bound on tau, not to this
    one.)"""
    free = {a: positive(), L: at_least(0)}
    return proof(
        Goal(Rel(a * L / 2, ">=", L / 2), free, (Rel(a, ">=", 1),), "a >= 1"),
        Goal(Rel(a * L / 2, ">=", L), free, (Rel(a, ">=", 2),), "a >= 2"),
    )


@claim(
    "sec:proof/sum-root",
    by="paper",
    line=412,
    kind="inequality",
)
def sum_of_roots() -> Argument:
    """1/sqrt(t) <= 2 sqrt(t) - 2 sqrt(t-1) from t = 2 on, telescoped; the first term is 1."""
    root = 1 / sp.sqrt(rounds.t)
    return proof(rounds.from_the_first(rounds.roots_after(), root, 2 * sp.sqrt(rounds.N), "sum of roots"))


@claim("sec:proof/sum-root/sharp", by="us", kind="inequality", cites=("sec:proof/sum-root",))
def sum_of_roots_sharp() -> Argument:
    """The telescoped sum of the rounds after the first, and the first term as it is; equality at n = 1."""
    root = 1 / sp.sqrt(rounds.t)
    return proof(rounds.from_the_first(rounds.roots_after(), root, 2 * sp.sqrt(rounds.N) - 1, "sum of roots"))


@claim(
    "sec:proof/harmonic",
    by="paper",
    line=417,
    kind="inequality",
)
def harmonic() -> Argument:
    """1/t <= log(t/(t-1)) from t = 2 on, that is log(1+x) >= x/(1+x) at x = 1/(t-1), telescoped; the first term is
    1."""
    return proof(rounds.from_the_first(rounds.harmonic_after(), 1 / rounds.t, 1 + sp.log(rounds.N), "harmonic sum"))


@claim(
    "sec:proof/tau-at-one-pull",
    by="paper",
    line=409,
    kind="step",
    cites=("sec:tau",),
)
def tau_at_one_pull() -> Argument:
    """The largest width is at one pull. The printed beta is one root too many, and true as beta >= 1."""
    return proof(
        arm_goal(tau_sq, "<=", beta * s / (1 + rho), name="squared, with beta"),
        arm_goal(beta, "<=", beta**2, name="beta >= 1"),
    )


@claim(
    "regret-decom-upper-term2/repaired",
    by="us",
    kind="step",
    says=r"a\ge1:\quad\sum_{t=K+1}^nE\sum_k(\hat\mu_k-\mu_k)1\{\hat\mu_k-\mu_k>c_k\}\le\frac{\sqrt\beta "
    r"K}{\sqrt\pi}\sqrt{\frac{2n\sigma^2}{1+\rho}}",
    uses=("sec:proof/tail-union/own-event", "ours/conditioning", "sec:proof/tau-at-one-pull", "sec:proof/sum-root"),
    repairs="regret-decom-upper-term2",
)
def second_term_repaired() -> Argument:
    """K arms, each with tail integral tau t^(-a/2)/sqrt(2 pi); after the first K rounds tau is at most its value at
    one pull."""
    root, total = sp.symbols("root total")  # sqrt(n), the sum of t^(-1/2)
    free = {root: positive(), total: positive(), k: positive(), v: positive()}
    return proof(
        Goal(
            Rel(k * v * total, "<=", k * v * 2 * root),
            free,
            (Rel(total, "<=", 2 * root),),
            "sum over rounds, v = sqrt(beta sigma^2/(1+rho))",
        ),
        Goal(Rel((2 / sp.sqrt(2 * sp.pi)) ** 2, "=", (sp.sqrt(2) / sp.sqrt(sp.pi)) ** 2), name="constants, squared"),
        arm_goal(tau_sq, "<=", beta * s / (1 + rho), name="tau at one pull"),
    )


@claim(
    "regret-decom-upper-term22/repaired",
    by="us",
    kind="step",
    says=r"a\ge2:\quad\sum_{t=K+1}^nE\sum_k(\hat\mu_k-\mu_k)1\{\hat\mu_k-\mu_k>c_k\}\le\frac{\sqrt\beta K(1+\log "
    r"n)}{\sqrt{2\pi}}\sqrt{\frac{\sigma^2}{1+\rho}}",
    uses=("sec:proof/tail-union/own-event", "ours/conditioning", "sec:proof/tau-at-one-pull", "sec:proof/harmonic"),
    repairs="regret-decom-upper-term22",
)
def second_term_log_repaired() -> Argument:
    """As before, with the harmonic sum."""
    total = sp.Symbol("total")
    free = {L: at_least(0), total: positive(), k: positive(), v: positive()}
    return proof(
        Goal(Rel(k * v * total, "<=", k * v * (1 + L)), free, (Rel(total, "<=", 1 + L),), "sum over rounds"),
        arm_goal(tau_sq, "<=", beta * s / (1 + rho), name="tau at one pull"),
    )
