"""Rules of the kernel as Coq proofs: the conclusion of a rule is a lemma that applies the lemmas of its premises."""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator
from dataclasses import replace

import sympy as sp

from theory.coq.context import Auxiliary, Context, enter, moved
from theory.coq.lemma import Fact, Lemma, free_in, relation_text, sides
from theory.coq.proofs import _rational, _roots
from theory.coq.syntax import NoCoq, expression, name_of, number
from theory.kernel.derivative import derivative
from theory.kernel.goal import Goal, Rel, Var
from theory.kernel.items import Element, Item
from theory.kernel.named import valued
from theory.kernel.rules import (
    Among,
    Applied,
    Cases,
    Chord,
    Exchange,
    Expectation,
    Follows,
    Indicates,
    Induction,
    Instance,
    Jensen,
    Monotone,
    Reindex,
    Restated,
    Rises,
    SplitSum,
    SumOver,
    Telescoping,
    Union,
    Use,
)
from theory.kernel.rules.compose import conclusion, merged
from theory.kernel.rules.sums import unrolled
from theory.kernel.terms import Mean, linear

Premise = Lemma | Fact
Lines = Iterator[str]


def statement(name: str, item: Item, premises: list[Premise]) -> Lemma:
    """The lemma of an item that a rule concludes; its premises are lemmas or definitions."""
    if not isinstance(item, Goal) and type(item) not in SCRIPTS:
        raise NoCoq(f"{type(item).__name__} is not in Coq")
    goal = conclusion(item)
    facts: dict[str, Fact] = {}
    for fact in _facts(item, premises):
        facts.setdefault(fact.text, fact)
    domain = {**merged(tuple(f.goal for f in facts.values())), **goal.domain}
    found = Lemma(name, replace(goal, domain=domain, squares=()), tuple(facts.values()))
    assert found.text  # raises NoCoq where it cannot be printed
    return found


def _facts(item: Item, premises: list[Premise]) -> Iterator[Fact]:
    """Definitions on which a conclusion rests, and the sums for which its symbols stand."""
    for k, p in enumerate(premises):
        at = item.at if isinstance(item, (Instance, Use)) or (isinstance(item, Applied) and k == 0) else {}
        found = (p,) if isinstance(p, Fact) else p.facts
        if isinstance(item, SumOver):
            changed = {item.index, *item.family}
            if any(f.symbols & changed for f in found):
                raise NoCoq("a definition that differs from term to term")
        yield from (f.at({x: v for x, v in at.items() if x.is_Symbol}) if isinstance(p, Lemma) else f for f in found)
    goal = conclusion(item)
    if isinstance(item, (SumOver, Use)):
        for x, total in goal.where.items():
            rel = Rel(x, "=", valued(total))
            if x in free_in(goal.rel):
                yield Fact(Goal(rel, {y: goal.domain.get(y, Var()) for y in rel.symbols}, name=f"{x} is a sum"))


def script(item: Item, lemma: Lemma, premises: list[Premise], auxiliary: Auxiliary) -> str:
    """The proof of a lemma from the lemmas of its premises; lemmas between numbers go to `auxiliary`."""
    context = Context.of(lemma, auxiliary)
    lines = [f"intros {' '.join(lemma.names)}."] if lemma.names else []
    proof = _goal(item, context) if isinstance(item, Goal) else SCRIPTS[type(item)](item, context, premises)
    return "\n".join([*lines, *proof])


def _goal(item: Goal, here: Context) -> Lines:
    """A relation with sums or functions that holds by arithmetic."""
    yield f"{replace(here, squares=item.squares).show(item.rel, hints=bool(item.squares))}."


def _follows(item: Follows, here: Context, premises: list[Premise]) -> Lines:
    here = yield from _asserted(item, here, premises)
    here = replace(here, squares=item.squares)
    yield f"{here.show(item.concludes.rel, hints=bool(item.squares))}."


