"""Section 5 (`sec:analysis`): Theorem them-R-Bayes as stated, and the prose before it."""

from collections.abc import Iterator

import sympy as sp

from theory.kernel.argument import Argument, Refutation, gap, proof, refuted
from theory.kernel.claim import claim
from theory.kernel.goal import Goal, Point, Rel, Var, at_least, positive, real
from theory.kernel.region import unequal
from theory.kernel.rules import Expectation, IntegralOf
from theory.kernel.terms import Mean
from theory.model import bound_formulas as bounds
from theory.model.arms import arm_goal, n, s, s0, w
from theory.model.normal import phi, upper

k, a, N, L, big, ell = sp.symbols("K a N L big ell")  # K, a, n, log n, log(1 + n/rho), log(1 + 1/rho)
rho = s / s0
SIZES = {s: positive(), s0: positive(), k: at_least(1, integer=True)}
AT_TWO = {s: positive(), s0: positive()}


@claim(
    "sec:analysis/round-robin",
    by="us",
    kind="identity",
    says=r"n\le K:\quad R_n=n\sigma_0e_K,\quad e_K=E\max_{k\le K}Z_k,\ e_2=1/\sqrt\pi",
    uses=("alg:arm-ucb/each-arm-once",),
)
def round_robin() -> Argument:
    """The first K rounds pull arms 1, 2, ... without looking, so each costs E(mu_* - mu_k) = sigma_0 e_K. The
    larger of two has the density 2 phi Phi, and by parts its mean is the integral of 2 phi^2."""
    x, mean, best, arm, cost, t = sp.symbols("x mean best arm cost t")
    below = 1 - upper(x)

    return proof(
        Goal(
            Rel(sp.Sum(Mean(best - arm, best, arm), (t, 1, N)), "=", N * cost),
            {N: at_least(1, integer=True), mean: real(), cost: positive(), best: real(), arm: real()},
            (Rel(Mean(best, best, arm), "=", mean + cost), Rel(Mean(arm, best, arm), "=", mean)),
            name="n rounds: cost = sigma_0 e_K, and the arm of a round is fixed",
        ),
        Goal(
            Rel(sp.Derivative(-2 * phi(x) * below, x), "=", 2 * x * phi(x) * below - 2 * phi(x) ** 2),
            {x: real()},
            name="by parts: the mean of the larger of two, 2 x phi Phi, integrates as 2 phi^2",
        ),
        Goal(
            Rel(2 * phi(x) ** 2, "=", sp.exp(-(x**2)) / sp.pi),
            {x: real()},
            name="2 phi^2, whose integral is sqrt(pi)/pi",
        ),
        IntegralOf(
            sp.exp(-(x**2)) / sp.pi,
            -sp.erfc(x) / (2 * sp.sqrt(sp.pi)),
            x,
            -sp.oo,
            sp.oo,
            {x: real()},
            (-1 / sp.sqrt(sp.pi), sp.S.Zero),
            "e_2: the integral of exp(-x^2)/pi",
        ),
    )


@claim(
    "sec:analysis/regret",
    by="paper",
    line=286,
    kind="identity",
    says=r"E\sum_t(r_{I_*}-r_{I_t})=E\sum_t(\mu_{I_*}-\mu_{I_t})=R_n",
    uses=("payoff-R",),
)
def regret() -> Argument:
    """The words speak of rewards, the formula of means: the same on average, because the arm of round t is chosen
    before its reward is drawn, and so a reward's noise has mean 0 given the arm."""
    chosen, noise = sp.symbols("chosen noise")
    p, mean, e = sp.symbols("p mean e")  # a noise that is e with probability p and otherwise what makes its mean 0
    return proof(
        Goal(
            Rel(p * (mean + e) + (1 - p) * (mean - p * e / (1 - p)), "=", mean),
            {p: Var(sp.Integer(0), strict=True, high=sp.Rational(1, 2)), mean: real(), e: real()},
            name="mean reward of the chosen arm",
        ),
        Expectation(
            Goal(
                Rel(Mean(chosen + noise, noise), "=", chosen),
                {chosen: real(), noise: real()},
                (Rel(Mean(noise, noise), "=", 0),),
                "given the history and the arm means the choice is fixed, and the noise of the next reward has mean 0",
            ),
            (chosen,),
            name="mean reward and mean of the chosen arm",
        ),
    )


