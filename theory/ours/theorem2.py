"""Theorem 2 repaired: rewards and means in [0, 1], adaptive sampling, every a > 0.

Fix the rewards of every arm in advance, as a stack; adaptive play only chooses how far each stack is read. A
statement that holds for every count at once holds for the counts that were chosen. Here by a union over counts; by
lines that sums of noise stay below: theorem2_range.py.
"""

from collections.abc import Callable

import sympy as sp

from theory.kernel.argument import Argument, Computation, Words, proof
from theory.kernel.claim import claim
from theory.kernel.goal import Goal, Rel, Var, at_least, positive, real
from theory.model import bound_formulas as bounds
from theory.model.arms import K, W, arm_goal, n, rho, s, s0, tau_sq, tau_tilde_sq, w
from theory.model.moments import sum_over
from theory.ours.counting import by_parts
from theory.ours.rounds import regret

L, lam, x, y, u, h, v, v1, k, t, a, c = sp.symbols("L lam x y u h v v1 k t a c")


@claim(
    "them-R-Bayes-SubR/repaired/stacks",
    by="us",
    kind="step",
    says=r"\text{fixed count:}\ w_k(\bar r_k-\mu_k)+(1-w_k)(\mu_0-\mu_k)\sim\text{subG}(\tilde\tau_k^2),\ "
    r"w_i(\bar r_i-\mu_0)\sim\text{subG}(w_i\sigma_0^2)",
    cites=("sec:fact/3/sharp", "sec:tau_star/decomposition/repaired"),
)
def stacks() -> Argument:
    """Given mu_k the noise average is subG(sigma^2/n); then the tower rule. Independence of noise and effect is not
    needed."""
    return proof(
        arm_goal(
            (lam * w) ** 2 * s / (2 * n) + (lam * (1 - w)) ** 2 * s0 / 2,
            "=",
            lam**2 * tau_tilde_sq / 2,
            extra={lam: real()},
            name="own error",
        ),
        arm_goal(
            (lam * w) ** 2 * (s0 + s / n) / 2,
            "=",
            lam**2 * (w * s0) / 2,
            extra={lam: real()},
            name="weighted distance of an arm's average from mu_0",
        ),
    )


@claim(
    "them-R-Bayes-SubR/repaired/union",
    by="us",
    kind="step",
    says=r"\text{all these, for all arms and counts}\le t,\ \text{stay below}\ \sqrt{2L}\ \text{deviations but "
    r"for probability}\ 4Kte^{-L}",
    uses=("them-R-Bayes-SubR/repaired/stacks",),
)
def union() -> Argument:
    """Two statistics, two sides, K arms, at most t counts, each failing with probability at most exp(-L). With L = a
    log t/(2 kappa) the total is 4 K t^(1 - a/(2 kappa))."""
    kappa = sp.Symbol("kappa")
    return proof(
        Goal(
            Rel(sp.exp(-((2 * L * v) / (2 * v))), "=", sp.exp(-L)),
            {L: positive(), v: positive()},
            name="Chernoff at sqrt(2 L v)",
        ),
        Goal(
            Rel(2 * 2 * k * t * sp.exp(-a * sp.log(t) / (2 * kappa)), "=", bounds.failure_by_prior(t, k, kappa, a)),
            {k: positive(), t: at_least(1), a: positive(), kappa: positive()},
            name="the stated power of t",
        ),
        Words(
            "The counts of round t are among 1, ..., t; the union is over fixed counts, so adaptivity does not enter."
        ),
    )


@claim(
    "them-R-Bayes-SubR/repaired/common-mean",
    by="us",
    kind="step",
    says=r"|\bar r_0-\mu_0|\le\sqrt{2L}\,\sigma_0\sum_i\sqrt{w_i}/W\le\sqrt{2L}\,\sigma_0\sqrt{K/W}",
    uses=("them-R-Bayes-SubR/repaired/union", "sec:proof/cauchy-schwarz"),
)
def common_mean() -> Argument:
    """The bounds of the arms add up; (sum of sqrt(w_i))^2 <= K W by Cauchy-Schwarz."""
    S1, S2 = sp.symbols("S1 S2")  # sums of sqrt(w_i) and of w_i over all arms
    deviations = sum_over((y - S1 / k) ** 2, y, {0: k, 1: S1, 2: S2})
    free = {k: positive(), S1: positive(), S2: positive()}
    return proof(
        Goal(Rel(deviations, "=", S2 - S1**2 / k), free, name="sum of squared deviations of the roots"),
        Goal(Rel((S1 / S2) ** 2, "<=", k / S2), free, (Rel(S2 - S1**2 / k, ">=", 0),), "squared"),
    )


