"""What widths add up to, against `reucb.bounds`: alpha, g, S, and the bounds made of them."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import sympy as sp
from flint import acb, arb
from hypothesis import strategies as st

import reucb
from reucb import bounds
from reucb.bounds.logarithmic import gap_cost
from reucb.bounds.sharp import learned_pulls, pooled, width_sum
from tests.agreement.arms import DYADIC
from tests.agreement.registry import Code, Number, against_code, agree, exactly, hold, holds, value
from tests.agreement.statements import number, right, sides
from tests.agreement.theorems import ExactSetting, settings
from theory.model import bound_formulas as stated
from theory.model.counts import j as count
from theory.model.play import BEST, mu
from theory.model.play import k as arm
from theory.model.play import o as outcome
from theory.ours import subtracted_regret as subtracted

HEAD = 32  # sums of that many terms are taken term by term


def exact(at: ExactSetting) -> tuple[sp.Expr, ...]:
    """K, n, sigma_0^2, sigma^2, a for the expressions of theory.model.bound_formulas."""
    return (at.arms, at.rounds, *(sp.Rational(x.numerator, x.denominator) for x in (at.spread, at.noise, at.a)))


def alpha(at: ExactSetting) -> Fraction:
    return (at.arms - 1) * at.noise / (at.arms * at.spread + at.noise)


def root(at: ExactSetting, j: Number) -> arb:
    return (exactly(j) + exactly(alpha(at))).sqrt()


def partial(at: ExactSetting, code: Code, pulls: int) -> arb:
    """S(m) by the code, in units of sigma."""
    return code(width_sum(np.array(float(pulls)), learned_pulls(at.arms, float(at.spread), float(at.noise))))


def one_width(at: ExactSetting, code: Code, j: int) -> arb:
    """g(j)/sigma by the code: the last term of S(j)."""
    return partial(at, code, j) - partial(at, code, j - 1)


def all_arms(at: ExactSetting, code: Code, rounds: int) -> arb:
    """K S(j/K) by the code."""
    return code(pooled(np.array(float(rounds)), at.arms, learned_pulls(at.arms, float(at.spread), float(at.noise))))


@against_code("ours/width", "ours/width/shape", "ours/worst-spread", "ours/midpoint", "ours/logarithmic/count")
def one_more_pull(data: st.DataObject, code: Code) -> None:
    at = settings(data)
    i = data.draw(st.integers(2, 8), "i")
    j = data.draw(st.integers(i, 9), "j")
    g = {x: one_width(at, code, x) for x in (1, i - 1, i, j)}
    agree(code(learned_pulls(at.arms, float(at.spread), float(at.noise))), alpha(at))
    for pulls, found in g.items():
        agree(found, 1 / root(at, pulls))
    holds(g[i], "<=", g[i - 1])  # ours/width/shape
    own = data.draw(st.lists(st.integers(1, 9), min_size=at.arms, max_size=at.arms), "counts")
    most = one_width(at, code, sum(own) - at.arms + 1)
    holds(sum((one_width(at, code, c) for c in own), arb(0)), "<=", (at.arms - 1) * g[1] + most)  # ours/worst-spread
    y, z = root(at, i + Fraction(1, 2)), root(at, i - Fraction(1, 2))
    holds(g[i], "<=", 2 * (y - z))  # ours/midpoint
    gap = exactly(at.noise).sqrt() * g[i]  # ours/logarithmic/count at B = 1: the gap that is just hidden at count i
    agree(exactly(at.noise) / gap**2 - exactly(alpha(at)), i, narrow=1e-9)
    once = [1] * (at.arms - 1)
    error = code(reucb.blup([i, *once], [0.0] * at.arms, sigma0_sq=float(at.spread), sigma_sq=float(at.noise)).mse[0])
    agree(error, exactly(at.noise) / root(at, i) ** 2)
    hold(
        "ours/width",
        {"n": i, "J": at.arms - 1, "s": at.noise, "s0": at.spread},
        left={"equality": error},
        right={"equality": exactly(at.noise) * g[i] ** 2},
    )


@against_code(
    "ours/jensen",
    "ours/duality",
    "ours/widest-last",
    "sec:proof/sum-root",
    "sec:proof/sum-root/sharp",
    "sec:proof/sum-root/after-K",
    "ours/midpoint/series",
)
def sums_of_widths(data: st.DataObject, code: Code) -> None:
    at = settings(data)
    many, rounds = data.draw(st.integers(1, HEAD - 2), "M"), at.rounds
    S = {m: sum((1 / root(at, j) for j in range(1, m + 1)), arb(0)) for m in range(HEAD + 1)}
    agree(partial(at, code, many), S[many])
    whole, left = divmod(rounds, at.arms)
    in_turn = at.arms * S[whole] + left / root(at, whole + 1)
    agree(all_arms(at, code, rounds), in_turn)
    for level in (whole, many):  # ours/jensen holds for every M, and play in turn meets it at M = floor(m/K)
        holds(all_arms(at, code, rounds), "<=", at.arms * S[level] + (rounds - at.arms * level) / root(at, level + 1))
    price = 1 / root(at, many + 1)
    above = at.arms * sum((max(1 / root(at, j) - price, arb(0)) for j in range(1, HEAD + 1)), arb(0))
    holds(all_arms(at, code, rounds), "<=", price * rounds + above)  # ours/duality
    before = (rounds - 1) // at.arms
    agree(all_arms(at, code, rounds) - all_arms(at, code, rounds - 1), 1 / root(at, before + 1))  # ours/widest-last
    agree(code.bound(bounds.sharp_terms(**at.keywords)["widths"]), value(stated.widths(*exact(at))))
    # without other arms alpha is 0: sums of t^(-1/2)
    plain = [code(width_sum(np.array(float(m)), 0.0)) for m in (many, many + 1)]
    holds(plain[0], "<=", 2 * arb(many).sqrt())
    holds(plain[1] - plain[0], "<=", 2 * (arb(many + 1).sqrt() - arb(many).sqrt()))
    holds(plain[0], "<=", 2 * arb(many).sqrt() - 1)
    long = data.draw(st.integers(HEAD + 1, 400), "long")
    total = sum((1 / root(at, j) for j in range(1, long + 1)), arb(0))
    held = code(width_sum(np.array(float(long)), learned_pulls(at.arms, float(at.spread), float(at.noise))), 1e-11)
    agree(held, total, narrow=1e-10)


@against_code(
    "ours/sharp",
    "ours/sharp/round",
    "ours/sharp/simple",
    "ours/sharp/leading",
    "ours/sharp/below-printed",
    "ours/psi/sum",
    "them-R-Bayes/repaired/tail",
    "them-R-Bayes/repaired",
    "them-R-Bayes/part-2/repaired",
)
def sharp_bound(data: st.DataObject, code: Code) -> None:
    """The stated sides are what the code computes, and the code's numbers are in the stated order."""
    at = settings(data, part=2)
    found = {name: code.bound(term) for name, term in bounds.sharp_terms(**at.keywords).items()}
    agree(found["total"], right("ours/sharp", "n >= K", at))
    agree(found["initial"], at.arms * exactly(at.spread).sqrt() * at.numbers["e"])
    agree(found["widths"], value(stated.widths(*exact(at))))
    agree(found["tail"], value(stated.optimism(*exact(at))))
    met, most = sides("ours/sharp/leading", "leading term", at)
    agree(found["initial"] + found["widths"], met)
    agree(at.terms(code)["leading"], most)
    holds(found["total"], "<=", right("ours/sharp/simple", "the simple bound", at))
    theorems = {1: "them-R-Bayes/repaired", 2: "them-R-Bayes/part-2/repaired"}
    for part, claim in theorems.items():
        terms = at.terms(code, part=part)
        agree(terms["total"], right(claim, f"Theorem 2, part ({part})", at))
        ours, printed = sides("ours/sharp/below-printed", f"n > K, part ({part})", at)
        agree(found["total"], ours)
        agree(terms["total"], printed)
        tails, half = sides("them-R-Bayes/repaired/tail", f"part ({part})", at)
        agree(found["tail"], tails)
        agree(terms["tail"] / 2, half)
        holds(found["tail"], "<=", terms["tail"] / 2)
        psi, closed = sides("ours/psi/sum", f"a >= {part}", at)
        holds(psi * found["tail"] / tails, "<=", closed)
    holds(found["total"], "<=", at.terms(code)["total"])


