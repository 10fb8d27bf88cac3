"""Pulls with rewards in [0, 1]: predictions, widths, lines and what ours/bounded/good-pull and bad-round allow.

The best arm is arm K. w(j) = j/(j + rho) is the weight of an arm with j rewards; V_{k,t} and A_{k,t} are the sums of
the weights, and of the weighted averages, of the other arms than k before round t. For good pulls of layer i the line
has the level c_i, for bad rounds the level c_{i,t}; X is the largest distance of the other arms beyond it, over all
rounds after the first K.
"""

from __future__ import annotations

import sympy as sp

from theory.kernel.goal import Goal, Letter, Rel, Var, at_least, positive, real
from theory.kernel.rules import Definition
from theory.kernel.sources import fix
from theory.model.arms import LETTERS, s
from theory.model.bounded_lines import ABOVE, BELOW
from theory.model.bounded_play import (
    BOUNDED,
    COUNT,
    NOW,
    PLAY,
    K,
    N,
    i,
    index_best,
    k,
    muhat,
    n,
    needed,
    o,
    rewards,
    shortfall,
    t,
    tau,
    x,
    y,
    z,
)
from theory.model.bounded_play import WORDS as PLAY_WORDS
from theory.model.counts import hit
from theory.model.functions import quantity
from theory.model.play import LATER, PULLED, a, count

j, v, w, rho = sp.symbols("j v w rho")
fix(rho, scope="theory")  # sigma^2/sigma_0^2
weights, averages = quantity("V", "V_{{{},{}}}"), quantity("A", "A_{{{},{}}}")
level, level_of_round = quantity("c", "c_{{{}}}")(i, y), quantity("c_bad", "c_{{{},{}}}")(i, t, y)
beyond, below = ABOVE.beyond, BELOW.beyond
# the weights at which a good pull needs least; the count and weight at which a sum is most below the boundary
least_weight, least_best = quantity("v_least", "v")(i, N, x, y), quantity("w_least", "w")(i, N, x, y)
most_pulls, most_weight = quantity("j_most", "j")(i, t, x, o), quantity("v_most", "v")(i, t, x, o)
fix(n, scope=(least_weight.func, least_best.func))
unlike = quantity("unlike", r"\mathrm{{other}}_{{{0}}}({1},K)")  # the j-th arm that is neither arm k nor arm K
LATE = Var(sp.Integer(2), strict=True, integer=True)  # t > K >= 2
PULLS: dict[sp.Expr, Var] = {
    **{**PLAY, t: LATE, n: LATE, rho: positive(), s: positive()},
    **{weights(k, t, o): at_least(0), count(k, t, o): COUNT, PULLED: COUNT, unlike(j, k, o): COUNT},
}
UNIT = Var(sp.Integer(0), strict=True, high=sp.Integer(1))
FREE = {
    **{**PULLS, j: COUNT, v: at_least(0), w: UNIT, x: real()},
    **{least_weight: at_least(0), least_best: UNIT, most_pulls: COUNT, most_weight: at_least(0)},
}
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


def need(others: sp.Expr, best: sp.Expr, far: sp.Expr) -> sp.Expr:
    """What ours/bounded/good-pull says of the sum of N rewards, with these weights of the others and the best arm, if
    X = far."""
    line = (far + best * (y - level)) / (1 + others) + (level - z) * others / (1 + others)
    return N * z - LAST_RADIUS * sp.sqrt(s) * root(N, others) - rho * line


def boundary(pulls: sp.Expr, others: sp.Expr, far: sp.Expr) -> sp.Expr:
    """What ours/bounded/bad-round says of the sum of rewards of the best arm, with this weight of the others, if
    X = far."""
    line = (z - level_of_round) * others / (1 + others) + far / (1 + others)
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
    level: Letter(level, "level of the line of layer i for good pulls"),
    level_of_round: Letter(level_of_round, "level of the line of layer i for bad rounds t"),
    beyond: Letter(
        beyond,
        "the largest value of A - c (V - w_*) - mu_* w_* over all rounds after the first K; w_* is the weight of the "
        "best arm",
    ),
    below: Letter(below, "the largest value of c V - A for the other arms than the best one, over all rounds"),
}


