"""Estimates of the two variances, sigma0^2 between arms and sigma^2 within, from sufficient statistics."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from reucb._numerics import FloatArray, component_intervals, validation
from reucb._numerics.arguments import Statistics, from_rewards, from_variances
from reucb._numerics.likelihood import maximise

METHODS = ("moments", "anova", "ml", "reml")


class ComponentErrors(NamedTuple):
    """Standard errors; sigma_sq is None where the sampling variances were given."""

    sigma0_sq: FloatArray
    sigma_sq: FloatArray | None


class ComponentIntervals(NamedTuple):
    """(lower, upper) of each variance; sigma_sq is None where the sampling variances were given."""

    sigma0_sq: tuple[FloatArray, FloatArray]
    sigma_sq: tuple[FloatArray, FloatArray] | None


@dataclass(frozen=True, eq=False)
class VarianceComponents:
    """What `variance_components` returns: floats, or arrays of the shape of the batch.

    Attributes
    ----------
    sigma0_sq, sigma_sq
        The estimates, never negative. sigma_sq is None where the sampling variances were given.
    method
        How they were made.
    untruncated
        sigma0_sq before truncation at 0 (anova: may be negative; the others: sigma0_sq itself).
    loglik
        The log-likelihood they reach (ml), the restricted one (reml), None for the quadratic methods.
    stderr
        Standard errors of both.

    Examples
    --------
    >>> import reucb
    >>> vc = reucb.variance_components([5] * 3, [1.0, 2.0, 4.0], [4.0, 6.0, 5.0])
    >>> vc.method, round(float(vc.sigma0_sq), 3), round(float(vc.sigma_sq), 3)
    ('anova', 2.083, 1.25)
    """

    sigma0_sq: FloatArray
    sigma_sq: FloatArray | None
    method: str
    untruncated: FloatArray
    loglik: FloatArray | None = None
    _statistics: Statistics = field(default=None, repr=False)  # type: ignore[assignment]  # None: made by hand

    @property
    def stderr(self) -> ComponentErrors:
        """Standard errors (sigma0_sq, sigma_sq), for Gaussian rewards and fixed counts.

        ml and reml: by the expected information, as metafor and most programs print them. anova and moments: the
        exact standard deviation of the estimate before truncation, with the estimates in place of the truth.

        Examples
        --------
        >>> import reucb
        >>> vc = reucb.variance_components([5] * 3, [1.0, 2.0, 4.0], [4.0, 6.0, 5.0], method="reml")
        >>> print(f"{vc.sigma0_sq:.3f} +- {vc.stderr.sigma0_sq:.3f}")
        2.083 +- 2.336
        """
        given = self._statistics
        data = given.data._replace(restricted=self.method == "reml")
        phi = given.scaled(self.sigma_sq, np.ones(len(data.n)))
        between = given.scaled(self.sigma0_sq)
        if self.method in ("ml", "reml"):
            errors = component_intervals.information_errors(data, between, phi)
        else:
            unbiased = self.method == "anova"
            errors = component_intervals.quadratic_errors(data, between, phi, given.effective, unbiased=unbiased)
        first, second = map(given.shown, errors)
        return ComponentErrors(first, None if data.within is None else second)

    def interval(self, level: float = 0.95) -> ComponentIntervals:
        """Confidence intervals of sigma0_sq and sigma_sq, the same for every method.

        sigma_sq: SSW over quantiles of chi-square with N - K degrees of freedom, exact for Gaussian rewards and fixed
        counts. sigma0_sq: the Q-profile (Viechtbauer 2007, the default of metafor) with F for chi-square quantiles
        where sigma^2 is estimated. Limits are cut at 0; an upper limit of 0 says that the arm means are closer to each
        other than noise alone would have them.

        Parameters
        ----------
        level
            Confidence level, between 0 and 1.

        Returns
        -------
        ComponentIntervals
            (sigma0_sq, sigma_sq), each a pair (lower, upper) of the shape of the batch.

        Raises
        ------
        ValueError, TypeError
            If `level` is not a number strictly between 0 and 1.

        Examples
        --------
        >>> import reucb
        >>> vc = reucb.variance_components([5] * 3, [1.0, 2.0, 4.0], [4.0, 6.0, 5.0], method="reml")
        >>> low, high = vc.interval().sigma0_sq
        >>> print(f"{low:.2f} to {high:.2f}")
        0.35 to 91.91
        """
        level = validation.proportion("level", level)
        given = self._statistics
        between = component_intervals.between_interval(given.data, level)
        shown = given.shown(between[0]), given.shown(between[1])
        if given.data.within is None:
            return ComponentIntervals(shown, None)
        noise = component_intervals.noise_interval(given.data, level)
        return ComponentIntervals(shown, (given.shown(noise[0]), given.shown(noise[1])))


def variance_components(
    counts: ArrayLike | None = None,
    means: ArrayLike | None = None,
    sq_devs: ArrayLike | None = None,
    method: str = "anova",
    *,
    variances: ArrayLike | None = None,
) -> VarianceComponents:
    """Estimates of (sigma0^2, sigma^2) from counts n_k, means r-bar_k and sq_devs_k = sum_j (r_kj - r-bar_k)^2.

    Over the K pulled arms (arms with count 0 carry no information and are left out), with N = sum n_k, u_k = r-bar_k
    minus the mean of all rewards, n_* = N - sum n_k^2 / N, and SSW = sum sq_devs:

      "moments"      sigma^2  = SSW / (N - K)              Eq. variance1, unbiased
                     sigma0^2 = sum n_k u_k^2 / n_*        Eq. variance2 as printed; its expectation is
                                sigma0^2 + (K - 1) sigma^2 / n_*, which is too large
      "anova"        sigma^2 as above
                     sigma0^2 = max(0, (sum n_k u_k^2 - (K - 1) sigma^2) / n_*)
                                Henderson's method 1, unbiased before truncation (`untruncated`): the estimator of
                                DerSimonian and Laird with variances sigma^2 / n_k
      "ml", "reml"   (restricted) maximum likelihood in the Gaussian model, with sigma0^2 = 0 allowed

    With `means` and `variances` alone, the sampling variances v_k of the means are taken as known (meta-analysis, the
    eight-schools case); only sigma0^2 is estimated and sigma_sq is None. "anova" is then the estimator of DerSimonian
    and Laird. "moments" is refused, as it is defined by counts.

    "Unbiased" holds for counts fixed in advance. Where the rewards decide which arm is pulled next, as in a bandit, the
    arm means are biased and so are "moments" and "anova"; a likelihood is the same function of the variances whichever
    rule chose the arms. Take "reml" for data of a bandit.

    Rewards that never vary within an arm (SSW = 0, N > K) give sigma^2 = 0. The likelihood is then unbounded: ml
    and reml give the limit sigma0^2 = sum (r-bar_k - mean)^2 / K, or / (K - 1), and loglik = inf.

    Sums of squares are taken about the data and in units of the data, so a large common mean or rewards near 1e150
    do not reduce the accuracy.

    Parameters
    ----------
    counts, means, sq_devs
        (..., K), arms last; the leading axes are batches.
    method
        "moments", "anova", "ml" or "reml".
    variances
        Known sampling variances of the means, > 0, of the shape of means; instead of counts and sq_devs.

    Returns
    -------
    VarianceComponents
        The estimates, with `interval` and `stderr`.

    Raises
    ------
    ValueError
        A variance cannot be estimated: fewer than two pulled arms (nothing shows how arms differ), or no arm pulled
        twice (noise and differences between arms cannot be separated). Or an argument is out of range.

    Examples
    --------
    >>> import numpy as np
    >>> import reucb
    >>> vc = reucb.variance_components([2, 3, 1], [0.0, 2.0, 3.0], [1.0, 2.5, 0.0], method="reml")
    >>> print(f"{vc.sigma0_sq:.3f} {vc.sigma_sq:.3f}")
    1.468 1.192

    Effects of eight coaching programmes with their standard errors (Rubin 1981):

    >>> effects, errors = [28, 8, -3, 7, -1, 1, 18, 12], np.array([15, 10, 16, 11, 9, 11, 10, 18])
    >>> vc = reucb.variance_components(means=effects, variances=errors**2, method="reml")
    >>> float(vc.sigma0_sq)
    0.0
    >>> print("up to {:.0f}".format(vc.interval().sigma0_sq[1]))
    up to 270
    """
    method = validation.choice("method", method, METHODS)
    if variances is None:
        given = from_rewards(counts, means, sq_devs)
    else:
        _refuse_mixture(counts, sq_devs, method)
        given = from_variances(means, variances)
    data, loglik = given.data, None
    if method in ("ml", "reml"):
        raw, noise, loglik = maximise(data._replace(restricted=method == "reml"))
        loglik = loglik - (given.size - (method == "reml")) * np.log(2.0) * given.unit
    else:
        noise = np.ones(len(data.n)) if data.within is None else data.within / (data.n.sum(-1) - data.arms)
        raw = ((data.n * data.centred**2).sum(-1) - (method == "anova") * (data.arms - 1) * noise) / given.effective
    return VarianceComponents(
        given.shown(np.maximum(raw, 0.0)),
        None if data.within is None else given.shown(noise),
        method,
        given.shown(raw),
        None if loglik is None else given.frozen(loglik),
        given,
    )


def _refuse_mixture(counts: Any, sq_devs: Any, method: str) -> None:
    for name, value in (("counts", counts), ("sq_devs", sq_devs)):
        if value is not None:
            raise ValueError(f"{name} is given together with variances: must be None where the variances are known")
    if method == "moments":
        raise ValueError(
            "method = 'moments': must be one of 'anova', 'ml', 'reml' where the variances are known "
            "(Eq. variance2 is defined by counts)"
        )
