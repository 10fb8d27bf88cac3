"""An erratum in LaTeX that can be sent to the authors: the most serious defects first, the rest in an appendix."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from theory.collection import Collection
from theory.kernel.claim import SEVERITIES
from theory.ledger import DEFECTS, Entry
from theory.render.sentences import first_sentence
from theory.render.tex import decimal, escape, sentence, value

TITLES = {
    "result": "Stated results that do not hold, or are not proved, as printed",
    "argument": "Steps that fail while the result holds otherwise",
    "edge": "Boundary cases that are not excluded",
    "wording": "Misprints, notation and wording",
    "experiment": "Sentences about experiments that were not reproduced (the thresholds are ours)",
}
MAIN = ("result",)  # in full in the main text, which has at most four pages
HEAD = r"""\documentclass[10pt]{article}
\usepackage{amsmath,amssymb,geometry,url}
\geometry{a4paper,margin=2cm}
\setlength{\parindent}{0pt}\setlength{\parskip}{3pt}\urlstyle{tt}\sloppy\emergencystretch=3em
\begin{document}
"""


def erratum(entries: Iterable[Entry], collection: Collection) -> str:
    """The erratum: a summary and the defects of results; then, in an appendix, all others by severity."""
    entries = list(entries)
    by_id = {e.claim.id: e for e in entries}
    defects = [e for e in entries if e.verdict in DEFECTS]
    parts = [rf"\section*{{{escape(collection.title)}: erratum}}", *_summary(defects, collection)]
    for severity in MAIN:
        parts += _section(severity, defects, by_id)
    parts.append(r"\clearpage\appendix\section*{Appendix: all other defects}")
    for other in (s for s in (*SEVERITIES, None) if s not in MAIN):
        parts += _section(other, defects, by_id)
    return HEAD + "\n\n".join(parts) + "\n\\end{document}\n"


def _summary(defects: list[Entry], collection: Collection) -> Iterator[str]:
    """How many defects there are, and the causes, the most frequent first."""
    causes = Counter(e.claim.cause for e in defects if e.claim.cause)
    severities = Counter(e.claim.severity for e in defects if e.claim.severity)
    counts = ", ".join(f"{severities[s]} {s}" for s in SEVERITIES if severities[s])
    yield rf"{len(defects)} defects from {len(causes)} causes ({counts}). Lines are those of the \LaTeX{{}} source."
    rows = [
        rf"\item[{count}] {sentence(collection.causes.get(cause, cause))} {_places(cause, defects)}"
        for cause, count in causes.most_common()
    ]
    if rows:
        yield "\n".join((r"\begin{description}\footnotesize\setlength{\itemsep}{-3pt}", *rows, r"\end{description}"))


def _places(cause: str, defects: list[Entry]) -> str:
    """Where a cause shows: the numbers in the paper, each once."""
    numbers = dict.fromkeys(e.place.number for e in defects if e.claim.cause == cause and e.place)
    return f"({escape(', '.join(numbers))})" if numbers else ""


def _section(severity: str | None, defects: list[Entry], by_id: Mapping[str, Entry]) -> Iterator[str]:
    chosen = [e for e in defects if e.claim.severity == severity]
    if chosen:
        yield rf"\subsection*{{{TITLES.get(severity or '', 'Other defects')}}}"
    yield from (_defect(e, by_id) for e in chosen)


def _defect(e: Entry, by_id: Mapping[str, Entry]) -> str:
    """Place; printed formula; correct statement; reason; counterexample with both sides as numbers."""
    lines = [
        rf"\textbf{{{escape(e.where)}}} (\path{{{e.claim.id}}}, {e.verdict}).",
        rf"\emph{{Printed:}} ${e.says}$.",
    ]
    if e.repaired_by:
        lines.append(rf"\emph{{Correct:}} ${by_id[e.repaired_by].says}$.")
    lines.append(rf"\emph{{Reason:}} {sentence(first_sentence(e.claim.why))}.")
    if e.finding.counterexample:
        lines.append(rf"\emph{{Counterexample:}} {counterexample(e.finding.counterexample)}.")
    return "\n".join(lines)


def counterexample(shown: Mapping[str, Any]) -> str:
    """The point in the paper's letters and both sides as numbers."""
    found = dict(shown)
    left, right = found.pop("left", None), found.pop("right", None)
    at = ", ".join(f"{sentence(name)}: {_values(v)}" for name, v in found.items())
    if left is None or right is None:
        return at
    sides = (decimal(left), decimal(right))
    if sides[0] == sides[1]:
        return f"{at}; both sides are {sides[0]}" if sides[0] != "$0$" else f"{at}; the left side is $0$"
    return f"{at}; left side {sides[0]}, right side {sides[1]}"


def _values(found: Any) -> str:
    return ", ".join(map(value, found)) if isinstance(found, list) else value(str(found))
