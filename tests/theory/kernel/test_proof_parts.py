"""The parts of a proof are checked each once, and two processes find what one does."""

import os
from dataclasses import dataclass, replace

import pytest
import sympy as sp

from theory.kernel import proof_parts
from theory.kernel.argument import proof
from theory.kernel.engines import Evidence, Outcome
from theory.kernel.goal import Goal, Rel, positive
from theory.kernel.items import Element
from theory.kernel.rules import chain, follows

x, y = sp.symbols("x y")
DOMAIN = {x: positive(), y: positive()}
GOALS = [Goal(Rel(m * x * y, "<=", m * (x**2 + y**2) / 2), DOMAIN, name=f"{m}", squares=(x - y,)) for m in range(1, 15)]
FALSE = Goal(Rel(x * y, ">=", (x**2 + y**2) / 2), DOMAIN, name="false")


def without_times(found: proof_parts.Checked) -> proof_parts.Checked:
    return [replace(e, seconds=0.0) for e in found[0]], found[1]


def test_a_shared_premise_is_one_part():
    first = GOALS[0]
    both = [follows(Rel(x * y, "<=", x**2 + y**2 + m), first, name=f"more {m}") for m in (0, 1)]
    last = chain(both[0], Goal(Rel(x**2 + y**2, "<=", x**2 + y**2 + 1), DOMAIN, name="one more"))
    assert [id(part) for part in proof_parts.parts_of([*both, last])].count(id(first)) == 1


@pytest.mark.skipif(not hasattr(os, "fork"), reason="two processes are used where the system can fork")
@pytest.mark.parametrize("goals", [GOALS, [*GOALS, FALSE]], ids=["true", "one false"])
def test_two_processes_find_what_one_does(goals, monkeypatch):
    monkeypatch.setattr(os, "cpu_count", lambda: 2)
    alone = [without_times(found) for found in proof_parts.check_all(goals)]
    with proof_parts.two_processes():
        assert [without_times(found) for found in proof_parts.check_all(goals)] == alone
        verdict = proof(*goals).check().verdict
    assert verdict == ("open" if FALSE in goals else "proved")


@dataclass(frozen=True)
class FailsElsewhere(Element):
    """Its check ends any process but this one."""

    home: int

    def evidence(self) -> list[Evidence]:
        if os.getpid() != self.home:
            os._exit(3)
        return [Evidence("here", "it was checked", Outcome.PROVED)]


@pytest.mark.skipif(not hasattr(os, "fork"), reason="two processes are used where the system can fork")
def test_what_a_second_process_loses_is_checked_by_the_first(monkeypatch):
    monkeypatch.setattr(os, "cpu_count", lambda: 2)
    items = [*GOALS[:6], *(FailsElsewhere(os.getpid()) for _ in range(6)), *GOALS[6:]]
    with proof_parts.two_processes():
        found = proof_parts.check_all(items)
    assert len(found) == len(items)
    assert all(e.ok for evidence, _ in found for e in evidence)
