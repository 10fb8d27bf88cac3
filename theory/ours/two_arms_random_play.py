"""Two arms: ReUCB with known variances is never worse than random play, for any horizon; more arms are open."""

import sympy as sp

from theory.kernel.argument import Argument, Words, proof, step
from theory.kernel.claim import claim
from theory.kernel.classical import CHEBYSHEV_ASSOCIATION
from theory.kernel.goal import Goal, Rel, at_least, positive, real
from theory.kernel.rules import (
    Cases,
    Expectation,
    Induction,
    NextInteger,
    SumOver,
    applied,
    cited,
    follows,
    instance,
    uses,
)
from theory.kernel.rules.compose import conclusion
from theory.kernel.terms import Mean
from theory.kernel.undecided import undecided
from theory.model.arms import s0
from theory.model.play import BEST, COUNT, EFFECT, PLAY, N, k, mu0, o, t
from theory.model.play import WORDS as PLAYED
from theory.model.raised_mean import (
    ALL_PULLS,
    COUPLED,
    EARNED,
    GROWS,
    ONE_EACH,
    RAISED,
    SAME_COUNTS,
    TWO,
    WORDS,
    e,
    miss,
    other,
    x,
    y,
)
from theory.model.regret import E_K, R_N

first, second, r1, r2, f, g = sp.symbols("w_1 w_2 r_1 r_2 f g")


@claim("ours/random-play/two-arms/monotone", by="us", kind="inequality")
def fewer_pulls_of_the_other_arm() -> Argument:
    """Fix the mean of one arm and all noise and raise the mean of the other, arm k. At equal counts the widths are
    equal, and the lead of the prediction of arm k is a positive multiple of rbar_k - rbar_i, so that it is no smaller:
    whenever arm k was pulled it still is. Counts that differ do so by a pull at least. By induction over the rounds the
    other arm is never pulled more often."""
    weights = {first: positive(), second: positive(), r1: real(), r2: real()}
    centre = (first * r1 + second * r2) / (first + second)
    lead = (first * r1 + (1 - first) * centre) - (second * r2 + (1 - second) * centre)
    multiple = Goal(
        Rel(lead, "=", 2 * first * second / (first + second) * (r1 - r2)), weights, name="lead of the prediction"
    )
    same = Words(
        "at equal counts a larger mean of arm k leaves its lead no smaller, so that it is pulled whenever it was"
    )
    return proof(step(multiple), no_more_pulls(), same, letters=WORDS)


def no_more_pulls() -> Induction:
    """If mu_k rises, the other arm is pulled no more often, in any number of rounds."""
    low, high = other(k, t, y, e), other(k, t, x, e)
    kept, apart = Rel(low, "<=", high), Rel(low + 1, "<=", high)
    rel = Rel(miss(k, t, y, e) - miss(k, t, x, e), "<=", high - low)
    differ = Goal(rel, COUPLED, (RAISED, kept, apart), "counts that differ do so by a pull at least")
    together = (RAISED, kept, apart.negation)
    less = NextInteger(low + 1, high, COUPLED, name="less than one pull apart")
    alike = follows(Rel(low, "=", high), less, domain=COUPLED, given=together, name="equal counts")
    equal = follows(rel, alike, SAME_COUNTS, domain=COUPLED, given=together, name="a round at equal counts")
    lemma = Cases(apart, differ, equal, "one round keeps the order")
    start, grows = (instance(d, {x: y}, COUPLED, name=f"{d.of}, mean raised") for d in (ONE_EACH, GROWS))
    name, facts = "no more pulls of the other arm", (GROWS, grows, lemma)
    return Induction(kept, t, sp.Integer(3), COUPLED, (RAISED,), name, lemmas=facts, first=(ONE_EACH, start))


@claim("ours/random-play/two-arms", by="us", kind="bound", uses=("ours/random-play/two-arms/monotone",))
def two_arms() -> Argument:
    """The mean of an arm and the pulls of the other one move in opposite directions, so that the mean of their product
    is at most the product of their means, given everything else: E mu_k N_i <= mu_0 E N_i. So the pulled means are at
    least mu_0 on average, and the regret is at most that of random play (`reucb.bounds.few_rounds`)."""
    sizes = {**PLAY, N: at_least(2, integer=True), mu0: real(), x: real(), y: real(), e: real()}
    arms = {**sizes, k: COUNT, other(k, t, x, e): at_least(1, integer=True)}
    last = {t: N + 1}
    falls = instance(uses("ours/random-play/two-arms/monotone"), last, arms, (RAISED,), name="after n rounds")
    product = Goal(
        Rel((y - x) * (f - g), "<=", 0),
        dict.fromkeys((x, y, f, g), real()),
        (Rel(x, "<=", y), Rel(f, "<=", g)),
        "one rises, one falls",
    )
    at = {f: other(k, N + 1, y, e), g: other(k, N + 1, x, e)}
    opposite = applied(product, at, falls, domain=arms, given=(RAISED,), name="mean and pulls move in opposite ways")
    pulls = other(k, N + 1, x, e)
    associated = cited(
        CHEBYSHEV_ASSOCIATION,
        hypotheses=(opposite,),
        gives=Goal(Rel(Mean(x * pulls, x), "<=", mu0 * Mean(pulls, x)), arms, name="given everything else"),
        name="mu_k, of mean mu_0, independent of everything else",
    )
    averaged = Expectation(associated, (e,))
    both = SumOver(averaged, k, sp.Integer(1), sp.Integer(2), sizes, name="both arms")
    product_sum, all_pulls = conclusion(both).rel.stated[0], conclusion(ALL_PULLS).rel.stated[0]
    numbers = {f: real(), g: real(), mu0: real(), N: COUNT}
    times = Goal(Rel(f, "<=", mu0 * N), numbers, (Rel(f, "<=", mu0 * g), Rel(g, "=", N)), "all pulls")
    at = {f: product_sum, g: all_pulls}
    bounded = applied(times, at, both, ALL_PULLS, domain=sizes, given=(TWO,), name="pulls of arms that are not good")
    best = Expectation(instance(EFFECT, {k: BEST}, sizes, name="the best arm"), (o,))
    rounds = SumOver(best, t, sp.Integer(1), N, sizes, name="all rounds")
    rel = Rel(R_N, "<=", N * sp.sqrt(s0) * E_K)
    regret = follows(rel, bounded, EARNED, rounds, domain=sizes, given=(TWO,), name="no worse than random play")
    return proof(regret, letters={**PLAYED, **WORDS})


@claim(
    "ours/random-play",
    by="us",
    kind="bound",
    says=r"K\ge3,\ n>2K,\ \text{ReUCB with known variances}:\quad R_n\le n\sigma_0e_K,\ \text{as for random play}",
    cites=("ours/random-play/few-rounds", "ours/random-play/two-arms"),
)
def any_number_of_arms() -> Argument:
    """Open for K > 2 and n > 2K. No case against it was seen in 210 simulated settings; values near it occur for large
    a only, where ReUCB is a round robin."""
    return undecided(
        "an argument for K > 2 and n > 2K: a pull of one arm delays the others, whose order may change with sqrt(a log "
        "t), and with mu_0 estimated it changes their predictions, so that pulls need not rise with the mean of their "
        "arm; or a setting in which the pulled means are below mu_0 on average"
    )
