"""Appendix E: the width of unequal noise, as defined and as used."""

from tests.theory.search import facing

test_verdict, test_no_violation, test_counterexample = facing("theory.paper.e_varying_widths")
