"""What a goal states, printed: domain of every symbol, hypotheses, conclusion. LaTeX, plain text and JSON.

A statement is never typed: it is printed from the goal that the engines see. Hypotheses that the claim makes its own
are printed as "if ..."; a hypothesis that is the statement of another claim is not repeated, but its source is listed.
"""

from __future__ import annotations

from collections.abc import Container, Iterable
from typing import Any

import sympy as sp

from theory.kernel.goal import Goal, Var
from theory.kernel.named import spelled
from theory.kernel.reader import complete, formulas, named_formulas, reader, shown_domain, values_in


def text(goal: Goal) -> str:
    """The whole statement as one line of plain text."""
    shown = reader(goal)
    domain, given = domain_text(goal), "; ".join(map(shown.relation, goal.hypotheses))
    where = ", ".join(f"{left} = {right}" for left, right in shown.where(latex=False))
    parts = [f"for {domain}: " if domain else "", f"if {given}: " if given else "", shown.relation(goal.rel)]
    return "".join(parts) + (f", where {where}" if where else "")


def domain_text(goal: Goal) -> str:
    """The range of every symbol of the statement."""
    shown = reader(goal)
    return ", ".join(f"{shown.text(y)} {var}" for y, var in map(shown.unshifted, shown_domain(goal).items()))


def latex(*goals: Goal, without: Container[str] = ()) -> str:
    """The whole statement of one or several goals as LaTeX, to be set in mathematics mode.

    Goals with the same domain and hypotheses are printed together; definitions stand once, at the end. Ranges and
    definitions in `without` are left out, for a text that says them elsewhere.
    """
    conclusions: dict[str, list[str]] = {}
    where: dict[str, None] = {}
    for goal in goals:
        shown = reader(goal)
        domain = ",\\ ".join(r for r in ranges(goal).values() if r not in without)
        given = ",\\ ".join(map(shown.relation_latex, goal.hypotheses))
        frame = ":\\quad ".join(p for p in (domain, rf"\text{{if}}\ {given}" if given else "") if p)
        _continued(conclusions.setdefault(frame, []), *shown.sides_latex(goal.rel))
        where.update(dict.fromkeys(d for d in definitions(goal) if d not in without))
    groups = [
        (f"{frame}:\\quad " if frame else "") + ";\\ ".join(dict.fromkeys(found))
        for frame, found in conclusions.items()
    ]
    return ";\\qquad ".join(groups) + (rf",\quad {','.join(where)}" if where else "")


def ranges(goal: Goal) -> dict[str, str]:
    """The range of every symbol of a statement, as LaTeX, by its letter."""
    shown = reader(goal)
    letters = ((shown.latex(y), var) for y, var in map(shown.unshifted, shown_domain(goal).items()))
    return {letter: _var(letter, var) for letter, var in letters}


def definitions(goal: Goal) -> list[str]:
    """Definitions that are printed beside a statement, as LaTeX."""
    shown = reader(goal)
    for rel in (*goal.hypotheses, goal.rel):  # what is used is known once it was printed
        shown.relation_latex(rel)
    return [f"{left} = {right}" for left, right in shown.where(latex=True)]


def _continued(found: list[str], left: str, op: str, right: str) -> None:
    """Add a relation: after one that ends in `= left` as its continuation, a = b = c."""
    if found and found[-1].endswith(f" = {left}"):
        found[-1] += f" {op} {right}"
    else:
        found.append(f"{left} {op} {right}")


def _var(letter: str, var: Var) -> str:
    kind = r"\in\mathbb{Z}" if var.integer else ""
    if var.low is None and var.high is None:
        return letter + (kind or r"\in\mathbb{R}")
    below = "<" if var.strict else r"\le"
    low = "" if var.low is None else f"{sp.latex(var.low)} {below} "
    high = "" if var.high is None else rf" \le {sp.latex(var.high)}"
    return f"{low}{letter}{high}" + (rf",\ {letter}{kind}" if kind else "")


def legend(goals: Iterable[Goal], plain: bool = False) -> dict[str, str]:
    """What the letters of some statements mean, by their LaTeX, or as plain text prints them.

    A function of a model that no goal explains has the meaning that its model gives it.
    """
    goals = tuple(goals)
    found = {letter: meaning for goal in goals for letter, meaning in explained(goal, plain).items()}
    for goal in goals:
        found = {**_meanings(goal, plain), **found}
    return {letter: meaning for letter, meaning in found.items() if meaning}


def explained(goal: Goal, plain: bool) -> dict[str, str]:
    """What the goal says of its letters."""
    shown = reader(goal)
    printed = shown.text if plain else shown.latex
    found = {printed(x): goal.letters[x].meaning for x in shown_domain(goal) if x in shown.letters}
    functions = {f.func for f in _printed_values(goal)}
    quantities = {x: letter for x, letter in goal.letters.items() if not x.is_Symbol and x.func in functions}
    ranged = {x: shown.unshifted((x, complete(goal).domain.get(x, Var())))[0] for x in quantities}  # as beside it
    return {**found, **{printed(ranged[x]): letter.meaning for x, letter in quantities.items()}}


def _meanings(goal: Goal, plain: bool) -> dict[str, str]:
    """What functions mean in their model, where the goal does not say it, at the letters that the model names."""
    printed = reader(goal).text if plain else reader(goal).latex
    known, found = {x.func for x in goal.letters if not x.is_Symbol}, {}
    for f in sorted(_printed_values(goal), key=spelled):
        if f.func not in known and hasattr(f.func, "meaning"):
            known.add(f.func)
            letters, text = f.func.meaning
            found[printed(f.func(*letters, *f.args[len(letters) :]))] = text
    return found


def _printed_values(goal: Goal) -> frozenset[sp.Expr]:
    """Values of functions, and named quantities, in the statement and in the definitions that are printed beside it."""
    found: frozenset[sp.Expr] | None = goal.__dict__.get("_printed_values")
    if found is None:
        seen = [side for r in (goal.rel, *goal.hypotheses) for side in r.stated]
        seen += [*complete(goal).where.values(), *(value for _, value in formulas(goal))]
        for e in seen:  # which grows: a definition may use further ones
            seen += [formula for _, formula in named_formulas(e) if formula not in seen]
        found = goal.__dict__["_printed_values"] = frozenset().union(*map(values_in, seen))
    return found


def as_json(goal: Goal, engines: Iterable[str], role: str) -> dict[str, Any]:
    """One item of a proof for the ledger; what it states has its LaTeX and what its letters mean, too.

    `symbols` are names in the evidence, which is printed as the engines see it, and how readers write them.
    """
    shown = reader(goal)
    relation = shown.relation(goal.rel)
    given = [shown.relation(h) + (f"  [by {h.source}]" if h.source else "  [hypothesis]") for h in goal.given]
    return {
        "name": goal.name,
        "role": role,
        "relation": relation,
        "domain": domain_text(goal),
        "given": given,
        "where": [f"{left} = {right}" for left, right in shown.where(latex=False)],
        "engines": sorted(set(engines)),
        "symbols": {x.name: letter for x in sorted(goal.symbols, key=spelled) if (letter := shown.text(x)) != x.name},
        **({} if role == "step" else {"latex": latex(goal), "letters": legend((goal,), plain=True)}),
    }
