"""Two laws of means and rewards under which ReUCB locks the best arm out.

Two points: an arm has the mean x + D or x, fair; rewards of a high arm are mu +- sigma, fair, those of a low arm are x.
Exact variances: mu_k = mu_0 + v e_k + (D/2) e'_k with fair signs, and rewards mu_k +- sigma, fair, of every arm. The
first s rewards of arm H are bad if many more of their noises are negative than positive.
"""

from __future__ import annotations

from itertools import product
from typing import Any

import sympy as sp

from theory.kernel.goal import Goal, Letter, Rel, Var, positive, real
from theory.kernel.named import Named
from theory.kernel.rules import Definition, equals
from theory.kernel.sources import fix
from theory.kernel.terms import Event, Mean
from theory.model.arguments import require_decided
from theory.model.arm_signs import NEXT, all_are, eps, high, independent, minus, of_others, spread, stays
from theory.model.arms import s
from theory.model.fair_signs import below
from theory.model.functions import quantity
from theory.model.lockout import LOCKED, UNIT, WORDS, H, S, bad
from theory.model.past_rounds import require_past
from theory.model.play import COUNT, N, i, k, mu, mu0, o
from theory.model.regret import R_N
from theory.model.small_play import Set
from theory.model.stacks import noise

x, th, de, eta, r, j, c = sp.symbols("x_low theta_D delta eta_D r j c")
v = sp.Symbol("v_low")
fix(x, th, eta, v, scope="theory")  # also of the regret, in which they do not occur
sigma = sp.sqrt(s)
LEAD, DEPTH = th * sigma, de * sigma  # D and d


class Fair(Named):
    """E f, averaged over independent fair signs: its arguments are f and the signs."""

    @property
    def bound(self) -> set[sp.Symbol]:
        return set(self.args[1:])

    @property
    def value(self) -> sp.Expr:
        f, *signs = self.args
        all_signs = product((sp.S.One, -sp.S.One), repeat=len(signs))
        values = [f.xreplace(dict(zip(signs, at, strict=True))) for at in all_signs]
        return sp.Add(*values) / len(values)

    @property
    def definition(self) -> tuple[sp.Expr, sp.Expr]:
        return Set(",".join(map(sp.latex, self.args[1:]))), Set(r"\pm1\ \text{fair}")

    def _latex(self, printer: Any, exp: str | None = None) -> str:
        f, *signs = map(printer._print, self.args)
        base_ = rf"\mathbb{{E}}_{{{','.join(signs)}}}\left[{f}\right]"
        return base_ if exp is None else rf"{base_}^{{{exp}}}"

    def _sympystr(self, printer: Any) -> str:
        f, *signs = map(printer._print, self.args)
        return f"E_{','.join(signs)}[{f}]"


class LowMean(Named):
    """x = sigma - D, the mean of a low arm; its arguments are D and sigma^2."""

    @property
    def value(self) -> sp.Expr:
        lead, variance = self.args
        return sp.sqrt(variance) - lead

    @property
    def definition(self) -> tuple[sp.Expr, sp.Expr]:
        return self, self.value

    def _latex(self, printer: Any, exp: str | None = None) -> str:
        return "x" if exp is None else f"x^{{{exp}}}"

    def _sympystr(self, printer: Any) -> str:
        return "x"


class Halves(Named):
    """2^(-m)."""

    @property
    def value(self) -> sp.Expr:
        return sp.exp(-self.args[0] * sp.log(2))

    def _latex(self, printer: Any) -> str:
        return f"2^{{{printer._print(-self.args[0])}}}"

    def _sympystr(self, printer: Any) -> str:
        return f"2^({printer._print(-self.args[0])})"


alone = quantity("alone", r"\mathbf{{1}}\{{\text{{only}}\ {}\ \text{{is high}}\}}")(H, o)
MANY, BAD = th * S + de * S, bad(H, S, DEPTH, LEAD, N, o)
DIP = Event(minus(H, S, o) - MANY, 0)
LAWS: dict[sp.Expr, Var] = {
    **LOCKED,
    **dict.fromkeys((th, de, eta), positive()),
    **{x: real(), r: COUNT, alone: UNIT, BAD: UNIT, high(k, o): real()},
}
LAW_WORDS = {
    **WORDS,
    x: Letter(sp.Symbol("x"), "mean of a low arm"),
    th: Letter(th, "D = theta_D sigma: arm H is better by D"),
    de: Letter(de, "d = delta sigma: the average of the s rewards is d below those of the others"),
    below(S, MANY): Letter(
        below(sp.Symbol("s"), MANY.xreplace({S: sp.Symbol("s")})), "S_s is the sum of s independent fair signs"
    ),
    R_N: Letter(
        R_N,
        "Bayes regret of n rounds of ReUCB with known proxies; arm means x or x + D, fair; rewards mu_k +- sigma, "
        "fair, of an arm with mean x + D, and x of the others",
    ),
}


