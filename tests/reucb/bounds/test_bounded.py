"""`bounds.bounded`: its terms, refinement, edges, refusals, progress, and its envelopes against slow references."""

from __future__ import annotations

import math
from fractions import Fraction
from functools import cache

import numpy as np
import pytest
import scipy.integrate
import scipy.special
import scipy.stats

from reucb import bounds
from reucb.bounds.bounded import lines
from reucb.bounds.bounded.layers import after_start
from reucb.bounds.bounded.lines import Family
from reucb.bounds.bounded.setting import (
    BoundedSetting,
    Prior,
    checked_prior,
    likelihood,
    mesh,
    posterior_means,
    posterior_weights,
)

# `bounds.bounded`: its terms, refinement, edges, refusals, progress.

UNIFORM = scipy.stats.uniform()
SMALL = {"n_arms": 3, "horizon": 30, "sigma0_sq": 1 / 12, "sigma_sq": 0.25, "a": 1.0}


def test_terms_add_up_and_the_bound_is_their_sum():
    terms = bounds.bounded_terms(UNIFORM, **SMALL)
    assert list(terms) == ["initial", "good", "bad", "capped", "total"]
    assert sum(list(terms.values())[:-1]) == pytest.approx(terms["total"], rel=1e-14)
    assert all(term >= 0 for term in terms.values())
    assert bounds.bounded(UNIFORM, **SMALL) == terms["total"]


def test_merged_cells_of_the_best_mean_give_a_larger_bound():
    setting = BoundedSetting(5, 100, 1 / 12, 0.25, 1.0, True)
    found = [sum(after_start(Prior(UNIFORM), setting, lambda *_: None, cells).values()) for cells in (4, 2, 1)]
    assert found == sorted(found)
    assert found[-1] > 1.05 * found[0]


def test_the_first_rounds_are_exact():
    """Rounds 1..K cost K (E mu_* - E mu), for the uniform law K/(K + 1) - 1/2 each; from above, by at most 1e-4."""
    for arms in (2, 7, 40):
        gain = arms / (arms + 1) - 0.5
        assert gain <= checked_prior(UNIFORM).gain(arms) < gain + 1e-4
    value = bounds.bounded(UNIFORM, **{**SMALL, "n_arms": 7, "horizon": 4})
    assert 4 * (7 / 8 - 0.5) <= value < 4 * (7 / 8 - 0.5) + 1e-3
    assert bounds.bounded(UNIFORM, **{**SMALL, "n_arms": 1}) < 1e-2


@pytest.mark.parametrize(
    ("prior", "changed"),
    [
        (UNIFORM, {"n_arms": 2, "horizon": 3}),
        (UNIFORM, {"n_arms": 29}),
        (UNIFORM, {"sigma0_sq": 1e-9}),
        (UNIFORM, {"sigma0_sq": 1e6}),
        (UNIFORM, {"sigma_sq": 1e-6, "a": 1e-3}),
        (UNIFORM, {"a": 1e4}),
        (scipy.stats.uniform(0.3, 1e-7), {}),
        (scipy.stats.uniform(1 - 1e-3, 1e-3), {}),
        (scipy.stats.beta(60, 0.5), {}),
        (scipy.stats.beta(0.2, 3), {}),
        (scipy.stats.triang(0.3, 0.1, 0.5), {"rewards": "any"}),
        (scipy.stats.rv_histogram(([3.0, 0.0, 7.0], [0.1, 0.2, 0.5, 0.6]), density=True)(), {}),
    ],
    ids=lambda value: str(value) if isinstance(value, dict) else value.dist.name,
)
def test_extreme_settings_are_finite_and_below_the_range(prior, changed):
    low, high = prior.support()
    point = {**SMALL, **changed}
    value = bounds.bounded(prior, **point)
    best = high - scipy.integrate.quad(lambda x: prior.cdf(x) ** point["n_arms"], low, high)[0]
    assert math.isfinite(value)
    assert 0 < value <= point["horizon"] * (best - low) * 1.01 + 1e-9


