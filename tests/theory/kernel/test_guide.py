"""The guide for authors of claims is run as it stands; the example of another paper, UCB1, is checked."""

import importlib
import math
import random
import re
import sys
from itertools import product
from pathlib import Path

import pytest
import sympy as sp

import theory.kernel
from theory.kernel import classical
from theory.kernel.argument import proof
from theory.kernel.claim import REGISTRY
from theory.kernel.goal import Goal, Rel, positive
from theory.kernel.rules import Theorem, cited, follows, uses
from theory.kernel.terms import Event, Mean

# The example of another paper: UCB1's theorem, every step, with one cited fact; a false variant is refuted.

FOLDER = Path(__file__).parents[3] / "examples" / "ucb1"


@pytest.fixture(scope="module")
def claims():
    """The claims of the example, taken out of the registry again afterwards."""
    before = dict(REGISTRY)
    sys.path.insert(0, str(FOLDER))
    names = [path.stem for path in FOLDER.glob("*.py")]
    for name in names:
        sys.modules.pop(name, None)
        importlib.import_module(name)
    found = {name: claim.build for name, claim in REGISTRY.items() if name not in before}
    yield found, sys.modules["ucb1_play"]
    sys.path.remove(str(FOLDER))
    REGISTRY.clear()
    REGISTRY.update(before)


QUICK = ["ucb1/wide-enough", "ucb1/wrong-choice", "ucb1/tails", "ucb1/some-pair", "ucb1/rounds", "ucb1/count", "ucb1"]


@pytest.mark.parametrize("name", QUICK)
def test_a_step_is_proved(claims, name):
    found = claims[0][name]().check()
    assert found.verdict == "proved", found.problem
    assert all("Hoeffding" in a for a in found.assumes)
    assert ("Hoeffding" in " ".join(found.assumes)) == (name in ("ucb1/tails", "ucb1"))


def test_the_false_variant_is_refuted(claims):
    found = claims[0]["ucb1/wide-enough/half"]().check()
    assert found.verdict == "refuted"
    assert {"left": found.counterexample["left"], "right": found.counterexample["right"]} == {"left": "4", "right": "3"}


def test_a_smaller_constant_does_not_follow(claims):
    ucb1 = claims[1]
    one = uses("ucb1/pulls")
    T = sp.Sum(ucb1.u(ucb1.t, ucb1.i, ucb1.w), (ucb1.t, 1, ucb1.N))
    own = Rel(ucb1.gap * Mean(T, ucb1.w), "<=", 8 * sp.log(ucb1.N) / ucb1.gap + 3 * ucb1.gap)
    assert proof(follows(own, one)).check().verdict == "proved"
    less = Rel(ucb1.gap * Mean(T, ucb1.w), "<=", 4 * sp.log(ucb1.N) / ucb1.gap + 3 * ucb1.gap)
    assert proof(follows(less, one)).check().verdict == "open"


def test_hoeffding_gives_what_it_says_and_nothing_else(claims):
    ucb1 = claims[1]
    law, other = ucb1.averages()
    average = ucb1.X(ucb1.s, ucb1.w)
    at = {"average": average, "mean": ucb1.best, "count": ucb1.s, "deviation": ucb1.c, "outcome": ucb1.w, "above": True}
    paid = sys.modules["ucb1_rewards"]
    at |= {"value": paid.P(ucb1.q, ucb1.w), "index": ucb1.q}
    domain = {**law.gives.domain, ucb1.c: positive()}
    total, low, high, independent = paid.rewards(average, ucb1.s, at["value"])
    known = law, total, low, high, independent

    def verdict(deviation, exponent, laws=known, parameters=at):
        chance = Mean(Event(average - ucb1.best - deviation, 0), ucb1.w)
        tail = Goal(Rel(chance, "<=", sp.exp(exponent)), domain, name="tail")
        return proof(cited(classical.HOEFFDING, hypotheses=laws, gives=tail, at=parameters)).check().verdict

    right = ucb1.c, -2 * ucb1.s * ucb1.c**2
    assert verdict(*right) == "proved"
    assert verdict(ucb1.c, -200 * ucb1.s * ucb1.c**2) == "open"
    assert verdict(ucb1.c / 2, right[1]) == "open"
    assert verdict(*right, laws=(other, *known[1:])) == "open"
    assert verdict(*right, laws=()) == "open"
    for without in range(5):
        assert verdict(*right, laws=(*known[:without], law, *known[without + 1 :])) == ("open" if without else "proved")
    assert verdict(*right, parameters={**at, "value": paid.P(ucb1.q + 1, ucb1.w)}) == "open"
    assert verdict(*right, parameters={**at, "value": 2 * at["value"]}) == "open"
    assert verdict(*right, parameters={**at, "above": False}) == "open"
    assert verdict(*right, parameters={}) == "open"


