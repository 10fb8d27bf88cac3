"""The words in which the paper's claims are stated: one pulled arm k, the other arms through sums over them.

Symbols (everything exact, every K >= 1, every count >= 1 unless a claim says otherwise):

    n    n_k, pulls of the arm            s    sigma^2, reward noise
    J    K - 1, number of other arms      s0   sigma_0^2, variance of the arm means
    Wo   sum of w_i over the other arms   No   sum of n_i over the other arms
                                          Qo   sum of n_i^2 over the other arms

Sums over arms stay symbols. What is known of them is a termwise bound summed up: J s0/(s0+s) <= Wo <= J because
s0/(s0+s) <= w_i <= 1 for n_i >= 1 (claim `w-def/bounds/repaired`), and No >= J.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from itertools import count, product
from typing import Any

import sympy as sp

from theory.kernel.goal import Goal, Letter, Point, Rel, Var, at_least, positive
from theory.kernel.region import call
from theory.kernel.sampling import small_values
from theory.kernel.shown import derives

n, J, s, s0, Wo, No, Qo = sp.symbols("n J s s0 Wo No Qo")
K = J + 1
rho = s / s0


def weight(count: sp.Expr) -> sp.Expr:
    """w = sigma_0^2 / (sigma_0^2 + sigma^2/n), written without dividing by the count (Eq. w-def)."""
    return count * s0 / (count * s0 + s)


w = weight(n)
W = w + Wo
V0 = s0 / W  # Var of the GLS mean
tau_tilde_sq = s0 * s / (n * s0 + s)  # Eq. MSE-term1, without dividing by the count
tau_sq = tau_tilde_sq + (1 - w) ** 2 * V0  # Eq. MSE
beta = 1 + s / (K * s0)

w_k, all_w = sp.symbols("w_k W")  # names for a reader, where a region of failure is stated
WEIGHTS = {w_k: w, all_w: W}

DOMAIN: dict[sp.Symbol, Var] = {
    n: at_least(1, integer=True),
    J: at_least(0, integer=True),
    s: positive(),
    s0: positive(),
    Wo: at_least(0),
    No: at_least(0, integer=True),
}
WEIGHT_SUM = tuple(
    r.by("ours/sum-of-weights") for r in (Rel(J * s0 / (s0 + s), "<=", Wo), Rel(Wo, "<=", J))
)  # of the other arms, each pulled at least once
HORIZON = Letter(sp.Symbol("n"), "number of rounds")
ROUND_LETTERS = {
    x: Letter(x, meaning)
    for x, meaning in (
        (sp.Symbol("t"), "round"),
        (sp.Symbol("k"), "arm, one of 1, ..., K"),
        (sp.Symbol("a"), "width of the confidence intervals: U = mu-hat + sqrt(a log t) tau"),
    )
}
ARMS_LETTER = {sp.Symbol("K"): Letter(sp.Symbol("K"), "number of arms")}  # for goals without J, which is read as K - 1
PROXIES = {  # where rewards and means are sub-Gaussian
    s: Letter(sp.Symbol("sigma", positive=True) ** 2, "proxy of the rewards of an arm, given its mean"),
    s0: Letter(sp.Symbol("sigma_0", positive=True) ** 2, "proxy of the arm means"),
}
LETTERS = {
    **ROUND_LETTERS,
    n: Letter(sp.Symbol("n_k"), "number of pulls of arm k"),
    J: Letter(sp.Symbol("K") - 1, "number of other arms"),
    s: Letter(sp.Symbol("sigma", positive=True) ** 2, "variance of the rewards of an arm"),
    s0: Letter(sp.Symbol("sigma_0", positive=True) ** 2, "variance of the arm means"),
    Wo: Letter(sp.Symbol("W_others"), "sum of the weights w_i of the other arms"),
    No: Letter(sp.Symbol("N_others"), "number of pulls of the other arms"),
    Qo: Letter(sp.Symbol("Q_others"), "sum of the squared numbers of pulls of the other arms"),
    **{
        x: Letter(x, meaning)
        for x, meaning in (
            (sp.Symbol("mu_0"), "mean of the arm means"),
            (sp.Symbol("mu_k"), "mean reward of arm k"),
            (sp.Symbol("rbar_k"), "mean of the rewards of arm k"),
            (sp.Symbol("rbar_0"), "generalised least squares estimate of mu_0, Eq. r0-estimator"),
            (sp.Symbol("w_i"), "weight of another arm i"),
            (sp.Function("n")(sp.Symbol("i")), "number of pulls of arm i"),
            (sp.Function("rbar")(sp.Symbol("i")), "mean of the rewards of arm i"),
            (sp.Function("w")(sp.Symbol("i")), "weight of arm i"),
        )
    },
}

SHORT = {
    sp.Symbol("tau_k", positive=True) ** 2: tau_sq,
    sp.Symbol("tautilde_k", positive=True) ** 2: tau_tilde_sq,
    all_w: W,
    w_k: w,
}


def arm_points(
    extra: Mapping[sp.Symbol, Var] | None = None, min_count: int = 1, arms: int = 3
) -> Callable[[], Iterator[Point]]:
    """Concrete bandits, smallest first: counts of up to `arms` arms, both variances, and values of extra symbols."""
    free = {x: v for x, v in (extra or {}).items() if x not in DOMAIN}

    def generate() -> Iterator[Point]:
        counts = [c for size in range(1, arms + 1) for c in product(range(min_count, 6), repeat=size)]
        counts.sort(key=lambda c: (sum(c) + len(c), len(c), c))
        counts[12:12] = [(10,), (100,), (1, 10), (10, 1)]
        variances = sorted(product(range(9), repeat=2), key=lambda ij: (sum(ij), ij))
        sizes = small_values(positive())
        others = list(product(*(small_values(v)[:5] for v in free.values())))
        for level in count():
            for i, j in product(range(min(level + 1, len(counts))), range(min(level // 3 + 1, len(variances)))):
                rest = level - i - 3 * j  # unit variances and other counts are met before other variances
                if 0 <= rest < len(others):
                    noise, spread = (sizes[x] for x in variances[j])
                    yield arm_point(counts[i], noise, spread, dict(zip(free, others[rest], strict=True)))
            if level > len(counts) + 3 * len(variances) + len(others):
                return

    return generate


def arm_point(
    counts: tuple[int, ...], noise: sp.Expr, spread: sp.Expr, extra: Mapping[sp.Symbol, sp.Expr] | None = None
) -> Point:
    """The bandit with these counts, seen from its first arm."""
    noise, spread, extra = sp.sympify(noise), sp.sympify(spread), dict(extra or {})
    others = [sp.Integer(c) for c in counts[1:]]
    values = {
        n: sp.Integer(counts[0]),
        J: sp.Integer(len(others)),
        s: noise,
        s0: spread,
        Wo: sum((c * spread / (c * spread + noise) for c in others), sp.S.Zero),
        No: sum(others, sp.S.Zero),
    }
    shown = {"K": str(len(counts)), "n": [str(c) for c in counts], "sigma_sq": str(noise), "sigma0_sq": str(spread)}
    return Point({**values, **extra}, {**shown, **{str(k): str(v) for k, v in extra.items()}})


def arm_goal(
    left: sp.Expr,
    op: str,
    right: sp.Expr,
    *,
    name: str = "",
    given: tuple[Rel, ...] = (),
    extra: Mapping[sp.Symbol, Var] | None = None,
    min_count: int = 1,
    squares: tuple[sp.Expr, ...] = (),
) -> Goal:
    """A goal about one arm among K: for every K, all counts >= min_count and all positive variances."""
    rel = Rel(left, op, right)
    used = rel.symbols.union(*(h.symbols for h in given))
    facts = WEIGHT_SUM if Wo in used and min_count >= 1 else ()
    domain = {**DOMAIN, n: at_least(min_count, integer=True), **(extra or {})}
    points = arm_points(extra, min_count)
    wider = [
        Goal(rel, domain, (*facts, *given[:i], *given[i + 1 :]), f"hypothesis dropped: {h}", squares, points)
        for i, h in enumerate(given)
    ]
    if min_count >= 1:
        unpulled = {**domain, n: at_least(0, integer=True), Wo: at_least(0)}
        name_ = "hypothesis dropped: every arm was pulled"
        wider.append(Goal(rel, unpulled, given, name_, squares, arm_points(extra, 0)))
    if J in (extra or {}):
        name_ = f"hypothesis dropped: {J} >= {domain[J].low}"
        wider.append(Goal(rel, {**domain, J: DOMAIN[J]}, (*facts, *given), name_, squares, points))
    return Goal(rel, domain, (*facts, *given), name, squares, points, tuple(wider), letters=LETTERS, short=SHORT)


def proxy_goal(left: sp.Expr, op: str, right: sp.Expr, **how: Any) -> Goal:
    """The same where sigma^2 and sigma_0^2 are proxies of sub-Gaussian rewards and means."""
    goal = arm_goal(left, op, right, **how)
    return replace(goal, letters={**goal.letters, **PROXIES})


call({"s": "sigma_sq", "s0": "sigma0_sq", "n": "n_k", "Wo": "W_others", "No": "N_others", "J": sp.Symbol("K") - 1})
call({name: name for name in ("horizon", "sigma", "sigma0")})  # also where a letter is n, as the counts are


@derives(Wo, No, Qo)
def from_counts(shown: Mapping[str, Any]) -> Mapping[sp.Symbol, sp.Expr]:
    """The pulls of arm k, and sums over the other arms, in the names of a bandit that is shown."""
    if not isinstance(shown.get("n"), (list, tuple)):
        return {}
    own, *others = sp.symbols(f"n_1:{len(shown['n']) + 1}")
    arms = {sp.Symbol("K"): sp.Integer(len(others) + 1), J: sp.Integer(len(others))}
    found = {**arms, n: own, No: sp.Add(*others), Qo: sp.Add(*(c**2 for c in others))}
    if "sigma_sq" not in shown:
        return found
    noise, spread = sp.symbols("sigma_sq sigma0_sq")
    return {**found, Wo: sp.Add(*(c * spread / (c * spread + noise) for c in others))}
