from math import log, sqrt

import numpy as np

from tests.theory.search import facing
from theory.paper import s5_2_third_term as third

test_verdict, test_no_violation, test_counterexample = facing("theory.paper.s5_2_third_term")


def test_the_enclosed_expectation_against_simulation():
    """Seeded. A false alarm beyond 5 standard errors has probability 6e-7; the surplus itself is some 17 of them."""
    covariance = np.array([[third.VAR[0], third.COV], [third.COV, third.VAR[1]]], dtype=float)
    errors = np.random.default_rng(11).multivariate_normal([0.0, 0.0], covariance, size=2_000_000)
    failing = (errors > sqrt(log(third.ROUND)) * np.sqrt(np.diag(covariance))).any(axis=1)
    values = errors.max(axis=1) * failing
    exact = float(third.surplus()) + float(third.DISPLAY)
    error = values.std() / sqrt(len(values))
    assert abs(values.mean() - exact) < 5 * error
    assert values.mean() - float(third.DISPLAY) > 10 * error
