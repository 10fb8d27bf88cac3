"""Progress of a simulation: a line on a terminal, a callback, or nothing."""

from __future__ import annotations

import logging
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TextIO

from reucb._numerics.validation import shown

log = logging.getLogger("reucb")

Report = Callable[[int, int], None]

PAUSE = 0.1  # seconds between two updates of the line


class ProgressLine:
    """One line on a terminal, rewritten in place: runs done, and the time left at the present pace."""

    def __init__(self, stream: TextIO, clock: Callable[[], float] = time.monotonic, unit: str = "runs") -> None:
        self._unit = unit
        self._stream = stream
        self._clock = clock
        self._begin: tuple[float, int] | None = None
        self._last = -PAUSE
        self._width = 0

    def __call__(self, done: int, total: int) -> None:
        now = self._clock()
        if self._begin is None:
            self._begin = (now, done)  # runs that a checkpoint already held say nothing about the pace
        elif now - self._last < PAUSE and done < total:
            return
        self._last = now
        self.say(f"{done:,}/{total:,} {self._unit}  {100 * done // total:3d} %{self._left(now, done, total)}")

    def say(self, text: str) -> None:
        self._stream.write("\r" + text.ljust(self._width))
        self._stream.flush()
        self._width = len(text)

    def close(self) -> None:
        if self._width:
            self._stream.write("\n")
            self._stream.flush()

    def _left(self, now: float, done: int, total: int) -> str:
        assert self._begin is not None
        began, before = self._begin
        if done in (before, total):
            return ""
        seconds = round((now - began) * (total - done) / (done - before))
        return f"  {seconds // 3600:d}:{seconds // 60 % 60:02d}:{seconds % 60:02d} left"


def _silent(done: int, total: int) -> None:
    pass


@contextmanager
def reporting(progress: bool | Report | None, unit: str = "runs") -> Iterator[Report]:
    """The reporter that `progress=` asks for; None: a line if stderr is a terminal, else no output."""
    if progress is not None and not isinstance(progress, bool) and not callable(progress):
        raise TypeError(f"progress = {shown(progress)}: must be None, True, False or a function of (done, total)")
    terminal = sys.stderr.isatty()
    with _compiling(sys.stderr if terminal and progress is not False else None):
        if callable(progress):
            yield progress
        elif progress or (progress is None and terminal):
            line = ProgressLine(sys.stderr, unit=unit)
            try:
                yield line
            finally:
                line.close()
        else:
            yield _silent


@contextmanager
def _compiling(stream: TextIO | None) -> Iterator[None]:
    """Say, once per block, that kernels are being compiled: to the log, and to `stream` if there is one."""
    from numba.core import event

    class Listener(event.Listener):
        said = False

        def on_start(self, event: object) -> None:
            if not self.said:
                self.said = True
                text = "compiling the kernels of reucb (once; they are cached on disk)"
                log.info(text)
                if stream is not None:
                    stream.write(f"\r{text}\n")
                    stream.flush()

        def on_end(self, event: object) -> None:
            pass

    with event.install_listener("numba:compile", Listener()):
        yield
