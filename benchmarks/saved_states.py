"""JSON state of an agent with many arms: saved, written as text, read and resumed."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator
from typing import Any

import numpy as np

import reucb


def measure(quick: bool) -> Iterator[dict[str, Any]]:
    """CPU seconds to save (`state` and `json.dumps`) and to resume (`json.loads` and `resume`), and bytes per arm."""
    n_arms = 100_000 if quick else 1_000_000
    policy, rng = reucb.ReUCB(), np.random.default_rng(0)
    agent = policy.start(n_arms, seed=0)
    agent.update(np.arange(n_arms), rng.normal(1.0, 0.5, n_arms))
    agent.update(rng.integers(0, n_arms, n_arms), rng.normal(1.0, 0.5, n_arms))
    policy.resume(agent.state())  # compiled
    begin = time.process_time()
    text = json.dumps(agent.state())
    middle = time.process_time()
    policy.resume(json.loads(text))
    end = time.process_time()
    yield {
        "n_arms": n_arms,
        "save_seconds": middle - begin,
        "resume_seconds": end - middle,
        "bytes_per_arm": len(text) / n_arms,
    }
