"""Section 2 (`sec:setting`): arm means as random effects, rewards around them, and how pulls are counted."""

from collections.abc import Sequence
from itertools import product
from typing import Any

import sympy as sp

from theory.kernel.argument import Argument, Computation, gap, proof
from theory.kernel.claim import claim
from theory.kernel.goal import Goal, Point, Rel, Var, at_least, positive, real
from theory.model.arms import K, arm_goal, n, s, s0, w
from theory.model.effects import arm_mean, calculus, direct, one
from theory.model.moments import Calculus, Form

h, j, mu, nu, mu0, x, y = sp.symbols("h j mu nu mu0 x y")
SHRINK = sp.Rational(1, 3)
Law = Sequence[tuple[Any, Any]]  # pairs (value, weight)
UNIT = Var(sp.Integer(0), high=sp.Integer(1))


@claim(
    "payoff-M1",
    by="paper",
    kind="definition",
    says=r"\mu_k=\mu_0+\delta_k:\ \operatorname{Var}(\mu_k)=\sigma_0^2,\ \operatorname{Cov}(\mu_k,\mu_i)="
    r"0\ (i\ne k)",
)
def arm_means() -> Argument:
    """The offset has mean 0 and variance sigma_0^2 and is independent of the other arms', so only mu_0 ties
    arms together."""
    average = Form(own_effect=1 / K, effect=1 / K)
    return proof(
        arm_goal(calculus.var(arm_mean), "=", s0, name="variance"),
        arm_goal(calculus.var(average), "=", s0 / K, name="variance of the average arm mean"),
        arm_goal(calculus.cov_other_reward(arm_mean), "=", 0, name="no covariance with another arm's rewards"),
    )


@claim(
    "payoff-M1/differences",
    by="paper",
    line=155,
    kind="prose",
    says=r"E(\mu_k-\mu_i)^2 = 2\sigma_0^2, \text{ increasing in } \sigma_0^2",
    cites=("payoff-M1",),
)
def differences_among_arms() -> Argument:
    """A lower variance brings the arms closer: their mean squared difference is exactly twice sigma_0^2."""
    pair = Calculus(s0, w, {0: one})
    difference = pair.var(Form(own_effect=one, effect=-one))
    wider = difference.subs(s0, s0 + h)
    return proof(
        arm_goal(difference, "=", 2 * s0, name="mean squared difference"),
        arm_goal(difference, "<", wider, extra={h: positive()}, name="rises with the variance"),
    )


@claim(
    "payoff-M1/second-moments",
    by="paper",
    line=155,
    kind="prose",
    says=r"E(\breve\mu_k-\mu_k)^2 \text{ depends on the two laws through } \sigma_0^2 \text{ and } "
    r"\sigma^2 \text{ only}",
    uses=("payoff-M1", "mse-a"),
)
def second_moments_are_enough() -> Argument:
    """Finite second moments suffice for Section 3: errors are bilinear in independent effects. (The theorems
    ask for more.)"""
    coin, spread_out, wide = ((-1, 1), (1, 1)), ((-2, 1), (0, 6), (2, 1)), ((-2, 1), (2, 1))  # (value, weight)
    return proof(
        Computation(
            "exact",
            "two laws of variance 1, as offsets and as noise, by enumeration",
            lambda *laws: [Rel(_risk(*law), "=", _risk(coin, coin)) for law in laws],
            tuple((a, b) for a in (coin, spread_out) for b in (coin, spread_out)),
            {
                "constant: a law of variance 4": ((wide, coin),),
                "constant: noise of variance 4": ((coin, wide),),
                "constant: another coefficient": ((coin, coin, sp.Rational(1, 2)),),
            },
        ),
        arm_goal(
            calculus.var(SHRINK * direct - arm_mean),
            "=",
            SHRINK**2 * s / n + (1 - SHRINK) ** 2 * s0,
            name="the same by the calculus",
        ),
    )


