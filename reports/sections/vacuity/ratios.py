"""Bounds over the parameters: ratio to random play, the largest term, and which bound is the smallest."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from reports.core import bound_table
from reports.core.jobs import Outcome, Settings, Tools
from reucb import bounds

TERMS = {"theorem1": bounds.theorem1_terms, "sharp": bounds.sharp_terms}
SHOWN = (*TERMS, *(("counting",) if "counting" in bound_table.table() else ()))
# What may be the smallest; Theorem 2 is true from n = 2 on, and random play stands for "no bound is below it".
RIVALS = ("random", "theorem1", "sharp", "logarithmic", "counting")
EQUAL = 1e-9


def run(settings: Settings, tools: Tools) -> Outcome:
    """On the grid x x y: bound / random play, and the index of the largest term (formulas with several terms only)."""
    model = model_of(_point(settings))
    if settings["bound"] == "counting":
        return {"ratio": counting_ratio(model), "terms": [], "largest": None}
    terms = TERMS[settings["bound"]](**model)
    names = [name for name in terms if name != "total"]
    shape = np.broadcast_shapes(*(np.shape(value) for value in model.values()))
    largest = np.argmax(np.stack([np.broadcast_to(terms[name], shape) for name in names]), axis=0)
    return {"ratio": np.asarray(terms["total"]) / _play(model), "terms": names, "largest": largest}


def smallest(settings: Settings, tools: Tools) -> Outcome:
    """On the grid: which of RIVALS is the smallest (the first of equal ones), and the ratio of that to random play."""
    model = model_of(_point(settings))
    ratios = np.stack([np.ones_like(_play(model)), *(_ratio(name, model) for name in RIVALS[1:])])
    best = np.argmin(np.where(ratios < 1 - EQUAL, ratios, np.where(ratios <= 1, 1.0, np.inf)), axis=0)
    return {"best": best, "ratio": np.minimum(ratios.min(axis=0), 1.0)}


def _ratio(name: str, model: dict[str, Any]) -> NDArray[np.float64]:
    if name == "counting":
        return counting_ratio(model)
    legal = np.asarray(model["a"]) >= {"theorem1": 1.0, "logarithmic": 2.0}.get(name, 0.0)
    asked = model | {"a": np.where(legal, model["a"], 2.0)}
    found = np.asarray(getattr(bounds, name)(**asked)) / _play(model)
    return np.where(legal & (np.asarray(model["horizon"]) >= 2), found, np.inf)


def counting_ratio(model: dict[str, Any]) -> NDArray[np.float64]:
    """counting / random play, interpolated in the recorded table; exactly 1 for n <= K."""
    rho = np.asarray(model["sigma_sq"], float) / np.asarray(model["sigma0_sq"], float)
    wanted = (model["n_arms"], model["horizon"], rho, model["a"])
    arms, rounds, rho, a = np.broadcast_arrays(*(np.asarray(values, float) for values in wanted))
    found = np.asarray(bounds.sharp(**model) / _play(model))
    for at in np.ndindex(found.shape):
        place = {"arms": arms[at], "rounds": rounds[at] / arms[at], "rho": rho[at], "a": a[at]}
        value = bound_table.interpolate("counting", place) if rounds[at] > arms[at] else 0.0
        found[at] *= np.inf if value is None else np.exp(value)
    return np.where(rounds > arms, found, 1.0)


def _play(model: dict[str, Any]) -> NDArray[np.float64]:
    given = {name: model[name] for name in ("n_arms", "horizon", "sigma0_sq")}
    shape = np.broadcast_shapes(*(np.shape(value) for value in model.values()))
    return np.broadcast_to(np.asarray(bounds.trivial(**given), float), shape)


def _point(settings: Settings) -> dict[str, Any]:
    x, y = settings["x"], settings["y"]
    across, up = np.meshgrid(np.asarray(x["values"]), np.asarray(y["values"]))
    return dict(settings["fixed"]) | {x["name"]: across, y["name"]: up}


def model_of(point: Settings) -> dict[str, Any]:
    """The arguments of a bound from (n_arms, horizon, a, spread), spread = sigma0 / sigma and sigma = 1."""
    return {
        "n_arms": point["n_arms"],
        "horizon": point["horizon"],
        "sigma0_sq": np.square(point["spread"]),
        "sigma_sq": 1.0,
        "a": point["a"],
    }
