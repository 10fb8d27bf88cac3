"""Section 5.2 (`sec:proof`): the second term, that is the pulled arm's tail, and the sums over rounds."""

import sympy as sp

from theory.kernel.analysis import antiderivative, rises_from
from theory.kernel.argument import Custom, Words, gap, proof, refuted
from theory.kernel.claim import claim
from theory.kernel.goal import Goal, Point, Rel, at_least, positive, real
from theory.kernel.region import everywhere
from theory.vocabulary import (
    V0,
    WEIGHTS,
    W,
    Wo,
    all_w,
    arm_goal,
    beta,
    rho,
    s,
    s0,
    tau_sq,
    tau_tilde_sq,
    w,
    w_k,
)

HERE = "Section 5.2"
a, x, y, c, d, L, v, delta, N, k = sp.symbols("a x y c d L v delta N k")
ERROR, WIDTH, OTHER, OTHER_WIDTH = sp.symbols("error width other_error other_width")
FAILING = dict.fromkeys((ERROR, WIDTH, OTHER, OTHER_WIDTH), positive())


@claim("sec:proof/posterior", where=f"{HERE}, second term", kind="step", depends_on=("sec:mu0Dist",),
       says=r"\mu_0\ \text{fixed (as in the theorem)}:\quad \mu_k\mid H_t\sim N(\hat\mu_{k,t},\tau_{k,t}^2)")
def printed_posterior():
    """The lemma has a flat prior on mu_0; in the theorem mu_0 is a fixed number, and given the history mu_k has the
    smaller variance tilde-tau^2 around tilde-mu, which depends on mu_0. (Under the flat prior R_n itself would
    have no meaning as defined.)"""
    printed = arm_goal(tau_sq, "=", tau_tilde_sq, name="variance claimed against variance with mu_0 fixed")
    return refuted(printed, region=everywhere(printed, (1 - w_k) ** 2 * s0 / all_w, WEIGHTS),
                   fails_when="always: tau_k^2 is larger by (1 - w_k)^2 sigma_0^2/W")


@claim("sec:proof/tail-union", where=f"{HERE}, second term, first inequality", kind="step",
       depends_on=("sec:proof/posterior",),
       says=r"t>K:\quad E[(\hat\mu_{I_t}-\mu_{I_t})1\{\bar E_{R;t}\}\mid H_t]\le\sum_k\frac1{\sqrt{2\pi\tau_k^2}}"
            r"\int_{c_k}^\infty xe^{-x^2/(2\tau_k^2)}dx")
def printed_union():
    """Printed as a consequence of the law of each single arm. That is not enough: on the event that some arm's
    interval fails, the pulled arm's error may be large and within its width while the failing arm has a small width
    and a small error (errors 2 and 1), so the sum over arms does not dominate outcome by outcome. The inequality
    itself is true, for a reason that is not given: the errors are positively correlated."""
    one = sp.Integer(1)
    return gap(Goal(Rel(ERROR, "<=", OTHER), FAILING, (Rel(ERROR, "<=", WIDTH), Rel(OTHER, ">", OTHER_WIDTH)),
                    "one outcome: the pulled arm's error is within its width, another arm's beyond its own"),
               at=Point({ERROR: 2 * one, WIDTH: 2 * one, OTHER: one, OTHER_WIDTH: one / 2},
                        {"error of the pulled arm": "2", "its width": "2", "error of the failing arm": "1",
                         "width of the failing arm": "1/2"}),
               fails_when="outcome by outcome, when the failing arm is not the pulled one and has the smaller error")


@claim("sec:proof/tail-union/repaired", where=f"{HERE}, second term, first inequality", kind="step",
       repairs="sec:proof/tail-union", depends_on=("ours/conditioning", "ours/correlation", "sec:proof/tail-integral"),
       says=r"t>K,\ D\ \text{all reward differences},\ A_k=\{X_k>c_k\},\ X_k=\hat\mu_k-\mu_k:\quad "
            r"E[X_{I_t}1_{\cup A_k}\mid D]\le\sum_kE[X_{I_t}1_{A_k}\mid D]\le\sum_kE[X_k1_{A_k}\mid D]")
