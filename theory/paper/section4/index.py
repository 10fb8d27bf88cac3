"""Section 4, continued: the bonus, its constant, and which arm is pulled."""

import sympy as sp

from theory.kernel.argument import Argument, proof, step
from theory.kernel.claim import claim
from theory.kernel.goal import Goal, Letter, Rel, Var, at_least, positive, real
from theory.kernel.rules import Rises, follows
from theory.model.arms import ARMS_LETTER, Wo, arm_goal, n, s0, tau_sq
from theory.model.quantities import TAU_SQ, TAU_TILDE_SQ, W_ALL, W_K

a, h, K, t = sp.symbols("a h K t")


@claim(
    "sec:algorithm/highest-ucb",
    by="paper",
    line=270,
    kind="prose",
    cites=("alg:arm-ucb/repaired",),
)
def widest_first() -> Argument:
    """Said after the initial rounds, so of the rounds t > K, where it is the algorithm's rule. In the initial rounds an
    unpulled arm is the least known one: they choose by width alone."""
    unpulled = TAU_SQ.xreplace({n: sp.Integer(0), Wo: W_ALL})  # of another arm, seen with arm k among the rest
    return proof(
        arm_goal(unpulled, "=", s0 + s0 / W_ALL, name="an unpulled arm"),
        arm_goal(TAU_SQ, "<", s0 + s0 / W_ALL, name="a pulled arm is better known than an unpulled one"),
        arm_goal(s0 + s0 / W_ALL - TAU_SQ, "=", W_K * s0 * (1 + (2 - W_K) / W_ALL), name="by how much"),
    )


@claim(
    "sec:algorithm/ties",
    by="paper",
    line=270,
    kind="prose",
    cites=("alg:arm-ucb/repaired",),
)
def any_rule_for_ties() -> Argument:
    """The analysis uses of I_t only that its index is not below the optimal arm's, so ties may be broken by any rule
    fixed in advance."""
    best, mine, upper, top = sp.symbols("best mine upper top")
    reals = {best: real(), mine: real(), upper: real(), top: real()}
    return proof(
        Goal(
            Rel(best - mine, "<=", (upper - mine) + (best - top)), reals, (Rel(upper, ">=", top),), "what a round costs"
        ),
        letters={
            best: Letter(sp.Symbol("mu_*"), "mean of the best arm"),
            mine: Letter(sp.Symbol("mu_I"), "mean of the arm that is pulled"),
            upper: Letter(sp.Symbol("U_I"), "index of the arm that is pulled"),
            top: Letter(sp.Symbol("U_*"), "index of the best arm"),
        },
    )


@claim(
    "sec:algorithm/bounds-for-a",
    by="paper",
    line=270,
    kind="prose",
    cites=("them-R-Bayes/repaired",),
)
def range_of_a() -> Argument:
    """Section 5 has a bound for a >= 1, as announced (for n >= 2). The sub-Gaussian bound of the appendix starts at
    a = m, which is above 1 if the noise is at least the spread; q stands for sigma/(sigma_0 sqrt K)."""
    q = sp.Symbol("q")
    m = (1 + q) ** 2 / (1 + 1 / (K * (1 + K * q**2)))
    domain = {K: at_least(1, integer=True), q: positive()}
    root = sp.Symbol("sigma", positive=True) / (sp.Symbol("sigma_0", positive=True) * sp.sqrt(sp.Symbol("K")))
    return proof(
        Goal(
            Rel(m, ">", 1),
            domain,
            (Rel(K * q**2, ">=", 1),),
            "noise at least the spread",
            short={sp.Symbol("m"): m},
            letters={q: Letter(root, "root of rho/K, rho = sigma^2/sigma_0^2"), **ARMS_LETTER},
        ),
        step(Goal(Rel(m.subs({K: 1, q: 1}), "=", sp.Rational(8, 3)), name="one arm, equal variances")),
    )


@claim(
    "sec:algorithm/bonus",
    by="paper",
    line=269,
    kind="definition",
    cites=("MSE/variance", "MSE"),
)
def bonus_is_real() -> Argument:
    """log t is 0 in the first round and grows from there, so the bonus, the root of this, is defined wherever the width
    is; it is 0 at t = 1."""
    width = sp.Symbol("width")  # tau_k^2
    domain = {t: at_least(1), a: positive(), width: positive()}
    rises = Rises(sp.log(t), t, sp.Integer(1), {t: at_least(1)}, "log t >= 0")
    return proof(
        follows(Rel(a * width * sp.log(t), ">=", 0), rises, domain=domain, name="under the root"),
        letters={
            width: Letter(sp.Symbol("tau_k", positive=True) ** 2, "squared width of arm k"),
            t: Letter(t, "round"),
            a: Letter(a, "tuning constant"),
        },
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
        arm_goal(TAU_TILDE_SQ, "<", TAU_SQ, name="narrower"),
        arm_goal(TAU_SQ - TAU_TILDE_SQ, "<=", s0 / W_ALL, name="difference"),
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
