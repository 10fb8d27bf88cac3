"""Sums: term by term, telescoping, split, by induction, in another order."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import sympy as sp

from theory.coq.context import Context
from theory.coq.lemma import Fact, Premise, free_in, relation_text, sides
from theory.coq.split_sums import apart
from theory.coq.syntax import NoCoq, expression, name_of, number
from theory.coq.tactics import Lines, enter
from theory.kernel.goal import Rel
from theory.kernel.items import Item
from theory.kernel.named import valued
from theory.kernel.rules import (
    Exchange,
    Induction,
    NextInteger,
    Reindex,
    SplitSum,
    SumOver,
    Telescoping,
)
from theory.kernel.rules.compose import conclusion
from theory.kernel.rules.sums import unrolled
from theory.kernel.terms import Mean, linear


def _sum(
    here: Context,
    term: Rel,
    premise: Premise,
    index: sp.Symbol,
    ends: tuple[sp.Expr, sp.Expr],
    at: dict[sp.Expr, sp.Expr],
) -> Lines:
    """Every term of a sum: `each` is the relation between the sums of both sides."""
    low, high = ends
    x = name_of(index)
    inner = here.inside(index, low, high)
    left, right = (side.xreplace(at) for side in sides(term))
    total = [f"(rsum {expression(low)} {expression(high)} (fun {x} : R => {expression(e)}))" for e in (left, right)]
    op = {"<": "<=", ">": ">="}.get(term.op, term.op)
    yield f"assert (each : {total[0]} {op} {total[1]})."
    lemma = {"<=": "apply rsum_le", ">=": "apply Rle_ge, rsum_le", "=": "apply rsum_ext"}[op]
    turn = {"<": "apply Rlt_le; ", ">": "apply Rlt_le, Rgt_lt; ", ">=": "apply Rge_le; "}.get(term.op, "")
    used = inner.use(premise, at, Rel(left, term.op, right))
    yield f"{{ {lemma}; intros {x} in_{x}; {enter(index)}; {inner.pose(left + right)}{turn}{used}. }}"


def sum_over(item: SumOver, here: Context, premises: list[Premise]) -> Lines:
    term, goal = conclusion(item.item).rel, item.concludes
    low, high = sp.sympify(item.low), sp.sympify(item.high)
    family = {x: sp.sympify(v) for x, v in item.family.items()}
    yield from _sum(here, term, premises[0], item.index, (low, high), family)
    left, right = (sp.Sum(side.xreplace(family), (item.index, low, high)) for side in sides(term))
    named = []
    for k, h in enumerate(h for h in here.facts if h.kind == "fact"):
        if isinstance(h.of, Fact) and not h.of.over and isinstance(h.of.goal.rel.right, sp.Sum):
            for line, name in _named(here, h.name, h.of.goal.rel, k):
                yield line
                named.append(name)
    rewrite = f"rewrite ?{', ?'.join(named)}; " if named else ""
    op = goal.rel.op
    equal = [
        f"(cbv beta; {'; '.join([*apart(here, a), ''])}{rewrite}settle{here.alike(a, b)})"
        for a, b in zip((left, right), sides(goal.rel), strict=True)
    ]
    lemma = {"<=": "le_equal", ">=": "ge_equal", "=": "eq_equal"}[op]
    yield f"apply ({lemma} _ _ _ _ each); [{equal[0]} | {equal[1]}]."


def _named(here: Context, hypothesis: str, rel: Rel, k: int) -> Iterator[tuple[str, str]]:
    """The sum for which a symbol stands, in the form in which it occurs after sums are taken apart."""
    total = linear(rel.right)
    outside, inside = total.as_independent(sp.Sum, as_Add=False)
    if not isinstance(inside, sp.Sum):
        return
    text = f"{expression(inside)} = {expression(rel.left / outside)}"
    steps = "; ".join([*apart(here, rel.right), ""])
    nonzero = here.pose(inside)
    yield f"assert (S{k} : {text}) by ({nonzero}rewrite {hypothesis}; {steps}settle).", f"S{k}"


def telescoping(item: Telescoping, here: Context, premises: list[Premise]) -> Lines:
    term, goal = conclusion(item.item).rel, item.concludes
    low, high, j = sp.sympify(item.low), sp.sympify(item.high), item.index
    yield from _sum(here, term, premises[0], j, (low, high), {})
    x, inner = name_of(j), here.inside(j, low, high)
    total = valued(item.total)
    F = f"(fun {x} : R => {expression(total)})"
    right = sides(term)[1]
    consecutive = total.subs(j, j + 1) - total
    ends = f"{expression(low)} {expression(high)}"
    difference_of_ends = f"{F} ({expression(high)} + 1) - {F} {expression(low)}"
    yield f"assert (ends : rsum {ends} (fun {x} : R => {expression(right)}) = {difference_of_ends})."
    difference = inner.show(Rel(right, "=", consecutive))
    between = f"{expression(right)} {expression(consecutive)}"
    length, same = here.length(low, high), here.alike(total)
    yield (
        f"{{ rewrite <- (telescope {ends} {F}) by (first [whole | cbv beta; {length}]); apply rsum_ext; "
        f"intros {x} in_{x}; {enter(j)}; cbv beta; "
        f"apply (eq_equal {between}); [{difference} | settle{same} | settle{same}]. }}"
    )
    lemma = {"<=": "le_equal", ">=": "ge_equal", "=": "eq_equal"}[goal.rel.op]
    left = sp.Sum(sides(term)[0], (j, low, high))
    first = f"(cbv beta; {'; '.join([*apart(here, left), ''])}settle)"
    yield f"apply ({lemma} _ _ _ _ each); [{first} | rewrite ends; cbv beta; settle{same}]."


def split_sum(item: SplitSum, here: Context, premises: list[Premise]) -> Lines:
    f, i = valued(item.f), item.index
    low, middle, high = map(sp.sympify, (item.low, item.middle, item.high))
    body = f"(fun {name_of(i)} : R => {expression(f)})"
    ends = f"{expression(low)} {expression(middle)} {expression(high)}"
    first, second = here.length(low, middle), here.show(Rel(middle, "<=", high))
    yield f"rewrite (rsum_split {ends} {body}) by (first [whole | cbv beta; {first} | cbv beta; {second}])."
    if low.is_Integer and middle.is_Integer:
        for m in range(int(middle), int(low) - 1, -1):
            yield f"rewrite (rsum_last {number(low)} {number(m)}) by (first [whole | lra])."
            yield f"replace ({number(m)} - 1) with {number(m - 1)} by ring."
        yield f"rewrite (rsum_empty {number(low)}) by ring."
    left, right = sides(item.concludes.rel)
    yield f"cbv beta; settle{here.alike(left, right)}."


def induction(item: Induction, here: Context, premises: list[Premise]) -> Lines:
    n, start, goal = item.n, sp.sympify(item.start), item.concludes
    x, first = name_of(n), number(start)
    last = [h.name for h in here.facts if isinstance(h.of, Rel) and h.kind == "given" and n in free_in(h.of)]
    if len(last) > (item.until is not None):
        raise NoCoq("a hypothesis about the variable of the induction")
    if item.also:
        raise NoCoq("an induction that supposes its relation at other values")
    own = " ".join(h.name for h in here.facts if h.of == n or h.name in last)
    here = replace(here, known=tuple((name, rel) for name, rel in here.known if name not in last))
    upto, inside = "", here
    if item.until is not None:
        end = Rel(n + 1, "<=", item.until)
        upto, inside = f"{x} <= {expression(sides(end)[1])} -> ", here.knowing(("below", end))
    P = f"(fun {x} : R => {upto}{relation_text(goal.rel)})"
    base = replace(here, domain={y: v for y, v in here.domain.items() if y != n})
    yield f"revert dependent {x}."
    starts, steps = premises[: len(item.first)], premises[len(item.first) :]
    lines, base = _asserted(base, "B", item.first, starts)
    shown = _unrolled_at(base, item, start, number(start - 1))
    enter_base, enter_step = ("cbv beta; intros _.", "cbv beta; intros ends.") if upto else ("", "")
    yield f"assert (base : {P} {first}). {{ {enter_base} {lines} {shown}. }}"
    lines, step = _asserted(inside.knowing(("before", goal.rel)), "P", item.lemmas, steps)
    step = replace(step, squares=item.squares)
    yield f"assert (next : forall {x} : R, whole ({x} - {first}) -> {first} <= {x} -> {P} {x} -> {P} ({x} + 1))."
    yield f"{{ intros {x} above L_{x} before; cbv beta in before. {enter_step}"
    if upto:
        yield f"  assert (below : {relation_text(end)}) by lra. specialize (before ltac:(lra))."
    yield f"  assert (W_{x} : whole {x}) by (replace {x} with ({x} - {first} + {first}) by ring; whole)."
    yield f"  {lines} {_unrolled_at(step, item, n + 1, x)}. }}"
    ends = "".join(f" | exact {name}" for name in last)
    yield f"intros {x} {own}. generalize (whole_induction {P} {first} base next {x}); cbv beta; intro every."
    yield f"apply every; [whole | ranges{ends}]."


def _asserted(here: Context, name: str, items: tuple[Item, ...], premises: list[Premise]) -> tuple[str, Context]:
    """The relations of items, each known to those after it."""
    lines = []
    for k, (item, premise) in enumerate(zip(items, premises, strict=True), 1):
        rel = conclusion(item).rel
        lines.append(f"assert ({name}{k} : {relation_text(rel)}). {{ {here.use(premise, {}, rel)}. }}")
        here = here.knowing((f"{name}{k}", rel))
    return " ".join(lines), here


def _unrolled_at(here: Context, item: Induction, value: sp.Expr, known: str) -> str:
    """The relation at the start or at n + 1, from the one in which the last terms of sums are taken off."""
    start = sp.sympify(item.start)
    left, right = (unrolled(side.subs(item.n, value), item.n, start) for side in sides(item.rel))
    rel = Rel(left, item.rel.op, right)
    tactic = here.show(rel, hints=bool(here.squares))
    unroll = f"(unroll {known}; settle{here.alike(left, right)})"
    if any(side.has(Mean) for side in (left, right)):  # sums in a mean
        alike = here.alike(left, right).removeprefix("_by ltac:(").removesuffix(")") or "idtac"
        inner = f"same_means ltac:(unroll {known}; {alike}; equal)"
        unroll = f"first [solve [{unroll}] | unroll {known}; {inner}; {alike}; equal]"
    lemma = {"<=": "le_equal", "<": "lt_equal", ">=": "ge_equal", ">": "gt_equal", "=": "eq_equal"}[rel.op]
    return f"cbv beta; apply ({lemma} {expression(left)} {expression(right)}); [{tactic} | {unroll} | {unroll}]"


def exchange(item: Exchange, here: Context, premises: list[Premise]) -> Lines:
    inner, outer = item.inner, item.outer
    f = valued(item.f)
    left = sp.Sum(sp.Sum(f, inner), outer)
    right = sp.Sum(sp.Sum(f, outer), inner)
    (i, a, b), (j, c, d) = inner, outer
    body = f"(fun {name_of(j)} {name_of(i)} : R => {expression(f)})"
    ends = " ".join(map(expression, map(sp.sympify, (c, d, a, b))))
    first, second = (here.equal(a, b) for a, b in zip((left, right), sides(item.concludes.rel), strict=True))
    yield f"apply (eq_equal _ _ _ _ (rsum_exchange {ends} {body})); [{first} | {second}]."


def reindex(item: Reindex, here: Context, premises: list[Premise]) -> Lines:
    way = item.at.coeff(item.i)
    shift = sp.expand(item.at - way * item.i)
    f, t = valued(item.f), name_of(item.t)
    low, high = sp.sympify(item.low), sp.sympify(item.high)
    body, ends = f"(fun {t} : R => {expression(f)})", f"{expression(low)} {expression(high)}"
    lemma = f"rsum_shift {ends} {expression(shift)} {body}"
    if way == -1:
        lemma = f"rsum_reverse {ends} {expression(shift)} {body} ltac:(whole)"
    left, right = sides(item.concludes.rel)
    total = sp.Sum(f, (item.t, low, high))
    yield f"apply (eq_equal _ _ _ _ ({lemma})); [{here.equal(total, left)} | {here.equal(None, right)}]."


def next_integer(item: NextInteger, here: Context, premises: list[Premise]) -> Lines:
    left, right = (expression(valued(sp.sympify(e))) for e in (item.left, item.right))
    above = here.show(Rel(item.left, ">", item.right))
    target = sides(item.concludes.rel)
    equal = f"[{here.equal(None, target[0])} | {here.equal(None, target[1])}]"
    yield f"assert (above : {left} > {right}) by ({above})."
    yield f"apply (ge_equal _ _ _ _ (whole_next {left} {right} ltac:(whole) ltac:(whole) above)); {equal}."
