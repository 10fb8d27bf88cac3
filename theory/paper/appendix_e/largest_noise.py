"""Appendix E, continued: the posterior with unequal noise, and the largest noise used for every arm."""

from collections.abc import Sequence

import sympy as sp

from theory.kernel.argument import Argument, Computation, gap, proof, refuted
from theory.kernel.claim import claim
from theory.kernel.goal import Goal, Point, Rel, Var, at_least, positive
from theory.kernel.region import Region, unequal
from theory.kernel.undecided import undecided
from theory.model.arms import K, arm_goal, n, s, s0, tau_sq, w
from theory.paper.appendix_e.noise import Xh, Xo, calculus, error, goal, h, one, s1, tau_h_sq, wh, x, y


@claim(
    "sec:varying/posterior",
    by="paper",
    line=683,
    kind="step",
    severity="argument",
    cause="unequal-noise",
    says=r"\hat\mu_k^h-\mu_k\mid H_t\sim\mathcal N(0,\tau_{h;k,t}^2) \text{ with } \bar r_0 \text{ as printed, hence"
    r" } E(\hat\mu_k^h-\mu_k)^2=\tau_{h;k}^2 \text{ for fixed counts}",
    cites=("sec:varying/common-mean", "sec:mu0Dist"),
)
def printed_posterior() -> Argument:
    """With the weights (1-w_i^h) n_i of Eq. r0-estimator the common mean is not the GLS one, and the error of the
    printed prediction is larger than tau_h^2 of the second display; in this example than that of the first too."""
    error_, first, second = printed_error((1, 1), (1, 2))
    shown = {"K": "2", "n": ["1", "1"], "sigma_k_sq": ["1", "2"], "sigma0_sq": "1"}
    return refuted(
        Goal(Rel(error_, "=", second), name="error of the first arm, against the second display"),
        at=Point({}, shown),
        region=two_arms(),
        fails_when="two arms differ in noise; for two arms iff sigma_1^2 != sigma_2^2, and the error is "
        "then larger than tau_h^2",
        also=(
            Goal(Rel(error_, ">", first), name="larger than the first display"),
            Goal(Rel(error_, ">", second), name="larger than the second display"),
            Computation(
                "exact",
                "with equal noise all three agree",
                lambda *design: [Rel(x, "=", printed_error(*design)[0]) for x in printed_error(*design)],
                ((1, 2), (3, 3)),
                {
                    "constant: unequal noise": ((1, 2), (3, 4)),
                    "constant: less on the second arm": ((2, 1), (2, 1)),
                },
            ),
        ),
    )


def two_arms() -> Region:
    """For two arms, in units of sigma_0^2: the error exceeds the second display by a multiple of the squared
    difference of the noise."""
    weights, noise = sp.symbols("w_1 w_2"), sp.symbols("sigma_1_sq sigma_2_sq")
    error_, _, second = _errors(weights, noise)
    free, below = dict.fromkeys((*weights, *noise), positive()), tuple(Rel(w_, "<", 1) for w_ in weights)
    return unequal(Goal(Rel(error_, "=", second), free, below, "sigma_0^2 = 1"), (noise[0] - noise[1]) ** 2)


def printed_error(counts: tuple[int, ...], noise: Sequence[sp.Expr | int]) -> tuple[sp.Expr, ...]:
    """The same from counts."""
    return _errors([sp.Integer(c) / (c + e) for c, e in zip(counts, noise, strict=True)], noise)


def _errors(weights: Sequence[sp.Expr], noise: Sequence[sp.Expr | int]) -> tuple[sp.Expr, ...]:
    """(error of arm 1's prediction with r0-bar as printed, first display, second display), at sigma_0^2 = 1, where
    n_i (1 - w_i) = w_i sigma_i^2 and Var(r-bar_i) = 1/w_i."""
    shares = [w_ * e for w_, e in zip(weights, noise, strict=True)]
    lean = 1 - weights[0]
    on = [lean * share / sum(shares) for share in shares]  # coefficients of the sample means in mu-hat_1
    on[0] += weights[0]
    error_ = 1 - 2 * on[0] + sum(x_**2 / w_ for x_, w_ in zip(on, weights, strict=True))
    return error_, lean + lean**2 * noise[0] / sum(shares), lean + lean**2 / sum(weights)


@claim(
    "sec:varying/posterior/repaired",
    by="us",
    kind="step",
    says=r"\text{with } \bar r_0^h=\textstyle\sum_iw_i^h\bar r_i/\sum_iw_i^h \text{ and a flat prior on } \mu_0:\ "
    r"\mu_k\mid H_t\sim\mathcal N(\hat\mu_k^h,\tau_{h;k}^2), \text{ as in the second display}",
    uses=("sec:varying/common-mean/repaired",),
    repairs="sec:varying/posterior",
)
def posterior_with_own_noise() -> Argument:
    """The joint density of mu_k and mu_0 has its top at mu-hat^h and the GLS mean, and integrating mu_0 out leaves
    the precision 1/tau_h^2."""
    m, r, ro = sp.symbols("m r ro")  # mu_0; the sample mean; the other arms' sample means, weighted by w_i^h
    joint = -((y - m) ** 2) / (2 * s0) - n * (r - y) ** 2 / (2 * s1) - Xo / s0 * (ro - m) ** 2 / 2
    centre = (wh * r + Xo * ro) / Xh
    top = {y: (1 - wh) * centre + wh * r, m: centre}
    precision = -sp.Derivative(joint, y, 2) + sp.Derivative(joint, y, m) ** 2 / sp.Derivative(joint, m, 2)
    data = {r: Var(), ro: Var()}
    return proof(
        goal(sp.Subs(sp.Derivative(joint, y), tuple(top), tuple(top.values())), "=", 0, "top in mu_k", data),
        goal(sp.Subs(sp.Derivative(joint, m), tuple(top), tuple(top.values())), "=", 0, "top in mu_0", data),
        goal(1 / precision, "=", tau_h_sq, "variance after integrating mu_0 out"),
    )


