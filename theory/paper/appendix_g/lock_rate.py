"""Appendix G (`sec:extensions`): how fast the regret of a lock-out grows, and the bound of Theorem 5 (1).

q is an integer, theta = 1/q, and j the least integer above q a log n/(2 (1 - theta)^4). The bad rewards are the first
s = 2qj of arm H; D = theta^2 sigma and d = theta (1 - theta) sigma.
"""

import sympy as sp

from theory.kernel.argument import Argument, proof
from theory.kernel.claim import claim
from theory.kernel.goal import Goal, Letter, Rel, Var, at_least, positive, real
from theory.kernel.rules import (
    Applied,
    Instance,
    Limit,
    Monotone,
    Replaced,
    applied,
    chain,
    instance,
    replaced,
    uses,
)
from theory.model import bound_formulas as bounds
from theory.model import lockout_laws as laws
from theory.model.arms import s, s0, weight
from theory.model.fair_signs import EXPONENT, OF_EXPONENT, below, exactly, exponent, h
from theory.model.lockout import LONG, S
from theory.model.lockout_laws import LAW_WORDS, LAWS, Halves, de, j, sigma, th
from theory.model.play import COUNT, K, N, a
from theory.model.regret import R_N
from theory.ours.sums_of_signs import one_value

q, v, x, y, z, u, p, w = sp.symbols("q v x y z u p w")
REWARDS = 2 * q * j
FOURTH = (1 - 1 / q) ** 4
AT = {de: (1 - 1 / q) / q, S: REWARDS}
LEAD = Rel(th, "=", 1 / q**2)  # D = sigma/q^2
RATE: dict[sp.Expr, Var] = {
    **LAWS,
    **{
        K: at_least(2, integer=True),
        N: at_least(24, integer=True),
        q: at_least(6, integer=True),
        j: at_least(2, integer=True),
    },
    **{s: positive(), s0: positive(), a: positive(), v: Var(sp.Integer(0), strict=True, high=sp.Integer(1))},
    exponent(h, j): real(),
}
NUMBERS = dict.fromkeys((x, y, z, u, p, w), real())
HEAVY = Rel(s, "<=", 2 * j * s0)  # j >= rho/2
LONGER = Rel(N, ">=", REWARDS)
BAD = 2 * (j - v) * FOURTH / q  # a log n
CHOSEN = Rel(a, "=", BAD / sp.log(N))  # what j and v are


def log_n() -> Instance:
    """a log n in terms of j and v."""
    times = Goal(Rel(x * z, "=", y * z), NUMBERS, (Rel(x, "=", y),), "times a number")
    return instance(times, {x: a, y: CHOSEN.right, z: sp.log(N)}, RATE, (CHOSEN,), name="a log n")


def narrow() -> Applied:
    """(delta w_s)^2 s > a log n: w_s >= 1 - theta."""
    sizes = {q: at_least(2), j: at_least(1), s: positive(), s0: positive(), v: RATE[v]}
    heavy = Goal(Rel(weight(REWARDS), ">=", 1 - 1 / q), sizes, (HEAVY,), "w_H >= 1 - theta")
    less = Goal(Rel(BAD, "<", (AT[de] * (1 - 1 / q)) ** 2 * REWARDS), sizes, name="j is above")
    free = {**NUMBERS, **dict.fromkeys((x, y, z), positive())}
    product = Goal(Rel((x * z) ** 2 * y, "<=", (x * w) ** 2 * y), free, (Rel(w, ">=", z),), "a larger weight")
    at = {x: AT[de], w: weight(REWARDS), y: REWARDS, z: 1 - 1 / q}
    larger = applied(product, at, heavy, domain=RATE, given=(HEAVY,), name="a larger weight")
    chained = Goal(Rel(x, ">", u), NUMBERS, (Rel(u, "=", y), Rel(y, "<", z), Rel(z, "<=", x)), "the lock")
    at = {u: a * sp.log(N), y: BAD, z: less.rel.stated[1], x: larger.concludes.rel.stated[1]}
    return applied(chained, at, log_n(), less, larger, domain=RATE, given=(HEAVY, CHOSEN), name="the lock")


