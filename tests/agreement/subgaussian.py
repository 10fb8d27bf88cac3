"""Theorem 5 (them-R-Bayes-SubR), its constant and its repair against `reucb.bounds`."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import sympy as sp
from flint import arb
from hypothesis import strategies as st

import reucb
from reucb import bounds
from reucb.bounds.subgaussian import failure, inflation
from tests.agreement.arms import DYADIC
from tests.agreement.registry import Code, against_code, agree, exactly, hold, holds, value
from tests.agreement.statements import right
from tests.agreement.theorems import ExactSetting, settings
from tests.agreement.widths import exact
from theory.model import bound_formulas as stated


@against_code(
    "them-R-Bayes-SubR/m/limit",
    "them-R-Bayes-SubR/m/range",
    "them-R-Bayes-SubR/m/size",
    "sec:algorithm/bounds-for-a",
    "them-R-Bayes-SubR/delta-sum",
)
def constant_m(data: st.DataObject, code: Code) -> None:
    arms, spread = data.draw(st.integers(1, 12), "arms"), data.draw(DYADIC, "spread")
    q = data.draw(st.integers(1, 16), "q") * Fraction(1, 8)  # sqrt(rho/K), so rho = K q^2
    m = code(bounds.m_constant(n_arms=arms, sigma0_sq=float(spread), sigma_sq=float(arms * q**2 * spread)))
    named = {"J": arms - 1, "K": arms, "q": q, "s0": spread}
    for claim in ("them-R-Bayes-SubR/m/limit", "them-R-Bayes-SubR/m/range", "them-R-Bayes-SubR/m/size"):
        hold(claim, named, left=dict.fromkeys(("above", "below", "lower", "upper", "not below", "K >= rho"), m))
    if arms * q**2 >= 1:
        hold("sec:algorithm/bounds-for-a", named, left={"noise at least": m})
    z = exactly((1 + q) ** 2 / (1 + 1 / (arms * (1 + arms * q**2))))
    hold("them-R-Bayes-SubR/delta-sum", {"m": z, "a": 4 * z, "L": arb(arms + 1).log()}, {"m": m})


@against_code("them-R-Bayes-SubR/m/small/repaired")
def constant_of_the_experiments(data: st.DataObject, code: Code) -> None:
    arms, low = data.draw(st.sampled_from(((20, 5.2), (50, 3.2), (100, 2.4))), "arms")
    m = code(bounds.m_constant(n_arms=arms, sigma0_sq=0.3**2 / 12, sigma_sq=0.25))
    agree(m, value(stated.m_constant(sp.Integer(arms), sp.Rational(3, 400), sp.Rational(1, 4))))
    holds(m, ">", arb(low) - 1e-9)
    holds(m, "<", arb(low) + 0.1 + 1e-9)


@against_code(
    "them-R-Bayes-SubR/statement-1/repaired",
    "them-R-Bayes-SubR/statement-2/repaired",
    "them-R-Bayes-SubR/short-horizons",
)
def ends_of_the_proof(data: st.DataObject, code: Code) -> None:
    at = settings(data)
    n = range(1, at.rounds + 1)
    half, harmonic = (sum((arb(t) ** power for t in n), arb(0)) for power in (arb(-0.5), -1))
    for part, bound, total, stated_tail in (
        (1, "theorem2_derived", half, 4 * at.arms * arb(at.rounds).sqrt()),
        (2, "theorem2", harmonic, 2 * at.arms * (1 + arb(at.rounds).log())),
    ):  # them-R-Bayes-SubR/statement-1/repaired, statement-2/repaired
        tail = at.terms(code, bound, part)["tail"]
        agree(tail, stated_tail)
        holds(2 * at.arms * total, "<=", tail)
    short = settings(data, more=False)
    leading = short.terms(code, "theorem2")["leading"]
    agree(leading, right("them-R-Bayes-SubR/short-horizons", "regret", short))
    holds(right("them-R-Bayes-SubR/short-horizons", "blind pulls", short), "<=", leading)


@against_code(
    "them-R-Bayes-SubR/repaired/prior-route/chance",
    "them-R-Bayes-SubR/repaired/inflation",
    "them-R-Bayes-SubR/repaired/range-route/chance",
    "them-R-Bayes-SubR/repaired/round/mean",
)
def failures(data: st.DataObject, code: Code) -> None:
    """Small rho and sigma_0 make the first probability the least, sigma_0 = 1 the second."""
    arms, t = data.draw(st.integers(1, 9), "arms"), data.draw(st.integers(8, 60), "t")
    rho, a = Fraction(1, 64), 32
    kappa = stated.inflation(sp.Integer(arms), sp.Rational(1, 64))
    agree(code(inflation(arms, float(rho))), value(kappa))
    by_prior = stated.failure_by_prior(sp.Integer(t), sp.Integer(arms), kappa, sp.Integer(a))
    by_range = stated.failure_by_range(sp.Integer(t), sp.Integer(arms), sp.Integer(1), sp.Integer(a))
    for probability, spread in ((by_prior, Fraction(1, 64)), (by_range, Fraction(1))):
        found = code.bound(failure(np.array(float(t)), arms, float(spread), float(spread * rho), float(a)))
        agree(found, value(probability))


@against_code(
    "them-R-Bayes-SubR/repaired", "them-R-Bayes-SubR/repaired/first-rounds", "them-R-Bayes-SubR/part-2/repaired"
)
def repaired_theorem(data: st.DataObject, code: Code) -> None:
    base = settings(data)
    at = ExactSetting(base.arms, base.rounds, Fraction(1), base.noise / 8, Fraction(2))
    found = {name: code.bound(term) for name, term in bounds.theorem2_repaired_terms(**at.keywords).items()}
    agree(found["total"], value(stated.theorem2_repaired(*exact(at))))
    C, log_n = 2 * at.arms * arb(1).exp(), at.numbers["L"]
    holds(found["tail"], "<=", C * (1 + log_n * (2 * log_n).sqrt() / 4) * (1 + log_n))  # part (2), a >= 2
    at = ExactSetting(at.arms, at.rounds, at.spread, at.noise, Fraction(1))
    third = code.bound(bounds.theorem2_repaired_terms(**at.keywords)["tail"])
    holds(third, "<=", 2 * C * (1 + log_n * log_n.sqrt() / 4) * arb(at.rounds).sqrt())


@against_code("them-R-Bayes-SubR/repaired/common-mean")
def roots_of_weights(data: st.DataObject, code: Code) -> None:
    counts = data.draw(st.lists(st.integers(1, 50), min_size=1, max_size=5), "counts")
    spread, noise = data.draw(DYADIC, "spread"), data.draw(DYADIC, "noise")
    fit = reucb.blup(counts, [0.0] * len(counts), sigma0_sq=float(spread), sigma_sq=float(noise))
    weights = [exactly(c * spread / (c * spread + noise)) for c in counts]
    for found, weight in zip(map(code, fit.weights), weights, strict=True):
        agree(found, weight)
    total = sum(weights, arb(0))
    holds(sum((code(w).sqrt() for w in fit.weights), arb(0)), "<=", (len(counts) * total).sqrt() + 1e-12)
