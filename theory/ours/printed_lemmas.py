"""Sharper words on printed statements: exactly where a lemma holds, and how large a bias is."""

import sympy as sp

from theory.kernel.argument import Argument, proof
from theory.kernel.claim import claim
from theory.kernel.goal import Goal, Rel, Var, at_least, positive

k, q, r, M, j, s = sp.symbols("k q r M j s")


@claim(
    "lemma:tauTotau/holds-iff",
    by="us",
    kind="inequality",
    uses=("tau_SG",),
)
def where_the_lemma_holds() -> Argument:
    """In r = sqrt(u), u = (1-w_k)/W <= rho/K = q^2, the ratio is (1+r^2)/(1+r)^2. It falls to 1/2 at r = 1 and rises
    after. If q <= 1 it is least at r = q, which one pull each attains; there the lemma reads rho (1+rho) >= 1. If
    q > 1 then 1/2 is already above the printed bound."""
    ratio = (1 + r**2) / (1 + r) ** 2
    printed = (1 + 1 / (k * (1 + k * q**2))) / (1 + q) ** 2
    free = {k: at_least(1), q: positive(), r: positive()}
    unit = {**free, q: Var(sp.Integer(0), strict=True, high=sp.Integer(1))}
    above = {**free, q: Var(sp.Integer(1))}
    golden = Rel(k * q**2 * (1 + k * q**2), ">=", 1)
    return proof(
        Goal(Rel(ratio, ">=", ratio.subs(r, q)), unit, (Rel(r, "<=", q),), "q <= 1: least at one pull each"),
        Goal(Rel(ratio.subs(r, q), ">=", printed), free, (golden,), "one pull each: holds if rho (1+rho) >= 1"),
        Goal(Rel(ratio.subs(r, q), "<", printed), free, (golden.negation,), "one pull each: fails if not"),
        Goal(Rel(ratio, ">=", sp.Rational(1, 2)), free, name="never below 1/2", squares=(1 - r,)),
        Goal(Rel(sp.Rational(1, 2), ">=", printed), above, name="q >= 1: the printed bound is at most 1/2"),
    )


@claim(
    "variance2/asymptotic-bias",
    by="us",
    kind="identity",
    uses=("variance2/expectation",),
)
def bias_with_one_long_arm() -> Argument:
    """The bias is (K-1) sigma^2/n_* with n_* = N - sum n_k^2/N and N = M + K - 1; more pulls of one arm do not remove
    it, so the printed estimator is not even asymptotically unbiased along such counts. j = K - 1."""
    N = M + j
    n_star = N - (M**2 + j) / N
    free = {M: at_least(1), j: at_least(1), s: positive()}
    return proof(
        Goal(Rel(j * s / n_star, "=", s / 2 * (1 + (j + 1) / (2 * M + j - 1))), free, name="the bias"),
        Goal(Rel(s / 2 * (1 + (j + 1) / (2 * M + j - 1)), ">", s / 2), free, name="above half the noise variance"),
    )
