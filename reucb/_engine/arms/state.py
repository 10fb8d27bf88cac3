"""The live state of an index policy: plain arrays, one slot per arm (dense) or per distinct count (grouped).

Arms pulled equally often share weight and width, so within such a group only the highest mean can win: a slot holds the
group's count, size, top mean and sums, and a pairing heap its arms. Slots stand in no order; a group that falls empty
is overwritten by the last one. A dense state has a slot per arm and no heaps; selection reads both alike.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from reucb._engine import codes as c

if TYPE_CHECKING:
    from reucb.policies.rule import Rule

DENSE_BELOW = 20  # measured: with fewer arms the plain scan is faster than the groups (benchmarks/arms_curve.py)
LINEAR_FACTOR = 3  # a linear index costs a third of ReUCB's, so its scan stays ahead that much longer


class State(NamedTuple):
    """Everything an index policy knows. Layout: `reucb/_engine/codes.py`."""

    counts: NDArray[np.int64]
    means: NDArray[np.float64]
    totals: NDArray[np.float64]  # the sum of each arm's rewards, as a pair (high, low part)
    nodes: NDArray[np.int32]
    arms: NDArray[np.int64]  # the top arm of each slot
    slots: NDArray[np.float64]
    ints: NDArray[np.int64]
    floats: NDArray[np.float64]
    codes: NDArray[np.int64]
    params: NDArray[np.float64]
    noise: NDArray[np.float64]  # sigma^2, one number or one per arm


def is_grouped(rule: Rule, n_arms: int) -> bool:
    """Whether arms are kept in groups: from DENSE_BELOW on, for an index that at equal counts rises with the mean."""
    below = DENSE_BELOW * (LINEAR_FACTOR if rule.kind == c.LINEAR else 1)
    return n_arms >= below and len(rule.noise) == 1 and rule.kind < c.TS_GAUSSIAN


def new_state(rule: Rule, n_arms: int, capacity: int, grouped: bool | None = None) -> State:
    """The state before the first round; `capacity` bounds the number of distinct counts (at most n_arms is used)."""
    if grouped is None:
        grouped = is_grouped(rule, n_arms)
    slots = max(1, min(n_arms, capacity)) if grouped else n_arms
    table = np.zeros((c.N_ROWS, slots))
    table[c.SIZE] = 0.0 if grouped else 1.0
    table[c.SHRINK] = 1.0
    ints = np.zeros(c.N_INTS, dtype=np.int64)
    ints[c.SLOTS] = 0 if grouped else n_arms
    settings = np.array([rule.kind, rule.multiplier, rule.method, grouped, rule.sums, rule.moments], dtype=np.int64)
    return State(
        counts=np.zeros(n_arms, dtype=np.int64),
        means=np.zeros(n_arms),
        totals=np.zeros((n_arms, 2)),
        nodes=np.full((n_arms if grouped else 1, 3), -1, dtype=np.int32),
        arms=np.zeros(slots, dtype=np.int64) if grouped else np.arange(n_arms),
        slots=table,
        ints=ints,
        floats=np.zeros(c.N_FLOATS),
        codes=settings,
        params=np.array(rule.params, dtype=np.float64),
        noise=np.array(rule.noise, dtype=np.float64),
    )


def grown(state: State) -> State:
    """The same state with room for twice as many distinct counts."""
    n_slots = state.arms.size
    room = min(2 * n_slots, state.counts.size)
    slots: NDArray[Any] = np.zeros((c.N_ROWS, room))
    slots[:, :n_slots] = state.slots
    arms = np.zeros(room, dtype=np.int64)
    arms[:n_slots] = state.arms
    return state._replace(slots=slots, arms=arms)
