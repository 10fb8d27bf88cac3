"""Hypothesis strategies for sufficient statistics and variances, shared by the tests of the package."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from hypothesis import strategies as st

from tests.hypothesis_examples import examples

fewer = examples(33)  # for expensive properties


class BlupArguments(NamedTuple):
    """What `blup` is asked."""

    counts: np.ndarray
    means: np.ndarray
    sigma0_sq: float
    noise: np.ndarray

    def fit_arguments(self) -> dict[str, Any]:
        return {"sigma0_sq": self.sigma0_sq, "sigma_sq": self.noise}


def magnitudes(low: float, high: float) -> st.SearchStrategy[float]:
    """Positive numbers spread evenly over the decades from 10**low to 10**high."""
    return st.floats(low, high).map(lambda x: 10.0**x)


@st.composite
def problems(
    draw: st.DrawFn,
    *,
    arms: tuple[int, int] = (1, 6),
    unpulled: bool = True,
    per_arm: bool = True,
    counts_to: float = 9.0,
    spread: float = 1.0,
    centre: float = 0.0,
) -> BlupArguments:
    """Counts up to 10**counts_to (some 0), means centre + spread * [-3, 3], variances over sixteen decades."""
    size = draw(st.integers(*arms))
    pulls = magnitudes(0, counts_to).map(np.floor)
    counts = draw(st.lists(pulls | st.just(0.0) if unpulled else pulls, min_size=size, max_size=size))
    if not any(counts):
        counts[draw(st.integers(0, size - 1))] = 1.0
    means = draw(st.lists(st.floats(-3, 3), min_size=size, max_size=size))
    shared = draw(magnitudes(-4, 4))
    noise = draw(st.lists(magnitudes(-1, 1), min_size=size, max_size=size)) if per_arm else [1.0] * size
    scale = spread**2
    return BlupArguments(
        np.array(counts),
        centre + spread * np.array(means),
        draw(magnitudes(-4, 4)) * scale,
        np.array(noise) * shared * scale,
    )


@st.composite
def reward_lists(
    draw: st.DrawFn, *, arms: tuple[int, int] = (2, 5), pulls: tuple[int, int] = (0, 5)
) -> list[list[float]]:
    """Rewards arm by arm in eighths: two arms pulled or more, one of them twice."""
    eighths = st.integers(-40, 40).map(lambda i: i / 8)
    rewards = draw(
        st.lists(st.lists(eighths, min_size=pulls[0], max_size=pulls[1]), min_size=arms[0], max_size=arms[1])
    )
    rewards[0] = rewards[0] + draw(st.lists(eighths, min_size=2, max_size=3))
    rewards[1] = rewards[1] + draw(st.lists(eighths, min_size=1, max_size=2))
    return rewards


def statistics(rewards: list[list[float]]) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Counts, means, and sums of squared deviations of lists of rewards; an empty list has mean nan."""
    counts = np.array([len(r) for r in rewards])
    means = np.array([np.mean(r) if r else np.nan for r in rewards])
    squares = np.array(
        [float(np.sum((np.array(r) - m) ** 2)) if r else 0.0 for r, m in zip(rewards, means, strict=True)]
    )
    return counts, means, squares
