"""All sections in the order of the page; each package lists its own in `SECTIONS`."""

from __future__ import annotations

from collections.abc import Sequence
from importlib import import_module

from reports.core.jobs import Section

HOME = "reports.sections"
# In the order of the page.
PACKAGES = tuple(
    f"{HOME}.{name}"
    for name in (
        "ledger",
        "curves",
        "optimality",
        "two_arms",
        "sweep",
        "bounded_rewards",
        "first_rounds",
        "waterfall",
        "vacuity",
        "coverage",
        "paper_panels",
        "movielens",
        "variance_estimators",
        "wrong_variance",
        "more_arms",
        "unstated_choices",
        "run_times",
        "speed",
    )
)


def sections(packages: Sequence[str] = PACKAGES) -> tuple[Section, ...]:
    """All sections, names and groups free of clashes."""
    found = tuple(section for package in packages for section in import_module(package).SECTIONS)
    names = [section.name for section in found]
    doubled = sorted({name for name in names if names.count(name) > 1})
    if doubled:
        raise ValueError(f"section names must be unique, got twice: {', '.join(doubled)}")
    return found


def choose(found: Sequence[Section], only: Sequence[str]) -> tuple[Section, ...]:
    """The sections whose name or group was asked for; with no names, all of them."""
    known = {section.name for section in found} | {section.group for section in found}
    for name in only:
        if name not in known:
            raise ValueError(f"--only must name a section or a group of {', '.join(sorted(known))}; got {name!r}")
    return tuple(section for section in found if not only or section.name in only or section.group in only)
