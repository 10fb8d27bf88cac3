"""Hypotheses that are statements of other claims: the named claim at the named arguments must say just that.

`Rel(...).by("claim-id", at={...})` is a hypothesis with a source. The claim's conclusion is instantiated, compared with
the relation, and its own domain and hypotheses at these arguments become side conditions that the engines must prove.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

import sympy as sp
from sympy.core.function import AppliedUndef

from theory.kernel.atoms import about
from theory.kernel.defined import undefined_value
from theory.kernel.engines import Evidence, Outcome, flint_identity, normal_form_identity
from theory.kernel.exact import fails_at
from theory.kernel.goal import Goal, Rel, Source, Var, free_symbols
from theory.kernel.named import spelled, valued
from theory.kernel.polynomial import NotRational
from theory.kernel.prove import proved
from theory.kernel.sampling import admissible, somewhere
from theory.kernel.subexpressions import atoms, head, heads
from theory.kernel.terms import (
    FIXED,
    OPERATORS,
    Event,
    Mean,
    binds,
    bound,
    depends,
    limits_in,
    substitute,
    transparent,
    variables,
)
from theory.kernel.terms import fix as fix  # for models

if TYPE_CHECKING:
    from theory.kernel.argument import Proof

NEARBY = 12  # points that are tried before a relation is put to the engines


class NoSuchStatement(ValueError):
    """A claim that does not exist, is no proof, or does not say what it is used for."""


@lru_cache(maxsize=1024)
def proof_of(claim: str) -> Proof:
    """The proof of a claim of the ledger; its truth is settled by the ledger, not here."""
    from theory.kernel.argument import Proof
    from theory.kernel.claim import REGISTRY

    if claim not in REGISTRY:
        raise NoSuchStatement(f"no claim {claim!r}")
    argument = REGISTRY[claim].argument
    if not isinstance(argument, Proof):
        raise NoSuchStatement(f"{claim} is not proved")
    return argument


@lru_cache(maxsize=1024)
def conclusions(claim: str) -> tuple[Goal, ...]:
    """What a claim of the ledger concludes, relation by relation."""
    return proof_of(claim).conclusions


class Basis(NamedTuple):
    """What a proof depends on besides the engines: assumptions, laws of a model, and which of several these are."""

    assumptions: tuple[str, ...] = ()
    laws: tuple[str, ...] = ()
    worlds: tuple[str, ...] = ()

    @classmethod
    def joined(cls, parts: Iterable[Basis]) -> Basis:
        """All that these depend on, each text once."""
        columns = zip(cls(), *parts, strict=True)
        return cls(*(tuple(dict.fromkeys(text for part in column for text in part)) for column in columns))


NOTHING = Basis()


@lru_cache(maxsize=1024)
def basis(claim: str) -> Basis:
    """What a used claim depends on, and the claims that it uses in turn."""
    found = []
    seen, open_ = {claim}, [claim]
    while open_:
        name = open_.pop()
        try:
            argument = proof_of(name)
        except NoSuchStatement:
            continue
        found.append(argument.basis)
        new = [u for u in argument.uses if u not in seen]
        seen.update(new)
        open_ += new
    return Basis.joined(found)


RECORDED: dict[str, Basis] = {}  # what proved claims depend on, where a ledger settles without them


def inherited(claim: str) -> Basis:
    """What a used claim depends on, by the record if there is one: to build all proofs behind a claim takes long."""
    return RECORDED[claim] if claim in RECORDED else basis(claim)


def instance(rel: Rel, at: Mapping[sp.Symbol, sp.Expr]) -> Rel:
    for x in at:
        if not sp.sympify(x).is_Symbol:
            raise ValueError(f"at={dict(at)}: only symbols can be replaced, not {x}")
    left, right = (substitute(side, at) for side in rel.stated)
    every = tuple((i, *(substitute(sp.sympify(end), at) for end in ends)) for i, *ends in rel.every)
    if every and {i for i, *_ in every} & set(at).union(*(free_symbols(sp.sympify(v)) for v in at.values())):
        raise ValueError(f"{rel}: its index cannot be replaced or appear in arguments")
    return Rel(left, rel.op, right, every=every)


def moved(rel: Rel, at: Mapping[sp.Symbol, sp.Expr]) -> Rel:
    """A hypothesis at other arguments; its source, if it has one, is then used at these.

    Where the source has a symbol that stands for a sum, it says nothing of another value of this symbol.
    """
    new = instance(rel, at)
    if rel.source is None:
        return new
    before = dict(rel.source.at)
    arguments = {**at, **{x: substitute(value, at) for x, value in before.items()}}
    if any(arguments.get(x, x) != x for c in conclusions(rel.source.claim) for x in c.where):
        return new
    return new.by(rel.source.claim, arguments, rel.source.item)


def meaning(*goals: Goal, at: Mapping[sp.Symbol, sp.Expr] | None = None) -> dict[sp.Symbol, sp.Expr]:
    """What symbols of goals, used at these arguments, stand for: the first goal that has one says it."""
    found: dict[sp.Symbol, sp.Expr] = {}
    for goal in goals:
        for x, value in goal.where.items():
            if x in goal.symbols:
                found.setdefault(x, substitute(sp.sympify(value), at or {}))
    return found


def meanings(goal: Goal) -> dict[sp.Symbol, sp.Expr]:
    """What symbols of a goal stand for, and those in what these stand for."""
    found: dict[sp.Symbol, sp.Expr] = {}
    symbols = set(goal.symbols)
    while new := {x for x in goal.where if x in symbols and x not in found}:
        found |= {x: sp.sympify(goal.where[x]) for x in goal.where if x in new}
        symbols.update(*(found[x].free_symbols for x in new))
    return found


def explaining(goal: Goal, where: Mapping[sp.Symbol, sp.Expr]) -> Goal:
    """The goal with what its symbols stand for."""
    return replace(goal, where={x: value for x, value in where.items() if x in goal.symbols})


def constant_meaning(goal: Goal, *varied: sp.Expr) -> Iterator[str]:
    """Symbols that stand for what is not the same for all values of other symbols."""
    for x, value in meaning(goal).items():
        if any(y == x or sp.sympify(value).has(y) for y in varied):
            yield f"{x} stands for {value}, which is not the same everywhere"


def evidence(goal: Goal) -> list[Evidence]:
    """For every hypothesis with a source: that the source says it, and that the source applies."""
    found = []
    for i, h in enumerate(goal.given):
        if h.source is not None:
            others = goal.given[:i]
            why = next(_reasons(h, h.source, Goal(goal.rel, goal.domain, others)), None)
            outcome = Outcome.PROVED if why is None else Outcome.UNKNOWN
            found.append(Evidence("ledger", f"{h} by {h.source}" + (f": {why}" if why else ""), outcome))
    return found


def _reasons(rel: Rel, source: Source, here: Goal) -> Iterator[str]:
    """Why the source does not give the relation; nothing if it does."""
    at = dict(source.at)
    try:
        candidates = [c for c in conclusions(source.claim) if not source.item or c.name == source.item]
    except NoSuchStatement as why:
        yield str(why)
        return
    matching = [c for c in candidates if same(instance(c.rel, at), rel, here)]
    if not matching:
        yield "it does not say that"
        return
    failures = [list(unmet(c, at, replace(here, where=meaning(c, at=_others(c, at))))) for c in matching]
    if all(failures):
        yield failures[0][0]


def unexplained(goal: Goal) -> Iterator[str]:
    """Symbols that stand for something in a claim behind a hypothesis, without a word to readers of the goal."""
    for source in dict.fromkeys(h.source for h in goal.given if h.source is not None):
        try:
            meant = meaning(*conclusions(source.claim))
        except NoSuchStatement:  # which `evidence` reports
            continue
        for x, value in meant.items():
            if x in goal.symbols and x not in goal.letters and x not in goal.where:
                yield f"{x} stands for {value} in {source.claim}, and has no letter that says so"


def defining(goal: Goal) -> tuple[dict[sp.Symbol, sp.Expr], dict[sp.Expr, Var]]:
    """What symbols of a goal stand for in the claims behind its hypotheses, and the ranges of the terms in these sums.

    Such a hypothesis holds for no other value: W_others is the sum of the weights of arms that were pulled.
    """
    meant: dict[sp.Symbol, sp.Expr] = {}
    ranged: dict[sp.Expr, Var] = {}
    for source in dict.fromkeys(h.source for h in goal.given if h.source is not None):
        try:
            stated = conclusions(source.claim)
        except NoSuchStatement:  # which `evidence` reports
            continue
        at = dict(source.at)
        for c in stated:
            new = {x: value for x, value in meaning(c, at=_others(c, at)).items() if x in goal.symbols}
            meant = {**new, **meant}
            ranged.update(
                (y, var) for y, var in c.domain.items() if not y.is_Symbol and any(v.has(y) for v in new.values())
            )
    return meant, ranged


def unmet(statement: Goal, at: Mapping[sp.Symbol, sp.Expr], here: Goal) -> Iterator[str]:
    """Side conditions of using a statement at these arguments on this domain that could not be shown."""
    yield from elsewhere(statement, at)
    for x, value in meaning(statement, at=_others(statement, at)).items():
        if at.get(x, x) != x or here.where.get(x) != value:
            yield f"{x} stands for {value}, and nothing is known of other values"
    yield from infinite(statement, at, here)
    for x in sorted(families(statement), key=spelled):
        if not range_of(x, here.domain).within(statement.domain[x]):
            yield f"{x} is not known to be {statement.domain[x]}"
    for x in sorted(statement.symbols, key=spelled):
        value = sp.sympify(at.get(x, x))
        if not inside(value, statement.domain[x], here):
            yield f"{x} = {spelled(value)} is not known to be {statement.domain[x]}"
    for h in statement.given:
        wanted = instance(h, at)
        if wanted in here.given or any(same(wanted, supposed, here) for supposed in here.given):
            continue
        if wanted.every or wanted.symbols - set(here.domain) or not known(wanted, here, here.given):
            yield f"its hypothesis {wanted} is not known"


def elsewhere(statement: Goal, at: Mapping[sp.Expr, sp.Expr]) -> Iterator[str]:
    """Parameters of a model that have other values at these arguments, though a statement contains its functions."""
    for x in sorted((x for x in FIXED.keys() & set(at) if at[x] != x), key=spelled):
        if any(depends(side, x) for r in (statement.rel, *statement.given) for side in r.stated):
            yield f"{x} is a parameter of the model, and {statement.rel} contains its functions"


def _others(statement: Goal, at: Mapping[sp.Symbol, sp.Expr]) -> dict[sp.Symbol, sp.Expr]:
    """The arguments for symbols that stand for nothing else."""
    return {x: value for x, value in at.items() if x not in statement.where}


def averaged(cases: Iterable[Rel], rel: Rel) -> Iterator[str]:
    """Hypotheses about what the relation averages or sums over: they hold of all its values, and are no cases."""
    inside = set().union(*(bound(valued(side)) for side in rel.stated))
    for h in cases:
        caught = inside & set().union(*(sp.sympify(side).free_symbols for side in h.stated))
        if caught:
            yield f"{h}: {', '.join(sorted(map(str, caught)))} is averaged or summed over in {rel}"


def captured(statement: Goal, *over: sp.Expr, averaging: bool = False) -> Iterator[str]:
    """Parameters of a model over which a relation would be summed, averaged or followed, though it depends on them
    without showing it: what does not contain the index of a sum counts as constant there."""
    for side in dict.fromkeys(side for r in (statement.rel, *statement.given) for side in r.stated):
        yield from _captured(valued(side), frozenset(over), averaging)


def captured_inside(statement: Goal) -> Iterator[str]:
    """The same for the operators in a statement: a sum over a parameter of functions that depend on it."""
    for side in dict.fromkeys(valued(side) for r in (statement.rel, *statement.given) for side in r.stated):
        operators = (f for f in atoms(side, *OPERATORS) if binds(f) & FIXED.keys())
        for operator in sorted(operators, key=spelled):
            yield from _captured(operator.args[0], binds(operator), isinstance(operator, Mean))


def _captured(expr: sp.Expr, over: frozenset[sp.Expr], averaging: bool) -> Iterator[str]:
    for x in sorted(over & FIXED.keys(), key=spelled):
        for q in _atoms(expr):
            inside = averaging and isinstance(q, Mean)  # a mean in a mean depends on all that it does not average
            if not inside and depends(q, x) and not over & variables(q):
                yield f"{x} is a parameter of the model, on which {spelled(q)} depends"


@lru_cache(maxsize=65536)
def _atoms(expr: sp.Expr) -> tuple[sp.Expr, ...]:
    """Means, values of functions and symbols that are in no other one of them."""
    if isinstance(expr, Mean | AppliedUndef) or expr.is_Symbol:
        return (expr,)
    return tuple(dict.fromkeys(q for e in expr.args for q in _atoms(e)))


def families(statement: Goal) -> set[sp.Expr]:
    """Terms in the domain of a statement, no symbols, that stand in it; of a function, if any of its values does."""
    terms = [side for r in (statement.rel, *statement.given) for side in r.stated]
    functions = frozenset().union(*map(heads, terms))

    def occurs(x: sp.Expr) -> bool:
        return head(x) in functions if isinstance(x, AppliedUndef) else any(t.has(x) for t in terms)

    return {x for x in statement.domain if not x.is_Symbol and occurs(x)}


def range_of(term: sp.Expr, domain: Mapping[sp.Expr, Var]) -> Var:
    """What a domain says of a term, no symbol: the range of a value of a function is that of all of its values."""
    if term in domain or not isinstance(term, AppliedUndef):
        return domain.get(term, Var())
    function = head(term)
    return next((v for x, v in domain.items() if isinstance(x, AppliedUndef) and head(x) is function), Var())


def inside(value: sp.Expr, var: Var, here: Goal) -> bool:
    """Whether an expression lies in the range of a variable, everywhere on the domain."""
    if value in here.domain and here.domain[value].within(var):
        return True
    value = valued(value)
    if not free_symbols(value) <= set(here.domain) or undefined_value(value, here):
        return False
    if var.integer and not whole(value, here):
        return False
    bounds = []
    if var.low is not None:
        bounds.append(Rel(value, ">" if var.strict else ">=", var.low))
    if var.high is not None:
        bounds.append(Rel(value, "<=", var.high))
    return all(b in here.given or known(b, here) or (here.given and known(b, here, here.given)) for b in bounds)


def infinite(statement: Goal, at: Mapping[sp.Expr, sp.Expr], here: Goal) -> Iterator[str]:
    """Integrals and limits for symbols, or functions, of a statement: they may be no numbers.

    A hypothesis or a premise must speak of them; of integrals in a statement about integrals an equation must say what
    number they are. From c <= y for every c, if y is an integral, it follows that no number is; at y = this integral it
    would be false.
    """
    found = frozenset().union(*(limits_in(sp.sympify(value)) for value in at.values()))
    if not found:
        return
    sides = [side for r in (statement.rel, *statement.given) for side in r.stated]
    spoken = frozenset().union(*map(limits_in, (*sides, *(side for h in here.given for side in h.stated))))
    for term in sorted(found - spoken, key=spelled):
        yield f"{spelled(term)} is not known to be a number, and may not exist"
    found = frozenset(term for term in found if isinstance(term, sp.Integral))
    if not any(valued(side).has(sp.Integral) for side in sides):
        return
    known = [tuple(map(valued, h.stated)) for h in here.given if h.op == "=" and not h.every]
    numbers = {a for x, y in known for a, b in ((x, y), (y, x)) if not b.has(sp.Integral, sp.oo, -sp.oo)}
    yield from (f"{spelled(area)} is not known to be a number" for area in sorted(found - numbers, key=spelled))


def known(rel: Rel, here: Goal, given: tuple[Rel, ...] = ()) -> bool:
    """Whether both engines prove a relation on a domain, from these hypotheses."""
    symbols = rel.symbols.union(*(h.symbols for h in given))
    return _known(rel, tuple((x, v) for x, v in here.domain.items() if x in symbols or not x.is_Symbol), given)


@lru_cache(maxsize=16384)  # a range is asked for by every step, and again by its mutants
def _known(rel: Rel, domain: tuple[tuple[sp.Expr, Var], ...], given: tuple[Rel, ...]) -> bool:
    seen = transparent(Goal(rel, dict(domain), given))
    kept, symbols = about(seen.rel.symbols, seen.given)
    return _decided(seen.rel, tuple((x, v) for x, v in seen.domain.items() if x in symbols), kept)


@lru_cache(maxsize=16384)
def _decided(rel: Rel, domain: tuple[tuple[sp.Expr, Var], ...], given: tuple[Rel, ...]) -> bool:
    goal = Goal(rel, dict(domain), given)
    if any(fails_at(goal.rel, point) for point in admissible(goal, NEARBY)):  # engines take longer to give up
        return False
    return proved(goal, 2000)


def whole(value: sp.Expr, here: Goal) -> bool:
    """Whether an expression is an integer: a polynomial of integers, indicators and sums of such between integers."""
    sums = atoms(value, sp.Sum)
    parts = (part for total in sums for part in (total.function, *(e for _, *ends in total.limits for e in ends)))
    if not all(whole(sp.sympify(part), here) for part in parts):
        return False
    plain = value.xreplace({total: sp.Symbol(f"sum{m}", integer=True) for m, total in enumerate(sums)})
    return bool(plain.xreplace(_integers(plain, here)).is_integer)


def _integers(value: sp.Expr, here: Goal) -> dict[sp.Expr, sp.Symbol]:
    integers = {x for x, var in here.domain.items() if var.integer}
    families = {head(x) for x in integers if isinstance(x, AppliedUndef)}
    values = {x for x in atoms(value, AppliedUndef) if head(x) in families}
    found = values | (atoms(value, sp.Symbol, AppliedUndef) & integers) | atoms(value, Event)  # an indicator is 0 or 1
    return {x: sp.Symbol(f"whole{m}", integer=True) for m, x in enumerate(sorted(found, key=spelled))}


def same(first: Rel, second: Rel, here: Goal) -> bool:
    """Whether two relations are the same up to the arithmetic of their sides: equal slack, equal direction."""
    from theory.kernel.goal import FLIPPED

    if first.every != second.every:
        return False
    if first.op == second.op and first.stated == second.stated:
        return True
    if first.op == second.op:
        difference = (first.stated[0] - first.stated[1], second.stated[0] - second.stated[1])
    elif FLIPPED[first.op] == second.op:
        difference = (first.stated[0] - first.stated[1], second.stated[1] - second.stated[0])
    else:
        return False
    if difference[0] == difference[1] or valued(difference[0]) == valued(difference[1]):
        return True
    symbols = first.symbols | second.symbols
    return _equal(*difference, tuple((x, v) for x, v in here.domain.items() if x in symbols or not x.is_Symbol))


@lru_cache(maxsize=16384)
def _equal(first: sp.Expr, second: sp.Expr, domain: tuple[tuple[sp.Expr, Var], ...]) -> bool:
    free = dict.fromkeys(free_symbols(first) | free_symbols(second), Var())
    goal = transparent(Goal(Rel(first, "=", second), {**free, **dict(domain)}))
    if fails_at(goal.rel, somewhere(goal)):  # most differ at any point
        return False
    try:
        return flint_identity(goal.by_rules) is Outcome.PROVED
    except NotRational:
        return normal_form_identity(goal.by_rules) is Outcome.PROVED
