"""Every proved formula against the code of `reucb`, so that code and theory cannot drift apart.

A proved claim is covered in one of three ways: its relations are in the vocabulary of one arm among K and are compared
with `reucb.blup` directly (`arms.py`); a registered check compares them with the code that computes them
(`@against_code`, the other modules here); or `exempt.py` gives the reason why it is about no number of the code.
"""

from __future__ import annotations

import importlib
import pkgutil
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from fractions import Fraction
from functools import cache

import pytest
from flint import ctx
from hypothesis import Phase, given, settings
from hypothesis import strategies as st

from tests import agreement as package
from tests.agreement import BITS, Disagreement, compare
from tests.agreement.arms import PARTS, ArmsProblem, Bend, prepared, problems, reading
from tests.agreement.exempt import NO_CODE
from tests.agreement.registry import CHECKS, Code, claims, goals, registered
from tests.hypothesis_examples import examples
from tests.theory.harness.search import QUIET
from theory.ledger import recorded
from theory.model.arms import s0

for _module in pkgutil.iter_modules(package.__path__):
    importlib.import_module(f"{package.__name__}.{_module.name}")  # enters its checks

RECORD = recorded()
PROVED = [name for name in claims() if RECORD.get(name) == "proved"]
MODULES = sorted({claims()[name].module for name in PROVED})
BENT = 1 + 1e-9
FIXED: tuple[tuple[list[int], list[Fraction], Fraction], ...] = tuple(
    (counts, [Fraction(i, 8) for i in noise], Fraction(spread, 8))
    for counts, noise, spread in (
        ([3, 5, 2], (5, 12, 7, 3, 9), 11),
        ([7, 1], (21, 2, 8, 8, 8), 6),
        ([2, 4, 1, 6], (9, 14, 3, 5, 8), 20),
    )
)


@contextmanager
def precise() -> Iterator[None]:
    saved, ctx.prec = ctx.prec, BITS
    try:
        yield
    finally:
        ctx.prec = saved


@cache
def about_arms(module: str) -> tuple[tuple[str, int], ...]:
    """The goals of a module in the vocabulary of one arm among K, by claim and place."""
    names = [name for name in PROVED if claims()[name].module == module]
    return tuple((name, i) for name in names for i, goal in enumerate(goals(name)) if s0 in goal.symbols)


def confront(which: tuple[str, int], problem: ArmsProblem, bend: Bend | None = None) -> bool:
    """Hold one goal against blup; whether that said anything."""
    at = reading(goals(which[0])[which[1]], problem, bend)
    if at is None:
        return False
    try:
        return compare(prepared(which), at).counted
    except Disagreement as wrong:
        raise Disagreement(f"{which[0]}: {wrong}") from None


@pytest.mark.parametrize("module", MODULES)
def test_relations_between_arms(module: str) -> None:
    """Whatever bandit Hypothesis draws, no proved relation contradicts blup's numbers."""

    @settings(examples(4), suppress_health_check=QUIET, database=None)
    @given(problems([goals(name)[i] for name, i in about_arms(module)]))
    def search(problem: ArmsProblem) -> None:
        for which in about_arms(module):
            confront(which, problem)

    search()


@pytest.mark.parametrize("name", CHECKS)
def test_registered(name: str) -> None:
    gone = [claim for claim in CHECKS[name][1] if claim not in PROVED]
    assert not gone, f"{name} answers for claims that are not (or no longer) recorded as proved: {gone}"

    @settings(examples(5), suppress_health_check=QUIET, database=None)
    @given(st.data())
    def search(data: st.DataObject) -> None:
        with precise():
            CHECKS[name][0](data, Code())

    search()


@pytest.mark.parametrize("name", CHECKS)
def test_registered_checks_can_fail(name: str) -> None:
    """Negative control: every check detects at its first problem that the code's numbers are off by a relative 1e-9."""

    @settings(max_examples=1, suppress_health_check=QUIET, database=None, phases=(Phase.generate,))
    @given(st.data())
    def search(data: st.DataObject) -> None:
        with precise():
            CHECKS[name][0](data, Code(BENT))

    with pytest.raises(Disagreement):
        search()


def fixed(which: tuple[str, int]) -> list[ArmsProblem]:
    """Three bandits, with distinct values of the other symbols near the lower ends of their domains."""
    goal, free = goals(which[0])[which[1]], {}
    for i, x in enumerate(sorted(goal.symbols, key=str)):
        low, high = (None if end is None else Fraction(str(end)) for end in (goal.domain[x].low, goal.domain[x].high))
        step = Fraction(1) if goal.domain[x].integer else 1 + Fraction(i, 4)
        free[x.name, goal.domain[x]] = (low or 0) + (step if high is None else (high - (low or 0)) / (2 + i))
    return [(*bandit, free) for bandit in FIXED]


@cache
def counted() -> frozenset[tuple[str, int]]:
    """The goals that the generic comparison really reaches: the code's numbers in them, and in narrow balls."""
    every = [which for module in MODULES for which in about_arms(module)]
    return frozenset(which for which in every if any(confront(which, problem) for problem in fixed(which)))


def generic() -> set[str]:
    return {name for name, _ in counted()}


def test_every_proved_claim_is_answered_for() -> None:
    missing = [name for name in PROVED if name not in generic() | set(registered()) | set(NO_CODE)]
    assert not missing, (
        f"{missing}: proved, but nothing holds them against the code of reucb. A claim about weights, errors or "
        "variances of one arm, written with theory.model.arms (n, s, s0, Wo, ...), is found by itself. For others add "
        'a check to a module of tests/agreement, decorated with @against_code("<id>"). Only if no number of reucb '
        "is meant, say so, with the reason, in tests/agreement/exempt.py."
    )


def test_no_exemption_is_idle() -> None:
    assert not set(NO_CODE) - set(PROVED), "exempt, but not recorded as proved"
    answered = set(NO_CODE) & (generic() | set(registered()))
    assert not answered, f"{answered}: compared with the code, so they must leave tests/agreement/exempt.py"


def test_every_relation_notices_bent_numbers() -> None:
    """Negative control: one output of blup at a time off by a relative 1e-9, at the fixed bandits.

    Of 386 relations 382 noticed, 325 by the weights, 82 by the errors, 87 by those with mu_0 known and 79 by that of an
    unpulled arm. The other four hold for any weight: they are forms of w + (1 - w) = 1.
    """
    noticed: Counter[str] = Counter()
    blind = set(counted())
    for part, symbol in PARTS.items():
        for which in counted():
            if symbol and symbol not in prepared(which).names:
                continue
            try:
                for problem in fixed(which):
                    confront(which, problem, {part: BENT})
            except Disagreement:
                noticed[part] += 1
                blind.discard(which)
    assert len(blind) <= len(counted()) // 50, sorted(blind)
    assert noticed["weights"] > 0.7 * len(counted())
    assert all(noticed[part] > 0.1 * len(counted()) for part in ("mse", "known", "unpulled")), noticed
