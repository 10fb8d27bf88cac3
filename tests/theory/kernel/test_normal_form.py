"""Identities of exp, log, erfc and roots: true ones built at random, mutants of them, and invalid rewritings."""

import pytest
import sympy as sp
from hypothesis import given
from hypothesis import strategies as st

from tests.hypothesis_examples import examples
from theory.kernel.engines import Outcome, normal_form_identity
from theory.kernel.goal import Goal, Rel, Var, at_least, positive, real
from theory.kernel.normal_form import agree
from theory.kernel.prove import prove
from theory.kernel.sanity import objections

x, y, a = sp.symbols("x y a")
POSITIVE = {x: positive(), y: positive(), a: positive()}
REAL = {x: real(), y: real(), a: real()}

BASES = st.sampled_from([x, y, x + y, 1 + x, 3 + x * y, x**2 + x * y + y**2, sp.Integer(2), sp.Integer(6), sp.pi])
EXPONENTS = st.builds(sp.Rational, st.integers(-6, 6).filter(bool), st.sampled_from([1, 2, 3, 4]))
POWERS = st.lists(st.tuples(BASES, EXPONENTS), min_size=1, max_size=3, unique_by=lambda p: p[0])
TERMS = st.lists(
    st.tuples(st.sampled_from([x, y, x * y, x**2, x / (1 + y), a * x]), EXPONENTS),
    min_size=1,
    max_size=3,
    unique_by=lambda p: p[0],
)
SHIFTS = EXPONENTS
PLACES = st.integers(0, 2)


def identity(left, right, domain=None, given=()):
    return Goal(Rel(left, "=", right), POSITIVE if domain is None else domain, given)


def product(factors):
    return sp.Mul(*factors, evaluate=False)


def nudged(pairs, place, shift):
    """The same list with one exponent changed."""
    i = place % len(pairs)
    base, e = pairs[i]
    return [*pairs[:i], (base, e + shift), *pairs[i + 1 :]]


@examples(40)
@given(POWERS, PLACES, SHIFTS)
def test_logarithm_of_a_product(powers, place, shift):
    left = sp.log(product([b**e for b, e in powers]))

    def right(pairs):
        return sp.Add(*(e * sp.log(b) for b, e in pairs))

    assert agree(identity(left, right(powers)))
    assert not agree(identity(left, right(nudged(powers, place, shift))))
    assert not agree(identity(left, right(powers) + shift))
    assert not agree(identity(left, -right(powers)))


@given(TERMS, PLACES, SHIFTS)
def test_exponential_of_a_sum(parts, place, shift):
    left = sp.exp(sp.Add(*(c * t for t, c in parts)))

    def right(pairs):
        return product([sp.exp(c * t) for t, c in pairs])

    assert agree(identity(left, right(parts), REAL | {y: positive()}))
    assert not agree(identity(left, right(nudged(parts, place, shift)), REAL | {y: positive()}))
    assert not agree(identity(left, (1 + shift**2) * right(parts), REAL | {y: positive()}))


@examples(40)
@given(POWERS, st.sampled_from([sp.Rational(1, 2), sp.Rational(-3, 2), a, a / 2 - 1, 1 / (1 + a)]), SHIFTS)
def test_power_of_a_product(powers, e, shift):
    whole = [(b, sp.Integer(k.p)) for b, k in powers]
    left = sp.Pow(product([b**k for b, k in whole]), e, evaluate=False)

    def right(exponent):
        return sp.exp(exponent * sp.Add(*(k * sp.log(b) for b, k in whole)))

    assert agree(identity(left, right(e)))
    assert not agree(identity(left, right(e + shift)))
    assert not agree(identity(left, -right(e)))


@examples(30)
@given(POWERS, SHIFTS)
def test_rational_functions_of_atoms(powers, shift):
    """1/(u - v) - 1/(u + v) = 2v/(u^2 - v^2), u and v made of roots, logarithms and tails."""
    u, v = sp.erfc(x - y) + 3, sp.log(product([sp.sqrt(b) for b, _ in powers]))
    left = 1 / (u - v) - 1 / (u + v)
    assert agree(identity(left, 2 * v / (u**2 - v**2)))
    assert not agree(identity(left, (2 + shift) * v / (u**2 - v**2)))
    assert not agree(identity(left, 2 * v / (u**2 + v**2)))
    assert not agree(identity(left, 2 * v / (u**2 - v**3)))


