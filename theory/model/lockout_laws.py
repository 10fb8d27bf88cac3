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
from theory.kernel.rules import Definition
from theory.kernel.terms import Event, Mean
from theory.model.arms import s
from theory.model.counts import function
from theory.model.lockout import LOCKED, OTHER, UNIT, WORDS, H, S, bad
from theory.model.past_rounds import require_past
from theory.model.play import COUNT, LATER, K, N, another, count, i, k, mu, o, quantity, t
from theory.model.regret import R_N
from theory.model.small_play import Set
from theory.model.stacks import noise

x, th, de, eta, r, j = sp.symbols("x theta delta eta r j")
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
        base_ = rf"\mathbb{{E}}\left[{printer._print(self.args[0])}\right]"
        return base_ if exp is None else rf"{base_}^{{{exp}}}"

    def _sympystr(self, printer: Any) -> str:
        return f"E[{printer._print(self.args[0])}]"


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


class ChosenWidth(Named):
    """a, in terms of the least integer j above q a log n/(2 (1 - 1/q)^4): its arguments are j, v = j less that number,
    q and n."""

    @property
    def value(self) -> sp.Expr:
        above, excess, inverse, rounds = self.args
        return 2 * (above - excess) * (1 - 1 / inverse) ** 4 / (inverse * sp.log(rounds))

    @property
    def definition(self) -> tuple[sp.Expr, sp.Expr]:
        return self, self.value

    def _latex(self, printer: Any, exp: str | None = None) -> str:
        return "a" if exp is None else f"a^{{{exp}}}"

    def _sympystr(self, printer: Any) -> str:
        return "a"


class Halves(Named):
    """2^(-m)."""

    @property
    def value(self) -> sp.Expr:
        return sp.exp(-self.args[0] * sp.log(2))

    def _latex(self, printer: Any) -> str:
        return f"2^{{{printer._print(-self.args[0])}}}"

    def _sympystr(self, printer: Any) -> str:
        return f"2^({printer._print(-self.args[0])})"


below = function("below", r"P\left(S_{{{0}}}\ge {1}\right)")  # of a sum of s fair signs
below.formula = None  # printed as what it is
minus = quantity("minus", r"\nu_{{{},{}}}")  # how many more of the first j noises of arm k are negative than positive
alone = quantity("alone", r"\mathbf{{1}}\{{\text{{only}}\ {}\ \text{{is high}}\}}")(H, o)
MANY, BAD = th * S + de * S, bad(H, S, DEPTH, LEAD, N, o)
DIP = Event(minus(H, S, o) - MANY, 0)
LAWS: dict[sp.Expr, Var] = {
    **LOCKED,
    **dict.fromkeys((th, de, eta), positive()),
    **{x: real(), r: COUNT, alone: UNIT, BAD: UNIT, minus(H, j, o): Var(integer=True)},
    below(S, MANY): Var(sp.Integer(0), high=sp.Integer(1)),
}
LAW_WORDS = {
    **WORDS,
    th: Letter(th, "D = theta sigma: arm H is better by D"),
    de: Letter(de, "d = delta sigma: the average of the s rewards is d below those of the others"),
    below(S, MANY): Letter(below(sp.Symbol("s"), MANY.xreplace({S: sp.Symbol("s")})), "S_s is the sum of s fair signs"),
    R_N: Letter(
        R_N,
        "Bayes regret of n rounds of ReUCB with known proxies; arm means x or x + D, fair; rewards mu_k +- sigma, "
        "fair, of an arm with mean x + D, and x of the others",
    ),
}


def _defined(of: str, rel: Rel, *given: Rel) -> Definition:
    return Definition(of, Goal(rel, {**LAWS, i: COUNT}, given, of, letters=LAW_WORDS))


ALONE = Rel(alone, "=", 1)
HIGH_MEAN = _defined("a high arm", Rel(mu(H, o), "=", x + LEAD), ALONE)
NOISE = _defined("noise of a high arm", Rel(noise(H, S, o), "=", -sigma * minus(H, S, o)), ALONE)
LOW_MEAN = _defined("all other arms are low", Rel(mu(another(i, H, o), o), "=", x), ALONE, OTHER)
NO_NOISE = _defined("a low arm has no noise", Rel(noise(another(i, H, o), r, o), "=", 0), ALONE, OTHER)
APART = _defined(
    "one arm is high and K - 1 are low with chance 2^-K, independent of the signs",
    Rel(Mean(alone * DIP, o), "=", Halves(K) * Mean(DIP, o)),
)
FAIR_SIGNS = _defined("the noises of every arm have fair signs", Rel(Mean(DIP, o), "=", below(S, MANY)))


