"""Appendix D: estimators of the variances, their consistency, adaptive counts, and plugging them in."""

from collections.abc import Iterator
from fractions import Fraction
from itertools import product

import numpy as np
import pytest

import reucb
from tests.theory.harness.exactly import exact
from tests.theory.harness.families import Family, Sides
from tests.theory.harness.plays import LAWS, RARE, RULES, SIGN, SKEW, Law, Rule, fitted, outcomes, variance
from theory.ledger import Entry
from theory.model import examples
from theory.model.squared_deviations import centred_square

# Appendix D: expectations of the variance estimates by exact enumeration, with the core's own estimators.


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


# Consistency of the variance estimates: the exact second moments of their sums of squares, by enumeration.


def mean_square(offsets: Law, noise: Law, counts: tuple[int, int], between: bool) -> Sides:
    """Mean of sum n_k u_k^2, or of Eq. variance1, over all outcomes; and what the two variances alone make of it."""
    size, total = sum(counts), Fraction(0)
    for p, (first, second, *e) in outcomes(offsets, offsets, *[noise] * size):
        arms = [first + x for x in e[: counts[0]]], [second + x for x in e[counts[0] :]]
        means, overall = [Fraction(sum(a), len(a)) for a in arms], Fraction(sum(map(sum, arms)), size)
        squares = (
            (c * (m - overall) ** 2 for c, m in zip(counts, means, strict=True))
            if between
            else ((x - m) ** 2 / (size - 2) for a, m in zip(arms, means, strict=True) for x in a)
        )
        total += p * sum(squares, Fraction(0))
    n_star = size - Fraction(sum(c * c for c in counts), size)
    return total, n_star * variance(offsets) + variance(noise) if between else variance(noise)


TWO_MOMENTS = Family(((SIGN, RARE, SKEW), (SIGN, SKEW), ((2, 1), (1, 2)), (False, True)), mean_square)
FAMILIES = {"sec:estimation-3/distribution-free": TWO_MOMENTS}

LAW = ((Fraction(-1), Fraction(2, 3)), (Fraction(2), Fraction(1, 3)))  # mean 0, variance 2, fourth moment 6


@pytest.mark.parametrize("size", [1, 2, 3, 4])
def test_second_moment_of_a_sum_of_squares(size: int) -> None:
    total = Fraction(0)
    for draws in product(LAW, repeat=size):
        values, chance = [x for x, _ in draws], np.prod([p for _, p in draws])
        mean = sum(values, Fraction(0)) / size
        total += chance * sum((x - mean) ** 2 for x in values) ** 2
    assert centred_square(exact(size), exact(2), exact(6)) == exact(total)


@pytest.mark.parametrize("counts", [(2, 1), (2, 2), (3, 1)])
def test_noise_estimate_is_within_its_rate(counts: tuple[int, ...]) -> None:
    """sec:estimation-3/noise-consistent: Var <= kappa/(N-K), over all outcomes and with the core's own estimate."""
    owner, size = np.repeat(np.arange(len(counts)), counts), sum(counts)
    mean = second = 0.0
    for draws in product(LAW, repeat=size):
        noise, chance = np.array([float(x) for x, _ in draws]), float(np.prod([p for _, p in draws]))
        arms = [noise[owner == k] for k in range(len(counts))]
        estimate = float(
            reucb.variance_components(
                counts, [a.mean() for a in arms], [float(a.var() * a.size) for a in arms]
            ).sigma_sq
        )
        mean, second = mean + chance * estimate, second + chance * estimate**2
    assert mean == pytest.approx(2.0, rel=1e-12)
    assert second - mean**2 <= 6 / (size - len(counts)) * (1 + 1e-12)


# Appendix D under adaptive pulls: the ledger's plays again, with the core's own estimators.


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


FAMILIES |= {
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
    assert examples.estimate_of_noise() == Fraction(shown["left"])


# Appendix D with estimated weights: the ledger's design again, with the core's own estimators.


def plug_in(offsets: Law, noise: Law, counts: tuple[int, ...]) -> Sides:
    """Mean squared error of arm 1's prediction with the printed estimates as variances, and the mean of its tau^2."""
    error = width = Fraction(0)
    size, owner = sum(counts), [k for k, c in enumerate(counts) for _ in range(c)]
    for p, drawn in outcomes(*[offsets] * len(counts), *[noise] * size):
        rewards = [drawn[k] + e for k, e in zip(owner, drawn[len(counts) :], strict=True)]
        arms = [[r for r, k in zip(rewards, owner, strict=True) if k == arm] for arm in range(len(counts))]
        means, overall = [Fraction(sum(a), len(a)) for a in arms], Fraction(sum(rewards), size)
        within = sum((Fraction(r) - means[k]) ** 2 for r, k in zip(rewards, owner, strict=True))
        between = sum(c * (m - overall) ** 2 for c, m in zip(counts, means, strict=True))
        s, s0 = within / (size - len(counts)), between / (size - Fraction(sum(c * c for c in counts), size))
        if s and s0:
            fit = fitted(counts, means, [s], s0)
            found, tau = fit.mu[0], fit.mse[0]
        else:  # limits: without noise the sample mean, without spread the mean of all rewards
            found, tau = (overall, s / size) if s else (means[0], Fraction(0))
        error, width = error + p * (found - drawn[0]) ** 2, width + p * tau
    return error, width


PLUG_IN = Family((LAWS[:3], LAWS[:3], ((2, 1), (1, 2), (2, 2))), plug_in, (SIGN, SIGN, (2, 1)))
FAMILIES |= {"sec:estimation-3/plug-in": PLUG_IN}


def test_plug_in_with_the_core() -> None:
    """sec:estimation-3/plug-in: the same design through variance_components and blup, as ReUCB uses them."""
    errors, widths = [], []
    for first, second, *noise in product((-1.0, 1.0), repeat=5):
        rewards = np.array([first + noise[0], first + noise[1], second + noise[2]])
        means = np.array([rewards[:2].mean(), rewards[2]])
        vc = reucb.variance_components([2, 1], means, [float(np.var(rewards[:2]) * 2), 0.0], method="moments")
        fit = reucb.blup([2, 1], means, sigma0_sq=vc.sigma0_sq, sigma_sq=vc.sigma_sq)
        errors.append((fit.mu[0] - first) ** 2)
        widths.append(fit.mse[0])
    error, width = examples.plug_in()
    assert np.mean(errors) == pytest.approx(float(error), rel=1e-12)
    assert np.mean(widths) == pytest.approx(float(width), rel=1e-12)
