"""Priors, reward laws, the normal tail and logarithms of counts: numbers of the ledger against `reucb`."""

from __future__ import annotations

from fractions import Fraction
from math import sqrt

import numpy as np
import sympy as sp
from flint import arb
from hypothesis import strategies as st
from scipy import stats

import reucb
from reucb import bounds
from reucb.bounds.normal import density, excess, gap_density, upper_tail
from tests.agreement.arms import DYADIC
from tests.agreement.registry import Code, against_code, agree, exactly, hold, holds, value
from tests.agreement.statements import sides
from tests.agreement.theorems import settings
from tests.theory.harness.search import built
from theory.kernel.items import below
from theory.kernel.rules import IntegralOf
from theory.model import normal as gaussian
from theory.model.normal import upper
from theory.paper.section6.settings import clipped_mean

# Priors and reward laws: numbers of the ledger against `reucb.Bandit` and the laws it pays by.

UNIT = st.integers(1, 15).map(lambda i: Fraction(i, 16))


def bernoulli(code: Code, mean: Fraction) -> arb:
    """The mean of a Bernoulli reward by the code, which is the chance of a 1."""
    return code(reucb.Bandit(1, [float(mean)], reucb.Bernoulli()).true_means(np.array([float(mean)]))[0])


@against_code(
    "payoff-R/common-noise",
    "sec:bernoulli bandits/max-variance",
    "sec:mis bandits/noise-differs",
    "sec:extensions/beta-prior/repaired",
    "sec:extensions/bernoulli",
    "sec:extensions/bernoulli-theorem/repaired",
)
def variance_of_a_coin(data: st.DataObject, code: Code) -> None:
    mu, nu = data.draw(UNIT, "mu"), data.draw(UNIT, "nu")
    first, second = (p * (1 - p) for p in (bernoulli(code, mu), bernoulli(code, nu)))
    if mu != nu and mu + nu != 1:
        hold("payoff-R/common-noise", {"mu": mu, "nu": nu}, left={"difference": first - second, "at most": first})
    hold("sec:bernoulli bandits/max-variance", {"p": mu}, left={"every mean": first, "means in": first})
    for rate in (arb(1), arb(-0.5)):  # sec:extensions: E exp(l x) <= exp(l E x + l^2/8) for a coin
        mean = bernoulli(code, mu)
        holds(1 - mean + mean * rate.exp(), "<=", (rate * mean + rate**2 / 8).exp())
    q = Fraction(1, 4) + mu / 8
    hold("sec:mis bandits/noise-differs", {"q": q, "d": nu / 8}, {"q": bernoulli(code, q)})


@against_code(
    "sec:mis bandits/beta-variance",
    "sec:mis bandits/misspecified",
    "sec:mis bandits/beta-moments",
    "payoff-R/average-noise",
    "sec:extensions/uniform-prior",
    "sec:gaussian bandits/variation",
)
def moments_of_priors(data: st.DataObject, code: Code) -> None:
    def bandit(prior: object, law: object) -> tuple[arb, arb]:
        prior = reucb.Bandit(3, prior, law).prior  # what the bandit draws from
        return code(prior.mean()), code(prior.var())

    (_, assumed), (mean, true) = (bandit(stats.beta(*p), reucb.Bernoulli()) for p in ((9, 1), (1, 9)))
    agree(assumed, Fraction(9, 1100))
    holds(abs(assumed - arb("0.00818")), "<=", arb("0.000005"))
    agree(true, Fraction(9, 1100))
    agree(mean - (true + mean**2), Fraction(9, 110))
    matched = bandit(stats.beta(6, 14), reucb.ClippedGaussian(0.2))
    agree(matched[0], Fraction(3, 10))
    agree(matched[1], Fraction(1, 100))
    hold(
        "payoff-R/average-noise",
        {"mu_0": Fraction(1, 10), "s0": Fraction(9, 1100)},
        left={"average": mean - (true + mean**2)},
    )
    agree(bandit(stats.uniform(0.2, 0.3), reucb.Bernoulli())[1], Fraction(3, 400))  # half a width of 3/20
    for spread, ratio in ((0.04, Fraction(1, 5)), (1.0, Fraction(1))):
        centre, variance = bandit(stats.norm(1.0, sqrt(spread)), reucb.Gaussian(0.5))
        agree(variance.sqrt() / centre, ratio)


