"""The ledger as Markdown, and an erratum in LaTeX that can be sent to the authors."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path

from theory.collection import Collection, the_paper
from theory.ledger import Entry, replace_file
from theory.render.tex import escape, number, sentence

PROBE = 1 << 20  # bytes, more than the files need
DEFECTS = ("refuted", "misprint", "gap")


def check_target(folder: Path) -> None:
    """Create the folder and try to write into it.

    Raises
    ------
    OSError
        If the folder is a file, cannot be created, is read-only, or the disk is full.
    """
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=folder) as probe:
            probe.write(bytes(PROBE))
            probe.flush()
            os.fsync(probe.fileno())
    except OSError as problem:
        raise OSError(f"--export {folder}: cannot write there: {problem.strerror}") from None


def write(entries: list[Entry], folder: Path, collection: Collection | None = None) -> list[Path]:
    """Write ledger.md and erratum.tex into the folder; their paths."""
    folder.mkdir(parents=True, exist_ok=True)
    texts = {"ledger.md": markdown(entries), "erratum.tex": latex(entries, (collection or the_paper()).title)}
    for name, text in texts.items():
        replace_file(folder / name, text)
    return [folder / name for name in texts]


def markdown(entries: list[Entry]) -> str:
    rows = ["# The ledger", "", "| verdict | claim | where | why | repaired by |", "|---|---|---|---|---|"]
    for e in entries:
        repair = f"`{e.repaired_by}`" if e.repaired_by else ""
        cells = (e.verdict, f"`{e.claim.id}`", e.where, e.claim.why, repair)
        rows.append("| " + " | ".join(c.replace("|", "\\|") for c in cells) + " |")
    return "\n".join(rows) + "\n"


def latex(entries: list[Entry], title: str = "") -> str:
    """A table with two columns: which claim, and what is wrong with it, where, and what is right instead."""
    by_id = {e.claim.id: e for e in entries}
    body = [rf"{_which(e)} & {_what(e, by_id)} \\" for e in entries if e.verdict in DEFECTS]
    return "\n".join(
        [
            r"\documentclass{article}",
            r"\usepackage{amsmath,amssymb,array,longtable,geometry,url}",
            r"\geometry{landscape,margin=1.5cm}",
            r"\setlength{\parindent}{0pt}\urlstyle{tt}",
            r"\begin{document}",
            rf"\section*{{{escape(title)}: erratum}}",
            r"\begin{longtable}{>{\raggedright\arraybackslash}p{5cm}>{\raggedright\arraybackslash}p{20cm}}",
            r"claim & as printed, what is wrong, and what is right instead \\ \hline \endhead",
            *body,
            r"\end{longtable}",
            r"\end{document}",
            "",
        ]
    )


def _which(e: Entry) -> str:
    return rf"\path{{{e.claim.id}}}\newline {escape(e.where)}\newline \textbf{{{e.verdict}}}"


def _what(e: Entry, by_id: dict[str, Entry]) -> str:
    parts = [f"${e.says}$", sentence(e.claim.why)]  # what a claim says is mathematics
    if e.finding.counterexample:
        shown = {k: v if isinstance(v, list) else [v] for k, v in e.finding.counterexample.items()}
        at = ", ".join(f"{sentence(k)} = {', '.join(map(number, v))}" for k, v in shown.items())
        parts.append(rf"\emph{{Counterexample:}} {at}.")
    if e.finding.fails_when:
        parts.append(rf"\emph{{Fails when:}} {sentence(e.finding.fails_when)}.")
    if e.repaired_by:
        parts.append(rf"\emph{{Instead:}} ${by_id[e.repaired_by].says}$")
    return r"\newline ".join(parts) + r"\vspace{4pt}"
