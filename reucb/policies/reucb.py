"""ReUCB, the policy of the paper (Algorithm alg:arm-ucb), in all its forms, and its limit w = 1."""

from __future__ import annotations

from dataclasses import dataclass
from math import nan
from typing import Any

from reucb._engine import codes as c
from reucb._engine.codes import Rule
from reucb._numerics import validation
from reucb.policies.base import Policy, check_variances

_SCALES = (1e-300, 1e300)
_LEAST_RATIO = 1e-140  # of two variances of arms that are weighed against each other: weighted sums stay finite


def _noise(value: Any) -> float | tuple[float, ...]:
    """sigma^2: a number, or one per arm as a tuple."""
    if validation.dimensions(value) == 0:
        return validation.variance("sigma_sq", value, zero=True)
    per_arm = tuple(validation.real_array("sigma_sq", value, ndim=1, low=0).tolist())
    if not per_arm:
        raise ValueError("sigma_sq = []: must be one number, or one per arm")
    for k, own in enumerate(per_arm):
        validation.variance(f"sigma_sq[{k}]", own, zero=True)
    return per_arm


@dataclass(frozen=True, repr=False)
class ReUCB(Policy):
    """ReUCB (Algorithm alg:arm-ucb): pull the arm with the highest mu-hat + sqrt(a tau^2 log t) (Eq. blup, Eq. MSE).

    Parameters that are None are estimated from the rewards in every round: mu0 by generalised least squares
    (Eq. r0-estimator), the variances by `method`. `ReUCB()` is the paper's ReUCB; ReUCB* is
    `ReUCB(sigma0_sq=..., sigma_sq=...)`; with mu0 given as well, the index uses Eq. mu-estimator and Eq. MSE-term1.
    Where variances are not known, use "reml": it has the lowest regret with many arms, as the likelihood does not
    depend on how arms were chosen.

    Parameters
    ----------
    a : float
        Scale of the width, from 1e-300 to 1e300.
    mu0 : float, optional
        Mean of the arm means, where known.
    sigma0_sq, sigma_sq : float, optional
        Variance of the arm means and of the noise, where known. `sigma_sq` may hold one variance per arm (appendix
        sec:varying, by exact GLS); sigma0_sq must then be given too. One of them may be given alone with "moments" and
        "anova".
    method : {"moments", "anova", "ml", "reml"}
        "moments" as printed (Eq. variance1, Eq. variance2), "anova" (Henderson's method 1), or (restricted) maximum
        likelihood.
    first : {"each", "index"}
        "each": every arm is pulled once first, as in the paper. "index": an arm never pulled competes with
        mu0-hat + sqrt(a (sigma0^2 + Var(mu0-hat)) log t), its BLUP and error, and wins ties; before the first reward
        the lowest arm is taken. Use "index" for more arms than rounds, or not many fewer: with "each" the choices of
        the first K rounds do not depend on rewards. While the noise variance cannot be estimated it is taken to be 0,
        so an arm is first pulled again when its reward exceeds that index. Use "index" with known variances or with
        "reml": "moments" overestimates sigma0^2 and hardly ever pulls an arm again.

    Raises
    ------
    ValueError, TypeError
        If a parameter is out of range or not a number, or the given variances do not suffice for `method`.

    Notes
    -----
    An estimated sigma0^2 is never taken below sigma^2/N, N the number of rewards so far, for every method: at 0 all
    indices would be equal. That floor, and the rule before the variances can be estimated, are documented with
    measurements in `reucb/_engine/fit.py`.

    Measured regret on N(1, 0.2^2) arms with noise 0.5, a = 1, variances known ("each" is n sigma0 e_K exactly):
    K = n = 1000: 648 against 299.3 +- 0.9 with "index" (20,000 runs; "reml" 316 +- 3, 2,000 runs); K = n = 10^4: 7703
    against 2567 +- 14 (6,000 runs; "reml" 2712 +- 41, 600 runs). The regret varies considerably between runs, as it
    depends on how soon a good arm is found: its standard deviation is 129 and 1095. The mean of a few runs can be off
    by a quarter.

    Examples
    --------
    >>> import reucb
    >>> agent = reucb.ReUCB(sigma0_sq=0.04, sigma_sq=0.25, first="index").start(n_arms=1000)
    >>> for reward in (0.9, 1.0, 2.5):
    ...     agent.update(agent.select(), reward)
    >>> agent.counts[:4], agent.select()
    (array([1, 1, 1, 0]), 2)
    """

    a: float = 1.0
    mu0: float | None = None
    sigma0_sq: float | None = None
    sigma_sq: float | tuple[float, ...] | None = None
    method: str = "moments"
    first: str = "each"

    def __post_init__(self) -> None:
        put = object.__setattr__
        put(self, "a", validation.within("a", self.a, *_SCALES))
        put(self, "method", validation.choice("method", self.method, c.METHODS))
        put(self, "first", validation.choice("first", self.first, ("each", "index")))
        if self.mu0 is not None:
            put(self, "mu0", validation.prior_mean("mu0", self.mu0))
        if self.sigma0_sq is not None:
            put(self, "sigma0_sq", validation.variance("sigma0_sq", self.sigma0_sq, zero=True))
        if self.sigma_sq is not None:
            put(self, "sigma_sq", _noise(self.sigma_sq))
        self._check_together()

    def _check_together(self) -> None:
        check_variances(self.sigma0_sq, self.sigma_sq, self.method)
        if isinstance(self.sigma_sq, tuple) and self.sigma0_sq is None:
            raise ValueError("sigma0_sq = None: must be given when sigma_sq has one value per arm")
        if isinstance(self.sigma_sq, tuple):
            positive = [v for v in (self.sigma0_sq, *self.sigma_sq) if v]
            if min(positive) < _LEAST_RATIO * max(positive):
                raise ValueError(
                    f"sigma0_sq = {self.sigma0_sq!r}, sigma_sq from {min(self.sigma_sq)!r} to {max(self.sigma_sq)!r}: "
                    f"positive variances must be at least {_LEAST_RATIO:g} times the largest one"
                )

    def rule(self, n_arms: int) -> Rule:
        # all known: a linear rule; variances known: BLUP; else they are plugged in
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
            by_index=self.first == "index",
        )


@dataclass(frozen=True, repr=False)
class ReUCBInf(Policy):
    """Pull the arm with the highest mean + sqrt(a sigma^2 log t / n), each arm once first: ReUCB with every weight 1.

    Parameters
    ----------
    sigma_sq : float
        Noise variance, >= 0.
    a : float
        Scale of the width, from 1e-300 to 1e300.

    Raises
    ------
    ValueError, TypeError
        If a parameter is out of range or not a number.

    Examples
    --------
    >>> import reucb
    >>> agent = reucb.ReUCBInf(sigma_sq=0.25).start(n_arms=2)
    >>> agent.update([0, 1, 1], [1.0, 0.0, 0.5])
    >>> agent.indices().round(3)
    array([1.589, 0.666])
    """

    sigma_sq: float
    a: float = 1.0

    def __post_init__(self) -> None:
        object.__setattr__(self, "sigma_sq", validation.variance("sigma_sq", self.sigma_sq, zero=True))
        object.__setattr__(self, "a", validation.within("a", self.a, *_SCALES))

    def rule(self, n_arms: int) -> Rule:
        # a linear rule with w = 1
        return Rule(c.LINEAR, scale=self.a, sigma_sq=self.sigma_sq, noise=(self.sigma_sq,))
