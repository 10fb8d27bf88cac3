"""Indicators: the relation that one indicates, one term among nonnegative ones, the union bound."""

from __future__ import annotations

import sympy as sp

from theory.coq.context import Context
from theory.coq.lemma import Premise, relation_text, sides
from theory.coq.syntax import NoCoq, expression, name_of
from theory.coq.tactics import Lines, enter
from theory.kernel.goal import Rel
from theory.kernel.named import valued
from theory.kernel.rules import (
    Among,
    Indicates,
    Otherwise,
    Picked,
    Union,
    Whether,
    equals,
)
from theory.kernel.rules.compose import conclusion


def indicates(item: Indicates, here: Context, premises: list[Premise]) -> Lines:
    d, target = valued(item.d), sides(item.concludes.rel)
    lemma = f"event_{'gt_' if item.strict else ''}{'part' if item.part else 'fails'}"
    integer = item.integer and item.strict == item.part
    proof = f"({lemma}_whole {expression(d)} ltac:(whole))" if integer else f"({lemma} {expression(d)})"
    equal = "ge_equal" if item.part else "le_equal"
    yield f"apply ({equal} _ _ _ _ {proof}); [{here.equal(None, target[0])} | {here.equal(None, target[1])}]."


def whether(item: Whether, here: Context, premises: list[Premise]) -> Lines:
    yield "first [apply event_ge_square | apply event_gt_square]."


def otherwise(item: Otherwise, here: Context, premises: list[Premise]) -> Lines:
    yield f"rewrite <- (event_otherwise {expression(valued(item.d))}); f_equal; equal."


def picked(item: Picked, here: Context, premises: list[Premise]) -> Lines:
    """One term is met, at the chosen index; all others have an indicator that is 0."""
    i, low, high, chosen = item.index, *map(sp.sympify, (item.low, item.high, item.chosen))
    event, f, x = valued(equals(chosen, i)), valued(item.f), name_of(i)
    body, indicator = (f"(fun {x} : R => {expression(e)})" for e in (event * f, event))
    bounds = here.show(Rel(chosen, ">=", low)), here.show(Rel(chosen, "<=", high))
    right = sides(item.concludes.rel)[1]
    at = expression(chosen)
    one = f"let e := eval cbv beta in ({indicator} {at}) in event_holds e; {here.equal(None, right)}"
    none = f"let e := eval cbv beta in ({indicator} {x}) in event_fails_at e differ; ring"
    yield (
        f"apply (rsum_pick {expression(low)} {expression(high)} {at} {expression(right)} {body}); "
        f"[apply within_intro; [whole | apply Rge_le; {bounds[0]} | {bounds[1]}] | whole | "
        f"cbv beta; {one} | intros {x} in_{x} differ; cbv beta; {none}]."
    )


def among(item: Among, here: Context, premises: list[Premise]) -> Lines:
    f, i, low, high = valued(item.f), item.index, sp.sympify(item.low), sp.sympify(item.high)
    x = name_of(i)
    inner = here.inside(i, low, high)
    ends = f"{expression(low)} {expression(high)}"
    if premises:
        sign = f"apply Rge_le; {inner.use(premises[0], {}, Rel(f, '>=', 0))}"
        if conclusion(item.premises[0]).rel.op in ("<=", "<"):
            raise NoCoq("a sign that is written from left to right")
    else:
        sign = "first [apply event_ge_range | apply event_gt_range]"
    chosen = expression(sp.sympify(item.chosen))
    bounds = here.show(Rel(item.chosen, ">=", low)), here.show(Rel(item.chosen, "<=", high))
    yield (
        f"apply (rsum_among {ends} {chosen} (fun {x} : R => {expression(f)})); "
        f"[apply within_intro; [whole | apply Rge_le; {bounds[0]} | {bounds[1]}] | whole | "
        f"intros {x} in_{x}; {enter(i)}; {sign}]."
    )


def union(item: Union, here: Context, premises: list[Premise]) -> Lines:
    """If no event of the right side happened, all hypotheses hold, and so does the relation."""
    whole = conclusion(item.item)
    known, lines = here, []
    for k, h in enumerate(item.cases, 1):
        lines.append(f"assert (case{k} : {relation_text(h)}) by lra; ")
        known = known.knowing((f"case{k}", h))
    yield "unfold event_ge, event_gt; repeat match goal with"
    yield "  | |- context [Rle_dec ?a ?b] => destruct (Rle_dec a b)"
    yield "  | |- context [Rlt_dec ?a ?b] => destruct (Rlt_dec a b) end;"
    shown = known.use(premises[0], {}, whole.rel)
    yield f"  try lra; exfalso; {''.join(lines)}assert (holds : {relation_text(whole.rel)}) by ({shown}); lra."
