"""The bounds the discussion of Theorem 1 compares with: more information, less structure, none."""

from __future__ import annotations

from typing import Any

import numpy as np

from reucb._numerics.validation import real_array
from reucb.bounds._args import Terms, Value, above_zero, plain, require, setting, together, total
from reucb.bounds.printed import NEEDS, choose_part, first_deviation, root_term, tail_term


def known_mu0_terms(
    *, n_arms: Any, horizon: Any, sigma0_sq: Any, sigma_sq: Any, a: Any, part: int | None = None, strict: bool = True
) -> Terms:
    """The bound with mu0 known, in its terms: `leading`, `tail`, `total`. See `known_mu0`."""
    s = setting(n_arms, horizon, sigma0_sq, sigma_sq, a)
    second = choose_part(s, part, np.ones(()), "the bound with mu0 known" + NEEDS, strict)
    with np.errstate(over="ignore"):
        leading, tail = root_term(s) * np.sqrt(s.sigma0_sq), tail_term(s, second) * first_deviation(s)
        return total(leading=leading, tail=tail)


def known_mu0(
    *, n_arms: Any, horizon: Any, sigma0_sq: Any, sigma_sq: Any, a: Any, part: int | None = None, strict: bool = True
) -> Value:
    """Theorem them-R-Bayes for an agent that knows mu0: beta replaced by 1.

    The printed proof with tilde-tau for tau: the leading term loses sqrt(beta), the tail beta.
    """
    return known_mu0_terms(
        n_arms=n_arms, horizon=horizon, sigma0_sq=sigma0_sq, sigma_sq=sigma_sq, a=a, part=part, strict=strict
    )["total"]


def no_structure_terms(
    *,
    n_arms: Any,
    horizon: Any,
    sigma0_sq: Any,
    sigma_sq: Any,
    a: Any,
    sigma_q_sq: Any,
    part: int | None = None,
    strict: bool = True,
) -> Terms:
    """The bound without the shared mean, in its terms: `leading`, `tail`, `total`. See `no_structure`."""
    spread, prior = together(
        sigma_q_sq=real_array("sigma_q_sq", sigma_q_sq, low=0.0), sigma0_sq=above_zero("sigma0_sq", sigma0_sq)
    )
    return known_mu0_terms(
        n_arms=n_arms, horizon=horizon, sigma0_sq=spread + prior, sigma_sq=sigma_sq, a=a, part=part, strict=strict
    )


def no_structure(
    *,
    n_arms: Any,
    horizon: Any,
    sigma0_sq: Any,
    sigma_sq: Any,
    a: Any,
    sigma_q_sq: Any,
    part: int | None = None,
    strict: bool = True,
) -> Value:
    """`known_mu0` for arms treated as independent draws from N(0, sigma_q^2 + sigma0^2): the shared mean is
    not modelled.

    The discussion prints its leading term; the tail is that of `known_mu0` at the same wider prior.
    """
    return no_structure_terms(
        n_arms=n_arms,
        horizon=horizon,
        sigma0_sq=sigma0_sq,
        sigma_sq=sigma_sq,
        a=a,
        sigma_q_sq=sigma_q_sq,
        part=part,
        strict=strict,
    )["total"]


def classical(*, n_arms: Any, horizon: Any, sigma_sq: Any, a: Any, strict: bool = True) -> Value:
    """The leading term without any prior: twice the widths sqrt(a sigma^2 log t / n_k), summed: 4 sqrt(a
    sigma^2 K n log n).

    With w_k = 1 the index is r-bar_k + sqrt(a sigma^2 log t / n_k). On the event that all intervals hold a
    round costs at most twice the width of the pulled arm; log t <= log n; an arm pulled n_k times adds at
    most sum_{s<n_k} s^{-1/2} <= 2 sqrt(n_k); and sum_k sqrt(n_k) <= sqrt(K n) by Cauchy-Schwarz. It is
    comparable with the `leading` terms of the other bounds, and is what is left of them when sigma0 is
    unknown and arbitrarily large.
    """
    s = setting(n_arms, horizon, 1.0, sigma_sq, a)
    require(s.a >= 1, "the classical width is compared for a >= 1", strict, a=s.a)
    return plain(np.asarray(4 * np.sqrt(s.a) * np.sqrt(s.sigma_sq) * np.sqrt(s.n_arms * s.horizon * np.log(s.horizon))))
