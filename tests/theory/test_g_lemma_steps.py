"""Appendix G: every line of the proofs of Lemmas sec:tau* and sec:tau2 stands as recorded."""

from tests.theory.search import facing

test_verdict, test_no_violation, test_counterexample = facing("theory.paper.g_lemma_steps")
