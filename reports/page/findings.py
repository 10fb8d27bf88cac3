"""The findings of the first screen: plain sentences, the most severe first, each with the place that shows it.

A sentence about a claim is shown only if the ledger has the verdict that the sentence states, a sentence about a panel
only if the report contains the panel.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from reports.core.jobs import Report
from reports.page.claims import View
from reports.sections.ledger import DEFECTS

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
OF_PANELS = ("bounds-curves",)  # their `headline` comes before the claims
MOST = 8


@dataclass(frozen=True)
class Finding:
    """A sentence and the anchor of its evidence; `verdict` is "" for a measured finding."""

    text: str
    target: str
    verdict: str = ""


def findings(report: Report, claims: Mapping[str, View]) -> list[Finding]:
    """At most MOST sentences."""
    panels = {panel.id: panel for panel in report.panels}
    measured = [
        Finding(text, f"panel-{name}") for name in OF_PANELS if name in panels for text in panels[name].headlines
    ]
    defects = [
        Finding(text.format(number=_number(claims[name])), claims[name].anchor, claims[name].raw["verdict"])
        for name, text in OF_CLAIMS
        if name in claims and claims[name].raw["verdict"] in DEFECTS
    ]
    return [*defects[: MOST - len(measured)], *measured]


def _number(view: View) -> str:
    """The number that the paper gives the place, e.g. Lemma 8; the label where none is known."""
    return str(view.raw["number"] or view.raw["id"])
