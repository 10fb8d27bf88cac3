"""The rules of differentiation, and integrals in another variable."""

from dataclasses import replace
from math import exp
from pathlib import Path

import pytest
import sympy as sp
from flint import arb, arb_series, ctx
from hypothesis import given
from hypothesis import strategies as st
from scipy.integrate import quad

from theory.kernel import derivative as rules
from theory.kernel import goal as goals
from theory.kernel.analysis import antiderivative, rises_from
from theory.kernel.argument import proof
from theory.kernel.derivative import by_rules, by_sympy, derivative
from theory.kernel.exact import enclose
from theory.kernel.goal import Goal, Rel, Var, at_least, positive, real
from theory.kernel.polynomial import to_fmpq
from theory.kernel.prove import prove, proved
from theory.kernel.rules import (
    Combined,
    Definition,
    Dominated,
    IntegralOf,
    MeanOfIntegral,
    Restricted,
    Substitution,
)
from theory.kernel.terms import Event, Mean
from theory.model.normal import excess, phi, upper

# The rules of differentiation against power series arithmetic over Arb, and what depends on them.

x, y = sp.symbols("x y")

LEAVES = st.sampled_from([x, x + 1, sp.Integer(2), sp.Rational(1, 3), sp.sqrt(2), sp.pi])


def grown(inner):
    pairs = st.tuples(inner, inner)
    return st.one_of(
        pairs.map(lambda p: p[0] + p[1]),
        pairs.map(lambda p: p[0] * p[1]),
        pairs.map(lambda p: p[0] / (1 + p[1] ** 2)),
        inner.map(lambda u: sp.log(1 + u**2)),
        inner.map(lambda u: sp.exp(-(u**2))),
        inner.map(sp.erfc),
        inner.map(lambda u: (1 + u**2) ** sp.Rational(-3, 2)),
        pairs.map(lambda p: (1 + p[0] ** 2) ** (1 / (1 + p[1] ** 2))),
    )


TREES = st.recursive(LEAVES, grown, max_leaves=5)
POINTS = st.builds(sp.Rational, st.integers(2, 16), st.just(8))


def series(f: sp.Expr, at: sp.Rational) -> arb_series:
    """f(at + h) up to the first power of h, each node by arithmetic of series: no rule of the kernel is used."""
    if f == x:
        return arb_series([arb(to_fmpq(at)), 1])
    if x not in f.free_symbols:
        return arb_series([enclose(f)])
    parts = [series(e, at) for e in f.args]
    if f.is_Add:
        return sum(parts, arb_series([0]))
    if f.is_Mul:
        out = arb_series([1])
        for p in parts:
            out *= p
        return out
    if f.is_Pow and f.exp == -1:
        return arb_series([1]) / parts[0]
    if f.is_Pow and f.exp.is_Integer:
        out = arb_series([1])
        for _ in range(abs(int(f.exp))):
            out *= parts[0]
        return out if f.exp > 0 else arb_series([1]) / out
    if f.is_Pow:
        return (parts[1] * parts[0].log()).exp()
    return {sp.log: arb_series.log, sp.exp: arb_series.exp, sp.erfc: arb_series.erfc}[f.func](parts[0])


@given(TREES, POINTS)
def test_slope_is_the_first_coefficient_of_the_series(f, at):
    saved, saved_cap, ctx.prec, ctx.cap = ctx.prec, ctx.cap, 200, 2
    try:
        expected = series(f, at)[1]
        found = enclose(derivative(f, x), {x: arb(to_fmpq(at))})
        assert found.overlaps(expected)
        assert found.rad() < abs(found.mid()) / 1000 + arb(1) / 10**20  # else the comparison would say nothing
        assert not (found + 1).overlaps(expected)
    finally:
        ctx.prec, ctx.cap = saved, saved_cap


