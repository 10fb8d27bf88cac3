"""Time of `import reucb` in a fresh interpreter."""

from __future__ import annotations

import subprocess
import sys
import time
from collections.abc import Iterator
from typing import Any


def measure(quick: bool) -> Iterator[dict[str, Any]]:
    """Least wall seconds over several interpreters, with the interpreter's own start taken off."""

    def least(code: str) -> float:
        times = []
        for _ in range(3 if quick else 8):
            begin = time.perf_counter()
            subprocess.run([sys.executable, "-c", code], check=True)
            times.append(time.perf_counter() - begin)
        return min(times)

    start = least("pass")
    for what in ("import numpy", "import reucb", "import reucb; reucb.simulate; reucb.ReUCB"):
        yield {"what": what, "seconds": least(what) - start}
