"""Expectations: monotone, and Jensen's inequality."""

from __future__ import annotations

from dataclasses import replace

from theory.coq.context import Context
from theory.coq.lemma import Premise, ranges_of, sides
from theory.coq.scripts.calculus import slope_tactic
from theory.coq.syntax import NoCoq, expression, name_of
from theory.coq.tactics import Lines
from theory.kernel.derivative import derivative
from theory.kernel.goal import Rel, Var
from theory.kernel.named import valued
from theory.kernel.rules import (
    Expectation,
    Jensen,
)
from theory.kernel.rules.compose import conclusion
from theory.kernel.terms import Mean


def expectation(item: Expectation, here: Context, premises: list[Premise]) -> Lines:
    if len(item.over) != 1 or not item.over[0].is_Symbol:
        raise NoCoq("a mean over several random quantities")
    x = item.over[0]
    X, mean = name_of(x), f"mean_of_{name_of(x)}"
    term, goal = conclusion(item.item).rel, item.concludes
    left, right = sides(term)
    op = {"<": "<=", ">": ">="}.get(term.op, term.op)
    means = [f"({mean} (fun {X} : R => {expression(e)}))" for e in (left, right)]
    lemma = {"<=": "mean_le", ">=": "mean_le", "=": "mean_ext"}[op]
    turn = {"<": "apply Rlt_le; ", ">": "apply Rlt_le, Rgt_lt; ", ">=": "apply Rge_le; "}.get(term.op, "")
    support = tuple((f"on{k}", h) for k, h in enumerate(here.lemma.supports.get(x, []), 1))
    inner = here.knowing(*support).having(x, goal.domain.get(x, Var()))
    ranges = [k for k, _ in ranges_of(x, goal.domain) if k != "W"]
    names = " & ".join([*(f"{k}_{X}" for k in ranges), *(name for name, _ in support)]) or "_"
    pattern = f"({names})" if "&" in names else names
    yield f"assert (each : {means[0]} {op} {means[1]})."
    first = "apply Rle_ge; " if op == ">=" else ""
    used = inner.use(premises[0], {}, term)
    yield f"{{ {first}apply ({lemma} _ _ {mean} M_{X}); cbv beta; intros {X} {pattern}; {inner.pose(left + right)}"
    yield f"  {turn}{used}. }}"
    final = {"<=": "le_equal", ">=": "ge_equal", "=": "eq_equal"}[op]
    sums = [here.equal(Mean(a, x), b) for a, b in zip((left, right), sides(goal.rel), strict=True)]
    yield f"apply ({final} _ _ _ _ each); [{sums[0]} | {sums[1]}]."


def jensen(item: Jensen, here: Context, premises: list[Premise]) -> Lines:
    over = item.over or (item.random,)
    if len(over) != 1 or not over[0].is_Symbol or item.domain[item.x] != Var() or not item.convex:
        raise NoCoq("Jensen's inequality on a part of the line, or for several random quantities")
    x, X, w = item.x, name_of(item.x), over[0]
    f = valued(item.f)
    chain = [f, derivative(f, x), derivative(derivative(f, x), x)]
    functions = " ".join(f"(fun {X} : R => {expression(e)})" for e in chain)
    random = f"(fun {name_of(w)} : R => {expression(valued(item.random))})"
    inner = replace(here, domain={**here.domain, x: Var()})
    used = inner.use(premises[0], {x: x}, Rel(chain[2], ">=", 0))
    target = sides(item.concludes.rel)
    yield f"assert (convex := jensen _ _ {functions} {random} M_{name_of(w)})."
    yield "apply (fun a b c => le_equal _ _ _ _ (convex a b c))."
    yield f"{{ intro {X}. {slope_tactic(chain[0], x)}. }}"
    yield f"{{ intro {X}. {slope_tactic(chain[1], x)}. }}"
    yield f"{{ intro {X}. cbv beta; apply Rge_le; {used}. }}"
    yield f"{{ {here.equal(None, target[0])}. }}"
    yield f"{{ {here.equal(None, target[1])}. }}"
