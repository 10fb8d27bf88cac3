"""Proof scripts: `field` for identities, signs read off a certificate for inequalities, `auto_derive` for slopes."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import sympy as sp

from theory.coq.statement import Slope, Statement, conditions, hypotheses, variables
from theory.coq.syntax import NoCoq, expression, monomial, name_of, number, polynomial, relation
from theory.kernel.certificate import Certificate, Frame, Generator, certify, coefficients
from theory.kernel.derivative import derivative
from theory.kernel.engines import Outcome, flint_identity, normal_form_identity
from theory.kernel.goal import Goal, Rel, Var
from theory.kernel.polynomial import NotRational, Poly
from theory.kernel.rules import Rises

TURNED = {">=": ("apply Rle_ge.",), ">": ("apply Rlt_gt.",)}


def proof(statement: Statement, defined: str | None) -> str:
    """The script of one statement; `defined` names the lemma that its sides are defined, if there is one."""
    names = [*map(name_of, variables(statement.goal)), *(h for h, _ in hypotheses(statement.goal))]
    lines = [f"intros {' '.join(names)}." if names else "idtac."]
    if statement.kind == "defined":
        return "\n".join([*lines, *_defined(statement)])
    if statement.kind == "numbers":
        return "repeat split; closed."
    if defined is not None:
        lines.append(f"generalize ({defined}{''.join(f' {n}' for n in names)}); intros; facts.")
    goal, fact = statement.goal.by_rules, statement.facts[0]
    if isinstance(fact, Rises):
        return "\n".join([*lines, *_rises(statement, fact)])
    lines += _numerators(goal)
    if isinstance(fact, Slope):
        roots = squared_roots(fact.function, fact.value)
        lines += [*roots.values(), f"slope_by ltac:({rational_equality(roots)})."]
    elif fact.op == "=" and goal.given and not plainly_equal(goal):
        lines.append("apply Rle_antisym.")
        lines += ["{ " + "\n".join(_inequality(replace(goal, rel=Rel(fact.left, "<=", fact.right)))) + " }"]
        lines += ["{ " + "\n".join(_inequality(replace(goal, rel=Rel(fact.right, "<=", fact.left)))) + " }"]
    elif fact.op == "=":
        roots = squared_roots(fact.left, fact.right)
        equal = _equal(statement.parts[0], f"identity_by ltac:({rational_equality(roots)})")
        ways = [f"solve [{equal}]", "; ".join([*_logarithms(fact), equal])] if fact.left.has(sp.log) else [equal]
        ways += [f"apply eq_by_squares; [nonneg | nonneg | {rational_equality(roots)}]"] if roots else []
        ways += ["settle"] if roots or any(side.has(sp.exp, sp.log) for side in (fact.left, fact.right)) else []
        lines += [*roots.values(), f"first [{' | '.join(ways)}]."]
    elif not goal.symbols:
        lines.append("closed.")
    else:
        lines += _inequality(goal)
    return "\n".join(lines)


def plainly_equal(goal: Goal) -> bool:
    """Whether both sides are the same without any hypothesis."""
    try:
        return flint_identity(goal) is Outcome.PROVED
    except NotRational:
        return normal_form_identity(goal) is Outcome.PROVED


def _rises(statement: Statement, rule: Rises) -> Iterator[str]:
    """f >= 0 from f(low) >= 0 and f' >= 0, which are the lemmas of the premises."""
    start, slope = statement.premises[0], statement.premises[-1]
    x, slack = name_of(rule.x), derivative(rule.expr, rule.x)
    function, value = (f"(fun {x} : R => {expression(e)})" for e in (rule.expr, slack))
    roots = squared_roots(rule.expr, slack)
    yield f"apply Rle_ge, (nonneg_from_slope {function} {value} {number(rule.low)})."
    yield f"{{ intros point above. {' '.join(roots.values())} slope_by ltac:({rational_equality(roots)}). }}"
    yield f"{{ intros point above. apply Rge_le. first [apply {slope} | eapply {slope}]; first [eassumption | lra]. }}"
    first = f"first [apply {start} | eapply {start}]; first [eassumption | lra]"
    yield f"{{ replace ({function} {number(rule.low)}) with {expression(rule.expr.subs(rule.x, rule.low))} by starts."
    yield f"  apply Rge_le. {first}. }}"
    yield "assumption."


