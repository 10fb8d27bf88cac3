"""Section 5.1 (`sec:discussion`): the agents that know more or assume less, and the extension to arm-dependent
noise."""

import sympy as sp

from theory.kernel.argument import Argument, gap, proof, refuted, step
from theory.kernel.claim import claim
from theory.kernel.goal import Goal, Letter, Point, Rel, at_least, positive, real
from theory.kernel.region import everywhere, unequal
from theory.kernel.rules import Follows, follows, uses
from theory.kernel.undecided import undecided
from theory.model.arms import ARMS_LETTER, LETTERS, arm_goal, s, s0, tau_tilde_sq
from theory.model.random_mean import SIGMA_Q, sq
from theory.model.two_arms import NOISES, ErrorWithReward, VarianceGiven, noise_1, noise_2
from theory.model.two_arms import SHARED as TWO_ARMS
from theory.paper.appendix_e.largest_noise import LARGEST_NOISE

k = sp.Symbol("K")
SIZES = {k: at_least(1, integer=True), s: positive(), s0: positive(), sq: positive()}
price = 1 + s / (k * s0)


@claim(
    "sec:discussion/rival-posterior",
    by="paper",
    line=309,
    kind="prose",
    severity="argument",
    cause="posterior",
    says=r"\text{the agent with per-arm priors, on arms that share}\ \mu_0,\ \text{is analysed as in Theorem 2: "
    r"its posteriors are right}",
    cites=("sec:discussion/equivalent",),
)
def printed_rival() -> Argument:
    """Its posterior of arm 1 ignores arm 2, which is informative through mu_0: two arms, one pull each, all variances
    1: given both rewards the variance is 5/8, the agent's is 2/3. So the tail bounds given history do not apply to
    it."""
    sizes = dict.fromkeys((sq, s0, s), positive())
    own = (sq + s0) * s / (sq + s0 + s)
    printed = Goal(Rel(VarianceGiven(2), "=", own), sizes, name="given both rewards = the agent's", letters=TWO_ARMS)
    one, V = sp.Integer(1), sp.Symbol("V")
    return gap(
        printed,
        premises=(Goal(Rel(VarianceGiven(1), "=", own), sizes, name="the agent's variance", letters=TWO_ARMS),),
        at=Point(
            dict.fromkeys(sizes, one),
            {"K": "2", "n": ["1", "1"], "sigma_sq": "1", "sigma0_sq": "1", "sigma_q_sq": "1"},
        ),
        region=everywhere(printed, -(sq**2) * s**2 / (V * (V**2 - sq**2)), {V: sq + s0 + s}),
        fails_when="two arms pulled once: always, sigma_q > 0; the agent's variance is too large by sigma_q^4 "
        "sigma^4/(V (V^2 - sigma_q^4)), V = sigma_q^2 + sigma_0^2 + sigma^2",
    )


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
        letters={**ARMS_LETTER, s: LETTERS[s], s0: LETTERS[s0], sq: SIGMA_Q},
    )


@claim(
    "sec:discussion/posteriors",
    by="paper",
    line=319,
    kind="prose",
    severity="argument",
    cause="posterior",
    says=r"\text{both proofs use posteriors; in Theorem 5:}\ \mu_k-\hat\mu_{k,t}\mid H_t\ "
    r"\text{sub-Gaussian, so of mean}\ 0",
    cites=("sec:tau_star",),
)
def printed_posteriors() -> Argument:
    """The second proof contains no posterior: its sub-Gaussian law is that of a fixed design, and given the history
    it fails. Two arms with fair-coin means and rewards equal to the means: after rewards 1 and 0 the history determines
    the means, and the error of arm 1 is -1/4 for sure."""
    first, second = sp.symbols("r_1 r_2")  # the two rewards, which are the means
    weight, quarter = s0 / (s0 + s), sp.Rational(1, 4)
    printed = Goal(
        Rel(weight * first + (1 - weight) * (first + second) / 2 - first, "=", 0),
        {s: positive(), s0: positive(), first: real(), second: real()},
        name="mean error of arm 1 given both rewards, which are the means",
        letters={**LETTERS, first: Letter(first, "reward of arm 1"), second: Letter(second, "reward of arm 2")},
    )
    return refuted(
        printed,
        region=unequal(printed, second - first),
        at=Point(
            {s: quarter, s0: quarter, first: sp.Integer(1), second: sp.Integer(0)},
            {
                "K": "2",
                "n": ["1", "1"],
                "rewards": ["1", "0"],
                "sigma_sq": "1/4",
                "sigma0_sq": "1/4",
            },
            {first: sp.Symbol("rewards_1"), second: sp.Symbol("rewards_2")},
            {"mu_k": "0 or 1, fair"},
        ),
        fails_when="here whenever the two rewards differ; in general unless the mean of mu_k given the "
        "history is the estimate",
    )


