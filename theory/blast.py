"""The blast radius of a defect: which claims rest on it, which of them fall, which survive and by which other route."""

from __future__ import annotations

from collections.abc import Iterable

from theory.kernel.claim import Claim
from theory.ledger import Entry


def around(label: str, claims: Iterable[Claim]) -> list[str]:
    """The claims an explanation of this one speaks of: what it and its dependants rest on or are repaired by."""
    claims = list(claims)
    below = {label} | dependants(claims).get(label, set())
    chosen = below | {d for c in claims if c.id == label for d in c.depends_on}
    chosen |= {c.id for c in claims if c.repairs in below}
    return [c.id for c in claims if c.id in chosen]


def dependants(claims: Iterable[Claim]) -> dict[str, set[str]]:
    """For each claim, all claims that rest on it, directly or not."""
    direct: dict[str, set[str]] = {}
    for c in claims:
        for d in c.depends_on:
            direct.setdefault(d, set()).add(c.id)
    closed: dict[str, set[str]] = {}
    for root in direct:
        seen: set[str] = set()
        stack = [root]
        while stack:
            fresh = direct.get(stack.pop(), set()) - seen
            seen |= fresh
            stack += fresh
        closed[root] = seen - {root}
    return closed


def radius(entries: Iterable[Entry], of: str) -> list[tuple[str, str]]:
    """(claim, fate) for all that rests on the claim `of`: survives, survives repaired, or falls."""
    entries = list(entries)
    by_id = {e.claim.id: e for e in entries}
    fates = []
    for name in sorted(dependants(e.claim for e in entries).get(of, ())):
        e = by_id[name]
        if e.verdict == "proved":
            fates.append((name, "survives: proved here without it"))
        elif e.repaired_by and by_id[e.repaired_by].verdict == "proved":
            fates.append((name, f"falls as printed; survives as {e.repaired_by}"))
        elif e.verdict == "supported":
            fates.append((name, "stands on numerical evidence only"))
        else:
            fates.append((name, f"falls ({e.verdict})"))
    return fates
