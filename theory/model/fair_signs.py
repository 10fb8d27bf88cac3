"""Independent fair signs e_1, e_2, ... and their sums S_m = e_1 + ... + e_m.

`Signs` says what is known of a sequence of signs: each is +1 or -1, both with the chance 1/2, and independent of the
sum of those before it. Chances of sums of m signs are derived from that (`theory.ours.sums_of_signs`).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

import sympy as sp
from sympy.core.function import AppliedUndef

from theory.kernel.goal import Goal, Letter, Rel, Var, at_least, real
from theory.kernel.rules import Defines, Definition, equals
from theory.kernel.terms import Event, Mean, substitute
from theory.model.functions import function, quantity
from theory.model.play import COUNT, o

h, i, j, m, c, x = sp.symbols("h i j m c x")
ONE, HALF = sp.Integer(1), sp.Rational(1, 2)
WHOLE = at_least(0, integer=True)
IS_SIGN = Rel(c**2, "=", 1)


@dataclass(frozen=True, eq=False)
class Signs(Defines):
    """Signs and their sums: `way` times the sum of the first m signs is total(m); way is 1 or -1.

    Parameters
    ----------
    sign, total : functions of a number and the outcome
    domain : Mapping
        Ranges of everything else that occurs in the two, an arm for instance.
    """

    sign: Callable[[sp.Expr], sp.Expr]
    total: Callable[[sp.Expr], sp.Expr]
    way: sp.Expr
    domain: Mapping[sp.Expr, Var]
    letters: Mapping[sp.Expr, Letter] = field(default_factory=dict)

    @property
    def ranges(self) -> dict[sp.Expr, Var]:
        """Ranges of everything that occurs in the definitions."""
        return {**self.domain, o: real()}

    def _defined(self, of: str, rel: Rel, *given: Rel, more: Mapping[sp.Expr, Var] | None = None) -> Definition:
        numbers = {i: COUNT, m: WHOLE, c: real()}
        return Definition(of, Goal(rel, {**self.ranges, **numbers, **(more or {})}, given, of, letters=self.letters))

    @property
    def sums(self) -> Definition:
        return self._defined("a sum of signs", Rel(self.total(m), "=", self.way * sp.Sum(self.sign(i), (i, 1, m))))

    @property
    def two_values(self) -> Definition:
        met = equals(self.sign(i), ONE) + equals(self.sign(i), -ONE)
        return self._defined("a sign is +1 or -1", Rel(met, "=", 1))

    @property
    def fair(self) -> Definition:
        rel = Rel(Mean(equals(self.sign(i), c), o), "=", HALF)
        return self._defined("both signs have the same chance", rel, IS_SIGN)

    def independent(self, f: sp.Expr) -> Definition:
        """E[1{e_{m+1} = c} f(S_m)] = P(e_{m+1} = c) E f(S_m) for an expression f in x and numbers.

        Raises
        ------
        ValueError
            If f depends on the outcome in another way than by the sum, or has a symbol of this definition.
        """
        if f.has(o, m, i, c) or f.has(AppliedUndef):
            raise ValueError(f"f={f}: it must be a function of the sum alone")
        met, value = equals(self.sign(m + 1), c), substitute(f, {x: self.total(m)})
        rel = Rel(Mean(met * value, o), "=", Mean(met, o) * Mean(value, o))
        numbers = dict.fromkeys(f.free_symbols - {x}, real())
        return self._defined(
            "the next sign is independent of the sum of those before it", rel, IS_SIGN, more={**numbers, **self.domain}
        )


sign, total = quantity("sign", r"\varepsilon_{{{}}}"), quantity("sum of signs", "S_{{{}}}")
FAIR_SIGNS = Signs(lambda number: sign(number, o), lambda number: total(number, o), ONE, {})

below = function("below", r"P\left(S_{{{0}}}\ge {1}\right)")  # of a sum of m fair signs
exactly = function("p", r"P\left(S_{{2 {0}}}=2 {1}\right)")
below.formula = exactly.formula = None  # printed as what they are
exponent = function("E", "E_{{{}}}({})")
EXPONENT = j**2 * h / ((h - j) * (h + j))
exponent.formula = (exponent(h, j), j**2 / h / (1 - (j / h) ** 2))
SIGNS: dict[sp.Expr, Var] = {o: real(), h: COUNT, j: WHOLE, exponent(h, j): real()}
SIGN_WORDS = {exactly(h, j): Letter(exactly(h, j), "S_m is the sum of m independent fair signs")}


def _defined(of: str, rel: Rel, more: Mapping[sp.Expr, Var], *given: Rel) -> Definition:
    return Definition(of, Goal(rel, {**SIGNS, **more}, given, of, letters=SIGN_WORDS))


AT_LEAST = _defined(
    "the chance that a sum of signs is at least c",
    Rel(below(m, c), "=", Mean(Event(total(m, o) - c, 0), o)),
    {m: WHOLE, c: real()},
)
VALUE = _defined(
    "the chance that a sum of 2h signs is 2j",
    Rel(exactly(h, j), "=", Mean(equals(total(2 * h, o), 2 * j), o)),
    {h: WHOLE, j: Var(integer=True)},
)
OF_EXPONENT = _defined("the exponent", Rel(exponent(h, j), "=", EXPONENT), {}, Rel(j, "<", h))
