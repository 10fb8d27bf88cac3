"""Refute a claim: Lemma 8 (sec:tau2) of the paper bounds tau_k^2 from below by a fixed factor times tilde-tau_k^2.

The same steps work for a claim of your own: write the relation and its domain, and let the kernel search for the
smallest exact counterexample. tau_k^2 is written for one arm (K = 1), where the weight sum W is the arm's own weight.
"""

import sympy as sp

from theory.kernel.argument import refuted
from theory.kernel.goal import Goal, Rel, at_least, positive

n, s, s0 = sp.symbols("n s s0")  # pulls, sigma^2, sigma_0^2
weight = n * s0 / (n * s0 + s)
tau_tilde_sq = s0 * s / (n * s0 + s)  # mean squared error with mu_0 known
tau_sq = tau_tilde_sq + (1 - weight) ** 2 * s0 / weight  # mean squared error with mu_0 estimated, K = 1
printed = tau_tilde_sq * (1 + s0 / (s0 + s))  # the lower bound as printed, K = 1

claim = Goal(Rel(tau_sq, ">=", printed), {n: at_least(1, integer=True), s: positive(), s0: positive()})
finding = refuted(claim).check()
print(finding.verdict, finding.counterexample)

# Output:
# refuted {'n': '1', 's': '1', 's0': '2', 'left': '1', 'right': '10/9'}
