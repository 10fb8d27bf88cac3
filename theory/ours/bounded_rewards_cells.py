"""Rewards in [0, 1]: what the other arms do to one arm's chances, by cells of X.

Given its own rewards an arm has what a good pull needs, or crosses the boundary of a bad round, for every X above some
level. X is independent of these rewards, and its tail is bounded by ours/bounded/line. The law of X is put on the
levels x_1, ..., x_M of a mesh, each cell at its upper end; what is beyond x_M is counted in full.
"""

from dataclasses import dataclass, replace

import sympy as sp

from theory.kernel.argument import Argument, Item, proof
from theory.kernel.claim import claim
from theory.kernel.goal import Goal, Rel, Var, at_least, positive, real
from theory.kernel.rules import (
    Applied,
    Expectation,
    Follows,
    Induction,
    Instance,
    Otherwise,
    SumOver,
    Union,
    Whether,
    applied,
    follows,
    instance,
    specialised,
)
from theory.kernel.rules.compose import conclusion
from theory.kernel.terms import Event, Mean, substitute
from theory.model import bounded_lines as lines
from theory.model import bounded_pulls as pull
from theory.model.arms import s as noise
from theory.model.bounded_lines import ABOVE, BELOW, FALLEN, LAW_WORDS, LAWS, REACHED, Line, M, lam
from theory.model.bounded_play import WORDS as PLAY_WORDS
from theory.model.bounded_play import K, N, c, i, k, length, n, needed, o, rewards, shortfall, t, x, y
from theory.model.bounded_play import z as threshold
from theory.model.play import LATER
from theory.ours.bounded_rewards_lines import crossing

p, q, r, s, u, v, w, z = sp.symbols("p q r s u v w z")
BIT = Var(sp.Integer(0), integer=True, high=sp.Integer(1))
ONE, TWO = sp.Integer(1), sp.Integer(2)
COUNT = at_least(1, integer=True)
a, T = sp.Function("a"), sp.Function("T")
READ = {**PLAY_WORDS, **ABOVE.words, **BELOW.words, **LAW_WORDS}
FREE = {**pull.FREE, **LAWS, u: real(), t: pull.LATE, n: pull.LATE, M: COUNT}


def needs_less() -> Applied:
    """A good pull needs the less the larger X is: d(u) <= need at the weights of d(x), and this falls in X."""
    order = Rel(x, "<=", u)
    places = {pull.v: pull.least_weight, pull.w: pull.least_best, x: u}
    there = applied(pull.NEEDED, places, *pull.LEAST_ALLOWED, domain=FREE, name="at the weights of another X")
    numbers = {**dict.fromkeys((p, q, r, s, x, u), real()), v: positive()}
    known = order, Rel(q, "<=", r - v * (u + s)), Rel(p, "=", r - v * (x + s))
    moved = Goal(Rel(r - v * (u + s), "<=", r - v * (x + s)), numbers, (order,), "a larger X")
    lemma = follows(Rel(q, "<=", p), moved, domain=numbers, given=known, name="a larger X")
    others = pull.rho / (1 + pull.least_weight)
    best = pull.least_best * (y - pull.level) + (pull.level - threshold) * pull.least_weight
    rest = N * threshold - pull.LAST_RADIUS * sp.sqrt(noise) * pull.root(N, pull.least_weight)
    at = {p: needed(i, N, x, y), q: needed(i, N, u, y), r: rest, s: best, v: others}
    return applied(lemma, at, pull.NEEDED_AT, there, domain=FREE, given=(order,), name="a good pull needs less")


