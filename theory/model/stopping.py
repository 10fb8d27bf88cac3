"""Any policy, seen arm by arm: how often it pulls an arm, and the stopping problem that this is given all else.

Units sigma_0 = 1 and mu_0 = 0; h is any function with 0 <= h(x) <= x. The outcome is (w, z). For each arm k it has two
parts: the mean and the rewards of arm k itself, and `rest`, all other means and rewards and the policy's own random
numbers. If they were w and z for every arm, all means would be decided by z.
"""

from __future__ import annotations

import sympy as sp

from theory.kernel.goal import Goal, Letter, Rel, Var, at_least, real
from theory.kernel.rules import Definition, equals
from theory.kernel.sources import fix
from theory.kernel.terms import Event, Mean
from theory.model.arguments import put
from theory.model.functions import function, number_of, of_arm, quantity
from theory.model.play import K, N, k, t

w, z, y, d, j, v = sp.symbols("w z y d j v")  # v: K - 1 independent N(0, 1)

mu = of_arm("mu", r"\mu_{{{}}}", meaning="k: mean of arm k")
BEST, RUNNER_UP = (
    of_arm("best", "*", meaning="the arm with the largest mean")(w, z),
    of_arm("runner-up", r"{{**}}", meaning="the arm with the second largest mean")(w, z),
)  # the arms with the two largest means
rival = of_arm("rival", r"*_{{{}}}")  # the arm with the largest of the other means than that of arm k
next_best = of_arm("next best", r"{{**}}_{{{}}}")  # that with the largest mean but for this rival; it may be arm k
chosen = of_arm("I", "I_{{{}}}")
gap = of_arm("gap", r"\Delta_{{{}}}", meaning="k: mean of the best arm minus that of arm k")  # mu_* - mu_k
pulls = of_arm("pulls", "N_{{{}}}", meaning="k: number of pulls of arm k in all n rounds")  # in all n rounds
kept = of_arm(
    "kept",
    r"(\Delta_{{{0}}}-h(x_{{{0}}}\wedge D_{{{0}}}))\mathbf{{1}}\{{x_{{{0}}}>0\}}",
    meaning="k: gap of arm k minus the price, if it is not best: Delta_k - h(min(x_k, D_k)) if x_k > 0, else 0",
)  # x_k = Y_k - mu_k
owed = of_arm(
    "owed",
    r"h(-x_{{{0}}})\mathbf{{1}}\{{x_{{{0}}}<0\}}",
    meaning="k: price h(-x_k) if arm k is best, x_k < 0, else 0; x_k is the best other mean minus mu_k",
)
star = of_arm("star", r"\mathbf{{1}}\{{{}=*\}}", meaning="k: 1 if arm k is best, else 0")
margin = of_arm("margin", r"h(\mu_*-\max_{{i\ne*}}\mu_i)")(w, z)
smaller = of_arm(
    "smaller",
    r"(x_{{{0}}}\wedge D_{{{0}}})",
    meaning="k: min(x_k, D_k), D_k the lead of the best of the other arms over the second best of them",
)
others = of_arm(
    "others", "{}", meaning="k: the K - 1 means of the other arms than k"
)  # the other means than that of arm k, K - 1 numbers
rest = of_arm("rest", r"z_{{{}}}")  # everything but the mean and the rewards of arm k
top, ahead = (number_of(name) for name in "YD")  # the largest of K - 1 numbers, and its distance to the second largest
seen, decision = of_arm("seen", r"r_{{{},\le {}}}"), quantity("decision", r"\pi_{{{},{}}}({})")
h = sp.Function("h")
value = function("V", "V_{{{},{}}}")  # of the stopping problem, at the best other mean and its lead
fix(N, scope=(pulls, value, decision))
value.formula = h.formula = None  # an infimum over stopping times, which the legend states; any function

