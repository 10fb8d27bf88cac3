"""Conditional distribution of the prediction errors given reward differences: it is exactly normal.

ReUCB with known variances depends on the rewards only through their differences. Its BLUP errors are uncorrelated with
all differences of rewards; in the Gaussian model they are independent of them, and so of every choice. This holds for
each fixed mu_0.
"""

from dataclasses import replace

import sympy as sp

from theory.kernel.argument import Argument, proof
from theory.kernel.claim import claim
from theory.kernel.goal import Goal, Letter, Rel, positive, real
from theory.kernel.rules import (
    Among,
    Applied,
    Expectation,
    SumOver,
    applied,
    congruent,
    follows,
    instance,
    uses,
)
from theory.kernel.terms import Mean
from theory.model import deviations
from theory.model.arms import DOMAIN, LETTERS, V0, J, W, Wo, arm_goal, n, s, s0, w
from theory.model.counts import SECOND, second
from theory.model.error_law import REUCB
from theory.model.moments import Calculus, Form, v
from theory.model.normal import Density, Tail
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
    i,
    index,
    k,
    m,
    mu,
    o,
    part,
    psi,
    t,
    tau,
    width,
)
from theory.model.play import K as K_
from theory.model.quantities import TAU_SQ, W_ALL, W_K
from theory.model.round_errors import d
from theory.model.statistics import Cov, Variance, mu_hat, mu_k, r_ij, r_kj
from theory.ours.classical.normal import ABOVE, BELOW, CENTRED
from theory.ours.normal_errors import Side, in_play, shortfall, unbiased
from theory.ours.positive_parts import at_most_part, no_negative_part

x, y, z, u = sp.symbols("x y z u")
LAW = "ours/conditioning/law"
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
    cites=("ours/contrasts",),
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
        letters={v: LETTERS[sp.Symbol("w_i")]},
    )


PLAYED = REUCB.among({**deviations.ROUNDS, i: COUNT})


def large_error() -> Applied:
    """E[1{X > v tau} (X + s tau)] = (phi(v) + s Q(v)) E tau of the pulled arm, v = sqrt(b log t)."""
    given, tau_ = PLAYED.given, tau(PULLED, t, o)
    side = Side(PLAYED, LAW, ABOVE, second(t), PULLED.func(t, d))
    value = Density(x) + width * Tail(x)
    f = deviations.UP * (deviations.ERROR + width * deviations.OWN)
    at_level = value.xreplace({x: second(t)})
    mean = in_play(PLAYED, f, at_level * tau_, side.excess(-width), name="beyond v tau")
    written = congruent(value, x, SECOND, PLAYED.domain, given, name="v = sqrt(b log t)")
    size = Mean(tau_, o)
    lemma = Goal(
        Rel(u, "=", y * z), dict.fromkeys((u, x, y, z), real()), (Rel(u, "=", x * z), Rel(x, "=", y)), "at this level"
    )
    at = {u: Mean(f, o), x: at_level, y: written.concludes.rel.stated[1], z: size}
    return applied(lemma, at, mean, written, domain=PLAYED.domain, given=given, name=deviations.LARGE_ERROR)


@claim(
    "ours/conditioning",
    by="us",
    kind="statement",
    cites=("ours/contrasts",),
    repairs="sec:proof/posterior",
)
def conditioning() -> Argument:
    """Given the reward differences, and so all choices, the error mu-hat_k - mu_k is N(0, tau_k^2). This gives the mean
    over all outcomes of the pulled arm's error, of positive parts, and of a large error."""
    below = Side(PLAYED, LAW, BELOW, width, strict=False)
    other = replace(below, arm=deviations.OTHER.xreplace({o: d}))
    found = (
        unbiased(PLAYED, uses(LAW, item=CENTRED.name), PULLED, "mean of the pulled arm's error"),
        shortfall(below, POSITIVE_PART, k, "mean of a positive part"),
        large_error(),
        shortfall(other, POSITIVE_PART, deviations.OTHER, deviations.SHORTFALL),
    )
    return proof(*found, letters=WORDS)


@claim("ours/exact-width", by="us", kind="identity")
def exact_width() -> Argument:
    """The pulled arm is a function of the differences, given which its error has mean 0. The paper's proof has 2c
    and a tail in its place."""
    total = Rel(Mean(index(PULLED) - mu(PULLED, o), o), "=", width * Mean(tau(PULLED, t, o), o))
    centred = uses("ours/conditioning", item="mean of the pulled arm's error")
    return proof(follows(total, centred, domain=PLAY, given=(LATER,), name="exact width"), letters=WORDS)


@claim(
    "ours/optimism",
    by="us",
    kind="inequality",
    cites=("ours/psi",),
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
    cites=("regret-decom/repaired",),
)
def one_round() -> Argument:
    """The decomposition of the paper, its two terms taken exactly: no factor 2 and one tail instead of two."""
    tail = psi * sp.Sum(Mean(tau(k, t, o), o), (k, 1, K_))
    cost = Rel(Mean(mu(BEST, o) - mu(PULLED, o), o), "<=", width * Mean(tau(PULLED, t, o), o) + tail)
    parts = Expectation(CHOICE, (o,)), uses("ours/optimism"), uses("ours/exact-width")
    return proof(follows(cost, *parts, domain=PLAY, given=(LATER,), name="a round"), letters=WORDS)
