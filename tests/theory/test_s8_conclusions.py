"""Section 8: what ReUCB needs to know, as recorded and searched for violations."""

from tests.theory.search import facing

test_verdict, test_no_violation, test_counterexample = facing("theory.paper.s8_conclusions")
