"""Arguments of every bound: checked by name, broadcast together, returned in the shape of the input."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np

from reucb._numerics import BoolArray, FloatArray
from reucb._numerics.validation import count_array, flag, real_array, refuse

Value: TypeAlias = float | FloatArray
Terms: TypeAlias = dict[str, Value]


@dataclass(frozen=True)
class Setting:
    """One problem per entry: arms K, rounds n, variances of effect and noise, width a. All of one shape."""

    n_arms: FloatArray
    horizon: FloatArray
    sigma0_sq: FloatArray
    sigma_sq: FloatArray
    a: FloatArray

    @property
    def rho(self) -> FloatArray:
        """sigma^2 / sigma0^2, the number of pulls after which the rewards of an arm weigh as much as the prior."""
        with np.errstate(over="ignore", under="ignore"):
            return np.asarray(self.sigma_sq / self.sigma0_sq)


def positive_integers(name: str, value: Any) -> FloatArray:
    """Whole numbers from 1 to 2**53 (1e6 is accepted for 1_000_000)."""
    return count_array(name, value, 1)


def above_zero(name: str, value: Any) -> FloatArray:
    """Finite numbers > 0."""
    array = real_array(name, value)
    refuse(name, array, array <= 0, "finite numbers > 0")
    return array


def setting(n_arms: Any, horizon: Any, sigma0_sq: Any, sigma_sq: Any, a: Any) -> Setting:
    """The five arguments, checked one by one and broadcast against each other."""
    arrays = {
        "n_arms": positive_integers("n_arms", n_arms),
        "horizon": positive_integers("horizon", horizon),
        "sigma0_sq": above_zero("sigma0_sq", sigma0_sq),
        "sigma_sq": above_zero("sigma_sq", sigma_sq),
        "a": above_zero("a", a),
    }
    return Setting(*broadcast_together(**arrays))


def broadcast_together(**arrays: FloatArray) -> tuple[FloatArray, ...]:
    """The arrays broadcast against each other; the error message gives shapes that do not broadcast."""
    try:
        return np.broadcast_arrays(*arrays.values())
    except ValueError:
        shapes = ", ".join(f"{name} {array.shape}" for name, array in arrays.items() if array.ndim)
        raise ValueError(f"shapes {shapes}: must broadcast against each other") from None


def require(holds: BoolArray | bool, hypothesis: str, strict: bool, **found: FloatArray) -> None:
    """Raise ValueError with the hypothesis and the first offending values, unless it holds or strict is False."""
    wrong = ~np.atleast_1d(np.asarray(holds))
    if not flag("strict", strict) or not wrong.any():
        return
    first = {name: np.broadcast_to(value, wrong.shape)[wrong][0] for name, value in found.items()}
    shown = ", ".join(f"{name} = {value:.6g}" for name, value in first.items())
    raise ValueError(f"{shown}: {hypothesis} (strict=False evaluates the formula anyway)")


def float_or_array(value: FloatArray) -> Value:
    """A float for scalar input, the array otherwise."""
    return float(value) if np.ndim(value) == 0 else value


def with_total(**terms: FloatArray) -> Terms:
    """The terms as given and their sum under `total`."""
    broadcast = dict(zip(terms, np.broadcast_arrays(*terms.values()), strict=True))
    broadcast["total"] = np.sum(list(broadcast.values()), axis=0)
    return {name: float_or_array(np.array(term)) for name, term in broadcast.items()}


def pointwise(core: Callable[..., tuple[float, ...]], names: tuple[str, ...], *arrays: FloatArray) -> Terms:
    """`core` at every entry of the broadcast arrays, its terms stacked by name, their sum as `total`."""
    points = np.broadcast(*arrays)
    rows = np.array([core(*map(float, point)) for point in points]).reshape(*points.shape, len(names))
    return with_total(**{name: rows[..., i] for i, name in enumerate(names)})
