"""Binomial sums, walks and Lemmas 2 and 3 of the bound for rewards in [0, 1], and runs of ReUCB* below the bound."""

from __future__ import annotations

import itertools
import math
from dataclasses import replace

import numpy as np
import pytest
import scipy.stats
from hypothesis import given
from hypothesis import strategies as st

import reucb
from reucb.bounds.bounded import bad_rounds, good_rounds
from reucb.bounds.bounded.setting import EXACT, BoundedSetting, counts_up_to
from tests.hypothesis_examples import examples

# Parts of the bound for rewards in [0, 1], against slow references: binomial sums, walks, Lemmas 2 and 3.

SETTINGS = st.builds(
    BoundedSetting,
    n_arms=st.integers(2, 12),
    horizon=st.integers(40, 400),
    sigma0_sq=st.floats(0.002, 0.3),
    sigma_sq=st.floats(0.05, 1.0),
    a=st.floats(0.2, 6.0),
    binary=st.booleans(),
)
UNIT = st.floats(0.02, 0.98)


def boundaries(last: int, slope: float, root: float) -> np.ndarray:
    counts = np.arange(last + 1.0)
    return slope * counts - root * np.sqrt(counts)


@given(mu=UNIT, slope=UNIT, root=st.floats(0.0, 3.0))
@examples(40)
def test_binomial_tails_and_slopes(mu, slope, root):
    need = boundaries(120, slope, root)
    tail, rise = np.zeros((2, 121))
    last = good_rounds.binomial_tails(mu, need, tail, rise)
    for count in (*range(1, 12), 40, 77, 120):
        wanted = math.ceil(need[count])
        exact = scipy.stats.binom.sf(wanted - 1, count, mu)
        if count > last:
            assert exact < 1e-12
        else:
            assert exact <= tail[count] + 1e-15
            assert tail[count] == pytest.approx(exact, abs=3e-12)
            density = wanted / mu * scipy.stats.binom.pmf(wanted, count, mu) if wanted > 0 else 0.0
            assert rise[count] == pytest.approx(density, rel=1e-9, abs=1e-200)


def test_binomial_tails_where_no_success_is_too_rare_for_a_float():
    """(1 - mu)^N underflows long before the need is positive; ratios that start there would be wrong or 0/0."""
    need = boundaries(4000, 0.55, 25.0)
    tail, rise = np.zeros((2, 4001))
    assert 0.5**1400 == 0
    good_rounds.binomial_tails(0.5, need, tail, rise)
    for count in (2100, 2500, 3300, 4000):
        exact = scipy.stats.binom.sf(math.ceil(need[count]) - 1, count, 0.5)
        assert tail[count] == pytest.approx(exact, abs=1e-9)


@given(ends=st.tuples(UNIT, UNIT).filter(lambda pair: abs(pair[0] - pair[1]) > 0.005), slope=UNIT, at=st.floats(0, 1))
@examples(60)
def test_lines_are_above_the_sum_of_tails(ends, slope, at):
    """Exact tails below the lines of add_binomial, and these below the lines that hold for every law."""
    grid = np.array(sorted(ends))
    mu = grid[0] + at * (grid[1] - grid[0])
    counts, need = np.arange(61.0), boundaries(60, slope, 0.8)
    exact = scipy.stats.binom.sf(np.ceil(need[1:]) - 1, counts[1:], mu).sum()
    lines, loose = np.zeros((1, 2)), np.zeros((1, 2))
    good_rounds.add_binomial(grid, need, 1.0, np.empty((4, 61)), lines)
    good_rounds.add_chernoff(grid, counts, need, 1, 1.0, loose)
    assert exact <= lines[0, 0] + lines[0, 1] * (mu - grid[0]) + 1e-12
    share = np.clip(need[1:] / counts[1:], 1e-300, 1)
    kl = scipy.special.rel_entr(share, mu) + scipy.special.rel_entr(1 - share, 1 - mu)
    hoeffding = np.where(share <= mu, 1.0, np.where(need[1:] > counts[1:], 0.0, np.exp(-counts[1:] * kl))).sum()
    assert exact <= hoeffding * (1 + 1e-12) <= loose[0, 0] + loose[0, 1] * (mu - grid[0]) + 1e-9