@against_code(
    "payoff-M1", "payoff-M1/differences", "sec:experiments/prior-of-mu0/repaired", "sec:discussion/equivalent"
)
def variance_of_arm_means(data: st.DataObject, code: Code) -> None:
    root, wider, arms = data.draw(DYADIC, "sigma_0"), data.draw(DYADIC, "wider"), data.draw(st.integers(1, 5), "arms")
    found = code(reucb.Bandit(arms, stats.norm(1.0, float(root)), reucb.Gaussian(0.5)).prior.var())
    agree(found, root**2)
    hold("payoff-M1", {"s0": root**2, "J": arms - 1}, left={"variance": found, "variance of": found / arms})
    hold("payoff-M1/differences", {"s0": root**2, "h": wider}, left={"mean squared": 2 * found, "rises": 2 * found})
    both = code(reucb.Bandit(arms, stats.norm(0.0, sqrt(root**2 + wider)), reucb.Gaussian(0.5)).prior.var())
    stated = next(g for g in built("sec:discussion/equivalent").conclusions if "variance of an" in g.name)
    agree(both, value(stated.rel.right, {"s0": root**2, "sigma_q_sq": wider}))


@against_code("sec:mis bandits/correct-prior/repaired", "sec:mis bandits/truncated", "sec:analysis/regret")
def clipped_rewards(data: st.DataObject, code: Code) -> None:
    mu = data.draw(UNIT, "mu")
    law = reucb.ClippedGaussian(0.2)
    exact = clipped_mean(sp.Rational(mu.numerator, mu.denominator), sp.Rational(1, 5))
    shift = arb(1, 1e-14)  # 0.2 is no double
    agree(code(law.mean(float(mu))) * shift, value(exact))
    agree(code(law.mean(0.5)) * shift, Fraction(1, 2))
    holds(code(law.mean(0.0)), ">", arb("0.07"))
    # raising the lower end by h adds h P(X < low) at least, and h P(X < low + h) at most
    h, low = 2.0**-10, code(law.mean(0.3))
    gained = (code(reucb.ClippedGaussian(0.2, low=h).mean(0.3)) - low) / h
    mass = [value(upper((sp.Rational(3, 10) - end) * 5)) for end in (sp.Integer(0), sp.Rational(1, 1024))]
    holds(gained, ">=", mass[0])
    holds(gained, "<=", mass[1])
    holds(mass[0], ">", arb("0.066"))
    mean = data.draw(DYADIC, "mean")
    paid = reucb.Bandit(1, [float(mean)], reucb.Gaussian(1.0)).true_means(np.array([float(mean)]))[0]
    agree(code(paid), mean)  # sec:analysis/regret: a reward has the mean of its arm


# Ratios of logarithms and logarithms of counts: the steps of the proofs that are about log(1 + x).


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


POINTS = st.integers(1, 32).map(lambda i: Fraction(i, 8))  # up to 4, where Psi = phi (1 - s M) cancels by 20 at most


def normal(code: Code, at: Fraction | float) -> tuple[arb, arb, arb]:
    """phi, Q and Psi by the code."""
    x = np.array(float(at))
    return code.bound(density(x)), code.bound(upper_tail(x)), code.bound(excess(x))


@against_code("ours/psi", "ours/mills", "ours/psi/shifted")
def excess_of_a_normal(data: st.DataObject, code: Code) -> None:
    s, x = data.draw(POINTS, "s"), data.draw(POINTS, "x")
    p, q, psi = normal(code, s)
    exact = [
        value(f(gaussian.sp.Rational(s.numerator, s.denominator)))
        for f in (gaussian.phi, gaussian.upper, gaussian.excess)
    ]
    named = {"s": s, "z": s, "x": x, "p": exact[0], "q": exact[1], "v": exact[2]}
    hold(
        "ours/psi",
        named,
        {"p": p, "q": q},
        left={"from s": psi, "below phi": psi},
        right={"from s": psi, "first derivative": -q, "second derivative": p},
    )
    holds((exactly(s) + psi) * q, "<=", p)  # ours/psi/shifted
    density_at_x, beyond_x, _ = normal(code, x)
    holds(beyond_x, "<=", density_at_x / exactly(x))  # ours/mills


