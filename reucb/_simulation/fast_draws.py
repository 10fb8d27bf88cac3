"""Draws from common scipy distributions without scipy's check of all parameters in every draw, bit-for-bit equal.

That check takes longer than a thousand rounds of a run, and holds the GIL meanwhile.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

_WAYS = {"norm": ("standard_normal",), "uniform": ("random",), "beta": ("beta", "a", "b")}  # name: method, shapes


class FastDraw(NamedTuple):
    """loc + scale X, X drawn by a method of Generator."""

    method: str
    shapes: tuple[float, ...]
    loc: float
    scale: float

    def draw(self, rng: np.random.Generator, size: int) -> NDArray[np.float64]:
        """`size` variates."""
        return np.asarray(getattr(rng, self.method)(*self.shapes, size=size) * self.scale + self.loc)


def fast_draw(name: str, law: Any) -> FastDraw | None:
    """How to draw from scipy's frozen distribution of this name; None unless a trial gives the bits of its `rvs`."""
    if name not in _WAYS:
        return None
    method, *shapes = _WAYS[name]
    given = dict(zip((*shapes, "loc", "scale"), law.args, strict=False)) | law.kwds
    if not all(isinstance(value, (int, float)) for value in given.values()):
        return None
    way = FastDraw(
        method, tuple(float(given[key]) for key in shapes), float(given.get("loc", 0)), float(given.get("scale", 1))
    )
    expected = law.rvs(size=100, random_state=np.random.default_rng(0))
    return way if np.array_equal(way.draw(np.random.default_rng(0), 100), expected) else None
