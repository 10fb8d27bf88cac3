"""Formulas, prose and figures as the page shows them."""

from __future__ import annotations

import re
from typing import Any
from xml.etree import ElementTree

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reports.core.panel import Panel, Table
from reports.page.figures import MOST_ROWS, cell_text, figure, hero, inline, parts, view_box_size
from reports.page.typesetting import TAGS, converts, mathml, pieces, prose, terms
from tests.reports.page.samples import bare, chapter, panel, report
from tests.theory.harness.search import built
from theory.kernel.statement import latex
from theory.ledger import load

# Formulas and prose: cut where a line may break, converted or shown as source, never dropped, never active.


@pytest.mark.xdist_group("ledger")  # every claim is built there
def test_every_statement_of_the_ledger_converts() -> None:
    """None falls back to source, and what comes out is well-formed."""
    formulas: dict[str, str] = {}
    for claim in load().values():
        text = claim.says if claim.says is not None else latex(*built(claim.id).conclusions)
        formulas |= {body: claim.id for kind, body in pieces(text) if kind == "math"}
    for body, name in formulas.items():
        found = converts(body)
        assert found is not None, f"{name}: {body}"
        ElementTree.fromstring(found)


def test_lines_may_break_before_relations_and_around_words() -> None:
    assert list(pieces(r"\tau_k^2 \le \frac{a=b}{c} < 1 \text{ for } n\ge 1")) == [
        ("math", r"\tau_k^2"),
        ("math", r"\le \frac{a=b}{c}"),
        ("math", "< 1"),
        ("text", " for "),
        ("math", "n"),
        ("math", r"\ge 1"),
    ]


def test_brackets_and_nested_words_are_not_cut() -> None:
    source = r"\left(a = b\right) + P(x = 1, y < 2) + \frac{\text{one}}{2}"
    assert list(pieces(source)) == [("math", source)]


def test_a_long_formula_is_cut_at_its_sums_and_may_scroll() -> None:
    short, long = r"a + b", "+".join(f"x_{{{i}+j}}" for i in range(12))
    assert terms(short) == [short]
    assert [part[:4] for part in terms(long)] == ["x_{0", *("+x_{" for _ in range(11))]
    assert terms("-" + long)[0] == "-x_{0+j}"
    assert 'class="long"' in mathml(r"\frac{" + long + "}{2}")
    assert 'class="long"' not in mathml(short)
    assert mathml(long).count('<mo form="infix">+</mo>') == 11


def test_mathematics_inside_words() -> None:
    assert str(mathml(r"\text{with $x$ in it}")) == "with <math><mrow><mi>x</mi></mrow></math> in it"


@pytest.mark.parametrize("source", [r"\nosuchcommand x", "a & b", "\\", r"\href{https://x.org}{y}"])
def test_what_is_not_understood_is_shown_as_source(source: str) -> None:
    assert converts(source) is None
    assert ElementTree.fromstring(f"<p>{mathml(source)}</p>").find("code") is not None


@pytest.mark.parametrize("source", ["<b>", r"\frac{1", r"x\&y"])
def test_signs_that_mean_something_in_html_are_escaped(source: str) -> None:
    ElementTree.fromstring(str(converts(source)))


@pytest.mark.parametrize(
    ("source", "letter"),
    [
        (r"\mathbf{1}", "𝟏"),
        (r"\mathcal N", "𝒩"),
        (r"\breve\mu", "˘"),
        (r"\arg\min_c", "arg"),
        (r"\mathrm{Var}", "<mi>Var</mi>"),
        (r"a\log t", 'a</mi><mspace width="0.17em"/><mi>log'),
    ],
)
def test_what_browsers_do_not_support_is_written_otherwise(source: str, letter: str) -> None:
    assert letter in str(converts(source))


@given(st.text(alphabet=st.sampled_from(list("<>&\"'{}$\\ abtextfrac_^=,()1")), max_size=40))
def test_no_text_becomes_markup(text: str) -> None:
    """Any text of a claim becomes mathematics, code and text only."""
    root = ElementTree.fromstring(f"<p>{mathml(text)}</p>")
    assert all(e.tag in ("p", "code", "span") or TAGS.fullmatch(e.tag) for e in root.iter())


@pytest.mark.parametrize(
    ("typed", "read"),
    [
        ("sigma_0^2 <= 1", "<i>σ</i><sub>0</sub><sup>2</sup> ≤ 1"),
        ("sigma0 -> 0", "<i>σ</i><sub>0</sub> → 0"),
        ("n_k sigma^2", "<i>n</i><sub>k</sub> <i>σ</i><sup>2</sup>"),
        ("K = 50", "K\u00a0=\u00a050"),
        ("t^(-a/2)", "<i>t</i><sup>−a/2</sup>"),
        ("(K+rho)^2", "(K+<i>ρ</i>)<sup>2</sup>"),
        ("9*k**2", "9*<i>k</i><sup>2</sup>"),
        ("mu-hat_k", "<i>μ\u0302</i><sub>k</sub>"),
        ("tilde-tau^2", "<i>τ\u0303</i><sup>2</sup>"),
        ("tau^2/tau*^2", "<i>τ</i><sup>2</sup>/<i>τ</i><sup>*2</sup>"),
        ("delta^(tau^2/x)", "<i>δ</i><sup><i>τ</i><sup>2</sup>/x</sup>"),
        ("a `sigma_sq` b", "a <code>sigma_sq</code> b"),
        ("a mutual pie, w-def, foo_bar", "a mutual pie, w-def, foo_bar"),
        ("a < b & c", "a &lt; b &amp; c"),
    ],
)
def test_set_as_it_is_read(typed: str, read: str) -> None:
    assert str(prose(typed)) == read


@given(st.text(max_size=60))
def test_only_four_tags_ever_come_out(text: str) -> None:
    left = re.sub(r"</?(i|sub|sup|code)>", "", str(prose(text)))
    assert "<" not in left
    assert ">" not in left


# Panels as the page shows them: tables, tooltips, and pictures without active content.

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
    assert cell_text(value) == text


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


def test_long_tables_are_cut_with_a_remark() -> None:
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


def test_rounding_moves_a_real_picture_invisibly_little() -> None:
    svg = panel("a").svg
    short = inline(svg)
    assert len(short) < len(svg)
    numbers = [[float(x) for x in re.findall(r"-?\d+\.?\d*(?:e-?\d+)?", text)] for text in (svg, short)]
    assert len(numbers[0]) == len(numbers[1])
    assert max(abs(a - b) for a, b in zip(*numbers, strict=True)) <= 0.0051
    assert view_box_size(svg) == view_box_size(short) == (432.0, 288.0)
    assert view_box_size("") == (0.0, 0.0)
