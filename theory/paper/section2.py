"""Section 2 (`sec:setting`): arm means as random effects, rewards around them, and how pulls are counted."""

from itertools import product

import sympy as sp

from theory.kernel.argument import Argument, Computation, proof, step
from theory.kernel.claim import claim
from theory.kernel.goal import Goal, Letter, Rel, Var, at_least, positive, real
from theory.kernel.rules import Expectation, Follows, Indicates, Induction, follows, instance
from theory.kernel.terms import Event, Mean
from theory.model.arms import LETTERS, K, arm_goal, n, s, s0
from theory.model.quantities import mu0
from theory.model.statistics import Cov, E, Variance, mu_bar, mu_i, mu_k, r_ij, r_kj, r_kl, rbar_k

c, h, j, mu, nu, x, y = sp.symbols("c h j mu nu x y")
SHRINK = sp.Rational(1, 3)
UNIT = Var(sp.Integer(0), high=sp.Integer(1))


@claim("payoff-M1", by="paper", kind="definition")
def arm_means() -> Argument:
    """The offset has mean 0 and variance sigma_0^2 and is independent of the other arms', so the
    means of two arms are related through mu_0 only."""
    return proof(
        arm_goal(E(mu_k), "=", mu0, extra={mu0: real()}, name="mean"),
        arm_goal(Variance(mu_k), "=", s0, name="variance"),
        arm_goal(Cov(mu_k, mu_i), "=", 0, name="no covariance with another arm's mean"),
        arm_goal(Variance(mu_bar), "=", s0 / K, name="variance of the average arm mean"),
    )


@claim(
    "payoff-M1/differences",
    by="paper",
    line=155,
    kind="prose",
    cites=("payoff-M1",),
)
def differences_among_arms() -> Argument:
    """A lower variance brings the arms closer: their mean squared difference is exactly twice sigma_0^2."""
    difference = E((mu_k - mu_i) ** 2)
    wider = difference.xreplace({s0: s0 + h})
    return proof(
        arm_goal(difference, "=", 2 * s0, name="mean squared difference"),
        arm_goal(difference, "<", wider, extra={h: positive()}, name="rises with the variance"),
    )


@claim(
    "payoff-M1/second-moments",
    by="paper",
    line=155,
    kind="prose",
    cites=("mse-a", "payoff-M1"),
)
def second_moments_are_enough() -> Argument:
    """Finite second moments suffice for Section 3: errors are bilinear in independent effects, so that of the joint law
    of the offset and the noise average only three second moments enter. (The theorems require more.)"""
    d, e = sp.symbols("d e")
    effects = {d: real(), e: real(), c: real()}
    error = (c * (d + e) - d) ** 2
    expanded = (1 - c) ** 2 * d**2 - 2 * c * (1 - c) * d * e + c**2 * e**2
    pointwise = Goal(Rel(error, "=", expanded), effects, name="the squared error, expanded")
    return proof(
        Expectation(pointwise, (d, e), name="every law"),
        letters={
            d: Letter(sp.Symbol("delta_k"), "offset of the mean of arm k"),
            e: Letter(sp.Symbol("varepsilonbar_k"), "noise average of arm k"),
            c: Letter(c, "coefficient of the sample mean"),
        },
    )


@claim(
    "payoff-M1/tails",
    by="us",
    line=155,
    kind="inequality",
    cites=("payoff-M1", "payoff-M1/second-moments"),
)
def what_second_moments_give() -> Argument:
    """Second moments suffice for the model and its estimators, not for the theorems, which assume Gaussian or
    sub-Gaussian laws. From second moments come polynomial tails, too heavy for a bonus of order sqrt(log t), each by
    averaging a square that is above the left side pointwise. The squares touch it where the worst law sits: x with
    chance 1/(1+x^2) and else -1/x, or a fair sign when x <= 1."""
    far, near = x**3 * (y + 1 / x) ** 2 / (1 + x**2) ** 2, (y + 1) ** 2 / 4
    chance, worst = 1 / (1 + x**2), {x: positive()}
    return proof(
        tail_bound(y, far, x / (1 + x**2), at_least(1), "tail mean, x >= 1", squares=(y - x, x * y + 1)),
        tail_bound(y, near, sp.Rational(1, 2), positive(), "tail mean", squares=(y - 1, y + 1)),
        cantelli(),
        step(Goal(Rel(chance * x + (1 - chance) * (-1 / x), "=", 0), worst, name="worst law: mean")),
        step(Goal(Rel(chance * x**2 + (1 - chance) / x**2, "=", 1), worst, name="worst law: variance")),
        letters=RANDOM,
    )


RANDOM = {y: Letter(sp.Symbol("X"), "any random variable with these two moments")}
STANDARD = (Rel(Mean(y, y), "=", 0), Rel(Mean(y**2, y), "=", 1))  # mean 0, variance 1
A, B, C = sp.symbols("A B C")
MEAN_OF_A_QUADRATIC = follows(
    Rel(A * Mean(y**2, y) + B * Mean(y, y) + C, "=", A + C),
    domain=dict.fromkeys((A, B, C, y), real()),
    given=STANDARD,
    name="mean of a quadratic",
)


