"""Two policies on the same bandits: the ratio of their mean regrets with a confidence interval."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from theory.kernel.intervals import Interval, mean_ratio

ERROR = 0.05
SAME = Interval(1.0, 1.0, 1.0)  # a policy against itself


def compare(first: ArrayLike, second: ArrayLike, error: float = ERROR) -> Interval:
    """Paired over runs (common random numbers): the interval that the ledger uses too."""
    return mean_ratio(np.asarray(first, float), np.asarray(second, float), error)
