"""Section 6, remarks: how large beta is where the experiments are run, and what a wrong prior mean does in the end."""

import sympy as sp

from theory.kernel.argument import Argument, proof
from theory.kernel.claim import claim
from theory.kernel.goal import Goal, Letter, Rel, real
from theory.model.arms import arm_goal, n, s, s0
from theory.model.quantities import W_K, mu_value
from theory.model.regret_bounds import Bound
from theory.model.statistics import E, mu_k, rbar_k

R = sp.Rational
m = sp.Symbol("m")  # the mean of a misspecified prior


@claim(
    "sec:bernoulli bandits/beta",
    by="us",
    kind="number",
    cites=("sec:bernoulli bandits/max-variance", "sec:proof/use-of-tau"),
)
def beta_of_the_bernoulli_bandits() -> Argument:
    """The factor that Theorem 2 has for not knowing mu_0 is not close to 1 there: means uniform on [0.2, 0.5], of
    variance 0.3^2/12 = 3/400, and sigma^2 = 1/4 give 2.67, 1.67 and 1.33 for K = 20, 50 and 100 (1.13 in Figure 1a)."""
    spread, noise = (R(1, 2) - R(1, 5)) ** 2 / 12, R(1, 4)
    settings = ((20, spread, R(8, 3)), (50, spread, R(5, 3)), (100, spread, R(4, 3)), (50, R(1, 25), R(9, 8)))
    return proof(
        *(
            Goal(Rel(Bound("beta", arms, variance, noise), "=", factor), name=f"K = {arms}, sigma_0^2 = {variance}")
            for arms, variance, factor in settings
        )
    )


@claim(
    "fig:Mis-prior/a-linear/horizon",
    by="us",
    kind="limit",
    cites=("fig:Mis-prior/a-linear", "w-def/limit"),
)
def wrong_mean_is_forgotten() -> Argument:
    """Linear regret is an impression of the horizon: the effect of a wrong mean m of a Gaussian prior vanishes. After
    n_k pulls the posterior mean of TSm2 is off by (1 - w_k)(m - mu_k) on average, less than sigma^2/(n_k sigma_0^2)
    times the error of m, and its variance is at most sigma^2/n_k. With 200 pulls of each of 50 arms, 10^4 rounds, a
    33rd part of the error of m is left."""
    guess = (1 - W_K) * m + W_K * rbar_k
    means = {m: real(), mu_value: real()}
    after = {n: sp.Integer(200), s: R(1, 4), s0: R(1, 25)}
    return proof(
        arm_goal(
            E(guess - mu_k, given=mu_k), "=", (1 - W_K) * (m - mu_value), extra=means, name="bias given the arm mean"
        ),
        arm_goal(1 - W_K, "<", s / (n * s0), name="the part that is left"),
        arm_goal((1 - W_K) * s0, "<", s / n, name="posterior variance"),
        arm_goal(1 - W_K.xreplace(after), "=", R(1, 33), name="Figure 3a, 200 pulls of the arm"),
        letters={m: Letter(m, "mean of the prior that TSm2 uses")},
    )
