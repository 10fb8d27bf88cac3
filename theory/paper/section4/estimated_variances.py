"""Section 4, continued: the algorithm with estimated variances, when an estimate is 0."""

import sympy as sp

from theory.kernel.argument import Argument, Computation, proof, refuted
from theory.kernel.claim import claim
from theory.kernel.goal import Goal, Letter, Point, Rel, at_least, positive, real
from theory.model.arms import LETTERS, J, Wo, arm_goal, n, s, s0, w
from theory.model.quantities import TAU_SQ, W_ALL, W_K
from theory.model.statistics import E, mu_hat, rbar_k

r, x = sp.symbols("r x")
zero = sp.Integer(0)
READ_AS = {s: sp.Symbol("sigmahat_sq"), s0: sp.Symbol("sigmahat0_sq")}  # entries of the counterexamples
ESTIMATED = {
    n: LETTERS[n],
    s: Letter(LETTERS[s].shown, "estimated variance of the rewards of an arm"),
    s0: Letter(LETTERS[s0].shown, "estimated variance of the arm means"),
    r: Letter(r, "mean of the rewards, equal for all arms"),
}


@claim(
    "alg:arm-ucb/estimated-variances",
    by="paper",
    line=257,
    kind="algorithm",
    severity="edge",
    cause="undefined-estimates",
    says=r"\hat\sigma_0^2+\hat\sigma^2/n_k>0, \text{ so that } w_k \text{ is defined with estimated "
    r"variances}",
    cites=("variance1", "variance2", "w-def"),
)
def weights_from_estimates() -> Argument:
    """If all rewards so far are equal, as happens with Bernoulli rewards, both estimates are 0 and every weight
    is 0/0."""
    domain = {s: at_least(0), s0: at_least(0), n: at_least(1, integer=True)}
    shown = {"K": "2", "n": ["2", "1"], "sigmahat_sq": "0", "sigmahat0_sq": "0"}
    return refuted(
        Goal(Rel(s0 + s / n, ">", 0), domain, name="divisor of the weight", letters=ESTIMATED),
        at=Point({n: sp.Integer(2), s: zero, s0: zero}, shown, READ_AS, {"rewards": "all equal"}),
        fails_iff=Rel(s0 + s, "<=", 0),
        fails_when="both estimates are 0: all rewards so far are equal",
    )


@claim(
    "alg:arm-ucb/estimated-variances/repaired",
    by="us",
    kind="algorithm",
    repairs="alg:arm-ucb/estimated-variances",
)
def any_weight_will_do() -> Argument:
    """Unless both estimates vanish the weight is defined; if they do, all sample means agree and the weight
    does not matter."""
    domain = {s: at_least(0), s0: at_least(0), n: at_least(1, integer=True)}
    return proof(
        Goal(Rel(s0 + s / n, ">", 0), domain, (Rel(s0 + s, ">", 0),), "defined"),
        Goal(Rel((1 - x) * r + x * r, "=", r), {x: real(), r: real()}, name="equal means, any weight"),
        letters=ESTIMATED,
    )


