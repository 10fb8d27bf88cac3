"""Sums written otherwise: each rule states an identity that holds for numbers, and rejects its mutants."""

import pytest
import sympy as sp

from theory.kernel.argument import proof
from theory.kernel.goal import Goal, Rel, at_least, positive, real
from theory.kernel.rules import Blocks, Exchange, Indicates, NextInteger, Quotient, Reindex, follows
from theory.kernel.terms import Event

i, j, t, m, n, K, M, x = sp.symbols("i j t m n K M x")
f = sp.Function("f")
COUNT, WHOLE = at_least(1, integer=True), at_least(0, integer=True)
SIZES = {n: COUNT, m: WHOLE, K: COUNT, M: WHOLE}


def verdict(*items):
    return proof(*items).check().verdict


def sides(item, values, term):
    """Both sides of an identity at whole numbers, f replaced by a function of numbers."""
    rel = item.concludes.rel
    return [side.subs(values).doit().replace(f, term) for side in (rel.left, rel.right)]


@pytest.mark.parametrize("size", [1, 2, 5])
def test_a_double_sum_in_the_other_order(size):
    rule = Exchange(f(i, j), (j, sp.Integer(1), m), (i, sp.Integer(1), n), SIZES)
    assert verdict(rule) == "proved"
    left, right = sides(rule, {n: size, m: 3}, lambda a, b: a**2 + 7 * b)
    assert left == right != 0
    assert verdict(Exchange(f(i, j), (j, sp.Integer(1), i), (i, sp.Integer(1), n), {**SIZES, i: COUNT})) == "open"


@pytest.mark.parametrize("at", [n + 1 - i, m + i])
def test_another_index(at):
    rule = Reindex(f(t), t, m + 1, n, i, at, SIZES)
    assert verdict(rule) == "proved"
    left, right = sides(rule, {n: 7, m: 2}, lambda a: a**3 + 1)
    assert left == right != 0
    assert verdict(Reindex(f(t), t, m + 1, n, i, 2 * i, {**SIZES, i: COUNT})) == "open"
    assert verdict(Reindex(f(t) + i, t, m + 1, n, i, at, {**SIZES, i: COUNT})) == "open"
    assert verdict(Reindex(f(t), t, m + 1, n, i, x - i, {**SIZES, x: positive()})) == "open"


@pytest.mark.parametrize(("size", "rounds"), [(1, 4), (2, 5), (3, 6), (3, 7), (4, 3)])
def test_blocks_of_equal_terms(size, rounds):
    rule = Blocks(f(j), j, i, K, m, M, SIZES)
    assert verdict(rule) == "proved"
    for whole in {rounds // size, -(-rounds // size) - 1}:  # at the end of a block both are right
        left, right = sides(rule, {K: size, m: rounds, M: whole}, lambda a: 1 / a**2)
        assert left == right != 0
    left, right = sides(rule, {K: size, m: rounds, M: rounds // size + 1}, lambda a: 1 / a**2)
    assert left != right
    assert verdict(Blocks(f(j), j, i, K, m, M, {**SIZES, m: at_least(0)})) == "open"


def test_a_quotient_exists():
    share = (Rel(K * M, "<=", m), Rel(m, "<=", K * (M + 1)))
    total = sp.Sum(f(sp.ceiling(i / K)), (i, 1, m))
    premise = follows(Rel(total, "<=", total + M), domain=SIZES, given=share)
    assert verdict(Quotient(premise, K, m, M)) == "open"  # the relation contains M
    premise = follows(Rel(total, "<=", total + 1), domain=SIZES, given=share)
    found = proof(Quotient(premise, K, m, M)).check()
    assert found.verdict == "proved"
    assert "if" not in found.statement
    several = follows(premise.rel, domain=SIZES, given=(*share, Rel(M, ">=", 2)))
    assert verdict(Quotient(several, K, m, M)) == "open"  # there may be no such M that is at least 2
    tight = follows(premise.rel, domain={**SIZES, M: COUNT}, given=share)
    assert verdict(Quotient(tight, K, m, M)) == "open"


def test_a_positive_part():
    d = f(i) - x
    domain = {f(i): positive(), x: positive(), i: COUNT}
    least, above = Indicates(d, domain, part=True), Indicates(d, domain)
    assert verdict(follows(Rel(Event(d, 0) * d, ">=", d), above, domain=domain)) == "proved"
    assert verdict(follows(Rel(Event(d, 0) * d, ">=", 0), least, domain=domain)) == "proved"
    assert verdict(follows(Rel(Event(d, 0) * d, ">=", 1), least, above, domain=domain)) == "open"


def test_some_event_is_at_most_the_number_of_events():
    """1{Z > 0} <= Z for a sum Z of indicators, and for no other sum."""
    outcome = {x: real(), m: COUNT}

    def at_most(term):
        total = sp.Sum(term, (i, 1, m))
        some = Indicates(total, outcome, integer=True, part=True, strict=True)
        return follows(Rel(Event(total, 1), "<=", total), some, domain=outcome, given=(Rel(total, ">=", 0),))

    assert verdict(at_most(Event(f(i) - x, 1))) == "proved"
    assert verdict(at_most(Event(f(i) - x, 1) / 2)) == "open"
    assert verdict(at_most(f(i))) == "open"
    here, d = {**outcome, i: COUNT}, f(i) - x
    none = Indicates(d, here, strict=True)
    assert verdict(follows(Rel(d, "<=", 0), none, domain=here, given=(Rel(Event(d, 1) * d, "=", 0),))) == "proved"
    assert verdict(follows(Rel(d, "<", 0), none, domain=here, given=(Rel(Event(d, 1) * d, "=", 0),))) == "open"
    assert verdict(follows(Rel(d, "<=", 0), none, domain=here)) == "open"


def test_a_symbol_may_stand_for_a_root():
    """The hypotheses of a goal can be met although no rational point meets them."""
    root = Goal(Rel(x, ">", 0), {x: at_least(0), n: at_least(2)}, (Rel(x, "=", sp.sqrt(sp.log(n))),), "a root")
    assert verdict(root) == "proved"
    none = Goal(Rel(x, ">", 5), {x: at_least(0), n: at_least(2)}, (Rel(x, "=", -sp.sqrt(sp.log(n))),), "negative")
    assert verdict(none) == "open"


def test_the_next_integer():
    whole = {K: COUNT, n: COUNT}
    assert verdict(NextInteger(n, K, whole)) == "proved"
    assert verdict(NextInteger(n, K / 2, whole)) == "open"  # 2 > 3/2, but not 2 >= 5/2
    assert verdict(NextInteger(n, K, {**whole, n: at_least(1)})) == "open"
