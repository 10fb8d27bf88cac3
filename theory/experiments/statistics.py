"""Sentences about measured results, judged on recorded runs with one error probability for all of them.

A sentence is a list of comparisons; a comparison says that a ratio (of mean regrets, of spreads, of run times) lies in
a range, and the table READINGS fixes once what range each word of the paper means. Every comparison gets a two-sided
confidence interval for its ratio at the error ERROR / SHARES, so that with probability at least 1 - ERROR all of them
hold at once (Bonferroni), and then no verdict below is wrong:

    supported   every interval lies inside its range         (two ends of the range: an equivalence test)
    refuted     some interval lies outside its range
    undecided   otherwise; the verdict is open

Ratios are taken over runs that share their bandit and their noise (pairs): `theory.experiments.intervals`.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from functools import cache
from math import inf
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from theory.experiments.intervals import FloatArray, Interval, mean_ratio, spread_ratio
from theory.kernel.argument import Argument, Finding
from theory.kernel.claim import REGISTRY
from theory.kernel.engines import Evidence, Outcome
from theory.kernel.mutate import Mutant

ERROR = 0.01  # error probability of all sentences together
SHARES = 100  # number of comparisons that may share it
ENGINE = "paired intervals on recorded runs"


class Judgement(StrEnum):
    SUPPORTED = "supported"
    REFUTED = "refuted"
    UNDECIDED = "undecided"


@dataclass(frozen=True)
class Reading:
    """What a word says about a ratio: it lies between low and high (the ends included)."""

    words: str
    low: float
    high: float

    def __str__(self) -> str:
        if self.low <= 0:
            return f"at most {self.high:.4g}"
        return f"at least {self.low:.4g}" if self.high == inf else f"from {self.low:.4g} to {self.high:.4g}"


READINGS = {
    r.words: r
    for r in (
        Reading("lower", 0.0, 1.0),
        Reading("much lower", 0.0, 0.8),
        Reading("slightly lower", 0.8, 1.0),
        Reading("higher", 1.0, inf),
        Reading("much higher", 1.25, inf),
        Reading("slightly higher", 1.0, 1.25),
        Reading("similar", 0.8, 1.25),
        Reading("lower or similar", 0.0, 1.25),
        Reading("linear", 2**0.9, inf),  # of the regret at n to that at n/2
        Reading("likely", 0.5, inf),  # of a frequency to 1
    )
}


@dataclass(frozen=True)
class Comparison:
    """One ratio that a sentence is about: columns of numbers, one pair per run, and what it says of them."""

    about: str
    first: FloatArray
    second: FloatArray
    reading: Reading
    spread: bool = False

    def __post_init__(self) -> None:
        if self.first.shape != self.second.shape or self.first.ndim != 1 or len(self.first) < 2:
            raise ValueError(f"{self.about}: columns of shapes {self.first.shape}, {self.second.shape} are not paired")

    def interval(self, error: float = ERROR / SHARES) -> Interval:
        return (spread_ratio if self.spread else mean_ratio)(self.first, self.second, error)

    @property
    def with_itself(self) -> bool:
        """Whether both columns are the same numbers: then nothing was compared."""
        return bool(np.array_equal(self.first, self.second))

    def judge(self) -> Judgement:
        if self.with_itself:
            return Judgement.UNDECIDED
        found = self.interval()
        if self.reading.low <= found.low and found.high <= self.reading.high:
            return Judgement.SUPPORTED
        apart = found.high < self.reading.low or found.low > self.reading.high
        return Judgement.REFUTED if apart else Judgement.UNDECIDED

    def __str__(self) -> str:
        return f"{self.about}: {self.interval()}; says {self.reading.words}: {self.reading}"


def compare(about: str, first: ArrayLike, second: ArrayLike, words: str, *, spread: bool = False) -> Comparison:
    """The comparison of two columns under the reading of these words."""
    return Comparison(about, np.asarray(first, float), np.asarray(second, float), READINGS[words], spread)


@dataclass(frozen=True)
class Measured(Evidence):
    """Evidence with an error rate; it is not a proof, and says so."""

    outcome: Any = Judgement.UNDECIDED
    error: float = ERROR / SHARES

    @property
    def ok(self) -> bool:
        """The test ran; whether its outcome is the recorded one shows in the verdict."""
        return True

    def as_json(self) -> dict[str, Any]:
        return {**super().as_json(), "error_rate": self.error, "error_rate_of_all": ERROR}


@dataclass(frozen=True)
class Sentence(Argument):
    """All comparisons hold. `undecided`: why these numbers cannot decide the paper's sentence, whatever they are."""

    comparisons: tuple[Comparison, ...]
    undecided: str | None = None

    def judge(self) -> Judgement:
        found = {c.judge() for c in self.comparisons}
        if Judgement.REFUTED in found:
            return Judgement.REFUTED
        return Judgement.UNDECIDED if Judgement.UNDECIDED in found else Judgement.SUPPORTED

    def check(self) -> Finding:
        evidence: list[Evidence] = [Measured(ENGINE, str(c), c.judge()) for c in self.comparisons]
        if registered() > SHARES:
            evidence.append(
                Evidence(ENGINE, f"{registered()} comparisons share an error meant for {SHARES}", Outcome.UNKNOWN)
            )
        same = [c.about for c in self.comparisons if c.with_itself]
        evidence += [Evidence(ENGINE, f"{about}: compared with itself", Outcome.UNKNOWN) for about in same]
        killed = tuple(
            Mutant(name, variant.judge() is not Judgement.SUPPORTED)
            for name, variant in false_variants(self.comparisons)
        )
        if self.undecided is not None:
            return Finding("open", tuple(evidence), killed, fails_when=f"undecided: {self.undecided}")
        judged = self.judge()
        if judged is Judgement.SUPPORTED:
            return Finding("supported", tuple(evidence), killed)
        if judged is Judgement.REFUTED:
            wrong = next(c for c in self.comparisons if c.judge() is Judgement.REFUTED)
            return Finding("refuted", tuple(evidence), killed, _shown(wrong), _when(self.comparisons))
        return Finding("open", tuple(evidence), killed, fails_when=_when(self.comparisons))


