"""The integers by which compiled code knows rules, rows and scalars."""

from __future__ import annotations

# Rules: what an index is made of.
LINEAR = 0  # mu0 + w (mean - mu0) + s_t sd: UCB1, ReUCBInf, Gaussian KL-UCB, Bayes-UCB, ReUCB with all known
BLUP = 1  # ReUCB with known variances, mu0 by GLS
PLUGIN = 2  # ReUCB with estimated variances
KL_BERNOULLI = 3
BAYES_BERNOULLI = 4
TS_GAUSSIAN = 5
TS_BERNOULLI = 6

# The multiplier s_t of LINEAR, BLUP and PLUGIN; for the Bernoulli rules the exploration rate or the tail.
ROOT_LOG = 0  # sqrt(SCALE (log t + LOGLOG log log t))
QUANTILE = 1  # standard normal quantile at level 1 - 1/(t SCALE)

# Estimators of sigma0^2 (and sigma^2).
MOMENTS, ANOVA, ML, REML = 0, 1, 2, 3
METHODS = ("moments", "anova", "ml", "reml")

# state.codes, int64
RULE, MULTIPLIER, METHOD, GROUPED, SUMS, MOMENTS_KEPT, N_CODES = range(7)

# state.params, float64
SCALE, LOGLOG, MU0, SIGMA0_SQ, SIGMA_SQ, ALPHA, BETA, N_PARAMS = range(8)

# state.ints, int64
SLOTS, UNPULLED, ROUNDS, PULLED, LAST, N_INTS = range(6)

# state.floats, float64: running sums kept as unevaluated pairs (high, low part)
(
    CENTER,
    TOTAL_HI,
    TOTAL_LO,
    WITHIN_HI,
    WITHIN_LO,
    ALL_HI,
    ALL_LO,
    CROSS,
    FIT_MU0,
    FIT_SIGMA0_SQ,
    FIT_SIGMA_SQ,
    FIT_W,
    N_FLOATS,
) = range(13)

# rows of state.slots, float64
(COUNT, TOP, SIZE, WEIGHT, SHRINK, SPREAD, SUM_HI, SUM_LO, SQ_HI, SQ_LO, INDEX, N_ROWS) = range(12)

# columns of state.nodes, int32
CHILD, NEXT, PREV = 0, 1, 2