def _applied(item: Applied, here: Context, premises: list[Premise]) -> Lines:
    here = yield from _asserted(item, here, premises[1:])
    yield f"{here.use(premises[0], dict(item.at), item.concludes.rel)}."


def _asserted(item: Follows | Applied, here: Context, premises: list[Premise]) -> Generator[str, None, Context]:
    """The relations of premises, each known to those after it."""
    for k, (part, premise) in enumerate(zip(item.parts, premises, strict=True), 1):
        goal = conclusion(part)
        missing = {x: here._value(x, goal.domain) for x in free_in(goal.rel) if x not in here.domain}
        rel = moved(goal.rel, missing)
        if any(name_of(x) == name_of(y) for x in missing for y in here.domain if y.is_Symbol):
            raise NoCoq(f"{goal.name}: a variable of the premise is missing")
        yield f"assert (P{k} : {relation_text(rel)})."
        yield f"{{ {here.use(premise, missing, rel)}. }}"
        here = here.knowing((f"P{k}", rel))
    return here


def _instance(item: Instance | Use, here: Context, premises: list[Premise]) -> Lines:
    yield f"{here.use(premises[0], dict(item.at), item.concludes.rel)}."


def _restated(item: Restated, here: Context, premises: list[Premise]) -> Lines:
    """The same difference of both sides, in the same direction."""
    before, target = conclusion(item.item).rel, item.concludes.rel
    yield f"assert (P1 : {relation_text(before)}). {{ {here.use(premises[0], {}, before)}. }}"
    (left, right), (new_left, new_right) = sides(before), sides(target)
    found = "P1"
    if before.op != target.op:
        turned = {"<=": "Rge_le", "<": "Rgt_lt", ">=": "Rle_ge", ">": "Rlt_gt"}[target.op]
        left, right, found = right, left, f"({turned} _ _ P1)"
    lemma = {"<=": "le_shift", "<": "lt_shift", ">=": "ge_shift", ">": "gt_shift", "=": "eq_shift"}[target.op]
    yield f"apply ({lemma} _ _ _ _ {found}); {here.equal(right - left, new_right - new_left)}."


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
    yield f"{{ {lemma}; intros {x} in_{x}; {enter(index, low)}; {inner.pose(left + right)}{turn}{used}. }}"


def _sum_over(item: SumOver, here: Context, premises: list[Premise]) -> Lines:
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
        f"(cbv beta; {'; '.join([*here.apart(a), ''])}{rewrite}settle{here.alike(a, b)})"
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
    steps = "; ".join([*here.apart(rel.right), ""])
    nonzero = here.pose(inside)
    yield f"assert (S{k} : {text}) by ({nonzero}rewrite {hypothesis}; {steps}settle).", f"S{k}"


def _telescoping(item: Telescoping, here: Context, premises: list[Premise]) -> Lines:
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
    length = here.length(low, high)
    yield (
        f"{{ rewrite <- (telescope {ends} {F}) by (first [whole | cbv beta; {length}]); apply rsum_ext; "
        f"intros {x} in_{x}; {enter(j, low)}; cbv beta; "
        f"apply (eq_equal {between}); [{difference} | settle | settle]. }}"
    )
    lemma = {"<=": "le_equal", ">=": "ge_equal", "=": "eq_equal"}[goal.rel.op]
    left = sp.Sum(sides(term)[0], (j, low, high))
    first = f"(cbv beta; {'; '.join([*here.apart(left), ''])}settle)"
    yield f"apply ({lemma} _ _ _ _ each); [{first} | rewrite ends; cbv beta; settle]."


def _split_sum(item: SplitSum, here: Context, premises: list[Premise]) -> Lines:
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


