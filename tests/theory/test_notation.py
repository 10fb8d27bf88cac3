"""Symbols used for two things: each pair of claims stands as recorded, each false equation is found again."""

from tests.theory.search import facing

test_verdict, test_no_violation, test_counterexample = facing("theory.paper.notation")
