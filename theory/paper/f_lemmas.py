"""Appendix F (`sec:lemma`): the upper bound on tau_k^2 and the posterior under a flat prior on mu_0."""

import sympy as sp

from theory.kernel.argument import Words, proof, refuted
from theory.kernel.claim import claim
from theory.kernel.goal import Goal, Rel, at_least, positive, real
from theory.paper.s3_2_unknown_mean import any_pulls
from theory.vocabulary import V0, J, K, W, Wo, arm_goal, beta, n, rho, s, s0, tau_sq, tau_tilde_sq, w

HERE = "Appendix F"
TAU = f"{HERE}, Lemma sec:tau"
DIST = f"{HERE}, Lemma sec:mu0Dist"
least = s0 / (s0 + s)  # the least weight of a pulled arm

middle = w * s / n + (1 - w) ** 2 * (s0 + s) / K
last_but_one = w * s / n + (1 - w) * w * s / s0 * (s0 + s) / (K * n)


@claim("sec:tau", where=TAU, kind="inequality", depends_on=("MSE", "w-def/bounds/repaired"),
       says=r"\tau_k^2\le\frac{\sigma_0^2\sigma^2}{n_k\sigma_0^2+\sigma^2}\Big(1+\frac{\sigma^2}{K\sigma_0^2}"
            r"\Big) \text{ if all } n_i\ge 1")
def upper_bound():
    """Every pulled arm has a weight of at least sigma_0^2/(sigma_0^2+sigma^2); the statement leaves out n_i >=
    1 for all arms, its proof has it. Equality holds when every arm has been pulled once."""
    at_one_pull = {n: sp.Integer(1), Wo: J * least}
    return proof(arm_goal(tau_sq, "<=", tau_tilde_sq * beta, name="upper bound"),
                 arm_goal(tau_sq.subs(at_one_pull), "=", (tau_tilde_sq * beta).subs(at_one_pull),
                          name="equality at one pull each"))


@claim("sec:tau/exchange", where=TAU, kind="step", depends_on=("wto1w",),
       says=r"n_k(1-w_k)\sigma_0^2=w_k\sigma^2")
def exchange():
    """The misprinted exchange of Section 3.1, here in its right form."""
    return proof(arm_goal(n * (1 - w) * s0, "=", w * s))


@claim("sec:tau/second-line", where=TAU, kind="step", depends_on=("sec:tau/exchange", "MSE"),
       says=r"w_k\frac{\sigma^2}{n_k}+\frac{(1-w_k)^2\sigma^2}{\sum_in_i(1-w_i)}=w_k\frac{\sigma^2}{n_k}"
            r"+\frac{(1-w_k)^2\sigma_0^2}{W}")
def second_line():
    """The sum of n_i (1-w_i) is W sigma^2/sigma_0^2."""
    printed = w * s / n + (1 - w) ** 2 * s / (n * (1 - w) + rho * Wo)
    return proof(arm_goal(printed, "=", w * s / n + (1 - w) ** 2 * s0 / W))


@claim("sec:tau/third-line", where=TAU, kind="step",
       depends_on=("sec:tau/second-line", "w-def/bounds/repaired"),
       says=r"\tau_k^2\le w_k\frac{\sigma^2}{n_k}+\frac{(1-w_k)^2(\sigma_0^2+\sigma^2)}{K}, \text{ as } "
            r"W\ge\frac{K\sigma_0^2}{\sigma_0^2+\sigma^2}")
def third_line():
    """Each of the K weights is at least that of one pull. This line alone is already sharper than the lemma."""
    return proof(arm_goal(W, ">=", K * least, name="sum of the weights"),
                 arm_goal(tau_sq, "<=", middle, name="first inequality"))


@claim("sec:tau/fourth-line", where=TAU, kind="step", depends_on=("sec:tau/exchange",),
       says=r"(1-w_k)^2(\sigma_0^2+\sigma^2)=n_k^{-1}(1-w_k)w_k\frac{\sigma^2}{\sigma_0^2}"
            r"(\sigma_0^2+\sigma^2)")
def fourth_line():
    """One factor 1-w_k is exchanged for w_k sigma^2/(n_k sigma_0^2)."""
    return proof(arm_goal(middle, "=", last_but_one))


