"""An erratum in LaTeX that can be sent to the authors: the most serious defects first, the rest in an appendix."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Container, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

import sympy as sp

from theory.collection import Collection
from theory.kernel import statement
from theory.kernel.argument import Proof
from theory.kernel.claim import SEVERITIES
from theory.kernel.goal import Goal
from theory.ledger import DEFECTS, Entry
from theory.render.sentences import opening
from theory.render.tex import decimal, escape, exact, sentence, value

TITLES = {
    "result": "Stated results that do not hold, or are not proved, as printed",
    "argument": "Steps that fail while the result holds otherwise",
    "edge": "Boundary cases that are not excluded",
    "wording": "Misprints, notation and wording",
    "experiment": "Sentences about experiments that were not reproduced (the thresholds are ours)",
}
MAIN = ("result",)  # in full in the main text, which has at most four pages
LISTED = ("argument",)  # one line each in the main text
KINDS = ("Theorem", "Lemma", "Proposition", "Eq.", "Algorithm")  # the order of places of one severity
TYPED = (
    "What is \\emph{printed} is typed by us, what is \\emph{correct} is generated from what was checked. A star marks "
    "what a counterexample says of the bandit and nothing in the checked relation was compared with."
)
NAMES = {"horizon": "n", "W^h_others": "W_{others}^h"}  # what a counterexample calls otherwise than the paper
NAMES |= {f"{letter}_others": f"{letter}_{{others}}" for letter in "WNQS"}
SEVERAL = {"n": "n_k"}  # where it has one value for each arm
OFTEN = 6  # a range or definition that is printed in the notation instead of beside so many statements
HEAD = r"""\documentclass[10pt]{article}
\usepackage{amsmath,amssymb,geometry,url}
\geometry{a4paper,margin=2cm}
\setlength{\parindent}{0pt}\setlength{\parskip}{3pt}\urlstyle{tt}\raggedright\relpenalty=0\binoppenalty=0
\begin{document}
"""


@dataclass(frozen=True)
class Notation:
    """What many statements share: usual ranges and definitions, and what the letters mean."""

    ranges: Mapping[str, str] = field(default_factory=dict)  # by letter
    definitions: tuple[str, ...] = ()
    meanings: Mapping[str, str] = field(default_factory=dict)

    @property
    def said(self) -> Container[str]:
        return {*self.ranges.values(), *self.definitions}

    def __str__(self) -> str:
        letters = [f"${letter}$ {sentence(meaning)}" for letter, meaning in self.meanings.items()]
        ranges = ", ".join(f"${r}$" for r in self.ranges.values())
        defined = ", ".join(f"${d}$" for d in self.definitions)
        parts = ("; ".join(letters), f"unless said otherwise {ranges}" if ranges else "", defined)
        return rf"\emph{{Notation.}} {'; '.join(p for p in parts if p)}."


def erratum(entries: Iterable[Entry], collection: Collection) -> str:
    """The erratum: a summary, the defects of results in full and the failing steps in one line each; then, in an
    appendix, all others by severity."""
    entries = list(entries)
    by_id = {e.claim.id: e for e in entries}
    defects = sorted((e for e in entries if e.verdict in DEFECTS), key=_rank)
    repairs = [by_id[e.repaired_by] for e in defects if e.repaired_by in by_id]
    shared = notation([g for repair in repairs for g in _goals(repair)])
    parts = [rf"\section*{{{escape(collection.title)}: erratum}}", *_summary(defects, collection)]
    if shared.said:
        parts.append(rf"{{\footnotesize {shared}\par}}")
    for severity in MAIN:
        parts += _section(severity, defects, by_id, shared)
    for severity in LISTED:
        parts += _list(f"{TITLES[severity]} (in full in the appendix)", defects, severity)
    parts += _undecided(entries)
    parts.append(r"\label{end-of-main}\clearpage\appendix\section*{Appendix: all other defects}")
    for other in (s for s in (*SEVERITIES, None) if s not in MAIN):
        parts += _section(other, defects, by_id, shared)
    return HEAD + "\n\n".join(parts) + "\n\\end{document}\n"


def notation(goals: list[Goal]) -> Notation:
    """The ranges and definitions that occur often among some statements, one for each letter."""
    found = Counter(pair for g in goals for pair in statement.ranges(g).items())
    ranges: dict[str, str] = {}
    for (letter, where), count in found.most_common():
        if count >= OFTEN:
            ranges.setdefault(letter, where)
    defined = Counter(d for g in goals for d in statement.definitions(g))
    letters: dict[str, str] = {}  # one definition for each letter
    for text, count in defined.most_common():
        if count >= OFTEN:
            letters.setdefault(text.split(" = ")[0], text)
    legends = Counter(pair for g in goals for pair in statement.legend([g]).items())
    uses = Counter(letter for letter, _ in legends.elements())
    meanings = {x: m for (x, m), count in sorted(legends.items()) if x in ranges and 4 * count > 3 * uses[x]}
    return Notation({x: r for x, r in ranges.items() if x in meanings}, tuple(letters.values()), meanings)


def _goals(e: Entry) -> tuple[Goal, ...]:
    """What a claim states, if its statement is generated."""
    argument = e.claim.build() if e.claim.says is None else None
    return argument.conclusions if isinstance(argument, Proof) else ()


def _rank(e: Entry) -> tuple[int, int]:
    """Theorems and lemmas before equations and sections, each kind in the order of the paper."""
    number = e.place.number if e.place else ""
    kind = next((i for i, k in enumerate(KINDS) if number.startswith(k)), len(KINDS))
    return (kind if e.claim.severity in MAIN else 0), e.place.line if e.place else 0


def _summary(defects: list[Entry], collection: Collection) -> Iterator[str]:
    """How many defects there are, and the causes, the most frequent first."""
    causes = Counter(e.claim.cause for e in defects if e.claim.cause)
    severities = Counter(e.claim.severity for e in defects if e.claim.severity)
    counts = ", ".join(f"{severities[s]} {s}" for s in SEVERITIES if severities[s])
    lines = r"Lines are those of the \LaTeX{} source."
    yield f"{len(defects)} defects from {len(causes)} causes ({counts}). {lines} {TYPED}"
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


def _section(severity: str | None, defects: list[Entry], by_id: Mapping[str, Entry], shared: Notation) -> Iterator[str]:
    chosen = [e for e in defects if e.claim.severity == severity]
    if chosen:
        yield rf"\subsection*{{{TITLES.get(severity or '', 'Other defects')}}}"
    yield from (_defect(e, by_id, shared) for e in chosen)


def _list(title: str, defects: list[Entry], severity: str) -> Iterator[str]:
    """Place and reason of each defect of this severity."""
    rows = [rf"{_place(e)}: {_reason(e)}." for e in defects if e.claim.severity == severity]
    if rows:
        yield rf"\subsection*{{{title}}}"
        yield r"{\footnotesize\setlength{\parskip}{0pt}" + r"\par ".join(rows) + r"\par}"


def _undecided(entries: list[Entry]) -> Iterator[str]:
    """Statements of the paper that are neither proved nor refuted, and what would decide them."""
    rows = [
        rf"{_place(e)}: {formula(e.says)}. \emph{{Missing:}} {sentence(e.missing)}."
        for e in entries
        if e.verdict == "open" and e.claim.by == "paper" and e.claim.kind != "statistical" and e.missing
    ]
    if rows:
        yield r"\subsection*{Not decided}"
        yield r"{\footnotesize " + r"\par ".join(rows) + r"\par}"


def _place(e: Entry) -> str:
    """Number and line, as a reader of the PDF and of the source finds them."""
    return f"{escape(e.place.number)}, line {e.place.line}" if e.place else escape(e.where)


def _reason(e: Entry) -> str:
    return sentence(opening(e.claim.why))


def _defect(e: Entry, by_id: Mapping[str, Entry], shared: Notation) -> str:
    """Place; printed formula; correct statement; reason; counterexample with both sides as numbers."""
    lines = [
        rf"\textbf{{{_place(e)}}} (\path{{{e.claim.id}}}, {e.verdict}).",
        rf"\emph{{Printed:}} {formula(e.says)}.",
    ]
    if e.repaired_by:
        repair = by_id[e.repaired_by]
        goals = _goals(repair)
        says = statement.latex(*goals, without=shared.said) if goals else repair.says
        lines.append(rf"\emph{{Correct:}} {formula(says)}.")
    lines.append(rf"\emph{{Reason:}} {_reason(e)}.")
    if e.finding.counterexample:
        lines.append(rf"\emph{{Counterexample:}} {counterexample(e.finding.counterexample, e.finding.typed)}.")
    return "\n".join(lines)


def formula(says: str) -> str:
    """A statement in a paragraph: words outside mathematics, and places at which a line may end."""
    for end in (r":\quad ", r";\qquad ", r";\ ", r",\quad ", r",\ "):
        says = says.replace(end, end + r"\allowbreak ")
    parts, done = [], 0
    for match in re.finditer(r"\\text\{([^{}$]*)\}", says):
        if _closed(says[: match.start()]):
            parts += [_mathematics(says[done : match.start()]), match[1]]
            done = match.end()
    return "".join((*parts, _mathematics(says[done:])))


def _closed(before: str) -> bool:
    """Whether no bracket of LaTeX is open after this part of a formula."""
    plain = before.replace(r"\{", "").replace(r"\}", "")
    pairs = (("{", "}"), (r"\left", r"\right"), (r"\big", ""))
    return all(plain.count(a) == plain.count(b) for a, b in pairs[:2]) and not re.search(r"[_^]$", plain)


def _mathematics(part: str) -> str:
    """A part of a formula between words; spaces at its ends are those of the text."""
    inner = part.strip()
    for space in (r"\allowbreak", r"\quad", r"\qquad", "\\"):
        inner = inner.removesuffix(space).strip()
    inner = inner.removeprefix("\\ ").strip()
    before, after = (" " if part[:2].strip() in ("", "\\") and part else ""), " " if part[-1:] == " " else ""
    return f"{before}${inner}${after}" if inner else (" " if part else "")


def counterexample(shown: Mapping[str, Any], typed: Container[str] = ()) -> str:
    """The point in the paper's letters and both sides as numbers; a star at entries that an author typed."""
    found = dict(shown)
    left, right = found.pop("left", None), found.pop("right", None)
    at = ", ".join(_setting(name, v) + ("$^*$" if name in typed else "") for name, v in found.items())
    if left is None or right is None:
        return at
    sides = (decimal(left), decimal(right))
    if sides[0] == sides[1]:
        return f"{at}; both sides are {sides[0]}" if sides[0] != "$0$" else f"{at}; the left side is $0$"
    return f"{at}; left side {sides[0]}, right side {sides[1]}"


def _setting(name: str, found: Any) -> str:
    """A name and its value: a number, one number for each arm, or words."""
    if isinstance(found, list):
        return f"({sentence(SEVERAL.get(name, name))}) = ({', '.join(map(value, found))})"
    derived = _derived(str(found))
    sign = " =" if derived or exact(str(found)) is not None else ":"
    return f"{sentence(NAMES.get(name, name))}{sign} {derived or value(str(found))}"


def _derived(text: str) -> str | None:
    """How a value follows from entries of a counterexample, with this value: sigma_sq/n_1 = 1; None for other text."""
    how, equals, found = text.rpartition(" = ")
    try:
        expr = sp.sympify(how) if equals and exact(found) is not None else None
    except (sp.SympifyError, TypeError, ValueError, AttributeError, SyntaxError):
        return None
    if not isinstance(expr, sp.Expr):
        return None
    names = {x: sentence(NAMES.get(x.name, x.name)).strip("$") for x in expr.free_symbols}
    return f"${sp.latex(expr, symbol_names=names)}$ = {value(found)}"
