"""Short pieces of proof scripts: an index between its bounds, a lemma applied, a relation at other arguments."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import sympy as sp

from theory.coq.lemma import free_in, sides
from theory.coq.syntax import name_of
from theory.kernel.goal import Rel
from theory.kernel.terms import linear, substitute

EQUAL = {"<=": "le_equal", "<": "lt_equal", ">=": "ge_equal", ">": "gt_equal", "=": "eq_equal"}

Lines = Iterator[str]  # a proof script, line by line


def enter(index: sp.Symbol) -> str:
    """After `intros i in_i`: the bounds of an index as hypotheses."""
    i = name_of(index)
    return (
        f"generalize (within_low _ _ _ in_{i}), (within_high _ _ _ in_{i}); intros low_{i} hi_{i}; "
        f"assert (lo_{i} := Rle_ge _ _ low_{i}); "
        f"try assert (W_{i} : whole {i}) by (apply (fun w => within_whole _ _ _ w in_{i}); whole)"
    )


def applied(name: str, arguments: object, hypotheses: list[str]) -> str:
    """A lemma applied to arguments, with a tactic for each of its hypotheses."""
    term = " ".join([name, *arguments])  # type: ignore[misc]
    return f"apply ({term}); [{' | '.join(hypotheses)}]" if hypotheses else f"exact ({term})"


def moved(rel: Rel, at: Mapping[sp.Expr, sp.Expr]) -> Rel:
    """A relation at other arguments; values of families may be among them."""
    symbols = {x: sp.sympify(v) for x, v in at.items() if x in free_in(rel) and x != v}
    left, right = (substitute(side, symbols) for side in sides(rel))
    every = tuple((i, *(substitute(sp.sympify(end), symbols) for end in ends)) for i, *ends in rel.every)
    return Rel(left, rel.op, right, every=every)


def parts(rel: Rel) -> tuple[sp.Expr, str, sp.Expr]:
    """Left side, sign and right side."""
    left, right = sides(rel)
    return left, rel.op, right


def same(known: Rel, rel: Rel) -> bool:
    """Whether both sides are the same once sums and means are taken apart."""
    (a, b), (c, d) = sides(known), sides(rel)
    return bool(linear(a) == linear(c) and linear(b) == linear(d))
