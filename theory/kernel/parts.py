"""The parts of a proof, each once, and their checks: one after the other, or shared by two processes."""

from __future__ import annotations

import os
import pickle
from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from theory.kernel.engines import Evidence
from theory.kernel.goal import Goal
from theory.kernel.items import Item, check, concludes
from theory.kernel.mutate import Mutant

Checked = tuple[list[Evidence], list[Mutant]]
FEW = 12  # parts that one process checks before a second one is of use
_state = {"shared": False}


def parts_of(items: Sequence[Item]) -> list[Item]:
    """Items and everything below them, each part once: what an item depends on, then the item itself."""
    found: dict[int, Item] = {}  # by identity, and kept alive: to compare goals is slow

    def visit(part: Item) -> None:
        for premise in () if isinstance(part, Goal) else part.premises:
            if id(premise) not in found:
                found[id(premise)] = premise
                visit(premise)

    for item in items:
        visit(item)
        found.setdefault(id(item), item)
    return list(found.values())


@contextmanager
def two_processes() -> Iterator[None]:
    """Check the parts of a proof in two processes, where the system can fork and has two processors."""
    before, _state["shared"] = _state["shared"], hasattr(os, "fork") and (os.cpu_count() or 1) > 1
    try:
        yield
    finally:
        _state["shared"] = before


def check_all(parts: Sequence[Item]) -> list[Checked]:
    """Evidence and mutants of every part alone."""
    if not _state["shared"] or len(parts) < FEW:
        return [check(part) for part in parts]
    found = _in_two(parts)
    return [found[number] if number in found else check(part) for number, part in enumerate(parts)]


def _in_two(parts: Sequence[Item]) -> dict[int, Checked]:
    """What two processes find, by the number of a part; each takes the next number from a pipe.

    What the second process does not send, because it failed, is missing.
    """
    for part in parts:
        concludes(part)  # kept with the part, and needed by both processes
    tasks, give = os.pipe()
    results, send = os.pipe()
    os.write(give, b"".join(number.to_bytes(2, "big") for number in range(len(parts))))
    os.close(give)
    child = os.fork()
    if child == 0:
        try:
            with os.fdopen(send, "wb") as out:
                pickle.dump(_taken(tasks, parts), out)
            os._exit(0)
        except BaseException:  # whatever it is, the first process checks what is missing
            os._exit(1)
    os.close(send)
    found = _taken(tasks, parts)
    os.close(tasks)
    with os.fdopen(results, "rb") as sent:
        data = sent.read()
    if os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0:
        found |= pickle.loads(data)
    return found


def _taken(tasks: int, parts: Sequence[Item]) -> dict[int, Checked]:
    found = {}
    while len(number := os.read(tasks, 2)) == 2:
        found[int.from_bytes(number, "big")] = check(parts[int.from_bytes(number, "big")])
    return found