def union():
    """The printed inequality, given the reward differences. How many intervals fail beyond the first rises with every
    error, and so does the pulled arm's error; associated variables have nonnegative covariance, so counting every
    failing arm adds. And X_I = (Cov/tau_k^2) X_k + an independent part, with a factor below 1."""
    v, count = sp.symbols("v count")  # w_I of another arm, number of failing intervals
    others = {v: positive()}
    covariance = (1 - v) * (1 - w) * V0
    return proof(
        arm_goal(covariance / tau_sq, "=", (1 - v) / (W + 1 - w), extra=others, name="Cov(X_I, X_k)/tau_k^2"),
        arm_goal((1 - v) / (W + 1 - w), "<", 1, given=(Rel(v, "<=", Wo),), extra=others,
                 name="below 1: arm I is one of the others, so w_I <= Wo"),
        Goal(Rel((count + d) - 1, ">=", count - 1), {count: at_least(1), d: at_least(0)},
             name="failures beyond the first rise with the number of failures"),
        Words("Jointly normal variables with nonnegative covariances are associated (Pitt): rising functions of them "
              "have nonnegative covariance. X_I and (number of failures - 1)^+ are rising, and X_I has mean 0; so "
              "E[X_I (number - 1)^+] >= 0, where (number - 1)^+ is the sum of the indicators less that of the union. "
              "Given the differences the pulled arm is fixed."),
    )


@claim("sec:proof/tail-union/own-event", where=f"{HERE}, second term, first inequality", kind="step",
       depends_on=("regret-decom/events",),
       says=r"U_k-\mu_k\le2c_k+(\hat\mu_k-\mu_k)1\{\hat\mu_k-\mu_k>c_k\},"
            r"\quad\mu_k-U_k\le(\mu_k-\hat\mu_k)1\{\mu_k-\hat\mu_k>c_k\}")
def own_event():
    """A simpler way: let each arm answer for its own interval only. Then the pulled arm's tail is one term of the sum,
    and the best arm's too, every term being nonnegative."""
    free = {x: real(), c: at_least(0), y: at_least(0), d: at_least(0)}
    return proof(
        Goal(Rel(x + c, "<=", 2 * c), free, (Rel(x, "<=", c),), "pulled arm, within its width"),
        Goal(Rel(x + c, "<=", 2 * c + x), free, (Rel(x, ">", c),), "pulled arm, beyond"),
        Goal(Rel(x - c, "<=", x), free, (Rel(x, ">", c),), "best arm, beyond"),
        Goal(Rel(y, "<=", y + d), free, name="one nonnegative tail is at most the sum of all"),
    )


@claim("sec:proof/tail-integral", where=f"{HERE}, second term, second inequality", kind="step",
       depends_on=("confidence-C",),
       says=r"\frac1{\sqrt{2\pi\tau^2}}\int_c^\infty xe^{-x^2/(2\tau^2)}dx=\frac{\tau\delta}{\sqrt{2\pi}},\quad "
            r"c^2=2\tau^2\log(1/\delta)")
def tail_integral():
    """Printed as an inequality, it is an equality: -tau^2 exp(-x^2/(2 tau^2)) is the antiderivative, and the width is
    made so that the exponential at c is delta."""
    free = {x: positive(), v: positive(), delta: positive()}  # v = tau^2
    primitive = -v * sp.exp(-(x**2) / (2 * v))

    def integral(factor: int) -> bool:
        y_, v_, c_ = sp.symbols("y v c", positive=True)
        found = sp.integrate(y_ * sp.exp(-(y_**2) / (2 * v_)), (y_, c_, sp.oo))
        return sp.simplify(found - factor * v_ * sp.exp(-(c_**2) / (2 * v_))) == 0

    return proof(
        antiderivative(primitive, x * sp.exp(-(x**2) / (2 * v)), x, free, "tail integrand"),
        Goal(Rel(sp.exp(-(2 * v * sp.log(1 / delta)) / (2 * v)), "=", delta), free, name="the exponential at c"),
        Goal(Rel(v * delta / sp.sqrt(2 * sp.pi * v), "=", sp.sqrt(v) * delta / sp.sqrt(2 * sp.pi)), free,
             name="constants"),
        Custom("sympy", "the improper integral, by SymPy's own integrator", lambda: integral(1),
               (("constant: twice the value", lambda: integral(2)), ("sign: minus the value", lambda: integral(-1)))),
    )


@claim("sec:proof/delta", where=f"{HERE}, after Eq. regret-decom-upper-term2", kind="step",
       says=r"\delta_t\le t^{-1/2}\ (a\ge1),\quad\delta_t\le t^{-1}\ (a\ge2)")
