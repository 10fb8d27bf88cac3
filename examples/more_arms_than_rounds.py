"""More arms than rounds: pulling every arm once is random play. Let unpulled arms compete, or play a subset."""

import scipy.stats

import reucb

K, N, SIGMA0, SIGMA = 10_000, 2_000, 1.0, 1.0
VARIANCES = {"sigma0_sq": SIGMA0**2, "sigma_sq": SIGMA**2}


def regret(n_arms, policy, missed=0.0):
    """Mean regret with its standard error; `missed` is the regret due to arms that are not played."""
    bandit = reucb.Bandit(n_arms, scipy.stats.norm(0, SIGMA0), reucb.Gaussian(SIGMA))
    result = reucb.simulate(bandit, policy, horizon=N, runs=50, seed=0)
    return f"{missed + result.mean[-1]:5.0f} +- {result.stderr[-1]:.0f}"


m = reucb.subset_size(n_arms=K, horizon=N, a=1.0, **VARIANCES)
missed = reucb.bounds.trivial(n_arms=K, horizon=N, sigma0_sq=1.0) - reucb.bounds.trivial(
    n_arms=m, horizon=N, sigma0_sq=1.0
)  # n sigma_0 (e_K - e_m): regret of the best of m arms against the best of K
every_arm_first = reucb.ReUCB(a=1.0, **VARIANCES)
print("every arm once first ", regret(K, every_arm_first))
print('first="index"        ', regret(K, reucb.ReUCB(a=1.0, first="index", **VARIANCES)))
print(f"a subset of {m:4d}     ", regret(m, every_arm_first, missed))

# Output:
# every arm once first   7719 +- 88
# first="index"          3213 +- 175
# a subset of  146       2945 +- 16
