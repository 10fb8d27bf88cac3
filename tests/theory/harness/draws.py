"""Exact points of a goal's domain: bandits where sums over arms occur, listed values for the rest.

Every value is one choice from a list. Those for Hypothesis (`drawn`) start with the simplest, so that a violation
shrinks to small numbers. The `wide` ones (`sampled`) reach counts of 10^6 and ratios of 10^-6 and 10^6, and meet the
corners of the domain often.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import lru_cache
from itertools import pairwise
from math import gcd
from random import Random

import sympy as sp
from hypothesis import strategies as st

from tests.theory.harness.values import Values, evaluate, is_rational
from theory.kernel.goal import Goal, Var

SUMS = {"J", "Wo", "No", "Qo", "Xo", "So"}  # symbols that stand for sums over the other arms
FAR = 10**6
SIZES = tuple(
    sorted(
        (Fraction(p, q) for p in range(1, 10) for q in range(1, 10) if gcd(p, q) == 1),
        key=lambda x: (x.numerator + x.denominator, x.denominator),
    )
)
LARGER = tuple(y for x in (*range(10, 31), 40, 50, 100, 200) for y in (Fraction(x), Fraction(1, x)))
SHARES = tuple(x for x in SIZES if x < 1)
TENS = tuple(m * Fraction(10) ** k for k in range(-6, 7) for m in (1, 2, 5) if k not in (-1, 0))
STRIDE = 11
SIZE = st.sampled_from((*SIZES, *LARGER))
WIDE_SIZES = (*SIZES, *TENS)
FRACTIONS = st.builds(Fraction, st.integers(1, 9), st.integers(1, 9))
BANDITS = st.tuples(st.lists(st.integers(1, 50), min_size=1, max_size=5), FRACTIONS, FRACTIONS)  # counts, noise, spread


def arms(counts: list[int], noise: list[Fraction], spread: Fraction, copies: int = 1) -> Values:
    """What the vocabulary calls this bandit, seen from its first arm; every other arm stands for `copies` equal ones.

    `noise` has one entry, or one for each arm.
    """
    each = noise * len(counts) if len(noise) == 1 else noise
    weights = [c * spread / (c * spread + e) for c, e in zip(counts, each, strict=True)]
    others = [Fraction(c) for c in counts[1:]]

    def total(terms: list[Fraction]) -> Fraction:
        return copies * sum(terms, Fraction(0))

    return {
        "n": Fraction(counts[0]),
        "J": Fraction(copies * len(others)),
        "s": each[0],
        "s1": each[0],
        "s0": spread,
        "Wo": total(weights[1:]),
        "Xo": total(weights[1:]),
        "No": total(others),
        "Qo": total([c * c for c in others]),
        "So": total([w * e for w, e in zip(weights[1:], each[1:], strict=True)]),
    }


NAMED = frozenset(arms([1], [Fraction(1)], Fraction(1)))


def seen_from(arm: int, counts: list[int], noise: list[Fraction], spread: Fraction) -> Values:
    """The bandit seen from this arm instead of the first."""
    order = [arm, *(i for i in range(len(counts)) if i != arm)]
    return arms([counts[i] for i in order], noise if len(noise) == 1 else [noise[i] for i in order], spread)


@dataclass(frozen=True)
class Bandit:
    """A concrete bandit; its first arm is the one that is looked at."""

    counts: tuple[int, ...]
    noise: tuple[Fraction, ...]
    spread: Fraction
    copies: int = 1

    def values(self) -> Values:
        return arms(list(self.counts), list(self.noise), self.spread, self.copies)

    def pushed(self, sizes: tuple[Fraction, ...]) -> Iterator[Bandit]:
        """The same bandit with one thing far out, or without its other arms."""
        own, *others = self.counts
        yield replace(self, counts=(FAR, *others))
        yield from (replace(self, spread=self.spread * x) for x in (Fraction(FAR), Fraction(1, FAR), *sizes))
        if others:
            yield replace(self, counts=(own, *(FAR for _ in others)))
            yield replace(self, copies=FAR)
            yield replace(self, counts=(own,), noise=self.noise[:1])


Solved = tuple[tuple[str, sp.Expr], ...]  # symbols and their values in terms of the others, in order


@dataclass(frozen=True)
class Drawn:
    """A drawn point: perhaps a bandit, values of the other symbols, and symbols that hypotheses determine."""

    bandit: Bandit | None
    free: Values
    solved: Solved = ()
    offset: int = 0  # which of the sizes far out are tried

    def values(self) -> Values | None:
        """None where a hypothesis has no solution."""
        return self._completed(self.free if self.bandit is None else {**self.bandit.values(), **self.free})

    def pushed(self, goal: Goal) -> Iterator[Values]:
        """The drawn point moved along one axis: to an end of the domain, and to some sizes far out."""
        yield from (x for x in map(self._completed, self._moved(goal)) if x is not None)

    def _moved(self, goal: Goal) -> Iterator[Values]:
        sizes = TENS[self.offset :: STRIDE]
        if self.bandit is not None:
            yield from ({**b.values(), **self.free} for b in self.bandit.pushed(sizes))
        here = self.free if self.bandit is None else {**self.bandit.values(), **self.free}
        for symbol in goal.symbols:
            if symbol.name in self.free:
                v = goal.domain[symbol]
                yield from ({**here, symbol.name: x} for x in (*ends(v), *sizes) if contains(v, x))

    def _completed(self, values: Values) -> Values | None:
        for name, value in self.solved:
            try:
                values = {**values, name: evaluate(value, values)}
            except ZeroDivisionError:
                return None
        return values


@lru_cache
def bounds(v: Var) -> tuple[Fraction | None, Fraction | None]:
    low, high = (None if b is None else Fraction(int(b.p), int(b.q)) for b in (v.low, v.high))
    return low, high


@lru_cache
def listed(v: Var, wide: bool) -> tuple[Fraction, ...]:
    """Values of a variable, the simplest first."""
    low, high = bounds(v)
    sizes = (*SIZES, *(TENS if wide else LARGER))
    if low is None:
        values = [Fraction(0), *(y for x in sizes for y in (x, -x))]
        if high is not None:
            values = [high, *(high - x for x in sizes)]
    elif v.integer:
        values = [low + i for i in (*range(31), *((50, 100, 1000, 10**4, FAR) if wide else (50, 100)))]
    elif high is None:
        values = [low, *(low + x for x in sizes)]
    else:
        tiny = (Fraction(1, FAR), 1 - Fraction(1, FAR)) if wide else ()
        values = [low, high, *(low + (high - low) * x for x in (*SHARES, *tiny))]
    inside = [x for x in values if contains(v, x)]
    return (*inside, *ends(v) * 3) if wide else tuple(inside)


@lru_cache
def ends(v: Var) -> tuple[Fraction, ...]:
    """Corners of a variable's range, and values far out."""
    low, high = bounds(v)
    start = Fraction(0) if low is None else low
    near = start + (1 if v.integer else Fraction(1, FAR))
    far = [start + FAR] if high is None else [high]
    candidates = [start, near, *far, *([Fraction(-FAR)] if low is None else [])]
    return tuple(x for x in candidates if contains(v, x))