def boundary_rises() -> Applied:
    """A sum is the further below the boundary the larger X is."""
    order, given = Rel(x, "<=", u), (LATER,)
    places = {pull.j: pull.most_pulls, pull.v: pull.most_weight, x: u}
    allowed = pull.MOST_ALLOWED
    there = applied(pull.SHORTFALL, places, *allowed, domain=FREE, given=given, name="at the count of another X")
    numbers = {**dict.fromkeys((p, q, r, s, x, u), real()), v: positive()}
    known = order, Rel(r + v * (u + s), "<=", q), Rel(p, "=", r + v * (x + s))
    moved = Goal(Rel(r + v * (x + s), "<=", r + v * (u + s)), numbers, (order,), "a larger X")
    lemma = follows(Rel(p, "<=", q), moved, domain=numbers, given=known, name="a larger X")
    others, j = pull.rho / (1 + pull.most_weight), pull.most_pulls
    height = j * threshold - pull.RADIUS * sp.sqrt(noise) * pull.root(j, pull.most_weight) - rewards(K, j, o)
    line = (threshold - pull.level_of_round) * pull.most_weight
    at = {p: shortfall(i, t, x, o), q: shortfall(i, t, u, o), r: height, s: line, v: others}
    parts = pull.SHORTFALL_AT, there
    return applied(lemma, at, *parts, domain=FREE, given=(order, *given), name="the boundary rises")


def abel() -> Induction:
    """Summation by parts: cells at their upper ends, or levels with the rises up to them."""
    cells = sp.Sum((T(c - 1) - T(c)) * a(c), (c, 1, M))
    levels = T(0) * a(1) + sp.Sum((a(c) - a(c - 1)) * T(c - 1), (c, 2, M)) - a(M) * T(M)
    return Induction(Rel(cells, "=", levels), M, ONE, {T(c): real(), a(c): real()}, name="by parts")


def _with_mean(value: sp.Expr, known: tuple[Rel, ...]) -> Follows:
    """p <= value s from p <= q s, where the other relations say that q is this value."""
    numbers = dict.fromkeys((p, q, r, s, u, v, w, z), real())
    equal = Goal(Rel(q, "=", value), numbers, known[1:], "a mean")
    scaled = Goal(Rel(q * s, "=", value * s), numbers, (equal.rel,), "times a tail")
    parts = equal, scaled
    return follows(Rel(p, "<=", value * s), *parts, domain=numbers, given=known, name="with this mean")


