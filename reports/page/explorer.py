"""The bound explorer: its sliders, its bounds, and their initial values."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from reports.core import bound_table
from reucb import bounds
from reucb.bounds.combined import without_counting

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
    """One bound: its name in the page and in `reucb.bounds`, and how it is drawn."""

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
    Curve("theorem1", "theorem1", "printed bound", "red", "", True, "Theorem them-R-Bayes as printed"),
    Curve("sharp", "sharp", "sharp, ours", "blue", "", True, "the printed theorem repaired and sharpened, any a"),
    Curve("logarithmic", "logarithmic", "logarithmic, ours", "purple", "8 4", True, "averaged over the gaps"),
    Curve("counting", "counting", "counting, ours", "green", "", True, "counts pulls arm by arm; interpolated"),
    Curve("combined", "combined", "least of ours", "green", "2 3", False, "the least upper bound proved here"),
    Curve("lower", "lower", "every algorithm, from below", "brown", "", True, "lower bound; interpolated"),
    Curve("theorem2", "theorem2", "printed, [0, 1]", "orange", "", False, "Theorem them-R-Bayes-SubR as printed"),
    Curve(
        "theorem2Derived",
        "theorem2_derived",
        "derived, [0, 1]",
        "orange",
        "8 4",
        False,
        "as its proof derives it",
    ),
    Curve(
        "theorem2Repaired",
        "theorem2_repaired",
        "repaired, [0, 1]",
        "teal",
        "",
        False,
        "valid under adaptive sampling",
    ),
    Curve("knownMu0", "known_mu0", "μ₀ known", "brown", "8 4", False, "printed bound with β = 1"),
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
    """A point of the explorer as arguments of `reucb.bounds`."""
    return {
        "n_arms": point["K"],
        "horizon": point["n"],
        "sigma0_sq": point["sigma0"] ** 2,
        "sigma_sq": point["sigma"] ** 2,
        "a": point["a"],
    }


def tabulated(name: str, point: dict[str, float]) -> float | None:
    """A bound of the recorded table at a point; None outside of it."""
    given = arguments(point)
    place = {"arms": point["K"], "rounds": point["n"] / point["K"], "a": point["a"]}
    place["rho"] = given["sigma_sq"] / given["sigma0_sq"]
    if name == "counting" and point["n"] <= point["K"]:
        return float(np.asarray(bounds.trivial(**{key: given[key] for key in ("n_arms", "horizon", "sigma0_sq")})))
    found = bound_table.interpolate(name, place)
    return None if found is None else bound_table.reference(name, given) * float(np.exp(found))


def least(point: dict[str, float]) -> float:
    """The least upper bound: the formulas that sum widths or gaps, and the counting bound where the table has it."""
    others = sum(without_counting(*(float(x) for x in arguments(point).values())))
    counted = tabulated("counting", point)
    return others if counted is None else min(others, counted)


def value(curve: Curve, point: dict[str, float]) -> float | None:
    """The bound at a point; None where its theorem does not apply."""
    if curve.name in bound_table.AXES:
        return tabulated(curve.name, point)
    if curve.name == "combined":
        return least(point)
    given = {name: x for name, x in arguments(point).items() if name in curve.arguments}
    try:
        found: Any = getattr(bounds, curve.function)(**given)
    except ValueError:
        return None
    return float(found)


def table_data() -> dict[str, Any]:
    """The recorded table as the page contains it."""
    record = bound_table.table()
    values = {name: {"values": record[name]["values"]} for name in bound_table.AXES if name in record}
    return {"axes": bound_table.AXES, **values}


def table_error() -> str:
    """The error of the table at random places between its nodes."""
    record = bound_table.table()
    errors = [
        f"{name}: {bound_table.error(record[name])}" if name in record else f"{name}: not made yet"
        for name in bound_table.AXES
    ]
    return "; ".join(errors)


def said(curve: Curve) -> str:
    """The remark on a bound; for an interpolated one with its error."""
    record = bound_table.table().get(curve.name)
    if record is None:
        return curve.says
    return f"{curve.says}, 90 % within {record['usual_error']:.1%}, largest error {record['largest_error']:.0%}"


def margin(curve: Curve) -> str:
    """The 90 % quantile of the error of an interpolated bound; "" for the others."""
    record = bound_table.table().get(curve.name)
    return "" if record is None else f"{record['usual_error']:.1%}"


def at_default() -> dict[str, float | None]:
    """The values that the explorer shows initially, and in print."""
    return {curve.name: value(curve, DEFAULT) for curve in CURVES}
