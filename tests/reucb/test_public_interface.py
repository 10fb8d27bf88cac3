"""The public interface from top to bottom: exported names, shapes, types, refusals; what importing it loads."""

from __future__ import annotations

import json
import re
import subprocess
import sys

import numpy as np
import pytest
import scipy.stats

import reucb

BEYOND = 10**400  # a Python integer beyond every float
KNOWN = {"n_arms": 50, "horizon": 10_000, "sigma0_sq": 0.04, "sigma_sq": 0.25}
POLICIES = [
    reucb.ReUCB(a=1.0),
    reucb.ReUCB(a=1.0, sigma0_sq=0.04, sigma_sq=0.25),
    reucb.ReUCB(a=1.0, sigma0_sq=0.04, sigma_sq=0.25, mu0=1.0),
    reucb.UCB1(sigma_sq=0.25),
    reucb.ReUCBInf(sigma_sq=0.25, a=1.0),
    reucb.GaussianTS(mu0=1, sigma0_sq=0.04, sigma_sq=0.25),
    reucb.BernoulliTS(alpha=1, beta=1),
    reucb.BayesUCB(),
    reucb.KLUCB(),
]
REFUSED = [
    (3, 0.5),
    (-1, 0.5),
    (0, np.nan),
    (0, BEYOND),
    (0, "1"),
    (True, 0.5),
    ([0, 1], [0.5]),
    ([0, 3], [0.5, 0.5]),
    ([0, 1], [0.5, np.inf]),
    ([0, 1], [0.5, BEYOND]),
    ([BEYOND, 1], [0.5, 0.5]),
]


def test_blup():
    fit = reucb.blup([2, 0, 3], [1.0, np.nan, 2.0], sigma0_sq=0.04, sigma_sq=0.25)
    v0 = 1 / (1 / 0.165 + 1 / (0.04 + 0.25 / 3))
    assert fit.mu0 == pytest.approx(v0 * (1 / 0.165 + 2 / (0.04 + 0.25 / 3)), rel=1e-15)
    assert fit.mu[1] == fit.mu0
    assert fit.mse[1] == pytest.approx(0.04 + v0, rel=1e-15)
    assert fit.weights[1] == 0
    own = reucb.blup([2, 0, 3], [1.0, np.nan, 2.0], sigma0_sq=0.04, sigma_sq=np.full(3, 0.25))
    np.testing.assert_array_equal(own.mu, fit.mu)


def test_variance_components():
    found = reucb.variance_components([2, 2], [0.0, 2.0], [1.0, 3.0], method="anova")
    assert (found.sigma0_sq, found.sigma_sq) == pytest.approx((1.0, 2.0))


@pytest.mark.parametrize("policy", POLICIES, ids=repr)
def test_an_agent_learns_refuses_and_resumes(policy):
    agent = policy.start(n_arms=3, seed=0)
    for reward in (1.0, 0.0, 1.0, 1.0, 0.0):
        agent.update(agent.select(), reward)
    agent.update([0, 2], np.array([0.0, 1.0]))
    before = json.dumps(agent.state(), allow_nan=False)
    for arm, reward in REFUSED:
        with pytest.raises((ValueError, TypeError), match=r"^(arm|reward)"):
            agent.update(arm, reward)
        assert json.dumps(agent.state()) == before
    twin = policy.resume(json.loads(before))
    for reward in (0.0, 1.0, 1.0):
        assert agent.select() == twin.select()
        agent.update(2, reward)
        twin.update(2, reward)
    assert json.dumps(agent.state()) == json.dumps(twin.state())


def test_simulate():
    bandit = reucb.Bandit(n_arms=50, prior=scipy.stats.norm(1, 0.2), rewards=reucb.Gaussian(sigma=0.5))
    result = reucb.simulate(bandit, reucb.UCB1(sigma_sq=0.25), horizon=60, runs=3, seed=0)
    assert result.rounds.shape == result.mean.shape == result.stderr.shape
    assert result.final.shape == (3,)
    assert result.mean[-1] == pytest.approx(result.final.mean(), rel=1e-15)


