"""The page's formulas against `reucb.bounds`, in Node where there is one (in the browser: test_browser.py)."""

from __future__ import annotations

import json
import shutil
import subprocess
from pathlib import Path

import pytest

from reports import page
from reports.page.explorer import CURVES, DEFAULT, SLIDERS, at_default, table_data
from reucb import bounds
from tests.reports.page.samples import POINTS, worst_error

SOURCE = Path(str(page.__file__)).parent / "assets" / "bounds.js"
WITHOUT = "node is not installed; the browser test compares the same numbers"
node = pytest.mark.skipif(shutil.which("node") is None, reason=WITHOUT)


def run(expression: str) -> object:
    table = f"Bounds.useTable({json.dumps(table_data())})"
    script = f"{SOURCE.read_text()}\n{table};\nconsole.log(JSON.stringify({expression}))"
    done = subprocess.run(["node", "-e", script], capture_output=True, text=True, check=True)
    return json.loads(done.stdout)


@node
def test_every_bound_agrees_with_python() -> None:
    points = [{"K": p["K"], "n": p["n"], "s0": p["sigma0"] ** 2, "s": p["sigma"] ** 2, "a": p["a"]} for p in POINTS]
    found = run(
        f"{json.dumps(points)}.map((p) => Object.fromEntries(Object.entries(Bounds.functions).map(([k, f]) => "
        "[k, {value: f(p), why: Bounds.needs[k]?.(p) ?? null}])))"
    )
    assert worst_error(POINTS, found) < 1e-9


@node
def test_the_special_functions() -> None:
    """e_K to 1e-12, the accuracy of `expected_max`; upper tails far out."""
    from scipy.special import ndtr

    arms = [1, 2, 3, 50, 1000, 10**6]
    found = run(f"{arms}.map(Bounds.expectedMax)")
    assert found == pytest.approx([bounds.expected_max(k) for k in arms], rel=1e-12)
    places = [-3.0, 0.0, 0.5, 2.0, 2.9, 6.0, 20.0]
    assert run(f"{places}.map(Bounds.upper)") == pytest.approx(list(ndtr([-x for x in places])), rel=1e-12)


def test_the_default_setting_is_inside_the_sliders_and_known() -> None:
    for slider in SLIDERS:
        assert slider.low <= DEFAULT[slider.name] <= slider.high
    shown = at_default()
    assert list(shown) == [curve.name for curve in CURVES]
    assert shown["logarithmic"] is None  # needs a >= 2
    assert shown["theorem1"] == bounds.theorem1(n_arms=50, horizon=10_000, sigma0_sq=0.2**2, sigma_sq=0.25, a=1.0)
