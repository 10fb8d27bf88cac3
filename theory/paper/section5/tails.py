"""Section 5.2 (`sec:proof`): what the second and the third term share: the widest tau, and the sum over rounds."""

from functools import cache

import sympy as sp

from theory.kernel.argument import Item
from theory.kernel.goal import Goal, Rel, Var, at_least, positive
from theory.kernel.rules import Applied, Follows, Monotone, SumOver, applied, follows, instance, uses
from theory.model import bound_formulas as bounds
from theory.model.arms import s, s0
from theory.model.counts import PULLS, WIDEST, j
from theory.model.play import COUNT, LATER, K, N, a, count, k, o, t
from theory.model.regret_bounds import Bound
from theory.model.round_errors import ARM, ROUND, d
from theory.ours.counting import ONE, falls
from theory.ours.root_series import linked
from theory.ours.sharp import PRODUCT

x, y, z = sp.symbols("x y z")
BETA = Bound("beta", K, s0, s)
AT_ONE_PULL = sp.sqrt(BETA * s0 * s / (s0 + s))  # the widest tau: sqrt(beta sigma^2/(1+rho))
NORM = 1 / sp.sqrt(2 * sp.pi)
LEVEL = NORM * t ** (-a / 2)
LONG = Rel(N, ">", K)
ROUNDS, ARMS = {**PULLS, **ROUND}, {**PULLS, **ARM}
LATE = (LATER,)


@cache
def widest_tau() -> Applied:
    """tau_{k,t} <= sqrt(beta sigma^2/(1+rho)) after round K: every arm was pulled, and g falls with the pulls."""
    own = instance(uses("ours/width/play"), {o: d}, ARMS, LATE, name="width of an arm")
    fewer = falls({j: ONE, k: count(k, t, d)}, ARMS)
    first = instance(WIDEST, {j: ONE}, ARMS, name="g(1)")
    sizes = {K: at_least(1), s: positive(), s0: positive()}
    closed = Goal(Rel(bounds.g(ONE, K, s0, s), "=", AT_ONE_PULL), sizes, name="in closed form")
    return linked(own, fewer, first, instance(closed, {}, ARMS), domain=ARMS, given=LATE, name="tau at one pull")


def rounds_of(part: int) -> sp.Expr:
    """What bounds the sum over rounds of t^(-1/2), or of 1/t."""
    return 2 * sp.sqrt(N) if part == 1 else 1 + sp.log(N)


def closed_sum(part: int, domain: dict[sp.Expr, Var]) -> Follows:
    """The sum over the rounds after the K-th."""
    source = "sec:proof/sum-root/after-K" if part == 1 else "sec:proof/harmonic/after-K"
    known = uses(source, {sp.Symbol("n"): N}, domain={N: COUNT})
    more = Goal(Rel(1, "<=", K), {K: at_least(1)}, name="one arm or more")
    sign = Monotone(more, sp.log(x), x, {x: positive()}, name="log K >= 0")
    bound = Rel(known.concludes.rel.stated[0], "<=", rounds_of(part))
    return follows(bound, known, sign, domain=domain, given=(LONG,), name="closed form")


def over_rounds(round_: Item, part: int, left: sp.Expr, name: str) -> Applied:
    """From at most K sqrt(beta sigma^2/(1+rho)) t^(-a/2)/sqrt(2 pi) in round t to the sum over the rounds after K."""
    wide = {**ROUNDS, a: at_least(part)}
    price = K * AT_ONE_PULL * NORM
    power = instance(uses("sec:proof/delta", item=f"a >= {part}"), {}, wide, LATE, name="delta")
    at = {x: price, y: t ** (-a / 2), z: t ** sp.Rational(-part, 2)}
    smaller = applied(PRODUCT, at, power, domain=wide, given=LATE, name="power of the round")
    one = linked(round_, smaller, domain=wide, given=LATE, name="one round", left=left)
    every = SumOver(one, t, K + 1, N, wide, given=(LONG,), name="all rounds")
    closed = closed_sum(part, wide)
    at = {x: price, y: closed.concludes.rel.stated[0], z: rounds_of(part)}
    scaled = applied(PRODUCT, at, closed, domain=wide, given=(LONG,), name="closed form")
    return linked(every, scaled, domain=wide, given=(LONG,), name=name, left=sp.Sum(left, (t, K + 1, N)))
