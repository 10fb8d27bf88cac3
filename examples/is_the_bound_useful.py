"""Is the best proved bound useful in my setting? Compare it with random play, a simulation and the lower bound."""

from math import ceil, floor

import scipy.stats

import reucb

SETTINGS = {  # name: (arms, rounds, sd of arm means, sd of the noise)
    "Fig. 1(a) of the paper": (50, 10_000, 0.2, 0.5),
    "few, clearly different arms": (10, 1_000, 1.0, 0.5),
    "click-through rates": (500, 20_000, 0.015, 0.22),
}

print(f"{'setting':28} {'lower':>7} {'regret':>7} {'upper':>7} {'random':>7}")
for name, (n_arms, horizon, sigma0, sigma) in SETTINGS.items():
    variances = {"sigma0_sq": sigma0**2, "sigma_sq": sigma**2}
    setting = {"n_arms": n_arms, "horizon": horizon, **variances}
    bandit = reucb.Bandit(n_arms, scipy.stats.norm(0, sigma0), reucb.Gaussian(sigma))
    regret = reucb.simulate(bandit, reucb.ReUCB(a=1.0, **variances), horizon, runs=50, seed=0).mean[-1]
    lower, upper = reucb.bounds.lower(**setting), reucb.bounds.combined(**setting, a=1.0)
    random = reucb.bounds.trivial(n_arms=n_arms, horizon=horizon, sigma0_sq=sigma0**2)
    verdict = "useful" if upper < random else "vacuous: random play is below it"
    rounded = floor(10 * lower) / 10, regret, ceil(10 * upper) / 10, random  # bounds outwards
    print(f"{name:28} " + " ".join(f"{x:7.1f}" for x in rounded) + f"  {verdict}")

# Output:
# setting                        lower  regret   upper  random
# Fig. 1(a) of the paper         127.9   197.4   499.3  4498.1  useful
# few, clearly different arms     16.8    24.9    48.9  1538.8  useful
# click-through rates             91.1   452.2  1088.4   911.0  vacuous: random play is below it
