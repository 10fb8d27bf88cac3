"""ReUCB, the policy of the paper (Algorithm alg:arm-ucb), in all its forms, and its limit w = 1."""

from __future__ import annotations

from dataclasses import dataclass
from math import nan
from typing import Any

import numpy as np

from reucb._engine import codes as c
from reucb._numerics import validation
from reucb.policies.base import Policy
from reucb.policies.rule import Rule

_SCALES = (1e-300, 1e300)
_LEAST_RATIO = 1e-140  # of two variances of arms that are weighed against each other: weighted sums stay finite


def _noise(value: Any) -> float | tuple[float, ...]:
    """sigma^2: a number, or one per arm as a tuple."""
    if np.ndim(value) == 0:
        return validation.variance("sigma_sq", value, zero=True)
    per_arm = tuple(validation.real_array("sigma_sq", value, ndim=1, low=0).tolist())
    if not per_arm:
        raise ValueError("sigma_sq = []: must be one number, or one per arm")
    for k, own in enumerate(per_arm):
        validation.variance(f"sigma_sq[{k}]", own, zero=True)
    return per_arm


@dataclass(frozen=True)
class ReUCB(Policy):
    """Pull the arm with the highest mu-hat + sqrt(a tau^2 log t) (Eq. blup, Eq. MSE), each arm once first.

    What is None is estimated from the rewards, in every round: mu0 by generalised least squares (Eq. r0-estimator),
    the variances by `method`: "moments" as printed (Eq. variance1, Eq. variance2), "anova" (Henderson's method 1),
    "ml" or "reml". ReUCB* of the paper is `ReUCB(sigma0_sq=..., sigma_sq=...)`; mu0 given as well, the index uses
    Eq. mu-estimator and Eq. MSE-term1. `sigma_sq` may hold one variance per arm (appendix sec:varying, by exact GLS);
    sigma0_sq must then be given too. One of the variances may be given alone with "moments" and "anova".

    An estimated sigma0^2 is never taken below sigma^2/N, N the number of rewards so far, whatever the method: at 0 no
    arm could ever stand out again. That floor, and what happens before the variances can be estimated, stands with the
    measurements behind it in `reucb/_engine/fit.py`.
    """

    a: float = 1.0
    mu0: float | None = None
    sigma0_sq: float | None = None
    sigma_sq: float | tuple[float, ...] | None = None
    method: str = "moments"

    def __post_init__(self) -> None:
        put = object.__setattr__
        put(self, "a", validation.within("a", self.a, *_SCALES))
        put(self, "method", validation.choice("method", self.method, c.METHODS))
        if self.mu0 is not None:
            put(self, "mu0", validation.prior_mean("mu0", self.mu0))
        if self.sigma0_sq is not None:
            put(self, "sigma0_sq", validation.variance("sigma0_sq", self.sigma0_sq, zero=True))
        if self.sigma_sq is not None:
            put(self, "sigma_sq", _noise(self.sigma_sq))
        self._check_together()

    def _check_together(self) -> None:
        one = (self.sigma0_sq is None) != (self.sigma_sq is None)
        if one and self.method in ("ml", "reml"):
            raise ValueError(
                f"method = {self.method!r} estimates both variances: give both of sigma0_sq = "
                f"{self.sigma0_sq!r} and sigma_sq = {self.sigma_sq!r}, or neither, or use 'moments' "
                "or 'anova'"
            )
        if isinstance(self.sigma_sq, tuple) and self.sigma0_sq is None:
            raise ValueError("sigma0_sq = None: must be given when sigma_sq has one value per arm")
        if self.sigma0_sq == 0 and np.min(self.sigma_sq if self.sigma_sq is not None else 1.0) == 0:
            raise ValueError(f"sigma0_sq = 0 and sigma_sq = {self.sigma_sq!r}: at least one must be > 0")
        if isinstance(self.sigma_sq, tuple):
            positive = [v for v in (self.sigma0_sq, *self.sigma_sq) if v]
            if min(positive) < _LEAST_RATIO * max(positive):
                raise ValueError(
                    f"sigma0_sq = {self.sigma0_sq!r}, sigma_sq from {min(self.sigma_sq)!r} to {max(self.sigma_sq)!r}: "
                    f"positive variances must be at least {_LEAST_RATIO:g} times the largest one"
                )

    def rule(self, n_arms: int) -> Rule:
        """All known: a linear rule; variances known: BLUP; else they are plugged in."""
        noise = (
            self.sigma_sq if isinstance(self.sigma_sq, tuple) else (-1.0 if self.sigma_sq is None else self.sigma_sq,)
        )
        if len(noise) not in (1, n_arms):
            raise ValueError(f"sigma_sq has {len(noise)} entries: must be one number, or one per arm ({n_arms})")
        known = self.sigma0_sq is not None and self.sigma_sq is not None
        rule = c.PLUGIN if not known else c.BLUP if self.mu0 is None else c.LINEAR
        return Rule(
            rule,
            scale=self.a,
            mu0=nan if self.mu0 is None else self.mu0,
            method=c.METHODS.index(self.method) if not known else c.MOMENTS,
            sigma0_sq=-1.0 if self.sigma0_sq is None else self.sigma0_sq,
            sigma_sq=max(noise),
            noise=noise,
        )


@dataclass(frozen=True)
class ReUCBInf(Policy):
    """Pull the arm with the highest mean + sqrt(a sigma^2 log t / n): ReUCB with every weight 1."""

    sigma_sq: float
    a: float = 1.0

    def __post_init__(self) -> None:
        object.__setattr__(self, "sigma_sq", validation.variance("sigma_sq", self.sigma_sq, zero=True))
        object.__setattr__(self, "a", validation.within("a", self.a, *_SCALES))

    def rule(self, n_arms: int) -> Rule:
        """A linear rule with w = 1."""
        return Rule(c.LINEAR, scale=self.a, sigma_sq=self.sigma_sq, noise=(self.sigma_sq,))