def sentence(*comparisons: Comparison, undecided: str | None = None) -> Sentence:
    return Sentence(tuple(comparisons), undecided)


@cache
def _comparisons(name: str) -> int:
    return len(getattr(REGISTRY[name].build(), "comparisons", ()))


def registered() -> int:
    """How many comparisons share the error: those of every statistical claim in the ledger."""
    return sum(_comparisons(name) for name, claim in REGISTRY.items() if claim.kind == "statistical")


def false_variants(comparisons: Sequence[Comparison], most: int = 4) -> Iterable[tuple[str, Sentence]]:
    """Variants of the comparisons not supported by the data: their own estimate lies outside the range they state."""
    found = [
        (name, variant)
        for c in comparisons
        for name, variant in _neighbours(c)
        if not variant.reading.low <= variant.interval().ratio <= variant.reading.high
    ]
    for name, variant in found[:most]:
        yield f"{variant.about}: {name}", Sentence((variant,))


def _neighbours(c: Comparison) -> Iterable[tuple[str, Comparison]]:
    i = c.interval()
    yield "exchanged", replace(c, first=c.second, second=c.first)
    half = len(c.first) // 2
    yield "a policy against itself", replace(c, first=c.first[:half], second=c.first[-half:])
    yield "below the interval", replace(c, reading=Reading("below", 0.0, i.low / 1.01))
    yield "above the interval", replace(c, reading=Reading("above", i.high * 1.01, inf))
    yield "doubled", replace(c, first=2 * c.first)
    yield "halved", replace(c, first=c.first / 2)


def _shown(c: Comparison) -> dict[str, Any]:
    i = c.interval()
    return {
        "setting": c.about,
        "ratio": f"{i.ratio:.4g}",
        "interval": f"[{i.low:.4g}, {i.high:.4g}]",
        "says": f"{c.reading.words}: {c.reading}",
    }


def _when(comparisons: Iterable[Comparison]) -> str:
    by = {j: [c.about for c in comparisons if c.judge() is j] for j in (Judgement.REFUTED, Judgement.UNDECIDED)}
    return "; ".join(f"{judgement}: {', '.join(names)}" for judgement, names in by.items() if names)
