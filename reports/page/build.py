"""From a report to one HTML file: everything inlined, nothing fetched, the same bytes for the same report."""

from __future__ import annotations

import base64
import hashlib
import json
from collections import Counter
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup

from reports.core.jobs import Report
from reports.page import explorer
from reports.page.claims import LEVELS, VERDICTS, View, groups, titled, views
from reports.page.figures import GROUPS, Part, cell_text, hero, parts
from reports.page.graph import Graph, ResultsMap, layout, results_map
from reports.page.overview import counts, findings, severities
from reports.page.typesetting import mathml, prose
from reports.sections.ledger import DEFECTS, tally

HOME = Path(__file__).parent
SCRIPTS = ("theme.js", "tips.js", "folds.js", "ledger.js", "graph.js", "bounds.js", "explorer.js")
# the class of a mark, by how `theory.impact.impact` describes the effect on a claim
EFFECTS = {
    "used": "its proof uses it",
    "holds": "holds",
    "repaired": "fails as printed; holds as",
    "numerical": "supported by simulation only",
    "undecided": "open",
    "fails": "fails (",
}


def render(report: Report) -> str:
    """The page of a report. The ledger is the data of the panel `ledger`, if there is one."""
    found = next((panel.data for panel in report.panels if panel.id == "ledger"), None)
    return build(report, (found or {}).get("claims", []))


def build(report: Report, claims: Sequence[Mapping[str, Any]]) -> str:
    """The page of a report and a ledger (the claims as `reports.sections.ledger.checked_now` gives them)."""
    shown = views(claims)
    sections = groups(shown)
    script = _script()
    context = {
        "report": report,
        "claims": shown,
        "sections": sections,
        "tally": tally(claims),
        "verdicts": _verdicts(shown),
        "kinds": sorted({c["kind"] for c in claims}),
        "graph": layout(sections) if shown else None,
        "results": results_map(shown),
        "impacts": _impacts(shown),
        "findings": findings(report, shown),
        "severities": severities(shown),
        "counts": counts(shown),
        "levels": LEVELS,
        "alerts": [alert for panel in report.panels for alert in panel.alerts],
        "explorer": explorer,
        "defaults": explorer.at_default(),
        "style": Markup(_asset("page.css")),
        "script": Markup(script),
        "policy": _policy(script),
        **_pictures(parts(report)),
    }
    text = _environment().get_template("index.html.j2").render(context)
    return "\n".join(line.rstrip() for line in text.splitlines() if line.strip()) + "\n"


def _pictures(found: tuple[Part, ...]) -> dict[str, Any]:
    first = hero(found)
    return {"parts": found, "hero": first, "titles": GROUPS}


def _verdicts(shown: Mapping[str, View]) -> list[tuple[str, str, int]]:
    """(verdict, what it means, how many) of the verdicts that occur, the usual order first."""
    counts = Counter(view.raw["verdict"] for view in shown.values())
    names = [*(v for v in VERDICTS if v in counts), *sorted(v for v in counts if v not in VERDICTS)]
    return [(name, VERDICTS.get(name, ""), counts[name]) for name in names]


def effect(text: str) -> str:
    """One word for the effect on a claim if another one fails."""
    for word, beginning in EFFECTS.items():
        if text.startswith(beginning):
            return word
    raise ValueError(f"effect = {text!r}: must begin like one of {tuple(EFFECTS.values())}")


def _impacts(shown: Mapping[str, View]) -> list[dict[str, Any]]:
    """Every defect on which something depends, the widest impact first."""
    found = [_impact(view) for view in shown.values() if view.raw["verdict"] in DEFECTS and view.raw["impact"]]
    return sorted(found, key=lambda impact: -len(impact["effects"]))


def _impact(view: View) -> dict[str, Any]:
    effects = [(name, effect(text), text) for name, text in view.raw["impact"]]
    counts = Counter(word for _, word, _ in effects)
    return {"view": view, "effects": effects, "counts": [(word, counts[word]) for word in EFFECTS if counts[word]]}


def _graph_data(graph: Graph) -> list[list[Any]]:
    """[id, anchor, verdict, section, [[place of a claim that depends on it, effect], ...]] per mark."""
    at = {node.view.raw["id"]: i for i, node in enumerate(graph.nodes)}
    return [
        [
            n.view.raw["id"],
            n.view.anchor,
            n.view.raw["verdict"],
            n.view.section,
            [[at[name], effect(text)] for name, text in n.view.raw["impact"] if name in at],
        ]
        for n in graph.nodes
    ]


def _results_data(found: ResultsMap) -> list[list[Any]]:
    """The same for the picture of the stated results."""
    return [
        [mark.view.name, mark.view.anchor, mark.view.raw["verdict"], mark.view.section, [list(x) for x in mark.lights]]
        for mark in found.marks
    ]


def in_script(value: Any) -> Markup:
    """JSON escaped for `<script type="application/json">`."""
    text = json.dumps(value, separators=(",", ":"), ensure_ascii=False, allow_nan=False)
    return Markup(text.replace("&", "\\u0026").replace("<", "\\u003c").replace(">", "\\u003e"))


def _policy(script: str) -> str:
    """Nothing may be fetched, and only this one script may run."""
    digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
    rules = (
        "default-src 'none'",
        f"script-src 'sha256-{digest}'",
        "style-src 'unsafe-inline'",
        "img-src data:",
        "base-uri 'none'",
        "form-action 'none'",
    )
    return "; ".join(rules)


@cache
def _asset(name: str) -> str:
    return (HOME / "assets" / name).read_text(encoding="utf-8").strip() + "\n"


@cache
def _script() -> str:
    """All scripts as one text, without blank lines as in the page: the policy holds the digest of this text."""
    text = "\n".join(_asset(name) for name in SCRIPTS)
    return "\n" + "\n".join(line.rstrip() for line in text.splitlines() if line.strip()) + "\n"


@cache
def _environment() -> Environment:
    environment = Environment(
        loader=FileSystemLoader(HOME / "templates"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=False,
    )
    environment.filters |= {
        "prose": prose,
        "cell_text": cell_text,
        "in_script": in_script,
        "graph_data": _graph_data,
        "results_data": _results_data,
        "tex": mathml,
        "titled": titled,
    }
    return environment
