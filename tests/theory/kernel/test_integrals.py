"""Integrals over the line in another variable: the right factor is accepted, wrong ones are refused."""

from dataclasses import replace

import pytest
import sympy as sp

from theory.kernel.argument import proof
from theory.kernel.goal import Goal, Rel, Var, at_least, positive, real
from theory.kernel.rules import Definition, Dominated, IntegralOf, Substitution

x, z, c, k = sp.symbols("x z c k")
F = sp.Function("F")
DOMAIN = {c: real(), k: positive()}
WIDE = sp.exp(-((x - c) ** 2) / (2 * k**2))
BELL = sp.exp(-(z**2) / 2)
SAME = Goal(Rel(WIDE.subs(x, c + k * z), "=", BELL), {**DOMAIN, z: real()}, name="at z")
MOVED = Substitution(WIDE, x, (c, k), sp.S.One, BELL, z, SAME, DOMAIN, name="standardised")


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
    plain = Substitution(F(x), x, (sp.S.Zero, sp.S.One), sp.Integer(2), BELL, z, known, {}, name="F")
    times = replace(plain, f=x * F(x), g=z * BELL, times=z)
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
