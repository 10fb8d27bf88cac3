"""A changed constant in a stated bound is noticed by the claim that states it."""

import pytest
import sympy as sp

from theory.kernel.goal import Goal
from theory.kernel.items import below
from theory.kernel.named import _value
from theory.kernel.prove import prove
from theory.ledger import load
from theory.model import bound_formulas as bounds

THREE_HALVES = sp.Rational(3, 2)
STATED = {
    "sec:discussion/known-mu0": ("root_term",),
    "ours/logarithmic/round": ("deviation_factor",),
    "them-R-Bayes-SubR/repaired/prior-route/chance": ("failure_by_prior",),
    "them-R-Bayes-SubR/repaired/range-route/chance": ("failure_by_range",),
    "them-R-Bayes-SubR/repaired/inflation": ("inflation",),
}


@pytest.fixture(autouse=True)
def fresh_values():
    """Values of named quantities are remembered: not those of a changed formula, and not before it is changed."""
    _value.cache_clear()
    yield
    _value.cache_clear()


@pytest.mark.parametrize("factor", [1 / THREE_HALVES, THREE_HALVES])
@pytest.mark.parametrize(("claim", "term"), [(c, t) for c, terms in STATED.items() for t in terms])
def test_a_changed_constant_is_noticed(claim, term, factor, monkeypatch):
    stated = getattr(bounds, term)
    monkeypatch.setattr(bounds, term, lambda *at, **more: factor * stated(*at, **more))
    argument = load()[claim].build()
    assert not all(evidence.ok for evidence in checked(argument))


def checked(argument):
    """The argument's own checks one by one, without its mutants, which do not matter here."""
    for part in (part for item in argument.items for part in (item, *below(item))):
        yield from prove(part) if isinstance(part, Goal) else part.evidence()
