"""`simulate`: identical bits however it is run, killed or resumed; edge cases; no regret below the optimum."""

import os
import random
import signal
import tracemalloc
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress

import numpy as np
import pytest
import scipy.stats

import reucb
from tests.reucb import child_process
from tests.reucb.oracles import expected_best, optimal_reward

GAUSSIAN = reucb.Bandit(n_arms=5, prior=scipy.stats.norm(1, 0.2), rewards=reucb.Gaussian(sigma=0.5))
UNIFORM = reucb.Bandit(n_arms=2, prior=scipy.stats.uniform(0, 1), rewards=reucb.Bernoulli())
POLICIES = [
    reucb.ReUCB(a=1.0),
    reucb.ReUCB(a=1.0, sigma0_sq=0.04, sigma_sq=0.25),
    reucb.UCB1(sigma_sq=0.25),
    reucb.ReUCBInf(sigma_sq=0.25),
    reucb.GaussianTS(mu0=1.0, sigma0_sq=0.04, sigma_sq=0.25),
]
BERNOULLI = [reucb.ReUCB(a=1.0), reucb.UCB1(sigma_sq=0.25), reucb.BernoulliTS(), reucb.BayesUCB(), reucb.KLUCB()]


@pytest.mark.parametrize("policy", POLICIES, ids=repr)
def test_threads_chunks_and_order_change_no_bit(policy):
    digests = {
        reucb.simulate(GAUSSIAN, policy, 300, 30, 7, executor=threads, chunk=chunk).digest()
        for threads, chunk in [(1, None), (1, 1), (2, 7), (4, 4), (4, 30)]
    }
    with ThreadPoolExecutor(3) as pool:
        digests.add(reucb.simulate(GAUSSIAN, policy, 300, 30, 7, executor=pool, chunk=3).digest())
    assert len(digests) == 1
    assert reucb.simulate(GAUSSIAN, policy, 300, 30, 8).digest() not in digests


def test_runs_do_not_depend_on_how_many_there_are():
    few, many = (reucb.simulate(GAUSSIAN, POLICIES[0], 200, runs, 1) for runs in (5, 20))
    assert many.final[:5].tolist() == few.final.tolist()


def test_policies_on_one_seed_face_the_same_bandits_and_noise():
    """In round 1 every index policy pulls the first arm; UCB1 is ReUCB^inf with a = 8 from beginning to end."""
    first = [reucb.simulate(GAUSSIAN, policy, 1, 50, 4).final.tolist() for policy in POLICIES[:4]]
    assert first.count(first[0]) == 4
    assert len(set(first[0])) > 25
    ucb1 = reucb.simulate(GAUSSIAN, reucb.UCB1(sigma_sq=0.25), 400, 20, 4)
    twin = reucb.simulate(GAUSSIAN, reucb.ReUCBInf(sigma_sq=0.25, a=8.0), 400, 20, 4)
    assert ucb1.final.tolist() == twin.final.tolist()


def test_curves_do_not_depend_on_which_rounds_are_recorded():
    fine = reucb.simulate(GAUSSIAN, POLICIES[0], 100, 8, record=100)
    coarse = reucb.simulate(GAUSSIAN, POLICIES[0], 100, 8, record=[1, 10, 55])
    assert coarse.rounds.tolist() == [1, 10, 55]
    assert coarse.mean.tolist() == fine.mean[[0, 9, 54]].tolist()
    assert coarse.final.tolist() == fine.final.tolist()
    assert (np.diff(fine.mean) >= 0).all()
    assert fine.mean[-1] == fine.final.mean()


@pytest.mark.parametrize("policy", POLICIES, ids=repr)
def test_fewer_rounds_than_arms(policy):
    means = np.linspace(0.0, 1.0, 30)
    bandit = reucb.Bandit(n_arms=30, prior=means, rewards=reucb.Gaussian(sigma=0.1))
    result = reucb.simulate(bandit, policy, 4, 3)
    assert result.rounds.tolist() == [1, 2, 3, 4]
    assert np.isfinite(result.mean).all()
    if not isinstance(policy, reucb.GaussianTS):  # index policies begin with every arm in turn
        assert result.mean == pytest.approx(np.cumsum(1.0 - means[:4]), rel=1e-14)


@pytest.mark.parametrize("policy", POLICIES, ids=repr)
def test_one_arm_has_no_regret(policy):
    bandit = reucb.Bandit(n_arms=1, prior=[3.0], rewards=reucb.Gaussian(sigma=1.0))
    assert not reucb.simulate(bandit, policy, 50, 3).final.any()


def test_a_horizon_beyond_32_bits_is_accepted_but_nothing_is_allocated_for_it():
    """Memory belongs to runs and recorded rounds: 10^4 times the horizon, the same peak."""
    reucb.simulate(GAUSSIAN, POLICIES[2], 10, 1)
    peaks = []
    for horizon in (200, 2_000_000):
        tracemalloc.start()
        reucb.simulate(GAUSSIAN, POLICIES[2], horizon, 2, executor=1)
        peaks.append(tracemalloc.get_traced_memory()[1])
        tracemalloc.stop()
    # one float64 per round would be 16 MB; interpreter noise stays far below 1 MB
    assert peaks[1] < peaks[0] + 1_000_000


