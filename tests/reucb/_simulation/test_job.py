"""Settings of a simulation are checked once; its progress on a terminal and in a pipe."""

import io
import logging

import numba
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import reucb
from reucb._simulation.job import chunk_size, chunks, make_job, recorded_rounds
from reucb._simulation.progress import ProgressLine, reporting

# Settings are checked once, and every refusal names the argument.

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
        ({"record": [5, 101]}, ValueError, "horizon = 100"),
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


# Progress: a line on a terminal, nothing in a pipe, and a message when kernels are compiled.


class Terminal(io.StringIO):
    def isatty(self):
        return True


class Clock:
    now = 0.0

    def __call__(self):
        return self.now


def test_the_line_shows_runs_and_time_left():
    stream, clock = io.StringIO(), Clock()
    line = ProgressLine(stream, clock)
    line(0, 4000)
    clock.now = 5.0
    line(1000, 4000)
    clock.now = 5.05
    line(1001, 4000)  # too soon after the last one
    clock.now = 20.0
    line(4000, 4000)
    line.close()
    shown = [text.rstrip() for text in stream.getvalue().split("\r")[1:]]
    assert shown == ["0/4,000 runs    0 %", "1,000/4,000 runs   25 %  0:00:15 left", "4,000/4,000 runs  100 %"]
    assert stream.getvalue().endswith("\n")


def test_a_shorter_text_covers_a_longer_one():
    stream = io.StringIO()
    line = ProgressLine(stream)
    line.say("a long text")
    line.say("short")
    assert stream.getvalue() == "\ra long text\rshort      "


def test_runs_from_a_checkpoint_do_not_count_towards_the_pace():
    stream, clock = io.StringIO(), Clock()
    line = ProgressLine(stream, clock)
    line(900, 1000)
    clock.now = 10.0
    line(950, 1000)
    assert stream.getvalue().endswith("0:00:10 left")


@pytest.mark.parametrize(
    ("progress", "terminal", "shows"),
    [(None, True, True), (None, False, False), (True, False, True), (False, True, False)],
)
def test_who_sees_the_line(monkeypatch, progress, terminal, shows):
    stream = Terminal() if terminal else io.StringIO()
    monkeypatch.setattr("sys.stderr", stream)
    with reporting(progress) as report:
        report(1, 2)
    assert ("1/2 runs" in stream.getvalue()) == shows


def test_a_function_is_called_instead(monkeypatch):
    monkeypatch.setattr("sys.stderr", Terminal())
    calls = []
    with reporting(lambda done, total: calls.append((done, total))) as report:
        report(3, 9)
    assert calls == [(3, 9)]


def test_anything_else_is_refused():
    with pytest.raises(TypeError, match="progress = 'yes'"), reporting("yes"):
        pass


@pytest.mark.parametrize("terminal", [True, False])
def test_compilation_is_reported_once(monkeypatch, caplog, terminal):
    """To the log always, to the terminal if there is one; a function already compiled says nothing."""
    stream = Terminal() if terminal else io.StringIO()
    monkeypatch.setattr("sys.stderr", stream)
    caplog.set_level(logging.INFO, "reucb")

    @numba.njit
    def double(x):
        return 2 * x

    with reporting(None):
        double(1)
        double(1.0)
    assert [record.getMessage().startswith("compiling the kernels") for record in caplog.records] == [True]
    assert ("compiling" in stream.getvalue()) == terminal
    caplog.clear()
    with reporting(None):
        double(1)
    assert not caplog.records
