"""Appendix G (`sec:extensions`): Bernoulli bandits under Theorem them-R-Bayes-SubR, and the third term of its proof."""

from functools import partial

import sympy as sp

from theory.kernel.argument import Argument, gap, proof
from theory.kernel.claim import claim
from theory.kernel.goal import Goal, Letter, Rel, Var, at_least, positive, real
from theory.kernel.region import exactly
from theory.kernel.rules import SumOver, follows, uses
from theory.kernel.terms import Mean
from theory.model import sums
from theory.model.arms import LETTERS, K, s, s0
from theory.model.functions import quantity
from theory.model.width_ratio import LETTERS as RATIO
from theory.model.width_ratio import ROOTS, m, one_pull, one_pull_each, q, r, ratio
from theory.paper.appendix_g.proof import pointwise
from theory.paper.appendix_g.proxy import printed_independence
from theory.paper.appendix_g.theorem_subgaussian import MOMENT

a = sp.Symbol("a")
UNIT = Var(sp.Integer(0), high=sp.Integer(1))


@claim(
    "sec:extensions/bernoulli-theorem",
    by="paper",
    line=833,
    kind="prose",
    severity="result",
    cause="bernoulli-noise",
    says=r"\text{Theorem them-R-Bayes-SubR holds for Bernoulli bandits, with}\ \sigma^2=1/4",
    cites=("them-R-Bayes-SubR", "sec:tau_star/independence", "sec:extensions/bernoulli"),
)
def theorem_for_bernoulli() -> Argument:
    """The proxy 1/4 is right, but the theorem is not proved, and its proof takes the noise to be independent of the arm
    mean, which for Bernoulli rewards, of variance mu(1 - mu), it is not."""
    found = printed_independence()
    means = sorted(found.printed.symbols, key=str)
    quarter = sp.Rational(1, 4)
    return gap(
        found.printed,
        premises=tuple(
            Goal(Rel(mu * (1 - mu), "<=", quarter), {mu: UNIT}, name=f"1/4: {mu}", squares=(2 * mu - 1,))
            for mu in means
        ),
        region=found.region,
        fails_when="means with mu_2 not in {mu_1, 1 - mu_1}; and wherever the theorem fails",
    )


@claim(
    "sec:extensions/bernoulli-theorem/repaired",
    by="us",
    kind="bound",
    cites=("sec:extensions/beta-prior/repaired",),
    repairs="sec:extensions/bernoulli-theorem",
)
def bernoulli_bandits() -> Argument:
    """The repaired theorem requires a proxy given the mean, which is 1/4 for every mean, and a prior on [0, 1] has a
    proxy of at most 1/4; nothing has to be independent."""
    theorem = uses("them-R-Bayes-SubR/repaired", item="n >= K")
    found = theorem.concludes
    stated = follows(found.rel, theorem, domain=found.domain, given=found.given, name="Bernoulli bandits")
    proxies = [
        follows(moment.concludes.rel, moment, domain=moment.concludes.domain, name=f"proxy 1/4: {item}")
        for item in ("moment at lambda", "moment at -lambda")
        for moment in (uses("sec:extensions/bernoulli", item=item),)
    ]
    letters = {
        **found.letters,
        s: Letter(found.letters[s].shown, "1/4, a proxy of a Bernoulli reward given its mean, as stated"),
        s0: Letter(found.letters[s0].shown, "a proxy of the prior; for any prior on [0, 1], 1/4 is one"),
        **MOMENT,
    }
    return proof(stated, *proxies, letters=letters)


@claim(
    "decom1-result2/left",
    by="paper",
    line=812,
    kind="step",
    cites=("them-R-Bayes-SubR/support/repaired",),
)
def left_tail_by_probability() -> Argument:
    """As for the pulled arm: both numbers lie in [0, 1], whichever arm is best."""
    return proof(pointwise("best", r"\mu_*", r"\hat\mu_{{*,{}}}", r"\bar E_{{L;{}}}"))


@claim(
    "them-R-Bayes-SubR/third-term",
    by="paper",
    line=812,
    kind="step",
    severity="argument",
    cause="reversed-inequality",
    says=r"a\ge m:\quad\sum_{t=1}^nE[(\mu_*-\hat\mu_*)1\{\bar E_{L;t}\}]\le K\sum_{t=1}^n\delta_t^{1/m}\le2K\sqrt n",
    cites=("decom1-result2/left", "them-R-Bayes-SubR/delta-power", "lemma:tauTotau", "sec:tau_star"),
)
def third_term() -> Argument:
    """Said to follow as the second term does. The step to a probability is right; the bound on the probability then
    takes its exponent from the same false lemma, whose example has one pull of each arm."""
    inference = Goal(
        Rel(a * ratio.subs(r, q), ">=", 1),
        {**ROOTS, a: positive()},
        (Rel(a, "=", m),),
        "twice the exponent of 1/t at a = m, one pull each",
        points=partial(one_pull_each, {a: m}),
        letters={**RATIO, a: LETTERS[a]},
    )
    return gap(
        inference,
        at=one_pull(1, sp.Rational(1, 2), {a: m}),
        region=exactly(inference, Rel(K * q**2 * (1 + K * q**2), "<", 1)),
        fails_when="wherever Lemma lemma:tauTotau fails, at one pull each iff rho (1 + rho) < 1; adaptive "
        "counts in any case",
    )


@claim(
    "them-R-Bayes-SubR/third-term/repaired",
    by="us",
    kind="step",
    cites=("sec:tau_star/repaired", "decom1-result2/left"),
    repairs="them-R-Bayes-SubR/third-term",
)
def third_term_in_a_fixed_design() -> Argument:
    """The error with the other sign has the same proxy tau^2, so for fixed counts and a >= 1 each arm's interval fails
    with chance at most t^(-a/2) <= t^(-1/2) (them-R-Bayes-SubR/delta-power/repaired); add up arms and rounds. (For
    ReUCB's own counts see them-R-Bayes-SubR/repaired.)"""
    arms, rounds, t, k, o = sp.symbols("K n t k o")
    fails = quantity(
        "one interval fails",
        r"\mathbf{{1}}\{{\mu_{{{0}}}-\hat\mu_{{{0}}}>c_{{{0},{1}}}\}}",
        meaning="k t: 1 if the mean of arm k is above its estimate by more than the width in round t",
    )(k, t, o)
    count = at_least(1, integer=True)
    free = {arms: count, rounds: count, o: real()}
    each = Rel(Mean(fails, o), "<=", 1 / sp.sqrt(t))
    one = Goal(each, {**free, k: count, t: count}, (each,), "one interval")
    given = each.for_every(k, 1, arms)
    over_arms = SumOver(one, k, sp.Integer(1), arms, {**free, t: count}, given=(given,), name="all arms")
    every = given.for_every(t, 1, rounds)
    over_rounds = SumOver(over_arms, t, sp.Integer(1), rounds, free, given=(every,), name="all rounds")
    total = sp.Sum(sp.Sum(Mean(fails, o), (k, 1, arms)), (t, 1, rounds))
    rel = Rel(total, "<=", 2 * arms * sp.sqrt(rounds))
    third = follows(rel, over_rounds, uses("sec:proof/sum-root"), domain=free, given=(every,), name="third term")
    return proof(third, letters=sums.LETTERS)
