"""Appendix F (`sec:lemma`), Lemma `sec:tau`: the upper bound on tau_k^2, step by step."""

import sympy as sp

from theory.kernel.argument import Argument, proof, refuted
from theory.kernel.claim import claim
from theory.kernel.goal import Rel, at_least, positive
from theory.kernel.region import exactly
from theory.model.arms import WEIGHTS, J, K, W, Wo, all_w, arm_goal, beta, n, rho, s, s0, tau_sq, tau_tilde_sq, w, w_k
from theory.model.quantities import TAU_SQ, TAU_TILDE_SQ, W_K
from theory.paper.section3.versus_sample_mean import any_pulls

HERE = "Appendix F"
least = s0 / (s0 + s)  # the least weight of a pulled arm

middle = w * s / n + (1 - w) ** 2 * (s0 + s) / K
last_but_one = w * s / n + (1 - w) * w * s / s0 * (s0 + s) / (K * n)


@claim(
    "sec:tau",
    by="paper",
    kind="inequality",
    cites=(
        "sec:tau/second-line",
        "sec:tau/third-line",
        "sec:tau/fourth-line",
        "sec:tau/fifth-line",
        "sec:tau/sixth-line",
        "alg:arm-ucb/each-arm-once",
    ),
)
def upper_bound() -> Argument:
    """Every pulled arm has a weight of at least sigma_0^2/(sigma_0^2+sigma^2); the statement leaves out n_i >=
    1 for all arms, its proof has it. Equality holds when every arm has been pulled once."""
    at_one_pull = {n: sp.Integer(1), Wo: J * least}
    return proof(
        arm_goal(tau_sq, "<=", tau_tilde_sq * beta, name="upper bound"),
        arm_goal(
            tau_sq.subs(at_one_pull), "=", (tau_tilde_sq * beta).subs(at_one_pull), name="equality at one pull each"
        ),
    )


@claim(
    "sec:tau/exchange",
    by="paper",
    line=708,
    kind="step",
    cites=("wto1w/repaired", "wto1w"),
)
def exchange() -> Argument:
    """The misprinted exchange of Section 3.1, here in its right form."""
    return proof(arm_goal(n * (1 - w) * s0, "=", w * s))


@claim(
    "sec:tau/second-line",
    by="paper",
    line=711,
    kind="step",
    cites=("sec:tau/exchange", "MSE"),
)
def second_line() -> Argument:
    """The sum of n_i (1-w_i) is W sigma^2/sigma_0^2."""
    printed = w * s / n + (1 - w) ** 2 * s / (n * (1 - w) + rho * Wo)
    return proof(arm_goal(printed, "=", w * s / n + (1 - w) ** 2 * s0 / W))


@claim(
    "sec:tau/third-line",
    by="paper",
    line=712,
    kind="step",
    cites=("sec:tau/second-line", "w-def/bounds/repaired", "w-def/bounds"),
)
def third_line() -> Argument:
    """Each of the K weights is at least that of one pull. This line alone is already sharper than the lemma."""
    return proof(
        arm_goal(W, ">=", K * least, name="sum of the weights"), arm_goal(tau_sq, "<=", middle, name="first inequality")
    )


@claim(
    "sec:tau/fourth-line",
    by="paper",
    line=713,
    kind="step",
    cites=("sec:tau/exchange",),
)
def fourth_line() -> Argument:
    """One factor 1-w_k is exchanged for w_k sigma^2/(n_k sigma_0^2)."""
    return proof(arm_goal(middle, "=", last_but_one))


@claim(
    "sec:tau/fifth-line",
    by="paper",
    line=714,
    kind="step",
    cites=("w-def/bounds/repaired", "w-def/bounds"),
)
def fifth_line() -> Argument:
    """The weight of a pulled arm is at least that of one pull once more, now for arm k itself."""
    return proof(
        arm_goal(1 - w, "<=", s / (s0 + s), name="complement of the weight"),
        arm_goal(last_but_one, "<=", w * s / n * beta, name="second inequality"),
    )