WHOLE = at_least(1, integer=True)
POLICY: dict[sp.Expr, Var] = {
    **{K: at_least(2, integer=True), N: WHOLE, w: real(), z: real(), y: real(), d: at_least(0)},
    **{BEST: WHOLE, RUNNER_UP: WHOLE, rival(k, w, z): WHOLE, next_best(k, w, z): WHOLE, chosen(t, w, z): WHOLE},
    **{mu(k, w, z): real(), gap(k, w, z): real(), pulls(k, w, z): real(), kept(k, w, z): real()},
    **{owed(k, w, z): real(), star(k, w, z): real(), smaller(k, w, z): real(), h(y): at_least(0)},
    **{margin: real(), value(y, d): at_least(0), v: real(), top(v): real(), ahead(v): at_least(0)},
    **{seen(k, j, w, z): real(), decision(k, j, y, z): real()},
}
ARM = {**POLICY, k: WHOLE}
AN_ARM = Rel(k, "<=", K)
WORDS = {
    K: Letter(K, "number of arms"),
    N: Letter(sp.Symbol("n"), "number of rounds"),
    k: Letter(k, "arm, one of 1, ..., K"),
    margin: Letter(margin, "the price of a round; h is any function with 0 <= h(x) <= x for x >= 0"),
    top(v): Letter(top(v), "the best of K - 1 independent N(0, 1)"),
    ahead(v): Letter(ahead(v), "the lead of Y over the second best of them; infinite for K = 2"),
    value(top(v), ahead(v)): Letter(
        value(top(v), ahead(v)),
        "the least mean of (x - h(min(x, D))) 1{x > 0} tau + h(-x) 1{x < 0} (n - tau), x = Y - mu with mu ~ N(0, 1), "
        "over all stopping times tau <= n of the rewards mu + eps_1, mu + eps_2, ...",
    ),
}


def best_other(arm: sp.Expr) -> sp.Expr:
    """Y_k: the best of the other means."""
    return top(others(arm, w, z))


def below(arm: sp.Expr) -> sp.Expr:
    """x_k: by how much the mean of an arm is below the best of the others."""
    return best_other(arm) - mu(arm, w, z)


def cost(arm: sp.Expr) -> sp.Expr:
    """What arm k costs in its own stopping problem: its pulls if it is not the best arm, the others' pulls if it is."""
    return kept(arm, w, z) * pulls(arm, w, z) + owed(arm, w, z) * (N - pulls(arm, w, z))


def apart(one: sp.Expr, other: sp.Expr) -> Rel:
    """That two arms differ."""
    return Rel((one - other) ** 2, ">=", 1)


def _defined(of: str, rel: Rel, *given: Rel) -> Definition:
    return Definition(of, Goal(rel, {**ARM, j: WHOLE, t: WHOLE}, given, of, letters=WORDS))


_MU, _RIVAL, _NEXT = mu(j, w, z), rival(k, w, z), next_best(k, w, z)
_ANY = Rel(j, "<=", K)
BEST_IS_AN_ARM = _defined("the best arm is one of K", Rel(BEST, "<=", K))
LARGEST = _defined("the best arm has the largest mean", Rel(_MU, "<=", mu(BEST, w, z)), _ANY).for_every(j)
RUNNER_UP_IS_AN_ARM = _defined("the runner-up is one of K arms", Rel(RUNNER_UP, "<=", K))
RUNNER_UP_IS_OTHER = _defined("the runner-up is another arm than the best", apart(RUNNER_UP, BEST))
SECOND = _defined(
    "the runner-up has the largest other mean", Rel(_MU, "<=", mu(RUNNER_UP, w, z)), _ANY, apart(j, BEST)
).for_every(j)
RIVAL_IS_AN_ARM = _defined("the rival is one of K arms", Rel(_RIVAL, "<=", K), AN_ARM)
RIVAL_IS_OTHER = _defined("the rival of an arm is another arm", apart(_RIVAL, k), AN_ARM)
IS_RIVAL = _defined("Y_k is the mean of the rival", Rel(best_other(k), "=", mu(_RIVAL, w, z)), AN_ARM)
RIVAL = _defined(
    "Y_k is the largest of the other means", Rel(_MU, "<=", best_other(k)), AN_ARM, _ANY, apart(j, k)
).for_every(j, k)
NEXT_IS_AN_ARM = _defined("the next best arm is one of K", Rel(_NEXT, "<=", K), AN_ARM)
NEXT_IS_OTHER = _defined("the next best arm is not the rival", apart(_NEXT, _RIVAL), AN_ARM)
NEXT = _defined(
    "the next best arm has the largest mean but for the rival",
    Rel(_MU, "<=", mu(_NEXT, w, z)),
    *(AN_ARM, _ANY, apart(j, _RIVAL)),
).for_every(j, k)
SMALLER = _defined(
    "the smaller of x_k and D_k, both differences of Y_k to other means",
    Rel(smaller(k, w, z), "=", best_other(k) - mu(_NEXT, w, z)),
    AN_ARM,
)
PRICE = _defined("h is any function with 0 <= h(x) <= x", Rel(h(y), "<=", y), Rel(y, ">=", 0))
GAP = _defined("the gap of arm k", Rel(gap(k, w, z), "=", mu(BEST, w, z) - mu(k, w, z)))
MARGIN = _defined("the price of a round", Rel(margin, "=", h(mu(BEST, w, z) - mu(RUNNER_UP, w, z))))
STAR = _defined("star is 1 if arm k is the best", Rel(star(k, w, z), "=", equals(BEST, k)))
KEPT = _defined(
    "what the price leaves of a gap",
    Rel(kept(k, w, z), "=", (gap(k, w, z) - h(smaller(k, w, z))) * Event(below(k), 1)),
)
OWED = _defined("what the best arm owes", Rel(owed(k, w, z), "=", h(-below(k)) * Event(-below(k), 1)))
PULLS = _defined("all pulls of arm k", Rel(pulls(k, w, z), "=", sp.Sum(equals(chosen(t, w, z), k), (t, 1, N))))
PULLED_IS_AN_ARM = _defined("the pulled arm is one of K", Rel(chosen(t, w, z), "<=", K))


