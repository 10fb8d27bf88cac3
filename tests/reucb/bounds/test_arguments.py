"""Arguments of every bound: broadcast, refused by name, finite at the edges."""

import sys

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from reucb import bounds
from tests.hypothesis_examples import examples
from tests.reucb.bounds.reference import PAPER, settings_drawn

counting, combined = (sys.modules[f"reucb.bounds.{name}"] for name in ("counting", "combined"))
LOOSE = {"theorem1", "theorem2", "theorem2_derived", "known_mu0", "logarithmic"}  # those with hypotheses on a
NAMES = sorted(LOOSE | {"sharp", "counting", "combined", "theorem2_repaired"})
SCALING = sorted(set(NAMES) - {"theorem2", "theorem2_derived", "theorem2_repaired"})


@pytest.fixture(autouse=True)
def quick(monkeypatch):
    """`counting`, a part of `combined`, on its coarse mesh: what is tested here holds on every mesh."""
    caches = (counting.counting_core, counting.evaluated, combined.combined_core)
    for cache in caches:
        cache.cache_clear()
    monkeypatch.setattr(counting, "FINE", counting.COARSE)
    yield
    for cache in caches:
        cache.cache_clear()


def value(name, point, terms=False):
    return getattr(bounds, name + "_terms" * terms)(**point, **({"strict": False} if name in LOOSE else {}))


@pytest.mark.parametrize("name", NAMES)
def test_vectorised_is_the_scalar_loop(name):
    grid = np.ix_([2, 50], [5, 50, 51, 3000], [0.04, 1.0], [0.5, 3.0])
    arms, horizon, prior, a = np.broadcast_arrays(*grid)
    found = value(name, {"n_arms": grid[0], "horizon": grid[1], "sigma0_sq": grid[2], "sigma_sq": 0.25, "a": grid[3]})
    loop = [
        value(name, {"n_arms": int(k), "horizon": int(n), "sigma0_sq": float(v), "sigma_sq": 0.25, "a": float(w)})
        for k, n, v, w in zip(arms.flat, horizon.flat, prior.flat, a.flat, strict=True)
    ]
    assert found.shape == arms.shape
    assert np.array_equal(found.ravel(), loop)
    assert isinstance(loop[0], float)


@pytest.mark.parametrize("name", NAMES)
def test_terms_add_up(name):
    terms = dict(value(name, {**PAPER, "a": np.array([0.5, 2.0])}, terms=True))
    total = terms.pop("total")
    assert np.allclose(sum(terms.values()), total, rtol=1e-14)
    assert np.array_equal(total, value(name, {**PAPER, "a": np.array([0.5, 2.0])}))
    assert all((np.asarray(term) >= 0).all() for term in terms.values())


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize(
    ("argument", "bad", "kind", "message"),
    [
        ("n_arms", 0, ValueError, "n_arms = 0.0: must be whole numbers from 1"),
        ("n_arms", 2.5, ValueError, "n_arms = 2.5: must be whole"),
        ("horizon", [5, -1], ValueError, r"horizon\[1\] = -1.0: must be whole"),
        ("horizon", True, TypeError, "horizon = True"),
        ("sigma0_sq", 0.0, ValueError, "sigma0_sq = 0.0: must be finite numbers > 0"),
        ("sigma_sq", -1.0, ValueError, "sigma_sq = -1.0: must be"),
        ("sigma_sq", "wide", TypeError, "sigma_sq = 'wide'"),
        ("a", 0.0, ValueError, "a = 0.0: must be finite numbers > 0"),
        ("a", float("nan"), ValueError, "a = nan: must be"),
    ],
)
def test_bad_values_are_refused_by_name(name, argument, bad, kind, message):
    with pytest.raises(kind, match=message):
        value(name, {**PAPER, "a": 2.0, argument: bad})


@pytest.mark.parametrize("name", NAMES)
def test_keywords_only(name):
    with pytest.raises(TypeError, match="positional"):
        getattr(bounds, name)(50, 100, 0.04, 0.25, 1.0)


@pytest.mark.parametrize("name", SCALING)
@given(point=settings_drawn, scale=st.floats(0.01, 100))
@examples(8)
def test_regret_has_the_unit_of_rewards(name, point, scale):
    scaled = {**point, "sigma0_sq": point["sigma0_sq"] * scale**2, "sigma_sq": point["sigma_sq"] * scale**2}
    assert value(name, scaled) == pytest.approx(scale * value(name, point), rel=1e-8)


@pytest.mark.parametrize("name", NAMES)
@given(point=settings_drawn, factor=st.integers(2, 50))
@examples(8)
def test_more_rounds_never_cost_less(name, point, factor):
    assert value(name, {**point, "horizon": point["horizon"] * factor}) >= value(name, point) * (1 - 1e-12)


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize(
    "change",
    [
        {"horizon": 10**15},
        {"n_arms": 10**6},
        {"sigma0_sq": 1e-200},
        {"sigma0_sq": 1e200},
        {"sigma_sq": 1e-200},
        {"sigma_sq": 1e200},
        {"a": 1e-9},
        {"a": 1e9},
    ],
)
def test_finite_at_the_edges(name, change):
    assert np.isfinite(value(name, {**PAPER, "a": 1.0, **change}))
