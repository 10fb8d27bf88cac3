"""What must hold across claims: names exist, proofs use proved claims only, defects are classified and repaired."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from graphlib import CycleError, TopologicalSorter

import sympy as sp

from theory.collection import Collection, the_paper
from theory.kernel.goal import Goal, Rel
from theory.ledger import DEFECTS, Entry, excluding, inherit, recorded

Entries = Mapping[str, Entry]


def disorder(entries: Iterable[Entry], collection: Collection | None = None) -> list[str]:
    """What is wrong with a ledger as a whole, one line each; `entries` are all its claims."""
    collection = collection or the_paper()
    by_id = {e.claim.id: e for e in entries}
    problems = [*_unknown(by_id), *_unproved(by_id), *_cycles(by_id)]
    problems += [f"{name}: {why}" for name, why in two_worlds(by_id.values(), collection).items()]
    if collection.complete:
        problems += [*_unrepaired(by_id), *_unclassified(by_id, collection)]
    problems += [f"{name}: recorded, but no such claim" for name in collection.recorded() if name not in by_id]
    return problems


def unsupported(entries: Iterable[Entry], collection: Collection | None = None) -> dict[str, str]:
    """Claims whose proofs use something that is not proved, and why; verdicts not among the entries as recorded."""
    collection = collection or the_paper()
    by_id = {e.claim.id: e for e in entries}
    verdicts = recorded(collection) | {name: e.verdict for name, e in by_id.items()}
    found = {}
    for name, e in by_id.items():
        wrong = [u for u in e.uses if verdicts.get(u) != "proved"]
        if wrong:
            found[name] = f"uses {wrong[0]}, which is {verdicts.get(wrong[0], 'unknown')}"
    circle = next(_cycles(by_id), None)
    around = circle.split(": ")[1].split(" uses ") if circle else []
    return found | two_worlds(by_id.values(), collection) | {name: str(circle) for name in around if name in by_id}


def _unknown(by_id: Entries) -> Iterator[str]:
    for name, e in by_id.items():
        yield from (f"{name}: uses unknown claim {d}" for d in e.uses if d not in by_id)
        yield from (f"{name}: cites unknown claim {d}" for d in e.claim.cites if d not in by_id)
        if e.claim.repairs and e.claim.repairs not in by_id:
            yield f"{name}: repairs unknown claim {e.claim.repairs}"


def _unproved(by_id: Entries) -> Iterator[str]:
    """A proof may depend on proved claims only."""
    for name, e in by_id.items():
        for used in e.uses:
            if used in by_id and by_id[used].verdict != "proved":
                yield f"{name}: uses {used}, which is {by_id[used].verdict}"


def _cycles(by_id: Entries) -> Iterator[str]:
    """No claim may depend on itself."""
    try:
        TopologicalSorter({name: e.uses for name, e in by_id.items()}).prepare()
    except CycleError as error:
        yield f"proofs use each other in a circle: {' uses '.join(reversed(error.args[1]))}"


def two_worlds(entries: Iterable[Entry], collection: Collection) -> dict[str, str]:
    """Claims whose proofs, with the claims that they use, take two laws of a model that exclude each other, and why.

    A claim that is not among the entries counts as it is recorded.
    """
    found = {e.claim.id: excluding(e.basis.worlds) for e in inherit(list(entries), collection.recorded())}
    return {name: f"takes laws that exclude each other: {', '.join(w)}" for name, w in found.items() if w}


def _unrepaired(by_id: Entries) -> Iterator[str]:
    for name, e in by_id.items():
        if e.verdict in DEFECTS and e.claim.kind != "statistical" and e.repaired_by is None:
            yield f"{name}: {e.verdict} and not repaired"
        if e.verdict in ("gap", "misprint") and e.repaired_by and by_id[e.repaired_by].verdict != "proved":
            yield f"{name}: a {e.verdict}, but {e.repaired_by} is {by_id[e.repaired_by].verdict}"


def _unclassified(by_id: Entries, collection: Collection) -> Iterator[str]:
    for name, e in by_id.items():
        c = e.claim
        if (e.verdict in DEFECTS) != (c.severity is not None):
            yield f"{name}: {e.verdict}, but severity={c.severity}"
        if (e.verdict in DEFECTS) != (c.cause is not None):
            yield f"{name}: {e.verdict}, but cause={c.cause}"
        if c.cause is not None and c.cause not in collection.causes:
            yield f"{name}: cause={c.cause} is not in the table of causes"
        if (c.severity == "experiment") != (e.verdict in DEFECTS and c.kind == "statistical"):
            yield f"{name}: severity={c.severity}, but kind={c.kind}"
        if e.verdict == "misprint" and c.severity not in ("wording", None):
            yield f"{name}: a misprint, but severity={c.severity}"
        if c.severity == "edge" and e.repaired_by and not restores(e, by_id[e.repaired_by]):
            yield f"{name}: severity=edge, but {e.repaired_by} does not prove the printed relation with a case excluded"


def restores(defect: Entry, repair: Entry) -> bool:
    """Whether a proved repair states the printed relation itself, on a smaller domain or under more hypotheses.

    A counterexample of two numbers has no relation to compare; there, and for bounds on the regret,
    only the verdict of the repair counts.
    """
    if repair.verdict != "proved":
        return False
    printed: Goal = defect.claim.build().printed  # type: ignore[attr-defined]
    if not printed.symbols or defect.claim.kind == "bound":
        return True
    goals = (getattr(item, "concludes", item) for item in repair.claim.build().items)  # type: ignore[attr-defined]
    return any(isinstance(g, Goal) and same(g.rel, printed.rel) for g in goals)


def same(one: Rel, other: Rel) -> bool:
    """Whether two relations are the same up to rearrangement; a printed strict sign may have become weak."""
    if one.op.rstrip("=") != other.op.rstrip("="):
        return False
    difference = (one.left - one.right) - (other.left - other.right)
    return bool(difference == 0 or sp.simplify(difference) == 0)
