"""Arguments of every bound: checked, vectorised, over all decades."""

import math
import sys

import mpmath
import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

import reucb
from reucb import bounds
from tests.hypothesis_examples import examples
from tests.reucb.bounds.reference import PAPER, settings_drawn

# Arguments of every bound: broadcast, refused by name, finite at the edges.

pytestmark = pytest.mark.xdist_group("bound arguments")  # one process: a part of several bounds is computed once
counting, combined, lower = (sys.modules[f"reucb.bounds.{name}"] for name in ("counting", "combined", "lower"))
LOOSE = {"theorem1", "theorem2", "theorem2_derived", "known_mu0", "logarithmic"}  # those with hypotheses on a
NAMES = sorted(LOOSE | {"sharp", "counting", "combined", "theorem2_repaired"})
SCALING = sorted(set(NAMES) - {"theorem2", "theorem2_derived", "theorem2_repaired"})


@pytest.fixture(autouse=True, scope="module")
def quick():
    """`counting`, a part of `combined`, and `lower` on coarse meshes: what is tested here holds on every mesh."""
    caches = (counting.counting_core, counting.evaluated, combined.combined_core, lower.lower_core)
    for cache in caches:
        cache.cache_clear()
    with pytest.MonkeyPatch.context() as patch:
        for module in (counting, lower):
            patch.setattr(module, "FINE", module.COARSE)
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


# Every bound over parameters from 1e-300 to 1e300: never nan, infinite only where the value is too large for a float.
# Bounds in the Gaussian model have the unit of rewards, so a setting can be compared with the one whose variances have
# product 1. `HYPOTHESIS_PROFILE=deep` runs many more settings.

exponents = st.floats(-300, 300)
arms = st.one_of(st.integers(2, 100), st.floats(0.3, 9).map(lambda x: round(10**x)))
rounds = st.floats(0, 15).map(lambda x: round(10**x))
LARGEST = math.log10(sys.float_info.max)

GAUSSIAN = {
    "theorem1": {"strict": False},
    "known_mu0": {"strict": False},
    "sharp": {},
    "sharp_simple": {},
    "logarithmic": {"strict": False},
}
SLOW = {"counting": {}, "combined": {}}


def value_at(name, options, n_arms, horizon, prior, noise, width):
    with np.errstate(all="raise", under="ignore"):
        return getattr(bounds, name)(
            n_arms=n_arms, horizon=horizon, sigma0_sq=10.0**prior, sigma_sq=10.0**noise, a=10.0**width, **options
        )


def check(name, options, n_arms, horizon, prior, noise, width):
    """The value is that of the balanced setting, in its unit; infinite only if that is too large for a float."""
    middle = (prior + noise) / 2
    found = value_at(name, options, n_arms, horizon, prior, noise, width)
    balanced = value_at(name, options, n_arms, horizon, prior - middle, noise - middle, width)
    assert not math.isnan(found)
    assert not math.isnan(balanced)
    if math.isfinite(balanced) and balanced > 0:
        exponent = math.log10(balanced) + middle / 2
        if math.isfinite(found):
            assert math.log10(found) == pytest.approx(exponent, abs=1e-9)
        else:
            assert exponent > LARGEST - 1e-9
    else:
        assert balanced == math.inf or n_arms == 1


@pytest.mark.parametrize("name", GAUSSIAN)
@given(arms, rounds, exponents, exponents, st.one_of(st.floats(-3, 3), exponents))
@example(10**9, 10**15, -3.0, 300.0, 0.0)
@example(2, 10**6, -300.0, 300.0, 300.0)
@example(50, 10**4, 300.0, -300.0, -300.0)
def test_never_nan_and_infinite_only_beyond_floats(name, n_arms, horizon, prior, noise, width):
    check(name, GAUSSIAN[name], n_arms, horizon, prior, noise, width)


@pytest.mark.parametrize("name", SLOW)
@given(arms, rounds, exponents, exponents, st.one_of(st.floats(-3, 3), exponents))
@example(10**9, 10**15, -3.0, 300.0, 0.0)
@example(5, 50, -210.0, 283.0, 233.0)
@examples(3)
def test_slow_bounds_are_never_nan(name, n_arms, horizon, prior, noise, width):
    check(name, SLOW[name], n_arms, horizon, prior, noise, width)


