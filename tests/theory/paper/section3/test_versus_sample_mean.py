"""The Proposition against the ledger's verdict and against the core."""

import reucb


def test_equality_of_the_proposition() -> None:
    """compare-tauANDmab fails with one arm, and while only one arm is pulled."""
    assert reucb.blup([3], [1.0], sigma0_sq=1.0, sigma_sq=3.0).mse[0] == 1.0
    assert reucb.blup([3, 0], [1.0, 0.0], sigma0_sq=1.0, sigma_sq=3.0).mse[0] == 1.0
    assert reucb.blup([3, 1], [1.0, 0.0], sigma0_sq=1.0, sigma_sq=3.0).mse[0] < 1.0
