"""One play of ReUCB* with rewards in [0, 1]: what the quantities of arms, rounds and layers are.

The best mean mu_* and which arm has it are given; arms k = 1, ..., K - 1 are the others. Everything random is a
function of the outcome o. Costs are cut in layers i = 1, ..., m of means: layer i lies between the edges e_{i-1} and
e_i, which rise from a bound below all means to one above mu_*, and has a threshold z_i. A round is bad for layer i if
all indices are below z_i.
"""

from __future__ import annotations

import sympy as sp

from theory.kernel.goal import Goal, Letter, Rel, Var, at_least, positive, real
from theory.kernel.rules import Definition
from theory.kernel.sources import fix
from theory.kernel.terms import Mean
from theory.model.counts import hit
from theory.model.functions import quantity
from theory.model.play import LATER, PULLED, a, positive_part

K, n, t, k, N, i, m, o, x, c = sp.symbols("K n t k N i m o x c")
y, mean = sp.Symbol("mu_*"), sp.Symbol("nu")  # the best mean, and that of an arm; the outcome o is the rest
fix(y, scope="theory")  # of everything, given the best mean
fix(n, scope="theory.model.bounded_lines")
rewards = quantity("S", r"S_{{{},{}}}", meaning="k N: sum of the first N rewards of arm k")
needed = quantity("needed", r"d_{{{},{}}}({})")
length = quantity("length", r"\ell_{{{},{}}}")
cost, layer_cost = (
    quantity("cost", r"(\mu_*-\mu_{{I_{{{}}}}})", meaning="t: what round t loses, the gap of the pulled arm"),
    quantity(
        "layer",
        r"\ell_{{{0},I_{{{1}}}}}",
        meaning="i t: length of the part of layer i above the mean of the arm pulled in round t",
    ),
)
highest, index_n = (
    quantity("highest", r"\max_jU_{{j,{}}}", meaning="t: the highest index in round t"),
    quantity("index", r"U^n_{{{1},{0}}}"),
)
index_best = quantity("index_best", r"U_{{*,{}}}", meaning="t: index of the best arm in round t")
shortfall = quantity("shortfall", r"D_{{{},{}}}({})")
piece, enough = quantity("ell", r"\ell_{{{}}}({})"), quantity("P", "P_{{{},{}}}({},{})")
crossed = quantity("p", "p_{{{},{}}}({})")
mu = quantity("mu", r"\mu_{{{}}}", meaning="k: mean of arm k, in [0, 1]")
# of an agent with the ratio rho of its variances, not of the agent of `theory.model.play`
muhat, tau = quantity("muhat", r"\hat\mu_{{{},{}}}"), quantity("tau", r"\tau_{{{},{}}}")
drawn = quantity("drawn", r"\mu")(o)  # a mean with the law of the arm means
z, L, edge = quantity("z", "z_{{{}}}")(i, y), quantity("L", "L_{{{}}}")(i, y), quantity("edge", "e_{{{}}}")
fix(n, scope=(index_n, needed, layer_cost, enough))
COUNT = at_least(1, integer=True)
ARMS = (k, sp.Integer(1), K - 1)
COUNTS = (N, sp.Integer(1), n - K)
ROUNDS = (t, K + 1, n)
LAYERS = (i, sp.Integer(1), m)

