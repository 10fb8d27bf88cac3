"""Two plays whose rewards differ by their level only: what is the same in them, from round to round.

If every reward grows by the same number, so do all estimates and indices, while counts and widths stay: the arm with
the highest index is the same. By induction the whole play is the same.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import sympy as sp

from theory.kernel import sources
from theory.kernel.argument import Argument, Item, proof
from theory.kernel.goal import Goal, Letter, Rel, Var, at_least, positive, real
from theory.kernel.rules import (
    Among,
    Applied,
    Cases,
    Congruent,
    Definition,
    Follows,
    Induction,
    Instance,
    SumOver,
    applied,
    congruent,
    equals,
    follows,
    instance,
)
from theory.kernel.rules.compose import conclusion
from theory.model.arms import s, s0, weight
from theory.model.play import K, i, k, o, t, width
from theory.model.reward_level import AN_ARM, BOTH, Rewards, T, u
from theory.model.round_errors import d
from theory.ours.classical.normal import equal
from theory.ours.other_arms import at_same_arm, j
from theory.ours.root_series import order_of_roots

x, y, z, m, p, q, f, g = sp.symbols("x y z m p q f g")
ONE = sp.Integer(1)
UNTIL = Rel(t, "<=", T)
NUMBERS = dict.fromkeys((x, y, z, p, q, f, g), real())
SQUARE = Goal(Rel((x - y) ** 2, ">=", 0), NUMBERS, name="a square", squares=(x - y,))
TIMES = Goal(Rel(z * x, "=", z * y), NUMBERS, (Rel(x, "=", y),), "times a number")
PRODUCT = Goal(Rel(f * x, "=", g * (y + z)), NUMBERS, (Rel(f, "=", g), Rel(x, "=", y + z)), "a product")
INDEX = Goal(Rel(f + p * x, "=", g + p * y + z), NUMBERS, (Rel(f, "=", g + z), Rel(x, "=", y)), "index")
WEIGHTS = Goal(
    Rel(f, "=", g),
    NUMBERS,
    (Rel(f, "=", p - x), Rel(g, "=", q - y), Rel(p, "=", q), Rel(x, "=", y)),
    "weights without that of an arm",
)
SIZES: dict[sp.Symbol, Var] = {**NUMBERS, **dict.fromkeys((p, q), at_least(0)), s: positive(), s0: positive()}
SHARE = Goal(
    Rel(x / (p + s / s0), "=", y / (q + s / s0) + z * weight(q)),
    SIZES,
    (Rel(p, "=", q), Rel(x, "=", y + z * q)),
    "w_k times the average of an arm",
)


def moved_average() -> Follows:
    """x = y + z for averages x = f/p and y = g/q with the same weights, p = q, if f = g + z q."""
    numbers = {**NUMBERS, p: positive(), q: positive()}
    known = Rel(x * p, "=", f), Rel(y * q, "=", g), Rel(p, "=", q), Rel(f, "=", g + z * q)
    same = Goal(Rel(p * x, "=", q * x), numbers, known[2:3], "the same weights")
    product = follows(Rel(q * (x - y - z), "=", 0), same, domain=numbers, given=known, name="times the weights")
    zero = Goal(Rel(f / q, "=", 0), {f: real(), q: positive()}, (Rel(f, "=", 0),), "divided by them")
    quotient = applied(zero, {f: q * (x - y - z)}, product, domain=numbers, given=known, name="divided by the weights")
    return follows(Rel(x, "=", y + z), quotient, domain=numbers, given=known, name="a weighted average")


def moved_estimate() -> Follows:
    """(1-p) u + x = (1-q) m + y + z, if p = q, u = m + z and x = y + z q."""
    numbers = {**NUMBERS, u: real(), m: real()}
    values = Rel(f, "=", (1 - p) * u + x), Rel(g, "=", (1 - q) * m + y)
    known = *values, Rel(p, "=", q), Rel(u, "=", m + z), Rel(x, "=", y + z * q)
    products = (
        Goal(Rel(p * u, "=", q * u), numbers, known[2:3], "the same weight"),
        Goal(Rel(q * u, "=", q * (m + z)), numbers, known[3:4], "the common mean"),
    )
    return follows(Rel(f, "=", g + z), *products, domain=numbers, given=known, name="estimate")


@dataclass(frozen=True, eq=False)
class SamePlay:
    """The play with the outcome (T, d, e) and the one with the rewards d, of one agent: what is the same in a round t
    <= T, if the rounds before it pulled the same arms."""

    agent: Rewards
    counted: Item  # how often arm k was pulled before round t, as a sum of indicators
    square: Definition  # Eq. MSE: tau_k^2 in n_k, and in `weights` if mu_0 is not known
    in_turn: Item | None = None  # the arm of a round in which arms are not compared; without it, `first_round`
    first_round: Definition | None = None  # the arm of round 1
    weights: sp.Expr | None = None  # of the other arms than k, or of all
    by_arm: Item | None = None  # what these weights are in those of single arms
    enough: Item | None = None  # the weights of all arms add up to a positive number

    @cached_property
    def domain(self) -> dict[sp.Expr, Var]:
        return self.agent.everywhere

    def without(self, *symbols: sp.Symbol) -> dict[sp.Expr, Var]:
        return {a: r for a, r in self.domain.items() if a not in symbols}

    def chosen(self, round_: sp.Expr, outcome: sp.Expr) -> sp.Expr:
        return self.agent.chosen.xreplace({t: round_, o: outcome})

    def both(self, item: Item, *given: Rel) -> tuple[Item, Item]:
        """A relation in the two plays."""
        first, second = (instance(item, {o: outcome}, self.domain, given) for outcome in (BOTH, d))
        return first, second

    @cached_property
    def so_far(self) -> Rel:
        """The rounds before t pulled the same arms."""
        difference = self.chosen(u, BOTH) - self.chosen(u, d)
        return Rel(sp.Sum(difference**2, (u, 1, t - 1)), "<=", 0)

    @cached_property
    def compared(self) -> tuple[Rel, ...]:
        """In a round in which arms are compared."""
        return self.agent.later, self.so_far, UNTIL

    @cached_property
    def of_arm(self) -> tuple[Rel, ...]:
        return (*self.compared, AN_ARM)

    @cached_property
    def earlier_pull(self) -> Congruent:
        """A round u < t pulled the same arm."""
        own, other, given = self.chosen(u, BOTH), self.chosen(u, d), (self.so_far, Rel(u, "<=", t - 1))
        square = instance(SQUARE, {x: self.chosen(i, BOTH), y: self.chosen(i, d)}, self.domain, name="a square")
        among = Among(square.concludes.rel.stated[0], i, u, ONE, t - 1, self.domain, square, "one of the rounds")
        near = follows(Rel((own - other) ** 2, "<", 1), among, domain=self.domain, given=given, name="less than 1")
        arms = [instance(self.agent.is_an_arm, {t: u, o: w}, self.domain, name="an arm") for w in (BOTH, d)]
        same = at_same_arm(j, own, other, self.domain, tuple(conclusion(item).rel for item in (*arms, near)))
        arm = applied(same, {}, *arms, near, domain=self.domain, given=given, name="an earlier round")
        return congruent(equals(x, k), x, arm, self.domain, given, name="an earlier pull")

    @cached_property
    def counts(self) -> Follows:
        """n_k is the same: a sum of equal indicators."""
        pulls, given = self.agent.pulls, (self.so_far,)
        rounds = SumOver(self.earlier_pull, u, ONE, t - 1, self.without(u), given=given, name="earlier pulls")
        parts = rounds, *self.both(self.counted, self.agent.later, AN_ARM)
        rel = Rel(pulls(k, t, BOTH), "=", pulls(k, t, d))
        return follows(rel, *parts, domain=self.domain, given=self.of_arm, name="counts")

    @cached_property
    def sums(self) -> Follows:
        """The sum of the rewards of arm k grows by n_k times the level."""
        agent, given, pull = self.agent, (self.so_far, UNTIL, Rel(u, "<=", t - 1)), self.earlier_pull
        reward = instance(agent.same_differences, {t: u}, self.domain, given[1:], name="its reward")
        at = dict(zip((f, g), pull.concludes.rel.stated, strict=True))
        at |= {x: agent.reward(u, BOTH), y: agent.reward(u, d), z: agent.level}
        one = applied(PRODUCT, at, pull, reward, domain=self.domain, given=given, name="a reward of arm k")
        rounds = SumOver(one, u, ONE, t - 1, self.without(u), given=given[:2], name="its rewards")
        pulls, counted = agent.pulls(k, t, d), self.both(self.counted, agent.later, AN_ARM)[1]
        at = {z: agent.level, x: pulls, y: conclusion(counted).rel.stated[1]}
        times = applied(TIMES, at, counted, domain=self.domain, given=self.of_arm, name="times the level")
        rel = Rel(agent.earned(k, t, BOTH), "=", agent.earned(k, t, d) + agent.level * pulls)
        parts = rounds, times, *self.both(agent.sums)
        return follows(rel, *parts, domain=self.domain, given=self.of_arm, name="sums of rewards")

    @cached_property
    def weight(self) -> Congruent:
        return congruent(weight(x), x, self.counts, self.domain, self.of_arm, name="weight of an arm")

    def all_arms(self, one: Item, name: str) -> SumOver:
        """A relation about one arm, added up over all arms."""
        each = instance(one, {k: i}, self.domain, (*self.compared, Rel(i, "<=", K)), name=name)
        return SumOver(each, i, ONE, K, self.without(i), given=self.compared, name=f"{name}, all arms")

    @cached_property
    def share(self) -> Applied:
        """w_k times the average of arm k grows by w_k times the level."""
        agent = self.agent
        at = {p: agent.pulls(k, t, BOTH), q: agent.pulls(k, t, d), z: agent.level}
        at |= {x: agent.earned(k, t, BOTH), y: agent.earned(k, t, d)}
        return applied(
            SHARE, at, self.counts, self.sums, domain=self.domain, given=self.of_arm, name="weighted average"
        )

    def centre(self) -> Applied:
        """r-bar_0 grows by the level."""
        agent, means = self.agent, self.both(self.agent.common, self.agent.later)
        weights, shares = self.all_arms(self.weight, "weights"), self.all_arms(self.share, "weighted averages")
        at = {x: agent.centre.xreplace({o: BOTH}), y: agent.centre.xreplace({o: d}), z: agent.level}
        at |= dict(zip((p, q), weights.concludes.rel.stated, strict=True))
        at |= {f: conclusion(means[0]).rel.stated[1], g: conclusion(means[1]).rel.stated[1]}
        parts = *self.both(required(self.enough), agent.later), *means, weights, shares
        return applied(moved_average(), at, *parts, domain=self.domain, given=self.compared, name="common mean")

    def estimate(self) -> Applied:
        """So does the estimate of an arm."""
        agent = self.agent
        at = {f: agent.estimate(k, t, BOTH), g: agent.estimate(k, t, d), z: agent.level}
        at |= {p: weight(agent.pulls(k, t, BOTH)), q: weight(agent.pulls(k, t, d))}
        at |= {u: agent.centre.xreplace({o: BOTH}), m: agent.centre.xreplace({o: d})}
        at |= {x: agent.share(k).xreplace({o: BOTH}), y: agent.share(k).xreplace({o: d})}
        means = *self.both(agent.blup, agent.later, AN_ARM), *(() if agent.knows_mean else (self.centre(),))
        parts = *means, self.weight, self.share
        return applied(moved_estimate(), at, *parts, domain=self.domain, given=self.of_arm, name="estimate")

    def root(self, square: Item, turned: bool) -> Follows:
        """tau_k as a root, or the other way round."""
        given, (power, value) = (self.agent.later, AN_ARM), conclusion(square).rel.stated
        tau, root = power.args[0], sp.sqrt(value)
        orders = [
            applied(order_of_roots(above), at, square, domain=self.domain, given=given, name="roots")
            for above, at in ((y, {x: tau, y: root}), (x, {x: root, y: tau}))
        ]
        rel = Rel(root, "=", tau) if turned else Rel(tau, "=", root)
        return follows(rel, *orders, domain=self.domain, given=given, name="tau as a root")

    def other_weights(self, weights: sp.Expr) -> Applied:
        """The weights in Eq. MSE are the same."""
        sums, total = self.both(required(self.by_arm), self.agent.later, AN_ARM), self.all_arms(self.weight, "weights")
        at = {f: weights.xreplace({o: BOTH}), g: weights.xreplace({o: d})}
        at |= dict(zip((p, q), total.concludes.rel.stated, strict=True))
        at |= {x: at[p] - conclusion(sums[0]).rel.stated[1], y: at[q] - conclusion(sums[1]).rel.stated[1]}
        parts = *sums, total, self.weight
        return applied(WEIGHTS, at, *parts, domain=self.domain, given=self.of_arm, name="weights in Eq. MSE")

    @cached_property
    def widths(self) -> Applied:
        """tau_k is the same: a function of n_k and of weights."""
        agent, given = self.agent, self.of_arm
        squares = self.both(self.square, agent.later, AN_ARM)
        first, last = self.root(squares[0], turned=False), self.root(squares[1], turned=True)
        by_count = first.rel.stated[1].xreplace({agent.pulls(k, t, BOTH): z})
        steps = [congruent(by_count, z, self.counts, self.domain, given, name="at equal counts")]
        if self.weights is not None:
            by_weights = steps[0].concludes.rel.stated[1].xreplace({self.weights.xreplace({o: BOTH}): z})
            same = self.other_weights(self.weights)
            steps.append(congruent(by_weights, z, same, self.domain, given, name="at equal weights"))
        return equal(first, *steps, last, domain=self.domain, given=given, name="widths")

    def index(self, arm: sp.Expr, is_an_arm: Item) -> Applied:
        """The index of an arm grows by the level."""
        agent = self.agent
        at = {f: agent.estimate(k, t, BOTH), g: agent.estimate(k, t, d), p: width, z: agent.level}
        at |= {x: agent.deviation(k, t, BOTH), y: agent.deviation(k, t, d)}
        parts = self.estimate(), self.widths
        any_arm = applied(INDEX, at, *parts, domain=self.domain, given=self.of_arm, name="index")
        return applied(any_arm, {k: arm}, is_an_arm, domain=self.domain, given=self.compared, name="index")

    def compare(self, lemma: Item, at: dict[sp.Symbol, sp.Expr], *parts: Item, name: str) -> Applied:
        """A lemma in a round in which arms are compared."""
        return applied(lemma, at, *parts, domain=self.domain, given=self.compared, name=name)

    def no_later(
        self, outcome: sp.Expr, elsewhere: sp.Expr, arms: dict[sp.Expr, Item], moved: tuple[Item, ...]
    ) -> Applied:
        """The arm pulled here is not after the one pulled in the other play, whose index is as high."""
        agent, here, there = self.agent, self.chosen(t, outcome), self.chosen(t, elsewhere)
        highest = self.compare(agent.highest, {o: elsewhere, k: here}, arms[here], name="highest there")
        low, high = (agent.index(arm).xreplace({o: outcome}) for arm in (here, there))
        as_high = follows(
            Rel(low, "<=", high), highest, *moved, domain=self.domain, given=self.compared, name="as high here"
        )
        return self.compare(agent.first, {o: outcome, k: there}, arms[there], as_high, name="no later")

    @cached_property
    def choice(self) -> Follows:
        """So the arm with the highest index is the same, and the first of several with this index."""
        own, other = self.chosen(t, BOTH), self.chosen(t, d)
        arms = dict(zip((own, other), self.both(self.agent.is_an_arm), strict=True))
        moved = tuple(self.index(arm, is_an_arm) for arm, is_an_arm in arms.items())
        orders = self.no_later(BOTH, d, arms, moved), self.no_later(d, BOTH, arms, moved)
        return follows(Rel(own, "=", other), *orders, domain=self.domain, given=self.compared, name="choice")

    @cached_property
    def next_round(self) -> Item:
        """The choice of any round."""
        if self.in_turn is None:
            return self.choice
        early, rel = self.agent.later.negation, self.choice.rel
        given = self.so_far, UNTIL, early
        blind = follows(rel, *self.both(self.in_turn, early), domain=self.domain, given=given, name="in turn")
        return Cases(self.agent.later, self.choice, blind, name="any round")

    @cached_property
    def before(self) -> Applied:
        """By induction over the rounds, all rounds before any round t pull the same arms."""
        start = ONE if self.in_turn is None else sp.Integer(0)
        rounds = {**self.without(t, u), m: at_least(start, integer=True)}
        supposed = sources.instance(self.so_far, {t: m + 1})
        given = supposed, Rel(m + 1, "<=", T)
        one = instance(self.next_round, {t: m + 1}, rounds, given, name="the next round")
        square = congruent((x - self.chosen(m + 1, d)) ** 2, x, one, rounds, given, name="no difference")
        base = () if self.first_round is None else (self.same_first_round(self.first_round),)
        every = Induction(supposed, m, start, rounds, name="all rounds", lemmas=(square,), first=base, until=T - 1)
        now = (UNTIL,) if self.in_turn is not None else (UNTIL, self.agent.later)
        return applied(every, {m: t - 1}, domain=self.domain, given=now, name="the same arms")

    def same_first_round(self, pulled: Definition) -> Congruent:
        domain = self.without(t, u)
        first, second = (instance(pulled, {o: outcome}, domain) for outcome in (BOTH, d))
        rel = Rel(first.concludes.rel.stated[0], "=", second.concludes.rel.stated[0])
        same = follows(rel, first, second, domain=domain, name="round 1")
        return congruent((x - rel.stated[1]) ** 2, x, same, domain, name="no difference in round 1")

    def in_play(self, item: Item, name: str) -> Instance:
        """What is the same in round T, without the hypothesis that the rounds before are."""
        given = tuple(h for h in conclusion(item).given if h != self.so_far)
        any_round = applied(item, {}, self.before, domain=self.domain, given=given, name=name)
        now = tuple(h for h in given if h != UNTIL)
        return instance(any_round, {T: t}, self.without(T), now, name=name)

    def argument(self) -> Argument:
        """Choices, counts and widths."""
        items = {"choice": self.next_round, "counts": self.counts, "widths": self.widths}
        own = self.chosen(t, BOTH).xreplace({T: t})
        added = "" if self.agent.knows_mean else ", each with the same number added"
        words = f"arm of round t in an outcome (d, e), whose rewards before round t are those of d{added}; without "
        read = Letter(own, f"{words}(d, e): with the rewards d; so for counts and widths")
        letters = {**self.agent.letters, own: read}
        return proof(*(self.in_play(item, name) for name, item in items.items()), letters=letters)


def required(item: Item | None) -> Item:
    if item is None:
        raise ValueError("an agent that does not know mu_0 needs the weights of its arms")
    return item
