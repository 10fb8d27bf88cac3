"""Why the regret of ReUCB can be analysed at all: given the reward differences its errors are exactly normal.

ReUCB with known variances never looks at the level of the rewards. Its BLUP errors are uncorrelated with all
differences of rewards; in the Gaussian model they are independent of them, and so of every choice. This holds
for each fixed mu_0.
"""

import sympy as sp

from theory.kernel.argument import Argument, proof, step
from theory.kernel.claim import claim
from theory.kernel.classical import GAUSSIAN_INDEPENDENCE
from theory.kernel.goal import Goal, Letter, Rel, positive, real
from theory.kernel.rules import Among, Cited, Expectation, SumOver, cited, follows, instance, uses
from theory.kernel.terms import Mean
from theory.model import deviations
from theory.model.arms import DOMAIN, LETTERS, V0, J, W, Wo, arm_goal, n, s, s0, tau_sq, w
from theory.model.moments import Calculus, Form, v
from theory.model.play import (
    ARM,
    BEST,
    BEST_IS_AN_ARM,
    CHOICE,
    COUNT,
    LATER,
    PLAY,
    POSITIVE_PART,
    PULLED,
    WORDS,
    index,
    k,
    m,
    mu,
    muhat,
    o,
    part,
    psi,
    stated,
    t,
    tau,
    width,
)
from theory.model.play import K as K_
from theory.model.quantities import TAU_SQ, W_ALL, W_K
from theory.model.statistics import Cov, Variance, mu_hat, mu_k, r_ij, r_kj
from theory.ours.positive_parts import at_most_part, no_negative_part

x, y = sp.symbols("x y")
CENTRED = stated(
    Rel(Mean(muhat(PULLED, t, o) - mu(PULLED, o), o), "=", 0), PLAY, LATER, name="mean of the pulled arm's error"
)
SHORTFALL = stated(
    Rel(Mean(part(k, t, o), o), "=", psi * Mean(tau(k, t, o), o)), ARM, LATER, name="mean of a positive part"
)
CALCULUS = Calculus(s0, w, {0: J, 1: Wo})
CENTRE = Form(w / W, w / W, v / W, v / W)  # r-bar_0 - mu_0
ERROR = Form(w, w) + (1 - w) * CENTRE - Form(own_effect=sp.Integer(1))  # mu-hat_k - mu_k


@claim("ours/shift-invariance", by="us", kind="identity", cites=("blup", "r0-estimator"))
def shift() -> Argument:
    """Every estimate is an average of rewards with weights that add up to 1, and tau depends on counts only. So the
    order of the indices, and with it every choice, is a function of reward differences. Stated: mu-hat_k, as a function
    of the sample means, if x is added to all of them."""
    own, i, weights, means = sp.Symbol("rbar_k"), sp.Symbol("i"), sp.Function("w"), sp.Function("rbar")
    arms = {**{c: DOMAIN[c] for c in (n, J, s, s0)}, x: real(), own: real(), weights(i): positive(), means(i): real()}

    def estimate(more: sp.Expr) -> sp.Expr:
        others = sp.Sum(weights(i) * (means(i) + more), (i, 1, J))
        every = W_K + sp.Sum(weights(i), (i, 1, J))
        return W_K * (own + more) + (1 - W_K) * (W_K * (own + more) + others) / every

    weight = Goal(Rel(v, ">=", 0), {v: positive()}, name="a weight")
    others = SumOver(weight, i, sp.Integer(1), J, arms, {v: weights(i)}, name="the other weights")
    moved = Rel(estimate(x), "=", estimate(sp.S.Zero) + x)
    words = {**LETTERS, own: Letter(own, "sample mean of arm k"), x: Letter(x, "any number")}
    return proof(follows(moved, others, domain=arms, name="estimate"), letters=words)


@claim("ours/contrasts", by="us", kind="identity", cites=("MSE", "r0-estimator"))
def contrasts() -> Argument:
    """The covariance with a reward does not depend on which reward it is, so with a difference of two rewards it is
    0."""
    return proof(
        arm_goal(Cov(mu_hat - mu_k, r_kj), "=", (1 - W_K) * s0 / W_ALL, name="own rewards"),
        arm_goal(Cov(mu_hat - mu_k, r_ij), "=", (1 - W_K) * s0 / W_ALL, name="rewards of any other arm"),
        arm_goal(Cov(mu_hat - mu_k, r_kj - r_ij), "=", 0, name="differences"),
        arm_goal(Variance(mu_hat - mu_k), "=", TAU_SQ, name="variance of the error"),
    )


