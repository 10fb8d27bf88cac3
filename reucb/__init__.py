"""Random effect bandits: estimation by BLUP, the ReUCB policy and baselines, simulation, regret bounds."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

__version__ = "0.2.0"

if TYPE_CHECKING:
    from reucb import bounds as bounds
    from reucb.bandit import Bandit as Bandit
    from reucb.bounds.combined import subset_size as subset_size
    from reucb.estimation import Fit as Fit
    from reucb.estimation import blup as blup
    from reucb.policies import KLUCB as KLUCB
    from reucb.policies import UCB1 as UCB1
    from reucb.policies import BayesUCB as BayesUCB
    from reucb.policies import BernoulliTS as BernoulliTS
    from reucb.policies import GaussianTS as GaussianTS
    from reucb.policies import Policy as Policy
    from reucb.policies import ReTS as ReTS
    from reucb.policies import ReUCB as ReUCB
    from reucb.policies import ReUCBInf as ReUCBInf
    from reucb.policies.agent import Agent as Agent
    from reucb.result import Result as Result
    from reucb.rewards import Bernoulli as Bernoulli
    from reucb.rewards import ClippedGaussian as ClippedGaussian
    from reucb.rewards import Gaussian as Gaussian
    from reucb.simulation import Run as Run
    from reucb.simulation import play as play
    from reucb.simulation import simulate as simulate
    from reucb.variance import VarianceComponents as VarianceComponents
    from reucb.variance import variance_components as variance_components

# Names load their module on first use (PEP 562): `import reucb` does not import Numba or scipy.stats.
_HOME = {
    **dict.fromkeys(("blup", "Fit"), "estimation"),
    **dict.fromkeys(("variance_components", "VarianceComponents"), "variance"),
    "Bandit": "bandit",
    **dict.fromkeys(("Gaussian", "Bernoulli", "ClippedGaussian"), "rewards"),
    **dict.fromkeys(
        ("ReUCB", "ReTS", "UCB1", "ReUCBInf", "GaussianTS", "BernoulliTS", "BayesUCB", "KLUCB", "Policy"), "policies"
    ),
    "Agent": "policies.agent",
    **dict.fromkeys(("simulate", "play", "Run"), "simulation"),
    "subset_size": "bounds.combined",
    "Result": "result",
}

__all__ = [  # noqa: RUF022 - in the order of use
    "blup",
    "Fit",
    "variance_components",
    "VarianceComponents",
    "Bandit",
    "Gaussian",
    "Bernoulli",
    "ClippedGaussian",
    "ReUCB",
    "ReTS",
    "UCB1",
    "ReUCBInf",
    "GaussianTS",
    "BernoulliTS",
    "BayesUCB",
    "KLUCB",
    "Policy",
    "Agent",
    "simulate",
    "Result",
    "subset_size",
    "play",
    "Run",
    "bounds",
    "__version__",
]


def __getattr__(name: str) -> Any:
    if name == "bounds":
        return import_module("reucb.bounds")
    if name not in _HOME:
        raise AttributeError(f"module 'reucb' has no attribute {name!r}")
    value = getattr(import_module(f"reucb.{_HOME[name]}"), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