@claim(
    "sec:varying",
    by="paper",
    line=692,
    kind="bound",
    says=r"\sigma_k^2\le\sigma^2: \text{ run with } \sigma^2 \text{ for every arm, the bound of Theorem 1 holds for "
    r"every } n\ge 2",
    cites=(
        "sec:varying/upper-variance",
        "sec:varying/tau-h",
        "sec:varying/first-display",
        "sec:varying/posterior",
        "sec:varying/common-mean",
        "them-R-Bayes",
    ),
)
def theorem_with_unequal_noise() -> Argument:
    """Open. The printed argument does not give it (sec:varying/upper-variance, sec:varying/tau-h): run with the
    largest noise, the estimate is not the BLUP and its error depends on reward differences. (At n = 1
    Theorem 1 itself fails.) For the algorithm that uses each arm's own noise see the repair."""
    return undecided(LARGEST_NOISE)


LARGEST_NOISE = (
    "a bound on E(mu_* - U_*) and on the pulled arm's tail for n >= 2 when all weights are computed with max "
    "sigma_k^2: the error is then correlated with the reward differences that choose the arms; "
    "or a bandit that breaks the bound"
)


@claim(
    "sec:varying/repaired",
    by="us",
    kind="bound",
    says=r"n\ge 2, \text{ with its own } \sigma_k^2\le\sigma^2 \text{ and } \bar r_0^h=\sum_iw_i^h\bar r_i/\sum_i"
    r"w_i^h: \hat\mu_k^h-\mu_k \text{ is independent of all contrasts and } "
    r"\tau_{h;k}^2\le\frac{\sigma_0^2\sigma^2}{n_k\sigma_0^2+\sigma^2}\Big(1+\frac{\sigma^2}"
    r"{K\sigma_0^2}\Big), \text{ so that the bound of Theorem 1 holds}",
    uses=("sec:varying/tau-h/repaired", "sec:varying/common-mean/repaired", "sec:tau", "them-R-Bayes/repaired"),
    repairs="sec:varying",
)
def own_variances() -> Argument:
    """Used with each arm's own noise, in the common mean too, the predictor keeps both facts that the proof of Theorem
    1 rests on, so the bound holds with the largest noise in it wherever it holds for equal noise."""
    level = (1 - wh) * s0 / Xh
    bound = s0 * s / (n * s0 + s) * (1 + s / (K * s0))
    return proof(
        goal(calculus.cov_other_reward(error), "=", level, "rewards of another arm"),
        goal(calculus.cov_own_reward(error), "=", level, "rewards of the arm"),
        arm_goal(tau_sq, "<=", bound, name="after tau_h <= tau"),
    )


@claim(
    "sec:varying/upper-variance",
    by="paper",
    line=692,
    kind="step",
    severity="argument",
    cause="unequal-noise",
    says=r"\text{computed with } \sigma^2=\max_i\sigma_i^2, \text{ the index still has } E[\mu_k\mid H_t]="
    r"\hat\mu_{k,t}",
    cites=("sec:varying/tau-h", "sec:proof/posterior"),
)
def upper_variance_everywhere() -> Argument:
    """Putting the largest noise in every weight keeps the widths valid on average but moves the centre: the
    posterior mean uses w_k^h, so the conditional law that the theorem's proof needs is not N(mu-hat, tau^2) any
    more."""
    own = sp.Symbol("sigma_k_sq")
    known_mean_part = {n: at_least(1, integer=True), s0: positive(), own: positive(), h: positive()}
    shown = {"n_k": "1", "sigma_k_sq": "1", "sigma_sq": "2", "sigma0_sq": "1"}
    inference = Goal(Rel(w.subs(s, own), "=", w.subs(s, own + h)), known_mean_part)
    return gap(
        inference,
        premises=(Rel(own + h, ">=", own),),
        at=Point({n: one, s0: one, own: one, h: one}, shown),
        region=unequal(inference, h, {h: sp.Symbol("sigma_sq") - own}),
        fails_when="sigma_k^2 is below the largest noise sigma^2",
    )


@claim(
    "sec:varying/upper-variance-error",
    by="us",
    kind="inequality",
    says=r"\text{weights for } \sigma^2=\max\sigma_i^2,\ \text{true noise } \sigma_i^2\le\sigma^2:\ "
    r"E(\hat\mu_k-\mu_k)^2\le\tau_k^2",
    uses=("MSE",),
    repairs="sec:varying/upper-variance",
)
def conservative_for_fixed_counts() -> Argument:
    """For fixed counts the error of any fixed linear predictor rises with every arm's noise, so tau_k^2 stays
    an upper bound on it although the predictor is no longer the best one."""
    own, noise_part = sp.symbols("own noise_part")  # of e-bar_k; of the other arms, at the largest noise
    coefficients = {
        own: Var(),
        noise_part: at_least(0),
        n: at_least(1, integer=True),
        s: positive(),
        s1: positive(),
        x: Var(sp.Integer(0), high=one),
    }
    true = own**2 * s1 / n + x * noise_part
    return proof(
        Goal(
            Rel(true, "<=", own**2 * s / n + noise_part),
            coefficients,
            (Rel(s1, "<=", s),),
            "error rises with the noise",
            squares=(own,),
        )
    )
