"""The integers by which compiled code knows rules, rows and scalars, and the rule of a policy in these terms.

Nothing here is compiled: a policy makes its rule without importing Numba.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import inf, nan

# Rules: what an index is made of.
LINEAR = 0  # mu0 + w (mean - mu0) + s_t sd: UCB1, ReUCBInf, Gaussian KL-UCB, Bayes-UCB, ReUCB with all known
BLUP = 1  # ReUCB with known variances, mu0 by GLS
PLUGIN = 2  # ReUCB with estimated variances
KL_BERNOULLI = 3
BAYES_BERNOULLI = 4
TS_GAUSSIAN = 5
TS_BERNOULLI = 6
TS_MODEL = 7  # ReTS: mu0 from its posterior, then every arm given mu0

# The multiplier s_t of LINEAR, BLUP and PLUGIN; for the Bernoulli rules the exploration rate or the tail.
ROOT_LOG = 0  # sqrt(SCALE (log t + LOGLOG log log t))
QUANTILE = 1  # standard normal quantile at level 1 - 1/(t SCALE)

# Estimators of sigma0^2 (and sigma^2).
MOMENTS, ANOVA, ML, REML = 0, 1, 2, 3
METHODS = ("moments", "anova", "ml", "reml")

# state.codes, int64
RULE, MULTIPLIER, METHOD, GROUPED, SUMS, MOMENTS_KEPT, BY_INDEX, STALE = range(8)
# BY_INDEX: an arm never pulled competes with its index. STALE: the arrays were replaced by larger ones.

# state.params, float64
SCALE, LOGLOG, MU0, SIGMA0_SQ, SIGMA_SQ, ALPHA, BETA = range(7)

# state.ints, int64
SLOTS, UNPULLED, ROUNDS, PULLED, LAST, WAITING, N_INTS = range(7)
# UNPULLED: no arm below it can be a first pull. PULLED: arms with a reward. WAITING: pulls without a reward yet.

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
    FIT_TAU_W,
    N_FLOATS,
) = range(14)

# rows of state.slots, float64
(COUNT, TOP, SIZE, WEIGHT, SHRINK, SPREAD, SUM_HI, SUM_LO, SQ_HI, SQ_LO, INDEX, WAIT, MORE, N_ROWS) = range(14)
# WAIT: pending pulls of each arm of the slot. MORE: what they add to the slot's GLS weight.

# columns of state.nodes, int32
CHILD, NEXT, PREV = 0, 1, 2

# columns of state.totals, float64: the sum of an arm's rewards as a pair, and its squared deviations
TOTAL, TOTAL_REST, SQUARES = 0, 1, 2

# in the place of an arm: no arm; an arm that may not be chosen
NONE, OUT = -1, -2


@dataclass(frozen=True)
class Rule:
    """The rule of a policy and its parameters as the engine reads them.

    Parameters
    ----------
    kind, multiplier, method : int
        Codes of the index, of the factor of its width and of the variance estimator (`reucb.engine.codes`).
    scale, loglog : float
        Constants of the width.
    mu0 : float
        Common mean; nan if it is unknown.
    sigma0_sq, sigma_sq : float
        Variances; -1 if unknown.
    alpha, beta : float
        Parameters of the beta prior of Bernoulli Thompson sampling; nan for other rules.
    noise : tuple of float
        Noise variance of each arm, or one for all.
    by_index : bool
        Whether the first rounds, too, choose the arm of the highest index.

    Examples
    --------
    >>> import reucb
    >>> reucb.UCB1(sigma_sq=0.25).rule(3).sigma_sq
    0.25
    """

    kind: int
    multiplier: int = ROOT_LOG
    method: int = MOMENTS
    scale: float = 1.0
    loglog: float = 0.0
    mu0: float = 0.0
    sigma0_sq: float = inf
    sigma_sq: float = -1.0
    alpha: float = nan
    beta: float = nan
    noise: tuple[float, ...] = (-1.0,)
    by_index: bool = False

    @property
    def params(self) -> tuple[float, ...]:
        """The float parameters in the engine's order."""
        return self.scale, self.loglog, self.mu0, self.sigma0_sq, self.sigma_sq, self.alpha, self.beta

    @property
    def sums(self) -> int:
        """Which sums over arms are kept: 0 none, 1 of the means, 2 of their squares as well."""
        if self.kind not in (BLUP, PLUGIN, TS_MODEL):
            return 0
        return 2 if self.method in (ML, REML) else 1

    @property
    def moments(self) -> bool:
        """Whether squared deviations are kept, from which variances are estimated."""
        return self.kind == PLUGIN or (self.kind == TS_MODEL and min(self.sigma0_sq, self.sigma_sq) < 0)