def regret() -> Replaced:
    """The regret of the lock-out with 2qj bad rewards."""
    given = (HEAVY, LONGER, LONG, CHOSEN, LEAD)
    lost = applied(
        uses("them-R-Bayes-SubR/lock-out/regret"), AT, narrow(), domain=RATE, given=given, name="with 2qj bad rewards"
    )
    many = laws.MANY.xreplace(AT)
    sizes = {j: COUNT, q: RATE[q], th: positive()}
    same = Goal(Rel(many, "=", 2 * j), sizes, (LEAD,), "2j more negative noises")
    total = Rel(R_N, ">=", K * Halves(K) * (N - REWARDS) * sigma * th * below(REWARDS, 2 * j))
    return replaced(lost, same, total, RATE, given, "with 2qj bad rewards")


def exponents() -> Applied:
    """E_{qj}(j) <= 1 + (b/2) log n, and b = a q/(q - 5)."""
    known = instance(OF_EXPONENT, {h: q * j}, RATE, name="the exponent")
    simple = Goal(Rel(EXPONENT.xreplace({h: q * j}), "=", j * q / (q**2 - 1)), {j: COUNT, q: RATE[q]}, name="at h = qj")
    sizes = {q: at_least(6), v: RATE[v], p: at_least(0)}
    covered = Goal(Rel((v + p) * q / (q**2 - 1), "<=", 1 + p * FOURTH / (q - 5)), sizes, name="b covers the exponent")
    cover = instance(covered, {p: j - v}, RATE, name="b covers the exponent")
    joined = Goal(
        Rel(x, "<=", 1 + y * w),
        NUMBERS,
        (Rel(x, "=", z), Rel(z, "=", u), Rel(u, "<=", 1 + p * w), Rel(y, "=", p)),
        "exponents",
    )
    at = {x: exponent(q * j, j), y: a * sp.log(N), z: EXPONENT.xreplace({h: q * j}), u: simple.rel.right}
    at |= {p: BAD, w: q / (2 * (q - 5))}
    return applied(joined, at, known, simple, cover, log_n(), domain=RATE, given=(CHOSEN,), name="exponents")


def chance() -> Applied:
    """P(S_2qj >= 2j) >= e^-1 n^(-b/2)/(2 sqrt(qj))."""
    powers = Monotone(exponents(), -sp.exp(-x), x, {x: real()}, name="powers")
    value = uses("them-R-Bayes-SubR/lock-out/chance", {h: q * j}, domain=RATE)
    value_below = instance(one_value(), {h: q * j}, RATE, name="one value of the sum")
    root = 1 / (2 * sp.sqrt(q * j))
    product = Goal(
        Rel(u, ">=", z * w),
        {**NUMBERS, w: at_least(0)},
        (Rel(x, "<=", u), Rel(x, ">=", y * w), Rel(-y, "<=", -z)),
        "chances",
    )
    smaller, larger = (-side for side in powers.concludes.rel.stated)
    at = {u: below(REWARDS, 2 * j), x: exactly(q * j, j), y: smaller, z: larger, w: root}
    return applied(product, at, value_below, value, powers, domain=RATE, given=(CHOSEN,), name="chances")


WORDS = {
    **LAW_WORDS,
    q: Letter(q, "D = sigma/q^2, s = 2 q j bad rewards"),
    j: Letter(j, "the least integer above q a log n/(2 (1 - 1/q)^4)"),
    v: Letter(v, "j less that number: at most 1"),
}


