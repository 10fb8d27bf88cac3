"""Section 1: its promises stand as recorded, and are searched for violations."""

from tests.theory.search import facing

test_verdict, test_no_violation, test_counterexample = facing("theory.paper.s1_introduction")
