"""One play of ReUCB with first="index": only round 1 has no information; later an arm without pulls has an index.

Arm means and effects are those of `play`; the arm pulled in round t, counts, estimates and widths are this agent's. A
count may be 0: the estimate is then r-bar_0 and tau^2 = sigma_0^2 + sigma_0^2/W, which is Eq. MSE at n_k = 0.
"""

from __future__ import annotations

import sympy as sp

from theory.kernel.goal import Goal, Letter, Rel, Var, at_least, positive, real
from theory.kernel.rules import Definition, equals
from theory.kernel.terms import Mean
from theory.model import regret
from theory.model.arms import Wo, n, tau_sq, weight
from theory.model.functions import quantity
from theory.model.play import BEST, COUNT, PLAY, WORDS, K, N, another, i, k, mu, o, positive_part, t, width

CHOSEN = quantity("Ix", r"I'_{{{}}}", meaning='t: the arm pulled in round t, for first="index"')(t, o)
estimate, deviation = (
    quantity("muhatx", r"\hat\mu'_{{{},{}}}"),
    quantity(
        "taux", r"\tau'_{{{},{}}}", meaning='k t: root of the mean squared error of the prediction, for first="index"'
    ),
)
pulls, rest = (
    quantity("nx", r"n'_{{{},{}}}", meaning='k t: number of rewards of arm k before round t, for first="index"'),
    quantity("W_othersx", r"W'^{{\mathrm{{others}}}}_{{{},{}}}"),
)
total = quantity("Wx", r"W'_{{{}}}")  # the weights of all arms, if there is a reward; else any positive number
short = quantity("partx", r"(\mu_{{{0}}}-U'_{{{0},{1}}})^+")
LOSS = mu(BEST, o) - mu(CHOSEN, o)
INDEXED: dict[sp.Expr, Var] = {
    **{**PLAY, N: COUNT, CHOSEN: COUNT, deviation(k, t, o): at_least(0), pulls(k, t, o): at_least(0, integer=True)},
    **{short(k, t, o): real(), rest(k, t, o): at_least(0), total(t, o): positive()},
}
SECOND = Rel(t, ">=", 2)  # from here on arms are chosen by their indices
SOME_REWARD = Rel(weight(pulls(k, t, o)) + rest(k, t, o), ">", 0)  # in fact, from round 2 on: ours/by-index/width


def index(arm: sp.Expr) -> sp.Expr:
    return estimate(arm, t, o) + width * deviation(arm, t, o)


class IndexRegret(regret.Regret):
    """The regret of this agent."""

    tex = "R'"

    @property
    def value(self) -> sp.Expr:
        rounds, outcome = self.args
        return sp.Sum(Mean(LOSS.xreplace({o: outcome}), outcome), (t, 1, rounds))


REGRET = IndexRegret(N, o)
LETTERS = {
    **regret.WORDS,
    REGRET: Letter(
        REGRET,
        "Bayes regret of n rounds of ReUCB(first=\"index\") with known variances, in the same model; I', n', mu-hat' "
        "and tau' are its arms, counts, estimates and widths",
    ),
}


def _defined(of: str, rel: Rel, *given: Rel) -> Definition:
    return Definition(of, Goal(rel, {**INDEXED, k: COUNT}, given, of, letters=WORDS))


CHOICE = _defined("the pulled arm has the highest index", Rel(index(BEST), "<=", index(CHOSEN)), SECOND)
POSITIVE_PART = _defined("a positive part", Rel(short(k, t, o), "=", positive_part(mu(k, o) - index(k))), SECOND)
TOTAL = _defined(
    "the weights of all arms",
    Rel(total(t, o), "=", weight(pulls(k, t, o)) + rest(k, t, o)),
    *(SECOND, Rel(k, "<=", K), SOME_REWARD),
).for_every(k)
WIDTH = _defined(
    "Eq. MSE at the counts before round t, which may be 0",
    Rel(deviation(k, t, o) ** 2, "=", tau_sq.xreplace({n: pulls(k, t, o), Wo: total(t, o) - weight(pulls(k, t, o))})),
    SECOND,
)
OTHER_ARMS = _defined(
    "the weights of the other arms before round t",
    Rel(rest(k, t, o), "=", sp.Sum(weight(pulls(another(i, k, o), t, o)), (i, 1, K - 1))),
    SECOND,
)
CHOSEN_IS_AN_ARM = _defined("the pulled arm is one of K", Rel(CHOSEN, "<=", K))
UNPULLED = _defined("no arm has a reward before round 1", Rel(pulls(k, 1, o), "=", 0))
FIRST_CHOICE = _defined("the first round pulls the first arm", Rel(CHOSEN.xreplace({t: sp.Integer(1)}), "=", 1))
COUNTED = _defined("a pull is counted", Rel(pulls(k, t + 1, o), "=", pulls(k, t, o) + equals(CHOSEN, k)))
