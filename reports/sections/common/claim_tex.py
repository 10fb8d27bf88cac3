"""Counterexamples, regions and sides of relations as LaTeX in the paper's letters."""

from __future__ import annotations

import re
from typing import Any

import sympy as sp

LETTERS = {
    "n": "n_k",
    "J": "(K-1)",
    "Wo": "W_{-k}",
    "W_others": "W_{-k}",
    "No": "N_{-k}",
    "N_others": "N_{-k}",
    "Qo": r"{\textstyle\sum_{i\ne k} n_i^2}",
    "Xo": "W^h_{-k}",
    "So": r"{\textstyle\sum_{i\ne k} w^h_i\sigma_i^2}",
    "prec": r"{\lambda^{-1}}",
    "reward": "r",
    "r0bar": r"\bar r_0",
    "n_star": "n_*",
    "horizon": "n",
    "sum_w_i": r"{\textstyle\sum_i w_i}",
    "sum_w_i_sigma_i_sq": r"{\textstyle\sum_i w_i\sigma_i^2}",
}
SQUARES = {"s": r"\sigma", "s0": r"\sigma_0", "s1": r"\sigma_k", "s0p": r"\sigma_0'", "other_sigma0_sq": r"\sigma_0'"}
ACCENTS = {"rbar": r"\bar r", "sigmahat": r"\hat\sigma", "muhat": r"\hat\mu"}
GREEK = ("alpha", "beta", "gamma", "delta", "eta", "theta", "lambda", "mu", "pi", "rho", "sigma", "tau", "phi")
RELATIONS = {"<=": r"\le", ">=": r"\ge", "!=": r"\ne", "<": "<", ">": ">", "==": "=", "=": "="}


def letter(name: str) -> str | None:
    """A name of the code as the paper writes it, e.g. tau_k or r0bar; None for words."""
    if name in LETTERS:
        return LETTERS[name]
    found = re.fullmatch(r"([A-Za-z]+)(?:_([A-Za-z0-9]{1,5})|(\d+))?", name)
    if not found:
        return None
    base, index = found[1], found[2] or found[3]
    shown = ACCENTS.get(base, rf"\{base}" if base in GREEK else base)
    if len(base) > 1 and shown == base:
        return None
    low = rf"\{index}" if index in GREEK else index
    return shown + (f"_{{{low}}}" if index else "")


def shown_expression(expression: Any) -> str | None:
    """LaTeX of an expression, variances as squares; None if one of its symbols is not a letter."""
    roots = {}
    for symbol in expression.free_symbols:
        root = SQUARES.get(symbol.name) or (letter(symbol.name[:-3]) if symbol.name.endswith("_sq") else None)
        if root and symbol.name not in LETTERS:
            roots[symbol] = sp.Symbol(root, positive=True) ** 2
    squared = expression.xreplace(roots)
    known = {root.base for root in roots.values()}
    names = {x: x.name if x in known else letter(x.name) for x in squared.free_symbols}
    if any(tex is None for tex in names.values()):
        return None
    return str(sp.latex(squared, symbol_names=names))


def relation_tex(text: str) -> str | None:
    """An inequality typed in code letters, as `K*sigma_q_sq < s`, in the paper's; None if it is not of that form.

    Examples
    --------
    >>> relation_tex("K*sigma_q_sq < sigma_sq")
    'K \\\\sigma_{q}^{2} < \\\\sigma^{2}'
    """
    parts = []
    for part in text.split(" and "):
        sides = re.split(r"(<=|>=|!=|==|<|>|=)", part)
        if len(sides) != 3:
            return None
        shown = [_side(side) for side in sides[::2]]
        if None in shown:
            return None
        parts.append(f"{shown[0]} {RELATIONS[sides[1]]} {shown[1]}")
    return r" \text{ and } ".join(parts)


FUNCTIONS = {"sqrt": sp.sqrt, "log": sp.log, "exp": sp.exp, "erfc": sp.erfc, "pi": sp.pi}


def _side(text: str) -> str | None:
    """LaTeX of one side: numbers, names, + - * / ** and the functions above; None for anything else."""
    if not re.fullmatch(r"[\w\s+*/().,-]*", text) or re.search(r"[A-Za-z_]\w*\s+[A-Za-z_]|__", text):
        return None
    words = {word for word in re.findall(r"[A-Za-z_]\w*", text) if word not in FUNCTIONS}
    safe = {word: f"v{i}" for i, word in enumerate(sorted(words))}  # `lambda` and the like are no names for a parser
    source = re.sub(r"[A-Za-z_]\w*", lambda m: safe.get(m[0], m[0]), text)
    try:
        found = sp.sympify(source, locals={**FUNCTIONS, **{new: sp.Symbol(old) for old, new in safe.items()}})
    except (sp.SympifyError, TypeError, ValueError, AttributeError, SyntaxError):
        return None
    return shown_expression(found) if isinstance(found, sp.Expr) else None


def printed_relation(entry: Any) -> dict[str, str] | None:
    """The printed relation that a counterexample breaks: its sign, and its sides in the paper's letters."""
    printed = getattr(entry.claim.build(), "printed", None)
    if printed is None or entry.finding.counterexample is None:
        return None
    sides = (shown_expression(side) or "" for side in (printed.rel.left, printed.rel.right))
    return {"op": printed.rel.op, **dict(zip(("left", "right"), sides, strict=True))}


def shown_value(value: Any) -> dict[str, str]:
    """An exact value of a counterexample as LaTeX, and as a decimal where that says more."""
    texts = value if isinstance(value, list) else [str(value)]
    try:
        exact = [sp.sympify(text) for text in texts]
    except (sp.SympifyError, TypeError, ValueError, AttributeError):
        exact = []
    if not exact or not all(isinstance(x, sp.Expr) and x.is_number for x in exact):  # how it follows, or words
        derived = relation_tex(str(value)) if " = " in str(value) else None
        return {"tex": derived, "decimal": ""} if derived else {"text": ", ".join(texts)}
    tex = ", ".join(sp.latex(x) for x in exact)
    decimal = ", ".join(str(sp.N(x, 5)) for x in exact if not x.is_Integer)
    return {"tex": f"({tex})" if isinstance(value, list) and len(exact) > 1 else tex, "decimal": decimal}
