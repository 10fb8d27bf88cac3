"""Hypothesis profiles and the settled ledger: each in one place, each made once."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import pytest
from hypothesis import HealthCheck, settings

if TYPE_CHECKING:
    from theory.ledger import Entry

settings.register_profile(
    "default", deadline=None, derandomize=True, print_blob=True, suppress_health_check=[HealthCheck.too_slow]
)
settings.register_profile("deep", parent=settings.get_profile("default"), max_examples=2_000, derandomize=False)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "default"))


@pytest.hookimpl(tryfirst=True)  # before the scheduler reads the marks
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """All tests that look at the ledger run in one process, so that it is settled once."""
    for item in items:
        if "ledger" in getattr(item, "fixturenames", ()):
            item.add_marker(pytest.mark.xdist_group("ledger"))


@pytest.fixture(scope="session")
def ledger() -> dict[str, Entry]:
    """Every claim of the ledger by its id, its checks having run."""
    from theory.ledger import settle

    return {e.claim.id: e for e in settle()}
