"""Shrinkage of batting averages, with intervals: 18 players, 45 at bats each (Efron & Morris 1975).

The prediction pulls each average towards the common mean; the interval allows for the estimated variances. The last
column is the average over the rest of the season, which the prediction did not see.
"""

import numpy as np

import reucb

PLAYERS = [
    ("Clemente", 18, 0.346), ("F. Robinson", 17, 0.298), ("F. Howard", 16, 0.276), ("Johnstone", 15, 0.222),
    ("Berry", 14, 0.273), ("Spencer", 14, 0.270), ("Kessinger", 13, 0.263), ("L. Alvarado", 12, 0.210),
    ("Santo", 11, 0.269), ("Swoboda", 11, 0.230), ("Unser", 10, 0.264), ("Williams", 10, 0.256),
    ("Scott", 10, 0.303), ("Petrocelli", 10, 0.264), ("E. Rodriguez", 10, 0.226), ("Campaneris", 9, 0.286),
    ("Munson", 8, 0.316), ("Alvis", 7, 0.200),
]  # fmt: skip
AT_BATS = 45

names, hits, season = zip(*PLAYERS, strict=True)
counts, averages = np.full(len(hits), AT_BATS), np.array(hits) / AT_BATS
sq_devs = AT_BATS * averages * (1 - averages)  # hits are 0 or 1
vc = reucb.variance_components(counts, averages, sq_devs, method="reml")
fit = reucb.blup(counts, averages, components=vc)
lower, upper = fit.interval(0.95)

print(f"sd between players {vc.sigma0_sq**0.5:.3f}, sd of one at bat {vc.sigma_sq**0.5:.3f}")
for i in (0, 9, 17):
    interval = f"[{lower[i]:.3f}, {upper[i]:.3f}]"
    print(f"{names[i]:10} {averages[i]:.3f} -> {fit.mu[i]:.3f}  {interval}  season {season[i]:.3f}")
error, raw = np.abs(fit.mu - season).mean(), np.abs(averages - season).mean()
print(f"mean absolute error: {raw:.3f} for the averages, {error:.3f} for the predictions")
print(f"{np.sum((lower <= season) & (season <= upper))} of {len(season)} intervals contain the season average")

# Output:
# sd between players 0.023, sd of one at bat 0.441
# Clemente   0.400 -> 0.280  [0.232, 0.414]  season 0.346
# Swoboda    0.244 -> 0.263  [0.175, 0.337]  season 0.230
# Alvis      0.156 -> 0.254  [0.131, 0.305]  season 0.200
# mean absolute error: 0.055 for the averages, 0.026 for the predictions
# 17 of 18 intervals contain the season average
