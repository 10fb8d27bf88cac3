"""A synthetic rating matrix with the look of MovieLens: movie quality, group leniency and three common tastes."""

from __future__ import annotations

import numpy as np


def stand_in(rows: int, columns: int, rank: int, rng: np.random.Generator) -> np.ndarray:
    """level + movie quality + group leniency + (rank - 2) tastes: of rank `rank` exactly, about 3.5 +- 0.6."""
    quality = rng.normal(scale=0.5, size=columns)
    leniency = rng.normal(scale=0.2, size=rows)
    tastes = rng.normal(scale=0.35, size=(rows, rank - 2)) @ rng.normal(scale=0.35, size=(rank - 2, columns))
    return 3.5 + quality[None, :] + leniency[:, None] + tastes
