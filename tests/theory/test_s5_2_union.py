from tests.theory.search import facing

test_verdict, test_no_violation, test_counterexample = facing("theory.paper.s5_2_union")
