"""Appendix D under adaptive pulls: the ledger's plays again, with the core's own estimators."""

from fractions import Fraction
from itertools import product

import numpy as np
import pytest

import reucb
from tests.theory.search import facing
from theory.ledger import Entry
from theory.paper import d_adaptive

test_verdict, test_no_violation, test_counterexample = facing("theory.paper.d_adaptive")


def test_adaptive_play_with_the_core(ledger: dict[str, Entry]) -> None:
    """variance1/adaptive, the same play through reucb.variance_components."""
    total = 0.0
    for noise in product((-1.0, 2.0), repeat=4):
        arms = [[noise[0], noise[2]], [noise[1]]]
        arms[0 if noise[0] != noise[2] else 1].append(noise[3])
        squares = [float(np.var(a) * len(a)) for a in arms]
        counts, means = [len(a) for a in arms], [float(np.mean(a)) for a in arms]
        estimate = reucb.variance_components(counts, means, squares).sigma_sq
        total += float(estimate) * 2.0 ** noise.count(-1.0) / 81
    shown = ledger["variance1/adaptive"].finding.counterexample
    assert shown is not None
    assert total == pytest.approx(float(Fraction(shown["left"])), rel=1e-12)
    assert d_adaptive._play(estimate=True) == Fraction(shown["left"])
