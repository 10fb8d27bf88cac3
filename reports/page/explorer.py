"""The bound explorer's frame: its sliders, its bounds, and their values before anything is moved."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from reucb import bounds

DEFAULT = {"a": 1.0, "K": 50, "n": 10_000, "sigma0": 0.2, "sigma": 0.5}


@dataclass(frozen=True)
class Slider:
    """One parameter on a logarithmic scale."""

    name: str
    label: str
    low: float
    high: float
    whole: bool
    says: str


@dataclass(frozen=True)
class Curve:
    """One bound: its name in the page and in `reucb.bounds`, and how it is told from the others."""

    name: str
    function: str
    label: str
    colour: str
    dash: str
    shown: bool
    says: str
    arguments: tuple[str, ...] = ("n_arms", "horizon", "sigma0_sq", "sigma_sq", "a")


SLIDERS = (
    Slider("a", "a", 0.1, 20, False, "width of the index"),
    Slider("K", "K", 2, 2000, True, "arms"),
    Slider("n", "n", 1, 1e8, True, "rounds"),
    Slider("sigma0", "σ₀", 0.01, 10, False, "spread of the arm means"),
    Slider("sigma", "σ", 0.01, 10, False, "noise of a reward"),
)
CURVES = (
    Curve("trivial", "trivial", "random play", "grey", "2 4", True, "exact", ("n_arms", "horizon", "sigma0_sq")),
    Curve("theorem1", "theorem1", "Theorem 1, printed", "red", "", True, "as printed"),
    Curve("sharp", "sharp", "sharp, ours", "blue", "", True, "Theorem 1 repaired and sharpened, any a"),
    Curve("logarithmic", "logarithmic", "logarithmic, ours", "purple", "8 4", True, "averaged over the gaps"),
    Curve("combined", "combined", "least of ours", "green", "1 0", True, "the least of all proved here"),
    Curve("theorem2", "theorem2", "Theorem 2, printed", "orange", "", False, "as printed, rewards in [0, 1]"),
    Curve(
        "theorem2Derived",
        "theorem2_derived",
        "Theorem 2, derived",
        "orange",
        "8 4",
        False,
        "where its proof arrives",
    ),
    Curve(
        "theorem2Repaired",
        "theorem2_repaired",
        "Theorem 2, repaired",
        "teal",
        "",
        False,
        "survives adaptive sampling",
    ),
    Curve("knownMu0", "known_mu0", "μ₀ known", "brown", "8 4", False, "Theorem 1 with β = 1"),
    Curve(
        "classical",
        "classical",
        "no prior",
        "brown",
        "2 4",
        False,
        "leading term of the classical width",
        ("n_arms", "horizon", "sigma_sq", "a"),
    ),
)


def arguments(point: dict[str, float]) -> dict[str, float]:
    """A point of the explorer in the words of `reucb.bounds`."""
    return {
        "n_arms": point["K"],
        "horizon": point["n"],
        "sigma0_sq": point["sigma0"] ** 2,
        "sigma_sq": point["sigma"] ** 2,
        "a": point["a"],
    }


def value(curve: Curve, point: dict[str, float]) -> float | None:
    """The bound at a point; None where its theorem does not speak."""
    given = {name: x for name, x in arguments(point).items() if name in curve.arguments}
    try:
        found: Any = getattr(bounds, curve.function)(**given)
    except ValueError:
        return None
    return float(found)


def at_default() -> dict[str, float | None]:
    """What the explorer shows before a slider is touched, and all that it shows on paper."""
    return {curve.name: value(curve, DEFAULT) for curve in CURVES}
