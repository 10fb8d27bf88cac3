"""Appendix D under adaptive pulls: the ledger's plays again, with the core's own estimators."""

from collections.abc import Iterator
from fractions import Fraction
from itertools import product

import numpy as np
import pytest

import reucb
from tests.theory.harness.families import Family, Sides
from tests.theory.harness.plays import LAWS, RULES, SIGN, SKEW, Law, Rule, outcomes, variance
from theory.ledger import Entry
from theory.paper.appendix_d import adaptive as d_adaptive


def four_pulls(noise: Law, rule: Rule) -> Iterator[tuple[Fraction, list[list[int]]]]:
    """Arms 1, 2, 1, then arm 1 if the rule says so of its two rewards, else arm 2; the arm means are 0."""
    for p, (a, b, c, d) in outcomes(*[noise] * 4):
        yield p, [[a, c, d], [b]] if rule(a, c) else [[a, c], [b, d]]


def noise_estimate(noise: Law, rule: Rule) -> Sides:
    """Mean of Eq. variance1, by differences of pairs, and the variance."""
    total = Fraction(0)
    for p, arms in four_pulls(noise, rule):
        pairs = (Fraction((x - y) ** 2, len(a)) for a in arms for i, x in enumerate(a) for y in a[:i])
        total += p * sum(pairs, Fraction(0)) / 2
    return total, variance(noise)


def wald_squares(noise: Law, rule: Rule, arm: int) -> Sides:
    """Mean sum of squares about the true mean, and the variance times the mean count."""
    plays = list(four_pulls(noise, rule))
    squares = sum((p * sum(x * x for x in arms[arm]) for p, arms in plays), Fraction(0))
    return squares, variance(noise) * sum((p * len(arms[arm]) for p, arms in plays), Fraction(0))


def one_or_two(noise: Law, rule: Rule) -> list[tuple[Fraction, tuple[int, ...]]]:
    """One pull, and a second if the rule says so of its reward."""
    return [(p, (a, b) if rule(a) else (a,)) for p, (a, b) in outcomes(noise, noise)]


def sample_mean(noise: Law, rule: Rule) -> Sides:
    return sum((p * Fraction(sum(r), len(r)) for p, r in one_or_two(noise, rule)), Fraction(0)), Fraction(0)


def wald_sum(noise: Law, rule: Rule, power: int) -> Sides:
    """Mean of the sum of noise, or of its square, against 0, or the variance times the mean count."""
    plays = one_or_two(noise, rule)
    total = sum((p * sum(r) ** power for p, r in plays), Fraction(0))
    pulls = sum((p * len(r) for p, r in plays), Fraction(0))
    return total, Fraction(0) if power == 1 else variance(noise) * pulls


FAMILIES = {
    "variance1/adaptive": Family((LAWS, RULES), noise_estimate, (SKEW, Rule((1, -1), "!=", 0))),
    "variance1/adaptive/repaired": Family((LAWS, RULES, (0, 1)), wald_squares),
    "sec:estimation-3/sample-mean": Family((LAWS, RULES), sample_mean, (SIGN, Rule((1, 0), "=", -1))),
    "sec:estimation-3/sample-mean/repaired": Family((LAWS, RULES, (1, 2)), wald_sum),
}


def test_adaptive_play_with_the_core(ledger: dict[str, Entry]) -> None:
    """variance1/adaptive, the same play through reucb.variance_components."""
    total = 0.0
    for noise in product((-1.0, 2.0), repeat=4):
        arms = [[noise[0], noise[2]], [noise[1]]]
        arms[0 if noise[0] != noise[2] else 1].append(noise[3])
        squares = [float(np.var(a) * len(a)) for a in arms]
        counts, means = [len(a) for a in arms], [float(np.mean(a)) for a in arms]
        estimate = reucb.variance_components(counts, means, squares).sigma_sq
        total += float(estimate) * 2.0 ** noise.count(-1.0) / 81
    shown = ledger["variance1/adaptive"].finding.counterexample
    assert shown is not None
    assert total == pytest.approx(float(Fraction(shown["left"])), rel=1e-12)
    assert d_adaptive._play(estimate=True) == Fraction(shown["left"])
