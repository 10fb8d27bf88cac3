"""The exported ledger and erratum are well formed: cells, braces, mathematics in its place."""

from __future__ import annotations

import re

import pytest

from theory import ledger
from theory.render import export

LABELS = ("sec:tau2", "sec:tau2/repaired")


@pytest.fixture(scope="module")
def entries():
    return ledger.settle(LABELS)


def test_every_row_of_the_markdown_table_has_its_five_cells(entries):
    rows = [row for row in export.markdown(entries).splitlines() if row.startswith("|")]
    assert len(rows) == 2 + len(LABELS)
    assert {len(re.findall(r"(?<!\\)\|", row)) for row in rows} == {6}


def test_what_a_claim_says_is_set_as_mathematics(entries):
    """Text outside dollar signs holds no command of mathematics, which would stop LaTeX there."""
    row = next(line for line in export.latex(entries).splitlines() if line.startswith(r"\path{sec:tau2}"))
    for name in LABELS:
        assert f"${ledger.load()[name].says}$" in row
    assert r"K = $1$, n = $3$, $\sigma^{2}$ = $1$, $\sigma_{0}^{2}$ = $1$" in row
    outside = re.sub(r"(?<!\\)\$.*?(?<!\\)\$", "", row)
    assert not re.search(r"\\(frac|tau|sigma|sum|le|ge|text\{)|(?<!\\)[_^]", outside)


def test_braces_and_environments_close(entries):
    text = export.latex(entries).replace(r"\{", "").replace(r"\}", "")
    assert text.count("{") == text.count("}")
    assert re.findall(r"\\begin\{(\w+)\}", text) == re.findall(r"\\end\{(\w+)\}", text)[::-1]
