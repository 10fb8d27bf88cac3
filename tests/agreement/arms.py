"""The vocabulary of one arm among K as `reucb.blup` computes it: weights, errors, the variance of the common mean.

Whatever else contains n sigma_0^2 + sigma^2 is read through the weight, n sigma_0^2 / w, also at other counts and
variances: beta = 1 + sigma^2/(K sigma_0^2) is 1/w after K pulls, Var(r-bar) = sigma_0^2 + sigma^2/n is sigma_0^2/w.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cache, cached_property

import sympy as sp
from flint import arb
from hypothesis import strategies as st

import reucb
from tests.agreement import Computed, Prepared, Reading, ball, prepare, rational, refined
from tests.agreement.registry import goals
from tests.theory.harness.search import Values, arms, evaluate
from theory.kernel.goal import Goal, Var
from theory.model.arms import V0, Wo, s, s0, tau_sq, tau_tilde_sq, w
from theory.model.own_noise import tau_h_sq
from theory.model.quantities import Xo, s1

v = sp.Symbol("v")  # beside Wo: the weight of another arm
PULLS = {"n", "N", "J", "K", "k", "h", "least", "horizon"}  # symbols of which a number of pulls may be made
Bend = Mapping[str, float]  # factors on what blup gives: weights, mse, known (mse with mu_0 known), unpulled (its mse)


@dataclass
class Arms(Reading):
    """A concrete bandit seen from its first arm."""

    counts: list[int] = field(default_factory=list)
    noise: list[Fraction] = field(default_factory=list)  # one for all arms, or one each
    spread: Fraction = Fraction(1)
    values: Values = field(default_factory=dict)
    bend: Bend = field(default_factory=dict)

    @cached_property
    def fit(self) -> reucb.estimation.Fit:
        """The fit of these arms and, last, of one more that was never pulled, whose error is sigma_0^2 + V0."""
        return self._blup(None)

    @cached_property
    def known(self) -> reucb.estimation.Fit:
        return self._blup(0.0)

    def _blup(self, mu0: float | None) -> reucb.estimation.Fit:
        noise = [float(x) for x in (self.noise * len(self.counts) if len(self.noise) == 1 else self.noise)]
        return reucb.blup(
            [*self.counts, 0],
            [0.0] * (len(self.counts) + 1),
            sigma0_sq=float(self.spread),
            sigma_sq=[*noise, 1.0],
            mu0=mu0,
        )

    def number(self, part: str, value: float) -> arb:
        return ball(float(value) * self.bend.get(part, 1.0))

    def weight(self, count: Fraction, noise: Fraction) -> arb | None:
        """The code's weight after `count` pulls, where both are numbers that it takes."""
        if count.denominator != 1 or not 1 <= count <= 2**53 or noise <= 0 or Fraction(float(noise)) != noise:
            return None
        fit = reucb.blup([int(count)], [0.0], sigma0_sq=float(self.spread), sigma_sq=float(noise))
        return self.number("weights", fit.weights[0])


def _code(name: str) -> sp.Symbol:
    return sp.Symbol(f"code.{name}", positive=True)


TAU = Computed(tau_sq, _code("mse"), lambda at: at.number("mse", at.fit.mse[0]))
COMMON = Computed(V0, _code("V0"), lambda at: at.number("unpulled", at.fit.mse[-1]) - rational(at.spread))
KNOWN = Computed(tau_tilde_sq, _code("known"), lambda at: at.number("known", at.known.mse[0]))
WEIGHT = Computed(w, _code("w"), lambda at: at.number("weights", at.fit.weights[0]))
OWN = (TAU, COMMON, KNOWN, WEIGHT)
PARTS = {"weights": None, "mse": TAU.symbol, "known": KNOWN.symbol, "unpulled": COMMON.symbol}  # None: everywhere
VARYING = (
    Computed(tau_h_sq, TAU.symbol, TAU.value),
    *(Computed(c.expr.xreplace({s: s1, Wo: Xo}), c.symbol, c.value) for c in OWN),
)


@cache
def prepared(goal_of: tuple[str, int]) -> Prepared:
    """A goal, by its claim and place, with all that blup computes replaced: errors, variances, weights, divisors."""
    goal = goals(goal_of[0])[goal_of[1]]
    ready = prepare(goal, VARYING if goal.symbols & {s1, Xo} else OWN)
    sums = sorted(_sums(ready.left) | _sums(ready.right), key=lambda e: (-sp.count_ops(e), str(e)))
    free = [a for a in sums if not a.free_symbols & ready.names]
    return refined(ready, tuple(c for a in free if (c := _denominator(a)) is not None))


