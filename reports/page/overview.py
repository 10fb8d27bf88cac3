"""The first screen and the overview of the ledger: findings, counts by author and level, defects by severity."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from reports.core.jobs import Report
from reports.page.claims import LEVELS, VERDICTS, View
from reports.sections.ledger import DEFECTS, SEVERITIES

# (claim, sentence): defects of the paper, the most severe first.
OF_CLAIMS = (
    (
        "them-R-Bayes-SubR/long-horizons",
        "{number}, the regret bound for rewards in [0, 1], is false for long horizons when m <= a < 1: for some "
        "problems the regret grows faster than the bound.",
    ),
    (
        "sec:tau2",
        "{number}, from which that theorem takes its constant m, is false: for large n_k, tau_k^2 is below the "
        "stated lower bound.",
    ),
    (
        "sec:tau_star",
        "{number} of the same proof holds for fixed counts. The counts of ReUCB depend on the rewards, and then the "
        "error need not have mean 0.",
    ),
    (
        "them-R-Bayes",
        "{number}, the main regret bound, is false at n = 1. From n = 2 on it is true, though the printed proof fails "
        "in the first K rounds.",
    ),
    (
        "variance2",
        "The estimator of sigma_0^2 in {number}, called unbiased, is too large by (K - 1) sigma^2/n_* on average.",
    ),
    (
        "sec:varying/first-display",
        "For noise that differs by arm, two printed formulas for the same error contradict each other.",
    ),
    (
        "alg:arm-ucb/estimated-variances",
        "With estimated variances the printed algorithm can divide 0 by 0, for example while all rewards are equal.",
    ),
)
OF_PANELS = ("bounds-curves",)  # their headlines follow the claims
MOST = 8


@dataclass(frozen=True)
class Headline:
    """A sentence and the anchor of its evidence; `verdict` is "" for a measured finding."""

    text: str
    target: str
    verdict: str = ""


def findings(report: Report, claims: Mapping[str, View]) -> list[Headline]:
    """At most MOST sentences.

    A sentence about a claim is shown only if the ledger has the verdict that the sentence states, a sentence about a
    panel only if the report contains the panel.
    """
    panels = {panel.id: panel for panel in report.panels}
    measured = [
        Headline(text, f"panel-{name}") for name in OF_PANELS if name in panels for text in panels[name].headlines
    ]
    defects = [
        Headline(text.format(number=_number(claims[name])), claims[name].anchor, claims[name].raw["verdict"])
        for name, text in OF_CLAIMS
        if name in claims and claims[name].raw["verdict"] in DEFECTS
    ]
    return [*defects[: MOST - len(measured)], *measured]


def _number(view: View) -> str:
    """The number that the paper gives the place, e.g. Lemma 8; the label where none is known."""
    return str(view.raw["number"] or view.raw["id"])


AUTHORS = {"paper": "claims of the paper", "repair": "repairs", "us": "results of our own"}


@dataclass(frozen=True)
class Severity:
    """The defects of one severity, by their cause where the ledger names it."""

    name: str
    meaning: str
    defects: tuple[View, ...]

    @property
    def causes(self) -> list[tuple[str, tuple[View, ...]]]:
        """(cause, defects), the most frequent cause first; "" for those without one."""
        by: dict[str, list[View]] = {}
        for view in self.defects:
            by.setdefault(view.raw.get("cause_text") or "", []).append(view)
        return [(cause, tuple(by[cause])) for cause in sorted(by, key=lambda cause: (cause == "", -len(by[cause])))]


def severities(shown: Mapping[str, View]) -> list[Severity]:
    """The defects of the paper by severity, the worst first; unknown severities last."""
    by: dict[str, list[View]] = {}
    for view in shown.values():
        if view.defect:
            by.setdefault(view.raw.get("severity") or "argument", []).append(view)
    names = [*(name for name in SEVERITIES if name in by), *sorted(name for name in by if name not in SEVERITIES)]
    return [Severity(name, SEVERITIES.get(name, ""), tuple(by[name])) for name in names]


def author(view: View) -> str:
    """paper, repair (ours, of a claim of the paper) or us."""
    if view.raw["by"] == "paper":
        return "paper"
    return "repair" if view.raw["repairs"] else "us"


@dataclass(frozen=True)
class Counts:
    """A table: one row per author, one column per verdict; proved ones also by level where levels are known."""

    columns: tuple[tuple[str, str], ...]  # (name, meaning)
    rows: tuple[tuple[str, int, tuple[int, ...]], ...]  # (author, claims, number in each column)


def counts(shown: Mapping[str, View]) -> Counts:
    found = Counter((author(view), key) for view in shown.values() for key in _keys(view))
    levels = [name for name in LEVELS if any((who, name) in found for who in AUTHORS)]
    verdicts = [name for name in VERDICTS if any((who, name) in found for who in AUTHORS)]
    columns = tuple((name, VERDICTS.get(name) or LEVELS[name]) for name in _order(verdicts, levels))
    rows = tuple(
        (words, found[who, "all"], tuple(found[who, name] for name, _ in columns))
        for who, words in AUTHORS.items()
        if found[who, "all"]
    )
    return Counts(columns, rows)


def _keys(view: View) -> list[str]:
    level = view.raw.get("level") if view.raw["verdict"] == "proved" else None
    return ["all", view.raw["verdict"], *([level] if level else [])]


def _order(verdicts: Sequence[str], levels: Sequence[str]) -> list[str]:
    """Levels follow "proved", which they divide."""
    return [key for name in verdicts for key in ([name, *levels] if name == "proved" else [name])]
