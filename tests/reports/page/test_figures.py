"""Panels as the page shows them: tables, tooltips, and pictures without active content."""

from __future__ import annotations

import re
from typing import Any

import pytest

from reports.core.panel import Panel, Table
from reports.page.figures import MOST_ROWS, box, figure, hero, inline, number, parts
from tests.reports.page.samples import bare, chapter, panel, report

# Panels on the page: grouping, the first picture, numbers as text.


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (None, "–"),
        (True, "yes"),
        (12, "12"),
        (123456, "123\u202f456"),
        (0.1234567, "0.1235"),
        (-1.5, "−1.5"),
        (1e-9, "1e−9"),
        (123456.0, "1.235e5"),
        ("a<b", "a<b"),
    ],
)
def test_numbers(value: Any, text: str) -> None:
    assert number(value) == text


def test_groups_in_the_order_of_the_page() -> None:
    made = report(
        [],
        chapter("s", "speed", bare("s")),
        chapter("z", "zoo", bare("z")),
        chapter("b", "bounds", bare("b")),
    )
    assert [(part.name, part.title) for part in parts(made)] == [
        ("bounds", "Bounds against regret"),
        ("speed", "Speed"),
        ("zoo", "Zoo"),
    ]


def test_the_first_picture() -> None:
    table = Panel("numbers", "Only a table", "")
    made = parts(report([], chapter("b", "bounds", table, bare("ratio"), bare("bounds-curves"))))
    first = hero(made)
    assert first is not None
    assert first.panel.id == "bounds-curves"
    assert hero(parts(report([], chapter("e", "experiments", bare("e"))))) is None


def test_long_tables_are_cut_and_say_so() -> None:
    shown = figure(Panel("long", "", "", table=Table(("i",), tuple((i,) for i in range(MOST_ROWS + 7)))))
    assert (len(shown.rows), shown.left_out) == (MOST_ROWS, 7)


# Pictures: static ones pass, active ones are refused, shortened coordinates change nothing visible.


@pytest.mark.parametrize(
    "inside",
    [
        "<script>1</script>",
        '<path onload="x()"/>',
        '<a href="javascript:x()"/>',
        '<image href="https://x.org/a.png"/>',
        "<foreignObject/>",
        '<path style="fill:url(http://x)"/>',
        "<style>@import 'x'</style>",
        '<image src="a.png"/>',
    ],
)
def test_active_pictures_are_refused(inside: str) -> None:
    with pytest.raises(ValueError, match="static picture"):
        inline(f"<svg>{inside}</svg>")


def test_shortened_to_a_hundredth() -> None:
    short = inline('<svg><path d="M 1.234567 -0.001\nL 2 3.999999e-7 "/><text x="3.14159">0.123456</text></svg>')
    assert short == '<svg><path d="M 1.23 -0L 2 3.999999e-7"/><text x="3.14">0.123456</text></svg>'


def test_a_real_picture_moves_by_less_than_anyone_sees() -> None:
    svg = panel("a").svg
    short = inline(svg)
    assert len(short) < len(svg)
    numbers = [[float(x) for x in re.findall(r"-?\d+\.?\d*(?:e-?\d+)?", text)] for text in (svg, short)]
    assert len(numbers[0]) == len(numbers[1])
    assert max(abs(a - b) for a, b in zip(*numbers, strict=True)) <= 0.0051
    assert box(svg) == box(short) == (432.0, 288.0)
    assert box("") == (0.0, 0.0)
