from math import erfc, exp, log, pi, sqrt

import numpy as np
import pytest

from theory.paper.section5 import two_arms as two


@pytest.mark.parametrize(("part", "spread"), [(1, 44), (2, 25)])
def test_the_tails_of_round_two_against_simulation(part, spread):
    """One reward of two arms, sigma = 1. Seeded; a false alarm beyond 5 standard errors has probability 6e-7, and the
    union bound, a quarter or a sixth larger, is 80 of them away."""
    rng, runs, at = np.random.default_rng(spread), 1_000_000, {two.s: 1, two.s0: spread}
    noise, offsets = rng.standard_normal(runs), sqrt(spread) * rng.standard_normal((2, runs))
    errors = noise, noise + offsets[0] - offsets[1]
    width = sqrt(part * log(2))
    failing = (errors[0] > width) | (errors[1] > width * float(two.OWN.subs(at)))
    exact = float(two.round_two(part).subs(at))
    more = sqrt(spread / pi) * erfc(width / sqrt(2)) / 2  # what the larger of the two errors has beyond the second
    for values, expected in ((errors[1] * failing, exact), (np.maximum(*errors) * failing, exact + more)):
        assert abs(values.mean() - expected) < 5 * values.std() / sqrt(runs)


@pytest.mark.parametrize("r", [0.05, 0.5, 0.95])
def test_two_arms_against_quadrature(r):
    """The closed form against the sum over 20001 values of the other error: smooth, so exact to many digits."""
    L, q = 1.1, sqrt(1 - r * r)

    def below(x):
        return np.vectorize(erfc)(-x / sqrt(2)) / 2

    x = np.linspace(-12, L, 20_001)
    z = (L - r * x) / q
    kept = (r * x * below(z) - q * np.exp(-(z**2) / 2) / sqrt(2 * pi)) * np.exp(-(x**2) / 2) / sqrt(2 * pi)
    step = x[1] - x[0]
    weights = np.ones_like(x)
    weights[1:-1:2], weights[2:-1:2] = 4, 2  # Simpson's rule
    closed = (1 + r) * exp(-L * L / 2) / sqrt(2 * pi) * float(below(L * sqrt((1 - r) / (1 + r))))
    assert abs(-step / 3 * (kept * weights).sum() - closed) < 1e-10
