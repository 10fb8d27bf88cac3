"""Section 4 (`sec:algorithm`): the initial rounds of the algorithm as printed, and where its indices are defined."""

from itertools import product

import sympy as sp

from theory.kernel.argument import Argument, Computation, proof, refuted
from theory.kernel.claim import claim
from theory.kernel.goal import Goal, Point, Rel, at_least, positive
from theory.kernel.rules import SumOver, follows
from theory.model.arms import ARMS_LETTER, DOMAIN, LETTERS, J, No, Wo, arm_goal, n, rho, s, s0
from theory.model.quantities import N_ALL, TAU_SQ, W_ALL, ArmSum, count_i, weight_i
from theory.model.statistics import E, mu_hat, rbar_0

HERE = "Section 4"
k, K, t, horizon = sp.symbols("k K t horizon")
COUNTS = {K: at_least(1, integer=True), t: at_least(1, integer=True), horizon: at_least(1, integer=True)}
one = sp.Integer(1)


@claim(
    "alg:arm-ucb",
    by="paper",
    kind="algorithm",
    severity="edge",
    cause="unpulled-arms",
    says=r"\text{in every round each arm } k \text{ has been pulled, } n_{k,t}\ge 1, \text{ so that } \bar r_{k,t},"
    r"\ w_{k,t},\ \tau_{k,t}^2, \text{ which divide by } n_{k,t}, \text{ and with them } U_{k,t} "
    r"\text{ are defined}",
    cites=("blup", "MSE"),
)
def every_index_defined() -> Argument:
    """The indices are computed at the top of every round. Arm k is first pulled in round k, so in round t <= K the
    arms t, ..., K have no pull to divide by: their sample mean is 0/0."""
    before = Rel(t - k, ">", 0)  # arm k has been pulled before round t, one of the first K + 1
    return refuted(
        Goal(
            before,
            {**COUNTS, k: at_least(1, integer=True)},
            (Rel(k, "<=", K), Rel(t, "<=", K + 1)),
            "pulls of arm k before round t",
            letters={**LETTERS, **ARMS_LETTER},
        ),
        fails_iff=Rel(t, "<=", k),
        fails_when="t <= K, for the arms t, ..., K",
        also=(
            Computation(
                "exact",
                "in round t of up to four arms the arms from t on are unpulled, and no others",
                _unpulled_from,
                (0,),
                {"constant: from t + 1 on": (1,), "constant: from t - 1 on": (-1,)},
            ),
        ),
    )


def _initial_counts(arms: int, round_: int) -> list[int]:
    """Counts at the beginning of a round, by playing the first lines of the algorithm."""
    counts = [0] * arms
    for t_ in range(1, round_):
        counts[t_ - 1] += 1
    return counts


@claim(
    "alg:arm-ucb/repaired",
    by="us",
    kind="algorithm",
    cites=("MSE", "w-def/unpulled"),
    repairs="alg:arm-ucb",
)
def index_after_initialisation() -> Argument:
    """Computed from round K + 1 on, every divisor is positive. Written in weights, the index even exists from
    round 2 on: an unpulled arm is predicted by the common mean."""
    some, unpulled = (Rel(Wo, ">", 0),), {n: sp.Integer(0)}
    return proof(
        Goal(
            Rel(t, ">", k),
            {**COUNTS, k: COUNTS[K]},
            (Rel(k, "<=", K), Rel(t, ">", K)),
            "arm k has been pulled",
            letters={**LETTERS, **ARMS_LETTER},
        ),
        arm_goal(n * s0 + s, ">", 0, name="divisor of the weight"),
        arm_goal(W_ALL, ">", 0, name="divisor of the common mean"),
        arm_goal(TAU_SQ, ">", 0, name="squared width"),
        arm_goal(TAU_SQ.xreplace(unpulled), "=", s0 + s0 / Wo, given=some, name="width of an unpulled arm"),
        arm_goal(E((mu_hat - rbar_0) ** 2).xreplace(unpulled), "=", 0, given=some, name="its prediction"),
    )


