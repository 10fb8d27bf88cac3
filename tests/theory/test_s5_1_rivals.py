import sympy as sp
from hypothesis import given, settings
from hypothesis import strategies as st

from reucb.bounds import known_mu0_terms, no_structure_terms, theorem1, theorem1_terms
from tests.theory.exactly import VARIANCES, agree, exact
from tests.theory.search import facing
from theory import bounds

test_verdict, test_no_violation, test_counterexample = facing("theory.paper.s5_1_rivals")
SETTINGS = (st.integers(1, 300), st.integers(2, 10**5), VARIANCES, VARIANCES)


@settings(max_examples=30)
@given(*SETTINGS)
def test_the_price_of_learning_lies_between_root_beta_and_beta(arms, rounds, spread, noise):
    setting = {"n_arms": arms, "horizon": rounds, "sigma0_sq": float(spread), "sigma_sq": float(noise), "a": 1.0}
    price = float(bounds.learning_price(sp.Integer(arms), exact(spread), exact(noise)))
    ours, known = theorem1_terms(**setting), known_mu0_terms(**setting)
    assert abs(ours["leading"] / known["leading"] / price**0.5 - 1) < 1e-12
    assert abs(ours["tail"] / known["tail"] / price - 1) < 1e-12
    assert price**0.5 * (1 - 1e-12) <= ours["total"] / known["total"] <= price * (1 + 1e-12)


@settings(max_examples=30)
@given(*SETTINGS, VARIANCES)
def test_the_rival_without_structure(arms, rounds, spread, noise, wider):
    found = no_structure_terms(n_arms=arms, horizon=rounds, sigma0_sq=float(spread), sigma_sq=float(noise), a=1.0,
                               sigma_q_sq=float(wider))
    assert agree(found["leading"], bounds.root_term(sp.Integer(arms), sp.Integer(rounds), exact(spread + wider),
                                                    exact(noise),
                                                    sp.Integer(1)))


@settings(max_examples=30)
@given(*SETTINGS, st.sampled_from([1, 2]))
def test_the_bound_with_a_known_mean(arms, rounds, spread, noise, part):
    found = known_mu0_terms(n_arms=arms, horizon=rounds, sigma0_sq=float(spread), sigma_sq=float(noise), a=float(part),
                            part=part)
    leading, tail = bounds.known_mean(sp.Integer(arms), sp.Integer(rounds), exact(spread), exact(noise),
                                      sp.Integer(part), part)
    assert agree(found["leading"], leading)
    assert agree(found["tail"], tail)


def test_lower_whenever_fails_in_floats_too():
    setting = {"n_arms": 2, "horizon": 10**4, "sigma0_sq": 1e-4, "sigma_sq": 1.0, "a": 1.0}
    ours, theirs = theorem1_terms(**setting)["leading"], no_structure_terms(**setting, sigma_q_sq=1.0)["leading"]
    assert ours**2 > 25 * (1 + 9.21) * theirs**2
    assert theorem1(**setting) > ours
