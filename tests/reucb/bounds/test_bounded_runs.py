"""The bound for rewards in [0, 1] on runs of ReUCB*: Lemmas 2 and 3 in every round, and the regret below the bound."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest
import scipy.stats
from hypothesis import given
from hypothesis import strategies as st

import reucb
from reucb.bounds.bounded import bad_rounds, good_rounds
from reucb.bounds.bounded.setting import Setting
from tests.hypothesis_examples import examples

DRAWN = st.builds(
    Setting,
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
    setting = Setting(3, 80, 0.02, 0.25, 0.3, True)
    found = sum(violations(setting, seed, **mutant) for seed in range(25))
    assert found[which] > 0
    assert sum(violations(setting, seed) for seed in range(25)).tolist() == [0, 0, 0]


@pytest.mark.parametrize(
    ("prior", "n_arms", "horizon", "a", "factor"),
    [(scipy.stats.uniform(), 3, 150, 1.0, 8), (scipy.stats.beta(2, 5), 4, 120, 3.0, 8)],
)
def test_regret_is_below_the_bound(prior, n_arms, horizon, a, factor):
    """2000 runs of ReUCB*, 5 standard errors: a false alarm has probability below 1e-6."""
    setting = {"n_arms": n_arms, "horizon": horizon}
    numbers = {"sigma0_sq": float(prior.var()), "sigma_sq": 0.25, "a": a}
    bandit = reucb.Bandit(n_arms=n_arms, prior=prior, rewards=reucb.Bernoulli())
    final = reucb.simulate(bandit, reucb.ReUCB(**numbers), horizon=horizon, runs=2000, seed=2).final
    bernoulli = reucb.bounds.bounded(prior, **setting, **numbers)
    anything = reucb.bounds.bounded(prior, **setting, **numbers, rewards="any")
    assert final.mean() - 5 * final.std() / math.sqrt(len(final)) < bernoulli < anything
    assert bernoulli < factor * final.mean()  # and the bound is not far above
