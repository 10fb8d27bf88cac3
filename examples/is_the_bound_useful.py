"""Is the best proved bound useful in my setting? Compare it with random play, a simulation and the lower bound."""

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
    print(f"{name:28} {lower:7.1f} {regret:7.1f} {upper:7.1f} {random:7.1f}  {verdict}")

# Output:
# setting                        lower  regret   upper  random
# Fig. 1(a) of the paper         128.0   197.4   499.2  4498.1  useful
# few, clearly different arms     16.9    24.9    48.8  1538.8  useful
# click-through rates             91.2   452.2  1088.3   911.0  vacuous: random play is below it
