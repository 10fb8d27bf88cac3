"""A good round of the counting bound in averages of rewards. Units sigma_0 = 1, so that sigma^2 is rho; mu_0 = 0.

What is true in these units only supposes that sigma_0^2 = 1 (`UNITS`).

k is the pulled arm, N its count, l the best arm; w = n/(n + rho) is the weight of an arm with n rewards, V and R are
the sums of the weights, and of the weighted averages, of the other arms than k, and v = V - w_l. S_k is the largest
value over all rounds of (R - w_l mu_* - zeta (v - v_0))/(2 + v), `theory.model.rival_walk`. f_N(y, S) is the largest
value that ours/good-pull allows for v_0 <= v <= K - 2, v_0 = (K - 2) w_1; zeta >= 0 is any number.
"""

from __future__ import annotations

import sympy as sp

from theory.kernel.goal import Goal, Letter, Rel, Var, at_least, positive, real
from theory.kernel.rules import Definition, equals
from theory.kernel.sources import fix
from theory.kernel.terms import Event
from theory.model.arms import LETTERS as OF_ARMS
from theory.model.arms import s, s0
from theory.model.counts import j
from theory.model.functions import function, of_arm, quantity
from theory.model.play import COUNT, LATER, K, N, another, count, i, k, t, tau
from theory.model.round_errors import BEST, BY_DIFFERENCES, CHOSEN, d, e
from theory.model.round_kinds import LAST_WIDTH, ROUNDS, WORDS, best, close, estimate, pair

zeta, v, y, S = sp.symbols("zeta v y S")
rho = s  # sigma^2, that is sigma^2/sigma_0^2
UNITS = Rel(s0, "=", 1)
average, supremum = (
    of_arm("average", r"\bar r_{{{},{}}}", meaning="k j: average of the first j rewards of arm k"),
    of_arm("S", "S_{{{}}}"),
)
weights = quantity("weights", r"V_{{{}}}")(t, d)
averages = of_arm(
    "averages",
    r"R_{{{}}}",
    meaning="t: sum of w times average over the other arms than the pulled one, before round t",
)(t, d, e)
reach = function("reach", "f_{{{0}}}({1},{2})")
fix(N, scope=(reach, supremum))
fix(zeta, scope=(reach, supremum, close.func, pair.func))
LATE = Var(sp.Integer(2), strict=True, integer=True)  # t > K >= 2
PULL: dict[sp.Expr, Var] = {
    **{**ROUNDS, t: LATE, N: LATE, rho: positive(), s0: positive(), zeta: at_least(0)},
    **{weights: at_least(0), averages: real()},
}
FREE = {**PULL, k: COUNT, i: COUNT, j: COUNT, v: at_least(0), y: real(), S: real()}


def share(pulls: sp.Expr) -> sp.Expr:
    """The weight of an arm with so many rewards."""
    return pulls / (pulls + rho)


def bracket(v_: sp.Expr, y_: sp.Expr, S_: sp.Expr) -> sp.Expr:
    """The drift over 2 + v."""
    return zeta + S_ - y_ + (2 * y_ - zeta * (2 + LEAST)) / (2 + v_)


def root(v_: sp.Expr, pulls: sp.Expr) -> sp.Expr:
    """sqrt(N + rho (1 - 1/(2 + v)))."""
    return sp.sqrt(pulls + rho * (1 - 1 / (2 + v_)))


FIRST = share(sp.Integer(1))  # w_1
LEAST = (K - 2) * FIRST  # v_0
SLOPE = LAST_WIDTH * sp.sqrt(rho)  # C = s_n sigma
RISE = (2 + LEAST) / (1 + LEAST + FIRST)  # k_2
OWN, OWN_AVERAGE = share(count(CHOSEN, t, d)), average(CHOSEN, count(CHOSEN, t, d), d, e)
BEST_WEIGHT = share(count(BEST, t, d))
REST = weights - BEST_WEIGHT  # v
HIGHEST = supremum(CHOSEN, d, e)


def _defined(of: str, rel: Rel, *given: Rel) -> Definition:
    return Definition(of, Goal(rel, FREE, given, of, letters=WORDS), (BY_DIFFERENCES,))


_OTHER = another(i, CHOSEN, d)
WEIGHTS = _defined(
    "the weights of the other arms",
    Rel(weights, "=", sp.Sum(share(count(_OTHER, t, d)), (i, 1, K - 1))),
    LATER,
)
PREDICTION = _defined(
    "Eq. blup for the pulled arm",
    Rel(
        estimate(CHOSEN, t, d, e),
        "=",
        OWN * OWN_AVERAGE + (1 - OWN) * (OWN * OWN_AVERAGE + averages) / (OWN + weights),
    ),
    *(LATER, UNITS),
)
WIDTH = _defined(
    "Eq. MSE for the pulled arm",
    Rel(tau(CHOSEN, t, d) ** 2, "=", 1 - OWN + (1 - OWN) ** 2 / (OWN + weights)),
    *(LATER, UNITS),
)
AVERAGES = _defined(
    "the weighted averages of the other arms",
    Rel(
        averages,
        "=",
        sp.Sum(
            share(count(_OTHER, t, d)) * average(_OTHER, count(_OTHER, t, d), d, e),
            (i, 1, K - 1),
        ),
    ),
    LATER,
)
_IN_RANGE = (Rel(LEAST, "<=", v), Rel(v, "<=", K - 2))
_ALLOWED = (SLOPE * root(v, j) + rho * factor * bracket(v, y, S) for factor in (1, RISE))  # the larger one, as k_2 >= 1
FALLING, RISING = (
    _defined(f"f is at least what a {kind} drift allows", Rel(value, "<=", reach(j, y, S)), *_IN_RANGE).for_every(v)
    for kind, value in zip(("nonpositive", "positive"), _ALLOWED, strict=True)
)


def lag(arm: sp.Expr, pulls: sp.Expr) -> sp.Expr:
    """N (mu_* - average)."""
    return pulls * (best - average(arm, pulls, d, e))


CLOSE = _defined(
    "another arm than the best one, with an average close to the best mean",
    Rel(
        close,
        "=",
        (1 - equals(k, BEST)) * Event(reach(j, best, supremum(k, d, e)) - lag(k, j), 0),
    ),
)
LETTERS = {
    **WORDS,
    rho: Letter(sp.Symbol("rho"), "sigma^2/sigma_0^2"),
    s0: OF_ARMS[s0],
    zeta: Letter(zeta, "any number >= 0"),
    weights: Letter(weights, "sum of the weights n/(n + rho) of the arms that are not pulled"),
    HIGHEST: Letter(
        HIGHEST,
        "the largest value of (R - w_* mu_* - zeta (v - v_0))/(2 + v) over all rounds K < t <= n: w_* is the weight of "
        "the best other arm, R the sum of w times average over the other arms, v = V - w_*, v_0 = (K - 2)/(1 + rho)",
    ),
    reach(j, y, S): Letter(reach(j, y, S), "the largest value that ours/good-pull allows for v_0 <= v <= K - 2"),
}
