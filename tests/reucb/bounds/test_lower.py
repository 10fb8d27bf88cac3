"""The lower bound: its values, its one-sided solution, and the certificate that shares no grid error with it."""

import math
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.integrate import quad
from scipy.special import ndtr
from scipy.stats import norm

import reucb
from reucb import bounds
from reucb.bounds.lower import average_over_best, average_over_leads, bound_at_h0, leads, reduced_noise
from reucb.bounds.stopping import (
    Grid,
    StoppingMesh,
    Transition,
    block_ends,
    draw_others,
    mean_at,
    pull_cost,
    solve,
    stages,
    stop_cost,
)
from tests.hypothesis_examples import examples
from tests.reucb.bounds.reference import PAPER
from tests.reucb.strategies import magnitudes

pytestmark = pytest.mark.xdist_group("slow bounds")  # one process: values that several tests need are computed once

# K, n, sigma (sigma0 = 1), the value with one price for every margin, and the value with the
# lead of the best other mean, from a mesh of 0.015, 0.015 and 60 leads
TABLE = [
    (2, 1000, 1.0, 4.98, 4.993),
    (3, 500, 0.1, 2.09, 2.0975),
    pytest.param(10, 1000, 0.5, 16.49, 16.872, marks=pytest.mark.slow),
    pytest.param(10, 10_000, 2.5, 184.3, 191.38, marks=pytest.mark.slow),
    (50, 1000, 2.5, 196.6, 253.55),
    pytest.param(50, 10_000, 2.5, 571.3, 644.64, marks=pytest.mark.slow),
    pytest.param(50, 10_000, 0.5, 115.5, 117.92, marks=pytest.mark.slow),
    (200, 1000, 0.5, 198.0, 238.93),
]


@pytest.mark.parametrize(("n_arms", "horizon", "sigma", "one_price", "best"), TABLE)
def test_values(n_arms, horizon, sigma, one_price, best):
    found = bounds.lower(n_arms=n_arms, horizon=horizon, sigma0_sq=1.0, sigma_sq=sigma**2)
    assert found >= 0.999 * one_price
    assert 0.99 * best <= found <= 1.002 * best


def test_reference_setting():
    assert 127.5 <= bounds.lower(**PAPER) <= 129


@given(st.floats(-3, 3), magnitudes(-2, 1), magnitudes(-2, 0))
@examples(10)
def test_costs(x, t, h0):
    """G and H against quadrature over mu - y ~ N(x, t^2)."""

    def mean(cost, *cuts):
        ends = sorted({x - 10 * t, x + 10 * t, *(min(max(c, x - 10 * t), x + 10 * t) for c in cuts)})
        return sum(quad(lambda d: cost(d) * norm.pdf(d, x, t), a, b, epsabs=1e-13)[0] for a, b in pairwise(ends))

    assert float(pull_cost(np.array(x), t, h0)) == pytest.approx(mean(lambda d: max(-d - h0, 0), -h0), abs=1e-10)
    assert float(stop_cost(np.array(x), t, h0)) == pytest.approx(mean(lambda d: min(max(d, 0), h0), 0, h0), abs=1e-10)


@given(st.integers(1, 10**6), magnitudes(-6, 6), st.floats(0.01, 0.2))
def test_stages_end_at_the_horizon_and_halve_at_most(horizon, sigma, ratio):
    sigma = reduced_noise(horizon, sigma)
    ends = block_ends(horizon, sigma**2, ratio)
    assert ends[0] == 0
    assert ends[-1] == horizon
    assert (np.diff(ends) >= 1).all()
    deviations = np.array([stage.deviation for stage in stages(horizon, sigma, ratio)])
    assert (np.diff(deviations) < 0).all()
    assert (deviations[1:] >= 0.499 * deviations[:-1]).all()


def at_points(grid, values, x, deviation, row=0):
    """The mean of one row after a step, at points x."""
    return mean_at(grid, values, np.full(len(x), row), x, deviation)


