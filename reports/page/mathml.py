"""LaTeX to mathematics that a browser sets by itself and can break into lines."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from functools import lru_cache
from typing import Any

from latex2mathml.converter import convert
from markupsafe import Markup, escape

RELATIONS = {
    "=", "<", ">", r"\le", r"\leq", r"\ge", r"\geq", r"\ne", r"\neq", r"\to", r"\approx", r"\sim", r"\Rightarrow",
    r"\implies", r"\iff", r"\Leftrightarrow", r"\equiv", r"\in", r"\asymp", r"\propto",
}  # fmt: skip
WORDS = r"log|ln|exp|min|max|inf|sup|lim|arg|det|Pr|Var|Cov"
NUMERALS = ("ZERO", "ONE", "TWO", "THREE", "FOUR", "FIVE", "SIX", "SEVEN", "EIGHT", "NINE")
THIN = '<mspace width="0.17em"/>'
TOKEN = re.compile(r"\\(?:[A-Za-z]+\*?|.)|[^\\]", re.S)
REPAIRS = (  # what the converter does not know, said in words it knows
    (re.compile(r"\\arg\s*\\(min|max)(?![a-z])"), r"\\arg\1"),
    (re.compile(r"\\[dt]frac(?![a-z])"), r"\\frac"),
    (re.compile(r"\\breve\s*(\{[^{}]*\}|\\[A-Za-z]+|\w)"), "\\\\overset{\u02d8}{\\1}"),
)


def mathml(latex: str) -> Markup:
    """The formula as phrasing content: words as text, mathematics in pieces that end before a relation.

    A browser does not break inside `<math>`, so every piece is its own; what cannot be converted is shown as
    its source.
    """
    parts = [words(body) if kind == "text" else formula(body) for kind, body in pieces(latex)]
    return Markup(" ").join(part for part in parts if part)


def words(text: str) -> Markup:
    """The inside of a `\\text{}`; a `$...$` in it is mathematics again."""
    runs = re.split(r"\$([^$]*)\$", text)
    return Markup("").join(formula(run) if i % 2 else escape(_plain(run)) for i, run in enumerate(runs)).strip()


@lru_cache(maxsize=4096)
def formula(latex: str) -> Markup:
    """One unbroken `<math>`."""
    converted = converts(latex)
    return Markup(f"<code>{escape(latex)}</code>") if converted is None else Markup(converted)


def converts(latex: str) -> str | None:
    """The MathML, or None where the source is not understood (an unknown command must not pass as a letter)."""
    source = latex
    for pattern, instead in REPAIRS:
        source = pattern.sub(instead, source)
    try:
        found = convert(source)
    except Exception:
        return None
    if re.search(r"\\[A-Za-z]", found):
        return None
    return _tidy(found)


def pieces(latex: str) -> Iterator[tuple[str, str]]:
    """("text", words) and ("math", formula) in order; formulas are cut before relations and after commas."""
    depth, piece, tokens = 0, "", TOKEN.findall(latex)
    at = 0
    while at < len(tokens):
        token = tokens[at]
        if depth == 0 and token in (r"\text", r"\textit", r"\textrm", r"\mbox") and tokens[at + 1 : at + 2] == ["{"]:
            end = _closing(tokens, at + 1)
            yield from _cut(piece)
            yield "text", "".join(tokens[at + 2 : end])
            piece, at = "", end + 1
            continue
        if depth == 0 and token in (r"\quad", r"\qquad", r"\,", r"\;", r"\ "):
            yield from _cut(piece)
            piece, at = "", at + 1
            continue
        if depth == 0 and token in RELATIONS and piece.strip():
            yield from _cut(piece)
            piece = ""
        depth += (token in ("{", "(", "[", r"\left", r"\begin", r"\{")) - (token in ("}", ")", "]", r"\right", r"\end", r"\}"))
        depth = max(depth, 0)
        piece += token
        if depth == 0 and token in (",", ";"):
            yield from _cut(piece)
            piece = ""
        at += 1
    yield from _cut(piece)


def _cut(piece: str) -> Iterator[tuple[str, str]]:
    if piece.strip():
        yield "math", piece.strip()


def _closing(tokens: list[str], opening: int) -> int:
    """Where the brace that opens there closes; the end, if it never does."""
    depth = 0
    for at in range(opening, len(tokens)):
        depth += (tokens[at] == "{") - (tokens[at] == "}")
        if depth == 0:
            return at
    return len(tokens)


def _plain(text: str) -> str:
    return text.replace(r"\ ", " ").replace("~", " ").replace("``", "“").replace("''", "”").replace(r"\%", "%")


def _tidy(found: str) -> str:
    """Short, and set as TeX would: names of functions whole and upright, with thin spaces about them."""
    found = found.replace(' xmlns="http://www.w3.org/1998/Math/MathML" display="inline"', "")
    found = re.sub(r"&#x0*([0-9A-Fa-f]+);", _character, found)
    found = re.sub(r'(?:<mi mathvariant="normal">\w</mi>){2,}', lambda m: f"<mi>{re.sub('<[^>]*>', '', m[0])}</mi>", found)
    found = re.sub(r'<(m[in]) mathvariant="(bold|script)">(\w)</\1>', _styled, found)
    found = re.sub(rf"(</(?:m[in]|msub|msup|msubsup|msqrt|mfrac)>)(<mi>(?:{WORDS})</mi>)", rf"\1{THIN}\2", found)
    return re.sub(rf"(<mi>(?:{WORDS})</mi>)(?=<m(?!o|row></))", rf"\1{THIN}", found)


def _character(match: re.Match[str]) -> str:
    return str(escape(chr(int(match[1], 16))))


def _styled(match: re.Match[str]) -> str:
    """Browsers know bold and script as letters of their own only."""
    kind, letter = match[2], match[3]
    name = "DIGIT " + NUMERALS[int(letter)] if letter.isdigit() else f"CAPITAL {letter}" if letter.isupper() else f"SMALL {letter.upper()}"
    try:
        return f"<{match[1]}>{unicodedata.lookup(f'MATHEMATICAL {kind.upper()} {name}')}</{match[1]}>"
    except KeyError:  # some script letters stand elsewhere
        return f"<{match[1]}>{letter}</{match[1]}>"


def all_convert(claims: Any) -> list[str]:
    """Formulas of the claims that would be shown as source."""
    return [body for c in claims for kind, body in pieces(c["says"]) if kind == "math" and converts(body) is None]
