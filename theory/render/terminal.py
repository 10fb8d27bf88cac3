"""The ledger on a terminal: a table of all claims with tallies, or one claim with everything known about it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from itertools import chain, repeat
from typing import Any

from rich.console import Console
from rich.markup import escape
from rich.segment import Segment, Segments
from rich.style import Style
from rich.table import Table

from theory.collection import Collection
from theory.impact import Uses, impact
from theory.kernel.claim import SEVERITIES, Claim
from theory.kernel.proof_parts import parts_of
from theory.kernel.rules import Definition
from theory.kernel.statement import as_json
from theory.ledger import DEFECTS, LEVELS, VERDICTS, Entry
from theory.render.sentences import first_sentence

TYPED = "[typed, not generated from a check]"
BOLD = Style(bold=True)
COLOURS = {
    "proved": "green",
    "refuted": "red",
    "gap": "yellow",
    "misprint": "magenta",
    "supported": "cyan",
    "open": "blue",
}


def table(entries: list[Entry], collection: Collection, out: Console) -> None:
    """All claims, one line each, and what they add up to."""
    out.print(f"[bold]{escape(collection.title)}[/]\n")
    rows = Table(box=None, pad_edge=False, expand=True)
    for column in ("verdict", "level", "claim", "place", "why"):
        rows.add_column(column, no_wrap=True, overflow="ellipsis", ratio=1 if column == "why" else None)
    for e in entries:
        verdict = f"[{COLOURS[e.verdict]}]{e.verdict}[/]"
        place = e.place.number if e.place and e.claim.by == "paper" else ""
        rows.add_row(
            verdict, e.level or e.claim.severity or "", escape(e.claim.id), place, escape(first_sentence(e.claim.why))
        )
    out.print(rows)
    out.print()
    of_others = () if collection.complete else definitions(entries)  # docs/laws.md lists those of this project
    for line in (*tallies(entries), *by_cause(entries, collection), *of_others):
        out.print(line, markup=False, highlight=False, soft_wrap=True)


def tallies(entries: Iterable[Entry]) -> Iterator[str]:
    """One line each for claims of the paper, repairs and results of our own; then levels and mutants."""
    entries = list(entries)
    groups = {
        ("claim of the paper", "claims of the paper"): [e for e in entries if e.claim.by == "paper"],
        ("repair", "repairs"): [e for e in entries if e.claim.by == "us" and e.claim.repairs],
        ("result of our own", "results of our own"): [e for e in entries if e.claim.by == "us" and not e.claim.repairs],
    }
    for (one, several), group in groups.items():
        counts = Counter(e.verdict for e in group)
        found = ", ".join(f"{counts[v]} {v}" for v in VERDICTS if counts[v])
        if group:
            yield f"{len(group)} {one if len(group) == 1 else several}: {found}"
    levels = Counter(e.level for e in entries if e.level)
    if levels:
        own = sum(bool(e.finding.assumes_itself) for e in entries if e.level)
        inherited = (
            f" ({own} because of their own steps, the others because of claims that they use)"
            if levels["argued"]
            else ""
        )
        by_level = {**{x: f"{levels[x]} {x}" for x in LEVELS}, "argued": f"{levels['argued']} argued{inherited}"}
        yield f"{sum(levels.values())} proved: " + ", ".join(by_level[x] for x in reversed(LEVELS) if levels[x])
    mutants = [m for e in entries for m in e.finding.mutants]
    yield f"mutants: {sum(m.killed for m in mutants)} of {len(mutants)} rejected"


def definitions(entries: Iterable[Entry]) -> Iterator[str]:
    """What proofs take as it is: every definition, by name, and the relations that it states."""
    found: dict[str, dict[str, None]] = {}
    for e in entries:
        for part in () if e.broken else parts_of(e.claim.argument.parts):
            if isinstance(part, Definition):
                found.setdefault(part.of, {})[as_json(part.gives, (), "step")["relation"]] = None
    if found:
        yield f"\n{len(found)} definitions are taken as they are, not proved:"
        yield from (f"  {name}:  {';  '.join(relations)}" for name, relations in found.items())


def by_cause(entries: Iterable[Entry], collection: Collection) -> Iterator[str]:
    """How many defects there are, by severity and by cause, the most frequent cause first."""
    defects = [e for e in entries if e.verdict in DEFECTS]
    causes = Counter(e.claim.cause for e in defects if e.claim.cause)
    if not causes:
        return
    severities = Counter(e.claim.severity for e in defects)
    found = ", ".join(f"{severities[s]} {s}" for s in SEVERITIES if severities[s])
    yield f"\n{len(defects)} defects from {len(causes)} causes ({found})"
    for cause, count in causes.most_common():
        yield f"{count:4d}  {cause}: {collection.causes.get(cause, '')}"


def explain(e: Entry, claims: Mapping[str, Claim], verdicts: Mapping[str, str], uses: Uses, out: Console) -> None:
    """One claim: statement, verdict, counterexample, repair, dependencies, evidence."""
    lines = (*_head(e, claims, verdicts), *_depends(e, claims, verdicts, uses), *_checked(e))
    parts = (part for title, text in lines for part in (Segment(f"{title:<15}", BOLD), Segment(f"{text}\n")))
    out.print(Segments(parts), end="", soft_wrap=True)  # as they are: to lay out thousands of lines is slow


def _head(e: Entry, claims: Mapping[str, Claim], verdicts: Mapping[str, str]) -> Iterator[tuple[str, str]]:
    c, f = e.claim, e.finding
    yield "claim", c.id
    yield "where", f"{e.where}  ({c.kind}, {'by the paper' if c.by == 'paper' else 'ours'})"
    yield "verdict", e.verdict + (f", level {e.level}" if e.level else "") + (f"  [{e.problem}]" if e.problem else "")
    if c.severity:
        yield "severity", f"{c.severity}; cause: {c.cause}"
    yield from (("in Coq", f"{name}, for every number of arms, from the facts that it lists") for name in e.coq_model)
    yield from (("assumes", a) for a in e.assumes)
    yield from (("law of model", law) for law in f.laws_itself)
    yield from (("law of model", f"{law}  [of a claim that it uses]") for law in e.laws if law not in f.laws_itself)
    yield from _says(e)
    letters = {x: meaning for item in _stated(e) for x, meaning in item["letters"].items()}
    yield from (("", f"{letter}: {meaning}") for letter, meaning in letters.items())
    if e.says == e.statement:
        yield "in LaTeX", e.says
    yield "why", c.why
    if f.counterexample:
        shown = {k: (", ".join(v) if isinstance(v, list) else v) for k, v in f.counterexample.items()}
        sides = {k: shown.pop(k) for k in ("left", "right") if k in shown}
        yield "counterexample", "; ".join(f"{k} = {v}" for k, v in shown.items())
        if sides:
            yield "", f"left side = {sides['left']}, right side = {sides['right']}"
        if f.typed:
            yield "", f"typed by hand, not compared with the relation: {', '.join(f.typed)}"
    yield from (("premise", text) for text in f.premises)
    if e.missing:
        yield "missing", e.missing
    elif f.fails_when:
        generated = f.region is not None and f.fails_when == f.region["inequality"] and not f.region["typed"]
        yield "fails when", f.fails_when if generated else f"{f.fails_when}  {TYPED}"
    if f.region:
        where = "at every point of its domain" if f.region["everywhere"] else f"in {', '.join(f.region['variables'])}"
        only = "; this is the printed relation negated" if f.region["negation"] else ""
        own = "" if f.region["of_printed"] else "; proved for another form of the relation (see the items)"
        typed = f"  {TYPED}" if f.region["typed"] else ""
        yield "region", f"{f.region['inequality']}, {where}{only}{own}{typed}"
        yield from (("", f"where {name} = {value}") for name, value in f.region["where"].items())
    if c.repairs:
        yield "repairs", c.repairs
    if e.repaired_by:
        says = claims[e.repaired_by].says
        yield "repaired by", f"{e.repaired_by} ({verdicts.get(e.repaired_by)})" + (f": {says}" if says else "")


def _says(e: Entry) -> Iterator[tuple[str, str]]:
    """The statement: as it was typed, if it was; in plain text what was checked."""
    if e.says != e.statement:
        yield ("printed" if e.claim.by == "paper" else "statement"), f"{e.says}  {TYPED}"
    title = "statement" if e.says == e.statement else "checked"
    where: dict[str, None] = {}
    lines: dict[str, None] = {}
    for item in _stated(e):
        own = [h.removesuffix("  [hypothesis]") for h in item["given"] if h.endswith("[hypothesis]")]
        if item["domain"]:
            lines[f"for {item['domain']}:"] = None
        lines[(f"if {' and '.join(own)}: " if own else "") + item["relation"]] = None
        where.update(dict.fromkeys(f"where {definition}" for definition in item["where"]))
    yield from zip(chain([title], repeat("")), (*lines, *where), strict=False)


def _stated(e: Entry) -> list[dict[str, Any]]:
    """The items that are the statement: of a defect the printed relation, else the conclusions of the proof."""
    roles = [item.get("role") for item in e.items]
    wanted = "printed" if "printed" in roles else "conclusion"
    return [item for item, role in zip(e.items, roles, strict=True) if role == wanted]


def _depends(
    e: Entry, claims: Mapping[str, Claim], verdicts: Mapping[str, str], uses: Uses
) -> Iterator[tuple[str, str]]:
    yield from (("uses", f"{d} ({verdicts.get(d, 'unknown')})") for d in e.uses)
    yield from (("cites", f"{d} ({verdicts.get(d, 'unknown')})") for d in e.cites)
    for name, outcome in impact(e.claim.id, claims, verdicts, uses):
        yield ("used by" if outcome == "its proof uses it" else "cited by"), f"{name}: {outcome}"


def _checked(e: Entry) -> Iterator[tuple[str, str]]:
    """Every relation that was checked with its domain and hypotheses, the evidence, the mutants."""
    for item in e.items:
        name = f"{item['name']} " if item.get("name") else ""
        yield "item", f"{name}[{item.get('role', '')}]: {item['relation']}"
        if item.get("domain"):
            yield "", f"for {item['domain']}"
        yield from (("", f"given {hypothesis}") for hypothesis in item.get("given", ()))
        yield "", f"by {', '.join(item['engines'])}"
    named = dict.fromkeys(f"{name} is {letter}" for item in e.items for name, letter in item.get("symbols", {}).items())
    if named:
        yield "in evidence", ", ".join(named)
    for evidence in e.finding.evidence:
        yield "evidence", f"{evidence.engine}, {evidence.outcome}, {evidence.seconds:.2f} s: {evidence.check}"
        if evidence.certificate:
            yield "", evidence.certificate
    for m in e.finding.mutants:
        yield "mutant", f"{m.name}: {'rejected' if m.killed else 'ACCEPTED (bug)'}"
