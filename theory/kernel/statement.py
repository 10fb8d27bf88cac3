"""What a goal states, printed: domain of every symbol, hypotheses, conclusion. LaTeX, plain text and JSON.

A statement is never typed: it is printed from the goal that the engines see. Hypotheses that the claim makes its own
are printed as "if ..."; a hypothesis that is the statement of another claim is not repeated, but its source is listed.
Letters come with the goal (`Goal.letters`, provided by the model); a symbol without one is printed by its name.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import sympy as sp

from theory.kernel.goal import Goal, Rel, Var
from theory.kernel.terms import indices

LETTERS: dict[sp.Symbol, str] = {}  # letters of a model, entered with `write`; a goal's own letters go before them

_TEX = {"=": "=", "<=": r"\le", "<": "<", ">=": r"\ge", ">": ">"}


def write(letters: Mapping[sp.Symbol, str]) -> None:
    """Enter how a model writes its symbols in LaTeX."""
    LETTERS.update(letters)


def text(goal: Goal) -> str:
    """The whole statement as one line of plain text."""
    domain = domain_text(goal)
    given = "; ".join(map(relation_text, goal.hypotheses))
    where = ", ".join(f"{x} = {value}" for x, value in goal.where.items())
    parts = [f"for {domain}: " if domain else "", f"if {given}: " if given else "", relation_text(goal.rel)]
    return "".join(parts) + (f", where {where}" if where else "")


def relation_text(rel: Rel) -> str:
    left, right = rel.stated
    return f"{left} {rel.op} {right}"


def domain_text(goal: Goal) -> str:
    return ", ".join(f"{x} {var}" for x, var in _domain(goal).items())


def latex(goal: Goal) -> str:
    """The whole statement as LaTeX, to be set in mathematics mode."""
    names = _letters(goal)
    domain = ",\\ ".join(_var(_tex(x, names), var) for x, var in _domain(goal).items())
    given = ",\\ ".join(_relation(h, names) for h in goal.hypotheses)
    conclusion = _relation(goal.rel, names)
    parts = [domain, rf"\text{{if}}\ {given}" if given else "", conclusion]
    where = ",\\ ".join(f"{_tex(x, names)} = {_tex(value, names)}" for x, value in goal.where.items())
    return ":\\quad ".join(p for p in parts if p) + (rf",\quad {where}" if where else "")


def join(statements: Iterable[str]) -> str:
    """Several conclusions of one claim."""
    return ";\\qquad ".join(statements)


def source_text(rel: Rel) -> str:
    """A hypothesis with where it comes from."""
    return relation_text(rel) + (f"  [by {rel.source}]" if rel.source else "  [hypothesis]")


def as_json(goal: Goal, engines: Iterable[str], role: str) -> dict[str, Any]:
    """One item of a proof for the ledger."""
    return {
        "name": goal.name,
        "role": role,
        "relation": relation_text(goal.rel),
        "domain": domain_text(goal),
        "given": [source_text(h) for h in goal.given],
        "engines": sorted(set(engines)),
        "latex": latex(goal),
    }


def _domain(goal: Goal) -> dict[sp.Symbol, Var]:
    """The symbols that the statement speaks of, in the order of their names."""
    sides = [side for r in (goal.rel, *goal.given) for side in r.stated]
    used = set(goal.symbols).union(*(side.free_symbols for side in sides))
    families = {x for x in goal.domain if not x.is_Symbol}
    hidden = set().union(*map(indices, sides))
    return {x: goal.domain[x] for x in sorted(used | families, key=str) if x in goal.domain and x not in hidden}


def _letters(goal: Goal) -> dict[sp.Symbol, str]:
    words = {x: rf"\mathrm{{{x.name}}}" for x in goal.domain if x.is_Symbol and _a_word(x.name)}
    return {**words, **LETTERS, **goal.letters}


def _a_word(name: str) -> bool:
    """A name that LaTeX would set as a product of letters: `big`, but neither `alpha`, `s0` nor `U_best`."""
    return name.isalpha() and len(name) > 1 and sp.latex(sp.Symbol(name)) == name


def _tex(expr: sp.Expr, names: Mapping[sp.Symbol, str]) -> str:
    return sp.latex(expr, symbol_names=dict(names))


def _relation(rel: Rel, names: Mapping[sp.Symbol, str]) -> str:
    left, right = rel.stated
    return rf"{_tex(left, names)} {_TEX[rel.op]} {_tex(right, names)}"


def _var(letter: str, var: Var) -> str:
    kind = r"\in\mathbb{Z}" if var.integer else ""
    if var.low is None and var.high is None:
        return letter + (kind or r"\in\mathbb{R}")
    below = "<" if var.strict else r"\le"
    low = "" if var.low is None else f"{sp.latex(var.low)} {below} "
    high = "" if var.high is None else rf" \le {sp.latex(var.high)}"
    return f"{low}{letter}{high}" + (rf",\ {letter}{kind}" if kind else "")
