"""The paper's estimators as linear forms in the independent zero-mean effects, seen from arm k.

All are written about mu_0: `direct` is r-bar_k - mu_0, `common` is r0-bar - mu_0, and so on. Weights of the other arms
appear as v; sums over those arms as J (of 1) and Wo (of v), whatever their counts, so an unpulled arm has v = 0.
"""

from __future__ import annotations

import sympy as sp

from theory.model.arms import J, W, Wo, s0, w
from theory.model.moments import Calculus, Form, v

one = sp.Integer(1)
calculus = Calculus(s0, w, {0: J, 1: Wo})

arm_mean = Form(own_effect=one)  # mu_k
direct = Form(own_effect=one, own_noise=one)  # r-bar_k
common = Form(w / W, w / W, v / W, v / W)  # r0-bar, Eq. r0-estimator in the weights w_i
shrunk = w * direct  # mu-tilde_k, Eq. mu-estimator
predicted = w * direct + (1 - w) * common  # mu-hat_k, Eq. blup
error = predicted - arm_mean  # mu-hat_k - mu_k


def common_mean_error(effect: sp.Expr, noise: sp.Expr, rest: sp.Expr) -> sp.Expr:
    """r0-bar - mu_0: effect and noise average of arm k, and the sum of w_i (delta_i + e-bar_i) over the other arms."""
    return (w * (effect + noise) + rest) / W


def prediction_error(effect: sp.Expr, noise: sp.Expr, rest: sp.Expr) -> sp.Expr:
    """mu-hat_k - mu_k, in the same quantities."""
    return (1 - w) * common_mean_error(effect, noise, rest) + w * (effect + noise) - effect
