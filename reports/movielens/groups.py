"""Mean rating of each user group for each movie that somebody in it rated."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from reports.movielens.read import Data


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
