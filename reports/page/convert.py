"""Conversion of one formula from LaTeX to MathML; None where it is not supported."""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache
from xml.etree import ElementTree

from latex2mathml.converter import convert
from markupsafe import escape

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
REPAIRS = (  # what the converter does not know, said in words it knows
    (re.compile(r"\\arg\s*\\(min|max)(?![a-z])"), r"\\arg\1"),
    (re.compile(r"\\[dt]frac(?![a-z])"), r"\\frac"),
    (re.compile(r"\\breve\s*(\{[^{}]*\}|\\[A-Za-z]+|\w)"), "\\\\overset{\u02d8}{\\1}"),
)


@lru_cache(maxsize=8192)
def converts(latex: str) -> str | None:
    """The MathML, or None where the source is not understood (an unknown command must not pass as a letter)."""
    source = latex
    for pattern, instead in REPAIRS:
        source = pattern.sub(instead, source)
    try:
        found = convert(source)
    except Exception:  # the converter has no exception of its own: it fails as it happens to, by any kind
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
    """Browsers know bold and script as letters of their own only."""
    kind, letter = match[2], match[3]
    case = "CAPITAL" if letter.isupper() else "SMALL"
    name = f"DIGIT {NUMERALS[int(letter)]}" if letter.isdigit() else f"{case} {letter.upper()}"
    try:
        return f"<{match[1]}>{unicodedata.lookup(f'MATHEMATICAL {kind.upper()} {name}')}</{match[1]}>"
    except KeyError:  # some script letters stand elsewhere
        return f"<{match[1]}>{letter}</{match[1]}>"
