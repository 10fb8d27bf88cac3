"""Sums over all arms but one: the i-th other arm than arm k is arm i, or arm i + 1 from arm k on."""

from collections.abc import Mapping

import sympy as sp

from theory.kernel.argument import Argument, Item, proof
from theory.kernel.claim import claim
from theory.kernel.goal import Goal, Letter, Rel, Var, real
from theory.kernel.rules import (
    Among,
    Applied,
    Follows,
    Indicates,
    Instance,
    NextInteger,
    Picked,
    Reindex,
    Specialised,
    SplitSum,
    SumOver,
    applied,
    equals,
    follows,
    instance,
    replaced,
    specialised,
    uses,
)
from theory.kernel.rules.compose import conclusion
from theory.kernel.terms import Event
from theory.model.play import ANOTHER, COUNT, K, another, i, k, o

ONE = sp.Integer(1)
a, b, c, j, m, x, y = sp.symbols("a b c j m x y")
f = sp.Function("f")
ARMS: dict[sp.Expr, Var] = {K: COUNT, k: COUNT, o: real(), f(i): real(), another(i, k, o): COUNT}
EACH = {**ARMS, i: COUNT}
OTHER = another(i, k, o)
AN_ARM = Rel(k, "<=", K)
UNIT = Var(sp.Integer(0), high=sp.Integer(1))
FACTOR = Goal(Rel(c * x, "=", c * y), dict.fromkeys((c, x, y), real()), (Rel(x, "=", y),), "times a factor")
ALWAYS = Goal(
    Rel(x, "=", 1), {x: UNIT, y: real()}, (Rel((1 - x) * (y + 1), "<=", 0), Rel(y + 1, ">=", 1)), "an indicator of 1"
)
WORDS = {
    K: Letter(K, "number of arms"),
    f(i): Letter(f(i), "any quantity of arm i"),
    OTHER: Letter(OTHER, "the i-th other arm than arm k: arm i if i < k, else arm i + 1"),
}


def value_at(arm: sp.Expr, where: Rel, which: Follows) -> Instance:
    """f at the i-th other arm is f at this arm: equals for equals, in a name c for the first of them."""
    same = Rel(c, "=", f(OTHER))
    named = Goal(Rel(f(OTHER), "=", c), {**EACH, c: real()}, (same,), "by its name")
    moved = replaced(named, which, Rel(f(arm), "=", c), {**EACH, c: real()}, (same, where), "at the arm")
    return instance(moved, {c: f(OTHER)}, EACH, (where,), name="at the other arm")


def before() -> SumOver:
    """The first k - 1 other arms are the arms before arm k."""
    where, met = Rel(i, "<=", k - 1), Event(i - k, 0)
    says = Indicates(i - k, EACH, part=True, name="from arm k on")
    none = Goal(Rel(x, "=", 0), {x: UNIT, y: real()}, (Rel(x * y, ">=", 0), Rel(y, "<=", -1)), "not yet")
    not_yet = applied(none, {x: met, y: i - k}, says, domain=EACH, given=(where,), name="before arm k")
    which = follows(Rel(OTHER, "=", i), ANOTHER, not_yet, domain=EACH, given=(where,), name="arm i")
    return SumOver(value_at(i, where, which), i, ONE, k - 1, ARMS, name="arms before arm k")


def beyond() -> Follows:
    """The others are the arms after arm k."""
    where, met = Rel(i, ">=", k), Event(i - k, 0)
    says = Indicates(i - k, EACH, integer=True, name="before arm k")
    one = Goal(Rel(x, "=", 1), {x: UNIT, y: real()}, (Rel((1 - x) * (y + 1), "<=", 0), Rel(y, ">=", 0)), "from there")
    from_there = applied(one, {x: met, y: i - k}, says, domain=EACH, given=(where,), name="from arm k on")
    which = follows(Rel(OTHER, "=", i + 1), ANOTHER, from_there, domain=EACH, given=(where,), name="arm i + 1")
    later = SumOver(value_at(i + 1, where, which), i, k, K - 1, ARMS, given=(AN_ARM,), name="from arm k on")
    moved = Reindex(f(j), j, k + 1, K, i, i + 1, ARMS, (AN_ARM,), "arms after arm k")
    rel = Rel(sp.Sum(f(OTHER), (i, k, K - 1)), "=", sp.Sum(f(j), (j, k + 1, K)))
    return follows(rel, later, moved, domain=ARMS, given=(AN_ARM,), name="arms after arm k")


