"""Rounds of ReUCB* by kind, for the counting bound. Units sigma_0 = 1, mu_0 = 0.

A round t > K is star (the best arm is pulled), good (the gap of the pulled arm is at most s_n tau + its error) or bad.
The outcome has two parts: d, all differences of rewards, which decide the choices and counts, and e, the rest, which
decides the errors X = mu-hat - mu. The other arms of round t are numbered k = 1, ..., K - 1 where errors are meant.
Lam(j) >= 0 is the price of a pull at count j, s_t = sqrt(a log t), theta_t(j) = s_t + (s_n - s_t) g(j)/g(1), and the
level of arm k in round t is -theta tau_k with theta tau_k = s_t tau_k + (s_n - s_t) tau_I.
"""

from __future__ import annotations

import sympy as sp

from theory.kernel.classical import SUPREMUM
from theory.kernel.goal import Goal, Letter, Rel, Var, at_least, positive, real
from theory.kernel.rules import Definition, equals
from theory.kernel.sources import fix
from theory.kernel.terms import Event, Mean
from theory.model.counts import NOW, PULLS, g, hit, j, spread
from theory.model.functions import function, of_arm, quantity
from theory.model.normal import Density, Excess, Tail
from theory.model.play import COUNT, LATER, K, N, another, count, k, t, tau
from theory.model.round_errors import BEST, BY_DIFFERENCES, CHOSEN, X, d, e

o = sp.Symbol("o")
ONE = sp.Integer(1)
UNIT = Var(sp.Integer(0), integer=True, high=ONE)

best, loss = (
    of_arm("best mean", r"\mu_*", meaning="mean of the best arm")(d, e),
    of_arm("loss", r"(\mu_*-\mu_{{I_{{{}}}}})", meaning="t: what round t loses, the gap of the pulled arm")(t, d, e),
)
mean, estimate = of_arm("mean", r"\mu_{{{}}}", meaning="k: mean of arm k"), of_arm("estimate", r"\hat\mu_{{{},{}}}")
star, good, bad = (
    of_arm(kind, rf"\mathbf{{{{1}}}}\{{{{{{}}\ \text{{{{{kind}}}}}\}}}}")(t, d, e) for kind in ("star", "good", "bad")
)
starhit = hit(t, BEST, j, d)  # round t pulls the best arm at count j
goodhit = good * hit(t, k, j, d)  # round t is good and pulls arm k at count j
gap = of_arm("gap", r"\Delta_{{{}}}", meaning="k: mean of the best arm minus that of arm k")(k, d, e)
close = of_arm(
    "close",
    r"\mathbf{{1}}\{{{0}\ne*,\,{1}(\mu_*-\bar r_{{{0},{1}}})\le f_{{{1}}}(\mu_*,S_{{{0}}})\}}",
    meaning="k j: 1 if arm k is not best and f_j, of ours/good-pull, allows a pull of it at count j",
)(k, j, d, e)
pair = quantity("pair", r"((Y-\mu)+\Lambda({0}))\mathbf{{1}}\{{\mu\le Y,\,{0}(Y-\bar r_{{{0}}})\le f_{{{0}}}(Y,S)\}}")(
    j, o
)
none = of_arm("none", r"A_{{{}}}")(t, d, e)
rest = of_arm(
    "rest",
    r"(X_{{I_{{{0}}}}}+s_{{{0}}}\tau_{{I_{{{0}}},{0}}})^+",
    meaning="t: by how much the index of the pulled arm is above its mean, or 0",
)(t, d, e)
above = of_arm(
    "above",
    r"\mathbf{{1}}\{{X_{{{0},{1}}}\ge-\theta_{{{0},{1}}}\tau_{{{0},{1}}}\}}",
    meaning="k t: 1 if the error of the k-th other arm than the pulled one is at least -theta tau",
)
beyond = of_arm(
    "beyond",
    r"(-X_{{{0},{1}}}-s_{{{1}}}\tau_{{{0},{1}}})\mathbf{{1}}\{{X_{{{0},{1}}}<-\theta_{{{0},{1}}}\tau_{{{0},{1}}}\}}",
    meaning="k t: mean minus index of this arm where its error is below -theta tau, else 0",
)
pulls = count(CHOSEN, t, d)
Lam, miss = function("Lam", r"\Lambda({})"), function("miss", r"Q(\theta_{{{}}}({}))")
lift, tail = (
    function("lift", r"(s_{{{0}}}+\Psi(s_{{{0}}}))", meaning="t: s_t + Psi(s_t), s_t = sqrt(a log t)"),
    function(
        "tail",
        r"(\phi-s_{{{0}}}Q)(\theta_{{{0}}}({1}))",
        meaning="t j: phi(theta) - s_t Q(theta) at theta = theta_t(j), Q = 1 - Phi",
    ),
)
p, beta = function("p", "p_{{{}}}({})"), function("beta", r"\beta_{{{}}}({})")
worst = function("worst", r"\max_{{j\le {0}-K}}[\beta_{{{0}}}(j)-(1-p_{{{0}}}(j))\Lambda(j)]")
# how high a Brownian motion B with B_0 = 0 is above a line of this slope, until a time
above_line = quantity(
    "above line",
    r"\sup_{{u\le {1}}}(B_u-({0})u)",
    meaning="x y: how high a Brownian motion from 0 is above the line of slope x, until the time y",
)
SUPREMUM.declare(above_line(*sp.symbols("x y"), o), slope=sp.Symbol("x"), time=sp.Symbol("y"), outcome=o)
BROWNIAN: dict[sp.Expr, Var] = {above_line(*sp.symbols("x y"), o): at_least(0)}  # the path starts at 0
fix(N, scope=(good.func, bad.func, close.func, pair.func, none.func, above, beyond, miss, tail, p, beta, worst))
CHANCE = 1 - (1 - miss(t, j)) ** (K - 1)
COST = g(j) * lift(t) * p(t, j) + (K - 1) * g(ONE) * tail(t, j)
p.formula, beta.formula = (p(t, j), CHANCE), (beta(t, j), COST)
for _printed in (Lam, miss, lift, tail, worst):
    _printed.formula = None  # printed as what they are

