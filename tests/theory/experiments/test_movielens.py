"""Reading ratings and fitting a matrix to them, on files made here."""

import tracemalloc

import numpy as np
import pytest

from tests.theory.experiments.movielens_files import full_size_copy, write_1m, write_100k
from theory.experiments.movielens.completion import Cells, complete, group_means
from theory.experiments.movielens.ratings import RANK, SIZE, ratings
from theory.experiments.movielens.read import BadData, read


def test_both_releases_give_the_same_groups_and_means(tmp_path):
    (tmp_path / "m").mkdir()
    (tmp_path / "k").mkdir()
    big = write_1m(
        tmp_path / "m",
        ["1::10::5::9", "2::10::3::9", "3::10::1::9", "3::20::4::9"],
        ["1::F::25::7::123", "2::F::25::7::9", "3::M::1::0::x"],
    )
    small = write_100k(
        tmp_path / "k",
        ["1\t10\t5\t9", "2\t10\t3\t9", "3\t10\t1\t9", "3\t20\t4\t9"],
        ["1|30|F|artist|123", "2|25|F|artist|9", "3|12|M|other|x"],
    )
    for folder, name in ((big, "ml-1m"), (small, "ml-100k")):
        data = read(folder)
        cells = group_means(data)
        assert data.name == name
        assert (cells.n_groups, cells.n_movies) == (2, 2)
        where = zip(cells.group.tolist(), cells.movie.tolist(), strict=True)
        assert dict(zip(where, cells.mean.tolist(), strict=True)) == {(0, 0): 4.0, (1, 0): 1.0, (1, 1): 4.0}


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("1::10::5", r"ratings.dat:2: 3 fields, 4 expected"),
        ("1::10::six::9", r"ratings.dat:2: rating 'six': must be a whole number"),
        ("1::10::6::9", r"ratings.dat:2: rating 6: must be 1 to 5"),
        ("7::10::5::9", r"ratings.dat:2: user 7 is not in users.dat"),
        ("1::10::5::", r"ratings.dat:2: time '': must be a whole number"),
        ("1::1_0::5::9", r"ratings.dat:2: movie '1_0': must be a whole number"),
        ("1::-5::5::9", r"ratings.dat:2: movie '-5': must be a whole number"),
        ("1:: 5::5::9", r"ratings.dat:2: movie ' 5': must be a whole number"),
        ("1::1" + "0" * 30 + "::5::9", r"ratings.dat:2: movie '10{30}': must be a whole number of at most 18 digits"),
        ("1::" + "7" * 900 + "::5::9", r"ratings.dat:2: movie '7{40}…': must be"),
        ("7" * 5_000 + "::1::5::9", r"ratings.dat:2: longer than 1,000 characters$"),
    ],
)
def test_a_malformed_rating_is_named_with_file_and_line(tmp_path, line, message):
    folder = write_1m(tmp_path, ["1::10::5::9", line], ["1::F::25::7::1"])
    with pytest.raises(BadData, match=message):
        read(folder)


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("2::X::25::7::1", r"users.dat:2: gender 'X': must be F or M"),
        ("2::F::26::7::1", r"users.dat:2: age group '26'"),
        ("1::F::25::7::1", r"users.dat:2: user 1 a second time"),
        ("2::F::25", r"users.dat:2: 3 fields, 5 expected"),
        ("2::F::25::artist::1", r"users.dat:2: occupation 'artist': must be a whole number"),
    ],
)
def test_a_malformed_user_is_named_with_file_and_line(tmp_path, line, message):
    folder = write_1m(tmp_path, ["1::10::5::9"], ["1::F::25::7::1", line])
    with pytest.raises(BadData, match=message):
        read(folder)


def test_a_line_without_an_end_is_not_read_into_memory(tmp_path):
    """A file without a newline: at most the length of one line is read at a time."""
    folder = write_1m(tmp_path, ["1::10::5::9"], ["1::F::25::7::1"])
    (folder / "ratings.dat").write_text("1" * 300_000)
    tracemalloc.start()
    try:
        with pytest.raises(BadData, match="longer than 1,000 characters"):
            read(folder)
        assert tracemalloc.get_traced_memory()[1] < 100_000
    finally:
        tracemalloc.stop()


def test_a_matrix_too_large_to_fit_is_refused_by_its_size(tmp_path):
    """6,000 occupations by 6,000 movies, one rating each: 36 million entries, though the files are small."""
    users = [f"{u}::F::25::{u}::1" for u in range(6_000)]
    folder = write_1m(tmp_path, [f"{u}::{u}::5::9" for u in range(6_000)], users)
    with pytest.raises(BadData, match="6,000 user groups by 6,000 movies make a matrix of 36,000,000 entries, at most"):
        ratings(folder, 0)


def test_partial_copies(tmp_path):
    with pytest.raises(BadData, match=r"neither ratings\.dat"):
        read(tmp_path)
    folder = write_1m(tmp_path, ["1::10::5::9"], ["1::F::25::7::1"])
    with pytest.raises(BadData, match="1 user groups and 1 movies, at least 128"):
        ratings(folder, 0)
    whole = (folder / "ratings.dat").read_bytes()
    (folder / "ratings.dat").write_bytes(whole[:-3])
    with pytest.raises(BadData, match=r"ratings\.dat:1: the last line is cut off"):
        read(folder)
    (folder / "ratings.dat").unlink()
    with pytest.raises(BadData, match=r"ratings\.dat: missing, though the rest of ml-1m"):
        read(folder)


def test_completion_recovers_a_low_rank_matrix_from_a_part_of_it():
    rng = np.random.default_rng(1)
    truth = 3.5 + rng.normal(size=(60, 4)) @ rng.normal(size=(4, 80)) / 2
    seen = rng.random(truth.shape) < 0.6
    group, movie = np.nonzero(seen)
    fitted = complete(Cells(60, 80, group, movie, truth[seen]), 5, np.random.default_rng(2))
    assert np.linalg.matrix_rank(fitted) == 5
    error = np.sqrt(np.mean((fitted - truth)[~seen] ** 2))
    assert error < 0.25 * truth.std()  # the ridge shrinks a little; predicting the mean everywhere would give 1.0


def test_a_full_size_copy_is_fitted_deterministically(tmp_path):
    folder = full_size_copy(tmp_path)
    first, again, other = ratings(folder, 0), ratings(folder, 0), ratings(folder, 1)
    assert first.values.shape == (SIZE, SIZE)
    assert np.array_equal(first.values, again.values)
    assert not np.array_equal(first.values, other.values)
    assert not first.synthetic
    assert "ml-1m" in first.source
    (folder / "ratings.dat").write_text((folder / "ratings.dat").read_text().replace("::1::0", "::5::0"))
    assert not np.array_equal(first.values, ratings(folder, 0).values), "a changed file is read again"


def test_the_stand_in_says_that_it_is_one():
    made = ratings(None, 0)
    assert made.synthetic
    assert "not MovieLens" in made.source
    assert np.linalg.matrix_rank(made.values) == RANK
