"""Low-level access to the compiled engine, for benchmarks and for code that needs single runs or their streams.

Most users need `reucb.simulate` and `Agent` only. What is exported here follows the engine and may change between
minor versions.
"""

from __future__ import annotations

from reucb._engine import codes
from reucb._engine.arms import state as arm_state
from reucb._engine.block import play_run, run_block
from reucb._engine.rng.streams import POLICY, PRIOR, REWARDS, block_words, put_words, stream
from reucb._engine.rng.ziggurat import EDGES, HEIGHTS, WIDTHS

__all__ = [
    "EDGES",
    "HEIGHTS",
    "POLICY",
    "PRIOR",
    "REWARDS",
    "WIDTHS",
    "arm_state",
    "block_words",
    "codes",
    "play_run",
    "put_words",
    "run_block",
    "stream",
]
