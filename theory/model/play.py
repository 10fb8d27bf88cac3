"""One play of ReUCB in the Gaussian model: what the quantities of arms and rounds are.

Everything random is a function of the outcome o. Arm k has the mean mu(k, o) = mu_0 + sigma_0 Z(k, o); in round t arm
I(t, o) is pulled; counts, estimates and widths are those before the round. The definitions below are all that the
regret theorems use of the algorithm and of the law of the arm means; that of the errors is claim ours/conditioning.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import sympy as sp

from theory.kernel.goal import Goal, Letter, Rel, Var, at_least, positive, real
from theory.kernel.rules import Definition
from theory.kernel.sources import fix
from theory.kernel.terms import Event, Mean
from theory.model.arms import ARMS_LETTER, HORIZON, LETTERS, J, Wo, n, s, s0, tau_sq, weight
from theory.model.functions import quantity
from theory.model.normal import excess, phi

K, N, a, t, k, m, o, mu0, lam, x, y = sp.symbols("K N a t k m o mu_0 lam x y")
mu = quantity("mu", r"\mu_{{{}}}", meaning="k: mean of arm k")
Z = quantity("Z", "Z_{{{}}}", meaning="k: (mu_k - mu_0)/sigma_0, a standard normal")
muhat = quantity("muhat", r"\hat\mu_{{{},{}}}", meaning="k t: prediction of mu_k before round t")
tau = quantity("tau", r"\tau_{{{},{}}}", meaning="k t: root of the mean squared error of the prediction before round t")
part = quantity(
    "part", r"(\mu_{{{0}}}-U_{{{0},{1}}})^+", meaning="k t: (mu_k - U_{k,t})^+, by how much the mean is above the index"
)
count = quantity("n", "n_{{{},{}}}", meaning="k t: number of rewards of arm k before round t")
others = quantity(
    "W_others",
    r"W^{{\mathrm{{others}}}}_{{{},{}}}",
    meaning="k t: sum of the weights of the other arms than k before round t",
)
i = sp.Symbol("i")
another = quantity("another", r"\mathrm{{other}}_{{{0}}}({1})", meaning="i k: the i-th of the K - 1 other arms than k")
BEST = quantity("best", "*", meaning=": the arm with the largest mean")(o)
PULLED = quantity("I", "I_{{{}}}", meaning="t: the arm pulled in round t")(t, o)

fix(K, mu0, s, s0, a, scope="theory")
COUNT = at_least(1, integer=True)
# A count is that before a round t > K, of one of the K arms; that it is at least 1 follows from its definition
# (tests/theory/model/test_ranges.py).
PLAY: dict[sp.Expr, Var] = {
    **{t: COUNT, K: COUNT, BEST: COUNT, PULLED: COUNT, o: real(), a: positive(), s: positive(), s0: positive()},
    **{part(k, t, o): real(), tau(k, t, o): at_least(0), count(k, t, o): COUNT},
    another(i, k, o): COUNT,
}
ARM = {**PLAY, k: COUNT}
LATER = Rel(t, ">", K)  # from here on arms are chosen by their indices
width = sp.sqrt(a * sp.log(t))  # U = mu-hat + width tau
psi = excess(width)
WORDS = {
    **ARMS_LETTER,
    N: HORIZON,
    **{x: LETTERS[x] for x in (mu0, t, k, a, s, s0)},
    sp.Symbol("b"): Letter(sp.Symbol("b"), "a second width, of our choice: any number"),
}
NAMES = {sp.Symbol("Psi_t"): psi}


def index(arm: sp.Expr) -> sp.Expr:
    """U_{k,t} = mu-hat_{k,t} + sqrt(a log t) tau_{k,t}."""
    return muhat(arm, t, o) + width * tau(arm, t, o)


def positive_part(number: sp.Expr) -> sp.Expr:
    """x^+ = 1{x >= 0} x."""
    return Event(number, 0) * number


def stated(rel: Rel, domain: Mapping[sp.Expr, Var], *given: Rel, name: str) -> Goal:
    """A goal about the play, in the letters of its readers."""
    return Goal(rel, domain, given, name, letters=WORDS, short=NAMES)


def defined(of: str, rel: Rel, *given: Rel, more: Mapping[sp.Expr, Var] | None = None) -> Definition:
    return Definition(of, stated(rel, {**ARM, **(more or {})}, *given, name=of))


GAUSSIAN = "Gaussian arm means and rewards"


def gaussian(of: str, rel: Rel, *given: Rel, more: Mapping[sp.Expr, Var] | None = None) -> Definition:
    """A law of the Gaussian model."""
    return replace(defined(of, rel, *given, more=more), world=GAUSSIAN)


BEST_IS_AN_ARM = defined("the best arm is one of K", Rel(BEST, "<=", K))
PULLED_IS_AN_ARM = defined("the pulled arm is one of K", Rel(PULLED, "<=", K))
CHOICE = defined("the pulled arm has the highest index", Rel(index(BEST), "<=", index(PULLED)), LATER)
IN_TURN = defined("the first K rounds pull each arm once, in turn", Rel(PULLED, "=", t), Rel(t, "<=", K))
POSITIVE_PART = defined("a positive part", Rel(part(k, t, o), "=", positive_part(mu(k, o) - index(k))), LATER)
EFFECT = gaussian(
    "an arm mean is mu_0 and sigma_0 times a standard normal effect",
    Rel(mu(k, o), "=", mu0 + sp.sqrt(s0) * Z(k, o)),
    more={mu0: real()},
)
CENTRED_EFFECT = gaussian("the effect has mean 0", Rel(Mean(Z(k, o), o), "=", 0))
NORMAL_EFFECT = gaussian(
    "the effect has the moment generating function of a standard normal",
    Rel(Mean(sp.exp(lam * Z(k, o)), o), "<=", sp.exp(lam**2 / 2)),
    more={lam: positive()},
)
FIRST_ARM, SECOND_ARM = sp.Integer(1), sp.Integer(2)
TWO_EFFECTS = gaussian(
    "two effects are independent, both with the density phi: the mean of a positive part",
    Rel(
        Mean((Z(SECOND_ARM, o) - Z(FIRST_ARM, o)) * Event(Z(SECOND_ARM, o) - Z(FIRST_ARM, o), 1), o),
        "=",
        sp.Integral(
            (sp.Integral(y * phi(y), (y, x, sp.oo)) - x * sp.Integral(phi(y), (y, x, sp.oo))) * phi(x),
            (x, -sp.oo, sp.oo),
        ),
    ),
    Rel(K, ">=", 2),
)
LARGEST = defined("the best arm has the largest effect", Rel(Z(k, o), "<=", Z(BEST, o)), Rel(k, "<=", K)).for_every(k)
WIDTH = defined(
    "Eq. MSE at the counts before round t",
    Rel(tau(k, t, o) ** 2, "=", tau_sq.xreplace({n: count(k, t, o), Wo: others(k, t, o), J: K - 1})),
    LATER,
    Rel(others(k, t, o), ">=", 0),  # no denominator vanishes; it is a sum of weights, ours/width/play
)
ANOTHER = defined(
    "the i-th other arm than arm k is arm i, or the next one from arm k on",
    Rel(another(i, k, o), "=", i + Event(i - k, 0)),
    more={i: COUNT},
)
OTHER_ARMS = defined(
    "the weights of the other arms before round t",
    Rel(others(k, t, o), "=", sp.Sum(weight(count(another(i, k, o), t, o)), (i, 1, K - 1))),
    LATER,
)

# The reward of an arm in round t; fresh is the noise of that round, drawn after its arm was chosen, and o all else.
fresh = sp.Symbol("fresh")
reward = quantity("r", "r_{{{},{}}}", 2, meaning="k t: reward of arm k in round t")
DRAWN = {**PLAY, fresh: real()}
# In the mean only: an arm that is chosen later depends on the noise of this round.
NO_BIAS = tuple(
    defined(
        "the reward of an arm that is chosen before its round has the mean of the arm",
        Rel(Mean(reward(arm, t, o, fresh), fresh, o), "=", Mean(mu(arm, o), o)),
        more={fresh: real()},
    ).for_every(t)
    for arm in (BEST, PULLED)
)
