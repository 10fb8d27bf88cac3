"""Signs from derivatives: monotone functions, values from slopes, chords."""

from __future__ import annotations

from dataclasses import replace

import sympy as sp

from theory.coq.context import Context
from theory.coq.lemma import Premise, ranges_of, relation_text, sides
from theory.coq.proofs import rational_equality, squared_roots
from theory.coq.syntax import NoCoq, expression, name_of, number
from theory.coq.tactics import Lines
from theory.kernel.derivative import derivative
from theory.kernel.goal import Rel, Var
from theory.kernel.named import valued
from theory.kernel.rules import (
    Chord,
    InLimit,
    Limit,
    Monotone,
    Rises,
)
from theory.kernel.rules.compose import conclusion


def monotone(item: Monotone, here: Context, premises: list[Premise]) -> Lines:
    before = conclusion(item.item).rel
    x = sp.Symbol(f"{item.x.name}_between") if item.x in here.domain else item.x  # the name may be in use
    left, right = sides(before)
    f, domain = valued(item.f).xreplace({item.x: x}), {**item.domain, x: item.domain[item.x]}
    X, slope = name_of(x), derivative(f, x)
    functions = [f"(fun {X} : R => {expression(e)})" for e in (f, slope)]
    target = item.concludes.rel
    yield f"assert (P1 : {relation_text(before)})."
    yield f"{{ {here.use(premises[0], {}, before)}. }}"
    here = here.knowing(("P1", before))
    if before.op == "=":
        yield f"apply (eq_equal _ _ _ _ (f_equal {functions[0]} P1)); cbv beta; settle."
        return
    low, high, order = (left, right, "P1") if before.op[0] == "<" else (right, left, "(Rge_le _ _ P1)")
    if before.op in ("<", ">"):
        order = f"(Rlt_le _ _ {'P1' if before.op == '<' else '(Rgt_lt _ _ P1)'})"
    var = domain[x]
    for name, end in (("low", low), ("high", high)):
        if var.low is not None:
            sign = "<" if var.strict else "<="
            shown = here.show(Rel(var.low, sign, end))
            yield f"assert (above_{name} : {number(var.low)} {sign} {expression(end)}) by ({shown})."
        if var.high is not None:
            shown = here.show(Rel(end, "<=", var.high))
            yield f"assert (below_{name} : {expression(end)} <= {number(var.high)}) by ({shown})."
    between = here.having(x, var)
    roots = squared_roots(f, slope)
    derive = f"{' '.join(roots.values())} slope_by ltac:({rational_equality(roots)})"
    kinds = [k for k, _ in ranges_of(x, domain) if k != "W"]
    ranges = " ".join(f"assert ({k}_{X} : {t}) by lra." for k, t in ranges_of(x, domain) if k in kinds)
    final = "le_equal" if before.op[0] == "<" else "ge_equal"
    a, b = expression(low), expression(high)
    yield f"assert (rising : {functions[0]} {a} <= {functions[0]} {b})."
    sloped = between.use(premises[1], {item.x: x}, Rel(slope, ">=", 0))
    yield f"{{ apply (monotone_between {functions[0]} {functions[1]} {a} {b} {order}); intros {X} [from_ to_]."
    yield f"  {{ {ranges} {derive}. }}"
    yield f"  {{ {ranges} cbv beta; apply Rge_le; {sloped}. }} }}"
    rising = "rising" if before.op[0] == "<" else "(Rle_ge _ _ rising)"
    first, second = (here.equal(None, side) for side in sides(target))
    yield f"apply ({final} _ _ _ _ {rising}); [{first} | {second}]."


def slope_tactic(f: sp.Expr, x: sp.Symbol) -> str:
    """A tactic for is_derive f x f'; roots are named for the arithmetic."""
    roots = squared_roots(f, derivative(f, x))
    return f"{' '.join(roots.values())} slope_by ltac:({rational_equality(roots)})"


