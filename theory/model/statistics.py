"""Means, variances and covariances of the model's statistics, written as they are read.

`E((mu_hat - mu_k) ** 2)` is printed just so and has as its value what the calculus of second moments gives. The
statistics are symbols with a fixed meaning (`STATISTICS`), seen from arm k; i is one other arm. Of the laws nothing is
used but independence and the two variances, and the counts are fixed in advance.

A value depends on the parameters of the model (counts, variances, sums over the other arms). They are arguments of the
expression, so that a relation at other arguments, n_k = 1 say, is about the statistic with n_k = 1.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import sympy as sp

from theory.kernel.named import Fixed, Named, valued, written
from theory.model.arms import J, No, n, rho, s, s0, w
from theory.model.at_values import unshifted
from theory.model.effects import arm_mean, common, direct, predicted
from theory.model.moments import Calculus, Form, simplest, v, w_i
from theory.model.quantities import OWN_NOISE, PARAMETERS, SEEN_FROM_I, SUMS, OfModel, mu0, mu_value

CALCULUS = Calculus(s0, w, SUMS, s)
_one = sp.Integer(1)
_share = rho * v / (1 - v) / (n + No)  # n_i/N, the share of another arm in all rewards


@dataclass(frozen=True)
class Meaning:
    """A statistic: how it is printed, its linear form about mu_0, and whether its mean is mu_0 or 0."""

    latex: str
    form: Form
    centred: bool = False

    @property
    def mean(self) -> sp.Expr:
        return sp.S.Zero if self.centred else mu0


def _at_one_arm(own: sp.Expr, of_common: sp.Expr) -> Form:
    """own times the sample mean of arm i, of_common times r0-bar."""
    shrunk: Form = of_common * common
    return Form(one_effect=own, one_noise=own) + shrunk


STATISTICS = {
    "mu_hat_k": Meaning(r"\hat\mu_k", predicted),
    "mu_tilde_k": Meaning(r"\tilde\mu_k", w * direct),
    "rbar_0": Meaning(r"\bar r_0", common),
    "rbar_k": Meaning(r"\bar r_k", direct),
    "rbar": Meaning(r"\bar r", Form(n / (n + No), n / (n + No), _share, _share)),
    "r_kj": Meaning(r"r_{k,j}", direct + Form(own_single=_one)),
    "r_kl": Meaning(r"r_{k,l}", direct + Form(own_second=_one)),
    "mu_hat_i": Meaning(r"\hat\mu_i", _at_one_arm(w_i, 1 - w_i)),
    "mu_tilde_i": Meaning(r"\tilde\mu_i", _at_one_arm(w_i, sp.S.Zero)),
    "rbar_i": Meaning(r"\bar r_i", _at_one_arm(_one, sp.S.Zero)),
    "r_ij": Meaning(r"r_{i,j}", _at_one_arm(_one, sp.S.Zero) + Form(one_single=_one)),
    "mu_k": Meaning(r"\mu_k", arm_mean),
    "mu_i": Meaning(r"\mu_i", Form(one_effect=_one)),
    "mu_bar": Meaning(r"\bar\mu", Form(own_effect=1 / (J + 1), effect=1 / (J + 1))),
    "delta_k": Meaning(r"\delta_k", arm_mean, centred=True),
    "delta_i": Meaning(r"\delta_i", Form(one_effect=_one), centred=True),
}


class Statistic(Fixed):
    """A statistic of the model."""

    def __new__(cls, name: str) -> Statistic:
        if name not in STATISTICS:
            raise ValueError(f"name={name!r}: must be one of {', '.join(STATISTICS)}")
        found: Statistic = super().__new__(cls, name, real=True)
        return found

    @property
    def meaning(self) -> Meaning:
        return STATISTICS[self.name]

    def _latex(self, printer: Any, exp: str | None = None) -> str:
        return self.meaning.latex if exp is None else f"{self.meaning.latex}^{{{exp}}}"


mu_hat, mu_tilde, rbar_0, rbar_k, rbar, mu_k = map(
    Statistic, ("mu_hat_k", "mu_tilde_k", "rbar_0", "rbar_k", "rbar", "mu_k")
)
r_kj, r_kl, r_ij, mu_i, rbar_i, mu_bar = map(Statistic, ("r_kj", "r_kl", "r_ij", "mu_i", "rbar_i", "mu_bar"))
mu_hat_i, mu_tilde_i, delta_k, delta_i = map(Statistic, ("mu_hat_i", "mu_tilde_i", "delta_k", "delta_i"))


def of_arm_i(moment: Moment) -> Moment:
    """A moment of statistics of arm k for the arm i of an `ArmSum`: the same with i in the place of k.

    Not of a moment that has an arm i beside arm k, or is one given mu_k: both would be printed as of one arm.
    """
    bodies, given, *_ = moment.args
    if given or {r_ij, mu_i, rbar_i, mu_hat_i, mu_tilde_i, delta_i} & bodies.atoms(Statistic):
        raise ValueError(f"of_arm_i({moment}): must be of arm k alone, without a condition")
    found: Moment = moment.xreplace(SEEN_FROM_I)
    return found


def with_own_noise(moment: Moment) -> Moment:
    """The same moment when every arm has a noise variance of its own, and its estimates use it.

    An arm enters the calculus through its weight alone, so that its values at `OWN_NOISE` are those. Exceptions are the
    average of all rewards, whose shares are counts, and the variance of a single reward of another arm.
    """
    found: Moment = moment.xreplace(OWN_NOISE)
    if not found.own_noise:
        raise ValueError(f"{moment}: not determined by the weights of the arms")
    return found


@lru_cache(maxsize=1024)
def covariance(x: Statistic, y: Statistic, given_mean: bool) -> sp.Expr:
    """Of two statistics, in the parameters; given mu_k, if asked."""
    if y.name < x.name:
        return covariance(y, x, given_mean)
    return simplest(CALCULUS.cov(*(_given(z.meaning.form) if given_mean else z.meaning.form for z in (x, y))))


def _given(form: Form) -> Form:
    """What is random of a form when mu_k is fixed."""
    return form + Form(own_effect=-form.own_effect)


def mean(x: Statistic, given_mean: bool) -> sp.Expr:
    return x.meaning.mean + (x.meaning.form.own_effect * (mu_value - mu0) if given_mean else 0)


class Moment(OfModel):
    """A moment of polynomials in statistics, perhaps given mu_k: arguments, condition, values of the parameters."""

    symbol, degree, count = "", 1, 1

    def __new__(cls, *parts: Any, given: Statistic | None = None) -> Moment:
        if parts and isinstance(parts[-1], sp.Tuple) and len(parts[-1]) == len(PARAMETERS):
            found: Moment = sp.Expr.__new__(cls, *parts)  # as SymPy rebuilds it
            return found
        if len(parts) != cls.count:
            raise TypeError(f"{cls.__name__}: {len(parts)} arguments, {cls.count} needed")
        if given not in (None, mu_k):
            raise ValueError(f"given={given!r}: must be mu_k or None")
        bodies = [sp.sympify(p) for p in parts]
        for body in bodies:
            _polynomial(body, cls.degree)
        condition = sp.Tuple() if given is None else sp.Tuple(given)
        found = sp.Expr.__new__(cls, *bodies, condition, sp.Tuple(*PARAMETERS))
        return found

    @property
    def bodies(self) -> tuple[sp.Expr, ...]:
        return tuple(self.args[:-2])

    @property
    def given_mean(self) -> bool:
        return bool(self.args[-2])

    @property
    def statistics(self) -> set[Statistic]:
        return set().union(*(b.atoms(Statistic) for b in self.bodies))

    @property
    def own_noise(self) -> bool:
        squared = all(r_ij in b.atoms(Statistic) for b in self.bodies)  # then its variance may be meant
        return super().own_noise and rbar not in self.statistics and not squared

    @property
    def bound(self) -> set[sp.Symbol]:
        return {*self.statistics, *(self.args[-2])}

    @property
    def parts(self) -> tuple[sp.Expr, ...]:
        """The arguments, and the coefficients of the statistics: a sum over arms is defined where they are.

        A second reward of arm k is one where n_k > 1: the variance of rbar_k - (r_kj + r_kl)/2 would be negative at 1.
        """
        coefficients = {c for x in self.statistics for c in x.meaning.form.coefficients}
        some = {v: sp.Rational(1, 2)}  # the weight of another arm lies between 0 and 1
        second = (sp.log(self.at[n] - 1),) if r_kl in self.statistics else ()
        return (*self.bodies, *second, *(c.xreplace(some).xreplace(self.at) for c in sorted(coefficients, key=str)))

    def _covariance(self, x: Statistic, y: Statistic) -> sp.Expr:
        return covariance(x, y, self.given_mean).xreplace(self.at)

    def _mean(self, x: Statistic) -> sp.Expr:
        return mean(x, self.given_mean).xreplace(self.at)

    @property
    def written(self) -> sp.Expr:
        of_i = dict(self.others.args) == SEEN_FROM_I
        others = sp.Tuple() if of_i or self.own_noise else self.others
        bodies = sp.Tuple(*map(written, self.bodies))
        arm = sp.Symbol("i" if of_i else "k^h" if self.own_noise else "k")
        return Printed(sp.Symbol(self.symbol), bodies, self.args[-2], others, arm)


class E(Moment):
    """Mean of a polynomial of degree at most 2 in statistics."""

    symbol, degree = "E", 2

    @property
    def value(self) -> sp.Expr:
        total = sp.S.Zero
        for factors, c in _polynomial(self.bodies[0], self.degree):
            second = self._covariance(*factors) if len(factors) == 2 else 0
            total += c * (sp.Mul(*map(self._mean, factors)) + second)
        return simplest(valued(total))


class Cov(Moment):
    """Covariance of two linear statistics."""

    symbol, count = "Cov", 2

    @property
    def value(self) -> sp.Expr:
        first, second = (_polynomial(b, 1) for b in self.bodies)
        pairs = ((a * b, x, y) for x, a in first for y, b in second if x and y)
        return simplest(valued(sp.Add(*(c * self._covariance(x[0], y[0]) for c, x, y in pairs))))


class Variance(Moment):
    """Variance of a linear statistic."""

    symbol = "Var"

    @property
    def value(self) -> sp.Expr:
        return Cov(*self.bodies, *self.bodies, *self.args[-2:]).value


def _polynomial(body: sp.Expr, degree: int) -> list[tuple[tuple[Statistic, ...], sp.Expr]]:
    """[(factors, coefficient)] of a polynomial of at most this degree in statistics; no other symbol is random."""
    found = sorted(body.atoms(Statistic), key=str)
    if not body.is_polynomial(*found) or any(m.atoms(Statistic) for m in body.atoms(Named)):
        raise ValueError(f"{body}: not a polynomial in statistics")
    terms = sp.Poly(body, *found).terms() if found else [((), body)]
    if any(sum(powers) > degree for powers, _ in terms):
        raise ValueError(f"{body}: of degree more than {degree} in its statistics")
    return [(tuple(x for x, m in zip(found, powers, strict=True) for _ in range(m)), c) for powers, c in terms]


class Printed(sp.Expr):  # type: ignore[misc]
    """How a moment is printed: symbol, arguments, condition, parameters that are not the model's own, and its arm."""

    is_commutative = True

    @property
    def free_symbols(self) -> set[sp.Symbol]:
        _, bodies, _, others, _ = self.args
        found = set().union(*(e.free_symbols for e in (*bodies, *(x for _, x in others))))
        return {x for x in found if not isinstance(x, Statistic)}

    def _latex(self, printer: Any) -> str:
        symbol, bodies, given, others, arm = self.args
        at = ",".join("=".join(map(printer._print, pair)) for pair in unshifted(others))
        head = r"\mathbb{E}" if symbol.name == "E" else rf"\operatorname{{{symbol.name}}}"
        head += f"_{{{at}}}" if at else ""
        body = ",".join(_body(b, printer, r"\left({}\right)") for b in bodies)
        condition = rf"\mid {printer._print(given[0])}" if given else ""
        open_, close = (r"\left[", r"\right]") if symbol.name == "E" else (r"\left(", r"\right)")
        return _of(f"{head}{open_}{body}{condition}{close}", arm.name)

    def _sympystr(self, printer: Any) -> str:
        symbol, bodies, given, others, arm = self.args
        at = ", ".join(" = ".join(map(printer._print, pair)) for pair in unshifted(others))
        body = ", ".join(_body(b, printer, "({})") for b in bodies)
        condition = f" | {printer._print(given[0])}" if given else ""
        return _of(f"{symbol}({body}{condition}{'; ' + at if at else ''})", arm.name)


