"""Section 5.2 (`sec:proof`): the proof of Theorem them-R-Bayes: widths, decomposition of a round, sum over the
rounds."""

import sympy as sp

from theory.kernel.argument import Argument, Item, misprint, proof
from theory.kernel.claim import claim
from theory.kernel.goal import Goal, Letter, Point, Rel, Var, at_least, positive, real
from theory.kernel.region import unequal
from theory.kernel.rules import Expectation, Follows, SplitSum, SumOver, applied, follows, instance, restated, uses
from theory.kernel.terms import Mean
from theory.model.arms import LETTERS, s, s0
from theory.model.intervals import (
    CUT,
    EVENTS,
    HOLDS_L,
    HOLDS_R,
    ROUND,
    H,
    U,
    best_index,
    best_mean,
    c,
    error,
    fail_L,
    fail_R,
    pulled_mean,
    rest,
)
from theory.model.play import (
    BEST,
    BEST_IS_AN_ARM,
    CHOICE,
    COUNT,
    LATER,
    PLAY,
    PULLED,
    PULLED_IS_AN_ARM,
    WORDS,
    K,
    N,
    a,
    k,
    mu,
    muhat,
    o,
    t,
)
from theory.model.regret import E_K, LOSS, R_N

x, y, f = sp.symbols("x y f")  # an error, its width, and 1 if it may be larger
_FREE, _HOLDS = (
    {x: real(), y: at_least(0), f: Var(sp.Integer(0), high=sp.Integer(1))},
    (Rel((1 - f) * (x - y), "<=", 0),),
)
SHORT_OF = Goal(Rel(x - y, "<=", x * f), _FREE, _HOLDS, "what an error exceeds its width by")
OVER = Goal(Rel(x + y, "<=", 2 * y + x * f), _FREE, _HOLDS, "error and width")


@claim(
    "confidence-C",
    by="paper",
    kind="identity",
)
def width() -> Argument:
    """log(1/delta_t) is a log(t)/2. At t = 1 the width is 0; for t <= K tau is not yet defined (see alg:arm-ucb)."""
    free = {a: positive(), t: at_least(1)}
    rel = Rel(2 * sp.log(1 / t ** (-a / 2)), "=", a * sp.log(t))
    return proof(Goal(rel, free, name="radicands, divided by tau^2", letters=LETTERS))


@claim(
    "regret-decom/reason",
    by="paper",
    line=347,
    kind="step",
    severity="wording",
    cause="wrong-reason",
    says=r"\text{second equality:}\ \hat\mu_{I_*,t}+c_{I_*,t}\ \text{is determined by}\ H_t",
)
def printed_reason() -> Argument:
    """Each arm's index is determined by the history, the best arm's is not, as the history leaves open which arm is
    best: two arms, rewards x and -x, sigma = sigma_0: the estimates are x/2 and -x/2, the widths equal. The equality
    does not need it."""
    first, second = rewards = sp.symbols("r_1 r_2")
    weight, centre, one = s0 / (s0 + s), (first + second) / 2, sp.Integer(1)
    estimates = [weight * r + (1 - weight) * centre for r in rewards]
    printed = Goal(
        Rel(estimates[0], "=", estimates[1]),
        {s: positive(), s0: positive(), first: real(), second: real()},
        name="estimates of two arms, each may be best",
        letters={**LETTERS, first: Letter(first, "reward of arm 1"), second: Letter(second, "reward of arm 2")},
    )
    return misprint(
        printed,
        region=unequal(printed, first - second),
        at=Point(
            {s: one, s0: one, first: one, second: -one},
            {"K": "2", "n": ["1", "1"], "rewards": ["1", "-1"], "sigma_sq": "1", "sigma0_sq": "1"},
            dict(zip(rewards, sp.symbols("rewards_1 rewards_2"), strict=True)),
        ),
        fails_when="two arms have different indices: with one pull each, their rewards differ",
    )


@claim(
    "regret-decom/equalities",
    by="us",
    kind="step",
    cites=("confidence-C",),
    repairs="regret-decom/reason",
)
def equalities() -> Argument:
    """The tower rule, then U_* is added and subtracted, whatever it is known from. Conditions are on the history with
    mu_0 a fixed number, so the inner law of mu_k is not the one of Lemma sec:mu0Dist (see sec:proof/posterior)."""
    given_history = Mean(Mean(best_mean - pulled_mean, rest), H)
    apart = Mean(Mean(best_mean - best_index, rest) + Mean(best_index - pulled_mean, rest), H)
    return proof(
        Goal(Rel(Mean(best_mean - pulled_mean, H, rest), "=", given_history), CUT, name="tower rule"),
        Goal(Rel(given_history, "=", apart), CUT, name="added and subtracted"),
        letters=WORDS,
    )


