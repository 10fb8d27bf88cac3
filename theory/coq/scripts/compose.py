"""Relations composed: premises asserted, a lemma at other arguments, the same relation in other words, two cases."""

from __future__ import annotations

from collections.abc import Generator
from dataclasses import replace

from theory.coq.context import Context
from theory.coq.lemma import Premise, free_in, relation_text, sides
from theory.coq.syntax import NoCoq, expression, name_of
from theory.coq.tactics import Lines, moved
from theory.kernel.goal import Goal, Rel
from theory.kernel.named import valued
from theory.kernel.rules import (
    Applied,
    Cases,
    Congruent,
    Follows,
    Instance,
    Replaced,
    Restated,
    Specialised,
    Use,
)
from theory.kernel.rules.compose import conclusion


def arithmetic(item: Goal, here: Context) -> Lines:
    """A relation with sums or functions that holds by arithmetic."""
    yield f"{replace(here, squares=item.squares).show(item.rel, hints=bool(item.squares))}."


def follows(item: Follows, here: Context, premises: list[Premise]) -> Lines:
    here = yield from _asserted(item, here, premises)
    here = replace(here, squares=item.squares)
    yield f"{here.show(item.concludes.rel, hints=bool(item.squares))}."


def applied(item: Applied, here: Context, premises: list[Premise]) -> Lines:
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


def instance(item: Instance | Use, here: Context, premises: list[Premise]) -> Lines:
    yield f"{here.use(premises[0], dict(item.at), item.concludes.rel)}."


def restated(item: Restated, here: Context, premises: list[Premise]) -> Lines:
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


def specialised(item: Specialised, here: Context, premises: list[Premise]) -> Lines:
    """A lemma about any function, for an expression."""
    yield f"{here.use(premises[0], {}, item.concludes.rel, item.functions)}."


def replaced(item: Replaced, here: Context, premises: list[Premise]) -> Lines:
    """Equals for equals in a premise, then the relation as it is written."""
    equality, before = conclusion(item.equality).rel, conclusion(item.item).rel
    old, new = sides(equality)
    yield f"assert (P1 : {relation_text(equality)}). {{ {here.use(premises[0], {}, equality)}. }}"
    knowing = here.knowing(("P1", equality))
    yield f"assert (P2 : {relation_text(before)}). {{ {knowing.use(premises[1], {}, before)}. }}"
    yield "rewrite P1 in P2."
    left, right = (side.xreplace({old: new}) for side in sides(before))
    yield f"{_again(knowing, Rel(left, before.op, right), item.concludes.rel)}."


def congruent(item: Congruent, here: Context, premises: list[Premise]) -> Lines:
    """A function of both sides of an equation."""
    equality, f = conclusion(item.equality).rel, valued(item.f)
    yield f"assert (P1 : {relation_text(equality)}). {{ {here.use(premises[0], {}, equality)}. }}"
    yield f"pose proof (f_equal (fun {name_of(item.x)} : R => {expression(f)}) P1) as P2. cbv beta in P2."
    left, right = (f.xreplace({item.x: side}) for side in sides(equality))
    yield f"{_again(here.knowing(('P1', equality)), Rel(left, '=', right), item.concludes.rel)}."


def _again(here: Context, found: Rel, target: Rel) -> str:
    """P2 as the target is written; SymPy may have simplified what stands in P2."""
    return f"first [{here.adapted('exact P2', found, target)} | {here.adapted('exact P2', None, target)}]"


def cases(item: Cases, here: Context, premises: list[Premise]) -> Lines:
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
