"""Estimates of the two variances, sigma0^2 between arms and sigma^2 within, from sufficient statistics."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from reucb._engine.codes import METHODS as METHODS
from reucb._numerics import FloatArray, one_way, validation
from reucb._numerics.one_way import OneWay, maximise


class ComponentErrors(NamedTuple):
    """Standard errors; sigma_sq is None where the sampling variances were given."""

    sigma0_sq: FloatArray
    sigma_sq: FloatArray | None


class ComponentIntervals(NamedTuple):
    """(lower, upper) of each variance; sigma_sq is None where the sampling variances were given."""

    sigma0_sq: tuple[FloatArray, FloatArray]
    sigma_sq: tuple[FloatArray, FloatArray] | None


class _Statistics(NamedTuple):
    """The data as rows in units of 2**unit (means) and 4**unit (variances), and the shape of the batch."""

    data: OneWay
    unit: NDArray[Any]
    shape: tuple[int, ...]

    @property
    def size(self) -> FloatArray:
        """Number of observations: rewards, or means with known variances."""
        return np.asarray(self.data.arms if self.data.within is None else self.data.n.sum(-1), dtype=np.float64)

    @property
    def variances(self) -> FloatArray:
        """1/n_k in the units of the user: the sampling variances where they are known."""
        n = self.data.n.reshape(*self.shape, -1)
        return np.asarray(np.ldexp(1 / n, 2 * self.unit.reshape(self.shape)[..., None]))

    @property
    def effective(self) -> FloatArray:
        """n_* = N - sum n_k^2 / N, without cancellation."""
        n, size = self.data.n, self.data.n.sum(-1)
        return np.asarray((n * (size[:, None] - n)).sum(-1) / size)

    def shown(self, variance: FloatArray) -> Any:
        """A variance of each row in the units of the user and the shape of the batch."""
        return self.frozen(np.ldexp(variance, 2 * self.unit))

    def frozen(self, value: FloatArray) -> Any:
        """A number of each row in the shape of the batch, read-only."""
        result = np.asarray(value).reshape(self.shape)
        result.flags.writeable = False
        return result if result.ndim else result[()]

    def scaled(self, variance: Any, missing: FloatArray | None = None) -> FloatArray:
        """The reverse of `shown`; missing stands for None."""
        if variance is None:
            assert missing is not None
            return missing
        return np.asarray(np.ldexp(np.asarray(variance, dtype=np.float64).reshape(-1), -2 * self.unit))


@dataclass(frozen=True, eq=False)
class VarianceComponents:
    """What `variance_components` returns: floats, or arrays of the shape of the batch.

    Attributes
    ----------
    sigma0_sq, sigma_sq
        The estimates, never negative. sigma_sq is None where the sampling variances were given.
    method
        How they were computed.
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
    _statistics: _Statistics | None = field(default=None, repr=False)  # None: not made by `variance_components`

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
        given = statistics_of(self)
        data = given.data._replace(restricted=self.method == "reml")
        phi = given.scaled(self.sigma_sq, np.ones(len(data.n)))
        between = given.scaled(self.sigma0_sq)
        if self.method in ("ml", "reml"):
            errors = one_way.information_errors(data, between, phi)
        else:
            unbiased = self.method == "anova"
            errors = one_way.quadratic_errors(data, between, phi, given.effective, unbiased=unbiased)
        first, second = map(given.shown, errors)
        return ComponentErrors(first, None if data.within is None else second)

    def interval(self, level: float = 0.95) -> ComponentIntervals:
        """Confidence intervals of sigma0_sq and sigma_sq, the same for every method.

        sigma_sq: SSW divided by quantiles of chi-square with N - K degrees of freedom, exact for Gaussian rewards and
        fixed counts. sigma0_sq: the Q-profile interval (Viechtbauer 2007, the default of metafor), with quantiles of F
        in place of chi-square where sigma^2 is estimated. Negative limits are set to 0; an upper limit of 0 means that
        the arm means differ less than expected from noise alone.

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
        given = statistics_of(self)
        between = one_way.between_interval(given.data, level)
        shown = given.shown(between[0]), given.shown(between[1])
        if given.data.within is None:
            return ComponentIntervals(shown, None)
        noise = one_way.noise_interval(given.data, level)
        return ComponentIntervals(shown, (given.shown(noise[0]), given.shown(noise[1])))


def statistics_of(components: VarianceComponents) -> _Statistics:
    """The data from which components were estimated; an error if there are none."""
    found = components._statistics
    if found is None:
        raise ValueError(
            "components: standard errors and intervals need the data; pass a result of variance_components, "
            "not a VarianceComponents constructed directly"
        )
    return found


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
    and Laird. "moments" is not available, as it is defined by counts.

    "Unbiased" holds for counts fixed in advance. Where the rewards decide which arm is pulled next, as in a bandit, the
    arm means are biased and so are "moments" and "anova"; the likelihood is the same function of the variances
    whichever rule chose the arms. Use "reml" for data collected by a bandit.

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
        If an argument is out of range, or a variance cannot be estimated: with fewer than two pulled arms (no
        differences between arms), or no arm pulled twice (noise and differences between arms cannot be separated).

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
        given = _from_rewards(counts, means, sq_devs)
    else:
        _refuse_mixture(counts, sq_devs, method)
        given = _from_variances(means, variances)
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


def _from_rewards(counts: Any, means: Any, sq_devs: Any) -> _Statistics:
    """Counts, means and sums of squared deviations, checked."""
    for name, value in (("counts", counts), ("means", means), ("sq_devs", sq_devs)):
        if value is None:
            raise TypeError(
                f"{name} is missing: must be given, as counts, means and sq_devs, or else means and variances alone"
            )
    n, values = validation.count_array("counts", counts), validation.real_array("means", means, finite=False)
    squares = validation.real_array("sq_devs", sq_devs, finite=False)
    for name, array in (("means", values), ("sq_devs", squares)):
        if n.ndim == 0 or n.shape[-1] == 0 or array.shape != n.shape:
            raise ValueError(
                f"{name} has shape {array.shape}, counts has {n.shape}: must be equal, (..., K) with at least one arm"
            )
    pulled = n > 0
    validation.refuse("means", values, pulled & ~np.isfinite(values), "finite where the count is positive")
    allowed = "finite and >= 0 where the count is positive"
    validation.refuse("sq_devs", squares, pulled & ~(np.isfinite(squares) & (squares >= 0)), allowed)
    allowed = "0 where the count is 1 (one reward is its own mean)"
    validation.refuse("sq_devs", squares, (n == 1) & (squares != 0), allowed)
    _require_estimable(n)
    shape, arms = n.shape[:-1], n.shape[-1]
    squares = np.where(pulled, squares, 0.0).reshape(-1, arms)
    n = n.reshape(-1, arms)
    half = _halves(n, np.where(pulled, values, 0.0).reshape(-1, arms))
    unit = np.frexp(np.maximum(np.abs(half).max(-1), np.sqrt(squares.max(-1) / n.max(-1))))[1] + 1
    within = np.ldexp(squares, -2 * unit[:, None]).sum(-1)
    return _Statistics(OneWay(n, _centred(n, half, unit), within, True), unit, shape)


def _from_variances(means: Any, variances: Any) -> _Statistics:
    """Means with known sampling variances, checked; n_k is 1/v_k."""
    if means is None:
        raise TypeError("means is missing: must be given together with variances")
    values = validation.real_array("means", means)
    noise = validation.real_array("variances", variances)
    if values.ndim == 0 or values.shape[-1] < 2 or noise.shape != values.shape:
        raise ValueError(
            f"variances has shape {noise.shape}, means has {values.shape}: must be equal, (..., K) with at least 2 arms"
        )
    validation.refuse("variances", noise, ~(noise > 0), "finite and > 0")
    shape, arms = values.shape[:-1], values.shape[-1]
    values, noise = values.reshape(-1, arms), noise.reshape(-1, arms)
    half = _halves(1 / np.maximum(noise, 1e-290), values)
    unit = np.frexp(np.maximum(np.abs(half).max(-1), np.sqrt(noise.max(-1))))[1] + 1
    n = 1 / np.maximum(np.ldexp(noise, -2 * unit[:, None]), 1e-290)
    return _Statistics(OneWay(n, _centred(n, half, unit), None, True), unit, shape)


def _require_estimable(n: FloatArray) -> None:
    """Reject data from which a variance cannot be estimated."""
    arms = (n > 0).sum(-1)
    for wrong, why in (
        (arms < 2, "two pulled arms (otherwise sigma0_sq cannot be estimated)"),
        (
            n.max(-1) < 2,
            "an arm pulled twice (otherwise sigma_sq cannot be estimated)",
        ),
    ):
        if wrong.any():
            where, place = validation.first_place(wrong)
            shown = np.array2string(n[where], threshold=8, separator=", ", formatter={"all": "{:.0f}".format})
            raise ValueError(f"counts{place} = {shown}: must have {why}")


def _halves(n: FloatArray, values: FloatArray) -> FloatArray:
    """Half the differences from one datum: exact where data are close, finite where they are extreme."""
    first = n.argmax(-1)[:, None]
    return np.where(n > 0, values / 2 - np.take_along_axis(values, first, -1) / 2, 0.0)


def _centred(n: FloatArray, half: FloatArray, unit: NDArray[Any]) -> FloatArray:
    """The means about their weighted mean, in units of 2**unit."""
    scaled = np.ldexp(half, 1 - unit[:, None])
    scaled = scaled - (n * scaled).sum(-1, keepdims=True) / n.sum(-1, keepdims=True)
    return np.where(n > 0, scaled, 0.0)
