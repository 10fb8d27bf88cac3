"""The recorded table of slow bounds: what it holds is what the bounds say now, and interpolation is exact at nodes."""

from __future__ import annotations

import numpy as np
import pytest

from reports.core import bound_table


@pytest.mark.parametrize("name", [name for name in bound_table.AXES if name in bound_table.table()])
def test_some_entries_are_computed_again(name: str) -> None:
    """Two nodes. A changed evaluation of the bound may move a value a little: then the table has to be made again."""
    values, nodes = bound_table.table()[name]["values"], bound_table.nodes(name)
    assert len(values) == len(nodes)
    for i in (len(nodes) // 3, len(nodes) // 2):
        assert bound_table.evaluate(name, nodes[i]) == pytest.approx(values[i], abs=0.02)


@pytest.mark.parametrize("name", [name for name in bound_table.AXES if name in bound_table.table()])
def test_the_stated_error_holds_at_another_point(name: str) -> None:
    """A point that is none of the places where the error was measured."""
    place = {"arms": 37.0, "rounds": 2500 / 37, "rho": 4.1} | ({"a": 1.2} if "a" in bound_table.AXES[name] else {})
    found = bound_table.interpolate(name, place)
    assert found is not None
    assert abs(np.expm1(found - bound_table.evaluate(name, place))) <= bound_table.table()[name]["largest_error"]


@pytest.mark.parametrize("name", bound_table.AXES)
def test_interpolation_goes_through_the_nodes_and_is_exact_for_cubics(name: str) -> None:
    """A cubic of the logarithms is reproduced between the nodes to rounding."""

    def cubic(place: dict[str, float]) -> float:
        return float(sum(np.log(x) ** 3 / 50 - np.log(x) for x in place.values()))

    values = [cubic(place) for place in bound_table.nodes(name)]
    inside = {axis: float(np.sqrt(known[1] * known[2])) for axis, known in bound_table.AXES[name].items()}
    for place in (bound_table.nodes(name)[7], inside):
        assert bound_table.interpolate(name, place, values) == pytest.approx(cubic(place), rel=1e-9)
    assert bound_table.interpolate(name, inside | {"rho": 1e9}, values) is None
