"""Expected ratings of 128 user groups for 128 movies: from a copy of MovieLens, or a stand-in that says so."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

import numpy as np

from theory.experiments.movielens.completion import complete, group_means
from theory.experiments.movielens.read import BadData, read, stamps

SIZE = 128
RANK = 5
MOST_ENTRIES = 20_000_000  # of the fitted matrix, 160 MB; ml-1m has 241 x 3,706
NOISE = 0.796  # standard deviation of a rating around its group's mean, as the paper reports it


@dataclass(frozen=True)
class Ratings:
    """Rows are bandit instances (user groups), columns arms (movies); `source` is shown on every picture."""

    values: np.ndarray
    source: str
    synthetic: bool


def ratings(folder: Path | None, seed: int) -> Ratings:
    """The rating matrix behind the MovieLens experiment (`fig:movie`), deterministic given the seed.

    The files are read and the matrix is fitted once, and again if a file has changed.
    """
    folder = None if folder is None else Path(folder)
    return _ratings(folder, seed, () if folder is None else stamps(folder))


@lru_cache(maxsize=4)
def _ratings(folder: Path | None, seed: int, _: tuple[tuple[str, int, int], ...]) -> Ratings:
    found = _made(folder, seed)
    found.values.flags.writeable = False
    return found


def _made(folder: Path | None, seed: int) -> Ratings:
    rng = np.random.default_rng(np.random.SeedSequence(seed, spawn_key=(128,)))
    if folder is None:
        return Ratings(stand_in(SIZE, SIZE, RANK, rng), "synthetic rank-5 stand-in, not MovieLens", True)
    data = read(folder)
    cells = group_means(data)
    if cells.n_groups < SIZE or cells.n_movies < SIZE:
        raise BadData(
            f"movielens={str(folder)!r}: {cells.n_groups} user groups and {cells.n_movies} movies, "
            f"at least {SIZE} of each are needed"
        )
    if cells.n_groups * cells.n_movies > MOST_ENTRIES:
        raise BadData(
            f"movielens={str(folder)!r}: {cells.n_groups:,} user groups by {cells.n_movies:,} movies make a matrix of "
            f"{cells.n_groups * cells.n_movies:,} entries, at most {MOST_ENTRIES:,} are fitted"
        )
    fitted = complete(cells, RANK, rng)
    rows = np.sort(rng.choice(cells.n_groups, SIZE, replace=False))
    columns = np.sort(rng.choice(cells.n_movies, SIZE, replace=False))
    return Ratings(fitted[np.ix_(rows, columns)], f"{data.name}, {cells.n_groups} user groups", False)


def stand_in(rows: int, columns: int, rank: int, rng: np.random.Generator) -> np.ndarray:
    """level + movie quality + group leniency + (rank - 2) tastes: of rank `rank` exactly, about 3.5 +- 0.6."""
    quality = rng.normal(scale=0.5, size=columns)
    leniency = rng.normal(scale=0.2, size=rows)
    tastes = rng.normal(scale=0.35, size=(rows, rank - 2)) @ rng.normal(scale=0.35, size=(rank - 2, columns))
    return 3.5 + quality[None, :] + leniency[:, None] + tastes