def _of(printed: str, arm: str) -> str:
    """The statistics of arm k as those of arm i, or as those that use each arm's own noise."""
    if arm == "k^h":
        for estimate in (r"\hat\mu_k", r"\tilde\mu_k", r"\bar r_0", "mu_hat_k", "mu_tilde_k", "rbar_0"):
            printed = printed.replace(estimate, f"{estimate}^h")
        return printed
    return printed.replace("_k", f"_{arm}").replace("{k,", f"{{{arm},")


def _body(expr: sp.Expr, printer: Any, brackets: str) -> str:
    """A statistic printed with its terms in the order of `STATISTICS`, a square as a square."""
    if expr.is_Pow and expr.exp == 2 and expr.base.is_Add:
        power = "^{2}" if "left" in brackets else "**2"
        return brackets.format(_body(expr.base, printer, brackets)) + power
    if expr.is_Mul:  # a factor that is a sum, in the same order
        group = "{%s}" if "left" in brackets else "%s"  # braces: SymPy prints such a name unchanged
        sums = {f: sp.Symbol(group % brackets.format(_body(f, printer, brackets))) for f in expr.args if f.is_Add}
        return str(printer._print(expr.xreplace(sums)))
    if not expr.is_Add:
        return str(printer._print(expr))
    order = list(STATISTICS)
    terms = sorted(expr.args, key=lambda t: (t.could_extract_minus_sign(), *(order.index(x.name) for x in _in(t))))
    printed = [_body(t, printer, brackets) for t in terms]
    signed = [f"- {t[1:].strip()}" if t.startswith("-") else f"+ {t}" for t in printed]
    return " ".join(signed).removeprefix("+ ")


def _in(term: sp.Expr) -> list[Statistic]:
    return sorted(term.atoms(Statistic), key=lambda x: list(STATISTICS).index(x.name))
