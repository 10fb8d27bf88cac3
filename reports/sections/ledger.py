"""The ledger of `theory` as a section: every claim settled again, without the clock's traces."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any

from reports.core.jobs import Options, Outcome, Section, Settings, Tools, Unit
from reports.core.panel import Panel, Table
from reports.core.store import digest

LETTERS = {
    "n": "n_k",
    "s": r"{\sigma^2}",
    "s0": r"{\sigma_0^2}",
    "J": "(K-1)",
    "Wo": r"W_{-k}",
    "No": "N_{-k}",
}
DEFECTS = ("refuted", "gap", "misprint")  # the worst first


def claim_records(settings: Settings, tools: Tools) -> Outcome:
    """All claims as JSON, in ledger order; each with what rests on it and its counterexample as LaTeX."""
    from theory.impact import radius
    from theory.ledger import disorder
    from theory.ledger import settle as run

    entries = run()
    return {
        "claims": [_record(e, radius(entries, e.claim.id)) for e in entries],
        "disorder": disorder(entries),
    }


def _record(entry: Any, blast: Sequence[tuple[str, str]]) -> dict[str, Any]:
    found: dict[str, Any] = entry.as_json()
    for item in found["evidence"]:
        del item["seconds"]
    example = {name: _shown(value) for name, value in (found["counterexample"] or {}).items()}
    ours = entry.claim.module.startswith("theory.ours") or found["repairs"] is not None
    return found | {
        "ours": ours,
        "example": example,
        "relation": _relation(entry),
        "blast": [list(pair) for pair in blast],
    }


def _relation(entry: Any) -> dict[str, str] | None:
    """The printed relation that a counterexample breaks: its sign, and its sides in the paper's letters."""
    import sympy as sp

    printed = getattr(entry.claim.build(), "printed", None)
    if printed is None or entry.finding.counterexample is None:
        return None
    letters = {sp.Symbol(name): tex for name, tex in LETTERS.items()}
    sides = (sp.latex(side, symbol_names=letters) for side in (printed.rel.left, printed.rel.right))
    return {"op": printed.rel.op, **dict(zip(("left", "right"), sides, strict=True))}


def _shown(value: Any) -> dict[str, str]:
    """An exact value of a counterexample as LaTeX, and as a decimal where that says more."""
    import sympy as sp

    texts = value if isinstance(value, list) else [str(value)]
    try:
        exact = [sp.sympify(text) for text in texts]
    except (sp.SympifyError, TypeError, ValueError, AttributeError):
        exact = []
    if not exact or not all(isinstance(x, sp.Expr) and x.is_number for x in exact):  # words
        return {"text": ", ".join(texts)}
    tex = ", ".join(sp.latex(x) for x in exact)
    decimal = ", ".join(str(sp.N(x, 5)) for x in exact if not x.is_Integer)
    return {"tex": f"({tex})" if isinstance(value, list) and len(exact) > 1 else tex, "decimal": decimal}


@cache
def sources() -> str:
    """Digest of everything the ledger is computed from."""
    import theory

    home = Path(str(theory.__file__)).parent
    files = sorted(path for path in home.rglob("*") if path.suffix in (".py", ".json"))
    return digest("".join(f"{path.relative_to(home).as_posix()} {digest(path.read_bytes())}\n" for path in files))


def units(options: Options) -> Sequence[Unit]:
    return [Unit(claim_records, {"theory": sources()})]


def tally(claims: Sequence[Mapping[str, Any]]) -> dict[str, int]:
    """What the first screen says: claims of the paper that hold and fail, and defects whose repair holds."""
    by_id = {c["id"]: c for c in claims}
    paper = [c for c in claims if not c["ours"]]
    verdicts = Counter(c["verdict"] for c in paper)
    defects = [c for c in paper if c["verdict"] in DEFECTS]
    repaired = [
        c for c in defects if c["repaired_by"] and by_id[c["repaired_by"]]["verdict"] in ("proved", "supported")
    ]
    return {
        "paper": len(paper),
        "ours": len(claims) - len(paper),
        "hold": verdicts["proved"] + verdicts["supported"],
        "fail": len(defects),
        "repaired": len(repaired),
        **{v: verdicts[v] for v in (*DEFECTS, "proved", "supported")},
        "mutants": sum(c["mutants"]["tried"] for c in claims),
        "killed": sum(c["mutants"]["killed"] for c in claims),
    }


def analyse(options: Options, outcomes: Sequence[Outcome]) -> Sequence[Panel]:
    claims = outcomes[0]["claims"]
    t = tally(claims)
    finding = (
        f"Of {t['paper']} claims of the paper {t['hold']} hold and {t['fail']} do not as printed "
        f"({t['refuted']} refuted, {t['gap']} gaps, {t['misprint']} misprints); {t['repaired']} of these are repaired."
    )
    rows = tuple((c["id"], c["where"], c["kind"], c["verdict"], c["repaired_by"]) for c in claims)
    wrong = [f"{c['id']}: {c['problem']}; python -m theory {c['id']}" for c in claims if c["problem"]]
    alerts = (*wrong, *(f"{text}; python -m theory" for text in outcomes[0]["disorder"]))
    return [
        Panel(
            id="ledger",
            title="Every claim of the paper, settled",
            finding=finding,
            data={"claims": claims},
            table=Table(("claim", "where", "kind", "verdict", "repaired by"), rows),
            reproduce=options.command("ledger"),
            alerts=alerts,
        )
    ]


SECTIONS = (Section("ledger", "The ledger", "ledger", units, analyse),)
