"""Appendix A (`sec:r0-estimator`): the common mean by generalised least squares, for arms of any symbolic
count."""

import sympy as sp

from theory.kernel.argument import Argument, gap, misprint, proof
from theory.kernel.claim import claim
from theory.kernel.goal import Goal, Point, Rel, at_least, positive, real
from theory.kernel.region import unequal
from theory.model.arms import V0, W, arm_goal, arm_point, n, rho, s, s0, w
from theory.model.effects import calculus, direct
from theory.model.matrices import Span

mu0, r, r0, q, B = sp.symbols("mu0 r r0 q B")  # B: the sum over arms of (1-w_k) n_k r-bar_k
V = Span(s, s0, n)  # the covariance matrix of one arm's n rewards


def inverse_goals(candidate: Span) -> tuple[Goal, ...]:
    """V times the candidate is the identity, in the algebra spanned by I and 11^T."""
    product = V @ candidate
    return (
        arm_goal(product.on_identity, "=", 1, name="coefficient of I in the product"),
        arm_goal(product.on_ones, "=", 0, name="coefficient of 11^T in the product"),
    )


@claim(
    "sec:r0-estimator",
    by="paper",
    kind="identity",
    says=r"\operatorname{Cov}(\mathbf r_k)=\mathbf V_k=\sigma_0^2\mathbf 1\mathbf 1^\top+\sigma^2\mathbf I",
    cites=("payoff-M1", "payoff-R"),
)
def covariance_of_an_arm() -> Argument:
    """Two rewards of an arm share its offset, so every entry has sigma_0^2; the noise adds sigma^2 on the
    diagonal."""
    shared = calculus.cov_own_reward(direct)  # one reward with the average of all: (diagonal + (n-1) off-diagonal) / n
    return proof(
        arm_goal(V.quadratic(1 / n, sp.Integer(1)), "=", calculus.var(direct), name="variance of the average"),
        arm_goal((V.on_identity + n * V.on_ones) / n, "=", shared, name="one reward with the average"),
        arm_goal(V.on_identity + V.on_ones, "=", calculus.var(direct).subs(n, 1), name="diagonal entry"),
    )


@claim(
    "sec:r0-estimator/sherman-morrison-1",
    by="paper",
    line=589,
    kind="step",
    says=r"\mathbf V_k^{-1}=\sigma^{-2}\mathbf I-\sigma^{-4}(\sigma_0^{-2}+n_k\sigma^{-2})^{-1}\mathbf "
    r"1\mathbf 1^\top",
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
    says=r"\mathbf V_k^{-1}=\sigma^{-2}\mathbf I-\sigma^{-2}\sigma_0^2(\sigma^2+n_k\sigma_0^2)^{-1}\mathbf "
    r"1\mathbf 1^\top",
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
    says=r"\mathbf V_k^{-1}=\sigma^{-2}\mathbf I-n_k^{-1}\sigma^{-2}w_k\mathbf 1\mathbf 1^\top",
    cites=("sec:r0-estimator/sherman-morrison-2", "w-def"),
)
def third_inverse() -> Argument:
    """The same in terms of the weight, as w_k/n_k = sigma_0^2/(sigma^2 + n_k sigma_0^2)."""
    return proof(*inverse_goals(Span(1 / s, -w / (n * s), n)))


@claim(
    "sec:r0-estimator/no-spread",
    by="paper",
    line=589,
    kind="step",
    severity="edge",
    cause="zero-variance",
    says=r"\sigma_0^2>0 \text{ whenever it is a variance, so that } \sigma_0^{-2} \text{ in the first form of }"
    r" \mathbf V_k^{-1} \text{ is defined}",
    cites=("sec:r0-estimator/sherman-morrison-1",),
)
def first_inverse_without_spread() -> Argument:
    """A hypothesis is missing: arms that are all alike have sigma_0^2 = 0; the covariance matrix is then sigma^2 I and
    invertible, but the first printed form of its inverse divides by 0."""
    return gap(
        Goal(Rel(s0, ">", 0), {s0: at_least(0)}),
        premises=(Rel(s0, ">=", 0),),
        at=arm_point((1,), sp.Integer(1), sp.Integer(0)),
        fails_iff=Rel(s0, "<=", 0),
        fails_when="sigma_0^2 = 0",
    )


