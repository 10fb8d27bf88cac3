"""Definitions of the play with rewards in [0, 1] hold on plays of the code with rewards 0 and 1.

The best arm is arm K. What a good pull needs, and how far sums are below the boundary of a bad round, are computed by
searching all weights and counts that the model allows.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping
from functools import cache
from itertools import product

import numpy as np
import pytest
import sympy as sp

import reucb
from tests.theory.model.test_definitions_on_plays import Played, value
from theory.kernel.goal import Goal, Rel
from theory.kernel.rules import Definition
from theory.kernel.terms import Mean
from theory.model import bounded_lines as lines
from theory.model import bounded_play as play
from theory.model import bounded_pulls as pulls

ARMS, ROUNDS, WIDTH, S0, NOISE, LAYERS = 3, 14, 3.0, 0.08, 0.25, 2
RHO, CLOSE, STEPS = NOISE / S0, 1e-7, 200
FIRST = 1 / (1 + RHO)
NUMBERS = {"K": ARMS, "n": ROUNDS, "m": LAYERS, "a": WIDTH, "s": NOISE, "rho": RHO}
RANGES: dict[str, list[float]] = {
    **{"k": [1, 2, 3], "t": [*range(1, ROUNDS + 1)], "N": [1, 2, 5], "i": [1, 2], "c": [1, 2], "x": [-0.2, 0.0, 0.4]},
    **{"v": [*np.linspace(2 * FIRST, ARMS - 1, 7)], "w": [*np.linspace(FIRST, 1, 5)]},
}


def least(f: Callable[[float], float], low: float, high: float) -> float:
    """Where a convex function on an interval is least."""
    for _ in range(STEPS):
        a, b = low + (high - low) / 3, high - (high - low) / 3
        low, high = (low, b) if f(a) <= f(b) else (a, high)
    return (low + high) / 2


class BoundedPlay(Played):
    """One play and its layers: two of them, with edges that rise from 0 to the best mean, and a line for each."""

    def __init__(self, seed: int) -> None:
        random = np.random.default_rng(seed)
        self.means = np.sort(random.uniform(0.3, 0.7, ARMS))
        policy = reucb.ReUCB(a=WIDTH, sigma0_sq=S0, sigma_sq=NOISE)
        self.run = reucb.play(reucb.Bandit(ARMS, self.means, reucb.Bernoulli()), policy, ROUNDS, seed=seed)
        seen = [self.run.rewards[self.run.arms == k] for k in range(ARMS)]
        self.stacks = [np.append(own, random.integers(0, 2, ROUNDS)) for own in seen]  # what was not seen may be any
        self.y = float(self.means[-1])

    def sum(self, k: int, number: int) -> float:
        return float(self.stacks[k - 1][:number].sum())

    @cache  # noqa: B019  (a few plays live as long as the tests)
    def fit(self, t: int) -> reucb.Fit:
        n = [self.count(k, t) for k in range(1, ARMS + 1)]
        means = [self.sum(k, number) / number if number else math.nan for k, number in enumerate(n, 1)]
        return reucb.blup(np.array(n), np.array(means), sigma0_sq=S0, sigma_sq=NOISE)

    def index(self, k: int, t: int, log: int) -> float:
        return self.estimate(k, t) + math.sqrt(WIDTH * math.log(log)) * self.tau(k, t)

    def others(self, k: int) -> list[int]:
        return [arm for arm in range(1, ARMS + 1) if arm != k]

    def weight(self, k: int, t: int) -> float:
        return self.count(k, t) / (self.count(k, t) + RHO)

    def total(self, k: int, t: int, average: bool) -> float:
        """The weights of the other arms than k, or these times their averages."""
        return sum(
            self.weight(arm, t) * (self.sum(arm, self.count(arm, t)) / self.count(arm, t) if average else 1)
            for arm in self.others(k)
            if self.count(arm, t)
        )

    def edge(self, j: int) -> float:
        return [0.0, 0.7 * self.y, self.y + 0.02][min(j, LAYERS)]

    def z(self, i: int) -> float:
        return self.edge(i) - 0.05

    def part(self, i: int, k: int) -> float:
        at = float(self.means[k - 1])
        return max(0.0, self.edge(i) - max(self.edge(i - 1), at))

    def level(self, i: int, t: int = 0) -> float:
        return 0.3 + 0.1 * i + 0.01 * t

    def far(self, arm: int, i: int, t: int, at: int) -> list[float]:
        """Z of the arms on a line before a round: above it and without arm k, or below it and without the best one."""
        level, own = self.level(i, t), self.others(arm)
        averages = {k: self.sum(k, self.count(k, at)) / self.count(k, at) for k in own}
        if arm == ARMS:
            return [self.weight(k, at) * (level - averages[k]) for k in own]
        return [self.weight(k, at) * (averages[k] - (self.y if k == ARMS else level)) for k in own]

    def crest(self, arm: int, i: int, t: int = 0) -> int:
        return max(range(ARMS + 1, ROUNDS + 1), key=lambda at: sum(self.far(arm, i, t, at)))

    def on_line(self, j: int, arm: int, i: int, t: int = 0) -> float:
        return self.far(arm, i, t, self.crest(arm, i, t))[j - 1]

    def beyond(self, arm: int, i: int, t: int = 0) -> float:
        return sum(self.far(arm, i, t, self.crest(arm, i, t)))

    def need(self, i: int, number: int, x: float, v: float, w: float) -> float:
        z, c = self.z(i), self.level(i)
        wide = math.sqrt(WIDTH * math.log(ROUNDS) * NOISE * (number + RHO * v / (1 + v)))
        return number * z - wide - RHO * (x + w * (self.y - c) + (c - z) * v) / (1 + v)

    @cache  # noqa: B019
    def needs_least(self, i: int, number: int, x: float) -> tuple[float, float]:
        """Weights in their range at which a good pull needs least; convex in s = 1/(1 + v) along both edges of w."""
        idle, found = (ARMS - 2) * FIRST, []
        for low, high in ((FIRST + idle, 1 + idle), (1 + idle, ARMS - 1.0)):
            for best in (lambda v: FIRST, lambda v: min(1.0, v - idle)):

                def at(s: float, best: Callable[[float], float] = best) -> float:
                    return self.need(i, number, x, 1 / s - 1, best(1 / s - 1))

                inside = 1 / least(at, 1 / (1 + high), 1 / (1 + low)) - 1
                found += [(v, best(v)) for v in (low, inside, high)]
        return min(found, key=lambda pair: self.need(i, number, x, *pair))

    def short(self, i: int, t: int, x: float, j: int, v: float) -> float:
        """How far the sum of j rewards of the best arm is below the boundary."""
        z, c = self.z(i), self.level(i, t)
        wide = math.sqrt(WIDTH * math.log(t) * NOISE * (j + RHO * v / (1 + v)))
        return j * z - wide + RHO * ((z - c) * v + x) / (1 + v) - self.sum(ARMS, j)

    @cache  # noqa: B019
    def most_short(self, i: int, t: int, x: float) -> tuple[int, float]:
        """A count and a weight in their ranges at which it is furthest below; convex in s, so that v is at an end."""
        found = []
        for j in range(1, t - ARMS + 1):
            rest = t - 1 - j
            one, each = rest - (ARMS - 2), rest / (ARMS - 1)
            found += [(j, one / (one + RHO) + (ARMS - 2) * FIRST), (j, rest / (each + RHO))]
        return max(found, key=lambda pair: self.short(i, t, x, *pair))

    @property
    def meaning(self) -> Mapping[str, Callable[..., float]]:
        return {
            "mu": lambda k: float(self.means[k - 1]),
            "I": self.pulled,
            "n": self.count,
            "muhat": self.estimate,
            "tau": self.tau,
            "hit": lambda t, k, j: float(self.pulled(t) == k and self.count(k, t) == j),
            "highest": lambda t: max(self.index(k, t, t) for k in range(1, ARMS + 1)),
            "index": lambda t, k: self.index(k, t, ROUNDS),
            "index_best": lambda t: self.index(ARMS, t, t),
            "S": self.sum,
            "V": lambda k, t: self.total(k, t, average=False),
            "A": lambda k, t: self.total(k, t, average=True),
            "unlike": lambda j, k: [arm for arm in self.others(k) if arm != ARMS][j - 1],
            "cost": lambda t: self.y - float(self.means[self.pulled(t) - 1]),
            "layer": lambda i, t: self.part(i, self.pulled(t)) if self.pulled(t) < ARMS else 0.0,
            "length": self.part,
            "edge": lambda j, _: self.edge(j),
            "L": lambda i, _: self.edge(i) - self.edge(i - 1),
            "z": lambda i, _: self.z(i),
            "c": lambda i, _: self.level(i),
            "c_bad": lambda i, t, _: self.level(i, t),
            "X_good": lambda i, k: self.beyond(k, i),
            "X_bad": lambda i, t: self.beyond(ARMS, i, t),
            "Z_good": lambda j, i, k: self.on_line(j, k, i),
            "Z_bad": lambda j, i, t: self.on_line(j, ARMS, i, t),
            "crest_good": lambda i, k: self.crest(k, i) - ARMS - 1,
            "crest_bad": lambda i, t: self.crest(ARMS, i, t) - ARMS - 1,
            "needed": lambda i, number, x, _: self.need(i, number, x, *self.needs_least(i, number, x)),
            "v_least": lambda i, number, x, _: self.needs_least(i, number, x)[0],
            "w_least": lambda i, number, x, _: self.needs_least(i, number, x)[1],
            "shortfall": lambda i, t, x: self.short(i, t, x, *self.most_short(i, t, x)),
            "j_most": lambda i, t, x: self.most_short(i, t, x)[0],
            "v_most": lambda i, t, x: self.most_short(i, t, x)[1],
            "x_good": lambda c, i, _: 0.1 * c + i,
            "x_bad": lambda c, i, t, _: 0.1 * c + i - t,
        }


PLAYS = [BoundedPlay(seed) for seed in range(3)]
ABOVE, BELOW = lines.ABOVE, lines.BELOW
# Which rounds a definition is about where its hypotheses do not say it: indices and lines begin after the first K.
LATER = {"BEST_INDEX", "INDEX_N", "LAYER"}


def all_definitions() -> dict[str, Definition]:
    found = {name: x for module in (play, pulls) for name, x in vars(module).items() if isinstance(x, Definition)}
    found |= {f"LEAST_ALLOWED {m}": x for m, x in enumerate(pulls.LEAST_ALLOWED)}
    found |= {f"MOST_ALLOWED {m}": x for m, x in enumerate(pulls.MOST_ALLOWED)}
    for line in (ABOVE, BELOW):
        found |= {f"{line.kind} {x.of}": x for x in (line.largest, line.within_play, line.rising)}
    return {name: x for name, x in found.items() if not any(side.has(Mean) for side in x.concludes.rel.stated)}


DEFINITIONS = all_definitions()


def holds(rel: Rel, at: Mapping[str, float], played: BoundedPlay) -> bool:
    difference = value(rel.left, at, played.meaning) - value(rel.right, at, played.meaning)
    equal = abs(difference) <= CLOSE
    return {"=": equal, "<=": difference <= CLOSE, ">=": difference >= -CLOSE, "<": difference < -CLOSE}.get(
        rel.op, difference > CLOSE
    )


def places(goal: Goal, later: bool) -> Iterator[dict[str, float]]:
    sides = [side for r in (goal.rel, *goal.given) for side in (r.left, r.right)]
    free = {x.name for side in sides for x in side.free_symbols} - set(NUMBERS)
    ranges = {**RANGES, "j": [1, 2, 3, 5]}
    rounds = [t for t in RANGES["t"] if not later or t > ARMS]
    names = sorted(free & set(ranges))
    for chosen in product(*({**ranges, "t": rounds}[name] for name in names)):
        yield {**NUMBERS, **dict(zip(names, chosen, strict=True))}


def broken(name: str, rel: Rel) -> tuple[int, int]:
    """At how many places of several plays a relation fails, of how many."""
    goal, wrong, tried = DEFINITIONS[name].concludes, 0, 0
    about_rounds = name in LATER or name.startswith("bad")
    for played in PLAYS:
        for at in places(goal, about_rounds):
            here = {**at, "mu_*": played.y}
            if all(holds(h, here, played) for h in goal.given):
                tried += 1
                wrong += not holds(rel, here, played)
    return wrong, tried


@pytest.mark.parametrize("name", DEFINITIONS)
def test_the_definition_holds_on_plays(name: str) -> None:
    wrong, tried = broken(name, DEFINITIONS[name].concludes.rel)
    assert tried > 2
    assert wrong == 0


@pytest.mark.parametrize(
    "name", ["PART", "NEEDED_AT", "SHORTFALL_AT", "PREDICTION", "WIDTH", "good X is the largest sum of Z"]
)
def test_another_definition_would_fail(name: str) -> None:
    rel = DEFINITIONS[name].concludes.rel
    wrong, tried = broken(name, Rel(rel.left, "=", rel.right + 1))
    assert wrong == tried > 0


@pytest.mark.parametrize("name", ["NEEDED", "SHORTFALL", "LINE", "LINE_OF_BEST"])
def test_extremes_are_attained(name: str) -> None:
    """A bound that is tighter by 1/50 would fail somewhere: it is one of the values that it bounds."""
    rel = DEFINITIONS[name].concludes.rel
    room = sp.Rational(1, 50)
    tighter = Rel(rel.left, rel.op, rel.right - room if rel.op == "<=" else rel.right + room)
    wrong, tried = broken(name, tighter)
    assert 0 < wrong < tried