def delta_bound():
    """Compare exponents, log t >= 0. (The printed reference to Lemma sec:tau belongs to the bound on tau, not to this
    one.)"""
    free = {a: positive(), L: at_least(0)}
    return proof(Goal(Rel(a * L / 2, ">=", L / 2), free, (Rel(a, ">=", 1),), "a >= 1"),
                 Goal(Rel(a * L / 2, ">=", L), free, (Rel(a, ">=", 2),), "a >= 2"))


@claim("sec:proof/sum-root", where=f"{HERE}, after Eq. regret-decom-upper-term2", kind="inequality",
       says=r"\sum_{t=1}^nt^{-1/2}\le2\sqrt n")
def sum_of_roots():
    """Induction: 2 sqrt(n) + 1/sqrt(n+1) <= 2 sqrt(n+1). Two roots whose squares differ by 1 are (1/d -+ d)/2, d
    their difference."""
    low, high = (1 / d - d) / 2, (1 / d + d) / 2
    free = {d: positive()}
    return proof(
        Goal(Rel(high**2 - low**2, "=", 1), free, name="sqrt(n) and sqrt(n+1)"),
        Goal(Rel(2 * low + 1 / high, "<=", 2 * high), free, name="step"),
        Goal(Rel(2 * high - 2 * low - 1 / high, "=", 2 * d**3 / (1 + d**2)), free, name="its slack"),
        Goal(Rel(1, "<=", 2 * x), {x: at_least(1)}, name="first term, n = 1"),
    )


@claim("sec:proof/sum-root/sharp", where=f"{HERE}, after Eq. regret-decom-upper-term2", kind="inequality",
       depends_on=("sec:proof/sum-root",), says=r"\sum_{t=1}^nt^{-1/2}\le2\sqrt n-1,\ \text{equality at}\ n=1")
def sum_of_roots_sharp():
    """The same induction starts from an equality at n = 1."""
    low, high = (1 / d - d) / 2, (1 / d + d) / 2
    return proof(Goal(Rel(2 * low - 1 + 1 / high, "<=", 2 * high - 1), {d: positive()}, name="step"),
                 Goal(Rel(2 * sp.Integer(1) - 1, "=", 1), name="equality at n = 1"))


@claim("sec:proof/harmonic", where=f"{HERE}, after Eq. regret-decom-upper-term22", kind="inequality",
       says=r"\sum_{t=1}^nt^{-1}\le1+\log n")
def harmonic():
    """Induction: 1/(n+1) <= log(1 + 1/n), that is log(1+x) >= x/(1+x) at x = 1/n. Equality at n = 1."""
    return proof(
        *rises_from(sp.log(1 + x) - x / (1 + x), x, sp.Integer(0), {x: at_least(0)}, "log(1+x) - x/(1+x)"),
        Goal(Rel((x / (1 + x)).subs(x, 1 / N), "=", 1 / (N + 1)), {N: at_least(1)}, name="at x = 1/n"),
    )


@claim("sec:proof/tau-at-one-pull", where=f"{HERE}, Eq. regret-decom-upper-term2", kind="step",
       depends_on=("sec:tau",),
       says=r"t>K:\quad\tau_{k,t}\le\sqrt\beta\sqrt{\sigma^2/(1+\rho)}\le\beta\sqrt{\sigma^2/(1+\rho)}")
def tau_at_one_pull():
    """The largest width is at one pull. The printed beta is one root too many, and true as beta >= 1."""
    return proof(arm_goal(tau_sq, "<=", beta * s / (1 + rho), name="squared, with beta"),
                 arm_goal(beta, "<=", beta**2, name="beta >= 1"))


def two_tails(power: str):
    """Both tails rest on tau at one pull in every round; at t = 2 of two arms the second has tau^2 = sigma_0^2 (2 +
    rho)."""
    return gap(Goal(Rel(s0 * (2 + s / s0), "<=", (1 + s / (2 * s0)) ** 2 * s / (1 + s / s0)),
                    {s: positive(), s0: positive()},
                    name="K = 2, t = 2, arm 2 unpulled: tau^2 against its bound"),
               at=Point({s: sp.Integer(1), s0: sp.Integer(1)}, {"K": "2", "n": ["0", "1"], "t": "2", "sigma_sq": "1",
                                                                "sigma0_sq": "1"}),
               fails_when=f"rounds t <= K; and the union over arms, sec:proof/tail-union (sum of {power})")


