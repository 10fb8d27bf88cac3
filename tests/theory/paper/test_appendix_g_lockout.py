"""Appendix G: the best arm locked out, and Theorem 5 for long horizons."""

from fractions import Fraction
from itertools import product
from math import comb

import pytest
import sympy as sp
from flint import arb, fmpz
from hypothesis import assume, given
from hypothesis import strategies as st

from reucb import ReUCB
from tests.hypothesis_examples import examples
from tests.theory.harness.families import Family, Sides, number
from tests.theory.harness.plays import fitted
from theory.kernel.named import valued
from theory.paper.appendix_g import lock_noise

RATIOS = st.builds(Fraction, st.integers(1, 40), st.integers(1, 40))


def indices(counts, means, rho, a, t):
    """U of every arm before round t with sigma = 1, by exact predictions and Arb roots."""
    fit = fitted(counts, means, [Fraction(1)], 1 / rho)
    return [number(mu) + (number(a * v) * arb(t).log()).sqrt() for mu, v in zip(fit.mu, fit.mse, strict=True)]


def locked(s, depth, rho, a, n):
    """Whether (d w_H)^2 s > a log n, sigma = 1."""
    return number((depth * Fraction(s) / (s + rho)) ** 2 * s) > number(a) * arb(n).log()


@examples(150)
@given(
    st.integers(1, 60),
    st.lists(st.tuples(st.integers(1, 200), RATIOS), min_size=1, max_size=4),
    RATIOS,
    RATIOS,
    RATIOS,
    st.integers(3, 10**9),
)
def test_a_locked_arm_is_below_the_best_of_the_others(s, others, depth, rho, a, t):
    """Counts, averages and variances drawn at will: predictions come from linear algebra, not from weights."""
    assume(locked(s, depth, rho, a, t))
    means = [Fraction(0), *(depth * (1 + above) for _, above in others)]
    found = indices([s, *(count for count, _ in others)], means, rho, a, t)
    best = 1 + max(range(len(others)), key=lambda i: others[i][1])
    assert found[best] > found[0]


def test_without_the_condition_it_may_be_pulled():
    found = indices([1, 1], [Fraction(0), Fraction(1, 2)], Fraction(1), Fraction(1), 3)
    assert not locked(1, Fraction(1, 2), Fraction(1), Fraction(1), 3)
    assert found[0] < found[1]  # equal counts: the larger average wins anyway
    found = indices([1, 9], [Fraction(0), Fraction(1, 2)], Fraction(1), Fraction(1), 11)
    assert found[0] > found[1]


def played(high, signs, advantage, rho, a, n, arms=2):
    """How often the only high arm is pulled in n rounds, its noises being these signs, sigma = 1."""
    counts, sums, used = [0] * arms, [Fraction(0)] * arms, 0
    for t in range(1, n + 1):
        if t <= arms:
            arm = t - 1
        else:
            values = indices(counts, [x / c for x, c in zip(sums, counts, strict=True)], rho, a, t)
            arm = max(range(arms), key=lambda k: values[k].mid())
        counts[arm] += 1
        if arm == high:
            sums[arm] += advantage + signs[used]
            used += 1
    return counts[high]


def least_regret(arms, n, s, z, advantage):
    """K 2^-K (n-s) D P(S_s <= -z)."""
    chance = Fraction(sum(comb(s, ups) for ups in range((s - z) // 2 + 1)), 2**s)
    return Fraction(arms, 2**arms) * (n - s) * advantage * chance


@pytest.mark.parametrize(("s", "z", "n"), [(3, 3, 7), (4, 4, 7)])
def test_the_regret_listed_outcome_by_outcome(s, z, n):
    """All 2^n noises of the high arm, either arm high: R_n exactly, above the lower bound; two high or two low arms
    cost nothing."""
    rho, a, advantage = Fraction(1, 50), Fraction(7, 10), Fraction(1, 10)
    assert locked(s, Fraction(z, s) - advantage, rho, a, n)
    total = Fraction(0)
    for high, signs in product(range(2), product((-1, 1), repeat=n)):
        pulls = played(high, signs, advantage, rho, a, n)
        if sum(signs[:s]) <= -z:
            assert pulls <= s
        total += Fraction(1, 4) * Fraction(1, 2**n) * advantage * (n - pulls)
    assert total >= least_regret(2, n, s, z, advantage) > 0


@pytest.mark.parametrize("high", [0, 1, 2])
def test_the_code_locks_the_arm_out(high):
    """ReUCB of the package, three arms, 3000 rounds: s = 8 bad rewards, then only good ones, which it never sees."""
    rho, a, advantage, s, n = Fraction(1, 50), Fraction(7, 10), Fraction(1, 20), 8, 3000
    assert locked(s, 1 - advantage, rho, a, n)
    agent = ReUCB(a=float(a), sigma_sq=1.0, sigma0_sq=float(1 / rho)).start(3)
    pulls = 0
    for _ in range(n):
        arm = agent.select()
        pulls += arm == high
        agent.update(arm, 0.0 if arm != high else float(advantage) + (-1.0 if pulls <= s else 1.0))
    assert 1 <= pulls <= s


@pytest.mark.parametrize("eta", [Fraction(1, 2), Fraction(1, 5), Fraction(1, 20)])
def test_an_average_that_never_falls_far(eta):
    """P(S_i >= -eta i for all i <= 400), counted path by path, is above the proved 2^-(r+1), r = ceil(1/(2 eta))."""
    paths, steps = {0: 1}, 400
    for i in range(1, steps + 1):
        lowest = -(eta.numerator * i // eta.denominator)
        after: dict[int, int] = {}
        for at, count in paths.items():
            for to in (at - 1, at + 1):
                if to >= lowest:
                    after[to] = after.get(to, 0) + count
        paths = after
    r = -(-eta.denominator // (2 * eta.numerator))
    proved = valued(lock_noise.never_far_below().concludes.rel.right.xreplace({lock_noise.r: sp.Integer(r)}))
    assert proved == sp.Rational(1, 2 ** (r + 1))
    assert Fraction(sum(paths.values()), 2**steps) > Fraction(int(proved.p), int(proved.q))


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
