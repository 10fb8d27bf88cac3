"""What the lemmas of Appendix G have in common: two roots and the three quantities they make rational.

With u = (1 - w_k)/W, tau^2 = tilde-tau^2 (1 + u) and tau*^2 = tilde-tau^2 (1 + sqrt(u))^2. Roots are symbols: r
stands for sqrt(u), q for sqrt(rho/K); so u = r^2 and rho = K q^2.
"""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

import sympy as sp

from theory.kernel.goal import Goal, Letter, Point, at_least, positive
from theory.kernel.named import Named
from theory.kernel.rules import Monotone
from theory.model.arms import DOMAIN, SHORT, J, K, W, n, proxy_goal, s, s0, tau_tilde_sq, w
from theory.model.arms import LETTERS as ARM_LETTERS

r, q = sp.symbols("r q")
ROOTS = {r: positive(), q: positive(), J: at_least(0, integer=True)}
u = (1 - w) / W
ratio = (1 + r**2) / (1 + r) ** 2  # tau^2 / tau*^2
claimed_ratio = (1 + 1 / (K * (1 + K * q**2))) / (1 + q) ** 2  # what Lemma lemma:tauTotau puts below it
ROOT = {q: sp.sqrt(s / (K * s0))}  # what q stands for, for a reader
m = 1 / claimed_ratio  # the constant of Theorem them-R-Bayes-SubR
star_sq = tau_tilde_sq * (1 + sp.sqrt(u)) ** 2  # tau*_k^2, Eq. tau_SG
STAR = {sp.Symbol("tau^*_k", positive=True) ** 2: star_sq}
M_SHORT = {sp.Symbol("m"): m}
_K, _rho, _u = sp.symbols("K rho u", positive=True)
RATIO_LETTERS = {
    q: Letter(sp.sqrt(_rho / _K), "rho = sigma^2/sigma_0^2"),
    r: Letter(sp.sqrt(_u), "u = (1-w_k)/W, so that tau_k^2/tau_k^*2 = (1+u)/(1+sqrt(u))^2; at one pull each u = rho/K"),
}
LETTERS = {
    J: ARM_LETTERS[J],
    q: Letter(sp.sqrt(sp.Symbol("rho") / sp.Symbol("K")), "rho = sigma^2/sigma_0^2"),
    r: Letter(sp.sqrt(sp.Symbol("u")), "u = (1 - w_k)/W"),
}


def with_star(goal: Goal) -> Goal:
    """The goal, printed with tau*_k^2."""
    return replace(goal, short={**STAR, **SHORT})


def proxy_below(bound: sp.Expr, name: str) -> Monotone:
    """tau*_k^2 <= tilde-tau_k^2 (1 + sqrt(bound))^2, from u <= bound."""
    x = sp.Symbol("x")
    premise = with_star(proxy_goal(u, "<=", bound, name=f"{name}: u"))
    free = {**{a: DOMAIN[a] for a in (n, s, s0)}, x: positive()}
    return Monotone(premise, tau_tilde_sq * (1 + sp.sqrt(x)) ** 2, x, free, name=name)


def one_pull_each(more: Mapping[sp.Symbol, sp.Expr] | None = None) -> Iterator[Point]:
    """Bandits with sigma_0^2 = 1 and every arm pulled once, where u = rho/K: few arms and simple q first."""
    roots = sorted(
        (sp.Rational(i, j) for i in range(1, 6) for j in range(1, 6) if sp.gcd(i, j) == 1),
        key=lambda x: (x.p + x.q, x.p),
    )
    for arms in range(1, 6):
        yield from (one_pull(arms, value, more) for value in roots)


def one_pull(arms: int, root: sp.Rational, more: Mapping[sp.Symbol, sp.Expr] | None = None) -> Point:
    """The bandit with sigma_0^2 = 1, sigma^2 = K q^2 and one pull of every arm; `more` symbols have values by these."""
    shown = {"K": str(arms), "n": ["1"] * arms, "sigma_sq": str(arms * root**2), "sigma0_sq": "1"}
    noise, spread, number = sp.symbols("sigma_sq sigma0_sq K")
    values = {J: sp.Integer(arms - 1), q: root}
    more = {x: value.xreplace(values) for x, value in (more or {}).items()}
    entries = {**shown, **{x.name: str(value) for x, value in more.items()}}
    return Point({**values, **more}, entries, {q: sp.sqrt(noise / (number * spread))})


class M(Named):
    """The constant m of Theorem them-R-Bayes-SubR at a number of arms and a ratio of variances."""

    @property
    def value(self) -> sp.Expr:
        arms, ratio_ = self.args
        return m.subs({J: arms - 1, q: sp.sqrt(ratio_ / arms)}, simultaneous=True)

    @property
    def data(self) -> dict[str, Any]:
        return {name: str(x) for name, x in zip(("K", "rho"), self.args, strict=True)}

    @property
    def definition(self) -> tuple[sp.Expr, sp.Expr]:
        return sp.Symbol("m"), M(sp.Symbol("K"), sp.Symbol("rho")).value

    def _latex(self, printer: Any) -> str:
        arms, ratio_ = map(printer._print, self.args)
        return rf"m\vert_{{K={arms},\rho={ratio_}}}"

    def _sympystr(self, printer: Any) -> str:
        arms, ratio_ = map(printer._print, self.args)
        return f"m[K = {arms}, rho = {ratio_}]"
