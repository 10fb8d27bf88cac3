"""Symbols whose second use is printed as an equation for the first thing, which is then false: `clash` enters the
misprint and its repair."""

import sympy as sp

from theory.kernel.argument import Argument, Item, misprint, proof
from theory.kernel.claim import claim
from theory.kernel.goal import Goal, Letter, Point, Rel, at_least, positive, real
from theory.kernel.region import unequal
from theory.model.arms import WEIGHTS, W, all_w, arm_goal, arm_point, n, rho, s, s0
from theory.model.quantities import W_ALL, ArmSum, count_i, weight_i
from theory.model.statistics import E, Variance, r_kj, rbar_0, rbar_k

prec, r0 = sp.symbols("prec r0")  # 1/lambda, r0-bar
READ = {prec: 1 / sp.Symbol("lambda"), r0: sp.Symbol("r0bar"), sp.Symbol("d"): sp.Symbol("r_1") - sp.Symbol("r_2")}
LETTERS_HERE = {
    prec: Letter(1 / sp.Symbol("lambda", positive=True), "precision of the prior of mu_0; 0 if it is flat"),
    r0: Letter(sp.Symbol("rbar_0"), "the GLS mean"),
}
UNIT_BANDIT = arm_point((1,), sp.Integer(1), sp.Integer(1))


def clash(
    name: str,
    line: int,
    why: str,
    says: str,
    printed_as: Goal,
    at: Point,
    apart: tuple[Item, ...],
    factor: sp.Expr,
    when: str,
    cites: tuple[str, ...] = (),
) -> None:
    """Enter the false equation `notation/name` and its repair."""

    def printed() -> Argument:
        return misprint(printed_as, at=at, region=unequal(printed_as, factor, READ, WEIGHTS), fails_when=when)

    def repaired() -> Argument:
        return proof(*apart, letters=LETTERS_HERE)

    printed.__doc__, repaired.__doc__ = why, "With a name of its own for each, both meanings are right."
    name = f"notation/{name}"
    claim(
        name,
        by="paper",
        line=line,
        kind="notation",
        severity="wording",
        cause="symbol",
        says=says,
        cites=cites,
    )(printed)
    claim(f"{name}/repaired", by="us", kind="notation", cites=cites, repairs=name)(repaired)


clash(
    "sigma0",
    753,
    "The proof calls the posterior variance of mu_0 sigma_0^2, the name of the variance of the arm means on which it "
    "depends.",
    r"\sigma_0^2=\Big[\lambda^{-1}+\sigma^{-2}\sum_k(1-w_k)n_k\Big]^{-1}",
    arm_goal(s0, "=", 1 / (prec + rho * W / s), extra={prec: at_least(0)}),
    Point({**UNIT_BANDIT.values, prec: sp.Integer(0)}, {**(UNIT_BANDIT.shown or {}), "1/lambda": "0"}),
    (
        arm_goal(
            1 / (prec + ArmSum(count_i * (1 - weight_i)) / s),
            "=",
            1 / (prec + W_ALL / s0),
            extra={prec: at_least(0)},
            name="in the weights",
        ),
        arm_goal(
            1 / (prec + W_ALL / s0), "<=", Variance(rbar_0), extra={prec: at_least(0)}, name="at most that of r0-bar"
        ),
    ),
    prec * s0 + all_w - 1,
    "1/lambda + W/sigma_0^2 is not 1/sigma_0^2",
    ("sec:mu0Dist/finite-lambda",),
)

clash(
    "r0-bar",
    751,
    "The posterior mean of mu_0 under a proper prior is called r0-bar, the name of the GLS mean, of which it is a "
    "shrunken version.",
    r"\bar r_0=\frac{W/\sigma_0^2}{\lambda^{-1}+W/\sigma_0^2}\,\bar r_0",
    arm_goal(r0, "=", r0 * (W / s0) / (prec + W / s0), extra={prec: at_least(0), r0: real()}),
    Point(
        {**UNIT_BANDIT.values, prec: sp.Integer(1), r0: sp.Integer(1)},
        {**(UNIT_BANDIT.shown or {}), "1/lambda": "1", "r0bar": "1"},
    ),
    (
        arm_goal(
            r0 * (W_ALL / s0) / (prec + W_ALL / s0),
            "=",
            r0 / (1 + prec * Variance(rbar_0)),
            extra={prec: at_least(0), r0: real()},
            name="posterior mean",
        ),
    ),
    prec * r0,
    "lambda is finite and r0-bar is not 0",
    ("sec:mu0Dist/finite-lambda",),
)

d = sp.Symbol("d")  # difference of two rewards of an arm
clash(
    "hats",
    661,
    "Methods are said to give consistent estimators of sigma-hat_0^2 and sigma-hat^2, the names of the estimates; "
    "the parameters sigma_0^2 and sigma^2 are meant. One arm pulled twice with equal rewards has the estimate 0.",
    r"\text{what is estimated is } \hat\sigma^2: \text{ at every sample } \hat\sigma^2=\sigma^2",
    Goal(Rel(d**2 / 2, "=", s), {d: real(), s: positive()}, name="one arm, two rewards"),
    Point({d: sp.Integer(0), s: sp.Integer(1)}, {"K": "1", "n": ["2"], "rewards": ["0", "0"], "sigma_sq": "1"}),
    (
        arm_goal(
            n * E((r_kj - rbar_k) ** 2) / (n - 1),
            "=",
            s,
            extra={n: at_least(2, integer=True)},
            name="mean of the estimate from the n rewards of an arm",
        ),
    ),
    d**2 - 2 * s,
    "(r_1 - r_2)^2 is not 2 sigma^2",
    ("variance1",),
)
