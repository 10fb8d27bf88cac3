"""Section 5.2 (`sec:proof`): the law of the errors that the second term rests on, and the sum over arms that bounds
it."""

import sympy as sp

from theory.kernel.analysis import antiderivative
from theory.kernel.argument import Argument, proof, refuted
from theory.kernel.claim import claim
from theory.kernel.classical import PITT
from theory.kernel.goal import Goal, Point, Rel, at_least, positive, real
from theory.kernel.region import Region, everywhere, exactly
from theory.kernel.rules import cited
from theory.kernel.terms import Mean
from theory.model.arms import V0, WEIGHTS, W, Wo, all_w, arm_goal, n, s, s0, tau_sq, tau_tilde_sq, w, w_k
from theory.model.normal import phi, upper

a, t, x, y, c, d = sp.symbols("a t x y c d")
reward = sp.Symbol("reward")


@claim(
    "sec:proof/posterior",
    by="paper",
    line=400,
    kind="step",
    severity="argument",
    cause="posterior",
    says=r"\mu_0\ \text{fixed (as in the theorem)}:\quad \mu_k\mid H_t\sim N(\hat\mu_{k,t},\tau_{k,t}^2)",
    cites=("sec:mu0Dist",),
)
def printed_posterior() -> Argument:
    """The lemma has a flat prior on mu_0; in the theorem mu_0 is a fixed number, and given the history mu_k has the
    smaller variance tilde-tau^2 around tilde-mu, which depends on mu_0. (Under the flat prior R_n itself would
    have no meaning as defined.)"""
    printed = arm_goal(tau_sq, "=", tau_tilde_sq, name="variance claimed against variance with mu_0 fixed")
    return refuted(
        printed,
        region=everywhere(printed, (1 - w_k) ** 2 * s0 / all_w, WEIGHTS),
        fails_when="always: tau_k^2 is larger by (1 - w_k)^2 sigma_0^2/W",
    )


@claim(
    "sec:proof/tail-union",
    by="paper",
    line=403,
    kind="step",
    severity="argument",
    cause="posterior",
    says=r"\mu_0\ \text{fixed},\ t>K:\quad E[(\hat\mu_{I_t}-\mu_{I_t})1\{\bar E_{R;t}\}\mid H_t]\le\sum_k"
    r"\frac1{\sqrt{2\pi\tau_k^2}}\int_{c_k}^\infty xe^{-x^2/(2\tau_k^2)}dx",
    cites=("sec:proof/posterior",),
)
def printed_union() -> Argument:
    """Given the history the error is N(mu-hat - tilde-mu, tilde-tau^2), mu_0 being a number, and its mean grows with
    the rewards. One arm, sigma = sigma_0 = a = 1, mu_0 = 0, one reward 1: the error is N(1/2, 1/2), its part beyond c =
    sqrt(log 2) is 0.41, the right side 0.28. (Under the flat prior of Lemma sec:mu0Dist, which is not the theorem's
    model, it is true: see the repair. And the law of each single arm would not be enough: the pulled arm's
    error may lie within its width while another arm fails with a smaller one.)"""
    one = sp.Integer(1)
    mean, deviation, width = s / (s0 + s) * reward, sp.sqrt(s0 * s / (s0 + s)), sp.sqrt(a * s * sp.log(2))
    z = (width - mean) / deviation
    return refuted(
        Goal(
            Rel(mean * upper(z) + deviation * phi(z), "<=", sp.sqrt(s) * phi(sp.sqrt(a * sp.log(2)))),
            {s: positive(), s0: positive(), a: at_least(1), reward: real()},
            name="K = 1, t = 2, reward - mu_0 = x",
        ),
        at=Point(
            {s: one, s0: one, a: one, reward: one},
            {"K": "1", "n": ["1"], "t": "2", "sigma_sq": "1", "sigma0_sq": "1", "a": "1", "mu0": "0", "reward": "1"},
        ),
        region=one_arm(),
        fails_when="for one arm iff m Q((c-m)/v) + v phi((c-m)/v) > tau delta/sqrt(2 pi), m = (1-w)(r-bar - mu_0), v = "
        "tilde-tau; for every K and t whenever (1-w_I)(r-bar_0 - mu_0) > c_I + delta/sqrt(2 pi) times the "
        "sum of tau_k: the left side is at least the mean error of the pulled arm less c_I",
        also=(
            antiderivative(-phi(x), x * phi(x), x, {x: real()}, "x phi(x)"),
            arm_goal(
                w * x + (1 - w) * y - w * x,
                "=",
                (1 - w) * y,
                extra={x: real(), y: real()},
                name="mean error mu-hat - tilde-mu, mu_0 = 0, x = r-bar, y = r-bar_0",
            ),
            Goal(
                Rel(mean, "=", ((1 - w) * reward).subs(n, 1)),
                {s: positive(), s0: positive(), reward: real()},
                name="and for one arm pulled once",
            ),
            Goal(Rel(x - c, "<=", x), {x: real(), c: at_least(0)}, name="some interval fails: error >= error - c"),
            Goal(Rel(x - c, "<=", 0), {x: real(), c: at_least(0)}, (Rel(x, "<=", c),), "none fails: 0 >= error - c"),
        ),
    )


