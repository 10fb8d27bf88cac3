"""Panels on the page: grouping, the first picture, numbers as text."""

from __future__ import annotations

from typing import Any

import pytest

from reports.core.panel import Panel, Table
from reports.page.figures import MOST_ROWS, figure, hero, number, parts
from tests.reports.page.samples import bare, chapter, report


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
