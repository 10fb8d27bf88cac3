"""What is printed of a claim is a statement of its own: read without the proof, it is true, and no refuted one."""

from __future__ import annotations

from dataclasses import replace

import pytest

from theory.kernel import statement
from theory.kernel.argument import Proof, Refutation
from theory.kernel.falsify import falsify
from theory.kernel.goal import Goal, Rel
from theory.kernel.named import valued
from theory.kernel.sources import defining
from theory.kernel.terms import Mean
from theory.ledger import load, recorded
from theory.model.arms import J, arm_goal, n, s, s0, tau_sq, tau_tilde_sq

POINTS = 100


def as_read(goal: Goal) -> Goal:
    """The goal with the hypotheses that a reader sees, and those that follow from the definitions beside it."""
    meant, _ = defining(goal)
    kept = tuple(h for h in goal.given if h.source is None or h.symbols & set(meant))
    return replace(goal, given=kept, points=goal.points if kept == goal.given else None)


def proofs() -> list[str]:
    return [name for name, verdict in recorded().items() if verdict == "proved"]


@pytest.mark.parametrize("name", proofs())
def test_no_counterexample_to_what_is_printed_of_a_proof(name: str) -> None:
    """Hypotheses by other claims are not printed: each holds on the whole domain, or follows from a definition."""
    argument = load()[name].argument
    assert isinstance(argument, Proof)
    for goal in argument.conclusions:
        if any(h.source is not None for h in goal.given) and not any(
            valued(side).has(Mean) for side in goal.rel.stated
        ):
            assert falsify(as_read(goal), POINTS) is None, goal.name


def test_a_hypothesis_that_is_not_printed_would_be_found() -> None:
    goal = arm_goal(tau_sq, "<=", tau_tilde_sq * (1 + s / ((J + 1) * s0)))
    assert falsify(as_read(goal), POINTS) is None
    assert falsify(replace(goal, given=(), points=None), POINTS) is not None
    unexplained = Goal(Rel(n, "<=", 5), {n: goal.domain[n]}, (Rel(n, "<=", 5).by("ours/pulls/one"),))
    assert falsify(as_read(unexplained), POINTS) is not None


def test_no_proof_is_printed_as_what_is_refuted() -> None:
    """Lemma sec:tau, which needs pulls of all arms, and the lemma without them were printed alike."""
    arguments = {name: load()[name].argument for name in recorded()}
    refuted = {statement.text(a.printed): name for name, a in arguments.items() if isinstance(a, Refutation)}
    assert len(refuted) > 80
    for name in proofs():
        proof = arguments[name]
        assert isinstance(proof, Proof)
        for goal in proof.conclusions:
            assert statement.text(goal) not in refuted, (name, refuted.get(statement.text(goal)))


def test_what_a_symbol_stands_for_is_printed() -> None:
    goal = arm_goal(tau_sq, "<=", tau_tilde_sq * (1 + s / ((J + 1) * s0)))
    assert "n(i) an integer >= 1" in statement.text(goal)
    assert "where W_others = sum_{i=1..K - 1}" in statement.text(goal)
    assert r"W_{others} = \sum_{i=1}^{K - 1}" in statement.latex(goal)
    assert r"1 \le n_{i},\ n_{i}\in\mathbb{Z}" in statement.latex(goal)
    assert statement.legend((goal,))["n_{i}"] == "number of pulls of arm i"
    assert "n(i)" not in statement.text(replace(goal, given=()))
