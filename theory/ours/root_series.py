"""The sum of (j + alpha)^(-1/2) over pulls, from above, in closed form: how reucb.bounds adds up widths at any
horizon."""

import sympy as sp

from theory.kernel.argument import Argument, Words, proof
from theory.kernel.claim import claim
from theory.kernel.goal import Goal, Rel, Var, positive

FROM = 33  # the first x = j + alpha that is summed by the series
u = sp.Symbol("u")  # (33/x)^2, at most 1
z = u / (4 * FROM**2)  # (y/2)^2 with y = 1/x
HALF = sp.Rational(1, 2)


def primitive(x: sp.Expr) -> sp.Expr:
    """F with F(x + 1/2) - F(x - 1/2) a little above x^(-1/2): the integral and two corrections."""
    return 2 * sp.sqrt(x) + x ** sp.Rational(-3, 2) / 48 - 7 * x ** sp.Rational(-7, 2) / 3072


def coefficient(order: int) -> sp.Rational:
    """Of y^(2 order) in sqrt(x) (F(x + 1/2) - F(x - 1/2)), y = 1/x: odd binomial terms of the three parts of F."""

    def part(scale: sp.Rational, power: sp.Rational, k: int) -> sp.Expr:
        return scale * 2 * sp.binomial(power, k).expand(func=True) * HALF**k if k > 0 else sp.Integer(0)

    total = (
        part(sp.Integer(2), HALF, 2 * order + 1)
        + part(sp.Rational(1, 48), -3 * HALF, 2 * order - 1)
        + part(sp.Rational(-7, 3072), -7 * HALF, 2 * order - 3)
    )
    return sp.nsimplify(sp.simplify(total))


@claim(
    "ours/midpoint/series",
    by="us",
    kind="inequality",
    says=r"x\ge33:\quad x^{-1/2}\le F(x+\tfrac12)-F(x-\tfrac12),\quad "
    r"F(x)=2x^{1/2}+\tfrac1{48}x^{-3/2}-\tfrac7{3072}x^{-7/2}",
    uses=("ours/midpoint",),
)
def midpoint_series() -> Argument:
    """Times sqrt(x), the right side is a power series in 1/x^2: 1, then two coefficients that vanish, then a
    positive one. Of the later ones only the second part of F makes negative terms, at most (1/6) j z^j with z =
    1/(4x^2) (as the binomial coefficients of -3/2 are below those of -2): too small to matter from x = 33 on."""
    third = coefficient(3)
    small = {u: Var(sp.Integer(0), strict=True, high=sp.Integer(1))}
    j = sp.Symbol("j")

    def left(first: sp.Expr) -> sp.Expr:
        """z^(-first) times the sum of i z^i over i >= first."""
        return (first - (first - 1) * z) / (1 - z) ** 2

    return proof(
        Goal(Rel(coefficient(0), "=", 1), name="order 0"),
        Goal(Rel(coefficient(1), "=", 0), name="order 1"),
        Goal(Rel(coefficient(2), "=", 0), name="order 2"),
        Goal(
            Rel(6 * 64 * third * (1 - z) ** 2, ">", z * (4 - 3 * z)),
            small,
            name="order 3, 64 third z^3, outweighs z^4 (4-3z)/(6 (1-z)^2), all negative terms after it (times 6 "
            "(1-z)^2/z^3)",
        ),
        Goal(Rel(left(j) - z * left(j + 1), "=", j), {**small, j: positive()}, name="one term of the sum of j z^j"),
        Goal(Rel(left(sp.Integer(4)), "=", (4 - 3 * z) / (1 - z) ** 2), small, name="the sum from j = 4 on, over z^4"),
        Goal(
            Rel(sp.Rational(1, 48) * 2 * (2 * j) * 2, "=", j / 6),
            {j: positive()},
            name="a negative term: (1/48) 2 (2j) 2^(1-2j) y^(2j) = (j/6) z^j",
        ),
        Words(
            "Both binomial series converge for y/2 < 1. The first part of F has positive odd coefficients, the "
            "third, with its sign, too."
        ),
    )
