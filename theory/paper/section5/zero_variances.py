"""Section 5 (`sec:analysis`): Theorem them-R-Bayes where a variance is 0, and in the limit."""

import sympy as sp

from theory.kernel.argument import Argument, gap, proof
from theory.kernel.claim import claim
from theory.kernel.goal import Goal, Point, Rel, at_least, positive, real
from theory.kernel.rules import (
    Among,
    Applied,
    Expectation,
    Follows,
    Limit,
    Monotone,
    Restated,
    SumOver,
    applied,
    follows,
    instance,
    restated,
)
from theory.kernel.terms import Mean
from theory.model.arms import LETTERS, s, s0
from theory.model.play import (
    BEST,
    CENTRED_EFFECT,
    COUNT,
    EFFECT,
    LARGEST,
    PLAY,
    PULLED,
    PULLED_IS_AN_ARM,
    K,
    N,
    Z,
    a,
    i,
    mu0,
    o,
    t,
)
from theory.model.play import k as arm
from theory.model.regret import E_K, LOSS, R_N, WORDS
from theory.model.regret_bounds import Bound
from theory.ours.bad_rounds import times
from theory.ours.root_series import linked, order_of_roots
from theory.ours.sharp import PRODUCT

x, y, z, big, ell, L, m = sp.symbols("x y z big ell L m")


@claim(
    "them-R-Bayes/zero-variances",
    by="paper",
    line=289,
    kind="definition",
    severity="edge",
    cause="zero-variance",
    says=r"\text{where ReUCB is defined},\ \sigma_0^2+\sigma^2>0,\ \text{so is the bound, with the divisors}\ "
    r"\sigma_0^2,\ \sigma^2",
    cites=("them-R-Bayes",),
)
def printed_without_a_hypothesis() -> Argument:
    """Two hypotheses are missing. The weights of ReUCB after one pull are defined if one of the variances is positive;
    with arms that are all alike sigma^2/sigma_0^2 is not, and without noise sigma_0^2/sigma^2 is not."""
    weights = Rel(s0 + s, ">", 0)  # the divisor of the weight of an arm pulled once
    domain = {s: at_least(0), s0: at_least(0)}
    inference = Goal(Rel(s * s0, ">", 0), domain, (weights,), "product of the divisors", letters=LETTERS)
    zero = sp.Integer(0)
    return gap(
        inference,
        fails_iff=Rel(s * s0, "<=", 0),
        fails_when="sigma^2 = 0 or sigma_0^2 = 0",
        at=Point({s: zero, s0: sp.Integer(1)}, {"sigma_sq": "0", "sigma0_sq": "1"}),
    )


@claim(
    "them-R-Bayes/zero-variances/repaired",
    by="us",
    kind="limit",
    repairs="them-R-Bayes/zero-variances",
)
def limits_of_the_bound() -> Argument:
    """Without noise the last term vanishes and G tends to 1: the bound has the limit 2 sqrt(a sigma_0^2 K n log n).
    With arms that are ever more alike the last term grows without bound, like 1/sigma_0; the regret vanishes with
    sigma_0, as the gap of the pulled arm is one of K gaps, whose mean is K sigma_0 e_K."""
    divisors = Goal(
        Rel(s * s0, ">", 0), {s: positive(), s0: positive()}, name="the printed divisors, for variances above 0"
    )
    sizes = {**dict.fromkeys((K, N, a, s, s0, x), positive())}
    vanishes = Limit(Bound("T_1", K, N, s0, 1 / x, a), x, sp.S.Zero, sizes, "the last term without noise")
    ratio = Limit(1 + sp.log(N) / sp.log(1 + x * s0), x, sp.S.One, sizes | {N: at_least(2)}, "the bound of G")
    grows = Limit(1 / Bound("T_1", K, N, 1 / x, s, a), x, sp.S.Zero, sizes, "the last term with arms alike")
    return proof(
        divisors, least_ratio(), largest_ratio(), ratio, vanishes, least_tail(), grows, alike_arms(), letters=WORDS
    )


def least_ratio() -> Restated:
    """G >= 1, as mn >= m."""
    sizes = {N: at_least(2, integer=True), s: positive(), s0: positive()}
    arguments = Goal(Rel(1 + m, "<=", 1 + m * N), {m: positive(), N: at_least(1)}, name="1 + m <= 1 + mn")
    logs = Monotone(arguments, sp.log(x), x, {x: positive()}, name="logarithms of both")
    here = instance(logs, {m: s0 / s}, sizes, name="at m = sigma_0^2/sigma^2")
    divided = Goal(Rel(big / ell, ">=", 1), {big: real(), ell: positive()}, (Rel(ell, "<=", big),), "divided")
    at = {big: sp.log(1 + N * s0 / s), ell: sp.log(1 + s0 / s)}
    return restated(
        applied(divided, at, here, domain=sizes, name="1 or more"), Rel(Bound("G", N, s0 / s), ">=", 1), "G is at least"
    )