def test_bounds_at_the_papers_setting():
    """The numbers of the report: printed 8.1e3, sharpened below 1.9e3, random play 4.5e3."""
    assert reucb.bounds.theorem1(**KNOWN, a=1.0) == pytest.approx(8.1e3, rel=0.01)
    assert reucb.bounds.sharp(**KNOWN, a=1.0) < 1.9e3
    assert reucb.bounds.trivial(n_arms=50, horizon=10_000, sigma0_sq=0.04) == pytest.approx(4.5e3, rel=0.01)
    with pytest.raises(ValueError, match=r"^a = 1, m = 1\.82707: Theorem them-R-Bayes-SubR needs a >= m"):
        reucb.bounds.theorem2(**KNOWN, a=1.0)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: reucb.blup([1, 2], [BEYOND, 2], sigma0_sq=1, sigma_sq=1), "means[0] = inf: must be finite"),
        (lambda: reucb.blup([1, -BEYOND], [1, 2], sigma0_sq=1, sigma_sq=1), "counts[1] = -inf: must be whole"),
        (lambda: reucb.blup([1, 2], [1, 2], sigma0_sq=BEYOND, sigma_sq=1), "sigma0_sq = inf: must be finite"),
        (lambda: reucb.blup(np.ma.masked_equal([1, 2], 2), [1, 2], sigma0_sq=1, sigma_sq=1), "none of them masked"),
        (lambda: reucb.variance_components([2, 2], [1, 2], [BEYOND, 1]), "sq_devs[0] = inf: must be finite"),
        (
            lambda: reucb.Gaussian(sigma=[1, [2]]),
            "sigma = [1, [2]]: must be finite real numbers >= 0, every row equally",
        ),
        (lambda: reucb.ReUCB(sigma_sq=[1, [2]]), "sigma_sq = [1, [2]]: must be finite real numbers >= 0, every row"),
        (lambda: reucb.Bandit(2, [1, [2]], reucb.Gaussian(1)), "prior = [1, [2]]: must be finite real numbers, every"),
        (lambda: reucb.ReUCB().start(3).select(among=[1, [2]]), "among = [1, [2]]: must be whole numbers from 0 to 2"),
        (lambda: reucb.ReUCB().start(3).update([1, [2]], [1, 2]), "arm = [1, [2]]: must be whole numbers from 0 to 2"),
        (lambda: reucb.Gaussian(sigma=[]), "sigma = []: must be one number >= 0, or one per arm"),
        (
            lambda: reucb.Bandit(2**70, scipy.stats.norm(0, 1), reucb.Gaussian(1)),
            "n_arms = 1180591620717411303424: must",
        ),
        (lambda: reucb.Bandit(2, [1.7e308, -1.7e308], reucb.Gaussian(1)), "prior holds means that Gaussian(sigma=1.0)"),
        (lambda: reucb.Bandit(2, [BEYOND, 1], reucb.Gaussian(1)), "prior[0] = inf: must be finite"),
        (lambda: reucb.bounds.sharp(**{**KNOWN, "a": BEYOND}), "a = inf: must be finite"),
        (lambda: reucb.bounds.sharp(**{**KNOWN, "n_arms": -1}, a=1), "n_arms = -1.0: must be whole numbers from 1 to"),
        (
            lambda: reucb.bounds.sharp(**{**KNOWN, "n_arms": [1, 2], "horizon": [1, 2, 3]}, a=1),
            "shapes n_arms (2,), horizon (3,): must broadcast",
        ),
        (
            lambda: reucb.bounds.trivial(n_arms=[1, 2], horizon=[1, 2, 3], sigma0_sq=1),
            "shapes n_arms (2,), horizon (3,)",
        ),
        (
            lambda: reucb.bounds.m_constant(n_arms=[1, 2], sigma0_sq=[1, 2, 3], sigma_sq=1),
            "shapes n_arms (2,), sigma0_sq",
        ),
        (lambda: reucb.bounds.logarithmic(**{**KNOWN, "n_arms": [2, 3]}, a=2, b=[1, 2, 3]), "b (3,): must broadcast"),
        (
            lambda: reucb.bounds.no_structure(**{**KNOWN, "sigma0_sq": [1, 2]}, a=1, sigma_q_sq=[1, 2, 3]),
            "shapes sigma_q_sq (3,), sigma0_sq (2,)",
        ),
    ],
)
def test_a_refusal_names_argument_value_and_what_is_allowed(call, message):
    with pytest.raises((ValueError, TypeError), match=re.escape(message)):
        call()


