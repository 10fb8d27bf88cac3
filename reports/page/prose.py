"""Typesetting of plain text: sigma_0^2 <= 1 becomes σ₀² ≤ 1."""

from __future__ import annotations

import re

from markupsafe import Markup, escape

from theory.render.tex import SYMBOL

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
    run = re.sub(r"(?<=\S) = (?=[\d−-])", "\u00a0=\u00a0", run)  # a value stays with its name
    run = re.sub(r"\b(sigma0|sigma)_sq\b", lambda m: "sigma_0^2" if m[1] == "sigma0" else "sigma^2", run)
    run = re.sub(r"\b([A-Za-z])_\*", r"<i>\1</i><sub>∗</sub>", run)
    run = SYMBOL.sub(_symbol, run.replace("**", "^"))
    return re.sub(r"(?<=[)\]])\^([+*]|-?\d+)", r"<sup>\1</sup>", run)


def _symbol(match: re.Match[str]) -> str:
    greek, zero, sub, sup = (match[name] for name in ("greek", "zero", "sub", "sup"))
    hat = (match["hat"] or match["before"] or "").strip("-")
    if not greek and (sub is None and sup is None and not hat):
        return match[0]  # an ordinary letter of an ordinary word
    base = GREEK[greek] if greek else match["latin"]
    body = f"<i>{base}{ACCENT.get(hat, '')}</i>"
    low = zero or sub
    body += f"<sub>{low.strip('{}')}</sub>" if low else ""
    return body + (f"<sup>{sup.strip('{}()').replace('-', '−')}</sup>" if sup else "")