@claim("sec:tau/fifth-line", where=TAU, kind="step", depends_on=("w-def/bounds/repaired",),
       says=r"1-w_k\le\frac{\sigma^2}{\sigma_0^2+\sigma^2} \Rightarrow \text{ the fourth line is at most } "
            r"w_k\frac{\sigma^2}{n_k}\beta,\ \beta=1+\frac{\sigma^2}{K\sigma_0^2}")
def fifth_line():
    """The weight of a pulled arm is at least that of one pull once more, now for arm k itself."""
    return proof(arm_goal(1 - w, "<=", s / (s0 + s), name="complement of the weight"),
                 arm_goal(last_but_one, "<=", w * s / n * beta, name="second inequality"))


@claim("sec:tau/sixth-line", where=TAU, kind="step", depends_on=("MSE-term1",),
       says=r"w_k\sigma^2/n_k=\sigma_0^2\sigma^2/(n_k\sigma_0^2+\sigma^2)")
def sixth_line():
    """The weight written out."""
    return proof(arm_goal(s0 / (s0 + s / n) * s / n, "=", s0 * s / (n * s0 + s)))


@claim("sec:tau/unpulled-arm", where=TAU, kind="inequality", depends_on=("MSE",),
       says=r"\tau_k^2\le\frac{\sigma_0^2\sigma^2}{n_k\sigma_0^2+\sigma^2}\Big(1+\frac{\sigma^2}{K\sigma_0^2}"
            r"\Big)"
            r" \text{ for } n_k\ge 1 \text{ while other arms may be unpulled}")
def printed_without_its_hypothesis():
    """As stated, without n_i >= 1 for the other arms, the bound fails in the initial rounds: an unpulled arm
    counts in K but contributes no weight."""
    return refuted(any_pulls(tau_sq, "<=", tau_tilde_sq * beta), fails_iff=Rel((1 - w) * K * s0, ">", s * W),
                   fails_when="(1-w_k)/W > sigma^2/(K sigma_0^2), which needs an unpulled arm")


@claim("sec:tau/unpulled-arm/repaired", where=TAU, kind="inequality", repairs="sec:tau/unpulled-arm",
       depends_on=("MSE",),
       says=r"P \text{ pulled arms: } \tau_k^2\le\tilde\tau_k^2\Big(1+\frac{\sigma^2}{P\sigma_0^2}\Big) \text{ "
            r"if } n_k\ge 1,\quad"
            r" \tau_k^2\le\sigma_0^2+\frac{\sigma_0^2+\sigma^2}{P} \text{ if } n_k=0")
def with_the_pulled_arms_only():
    """Unpulled arms have weight 0 and drop out of every sum, so K becomes the number of pulled arms."""
    # J counts the other pulled arms here, so that P is J + 1 if arm k is pulled and J if it is not
    unpulled = tau_sq.subs(n, 0)
    return proof(arm_goal(tau_sq, "<=", tau_tilde_sq * beta, name="a pulled arm among P = J + 1"),
                 arm_goal(unpulled, "<=", s0 + (s0 + s) / J, name="an unpulled arm, P = J",
                          extra={J: at_least(1, integer=True), Wo: positive()}))


@claim("sec:tau/sharp", where=TAU, kind="inequality", depends_on=("MSE/factorisation",),
       says=r"\tau_k^2\le\tilde\tau_k^2\Big(1+\frac{1-w_k}{w_k+(K-1)/(1+\rho)}"
            r"\Big)\le\tilde\tau_k^2\Big(1+\frac{(1-w_k)(1+\rho)}{K}\Big)"
            r"\le\beta\tilde\tau_k^2,\quad \rho=\sigma^2/\sigma_0^2")
def sharp_upper_bound():
    """For a given n_k the first bound cannot be improved: it is reached when every other arm has been pulled
    once."""
    best = tau_tilde_sq * (1 + (1 - w) / (w + J * least))
    between = tau_tilde_sq * (1 + (1 - w) * (1 + rho) / K)
    return proof(arm_goal(tau_sq, "<=", best, name="sharp"),
                 arm_goal(tau_sq.subs(Wo, J * least), "=", best, name="reached"),
                 arm_goal(best, "<=", between, name="simpler"),
                 arm_goal(between, "<=", tau_tilde_sq * beta, name="the lemma"))


@claim("sec:tau/loose", where=TAU, kind="inequality", depends_on=("sec:tau",),
       says=r"n_k\ge 2:\ \tau_k^2<\beta\tilde\tau_k^2 \text{ strictly, by more than } \tilde\tau_k^2\,"
            r"\frac{\rho}{K}\,\frac{n_k-1}{n_k+\rho}")
