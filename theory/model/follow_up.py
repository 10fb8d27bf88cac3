"""Rounds K < t <= 2K of ReUCB: of the arms with the fewest rewards, J is the one with the largest first reward.

V(k, o) is the first reward of arm k standardised, (r - mu_0)/sqrt(sigma_0^2 + sigma^2); these are K independent
standard normals. Y(t, o) is the (t-K)-th largest of them. What the (t-K)-th largest is has two parts, both of them
definitions: the numbers Y(K+1), ..., Y(2K) are V(1), ..., V(K) in another order (`rearranged`), and this order is one
in which they do not rise (`ORDERED`). No other numbers have both properties.
"""

from __future__ import annotations

from dataclasses import replace

import sympy as sp

from theory.kernel.goal import Letter, Rel, positive, real
from theory.kernel.rules import Definition
from theory.kernel.terms import Event, Mean, substitute
from theory.model.arms import s, s0
from theory.model.error_law import REUCB
from theory.model.functions import quantity
from theory.model.play import ARM, COUNT, GAUSSIAN, LATER, PULLED, WORDS, K, count, index, k, mu0, o, stated, t, tau
from theory.model.reward_level import REUCB as REWARDS
from theory.model.round_errors import d

u, x = sp.symbols("u x")
J = quantity("J", "J_{{{}}}")(t, o)
first = quantity("first reward", "r_{{{},1}}")
rest = quantity("(1 - w)", "(1-w_{{{},{}}})")  # of an arm before a round
weights = quantity("W", "W_{{{}}}")(t, o)  # the sum over all arms before round t
V = quantity("V", "V_{{{}}}")
order = quantity("Z_", r"Z_{{({}-K)}}")
Y = order(t, o)
SHORT_PLAY = (LATER, Rel(t, "<=", 2 * K))
SCALE = sp.sqrt(s0 + s)
SIZES = {**ARM, J: COUNT, mu0: real(), u: COUNT, rest(k, t, o): positive(), weights: positive()}
LETTERS = {**WORDS, Y: Letter(Y, "(t-K)-th largest of K independent standard normals")}


SMALLER = Event(Y - x, 1)  # 1 if x is smaller than the (t-K)-th largest of the K numbers


def smaller(arm: sp.Expr) -> sp.Expr:
    """1 if the first reward of an arm is smaller than the (t-K)-th largest."""
    return SMALLER.xreplace({x: V(arm, o)})


def _defined(of: str, rel: Rel, *given: Rel) -> Definition:
    goal = stated(rel, SIZES, *given, name=of)
    return Definition(of, goal)


IN_RANGE = Rel(k, "<=", K)
HIGHEST = _defined("no arm has a higher index than the pulled one", Rel(index(k), "<=", index(PULLED)), LATER, IN_RANGE)
J_IS_AN_ARM = _defined("J is one of K arms", Rel(J, "<=", K), LATER)
FEWEST = _defined(
    "no arm has fewer rewards than J", Rel(count(J, t, o), "<=", count(k, t, o)), LATER, IN_RANGE
).for_every(k)
LARGEST_OF_FEWEST = _defined(
    "of the arms with as few rewards J has the largest first reward",
    Rel(first(k, o), "<=", first(J, o)),
    LATER,
    IN_RANGE,
    Rel(count(k, t, o), "=", count(J, t, o)),
).for_every(k, t)
FIRST_OF_THEM = _defined(
    "J is the first arm with as few rewards and as large a first one",
    Rel(J, "<=", k),
    *(LATER, IN_RANGE, Rel(count(k, t, o), "=", count(J, t, o)), Rel(first(J, o), "<=", first(k, o))),
).for_every(k)
FIRST_REWARD = _defined(
    "the first reward of arm k is that of round k", Rel(first(k, o), "=", REWARDS.reward(k, o)), IN_RANGE
)
STANDARDISED = _defined("V is the first reward standardised", Rel(first(k, o), "=", mu0 + SCALE * V(k, o)))
NORMAL = replace(_defined("V has mean 0", Rel(Mean(V(k, o), o), "=", 0)), world=GAUSSIAN)
WEIGHT = _defined(
    "Eq. w-def at the counts before round t", Rel(rest(k, t, o), "=", s / (count(k, t, o) * s0 + s)), LATER
)
ALL_WEIGHTS = _defined("sum of all weights", Rel(weights, "=", sp.Sum(1 - rest(k, t, o), (k, 1, K))), LATER)
WIDTH = _defined(
    "Eq. MSE at the weights before round t",
    Rel(tau(k, t, o), "=", sp.sqrt(s0 * rest(k, t, o) + s0 * rest(k, t, o) ** 2 / weights)),
    LATER,
)
ORDERED = _defined(
    "the order of the order statistics: a later one is not larger",
    Rel(order(u, o), "<=", Y),
    *(*SHORT_PLAY, Rel(t, "<=", u), Rel(u, "<=", 2 * K)),
).for_every(t, u)


def rearranged(f: sp.Expr) -> Definition:
    """The order statistics are the K numbers in another order: sums of f, an expression in x, over either of them."""
    if f.has(u, k):
        raise ValueError(f"{f} depends on the place of a number")
    of_order, of_arms = substitute(f, {x: order(u, o)}), substitute(f, {x: V(k, o)})
    return _defined(
        "the order statistics are the K numbers in another order",
        Rel(sp.Sum(of_order, (u, K + 1, 2 * K)), "=", sp.Sum(of_arms, (k, 1, K))),
    )


BY_DIFFERENCES = replace(
    REUCB,
    choices="ours/conditioning/choices/fewest-rewards",
    decided={J.func: "the arm with the fewest rewards"},
    domain={**REUCB.domain, **SIZES, J: COUNT, J.xreplace({o: d}): COUNT},
)
# Given all rewards before round t mu_k is normal around mu-tilde_k, the prediction that knows mu_0.
seen, error = (
    quantity("mu given rewards", r"\tilde\mu_{{{},{}}}"),
    quantity("X given rewards", r"\tilde X_{{{},{}}}", 2),
)
BY_REWARDS = replace(
    BY_DIFFERENCES, name="rewards", error=error, estimate=seen, width=None, eq_mse=None, weights=None, letters=LETTERS
)
ONE_REWARD = _defined(
    "mu-tilde of an arm with one reward",
    Rel(seen(k, t, o), "=", mu0 + s0 / (s0 + s) * (first(k, o) - mu0)),
    *(LATER, Rel(count(k, t, o), "=", 1)),
)
