"""Lemmas about numbers, written before the lemma whose proof needs them."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from theory.coq.lemma import Lemma
from theory.coq.proofs import equal_apart, holds, plainly_equal, proof
from theory.coq.statement import Statement, statements
from theory.coq.syntax import NoCoq
from theory.kernel.goal import Goal, Rel


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
        found = _certain(statements(name, goal), goal)
        defined = next((s.name for s in found if s.kind == "defined"), None)
        self.lemmas.append("".join(_printed(s, defined) for s in found))
        return Lemma(name, goal, plain=True)


def _certain(found: list[Statement], goal: Goal) -> list[Statement]:
    """Without the conditions that are not known to hold; NoCoq if an equation needs one of them."""
    kept, plain = [], goal.by_rules
    for s in found:
        sure = [k for k, c in enumerate(s.facts) if not (isinstance(c, Rel) and s.kind == "defined") or holds(plain, c)]
        if len(sure) < len(s.facts) and goal.rel.op == "=" and not equal_apart(plain.rel):
            raise NoCoq(f"{goal.rel}: a denominator may vanish")
        if sure:
            kept.append(replace(s, parts=tuple(s.parts[k] for k in sure), facts=tuple(s.facts[k] for k in sure)))
    return kept


def _printed(statement: Statement, defined: str | None) -> str:
    return f"Lemma {statement.name} :\n  {statement.text}.\nProof.\n{proof(statement, defined)}\nQed.\n"
