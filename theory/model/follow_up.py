"""Rounds K < t <= 2K of ReUCB: of the arms with one reward, J is the one with the largest.

Before round t at most t - K - 1 arms have a second reward. So J exists, and its first reward is at least the (t-K)-th
largest of the K first rewards; Y(t, o) is that order statistic of the rewards standardised, (r - mu_0)/sqrt(sigma_0^2 +
sigma^2), which are K independent standard normals.
"""

from __future__ import annotations

import sympy as sp

from theory.kernel.goal import Letter, Rel, positive, real
from theory.kernel.rules import Definition
from theory.kernel.terms import Mean
from theory.model.arms import s, s0
from theory.model.play import ARM, COUNT, LATER, PULLED, WORDS, K, count, index, k, mu0, o, quantity, stated, t, tau

u = sp.Symbol("u")
J = quantity("J", "J_{{{}}}")(t, o)
first = quantity("first reward", "r_{{{},1}}")
rest = quantity("1 - w", "(1-w_{{{},{}}})")  # of an arm before a round
weights = quantity("W", "W_{{{}}}")(t, o)  # the sum over all arms before round t
order = quantity("Z_", r"Z_{{({}-K)}}")
Y = order(t, o)
SHORT_PLAY = (LATER, Rel(t, "<=", 2 * K))
SCALE = sp.sqrt(s0 + s)
SIZES = {**ARM, J: COUNT, mu0: real(), u: COUNT, rest(k, t, o): positive(), weights: positive()}
LETTERS = {**WORDS, Y: Letter(Y, "(t-K)-th largest of K independent standard normals")}


def _defined(of: str, rel: Rel, *given: Rel) -> Definition:
    goal = stated(rel, SIZES, *given, name=of)
    return Definition(of, goal)


HIGHEST = _defined("no arm has a higher index than the pulled one", Rel(index(J), "<=", index(PULLED)), *SHORT_PLAY)
ONE_REWARD = _defined("J has one reward", Rel(rest(J, t, o), "=", s / (s0 + s)), *SHORT_PLAY)
WEIGHT = _defined(
    "Eq. w-def at the counts before round t", Rel(rest(k, t, o), "=", s / (count(k, t, o) * s0 + s)), LATER
)
WIDTH = _defined(
    "Eq. MSE at the weights before round t",
    Rel(tau(k, t, o), "=", sp.sqrt(s0 * rest(k, t, o) + s0 * rest(k, t, o) ** 2 / weights)),
    LATER,
)
LARGE_REWARD = _defined(
    "at most t - K - 1 arms have a second reward, so that the first reward of J is at least the (t-K)-th largest",
    Rel(mu0 + SCALE * Y, "<=", first(J, o)),
    *SHORT_PLAY,
)
ORDERED = _defined(
    "order statistics fall", Rel(order(u, o), "<=", Y), *SHORT_PLAY, Rel(t, "<=", u), Rel(u, "<=", 2 * K)
)
ALL_ORDERED = _defined(
    "all K order statistics are all K centred normals",
    Rel(sp.Sum(Mean(order(u, o), o), (u, K + 1, 2 * K)), "=", 0),
)