def how_loose():
    """Beyond one pull the lemma loses: the true factor tends to 1 with the pulls, while beta stays."""
    return proof(arm_goal(tau_tilde_sq * beta - tau_sq, ">=", tau_tilde_sq * rho / K * (n - 1) / (n + rho),
                          name="what is lost"),
                 arm_goal(tau_sq, "<", tau_tilde_sq * beta, extra={n: at_least(2, integer=True)},
                          name="strict from two pulls on"))


@claim("sec:lemma/range", where=HERE, kind="inequality", depends_on=("sec:tau", "MSE/factorisation"),
       says=r"1+\frac{1-w_k}{K}<\frac{\tau_k^2}{\tilde\tau_k^2}\le 1+\frac{\sigma^2}{K\sigma_0^2}")
def range_of_the_factor():
    """The factor that not knowing mu_0 costs, from both sides, for all counts of at least 1."""
    ratio = 1 + (1 - w) / W
    return proof(arm_goal(ratio, ">", 1 + (1 - w) / K, name="lower"), arm_goal(ratio, "<=", beta, name="upper"))


prec, m, r, r0, u = sp.symbols("prec m r r0 u")  # prec = 1/lambda, precision of mu_0's prior; 0: the flat one
FLAT = {prec: at_least(0), m: real(), r0: real(), r: real()}
posterior_precision = prec + W / s0
posterior_centre = (W / s0) * r0 / posterior_precision


@claim("sec:mu0Dist", where=DIST, kind="statement", depends_on=("mu-estimator", "MSE-term1", "blup", "MSE"),
       says=r"\mu_0 \text{ flat, Gaussian laws: } \mu_k\mid H_t\sim\mathcal N(\hat\mu_{k,t},\tau_{k,t}^2)")
def posterior_under_a_flat_prior():
    """The joint density of mu_k and mu_0 has its top at mu-hat and r0-bar, and integrating mu_0 out leaves the
    precision 1/tau_k^2 for mu_k. (The printed route, mixing over the posterior of mu_0, gives the same.)"""
    x, ro = sp.symbols("x ro")  # mu_k; and the mean of the other arms' sample means, weighted by w_i
    joint = -(x - m) ** 2 / (2 * s0) - n * (r - x) ** 2 / (2 * s) - Wo / s0 * (ro - m) ** 2 / 2
    centre = (w * r + Wo * ro) / W
    top = {x: (1 - w) * centre + w * r, m: centre}
    precision = -sp.diff(joint, x, 2) + sp.diff(joint, x, m) ** 2 / sp.diff(joint, m, 2)
    data = {r: real(), ro: real()}
    return proof(arm_goal(sp.diff(joint, x).subs(top, simultaneous=True), "=", 0, extra=data,
                          name="top in mu_k"),
                 arm_goal(sp.diff(joint, m).subs(top, simultaneous=True), "=", 0, extra=data,
                          name="top in mu_0"),
                 arm_goal(1 / precision, "=", tau_sq, name="variance after integrating mu_0 out"),
                 Words("the history may be collected by any policy: choices depend on the arm means only through "
                       "the rewards seen, so they drop out of the posterior"))


@claim("sec:mu0Dist/mixture", where=DIST, kind="step",
       says=r"Y\mid X\sim\mathcal N(aX+b,\sigma^2),\ X\sim\mathcal N(\mu,\sigma_x^2)\Rightarrow Y\sim\mathcal "
            r"N(a\mu+b,a^2\sigma_x^2+\sigma^2)")
def mixture_identity():
    """Compare the exponents of the moment generating functions: that of X is taken at a u."""
    ca, cb, mx, vx, vy = sp.symbols("ca cb mx vx vy")
    domain = {ca: real(), cb: real(), mx: real(), vx: positive(), vy: positive(), u: real()}

    def exponent(at, mean, variance):
        return at * mean + at**2 * variance / 2

    return proof(Goal(Rel(exponent(ca * u, mx, vx) + u * cb + u**2 * vy / 2, "=",
                          exponent(u, ca * mx + cb, ca**2 * vx + vy)),
                      domain, name="exponents"))


@claim("sec:mu0Dist/given-the-mean", where=DIST, kind="step", depends_on=("mu-estimator", "MSE-term1"),
       says=r"\mu_k\mid\mu_0,H_t\sim\mathcal N(\tilde\mu_k,\tilde\tau_k^2)")
