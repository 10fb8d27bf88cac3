"""Pictures: still ones pass, active ones are refused, shortened ones look the same."""

from __future__ import annotations

import re

import pytest

from reports.page.figures import box, inline
from tests.reports.page.samples import panel


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
    with pytest.raises(ValueError, match="still picture"):
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
