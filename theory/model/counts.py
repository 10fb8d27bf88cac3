"""How often arms were pulled, and how wide they are then: what the counting arguments use of a play.

g(j) = sigma/sqrt(j + alpha) is the largest width after j pulls, alpha = (K-1) rho/(K+rho). met(t, j, o) is 1 if the arm
pulled in round t had j pulls before it, and 0 otherwise.
"""

from __future__ import annotations

import sympy as sp

from theory.kernel.goal import Rel, Var, at_least, positive
from theory.kernel.rules import Definition, equals, uses
from theory.kernel.sources import fix
from theory.model import bound_formulas as bounds
from theory.model.arms import LETTERS, s, s0
from theory.model.functions import function, quantity
from theory.model.play import COUNT, LATER, PLAY, PULLED, K, N, a, count, defined, k, o, t, width

j, b = sp.symbols("j b")
BIT = Var(sp.Integer(0), integer=True, high=sp.Integer(1))
g = function(
    "g",
    "g({})",
    meaning="j: the largest width after j pulls; sigma^2, sigma_0^2: variances of rewards and arm means",
)
spread = function(
    "w",
    r"\sqrt{{a\log({})}}",
    meaning="t: sqrt(a log t), by which a width is multiplied in round t; 0 in the first K rounds",
)  # sqrt(a log t), by which ReUCB multiplies a width in round t
second = function(
    "v", r"\sqrt{{b\log({})}}", meaning="t: sqrt(b log t), a second factor of a width"
)  # sqrt(b log t), a second width for the error of the pulled arm
second.formula = None  # it is printed as what it is
deviation = function(
    "q", "q_{{{}}}", meaning="t: factor of the deviations in round t"
)  # the factor of the deviations in ours/logarithmic
fix(b, scope=(second, deviation))
alpha = bounds.alpha(K, s0, s)
WIDEST_WIDTH, DEVIATION_FACTOR = bounds.g(j, K, s0, s), bounds.deviation_factor(t, K, a, b)
_LETTERS = {x: LETTERS[x].shown for x in (s, s0)}
g.formula = (g(j), WIDEST_WIDTH.xreplace(_LETTERS))  # printed beside the statements
deviation.formula = (deviation(t), DEVIATION_FACTOR)
spread.formula = None  # it is printed as what it is
ell = function("ell", r"\log(1+({})\sigma_0^2/\sigma^2)", meaning="j: log(1 + j sigma_0^2/sigma^2)")
G = function(
    "G", "G_{{{}}}", meaning="n: log(1 + n sigma_0^2/sigma^2)/log(1 + sigma_0^2/sigma^2)"
)  # the ratio of logarithms in Theorem them-R-Bayes
LOG_RATIO = bounds.log_ratio(s0 / s, N)
ell.formula = None  # it is printed as what it is
G.formula = (G(N), LOG_RATIO.xreplace(_LETTERS))
h = function("h", "h({},{})")  # any quantity of an arm and a count
met = quantity(
    "met", r"\mathbf{{1}}\{{n_{{I_{{{0}}},{0}}}={1}\}}", meaning="t j: 1 if the arm pulled in round t has j rewards"
)
hit = quantity(
    "hit",
    r"\mathbf{{1}}\{{I_{{{0}}}={1},\,n_{{{1},{0}}}={2}\}}",
    meaning="t k j: 1 if round t pulls arm k, which has j rewards",
)  # round t pulls arm k at count j
PULLS: dict[sp.Expr, Var] = {
    **{**PLAY, N: COUNT},
    **{g(j): positive(), met(t, j, o): at_least(0), spread(t): at_least(0), deviation(t): at_least(0)},
    **{b: positive(), hit(t, k, j, o): BIT, ell(j): positive(), second(t): at_least(0)},
    G(N): at_least(1),  # it follows (tests/theory/model/test_ranges.py); above 1 for n > 1 by ours/equal-shares/ratio
}
LONG = Rel(K, "<=", N)
NOW = Rel(t, "<=", N)
counts = (j, sp.Integer(1), N - K)  # that an arm pulled in a round K < t <= n may have


def _of_pulls(of: str, rel: Rel, *given: Rel, index: dict[sp.Expr, Var] | None = None) -> Definition:
    return defined(of, rel, *given, more={**PULLS, **(index or {})})


WIDEST = _of_pulls("the largest width after j pulls", Rel(g(j), "=", WIDEST_WIDTH), index={j: COUNT})
SPREAD = _of_pulls("the factor of a width in round t", Rel(spread(t), "=", width), LATER)
NO_SPREAD = _of_pulls("the first K rounds do not look at widths", Rel(spread(t), "=", 0), Rel(t, "<=", K))
SECOND = _of_pulls("the second width in round t", Rel(second(t), "=", sp.sqrt(b * sp.log(t))), LATER)
DEVIATION = _of_pulls("the factor of the deviations in round t", Rel(deviation(t), "=", DEVIATION_FACTOR))
PULLED_NOW = equals(PULLED, k)  # 1 if round t pulls arm k
MET = _of_pulls(
    "met is 1 if the pulled arm has j pulls",
    Rel(met(t, j, o), "=", equals(count(PULLED, t, o), j)),
    LATER,
    index={j: COUNT},
)
HIT = _of_pulls(
    "hit is 1 if round t pulls arm k at count j",
    Rel(hit(t, k, j, o), "=", PULLED_NOW * equals(count(k, t, o), j)),
    LATER,
    index={k: COUNT, j: COUNT},
)
COUNTED, ONE_EACH = (
    uses("ours/pulls/counted", item=item) for item in ("a pull is counted", "after K rounds every arm has one reward")
)
ALL_PULLS, NOT_ALL_PULLS = (
    uses("ours/pulls/all", item=item) for item in ("every round pulls one arm", "the other arms have a pull each")
)
ONE_PAIR, ONE_COUNT = (uses("ours/pulls/one", item=item) for item in ("one arm at one count", "one count"))
OF_ARM, OF_PULL = (
    uses("ours/pulls/met", item=item) for item in ("what an arm meets", "a round pulls one arm at one count")
)
PAIR_ONCE, EACH_ARM_ONCE = (
    uses("ours/pulls/once", item=item) for item in ("each pair at most once", "each count at most K times")
)
ELL = _of_pulls("logarithms of the odds", Rel(ell(j), "=", sp.log(1 + j * s0 / s)), index={j: COUNT})
RATIO = _of_pulls("the ratio of two logarithms", Rel(G(N), "=", ell(N) / ell(sp.Integer(1))))
