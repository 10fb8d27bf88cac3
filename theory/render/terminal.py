"""One claim, told to a reader: statement, verdict, worked counterexample, repair, dependencies, evidence."""

from __future__ import annotations

from rich.console import Console

from theory.impact import radius
from theory.ledger import Entry


def explain(label: str, entries: list[Entry], out: Console) -> None:
    by_id = {e.claim.id: e for e in entries}
    e = by_id[label]
    c, f = e.claim, e.finding

    def line(title: str, text: str) -> None:
        out.print(f"[bold]{title:<15}[/]", end="")
        out.print(text, markup=False, highlight=False)

    line("claim", c.id)
    line("where", f"{c.where}  ({c.kind})")
    line("verdict", e.verdict + (f"  [{e.problem}]" if e.problem else ""))
    line("says", c.says)
    line("why", c.why)
    if f.counterexample:
        shown = {k: (", ".join(v) if isinstance(v, list) else v) for k, v in f.counterexample.items()}
        sides = {k: shown.pop(k) for k in ("left", "right") if k in shown}
        line("counterexample", "; ".join(f"{k} = {v}" for k, v in shown.items()))
        if sides:
            line("", f"left side = {sides['left']}, right side = {sides['right']}")
    if f.fails_when:
        line("fails when", f.fails_when)
    if f.region:
        where = "at every point of its domain" if f.region["everywhere"] else f"in {', '.join(f.region['variables'])}"
        line("region", f"{f.region['inequality']}, {where}")
    if c.repairs:
        line("repairs", c.repairs)
    if e.repaired_by:
        repair = by_id[e.repaired_by]
        line("repaired by", f"{repair.claim.id} ({repair.verdict}): {repair.claim.says}")
    for d in c.depends_on:
        line("rests on", f"{d} ({by_id[d].verdict})" if d in by_id else f"{d} (unknown)")
    for name, fate in radius(entries, label):
        line("under it", f"{name}: {fate}")
    for item in f.evidence:
        line("evidence", f"{item.engine}, {item.outcome}, {item.seconds:.2f} s: {item.check}")
        if item.certificate:
            line("", item.certificate)
    for m in f.mutants:
        line("false variant", f"{m.name}: {'refused' if m.killed else 'BELIEVED'}")
