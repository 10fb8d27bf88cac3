"""A good pull of a suboptimal arm: how far its average can lie below the best mean (counting bound, units sigma_0 = 1).

k is the arm pulled, N its count, l the best arm, y its mean (mu_0 = 0), v' the sum of the weights of the K - 2 other
arms, w_l the weight of the best arm. A' = S(2+v') + zeta(v'-v0) bounds what the other arms say. x = 1/(2+v') lies in
[1/K, 1/c0] with c0 = 2 + v0, D = 2y - zeta c0, k2 = c0/(c0-1+w1).
"""

import sympy as sp

from theory.kernel.argument import Argument, proof
from theory.kernel.claim import claim
from theory.kernel.goal import Goal, Letter, Rel, Var, at_least, positive, real

r, S, y, zeta, v, v0, w_l, w1, x = sp.symbols("r S y zeta v v0 w_l w1 x")  # r = rho, v = v'
N, C, k, c0, D, p, q, A = sp.symbols("N C k c0 D p q A")
UNIT = Var(sp.Integer(0), strict=True, high=sp.Integer(1))

LETTERS = {
    r: Letter(sp.Symbol("rho"), "sigma^2/sigma_0^2"),
    S: Letter(S, "a bound of the other arms: A' = S (2 + v') + zeta (v' - v_0)"),
    zeta: Letter(zeta, "slope of that bound in v'"),
    y: Letter(y, "mean of the best arm, mu_0 = 0"),
    v: Letter(sp.Symbol("v'"), "sum of the weights of the K - 2 other arms"),
    v0: Letter(sp.Symbol("v_0"), "the least value of v'"),
    w_l: Letter(w_l, "weight of the best arm"),
    w1: Letter(sp.Symbol("w_1"), "the least value of w_l"),
    x: Letter(x, "1/(2 + v')"),
    k: Letter(sp.Symbol("K"), "number of arms"),
    c0: Letter(sp.Symbol("c_0"), "2 + v_0"),
    D: Letter(D, "2 y - zeta c_0, or minus this number"),
    A: Letter(A, "A' - v' y, or minus this number"),
    C: Letter(C, "sigma sqrt(a log t)"),
}
DRIFT = S * (2 + v) + zeta * (v - v0) - v * y  # A' - v' y
BRACKET = zeta + S - y + (2 * y - zeta * (2 + v0)) / (2 + v)  # zeta + S - y + x D


@claim(
    "ours/good-pull/drift",
    by="us",
    kind="identity",
)
def drift() -> Argument:
    """Both sides are polynomials in S, zeta and y with coefficients in v'."""
    return proof(
        Goal(
            Rel(DRIFT, "=", (2 + v) * BRACKET),
            {S: real(), zeta: at_least(0), y: real(), v: at_least(0), v0: at_least(0)},
            name="drift",
        ),
        letters=LETTERS,
    )


@claim(
    "ours/good-pull/borrowed",
    by="us",
    kind="inequality",
    cites=("ours/leave-one-out",),
)
def borrowed() -> Argument:
    """1/(1+v) falls in v, and v = v' + w_l is at most v' + 1."""
    left = r * (v + w_l) / (1 + v + w_l)
    return proof(
        Goal(
            Rel(left, "<=", r * (1 - 1 / (2 + v))), {r: positive(), v: at_least(0), w_l: UNIT}, name="rt <= rho (1-x)"
        ),
        letters=LETTERS,
    )


@claim(
    "ours/good-pull/weight-of-best",
    by="us",
    kind="inequality",
    cites=("ours/good-pull/drift",),
)
def weight_of_best() -> Argument:
    """A quotient with a nonpositive numerator is largest at the largest denominator, with a positive one at the
    smallest, w_l = w1; there (2+v')/(1+v'+w1) falls in v', so v' = v0 is the worst."""
    free = {A: at_least(0), v: at_least(0), v0: at_least(0), w_l: UNIT, w1: UNIT}
    k2 = (2 + v0) / (1 + v0 + w1)
    return proof(
        Goal(Rel(-A / (1 + v + w_l), "<=", -A / (2 + v)), free, name="nonpositive drift -A"),
        Goal(
            Rel(A / (1 + v + w_l), "<=", k2 * A / (2 + v)),
            free,
            (Rel(w1, "<=", w_l), Rel(v0, "<=", v)),
            "positive drift A",
        ),
        letters=LETTERS,
    )


