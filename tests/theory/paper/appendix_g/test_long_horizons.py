from fractions import Fraction

import pytest
from flint import arb, fmpz

from tests.theory.harness.families import Family, Sides, number

ROOT, ADVANTAGE = Fraction(1, 80), Fraction(1, 360)  # sqrt(rho/K), D/sigma; sigma_0^2 = 1/8, so sigma = 1/160


def ways(rewards: int, most: int) -> Fraction:
    """P(at most `most` of the signs are +1)."""
    return Fraction(int(sum((fmpz.bin_uiui(rewards, i) for i in range(most + 1)), fmpz(0))), 2**rewards)


def lock(power: int, rewards: int, excess: int, a: Fraction) -> Sides | None:
    """The regret of the lock-out and the printed bound, n = 10^power rounds; None where there is no lock or a < m."""
    rho, rounds, log = 2 * ROOT**2, 10**power, arb(10).log() * power
    weight = Fraction(rewards) / (rewards + rho)
    room = number(((Fraction(excess, rewards) - ADVANTAGE) * weight) ** 2 * rewards)
    if excess > rewards or not room > number(a) * log or a < (1 + ROOT) ** 2 / (1 + 1 / (2 * (1 + rho))):
        return None
    lost = Fraction(1, 2) * (rounds - rewards) * ADVANTAGE / 160 * ways(rewards, (rewards - excess) // 2)
    beta, noise = 1 + rho / 2, rho / 8
    ratio = number(1 + rounds / rho).log() / number(1 + 1 / rho).log()
    leading = 2 * number(beta) * (number(a * rounds / 4) * ratio * log).sqrt()
    tail = number(2 + rho) * (number(rounds * noise / (Fraction(1, 8) + noise)) / arb.pi()).sqrt()
    return lost, leading + tail


LOCK = Family(
    ((20, 40, 60, 80), (400, 1200), (200, 344, 400), (Fraction(7, 10), Fraction(4, 5))),
    lock,
    (60, 1200, 344, Fraction(7, 10)),
    bound=True,
)
FAMILIES = {"them-R-Bayes-SubR/long-horizons": LOCK}


def test_the_probability_is_at_least_its_bound():
    """Every h up to 60 and j < h, by integers."""
    for h in range(2, 61):
        for j in range(1, h):
            exact = Fraction(int(fmpz.bin_uiui(2 * h, h - j)), 4**h)
            exponent = Fraction(j * j, h) / (1 - Fraction(j, h) ** 2)
            assert number(exact) >= (-number(exponent)).exp() / (2 * arb(h).sqrt())


@pytest.mark.parametrize(("a", "power"), [(Fraction(7, 10), 3000), (Fraction(9, 10), 60000)])
def test_the_rate(a, power):
    """The steps of the rate put together at one n: the lock holds at the least j, the chance is n^(-b/2) but for
    constants, and at K = 2, rho = 1/3200 the lower bound is above the printed one although a is not the least."""
    q = int(Fraction(5) / (1 - a)) + 4
    theta, log = Fraction(1, q), arb(10).log() * power
    j = int((number(a * q / (2 * (1 - theta) ** 4)) * log).floor().unique_fmpz()) + 1
    rho, s = 2 * ROOT**2, 2 * q * j
    weight = Fraction(s) / (s + rho)
    assert number((theta * (1 - theta) * weight) ** 2 * s) > number(a) * log
    chance = -number(Fraction(j, q) / (1 - theta**2)) - (4 * q * arb(j)).log() / 2  # its logarithm, h = qj
    b = a / (1 - 5 * theta)
    assert b < 1
    assert chance >= -number(b / 2) * log - number(theta / (1 - theta**2)) - (4 * q * arb(j)).log() / 2
    lost = chance + log + (number(theta**2) / 2 / 160).log()
    ratio = (log + number(1 / rho + 1).log()) / number(1 + 1 / rho).log()
    printed = (4 * (number(a / 4) * ratio * log).sqrt() + 1).log() + log / 2
    assert lost > printed