def rises(item: Rises, here: Context, premises: list[Premise]) -> Lines:
    """From the last derivative down: each is nonnegative because it starts so and the next one is."""
    x, X = item.x, name_of(item.x)
    *starts, last = premises
    chain = [valued(item.expr)]
    for _ in range(item.order):
        chain.append(derivative(chain[-1], x))
    functions = [f"(fun {X} : R => {expression(e)})" for e in chain]
    low, sign = number(item.low), "<" if item.strict else "<="
    above = replace(here, domain={**here.domain, x: Var(sp.Rational(item.low), strict=item.strict)})
    turn = "Rgt_lt" if item.strict else "Rge_le"
    yield f"revert dependent {X}."
    used = above.use(last, {x: x}, Rel(chain[-1], ">" if item.strict else ">=", 0))
    yield f"assert (sign{item.order} : forall {X} : R, {low} {sign} {X} -> 0 {sign} {functions[-1]} {X})."
    yield f"{{ intros {X} L_{X}; cbv beta; apply {turn}; {used}. }}"
    for k in reversed(range(item.order)):
        value = chain[k].subs(x, item.low)
        base = replace(here, domain={y: v for y, v in here.domain.items() if y != x})
        lemma = "positive_from_slope" if item.strict else "nonneg_from_slope"
        yield f"assert (sign{k} : forall {X} : R, {low} {sign} {X} -> 0 {sign} {functions[k]} {X})."
        yield f"{{ apply ({lemma} {functions[k]} {functions[k + 1]} {low}); [| exact sign{k + 1} |]."
        yield f"  {{ intros {X} above. {slope_tactic(chain[k], x)}. }}"
        start = base.use(starts[k], {}, Rel(value, ">=", 0))
        yield f"  {{ apply (le_equal 0 {expression(value)}); [apply Rge_le; {start} | reflexivity | starts]. }} }}"
    yield f"intros {X} L_{X}; apply {'Rlt_gt' if item.strict else 'Rle_ge'}, sign0, L_{X}."


def chord(item: Chord, here: Context, premises: list[Premise]) -> Lines:
    x, X, var = item.x, name_of(item.x), item.domain[item.x]
    f = valued(item.f)
    chain = [f, derivative(f, x), derivative(derivative(f, x), x)]
    functions = " ".join(f"(fun {X} : R => {expression(e)})" for e in chain)
    assert var.low is not None
    assert var.high is not None
    low, high = number(var.low), number(var.high)
    inner = replace(here, domain={**here.domain, x: var})
    used = inner.use(premises[0], {x: x}, Rel(chain[2], ">=", 0))
    target = sides(item.concludes.rel)
    ranges = f"assert (L_{X} := proj1 range_); assert (U_{X} := proj2 range_)"
    F = f"(fun {X} : R => {expression(f)})"
    chord = f"(({high} - {X}) * {F} {low} + ({X} - {low}) * {F} {high}) / ({high} - {low})"
    yield f"assert (below : forall {X} : R, {low} <= {X} <= {high} -> {F} {X} <= {chord})."
    yield f"{{ clear L_{X} U_{X}; clear {X}. apply (chord_above {functions} {low} {high}); [lra | | |];"
    yield f"  intros {X} range_; {ranges}."
    yield f"  {{ {slope_tactic(chain[0], x)}. }}"
    yield f"  {{ {slope_tactic(chain[1], x)}. }}"
    yield f"  {{ cbv beta; apply Rge_le; {used}. }} }}"
    first = here.equal(None, target[0])
    yield f"apply (le_equal _ _ _ _ (below {X} (conj L_{X} U_{X}))); cbv beta; [{first} | starts_then ltac:(settle)]."


def limit(item: Limit, here: Context, premises: list[Premise]) -> Lines:
    """By the structure of the function."""
    yield "limit."


def in_limit(item: InLimit, here: Context, premises: list[Premise]) -> Lines:
    """What holds for every x holds for the limit."""
    every = conclusion(item.item)
    x, X, var = item.x, name_of(item.x), every.domain[item.x]
    a, f = sides(every.rel)
    if var.integer or x in here.domain or every.rel.op == "=":
        raise NoCoq(f"a limit over integers, or of both sides: {every.rel}")
    low = sp.Integer(0) if var.low is None else var.low
    lemma = "in_limit_le" if every.rel.op[0] == "<" else "in_limit_ge"
    value = expression(sides(item.concludes.rel)[1])
    weak = {"<": "apply Rlt_le; ", ">": "apply Rle_ge, Rlt_le, Rgt_lt; "}.get(every.rel.op, "")
    tends, _ = here.applying(premises[1], {})
    ranges = " ".join(f"assert ({k}_{X} : {t}) by lra." for k, t in ranges_of(x, every.domain) if k != "W")
    yield f"apply ({lemma} (fun {X} : R => {expression(f)}) {expression(a)} {value} {number(low)})."
    yield f"{{ {tends}. }}"
    yield f"{{ intros {X} above. {ranges} cbv beta; {weak}{here.having(x, var).use(premises[0], {}, every.rel)}. }}"
