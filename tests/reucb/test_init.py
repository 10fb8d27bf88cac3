"""The top-level package: every exported name resolves, and importing it loads neither Numba nor scipy.stats."""

from __future__ import annotations

import subprocess
import sys

import pytest

import reucb


def test_importing_loads_neither_numba_nor_scipy_stats():
    code = (
        "import sys, reucb; heavy = {'numba', 'scipy.stats', 'scipy.optimize', 'matplotlib', 'sympy'}; "
        "print(sorted(heavy & set(sys.modules)))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


@pytest.mark.parametrize("name", reucb.__all__)
def test_every_exported_name_is_there(name):
    assert getattr(reucb, name) is not None
    assert name in dir(reucb)


def test_an_unknown_name_is_an_attribute_error():
    with pytest.raises(AttributeError, match="module 'reucb' has no attribute 'ReUBC'"):
        reucb.ReUBC  # noqa: B018