@dataclass(frozen=True)
class Cells:
    """The mean of weight 1{h at X}, where `at` is the event h if X = x, which happens the sooner the larger x is.

    `no` is the opposite event, `either` proves that one of them happens; `rises` proves h(x) <= h(u) for x <= u, and
    `reaches` 1{h at X} <= 1{X > x} + h(x). `mean`, `whole` define the means of weight h(x) and of the weight.
    """

    line: Line
    weight: sp.Expr
    at: sp.Expr
    no: sp.Expr
    either: Item
    rises: Item
    reaches: Item
    mean: Item
    whole: Item | None
    domain: dict[sp.Expr, Var]
    given: tuple[Rel, ...]

    def _level(self, number: sp.Expr) -> dict[sp.Expr, sp.Expr]:
        return {x: self.line.level(number)}

    def h(self, number: sp.Expr) -> sp.Expr:
        """The event h at a level of the mesh."""
        return substitute(self.at, self._level(number))

    def not_h(self, number: sp.Expr) -> sp.Expr:
        return substitute(self.no, self._level(number))

    def above(self, number: sp.Expr) -> sp.Expr:
        """X is above a level of the mesh."""
        return Event(self.line.beyond - self.line.level(number), 1)

    @property
    def here(self) -> sp.Expr:
        """The event h at X itself."""
        return substitute(self.at, {x: self.line.beyond})

    def _instance(self, item: Item, number: sp.Expr, name: str) -> Instance:
        return instance(item, self._level(number), self.domain, self.given, name)

    def rise(self, number: sp.Expr) -> sp.Expr:
        """The event that h begins between two levels, and that X is above the lower one."""
        return self.not_h(number - 1) * self.h(number) * self.above(number - 1)

    def _step(self) -> Applied:
        """not h_M 1{h at X} <= not h_M h_{M+1} 1{X > x_M} + not h_{M+1} 1{h at X}."""
        numbers = {p: BIT, r: BIT, s: BIT, q: BIT, u: BIT}  # h at X, not h_M, not h_{M+1}, h_{M+1}, X > x_M
        known = (Rel(r**2, "=", r), Rel(p, "<=", u + 1 - r), Rel(q, "=", 1 - s))
        above = Goal(Rel(r * p, "<=", r * u), numbers, known[:2], "above the level")
        over = follows(Rel(r * q * p, "<=", r * q * u), above, domain=numbers, given=known[:2], name="above, and h")
        lemma = follows(Rel(r * p, "<=", r * q * u + s * p), over, domain=numbers, given=known, name="one level more")
        at = {p: self.here, r: self.not_h(M), s: self.not_h(M + 1), q: self.h(M + 1), u: self.above(M)}
        same = follows(
            Rel(self.h(M + 1), "=", 1 - self.not_h(M + 1)),
            self._instance(self.either, M + 1, "one of two"),
            domain=self.domain,
            given=self.given,
        )
        parts = Whether(self.not_h(M), self.domain), self._reached(), same
        return applied(lemma, at, *parts, domain=self.domain, given=self.given, name="one level more")

    def _reached(self) -> Follows:
        """1{h at X} <= 1{X > x_M} + 1 - not h_M."""
        parts = self._instance(self.reaches, M, "a level"), self._instance(self.either, M, "one of two")
        rel = Rel(self.here, "<=", self.above(M) + 1 - self.not_h(M))
        return follows(rel, *parts, domain=self.domain, given=self.given, name="h at X or at the level")

    def pointwise(self) -> Applied:
        """1{h at X} <= h_1 + the rises + not h_M 1{X > x_M}."""
        total = self.h(ONE) + sp.Sum(self.rise(c), (c, 2, M))
        rel = Rel(self.here, "<=", total + self.not_h(M) * self.here)
        free = {y_: var for y_, var in self.domain.items() if y_ not in (M, c)}
        first = self._instance(self.either, ONE, "one of two")
        begins = follows(
            Rel(self.here, "<=", self.h(ONE) + self.not_h(ONE) * self.here), first, domain=free, given=self.given
        )
        all_ = Induction(rel, M, ONE, free, self.given, "levels", lemmas=(self._step(),), first=(begins,))
        numbers = {p: BIT, r: BIT, u: BIT, q: real()}
        known = (Rel(p, "<=", q + r * p), Rel(p, "<=", u + 1 - r), Rel(r**2, "=", r))
        lemma = Goal(Rel(p, "<=", q + r * u), numbers, known, "beyond the last level")
        at = {p: self.here, q: total, r: self.not_h(M), u: self.above(M)}
        parts = all_, self._reached(), Whether(self.not_h(M), self.domain)
        return applied(lemma, at, *parts, domain=self.domain, given=self.given, name="by levels")

    def averaged(self) -> Expectation:
        """The same, weighted and in the mean."""
        item = self.pointwise()
        left, right = conclusion(item).rel.stated
        numbers = {p: real(), q: real(), r: at_least(0)}
        product = Goal(Rel(r * p, "<=", r * q), numbers, (Rel(p, "<=", q),), "times the weight")
        at = {p: left, q: right, r: self.weight}
        return Expectation(
            applied(product, at, item, domain=self.domain, given=self.given, name="by levels, weighted"), (o,)
        )

    def a(self, number: sp.Expr) -> sp.Expr:
        """The mean of weight h at a level, by its definition."""
        return substitute(conclusion(self.mean).rel.stated[1], self._level(number))

    @property
    def b(self) -> sp.Expr:
        """The mean of the weight."""
        return sp.S.One if self.whole is None else conclusion(self.whole).rel.stated[1]

    def _tail(self, own: sp.Expr, number: sp.Expr, more: dict[sp.Expr, sp.Expr], name: str) -> Applied:
        """E[own 1{X > x}] <= E[own] T at a level."""
        at = {lam: self.line.slope(number), **self._level(number), **more}
        any_ = crossing(self.line, own, name)
        here = instance(any_, at, self.domain, self.given, name)
        left = conclusion(here).rel.stated[0]
        mean_ = Mean(substitute(own, {y_: value for y_, value in at.items() if y_ != lam}), o)
        tails = instance(self.line.tails, {c: number}, self.domain, self.given, "the tail")
        known = Rel(p, "<=", q * r), Rel(s, "=", r)
        lemma = Goal(Rel(p, "<=", q * s), dict.fromkeys((p, q, r, s), real()), known, "a tail")
        value = conclusion(tails).rel.stated[1]
        return applied(
            lemma,
            {p: left, q: mean_, r: value, s: self.line.tail(number)},
            *(here, tails),
            domain=self.domain,
            given=self.given,
            name=name,
        )

    def one_level(self) -> Applied:
        """E[weight not h_{c-1} h_c 1{X > x_{c-1}}] <= (a_c - a_{c-1}) T_{c-1}."""
        free = {**self.domain, c: at_least(2, integer=True)}
        cell = replace(self, domain=free)
        after = substitute(self.at, {x: u})
        own = self.weight * self.no * after
        tail = cell._tail(own, c - 1, {u: self.line.level(c)}, "between two levels")
        rising = instance(self.line.rising, {c: c - 1}, free, self.given, "levels rise")
        numbers = {p: BIT, q: BIT, r: BIT, w: at_least(0)}  # h_{c-1}, h_c, not h_{c-1}
        known = Rel(p, "<=", q), Rel(p, "=", 1 - r), Rel(q**2, "=", q)
        lemma = Goal(Rel(w * r * q, "=", w * q - w * p), numbers, known, "h begins between two levels")
        ordered = applied(
            self.rises, {x: self.line.level(c - 1), u: self.line.level(c)}, rising, domain=free, given=self.given
        )
        either = cell._instance(self.either, c - 1, "one of two")
        same = follows(
            Rel(self.h(c - 1), "=", 1 - self.not_h(c - 1)), either, domain=free, given=self.given, name="one of two"
        )
        at = {p: self.h(c - 1), q: self.h(c), r: self.not_h(c - 1), w: self.weight}
        parts = ordered, same, Whether(self.h(c), free)
        begun = Expectation(applied(lemma, at, *parts, domain=free, given=self.given, name="h begins"), (o,))
        means = [cell._instance(self.mean, number, "mean at a level") for number in (c, c - 1)]
        order = _with_mean(w - z, (Rel(p, "<=", q * s), Rel(q, "=", u - v), Rel(u, "=", w), Rel(v, "=", z)))
        left = conclusion(tail).rel.stated[0]
        sides = [conclusion(item).rel.stated for item in means]
        at = {p: left, q: conclusion(begun).rel.stated[0], s: self.line.tail(c - 1)}
        at |= {u: sides[0][0], w: sides[0][1], v: sides[1][0], z: sides[1][1]}
        return applied(order, at, tail, begun, *means, domain=free, given=self.given, name="one level")

    def last_level(self) -> Applied:
        """E[weight not h_M 1{X > x_M}] <= (b - a_M) T_M."""
        tail = self._tail(self.weight * self.no, M, {}, "beyond the last level")
        either = self._instance(self.either, M, "one of two")
        rel = Rel(self.weight * self.not_h(M), "=", self.weight - self.weight * self.h(M))
        rest = Expectation(follows(rel, either, domain=self.domain, given=self.given, name="the rest"), (o,))
        mean_ = self._instance(self.mean, M, "mean at the last level")
        left, _ = conclusion(tail).rel.stated
        side = conclusion(mean_).rel.stated
        known: list[Rel] = [Rel(p, "<=", q * s), Rel(q, "=", u - v), Rel(v, "=", z)]
        at = {p: left, q: conclusion(rest).rel.stated[0], s: self.line.tail(M), v: side[0], z: side[1], u: self.b}
        parts: list[Item] = [tail, rest, mean_]
        if self.whole is not None:
            known, parts = [*known[:1], Rel(q, "=", r - v), Rel(r, "=", u), *known[2:]], [*parts, self.whole]
            at[r] = conclusion(self.whole).rel.stated[0]
        lemma = _with_mean(u - z, tuple(known))
        return applied(lemma, at, *parts, domain=self.domain, given=self.given, name="the last level")

    def bound(self, name: str) -> Follows:
        """E[weight 1{h at X}] <= sum_c (T_{c-1} - T_c) a_c + T_M b."""
        free = {y_: var for y_, var in self.domain.items() if y_ != c}
        rises = SumOver(self.one_level(), c, TWO, M, free, given=self.given, name="levels")
        functions = {a(c): self.a(c), T(c): self.line.tail(c)}
        parts_ = specialised(abel(), functions, free, name="by parts")
        first = self._instance(self.mean, ONE, "mean at the first level")
        averaged = self.averaged()
        cells = conclusion(parts_).rel.stated[0]
        rel = Rel(conclusion(averaged).rel.stated[0], "<=", cells + self.line.tail(M) * self.b)
        whole = Goal(Rel(p * q, "=", q), {p: real(), q: real()}, (Rel(p, "=", 1),), "all of it")
        at = {p: self.line.tail(sp.S.Zero), q: self.a(ONE)}
        start = applied(whole, at, self.line.start, domain=free, given=self.given, name="the first cell")
        parts = averaged, rises, self.last_level(), first, start, parts_
        return follows(rel, *parts, domain=free, given=self.given, name=name)


