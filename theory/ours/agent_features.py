"""Facts behind features of the agent: pending pulls, subsets of arms, likelihoods of adaptive histories."""

import sympy as sp

from theory.kernel.argument import Argument, proof
from theory.kernel.claim import claim
from theory.kernel.goal import Goal, Letter, Rel, at_least, positive, real
from theory.kernel.rules import Expectation, Induction, SumOver, applied, congruent, follows, instance, restated
from theory.kernel.terms import Mean
from theory.model import arms, chosen_arms
from theory.model.arms import LETTERS, s0
from theory.model.chosen_arms import ALL_ARMS, CHOSEN, CHOSEN_BEST, EFFECTS, SOME, S, best, largest, m, pulled, top
from theory.model.histories import (
    HISTORY,
    NOTHING_SEEN,
    ROUND,
    WORDS,
    choices,
    fixed_counts,
    likelihood,
    o,
    other,
    t,
    theta,
)
from theory.model.play import BEST, EFFECT, K, N, Z, k, mu
from theory.ours.bad_rounds import times

n, r, W, own, centre, x, y, z = sp.symbols("n r W own centre x y z")


@claim(
    "ours/pending",
    by="us",
    kind="identity",
    cites=("blup", "r0-estimator", "w-def"),
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
        letters={
            n: LETTERS[arms.n],
            r: Letter(sp.Symbol("rho"), "sigma^2/sigma_0^2"),
            own: LETTERS[sp.Symbol("rbar_k")],
            centre: LETTERS[sp.Symbol("rbar_0")],
        },
    )


@claim(
    "ours/subset",
    by="us",
    kind="identity",
)
def subset() -> Argument:
    """Regret against the best of K is regret against the best of m plus the difference of the two best means in every
    round; the means of the chosen arms are m independent draws for every choice S, and so on average over S."""
    loss, cost = mu(BEST, o) - pulled, best - pulled
    deviation, given = sp.sqrt(s0), (SOME,)
    apart = Rel(loss, "=", cost + deviation * (Z(BEST, o) - top))
    arms = (instance(EFFECT, {k: arm}, CHOSEN, name="the mean of an arm") for arm in (BEST, CHOSEN_BEST))
    round_ = follows(apart, *arms, domain=CHOSEN, name="best of all and best of S")
    same = Expectation(congruent(Z(x, o), x, ALL_ARMS, CHOSEN, name="all arms"), (o,))
    chosen = instance(EFFECTS, {m: K}, CHOSEN, name="a choice of all arms")
    all_ = follows(Rel(Mean(Z(BEST, o), o), "=", largest(K)), same, chosen, domain=CHOSEN, name="all arms")
    means = [times(known.concludes.rel, deviation, CHOSEN, "times sigma_0") for known in (all_, EFFECTS)]
    more = deviation * (largest(K) - largest(m))
    parts = Expectation(round_, (o,)), all_, EFFECTS, *means
    fixed = follows(Rel(Mean(loss, o), "=", Mean(cost, o) + more), *parts, domain=CHOSEN, given=given, name="given S")
    rounds = SumOver(Expectation(fixed, (S,)), t, sp.Integer(1), N, CHOSEN, given=given, name="all rounds")
    total = [sp.Sum(Mean(e, S, o), (t, 1, N)) for e in (loss, cost)]
    wanted = Rel(total[0], "=", N * more + total[1])
    return proof(restated(rounds, wanted, "regret against the best of all"), letters=chosen_arms.WORDS)


@claim(
    "ours/adaptive-likelihood",
    by="us",
    kind="identity",
)
def adaptive_likelihood() -> Argument:
    """By induction over rounds. Given the history, the policy chooses I_t by its own rule, which does not depend on
    theta; the reward then has the conditional density of the next reward of that arm given its earlier ones. So the
    likelihood of an adaptive history is proportional to that of the same counts fixed in advance, and maximum
    likelihood and REML need no correction. Sums of squares have no such property (variance1/adaptive)."""
    product = choices(t) * fixed_counts(t, theta)
    rel = Rel(likelihood(t, theta, o), "=", product)
    free = {x_: v for x_, v in HISTORY.items() if x_ != t}
    factors = Induction(rel, t, sp.Integer(0), free, name="likelihood", lemmas=(ROUND,), first=(NOTHING_SEEN,))
    sign = Induction(Rel(choices(t), ">=", 0), t, sp.Integer(0), free, name="chance of the choices")
    order = Rel(fixed_counts(t, theta), "<=", fixed_counts(t, other))
    numbers = {x: real(), own: at_least(0), z: at_least(0), n: real(), r: real()}
    facts = Rel(n, "=", z * x), Rel(r, "=", z * (x + own))
    lemma = Goal(Rel(n, "<=", r), numbers, facts, "order of two parameters")
    second = instance(factors, {theta: other}, HISTORY, name="likelihood at the other parameter")
    at = {
        x: order.stated[0],
        own: order.stated[1] - order.stated[0],
        z: choices(t),
        n: rel.stated[0],
        r: second.concludes.rel.stated[0],
    }
    same = applied(lemma, at, sign, factors, second, domain=HISTORY, given=(order,), name="the order of two parameters")
    return proof(factors, same, letters=WORDS)