def _defined(of: str, rel: Rel, *given: Rel, world: str = "") -> Definition:
    return Definition(of, Goal(rel, FREE, given, of, letters=WORDS), world=world)


_AVERAGE, _OWN, _V = rewards(k, N, o) / N, share(N), weights(k, t, o)
COUNTED = Rel(count(k, t, o), "=", N)
PREDICTION = _defined(
    "Eq. blup for an arm with N rewards",
    Rel(muhat(k, t, o), "=", _OWN * _AVERAGE + (1 - _OWN) * (_OWN * _AVERAGE + averages(k, t, o)) / (_OWN + _V)),
    *(LATER, COUNTED),
    world=BOUNDED,
).for_every(N)
WIDTH = _defined(
    "Eq. MSE for an arm with N rewards",
    Rel(tau(k, t, o) ** 2, "=", s / rho * (1 - _OWN + (1 - _OWN) ** 2 / (_OWN + _V))),
    *(LATER, COUNTED),
    world=BOUNDED,
).for_every(N)
OTHERS = _defined(
    "the other arms than k: the best one, and K - 2 more",
    Rel(_V, "=", BEST_WEIGHT + sp.Sum(share(count(unlike(j, k, o), t, o)), (j, 1, K - 2))),
    *(LATER, Rel(k, "<=", K - 1)),
)
LINE = _defined(
    "X is the largest over all rounds",
    Rel(averages(k, t, o) - level * (_V - BEST_WEIGHT) - y * BEST_WEIGHT, "<=", beyond),
    *(*NOW_AND_LATER, Rel(k, "<=", K - 1)),
).for_every(t)


def weights_allowed(others: sp.Expr, best: sp.Expr) -> tuple[Rel, ...]:
    """The range of the weights of the other arms and of the best one."""
    return Rel(FIRST, "<=", best), Rel(best + (K - 2) * FIRST, "<=", others), Rel(others, "<=", K - 1)


def pulls_allowed(pulls: sp.Expr, others: sp.Expr) -> tuple[Rel, ...]:
    """The range of the pulls of the best arm and of the weights of the others in round t."""
    return Rel(pulls, "<=", t - K), Rel(least(pulls), "<=", others), Rel(others, "<=", most(pulls))


NEEDED = _defined(
    "what a good pull needs: the least value that ours/bounded/good-pull allows",
    Rel(needed(i, N, x, y), "<=", need(v, w, x)),
    *weights_allowed(v, w),
).for_every(v, w)
NEEDED_AT = _defined(
    "a continuous function of weights in a closed range has a least value",
    Rel(needed(i, N, x, y), "=", need(least_weight, least_best, x)),
)
LEAST_ALLOWED = tuple(
    _defined("the weights at which a good pull needs least are in their range", rel)
    for rel in weights_allowed(least_weight, least_best)
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
    Rel(averages(K, t, o) - level_of_round * weights(K, t, o), ">=", -below),
    *NOW_AND_LATER,
)
SHORTFALL = _defined(
    "the most by which a sum of rewards is below the boundary: the largest value that ours/bounded/bad-round allows",
    Rel(boundary(j, v, x) - rewards(K, j, o), "<=", shortfall(i, t, x, o)),
    *(LATER, *pulls_allowed(j, v)),
).for_every(j, v)
SHORTFALL_AT = _defined(
    "finitely many continuous functions of a weight in closed ranges have a largest value",
    Rel(shortfall(i, t, x, o), "=", boundary(most_pulls, most_weight, x) - rewards(K, most_pulls, o)),
    LATER,
)
_MOST_ALLOWED = pulls_allowed(most_pulls, most_weight)
MOST_ALLOWED = tuple(
    _defined("the pulls and weights at which a sum is most below the boundary are in their range", rel, *given)
    for rel, given in zip(_MOST_ALLOWED, ((LATER,), *2 * ((LATER, _MOST_ALLOWED[0]),)), strict=True)
)