def _risk(offsets: Law, noise: Law, shrink: sp.Expr | None = None) -> sp.Rational:
    """E(c (delta + e) - delta)^2 for laws given as pairs (value, weight), c = 1/3."""
    c = SHRINK if shrink is None else shrink
    total = sum(p * q for (_, p), (_, q) in product(offsets, noise))
    return sum(sp.Integer(p * q) * (c * (d + e) - d) ** 2 for (d, p), (e, q) in product(offsets, noise)) / total


@claim(
    "payoff-M1/second-moments-only",
    by="paper",
    line=155,
    kind="prose",
    severity="wording",
    cause="second-moments",
    says=r"E X=0,\ E X^2=1 \Rightarrow E[X\,1\{X>x\}]\le\tfrac{1}{\sqrt{2\pi}}e^{-x^2/2}, "
    r"\text{ the tail on which both theorems rest}",
    cites=("payoff-M1", "payoff-R"),
)
def second_moments_do_not_give_tails() -> Argument:
    """Finite second moments are said to be all that is required. The theorems use Gaussian or sub-Gaussian tails,
    which second moments do not give: X = 2 with chance 1/5 and -1/2 otherwise has mean 0 and variance 1."""
    law = ((sp.Integer(2), sp.Rational(1, 5)), (sp.Rational(-1, 2), sp.Rational(4, 5)))
    tail = sum(p * value for value, p in law if value > sp.Rational(3, 2))
    return gap(
        Goal(Rel(tail, "<=", sp.exp(-(x**2) / 2) / sp.sqrt(2 * sp.pi)), {x: positive()}, name="tail"),
        at=Point({x: sp.Rational(3, 2)}, {"x": "3/2", "law": "2 with chance 1/5, -1/2 with chance 4/5"}),
        fails_when="the laws have heavier tails than the normal one",
        premises=(
            Computation(
                "exact",
                "mean and variance of the law",
                lambda *law: [Rel(sum(p * value**i for value, p in law), "=", i - 1) for i in (1, 2)],
                law,
                {"constant: the values doubled": tuple((2 * value, p) for value, p in law)},
            ),
        ),
    )


@claim(
    "payoff-M1/second-moments-only/repaired",
    by="us",
    kind="inequality",
    says=r"E X=0,\ E X^2=1 \Rightarrow E[X\,1\{X\ge x\}]\le\frac x{1+x^2}\ (x\ge1),\ \le\frac12\ (0<x\le1);\quad "
    r"P(X\ge x)\le\frac1{1+x^2}\ (x>0);\quad\text{each attained}",
    repairs="payoff-M1/second-moments-only",
)
def what_second_moments_give() -> Argument:
    """From second moments come polynomial tails, too heavy for a bonus of order sqrt(log t), each by averaging a square
    that is above the left side pointwise. The squares touch it where the worst law sits: x with chance 1/(1+x^2) and
    else -1/x, or a fair sign when x <= 1."""
    far, near = x**3 * (y + 1 / x) ** 2 / (1 + x**2) ** 2, (y + 1) ** 2 / 4
    outer, chance = {x: at_least(1), y: real()}, 1 / (1 + x**2)
    return proof(
        Goal(Rel(y, "<=", far), outer, (Rel(y, ">=", x),), "x >= 1, in the tail", squares=(y - x,)),
        Goal(Rel(0, "<=", far), outer, name="x >= 1, outside", squares=(x * y + 1,)),
        Goal(Rel(average(far), "=", x / (1 + x**2)), {x: positive()}, name="x >= 1: average of the square"),
        Goal(Rel(y, "<=", near), {y: real()}, name="x <= 1, in the tail", squares=(y - 1,)),
        Goal(Rel(0, "<=", near), {y: real()}, name="x <= 1, outside", squares=(y + 1,)),
        Goal(Rel(average(near), "=", sp.Rational(1, 2)), name="x <= 1: average of the square"),
        *cantelli(),
        Goal(Rel(chance * x + (1 - chance) * (-1 / x), "=", 0), {x: positive()}, name="worst law: mean"),
        Goal(Rel(chance * x**2 + (1 - chance) / x**2, "=", 1), {x: positive()}, name="worst law: variance"),
        Goal(Rel(chance * x, "=", x / (1 + x**2)), {x: positive()}, name="worst law: its tail is the bound"),
    )


