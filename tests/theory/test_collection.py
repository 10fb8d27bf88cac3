"""The claims of a collection: described by the sources, and imported."""

import json
import subprocess
import sys

import pytest

from theory.collection import _described, the_paper

# In a process of its own: here the modules may be imported.
OUTLINE = """
import json
from dataclasses import fields, replace
from theory.collection import the_paper
from theory.kernel.claim import Claim, Elsewhere

def told(claims):
    names = [f.name for f in fields(Claim) if f.name != "build"]
    return {id: [repr(getattr(c, name)) for name in (*names, "module")] for id, c in claims.items()}

lazy = replace(the_paper(), lazy=True).claims()
waiting = sum(isinstance(c.build, Elsewhere) for c in lazy.values())
outline = told(lazy)
verdict = lazy["sec:tau2"].argument.check().verdict
imported = told(the_paper().claims())
print(json.dumps([waiting, list(outline) == list(imported), outline == imported, verdict]))
"""


def test_the_sources_tell_what_the_modules_enter():
    """Same claims, order and descriptions, none of them imported; a proof imports what it needs."""
    run = subprocess.run([sys.executable, "-c", OUTLINE], capture_output=True, text=True, check=True)
    waiting, same_order, same, verdict = json.loads(run.stdout)
    assert waiting == len(the_paper().claims())  # one module that must be imported may import half of the model
    assert same_order
    assert same
    assert verdict == "refuted"


PLAIN = """
NAME = "a/claim"
@claim(f"{NAME}/first", kind="step", cites=(NAME,))
def first(): ...
"""
BY_CALL = PLAIN + 'claim("another", kind="step")(first)\n'
TUPLES = """
_CITED = ("a/claim", "another/claim")
@claim("a/third", kind="step", cites=_CITED)
def third(): ...
"""
FROM_ELSEWHERE = PLAIN.replace('NAME = "a/claim"', "from somewhere import NAME")


@pytest.mark.parametrize(
    ("source", "told"),
    [
        (PLAIN, [(("a/claim/first",), {"kind": "step", "cites": ("a/claim",)})]),
        (TUPLES, [(("a/third",), {"kind": "step", "cites": ("a/claim", "another/claim")})]),
        (BY_CALL, None),
        (FROM_ELSEWHERE, None),
        ("x = 1\n", []),
    ],
)
def test_a_source_that_does_not_tell_its_claims_must_be_imported(tmp_path, monkeypatch, source, told):
    (tmp_path / "some_claims.py").write_text(source)
    monkeypatch.syspath_prepend(tmp_path)
    assert _described("some_claims") == told