def _sums(expr: sp.Expr) -> set[sp.Expr]:
    return {e for e in sp.preorder_traversal(expr) if e.is_Add and s0 in e.free_symbols}


def _denominator(a: sp.Expr) -> Computed | None:
    """A sum s0^e (c s0 + r) as s0^e c s0 / w, w the code's weight with count/noise = c/r."""
    terms = sp.Add.make_args(sp.expand(a))
    degrees = [t.as_powers_dict().get(s0, sp.S.Zero) for t in terms]
    low = min(degrees, key=lambda d: d if d.is_Integer else sp.oo)
    if {Wo, Xo, v} & a.free_symbols or not {s, s1} & a.free_symbols or set(degrees) != {low, low + 1}:
        return None
    r, c = (sp.Add(*(t / s0**d for t, d in zip(terms, degrees, strict=True) if d == e)) for e in (low, low + 1))
    noise = s1 if s1 in a.free_symbols else s
    count = sp.cancel(c / r * noise)
    if noise in count.free_symbols:
        count, noise = c, r
    if s0 in c.free_symbols | r.free_symbols or not {x.name for x in count.free_symbols} <= PULLS:
        return None

    def value(at: Arms) -> arb | None:
        try:
            weight = at.weight(evaluate(count, at.values), evaluate(noise, at.values))
            return None if weight is None else rational(evaluate(s0 ** (low + 1) * c, at.values)) / weight
        except (ZeroDivisionError, ValueError):
            return None

    return Computed(a, _code(f"[{a}]"), value)


# ---------------------------------------------------------------------------------------------------------------------
# bandits and values that doubles hold exactly

DYADIC = st.integers(1, 64).map(lambda i: Fraction(i, 8))


def value_of(x: Var) -> st.SearchStrategy[Fraction]:
    """A value of a symbol that corresponds to nothing that the code computes."""
    low, high = (None if b is None else Fraction(int(b.p), int(b.q)) for b in (x.low, x.high))
    if x.integer:
        return st.integers(int(low or 0), int(low or 0) + 20).map(Fraction)
    if low is not None and high is not None:
        return st.integers(1, 15).map(lambda i: low + (high - low) * Fraction(i, 16))
    return DYADIC.map(lambda y: (low or 0) + y if high is None else high - y)


ArmsProblem = tuple[list[int], list[Fraction], Fraction, dict[tuple[str, Var], Fraction]]


def problems(wanted: Iterable[Goal]) -> st.SearchStrategy[ArmsProblem]:
    """Bandits of up to five arms, their noise each, and values of the other symbols of some goals."""
    free = {(x.name, g.domain[x]) for g in wanted for x in g.symbols}
    return st.tuples(
        st.lists(st.integers(1, 50), min_size=1, max_size=5),
        st.lists(DYADIC, min_size=5, max_size=5),
        DYADIC,
        st.fixed_dictionaries({key: value_of(key[1]) for key in sorted(free, key=str)}),
    )


def reading(goal: Goal, problem: ArmsProblem, bend: Bend | None = None) -> Arms | None:
    """The bandit of a problem in the symbols of a goal; None where it is outside their domain, as with too few arms."""
    counts, noise, spread, free = problem
    least = max([1, *(int(goal.domain[x].low or 0) for x in goal.symbols if x.name == "n")])
    counts = [max(counts[0], least), *counts[1:]]
    own = noise[: len(counts)] if goal.symbols & {s1, Xo} else noise[:1]
    values = {**{x.name: free[x.name, goal.domain[x]] for x in goal.symbols}, **arms(counts, own, spread)}
    if not all(sp.Rational(str(values[x.name])) in goal.domain[x] for x in goal.symbols):
        return None
    made = Arms({}, {}, counts, own, spread, values, bend or {})
    sums = goal.symbols & {Wo, Xo}
    others = [made.number("weights", x) for x in made.fit.weights[1:-1]]
    made.code.update(dict.fromkeys(sums, sum(others, arb(0))))
    if sums and v in goal.symbols and others:
        values["v"] = counts[1] * spread / (counts[1] * spread + own[min(1, len(own) - 1)])
        made.code[v] = others[0]
    made.exact.update({x: rational(values[x.name]) for x in goal.symbols})
    return made
