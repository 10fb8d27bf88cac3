"""Running the checks of claims: one in this process, many in several, which share them out and end together."""

from __future__ import annotations

import atexit
import gc
import os
import signal
import time
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager
from dataclasses import replace
from multiprocessing import active_children, get_context
from typing import Any, ClassVar

from theory.collection import Collection, the_paper
from theory.coq.record import kernel_lemmas, kernel_seconds
from theory.kernel import sources
from theory.kernel.argument import Argument, Finding, Proof
from theory.kernel.claim import REGISTRY, Claim
from theory.kernel.engines import Evidence, Outcome
from theory.kernel.named import Named
from theory.kernel.proof_parts import parts_of
from theory.kernel.rules import Cited, Definition

FEW = 40  # so many claims are checked in this process
CHUNK = 4  # claims handed to another process at a time
Checked = tuple[str, Finding, float]


def check(name: str, collection: Collection | None = None) -> tuple[Finding, float]:
    """Run the check of one claim; what it found and how long it took.

    A claim whose function or check raises an exception is open; the others are not affected.
    """
    start = time.perf_counter()
    claim = REGISTRY.get(name) or (collection or the_paper()).claims()[name]  # the modules of claims are imported once
    try:
        finding = _found(claim, collection or the_paper())
    except Exception as error:
        circle = " (do proofs use each other in a circle?)" if isinstance(error, RecursionError) else ""
        what = f"{type(error).__name__}: {error}{circle}"
        finding = Finding("open", (Evidence("exception", what, Outcome.UNKNOWN),))
    return finding, time.perf_counter() - start


def _found(claim: Claim, collection: Collection) -> Finding:
    argument = claim.argument
    finding = argument.check().but(_misplaced(argument, collection))
    if claim.says is not None and finding.verdict == "proved":
        finding = finding.stated_by_hand()
    lemmas = kernel_lemmas(claim, argument, alone=bool(sources.RECORDED)) if finding.level == "engines" else None
    if lemmas:
        *others, coq = finding.in_coq(lemmas).evidence
        finding = replace(finding.in_coq(lemmas), evidence=(*others, replace(coq, seconds=kernel_seconds(claim))))
    return finding


def _misplaced(argument: Argument, collection: Collection) -> Iterator[Evidence]:
    """Definitions, named quantities and objects of theorems that are made where the collection has its claims."""
    found = [(part.of, part.made_in) for part in parts_of(argument.parts) if isinstance(part, Definition)]
    cited = (part for part in parts_of(argument.parts) if isinstance(part, Cited))
    found += [(str(declared.value), declared.made_in) for part in cited for declared in part.declared]
    stated = argument.conclusions if isinstance(argument, Proof) else ()
    sides = (side for goal in stated for r in (goal.rel, *goal.given) for side in r.stated)
    found += [(kind.__name__, kind.__module__) for kind in {type(q) for side in sides for q in side.atoms(Named)}]
    for what, module in found:
        if not collection.may_define(module):
            why = f"{what}: made in {module}, beside claims; definitions stand in a module of the model"
            yield Evidence("definition", why, Outcome.UNKNOWN)


def checked(names: list[str], collection: Collection, details: bool, processes: int | None) -> Iterator[Checked]:
    """The checks as they end."""
    if processes is None:
        processes = 1 if len(names) < FEW else os.cpu_count() or 1
    if processes == 1:
        yield from ((name, *check(name, collection)) for name in names)
        return
    context = get_context("spawn")
    claims = collection.claims()
    names = sorted(names, key=lambda name: claims[name].module)  # claims of one module have steps in common
    chunks = [names[at : at + CHUNK] for at in range(0, len(names), CHUNK)]
    shared = chunks, collection, context.Array("i", shares(len(chunks), processes)), context.Value("i", 0)
    others = set(active_children())
    with ProcessPoolExecutor(processes, context, initializer=_begin, initargs=shared) as pool:
        try:
            with _without_interrupts():
                tasks = [pool.submit(_check_some, details) for _ in chunks]
            for task in tasks:
                yield from task.result()
        except BaseException:
            for process in set(active_children()) - others:  # one that is just starting would miss what it was given
                process.terminate()
            # By the pool itself, which waits: tasks cancelled from here, as `map` does, or a pool that ends with the
            # interpreter, would be a traceback.
            pool.shutdown(cancel_futures=True)
            raise


def shares(count: int, processes: int) -> list[int]:
    """The first chunk of the first process and the one after its last, then those of the second, and so on."""
    return [count * end // processes for p in range(processes) for end in (p, p + 1)]


class Process:
    """A process that checks claims: the chunks of its own share in order, then the last ones of the largest share left.

    So claims that have steps in common, which are neighbours, are mostly checked by one process, and all end together.
    """

    here: ClassVar[Process]

    def __init__(self, chunks: list[list[str]], collection: Collection, left: Any, number: int) -> None:
        self.chunks, self.collection, self._left, self._number = chunks, collection, left, number

    def next_chunk(self) -> list[str]:
        with self._left.get_lock():
            sizes = [high - low for low, high in zip(self._left[::2], self._left[1::2], strict=True)]
            if sizes[self._number]:
                first = 2 * self._number
                self._left[first] += 1
                return self.chunks[self._left[first] - 1]
            end = 2 * sizes.index(max(sizes)) + 1
            self._left[end] -= 1
            return self.chunks[self._left[end]]


@contextmanager
def _without_interrupts() -> Iterator[None]:
    """Processes that are started here do not get Ctrl-C until they are ready for it; here it waits until the end."""
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _begin(chunks: list[list[str]], collection: Collection, left: Any, started: Any) -> None:
    """What a process does first."""
    # Ctrl-C reaches every process of a terminal: there it is reported, here it ends the process without a word.
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    if hasattr(signal, "pthread_sigmask"):
        signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGINT})
    gc.disable()  # nearly all that is made stays in caches, and to search them for garbage is slow
    atexit.register(gc.freeze)  # the interpreter would search all of it once more at its end
    with started.get_lock():
        Process.here = Process(chunks, collection, left, started.value)
        started.value += 1


def _check_some(details: bool) -> list[Checked]:
    """The next chunk of the process in which this is called."""
    here = Process.here
    found = ((name, *check(name, here.collection)) for name in here.next_chunk())
    return [(name, finding.sent(details), seconds) for name, finding, seconds in found]
