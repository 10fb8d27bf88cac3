"""Definitions of the model hold on plays of the code: definitions that contradict each other would prove anything.

A play of `reucb` gives every quantity of the model its value: which arms were pulled, counts, estimates, widths, gaps,
events. Each definition about one play is evaluated there, at every arm and round that it covers.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping
from functools import cache
from itertools import product
from types import ModuleType
from typing import Any

import numpy as np
import pytest
import sympy as sp
from sympy.core.function import AppliedUndef

import reucb
from theory.kernel.goal import Goal, Rel
from theory.kernel.rules import Definition
from theory.kernel.terms import Event, Mean
from theory.model import (
    counts,
    follow_up,
    index_play,
    joint_errors,
    known_play,
    lockout,
    play,
    pull_order,
    reward_level,
    round_errors,
    round_kinds,
    stacks,
    stopping,
)
from theory.model.reward_level import Rewards

ARMS, ROUNDS, MU0, S0, NOISE, WIDTH, SECOND = 3, 14, 0.0, 1.0, 0.8, 1.3, 0.7
CLOSE = 1e-9  # rounding: estimates of the code and sums of a dozen terms agree to about 1e-14
NUMBERS = {"K": ARMS, "N": ROUNDS, "a": WIDTH, "b": SECOND, "mu_0": MU0, "s0": S0, "s": NOISE, "d": 0.1, "D": 0.2}
INDICES = {"k": ARMS, "t": ROUNDS, "j": ROUNDS, "i": ARMS - 1, "u": ROUNDS, "H": ARMS, "S": 4, "m": 4}
RANDOM = ("o", "d", "e", "w", "z")  # what the outcome is; a play is one outcome
OPERATIONS: dict[Any, Callable[..., float]] = {
    sp.Add: lambda *x: math.fsum(x), sp.Mul: lambda *x: math.prod(x), sp.Pow: pow, sp.log: math.log, sp.exp: math.exp,
}  # fmt: skip
Meaning = Mapping[str, Callable[..., float]]


class Played:
    """One play: its arms, and what an agent knows before every round. Arms and rounds are numbered from 1."""

    def __init__(self, seed: int, policy: reucb.ReUCB, bounded: bool = False) -> None:
        rng = np.random.default_rng(seed)
        self.means = rng.uniform(0, 1, ARMS) if bounded else rng.normal(MU0, math.sqrt(S0), ARMS)
        rewards = reucb.Bernoulli() if bounded else reucb.Gaussian(math.sqrt(NOISE))
        bandit = reucb.Bandit(ARMS, self.means, rewards)
        self.mu0, self.run = policy.mu0, reucb.play(bandit, policy, ROUNDS, seed=seed)

    def pulled(self, t: int) -> int:
        return int(self.run.arms[t - 1]) + 1

    def count(self, k: int, t: int) -> int:
        return int((self.run.arms[: t - 1] == k - 1).sum())

    @cache  # noqa: B019  (a few plays live as long as the tests)
    def fit(self, t: int) -> reucb.Fit:
        past, rewards = self.run.arms[: t - 1], self.run.rewards[: t - 1]
        n = np.bincount(past, minlength=ARMS)
        sums = np.bincount(past, rewards, minlength=ARMS)
        means = np.divide(sums, n, out=np.full(ARMS, np.nan), where=n > 0)
        return reucb.blup(n, means, sigma0_sq=S0, sigma_sq=NOISE, mu0=self.mu0)

    def estimate(self, k: int, t: int) -> float:
        return float(self.fit(t).mu[k - 1])

    def tau(self, k: int, t: int) -> float:
        return math.sqrt(float(self.fit(t).mse[k - 1]))

    def mean(self, k: int) -> float:
        return float(self.means[k - 1])

    def best(self) -> int:
        return int(self.means.argmax()) + 1

    def short(self, k: int, t: int) -> float:
        """(mu_k - U_k)^+."""
        return max(0.0, self.mean(k) - self.estimate(k, t) - math.sqrt(WIDTH * math.log(t)) * self.tau(k, t))

    def weights_of_others(self, k: int, t: int) -> float:
        numbers = (self.count(i, t) for i in range(1, ARMS + 1) if i != k)
        return sum(n / (n + NOISE / S0) for n in numbers)


def other(i: int, k: int) -> int:
    return [arm for arm in range(1, ARMS + 2) if arm != k][i - 1]


def of_play(p: Played) -> Meaning:
    alpha = (ARMS - 1) * NOISE / (ARMS * S0 + NOISE)

    def ell(j: int) -> float:
        return math.log1p(j * S0 / NOISE)

    def deviation(t: int) -> float:
        both = (1 + math.sqrt(WIDTH / SECOND)) * t ** (-SECOND / 2) + (ARMS - 1) * t ** (-WIDTH / 2)
        return both / math.sqrt(2 * math.pi)

    return {
        "mu": p.mean,
        "Z": lambda k: (p.mean(k) - MU0) / math.sqrt(S0),
        "muhat": p.estimate,
        "tau": p.tau,
        "part": p.short,
        "n": p.count,
        "W_others": p.weights_of_others,
        "W": lambda t: p.weights_of_others(0, t),
        "another": other,
        "best": p.best,
        "I": p.pulled,
        "before": lambda t: p.count(p.pulled(t), t),
        "total": lambda k: p.count(k, ROUNDS + 1),
        "g": lambda j: math.sqrt(NOISE / (j + alpha)),
        "w": lambda t: math.sqrt(WIDTH * math.log(t)) if t > ARMS else 0.0,
        "v": lambda t: math.sqrt(SECOND * math.log(t)),
        "q": deviation,
        "met": lambda t, j: float(p.count(p.pulled(t), t) == j),
        "hit": lambda t, k, j: float(p.pulled(t) == k and p.count(k, t) == j),
        "ell": ell,
        "G": lambda n: ell(n) / ell(1),
    }


def of_kinds(p: Played) -> Meaning:
    """What the counting bound says of a round, apart from prices and chances."""
    base = of_play(p)
    s = base["w"]

    def error(k: int, t: int) -> float:
        return p.estimate(k, t) - p.mean(k)

    def loss(t: int) -> float:
        return p.mean(p.best()) - p.mean(p.pulled(t))

    def star(t: int) -> bool:
        return p.pulled(t) == p.best()

    def near(t: int) -> bool:
        arm = p.pulled(t)
        return loss(t) <= s(ROUNDS) * p.tau(arm, t) + error(arm, t)

    def above(k: int, t: int) -> bool:
        arm, pulled = other(k, p.pulled(t)), p.pulled(t)
        return error(arm, t) >= -s(t) * p.tau(arm, t) - (s(ROUNDS) - s(t)) * p.tau(pulled, t)

    def beyond(k: int, t: int) -> float:
        arm = other(k, p.pulled(t))
        return 0.0 if above(k, t) else -error(arm, t) - s(t) * p.tau(arm, t)

    return {
        **base,
        "best arm": p.best,
        "best mean": lambda: p.mean(p.best()),
        "mean": p.mean,
        "estimate": p.estimate,
        "X": error,
        "loss": loss,
        "gap": lambda k: p.mean(p.best()) - p.mean(k),
        "star": lambda t: float(star(t)),
        "good": lambda t: float(not star(t) and near(t)),
        "bad": lambda t: float(not star(t) and not near(t)),
        "above": lambda k, t: float(above(k, t)),
        "none": lambda t: float(all(above(k, t) for k in range(1, ARMS))),
        "rest": lambda t: max(0.0, error(p.pulled(t), t) + s(t) * p.tau(p.pulled(t), t)),
        "beyond": beyond,
    }


def of_stacks(p: Played) -> Meaning:
    """Rewards of every arm in a row; those that the play did not see may be any numbers."""
    base, rho = of_play(p), NOISE / S0

    def reward(k: int, m: int) -> float:
        seen = p.run.rewards[p.run.arms == k - 1]
        return float(seen[m - 1]) if m <= len(seen) else 1 / (k + m)

    def noise(k: int, j: int) -> float:
        return sum(reward(k, m) - p.mean(k) for m in range(1, j + 1))

    def weight(k: int, t: int) -> float:
        return p.count(k, t) / (p.count(k, t) + rho)

    def all_weights(t: int) -> float:
        return sum(weight(k, t) for k in range(1, ARMS + 1))

    return {
        **base,
        "delta": lambda k: p.mean(k) - MU0,
        "r": reward,
        "S": noise,
        "weight": weight,
        "W": all_weights,
        "X": lambda k, j: (noise(k, j) - rho * (p.mean(k) - MU0)) / (j + rho),
        "Y": lambda k, j: (noise(k, j) + j * (p.mean(k) - MU0)) / (j + rho),
        "tilde": lambda j: math.sqrt(NOISE / (j + rho)),
        "far": lambda j: math.sqrt(S0 * j / (j + rho)),
        "centre": lambda t: math.sqrt(ARMS * S0 / all_weights(t)),
        "swing": lambda k, t: math.sqrt(ARMS * (1 - weight(k, t)) / all_weights(t)),
        "rbar_0": lambda t: float(p.fit(t).mu0),
        "kappa": lambda _: (1 + math.sqrt(rho)) ** 2 / (1 + rho / ARMS),
        "root": lambda j: math.sqrt(NOISE * j),
    }


def of_errors(p: Played) -> Meaning:
    """Errors of a round, which intervals fail, weights and averages."""
    base, stacked = of_kinds(p), of_stacks(p)
    arms = range(1, ARMS + 1)

    def scaled(k: int, t: int) -> float:
        return -base["X"](k, t) / p.tau(k, t)

    def average(k: int, t: int) -> float:
        return p.mean(k) + stacked["S"](k, p.count(k, t)) / p.count(k, t)

    return {
        **base,
        "Z": scaled,
        "some X above c": lambda t, a: float(min(scaled(k, t) for k in arms) < -math.sqrt(a * math.log(t))),
        "some Z above": lambda t, a: float(max(scaled(k, t) for k in arms) > math.sqrt(a * math.log(t))),
        "failing arm": lambda t, _: max(arms, key=lambda k: scaled(k, t)),
        "widest tau": lambda t: max(p.tau(k, t) for k in arms),
        "widest arm": lambda t: max(arms, key=lambda k: p.tau(k, t)),
        "weight": stacked["weight"],
        "W": stacked["W"],
        "rbar of ReUCB": average,
        "rbar_0 of ReUCB": stacked["rbar_0"],
    }


def of_lockout(p: Played) -> Meaning:
    """An arm H against all others: their averages before every round, and those of the first rewards of H."""
    base = of_stacks(p)

    def average(k: int, t: int) -> float:
        n = p.count(k, t)
        return p.mean(k) + base["S"](k, n) / n

    def numbers(h: int) -> range:
        return range(1, ARMS)  # of the other arms than h

    def rank(t: int, h: int) -> int:
        return max(numbers(h), key=lambda i: average(other(i, h), t))

    def lowest(h: int, n: int) -> tuple[int, int]:
        pairs = product(numbers(h), range(ARMS + 1, n + 1))
        return min(pairs, key=lambda pair: average(other(pair[0], h), pair[1]))

    def least(h: int, n: int) -> float:
        number, when = lowest(h, n)
        return average(other(number, h), when)

    def second(h: int) -> int:
        return max(numbers(h), key=lambda i: p.mean(other(i, h)))

    def bad(h: int, s: int, lead: float, n: int) -> float:  # d is a number of NUMBERS
        ahead = p.mean(h) - p.mean(other(second(h), h)) >= lead
        return float(ahead and least(h, n) - p.mean(h) - base["S"](h, s) / s >= NUMBERS["d"])

    return {
        **base,
        "rank": rank,
        "L": lambda t, h: other(rank(t, h), h),
        "worst": lambda h, n: lowest(h, n)[0],
        "when": lambda h, n: lowest(h, n)[1],
        "least": least,
        "second": second,
        "rival": lambda h: p.mean(other(second(h), h)),
        "bad": bad,
    }


def of_follow_up(p: Played) -> Meaning:
    """First rewards and their order; of the arms with the fewest rewards the one with the largest first reward."""

    def first(k: int) -> float:
        return float(p.run.rewards[p.run.arms == k - 1][0])

    def standardised(k: int) -> float:
        return (first(k) - MU0) / math.sqrt(S0 + NOISE)

    def rest(k: int, t: int) -> float:
        return NOISE / (p.count(k, t) * S0 + NOISE)

    def known_mean(k: int, t: int) -> float:
        rewards = p.run.rewards[: t - 1][p.run.arms[: t - 1] == k - 1]
        return MU0 + (1 - rest(k, t)) * (float(rewards.mean()) - MU0)

    def fewest(t: int) -> int:
        return min(range(1, ARMS + 1), key=lambda k: (p.count(k, t), -first(k)))

    return {
        **of_play(p),
        "first reward": first,
        "V": standardised,
        "(1 - w)": rest,
        "W": lambda t: sum(1 - rest(k, t) for k in range(1, ARMS + 1)),
        "J": fewest,
        "r": lambda t: float(p.run.rewards[t - 1]),
        "mu given rewards": known_mean,
        "Z_": lambda u: sorted(map(standardised, range(1, ARMS + 1)), reverse=True)[u - ARMS - 1],
    }


def of_rewards(agent: Rewards, base: Callable[[Played], Meaning]) -> Callable[[Played], Meaning]:
    """What an agent makes of its rewards."""

    def read(p: Played) -> Meaning:
        def earned(k: int, t: int) -> float:
            return float(p.run.rewards[: t - 1][p.run.arms[: t - 1] == k - 1].sum())

        own = {"r": lambda t: float(p.run.rewards[t - 1]), "S": earned, r"\bar r": lambda t: float(p.fit(t).mu0)}
        return {**base(p), **{agent.mark.format(name): f for name, f in own.items()}}

    return read


def of_stopping(p: Played) -> Meaning:
    """Arms by the order of their means, for the lower bound; h(x) = x/2 is one of the prices that it allows."""

    def first(*left_out: int) -> int:
        return max((k for k in range(1, ARMS + 1) if k not in left_out), key=p.mean)

    def top(k: int) -> float:
        return p.mean(first(k))

    def price(x: float) -> float:
        return max(0.0, x / 2)

    def lead(k: int) -> float:
        return top(k) - p.mean(first(first(k)))

    def gap(k: int) -> float:
        return p.mean(p.best()) - p.mean(k)

    return {
        **of_play(p),
        "runner-up": lambda: first(p.best()),
        "rival": first,
        "others": lambda k: k,
        "Y": top,
        "next best": lambda k: first(first(k)),
        "smaller": lead,
        "h": price,
        "gap": gap,
        "margin": lambda: price(p.mean(p.best()) - top(p.best())),
        "star": lambda k: float(k == p.best()),
        "kept": lambda k: 0.0 if k == p.best() else gap(k) - price(lead(k)),
        "owed": lambda k: price(p.mean(k) - top(k)) if k == p.best() else 0.0,
        "pulls": lambda k: p.count(k, ROUNDS + 1),
        "seen": lambda _k, _j: 0.0,
        "rest": lambda k: k,
        "decision": lambda k, j, *_: float(p.count(k, ROUNDS + 1) <= j),
    }


def renamed(ending: str) -> Callable[[Played], Meaning]:
    """The quantities of another agent, whose names end differently."""
    own = {"mu": "mu", "best": "best", "another": "another", "Z": "Z"}
    estimates = {"muhat": f"muhat{ending}" if ending == "x" else f"mu{ending}"}
    return lambda p: {own.get(name, estimates.get(name, name + ending)): f for name, f in of_play(p).items()}


def value(expr: sp.Expr, at: Mapping[str, Any], meaning: Meaning) -> float:
    """An expression of a play at indices and numbers."""
    if isinstance(expr, sp.Symbol):
        return float(at[expr.name])
    if isinstance(expr, (sp.Sum, sp.Product)):
        *inner, (index, low, high) = expr.args  # the last one is the outermost
        body = inner[0] if len(inner) == 1 else expr.func(*inner)
        ends = range(round(value(low, at, meaning)), round(value(high, at, meaning)) + 1)
        parts = [value(body, {**at, index.name: i}, meaning) for i in ends]
        return math.fsum(parts) if isinstance(expr, sp.Sum) else math.prod(parts)
    if isinstance(expr, Event):
        number = value(expr.args[0], at, meaning)
        return float(number > 0) if expr.args[1] == 1 else float(number >= 0)
    if isinstance(expr, AppliedUndef):
        given = [value(x, at, meaning) for x in expr.args if not (isinstance(x, sp.Symbol) and x.name in RANDOM)]
        return meaning[expr.func.__name__](*(round(x) if float(x).is_integer() else x for x in given))
    if not expr.args:
        return float(expr)
    return OPERATIONS[expr.func](*(value(x, at, meaning) for x in expr.args))


def holds(rel: Rel, at: Mapping[str, Any], meaning: Meaning) -> bool:
    difference = value(rel.left, at, meaning) - value(rel.right, at, meaning)
    return {
        "=": abs(difference) <= CLOSE,
        "<=": difference <= CLOSE,
        ">=": difference >= -CLOSE,
        "<": difference < CLOSE,
        ">": difference > CLOSE,
    }[rel.op]


def places(goal: Goal) -> Iterator[dict[str, Any]]:
    """Every choice of the indices in a definition, within the play; k may run over all arms but one."""
    size = {**INDICES, "k": ARMS - 1} if goal.rel.right.has(round_kinds.OTHER) else INDICES
    sides = [side for r in (goal.rel, *goal.given) for side in (r.left, r.right)]
    free = {x.name for side in sides for x in side.free_symbols} & set(size)
    ranges = [range(1, size[name] + 1) for name in sorted(free)]
    for chosen in product(*ranges):
        yield {**NUMBERS, **dict(zip(sorted(free), chosen, strict=True))}


def rewards_of(agent: Rewards, name: str) -> ModuleType:
    """The definitions of an agent by its rewards."""
    found = ModuleType(name)
    found.__dict__.update(SUMS=agent.sums, BLUP=agent.blup, HIGHEST=agent.highest, FIRST=agent.first)
    if not agent.knows_mean:
        found.__dict__.update(COMMON=agent.common)
    return found


BOUNDED = ModuleType("stacks, rewards in [0, 1]")
BOUNDED.__dict__.update({name: x for name, x in vars(stacks).items() if isinstance(x, Definition)})
KNOWN, INDEXED = {"mu0": MU0}, {"first": "index"}
PLAYS: dict[ModuleType, tuple[dict[str, Any], Callable[[Played], Meaning]]] = {
    play: ({}, of_play),
    counts: ({}, of_play),
    pull_order: ({}, of_play),
    round_kinds: ({}, of_kinds),
    round_errors: ({}, of_errors),
    joint_errors: ({}, of_errors),
    known_play: (KNOWN, renamed("tilde")),
    index_play: (INDEXED, renamed("x")),
    stacks: ({}, of_stacks),
    BOUNDED: ({}, of_stacks),
    stopping: ({}, of_stopping),
    lockout: ({}, of_lockout),
    follow_up: ({}, of_follow_up),
    rewards_of(reward_level.REUCB, "rewards"): ({}, of_rewards(reward_level.REUCB, of_play)),
    rewards_of(reward_level.KNOWN, "rewards, mu_0 known"): (KNOWN, of_rewards(reward_level.KNOWN, renamed("tilde"))),
    rewards_of(reward_level.INDEXED, "rewards by index"): (INDEXED, of_rewards(reward_level.INDEXED, renamed("x"))),
}
# Prices and chances of the counting bound, the dual of the lower bound, functions of any numbers: no part of a play.
OF_NUMBERS = {
    *(
        "P",
        "BETA",
        "WORST",
        "MISS",
        "LIFT",
        "TAIL",
        "LEAST",
        "LEAST_OF_THREE",
        "AMONG_THREE",
        "COSH",
        "PIECE_LOW",
        "PIECE_HIGH",
    ),
    *("START", "START_SECOND", "START_ALONE", "KAPPA_FEW", "PRICE", "SMALLEST", "NOT_LATER", "AT_ZERO"),
}


def definitions(module: ModuleType) -> dict[str, Definition]:
    found = {name: x for name, x in vars(module).items() if isinstance(x, Definition) and name not in OF_NUMBERS}
    found = {n: x for n, x in found.items() if not any(side.has(Mean) for side in x.concludes.rel.stated)}
    return {n: x for n, x in found.items() if x.world != stacks.BOUNDED or module is BOUNDED}


CASES = [(module, name) for module in PLAYS for name in definitions(module)]


def broken(rel: Rel, goal: Goal, module: ModuleType) -> tuple[int, int]:
    """At how many places of several plays a relation fails, of how many."""
    settings, read = PLAYS[module]
    policy = reucb.ReUCB(a=WIDTH, sigma0_sq=S0, sigma_sq=NOISE, **settings)
    wrong = tried = 0
    for seed in range(4):
        meaning = read(Played(seed, policy, bounded=module is BOUNDED))
        for at in places(goal):
            if all(holds(h, at, meaning) for h in goal.given):
                tried += 1
                wrong += not holds(rel, at, meaning)
    return wrong, tried


@pytest.mark.parametrize(("module", "name"), CASES, ids=[f"{m.__name__.rpartition('.')[2]}.{n}" for m, n in CASES])
def test_the_definition_holds_on_plays(module: ModuleType, name: str) -> None:
    goal = definitions(module)[name].concludes
    wrong, tried = broken(goal.rel, goal, module)
    assert tried
    assert wrong == 0


def test_order_statistics_are_rearranged_numbers() -> None:
    """Sums of a function over the order statistics, and over the numbers themselves."""
    largest = follow_up.SMALLER.xreplace({play.t: play.K + 1})
    for f in (Event(follow_up.x, 1), follow_up.x**3, largest):
        goal = follow_up.rearranged(f).concludes
        wrong, tried = broken(goal.rel, goal, follow_up)
        assert tried
        assert wrong == 0


@pytest.mark.parametrize(
    ("module", "name"),
    [
        *(
            (play, "WIDTH"),
            (pull_order, "OWN_COUNT"),
            (round_kinds, "GOOD"),
            (round_errors, "SOME_HIGH"),
            (joint_errors, "COMMON"),
            (index_play, "COUNTED"),
        ),
        *((stacks, "ROOT"), (lockout, "IS_ONE"), (follow_up, "ALL_WEIGHTS")),
        *((module, "BLUP") for module in PLAYS if module.__name__.startswith("rewards")),
    ],
)
def test_another_definition_would_fail(module: ModuleType, name: str) -> None:
    goal = definitions(module)[name].concludes
    wrong, tried = broken(Rel(goal.rel.left, "=", goal.rel.right + 1), goal, module)
    assert wrong == tried > 0


@pytest.mark.parametrize("name", ["MEAN_LOW", "MEAN_HIGH", "REWARD_LOW", "REWARD_HIGH"])
def test_a_law_of_rewards_in_a_range_fails_on_normal_ones(name: str) -> None:
    goal = definitions(BOUNDED)[name].concludes
    assert broken(goal.rel, goal, stacks)[0] > 0
