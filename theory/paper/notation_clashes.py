"""Symbols whose second use is printed as an equation for the first thing, which is then false: misprint and repair."""

from dataclasses import replace

import sympy as sp

from theory.kernel.argument import Argument, Item, misprint, proof
from theory.kernel.claim import claim
from theory.kernel.goal import Goal, Letter, Point, Rel, at_least, positive, real
from theory.kernel.region import unequal
from theory.model.arms import LETTERS, WEIGHTS, W, all_w, arm_goal, arm_point, n, rho, s, s0
from theory.model.quantities import W_ALL, ArmSum, count_i, weight_i
from theory.model.statistics import E, Variance, r_kj, rbar_0, rbar_k

prec, r0, d = sp.symbols("prec r0 d")  # 1/lambda, r0-bar, difference of two rewards of an arm
LETTERS_HERE = {
    prec: Letter(1 / sp.Symbol("lambda", positive=True), "precision of the prior of mu_0; 0 if it is flat"),
    r0: LETTERS[sp.Symbol("rbar_0")],
    d: Letter(d, "difference of two rewards of an arm"),
    s: LETTERS[s],
}
ENTRIES = {prec: sp.Symbol("1/lambda")}
UNIT_BANDIT = arm_point((1,), sp.Integer(1), sp.Integer(1))


def clash(printed_as: Goal, at: Point, factor: sp.Expr, when: str) -> Argument:
    """The printed equation fails at a point, and wherever the factor is not 0."""
    printed_as = replace(printed_as, letters={**printed_as.letters, **LETTERS_HERE})
    return misprint(printed_as, at=at, region=unequal(printed_as, factor, WEIGHTS), fails_when=when)


def apart(*items: Item) -> Argument:
    return proof(*items, letters=LETTERS_HERE)


@claim(
    "notation/sigma0",
    by="paper",
    line=753,
    kind="notation",
    severity="wording",
    cause="symbol",
    says=r"\sigma_0^2=\Big[\lambda^{-1}+\sigma^{-2}\sum_k(1-w_k)n_k\Big]^{-1}",
    cites=("sec:mu0Dist/finite-lambda",),
)
def sigma0() -> Argument:
    """The proof calls the posterior variance of mu_0 sigma_0^2, the name of the variance of the arm means on which it
    depends."""
    return clash(
        arm_goal(s0, "=", 1 / (prec + rho * W / s), extra={prec: at_least(0)}),
        Point({**UNIT_BANDIT.values, prec: sp.Integer(0)}, {**(UNIT_BANDIT.shown or {}), "1/lambda": "0"}, ENTRIES),
        prec * s0 + all_w - 1,
        "1/lambda + W/sigma_0^2 is not 1/sigma_0^2",
    )


@claim(
    "notation/sigma0/repaired",
    by="us",
    kind="notation",
    cites=("sec:mu0Dist/finite-lambda",),
    repairs="notation/sigma0",
)
def sigma0_repaired() -> Argument:
    """With a name of its own for each, both meanings are right."""
    ranged = {prec: at_least(0)}
    posterior = 1 / (prec + W_ALL / s0)
    return apart(
        arm_goal(
            1 / (prec + ArmSum(count_i * (1 - weight_i)) / s), "=", posterior, extra=ranged, name="in the weights"
        ),
        arm_goal(posterior, "<=", Variance(rbar_0), extra=ranged, name="at most that of r0-bar"),
    )


@claim(
    "notation/r0-bar",
    by="paper",
    line=751,
    kind="notation",
    severity="wording",
    cause="symbol",
    says=r"\bar r_0=\frac{W/\sigma_0^2}{\lambda^{-1}+W/\sigma_0^2}\,\bar r_0",
    cites=("sec:mu0Dist/finite-lambda",),
)
def r0_bar() -> Argument:
    """The posterior mean of mu_0 under a proper prior is called r0-bar, the name of the GLS mean, of which it is a
    shrunken version."""
    return clash(
        arm_goal(r0, "=", r0 * (W / s0) / (prec + W / s0), extra={prec: at_least(0), r0: real()}),
        Point(
            {**UNIT_BANDIT.values, prec: sp.Integer(1), r0: sp.Integer(1)},
            {**(UNIT_BANDIT.shown or {}), "1/lambda": "1", "r0bar": "1"},
            {**ENTRIES, r0: sp.Symbol("r0bar")},
        ),
        prec * r0,
        "lambda is finite and r0-bar is not 0",
    )


@claim(
    "notation/r0-bar/repaired",
    by="us",
    kind="notation",
    cites=("sec:mu0Dist/finite-lambda",),
    repairs="notation/r0-bar",
)
def r0_bar_repaired() -> Argument:
    """With a name of its own for each, both meanings are right."""
    return apart(
        arm_goal(
            r0 * (W_ALL / s0) / (prec + W_ALL / s0),
            "=",
            r0 / (1 + prec * Variance(rbar_0)),
            extra={prec: at_least(0), r0: real()},
            name="posterior mean",
        )
    )


@claim(
    "notation/hats",
    by="paper",
    line=661,
    kind="notation",
    severity="wording",
    cause="symbol",
    says=r"\text{what is estimated is } \hat\sigma^2: \text{ at every sample } \hat\sigma^2=\sigma^2",
    cites=("variance1",),
)
def hats() -> Argument:
    """Methods are said to give consistent estimators of sigma-hat_0^2 and sigma-hat^2, the names of the estimates; the
    parameters sigma_0^2 and sigma^2 are meant. One arm pulled twice with equal rewards has the estimate 0."""
    return clash(
        Goal(Rel(d**2 / 2, "=", s), {d: real(), s: positive()}, name="one arm, two rewards"),
        Point(
            {d: sp.Integer(0), s: sp.Integer(1)},
            {"K": "1", "n": ["2"], "rewards": ["0", "0"], "sigma_sq": "1"},
            {d: sp.Symbol("rewards_1") - sp.Symbol("rewards_2")},
        ),
        d**2 - 2 * s,
        "(r_1 - r_2)^2 is not 2 sigma^2",
    )


@claim("notation/hats/repaired", by="us", kind="notation", cites=("variance1",), repairs="notation/hats")
def hats_repaired() -> Argument:
    """With a name of its own for each, both meanings are right."""
    return apart(
        arm_goal(
            n * E((r_kj - rbar_k) ** 2) / (n - 1),
            "=",
            s,
            extra={n: at_least(2, integer=True)},
            name="mean of the estimate from the n rewards of an arm",
        )
    )