@given(st.integers(2, 30), st.integers(1, 300), exponents, exponents, exponents)
@example(5, 50, -300.0, 0.0, 0.0)
@example(5, 50, 0.0, 300.0, 0.0)
@example(5, 50, 128.0, -254.0, -3.0)
@example(2, 3, -249.5, 33.0, -3.0)
@examples(3)
def test_the_bound_for_a_subset_is_never_nan(n_arms, horizon, prior, noise, width):
    setting = {
        "n_arms": n_arms,
        "horizon": horizon,
        "sigma0_sq": 10.0**prior,
        "sigma_sq": 10.0**noise,
        "a": 10.0**width,
    }
    with np.errstate(all="raise", under="ignore"):
        found, size = bounds.subset(**setting), reucb.subset_size(**setting)
    assert 1 <= found.n_arms <= n_arms
    assert 1 <= size <= n_arms
    assert 0 <= found.bound <= bounds.combined(**setting) * (1 + 1e-12)


@given(arms, rounds, exponents, exponents)
@examples(3)
def test_the_lower_bound_is_never_nan(n_arms, horizon, prior, noise):
    found = bounds.lower(n_arms=n_arms, horizon=horizon, sigma0_sq=10.0**prior, sigma_sq=10.0**noise)
    limit = bounds.trivial(n_arms=n_arms, horizon=horizon, sigma0_sq=10.0**prior)
    assert 0 < found <= limit < math.inf


def printed(n_arms, horizon, prior, noise, width, power):
    """`theorem1` and `theorem2` (beta to the power 1/2 or 1), part (1), in fifty digits: leading and tail."""
    with mpmath.workdps(50):
        v0, v, a, n = mpmath.mpf(10.0**prior), mpmath.mpf(10.0**noise), mpmath.mpf(10.0**width), mpmath.mpf(horizon)
        beta, odds = 1 + v / (n_arms * v0), v0 / v
        spread = mpmath.log1p(odds * n) / mpmath.log1p(odds)
        leading = 2 * beta**power * mpmath.sqrt(a * spread * v0 * n_arms * n * mpmath.log(n))
        return leading, beta * n_arms * mpmath.sqrt(8 * n * v0 * v / (v0 + v) / mpmath.pi)


@pytest.mark.parametrize(("name", "power"), [("theorem1", 0.5), ("theorem2", 1)])
@given(arms, rounds.filter(lambda n: n > 1), exponents, exponents, exponents)
@example(100, 1000, -300.0, 20.0, 0.0)
@example(2, 10, -73.0, 272.5, -5.0)
def test_printed_terms_to_ten_digits(name, power, n_arms, horizon, prior, noise, width):
    with np.errstate(all="raise", under="ignore"):
        found = getattr(bounds, f"{name}_terms")(
            n_arms=n_arms, horizon=horizon, sigma0_sq=10.0**prior, sigma_sq=10.0**noise, a=10.0**width, part=1,
            strict=False,
        )  # fmt: skip
    for term, exact in zip(("leading", "tail"), printed(n_arms, horizon, prior, noise, width, power), strict=True):
        assert found[term] == pytest.approx(float(exact), rel=1e-10, abs=0)  # float() of what is too large is infinite


@given(arms, rounds, exponents, exponents, exponents)
@example(10**9, 10**15, -3.0, 300.0, 0.0)
@example(2, 1, -278.0, 170.0, 0.0)
def test_bounded_rewards_stay_finite(n_arms, horizon, prior, noise, width):
    """Each of the tails counts rounds of cost at most 1, so only the widths may be large."""
    with np.errstate(all="raise", under="ignore"):
        terms = bounds.theorem2_repaired_terms(
            n_arms=n_arms, horizon=horizon, sigma0_sq=10.0**prior, sigma_sq=10.0**noise, a=10.0**width
        )
        derived = bounds.theorem2_derived(
            n_arms=n_arms, horizon=horizon, sigma0_sq=10.0**prior, sigma_sq=10.0**noise, a=10.0**width, strict=False
        )
    assert not math.isnan(derived)
    assert terms["initial"] + terms["tail"] <= horizon * (1 + 1e-9)
    assert 0 <= terms["total"] < math.inf or noise / 2 + width / 2 > 280
