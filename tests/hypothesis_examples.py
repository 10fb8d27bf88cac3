"""Hypothesis profiles, and the number of random examples of a property in each of them."""

from __future__ import annotations

import os

from hypothesis import HealthCheck, settings

ORDINARY = 100  # examples of a property by default; HYPOTHESIS_PROFILE=deep asks for twenty times as many

settings.register_profile(
    "default", deadline=None, derandomize=True, print_blob=True, suppress_health_check=[HealthCheck.too_slow]
)
settings.register_profile("deep", parent=settings.get_profile("default"), max_examples=2_000, derandomize=False)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "default"))


def examples(number: int) -> settings:
    """This many examples by default, and in proportion under another profile."""
    return settings(max_examples=max(1, number * settings().max_examples // ORDINARY))
