"""The guide for authors of claims is run as it stands."""

import re
from pathlib import Path

import theory.kernel
from theory.kernel import classical
from theory.kernel.rules import Theorem


def test_the_code_of_the_guide_runs():
    text = (Path(theory.kernel.__file__).parent / "README.md").read_text()
    blocks = re.findall(r"```python\n(.*?)```", text, flags=re.S)
    assert len(blocks) == 4
    exec("\n".join(blocks), {})


def test_every_classical_theorem_has_a_statement_and_a_reference():
    theorems = [t for t in vars(classical).values() if isinstance(t, Theorem)]
    assert theorems
    assert len({t.name for t in theorems}) == len(theorems)
    assert all(t.says and t.reference for t in theorems)
