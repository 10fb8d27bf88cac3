"""Section 4, Related Algorithm Designs: what is said of UCB1, posteriors and other arms."""

import sympy as sp

from theory.kernel.argument import Argument, gap, proof
from theory.kernel.claim import claim
from theory.kernel.goal import Goal, Letter, Rel, at_least, positive, real
from theory.model.arms import LETTERS, J, Wo, arm_goal, arm_point, n, rho, s, s0, tau_sq, w
from theory.model.effects import predicted
from theory.model.quantities import TAU_SQ, W_ALL, W_K, mu0
from theory.model.statistics import Cov, mu_i, mu_k
from theory.paper.section2 import cantelli, x, y

a, b, h, lam, r, r0 = sp.symbols("a b h lambda rbar_k rbar_0")
UCB1 = 8 * s / n  # its squared bonus over log t, as Section 6 uses it


@claim(
    "sec:algorithm/reucb-inf",
    by="paper",
    line=274,
    kind="limit",
    cites=("MSE", "blup"),
)
def limit_of_unit_weights() -> Argument:
    """Unit weights are the limit of arms that differ without bound: the sample mean with squared bonus a
    sigma^2 log(t)/n_k. At w_k = 1 itself the printed tau_k^2 is 0/0."""
    return proof(
        arm_goal(TAU_SQ, "<=", s / n, name="from below"),
        arm_goal(s / n - TAU_SQ, "<=", s**2 / (n * (n * s0 + s)), name="rate"),
        arm_goal(1 - predicted.own_noise, "<=", s / (n * s0 + s), name="own weight tends to 1"),
    )


@claim(
    "sec:algorithm/reduces-to-ucb1",
    by="paper",
    line=274,
    kind="prose",
    cites=("compare-tauANDmab/repaired", "sec:algorithm/unit-weights"),
)
def reduces_only_if() -> Argument:
    """That ReUCB with a = 1 is UCB1 only with unit weights is true because it is UCB1 for no weights at all: its
    squared bonus is at most an eighth of UCB1's. In particular it does not behave like UCB1, as concluded."""
    return proof(
        arm_goal(tau_sq, "<=", UCB1 / 8, name="at most an eighth"),
        arm_goal(tau_sq, "<", UCB1, name="never equal"),
        arm_goal((s / n), "<", UCB1, name="nor with unit weights"),
    )


@claim(
    "fig:Gaussian-Others/caption",
    by="paper",
    line=932,
    kind="prose",
    cites=("sec:algorithm/reucb-inf",),
)
def unit_weights_give_ucb1_with_a() -> Argument:
    """UCB1 has no a, so UCB1 with a = 1 can only mean a in place of its 8; then it is right. It is UCB1 as the
    experiments run it for a = 8 and, as the bonus rises in a, for no other constant."""
    return proof(
        arm_goal(a * s / n - UCB1, "=", (a - 8) * s / n, extra={a: positive()}, name="against UCB1's"),
        arm_goal(a * s / n, "<", UCB1, extra={a: positive()}, given=(Rel(a, "<", 8),), name="a below 8"),
    )


@claim(
    "sec:algorithm/unit-weights",
    by="paper",
    line=274,
    kind="prose",
    severity="edge",
    cause="zero-variance",
    says=r"w_k<1 \text{ for every finite } n_k \text{ and } \sigma^2\ge 0",
    cites=("w-def",),
)
def unit_weights_need_infinite_pulls() -> Argument:
    """Unit weights are said to need infinitely many pulls, which needs noise, a hypothesis that is not printed: without
    noise one pull is enough."""
    domain = {n: at_least(1, integer=True), s: at_least(0), s0: positive()}
    return gap(
        Goal(Rel(w, "<", 1), domain, letters=LETTERS),
        premises=(arm_goal(w, "<", 1, name="with noise"),),
        at=arm_point((1,), sp.Integer(0), sp.Integer(1)),
        fails_iff=Rel(s, "<=", 0),
        fails_when="sigma^2 = 0",
    )


