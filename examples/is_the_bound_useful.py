"""Is the best proved bound useful in my setting? Compare it with random play, a simulation and the lower bound."""

from math import ceil, floor

import scipy.stats

import reucb

SETTINGS = {  # name: (arms, rounds, sd of arm means, sd of the noise)
    "Fig. 1(a) of the paper": (50, 10_000, 0.2, 0.5),
    "few, clearly different arms": (10, 1_000, 1.0, 0.5),
    "click-through rates": (500, 20_000, 0.015, 0.22),
}

print(f"{'setting':28} {'lower':>7} {'regret':>7} {'s.e.':>5} {'upper':>7} {'random':>7}")
for name, (n_arms, horizon, sigma0, sigma) in SETTINGS.items():
    variances = {"sigma0_sq": sigma0**2, "sigma_sq": sigma**2}
    setting = {"n_arms": n_arms, "horizon": horizon, **variances}
    bandit = reucb.Bandit(n_arms, scipy.stats.norm(0, sigma0), reucb.Gaussian(sigma))
    result = reucb.simulate(bandit, reucb.ReUCB(a=1.0, **variances), horizon, runs=100, seed=0)
    lower, upper = reucb.bounds.lower(**setting), reucb.bounds.combined(**setting, a=1.0)
    random = reucb.bounds.trivial(n_arms=n_arms, horizon=horizon, sigma0_sq=sigma0**2)
    verdict = "useful" if upper < random else "vacuous: random play is below it"
    lower, upper = floor(10 * lower) / 10, ceil(10 * upper) / 10  # rounded outwards
    regret = f"{result.mean[-1]:7.1f} {result.stderr[-1]:5.1f}"
    print(f"{name:28} {lower:7.1f} {regret} {upper:7.1f} {random:7.1f}  {verdict}")

# Output:
# setting                        lower  regret  s.e.   upper  random
# Fig. 1(a) of the paper         127.9   224.4  14.8   499.3  4498.1  useful
# few, clearly different arms     16.8    24.1   1.2    48.9  1538.8  useful
# click-through rates             91.1   457.8  18.0  1088.4   911.0  vacuous: random play is below it
