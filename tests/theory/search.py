"""Looking for violations with Hypothesis: exact points of a goal's domain, evaluated apart from the kernel.

`facing(module)` gives the three tests that every module of claims must pass: its verdicts are the recorded ones,
no point violates a proved relation, and every counterexample is found again from the domain alone.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from fractions import Fraction
from functools import lru_cache
from typing import Any

import pytest
import sympy as sp
from hypothesis import HealthCheck, Phase, assume, find, given, settings
from hypothesis import strategies as st

from theory.kernel.argument import Proof, Refutation
from theory.kernel.goal import Goal, Point, Rel, Var
from theory.ledger import Entry, load, recorded

Values = dict[str, Fraction]
DEFECTS = ("refuted", "gap", "misprint")
SUMS = {"J", "Wo", "No", "Qo", "Xo", "So"}  # symbols that stand for sums over the other arms
SMALL = 12  # a counterexample a reader can check has no larger numerator or denominator
QUIET = [HealthCheck.too_slow, HealthCheck.filter_too_much, HealthCheck.data_too_large]


class NotRational(ValueError):
    """The expression is no rational function."""


@lru_cache(maxsize=4096)
def compiled(expr: sp.Expr) -> Callable[[Values], Fraction]:
    """The expression as a function of exact values."""
    return eval(f"lambda at: {_source(expr)}", {"F": Fraction})


def _source(expr: sp.Expr) -> str:
    if expr.is_Rational:
        return f"F({expr.p}, {expr.q})"
    if expr.is_Symbol:
        return f"at[{expr.name!r}]"
    if expr.is_Add or expr.is_Mul:
        return "(" + (" + " if expr.is_Add else " * ").join(map(_source, expr.args)) + ")"
    if expr.is_Pow and expr.exp.is_Integer:
        return f"({_source(expr.base)}) ** ({int(expr.exp)})"
    raise NotRational(str(expr))


def evaluate(expr: sp.Expr, at: Values) -> Fraction:
    """The exact value of a rational expression; ZeroDivisionError where it has none."""
    return compiled(expr)(at)


def holds(rel: Rel, at: Values) -> bool:
    difference = evaluate(rel.left, at) - evaluate(rel.right, at)
    return {"=": difference == 0, "<=": difference <= 0, "<": difference < 0, ">=": difference >= 0,
            ">": difference > 0}[rel.op]


def inside(goal: Goal, at: Values) -> bool:
    """Whether the point lies in the domain and satisfies the hypotheses."""
    for symbol in goal.symbols:
        v, x = goal.domain[symbol], at[symbol.name]
        low, high = (None if b is None else Fraction(int(b.p), int(b.q)) for b in (v.low, v.high))
        if (v.integer and x.denominator != 1) or (high is not None and x > high):
            return False
        if low is not None and (x <= low if v.strict else x < low):
            return False
    return all(holds(h, at) for h in goal.given)


def arms(counts: list[int], noise: list[Fraction], spread: Fraction) -> Values:
    """What the vocabulary calls this bandit, seen from its first arm. `noise` has one entry, or one for each arm."""
    each = noise * len(counts) if len(noise) == 1 else noise
    weights = [c * spread / (c * spread + e) for c, e in zip(counts, each, strict=True)]
    others = [Fraction(c) for c in counts[1:]]
    return {"n": Fraction(counts[0]), "J": Fraction(len(others)), "s": each[0], "s1": each[0], "s0": spread,
            "Wo": sum(weights[1:], Fraction(0)), "Xo": sum(weights[1:], Fraction(0)), "No": sum(others, Fraction(0)),
            "Qo": sum((c * c for c in others), Fraction(0)),
            "So": sum((w * e for w, e in zip(weights[1:], each[1:], strict=True)), Fraction(0))}


FRACTIONS = st.builds(Fraction, st.integers(1, 9), st.integers(1, 9))


BANDITS = st.tuples(st.lists(st.integers(1, 50), min_size=1, max_size=5), FRACTIONS, FRACTIONS)  # counts, noise, spread
ROUNDING = 16 * 2.0**-52  # the core promises a few units in the last place of each number


def near(value: Any, exact: Fraction, scale: float = 0.0) -> bool:
    """Whether a float of the core is the exact number, up to rounding relative to it (or to a scale that is larger)."""
    return bool(abs(float(value) - float(exact)) <= ROUNDING * max(abs(float(exact)), scale))


def seen_from(arm: int, counts: list[int], noise: list[Fraction], spread: Fraction) -> Values:
    """The bandit seen from this arm instead of the first."""
    order = [arm, *(i for i in range(len(counts)) if i != arm)]
    return arms([counts[i] for i in order], noise if len(noise) == 1 else [noise[i] for i in order], spread)


@lru_cache
def value_of(v: Var) -> st.SearchStrategy[Fraction]:
    if v.low is None:
        return st.builds(Fraction, st.integers(-9, 9), st.integers(1, 9))
    low = Fraction(int(v.low.p), int(v.low.q))
    if v.integer:
        return st.integers(int(low), int(low) + 20).map(Fraction)
    return FRACTIONS.map(lambda x: low + x) if v.strict else st.one_of(st.just(low), FRACTIONS.map(lambda x: low + x))


@lru_cache
def bandits(least: int, own_noise: bool) -> st.SearchStrategy[Values]:
    """Concrete bandits of up to four arms; small counts, the corners, are drawn often."""
    pulls = st.one_of(st.integers(least, 2), st.integers(least, 30))
    arm = st.tuples(pulls, FRACTIONS)
    if own_noise:
        return st.tuples(st.lists(arm, min_size=1, max_size=4), FRACTIONS).map(
            lambda x: arms([c for c, _ in x[0]], [e for _, e in x[0]], x[1]))
    return st.tuples(st.lists(pulls, min_size=1, max_size=4), FRACTIONS, FRACTIONS).map(
        lambda x: arms(x[0], [x[1]], x[2]))


def points(goal: Goal) -> st.SearchStrategy[Values]:
    """Points of the goal's domain: a concrete bandit where sums over arms occur, and free values for the rest."""
    names = {x.name: goal.domain[x] for x in goal.symbols}
    sums = SUMS & set(names)
    pulled = "Wo" not in names or any("Wo" in map(str, h.right.free_symbols) and h.op == "<=" for h in goal.given)
    bandit = bandits(int(pulled), bool({"s1", "So"} & set(names))) if sums else st.just({})
    taken = set(arms([1], [Fraction(1)], Fraction(1))) if sums else set()
    free = st.fixed_dictionaries({name: value_of(v) for name, v in sorted(names.items()) if name not in taken})
    return st.tuples(bandit, free).map(lambda x: {**x[0], **x[1]})


