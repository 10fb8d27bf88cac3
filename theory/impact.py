"""The impact of a claim: which others depend on it, and whether they hold if it fails."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from theory.kernel.claim import Claim
from theory.ledger import Entry

Uses = Mapping[str, tuple[str, ...]]
USED = "its proof uses it"


def impact(of: str, claims: Mapping[str, Claim], verdicts: Mapping[str, str], uses: Uses) -> list[tuple[str, str]]:
    """(claim, outcome) for all claims that use or cite `of`, directly or through others.

    `uses` is what each proof takes from other claims, as found. What cites a claim whose proof does not depend on `of`
    is not affected, so claims that depend only on it are not listed.
    """
    dependent = reached(of, uses)
    edges = {name: {*uses.get(name, ()), *c.cites} for name, c in claims.items()}
    repaired = {c.repairs: name for name, c in claims.items() if c.repairs}
    found = []
    for name in sorted(reached(of, edges, _sound(verdicts, dependent))):
        verdict, repair = verdicts.get(name), repaired.get(name)
        if name in dependent:
            found.append((name, USED))
        elif verdict == "proved":
            found.append((name, "holds: its proof does not use it"))
        elif repair and verdicts.get(repair) == "proved":
            printed = "open" if verdict in (None, "open") else "fails"
            found.append((name, f"{printed} as printed; holds as {repair}"))
        elif verdict == "supported":
            found.append((name, "supported by simulation only"))
        else:
            found.append((name, "open" if verdict in (None, "open") else f"fails ({verdict})"))
    return found


def radius(entries: Iterable[Entry], of: str) -> list[tuple[str, str]]:
    """The impact of a claim in a ledger whose claims were checked."""
    entries = list(entries)
    claims = {e.claim.id: e.claim for e in entries}
    return impact(of, claims, {e.claim.id: e.verdict for e in entries}, {e.claim.id: e.uses for e in entries})


def around(label: str, claims: Mapping[str, Claim], verdicts: Mapping[str, str], uses: Uses) -> list[str]:
    """The claims that an explanation of this one names: what it depends on, what depends on it, repairs."""
    behind = uses.get(label, ()), claims[label].cites, (name for name, _ in impact(label, claims, verdicts, uses))
    chosen = {label, *(name for names in behind for name in names)}
    chosen |= {name for name, c in claims.items() if c.repairs in chosen}
    return [name for name in claims if name in chosen]


def reached(of: str, depends: Mapping[str, Iterable[str]], sound: Iterable[str] = ()) -> set[str]:
    """All claims that depend on `of`, directly or through others that are not sound; `depends` by claim."""
    direct: dict[str, set[str]] = {}
    for name, others in depends.items():
        for d in others:
            direct.setdefault(d, set()).add(name)
    kept, seen, stack = set(sound), set[str](), [of]
    while stack:
        new = direct.get(stack.pop(), set()) - seen
        seen |= new
        stack += [name for name in new if name not in kept]
    return seen - {of}


def _sound(verdicts: Mapping[str, str], dependent: set[str]) -> set[str]:
    return {name for name, verdict in verdicts.items() if verdict == "proved" and name not in dependent}
