"""Appendix G (`sec:extensions`): the bound printed in Theorem them-R-Bayes-SubR (1) for at most K rounds."""

import sympy as sp

from theory.kernel.argument import Argument, proof
from theory.kernel.claim import claim
from theory.kernel.goal import Goal, Letter, Rel, at_least, positive, real
from theory.kernel.rules import Applied, Monotone, Rises, applied, uses
from theory.model import stacks
from theory.model.arms import s0
from theory.model.counts import G
from theory.model.play import K, N, a
from theory.model.regret import R_N
from theory.model.regret_bounds import BETA
from theory.model.stacks import STACKS, WORDS, start
from theory.ours.root_series import linked, order_of_roots

x, y, z, u, p, q, r = sp.symbols("x y z u p q r")
LEAST_LOG = sp.Rational(69, 100)  # below log 2
ROUNDS = {**STACKS, K: at_least(2, integer=True), N: at_least(2, integer=True)}
SHORT, WIDE = Rel(N, "<=", K), Rel(a, ">=", K / (K + 1))
BLIND = N * sp.sqrt(2 * s0 * sp.log(K))
LEADING = 2 * BETA * sp.sqrt(a * G(N) * s0 * K * N * sp.log(N))


def logarithms() -> Applied:
    """n log K <= 2 K^2/(K+1) log n, n <= K: at K = n, and the slope in K is positive as log n > 69/100."""
    log, more = sp.log(N), Rel(sp.log(N), ">=", LEAST_LOG)
    free = {N: at_least(2), y: at_least(0)}
    gap = 2 * (N + y) ** 2 / (N + y + 1) * log - N * sp.log(N + y)
    rises = Rises(gap, y, sp.Integer(0), free, "from K = n on", given=(more,))
    two = Goal(Rel(sp.log(2), ">", LEAST_LOG), name="log 2 > 69/100")
    larger = Monotone(
        Goal(Rel(2, "<=", N), {N: at_least(2)}, name="n >= 2"), sp.log(x), x, {x: positive()}, name="logs"
    )
    least = linked_least(two, larger)
    return applied(rises, {y: K - N}, least, domain=ROUNDS, given=(SHORT,), name="n log K <= 2 K^2/(K+1) log n")


def linked_least(two: Goal, larger: Monotone) -> Applied:
    order = Goal(Rel(z, ">=", x), {x: real(), y: real(), z: real()}, (Rel(y, ">", x), Rel(y, "<=", z)), "in between")
    return applied(order, {x: LEAST_LOG, y: sp.log(2), z: sp.log(N)}, two, larger, domain=ROUNDS, name="log n > 69/100")


def leading() -> Applied:
    """n sigma_0 sqrt(2 log K) is at most the printed leading term: a >= K/(K+1), and beta and G are at least 1."""
    given = (SHORT, WIDE)
    sizes = {**dict.fromkeys((x, u, z, s0), positive()), y: real()}
    first = Goal(
        Rel(2 * s0 * x**2 * y, "<=", 4 * u / (u + 1) * (s0 * u * x * z)),
        sizes,
        (Rel(2 * u**2 * z / (u + 1) - x * y, ">=", 0),),
        "times 2n sigma_0^2",
    )
    at = {x: N, y: sp.log(K), u: K, z: sp.log(N)}
    blind = applied(first, at, logarithms(), domain=ROUNDS, given=(SHORT,), name="squared and divided by n")
    factors = Goal(
        Rel(4 * x * z, "<=", 4 * p * q**2 * r * z),
        {x: positive(), z: positive(), p: positive(), q: at_least(1), r: at_least(1)},
        (Rel(p, ">=", x),),
        "a >= K/(K+1), beta >= 1, ratio of logarithms >= 1",
    )
    at = {x: K / (K + 1), z: s0 * K * N * sp.log(N), p: a, q: BETA, r: G(N)}
    wide = applied(factors, at, domain=ROUNDS, given=(WIDE,), name="the other factors")
    squares = linked(blind, wide, domain=ROUNDS, given=given, name="squares")
    at = {sp.Symbol("x"): BLIND, sp.Symbol("y"): LEADING}
    return applied(order_of_roots(), at, squares, domain=ROUNDS, given=given, name="below the leading term")


@claim(
    "them-R-Bayes-SubR/short-horizons",
    by="us",
    kind="bound",
    cites=("ours/e_K", "them-R-Bayes-SubR/m/range"),
)
def short_horizons() -> Argument:
    """What holds of the theorem without its lemmas: false at n = 1, true up to n = K because the round robin costs
    at most sigma_0 sqrt(2 log K) a round, and a >= m > K/(K+1). Beyond, it is false for all large n where m <= a < 1
    (claim them-R-Bayes-SubR/long-horizons) and true for all large n where a > 1 (its /above-one); in between it is
    open. Squared, n log K <= 2 K^2/(K+1) log n is needed: it holds at K = n, and the slope in K of the difference is
    positive as log n >= log 2 > 69/100."""
    product = Goal(Rel(x * y, "<=", x * z), {x: positive(), y: real(), z: real()}, (Rel(y, "<=", z),), "n rounds")
    at = {x: N, y: start(K), z: sp.sqrt(2 * s0 * sp.log(K))}
    most = applied(product, at, stacks.START_SECOND, domain=ROUNDS, name="n rounds")
    first = uses("them-R-Bayes-SubR/repaired", item="n <= K")
    blind = linked(first, most, domain=ROUNDS, given=(SHORT,), name="blind pulls", left=R_N)
    below = leading()
    return proof(
        blind,
        below,
        linked(blind, below, domain=ROUNDS, given=(SHORT, WIDE), name="regret", left=R_N),
        letters={**WORDS, R_N: Letter(R_N, "Bayes regret of n rounds of ReUCB with known proxies")},
    )
