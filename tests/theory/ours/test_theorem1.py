import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from reucb.bounds import expected_max, sharp, theorem1_repaired, theorem1_terms, trivial
from reucb.bounds.sharp import sharp_terms
from tests.hypothesis_examples import examples
from tests.theory.harness.exactly import VARIANCES

SETTING = (st.integers(1, 60), st.integers(2, 400), VARIANCES, VARIANCES, st.floats(1, 4))


@examples(60)
@given(*SETTING)
def test_each_step_of_the_repair_in_floats(arms, rounds, spread, noise, a):
    setting = {"n_arms": arms, "horizon": rounds, "sigma0_sq": float(spread), "sigma_sq": float(noise), "a": a}
    printed, ours = theorem1_terms(**setting, part=1), sharp_terms(**setting)
    slack = 1 + 1e-12
    assert ours["tail"] <= printed["tail"] / 2 * slack
    assert ours["initial"] + ours["widths"] <= printed["leading"] * slack
    assert sharp(**setting) <= theorem1_repaired(**setting) * slack


@examples(60)
@given(st.integers(1, 300), st.integers(2, 300), VARIANCES)
def test_short_horizons(arms, rounds, spread):
    """Up to n = K the leading term alone is above the regret, whatever the noise: it is least for a = beta = G = 1."""
    first = min(arms, rounds)
    if first >= 2:
        least = 2 * np.sqrt(float(spread) * arms * first * np.log(first))
        assert trivial(n_arms=arms, horizon=first, sigma0_sq=float(spread)) <= least
    assert expected_max(arms) <= np.sqrt(2 * np.log(arms)) + 1e-15
