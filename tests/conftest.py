"""The quick subset, and the ledger, which is checked once for all tests."""

from __future__ import annotations

import atexit
import gc
import os
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

import tests.hypothesis_examples  # noqa: F401 (loads the profile of Hypothesis)

if TYPE_CHECKING:
    from theory.ledger import Entry

# Each test process has a core: the threads of BLAS would take it from the others while they wait for each other.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
# As in `theory`, which a test may import after SymPy: its cache is not to be limited to 1000 entries per function, and
# the engines must not share their arithmetic.
os.environ.setdefault("SYMPY_CACHE_SIZE", "None")
os.environ.setdefault("SYMPY_GROUND_TYPES", "python")
gc.disable()  # until the tests are collected: a third of the time of importing every module and making every test
atexit.register(gc.freeze)  # the interpreter would search all caches for garbage once more at its end


# What `-m quick` runs: one or two seconds a file, no compilation of kernels that the others do not need, no ledger.
QUICK = (
    "test_architecture",
    "reports/core/test_store",
    "reports/page/test_typesetting",
    "reucb/_numerics/test_validation",
    "reucb/_simulation/test_checkpoint",
    "reucb/_simulation/test_job",
    "reucb/bounds/test_normal",
    "reucb/bounds/test_printed_bounds",
    "reucb/bounds/test_sharp",
    "reucb/policies/test_policies",
    "reucb/test_bandit",
    "reucb/test_estimation",
    "reucb/test_result",
    "reucb/test_rewards",
    "reucb/test_variance",
    "theory/kernel/test_false_statements",
    "theory/kernel/test_intervals",
    "theory/kernel/test_prove",
)
HERE = Path(__file__).parent


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """`-m quick` does not even import the other test files: some build every claim when they are collected."""
    if config.getoption("markexpr") != "quick" or not collection_path.name.startswith("test_"):
        return None
    return True if name_of(collection_path) not in QUICK else None


def name_of(path: Path) -> str:
    return path.relative_to(HERE).with_suffix("").as_posix()


@pytest.hookimpl(tryfirst=True)  # before the scheduler reads the marks
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark the quick tests, and keep together those that share something slow to make.

    All tests that look at the ledger or at every claim run in one process, so that it is checked and the claims are
    built once; those of agents and of the engine in another, so that kernels are not compiled twice at the same time.
    For the same reason the former begin with the ledger, not with the agreement of its claims with `reucb`.
    """
    items.sort(key=lambda item: name_of(item.path) == "agreement/test_agreement")
    for item in items:
        whole = name_of(item.path) in ("theory/test_claims", "theory/test_letters", "agreement/test_agreement")
        if whole or "ledger" in getattr(item, "fixturenames", ()):
            item.add_marker(pytest.mark.xdist_group("ledger"))
        of_ledger = any(mark.args == ("ledger",) for mark in item.iter_markers("xdist_group"))
        if name_of(item.path) in QUICK and not of_ledger:
            item.add_marker(pytest.mark.quick)
        if name_of(item.path).startswith(("reucb/_engine/", "reucb/policies/")):
            item.add_marker(pytest.mark.xdist_group("engine"))


def pytest_collection_finish() -> None:
    """What collection made stays: garbage collections, off until now, leave it alone from here on.

    They are also rarer than by default: expressions of SymPy are many small objects that mostly stay in caches, and
    to search them takes a fifteenth of the time of the tests of the theory.
    """
    gc.freeze()
    gc.set_threshold(200_000, 20, 100)
    gc.enable()


@pytest.fixture(scope="session")
def ledger(request: pytest.FixtureRequest) -> dict[str, Entry]:
    """Every claim of the ledger by its id, its checks having run; of a few claims if only their tests are run.

    Beside one other test process they run in this one: processes of their own would build arguments again that the
    tests here need, too, and that they have in common, a fifth of the time. Beside more test processes, which end
    sooner, or none, they run on all cores.
    """
    from theory.ledger import check_claims

    readers = [item for item in request.session.items if "ledger" in getattr(item, "fixturenames", ())]
    named = [item.callspec.params["name"] for item in readers if name_of(item.path) == "theory/test_claims"]
    chosen = dict.fromkeys(named) if len(named) == len(readers) else None
    gc.disable()  # nearly all that is made stays in caches, and to search them for garbage is slow
    try:
        entries = check_claims(chosen, processes=1 if os.environ.get("PYTEST_XDIST_WORKER_COUNT") == "2" else None)
    finally:
        gc.freeze()
        gc.enable()
    return {e.claim.id: e for e in entries}
