"""Putting the engines to a goal: two must agree, whatever it is."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import zip_longest

from theory.kernel import second_intervals
from theory.kernel.atoms import OutOfReach
from theory.kernel.engines import (
    Evidence,
    Outcome,
    certificate_inequality,
    flint_identity,
    normal_form_identity,
    sympy_identity,
    timed,
    z3_inequality,
)
from theory.kernel.exact import decide, fails_at
from theory.kernel.goal import Goal, Rel, once
from theory.kernel.named import spelled
from theory.kernel.normal_form import over_atoms
from theory.kernel.polynomial import is_rational
from theory.kernel.sampling import agrees_everywhere_tried, somewhere
from theory.kernel.terms import limits_in, transparent

Z3_MS = 8000
Found = tuple[Outcome, str | None]


@once
def prove(goal: Goal) -> list[Evidence]:
    """Evidence of two independent engines. The goal is proved when every item is `proved`."""
    name = goal.name or str(goal)
    return [*_unfounded(goal, name), *_asked(goal, name, Z3_MS)]


def _unfounded(goal: Goal, name: str) -> Iterator[Evidence]:
    """Integrals and limits of which no hypothesis says anything: they may not exist, and engines take them for numbers.

    The limit of x is not less than the limit of x, plus 1.
    """
    spoken = frozenset().union(*(limits_in(side) for h in goal.given for side in h.stated))
    for term in sorted(frozenset().union(*map(limits_in, goal.rel.stated)) - spoken, key=spelled):
        what = f"{name}: {spelled(term)} may not exist, and no premise says what it is"
        yield Evidence("sanity", what, Outcome.UNKNOWN)


def proved(goal: Goal, z3_ms: int = Z3_MS) -> bool:
    """Whether both engines prove it; stops at the first engine that fails."""
    return all(e.ok for e in _asked(goal, "", z3_ms))  # the text of the evidence is not needed, and slow to print


def _asked(goal: Goal, name: str, z3_ms: int) -> Iterator[Evidence]:
    """One engine after the other, the quick one first. It differentiates by our rules, the second one by SymPy's."""
    goal = transparent(goal)
    if not goal.symbols and not _rational(goal):
        yield from _number(name, goal)
    elif goal.rel.op != "=":
        yield from _inequality(name, goal, z3_ms)
    elif goal.given and not _plainly_equal(goal):
        # an equation that needs its hypotheses: the quick engine first, for both directions
        left, right = goal.rel.stated
        sides = [_inequality(f"{name}, {op}", replace(goal, rel=Rel(left, op, right)), z3_ms) for op in ("<=", ">=")]
        for found in zip_longest(*sides):
            yield from (e for e in found if e is not None)
    else:
        yield from _identity(name, goal)


def _plainly_equal(goal: Goal) -> bool:
    """Whether both sides are the same without any hypothesis."""
    same = flint_identity if _rational(goal) else normal_form_identity
    return same(goal.by_rules) is Outcome.PROVED


def _rational(goal: Goal) -> bool:
    return is_rational(goal.rel.left) and is_rational(goal.rel.right)


def _number(name: str, goal: Goal) -> Iterator[Evidence]:
    """A relation between closed numbers that are not rational."""
    rel = goal.rel

    def arb() -> Found:
        found = decide(rel)
        return (Outcome.UNKNOWN if found is None else Outcome.PROVED if found else Outcome.REFUTED), None

    def rational() -> Found:
        found = second_intervals.sign(rel.left - rel.right)
        if found is None:
            equal = "=" in rel.op and sympy_identity(goal) is Outcome.PROVED
            return (Outcome.PROVED if equal else Outcome.UNKNOWN), None
        holds = found < 0 if rel.op in ("<", "<=") else found > 0
        return (Outcome.PROVED if holds and rel.op != "=" else Outcome.REFUTED), None

    yield timed("arb", f"{name}: enclosures", arb)
    if rel.op == "=":
        yield timed("sympy", f"{name}: simplified", lambda: (sympy_identity(goal), None))
    else:
        yield timed("rational intervals", f"{name}: enclosures", rational)


def _inequality(name: str, goal: Goal, z3_ms: int) -> Iterator[Evidence]:
    ours, theirs, kind = goal.by_rules, goal, ""
    if not all(is_rational(side) for r in (goal.rel, *goal.given) for side in (r.left, r.right)):
        kind = " in exp, log, erfc and roots"
        try:
            derived = ours is not theirs  # without derivatives they are the same
            ours = over_atoms(ours)
            theirs = over_atoms(theirs) if derived else ours
        except OutOfReach as why:
            yield Evidence("certificate", f"{name}: {why}", Outcome.UNKNOWN)
            return
    yield timed("certificate", f"{name}: nonnegative expansion{kind}, re-checked", lambda: certificate_inequality(ours))
    yield timed("z3", f"{name}: negation unsatisfiable{kind}", lambda: (z3_inequality(theirs, z3_ms), None))


def _identity(name: str, goal: Goal) -> Iterator[Evidence]:
    ours = goal.by_rules
    if _rational(goal):
        yield timed("flint", f"{name}: polynomial arithmetic", lambda: (flint_identity(ours), None))
        yield timed("sympy", f"{name}: normal form", lambda: (sympy_identity(goal), None))
        return
    yield timed(
        "flint", f"{name}: rational functions of exp, log, erfc and roots", lambda: (normal_form_identity(ours), None)
    )
    yield timed("sympy", f"{name}: simplified", lambda: (_simplified(goal), None))
    yield timed(
        "arb",
        f"{name}: enclosures of the difference hold 0 at points (a check, not a proof)",
        lambda: (agrees_everywhere_tried(goal), None),
    )


def _simplified(goal: Goal) -> Outcome:
    """What SymPy's simplifier says; not asked where the sides differ at a point, as it takes long to give up."""
    return Outcome.UNKNOWN if fails_at(goal.rel, somewhere(goal)) else sympy_identity(goal)
