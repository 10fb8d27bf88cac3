"""The errors of a round are normal given the reward differences: from prior times likelihood, by integration.

The density of the error z of arm k and of mu_0 is exp of two squares. Its integral over mu_0 is a multiple of
exp(-z^2/(2 tau_k^2)), so that chances and means of the error are those of `ours/classical/normal`. For an agent that
knows mu_0 there is one square.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache

import sympy as sp
from sympy.core.function import AppliedUndef

from theory.kernel.argument import Argument, Item, proof
from theory.kernel.claim import claim
from theory.kernel.goal import Goal, Letter, Rel, Var, at_least, positive, real
from theory.kernel.named import spelled
from theory.kernel.rules import (
    Applied,
    Definition,
    Expectation,
    Follows,
    Replaced,
    Use,
    applied,
    congruent,
    follows,
    instance,
    replaced,
    uses,
)
from theory.kernel.rules.compose import conclusion
from theory.kernel.terms import Mean
from theory.model.arms import n, s, s0, w
from theory.model.conditional_laws import m, rbar_0, rbar_k
from theory.model.error_law import BOTH, KNOWN, REUCB, A, ErrorLaw, c, z
from theory.model.normal import Density, Excess, Tail
from theory.model.play import ANOTHER, K, another, i, k, mu, o, t
from theory.model.round_errors import d, e
from theory.ours.classical import normal
from theory.ours.classical.normal import ABOVE, BELOW, CENTRED, SQUARED, Beyond, NormalDensity, b, equal, h, u
from theory.ours.posteriors import exponential, integrated
from theory.ours.root_series import order_of_roots

x, y = sp.symbols("x y")
SIZES: dict[sp.Symbol, Var] = {
    **{n: at_least(0), A: positive(), s: positive(), s0: positive()},
    **dict.fromkeys((rbar_k, rbar_0, z, b), real()),
}


def density(agent: ErrorLaw) -> Item:
    """The density of the error of an arm is a multiple of exp(-z^2/(2 tau_k^2))."""
    own = -(z**2) / (2 * agent.variance)
    line = {a: r for a, r in SIZES.items() if a != b}
    if agent.weights is None:
        return exponential(
            Goal(Rel(agent.log_density, "=", own), {a: r for a, r in line.items() if a != A}, name="one square")
        )
    rest = 1 + A - w  # 1 and the weights of the other arms
    middle = ((1 - w) * rbar_0 + w * rbar_k - z + A * rbar_0 - w * rbar_k) / rest  # of mu_0, given the error
    other = -((b - middle) ** 2) / (2 * s0 / rest)
    square = Goal(Rel(agent.log_density.xreplace({m: b}), "=", own + other), SIZES, name="two squares")
    return integrated(square, own, other, (middle, s0 / rest), line)


@cache
def given_choices(agent: ErrorLaw) -> NormalDensity:
    """The density of an error of a round given what decides the choices: that of N(0, tau_k^2)."""
    line = {**agent.domain, z: real()}
    found = instance(density(agent), agent.at, line, agent.given, name="squares")
    form, variance = found.concludes.rel.stated[1], agent.variance.xreplace(agent.at)
    parts = agent.density, found
    f = parts[0].concludes.rel.stated[0]
    shape = equal(*parts, domain=line, given=agent.given, name="density of an error")
    factor = form / sp.exp(-(z**2) / (2 * variance))
    return NormalDensity(f, sp.S.Zero, variance, factor, shape, agent.domain, agent.given)


@cache
def squares(agent: ErrorLaw) -> Item:
    """tau_k^2 is the variance of the density."""
    parts = {a: r for a, r in agent.domain.items() if a != o}
    if agent.eq_mse is None:
        raise ValueError("the widths of this agent are not defined")
    return instance(agent.eq_mse, {o: d}, parts, agent.given, name="Eq. MSE")


@cache
def root(agent: ErrorLaw) -> Follows:
    """sqrt(V) = tau_k, for the variance V of the density."""
    spread, tau = sp.sqrt(agent.variance.xreplace(agent.at)), agent.width(k, t, d)
    orders = [
        applied(order_of_roots(above), at, squares(agent), domain=agent.domain, given=agent.given, name="roots")
        for above, at in ((y, {x: tau, y: spread}), (x, {x: spread, y: tau}))
    ]
    rel, name = Rel(spread, "=", tau), "the root of the variance is tau"
    return follows(rel, *orders, domain=agent.domain, given=agent.given, name=name)


def centred(agent: ErrorLaw) -> Item:
    """The error of arm k has mean 0 given what decides the choices."""
    density_ = given_choices(agent)
    of = CENTRED.of.xreplace({normal.m: sp.S.Zero})
    return density_.mean_of(CENTRED, agent.bayes(of, u), CENTRED.name)


def squared(agent: ErrorLaw) -> Follows:
    """Its square has mean tau_k^2."""
    of = SQUARED.of.xreplace({normal.m: sp.S.Zero})
    found = given_choices(agent).mean_of(SQUARED, agent.bayes(of, u), SQUARED.name)
    rel = Rel(conclusion(found).rel.stated[0], "=", agent.width(k, t, d) ** 2)
    return follows(rel, found, squares(agent), domain=agent.domain, given=agent.given, name=SQUARED.name)


def beyond(agent: ErrorLaw, moment: Beyond) -> Replaced:
    """A moment of what it has beyond c tau_k."""
    density_, tau = given_choices(agent), agent.width(k, t, d)
    spread, here, name = sp.sqrt(density_.variance), (agent.domain, agent.given), moment.name
    found = density_.mean_of(moment, agent.bayes(moment.of.xreplace({h: c * spread}), u), name, c * spread)
    mean, value = conclusion(found).rel.stated[0], spread * Density(c) if moment.power else Tail(c)
    same = Goal(Rel(conclusion(found).rel.stated[1], "=", value), *here, "the same number")
    tidied = equal(found, same, domain=agent.domain, given=agent.given, name=name)
    rel = Rel(mean.xreplace({spread: tau}), "=", value.xreplace({spread: tau}))
    return replaced(tidied, root(agent), rel, *here, name)


def laws(agent: ErrorLaw, *more: Item) -> Argument:
    """The mean of an error, and further moments."""
    return proof(centred(agent), *more, letters={**agent.letters, c: Letter(c, "any number")})


@claim(
    "ours/conditioning/law",
    by="us",
    kind="identity",
)
def of_reucb() -> Argument:
    """Given the reward differences mu_k and mu_0 have a density that is prior times likelihood, exp of two squares;
    integrated over mu_0 it is that of N(0, tau_k^2) in the error."""
    moments = (*ABOVE.values(), *BELOW.values())
    return laws(REUCB, squared(REUCB), *(beyond(REUCB, moment) for moment in moments))


@claim("ours/conditioning/law/known-mu0", by="us", kind="identity")
def of_known_mean() -> Argument:
    """Given all rewards mu_k has a density that is prior times likelihood, exp of one square: that of N(0,
    tilde-tau_k^2) in the error of tilde-mu_k."""
    return laws(KNOWN, beyond(KNOWN, BELOW[0, False]), beyond(KNOWN, BELOW[1, False]))


@dataclass(frozen=True)
class Side:
    """The error of an arm, or its negative, beyond `level` times tau; `source` is the claim that states the law."""

    agent: ErrorLaw
    source: str
    moments: Mapping[tuple[int, bool], Beyond]
    level: sp.Expr
    arm: sp.Expr = k
    strict: bool = True

    def law(self, power: int) -> Use:
        """E[1{Y > b tau} Y^power], Y being the error or its negative."""
        at = {c: self.level, k: self.arm}
        return uses(self.source, at, item=self.moments[power, self.strict].name, domain=self.agent.domain)

    @property
    def event(self) -> sp.Expr:
        return conclusion(self.law(0)).rel.stated[0].args[0]

    @property
    def size(self) -> sp.Expr:
        return self.moments[1, self.strict].sign * self.agent.error(self.arm, t, d, e)

    def excess(self, less: sp.Expr) -> Follows:
        """E[1{Y > b tau} (Y - c tau)] = tau (phi(b) - c Q(b)), c = less."""
        chance, tau, known = self.law(0), self.agent.width(self.arm, t, d), self.agent.given
        product = Goal(Rel(x * u, "=", y * u), dict.fromkeys((x, y, u), real()), (Rel(x, "=", y),), "times a number")
        at = dict(zip((x, y, u), (*conclusion(chance).rel.stated, less * tau), strict=True))
        scaled = applied(product, at, chance, domain=self.agent.domain, given=known, name="times c tau")
        mean = Mean(self.event * (self.size - less * tau), e)
        rel = Rel(mean, "=", tau * (Density(self.level) - less * Tail(self.level)))
        parts = chance, self.law(1), scaled
        return follows(rel, *parts, domain=self.agent.domain, given=known, name="beyond a level")


def one_of_K(agent: ErrorLaw, arm: sp.Expr) -> tuple[tuple[Item, ...], tuple[Rel, ...]]:
    """That an arm is one of K: proved, or a hypothesis, of the arm itself or of its number among the others."""
    if arm.func == another:
        number, left_out = arm.args[:2]
        given = Rel(number, "<=", K - 1)
        known = instance(ANOTHER, {i: number, k: left_out, o: d}, agent.domain, name="another arm")
        rel = Rel(arm, "<=", K)
        return (follows(rel, known, domain=agent.domain, given=(given,), name="another arm is one of K"),), (given,)
    if arm.func == agent.rewards.chosen.func:
        return (instance(agent.rewards.is_an_arm, {o: d}, agent.domain, name="the pulled arm is one of K"),), ()
    return (), (Rel(arm, "<=", K),)


def decided(agent: ErrorLaw, q: sp.Expr) -> tuple[Item, tuple[Rel, ...]] | None:
    """That a quantity of the outcome (d, e) is that of d; and a hypothesis, that the arm is one of K."""
    arm = q.args[0]
    given: tuple[Rel, ...] = ()
    if q.func in agent.decided:
        same: Item = uses(agent.choices, item=agent.decided[q.func], domain=agent.domain)
    elif q.func == another:
        ends = [instance(ANOTHER, {i: arm, k: q.args[1], o: w}, agent.domain) for w in (BOTH, d)]
        same = follows(Rel(q, "=", q.xreplace({BOTH: d})), *ends, domain=agent.domain, name="another arm")
    elif q.func == agent.width:
        parts, given = one_of_K(agent, arm)
        widths, known = uses(agent.choices, item="widths", domain=agent.domain), (*agent.given, *given)
        same = applied(widths, {k: arm}, *parts, domain=agent.domain, given=known, name="width")
    else:
        return None
    if conclusion(same).rel.stated != (q, q.xreplace({BOTH: d})):
        raise ValueError(f"{q}: d, what is known before round {t}, need not decide another round")
    return same, given


def at_differences(agent: ErrorLaw, f: sp.Expr) -> tuple[tuple[Item, ...], sp.Expr, tuple[Rel, ...]]:
    """A function of the outcome (d, e) as one of d and of errors, step by step; which one it is; hypotheses."""
    steps: list[Item] = []
    needed: dict[Rel, None] = {}
    while True:
        of_both = sorted((q for q in f.atoms(AppliedUndef) if q.args[-1] == BOTH), key=spelled)
        ready = [(q, decided(agent, q)) for q in of_both if not any(x.has(BOTH) for x in q.args[:-1])]
        found = next(((q, known) for q, known in ready if known is not None), None)
        if found is not None:
            q, (same, given) = found
        else:
            means = [q for q in of_both if q.func == mu(k, o).func]
            if not means:
                return tuple(steps), f, tuple(needed)
            q, given = means[0], ()
            same = instance(agent.is_error, {k: q.args[0]}, agent.domain, agent.given, name="an arm mean")
        needed |= dict.fromkeys(given)
        steps.append(congruent(f.xreplace({q: y}), y, same, agent.domain, (*agent.given, *given), name="given d and e"))
        f = conclusion(steps[-1]).rel.stated[1]


def in_parts(agent: ErrorLaw, f: sp.Expr) -> Applied:
    """E f over all outcomes is E of a function of d and of errors."""
    steps, g, needed = at_differences(agent, f.xreplace({o: BOTH}))
    if g.has(BOTH):
        raise ValueError(f"{f}: {g} does not depend on d and e only")
    rows = agent.split(f), *(Expectation(Expectation(step, (e,)), (d,)) for step in steps)
    return equal(*rows, domain=agent.domain, given=(*agent.given, *needed), name="given d and e")


def in_play(agent: ErrorLaw, f: sp.Expr, value: sp.Expr, known: Item, name: str, op: str = "=") -> Follows:
    """E f = E value over all outcomes, or <=, where `known` proves it given what decides the choices; the value is 0
    or a multiple of a width."""
    widths = [q for q in value.atoms(AppliedUndef) if q.func == agent.width]
    parts = in_parts(agent, f), *(in_parts(agent, q) for q in widths)
    given = tuple(dict.fromkeys(h for part in parts for h in part.given))
    rel = Rel(Mean(f, o), op, Mean(value, o) if value.has(o) else value)
    return follows(rel, *parts, Expectation(known, (d,)), domain=agent.domain, given=given, name=name)


def shortfall(side: Side, part: Definition, arm: sp.Expr, name: str) -> Follows:
    """E(mu_k - U_k)^+ = Psi(s_t) E tau_k: `part` defines this positive part, `arm` is the arm as a function of o."""
    agent, level = side.agent, side.level
    here = instance(part, {k: arm}, agent.domain, agent.given, name="a positive part")
    number = here.concludes.rel.stated[1]
    whole = Expectation(here, (o,))
    mean = in_play(agent, number, Excess(level) * agent.width(arm, t, o), side.excess(level), name="its mean")
    rel = Rel(Mean(here.concludes.rel.stated[0], o), "=", Excess(level) * Mean(agent.width(arm, t, o), o))
    return follows(rel, whole, mean, domain=agent.domain, given=mean.given, name=name)


def unbiased(agent: ErrorLaw, law: Item, chosen: sp.Expr, name: str) -> Follows:
    """The error of an arm that is chosen by what decides the choices has mean 0; `chosen` is a function of o."""
    known = instance(law, {k: chosen.xreplace({o: d})}, agent.domain, agent.given, name="the chosen arm")
    return in_play(agent, agent.estimate(chosen, t, o) - mu(chosen, o), sp.S.Zero, known, name=name)