@claim(
    "ours/correlation",
    by="us",
    kind="identity",
    uses=("ours/contrasts",),
)
def correlation() -> Argument:
    """mu-hat_i is an average of rewards, so its covariance with the error of arm k is that of any reward; take off
    the covariance with mu_i, which only the coefficient of arm i's effect gives."""
    with_reward = CALCULUS.cov_other_reward(ERROR)
    with_mean = s0 * ERROR.effect
    return proof(
        arm_goal(
            v * with_reward + (1 - v) * with_reward - with_mean,
            "=",
            (1 - v) * (1 - w) * V0,
            extra={v: positive()},
            name="covariance, v = w_i",
        ),
        Goal(Rel((1 - v) * x, ">", 0), {v: positive(), x: positive()}, (Rel(v, "<", 1),), "positive"),
    )


def independent(gives: Goal) -> Cited:
    """What follows because the error is independent of the reward differences, which decide all choices."""
    same = arm_goal(
        CALCULUS.cov_own_reward(ERROR) - CALCULUS.cov_other_reward(ERROR),
        "=",
        0,
        extra={v: positive()},
        name="covariance with own reward minus another's",
    )
    return cited(GAUSSIAN_INDEPENDENCE, hypotheses=(same,), gives=gives, name=gives.name)


@claim(
    "ours/conditioning",
    by="us",
    kind="statement",
    uses=("ours/shift-invariance", "ours/contrasts"),
    repairs="sec:proof/posterior",
)
def conditioning() -> Argument:
    """For a fixed sequence of arms the error mu-hat_k - mu_k and all reward differences are jointly Gaussian and
    uncorrelated, so independent. Adaptive play takes that sequence exactly when the differences say so, an event on
    which nothing is learned about the error: given the differences, and so all choices, it is N(0, tau_k^2)."""
    found = (CENTRED, SHORTFALL, deviations.LARGE_ERROR, deviations.SHORTFALL)
    variance = arm_goal(CALCULUS.var(ERROR), "=", tau_sq, name="variance")
    return proof(step(variance), *map(independent, found), letters=WORDS)


@claim(
    "ours/exact-width",
    by="us",
    kind="identity",
    uses=("ours/conditioning",),
)
def exact_width() -> Argument:
    """The pulled arm is a function of the differences, given which its error has mean 0. The paper's proof pays 2c
    and a tail here."""
    total = Rel(Mean(index(PULLED) - mu(PULLED, o), o), "=", width * Mean(tau(PULLED, t, o), o))
    centred = uses("ours/conditioning", item="mean of the pulled arm's error")
    return proof(follows(total, centred, domain=PLAY, given=(LATER,), name="exact width"), letters=WORDS)


@claim(
    "ours/optimism",
    by="us",
    kind="inequality",
    uses=("ours/conditioning", "ours/psi"),
)
def optimism() -> Argument:
    """Whichever arm is best, its shortfall is at most the sum of all positive parts; each is tau (Z - sqrt(a log
    t))^+ in law."""
    parts = no_negative_part(POSITIVE_PART, ARM)
    among = Among(part(k, t, o), k, m, sp.Integer(1), K_, {**PLAY, m: COUNT}, parts, "one of them", (LATER,))
    best = instance(among, {m: BEST}, PLAY, (LATER, Rel(BEST, "<=", K_)), name="the best arm is one of them")
    short = instance(at_most_part(POSITIVE_PART, ARM), {k: BEST}, PLAY, (LATER,), name="shortfall of the best arm")
    pointwise = follows(
        Rel(mu(BEST, o) - index(BEST), "<=", sp.Sum(part(k, t, o), (k, 1, K_))),
        BEST_IS_AN_ARM,
        short,
        best,
        domain=PLAY,
        given=(LATER,),
        name="at most all positive parts",
    )
    each = SumOver(
        uses("ours/conditioning", item="mean of a positive part"),
        k,
        sp.Integer(1),
        K_,
        PLAY,
        given=(LATER,),
        name="all arms",
    )
    total = Rel(Mean(mu(BEST, o) - index(BEST), o), "<=", psi * sp.Sum(Mean(tau(k, t, o), o), (k, 1, K_)))
    parts_ = Expectation(pointwise, (o,)), each
    return proof(follows(total, *parts_, domain=PLAY, given=(LATER,), name="shortfall of the best arm"), letters=WORDS)


@claim(
    "ours/round",
    by="us",
    kind="inequality",
    uses=("ours/exact-width", "ours/optimism", "regret-decom/repaired"),
)
def one_round() -> Argument:
    """The decomposition of the paper, its two terms taken exactly: no factor 2 and one tail instead of two."""
    tail = psi * sp.Sum(Mean(tau(k, t, o), o), (k, 1, K_))
    cost = Rel(Mean(mu(BEST, o) - mu(PULLED, o), o), "<=", width * Mean(tau(PULLED, t, o), o) + tail)
    parts = Expectation(CHOICE, (o,)), uses("ours/optimism"), uses("ours/exact-width")
    return proof(follows(cost, *parts, domain=PLAY, given=(LATER,), name="a round"), letters=WORDS)