def _induction(item: Induction, here: Context, premises: list[Premise]) -> Lines:
    n, start, goal = item.n, sp.sympify(item.start), item.concludes
    x, first = name_of(n), number(start)
    if any(n in free_in(h) for h in goal.given):
        raise NoCoq("a hypothesis about the variable of the induction")
    own = " ".join(h.name for h in here.facts if h.of == n)
    P = f"(fun {x} : R => {relation_text(goal.rel)})"
    base = replace(here, domain={y: v for y, v in here.domain.items() if y != n})
    yield f"revert dependent {x}."
    yield f"assert (base : {P} {first}). {{ {_unrolled_at(base, item, start, number(start - 1))}. }}"
    step, lines = here.knowing(("before", goal.rel)), []
    for k, (part, premise) in enumerate(zip(item.lemmas, premises, strict=True), 1):
        rel = conclusion(part).rel
        lines.append(f"assert (P{k} : {relation_text(rel)}). {{ {step.use(premise, {}, rel)}. }}")
        step = step.knowing((f"P{k}", rel))
    step = replace(step, squares=item.squares)
    yield f"assert (next : forall {x} : R, whole ({x} - {first}) -> {first} <= {x} -> {P} {x} -> {P} ({x} + 1))."
    yield f"{{ intros {x} above L_{x} before; cbv beta in before."
    yield f"  assert (W_{x} : whole {x}) by (replace {x} with ({x} - {first} + {first}) by ring; whole)."
    yield f"  {' '.join(lines)} {_unrolled_at(step, item, n + 1, x)}. }}"
    yield f"intros {x} {own}. apply (whole_induction {P} {first} base next); [whole | ranges]."


def _unrolled_at(here: Context, item: Induction, value: sp.Expr, known: str) -> str:
    """The relation at the start or at n + 1, from the one in which the last terms of sums are taken off."""
    left, right = (unrolled(side.subs(item.n, value), item.n) for side in sides(item.rel))
    rel = Rel(left, item.rel.op, right)
    tactic = here.show(rel, hints=bool(here.squares))
    unroll = f"(unroll {known}; settle{here.alike(left, right)})"
    lemma = {"<=": "le_equal", "<": "lt_equal", ">=": "ge_equal", ">": "gt_equal", "=": "eq_equal"}[rel.op]
    return f"cbv beta; apply ({lemma} {expression(left)} {expression(right)}); [{tactic} | {unroll} | {unroll}]"


def _exchange(item: Exchange, here: Context, premises: list[Premise]) -> Lines:
    inner, outer = item.inner, item.outer
    f = valued(item.f)
    left = sp.Sum(sp.Sum(f, inner), outer)
    right = sp.Sum(sp.Sum(f, outer), inner)
    (i, a, b), (j, c, d) = inner, outer
    body = f"(fun {name_of(j)} {name_of(i)} : R => {expression(f)})"
    ends = " ".join(map(expression, map(sp.sympify, (c, d, a, b))))
    first, second = (here.equal(a, b) for a, b in zip((left, right), sides(item.concludes.rel), strict=True))
    yield f"apply (eq_equal _ _ _ _ (rsum_exchange {ends} {body})); [{first} | {second}]."


def _reindex(item: Reindex, here: Context, premises: list[Premise]) -> Lines:
    way = item.at.coeff(item.i)
    shift = sp.expand(item.at - way * item.i)
    f, t = valued(item.f), name_of(item.t)
    body, ends = f"(fun {t} : R => {expression(f)})", f"{expression(item.low)} {expression(item.high)}"
    lemma = f"rsum_shift {ends} {expression(shift)} {body}"
    if way == -1:
        length = here.length(item.low, item.high)
        lemma = f"rsum_reverse {ends} {expression(shift)} {body} ltac:(whole) ltac:(cbv beta; {length})"
    left, right = sides(item.concludes.rel)
    total = sp.Sum(f, (item.t, item.low, item.high))
    yield f"apply (eq_equal _ _ _ _ ({lemma})); [{here.equal(total, left)} | {here.equal(None, right)}]."


def _indicates(item: Indicates, here: Context, premises: list[Premise]) -> Lines:
    d, target = valued(item.d), sides(item.concludes.rel)
    lemma = "event_part" if item.part else "event_fails_whole" if item.integer else "event_fails"
    proof = f"({lemma} {expression(d)} ltac:(whole))" if item.integer else f"({lemma} {expression(d)})"
    equal = "ge_equal" if item.part else "le_equal"
    yield f"apply ({equal} _ _ _ _ {proof}); [{here.equal(None, target[0])} | {here.equal(None, target[1])}]."


