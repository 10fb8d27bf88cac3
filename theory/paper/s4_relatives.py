"""Section 4, Related Algorithm Designs: what is said of UCB1, posteriors and other arms."""

import sympy as sp

from theory.effects import predicted
from theory.kernel.argument import proof, refuted
from theory.kernel.claim import claim
from theory.kernel.goal import Goal, Rel, at_least, positive, real
from theory.vocabulary import J, W, Wo, arm_goal, n, rho, s, s0, tau_sq, w

HERE = "Section 4"
a, h, lam, r, r0 = sp.symbols("a h lam r r0")
UCB1 = 8 * s / n  # its squared bonus over log t, as Section 6 uses it


@claim("sec:algorithm/reucb-inf", where=f"{HERE}, Related Algorithm Designs", kind="limit",
       depends_on=("MSE", "blup"),
       says=r"0\le\frac{\sigma^2}{n_k}-\tau_k^2\le\frac{\sigma^4}{n_k(n_k\sigma_0^2+\sigma^2)}\to 0 \text{ as "
            r"} \sigma_0^2\to\infty,\quad"
            r" \hat\mu_k\to\bar r_k")
def limit_of_unit_weights():
    """Unit weights are the limit of arms that differ without bound: the sample mean with squared bonus a
    sigma^2 log(t)/n_k. At w_k = 1 itself the printed tau_k^2 is 0/0."""
    return proof(arm_goal(s / n - tau_sq, ">=", 0, name="from below"),
                 arm_goal(s / n - tau_sq, "<=", s**2 / (n * (n * s0 + s)), name="rate"),
                 arm_goal(1 - predicted.own_noise, "<=", s / (n * s0 + s), name="own weight tends to 1"))


@claim("sec:algorithm/reduces-to-ucb1", where=f"{HERE}, Related Algorithm Designs", kind="prose",
       depends_on=("sec:algorithm/reucb-inf",),
       says=r"w_k=1,\ a=1:\ a\,\sigma^2/n_k=8\,\sigma^2/n_k \text{ (squared bonus over } \log t\text{)}")
def unit_weights_give_ucb1():
    """With all weights 1 and a = 1 the bonus is that of ReUCB-infinity, not of UCB1, whose square has the
    factor 8."""
    return refuted(arm_goal(s / n, "=", UCB1), fails_when="always: ReUCB with a = 1 is UCB1 for no weights")


@claim("sec:algorithm/reduces-to-ucb1/repaired", where=f"{HERE}, Related Algorithm Designs", kind="prose",
       repairs="sec:algorithm/reduces-to-ucb1", depends_on=("sec:algorithm/reucb-inf",),
       says=r"a=8,\ w_k=1 \text{ is UCB1};\quad a\tau_k^2\le\tfrac a8\cdot 8\sigma^2/n_k \text{ for all "
            r"weights}")
def unit_weights_and_eight():
    """It takes a = 8 and unit weights; with a = 1 the squared bonus is at most an eighth of UCB1's, whatever
    the weights."""
    return proof(arm_goal((a * s / n).subs(a, 8), "=", UCB1, name="a = 8"),
                 arm_goal(tau_sq, "<=", UCB1 / 8, name="a = 1, any weights"))


@claim("sec:algorithm/unit-weights", where=f"{HERE}, Related Algorithm Designs", kind="prose",
       depends_on=("w-def",),
       says=r"w_k<1 \text{ for every finite } n_k \text{ and } \sigma^2\ge 0")
def unit_weights_need_infinite_pulls():
    """Unit weights are said to need infinitely many pulls; without noise one pull is enough."""
    domain = {n: at_least(1, integer=True), s: at_least(0), s0: positive()}
    return refuted(Goal(Rel(w, "<", 1), domain), fails_iff=Rel(s, "<=", 0), fails_when="sigma^2 = 0")


