"""The prices that make Theorem U least, by linear programming on a coarse mesh."""

from __future__ import annotations

from typing import Any

import numpy as np

from reucb._numerics.arrays import FloatArray
from reucb.bounds.prices import BadRounds, Blocks


def least_prices(bad: BadRounds, count: Blocks, weight: FloatArray, rounds: Blocks) -> FloatArray | None:
    """Lam >= 0 on the blocks that minimises sum_N weight(N) Lam(N) + sum_t max_N [beta_t(N) - (1 - p_t(N)) Lam(N)].

    The maxima are variables u_t of a linear programme with one constraint for each t and N <= t - K. None where the
    solver fails; every Lam >= 0 gives a bound, so nothing has to be proved about the one returned.
    """
    from scipy.optimize import linprog
    from scipy.sparse import coo_array

    chance, cost = bad.chance_and_cost(count, rounds)
    t, n = np.nonzero(count.first <= rounds.last[:, None] - bad.n_arms)
    number, size = len(t), len(count.first)
    rows, ones = np.arange(number), np.ones(number)
    entries = np.concatenate([chance[t, n] - 1, -ones])
    columns = np.concatenate([n, size + t])
    matrix = coo_array((entries, (np.tile(rows, 2), columns)), shape=(number, size + len(cost)))
    unit = float(cost.max())
    if not (np.isfinite(unit) and unit > 0 and np.isfinite(weight).all()):
        return None
    limits = [(0, None)] * size + [(None, None)] * len(cost)
    objective = np.concatenate([weight, rounds.size])
    objective /= objective.max()
    solver: Any = linprog  # its stubs do not know sparse matrices
    found = solver(objective, A_ub=matrix.tocsr(), b_ub=-cost[t, n] / unit, bounds=limits, method="highs")
    return np.asarray(np.maximum(found.x[:size], 0.0) * unit) if found.success else None