def contains(v: Var, x: Fraction) -> bool:
    low, high = bounds(v)
    if (v.integer and x.denominator != 1) or (high is not None and x > high):
        return False
    return low is None or (x > low if v.strict else x >= low)


@lru_cache
def pulls(least: int, wide: bool) -> tuple[int, ...]:
    """Counts of an arm; the small ones, the corners, are drawn often."""
    small = [c for c in (1, 0, 2, 0) if c >= least]
    far = (1000, FAR, FAR) if wide else ()
    return (*range(max(least, 1), 31), *([0] if least == 0 else []), *(small * 4), *far)


@lru_cache
def bandits(least: int, own_noise: bool) -> st.SearchStrategy[Bandit]:
    """Concrete bandits of up to four arms."""
    count = st.sampled_from(pulls(least, wide=False))
    counts = st.lists(count, min_size=1, max_size=4).map(tuple)
    if own_noise:
        pairs = st.lists(st.tuples(count, SIZE), min_size=1, max_size=4)
        return st.builds(lambda x, spread: Bandit(tuple(c for c, _ in x), tuple(e for _, e in x), spread), pairs, SIZE)
    return st.builds(lambda c, noise, spread: Bandit(c, (noise,), spread), counts, SIZE, SIZE)


@dataclass(frozen=True)
class Shape:
    """What is drawn for a goal: values of symbols, those that hypotheses determine, and perhaps a bandit."""

    free: tuple[tuple[str, Var], ...]
    solved: Solved
    least: int | None  # the fewest pulls of an arm of the bandit; None: no sums over arms occur
    own_noise: bool  # whether arms have noise variances of their own


