"""Sums and means taken apart in a proof: term by term, constants outside, the mean of a sum as a sum of means."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import TYPE_CHECKING

import sympy as sp

from theory.coq.syntax import expression, mean_name, name_of
from theory.coq.tactics import enter
from theory.kernel.goal import Var
from theory.kernel.terms import Mean, _split, _terms, linear, maximal

if TYPE_CHECKING:
    from theory.coq.context import Context


def apart(here: Context, expr: sp.Expr) -> list[str]:
    """Rewriting steps that take the sums and means of an expression apart."""
    found = []
    for term in sorted(set(maximal(expr)), key=str):
        for step in _apart(here, term):
            found.append(step)
    return found


def _apart(here: Context, term: sp.Expr) -> Iterator[str]:
    if isinstance(term, sp.Sum) and linear(term) != term:
        yield from _sum_apart(here, term)
    elif isinstance(term, Mean) and linear(term) != term:
        yield from _mean_apart(here, term)


def _sum_apart(here: Context, term: sp.Sum) -> Iterator[str]:
    body = term.args[0] if len(term.args) == 2 else sp.Sum(*term.args[:-1])
    i, low, high = term.args[-1]
    inner = here.inside(i, low, high)
    x, ends = name_of(i), f"{expression(low)} {expression(high)}"
    pieces = [_split(t, {i}, averaging=False) for t in _terms(linear(body))]
    rest = body
    for k, (outside, inside) in enumerate(pieces):
        left = sp.Add(*(a * b for a, b in pieces[k + 1 :]))
        functions = [f"(fun {x} : R => {expression(e)})" for e in (rest, inside, left)]
        equal = inner.equal(rest, outside * inside + left)
        yield (
            f"try rewrite (rsum_term {ends} {expression(outside)} {' '.join(functions)}) "
            f"by (intros {x} in_{x}; {enter(i)}; {inner.pose(rest)}{equal})"
        )
        if inside == 1:
            length = here.length(low, high)
            yield f"rewrite (rsum_one {ends}) by (first [whole | cbv beta; {length}])"
        rest = left
    yield "rewrite ?rsum_zero"


def _mean_apart(here: Context, term: Mean) -> Iterator[str]:
    body, x = term.args
    mean, X = mean_name([x]), name_of(x)
    inner = replace(here, domain={**here.domain, x: here.lemma.goal.domain.get(x, Var())})
    pieces = [_split(t, {x}, averaging=True) for t in _terms(linear(body))]
    rest = body
    for k, (outside, inside) in enumerate(pieces):
        left = sp.Add(*(a * b for a, b in pieces[k + 1 :]))
        functions = [f"(fun {X} : R => {expression(e)})" for e in (rest, inside, left)]
        equal = inner.equal(rest, outside * inside + left)
        yield (
            f"try rewrite (mean_term _ _ {mean} M_{X} {expression(outside)} {' '.join(functions)}) "
            f"by (cbv beta; intros {X} on_{X}; facts; {inner.pose(rest)}{equal})"
        )
        sums = [f for f in sp.Mul.make_args(inside) if isinstance(f, sp.Sum)]
        if len(sums) == 1:
            yield from _sum_out(here, term, inside, sums[0])
        rest = left
    yield f"rewrite ?(mean_one _ _ {mean} M_{X}), ?(mean_zero _ _ {mean} M_{X})"


def _sum_out(here: Context, term: Mean, inside: sp.Expr, total: sp.Sum) -> Iterator[str]:
    """The mean of a sum is the sum of the means."""
    x = term.args[1]
    mean, X = mean_name([x]), name_of(x)
    factor = inside / total
    i, low, high = total.args[-1]
    body = factor * (total.args[0] if len(total.args) == 2 else sp.Sum(*total.args[:-1]))
    ends = f"{expression(low)} {expression(high)}"
    summed = sp.Sum(body, (i, low, high))
    if factor != 1:
        equal = here.equal(inside, summed)
        yield (
            f"rewrite (mean_ext _ _ {mean} M_{X} (fun {X} : R => {expression(inside)}) "
            f"(fun {X} : R => {expression(summed)})) by (cbv beta; intros {X} on_{X}; facts; {equal})"
        )
    yield f"rewrite (mean_rsum _ _ {mean} M_{X} {ends} (fun {name_of(i)} {X} : R => {expression(body)}))"
    within = here.inside(i, low, high)
    after = Mean(body, x)
    if linear(after) != after:
        new = linear(after)
        steps = "; ".join(_mean_apart(within, after))
        yield (
            f"rewrite (rsum_ext {ends} (fun {name_of(i)} : R => {expression(after)}) "
            f"(fun {name_of(i)} : R => {expression(new)})) by (intros {name_of(i)} in_{name_of(i)}; "
            f"{enter(i)}; cbv beta; {steps}; settle{here.alike(after)})"
        )
        yield from _sum_apart(here, sp.Sum(new, (i, low, high)))
