"""An open question: neither proved nor refuted here, with what is missing said."""

from __future__ import annotations

from dataclasses import dataclass

from theory.kernel.engines import Evidence, Outcome
from theory.kernel.finding import Argument, Finding


@dataclass(frozen=True)
class Question(Evidence):
    """What would decide a claim. It is no evidence for either side, so nothing about it can fail."""

    outcome: Outcome = Outcome.UNKNOWN

    @property
    def ok(self) -> bool:
        return True


@dataclass(frozen=True)
class Undecided(Argument):
    """The claim is open."""

    missing: str

    def check(self) -> Finding:
        return Finding("open", (Question("none", self.missing),), fails_when=self.missing)


def undecided(missing: str) -> Undecided:
    """Leave a claim open; `missing` says what would decide it."""
    return Undecided(missing)
