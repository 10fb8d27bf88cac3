"""Section 4, continued: the bonus, its constant, and which arm is pulled."""

import sympy as sp

from theory.kernel.analysis import rises_from
from theory.kernel.argument import Argument, proof
from theory.kernel.claim import claim
from theory.kernel.goal import Goal, Rel, Var, at_least, positive, real
from theory.model.arms import W, arm_goal, s0, tau_sq, tau_tilde_sq, w

a, h, K, t = sp.symbols("a h K t")


@claim(
    "sec:algorithm/highest-ucb",
    by="paper",
    line=270,
    kind="prose",
    says=r"t>K:\ U_{I_t,t}\ge U_{k,t};\quad t\le K: \text{ the arm pulled has the widest interval, } "
    r"\tau_k^2<\sigma_0^2+\sigma_0^2/W \text{ for every pulled arm } k",
    cites=("alg:arm-ucb/repaired",),
)
def widest_first() -> Argument:
    """Said after the initial rounds, so of the rounds t > K, where it is the algorithm's rule. In the initial rounds an
    unpulled arm is the least known one: they choose by width alone."""
    return proof(
        arm_goal(tau_sq, "<", s0 + s0 / W, name="a pulled arm is better known than an unpulled one"),
        arm_goal(s0 + s0 / W - tau_sq, "=", w * s0 * (1 + (2 - w) / W), name="by how much"),
    )


@claim(
    "sec:algorithm/ties",
    by="paper",
    line=270,
    kind="prose",
    uses=("alg:arm-ucb/repaired",),
)
def any_rule_for_ties() -> Argument:
    """The analysis uses of I_t only that its index is not below the optimal arm's, so ties may be broken by any rule
    fixed in advance."""
    best, mine, upper, top = sp.symbols("best mine upper top")
    reals = {best: real(), mine: real(), upper: real(), top: real()}
    return proof(
        Goal(
            Rel(best - mine, "<=", (upper - mine) + (best - top)), reals, (Rel(upper, ">=", top),), "what a round costs"
        )
    )


@claim(
    "sec:algorithm/bounds-for-a",
    by="paper",
    line=270,
    kind="prose",
    says=r"a\ge 1 \text{ is the range of Theorem them-R-Bayes; Theorem them-R-Bayes-SubR asks } a\ge m, \text{ and }"
    r" m>1 \text{ whenever } \sigma^2\ge\sigma_0^2",
    uses=("them-R-Bayes/repaired",),
)
def range_of_a() -> Argument:
    """Section 5 has a bound for a >= 1, as announced (for n >= 2). The sub-Gaussian bound of the appendix starts at
    a = m, which is above 1 if the noise is at least the spread; q stands for sigma/(sigma_0 sqrt K)."""
    q = sp.Symbol("q")
    m = (1 + q) ** 2 / (1 + 1 / (K * (1 + K * q**2)))
    domain = {K: at_least(1, integer=True), q: positive()}
    return proof(
        Goal(Rel(m, ">", 1), domain, (Rel(K * q**2, ">=", 1),), "noise at least the spread"),
        Goal(Rel(m.subs({K: 1, q: 1}), "=", sp.Rational(8, 3)), name="one arm, equal variances"),
    )


@claim(
    "sec:algorithm/bonus",
    by="paper",
    line=269,
    kind="definition",
    says=r"c_{k,t}=\sqrt{a\tau_{k,t}^2\log t} \text{ is real; it is } 0 \text{ at } t=1",
    uses=("MSE",),
    cites=("MSE/variance",),
)
def bonus_is_real() -> Argument:
    """log t is 0 in the first round and grows from there, so the bonus is defined wherever the width is."""
    rounds = {t: at_least(1)}
    return proof(
        *rises_from(sp.log(t), t, sp.Integer(1), rounds, "log t"),
        Goal(Rel(sp.log(t).subs(t, 1), "=", 0), {}, name="first round"),
    )


@claim(
    "sec:algorithm/known-mean",
    by="paper",
    line=262,
    kind="prose",
    cites=("MSE-term1", "MSE"),
)
def variant_with_known_mean() -> Argument:
    """With mu_0 known the two replacements narrow every interval; with many arms they make little
    difference."""
    return proof(
        arm_goal(tau_tilde_sq, "<", tau_sq, name="narrower"),
        arm_goal(tau_sq - tau_tilde_sq, "<=", s0 / W, name="difference"),
    )


@claim(
    "sec:algorithm/a-positive",
    by="paper",
    line=270,
    kind="definition",
    cites=("MSE",),
)
def tuning() -> Argument:
    """The tuning parameter scales the squared bonus; any positive value is admitted by the algorithm."""
    return proof(arm_goal(a * tau_sq, "<", (a + h) * tau_sq, extra={a: Var(sp.Integer(0), strict=True), h: positive()}))
