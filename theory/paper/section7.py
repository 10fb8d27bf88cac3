"""Section 7 (`sec:real`), Appendix `sec:add-exp`, and the summaries in Sections 1 and 8, judged on recorded runs."""

from __future__ import annotations

from theory.experiments.evidence import recorded
from theory.experiments.statistics import Comparison, Sentence, sentence
from theory.kernel.claim import claim
from theory.paper.section6.results import BERNOULLI, GAUSSIAN, regret


def on_movielens(*comparisons: Comparison) -> Sentence:
    """Nothing is decided on the synthetic matrix; its numbers are given as evidence all the same."""
    about = recorded().about["movielens"]
    why = f"the runs recorded are on a {about['source']}; MovieLens may not be distributed with the project"
    return sentence(*comparisons, undecided=why if about["synthetic"] else None)


@claim(
    "fig:movie/much-lower",
    where="Section 7, fig:movie",
    kind="statistical",
    says=r"R(\text{ReUCB}) \le 0.8\,\min(R(\text{UCB1}), R(\text{TS})) \text{ on MovieLens}",
)
def movielens_much_lower():
    """The data are not at hand, so this is left undecided; the numbers are those of a synthetic rank-5 matrix."""
    return on_movielens(*(regret("movielens", "ReUCB", "much lower", x) for x in ("UCB1", "TS")))


@claim(
    "sec:real/learns-the-instance",
    where="Section 7",
    kind="statistical",
    depends_on=("fig:movie/much-lower",),
    says=r"0.8 \le R(\text{ReUCB})/R(\text{ReUCB}^*) \le 1.25 \text{ on MovieLens}",
)
def movielens_learns_the_instance():
    """Read as: estimating a user's variances costs little against being told them; undecided for want of the data."""
    return on_movielens(regret("movielens", "ReUCB", "similar", "ReUCB*"))


@claim(
    "fig:movie/much-lower/repaired",
    where="Section 7, fig:movie",
    kind="statistical",
    repairs="fig:movie/much-lower",
    says=r"R(\text{ReUCB}) \le 0.8\,R(\text{UCB1}) \text{ on a synthetic matrix of rank 5}",
)
def stand_in_much_lower_than_ucb1():
    """What stands without the data, and was narrowed after the runs: on this matrix TS loses less than ReUCB."""
    return sentence(regret("movielens", "ReUCB", "much lower", "UCB1"))


@claim(
    "sec:real/learns-the-instance/repaired",
    where="Section 7",
    kind="statistical",
    repairs="sec:real/learns-the-instance",
    depends_on=("fig:movie/much-lower/repaired",),
    says=r"R(\text{ReUCB}^*) \le 0.8\,R(\text{UCB1}) \text{ on a synthetic matrix of rank 5}",
)
def row_is_worth_knowing():
    """There is something to learn: knowing a row's variances and shrinking to its mean beats knowing nothing of it."""
    return sentence(regret("movielens", "ReUCB*", "much lower", "UCB1"))


@claim(
    "fig:Gaussian-Others/comparable-to-ts",
    where="Section 4.1; fig:Gaussian-Others",
    kind="statistical",
    says=r"0.8 \le R(\text{ReUCB}^\infty)/R(\text{TS}) \le 1.25",
)
def infinite_comparable_to_ts():
    """The limit w = 1 of ReUCB against Thompson sampling with the true prior."""
    return sentence(regret("ucb-family", "ReUCB∞", "similar", "TS"))


@claim(
    "sec:add-exp/worse-than-reucb",
    where="Section 4.1; Appendix sec:add-exp",
    kind="statistical",
    says=r"R(\text{ReUCB}^\infty) > R(\text{ReUCB}), \quad R(\text{ReUCB}^\infty) > R(\text{ReUCB}^*)",
)
def infinite_worse_than_reucb():
    """What shrinkage is worth: the same width constant without borrowing from other arms."""
    return sentence(*(regret("ucb-family", "ReUCB∞", "higher", x) for x in ("ReUCB", "ReUCB*")))


@claim(
    "sec:introduction/outperforms-or-comparable",
    where="Section 1",
    kind="statistical",
    says=r"R(\text{ReUCB}) \le 1.25\, R(\text{TS}) \text{ in every setting and on MovieLens}",
)
def outperforms_or_comparable():
    """The movie problem is named too, and its data are not at hand; on a synthetic matrix the ratio may be above."""
    return on_movielens(*elsewhere(), regret("movielens", "ReUCB", "lower or similar", "TS"))


@claim(
    "sec:introduction/outperforms-or-comparable/repaired",
    where="Section 1",
    kind="statistical",
    repairs="sec:introduction/outperforms-or-comparable",
    says=r"R(\text{ReUCB}) \le 1.25\, R(\text{TS}) \text{ in the settings of Section 6}",
)
def outperforms_or_comparable_elsewhere():
    """Every setting but the movies, Thompson sampling with the prior that the paper calls correct."""
    return sentence(*elsewhere())


def elsewhere() -> tuple[Comparison, ...]:
    """ReUCB against Thompson sampling in the Gaussian, Bernoulli and misspecified settings."""
    settings = (*GAUSSIAN, *BERNOULLI, "misspecified-b")
    clipped = (regret("misspecified-c", "ReUCB", "lower or similar", ts) for ts in ("TS (Beta)", "TS (Gauss)"))
    return (*(regret(x, "ReUCB", "lower or similar", "TS") for x in settings), *clipped)


@claim(
    "sec:conclusions/can-outperform",
    where="Section 8",
    kind="statistical",
    says=r"R(\text{ReUCB}) < R(\text{TS}) \text{ somewhere}",
)
def can_outperform():
    """One setting is enough: means N(1, 0.04), where Thompson sampling knows the prior."""
    return sentence(regret("gaussian-a", "ReUCB", "lower", "TS"))
