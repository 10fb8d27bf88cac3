"""Lemmas between numbers that stand before the lemma whose proof needs them."""

from __future__ import annotations

from dataclasses import dataclass, field

from theory.coq.lemma import Lemma
from theory.coq.proofs import plainly_equal, proof
from theory.coq.statement import Statement, statements
from theory.coq.syntax import NoCoq
from theory.kernel.goal import Goal


@dataclass
class Auxiliary:
    """Lemmas between numbers that a proof needs, written before it."""

    name: str
    lemmas: list[str] = field(default_factory=list)

    def add(self, goal: Goal) -> Lemma:
        """The lemmas of a goal with their proofs; NoCoq if it has none."""
        name = f"{self.name}_a{len(self.lemmas) + 1}"
        if goal.rel.op == "=" and not goal.given and not plainly_equal(goal.by_rules):
            raise NoCoq(f"{goal.rel} does not hold by itself")
        found = statements(name, goal)
        defined = next((s.name for s in found if s.kind == "defined"), None)
        self.lemmas.append("".join(_printed(s, defined) for s in found))
        return Lemma(name, goal, plain=True)


def _printed(statement: Statement, defined: str | None) -> str:
    return f"Lemma {statement.name} :\n  {statement.text}.\nProof.\n{proof(statement, defined)}\nQed.\n"
