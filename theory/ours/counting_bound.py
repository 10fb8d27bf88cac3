"""The counting bound (`reucb.bounds.counting`) step by step: bad rounds, prices, the domination of the other arms.

Units sigma_0 = 1, rho = sigma^2. After round K a round is *star* (the best arm is pulled), *good* (the gap of the
pulled arm is at most s_n tau + its error) or *bad*. Lam(N) >= 0 is the price of a pull at count N. The algebra of good
pulls is in `good_pull`, widths are in `leave_one_out`.
"""

import sympy as sp

from theory.kernel.argument import Argument, proof, step
from theory.kernel.claim import claim
from theory.kernel.classical import DUBINS_SCHWARZ, PITT, REFLECTION
from theory.kernel.goal import Goal, Rel, Var, at_least, positive, real
from theory.kernel.rules import SumOver, cited, follows
from theory.kernel.terms import Event, Mean

UNIT = Var(sp.Integer(0), high=sp.Integer(1))
c, L, g, b, p, beta, N, t, M, K, n = sp.symbols("c L g b p beta N t M K n")


@claim("ours/counting/prices/round", by="us", kind="step")
def price_of_a_round() -> Argument:
    """One round after K, given the reward differences: x is the mean cost of a bad round, y its probability. A price
    L is added in bad rounds and taken off in all, so its net effect is -(1 - p) L."""
    x, y = sp.symbols("x y")
    free = {x: at_least(0), y: UNIT, L: at_least(0), beta: at_least(0), p: UNIT}
    return proof(
        Goal(
            Rel(x + L * y - L, "<=", beta - (1 - p) * L),
            free,
            (Rel(x, "<=", beta), Rel(y, "<=", p)),
            "cost and price of a round",
        )
    )


@claim("ours/counting/prices", by="us", kind="step", uses=("ours/counting/prices/round",))
def prices() -> Argument:
    """In a round let g and b be the indicators of good and bad, so 1 - g - b is that of star, where nothing is lost.
    The cost c (g + b) is (c + L) g + L (1 - g - b) + ((c + L) b - L). Summed over rounds, the middle part is the price
    of the pulls of the best arm: it is pulled at each count at most once, so with prices >= 0 it is at most the sum of
    all prices."""
    free = {c: at_least(0), L: at_least(0), g: UNIT, b: UNIT}
    split = Goal(
        Rel(c * (g + b), "=", (c + L) * g + L * (1 - g - b) + ((c + L) * b - L)), free, name="the cost of one round"
    )
    price = sp.Function("Lam")
    counts = {M: at_least(0, integer=True), N: at_least(0, integer=True)}  # pulls of the best arm; n - K
    j = sp.Symbol("j")
    rest = SumOver(
        Goal(Rel(L, ">=", 0), {L: at_least(0)}, name="a price"),
        j,
        M + 1,
        N,
        counts,
        {L: price(j)},
        given=(Rel(M, "<=", N),),
        name="prices of counts that the best arm did not reach",
    )
    paid = sp.Symbol("paid")  # the sum of the prices at counts 1, ..., M
    left_over = sp.Sum(price(j), (j, M + 1, N))
    return proof(
        split,
        step(rest),
        follows(
            Rel(paid, "<=", paid + left_over),
            rest,
            domain={**counts, price(j): at_least(0), paid: real()},
            given=(Rel(M, "<=", N),),
            name="the best arm pays at most every price once",
        ),
    )


@claim(
    "ours/counting/bad-rounds",
    by="us",
    kind="step",
    uses=("ours/conditioning", "ours/correlation", "ours/width-ratio", "ours/psi"),
)
def bad_rounds() -> Argument:
    """Given the reward differences the errors are Gaussian with nonnegative covariances, hence associated. A bad round
    needs an arm k != I with error below -theta_k tau_k: the chance of none is at least the product of the chances. On
    a bad round the gap is v + (mu_* - U_I) with v = U_I - mu_I rising in the error of I, and mu_k - U_I is at most
    -X_k - s_t tau_k because U_k <= U_I."""
    v, w, W, best, U, mu, mean, X, width, o, k, K = sp.symbols("v w W best U mu mean X width o k K")
    shares = {v: UNIT, w: UNIT, W: positive()}
    chance = {o: real(), K: at_least(2, integer=True)}
    above = Event(sp.Function("X")(k, o), 0)  # X_k + theta_k tau_k >= 0
    none = Mean(sp.Product(above, (k, 1, K)), o)
    prod = sp.Product(Mean(above, o), (k, 1, K))
    values = {best: real(), U: real(), mu: real(), mean: real(), X: real(), width: at_least(0)}
    associated = cited(
        PITT,
        hypotheses=(Goal(Rel((1 - v) * (1 - w) / W, ">=", 0), shares, name="covariance of two errors"),),
        gives=Goal(Rel(none, ">=", prod), chance, name="no error is below its level"),
        name="none of the events X_k < -theta_k tau_k happens",
    )
    return proof(
        follows(Rel(1 - none, "<=", 1 - prod), associated, name="chance of a bad round"),
        Goal(Rel(best - mu, "=", (U - mu) + (best - U)), values, name="gap of a bad round"),
        Goal(
            Rel(mean - X - U, "<=", -X - width),
            values,
            (Rel(mean + width, "<=", U),),
            "mu_k - U_I <= -X_k - s_t tau_k, as U_k <= U_I",
        ),
    )


