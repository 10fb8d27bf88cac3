"""The online agents side by side at 50 arms: select and update in Python."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from benchmarks.arms_curve import agent_round
from benchmarks.cases import CASES, GAUSSIAN, K


def measure(quick: bool) -> Iterator[dict[str, Any]]:
    """Nanoseconds per round of every agent on the Gaussian bandit, and the ratio to UCB1's."""
    cases = [case for case in CASES if case.bandit is GAUSSIAN]
    least = {case.name: float("inf") for case in cases}
    for _ in range(2 if quick else 4):
        for case in cases:
            least[case.name] = min(least[case.name], agent_round(case.policy, K, quick))
    for name, value in least.items():
        yield {"policy": name, "agent_ns": value, "over_ucb1": value / least["UCB1"]}
