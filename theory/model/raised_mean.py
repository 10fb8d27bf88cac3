"""Two arms: the same play with another mean of one arm, everything else (mean of the other arm, all noise) the same.

other(k, t, x, e) is how often the arm that is not k was pulled before round t if mu_k = x, e being everything else;
miss(k, t, x, e) is 1 if round t pulls it. Before round 3 each arm has one reward. A tie is decided by a bit of the
round, whatever the mean is.
"""

from __future__ import annotations

from dataclasses import replace

import sympy as sp

from theory.kernel.goal import Goal, Letter, Rel, Var, at_least, positive, real
from theory.kernel.integrable import require_mean
from theory.kernel.rules import Definition, equals, event
from theory.kernel.terms import Mean, substitute
from theory.model.arms import LETTERS, J, Wo, n, s, s0, tau_sq, weight
from theory.model.functions import quantity, random
from theory.model.play import COUNT, GAUSSIAN, PULLED, K, N, a, k, mu, mu0, o, t, width

x, e = random("x e")  # mean of arm k, and everything else
y, own_count, other_count = sp.symbols("y n_k n_-k")
other = quantity("n_other", r"n_{{-{0},{1}}}({2})")
miss = quantity("miss", r"\mathbf{{1}}\{{I_{{{1}}}\ne {0},\,\mu_{0}={2}\}}")
noise = quantity("noise", r"\bar\varepsilon_{{{0},{1}}}")  # average noise of the first rewards of arm k
average = quantity("rbar_other", r"\bar r_{{-{0},{1}}}")  # average of the first rewards of the other arm
rest = quantity("rest", r"e_{{-{0}}}")  # everything but mu_k: what e stands for
tie = quantity("tie", r"b_{{{0},{1}}}")  # 1 if a tie in round t goes to the other arm than k
BIT = Var(sp.Integer(0), integer=True, high=sp.Integer(1))
COUPLED: dict[sp.Expr, Var] = {
    **{k: COUNT, t: at_least(3, integer=True), x: real(), y: real(), e: real()},
    **{other(k, t, x, e): at_least(1, integer=True), miss(k, t, x, e): BIT, tie(k, t, e): BIT},
    **{a: positive(), s: positive(), s0: positive()},
}
COUNTED = {**COUPLED, own_count: COUNT, other_count: COUNT}
WORDS = {
    **{x: LETTERS[x] for x in (t, s, s0)},
    k: Letter(k, "one of two arms"),
    other(k, t, x, e): Letter(other(k, t, x, e), "pulls of the other arm before round t if mu_k = x, all else equal"),
}
RAISED = Rel(x, "<=", y)


def _defined(of: str, rel: Rel, *given: Rel, more: dict[sp.Expr, Var] | None = None) -> Definition:
    return Definition(of, Goal(rel, {**COUPLED, **(more or {})}, given, of, letters=WORDS))


def prediction_lead(first: sp.Expr, second: sp.Expr, own: sp.Expr, others: sp.Expr) -> sp.Expr:
    """mu-hat_k less that of the other arm, by weights and averages of both."""
    common = (first * own + second * others) / (first + second)
    return (first * own + (1 - first) * common) - (second * others + (1 - second) * common)


def bonus_lead() -> sp.Expr:
    """sqrt(a log t) times the difference of the widths (Eq. MSE), which depend on the counts only."""
    own, others = (
        sp.sqrt(tau_sq.xreplace({n: count, Wo: weight(rest), J: sp.Integer(1)}))
        for count, rest in ((own_count, other_count), (other_count, own_count))
    )
    return width * own - width * others


def lead(mean: sp.Expr) -> sp.Expr:
    """The index of arm k less that of the other arm before round t, at these counts, if mu_k is `mean`."""
    averages = mean + noise(k, own_count, e), average(k, other_count, e)
    return prediction_lead(weight(own_count), weight(other_count), *averages) + bonus_lead()


ONE_EACH = _defined("before round 3 each arm has one reward", Rel(other(k, 3, x, e), "=", 1))
GROWS = _defined("a pull is counted", Rel(other(k, t + 1, x, e), "=", other(k, t, x, e) + miss(k, t, x, e)))
AT_COUNTS = Rel(other(k, t, x, e), "=", other_count), Rel(t, "=", own_count + other_count + 1)
BEHIND, NOT_AHEAD = (event(Rel(lead(x), op, 0)) for op in ("<", "<="))
CHOICE = _defined(
    "the other arm is pulled if its index is higher, or as high and the tie goes to it",
    Rel(miss(k, t, x, e), "=", (1 - tie(k, t, e)) * BEHIND + tie(k, t, e) * NOT_AHEAD),
    *AT_COUNTS,
    more=COUNTED,
).for_every(own_count, other_count)

# Both arms together: the outcome o is mu_k and everything else, for either arm k.
TWO, ONE_OF_TWO = Rel(K, "=", 2), Rel(k, "<=", 2)
MISSED = 1 - equals(PULLED, k)  # 1 if round t does not pull arm k
PLAYED: dict[sp.Expr, Var] = {**{K: COUNT, N: at_least(2, integer=True), mu0: real(), o: real(), PULLED: COUNT}}
AS_PLAYED = _defined(
    "the play is the one with the arm's own mean",
    Rel(MISSED, "=", miss(k, t, mu(k, o), rest(k, o))),
    *(TWO, ONE_OF_TWO),
    more=PLAYED,
)


def by_outcome(f: sp.Expr) -> Definition:
    """The law of x and e: any function f of them has the mean that it has at mu_k and everything else."""
    if f.has(o):
        raise ValueError(f"f={f}: it must depend on the outcome through {x} and {e} only")
    require_mean(f, (x, miss(k, t, x, e), other(k, t, x, e)), (x, e))  # the last two are bounded
    at_outcome = substitute(f, {x: mu(k, o), e: rest(k, o)})
    return _gaussian("x is mu_k and e everything else", Rel(Mean(at_outcome, o), "=", Mean(f, x, e))).for_every(k)


def _gaussian(of: str, rel: Rel) -> Definition:
    return replace(_defined(of, rel, more=PLAYED), world=GAUSSIAN)


CENTRE = _gaussian("mu_k is independent of everything else, with mean mu_0", Rel(Mean(x, x), "=", mu0))
