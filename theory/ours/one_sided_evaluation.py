"""Why the evaluation of the counting bound rounds up: which way each ingredient moves (`reucb.bounds.counting`).

A block of counts or rounds is replaced by one of its ends. These claims say which end is the safe one.
"""

import sympy as sp

from theory.kernel.argument import Argument, proof
from theory.kernel.claim import claim
from theory.kernel.goal import Goal, Rel, Var, at_least, positive, real
from theory.model.normal import phi, upper

N, C, c, k, z, s, top, g, x = sp.symbols("N C c k z s top g x")
p, q, v = sp.symbols("p q v")


@claim(
    "ours/one-sided/threshold",
    by="us",
    kind="identity",
)
def threshold() -> Argument:
    """So the quotient falls at N, and from there on, exactly where -k is at most C (N/2+c)/sqrt(N+c)."""
    root = sp.sqrt(N + c)
    free = {N: positive(), c: at_least(0), C: positive(), k: real()}
    pull = (N / 2 + c) / root
    return proof(
        Goal(Rel(sp.Derivative((C * root + k) / N, N), "=", -(k + C * pull) / N**2), free, name="slope in N"),
        Goal(Rel(sp.Derivative(pull, N), "=", N / (4 * root**3)), free, name="slope of the limit in N"),
        Goal(Rel(sp.Derivative(pull, c), "=", (3 * N + 2 * c) / (4 * root**3)), free, name="slope of the limit in c"),
    )


@claim(
    "ours/one-sided/level",
    by="us",
    kind="inequality",
)
def level() -> Argument:
    """theta is a mean of s_t and s_n with weight g(N)/g(1) <= 1 on s_n; g = g(N)/g(1)."""
    theta = s + (top - s) * g
    free = {s: at_least(0), top: at_least(0), g: Var(sp.Integer(0), high=sp.Integer(1)), x: at_least(0)}
    below = Rel(s, "<=", top)
    return proof(
        Goal(Rel(theta, "<=", x + (top - x) * g), free, (Rel(s, "<=", x),), "rises in s_t, from s to x"),
        Goal(Rel(s, "<=", theta), free, (below,), "at least s_t"),
        Goal(Rel(theta, "<=", top), free, (below,), "at most s_n"),
    )


@claim(
    "ours/one-sided/excess",
    by="us",
    kind="identity",
    cites=("ours/psi",),
)
def excess_over_level() -> Argument:
    """Both slopes are minus a product of nonnegative factors."""
    free = {z: real(), s: real()}
    f = phi(z) - s * upper(z)
    return proof(
        Goal(Rel(sp.Derivative(f, z), "=", -(z - s) * phi(z)), free, name="slope in theta"),
        Goal(Rel(sp.Derivative(f, s), "=", -upper(z)), free, name="slope in s"),
        Goal(Rel(-(z - s) * p, "<=", 0), {z: real(), s: real(), p: positive()}, (Rel(s, "<=", z),), "theta >= s"),
        Goal(Rel(-q, "<=", 0), {q: positive()}, name="Q >= 0"),
    )


@claim(
    "ours/one-sided/union",
    by="us",
    kind="inequality",
)
def union() -> Argument:
    """With u = 1 - Q: the power u^{K-1} falls in Q, by its derivative, and one factor more makes it smaller."""
    j, u = sp.symbols("j u")  # j = K - 1
    free = {u: Var(sp.Integer(0), strict=True, high=sp.Integer(1)), v: positive(), j: at_least(0)}
    return proof(
        Goal(Rel(sp.Derivative(1 - u**j, u), "=", -j * u**j / u), free, name="slope in u = 1 - Q"),
        Goal(Rel(-j * v / u, "<=", 0), free, name="falls in u, v = u^(K-1)"),
        Goal(Rel(1 - v * u, ">=", 1 - v), free, name="one arm more"),
    )