def test_a_repaired_theorem_that_is_smaller_is_used():
    """sigma0_sq >= range^2/4 and sigma_sq >= 1/4 make it applicable; here it is below the terms of Theorem B."""
    point = {**SMALL, "n_arms": 2, "horizon": 3, "sigma0_sq": 0.3, "a": 1e-3}
    known = bounds.theorem2_repaired(**point)
    terms = bounds.bounded_terms(UNIFORM, **point)["total"]
    assert bounds.bounded(UNIFORM, **point) == min(known, terms)


@pytest.mark.parametrize(
    ("prior", "kind", "message"),
    [
        (scipy.stats.norm(0.5, 0.01), ValueError, r"prior has support \[-inf, inf\]: must lie within \[0, 1\]"),
        (scipy.stats.uniform(0.5, 0.6), ValueError, r"prior has support \[0.5, 1.1\]: must lie within"),
        (scipy.stats.uniform, TypeError, "prior = .*: must be frozen"),
        (scipy.stats.randint(0, 2), TypeError, "prior = .*: must be a frozen continuous"),
        ([0.1, 0.2], TypeError, r"prior = \[0.1, 0.2\]: must be a frozen continuous"),
        (scipy.stats.uniform([0, 0.1], 0.5), ValueError, r"prior has a support of shape \(2,\): must be one"),
    ],
)
def test_priors_out_of_reach_are_refused(prior, kind, message):
    with pytest.raises(kind, match=message):
        bounds.bounded(prior, **SMALL)


def test_a_prior_with_an_atom_is_refused():
    class Half(scipy.stats.rv_continuous):
        """0.3 with probability 1/2, else uniform on [0, 1]."""

        def _cdf(self, x):
            return 0.5 * x + 0.5 * (x >= 0.3)

        def _ppf(self, q):
            return (2 * q) * (q < 0.15) + 0.3 * ((q >= 0.15) & (q < 0.65)) + (2 * q - 1) * (q >= 0.65)

    with pytest.raises(ValueError, match=r"prior jumps at 0\.3: must have a continuous distribution function"):
        bounds.bounded(Half(a=0, b=1)(), **SMALL)


@pytest.mark.parametrize(
    ("argument", "bad", "kind", "message"),
    [
        ("n_arms", 0, ValueError, "n_arms = 0: must be an integer >= 1"),
        ("horizon", 2.0, TypeError, "horizon = 2.0: must be an integer"),
        ("sigma0_sq", 0.0, ValueError, "sigma0_sq = 0.0: must be a finite number > 0"),
        ("sigma_sq", float("nan"), ValueError, "sigma_sq = nan"),
        ("a", -1.0, ValueError, "a = -1.0: must be"),
        ("rewards", "gaussian", ValueError, "rewards = 'gaussian': must be one of 'bernoulli', 'any'"),
        ("progress", "yes", TypeError, "progress = 'yes': must be None, True, False"),
    ],
)
def test_bad_numbers_are_refused_by_name(argument, bad, kind, message):
    with pytest.raises(kind, match=message):
        bounds.bounded(UNIFORM, **{**SMALL, argument: bad})


def test_progress_counts_cells_and_is_silent_otherwise(capfd):
    seen = []
    bounds.bounded(UNIFORM, **SMALL, progress=lambda done, total: seen.append((done, total)))
    bounds.bounded(UNIFORM, **SMALL)
    cells = len(seen)
    assert cells > 1
    assert seen == [(i, cells) for i in range(1, cells + 1)]
    assert capfd.readouterr() == ("", "")
    bounds.bounded(UNIFORM, **SMALL, progress=True)
    assert f"{cells}/{cells} cells  100 %" in capfd.readouterr().err


# Parts of the bound for rewards in [0, 1], against slow references: posterior means, envelopes, Lemma 1's lines.

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
    """With few pulls followed, H and the posterior of mu bound the rest; more pulls followed give less."""
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
    setting = BoundedSetting(5, 305, 1 / 12, 0.25, 1.0, binary)
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
        Family(BoundedSetting(5, 100, 1 / 12, 0.25, 1.0, binary), prior, mesh(prior, marks)).above(0.8)
        for binary in (False, True)
    )
    assert (known.log_g >= own.log_g - 1e-9).all()