@claim(
    "them-R-Bayes-SubR/repaired/inflation",
    by="us",
    kind="step",
    says=r"\frac{(1+\sqrt{Ku})^2}{1+u}\le\kappa,\ u=\frac{1-w_k}W\le\frac\rho K;"
    r"\quad\kappa=\frac{(1+\sqrt\rho)^2}{1+\rho/K}\ (\rho\le K^2),\ \text{else}\ K+1",
    uses=("tau_SG-ineq",),
)
def inflation() -> Argument:
    """As a function of sqrt(u) the ratio rises up to sqrt(K), where it is K + 1. This kappa takes the place of the
    printed m."""
    f = (1 + h * v) ** 2 / (1 + v**2)  # v = sqrt(u), h = sqrt(K)
    free = {h: at_least(1), v: positive(), v1: positive()}
    roots = sp.symbols("h v1", positive=True)
    kappa = bounds.inflation(roots[0] ** 2, (roots[0] * roots[1]) ** 2).subs(dict(zip(roots, (h, v1), strict=True)))
    return proof(
        Goal(Rel(1 + h**2 - f, "=", (h - v) ** 2 / (1 + v**2)), free, name="never above K + 1"),
        Goal(Rel(f, "<=", f.subs(v, v1)), free, (Rel(v, "<=", v1), Rel(v1, "<=", h)), "rises up to sqrt(K)"),
        Goal(Rel(f.subs(v, v1), "=", kappa), free, name="the stated kappa is its value at v1^2 = rho/K, h^2 = K"),
        arm_goal((1 - w) / W, "<=", rho / K, name="u <= rho/K"),
    )


@claim(
    "them-R-Bayes-SubR/repaired/prior-route",
    by="us",
    kind="step",
    says=r"|\hat\mu_k-\mu_k|\le\sqrt{2L}\,\tilde\tau_k(1+\sqrt{Ku})\le\sqrt{2L\kappa}\,\tau_k=c_{k,t}\ \text{for}"
    r"\ L=a\log t/(2\kappa)",
    cites=(
        "them-R-Bayes-SubR/repaired/common-mean",
        "them-R-Bayes-SubR/repaired/inflation",
        "sec:tau_star/decomposition/repaired",
    ),
)
def prior_route() -> Argument:
    """Own error plus (1 - w_k) times the error of the common mean; (1-w_k)^2 sigma_0^2 K/W = tilde-tau^2 K u."""
    kappa, ell = sp.symbols("kappa ell")
    return proof(
        arm_goal(
            (1 - w) ** 2 * s0 * K / W, "=", tau_tilde_sq * K * (1 - w) / W, name="error of the common mean, squared"
        ),
        arm_goal(tau_tilde_sq * (1 + (1 - w) / W), "=", tau_sq, name="tau^2 = tilde-tau^2 (1 + u)"),
        Goal(
            Rel(2 * (a * ell / (2 * kappa)) * kappa * v, "=", a * v * ell),
            {a: positive(), ell: positive(), kappa: positive(), v: positive()},
            name="2 L kappa tau^2 = c^2",
        ),
    )


@claim(
    "them-R-Bayes-SubR/repaired/round",
    by="us",
    kind="step",
    says=r"\text{all}\ |\hat\mu_k-\mu_k|\le c_k:\ \mu_*-\mu_{I_t}\le2c_{I_t};\quad\text{in any case}\le1",
    uses=("regret-decom/repaired", "them-R-Bayes-SubR/support/repaired"),
)
def good_round() -> Argument:
    """mu_* <= U_* <= U_I <= mu_I + 2c."""
    best, pulled, est, U = sp.symbols("best pulled est U")
    free = {best: real(), pulled: real(), est: real(), U: real(), c: at_least(0)}
    return proof(
        Goal(
            Rel(best - pulled, "<=", 2 * c),
            free,
            (Rel(best, "<=", U), Rel(U, "<=", est + c), Rel(est - pulled, "<=", c)),
            "good round",
        )
    )


SPREADS = (sp.Rational(1, 9), sp.Rational(1, 900))  # sigma_0^2, where the second and the first probability is the least
WIDTH = sp.Integer(60)


