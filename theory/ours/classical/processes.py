"""Processes in finitely many rounds: Ville's inequality for any nonnegative process, and for supermartingales.

M(t, o) is the value after t rounds, a function of the outcome o.
"""

from collections.abc import Callable
from dataclasses import dataclass

import sympy as sp

from theory.kernel.analysis import exp_tangent
from theory.kernel.argument import Argument, Item, proof
from theory.kernel.claim import claim
from theory.kernel.goal import Goal, Letter, Rel, Var, at_least, positive, real
from theory.kernel.rules import (
    Applied,
    Expectation,
    Follows,
    Indicates,
    Induction,
    Instance,
    Otherwise,
    Reindex,
    SumOver,
    Union,
    applied,
    follows,
    instance,
    restated,
    specialised,
    uses,
)
from theory.kernel.rules.compose import Domain, conclusion
from theory.kernel.terms import Event, Mean
from theory.model.functions import quantity
from theory.ours.bad_rounds import times

t, n, c, o, m = sp.symbols("t n c o m")
g, h, i = sp.symbols("g h i")  # indices of rounds, letters that claims do not use for what they put in
M, TIME = quantity("M", "M_{{{}}}"), quantity("T", "T")(o)
ZERO = sp.Integer(0)
ROUND = at_least(0, integer=True)
PROCESS: dict[sp.Expr, Var] = {t: ROUND, c: positive(), o: real(), M(t, o): at_least(0)}
ROUNDS = {**PROCESS, n: ROUND, TIME: ROUND}
WORDS = {
    M(t, o): Letter(M(t, o), "any nonnegative process"),
    TIME: Letter(TIME, "any number of rounds up to n; it may depend on all of them"),
    c: Letter(c, "any positive number"),
    n: Letter(n, "number of rounds"),
}


def at(time: sp.Expr, reached: bool = False) -> sp.Expr:
    """1 if the process is at most c after so many rounds; `reached`: if it is below c."""
    return Event(c - M(time, o), int(reached))


def below(time: sp.Expr, reached: bool = False) -> sp.Expr:
    """1 if this is so after every number of rounds up to this one."""
    return sp.Product(at(h, reached), (h, 0, time))


def one_more(time: sp.Expr, domain: dict[sp.Expr, Var], reached: bool = False) -> Instance:
    """One factor more."""
    rel = Rel(below(t, reached), "=", below(t - 1, reached) * at(t, reached))
    return instance(Induction(rel, t, ZERO, PROCESS, name="one round more"), {t: time}, domain)


def chance(op: str, value: int, time: sp.Expr, domain: dict[sp.Expr, Var], reached: bool = False) -> Instance:
    """An indicator is at least 0 and at most 1."""
    free = {x: v for x, v in PROCESS.items() if x != t}
    every = Induction(Rel(below(t, reached), op, value), t, sp.Integer(-1), free, name=f"{op} {value}")
    return instance(every, {t: time}, domain)


def later(reached: bool = False) -> Instance:
    """Who is below c in all rounds up to n is so after T of them."""
    after = {**PROCESS, m: ROUND}
    more = {**after, i: ROUND}
    base = one_more(m, after, reached), chance("<=", 1, m - 1, after, reached)
    lemmas = one_more(m + i + 1, more, reached), chance(">=", 0, m + i, more, reached)
    rel = Rel(below(m + i, reached), "<=", at(m, reached))
    every = Induction(rel, i, ZERO, after, name="still below", lemmas=lemmas, first=base)
    return instance(every, {m: TIME, i: n - TIME}, ROUNDS, (Rel(TIME, "<=", n),), "below c after T rounds")


def value(time: sp.Expr, reached: bool = False) -> sp.Expr:
    """c once the process was above it, and the process itself until then."""
    return c * (1 - below(time, reached)) + below(time, reached) * M(time, o)


def gain(time: sp.Expr, reached: bool = False) -> sp.Expr:
    """What the process gains in a round, if it was at most c so far."""
    return below(time, reached) * (M(time + 1, o) - M(time, o))


def stopped(reached: bool = False) -> Induction:
    """Stopped above c, the process gains in a round what it does while it is at most c."""
    total = M(ZERO, o) + sp.Sum(gain(g - 1, reached), (g, 1, t))
    first = Indicates(c - M(ZERO, o), PROCESS, strict=reached, name="above c at the start")
    above = Indicates(c - M(t + 1, o), PROCESS, strict=reached, name="above c")
    still = below(t, reached) * at(t + 1, reached)
    after = Rel(c * (1 - still) + still * M(t + 1, o), "<=", value(t, reached) + gain(t, reached))
    one = follows(after, above, chance(">=", 0, t, PROCESS, reached), domain=PROCESS, name="one round")
    rel = Rel(value(t, reached), "<=", total)
    return Induction(rel, t, ZERO, PROCESS, name="stopped", lemmas=(one,), first=(first,))


