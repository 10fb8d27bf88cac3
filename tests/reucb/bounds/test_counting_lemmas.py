"""The lemmas of the counting bound on simulated runs and on random states, with mutants that have to fail."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from reucb.bounds.counted_rounds import BadRounds, Blocks, LearnedMean, supremum_survival
from reucb.bounds.counting import ScaledSetting, good_pulls
from reucb.bounds.normal import best_arm
from tests.hypothesis_examples import examples
from tests.reucb.bounds.reference import PathSetting, rounds
from tests.reucb.strategies import magnitudes

RUNS = 60
drawn = st.builds(
    lambda n_arms, more, rho, a: PathSetting(n_arms, n_arms + more, rho, a),
    st.integers(2, 15),
    st.integers(5, 150),
    magnitudes(-1.5, 1.5),
    st.floats(0.3, 3.0),
)
seeds = st.integers(0, 2**32)


def bad_rounds(s):
    alpha = (s.n_arms - 1) * s.rho / (s.n_arms + s.rho)
    return BadRounds(float(s.n_arms), math.sqrt(s.rho), alpha, s.a, float(s.horizon))


@given(drawn, seeds)
@examples(15)
def test_widths(s, seed):
    """Lemma 2: both forms of tau and of the estimate, alpha <= rt < rho, and the ratio of widths."""
    bad = bad_rounds(s)
    for r in rounds(s, RUNS, seed):
        w = r.counts / (r.counts + s.rho)
        v = w.sum(axis=1, keepdims=True) - w
        rt = s.rho * v / (1 + v)
        m = ((w * r.means).sum(axis=1, keepdims=True) - w * r.means) / v
        assert np.allclose(r.tau**2, s.rho / (r.counts + rt), rtol=1e-10)
        assert np.allclose(r.estimate, (r.counts * r.means + rt * m) / (r.counts + rt), atol=1e-9)
        assert (rt >= bad.alpha * (1 - 1e-12)).all()
        assert (rt < s.rho).all()
        own, count = r.of(r.tau, r.arm), r.of(r.counts, r.arm)
        assert (own <= bad.width(count) * (1 + 1e-12)).all()
        ratio = bad.width(count) / bad.width(np.array(1.0))
        assert (own[:, None] / r.tau >= ratio[:, None] * (1 - 1e-12)).all()


@given(drawn, seeds)
@examples(15)
def test_kinds_of_rounds(s, seed):
    """Each round is one of star, good, bad; in a bad round some other arm is underestimated by Lemma 3's margin."""
    last = s.bonus(s.horizon)
    for r in rounds(s, RUNS, seed):
        kinds = r.kinds(last)
        assert (np.sum(kinds, axis=0) == 1).all()
        margin = (last - s.bonus(r.t)) * r.of(r.tau, r.arm)
        low = r.estimate - r.mu < -s.bonus(r.t) * r.tau - margin[:, None] + 1e-9
        low[np.arange(RUNS), r.arm] = False
        assert low.any(axis=1)[kinds[2]].all()


def reference_f(count, y, s, n_arms, rho, top, zeta, mutation=None):
    """f_N(y, S) written out, with the mutations of its statement."""
    v0 = (n_arms - 2) / (1 + rho)
    c0, w1 = 2 + v0, 1 / (1 + rho)
    k2 = 1.0 if mutation == "k2 -> 1" else c0 / (c0 - 1 + w1)
    z = 0.0 if mutation == "zeta dropped" else zeta
    d = (y if mutation == "2y -> y" else 2 * y) - z * c0
    bracket = z + s - y + np.maximum(d / n_arms, d / c0)
    with np.errstate(divide="ignore", over="ignore"):
        x = np.where(d > 0, 1 + (count - (top / (2 * np.where(d > 0, d, 1.0))) ** 2) / rho, 0.0)
    x = np.clip(x, 1 / n_arms, 1 / c0)
    if mutation == "x = 1/K":
        x = 1 / n_arms
    if mutation == "x = 1/c0":
        x = 1 / c0
    root = (n_arms - 2) / n_arms if mutation == "K - 2 in the root" else (n_arms - 1) / n_arms
    outer = top * np.sqrt(count + rho * root) + rho * k2 * bracket
    inner = rho * (z + s - y) + top * np.sqrt(count + rho * (1 - x)) + rho * x * d
    return inner if mutation == "no second branch" else np.where(bracket > 0, outer, inner)


