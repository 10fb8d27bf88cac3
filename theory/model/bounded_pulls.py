"""Pulls with rewards in [0, 1]: predictions, widths, lines and what ours/bounded/good-pull and bad-round allow.

The best arm is arm K. w(j) = j/(j + rho) is the weight of an arm with j rewards; V_{k,t} and A_{k,t} are the sums of
the weights, and of the weighted averages, of the other arms than k before round t. The line of layer i has the level
c_i; X is the largest distance of the other arms beyond it, over all rounds after the first K.
"""

from __future__ import annotations

import sympy as sp

from theory.kernel.goal import Goal, Letter, Rel, Var, at_least, positive
from theory.kernel.rules import Definition
from theory.model.arms import LETTERS, s
from theory.model.bounded_play import (
    COUNT,
    NOW,
    PLAY,
    K,
    N,
    i,
    index_best,
    k,
    n,
    needed,
    o,
    rewards,
    shortfall,
    t,
    y,
    z,
)
from theory.model.bounded_play import WORDS as PLAY_WORDS
from theory.model.counts import hit
from theory.model.play import LATER, PULLED, a, count, muhat, quantity, tau

j, v, w, rho = sp.symbols("j v w rho")
weights, averages = quantity("V", "V_{{{},{}}}"), quantity("A", "A_{{{},{}}}")
level = quantity("c", "c_{{{}}}")(i, y)
beyond = quantity("X_good", "X_{{{},{}}}")(i, k, o)
below = quantity("X_bad", "X_{{{}}}")(i, o)
unlike = quantity("unlike", r"\mathrm{{other}}_{{{0}}}({1},K)")  # the j-th arm that is neither arm k nor arm K
LATE = Var(sp.Integer(2), strict=True, integer=True)  # t > K >= 2
PULLS: dict[sp.Expr, Var] = {
    **{**PLAY, t: LATE, n: LATE, rho: positive(), s: positive()},
    **{weights(k, t, o): at_least(0), count(k, t, o): COUNT, PULLED: COUNT, unlike(j, k, o): COUNT},
}
FREE = {**PULLS, j: COUNT, v: at_least(0), w: Var(sp.Integer(0), strict=True, high=sp.Integer(1))}
OWN = hit(t, k, N, o)
NOW_AND_LATER = (LATER, NOW)


def share(pulls: sp.Expr) -> sp.Expr:
    """The weight of an arm with so many rewards."""
    return pulls / (pulls + rho)


FIRST, BEST_WEIGHT = share(sp.Integer(1)), share(count(K, t, o))
LAST_RADIUS, RADIUS = (sp.sqrt(a * sp.log(rounds)) for rounds in (n, t))


def root(pulls: sp.Expr, others: sp.Expr) -> sp.Expr:
    """sqrt(N + rho v/(1+v))."""
    return sp.sqrt(pulls + rho * others / (1 + others))


def need(others: sp.Expr, best: sp.Expr) -> sp.Expr:
    """What ours/bounded/good-pull says of the sum of N rewards, with these weights of the others and the best arm."""
    line = (beyond + best * (y - level)) / (1 + others) + (level - z) * others / (1 + others)
    return N * z - LAST_RADIUS * sp.sqrt(s) * root(N, others) - rho * line


def boundary(pulls: sp.Expr, others: sp.Expr) -> sp.Expr:
    """What ours/bounded/bad-round says of the sum of rewards of the best arm, with this weight of the others."""
    line = (z - level) * others / (1 + others) + below / (1 + others)
    return pulls * z - RADIUS * sp.sqrt(s) * root(pulls, others) + rho * line


def most(pulls: sp.Expr) -> sp.Expr:
    """The most that K - 1 arms with t - 1 - j pulls weigh."""
    rest = t - 1 - pulls
    return rest / (rest / (K - 1) + rho)


def least(pulls: sp.Expr) -> sp.Expr:
    """The least that K - 1 arms with t - 1 - j pulls, at least one each, weigh."""
    rest = t - 1 - pulls - (K - 2)
    return rest / (rest + rho) + (K - 2) / (1 + rho)


WORDS = {
    **PLAY_WORDS,
    rho: Letter(rho, "sigma^2/sigma_0^2"),
    s: LETTERS[s],
    weights(k, t, o): Letter(weights(k, t, o), "sum of the weights n/(n + rho) of the other arms than k"),
    averages(k, t, o): Letter(averages(k, t, o), "sum of weight times average over the other arms than k"),
    level: Letter(level, "level of the line of layer i"),
    beyond: Letter(
        beyond,
        "the largest value of A - c (V - w_*) - mu_* w_* over all rounds after the first K; w_* is the weight of the "
        "best arm",
    ),
    below: Letter(below, "the largest value of c V - A for the other arms than the best one, over all rounds"),
}


def _defined(of: str, rel: Rel, *given: Rel) -> Definition:
    return Definition(of, Goal(rel, FREE, given, of, letters=WORDS))


_AVERAGE, _OWN, _V = rewards(k, N, o) / N, share(N), weights(k, t, o)
COUNTED = Rel(count(k, t, o), "=", N)
PREDICTION = _defined(
    "Eq. blup for an arm with N rewards",
    Rel(muhat(k, t, o), "=", _OWN * _AVERAGE + (1 - _OWN) * (_OWN * _AVERAGE + averages(k, t, o)) / (_OWN + _V)),
    *(LATER, COUNTED),
)
WIDTH = _defined(
    "Eq. MSE for an arm with N rewards",
    Rel(tau(k, t, o) ** 2, "=", s / rho * (1 - _OWN + (1 - _OWN) ** 2 / (_OWN + _V))),
    *(LATER, COUNTED),
)
OTHERS = _defined(
    "the other arms than k: the best one, and K - 2 more",
    Rel(_V, "=", BEST_WEIGHT + sp.Sum(share(count(unlike(j, k, o), t, o)), (j, 1, K - 2))),
    *(LATER, Rel(k, "<=", K - 1)),
)
LINE = _defined(
    "X is the largest over all rounds",
    Rel(averages(k, t, o) - level * (_V - BEST_WEIGHT) - y * BEST_WEIGHT, "<=", beyond),
    *NOW_AND_LATER,
)
NEEDED = _defined(
    "what a good pull needs: the least value that ours/bounded/good-pull allows",
    Rel(needed(i, k, N, o), "<=", need(v, w)),
    *(Rel(FIRST, "<=", w), Rel(w + (K - 2) * FIRST, "<=", v), Rel(v, "<=", K - 1)),
)
INDEX_BEST = _defined(
    "the index of the best arm", Rel(index_best(t, o), "=", muhat(K, t, o) + RADIUS * tau(K, t, o)), LATER
)
OTHERS_OF_BEST = _defined(
    "the other arms than the best one",
    Rel(weights(K, t, o), "=", sp.Sum(share(count(k, t, o)), (k, 1, K - 1))),
    LATER,
)
LINE_OF_BEST = _defined(
    "X is the largest over all rounds",
    Rel(averages(K, t, o) - level * weights(K, t, o), ">=", -below),
    *NOW_AND_LATER,
)
SHORTFALL = _defined(
    "the most by which a sum of rewards is below the boundary: the largest value that ours/bounded/bad-round allows",
    Rel(boundary(j, v) - rewards(K, j, o), "<=", shortfall(i, t, o)),
    *(LATER, Rel(j, "<=", t - K), Rel(least(j), "<=", v), Rel(v, "<=", most(j))),
)
