"""Ratios of logarithms and logarithms of counts: the steps of the proofs that are about log(1 + x)."""

from __future__ import annotations

from fractions import Fraction

from flint import arb
from hypothesis import strategies as st

import reucb
from reucb import bounds
from tests.agreement.registry import Code, against_code, agree, exactly, hold, holds
from tests.agreement.statements import sides
from tests.agreement.theorems import settings


@against_code(
    "them-R-Bayes/repaired/logarithms",
    "ours/equal-shares/ratio",
    "them-R-Bayes/repaired/am-gm",
    "them-R-Bayes/repaired/first-pulls",
    "sec:proof/log-n",
)
def ratio_of_logarithms(data: st.DataObject, code: Code) -> None:
    at = settings(data)
    ratio, x = at.ratio(code), at.numbers
    one = exactly(1)
    holds(ratio, ">", one)  # them-R-Bayes/repaired/logarithms, ours/equal-shares/ratio
    sum_, rest = sides("them-R-Bayes/repaired/am-gm", "n > K", at)
    root = (at.rounds * at.arms * ratio).sqrt()
    agree(root - at.arms, rest, narrow=1e-9)
    holds(sum_, "<=", root - at.arms)
    level = (exactly(at.a) * x["beta"] * x["L"]).sqrt()
    cost = at.arms * code.bound(bounds.expected_max(at.arms)) + level * (root - at.arms)
    pulls, lead = sides("them-R-Bayes/repaired/first-pulls", "first pulls", at)
    agree(cost, pulls, narrow=1e-9)
    holds(cost, "<=", lead)
    holds(x["ell"], "<=", ratio * x["ell"])  # sec:proof/log-n at 1 + m and 1 + m n


@against_code(
    "sec:proof/x-over-log",
    "sec:proof/x-over-log/at-zero/repaired",
    "sec:proof/x-over-log/reason/repaired",
    "sec:proof/harmonic",
    "sec:proof/harmonic/sharp",
    "sec:proof/harmonic/after-K",
    "sec:proof/telescoping/sharp",
    "sec:proof/gamma",
)
def logarithms_of_counts(data: st.DataObject, code: Code) -> None:
    """log(1 + m j) = G(j) log(1 + m) after j pulls, and x/(1+x) at x = m j is the weight."""
    at = settings(data)
    m, ell, j = at.numbers["m"], at.numbers["ell"], at.rounds
    x, log = m * j, at.ratio(code) * ell
    weight = code(reucb.blup([j], [0.0], sigma0_sq=float(at.spread), sigma_sq=float(at.noise)).weights[0])
    hold("sec:proof/x-over-log", {"x": x}, right={"derivative": log - weight})
    hold("sec:proof/x-over-log/at-zero/repaired", {"x": x}, left={"positive": weight})
    hold(
        "sec:proof/x-over-log/reason/repaired",
        {"x": x, "y": m * (j + 1)},
        left={"ratio": x / weight, "it rises": x / weight},
    )
    holds(log, ">=", weight)
    holds(j / at.ratio(code), "<=", (j + 1) / at.ratio(code, j + 1))  # x/log(1+x) rises
    once = reucb.blup([1], [0.0], sigma0_sq=1.0, sigma_sq=float(j)).weights[0]
    holds(code(once), "<=", arb(j + 1).log() - arb(j).log())  # one round of sec:proof/harmonic and /after-K
    step = exactly(Fraction(1, 2 * j)) + code(once) / 2 - arb(j + 1).log() + arb(j).log()
    holds(step, ">=", arb(0))  # one round of sec:proof/harmonic/sharp
    holds(step, "<=", exactly(Fraction(1, 12 * j**2) - Fraction(1, 12 * (j + 1) ** 2)))
    mean = at.arms
    tangent = ((at.ratio(code) - at.ratio(code, mean)) * ell).exp() - 1
    holds((at.ratio(code) - at.ratio(code, mean)) * ell, "<=", tangent)  # one arm of sec:proof/telescoping/sharp
    growth = (at.ratio(code, j + 1) - at.ratio(code)) * ell
    holds((1 - weight) * ell, "<=", growth)  # sec:proof/gamma, divided by gamma
