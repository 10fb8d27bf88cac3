"""Values of every kind for every argument: refused in one short line that names an argument, or accepted, no nan."""

from __future__ import annotations

from collections.abc import Callable
from decimal import Decimal
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
import scipy.stats

import reucb
from reucb import bounds
from tests.reucb._numerics.test_validation import Unprintable

LONGEST_MESSAGE = 400


class Endless:
    """A value whose repr fills the screen."""

    def __repr__(self) -> str:
        return "x" * 100_000


def nested(depth: int) -> list[Any]:
    value: list[Any] = []
    for _ in range(depth):
        value = [value]
    return value


VALUES: list[Any] = [
    None, True, 0, -1, 3, 10**400, -(10**400), 2**63, 1e308, -1e308, 5e-324, float("nan"), float("inf"),
    "1", "x" * 100_000, b"1", 1j, [], [[]], [1, [2]], (), {}, set(), object(), Unprintable(), Endless(), nested(5_000),
    np.float32(1e38), np.longdouble("1e4000"), np.uint64(2**64 - 1), np.bool_(True), np.array(1), np.array([np.nan]),
    np.array(["1"]), np.array([1 + 0j]), np.datetime64("2020"), np.timedelta64(3, "s"), np.zeros((0, 3)),
    np.ma.array([1, 2, 3], mask=[False, True, False]), np.array([(1, 2.0)], dtype=[("a", int), ("b", float)]),
    Fraction(1, 3), Fraction(10**400), Decimal("sNaN"), slice(3), Ellipsis, NotImplemented,
]  # fmt: skip

SETTING = {"n_arms": 5, "horizon": 50, "sigma0_sq": 0.5, "sigma_sq": 1.0, "a": 2.0}
BANDIT = reucb.Bandit(3, scipy.stats.norm(0, 1), reucb.Gaussian(1.0))
MEANS: dict[str, Any] = {"counts": [1, 2, 3], "means": [0.1, 0.2, 0.3]}
STATISTICS: dict[str, Any] = {**MEANS, "sq_devs": [0.0, 1.0, 1.0]}
KNOWN = {"mu0": 0.0, "sigma0_sq": 1.0, "sigma_sq": 1.0}


def of_agent(method: str) -> Callable[..., Any]:
    """A method of an agent that has seen some rewards, which must be as it was if the call is refused."""

    def call(**arguments: Any) -> Any:
        agent = reucb.ReUCB().start(counts=[3, 1, 2], means=[0.5, 0.25, 1.0], sq_devs=[1.0, 0.0, 1.0], seed=0)
        before = agent.state()
        try:
            return getattr(agent, method)(**arguments)
        except (ValueError, TypeError):
            assert agent.state() == before
            raise

    return call


CALLS: dict[str, tuple[Callable[..., Any], dict[str, Any]]] = {
    "blup": (reucb.blup, {**MEANS, **KNOWN, "components": None}),
    "variance_components": (reucb.variance_components, {**STATISTICS, "method": "anova"}),
    "ReUCB": (reucb.ReUCB, {**KNOWN, "a": 1.0, "method": "reml", "first": "each"}),
    "ReTS": (reucb.ReTS, {**KNOWN, "method": "reml"}),
    "BayesUCB": (reucb.BayesUCB, {"alpha": 1.0, "beta": 1.0, "c": 0.0, "horizon": 10}),
    "KLUCB": (reucb.KLUCB, {"sigma_sq": 1.0, "c": 0.0}),
    "start": (reucb.ReUCB().start, {**STATISTICS, "seed": 0}),
    "start empty": (reucb.UCB1(1.0).start, {"n_arms": 3, "seed": 0}),
    "resume": (reucb.UCB1(1.0).resume, {"state": None}),
    "Bandit": (reucb.Bandit, {"n_arms": 3, "prior": [0.0, 1.0, 2.0], "rewards": reucb.Gaussian(1.0)}),
    "ClippedGaussian": (reucb.ClippedGaussian, {"sigma": 1.0, "low": 0.0, "high": 1.0}),
    "play": (reucb.play, {"bandit": BANDIT, "policy": reucb.UCB1(1.0), "horizon": 10, "seed": 0}),
    "simulate": (
        reucb.simulate,
        {"bandit": BANDIT, "policy": reucb.UCB1(1.0), "horizon": 10, "runs": 2, "seed": 0, "record": 5, "chunk": 1}
        | {"executor": 1, "progress": False, "checkpoint": None},
    ),
    "Result.load": (reucb.Result.load, {"path": None}),
    "update": (of_agent("update"), {"arm": 1, "reward": 1.0}),
    "update batch": (of_agent("update"), {"arm": [1, 2], "reward": [1.0, 2.0]}),
    "select": (of_agent("select"), {"size": 2, "among": [1, 2], "distinct": False}),
    "forget": (of_agent("forget"), {"arms": []}),
    "retire": (of_agent("retire"), {"arms": [1]}),
    "add_arms": (of_agent("add_arms"), {"n": 1}),
    "interval": (reucb.variance_components(**STATISTICS, method="reml").interval, {"level": 0.95}),
    "theorem1": (bounds.theorem1, {**SETTING, "part": 1, "strict": False}),
    "theorem2_derived": (bounds.theorem2_derived, {**SETTING, "part": 1, "strict": False}),
    "logarithmic": (bounds.logarithmic, {**SETTING, "b": 1.0, "strict": False}),
    "sharp": (bounds.sharp, SETTING),
    "trivial": (bounds.trivial, {"n_arms": 5, "horizon": 50, "sigma0_sq": 0.5}),
}  # fmt: skip
PAIRS = [(name, argument) for name, (_, arguments) in CALLS.items() for argument in arguments]
# Addresses are Dask's business, and file names the system's.
TEXTS = {("simulate", "executor"), ("simulate", "checkpoint"), ("Result.load", "path")}

NEEDY = {"resume", "Result.load"}  # what is given above is itself refused


def numbers(found: Any) -> np.ndarray:
    """All numbers of a result that is made of some."""
    return np.asarray(found, dtype=float) if isinstance(found, (float, np.ndarray)) else np.zeros(0)


@pytest.mark.parametrize(("name", "argument"), PAIRS, ids=map(" ".join, PAIRS))
def test_refused_in_one_short_line_or_accepted(name: str, argument: str) -> None:
    call, arguments = CALLS[name]
    if name not in NEEDY:
        call(**arguments)
    for value in VALUES:
        if isinstance(value, str) and (name, argument) in TEXTS:
            continue
        try:
            found = call(**{**arguments, argument: value})
        except (ValueError, TypeError) as error:
            message = str(error)
            assert any(known in message for known in (*arguments, "n_arms", "agent state")), message
            assert len(message) <= LONGEST_MESSAGE
        else:
            assert not np.isnan(numbers(found)).any()