ROUNDS: dict[sp.Expr, Var] = {
    **{**PULLS, K: at_least(2, integer=True), d: real(), e: real(), o: real(), g(j): positive()},
    **{CHOSEN: COUNT, BEST: COUNT, count(k, t, d): COUNT, hit(t, k, j, d): UNIT, tau(k, t, d): at_least(0)},
    **{star: UNIT, good: UNIT, bad: UNIT, close: UNIT, none: UNIT, above(k, t, d, e): UNIT},
    **dict.fromkeys((loss, gap, rest, p(t, j), beyond(k, t, d, e), lift(t), tail(t, j), beta(t, j)), real()),
    **{Lam(j): at_least(0), miss(t, j): Var(sp.Integer(0), high=sp.Rational(1, 2))},
}
ALL = {**ROUNDS, k: COUNT, j: COUNT}
PRICE = Lam(pulls)
COUNTS = (j, ONE, N - K)
OTHERS = (k, ONE, K - 1)
WORDS = {
    K: Letter(K, "number of arms"),
    N: Letter(sp.Symbol("n"), "number of rounds"),
    t: Letter(t, "round"),
    Lam(j): Letter(Lam(j), "any price >= 0 of a pull at count j"),
    pair: Letter(
        pair,
        "Y is the best of K - 1 N(0, 1), mu ~ N(0, 1), the average of j rewards is N(mu, rho/j), S is the supremum of "
        "(B(v) + E - zeta (v - v_0))/(2 + v) over v_0 <= v <= K - 2, all independent, B a Brownian motion and E with "
        "P(E >= x) = exp(-2 x^2); rho = sigma^2 (sigma_0 = 1), v_0 = (K - 2)/(1 + rho), zeta >= 0 is any number; f_j "
        "is the largest value that ours/good-pull allows",
    ),
    worst(t): Letter(worst(t), "p_t(j) and beta_t(j): chance and cost of a bad round, as in ours/counting/bad-rounds"),
    star: Letter(star, "1 if the best arm is pulled in round t"),
    good: Letter(good, "1 if another arm is pulled and its gap is at most s_n tau + X, X its error mu-hat - mu"),
    bad: Letter(bad, "1 if another arm is pulled and its gap is above s_n tau + X"),
    none: Letter(none, "1 if no arm but the pulled one has X < -theta tau; theta tau = s_t tau + (s_n - s_t) tau_I"),
    miss(t, j): Letter(miss(t, j), "theta_t(j) = s_t + (s_n - s_t) g(j)/g(1), s_t = sqrt(a log t), Q = 1 - Phi"),
}


def _defined(of: str, rel: Rel, *given: Rel) -> Definition:
    return Definition(of, Goal(rel, ALL, given, of, letters=WORDS), (BY_DIFFERENCES,))


