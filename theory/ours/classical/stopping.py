"""Optional stopping in finitely many rounds, for any process and any time."""

import sympy as sp

from theory.kernel.argument import Argument, proof
from theory.kernel.claim import claim
from theory.kernel.goal import Goal, Letter, Rel, Var, at_least, real
from theory.kernel.rules import (
    Applied,
    Expectation,
    Follows,
    Indicates,
    SplitSum,
    SumOver,
    Telescoping,
    applied,
    follows,
    instance,
    restated,
)
from theory.kernel.rules.compose import Domain, conclusion
from theory.kernel.terms import Event, Mean
from theory.ours.bad_rounds import times
from theory.ours.classical.processes import ROUND, TIME, WITHIN, WORDS, ZERO, M, g, n, o, t


def before(j: sp.Symbol, domain: Domain) -> tuple[Follows, Applied]:
    """1{j > g} is 1 for g < j and 0 for g >= j."""
    went, rounds = Event(j - g, 1), {**domain, g: ROUND}
    low, high = Rel(g, "<=", j - 1), Rel(g, ">=", j)
    says = Indicates(j - g, rounds, strict=True, name="j > g")
    counts = Indicates(j - g, rounds, integer=True, strict=True, part=True, name="j > g, integers")
    on = follows(Rel(went, "=", 1), says, domain=rounds, given=(low,), name="before j")
    p, d = sp.symbols("p d")
    facts = (Rel(p * (-d - 1), ">=", 0),)
    lemma = Goal(Rel(p, "=", 0), {p: Var(ZERO, high=sp.Integer(1)), d: at_least(0)}, facts, "from j on")
    return on, applied(lemma, {p: went, d: g - j}, counts, domain=rounds, given=(high,))


@claim("ours/classical/stopping", by="us", kind="identity")
def stopping() -> Argument:
    """Optional stopping in n rounds: M_T is M_0 and the steps of the rounds before T. For a martingale and a time T
    that does not look ahead the means of these steps are 0."""
    j = sp.Symbol("j")
    fixed = {n: ROUND, j: ROUND, o: real()}
    step_, went = M(g + 1, o) - M(g, o), Event(j - g, 1)
    up_to = (Rel(j, "<=", n),)
    split = SplitSum(went * step_, g, ZERO, j - 1, n - 1, fixed, up_to, "before and after")
    on, off = before(j, fixed)
    rounds = {**fixed, g: ROUND}

    def summed(known: Follows | Applied, value: sp.Expr, low: sp.Expr, high: sp.Expr, name: str) -> SumOver:
        scaled = times(conclusion(known).rel, step_, rounds, "times a step")
        one = follows(Rel(went * step_, "=", value), known, scaled, domain=rounds, given=known.given, name=name)
        return SumOver(one, g, low, high, fixed, given=up_to, name=name)

    steps = summed(on, step_, ZERO, j - 1, "steps before j"), summed(off, ZERO, j, n - 1, "no steps after")
    here = Goal(Rel(step_, "=", step_), rounds, name="a step")
    whole = Telescoping(here, M(g, o), g, ZERO, j - 1, fixed, name="steps up to j")
    total = sp.Sum(went * step_, (g, 0, n - 1))
    parts = split, *steps, whole
    at_j = follows(Rel(M(j, o), "=", M(ZERO, o) + total), *parts, domain=fixed, given=up_to, name="stopped at j")
    stopped_ = instance(at_j, {j: TIME}, {n: ROUND, TIME: ROUND, o: real()}, (WITHIN,), name="stopped at T")
    value_ = Mean(M(ZERO, o), o) + sp.Sum(Mean(Event(TIME - g, 1) * step_, o), (g, 0, n - 1))
    found = restated(Expectation(stopped_, (o,)), Rel(Mean(M(TIME, o), o), "=", value_), "stopped process")
    return proof(found, letters={**WORDS, M(t, o): Letter(M(t, o), "any process")})
