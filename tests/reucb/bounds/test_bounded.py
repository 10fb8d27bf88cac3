"""`bounds.bounded`: its terms, refinement, edges, refusals, progress."""

from __future__ import annotations

import math

import pytest
import scipy.integrate
import scipy.stats

from reucb import bounds
from reucb.bounds.bounded.layers import after_start
from reucb.bounds.bounded.setting import Prior, Setting, checked_prior

UNIFORM = scipy.stats.uniform()
SMALL = {"n_arms": 3, "horizon": 30, "sigma0_sq": 1 / 12, "sigma_sq": 0.25, "a": 1.0}


def test_terms_add_up_and_the_bound_is_their_sum():
    terms = bounds.bounded_terms(UNIFORM, **SMALL)
    assert list(terms) == ["initial", "good", "bad", "capped", "total"]
    assert sum(list(terms.values())[:-1]) == pytest.approx(terms["total"], rel=1e-14)
    assert all(term >= 0 for term in terms.values())
    assert bounds.bounded(UNIFORM, **SMALL) == terms["total"]


def test_merged_cells_of_the_best_mean_give_a_larger_bound():
    setting = Setting(5, 100, 1 / 12, 0.25, 1.0, True)
    found = [sum(after_start(Prior(UNIFORM), setting, lambda *_: None, cells).values()) for cells in (4, 2, 1)]
    assert found == sorted(found)
    assert found[-1] > 1.05 * found[0]


def test_the_first_rounds_are_exact():
    """Rounds 1..K cost K (E mu_* - E mu), for the uniform law K/(K + 1) - 1/2 each; from above, by at most 1e-4."""
    for arms in (2, 7, 40):
        gain = arms / (arms + 1) - 0.5
        assert gain <= checked_prior(UNIFORM).gain(arms) < gain + 1e-4
    value = bounds.bounded(UNIFORM, **{**SMALL, "n_arms": 7, "horizon": 4})
    assert 4 * (7 / 8 - 0.5) <= value < 4 * (7 / 8 - 0.5) + 1e-3
    assert bounds.bounded(UNIFORM, **{**SMALL, "n_arms": 1}) < 1e-2


@pytest.mark.parametrize(
    ("prior", "changed"),
    [
        (UNIFORM, {"n_arms": 2, "horizon": 3}),
        (UNIFORM, {"n_arms": 29}),
        (UNIFORM, {"sigma0_sq": 1e-9}),
        (UNIFORM, {"sigma0_sq": 1e6}),
        (UNIFORM, {"sigma_sq": 1e-6, "a": 1e-3}),
        (UNIFORM, {"a": 1e4}),
        (scipy.stats.uniform(0.3, 1e-7), {}),
        (scipy.stats.uniform(1 - 1e-3, 1e-3), {}),
        (scipy.stats.beta(60, 0.5), {}),
        (scipy.stats.beta(0.2, 3), {}),
        (scipy.stats.triang(0.3, 0.1, 0.5), {"rewards": "any"}),
        (scipy.stats.rv_histogram(([3.0, 0.0, 7.0], [0.1, 0.2, 0.5, 0.6]), density=True)(), {}),
    ],
    ids=lambda value: str(value) if isinstance(value, dict) else value.dist.name,
)
def test_extreme_settings_are_finite_and_below_the_range(prior, changed):
    low, high = prior.support()
    point = {**SMALL, **changed}
    value = bounds.bounded(prior, **point)
    best = high - scipy.integrate.quad(lambda x: prior.cdf(x) ** point["n_arms"], low, high)[0]
    assert math.isfinite(value)
    assert 0 < value <= point["horizon"] * (best - low) * 1.01 + 1e-9


def test_a_repaired_theorem_that_is_smaller_is_used():
    """sigma0_sq >= range^2/4 and sigma_sq >= 1/4 make it applicable; here it is below the terms of Theorem B."""
    point = {**SMALL, "n_arms": 2, "horizon": 3, "sigma0_sq": 0.3, "a": 1e-3}
    known = bounds.theorem2_repaired(**point)
    terms = bounds.bounded_terms(UNIFORM, **point)["total"]
    assert bounds.bounded(UNIFORM, **point) == min(known, terms)


@pytest.mark.parametrize(
    ("prior", "kind", "message"),
    [
        (scipy.stats.norm(0.5, 0.01), ValueError, r"prior has support \[-inf, inf\]: must lie within \[0, 1\]"),
        (scipy.stats.uniform(0.5, 0.6), ValueError, r"prior has support \[0.5, 1.1\]: must lie within"),
        (scipy.stats.uniform, TypeError, "prior = .*: must be frozen"),
        (scipy.stats.randint(0, 2), TypeError, "prior = .*: must be a frozen continuous"),
        ([0.1, 0.2], TypeError, r"prior = \[0.1, 0.2\]: must be a frozen continuous"),
        (scipy.stats.uniform([0, 0.1], 0.5), ValueError, r"prior has a support of shape \(2,\): must be one"),
    ],
)
def test_priors_out_of_reach_are_refused(prior, kind, message):
    with pytest.raises(kind, match=message):
        bounds.bounded(prior, **SMALL)


def test_a_prior_with_an_atom_is_refused():
    class Half(scipy.stats.rv_continuous):
        """0.3 with probability 1/2, else uniform on [0, 1]."""

        def _cdf(self, x):
            return 0.5 * x + 0.5 * (x >= 0.3)

        def _ppf(self, q):
            return (2 * q) * (q < 0.15) + 0.3 * ((q >= 0.15) & (q < 0.65)) + (2 * q - 1) * (q >= 0.65)

    with pytest.raises(ValueError, match=r"prior jumps at 0\.3: must have a continuous distribution function"):
        bounds.bounded(Half(a=0, b=1)(), **SMALL)


@pytest.mark.parametrize(
    ("argument", "bad", "kind", "message"),
    [
        ("n_arms", 0, ValueError, "n_arms = 0: must be an integer >= 1"),
        ("horizon", 2.0, TypeError, "horizon = 2.0: must be an integer"),
        ("sigma0_sq", 0.0, ValueError, "sigma0_sq = 0.0: must be a finite number > 0"),
        ("sigma_sq", float("nan"), ValueError, "sigma_sq = nan"),
        ("a", -1.0, ValueError, "a = -1.0: must be"),
        ("rewards", "gaussian", ValueError, "rewards = 'gaussian': must be one of 'bernoulli', 'any'"),
        ("progress", "yes", TypeError, "progress = 'yes': must be None, True, False"),
    ],
)
def test_bad_numbers_are_refused_by_name(argument, bad, kind, message):
    with pytest.raises(kind, match=message):
        bounds.bounded(UNIFORM, **{**SMALL, argument: bad})


def test_progress_counts_cells_and_is_silent_otherwise(capfd):
    seen = []
    bounds.bounded(UNIFORM, **SMALL, progress=lambda done, total: seen.append((done, total)))
    bounds.bounded(UNIFORM, **SMALL)
    cells = len(seen)
    assert cells > 1
    assert seen == [(i, cells) for i in range(1, cells + 1)]
    assert capfd.readouterr() == ("", "")
    bounds.bounded(UNIFORM, **SMALL, progress=True)
    assert f"{cells}/{cells} cells  100 %" in capfd.readouterr().err
