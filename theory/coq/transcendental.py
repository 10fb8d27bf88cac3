"""Roots, exponentials and logarithms in Coq proofs: as variables for the arithmetic, and logarithms of products."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

import sympy as sp

from theory.coq.syntax import expression
from theory.kernel.certificate import certify
from theory.kernel.goal import Goal, Rel, Var
from theory.kernel.polynomial import NotRational
from theory.kernel.terms import OPAQUE


@dataclass(frozen=True)
class Root:
    """The square of a root is its argument."""

    argument: sp.Expr
    shown: str  # a tactic: the argument is not negative

    def tactic(self, terms: Mapping[sp.Symbol, sp.Expr]) -> str:
        return f"(rewrite pow2_sqrt; [first [reflexivity | equal] | {self.shown}])"


class Numbers:
    """Roots, exponentials and logarithms in a goal as variables with a range; the square of a root is its argument."""

    def __init__(self, apart: bool, units: Mapping[sp.Expr, sp.Rational] | None = None) -> None:
        self.apart = apart  # whether logarithms of products are sums of logarithms
        self.units = units  # if exponentials of sums are products: see `units_of`
        self.terms: dict[sp.Symbol, sp.Expr] = {}
        self.facts: list[Root] = []
        self._given: list[Rel] = []
        self._ranges: dict[sp.Symbol, tuple[Var, str]] = {}
        self._goal: Goal | None = None

    def goal(self, plain: Goal) -> Goal:
        """The goal without roots, exponentials and logarithms; itself if it has none."""
        self._goal = plain
        if not any(map(_transcendental, (plain.rel.left, plain.rel.right))) and not any(
            _transcendental(side) for h in plain.given for side in (h.left, h.right)
        ):
            return plain
        rels = [Rel(self._in(r.left), r.op, self._in(r.right)) for r in (plain.rel, *plain.given)]
        squares = tuple(self._in(q) for q in plain.squares)
        domain = {**plain.domain, **{x: var for x, (var, _) in self._ranges.items()}}
        given = (*rels[1:], *self._given)
        needed: set[sp.Symbol] = set().union(
            *(r.symbols for r in (rels[0], *given)), *(q.free_symbols for q in squares)
        )
        return Goal(rels[0], {x: v for x, v in domain.items() if x in needed}, given, plain.name, squares)

    def _in(self, e: sp.Expr) -> sp.Expr:
        if not _transcendental(e):
            return e
        if e.is_Pow and e.exp.is_Rational and e.exp.q == 2:
            return self._root(e.base) ** (2 * e.exp)
        if isinstance(e, sp.log):
            product = Product.of(e.args[0])
            if self.apart and product is not None and all(self._sign(f, ">") is not None for f, _ in product.factors):
                logs = (k * self._atom(sp.log(f, evaluate=False)) for f, k in product.factors)
                return sp.Add(*logs, self._in(product.exponent))
        if isinstance(e, sp.exp) and self.units is not None:
            return sp.Mul(*(self._atom(sp.exp(unit)) ** k for unit, k in _powers(e, self.units)))
        if isinstance(e, sp.exp):
            k, rest = e.args[0].as_coeff_Mul()
            if k.is_Integer and k > 1 and rest != 1:
                return self._atom(sp.exp(rest)) ** k
        if e is sp.pi or e is sp.E or (e.is_Pow and not e.exp.is_Integer) or isinstance(e, (sp.exp, sp.log, sp.erfc)):
            return self._atom(e)
        return e.func(*(self._in(a) for a in e.args))

    def _root(self, u: sp.Expr) -> sp.Expr:
        """The root of an expression; that of a product is the product of the roots if exponentials are products."""
        factors = [] if self.units is None else _factors(u)
        if all(self._sign(f, ">") is not None for f, _ in factors):
            return sp.Mul(*(self._single_root(f) ** k for f, k in factors)) if factors else self._single_root(u)
        return self._single_root(u)

    def _single_root(self, u: sp.Expr) -> sp.Symbol:
        known = next((x for x, v in self.terms.items() if v == sp.sqrt(u)), None)
        if known is not None:
            return known
        symbol = sp.Symbol(f"root{len(self.terms) + 1}")
        self.terms[symbol] = sp.sqrt(u)
        positive = self._sign(u, ">")
        if positive is not None:
            self._ranges[symbol] = Var(sp.Integer(0), strict=True), f"apply sqrt_lt_R0; {positive}"
            nonneg: str | None = f"apply Rlt_le; {positive}"
        else:
            self._ranges[symbol] = Var(sp.Integer(0)), "apply sqrt_pos"
            nonneg = self._sign(u, ">=")
        if nonneg is not None:
            self._given.append(Rel(symbol**2, "=", self._in(u)))
            self.facts.append(Root(u, nonneg))
        return symbol

    def _atom(self, e: sp.Expr) -> sp.Symbol:
        known = next((x for x, v in self.terms.items() if v == e), None)
        if known is not None:
            return known
        symbol = sp.Symbol(f"value{len(self.terms) + 1}")
        self.terms[symbol] = e
        zero = Var(sp.Integer(0), strict=True)
        if isinstance(e, sp.log):
            above = e.args[0] - 1
            if self._sign(above, ">") is not None:
                self._ranges[symbol] = zero, "pos"
            else:
                self._ranges[symbol] = (
                    (Var(), "") if self._sign(above, ">=") is None else (Var(sp.Integer(0)), "nonneg")
                )
        elif isinstance(e, sp.erfc):
            self._ranges[symbol] = Var(), ""
        elif isinstance(e, sp.exp) and (least := self._sign(e.args[0], ">=")) is not None:
            self._ranges[symbol] = Var(sp.Integer(1)), f"apply exp_from_one; {least}"
        else:
            self._ranges[symbol] = zero, "pos"
        return symbol

    def _sign(self, e: sp.Expr, op: str) -> str | None:
        """A tactic for 0 < e or 0 <= e on the domain, where a certificate is found."""
        assert self._goal is not None
        if isinstance(e, sp.log):
            return None if self._sign(e.args[0] - 1, op) is None else "first [pos | nonneg]"
        if _transcendental(e):
            return "first [pos | nonneg]" if self._plain(e, op) else None
        if e.is_Rational:
            return "lra" if e > 0 or (e == 0 and op == ">=") else None
        rel = Rel(0, "<" if op == ">" else "<=", e)
        if not rel.symbols <= set(self._goal.domain):
            return None
        for given in ((), tuple(h for h in self._goal.given if not any(map(_transcendental, (h.left, h.right))))):
            try:
                found = certify(Goal(rel, self._goal.domain, given))
            except NotRational:
                continue
            if found is not None:
                return "first [pos | nonneg | lra]" if not given else "first [pos | nonneg | lra | nra]"
        return None

    def _plain(self, e: sp.Expr, op: str) -> bool:
        """Whether a term has its sign by structure: products, powers and sums of terms of known sign."""
        if e is sp.pi or isinstance(e, sp.exp):
            return True
        if e.is_Pow and e.exp.is_Rational and e.exp.q == 2:
            return (op == ">=" and e.exp > 0) or self._sign(e.base, ">") is not None
        if e.is_Pow and e.exp.is_Integer:
            return self._sign(e.base, ">") is not None
        if e.is_Mul:
            return all(self._sign(f, op) is not None for f in e.args)
        return bool(e.is_Add) and all(self._sign(f, op) is not None for f in e.args)

    def range(self, symbol: sp.Symbol, terms: Mapping[sp.Symbol, sp.Expr]) -> str:
        return f"({self._ranges[symbol][1]})"


def _factors(u: sp.Expr) -> list[tuple[sp.Expr, int]]:
    """The factors of a quotient of polynomials, logarithms and exponentials, with their powers; a number is one."""
    names = {e: sp.Dummy() for e in u.atoms(sp.log, sp.exp)} | ({sp.pi: sp.Dummy()} if u.has(sp.pi) else {})
    plain = u.xreplace(names)
    if _transcendental(plain) or plain.has(*OPAQUE):
        return []
    back = {x: e for e, x in names.items()}
    found: list[tuple[sp.Expr, int]] = []
    for part, way in zip(sp.fraction(sp.together(plain)), (1, -1), strict=True):
        content, factors = sp.factor_list(part)
        found += [(content, way)] if content != 1 else []
        found += [(f.xreplace(back), way * int(k)) for f, k in factors]
    return found


def _transcendental(e: sp.Expr) -> bool:
    """Whether it has roots, exponentials, logarithms or symbolic powers."""
    if e.has(sp.exp, sp.log, sp.erfc, sp.pi) or e.has(sp.E):
        return True
    return any(not p.exp.is_Integer for p in e.atoms(sp.Pow))


@dataclass(frozen=True)
class Product:
    """The argument of a logarithm as a product of powers and an exponential."""

    argument: sp.Expr
    factors: tuple[tuple[sp.Expr, sp.Rational], ...]  # a power is a multiple of 1/2
    exponent: sp.Expr

    @classmethod
    def of(cls, argument: sp.Expr) -> Product | None:
        """None if there is nothing to take apart, or if it is no such product."""
        parts = sp.Mul.make_args(argument)
        exponent = sp.Add(*(e.args[0] for e in parts if isinstance(e, sp.exp)))
        roots = {e.base: e.exp for e in parts if e.is_Pow and e.exp.is_Rational and e.exp.q == 2}
        rest = sp.Mul(*(e for e in parts if not isinstance(e, sp.exp) and not (e.is_Pow and e.base in roots)))
        if any(_transcendental(e) or e.has(*OPAQUE) for e in (rest, *roots)):
            return None
        found: list[tuple[sp.Expr, sp.Rational]] = list(roots.items())
        for part, way in zip(sp.fraction(sp.together(rest)), (1, -1), strict=True):
            content, factors = sp.factor_list(part)
            if content < 0:  # the sign that SymPy gives a factor is any; a logarithm has none of a negative number
                odd = next((m for m, (_, k) in enumerate(factors) if k % 2), None)
                if odd is None:
                    return None
                content, factors[odd] = -content, (-factors[odd][0], factors[odd][1])
            found += [(content, sp.Integer(way))] if content != 1 else []
            found += [(f, sp.Integer(way * k)) for f, k in factors]
        if exponent == 0 and len(found) <= 1 and all(k == 1 for _, k in found):
            return None
        return cls(argument, tuple(found), exponent)

    @property
    def logarithm(self) -> sp.Expr:
        return sp.Add(*(k * sp.log(f, evaluate=False) for f, k in self.factors), self.exponent)

    @property
    def proof(self) -> str:
        """A tactic: the sum of the logarithms is the logarithm of the product."""
        whole = [(f, int(k)) if k.is_Integer else (sp.sqrt(f), int(2 * k)) for f, k in self.factors]
        over = [expression(f) for f, k in whole for _ in range(k)]
        over += [f"exp {expression(self.exponent)}"] if self.exponent != 0 else []
        under = [expression(f) for f, k in whole for _ in range(-k)]
        product = f"({' * '.join(over) or '1'})"
        quotient = f"{product} / ({' * '.join(under)})" if under else product
        argument = expression(self.argument)
        return (
            f"replace {argument} with ({quotient}) by (identity_by equal); "
            "rewrite ?ln_div, ?ln_mult, ?ln_exp, ?ln_sqrt, ?ln_1 by positive; first [ring | field]"
        )


def units_of(exprs: Iterable[sp.Expr]) -> dict[sp.Expr, sp.Rational]:
    """The terms of all exponents, each with the largest number of which all its coefficients are multiples."""
    found: dict[sp.Expr, sp.Rational] = {}
    for e in sorted({e for expr in exprs for e in expr.atoms(sp.exp)}, key=str):
        for k, term in _terms_of(e):
            found[term] = sp.gcd(found.get(term, sp.S.Zero), k)
    return found


def _terms_of(e: sp.exp) -> list[tuple[sp.Rational, sp.Expr]]:
    return [term.as_coeff_Mul(rational=True) for term in sp.Add.make_args(sp.expand(e.args[0]))]


def _powers(e: sp.exp, units: Mapping[sp.Expr, sp.Rational]) -> list[tuple[sp.Expr, int]]:
    """An exponential as a product of powers: (exponent, power)."""
    return [(units[term] * term, int(k / units[term])) for k, term in _terms_of(e)]


def as_product(e: sp.exp, units: Mapping[sp.Expr, sp.Rational]) -> str:
    """A tactic: the exponential of a sum is a product of powers; "" if it is none."""
    if any(term not in units or not (k / units[term]).is_Integer for k, term in _terms_of(e)):
        return ""
    powers = _powers(e, units)
    if len(powers) == 1 and powers[0][1] == 1:
        return ""
    factors = " * ".join(_power(unit, k) for unit, k in powers)
    return f"try (replace {expression(e)} with ({factors}) by exponents); "


def _power(unit: sp.Expr, k: int) -> str:
    base = f"(exp {expression(unit)})"
    power = base if abs(k) == 1 else f"({base} ^ {abs(k)})"
    return power if k > 0 else f"(/ {power})"


def as_power(e: sp.exp) -> str:
    """A tactic: the exponential of an integer multiple is a power; "" for any other exponential."""
    k, rest = e.args[0].as_coeff_Mul()
    if not (k.is_Integer and k > 1 and rest != 1):
        return ""
    power = f"((exp {expression(rest)}) ^ {k})"
    return f"try (replace {expression(e)} with {power} by (apply exp_multiple; simpl; ring)); "