@given(st.lists(st.floats(-2, 5), min_size=9, max_size=9), st.floats(0.2, 6.0), st.sampled_from([1, 2]))
@examples(20)
def test_transition_is_exact_and_its_curvature_is_above(inner, deviation, stride):
    """The convolution against the closed form of `mean_at`, and second differences on a dense set of points."""
    values = np.array([[0.0, *inner, 0.0], [0.0, *inner[::-1], 0.0]])
    fine, coarse = Grid(1.0, 5), Grid(float(stride), 6)
    move = Transition(fine, coarse, deviation)
    for row, found in enumerate(move.mean(values)):
        assert np.allclose(found, at_points(fine, values, coarse.nodes, deviation, row), atol=1e-11)
    limits = move.curvature(values)[1]
    for i, limit in enumerate(limits):
        x = np.linspace(coarse.nodes[i], coarse.nodes[i + 1], 9)
        f = at_points(fine, values, np.concatenate([x - 1e-3, x, x + 1e-3]), deviation, 1).reshape(3, -1)
        assert ((f[0] - 2 * f[1] + f[2]) / 1e-6 <= limit + 1e-4).all()


def test_mean_of_a_piecewise_linear_function():
    grid, values = Grid(0.5, 3), np.array([0.0, 1.0, 3.0, -1.0, 2.0, 0.5, 0.0])

    def f(x):
        return float(np.interp(x, 0.5 * np.arange(-4, 5), np.pad(values, 1)))

    for x in (-1.3, 0.0, 0.7, 2.4):
        cuts = 0.5 * np.arange(-4, 5)
        exact = sum(quad(lambda u, x=x: f(u) * norm.pdf(u, x, 0.6), a, b)[0] for a, b in pairwise(cuts))
        assert float(at_points(grid, values[None], np.array([x]), 0.6)[0]) == pytest.approx(exact, abs=1e-12)


@pytest.mark.parametrize("n_arms", [2, 7, 1000])
def test_average_over_the_best_of_the_others(n_arms):
    x = np.linspace(-9, 9, 181)
    values = np.minimum(np.abs(x), 1.5) * (np.abs(x) < 8.95)
    cuts = [-8.9, -1.5, 0, 1.5, 4, 8.9]

    def f(y):
        return min(abs(y), 1.5) * (n_arms - 1) * norm.pdf(y) * ndtr(y) ** (n_arms - 2)

    exact = sum(quad(f, a, b, epsabs=1e-12)[0] for a, b in pairwise(cuts))
    assert average_over_best(x, values, n_arms) == pytest.approx(exact, abs=1e-6)


@pytest.mark.parametrize("n_arms", [3, 7, 1000])
def test_average_over_the_lead_of_the_best(n_arms):
    """Cells of the lead add up to the whole, and each has the share of simulated pairs (5 standard errors)."""
    x, d = np.linspace(-9, 9, 361), leads(0.5, 4)
    values = np.stack([np.minimum(np.abs(x - i), 2.0) for i in range(4)])
    values[:, [0, -1]] = 0
    same = np.broadcast_to(values[0], values.shape)
    assert average_over_leads(x, same, n_arms, d) == pytest.approx(average_over_best(x, values[0], n_arms), rel=1e-12)
    y, cell = draw_others(n_arms, d, 20_000, np.random.default_rng(5))
    drawn = np.minimum(np.abs(-y - cell), 2.0)
    assert abs(average_over_leads(x, values, n_arms, d) - drawn.mean()) < 5 * drawn.std() / math.sqrt(20_000) + 1e-4


def dense_optimum(horizon, sigma, h0, y, d):
    """W_0(-y) by brute force: single pulls only, the trapezoidal rule on 1401 values of x; accurate to about 1e-4."""
    x = np.linspace(-7, 7, 1401)
    rho, value = sigma**2, np.zeros(1401)
    for i in range(horizon - 1, -1, -1):
        t, later = sigma / math.sqrt(i + rho), sigma / math.sqrt(i + 1 + rho)
        after = norm.pdf((x[:, None] - x) / (t * later / sigma)) @ value * (0.01 * sigma / (t * later))
        value = np.minimum((horizon - i) * stop_cost(x, t, h0), pull_cost(x, t, d) + after)
    return np.interp(-y, x, value)


