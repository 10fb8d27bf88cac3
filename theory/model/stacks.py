"""Stacks: the rewards of every arm are fixed in advance, and play only decides how many of them are seen.

Rewards and arm means lie in [0, 1]. Arm k has the mean mu_k = mu_0 + delta_k and the sum S_{k,j} of the noises of its
first j rewards. The effect has the proxy sigma_0^2, and each noise the proxy sigma^2 given the mean and the noises
before it; nothing else is supposed of their laws. The play is that of `theory.model.play`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace

import sympy as sp

from theory.kernel.goal import Goal, Letter, Rel, Var, at_least, positive, real
from theory.kernel.rules import Definition
from theory.kernel.terms import Mean
from theory.model import bound_formulas as bounds
from theory.model.arguments import require_decided
from theory.model.arms import PROXIES, s, s0, tau_tilde_sq, weight
from theory.model.arms import n as n_k
from theory.model.counts import PULLS, j
from theory.model.functions import function, quantity
from theory.model.past_rounds import require_past
from theory.model.play import COUNT, LATER, K, count, k, mu, mu0, muhat, o, t, tau
from theory.model.play import WORDS as PLAY_WORDS

x, y, z, u, v, i, lam, m = sp.symbols("x y z u v i lambda m")
delta = quantity("delta", r"\delta_{{{}}}")
noise, reward = quantity("S", "S_{{{},{}}}"), quantity("r", "r_{{{},{}}}")
common = quantity("rbar_0", r"\bar r_{{0,{}}}")(t, o)
weights = quantity("W", "W_{{{}}}")(t, o)
shrinkage = quantity(
    "weight", "w_{{{},{}}}", meaning="k t: weight of arm k before round t"
)  # the weight of arm k before round t
centre = quantity(
    "centre", r"\sigma_0\sqrt{{K/W_{{{}}}}}", meaning="t: sigma_0 sqrt(K/W), W the sum of all weights before round t"
)(t, o)  # deviation of the common mean, if all arms err alike
swing = quantity("swing", r"\sqrt{{K(1-w_{{{0},{1}}})/W_{{{1}}}}}")
own = quantity(
    "X", "X_{{{},{}}}", meaning="k j: error of the prediction of arm k after j rewards, mu_0 known"
)  # error of arm k after j rewards, if mu_0 is known
apart = quantity("Y", "Y_{{{},{}}}")  # w_j times the distance of the average of j rewards from mu_0
tilde, far = function("tilde", r"\tilde\tau_{{{}}}"), function("far", r"\varsigma_{{{}}}")
# the largest of lam S_{k,j} - j lam^2 sigma^2/2 over all counts j up to t, and the count at which it is; also for -S
highest = {
    1: quantity(
        "max",
        r"\max_{{j\le {2}}}\left(l S_{{{0},j}}-\frac{{j}}2 l^2\sigma^2\right)_{{l={1}}}",
        meaning="k l t: the largest l S_{k,j} - j l^2 sigma^2/2 over j <= t, S_{k,j} the sum of j noises of arm k",
    ),
    -1: quantity(
        "max of minus",
        r"\max_{{j\le {2}}}\left(-l S_{{{0},j}}-\frac{{j}}2 l^2\sigma^2\right)_{{l={1}}}",
        meaning="k l t: the same with -S_{k,j}",
    ),
}
crest = {1: quantity("argmax", r"J_{{{},{},{}}}"), -1: quantity("argmax of minus", r"J^-_{{{},{},{}}}")}
root = function("root", r"\sigma\sqrt{{{}}}", meaning="j: sigma sqrt(j)")  # of the variance proxy of a sum of noises
root.formula = None
start = function(
    "start",
    r"\min\left(1,\sigma_0\sqrt{{2\log {}}}\right)",
    meaning="K: min(1, sigma_0 sqrt(2 log K)), what one of the first K rounds loses at most",
)  # what a first round costs at most
start.formula = None
cosh = function("cosh", r"\cosh({})", meaning="y: hyperbolic cosine")
cosh.formula = None
piece = function(
    "piece",
    r"\left(\left\lfloor\frac{{\log {0}}}{{4 {1}}}\right\rfloor+1\right)",
    meaning="t y: floor(log(t)/(4 y)) + 1, a number of pieces",
)
piece.formula = None  # printed as what it is
least, least_of_three = (
    function("min", r"\min\left({},{}\right)", meaning="x y: the smaller of two numbers"),
    function("min3", r"\min\left({},{},{}\right)", meaning="x y z: the least of three numbers"),
)
least.formula = least_of_three.formula = None  # printed as what they are
kappa = function("kappa", r"\kappa_{{{}}}")
rho = s / s0
_LETTERS = {s: sp.Symbol("sigma", positive=True) ** 2, s0: sp.Symbol("sigma_0", positive=True) ** 2}
tilde.formula = (tilde(j) ** 2, tau_tilde_sq.xreplace({n_k: j, **_LETTERS}))
far.formula = (far(j) ** 2, (weight(j) * s0).xreplace(_LETTERS))
_rho, _K = sp.Symbol("rho"), K
kappa.formula = (
    kappa(K),
    sp.Piecewise((bounds.inflation(_K, _rho), _rho <= _K**2), (_K + 1, True)),
)

UNIT = Var(sp.Integer(0), high=sp.Integer(1))
UNIT_OPEN = Var(sp.Integer(0), strict=True, high=sp.Integer(1))
# Ranges of weights and of their sum are there so that nothing is divided by 0; they follow from the definitions below
# (tests/theory/model/test_ranges.py).
STACKS: dict[sp.Expr, Var] = {
    **PULLS,
    **{shrinkage(k, t, o): UNIT_OPEN, centre: positive(), swing(k, t, o): positive()},
    **{weights: positive(), kappa(K): positive()},
    **{
        start(K): at_least(0),
        cosh(y): at_least(1),
        root(j): positive(),
        piece(j, y): COUNT,
        tilde(j): positive(),
        far(j): positive(),
        least(u, v): real(),
        least_of_three(u, v, z): real(),
    },
}
ARM = {**STACKS, k: COUNT}
STACK = {**STACKS, k: COUNT, j: COUNT}
WORDS = {
    **PLAY_WORDS,
    k: Letter(k, "arm"),
    j: Letter(j, "number of rewards of arm k that are averaged"),
    lam: Letter(lam, "any number"),
    **PROXIES,
    mu(k, o): Letter(mu(k, o), "mean of arm k; means and rewards lie in [0, 1]"),
    own(k, j, o): Letter(own(k, j, o), "w_j (average of j rewards - mu_k) + (1 - w_j)(mu_0 - mu_k)"),
    apart(k, j, o): Letter(apart(k, j, o), "w_j (average of j rewards - mu_0)"),
    delta(k, o): Letter(delta(k, o), "effect of arm k: mu_k - mu_0"),
    noise(k, j, o): Letter(noise(k, j, o), "sum of the noises of the first j rewards of arm k"),
    weights: Letter(weights, "sum of the weights of all arms before round t"),
    common: Letter(common, "common mean of all rewards before round t, weighted"),
    kappa(K): Letter(kappa(K), "rho = sigma^2/sigma_0^2"),
}


def defined(of: str, rel: Rel, *given: Rel, more: Mapping[sp.Expr, Var] | None = None) -> Definition:
    return Definition(of, Goal(rel, {**ARM, **(more or {})}, given, of, letters=WORDS))


BOUNDED = "sub-Gaussian means and rewards in [0, 1]"


def bounded(of: str, rel: Rel, more: Mapping[sp.Expr, Var] | None = None) -> Definition:
    """A law of means and rewards in [0, 1]: what it says is false of Gaussian ones, and of those of a lock-out."""
    return replace(defined(of, rel, more=more), world=BOUNDED)


def tilde_sq(pulls: sp.Expr) -> sp.Expr:
    """The width of Eq. MSE-term1 after some pulls, squared."""
    return tau_tilde_sq.xreplace({n_k: pulls})


def moment(effect: sp.Expr, of_noise: sp.Expr, pulls: sp.Expr) -> sp.Expr:
    """E exp(effect delta_k + of_noise S_{k,j})."""
    return Mean(sp.exp(effect * delta(k, o) + of_noise * noise(k, pulls, o)), o)


BOTH = {x: real(), y: real()}
ARM_MEAN = defined("the effect of an arm", Rel(mu(k, o), "=", mu0 + delta(k, o)), more={mu0: real()})
MEAN_LOW, MEAN_HIGH = (bounded("means lie in [0, 1]", rel) for rel in (Rel(0, "<=", mu(k, o)), Rel(mu(k, o), "<=", 1)))
EFFECT_PROXY = bounded(
    "the proxy of the arm means", Rel(Mean(sp.exp(x * delta(k, o)), o), "<=", sp.exp(x**2 * s0 / 2)), more=BOTH
)
NEXT_NOISE = bounded(
    "the next noise has its proxy given the mean and the noises before it",
    Rel(moment(x, y, j + 1), "<=", sp.exp(y**2 * s / 2) * moment(x, y, j)),
    more={**BOTH, j: at_least(0, integer=True)},
)


def next_noise(past: sp.Expr, of_noise: sp.Expr, pulls: sp.Symbol, number: sp.Expr) -> Definition:
    """E[past e^{l S_{j+1} + number}] <= E[past e^{l S_j + l^2 sigma^2/2 + number}], l = of_noise, j = pulls.

    `past` is a product of indicators that the noises 0, ..., j of arm k decide.
    """
    require_past(past, noise, pulls, (k,), ARM)
    for value in (of_noise, number):
        require_decided(value, (), (o,))
    left = Mean(past * sp.exp(of_noise * noise(k, pulls + 1, o) + number), o)
    right = Mean(past * sp.exp(of_noise * noise(k, pulls, o) + of_noise**2 * s / 2 + number), o)
    more = {symbol: positive() for symbol in (past * of_noise).free_symbols if symbol not in ARM}
    of = "the next noise has its proxy given the noises before it"
    return bounded(of, Rel(left, "<=", right), {**more, pulls: at_least(0, integer=True)})


OWN = defined(
    "its own error: what is left of the effect, and noise",
    Rel(own(k, j, o), "=", weight(j) * noise(k, j, o) / j - (1 - weight(j)) * delta(k, o)),
    more={j: COUNT},
)
APART = defined(
    "how far the average is from mu_0, by its weight",
    Rel(apart(k, j, o), "=", weight(j) * (delta(k, o) + noise(k, j, o) / j)),
    more={j: COUNT},
)
TILDE = defined("Eq. MSE-term1 after j rewards", Rel(tilde(j) ** 2, "=", tilde_sq(j)), more={j: COUNT})
FAR = defined("the deviation of a weighted average", Rel(far(j) ** 2, "=", weight(j) * s0), more={j: COUNT})
REWARDS = {**STACK, m: COUNT}
REWARD_LOW, REWARD_HIGH = (
    bounded("rewards lie in [0, 1]", rel, REWARDS)
    for rel in (Rel(0, "<=", reward(k, m, o)), Rel(reward(k, m, o), "<=", 1))
)
NOISE = defined(
    "the noise of a reward is its distance from the mean of the arm",
    Rel(noise(k, j, o), "=", sp.Sum(reward(k, m, o) - mu(k, o), (m, 1, j))),
    more={j: at_least(0, integer=True)},
)


def before(arm: sp.Expr) -> sp.Expr:
    """Pulls of an arm before round t."""
    return count(arm, t, o)


def average(arm: sp.Expr) -> sp.Expr:
    """Average reward of an arm before round t."""
    return mu(arm, o) + noise(arm, before(arm), o) / before(arm)


WEIGHT = defined("Eq. w-def before round t", Rel(shrinkage(k, t, o), "=", weight(before(k))), LATER)
ALL_WEIGHTS = defined("sum of all weights", Rel(weights, "=", sp.Sum(shrinkage(i, t, o), (i, 1, K))), LATER)
MSE = defined(
    "Eq. MSE before round t",
    Rel(tau(k, t, o) ** 2, "=", tilde(before(k)) ** 2 + (1 - shrinkage(k, t, o)) ** 2 * s0 / weights),
    LATER,
)
CENTRE = defined("deviation of the common mean", Rel(centre**2, "=", K * s0 / weights), LATER)
SWING = defined("K u", Rel(swing(k, t, o) ** 2, "=", K * (1 - shrinkage(k, t, o)) / weights), LATER)
COMMON = defined(
    "the common mean averages the arms by their weights",
    Rel(weights * common, "=", sp.Sum(shrinkage(i, t, o) * average(i), (i, 1, K))),
    LATER,
)
ESTIMATE = defined(
    "the estimate shrinks the average of an arm to the common mean",
    Rel(muhat(k, t, o), "=", shrinkage(k, t, o) * average(k) + (1 - shrinkage(k, t, o)) * common),
    LATER,
)
_NUMBERS = {u: real(), v: real(), z: real(), x: real()}
LEAST = defined(
    "what is below two numbers is below the smaller one",
    Rel(x, "<=", least(u, v)),
    Rel(x, "<=", u),
    Rel(x, "<=", v),
    more=_NUMBERS,
).for_every(x)
LEAST_OF_THREE = defined(
    "what is below three numbers is below the least of them",
    Rel(x, "<=", least_of_three(u, v, z)),
    Rel(x, "<=", u),
    Rel(x, "<=", v),
    Rel(x, "<=", z),
    more=_NUMBERS,
).for_every(x)
AMONG_THREE = defined("the least of three is at most the last", Rel(least_of_three(u, v, z), "<=", z), more=_NUMBERS)
FEW_ARMS, MANY_ARMS = Rel(rho, ">", K**2), Rel(rho, "<=", K**2)
KAPPA = defined("kappa for rho <= K^2", Rel(kappa(K), "=", bounds.inflation(K, rho)), MANY_ARMS)
KAPPA_FEW = defined("kappa for rho > K^2", Rel(kappa(K), "=", K + 1), FEW_ARMS)
LINE = {lam: positive(), **{crest[sign](k, lam, t, o): at_least(0, integer=True) for sign in (1, -1)}}


def level(sign: int, count_: sp.Expr) -> sp.Expr:
    """The logarithm of the supermartingale exp(l S_j - j l^2 sigma^2/2), with S or -S."""
    return sign * lam * noise(k, count_, o) - count_ * lam**2 * s / 2


def _both(of: str, rel: Callable[[int], Rel], *given: Rel, every: tuple[sp.Symbol, ...] = ()) -> dict[int, Definition]:
    ranges = {**LINE, j: COUNT}
    return {sign: defined(of, rel(sign), *given, more=ranges).for_every(*every) for sign in (1, -1)}


CRESTS = _both(
    "the largest over all counts up to t",
    lambda sign: Rel(level(sign, j), "<=", highest[sign](k, lam, t, o)),
    Rel(j, "<=", t),
    every=(j,),
)
CREST = _both(
    "it is attained", lambda sign: Rel(highest[sign](k, lam, t, o), "=", level(sign, crest[sign](k, lam, t, o)))
)
CREST_WITHIN = _both("at a count up to t", lambda sign: Rel(crest[sign](k, lam, t, o), "<=", t))
_STEP = {j: COUNT, y: positive()}
ROOT = defined("the root of the proxy of a sum of j noises", Rel(root(j) ** 2, "=", s * j), more=_STEP)
COSH = defined("the hyperbolic cosine", Rel(cosh(y), "=", (sp.exp(y) + sp.exp(-y)) / 2), more=_STEP)
PIECE_LOW = defined("a piece of counts: its lower end", Rel(4 * y * (piece(j, y) - 1), "<=", sp.log(j)), more=_STEP)
PIECE_HIGH = defined("a piece of counts: its upper end", Rel(sp.log(j), "<", 4 * y * piece(j, y)), more=_STEP)
MANY, ALONE = Rel(K, ">=", 2), Rel(K, "<", 2)
START = defined(
    "what is below both numbers is below the smaller one",
    Rel(x, "<=", start(K)),
    Rel(x, "<=", 1),
    Rel(x, "<=", sp.sqrt(2 * s0 * sp.log(K))),
    MANY,
    more=_NUMBERS,
).for_every(x)
START_SECOND = defined(
    "the smaller of two numbers is at most the second", Rel(start(K), "<=", sp.sqrt(2 * s0 * sp.log(K))), MANY
)
START_ALONE = defined("log 1 = 0", Rel(start(K), "=", 0), ALONE)
NO_BIAS = bounded("the effects have mean 0", Rel(Mean(delta(k, o), o), "=", 0))
