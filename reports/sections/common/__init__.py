"""What several sections share: settings and budgets, simulated cells, paired comparisons, instrumented runs."""
