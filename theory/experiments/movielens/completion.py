"""From ratings to a matrix of user groups by movies: group means, and low-rank completion by alternating ridge."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from theory.experiments.movielens.read import Data

RIDGE = 0.5
SWEEPS = 25


@dataclass(frozen=True)
class Cells:
    """The observed entries of the groups-by-movies matrix."""

    n_groups: int
    n_movies: int
    group: np.ndarray
    movie: np.ndarray
    mean: np.ndarray


def group_means(data: Data) -> Cells:
    """User groups are gender x age group x occupation, as far as they occur (241 in ml-1m)."""
    names = sorted(set(data.users.values()))
    index = {name: i for i, name in enumerate(names)}
    of_user = {user: index[name] for user, name in data.users.items()}
    group = np.array([of_user[u] for u in data.raters.tolist()])
    movies, movie = np.unique(data.movies, return_inverse=True)
    cell, where = np.unique(group * len(movies) + movie, return_inverse=True)
    totals = np.bincount(where, weights=data.scores.astype(float))
    counts = np.bincount(where)
    return Cells(len(names), len(movies), cell // len(movies), cell % len(movies), totals / counts)


def complete(cells: Cells, rank: int, rng: np.random.Generator) -> np.ndarray:
    """A groups-by-movies matrix of this rank that fits the observed means (it may leave [1, 5] where nobody rated)."""
    left = rng.normal(scale=0.1, size=(cells.n_groups, rank))
    left[:, 0] = 1.0  # start from one common level per movie
    by_movie = np.argsort(cells.movie, kind="stable")
    by_group = np.argsort(cells.group, kind="stable")
    for _ in range(SWEEPS):
        right = _ridge(cells.movie[by_movie], left[cells.group[by_movie]], cells.mean[by_movie], cells.n_movies)
        left = _ridge(cells.group[by_group], right[cells.movie[by_group]], cells.mean[by_group], cells.n_groups)
    return np.asarray(left @ right.T)


def _ridge(owner: np.ndarray, features: np.ndarray, target: np.ndarray, n_owners: int) -> np.ndarray:
    """One ridge regression per owner, all at once; `owner` is sorted, every owner occurs."""
    starts = np.searchsorted(owner, np.arange(n_owners))
    gram = np.add.reduceat(features[:, :, None] * features[:, None, :], starts, axis=0)
    moment = np.add.reduceat(features * target[:, None], starts, axis=0)
    empty = np.bincount(owner, minlength=n_owners) == 0  # reduceat repeats the next owner's first row there
    gram[empty], moment[empty] = 0.0, 0.0
    gram += RIDGE * np.eye(features.shape[1])
    return np.linalg.solve(gram, moment[:, :, None])[:, :, 0]
