"""The impact of a defect: which claims depend on it, which of them fail, which still hold and how."""

from __future__ import annotations

from collections.abc import Collection, Iterable

from theory.kernel.claim import Claim
from theory.ledger import Entry, recorded


def around(label: str, claims: Iterable[Claim]) -> list[str]:
    """The claims an explanation of this one speaks of: what it and those it reaches rest on or are repaired by."""
    claims = list(claims)
    sound = {name for name, verdict in recorded().items() if verdict == "proved"}
    below = {label} | reached(label, claims, sound)
    chosen = below | {d for c in claims if c.id == label for d in c.depends_on}
    chosen |= {c.id for c in claims if c.repairs in below}
    return [c.id for c in claims if c.id in chosen]


def reached(of: str, claims: Iterable[Claim], sound: Collection[str]) -> set[str]:
    """All claims that rest on `of`, directly or through others that are not sound.

    What rests on a claim that is proved here without `of` is safe, so nothing is looked for behind one.
    """
    direct: dict[str, set[str]] = {}
    for c in claims:
        for d in c.depends_on:
            direct.setdefault(d, set()).add(c.id)
    seen: set[str] = set()
    stack = [of]
    while stack:
        fresh = direct.get(stack.pop(), set()) - seen
        seen |= fresh
        stack += [name for name in fresh if name not in sound]
    return seen - {of}


def radius(entries: Iterable[Entry], of: str) -> list[tuple[str, str]]:
    """(claim, fate) for all that the claim `of` reaches: survives, survives repaired, or falls."""
    entries = list(entries)
    by_id = {e.claim.id: e for e in entries}
    sound = {name for name, e in by_id.items() if e.verdict == "proved"}
    fates = []
    for name in sorted(reached(of, (e.claim for e in entries), sound)):
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