@claim(
    "sec:tau/sixth-line",
    by="paper",
    line=715,
    kind="step",
    cites=("MSE-term1",),
)
def sixth_line() -> Argument:
    """The weight written out."""
    return proof(arm_goal(s0 / (s0 + s / n) * s / n, "=", s0 * s / (n * s0 + s)))


@claim(
    "sec:tau/unpulled-arm",
    by="paper",
    line=699,
    kind="inequality",
    severity="edge",
    cause="unpulled-arms",
    says=r"\tau_k^2\le\frac{\sigma_0^2\sigma^2}{n_k\sigma_0^2+\sigma^2}\Big(1+\frac{\sigma^2}{K\sigma_0^2}"
    r"\Big)"
    r" \text{ for } n_k\ge 1 \text{ while other arms may be unpulled}",
    cites=("MSE",),
)
def printed_without_its_hypothesis() -> Argument:
    """As stated, without n_i >= 1 for the other arms, the bound fails in the initial rounds: an unpulled arm
    counts in K but contributes no weight."""
    printed = any_pulls(tau_sq, "<=", tau_tilde_sq * beta)
    return refuted(
        printed,
        region=exactly(printed, Rel((1 - w_k) * K * s0, ">", s * all_w), let=WEIGHTS),
        fails_when="(1-w_k)/W > sigma^2/(K sigma_0^2), which needs an unpulled arm",
    )


@claim(
    "sec:tau/unpulled-arm/repaired",
    by="us",
    kind="inequality",
    cites=("MSE",),
    repairs="sec:tau/unpulled-arm",
)
def with_the_pulled_arms_only() -> Argument:
    """Unpulled arms have weight 0 and drop out of every sum, so K becomes the number of pulled arms."""
    # J counts the other pulled arms here, so that P is J + 1 if arm k is pulled and J if it is not
    unpulled = tau_sq.subs(n, 0)
    return proof(
        arm_goal(tau_sq, "<=", tau_tilde_sq * beta, name="a pulled arm among P = J + 1"),
        arm_goal(
            unpulled,
            "<=",
            s0 + (s0 + s) / J,
            name="an unpulled arm, P = J",
            extra={J: at_least(1, integer=True), Wo: positive()},
        ),
    )


@claim(
    "sec:tau/sharp",
    by="us",
    kind="inequality",
    cites=("MSE/factorisation",),
)
def sharp_upper_bound() -> Argument:
    """For a given n_k the first bound cannot be improved: it is reached when every other arm has been pulled
    once."""
    best = TAU_TILDE_SQ * (1 + (1 - W_K) / (W_K + J / (1 + rho)))
    between = TAU_TILDE_SQ * (1 + (1 - W_K) * (1 + rho) / K)
    return proof(
        arm_goal(TAU_SQ, "<=", best, name="sharp"),
        arm_goal(TAU_SQ.xreplace({Wo: J * least}), "=", best, name="reached"),
        arm_goal(best, "<=", between, name="simpler"),
        arm_goal(between, "<=", TAU_TILDE_SQ * beta, name="the lemma"),
    )


@claim(
    "sec:tau/loose",
    by="us",
    kind="inequality",
    cites=("sec:tau",),
)
def how_loose() -> Argument:
    """Beyond one pull the lemma is not tight: the true factor tends to 1 with the pulls, while beta stays."""
    return proof(
        arm_goal(tau_tilde_sq * beta - tau_sq, ">=", tau_tilde_sq * rho / K * (n - 1) / (n + rho), name="what is lost"),
        arm_goal(
            tau_sq, "<", tau_tilde_sq * beta, extra={n: at_least(2, integer=True)}, name="strict from two pulls on"
        ),
    )


@claim(
    "sec:lemma/range",
    by="us",
    kind="inequality",
    cites=("sec:tau", "MSE/factorisation"),
)
def range_of_the_factor() -> Argument:
    """The factor that not knowing mu_0 costs, from both sides, for all counts of at least 1."""
    ratio = 1 + (1 - w) / W
    return proof(arm_goal(ratio, ">", 1 + (1 - w) / K, name="lower"), arm_goal(ratio, "<=", beta, name="upper"))