@claim(
    "sec:discussion/posteriors/repaired",
    by="us",
    kind="prose",
    repairs="sec:discussion/posteriors",
)
def laws_in_use() -> Argument:
    """What the two proofs can use. Theorem 2: given the reward differences the error is N(0, tau_k^2), so that the
    error of the pulled arm has mean 0 and positive parts are those of a normal variable. Theorem 5: the law at fixed
    counts, before the rewards are seen. Over the four outcomes of the example the error of arm 1 does have mean 0, and
    its mean square 1/32 is below tau^2 = 3/16."""
    p = sp.Rational(1, 4)
    errors = [(i + (i + j) * p * 2) * p * 2 - i for i in (0, 1) for j in (0, 1)]  # i/2 + (i+j)/4 - i
    return proof(
        uses("ours/conditioning", item="mean of the pulled arm's error"),
        uses("ours/conditioning", item="mean of a positive part"),
        uses("sec:tau_star/repaired", item="proxy"),
        step(Goal(Rel(sum(errors), "=", 0), name="mean over four outcomes")),
        step(Goal(Rel(sum(e**2 for e in errors) / 4, "=", sp.Rational(1, 32)), name="mean square")),
        step(arm_goal(tau_tilde_sq, "<=", s0, name="a proxy never above the prior's")),
    )


@claim(
    "sec:discussion/arm-dependent-noise",
    by="paper",
    line=317,
    kind="bound",
    says=r"\text{noise}\ \sigma_k^2,\ \text{ReUCB run with}\ \sigma^2=\max\sigma_k^2:\ \text{the bound of Theorem 2 "
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
    cites=("them-R-Bayes/repaired",),
    repairs="sec:discussion/arm-dependent-noise",
)
def extension() -> Argument:
    """The two facts that the repaired proof of Theorem 2 uses, with each arm's own noise: the error has the same
    covariance with every reward, so it is independent of the contrasts, and its variance is at most what sec:tau gives
    at the largest noise variance sigma^2, by sec:varying/repaired."""
    items = "error: the same with every reward", "squared width"
    return proof(*(taken_over("sec:varying/repaired", item) for item in items))


@claim(
    "sec:discussion/arm-dependent-noise/contrasts",
    by="paper",
    line=317,
    kind="step",
    severity="argument",
    cause="unequal-noise",
    says=r"\text{noise}\ \sigma_k^2,\ \text{ReUCB run with}\ \sigma^2=\max\sigma_k^2:\ \text{errors as in Theorem "
    r"2 (independent of the contrasts)}",
    cites=("sec:varying/upper-variance",),
)
def printed_noise() -> Argument:
    """Run with a common upper variance, the estimate is no longer the BLUP, and its error is correlated with reward
    differences: two arms, one pull each, sigma^2 = 1, true variances 1/2 and 1. So the argument of the theorem
    does not carry over."""
    sizes = dict.fromkeys((noise_1, noise_2, s, s0), positive())
    used = Letter(LETTERS[s].shown, "noise variance by which the weights are computed")
    letters, one, same = {**TWO_ARMS, **NOISES, s: used}, sp.Integer(1), (s, s, s, s0)
    printed = Goal(
        Rel(ErrorWithReward(1), "=", ErrorWithReward(2)), sizes, name="the same with both rewards", letters=letters
    )
    equal = Goal(
        Rel(ErrorWithReward(1, *same), "=", ErrorWithReward(2, *same)),
        {s: sizes[s], s0: sizes[s0]},
        name="with equal noise",
        letters=letters,
    )
    return gap(
        printed,
        premises=(equal,),
        at=Point(
            {noise_1: one / 2, noise_2: one, s: one, s0: one},
            {"K": "2", "n": ["1", "1"], "sigma_k_sq": ["1/2", "1"], "sigma_sq": "1", "sigma0_sq": "1"},
            {noise_1: sp.Symbol("sigma_k_sq_1"), noise_2: sp.Symbol("sigma_k_sq_2")},
        ),
        region=unequal(printed, s * (noise_1 - noise_2) - 2 * s0 * (s - noise_1)),
        fails_when="two arms pulled once: 2 sigma_0^2 (sigma^2 - sigma_1^2) is not sigma^2 (sigma_1^2 - sigma_2^2)",
    )


@claim(
    "sec:discussion/arm-dependent-noise/repaired",
    by="us",
    kind="prose",
    cites=("ours/conditioning", "them-R-Bayes/repaired"),
    repairs="sec:discussion/arm-dependent-noise/contrasts",
)
def noise() -> Argument:
    """In the weights alone nothing changes: Var(r-bar_i) = sigma_0^2/w_i whatever the noise. So the error has the same
    covariance with every reward, and every tau_h is at most the tau of the largest noise."""
    covariances = "error: the same with every reward", "error: its value"
    return proof(
        *(taken_over("sec:varying/common-mean/repaired", item) for item in covariances),
        taken_over("sec:varying/tau-h/repaired", "below the width of the largest noise"),
    )


def taken_over(claim_id: str, item: str) -> Follows:
    """What another claim states, under the same name."""
    stated = uses(claim_id, item=item)
    return follows(stated.concludes.rel, stated, name=item)
