"""Mathematics as it is typed in a sentence, sigma_0^2 <= 1, and the same set in LaTeX."""

from __future__ import annotations

import re

import sympy as sp

GREEK = (
    "alpha",
    "beta",
    "gamma",
    "delta",
    "eps",
    "eta",
    "theta",
    "lambda",
    "mu",
    "pi",
    "rho",
    "sigma",
    "tau",
    "phi",
    "psi",
    "omega",
    "Delta",
    "Phi",
    "Psi",
    "Sigma",
)
SYMBOL = re.compile(
    rf"(?<![A-Za-z\\])(?P<before>tilde-|hat-|bar-)?(?:(?P<greek>{'|'.join(sorted(GREEK, key=len, reverse=True))})|"
    r"(?P<latin>[A-Za-z]))(?P<hat>-hat|-bar|-tilde)?"
    r"(?P<zero>0(?![\w.]|_sq\b)|0(?=[\^]))?"
    r"(?:_(?P<sub>\{[^}]*\}|[A-Za-z0-9]{1,3}(?![A-Za-z0-9_])))?(?:\^(?P<sup>\{[^}]*\}|\([^()]*\)|-?\w+|\*))?(?![A-Za-z_])"
)
SIGNS = {"<=>": r"\iff", "<=": r"\le", ">=": r"\ge", "->": r"\to", "!=": r"\ne", "+-": r"\pm", "<": "<", ">": ">"}
POWER = re.compile(r"(?<=[)\]\d])\^(\([^()]*\)|-?\w+|\*)")
PIECE = re.compile(rf"{SYMBOL.pattern}|(?P<sign>{'|'.join(map(re.escape, SIGNS))})|(?:{POWER.pattern})")
LONG = 80  # an exact value with a longer source is shown by its first digits


def escape(text: str) -> str:
    """Plain text for LaTeX."""
    table = {
        "\\": r"\textbackslash{}",
        "_": r"\_",
        "%": r"\%",
        "&": r"\&",
        "#": r"\#",
        "$": r"\$",
        "^": r"\^{}",
        "~": r"\textasciitilde{}",
        "{": r"\{",
        "}": r"\}",
        "<": r"$<$",
        ">": r"$>$",
    }
    return "".join(table.get(c, c) for c in text)


def sentence(text: str) -> str:
    """A sentence for LaTeX, the symbols in it as mathematics."""
    text = re.sub(r"\b(sigma0|sigma)(_mu|_k|_q)?_sq\b", _square, text).replace("**", "^").replace("`", "")
    done, out = 0, []
    for match in PIECE.finditer(text):
        out += [escape(text[done : match.start()]), _piece(match)]
        done = match.end()
    return "".join([*out, escape(text[done:])])


def number(text: str) -> str:
    """An exact value for LaTeX, with its first digits unless it is a fraction; words as a sentence."""
    try:
        exact = sp.sympify(text)
    except (sp.SympifyError, TypeError, ValueError, AttributeError):
        return sentence(text)
    if not isinstance(exact, sp.Expr) or not exact.is_number:
        return sentence(text)
    digits = rf"\approx {sp.latex(sp.N(exact, 5))}"
    if len(text) > LONG:
        return f"${digits}$"
    return f"${sp.latex(exact)}$" if exact.is_Rational else f"${sp.latex(exact)} {digits}$"


def _square(match: re.Match[str]) -> str:
    return ("sigma_0" if match[1] == "sigma0" else f"sigma{match[2] or ''}") + "^2"


def _piece(match: re.Match[str]) -> str:
    if match["sign"]:
        return f"${SIGNS[match['sign']]}$"
    greek, latin, low, high = (match[name] for name in ("greek", "latin", "sub", "sup"))
    if not greek and not latin:  # a power of a bracket or of a number
        return "$^{" + match[0][1:].strip("()") + "}$"
    hat = (match["hat"] or match["before"] or "").strip("-")
    if not greek and not (hat or low or high):
        return escape(match[0])  # an ordinary letter of an ordinary word
    body = {"eps": r"\varepsilon"}.get(greek, f"\\{greek}") if greek else latin
    body = rf"\{hat}{{{body}}}" if hat else body
    body += "_{" + (match["zero"] or low).strip("{}") + "}" if match["zero"] or low else ""
    return f"${body}" + ("^{" + high.strip("{}()") + "}$" if high else "$")