def single() -> Follows:
    """A sum of one term."""
    pair, at = {**ARMS, j: COUNT}, (Rel(j, ">=", k), Rel(j, "<=", k))
    d, met = -((k - j) ** 2), equals(k, j)
    near = follows(Rel(d + 1, ">=", 1), domain=pair, given=at, name="the same number")
    says = Indicates(d, pair, integer=True, name="equal arms")
    equal = applied(ALWAYS, {x: met, y: d}, says, near, domain=pair, given=at, name="the indicator")
    term = applied(FACTOR, {c: f(j), x: met, y: ONE}, equal, domain=pair, given=at, name="times f")
    terms = SumOver(term, j, k, k, ARMS, name="one term")
    picked = Picked(f(j), j, k, k, k, ARMS, name="this term")
    return follows(Rel(sp.Sum(f(j), (j, k, k)), "=", f(k)), terms, picked, domain=ARMS, name="a sum of one term")


@claim("ours/other-arms", by="us", kind="identity")
def other_arms() -> Argument:
    """The first k - 1 of the K - 1 others are the arms before arm k, the rest the arms after it."""
    arms = SplitSum(f(j), j, ONE, k - 1, K, ARMS, (AN_ARM,), "arms before arm k, and the rest")
    rest = SplitSum(f(j), j, k, k, K, ARMS, (AN_ARM,), "arm k, and arms after it")
    others = SplitSum(f(OTHER), i, ONE, k - 1, K - 1, ARMS, (AN_ARM,), "all other arms")
    total = Rel(sp.Sum(f(j), (j, 1, K)), "=", f(k) + sp.Sum(f(OTHER), (i, 1, K - 1)))
    parts = single(), arms, rest, others, before(), beyond()
    return proof(follows(total, *parts, domain=ARMS, given=(AN_ARM,), name="arm k and the others"), letters=WORDS)


def split_off(expr: sp.Expr, arm: sp.Expr, domain: Mapping[sp.Expr, Var]) -> Specialised:
    """The sum of an expression in k over all arms: its value at this arm, one of K, and the sum over the others."""
    given = (Rel(arm, "<=", K),)
    theorem = instance(uses("ours/other-arms"), {k: arm}, {**domain, f(i): real()}, given, name="any quantity")
    return specialised(theorem, {f(k): expr}, domain, given, "an arm and the others")


def among_the_others(
    expr: sp.Expr,
    one: sp.Expr,
    left_out: sp.Expr,
    known: tuple[Item, ...],
    domain: Mapping[sp.Expr, Var],
    given: tuple[Rel, ...] = (),
) -> Applied:
    """1{a != b} f(b) is at most the sum of f over the other arms than a, for an expression f >= 0 in k.

    `known`: that f >= 0, for which `given` may be needed, then that a and b are among the K arms.
    """
    nonnegative, *arms = known
    product = Goal(Rel((1 - x) * y, ">=", 0), {x: UNIT, y: real()}, (Rel(y, ">=", 0),), "unless it is arm a")
    at = {x: equals(left_out, k), y: expr}
    term = applied(product, at, nonnegative, domain={**domain, k: COUNT}, given=given, name="unless it is arm a")
    among = Among(conclusion(term).rel.stated[0], k, one, ONE, K, domain, term, "one of the arms", given)
    picked = Picked(expr, k, left_out, ONE, K, domain, "arm a")
    others = split_off(expr, left_out, domain)
    rest = sp.Sum(expr.xreplace({k: another(i, left_out, o)}), (i, 1, K - 1))
    left = Goal(
        Rel(x, "<=", y),
        dict.fromkeys((x, y, a, b, m), real()),
        (Rel(x, "<=", a - b), Rel(b, "=", m), Rel(a, "=", m + y)),
        "without arm a",
    )
    total, value = sp.Sum(expr, (k, 1, K)), expr.xreplace({k: left_out})
    at = {x: among.concludes.rel.stated[0], y: rest, a: total, b: picked.concludes.rel.stated[0], m: value}
    return applied(left, at, *arms, among, picked, others, domain=domain, given=given, name="one of the others")