def least_tail() -> Applied:
    """T_1 >= (sigma^2/sigma_0) sqrt(8n/pi), as (K sigma_0^2 + sigma^2)^2 >= sigma^2 (sigma_0^2 + sigma^2)."""
    sizes = {K: COUNT, N: COUNT, **dict.fromkeys((s, s0, a), positive())}
    least, tail = s / sp.sqrt(s0) * sp.sqrt(8 * N / sp.pi), Bound("T_1", K, N, s0, s, a)
    free = {K: at_least(1), **dict.fromkeys((N, s, s0, x), positive())}
    squares = Goal(
        Rel(8 * N * s**2 / (x * s0), "<=", 8 * N * (K + s / s0) ** 2 * s0 * s / (x * (s0 + s))), free, name="squares"
    )
    here = instance(squares, {x: sp.pi}, sizes, name="squares")
    at = {sp.Symbol("x"): least, sp.Symbol("y"): tail}
    return applied(order_of_roots(), at, here, domain=sizes, name="T_1 is at least")


def largest_ratio() -> Restated:
    """G <= 1 + log n/log(1+m), as 1 + mn <= (1+m) n."""
    sizes = {N: at_least(2, integer=True), s: positive(), s0: positive()}
    free = {m: positive(), N: at_least(1)}
    product = Goal(Rel(1 + m * N, "<=", (1 + m) * N), free, name="1 + mn <= (1 + m) n")
    logs = Monotone(product, sp.log(x), x, {x: positive()}, name="logarithms")
    split = follows(
        Rel(sp.log(1 + m * N), "<=", sp.log(1 + m) + sp.log(N)), logs, domain=free, name="sum of logarithms"
    )
    here = instance(split, {m: s0 / s}, sizes, name="m = sigma_0^2/sigma^2")
    divided = Goal(
        Rel(big / ell, "<=", 1 + L / ell),
        {big: real(), ell: positive(), L: real()},
        (Rel(big, "<=", ell + L),),
        "divided by log(1+m)",
    )
    at = {big: sp.log(1 + N * s0 / s), ell: sp.log(1 + s0 / s), L: sp.log(N)}
    bound = Rel(Bound("G", N, s0 / s), "<=", 1 + at[L] / at[ell])
    return restated(applied(divided, at, here, domain=sizes, name="G"), bound, "G is at most")


def alike_arms() -> Follows:
    """R_n <= n K sigma_0 e_K."""
    play = {**PLAY, N: COUNT}
    lead = Z(BEST, o) - Z(arm, o)
    below = follows(Rel(lead, ">=", 0), LARGEST, domain={**play, arm: COUNT}, given=(Rel(arm, "<=", K),), name="a gap")
    among = Among(lead, arm, i, sp.Integer(1), K, {**play, i: COUNT}, below, "one of all gaps")
    pulled = instance(among, {i: PULLED}, play, (Rel(PULLED, "<=", K),), name="the gap of the pulled arm")
    some = {**play, mu0: real()}
    effects = [instance(EFFECT, {arm: which}, some, name="effect") for which in (BEST, PULLED)]
    lost = Rel(LOSS, "=", sp.sqrt(s0) * (Z(BEST, o) - Z(PULLED, o)))
    loss = follows(lost, *effects, domain=some, name="the loss of a round")
    at = {x: sp.sqrt(s0), y: pulled.concludes.rel.left, z: pulled.concludes.rel.right}
    scaled = applied(PRODUCT, at, PULLED_IS_AN_ARM, pulled, domain=play, name="times sigma_0")
    one = Expectation(linked(loss, scaled, domain=some, name="at most all gaps"), (o,))
    centred = SumOver(CENTRED_EFFECT, arm, sp.Integer(1), K, play, name="all effects")
    nothing = times(centred.concludes.rel, sp.sqrt(s0), play, "times sigma_0")
    each = follows(Rel(Mean(LOSS, o), "<=", K * sp.sqrt(s0) * E_K), one, centred, nothing, domain=play, name="a round")
    rounds = SumOver(each, t, sp.Integer(1), N, play, name="all rounds")
    return follows(Rel(R_N, "<=", N * K * sp.sqrt(s0) * E_K), rounds, domain=play, name="regret of arms alike")
