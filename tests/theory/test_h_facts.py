from tests.theory.search import facing

test_verdict, test_no_violation, _ = facing("theory.paper.h_facts")  # no defect, so no counterexample
