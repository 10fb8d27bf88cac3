"""What the printed bound of Theorem 1 does not show: the gain from structure that abstract and conclusion name."""

import sympy as sp

from theory.kernel.analysis import rises_from
from theory.kernel.argument import Argument, proof
from theory.kernel.claim import claim
from theory.kernel.goal import Goal, Rel, Var, at_least, positive

y, x, k, n, c, L, G, a, b, s = sp.symbols("y x k n c L G a b s")


@claim(
    "ours/logarithm-bounds",
    by="us",
    kind="inequality",
)
def logarithm_bounds() -> Argument:
    """Both differences are 0 at y = 0 and have nonnegative derivatives."""
    free = {y: at_least(0)}
    return proof(
        *rises_from(y - sp.log(1 + y), y, sp.Integer(0), free, "log(1+y) <= y"),
        *rises_from(sp.log(1 + y) - y / (1 + y), y, sp.Integer(0), free, "y/(1+y) <= log(1+y)"),
    )


@claim(
    "ours/printed/no-gain",
    by="us",
    kind="inequality",
    uses=("ours/logarithm-bounds",),
)
def no_gain() -> Argument:
    """Divided by sigma^2 and times c = rho log(1+1/rho) <= 1 the claim is F(n) = (1+rho/K) log(1+n/rho)
    - c (1+log(n/K)) >= 0. F(K) >= 0 because log(1+y) >= y/(1+y) at y = K/rho; F rises from there on."""
    free = {x: positive(), k: at_least(1), n: at_least(1), c: Var(sp.Integer(0), strict=True, high=sp.Integer(1))}
    F = (1 + x / k) * sp.log(1 + n / x) - c * (1 + sp.log(n / k))
    return proof(
        Goal(
            Rel((1 + x / k) * L, ">=", c),
            {**free, L: positive()},
            (Rel(L, ">=", (k / x) / (1 + k / x)),),
            "F(K) >= 0, L = log(1+K/rho)",
        ),
        Goal(Rel(sp.Derivative(F, n), "=", (1 + x / k) / (x + n) - c / n), free, name="slope of F"),
        Goal(Rel((1 + x / k) / (x + n), ">=", c / n), free, (Rel(n, ">=", k),), "F rises from n = K on"),
    )
