"""Definitions: about objects of a model, with all that an object depends on, and written apart from the claims."""

from dataclasses import replace
from functools import partial
from unittest import mock

import pytest
import sympy as sp
from sympy.core.function import UndefinedFunction

from theory.kernel import sources
from theory.kernel.argument import proof
from theory.kernel.goal import Goal, Rel, at_least, positive, real
from theory.kernel.rules import (
    Definition,
    Expectation,
    Form,
    Induction,
    Limit,
    SumOver,
    Theorem,
    cited,
    follows,
    instance,
)
from theory.kernel.terms import FIXED, Mean
from theory.model import counts, play

j, o, x, y, N, X = sp.symbols("j o x y N X")
f, g = map(sp.Function, "fg")


def verdict(*items):
    return proof(*items).check().verdict


@pytest.fixture
def no_parameters():
    """No parameter is fixed but those of the test."""
    with mock.patch.dict(FIXED, clear=True):
        yield


def test_a_definition_is_about_objects_of_a_model():
    w = sp.Symbol("w")
    length = sp.Function("length")(w)
    fact = Definition("a length", Goal(Rel(length, ">=", 1), {w: real()}, name="a length"))
    found = proof(follows(Rel(length + 1, ">=", 2), fact)).check()
    assert found.verdict == "proved"
    assert found.level == "engines"
    assert any("definition" in item["engines"] for item in found.items)
    assert verdict(follows(Rel(length, ">=", 2), fact)) == "open"
    free = Definition("of nothing", Goal(Rel(x, ">=", 1), {x: real()}, name="a number"))
    assert verdict(follows(Rel(x + 1, ">=", 2), free)) == "open"


WRITTEN = {
    "by its class": 'made = Definition("a length", Goal(RELATION, DOMAIN))',
    "under another name": 'made = type(LARGEST)("a length", Goal(RELATION, DOMAIN))',
    "from another one": "made = replace(LARGEST, gives=Goal(RELATION, DOMAIN))",
    "for every value": "made = LARGEST.for_every(k)",
    "by a function of the model": 'made = defined("a length", RELATION)',
    "by two functions": 'def mine(rel): return defined("a length", rel)\nmade = mine(RELATION)',
}


@pytest.mark.parametrize("source", WRITTEN.values(), ids=list(WRITTEN))
def test_a_definition_knows_where_its_relation_is_written(source):
    relation = Rel(play.mu(play.k, play.o), "<=", 1)
    names = {**vars(play), "replace": replace, "Goal": Goal, "RELATION": relation, "DOMAIN": play.ARM}
    scope = {**names, "Definition": Definition, "__name__": "theory.ours.somewhere"}
    exec(source, scope)
    assert scope["made"].made_in == "theory.ours.somewhere"
    assert play.LARGEST.made_in == "theory.model.play"
    assert counts.MET.made_in == "theory.model.counts"  # made by functions of two modules


HIDDEN = {
    "a factor": Rel(f(y, o), "=", x * g(y, o)),
    "the end of a sum": Rel(f(y, o), "=", sp.Sum(g(j, o), (j, 1, N))),
    "a bound": Rel(f(y, o), "<=", N),
    "a variance": Rel(Mean(f(y, o) ** 2, o), "=", x),
    "a factor in a mean": Rel(Mean(x * f(y, o), o), "=", 1),
    "the law of a symbol": Rel(Mean(X**2, X), "=", x),
    "a square": Rel(f(y, o) ** 2, "=", x),
    "an argument of the other side": Rel(f(y, o), "=", g(x, y, o)),
}


@pytest.mark.parametrize("rel", HIDDEN.values(), ids=list(HIDDEN))
def test_a_definition_shows_what_its_object_depends_on(rel):
    """At two values of x, or of N, it would say that one object is two."""
    hidden = N if rel.stated[1].has(N) else x
    domain = {**dict.fromkeys((x, y, o, X), real()), N: at_least(1, integer=True)}
    made = Definition("an object", Goal(rel, domain, name="an object"))
    found = proof(follows(rel, made, domain=domain)).check()
    assert f"depends on {hidden} without showing it" in str(found.problem)
    assert proof(follows(rel, made.for_every(hidden), domain=domain)).check().problem is None