def average(square: sp.Expr) -> sp.Expr:
    """The mean of a quadratic in y when y has mean 0 and variance 1."""
    whole = sp.Poly(square, y)
    return whole.coeff_monomial(1) + whole.coeff_monomial(y**2)


def cantelli() -> tuple[Goal, Goal]:
    """P(X >= x) <= 1/(1+x^2) if X has mean 0 and variance 1: the square of (x X + 1)/(x^2 + 1) is at least 1 there."""
    square = (x * y + 1) ** 2 / (x**2 + 1) ** 2
    return (
        Goal(Rel(square, ">=", 1), {x: positive(), y: positive()}, (Rel(y, ">=", x),), "Cantelli's square"),
        Goal(Rel(average(square), "=", 1 / (1 + x**2)), {x: positive()}, name="its average"),
    )


@claim(
    "payoff-R",
    by="paper",
    kind="definition",
    says=r"\operatorname{Var}(r_{k,j}) = \sigma_0^2+\sigma^2,\quad \operatorname{Cov}(r_{k,j},\mu_k)="
    r"\sigma_0^2,\quad"
    r"\operatorname{Var}(r_{k,j}\mid\mu_k)=\sigma^2",
    cites=("payoff-M1",),
)
def rewards() -> Argument:
    """The noise has mean 0 at every value of mu_k, so it is uncorrelated with the arm mean and the two
    variances add."""
    single = direct  # one reward: its noise average has one term
    at_one_pull = {n: sp.Integer(1)}
    pairs = (n * (s0 + s) + n * (n - 1) * s0) / n**2  # variance of the average of n rewards, pair by pair
    return proof(
        arm_goal(calculus.var(single).subs(at_one_pull), "=", s0 + s, name="marginal variance"),
        arm_goal(calculus.var(direct), "=", pairs, name="variance of an average"),
        arm_goal(calculus.cov(single, arm_mean), "=", s0, name="covariance with the arm mean"),
        arm_goal(calculus.var(single - arm_mean).subs(at_one_pull), "=", s, name="variance around the arm mean"),
    )


@claim(
    "payoff-R/given-the-mean",
    by="paper",
    line=157,
    kind="prose",
    says=r"r_{k,1},r_{k,2},\dots \text{ are i.i.d. given } \mu_k; \text{ marginally } \operatorname{Cov}"
    r"(r_{k,i},r_{k,j})=\sigma_0^2",
    cites=("payoff-R",),
)
def independent_only_given_the_mean() -> Argument:
    """Independence is meant given mu_k: two rewards of one arm share its offset, and two of different arms
    share nothing."""
    shared = n * (calculus.var(direct) - s / n) / (n - 1) - s0 / (n - 1)  # Var of an average = (v + (n - 1) c) / n
    two_or_more = {n: at_least(2, integer=True)}
    return proof(
        arm_goal(shared, "=", s0, extra=two_or_more, name="covariance of two rewards of an arm"),
        arm_goal(calculus.cov_own_reward(arm_mean), "=", s0, name="through the arm mean alone"),
        arm_goal(calculus.cov_other_reward(direct), "=", 0, name="rewards of two arms"),
    )