def at_equal_arms(
    expr: sp.Expr,
    one: sp.Expr,
    other: sp.Expr,
    arms: tuple[Item, ...],
    domain: Mapping[sp.Expr, Var],
    index: sp.Symbol = k,
    last: sp.Expr = K,
) -> Follows:
    """1{a = b} f(a) = 1{a = b} f(b) for an expression f in the index: both are the sum of 1{a = k} 1{b = k} f(k).

    `arms`: that a and b are among the arms up to the last; without it, this is a hypothesis.
    """

    def picked(value: sp.Expr, name: str) -> tuple[Picked, Picked]:
        first, second = (
            Picked(equals(b, index) * value, index, a, ONE, last, domain, name) for a, b in ((one, other), (other, one))
        )
        return first, second

    values, indicators = picked(expr, "at one of them"), picked(ONE, "the indicator")
    known = tuple(h for item in values for h in item.concludes.given[1:])
    rel = Rel(equals(other, one), "=", equals(one, other))
    same = follows(rel, *indicators, domain=domain, given=known, name="either way round")
    at = {c: expr.xreplace({index: one}), x: rel.stated[0], y: rel.stated[1]}
    turned = applied(FACTOR, at, same, domain=domain, given=known, name="either way round")
    rel = Rel(equals(one, other) * at[c], "=", values[1].concludes.rel.stated[1])
    given = () if arms else known
    return follows(rel, *arms, *values, turned, domain=domain, given=given, name="at equal arms")


@claim("ours/same-arm", by="us", kind="identity")
def same_arm() -> Argument:
    """Arms are whole numbers: two of them whose numbers differ by less than 1 are the same, and so is any quantity."""
    pair = {**ARMS, m: COUNT}
    given = (AN_ARM, Rel(m, "<=", K), Rel((k - m) ** 2, "<", 1))
    d, met = -((k - m) ** 2), equals(k, m)
    near = applied(NextInteger(d + 1, 0, pair), {}, domain=pair, given=given, name="a whole number")
    says = Indicates(d, pair, integer=True, name="equal arms")
    equal = applied(ALWAYS, {x: met, y: d}, says, near, domain=pair, given=given, name="the indicator")
    times = (
        applied(FACTOR, {c: f(arm), x: met, y: ONE}, equal, domain=pair, given=given, name="times f") for arm in (k, m)
    )
    both = at_equal_arms(f(j), k, m, (), pair, j)
    same = follows(Rel(f(k), "=", f(m)), both, *times, domain=pair, given=given, name="any quantity")
    return proof(
        equal,
        same,
        letters={
            K: WORDS[K],
            k: Letter(k, "arm"),
            m: Letter(m, "arm"),
            f(i): Letter(f(i), "any numbers, one for each arm"),
        },
    )


def at_same_arm(
    expr: sp.Expr, one: sp.Expr, other: sp.Expr, domain: Mapping[sp.Expr, Var], given: tuple[Rel, ...]
) -> Specialised:
    """The values of an expression in j at two arms that are the same; `given` says that, and that they are arms."""
    theorem = instance(
        uses("ours/same-arm", item="any quantity"),
        {k: one, m: other},
        {**domain, f(i): real()},
        given,
        name="any quantity",
    )
    return specialised(theorem, {f(j): expr}, domain, given, "the same arm")