def test_a_bandit_is_frozen_though_its_prior_was_made_from_an_array():
    centres = np.array([1.0, 2.0])
    bandit = reucb.Bandit(n_arms=2, prior=scipy.stats.norm(centres, 0.1), rewards=reucb.Gaussian(sigma=0.5))
    before, drawn = hash(bandit), bandit.draw(np.random.default_rng(0))
    centres[:] = 9.0
    assert hash(bandit) == before
    np.testing.assert_array_equal(bandit.draw(np.random.default_rng(0)), drawn)


@pytest.mark.parametrize("name", ["logarithmic", "combined"])
def test_a_gap_bound_stays_silent_where_the_noise_is_huge(name):
    assert np.isfinite(getattr(reucb.bounds, name)(n_arms=10, horizon=1000, sigma0_sq=0.04, sigma_sq=1e300, a=30.0))


def test_a_cut_off_result_is_not_called_a_pickle(tmp_path):
    path = tmp_path / "result.npz"
    path.write_bytes(b"PK\x03")
    with pytest.raises(ValueError, match=r"is not a valid reucb result: truncated, or not an \.npz file"):
        reucb.Result.load(path)


@pytest.mark.parametrize(("place", "kind"), [(5, TypeError), (".", ValueError)])
def test_a_checkpoint_needs_the_path_of_a_file(place, kind, tmp_path):
    bandit = reucb.Bandit(n_arms=2, prior=[0.0, 1.0], rewards=reucb.Gaussian(sigma=1.0))
    path = tmp_path / place if isinstance(place, str) else place
    with pytest.raises(kind, match=r"^checkpoint = .*: must be the path of a file"):
        reucb.simulate(bandit, reucb.UCB1(sigma_sq=1.0), horizon=2, runs=1, checkpoint=path)


@pytest.mark.parametrize("n_arms", [5, 100])
def test_a_state_with_foreign_parts_is_refused(n_arms: int) -> None:
    policy = reucb.ReUCB()
    agent = policy.start(n_arms=n_arms, seed=0)
    agent.update([0, 1, 1], [0.5, 0.25, 1.0])
    state = agent.state()
    with pytest.raises(ValueError, match="unknown keys 'x'"):
        policy.resume({**state, "x": 1})
    for groups in ([[]], [None]):
        with pytest.raises(ValueError, match="group"):
            policy.resume({**state, "groups": groups})


def test_arms_of_a_batch_and_empty_noise_are_told_what_is_allowed() -> None:
    agent = reucb.ReUCB().start(n_arms=3, seed=0)
    with pytest.raises(ValueError, match=r"arm\[0\] = -1.0: must be whole numbers from 0 to 2"):
        agent.update([-1, 0], [0.0, 1.0])
    with pytest.raises(ValueError, match=r"sigma_sq = \[\]: must be one number, or one per arm"):
        reucb.ReUCB(sigma0_sq=1, sigma_sq=[])  # type: ignore[arg-type]  # the wrong type is the point


def test_importing_loads_neither_numba_nor_scipy_stats():
    code = (
        "import sys, reucb; heavy = {'numba', 'scipy.stats', 'scipy.optimize', 'matplotlib', 'sympy'}; "
        "print(sorted(heavy & set(sys.modules)))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


@pytest.mark.parametrize("name", reucb.__all__)
def test_every_exported_name_is_there(name):
    assert getattr(reucb, name) is not None
    assert name in dir(reucb)


def test_an_unknown_name_is_an_attribute_error():
    with pytest.raises(AttributeError, match="module 'reucb' has no attribute 'ReUBC'"):
        reucb.ReUBC  # noqa: B018
