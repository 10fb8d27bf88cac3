"""Symbols of the experiment on ratings: each stands for two things that differ."""

from tests.theory.search import facing

test_verdict, test_no_violation, test_counterexample = facing("theory.paper.notation_data")