def test_derivatives_within_expressions():
    stated = x + 2 * sp.Derivative(sp.log(x) * y, x) ** 2
    assert by_rules(stated) == by_sympy(stated) == x + 2 * (y / x) ** 2
    assert by_rules(sp.Derivative(x**5, x, 2)) == 20 * x**3
    assert by_rules(sp.Derivative(x**2 * y**3, x, y)) == 6 * x * y**2
    assert by_rules(sp.Derivative(x**3, x).subs(x, y + 1)) == 3 * (y + 1) ** 2
    assert by_rules(sp.Subs(sp.Derivative(x**2 * y, x), (x, y), (y, x))) == 2 * x * y
    assert derivative(x**x, x) == x * x ** (x - 1) + x**x * sp.log(x)


def test_what_has_no_rule_is_refused():
    with pytest.raises(TypeError, match="no rule to differentiate zeta"):
        derivative(sp.zeta(x), x)


SLOPES = [
    antiderivative(-phi(x) + y * upper(x), (x - y) * phi(x), x, {x: real(), y: real()}, "excess"),
    antiderivative(x**3 / 3, x**2, x, {x: real()}, "cube"),
    Goal(Rel(sp.Derivative(excess(x), x, 2), "=", phi(x)), {x: real()}),
    Goal(Rel(sp.Derivative(x / (1 + x), x), ">", 0), {x: at_least(0)}),
    rises_from(x - sp.log(1 + x), x, sp.Integer(0), {}, "log")[0].premises[1],
]


@pytest.mark.parametrize("goal", SLOPES, ids=str)
@pytest.mark.parametrize("broken", ["by_rules", "by_sympy"])
def test_each_of_the_two_engines_differentiates_for_itself(goal, broken, monkeypatch):
    """A derivative that is wrong in one of the two ways is not proved: neither engine sees only the other's work."""
    left, right = goal.rel.stated
    assert proved(goal)
    sound = getattr(rules, broken)
    monkeypatch.setattr(goals, broken, lambda e: sound(e) - 1 - x**2 if e.has(sp.Derivative) else sound(e))
    said = [e.ok for e in prove(goal.with_rel(Rel(left, goal.rel.op, right), ""))]
    assert said[:2] == ([False, True] if broken == "by_rules" else [True, False])


def test_no_claim_differentiates_by_itself():
    """A claim that carried out a derivative would hand SymPy's result to both engines: it states it."""
    files = [p for p in Path(rules.__file__).parents[1].rglob("*.py") if p.parent.name != "kernel"]
    assert len(files) > 30
    assert not [p.name for p in files if "diff(" in p.read_text()]


def test_a_wrong_antiderivative_is_not_proved():
    assert not proof(antiderivative(x**3 / 3, 2 * x**2, x, {x: positive()}, "cube")).check().ok
    assert not proof(antiderivative(phi(x), x * phi(x), x, {x: positive()}, "density")).check().ok


# Integrals over the line in another variable: the right factor is accepted, wrong ones are refused.

z, c, k = sp.symbols("z c k")
F = sp.Function("F")
DOMAIN = {c: real(), k: positive()}
WIDE = sp.exp(-((x - c) ** 2) / (2 * k**2))
BELL = sp.exp(-(z**2) / 2)
SAME = Goal(Rel(WIDE.subs(x, c + k * z), "=", BELL), {**DOMAIN, z: real()}, name="at z")
AREA = IntegralOf(
    BELL, -sp.sqrt(2 * sp.pi) * upper(z), z, -sp.oo, sp.oo, {z: real()}, (-sp.sqrt(2 * sp.pi), sp.S.Zero), "area"
)
MOVED = Substitution(WIDE, x, (c, k), sp.S.One, BELL, z, SAME, AREA, DOMAIN, name="standardised")


def verdict(*items):
    return proof(*items).check().verdict


def test_a_density_is_standardised():
    found = proof(MOVED).check()
    assert found.verdict == "proved"
    assert {m.name for m in found.mutants} >= {"direction: k negative", "constant: factor doubled"}
    left, right = MOVED.concludes.rel.stated
    assert (left / right).subs({c: 0, k: 2}).doit() == 1


