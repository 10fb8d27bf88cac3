"""Formulas and prose: cut where a line may break, converted or shown as source, never dropped, never active."""

from __future__ import annotations

import re
from xml.etree import ElementTree

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reports.page.typesetting import TAGS, converts, mathml, pieces, prose, terms
from theory.kernel.statement import latex
from theory.ledger import load


def test_every_statement_of_the_ledger_converts() -> None:
    """None falls back to source, and what comes out is well-formed."""
    for claim in load().values():
        text = claim.says if claim.says is not None else latex(*claim.build().conclusions)
        for kind, body in pieces(text):
            if kind == "math":
                found = converts(body)
                assert found is not None, f"{claim.id}: {body}"
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
def test_what_browsers_do_not_know_is_said_otherwise(source: str, letter: str) -> None:
    assert letter in str(converts(source))


@given(st.text(alphabet=st.sampled_from(list("<>&\"'{}$\\ abtextfrac_^=,()1")), max_size=40))
def test_no_text_becomes_markup(text: str) -> None:
    """Whatever stands in a claim, only mathematics, code and text come out."""
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
