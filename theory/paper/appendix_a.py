"""Appendix A (`sec:r0-estimator`): the common mean by generalised least squares, for arms of any symbolic
count."""

from dataclasses import replace

import sympy as sp

from theory.kernel.argument import Argument, gap, misprint, proof
from theory.kernel.claim import claim
from theory.kernel.goal import Goal, Letter, Point, Rel, at_least, positive, real
from theory.kernel.region import unequal
from theory.kernel.rules import SumOver, follows
from theory.model.arms import ARMS_LETTER, LETTERS, W, arm_goal, arm_point, n, rho, s, s0, w
from theory.model.matrices import Quadratic, Span, entries
from theory.model.quantities import W_K, ArmSum, count_i, mu0, weight_i
from theory.model.statistics import Cov, Variance, r_kj, r_kl, rbar_0

r, r0, q, K = sp.symbols("rbar_k rbar_0 q K")
V = Span(s, s0, n)  # the covariance matrix of one arm's n rewards


def inverse_goals(candidate: Span) -> tuple[Goal, ...]:
    """V times the candidate is the identity, in the algebra spanned by I and 11^T."""
    diagonal, other = entries(V, candidate)
    return (
        arm_goal(diagonal, "=", 1, name="diagonal of the product"),
        arm_goal(other, "=", 0, name="the product off the diagonal"),
    )


@claim(
    "sec:r0-estimator",
    by="paper",
    kind="identity",
    cites=("payoff-M1", "payoff-R"),
)
def covariance_of_an_arm() -> Argument:
    """The entries of sigma_0^2 11^T + sigma^2 I. Two rewards of an arm share its offset, so every entry has sigma_0^2;
    the noise adds sigma^2 on the diagonal."""
    two_or_more = {n: at_least(2, integer=True)}
    return proof(
        arm_goal(Variance(r_kj), "=", s0 + s, name="diagonal entry"),
        arm_goal(Cov(r_kj, r_kl), "=", s0, extra=two_or_more, name="entry off the diagonal"),
    )


@claim(
    "sec:r0-estimator/sherman-morrison-1",
    by="paper",
    line=589,
    kind="step",
    cites=("sec:r0-estimator",),
)
def first_inverse() -> Argument:
    """The Sherman-Morrison formula itself; multiplied out, the product is the identity for every n_k."""
    return proof(*inverse_goals(Span(1 / s, -1 / (s**2 * (1 / s0 + n / s)), n)))


@claim(
    "sec:r0-estimator/sherman-morrison-2",
    by="paper",
    line=590,
    kind="step",
    cites=("sec:r0-estimator/sherman-morrison-1",),
)
def second_inverse() -> Argument:
    """The same with the fractions cleared; it stays right at sigma_0^2 = 0."""
    return proof(*inverse_goals(Span(1 / s, -s0 / (s * (s + n * s0)), n)))


@claim(
    "sec:r0-estimator/sherman-morrison-3",
    by="paper",
    line=591,
    kind="step",
    cites=("sec:r0-estimator/sherman-morrison-2", "w-def"),
)
def third_inverse() -> Argument:
    """The same in terms of the weight, as w_k/n_k = sigma_0^2/(sigma^2 + n_k sigma_0^2)."""
    return proof(*inverse_goals(Span(1 / s, -W_K / (n * s), n)))


@claim(
    "sec:r0-estimator/no-spread",
    by="paper",
    line=589,
    kind="step",
    severity="edge",
    cause="zero-variance",
    says=r"\text{where } \mathbf V_k \text{ is invertible, the first form of its inverse is defined: } \sigma_0^2>0",
    cites=("sec:r0-estimator/sherman-morrison-1",),
)
def first_inverse_without_spread() -> Argument:
    """A hypothesis is missing: arms that are all alike have sigma_0^2 = 0; the covariance matrix is then sigma^2 I and
    invertible, but the first printed form of its inverse divides by 0."""
    invertible = Rel(s * (s + n * s0), ">", 0)  # its two eigenvalues, neither of them negative
    domain = {n: at_least(1, integer=True), s: at_least(0), s0: at_least(0)}
    return gap(
        Goal(Rel(s0, ">", 0), domain, (invertible,), "divisor of the first form", letters=LETTERS),
        at=arm_point((1,), sp.Integer(1), sp.Integer(0)),
        fails_iff=Rel(s0, "<=", 0),
        fails_when="sigma_0^2 = 0",
    )


@claim(
    "sec:r0-estimator/no-spread/repaired",
    by="us",
    kind="step",
    cites=("sec:r0-estimator/sherman-morrison-2",),
    repairs="sec:r0-estimator/no-spread",
)
def second_inverse_without_spread() -> Argument:
    """The second form has the divisor sigma^2 + n_k sigma_0^2 only, which noise keeps positive; at sigma_0^2 = 0 it is
    I/sigma^2."""
    domain = {n: at_least(1, integer=True), s: positive(), s0: at_least(0)}
    diagonal, other = entries(V, Span(1 / s, -s0 / (s * (s + n * s0)), n))
    return proof(
        Goal(Rel(s0, ">", 0), {s0: positive()}, name="the printed condition"),
        Goal(Rel(s + n * s0, ">", 0), domain, name="its divisor"),
        Goal(Rel(diagonal, "=", 1), domain, name="diagonal of the product"),
        Goal(Rel(other, "=", 0), domain, name="the product off the diagonal"),
        letters=LETTERS,
    )