def test_both_sides_may_be_multiplied():
    known = Definition("F", Goal(Rel(F(z), "=", 2 * BELL), {z: real()}, name="F"))
    plain = Substitution(F(x), x, (sp.S.Zero, sp.S.One), sp.Integer(2), BELL, z, known, AREA, {}, name="F")
    moment = IntegralOf(z * BELL, -BELL, z, -sp.oo, sp.oo, {z: real()}, (sp.S.Zero, sp.S.Zero), "moment")
    times = replace(plain, f=x * F(x), g=z * BELL, value=moment, times=z)
    assert [verdict(item, SAME) for item in (plain, times)] == ["proved", "proved"]
    assert verdict(replace(times, times=sp.S.One), SAME) == "open"


@pytest.mark.parametrize(
    "wrong",
    [
        {"factor": sp.Integer(2)},
        {"factor": z, "domain": {**DOMAIN, z: real()}},
        {"at": (c, -k)},
        {"at": (c + 1, k)},
        {"at": (c, k * z), "domain": {**DOMAIN, z: real()}},
        {"domain": {c: real(), k: real()}},
        {"g": BELL / 2},
        {"pointwise": replace(SAME, domain={**DOMAIN, z: at_least(0)})},
        {"pointwise": Goal(Rel(SAME.rel.left, "<=", BELL), SAME.domain, name="an inequality")},
        {"f": WIDE * sp.exp(z), "domain": {**DOMAIN, z: real()}},
    ],
)
def test_wrong_substitutions_are_refused(wrong):
    assert verdict(replace(MOVED, **wrong)) == "open"


def test_integrals_without_a_value_are_refused():
    """z = 2 u gives that the integral of z^2 is 8 times itself: 0, if it were a number."""
    square = Goal(Rel((2 * z) ** 2, "=", 4 * z**2), {z: real()}, name="at 2 z")
    itself = sp.Integral(z**2, (z, -sp.oo, sp.oo))
    trivial = Goal(Rel(itself, "<=", itself + 1), {}, name="an inequality")
    alike = Definition("the same", Goal(Rel(itself, "=", sp.Integral(x**2, (x, -sp.oo, sp.oo))), {}, name="the same"))
    for value in (trivial, alike, AREA):
        moved = Substitution(x**2, x, (sp.S.Zero, sp.Integer(2)), sp.Integer(4), z**2, z, square, value, {})
        assert verdict(moved) == "open"


UNIT = Var(sp.Integer(0), high=sp.Integer(1))
SQUARE = IntegralOf(x, x**2 / 2, x, sp.S.Zero, sp.S.One, {x: at_least(0)}, name="of x")
ABOVE = Goal(Rel(x**2, ">=", 0), {x: UNIT}, name="a square", squares=(x,))
UNDER = Goal(Rel(x**2, "<=", x), {x: UNIT}, name="below x")


def test_dominated_integrals():
    """The integral of x^2 from 0 to 1 is at most that of x; on a longer range, or for a negative f, it is refused."""
    below = Dominated(x**2, x, ABOVE, UNDER, SQUARE, {}, name="of x^2")
    assert verdict(below) == "proved"
    assert below.concludes.rel == Rel(sp.Integral(x**2, (x, 0, 1)), "<=", sp.Rational(1, 2))
    longer = IntegralOf(x, x**2 / 2, x, sp.S.Zero, sp.Integer(2), {x: at_least(0)}, name="of x, longer")
    assert verdict(replace(below, whole=longer)) == "open"
    assert verdict(replace(below, f=2 * x**2)) == "open"
    assert verdict(replace(below, nonnegative=UNDER)) == "open"
    negative = Goal(Rel(-x, "<=", x), {x: UNIT}, name="below x")
    assert verdict(replace(below, f=-x, below=negative)) == "open"


def test_a_dominated_integral_runs_from_the_smaller_end():
    """From 1 to 0 the integrals are -1/3 and -1/2."""
    backwards = IntegralOf(x, x**2 / 2, x, sp.S.One, sp.S.Zero, {x: at_least(0)}, name="of x, backwards")
    assert verdict(backwards) == "proved"
    assert verdict(Dominated(x**2, x, ABOVE, UNDER, backwards, {}, name="of x^2")) == "open"


