"""Policies: frozen descriptions; an agent is the live state of one."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields
from typing import Any

from reucb.policies.base import Policy
from reucb.policies.reucb import ReUCB, ReUCBInf
from reucb.policies.thompson import BernoulliTS, GaussianTS, ReTS
from reucb.policies.ucb import KLUCB, UCB1, BayesUCB

__all__ = [
    "KLUCB",
    "UCB1",
    "BayesUCB",
    "BernoulliTS",
    "GaussianTS",
    "Policy",
    "ReTS",
    "ReUCB",
    "ReUCBInf",
    "policy_from",
]

_KINDS: dict[str, type[Policy]] = {
    kind.__name__: kind for kind in (ReUCB, ReTS, ReUCBInf, UCB1, GaussianTS, BernoulliTS, BayesUCB, KLUCB)
}


def policy_from(description: Mapping[str, Any]) -> Policy:
    """Make a policy from its description.

    Parameters
    ----------
    description : mapping
        What `policy.describe()` returns; it may have been written to JSON and read again.

    Returns
    -------
    Policy
        A policy equal to the described one.

    Raises
    ------
    ValueError, TypeError
        If the description is not that of a policy, or a parameter is unknown or not allowed.

    Examples
    --------
    >>> import reucb
    >>> from reucb.policies import policy_from
    >>> policy_from({"policy": "UCB1", "sigma_sq": 0.25})
    UCB1(sigma_sq=0.25)
    """
    if not isinstance(description, Mapping) or "policy" not in description:
        raise ValueError(f"description = {description!r}: must be what policy.describe() gives")
    name = description["policy"]
    if name not in _KINDS:
        raise ValueError(f"policy = {name!r}: must be one of {', '.join(_KINDS)}")
    values = {key: tuple(v) if isinstance(v, list) else v for key, v in description.items() if key != "policy"}
    unknown = set(values) - {f.name for f in fields(_KINDS[name])}
    if unknown:
        raise ValueError(f"{name} has no parameter {sorted(unknown)[0]!r}")
    return _KINDS[name](**values)