def steps_give(stated: Callable[[int, int, sp.Rational], sp.Expr]) -> list[Rel]:
    """K first rounds, twice the widths by parts and one failure a round add up to the stated bound: small K and n, a =
    60, rho = 9/4."""

    def total(arms: int, rounds: int, spread: sp.Rational) -> sp.Expr:
        later = [sp.Integer(i) for i in range(arms + 1, rounds + 1)]
        ratio = (1 + sp.Rational(3, 2)) ** 2 / (1 + sp.Rational(9, 4) / arms)  # kappa, as rho <= K^2
        met = by_parts(
            [sp.sqrt(WIDTH * sp.log(i)) for i in later],
            arms,
            lambda j: bounds.g(j, sp.Integer(arms), spread, spread * sp.Rational(9, 4)),
            rising=True,
        )
        failures = [
            min_of(
                sp.Integer(1),
                4 * arms * i * sp.exp(-WIDTH * sp.log(i) / (2 * ratio)),
                2
                * arms
                * (1 + sp.sqrt(WIDTH * sp.log(i) ** 3) / 4)
                * sp.exp(-(WIDTH * sp.log(i) - 1 / spread - 1) / 2),
            )
            for i in later
        ]
        return arms * min_of(sp.Integer(1), sp.sqrt(2 * spread * sp.log(arms))) + 2 * met + sum(failures)

    tiny = sp.Rational(1, 2**200)  # powers of t are written in two ways: enclosures, far narrower than any term
    sizes = [(*size, spread) for size in ((2, 3), (3, 5)) for spread in SPREADS]
    return [Rel(total(*size) - stated(*size), op, shift) for size in sizes for op, shift in (("<", tiny), (">", -tiny))]


def min_of(*values: sp.Expr) -> sp.Expr:
    """The least of some numbers."""
    return -sp.Max(*(-v for v in values), evaluate=False)


@claim(
    "them-R-Bayes-SubR/repaired",
    by="us",
    kind="bound",
    says=r"r,\mu_k\in[0,1],\ \text{proxies}\ \sigma^2\ \text{(given}\ \mu_k),\ \sigma_0^2,\ a>0:\ R_n\le"
    r"\min(n,K)\min(1,\sigma_0\sqrt{2\log K})+2\sum_{j=1}^{n-K}\sqrt{a\log(n+1-j)}\,g(\lceil j/K\rceil)"
    r"+\sum_{t=K+1}^n\min\left(1,4Kt^{1-a/(2\kappa)},2K\left(1+\frac{\log t\sqrt{a\log t}}4\right)"
    r"e^{(1+1/\sigma_0^2)/2}t^{-a/2}\right);"
    r"\quad g(j)=\frac{\sigma}{\sqrt{j+\alpha}},\ \alpha=\frac{(K-1)\rho}{K+\rho},"
    r"\ \rho=\sigma^2/\sigma_0^2,\ \kappa=\frac{(1+\sqrt\rho)^2}{1+\rho/K}\ (\rho\le K^2),\ \text{else}\ K+1",
    uses=(
        "them-R-Bayes-SubR/repaired/round",
        "them-R-Bayes-SubR/repaired/prior-route",
        "them-R-Bayes-SubR/repaired/range-route",
        "ours/width",
        "ours/widest-last",
        "ours/e_K",
    ),
    repairs="them-R-Bayes-SubR",
)
def theorem_two() -> Argument:
    """First rounds: at most 1 each, and sigma_0 sqrt(2 log K) by the maximum of sub-Gaussian variables. After them a
    round costs 2c, or at most 1 with the smaller of the two failure probabilities. It says nothing (it is above n) for
    narrow priors with much noise, as the paper's own U[.2,.5] with 20 arms: kappa = 17.2 and exp(1/(2 sigma_0^2)) =
    e^66.7 there, so that at t = 10^4 the probabilities are below 1 only for a > 50.7 and a > 16.1."""
    P, by_prior, by_range, i, cost = sp.symbols("P by_prior by_range i cost")
    free = {**dict.fromkeys((P, by_prior, by_range, c, cost), at_least(0)), i: Var(sp.Integer(0), high=sp.Integer(1))}

    def stated(arms: int, rounds: int, spread: sp.Rational) -> sp.Expr:
        return bounds.theorem2_repaired(arms, rounds, spread, spread * sp.Rational(9, 4), WIDTH)

    return proof(
        Goal(
            Rel((1 - P) * 2 * c + P * i, "<=", 2 * c + cost),
            free,
            (Rel(P, "<=", 1), Rel(P, "<=", cost)),
            "a round costs 2c or, with probability P, some i <= 1",
        ),
        arm_goal(tau_sq, "<=", bounds.g(n, K, s0, s) ** 2, name="widths as in ours/sharp"),
        Computation(
            "arb",
            "first rounds, widths by parts and failures add up to the stated bound, small K and n",
            steps_give,
            (stated,),
            {
                "constant: doubled": (lambda K, n, v: 2 * stated(K, n, v),),
                "index: one round more": (lambda K, n, v: stated(K, n + 1, v),),
            },
        ),
        regret(k, at_least(1, integer=True), "width", "failure"),
        Words("on the complement of each route's event every interval holds; the sum of widths is ours/widest-last"),
    )
