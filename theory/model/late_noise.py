"""Noise of an arm with rewards in [0, 1] after its first J pulls: e times the rewards less their mean, e = 1 or -1.

The rewards and sums are those of `theory.model.reward_sums`: the rewards after the first J themselves if e = 1, and 1
less them if e = -1, so that S_l - l mu is e times the noise of the next l pulls for both.
"""

from __future__ import annotations

import sympy as sp

from theory.kernel.goal import Goal, Letter, Rel, Var, at_least, positive, real
from theory.kernel.rules import Definition
from theory.kernel.sources import fix
from theory.model.functions import function, quantity
from theory.model.play import o
from theory.model.reward_sums import INSIDE, ROUND, UNIT, N, S, mu, reward

x, r, J, n = sp.symbols("x rho J n")
fix(r, J, n, mu, scope=__name__)
log_moment = function("h", "h_{{{1}}}({0})")(x, mu)  # log(1 - mu + mu e^{8x})
log_moment.func.formula = None
Y, time = quantity("Y", "Y")(o), quantity("late crest", "T")(o)
LATE: dict[sp.Expr, Var] = {
    **{o: real(), x: positive(), J: at_least(0), r: positive(), n: ROUND, time: ROUND},
    **{mu: INSIDE, reward(N, o): UNIT},
    Y: at_least(0),  # the largest of 0 and other numbers
}
WORDS = {
    r: Letter(r, "sigma^2/sigma_0^2"),
    J: Letter(J, "pulls of one arm that are followed one by one"),
    Y: Letter(Y, "the largest of 0 and e (noise of the pulls J+1, ..., j)/(j + rho), over all j > J of the play"),
}


def late_noise(pulls: sp.Expr) -> sp.Expr:
    """e times the noise of so many pulls after the first J."""
    return S(pulls, o) - pulls * mu


def _defined(of: str, rel: Rel) -> Definition:
    return Definition(of, Goal(rel, LATE, name=of, letters=WORDS))


LARGEST = _defined("Y is attained, at 0 if nothing is above 0", Rel(Y * (J + r + time), "=", late_noise(time)))
MOMENT = _defined(
    "h is the logarithm of E exp(8 x r) for a Bernoulli variable r",
    Rel(sp.exp(log_moment), "=", 1 - mu + mu * sp.exp(8 * x)),
)
IN_PLAY = _defined("at a pull of the play", Rel(time, "<=", n))