def test_lines_are_close_to_the_sum_on_small_cells():
    need = boundaries(2000, 0.45, 1.5)
    grid, lines = np.linspace(0.3, 0.35, 11), np.zeros((10, 2))
    good_rounds.add_binomial(grid, need, 1.0, np.empty((4, 2001)), lines)
    for i, mu in enumerate((grid[1:] + grid[:-1]) / 2):
        exact = scipy.stats.binom.sf(np.ceil(need[1:]) - 1, np.arange(1, 2001), mu).sum()
        assert exact <= lines[i] @ [1, 0.0025] < 1.01 * exact


def test_counts_left_out_are_bounded_from_their_left():
    counts = np.array([0.0, 1, 2, 3, *range(4, 200), 250, 300, 400])
    need = 0.5 * counts - 1.2 * np.sqrt(counts)
    gaps, one_by_one = np.zeros((1, 2)), np.zeros((1, 2))
    every = np.arange(401.0)
    good_rounds.add_chernoff(np.array([0.3, 0.31]), counts, need, 1, 1.0, gaps)
    good_rounds.add_chernoff(np.array([0.3, 0.31]), every, 0.5 * every - 1.2 * np.sqrt(every), 1, 1.0, one_by_one)
    assert one_by_one[0] @ [1, 0.01] <= gaps[0] @ [1, 0.01] + 1e-9
    found = counts_up_to(10 * EXACT)
    assert found[-1] == 10 * EXACT
    assert (np.diff(found[: EXACT + 1]) == 1).all()
    assert (np.diff(found) > 0).all()


@pytest.mark.parametrize("means", [[0.4], [0.3, 0.35, 0.55]])
def test_crossing_is_the_sum_over_all_paths(means):
    last, means = 10, np.array(means)
    below = np.array([0.0, 0.2, 0.9, 0.9, 1.1, 1.4, 2.2, 2.0, 2.9, 3.1, 4.2])
    exact = np.zeros(len(means))
    for path in itertools.product((0, 1), repeat=last):
        sums = np.cumsum(path)
        if (sums < below[1:]).any():
            exact += means ** sums[-1] * (1 - means) ** (last - sums[-1])
    logs = np.log([means / means[-1], (1 - means) / (1 - means[-1])])
    counts, reach, found = np.arange(last + 1.0), np.ones(last + 2), np.empty(len(means))
    bad_rounds.crossing(means[-1], logs, counts, below, reach, 0.0, np.empty(last + 3), found)
    assert found == pytest.approx(exact, abs=1e-13)
    for i, mean in enumerate(means):
        for growth in (bad_rounds.GROWTH, *bad_rounds.GROWTHS):
            bad_rounds.reaches(mean, counts, below, growth, reach)
            assert exact[i] <= reach[1] <= 1


@pytest.mark.parametrize("growth", [bad_rounds.GROWTH, *bad_rounds.GROWTHS])
def test_epochs_bound_every_later_crossing(growth):
    """Of every count on: exact probabilities of a walk of 400 rewards, by following all of it."""
    counts, mean = np.arange(401.0), 0.5
    below = 0.5 * counts - 1.1 * np.sqrt(counts) - 1
    reach, found, mass = np.empty(402), np.empty(1), np.empty(403)
    bad_rounds.reaches(mean, counts, below, growth, reach)
    assert (np.diff(reach[1:]) <= 0).all()
    for first in (1, 5, 30, 200):
        later = np.where(counts >= first, below, -1.0)
        bad_rounds.crossing(mean, np.zeros((2, 1)), counts, later, np.ones(402), 0.0, mass, found)
        assert 0 < found[0] <= reach[first]


def test_crossing_that_is_not_followed_is_added():
    """A walk of 3000 rewards: less is followed, more is returned, and never less than every path counted."""
    counts = np.arange(3001.0)
    below = 0.4 * counts - 1.4 * np.sqrt(counts) - 1
    reach, found, mass = np.empty(3002), np.empty(1), np.empty(3003)
    bad_rounds.reaches(0.45, counts, below, bad_rounds.GROWTH, reach)
    values = []
    for small in (0.0, 1e-5, 1e-3, 1e-2):
        bad_rounds.crossing(0.45, np.zeros((2, 1)), counts, below, reach, small, mass, found)
        values.append(found[0])
    rng = np.random.default_rng(1)
    paths = rng.random((4000, 600)) < 0.45
    seen = (np.cumsum(paths, axis=1) < below[1:601]).any(axis=1).mean()
    assert seen - 6 * math.sqrt(values[0] / 4000) < values[0]
    assert values == sorted(values)
    assert values[-1] <= values[0] + 1e-2


