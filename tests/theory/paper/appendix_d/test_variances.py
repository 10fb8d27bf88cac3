"""Appendix D: expectations of the variance estimates by exact enumeration, with the core's own estimators."""

from itertools import product

import numpy as np
import pytest

import reucb

DESIGNS = [(2, 1), (2, 2), (3, 1), (2, 1, 1)]


def averages(counts: tuple[int, ...], method: str) -> tuple[float, float]:
    """Averages of (sigma0_sq before truncation, sigma_sq) over all +-1 offsets and +-1 noise."""
    owner = np.repeat(np.arange(len(counts)), counts)
    signs = np.array(list(product((-1.0, 1.0), repeat=len(counts) + owner.size)))
    rewards = signs[:, : len(counts)][:, owner] + signs[:, len(counts) :]
    pick = owner == np.arange(len(counts))[:, None]
    means = rewards @ pick.T / counts
    squares = (rewards**2) @ pick.T - np.array(counts) * means**2
    vc = reucb.variance_components(np.broadcast_to(counts, means.shape), means, np.abs(squares), method=method)
    return float(np.mean(vc.untruncated)), float(np.mean(vc.sigma_sq))


@pytest.mark.parametrize("counts", DESIGNS)
def test_expectations(counts: tuple[int, ...]) -> None:
    """variance1 is unbiased; variance2 is off by (K-1) sigma^2/n_*; the repaired estimate is not."""
    size = sum(counts)
    n_star = size - sum(c * c for c in counts) / size
    spread, noise = averages(counts, "moments")
    assert noise == pytest.approx(1.0, rel=1e-12)
    assert spread == pytest.approx(1.0 + (len(counts) - 1) / n_star, rel=1e-12)
    assert averages(counts, "anova")[0] == pytest.approx(1.0, rel=1e-12)


def test_undefined_where_the_ledger_says() -> None:
    """variance1/defined and variance2/n-star: the core refuses rather than divide by 0."""
    with pytest.raises(ValueError, match="counts"):
        reucb.variance_components([1, 1], [0.0, 1.0], [0.0, 0.0], method="moments")
    with pytest.raises(ValueError, match="counts"):
        reucb.variance_components([3], [0.0], [1.0], method="moments")
