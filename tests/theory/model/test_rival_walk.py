"""Definitions of the counting bound about an arm, its rival and the remaining arms hold on plays of the code; laws are
given only of what is decided before the reward that they speak of."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from functools import cache
from itertools import product

import numpy as np
import pytest
import sympy as sp
from scipy.special import ndtr, ndtri

import reucb
from tests.theory.model.test_definitions_on_plays import ARMS, NOISE, NUMBERS, ROUNDS, Played, holds, of_kinds
from theory.kernel.goal import Goal
from theory.kernel.rules import Definition
from theory.kernel.terms import Event, Mean
from theory.model import good_pulls as pull
from theory.model import rival_walk as model
from theory.model.arms import Wo, n, s0, tau_sq
from theory.model.good_pulls import average
from theory.model.play import K, count, k
from theory.model.rival_walk import BAR, chance, first, g, h, luck, m, noise, r, walk, worth
from theory.model.round_errors import d, e
from theory.model.round_kinds import Lam, o
from theory.model.standard_normals import apart, by_density, moments, z1, z2, z3

RHO, ZETA, PRICE = NOISE, 0.3, 0.2
LEAST = (ARMS - 2) / (1 + RHO)
GRID = [*np.linspace(LEAST, ARMS - 2, 41)]
RISE = (2 + LEAST) / (1 + LEAST + 1 / (1 + RHO))
RANGES = {
    **{"k": range(1, ARMS + 1), "t": range(ARMS + 1, ROUNDS + 1), "j": (1, 2, 5), "m": range(ROUNDS + 1)},
    **{"i": range(1, ARMS), "x": (-1.0, 0.4, 3.0), "y": (-0.3, 1.1), "S": (-0.4, 0.2, 0.9), "v": GRID[::8]},
}


def drift(p: dict[str, Callable[..., float]], v: float, j: int, y: float, S: float, factor: float) -> float:
    bracket = ZETA + S - y + (2 * y - ZETA * (2 + LEAST)) / (2 + v)
    root = math.sqrt(j + RHO * (1 - 1 / (2 + v)))
    return p["w"](ROUNDS) * math.sqrt(RHO) * root + RHO * factor * bracket


def of_rivals(p: Played) -> dict[str, Callable[..., float]]:
    """What every quantity is in a play; rewards that were not seen may be any numbers."""
    base = dict(of_kinds(p))
    arms = range(1, ARMS + 1)

    def reward(arm: int, number: int) -> float:
        seen = p.run.rewards[p.run.arms == arm - 1]
        return float(seen[number - 1]) if number <= len(seen) else 0.1 * arm - 0.2 * number

    def mean_reward(arm: int, number: int) -> float:
        return sum(reward(arm, i) for i in range(1, number + 1)) / number

    def rival(arm: int) -> int:
        return max((i for i in arms if i != arm), key=p.mean)

    def remaining(arm: int) -> list[int]:
        return [i for i in arms if i not in (arm, rival(arm))]

    def weight(arm: int, t: int) -> float:
        return p.count(arm, t) / (p.count(arm, t) + RHO)

    def weighted(arm: int, t: int) -> float:
        return weight(arm, t) * mean_reward(arm, p.count(arm, t))

    def clock(arm: int, t: int) -> float:
        return sum(weight(i, t) for i in remaining(arm))

    def walk_(arm: int, t: int) -> float:
        return sum(weighted(i, t) for i in remaining(arm))

    def size(arm: int, t: int) -> float:
        error = weighted(rival(arm), t) - weight(rival(arm), t) * p.mean(rival(arm))
        return (walk_(arm, t) + error - ZETA * (clock(arm, t) - LEAST)) / (2 + clock(arm, t))

    def crest(arm: int) -> int:
        return max(range(ARMS + 1, ROUNDS + 1), key=lambda t: size(arm, t))

    def noise_(arm: int, number: int) -> float:
        return number * (mean_reward(rival(arm), number) - p.mean(rival(arm))) if number else 0.0

    def lucky(arm: int) -> int:
        return max(range(ROUNDS + 1), key=lambda n: noise_(arm, n) / (n + RHO))

    @cache
    def attained(j: int, y: float, S: float) -> tuple[float, float, float]:
        return max((drift(base, v, j, y, S, 1 + s * (RISE - 1)), v, s) for v, s in product(GRID, (0, 1)))

    def needed(j: int, y: float, value: float) -> float:
        low, high = -200.0, 200.0
        for _ in range(200):
            middle = (low + high) / 2
            low, high = (low, middle) if attained(j, y, middle)[0] >= value else (middle, high)
        return high

    def others(value: Callable[[int, int], float], t: int) -> float:
        return sum(value(i, t) for i in arms if i != p.pulled(t))

    def worth_(arm: int, _: int) -> float:
        ahead = p.mean(rival(arm)) - p.mean(arm)
        return ahead + PRICE if ahead >= 0 else 0.0

    return {
        **base,
        "Lam": lambda _: PRICE,
        "average": mean_reward,
        "rival": rival,
        "M": walk_,
        "clock": clock,
        "moves": lambda arm, t: float(p.pulled(t) in remaining(arm)),
        "deviation": lambda t: math.sqrt(RHO / (p.count(p.pulled(t), t) + RHO)),
        "S": lambda arm: size(arm, crest(arm)),
        "crest": crest,
        "noise": noise_,
        "luck": lambda arm: noise_(arm, lucky(arm)) / (lucky(arm) + RHO),
        "lucky count": lucky,
        "reach": lambda j, y, S: attained(j, y, S)[0],
        "place": lambda j, y, S: attained(j, y, S)[1],
        "steep": lambda j, y, S: attained(j, y, S)[2],
        "needed": needed,
        "worth": worth_,
        "first M": lambda arm, n: sum(reward(i, 1) for i in remaining(arm) if i <= n) / (1 + RHO),
        "ahead": lambda arm, n: sum(1 for i in remaining(arm) if i > n),
        "weights": lambda t: others(weight, t),
        "averages": lambda t: others(weighted, t),
    }


def spoken_of(goal: Goal) -> Iterator[dict[str, float]]:
    sides = [side for rel in (goal.rel, *goal.given) for side in (rel.left, rel.right)]
    free = sorted({symbol.name for side in sides for symbol in side.free_symbols} & set(RANGES))
    for chosen in product(*(RANGES[name] for name in free)):
        yield {**NUMBERS, "s0": 1.0, "s": RHO, "zeta": ZETA, **dict(zip(free, chosen, strict=True))}


def definitions() -> Iterator[Definition]:
    """Those that speak of one play and contain no mean."""
    left_out = {model.HURDLE.of}  # of a Brownian motion
    for item in (*vars(model).values(), pull.WEIGHTS, pull.AVERAGES, pull.PREDICTION, pull.WIDTH, pull.FALLING):
        if isinstance(item, Definition) and item.of not in left_out:
            sides = [side for rel in (item.gives.rel, *item.gives.given) for side in rel.stated]
            if not any(side.has(Mean) for side in sides):
                yield item


@cache
def played(seed: int) -> dict[str, Callable[..., float]]:
    return of_rivals(Played(seed, reucb.ReUCB(a=NUMBERS["a"], sigma0_sq=1.0, sigma_sq=NOISE)))


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("defined", [*definitions()], ids=lambda item: item.of.replace(" ", "-"))
def test_a_definition_holds_in_a_play(defined, seed):
    meaning, met = played(seed), 0
    for at in spoken_of(defined.gives):
        if all(holds(rel, at, meaning) for rel in defined.gives.given):
            met += 1
            assert holds(defined.gives.rel, at, meaning), (defined.gives.rel, at)
    assert met


def test_what_is_true_in_units_of_the_prior_only_supposes_them():
    """In other units tau would be defined twice, and differently: play.WIDTH holds for any sigma_0^2."""
    own, rest = sp.symbols("n V", positive=True)
    weight = pull.share(own)
    in_units = 1 - weight + (1 - weight) ** 2 / (weight + rest)
    assert pull.WIDTH.gives.rel.right == in_units.xreplace({own: count(pull.CHOSEN, model.t, d), rest: pull.weights})
    anywhere = tau_sq.xreplace({n: own, Wo: rest})
    assert sp.simplify((anywhere - in_units).subs(s0, 1)) == 0 != sp.simplify(anywhere - in_units)
    laws = (
        model.next_reward(PAST, Event(r, 0)),
        model.first_reward(Event(r, 0)),
        model.as_drawn(Event(model.TOP - model.OWN, 0), (o,)),
    )
    assert all(pull.UNITS in law.gives.given for law in (pull.WIDTH, pull.PREDICTION, *laws))


def test_how_many_arms_are_ahead_is_said_of_arms_only():
    """Of arm K + 1 it would be -1 after all arms, though it is a number of arms: only one of them is its rival."""
    assert all(model.AN_ARM in item.gives.given for item in (model.ALL_AHEAD, model.NEXT_AHEAD))


CHANCE = chance(k, model.j, K + 1 + h, d, e)
PAST = sp.Product(Event(1 - CHANCE, 1), (h, 0, g))
THRESHOLD = model.luck_needed(BAR)
SUMMED = sp.Product(Event(1 - noise(k, h, d, e), 1), (h, 0, m))
AVERAGE, OWN, TOP, ONE, ZERO = average(k, model.j, d, e), model.OWN, model.TOP, sp.S.One, sp.S.Zero


def test_laws_are_given_of_what_the_past_decides():
    assert model.next_reward(PAST, Event(r - walk(k, model.t, d, e), 0)).laws
    assert model.first_reward(Event(r - first(k, m, d, e) - luck, 0)).laws
    assert model.next_noise(Event(THRESHOLD, 1), sp.S.One, THRESHOLD, -(m + 1) * pull.rho * THRESHOLD**2 / 2).laws
    assert model.next_noise(sp.S.One, SUMMED, sp.S.One, model.TOP).laws
    assert model.as_drawn(Event(model.TOP - model.OWN, 0), (o,)).laws


ROUNDS_TO_COME = sp.Product(Event(1 - CHANCE, 1), (h, 0, g + 1))
REFUSED = {
    "a round to come": lambda: model.next_reward(ROUNDS_TO_COME, r),
    "a past that may be negative": lambda: model.next_reward(-PAST, r),
    "the chance after the round": lambda: model.next_reward(PAST * Event(chance(k, model.j, K + 2 + g, d, e), 1), r),
    "the walk after the round": lambda: model.next_reward(PAST, r * walk(k, model.t + 1, d, e)),
    "another arm": lambda: model.next_reward(PAST, r * average(k + 1, model.j, d, e)),
    "all pulls": lambda: model.next_reward(PAST, r * pull.supremum(k, d, e)),
    "a normal number of the law": lambda: model.next_reward(PAST, r * z1),
    "a first reward to come": lambda: model.first_reward(r * first(k, m + 1, d, e)),
    "the walk at the end": lambda: model.first_reward(r * walk(k, K + 1, d, e)),
    "the luck of the rival": lambda: model.next_noise(Event(luck, 1), sp.S.One, sp.S.One, sp.S.Zero),
    "luck in the exponent": lambda: model.next_noise(sp.S.One, sp.S.One, luck, sp.S.Zero),
    "noise to come": lambda: model.next_noise(sp.S.One, Event(noise(k, m + 1, d, e), 1), sp.S.One, sp.S.Zero),
    "a gate that may be negative": lambda: model.next_noise(THRESHOLD, sp.S.One, sp.S.One, sp.S.Zero),
    "noise of the rival": lambda: model.as_drawn(luck, (o,)),
    "a weight": lambda: model.as_drawn(worth, (o,)),
    "a dependent normal": lambda: apart(z1 * z2, (z2,), z1, {}),
    "two of one": lambda: moments(z1, z1),
    "no normal": lambda: by_density(Lam(o), o, sp.Symbol("y"), {}),
    "a normal of another place": lambda: apart(z2, (z2, z3), z1 * z3, {}),
    # an operator binds a symbol of the law, or an index is free
    "a sum over arms": lambda: model.as_drawn(sp.Sum(OWN, (k, 1, 2)) ** 2, ()),
    "averages of two counts": lambda: model.as_drawn(sp.Product(Event(AVERAGE, 0), (model.j, 1, 2)), ()),
    "a mean over d": lambda: model.as_drawn(Mean(OWN, d), ()),
    "an average over arms": lambda: model.as_drawn(OWN, (k,)),
    "the index of a product, free": lambda: model.next_reward(PAST * Event(CHANCE - sp.S.Half, 0), Event(r, 0)),
    "a product over the number of rewards": lambda: model.next_reward(
        sp.Product(Event(1 - chance(k, model.j, K + 1 + m, d, e), 1), (m, 0, g)), r
    ),
    "later rounds inside a product": lambda: model.next_reward(
        sp.Product(Event(1 - sp.Sum(CHANCE, (h, 0, g + 3)), 1), (h, 0, g)), r
    ),
    "a sum of later chances": lambda: model.next_reward(PAST * Event(sp.Sum(CHANCE, (h, 0, g + 3)) - 1, 0), r),
    "a sum over rounds": lambda: model.next_reward(PAST, r * sp.Sum(walk(k, model.t, d, e), (model.t, K + 1, K + 9))),
    "a mean over the reward": lambda: model.next_reward(PAST, Mean(r, r)),
    "a bare outcome": lambda: model.next_reward(PAST, r * Event(d, 0)),
    "the rest of it in the past": lambda: model.next_reward(PAST * Event(e, 0), r),
    "later first rewards": lambda: model.first_reward(r * sp.Sum(first(k, m, d, e), (m, 0, K))),
    "a bare outcome in a first reward": lambda: model.first_reward(r + d),
    "the index of noise, free": lambda: model.next_noise(ONE, SUMMED * Event(noise(k, h, d, e), 0), ONE, ZERO),
    "two bare outcomes": lambda: model.next_noise(Event(d - e, 0), ONE, ONE, ZERO),
    "a factor that is bare": lambda: model.next_noise(ONE, ONE, e, ZERO),
    "a bound variable": lambda: by_density(Mean(z1**2, z1) * z1, z1, model.E, {}),
    # what may have no mean
    "a quadratic exponent": lambda: by_density(sp.sqrt(2 * sp.pi) * sp.exp(z1**2 / 2), z1, sp.Symbol("y"), {}),
    "one over a normal": lambda: by_density(1 / z1, z1, sp.Symbol("y"), {}),
    "a heavy factor": lambda: apart(sp.exp(z2**2), (z2,), z1, {}),
    "another heavy factor": lambda: apart(z2, (z2,), sp.exp(z1**2), {}),
    "a square of the reward": lambda: model.next_reward(PAST, sp.exp(r**2)),
    "a root of the reward": lambda: model.next_reward(PAST, sp.sqrt(r)),
    "the logarithm of a first reward": lambda: model.first_reward(sp.log(r)),
    "an unspecified function": lambda: model.first_reward(Lam(r)),
    "a square of a mean": lambda: model.as_drawn(sp.exp(OWN**2), ()),
    "one over a mean": lambda: model.as_drawn(1 / TOP, ()),
    "a square of the factor": lambda: model.next_noise(Event(THRESHOLD, 1), ONE, THRESHOLD, -THRESHOLD),
    "a number that is not small enough": lambda: model.next_noise(ONE, ONE, OWN, -m * pull.rho * OWN**2 / 2),
}


@pytest.mark.parametrize("what", REFUSED)
def test_no_law_is_given_of_anything_else(what):
    with pytest.raises(ValueError, match=r"."):
        REFUSED[what]()


# The law of the next reward, and of a first reward, in simulated plays of 4 arms: E[worth 1{moved} f(r)] both ways.
SIZE, MANY, SIGMA = 200_000, 4, math.sqrt(RHO)
RANDOM = np.random.default_rng(7)


def cut_mean(middle: np.ndarray, deviation: np.ndarray, top: np.ndarray) -> np.ndarray:
    """A draw of a normal number that is cut from above."""
    below = ndtr((top - middle) / deviation)
    return middle + deviation * ndtri(np.clip(RANDOM.uniform(size=SIZE) * below, 1e-300, 1))


@cache
def simulated() -> tuple[np.ndarray, np.ndarray]:
    return (means := RANDOM.normal(size=(SIZE, MANY))), means[..., None] + SIGMA * RANDOM.normal(size=(SIZE, MANY, 8))


def same_mean(weight: np.ndarray, reward: np.ndarray, mean: np.ndarray) -> None:
    for level in (-0.5, 0.3, 1.2):
        gain = weight * ((reward >= level) - ndtr((mean - level) / SIGMA))
        assert abs(gain.mean()) < 4.5 * gain.std() / math.sqrt(SIZE)
        assert abs((weight * (reward >= level)).mean()) > 20 * gain.std() / math.sqrt(SIZE)  # it could be seen


@pytest.mark.parametrize("rounds", [1, 3])
def test_the_reward_of_a_remaining_arm_has_the_stated_law(rounds):
    """Arm 1 and its rival; the arm of round K + rounds is chosen by ReUCB*."""
    means, stacks = simulated()
    everyone = np.arange(SIZE)
    rival = 1 + means[:, 1:].argmax(axis=1)
    counts = np.ones((SIZE, MANY), dtype=int)
    for t in range(MANY + 1, MANY + rounds + 1):
        seen = np.arange(8) < counts[..., None]
        averages = (stacks * seen).sum(axis=2) / counts
        weights = counts / (counts + RHO)
        total = weights.sum(axis=1, keepdims=True)
        common = (weights * averages).sum(axis=1, keepdims=True) / total
        width = np.sqrt((1 - weights) * (1 + (1 - weights) / total))
        index = weights * averages + (1 - weights) * common + math.sqrt(NUMBERS["a"] * math.log(t)) * width
        pulled = index.argmax(axis=1)
        if t < MANY + rounds:
            counts[everyone, pulled] += 1
    top, n = means[everyone, rival], counts[everyone, pulled]
    moved = (pulled != 0) & (pulled != rival)
    worth_ = np.where(top >= means[:, 0], top - means[:, 0] + PRICE, 0.0) * moved
    middle = weights[everyone, pulled] * averages[everyone, pulled]
    drawn = cut_mean(middle, np.sqrt(RHO / (n + RHO)), top)
    same_mean(worth_, stacks[everyone, pulled, n], drawn)


def test_the_first_reward_of_a_remaining_arm_has_the_stated_law():
    means, stacks = simulated()
    rival = 1 + means[:, 1:].argmax(axis=1)
    top = means[np.arange(SIZE), rival]
    worth_ = np.where(top >= means[:, 0], top - means[:, 0] + PRICE, 0.0) * (rival != 2)
    drawn = cut_mean(np.zeros(SIZE), np.ones(SIZE), top)
    same_mean(worth_, stacks[:, 2, 0], drawn)