@claim(
    "sec:r0-estimator/loss",
    by="paper",
    line=595,
    kind="step",
    cites=("sec:r0-estimator/sherman-morrison-3",),
)
def loss() -> Argument:
    """The quadratic form of each arm, of which L is the sum, from the squared length of its residuals and their sum
    n_k (r-bar_k - mu_0)."""
    squared, left = sp.Symbol(r"{\lVert\mathbf{x}\rVert}"), Quadratic(1 / s, -W_K / (n * s), q, n * (r - mu0))
    extra = {q: at_least(0), r: real(), mu0: real()}
    return proof(
        arm_goal(left, "=", (q - n * W_K * (r - mu0) ** 2) / s, extra=extra, name="one arm's part"),
        letters={q: Letter(squared**2, VECTOR)},
    )


VECTOR = "squared length of the rewards of arm k less mu_0, whose entries add up to n_k (rbar_k - mu_0)"


OWN_SQUARES = {q: Letter(q, "sum of the squared deviations of the rewards of arm k from their mean")}


def part_of_the_loss() -> sp.Expr:
    """One arm's part of the loss; q is now the squared length of its rewards about their own mean."""
    return (q + n * (r - mu0) ** 2 - n * w * (r - mu0) ** 2) / s


@claim(
    "sec:r0-estimator/derivative",
    by="paper",
    line=599,
    kind="step",
    severity="wording",
    cause="misprinted-formula",
    says=r"L'(\mu_0)=2\sigma^{-2}\sum_k(1-w_k)n_k(\bar r_k-\mu_0)",
    cites=("sec:r0-estimator/loss",),
)
def printed_derivative() -> Argument:
    """The sign is wrong: the loss falls, not rises, while mu_0 is below the data. Its zero is not affected."""
    extra = {q: at_least(0), r: real(), mu0: real()}
    one_arm = arm_point((1,), sp.Integer(1), sp.Integer(1))
    slope = -2 * rho * W * (r0 - mu0) / s  # of the whole loss, as the sum of (1-w_k) n_k r-bar_k is rho W r0-bar
    whole = arm_goal(slope, "=", -slope, extra={r0: real(), mu0: real()}, name="the sum over all arms")
    printed = arm_goal(sp.Derivative(part_of_the_loss(), mu0), "=", 2 * (1 - w) * n * (r - mu0) / s, extra=extra)
    return misprint(
        replace(printed, letters={**printed.letters, **OWN_SQUARES}),
        region=unequal(whole, mu0 - r0),
        at=Point(
            {**one_arm.values, q: sp.Integer(0), r: sp.Integer(0), mu0: sp.Integer(1)},
            {**(one_arm.shown or {}), "rbar": "0", "mu0": "1"},
            {r: sp.Symbol("rbar"), mu0: sp.Symbol("mu0")},
        ),
        fails_when="mu_0 != r0-bar, where L'(mu_0) is not 0: the printed derivative is -L'(mu_0)",
    )


@claim(
    "sec:r0-estimator/derivative/repaired",
    by="us",
    kind="step",
    cites=("sec:r0-estimator/loss",),
    repairs="sec:r0-estimator/derivative",
)
def derivative() -> Argument:
    """Each arm's part is a parabola about its own mean that opens upwards."""
    extra = {q: at_least(0), r: real(), mu0: real()}
    part = part_of_the_loss()
    return proof(
        arm_goal(sp.Derivative(part, mu0), "=", -2 * (1 - w) * n * (r - mu0) / s, extra=extra, name="first"),
        arm_goal(sp.Derivative(part, mu0, 2), "=", 2 * (1 - w) * n / s, extra=extra, name="second"),
        arm_goal(2 * (1 - w) * n / s, ">", 0, name="convex"),
        letters=OWN_SQUARES,
    )


@claim(
    "r0-estimator-appendix",
    by="paper",
    kind="identity",
    cites=("sec:r0-estimator/derivative/repaired", "sec:r0-estimator/derivative"),
)
def minimiser() -> Argument:
    """Up to a constant the loss is the sum of g_i (r-bar_i - mu_0)^2 with g_i = (1-w_i) n_i/sigma^2. It exceeds its
    value at the weighted mean r0-bar by (mu_0 - r0-bar)^2 over Var(r0-bar), so that is its only minimum; one pulled arm
    is enough."""
    i, g, c = sp.Symbol("i"), sp.Symbol("g"), r0
    weights, means = sp.Function("g"), sp.Function("rbar")
    domain = {g: positive(), r: real(), mu0: real(), c: real()}
    moved = g * (mu0 - c) ** 2 - 2 * (mu0 - c) * (g * r - g * c)
    one = Goal(Rel(g * (r - mu0) ** 2 - g * (r - c) ** 2, "=", moved), domain, name="one arm's part")
    sizes = {mu0: real(), c: real(), K: at_least(1, integer=True), weights(i): positive(), means(i): real()}
    every = SumOver(one, i, sp.Integer(1), K, sizes, family={g: weights(i), r: means(i)}, name="all arms")

    def total(term: sp.Expr) -> sp.Expr:
        return sp.Sum(term, (i, 1, K))

    centred = Rel(total(weights(i) * means(i)), "=", c * total(weights(i)))
    excess = total(weights(i) * (means(i) - mu0) ** 2) - total(weights(i) * (means(i) - c) ** 2)
    precision = ArmSum(count_i * (1 - weight_i))
    return proof(
        follows(
            Rel(excess, "=", (mu0 - c) ** 2 * total(weights(i))), every, domain=sizes, given=(centred,), name="excess"
        ),
        arm_goal(s / precision, "=", Variance(rbar_0), name="with g_i = (1-w_i) n_i/sigma^2"),
        arm_goal(precision, ">", 0, name="defined once an arm is pulled"),
        letters={
            **ARMS_LETTER,
            c: Letter(c, "the average of the sample means with weights g_i"),
            weights(i): Letter(weights(i), "any positive weights; (1-w_i) n_i/sigma^2 in the loss"),
            **{x: LETTERS[x] for x in (means(i), mu0)},
        },
    )