def index(arm: sp.Expr) -> sp.Expr:
    return estimate(arm, t, d, e) + WIDTH * tau(arm, t, d)


WIDTH, LAST_WIDTH = spread(t), spread(N)  # s_t and s_n
OWN_ERROR = X(CHOSEN, t, d, e)
RISE = OWN_ERROR + WIDTH * tau(CHOSEN, t, d)  # U_I - mu_I


def level(arm: sp.Expr) -> sp.Expr:
    """The error of an arm, and what it is above its level."""
    return X(arm, t, d, e) + WIDTH * tau(arm, t, d) + (LAST_WIDTH - WIDTH) * tau(CHOSEN, t, d)


def excess(arm: sp.Expr) -> sp.Expr:
    """mu_k - U_k."""
    return -X(arm, t, d, e) - WIDTH * tau(arm, t, d)


def shortfall(arm: sp.Expr) -> sp.Expr:
    """mu_k - U_k, where the error is below its level."""
    return excess(arm) * Event(-level(arm), 1)


NEAR = LAST_WIDTH * tau(CHOSEN, t, d) + OWN_ERROR - loss  # nonnegative in a good round
PULLS_BEST = equals(CHOSEN, BEST)
OTHER = another(k, CHOSEN, d)  # the k-th other arm than the pulled one
BEST_IS_AN_ARM = _defined("the best arm is one of K", Rel(BEST, "<=", K))
BEST_MEAN = _defined("the mean of the best arm", Rel(best, "=", mean(BEST, d, e)))
LARGEST = _defined("the best arm has the largest mean", Rel(mean(k, d, e), "<=", best), Rel(k, "<=", K)).for_every(k)
LOSS = _defined("what a round loses", Rel(loss, "=", best - mean(CHOSEN, d, e)))
GAP = _defined("the gap of an arm", Rel(gap, "=", best - mean(k, d, e)))
ERROR = _defined("the error of an estimate", Rel(X(k, t, d, e), "=", estimate(k, t, d, e) - mean(k, d, e)), LATER)
CHOICE = _defined("the pulled arm has the highest index", Rel(index(BEST), "<=", index(CHOSEN)), LATER)
IN_TURN = _defined("the first K rounds pull each arm once, in turn", Rel(CHOSEN, "=", t), Rel(t, "<=", K))
CENTRED = _defined("an arm mean has mean mu_0 = 0", Rel(Mean(mean(k, d, e), d, e), "=", 0))
STAR = _defined("a star round pulls the best arm", Rel(star, "=", PULLS_BEST), LATER)
GOOD = _defined(
    "a good round pulls another arm, whose gap is at most s_n tau and its error",
    Rel(good, "=", (1 - PULLS_BEST) * Event(NEAR, 0)),
    *(LATER, NOW),
)
BAD = _defined("a bad round does neither", Rel(bad, "=", (1 - PULLS_BEST) * (1 - Event(NEAR, 0))), LATER, NOW)
WORST = _defined(
    "the largest over all counts",
    Rel(beta(t, j) - (1 - p(t, j)) * Lam(j), "<=", worst(t)),
    *(LATER, Rel(j, "<=", t - K)),
).for_every(j)
ABOVE = _defined(
    "the error of another arm is not below its level", Rel(above(k, t, d, e), "=", Event(level(OTHER), 0)), LATER, NOW
)
LOW = sp.Sum(1 - above(k, t, d, e), OTHERS)  # how many errors are below their levels
NO_ERROR = _defined("A_t: no error is below its level", Rel(none, "=", Event(-LOW, 0)), LATER, NOW)
REST = _defined("a positive part", Rel(rest, "=", Event(RISE, 0) * RISE), LATER)
BEYOND = _defined("what lies beyond a level", Rel(beyond(k, t, d, e), "=", shortfall(OTHER)), LATER, NOW)
P = _defined("the chance that some error is below its level", Rel(p(t, j), "=", CHANCE))
BETA = _defined("the cost of a bad round", Rel(beta(t, j), "=", COST))
THETA = WIDTH + (LAST_WIDTH - WIDTH) * g(j) / g(ONE)  # theta_t(j)
MISS = _defined("Q at theta", Rel(miss(t, j), "=", Tail(THETA)), LATER, NOW)
LIFT = _defined("E(Z + s_t)^+ for a standard normal Z", Rel(lift(t), "=", WIDTH + Excess(WIDTH)), LATER)
TAIL = _defined("phi - s_t Q at theta", Rel(tail(t, j), "=", Density(THETA) - WIDTH * Tail(THETA)), LATER, NOW)
