"""Plain numbers on a logarithmic axis."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

RATIOS = (0.03, 0.1, 0.2, 0.3, 0.5, 0.7, 1, 1.5, 2, 3, 5, 7, 10, 20, 30, 50, 100)
COARSE = (0.1, 0.5, 1, 2, 5, 10, 20, 50, 100)
MOST = 8


def plain(axis: Any, at: Sequence[float] = RATIOS) -> None:
    """Ticks at those of the numbers that lie on the axis, written as people write them; fewer where there are many."""
    low, high = axis.get_view_interval()
    seen = [t for t in at if low <= t <= high]
    seen = seen if len(seen) <= MOST else [t for t in seen if t in COARSE]
    axis.set_ticks(seen, labels=[f"{t:g}" for t in seen])
    axis.set_ticks([], minor=True)