LONG, NOW = Rel(n, ">", K), Rel(t, "<=", n)
PLAY: dict[sp.Expr, Var] = {
    **{K: at_least(2, integer=True), n: COUNT, m: COUNT, t: COUNT, k: COUNT, N: COUNT, i: COUNT, o: real()},
    hit(t, k, N, o): Var(sp.Integer(0), integer=True, high=sp.Integer(1)),
    length(i, k, o): at_least(0),
    L: at_least(0),
    y: real(),
    a: positive(),
    tau(k, t, o): at_least(0),
    PULLED: COUNT,
}
WORDS = {
    K: Letter(K, "number of arms"),
    n: Letter(n, "number of rounds"),
    N: Letter(N, "number of rewards of an arm"),
    i: Letter(i, "layer"),
    m: Letter(m, "number of layers"),
    k: Letter(k, "arm"),
    t: Letter(t, "round"),
    y: Letter(y, "mean of the best arm"),
    L: Letter(L, "length of layer i"),
    edge(i, y): Letter(edge(i, y), "upper edge of layer i and lower edge of the next one"),
    z: Letter(z, "threshold of layer i; any number"),
    length(i, k, o): Letter(length(i, k, o), "length of the part of layer i that lies above mu_k"),
    needed(i, N, x, y): Letter(needed(i, N, x, y), "the sum of N rewards that a good pull needs if X = x"),
    shortfall(i, t, x, o): Letter(
        shortfall(i, t, x, o),
        "the most by which a sum of rewards of the best arm is below the boundary of round t if X = x",
    ),
    drawn: Letter(drawn, "a mean with the law of the arm means"),
    index_n(t, k, o): Letter(index_n(t, k, o), "index of arm k in round t with sqrt(a log n) for sqrt(a log t)"),
}


BOUNDED = "rewards in [0, 1]"  # and an agent with the ratio rho of its variances


def defined(of: str, rel: Rel, *given: Rel, world: str = "") -> Definition:
    return Definition(of, Goal(rel, PLAY, given, of, letters=WORDS), world=world)


HIGHEST = defined(
    "the pulled arm has the highest index",
    Rel(highest(t, o), "=", muhat(k, t, o) + sp.sqrt(a * sp.log(t)) * tau(k, t, o)),
    Rel(hit(t, k, N, o), ">", 0),
    LATER,
    world=BOUNDED,
).for_every(k, N)
INDEX_N = defined(
    "an index with log n for log t",
    Rel(index_n(t, k, o), "=", muhat(k, t, o) + sp.sqrt(a * sp.log(n)) * tau(k, t, o)),
    LONG,
)
EDGES = defined("the edges of layers rise", Rel(edge(i - 1, y), "<=", edge(i, y)))
LENGTH = defined("a layer lies between two edges", Rel(L, "=", edge(i, y) - edge(i - 1, y)))


def above(at: sp.Expr) -> sp.Expr:
    """Length of the part of layer i above a mean: how far its upper edge is above it, less that of its lower edge."""
    return positive_part(edge(i, y) - at) - positive_part(edge(i - 1, y) - at)


_ANY_LENGTH = {x_: var for x_, var in PLAY.items() if x_ != length(i, k, o)}  # that it is not negative follows
_OF_PART = "the part of a layer above the mean of an arm"
PART = Definition(_OF_PART, Goal(Rel(length(i, k, o), "=", above(mu(k, o))), _ANY_LENGTH, (), _OF_PART, letters=WORDS))
LOWEST = defined("the first edge is below all means", Rel(edge(0, y), "<=", mu(k, o)), Rel(k, "<=", K)).for_every(k, o)
HIGHEST_EDGE = defined("the last edge is not below mu_*", Rel(y, "<=", edge(m, y)))
piece.formula = (piece(i, mean, y), above(mean))  # printed beside the statements
LAYER = defined(
    "the part of a layer above the mean of the pulled arm",
    Rel(layer_cost(i, t, o), "=", sp.Sum(sp.Sum(hit(t, k, N, o) * length(i, k, o), COUNTS), ARMS)),
)
COST = defined("a round costs what the mean of the pulled arm is below mu_*", Rel(cost(t, o), "=", y - mu(PULLED, o)))
BEST_MEAN = defined("arm K is the best one", Rel(mu(k, o), "=", y), Rel(k, "=", K))
BEST_INDEX = defined("the index of the best arm is one of them", Rel(index_best(t, o), "<=", highest(t, o)))
ALIKE = defined(
    "all arms have one law; to number them so that the best one is arm K changes no sum over all of them",
    Rel(sp.Sum(Mean(mu(k, o), o, y), (k, 1, K)), "=", K * Mean(drawn, o, y)),
)
