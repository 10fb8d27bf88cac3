"""The examples in docstrings run and print what they say."""

from __future__ import annotations

import doctest
import importlib
import pkgutil

import pytest

import reucb

FLAGS = doctest.NORMALIZE_WHITESPACE | doctest.ELLIPSIS
MODULES = sorted(m.name for m in pkgutil.walk_packages(reucb.__path__, "reucb.") if not m.name.startswith("reucb._"))


def examples(module):
    return [test for test in doctest.DocTestFinder().find(importlib.import_module(module)) if test.examples]


@pytest.mark.parametrize("module", MODULES)
def test_examples_of_a_module(module):
    for test in examples(module):
        failed, _ = doctest.DocTestRunner(optionflags=FLAGS).run(test)
        assert not failed, test.name


def test_a_wrong_example_fails(capsys):
    test = doctest.DocTestParser().get_doctest(">>> 1 + 1\n3\n", {}, "wrong", None, None)
    assert doctest.DocTestRunner(optionflags=FLAGS).run(test).failed == 1
    assert "Expected" in capsys.readouterr().out
