"""The parameters of a policy as the engine reads them: codes and numbers, without compiled code."""

from __future__ import annotations

from dataclasses import dataclass
from math import inf, nan

from reucb._engine import codes as c


def check_variances(sigma0_sq: float | None, sigma_sq: object, method: str) -> None:
    """Refuse variances that leave nothing to estimate by, or nothing to choose by."""
    if method in ("ml", "reml") and (sigma0_sq is None) != (sigma_sq is None):
        raise ValueError(
            f"method = {method!r} estimates both variances: give both of sigma0_sq = {sigma0_sq!r} and "
            f"sigma_sq = {sigma_sq!r}, or neither, or use 'moments' or 'anova'"
        )
    least = min(sigma_sq) if isinstance(sigma_sq, tuple) else sigma_sq
    if sigma0_sq == 0 and least == 0:
        raise ValueError(f"sigma0_sq = 0 and sigma_sq = {sigma_sq!r}: at least one must be > 0")


@dataclass(frozen=True)
class Rule:
    """The rule and its parameters as the engine reads them; -1 stands for an unknown variance, nan for unknown mu0."""

    kind: int
    multiplier: int = c.ROOT_LOG
    method: int = c.MOMENTS
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
        if self.kind not in (c.BLUP, c.PLUGIN, c.TS_MODEL):
            return 0
        return 2 if self.method in (c.ML, c.REML) else 1

    @property
    def moments(self) -> bool:
        """Whether squared deviations are kept, from which variances are estimated."""
        return self.kind == c.PLUGIN or (self.kind == c.TS_MODEL and min(self.sigma0_sq, self.sigma_sq) < 0)
