"""Thompson sampling in the random-effect model draws from the joint posterior of mu0 and the arms."""

from __future__ import annotations

import numpy as np
import pytest
import scipy.stats

from reucb.policies import ReTS

ROUNDS = 20_000
FIVE_ERRORS = 5 * 0.5 / ROUNDS**0.5  # at most: a false alarm has probability below 6e-7 per case


def chance(
    policy: ReTS, mu0_known: bool, counts: list[int], means: list[float], squares: list[float]
) -> tuple[float, ...]:
    """How often arm 0 of two is chosen; its posterior probability to be better; the same if mu0 were known."""
    agent = policy.start(counts=counts, means=means, sq_devs=squares, seed=1)
    fit = agent.fit()
    rest = 1.0 - fit.weights
    own = fit.sigma0_sq * rest.sum()
    both = own + (rest[0] - rest[1]) ** 2 * (0.0 if mu0_known else fit.mu0_mse)
    gap = fit.mu[0] - fit.mu[1]
    seen = float(np.mean([agent.select() == 0 for _ in range(ROUNDS)]))
    return seen, float(scipy.stats.norm.cdf(gap / both**0.5)), float(scipy.stats.norm.cdf(gap / own**0.5))


@pytest.mark.parametrize(
    ("policy", "counts", "squares"),
    [
        (ReTS(sigma0_sq=0.04, sigma_sq=0.25), [40, 0], [0.0, 0.0]),
        (ReTS(sigma0_sq=0.04, sigma_sq=0.25), [40, 1], [0.0, 0.0]),
        (ReTS(mu0=0.9, sigma0_sq=0.04, sigma_sq=0.25), [40, 1], [0.0, 0.0]),
        (ReTS(method="moments"), [6, 2], [1.5, 0.4]),
        (ReTS(method="reml"), [6, 2], [1.5, 0.4]),
    ],
    ids=["arm never pulled", "mu0 unknown", "mu0 known", "moments", "reml"],
)
def test_the_law_of_a_choice(policy: ReTS, counts: list[int], squares: list[float]) -> None:
    """Two arms: the difference of their draws is normal, so the probability of a choice is known.

    A choice with mu0 fixed at its estimate would differ by more than twice the tolerance in the case "mu0 unknown".
    """
    seen, expected, without = chance(policy, policy.mu0 is not None, counts, [1.3, 0.6], squares)
    assert abs(seen - expected) < FIVE_ERRORS
    if policy == ReTS(sigma0_sq=0.04, sigma_sq=0.25) and counts[1] == 1:
        assert abs(without - expected) > 2 * FIVE_ERRORS


def test_every_arm_once_first_where_variances_are_estimated() -> None:
    agent = ReTS().start(4, seed=0)
    for arm in range(4):
        assert agent.select() == arm
        agent.update(arm, 0.1 * arm)
    known = ReTS(sigma0_sq=1.0, sigma_sq=1.0).start(4, seed=0)
    assert known.select() == 0
    known.update(0, 100.0)
    assert {known.select() for _ in range(200)} == {0, 1, 2, 3}  # mu0 is about 100, arms never pulled vary about it


def test_refused() -> None:
    for arguments, message in (
        ({"sigma_sq": 1.0}, "estimates both variances"),
        ({"sigma0_sq": 0.0, "sigma_sq": 0.0}, "at least one must be > 0"),
        ({"method": "mle"}, "method = 'mle': must be one of"),
        ({"mu0": 1e200}, r"mu0 = 1e\+200: must be a number from"),
    ):
        with pytest.raises(ValueError, match=message):
            ReTS(**arguments)
