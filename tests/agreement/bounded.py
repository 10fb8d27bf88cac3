"""The bound for rewards in [0, 1] (`reucb.bounds.bounded`) against the formulas of its lemmas."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction

import numpy as np
import sympy as sp
from flint import arb
from hypothesis import strategies as st

from reucb.bounds.bounded.bad_rounds import LEVELS, Charge, block, boundary
from reucb.bounds.bounded.good_rounds import chernoff, needed
from reucb.bounds.bounded.lines import Lines, backward_induction, noise_after
from reucb.bounds.bounded.setting import BoundedSetting
from tests.agreement.registry import Code, Number, against_code, agree, exactly, value
from tests.theory.harness.search import built
from theory.model.bounded_lines import BELOW, M
from theory.model.bounded_play import crossed, i, t, y

ROOM = 3e-10  # relative: the code moves what it computes to the safe side by 1e-12 of its terms
EIGHTHS = st.integers(1, 7).map(lambda i: Fraction(i, 8))


def stated(claim: str, name: str) -> sp.Expr:
    """The right side of a conclusion of a claim."""
    return next(g.rel.stated[1] for g in built(claim).conclusions if g.name == name)


@dataclass(frozen=True)
class Line:
    """A setting, a threshold z below the best mean y, a line, and one of the counts."""

    setting: BoundedSetting
    y: Fraction
    z: Fraction
    level: Fraction
    x: Fraction
    count: int

    @property
    def exact(self) -> dict[str, Number]:
        names = {"y": self.y, "z": self.z, "c": self.level, "x": self.x, "N": self.count}
        return {**names, "rho": Fraction(self.setting.rho), "C": self.radius(self.setting.horizon)}

    def radius(self, rounds: int) -> arb:
        s = self.setting
        return (exactly(Fraction(s.sigma_sq) * Fraction(s.a)) * arb(rounds).log()).sqrt()


@st.composite
def lines(draw: st.DrawFn) -> Line:
    arms = draw(st.integers(2, 6))
    sizes = {"n_arms": arms, "horizon": arms + draw(st.integers(20, 200)), "binary": True}
    numbers = {x: float(draw(EIGHTHS)) for x in ("sigma0_sq", "sigma_sq", "a")}
    y, z, level, x = (*sorted((draw(EIGHTHS), draw(EIGHTHS)), reverse=True), draw(EIGHTHS), draw(EIGHTHS))
    return Line(BoundedSetting(**sizes, **numbers), y, z, level, x, draw(st.integers(1, 20)))


def corners(line: Line) -> Iterator[tuple[Fraction, Fraction]]:
    """(v, w_*) where what a good pull needs may be least: on the edge of their range, at ends or where it is flat."""
    s, w1 = line.setting, 1 / (1 + Fraction(line.setting.rho))
    arms, rho, up, down = s.n_arms, Fraction(s.rho), line.y - line.level, line.level - line.z
    idle = 1 + (arms - 2) * w1
    low, bend, high = Fraction(1, arms), 1 / (idle + 1), 1 / (idle + w1)
    pieces = [(low, high, line.x + w1 * up - down, lambda at: w1)]
    if up >= 0:
        pieces = [
            (low, bend, line.x + up - down, lambda at: Fraction(1)),
            (bend, high, line.x - idle * up - down, lambda at: 1 / at - idle),
        ]
    for first, last, slope, weight in pieces:
        inside = first
        if slope > 0:
            root = float(line.radius(s.horizon).mid()) / (2 * float(slope))
            inside = min(max(Fraction(1 + (line.count - root**2) / float(rho)), first), last)
        yield from ((1 / at - 1, weight(at)) for at in (first, inside, last))


@against_code("ours/bounded/good-pull", "ours/bounded/good-pull/weight-of-best")
def good_pulls_need(data: st.DataObject, code: Code) -> None:
    """N z less what the code says a good pull needs is the largest value that the lemma allows, over all weights."""
    line = data.draw(lines())
    need = stated("ours/bounded/good-pull", "a good pull")
    values = [value(need, {**line.exact, "v": v, "w_*": weight}) for v, weight in corners(line)]
    lowest = min(values, key=lambda ball: float(ball.mid()))
    found = needed(line.setting, *map(float, (line.y, line.z, line.level, line.x)))[line.count]
    total = line.count * line.z
    agree(code(float(total) - found, ROOM), exactly(total) - lowest, 1e-9)


@against_code("ours/bounded/bad-round", "ours/bounded/bad-round/ends", "ours/bounded/weights-of-the-others")
def boundaries(data: st.DataObject, code: Code) -> None:
    """The boundary of one round is the larger of the lemma's values at the least and the most weight of the others."""
    line = data.draw(lines())
    s, rounds = line.setting, line.setting.n_arms + line.count + data.draw(st.integers(0, 9))
    rest = rounds - 1 - line.count
    sizes = {"J": s.n_arms - 1, "T": rest, "M": rest - (s.n_arms - 2), "rho": Fraction(s.rho)}
    weights = [value(stated("ours/bounded/weights-of-the-others", name), sizes) for name in ("least", "most")]
    exact = {**line.exact, "C": line.radius(rounds)}
    crossed = stated("ours/bounded/bad-round", "a bad round")
    values = [value(crossed, {**exact, "v": v}) for v in weights]
    highest = max(values, key=lambda ball: float(ball.mid()))
    arrays = block(s, rounds, rounds).arrays
    below = np.empty(len(arrays[0]))
    boundary(s.rho, arrays, *map(float, (line.z, line.level, line.x)), below)
    total = line.count * line.z
    agree(code(float(total) + 8 - below[line.count], ROOM), exactly(total) + 8 - highest, 1e-9)