def lemma5_on_runs(s, zeta, seed, f):
    """The largest N (y - rbar_k) - f over all good rounds of simulated runs."""
    worst = -math.inf
    for r in rounds(s, RUNS, seed):
        good = r.kinds(s.bonus(s.horizon))[1]
        if not good.any():
            continue
        w = r.counts / (r.counts + s.rho)
        best, arm = r.best, r.arm
        y = r.of(r.mu, best)
        rest = w.sum(axis=1) - r.of(w, arm) - r.of(w, best)
        sums = (w * r.means).sum(axis=1) - r.of(w * r.means, arm) - r.of(w, best) * y  # M + w_l ebar_l
        worst_s = (sums - zeta * (rest - s.v0)) / (2 + rest)
        count = r.of(r.counts, arm)
        excess = count * (y - r.of(r.means, arm)) - f(count, y, worst_s, s.n_arms, s.rho, s.top, zeta)
        worst = max(worst, float(excess[good].max()))
    return worst


def production_f(count, y, s, n_arms, rho, top, zeta):
    return LearnedMean(float(n_arms), math.sqrt(rho), top, zeta).f(count, y, s)


@given(drawn, st.sampled_from([0.0, 0.3, 1.0]), seeds)
@examples(15)
def test_good_pulls_reach_no_further(s, zeta, seed):
    """Lemma 5 on runs, by the library's f."""
    assert lemma5_on_runs(s, zeta, seed, production_f) <= 1e-8


@pytest.mark.parametrize("mutation", ["2y -> y", "zeta dropped", "x = 1/K", "x = 1/c0"])
def test_mutants_that_fail_on_runs(mutation):
    def mutant(*arguments):
        return reference_f(*arguments, mutation)

    cases = [
        (PathSetting(n_arms, n_arms + 150, rho, a), zeta, seed)
        for seed, (n_arms, rho, a, zeta) in enumerate(
            [(8, 6.0, 0.05, 1.0), (15, 20.0, 0.02, 0.3), (4, 20.0, 0.02, 2.0), (15, 2.0, 0.1, 1.0), (6, 30.0, 0.3, 0.0)]
        )
    ]
    assert max(lemma5_on_runs(*case, reference_f) for case in cases) <= 1e-8
    assert max(lemma5_on_runs(*case, mutant) for case in cases) > 1e-3


def random_states(number, seed):
    """Counts of K arms and y, S, zeta as in Lemma 5, drawn widely: its left side at A = A', and the arguments of f."""
    rng = np.random.default_rng(seed)
    n_arms = rng.integers(2, 9, number).astype(float)
    rho, top = np.exp(rng.uniform(-4, 4, number)), np.exp(rng.uniform(-8, 3, number))
    zeta = rng.choice([0.0, 0.3, 1.0], number) * rng.random(number)
    y, s = rng.normal(size=number) * 3, rng.normal(size=number) * 2
    count = np.where(rng.random(number) < 0.4, 1.0, np.floor(np.exp(rng.uniform(0, 12, number))))
    pulls = np.where(rng.random((number, 8)) < 0.5, 1.0, np.floor(np.exp(rng.uniform(0, 20, (number, 8)))))
    w = pulls / (pulls + rho[:, None])
    own, others = w[:, 0], np.where(np.arange(8) < n_arms[:, None], w, 0.0)
    rest = others[:, 2:].sum(axis=1)  # arm 0 is the best one, arm 1 stands for the pulled one
    v0 = (n_arms - 2) / (1 + rho)
    most = s * (2 + rest) + zeta * (rest - v0)
    v = rest + own
    left = top * np.sqrt(count + rho * v / (1 + v)) + rho * (most - rest * y) / (1 + v)
    return left, (count, y, s, n_arms, rho, top, zeta)


SEVEN = ["2y -> y", "zeta dropped", "x = 1/K", "x = 1/c0", "k2 -> 1", "no second branch", "K - 2 in the root"]


def violations(left, right):
    return int((left > right + 1e-9 * (1 + np.abs(left) + np.abs(right))).sum())


def test_lemma5_as_algebra():
    """200,000 random states: none violates f (2,000 by the library's f), and each of the seven mutants is violated."""
    left, arguments = random_states(200_000, 3)
    assert violations(left, reference_f(*arguments)) == 0
    some = [float(production_f(*state)) for state in zip(*(values[:2_000] for values in arguments), strict=True)]
    assert violations(left[:2_000], np.array(some)) == 0
    assert {m: violations(left, reference_f(*arguments, m)) > 0 for m in SEVEN} == dict.fromkeys(SEVEN, True)


