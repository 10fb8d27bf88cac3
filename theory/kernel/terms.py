"""Terms that the engines do not open: means, sums, integrals, limits, values of unspecified functions.

`Mean(f, X, Y)` is the expectation of f over the random quantities X and Y, everything else held fixed: the conditional
expectation given the rest. Sums are `sp.Sum`, integrals `sp.Integral`, a quantity with index i is a function
value such as `sp.Function("tau")(i)`. The engines see an opaque term as a real number about which nothing is known
except what the hypotheses of the goal say. `linear` is the one place where the algebra of these operators is used.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from functools import lru_cache
from typing import TYPE_CHECKING, TypeAlias

import sympy as sp
from sympy.core.function import AppliedUndef, UndefinedFunction

from theory.kernel.goal import Rel, Var, free_symbols
from theory.kernel.named import Named, spelled, valued
from theory.kernel.subexpressions import atoms, head

if TYPE_CHECKING:
    from theory.kernel.goal import Goal


class Mean(sp.Function):  # type: ignore[misc]
    """Mean(f, X, ...): expectation of f over X, ..., given everything else. All means are finite by convention."""

    @classmethod
    def eval(cls, *args: sp.Expr) -> None:
        # a function value would be captured unseen by an instance: X(u) at u = t in the mean over X(t)
        if len(args) < 2 or not all(x.is_Symbol for x in args[1:]):
            raise ValueError(f"Mean{args}: an expression and at least one random symbol are needed")

    def _latex(self, printer: object, exp: str | None = None) -> str:
        body = rf"\mathbb{{E}}\left[{printer._print(self.args[0])}\right]"  # type: ignore[attr-defined]
        return body if exp is None else rf"{body}^{{{exp}}}"


class Event(sp.Function):  # type: ignore[misc]
    """Event(d, 0) is 1 if d >= 0 and 0 otherwise, Event(d, 1) is 1 if d > 0: an indicator, so its mean is a chance."""

    nargs = 2

    @classmethod
    def eval(cls, _: sp.Expr, strict: sp.Expr) -> None:
        if strict not in (0, 1):
            raise ValueError(f"strict={strict}: must be 0 or 1")

    @property
    def shown(self) -> tuple[sp.Expr, str, sp.Expr]:
        """The relation that it indicates, for readers: that of -(x - y)^2 >= 0 is x = y."""
        d, strict = self.args
        if strict == 0 and (-d).is_Pow and (-d).exp == 2:
            terms = sp.Add.make_args((-d).base)
            negative = [x for x in terms if x.could_extract_minus_sign()]
            return sp.Add(*(x for x in terms if x not in negative)), "=", -sp.Add(*negative)
        return d, ">" if strict == 1 else ">=", sp.S.Zero

    def _latex(self, printer: object, exp: str | None = None) -> str:
        left, op, right = self.shown
        sides = (printer._print(left), {">=": r"\ge"}.get(op, op), printer._print(right))  # type: ignore[attr-defined]
        base = rf"\mathbf{{1}}\left\{{{' '.join(sides)}\right\}}"
        return base if exp is None else rf"{base}^{{{exp}}}"


_BINDERS = (sp.Sum, sp.Product, sp.Integral, sp.Limit)
OPERATORS = (Mean, *_BINDERS, sp.Derivative, sp.Subs)
OPAQUE = (Mean, Event, sp.Sum, sp.Product, sp.Integral, sp.Limit, AppliedUndef)


@lru_cache(maxsize=65536)
def indices(expr: sp.Expr) -> frozenset[sp.Symbol]:
    """Symbols over which the expression sums or integrates, or that tend to a limit."""
    found = ({t.args[1]} if isinstance(t, sp.Limit) else t.bound_symbols for t in atoms(expr, *_BINDERS))
    return frozenset().union(*found)


def binds(operator: sp.Expr) -> frozenset[sp.Symbol]:
    """The symbols that an operator binds itself: indices, random quantities, the variable of a limit or a slope."""
    if isinstance(operator, Mean):
        return frozenset(operator.args[1:])
    if isinstance(operator, (sp.Derivative, sp.Subs)):
        return frozenset(operator.variables)
    return frozenset({operator.args[1]} if isinstance(operator, sp.Limit) else operator.bound_symbols)


@lru_cache(maxsize=65536)
def bound(expr: sp.Expr) -> frozenset[sp.Symbol]:
    """Symbols that an operator inside the expression binds. A random quantity is one, but has a range as others do; so
    is the variable of a derivative: another quantity that became equal to it would be differentiated, too."""
    named = frozenset().union(*(q.bound for q in atoms(expr, Named)))
    slopes = {x for q in atoms(expr, sp.Derivative, sp.Subs) for x in q.variables}
    return indices(expr) | named | slopes | {x for m in atoms(expr, Mean) for x in m.args[1:]}


@lru_cache(maxsize=65536)
def variables(expr: sp.Expr) -> frozenset[sp.Symbol]:
    """Symbols that no operator of the expression binds where they stand; in a mean its random quantities are bound."""
    if isinstance(expr, Mean):
        return variables(expr.args[0]) - set(expr.args[1:])
    if isinstance(expr, (sp.Sum, sp.Product, sp.Integral)):
        ends = (end for _, *limits in expr.limits for end in limits)
        return variables(expr.function).union(*map(variables, ends)) - set(expr.bound_symbols)
    if isinstance(expr, (sp.Limit, sp.Derivative, sp.Subs)):
        return free_symbols(expr)
    if expr.is_Symbol:
        return frozenset({expr})
    return frozenset().union(*(variables(e) for e in expr.args if isinstance(e, sp.Basic)))


@lru_cache(maxsize=65536)
def averaged_in(expr: sp.Expr) -> frozenset[sp.Symbol]:
    """Random quantities over which the expression has means."""
    return frozenset(x for m in atoms(expr, Mean) for x in m.args[1:])


# Parameters of a model, by the functions that depend on them without showing them: all of a module or package, or one.
Scope: TypeAlias = str | UndefinedFunction
FIXED: dict[sp.Symbol, set[Scope]] = {}


def depends(expr: sp.Expr, parameter: sp.Symbol) -> bool:
    """Whether a function, or a random quantity, of a model occurs that depends on a parameter without showing it.

    Unspecified functions of no model are any functions, and have no parameters.
    """
    scopes = FIXED.get(parameter)
    if scopes is None:
        return False
    functions, makers = _functions(expr)
    return bool(functions & scopes) or any(
        f"{maker}.".startswith(f"{scope}.") for maker in makers for scope in scopes if isinstance(scope, str)
    )


@lru_cache(maxsize=65536)
def _functions(expr: sp.Expr) -> tuple[frozenset[UndefinedFunction], frozenset[str]]:
    """The functions in an expression, and the modules that made them and its random quantities."""
    found = valued(expr)
    functions = frozenset(q.func for q in found.atoms(AppliedUndef))
    makers = {getattr(q, "of", "") for q in (*functions, *found.atoms(sp.Symbol))}
    return functions, frozenset(makers - {""})


def varying(expr: sp.Expr, index: sp.Symbol) -> Iterator[str]:
    """That terms of a sum depend on their index without showing it, so that none of them can be written down."""
    if depends(expr, index):
        yield f"{index} is a parameter of the model, and {expr} contains its functions"


def fix(*parameters: sp.Symbol, scope: Scope | Iterable[Scope]) -> None:
    """Declare parameters on which the functions in `scope` depend: functions, or all functions of modules or packages.

    A statement about these functions cannot be used at another value of the parameters.
    """
    scopes = {scope} if isinstance(scope, (str, UndefinedFunction)) else set(scope)
    for x in parameters:
        FIXED.setdefault(x, set()).update(scopes)


def substitute(expr: sp.Expr, at: Mapping[sp.Expr, sp.Expr]) -> sp.Expr:
    """The expression at these arguments; no bound symbol may be replaced or captured."""
    touched = bound(expr) & set(at).union(*(free_symbols(sp.sympify(v)) for v in at.values()))
    if touched:
        raise ValueError(f"{expr}: bound symbols {sorted(map(str, touched))} cannot be replaced or appear in arguments")
    for x, value in at.items():
        if conditional(expr, x, sp.sympify(value)):
            raise ValueError(f"{x} = {value}: a mean would become conditional in {expr}")
    return expr.xreplace({x: sp.sympify(v) for x, v in at.items()})


@lru_cache(maxsize=65536)
def means_in(expr: sp.Expr) -> frozenset[sp.Expr]:
    """All means in an expression, also inside others."""
    return frozenset(valued(expr).atoms(Mean))


def limits_in(expr: sp.Expr) -> frozenset[sp.Expr]:
    """Integrals and limits, which may not exist."""
    return atoms(valued(expr), sp.Integral, sp.Limit)


def conditional(expr: sp.Expr, x: sp.Expr, value: sp.Expr) -> bool:
    """Whether a mean in the value, put for x inside a mean of the expression, would be one given what that averages."""
    inner = means_in(value)
    outer = [m for m in means_in(expr) if m.has(x)] if inner else []
    return any(not set(m.args[1:]) <= set(v.args[1:]) for m in outer for v in inner)


def _moves(slope: sp.Derivative | sp.Subs) -> bool:
    """Whether an opaque term inside depends on the variable, shown or not."""
    return any(x in term.free_symbols or depends(term, x) for x in slope.variables for term in maximal(slope.expr))


def maximal(expr: sp.Expr) -> Iterator[sp.Expr]:
    """Opaque terms of an expression that are not inside another one.

    A derivative of an opaque term that depends on its variable is one: it is not 0, as that of a number would be.
    """
    if isinstance(expr, OPAQUE) or (isinstance(expr, (sp.Derivative, sp.Subs)) and _moves(expr)):
        yield expr
        return
    for e in expr.args:
        yield from maximal(e)


def transparent(goal: Goal) -> Goal:
    """The goal with every opaque term replaced by a real symbol of its own; the goal itself if there is none."""
    found: Goal | None = goal.__dict__.get("_transparent")
    if found is None:
        found = goal.__dict__["_transparent"] = _transparent(goal)
    return found


def _transparent(goal: Goal) -> Goal:
    rels = (goal.rel, *(h for h in goal.given if not h.every))  # engines have no use for quantified hypotheses
    values = [[valued(side) for side in r.stated] for r in rels]  # a named quantity may be an opaque term
    if len(rels) == 1 + len(goal.given) and not any(side.has(*OPAQUE) for pair in values for side in pair):
        return goal
    sides = [[linear(side) for side in pair] for pair in values]
    found = sorted({t for pair in sides for side in pair for t in maximal(side)}, key=spelled)
    numbered = {t: i for i, t in enumerate(dict.fromkeys(map(canonical, found)), 1)}
    prefix = "term"
    while any(x.name.startswith(prefix) for x in goal.domain if x.is_Symbol):
        prefix += "_"  # a symbol of the goal is not an opaque term
    names = {t: sp.Symbol(f"{prefix}{numbered[canonical(t)]}") for t in found}
    ranges = {names[t]: _range(t, goal.domain) for t in found}
    plain = [
        Rel(left.xreplace(names), r.op, right.xreplace(names)) for (left, right), r in zip(sides, rels, strict=True)
    ]
    domain = {**{s: v for s, v in goal.domain.items() if s.is_Symbol}, **ranges}
    return replace(goal, rel=plain[0], given=tuple(plain[1:]), domain=domain, points=None, wider=())


def _range(term: sp.Expr, domain: Mapping[sp.Expr, Var]) -> Var:
    """What is known of an opaque term: an event is 0 or 1, a value of a family lies in the range of the family."""
    if isinstance(term, Event):
        return Var(sp.Integer(0), integer=True, high=sp.Integer(1))
    if isinstance(term, AppliedUndef):
        function = head(term)
        return next((v for x, v in domain.items() if isinstance(x, AppliedUndef) and head(x) is function), Var())
    return Var()


def _index(depth: int) -> sp.Dummy:
    """The index at this depth: no symbol of an author, whatever its name, and always the same."""
    return sp.Dummy("index", dummy_index=depth)


@lru_cache(maxsize=65536)
def canonical(expr: sp.Expr, depth: int = 0) -> sp.Expr:
    """The expression with the indices of its sums renamed by depth, so that equal sums are the same expression."""
    if isinstance(expr, (sp.Sum, sp.Product)):
        inner, limits = len(expr.args) - 1, expr.args[1:]
        names = {limit[0]: _index(depth + m) for m, limit in enumerate(limits)}
        ranges = []
        for m, (i, *ends) in enumerate(limits):  # an end may contain the indices of the sums around it, no others
            around = {limit[0]: names[limit[0]] for limit in limits[m + 1 :]}
            ranges.append((names[i], *(canonical(end.xreplace(around), depth + inner) for end in ends)))
        return expr.func(canonical(expr.args[0].xreplace(names), depth + inner), *ranges)
    if not expr.args or not expr.has(sp.Sum, sp.Product):
        return expr
    return expr.func(*(canonical(e, depth) if isinstance(e, sp.Expr) else e for e in expr.args))


@lru_cache(maxsize=65536)
def linear(expr: sp.Expr) -> sp.Expr:
    """Sums and means taken apart: over the terms of their argument, constants outside, nested means merged."""
    if not expr.args or not expr.has(*OPAQUE):
        return expr
    if isinstance(expr, Mean):
        return sp.Add(*(_averaged(term, expr.args[1:]) for term in _terms(linear(expr.args[0]))))
    if isinstance(expr, sp.Sum):
        total = linear(expr.args[0])
        for limit in expr.args[1:]:  # the innermost sum first
            total = sp.Add(*(_summed(term, *limit) for term in _terms(total)))
        return total
    return expr.func(*(linear(e) if isinstance(e, sp.Expr) else e for e in expr.args))


def _terms(expr: sp.Expr) -> tuple[sp.Expr, ...]:
    expanded = sp.expand_mul(expr)
    return expanded.args if expanded.is_Add else (expanded,)


def constant_terms(expr: sp.Expr, i: sp.Symbol) -> bool:
    """Whether a sum over i takes some terms as equal: it is then their number times one of them."""
    return any(not (term.has(i) or depends(term, i)) for term in _terms(linear(expr)))


def stated(value: sp.Expr, var: Var) -> bool:
    """Whether a model states this range of its function; the function knows, `ranges()`, what its model states."""
    return hasattr(value.func, "ranges") and any(known.within(var) for known in value.func.ranges())


def _split(term: sp.Expr, over: set[sp.Expr], averaging: bool) -> tuple[sp.Expr, sp.Expr]:
    """(outside, inside): the factors that do not depend on what is averaged or summed, shown or not, and the others.

    A mean inside a mean is conditional on what the outer one averages, so it depends on it.
    """
    factors = sp.Mul.make_args(term)
    inside = [f for f in factors if any(f.has(x) or depends(f, x) for x in over) or (averaging and f.has(Mean))]
    return sp.Mul(*(f for f in factors if f not in inside)), sp.Mul(*inside)


def _summed(term: sp.Expr, i: sp.Symbol, low: sp.Expr, high: sp.Expr) -> sp.Expr:
    outside, inside = _split(term, {i}, averaging=False)
    return outside * (high - low + 1) if inside == 1 else outside * sp.Sum(inside, (i, low, high))


def _random_ends(total: sp.Sum, over: tuple[sp.Expr, ...]) -> bool:
    """Whether the number of terms depends on what is averaged."""
    return any(end.has(x) for _, *ends in total.limits for end in ends for x in over)


def _averaged(term: sp.Expr, over: tuple[sp.Expr, ...]) -> sp.Expr:
    outside, inside = _split(term, set(over), averaging=True)
    if inside == 1:
        return outside
    factors = sp.Mul.make_args(inside)
    sums = [f for f in factors if isinstance(f, sp.Sum)]
    rest = sp.Mul(*(f for f in factors if f not in sums))
    fixed = len(sums) == 1 and not indices(sums[0]) & {*over, *free_symbols(rest)} and not _random_ends(sums[0], over)
    if fixed:  # a finite sum, with factors for all of its terms
        return outside * sp.Sum(linear(Mean(rest * sums[0].args[0], *over)), *sums[0].args[1:])
    inner = [f for f in factors if f.has(Mean)]
    if len(inner) == 1 and isinstance(inner[0], Mean):  # the tower rule; other factors are fixed in the inner mean
        body, *averaged = inner[0].args
        others = sp.Mul(*(f for f in factors if f is not inner[0]))
        if not any(others.has(x) for x in averaged):
            return outside * Mean(sp.expand_mul(others * body), *sorted({*averaged, *over}, key=spelled))
    return outside * Mean(inside, *sorted(over, key=spelled))
