"""Regret and pulls: what they are sums of."""

import sympy as sp
from ucb1_play import COUNT, EXTRA, PAPER, ROUND, UNIT, K, N, again, best, ell, gap, i, r, t, u, w

from theory.kernel.argument import Proof, proof
from theory.kernel.claim import claim
from theory.kernel.goal import Goal, Rel, at_least, real
from theory.kernel.rules import Indicates, Induction, SumOver, Telescoping, follows
from theory.kernel.terms import Event


@claim("ucb1/decomposition", **PAPER, kind="identity")
def decomposition() -> Proof:
    """The regret N best - sum of (best - D_i) T_i over all arms is the sum of D_i T_i, as the pulls T_i add up to N."""
    T = sp.Function("T")(i)
    total, earned, lost = (sp.Sum(f, (i, 1, K)) for f in (T, (best - gap) * T, gap * T))
    domain = {K: COUNT, N: COUNT, best: real()}
    return proof(Goal(Rel(N * best - earned, "=", lost), domain, (Rel(total, "=", N),), "regret"))


@claim("ucb1/rounds", **PAPER, kind="inequality")
def rounds() -> Proof:
    """2/(t-1)^2 adds up to at most 2 from round 3 on: it telescopes against 2/(t-2) - 2/(t-1)."""
    term = Goal(Rel(2 / (t - 1) ** 2, "<=", 2 / (t - 2) - 2 / (t - 1)), {t: at_least(3)}, name="one round")
    total = Telescoping(term, -2 / (t - 2), t, sp.Integer(3), N, {N: ROUND}, name="all rounds")
    return proof(follows(Rel(sp.Sum(2 / (t - 1) ** 2, (t, 3, N)), "<=", 2), total, name="at most 2"))


@claim("ucb1/count", **PAPER, kind="inequality")
def count() -> Proof:
    """A pull of an arm after its first ell pulls is made when it has ell pulls already; induction over the rounds."""
    T, more = (sp.Sum(f, (t, 1, r)) for f in (u(t, i, w), again(t)))
    domain = {i: COUNT, ell: COUNT, w: real(), u(t, i, w): UNIT}
    a, b = sp.symbols("a b")
    product = Goal(Rel(0, "<=", a * b), {a: at_least(0), b: at_least(0)}, name="no negative terms")
    grown, factors = {**domain, r: EXTRA}, dict(zip((a, b), again(t).args, strict=True))
    if isinstance(factors[a], Event):
        factors = {a: factors[b], b: factors[a]}
    positive_terms = SumOver(product, t, sp.Integer(1), r, grown, family=factors, name="no negative terms")
    before = Indicates(T - ell, grown, integer=True, name="fewer than ell pulls")
    lemmas = positive_terms, before
    return proof(Induction(Rel(T, "<=", ell + more), r, sp.Integer(0), domain, name="pulls", lemmas=lemmas))