def good_pulls() -> Cells:
    """An arm has what a good pull needs."""
    given = (lines.OTHER,)
    no = Event(needed(i, N, x, y) - rewards(k, N, o), 1)
    short = Rel(needed(i, N, x, y), ">", rewards(k, N, o))
    later = Rel(needed(i, N, u, y), ">", rewards(k, N, o))
    order = needs_less()
    fewer = follows(short, order, domain=FREE, given=(Rel(x, "<=", u), later), name="too few at a larger X")
    rises = Union(fewer, (later,), "enough at a larger X")
    at_x = instance(fewer, {x: pull.beyond, u: x}, FREE, (_below(ABOVE), short), name="too few at a level")
    reaches = Union(at_x, (_below(ABOVE), short), "X or a level")
    either = Otherwise(rewards(k, N, o) - needed(i, N, x, y), FREE, "enough or not")
    weight = length(i, k, o)
    return Cells(ABOVE, weight, REACHED, no, either, rises, reaches, lines.ENOUGH, lines.LENGTH, FREE, given)


def _below(line: Line) -> Rel:
    return Rel(line.beyond, "<=", x)


def boundary() -> Cells:
    """The rewards of the best arm fall below the boundary."""
    given = (LATER,)
    no = Event(-shortfall(i, t, x, o), 0)
    above, later = Rel(shortfall(i, t, x, o), "<=", 0), Rel(shortfall(i, t, u, o), "<=", 0)
    order = boundary_rises()
    not_yet = follows(above, order, domain=FREE, given=(LATER, Rel(x, "<=", u), later), name="above at a larger X")
    rises = Union(not_yet, (later,), "below at a larger X")
    at_x = instance(not_yet, {x: pull.below, u: x}, FREE, (LATER, _below(BELOW), above), name="above at a level")
    reaches = Union(at_x, (_below(BELOW), above), "X or a level")
    either = Otherwise(-shortfall(i, t, x, o), FREE, "below or not")
    return Cells(BELOW, sp.S.One, FALLEN, no, either, rises, reaches, lines.CROSSED, None, FREE, given)


@claim(
    "ours/bounded/other-arms",
    by="us",
    kind="inequality",
    cites=("ours/bounded/line", "ours/bounded/good-pull", "ours/bounded/bad-round"),
)
def other_arms() -> Argument:
    """Given an arm's own rewards, X, how far the other arms are beyond their line, has the tail of ours/bounded/line.
    What a good pull needs falls in X, and the boundary of a bad round rises in X. So either event happens at X only if
    it happens at the first level, or begins between two levels of which X is above the lower one, or does not happen
    at the last level and X is above it. In the mean this is the law of X by cells at their upper ends."""
    return proof(good_pulls().bound("good pulls"), boundary().bound("boundary"), letters=READ)