@claim(
    "payoff-R/common-noise",
    by="us",
    kind="prose",
    cites=("payoff-R",),
)
def bernoulli_noise_varies() -> Argument:
    """The model wants one sigma^2 for all arms; Bernoulli rewards have it only if all means agree up to
    reflection at 1/2."""
    gap_ = mu * (1 - mu) - nu * (1 - nu)
    unit = {mu: UNIT, nu: UNIT}
    return proof(
        Goal(Rel(gap_, "=", (mu - nu) * (1 - mu - nu)), unit, name="difference of the two variances"),
        Goal(Rel(mu * (1 - mu), "<=", sp.Rational(1, 4)), unit, name="at most 1/4", squares=(2 * mu - 1,)),
    )


@claim(
    "payoff-R/average-noise",
    by="us",
    kind="identity",
    says=r"E[\mu_k(1-\mu_k)] = \mu_0(1-\mu_0)-\sigma_0^2",
    uses=("payoff-R/common-noise", "mse-a"),
)
def bernoulli_noise_on_average() -> Argument:
    """Noise whose variance depends on mu_k keeps every second moment of the model, with sigma^2 its average
    over the prior."""
    second_moment = mu0**2 + s0
    domain = {mu0: UNIT, s0: positive()}
    return proof(
        Goal(Rel(mu0 - second_moment, "=", mu0 * (1 - mu0) - s0), domain, name="average Bernoulli variance"),
        Computation(
            "exact",
            "mse-a with the average variance, for Bernoulli rewards of a two-point prior, by enumeration",
            lambda noise: Rel(_bernoulli_risk(), "=", _formula(noise)),
            (_average_noise(),),
            {"constant: the largest variance 1/4 instead of the average": (sp.Rational(1, 4),)},
        ),
    )


LOW, HIGH = sp.Rational(1, 5), sp.Rational(3, 5)


def _average_noise() -> sp.Rational:
    return (LOW * (1 - LOW) + HIGH * (1 - HIGH)) / 2


def _formula(noise: sp.Rational) -> sp.Rational:
    """Eq. mse-a with two pulls and the coefficient 1/3."""
    return SHRINK**2 * noise / 2 + (1 - SHRINK) ** 2 * ((HIGH - LOW) / 2) ** 2


def _bernoulli_risk() -> sp.Rational:
    """E(mu-breve - mu)^2 over both arm means and all pairs of rewards."""
    centre, total = (LOW + HIGH) / 2, sp.Integer(0)
    for mean, a, b in product((LOW, HIGH), (0, 1), (0, 1)):
        chance = sp.prod([mean if x else 1 - mean for x in (a, b)]) / 2
        total += chance * (centre + SHRINK * (sp.Rational(a + b, 2) - centre) - mean) ** 2
    return total


@claim(
    "sec:setting/counts",
    by="us",
    kind="notation",
    says=r"n_{k,t} \text{ is used for two counts: of the pulls in rounds } 1..t, \text{ and of those before round }"
    r" t, \text{ which number the rewards } 1,2,\dots \text{ and add up to } t-1",
)
def two_counts() -> Argument:
    """Section 2 counts up to round t; the algorithm, which stores the reward of round t under n_{k,t} + 1, and the
    history count before it. For the arm that is pulled the two differ by 1; only the second numbers its rewards."""
    return proof(
        Goal(
            Rel(j, "=", (j - 1) + 1),
            {j: at_least(1, integer=True)},
            name="number of the j-th reward, by the count before",
        ),
        Goal(Rel(j + 1, ">", j), {j: at_least(1, integer=True)}, name="and by the count up to the round"),
        Computation(
            "exact",
            "all 81 plays of three arms over four rounds",
            _numbered,
            (1,),
            {"constant: counts up to round t": (0,)},
        ),
    )


def _numbered(before: int) -> list[Rel]:
    """That `pulls before round t + before` + 1 numbers every arm's rewards 1, 2, ..., over all short plays."""
    pairs = [(play, t) for play in product(range(3), repeat=4) for t in range(4)]
    return [
        Rel(sp.Integer(play[: t + 1 - before].count(play[t]) + 1), "=", play[: t + 1].count(play[t]))
        for play, t in pairs
    ]