def test_provenance_says_what_made_it():
    result = reucb.simulate(GAUSSIAN, POLICIES[1], 20, 3, seed=11)
    assert result.settings["policy"] == POLICIES[1].describe()
    assert result.settings["bandit"] == GAUSSIAN.describe()
    assert (result.settings["horizon"], result.settings["runs"], result.settings["seed"]) == (20, 3, 11)
    assert set(result.versions) == {"reucb", "numpy", "scipy", "numba", "python"}


def test_a_checkpoint_of_other_settings_is_refused(tmp_path):
    reucb.simulate(GAUSSIAN, POLICIES[0], 20, 5, seed=1, checkpoint=tmp_path / "c")
    with pytest.raises(ValueError, match="seed is 1 there and 2 here"):
        reucb.simulate(GAUSSIAN, POLICIES[0], 20, 5, seed=2, checkpoint=tmp_path / "c")
    with pytest.raises(ValueError, match=r"policy\.a is 1\.0 there and 2\.0 here"):
        reucb.simulate(GAUSSIAN, reucb.ReUCB(a=2.0), 20, 5, seed=1, checkpoint=tmp_path / "c")


def test_a_finished_checkpoint_answers_at_once(tmp_path, monkeypatch):
    made = reucb.simulate(GAUSSIAN, POLICIES[0], 200, 9, checkpoint=tmp_path / "c", chunk=2)

    def never(*_):
        raise AssertionError("computed again")

    monkeypatch.setattr("reucb._simulation.executors.run_chunks", never)
    assert reucb.simulate(GAUSSIAN, POLICIES[0], 200, 9, checkpoint=tmp_path / "c").digest() == made.digest()


def shown_on(stderr_reads, stderr_writes, monkeypatch):
    """All that a simulation writes to this stderr, read until the other side is closed."""
    with open(stderr_writes, "w") as stream:
        monkeypatch.setattr("sys.stderr", stream)
        reucb.simulate(GAUSSIAN, POLICIES[2], 50, 5)
    parts = []
    try:
        while part := os.read(stderr_reads, 10_000):
            parts.append(part)
    except OSError:  # a terminal whose other side is closed and empty
        pass
    finally:
        os.close(stderr_reads)
    return b"".join(parts).decode()


def test_progress_on_a_terminal_and_silence_in_a_pipe(monkeypatch):
    assert "5/5 runs  100 %" in shown_on(*os.openpty(), monkeypatch)
    assert shown_on(*os.pipe(), monkeypatch) == ""


def test_a_killed_simulation_finishes_with_the_same_bits(tmp_path):
    """SIGKILL three times; a chunk that was reported done is never computed again."""
    moments, checkpoint, before = random.Random(3), tmp_path / "c", 0
    for _ in range(3):
        process = child_process.start(checkpoint)
        first = int(process.stdout.readline())
        assert first >= before
        for _ in range(moments.randrange(1, 15)):
            child_process.allow(process)
            before = int(process.stdout.readline())
        child_process.allow(process, moments.randrange(8))  # killed somewhere among these chunks
        process.send_signal(signal.SIGKILL)
        shown, _ = process.communicate()
        before = max([before, *map(int, shown.split())])
    assert 0 < before < child_process.RUNS
    process = child_process.start(checkpoint)
    _, errors = process.communicate("\n" * child_process.RUNS)
    assert (process.returncode, errors) == (0, "")
    assert reucb.Result.load(f"{checkpoint}.npz").digest() == child_process.expected().digest()


def test_ctrl_c_stops_soon_and_keeps_the_checkpoint(tmp_path):
    process = child_process.start(tmp_path / "c")
    while int(process.stdout.readline()) == 0:
        child_process.allow(process)
    process.send_signal(signal.SIGINT)
    with suppress(BrokenPipeError):  # a signal just before it began to wait for a line is seen with the line only
        child_process.allow(process)
    reported = 1
    while (line := process.stdout.readline().strip()) != "stopped":
        reported = int(line)
    assert reported < child_process.RUNS  # the rest was not computed
    assert process.communicate()[1] == ""
    done = []
    result = reucb.simulate(
        child_process.BANDIT,
        child_process.POLICY,
        child_process.HORIZON,
        child_process.RUNS,
        child_process.SEED,
        checkpoint=tmp_path / "c",
        progress=lambda runs, _: done.append(runs),
    )
    assert done[0] >= reported
    assert max(done) == child_process.RUNS
    assert result.digest() == child_process.expected().digest()


def test_the_optimal_value_of_one_and_two_rounds():
    """One round: 1/2. Two: stay after a success (2/3), move after a failure (1/2)."""
    assert optimal_reward(1) == 1 / 2
    assert optimal_reward(2) == pytest.approx(1 / 2 + (1 / 2) * (2 / 3) + (1 / 2) * (1 / 2), rel=1e-15)


@pytest.mark.parametrize("policy", BERNOULLI, ids=repr)
def test_no_policy_beats_the_bayes_optimal_one(policy):
    """Dynamic programming gives the least Bayes regret of any policy; each simulation must stay above it.

    False alarm: P(N(0,1) < -5) = 3e-7 per policy. A policy whose regret is 6 standard errors below the optimum, such
    as one that peeks at the means (regret 0), is caught with probability 0.84 and more.
    """
    horizon, runs = 30, 2_000
    least = horizon * expected_best() - optimal_reward(horizon)
    result = reucb.simulate(UNIFORM, policy, horizon, runs, seed=2)
    assert result.mean[-1] + 5 * result.stderr[-1] >= least
    assert least > 11 * result.stderr[-1]  # the test has power: a policy that knows the means would be detected
