"""Parts of the bound for rewards in [0, 1], against slow references: posterior means, envelopes, Lemma 1's lines."""

from __future__ import annotations

import math
from fractions import Fraction
from functools import cache

import numpy as np
import pytest
import scipy.special
import scipy.stats

from reucb.bounds.bounded import lines
from reucb.bounds.bounded.lines import Family
from reucb.bounds.bounded.setting import (
    Prior,
    Setting,
    checked_prior,
    likelihood,
    mesh,
    posterior_means,
    posterior_weights,
)

CUT = Fraction(3, 5)


@cache
def moment(successes: int, failures: int) -> Fraction:
    """int_0^CUT x^s (1 - x)^f dx, exactly: the uniform prior cut at 3/5, up to its mass."""
    return sum(
        (Fraction(math.comb(failures, i) * (-1) ** i, successes + i + 1) * CUT ** (successes + i + 1))
        for i in range(failures + 1)
    ) + Fraction(0)


def exact_mean(successes: int, failures: int) -> Fraction:
    return moment(successes + 1, failures) / moment(successes, failures)


def stopping(lam: float, level: float, sign: int, rho: float, last: int, path: tuple[int, ...] = ()) -> float:
    """sup over stopping times 1 <= tau <= last of E exp(lam Z_tau), by the tree of all reward sequences."""
    j, s = len(path), sum(path)
    now = math.exp(lam * sign * (s - level * j) / (j + rho)) if j else -math.inf
    if j == last:
        return now
    p = float(exact_mean(s, j - s))
    more, less = (stopping(lam, level, sign, rho, last, (*path, reward)) for reward in (1, 0))
    return max(now, p * more + (1 - p) * less)


def uniform_arm(sign: int, pulls: int, cells: int = 512) -> lines.Arm:
    found = mesh(Prior(scipy.stats.uniform()), np.array([float(CUT)]), cells)
    cut = found.place(float(CUT))
    halves = [(pulls >> k) - 1 for k in range(pulls.bit_length())]
    means = [posterior_means(likelihood(found, n), cut, sign) for n in halves]
    return lines.Arm(sign, means, *posterior_weights(likelihood(found, pulls), cut, sign))


@pytest.mark.parametrize("pulls", [1, 6, 40])
def test_posterior_means_enclose_the_exact_ones(pulls):
    found = mesh(Prior(scipy.stats.uniform()), np.array([float(CUT)]))
    table, cut = likelihood(found, pulls), found.place(float(CUT))
    low, high = posterior_means(table, cut, -1), posterior_means(table, cut, 1)
    exact = np.array([float(exact_mean(s, pulls - s)) for s in range(pulls + 1)])
    assert (low <= exact).all()
    assert (exact <= high).all()
    assert (high - low).max() < 0.0045  # little more than two of the 512 cells
    assert (np.diff(low) >= 0).all()
    assert (np.diff(high) >= 0).all()


@pytest.mark.parametrize("sign", [1, -1])
def test_posterior_weights_are_above_the_exact_ones(sign):
    law = scipy.stats.beta(2, 3)
    found = mesh(Prior(law), np.array([0.6]))
    cut = found.place(0.6)
    weights, ends = posterior_weights(likelihood(found, 30), cut, sign)
    for s in (0, 7, 15, 28):
        at = scipy.special.betainc(2 + s, 3 + 30 - s, np.append(0.0, ends) if sign > 0 else np.append(ends, 0.6))
        exact = np.diff(at) / scipy.special.betainc(2 + s, 3 + 30 - s, 0.6)
        assert (weights[s] >= exact - 1e-12).all()
        assert weights[s].sum() < 1.2


@pytest.mark.parametrize(
    ("lam", "level", "sign", "rho"), [(2.0, 0.3, 1, 3.0), (6.0, 0.45, 1, 0.7), (5.0, 0.2, -1, 2.0)]
)
def test_envelope_is_just_above_all_stopping_rules(lam, level, sign, rho):
    exact = stopping(lam, level, sign, rho, 6)
    found = math.exp(lines.envelopes(uniform_arm(sign, 6), np.array([lam]), np.array([level]), rho, True)[0])
    assert exact <= found <= 1.01 * exact


