"""Typesetting: LaTeX to MathML that a browser can break into lines, and plain text (sigma_0^2 <= 1 becomes σ₀² ≤ 1).

Unsupported LaTeX is shown as source.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from functools import lru_cache
from xml.etree import ElementTree

from latex2mathml.converter import convert
from markupsafe import Markup, escape

from theory.render.tex import SYMBOL

WORDS = r"log|ln|exp|min|max|inf|sup|lim|arg|det|Pr|Var|Cov"
TAGS = re.compile(
    r"math|mrow|m[ino]|mtext|mspace|msu[bp]|msubsup|mfrac|mstyle|mover|munder|munderover|mpadded|mphantom|menclose|"
    r"mtable|mt[rd]|msqrt|mroot"
)
ATTRIBUTES = re.compile(
    r"stretchy|fence|form|(min|max)size|width|height|depth|voffset|linethickness|accent|accentunder|columnalign|"
    r"(row|column)(spacing|lines)|mathvariant|displaystyle|scriptlevel|movablelimits|[lr]space|notation|symmetric|"
    r"separator|largeop|linebreak"
)
NUMERALS = ("ZERO", "ONE", "TWO", "THREE", "FOUR", "FIVE", "SIX", "SEVEN", "EIGHT", "NINE")
THIN = '<mspace width="0.17em"/>'
REPAIRS = (  # commands that the converter does not support, in terms of those that it does
    (re.compile(r"\\arg\s*\\(min|max)(?![a-z])"), r"\\arg\1"),
    (re.compile(r"\\[dt]frac(?![a-z])"), r"\\frac"),
    (re.compile(r"\\breve\s*(\{[^{}]*\}|\\[A-Za-z]+|\w)"), "\\\\overset{\u02d8}{\\1}"),
)
RELATION = re.compile(
    r"[=<>]|\\(leq?|geq?|neq?|to|in|sim|approx|equiv|asymp|propto|iff|implies|Rightarrow|Leftrightarrow)"
)
LONG = 20  # letters that fit on a phone
TOKEN = re.compile(r"\\(?:[A-Za-z]+\*?|.)|[^\\]|\\$", re.S)
GREEK = {
    "alpha": "α",
    "beta": "β",
    "gamma": "γ",
    "delta": "δ",
    "eps": "ε",
    "eta": "η",
    "theta": "θ",
    "lambda": "λ",
    "mu": "μ",
    "pi": "π",
    "rho": "ρ",
    "sigma": "σ",
    "tau": "τ",
    "phi": "φ",
    "psi": "ψ",
    "omega": "ω",
    "Delta": "Δ",
    "Phi": "Φ",
    "Psi": "Ψ",
    "Sigma": "Σ",
}
SIGNS = (
    ("&lt;=&gt;", "⇔"),
    ("&lt;=", "≤"),
    ("&gt;=", "≥"),
    ("-&gt;", "→"),
    ("!=", "≠"),
    (" - ", " − "),
    ("+-", "±"),
)
ACCENT = {"hat": "\u0302", "bar": "\u0304", "tilde": "\u0303"}


@lru_cache(maxsize=8192)
def converts(latex: str) -> str | None:
    """The MathML, or None where the source is not understood (an unknown command must not pass as a letter)."""
    source = latex
    for pattern, instead in REPAIRS:
        source = pattern.sub(instead, source)
    try:
        found = convert(source)
    except Exception:  # the converter has no exception class of its own
        return None
    tidy = _tidy(found)
    return tidy if _harmless(tidy) else None


def _harmless(found: str) -> bool:
    """Well-formed, mathematics only (the converter passes some characters through), no command left over."""
    try:
        elements = list(ElementTree.fromstring(found).iter())
    except ElementTree.ParseError:
        return False
    known = all(TAGS.fullmatch(e.tag) and all(map(ATTRIBUTES.fullmatch, e.attrib)) for e in elements)
    return known and not any("\\" in (e.text or "") + (e.tail or "") for e in elements)


def _tidy(found: str) -> str:
    """Short, and set as TeX would: names of functions whole and upright, with thin spaces about them."""
    found = found.replace(' xmlns="http://www.w3.org/1998/Math/MathML" display="inline"', "")
    found = re.sub(r"&#x0*([0-9A-Fa-f]+);", _character, found)
    found = re.sub(r'(?:<mi mathvariant="normal">\w</mi>){2,}', _joined, found)
    found = re.sub(r'<(m[in]) mathvariant="(bold|script)">(\w)</\1>', _styled, found)
    found = re.sub(rf"(</(?:m[in]|msub|msup|msubsup|msqrt|mfrac)>)(<mi>(?:{WORDS})</mi>)", rf"\1{THIN}\2", found)
    return re.sub(rf"(<mi>(?:{WORDS})</mi>)(?=<m(?!o|row></))", rf"\1{THIN}", found)


def _joined(match: re.Match[str]) -> str:
    return f"<mi>{re.sub('<[^>]*>', '', match[0])}</mi>"


def _character(match: re.Match[str]) -> str:
    return str(escape(chr(int(match[1], 16))))


def _styled(match: re.Match[str]) -> str:
    """Bold and script letters as Unicode characters: browsers ignore the attribute."""
    kind, letter = match[2], match[3]
    case = "CAPITAL" if letter.isupper() else "SMALL"
    name = f"DIGIT {NUMERALS[int(letter)]}" if letter.isdigit() else f"{case} {letter.upper()}"
    try:
        return f"<{match[1]}>{unicodedata.lookup(f'MATHEMATICAL {kind.upper()} {name}')}</{match[1]}>"
    except KeyError:  # some script letters are in another block
        return f"<{match[1]}>{letter}</{match[1]}>"


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
    shown = (formula(run) if i % 2 else escape(_unescaped(run)) for i, run in enumerate(runs))
    return Markup("").join(shown).strip()


def formula(latex: str) -> Markup:
    """One unbroken `<math>`; one that may be wider than a phone is put where it can scroll."""
    converted = converts(latex)
    if converted is None:
        return Markup(f"<code>{escape(latex)}</code>")
    return Markup(f'<span class="long">{converted}</span>' if _length(converted) > LONG else converted)


def _continued(shown: Markup) -> Markup:
    """A later term of a sum: its sign is an infix operator."""
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


def _unescaped(text: str) -> str:
    return text.replace(r"\ ", " ").replace("~", " ").replace("``", "“").replace("''", "”").replace(r"\%", "%")


def prose(text: str) -> Markup:
    """The sentence as HTML: `code`, Greek letters, indices, powers and signs; anything else escaped."""
    runs = re.split(r"`([^`]*)`", text)
    return Markup("").join(
        Markup(f"<code>{escape(run)}</code>") if i % 2 else Markup(_set(str(escape(run)))) for i, run in enumerate(runs)
    )


def _set(run: str) -> str:
    for typed, sign in SIGNS:
        run = run.replace(typed, sign)
    run = re.sub(r"\bsqrt\(", "√(", run)
    run = re.sub(r"(?<=\S) = (?=[\d−-])", "\u00a0=\u00a0", run)  # no line break before a value
    run = re.sub(r"\b(sigma0|sigma)_sq\b", lambda m: "sigma_0^2" if m[1] == "sigma0" else "sigma^2", run)
    run = re.sub(r"\b([A-Za-z])_\*", r"<i>\1</i><sub>∗</sub>", run)
    run = re.sub(r"\btau\*\^2", "tau^{*2}", run.replace("**", "^"))  # as the paper writes the square of tau*
    run = SYMBOL.sub(_symbol, run)
    return re.sub(r"(?<=[)\]])\^([+*]|-?\d+)", r"<sup>\1</sup>", run)


def _symbol(match: re.Match[str]) -> str:
    greek, zero, sub, sup = (match[name] for name in ("greek", "zero", "sub", "sup"))
    hat = (match["hat"] or match["before"] or "").strip("-")
    if not greek and (sub is None and sup is None and not hat):
        return match[0]  # a letter of a word
    base = GREEK[greek] if greek else match["latin"]
    body = f"<i>{base}{ACCENT.get(hat, '')}</i>"
    low = zero or sub
    body += f"<sub>{low.strip('{}')}</sub>" if low else ""
    power = sup[1:-1] if sup and sup[0] in "{(" else sup
    return body + (f"<sup>{_set(power).replace('-', '−')}</sup>" if power else "")
