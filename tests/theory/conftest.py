"""The whole ledger, settled once for all tests that look at it."""

import pytest

from theory.ledger import Entry, settle


@pytest.fixture(scope="session")
def ledger() -> dict[str, Entry]:
    return {e.claim.id: e for e in settle()}
