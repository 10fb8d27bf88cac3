"""From one round to the regret: the first rounds as they are, every later round at most the sum of its parts."""

from __future__ import annotations

import sympy as sp

from theory.kernel.goal import Goal, Rel, Var, at_least
from theory.kernel.rules import Follows, SplitSum, SumOver, follows

t, horizon, start = sp.symbols("t horizon start")  # start: what the first rounds cost
cost = sp.Function("r")(t)  # E[mu_* - mu_{I_t}], the regret of round t
TOTAL = sp.Sum(cost, (t, 1, horizon))
SIZES = {horizon: at_least(1, integer=True), start: at_least(0)}


def part(name: str) -> sp.Expr:
    """A part of the cost of round t, such as its width."""
    return sp.Function(name)(t)


def over_rounds(term: sp.Expr, arms: sp.Symbol) -> sp.Expr:
    """The sum over the rounds after the first K."""
    return sp.Sum(term, (t, arms + 1, horizon))


def hypotheses(arms: sp.Symbol, *parts: str) -> tuple[Rel, ...]:
    """What the steps of a proof show: the cost of the first K rounds, and the bound of every round after them."""
    one = Rel(cost, "<=", sp.Add(*map(part, parts)))
    first = Rel(sp.Sum(cost, (t, 1, arms)), "<=", start)
    return Rel(arms, "<=", horizon), first, one.for_every(t, arms + 1, horizon)


def regret(arms: sp.Symbol, size: Var, *parts: str) -> Follows:
    """The regret is at most `start` plus the sums of the parts over the rounds K + 1, ..., n."""
    domain = {**SIZES, arms: size}
    long, first, every = hypotheses(arms, *parts)
    one = Rel(every.stated[0], every.op, every.stated[1])
    round_ = Goal(one, {t: Var(integer=True)}, (one,), "one round")
    later = SumOver(round_, t, arms + 1, horizon, domain, given=(long, every), name="rounds after the first K")
    split = SplitSum(cost, t, sp.Integer(1), arms, horizon, domain, (long,), "the first K rounds and the others")
    total = Rel(TOTAL, "<=", start + sp.Add(*(over_rounds(part(p), arms) for p in parts)))
    return follows(total, split, later, domain=domain, given=(long, first, every), name="regret")