def tail_bound(
    f: sp.Expr, square: sp.Expr, bound: sp.Expr, low: Var, name: str, squares: tuple[sp.Expr, ...]
) -> Follows:
    """E[f(X) 1{X >= x}] is at most the mean of a square that is above f in the tail, X of mean 0 and variance 1."""
    domain, tail, z = {x: low, y: real()}, Event(y - x, 0), sp.Symbol("z")
    inside = Indicates(y - x, domain, part=True, name="the tail is where X >= x")
    there = follows(Rel(tail * (square - f), ">=", 0), inside, domain=domain, squares=squares, name=f"{name}: in it")
    weighted = Goal(Rel(z * square, ">=", 0), {**domain, z: at_least(0)}, name=f"{name}: a square", squares=squares)
    elsewhere = instance(weighted, {z: 1 - tail}, domain, name=f"{name}: elsewhere")
    of_square, first, plain = sp.Poly(square, y).all_coeffs()
    quadratic = of_square * y**2 + first * y + plain  # so that its mean is taken apart
    above = follows(Rel(f * tail, "<=", quadratic), there, elsewhere, domain=domain, name=f"{name}: a square above it")
    at = {A: of_square, B: first, C: plain}
    known = instance(MEAN_OF_A_QUADRATIC, at, domain, STANDARD, f"{name}: mean of the square")
    mean = Rel(Mean(f * tail, y), "<=", bound)
    return follows(mean, Expectation(above, (y,)), known, domain=domain, given=STANDARD, name=name)


def cantelli() -> Follows:
    """P(X >= x) <= 1/(1+x^2) if X has mean 0 and variance 1: the square of (x X + 1)/(x^2 + 1) is at least 1 there."""
    square, one = (x * y + 1) ** 2 / (x**2 + 1) ** 2, sp.Integer(1)
    return tail_bound(one, square, 1 / (1 + x**2), positive(), "tail", squares=(y - x, x * y + 1))


@claim("payoff-R", by="paper", kind="definition", cites=("payoff-M1",))
def rewards() -> Argument:
    """The noise has mean 0 at every value of mu_k, so it is uncorrelated with the arm mean and the two
    variances add."""
    return proof(
        arm_goal(Variance(r_kj), "=", s0 + s, name="marginal variance"),
        arm_goal(Cov(r_kj, mu_k), "=", s0, name="covariance with the arm mean"),
        arm_goal(Variance(r_kj, given=mu_k), "=", s, name="variance given the arm mean"),
        arm_goal(Variance(rbar_k), "=", s0 + s / n, name="variance of an average"),
    )


@claim("payoff-R/given-the-mean", by="paper", line=157, kind="prose", cites=("payoff-R",))
def independent_only_given_the_mean() -> Argument:
    """Independence is meant given mu_k: two rewards of one arm share its offset, and two of different arms
    share nothing."""
    two_or_more = {n: at_least(2, integer=True)}
    return proof(
        arm_goal(Cov(r_kj, r_kl, given=mu_k), "=", 0, extra=two_or_more, name="two rewards of an arm, given its mean"),
        arm_goal(Cov(r_kj, r_kl), "=", s0, extra=two_or_more, name="two rewards of an arm"),
        arm_goal(Cov(r_kj, r_ij), "=", 0, name="rewards of two arms"),
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
        letters={mu: Letter(mu, "mean of one arm"), nu: Letter(nu, "mean of another arm")},
    )


@claim("payoff-R/average-noise", by="us", kind="identity", cites=("mse-a", "payoff-R/common-noise"))
def bernoulli_noise_on_average() -> Argument:
    """Noise whose variance depends on mu_k keeps every second moment of the model, with sigma^2 its average
    over the prior."""
    return proof(
        arm_goal(E(mu_k * (1 - mu_k)), "=", mu0 * (1 - mu0) - s0, extra={mu0: UNIT}, name="average Bernoulli variance"),
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
)
def two_counts() -> Argument:
    """Section 2 counts up to round t; the algorithm, which stores the reward of round t under n_{k,t} + 1, and the
    history count before it. For the arm that is pulled the two differ by 1; only the second numbers its rewards."""
    t, pulled = sp.Symbol("t"), sp.Function("p")  # p(j) is 1 if the arm is pulled in round j and 0 otherwise
    before, up_to = (sp.Sum(pulled(j), (j, 1, end)) for end in (t - 1, t))
    domain = {t: at_least(1, integer=True), pulled(j): Var(sp.Integer(0), integer=True, high=sp.Integer(1))}
    one_more = Induction(Rel(up_to, "=", before + pulled(t)), t, sp.Integer(1), domain, name="one round more")
    here = Rel(pulled(t), "=", 1)
    return proof(
        follows(Rel(up_to, "=", before + 1), one_more, domain=domain, given=(here,), name="the two counts"),
        Computation(
            "exact",
            "all 81 plays of three arms over four rounds",
            _numbered,
            (1,),
            {"constant: counts up to round t": (0,)},
        ),
        letters={t: LETTERS[t], pulled(j): Letter(pulled(j), "1 if the arm is pulled in round j, else 0")},
    )


def _numbered(before: int) -> list[Rel]:
    """That `pulls before round t + before` + 1 numbers every arm's rewards 1, 2, ..., over all short plays."""
    pairs = [(play, t) for play in product(range(3), repeat=4) for t in range(4)]
    return [
        Rel(sp.Integer(play[: t + 1 - before].count(play[t]) + 1), "=", play[: t + 1].count(play[t]))
        for play, t in pairs
    ]
