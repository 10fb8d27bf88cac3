"""The definition of independent signs accepts functions of different signs only."""

import pytest
import sympy as sp

from theory.kernel.rules import equals
from theory.kernel.terms import Event
from theory.model.arm_signs import NEXT, high, independent, minus, spread, stays
from theory.model.lockout import H, S
from theory.model.play import mu, o

ONE = sp.Integer(1)
IS_HIGH, LOW_NOISE = equals(high(H, o), ONE), Event(minus(H, S, o), 0)


def test_functions_of_different_signs_are_independent():
    rel = independent((IS_HIGH, LOW_NOISE), (equals(high(NEXT, o), -ONE), stays(NEXT, o)))
    assert rel.op == "="
    assert rel.right.has(sp.Product)


@pytest.mark.parametrize(
    ("own", "others"),
    [
        ((IS_HIGH, equals(high(H, o), -ONE)), ()),  # the same sign twice
        ((LOW_NOISE, stays(H, o)), ()),  # both decided by the noises of H
        ((), (stays(NEXT, o), Event(minus(NEXT, S, o), 0))),
        ((equals(high(H, o), spread(H, o)),), ()),  # two kinds of signs in one factor
        ((equals(high(NEXT, o), ONE),), ()),  # another arm than H
        ((), (stays(H, o),)),  # the same arm in every factor
        ((Event(mu(H, o), 0),), ()),  # no function of signs of one kind
        ((sp.Integer(2),), ()),
    ],
)
def test_other_functions_are_refused(own, others):
    with pytest.raises(ValueError, match="factor"):
        independent(own, others)
