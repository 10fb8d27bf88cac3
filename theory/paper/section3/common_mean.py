"""Section 3.2 (`sec:estimation-2`): the common mean estimated from all arms."""

import sympy as sp

from theory.kernel.argument import Argument, proof, refuted
from theory.kernel.claim import claim
from theory.kernel.goal import Goal, Letter, Rel, Var, at_least, positive, real
from theory.kernel.region import everywhere
from theory.kernel.rules import Follows, SumOver, follows, instance, uses
from theory.model.arms import (
    DOMAIN,
    LETTERS,
    V0,
    WEIGHTS,
    J,
    K,
    No,
    Qo,
    W,
    Wo,
    all_w,
    arm_goal,
    n,
    rho,
    s,
    s0,
    w,
    weight,
)
from theory.model.moments import w_i
from theory.model.quantities import N_ALL, W_ALL, W_K, ArmSum, count_i, weight_i
from theory.model.statistics import Cov, E, Variance, mu_bar, r_ij, r_kj, rbar, rbar_0

UNIT = Var(sp.Integer(0), high=sp.Integer(1))
m = sp.Symbol("m")


@claim(
    "r0-estimator",
    by="paper",
    kind="identity",
    cites=("w-def", "sec:r0-estimator"),
)
def gls_mean() -> Argument:
    """Eq. r0-estimator is the average of the sample means with weights (1-w_k) n_k, which are w_k times
    sigma^2/sigma_0^2. It has the same covariance with every reward, so any other linear unbiased estimate has a larger
    variance."""
    printed = (1 - W_K) * n / ArmSum(count_i * (1 - weight_i))
    arm = {w_i: UNIT}
    return proof(
        arm_goal(printed, "=", W_K / W_ALL, name="its weights"),
        arm_goal(Cov(rbar_0, r_kj), "=", Cov(rbar_0, r_ij), extra=arm, name="the same covariance with every reward"),
        arm_goal(Cov(rbar_0, r_ij), "=", Variance(rbar_0), extra=arm, name="which is its variance"),
        arm_goal(Variance(rbar_0), "=", s0 / W_ALL, name="variance"),
    )


@claim(
    "r0-estimator/efficiency",
    by="paper",
    line=221,
    kind="prose",
    cites=("r0-estimator",),
)
def more_efficient() -> Argument:
    """In the sense of Gauss and Markov, never less efficient, for every K and all counts: the variance of the mean of
    all rewards is sigma_0^2 sum n_i^2/w_i over N^2, and w_i (n_i/w_i - c)^2 >= 0, summed over the arms, at c = N/W
    bounds it. With equal counts, as after the initial rounds, the two estimates are the same number."""
    equal = {No: J * n, Qo: J * n**2, Wo: J * W_K}
    plain, ours = (Variance(x).xreplace(equal) for x in (rbar, rbar_0))
    squares = {Qo: at_least(0, integer=True)}
    return proof(
        at_most_the_plain_mean(),
        arm_goal(ours, "=", plain, extra=squares, name="equal counts: the same variance"),
        letters=LETTERS,
    )


def at_most_the_plain_mean() -> Follows:
    """Var(r0-bar) <= Var(r-bar) for every K: a square for arm k and one for each of the others."""
    i, counts, c = sp.Symbol("i"), sp.Function("n"), sp.Symbol("c")
    arm = {n: at_least(1, integer=True), s: positive(), s0: positive(), c: real()}
    one = Goal(
        Rel(n**2 + rho * n - 2 * c * n + c**2 * w, ">=", 0), arm, name="w (n/w - c)^2", squares=(n * s0 + s - c * s0,)
    )
    sums = {
        Qo: sp.Sum(counts(i) ** 2, (i, 1, J)),
        No: sp.Sum(counts(i), (i, 1, J)),
        Wo: sp.Sum(weight(counts(i)), (i, 1, J)),
    }
    sizes = {**{x: DOMAIN[x] for x in (J, s, s0, Wo, No)}, Qo: at_least(0, integer=True)}
    others = SumOver(
        one, i, sp.Integer(1), J, {**sizes, c: real()}, family={n: counts(i)}, where=sums, name="other arms"
    )
    domain = {**sizes, n: DOMAIN[n], counts(i): DOMAIN[n]}
    centre = {c: (n + No) / W}
    mine, theirs = (
        instance(item, centre, domain, name=f"{name}, c = N/W") for item, name in ((one, "arm k"), (others, "others"))
    )
    return follows(
        Rel(Variance(rbar_0), "<=", Variance(rbar)), mine, theirs, domain=domain, name="never a larger variance"
    )