@pytest.mark.parametrize(
    ("horizon", "sigma"),
    [(12, 1.0), pytest.param(15, 2.5, marks=pytest.mark.slow), pytest.param(6, 0.4, marks=pytest.mark.slow)],
)
def test_solution_is_below_the_optimum_and_close(horizon, sigma):
    y, d = np.linspace(-2, 4, 25), np.array([0.1, 0.3])
    exact = [dense_optimum(horizon, sigma, 0.3, y, lead) for lead in d]
    for mesh, gap in ((StoppingMesh(0.02, 0.01), 0.004), (StoppingMesh(0.1, 0.05), 0.03)):
        *_, (_, grid, values) = solve(horizon, sigma, 0.3, d, mesh)
        for row, best in zip(values, exact, strict=True):
            found = np.interp(-y, grid.nodes, row)
            assert (found <= best + 2e-4).all()
            assert (found >= best * (1 - gap) - 1e-3).all()


def largest_excess(horizon, sigma, h0, mesh):
    """By how much W exceeds min(stop H, pull G + E W_next) at points between the nodes, at the worst stage."""
    steps, worst = list(solve(horizon, sigma, h0, np.array([h0 / 2]), mesh)), -math.inf
    for (stage, grid, values), following in zip(steps[1:], steps, strict=False):
        x = np.linspace(grid.nodes[0], grid.nodes[-1], 2001)
        later, fine, after = following
        s = math.sqrt(stage.deviation**2 - later.deviation**2)
        limit = stage.pull * pull_cost(x, stage.deviation, h0 / 2) + at_points(fine, after, x, s)
        if math.isfinite(stage.stop):
            limit = np.minimum(limit, stage.stop * stop_cost(x, stage.deviation, h0))
        worst = max(worst, float((np.interp(x, grid.nodes, values[0]) - limit).max()))
    return worst


@pytest.mark.parametrize(("horizon", "sigma"), [(60, 1.0), (300, 2.5), (30, 0.02)])
def test_solution_is_below_the_recursion_everywhere(horizon, sigma, monkeypatch):
    """Between nodes too, on a coarse grid; the mutant that takes nothing off at the nodes is above by a thousandth."""
    mesh = StoppingMesh(0.1, 0.2)
    assert largest_excess(horizon, sigma, 0.3, mesh) < 1e-9
    monkeypatch.setattr("reucb.bounds.stopping.at_nodes", lambda curvature, step: 0.0)
    assert largest_excess(horizon, sigma, 0.3, mesh) > 1e-3


@pytest.mark.parametrize("point", [(50, 10_000.0, 2.5, 0.25), (3, 500.0, 0.1, 0.1), (10, 300.0, 8.0, 0.8)])
def test_finer_is_higher(point):
    meshes = [
        StoppingMesh(0.08, 0.08, 6),
        StoppingMesh(0.04, 0.04, 6),
        StoppingMesh(0.04, 0.04, 12),
        StoppingMesh(0.02, 0.02, 12),
    ]
    values = [bound_at_h0(*point, mesh) for mesh in meshes]
    assert values[0] < values[1] < values[2] < values[3] < 1.12 * values[0]


