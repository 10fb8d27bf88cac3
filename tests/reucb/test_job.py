"""Settings are checked once, and every refusal names the argument."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import reucb
from reucb._simulation.job import chunk_size, chunks, make_job, recorded_rounds

BANDIT = reucb.Bandit(n_arms=3, prior=[0.1, 0.2, 0.3], rewards=reucb.Bernoulli())
POLICY = reucb.UCB1(sigma_sq=0.25)


@pytest.mark.parametrize(
    ("wrong", "error", "words"),
    [
        ({"bandit": [0.1, 0.2]}, TypeError, "bandit"),
        ({"policy": "UCB1"}, TypeError, "policy"),
        ({"policy": reucb.UCB1}, TypeError, "policy"),
        ({"horizon": 0}, ValueError, "horizon = 0"),
        ({"horizon": 2**53 + 1}, ValueError, "horizon"),
        ({"horizon": 1e4}, TypeError, "horizon"),
        ({"runs": 0}, ValueError, "runs = 0"),
        ({"runs": -3}, ValueError, "runs = -3"),
        ({"runs": True}, TypeError, "runs"),
        ({"seed": -1}, ValueError, "seed = -1"),
        ({"seed": None}, TypeError, "seed"),
        ({"record": 0}, ValueError, "record = 0"),
        ({"record": []}, TypeError, "record"),
        ({"record": [0, 5]}, ValueError, "record"),
        ({"record": [5, 101]}, ValueError, "horizon=100"),
        ({"record": [5, 5]}, ValueError, "increasing"),
        ({"record": [0.5]}, TypeError, "record"),
        ({"record": "all"}, TypeError, "record"),
    ],
)
def test_wrong_settings_are_named(wrong, error, words):
    settings = {"bandit": BANDIT, "policy": POLICY, "horizon": 100, "runs": 10, "seed": 0, "record": 10, **wrong}
    with pytest.raises(error, match=words):
        make_job(**settings)


@given(horizon=st.integers(1, 2**53), count=st.integers(1, 500))
def test_default_rounds_are_spread_and_end_at_the_horizon(horizon, count):
    rounds = recorded_rounds(horizon, count)
    steps = np.diff(rounds)
    assert rounds[-1] == horizon
    assert len(rounds) == min(count, horizon)
    assert rounds[0] >= 1
    assert (steps >= 1).all()
    assert steps.size == 0 or steps.max() - steps.min() <= 1


def test_the_last_round_is_marked_even_when_it_is_not_recorded():
    job = make_job(BANDIT, POLICY, 100, 10, 0, [1, 50])
    assert job.rounds.tolist() == [1, 50]
    assert job.marks.tolist() == [1, 50, 100]


@given(runs=st.integers(1, 3000), size=st.integers(1, 400))
def test_chunks_cover_every_run_once(runs, size):
    pieces = chunks(runs, size)
    assert [run for first, count in pieces for run in range(first, first + count)] == list(range(runs))
    assert all(1 <= count <= size for _, count in pieces)


def test_a_chunk_is_never_empty_and_shrinks_with_the_work():
    sizes = [chunk_size(horizon, 50) for horizon in (10, 1_000, 10_000, 10**9)]
    assert sizes == sorted(sizes, reverse=True)
    assert sizes[-1] == 1
    assert chunk_size(1, 1) == 256
