"""Facts behind features of the agent: pending pulls, subsets of arms, likelihoods of adaptive histories."""

import sympy as sp

from theory.kernel.argument import Argument, proof
from theory.kernel.claim import claim
from theory.kernel.classical import CHAIN_RULE, INDEPENDENT_SELECTION
from theory.kernel.goal import Goal, Rel, at_least, positive, real
from theory.kernel.rules import cited

n, r, W, own, centre, x, y, z, t = sp.symbols("n r W own centre x y z t")


@claim(
    "ours/pending",
    by="us",
    kind="identity",
    uses=("blup", "r0-estimator", "w-def"),
)
def pending() -> Argument:
    """With d = rbar_k - rbar_0, the new average is that of n_k rewards and mu-hat_k = rbar_0 + w_k d. The product
    w_k d stays the same, so the weighted deviations of all arms still add up to 0 about rbar_0: the common mean and
    every prediction are what they were. The count has grown, so tau_k has shrunk."""
    w, later = n / (n + r), (n + 1) / (n + 1 + r)
    predicted = centre + w * (own - centre)
    average = (n * own + predicted) / (n + 1)
    others = -w * (own - centre)  # sum over other arms of w_i (rbar_i - rbar_0): all deviations add up to 0
    free = {n: at_least(0), r: positive(), own: real(), centre: real()}
    return proof(
        Goal(Rel(later * (average - centre), "=", w * (own - centre)), free, name="weighted deviation unchanged"),
        Goal(Rel(later * (average - centre) + others, "=", 0), free, name="the common mean unchanged"),
        Goal(Rel(centre + later * (average - centre), "=", predicted), free, name="the prediction of arm k unchanged"),
        Goal(Rel(w, "<", later), {n: at_least(0), r: positive()}, name="the weight grows"),
    )


@claim(
    "ours/subset",
    by="us",
    kind="identity",
)
def subset() -> Argument:
    """Regret against the best of K is regret against the best of m plus the difference of the two best means in every
    round; the means of the chosen arms are m independent draws."""
    rounds, sigma0, e_K, e_m, earned, mu0 = sp.symbols("rounds sigma0 e_K e_m earned mu0")
    free = dict.fromkeys((rounds, sigma0, e_K, e_m), at_least(0)) | {earned: real(), mu0: real()}
    best_of_all, best_of_some = mu0 + sigma0 * e_K, mu0 + sigma0 * e_m
    return proof(
        Goal(
            Rel(
                rounds * best_of_all - earned,
                "=",
                rounds * sigma0 * (e_K - e_m) + (rounds * best_of_some - earned),
            ),
            free,
            name="mean reward of n rounds subtracted from n times the best mean",
        ),
        cited(INDEPENDENT_SELECTION, name="the means of the chosen arms"),
    )


@claim(
    "ours/adaptive-likelihood",
    by="us",
    kind="identity",
)
def adaptive_likelihood() -> Argument:
    """By induction over rounds. Given the history, the policy chooses I_t by its own rule, which does not know theta;
    the reward then has the conditional density of the next reward of that arm given its earlier ones. So the
    likelihood of an adaptive history is proportional to that of the same counts fixed in advance, and maximum
    likelihood and REML need no correction. Sums of squares have no such property (variance1/adaptive)."""
    choices, one, other = sp.symbols("choices one other")  # likelihoods of the fixed design at two parameters
    free = {choices: positive(), one: at_least(0), other: at_least(0)}
    order = Rel(one, "<=", other)
    return proof(
        Goal(Rel(choices * one, "<=", choices * other), free, (order,), "the order of two parameters is the same"),
        Goal(Rel(choices * one, ">", choices * other), free, (order.negation,), "and so is the reverse order"),
        cited(CHAIN_RULE, name="the factors of choices and of rewards, round by round"),
    )