@claim("regret-decom/repaired", by="us", kind="step", repairs="regret-decom")
def decomposition() -> Argument:
    """For t > K the pulled arm maximises U. What the first K rounds cost is known exactly and is added apart."""
    parts = mu(BEST, o) - U(BEST), U(PULLED) - mu(PULLED, o)
    pointwise = follows(Rel(LOSS, "<=", sum(parts)), CHOICE, domain=PLAY, given=(LATER,), name="a round after the K-th")
    means = Rel(Mean(LOSS, o), "<=", Mean(parts[0], o) + Mean(parts[1], o))
    averaged = follows(means, Expectation(pointwise, (o,)), domain=PLAY, given=(LATER,), name="on average")
    first = uses("sec:analysis/round-robin", item="one of the first rounds")
    return proof(pointwise, averaged, first, letters=WORDS)


@claim(
    "regret-decom/events",
    by="paper",
    line=349,
    kind="step",
    cites=("confidence-C",),
)
def events() -> Argument:
    """On the events an error is at most its width; off them a width, nonnegative, is dropped or added."""
    best = interval(HOLDS_L, BEST, BEST_IS_AN_ARM)
    pulled = interval(HOLDS_R, PULLED, PULLED_IS_AN_ARM)
    at_best, at_pulled = {x: -error(BEST), y: c(BEST), f: fail_L}, {x: error(PULLED), y: c(PULLED), f: fail_R}
    below = applied(SHORT_OF, at_best, best, domain=ROUND, given=(LATER,), name="interval of the best arm")
    above = applied(OVER, at_pulled, pulled, domain=ROUND, given=(LATER,), name="interval of the pulled arm")
    lower = Rel(mu(BEST, o) - U(BEST), "<=", (mu(BEST, o) - muhat(BEST, t, o)) * fail_L)
    upper = Rel(U(PULLED) - mu(PULLED, o), "<=", 2 * c(PULLED) + error(PULLED) * fail_R)
    return proof(restated(below, lower, "best arm"), restated(above, upper, "pulled arm"), letters=EVENTS)


def interval(holds: Item, arm: sp.Expr, one_of: Item) -> Follows:
    """What an event says of one of the K arms."""
    here = instance(holds, {k: arm}, ROUND, (LATER, Rel(arm, "<=", K)), name="if all intervals hold")
    return follows(here.concludes.rel, one_of, here, domain=ROUND, given=(LATER,), name="if all intervals hold")


@claim("regret-decom-upper/repaired", by="us", kind="step", repairs="regret-decom-upper")
def sum_of_rounds() -> Argument:
    """One round after the first K: add the two displays for the best and the pulled arm. Then add the rounds."""
    tails = error(PULLED) * fail_R + (mu(BEST, o) - muhat(BEST, t, o)) * fail_L
    parts = [
        uses("regret-decom/repaired", item="a round after the K-th"),
        *(uses("regret-decom/events", item=item) for item in ("best arm", "pulled arm")),
    ]
    one = follows(Rel(LOSS, "<=", 2 * c(PULLED) + tails), *parts, domain=ROUND, given=(LATER,), name="one round")
    sizes, long = {**ROUND, N: COUNT}, Rel(K, "<=", N)
    later = SumOver(Expectation(one, (o,)), t, K + 1, N, sizes, given=(long,), name="rounds after the K-th")
    split = SplitSum(Mean(LOSS, o), t, sp.Integer(1), K, N, sizes, (long,), "the first K rounds and the others")
    first = instance(
        uses("sec:analysis/round-robin", item="the first rounds"), {N: K}, sizes, name="the first K rounds"
    )
    each = 2 * Mean(c(PULLED), o) + Mean(error(PULLED) * fail_R, o) + Mean(-error(BEST) * fail_L, o)
    total = Rel(R_N, "<=", K * sp.sqrt(s0) * E_K + sp.Sum(each, (t, K + 1, N)))
    regret = follows(total, split, first, later, domain=sizes, given=(long,), name="regret")
    return proof(regret, letters=EVENTS)
