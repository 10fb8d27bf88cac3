"""Pictures: identical bytes for identical numbers, colours that follow the theme of the page, places of points."""

from __future__ import annotations

import re
from itertools import pairwise
from pathlib import Path
from xml.etree import ElementTree

import matplotlib
import numpy as np
import pytest
from matplotlib.colors import to_hex

import reports.page
from reports.core import plotting
from reports.core.panel import Panel, Table
from reports.sections import sweep

STYLE = Path(reports.page.__file__).with_name("assets") / "page.css"


def picture(colour: str = plotting.PALETTE["blue"]) -> tuple[str, list[plotting.HoverPoint]]:
    with plotting.figure(4, 3) as fig:
        axes = fig.subplots()
        axes.plot([1, 2, 3], [1, 4, 9], color=colour, label="τ²")
        axes.set(xlabel="rounds", xlim=(1, 3), ylim=(1, 9))
        axes.legend()
        found = plotting.points(axes, [1, 3], [1, 9], ["low", "high"])
        return plotting.to_svg(fig, "toy", 'a "quoted" <title> & more'), found


def test_same_numbers_give_the_same_bytes_whatever_the_user_set() -> None:
    first, _ = picture()
    with matplotlib.rc_context({"font.size": 30, "lines.linewidth": 9, "svg.fonttype": "path"}):
        assert picture()[0] == first
    assert picture(plotting.PALETTE["red"])[0] != first


def test_picture_is_inline_dateless_and_takes_the_colours_of_the_page() -> None:
    svg, _ = picture()
    root = ElementTree.fromstring(svg)
    assert root.attrib["aria-label"] == 'a "quoted" <title> & more'
    assert svg.startswith("<svg ")
    assert "currentColor" in svg
    assert f"var(--blue, {plotting.PALETTE['blue']})" in svg
    assert not re.search(r"20\d\d-\d\d|<metadata|<style|matplotlib\.org", svg)
    assert all(name.startswith("toy-") for name in re.findall(r'\sid="([^"]+)"', svg))
    used = set(re.findall(r'(?:url\(|href=")#([^")]+)', svg))
    assert used <= set(re.findall(r'\sid="([^"]+)"', svg))


def test_points_lie_in_the_corners_of_the_axes() -> None:
    svg, (low, high) = picture()
    corner = re.search(
        r'<g id="toy-patch_2">\s*<path d="M ([\d.]+) ([\d.]+)\s*L ([\d.]+) [\d.]+\s*L [\d.]+ ([\d.]+)', svg
    )
    assert corner is not None
    left, bottom, right, top = map(float, corner.groups())
    assert (low.x, low.y) == pytest.approx((left, bottom), abs=0.02)
    assert (high.x, high.y) == pytest.approx((right, top), abs=0.02)


def test_end_labels_keep_apart() -> None:
    with plotting.figure(4, 3) as fig:
        axes = fig.subplots()
        axes.set(xlim=(0, 1), ylim=(0, 1))
        plotting.end_labels(axes, 1.0, [(0.5, "a", "k"), (0.5, "b", "k"), (0.51, "c", "k")], gap=12)
        svg = plotting.to_svg(fig, "labels", "labels")
    heights = sorted(float(y) for y, text in re.findall(r'y="([\d.]+)"[^>]*>([abc])<', svg))
    assert len(heights) == 3
    assert min(b - a for a, b in pairwise(heights)) > 11.9


@pytest.mark.parametrize(
    ("value", "nearest", "up", "down"),
    [
        (127.98, "128", "128", "127"),
        (499.2, "499", "500", "499"),
        (1.2345, "1.23", "1.24", "1.23"),
        (8086.0, *["8,086"] * 3),
    ],
)
def test_bounds_are_rounded_to_their_side(value: float, nearest: str, up: str, down: str) -> None:
    assert (plotting.number(value), plotting.number(value, np.inf), plotting.number(value, -np.inf)) == (
        nearest,
        up,
        down,
    )


def _contrast(colour: str, paper: str) -> float:
    def luminance(value: str) -> float:
        parts = [int(value[i : i + 2], 16) / 255 for i in (1, 3, 5)]
        linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in parts]
        return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]

    bright, dim = sorted((luminance(colour), luminance(paper)), reverse=True)
    return (bright + 0.05) / (dim + 0.05)


def _of_the_page(name: str) -> tuple[str, str]:
    """A colour of page.css on light and on dark paper."""
    (found,) = re.findall(rf"--{name}: light-dark\((#\w+), (#\w+)\);", STYLE.read_text(encoding="utf-8"))
    return found


@pytest.mark.parametrize("name", plotting.PALETTE)
def test_colours_can_be_read_on_white_and_on_black(name: str) -> None:
    light, dark = _of_the_page(name)
    assert plotting.PALETTE[name] == light
    assert _contrast(light, "#ffffff") >= 4.5
    assert _contrast(dark, _of_the_page("paper")[1]) >= 4.5


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (0.0, "0"),
        (8086.22, "8,086"),
        (219.7, "220"),
        (1.0, "1.00"),
        (0.01234, "0.0123"),
        (3.1e9, "3.10e+09"),
        (-12.34, "-12.3"),
    ],
)
def test_numbers_read_well(value: float, text: str) -> None:
    assert plotting.number(value) == text


def test_panel_and_table_refuse_what_the_page_cannot_use() -> None:
    with pytest.raises(ValueError, match="id must be a slug"):
        Panel(id="No Spaces", title="", finding="")
    with pytest.raises(ValueError, match="rows must have 2 cells"):
        Table(("a", "b"), ((1,),))
    assert Table.of([]) == Table((), ())


@pytest.mark.parametrize("shade", np.linspace(0, 1, 41))
def test_numbers_in_a_heat_map_can_be_read(shade: float) -> None:
    colour = sweep.SCALE(shade)
    assert _contrast(plotting.ink_on(colour), to_hex(colour)) >= 4.5
