"""The report as bare HTML: every panel, its finding and its picture, nothing more."""

from __future__ import annotations

from html import escape

from reports.panel import Panel
from reports.plan import Report

HEAD = '<!doctype html><html lang="en"><meta charset="utf-8"><title>reucb</title>'


def render(report: Report) -> str:
    parts = [HEAD, f"<p><code>{escape(report.command)}</code></p>"]
    for chapter in report.chapters:
        parts.append(f"<h2>{escape(chapter.section.title)}</h2>")
        parts.extend(_panel(panel) for panel in chapter.panels)
    return "\n".join(parts) + "\n"


def _panel(panel: Panel) -> str:
    notes = "".join(f"<li>{escape(note)}</li>" for note in panel.notes)
    made = f'<a href="data/{panel.data_file}">data</a> <code>{escape(panel.reproduce)}</code>'
    text = f"<h3>{escape(panel.title)}</h3><p>{escape(panel.finding)}</p>"
    return f'<section id="{panel.id}">{text}{panel.svg}<ul>{notes}</ul><p>{made}</p></section>'
