"""Every claim of the ledger: its verdict is the recorded one, no point violates a relation that was proved, and every
counterexample is found again from its domain alone.

A test module may define `FAMILIES`: for a claim about two numbers, the small worlds in which its counterexample is
found again; for an identity proved by listing outcomes, the worlds in which it is tried (see README.md in this folder).
"""

from __future__ import annotations

import importlib
import pkgutil
from functools import cache

import pytest

from tests.theory import ours, paper
from tests.theory.harness.families import Family, never_violated_in, refound_in
from tests.theory.harness.search import (
    DEFECTS,
    as_recorded,
    built,
    determined,
    has_points,
    never_violated,
    proved_goals,
    rational,
    refound,
    shown_sides,
    small,
    violated,
)
from theory.kernel.argument import Computation, Proof, Refutation
from theory.kernel.goal import Goal
from theory.kernel.items import concludes
from theory.kernel.undecided import Undecided
from theory.ledger import Entry, load, recorded

# Computations that are no relation at points of a domain; what is searched instead stands beside them.
NO_RELATION = {
    "ours/sum-of-weights": "sums over any number of arms, by a rule; the bounds of one weight are searched",
    "sec:setting/counts": "numbering along all short plays: true or false, nothing to compare",
    "alg:arm-ucb/each-arm-once": "all continuations of the initial rounds, listed",
    "sec:introduction/adaptive-weights": "two weights differ; that they rise is searched",
}


def families() -> dict[str, Family]:
    found: dict[str, Family] = {}
    for package in (paper, ours):
        for module in pkgutil.walk_packages(package.__path__, f"{package.__name__}."):
            found |= getattr(importlib.import_module(module.name), "FAMILIES", {})
    return found


FAMILIES = families()
RECORD = recorded()
CLAIMS = load()
# Claims decided exactly. From the record: a test process that builds every argument to collect its tests takes long.
EXACT = [name for name, c in CLAIMS.items() if c.kind != "statistical" and RECORD.get(name) != "open"]
IDENTITIES = {name for name in FAMILIES if RECORD.get(name) == "proved"}


@cache
def searchable(name: str) -> tuple[Goal, ...]:
    return tuple(proved_goals(built(name)))


@pytest.mark.parametrize("name", CLAIMS)
def test_verdict(name: str, ledger: dict[str, Entry]) -> None:
    assert ledger[name].problem is None
    if name in EXACT:
        assert ledger[name].repaired_by or ledger[name].verdict not in DEFECTS


@pytest.mark.parametrize("name", EXACT)
def test_no_violation(name: str) -> None:
    """Nothing is searched for a claim without such relations; `test_every_proved_relation_is_searched` lists these."""
    for goal in searchable(name):
        never_violated(goal)
    if name in IDENTITIES:
        never_violated_in(FAMILIES[name])


@pytest.mark.parametrize("name", [name for name in EXACT if RECORD.get(name) in DEFECTS])
def test_counterexample(name: str, ledger: dict[str, Entry]) -> None:
    argument = built(name)
    assert isinstance(argument, Refutation)
    printed, shown = argument.printed, ledger[name].finding.counterexample
    assert shown is not None
    if name in FAMILIES:
        refound_in(FAMILIES[name], printed.rel.op, shown)
    if not printed.symbols:
        assert name in FAMILIES, "two numbers: a family of worlds is needed to find them again"
        return
    recorded_point, ours = as_recorded(shown, argument.at), refound(printed)
    assert violated(printed, recorded_point)
    assert small(printed, recorded_point) or not rational(printed), recorded_point
    assert violated(printed, ours)
    assert small(printed, ours, determined(printed)), ours
    assert shown_sides(printed, recorded_point, shown)


def test_only_sentences_about_results_are_left_to_statistics() -> None:
    statistical = {c.id for c in CLAIMS.values() if c.kind == "statistical"}
    open_questions = {name for name in CLAIMS if isinstance(built(name), Undecided)}
    assert {name for name in CLAIMS if isinstance(built(name), Proof | Refutation)} == set(EXACT)
    assert set(CLAIMS) - set(EXACT) == statistical | open_questions
    assert all(RECORD[name] == "open" for name in open_questions)


def test_every_proved_relation_is_searched() -> None:
    assert set(CLAIMS) >= set(FAMILIES)
    for name in EXACT:
        argument = built(name)
        assert isinstance(argument, Proof | Refutation), f"{name}: open, but not recorded so"
        items = argument.items if isinstance(argument, Proof) else argument.also
        relations = [i for i in items if isinstance(i, Goal) and has_points(i)]
        assert len(relations) <= len(searchable(name))
        if isinstance(argument, Proof):
            others = [i for i in items if isinstance(i, Computation) and i.shows is None]
            excused = name in FAMILIES or name in NO_RELATION
            assert not others or excused, f"{name}: shows nothing that can be searched"
            composed = not any(map(has_points, argument.conclusions))  # sums and means, by rules
            searched = name in IDENTITIES or bool(searchable(name))
            assert searched or name in NO_RELATION or composed, f"{name}: proved, nothing of it is searched"


def test_every_exception_is_needed() -> None:
    unsearched = {
        name
        for name in EXACT
        if isinstance(built(name), Proof)
        and any(not isinstance(i, Goal) and (concludes(i) is None or concludes(i).where) for i in built(name).items)
    }
    assert set(NO_RELATION) <= unsearched