KNOWN = [
    (sp.sqrt(2) * sp.sqrt(3), sp.sqrt(6), sp.sqrt(5)),
    (sp.sqrt(x**2 + 2 * x * y + y**2), x + y, x - y),
    (sp.sqrt(x * sp.sqrt(x)), x ** sp.Rational(3, 4), x ** sp.Rational(2, 3)),
    (sp.log(sp.sqrt(x / y)), -sp.log(y / x) / 2, sp.log(y / x) / 2),
    (sp.exp(2 * sp.log(x + y) + 1), sp.E * (x + y) ** 2, sp.E * (x + y)),
    (sp.erfc(x - y), 2 - sp.erfc(y - x), -sp.erfc(y - x)),
    (1 / (sp.sqrt(x + 1) - sp.sqrt(x)), sp.sqrt(x + 1) + sp.sqrt(x), sp.sqrt(x + 1) - sp.sqrt(x)),
    (sp.sqrt(a * sp.log(1 + x)), sp.sqrt(a) * sp.sqrt(sp.log(1 + x)), sp.sqrt(a) * sp.log(1 + x)),
    ((1 - sp.erfc(x) / 2) ** (a - 1), (2 - sp.erfc(x)) ** a / 2**a / (1 - sp.erfc(x) / 2), (1 - sp.erfc(x) / 2) ** a),
    (sp.log(x**a * sp.exp(y)), a * sp.log(x) + y, a * sp.log(x) - y),
]


@pytest.mark.parametrize(("left", "right", "wrong"), KNOWN, ids=str)
def test_identities_and_their_false_neighbours(left, right, wrong):
    assert normal_form_identity(identity(left, right)) is Outcome.PROVED
    assert normal_form_identity(identity(left, wrong)) is Outcome.UNKNOWN  # it never refutes


BELOW_ZERO = {x: Var(None, high=sp.Integer(-1)), y: positive(), a: real()}
INVALID = [
    ("logarithm of a square", sp.log(x**2), 2 * sp.log(x), REAL),
    ("root of a square", sp.sqrt(x**2), x, REAL),
    ("root of a square below 0", sp.sqrt(x**2), x, BELOW_ZERO),
    ("logarithm of two numbers of any sign", sp.log(x * y), sp.log(x) + sp.log(y), REAL),
    ("a factor that changes sign", sp.log((x - 1) * y), sp.log(x - 1) + sp.log(y), POSITIVE),
    ("a factor that vanishes", sp.log(x * (1 + x)), sp.log(x) + sp.log(1 + x), {x: at_least(0)}),
    ("power of a product of any sign", (x * y) ** a, x**a * y**a, REAL),
    ("root of a logarithm of any sign", sp.sqrt(a * sp.log(x)), sp.sqrt(a) * sp.sqrt(sp.log(x)), POSITIVE),
    ("power of a power", (x**2) ** (a / 2), x**a, REAL),
    ("a function without rules", sp.sin(x) ** 2 + sp.cos(x) ** 2, sp.Integer(1), REAL),
    ("an imaginary number", sp.exp(sp.I * x) * sp.exp(-sp.I * x + y), sp.exp(y), REAL),
]


@pytest.mark.parametrize(("name", "left", "right", "domain"), INVALID, ids=[i[0] for i in INVALID])
def test_rewritings_that_are_not_valid_on_the_whole_domain_are_unknown(name, left, right, domain):
    used = {s: v for s, v in domain.items() if s in left.free_symbols | right.free_symbols}
    assert normal_form_identity(identity(left, right, used)) is Outcome.UNKNOWN


def test_signs_come_from_domain_and_hypotheses():
    goal = identity(sp.log((x - 1) * y), sp.log(x - 1) + sp.log(y))
    assert not agree(goal)
    assert agree(identity(goal.rel.left, goal.rel.right, POSITIVE | {x: Var(sp.Integer(1), strict=True)}))
    assert agree(identity(goal.rel.left, goal.rel.right, POSITIVE, (Rel(x, ">", 1 + y),)))
    assert not agree(identity(goal.rel.left, goal.rel.right, POSITIVE, (Rel(x, ">=", 1),)))
    assert agree(identity(sp.sqrt(x**2), -x, BELOW_ZERO))
    assert agree(identity(sp.log(-x * y), sp.log(-x) + sp.log(y), BELOW_ZERO))


def test_the_logarithm_of_a_quotient_above_1_is_positive():
    ratio = Goal(Rel(sp.log(1 + a * x / y) / sp.log(1 + x / y), ">", 0), POSITIVE, name="of two logarithms")
    assert all(e.ok for e in (*objections(ratio), *prove(ratio)))
    for wrong in (sp.log(x / y), sp.log((1 + x) / (1 + y)), sp.log(1 + x / y) - sp.log(2), -sp.log(1 + x / y)):
        assert not all(e.ok for e in prove(Goal(Rel(wrong, ">", 0), POSITIVE, name="of unknown sign")))
    assert not all(e.ok for e in prove(Goal(Rel(sp.log(1 + x / y), ">", 0), REAL, name="no quotient above 1")))


def test_roots_of_unusual_order_and_too_many_atoms_are_unknown():
    fifth = sp.Rational(1, 5)
    assert not agree(identity((x * y) ** fifth, x**fifth * y**fifth))
    many = sp.symbols("x:50")
    domain = {s: positive() for s in many}
    assert not agree(Goal(Rel(sp.log(sp.Mul(*many)), "=", sp.Add(*map(sp.log, many))), domain))


def test_division_by_what_is_always_0_is_unknown():
    nothing = sp.sqrt(x * y) - sp.sqrt(x) * sp.sqrt(y)
    assert not agree(identity(1 / nothing, 2 / nothing))
