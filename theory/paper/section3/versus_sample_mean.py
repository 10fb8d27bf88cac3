"""Section 3.2, continued: the prediction against the sample mean (Proposition compare-tauANDmab)."""

import sympy as sp

from theory.kernel.argument import Argument, proof, refuted
from theory.kernel.claim import claim
from theory.kernel.goal import Goal, Rel, Var, at_least, positive
from theory.model.arms import DOMAIN, LETTERS, SHORT, J, K, Wo, arm_goal, arm_point, arm_points, n, s, s0, tau_sq, w
from theory.model.quantities import TAU_SQ, W_ALL, W_K
from theory.model.statistics import Variance, rbar_0

a = sp.Symbol("a")


def any_pulls(left: sp.Expr, op: str, right: sp.Expr, name: str = "", given: tuple[Rel, ...] = ()) -> Goal:
    """A goal for n_k >= 1 while other arms may be unpulled: of their weights only Wo >= 0 is known."""
    rel, points = Rel(left, op, right), arm_points(None, 0)
    return Goal(rel, DOMAIN, given, name, points=points, letters=LETTERS, short=SHORT)


@claim(
    "compare-tauANDmab",
    by="paper",
    kind="inequality",
    severity="edge",
    cause="one-arm",
    says=r"\tau_k^2<\sigma^2/n_k \text{ for } \sigma^2>0,\ n_k\ge 1",
    cites=("MSE", "sec:proof-prop/second-equality", "sec:proof-prop/strict", "sec:proof-prop/conclusion"),
)
def printed_comparison() -> Argument:
    """With one arm, or while no other arm has been pulled, the prediction is the sample mean and the two errors
    are equal."""
    return refuted(
        any_pulls(tau_sq, "<", s / n),
        fails_iff=Rel(Wo, "<=", 0),
        fails_when="K = 1, or no arm but k has been pulled; then there is equality",
    )


@claim(
    "compare-tauANDmab/repaired",
    by="us",
    kind="inequality",
    cites=("MSE",),
    repairs="compare-tauANDmab",
)
def comparison() -> Argument:
    """The gain is exact: it is the fraction (1-w_k) of sigma^2/n_k, times the other arms' share of the
    weights."""
    return proof(
        any_pulls(s / n - TAU_SQ, "=", (1 - W_K) * s / n * Wo / W_ALL, "the gain"),
        any_pulls(TAU_SQ, "<=", s / n, "never worse"),
        any_pulls(TAU_SQ, "<", s / n, "better with another arm", (Rel(Wo, ">", 0),)),
    )


@claim(
    "compare-tauANDmab/no-noise",
    by="paper",
    line=239,
    kind="limit",
    cites=("MSE", "MSE/variance"),
)
def without_noise() -> Argument:
    """Without noise both errors are 0, and the ratio of the errors comes as close to 1 as one likes before
    that."""
    ratio, rest = n * TAU_SQ / s, 1 - s / (n * s0)
    return proof(
        arm_goal(TAU_SQ.xreplace({s: sp.Integer(0)}), "=", 0, name="no noise, no error"),
        arm_goal(rest, "<", ratio, name="tends to 1 as the noise vanishes"),
        arm_goal(ratio, "<=", 1, name="ratio at most 1"),
    )


@claim(
    "compare-tauANDmab/less-optimistic",
    by="paper",
    line=239,
    kind="prose",
    cites=("compare-tauANDmab/repaired", "compare-tauANDmab"),
)
def less_optimistic() -> Argument:
    """The bonus can be smaller than UCB1's, and is for every arm if a <= 8, the constant UCB1 itself uses."""
    return proof(
        arm_goal(a * tau_sq, "<=", a * s / n, extra={a: positive()}, name="same constant"),
        arm_goal(
            a * tau_sq,
            "<=",
            8 * s / n,
            extra={a: Var(sp.Integer(0), strict=True, high=sp.Integer(8))},
            name="a up to 8",
        ),
    )


@claim(
    "compare-tauANDmab/divisor-without-noise",
    by="paper",
    line=239,
    kind="definition",
    severity="edge",
    cause="zero-variance",
    says=r"\sum_in_i(1-w_i)>0 \text{ for all } \sigma^2\ge 0, \text{ so that Eq. MSE and Eq. r0-estimator "
    r"are defined}",
    cites=("MSE",),
)
def divisor_without_noise() -> Argument:
    """The remark on sigma^2 = 0 uses formulas that are 0/0 there: all weights are 1 and every term of the
    divisor is 0."""
    domain = {n: at_least(1, integer=True), s: at_least(0), s0: positive()}
    return refuted(
        Goal(Rel(n * (1 - w), ">", 0), domain, name="an arm's term of the divisor", letters=LETTERS),
        at=arm_point((1,), sp.Integer(0), sp.Integer(1)),
        fails_iff=Rel(s, "<=", 0),
        fails_when="sigma^2 = 0: the divisor vanishes for any number of arms",
    )


@claim(
    "compare-tauANDmab/divisor-without-noise/repaired",
    by="us",
    kind="definition",
    cites=("MSE", "r0-estimator"),
    repairs="compare-tauANDmab/divisor-without-noise",
)
def divisor_in_the_weights() -> Argument:
    """Written in the weights the formulas stay defined without noise, where every weight is 1."""
    silent = {s: sp.Integer(0), Wo: J}
    return proof(
        arm_goal(n * (1 - w), ">", 0, name="the printed divisor, for sigma^2 > 0"),
        arm_goal(W_ALL, ">", 0, name="divisor"),
        arm_goal((W_K / W_ALL).xreplace(silent), "=", 1 / K, name="equal shares"),
        arm_goal(Variance(rbar_0).xreplace(silent), "=", s0 / K, name="variance of the common mean"),
        arm_goal(TAU_SQ.xreplace(silent), "=", 0, name="no error"),
    )