def every_outcome(reached: bool = False) -> Follows:
    """c 1{M_T > c} <= M_0 + what the process gains while it is at most c; `reached`: of M_T >= c, while it is below."""
    end = instance(stopped(reached), {t: n}, ROUNDS, name="after n rounds")
    over = M(TIME, o) - c
    passed = Otherwise(over if reached else -over, ROUNDS, "above c after T rounds")
    total = M(ZERO, o) + sp.Sum(gain(g, reached), (g, 0, n - 1))
    within = Rel(TIME, "<=", n)
    parts = later(reached), passed, chance(">=", 0, n, ROUNDS, reached), end
    made, left = Event(over, int(not reached)), below(n, reached)
    rel = Rel(c * made, "<=", total)
    worth = follows(Rel(c * (1 - left), "<=", value(n, reached)), parts[2], domain=ROUNDS, name="worth c at least")
    gone = follows(Rel(made, "<=", 1 - left), *parts[:2], domain=ROUNDS, given=(within,))
    scaled = times(gone.rel, c, ROUNDS, "times c", True)
    counted = Reindex(gain(i - 1, reached), i, sp.Integer(1), n, g, g + 1, ROUNDS, name="rounds before")
    return follows(rel, gone, scaled, worth, end, counted, domain=ROUNDS, given=(within,), name="every outcome")


@claim("ours/classical/ville/every-outcome", by="us", kind="inequality")
def reached() -> Argument:
    """The process that is stopped when it reaches c is at least c if it ever does, and gains in a round what the
    process gains while it is below c. If these gains have means of at most 0, so that E M_0 is at least the mean of the
    right side, this is Ville's inequality for M_T >= c."""
    return proof(every_outcome(reached=True), letters=WORDS)


@claim("ours/classical/ville", by="us", kind="inequality")
def ville() -> Argument:
    """Ville's inequality in n rounds. The process that is stopped when it exceeds c is at least c if it ever did,
    and gains in a round what the process gains while it is at most c. For a supermartingale these gains have means of
    at most 0, and the right side is E M_0."""
    mean = Expectation(every_outcome(), (o,), name="in the mean")
    wanted = Rel(
        c * Mean(Event(M(TIME, o) - c, 1), o), "<=", Mean(M(ZERO, o), o) + sp.Sum(Mean(gain(g), o), (g, 0, n - 1))
    )
    return proof(restated(mean, wanted, "ever above c"), letters=WORDS)


x, y, z = sp.symbols("chi y z")  # chi: a letter that claims do not use for what they put in
X = quantity("X", "X_{{{}}}")
EXPONENTS: dict[sp.Expr, Var] = {x: real(), o: real(), n: ROUND, TIME: ROUND}
WITHIN = Rel(TIME, "<=", n)


def exceeds() -> Union:
    """Whose exponential is at most e^x is itself at most x."""
    pair, small = {x: real(), y: real()}, Rel(sp.exp(y), "<=", sp.exp(x))
    tangent = instance(exp_tangent(z), {z: y - x}, pair, name="tangent of exp")
    ratio = Goal(Rel(sp.exp(y - x), "<=", 1), pair, (small,), "ratio of exponentials")
    facts = Rel(z - 1 - (y - x), ">=", 0), Rel(z, "<=", 1)
    lemma = Goal(Rel(y, "<=", x), {**pair, z: real()}, facts, "order of exponents")
    order = applied(lemma, {z: sp.exp(y - x)}, tangent, ratio, domain=pair, given=(small,))
    given = (Rel(sp.exp(X(TIME, o)), "<=", sp.exp(x)),)
    return Union(instance(order, {y: X(TIME, o)}, EXPONENTS, given, "after T rounds"), given, "above x")


@claim("ours/classical/ville/exponential", by="us", kind="inequality")
def exponential() -> Argument:
    """Ville's inequality for exp(X_t) and c = e^x."""
    process = {M(t, o): sp.exp(X(t, o))}
    any_level = specialised(uses("ours/classical/ville"), process, {**EXPONENTS, c: positive()}, (WITHIN,))
    level = instance(any_level, {c: sp.exp(x)}, EXPONENTS, (WITHIN,), "at e^x")
    above = Expectation(exceeds(), (o,), name="chance")
    scaled = times(above.concludes.rel, sp.exp(x), EXPONENTS, "times e^x", True)
    left, right = Mean(Event(X(TIME, o) - x, 1), o) * sp.exp(x), conclusion(level).rel.stated[1]
    parts = above, scaled, level
    found = follows(Rel(left, "<=", right), *parts, domain=EXPONENTS, given=(WITHIN,), name="ever above x")
    return proof(found, letters={**WORDS, X(t, o): Letter(X(t, o), "any process"), x: Letter(x, "any number")})


