"""Section 3.1 (`sec:estimation-1`): predicting an arm mean when the common mean is known."""

from dataclasses import replace

import sympy as sp

from theory.kernel.argument import Argument, gap, misprint, proof
from theory.kernel.claim import claim
from theory.kernel.goal import Goal, Letter, Rel, Var, at_least, positive, real
from theory.kernel.region import unequal
from theory.model.arms import LETTERS, arm_goal, arm_point, n, rho, s, s0, w, w_k, weight
from theory.model.moments import w_i
from theory.model.quantities import TAU_TILDE_SQ, W_K, mu0, mu_value
from theory.model.statistics import Cov, E, Variance, mu_k, mu_tilde, r_ij, r_kj, rbar_i, rbar_k

one = sp.Integer(1)
c = sp.Symbol("c")  # the coefficient the paper calls a here, and a tuning constant elsewhere
h, r, x, y, z = sp.symbols("h rbar_k x y z")


@claim(
    "sec:estimation-1/direct-variance",
    by="paper",
    line=178,
    kind="identity",
    cites=("payoff-R",),
)
def direct_variance() -> Argument:
    """Var is meant given mu_k: the variance of the sample mean around the mean of its arm. Appendix B uses the same
    symbol for the variance over all randomness, which has both parts."""
    return proof(
        arm_goal(Variance(rbar_k, given=mu_k), "=", E((rbar_k - mu_k) ** 2), name="around the mean of its arm"),
        arm_goal(E((rbar_k - mu_k) ** 2), "=", s / n, name="mean squared error"),
        arm_goal(Variance(rbar_k), "=", s0 + s / n, name="variance"),
    )


@claim(
    "sec:estimation-1/linear-unbiased",
    by="paper",
    line=178,
    kind="prose",
    cites=("payoff-M1", "payoff-R"),
)
def linear_unbiased_class() -> Argument:
    """Averaged over mu_k too, an affine predictor is unbiased just when it has the printed form, for any
    coefficient."""
    reals = {x: real(), y: real(), mu0: real()}
    return proof(arm_goal(E(x + y * rbar_k - mu_k), "=", x - (1 - y) * mu0, extra=reals, name="mean error"))


@claim(
    "mse-a",
    by="paper",
    kind="identity",
)
def risk_of_a_coefficient() -> Argument:
    """The error is c times the noise average minus (1 - c) times the arm's offset, and the two are
    uncorrelated."""
    error = (1 - c) * mu0 + c * rbar_k - mu_k
    split = c * (rbar_k - mu_k) + (1 - c) * (mu0 - mu_k)
    reals = {c: real(), mu0: real()}
    return proof(
        arm_goal(E(error**2), "=", E(split**2), extra=reals, name="the printed split of the error"),
        arm_goal(E(split**2), "=", c**2 * s / n + (1 - c) ** 2 * s0, extra=reals, name="risk"),
    )


@claim(
    "w-def",
    by="paper",
    kind="identity",
    cites=("mse-a",),
)
def optimal_weight() -> Argument:
    """The risk is a convex parabola in the coefficient; its derivative vanishes at w_k only, and both printed
    forms agree."""
    risk = E(((1 - c) * mu0 + c * rbar_k - mu_k) ** 2)
    least = E(((1 - W_K) * mu0 + W_K * rbar_k - mu_k) ** 2)
    reals = {c: real(), mu0: real()}
    return proof(
        arm_goal(risk - least, "=", (s0 + s / n) * (c - W_K) ** 2, extra=reals, name="excess risk is a square"),
        arm_goal(W_K, "=", s0 / (s0 + s / n), name="first printed form"),
        arm_goal(s0 / (s0 + s / n), "=", 1 / (1 + s / (n * s0)), name="second printed form"),
    )


@claim(
    "w-def/bounds",
    by="paper",
    line=197,
    kind="inequality",
    severity="wording",
    cause="misprinted-formula",
    says=r"\sigma_0^2/\sigma^2 \le w_k < 1 \text{ for } n_k\ge 1",
    cites=("w-def",),
)
def printed_weight_bounds() -> Argument:
    """The printed lower bound has lost a term of its denominator: with one pull and equal variances it says 1
    <= 1/2. The proof of Lemma sec:tau has the bound that is meant."""
    return misprint(
        arm_goal(s0 / s, "<=", w),
        fails_iff=Rel(n * s0, ">", (n - 1) * s),
        fails_when="n_k sigma_0^2 > (n_k - 1) sigma^2; always at n_k = 1",
    )


