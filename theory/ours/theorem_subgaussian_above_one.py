"""Theorem 5 repaired for a > 1: the printed bounds hold from some n on."""

import sympy as sp

from theory.kernel.argument import Argument, proof
from theory.kernel.claim import claim
from theory.kernel.goal import Goal, Letter, Rel, Var, at_least, positive, real
from theory.kernel.rules import Limit, applied, instance, restated, uses
from theory.model.arms import s0
from theory.model.play import K, N, a, t
from theory.model.regret import R_N
from theory.model.regret_bounds import BETA, G
from theory.model.stacks import STACKS, WORDS
from theory.ours.power_sums import h
from theory.ours.root_series import order_of_roots
from theory.ours.theorem_subgaussian_orders import (
    LARGEST,
    LONGER,
    failures,
    in_total,
    pieces_rise,
    regret,
    widths_of_rounds,
)

b, x, y, z, u, p = sp.symbols("b x y z u p")
ell, gain, c, d, m = sp.symbols("l g c d m")
FREE = {**STACKS, b: Var(sp.Integer(1), strict=True, high=sp.Rational(3, 2))}
WIDE = Rel(a, ">=", b)
END = sp.exp((1 - b / 2) * sp.log(N)) / (1 - b / 2)
REST = K + LARGEST * END
FAILURES = "them-R-Bayes-SubR/long-horizons/above-one/failures"
LETTERS = {
    **WORDS,
    b: Letter(b, "any number up to a and 3/2"),
    ell: Letter(ell, "log n"),
    gain: Letter(gain, "(b - 1)/2"),
    R_N: Letter(R_N, "Bayes regret of n rounds of ReUCB with known proxies"),
}


@claim(FAILURES, by="us", kind="step")
def all_failures() -> Argument:
    """t^(-a/2) <= t^(-b/2), which adds up to at most n^(1-b/2)/(1-b/2)."""
    power = sp.exp(-b * sp.log(t) / 2)
    rounds = failures(power, b, FREE, pieces_rise())
    known = instance(uses("ours/power-sums"), {h: b / 2}, FREE, (LONGER,), name="a sum of powers")
    above = Goal(
        Rel(y, "<=", z / x),
        {x: positive(), **dict.fromkeys((y, z, u), real())},
        (Rel(x * y, "<=", z - u), Rel(u, ">=", 0)),
        "divided by 1 - b/2",
    )
    total = sp.Sum(power, (t, K + 1, N))
    at = {x: 1 - b / 2, y: total, z: sp.exp((1 - b / 2) * sp.log(N)), u: sp.exp((1 - b / 2) * sp.log(K))}
    most = applied(above, at, known, domain=FREE, given=(LONGER,), name="a sum of powers")
    return proof(in_total(rounds, power, most, END, "failures"), letters=LETTERS)


@claim(
    "them-R-Bayes-SubR/long-horizons/above-one",
    by="us",
    kind="bound",
    cites=("them-R-Bayes-SubR/m/range", "them-R-Bayes-SubR/lock-out/rate"),
)
def above_one() -> Argument:
    """For a > 1 the failures cost a power of n below 1/2, times logarithms: by the limit, with l = log n and g = (b -
    1)/2, K and the failures are small beside sqrt(n). What the printed bounds have more is of that order: part (1) the
    last term, a constant times sqrt(n), and part (2) the leading term, with beta > 1 in the place of sqrt(beta). So
    part (1) holds from some n on for a >= m if a > 1, and part (2) always, as a >= 2m > 2K/(K+1) >= 1. With claim
    them-R-Bayes-SubR/lock-out/rate: at long horizons part (1) is true for a > 1 and false for a < 1; how long they must
    be depends on exp(1/(2 sigma_0^2))."""
    whole = regret(uses(FAILURES), WIDE, FREE, "a > 1")
    free, given = dict(whole.domain), (LONGER, WIDE)
    saved = 2 * widths_of_rounds().concludes.rel.stated[1]
    leading = 2 * BETA * sp.sqrt(K * N * a * s0 * sp.log(N) * G)
    squares = Goal(Rel(4 * x * p, "<=", 4 * p**2 * x), {x: positive(), p: at_least(1)}, name="beta >= 1")
    at = {x: K * N * a * s0 * sp.log(N) * G, p: BETA}
    order = applied(squares, at, domain=free, given=given, name="squares")
    ends = {sp.Symbol("x"): saved, sp.Symbol("y"): leading}
    larger = applied(order_of_roots(), ends, order, domain=free, given=given, name="sqrt(beta) <= beta")
    numbers = dict.fromkeys((x, y, z, u), real())
    first = Goal(Rel(x, "<=", z + u), numbers, (Rel(x, "<=", y + u), Rel(y, "<=", z)), "beta for its root")
    at = {x: R_N, y: saved, z: leading, u: REST}
    numbers = dict.fromkeys((ell, gain, c, d, m), positive())
    rest = d * sp.exp(-ell / 2) + c * (1 + m * ell ** sp.Rational(3, 2)) * sp.exp(-gain * ell)
    return proof(
        restated(whole, Rel(R_N, "<=", whole.concludes.rel.stated[1]), "a > 1"),
        applied(first, at, whole, larger, domain=free, given=given, name="with the printed leading term"),
        Limit(rest, ell, sp.Integer(0), numbers, "K and the failures over sqrt(n)"),
        Goal(Rel(2 * K / (K + 1), ">=", 1), {K: STACKS[K]}, name="2m > 2K/(K+1) >= 1"),
        letters={**widths_of_rounds().concludes.letters, **LETTERS},
    )