def _among(item: Among, here: Context, premises: list[Premise]) -> Lines:
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
        f"intros {x} in_{x}; {enter(i, low)}; {sign}]."
    )


def _expectation(item: Expectation, here: Context, premises: list[Premise]) -> Lines:
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
    ranges = [k for k, _ in _kinds(x, goal.domain) if k != "W"]
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


def _kinds(x: sp.Symbol, domain: object) -> list[tuple[str, str]]:
    from theory.coq.lemma import _range

    return _range(x, domain)  # type: ignore[arg-type]


def _monotone(item: Monotone, here: Context, premises: list[Premise]) -> Lines:
    before, x = conclusion(item.item).rel, item.x
    left, right = sides(before)
    f = valued(item.f)
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
    var = item.domain[x]
    for name, end in (("low", low), ("high", high)):
        if var.low is not None:
            sign = "<" if var.strict else "<="
            shown = here.show(Rel(var.low, sign, end))
            yield f"assert (above_{name} : {number(var.low)} {sign} {expression(end)}) by ({shown})."
        if var.high is not None:
            shown = here.show(Rel(end, "<=", var.high))
            yield f"assert (below_{name} : {expression(end)} <= {number(var.high)}) by ({shown})."
    between = here.having(x, var)
    roots = _roots(f, slope)
    derive = f"{' '.join(roots.values())} slope_by ltac:({_rational(roots)})"
    kinds = [k for k, _ in _kinds(x, item.domain) if k != "W"]
    ranges = " ".join(f"assert ({k}_{X} : {t}) by lra." for k, t in _kinds(x, item.domain) if k in kinds)
    final = "le_equal" if before.op[0] == "<" else "ge_equal"
    a, b = expression(low), expression(high)
    yield f"assert (rising : {functions[0]} {a} <= {functions[0]} {b})."
    sloped = between.use(premises[1], {x: x}, Rel(slope, ">=", 0))
    yield f"{{ apply (monotone_between {functions[0]} {functions[1]} {a} {b} {order}); intros {X} [from_ to_]."
    yield f"  {{ {ranges} {derive}. }}"
    yield f"  {{ {ranges} cbv beta; apply Rge_le; {sloped}. }} }}"
    rising = "rising" if before.op[0] == "<" else "(Rle_ge _ _ rising)"
    first, second = (here.equal(None, side) for side in sides(target))
    yield f"apply ({final} _ _ _ _ {rising}); [{first} | {second}]."


def _cases(item: Cases, here: Context, premises: list[Premise]) -> Lines:
    split, target = item.split, item.concludes.rel
    left, right = (expression(e) for e in sides(split))
    decide = {
        "<=": f"(Rle_or_lt {left} {right})",
        "<": f"(Rlt_or_le {left} {right})",
        ">=": f"(Rle_or_lt {right} {left})",
        ">": f"(Rlt_or_le {right} {left})",
    }[split.op]
    other = item.split.negation
    yield f"destruct {decide} as [case | case]."
    flip = "apply Rle_ge in case" if split.op == ">=" else "apply Rlt_gt in case" if split.op == ">" else "idtac"
    back = {"<=": "apply Rlt_gt in case", "<": "apply Rle_ge in case"}.get(split.op, "idtac")
    yield f"{{ {flip}. {here.knowing(('case', split)).use(premises[0], {}, target)}. }}"
    yield f"{{ {back}. {here.knowing(('case', other)).use(premises[1], {}, target)}. }}"


def _slope(f: sp.Expr, x: sp.Symbol) -> str:
    """A tactic for is_derive f x f'; roots are named for the arithmetic."""
    roots = _roots(f, derivative(f, x))
    return f"{' '.join(roots.values())} slope_by ltac:({_rational(roots)})"


