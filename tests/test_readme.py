"""The README's examples run as they stand."""

import re
from pathlib import Path

from theory.kernel.claim import REGISTRY

README = (Path(__file__).parent.parent / "README.md").read_text(encoding="utf-8")
BLOCKS = re.findall(r"```python\n(.*?)```", README, re.S)


def test_the_first_example_runs(capsys):
    exec(BLOCKS[0].replace("runs=1_000", "runs=4").replace("horizon=10_000", "horizon=200"), {})
    assert len(capsys.readouterr().out.split()) == 2


def test_the_claim_in_the_guide_is_proved():
    before = set(REGISTRY)
    try:
        exec(BLOCKS[-1], {"__name__": "guide"})
        (name,) = set(REGISTRY) - before
        finding = REGISTRY[name].build().check()
        assert finding.ok
        assert finding.verdict == "proved"
        assert len(finding.mutants) >= 3
    finally:
        for name in set(REGISTRY) - before:
            del REGISTRY[name]
