"""Section 5.2 (`sec:proof`): the second term, that is the pulled arm's tail, and the sums over rounds."""

import sympy as sp

from theory.kernel.argument import Argument, proof
from theory.kernel.claim import claim
from theory.kernel.goal import Goal, Letter, Rel, Var, at_least, positive, real
from theory.kernel.rules import Applied, Expectation, IntegralOf, Monotone, Restated, SumOver, applied, restated
from theory.kernel.terms import Mean
from theory.model import sums as rounds
from theory.model.arms import arm_goal, beta, rho, s, tau_sq
from theory.model.play import LATER, WORDS, K, a, k, t, tau
from theory.model.round_errors import ERRORS, X, d, e, out
from theory.ours.root_series import linked
from theory.ours.sharp import PRODUCT
from theory.paper.section5.tails import ARMS, AT_ONE_PULL, LEVEL, ROUNDS, over_rounds, widest_tau
from theory.paper.section5.union_bound import own_tail

x, y, z, v = sp.symbols("x y z v")
LATE = Var(sp.Integer(1), strict=True)  # rounds after the first, in which log t > 0


@claim("sec:proof/tail-integral", by="paper", line=404, kind="step", cites=("confidence-C",))
def tail_integral() -> Argument:
    """Printed as an inequality, it is an equality: -tau^2 exp(-x^2/(2 tau^2)) is the antiderivative, and the width is
    made so that the exponential at c is delta."""
    free = {x: at_least(0), v: positive(), a: positive(), t: LATE}  # v = tau^2
    bell, c = sp.exp(-(x**2) / (2 * v)) / sp.sqrt(2 * sp.pi * v), sp.sqrt(a * v * sp.log(t))
    area = IntegralOf(x * bell, -v * bell, x, c, sp.oo, free, (None, sp.S.Zero), "tail integral")
    value = sp.sqrt(v) * t ** (-a / 2) / sp.sqrt(2 * sp.pi)
    printed = restated(area, Rel(area.concludes.rel.stated[0], "=", value), "tail integral")
    tau = sp.Symbol("tau", positive=True)
    return proof(printed, letters={**{w: WORDS[w] for w in (t, a)}, v: Letter(tau**2, "variance of the error")})


@claim("sec:proof/delta", by="paper", line=412, kind="step")
def delta_bound() -> Argument:
    """Compare exponents, log t >= 0. (The printed reference to Lemma sec:tau belongs to the bound on tau, not to this
    one.)"""
    return proof(*(decay(part) for part in (1, 2)), letters={w: WORDS[w] for w in (t, a)})


def decay(part: int) -> Restated:
    """delta_t = t^(-a/2) <= t^(-part/2) for a >= part."""
    order = Goal(Rel(-a * sp.log(t) / 2, "<=", -part * sp.log(t) / 2), {a: at_least(part), t: LATE}, name="exponents")
    powers = Monotone(order, sp.exp(x), x, {x: real()}, name="powers")
    return restated(powers, Rel(t ** (-a / 2), "<=", t ** sp.Rational(-part, 2)), f"a >= {part}")


@claim(
    "sec:proof/sum-root",
    by="paper",
    line=412,
    kind="inequality",
)
def sum_of_roots() -> Argument:
    """1/sqrt(t) <= 2 sqrt(t) - 2 sqrt(t-1) from t = 2 on, telescoped; the first term is 1."""
    root = 1 / sp.sqrt(rounds.t)
    return proof(
        rounds.from_the_first(rounds.roots_after(), root, 2 * sp.sqrt(rounds.N), "sum of roots"), letters=rounds.LETTERS
    )


@claim("sec:proof/sum-root/sharp", by="us", kind="inequality", cites=("sec:proof/sum-root",))
def sum_of_roots_sharp() -> Argument:
    """The telescoped sum of the rounds after the first, and the first term as it is; equality at n = 1."""
    root = 1 / sp.sqrt(rounds.t)
    return proof(
        rounds.from_the_first(rounds.roots_after(), root, 2 * sp.sqrt(rounds.N) - 1, "sum of roots"),
        letters=rounds.LETTERS,
    )


@claim(
    "sec:proof/harmonic",
    by="paper",
    line=417,
    kind="inequality",
)
def harmonic() -> Argument:
    """1/t <= log(t/(t-1)) from t = 2 on, that is log(1+x) >= x/(1+x) at x = 1/(t-1), telescoped; the first term is
    1."""
    total = rounds.from_the_first(rounds.harmonic_after(), 1 / rounds.t, 1 + sp.log(rounds.N), "harmonic sum")
    return proof(total, letters=rounds.LETTERS)


@claim(
    "sec:proof/tau-at-one-pull",
    by="paper",
    line=409,
    kind="step",
    cites=("sec:tau",),
)
def tau_at_one_pull() -> Argument:
    """The largest width is at one pull. The printed beta is one root too many, and true as beta >= 1."""
    return proof(
        arm_goal(tau_sq, "<=", beta * s / (1 + rho), name="squared, with beta"),
        arm_goal(beta, "<=", beta**2, name="beta >= 1"),
    )


@claim(
    "regret-decom-upper-term2/repaired",
    by="us",
    kind="step",
    cites=("ours/conditioning",),
    repairs="regret-decom-upper-term2",
)
def second_term_repaired() -> Argument:
    """K arms, each with tail integral tau t^(-a/2)/sqrt(2 pi); after the first K rounds tau is at most its value at
    one pull."""
    return proof(own_tails(1), letters=ERRORS)


@claim(
    "regret-decom-upper-term22/repaired",
    by="us",
    kind="step",
    cites=("ours/conditioning",),
    repairs="regret-decom-upper-term22",
)
def second_term_log_repaired() -> Argument:
    """As before, with the harmonic sum."""
    return proof(own_tails(2), letters=ERRORS)


def own_tails(part: int) -> Applied:
    """The errors of all arms beyond their own widths, over the rounds after the K-th."""
    late, error = (LATER,), X(k, t, d, e) * out(k)
    at = {x: LEVEL, y: tau(k, t, d), z: AT_ONE_PULL}
    width = applied(PRODUCT, at, widest_tau(), domain=ARMS, given=late, name="times delta/sqrt(2 pi)")
    given_d = linked(own_tail(), width, domain=ARMS, given=late, name="one arm")
    arms = SumOver(Expectation(given_d, (d,)), k, sp.Integer(1), K, ROUNDS, given=late, name="all arms")
    return over_rounds(arms, part, sp.Sum(Mean(error, d, e), (k, 1, K)), "second term")
