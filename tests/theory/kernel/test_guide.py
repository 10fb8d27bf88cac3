"""The guide for authors of claims is run as it stands; the example of another paper, UCB1, is checked."""

import importlib
import re
import sys
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
    own = Rel(ucb1.gap * Mean(T, ucb1.w), "<=", 8 * sp.log(ucb1.N) / ucb1.gap + 2 * ucb1.gap)
    assert proof(follows(own, one)).check().verdict == "proved"
    less = Rel(ucb1.gap * Mean(T, ucb1.w), "<=", 4 * sp.log(ucb1.N) / ucb1.gap + 2 * ucb1.gap)
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
