import sympy as sp
from hypothesis import given
from hypothesis import strategies as st

from tests.hypothesis_examples import examples
from tests.theory.harness.exactly import VARIANCES, exact, number
from theory.model import bound_formulas as bounds


@examples(40)
@given(st.lists(st.integers(0, 60), min_size=1, max_size=8), VARIANCES, VARIANCES)
def test_equal_shares_are_worst(extra, spread, noise):
    """Jensen on the partial sums: no division of the pulls among the arms meets more width than equal shares."""
    arms, total = len(extra), sum(extra)
    width = [
        number(bounds.g(sp.Integer(j), sp.Integer(arms), exact(spread), exact(noise))) for j in range(1, max(extra) + 2)
    ]
    met = sum(sum(width[:k]) for k in extra)
    whole, left = divmod(total, arms)
    assert met <= (arms * sum(width[:whole]) + left * width[whole]) * (1 + 1e-12)