@claim(
    "sec:analysis/map",
    by="paper",
    line=284,
    kind="prose",
    severity="argument",
    cause="posterior",
    says=r"\mu_k\sim N(\mu_0,\sigma_0^2):\quad \hat\mu_k\ \text{is the maximiser of the posterior of}\ \mu_k\ "
    r"\text{given history}",
    cites=("mu-estimator", "blup"),
)
def printed_map() -> Argument:
    """A hypothesis is missing: a flat prior on mu_0. With mu_0 a fixed number, as in the theorem, the posterior mode
    is tilde-mu_k, which uses mu_0. One arm, one reward 1, mu_0 = 0 and equal variances: the mode is 1/2 and the
    estimate is 1."""
    x, mu0 = sp.symbols("reward mu0")
    inference = Goal(
        Rel(x, "=", (w * x + (1 - w) * mu0).subs(n, 1)),
        {**AT_TWO, x: real(), mu0: real()},
        name="K = 1, n = 1: estimate against posterior mode",
    )
    return gap(
        inference,
        premises=(Goal(inference.rel.at({mu0: x}), {**AT_TWO, x: real()}, name="the two agree if r-bar_0 = mu_0"),),
        region=unequal(inference, x - mu0),
        at=Point(
            {s: sp.Integer(1), s0: sp.Integer(1), x: sp.Integer(1), mu0: sp.Integer(0)},
            {"K": "1", "n": ["1"], "sigma_sq": "1", "sigma0_sq": "1", "reward": "1", "mu0": "0"},
        ),
        fails_when="fixed mu_0, unless r-bar_0 = mu_0: with one arm and one reward, unless the reward is mu_0",
    )


@claim(
    "sec:analysis/map/repaired",
    by="us",
    kind="prose",
    says=r"p(\mu_0)\propto1:\quad (\hat\mu_1,\dots,\hat\mu_K,\bar r_0)\ \text{maximises the posterior of}\ "
    r"(\mu_1,\dots,\mu_K,\mu_0)",
    cites=("sec:mu0Dist", "blup"),
    repairs="sec:analysis/map",
)
def flat_prior_map() -> Argument:
    """The joint log density is a concave quadratic; setting its slopes to 0 gives mu_k = (1-w_k) mu_0 + w_k r-bar_k
    and sum of w_i (r-bar_i - mu_0) = 0, that is mu_0 = r-bar_0."""
    x, y, mu0 = sp.symbols("x y mu0")
    free = {x: real(), y: real(), mu0: real()}
    density = -n * (x - y) ** 2 / (2 * s) - (y - mu0) ** 2 / (2 * s0)  # arm k's part; y stands for mu_k
    mode = (1 - w) * mu0 + w * x
    return proof(
        arm_goal(sp.Derivative(density, y).subs(y, mode), "=", 0, extra=free, name="slope in mu_k"),
        arm_goal(
            sp.Derivative(density, mu0).subs(y, mode),
            "=",
            w * (x - mu0) / s0,
            extra=free,
            name="slope in mu_0, one arm",
        ),
        arm_goal(-sp.Derivative(density, y, 2), ">", 0, name="concave in mu_k"),
    )


def unit_noise() -> Iterator[Point]:
    """Two arms, one round, sigma = 1 and growing sigma_0^2: the smallest integers first."""
    for spread in range(1, 200):
        yield Point(
            {s: sp.Integer(1), s0: sp.Integer(spread)},
            {"K": "2", "horizon": "1", "sigma_sq": "1", "sigma0_sq": str(spread)},
        )


def fails_at_one(part: int, constant: int, below: sp.Expr) -> Refutation:
    """Both parts fail at n = 1 in the same way; squared and multiplied by pi, the comparison at K = 2 is rational."""
    square = Goal(Rel(1, "<=", constant * rho * (2 + rho) ** 2 / (1 + rho)), AT_TWO, name="squared, K = 2")
    return refuted(
        Goal(
            Rel(sp.sqrt(s0 / sp.pi), "<=", bounds.gaussian_tail(sp.Integer(2), sp.Integer(1), s0, s, part)),
            AT_TWO,
            name="n = 1, K = 2: R_1 = sigma_0/sqrt(pi)",
            points=unit_noise,
        ),
        region_of=square,
        fails_iff=Rel(constant * s * (2 * s0 + s) ** 2, "<", s0**2 * (s0 + s)),
        fails_when=f"n = 1 and {constant} rho (K+rho)^2 < pi (1+rho) e_K^2; for K = 2 iff {constant} rho (2+rho)^2 < "
        f"1 + rho; "
        f"for every K >= 2 when rho <= {sp.sstr(below)}",
        also=(
            Goal(
                Rel(constant * below * (k + below) ** 2, "<", 1 + below),
                {k: at_least(2, integer=True)},
                name="inside the region for every K >= 2, as e_K >= e_2",
            ),
            Goal(
                Rel(sp.Derivative(constant * N * (k + N) ** 2 / (1 + N), N), ">", 0),
                {k: at_least(1, integer=True), N: positive()},
                name="the left side rises with rho (N here): the region is an interval from 0",
            ),
        ),
    )


