"""How pictures look, and their bytes: matplotlib figures as inline SVG that is the same for the same numbers.

Ink (text, axes) becomes `currentColor`, the background stays transparent and the colours are mid-tones, so
one picture reads on white, on black and on paper. Text stays text: it can be searched, and weighs little.
"""

from __future__ import annotations

import io
import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from html import escape
from typing import Any

import matplotlib
import numpy as np
from matplotlib.backends.backend_svg import FigureCanvasSVG
from matplotlib.figure import Figure

from reports.panel import Point

INK = "#010203"  # stands for currentColor until the SVG is written
PAPER = "#fefdfc"  # stands for the colour of the page (var(--paper)) behind labels
PALETTE = {
    "blue": "#2f7ed8",
    "orange": "#d9822b",
    "green": "#2e9e6b",
    "red": "#d6455d",
    "purple": "#8e63ce",
    "brown": "#a0724a",
    "teal": "#1f9aa8",
    "grey": "#858b94",
}
RC = {
    "svg.hashsalt": "reucb",
    "svg.fonttype": "none",
    "font.family": "DejaVu Sans",
    "font.size": 10,
    "axes.titlesize": 11,
    "axes.labelsize": 10,
    "legend.fontsize": 9,
    "xtick.labelsize": 9,
    "ytick.labelsize": 9,
    "legend.frameon": False,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.linewidth": 0.8,
    "lines.linewidth": 1.8,
    "figure.facecolor": "none",
    "axes.facecolor": "none",
    "savefig.facecolor": "none",
    "figure.dpi": 72,
    "path.simplify": False,
    "text.color": INK,
    "axes.labelcolor": INK,
    "axes.edgecolor": INK,
    "axes.titlecolor": INK,
    "xtick.color": INK,
    "ytick.color": INK,
    "grid.color": PALETTE["grey"],
    "grid.alpha": 0.25,
    "grid.linewidth": 0.6,
    "axes.grid": False,
}


@contextmanager
def figure(width: float = 8.0, height: float = 4.6) -> Iterator[Figure]:
    """An empty figure (inches) in the house style; user settings of matplotlib do not reach it."""
    with matplotlib.rc_context():
        matplotlib.rcdefaults()
        matplotlib.rcParams.update(RC)
        fig = Figure(figsize=(width, height), layout="constrained")
        FigureCanvasSVG(fig)
        yield fig


def to_svg(fig: Figure, name: str, title: str) -> str:
    """The figure as one inline `<svg>` that is read aloud as `title`.

    No dates; ids prefixed by `name`, so that pictures can share a page; ink as `currentColor`.
    """
    buffer = io.StringIO()
    fig.savefig(buffer, format="svg", metadata={"Date": None, "Creator": None, "Format": None, "Type": None})
    text = buffer.getvalue()
    text = text[text.index("<svg") :]
    text = re.sub(r"\s*<metadata>.*?</metadata>", "", text, flags=re.S)
    text = re.sub(
        r"\s*<defs>\s*<style.*?</style>\s*</defs>", "", text, flags=re.S
    )  # would reach the whole page
    text = re.sub(r' transform="rotate\(-0 [^)]*\)"', "", text)
    text = re.sub(r"\s*\n\s*", "\n", text)
    text = re.sub(r'(?<=\s)id="([^"]+)"', rf'id="{name}-\1"', text)
    text = re.sub(r"url\(#([^)]+)\)", rf"url(#{name}-\1)", text)
    text = re.sub(r'href="#([^"]+)"', rf'href="#{name}-\1"', text)
    text = text.replace(INK, "currentColor").replace(PAPER, "var(--paper, #fff)")
    text = text.replace("'DejaVu Sans'", "'DejaVu Sans', Verdana, sans-serif")
    box = re.search(r'viewBox="[^"]+"', text)
    assert box is not None  # matplotlib always writes one
    names = 'xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink"'
    look = 'style="stroke-linejoin: round; stroke-linecap: butt"'
    head = f'<svg class="picture" role="img" aria-label="{escape(title)}" {box[0]} {look} {names}>'
    return re.sub(r"<svg[^>]*>", lambda _: head, text, count=1).strip()


def points(axes: Any, x: Sequence[float], y: Sequence[float], labels: Sequence[str]) -> list[Point]:
    """Places of the data (x, y) in the picture, for hovering; to be called after everything was drawn."""
    fig = axes.figure
    fig.draw_without_rendering()
    places = axes.transData.transform(np.column_stack([np.asarray(x, float), np.asarray(y, float)]))
    scale = 72.0 / fig.dpi
    height = fig.get_size_inches()[1] * 72.0
    return [
        Point(round(float(px * scale), 2), round(float(height - py * scale), 2), label)
        for (px, py), label in zip(places, labels, strict=True)
    ]
