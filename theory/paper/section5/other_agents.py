"""Section 5.1 (`sec:discussion`): the agents that know more or assume less, and the extension to arm-dependent
noise."""

import sympy as sp

from theory.kernel.argument import Argument, gap, proof, refuted, step
from theory.kernel.claim import claim
from theory.kernel.goal import Goal, Point, Rel, at_least, positive, real
from theory.kernel.region import Region, everywhere, unequal
from theory.kernel.rules import uses
from theory.kernel.undecided import undecided
from theory.model import bound_formulas as bounds
from theory.model.arms import J, arm_goal, n, s, s0, tau_tilde_sq
from theory.model.moments import Calculus, Form, v
from theory.ours.assembly import assembly
from theory.paper.appendix_e.largest_noise import LARGEST_NOISE, own_variances

k, N, sq, L, x, m, lead, tail, b = sp.symbols("K horizon sigma_q_sq L x m lead tail b")  # b = sqrt(beta)
SIZES = {
    k: at_least(1, integer=True),
    s: positive(),
    s0: positive(),
    sq: positive(),
    N: at_least(2, integer=True),
    L: positive(),
}
price = 1 + s / (k * s0)


def log_ratio(ratio: sp.Expr, rounds: sp.Expr = N) -> sp.Expr:
    """log(1 + n m)/log(1 + m), m the ratio of the prior variance to the noise."""
    return bounds.log_ratio(ratio, rounds)


@claim(
    "sec:discussion/known-mu0",
    by="paper",
    line=307,
    kind="prose",
    says=r"\mu_0\ \text{known},\ n\ge2,\ a\ge1:\quad R_n\le2\sqrt{aG\sigma_0^2Kn\log n}"
    r"+K\sqrt{\frac{8n\sigma_0^2\sigma^2}{\pi(\sigma_0^2+\sigma^2)}},"
    r"\ G=\frac{\log(1+n/\rho)}{\log(1+1/\rho)}:\ \beta\ \text{replaced by}\ 1",
    uses=(
        "MSE-term1",
        "regret-decom/repaired",
        "sec:proof/gamma",
        "sec:proof/telescoping",
        "them-R-Bayes/repaired/short-horizons",
        "them-R-Bayes/repaired/am-gm",
        "them-R-Bayes/repaired/first-pulls",
        "ours/psi",
    ),
)
def known_mean() -> Argument:
    """The steps of the repaired theorem with tilde-mu and tilde-tau: given the history mu_k is N(tilde-mu_k,
    tilde-tau_k^2) for fixed mu_0, tilde-tau^2 is at most sigma^2/(1+rho) after a pull, and beta = 1 all through.
    (As the theorem itself, it needs n >= 2.)"""
    return proof(
        *assembly(1, bounds.known_mean, sp.Integer(1)).items,
        arm_goal(tau_tilde_sq, "<=", s / (1 + s / s0), name="tilde-tau at one pull"),
        arm_goal(tau_tilde_sq, "=", 1 / (1 / s0 + n / s), name="what the telescoped sum is about"),
    )


@claim(
    "sec:discussion/rival-posterior",
    by="paper",
    line=309,
    kind="prose",
    severity="argument",
    cause="posterior",
    says=r"\text{the agent with per-arm priors, on arms that share}\ \mu_0,\ \text{is analysed as in Theorem 1: "
    r"its posteriors are right}",
    cites=("sec:discussion/equivalent",),
)
def printed_rival() -> Argument:
    """Its posterior of arm 1 ignores arm 2, which is informative through mu_0: two arms, one pull each, all variances
    1: given both rewards the variance is 5/8, the agent's is 2/3. So the tail bounds given history do not apply to
    it."""
    prior = sp.Matrix([[2, 1], [1, 2]])
    seen = prior + sp.eye(2)
    exact = 2 - (prior[0, :] * seen.inv() * prior[:, 0])[0]
    return gap(
        Goal(Rel(exact, "=", sp.Rational(2, 3)), name="variance of mu_1 given both rewards = the agent's"),
        premises=(Goal(Rel(prior[0, 0] / seen[0, 0], "=", sp.Rational(2, 3)), name="the agent's variance"),),
        at=Point({}, {"K": "2", "n": ["1", "1"], "sigma_sq": "1", "sigma0_sq": "1", "sigma_q_sq": "1"}),
        region=always_too_wide(),
        fails_when="two arms pulled once: always, sigma_q > 0; the agent's variance is too large by sigma_q^4 "
        "sigma^4/(V (V^2 - sigma_q^4)), V = sigma_q^2 + sigma_0^2 + sigma^2",
    )


def always_too_wide() -> Region:
    """The example at all variances: what the second reward takes off the variance given the first."""
    own = sq + s0
    total, shared = own + s, sp.Matrix([own, sq])
    exact = own - (shared.T * sp.Matrix([[total, -sq], [-sq, total]]) * shared)[0] / (total**2 - sq**2)
    each = Goal(Rel(exact, "=", own * s / total), dict.fromkeys((sq, s0, s), positive()))
    V = sp.Symbol("V")
    return everywhere(each, -(sq**2) * s**2 / (V * (V**2 - sq**2)), {V: total})