def test_the_ends_of_a_dominated_integral_do_not_matter():
    inside = {x: Var(sp.Integer(0), strict=True, high=sp.Integer(1))}
    open_ = [replace(item, domain=inside) for item in (ABOVE, UNDER)]
    assert verdict(Dominated(x**2, x, *open_, SQUARE, {}, name="of x^2")) == "proved"
    beyond = replace(UNDER, domain={x: Var(sp.Rational(1, 9), high=sp.Integer(1))})
    assert verdict(Dominated(x**2, x, ABOVE, beyond, SQUARE, {}, name="of x^2")) == "open"


# Means of integrals: over a random range, by the indicator of it.

o = sp.Symbol("o")
Y = sp.Function("Y")(o)
REACHED = 2 * x * Event(Y - x, 1)
SPAN = {o: real(), Y: at_least(0)}
NOT_NEGATIVE = Goal(Rel(REACHED, ">=", 0), {**SPAN, x: positive()}, name="not negative")
MEANS = MeanOfIntegral(REACHED, x, sp.S.Zero, sp.oo, (o,), NOT_NEGATIVE, SPAN, name="mean of an integral")


def test_the_mean_of_an_integral_is_the_integral_of_the_mean():
    found = proof(MEANS).check()
    assert found.verdict == "proved"
    assert {m.name for m in found.mutants} >= {"sign: negative", "range: ends exchanged", "range: a random end"}
    chance = Mean(Event(Y - x, 1), o)
    whole = sp.Integral(REACHED, (x, 0, sp.oo))
    assert MEANS.concludes.rel == Rel(Mean(whole, o), "=", sp.Integral(2 * x * chance, (x, 0, sp.oo)))


@pytest.mark.parametrize(
    "wrong",
    [
        {"f": REACHED - 1},
        {"f": -REACHED},
        {"f": (1 - x) * Event(Y - x, 1)},
        {"low": -sp.oo},
        {"low": sp.Integer(2), "high": sp.S.One},
        {"low": sp.oo, "high": sp.S.Zero},
        {"high": Y},
        {"high": o},
        {"low": c, "high": sp.S.One, "domain": {**SPAN, c: at_least(0)}},
        {"over": (x,), "domain": {**SPAN, x: positive()}},
        {"nonnegative": replace(NOT_NEGATIVE, domain={**SPAN, x: at_least(1)})},
        {"nonnegative": replace(NOT_NEGATIVE, given=(Rel(x, "<=", 5),))},
        {"nonnegative": Goal(Rel(REACHED, "<=", 2 * x), NOT_NEGATIVE.domain, name="another relation")},
        {"given": (Rel(x, ">=", 1),), "domain": {**SPAN, x: positive()}},
    ],
)
def test_wrong_means_of_integrals_are_refused(wrong):
    assert verdict(replace(MEANS, **wrong)) == "open"


def test_ends_of_an_integral_may_be_symbols():
    up_to = replace(MEANS, high=c, domain={**SPAN, c: positive()})
    assert verdict(up_to) == "proved"
    assert verdict(replace(up_to, low=sp.S.One)) == "open"
    assert verdict(replace(up_to, low=sp.S.One, given=(Rel(c, ">=", 1),))) == "proved"


CUT = Restricted(x * BELL.xreplace({z: x}), x, c, -sp.oo, sp.oo, {c: real()}, name="beyond c")


def test_an_indicator_cuts_the_range():
    """At c = 1 the step function is integrated numerically; x exp(-x^2/2) is the derivative of -exp(-x^2/2)."""
    found = proof(CUT).check()
    assert (found.verdict, len(found.mutants)) == ("proved", 2)
    for above, value in ((True, exp(-1 / 2)), (False, -exp(-1 / 2))):
        whole, part = replace(CUT, above=above).concludes.rel.stated
        step = whole.function.replace(lambda e: isinstance(e, Event), lambda e: sp.Heaviside(e.args[0])).subs(c, 1)
        _, *ends = part.subs(c, 1).limits[0]
        outside = 12  # less than 1e-30 is left out
        found, error = quad(sp.lambdify(x, step), -outside, outside, points=[1])
        cut, small = quad(sp.lambdify(x, part.function), *(max(-outside, min(outside, end)) for end in ends))
        assert abs(found - value) <= error < 1e-6
        assert abs(cut - value) <= small < 1e-6