def shape(goal: Goal) -> Shape:
    """A concrete bandit where sums over arms occur, and free values for the rest.

    An equation among the hypotheses gives the value of one symbol, where it is linear in one: drawn at random it would
    hardly ever hold.
    """
    names = {x.name: goal.domain[x] for x in goal.symbols}
    sums = SUMS & set(names)
    pulled = "Wo" not in names or any("Wo" in map(str, h.right.free_symbols) and h.op == "<=" for h in goal.given)
    taken = NAMED if sums else frozenset()
    solved = solutions(goal, taken)
    known = taken | {name for name, _ in solved}
    free = tuple((name, v) for name, v in sorted(names.items()) if name not in known)
    return Shape(free, solved, int(pulled) if sums else None, bool({"s1", "So"} & set(names)))


def drawn(goal: Goal) -> st.SearchStrategy[Drawn]:
    """Points of the goal's domain for Hypothesis, which shrinks them to small numbers."""
    what = shape(goal)
    bandit = st.none() if what.least is None else bandits(what.least, what.own_noise)
    free = st.fixed_dictionaries({name: st.sampled_from(listed(v, wide=False)) for name, v in what.free})
    return st.builds(Drawn, bandit, free, st.just(what.solved))


def sampled(what: Shape, random: Random) -> Drawn:
    """A point drawn from the wide lists; in one of four, symbols are equal to their predecessors where they can be."""
    free = {name: random.choice(listed(v, wide=True)) for name, v in what.free}
    if random.randrange(4) == 0:
        for (before, _), (name, v) in pairwise(what.free):
            free[name] = free[before] if contains(v, free[before]) else free[name]
    bandit = None if what.least is None else _sampled_bandit(what.least, what.own_noise, random)
    return Drawn(bandit, free, what.solved, random.randrange(STRIDE))


def _sampled_bandit(least: int, own_noise: bool, random: Random) -> Bandit:
    counts = tuple(random.choices(pulls(least, wide=True), k=random.randint(1, 4)))
    noise = tuple(random.choices(WIDE_SIZES, k=len(counts) if own_noise else 1))
    return Bandit(counts, noise, random.choice(WIDE_SIZES))


def solutions(goal: Goal, taken: frozenset[str]) -> Solved:
    """Symbols that the equations among the hypotheses determine; the others, and those `taken`, are drawn."""
    found: dict[sp.Symbol, sp.Expr] = {}
    for h in (h for h in goal.given if h.op == "="):
        difference = (h.left - h.right).xreplace(found)
        if not is_rational(difference):
            continue
        free = [x for x in difference.free_symbols if x.name not in taken]
        for x in sorted(free, key=lambda x: (x not in (h.right, h.left), *_narrow(goal.domain[x]), x.name)):
            slope = sp.cancel(sp.diff(difference, x))
            if slope != 0 and not slope.has(x):
                value = sp.cancel(x - difference / slope)
                found = {y: sp.cancel(old.xreplace({x: value})) for y, old in found.items()} | {x: value}
                break
    return tuple((x.name, value) for x, value in found.items())


def _narrow(v: Var) -> tuple[bool, bool, bool]:
    """How unlikely it is that a computed value lies in the range, by kinds of ranges."""
    return v.integer, v.high is not None, v.low is not None
