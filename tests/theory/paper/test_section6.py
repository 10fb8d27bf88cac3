"""Section 6: settings of the experiments, and sentences about their results."""

import numpy as np
import pytest
import sympy as sp
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from tests.hypothesis_examples import examples
from tests.theory.harness.exactly import exact, number
from tests.theory.harness.search import FRACTIONS
from theory.experiments import evidence, statistics
from theory.experiments.statistics import ERROR, SHARES, Judgement, Sentence
from theory.ledger import Entry, check_claims, load
from theory.model.laws import MU, BetaMean, BetaVariance
from theory.paper.section6.settings import clipped_mean

# Section 6: the numbers that can be checked without running anything, against SciPy's distributions.


@examples(30)
@given(st.integers(1, 20), st.integers(1, 20))
def test_beta_moments(p, q):
    at, law = (sp.Integer(p), sp.Integer(q)), stats.beta(p, q)
    assert float(law.mean()) == pytest.approx(float(BetaMean(MU, *at).value), rel=1e-12)
    assert float(law.var()) == pytest.approx(float(BetaVariance(*at).value), rel=1e-12)
    reward = law.mean() - law.moment(2)
    assert float(reward) == pytest.approx(float(BetaMean(MU * (1 - MU), *at).value), rel=1e-9)


@examples(20)
@given(FRACTIONS, FRACTIONS)
def test_the_mean_of_a_clipped_reward(mu, deviation):
    """The integral of P(X > x) over [0, 1], by quadrature; SciPy's own error estimate is some 1e-8."""
    law = stats.norm(float(mu), float(deviation))
    found = law.expect(lambda x: x, lb=0.0, ub=1.0) + law.sf(1.0)
    assert number(clipped_mean(exact(mu), exact(deviation))) == pytest.approx(found, abs=1e-7)


# Sentences about results: their recorded verdicts, their error rates, and what they must not survive.


MODULES = ("theory.paper.section6.results", "theory.paper.section6.results_repaired", "theory.paper.section7")
NAMES = [name for name, claim in load().items() if claim.module in MODULES]


@pytest.fixture(scope="module")
def entries() -> dict[str, Entry]:
    return {e.claim.id: e for e in check_claims(NAMES)}


@pytest.mark.parametrize("name", NAMES)
def test_verdict(entries: dict[str, Entry], name: str) -> None:
    entry = entries[name]
    assert entry.problem is None
    assert entry.claim.kind == "statistical"
    assert len(entry.finding.mutants) >= 3
    assert all(e.as_json()["error_rate"] == ERROR / SHARES for e in entry.finding.evidence)
    if entry.verdict == "refuted":
        assert {"setting", "ratio", "interval", "says"} == set(entry.finding.counterexample)
    if entry.verdict == "open":
        assert "undecided" in entry.finding.fails_when


def test_a_sentence_about_movies_names_the_data_it_is_judged_on(entries: dict[str, Entry]) -> None:
    judged = 0
    for name, entry in entries.items():
        about = [c.about for c in load()[name].build().comparisons]
        assert not any(text.startswith("movielens,") for text in about) or "synthetic" in entry.claim.says
        if any(text.startswith("real,") for text in about):
            assert "ml-100k" in entry.claim.says
            judged += 1
    assert judged == 3


def test_supported_sentences_fall_when_their_columns_are_exchanged() -> None:
    """Negative control: exchanging the policies of a one-sided sentence must refute it."""
    for name in NAMES:
        argument = load()[name].build()
        assert isinstance(argument, Sentence)
        for c in argument.comparisons:
            one_sided = c.reading.low <= 0 < c.reading.high <= 1 or c.reading.low >= 1
            if one_sided and c.judge() is Judgement.SUPPORTED:
                swapped = statistics.replace(c, first=c.second, second=c.first)
                assert swapped.judge() is Judgement.REFUTED, c.about


def test_intervals_agree_with_the_bootstrap() -> None:
    """Studentised intervals against percentiles of 4000 resamples at error 0.05: ends agree to a tenth of the width
    (Monte-Carlo error of a 2.5 % percentile from 4000 resamples: 0.02 of the width; skewness accounts for the rest).
    """
    rng = np.random.default_rng(0)
    data = evidence.recorded()
    for setting, first, second in (("gaussian-a", "ReUCB", "TS"), ("misspecified-b", "ReUCB", "TS")):
        x, y = data.final(f"{setting}/{first}"), data.final(f"{setting}/{second}")
        found = statistics.mean_ratio(x, y, 0.05)
        picks = rng.integers(len(x), size=(4_000, len(x)))
        low, high = np.quantile(x[picks].mean(1) / y[picks].mean(1), [0.025, 0.975])
        assert abs(found.low - low) + abs(found.high - high) < 0.2 * (found.high - found.low)