@claim(
    "alg:arm-ucb/no-noise-seen",
    by="paper",
    line=257,
    kind="algorithm",
    severity="edge",
    cause="undefined-estimates",
    says=r"\hat\sigma_0^2>0 \Rightarrow \sum_i(1-w_i)n_i>0, \text{ so that } \bar r_0 \text{ and } \tau_k^2 \text{"
    r" are defined with estimated variances}",
    cites=("variance1", "variance2", "r0-estimator", "MSE"),
)
def no_noise_seen() -> Argument:
    """If the rewards of each arm agree but the arms differ, as Bernoulli arms with rewards 1, 1 and 0, 0 do, the
    noise is estimated as 0 and the spread as 1/2: every weight is 1, and both printed divisions are 0/0."""
    domain = {n: at_least(1, integer=True), s: at_least(0), s0: positive()}
    shown = {"K": "2", "n": ["2", "2"], "sigmahat_sq": "0", "sigmahat0_sq": "1/2"}
    estimates = _estimates(((1, 1), (0, 0)))
    return refuted(
        Goal(Rel(n * (1 - w), ">", 0), domain, name="an arm's term of the divisor", letters=ESTIMATED),
        at=Point({n: sp.Integer(2), s: estimates[0], s0: estimates[1]}, shown, READ_AS, {"rewards": "1, 1 and 0, 0"}),
        fails_iff=Rel(s, "<=", 0),
        fails_when="the estimated noise is 0: the rewards of each arm are all equal",
        also=(
            Computation(
                "exact",
                "the two estimates",
                lambda rewards: [
                    Rel(x, "=", y) for x, y in zip(_estimates(rewards), (0, sp.Rational(1, 2)), strict=True)
                ],
                (((1, 1), (0, 0)),),
                {"constant: one reward differs": (((1, 0), (0, 0)),)},
            ),
        ),
    )


def _estimates(rewards: tuple[tuple[int, ...], ...]) -> tuple[sp.Rational, sp.Rational]:
    """Eq. variance1 and Eq. variance2."""
    size, sizes = sum(map(len, rewards)), [len(arm) for arm in rewards]
    means, overall = [sp.Rational(sum(arm), len(arm)) for arm in rewards], sp.Rational(sum(map(sum, rewards)), size)
    within = sum(((x_ - m) ** 2 for arm, m in zip(rewards, means, strict=True) for x_ in arm), zero)
    between = sum((c * (m - overall) ** 2 for c, m in zip(sizes, means, strict=True)), zero)
    return within / (size - len(rewards)), between / (size - sp.Rational(sum(c * c for c in sizes), size))


@claim(
    "alg:arm-ucb/no-noise-seen/repaired",
    by="us",
    kind="algorithm",
    cites=("compare-tauANDmab/divisor-without-noise/repaired",),
    repairs="alg:arm-ucb/no-noise-seen",
)
def greedy_without_noise_seen() -> Argument:
    """Written in the weights everything is defined; the index is then the sample mean without a bonus, so the
    algorithm is greedy until some arm shows noise."""
    silent = {s: zero, Wo: J}
    return proof(
        arm_goal(n * (1 - w), ">", 0, name="the printed divisor, for estimates above 0"),
        arm_goal(W_ALL, ">", 0, name="divisor"),
        arm_goal(E((mu_hat - rbar_k) ** 2).xreplace(silent), "=", 0, name="the prediction is the sample mean"),
        arm_goal(TAU_SQ.xreplace(silent), "=", 0, name="no bonus"),
    )


@claim(
    "sec:introduction/adaptive-weights",
    by="paper",
    line=135,
    kind="prose",
    cites=("w-def", "blup"),
)
def weights_adapt_to_the_data() -> Argument:
    """With known variances a weight is a function of the arm's count alone, and rises with it; the rewards themselves
    enter only when the variances are estimated from them."""
    first, second, moved = ((1, 0), (0, 0)), ((1, 1), (0, -1)), ((2, 1), (1, 1))  # the same counts; the first plus 1
    return proof(
        arm_goal(W_K, "<", W_K.xreplace({n: n + 1}), name="known variances: one more pull"),
        Computation(
            "exact",
            "estimated variances: same counts, other rewards, other weights",
            lambda one, other: Rel(_estimated_weight(one), ">", _estimated_weight(other)),
            (first, second) if _estimated_weight(first) > _estimated_weight(second) else (second, first),
            {"constant: all rewards moved by 1": (first, moved)},
        ),
    )


def _estimated_weight(rewards: tuple[tuple[int, ...], ...]) -> sp.Rational:
    """The weight of the first arm with estimates in place of the variances."""
    noise, spread = _estimates(rewards)
    return spread / (spread + noise / len(rewards[0]))