@given(setting=SETTINGS, y=UNIT, z=UNIT, level=UNIT, x=st.floats(-1, 2), data=st.data())
@examples(100)
def test_needed_sum_is_that_of_the_worst_weights(setting, y, z, level, x, data):
    """N z - f_N(x) with f_N at any weights of the best arm and the others, K - 2 of them."""
    w1, others = setting.first_weight, setting.n_arms - 2
    q = data.draw(st.floats(w1, 1))
    rest = data.draw(st.floats(others * w1, max(others * w1, others)))
    counts, rho = setting.counts, setting.rho
    s = 1 / (1 + q + rest)
    f = setting.radius(setting.horizon) * np.sqrt(counts + rho * (1 - s)) + rho * s * (
        x + q * (y - z) + rest * (level - z)
    )
    need = good_rounds.needed(setting, y, z, level, x)
    assert (need <= counts * z - f + 1e-9).all()
    assert (np.diff(need, 2) > -1e-9).all()  # convex


@given(setting=SETTINGS, z=UNIT, level=UNIT, x=st.floats(-1, 2), data=st.data())
@examples(60)
def test_boundary_is_that_of_the_worst_counts(setting, z, level, x, data):
    """b_N(x) of a block against one of its rounds and any counts of the others that add up."""
    first = data.draw(st.integers(setting.n_arms + 1, setting.horizon))
    last = data.draw(st.integers(first, min(setting.horizon, first + 30)))
    found = bad_rounds.block(setting, first, last)
    t = data.draw(st.integers(first, last))
    count = data.draw(st.integers(1, t - setting.n_arms))
    cuts = data.draw(st.lists(st.floats(0, 1), min_size=setting.n_arms - 2, max_size=setting.n_arms - 2))
    spare = t - 1 - count - (setting.n_arms - 1)
    others = 1 + np.diff(np.round(np.sort([0.0, *cuts, 1.0]) * spare))
    assert others.sum() == t - 1 - count
    v, rho = (others / (others + setting.rho)).sum(), setting.rho
    root = setting.radius(t) * math.sqrt(count + rho * v / (1 + v))
    exact = count * z - root + rho * (v * (z - level) + x) / (1 + v)
    below = np.empty(len(found.counts))
    bad_rounds.boundary(rho, found.arrays, z, level, x, below)
    assert exact <= below[count] + 1e-9


def test_blocks_hold_every_round_once():
    for horizon in (4, 50, 10_000):
        setting = BoundedSetting(3, horizon, 0.1, 0.25, 1.0, True)
        assert sum(found.rounds for found in bad_rounds.blocks(setting)) == horizon - 3


# The bound for rewards in [0, 1] on runs of ReUCB*: Lemmas 2 and 3 in every round, and the regret below the bound.

DRAWN = st.builds(
    BoundedSetting,
    n_arms=st.integers(2, 8),
    horizon=st.integers(20, 90),
    sigma0_sq=st.floats(0.003, 0.2),
    sigma_sq=st.floats(0.05, 0.5),
    a=st.floats(0.1, 4.0),
    binary=st.just(True),
)


def rounds_of(setting, seed):
    """(t, counts, sums, indices with s_t, indices with s_n, means, pulled arm) of every round t > K of one run."""
    rng = np.random.default_rng(seed)
    arms, rho = setting.n_arms, setting.rho
    means = rng.uniform(0.1, 0.7, arms)
    counts, sums = np.ones(arms), (rng.random(arms) < means).astype(float)
    for t in range(arms + 1, setting.horizon + 1):
        w = counts / (counts + rho)
        tilde = np.array([rho * (v := w.sum() - w[k]) / (1 + v) for k in range(arms)])
        others = np.array(
            [((w * sums / counts).sum() - w[k] * sums[k] / counts[k]) / (w.sum() - w[k]) for k in range(arms)]
        )
        centre, width = (sums + tilde * others) / (counts + tilde), 1 / np.sqrt(counts + tilde)
        now, late = (centre + setting.radius(s) * width for s in (t, setting.horizon))
        arm = int(np.argmax(now))
        yield t, counts.copy(), sums.copy(), now, late, means, arm
        counts[arm] += 1
        sums[arm] += rng.random() < means[arm]