# every variance equal to its proxy: all arms have noise, and that of the other arms must not be low
base = quantity("base", "x")(o)
apart = quantity("apart", r"\mathbf{{1}}\{{e_1=\dots=e_K,\ e'_{0}=1,\ e'_i=-1\ (i\ne {0})\}}")(H, o)
steady = quantity("steady", r"\mathbf{{1}}\{{\nu_{{i,j}}\le\eta j\ (i\ne {0},\,j\le {1})\}}")(H, N, o)
stays = quantity("stays", r"\mathbf{{1}}\{{\nu_{{{0},j}}\le\eta j\ (j\le n)\}}")  # of the k-th other arm
nu = quantity("nu", r"\nu_{{{},{}}}")  # the same as minus of the k-th other arm
peak = quantity("peak", r"\hat\jmath_{{{}}}")(k, o)  # after how many noises, up to n, nu_j - eta j is the largest
starts = quantity("starts", r"\mathbf{{1}}\{{\nu_{{{0},{1}}}=-{1}\}}")(k, r, o)  # 1 if the first r noises are positive
ABOVE = nu(k, peak, o) - eta * peak
later = quantity("later", r"\nu'_{{{},{}}}")  # the same of the noises after the first r of the k-th other arm
crest = quantity("crest", "T_{{{}}}")(
    k, o
)  # after how many of these, up to n, it is the most above eta times their number
FALLS = Event(later(k, crest, o) - eta * crest - r - eta * r, 1)
MANY_EXACT = th * S + de * S + eta * S
DIP_EXACT = Event(minus(H, S, o) - MANY_EXACT, 0)
ROUND = Var(sp.Integer(0), integer=True)
WALK: dict[sp.Expr, Var] = {
    **{o: real(), eta: positive(), r: COUNT, k: COUNT, N: LOCKED[N]},
    **{crest: ROUND, later(k, j, o): Var(integer=True)},
}
EXACT: dict[sp.Expr, Var] = {
    **LAWS,
    **dict.fromkeys((apart, steady, stays(k, o), starts), UNIT),
    **{crest: ROUND, peak: ROUND, later(k, j, o): Var(integer=True), nu(k, j, o): Var(integer=True)},
    **{base: real(), below(S, MANY_EXACT): Var(sp.Integer(0), high=sp.Integer(1))},
}
EXACT_WORDS = {
    **LAW_WORDS,
    eta: Letter(eta, "eta sigma is how far an average of another arm may be below its mean"),
    r: Letter(r, "every other arm starts with r positive noises"),
    below(S, MANY_EXACT): Letter(
        below(sp.Symbol("s"), MANY_EXACT.xreplace({S: sp.Symbol("s")})), "S_s is the sum of s fair signs"
    ),
    R_N: Letter(
        R_N,
        "Bayes regret of n rounds of ReUCB with known variances; mu_k = mu_0 + v e_k + (D/2) e'_k with fair signs, "
        "rewards mu_k +- sigma, fair, of every arm",
    ),
}


def _exact(of: str, rel: Rel, *given: Rel) -> Definition:
    return Definition(of, Goal(rel, {**EXACT, i: COUNT, k: COUNT, j: ROUND}, given, of, letters=EXACT_WORDS))


