"""The compiled engine: one index rule per policy, shared by the online agent and the Monte-Carlo kernel.

Importing a module of this package, except `codes` and `state`, imports Numba; `reucb` itself does so only when an agent
starts or a block runs.
"""
