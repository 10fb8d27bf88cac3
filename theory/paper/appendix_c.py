"""Appendix C (`sec:proof-prop`): the proof of Proposition compare-tauANDmab, step by step."""

from theory.kernel.argument import Argument, proof, refuted
from theory.kernel.claim import claim
from theory.kernel.goal import Rel, at_least
from theory.model.arms import J, W, Wo, arm_goal, n, rho, s, tau_sq, w

precision = rho * W  # the sum over arms of n_i (1 - w_i)


@claim(
    "sec:proof-prop/first-equality",
    by="paper",
    line=652,
    kind="step",
    cites=("MSE",),
)
def first_equality() -> Argument:
    """Only the definition of tau_k^2 is used."""
    return proof(arm_goal(s / n - tau_sq, "=", (1 - w) * s / n - (1 - w) ** 2 * s / precision))


@claim(
    "sec:proof-prop/second-equality",
    by="paper",
    line=653,
    kind="step",
    cites=("sec:proof-prop/first-equality",),
)
def second_equality() -> Argument:
    """The common factor taken out; the bracket is the share of the weights that belongs to the other arms."""
    bracket = 1 - n * (1 - w) / precision
    return proof(
        arm_goal((1 - w) * s / n - (1 - w) ** 2 * s / precision, "=", (1 - w) * s / n * bracket, name="factor"),
        arm_goal(bracket, "=", Wo / W, name="the bracket"),
    )


@claim(
    "sec:proof-prop/strict",
    by="paper",
    line=655,
    kind="step",
    severity="edge",
    cause="one-arm",
    says=r"n_k(1-w_k)<\sum_in_i(1-w_i) \text{ if all } n_i\ge 1",
    cites=("sec:proof-prop/second-equality",),
)
def one_term_below_the_sum() -> Argument:
    """With one arm the sum is that one term: K >= 2 is needed and nowhere assumed."""
    return refuted(
        arm_goal(n * (1 - w), "<", n * (1 - w) + rho * Wo),
        fails_iff=Rel(Wo, "<=", 0),
        fails_when="K = 1, the only case with no weight on other arms when all n_i >= 1",
    )


@claim(
    "sec:proof-prop/strict/repaired",
    by="us",
    kind="step",
    repairs="sec:proof-prop/strict",
)
def below_the_sum_of_two() -> Argument:
    """Each further arm adds n_i (1-w_i) = w_i sigma^2/sigma_0^2 > 0."""
    return proof(
        arm_goal(n * (1 - w), "<", n * (1 - w) + rho * Wo, extra={J: at_least(1, integer=True)}, name="K at least 2"),
        arm_goal(n * (1 - w), "<=", n * (1 - w) + rho * Wo, name="for every K"),
    )


@claim(
    "sec:proof-prop/conclusion",
    by="paper",
    line=655,
    kind="step",
    cites=("sec:proof-prop/second-equality",),
)
def conclusion() -> Argument:
    """Given the strict inequality, the bracket and its factor are positive."""
    strict = Rel(n * (1 - w), "<", n * (1 - w) + rho * Wo)
    return proof(arm_goal(tau_sq, "<", s / n, given=(strict,)))
