"""Rounds of ReUCB* by kind, for the counting bound: what is used of them. Units sigma_0 = 1, mu_0 = 0.

A round t > K is star (the best arm is pulled), good (the gap of the pulled arm is at most s_n tau + its error) or bad.
The outcome has two parts: d, all differences of rewards, which decide the choices and counts, and e, the rest, which
decides the errors X = mu-hat - mu. The other arms of round t are numbered k = 1, ..., K - 1 where errors are meant.
Lam(j) >= 0 is the price of a pull at count j, s_t = sqrt(a log t), theta_t(j) = s_t + (s_n - s_t) g(j)/g(1).
"""

from __future__ import annotations

import sympy as sp

from theory.kernel.goal import Goal, Letter, Rel, Var, at_least, positive, real
from theory.kernel.rules import Definition
from theory.kernel.terms import Mean
from theory.model.counts import function, g, j
from theory.model.play import COUNT, LATER, K, N, k, quantity, t
from theory.model.stopping import of_arm

d, e, o = sp.symbols("d e o")
ONE = sp.Integer(1)
UNIT = Var(sp.Integer(0), integer=True, high=ONE)

best, loss = of_arm("best", r"\mu_*")(d, e), of_arm("loss", r"(\mu_*-\mu_{{I_{{{}}}}})")(t, d, e)
star, good, bad = (
    of_arm(kind, rf"\mathbf{{{{1}}}}\{{{{{{}}\ \text{{{{{kind}}}}}\}}}}")(t, d, e) for kind in ("star", "good", "bad")
)
starhit = of_arm("starhit", r"\mathbf{{1}}\{{I_{{{0}}}=*,\,n_{{*,{0}}}={1}\}}")(t, j, d, e)
goodhit = of_arm("goodhit", r"\mathbf{{1}}\{{{0}\ \text{{good}},\,I_{{{0}}}={1},\,n_{{{1},{0}}}={2}\}}")(t, k, j, d, e)
gap = of_arm("gap", r"\Delta_{{{}}}")(k, d, e)
close = of_arm("close", r"\mathbf{{1}}\{{\mu_{{{0}}}<\mu_*,\,{1}(\mu_*-\bar r_{{{0},{1}}})\le f_{{{1}}}(\mu_*,S)\}}")(
    k, j, d, e
)
pair = quantity("pair", r"((Y-\mu)+\Lambda({0}))\mathbf{{1}}\{{\mu<Y,\,{0}(Y-\bar r_{{{0}}})\le f_{{{0}}}(Y,S)\}}")(
    j, o
)
none = of_arm("none", r"A_{{{}}}")(t, d, e)
rest = of_arm("rest", r"(X_{{I_{{{0}}}}}+s_{{{0}}}\tau_{{I_{{{0}}},{0}}})^+")(t, d, e)
above = of_arm("above", r"\mathbf{{1}}\{{X_{{{0},{1}}}\ge-\theta_{{{0},{1}}}\tau_{{{0},{1}}}\}}")
beyond = of_arm(
    "beyond",
    r"(-X_{{{0},{1}}}-s_{{{1}}}\tau_{{{0},{1}}})\mathbf{{1}}\{{X_{{{0},{1}}}<-\theta_{{{0},{1}}}\tau_{{{0},{1}}}\}}",
)
pulls = quantity("n", "n_{{I_{{{0}}},{0}}}")(t, d)
Lam, miss = function("Lam", r"\Lambda({})"), function("miss", r"Q(\theta_{{{}}}({}))")
lift, tail = (
    function("lift", r"(s_{{{0}}}+\Psi(s_{{{0}}}))"),
    function("tail", r"(\phi-s_{{{0}}}Q)(\theta_{{{0}}}({1}))"),
)
p, beta = function("p", "p_{{{}}}({})"), function("beta", r"\beta_{{{}}}({})")
worst = function("worst", r"\max_{{j\le {0}-K}}[\beta_{{{0}}}(j)-(1-p_{{{0}}}(j))\Lambda(j)]")
# indicators of a Brownian motion B: it is ever above a line with this level and slope; it stays below until a time
crossing = quantity("crossing", r"\mathbf{{1}}\{{\sup_u(B_u-{1}u)>{0}\}}")
staying = quantity("staying", r"\mathbf{{1}}\{{\sup_{{u\le {2}}}(B_u-({1})u)\le {0}\}}")
CHANCE = 1 - (1 - miss(t, j)) ** (K - 1)
COST = g(j) * lift(t) * p(t, j) + (K - 1) * g(ONE) * tail(t, j)
p.formula, beta.formula = (p(t, j), CHANCE), (beta(t, j), COST)
for _printed in (Lam, miss, lift, tail, worst):
    _printed.formula = None  # printed as what they are

