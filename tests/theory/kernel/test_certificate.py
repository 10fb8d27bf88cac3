"""Certificates are checked again by expansion: an altered certificate must be rejected."""

from dataclasses import replace
from fractions import Fraction

import pytest

from tests.theory.harness.search import built
from theory.kernel.certificate import _certificate, certify
from theory.kernel.goal import Goal, Rel, real
from theory.kernel.polynomial import NotRational, Ring
from theory.ledger import load
from theory.model.arms import arm_goal, beta, s, s0, tau_sq, tau_tilde_sq, w


@pytest.fixture(scope="module")
def certificate():
    found = certify(arm_goal(tau_sq, "<=", tau_tilde_sq * beta))
    assert found is not None
    return found


def test_it_holds_as_found(certificate):
    assert certificate.holds()
    assert "s^2" in str(certificate)


def test_a_changed_coefficient_is_caught(certificate):
    (c, *rest), *others = certificate.parts
    assert not replace(certificate, parts=((c + Fraction(1, 7), *rest), *others)).holds()


def test_a_negative_coefficient_is_caught_even_if_the_sum_is_right(certificate):
    c, m, label, g = certificate.parts[0]
    split = ((2 * c, m, label, g), (-c, m, label, g))
    assert not replace(certificate, parts=(*split, *certificate.parts[1:])).holds()


def test_a_missing_part_is_caught(certificate):
    assert not replace(certificate, parts=certificate.parts[1:]).holds()


def test_strictness_needs_a_term_that_is_positive_everywhere(certificate):
    assert not replace(certificate, strict=True).holds()  # sec:tau is an equality at one pull each
    assert certify(arm_goal(w, "<", 1)).holds()


def test_odd_powers_of_unbounded_variables_are_no_certificate():
    assert certify(Goal(Rel(s * s0, ">=", 0), {s: real(), s0: real()})) is None
    assert certify(Goal(Rel(s**2 * s0**4, ">=", 0), {s: real(), s0: real()})).holds()


def is_rational(goal: Goal) -> bool:
    try:
        for rel in (goal.rel, *goal.given):
            Ring.of(goal.symbols).quotient(rel.left - rel.right)
    except NotRational:
        return False
    return True


@pytest.mark.xdist_group("ledger")  # every claim is built there
def test_which_certificate_is_found_does_not_depend_on_what_was_asked_before():
    """The solver keeps what it has seen; every goal meets another past in the two orders."""
    goals = [
        item
        for name in load()
        if name.startswith(("ours/", "sec:", "them-"))
        for item in getattr(built(name), "items", ())
        if isinstance(item, Goal) and item.rel.op != "=" and is_rational(item)
    ]
    _certificate.cache_clear()  # or the answers would be those that were given before
    forward = [str(certify(goal)) for goal in goals]
    _certificate.cache_clear()
    backward = [str(certify(goal)) for goal in reversed(goals)]
    assert len(goals) > 40
    assert forward == backward[::-1]
