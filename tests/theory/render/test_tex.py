"""Typed mathematics becomes LaTeX, words stay words, and no special character is left unescaped."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from theory import ledger
from theory.render import tex as typed


@pytest.mark.parametrize(
    ("sentence", "tex"),
    [
        ("a tau_k^2 <= sigma^2/n_k", r"a $\tau_{k}^{2}$ $\le$ $\sigma^{2}$/$n_{k}$"),
        ("sigma0_sq, sigma_sq", r"$\sigma_{0}^{2}$, $\sigma^{2}$"),
        ("mu-hat_k and tilde-tau^2", r"$\hat{\mu}_{k}$ and $\tilde{\tau}^{2}$"),
        ("n^(1-a/2) for (x+y)^2, 10^60", r"$n^{1-a/2}$ for (x+y)$^{2}$, 10$^{60}$"),
        ("rbar_0^h = sum_i w_i rbar_i", r"$\bar{r}_{0}^{h}$ = $\sum_i$ $w_{i}$ $\bar{r}_{i}$"),
        ("mu0 - rbar, sigmahat0_sq", r"$\mu_{0}$ - $\bar{r}$, $\hat{\sigma}_{0}^{2}$"),
        ("mu_best, mu_pulled; the sum", r"$\mu_{*}$, $\mu_{I_t}$; the sum"),
        ("50 % of a_thing & {b}", r"50 \% of a\_thing \& \{b\}"),
        ("I am a word", "I am a word"),
        ("n_* and tau*^2", r"$n_{*}$ and $\tau^{*2}$"),
        ("delta^(tau^2/2) and sqrt(a log n)", r"$\delta^{\tau ^2/2}$ and $\sqrt{a \log  n}$"),
    ],
)
def test_sentences(sentence, tex):
    assert typed.sentence(sentence) == tex


@pytest.mark.parametrize(
    ("value", "shown", "digits"),
    [
        ("3/8", "$3/8$", "$0.375$"),
        ("sqrt(2)", "$1.4142$", "$1.4142$"),
        ("1" * 90, r"$1.111\cdot10^{89}$", r"$1.111\cdot10^{89}$"),
        ("10^60", "$10^{60}$", r"$1.000\cdot10^{60}$"),
        ("1/100000", "$1/100000$", r"$1.000\cdot10^{-5}$"),
        ("-2", "$-2$", "$-2$"),
        ("0 or 1, fair", "0 or 1, fair", "0 or 1, fair"),
    ],
)
def test_values(value, shown, digits):
    assert typed.value(value) == shown
    assert typed.decimal(value) == digits


def test_every_reason_in_the_ledger_is_safe():
    for claim in ledger.load().values():
        assert safe(typed.sentence(claim.why)), claim.id


@given(st.text(alphabet="abmu_^{}()$%&#~\\<>=-+0123456789 sigmatau"))
def test_any_text_is_safe(text):
    assert safe(typed.sentence(text))


def safe(tex):
    """Outside of dollar signs no bare special character; inside, braces that close."""
    pieces = re.split(r"(?<!\\)\$", tex)
    outside = re.sub(r"\\(\^|textbackslash|textasciitilde)\{\}", "", "".join(pieces[::2]))
    inside = [re.sub(r"\\[{}]", "", piece) for piece in pieces[1::2]]
    return (
        len(pieces) % 2 == 1
        and not re.search(r"(?<!\\)[_^%&#{}~]", outside)
        and all(piece.count("{") == piece.count("}") for piece in inside)
    )
