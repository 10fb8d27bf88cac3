from fractions import Fraction
from itertools import product
from math import comb, prod

import pytest
from flint import arb
from hypothesis import assume, given
from hypothesis import strategies as st

from reucb import ReUCB
from tests.hypothesis_examples import examples
from tests.theory.harness.families import number
from tests.theory.harness.plays import fitted

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
    """P(S_i >= -eta i for all i <= 400), counted path by path, is above 2^-(r+1), r = ceil(1/(2 eta))."""
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
    assert Fraction(sum(paths.values()), 2**steps) > Fraction(1, 2 ** (r + 1))


def test_the_chance_of_one_high_arm():
    for arms in range(2, 9):
        one = [bits for bits in product((0, 1), repeat=arms) if sum(bits) == 1]
        assert sum(prod(Fraction(1, 2) for _ in bits) for bits in one) == Fraction(arms, 2**arms)