def is_rational(goal: Goal) -> bool:
    try:
        one = {x.name: Fraction(3, 7) for x in goal.symbols}
        for rel in (goal.rel, *goal.given):
            holds(rel, one)
    except NotRational:
        return False
    except ZeroDivisionError:
        return True
    return True


def never_violated(goal: Goal, examples: int) -> None:
    """Hypothesis finds no point of the domain where the relation fails."""

    @settings(max_examples=examples, suppress_health_check=QUIET, database=None)
    @given(points(goal))
    def search(at: Values) -> None:
        try:
            assume(inside(goal, at))
            assert holds(goal.rel, at), f"{goal.name or goal.rel} fails at {at}"
        except ZeroDivisionError:
            assume(False)

    search()


def violated(goal: Goal, at: Values) -> bool:
    try:
        return inside(goal, at) and not holds(goal.rel, at)
    except ZeroDivisionError:
        return False


def refound(goal: Goal) -> Values:
    """A violation of a printed relation, found from its domain alone and shrunk."""
    return find(points(goal), lambda at: violated(goal, at),
                settings=settings(max_examples=1000, suppress_health_check=QUIET, database=None, derandomize=True,
                                  report_multiple_bugs=False, phases=(Phase.generate, Phase.shrink)))


def as_recorded(shown: Mapping[str, Any], at: Point | None) -> Values:
    """The point that a ledger entry shows: the one its argument names, or read back from what is shown."""
    if at is not None:
        return {x.name: Fraction(str(v)) for x, v in at.values.items()}
    numbers = {k: Fraction(v) for k, v in shown.items() if isinstance(v, str) and k not in ("left", "right")}
    if "n" in shown and isinstance(shown["n"], list):
        noise = [Fraction(x) for x in shown.get("sigma_k_sq", [shown.get("sigma_sq", "1")])]
        numbers |= arms([int(c) for c in shown["n"]], noise, Fraction(shown["sigma0_sq"]))
    return numbers


def facing(module: str, examples: int = 12) -> tuple[Callable[..., None], ...]:
    """The three tests of one module of claims."""
    names = [c.id for c in load().values() if c.module == module]
    record = recorded()

    @pytest.mark.parametrize("name", names)
    def test_verdict(name: str, ledger: dict[str, Entry]) -> None:
        assert ledger[name].problem is None
        assert ledger[name].repaired_by or ledger[name].verdict not in DEFECTS

    @pytest.mark.parametrize("name", [x for x in names if record.get(x) == "proved"])
    def test_no_violation(name: str) -> None:
        argument = load()[name].build()
        assert isinstance(argument, Proof)
        for goal in argument.items:
            if isinstance(goal, Goal) and goal.symbols and is_rational(goal):
                never_violated(goal, examples)

    @pytest.mark.parametrize("name", [x for x in names if record.get(x) in DEFECTS])
    def test_counterexample(name: str, ledger: dict[str, Entry]) -> None:
        argument = load()[name].build()
        assert isinstance(argument, Refutation)
        shown = ledger[name].finding.counterexample
        assert shown is not None
        if not is_rational(argument.printed):
            return
        if not argument.printed.symbols:  # two numbers, computed by an exact enumeration
            assert Fraction(shown["left"]) != Fraction(shown["right"])
            return
        recorded_point, ours = as_recorded(shown, argument.at), refound(argument.printed)
        for at in (recorded_point, ours):
            assert violated(argument.printed, at)
            used = [at[x.name] for x in argument.printed.symbols]
            assert all(abs(x.numerator) <= SMALL and x.denominator <= SMALL for x in used), at
        assert evaluate(argument.printed.rel.left, recorded_point) == Fraction(shown["left"])
        assert evaluate(argument.printed.rel.right, recorded_point) == Fraction(shown["right"])

    return test_verdict, test_no_violation, test_counterexample
