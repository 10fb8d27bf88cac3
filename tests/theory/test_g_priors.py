from fractions import Fraction

import pytest
from scipy import stats

from tests.theory.search import facing

test_verdict, test_no_violation, test_counterexample = facing("theory.paper.g_priors")


def test_the_third_moment_of_the_beta_prior(ledger):
    """SciPy's skewness times the cubed deviation is the exact number of the ledger."""
    law = stats.beta(1, 9)
    shown = ledger["sec:extensions/beta-prior"].finding.counterexample
    assert float(law.stats("s")) * law.std() ** 3 == pytest.approx(float(Fraction(shown["left"])), rel=1e-12)
    assert float(law.var()) == pytest.approx(float(Fraction(shown["sigma0_sq"])), rel=1e-12)
