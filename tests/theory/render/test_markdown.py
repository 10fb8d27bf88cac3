"""The exported ledger is a well-formed table."""

import re

from theory.ledger import settle
from theory.render.markdown import COLUMNS, ledger

LABELS = ("sec:tau2", "sec:tau2/repaired")


def test_every_row_has_its_cells():
    rows = [row for row in ledger(settle(LABELS), "A paper").splitlines() if row.startswith("|")]
    assert len(rows) == 2 + len(LABELS)
    assert {len(re.findall(r"(?<!\\)\|", row)) for row in rows} == {len(COLUMNS) + 1}
    assert rows[2].startswith("| refuted | result | `sec:tau2` | Lemma 8, sec:tau2, line 883 |")
