"""A folder in which the files that every exported claim needs are compiled."""

from __future__ import annotations

from pathlib import Path

import pytest

from theory.coq import compiler
from theory.coq.development import write_support


@pytest.fixture(scope="session")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    directory = tmp_path_factory.mktemp("coq")
    write_support(directory)
    assert {c.error for c in compiler.compile_all(directory)} == {""}
    return directory