def violations(setting, seed, needed=good_rounds.needed, lower=0.0, ends=lambda found: found):
    """How often a good pull needs more than it has; an index below z belongs to a sum above b; step (2) fails."""
    rng = np.random.default_rng(seed)
    rho, counted = setting.rho, np.zeros(3, dtype=int)
    for t, counts, sums, now, late, means, arm in rounds_of(setting, seed):
        z, level = rng.uniform(0.2, 0.8), rng.uniform(0.1, 0.7)
        w, best = counts / (counts + rho), int(np.argmax(means))
        parts = w * (sums / counts - level)
        if late[arm] >= z:
            if arm != best:
                rest = np.delete(parts, [arm, best]).sum() + w[best] * (sums[best] / counts[best] - means[best])
                need = needed(setting, means[best], z, level, rest - lower)[int(counts[arm])]
                counted[0] += sums[arm] < need - 1e-9
        else:
            counted[2] += bool((now >= z).any())
        below = np.empty(t - setting.n_arms + 1)
        for i in np.flatnonzero(now < z):
            found = ends(bad_rounds.block(setting, t, t))
            bad_rounds.boundary(rho, found.arrays, z, level, -(parts.sum() - parts[i]) - lower, below)
            counted[1] += sums[i] >= below[int(counts[i])]
    return counted


@given(setting=DRAWN, seed=st.integers(0, 10**6))
@examples(40)
def test_lemmas_in_every_round(setting, seed):
    assert violations(setting, seed).tolist() == [0, 0, 0]


def with_idle_best(setting, y, z, level, x):
    """Mutant of Lemma 2: the weight of the best arm is taken as w(1) only."""
    counts, rho, w1 = setting.counts, setting.rho, setting.first_weight
    s = np.linspace(1 / setting.n_arms, 1 / (1 + (setting.n_arms - 1) * w1), 50)[:, None]
    f = setting.radius(setting.horizon) * np.sqrt(counts + rho * (1 - s)) + rho * (
        (x + w1 * (y - level)) * s + (level - z) * (1 - s)
    )
    return counts * z - f.max(axis=0)


def equal_counts(found):
    """Mutant of Lemma 3: v only at its largest value, v- replaced by v+."""
    return replace(found, s=found.s[[1, 1]], roots=found.roots[[1, 1]])


@pytest.mark.parametrize(
    ("which", "mutant"),
    [(0, {"lower": 0.05}), (1, {"lower": 0.05}), (0, {"needed": with_idle_best}), (1, {"ends": equal_counts})],
)
def test_mutants_of_the_lemmas_are_seen(which, mutant):
    setting = BoundedSetting(3, 80, 0.02, 0.25, 0.3, True)
    found = sum(violations(setting, seed, **mutant) for seed in range(25))
    assert found[which] > 0
    assert sum(violations(setting, seed) for seed in range(25)).tolist() == [0, 0, 0]


@pytest.mark.parametrize(
    ("prior", "n_arms", "horizon", "a", "factor"),
    [(scipy.stats.uniform(), 3, 60, 1.0, 6), (scipy.stats.beta(2, 5), 4, 50, 3.0, 4)],
)
def test_regret_is_below_the_bound(prior, n_arms, horizon, a, factor):
    """2000 runs of ReUCB*, 5 standard errors: a false alarm has probability below 1e-6.

    The bounds are 5.3 and 3.1 times the means: values smaller than these by such factors are detected, as are values
    larger by a seventh and by a quarter.
    """
    setting = {"n_arms": n_arms, "horizon": horizon}
    numbers = {"sigma0_sq": float(prior.var()), "sigma_sq": 0.25, "a": a}
    bandit = reucb.Bandit(n_arms=n_arms, prior=prior, rewards=reucb.Bernoulli())
    final = reucb.simulate(bandit, reucb.ReUCB(**numbers), horizon=horizon, runs=2000, seed=2).final
    bernoulli = reucb.bounds.bounded(prior, **setting, **numbers)
    anything = reucb.bounds.bounded(prior, **setting, **numbers, rewards="any")
    assert final.mean() - 5 * final.std() / math.sqrt(len(final)) < bernoulli < anything
    assert bernoulli < factor * final.mean()  # and the bound is not far above