@claim(
    "them-R-Bayes",
    by="paper",
    kind="bound",
    severity="edge",
    cause="n=1",
    says=r"a\ge1:\quad R_n\le 2\sqrt{a\frac{\log(1+n/\rho)}{\log(1+1/\rho)}\beta\sigma_0^2Kn\log n}"
    r"+(K+\rho)\sqrt{\frac{8n\sigma_0^2\sigma^2}{\pi(\sigma_0^2+\sigma^2)}}\quad\text{for every}\ n\ge1",
    cites=(
        "regret-decom-upper",
        "regret-decom-upper1",
        "regret-decom-upper-term2",
        "sec:proof/third-term",
        "sec:proof/posterior",
    ),
)
def printed_part_one() -> Argument:
    """At n = 1 the leading term is 0 and the tail vanishes with sigma, while one blind pull costs sigma_0 e_K. From n
    = 2 on it is true (them-R-Bayes/repaired), though not by the printed proof."""
    return fails_at_one(1, 8, 1 / (9 * k**2))


@claim(
    "them-R-Bayes/part-2",
    by="paper",
    line=297,
    kind="bound",
    severity="edge",
    cause="n=1",
    says=r"a\ge2:\quad R_n\le 2\sqrt{a\frac{\log(1+n/\rho)}{\log(1+1/\rho)}\beta\sigma_0^2Kn\log n}"
    r"+(1+\log n)(K+\rho)\sqrt{\frac{2\sigma_0^2\sigma^2}{\pi(\sigma_0^2+\sigma^2)}}\quad\text{for every}\ "
    r"n\ge1",
    cites=(
        "regret-decom-upper",
        "regret-decom-upper1",
        "regret-decom-upper-term22",
        "sec:proof/third-term",
        "sec:proof/posterior",
    ),
)
def printed_part_two() -> Argument:
    """False at n = 1 for the same reason, on a larger region, as the tail is half as large there."""
    return fails_at_one(2, 2, 1 / (9 * k**2))


@claim(
    "them-R-Bayes/agrees-with-proof",
    by="paper",
    line=420,
    kind="step",
    says=r"2\cdot\text{(repaired Eq. regret-decom-upper1)}+2\cdot\text{(Eq. "
    r"regret-decom-upper-term2)}=\text{bound of part (1), and so for (2)}",
    cites=("regret-decom-upper1/repaired",),
)
def statement_and_proof() -> Argument:
    """Twice each bound of the proof is the matching term of the statement; compared as squares, all terms being
    positive."""
    beta = 1 + rho / k
    spread = s / (1 + rho)
    free = {**SIZES, N: positive(), L: at_least(0), a: positive(), big: positive(), ell: positive()}
    return proof(
        Goal(
            Rel(4 * (beta * k) ** 2 * (2 * N * spread), "=", (k + rho) ** 2 * 8 * N * s0 * s / (s0 + s)),
            free,
            name="tail of part (1), squared, times pi",
        ),
        Goal(
            Rel(4 * (beta * k * (1 + L)) ** 2 * spread / 2, "=", (1 + L) ** 2 * (k + rho) ** 2 * 2 * s0 * s / (s0 + s)),
            free,
            name="tail of part (2), squared",
        ),
        Goal(Rel((k * s0 + s) / s0, "=", k + rho), free, name="the printed prefactor"),
        Goal(
            Rel(4 * (a * beta * N * L) * (s0 / ell) * k * big, "=", 4 * a * (big / ell) * beta * s0 * k * N * L),
            free,
            name="leading term, squared",
        ),
    )
