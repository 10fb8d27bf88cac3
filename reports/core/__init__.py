"""Shared parts of the report: command line, options and units of work, result store, panels and plotting."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

FloatArray = NDArray[np.float64]
IntArray = NDArray[np.int64]
