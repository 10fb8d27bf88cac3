"""Small worlds in which a statement can fail: laws, rules of play, counts, each chosen from a short list.

A counterexample that is two numbers, computed by listing all outcomes, is found again by searching such a family:
Hypothesis draws worlds, the two sides are computed apart from the claim, and a violation shrinks to the first entries
of the lists. A proved identity that was checked in one world is searched for violations in the same way.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import sympy as sp
from flint import arb
from hypothesis import Phase, find, given, settings
from hypothesis import strategies as st

from tests.theory.harness.values import BITS, WRONG, ball, enclose, precision

World = tuple[Any, ...]
Sides = tuple[Fraction | arb, Fraction | arb]


@dataclass(frozen=True)
class Family:
    """Lists of choices, the simplest first; the two sides in a world, or None where the statement says nothing.

    `ledger` is the world of the ledger's counterexample; `bound` says that its left side is shown by a lower bound.
    """

    choices: tuple[Sequence[Any], ...]
    sides: Callable[..., Sides | None]
    ledger: World = ()
    bound: bool = False

    @property
    def worlds(self) -> st.SearchStrategy[World]:
        return st.tuples(*map(st.sampled_from, self.choices))

    def violated(self, op: str, world: World) -> bool:
        with precision(BITS[0]):
            found = self.sides(*world)
            if found is None:
                return False
            gap = number(found[0]) - number(found[1])
            return bool((gap > 0 and 1 in WRONG[op]) or (gap < 0 and -1 in WRONG[op]))

    def found(self, op: str) -> World:
        """The violation that Hypothesis finds and shrinks."""
        return find(
            self.worlds,
            lambda world: self.violated(op, world),
            settings=settings(max_examples=500, database=None, derandomize=True, phases=(Phase.generate, Phase.shrink)),
        )

    def rank(self, world: World) -> int:
        """How far down the lists a world is."""
        return sum(list(choices).index(x) for choices, x in zip(self.choices, world, strict=True))


def number(value: Fraction | arb) -> arb:
    return ball(value) if isinstance(value, Fraction) else value


def never_violated_in(family: Family, examples: int = 60) -> None:
    """An identity that holds in every world that is drawn, and says something in most of them."""
    met = 0

    @settings(max_examples=examples, database=None, deadline=None)
    @given(family.worlds)
    def search(world: World) -> None:
        nonlocal met
        met += family.sides(*world) is not None
        assert not family.violated("=", world), world

    search()
    assert met >= 3


def refound_in(family: Family, op: str, shown: Mapping[str, Any]) -> None:
    """A violation is found, no less simple than the ledger's, which lies in the family and has the sides shown."""
    ours = family.found(op)
    assert family.violated(op, ours)
    assert all(x in choices for choices, x in zip(family.choices, family.ledger, strict=True))
    assert family.violated(op, family.ledger)
    assert family.rank(ours) <= family.rank(family.ledger), (ours, family.ledger)
    with precision(BITS[0]):
        sides = family.sides(*family.ledger)
        assert sides is not None
        left, right = (enclose(sp.sympify(shown[name]), {}) for name in ("left", "right"))
        assert number(sides[0]) > left if family.bound else number(sides[0]).overlaps(left)
        assert number(sides[1]).overlaps(right)
