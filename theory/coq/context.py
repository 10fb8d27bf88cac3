"""Proof scripts inside a lemma: other lemmas applied, side conditions by arithmetic, equal terms.

Arithmetic is done in lemmas of their own, between numbers: a sum, a mean or a value of a function is a variable there.
"""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from itertools import permutations

import sympy as sp
from sympy.core.function import AppliedUndef

from theory.coq.auxiliary import Auxiliary
from theory.coq.lemma import Fact, Hypothesis, Lemma, free, free_in, sides
from theory.coq.split_sums import apart
from theory.coq.syntax import NoCoq, expression, function_name, mean_name, name_of
from theory.coq.tactics import EQUAL, applied, enter, moved, parts, same
from theory.coq.transcendental import Numbers, Product, as_power, as_product, units_of
from theory.kernel.goal import FLIPPED, Goal, Rel, Var
from theory.kernel.named import valued
from theory.kernel.terms import OPAQUE, Event, _range, canonical, linear, maximal


@dataclass(frozen=True)
class Context:
    """What is known at a place of a proof: ranges of variables, relations with their names, the lemma around it."""

    lemma: Lemma
    auxiliary: Auxiliary
    domain: Mapping[sp.Expr, Var]
    known: tuple[tuple[str, Rel], ...]
    facts: tuple[Hypothesis, ...] = ()
    squares: tuple[sp.Expr, ...] = ()
    units: Mapping[sp.Expr, sp.Rational] | None = None  # of exponents, where exponentials of sums are products

    @classmethod
    def of(cls, lemma: Lemma, auxiliary: Auxiliary) -> Context:
        hypotheses = [h for h in lemma.hypotheses if h.kind == "given"]
        known = tuple((h.name, h.of) for h in hypotheses if isinstance(h.of, Rel))
        for h in lemma.hypotheses:  # what a symbol stands for is an equation
            if isinstance(h.of, Fact) and not h.of.over and not h.of.goal.given:
                known += ((h.name, h.of.goal.rel),)
        inside = set(lemma.reals)
        domain = {x: v for x, v in lemma.goal.domain.items() if not x.is_Symbol or x in inside}
        domain |= {x: Var() for x in inside if x not in domain}
        return cls(lemma, auxiliary, domain, known, tuple(lemma.hypotheses))

    def knowing(self, *relations: tuple[str, Rel]) -> Context:
        return replace(self, known=(*self.known, *relations))

    def having(self, x: sp.Symbol, var: Var) -> Context:
        """With one more variable, or another range of it."""
        return replace(self, domain={**self.domain, x: var})

    def inside(self, index: sp.Symbol, low: sp.Expr, high: sp.Expr) -> Context:
        """The context of one term of a sum, after `enter`."""
        i = name_of(index)
        bounds = (f"lo_{i}", Rel(index, ">=", low)), (f"hi_{i}", Rel(index, "<=", high))
        least = low if sp.sympify(low).is_Rational else None
        domain = {**self.domain, index: Var(least, integer=True)}
        before = tuple((name, rel) for name, rel in self.known if name not in (f"lo_{i}", f"hi_{i}"))
        return replace(self, known=(*before, *bounds), domain=domain)

    # relations

    def show(self, rel: Rel, hints: bool = False) -> str:
        """A tactic that shows a relation here."""
        for name, known in self.known:
            if known.op == rel.op and known.every == rel.every and sides(known) == sides(rel):
                return f"exact {name}"
        if rel.every:
            return self._every(rel)
        left, right = sides(rel)
        if self._by_range(left, rel.op, right) or self._by_range(right, FLIPPED[rel.op], left):
            return "ranges"
        special = self._special(rel)
        if special:
            return special
        if left == right and "=" in rel.op:
            return {"=": "reflexivity", "<=": "apply Rle_refl", ">=": "apply Rle_refl"}[rel.op]
        for name, known in self.known:
            if known.op == rel.op and not known.every and same(known, rel):
                return self.adapted(f"exact {name}", known, rel)
        return self._arithmetic(rel, hints)

    def _every(self, rel: Rel) -> str:
        (i, low, high), *rest = rel.every[::-1]
        x = name_of(i)
        inner = Rel(*parts(rel), every=tuple(rest[::-1]))
        return f"(intros {x} in_{x}; {enter(i)}; {self.inside(i, low, high).show(inner)})"

    def _special(self, rel: Rel) -> str:
        """A hypothesis for every index, at one of them."""
        values = sorted(free_in(rel) | {f for e in sides(rel) for f in e.atoms(AppliedUndef)}, key=str)
        for name, known in self.known:
            if known.op != rel.op or not 1 <= len(known.every) <= 2 or rel.every:
                continue
            indices = [i for i, *_ in known.every]
            for chosen in permutations(values, len(indices)):
                at = dict(zip(indices, chosen, strict=True))
                if tuple(side.xreplace(at) for side in sides(known)) == sides(rel):
                    return self._at(name, known, at)
        return ""

    def _at(self, name: str, known: Rel, at: Mapping[sp.Expr, sp.Expr]) -> str:
        goals = []
        for i, low, high in known.every[::-1]:
            bounds = [Rel(at[i], ">=", sp.sympify(low).xreplace(at)), Rel(at[i], "<=", sp.sympify(high).xreplace(at))]
            shown = [self.show(b) for b in bounds]
            goals.append(f"(apply within_intro; [whole | apply Rge_le; {shown[0]} | {shown[1]}])")
        arguments = [expression(at[i]) for i, *_ in known.every[::-1]]
        return f"(generalize {name}; intro every; " + (
            f"apply (every {arguments[0]}); {goals[0]})"
            if len(goals) == 1
            else f"apply (every {arguments[0]} ltac:({goals[0]}) {arguments[1]}); {goals[1]})"
        )

    def _by_range(self, left: sp.Expr, op: str, right: sp.Expr) -> bool:
        """Whether a variable is within a number by its own range."""
        if not (left.is_Symbol and right.is_Rational) or op == "=":
            return False
        var = self.domain.get(left, Var())
        wanted = Var(right, strict=op == ">") if op[0] == ">" else Var(high=right)
        return op != "<" and var.within(wanted)

    def _arithmetic(self, rel: Rel, hints: bool) -> str:
        """By a lemma between numbers, from no hypothesis if that is enough, else from all."""
        rels = [k for _, k in self.known if not k.every]
        squares = self.squares if hints else ()
        problem: NoCoq | None = None
        ways = ((), tuple(rels)) if rels and not hints else (tuple(rels),)
        for given in ways:
            logs = {e for r in (rel, *given) for side in sides(r) for e in side.atoms(sp.log)}
            composite = any(Product.of(e.args[0]) is not None for e in logs)
            for apart_logs in (False, True) if composite else (True,):
                try:
                    return self._by_numbers(rel, given, squares, apart_logs)
                except NoCoq as error:
                    problem = error
        for given in ways:  # exponentials of sums and roots of products as products, and what is squared is a hint
            even = {p.base for r in (rel, *given) for e in sides(r) for p in e.atoms(sp.Pow) if p.exp.is_even}
            plain = tuple(sorted((e for e in even if not e.is_Symbol and not e.has(*OPAQUE)), key=str))
            exponents = sorted({e for r in (rel, *given) for side in sides(r) for e in side.atoms(sp.exp)}, key=str)
            roots = any(_has_root(e) for r in (rel, *given) for e in sides(r))
            if not exponents and not plain and not roots:
                continue
            with suppress(NoCoq):
                return self._by_numbers(rel, given, (*squares, *plain), True, True)
            for e in exponents if rel.op != "=" else ():
                with suppress(NoCoq):
                    return self._times(rel, e, given, (*squares, *plain))
        raise problem or NoCoq(f"no proof of {rel}")

    def _times(self, rel: Rel, e: sp.exp, given: tuple[Rel, ...], squares: tuple[sp.Expr, ...]) -> str:
        """Both sides times an exponential: the certificate may need it."""
        left, right = sides(rel)
        shown = self._by_numbers(Rel(left * e, rel.op, right * e), given, squares, True, True)
        lemma = {"<=": "le_times", "<": "lt_times", ">=": "ge_times", ">": "gt_times"}[rel.op]
        return f"(apply ({lemma} {expression(e)}); [pos | {shown}])"

    def _by_numbers(
        self, rel: Rel, given: tuple[Rel, ...], squares: tuple[sp.Expr, ...], apart_logs: bool, apart_exps: bool = False
    ) -> str:
        plain, terms, straight = self.opened(rel, given, squares)
        units = units_of(e for r in (plain.rel, *plain.given) for e in (r.left, r.right)) if apart_exps else None
        numbers = Numbers(apart_logs, units)
        goal = numbers.goal(plain)
        lemma = self.auxiliary.add(goal)
        here = replace(self, units=units and {e.xreplace(terms): unit for e, unit in units.items()})
        meaning = {x: sp.sympify(v).xreplace(terms) for x, v in {**terms, **numbers.terms}.items()}
        hypotheses = []
        for h in lemma.hypotheses:
            if h.kind == "given":
                position = next(k for k, g in enumerate(lemma.given) if g is h.of)
                if position < len(given):
                    hypotheses.append(here.show_known(given[position], straight[1 + position]))
                else:
                    hypotheses.append(numbers.facts[position - len(given)].tactic(terms))
            else:
                assert isinstance(h.of, sp.Symbol)
                if h.of in numbers.terms:
                    hypotheses.append(numbers.range(h.of, terms))
                else:
                    hypotheses.append(self._range(terms.get(h.of, h.of), h))
        tactic = applied(lemma.name, [expression(meaning.get(x, x)) for x in lemma.reals], hypotheses)
        return here.adapted(tactic, None if meaning else straight[0], rel)

    def show_known(self, rel: Rel, straight: Rel) -> str:
        """A known relation in the form in which its sums, means and logarithms are taken apart."""
        name = next(name for name, k in self.known if k is rel)
        equal = [self.equal(a, b) for a, b in zip(sides(rel), sides(straight), strict=True)]
        return f"first [exact {name} | eapply {EQUAL[rel.op]}; [exact {name} | {equal[0]} | {equal[1]}]]"

    def rewritten(self, *exprs: sp.Expr) -> str:
        """Logarithms of products taken apart, exponentials of multiples as powers: as `Numbers` reads them."""
        found = ""
        for e in sorted({e for side in exprs for e in side.atoms(sp.log, sp.exp)}, key=str):
            if not free(e) <= set(self.domain):
                continue
            if isinstance(e, sp.exp):
                found += as_power(e) if self.units is None else as_product(e, self.units)
            elif (product := Product.of(e.args[0])) is not None:
                found += f"try (replace {expression(e)} with {expression(product.logarithm)} by ({product.proof})); "
        return found

    def opened(
        self, rel: Rel, given: tuple[Rel, ...], squares: tuple[sp.Expr, ...]
    ) -> tuple[Goal, dict[sp.Symbol, sp.Expr], list[Rel]]:
        """The goal between numbers, what its new variables stand for, and the relations with sums taken apart."""
        rels = (rel, *given)
        straight = [Rel(linear(a), r.op, linear(b)) for r in rels for a, b in [sides(r)]]
        found = sorted({t for r in straight for side in (r.left, r.right) for t in maximal(side)}, key=str)
        numbered = {t: i for i, t in enumerate(dict.fromkeys(map(canonical, found)), 1)}
        names = {t: sp.Symbol(f"term{numbered[canonical(t)]}") for t in found}
        ranges = {names[t]: _range(t, self.domain) for t in found}
        plain = [Rel(r.left.xreplace(names), r.op, r.right.xreplace(names)) for r in straight]
        needed: set[sp.Symbol] = set().union(*(r.symbols for r in plain), *(q.free_symbols for q in squares))
        domain = {x: v for x, v in {**self.domain, **ranges}.items() if x in needed}
        missing = needed - set(domain)
        if missing:
            raise NoCoq(f"{rel}: nothing is known of {sorted(map(str, missing))}")
        goal = Goal(plain[0], domain, tuple(plain[1:]), "arithmetic", squares)
        return goal, {s: t for t, s in names.items()}, straight

    def _range(self, term: sp.Expr, h: Hypothesis) -> str:
        """The range of a number that stands for a term."""
        if term.is_Symbol:
            return "ranges"
        if isinstance(term, Event):
            lemma = "event_gt_range" if term.args[1] == 1 else "event_ge_range"
            return f"(generalize ({lemma} {expression(term.args[0])}); lra)"
        if isinstance(term, AppliedUndef):
            return f"(generalize ({h.kind}_{function_name(term.func)} {' '.join(map(expression, term.args))}); lra)"
        raise NoCoq(f"the range of {term}")

    # application of lemmas

    def use(
        self,
        lemma: Lemma | Fact,
        at: Mapping[sp.Expr, sp.Expr],
        target: Rel,
        functions_at: Mapping[sp.Expr, sp.Expr] | None = None,
    ) -> str:
        """A tactic that shows `target`, which is the lemma's relation at these arguments.

        `functions_at`: expressions for functions of the lemma, {f(x): expression in x}.
        """
        tactic, values = self.applying(lemma, at, functions_at)
        return self._positive(values) + self.adapted(tactic, None, target)

    def applying(
        self,
        lemma: Lemma | Fact,
        at: Mapping[sp.Expr, sp.Expr],
        functions_at: Mapping[sp.Expr, sp.Expr] | None = None,
    ) -> tuple[str, list[sp.Expr]]:
        """A tactic that applies a lemma, and its arguments."""
        inserted = {function_name(f.func): (f, e) for f, e in (functions_at or {}).items()}
        if isinstance(lemma, Fact):
            name = self._fact(lemma.at({x: v for x, v in at.items() if x not in lemma.over}))
            reals, functions = lemma.over, []
            averaged: list[sp.Symbol] = []
        else:
            name, reals = lemma.name, tuple(lemma.reals)
            functions = [] if lemma.plain else lemma.functions
            averaged = [] if lemma.plain else lemma.averaged
        values = [sp.sympify(at[x]) if x in at else self._value(x, lemma.goal.domain) for x in reals]
        full = {**at, **dict(zip(reals, values, strict=True))}
        arguments = [expression(valued(v)) for v in values]
        for name_ in (function_name(f.func) for f in functions):
            arguments.append(_abstracted(*inserted[name_]) if name_ in inserted else name_)
        arguments += [mean_name([x]) for x in averaged]
        hypotheses = [self._inserted(lemma, h, inserted) or self._hypothesis(lemma, h, full) for h in lemma.hypotheses]
        return applied(name, arguments, hypotheses), values

    def _positive(self, values: list[sp.Expr]) -> str:
        """Of what a logarithm is taken in arguments of a lemma: asserted to be positive, so that exp(log u) is u."""
        found = ""
        for log in sorted({e for v in values for e in valued(v).atoms(sp.log)}, key=str):
            u = log.args[0]
            if u.is_Symbol or u.is_number or not free(u) <= set(self.domain):
                continue
            with suppress(NoCoq):
                found += f"try assert (0 < {expression(u)}) by ({self.show(Rel(0, '<', u))}); "
        return found

    def _inserted(self, lemma: Lemma | Fact, h: Hypothesis, inserted: Mapping[str, tuple[sp.Expr, sp.Expr]]) -> str:
        """A tactic for a hypothesis about a function that an expression replaces; none for another hypothesis."""
        if isinstance(h.of, AppliedUndef) and function_name(h.of.func) in inserted and isinstance(lemma, Lemma):
            pattern, value = inserted[function_name(h.of.func)]
            if h.kind == "family W":
                return "(intros; cbv beta; whole)"
            fresh = {x: sp.Symbol(f"any_{x.name}") for x in pattern.args}  # x itself may be a variable here
            var, here, value = lemma.family(h.of), self, value.xreplace(fresh)
            for x in fresh.values():
                here = here.having(x, Var())
            low = Rel(var.low, "<" if var.strict else "<=", value)
            shown = here.show(low if h.kind == "family L" else Rel(value, "<=", var.high))
            return f"(intros {' '.join(map(name_of, fresh.values()))}; cbv beta; {shown})"
        if isinstance(h.of, Rel) and any(
            function_name(f.func) in inserted for e in sides(h.of) for f in e.atoms(AppliedUndef)
        ):
            raise NoCoq(f"a hypothesis about {', '.join(inserted)}: {h.of}")
        return ""

    def _value(self, x: sp.Symbol, domain: Mapping[sp.Expr, Var]) -> sp.Expr:
        """A variable as it is, or any value of its range if there is none of this name here."""
        if x in self.domain:
            return x
        var = domain.get(x, Var())
        low = sp.Integer(0) if var.low is None else var.low + (1 if var.strict else 0)
        return low if var.high is None or low <= var.high else var.high

    def _hypothesis(self, lemma: Lemma | Fact, h: Hypothesis, at: Mapping[sp.Expr, sp.Expr]) -> str:
        """A tactic for one hypothesis of a lemma that is applied at these arguments."""
        if h.kind in ("L", "U"):
            assert isinstance(h.of, sp.Symbol)
            var, value = lemma.goal.domain[h.of], valued(sp.sympify(at[h.of]))
            if h.kind == "L":
                return self.show(Rel(var.low, "<" if var.strict else "<=", value))
            return self.show(Rel(value, "<=", var.high))
        if h.kind == "W":
            return "whole"
        if h.kind == "given":
            assert isinstance(h.of, Rel)
            wanted = moved(h.of, at)
            simple = all(sp.sympify(at[x]).is_Symbol for x in free_in(h.of) if x in at)
            return self.show(wanted) if simple else self.restated(wanted)
        if h.kind.startswith("family"):
            return "family"
        if h.kind == "mean":
            assert isinstance(h.of, sp.Symbol)
            assert isinstance(lemma, Lemma)
            return self._mean(lemma, h.of)
        assert isinstance(h.of, Fact)
        return self._same_fact(h.of.at(at))

    def _same_fact(self, fact: Fact) -> str:
        """A tactic for a fact that is a hypothesis; products may be written in another order there."""
        name, rel = self._fact(fact), fact.goal.rel
        if rel.every:
            return f"exact {name}"
        settle = f"settle{self.alike(*sides(rel))}"
        known = f"eapply {name}; first [eassumption | lra]" if fact.over else f"exact {name}"
        return f"first [exact {name} | intros; eapply {EQUAL[rel.op]}; [{known} | {settle} | {settle}]]"

    def _fact(self, fact: Fact) -> str:
        """The hypothesis that states a fact."""
        name = next((h.name for h in self.facts if h.kind == "fact" and h.text == fact.text), None)
        if name is None:
            raise NoCoq(f"{fact.goal.name}: the definition is not among the hypotheses")
        return name

    def _mean(self, lemma: Lemma, x: sp.Symbol) -> str:
        if lemma.support_text(x) == self.lemma.support_text(x):
            return f"exact M_{name_of(x)}"
        return f"(apply (mean_on _ _ _ M_{name_of(x)}); supported)"

    # equal terms

    def adapted(self, tactic: str, found: Rel | None, target: Rel) -> str:
        """A tactic for a relation whose sides are equal to those that `tactic` shows; `found` is that relation."""
        if found is not None and sides(found) == sides(target) and found.op == target.op:
            return tactic
        if found is not None and found.op != target.op:
            if FLIPPED[found.op] != target.op:
                raise NoCoq(f"{found} is not {target}")
            turned = {"<=": "Rge_le", "<": "Rgt_lt", ">=": "Rle_ge", ">": "Rlt_gt", "=": "eq_sym"}[target.op]
            back = Rel(found.right, target.op, found.left)
            return self.adapted(f"(apply {turned}; {tactic})", back, target)
        pairs = zip((None, None) if found is None else sides(found), sides(target), strict=True)
        equal = [self.equal(a, b) for a, b in pairs]
        return f"(eapply {EQUAL[target.op]}; [{tactic} | {equal[0]} | {equal[1]}])"

    def length(self, low: sp.Expr, high: sp.Expr) -> str:
        """A tactic: the number of terms of a sum is not negative, from hypotheses without sums."""
        known = tuple((name, rel) for name, rel in self.known if not any(side.has(*OPAQUE) for side in sides(rel)))
        return replace(self, known=known).restated(Rel(0, "<=", high - low + 1))

    def restated(self, rel: Rel) -> str:
        """A tactic for a relation that is printed otherwise: arguments were put into it, and nothing is simplified."""
        tactic = self.show(rel)
        left, right = map(expression, sides(rel))
        settle = f"settle{self.alike(*sides(rel))}"
        if rel.every:
            name = tactic.removeprefix("exact ")
            if name == tactic or " " in name:
                return tactic
            known = f"eapply {name}; eassumption"
            return f"first [{tactic} | intros; eapply {EQUAL[rel.op]}; [{known} | {settle} | {settle}]]"
        return f"first [{tactic} | apply ({EQUAL[rel.op]} {left} {right}); [{tactic} | {settle} | {settle}]]"

    def equal(self, found: sp.Expr | None, target: sp.Expr) -> str:
        """A tactic for `found = target`: sums and means on both sides taken apart, then arithmetic."""
        steps = [] if found is None else apart(self, found)
        steps += apart(self, target)
        steps = _once(steps)
        terms = [e for e in (found, target) if e is not None]
        rewritten = self.rewritten(*terms)
        settle = f"settle{self.alike(*terms)}"
        if rewritten:  # a logarithm may stand alike on both sides without being taken apart
            settle = f"first [solve [{settle}] | {rewritten}{settle}]"
        return f"(cbv beta; {'; '.join([*steps, settle])})" if steps else f"(cbv beta; {settle})"

    def alike(self, *exprs: sp.Expr) -> str:
        """Equal arguments of the same function, or of an indicator, are written alike: inner ones first."""
        names = sorted({(function_name(f.func), len(f.args)) for e in exprs for f in e.atoms(AppliedUndef)})
        values = {f for e in exprs for f in e.atoms(AppliedUndef)}
        inner = "arithmetic" if any(f.has(sp.exp) or _has_root(f) for f in values) else "equal"
        found = [f"alike{'' if size == 1 else size} {name} {inner}" for name, size in names if size <= 4]
        if any(e.has(Event) for e in exprs):
            inner = "summed" if any(e.has(sp.Sum) for side in exprs for e in side.atoms(Event)) else "equal"
            found += [f"alike {name} {inner}" for name in ("event_gt", "event_ge", "event_gt")]
        return f"_by ltac:({'; '.join(found)})" if found else ""

    def pose(self, expr: sp.Expr) -> str:
        """The ranges of the values of functions in an expression, as hypotheses."""
        found = []
        for f in sorted(expr.atoms(AppliedUndef), key=str):
            if not free(f) <= set(self.domain):
                continue
            for h in self.facts:
                if h.kind in ("family L", "family U") and isinstance(h.of, AppliedUndef) and h.of.func == f.func:
                    found.append(f"generalize ({h.name} {' '.join(map(expression, f.args))}); intro; ")
        return "".join(found)


def _has_root(expr: sp.Expr) -> bool:
    return any(p.exp.is_Rational and p.exp.q == 2 for p in expr.atoms(sp.Pow))


def _once(steps: list[str]) -> list[str]:
    """Every step once; what rewrites wherever it can (`rewrite ?`) after all the others that make work for it."""
    last = [step for step in dict.fromkeys(steps) if step.startswith("rewrite ?")]
    return [*(step for step in dict.fromkeys(steps) if step not in last), *last]


def _abstracted(pattern: sp.Expr, value: sp.Expr) -> str:
    """An expression as a function of the arguments of the pattern."""
    return f"(fun {' '.join(map(name_of, pattern.args))} : R => {expression(valued(value))})"
