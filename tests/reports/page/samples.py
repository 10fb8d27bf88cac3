"""A report to build pages from: the real claims with their recorded verdicts, no engine run; toy pictures."""

from __future__ import annotations

from functools import cache
from itertools import product
from typing import Any

import numpy as np

from reports.core import plotting
from reports.core.jobs import Chapter, Options, Report, Section
from reports.core.panel import Panel, Table
from reports.page.explorer import CURVES, value
from reports.sections.ledger import section_of
from theory.collection import the_paper
from theory.kernel.argument import Finding
from theory.ledger import Entry

EXAMPLE = {
    "K": {"tex": "1", "decimal": ""},
    "n": {"tex": "3", "decimal": ""},
    "sigma_sq": {"tex": "1", "decimal": ""},
    "left": {"tex": r"\frac{1}{3}", "decimal": "0.33333"},
    "right": {"tex": r"\frac{3}{8}", "decimal": "0.37500"},
}
RELATION = {"op": ">=", "left": r"\tau_k^2", "right": r"\frac{{\sigma^2}}{n_k}"}


def record(id: str, verdict: str = "proved", **more: Any) -> dict[str, Any]:
    """A claim as the ledger section hands it over."""
    bad = verdict in ("refuted", "gap", "misprint")
    plain = {
        "id": id,
        "where": "Section 3.1, Eq. mse-a",
        "kind": "identity",
        "verdict": verdict,
        "says": "x = 1",
        "why": "Because.",
        "counterexample": None,
        "fails_when": None,
        "region": None,
        "repairs": None,
        "repaired_by": None,
        "depends_on": [],
        "evidence": [{"engine": "sympy", "check": "normal form", "outcome": "proved"}],
        "mutants": {"tried": 4, "killed": 4},
        "problem": None,
        "by": "paper",
        "severity": "argument" if bad else None,
        "example": EXAMPLE if bad else {},
        "relation": RELATION if bad else None,
        "region_tex": None,
        "impact": [],
    }
    return plain | more


@cache
def real_claims() -> tuple[dict[str, Any], ...]:
    """Every claim of the ledger, with its recorded verdict."""
    collection = the_paper()
    claims, kept = collection.claims(), collection.recorded()
    repaired = {c.repairs: c.id for c in claims.values() if c.repairs}
    above: dict[str, list[list[str]]] = {}
    for c in claims.values():
        for name in {*kept.get(c.id, {}).get("uses", ()), *c.cites}:
            above.setdefault(name, []).append([c.id, "holds: its proof does not use it"])
    found = []
    for c in claims.values():
        was = kept.get(c.id, {"verdict": "proved"})
        entry = Entry(c, Finding(was["verdict"], ()), repaired.get(c.id), was["verdict"], 0.0, collection.place(c))
        about = entry.as_json()
        same = ("where", "number", "line", "by", "kind", "cause", "why", "repairs", "repaired_by", "depends_on")
        place = section_of(entry.place) if c.by == "paper" or c.repairs else "Ours"
        more = {"says": c.says or "x = 1", "level": was.get("level"), "impact": above.get(c.id, []), "section": place}
        found.append(record(c.id, was["verdict"], **{name: about[name] for name in same}, **more))
    return tuple(c | {"severity": claims[c["id"]].severity} for c in found)


@cache
def panel(id: str, title: str = "A curve") -> Panel:
    """A straight line on logarithmic axes, every point of it saying its numbers."""
    x = np.geomspace(1, 1000, 12)
    with plotting.figure(6, 4) as fig:
        axes = fig.subplots()
        axes.loglog(x, 2 * x, color=plotting.PALETTE["blue"], label="twice")
        axes.set_xlabel("x")
        axes.legend()
        points = tuple(plotting.points(axes, x, 2 * x, [f"x = {v:.3g}: {2 * v:.3g}" for v in x]))
        svg = plotting.to_svg(fig, id, title)
    rows = tuple((round(float(v), 3), 2 * float(v), None, "text") for v in x)
    table = Table(("x", "sigma_0^2", "none", "words"), rows)
    return Panel(id, title, "It is 2 at x <= 1.", svg, points, table, None, ("sigma_0 = 0.2",), "python -m reports")


def bare(id: str) -> Panel:
    """A panel whose picture is empty."""
    return Panel(id, "Nothing", "There is nothing to see.", '<svg class="picture" viewBox="0 0 10 10"></svg>')


def chapter(name: str, group: str, *panels: Panel, title: str = "") -> Chapter:
    return Chapter(
        Section(name, title or name.capitalize(), group, lambda options: [], lambda options, got: []), panels
    )


def report(claims: Any, *more: Chapter) -> Report:
    ledger = chapter("ledger", "ledger", Panel("ledger", "The ledger", "All.", data={"claims": list(claims)}))
    return Report(Options(), (ledger, *more), "python -m reports", {"python": "3.11.0", "numpy": "2.0.0"})


def sample_report() -> Report:
    return report(
        real_claims(),
        chapter("sweep", "bounds", panel("regret", "Regret against bounds"), panel("ratio")),
        chapter("vacuity", "bounds", panel("vacuity")),
        chapter("gaussian", "experiments", panel("gaussian-a")),
        chapter("speed", "speed", panel("speed-a")),
    )


GRID = product(
    (0.3, 1.0, 2.0, 8.0),
    (1, 2, 7, 50, 1000),
    (1, 2, 40, 700, 10_000, 10**7),
    (0.05, 0.2, 2.0),
    (0.1, 0.5, 3.0),
)
POINTS = [dict(zip(("a", "K", "n", "sigma0", "sigma"), point, strict=True)) for point in list(GRID)[::11]]


def worst_error(points: Any, found: Any) -> float:
    """The largest relative difference over all bounds and points, infinite where the two disagree on a hypothesis.

    Both sides sum the same terms in double precision; rounding alone separates them, about 1e-13.
    """
    worst = 0.0
    for point, page in zip(points, found, strict=True):
        for curve in CURVES:
            ours = value(curve, point)
            if (ours is None) != (page[curve.name]["why"] is not None):
                return float("inf")
            if ours is not None:
                theirs = page[curve.name]["value"]
                worst = max(worst, abs(theirs - ours) / abs(ours) if ours else abs(theirs))
    return worst
