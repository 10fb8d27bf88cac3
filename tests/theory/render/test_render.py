"""Terminal, Markdown and LaTeX output."""

from __future__ import annotations

import re
import shutil
import subprocess

import pytest
from hypothesis import given
from hypothesis import strategies as st

from theory.collection import the_paper
from theory.kernel.claim import SEVERITIES
from theory.ledger import DEFECTS, Entry, check_claims, load
from theory.render import markdown
from theory.render import tex as typed
from theory.render.latex import LISTED, MAIN, TITLES, counterexample, erratum, formula

# Typed mathematics becomes LaTeX, words stay words, and no special character is left unescaped.


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
    for claim in load().values():
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


# The erratum: ordered by severity, well formed, every number short, both sides evaluated.


@pytest.fixture(scope="module")
def text(ledger: dict[str, Entry]) -> str:
    return erratum(ledger.values(), the_paper())


@pytest.fixture(scope="session")
def ledger_of_two() -> list[Entry]:
    return check_claims(["sec:tau2", "sec:tau2/repaired"])


def test_a_defect_has_place_formula_repair_reason_and_counterexample(ledger_of_two):
    tex = erratum(ledger_of_two, the_paper())
    assert r"\textbf{Lemma 8, line 883} (\path{sec:tau2}, refuted)." in tex
    for entry, head in zip(ledger_of_two, ("Printed", "Correct"), strict=True):
        assert rf"\emph{{{head}:}} {formula(entry.says)}." in tex
    assert r"\emph{Reason:} As an arm is pulled more often" in tex
    assert "left side $0.33333$, right side $0.375$." in tex


def test_every_defect_is_there_once_by_severity(text, ledger):
    found = re.findall(r"\\path\{([^}]*)\}", text)
    assert sorted(found) == sorted(name for name, e in ledger.items() if e.verdict in DEFECTS)
    ranks = [SEVERITIES.index(ledger[name].claim.severity) for name in found]
    assert ranks == sorted(ranks)
    main = text.split(r"\appendix")[0]
    assert all((title in main) == (severity in (*MAIN, *LISTED)) for severity, title in TITLES.items())
    lines = [ledger[name].place.line for name in found if ledger[name].claim.severity == "edge"]
    assert lines == sorted(lines)


def test_the_main_text_fits_on_four_pages(text):
    """A page of this layout holds some 7,500 characters of source, formulas included; compiled, it has three."""
    assert len(text.split(r"\appendix")[0]) < 4 * 7_000


@pytest.mark.skipif(shutil.which("pdflatex") is None, reason="no pdflatex")
def test_it_compiles_and_the_main_text_has_four_pages(text, tmp_path):
    (tmp_path / "erratum.tex").write_text(text)
    run = ["pdflatex", "-interaction=nonstopmode", "-halt-on-error", "erratum.tex"]
    done = subprocess.run(run, cwd=tmp_path, capture_output=True, text=True, timeout=120, check=False)
    assert done.returncode == 0, done.stdout[-2000:]
    assert "Overfull" not in done.stdout
    page = re.search(r"newlabel\{end-of-main\}\{\{\}\{(\d+)\}\}", (tmp_path / "erratum.aux").read_text())
    assert page is not None
    assert int(page[1]) <= 4


def test_numbers_are_short(text):
    assert not re.search(r"\d{20}", text)
    assert "0 against 0" not in text
    assert "left side $0$, right side $0$" not in text
    for example in re.findall(r"Counterexample:\} (.*)", text):
        assert r"\sqrt" not in example.split("; left side")[-1]


def test_braces_and_environments_close(text):
    plain = text.replace(r"\{", "").replace(r"\}", "")
    assert plain.count("{") == plain.count("}")
    begun, ended = (re.findall(rf"\\{word}\{{(\w+)\}}", plain) for word in ("begin", "end"))
    assert begun.count("cases") == ended.count("cases")  # in formulas
    assert [name for name in begun if name != "cases"] == ["document", "description"]
    assert [name for name in ended if name != "cases"] == ["description", "document"]


def test_text_outside_mathematics_has_no_command_of_mathematics(text):
    outside = re.sub(r"(?<!\\)\$.*?(?<!\\)\$", "", text.split(r"\begin{document}")[1], flags=re.S)
    outside = re.sub(r"\\path\{[^}]*\}", "", outside)
    assert not re.search(r"\\(frac|tau|sigma|sum|le|ge|text\{)|(?<!\\)[_^]", outside)


@pytest.mark.parametrize(
    ("shown", "tex"),
    [
        ({"K": "1", "left": "1/3", "right": "3/8"}, "K = $1$; left side $0.33333$, right side $0.375$"),
        ({"K": "1", "left": "1", "right": "1"}, "K = $1$; both sides are $1$"),
        ({"t": "1", "left": "0", "right": "0"}, "t = $1$; the left side is $0$"),
        ({"horizon": "10^60", "left": "3**80", "right": "sqrt(2 + sqrt(3))"},
         r"n = $10^{60}$; left side $1.478\cdot10^{38}$, right side $1.9319$"),
        ({"n_k": "2", "x": "sigma_sq/n_k = 1/2", "W_others": "0"},
         r"$n_{k}$ = $2$, x = $\frac{\sigma^{2}}{n_{k}}$ = $1/2$, $W_{others}$ = $0$"),
        ({"n": ["1", "2"], "ratio": "0.74"}, "($n_{k}$) = ($1$, $2$), ratio = $0.74$"),
    ],
)  # fmt: skip
def test_counterexamples(shown, tex):
    assert counterexample(shown) == tex


@pytest.mark.parametrize(
    ("says", "tex"),
    [
        (r"x \le y", r"$x \le y$"),
        (r"\text{fixed counts}\ n\ge1:\quad x=y", r"fixed counts $n\ge1:\quad \allowbreak x=y$"),
        (r"\frac{\text{a}}{b}", r"$\frac{\text{a}}{b}$"),
        (r"X_{\text{others}}, \text{ if } x", r"$X_{\text{others}},$  if $x$"),
    ],
)
def test_words_are_set_outside_mathematics(says, tex):
    assert formula(says).replace("  ", " ") == tex.replace("  ", " ")


# The exported ledger is a well-formed table.

LABELS = ("sec:tau2", "sec:tau2/repaired")


def test_every_row_has_its_cells():
    rows = [row for row in markdown.ledger(check_claims(LABELS), "A paper").splitlines() if row.startswith("|")]
    assert len(rows) == 2 + len(LABELS)
    assert {len(re.findall(r"(?<!\\)\|", row)) for row in rows} == {len(markdown.COLUMNS) + 1}
    assert rows[2].startswith("| refuted | result | `sec:tau2` | Lemma 8, sec:tau2, line 883 |")