def test_what_a_theorem_gives_shows_what_its_objects_depend_on():
    """The variance of f is no number x, whatever it is, by no theorem."""
    domain = {x: positive(), y: real(), o: real()}
    for rel, hidden in ((Rel(Mean(f(y, o) ** 2, o), "<=", x), "x"), (Rel(Mean(f(x, o), o), "<=", Mean(g(o), o)), "x")):
        theorem = Theorem("a theorem", "...", "a book", (), partial(Form, (), rel))
        found = proof(cited(theorem, gives=Goal(rel, domain, name="a bound"))).check()
        assert f"depends on {hidden} without showing it" in str(found.problem)
        again = proof(cited(theorem, gives=Goal(rel, domain, name="a bound"), every=(x,))).check()
        assert "without showing it" not in str(again.problem)


@pytest.mark.usefixtures("no_parameters")
def test_a_parameter_is_inherited_by_what_is_defined_with_it():
    """A limit f(y) = N, and h(y) = f(y) + 1: h depends on N as f does, though N does not stand there."""
    limit, more = (UndefinedFunction(name, of="model.of.a.test") for name in ("limit", "more"))
    domain = {y: real(), N: at_least(1, integer=True)}
    first = Definition("a limit", Goal(Rel(limit(y), "=", N), domain, name="a limit"))
    second = Definition("one more", Goal(Rel(more(y), "=", limit(y) + 1), domain, name="one more"))
    total = follows(Rel(more(y), "=", N + 1), first, second, domain=domain, name="both")
    assert "limit(y) depends on N" in str(proof(total).check().problem)
    sources.fix(N, scope=limit)
    assert "more(y) depends on N" in str(proof(total).check().problem)
    sources.fix(N, scope=more)
    assert proof(total).check().verdict == "proved"
    at_one = instance(total, {N: 1}, domain, name="at 1")
    assert "N is a parameter of the model" in str(proof(at_one).check().problem)


@pytest.mark.usefixtures("no_parameters")
def test_a_parameter_is_not_summed_averaged_or_followed():
    """What does not contain an index is constant in a sum; f depends on N without showing it."""
    f = UndefinedFunction("f", of="model.of.a.test")
    sources.fix(N, scope="model.of.a")
    domain = {y: real(), N: at_least(1, integer=True), x: real()}
    made = Definition("f", Goal(Rel(f(y), "=", N), domain, name="f"))
    assert proof(follows(Rel(f(y) + 1, "=", N + 1), made)).check().verdict == "proved"
    free = {y: real(), x: real()}
    wrong = {
        "sum": SumOver(made, N, sp.Integer(1), sp.Integer(2), free),
        "mean": Expectation(made, (N,)),
        "induction": Induction(Rel(f(y), ">=", 1), N, 1, {y: real()}, lemmas=(made,)),
        "derivative": Goal(Rel(sp.Derivative(N * f(y), N), "=", f(y)), domain, name="slope"),
        "a sum inside": Goal(Rel(sp.Sum(f(y), (N, 1, 2)), "=", 2 * f(y)), free, name="two terms"),
        "limit": Limit(f(y) / N, N, sp.Integer(0), {y: positive(), N: positive()}),
    }
    mean = Definition("a mean", Goal(Rel(Mean(f(o), o), "=", N), {**domain, o: real()}, name="a mean"))
    total = SumOver(mean, N, sp.Integer(1), sp.Integer(2), {o: real()})
    assert "on which Mean(f(o), o) depends" in str(proof(total).check().problem)
    for name, item in wrong.items():
        assert "N is a parameter of the model, on which f(y) depends" in str(proof(item).check().problem), name
