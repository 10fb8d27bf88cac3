"""Section 4, continued: the bonus, its constant, and which arm is pulled."""

import sympy as sp

from theory.kernel.analysis import rises_from
from theory.kernel.argument import Computation, proof, refuted
from theory.kernel.claim import claim
from theory.kernel.goal import Goal, Point, Rel, Var, at_least, positive, real
from theory.kernel.region import Region, exactly
from theory.model.arms import W, Wo, arm_goal, n, s, s0, tau_sq, tau_tilde_sq, w

HERE = "Section 4"
a, h, K, t = sp.symbols("a h K t")


@claim(
    "sec:algorithm/highest-ucb",
    where="Section 1; Section 4",
    kind="prose",
    depends_on=("alg:arm-ucb/repaired", "alg:arm-ucb"),
    says=r"U_{I_t,t}\ge U_{k,t} \text{ for all } k \text{ in every round } t",
)
def highest_index_in_every_round():
    """Said of every round, but the first K pulls follow the numbering. With three arms and first rewards 4 and 0 the
    third round pulls arm 3, although arm 1 has the higher index (with that of an unpulled arm read as its limit)."""
    bonus = {count: sp.sqrt(sq * sp.log(3)) for count, sq in ((1, sp.Rational(3, 4)), (0, sp.Integer(2)))}
    pulled, best = 2 + bonus[0], 3 + bonus[1]  # mu-hat_3 = r0-bar = 2 and mu-hat_1 = (2 + 4)/2
    shown = {"K": "3", "t": "3", "n": ["1", "1", "0"], "rewards": "4, 0", "sigma_sq": "1", "sigma0_sq": "1", "a": "1"}
    return refuted(
        Goal(Rel(pulled, ">=", best), name="index of the pulled arm"),
        at=Point({}, shown),
        region=overtaken(),
        fails_when="t <= K and w_k (rbar_k - r0bar) > (tau_t - tau_k) sqrt(a log t) for some arm k < t; "
        "arm t, not yet pulled, is the one in turn",
        also=(
            Computation(
                "exact",
                "the two squared widths",
                lambda *counts: [Rel(_tau(c), "=", x) for c, x in zip(counts, (sp.Rational(3, 4), 2), strict=True)],
                (1, 0),
                {"constant: counts exchanged": (0, 1), "constant: equal counts": (1, 1)},
            ),
        ),
    )


def overtaken() -> Region:
    """Where the index of a pulled arm k exceeds that of arm t, which is in turn: both are r0bar plus something."""
    weight, lead, wide, narrow, root, centre = sp.symbols("w_k lead tau_t tau_k root r0bar")
    free = {**dict.fromkeys((weight, wide, narrow), positive()), root: at_least(0), lead: real(), centre: real()}
    in_turn, other = centre + wide * root, centre + weight * lead + narrow * root
    meaning = {lead: sp.Symbol("rbar_k") - centre, root: sp.sqrt(a * sp.log(t))}
    return exactly(Goal(Rel(in_turn, ">=", other), free), Rel(weight * lead, ">", (wide - narrow) * root), meaning)


def _tau(count: int) -> sp.Expr:
    """tau^2 of an arm with this count beside pulled arms of one pull each, unit variances, two arms pulled in all."""
    return tau_sq.subs({n: count, s: 1, s0: 1, Wo: sp.Rational(2 - count, 2)})


@claim(
    "sec:algorithm/highest-ucb/repaired",
    where="Section 1; Section 4",
    kind="prose",
    repairs="sec:algorithm/highest-ucb",
    depends_on=("alg:arm-ucb/repaired",),
    says=r"t>K:\ U_{I_t,t}\ge U_{k,t};\quad t\le K: \text{ the arm pulled has the widest interval, } "
    r"\tau_k^2<\sigma_0^2+\sigma_0^2/W \text{ for every pulled arm } k",
)
def widest_first():
    """From round K + 1 on the rule is the algorithm's; before, an unpulled arm is the least known one, so the initial
    rounds choose by width alone."""
    return proof(
        arm_goal(tau_sq, "<", s0 + s0 / W, name="a pulled arm is better known than an unpulled one"),
        arm_goal(s0 + s0 / W - tau_sq, "=", w * s0 * (1 + (2 - w) / W), name="by how much"),
    )


@claim(
    "sec:algorithm/ties",
    where=HERE,
    kind="prose",
    depends_on=("alg:arm-ucb/repaired",),
    says=r"U_I\ge U_* \Rightarrow \mu_*-\mu_I\le(U_I-\mu_I)+(\mu_*-U_*), \text{ whichever of several best arms } I"
    r" \text{ is}",
)
def any_rule_for_ties():
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
    where=HERE,
    kind="prose",
    depends_on=("them-R-Bayes/repaired",),
    says=r"a\ge 1 \text{ is the range of Theorem them-R-Bayes; Theorem them-R-Bayes-SubR asks } a\ge m, \text{ and }"
    r" m>1 \text{ whenever } \sigma^2\ge\sigma_0^2",
)
def range_of_a():
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
    where=HERE,
    kind="definition",
    depends_on=("MSE", "MSE/variance"),
    says=r"c_{k,t}=\sqrt{a\tau_{k,t}^2\log t} \text{ is real; it is } 0 \text{ at } t=1",
)
def bonus_is_real():
    """log t is 0 in the first round and grows from there, so the bonus is defined wherever the width is."""
    rounds = {t: at_least(1)}
    return proof(
        *rises_from(sp.log(t), t, sp.Integer(1), rounds, "log t"),
        Goal(Rel(sp.log(t).subs(t, 1), "=", 0), {}, name="first round"),
    )


@claim(
    "sec:algorithm/known-mean",
    where=HERE,
    kind="prose",
    depends_on=("MSE-term1", "MSE"),
    says=r"\mu_0 \text{ known: } \tilde\tau_k^2<\tau_k^2, \text{ and } \tau_k^2\to\tilde\tau_k^2 \text{ as "
    r"} W\to\infty",
)
def variant_with_known_mean():
    """With mu_0 known the two replacements narrow every interval; with many arms they make little
    difference."""
    return proof(
        arm_goal(tau_tilde_sq, "<", tau_sq, name="narrower"),
        arm_goal(tau_sq - tau_tilde_sq, "<=", s0 / W, name="difference"),
    )


@claim(
    "sec:algorithm/a-positive",
    where=HERE,
    kind="definition",
    depends_on=("MSE",),
    says=r"a\tau_k^2 \text{ rises in } a>0: \text{ larger } a \text{ explores more}",
)
def tuning():
    """The tuning parameter scales the squared bonus; any positive value is admitted by the algorithm."""
    return proof(arm_goal(a * tau_sq, "<", (a + h) * tau_sq, extra={a: Var(sp.Integer(0), strict=True), h: positive()}))
