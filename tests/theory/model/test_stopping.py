"""The number of pulls of an arm is a stopping time of its rewards: what decides it may not look ahead."""

import pytest
import sympy as sp

from theory.model import stopping as stop
from theory.model.play import k
from theory.model.stopping import j, w, z


def test_the_first_rewards_decide() -> None:
    least = stop.least_cost(stop.NOT_AHEAD)
    assert least.gives.rel.op == "<="


@pytest.mark.parametrize(
    "rule",
    [
        stop.decision(k, j, stop.seen(k, j + 1, w), z),  # one reward more
        stop.decision(k, j, stop.seen(k + 1, j, w), z),  # of another arm, as a function of w
        stop.decision(k, j, stop.seen(k, j, w) + w, z),
        stop.mu(k, w, z),
    ],
)
def test_a_rule_that_looks_ahead_is_refused(rule: sp.Expr) -> None:
    with pytest.raises(ValueError, match="first j rewards decide"):
        stop.least_cost(stop.decided_by(rule))


def test_another_number_of_pulls_is_refused() -> None:
    with pytest.raises(ValueError, match="first j rewards decide"):
        stop.least_cost(stop.PULLS)