@claim(
    "w-def/bounds/repaired",
    by="us",
    kind="inequality",
    cites=("w-def",),
    repairs="w-def/bounds",
)
def weight_bounds() -> Argument:
    """The weight rises with the count, is smallest at one pull, where the bound is an equality, and never
    reaches 1."""
    return proof(
        arm_goal(s0 / (s0 + s), "<=", w, name="lower"),
        arm_goal(w, "<", 1, name="upper"),
        arm_goal(W_K.xreplace({n: sp.Integer(1)}), "=", s0 / (s0 + s), name="sharp at one pull"),
    )


@claim(
    "w-def/limit",
    by="paper",
    line=197,
    kind="limit",
    cites=("w-def",),
)
def weight_tends_to_one() -> Argument:
    """The distance of the weight from 1 falls like the inverse of the count, with sigma^2/sigma_0^2 the exact
    constant."""
    later = weight(n + h)
    return proof(
        arm_goal(1 - w, ">", 0, name="below 1"),
        arm_goal(1 - w, "<", s / (n * s0), name="rate"),
        arm_goal(n * (1 - w), "<", (n + h) * (1 - later), extra={h: positive()}, name="n(1-w) rises"),
    )


@claim(
    "w-def/monotone",
    by="paper",
    line=203,
    kind="prose",
    cites=("w-def",),
)
def weight_moves_as_said() -> Argument:
    """Few pulls, similar arms or noisy rewards make the weight low, and the common mean counts for more."""
    step = {h: positive()}
    return proof(
        arm_goal(w, "<", weight(n + h), extra=step, name="more pulls"),
        arm_goal(w, "<", w.subs(s0, s0 + h), extra=step, name="more different arms"),
        arm_goal(w, ">", w.subs(s, s + h), extra=step, name="noisier rewards"),
    )


@claim(
    "w-def/unpulled",
    by="us",
    kind="definition",
    cites=("w-def",),
)
def weight_of_an_unpulled_arm() -> Argument:
    """Both printed forms divide by the count; without that division they extend to no pulls, where only mu_0 is
    left."""
    zero = {n: sp.Integer(0)}
    return proof(
        arm_goal(W_K, "=", 1 / (1 + s / (n * s0)), name="as printed for n >= 1"),
        arm_goal(W_K.xreplace(zero), "=", 0, name="weight without a pull"),
        arm_goal(TAU_TILDE_SQ.xreplace(zero), "=", s0, name="error without a pull"),
        arm_goal(W_K, "<", 1, min_count=0, name="below 1 for every count"),
    )


@claim(
    "w-def/no-spread",
    by="paper",
    line=190,
    kind="definition",
    severity="edge",
    cause="zero-variance",
    says=r"\text{where } w_k=\sigma_0^2/(\sigma_0^2+\sigma^2/n_k) \text{ is defined, so is } "
    r"1/(1+\sigma^2/(n_k\sigma_0^2)):\ n_k\sigma_0^2>0",
    cites=("w-def",),
)
def second_form_without_spread() -> Argument:
    """The two forms are said to be equal. A hypothesis is missing: nothing excludes arms that are all alike, sigma_0^2
    = 0; there the first form of the weight is defined, and the second one divides by 0."""
    first = Rel(s0 + s / n, ">", 0)  # the divisor of the first form
    domain = {n: at_least(1, integer=True), s: at_least(0), s0: at_least(0)}
    return gap(
        Goal(Rel(n * s0, ">", 0), domain, (first,), "divisor of the second form", letters=LETTERS),
        at=arm_point((1,), one, sp.Integer(0)),
        fails_iff=Rel(s0, "<=", 0),
        fails_when="sigma_0^2 = 0",
    )


@claim(
    "w-def/no-spread/repaired",
    by="us",
    kind="definition",
    repairs="w-def/no-spread",
)
def first_form_without_spread() -> Argument:
    """The first form needs one positive variance only: with arms that are all alike every weight is 0."""
    domain = {n: at_least(1, integer=True), s: positive(), s0: at_least(0)}
    first = s0 / (s0 + s / n)
    return proof(
        Goal(Rel(n * s0, ">", 0), {**domain, s0: positive()}, name="the printed condition, for sigma_0^2 > 0"),
        Goal(Rel(s0 + s / n, ">", 0), domain, name="its divisor"),
        Goal(Rel(first, ">=", 0), domain, name="at least 0"),
        Goal(Rel(first, "<", 1), domain, name="below 1"),
        Goal(Rel(first, "=", 0), domain, (Rel(s0, "=", 0),), name="without spread"),
        letters=LETTERS,
    )