def ucb1_of_the_paper(seed, arms=3, rounds=25):
    """Pulled arms, 1 to `arms`, and the rewards of each: UCB1 as printed, "where n_j is the number of times machine j
    has been played so far, and n is the overall number of plays done so far"."""
    rng = random.Random(seed)
    rewards = {arm: [rng.randint(0, 8) / 8 for _ in range(rounds)] for arm in range(1, arms + 1)}
    pulled = list(rewards)
    while len(pulled) < rounds:
        plays = {arm: pulled.count(arm) for arm in rewards}
        index = {m: sum(rewards[m][:c]) / c + math.sqrt(2 * math.log(len(pulled)) / c) for m, c in plays.items()}
        pulled.append(max(index, key=lambda arm: index[arm]))
    return pulled, rewards


@pytest.mark.parametrize("seed", range(3))
def test_the_rule_is_that_of_the_printed_algorithm(claims, seed):
    """On plays of the printed algorithm every definition of the rule holds, with the last arm as the best one."""
    ucb1, rule = claims[1], sys.modules["ucb1_rule"]
    pulled, rewards = ucb1_of_the_paper(seed)
    best, needed = len(rewards), 2

    def average(arm, count):
        return sp.Rational(sum(rewards[int(arm)][: int(count)])) / count

    def terms(f, limits):
        index, low, high = limits
        return sp.Add(*(f.xreplace({index: q}) for q in range(low, high + 1)))

    meanings = {
        sp.Sum: terms,
        ucb1.ell.func: lambda arm: sp.Integer(needed),
        ucb1.u: lambda round_, arm, w: sp.Integer(int(pulled[round_ - 1] == arm)),
        ucb1.A: lambda t, arm, w: sp.Integer(max(1, pulled[:t].count(best))),
        ucb1.B: lambda t, arm, w: sp.Integer(max(0, pulled[:t].count(arm) - needed)),
        ucb1.X: lambda count, w: average(best, count),
        ucb1.Y: lambda count, arm, w: average(arm, count),
        Event: lambda margin, strict: sp.Integer(int(bool(margin > 0 if strict else margin >= 0))),
    }

    def value(side, at):
        side = side.xreplace(at)
        for function, meaning in meanings.items():  # in this order: events are of numbers then
            side = side.replace(function, meaning)
        return side

    for defined in (rule.BEST_COUNT, rule.OWN_COUNT, rule.CHOICE, *rule.FIRST):
        rel = defined.gives.rel
        for t, i in product(range(2, len(pulled)), range(1, best)):
            at = {ucb1.t: sp.Integer(t), ucb1.i: sp.Integer(i)}
            assert value(rel.left, at) <= value(rel.right, at), (defined.of, t, i)


def test_every_step_is_used(claims):
    builds = claims[0]
    used = {u for name, build in builds.items() if name != "ucb1/wide-enough/half" for u in build().uses}
    assert set(builds) - used == {"ucb1", "ucb1/decomposition", "ucb1/wide-enough/half"}


# The guide for authors of claims is run as it stands.


def test_the_code_of_the_guide_runs():
    text = (Path(theory.kernel.__file__).parent / "README.md").read_text()
    blocks = re.findall(r"```python\n(.*?)```", text, flags=re.S)
    assert len(blocks) == 4
    exec("\n".join(blocks), {})


def test_every_classical_theorem_has_a_statement_and_a_reference():
    theorems = [t for t in vars(classical).values() if isinstance(t, Theorem)]
    assert theorems
    assert len({t.name for t in theorems}) == len(theorems)
    assert all(t.says and t.reference for t in theorems)