_other, _pulls = another(i, H, o), count(another(i, H, o), t, o)
SET = Rel(apart, "=", 1)
EXACT_MEAN = _exact("the sign e' of H is +1", Rel(mu(H, o), "=", base + LEAD), SET)
EXACT_OTHERS = _exact("the signs e' of the others are -1", Rel(mu(_other, o), "=", base), SET, OTHER)
EXACT_NOISE = _exact("the noise of H", Rel(noise(H, S, o), "=", -sigma * minus(H, S, o)))
OTHER_NOISE = _exact("the noise of another arm", Rel(noise(_other, _pulls, o), "=", -sigma * minus(_other, _pulls, o)))
STEADY = _exact(
    "the noises of the others are never far below 0",
    Rel(minus(_other, _pulls, o), "<=", eta * _pulls),
    Rel(steady, "=", 1),
    LATER,
    Rel(t, "<=", N),
    OTHER,
)
INDEPENDENT = _exact(
    "the signs e, e' and the noises of all arms are fair and independent: 2 2^-K 2^-K, H, and K - 1 other arms",
    Rel(
        Mean(apart * DIP_EXACT * steady, o),
        ">=",
        Halves(2 * K - 1) * below(S, MANY_EXACT) * sp.Product(Mean(stays(k, o), o), (k, 1, K - 1)),
    ),
)
FIRST_NOISES = _exact("the first r noises are +1", Rel(nu(k, j, o), "=", -j), Rel(starts, "=", 1), Rel(j, "<=", r))
LATER_NOISES = _exact("the noises after the first r", Rel(nu(k, r + j, o), "=", nu(k, r, o) + later(k, j, o)))
PEAK_IN_PLAY = _exact("the peak is one of the pulls of the play", Rel(peak, "<=", N))
STAYS = _exact("no nu_j - eta j is positive if that at the peak is not", Rel(stays(k, o), "=", Event(-ABOVE, 0)))
CREST = _exact(
    "the crest is the most above",
    Rel(later(k, j, o) - eta * j, "<=", later(k, crest, o) - eta * crest),
    Rel(j, "<=", N),
)
HEAD_START = _exact(
    "r positive noises come first with chance 2^-r, independent of those after them",
    Rel(Mean(starts * (1 - FALLS), o), "=", Halves(r) * (1 - Mean(FALLS, o))),
)


def _of_walk(of: str, rel: Rel, more: dict[sp.Expr, Var] | None = None) -> Definition:
    return Definition(of, Goal(rel, {**WALK, **(more or {})}, (), of, letters=EXACT_WORDS))


NONE_YET = _of_walk("no noise yet", Rel(later(k, 0, o), "=", 0))
IN_PLAY = _of_walk("at a pull of the play", Rel(crest, "<=", N))


def next_sign(past: sp.Expr, slope: sp.Expr, pulls: sp.Symbol, number: sp.Expr) -> Definition:
    """E[past e^{l nu_{m+1} + number}] <= E[past e^{l nu_m + l^2/2 + number}]: a fair sign has the proxy 1 (claim
    them-R-Bayes-SubR/lock-out/exact-variances/model), and is independent of the earlier ones."""
    require_past(past, later, pulls, (k,))
    left = Mean(past * sp.exp(slope * later(k, pulls + 1, o) + number), o)
    right = Mean(past * sp.exp(slope * later(k, pulls, o) + slope**2 / 2 + number), o)
    return _of_walk("a fair sign, independent of the earlier ones", Rel(left, "<=", right), {pulls: ROUND})


# sums of 2 h fair signs
h = sp.Symbol("h")
exactly = function("p", r"P\left(S_{{2 {0}}}=2 {1}\right)")
exactly.formula = (exactly(h, j), sp.binomial(2 * h, h - j, evaluate=False) / sp.Integer(4) ** h)
exponent = function("E", "E_{{{}}}({})")
EXPONENT = j**2 * h / ((h - j) * (h + j))
exponent.formula = (exponent(h, j), j**2 / h / (1 - (j / h) ** 2))
CHANCE = Var(sp.Integer(0), high=sp.Integer(1))
SIGNS: dict[sp.Expr, Var] = {
    **{h: COUNT, j: Var(sp.Integer(0), integer=True)},
    **{exactly(h, j): CHANCE, below(2 * h, 2 * j): CHANCE, exponent(h, j): real()},
}
SIGN_WORDS = {exactly(h, j): Letter(exactly(h, j), "S_m is the sum of m fair signs")}


def _of_signs(of: str, rel: Rel, *given: Rel) -> Definition:
    return Definition(of, Goal(rel, SIGNS, given, of, letters=SIGN_WORDS))


NEXT_VALUE = _of_signs(
    "neighbouring binomial coefficients",
    Rel(exactly(h, j + 1), "=", exactly(h, j) * (h - j) / (h + j + 1)),
    Rel(j, "<", h),
)
NEXT_CENTRE = _of_signs(
    "central binomial coefficients", Rel(exactly(h + 1, 0), "=", exactly(h, 0) * (2 * h + 1) / (2 * h + 2))
)
FIRST_CENTRE = _of_signs("two fair signs", Rel(exactly(1, 0), "=", sp.Rational(1, 2)))
AT_LEAST = _of_signs(
    "the values 2j, ..., 2h of the sum",
    Rel(below(2 * h, 2 * j), "=", sp.Sum(exactly(h, i), (i, j, h))),
    Rel(j, "<=", h),
)
OF_EXPONENT = _of_signs("the exponent", Rel(exponent(h, j), "=", EXPONENT), Rel(j, "<", h))
