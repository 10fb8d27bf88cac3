"""Coq statements of relations with sums, means, indicators and values of functions, and what they suppose.

A lemma is about real numbers, of functions of them and of means. Its hypotheses are, in this order: the ranges of its
variables, the ranges of its functions, what is given, the means, and the facts: definitions of the model's objects and
the sums that symbols stand for.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property

import sympy as sp
from sympy.core.function import AppliedUndef

from theory.coq.statement import variables
from theory.coq.syntax import NoCoq, by_name, expression, function_name, mean_name, name_of, number
from theory.kernel.derivative import by_rules
from theory.kernel.goal import Goal, Quantifier, Rel, Var
from theory.kernel.named import valued
from theory.kernel.subexpressions import atoms, head
from theory.kernel.terms import OPAQUE, Mean, substitute


def sides(rel: Rel) -> tuple[sp.Expr, sp.Expr]:
    """Both sides with the values of named quantities, derivatives carried out."""
    left, right = (by_rules(valued(side)) for side in rel.stated)
    return left, right


def opaque(goal: Goal) -> bool:
    """Whether a goal contains sums, means, indicators or functions, or has a hypothesis for every index."""
    rels = (goal.rel, *goal.given)
    return any(h.every for h in rels) or any(side.has(*OPAQUE) for r in rels for side in sides(r))


def free(expr: sp.Expr) -> set[sp.Symbol]:
    """Symbols that no sum and no mean binds."""
    if expr.is_Symbol:
        return {expr}
    if isinstance(expr, (sp.Sum, sp.Product)):
        found = free(expr.args[0])
        for i, low, high in expr.args[1:]:
            found = (found - {i}) | free(low) | free(high)
        return found
    if isinstance(expr, Mean):
        return free(expr.args[0]) - set(expr.args[1:])
    if isinstance(expr, sp.Limit):
        return free(expr.args[0]) - {expr.args[1]}
    return set().union(*(free(e) for e in expr.args))


def free_in(rel: Rel) -> set[sp.Symbol]:
    found: set[sp.Symbol] = set().union(*map(free, sides(rel)))
    for i, low, high in rel.every:
        found = (found - {i}) | free(sp.sympify(low)) | free(sp.sympify(high))
    return found


def terms_of(rel: Rel) -> list[sp.Expr]:
    """All expressions of a relation: its sides, and the ends of its indices."""
    return [*sides(rel), *(sp.sympify(end) for _, *ends in rel.every for end in ends)]


def relation_text(rel: Rel) -> str:
    left, right = sides(rel)
    if isinstance(left, sp.Limit):
        return _limit_text(left, rel.op, right)
    text = f"{expression(left)} {rel.op} {expression(right)}"
    for i, low, high in rel.every:
        text = f"(forall {name_of(i)} : R, within {_ends(low, high)} {name_of(i)} -> {text})"
    return text


def _limit_text(limit: sp.Limit, op: str, value: sp.Expr) -> str:
    """The limit of an expression at infinity; limits at other places do not occur."""
    f, x, at, _ = limit.args
    if op != "=" or at != sp.oo or value.has(sp.Limit):
        raise NoCoq(f"a limit at {at}, or in a relation {op}")
    return f"tends (fun {name_of(x)} : R => {expression(f)}) {expression(value)}"


def _ends(low: sp.Expr, high: sp.Expr) -> str:
    return f"{expression(sp.sympify(low))} {expression(sp.sympify(high))}"


def range_text(text: str, var: Var) -> list[tuple[str, str]]:
    """The range of a term as (kind, Coq text)."""
    found = []
    if var.low is not None:
        found.append(("L", f"{number(var.low)} {'<' if var.strict else '<='} {text}"))
    if var.high is not None:
        found.append(("U", f"{text} <= {number(var.high)}"))
    if var.integer:
        found.append(("W", f"whole {text}"))
    return found


@dataclass(frozen=True)
class Fact:
    """A definition of an object of the model (for every index in `over`), or the sum that a symbol stands for.

    Symbols that are no index are those of the lemma that supposes the fact.
    """

    goal: Goal
    over: tuple[sp.Symbol, ...] = ()

    @property
    def hypotheses(self) -> list[Hypothesis]:
        found = [Hypothesis(f"{k}_{name_of(x)}", t, k, x) for x in self.over for k, t in ranges_of(x, self.goal.domain)]
        return [*found, *(Hypothesis(f"H{i}", relation_text(h), "given", h) for i, h in enumerate(self.goal.given, 1))]

    @property
    def text(self) -> str:
        quantifier = f"forall {' '.join(map(name_of, self.over))} : R, " if self.over else ""
        return f"({quantifier}{''.join(f'{h.text} -> ' for h in self.hypotheses)}{relation_text(self.goal.rel)})"

    @property
    def symbols(self) -> set[sp.Symbol]:
        return free_in(self.goal.rel).union(*map(free_in, self.goal.given)) - set(self.over)

    @property
    def rels(self) -> tuple[Rel, ...]:
        return (self.goal.rel, *self.goal.given)

    def _renamed(self, names: Mapping[sp.Symbol, sp.Symbol]) -> Fact:
        """The same fact with other names of its indices."""
        goal = self.goal
        domain = {names.get(x, x): v for x, v in goal.domain.items()}
        given = tuple(_swapped(h, names) for h in goal.given)
        return Fact(
            Goal(_swapped(goal.rel, names), domain, given, goal.name), tuple(names.get(x, x) for x in self.over)
        )

    def at(self, arguments: Mapping[sp.Symbol, sp.Expr]) -> Fact:
        """The same fact at other arguments of the lemma's variables."""
        at = {x: v for x, v in arguments.items() if x in self.symbols and x != v}
        if not at:
            return self
        caught = set(self.over) & set().union(*(free(sp.sympify(v)) for v in at.values()))
        if caught:  # an argument may have the name of an index
            return self._renamed({x: sp.Symbol(f"{x.name}_") for x in caught}).at(arguments)

        def moved(rel: Rel) -> Rel:
            left, right = (substitute(valued(side), at) for side in rel.stated)
            every: tuple[Quantifier, ...] = tuple(
                (i, substitute(sp.sympify(a), at), substitute(sp.sympify(b), at)) for i, a, b in rel.every
            )
            return Rel(left, rel.op, right, every=every)

        new: set[sp.Symbol] = set().union(*(sp.sympify(v).free_symbols for v in at.values()))
        domain = {**{x: Var() for x in new}, **{x: v for x, v in self.goal.domain.items() if x not in at}}
        return Fact(Goal(moved(self.goal.rel), domain, tuple(map(moved, self.goal.given)), self.goal.name), self.over)


