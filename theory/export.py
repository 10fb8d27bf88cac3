"""The ledger as Markdown, and an erratum in LaTeX that can be sent to the authors."""

from __future__ import annotations

from pathlib import Path

from theory.ledger import Entry

DEFECTS = ("refuted", "misprint", "gap")


def write(entries: list[Entry], folder: Path) -> list[Path]:
    """Write ledger.md and erratum.tex into the folder; their paths."""
    folder.mkdir(parents=True, exist_ok=True)
    written = []
    for name, text in (("ledger.md", markdown(entries)), ("erratum.tex", latex(entries))):
        path = folder / name
        temporary = path.with_name(path.name + ".part")
        temporary.write_text(text, encoding="utf-8")
        temporary.replace(path)
        written.append(path)
    return written


def markdown(entries: list[Entry]) -> str:
    rows = ["# The ledger", "", "| verdict | claim | where | why | repaired by |", "|---|---|---|---|---|"]
    for e in entries:
        repair = f"`{e.repaired_by}`" if e.repaired_by else ""
        cells = (e.verdict, f"`{e.claim.id}`", e.claim.where, e.claim.why, repair)
        rows.append("| " + " | ".join(c.replace("|", "\\|") for c in cells) + " |")
    return "\n".join(rows) + "\n"


def latex(entries: list[Entry]) -> str:
    by_id = {e.claim.id: e for e in entries}
    body = []
    for e in entries:
        if e.verdict not in DEFECTS:
            continue
        repair = f"${by_id[e.repaired_by].claim.says}$" if e.repaired_by else ""  # what a claim says is mathematics
        example = e.finding.counterexample or {}
        found = "; ".join(f"{k}={', '.join(v) if isinstance(v, list) else v}" for k, v in example.items())
        body.append(" & ".join((r"\texttt{" + escape(e.claim.id) + "}", e.verdict, escape(e.claim.why),
                                escape(found), repair)) + r" \\")
    return "\n".join([
        r"\documentclass{article}", r"\usepackage{amsmath,amssymb,longtable,geometry}",
        r"\geometry{landscape,margin=2cm}", r"\begin{document}", r"\section*{Random Effect Bandits: erratum}",
        r"\begin{longtable}{p{3.5cm}p{1.6cm}p{8cm}p{4.5cm}p{6cm}}",
        r"label & verdict & reason & counterexample & correct statement \\ \hline \endhead", *body,
        r"\end{longtable}", r"\end{document}", ""])


def escape(text: str) -> str:
    table = {"\\": r"\textbackslash{}", "_": r"\_", "%": r"\%", "&": r"\&", "#": r"\#", "$": r"\$", "^": r"\^{}",
             "~": r"\textasciitilde{}", "{": r"\{", "}": r"\}", "<": r"$<$", ">": r"$>$"}
    return "".join(table.get(c, c) for c in text)
