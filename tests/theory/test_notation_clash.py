"""Symbols printed as equations for something else: the false equations are found again, the repairs hold."""

from tests.theory.search import facing

test_verdict, test_no_violation, test_counterexample = facing("theory.paper.notation_clash")