@claim(
    "r0-estimator/efficiency/sharp",
    by="us",
    kind="inequality",
    cites=("r0-estimator",),
)
def never_less_efficient() -> Argument:
    """The difference is uncorrelated with the GLS mean, so variances subtract; each term vanishes only if n_i + rho =
    N/W, so that all vanish just when all counts are equal."""
    squares = {Qo: at_least(0, integer=True)}
    term = s0 / weight_i * (count_i / N_ALL - weight_i / W_ALL) ** 2
    share = n / N_ALL - W_K / W_ALL
    known = uses("r0-estimator/efficiency", item="never a larger variance")
    difference = Variance(rbar) - Variance(rbar_0)
    return proof(
        arm_goal(difference, "=", Variance(rbar - rbar_0), extra=squares, name="variances subtract"),
        arm_goal(Variance(rbar - rbar_0), "=", ArmSum(term), extra=squares, name="a sum of squares"),
        follows(Rel(difference, ">=", 0), known, name="not negative"),
        arm_goal(share, "=", W_K / W_ALL * ((n + rho) * W_ALL / N_ALL - 1), name="zero iff n_k + rho = N/W"),
    )


@claim(
    "r0-estimator/weight-limit",
    by="paper",
    line=221,
    kind="limit",
    cites=("w-def",),
)
def weights_even_out() -> Argument:
    """The weight of each arm tends to sigma^2/sigma_0^2, the same for all, at rate 1/n_k."""
    return proof(
        arm_goal((1 - w) * n, "=", s / (s0 + s / n), name="printed form"),
        arm_goal(rho - (1 - w) * n, "=", rho * (1 - w), name="distance from the limit"),
        arm_goal(rho * (1 - w), "<", rho**2 / n, name="rate"),
    )


@claim(
    "r0-estimator/limit",
    by="paper",
    line=221,
    kind="limit",
    cites=("r0-estimator/weight-limit",),
)
def mean_of_the_arm_means() -> Argument:
    """With many pulls of every arm the GLS mean is the mean of these K arm means; the distance is exact in mean
    square."""
    i, counts, index = sp.Symbol("i"), sp.Function("n"), {m: at_least(1, integer=True)}
    above = Rel(m, "<=", n)
    one = arm_goal(weight(m), "<=", w, extra=index, given=(above,), name="a weight with at least m pulls")
    total = {Wo: sp.Sum(weight(counts(i)), (i, 1, J))}
    sizes = {**{x: DOMAIN[x] for x in (J, s, s0, Wo)}, **index}
    every = Rel(m, "<=", counts(i)).for_every(i, 1, J)
    others = SumOver(
        one, i, sp.Integer(1), J, sizes, family={n: counts(i)}, where=total, given=(every,), name="other weights"
    )
    distance, bounds = s0 / W_ALL - s0 / K, (above, Rel(J * weight(m), "<=", Wo))
    rate = arm_goal(distance, "<=", s / (K * m), extra=index, given=bounds, name="rate")
    known = (uses("ours/sum-of-weights", item=item) for item in ("lower", "upper"))
    domain = {**sizes, n: DOMAIN[n], counts(i): DOMAIN[n]}
    return proof(
        arm_goal(E((rbar_0 - mu_bar) ** 2), "=", distance, name="mean square"),
        follows(rate.rel, *known, others, rate, domain=domain, given=(above, every), name="at least m pulls each"),
        letters={**{x: LETTERS[x] for x in (s, s0)}, m: Letter(m, "a number of pulls that every arm has")},
    )


@claim(
    "r0-estimator/consistent",
    by="paper",
    line=221,
    kind="prose",
    severity="argument",
    cause="fixed-number-of-arms",
    says=r"\operatorname{Var}(\bar r_0)\to 0 \text{ as all } n_k\to\infty: \text{ it falls below } "
    r"\sigma_0^2/(2K)",
    cites=("r0-estimator/limit",),
)
def printed_consistency() -> Argument:
    """The GLS mean tends to the average of K random arm means, not to mu_0: its variance never falls below
    sigma_0^2/K."""
    printed = arm_goal(V0, "<=", s0 / (2 * K))
    return refuted(
        printed,
        region=everywhere(printed, s0 / all_w - s0 / (2 * K), WEIGHTS),
        fails_when="always: Var(r0-bar) > sigma_0^2/K for every count",
        also=(arm_goal(V0, ">", s0 / K, name="the floor"),),
    )


@claim(
    "r0-estimator/consistent/repaired",
    by="us",
    kind="limit",
    cites=("r0-estimator",),
    repairs="r0-estimator/consistent",
)
def consistent_in_the_arms() -> Argument:
    """More arms make it consistent, even with one pull each; more pulls of the same arms do not."""
    return proof(
        arm_goal(V0, ">", s0 / K, name="floor"),
        arm_goal(V0, "<=", (s0 + s) / K, name="ceiling"),
        arm_goal(
            V0.subs({n: sp.Integer(1), Wo: J * s0 / (s0 + s)}), "=", (s0 + s) / K, name="reached at one pull each"
        ),
    )
