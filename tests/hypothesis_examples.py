"""The number of random examples of a property, as the Hypothesis profile asks (tests/conftest.py)."""

from __future__ import annotations

from hypothesis import settings

ORDINARY = 100  # examples of a property by default; HYPOTHESIS_PROFILE=deep asks for twenty times as many


def examples(number: int) -> settings:
    """This many examples by default, and in proportion under another profile."""
    return settings(max_examples=max(1, number * settings().max_examples // ORDINARY))
