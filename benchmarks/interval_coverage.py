"""`python -m benchmarks.interval_coverage`: the table of docs/intervals.md, coverage of 95 % intervals of arm means."""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

import reucb

ARMS = (2, 3, 4, 8, 18, 50)
RATIOS = (0.2, 0.5, 1.0, 2.0)  # sigma0 / sigma
DESIGNS = {"balanced": (5,), "unbalanced": (1, 2, 3, 14)}  # counts, repeated over the arms
AT_ONCE = 250


class Coverage(NamedTuple):
    """Shares of intervals that hold the arm mean: all data sets, and those with an estimate sigma0^2 = 0."""

    plain: float  # mu -+ 1.96 sqrt(mse), estimates taken for the truth
    full: float  # Fit.interval
    stderr: float  # of the one before
    boundary: float  # share of data sets
    plain_there: float
    full_there: float


def coverage(counts: np.ndarray, ratio: float, runs: int, seed: int, level: float = 0.95) -> Coverage:
    """Over data sets drawn from the model with sigma = 1 and sigma0 = ratio; variances estimated by reml."""
    parts = [_covered(counts, ratio, min(AT_ONCE, runs - i), seed + i, level) for i in range(0, runs, AT_ONCE)]
    plain, full, zero = (np.concatenate(part) for part in zip(*parts, strict=True))
    per_set = full.mean(-1)
    at = (plain[zero].mean(), full[zero].mean()) if zero.any() else (np.nan, np.nan)
    return Coverage(plain.mean(), per_set.mean(), per_set.std() / np.sqrt(runs), zero.mean(), *at)


def _covered(
    counts: np.ndarray, ratio: float, runs: int, seed: int, level: float
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    rng = np.random.default_rng(seed)
    shape = (runs, len(counts))
    truth = ratio * rng.standard_normal(shape)
    means = truth + rng.standard_normal(shape) / np.sqrt(counts)
    squares = np.where(counts > 1, rng.chisquare(np.maximum(counts - 1, 1), shape), 0.0)
    n = np.broadcast_to(counts, shape)
    components = reucb.variance_components(n, means, squares, method="reml")
    fit = reucb.blup(n, means, components=components)
    known = reucb.blup(n, means, sigma0_sq=components.sigma0_sq, sigma_sq=components.sigma_sq[:, None])
    bounds = [known.interval(level), fit.interval(level)]
    plain, full = ((low <= truth) & (truth <= high) for low, high in bounds)
    return plain, full, components.sigma0_sq == 0


def rows(runs: int, seed: int) -> Iterator[tuple[str, int, float, Coverage]]:
    """One row per design, number of arms and ratio."""
    for name, pattern in DESIGNS.items():
        for n_arms in ARMS:
            counts = np.resize(pattern if n_arms > 3 else pattern[-n_arms:], n_arms)
            for ratio in RATIOS:
                yield name, n_arms, ratio, coverage(counts, ratio, max(runs * 8 // max(n_arms, 8), 250), seed)


def main() -> None:
    """Print the table as Markdown, row by row."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.interval_coverage", description=__doc__)
    parser.add_argument("--runs", type=int, default=4000, help="data sets up to 8 arms; fewer for more arms")
    parser.add_argument("--seed", type=int, default=0)
    chosen = parser.parse_args()
    print(
        "| counts | K | sigma0/sigma | mu ± 1.96 sqrt(mse) | `fit.interval` | ± | estimate 0 | "
        "there: mu ± 1.96 sqrt(mse) | there: `fit.interval` |"
    )
    print("|---|---:|---:|---:|---:|---:|---:|---:|---:|")
    for name, n_arms, ratio, c in rows(chosen.runs, chosen.seed):
        there = ("-", "-") if c.boundary < 0.02 else (f"{c.plain_there:.3f}", f"{c.full_there:.3f}")
        print(
            f"| {name} | {n_arms} | {ratio:g} | {c.plain:.3f} | {c.full:.3f} | {c.stderr:.3f} | {c.boundary:.0%} | "
            f"{there[0]} | {there[1]} |",
            flush=True,
        )


if __name__ == "__main__":
    main()