SEEN, REST = seen(k, j, w, z), rest(k, w, z)


def decided_by(rule: sp.Expr) -> Definition:
    """What decides if a policy takes at most j rewards of arm k, j >= 0: an unspecified function of them and the rest.

    Raises
    ------
    ValueError
        For another rule, of which nothing is known.
    """
    if rule != decision(k, j, SEEN, REST):
        raise ValueError(f"rule={rule}: it must be that the first j rewards decide whether N_k <= j")
    of = "whether a policy takes more than j rewards of an arm is decided by the first j of them and by everything else"
    rel, domain = Rel(Event(j - pulls(k, w, z), 0), "=", rule), {**ARM, j: at_least(0, integer=True)}
    return Definition(of, Goal(rel, domain, (AN_ARM,), of, letters=WORDS))


NOT_AHEAD = decided_by(decision(k, j, SEEN, REST))


def least_cost(decided: Definition) -> Definition:
    """The mean of V at the other means is at most the mean cost of arm k, if its number of pulls is a stopping time.

    `decided` says so: 1{N_k <= j} is an expression that depends on arm k through its first j rewards only.
    """
    happened, rule = decided.gives.rel.stated
    hidden = rule.xreplace({SEEN: sp.S.Zero, REST: sp.S.Zero})
    if happened != Event(j - pulls(k, w, z), 0) or hidden.has(w, z):
        raise ValueError(f"{decided.gives.rel}: it must say that the first j rewards decide whether N_k <= j")
    least = value(best_other(k), ahead(others(k, w, z)))
    rel = Rel(Mean(least, w, z), "<=", Mean(cost(k), w, z))
    return _defined("V is the least mean cost over all stopping times of the rewards of an arm", rel, AN_ARM)


def same_law(f: sp.Expr) -> Definition:
    """The mean of an expression in v, K - 1 numbers, at the other means than that of arm k."""
    if f.has(w, z):
        raise ValueError(f"f={f}: it must be a function of {v}")
    rel = Rel(Mean(put(f, {v: others(k, w, z)}), w, z), "=", Mean(f, v))
    return _defined("the other means of every arm are K - 1 independent N(0, 1)", rel, AN_ARM).for_every(k)


# a stopping problem with n stages: cost Z_l, martingale M_l, and the stage T at which it is stopped
o, stage = sp.symbols("o g")
stages = N
Z_l, M_l, TIME = (
    quantity("Z", "Z_{{{}}}"),
    quantity("martingale", "M_{{{}}}"),
    quantity("stage", "T", meaning="the stage at which it is stopped")(o),
)
DUAL = quantity("dual", r"\min_l(Z_l-M_l)")(o)
fix(stages, scope=(TIME.func, DUAL.func))
MARTINGALE: dict[sp.Expr, Var] = {o: real(), stages: at_least(0, integer=True), TIME: at_least(0, integer=True)}
DUAL_WORDS = {
    Z_l(TIME, o): Letter(Z_l(TIME, o), "cost of stopping at T, which does not look ahead, one of the stages 0, ..., n"),
    DUAL: Letter(DUAL, "the least over all stages; M is any martingale with M_0 = 0"),
}


def _of_stages(of: str, rel: Rel, index: dict[sp.Expr, Var] | None = None) -> Definition:
    return Definition(of, Goal(rel, {**MARTINGALE, **(index or {})}, name=of, letters=DUAL_WORDS))


SMALLEST = _of_stages("the smallest of all stages", Rel(DUAL, "<=", Z_l(TIME, o) - M_l(TIME, o)))
NOT_LATER = _of_stages("the last stage is n", Rel(TIME, "<=", stages))
AT_ZERO = _of_stages("the martingale starts at 0", Rel(M_l(0, o), "=", 0))
FAIR = _of_stages(
    "a step of the martingale has mean 0 given the stages before it, which decide whether one goes on",
    Rel(Mean(Event(TIME - stage, 1) * (M_l(stage + 1, o) - M_l(stage, o)), o), "=", 0),
    {stage: at_least(0, integer=True)},
)