@claim(
    "sec:algorithm/unit-weights/repaired",
    by="us",
    kind="prose",
    cites=("w-def/limit",),
    repairs="sec:algorithm/unit-weights",
)
def unit_weights_in_the_limit() -> Argument:
    """With noise the weight stays below 1; it tends to 1 with many pulls, and just as well with little noise or
    very different arms."""
    return proof(arm_goal(w, "<", 1, name="below 1"), arm_goal(1 - w, "<", rho / n, name="three ways to the limit"))


@claim(
    "sec:algorithm/borrows",
    by="paper",
    line=274,
    kind="prose",
    cites=("MSE", "compare-tauANDmab/repaired", "compare-tauANDmab"),
)
def borrowing_from_other_arms() -> Argument:
    """Every reward of another arm sharpens the estimate of mu_0 and with it the prediction of this arm: the
    joint use of all arms beats the use of any single one."""
    more = TAU_SQ.xreplace({Wo: Wo + h})
    gain = (1 - W_K) ** 2 * s0 * h / (W_ALL * (W_ALL + h))
    return proof(
        arm_goal(more, "<", TAU_SQ, extra={h: positive()}, name="more weight on other arms"),
        arm_goal(TAU_SQ - more, "=", gain, extra={h: positive()}, name="the gain"),
    )


@claim(
    "sec:algorithm/narrower",
    by="paper",
    line=274,
    kind="prose",
    cites=("compare-tauANDmab/repaired", "compare-tauANDmab"),
)
def narrower_interval() -> Argument:
    """The interval can be narrower than the classical one with the same constant, and is, once two arms have
    been pulled."""
    return proof(arm_goal(tau_sq, "<", s / n, extra={J: at_least(1, integer=True)}, name="two arms or more"))


@claim(
    "sec:algorithm/posteriors-need-mu0",
    by="paper",
    line=276,
    kind="prose",
    cites=("mu-estimator",),
)
def posteriors_need_the_mean() -> Argument:
    """The posteriors in question are those of Thompson sampling and Bayes-UCB, from the prior N(mu_0, sigma_0^2) of
    each arm: their mean moves with mu_0 at the rate 1 - w_k, which is above 0 after any number of pulls."""
    return proof(
        arm_goal(
            sp.Derivative((1 - W_K) * mu0 + W_K * r, mu0), "=", 1 - W_K, extra={mu0: real(), r: real()}, name="rate"
        ),
        arm_goal(1 - W_K, ">", 0, name="it matters"),
    )


@claim(
    "sec:algorithm/posteriors-need-mu0/flat-prior",
    by="us",
    line=276,
    kind="prose",
    cites=("sec:algorithm/posteriors-need-mu0", "sec:mu0Dist"),
)
def posteriors_without_the_mean() -> Argument:
    """A prior N(m, lambda) on mu_0 is another way to a posterior: the assumed mean m matters less the less sure one is
    of it, and not at all under the flat prior, whose posterior the paper computes itself (sec:mu0Dist)."""
    m = sp.Symbol("m")
    centre = (m / lam + W_ALL * r0 / s0) / (1 / lam + W_ALL / s0)  # posterior mean of mu_0
    mean = (1 - W_K) * centre + W_K * r
    extra = {m: real(), r: real(), r0: real(), lam: positive()}
    influence = (1 - W_K) / (1 + lam * W_ALL / s0)
    return proof(
        arm_goal(sp.Derivative(mean, m), "=", influence, extra=extra, name="influence of the assumed mean"),
        arm_goal(influence, "<=", s0 / (lam * W_ALL), extra={lam: positive()}, name="vanishes"),
        letters={lam: Letter(lam, "variance of the prior of mu_0"), m: Letter(m, "mean of the prior of mu_0")},
    )


@claim(
    "sec:algorithm/side-information",
    by="paper",
    line=278,
    kind="prose",
    cites=("payoff-M1", "payoff-M1/tails"),
)
def side_information_in_probability() -> Argument:
    """The side information in question is a bound on the conditional mean. It can be derived, also one that holds with
    some probability (Cantelli), and it is the same whatever mu_k is: the other arm helps only through mu_0."""
    meaning = "(mu_i - mu_0)/sigma_0, of which mu_k tells nothing"
    standard = {y: Letter(sp.Symbol("X"), meaning), x: Letter(x, "any level")}
    return proof(arm_goal(Cov(mu_i, mu_k), "=", 0, name="another arm's mean"), cantelli(), letters=standard)
