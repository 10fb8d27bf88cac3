"""Which rule should ReUCB follow where its variances cannot be estimated? Prints mean regret at 10^4 rounds.

Two questions the paper leaves open, measured on its own settings with common random numbers:

  start   the rounds in which sigma^2 has no or hardly any replicate behind it (method "moments");
  zero    the rounds in which an unbiased sigma0^2 comes out as 0 (method "anova").

The run is written out here because the rules that are compared are not in the library; only one of each kind is.

Run: python -m benchmarks.start_rule [runs]. The rule taken and the reasons: reucb/_engine/fit.py.
"""

from __future__ import annotations

import math
import sys

import numba
import numpy as np
import scipy.stats

START = ("count as 0", "two pulls each", "greedy to K more", "all variance to 10 more", "all variance as one more")
ZERO = ("ties to lowest", "printed estimate", "floor sigma^2/N", "floor K sigma^2/N", "floor one s.e.", "fewest pulls")
HORIZON = 10_000


@numba.njit(error_model="numpy")
def estimates(start, zero, rounds, arms, within, between, total, n_star):
    """(sigma0^2, sigma^2) under one rule; sigma^2 = 0 makes the index the mean."""
    extra = rounds - arms
    sigma_sq = within / extra if extra > 0 else 0.0
    everything = total / (rounds - 1)
    if start == 2 and extra < arms:
        sigma_sq = 0.0
    if start == 3 and extra < 10:
        sigma_sq = everything
    if start == 4:
        sigma_sq = (within + everything) / (extra + 1)
    if zero < 0:
        return between / n_star, sigma_sq
    sigma0_sq = (between - (arms - 1) * sigma_sq) / n_star
    floor = 0.0
    if zero == 1 and sigma0_sq <= 0:
        floor = between / n_star
    if zero == 2:
        floor = sigma_sq / rounds
    if zero == 3:
        floor = arms * sigma_sq / rounds
    if zero == 4:
        floor = math.sqrt(2.0 * (arms - 1)) * sigma_sq / n_star
    return max(sigma0_sq, floor), sigma_sq


@numba.njit(error_model="numpy")
def regret(mu, sigma, start, zero, horizon, rng):
    """One run of ReUCB, written densely; sigma < 0 means Bernoulli rewards."""
    arms = mu.size
    n, m = np.zeros(arms), np.zeros(arms)
    within, total, grand, lost = 0.0, 0.0, 0.0, 0.0
    for t in range(1, horizon + 1):
        arm, best = 0, -np.inf
        if t <= arms or (start == 1 and t <= 2 * arms):
            arm = (t - 1) % arms
        else:
            rounds = t - 1.0
            squares, between = 0.0, 0.0
            for k in range(arms):
                squares += n[k] * n[k]
                between += n[k] * (m[k] - grand) ** 2
            s0, s = estimates(start, zero, rounds, arms, within, between, total, rounds - squares / rounds)
            precision, mu0 = 0.0, 0.0
            for k in range(arms):
                g = n[k] / (n[k] * s0 + s) if s > 0 else 1.0
                precision += g
                mu0 += g * m[k]
            mu0 /= precision
            for k in range(arms):
                u = m[k]
                if zero == 5 and s0 <= 0:
                    u = -n[k]
                elif s > 0:
                    shrink = s / (n[k] * s0 + s)
                    u = (
                        mu0
                        + n[k] * s0 / (n[k] * s0 + s) * (m[k] - mu0)
                        + math.sqrt(math.log(t) * (s0 * shrink + shrink * shrink / precision))
                    )
                if u > best:
                    arm, best = k, u
        noise = rng.random() if sigma < 0 else rng.standard_normal()
        reward = (1.0 if noise < mu[arm] else 0.0) if sigma < 0 else mu[arm] + sigma * noise
        within += n[arm] / (n[arm] + 1) * (reward - m[arm]) ** 2
        total += (t - 1.0) / t * (reward - grand) ** 2
        grand += (reward - grand) / t
        n[arm] += 1
        m[arm] += (reward - m[arm]) / n[arm]
        lost += mu.max() - mu[arm]
    return lost


SETTINGS = [
    ("N(1, .04)", 50, scipy.stats.norm(1, 0.2), 0.5),
    ("N(1, 1)", 50, scipy.stats.norm(1, 1), 0.5),
    ("U[1, 2]", 50, scipy.stats.uniform(1, 1), 0.5),
    *((f"Bern K={k}", k, scipy.stats.uniform(0.2, 0.3), -1.0) for k in (20, 50, 100)),
]


def row(start: int, zero: int, runs: int) -> list[tuple[float, float]]:
    """Mean regret and its standard error in each setting."""
    cells = []
    for _, arms, prior, sigma in SETTINGS:
        final = [
            regret(
                prior.rvs(arms, random_state=np.random.default_rng([r, 0])),
                sigma,
                start,
                zero,
                HORIZON,
                np.random.default_rng([r, 1]),
            )
            for r in range(runs)
        ]
        cells.append((float(np.mean(final)), float(np.std(final) / math.sqrt(runs))))
    return cells


def main(runs: int) -> None:
    """Print both tables."""
    head = "".join(f"{name:>16}" for name, *_ in SETTINGS)
    tables = (("start (moments)", START, lambda i: (i, -1)), ("zero (anova)", ZERO, lambda i: (0, i)))
    for title, rules, choose in tables:
        print(f"{title:<28}{head}   ({runs} runs)")
        for i, name in enumerate(rules):
            print(
                f"  {name:<26}" + "".join(f"{mean:>10.1f} ±{error:>4.1f}" for mean, error in row(*choose(i), runs)),
                flush=True,
            )


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 200)
