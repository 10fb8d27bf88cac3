"""The order statistics of the first rewards."""

import pytest
import sympy as sp

from theory.model.follow_up import rearranged, u, x
from theory.model.play import k


@pytest.mark.parametrize("place", [u, k])
def test_a_sum_over_numbers_in_another_order_does_not_know_their_places(place: sp.Symbol) -> None:
    with pytest.raises(ValueError, match="depends on the place"):
        rearranged(x * place)
