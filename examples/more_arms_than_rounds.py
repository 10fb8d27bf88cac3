"""More arms than rounds: pulling every arm once is random play. Let unpulled arms compete, or play a subset."""

import scipy.stats

import reucb

K, N, SIGMA0, SIGMA = 10_000, 2_000, 1.0, 1.0
VARIANCES = {"sigma0_sq": SIGMA0**2, "sigma_sq": SIGMA**2}


def regret(n_arms, policy):
    """Mean regret against the best of the n_arms arms."""
    bandit = reucb.Bandit(n_arms, scipy.stats.norm(0, SIGMA0), reucb.Gaussian(SIGMA))
    return reucb.simulate(bandit, policy, horizon=N, runs=20, seed=0).mean[-1]


m = reucb.subset_size(n_arms=K, horizon=N, a=1.0, **VARIANCES)
missed = reucb.bounds.trivial(n_arms=K, horizon=N, sigma0_sq=1.0) - reucb.bounds.trivial(
    n_arms=m, horizon=N, sigma0_sq=1.0
)  # n sigma_0 (e_K - e_m): regret of the best of m arms against the best of K
print(f"every arm once first  {regret(K, reucb.ReUCB(a=1.0, **VARIANCES)):8.0f}")
print(f'first="index"         {regret(K, reucb.ReUCB(a=1.0, first="index", **VARIANCES)):8.0f}')
print(f"a subset of {m:4d}      {missed + regret(m, reucb.ReUCB(a=1.0, **VARIANCES)):8.0f}")

# Output:
# every arm once first      7705
# first="index"             3483
# a subset of  146          2947
