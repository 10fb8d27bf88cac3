"""Sentences: symbols set as symbols, words left alone, nothing unescaped."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reports.page.typesetting import prose


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
