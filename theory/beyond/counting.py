"""Counting pulls: how much width any sequence of pulls can meet, whatever the choices were."""

import sympy as sp

from theory.kernel.argument import Words, proof
from theory.kernel.claim import claim
from theory.kernel.goal import Goal, Rel, at_least, positive, real
from theory.vocabulary import J, K

HERE = "Beyond the paper"
x, y, z, al, k, M, N, d = sp.symbols("x y z al k M N d")


@claim("ours/width/shape", where=HERE, kind="inequality", says=r"g(j)=\sigma(j+\alpha)^{-1/2}\ \text{falls and is "
                                                               r"convex}")
def shape():
    """First and second derivative, written with the root z = sqrt(j + alpha)."""
    g = (x + al) ** sp.Rational(-1, 2)
    free = {x: positive(), al: at_least(0)}
    return proof(
        Goal(Rel(sp.diff(g, x), "=", -(x + al) ** sp.Rational(-3, 2) / 2), free, name="slope"),
        Goal(Rel(sp.diff(g, x, 2), "=", 3 * (x + al) ** sp.Rational(-5, 2) / 4), free, name="second derivative"),
        Goal(Rel(1 / y, "<=", 1 / z), {y: positive(), z: positive()}, (Rel(z, "<=", y),), "it falls: 1/root"),
    )


@claim("ours/jensen", where=HERE, kind="inequality", depends_on=("ours/width/shape",),
       says=r"\sum_kS(N_k)\le KS(N/K),\quad\sum_kN_k=N,\ S(M)=\sum_{j\le M}g(j)\ \text{linear in between}")
def jensen():
    """Partial sums of a falling sequence lie below the line with slope g(M+1) through (M, S(M)): pulls beyond M add
    at most that each, pulls short of M take away at least that. Sum the lines over the arms at M = floor(N/K)."""
    SM, g = sp.symbols("SM g")
    return proof(
        Goal(Rel(SM + (N - M) * z, "<=", SM + (N - M) * g), {SM: positive(), M: at_least(0), N: at_least(0),
                                                             z: positive(), g: positive()},
             (Rel(N, ">=", M), Rel(z, "<=", g)), "beyond M: the added terms average z <= g(M+1)"),
        Goal(Rel(SM - (M - N) * z, "<=", SM + (N - M) * g), {SM: positive(), M: at_least(0), N: at_least(0),
                                                             z: positive(), g: positive()},
             (Rel(N, "<=", M), Rel(z, ">=", g)), "short of M: the missing terms average z >= g(M) >= g(M+1)"),
        Goal(Rel(k * SM + g * (N - k * M), "=", k * (SM + (N / k - M) * g)),
             {SM: positive(), M: at_least(0), N: positive(), k: positive(), g: positive()},
             name="lines summed over K arms: K times the interpolated S at N/K"),
    )


@claim("ours/widest-last", where=HERE, kind="inequality", depends_on=("ours/jensen",),
       says=r"\sum_{t=K+1}^n\sqrt{a\log t}\,g_t\le\sum_{j=1}^{n-K}\sqrt{a\log(n+1-j)}\,g(\lceil j/K\rceil)")
def widest_last():
    """Partial summation: the last j of the rounds meet at most K S(j/K) of width, and sqrt(log t) grows. Likewise
    with a falling factor and the first j rounds."""
    f1, f2, T1, T2, B1, B2 = sp.symbols("f1 f2 T1 T2 B1 B2")
    free = dict.fromkeys((f1, f2, T1, T2, B1, B2), at_least(0))
    return proof(
        Goal(Rel(f1 * (T1 - T2) + f2 * T2, "=", f1 * T1 + (f2 - f1) * T2), free,
             name="Abel's summation, one step: T_i the widths met from round i on"),
        Goal(Rel(f1 * T1 + (f2 - f1) * T2, "<=", f1 * B1 + (f2 - f1) * B2), free,
             (Rel(f1, "<=", f2), Rel(T1, "<=", B1), Rel(T2, "<=", B2)),
             "larger tails, larger sum: B_i the most they can be"),
        Goal(Rel(k * (z + d) - k * z, "=", k * d), {k: positive(), z: positive(), d: positive()},
             name="K S(j/K) grows by g(ceil(j/K)) per round, K rounds long"),
        Words("The whole sum is this step repeated from the last round back to the first; the step is what can go "
              "wrong."),
    )


@claim("ours/worst-spread", where=HERE, kind="inequality", depends_on=("ours/width/shape",),
       says=r"n_k\ge1,\ \sum_kn_k=t-1:\quad\sum_kg(n_k)\le(K-1)g(1)+g(t-K)")
def worst_spread():
    """Moving a pull from a less to a more pulled arm raises a sum of a convex function; so the worst is all extra
    pulls on one arm."""
    p, q, r, u = sp.symbols("p q r u")  # g at i-1, i, j, j+1 with i <= j
    return proof(Goal(Rel(q + r, "<=", p + u), dict.fromkeys((p, q, r, u), positive()), (Rel(p - q, ">=", r - u),),
                      "convex: g(i-1) - g(i) >= g(j) - g(j+1) for i <= j"),
                 Goal(Rel((K - 1) + (N - K + 1), "=", N), {J: at_least(0), N: positive()},
                      name="K - 1 arms at 1, one at t - K: in all t - 1, N = t - 1"))


@claim("ours/midpoint", where=HERE, kind="inequality", depends_on=("ours/width/shape",),
       says=r"\frac1{\sqrt{x}}\le\int_{x-1/2}^{x+1/2}\frac{du}{\sqrt u}=2\sqrt{x+1/2}-2\sqrt{x-1/2}")
def midpoint():
    """With the roots y, z of x + 1/2 and x - 1/2 the integral is 2/(y+z), and (y+z)^2 <= 2(y^2+z^2) = 4x."""
    free = {y: positive(), z: positive()}
    return proof(
        Goal(Rel((y + z) ** 2, "<=", 2 * (y**2 + z**2)), free, name="squared", squares=(y - z,)),
        Goal(Rel(2 * (y - z), "=", 2 * (y**2 - z**2) / (y + z)), free, name="difference of roots, y^2 - z^2 = 1"),
    )


@claim("ours/duality", where=HERE, kind="inequality", depends_on=("ours/jensen",),
       says=r"\eta\ge0,\ \sum_kN_k=N:\quad\sum_k\sum_{j\le N_k}(h_k(j)-\eta)+\eta N\le\eta "
            r"N+\sum_k\sum_{j}(h_k(j)-\eta)^+")
def duality():
    """A price eta per pull turns the constraint on the number of pulls into a sum of positive parts; at the best
    price this is the sum of the N largest terms, K S(N/K) when all arms have the same falling terms."""
    h, eta, pos = sp.symbols("h eta pos")
    free = {h: real(), eta: at_least(0), pos: at_least(0), N: positive(), k: positive(), M: at_least(0)}
    SM, g = sp.symbols("SM g")
    return proof(
        Goal(Rel(h - eta, "<=", pos), free, (Rel(pos, ">=", h - eta),), "a term is at most its positive part"),
        Goal(Rel(k * (SM - M * g) + g * N, "=", k * SM + g * (N - k * M)), {**free, SM: positive(), g: positive()},
             name="best price eta = g(M+1), M = floor(N/K): the value is K S(N/K)"),
    )