def _swapped(rel: Rel, names: Mapping[sp.Symbol, sp.Symbol]) -> Rel:
    left, right = (valued(side).xreplace(dict(names)) for side in rel.stated)
    every: tuple[Quantifier, ...] = tuple(
        (i, sp.sympify(a).xreplace(dict(names)), sp.sympify(b).xreplace(dict(names))) for i, a, b in rel.every
    )
    return Rel(left, rel.op, right, every=every)


def definition(goal: Goal) -> Fact:
    """The fact that a definition of the model states: for every value of what its functions are applied to."""
    applied = [f for rel in (goal.rel, *goal.given) for e in terms_of(rel) for f in e.atoms(AppliedUndef)]
    own = free_in(goal.rel).union(*map(free_in, goal.given))
    over = {x for f in applied for x in f.args if x.is_Symbol} & own
    return Fact(goal, tuple(sorted(over, key=lambda x: x.name)))


@dataclass(frozen=True)
class Hypothesis:
    """A named hypothesis: a range of a variable (L, U, W) or of a function, something given, a mean, or a fact."""

    name: str
    text: str
    kind: str
    of: object


def ranges_of(x: sp.Expr, domain: Mapping[sp.Expr, Var]) -> list[tuple[str, str]]:
    """The kinds and Coq texts of the hypotheses that give the range of a variable or of a value of a function."""
    return range_text(name_of(x), domain.get(x, Var()))