def posterior_given_the_mean():
    """Prior and likelihood of mu_k are parabolas in the exponent; their sum has its top at mu-tilde and
    precision 1/tilde-tau^2."""
    x = sp.Symbol("x")
    log_density = -(x - m) ** 2 / (2 * s0) - n * (r - x) ** 2 / (2 * s)
    centre = (1 - w) * m + w * r
    return proof(arm_goal(sp.diff(log_density, x), "=", -(x - centre) / tau_tilde_sq,
                          extra={x: real(), m: real(), r: real()}, name="completed square"))


@claim("sec:mu0Dist/precision", where=DIST, kind="step", depends_on=("w-def",),
       says=r"\bar r_k\mid\mu_0\sim\mathcal N(\mu_0,\sigma_0^2+\sigma^2/n_k),\quad \frac{1}"
            r"{\sigma_0^2+\sigma^2/n_k}=\frac{(1-w_k)n_k}{\sigma^2}=\frac{w_k}{\sigma_0^2}")
def precision_of_a_sample_mean():
    """The precision with which one arm shows mu_0, in the three forms that the appendix uses."""
    return proof(arm_goal(1 / (s0 + s / n), "=", (1 - w) * n / s, name="as printed"),
                 arm_goal((1 - w) * n / s, "=", w / s0, name="in the weight"))


@claim("sec:mu0Dist/finite-lambda", where=DIST, kind="step", depends_on=("sec:mu0Dist/precision",),
       says=r"\mu_0\sim\mathcal N(0,\lambda):\ \mu_0\mid H_t\sim\mathcal N(v\,\tfrac{W}{\sigma_0^2}\bar r_0,"
            r"\,v),\quad v=(\lambda^{-1}+W/\sigma_0^2)^{-1}")
def posterior_of_the_common_mean():
    """The logarithm of the density is a parabola in mu_0: precisions add, and the arms enter through r0-bar
    alone. What the paper calls sigma_0^2 and r0-bar here are v and the posterior mean."""
    log_density = -prec * m**2 / 2 - W / s0 * (m - r0) ** 2 / 2  # up to terms without m
    slope = -posterior_precision * (m - posterior_centre)
    return proof(arm_goal(sp.diff(log_density, m), "=", slope, extra=FLAT, name="completed square"),
                 arm_goal(w / s0 * (r - m), "=", (1 - w) * n / s * (r - m), extra=FLAT,
                          name="one arm's part of the slope"))


@claim("sec:mu0Dist/limit", where=DIST, kind="limit", depends_on=("sec:mu0Dist/finite-lambda",),
       says=r"0\le\frac{\sigma^2}{\sum_k(1-w_k)n_k}-v\le\frac1\lambda\Big(\frac{\sigma_0^2}{W}\Big)^2,\quad "
            r"\text{and } v\,\tfrac{W}{\sigma_0^2}\bar r_0\to\bar r_0")
def limit_of_the_prior():
    """The flat prior is a limit of proper ones; mean and variance of the posterior converge at rate
    1/lambda."""
    v_lam = 1 / posterior_precision
    extra = {prec: at_least(0)}
    return proof(arm_goal(s / (rho * W), "=", V0, name="the limit"),
                 arm_goal(V0 - v_lam, ">=", 0, extra=extra, name="from below"),
                 arm_goal(V0 - v_lam, "<=", prec * V0**2, extra=extra, name="rate of the variance"),
                 arm_goal(1 - v_lam * W / s0, "<=", prec * V0, extra=extra, name="rate of the mean's factor"))


@claim("sec:mu0Dist/proper-prior", where=DIST, kind="inequality", depends_on=("sec:mu0Dist/finite-lambda",),
       says=r"\tilde\tau_k^2\le\operatorname{Var}(\mu_k\mid H_t)=\tilde\tau_k^2+(1-w_k)^2v\le\tau_k^2, \text{ "
            r"for every } \lambda")
def any_prior_of_the_mean():
    """Knowing mu_0 and knowing nothing of it are the two ends; any prior on mu_0 gives a width between them."""
    width = tau_tilde_sq + (1 - w) ** 2 / posterior_precision
    extra = {prec: at_least(0)}
    return proof(arm_goal(width, ">=", tau_tilde_sq, extra=extra, name="lower end"),
                 arm_goal(width, "<=", tau_sq, extra=extra, name="upper end"))
