"""Means given the differences of the rewards before a round stand beside quantities of that round only."""

from __future__ import annotations

import pytest

from theory.kernel.goal import Goal, Rel
from theory.kernel.rules import equals
from theory.kernel.sanity import assumptions
from theory.kernel.terms import Mean
from theory.model.play import K, count, k, t
from theory.model.round_errors import ARM, CHOSEN, X, d, e

ERROR, LATER_ERROR = X(k, t, d, e), X(k, t + 1, d, e)
NEXT = equals(CHOSEN.xreplace({t: t + 1}), k)  # 1 if arm k is pulled in the next round


def objections(left, right=0):
    return [found.check for found in assumptions(Goal(Rel(left, "=", right), ARM, name="of two rounds"))]


@pytest.mark.parametrize(
    "left",
    [NEXT * Mean(ERROR, e), Mean(NEXT * ERROR, e), Mean(ERROR + LATER_ERROR, e), Mean(ERROR, e) * count(k, K + 1, d)],
)
def test_a_mean_given_the_past_of_one_round_says_nothing_of_another(left):
    """For K = 2, sigma = sigma_0 and t = 3 the mean of the error, if the arm is pulled next, is -0.038 and not 0."""
    (found,) = objections(left)
    assert "a mean given the differences before one round" in found


@pytest.mark.parametrize(
    "left", [equals(CHOSEN, k) * Mean(ERROR, e), Mean(NEXT * ERROR, d, e), Mean(LATER_ERROR, e), NEXT * ERROR]
)
def test_quantities_of_one_round_and_means_over_all_are_allowed(left):
    assert objections(left) == []
