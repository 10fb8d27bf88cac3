"""Progress: a line on a terminal, nothing in a pipe, and a message when kernels are compiled."""

import io
import logging

import numba
import pytest

from reucb._simulation.progress import Line, reporting


class Terminal(io.StringIO):
    def isatty(self):
        return True


class Clock:
    now = 0.0

    def __call__(self):
        return self.now


def test_the_line_shows_runs_and_time_left():
    stream, clock = io.StringIO(), Clock()
    line = Line(stream, clock)
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
    line = Line(stream)
    line.say("a long text")
    line.say("short")
    assert stream.getvalue() == "\ra long text\rshort      "


def test_runs_from_a_checkpoint_do_not_count_towards_the_pace():
    stream, clock = io.StringIO(), Clock()
    line = Line(stream, clock)
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
def test_compilation_is_said_once(monkeypatch, caplog, terminal):
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
