"""The errors of a round given what decides its choice: densities by Bayes' formula.

The outcome o of a play has two parts: d, what the choices up to round t depend on, and e, the rest. For ReUCB d are all
differences of the rewards before round t: adding a number to all rewards changes no choice (claim
ours/conditioning/choices). Given d, what is left are the level of the rewards and the arm means. The likelihood has
factors for the policy's choices, which contain neither (claim ours/adaptive-likelihood), the prior densities of the
means, and those of the rewards. With the rewards, and so the averages, measured from their level, mu_k and mu_0 move
freely, and the error of arm k is mu-hat_k - mu_k. An agent that knows mu_0 looks at the rewards themselves: d are all
rewards before round t, and given them only the arm means are left.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import sympy as sp

from theory.kernel.goal import Goal, Letter, Rel, Var, at_least, real
from theory.kernel.integrable import require_mean
from theory.kernel.rules import Defines, Definition
from theory.kernel.terms import Mean, substitute
from theory.model import index_play, known_play, reward_level
from theory.model.arguments import put, require_unbound
from theory.model.arms import Wo, n, s0, tau_sq, tau_tilde_sq, w, weight
from theory.model.conditional_laws import ARM, OTHERS, m, rbar_0, rbar_k, x
from theory.model.functions import quantity
from theory.model.play import COUNT, GAUSSIAN, LATER, PULLED, WIDTH, count, i, k, mu, muhat, o, others, t, tau
from theory.model.reward_level import BOTH as UNTIL
from theory.model.reward_level import Rewards, T
from theory.model.round_errors import ARM as ROUND
from theory.model.round_errors import GIVEN, X, d, e

c, z, A = sp.symbols("c z A")  # any number; the error of an arm; the sum of the weights of all arms
xi, n_i, rbar_i = sp.symbols("xi n_i rbar_i")  # the error of arm k; pulls and average of another arm i
ALL_WEIGHTS = {Wo: A - w}
BOTH = UNTIL.xreplace({T: t})  # the outcome by what is known before round t, and the rest
LIKELIHOOD = "ours/adaptive-likelihood"  # the choices are factors of the likelihood that contain no mean
OTHER_REWARDS = "ours/marginal-likelihood"  # rewards of the other arms, their means integrated out


@dataclass(frozen=True, eq=False)
class ErrorLaw(Defines):
    """The errors of one agent: what its quantities are called, where they are known, and from which round on."""

    name: str  # of the agent, a part of the names of its density and averages
    rewards: Rewards  # what the agent makes of its rewards
    choices: str  # the claim that d decides choices, counts and widths
    error: Any  # X(k, t, d, e) = estimate - mean
    estimate: Any  # of (k, t, o)
    pulls: Any  # of (k, t, d), as the following ones
    width: Any  # None if it is of no interest
    weights: sp.Expr | None  # of all arms, in d; None for an agent that knows mu_0
    decided: Mapping[Any, str]  # further choices that d decides: items of the claim `choices`
    eq_mse: Definition | None  # of the widths, in o; None without them
    domain: Mapping[sp.Expr, Var]
    given: tuple[Rel, ...]
    letters: Mapping[sp.Expr, Letter]

    def among(self, more: Mapping[sp.Expr, Var], *given: Rel) -> ErrorLaw:
        """The same errors beside other quantities, with their ranges, and hypotheses about them.

        Raises
        ------
        ValueError
            If the range of a quantity of these laws would be wider.
        """
        wider = [x_ for x_, var in more.items() if x_ in self.domain and not var.within(self.domain[x_])]
        if wider:
            raise ValueError(f"{wider[0]}: its range must be within {self.domain[wider[0]]}")
        return replace(self, domain={**self.domain, **more}, given=(*self.given, *given))

    @cached_property
    def density_of(self) -> Any:
        """p(z, k, t, d)."""
        return quantity(f"p of {self.name}", "p_{{{1},{2}}}({0})")

    @cached_property
    def averages(self) -> tuple[Any, Any]:
        """The average of the rewards of arm k, of (k, t, d), and the common mean r-bar_0, or mu_0, of (t, d)."""
        own, common = r"\bar r_{{{},{}}}", r"\bar r_{{0,{}}}"
        return quantity(f"rbar of {self.name}", own), quantity(f"rbar_0 of {self.name}", common)

    @property
    def at(self) -> dict[sp.Symbol, sp.Expr]:
        """The parameters of the density in round t."""
        pulls, (average, centre) = self.pulls(k, t, d), self.averages
        found = {n: pulls, rbar_k: average(k, t, d), rbar_0: centre(t, d)}
        return found if self.weights is None else {**found, A: self.weights}

    @property
    def variance(self) -> sp.Expr:
        """In n, and in A if mu_0 is not known."""
        return tau_tilde_sq if self.weights is None else tau_sq.xreplace(ALL_WEIGHTS)

    @property
    def log_density(self) -> sp.Expr:
        """Of the error z of arm k, and of mu_0 = m if it is not known, up to a number."""
        if self.weights is None:
            joint = ARM.xreplace({x: (1 - w) * m + w * rbar_k - z})
            return (joint - joint.xreplace({z: sp.S.Zero})).xreplace({m: rbar_0})
        joint = (ARM + OTHERS).xreplace({x: (1 - w) * rbar_0 + w * rbar_k - z})
        return (joint - joint.subs({z: 0, m: rbar_0}, simultaneous=True)).xreplace(ALL_WEIGHTS)

    def _defined(self, of: str, rel: Rel, *by: str, more: Mapping[sp.Expr, Var] | None = None) -> Definition:
        goal = Goal(rel, {**self.domain, **(more or {})}, self.given, of, letters=self.letters)
        return Definition(of, goal, (self.choices, *by), GAUSSIAN)

    @property
    def density(self) -> Definition:
        """Of the error z of arm k given d, up to a factor."""
        inside = sp.exp(self.log_density.xreplace(self.at))
        value = inside if self.weights is None else sp.Integral(inside, (m, -sp.oo, sp.oo))
        rel, by = Rel(self.density_of(z, k, t, d), "=", value), () if self.weights is None else (OTHER_REWARDS,)
        return self._defined("the density is prior times likelihood", rel, *by, more={z: real()})

    def bayes(self, f: sp.Expr, u: sp.Symbol) -> Definition:
        """The mean given d of f, a function of the error z of arm k and of what d decides."""
        if f.has(e, o, u):
            raise ValueError(f"{f}: of what is random given d only the error z may occur, and {u} nowhere")
        require_mean(f, (z,), (z,))
        density = self.density_of(z, k, t, d)
        require_unbound(f, {u, *density.free_symbols})
        if u in density.free_symbols:
            raise ValueError(f"{u}: another variable of integration is needed")
        whole, part = (sp.Integral(g.xreplace({z: u}), (u, -sp.oo, sp.oo)) for g in (density, f * density))
        rel = Rel(Mean(put(f, {z: self.error(k, t, d, e)}), e) * whole, "=", part)
        return self._defined("given what decides the choices an error has a multiple of this density", rel, LIKELIHOOD)

    def split(self, f: sp.Expr) -> Definition:
        """The mean of f over o is that over d and e, where the outcome is (d, e)."""
        if f.has(d, e):
            raise ValueError(f"{f} must be a function of the outcome o")
        rel = Rel(Mean(f, o), "=", Mean(substitute(f, {o: BOTH}), d, e))
        return self._defined("the outcome is (d, e)", rel)

    @property
    def is_error(self) -> Definition:
        """The error of an arm in the outcome (d, e), the same for any number that is added to all rewards.

        Whose rewards d decides is a world: of two agents the errors would differ by what d decides, and their widths be
        the same.
        """
        rel = Rel(mu(k, BOTH), "=", self.estimate(k, t, BOTH) - self.error(k, t, d, e))
        found = self._defined("an arm mean is its estimate less the error", rel)
        return replace(found, world=f"outcome: by the rewards {self.rewards.mark.format('r')}")


REUCB = ErrorLaw(
    "ReUCB",
    reward_level.REUCB,
    "ours/conditioning/choices",
    X,
    muhat,
    count,
    tau,
    weight(count(k, t, d)) + others(k, t, d),
    {PULLED.func: "choice"},
    WIDTH,
    {**ROUND, o: real(), c: real(), BOTH: real()},
    (LATER,),
    GIVEN,
)
_known = {**known_play.KNOWN, d: real(), e: real(), c: real(), k: COUNT, BOTH: real()}
_known |= {known_play.deviation(k, t, d): at_least(0), known_play.pulls(k, t, d): COUNT}
_error = quantity("Xtilde", r"\tilde X_{{{},{}}}", 2)
KNOWN = ErrorLaw(
    "known mu_0",
    reward_level.KNOWN,
    "ours/conditioning/choices/known-mu0",
    _error,
    known_play.estimate,
    known_play.pulls,
    known_play.deviation,
    None,
    {known_play.CHOSEN.func: "choice"},
    known_play.WIDTH,
    _known,
    (LATER,),
    {
        **known_play.LETTERS,
        _error(k, t, d, e): Letter(_error(k, t, d, e), "error of tilde-mu_k; E is the mean given all rewards"),
    },
)
_indexed = {**index_play.INDEXED, d: real(), e: real(), c: real(), k: COUNT, BOTH: real()}
_indexed |= {q.xreplace({o: d}): r for q, r in index_play.INDEXED.items() if not q.is_Symbol}
_error = quantity("Xx", r"X'_{{{},{}}}", 2)
INDEXED = ErrorLaw(
    "by index",
    reward_level.INDEXED,
    "ours/by-index/choices",
    _error,
    index_play.estimate,
    index_play.pulls,
    index_play.deviation,
    index_play.total(t, d),
    {index_play.CHOSEN.func: "choice"},
    index_play.WIDTH,
    _indexed,
    (index_play.SECOND,),
    {
        **index_play.LETTERS,
        _error(k, t, d, e): Letter(_error(k, t, d, e), "error of mu-hat'_k; E is the mean given all differences"),
    },
)

# Two arms k and i of ReUCB: the error of arm i is r times that of arm k and a rest z.
RATIO = (1 - weight(n_i)) / (1 + Wo)  # r
TWO = Rel((i - k) ** 2, ">", 0)
PAIR = {**REUCB.domain, i: COUNT, xi: real()}
_average, _centre = REUCB.averages
AT_PAIR = {
    **{n: count(k, t, d), n_i: count(i, t, d), Wo: others(k, t, d)},
    **{rbar_k: _average(k, t, d), rbar_i: _average(i, t, d), rbar_0: _centre(t, d)},
}
p_pair = quantity("p2", "p_{{{2},{3},{4}}}({1}\\mid{0})")


def log_pair() -> sp.Expr:
    """Of the error xi of arm k, the rest z of the error of arm i, and mu_0 = m, up to a number."""
    w_i = weight(n_i)
    errors = {rbar_k: xi, rbar_i: z + RATIO * xi}
    arms = [
        ARM.xreplace({n: pulls, rbar_k: mean, x: (1 - weight(pulls)) * rbar_0 + weight(pulls) * mean - errors[mean]})
        for pulls, mean in ((n, rbar_k), (n_i, rbar_i))
    ]
    rest = (w + Wo) * rbar_0 - w * rbar_k - w_i * rbar_i  # weights times averages of the arms but these two
    joint = arms[0] + arms[1] - ((Wo - w_i) * m**2 - 2 * m * rest) / (2 * s0)
    return joint - joint.subs({z: 0, xi: 0, m: rbar_0}, simultaneous=True)


def _of_pair(of: str, rel: Rel, more: Mapping[sp.Expr, Var] | None = None) -> Definition:
    goal = Goal(rel, {**PAIR, **(more or {})}, (LATER, TWO), of, letters=GIVEN)
    return Definition(of, goal, (REUCB.choices, LIKELIHOOD, OTHER_REWARDS), GAUSSIAN)


PAIR_DENSITY = _of_pair(
    "the density of two errors is prior times likelihood",
    Rel(p_pair(xi, z, k, i, t, d), "=", sp.Integral(sp.exp(log_pair().xreplace(AT_PAIR)), (m, -sp.oo, sp.oo))),
    {z: real()},
)


_MEANS: dict[str, tuple[sp.Expr, dict[sp.Symbol, sp.Expr]]] = {}  # which function a named mean is of


def given_error(f: sp.Expr, u: sp.Symbol, name: str, at: Mapping[sp.Symbol, sp.Expr]) -> tuple[Definition, Definition]:
    """The mean of f given d is that of its mean given d and the error xi of arm k, which is found from the density; f
    is a function of xi, of the rest z of the error of arm i, and of numbers with the values `at`. The second mean is
    named, and the product with the density multiplied out."""
    own, other = X(k, t, d, e), X(i, t, d, e)
    if f.has(e, o, m, u) or any(value.has(e, o, m, u, z) for value in at.values()):
        raise ValueError(f"{f}: of what is random given d only xi and z may occur, and {u} nowhere")
    if _MEANS.setdefault(name, (f, dict(at))) != (f, dict(at)):
        raise ValueError(f"name={name!r} is that of another mean")
    inner = quantity(name, rf"\mathbb{{{{E}}}}[\text{{{{{name}}}}}\mid X_{{{{{{1}},{{3}}}}}}={{0}}]")
    density = p_pair(xi, u, k, i, t, d)
    if u in p_pair(xi, z, k, i, t, d).free_symbols:
        raise ValueError(f"{u}: another variable of integration is needed")
    require_unbound(f, {z, e, *density.free_symbols}.union(at, *(value.free_symbols for value in at.values())))
    require_mean(f.xreplace(dict(at)), (xi, z), (xi, z))
    product = sp.expand_mul(f.xreplace({z: u}) * density, deep=False).xreplace(dict(at))
    whole, part = (sp.Integral(g, (u, -sp.oo, sp.oo)) for g in (density, product))
    both = f.xreplace(dict(at)).xreplace({z: other - RATIO.xreplace(AT_PAIR) * own, xi: own})
    return (
        _of_pair("a mean of means given an error", Rel(Mean(both, e), "=", Mean(inner(own, k, i, t, d), e))),
        _of_pair(
            "given the error of arm k that of arm i has a multiple of this density",
            Rel(inner(xi, k, i, t, d) * whole, "=", part),
        ),
    )