def _rises(item: Rises, here: Context, premises: list[Premise]) -> Lines:
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
    yield f"clear L_{X}; revert {X}."
    used = above.use(last, {x: x}, Rel(chain[-1], ">" if item.strict else ">=", 0))
    yield f"assert (sign{item.order} : forall {X} : R, {low} {sign} {X} -> 0 {sign} {functions[-1]} {X})."
    yield f"{{ intros {X} L_{X}; cbv beta; apply {turn}; {used}. }}"
    for k in reversed(range(item.order)):
        value = chain[k].subs(x, item.low)
        base = replace(here, domain={y: v for y, v in here.domain.items() if y != x})
        lemma = "positive_from_slope" if item.strict else "nonneg_from_slope"
        yield f"assert (sign{k} : forall {X} : R, {low} {sign} {X} -> 0 {sign} {functions[k]} {X})."
        yield f"{{ apply ({lemma} {functions[k]} {functions[k + 1]} {low}); [| exact sign{k + 1} |]."
        yield f"  {{ intros {X} above. {_slope(chain[k], x)}. }}"
        start = base.use(starts[k], {}, Rel(value, ">=", 0))
        yield f"  {{ apply (le_equal 0 {expression(value)}); [apply Rge_le; {start} | reflexivity | starts]. }} }}"
    yield f"intros {X} L_{X}; apply {'Rlt_gt' if item.strict else 'Rle_ge'}, sign0, L_{X}."


def _chord(item: Chord, here: Context, premises: list[Premise]) -> Lines:
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
    yield f"  {{ {_slope(chain[0], x)}. }}"
    yield f"  {{ {_slope(chain[1], x)}. }}"
    yield f"  {{ cbv beta; apply Rge_le; {used}. }} }}"
    first = here.equal(None, target[0])
    yield f"apply (le_equal _ _ _ _ (below {X} (conj L_{X} U_{X}))); cbv beta; [{first} | starts_then ltac:(settle)]."


def _jensen(item: Jensen, here: Context, premises: list[Premise]) -> Lines:
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
    yield f"{{ intro {X}. {_slope(chain[0], x)}. }}"
    yield f"{{ intro {X}. {_slope(chain[1], x)}. }}"
    yield f"{{ intro {X}. cbv beta; apply Rge_le; {used}. }}"
    yield f"{{ {here.equal(None, target[0])}. }}"
    yield f"{{ {here.equal(None, target[1])}. }}"


def _union(item: Union, here: Context, premises: list[Premise]) -> Lines:
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


def numbers(name: str, goal: Goal, defined: str | None) -> str:
    """Lemmas and script of a relation between numbers that has roots, exponentials or logarithms."""
    lemma = Lemma(name, replace(goal, squares=()), plain=True)
    auxiliary = Auxiliary(name)
    here = replace(Context.of(lemma, auxiliary), squares=goal.squares)
    proof = here.show(goal.rel, hints=bool(goal.squares))
    lines = [f"intros {' '.join(lemma.names)}."] if lemma.names else []
    if defined is not None:
        lines.append(f"generalize ({' '.join([defined, *lemma.names])}); intros; facts.")
    own = f"Lemma {name} :\n  {lemma.text}.\nProof.\n" + "\n".join([*lines, f"{proof}."]) + "\nQed.\n"
    return "".join([*auxiliary.lemmas, own])


SCRIPTS: dict[type[Element], Callable[..., Lines]] = {
    Follows: _follows,
    Applied: _applied,
    Instance: _instance,
    Use: _instance,
    Restated: _restated,
    SumOver: _sum_over,
    Telescoping: _telescoping,
    SplitSum: _split_sum,
    Induction: _induction,
    Exchange: _exchange,
    Reindex: _reindex,
    Indicates: _indicates,
    Among: _among,
    Expectation: _expectation,
    Monotone: _monotone,
    Cases: _cases,
    Rises: _rises,
    Chord: _chord,
    Jensen: _jensen,
    Union: _union,
}