@claim(
    "sec:r0-estimator/no-spread/repaired",
    by="us",
    kind="step",
    says=r"\sigma^2+n_k\sigma_0^2>0 \text{ for } \sigma_0^2\ge 0: \text{ the second form holds there too, and "
    r"gives } \sigma^{-2}\mathbf I \text{ at } \sigma_0^2=0",
    cites=("sec:r0-estimator/sherman-morrison-2",),
    repairs="sec:r0-estimator/no-spread",
)
def second_inverse_without_spread() -> Argument:
    """The second form has the divisor sigma^2 + n_k sigma_0^2 only, which noise keeps positive."""
    domain = {n: at_least(1, integer=True), s: positive(), s0: at_least(0)}
    product = V @ Span(1 / s, -s0 / (s * (s + n * s0)), n)
    return proof(
        Goal(Rel(s0, ">", 0), {s0: positive()}, name="the printed condition"),
        Goal(Rel(s + n * s0, ">", 0), domain, name="its divisor"),
        Goal(Rel(product.on_identity, "=", 1), domain, name="coefficient of I in the product"),
        Goal(Rel(product.on_ones, "=", 0), domain, name="coefficient of 11^T in the product"),
        Goal(Rel((s0 / (s * (s + n * s0))).subs(s0, 0), "=", 0), domain, name="without spread"),
    )


@claim(
    "sec:r0-estimator/loss",
    by="paper",
    line=595,
    kind="step",
    says=r"L(\mu_0)=\sigma^{-2}\sum_k[\lVert\mathbf r_k-\mu_0\mathbf 1\rVert^2-n_kw_k(\bar r_k-\mu_0)^2]",
    cites=("sec:r0-estimator/sherman-morrison-3",),
)
def loss() -> Argument:
    """The quadratic form of each arm, from the squared length q of its residuals and their sum n_k (r-bar_k -
    mu_0)."""
    inverse = Span(1 / s, -w / (n * s), n)
    total = n * (r - mu0)
    return proof(
        arm_goal(
            inverse.quadratic(q, total),
            "=",
            (q - n * w * (r - mu0) ** 2) / s,
            extra={q: at_least(0), r: real(), mu0: real()},
            name="one arm's part",
        )
    )


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
    return misprint(
        arm_goal(sp.Derivative(part_of_the_loss(), mu0), "=", 2 * (1 - w) * n * (r - mu0) / s, extra=extra),
        region=unequal(whole, mu0 - r0, {r0: sp.Symbol("r0bar")}),
        at=Point(
            {**one_arm.values, q: sp.Integer(0), r: sp.Integer(0), mu0: sp.Integer(1)},
            {**(one_arm.shown or {}), "rbar": "0", "mu0": "1"},
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
    )


@claim(
    "r0-estimator-appendix",
    by="paper",
    kind="identity",
    says=r"\operatorname{argmin} L=\bar r_0=\frac{\sum_k(1-w_k)n_k\bar r_k}{\sum_k(1-w_k)n_k},\quad"
    r" L(\mu_0)-L(\bar r_0)=(\mu_0-\bar r_0)^2/\operatorname{Var}(\bar r_0)",
    cites=("sec:r0-estimator/derivative/repaired", "sec:r0-estimator/derivative"),
)
def minimiser() -> Argument:
    """The derivative vanishes there alone, and the loss exceeds its minimum by a square; one pulled arm is
    enough."""
    A = rho * W  # the sum of (1-w_k) n_k
    extra = {B: real(), mu0: real()}
    slope = -2 * (B - mu0 * A) / s
    excess = sp.integrate(slope, (mu0, B / A, mu0))
    return proof(
        arm_goal(slope.subs(mu0, B / A), "=", 0, extra=extra, name="stationary"),
        arm_goal(excess, "=", (mu0 - B / A) ** 2 / V0, extra=extra, name="excess over the minimum"),
        arm_goal(A, ">", 0, name="defined once an arm is pulled"),
    )
