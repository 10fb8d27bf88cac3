"""Rewards in [0, 1]: lines of arms, what they are worth before the first round, and meshes of levels.

A line has all arms but one; the arm outside is arm k where its own pulls are counted (the line lies above the others),
and the best arm, arm K, where bad rounds are counted (the line lies below). In a round the arms on the line have
Z_j = w_j e (rbar_j - c), e = 1 or -1; X is the largest sum of them over all rounds after the first K. The envelope V_j
of an arm is the largest mean of exp(lambda Z_j) that stopping can give.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import sympy as sp
from sympy.core.function import AppliedUndef

from theory.kernel.goal import Goal, Letter, Rel, Var, at_least, positive, real
from theory.kernel.rules import Defines, Definition
from theory.kernel.terms import Event, Mean
from theory.model.arguments import require_decided, require_unbound
from theory.model.bounded_play import (
    COUNT,
    K,
    N,
    c,
    crossed,
    enough,
    i,
    k,
    length,
    mean,
    n,
    needed,
    o,
    piece,
    rewards,
    shortfall,
    t,
    x,
    y,
)
from theory.model.functions import quantity
from theory.model.past_rounds import require_past

lam, j, M = sp.symbols("lambda j M")
fresh = sp.Symbol("fresh")  # the reward of the next round
ROUND = at_least(0, integer=True)
OTHER = Rel(k, "<=", K - 1)  # another arm than the best one
weight = quantity("weight", "B_{{{}}}")  # any nonnegative number that the mean and the rewards of an arm decide
slope_good, slope_bad = (
    quantity("lambda_good", r"\lambda_{{{1},{0}}}"),
    quantity("lambda_bad", r"\lambda_{{{1},{2},{0}}}"),
)
level_good, level_bad = quantity("x_good", "x_{{{1},{0}}}"), quantity("x_bad", "x_{{{1},{2},{0}}}")
tail_good, tail_bad = quantity("T_good", "T_{{{1},{0}}}"), quantity("T_bad", "T_{{{1},{2},{0}}}")
log_good, log_best = quantity("log G", r"\log G_{{{1}}}({0})"), quantity("log G_best", r"\log G_{{*,{1}}}({0})")
log_bad = quantity("log G_bad", r"\log G^-_{{{1},{2}}}({0})")


@dataclass(frozen=True)
class Line(Defines):
    """All arms but one. The quantities are functions of `place`: layer and arm, or layer and round."""

    kind: str
    place: tuple[sp.Symbol, ...]
    outside: sp.Symbol  # the arm that is not on the line
    logs: Callable[[sp.Expr], sp.Expr]  # log of the mean of the product of the first envelopes, for lambda
    level: Callable[[sp.Expr], sp.Expr]  # levels, slopes and tails of its mesh, by their numbers
    slope: Callable[[sp.Expr], sp.Expr]
    tail: Callable[[sp.Expr], sp.Expr]
    given: tuple[Rel, ...] = ()

    def _of(self, name: str, tex: str, parts: int = 1) -> Any:
        return quantity(f"{name}_{self.kind}", tex, parts)

    @property
    def beyond(self) -> sp.Expr:
        return self._of("X", "X_{{{},{}}}")(*self.place, o)

    def z(self, arm: sp.Expr) -> sp.Expr:
        """Z of an arm of the line, in the round in which the sum is largest."""
        return self._of("Z", "Z_{{{}}}")(arm, *self.place, o)

    def log_envelope(self, arm: sp.Expr) -> sp.Expr:
        """log V/lambda of an arm of the line, in that round."""
        return self._of("logV", r"\lambda^{{-1}}\log V_{{{}}}")(arm, lam, *self.place, o)

    @property
    def _product(self) -> Any:
        return self._of("log V", r"\log V_{{{3}}}")

    def product(self, rounds: sp.Expr) -> sp.Expr:
        """log of the product of the envelopes, so many rounds after the first K."""
        return self._product(lam, *self.place, rounds, o)

    @property
    def crest(self) -> sp.Expr:
        """The round in which the sum of Z is largest, counted from the first K on."""
        return self._of("crest", "T")(*self.place, o)

    @property
    def domain(self) -> dict[sp.Expr, Var]:
        own = dict.fromkeys((*self.place, self.outside), COUNT)
        return {
            **{
                **own,
                K: at_least(2, integer=True),
                N: COUNT,
                i: COUNT,
                n: ROUND,
                lam: positive(),
                o: real(),
                y: real(),
            },
            **{self.crest: ROUND, weight(self.outside, o): at_least(0), length(i, self.outside, o): at_least(0)},
            **{x: real(), c: COUNT, self.slope(c): positive()},
        }

    @property
    def words(self) -> dict[sp.Expr, Letter]:
        arms = "K - 2 other arms and the best one" if self.given else "K - 1 other arms"
        found = {
            lam: Letter(lam, "any positive number"),
            K: Letter(K, "number of arms"),
            self.beyond: Letter(self.beyond, f"the largest sum of Z of the {arms}, over all rounds after the first K"),
            self.level(c): Letter(self.level(c), "any levels that rise with c"),
            self.slope(c): Letter(self.slope(c), "any positive numbers"),
            self.tail(c): Letter(self.tail(c), "exp(-lambda x) times the envelopes of the arms on the line, T_0 = 1"),
            M: Letter(M, "number of levels"),
            log_good(lam, i, y): Letter(log_good(lam, i, y), "log of the mean of the first envelope of an arm"),
            log_best(lam, i, y): Letter(log_best(lam, i, y), "the same for the best arm"),
            log_bad(lam, i, t, y): Letter(log_bad(lam, i, t, y), "the same for an arm on a line below"),
        }
        own = weight(self.outside, o)
        return {**found, own: Letter(own, "any nonnegative number that mean and rewards of the arm outside decide")}

    def _defined(self, of: str, rel: Rel, *given: Rel, more: dict[sp.Expr, Var] | None = None) -> Definition:
        return Definition(of, Goal(rel, {**self.domain, **(more or {})}, given, of, letters=self.words))

    @property
    def arms(self) -> tuple[sp.Symbol, sp.Expr, sp.Expr]:
        return j, sp.Integer(1), K - 1

    @property
    def largest(self) -> Definition:
        return self._defined("X is the largest sum of Z", Rel(self.beyond, "=", sp.Sum(self.z(j), self.arms)))

    @property
    def envelope(self) -> Definition:
        rel = Rel(self.z(j), "<=", self.log_envelope(j))
        return self._defined("an envelope is at least exp(lambda Z)", rel, more={j: COUNT}).for_every(lam)

    @property
    def together(self) -> Definition:
        rel = Rel(lam * sp.Sum(self.log_envelope(j), self.arms), "=", self.product(self.crest))
        return self._defined("the product of the envelopes in the round in which the sum of Z is largest", rel)

    @property
    def within_play(self) -> Definition:
        return self._defined("it is a round of the play", Rel(self.crest, "<=", n))

    @property
    def first(self) -> Definition:
        """E of the product of the first envelopes: the arms are independent, and all but the best one are alike."""
        of = "the arms on the line are independent, and all but the best one have one law"
        return self._defined(
            of, Rel(Mean(sp.exp(self.product(sp.S.Zero)), o), "=", sp.exp(self.logs(lam))), *self.given
        )

    def apart(self, own: sp.Expr) -> Definition:
        """What the arm outside decides is independent of the first envelopes of the arms on the line."""
        self.require_own(own)
        start = sp.exp(self.product(sp.S.Zero))
        rel = Rel(Mean(own * start, o), "=", Mean(own, o) * Mean(start, o))
        return self._defined("the arm outside is independent of those on the line", rel, more=_reals(own, self.domain))

    def factor(self, rounds: sp.Expr) -> sp.Expr:
        """By which the next round multiplies the product of the envelopes: the envelope of the pulled arm after its
        reward over that before it, if the arm is on the line; 1 otherwise."""
        return self._of("factor", r"(V_{{{3}+1}}/V_{{{3}}})", 2)(lam, *self.place, rounds, o, fresh)

    def next_reward(self, own: sp.Expr, past: sp.Expr, rounds: sp.Symbol) -> Definition:
        """The reward of the next round is drawn after its arm was chosen, given the rewards so far and the arm outside.

        `past` is a product of indicators that the envelopes after rounds 0, ..., t decide.
        """
        self.require_own(own)
        require_past(past, self._product, rounds, (lam, *self.place), (*self.domain, fresh))
        after = Mean(own * past * sp.exp(self.product(rounds + 1)), o)
        drawn = Mean(own * past * sp.exp(self.product(rounds)) * self.factor(rounds), fresh, o)
        more = {rounds: ROUND, fresh: real(), **_reals(own * past, self.domain)}
        return self._defined("the next reward is drawn after its arm was chosen", Rel(after, "=", drawn), more=more)

    def one_more(self, rounds: sp.Symbol) -> Definition:
        """V_j = max(exp(lambda Z_j), E[V_{j+1} | the first j rewards])."""
        of, more = "an envelope is at least its mean after one more reward", {rounds: ROUND, fresh: real()}
        return self._defined(of, Rel(Mean(self.factor(rounds), fresh), "<=", 1), more=more)

    def require_own(self, own: sp.Expr) -> None:
        """Refuse what the mean and the rewards of the arm outside do not decide, or what may be negative.

        Raises
        ------
        ValueError
            If a value of the outcome in `own` is not one of this arm, or if a factor is no event, no length and no
            weight of this arm.
        """
        factors = sp.Mul.make_args(own)
        of_arm = [length(i, self.outside, o), weight(self.outside, o)]
        if not all(isinstance(f, Event) or f in of_arm or f == 1 for f in factors):
            raise ValueError(f"own={own}: it must be a product of events, lengths and weights of arm {self.outside}")
        require_unbound(own, {*self.domain, fresh})
        for f in own.atoms(AppliedUndef):
            stack = f.func == rewards and f.args[0] == self.outside
            short = f.func == shortfall and self.outside == K  # of the rewards of the best arm
            if stack or short:
                of_arm.append(f)
            elif f.has(o) and f not in of_arm:
                raise ValueError(f"own={own}: {f} is not decided by the mean and the rewards of arm {self.outside}")
        require_decided(own, of_arm, (o,))

    @property
    def start(self) -> Definition:
        return self._defined("the first cell has no lower end", Rel(self.tail(sp.S.Zero), "=", 1))

    @property
    def tails(self) -> Definition:
        """The bound for P(X > x) at a level of the mesh, with the lambda of this level."""
        lam_, level = self.slope(c), self.level(c)
        rel = Rel(self.tail(c), "=", sp.exp(self.logs(lam_) - lam_ * level))
        return self._defined("the bound for the tail of X at a level", rel)

    @property
    def rising(self) -> Definition:
        rel = Rel(self.level(c), "<=", self.level(c + 1))
        return self._defined("the levels of a mesh rise", rel)


def _reals(expr: sp.Expr, known: dict[sp.Expr, Var]) -> dict[sp.Expr, Var]:
    """Other numbers in an expression are any real ones."""
    return {x_: real() for x_ in expr.free_symbols if x_ not in known}


ABOVE = Line(
    "good",
    (i, k),
    k,
    lambda at: (K - 2) * log_good(at, i, y) + log_best(at, i, y),
    lambda at: level_good(at, i, y),
    lambda at: slope_good(at, i, y),
    lambda at: tail_good(at, i, y),
    (OTHER,),
)
BELOW = Line(
    "bad",
    (i, t),
    K,
    lambda at: (K - 1) * log_bad(at, i, t, y),
    lambda at: level_bad(at, i, t, y),
    lambda at: slope_bad(at, i, t, y),
    lambda at: tail_bad(at, i, t, y),
)
for _line in (ABOVE, BELOW):  # printed beside the statements
    _line.tail(c).func.formula = (_line.tail(c), _line.tails.concludes.rel.stated[1])

REACHED = Event(rewards(k, N, o) - needed(i, N, x, y), 0)  # the rewards are what a good pull needs if X = x
FALLEN = Event(shortfall(i, t, x, o), 1)  # they are below the boundary of round t if X = x
LAWS = {
    **{y_: var for line in (ABOVE, BELOW) for y_, var in line.domain.items()},
    **{mean: real(), piece(i, mean, y): at_least(0)},
}
LAW_WORDS = {
    mean: Letter(mean, "mean of an arm, drawn from the prior cut at mu_*"),
    piece(i, mean, y): Letter(piece(i, mean, y), "length of the part of layer i above nu"),
    enough(i, N, mean, x, y): Letter(
        enough(i, N, mean, x, y), "chance that N rewards of mean nu add up to what a good pull needs if X = x"
    ),
    crossed(i, t, x, y): Letter(
        crossed(i, t, x, y), "chance that sums of rewards of mean mu_* fall below the boundary of round t for X = x"
    ),
}


def _law(of: str, rel: Rel, *given: Rel) -> Definition:
    return Definition(of, Goal(rel, LAWS, given, of, letters={**ABOVE.words, **BELOW.words, **LAW_WORDS}))


LENGTH = _law(
    "the mean of an arm has the law of the prior cut at mu_*",
    Rel(Mean(length(i, k, o), o), "=", Mean(piece(i, mean, y), mean)),
    OTHER,
).for_every(k)
ENOUGH = _law(
    "rewards of an arm given its mean",
    Rel(Mean(length(i, k, o) * REACHED, o), "=", Mean(piece(i, mean, y) * enough(i, N, mean, x, y), mean)),
    OTHER,
).for_every(k)
CROSSED = _law("rewards of the best arm", Rel(Mean(FALLEN, o), "=", crossed(i, t, x, y)))