@given(st.integers(0, 2**32))
@examples(10)
def test_library_uses_that_f(seed):
    _, (count, y, s, n_arms, rho, top, zeta) = random_states(50, seed)
    for i in range(50):
        reach = LearnedMean(n_arms[i], math.sqrt(rho[i]), top[i], zeta[i])
        expected = float(reference_f(count[i], y[i], s[i], n_arms[i], rho[i], top[i], zeta[i]))
        assert float(reach.f(count[i], y[i], s[i])) == pytest.approx(expected, rel=1e-9, abs=1e-9)


SETTINGS = [PathSetting(2, 60, 1.0, 1.0), PathSetting(5, 80, 6.25, 1.0), PathSetting(12, 150, 0.3, 0.5)]


@pytest.mark.parametrize("s", SETTINGS, ids=str)
def test_lemmas_in_the_mean(s):
    """Bad rounds, their cost, and the cost of good rounds at each count, against p, beta and the terms of (U).

    1500 runs; 4.5 standard errors for each of 11 comparisons: false alarm below 1e-4 for each setting. The good cost is
    0.3 to 1 times its bound at N = 1.
    """
    bad, last, runs = bad_rounds(s), s.bonus(s.horizon), 1500
    number, cost, allowed = np.zeros(runs), np.zeros(runs), np.zeros((2, runs))
    good_cost = np.zeros((runs, s.horizon))
    counts = np.arange(1.0, s.horizon - s.n_arms + 1)
    for r in rounds(s, runs, 17):
        _, good, isbad = r.kinds(last)
        count = r.of(r.counts, r.arm).astype(int)
        chance, beta = bad.chance_and_cost(Blocks(counts, counts), Blocks(np.array([r.t]), np.array([r.t])))
        allowed += np.stack([chance[0, count - 1], beta[0, count - 1]])
        number += isbad
        cost += r.gap * isbad
        np.add.at(good_cost, (np.arange(runs), count), r.gap * good)
    for seen, bound in ((number, allowed[0]), (cost, allowed[1])):
        assert (seen - bound).mean() <= 4.5 * (seen - bound).std() / math.sqrt(runs) + 1e-12
    reach = ScaledSetting(s.n_arms, s.horizon, math.sqrt(s.rho), s.a, False).reaches()[0]
    best = best_arm(s.n_arms, 32)
    for n in (1, 2, 3, 5, 8, 13, 21, 34, 55):
        one = Blocks(np.array([float(n)]), np.array([float(n)]))
        term, seen = good_pulls(reach, one, np.zeros(1), best, 32), good_cost[:, n]
        assert seen.mean() <= term + 4.5 * seen.std() / math.sqrt(runs) + 1e-9
        if n == 1:
            assert seen.mean() > 0.3 * term


@pytest.mark.parametrize("s", [PathSetting(3, 120, 2.0, 1.0), PathSetting(10, 200, 6.25, 1.0)], ids=str)
@pytest.mark.parametrize("zeta", [0.0, 0.3])
def test_law_of_s_dominates(s, zeta):
    """Lemma 8 for arm 1 and the best of the others, as a whole and with mu_l or mu_k high or low.

    2000 runs, 20 comparisons at 4.5 standard errors of a frequency: false alarm below 2e-4.
    """
    runs, highest, noise = 2000, None, None
    for r in rounds(s, runs, 23):
        w = r.counts / (r.counts + s.rho)
        best = r.mu[:, 1:].argmax(axis=1) + 1
        y = r.of(r.mu, best)
        now = r.of(w, best) * (r.of(r.means, best) - y)
        noise = np.maximum(now, 0.0) if noise is None else np.maximum(noise, now)
        rest = w.sum(axis=1) - w[:, 0] - r.of(w, best)
        sums = (w * r.means).sum(axis=1) - w[:, 0] * r.means[:, 0] - r.of(w * r.means, best)
        level = (sums + noise - zeta * (rest - s.v0)) / (2 + rest)
        highest = level if highest is None else np.maximum(highest, level)
        mu_k = r.mu[:, 0]
    for group in (np.ones(runs, bool), y > np.median(y), y <= np.median(y), mu_k > 0, mu_k <= 0):
        values = highest[group]
        levels = np.quantile(values, [0.1, 0.5, 0.8, 0.95])
        frequency = (values[:, None] > levels).mean(axis=0)
        error = np.sqrt(frequency * (1 - frequency) / len(values))
        assert (frequency <= supremum_survival(levels, s.n_arms, s.rho, zeta) + 4.5 * error).all()
