"""Where an expression is defined: denominators that do not vanish, logarithms and roots of what is positive.

Each condition is decided on the whole domain, from the hypotheses: plainly, by a certificate, or by the signs of atoms
(exp > 0, 0 < erfc < 2). What cannot be decided counts as undefined.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import lru_cache
from typing import Any

import sympy as sp
from sympy.core.function import AppliedUndef

from theory.kernel.atoms import OutOfReach
from theory.kernel.certificate import Frame, certify
from theory.kernel.derivative import by_rules
from theory.kernel.exact import sign
from theory.kernel.goal import Goal, Rel, Var, free_symbols
from theory.kernel.named import Named, valued
from theory.kernel.normal_form import NormalForm
from theory.kernel.polynomial import NotRational, is_rational
from theory.kernel.subexpressions import atoms
from theory.kernel.terms import Event, Mean, transparent

# what a subexpression must be
NONZERO, POSITIVE, NONNEGATIVE = "may vanish in a denominator", "may not be positive", "may be negative under a root"
UNKNOWN = "is a function of which it is not known where it is defined"
WANTED = {NONZERO: (">", "<"), POSITIVE: (">",), NONNEGATIVE: (">=",), UNKNOWN: ()}
# functions that have a real value at all real numbers; powers and logarithms have conditions, and no other function may
# occur at a symbol: the gamma function has none at -1, and acos none at 2
TOTAL = (
    *(sp.exp, sp.erf, sp.erfc, sp.sin, sp.cos, sp.tanh, sp.atan, sp.Abs, sp.sign, sp.floor, sp.ceiling),
    *(AppliedUndef, Event, Mean),
)


def undefined(goal: Goal) -> list[str]:
    """The conditions under which both sides and all hypotheses are defined, and that could not be shown."""
    wanted = dict.fromkeys(condition for rel in (goal.rel, *goal.given) for condition in _conditions_of(rel))
    unmet = [condition for condition in wanted if not met(*condition, goal)]
    return [f"{base} {what}" for base, what in sorted(unmet, key=str)]


def _conditions_of(rel: Rel) -> Iterator[tuple[sp.Expr, str]]:
    """Those of both sides, as written and with derivatives carried out."""
    for side in (*rel.stated, rel.left, rel.right):
        # derivatives at a point are equal to SymPy whatever their variable is: not from a cache
        yield from (_conditions_in.__wrapped__ if side.has(sp.Subs) else _conditions_in)(side)


@lru_cache(maxsize=65536)
def _conditions_in(side: sp.Expr) -> tuple[tuple[sp.Expr, str], ...]:
    return tuple(dict.fromkeys(_conditions(side, inside_derivative=False)))


def defined_at(rel: Rel, values: Mapping[sp.Symbol, sp.Expr]) -> bool:
    """Whether both sides are real numbers at a point: SymPy has log(-1)^2 = -pi^2.

    Symbols that have no value there, because they cancel in the relation, say nothing. A quotient of polynomials has
    no finite value where it is undefined, which is seen from its value.
    """
    if is_rational(rel.left) and is_rational(rel.right):
        return True
    anywhere, at = Goal(Rel(0, "<=", 1)), dict(values)
    bases = ((by_rules(valued(base)).xreplace(at), what) for base, what in _conditions_of(rel))
    return all(free_symbols(base) or met(base, what, anywhere) for base, what in bases)


def undefined_inside(goal: Goal) -> list[str]:
    """The same for what is inside sums, means, integrals, events and values of functions: to engines these are numbers,
    and what does not depend on an index is taken out of them."""
    wanted: dict[tuple[sp.Expr, str], None] = {}
    for r in (goal.rel, *goal.given):
        quantified = {i for i, *_ in r.every}
        inner = (condition for side in r.stated for condition in _inner_conditions(valued(side)))
        wanted |= dict.fromkeys(condition for condition in inner if not free_symbols(condition[0]) & quantified)
    unmet = [condition for condition in wanted if not _met_inside(*condition, goal)]
    return [f"{base} {what}" for base, what in sorted(unmet, key=str)]


@lru_cache(maxsize=65536)
def _inner_conditions(side: sp.Expr) -> tuple[tuple[sp.Expr, str], ...]:
    """Those that do not depend on an index: sums, means and integrals exist by convention."""
    found = (
        (base, what)
        for base, what, around in _inner(side, (), False)
        if not free_symbols(base) & {x for x, *_ in around}
    )
    return tuple(dict.fromkeys(found))


def undefined_value(value: sp.Expr, here: Goal) -> list[str]:
    """Why an expression may have no real value somewhere on the domain."""
    ends = dict.fromkeys(atoms(value, sp.Integral, sp.Limit), sp.S.One)  # which may be infinite
    if value.xreplace(ends).has(sp.I, sp.oo, -sp.oo, sp.zoo, sp.nan):
        return [f"{value} is not a real number"]
    if not _partial(value):
        return []
    found = _undefined_value(value, _ranges_of(value, here), ())  # most need no hypothesis
    return list(_undefined_value(value, tuple(here.domain.items()), here.given) if found and here.given else found)


def _ranges_of(expr: sp.Expr, here: Goal) -> tuple[tuple[sp.Expr, Var], ...]:
    """The ranges of the symbols of an expression, and of functions."""
    symbols = free_symbols(expr)
    return tuple((x, v) for x, v in here.domain.items() if x in symbols or not x.is_Symbol)


@lru_cache(maxsize=16384)
def _undefined_value(
    value: sp.Expr, domain: tuple[tuple[sp.Expr, Var], ...], given: tuple[Rel, ...]
) -> tuple[str, ...]:
    goal = Goal(Rel(value, "<=", value), dict(domain), given)
    seen = transparent(goal)
    conditions = dict.fromkeys(_conditions(seen.rel.stated[0], inside_derivative=False))
    outer = [f"{base} {what}" for base, what in conditions if not _shown(base, what, seen)]
    return (*outer, *undefined_inside(goal))


def _shown(base: sp.Expr, what: str, goal: Goal) -> bool:
    """Whether the condition holds, by signs or by both engines."""
    from theory.kernel.prove import proved  # whose engines need none of this

    if met(base, what, goal):
        return True
    if not free_symbols(base) <= set(goal.domain):
        return False
    return any(proved(Goal(Rel(base, op, 0), goal.domain, goal.given), 2000) for op in WANTED[what])


@lru_cache(maxsize=65536)
def _partial(expr: sp.Expr) -> bool:
    """Whether the expression contains anything that may be undefined."""
    return any(q.is_Pow or _conditional(q) for q in sp.preorder_traversal(valued(expr)))


def _conditional(expr: sp.Basic) -> bool:
    """Whether it is a function that may be undefined: a logarithm, or one of which nothing is known."""
    return isinstance(expr, sp.Function) and not isinstance(expr, TOTAL)


Around = tuple[tuple[sp.Symbol, Var | None, tuple[Rel, ...]], ...]  # bound symbols, their ranges, where they are


def bound_by(operator: sp.Expr) -> Around:
    """The symbols that a sum, an integral or a mean binds: integers or real numbers between its ends, or random."""
    if isinstance(operator, Mean):
        return tuple((x, None, ()) for x in operator.args[1:])
    if not isinstance(operator, (sp.Sum, sp.Product, sp.Integral)):
        return ()
    var = Var(integer=not isinstance(operator, sp.Integral))
    return tuple(
        (x, var, tuple(Rel(x, op, end) for op, end in zip((">=", "<="), ends, strict=False) if not end.is_infinite))
        for x, *ends in operator.limits
    )


def _inner(expr: sp.Expr, around: Around, opaque: bool) -> Iterator[tuple[sp.Expr, str, Around]]:
    """Conditions of parts of opaque terms, and what operators around them bind."""
    if opaque:
        yield from ((base, what, around) for base, what in _own_condition(expr, False))
    inside = bound_by(expr)
    if inside:
        yield from _inner(expr.args[0], (*around, *inside), True)
        for m, limit in enumerate([] if isinstance(expr, Mean) else expr.limits, 1):
            for end in limit[1:]:
                yield from _inner(end, (*around, *inside[m:]), True)
    elif not isinstance(expr, (sp.Derivative, sp.Subs, sp.Limit)):
        opaque = opaque or isinstance(expr, (Event, AppliedUndef))
        for e in expr.args:
            if isinstance(e, sp.Expr):
                yield from _inner(e, around, opaque)


def occurrences(goal: Goal, function: Any) -> list[tuple[tuple[sp.Expr, ...], Around]]:
    """The arguments at which a function occurs in a statement, and what operators around it bind."""

    def found(expr: sp.Expr, around: Around) -> Iterator[tuple[tuple[sp.Expr, ...], Around]]:
        if isinstance(expr, AppliedUndef) and expr.func == function:
            yield expr.args, around
        around = (*around, *bound_by(expr))
        for e in expr.args:
            if isinstance(e, sp.Expr):
                yield from found(e, around)

    sides = (valued(side) for r in (goal.rel, *goal.given) for side in r.stated)
    return list(dict.fromkeys(place for side in sides for place in found(side, ())))


def within(around: Around, here: Goal) -> Goal:
    """What is known inside operators."""
    domain, given = dict(here.domain), here.given
    for x, var, limits in around:
        domain[x] = here.domain.get(x, Var()) if var is None else var
        given += limits
    known = {x for x in domain if x.is_Symbol}
    return Goal(Rel(0, "<=", 1), domain, tuple(h for h in given if h.symbols <= known))


def _met_inside(base: sp.Expr, what: str, goal: Goal) -> bool:
    if _met_alone(base, what, _ranges_of(base, goal)):
        return True
    if not free_symbols(base) <= set(goal.domain):
        return False
    seen = transparent(Goal(Rel(base, ">", 0), goal.domain, goal.given))
    return bool(goal.given) and _shown(seen.rel.stated[0], what, seen)


@lru_cache(maxsize=16384)
def _met_alone(base: sp.Expr, what: str, domain: tuple[tuple[sp.Expr, Var], ...]) -> bool:
    """Whether the condition holds on the domain, without any hypothesis."""
    if not free_symbols(base) <= {x for x, _ in domain}:
        return False
    seen = transparent(Goal(Rel(base, ">", 0), dict(domain)))
    return _shown(seen.rel.stated[0], what, seen)


def _conditions(expr: sp.Expr, inside_derivative: bool) -> Iterator[tuple[sp.Expr, str]]:
    if isinstance(expr, Named):
        for part in expr.parts:
            yield from _conditions(part, inside_derivative)
        return
    inner = inside_derivative or isinstance(expr, (sp.Derivative, sp.Subs))
    yield from _own_condition(expr, inner)
    at = dict(zip(expr.variables, expr.point, strict=True)) if isinstance(expr, sp.Subs) else {}
    for e in expr.args[:1] if at else expr.args:
        if isinstance(e, sp.Expr):
            yield from ((base.xreplace(at), what) for base, what in _conditions(e, inner))


def _own_condition(expr: sp.Expr, inner: bool) -> Iterator[tuple[sp.Expr, str]]:
    """Of a power or a logarithm itself."""
    if expr.is_Pow:
        base, exponent = expr.args
        if not base.is_number or base.is_zero or base.is_negative:
            if exponent.is_Integer:
                if exponent < 0:
                    yield base, NONZERO
            elif exponent.is_Rational and exponent > 0 and not inner:
                yield base, NONNEGATIVE
            else:
                yield base, POSITIVE
    elif isinstance(expr, sp.log):
        if not (expr.args[0].is_number and expr.args[0].is_positive):
            yield expr.args[0], POSITIVE
    elif _conditional(expr) and not expr.is_number:  # a number is enclosed, or nothing is known of it
        yield expr, UNKNOWN


def met(base: sp.Expr, what: str, goal: Goal) -> bool:
    """Whether the condition holds at every point of the goal's domain that meets its hypotheses."""
    if what == UNKNOWN:
        return False
    base = by_rules(valued(base))
    if isinstance(base, sp.log) and what == NONZERO:  # log u = 0 only at u = 1
        base = base.args[0] - 1
    if not free_symbols(base):
        found = sign(base)
        return found is not None and {NONZERO: found != 0, POSITIVE: found > 0, NONNEGATIVE: found >= 0}[what]
    if not free_symbols(base) <= set(goal.domain):
        return False
    if what == NONNEGATIVE and (base.is_Mul or isinstance(base, sp.log)):  # log u >= 0 for u >= 1
        factors = sp.Mul.make_args(base)
        if all(met(f.args[0] - 1 if isinstance(f, sp.log) else f, what, goal) for f in factors):
            return True
    wanted = (Goal(Rel(base, op, 0), goal.domain, goal.given, squares=goal.squares) for op in WANTED[what])
    return any(map(_signed, wanted))


def _signed(goal: Goal) -> bool:
    """A sign on the domain, without and then with the hypotheses."""
    free = Goal(goal.rel, goal.domain)
    try:
        frame = Frame.of(free)
        num, den = frame.fraction(goal.rel.left)
        if goal.rel.op == "<":
            num = -num
        if frame.surely_positive(den) and frame.surely_positive(num):
            return True
    except NotRational:
        return _signed_atoms(goal)
    try:
        return certify(goal) is not None
    except NotRational:  # a hypothesis is out of reach
        return certify(free) is not None


def _signed_atoms(goal: Goal) -> bool:
    """The sign of a rational function of exp, log, erfc and roots."""
    try:
        form = NormalForm(goal)
        value = form.of(goal.rel.left)
        num = -value.num if goal.rel.op == "<" else value.num
        if goal.rel.op == ">=" and value.is_zero:
            return True
        return any(form.atoms.positive(way * num) and form.atoms.positive(way * value.den) for way in (1, -1))
    except OutOfReach:
        return False