def _defined(of: str, rel: Rel, *given: Rel) -> Definition:
    goal = Goal(rel, {**LAWS, i: COUNT, k: COUNT, c: real()}, given, of, letters=LAW_WORDS)
    return Definition(of, goal, world="lock-out")


ALONE = Rel(alone, "=", 1)
IS_HIGH = (1 + high(k, o)) / 2
MEAN = _defined("an arm is high or low", Rel(mu(k, o), "=", x + LEAD * IS_HIGH))
NOISE = _defined("only a high arm has noise", Rel(noise(k, r, o), "=", -sigma * minus(k, r, o) * IS_HIGH))
ONE_HIGH = _defined("H is high, and no other arm", Rel(alone, "=", all_are(high, sp.Integer(1), -sp.Integer(1))))
FAIR_HIGH = _defined(
    "both signs have the same chance",
    Rel(Mean(equals(high(k, o), c), o), "=", sp.Rational(1, 2)),
    Rel(c**2, "=", 1),
)
INDEPENDENT = _defined(
    "the signs of the means and of the noises are independent",
    independent((equals(high(H, o), sp.Integer(1)), DIP), (equals(high(NEXT, o), -sp.Integer(1)),)),
)


# every variance equal to its proxy: all arms have noise, and that of the other arms must not be low
base = quantity("base", "x")(H, o)
apart = quantity(
    "apart",
    r"\mathbf{{1}}\{{e_1=\dots=e_K,\ e'_{0}=1,\ e'_i=-1\ (i\ne {0})\}}",
    meaning="H: 1 if all signs e agree, e' of arm H is +1 and those of the others are -1",
)(H, o)
steady = quantity(
    "steady",
    r"\mathbf{{1}}\{{\nu_{{i,j}}\le\eta j\ (i\ne {0},\,j\le {1})\}}",
    meaning="H n: 1 if of the first j noises of another arm at most eta j more are negative, for every j <= n",
)(H, N, o)
peak = quantity("peak", r"\hat\jmath_{{{}}}")(k, o)  # after how many noises, up to n, nu_j - eta j is the largest
starts = quantity("starts", r"\mathbf{{1}}\{{\nu_{{{0},{1}}}=-{1}\}}")(k, r, o)  # 1 if the first r noises are positive
ABOVE = minus(k, peak, o) - eta * peak
after = quantity("later", r"\nu'_{{{0},{2}}}")  # the same as minus, of the noises after the first r


def later(arm: sp.Expr, pulls: sp.Expr, outcome: sp.Expr) -> sp.Expr:
    """How many more of the noises of an arm are negative than positive, of so many after the first r."""
    return after(arm, r, pulls, outcome)


crest = quantity("crest", "T_{{{0}}}")(k, r, o)  # after how many of these, up to n, it is the most above eta times them
fix(N, scope=(peak.func, stays, crest.func))
FALLS = Event(later(k, crest, o) - eta * crest - r - eta * r, 1)
MANY_EXACT = th * S + de * S + eta * S
DIP_EXACT = Event(minus(H, S, o) - MANY_EXACT, 0)
ROUND = Var(sp.Integer(0), integer=True)
WALK: dict[sp.Expr, Var] = {
    **{o: real(), eta: positive(), r: COUNT, k: COUNT, N: LOCKED[N]},
    **{crest: ROUND, eps(k, j, o): real()},
}
EXACT: dict[sp.Expr, Var] = {
    **LAWS,
    **dict.fromkeys((apart, steady, stays(k, o), starts), UNIT),
    **{crest: ROUND, peak: ROUND, eps(k, j, o): real(), spread(k, o): real()},
    **{base: real(), mu0: real(), v: positive()},
}
EXACT_WORDS = {
    **LAW_WORDS,
    eta: Letter(eta, "eta sigma is how far an average of another arm may be below its mean"),
    r: Letter(r, "every other arm starts with r positive noises"),
    v: Letter(sp.Symbol("v")),
    base: Letter(base, "mu_0 + v e_H - D/2"),
    minus(H, S, o): Letter(minus(H, sp.Symbol("s"), o), "how many more of the first s noises of H are negative"),
    below(S, MANY_EXACT): Letter(
        below(sp.Symbol("s"), MANY_EXACT.xreplace({S: sp.Symbol("s")})), "S_s is the sum of s independent fair signs"
    ),
    R_N: Letter(
        R_N,
        "Bayes regret of n rounds of ReUCB with known variances; mu_k = mu_0 + v e_k + (D/2) e'_k with fair signs, "
        "rewards mu_k +- sigma, fair, of every arm",
    ),
}
ONE = sp.Integer(1)


