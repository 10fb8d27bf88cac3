"""LaTeX to mathematics that a browser sets by itself and can break into lines."""

from __future__ import annotations

import re
from collections.abc import Iterator

from markupsafe import Markup, escape

from reports.page.convert import converts

RELATION = re.compile(
    r"[=<>]|\\(leq?|geq?|neq?|to|in|sim|approx|equiv|asymp|propto|iff|implies|Rightarrow|Leftrightarrow)"
)
LONG = 20  # letters that fit on a phone
TOKEN = re.compile(r"\\(?:[A-Za-z]+\*?|.)|[^\\]|\\$", re.S)


def mathml(latex: str) -> Markup:
    """The formula as phrasing content: words as text, mathematics in pieces that end before a relation.

    A browser does not break inside `<math>`, so every piece is its own; what cannot be converted is shown as
    its source.
    """
    parts: list[Markup] = []
    for kind, body in pieces(latex):
        if kind == "text":
            parts.append(words(body))
        else:
            first, *more = map(formula, terms(body))
            parts += [first, *map(_continued, more)]
    return Markup(" ").join(filter(None, parts))


def words(text: str) -> Markup:
    """The inside of a `\\text{}`; a `$...$` in it is mathematics again."""
    runs = re.split(r"\$([^$]*)\$", text)
    shown = (formula(run) if i % 2 else escape(_plain(run)) for i, run in enumerate(runs))
    return Markup("").join(shown).strip()


def formula(latex: str) -> Markup:
    """One unbroken `<math>`; one that may be wider than a phone is put where it can scroll."""
    converted = converts(latex)
    if converted is None:
        return Markup(f"<code>{escape(latex)}</code>")
    return Markup(f'<span class="long">{converted}</span>' if _length(converted) > LONG else converted)


def _continued(shown: Markup) -> Markup:
    """A later term of a sum: its sign is set as one between two terms."""
    return Markup(re.sub(r"(<math><mrow><mo)(>[+−]</mo>)", r'\1 form="infix"\2', str(shown), count=1))


def _length(converted: str) -> int:
    """Letters in it, a fair measure of its width."""
    return len(re.sub(r"<[^>]*>|&\w+", "", converted))


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
        if depth == 0 and RELATION.fullmatch(token) and piece.strip():
            yield from _cut(piece)
            piece = ""
        depth = max(depth + _opens(token), 0)
        piece += token
        if depth == 0 and token in (",", ";"):
            yield from _cut(piece)
            piece = ""
        at += 1
    yield from _cut(piece)


def terms(body: str) -> list[str]:
    """A formula too long for a line, cut before its outermost + and -; any other as it is."""
    converted = converts(body)
    if converted is None or _length(converted) <= LONG:
        return [body]
    depth, found, before = 0, [""], ""
    for token in TOKEN.findall(body):
        binary = (
            before.strip() and not RELATION.fullmatch(before) and before not in ("^", "_", "{", "(", ",", "+", "-", "/")
        )
        if depth == 0 and token in ("+", "-") and binary:
            found.append("")
        depth += _opens(token)
        found[-1] += token
        before = token if token.strip() else before
    whole = all(converts(part) is not None for part in found)
    return found if whole else [body]


def _opens(token: str) -> int:
    """1 for an opening bracket, -1 for a closing one."""
    opening, closing = ("{", "(", "[", r"\left", r"\begin", r"\{"), ("}", ")", "]", r"\right", r"\end", r"\}")
    return (token in opening) - (token in closing)


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
