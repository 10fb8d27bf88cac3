"""Low-level access to the compiled engine, for benchmarks and for code that needs single runs or their streams.

Most users need `reucb.simulate` and `Agent` only. What is exported here follows the engine and may change between
minor versions.
"""

from __future__ import annotations

from reucb._engine import codes
from reucb._engine import state as arm_state
from reucb._engine.codes import Rule
from reucb._engine.runs import play_run, run_block
from reucb._engine.streams import EDGES, HEIGHTS, POLICY, PRIOR, REWARDS, WIDTHS, block_words, put_words, stream

__all__ = [
    "EDGES",
    "HEIGHTS",
    "POLICY",
    "PRIOR",
    "REWARDS",
    "WIDTHS",
    "Rule",
    "arm_state",
    "block_words",
    "codes",
    "play_run",
    "put_words",
    "run_block",
    "stream",
]