def squared_roots(*sides: sp.Expr) -> dict[str, str]:
    """Named assertions that the square of each square root is its argument."""
    powers = {p.base for side in sides for p in side.atoms(sp.Pow) if p.exp.is_Rational and p.exp.q == 2}
    found = {}
    for i, base in enumerate(sorted(powers, key=str), 1):
        root = f"sqrt {expression(base)}"
        found[f"R{i}"] = f"assert (R{i} : {root} * {root} = {expression(base)}) by (apply sqrt_def; nonneg)."
    return found


def rational_equality(roots: dict[str, str]) -> str:
    """The tactic for equality of rational functions of roots."""
    return f"field [{' '.join(roots)}]; nonzero" if roots else "equal"


def _numerators(goal: Goal) -> Iterator[str]:
    """`field` asks for the numerators of nested denominators; those that are not plainly positive do not vanish."""
    for base in dict.fromkeys(c.left for c in conditions(goal) if c.op == "="):
        numerator, denominator = sp.fraction(sp.together(base))
        if denominator != 1 and not _plainly_positive(base, goal) and not _plainly_positive(numerator, goal):
            script = _condition(goal, Rel(numerator, "=", 0))
            yield f"assert ({expression(numerator)} <> 0)."
            yield "{ " + " ".join(script) + " }"


def _logarithms(rel: Rel) -> Iterator[str]:
    """Logarithms of products and quotients, taken apart: ln of each factor is a term of its own afterwards."""
    logs = sorted({e for side in (rel.left, rel.right) for e in side.atoms(sp.log)}, key=str)
    for log in logs:
        over, under = (_factors(part) for part in sp.fraction(sp.together(log.args[0])))
        if len(over) == 1 and not under:
            continue
        product = " * ".join(over) or "1"
        quotient = f"({product}) / ({' * '.join(under)})" if under else product
        apart = " + ".join(f"ln {f}" for f in over) + "".join(f" - ln {f}" for f in under)
        argument = expression(log.args[0])
        yield (
            f"replace (ln {argument}) with ({apart or '0'}) by (replace {argument} with ({quotient}) "
            f"by ({_equal(argument + quotient)}); rewrite ?ln_div, ?ln_mult, ?ln_1 by pos; ring)"
        )


def _factors(expr: sp.Expr) -> list[str]:
    content, factors = sp.factor_list(expr)
    numbers = [] if content == 1 else [expression(content)]
    whole = [(f, int(e)) if e.is_Integer else (f**e, 1) for f, e in ((f, sp.sympify(e)) for f, e in factors)]
    return [*numbers, *(expression(f) for f, e in whole for _ in range(e))]


def _defined(statement: Statement) -> Iterator[str]:
    """Each condition is shown and then kept for the next ones."""
    goal = statement.goal.by_rules
    kept = []
    for i, condition in enumerate(statement.facts, 1):
        assert isinstance(condition, Rel)
        kept.append(f"A{i}")
        yield f"assert (A{i} : {statement.parts[i - 1]})."
        yield "{ " + " ".join(_condition(goal, condition)) + " }"
    yield "repeat split; assumption."


def _condition(goal: Goal, condition: Rel) -> list[str]:
    """A denominator that is certified to have one sign, or an argument that is certified to be positive."""
    certified = _certified(goal, condition)
    if certified is not None:
        return certified
    return ["nonzero."] if condition.op == "=" else ["first [pos | nonneg]."]


