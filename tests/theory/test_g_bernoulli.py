"""Appendix G: Bernoulli bandits and the third term of the second theorem's proof stand as recorded."""

from tests.theory.search import facing

test_verdict, test_no_violation, test_counterexample = facing("theory.paper.g_bernoulli")
