"""Monte-Carlo against the bounds: how far the theorems are from the algorithm, and which step loses what."""

from __future__ import annotations

from reports.plan import Section

SECTIONS: tuple[Section, ...] = ()
