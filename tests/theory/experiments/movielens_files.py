"""Files in MovieLens' two formats, made here; no MovieLens data."""

import numpy as np

from theory.experiments.movielens.read import AGES


def write_1m(folder, ratings_lines, users):
    (folder / "ratings.dat").write_text("".join(f"{x}\n" for x in ratings_lines), encoding="latin-1")
    (folder / "users.dat").write_text("".join(f"{x}\n" for x in users), encoding="latin-1")
    return folder


def write_100k(folder, ratings_lines, users):
    (folder / "u.data").write_text("".join(f"{x}\n" for x in ratings_lines))
    (folder / "u.user").write_text("".join(f"{x}\n" for x in users))
    return folder


def full_size_copy(folder):
    rng = np.random.default_rng(3)
    users = [f"{u}::{'FM'[u % 2]}::{AGES[u % 7]}::{u // 14}::0" for u in range(1, 400)]
    lines = [f"{u}::{m}::{rng.integers(1, 6)}::0" for u in range(1, 400) for m in range(130) if (u * 7 + m) % 3]
    return write_1m(folder, lines, users)
