"""The proof kernel: goals, engines, certificates, counterexamples, mutants. It knows nothing of the paper's claims."""
