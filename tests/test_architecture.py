"""Which package may import which, read from the source; docs/architecture.md shows the same as a picture."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

import reucb
from tests.conftest import HERE, QUICK

ROOT = Path(__file__).parent.parent
pytestmark = pytest.mark.xdist_group("architecture")  # one process: each file is read once
PACKAGES = ("reucb", "theory", "reports", "benchmarks", "examples", "tests")

# package: prefixes of this project's modules that it must not import
FORBIDDEN = {
    "reucb": ("theory", "reports", "benchmarks", "examples", "tests"),
    "theory": ("reports", "benchmarks", "examples", "tests", "reucb._"),
    "reports": ("examples", "tests", "reucb._"),
    "benchmarks": ("theory", "reports", "examples", "tests", "reucb._"),
    "examples": ("benchmarks", "tests", "reucb._"),
    "reucb/_numerics": ("reucb._engine", "reucb._simulation", "reucb.policies", "reucb.bounds"),
}
# part of `theory`: what it may import of this project, besides itself. Only the experiments import `reucb`.
LAYERS = {
    "theory/kernel": (),
    "theory/model": ("theory.kernel",),
    "theory/ours": ("theory.kernel", "theory.model"),
    "theory/experiments": ("theory.kernel", "reucb"),
    "theory/paper": ("theory.kernel", "theory.model", "theory.ours", "theory.experiments", "theory.collection"),
    "theory/coq": ("theory.kernel",),
    "theory/render": ("theory.kernel", "theory.collection", "theory.ledger", "theory.impact"),
}
# proofs use exact arithmetic: no floating-point library
EXACT = ("theory/kernel", "theory/model", "theory/ours", "theory/coq")
FLOATING = ("numpy", "scipy", "mpmath")


@cache
def import_statements(path: Path) -> tuple[ast.Import | ast.ImportFrom, ...]:
    """Wherever in the file; each file is read once for all tests."""
    nodes = ast.walk(ast.parse(path.read_text(encoding="utf-8")))
    return tuple(node for node in nodes if isinstance(node, ast.Import | ast.ImportFrom))


def imports(path: Path) -> Iterator[str]:
    """Every module that a file imports; `from a import b` counts as a.b."""
    for node in import_statements(path):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif node.module and not node.level:
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


def among(module: str, names: tuple[str, ...]) -> bool:
    """Whether a module is one of these, or below one of them."""
    return any(module.startswith(name if name.endswith("_") else f"{name}.") or module == name for name in names)


def violations(folder: Path, forbidden: tuple[str, ...], allowed: tuple[str, ...] = ()) -> list[str]:
    return [
        f"{path.relative_to(folder)}: {module}"
        for path in sorted(folder.rglob("*.py"))
        for module in imports(path)
        if among(module, forbidden) and not among(module, allowed)
    ]


@pytest.mark.parametrize("package", FORBIDDEN)
def test_a_package_imports_only_what_it_may(package):
    assert violations(ROOT / package, FORBIDDEN[package]) == []


@pytest.mark.parametrize("part", LAYERS)
def test_a_part_of_theory_imports_only_what_it_may(part):
    assert violations(ROOT / part, PACKAGES, (part.replace("/", "."), *LAYERS[part])) == []


@pytest.mark.parametrize("part", EXACT)
def test_proofs_import_no_floating_point_library(part):
    assert violations(ROOT / part, FLOATING) == []


def test_only_the_section_on_speed_imports_benchmarks():
    assert {found.split(":")[0] for found in violations(ROOT / "reports", ("benchmarks",))} == {"sections/speed.py"}


def test_a_forbidden_import_is_found(tmp_path):
    (tmp_path / "a.py").write_text("def f():\n    from reucb._engine import codes\n    import numpy.random\n")
    assert violations(tmp_path, ("reucb._",)) == ["a.py: reucb._engine.codes"]
    assert violations(tmp_path, ("numpy",)) == ["a.py: numpy.random"]
    assert violations(tmp_path, ("numpy.r",)) == []
    assert violations(tmp_path, ("reucb", "numpy"), ("reucb",)) == ["a.py: numpy.random"]


def test_relative_imports_are_not_used():
    """`imports` reads absolute names only."""
    relative = [
        path
        for package in PACKAGES
        for path in (ROOT / package).rglob("*.py")
        for node in import_statements(path)
        if isinstance(node, ast.ImportFrom) and node.level
    ]
    assert relative == []


@pytest.mark.parametrize("package", ["reucb", "reports", "theory"])
def test_folders_of_tests_are_folders_of_the_source(package):
    """A test of reucb/_engine is in tests/reucb/_engine; the harness belongs to the tests alone."""
    folders = {path.parent.relative_to(ROOT / "tests") for path in (ROOT / "tests" / package).rglob("*.py")}
    assert {f for f in folders if not (ROOT / f).is_dir()} <= {Path("theory/harness")}


def test_files_of_the_quick_subset_exist():
    assert [name for name in QUICK if not (HERE / f"{name}.py").exists()] == []


def test_the_version_is_the_same_in_three_places():
    """In the metadata, the package and the changelog."""
    metadata = (ROOT / "pyproject.toml").read_text(encoding="utf-8")
    assert f'version = "{reucb.__version__}"' in metadata
    assert (ROOT / "CHANGELOG.md").read_text(encoding="utf-8").split("## ")[1].startswith(reucb.__version__)
