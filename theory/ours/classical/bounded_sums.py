"""Sums of rewards in [0, 1] with mean mu: exp(c S_N - N h) is a supermartingale, e^h = 1 - mu + mu e^c."""

from dataclasses import dataclass

import sympy as sp

from theory.kernel.argument import Item
from theory.kernel.goal import Goal, Rel, Var, at_least, real
from theory.kernel.rules import (
    Chord,
    Expectation,
    Follows,
    Induction,
    Monotone,
    applied,
    follows,
    instance,
)
from theory.kernel.rules.compose import Domain, conclusion
from theory.kernel.terms import Mean
from theory.model.reward_sums import NEXT, NOTHING, ROUND, UNIT, N, S, drawn, o, reward
from theory.ours.bad_rounds import times
from theory.ours.classical.processes import g

a, b, p, q, r, u, w, x, y = sp.symbols("a b p q r u w x y")
ZERO = sp.Integer(0)
_NUMBERS: dict[sp.Symbol, Var] = {**dict.fromkeys((q, u, b, w), real()), a: at_least(0), p: at_least(0)}
CHORD = Goal(Rel(q, "<=", a * w), _NUMBERS, (Rel(q, "=", u), Rel(u, "=", a * b), Rel(b, "<=", w)), "below the chord")
SPLIT = Goal(Rel(sp.exp(x + y), "=", sp.exp(x) * sp.exp(y)), {x: real(), y: real()}, name="exponential of a sum")
TIMES = Goal(Rel(p * q, "<=", p * u), _NUMBERS, (Rel(q, "<=", u),), "times the past")


@dataclass(frozen=True)
class BernoulliMoments:
    """The process c S_N - N h; `moment` is e^h = 1 - mu + mu e^c, a hypothesis in `given` or proved by `known`."""

    c: sp.Expr
    h: sp.Expr
    moment: Rel
    known: tuple[Item, ...]
    domain: Domain  # without g
    given: tuple[Rel, ...] = ()

    @property
    def process(self) -> sp.Expr:
        return self.c * S(N, o) - N * self.h

    def begins(self) -> Expectation:
        """E e^{X_0} = 1."""
        none = times(NOTHING.concludes.rel, self.c, dict(self.domain), "times c")
        zero = follows(Rel(self.c * S(ZERO, o), "=", 0), NOTHING, none, domain=self.domain, given=self.given)
        return Expectation(Monotone(zero, sp.exp(x), x, {x: real()}, name="start"), (o,))

    def falls(self, past: sp.Expr, sign: Item | None = None) -> Follows:
        """E[past e^{X_{g+1}}] <= E[past e^{X_g}] for a past >= 0, as `sign` proves; None: it is 1."""
        rounds, given = {**self.domain, g: ROUND}, self.given
        c, h, drew = self.c, self.h, reward(g + 1, o)
        before = c * S(g, o) - (g + 1) * h
        after, here = (self.process.xreplace({N: m}) for m in (g + 1, g))
        grown = instance(NEXT, {N: g}, rounds, given, name="one reward more")
        scaled = times(grown.concludes.rel, c, rounds, "times c")
        same = follows(Rel(after, "=", before + c * drew), grown, scaled, domain=rounds, given=given, name="exponent")
        power = Monotone(same, sp.exp(x), x, {x: real()}, name="exponential")
        two = instance(SPLIT, {x: before, y: c * drew}, rounds, given, name="two factors")
        chord = Chord(sp.exp(y * x), x, {x: UNIT, y: real()}, "exp below its chord")
        below = instance(chord, {x: drew, y: c}, rounds, given, name="below the chord")
        weight = past * sp.exp(before)
        chance = 1 - drew + drew * sp.exp(c)
        at = {q: sp.exp(after), u: sp.exp(before + c * drew), a: sp.exp(before), b: sp.exp(c * drew), w: chance}
        plain = applied(CHORD, at, power, two, below, domain=rounds, given=given, name="one reward")
        sides = {p: past, q: at[q], u: at[a] * chance}
        parts = plain, *(() if sign is None else (sign,))
        one = applied(TIMES, sides, *parts, domain=rounds, given=given, name="one reward, and the past")
        means = Expectation(one, (o,)), drawn(weight, g, dict(rounds))
        scale = times(conclusion(means[1]).rel, sp.exp(c) - 1, rounds, "times e^c - 1")
        rest = self._rest(past, before, rounds)
        wanted = Rel(Mean(past * sp.exp(after), o), "<=", Mean(past * sp.exp(here), o))
        return follows(wanted, *means, scale, rest, domain=rounds, given=given, name="one reward more")

    def _rest(self, past: sp.Expr, before: sp.Expr, rounds: Domain) -> Expectation:
        """(1 - mu + mu e^c) E[past e^B] = E[past e^{X_g}], B = c S_g - (g + 1) h."""
        whole = instance(SPLIT, {x: before, y: self.h}, rounds, self.given, name="h taken off")
        numbers: dict[sp.Symbol, Var] = dict.fromkeys((p, q, a, u, w), real())
        facts = Rel(q, "=", a * u), Rel(u, "=", w)
        lemma = Goal(Rel(w * p * a, "=", p * q), numbers, facts, "h taken off")
        at = {p: past, q: sp.exp(before + self.h), a: sp.exp(before), u: sp.exp(self.h), w: self.moment.stated[1]}
        return Expectation(applied(lemma, at, whole, *self.known, domain=rounds, given=self.given), (o,))

    def bounded(self) -> Induction:
        """E e^{X_N} <= 1 for every N."""
        step_ = instance(self.falls(sp.S.One), {g: N}, {**self.domain, N: ROUND}, self.given, name="one reward more")
        rel = Rel(Mean(sp.exp(self.process), o), "<=", 1)
        first = (self.begins(),)
        return Induction(rel, N, ZERO, self.domain, self.given, "moments", lemmas=(step_,), first=first)
