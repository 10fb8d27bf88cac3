"""A bound on the Bayes regret of ReUCB* for rewards in [0, 1] and any prior of the means without atoms."""

from __future__ import annotations

from typing import Any

from reucb._numerics.validation import choice, integer, positive
from reucb._simulation.progress import Report, reporting
from reucb.bounds._args import Terms
from reucb.bounds.subgaussian import theorem2_repaired

REWARDS = ("bernoulli", "any")


def bounded_terms(
    prior: Any,
    *,
    n_arms: int,
    horizon: int,
    sigma0_sq: float,
    sigma_sq: float,
    a: float,
    rewards: str = "bernoulli",
    progress: bool | Report | None = None,
) -> Terms:
    """The terms of the bound `bounded` before it is compared with `theorem2_repaired`.

    Parameters
    ----------
    prior : scipy.stats frozen distribution
        Continuous, within [0, 1]: the law of the mean of each arm.
    n_arms, horizon : int
        Number of arms K and number of rounds n.
    sigma0_sq, sigma_sq, a : float
        The variances and the constant of the index that ReUCB* uses.
    rewards : {"bernoulli", "any"}, optional
        Rewards 0 and 1, or any law on [0, 1] given the mean.
    progress : None, bool or callable, optional
        As in `simulate`.

    Returns
    -------
    dict
        `initial`: rounds 1..K, K (E mu_* - E mu). `good`: pulls of arms whose own rewards explain their index.
        `bad`: rounds in which the index of the best arm is too low. `capped`: layers of means so close to the best that
        every round is counted. `total`: their sum.

    Raises
    ------
    ValueError, TypeError
        If the prior is not a frozen continuous distribution within [0, 1], or a number is out of range.

    Examples
    --------
    >>> import reucb
    >>> import scipy.stats
    >>> setting = dict(n_arms=3, horizon=3, sigma0_sq=1 / 12, sigma_sq=0.25, a=1.0)
    >>> terms = reucb.bounds.bounded_terms(scipy.stats.uniform(), **setting)
    >>> {name: round(value, 3) for name, value in terms.items()}
    {'initial': 0.75, 'good': 0.0, 'bad': 0.0, 'capped': 0.0, 'total': 0.75}
    """
    from reucb.bounds.bounded.layers import after_start
    from reucb.bounds.bounded.setting import BoundedSetting, checked_prior

    law = checked_prior(prior)
    setting = BoundedSetting(
        integer("n_arms", n_arms, 1),
        integer("horizon", horizon, 1),
        positive("sigma0_sq", sigma0_sq),
        positive("sigma_sq", sigma_sq),
        positive("a", a),
        choice("rewards", rewards, REWARDS) == "bernoulli",
    )
    initial = min(setting.n_arms, setting.horizon) * law.gain(setting.n_arms)
    later = {"good": 0.0, "bad": 0.0, "capped": 0.0}
    with reporting(progress, "cells") as report:
        if setting.horizon > setting.n_arms > 1:
            later = after_start(law, setting, report)
    return {"initial": initial, **later, "total": initial + sum(later.values())}


def bounded(
    prior: Any,
    *,
    n_arms: int,
    horizon: int,
    sigma0_sq: float,
    sigma_sq: float,
    a: float,
    rewards: str = "bernoulli",
    progress: bool | Report | None = None,
) -> float:
    """A bound on the Bayes regret of ReUCB* after `horizon` rounds, for rewards in [0, 1].

    The means of the arms are independent draws from `prior`; given them all rewards are independent. ReUCB* pulls each
    arm once and then an arm of largest mu-hat_k + sqrt(a log t) tau_k, computed with sigma0_sq and sigma_sq, which
    need not be the variances of prior and rewards. With y the best mean and F_y the prior cut at y:

        R_n <= K (E mu_* - E mu) + E int_{l < y} min(n - K, min_{z >= l} (K - 1) E_{F_y}[M_z(mu) 1{mu < l}] + B_z) dl

    M_z(mu) bounds the pulls of an arm of mean mu while its index, with log n for log t, is at least z; B_z bounds the
    rounds in which all indices are below z. The rewards of the other arms enter an index through a weighted mean; a
    product of optimal stopping values of the single arms bounds it in all rounds at once, however arms are chosen.

    Parameters
    ----------
    prior
        A frozen continuous scipy.stats distribution within [0, 1], the law of each arm's mean.
    n_arms, horizon
        K and n.
    sigma0_sq, sigma_sq, a
        The numbers that ReUCB* is given.
    rewards
        "bernoulli": 0 or 1. "any": any law on [0, 1] given the mean; nothing else has to be known.
    progress
        As in `simulate`: None shows a line on a terminal.

    Returns
    -------
    float
        A bound, not an approximation of one: every sum and integral is evaluated from above, with an allowance for
        rounding errors (1e-9 of the value). The cdf and sf of the prior are assumed to have a relative accuracy of
        1e-12. The value is at most n (E mu_* - least mean). Random play, n (E mu_* - E mu), is not known to be a bound
        and is not used.

    Raises
    ------
    ValueError, TypeError
        For a prior that is not within [0, 1], is discrete, not frozen or has atoms, and for numbers out of range.

    Examples
    --------
    >>> import reucb, scipy.stats
    >>> setting = dict(n_arms=3, horizon=200, sigma0_sq=1 / 12, sigma_sq=0.25, a=1.0)
    >>> 5 < reucb.bounds.bounded(scipy.stats.uniform(), **setting) < 60
    True
    """
    terms = bounded_terms(
        prior,
        n_arms=n_arms,
        horizon=horizon,
        sigma0_sq=sigma0_sq,
        sigma_sq=sigma_sq,
        a=a,
        rewards=rewards,
        progress=progress,
    )
    total = float(terms["total"])
    low, high = map(float, prior.support())
    if (high - low) ** 2 > 4 * sigma0_sq or sigma_sq < 0.25:
        return total
    # By Hoeffding's lemma means and rewards are sub-Gaussian with these variances.
    known = theorem2_repaired(n_arms=n_arms, horizon=horizon, sigma0_sq=sigma0_sq, sigma_sq=sigma_sq, a=a)
    return min(total, float(known))
