"""Which claims of the paper hold? The ledger of `theory` as a section, without run times."""

from __future__ import annotations

import gzip
import json
import re
from collections import Counter
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any

from reports.core.jobs import Options, Outcome, Section, Settings, Tools, Unit
from reports.core.panel import Panel, Table
from reports.core.store import canonical, digest, write_file
from reports.sections.common.claim_tex import printed_relation, relation_tex, shown_value

DEFECTS = ("refuted", "gap", "misprint")  # the worst first
SEVERITIES = {
    "result": "a theorem, lemma or proposition is false where it is used, or its proof does not establish it",
    "argument": "a step of an argument fails; the result holds by another route",
    "edge": "false in a boundary case only: one arm, one round, unpulled arms, zero variances",
    "wording": "misprints, notation, terminology",
    "experiment": "a sentence about simulation results that was not reproduced",
}
RECORDED = Path(__file__).parents[1] / "recorded" / "ledger.json.gz"


def claim_records(settings: Settings, tools: Tools) -> Outcome:
    """All claims as JSON, in ledger order; each with what depends on it and its counterexample as LaTeX.

    Taken from the record while it was made from the same sources of `theory`, else the claims are checked again.
    """
    kept = recorded_outcome(settings["theory"])
    return checked_now() if kept is None else kept


def recorded_outcome(version: str) -> Outcome | None:
    """The recorded ledger, if there is one of this version of `theory`."""
    if not RECORDED.exists():
        return None
    record = json.loads(gzip.decompress(RECORDED.read_bytes()))
    return dict(record["outcome"]) if record["theory"] == version else None


def write_record(outcome: Outcome) -> None:
    """Record the ledger for this version of `theory`; the same ledger gives the same bytes."""
    text = canonical({"theory": sources(), "outcome": outcome})
    write_file(RECORDED, gzip.compress(text.encode(), mtime=0))


def checked_now(entries: Sequence[Any] | None = None) -> Outcome:
    """Every claim checked now, unless the checked entries are given."""
    from theory.across_claims import disorder
    from theory.impact import radius
    from theory.ledger import check_claims

    entries = check_claims() if entries is None else entries
    return {
        "claims": [_record(e, radius(entries, e.claim.id)) for e in entries],
        "disorder": disorder(entries),
    }


def _record(entry: Any, impact: Sequence[tuple[str, str]]) -> dict[str, Any]:
    found: dict[str, Any] = entry.as_json()
    for item in found["evidence"]:
        del item["seconds"]
    example = {name: shown_value(value) for name, value in (found["counterexample"] or {}).items()}
    region = found["region"] or {}
    return found | {
        "section": section_of(entry.place) if found["by"] == "paper" or found["repairs"] else "Ours",
        "cause_text": causes().get(found.get("cause") or "", found.get("cause")),
        "example": example,
        "relation": printed_relation(entry),
        "region_tex": None if region.get("everywhere") else relation_tex(region.get("inequality", "")),
        "impact": [list(pair) for pair in impact],
    }


@cache
def sections() -> list[tuple[int, str]]:
    """(line of the source, number) of every section of the paper, by line."""
    from theory.collection import the_paper

    labels = json.loads(Path(str(the_paper().labels)).read_text(encoding="utf-8"))["labels"].values()
    return sorted((x["line"], x["number"]) for x in labels if re.match("Section|Appendix", x["number"]))


@cache
def causes() -> Mapping[str, str]:
    """Key and sentence of every cause of defects."""
    from theory.collection import the_paper

    return the_paper().causes


def section_of(place: Any) -> str:
    """The section of a place in the paper."""
    if place is None:
        return "Ours"
    before = [number for line, number in sections() if line <= place.line]
    return before[-1] if before else "Section 1"


@cache
def sources() -> str:
    """Digest of everything the ledger is computed from."""
    import theory

    home = Path(str(theory.__file__)).parent
    files = sorted(path for path in home.rglob("*") if path.suffix in (".py", ".json"))
    here = [Path(__file__), Path(__file__).parent / "common" / "claim_tex.py"]  # what makes records of the entries
    return digest("".join(f"{path.name} {digest(path.read_bytes())}\n" for path in (*files, *here)))


def units(options: Options) -> Sequence[Unit]:
    return [Unit(claim_records, {"theory": sources()})]


def tally(claims: Sequence[Mapping[str, Any]]) -> dict[str, int]:
    """What the first screen says: claims of the paper that hold and fail, defects whose repair holds, and ours."""
    by_id = {c["id"]: c for c in claims}
    paper = [c for c in claims if c["by"] == "paper"]
    verdicts = Counter(c["verdict"] for c in paper)
    defects = [c for c in paper if c["verdict"] in DEFECTS]
    repaired = [
        c for c in defects if c["repaired_by"] and by_id[c["repaired_by"]]["verdict"] in ("proved", "supported")
    ]
    repairs = sum(c["by"] != "paper" and c["repairs"] is not None for c in claims)
    causes = {c["cause"] for c in defects if c.get("cause")}
    return {
        "paper": len(paper),
        "repairs": repairs,
        "own": len(claims) - len(paper) - repairs,
        "hold": verdicts["proved"] + verdicts["supported"],
        "fail": len(defects),
        "causes": len(causes),
        "repaired": len(repaired),
        **{v: verdicts[v] for v in (*DEFECTS, "proved", "supported", "open")},
        "mutants": sum(c["mutants"]["tried"] for c in claims),
        "killed": sum(c["mutants"]["killed"] for c in claims),
    }


def analyse(options: Options, outcomes: Sequence[Outcome]) -> Sequence[Panel]:
    claims = outcomes[0]["claims"]
    t = tally(claims)
    finding = (
        f"Of {t['paper']} claims of the paper {t['hold']} hold and {t['fail']} do not hold as printed "
        f"({t['refuted']} refuted, {t['gap']} gaps, {t['misprint']} misprints); {t['repaired']} of these are repaired."
    )
    columns = ("id", "where", "kind", "by", "verdict", "severity", "repaired_by")
    rows = tuple(tuple(c[name] for name in columns) for c in claims)
    wrong = [f"{c['id']}: {c['problem']}; python -m theory {c['id']}" for c in claims if c["problem"]]
    alerts = (*wrong, *(f"{text}; python -m theory" for text in outcomes[0]["disorder"]))
    return [
        Panel(
            id="ledger",
            title="Verdicts of all claims",
            finding=finding,
            data={"claims": claims},
            table=Table(columns, rows),
            reproduce=options.command("ledger"),
            alerts=alerts,
        )
    ]


SECTIONS = (Section("ledger", "The ledger", "ledger", units, analyse),)