@against_code("ours/equal-shares", "ours/equal-shares/squares", "ours/width/play")
def arms_pulled_in_turn(data: st.DataObject, code: Code) -> None:
    """The widths that blup reports while the arms are pulled in turn are below g, and their sums below the stated."""
    at = settings(data)
    squares, most = sides("ours/equal-shares/squares", "squares", at)
    shares, product = sides("ours/equal-shares", "Cauchy-Schwarz", at)
    sigma = exactly(at.noise).sqrt()
    agree(sigma * all_arms(at, code, at.rounds - at.arms), shares)
    found = arb(0)
    for t in range(at.arms, at.rounds):
        counts = [t // at.arms + (i < t % at.arms) for i in range(at.arms)]
        fit = reucb.blup(counts, [0.0] * at.arms, sigma0_sq=float(at.spread), sigma_sq=float(at.noise))
        own = code(fit.mse[t % at.arms])
        holds(own, "<=", exactly(at.noise) / root(at, counts[t % at.arms]) ** 2)  # ours/width/play
        found += own
    holds(found, "<=", squares)
    agree(exactly(at.spread) * at.numbers["beta"] * at.arms * (at.ratio(code) - 1), most, narrow=1e-9)
    holds(sigma * all_arms(at, code, at.rounds - at.arms), "<=", product)


@against_code(
    "ours/logarithmic",
    "ours/logarithmic/round",
    "ours/logarithmic/far-round",
    "ours/logarithmic/near-pulls",
    "ours/logarithmic/order",
)
def logarithmic_bound(data: st.DataObject, code: Code) -> None:
    """Two arms: the gap is a difference of two normals, and the average over it an integral in closed form."""
    base = settings(data, part=2)
    at = ExactSetting(2, base.rounds, base.spread, base.noise, base.a)
    b = data.draw(st.integers(4, 12), "b") * Fraction(1, 4)
    found = bounds.logarithmic_terms(**at.keywords, b=float(b))
    K, n, s0, s, a = exact(at)
    width = sp.Rational(b.numerator, b.denominator)
    agree(code.bound(found["deviations"]), value(stated.deviations(K, n, s0, s, a, width)))
    psi = value(sum((stated.excess(sp.sqrt(a * sp.log(t))) for t in range(K + 1, n + 1)), sp.Integer(0)))
    agree(code.bound(found["tail"]), (at.arms - 1) * exactly(at.noise).sqrt() / root(at, 1) * psi)
    B2 = (exactly(at.a).sqrt() + exactly(b).sqrt()) ** 2 * at.numbers["L"] * exactly(at.noise / at.spread)
    later, al = at.rounds - at.arms, exactly(alpha(at))
    full, last = (B2 / (later + al)).sqrt(), (B2 / al).sqrt()

    def density(z: acb) -> acb:
        return (-z * z / 4).exp() / acb.pi().sqrt()

    few = acb.integral(lambda z, _: later * z * density(z), 0, full).real
    some = acb.integral(lambda z, _: (B2 / z - al * z) * density(z), full, last).real
    gaps = code(found["gaps"], 1e-9)  # the accuracy of the quadrature
    agree(gaps, exactly(at.spread).sqrt() * (few + some), narrow=1e-8)
    order = B2 / 2 + B2 * (later / B2).log() / 2 if bool(later > B2) else later / arb(2)
    peak = 1 / arb.pi().sqrt()  # the density of the gap is at most this
    holds(gaps, "<=", exactly(at.spread).sqrt() * (peak * order + B2))


@against_code("ours/combined", "ours/subtracted", "ours/subtracted/pulls")
def least_of_all(data: st.DataObject, code: Code) -> None:
    at = settings(data, part=2)
    least, sharp, gap = (code.bound(f(**at.keywords)) for f in (bounds.combined, bounds.sharp, bounds.logarithmic))
    holds(least, "<=", sharp)
    holds(least, "<=", gap)
    point = (at.arms, at.rounds, float(at.spread), float(at.noise), float(at.a))
    eta, lam = float(data.draw(DYADIC, "price")) / 8, data.draw(st.sampled_from((0.25, 0.5, 1.0)), "lam")
    priced = gap_cost(*map(float, point), 1.0, np.array([0.0, eta]))
    later = at.rounds - at.arms
    holds(code(priced[1], 1e-9), "<=", code(priced[0], 1e-9) + eta * later)  # up = (D - eta)^+ <= D
    j = data.draw(st.integers(1, 8), "j")
    others = data.draw(st.lists(st.integers(1, 9), min_size=at.arms - 1, max_size=at.arms - 1), "others")
    fit = reucb.blup([j, *others], [0.0] * at.arms, sigma0_sq=float(at.spread), sigma_sq=float(at.noise))
    gap = data.draw(DYADIC, "gap")
    values = {
        subtracted.eta: 0,
        subtracted.lam: sp.Rational(lam),
        count: j,
        mu(BEST, outcome): gap,
        mu(arm, outcome): 0,
    }
    stated_pull = number(subtracted.PULL.xreplace(values), at)  # what a pull may cost, by the claim
    wide = code(fit.mse[0]).sqrt()
    root_n = (exactly(at.a) * at.numbers["L"]).sqrt()
    holds((1 + exactly(Fraction(lam))) * root_n * wide - exactly(Fraction(lam) * gap), "<=", stated_pull)
    own = exactly(at.noise).sqrt() * one_width(at, code, j)
    agree((1 + exactly(Fraction(lam))) * root_n * own, stated_pull + exactly(Fraction(lam) * gap))


@against_code("ours/shift-invariance")
def shifted_rewards(data: st.DataObject, code: Code) -> None:
    """blup with all sample means moved by x: every estimate moves by x, no error changes."""
    at = settings(data)
    counts = data.draw(st.lists(st.integers(1, 9), min_size=at.arms, max_size=at.arms), "counts")
    means = data.draw(st.lists(DYADIC, min_size=at.arms, max_size=at.arms), "means")
    x = data.draw(DYADIC, "x")
    before, after = (
        reucb.blup(counts, [float(m + more) for m in means], sigma0_sq=float(at.spread), sigma_sq=float(at.noise))
        for more in (Fraction(0), x)
    )
    weights = [c * at.spread / (c * at.spread + at.noise) for c in counts]
    centre = sum(w * m for w, m in zip(weights, means, strict=True)) / sum(weights)
    for w, m, old, new in zip(weights, means, before.mu, after.mu, strict=True):
        estimate = w * m + (1 - w) * centre
        agree(code(old), estimate)
        agree(code(new), estimate + x)
    for old, new in zip(before.mse, after.mse, strict=True):
        agree(code(new), code(old), narrow=1)
