"""How far an index explores in round t, written once: the compiled engine and `Agent.indices` use these functions."""

from __future__ import annotations

from math import log


def rate(t: float, c: float) -> float:
    """log t + c log log t, at least 0; log log t counts as 0 before t = 3."""
    found = log(t)
    if c != 0.0 and t >= 3.0:
        found += c * log(found)
    return found if found > 0.0 else 0.0


def tail(t: float, scale: float) -> float:
    """1/(t scale), at most one half: the posterior probability above the quantile of Bayes-UCB."""
    return min(0.5, 1.0 / (t * scale))
