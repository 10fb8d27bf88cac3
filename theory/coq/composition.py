"""Rules of the kernel as Coq lemmas: the conclusion of a rule is a lemma that applies the lemmas of its premises."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from theory.coq.auxiliary import Auxiliary
from theory.coq.context import Context
from theory.coq.lemma import Fact, Lemma, Premise, free_in
from theory.coq.scripts import SCRIPTS
from theory.coq.scripts.compose import arithmetic
from theory.coq.syntax import NoCoq
from theory.kernel.goal import Goal, Rel, Var
from theory.kernel.items import Item
from theory.kernel.named import valued
from theory.kernel.rules import Applied, Instance, SumOver, Use
from theory.kernel.rules.compose import conclusion, merged


def statement(name: str, item: Item, premises: list[Premise]) -> Lemma:
    """The lemma of an item that a rule concludes; its premises are lemmas or definitions."""
    if not isinstance(item, Goal) and type(item) not in SCRIPTS:
        raise NoCoq(f"{type(item).__name__} is not in Coq")
    goal = conclusion(item)
    facts: dict[str, Fact] = {}
    for fact in _facts(item, premises):
        facts.setdefault(fact.text, fact)
    domain = {**merged(tuple(f.goal for f in facts.values())), **goal.domain}
    found = Lemma(name, replace(goal, domain=domain, squares=()), tuple(facts.values()))
    assert found.text  # raises NoCoq where it cannot be printed
    return found


def _facts(item: Item, premises: list[Premise]) -> Iterator[Fact]:
    """Definitions on which a conclusion depends, and the sums for which its symbols stand."""
    for k, p in enumerate(premises):
        at = item.at if isinstance(item, (Instance, Use)) or (isinstance(item, Applied) and k == 0) else {}
        found = (p,) if isinstance(p, Fact) else p.facts
        if isinstance(item, SumOver):
            changed = {item.index, *item.family}
            if any(f.symbols & changed for f in found):
                raise NoCoq("a definition that differs from term to term")
        yield from (f.at({x: v for x, v in at.items() if x.is_Symbol}) for f in found)
    goal = conclusion(item)
    if isinstance(item, (SumOver, Use)):
        for x, total in goal.where.items():
            rel = Rel(x, "=", valued(total))
            if x in free_in(goal.rel):
                yield Fact(Goal(rel, {y: goal.domain.get(y, Var()) for y in rel.symbols}, name=f"{x} is a sum"))


def script(item: Item, lemma: Lemma, premises: list[Premise], auxiliary: Auxiliary) -> str:
    """The proof of a lemma from the lemmas of its premises; lemmas between numbers go to `auxiliary`."""
    context = Context.of(lemma, auxiliary)
    lines = [f"intros {' '.join(lemma.names)}."] if lemma.names else []
    proof = arithmetic(item, context) if isinstance(item, Goal) else SCRIPTS[type(item)](item, context, premises)
    return "\n".join([*lines, *proof])


def numbers(name: str, goal: Goal, defined: str | None) -> str:
    """Lemmas and script of a relation between numbers that has roots, exponentials or logarithms."""
    lemma = Lemma(name, replace(goal, squares=()), plain=True)
    auxiliary = Auxiliary(name)
    here = replace(Context.of(lemma, auxiliary), squares=goal.squares)
    proof = here.show(goal.rel, hints=bool(goal.squares))
    lines = [f"intros {' '.join(lemma.names)}."] if lemma.names else []
    if defined is not None:
        lines.append(f"generalize ({' '.join([defined, *lemma.names])}); intros; facts.")
    own = f"Lemma {name} :\n  {lemma.text}.\nProof.\n" + "\n".join([*lines, f"{proof}."]) + "\nQed.\n"
    return "".join([*auxiliary.lemmas, own])
