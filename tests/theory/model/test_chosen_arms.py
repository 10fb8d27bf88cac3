"""Definitions of a choice of arms, on drawn means: a choice of all arms has the best of all."""

from itertools import combinations

import numpy as np
import sympy as sp

from reucb.bounds import expected_max
from theory.kernel.terms import Mean
from theory.model.chosen_arms import ALL_ARMS, EFFECTS, SOME, K, S, best_of, largest, m, o, top
from theory.model.play import BEST


def test_the_definitions_are_those_of_the_best_of_a_choice():
    assert EFFECTS.concludes.rel.stated == (Mean(top, o), largest(m))
    assert EFFECTS.concludes.given == (SOME,)
    assert ALL_ARMS.concludes.rel.stated == (best_of(K, S, o), BEST)


def test_the_law_does_not_say_that_all_choices_are_alike():
    """S alone does not decide the number of its arms: without m among the arguments e_1 = e_2 would follow."""
    assert top.xreplace({m: sp.Integer(1)}) != top.xreplace({m: sp.Integer(2)})


def test_every_choice_of_m_arms_has_the_same_law():
    """The mean of the largest of m of 4 normals, 4 10^5 draws, is e_m. Standard errors are at most 0.0016, so that an
    error of 0.01 has a chance below 10^-8 for all choices together; e_2 - e_1 = 0.56 is 350 of them."""
    draws = np.random.default_rng(0).standard_normal((400_000, 4))
    found = {size: [draws[:, list(c)].max(axis=1).mean() for c in combinations(range(4), size)] for size in (1, 2, 4)}
    assert all(abs(mean - expected_max(size)) < 0.01 for size, means in found.items() for mean in means)