@claim("sec:algorithm/unit-weights/repaired", where=f"{HERE}, Related Algorithm Designs", kind="prose",
       repairs="sec:algorithm/unit-weights", depends_on=("w-def/limit",),
       says=r"\sigma^2>0:\ w_k<1 \text{ always, and } w_k\to 1 \text{ as } n_k\to\infty \text{ or } "
            r"\sigma^2/\sigma_0^2\to 0")
def unit_weights_in_the_limit():
    """With noise the weight stays below 1; it tends to 1 with many pulls, and just as well with little noise or
    very different arms."""
    return proof(arm_goal(w, "<", 1, name="below 1"),
                 arm_goal(1 - w, "<", rho / n, name="three ways to the limit"))


@claim("sec:algorithm/borrows", where=f"{HERE}, Related Algorithm Designs", kind="prose", depends_on=("MSE",),
       says=r"\tau_k^2 \text{ falls strictly as other arms' weights rise}")
def borrowing_from_other_arms():
    """Every reward of another arm sharpens the estimate of mu_0 and with it the prediction of this arm: the
    joint use of all arms beats the use of any single one."""
    more = tau_sq.subs(Wo, Wo + h)
    return proof(arm_goal(more, "<", tau_sq, extra={h: positive()}, name="more weight on other arms"),
                 arm_goal(tau_sq - more, "=", (1 - w) ** 2 * s0 * h / (W * (W + h)), extra={h: positive()},
                          name="the gain"))


@claim("sec:algorithm/narrower", where=f"{HERE}, Related Algorithm Designs", kind="prose",
       depends_on=("compare-tauANDmab",),
       says=r"K\ge 2,\ n_i\ge 1:\ a\tau_k^2<a\sigma^2/n_k")
def narrower_interval():
    """The interval can be narrower than the classical one with the same constant, and is, once two arms have
    been pulled."""
    return proof(arm_goal(tau_sq, "<", s / n, extra={J: at_least(1, integer=True)}, name="two arms or more"))


@claim("sec:algorithm/posteriors-need-mu0", where=f"{HERE}, Related Algorithm Designs", kind="prose",
       depends_on=("sec:mu0Dist",),
       says=r"\partial E[\mu_k\mid H_t]/\partial m=1-w_k \text{ if } \mu_0\sim\mathcal N(m,\lambda),\ "
            r"\lambda\ge 0")
def posteriors_need_the_mean():
    """Computing posteriors is said to need mu_0. A prior on mu_0 does as well, and a flat one needs no value at
    all: the paper's own lemma computes that posterior."""
    influence = (1 - w) / (1 + lam * W / s0)
    return refuted(arm_goal(influence, "=", 1 - w, extra={lam: at_least(0)}),
                   fails_when="lambda > 0, i.e. unless mu_0 is known")


@claim("sec:algorithm/posteriors-need-mu0/repaired", where=f"{HERE}, Related Algorithm Designs", kind="prose",
       repairs="sec:algorithm/posteriors-need-mu0", depends_on=("sec:mu0Dist",),
       says=r"\frac{\partial E[\mu_k\mid H_t]}{\partial m}=\frac{1-w_k}{1+\lambda W/\sigma_0^2}"
            r"\le\frac{\sigma_0^2}{\lambda W}\to 0"
            r" \text{ as } \lambda\to\infty")
def posteriors_without_the_mean():
    """The assumed mean m matters less the less sure one is of it, and not at all under the flat prior."""
    m = sp.Symbol("m")
    centre = (m / lam + W * r0 / s0) / (1 / lam + W / s0)  # posterior mean of mu_0
    mean = (1 - w) * centre + w * r
    extra = {m: real(), r: real(), r0: real(), lam: positive()}
    influence = (1 - w) / (1 + lam * W / s0)
    return proof(arm_goal(sp.diff(mean, m), "=", influence, extra=extra, name="influence of the assumed mean"),
                 arm_goal(influence, "<=", s0 / (lam * W), extra={lam: positive()}, name="vanishes"))
