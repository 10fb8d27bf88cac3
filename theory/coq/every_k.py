"""Theorems of the hand-written Coq model, for every number of arms, and the claims of which they are the composition.

The regret theorems among them suppose an explicit list of probabilistic facts, which the ledger proves; so they do not
change the level of a claim, and are shown with it.
"""

from __future__ import annotations

from collections.abc import Mapping

# by claim: the file of the model and the names of its theorems
THEOREMS: Mapping[str, tuple[str, ...]] = {
    "MSE": ("mse.error_variance_blup",),
    "blup": ("mse.blup_best",),
    "compare-tauANDmab/repaired": ("comparison.gain_eq", "comparison.tau_sq_lt_sample_mean"),
    "sec:tau": ("comparison.tau_sq_le_beta",),
    "sec:tau2/repaired": ("comparison.tau_sq_ge",),
    "sec:r0-estimator/sherman-morrison-1": ("matrices.sherman_morrison_scalar",),
    "sec:proof/x-over-log": ("logarithm.lg_ratio",),
    "them-R-Bayes/repaired": ("theorem1.theorem1_part1",),
    "them-R-Bayes/part-2/repaired": ("theorem1.theorem1_part2",),
    "them-R-Bayes-SubR/repaired": ("subgaussian.subgaussian",),
    "them-R-Bayes-SubR/long-horizons/repaired": ("subgaussian.subgaussian_closed",),
    "ours/sum-of-weights": ("weights.Wo_ge", "weights.Wo_le"),
    "ours/sharp": ("regret.regret_sharp",),
    "ours/counting/prices": ("regret.regret_prices",),
    "ours/counting": ("regret.regret_counting",),
    "ours/good-pull": ("good_pull.good_pull",),
}
