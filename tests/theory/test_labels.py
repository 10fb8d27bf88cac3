"""Every label of the paper has a claim: the list is frozen together with the hash of the source it was read from."""

import hashlib
import json
import re
from pathlib import Path

import pytest

from theory.ledger import load

FROZEN = json.loads((Path(__file__).parents[2] / "theory" / "labels.json").read_text())
SOURCE = Path(__file__).parents[3] / "shared" / "paper" / "random-effect-bandits.tex"


@pytest.mark.parametrize("label", FROZEN["labels"])
def test_label_has_a_claim(label: str) -> None:
    assert any(name == label or name.startswith(f"{label}/") for name in load()), f"no claim for {label}"


def test_the_list_is_complete_and_without_doubles() -> None:
    assert len(FROZEN["labels"]) == len(set(FROZEN["labels"])) == 65
    assert re.fullmatch(r"[0-9a-f]{64}", FROZEN["sha256"])


@pytest.mark.skipif(not SOURCE.exists(), reason="the paper's source is not distributed with the project")
def test_the_source_is_the_one_that_was_read() -> None:
    text = SOURCE.read_bytes()
    assert hashlib.sha256(text).hexdigest() == FROZEN["sha256"]
    assert set(re.findall(r"\\label\{([^}]*)\}", text.decode())) == set(FROZEN["labels"])
