"""Style of the pictures, and matplotlib figures as inline SVG that is identical for identical numbers.

Text and axes become `currentColor`, the background is transparent and the colours are mid-tones, so that one picture
is readable on white, on black and on paper. Text is kept as text: it can be searched and takes little space.
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
from matplotlib.layout_engine import PlaceHolderLayoutEngine
from matplotlib.patches import Rectangle
from numpy.typing import ArrayLike

from reports.core.panel import HoverPoint

INK = "#010203"  # stands for currentColor until the SVG is written
PAPER = "#fefdfc"  # stands for the colour of the page (var(--paper)) behind labels
# On white (contrast at least 4.5). The page sets the variables --blue, ... to lighter colours on dark paper (page.css).
PALETTE = {
    "blue": "#1f6fc4",
    "orange": "#b35a0c",
    "green": "#1b7f54",
    "red": "#c8324b",
    "purple": "#7a4cc0",
    "brown": "#8a5a33",
    "teal": "#137c88",
    "grey": "#666c75",
}
RC: dict[Any, Any] = {
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
TICKS = (0.03, 0.1, 0.2, 0.3, 0.5, 0.7, 1, 1.5, 2, 3, 5, 7, 10, 20, 30, 50, 100)
COARSE_TICKS = (0.1, 0.5, 1, 2, 5, 10, 20, 50, 100)
MOST_TICKS = 8


@contextmanager
def figure(width: float = 8.0, height: float = 4.6) -> Iterator[Figure]:
    """An empty figure (size in inches) in the style of the report; matplotlib settings of the user are ignored."""
    with matplotlib.rc_context():
        matplotlib.rcdefaults()
        matplotlib.rcParams.update(RC)
        fig = Figure(figsize=(width, height), layout="constrained")
        FigureCanvasSVG(fig)
        yield fig


def to_svg(fig: Figure, name: str, title: str) -> str:
    """The figure as one inline `<svg>` with `title` as accessible name.

    No dates; ids prefixed by `name`, so that pictures can share a page; ink as `currentColor`.
    """
    buffer = io.StringIO()
    fig.savefig(buffer, format="svg", metadata={"Date": None, "Creator": None, "Format": None, "Type": None})
    text = buffer.getvalue()
    text = text[text.index("<svg") :]
    text = re.sub(r"\s*<metadata>.*?</metadata>", "", text, flags=re.S)
    text = re.sub(r"\s*<defs>\s*<style.*?</style>\s*</defs>", "", text, flags=re.S)  # it would apply to the page
    text = re.sub(r' transform="rotate\(-0 [^)]*\)"', "", text)
    text = re.sub(r"\s*\n\s*", "\n", text)
    text = re.sub(r'(?<=\s)id="([^"]+)"', rf'id="{name}-\1"', text)
    text = re.sub(r"url\(#([^)]+)\)", rf"url(#{name}-\1)", text)
    text = re.sub(r'href="#([^"]+)"', rf'href="#{name}-\1"', text)
    text = text.replace(INK, "currentColor").replace(PAPER, "var(--paper, #fff)")
    for colour, value in PALETTE.items():
        text = text.replace(value, f"var(--{colour}, {value})")
    text = text.replace("'DejaVu Sans'", "'DejaVu Sans', Verdana, sans-serif")
    box = re.search(r'viewBox="[^"]+"', text)
    assert box is not None  # matplotlib always writes one
    names = 'xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink"'
    look = 'style="stroke-linejoin: round; stroke-linecap: butt"'
    head = f'<svg class="picture" role="img" aria-label="{escape(title)}" {box[0]} {look} {names}>'
    return re.sub(r"<svg[^>]*>", lambda _: head, text, count=1).strip()


def points(axes: Any, x: ArrayLike, y: ArrayLike, labels: Sequence[str]) -> list[HoverPoint]:
    """Places of the data (x, y) in the picture, for tooltips; called last on a figure, as it fixes the layout."""
    fig = axes.figure
    _fix_layout(fig)
    places = axes.transData.transform(np.column_stack([np.asarray(x, float), np.asarray(y, float)]))
    scale = 72.0 / fig.dpi
    height = fig.get_size_inches()[1] * 72.0
    return [
        HoverPoint(round(float(px * scale), 2), round(float(height - py * scale), 2), label)
        for (px, py), label in zip(places, labels, strict=True)
    ]


def _fix_layout(fig: Figure) -> None:
    """Compute the layout of the figure and fix it."""
    if not isinstance(fig.get_layout_engine(), PlaceHolderLayoutEngine):
        _compute_layout(fig)
        fig.set_layout_engine("none")


def _compute_layout(fig: Figure) -> None:
    """Move the axes to their places, without drawing, which would take half as long again."""
    engine = fig.get_layout_engine()
    assert engine is not None  # `figure` sets one
    engine.execute(fig)


def end_labels(axes: Any, x: float, labels: Sequence[tuple[float, str, str]], gap: float = 11.0) -> None:
    """Name curves at their right end: (y, text, colour), moved apart so that no two are nearer than `gap` points."""
    fig = axes.figure
    _compute_layout(fig)
    places = sorted((axes.transData.transform((x, y))[1] * 72.0 / fig.dpi, text, colour) for y, text, colour in labels)
    heights = np.array([place[0] for place in places])
    for _ in range(100):
        close = gap - np.diff(heights)
        if (close <= 1e-9).all():
            break
        push = np.maximum(close, 0.0) / 2
        heights[:-1] -= push
        heights[1:] += push
    for height, (start, text, colour) in zip(heights, places, strict=True):
        y = axes.transData.inverted().transform((0.0, start * fig.dpi / 72.0))[1]
        axes.annotate(
            text, (x, y), xytext=(6, height - start), textcoords="offset points", color=colour, va="center",
            annotation_clip=False, fontsize=9,
        )  # fmt: skip


def number(value: float, towards: float = 0.0) -> str:
    """A number with three significant digits and thousands separators; exponents below 1e-3 and from 1e7 on only.

    Rounded to the nearest, or for a bound up (`towards` = inf) or down (-inf), so that what is printed is a bound too.
    """
    if value == 0 or 1e-3 <= abs(value) < 1e7:
        digits = max(0, 2 - int(np.floor(np.log10(abs(value))))) if value else 0
        if towards:
            value = (np.ceil if towards > 0 else np.floor)(value * 10.0**digits) / 10.0**digits
        return f"{value:,.{digits}f}"
    return f"{value:.2e}"


def ink_on(colour: Sequence[float]) -> str:
    """Black or white, whichever is easier to read on this colour: one of them always has a contrast above 4.5."""
    linear = [v / 12.92 if v <= 0.04045 else ((v + 0.055) / 1.055) ** 2.4 for v in colour[:3]]
    luminance = float(np.dot((0.2126, 0.7152, 0.0722), linear))
    return "#000000" if (luminance + 0.05) ** 2 > 0.05 * 1.05 else "#ffffff"


def tile(x: float, y: float, colour: Any, gap: float = 0.04) -> Rectangle:
    """A unit square of a heat map with a thin margin."""
    return Rectangle((x + gap, y + gap), 1 - 2 * gap, 1 - 2 * gap, facecolor=colour, edgecolor="none")


def decimal_ticks(axis: Any, at: Sequence[float] = TICKS) -> None:
    """Ticks at those of the numbers that lie on the axis, in decimal notation; at most MOST_TICKS fine ones."""
    low, high = axis.get_view_interval()
    seen = [t for t in at if low <= t <= high]
    seen = seen if len(seen) <= MOST_TICKS else [t for t in seen if t in COARSE_TICKS]
    axis.set_ticks(seen, labels=[f"{t:g}" for t in seen])
    axis.set_ticks([], minor=True)