@against_code(
    "ours/psi/round",
    "sec:proof/tail-integral",
    "sec:proof/tail-union/repaired",
    "sec:proof/third-term/display/repaired",
    "ours/logarithmic/upper-side",
    "confidence-C",
    "sec:proof/delta",
    "them-R-Bayes-SubR/delta-power/repaired",
    "them-R-Bayes-SubR/third-term/repaired",
)
def tails_of_a_round(data: st.DataObject, code: Code) -> None:
    """At the width of round t, with a log t a square up to rounding of the double that the code is given."""
    t, x = data.draw(st.integers(2, 20), "t"), data.draw(POINTS, "x")
    a = 2 + exactly(data.draw(DYADIC, "a")) / 4
    width = (a * arb(t).log()).sqrt()
    nearest = float(width.mid())
    p, q, _ = normal(code, nearest)
    wide = arb(1, 1e-14 * (1 + nearest**2))  # what half an ulp of the width does to phi and Q
    named = {"a": a, "t": t, "L": arb(t).log(), "v": a}
    hold("ours/psi/round", named, left={"density": p * wide}, right={"slope in t": -a * q * wide / (2 * t * width)})
    norm = (2 * arb.pi()).sqrt()
    holds(q * wide, "<=", p * wide * norm)  # them-R-Bayes-SubR/delta-power/repaired: P(Z > s) <= exp(-s^2/2)
    holds(q * wide, "<=", 1 / arb(t).sqrt())  # them-R-Bayes-SubR/third-term/repaired, the term of round t
    hold("confidence-C", named, left={"radicands": -2 * (p * wide * norm).log()})
    for power in (1, 2):
        holds(p * wide * norm, "<=", arb(t) ** (-arb(power) / 2))  # sec:proof/delta
    v = 1 + data.draw(POINTS, "root of the variance")
    tail = built("sec:proof/tail-integral").conclusions[0].rel.right
    agree(exactly(v) * p * wide, value(tail, {"v": v**2, "a": a, "t": t}))  # and the tails given the differences
    level, tail, _ = normal(code, x)
    agree(exactly(v) * tail + level, integral("ours/logarithmic/upper-side", x=x, c=v))


def integral(claim: str, **at: Fraction) -> sp.Expr:
    """The value that a claim gives to its integral, at a point."""
    items = built(claim).items
    found = next(part for item in items for part in (item, *below(item)) if isinstance(part, IntegralOf))
    values = {sp.Symbol(x): sp.Rational(v.numerator, v.denominator) for x, v in at.items()}
    return found.concludes.rel.right.subs(values)


@against_code("ours/logarithmic/gaps")
def density_of_gaps(data: st.DataObject, code: Code) -> None:
    y, z, arms = data.draw(POINTS, "y"), data.draw(POINTS, "z"), data.draw(st.integers(1, 9), "arms")
    (p, q, _), (away, _, _) = normal(code, y), normal(code, y - z)
    hold(
        "ours/logarithmic/gaps",
        {"y": y, "z": z, "K": arms},
        left={"completed square": p * away},
        right={"Phi^K": arms * p * (1 - q) ** (arms - 1)},
    )
    two, many = (code.bound(gap_density(np.array([float(z)]), k)[0]) for k in (2.0, arms + 1.0))
    agree(two, (-(exactly(z) ** 2) / 4).exp() / arb.pi().sqrt())  # the difference of two normals, doubled
    holds(many, "<=", (arms + 1) * arms * (-(exactly(z) ** 2) / 4).exp() / (4 * arb.pi()).sqrt())