B = quantity("B", "B")(o)
WEIGHTED = {**EXPONENTS, B: at_least(0)}


@claim("ours/classical/ville/weighted", by="us", kind="inequality")
def weighted() -> Argument:
    """Ville's inequality for exp(X_t) and c = e^x, every outcome multiplied by B before means are taken. If B is known
    before the first round it is a statement about conditional chances."""
    process = {M(t, o): sp.exp(X(t, o))}
    any_level = specialised(every_outcome(), process, {**EXPONENTS, c: positive()}, (WITHIN,))
    level = instance(any_level, {c: sp.exp(x)}, EXPONENTS, (WITHIN,), "at e^x")
    above = exceeds()
    scaled = times(above.concludes.rel, sp.exp(x), EXPONENTS, "times e^x", True)
    crossed, total = Event(X(TIME, o) - x, 1) * sp.exp(x), conclusion(level).rel.stated[1]
    parts = above, scaled, level
    once = follows(Rel(crossed, "<=", total), *parts, domain=EXPONENTS, given=(WITHIN,), name="every outcome")
    p, q, r = sp.symbols("p q r")
    product = Goal(Rel(r * p, "<=", r * q), {p: real(), q: real(), r: at_least(0)}, (Rel(p, "<=", q),), "times B")
    at_ = {p: crossed, q: total, r: B}
    whole = applied(product, at_, once, domain=WEIGHTED, given=(WITHIN,), name="every outcome, weighted")
    words = {X(t, o): Letter(X(t, o), "any process"), x: Letter(x, "any number"), B: Letter(B, "any weight")}
    return proof(Expectation(whole, (o,), name="ever above x, weighted"), letters={**WORDS, **words})


def past(process: sp.Expr, index: sp.Symbol, level: sp.Expr) -> sp.Expr:
    """1 if the process was at most the level in rounds 0, ..., g, in the form of ours/classical/ville/exponential."""
    return sp.Product(Event(sp.exp(level) - sp.exp(process.xreplace({index: h})), 0), (h, 0, g))


def nonnegative(past_: sp.Expr, domain: Domain, given: tuple[Rel, ...] = ()) -> Induction:
    """A product of indicators is not negative."""
    return Induction(Rel(past_, ">=", 0), g, ZERO, domain, given, "a product of indicators")


@dataclass(frozen=True)
class Supermartingale:
    """exp(process) is a supermartingale; the process is an expression in `index`.

    `begins` proves that E e^{X_0} is `start`, or less. `falls` proves E[past e^{X_{g+1}}] <= E[past e^{X_g}], for the
    past of a level. With a `weight` all these means are of the weight times what is averaged.
    """

    process: sp.Expr
    index: sp.Symbol
    begins: Item
    falls: Callable[[sp.Expr], Item]
    start: sp.Expr = sp.S.One
    weight: sp.Expr = sp.S.One

    def at(self, time: sp.Expr) -> sp.Expr:
        return self.process.xreplace({self.index: time})

    def exceeds(
        self,
        level: sp.Expr,
        time: sp.Expr,
        within: Item,
        horizon: sp.Expr,
        domain: Domain,
        given: tuple[Rel, ...] = (),
    ) -> Applied:
        """P(X_T > level) <= start e^-level, for a time T that `within` proves to be at most the horizon; with a weight,
        E[weight 1{X_T > level}] <= start e^-level."""
        if {x, n} & (self.process.free_symbols | time.free_symbols | self.weight.free_symbols):
            raise ValueError(f"{self.process}: {x} and {n} are the level and the number of rounds of the theorem")
        free = {**domain, n: ROUND, x: real()}
        process = {X(self.index, o): self.process, TIME: time}
        lemma = uses("ours/classical/ville/exponential")
        if self.weight != 1:
            lemma, process[B] = uses("ours/classical/ville/weighted"), self.weight
        whole = specialised(lemma, process, free, (Rel(time, "<=", n),), "this process")
        bound = applied(whole, {n: horizon, x: level}, within, domain=domain, name="this level")
        gains = SumOver(self.falls(past(self.process, self.index, level)), g, ZERO, horizon - 1, domain, name="rounds")
        chance = Mean(self.weight * Event(self.at(time) - level, 1), o)
        parts = bound, gains, self.begins
        rel = Rel(chance * sp.exp(level), "<=", self.start)
        mass = follows(rel, *parts, domain=domain, given=given, name="at most E e^{X_0}")
        p, q, r = sp.symbols("p q r")
        numbers, known = {p: real(), q: real(), r: real()}, (Rel(p * sp.exp(q), "<=", r),)
        divided = Goal(Rel(p, "<=", r * sp.exp(-q)), numbers, known, "divided by e^x")
        values = {p: chance, q: level, r: self.start}
        return applied(divided, values, mass, domain=domain, given=given, name="ever above the level")