@claim(
    "sec:discussion/guaranteed",
    by="paper",
    line=315,
    kind="prose",
)
def guaranteed() -> Argument:
    """The condition is sigma^2/K <= sigma_q^2."""
    inside = Rel(k * sq, ">=", s)
    return proof(
        Goal(Rel(price * s0, "<=", sq + s0), SIZES, (inside,), "K large enough"),
        Goal(Rel(price * s0, ">", sq + s0), SIZES, (inside.negation,), "K too small"),
    )


@claim(
    "sec:discussion/posteriors",
    by="paper",
    line=319,
    kind="prose",
    severity="argument",
    cause="posterior",
    says=r"\text{both proofs rest on posteriors; in Theorem 2:}\ \mu_k-\hat\mu_{k,t}\mid H_t\ "
    r"\text{sub-Gaussian, so of mean}\ 0",
    cites=("sec:tau_star",),
)
def printed_posteriors() -> Argument:
    """The second proof contains no posterior: its sub-Gaussian law is that of a fixed design, and given the history
    it fails. Two arms with fair-coin means and rewards equal to the means: after rewards 1 and 0 the history tells
    the means, and the error of arm 1 is -1/4 for sure."""
    first, second = sp.symbols("r_1 r_2")  # the two rewards, which are the means
    weight, quarter = s0 / (s0 + s), sp.Rational(1, 4)
    printed = Goal(
        Rel(weight * first + (1 - weight) * (first + second) / 2 - first, "=", 0),
        {s: positive(), s0: positive(), first: real(), second: real()},
        name="mean error of arm 1 given both rewards, which are the means",
    )
    return refuted(
        printed,
        region=unequal(printed, second - first),
        at=Point(
            {s: quarter, s0: quarter, first: sp.Integer(1), second: sp.Integer(0)},
            {
                "K": "2",
                "n": ["1", "1"],
                "mu_k": "0 or 1, fair",
                "rewards": ["1", "0"],
                "sigma_sq": "1/4",
                "sigma0_sq": "1/4",
            },
        ),
        fails_when="here whenever the two rewards differ; in general unless the mean of mu_k given the "
        "history is the estimate",
    )


@claim(
    "sec:discussion/posteriors/repaired",
    by="us",
    kind="prose",
    says=r"\text{Theorem 1: the law given the reward differences,}\ N(0,\tau_k^2);\quad"
    r"\text{Theorem 2: the law at fixed counts, before the rewards are seen,}\ \text{subG}(\tau_k^2)",
    uses=("ours/conditioning", "sec:tau_star/repaired"),
    repairs="sec:discussion/posteriors",
)
def laws_in_use() -> Argument:
    """What the two proofs can rest on. Over the four outcomes of the example the error of arm 1 does have mean 0, and
    its mean square 1/32 is below tau^2 = 3/16."""
    p = sp.Rational(1, 4)
    errors = [(i + (i + j) * p * 2) * p * 2 - i for i in (0, 1) for j in (0, 1)]  # i/2 + (i+j)/4 - i
    return proof(
        Goal(Rel(sum(errors), "=", 0), name="mean over four outcomes"),
        Goal(Rel(sum(e**2 for e in errors) / 4, "=", sp.Rational(1, 32)), name="mean square"),
        arm_goal(tau_tilde_sq, "<=", s0, name="a proxy never above the prior's"),
        step(uses("ours/conditioning", item="mean of the pulled arm's error")),
        step(uses("sec:tau_star/repaired", item="proxy")),
    )


@claim(
    "sec:discussion/arm-dependent-noise",
    by="paper",
    line=317,
    kind="bound",
    says=r"\text{noise}\ \sigma_k^2,\ \text{ReUCB run with}\ \sigma^2=\max\sigma_k^2:\ \text{the bound of Theorem 1 "
    r"holds for every}\ n\ge2",
    cites=("sec:varying", "sec:discussion/arm-dependent-noise/contrasts", "them-R-Bayes"),
)
def printed_extension() -> Argument:
    """Open, as sec:varying: the argument of the theorem does not carry over to a common upper variance."""
    return undecided(LARGEST_NOISE)


@claim(
    "sec:discussion/arm-dependent-noise/bound",
    by="us",
    kind="bound",
    says=r"n\ge2,\ \text{ReUCB run with each arm's own}\ \sigma_k^2,\ \bar r_0^h=\sum_iw_i^h\bar r_i/\sum_iw_i^h:\ "
    r"\text{the bound of Theorem 1 at}\ \sigma^2="
    r"\max\sigma_k^2",
    uses=("sec:varying/repaired", "sec:discussion/arm-dependent-noise/repaired", "them-R-Bayes/repaired"),
    repairs="sec:discussion/arm-dependent-noise",
)
def extension() -> Argument:
    """As sec:varying/repaired: the error is independent of the contrasts and its variance at most that of equal noise
    at the largest variance."""
    return own_variances()


