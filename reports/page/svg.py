"""Preparation of pictures for the page: no active content, coordinates rounded to visible precision."""

from __future__ import annotations

import re

from markupsafe import Markup

ACTIVE = re.compile(
    r"<\s*(script|foreignObject|iframe|object|embed|animate|set)\b|\son\w+\s*=|javascript:|@import", re.I
)
OUTSIDE = re.compile(r"""(?:href|src)\s*=\s*["'](?!#|data:image/png)|url\(\s*["']?(?!#)""", re.I)
SHAPES = re.compile(r'\b(d|points|x|y|x1|x2|y1|y2|cx|cy|width|height|transform)="([^"]*)"')


def inline(svg: str) -> Markup:
    """The picture as it may stand in the page, coordinates to a hundredth of a point.

    A picture that could run a program or fetch something is refused.
    """
    if not svg:
        return Markup("")
    for rule in (ACTIVE, OUTSIDE):
        found = rule.search(svg)
        if found:
            raise ValueError(f"svg must be a still picture that fetches nothing, got {found[0]!r} in it")
    return Markup(re.sub(r"<[^>]*>", lambda tag: SHAPES.sub(_short, tag[0]), svg))


def _short(attribute: re.Match[str]) -> str:
    value = re.sub(r"-?\d*\.\d{3,}(?!\d*e)", lambda m: f"{round(float(m[0]), 2):g}", attribute[2])
    if attribute[1] == "d":
        value = re.sub(r"\s*\n\s*", "", value).strip()
    return f'{attribute[1]}="{value}"'


def box(svg: str) -> tuple[float, float]:
    """Width and height of the viewBox."""
    found = re.search(r'viewBox="\s*[-\d.]+\s+[-\d.]+\s+([\d.]+)\s+([\d.]+)', svg)
    return (float(found[1]), float(found[2])) if found else (0.0, 0.0)