@dataclass(frozen=True)
class Lemma:
    """A Coq statement: a goal, the facts it supposes, and whether integers are known to be such."""

    name: str
    goal: Goal
    facts: tuple[Fact, ...] = ()
    plain: bool = False  # a relation between numbers, as `statement.statements` prints it

    @cached_property
    def rels(self) -> tuple[Rel, ...]:
        return (self.goal.rel, *self.goal.given, *(r for f in self.facts for r in f.rels))

    @cached_property
    def averaged(self) -> list[sp.Symbol]:
        """Random quantities over which a mean is taken."""
        found = {x for rel in self.rels for e in terms_of(rel) for m in atoms(e, Mean) for x in m.args[1:]}
        return sorted(found, key=str)

    @cached_property
    def reals(self) -> list[sp.Symbol]:
        if self.plain:
            return variables(self.goal)
        found = free_in(self.goal.rel).union(*(f.symbols for f in self.facts))
        for h in self.goal.given:
            found |= free_in(h) - set(self.averaged)
        return by_name(found)

    @cached_property
    def functions(self) -> list[AppliedUndef]:
        """One value of every function, by name; its arity is that of the function."""
        found: dict[str, AppliedUndef] = {}
        for rel in self.rels:
            for e in terms_of(rel):
                for f in atoms(e, AppliedUndef):
                    name = function_name(f.func)
                    if len(found.setdefault(name, f).args) != len(f.args):
                        raise NoCoq(f"{f.func} with different numbers of arguments")
                    if found[name].func != f.func:
                        raise NoCoq(f"two functions are named {name}")
        return [found[name] for name in sorted(found)]

    @cached_property
    def supports(self) -> dict[sp.Symbol, list[Rel]]:
        """What is given of the random quantities: their means are over values that obey it."""
        found: dict[sp.Symbol, list[Rel]] = {x: [] for x in self.averaged}
        for h in self.goal.given:
            bound = [x for x in self.averaged if x in free_in(h) and x not in self.reals]
            if len(bound) > 1:
                raise NoCoq(f"a hypothesis of several random quantities: {h}")
            for x in bound:
                found[x].append(h)
        return found

    @cached_property
    def given(self) -> tuple[Rel, ...]:
        """The hypotheses that are not about values of random quantities."""
        apart = [h for found in self.supports.values() for h in found]
        return tuple(h for h in self.goal.given if not any(h is other for other in apart))

    def family(self, f: AppliedUndef) -> Var:
        """The range of the values of a function."""
        function, domain = head(f), self.goal.domain
        return next((v for x, v in domain.items() if isinstance(x, AppliedUndef) and head(x) is function), Var())

    def support_text(self, x: sp.Symbol) -> str:
        parts = [t for k, t in ranges_of(x, self.goal.domain) if k != "W"]
        parts += [relation_text(h) for h in self.supports[x]]
        text = " /\\ ".join(parts) or "True"
        return f"(fun {name_of(x)} : R => {text})"

    @cached_property
    def hypotheses(self) -> list[Hypothesis]:
        return list(self._hypotheses())

    def _hypotheses(self) -> Iterator[Hypothesis]:
        for x in self.reals:
            for kind, text in ranges_of(x, self.goal.domain):
                if kind != "W" or not self.plain:
                    yield Hypothesis(f"{kind}_{name_of(x)}", text, kind, x)
        for i, h in enumerate(self.given, 1):
            yield Hypothesis(f"H{i}", relation_text(h), "given", h)
        if self.plain:
            return
        for f in self.functions:
            places = [f"a{i}" for i in range(1, len(f.args) + 1)]
            applied = f"({function_name(f.func)} {' '.join(places)})"
            for kind, text in range_text(applied, self.family(f)):
                name = f"{kind}_{function_name(f.func)}"
                yield Hypothesis(name, f"(forall {' '.join(places)} : R, {text})", f"family {kind}", f)
        for x in self.averaged:
            text = f"mean {self.support_text(x)} {mean_name([x])}"
            yield Hypothesis(f"M_{name_of(x)}", text, "mean", x)
        for i, fact in enumerate(self.facts, 1):
            yield Hypothesis(f"D{i}", fact.text, "fact", fact)

    @property
    def binders(self) -> str:
        found = [f"({' '.join(map(name_of, self.reals))} : R)"] if self.reals else []
        if not self.plain:
            for f in self.functions:
                found.append(f"({function_name(f.func)} : {'R -> ' * len(f.args)}R)")
            found += [f"({mean_name([x])} : (R -> R) -> R)" for x in self.averaged]
        return " ".join(found)

    @property
    def text(self) -> str:
        quantifier = f"forall {self.binders},\n  " if self.binders else ""
        return quantifier + "".join(f"{h.text} ->\n  " for h in self.hypotheses) + relation_text(self.goal.rel)

    @property
    def names(self) -> list[str]:
        """What `intros` names: variables, functions, means, hypotheses."""
        found = [name_of(x) for x in self.reals]
        if not self.plain:
            found += [function_name(f.func) for f in self.functions] + [mean_name([x]) for x in self.averaged]
        return [*found, *(h.name for h in self.hypotheses)]


Premise = Lemma | Fact  # what the proof of a lemma may apply