def one_arm() -> Region:
    """Where the display fails for one arm: its mean m over v, the tail at z and the density at z as symbols."""
    m, v, tail, density, tau, level = sp.symbols("m v tail density tau level")
    free = {**dict.fromkeys((v, tail, density, tau, level), positive()), m: real()}
    z = (tau * sp.sqrt(a * sp.log(t)) - m) / v
    meaning = {tail: upper(z), density: phi(z), level: t ** (-a / 2) / sp.sqrt(2 * sp.pi)}
    return exactly(
        Goal(Rel(m * tail + v * density, "<=", tau * level), free),
        Rel(m * tail / v + density, ">", tau * level / v),
        meaning,
    )


@claim(
    "sec:proof/tail-union/repaired",
    by="us",
    kind="step",
    says=r"t>K,\ D\ \text{all reward differences},\ A_k=\{X_k>c_k\},\ X_k=\hat\mu_k-\mu_k:\quad "
    r"E[X_{I_t}1_{\cup A_k}\mid D]\le\sum_kE[X_{I_t}1_{A_k}\mid D]\le\sum_kE[X_k1_{A_k}\mid D]",
    uses=("ours/conditioning", "ours/correlation", "sec:proof/tail-integral"),
    repairs="sec:proof/tail-union",
)
def union() -> Argument:
    """The printed inequality, given the reward differences. How many intervals fail beyond the first rises with every
    error, and so does the pulled arm's error; associated variables have nonnegative covariance, so counting every
    failing arm adds. And X_I = (Cov/tau_k^2) X_k + an independent part, with a factor below 1."""
    v, count = sp.symbols("v count")  # w_I of another arm, number of failing intervals
    others, o = {v: positive()}, sp.Symbol("o")
    X, more = sp.Function("X")(o), sp.Function("more")(o)  # the pulled arm's error, failures beyond the first
    covariance = (1 - v) * (1 - w) * V0
    return proof(
        cited(
            PITT,
            hypotheses=(
                arm_goal(covariance, ">=", 0, given=(Rel(v, "<=", 1),), extra=others, name="covariance of two errors"),
            ),
            gives=Goal(
                Rel(Mean(X * more, o), ">=", Mean(X, o) * Mean(more, o)), {o: real(), more: at_least(0)}, name="Pitt"
            ),
            name="X_I and (number of failures - 1)^+, given the differences",
        ),
        arm_goal(covariance / tau_sq, "=", (1 - v) / (W + 1 - w), extra=others, name="Cov(X_I, X_k)/tau_k^2"),
        arm_goal(
            (1 - v) / (W + 1 - w),
            "<",
            1,
            given=(Rel(v, "<=", Wo),),
            extra=others,
            name="below 1: arm I is one of the others, so w_I <= Wo",
        ),
        Goal(
            Rel((count + d) - 1, ">=", count - 1),
            {count: at_least(1), d: at_least(0)},
            name="failures beyond the first rise with the number of failures",
        ),
    )


@claim(
    "sec:proof/tail-union/own-event",
    by="us",
    kind="step",
    says=r"U_k-\mu_k\le2c_k+(\hat\mu_k-\mu_k)1\{\hat\mu_k-\mu_k>c_k\},"
    r"\quad\mu_k-U_k\le(\mu_k-\hat\mu_k)1\{\mu_k-\hat\mu_k>c_k\}",
    uses=("regret-decom/events",),
)
def own_event() -> Argument:
    """A simpler way: let each arm answer for its own interval only. Then the pulled arm's tail is one term of the sum,
    and the best arm's too, every term being nonnegative."""
    free = {x: real(), c: at_least(0), y: at_least(0), d: at_least(0)}
    return proof(
        Goal(Rel(x + c, "<=", 2 * c), free, (Rel(x, "<=", c),), "pulled arm, within its width"),
        Goal(Rel(x + c, "<=", 2 * c + x), free, (Rel(x, ">", c),), "pulled arm, beyond"),
        Goal(Rel(x - c, "<=", x), free, (Rel(x, ">", c),), "best arm, beyond"),
        Goal(Rel(y, "<=", y + d), free, name="one nonnegative tail is at most the sum of all"),
    )