@pytest.mark.parametrize(
    "wrong",
    [
        {"low": sp.S.Zero},
        {"high": c - 1},
        {"low": sp.oo},
        {"high": -sp.oo},
        {"domain": {c: at_least(0)}, "low": sp.S.One},
        {"c": 1 / c},
        {"c": sp.sqrt(c)},
        {"c": sp.zoo},
    ],
)
def test_wrong_ranges_are_refused(wrong):
    assert verdict(replace(CUT, **wrong)) == "open"


def test_ends_are_compared_with_the_cut():
    from_zero = replace(CUT, low=sp.S.Zero, domain={c: at_least(0)})
    assert verdict(from_zero) == "proved"
    assert verdict(replace(from_zero, domain={c: real()}, given=(Rel(c, ">=", 0),))) == "proved"
    assert verdict(replace(from_zero, domain={c: real()}, given=(Rel(c, ">=", -1),))) == "open"


def test_a_cut_at_the_variable_is_refused():
    for cut in (x, c * x):
        with pytest.raises(ValueError, match="must not depend on x"):
            replace(CUT, c=cut)


OF_X = SQUARE
OF_ONE = IntegralOf(sp.S.One, x, x, sp.S.Zero, sp.S.One, {x: at_least(0)}, name="of 1")


def test_a_sum_of_integrals():
    """The integral of c x + 3 from 0 to 1 is c/2 + 3."""
    found = Combined((OF_X, OF_ONE), (c, sp.Integer(3)), {c: real()}, name="of c x + 3")
    assert verdict(found) == "proved"
    assert found.concludes.rel == Rel(sp.Integral(c * x + 3, (x, 0, 1)), "=", c / 2 + 3)
    assert len(proof(found).check().mutants) >= 1


def test_variables_of_integration_are_not_captured():
    """The integral of x e^-y over y is x: written over x it would be another function."""
    ray = {x: at_least(0)}
    of_x = IntegralOf(sp.exp(-x), -sp.exp(-x), x, sp.S.Zero, sp.oo, ray, (None, sp.S.Zero), name="of e^-x")
    y = sp.Symbol("y")
    line = {y: at_least(0), x: positive()}
    of_y = IntegralOf(x * sp.exp(-y), -x * sp.exp(-y), y, sp.S.Zero, sp.oo, line, (None, sp.S.Zero), name="of x e^-y")
    assert verdict(of_x, of_y) == "proved"
    assert verdict(Combined((of_x, of_y), (sp.S.One, sp.S.One), {x: positive()})) == "open"
    assert verdict(Combined((OF_X, OF_ONE), (sp.oo, sp.S.One), {})) == "open"


def test_wrong_sums_of_integrals_are_refused():
    longer = IntegralOf(sp.S.One, x, x, sp.S.Zero, sp.Integer(2), {x: at_least(0)}, name="of 1, longer")
    assert verdict(Combined((OF_X, longer), (c, sp.S.One), {c: real()})) == "open"
    assert verdict(Combined((OF_X, OF_ONE), (x, sp.S.One), {x: real()})) == "open"
    assert verdict(Combined((Dominated(x**2, x, ABOVE, UNDER, SQUARE, {}), OF_ONE), (c, c), {c: real()})) == "open"
    with pytest.raises(ValueError, match="integrals over one variable"):
        _ = Combined((UNDER, OF_ONE), (c, c), {c: real(), x: UNIT}).concludes


def test_a_limit_that_sympy_does_not_find_is_open(monkeypatch):
    from theory.kernel.rules import calculus

    def gives_up(*_):
        raise NotImplementedError("not sure of the sign")

    limit = calculus.Limit(sp.exp(-x), x, sp.S.Zero, {x: real()})
    assert proof(limit).check().verdict == "proved"
    calculus._limit.cache_clear()
    monkeypatch.setattr(sp, "limit", gives_up)
    assert proof(calculus.Limit(sp.exp(-x), x, sp.S.Zero, {x: real()}, "again")).check().verdict == "open"
    calculus._limit.cache_clear()
