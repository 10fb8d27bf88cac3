"""The tables of NumPy's ziggurat for normals: 256 layers of equal area under exp(-x^2/2).

A word of the stream gives a layer (8 bits), a sign and a size (52 bits): x = size * WIDTHS[layer], taken at once when
size < EDGES[layer]. Numba holds the tables in a module it does not document. Where that is missing, the
tables are computed from NumPy: a generator is set to states whose next words are chosen, and its variates give them.
"""

from __future__ import annotations

import importlib
from typing import Any

import numpy as np
from numpy.random import PCG64, Generator
from numpy.typing import NDArray

RADIUS, INVERSE = 3.6541528853610087963519472518, 0.27366123732975827203338247596  # where the tail begins; 1/that
MULTIPLIER = (2549297995355413924 << 64) + 4865540595714422341  # of PCG64

_ALL = (1 << 128) - 1
_BACK = pow(MULTIPLIER, -1, 1 << 128)

Tables = tuple[NDArray[np.uint64], NDArray[np.float64], NDArray[np.float64]]


def known() -> Tables:
    """Edges, widths and heights as Numba holds them."""
    source: Any = importlib.import_module("numba.np.random._constants")
    return source.ki_double, source.wi_double, source.fi_double


def probed() -> Tables:
    """Edges and widths as NumPy shows them, to the bit; heights exp(-x^2/2), to the last but one.

    A height decides only where a word falls into the sliver outside its edge, and there one ulp of it matters once in
    10^15 times: once in 10^17 normals.
    """
    rng = Generator(PCG64(0))
    inner = rng.bit_generator.state
    step = inner["state"]["inc"]

    def draw(word: int) -> tuple[float, bool]:
        """The normal that begins with this word, and whether the word alone decided it."""
        inner["state"]["state"] = (word - step) * _BACK & _ALL  # one step later: (0, word), put out as it is
        rng.bit_generator.state = inner
        value = float(rng.standard_normal())
        return value, bool(rng.bit_generator.state["state"]["state"] == word)

    edges = np.zeros(256, dtype=np.uint64)
    widths = np.array([draw(layer | 1 << 9)[0] for layer in range(256)])
    for layer in range(256):
        low, high = 0, 1 << 52  # sizes below low are taken at once, sizes from high on are not
        while low < high:
            middle = (low + high) // 2
            if draw(layer | middle << 9)[1]:
                low = middle + 1
            else:
                high = middle
        edges[layer] = low
    heights = np.exp(-0.5 * (widths * 2.0**52) ** 2)
    heights[0] = 1.0  # the layer of the tail
    return edges, widths, heights


def tables() -> Tables:
    """(edges, widths, heights) of the 256 layers."""
    try:
        return known()
    except (ImportError, AttributeError):
        return probed()


EDGES, WIDTHS, HEIGHTS = tables()