@pytest.mark.parametrize(("lam", "level", "sign"), [(3.0, 0.45, 1), (3.0, 0.15, -1)])
def test_envelope_cut_early_is_above_one_that_follows_more_pulls(lam, level, sign):
    """With few pulls followed, H and the posterior of mu stand for the rest; more pulls followed give less."""
    values = [
        lines.envelopes(uniform_arm(sign, pulls), np.array([lam]), np.array([level]), 2.0, False)[0]
        for pulls in (4, 16, 64, 256)
    ]
    assert (np.diff(values) < 1e-6).all()
    to_the_end = lines.envelopes(uniform_arm(sign, 256), np.array([lam]), np.array([level]), 2.0, True)[0]
    assert to_the_end <= values[-1] < to_the_end + 0.1


@pytest.mark.parametrize("sign", [1, -1])
def test_coarser_cells_of_the_prior_give_larger_envelopes(sign):
    """512 cells are 64 cells cut further, so the bounds on posterior means get tighter."""
    arms = [uniform_arm(sign, 40, cells) for cells in (512, 64, 8)]
    values = [lines.envelopes(arm, np.array([4.0]), np.array([0.3]), 3.0, True)[0] for arm in arms]
    assert (np.diff(values) > 0).all()


def test_known_mean_against_the_recursion_in_counts():
    lam, level, rho, p, last = 3.0, 0.4, 2.0, 0.35, 7
    value = {(last, s): math.exp(lam * (s - level * last) / (last + rho)) for s in range(last + 1)}
    for j in range(last - 1, -1, -1):
        for s in range(j + 1):
            go = p * value[j + 1, s + 1] + (1 - p) * value[j + 1, s]
            value[j, s] = max(go, math.exp(lam * (s - level * j) / (j + rho))) if j else go
    found = lines.envelopes(lines.Arm.known(p, 1, last), np.array([lam]), np.array([level]), rho, True)[0]
    assert found == pytest.approx(math.log(value[0, 0]), abs=2e-9)
    assert found >= math.log(value[0, 0])


def test_noise_after_is_its_integral():
    x = np.linspace(0, 2, 400_001)
    direct = 1 + np.trapezoid(7.0 * np.exp(7.0 * x - 8 * x**2 * 12.5), x)
    assert lines.noise_after(np.array([7.0]), 10, 2.5)[0] == pytest.approx(direct, rel=1e-8)


@pytest.mark.parametrize("binary", [True, False])
def test_lines_hold_for_random_sampling(binary):
    """P(sum of w (rbar - level) > x in some round) <= tail, for arms pulled greedily to break it.

    4000 runs: a true probability 0.05 above the tail 0.2 is found with probability above 1 - 1e-9; a false alarm, at 6
    standard errors of 0.2, has probability below 1e-8.
    """
    setting = Setting(5, 305, 1 / 12, 0.25, 1.0, binary)
    prior = checked_prior(scipy.stats.uniform())
    family = Family(setting, prior, mesh(prior, np.array([0.8, 0.9])))
    lines = family.above(0.9)
    rng, runs, others = np.random.default_rng(3), 4000, 3
    means = np.column_stack([rng.uniform(0, 0.9, (runs, others)), np.full(runs, 0.9)])
    level = np.append(np.full(others, lines.levels[2]), 0.9)
    counts, sums = np.ones((runs, 4)), (rng.random((runs, 4)) < means).astype(float)
    broken = np.zeros(runs, dtype=bool)
    x = lines.x(2, 0.2)
    for _ in range(150):
        z = (sums - level * counts) / (counts + setting.rho)
        broken |= z.sum(axis=1) > x
        arm = np.argmin(np.where(rng.random((runs, 4)) < 0.5, z, np.inf), axis=1)  # arms with low means
        rows = np.arange(runs)
        counts[rows, arm] += 1
        sums[rows, arm] += rng.random(runs) < means[rows, arm]
    assert broken.mean() <= 0.2 + 6 * math.sqrt(0.16 / runs)
    assert broken.mean() > 0.01  # the line can be crossed


def test_any_law_needs_higher_lines_than_bernoulli():
    prior = checked_prior(scipy.stats.uniform())
    marks = np.array([0.8])
    known, own = (
        Family(Setting(5, 100, 1 / 12, 0.25, 1.0, binary), prior, mesh(prior, marks)).above(0.8)
        for binary in (False, True)
    )
    assert (known.log_g >= own.log_g - 1e-9).all()
