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
    r"(?:_(?P<sub>\{[^}]*\}|[A-Za-z0-9]{1,3}(?![A-Za-z0-9_])|\*))?(?:\^(?P<sup>\{[^}]*\}|\([^()]*\)|-?\w+|\*))?(?![A-Za-z_])"
)
# names as code writes them, and as sentences do
NAMES = {
    "rbar": "r-bar",
    "sigmahat0_sq": "sigma-hat_0^2",
    "sigmahat_sq": "sigma-hat^2",
    "mu_best": "mu_*",
    "mu_pulled": "mu_{I_t}",
}
NAME = re.compile(rf"(?<![A-Za-z])(?:{'|'.join(NAMES)})(?![A-Za-z])")
SIGNS = {"<=>": r"\iff", "<=": r"\le", ">=": r"\ge", "->": r"\to", "!=": r"\ne", "+-": r"\pm", "<": "<", ">": ">"}
POWER = re.compile(r"(?<=[)\]\d])\^(\([^()]*\)|-?\w+|\*)")
PIECE = re.compile(
    rf"(?P<root>sqrt\([^()]*\))|(?P<sum>\bsum_(?P<over>[a-z])\b)|{SYMBOL.pattern}|"
    rf"(?P<sign>{'|'.join(map(re.escape, SIGNS))})|(?:{POWER.pattern})"
)
SHORT = 12  # an exact value with a longer source is shown by its first digits
SMALLEST, LARGE = 1e-4, 1e6  # numbers outside are shown with a power of ten
TINY, HUGE = 1e-300, 1e300  # numbers that a double holds


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
    text = NAME.sub(lambda m: NAMES[m[0]], text.replace("*^2", "^{*2}"))
    done, out = 0, []
    for match in PIECE.finditer(text):
        out += [escape(text[done : match.start()]), _piece(match)]
        done = match.end()
    return "".join([*out, escape(text[done:])])


def exact(text: str) -> sp.Expr | None:
    """The number that a text stands for; None if it is words."""
    try:
        found = sp.sympify(text.replace("^", "**"))
    except (sp.SympifyError, TypeError, ValueError, AttributeError, SyntaxError):
        return None
    return found if isinstance(found, sp.Expr) and found.is_number and found.is_real else None


def value(text: str) -> str:
    """A value of a counterexample for LaTeX: short fractions and powers as they are, other numbers by first digits."""
    found = exact(text)
    if found is None:
        return sentence(text)
    if "^" in text and len(text) <= SHORT:  # 10^60
        base, power = text.split("^", 1)
        return f"${base}^{{{power.strip('()')}}}$"
    if found.is_Rational and len(text) <= SHORT:
        return f"${text}$"
    return decimal(text)


def decimal(text: str) -> str:
    """A number by its first five digits for LaTeX; words as a sentence."""
    found = exact(str(text))
    if found is None:
        return sentence(str(text))
    if found.is_Integer and abs(found) < LARGE:
        return f"${found}$"
    digits = sp.N(found, 5)
    if digits != 0 and not SMALLEST <= abs(digits) < LARGE:
        mantissa, power = (f"{digits:.3e}" if TINY < abs(digits) < HUGE else str(sp.N(found, 4))).split("e")
        return rf"${mantissa}\cdot10^{{{int(power)}}}$"
    return f"${str(digits).rstrip('0').rstrip('.')}$" if "." in str(digits) else f"${digits}$"


def _square(match: re.Match[str]) -> str:
    return ("sigma_0" if match[1] == "sigma0" else f"sigma{match[2] or ''}") + "^2"


def _piece(match: re.Match[str]) -> str:
    if match["sign"]:
        return f"${SIGNS[match['sign']]}$"
    if match["root"]:
        return rf"$\sqrt{{{_letters(match['root'].removeprefix('sqrt'))}}}$"
    if match["sum"]:
        return rf"$\sum_{match['over']}$"
    greek, latin, low, high = (match[name] for name in ("greek", "latin", "sub", "sup"))
    if not greek and not latin:  # a power of a bracket or of a number
        return "$^{" + _letters(match[0][1:]) + "}$"
    hat = (match["hat"] or match["before"] or "").strip("-")
    if not greek and not (hat or low or high):
        return escape(match[0])  # an ordinary letter of an ordinary word
    body = {"eps": r"\varepsilon"}.get(greek, f"\\{greek}") if greek else latin
    body = rf"\{hat}{{{body}}}" if hat else body
    body += "_{" + (match["zero"] or low).strip("{}") + "}" if match["zero"] or low else ""
    return f"${body}" + ("^{" + _letters(high) + "}$" if high else "$")


def _letters(group: str) -> str:
    """An exponent or what stands under a root, without its brackets: Greek letters and logarithms as commands."""
    inner = group[1:-1] if group[:1] + group[-1:] in ("()", "{}") else group
    return re.sub("|".join((*GREEK, "log")), lambda m: rf"\{m[0]} ", inner)
