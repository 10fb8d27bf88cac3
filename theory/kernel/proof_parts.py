"""The parts of a proof, each once, and their checks: one after the other, or shared by two processes."""

from __future__ import annotations

import os
import pickle
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from typing import TypeVar

import sympy as sp

from theory.kernel import statement
from theory.kernel.engines import Evidence
from theory.kernel.finding import Items
from theory.kernel.goal import Goal, Letter
from theory.kernel.items import Item, Step, check, concludes
from theory.kernel.mutate import Mutant
from theory.kernel.region import READER
from theory.kernel.sources import Basis

Checked = tuple[list[Evidence], list[Mutant]]
Given = TypeVar("Given")
Found = TypeVar("Found")
FEW = 12  # tasks that one process does before a second one is of use
BLOCKS = 24  # into which tasks are divided
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


def gather(
    items: Sequence[Item],
    letters: Mapping[sp.Symbol, Letter] | None = None,
    stated: Mapping[sp.Symbol, Letter] | None = None,
) -> tuple[list[Evidence], list[Mutant], Callable[[], Items]]:
    """Evidence and mutants of items and of everything below them, each part once, and what prints them.

    Items are printed in `letters`, in their own, and where they have none in those of the statement.
    """
    evidence: list[Evidence] = []
    killed: list[Mutant] = []
    shown: list[tuple[Goal, tuple[str, ...], str]] = []
    concluding = {id(item) for item in items if not isinstance(item, Step)}
    parts = parts_of(items)
    for part, (found, rejected) in zip(parts, check_all(parts, concluding), strict=True):
        role = "conclusion" if id(part) in concluding else "step"
        evidence += found
        killed += rejected
        goal = concludes(part)
        if goal is not None:
            written = replace(goal, letters={**(stated or {}), **goal.letters, **(letters or {})})
            shown.append((written, tuple(e.engine for e in found), role))
    return evidence, killed, lambda: tuple(each(lambda part: statement.as_json(*part), shown))


def known(goals: Sequence[Goal]) -> Mapping[sp.Symbol, Letter]:
    """The letters of these goals for symbols of a model, which mean the same in all items of a claim."""
    return {x: letter for g in goals for x, letter in g.letters.items() if x.is_Symbol and x.name in READER}


def basis_of(items: Sequence[Item]) -> Basis:
    """Classical theorems and arguments in words of these items, and the laws of a model that they take."""
    elements = [part for part in parts_of(items) if not isinstance(part, Goal)]
    columns = ((text for part in elements for text in getattr(part, kind)) for kind in ("assumes", "laws", "worlds"))
    return Basis(*(tuple(dict.fromkeys(column)) for column in columns))


@contextmanager
def two_processes() -> Iterator[None]:
    """Check the parts of a proof in two processes, where the system can fork and has two processors."""
    before, _state["shared"] = _state["shared"], hasattr(os, "fork") and (os.cpu_count() or 1) > 1
    try:
        yield
    finally:
        _state["shared"] = before


def check_all(parts: Sequence[Item], stated: Collection[int] = ()) -> list[Checked]:
    """Evidence and mutants of every part alone; `stated` are the identities of those that are no steps."""
    if _state["shared"]:
        for part in parts:
            concludes(part)  # kept with the part, and needed by both processes
    return each(lambda part: check(part, id(part) in stated), parts)


def each(work: Callable[[Given], Found], tasks: Sequence[Given]) -> list[Found]:
    """What the work gives for every task, in order; shared by two processes where that was asked for."""
    found = _in_two(work, tasks) if _state["shared"] and len(tasks) >= FEW else {}
    return [found[number] if number in found else work(task) for number, task in enumerate(tasks)]


def _in_two(work: Callable[[Given], Found], tasks: Sequence[Given]) -> dict[int, Found]:
    """What two processes find, by the number of a task; each takes the next few from a pipe: neighbours share steps.

    What the second process does not send, because it failed, is missing.
    """
    few = len(tasks) // BLOCKS + 1
    numbers, give = os.pipe()
    results, send = os.pipe()
    os.write(give, b"".join(first.to_bytes(4, "big") for first in range(0, len(tasks), few)))
    os.close(give)
    child = os.fork()
    if child == 0:
        try:
            with os.fdopen(send, "wb") as out:
                pickle.dump(_taken(numbers, few, work, tasks), out)
            os._exit(0)
        except BaseException:  # whatever it is, the first process does what is missing
            os._exit(1)
    os.close(send)
    found = _taken(numbers, few, work, tasks)
    os.close(numbers)
    with os.fdopen(results, "rb") as sent:
        data = sent.read()
    if os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0:
        found |= pickle.loads(data)
    return found


def _taken(numbers: int, few: int, work: Callable[[Given], Found], tasks: Sequence[Given]) -> dict[int, Found]:
    found: dict[int, Found] = {}
    while len(taken := os.read(numbers, 4)) == 4:
        first = int.from_bytes(taken, "big")
        found |= {first + m: work(task) for m, task in enumerate(tasks[first : first + few])}
    return found