def holds(goal: Goal, condition: Rel) -> bool:
    """Whether a condition is certified."""
    return _certified(goal, condition) is not None


def _certified(goal: Goal, condition: Rel) -> list[str] | None:
    base, zero = condition.left, sp.S.Zero
    if _plainly_positive(base, goal):
        return ["nonzero."] if condition.op == "=" else ["pos." if condition.op == ">" else "nonneg."]
    if condition.op != "=":
        signs = [Rel(zero, "<" if condition.op == ">" else "<=", base)]
    else:
        signs = [Rel(zero, "<", base), Rel(base, "<", zero)]
    for where in (replace(goal, given=(), squares=()), goal):
        for sign in signs:
            try:
                script = _inequality(replace(where, rel=sign))
            except NoCoq:
                continue
            if condition.op != "=":
                return script
            return [f"assert ({relation(sign.left, sign.op, sign.right)}).", "{", *script, "}", "lra."]
    return None


def equal_apart(rel: Rel) -> bool:
    """Whether both sides are the same for any denominators: each inverse is treated as another number."""
    names: dict[sp.Expr, sp.Symbol] = {}

    def opened(e: sp.Expr) -> sp.Expr:
        if e.is_Pow and e.exp.is_Integer and e.exp < 0:
            return names.setdefault(e.base, sp.Dummy()) ** -e.exp
        return e.func(*map(opened, e.args)) if e.args else e

    return bool(sp.expand(opened(rel.left) - opened(rel.right)) == 0)


def _plainly_positive(expr: sp.Expr, goal: Goal) -> bool:
    """Whether the tactic `pos` shows it: sums, products and powers of positive variables and numbers."""
    if expr.is_Symbol:
        low = goal.domain[expr].low if expr in goal.domain else None
        return low is not None and (low > 0 or (low == 0 and goal.domain[expr].strict))
    if expr.is_Rational or expr is sp.pi or isinstance(expr, sp.exp):
        return bool(expr.is_positive) or isinstance(expr, sp.exp)
    if expr.is_Add or expr.is_Mul:
        return all(_plainly_positive(e, goal) for e in expr.args)
    return bool(expr.is_Pow and expr.exp.is_Integer and _plainly_positive(expr.base, goal))


def _inequality(goal: Goal) -> list[str]:
    """The goal's inequality after `intros`, from its certificate."""
    try:
        certificate = certify(goal)
    except NotRational as error:
        raise NoCoq(str(error)) from error
    if certificate is None:
        raise NoCoq(f"no certificate of {goal}")
    names = FrameNames(goal)
    slack, strict = goal.rel.slack
    script = [*names.shifts(), *TURNED.get(goal.rel.op, ())]
    terms: dict[bool, list[str]] = {True: [], False: []}
    for coefficient, powers, label, _ in certificate.parts:
        head, found = monomial(coefficient, powers, names.variables, names.even), names.named[label]
        text, asserted = names.generator(found)
        script += [line for line in asserted if line not in script]
        terms[found.zero].append(head if label == "1" else f"{head} * {text}")
    total, nothing = " + ".join(terms[False]) or "0", " + ".join(terms[True]) or "0"
    lemma = "lt_by_slack" if strict else "le_by_slack"
    below = names.denominator(certificate, slack)
    equal = _equal(f"{relation(goal.rel.left, goal.rel.op, goal.rel.right)} {total} {nothing} {below}")
    last = "pos" if strict else "nonneg"
    vanish = "vanish" if terms[True] else "reflexivity"
    return [*script, f"apply ({lemma} _ _ ({total}) ({nothing}) ({below})); [{equal} | {vanish} | {last} | pos]."]


def _equal(text: str, transcendental: str = "equal") -> str:
    """The tactic for an equality between these expressions."""
    if any(f in text for f in ("exp", "ln", "sqrt", "erfc", "Rpower", "PI")):
        return transcendental
    return "equal" if "/" in text else "ring"