def _exact(of: str, rel: Rel, *given: Rel) -> Definition:
    domain = {**EXACT, i: COUNT, k: COUNT, j: ROUND, c: real()}
    goal = Goal(rel, domain, given, of, letters=EXACT_WORDS)
    return Definition(of, goal, world="lock-out with exact variances")


def _fair(sign: sp.Expr) -> Definition:
    rel = Rel(Mean(equals(sign, c), o), "=", sp.Rational(1, 2))
    return _exact("both signs have the same chance", rel, Rel(c**2, "=", 1))


SET = Rel(apart, "=", 1)
EXACT_MEAN = _exact("an arm mean", Rel(mu(k, o), "=", mu0 + v * spread(k, o) + LEAD / 2 * high(k, o)))
BASE = _exact("x is the mean of a low arm whose sign e is that of H", Rel(base, "=", mu0 + v * spread(H, o) - LEAD / 2))
EXACT_NOISE = _exact("the noise of an arm", Rel(noise(k, r, o), "=", -sigma * minus(k, r, o)))
AGREE = all_are(spread, ONE, ONE) + all_are(spread, -ONE, -ONE)
ARE_SET = _exact(
    "all signs e agree, the sign e' of H is +1 and those of the others are -1",
    Rel(apart, "=", AGREE * all_are(high, ONE, -ONE)),
)
STEADY = _exact("the noises of the others are never far below 0", Rel(steady, "=", of_others(stays(NEXT, o))))
TWO_VALUES = _exact("a sign is +1 or -1", Rel(equals(spread(k, o), ONE) + equals(spread(k, o), -ONE), "=", 1))
FAIR_SPREAD, FAIR_LEAD = (_fair(sign) for sign in (spread(k, o), high(k, o)))
ALL_INDEPENDENT = {
    value: _exact(
        "the signs e, e' and the noises of all arms are independent",
        independent(
            (equals(spread(H, o), value), equals(high(H, o), ONE), DIP_EXACT),
            (equals(spread(NEXT, o), value), equals(high(NEXT, o), -ONE), stays(NEXT, o)),
        ),
    )
    for value in (ONE, -ONE)
}
STARTS = _exact("the first r noises are positive", Rel(starts, "=", sp.Product(equals(eps(k, i, o), ONE), (i, 1, r))))
PEAK = _exact("the peak is the largest", Rel(minus(k, j, o) - eta * j, "<=", ABOVE), Rel(j, "<=", N)).for_every(j)
PEAK_IN_PLAY = _exact("the peak is one of the pulls of the play", Rel(peak, "<=", N))
STAYS = _exact("no nu_j - eta j is positive if that at the peak is not", Rel(stays(k, o), "=", Event(-ABOVE, 0)))
CREST = _exact(
    "the crest is the most above",
    Rel(later(k, j, o) - eta * j, "<=", later(k, crest, o) - eta * crest),
    Rel(j, "<=", N),
).for_every(j)
FRESH = _exact(
    "the first r noises are independent of each other and of those after them, which decide FALLS",
    Rel(
        Mean(sp.Product(equals(eps(k, i, o), ONE), (i, 1, r)) * (1 - FALLS), o),
        "=",
        sp.Product(Mean(equals(eps(k, i, o), ONE), o), (i, 1, r)) * (1 - Mean(FALLS, o)),
    ),
)


def _of_walk(of: str, rel: Rel, more: dict[sp.Expr, Var] | None = None) -> Definition:
    return Definition(of, Goal(rel, {**WALK, **(more or {})}, (), of, letters=EXACT_WORDS))


AFTERWARDS = _of_walk(
    "the noises after the first r", Rel(later(k, j, o), "=", -sp.Sum(eps(k, r + i, o), (i, 1, j))), {j: ROUND}
)
IN_PLAY = _of_walk("at a pull of the play", Rel(crest, "<=", N))


def fresh_sign(past: sp.Expr, slope: sp.Expr, pulls: sp.Symbol, number: sp.Expr) -> Definition:
    """The noise after the first r + m is independent of those before it: E[past e^{l nu'_m + c - l e - l^2/2}] =
    E[past e^{l nu'_m + c}] E[e^{-l e - l^2/2}], where e is its sign."""
    require_past(past, later, pulls, (k,), WALK)
    for value in (slope, number):
        require_decided(value, (), (o,))
    before, own = slope * later(k, pulls, o) + number, -slope * eps(k, r + pulls + 1, o) - slope**2 / 2
    product = Mean(past * sp.exp(before), o) * Mean(sp.exp(own), o)
    rel = Rel(Mean(past * sp.exp(before + own), o), "=", product)
    return _of_walk("a fair sign, independent of the earlier ones", rel, {pulls: ROUND})
