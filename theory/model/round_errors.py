"""The errors of a round t > K, given the reward differences: the outcome has two parts.

d are the differences of the rewards before the round; they decide the choices up to it, the counts and so the widths. e
is the rest, which decides the errors X_{k,t} = mu-hat_{k,t} - mu_k. Given d the errors are jointly normal with mean 0
and variance tau_k^2 (claim ours/conditioning): Z_k = -X_k/tau_k is standard normal.

In a mean over d and e, d may be read as the differences of all rewards. A mean over e alone is one given those before
one round: they do not decide what happens in later rounds, and `one_round` refuses quantities of another round beside
it.
"""

from __future__ import annotations

from collections.abc import Iterator

import sympy as sp
from sympy.core.function import AppliedUndef

from theory.kernel.goal import Goal, Letter, Rel, Var, at_least, real
from theory.kernel.named import valued
from theory.kernel.rules import Definition, equals
from theory.kernel.sanity import convention
from theory.kernel.subexpressions import atoms
from theory.kernel.terms import Event, Mean
from theory.model.arms import weight
from theory.model.functions import places_of, quantity
from theory.model.intervals import UNIT
from theory.model.play import COUNT, LATER, PLAY, PULLED, WORDS, K, a, count, k, others, t, tau, width

BY_DIFFERENCES = "ours/conditioning/choices"  # d decides choices, counts and widths
d, e = sp.symbols("d e")
BEST = quantity("best arm", "*", 2, meaning="the arm with the largest mean")(d, e)
CHOSEN = PULLED.func(t, d)
FAILING = quantity("failing arm", r"J_{{{0}}}", 2)(t, a, d, e)
X, Z = (
    quantity("X", "X_{{{},{}}}", 2, meaning="k t: error mu-hat_k - mu_k before round t"),
    quantity("Z", "Z_{{{},{}}}", 2),
)


def out(arm: sp.Expr) -> sp.Expr:
    """1 if the error of an arm is above its width."""
    return Event(X(arm, t, d, e) - width * tau(arm, t, d), 1)


def over(arm: sp.Expr) -> sp.Expr:
    """1 if Z of an arm is above sqrt(a log t)."""
    return Event(Z(arm, t, d, e) - width, 1)


def beyond(arm: sp.Expr) -> sp.Expr:
    """Z of an arm where it is above sqrt(a log t), else 0."""
    return Z(arm, t, d, e) * over(arm)


fail_R = quantity("some X above c", r"\mathbf{{1}}\{{\bar E_{{R;{0}}}\}}", 2)(t, a, d, e)
fail_L = quantity("some Z above", r"\mathbf{{1}}\{{\bar E_{{L;{0}}}\}}", 2)(t, a, d, e)
same = equals(CHOSEN, k)  # 1 if arm k is pulled
ratio = same + (1 - same) * (1 - weight(count(CHOSEN, t, d))) / (1 + others(k, t, d))  # Cov(X_I, X_k)/tau_k^2
widest, WIDE = (
    quantity("widest tau", r"\max_k\tau_{{k,{}}}", meaning="t: the largest tau_k in round t")(t, d),
    quantity("widest arm", r"W_{{{}}}")(t, d),
)
ROUND: dict[sp.Expr, Var] = {
    **PLAY,
    **{
        d: real(),
        e: real(),
        BEST: COUNT,
        CHOSEN: COUNT,
        FAILING: COUNT,
        WIDE: COUNT,
        fail_R: UNIT,
        fail_L: UNIT,
    },
    **{tau(k, t, d): at_least(0), count(k, t, d): COUNT, others(k, t, d): at_least(0), widest: at_least(0)},
}
ARM = {**ROUND, k: COUNT}
ERRORS = {
    **WORDS,
    X(k, t, d, e): Letter(X(k, t, d, e), "error of the estimate of arm k, mu-hat_k - mu_k"),
    Z(k, t, d, e): Letter(Z(k, t, d, e), "the error of arm k over its width tau, with the opposite sign"),
    fail_R: Letter(fail_R, "1 if some error is above its width c = sqrt(a log t) tau, else 0"),
    fail_L: Letter(fail_L, "1 if some error is below minus its width sqrt(a log t) tau, else 0"),
}


GIVEN = {
    **ERRORS,
    X(k, t, d, e): Letter(X(k, t, d, e), "error of the estimate of arm k; E is the mean given all reward differences"),
}


@convention
def one_round(goal: Goal) -> Iterator[str]:
    """Quantities of several rounds beside a mean given the differences before one of them."""
    sides = [valued(side) for rel in (goal.rel, *goal.given) for side in rel.stated]
    averaged = [set(mean.args[1:]) for side in sides for mean in atoms(side, Mean)]
    if not any(e in over and d not in over for over in averaged):
        return
    values = {value for side in sides for value in atoms(side, AppliedUndef) if d in value.args}
    rounds = {value.args[place] for value in values for place in places_of(value.func, t)}
    if len(rounds) > 1:
        yield f"a mean given the differences before one round, and quantities of rounds {sorted(map(str, rounds))}"


def given(of: str, rel: Rel, *more: Rel) -> Goal:
    """A relation about a round after the K-th."""
    return Goal(rel, ARM, (LATER, *more), of, letters=ERRORS)


def _defined(of: str, rel: Rel, *more: Rel) -> Definition:
    return Definition(of, given(of, rel, *more), (BY_DIFFERENCES,))


BEST_IS_AN_ARM = _defined("the best arm is one of K", Rel(BEST, "<=", K)).for_every(t)
SCALED = _defined("Z is the error over tau", Rel(X(k, t, d, e), "=", -tau(k, t, d) * Z(k, t, d, e)))
SOME_HIGH = _defined(
    "whether some error is above its width: at least one is", Rel(fail_R, "=", Event(sp.Sum(out(k), (k, 1, K)) - 1, 0))
)
SOME_FAIL = _defined("if some interval fails, that of arm J does", Rel(fail_L, "=", over(FAILING)))
FAILING_IS_AN_ARM = _defined("arm J is one of K", Rel(FAILING, "<=", K))
WIDEST = _defined("the widest interval", Rel(tau(k, t, d), "<=", widest), Rel(k, "<=", K)).for_every(k)
ONE_OF_THEM = _defined("the widest interval is that of an arm", Rel(widest, "=", tau(WIDE, t, d)))