class FrameNames:
    """The frame of a goal's certificate with Coq names: shifted variables and generators."""

    def __init__(self, goal: Goal) -> None:
        self.goal, self.frame = goal, Frame.of(goal)
        spec = [goal.domain.get(s, Var(sp.S.Zero)) for s in self.frame.ring.symbols]
        self.variables = [
            name_of(s) if v.low is None or v.low == 0 else f"({name_of(s)} - {number(v.low)})"
            for s, v in zip(self.frame.ring.symbols, spec, strict=True)
        ]
        self.even = [not b for b in self.frame.bounded]
        self.named = {g.label: g for g in reversed(self.frame.generators)}
        ceilings = [
            (f"U_{name_of(s)}", Rel(s, "<=", v.high))
            for s, v in zip(self.frame.ring.symbols, spec, strict=True)
            if v.high is not None
        ]
        self._hypotheses: dict[str, tuple[str, Rel, Generator]] = {}
        for name, rel in [*((f"H{i}", h) for i, h in enumerate(goal.given, 1)), *ceilings]:
            single = self.frame._hypothesis(rel)
            if single is not None:
                self._hypotheses.setdefault(single.label, (name, rel, single))

    def shifts(self) -> Iterator[str]:
        """The signs of the shifted variables, asserted."""
        for x, bounded, strict in zip(self.variables, self.frame.bounded, self.frame.strict, strict=True):
            if bounded and x.startswith("("):
                yield f"assert (0 {'<' if strict else '<='} {x}) by lra."

    def text(self, poly: Poly) -> str:
        return polynomial(coefficients(poly), self.variables, self.even)

    def generator(self, generator: Generator) -> tuple[str, list[str]]:
        """Coq text of a generator, and the assertions that give its sign."""
        if generator.label == "1":
            return "1", []
        if generator.label in self._hypotheses:
            name, rel, single = self._hypotheses[generator.label]
            return f"({self.text(single.poly)})", [self._assertion(name, rel, single)]
        for square in self.goal.squares:
            if f"({square})^2" == generator.label:
                return f"(({self.text(self.frame._numerator(square))}) ^ 2)", []
        for a in self._hypotheses:
            for b in self._hypotheses:
                if f"({a})*({b})" == generator.label:
                    (s, p), (t, q) = self.generator(self.named[a]), self.generator(self.named[b])
                    return f"({s} * {t})", [*p, *q]
        raise NoCoq(f"unknown generator {generator.label}")

    def _assertion(self, name: str, rel: Rel, single: Generator) -> str:
        poly = self.text(single.poly)
        equal = _equal(relation(rel.left, rel.op, rel.right) + poly)
        slack, strict = (rel.left - rel.right, False) if rel.op == "=" else rel.slack
        _, den = self.frame.fraction(slack)
        if rel.op == "=":
            return f"assert ({poly} = 0) by (apply (scaled_zero _ _ ({self.text(den)}) _ {name}); {equal})."
        name = {">=": f"(Rge_le _ _ {name})", ">": f"(Rgt_lt _ _ {name})"}.get(rel.op, name)
        den = den if self.frame.surely_positive(den) else -den
        lemma, sign = ("scaled_pos", "<") if strict else ("scaled_nonneg", "<=")
        return f"assert (0 {sign} {poly}) by (apply ({lemma} _ _ ({self.text(den)}) _ {name}); [pos | {equal}])."

    def denominator(self, certificate: Certificate, slack: sp.Expr) -> str:
        """What the slack was multiplied by to become the certified polynomial."""
        num, den = self.frame.fraction(slack)
        if not self.frame.surely_positive(den):
            num, den = -num, -den
        for multiplier in self.frame.multipliers:
            if coefficients(num * multiplier) == certificate.polynomial:
                return f"({self.text(den)}) * ({self.text(multiplier)})"
        raise NoCoq("the certificate is of another polynomial")