@claim(
    "alg:arm-ucb/first-round",
    by="paper",
    line=251,
    kind="algorithm",
    severity="edge",
    cause="unpulled-arms",
    says=r"W_t=\sum_iw_{i,t} \text{ and with it } \sum_i(1-w_{i,t})n_{i,t}, \text{ by which } \bar r_{0,t} \text{"
    r" and } \tau_{k,t}^2 \text{ divide, are positive in every round } 1\le t\le K+1",
    cites=("r0-estimator",),
)
def common_mean_in_the_first_round() -> Argument:
    """Before the first pull there is no reward at all, and the estimate of mu_0 is 0/0 for every arm."""
    pulled_once = (t - 1) * s / (s0 + s)  # each pulled arm adds (1-w) n with n = 1
    domain = {**COUNTS, s: positive(), s0: positive()}
    return refuted(
        Goal(Rel(pulled_once, ">", 0), domain, name="weights of the common mean", letters=LETTERS),
        at=Point({t: one, s: one, s0: one}, {"t": "1", "K": "1", "sigma_sq": "1", "sigma0_sq": "1"}),
        fails_iff=Rel(t, "<=", 1),
        fails_when="t = 1",
    )


@claim(
    "alg:arm-ucb/first-round/repaired",
    by="us",
    kind="algorithm",
    cites=("r0-estimator",),
    repairs="alg:arm-ucb/first-round",
)
def common_mean_from_round_two() -> Argument:
    """One pulled arm is enough for an estimate of mu_0."""
    divisor = ArmSum(count_i * (1 - weight_i))
    return proof(
        Goal(
            Rel(s * (t - 1) / (s + s0), ">", 0),
            {t: at_least(2, integer=True), s: positive(), s0: positive()},
            name="the printed divisor, for t >= 2",
            letters=LETTERS,
        ),
        arm_goal(divisor, "=", rho * W_ALL, name="divisor"),
        arm_goal(rho * W_ALL, ">", 0, name="positive"),
    )


@claim(
    "alg:arm-ucb/each-arm-once",
    by="paper",
    line=264,
    kind="algorithm",
)
def every_arm_is_pulled_if_time() -> Argument:
    """With a horizon of at least K every count is positive from round K + 1 on, which the lemmas need: the counts add
    up to t - 1, and what is left after one pull of each arm is not negative."""
    i, counts = sp.Symbol("i"), sp.Function("n")
    one = Goal(Rel(1, "<=", n), {n: at_least(1, integer=True)}, name="one pull of another arm")
    total = {No: sp.Sum(counts(i), (i, 1, J))}
    others = SumOver(one, i, sp.Integer(1), J, {x: DOMAIN[x] for x in (J, No)}, family={n: counts(i)}, where=total)
    rest = ArmSum(count_i - 1)
    return proof(
        arm_goal(rest, "=", N_ALL - (J + 1), name="pulls beyond the first"),
        follows(Rel(N_ALL - (J + 1), ">=", 0), others, arm_goal(n, ">=", 1, name="arm k"), name="not negative"),
        Computation(
            "exact",
            "every continuation of the initial rounds of three arms by two further pulls",
            _all_pulled,
            (3,),
            {"constant: from round K on": (2,), "constant: from the first round on": (0,)},
        ),
        letters=LETTERS,
    )


def _unpulled_from(offset: int) -> list[Rel]:
    """In the initial rounds of up to four arms: the unpulled arms of round t are those from t + offset on."""
    return [
        Rel(sp.Integer(_initial_counts(size, round_)[arm - 1] == 0), "=", sp.Integer(arm >= round_ + offset))
        for size in range(1, 5)
        for round_ in range(1, size + 2)
        for arm in range(1, size + 1)
    ]


def _all_pulled(first: int) -> list[Rel]:
    """Every arm has a pull, and the counts add up, at the start of every round after `first`."""
    plays = [(0, 1, 2, *more) for more in product(range(3), repeat=2)]
    counts = [[play[:t_].count(i) for i in range(3)] for play in plays for t_ in range(first, 6)]
    rounds = [t_ for _ in plays for t_ in range(first, 6)]
    least = [Rel(sp.Integer(min(c)), ">=", 1) for c in counts]
    return least + [Rel(sp.Integer(sum(c) - 3), "=", t_ - 3) for c, t_ in zip(counts, rounds, strict=True)]