@claim(
    "mu-estimator",
    by="paper",
    kind="identity",
    cites=("w-def",),
)
def known_mean_estimator() -> Argument:
    """The optimal coefficient put into the class of predictors, in both printed forms."""
    return proof(arm_goal(mu0 + w * (r - mu0), "=", (1 - w) * mu0 + w * r, extra={mu0: real(), r: real()}))


@claim(
    "mu-estimator/optimal",
    by="paper",
    line=176,
    kind="prose",
    cites=("mu-estimator", "w-def"),
)
def best_affine_predictor() -> Argument:
    """The error is uncorrelated with every reward of every arm, so adding any other affine term only adds its
    mean square: no affine predictor from all arms is better."""
    error = mu_tilde - mu_k
    return proof(
        arm_goal(Cov(error, r_kj), "=", 0, name="rewards of the arm"),
        arm_goal(Cov(error, r_ij), "=", 0, name="rewards of another arm"),
        arm_goal(
            Variance(error + x * rbar_k + y * rbar_i),
            "=",
            Variance(error) + Variance(x * rbar_k + y * rbar_i),
            extra={x: real(), y: real(), w_i: Var(sp.Integer(0), strict=True, high=sp.Integer(1))},
            name="further terms only add their own variance",
        ),
    )


@claim(
    "mu-estimator/bias",
    by="paper",
    line=203,
    kind="prose",
    cites=("mu-estimator",),
)
def bias_given_the_arm_mean() -> Argument:
    """Biased here means given mu_k: towards mu_0, by a factor of n_k and sigma^2/sigma_0^2 alone; averaged over
    mu_k it is 0."""
    means = {mu0: real(), mu_value: real()}
    printed = (1 - W_K) * (mu0 - mu_value)
    return proof(
        arm_goal(E(mu_tilde - mu_k, given=mu_k), "=", printed, extra=means, name="bias"),
        arm_goal(printed, "=", rho / (n + rho) * (mu0 - mu_value), extra=means, name="its factor"),
        arm_goal(E(mu_tilde - mu_k), "=", 0, extra={mu0: real()}, name="averaged over the arm mean"),
    )


@claim(
    "mu-estimator/bias-vanishes",
    by="paper",
    line=203,
    kind="limit",
    cites=("mu-estimator/bias", "w-def/limit"),
)
def bias_vanishes() -> Argument:
    """The root mean square of the bias falls like 1/n_k, faster than the error itself."""
    bias = (1 - W_K) * (mu0 - mu_k)  # E[mu-tilde_k - mu_k | mu_k], claim mu-estimator/bias
    return proof(
        arm_goal(E(bias**2), "=", (1 - W_K) ** 2 * s0, extra={mu0: real()}, name="mean square of the bias"),
        arm_goal((1 - W_K) ** 2 * s0, "<=", s**2 / (n**2 * s0), name="rate"),
    )


root, noise = sp.symbols("root noise")  # sqrt(w_k) and sigma/sqrt(n_k), so that tilde-tau_k is their product
ROOT = {root: Var(sp.Integer(0), strict=True, high=sp.Integer(1)), noise: positive(), z: positive()}
INDEX = (1 - root**2) * mu0 + root**2 * r + z * root * noise
INDEX_LETTERS = {
    root: Letter(sp.sqrt(w_k), "root of the weight, so that tilde-tau_k = sqrt(w_k) sigma/sqrt(n_k)"),
    noise: Letter(
        sp.Symbol("sigma") / sp.sqrt(sp.Symbol("n_k", positive=True)), "standard deviation of the mean of n_k rewards"
    ),
    **{x: LETTERS[x] for x in (r, mu0)},
    z: Letter(z, "number of widths in the index"),
}


def index_goal(op: str, given: Rel, name: str) -> Goal:
    """The index with a known mean against the classical one, r-bar_k plus z times sigma/sqrt(n_k)."""
    domain = {**ROOT, r: real(), mu0: real()}
    return Goal(Rel(INDEX, op, r + z * noise), domain, (given, Rel(root, "<", 1)), name, letters=INDEX_LETTERS)