@claim("ours/counting/truncation", by="us", kind="inequality")
def truncation() -> Argument:
    """Conditioning on mu <= y lowers every P(mu > x): with F the distribution function, (F(y) - F(x))/F(y) is at most
    1 - F(x). A sum with independent noise keeps the order."""
    low, high = sp.symbols("F_x F_y")
    free = {low: UNIT, high: Var(sp.Integer(0), strict=True, high=sp.Integer(1))}
    return proof(Goal(Rel((high - low) / high, "<=", 1 - low), free, (Rel(low, "<=", high),), "P(mu > x) falls"))


@claim("ours/counting/steps-of-the-others", by="us", kind="identity", uses=("ours/counting/truncation",))
def steps_of_the_others() -> Argument:
    """The posterior mean of an arm after j rewards is w(j) rbar_j; its next step has variance w(j+1) - w(j), so that
    the steps of all other arms in the order of play are a Gaussian walk whose clock is the sum of their weights."""
    j, r, x, m = sp.symbols("j r x m")  # x = next reward, m = w(j) rbar_j; r = rho, units sigma_0 = 1
    free = {j: at_least(0), r: positive(), x: real(), m: real()}
    total = m * (j + r)  # sum of the first j rewards
    variance = r / (j + r) + r  # of the next reward: posterior variance plus noise
    slope = 1 / (j + 1 + r)
    return proof(
        Goal(Rel((total + x) / (j + 1 + r) - m, "=", slope * (x - m)), free, name="one step"),
        Goal(Rel(slope**2 * variance, "=", (j + 1) / (j + 1 + r) - j / (j + r)), free, name="its variance"),
        cited(DUBINS_SCHWARZ, name="Gaussian steps filled by bridges: a Brownian motion at the clock v'"),
    )


@claim("ours/counting/best-arm-noise", by="us", kind="identity")
def best_arm_noise() -> Argument:
    """w_l times the error of the best arm's average is a walk over n_l + rho, at most E = sup_u sigma B(u)/(u + rho).
    E > e says that B crosses the line e (u + rho)/sigma: level e rho/sigma, slope e/sigma, which a Brownian motion
    ever does with probability exp(-2 level slope) = exp(-2 e^2), as rho = sigma^2."""
    e, s = sp.symbols("e s")
    free = {e: positive(), s: positive()}
    return proof(
        Goal(Rel(2 * (e * s**2 / s) * (e / s), "=", 2 * e**2), free, name="the exponent"),
        cited(REFLECTION, name="the limit t to infinity of the crossing probability of a line"),
    )


@claim("ours/counting/law-of-S", by="us", kind="identity")
def law_of_S() -> Argument:
    """Given E = e and B(v0) = b, S <= s says that a Brownian motion from v0 on stays below a line for the time
    K - 2 - v0; the level is c = s (2 + v0) - e - b and the slope m = s + zeta."""
    s, v0, u, e, b0, zeta = sp.symbols("s v0 u e b0 zeta")
    free = {s: real(), v0: at_least(0), u: at_least(0), e: at_least(0), b0: real(), zeta: at_least(0)}
    line = (s * (2 + v0) - e - b0) + (s + zeta) * u
    return proof(
        Goal(Rel(s * (2 + v0 + u) - e + zeta * u - b0, "=", line), free, name="the boundary for B(v0 + u) - B(v0)"),
        cited(REFLECTION, name="the chance to stay below the line until K - 2 - v0"),
    )


@claim(
    "ours/counting",
    by="us",
    kind="bound",
    says=r"\text{Gaussian model},\ \sigma_0=1,\ \text{known variances},\ n>K\ge2,\ a>0,\ \Lambda\ge0,\ \zeta\ge0:\quad "
    r"R_n\le Ke_K+\sum_{N=1}^{n-K}\Lambda(N)+K\sum_{N=1}^{n-K}E\left[((Y-\mu)+\Lambda(N))1\{\mu<Y,\ "
    r"\bar r_N\ge Y-f_N(Y,S)/N\}\right]+\sum_{t=K+1}^n\max_{1\le N\le t-K}[\beta_t(N)-(1-p_t(N))\Lambda(N)]",
    uses=(
        "ours/counting/prices",
        "ours/counting/bad-rounds",
        "ours/good-pull",
        "ours/counting/steps-of-the-others",
        "ours/counting/best-arm-noise",
        "ours/counting/law-of-S",
        "sec:analysis/round-robin",
    ),
)
def counting() -> Argument:
    """The first K rounds cost K e_K. Each later round is star, good or bad: the prices of star rounds add up to at most
    the sum of all prices, each pair of a suboptimal arm and a count is pulled in at most one good round, where
    ours/good-pull bounds its average by the law of S, and a bad round with its price costs at most the largest value
    over the counts. This is Theorem U; `reucb.bounds.counting` evaluates its right side from above."""
    first, star, good, bad, priced, pairs, rounds = sp.symbols("first star good bad priced pairs rounds")
    free = dict.fromkeys((first, star, good, priced, pairs), at_least(0)) | {bad: real(), rounds: real()}
    return proof(
        Goal(
            Rel(first + star + good + bad, "<=", first + priced + pairs + rounds),
            free,
            (Rel(star, "<=", priced), Rel(good, "<=", pairs), Rel(bad, "<=", rounds)),
            "the three kinds of rounds together",
        )
    )
