"""Pending pulls and ratios of widths, computed by `reucb.blup`."""

from __future__ import annotations

from hypothesis import strategies as st

import reucb
from tests.agreement.arms import DYADIC
from tests.agreement.predictions import COUNTS, MEANS, weight
from tests.agreement.registry import RUNNING, Code, against_code, agree, exactly


@against_code("ours/pending")
def pending(data: st.DataObject, code: Code) -> None:
    """Entering the prediction as a reward leaves every prediction as it was."""
    counts, means = data.draw(COUNTS, "counts"), data.draw(MEANS, "means")
    s0, s = data.draw(DYADIC, "spread"), data.draw(DYADIC, "noise")
    means = means[: len(counts)]
    weights = [weight(c, s, s0) for c in counts]
    centre = sum(w * m for w, m in zip(weights, means, strict=True)) / sum(weights)
    predicted = centre + weights[0] * (means[0] - centre)
    entered = (counts[0] * means[0] + predicted) / (counts[0] + 1)
    averages = [float(entered), *(float(m) for m in means[1:])]
    fit = reucb.blup([counts[0] + 1, *counts[1:]], averages, sigma0_sq=float(s0), sigma_sq=float(s))
    for w, m, mu in zip(weights, means, fit.mu, strict=True):
        agree(code(mu, RUNNING), centre + w * (m - centre))
    agree(code(fit.weights[0]), weight(counts[0] + 1, s, s0))


@against_code("ours/width-ratio")
def width_ratio(data: st.DataObject, code: Code) -> None:
    """tau_I/tau_k >= g(n_I)/g(1) for all pairs of arms: squared, mse_I/mse_k >= (1 + alpha)/(N + alpha)."""
    counts, s0, s = data.draw(COUNTS, "counts"), data.draw(DYADIC, "spread"), data.draw(DYADIC, "noise")
    fit = reucb.blup(counts, [0.0] * len(counts), sigma0_sq=float(s0), sigma_sq=float(s))
    rho = s / s0
    alpha = (len(counts) - 1) * rho / (len(counts) + rho)
    for count, mine in zip(counts, fit.mse, strict=True):
        for other in fit.mse:
            assert not code(mine) * exactly(count + alpha) < code(other) * exactly(1 + alpha)
    agree(code(fit.weights[0]), weight(counts[0], s, s0))