@claim(
    "mu-estimator/less-aggressive",
    by="paper",
    line=203,
    kind="prose",
    cites=("mu-estimator/bias",),
)
def shrinking_explores_less() -> Argument:
    """Exploring as with w_k = 1 means the classical index. The bonus is always smaller, by the factor sqrt(w_k), and so
    is the whole index of every arm that looks at least average."""
    return proof(
        arm_goal(TAU_TILDE_SQ, "=", W_K * s / n, name="squared width"),
        arm_goal(W_K * s / n, "<", s / n, name="narrower"),
        index_goal("<", Rel(r, ">=", mu0), "index of an arm that looks average or better"),
    )


@claim(
    "mu-estimator/less-aggressive/below-the-mean",
    by="us",
    line=203,
    kind="inequality",
    cites=("mu-estimator/less-aggressive",),
)
def shrinking_lifts() -> Argument:
    """An arm whose sample mean lies far enough below mu_0 is lifted by the shrinkage: its index is higher than with
    w_k = 1. The difference of the indices is (1 - sqrt(w_k)) times that of the two sides of the condition."""
    lifted = (1 + root) * (mu0 - r)
    return proof(
        arm_goal(TAU_TILDE_SQ, "=", W_K * s / n, name="squared width"),
        index_goal(">", Rel(lifted, ">", z * noise), "lifted above the classical index"),
        index_goal("<=", Rel(lifted, "<=", z * noise), "else not"),
    )


@claim(
    "wto1w",
    by="paper",
    kind="identity",
    severity="wording",
    cause="symbol",
    says=r"w_k\sigma^2/n_k = (1-w_k)\sigma_\mu^2",
    cites=("w-def",),
)
def printed_exchange() -> Argument:
    """sigma_mu^2 is defined nowhere; the identity holds for sigma_0^2 in its place and for nothing else."""
    s_mu = sp.Symbol("sigma_mu_sq")
    goal = arm_goal(w * s / n, "=", (1 - w) * s_mu, extra={s_mu: positive()})
    letter = Letter(sp.Symbol("sigma_mu", positive=True) ** 2, "printed where sigma_0^2 is meant")
    printed = replace(goal, letters={**goal.letters, s_mu: letter})
    return misprint(
        printed,
        region=unequal(printed, s0 - s_mu),
        fails_when="sigma_mu^2 != sigma_0^2: the difference is (1 - w_k) (sigma_0^2 - sigma_mu^2)",
    )


@claim(
    "wto1w/repaired",
    by="us",
    kind="identity",
    cites=("w-def",),
    repairs="wto1w",
)
def exchange() -> Argument:
    """Both sides are sigma^2 sigma_0^2 / (n_k sigma_0^2 + sigma^2)."""
    return proof(arm_goal(w * s / n, "=", (1 - w) * s0))


@claim(
    "MSE-term1",
    by="paper",
    kind="identity",
    cites=("mse-a", "w-def", "wto1w/repaired", "wto1w"),
)
def risk_at_the_optimum() -> Argument:
    """Substituting w_k collapses the two terms into one."""
    printed = W_K**2 * s / n + (1 - W_K) ** 2 * s0
    return proof(
        arm_goal(E((mu_tilde - mu_k) ** 2), "=", printed, extra={mu0: real()}, name="risk at w"),
        arm_goal(printed, "=", W_K * s / n, name="one term"),
        arm_goal(W_K * s / n, "=", TAU_TILDE_SQ, name="form used here"),
    )


@claim(
    "MSE-term1/better-than-direct",
    by="paper",
    line=212,
    kind="prose",
    cites=("MSE-term1", "w-def/bounds/repaired", "sec:estimation-1/direct-variance", "w-def/bounds"),
)
def better_than_the_sample_mean() -> Argument:
    """The shrunken estimator beats the sample mean, as w_k < 1, and beats mu_0 alone; both comparisons are of
    squared errors."""
    mean = {mu0: real()}
    return proof(
        arm_goal(E((mu_tilde - mu_k) ** 2), "<", E((rbar_k - mu_k) ** 2), extra=mean, name="against the sample mean"),
        arm_goal(E((mu_tilde - mu_k) ** 2), "<", E((mu0 - mu_k) ** 2), extra=mean, name="against mu_0"),
        arm_goal(1 / TAU_TILDE_SQ, "=", n / s + 1 / s0, name="precisions add"),
    )
