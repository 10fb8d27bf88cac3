"""Section 2 against the ledger's verdicts and against the agent's own counts."""

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

import reucb
from tests.theory.search import facing
from theory.paper import s2_setting

test_verdict, test_no_violation, test_counterexample = facing("theory.paper.s2_setting")


@settings(max_examples=10)
@given(st.integers(1, 4), st.integers(0, 2**32 - 1))
def test_counts_are_of_earlier_rounds(n_arms: int, seed: int) -> None:
    """Before round t the agent's counts add up to t - 1 (claim sec:setting/counts)."""
    rng = np.random.default_rng(seed)
    agent = reucb.ReUCB(sigma0_sq=1.0, sigma_sq=1.0).start(n_arms=n_arms, seed=0)
    for t in range(1, 12):
        assert agent.counts.sum() == t - 1
        agent.update(agent.select(), float(rng.normal()))


def test_the_printed_count_fails_on_a_play() -> None:
    assert s2_setting._numbered(before=1)
    assert not s2_setting._numbered(before=0)