@claim("regret-decom-upper-term2", where=f"{HERE}, Eq. regret-decom-upper-term2", kind="step",
       depends_on=("sec:proof/tail-union", "sec:proof/tail-integral", "sec:proof/delta", "sec:proof/sum-root",
                   "sec:proof/tau-at-one-pull"),
       says=r"a\ge1:\quad\text{second term}\le\frac1{\sqrt{2\pi}}\sum_{t=1}^nt^{-1/2}\beta "
            r"K\sqrt{\frac{\sigma^2}{1+\rho}}"
            r"\le\frac{\beta K}{\sqrt\pi}\sqrt{\frac{2n\sigma^2}{1+\rho}}")
def second_term():
    """In the rounds t <= K some arm is unpulled and its tau exceeds what the display puts for it; and the union bound
    is a gap."""
    return two_tails("t^(-1/2)")


@claim("regret-decom-upper-term2/repaired", where=f"{HERE}, Eq. regret-decom-upper-term2", kind="step",
       repairs="regret-decom-upper-term2",
       depends_on=("sec:proof/tail-union/own-event", "ours/conditioning", "sec:proof/tau-at-one-pull",
                   "sec:proof/sum-root"),
       says=r"a\ge1:\quad\sum_{t=K+1}^nE\sum_k(\hat\mu_k-\mu_k)1\{\hat\mu_k-\mu_k>c_k\}\le\frac{\sqrt\beta "
            r"K}{\sqrt\pi}\sqrt{\frac{2n\sigma^2}{1+\rho}}")
def second_term_repaired():
    """K arms, each with tail integral tau t^(-a/2)/sqrt(2 pi); after the first K rounds tau is at most its value at
    one pull."""
    root, total = sp.symbols("root total")  # sqrt(n), the sum of t^(-1/2)
    free = {root: positive(), total: positive(), k: positive(), v: positive()}
    return proof(
        Goal(Rel(k * v * total, "<=", k * v * 2 * root), free, (Rel(total, "<=", 2 * root),),
             "sum over rounds, v = sqrt(beta sigma^2/(1+rho))"),
        Goal(Rel((2 / sp.sqrt(2 * sp.pi)) ** 2, "=", (sp.sqrt(2) / sp.sqrt(sp.pi)) ** 2), name="constants, squared"),
        arm_goal(tau_sq, "<=", beta * s / (1 + rho), name="tau at one pull"),
    )


@claim("regret-decom-upper-term22", where=f"{HERE}, Eq. regret-decom-upper-term22", kind="step",
       depends_on=("sec:proof/tail-union", "sec:proof/tail-integral", "sec:proof/delta", "sec:proof/harmonic",
                   "sec:proof/tau-at-one-pull"),
       says=r"a\ge2:\quad\text{second term}\le\frac{\beta K(1+\log n)}{\sqrt{2\pi}}\sqrt{\frac{\sigma^2}{1+\rho}}")
def second_term_log():
    """The same two objections as for part (1)."""
    return two_tails("1/t")


@claim("regret-decom-upper-term22/repaired", where=f"{HERE}, Eq. regret-decom-upper-term22", kind="step",
       repairs="regret-decom-upper-term22",
       depends_on=("sec:proof/tail-union/own-event", "ours/conditioning", "sec:proof/tau-at-one-pull",
                   "sec:proof/harmonic"),
       says=r"a\ge2:\quad\sum_{t=K+1}^nE\sum_k(\hat\mu_k-\mu_k)1\{\hat\mu_k-\mu_k>c_k\}\le\frac{\sqrt\beta K(1+\log "
            r"n)}{\sqrt{2\pi}}\sqrt{\frac{\sigma^2}{1+\rho}}")
def second_term_log_repaired():
    """As before, with the harmonic sum."""
    total = sp.Symbol("total")
    free = {L: at_least(0), total: positive(), k: positive(), v: positive()}
    return proof(Goal(Rel(k * v * total, "<=", k * v * (1 + L)), free, (Rel(total, "<=", 1 + L),), "sum over rounds"),
                 arm_goal(tau_sq, "<=", beta * s / (1 + rho), name="tau at one pull"))