@against_code("ours/bounded/envelope/factor")
def noise_factor(data: st.DataObject, code: Code) -> None:
    """H, the factor for the noise of later pulls."""
    lam, pulls, rho = data.draw(EIGHTHS) * 16, data.draw(st.integers(5, 50)), data.draw(EIGHTHS)
    at: Mapping[str, Number] = {"lambda": lam, "d": exactly(2 * (pulls + rho)).sqrt()}
    exact = 1 + value(stated("ours/bounded/envelope/factor", "the integral"), at)
    agree(code(noise_after(np.array([float(lam)]), pulls, float(rho))[0]), exact)


@against_code("ours/bounded/envelope/posterior-mean")
def earlier_means(data: st.DataObject, code: Code) -> None:
    """The posterior mean after one reward less."""
    low, high = sorted((data.draw(EIGHTHS), data.draw(EIGHTHS)))
    mean = np.array([float(low), float(high)])
    one = np.array([1.0])
    backward_induction(one, one / 2, 1, 1.0, 1, 1, mean, np.ones((1, 3)))
    earlier = stated("ours/bounded/envelope/posterior-mean", "one reward less")
    agree(code(mean[0]), value(earlier, {"p_0": low, "e": 1 - high}))


@against_code("ours/bounded/any-law")
def exponents(data: st.DataObject, code: Code) -> None:
    """Chernoff's exponent at the best theta is N times the relative entropy."""
    count = data.draw(st.integers(2, 40))
    need = data.draw(st.integers(1, count - 1))
    mu = Fraction(need, count) * data.draw(EIGHTHS)
    bound = stated("ours/bounded/any-law", "enough rewards")
    exact = value(bound, {"N": count, "mu": mu, "q": Fraction(need, count)}).log()
    agree(code(chernoff(float(mu), float(count), float(need), 0.0)[0], 1e-10), exact, 1e-9)


@against_code("ours/bounded/line")
def levels_of_lines(data: st.DataObject, code: Code) -> None:
    """The x of a tail: the least of exp(-lambda x) times the envelopes, over the code's lambdas, is that tail."""
    tail = data.draw(EIGHTHS)
    lams = np.array([float(data.draw(EIGHTHS)) * 2 for _ in range(3)])
    logs = np.array([[float(data.draw(EIGHTHS)) for _ in range(3)]])
    found = code(Lines(np.zeros(1), lams, logs).x(0, float(tail)))
    pairs = [(exactly(Fraction(lam)), exactly(Fraction(log))) for lam, log in zip(lams, logs[0], strict=True)]
    bounds = [(log - lam * found).exp() for lam, log in pairs]
    agree(min(bounds, key=lambda ball: float(ball.mid())), tail, math.inf)


@against_code("ours/bounded/other-arms", "ours/bounded/bad-rounds")
def cells_of_the_law(data: st.DataObject, code: Code) -> None:
    """The chance of crossing a boundary where X has the law of a line: every cell at its upper end, the rest at 1."""
    chances = sorted(data.draw(EIGHTHS) for _ in LEVELS)

    def levels(_: np.ndarray, values: np.ndarray, __: int, most: int) -> int:
        values[1:most, 0] = [float(p) for p in chances]
        return most

    found = Charge(levels, 1).values[0]
    tails = [Fraction(1), *map(Fraction, LEVELS)]
    for claim, name in (("ours/bounded/other-arms", "boundary"), ("ours/bounded/bad-rounds", "bad rounds")):
        cells = stated(claim, name).subs(M, len(LEVELS)).doit()
        known = {BELOW.tail(sp.Integer(c)): tail for c, tail in enumerate(tails)}
        known |= {crossed(i, t, BELOW.level(sp.Integer(c)), y): p for c, p in enumerate(chances, 1)}
        exact = cells.xreplace({x: sp.Rational(p.numerator, p.denominator) for x, p in known.items()})
        agree(code(found), exactly(Fraction(exact.p, exact.q)))
