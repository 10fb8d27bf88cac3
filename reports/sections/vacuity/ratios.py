"""Where a bound says something: its ratio to random play over the plane, and which of its terms is the
largest.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from reports.core.jobs import Outcome, Settings, Tools
from reucb import bounds

TERMS = {"theorem1": bounds.theorem1_terms, "sharp": bounds.sharp_terms, "combined": bounds.combined_terms}


def run(settings: Settings, tools: Tools) -> Outcome:
    """On the grid x x y: bound / random play, and the index of the largest term; None where a theorem is
    silent.
    """
    x, y = settings["x"], settings["y"]
    across, up = np.meshgrid(np.asarray(x["values"]), np.asarray(y["values"]))
    point = settings["fixed"] | {x["name"]: across, y["name"]: up}
    model = model_of(point)
    play = bounds.trivial(**{name: model[name] for name in ("n_arms", "horizon", "sigma0_sq")})
    terms = TERMS[settings["bound"]](**model)
    names = [name for name in terms if name != "total"]
    largest = np.argmax(np.stack([np.broadcast_to(terms[name], across.shape) for name in names]), axis=0)
    return {"ratio": np.asarray(terms["total"]) / np.asarray(play), "terms": names, "largest": largest}


def model_of(point: Settings) -> dict[str, Any]:
    """The arguments of a bound from (n_arms, horizon, a, spread), spread = sigma0 / sigma and sigma = 1."""
    return {
        "n_arms": point["n_arms"],
        "horizon": point["horizon"],
        "sigma0_sq": np.square(point["spread"]),
        "sigma_sq": 1.0,
        "a": point["a"],
    }