@claim(
    "sec:discussion/arm-dependent-noise/contrasts",
    by="paper",
    line=317,
    kind="step",
    severity="argument",
    cause="unequal-noise",
    says=r"\text{noise}\ \sigma_k^2,\ \text{ReUCB run with}\ \sigma^2=\max\sigma_k^2:\ \text{errors as in Theorem "
    r"1 (independent of the contrasts)}",
    cites=("sec:varying/upper-variance",),
)
def printed_noise() -> Argument:
    """Run with a common upper variance, the estimate is no longer the BLUP, and its error is correlated with reward
    differences: two arms, one pull each, sigma^2 = 1, true variances 1/2 and 1. So the argument of the theorem
    does not carry over."""
    own, other = sp.Rational(1, 2), sp.Integer(1)
    first, second = covariances(own, other, sp.Integer(1), sp.Integer(1))
    alike = covariances(s, s, s, s0)
    equal = Rel(alike[0], "=", alike[1])
    return gap(
        Goal(Rel(first, "=", second), name="Cov(error of arm 1, reward 1) = Cov(error of arm 1, reward 2)"),
        premises=(Goal(equal, {s: positive(), s0: positive()}, name="with equal noise the two agree"),),
        at=Point({}, {"K": "2", "n": ["1", "1"], "sigma_k_sq": ["1/2", "1"], "sigma_sq": "1", "sigma0_sq": "1"}),
        region=correlated(),
        fails_when="two arms pulled once: 2 sigma_0^2 (sigma^2 - sigma_1^2) is not sigma^2 (sigma_1^2 - sigma_2^2)",
    )


def covariances(own: sp.Expr, other: sp.Expr, largest: sp.Expr, spread: sp.Expr) -> tuple[sp.Expr, sp.Expr]:
    """Of the error of arm 1 with the rewards of two arms pulled once, the weights computed with the largest noise."""
    weight = spread / (spread + largest)
    return (weight * (spread + own) - spread + (1 - weight) * (spread + own) / 2, (1 - weight) * (spread + other) / 2)


def correlated() -> Region:
    """The example at all variances."""
    own, other = sp.symbols("sigma_1_sq sigma_2_sq")
    first, second = covariances(own, other, s, s0)
    any_noise = Goal(Rel(first, "=", second), dict.fromkeys((own, other, s, s0), positive()))
    return unequal(any_noise, s * (own - other) - 2 * s0 * (s - own))


@claim(
    "sec:discussion/arm-dependent-noise/repaired",
    by="us",
    kind="prose",
    says=r"\text{run with each arm's own}\ \sigma_k^2,\ w_k=\sigma_0^2/(\sigma_0^2+\sigma_k^2/n_k),\ \bar r_0="
    r"\sum_iw_i\bar r_i/W:\ \text{Cov}(\hat\mu_k-\mu_k,r_{ij})=(1-w_k)\sigma_0^2/W,\ "
    r"\text{the same for all}\ i,j;\ \tau_h^2\le\tau^2",
    uses=("ours/conditioning", "them-R-Bayes/repaired"),
    repairs="sec:discussion/arm-dependent-noise/contrasts",
)
def noise() -> Argument:
    """In the weights alone nothing changes: Var(r-bar_i) = sigma_0^2/w_i whatever the noise. So the conditioning
    holds, every tau_h is at most the tau of the largest noise, and the repaired theorem follows with sigma^2 the
    maximum."""
    z, Z, y, d, f = sp.symbols("z Z y d f")  # own weight and the sum of the others; y a smaller weight
    calculus = Calculus(s0, z, {0: J, 1: Z})
    centre = Form(z / (z + Z), z / (z + Z), v / (z + Z), v / (z + Z))
    error = Form(z, z) + (1 - z) * centre - Form(own_effect=sp.Integer(1))
    free = {z: positive(), Z: at_least(0), s0: positive(), v: positive()}
    rising = {y: positive(), d: at_least(0), f: at_least(0), x: at_least(0), Z: at_least(0)}
    target = (1 - z) * s0 / (z + Z)
    return proof(
        Goal(Rel(calculus.cov_own_reward(error), "=", target), free, name="own rewards"),
        Goal(Rel(calculus.cov_other_reward(error), "=", target), free, name="rewards of any other arm"),
        Goal(
            Rel(f + f**2 / (y + d + Z), "<=", f + d + (f + d) ** 2 / (y + x)),
            rising,
            (Rel(x, "<=", Z),),
            "tau^2/sigma_0^2 falls when the own weight rises from y to y + d = 1 - f and the others' sum from x to Z",
        ),
        Goal(
            Rel(n * s0 / (n * s0 + s), "<=", n * s0 / (n * s0 + sq)),
            {n: at_least(1, integer=True), s0: positive(), s: positive(), sq: positive()},
            (Rel(sq, "<=", s),),
            "less noise, larger weight",
        ),
    )
