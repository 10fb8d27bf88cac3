"""Reading an unpacked ml-1m or ml-100k; anything malformed is an error with file and line."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import NoReturn

import numpy as np

DIGITS = 18  # fits 64 bits
ECHO = 40
LONGEST_LINE = 1_000  # characters; the longest line of either release has about 40
MOST_RATINGS = 5_000_000  # ml-1m has 1,000,209
AGES = (1, 18, 25, 35, 45, 50, 56)  # lower ends of the age groups of ml-1m


class BadData(ValueError):
    """A file that the user named is missing or is not what it should be; the message says which, and where."""


@dataclass(frozen=True)
class Data:
    """Who rated what how, and the group (gender, age group, occupation) of each user."""

    name: str
    users: dict[int, tuple[str, int, str]]
    raters: np.ndarray
    movies: np.ndarray
    scores: np.ndarray


@dataclass(frozen=True)
class Layout:
    """Where a release keeps its ratings and users, and how a line of each is cut."""

    name: str
    ratings: str
    users: str
    ratings_by: str
    users_by: str
    user: Callable[[list[str]], tuple[int, tuple[str, int, str]]]


def _whole(name: str, text: str) -> int:
    """Digits only: `int` would also take `1_0`, signs, blanks and numbers that no array can hold."""
    if not re.fullmatch(rf"[0-9]{{1,{DIGITS}}}", text):
        raise ValueError(f"{name} {_echo(text)}: must be a whole number of at most {DIGITS} digits")
    return int(text)


def _echo(text: str) -> str:
    """The text as a message shows it, shortened."""
    return repr(text if len(text) <= ECHO else text[:ECHO] + "…")


def _user_1m(f: list[str]) -> tuple[int, tuple[str, int, str]]:
    age = _whole("age group", f[2])
    if age not in AGES:
        raise ValueError(f"age group {_echo(f[2])}: must be one of {AGES}")
    return _whole("user", f[0]), (f[1], age, str(_whole("occupation", f[3])))


def _user_100k(f: list[str]) -> tuple[int, tuple[str, int, str]]:
    age = _whole("age", f[1])
    if age < 1:
        raise ValueError(f"age {_echo(f[1])}: must be at least 1")
    return _whole("user", f[0]), (f[2], max(a for a in AGES if a <= age), f[3])


LAYOUTS = (
    Layout("ml-1m", "ratings.dat", "users.dat", "::", "::", _user_1m),
    Layout("ml-100k", "u.data", "u.user", "\t", "|", _user_100k),
)


def stamps(folder: Path) -> tuple[tuple[str, int, int], ...]:
    """Name, size and time of change of the files of a folder that `read` may read."""
    paths = (folder / name for layout in LAYOUTS for name in (layout.ratings, layout.users))
    found = ((path, path.stat()) for path in paths if path.is_file())
    return tuple((path.name, status.st_size, status.st_mtime_ns) for path, status in found)


def read(folder: Path) -> Data:
    """The data in `folder`, whichever of the two releases it is."""
    folder = Path(folder)
    for layout in LAYOUTS:
        present = [(folder / name).is_file() for name in (layout.ratings, layout.users)]
        if all(present):
            return _read(folder, layout)
        if any(present):
            missing = (layout.ratings, layout.users)[present.index(False)]
            raise BadData(f"{folder / missing}: missing, though the rest of {layout.name} is there")
    names = " or ".join(f"{x.ratings} and {x.users} ({x.name})" for x in LAYOUTS)
    raise BadData(f"movielens={str(folder)!r}: holds neither {names}")


def _read(folder: Path, layout: Layout) -> Data:
    users: dict[int, tuple[str, int, str]] = {}
    for where, fields in _lines(folder / layout.users, layout.users_by, 5):
        try:
            number, group = layout.user(fields)
        except ValueError as why:
            _bad(where, str(why))
        if group[0] not in ("F", "M"):
            _bad(where, f"gender {_echo(group[0])}: must be F or M")
        if number in users:
            _bad(where, f"user {number} a second time")
        users[number] = group
    rows: list[tuple[int, int, int]] = []
    for where, fields in _lines(folder / layout.ratings, layout.ratings_by, 4):
        try:
            user, movie, score, _ = map(_whole, ("user", "movie", "rating", "time"), fields)
        except ValueError as why:
            _bad(where, str(why))
        if user not in users:
            _bad(where, f"user {user} is not in {layout.users}")
        if not 1 <= score <= 5:
            _bad(where, f"rating {score}: must be 1 to 5")
        if len(rows) == MOST_RATINGS:
            _bad(where, f"more than {MOST_RATINGS:,} ratings")
        rows.append((user, movie, score))
    if not rows:
        raise BadData(f"{folder / layout.ratings}: no ratings")
    raters, movies, scores = np.array(rows, dtype=np.int64).T
    return Data(layout.name, users, raters, movies, scores)


def _lines(path: Path, separator: str, width: int) -> Iterator[tuple[str, list[str]]]:
    with path.open(encoding="latin-1", newline="") as lines:
        for number, line in enumerate(iter(lambda: lines.readline(LONGEST_LINE + 1), ""), 1):
            where = f"{path}:{number}"
            if len(line) > LONGEST_LINE:
                _bad(where, f"longer than {LONGEST_LINE:,} characters")
            if not line.endswith("\n"):
                _bad(where, "the last line is cut off (no line end)")
            fields = line.rstrip("\r\n").split(separator)
            if len(fields) != width:
                _bad(where, f"{len(fields)} fields, {width} expected")
            yield where, fields


def _bad(where: str, why: str) -> NoReturn:
    raise BadData(f"{where}: {why}")
