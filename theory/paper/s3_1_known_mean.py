"""Section 3.1 (`sec:estimation-1`): predicting an arm mean when the common mean is known."""

import sympy as sp

from theory.kernel.argument import misprint, proof, refuted
from theory.kernel.claim import claim
from theory.kernel.goal import Rel, positive, real
from theory.kernel.moments import Calculus, Form
from theory.vocabulary import arm_goal, n, s, s0, tau_tilde_sq, w, weight

HERE = "Section 3.1"
c = sp.Symbol("c")  # the coefficient the paper calls a here, and a tuning constant elsewhere


@claim("mse-a", where=f"{HERE}, Eq. mse-a", kind="identity",
       says=r"E(\breve\mu_k-\mu_k)^2 = c^2\sigma^2/n_k + (1-c)^2\sigma_0^2")
def risk_of_a_coefficient():
    """The error is c times the noise average minus (1 - c) times the arm's offset, and the two are uncorrelated."""
    calculus = Calculus(s0, w, {0: sp.Integer(0)})
    error = c * Form(own_effect=sp.Integer(1), own_noise=sp.Integer(1)) - Form(own_effect=sp.Integer(1))
    return proof(arm_goal(calculus.var(error), "=", c**2 * s / n + (1 - c) ** 2 * s0, extra={c: real()}, name="risk"))


@claim("w-def", where=f"{HERE}, Eq. w-def", kind="identity", depends_on=("mse-a",),
       says=r"\arg\min_c E(\breve\mu_k-\mu_k)^2 = w_k = \sigma_0^2/(\sigma_0^2+\sigma^2/n_k) = 1/(1+\sigma^2/(n_k\sigma_0^2))")
def optimal_weight():
    """The risk is a convex parabola in the coefficient; its derivative vanishes at w_k only, and both printed forms agree."""
    risk = c**2 * s / n + (1 - c) ** 2 * s0
    return proof(
        arm_goal(sp.diff(risk, c).subs(c, w), "=", 0, name="stationary at w"),
        arm_goal(sp.diff(risk, c, 2), ">", 0, name="convex"),
        arm_goal(s0 / (s0 + s / n), "=", 1 / (1 + s / (n * s0)), name="two printed forms"),
        arm_goal(s0 / (s0 + s / n), "=", w, name="form used here"),
        arm_goal(risk - risk.subs(c, w), "=", (s / n + s0) * (c - w) ** 2, extra={c: real()}, name="excess risk is a square"),
    )


@claim("w-def/bounds", where=f"{HERE}, after Eq. mu-estimator", kind="inequality", depends_on=("w-def",),
       says=r"\sigma_0^2/\sigma^2 \le w_k < 1 \text{ for } n_k\ge 1")
def printed_weight_bounds():
    """The printed lower bound has lost a term of its denominator: with one pull and equal variances it says 1 <= 1/2."""
    return refuted(arm_goal(s0 / s, "<=", w), fails_iff=Rel(n * s0, ">", (n - 1) * s),
                   fails_when="n_k sigma_0^2 > (n_k - 1) sigma^2; always at n_k = 1")


@claim("w-def/bounds/repaired", where=f"{HERE}, after Eq. mu-estimator", kind="inequality", depends_on=("w-def",),
       repairs="w-def/bounds", says=r"\sigma_0^2/(\sigma_0^2+\sigma^2) \le w_k < 1 \text{ for } n_k\ge 1")
def weight_bounds():
    """The weight rises with the count, is smallest at one pull, where the bound is an equality, and never reaches 1."""
    return proof(arm_goal(s0 / (s0 + s), "<=", w, name="lower"), arm_goal(w, "<", 1, name="upper"),
                 arm_goal(weight(n).subs(n, 1), "=", s0 / (s0 + s), name="sharp at one pull"))


@claim("wto1w", where=f"{HERE}, Eq. wto1w", kind="identity", depends_on=("w-def",),
       says=r"w_k\sigma^2/n_k = (1-w_k)\sigma_\mu^2")
def printed_exchange():
    """sigma_mu^2 is defined nowhere; the identity holds for sigma_0^2 in its place and for nothing else."""
    s_mu = sp.Symbol("s_mu")
    return misprint(arm_goal(w * s / n, "=", (1 - w) * s_mu, extra={s_mu: positive()}))


@claim("wto1w/repaired", where=f"{HERE}, Eq. wto1w", kind="identity", depends_on=("w-def",), repairs="wto1w",
       says=r"w_k\sigma^2/n_k = (1-w_k)\sigma_0^2")
def exchange():
    """Both sides are sigma^2 sigma_0^2 / (n_k sigma_0^2 + sigma^2)."""
    return proof(arm_goal(w * s / n, "=", (1 - w) * s0))


@claim("MSE-term1", where=f"{HERE}, Eq. MSE-term1", kind="identity", depends_on=("mse-a", "w-def", "wto1w"),
       says=r"w_k^2\sigma^2/n_k+(1-w_k)^2\sigma_0^2 = w_k\sigma^2/n_k = \tilde\tau_k^2")
def risk_at_the_optimum():
    """Substituting w_k collapses the two terms into one."""
    return proof(arm_goal(w**2 * s / n + (1 - w) ** 2 * s0, "=", w * s / n),
                 arm_goal(w * s / n, "=", tau_tilde_sq, name="form used here"))
