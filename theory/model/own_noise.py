"""Every arm with a noise variance of its own: arm k has sigma_k^2, written s1, and arm i has sigma_i^2.

The bilinear calculus knows an arm only through its weight, so all it says of weights holds for w_i^h =
sigma_0^2/(sigma_0^2 + sigma_i^2/n_i) too. Xo is the sum of w_i^h over the other arms.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from itertools import product
from typing import Any

import sympy as sp

from theory.kernel.goal import Goal, Letter, Point, Rel, Var, at_least, positive, real
from theory.kernel.rules import Defines, Definition
from theory.kernel.sampling import small_values
from theory.kernel.shown import derives
from theory.kernel.sources import fix
from theory.kernel.terms import Mean
from theory.model.arms import LETTERS as EQUAL
from theory.model.arms import SHORT as EQUAL_SHORT
from theory.model.arms import J, W, Wo, all_w, n, s, s0, tau_sq, w, w_k, weight
from theory.model.effects import prediction_error
from theory.model.functions import function, quantity
from theory.model.quantities import H_LETTERS, OWN_NOISE, Xo, s1

So = sp.Symbol("So")  # sum of w_i^h sigma_i^2 over the other arms
wh, Xh = w.xreplace(OWN_NOISE), W.xreplace(OWN_NOISE)
tau_h_sq = (1 - wh) * s0 + (1 - wh) ** 2 * s0 / Xh  # the second display
COUNT = at_least(1, integer=True)
DOMAIN: dict[sp.Symbol, Var] = {
    n: COUNT,
    J: at_least(0, integer=True),
    s1: positive(),
    s0: positive(),
    Xo: at_least(0),
    So: at_least(0),
}
i, o = sp.symbols("i o")
counts, variance = sp.Function("n"), function("sigma_sq", r"\sigma_{{{}}}^2")
variance.formula = None  # a parameter
OWN = variance(i)  # sigma_i^2
COMMON = "rbar_0^h = sum_i w_i^h rbar_i / sum_i w_i^h"
LETTERS = {
    **EQUAL,
    s: Letter(EQUAL[s].shown, "an upper bound of all noise variances, their maximum for instance"),
    s1: Letter(sp.Symbol("sigma_k", positive=True) ** 2, "variance of the rewards of arm k"),
    Xo: Letter(sp.Symbol("W^h_others"), f"sum of the weights w_i^h of the other arms; {COMMON}"),
    sp.Symbol("rbar_0"): Letter(sp.Symbol(r"\bar r_0^h"), COMMON),
    So: Letter(sp.Symbol("S_others"), "sum of w_i^h sigma_i^2 over the other arms"),
    OWN: Letter(OWN, "variance of the rewards of arm i"),
}
SHORT = {
    H_LETTERS[letter]: value.xreplace(OWN_NOISE)
    for letter, value in ((sp.Symbol("tau_k", positive=True) ** 2, tau_sq), (all_w, W), (w_k, w))
}
BOTH = {**EQUAL_SHORT, **SHORT}  # where quantities at sigma^2 and at the arms' own noise stand side by side
OTHERS = (i, sp.Integer(1), J)
BELOW = (Rel(s1, "<=", s), Rel(OWN, "<=", s).for_every(*OTHERS))  # no noise variance is above sigma^2
FAMILY = {counts(i): COUNT, OWN: positive(), o: real()}


def own_goal(
    left: sp.Expr,
    op: str,
    right: sp.Expr,
    *,
    name: str = "",
    extra: Mapping[sp.Symbol, Var] | None = None,
    given: tuple[Rel, ...] = (),
) -> Goal:
    """A goal about one arm among K, each with its own noise: for every K, all counts >= 1 and positive variances."""
    domain = {**DOMAIN, **(extra or {})}
    points = None if extra else bandits
    return Goal(Rel(left, op, right), domain, given, name, points=points, letters=LETTERS, short=SHORT)


def bandits() -> Iterator[Point]:
    """Small bandits of one or two arms with unequal noise, seen from the first."""
    sizes = small_values(positive())[:5]
    for arms in (1, 2):
        for pulls, noises, spread in product(product((1, 2, 3), repeat=arms), product(sizes, repeat=arms), sizes):
            weights = [c * spread / (c * spread + e) for c, e in zip(pulls, noises, strict=True)]
            values = {
                n: sp.Integer(pulls[0]),
                J: sp.Integer(arms - 1),
                s1: noises[0],
                s0: spread,
                Xo: sum(weights[1:], sp.S.Zero),
                So: sum((a * b for a, b in zip(weights[1:], noises[1:], strict=True)), sp.S.Zero),
            }
            shown = {
                "K": str(arms),
                "n": [str(c) for c in pulls],
                "sigma_k_sq": [str(e) for e in noises],
                "sigma0_sq": str(spread),
            }
            yield Point(values, shown)


@derives(Xo, So)
def from_counts_and_noise(shown: Mapping[str, Any]) -> Mapping[sp.Symbol, sp.Expr]:
    """The noise of arm k and the sums over the other arms, in the names of a bandit that is shown."""
    counts, noises, spread = shown.get("n"), shown.get("sigma_k_sq"), sp.Symbol("sigma0_sq")
    if not (isinstance(counts, (list, tuple)) and isinstance(noises, (list, tuple))):
        return {}
    others = [sp.symbols(f"n_{a} sigma_k_sq_{a}") for a in range(2, len(noises) + 1)]
    weights = [c * spread / (c * spread + e) for c, e in others]
    weighted = sp.Add(*(x * e for x, (_, e) in zip(weights, others, strict=True)))
    return {s1: sp.Symbol("sigma_k_sq_1"), Xo: sp.Add(*weights), So: weighted}


# The prediction of ReUCB that uses sigma^2 for every arm, when arm i has the noise variance sigma_i^2.
error = quantity(
    "error with a common sigma^2",
    r"(\hat\mu_k-\mu_k)",
    meaning="error of the prediction that uses sigma^2 for every arm",
)(o)
effect, noise = quantity("effect", r"\delta_k")(o), quantity("noise", r"\bar\varepsilon_k")(o)
effect_of, noise_of = quantity("effect of", r"\delta_{{{}}}"), quantity("noise of", r"\bar\varepsilon_{{{}}}")
deviation = quantity("deviation", r"(\bar r_{{{0}}}-\mu_0)")  # of another arm: effect and noise
fix(s, s0, scope=__name__)
fix(n, J, Wo, s1, scope=error.func)
LEAN = (1 - w) / W  # times w_i: the coefficient of another arm's sample mean; on its own the arm has w_k + LEAN w_k
REST = sp.Sum(weight(counts(i)) * deviation(i, o), OTHERS)
UNEQUAL = {**DOMAIN, **FAMILY, s: positive(), Wo: at_least(0)}
j, m, q = sp.symbols("j m q")
of_reward = quantity("noise of a reward", r"\varepsilon_{{k,{}}}")
of_reward_of = quantity("noise of a reward of", r"\varepsilon_{{{},{}}}")
fix(s1, n, scope=noise.func)
fix(s1, scope=of_reward)


def _defined(of: str, rel: Rel, *given: Rel) -> Definition:
    return Definition(of, Goal(rel, {**UNEQUAL, i: COUNT, j: COUNT, m: COUNT}, given, of, letters=LETTERS))


def _moments(of: str, x: sp.Expr, v: sp.Expr) -> tuple[Definition, Definition]:
    """A centred quantity of variance v."""
    centred = _defined(f"{of} has mean 0", Rel(Mean(x, o), "=", 0))
    return centred, _defined(f"variance of {of}", Rel(Mean(x**2, o), "=", v)).for_every(m)


@dataclass(frozen=True)
class Noises(Defines):
    """The noises of the rewards of an arm: one(m) is that of the m-th reward, and `average` the average of `count`."""

    one: Callable[[sp.Expr], sp.Expr]
    average: sp.Expr
    count: sp.Expr
    variance: sp.Expr

    def sum(self, number: sp.Expr) -> sp.Expr:
        """The sum of the first noises, of this number."""
        return sp.Sum(self.one(q), (q, 1, number))

    @property
    def averaged(self) -> Definition:
        return _defined("the average of the noises", Rel(self.average, "=", self.sum(self.count) / self.count))

    @property
    def moments(self) -> tuple[Definition, Definition]:
        """Mean and second moment of the m-th noise."""
        return _moments("the noise of a reward", self.one(m), self.variance)

    @property
    def independent(self) -> Definition:
        return _independent("a noise and the sum of those before it", self.sum(m), self.one(m + 1))


def _independent(of: str, x: sp.Expr, y: sp.Expr, *given: Rel) -> Definition:
    return _defined(f"{of} are independent", Rel(Mean(x * y, o), "=", Mean(x, o) * Mean(y, o)), *given)


PREDICTION = _defined(
    "the error of the prediction, in effects and noise", Rel(error, "=", prediction_error(effect, noise, REST))
)
DEVIATION = _defined(
    "the sample mean of an arm is mu_0, its effect and its noise",
    Rel(deviation(i, o), "=", effect_of(i, o) + noise_of(i, o)),
)
EFFECT, EFFECT_OF = _moments("the effect of arm k", effect, s0), _moments("the effect of an arm", effect_of(i, o), s0)
EFFECT_AND_NOISE = _independent("effect and noise of arm k", effect, noise)
EFFECT_AND_NOISE_OF = _independent("effect and noise of an arm", effect_of(i, o), noise_of(i, o))
TWO_ARMS = _independent("different arms", deviation(i, o), deviation(j, o), Rel(i, "<", j))
EFFECT_AND_ARM = _independent("the effect of arm k and another arm", effect, deviation(i, o))
NOISE_AND_ARM = _independent("the noise of arm k and another arm", noise, deviation(i, o))
NOISE = Noises(lambda number: of_reward(number, o), noise, n, s1)
NOISE_OF = Noises(lambda number: of_reward_of(i, number, o), noise_of(i, o), counts(i), OWN)