@claim(
    "them-R-Bayes-SubR/lock-out/rate",
    by="us",
    kind="bound",
    cites=("them-R-Bayes-SubR/lock-out/exact-variances", "them-R-Bayes-SubR/m/range"),
)
def rate() -> Argument:
    """q is an integer, theta = 1/q, and j the least integer above q a log n/(2 (1 - theta)^4). s = 2qj rewards are bad,
    D = theta^2 sigma (or less), d = theta (1 - theta) sigma; w_H >= 1 - theta once j >= rho/2. The lock needs 2j/q
    (1-theta)^4 > a log n, and has chance exp(-(j/q)/(1-theta^2))/(2 sqrt(qj)) or more, that is n^(-b/2) up to
    constants and sqrt(j). The printed bound is at most a constant times sqrt(n) log n, as its ratio of logarithms is at
    most 1 + log n/log(1 + 1/rho). It allows every a >= m, and m < 1 for small rho at every K. With exact variances and
    noise of every arm (D = eta sigma = theta^2 sigma/2, sigma_0 + sigma < 1/2) only C changes."""
    given = (HEAVY, LONGER, LONG, CHOSEN, LEAD)
    lost, bad = regret(), chance()
    product = Goal(Rel(u, ">=", v * y), {**NUMBERS, v: at_least(0)}, (Rel(u, ">=", v * p), Rel(p, ">=", y)), "product")
    least = bad.concludes.rel.stated
    at = {u: R_N, v: K * Halves(K) * (N - REWARDS) * sigma * th, p: least[0], y: least[1]}
    total = applied(product, at, lost, bad, domain=RATE, given=given, name="regret")
    return proof(
        total,
        Goal(Rel(a * q / (q - 5), "<", 1), RATE, (Rel(a, "<", 1 - 5 / q),), "b < 1"),
        Goal(Rel(a * q / (q - 5), "=", a + 5 * a / (q - 5)), RATE, name="b tends to a as q grows"),
        letters=WORDS,
    )


ell, gain, c, d, k = sp.symbols("ell g c d k")


@claim("them-R-Bayes-SubR/lock-out/rate/printed", by="us", kind="bound", cites=("them-R-Bayes-SubR/lock-out/rate",))
def printed() -> Argument:
    """The bound of part (1) is at most sqrt(n) (c sqrt(log n (1 + log n/m)) + d), as log(1 + n/rho) <= log n + log(1 +
    1/rho). In lock-out/rate the regret is at least C (n - 2qj) n^(-b/2)/sqrt(j) with j <= 1 + k log n: n/2 is above
    2qj from some n on, and the bound over the regret is a constant times the second limit at most, with l = log n and g
    = (1 - b)/2. So the bound is below the regret for all large n."""
    free, odds = {x_: RATE[x_] for x_ in (K, N, s, s0, a)}, s0 / s
    positive_ = {s: positive(), s0: positive()}
    inside = Goal(Rel(1 + N * odds, "<=", N * (1 + odds)), {N: at_least(1), **positive_}, name="1 + n/rho")
    logs = Monotone(inside, sp.log(x) / sp.log(1 + odds), x, {x: positive(), **positive_}, name="logarithms")
    ratio = 1 + sp.log(N) / sp.log(1 + odds)
    split = Goal(Rel(logs.concludes.rel.stated[1], "=", ratio), {**positive_, N: at_least(2)}, name="two logarithms")
    bounded = chain(logs, split, domain=free, name="the ratio of logarithms")
    beta = bounds.learning_price(K, s0, s)
    leading = 2 * beta * sp.sqrt(a * s0 * K * N * sp.log(N) * x)
    tail = bounds.gaussian_tail(K, N, s0, s, 1)
    lead = Monotone(bounded, leading + tail, x, {**free, x: positive()}, name="the printed bound")
    numbers = dict.fromkeys((ell, gain, c, d, k, y), positive())
    fall = (c * sp.sqrt(ell * (1 + ell / y)) + d) * sp.sqrt(1 + k * ell) * sp.exp(-gain * ell)
    return proof(
        lead,
        Limit((1 + k * ell) * sp.exp(-ell), ell, sp.Integer(0), numbers, "bad rewards are few: j/n"),
        Limit(fall, ell, sp.Integer(0), numbers, "the bound over the regret"),
        letters={
            **WORDS,
            y: Letter(sp.Symbol("m"), "log(1 + 1/rho)"),
            ell: Letter(sp.Symbol("l"), "log n"),
            gain: Letter(gain, "(1 - b)/2, positive for b < 1"),
        },
    )