@pytest.mark.parametrize(
    "policy", [reucb.ReUCB(a=0.5, sigma0_sq=1, sigma_sq=0.01), reucb.GaussianTS(0, 1, 0.01)], ids=str
)
def test_cost_of_an_arm_given_the_lead_of_the_best_other(policy):
    """The costs of the arms add up to the regret of every run, and in each cell of the lead their mean is above the
    value of the stopping problem. Three standard errors: false alarm below 0.5 % for each policy. The means are 1.4 to
    2.2 times the values, so that a value three times too large is detected."""
    n_arms, horizon, runs, h0 = 3, 60, 400, 0.1
    d = leads(h0, 3)
    *_, (_, grid, values) = solve(horizon, 0.1, h0, d, StoppingMesh(0.05, 0.05))
    rng, costs, cells = np.random.default_rng(11), [], []
    for seed, means in enumerate(rng.standard_normal((runs, n_arms))):
        bandit = reucb.Bandit(n_arms=n_arms, prior=means, rewards=reucb.Gaussian(sigma=0.1))
        counts = np.bincount(reucb.play(bandit, policy, horizon=horizon, seed=seed).arms, minlength=n_arms)
        others = np.sort([np.delete(means, k) for k in range(n_arms)])
        x, lead = others[:, -1] - means, others[:, -1] - others[:, -2]
        pulls = np.maximum(x - np.minimum(np.minimum(x, lead), h0), 0) * counts
        cost = pulls + np.clip(-x, 0, h0) * (horizon - counts)
        assert cost.sum() == pytest.approx(((means.max() - means) * counts).sum(), rel=1e-12)
        costs.append(cost)
        cells.append(np.minimum(np.searchsorted(d, lead), 2))
    ends = [0.0, *d[:-1], math.inf]
    for i in range(3):
        share = np.where(np.array(cells) == i, costs, 0.0).mean(axis=1)
        value = average_over_best(grid.nodes, values[i], n_arms, ends[i], ends[i + 1])
        assert value <= share.mean() + 3 * share.std() / math.sqrt(runs)
        assert value >= 0.4 * share.mean()


@pytest.mark.parametrize(
    "point",
    [
        pytest.param({}, marks=pytest.mark.slow),
        {"n_arms": 3, "horizon": 200, "sigma_sq": 0.01},
        {"n_arms": 10, "horizon": 1000},
    ],
)
def test_certificate(point):
    """The dual and the bound agree: 5 standard errors, or the 0.4 per cent that the dual's mesh may cost."""
    found = bounds.lower(**{**PAPER, **point}, certificate=True, paths=1000, seed=7)
    assert found.bound == bounds.lower(**{**PAPER, **point})
    assert found.dual - 5 * found.stderr <= found.bound * 1.001
    assert found.dual + 5 * found.stderr >= found.bound * 0.996
    assert found.stderr < 0.002 * found.bound
    assert found.interval == pytest.approx((found.dual - 3 * found.stderr, found.dual + 3 * found.stderr))
    again = bounds.lower(**{**PAPER, **point}, certificate=True, paths=1000, seed=7)
    assert again == found


def test_certificate_arguments():
    with pytest.raises(ValueError, match=r"shape \(2,\): a certificate needs scalars"):
        bounds.lower(**{**PAPER, "horizon": [10, 20]}, certificate=True)
    with pytest.raises(ValueError, match="paths = 1: must be an integer >= 2"):
        bounds.lower(**PAPER, certificate=True, paths=1)


@given(st.integers(2, 10**6), st.integers(1, 10**6), magnitudes(-4, 4))
@examples(2)
def test_between_one_blind_pull_and_random_play(n_arms, horizon, rho):
    found = bounds.lower(n_arms=n_arms, horizon=horizon, sigma0_sq=1.0, sigma_sq=rho)
    assert (1 - 1e-7) * bounds.expected_max(n_arms) <= found <= horizon * bounds.expected_max(n_arms)


def test_more_noise_and_more_rounds_cost_more():
    """At settings of the tests above, whose values are kept, and one more."""
    point = {"n_arms": 50, "sigma0_sq": 1.0}
    noisier = [bounds.lower(**point, horizon=1000, sigma_sq=v) for v in (0.01, 6.25)]
    longer = [bounds.lower(**point, horizon=n, sigma_sq=6.25) for n in (1000, 10_000)]
    assert (np.diff(noisier) > 0).all()
    assert (np.diff(longer) > 0).all()
