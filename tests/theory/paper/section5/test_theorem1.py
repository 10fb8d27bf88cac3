from fractions import Fraction
from math import sqrt

import pytest
import sympy as sp
from hypothesis import given
from hypothesis import strategies as st

from reucb.bounds import expected_max, theorem1, theorem1_repaired, theorem1_terms, trivial
from tests.hypothesis_examples import examples
from tests.theory.harness.exactly import VARIANCES, agree, exact
from theory.model import bound_formulas as bounds


@examples(40)
@given(st.integers(1, 500), st.integers(1, 10**6), VARIANCES, VARIANCES, st.sampled_from([1, 2]), st.integers(0, 8))
def test_the_statement_is_what_reucb_computes(arms, rounds, spread, noise, part, more):
    a = part + Fraction(more, 2)
    found = theorem1_terms(
        n_arms=arms, horizon=rounds, sigma0_sq=float(spread), sigma_sq=float(noise), a=float(a), part=part
    )
    leading, tail = bounds.theorem1(sp.Integer(arms), sp.Integer(rounds), exact(spread), exact(noise), exact(a), part)
    assert agree(found["leading"], leading) if rounds > 1 else found["leading"] == 0
    assert agree(found["tail"], tail)


@pytest.mark.parametrize(("part", "spread"), [(1, 33), (2, 9)])
def test_the_counterexample_at_one_round_and_its_neighbour(part, spread, ledger):
    shown = ledger["them-R-Bayes" if part == 1 else "them-R-Bayes/part-2"].finding.counterexample
    assert shown == {
        "K": "2",
        "horizon": "1",
        "sigma_sq": "1",
        "sigma0_sq": str(spread),
        **{k: shown[k] for k in ("left", "right")},
    }
    setting = {"n_arms": 2, "horizon": 1, "sigma_sq": 1.0, "a": float(part), "part": part}
    assert theorem1(sigma0_sq=spread, **setting) < trivial(n_arms=2, horizon=1, sigma0_sq=spread)
    assert theorem1(sigma0_sq=spread - 1, **setting) > trivial(n_arms=2, horizon=1, sigma0_sq=spread - 1)


@examples(60)
@given(VARIANCES, st.sampled_from([(1, 8), (2, 2)]))
def test_the_region_of_failure_at_two_arms(rho, case):
    part, constant = case
    fails = constant * rho * (2 + rho) ** 2 < 1 + rho
    bound = theorem1(n_arms=2, horizon=1, sigma0_sq=1.0, sigma_sq=float(rho), a=float(part), part=part)
    assert (bound < 1 / sqrt(sp.pi)) == fails


@pytest.mark.parametrize("arms", [2, 3, 10, 1000])
def test_every_number_of_arms_fails_at_one_round(arms):
    assert theorem1(n_arms=arms, horizon=1, sigma0_sq=1.0, sigma_sq=1 / (9 * arms**2), a=1.0) < expected_max(arms)


@examples(60)
@given(st.integers(1, 400), st.integers(2, 2000), VARIANCES, VARIANCES)
def test_from_two_rounds_on_it_is_above_the_round_robin(arms, rounds, spread, noise):
    bound = theorem1_repaired(n_arms=arms, horizon=rounds, sigma0_sq=float(spread), sigma_sq=float(noise), a=1.0)
    first = min(arms, rounds)
    assert trivial(n_arms=arms, horizon=first, sigma0_sq=float(spread)) <= bound