@claim(
    "ours/good-pull/ends",
    by="us",
    kind="inequality",
)
def ends() -> Argument:
    """A linear function is largest at an end."""
    free = {x: positive(), D: at_least(0), k: positive(), c0: positive()}
    span = (Rel(x * k, ">=", 1), Rel(x * c0, "<=", 1))
    return proof(
        Goal(Rel(x * D, "<=", D / c0), free, span, "D >= 0: the upper end"),
        Goal(Rel(-x * D, "<=", -D / k), free, span, "-D <= 0: the lower end"),
        letters=LETTERS,
    )


@claim(
    "ours/good-pull/maximiser",
    by="us",
    kind="inequality",
)
def maximiser() -> Argument:
    """q is the root at x*, p the root at x, so rho (x - x*) = q^2 - p^2. Inside, C = 2 q D; at the lower end the slope
    is not positive (2 q D <= C) and p <= q, at the upper end it is not negative (2 q D >= C) and p >= q."""
    free = {p: positive(), q: positive(), C: positive(), D: at_least(0)}
    moved = C * p + (q**2 - p**2) * D  # h(x) and h(x*) without their common part rho x* D
    return proof(
        Goal(
            Rel(2 * q * D * p + (q**2 - p**2) * D, "<=", 2 * q * D * q),
            free,
            name="inside: C = 2 q D",
            squares=(p - q,),
        ),
        Goal(Rel(moved, "<=", C * q), free, (Rel(2 * q * D, "<=", C), Rel(p, "<=", q)), "lower end, D >= 0"),
        Goal(Rel(C * p - (q**2 - p**2) * D, "<=", C * q), free, (Rel(p, "<=", q),), "lower end, -D <= 0"),
        Goal(Rel(moved, "<=", C * q), free, (Rel(2 * q * D, ">=", C), Rel(p, ">=", q)), "upper end"),
        letters={**LETTERS, p: Letter(p, "the root at x"), q: Letter(q, "the root at the maximiser x*")},
    )


@claim(
    "ours/good-pull",
    by="us",
    kind="inequality",
    cites=(
        "ours/good-pull/drift",
        "ours/good-pull/borrowed",
        "ours/good-pull/weight-of-best",
        "ours/good-pull/ends",
        "ours/good-pull/maximiser",
    ),
)
def good_pull() -> Argument:
    """A good round says that G = N (y - rbar_k) is at most C sqrt(N+rt) plus rho times the drift over 1 + v' + w_l. A
    nonpositive drift -A is largest at w_l = 1, and rt <= rho (1-x); a positive one at w_l = w1, v' = v0, where the root
    is at most its value at x = 1/K. p, q are the roots of N + rt and of its bound."""
    G = sp.Symbol("G")
    free = {
        G: real(),
        C: at_least(0),
        r: positive(),
        A: at_least(0),
        v: at_least(0),
        v0: at_least(0),
        w_l: UNIT,
        w1: UNIT,
    }
    free |= {p: positive(), q: positive()}
    below = Rel(p, "<=", q)
    k2 = (2 + v0) / (1 + v0 + w1)
    return proof(
        Goal(
            Rel(G, "<=", C * q - r * A / (2 + v)),
            free,
            (Rel(G, "<=", C * p - r * A / (1 + v + w_l)), below),
            "nonpositive drift -A",
        ),
        Goal(
            Rel(G, "<=", C * q + r * k2 * A / (2 + v)),
            free,
            (Rel(G, "<=", C * p + r * A / (1 + v + w_l)), below, Rel(w1, "<=", w_l), Rel(v0, "<=", v)),
            "positive drift A",
        ),
        letters={
            **LETTERS,
            G: Letter(G, "N (y - rbar_k), N pulls of arm k"),
            p: Letter(p, "root of N + rho (v' + w_l)/(1 + v' + w_l)"),
            q: Letter(q, "an upper bound of p"),
        },
    )