ROUNDS: dict[sp.Expr, Var] = {
    **{K: at_least(2, integer=True), N: COUNT, t: COUNT, d: real(), e: real(), o: real(), g(j): positive()},
    **{star: UNIT, good: UNIT, bad: UNIT, starhit: UNIT, goodhit: UNIT, close: UNIT, pulls: COUNT},
    **{loss: at_least(0), gap: at_least(0), rest: at_least(0), none: UNIT, Lam(j): at_least(0), p(t, j): at_least(0)},
    **{above(k, t, d, e): UNIT, beyond(k, t, d, e): at_least(0), lift(t): at_least(0), tail(t, j): at_least(0)},
    **{miss(t, j): Var(sp.Integer(0), high=sp.Rational(1, 2)), beta(t, j): at_least(0)},
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
        "(B(v) + E - zeta (v - v_0))/(2 + v) over v_0 <= v <= K - 2, all independent; f_j is the largest value that "
        "ours/good-pull allows",
    ),
    miss(t, j): Letter(miss(t, j), "theta_t(j) = s_t + (s_n - s_t) g(j)/g(1), s_t = sqrt(a log t), Q = 1 - Phi"),
}


def _defined(of: str, rel: Rel, *given: Rel, argued: bool = False) -> Definition:
    return Definition(of, Goal(rel, ALL, given, of, letters=WORDS), argued)


KINDS = _defined("a round is star, good or bad", Rel(star + good + bad, "=", 1), LATER)
STAR_FREE = _defined("the best arm costs nothing", Rel(loss * star, "=", 0), LATER)
STAR_PRICE = _defined(
    "a star round pays the price of its count",
    Rel(PRICE * star, "=", sp.Sum(Lam(j) * starhit, COUNTS)),
    LATER,
    argued=True,
)
STAR_ONCE = _defined(
    "the best arm is pulled at each count at most once", Rel(sp.Sum(starhit, (t, K + 1, N)), "<=", 1), argued=True
)
GOOD_PAIRS = _defined(
    "a good round pulls one arm at one count",
    Rel((loss + PRICE) * good, "=", sp.Sum((gap + Lam(j)) * goodhit, COUNTS, (k, 1, K))),
    LATER,
    argued=True,
)
GOOD_ONCE = _defined(
    "an arm is pulled at each count at most once", Rel(sp.Sum(goodhit, (t, K + 1, N)), "<=", 1), argued=True
)
CLOSE = _defined(
    "what ours/good-pull says of a good pull, S the largest over all rounds",
    Rel(goodhit, "=", goodhit * close),
    argued=True,
)
FIRST_ROUNDS = _defined(
    "the first K rounds pull each arm once", Rel(Mean(loss, d, e), "=", Mean(best, d, e)), Rel(t, "<=", K)
)
WORST = _defined("the largest over all counts", Rel(beta(t, pulls) - (1 - p(t, pulls)) * PRICE, "<=", worst(t)), LATER)
NO_ERROR = _defined("A_t: no error is below its level", Rel(none, "=", sp.Product(above(k, t, d, e), OTHERS)))
BAD = _defined("a bad round has an arm with an error below its level", Rel(bad, "<=", 1 - none), LATER, argued=True)
BAD_LOSS = _defined(
    "the gap of a bad round: U_I - mu_I, and what the best mean exceeds U_I by",
    Rel(loss * bad, "<=", rest * (1 - none) + sp.Sum(beyond(k, t, d, e), OTHERS)),
    LATER,
    argued=True,
)
P = _defined("the chance that some error is below its level", Rel(p(t, j), "=", CHANCE))
BETA = _defined("the cost of a bad round", Rel(beta(t, j), "=", COST))
