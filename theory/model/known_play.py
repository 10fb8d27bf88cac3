"""One play of the agent that knows mu_0: its index is tilde-mu + sqrt(a log t) tilde-tau.

Arm means and effects are those of `play`; the arm pulled in round t, counts, estimates and widths are this agent's.
"""

from __future__ import annotations

import sympy as sp

from theory.kernel.goal import Goal, Letter, Rel, Var, at_least, real
from theory.kernel.rules import Definition
from theory.kernel.sources import fix
from theory.kernel.terms import Mean
from theory.model import regret
from theory.model.any_choices import Choices
from theory.model.any_choices import pulls as pulls_up_to
from theory.model.arms import n, tau_tilde_sq
from theory.model.counts import PULLS
from theory.model.functions import quantity
from theory.model.play import BEST, COUNT, LATER, WORDS, K, N, k, mu, o, positive_part, t, width

CHOSEN = quantity("Itilde", r"\tilde I_{{{}}}", meaning="t: the arm pulled in round t by the agent that knows mu_0")(
    t, o
)
estimate, deviation = (
    quantity("mutilde", r"\tilde\mu_{{{},{}}}", meaning="k t: prediction of mu_k before round t, mu_0 known"),
    quantity(
        "tautilde", r"\tilde\tau_{{{},{}}}", meaning="k t: root of the mean squared error of the prediction, mu_0 known"
    ),
)
pulls, short = (
    quantity(
        "ntilde",
        r"\tilde n_{{{},{}}}",
        meaning="k t: number of rewards of arm k before round t, of the agent that knows mu_0",
    ),
    quantity(
        "parttilde",
        r"(\mu_{{{0}}}-\tilde U_{{{0},{1}}})^+",
        meaning="k t: by how much the mean of arm k is above its index, or 0, of the agent that knows mu_0",
    ),
)
before = quantity("beforetilde", r"\tilde n_{{\tilde I_{{{0}}},{0}}}")(t, o)
total = quantity("totaltilde", r"\tilde N_{{{}}}")(k, o)
WHOLE = at_least(0, integer=True)
fix(N, scope=total.func)
LOSS = mu(BEST, o) - mu(CHOSEN, o)
KNOWN: dict[sp.Expr, Var] = {
    **{**PULLS, CHOSEN: COUNT, deviation(k, t, o): at_least(0), pulls(k, t, o): COUNT},
    **{short(k, t, o): real(), before: WHOLE, total: WHOLE},
}


def index(arm: sp.Expr) -> sp.Expr:
    return estimate(arm, t, o) + width * deviation(arm, t, o)


class KnownRegret(regret.Regret):
    """The regret of this agent."""

    tex = r"\tilde R"

    @property
    def value(self) -> sp.Expr:
        rounds, outcome = self.args
        return sp.Sum(Mean(LOSS.xreplace({o: outcome}), outcome), (t, 1, rounds))


REGRET = KnownRegret(N, o)
LETTERS = {
    **regret.WORDS,
    REGRET: Letter(
        REGRET, "Bayes regret of n rounds of the agent that knows mu_0 and the variances, in the same model"
    ),
}


def _defined(of: str, rel: Rel, *given: Rel) -> Definition:
    return Definition(of, Goal(rel, {**KNOWN, k: COUNT}, given, of, letters=WORDS))


CHOICE = _defined("the pulled arm has the highest index", Rel(index(BEST), "<=", index(CHOSEN)), LATER)
IN_TURN = _defined("the first K rounds pull each arm once, in turn", Rel(CHOSEN, "=", t), Rel(t, "<=", K))
POSITIVE_PART = _defined("a positive part", Rel(short(k, t, o), "=", positive_part(mu(k, o) - index(k))), LATER)
WIDTH = _defined(
    "Eq. MSE-term1 at the counts before round t",
    Rel(deviation(k, t, o) ** 2, "=", tau_tilde_sq.xreplace({n: pulls(k, t, o)})),
    LATER,
)
CHOICES = Choices(
    CHOSEN,
    _defined("all pulls of arm k", Rel(total, "=", pulls_up_to(N, by=CHOSEN))),
    _defined("pulls of the arm of round t before that round", Rel(before, "=", pulls_up_to(t - 1, CHOSEN, CHOSEN))),
    _defined("the pulled arm is one of K", Rel(CHOSEN, "<=", K)),
    KNOWN,
)
OWN_COUNT = _defined(
    "pulls of arm k before round t",
    Rel(pulls(k, t, o), "=", pulls_up_to(t - 1, by=CHOSEN)),
    *(LATER, Rel(k, "<=", K)),
)
